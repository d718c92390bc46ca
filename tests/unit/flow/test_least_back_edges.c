/* Back edges that small programs show every thread to take, and those that they do not. */
#include "bounded_listing.h"
#include "unit.h"

#define UNKNOWN UINT64_MAX

/* Block and grid of one dimension. */
static const struct wb_launch launch = {{256, 1, 1}, {12, 1, 1}, NULL, 0, NULL, 0};

/* Of the only loop: at least, and at most. */
static void expect_least(const struct wb_launch *known, uint64_t least, uint64_t bound,
                         const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(52, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], known, &bounded));
  assert_int_equal(bounded.forest.loop_count, 1);
  assert_int_equal(bounded.found[0].found ? bounded.found[0].bound : UNKNOWN, bound);
  assert_int_equal(bounded.found[0].least, least);
}

static void expect_exact(uint64_t count, const char *start, const char *step, const char *test)
{
  char lines[200];
  snprintf(lines, sizeof lines, "%s; loop:; %s; %s; @P0 BRA loop", start, step, test);
  expect_least(NULL, count, count, lines);
}

TEST(exact_counts)
{
  expect_exact(15, "MOV R0, RZ", "IADD32I R0, R0, 0x1", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_exact(16, "MOV R0, RZ", "IADD R0, R0, 0x1", "ISETP.LE.AND P0, PT, R0, 0x10, PT");
  expect_exact(5, "MOV R0, RZ", "IADD R0, R0, 0x3", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_exact(15, "MOV32I R0, 0x10", "IADD R0, R0, -0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  expect_exact(32, "MOV32I R0, 0x80", "IADD32I R0, R0, -0x4", "ISETP.GE.AND P0, PT, R0, RZ, PT");
  expect_exact(9, "MOV32I R0, 0xfffffff6", "IADD R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  expect_exact(0, "MOV32I R0, 0x20", "IADD R0, R0, 0x1", "ISETP.LT.AND P0, PT, R0, 0x10, PT");
  expect_exact(10, "MOV32I R0, 0x400", "SHR.U32 R0, R0, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT");
  /* Left at the start, by a branch, an EXIT, a SYNC or a BRK. */
  expect_least(
      NULL, 16, 16,
      "MOV R0, RZ; loop:; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 EXIT; IADD R0, R0, 0x1; BRA loop");
  expect_least(NULL, 16, 16,
               "MOV R0, RZ; SSY end; loop:; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 SYNC; IADD R0, "
               "R0, 0x1; BRA loop; end:");
  expect_least(NULL, 16, 16,
               "MOV R0, RZ; PBK end; loop:; ISETP.LT.AND P0, PT, R0, 0x10, PT; @!P0 BRK; IADD R0, "
               "R0, 0x1; BRA loop; end:");
}

TEST(least_of_ranges)
{
  /* A start from 0 to 255, a step of 1 or 2, a limit from 16 to 31. */
  expect_least(&launch, 44, 299,
               "S2R R0, SR_TID.X; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x12c, PT; @P0 "
               "BRA loop");
  expect_least(NULL, 7, 15,
               "MOV R0, RZ; loop:; IADD R0, R0, 0x1; @P1 IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, "
               "R0, 0x10, PT; @P0 BRA loop");
  expect_least(NULL, 15, 30,
               "LDG.E R1, [R2]; LOP32I.AND R1, R1, 0xf; IADD R1, R1, 0x10; MOV R0, RZ; loop:; IADD "
               "R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, R1, PT; @P0 BRA loop");
  /* The update may be skipped: the least number is that of updates in every iteration. */
  expect_least(
      NULL, 15, UNKNOWN,
      "MOV R0, RZ; loop:; @P1 IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop");
  /* A limit that is never below 16, and not bounded above. */
  expect_least(NULL, 15, UNKNOWN,
               "LDG.E R1, [R2]; IMNMX R1, R1, 0x10, !PT; MOV R0, RZ; loop:; IADD R0, R0, 0x1; "
               "ISETP.LT.AND P0, PT, R0, R1, PT; @P0 BRA loop");
}

TEST(no_least)
{
  /* Another way out: a break, an EXIT, a call that need not come back, a vote. */
  expect_least(NULL, 0, 15,
               "MOV R0, RZ; loop:; LDG.E R4, [R2]; ISETP.EQ.AND P1, PT, R4, RZ, PT; @P1 BRA end; "
               "IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop; end:");
  expect_least(NULL, 0, 15,
               "MOV R0, RZ; loop:; LDG.E R4, [R2]; ISETP.EQ.AND P1, PT, R4, RZ, PT; @P1 EXIT; IADD "
               "R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop");
  expect_least(NULL, 0, 15,
               "MOV R0, RZ; loop:; IADD R0, R0, 0x1; LDG.E R4, [R2]; ISETP.NE.AND P1, PT, R4, RZ, "
               "PT; ISETP.LT.AND P0, PT, R0, 0x10, P1; @P0 BRA loop");
  /* The counter may wrap round, or its start is not known. */
  expect_least(NULL, 0, 15,
               "LDG.E R0, [R2]; LOP32I.AND R0, R0, 0xf; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, "
               "PT, R0, 0x10, PT; @P0 BRA loop");
}
