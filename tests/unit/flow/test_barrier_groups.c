/* Which barriers with a count of threads are those of the block, and which make groups of its
 * warps, of small programs in the forms of sm_52 and sm_87: the rows of barrier_groups.txt. That
 * none waits for ever: cross barrier_groups, on random programs. */
#include "bounded_listing.h"
#include "flow/barriers/barrier_groups.h"
#include "flow/barriers/counted_barriers.h"
#include "rows.h"
#include "unit.h"

#include <stdlib.h>

/* What the code shows: "block" where barriers with a count are all those of the block, "groups", or
 * "not". */
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
  return shown ? "groups" : "not";
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

TEST(rows)
{
  rows_check("unit/flow/barrier_groups.txt", 40, has_answer);
}
