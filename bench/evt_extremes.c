/* What the choice of blocks and thresholds and the look at the largest values are worth on samples
 * of known distributions: tables in Markdown, as in doc/measured/evt-thresholds.md.
 *
 * usage: evt_extremes TABLE [RUNS], TABLE being
 * - thresholds: size of the tests at the lowest threshold, and what is chosen;
 * - points: false alarms and power of the look at the largest values;
 * - variation: the exponential tail of MBPTA-CV;
 * - blocks: the size of blocks that is chosen;
 * - index: the extremal index of a process where it is known. */
#include "trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SEED 25030000
#define THREADS 2
#define DEFAULT_RUNS 1000

/* A row of a table. */
struct row {
  const char *name;
  struct extremes_trial trial;
};

/* ---- the distributions ---- */

#define PARETO(XI)                                                                                 \
  {                                                                                                \
    .family = MADE_PARETO, .location = 1000, .scale = 50, .shape = (XI)                            \
  }
#define COARSE(XI)                                                                                 \
  {                                                                                                \
    .family = MADE_PARETO, .location = 995, .scale = 50, .shape = (XI), .tick = 10                 \
  }
#define LOGNORMAL                                                                                  \
  {                                                                                                \
    .family = MADE_LOGNORMAL, .location = 1000, .scale = 50, .shape = 0.5                          \
  }
#define NORMAL                                                                                     \
  {                                                                                                \
    .family = MADE_NORMAL, .location = 1000, .scale = 50                                           \
  }
#define DEPENDENT(A)                                                                               \
  {                                                                                                \
    .family = MADE_EXPONENTIAL, .location = 1000, .scale = 50, .max_dependence = (A)               \
  }

static const struct row thresholds[] = {
    {"GPD xi = -0.3, 1,000", {.recipe = PARETO(-0.3), .count = 1000}},
    {"GPD xi = 0, 1,000", {.recipe = PARETO(0), .count = 1000}},
    {"GPD xi = 0.2, 1,000", {.recipe = PARETO(0.2), .count = 1000}},
    {"GPD xi = -0.3, 5,000", {.recipe = PARETO(-0.3), .count = 5000}},
    {"GPD xi = 0, 5,000", {.recipe = PARETO(0), .count = 5000}},
    {"GPD xi = 0.2, 5,000", {.recipe = PARETO(0.2), .count = 5000}},
    {"GPD xi = 0, tick 0.2 scale, 5,000", {.recipe = COARSE(0), .count = 5000}},
    {"body and tail xi = -0.2, 20,000",
     {.recipe = PARETO(-0.2), .count = 20000, .tail_share = 0.05, .body = 500}},
    {"body and tail xi = 0, 20,000",
     {.recipe = PARETO(0), .count = 20000, .tail_share = 0.05, .body = 500}},
    {"body and tail xi = 0.2, 20,000",
     {.recipe = PARETO(0.2), .count = 20000, .tail_share = 0.05, .body = 500}},
};

static const struct row points[] = {
    {"GPD xi = -0.4, 50", {.recipe = PARETO(-0.4), .count = 50}},
    {"GPD xi = 0, 50", {.recipe = PARETO(0), .count = 50}},
    {"GPD xi = 0.3, 50", {.recipe = PARETO(0.3), .count = 50}},
    {"GPD xi = -0.4, 200", {.recipe = PARETO(-0.4), .count = 200}},
    {"GPD xi = 0, 200", {.recipe = PARETO(0), .count = 200}},
    {"GPD xi = 0.3, 200", {.recipe = PARETO(0.3), .count = 200}},
    {"GPD xi = 0, 1,000", {.recipe = PARETO(0), .count = 1000}},
    {"GPD xi = 0, tick 0.2 scale, 200", {.recipe = COARSE(0), .count = 200}},
    {"largest tenth of a normal, 5,000", {.recipe = NORMAL, .count = 5000, .share = 0.1}},
    {"largest tenth of a lognormal, 5,000", {.recipe = LOGNORMAL, .count = 5000, .share = 0.1}},
    {"one of level 1e-5 in 200",
     {.recipe = PARETO(0), .count = 200, .outliers = 1, .outlier_level = 1e-5}},
    {"one of level 1e-7 in 200",
     {.recipe = PARETO(0), .count = 200, .outliers = 1, .outlier_level = 1e-7}},
    {"five of level 1e-5 in 200",
     {.recipe = PARETO(0),
      .count = 200,
      .outliers = 5,
      .outlier_level = 1e-5,
      .outlier_spread = 0.05}},
    {"five of level 1e-5 in 1,000",
     {.recipe = PARETO(0),
      .count = 1000,
      .outliers = 5,
      .outlier_level = 1e-5,
      .outlier_spread = 0.05}},
    {"eighty of level 1e-3 in 1,000",
     {.recipe = PARETO(0),
      .count = 1000,
      .outliers = 80,
      .outlier_level = 1e-3,
      .outlier_spread = 0.2}},
};

