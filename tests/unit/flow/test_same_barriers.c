/* Whether small programs, in the forms of sm_52 and sm_87, show that all warps of a block pass the
 * same barriers in the same order: each line of the argument in doc/all-paths.md, "The same
 * barriers", by the rows of same_barriers.txt. Left out: what test paths_cross shows on random
 * kernels, that bounds which rest on it hold. */
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/barriers/barrier_agreement.h"
#include "rows.h"
#include "unit.h"

/* Threads differ in P0, warps agree on P1. */
#define THREADS_DIFFER "S2R R0, SR_TID.X; ISETP.GE.AND P0, PT, R0, 0x21, PT"
#define ALL_AGREE "MOV R1, c[0x0][0x160]; ISETP.GE.AND P1, PT, R1, 0x21, PT"

/* Where they do not agree: which barrier, and at which instruction warps go different ways. */
static struct wb_disagreement disagreement;

/* Whether they pass as many at least. */
static bool as_many;

/* Where warps may end that do not count. */
static enum wb_early_ends early_ends;

/* Warps of all blocks are compared, and whether they, or those of a block, take one path. */
static bool of_launch, same_path;

/* By instruction: nothing writes what it loads, as is said. */
static const bool *unchanged;

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
  assert_ok(wb_barrier_agreement_find(wb_simt_analysis_graph(analysis), early_ends,
                                      of_launch ? WB_COMPARED_LAUNCH : WB_COMPARED_BLOCK, unchanged,
                                      &agreement, &error));
  same_path = agreement.same_path;
  const bool result = agreement.agreed;
  disagreement = agreement.disagreement;
  as_many = agreement.as_many;
  wb_simt_analysis_free(analysis);
  return result;
}

static void expect_both(bool expected, const char *lines)
{
  assert_int_equal(agreed_in(52, 0, lines), expected);
  assert_int_equal(agreed_in(87, 0, lines), expected);
}

/* A row of same_barriers.txt, which says what its words mean. */
static bool has_answer(char *const *words, size_t count, char *lines)
{
  const bool alike = strcmp(words[count - 1], "alike") == 0;
  const bool many = alike || strcmp(words[count - 1], "many") == 0;
  unsigned threads = 0;
  early_ends = WB_ENDS_ALIKE;
  for (size_t w = 1; w + 1 < count; w++) {
    if (strcmp(words[w], "early") == 0)
      early_ends = WB_ENDS_FIRST;
    if (strcmp(words[w], "anywhere") == 0)
      early_ends = WB_ENDS_ANYWHERE;
    if (strcmp(words[w], "threads") == 0)
      threads = (unsigned)strtoul(words[++w], NULL, 10);
  }
  bool holds = true;
  for (unsigned sm = 52; sm <= 87; sm += 35) {
    if (strcmp(words[0], sm == 52 ? "sm_87" : "sm_52") != 0)
      holds = agreed_in(sm, threads, lines) == alike && as_many == many && holds;
  }
  early_ends = WB_ENDS_ALIKE;
  return holds;
}

TEST(rows)
{
  rows_check("unit/flow/same_barriers.txt", 141, has_answer);
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

/* What a branch is about decides whose warps take one path: those of a block, or of the launch. */
TEST(one_path)
{
#define BRANCH "; ISETP.GE.AND P1, PT, R1, 0x1, PT; @P1 BRA skip; MOV R2, R3; skip:; NOP"
  static const struct {
    const char *lines;
    bool block, launch;
  } rows[] = {
      {"MOV R1, c[0x0][0x160]" BRANCH, true, true},
      {"S2R R1, SR_TID.X" BRANCH, false, false},
      {"S2R R1, SR_CTAID.X" BRANCH, true, false},
      {"S2R R0, SR_CTAID.Y; MOV R1, c[0x0][0x160]; @P0 MOV R1, R0" BRANCH, false, false},
      {"MOV R4, c[0x0][0x160]; MOV R5, R4; LDG.E.CONSTANT R1, [R4]" BRANCH, true, false},
      {"MOV R4, c[0x0][0x160]; MOV R5, R4; LDG.E R1, [R4]" BRANCH, false, false},
      {"LDS R1, [RZ]" BRANCH, true, false},
      {"BAR.RED.POPC 0x0, P0; B2R.RESULT R1" BRANCH, true, false},
      {"S2R R0, SR_NCTAID.X; MOV R1, c[0x0][0x0]; IMAD R1, R0, R1, RZ" BRANCH, true, true},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    of_launch = false;
    (void)agreed_in(87, 0, rows[r].lines);
    if (same_path != rows[r].block)
      fail_msg("of a block: %s", rows[r].lines);
    of_launch = true;
    (void)agreed_in(87, 0, rows[r].lines);
    if (same_path != rows[r].launch)
      fail_msg("of the launch: %s", rows[r].lines);
  }
  of_launch = false;
#undef BRANCH
}

/* Threads that load from one address get one value where nothing writes it: of these loads alone.
 */
TEST(test_unchanged_loads)
{
  static const char lines[] =
      "MOV R4, c[0x0][0x160]; MOV R5, RZ; LDG R2, [R4]; ISETP.GE.AND P0, PT, R2, 0x21, "
      "PT; @P0 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0";
  static const char of_thread[] = "S2R R4, SR_TID.X; LDG R2, [R4]; ISETP.GE.AND P0, PT, R2, 0x21, "
                                  "PT; @P0 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0";
  static const char shared[] =
      "MOV R4, c[0x0][0x160]; LDS R2, [R4]; STS [R4], R2; ISETP.GE.AND P0, "
      "PT, R2, 0x21, PT; @P0 BRA skip; BAR.SYNC 0x0; skip:; BAR.SYNC 0x0";
  static const bool loads[16] = {[2] = true}, others[16] = {[1] = true, [3] = true};
  expect_both(false, lines);
  unchanged = others;
  expect_both(false, lines);
  unchanged = loads;
  expect_both(true, lines);
  expect_both(false, of_thread);
  expect_both(false, shared);
  unchanged = NULL;
}
