/* Exact search and bounds against proven makespans.
 *   WARPBOUND_GOLDEN  the rows (tests/fixtures/makespan.csv of the source tree)
 *   WARPBOUND_SOURCE  root of the source tree (.)
 *   WARPBOUND_CROSS_MIB  largest table in MiB (64): 4 saves most of the time, and
 *                     leaves out two rows */
#include "base/work_control.h"
#include "golden_rows.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/machine/policy.h"
#include "makespan/runs/run_abstraction.h"
#include "unit.h"

#define DEFAULT_TABLE_MIB UINT64_C(64)
/* Rows held with the default limit, and with any. */
#define DEFAULT_ROWS 1018
#define FEWEST_ROWS 950

static struct golden_row rows[GOLDEN_MOST_ROWS];
static size_t row_count;

static uint64_t table_mib(void)
{
  const char *text = getenv("WARPBOUND_CROSS_MIB");
  return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : DEFAULT_TABLE_MIB;
}

static int read_golden(void **state)
{
  (void)state;
  return golden_read(rows, &row_count) ? 0 : -1;
}

/* Whether two rows differ at most in their warps. */
static bool same_group(const struct instance *a, const struct instance *b)
{
  return strcmp(a->letters, b->letters) == 0 &&
         memcmp(a->capacity, b->capacity, sizeof a->capacity) == 0 &&
         a->issue_slots == b->issue_slots;
}

static uint32_t most_warps(const struct golden_row *first)
{
  uint32_t warps = 0;
  for (size_t i = 0; i < row_count; i++) {
    if (same_group(&first->instance, &rows[i].instance) && rows[i].instance.warps > warps)
      warps = rows[i].instance.warps;
  }
  return warps;
}

/* The rows of the group that are held: compared with the search. */
static size_t compare_group(const struct golden_row *first, const struct wb_search *search,
                            uint32_t warps)
{
  size_t held = 0;
  for (size_t i = 0; i < row_count; i++) {
    if (!same_group(&first->instance, &rows[i].instance))
      continue;
    uint32_t w = rows[i].instance.warps;
    rows[i].seen = true;
    if (w > warps)
      continue;
    if (search->makespan[w] != rows[i].makespan)
      golden_fail(&rows[i], "dense search", search->makespan[w]);
    held++;
  }
  return held;
}

static void clear_seen(void)
{
  for (size_t i = 0; i < row_count; i++)
    rows[i].seen = false;
}

TEST_BETWEEN(read_golden, NULL, dense_search_reaches_golden)
{
  size_t held = 0;
  size_t groups = 0;
  double start = wb_clock();
  clear_seen();
  for (size_t i = 0; i < row_count; i++) {
    struct wb_problem problem;
    if (rows[i].seen)
      continue;
    assert_true(instance_problem(&rows[i].instance, &problem));
    problem.warps = most_warps(&rows[i]);
    /* Searches for the most warps whose table fits, from problem->warps downwards. */
    struct wb_search search = {0};
    struct wb_control control = wb_control_start(NULL);
    control.memory_limit = table_mib() << 20;
    for (; problem.warps >= 1; problem.warps--) {
      uint64_t largest;
      assert_ok(wb_bound_closed_form(&problem, &largest, NULL));
      assert_ok(wb_dense_search(&problem, largest, &control, &search, NULL));
      if (search.stop == WB_STOP_NONE)
        break;
      assert_int_equal(search.stop, WB_STOP_MEMORY);
      wb_search_free(&search);
    }

    held += compare_group(&rows[i], &search, problem.warps);
    groups++;
    wb_search_free(&search);
    wb_problem_free(&problem);
  }
  print_message("# %zu rows of %zu groups held, %zu not (table larger than %llu MiB); %.1f s\n",
                held, groups, row_count - held, (unsigned long long)table_mib(),
                wb_clock() - start);
  assert_true(held >= (table_mib() < DEFAULT_TABLE_MIB ? FEWEST_ROWS : DEFAULT_ROWS));
}

typedef warpbound_status bound_function(const struct wb_problem *problem, uint64_t *cycles,
                                        warpbound_error *error);

static uint64_t bound_of(bound_function *bound, const struct wb_problem *problem)
{
  uint64_t cycles;
  assert_ok(bound(problem, &cycles, NULL));
  return cycles;
}

static void compare_policies(const struct golden_row *row, const struct wb_problem *problem)
{
  size_t count;
  const struct wb_policy *policies = wb_policy_rows(&count);
  struct wb_control control = wb_control_start(NULL);
  for (size_t i = 0; i < count; i++) {
    FREED_BY(wb_schedule_free) struct wb_schedule schedule = {0};
    enum wb_stop stop = WB_STOP_NONE;
    assert_ok(wb_policy_simulate(&policies[i], problem, &control, &schedule, &stop, NULL));
    if (schedule.makespan > row->makespan)
      golden_fail(row, policies[i].name, schedule.makespan);
  }
}

TEST_BETWEEN(read_golden, NULL, bounds_enclose_golden)
{
  for (size_t i = 0; i < row_count; i++) {
    FREED_BY(wb_problem_free) struct wb_problem problem;
    assert_true(instance_problem(&rows[i].instance, &problem));
    uint64_t volume = bound_of(wb_bound_volume, &problem);
    uint64_t closed_form = bound_of(wb_bound_closed_form, &problem);
    uint64_t serial = bound_of(wb_bound_serial, &problem);
    if (volume > rows[i].makespan)
      golden_fail(&rows[i], "volume", volume);
    if (closed_form < rows[i].makespan)
      golden_fail(&rows[i], "closed form", closed_form);
    if (serial < rows[i].makespan)
      golden_fail(&rows[i], "serial", serial);
    compare_policies(&rows[i], &problem);
  }
}

/* Returns the rows for which the abstraction gives the very makespan. */
static size_t compare_abstraction(const struct golden_row *first, const struct wb_problem *problem,
                                  const struct wb_search *search)
{
  size_t equal = 0;
  bool exact = wb_run_abstraction_exact(problem);
  for (size_t i = 0; i < row_count; i++) {
    if (!same_group(&first->instance, &rows[i].instance))
      continue;
    uint64_t cycles = search->makespan[rows[i].instance.warps];
    if (cycles < rows[i].makespan || (exact && cycles != rows[i].makespan))
      golden_fail(&rows[i], "run abstraction", cycles);
    equal += cycles == rows[i].makespan;
    rows[i].seen = true;
  }
  return equal;
}

TEST_BETWEEN(read_golden, NULL, run_abstraction_is_safe)
{
  size_t checked = 0;
  size_t equal = 0;
  double start = wb_clock();
  struct wb_control control = wb_control_start(NULL);
  clear_seen();
  for (size_t i = 0; i < row_count; i++) {
    struct wb_problem problem;
    struct wb_search search = {0};
    if (rows[i].seen)
      continue;
    assert_true(instance_problem(&rows[i].instance, &problem));
    problem.warps = most_warps(&rows[i]);
    assert_ok(wb_run_abstraction_search(&problem, UINT64_MAX, table_mib() << 20, &control, &search,
                                        NULL));
    if (search.stop == WB_STOP_NONE)
      equal += compare_abstraction(&rows[i], &problem, &search);
    wb_search_free(&search);
    wb_problem_free(&problem);
  }
  for (size_t i = 0; i < row_count; i++)
    checked += rows[i].seen;
  print_message("# run abstraction: safe on %zu rows, equal on %zu of them; %.1f s\n", checked,
                equal, wb_clock() - start);
  assert_true(checked >= FEWEST_ROWS);
}
