/* Bounds that small programs show, and those that they do not. */
#include "bounded_listing.h"
#include "unit.h"

#define UNKNOWN UINT64_MAX

/* Two parameters, block and grid of one dimension. */
static const struct wb_parameter_value parameters[] = {{NULL, 0, 100}, {NULL, 4, 7}};
static const struct wb_launch launch = {{256, 1, 1}, {12, 1, 1}, parameters, 2, NULL, 0};

/* The bounds of the loops in `lines`, outer ones first, are those given. */
static void expect_all(const struct wb_launch *known, const char *lines, const uint64_t *bounds,
                       size_t count)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(52, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], known, &bounded));
  assert_int_equal(bounded.forest.loop_count, count);
  for (size_t l = 0; l < count; l++) {
    const struct wb_found_bound *found = &bounded.found[l];
    assert_int_equal(found->found ? found->bound : UNKNOWN, bounds[l]);
    assert_true(found->found == (found->reason != NULL));
  }
}

static void expect(const struct wb_launch *known, uint64_t bound, const char *lines)
{
  expect_all(known, lines, &bound, 1);
}

/* R0 from 0, what the loop does with it, and a branch back where P0 is true. */
static void expect_upwards(uint64_t bound, const char *body)
{
  char lines[400];
  snprintf(lines, sizeof lines, "MOV R0, RZ; loop:; %s; @P0 BRA loop", body);
  expect(NULL, bound, lines);
}

/* A counter from `start`: step, test and branch back at the end. */
static void expect_counter(uint64_t bound, const char *start, const char *step, const char *test)
{
  char lines[200];
  snprintf(lines, sizeof lines, "%s; loop:; %s; %s; @P0 BRA loop", start, step, test);
  expect(NULL, bound, lines);
}

/* ---- what is found ---- */