static const struct row variations[] = {
    {"exponential, 1,000", {.recipe = PARETO(0), .count = 1000}},
    {"exponential, 20,000", {.recipe = PARETO(0), .count = 20000}},
    {"exponential, tick 0.2 scale, 20,000", {.recipe = COARSE(0), .count = 20000}},
    {"GPD xi = -0.2, 1,000", {.recipe = PARETO(-0.2), .count = 1000}},
    {"GPD xi = 0.1, 1,000", {.recipe = PARETO(0.1), .count = 1000}},
    {"GPD xi = 0.1, 20,000", {.recipe = PARETO(0.1), .count = 20000}},
    {"GPD xi = 0.3, 1,000", {.recipe = PARETO(0.3), .count = 1000}},
    {"normal, 20,000", {.recipe = NORMAL, .count = 20000}},
    {"lognormal, 20,000", {.recipe = LOGNORMAL, .count = 20000}},
};

static const struct row blocks[] = {
    {"exponential, 2,000", {.recipe = PARETO(0), .count = 2000}},
    {"exponential, tick 0.2 scale, 2,000", {.recipe = COARSE(0), .count = 2000}},
    {"normal, 20,000", {.recipe = NORMAL, .count = 20000}},
    {"lognormal, 20,000", {.recipe = LOGNORMAL, .count = 20000}},
    {"extremal index 0.2, 20,000", {.recipe = DEPENDENT(0.8), .count = 20000}},
    {"extremal index 0.02, 20,000", {.recipe = DEPENDENT(0.98), .count = 20000}},
};

static const struct row indices[] = {
    {"theta = 1", {.recipe = DEPENDENT(0), .count = 20000}},
    {"theta = 0.7", {.recipe = DEPENDENT(0.3), .count = 20000}},
    {"theta = 0.4", {.recipe = DEPENDENT(0.6), .count = 20000}},
    {"theta = 0.1", {.recipe = DEPENDENT(0.9), .count = 20000}},
};

/* ---- the tables ---- */

typedef double results[TRIAL_RESULTS];

/* The first seed of a row: no two rows have samples in common. */
static uint64_t seed_of(const struct row *row)
{
  struct wb_random random = {.state = FIRST_SEED};
  for (const char *sign = row->name; *sign != '\0'; sign++)
    random.state = wb_random_next(&random) + (unsigned char)*sign;
  return wb_random_next(&random);
}

static double percent_between(results *rows, size_t runs, int result, double low, double high)
{
  size_t inside = 0;
  for (size_t i = 0; i < runs; i++)
    inside += rows[i][result] >= low && rows[i][result] <= high;
  return 100 * (double)inside / (double)runs;
}

static double percent_at_most(results *rows, size_t runs, int result, double limit)
{
  return 100 * share_at_most(rows, runs, (size_t)result, limit);
}

static double deviation(results *rows, size_t runs, int result)
{
  const double mean = mean_result(rows, runs, (size_t)result);
  double sum = 0;
  for (size_t i = 0; i < runs; i++)
    sum += (rows[i][result] - mean) * (rows[i][result] - mean);
  return sqrt(sum / (double)(runs - 1));
}

