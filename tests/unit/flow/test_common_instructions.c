/* Which instructions lie on every path of a thread, of small programs in the forms of sm_52 and
 * sm_87. Left out: that a warp leaves the lines of these in the caches of its SM, which
 * cross launch_cold searches. */
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/simt_analysis.h"
#include "flow/paths/common_instructions.h"
#include "unit.h"

#define DIFFER "S2R R0, SR_TID.X; ISETP.GE.AND P0, PT, R0, 0x21, PT; "

/* expected: of each instruction, the EXIT at the end included, 1 where every thread comes to it. */
static void expect_of(unsigned sm, const char *lines, const char *expected)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {.block = {0}};
  struct wb_simt_analysis *analysis = NULL;
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error = {.message = ""};
  bool common[16] = {false};
  char found[17] = "";
  listing_of(sm, lines, &code);
  if (wb_simt_analyse(&code, &code.functions[0], &options, &control, &analysis, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_in_range(code.functions[0].instruction_count, strlen(expected), 16);
  assert_ok(wb_common_instructions_find(wb_simt_analysis_graph(analysis), common, &error));
  for (size_t i = 0; i < strlen(expected); i++)
    found[i] = common[i] ? '1' : '0';
  assert_string_equal(found, expected);
  wb_simt_analysis_free(analysis);
}

static void expect(const char *lines, const char *expected)
{
  expect_of(52, lines, expected);
  expect_of(87, lines, expected);
}

TEST(test_straight_code)
{
  expect("NOP; MOV R1, RZ", "111");
}

/* A guard on an instruction that changes no path leaves it on the path. */
TEST(test_guards)
{
  expect(DIFFER "@P0 MOV R1, RZ; NOP", "11111");
}

TEST(test_branches)
{
  expect(DIFFER "@P0 BRA skip; MOV R1, RZ; skip:; NOP", "111011");
  expect(DIFFER "@P0 BRA other; MOV R1, RZ; BRA both; other:; MOV R2, RZ; both:; NOP", "11100011");
}

/* What follows an early end is not on the path of a thread that ends there. */
TEST(test_early_ends)
{
  expect(DIFFER "@P0 EXIT; MOV R1, RZ", "11100");
}

/* Bodies of loops that are tested at their end run at least once; what a test jumps over need not.
 */
TEST(test_loops)
{
  expect("MOV R0, RZ; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, c[0x0][0x140], PT; @P0 BRA "
         "loop; NOP",
         "111111");
  expect(DIFFER "@P0 BRA out; loop:; IADD R0, R0, 0x1; ISETP.LT.AND P0, PT, R0, 0x40, PT; @P0 BRA "
                "loop; out:; NOP",
         "11100011");
}
