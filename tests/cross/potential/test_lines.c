/* Tables over several numbers of warps against the dense search: the line that a table prints, for
 * warps beyond the table, and each row, for what one row tells another.
 *   WARPBOUND_CROSS_RUNS  80 times the tables (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "analysis/makespan/makespan_analysis.h"
#include "api/arguments.h"
#include "both_checkers.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/potential/potential_search.h"
#include "random_instance.h"
#include "report/makespan/makespan_report.h"
#include "unit.h"

#include <jansson.h>

/* Warps from a line's first one on that it is compared for, and bytes of the table that knows. */
#define WARPS_BEYOND 9
#define TABLE_BYTES (UINT64_C(1) << 20)

/* "STRING -W first..last --units UNITS --issue-slots SLOTS --partitions PARTITIONS" */
struct table {
  const char *string;
  const char *units;
  uint32_t slots;
  uint32_t partitions;
  uint32_t first;
  uint32_t last;
};

/* What the tables had. compared: values of lines that were. */
struct found {
  uint64_t lines;
  uint64_t beyond;
  uint64_t compared;
};

static void refuse(const struct table *table, uint64_t seed, const char *what, uint64_t warps,
                   uint64_t claimed, uint64_t exact)
{
  fail_msg("seed %llu: makespan %s -W %u..%u --units %s --issue-slots %u --partitions %u: %s says "
           "%llu of %llu warps, T is %llu",
           (unsigned long long)seed, table->string, table->first, table->last, table->units,
           table->slots, table->partitions, what, (unsigned long long)claimed,
           (unsigned long long)warps, (unsigned long long)exact);
}

/* T(1) to T(most) of a partition, of as many warps as the bytes allow. NULL: of fewer than
 * `least`. */
static uint64_t *exact_values(const struct wb_problem *problem, uint32_t least, uint32_t most,
                              uint32_t *count)
{
  struct wb_control control = wb_control_start(NULL);
  control.memory_limit = TABLE_BYTES;
  for (*count = most; *count >= least; --*count) {
    struct wb_problem more = *problem;
    struct wb_search search;
    uint64_t largest;
    more.warps = *count;
    assert_ok(wb_bound_closed_form(&more, &largest, NULL));
    assert_ok(wb_dense_search(&more, largest, &control, &search, NULL));
    uint64_t *makespan = search.makespan;
    bool whole = search.stop == WB_STOP_NONE;
    search.makespan = NULL;
    wb_search_free(&search);
    if (whole)
      return makespan;
    free(makespan);
  }
  return NULL;
}

/* Rows being made, and T by warps of a partition up to `count`. */
struct rows {
  const struct table *table;
  uint64_t seed;
  const uint64_t *exact;
  uint32_t count;
  struct wb_series_report report;
};

/* The ends of a row against T. */
static warpbound_status compare_row(void *context, const warpbound_result *result,
                                    warpbound_status status, warpbound_error *error)
{
  struct rows *rows = context;
  const uint32_t each = result->instance->problem.warps;
  const uint32_t warps = warpbound_result_warps(result);
  assert_ok(status);
  if (each <= rows->count && result->upper.cycles < rows->exact[each])
    refuse(rows->table, rows->seed, result->upper.name, warps, result->upper.cycles,
           rows->exact[each]);
  if (each <= rows->count && result->lower.cycles > rows->exact[each])
    refuse(rows->table, rows->seed, result->lower.name, warps, result->lower.cycles,
           rows->exact[each]);
  return wb_series_report_add(&rows->report, result, error);
}

/* The table as the command prints it, as JSON; to be dropped with json_decref. */
static json_t *make_table(const struct table *table, uint64_t seed, const uint64_t *exact,
                          uint32_t count, warpbound_method method)
{
  struct rows rows = {table, seed, exact, count, {.json = true}};
  const warpbound_options options = {.method = method, .threads = 1};
  struct wb_text text = {0};
  warpbound_instance *instance;
  warpbound_series *series;
  assert_ok(warpbound_instance_create(table->string, table->units, table->slots, table->partitions,
                                      1, &instance, NULL));
  assert_ok(warpbound_makespan_series(instance, table->first, table->last, &options, compare_row,
                                      &rows, &series, NULL));
  assert_int_equal(warpbound_series_count(series), table->last - table->first + 1);
  wb_series_report_write(&rows.report, series, &text);
  assert_false(text.failed);
  json_t *printed = json_loads(text.data, 0, NULL);
  assert_non_null(printed);
  wb_text_free(&text);
  wb_series_report_free(&rows.report);
  warpbound_series_free(series);
  warpbound_instance_free(instance);
  return printed;
}

static int64_t member(const json_t *line, const char *name)
{
  assert_true(json_is_integer(json_object_get(line, name)));
  return json_integer_value(json_object_get(line, name));
}

static void compare_line(const struct table *table, uint64_t seed, const json_t *line,
                         const uint64_t *exact, uint32_t count, struct found *found)
{
  int64_t partitions = member(line, "partitions"), from = member(line, "from_warps");
  assert_int_equal(partitions, table->partitions);
  found->lines++;
  found->beyond += from > table->last;
  for (int64_t w = from; (w + partitions - 1) / partitions <= count; w++) {
    int64_t each = (w + partitions - 1) / partitions;
    const int64_t sum = member(line, "slope") * each + member(line, "offset");
    const int64_t divisor = member(line, "divisor");
    int64_t cycles = sum >= 0 ? sum / divisor : -((-sum + divisor - 1) / divisor);
    found->compared++;
    if (cycles < (int64_t)exact[each])
      refuse(table, seed, "the line", (uint64_t)w, (uint64_t)cycles, exact[each]);
  }
}

