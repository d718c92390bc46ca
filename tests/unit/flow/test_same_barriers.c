/* Whether small programs, in the forms of sm_52 and sm_87, show that all warps of a block pass the
 * same barriers in the same order: each line of the argument in doc/all-paths.md, "The same
 * barriers". Left out: what test paths_cross shows on random kernels, that bounds which rest on it
 * hold. */
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/barriers/barrier_agreement.h"
#include "unit.h"

/* Threads differ in P0, warps agree on P1. */
#define THREADS_DIFFER "S2R R0, SR_TID.X; ISETP.GE.AND P0, PT, R0, 0x21, PT"
#define ALL_AGREE "MOV R1, c[0x0][0x160]; ISETP.GE.AND P1, PT, R1, 0x21, PT"

/* Where they do not agree: which barrier, and at which instruction warps go different ways. */
static struct wb_disagreement disagreement;

/* Warps that end before the first barrier do not count. */
static bool early_ends;

/* threads: of a block; 0: not known. */
static bool agreed_in(unsigned sm, uint32_t threads, const char *lines)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {.block = {threads, 1, 1}};
  struct wb_simt_analysis *analysis = NULL;
  FREED_BY(wb_barrier_agreement_free) struct wb_barrier_agreement agreement;
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error = {.message = ""};
  listing_of(sm, lines, &code);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_ok(
      wb_barrier_agreement_find(wb_simt_analysis_graph(analysis), early_ends, &agreement, &error));
  const bool result = agreement.agreed;
  disagreement = agreement.disagreement;
  wb_simt_analysis_free(analysis);
  return result;
}

static bool agreed(unsigned sm, const char *lines)
{
  return agreed_in(sm, 0, lines);
}

static void expect_both(bool expected, const char *lines)
{
  assert_int_equal(agreed(52, lines), expected);
  assert_int_equal(agreed(87, lines), expected);
}

TEST(straight_code)
{
  expect_both(true, THREADS_DIFFER "; BAR.SYNC 0x0; BAR.SYNC 0x0");
}

TEST(barrier_under_a_choice_of_all)
{
  expect_both(true, ALL_AGREE "; @P1 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0");
}

TEST(barrier_under_a_choice_of_threads)
{
  expect_both(false, THREADS_DIFFER "; @P0 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0");
}

