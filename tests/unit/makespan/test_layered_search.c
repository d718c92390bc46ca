/* The layers of the guided search: the same whatever the threads, and how they end. */
#include "makespan/exact/layered_search.h"
#include "makespan_problems.h"
#include "unit.h"

/* Layers of this have many thousands of states, so that threads share them. */
#define STRING "3L5C2L5C"
#define UNITS "L=1,C=3"
#define WARPS 8
#define MEMORY (UINT64_C(1) << 28)

struct fixture {
  struct wb_problem problem;
  struct wb_run_table table;
};

static int make_table(void **state)
{
  static struct fixture fixture;
  fixture.problem = make_problem(STRING, UNITS, 0, 1, WARPS, "");
  const struct wb_run_table_options options = {
      .cut = wb_run_cut_of(&fixture.problem), .whole = true, .most = 1000};
  struct wb_control control = wb_control_start(NULL);
  enum wb_stop stop;
  uint64_t done;
  assert_ok(wb_run_table_start(&fixture.table, &fixture.problem, &options, NULL));
  assert_ok(wb_run_table_fill(&fixture.table, &control, &stop, &done, NULL));
  *state = &fixture;
  return 0;
}

static int free_table(void **state)
{
  struct fixture *fixture = *state;
  wb_run_table_free(&fixture->table);
  wb_problem_free(&fixture->problem);
  return 0;
}

static struct wb_layered_result search(const struct fixture *fixture, unsigned threads,
                                       const struct wb_layered_options *options)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_layered_result result;
  control.threads = threads;
  assert_ok(wb_layered_search(&fixture->table, options, &control, &result, NULL));
  return result;
}

static void assert_same(const struct wb_layered_result *a, const struct wb_layered_result *b)
{
  assert_int_equal(a->longest, b->longest);
  assert_int_equal(a->complete, b->complete);
  assert_int_equal(a->stop, b->stop);
  assert_int_equal(a->states, b->states);
  assert_int_equal(a->peak, b->peak);
  assert_int_equal(a->bytes, b->bytes);
  assert_int_equal(a->witness.issue_cycle != NULL, b->witness.issue_cycle != NULL);
  if (a->witness.issue_cycle != NULL)
    assert_memory_equal(a->witness.issue_cycle, b->witness.issue_cycle,
                        WARPS * a->witness.length * sizeof *a->witness.issue_cycle);
}

/* What one thread finds, after all others were seen to find the same. */
static struct wb_layered_result search_alike(const struct fixture *fixture,
                                             const struct wb_layered_options *options)
{
  struct wb_layered_result alone = search(fixture, 1, options);
  for (unsigned threads = 2; threads <= 5; threads++) {
    struct wb_layered_result together = search(fixture, threads, options);
    assert_same(&alone, &together);
    wb_schedule_free(&together.witness);
  }
  return alone;
}

/* The longest schedule there is, found from a goal that leaves many states. */
static uint64_t find_longest(const struct fixture *fixture)
{
  struct wb_layered_result found =
      search(fixture, 1, &(struct wb_layered_options){.goal = 1, .width = 300, .memory = MEMORY});
  uint64_t least = found.longest;
  wb_schedule_free(&found.witness);
  found = search(fixture, 1, &(struct wb_layered_options){.goal = least, .memory = MEMORY});
  assert_true(found.complete);
  wb_schedule_free(&found.witness);
  return found.longest;
}

TEST_BETWEEN(make_table, free_table, threads_change_nothing)
{
  const struct fixture *fixture = *state;
  uint64_t longest = find_longest(fixture);
  struct wb_layered_result found =
      search_alike(fixture, &(struct wb_layered_options){.goal = longest - 2, .memory = MEMORY});
  print_message("# T = %llu, %llu states, peak %llu\n", (unsigned long long)longest,
                (unsigned long long)found.states, (unsigned long long)found.peak);
  assert_int_equal(found.longest, longest);
  assert_true(found.complete);
  assert_true(found.peak > 4096);
  wb_schedule_free(&found.witness);
  found =
      search_alike(fixture, &(struct wb_layered_options){.goal = longest + 1, .memory = MEMORY});
  assert_int_equal(found.longest, 0);
  assert_true(found.complete);
}

TEST_BETWEEN(make_table, free_table, threads_change_no_beam)
{
  const struct fixture *fixture = *state;
  struct wb_layered_result found = search_alike(
      fixture, &(struct wb_layered_options){.goal = 1, .width = 5000, .memory = MEMORY});
  assert_false(found.complete);
  assert_true(found.longest > 0);
  assert_true(found.peak >= 5000);
  wb_schedule_free(&found.witness);
}

/* Memory ends at the same state whatever the threads, within a layer. */
TEST_BETWEEN(make_table, free_table, memory_ends_it)
{
  const struct fixture *fixture = *state;
  uint64_t memory = 1 << 20;
  struct wb_layered_result found =
      search_alike(fixture, &(struct wb_layered_options){.goal = 1, .memory = memory});
  assert_int_equal(found.stop, WB_STOP_MEMORY);
  assert_false(found.complete);
  assert_int_equal(found.longest, 0);
  assert_true(found.peak > 2048);
  found = search_alike(fixture, &(struct wb_layered_options){.goal = 1, .memory = 1});
  assert_int_equal(found.stop, WB_STOP_MEMORY);
  assert_int_equal(found.states, 0);
}

static bool stop_later(void *context)
{
  unsigned *looks = context;
  return ++*looks > 30;
}

TEST_BETWEEN(make_table, free_table, threads_end_when_interrupted)
{
  const struct fixture *fixture = *state;
  const struct wb_layered_options options = {.goal = 1, .memory = MEMORY};
  for (unsigned threads = 1; threads <= 3; threads++) {
    struct wb_control control = wb_control_start(NULL);
    struct wb_layered_result result;
    unsigned looks = 0;
    control.threads = threads;
    control.interrupted = stop_later;
    control.context = &looks;
    assert_ok(wb_layered_search(&fixture->table, &options, &control, &result, NULL));
    assert_int_equal(result.stop, WB_STOP_INTERRUPTED);
    assert_int_equal(looks, 31);
    assert_false(result.complete);
    assert_true(result.peak > 2048);
    wb_schedule_free(&result.witness);
  }
}