static void try_table(const struct table *table, uint64_t seed, warpbound_method method,
                      struct found *found)
{
  warpbound_instance *instance;
  uint32_t count;
  assert_ok(warpbound_instance_create(table->string, table->units, table->slots, table->partitions,
                                      table->last, &instance, NULL));
  const struct wb_problem *problem = &instance->instance.problem;
  uint64_t *exact = exact_values(problem, problem->warps, problem->warps + WARPS_BEYOND, &count);
  if (exact != NULL) {
    json_t *printed = make_table(table, seed, exact, count, method);
    const json_t *line = json_object_get(printed, "line");
    if (line != NULL)
      compare_line(table, seed, line, exact, count, found);
    json_decref(printed);
  }
  free(exact);
  warpbound_instance_free(instance);
}

TEST(random_tables_are_true)
{
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 80;
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    struct instance instance = instance_random(&random);
    char units[64];
    snprintf(units, sizeof units, "L=%u,C=%u,S=%u,D=%u,T=%u", instance.capacity[0],
             instance.capacity[1], instance.capacity[2], instance.capacity[3],
             instance.capacity[4]);
    struct table table = {.string = instance.letters,
                          .units = units,
                          .slots = instance.issue_slots,
                          .partitions = 1 + (wb_random_below(&random, 4) == 0),
                          .first = 1,
                          .last = instance.warps};
    table.first += (uint32_t)wb_random_below(&random, table.last);
    bool quick = wb_random_below(&random, 2) == 0;
    try_table(&table, seed + run, quick ? WARPBOUND_METHOD_BOUNDS : WARPBOUND_METHOD_AUTO, &found);
  }
  print_message("# %llu tables, seed %llu: %llu lines, of which %llu begin beyond the table; "
                "%llu values compared\n",
                (unsigned long long)runs, (unsigned long long)seed, (unsigned long long)found.lines,
                (unsigned long long)found.beyond, (unsigned long long)found.compared);
  assert_true(runs < 100 || (found.lines > runs / 3 && found.beyond > runs / 20 &&
                             found.compared > 4 * found.lines));
}

/* Tables whose lines were once those of a start that nobody had walked from. */
TEST(tables_that_were_refuted_are_true)
{
  static const struct table tables[] = {
      {"CC", "C=2", 0, 1, 1, 2},      {"DDDLL", "L=4,D=4", 0, 1, 1, 3}, {"CCCC", "C=4", 0, 1, 1, 4},
      {"CCL", "L=3,C=4", 2, 1, 2, 3}, {"LLCLL", "L=1,C=1", 0, 4, 1, 9},
  };
  struct found found = {0};
  for (size_t i = 0; i < COUNT_OF(tables); i++)
    try_table(&tables[i], 0, WARPBOUND_METHOD_AUTO, &found);
  assert_true(found.lines > 2 && found.beyond > 1 && found.compared > 10);
}

/* 57 cycles is the makespan of a schedule of 5 warps, beyond a table that is closed by 45. */
TEST(the_voronoi_line_is_true)
{
  static const struct table table = {"5L9C2L9C", "L=1,C=4", 0, 1, 1, 4};
  static const uint64_t exact[] = {0, 25, 31, 37, 45, 57, 67, 77, 86};
  struct found found = {0};
  json_t *printed = make_table(&table, 0, exact, 4, WARPBOUND_METHOD_AUTO);
  compare_line(&table, 0, json_object_get(printed, "line"), exact, 8, &found);
  assert_int_equal(found.lines, 1);
  json_decref(printed);
}

/* A potential's line, if it has one, against T. */
static void compare_proof(const struct table *table, uint64_t seed,
                          const struct wb_potential_proof *proof, const uint64_t *exact,
                          uint32_t count, struct found *found)
{
  uint64_t cycles;
  if (!proof->has_line)
    return;
  found->lines++;
  for (uint32_t w = proof->steady_from; w <= count; w++) {
    assert_true(wb_potential_line_at(proof, w, &cycles));
    found->compared++;
    if (cycles < exact[w])
      refuse(table, seed, "a potential", w, cycles, exact[w]);
  }
}

TEST(potentials_for_few_warps_are_true)
{
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 80;
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED), without = 0;
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    struct instance instance = instance_random(&random);
    FREED_BY(wb_problem_free) struct wb_problem problem;
    struct wb_control control = wb_control_start(NULL);
    struct wb_potential_search_options options = {.below = UINT64_MAX, .enough = UINT64_MAX - 1};
    struct wb_potential_search_result result;
    uint32_t count;
    assert_true(instance_problem(&instance, &problem));
    problem.warps = 2 + (uint32_t)wb_random_below(&random, 3);
    if (wb_random_below(&random, 8) == 0)
      options.enough = 0; /* all that a quick search tries */
    const struct table table = {.string = instance.letters,
                                .units = "those of the seed",
                                .slots = instance.issue_slots,
                                .partitions = 1,
                                .first = problem.warps,
                                .last = problem.warps};
    uint64_t *exact = exact_values(&problem, problem.warps, problem.warps + WARPS_BEYOND, &count);
    if (exact != NULL && wb_pools_suit(&problem)) {
      assert_ok(wb_potential_search(&problem, &options, &control, &result, NULL));
      without += result.found && !result.proof.has_line;
      if (result.found)
        compare_proof(&table, seed + run, &result.proof, exact, count, &found);
      wb_potential_proof_free(&result.proof);
    }
    free(exact);
  }
  print_message("# %llu potentials, seed %llu: %llu lines, %llu without one\n",
                (unsigned long long)runs, (unsigned long long)seed, (unsigned long long)found.lines,
                (unsigned long long)without);
  assert_true(runs < 100 || (found.lines > runs / 4 && without > runs / 20));
}