TEST(counts_up_and_down)
{
  expect_counter(15, "MOV R0, RZ", "IADD32I R0, R0, 0x1", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_counter(16, "MOV R0, RZ", "IADD R0, R0, 0x1", "ISETP.LE.AND P0, PT, R0, 0x10, PT");
  expect_counter(5, "MOV R0, RZ", "IADD R0, R0, 0x3", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_counter(15, "MOV32I R0, 0x10", "IADD R0, R0, -0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  expect_counter(31, "MOV32I R0, 0x80", "IADD32I R0, R0, -0x4", "ISETP.GT.AND P0, PT, R0, RZ, PT");
  expect_counter(32, "MOV32I R0, 0x80", "IADD32I R0, R0, -0x4", "ISETP.GE.AND P0, PT, R0, RZ, PT");
  expect_counter(9, "MOV32I R0, 0xfffffff6", "IADD R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  expect_counter(9, "MOV32I R0, 0xfffffff6", "IADD R0, R0, 0x1", "ISETP.LT.AND P0, PT, R0, RZ, PT");
  /* The first test ends it. */
  expect_counter(0, "MOV32I R0, 0x20", "IADD R0, R0, 0x1", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
}

TEST(shifts)
{
  expect_counter(10, "MOV32I R0, 0x400", "SHR.U32 R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  expect_counter(5, "MOV32I R0, 0x400", "SHR R0, R0, 0x2", "ISETP.GT.AND P0, PT, R0, RZ, PT");
  expect_counter(11, "MOV32I R0, 0x1", "SHL R0, R0, 0x1", "ISETP.LT.AND P0, PT, R0, 0x1000, PT");
  expect_counter(11, "MOV32I R0, 0x1", "IADD R0, R0, R0", "ISETP.LT.AND P0, PT, R0, 0x1000, PT");
  expect_counter(31, "MOV32I R0, 0x1", "SHL R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  expect_counter(4, "MOV32I R0, 0x1", "ISCADD R0, R0, 0x1, 0x1",
                 "ISETP.LT.U32.AND P0, PT, R0, 0x20, PT");
  /* Whatever it starts at. */
  expect_counter(31, "LDG.E R0, [R2]", "SHR.U32 R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  /* A negative number never becomes 0. */
  expect_counter(UNKNOWN, "LDG.E R0, [R2]", "SHR R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
}

TEST(tests_in_other_places)
{
  /* At the start, and left by falling through. */
  expect(NULL, 16,
         "MOV R0, RZ; loop:; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 BRA end; IADD R0, R0, 0x1; BRA "
         "loop; end:");
  /* An EXIT, a SYNC and a BRK. */
  expect(
      NULL, 16,
      "MOV R0, RZ; loop:; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 EXIT; IADD R0, R0, 0x1; BRA loop");
  expect(NULL, 16,
         "MOV R0, RZ; SSY end; loop:; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 SYNC; IADD R0, R0, "
         "0x1; BRA loop; end:");
  expect(NULL, 16,
         "MOV R0, RZ; PBK end; loop:; ISETP.LT.AND P0, PT, R0, 0x10, PT; @!P0 BRK; IADD R0, R0, "
         "0x1; BRA loop; end:");
  /* Mirrored, and on the number before the step. */
  expect(NULL, 16,
         "MOV R0, RZ; MOV32I R1, 0x10; loop:; ISETP.GT.AND P0, PT, R1, R0, PT; IADD R0, R0, 0x1; "
         "@P0 BRA loop");
  /* Of two ends the nearer. */
  expect(NULL, 7,
         "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.EQ.AND P1, PT, R0, 0x8, PT; @P1 BRA end; "
         "ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop; end:");
}

TEST(predicates_in_chains)
{
  expect_upwards(15, "LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.NE.AND P1, PT, R4, RZ, PT; "
                     "ISETP.LT.AND P0, PT, R0, 0x10, P1");
  expect_upwards(15, "LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.LT.AND P1, PT, R0, 0x10, PT; "
                     "ISETP.NE.AND P0, PT, R4, RZ, P1");
  expect(NULL, 15,
         "MOV R0, RZ; loop:; LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.GE.AND P1, PT, R0, 0x10, PT; "
         "ISETP.EQ.OR P0, PT, R4, RZ, P1; @!P0 BRA loop");
  expect(NULL, 15,
         "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P1, PT, R0, 0x10, PT; PSETP.AND.AND "
         "P0, PT, !P1, PT, PT; @!P0 BRA loop");
  /* One of the two would do to go on. */
  expect_upwards(UNKNOWN, "LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.NE.AND P1, PT, R4, RZ, PT; "
                          "ISETP.LT.OR P0, PT, R0, 0x10, P1");
  expect(NULL, UNKNOWN,
         "MOV R0, RZ; loop:; LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.NE.AND P1, PT, R4, RZ, PT; "
         "ISETP.GE.AND P0, PT, R0, 0x10, P1; @!P0 BRA loop");
  /* The predicate is not that of the test any more. */
  expect_upwards(
      UNKNOWN,
      "IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; FSETP.GT.AND P0, PT, R5, R6, PT");
  expect_upwards(
      UNKNOWN,
      "IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P1 ISETP.NE.AND P0, PT, R5, R6, PT");
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; @P1 ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* It is that of one of two tests. */
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; @P1 BRA other; ISETP.LT.AND P0, PT, R0, 0x10, PT; BRA "
                          "join; other:; ISETP.LT.AND P0, PT, R0, c[0x0][0x140], PT; join:");
  expect_upwards(UNKNOWN,
                 "IADD R0, R0, 0x1; @P1 BRA other; ISETP.LT.AND P0, PT, R0, c[0x0][0x140], PT; BRA "
                 "join; other:; ISETP.LT.AND P0, PT, R0, 0x10, PT; join:");
}

TEST(updates)
{
  /* Unrolled: the sum of all, and by way of another register. */
  expect_upwards(7, "IADD R0, R0, 0x1; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_upwards(
      7, "IADD R5, R0, 0x1; MOV R6, R5; IADD R0, R6, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* One or two on the two sides: at least one. */
  expect_upwards(15, "ISETP.NE.AND P1, PT, R5, RZ, PT; IADD R0, R0, 0x1; @P1 BRA join; IADD R0, "
                     "R0, 0x1; join:; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_upwards(15, "IADD R0, R0, 0x1; @P1 IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* The same with an exact end, which may be jumped over. */
  expect_upwards(UNKNOWN,
                 "IADD R0, R0, 0x1; @P1 IADD R0, R0, 0x1; ISETP.NE.AND P0, PT, R0, 0x10, PT");
  expect_upwards(UNKNOWN,
                 "ISETP.NE.AND P0, PT, R0, 0x10, PT; IADD R0, R0, 0x1; @P1 IADD R0, R0, 0x1");
  /* Perhaps none. */
  expect_upwards(UNKNOWN, "@P1 IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_upwards(UNKNOWN,
                 "@P1 BRA join; IADD R0, R0, 0x1; join:; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* Up or down. */
  expect_upwards(UNKNOWN,
                 "IADD R0, R0, 0x1; @P1 IADD R0, R0, -0x2; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* Set anew. */
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; @P1 MOV R0, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT");
}

TEST(launches)
{
  static const char by_parameter[] = "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, "
                                     "R0, c[0x0][0x140], PT; @P0 BRA loop";
  static const char by_block[] = "S2R R0, SR_TID.X; loop:; IADD R0, R0, c[0x0][0x8]; ISETP.LT.AND "
                                 "P0, PT, R0, 0x400, PT; @P0 BRA loop";
  /* i = blockIdx.x * blockDim.x + threadIdx.x; i < 10000; i += gridDim.x * blockDim.x */
  static const char by_grid[] =
      "S2R R0, SR_CTAID.X; S2R R2, SR_TID.X; XMAD.MRG R3, R0.reuse, c[0x0] [0x8].H1, RZ; XMAD R2, "
      "R0.reuse, c[0x0] [0x8], R2; XMAD.PSL.CBCC R6, R0.H1, R3.H1, R2; MOV R3, c[0x0][0x8]; XMAD "
      "R0, R3.reuse, c[0x0] [0x14], RZ; XMAD.MRG R2, R3, c[0x0] [0x14].H1, RZ; XMAD.PSL.CBCC R0, "
      "R3.H1, R2.H1, R0; loop:; IADD R6, R0, R6; ISETP.GE.AND P0, PT, R6, 0x2710, PT; @!P0 BRA "
      "loop";
  static const char by_index[] = "MOV R4, 0x8; LDC.64 R4, c[0x0][R4+0x13c]; MOV R0, RZ; loop:; "
                                 "IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop";
  expect(NULL, UNKNOWN, by_parameter);
  expect(&launch, 99, by_parameter);
  expect(NULL, 1023, by_block);
  expect(&launch, 3, by_block);
  expect(NULL, UNKNOWN, by_grid);
  expect(&launch, 3, by_grid);
  expect(NULL, UNKNOWN, by_index);
  expect(&launch, 6, by_index);
}

TEST(ranges)
{
  /* Registers on which lanes do not agree: the worst of them. */
  expect(NULL, 1022,
         "S2R R7, SR_TID.X; MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.GE.U32.AND P0, PT, R0, R7, "
         "PT; @!P0 BRA loop");
  expect(NULL, 31,
         "S2R R0, SR_LANEID; IADD R0, R0, -0x1; loop:; IADD R0, R0, 0x1; ISETP.GE.AND P0, PT, R0, "
         "0x1f, PT; @!P0 BRA loop");
  expect(NULL, 2,
         "LDG.E R0, [R2]; LOP32I.AND R0, R0, 0x3; loop:; IADD R0, R0, -0x1; ISETP.GT.AND P0, PT, "
         "R0, RZ, PT; @P0 BRA loop");
  expect(NULL, 15,
         "LDG.E R4, [R2]; IMNMX R4, R4, 0x10, PT; MOV R0, RZ; loop:; IADD R0, R0, 0x1; "
         "ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop");
  /* From 7 to 10, and from 0 to 5. */
  expect(NULL, 8,
         "LDG.E R5, [R2]; LOP32I.AND R5, R5, 0x3; MOV32I R4, 0xa; IADD R0, R4, -R5; loop:; IADD "
         "R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop");
  expect(NULL, 15,
         "MOV32I R0, 0x5; @P1 MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, "
         "PT; @P0 BRA loop");
  /* Any start, but an unsigned one. */
  expect(NULL, 15,
         "LDG.E R0, [R2]; loop:; IADD R0, R0, 0x1; ISETP.LT.U32.AND P0, PT, R0, 0xf, PT; @P0 BRA "
         "loop");
  expect(
      NULL, UNKNOWN,
      "LDG.E R0, [R2]; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop");
}

/* The loop's bound comes from a register's width alone, or not. */
static void expect_width(bool by_width, uint64_t bound, const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(52, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_int_equal(bounded.forest.loop_count, 1);
  assert_true(bounded.found[0].found);
  assert_int_equal(bounded.found[0].by_width, by_width);
  assert_int_equal(bounded.found[0].bound, bound);
}

#define UP_TO_R4                                                                                   \
  "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop"

TEST(widths)
{
  expect_width(true, (1 << 27) - 2, "LDG.E R4, [R2]; SHR R4, R4, 0x4; " UP_TO_R4);
  expect_width(true, (1 << 28) - 2, "MOV R4, c[0x0][0x140]; SHR.U32 R4, R4, 0x4; " UP_TO_R4);
  expect_width(true, 0xffffe, "LDG.E R4, [R2]; LOP32I.AND R4, R4, 0xfffff; " UP_TO_R4);
  expect_width(true, 0xffffe, "LDG.E R4, [R2]; BFE.U32 R4, R4, 0x1400; " UP_TO_R4);
  /* Halves of which products are made. */
  expect_width(true, 65534, "LDG.E R4, [R2]; XMAD R4, R4, 0x1, RZ; " UP_TO_R4);
  /* What the code or every launch says. */
  expect_width(false, 0xfffe, "LDG.E R4, [R2]; LOP32I.AND R4, R4, 0xffff; " UP_TO_R4);
  expect_width(false, 9999999, "MOV32I R4, 0x989680; " UP_TO_R4);
  expect_width(false, 1023, "MOV R4, c[0x0][0x8]; " UP_TO_R4);
  expect_width(false, 99, "LDG.E R4, [R2]; SHR R4, R4, 0x4; IMNMX R4, R4, 0x64, PT; " UP_TO_R4);
  expect_width(
      false, 31,
      "LDG.E R0, [R2]; loop:; SHR.U32 R0, R0, 0x1; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA loop");
  /* From the start. */
  expect_width(true, (1 << 27) - 2,
               "LDG.E R0, [R2]; SHR R0, R0, 0x4; loop:; IADD R0, R0, -0x1; ISETP.GT.AND P0, PT, "
               "R0, RZ, PT; @P0 BRA loop");
  /* Any start, below a limit that the code says. */
  expect_width(false, (1 << 28) - 1,
               "LDG.E R0, [R2]; SHR.U32 R0, R0, 0x4; loop:; IADD R0, R0, 0x1; ISETP.LT.U32.AND P0, "
               "PT, R0, 0x10000000, PT; @P0 BRA loop");
  /* Of two ends the one that says something, though it is the greater. */
  expect_width(
      false, 0x7fffff,
      "LDG.E R4, [R2]; SHR.U32 R4, R4, 0xc; MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.EQ.AND P1, "
      "PT, R0, 0x800000, PT; @P1 BRA end; ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop; end:");
  /* Round all numbers. */
  expect_width(
      true, (1 << 30) - 1,
      "MOV R0, RZ; loop:; IADD R0, R0, -0x4; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA loop");
}

TEST(quotients)
{
  /* c[0x0][0x140] is 100: / 16 and / 8 of signed numbers, by LEA.HI, and a remainder of 8. */
  static const struct wb_parameter_value negative[] = {{NULL, 0, (uint32_t)-100}};
  static const struct wb_launch less = {{256, 1, 1}, {12, 1, 1}, negative, 1, NULL, 0};
  static const char quotient[] = "MOV R4, c[0x0][0x140]; SHR R4, R4, 0x1f; LEA.HI R4, R4, "
                                 "c[0x0][0x140], RZ, 0x4; SHR R4, R4, 0x4; " UP_TO_R4;
  static const char remainder[] =
      "MOV R5, c[0x0][0x140]; SHR R4, R5, 0x1f; LEA.HI R4, R4, R5, RZ, 0x3; LOP32I.AND R4, R4, "
      "0xfffffff8; IADD R4, -R4, c[0x0][0x140]; " UP_TO_R4;
  static const char funnel[] = "MOV R5, c[0x0][0x140]; SHF.R.U64 R4, R5, 0x3, RZ; " UP_TO_R4;
  expect(&launch, 5, quotient);
  expect(&less, 0, quotient);
  expect(&launch, 3, remainder);
  expect(&launch, 11, funnel);
  expect(&launch, 24,
         "MOV R5, c[0x0][0x140]; LEA R4, R5, RZ, 0x4; SHF.L.U64 R4, R4, 0x1a, RZ; " UP_TO_R4);
}

TEST(wide_counters)
{
#define WIDE(START, LOW, HIGH, TEST, COMPARE)                                                      \
  START "; MOV R1, RZ; loop:; " LOW "; " HIGH "; " TEST "; " COMPARE "; @P0 BRA loop"
  /* A carry into the upper word. */
  expect(NULL, 19,
         WIDE("MOV32I R0, 0xfffffff6", "IADD32I R0.CC, R0, 0x1", "IADD.X R1, RZ, R1",
              "IADD32I RZ.CC, R0, -0xa", "ISETP.LT.X.AND P0, PT, R1, 0x1, PT"));
  expect(NULL, 19,
         WIDE("MOV32I R0, 0xfffffff6", "IADD32I R0.CC, R0, 0x1", "IADD.X R1, RZ, R1",
              "IADD32I RZ.CC, R0, -0xa", "ISETP.NE.X.AND P0, PT, R1, 0x1, PT"));
  /* Down, and mirrored. */
  expect(NULL, 33,
         WIDE("MOV32I R0, 0x64", "IADD32I R0.CC, R0, -0x3", "IADD32I.X R1, R1, -0x1",
              "IADD RZ.CC, R0, -RZ", "ISETP.GT.X.AND P0, PT, R1, RZ, PT"));
  expect(&launch, 99,
         WIDE("MOV R0, RZ", "IADD32I R0.CC, R0, 0x1", "IADD.X R1, R1, RZ",
              "IADD RZ.CC, -R0, c[0x0][0x140]", "ISETP.GT.X.AND P0, PT, RZ, R1, PT"));
  /* Moved, as code that is not optimised does. */
  expect(
      &launch, 99,
      "MOV R0, RZ; MOV R1, RZ; loop:; IADD32I R5.CC, R0, 0x1; IADD.X R6, R1, RZ; IADD RZ.CC, R5, "
      "-c[0x0][0x140]; ISETP.LT.X.AND P0, PT, R6, RZ, PT; MOV R0, R5; MOV R1, R6; @P0 BRA loop");
  /* The upper words are not those of the lower ones; a carry is lost, or another's. */
  expect(&launch, UNKNOWN,
         WIDE("MOV R0, RZ", "IADD32I R0.CC, R0, 0x1", "IADD.X R1, RZ, R1",
              "IADD RZ.CC, R0, -c[0x0][0x140]", "ISETP.LT.X.AND P0, PT, R5, RZ, PT"));
  expect(&launch, UNKNOWN,
         WIDE("MOV R0, RZ", "IADD32I R0.CC, R0, 0x1", "IADD R1, RZ, R1",
              "IADD RZ.CC, R0, -c[0x0][0x140]", "ISETP.NE.X.AND P0, PT, R1, 0x1, PT"));
  expect(
      &launch, UNKNOWN,
      "MOV R0, RZ; MOV R1, RZ; loop:; IADD32I R0.CC, R0, 0x1; IADD32I R7.CC, R7, 0x1; IADD.X R1, "
      "RZ, R1; IADD RZ.CC, R0, -c[0x0][0x140]; ISETP.LT.X.AND P0, PT, R1, RZ, PT; @P0 BRA loop");
  expect(&launch, UNKNOWN,
         "MOV R0, RZ; MOV R1, RZ; loop:; IADD32I R0.CC, R0, 0x1; IADD.X R1, RZ, R1; LDG.E R1, "
         "[R2]; IADD RZ.CC, R0, -c[0x0][0x140]; ISETP.LT.X.AND P0, PT, R1, RZ, PT; @P0 BRA loop");
  expect(&launch, UNKNOWN,
         "MOV R0, RZ; MOV R1, RZ; loop:; IADD32I R0.CC, R0, 0x1; IADD.X R1, RZ, R1; @P1 IADD "
         "RZ.CC, R0, -c[0x0][0x140]; ISETP.LT.X.AND P0, PT, R1, RZ, PT; @P0 BRA loop");
  /* Nothing added carries nothing: that compares with 2^32, not with 0. */
  expect(NULL, 0,
         WIDE("MOV32I R0, 0x64", "IADD32I R0.CC, R0, -0x1", "IADD32I.X R1, R1, -0x1",
              "IADD32I RZ.CC, R0, 0x0", "ISETP.GT.X.AND P0, PT, R1, RZ, PT"));
  expect(NULL, UNKNOWN,
         WIDE("LDG.E R0, [R2]", "IADD32I R0.CC, R0, -0x1", "IADD32I.X R1, R1, -0x1",
              "IADD32I RZ.CC, R0, 0x0", "ISETP.GT.X.AND P0, PT, R1, RZ, PT"));
#undef WIDE
}

TEST(guards)
{
  static const uint64_t chain[] = {5, 0, 0};
  expect(NULL, 2,
         "LDG.E R0, [R2]; LOP32I.AND R0, R0, 0x3; ISETP.EQ.AND P1, PT, R0, RZ, PT; @P1 BRA end; "
         "loop:; IADD R0, R0, -0x1; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA loop; end:");
  /* Not narrowed: the register was written, the guard is not that of the test. */
  expect(NULL, UNKNOWN,
         "LDG.E R0, [R2]; LOP32I.AND R0, R0, 0x3; ISETP.EQ.AND P1, PT, R0, RZ, PT; LOP32I.AND R0, "
         "R0, 0x3; @P1 BRA end; loop:; IADD R0, R0, -0x1; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA "
         "loop; end:");
  expect(NULL, 999, "LDG.E R4, [R2]; ISETP.GT.AND P1, PT, R4, 0x3e8, PT; @P1 EXIT; " UP_TO_R4);
  /* A stride: 4, 8, .. 60, down by 4. */
  expect(NULL, 14,
         "LDG.E R0, [R2]; LOP32I.AND R0, R0, 0x3c; ISETP.NE.AND P1, PT, R0, RZ, PT; @!P1 EXIT; "
         "loop:; IADD R0, R0, -0x4; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA loop");
  expect(NULL, UNKNOWN,
         "LDG.E R0, [R2]; LOP32I.AND R0, R0, 0x3e; ISETP.NE.AND P1, PT, R0, RZ, PT; @!P1 EXIT; "
         "loop:; IADD R0, R0, -0x4; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA loop");
  /* By 16 from 100 to 4, which by 8 is not entered, and by 4 left at once. */
  expect_all(&launch,
             "MOV R0, c[0x0][0x140]; first:; IADD R0, R0, -0x10; ISETP.GT.AND P0, PT, R0, 0xc, PT; "
             "@P0 BRA first; ISETP.GT.AND P0, PT, R0, 0x4, PT; @!P0 BRA third; second:; IADD R0, "
             "R0, -0x8; LDG.E R5, [R2]; ISETP.NE.AND P0, PT, R5, RZ, PT; @P0 BRA second; third:; "
             "IADD R0, R0, -0x4; ISETP.NE.AND P0, PT, R0, RZ, PT; @P0 BRA third",
             chain, 3);
}

TEST(hints)
{
  struct wb_code code;
  struct bounded_function bounded;
  listing_of(52,
             "S2R R0, SR_CTAID.X; loop:; IADD R0, R0, c[0x0][0x8]; ISETP.LT.AND P0, PT, R0, "
             "c[0x0][0x148], PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_false(bounded.found[0].found);
  assert_string_equal(bounded.found[0].hint,
                      "R0's limit comes from c[0x0][0x148], its start from the grid's size and its "
                      "step from the block's size (comparison at 0x0018): --param 0x8=N, --grid "
                      "X,Y,Z and --block X,Y,Z may bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
  listing_of(52,
             "MOV R0, RZ; loop:; LDG.E R4, [R2]; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R4, "
             "PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_string_equal(bounded.found[0].hint,
                      "R0's limit comes from what LDG.E at 0x0010 writes (comparison at 0x0028): "
                      "--assume-load 0x0010=0..N may bound it");
  bounded_free(&bounded);
  wb_code_free(&code);
}

TEST(nests)
{
  static const uint64_t triangle[] = {15, 14};
  static const uint64_t halves[] = {7, 7};
  static const uint64_t clobbered[] = {UNKNOWN, 9};
  static const uint64_t distance[] = {UNKNOWN, 63};
  static const uint64_t spoilt[] = {UNKNOWN, UNKNOWN};
  expect_all(
      NULL,
      "MOV R0, RZ; outer:; MOV R5, RZ; inner:; IADD R5, R5, 0x1; ISETP.LT.AND P1, PT, R5, R0, PT; "
      "@P1 BRA inner; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA outer",
      triangle, 2);
  expect_all(NULL,
             "MOV32I R4, 0x2; outer:; SHR.U32 R0, R4, 0x1; inner:; SHR.U32 R0, R0, 0x1; "
             "ISETP.NE.AND P1, PT, R0, RZ, PT; @P1 BRA inner; IADD R4, R4, R4; ISETP.GE.U32.AND "
             "P0, PT, R4, 0x101, PT; @!P0 BRA outer",
             halves, 2);
  /* A distance, not the numbers, is known. */
  expect_all(
      NULL,
      "outer:; MOV R0, R9; IADD32I R4, R9, 0x40; inner:; IADD R0, R0, 0x1; ISETP.NE.AND P1, PT, "
      "R0, R4, PT; @P1 BRA inner; LDG.E R9, [R2]; ISETP.NE.AND P0, PT, R9, RZ, PT; @P0 BRA outer",
      distance, 2);
  /* The inner loop writes the outer one's predicate, in all of its iterations but the last. */
  expect_all(NULL,
             "MOV R0, RZ; outer:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; inner:; "
             "LDG.E R5, [R2]; ISETP.NE.AND P1, PT, R5, RZ, PT; @P1 BRA done; ISETP.NE.AND P0, PT, "
             "R5, R6, PT; BRA inner; done:; @P0 BRA outer",
             spoilt, 2);
  /* The inner loop changes the outer one's counter. */
  expect_all(NULL,
             "MOV R0, RZ; outer:; MOV R5, RZ; inner:; IADD R5, R5, 0x1; IADD R0, R0, -0x1; "
             "ISETP.LT.AND P1, PT, R5, 0xa, PT; @P1 BRA inner; IADD R0, R0, 0x1; ISETP.LT.AND P0, "
             "PT, R0, 0x10, PT; @P0 BRA outer",
             clobbered, 2);
}

TEST(calls)
{
  /* The subroutine has its own counter, or spoils that of its caller. */
  expect(NULL, 9,
         "MOV R0, RZ; loop:; CAL sub; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0xa, PT; @P0 BRA "
         "loop; EXIT; sub:; IADD R5, R5, 0x1; RET");
  expect(NULL, UNKNOWN,
         "MOV R0, RZ; loop:; CAL sub; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0xa, PT; @P0 BRA "
         "loop; EXIT; sub:; LDG.E R0, [R2]; RET");
  expect_upwards(UNKNOWN, "JCAL 0x1000; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0xa, PT");
}

/* ---- what is not ---- */

TEST(wraps_round)
{
  /* The step jumps over the limit. */
  expect_counter(UNKNOWN, "MOV R0, RZ", "IADD R0, R0, 0x3", "ISETP.NE.AND P0, PT, R0, 0x10, PT");
  /* The counter jumps over the end of the numbers. */
  expect_counter(UNKNOWN, "MOV R0, RZ", "IADD R0, R0, 0x3",
                 "ISETP.LT.AND P0, PT, R0, 0x7fffffff, PT");
  expect_counter(UNKNOWN, "MOV R0, RZ", "IADD R0, R0, 0x1",
                 "ISETP.LE.AND P0, PT, R0, 0x7fffffff, PT");
  expect_counter(UNKNOWN, "MOV32I R0, 0x10", "IADD R0, R0, -0x1",
                 "ISETP.GE.U32.AND P0, PT, R0, RZ, PT");
  expect_counter(UNKNOWN, "MOV32I R0, 0xf", "IADD R0, R0, -0x4",
                 "ISETP.GT.U32.AND P0, PT, R0, 0x1, PT");
  /* What is tested is up to 15 above the counter. */
  expect(NULL, UNKNOWN,
         "MOV32I R0, 0x7fffffe0; loop:; IADD R0, R0, 0x1; LDG.E R4, [R2]; LOP32I.AND R4, R4, 0xf; "
         "IADD R4, R0, R4; ISETP.LT.AND P0, PT, R4, 0x7ffffff8, PT; @P0 BRA loop");
  expect(NULL, 23,
         "MOV32I R0, 0x7fffffe0; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x7ffffff8, PT; "
         "@P0 BRA loop");
  /* The wrong way. */
  expect_counter(UNKNOWN, "MOV R0, RZ", "IADD R0, R0, -0x1", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_counter(UNKNOWN, "MOV R0, RZ", "IADD R0, R0, RZ", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* Signed numbers start below, unsigned ones above the limit. */
  expect_counter(25, "MOV32I R0, 0xfffffff6", "IADD R0, R0, 0x1",
                 "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_counter(0, "MOV32I R0, 0xfffffff0", "IADD R0, R0, 0x1",
                 "ISETP.LT.U32.AND P0, PT, R0, 0x10, PT");
}

TEST(limit_changes)
{
  expect(NULL, UNKNOWN,
         "MOV R0, RZ; MOV32I R4, 0x10; loop:; IADD R0, R0, 0x1; IADD R4, R4, 0x1; ISETP.LT.AND P0, "
         "PT, R0, R4, PT; @P0 BRA loop");
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; LDG.E R4, [R2]; ISETP.LT.AND P0, PT, R0, R4, PT");
  /* One of sixteen numbers each time: an order ends, an equality need not. */
  expect_upwards(15, "IADD R0, R0, 0x1; LDG.E R4, [R2]; LOP32I.AND R4, R4, 0xf; IADD R4, R4, 0x1; "
                     "ISETP.LT.AND P0, PT, R0, R4, PT");
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; LDG.E R4, [R2]; LOP32I.AND R4, R4, 0xf; IADD R4, R4, "
                          "0x1; ISETP.NE.AND P0, PT, R0, R4, PT");
}

TEST(wide_registers)
{
  /* R0 is the upper half of what a load or a product of 64 bits writes. */
  expect(NULL, UNKNOWN,
         "MOV R5, RZ; loop:; IADD R5, R5, 0x1; LDG.E.64 R4, [R2]; ISETP.LT.AND P0, PT, R5, 0x10, "
         "PT; @P0 BRA loop");
  expect(NULL, UNKNOWN,
         "MOV R7, RZ; loop:; IADD R7, R7, 0x1; LDG.E.128 R4, [R2]; ISETP.LT.AND P0, PT, R7, 0x10, "
         "PT; @P0 BRA loop");
  expect(NULL, UNKNOWN,
         "MOV R5, RZ; loop:; IADD R5, R5, 0x1; DADD R4, R4, R8; ISETP.LT.AND P0, PT, R5, 0x10, PT; "
         "@P0 BRA loop");
  /* A comparison of 64 bits says nothing of its upper half alone. */
  expect(
      NULL, UNKNOWN,
      "MOV R0, RZ; MOV R1, RZ; loop:; IADD R0.CC, R0, 0x1; IADD.X R1, R1, RZ; ISETP.LT.U32.AND P0, "
      "PT, R0, c[0x0][0x140], PT; ISETP.LT.X.AND P0, PT, R1, c[0x0][0x144], PT; @P0 BRA loop");
  /* A load that is not wide leaves it alone. */
  expect(NULL, 15,
         "MOV R5, RZ; loop:; IADD R5, R5, 0x1; LDG.E R4, [R2]; ISETP.LT.AND P0, PT, R5, 0x10, PT; "
         "@P0 BRA loop");
}

TEST(not_understood)
{
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; FROBNICATE R9; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_upwards(UNKNOWN, "IADD.SAT R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect(NULL, UNKNOWN, "loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop");
  /* The test is not done each time. */
  expect_upwards(UNKNOWN, "IADD R0, R0, 0x1; @P1 BRA loop; ISETP.LT.AND P0, PT, R0, 0x10, PT");
  /* A condition code besides. */
  expect(NULL, UNKNOWN,
         "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 BRA CC.NEU, "
         "end; BRA loop; end:");
  expect(NULL, 15,
         "MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA CC.NEU, "
         "loop");
}

TEST(two_entries)
{
  static const uint64_t unknown[] = {UNKNOWN, UNKNOWN};
  /* A loop of two entries counts R5 to where nobody knows; it is a loop's limit. */
  expect_all(NULL,
             "MOV32I R5, 0x4; @P1 BRA second; first:; IADD R5, R5, 0x1; second:; LDG.E R6, [R2]; "
             "ISETP.NE.AND P2, PT, R6, RZ, PT; @P2 BRA first; MOV R0, RZ; loop:; IADD R0, R0, 0x1; "
             "ISETP.LT.AND P0, PT, R0, R5, PT; @P0 BRA loop",
             unknown, 2);
  expect(NULL, UNKNOWN,
         "MOV R0, RZ; ISETP.NE.AND P1, PT, R4, RZ, PT; @P1 BRA second; first:; IADD R0, R0, 0x1; "
         "second:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA first");
}

TEST(says_why)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(52,
             "MOV R0, RZ; loop:; IADD R0, R0, 0x3; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop",
             &code);
  assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
  assert_string_equal(bounded.found[0].reason,
                      "R0 starts at 0, grows by 3 and the loop ends at R0 + 3 >= 16 (compared at "
                      "0x0018, left at 0x0028): at most 5 back edges");
}

/* A bound that rests on the width of a register alone is of use where it is small. */
TEST(small_widths)
{
  static const char *const shifts[] = {"SHR.U32 R1, R1, 0x15", "SHR.U32 R1, R1, 0x16"};
  for (size_t i = 0; i < 2; i++) {
    FREED_BY(wb_code_free) struct wb_code code;
    FREED_BY(bounded_free) struct bounded_function bounded;
    char lines[200];
    snprintf(
        lines, sizeof lines,
        "LDG.E R1, [R2]; %s; MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R1, "
        "PT; @P0 BRA loop",
        shifts[i]);
    listing_of(52, lines, &code);
    assert_true(bounded_make(&code, &code.functions[0], NULL, &bounded));
    assert_int_equal(bounded.found[0].bound, i == 0 ? 2046 : 1022);
    assert_int_equal(bounded.found[0].by_width, i == 0);
  }
}