static void print_thresholds(const struct row *row, results *rows, size_t runs)
{
  printf("| %s | %.1f | %.1f |", row->name,
         percent_at_most(rows, runs, SCAN_ANDERSON_DARLING, 0.05),
         percent_at_most(rows, runs, SCAN_NORTHROP_COLEMAN, 0.05));
  for (int rule = 0; rule < SCAN_RULES; rule++)
    printf(" %.0f / %.0f / %.0f |", percent_between(rows, runs, SCAN_KEPT + rule, 1.1, INFINITY),
           percent_between(rows, runs, SCAN_KEPT + rule, 0.5, 1.1),
           percent_between(rows, runs, SCAN_KEPT + rule, 0, 0.5));
  printf("\n");
}

static void print_points(const struct row *row, results *rows, size_t runs)
{
  printf("| %s | %.1f | %.1f | %.1f |\n", row->name, percent_at_most(rows, runs, POINTS_P, 0.05),
         percent_at_most(rows, runs, POINTS_P, 0.01),
         100 * mean_result(rows, runs, POINTS_MIXTURE));
}

static void print_variation(const struct row *row, results *rows, size_t runs)
{
  printf("| %s | %.1f | %.1f | %.1f | %.0f |\n", row->name,
         100 * mean_result(rows, runs, VARIATION_FOUND),
         100 * mean_result(rows, runs, VARIATION_LIGHT),
         100 * mean_result(rows, runs, VARIATION_HEAVY),
         mean_result(rows, runs, VARIATION_EXCEEDANCES));
}

static void print_blocks(const struct row *row, results *rows, size_t runs)
{
  printf("| %s | %.1f | %.1f | %.0f |\n", row->name, percent_at_most(rows, runs, BLOCK_PLACE, 0),
         100 * mean_result(rows, runs, BLOCK_REFUSED), mean_result(rows, runs, BLOCK_SIZE));
}

static void print_index(const struct row *row, results *rows, size_t runs)
{
  printf("| %s | %.3f (%.3f) | %.3f (%.3f) |\n", row->name,
         mean_result(rows, runs, INDEX_INTERVALS), deviation(rows, runs, INDEX_INTERVALS),
         mean_result(rows, runs, INDEX_RUNS), deviation(rows, runs, INDEX_RUNS));
}

struct table {
  const char *name, *head;
  const struct row *rows;
  size_t count;
  trial_function *trial;
  void (*print)(const struct row *row, results *rows, size_t runs);
};

#define ROWS(ROWS_OF) (ROWS_OF), sizeof(ROWS_OF) / sizeof *(ROWS_OF)

static const struct table tables[] = {
    {"thresholds",
     "| values | Anderson-Darling % | score % | A-D low / near / high | score | stability |\n"
     "|---|---|---|---|---|---|\n",
     ROWS(thresholds), scan_trial, print_thresholds},
    {"points", "| values | refused at 5 % | at 1 % | called a mixture % |\n|---|---|---|---|\n",
     ROWS(points), points_trial, print_points},
    {"variation", "| values | found % | light % | heavy % | exceedances |\n|---|---|---|---|---|\n",
     ROWS(variations), variation_trial, print_variation},
    {"blocks", "| values | smallest size % | all refused % | mean size |\n|---|---|---|---|\n",
     ROWS(blocks), block_trial, print_blocks},
    {"index", "| process | intervals | runs |\n|---|---|---|\n", ROWS(indices), index_trial,
     print_index},
};

static void print_table(const struct table *table, size_t runs)
{
  printf("%s", table->head);
  for (size_t r = 0; r < table->count; r++) {
    const struct row *row = &table->rows[r];
    results *rows = run_trials(table->trial, &row->trial, runs, seed_of(row), THREADS);
    table->print(row, rows, runs);
    fflush(stdout);
    free(rows);
  }
}

int main(int argument_count, char **arguments)
{
  const unsigned long runs =
      argument_count > 2 ? strtoul(arguments[2], NULL, 10) : (unsigned long)DEFAULT_RUNS;
  for (size_t t = 0; argument_count > 1 && runs > 1 && t < sizeof tables / sizeof *tables; t++)
    if (strcmp(arguments[1], tables[t].name) == 0) {
      print_table(&tables[t], runs);
      return 0;
    }
  fprintf(stderr, "usage: evt_extremes thresholds|points|variation|blocks|index [RUNS]\n");
  return 2;
}
