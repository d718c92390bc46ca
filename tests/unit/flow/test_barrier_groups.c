/* Which barriers with a count of threads are those of the block, and which make groups of its
 * warps, of small programs in the forms of sm_52 and sm_87: the rows of barrier_groups.txt. That
 * none waits for ever: cross barrier_groups, on random programs. */
#include "analysis/paths/paths.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "flow/barriers/barrier_arrivals.h"
#include "flow/barriers/barrier_groups.h"
#include "flow/barriers/counted_barriers.h"
#include "rows.h"
#include "unit.h"

#include <stdlib.h>

/* What the code shows: "block" where barriers with a count are all those of the block, "groups",
 * "arrivals", or "not". */
static const char *answer_in(unsigned sm, const struct wb_launch *launch, const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  warpbound_error error;
  bool some, shown, reads_only;
  listing_of(sm, lines, &code);
  struct wb_function *function = &code.functions[0];
  assert_true(bounded_make_of_block(&code, function, launch, &bounded));
  assert_ok(wb_counted_barriers_mark(bounded.graph, &bounded.forest, launch, function->instructions,
                                     &some, &error));
  if (!wb_function_counts_barriers(function))
    return some ? "block" : "none";
  const struct wb_group_question question = {
      .graph = bounded.graph, .forest = &bounded.forest, .launch = launch};
  assert_ok(wb_barrier_groups_find(&question, function->instructions, &shown, &reads_only, &error));
  assert_int_equal(wb_function_counts_barriers(function), !shown);
  if (shown)
    return "groups";
  assert_ok(wb_barrier_arrivals_find(&question, function->instructions, &shown, &error));
  assert_int_equal(wb_function_counts_barriers(function), !shown);
  return shown ? "arrivals" : "not";
}

/* A row of barrier_groups.txt, which says what its words mean. */
static bool has_answer(char *const *words, size_t count, char *lines)
{
  static const struct wb_parameter_value values[] = {{.offset = 0, .value = 5}};
  struct wb_launch launch = {
      .block = {128, 1, 1}, .grid = {4, 1, 1}, .parameters = values, .parameter_count = 1};
  bool holds = true;
  for (size_t w = 1; w + 1 < count; w++) {
    char *at = words[w];
    for (int axis = 0; axis < 3; axis++, at += *at == 'x')
      launch.block[axis] = *at != '\0' ? (uint32_t)strtoul(at, &at, 10) : 1;
  }
  for (unsigned sm = 52; sm <= 87; sm += 35) {
    if (strcmp(words[0], sm == 52 ? "sm_87" : "sm_52") == 0)
      continue;
    const char *answer = answer_in(sm, &launch, lines);
    if (strcmp(answer, words[count - 1]) != 0)
      print_message("sm_%u: %s\n", sm, answer);
    holds = strcmp(answer, words[count - 1]) == 0 && holds;
  }
  return holds;
}

static void find_paths(unsigned sm, const char *lines, warpbound_barriers known,
                       struct wb_code *code, struct wb_paths *paths)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_launch launch = {.block = {128, 1, 1}, .grid = {4, 1, 1}};
  const struct wb_wcet_options options = {.launch = &launch,
                                          .simt = {.block = {128, 1, 1}},
                                          .default_bound = UINT64_MAX,
                                          .barriers = known,
                                          .counts_barriers = true};
  warpbound_error error;
  listing_of(sm, lines, code);
  assert_ok(wb_paths_analyse(code, &code->functions[0], &options, &control, paths, &error));
}

/* Whether barriers of the code may wait for ever, as far as it shows. */
static bool doubts(unsigned sm, const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_paths_free) struct wb_paths paths;
  find_paths(sm, lines, WARPBOUND_BARRIERS_SHOWN, &code, &paths);
  return wb_path_system_doubts_barriers(&paths.system);
}

/* Whether warps may end before barriers of others where somebody says that all pass the same. */
static bool said_to_end(unsigned sm, const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_paths_free) struct wb_paths paths;
  find_paths(sm, lines, WARPBOUND_BARRIERS_SAME, &code, &paths);
  assert_true(paths.told);
  return paths.system.early_ends > 0;
}

/* A barrier does not wait for warps that have ended, but where it names a count. */
TEST(ends_before_barriers)
{
#define MAY_END "LDG.E R1, [R2]; ISETP.LT.AND P0, PT, R1, 0x9, PT; @P0 EXIT; "
  for (unsigned sm = 52; sm <= 87; sm += 35) {
    assert_false(doubts(sm, MAY_END "BAR.SYNC 0x1"));
    assert_true(doubts(sm, MAY_END "BAR.SYNC 0x1, 0x80"));
    assert_true(doubts(sm, "BAR.SYNC 0x1, 0x80; " MAY_END "BAR.SYNC 0x1"));
    assert_false(doubts(sm, "BAR.SYNC 0x1, 0x80; BAR.SYNC 0x1; LDG.E R1, [R2]"));
  }
  /* A person's word that all pass the same ones has room for ends where barriers do not wait. */
#define MAY_SKIP MAY_END "ISETP.LT.AND P0, PT, R1, 0x7, PT; @P0 BRA over; "
  assert_true(said_to_end(87, MAY_SKIP "BAR.SYNC 0x1; over:; NOP"));
  assert_false(said_to_end(87, MAY_SKIP "BAR.SYNC 0x1, 0x80; over:; NOP"));
#undef MAY_SKIP
#undef MAY_END
}

/* Two ways with as many barriers of one number, of which one names a count. */
TEST(counts_on_two_ways)
{
#define TWO_WAYS(first, second)                                                                    \
  "S2R R0, SR_TID.X; ISETP.LT.AND P0, PT, R0, 0x40, PT; @P0 BRA low; " first                       \
  "; BRA end; low:; " second "; end:; NOP"
  assert_false(doubts(87, TWO_WAYS("BAR.SYNC 0x1, 0x80", "BAR.SYNC 0x1, 0x80")));
  assert_false(doubts(87, TWO_WAYS("BAR.SYNC 0x1", "BAR.SYNC 0x1")));
  assert_true(doubts(87, TWO_WAYS("BAR.SYNC 0x1", "BAR.SYNC 0x1, 0x80")));
  assert_true(doubts(87, TWO_WAYS("BAR.SYNC 0x1, 0x80", "BAR.SYNC 0x2, 0x80")));
#undef TWO_WAYS
}

TEST(rows)
{
  rows_check("unit/flow/barrier_groups.txt", 67, has_answer);
}