/* Between warps too: lanes of one warp agree on a vote. */
TEST(barrier_under_a_choice_of_a_warp)
{
  assert_false(agreed(87, THREADS_DIFFER
                      "; VOTE.ANY R2, P2, P0; @P2 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
  assert_false(
      agreed(87, "S2UR UR4, SR_TID.Y; UISETP.GE.AND UP0, UPT, UR4, 0x2, UPT; PLOP3.LUT P2, PT, PT, "
                 "PT, UP0, 0x80, 0x0; @P2 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
  assert_false(agreed(87, "S2R R0, SR_TID.X; R2UR UR4, R0; ISETP.GE.AND P2, PT, RZ, UR4, PT; @P2 "
                          "BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
}

TEST(uniform_values_of_the_launch)
{
  assert_true(agreed(87, "S2UR UR4, SR_CTAID.Y; ULDC UR5, c[0x0][0x160]; ISETP.GE.AND P2, PT, RZ, "
                         "UR4, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
  assert_true(agreed(87, "S2R R0, SR_CTAID.X; R2UR UR4, R0; ISETP.GE.AND P2, PT, RZ, UR4, PT; @P2 "
                         "BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
}

TEST(values_from_memory)
{
  expect_both(true, "LDC R2, c[0x0][0x160]; ISETP.GE.AND P2, PT, R2, 0x1, PT; @P2 BRA skip; "
                    "BAR.SYNC 0x0; skip:; BAR.SYNC 0x0");
  expect_both(false, "S2R R0, SR_TID.X; LDC R2, c[0x3][R0]; ISETP.GE.AND P2, PT, R2, 0x1, PT; @P2 "
                     "BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0");
  expect_both(false, "MOV R4, c[0x0][0x160]; MOV R5, c[0x0][0x164]; LDG.E R2, [R4]; ISETP.GE.AND "
                     "P2, PT, R2, 0x1, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0");
}

/* What every thread of the block finds at a reduction, once there was one. */
TEST(results_of_reductions)
{
#define BY_RESULT "; ISETP.GE.AND P2, PT, R2, 0x1, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"
  expect_both(true, THREADS_DIFFER "; BAR.RED.POPC 0x0, P0; B2R.RESULT R2" BY_RESULT);
  expect_both(true, ALL_AGREE
              "; " THREADS_DIFFER
              "; BAR.RED.POPC 0x0, P0; @P1 BAR.RED.POPC 0x0, P0; B2R.RESULT R2" BY_RESULT);
  expect_both(true, THREADS_DIFFER "; loop:; BAR.RED.OR 0x0, P0; B2R.RESULT RZ, P0; @P0 BRA loop");
  expect_both(false, THREADS_DIFFER "; @P0 BAR.RED.POPC 0x0, P0; NOP");
  expect_both(false, "B2R.RESULT R2" BY_RESULT);
  expect_both(false,
              ALL_AGREE "; @P1 BRA over; BAR.RED.POPC 0x0, P1; over:; B2R.RESULT R2" BY_RESULT);
  expect_both(false, THREADS_DIFFER "; BAR.SYNC 0x0; B2R.RESULT R2" BY_RESULT);
  expect_both(false, THREADS_DIFFER "; BAR.RED.POPC 0x0, P0; B2R R2, 0x0" BY_RESULT);
  expect_both(false,
              THREADS_DIFFER "; BAR.RED.POPC 0x0, P0; MOV R2, RZ; @P0 B2R.RESULT R2" BY_RESULT);
}

/* Shared memory stays as it is between two barriers without a write between them, of whatever warp:
 * one is before the load, one after it, or on the other side of a branch. */
TEST(shared_memory_between_barriers)
{
#define SKIPS "; ISETP.GE.AND P2, PT, R2, 0x1, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"
  static const struct {
    bool alike;
    const char *lines;
  } rows[] = {
      {true, "STS [0x10], RZ; BAR.SYNC 0x0; LDS R2, [0x10]" SKIPS},
      {true, "STS [0x10], RZ; BAR.SYNC 0x0; LDS R2, [0x10]" SKIPS "; BAR.SYNC 0x0; STS [0x10], RZ"},
      {true, "BAR.SYNC 0x0; LDS R2, [0x10]; BAR.SYNC 0x0; STS [0x10], RZ" SKIPS},
      {true, "loop:; STS [0x10], RZ; BAR.SYNC 0x0; LDS R2, [0x10]; ISETP.GE.AND P2, PT, R2, 0x1, "
             "PT; BAR.SYNC 0x0; @P2 BRA loop"},
      {false, "STS [0x10], RZ; LDS R2, [0x10]" SKIPS},
      {false, "BAR.SYNC 0x0; LDS R2, [0x10]; STS [0x10], RZ" SKIPS},
      {false, "loop:; STS [0x10], RZ; BAR.SYNC 0x0; LDS R2, [0x10]; ISETP.GE.AND P2, PT, R2, 0x1, "
              "PT; @P2 BRA loop"},
      {false, "BAR.SYNC 0x0; LDS R2, [0x10]; ATOMS.ADD R3, [0x20], R2" SKIPS},
      {false, "BAR.SYNC 0x0; LDS R2, [0x10]; ST.E [R4], R2" SKIPS},
      {false, "BAR.SYNC 0x0; LDS R2, [0x10]; FROB R3" SKIPS},
      {false, THREADS_DIFFER "; BAR.SYNC 0x0; LDS R2, [0x10]; @P0 BRA over; STS [0x10], RZ; over:; "
                             "NOP" SKIPS},
      {false, THREADS_DIFFER "; BAR.SYNC 0x0; LDS R2, [R0]" SKIPS},
      {false, ALL_AGREE "; STS [0x10], RZ; @P1 BAR.SYNC 0x0; LDS R2, [0x10]" SKIPS},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    expect_both(rows[r].alike, rows[r].lines);
  }
  /* A copy that goes on by itself may end anywhere. */
  assert_false(agreed(87, "LDGSTS.E [R6], [R4]; BAR.SYNC 0x0; LDS R2, [0x10]" SKIPS));
  assert_true(
      agreed(87, "MOV R4, c[0x0][0x160]; MOV R5, c[0x0][0x164]; LDG.E.CONSTANT R2, [R4]" SKIPS));
  early_ends = true; /* what a warp stored that has ended is not said to be there for others */
  assert_false(agreed(87, "STS [0x10], RZ; BAR.SYNC 0x0; LDS R2, [0x10]" SKIPS));
  early_ends = false;
}

TEST(guarded_barriers)
{
  expect_both(true, ALL_AGREE "; @P1 BAR.SYNC 0x0");
  expect_both(false, THREADS_DIFFER "; @P0 BAR.SYNC 0x0");
  expect_both(true, THREADS_DIFFER "; @!PT BAR.SYNC 0x0");
}

/* The place that a person is told: the branch around the barrier, or the barrier itself. */
TEST(places_of_disagreement)
{
  expect_both(false, THREADS_DIFFER "; @P0 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0");
  assert_int_equal(disagreement.choice, 2);
  assert_int_equal(disagreement.barrier, 3);
  expect_both(false, ALL_AGREE
              "; " THREADS_DIFFER
              "; @P1 BRA skip; BAR.SYNC 0x0; skip:; NOP; @P0 BRA end; BAR.SYNC 0x0; end:; NOP");
  assert_int_equal(disagreement.choice, 7);
  assert_int_equal(disagreement.barrier, 8);
  expect_both(false, THREADS_DIFFER "; NOP; @P0 BAR.SYNC 0x0");
  assert_int_equal(disagreement.choice, 3);
  assert_int_equal(disagreement.barrier, 3);
}

TEST(guarded_writes)
{
  expect_both(false, THREADS_DIFFER "; MOV R2, RZ; @P0 MOV R2, 0x1; ISETP.GE.AND P2, PT, R2, 0x1, "
                                    "PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP");
  /* The old value stays where the guard is false. */
  expect_both(false, ALL_AGREE "; S2R R2, SR_TID.X; @P1 MOV R2, 0x1; ISETP.GE.AND P2, PT, R2, 0x1, "
                               "PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP");
  expect_both(true, ALL_AGREE "; MOV R2, RZ; @P1 MOV R2, 0x1; ISETP.GE.AND P2, PT, R2, 0x1, PT; "
                              "@P2 BRA skip; BAR.SYNC 0x0; skip:; NOP");
}

TEST(early_exits)
{
  expect_both(true, ALL_AGREE "; @P1 EXIT; BAR.SYNC 0x0");
  expect_both(false, THREADS_DIFFER "; @P0 EXIT; BAR.SYNC 0x0");
  expect_both(true, THREADS_DIFFER "; BAR.SYNC 0x0; @P0 EXIT; MOV R2, RZ");
}

/* Those that end before all barriers do not count, but those that end after some do. */
TEST(warps_without_barriers)
{
  early_ends = true;
  assert_true(agreed(87, THREADS_DIFFER "; @P0 EXIT; BAR.SYNC 0x0"));
  assert_true(agreed(87,
                     THREADS_DIFFER "; @P0 EXIT; MOV R2, RZ; loop:; BAR.SYNC 0x0; IADD3 R2, R2, "
                                    "0x1, RZ; ISETP.LT.AND P1, PT, R2, c[0x0][0x160], PT; @P1 "
                                    "BRA loop"));
  assert_false(agreed(87, THREADS_DIFFER "; BAR.SYNC 0x0; @P0 EXIT; BAR.SYNC 0x0"));
  assert_false(agreed(87, THREADS_DIFFER "; @P0 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
  /* Lanes of the warp that are on their way to an end come to no barrier, but are still there. */
  assert_false(agreed(87, THREADS_DIFFER "; @P0 BRA out; BAR.SYNC 0x0; EXIT; out:; MOV R2, RZ"));
  /* What a choice between warps that go on writes still differs. */
  assert_false(agreed(87, THREADS_DIFFER "; @P0 EXIT; ISETP.GE.AND P1, PT, R0, 0x11, PT; @P1 BRA "
                                         "skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0"));
  early_ends = false;
}

TEST(loops)
{
  expect_both(true, "MOV R2, RZ; loop:; BAR.SYNC 0x0; IADD3 R2, R2, 0x1, RZ; ISETP.LT.AND P1, PT, "
                    "R2, c[0x0][0x160], PT; @P1 BRA loop");
  expect_both(false, "S2R R2, SR_TID.X; loop:; BAR.SYNC 0x0; IADD3 R2, R2, 0x1, RZ; ISETP.LT.AND "
                     "P1, PT, R2, c[0x0][0x160], PT; @P1 BRA loop");
}

/* A loop of threads' own before the barrier's choice: what is counted in it differs. */
TEST(written_in_a_region)
{
  assert_false(
      agreed(87, "S2R R0, SR_TID.X; MOV R2, RZ; BSSY B0, done; loop:; IADD3 R2, R2, 0x1, RZ; "
                 "ISETP.LT.AND P0, PT, R2, R0, PT; @P0 BRA loop; BSYNC B0; done:; ISETP.GE.AND P2, "
                 "PT, R2, 0x3, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
  assert_true(
      agreed(87, "S2R R0, SR_TID.X; MOV R2, RZ; MOV R3, c[0x0][0x160]; BSSY B0, done; loop:; IADD3 "
                 "R2, R2, 0x1, RZ; ISETP.LT.AND P0, PT, R2, R0, PT; @P0 BRA loop; BSYNC B0; done:; "
                 "ISETP.GE.AND P2, PT, R3, 0x3, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
}

/* Without a BSYNC the groups of a warp may do the barrier one after the other. */
TEST(barrier_of_a_group)
{
  assert_false(agreed(87, THREADS_DIFFER "; @P0 BRA skip; MOV R2, RZ; skip:; BAR.SYNC 0x0"));
}

/* Lanes that came apart take BRA.DIV, in a warp that has such; what is written behind it differs.
 */
TEST(branches_on_what_runs_together)
{
  static const char *const branches[] = {"BRA.DIV ~URZ, apart", "BRA.CONV ~URZ, apart"};
  for (size_t b = 0; b < COUNT_OF(branches); b++) {
    char lines[300];
    snprintf(lines, sizeof lines,
             THREADS_DIFFER "; MOV R3, RZ; BSSY B0, done; @P0 BRA meet; MOV R2, RZ; meet:; %s; MOV "
                            "R3, 0x1; apart:; BSYNC B0; done:; ISETP.EQ.AND P2, PT, R3, RZ, PT; "
                            "@P2 BRA skip; BAR.SYNC 0x0; skip:; NOP",
             branches[b]);
    assert_false(agreed(87, lines));
  }
  /* Of all lanes: the same edge in all warps, where each has its 32 lanes. */
  static const char whole[] = "BRA.DIV ~URZ, apart; BAR.SYNC 0x0; apart:; NOP";
  assert_true(agreed_in(87, 64, whole));
  assert_false(agreed_in(87, 40, whole));
  assert_false(agreed_in(87, 0, whole));
}

/* Uniform registers are the warp's: each group of a warp whose lanes are apart counts in them. */
TEST(uniform_registers_of_groups)
{
  assert_false(agreed(
      87, THREADS_DIFFER
      "; UMOV UR4, URZ; BSSY B0, done; @P0 BRA side; MOV R2, RZ; side:; UIADD3 UR4, UR4, 0x1, URZ; "
      "BSYNC B0; done:; ISETP.EQ.AND P2, PT, RZ, UR4, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
  assert_false(agreed(87, THREADS_DIFFER
                      "; UMOV UR4, URZ; BSSY B0, done; @P0 BRA side; MOV R2, RZ; side:; "
                      "MOV R3, UR4; UMOV UR4, 0x1; BSYNC B0; done:; ISETP.EQ.AND P2, PT, "
                      "RZ, R3, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
  /* A thread's own register is written once for it. */
  assert_true(agreed(
      87, THREADS_DIFFER
      "; MOV R3, RZ; BSSY B0, done; @P0 BRA side; MOV R2, RZ; side:; IADD3 R3, R3, 0x1, RZ; BSYNC "
      "B0; done:; ISETP.EQ.AND P2, PT, RZ, R3, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
  /* Until the whole warp writes them. */
  assert_true(agreed(87, THREADS_DIFFER
                     "; UMOV UR4, URZ; BSSY B0, done; @P0 BRA side; MOV R2, RZ; side:; UIADD3 UR4, "
                     "UR4, 0x1, URZ; BSYNC B0; done:; S2UR UR4, SR_CgaCtaId; ISETP.EQ.AND P2, PT, "
                     "RZ, UR4, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
}

TEST(reconvergence_by_the_stack)
{
  assert_true(agreed(
      52, THREADS_DIFFER
      "; SSY done; @P0 BRA side; MOV R2, RZ; SYNC; side:; MOV R3, RZ; SYNC; done:; BAR.SYNC 0x0"));
  assert_false(
      agreed(52, THREADS_DIFFER
             "; SSY done; @P0 BRA side; BAR.SYNC 0x0; SYNC; side:; MOV R3, RZ; SYNC; done:; NOP"));
}

/* A transfer that all lanes do goes to lanes that wait in one warp, and on in another: the first
 * runs the loop twice. */
TEST(guarded_ends_of_a_group)
{
  assert_false(
      agreed(52, THREADS_DIFFER
             "; MOV R2, RZ; SSY done; @P0 BRA loop; MOV R3, RZ; loop:; ISETP.GE.AND P1, PT, R2, "
             "0x3, PT; @P1 SYNC; BAR.SYNC 0x0; IADD R2, R2, 0x1; BRA loop; done:; NOP"));
  assert_false(
      agreed(52, THREADS_DIFFER
             "; MOV R2, RZ; SSY done; @P0 BRA loop; MOV R3, RZ; loop:; ISETP.GE.AND P1, PT, R2, "
             "0x3, PT; @P1 EXIT; BAR.SYNC 0x0; IADD R2, R2, 0x1; BRA loop; done:; NOP"));
  /* All lanes are together. */
  assert_true(agreed(52, "MOV R2, RZ; SSY done; loop:; ISETP.GE.AND P1, PT, R2, 0x3, PT; @P1 SYNC; "
                         "BAR.SYNC 0x0; IADD R2, R2, 0x1; BRA loop; done:; NOP"));
}

/* The lanes that a BSSY notes are fewer in a warp that is not full. */
TEST(lanes_of_a_barrier_register)
{
  assert_false(agreed(87, "BSSY B0, done; BMOV.32 R2, B0; BSYNC B0; done:; ISETP.EQ.AND P2, PT, "
                          "R2, RZ, PT; @P2 BRA skip; BAR.SYNC 0x0; skip:; NOP"));
}
