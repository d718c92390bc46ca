/* Phases between barriers, and paths composed of several warps', where lanes run in several groups:
 * compiled kernels of the fixtures, with what is known of them by their source. That the rows kept
 * for composite paths hold of all executions is proven in doc/group-flow.md, not tested here. */
#include "analysis/paths/path_solver.h"
#include "analysis/paths/paths.h"
#include "base/memory.h"
#include "base/work_control.h"
#include "certificate/flow/paths_check.h"
#include "fixtures.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

/* A kernel under analysis. */
struct subject {
  struct wb_code code;
  struct wb_paths paths;
  struct wb_control control;
};

static void analyse(const char *fixture, const char *kernel, struct subject *subject)
{
  const struct wb_wcet_options options = {.default_bound = 10};
  struct wb_input source;
  fixture_read(&source, "sass/%s", fixture);
  subject->control = wb_control_start(NULL);
  assert_ok(wb_sass_parse(fixture, source.bytes, source.length, NULL, &subject->code, NULL));
  wb_input_free(&source);
  size_t k = 0;
  while (k < subject->code.function_count && strcmp(subject->code.functions[k].name, kernel) != 0)
    k++;
  assert_true(k < subject->code.function_count);
  assert_ok(wb_paths_analyse(&subject->code, &subject->code.functions[k], &options,
                             &subject->control, &subject->paths, NULL));
}

static void discard(struct subject *subject)
{
  wb_paths_free(&subject->paths);
  wb_code_free(&subject->code);
}

/* The most instructions of a path in one phase (or of all); -1: no bound. */
static int64_t most_instructions(const struct subject *subject, uint32_t phase)
{
  const struct wb_path_system *system = &subject->paths.system;
  FREED_BY(wb_ipet_result_free) struct wb_ipet_result result;
  int64_t *cost = wb_allocate(system->flow.node_count, sizeof *cost);
  assert_non_null(cost);
  for (size_t v = 0; v < system->flow.node_count; v++)
    cost[v] = (int64_t)system->last[v] + 1 - (int64_t)system->first[v];
  const struct wb_path_costs costs = {.nodes = cost};
  const warpbound_status status = wb_path_system_solve(
      system, &costs, phase, &(struct wb_ipet_options){0}, &subject->control, &result, NULL);
  const int64_t most = status == WARPBOUND_OK ? result.proof.bound : -1;
  assert_true(status == WARPBOUND_OK || status == WARPBOUND_INVALID_INPUT);
  free(cost);
  return most;
}

/* Two barriers, one after the other, with divergent code between them: three phases. */
TEST(numbered_phases)
{
  static const char *const fixtures[] = {"sm_75/O3/shared_memory/histogram.cuobjdump.sass",
                                         "sm_87/O3/shared_memory/histogram.nvdisasm.sass"};
  for (size_t f = 0; f < 2; f++) {
    struct subject subject = {0};
    analyse(fixtures[f], "histogram", &subject);
    const struct wb_path_system *system = &subject.paths.system;
    assert_false(wb_flow_system_is_walk(&system->flow));
    assert_true(system->phased && system->sure);
    assert_int_equal(system->phases, 3);
    assert_null(system->composed);
    /* Each node is in one phase, so that the phases are at least the whole. */
    int64_t sum = 0;
    for (uint32_t p = 0; p < 3; p++) {
      const int64_t most = most_instructions(&subject, p);
      assert_true(most > 0);
      sum += most;
    }
    assert_true(sum >= most_instructions(&subject, WB_CHECK_ALL_PHASES));
    discard(&subject);
  }
}

/* Barriers in a loop, and lanes at the edges of the matrix that part from the others: the loop's
 * bound is settled by the barriers, so composite paths have a bound, which here is that of whole
 * paths. */
TEST(composite_paths)
{
  struct subject subject = {0};
  analyse("sm_87/O3/shared_memory/matrix_tiled.nvdisasm.sass", "matrix_tiled_edges", &subject);
  const struct wb_path_system *system = &subject.paths.system;
  assert_false(wb_flow_system_is_walk(&system->flow));
  assert_false(system->phased);
  assert_non_null(system->composed);
  const int64_t whole = most_instructions(&subject, WB_CHECK_ALL_PHASES);
  assert_true(whole > 0);
  assert_int_equal(most_instructions(&subject, WB_COMPOSITE_PATHS), whole);
  /* 11 rounds of the loop with two barriers each: a stretch is far less than the whole. */
  const int64_t stretch = most_instructions(&subject, WB_STRETCHES);
  assert_true(stretch > 0 && stretch < whole / 4 && stretch * 23 >= whole);
  /* No row that counts lanes is kept. */
  const size_t edges = subject.paths.wcet.graph->edge_count;
  size_t kept = 0;
  for (size_t l = 0; l < system->flow.limit_count; l++) {
    const struct wb_flow_limit *limit = &system->flow.limits[l];
    for (size_t t = 0; t < limit->term_count && system->composed[l]; t++)
      assert_true(system->flow.terms[limit->first_term + t].edge < edges);
    kept += system->composed[l];
  }
  assert_true(kept > 0);
  discard(&subject);
}

/* Nested loops around one barrier: their bounds are not settled by the barriers passed, but all
 * warps take their edges alike. */
TEST(nested_loops)
{
  struct subject subject = {0};
  analyse("sm_87/O3/shared_memory/bitonic_sort.nvdisasm.sass", "bitonic_sort", &subject);
  struct wb_path_system *system = &subject.paths.system;
  assert_false(system->phased);
  assert_true(system->sure);
  assert_non_null(system->common);
  const int64_t whole = most_instructions(&subject, WB_CHECK_ALL_PHASES);
  assert_int_equal(most_instructions(&subject, WB_COMPOSITE_PATHS), whole);
  for (size_t l = 0; l < system->flow.limit_count; l++)
    system->composed[l] &= !system->common[l];
  assert_int_equal(most_instructions(&subject, WB_COMPOSITE_PATHS), -1);
  discard(&subject);
}

/* Barriers that groups of lanes come to one after the other. */
TEST(not_of_the_whole_warp)
{
  struct subject subject = {0};
  analyse("sm_87/O3/shared_memory/producer_consumer.nvdisasm.sass", "producer_consumer", &subject);
  const struct wb_path_system *system = &subject.paths.system;
  assert_true(system->used[WB_UNIT_BARRIER]);
  assert_false(system->phased);
  assert_null(system->composed);
  discard(&subject);
}
