/* The search for the longest run of groups, on programs whose longest run is known. */
#include "groups/simt_text.h"
#include "longest_run.h"
#include "unit.h"

#define SEEDS 3000

/* Searches a program with one loop from "H" to "T", or none where the bound is 0. */
static struct longest_run search(const char *lines, uint32_t lanes, uint64_t bound,
                                 const char *uniform)
{
  FREED_BY(wb_code_free) struct wb_code code;
  simt_text_make_barriers(simt_lines(lines), &code);
  struct longest_run_loop loop = {.bound = bound};
  const uint32_t at = uniform != NULL ? simt_text_label(simt_lines(lines), uniform) : 0;
  if (bound > 0) {
    loop.header = loop.first = simt_text_label(simt_lines(lines), "H");
    loop.last = simt_text_label(simt_lines(lines), "T");
  }
  struct longest_run search = {.code = &code,
                               .function = &code.functions[0],
                               .loops = &loop,
                               .loop_count = bound > 0,
                               .uniform = &at,
                               .uniform_count = uniform != NULL,
                               .lanes = lanes,
                               .seeds = SEEDS,
                               .step_limit = 2000};
  longest_run_search(&search);
  return search;
}

TEST(both_sides_of_a_branch)
{
  static const char lines[] = "BSSY B0 J; A: @P0 BRA E; MOV R1 R2; BSYNC B0; E: BSYNC B0; J: EXIT";
  const struct longest_run both = search(lines, 32, 0, NULL);
  assert_int_equal(both.longest, 6);
  assert_int_equal(both.ended, SEEDS);
  assert_int_equal(search(lines, 32, 0, "A").longest, 5);
  assert_int_equal(search(lines, 1, 0, NULL).longest, 5);
}

/* Who leaves waits: one header more than iterations, and a BSYNC for each time that some leave. */
TEST(loop_with_a_scope)
{
  const struct longest_run found =
      search("BSSY B0 J; H: SETP P0 R1; T: @P0 BRA H; BSYNC B0; J: EXIT", 32, 3, NULL);
  assert_int_equal(found.longest, 1 + 4 * 2 + 4 + 1);
  assert_int_equal(found.broken, 0);
}

/* Lanes that came apart in the body go round by themselves. */
TEST(loop_without_a_scope)
{
  assert_int_equal(
      search("H: SETP P0 R1; @P0 BRA B; MOV R1 R2; B: SETP P1 R1; T: @P1 BRA H; EXIT", 2, 2, NULL)
          .longest,
      2 + 3 + 2 + 2 * (5 + 5 + 1));
}

/* A loop whose end is called is still the loop; the two instructions of one guard agree. */
TEST(calls_and_breaks)
{
  assert_int_equal(
      search("MOV R20 &C; H: CALL.REL F; C: SETP P0 R1; T: @P0 BRA H; EXIT; F: RET.REL R20", 1, 4,
             NULL)
          .longest,
      1 + 5 * 4 + 1);
  assert_int_equal(
      search("BSSY B0 J; SETP P0 R1; @P0 BREAK B0; @P0 BRA O; BSYNC B0; J: MOV R1 R2; O: EXIT", 32,
             0, NULL)
          .longest,
      8);
  const struct longest_run some =
      search("BSSY B0 J; SETP P0 R1; @P0 BRA E; WARPSYNC.ALL; E: BSYNC B0; J: EXIT", 32, 0, NULL);
  assert_true(some.deadlocks > 0 && some.ended > 0);
  assert_int_equal(some.longest, 6);
}
