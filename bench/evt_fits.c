/* What the fits of extreme value distributions are worth on samples of known distributions: tables
 * in Markdown, as in doc/measured/evt-fits.md.
 *   evt_fits size [RUNS [N...]]      how often goodness of fit refuses the right family at 5 %
 *   evt_fits power [RUNS [N...]]     how often it refuses a wrong one
 *   evt_fits ratio [RUNS [N...]]     how often the likelihood ratio refuses Gumbel and exponential
 *   evt_fits coverage [RUNS [N...]]  how often 95 % intervals hold the true shape and 1e-6 level
 *   evt_fits bootstrap [RUNS [N...]] the same of intervals by bootstrap */
#include "trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SEED 20140000
#define THREADS 2
#define REPLICATES 99

struct sizes {
  size_t runs, counts[8], count;
};

/* A row of a table, tried for each count of values. */
struct row {
  const char *name;
  struct fit_trial trial;
};

/* ---- the distributions ---- */

#define GEV(XI)                                                                                    \
  {                                                                                                \
    .family = MADE_GEV, .location = 1000, .scale = 20, .shape = (XI)                               \
  }
#define PARETO(XI)                                                                                 \
  {                                                                                                \
    .family = MADE_PARETO, .location = 1000, .scale = 20, .shape = (XI)                            \
  }
#define TICKED(FAMILY, XI, TICK)                                                                   \
  {                                                                                                \
    .family = (FAMILY), .location = 1000 - (TICK) / 2.0, .scale = 20, .shape = (XI),               \
    .tick = (TICK)                                                                                 \
  }

static const struct row right[] = {
    {"Gumbel", {.recipe = GEV(0), .family = WB_TAIL_GUMBEL}},
    {"GEV xi = -0.1", {.recipe = GEV(-0.1), .family = WB_TAIL_GEV}},
    {"GEV xi = 0", {.recipe = GEV(0), .family = WB_TAIL_GEV}},
    {"GEV xi = 0.2", {.recipe = GEV(0.2), .family = WB_TAIL_GEV}},
    {"GEV xi = 0.2, L-moments",
     {.recipe = GEV(0.2), .family = WB_TAIL_GEV, .method = WB_FIT_L_MOMENTS}},
    {"GEV xi = 0.1, tick 0.05 scale", {.recipe = TICKED(MADE_GEV, 0.1, 1), .family = WB_TAIL_GEV}},
    {"GEV xi = 0.1, tick 0.5 scale", {.recipe = TICKED(MADE_GEV, 0.1, 10), .family = WB_TAIL_GEV}},
    {"exponential", {.recipe = PARETO(0), .family = WB_TAIL_EXPONENTIAL}},
    {"GPD xi = -0.2", {.recipe = PARETO(-0.2), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0", {.recipe = PARETO(0), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0.3", {.recipe = PARETO(0.3), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0.1, tick 0.05 scale",
     {.recipe = TICKED(MADE_PARETO, 0.1, 1), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0.1, tick 0.5 scale",
     {.recipe = TICKED(MADE_PARETO, 0.1, 10), .family = WB_TAIL_PARETO}},
};

static const struct row wrong[] = {
    {"Gumbel to GEV xi = 0.2", {.recipe = GEV(0.2), .family = WB_TAIL_GUMBEL}},
    {"Gumbel to GEV xi = -0.2", {.recipe = GEV(-0.2), .family = WB_TAIL_GUMBEL}},
    {"exponential to GPD xi = 0.3", {.recipe = PARETO(0.3), .family = WB_TAIL_EXPONENTIAL}},
    {"exponential to GPD xi = -0.2", {.recipe = PARETO(-0.2), .family = WB_TAIL_EXPONENTIAL}},
    {"GEV to normal (blocks of 1)",
     {.recipe = {.family = MADE_NORMAL, .location = 1000, .scale = 20}, .family = WB_TAIL_GEV}},
    {"GEV to normal (blocks of 20)",
     {.recipe = {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      .block = 20,
      .family = WB_TAIL_GEV}},
    {"GEV to exponential (blocks of 1)", {.recipe = PARETO(0), .family = WB_TAIL_GEV}},
    {"GEV to uniform (blocks of 1)",
     {.recipe = {.family = MADE_UNIFORM, .location = 1000, .scale = 20}, .family = WB_TAIL_GEV}},
    {"GEV to two modes, 3 scales apart",
     {.recipe = {.family = MADE_GEV,
                 .location = 1000,
                 .scale = 20,
                 .modes = MADE_MODES_MIXED,
                 .mode_gap = 60,
                 .mode_share = 0.3},
      .family = WB_TAIL_GEV}},
    {"GEV to two modes, 6 scales apart",
     {.recipe = {.family = MADE_GEV,
                 .location = 1000,
                 .scale = 20,
                 .modes = MADE_MODES_MIXED,
                 .mode_gap = 120,
                 .mode_share = 0.3},
      .family = WB_TAIL_GEV}},
    {"GPD to all of a lognormal (s = 0.5)",
     {.recipe = {.family = MADE_LOGNORMAL, .location = 1000, .scale = 20, .shape = 0.5},
      .family = WB_TAIL_PARETO}},
    {"GPD to the largest half of a normal",
     {.recipe = {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      .share = 0.5,
      .family = WB_TAIL_PARETO}},
    {"GPD to the largest 90 % of a normal",
     {.recipe = {.family = MADE_NORMAL, .location = 1000, .scale = 20},
      .share = 0.9,
      .family = WB_TAIL_PARETO}},
    {"GPD to two modes, 6 scales apart",
     {.recipe = {.family = MADE_PARETO,
                 .location = 1000,
                 .scale = 20,
                 .modes = MADE_MODES_MIXED,
                 .mode_gap = 120,
                 .mode_share = 0.1},
      .family = WB_TAIL_PARETO}},
    {"GPD to GPD xi = 0.1 with an outlier in 50",
     {.recipe = {.family = MADE_PARETO,
                 .location = 1000,
                 .scale = 20,
                 .shape = 0.1,
                 .outlier_share = 0.02,
                 .outlier_size = 200},
      .family = WB_TAIL_PARETO}},
};

static const struct row ratios[] = {
    {"Gumbel: size", {.recipe = GEV(0), .family = WB_TAIL_GUMBEL}},
    {"Gumbel to GEV xi = 0.1", {.recipe = GEV(0.1), .family = WB_TAIL_GUMBEL}},
    {"Gumbel to GEV xi = 0.2", {.recipe = GEV(0.2), .family = WB_TAIL_GUMBEL}},
    {"Gumbel to GEV xi = -0.1", {.recipe = GEV(-0.1), .family = WB_TAIL_GUMBEL}},
    {"exponential: size", {.recipe = PARETO(0), .family = WB_TAIL_EXPONENTIAL}},
    {"exponential to GPD xi = 0.1", {.recipe = PARETO(0.1), .family = WB_TAIL_EXPONENTIAL}},
    {"exponential to GPD xi = 0.3", {.recipe = PARETO(0.3), .family = WB_TAIL_EXPONENTIAL}},
    {"exponential to GPD xi = -0.1", {.recipe = PARETO(-0.1), .family = WB_TAIL_EXPONENTIAL}},
};

static const struct row known[] = {
    {"Gumbel", {.recipe = GEV(0), .family = WB_TAIL_GUMBEL}},
    {"GEV xi = -0.2", {.recipe = GEV(-0.2), .family = WB_TAIL_GEV}},
    {"GEV xi = -0.1", {.recipe = GEV(-0.1), .family = WB_TAIL_GEV}},
    {"GEV xi = 0", {.recipe = GEV(0), .family = WB_TAIL_GEV}},
    {"GEV xi = 0.1", {.recipe = GEV(0.1), .family = WB_TAIL_GEV}},
    {"GEV xi = 0.2", {.recipe = GEV(0.2), .family = WB_TAIL_GEV}},
    {"GEV xi = 0.3", {.recipe = GEV(0.3), .family = WB_TAIL_GEV}},
    {"exponential", {.recipe = PARETO(0), .family = WB_TAIL_EXPONENTIAL}},
    {"GPD xi = -0.2", {.recipe = PARETO(-0.2), .family = WB_TAIL_PARETO}},
    {"GPD xi = -0.1", {.recipe = PARETO(-0.1), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0", {.recipe = PARETO(0), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0.1", {.recipe = PARETO(0.1), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0.2", {.recipe = PARETO(0.2), .family = WB_TAIL_PARETO}},
    {"GPD xi = 0.3", {.recipe = PARETO(0.3), .family = WB_TAIL_PARETO}},
};

/* ---- the tables ---- */

/* The first seed of a row for a count of values: no two rows have samples in common. */
static uint64_t seed_of(const struct row *row, size_t count)
{
  struct wb_random random = {.state = FIRST_SEED + count};
  for (const char *sign = row->name; *sign != '\0'; sign++)
    random.state = wb_random_next(&random) + (unsigned char)*sign;
  return wb_random_next(&random);
}

static double (*try_row(const struct row *row, trial_function *trial, unsigned replicates,
                        size_t count, size_t runs))[TRIAL_RESULTS]
{
  struct fit_trial tried = row->trial;
  tried.count = count;
  tried.replicates = replicates;
  tried.survival = 1e-6;
  return run_trials(trial, &tried, runs, seed_of(row, count), THREADS);
}

static double percent(double share)
{
  return 100 * share;
}

static void print_goodness(const struct row *row, size_t count, size_t runs)
{
  double(*rows)[TRIAL_RESULTS] = try_row(row, goodness_trial, REPLICATES, count, runs);
  printf("| %s | %zu | %.1f | %.1f |\n", row->name, count,
         percent(share_at_most(rows, runs, GOODNESS_A, 0.05)),
         percent(share_at_most(rows, runs, GOODNESS_W, 0.05)));
  free(rows);
}

static void print_ratio(const struct row *row, size_t count, size_t runs)
{
  double(*rows)[TRIAL_RESULTS] = try_row(row, ratio_trial, 0, count, runs);
  printf("| %s | %zu | %.1f | %.1f |\n", row->name, count,
         percent(share_at_most(rows, runs, RATIO_P, 0.05)),
         percent(share_at_most(rows, runs, RATIO_P, 0.01)));
  free(rows);
}

static void print_coverage(const struct row *row, size_t count, size_t runs)
{
  double(*rows)[TRIAL_RESULTS] = try_row(row, coverage_trial, 0, count, runs);
  printf("| %s | %zu | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f | %+.3f | %.1f |\n",
         row->name, count, percent(share_at_most(rows, runs, COVER_PROFILE, 0)),
         percent(mean_result(rows, runs, COVER_LOW)), percent(mean_result(rows, runs, COVER_OPEN)),
         percent(share_at_most(rows, runs, COVER_DELTA, 0)),
         percent(mean_result(rows, runs, COVER_DELTA_LOW)),
         percent(share_at_most(rows, runs, COVER_SHAPE, 0)),
         percent(share_at_most(rows, runs, COVER_SHAPE_WALD, 0)),
         mean_result(rows, runs, COVER_SHAPE_ERROR),
         percent(mean_result(rows, runs, COVER_FAILED)));
  free(rows);
}

static void print_bootstrap(const struct row *row, size_t count, size_t runs)
{
  double(*rows)[TRIAL_RESULTS] = try_row(row, coverage_trial, 199, count, runs);
  printf("| %s | %zu | %.1f | %.1f | %.1f |\n", row->name, count,
         percent(share_at_most(rows, runs, COVER_PROFILE, 0)),
         percent(share_at_most(rows, runs, COVER_BOOTSTRAP, 0)),
         percent(mean_result(rows, runs, COVER_BOOTSTRAP_LOW)));
  free(rows);
}

static void print_table(const char *heading, const struct row *rows, size_t count,
                        void (*print)(const struct row *, size_t, size_t),
                        const struct sizes *sizes)
{
  puts(heading);
  for (const char *sign = heading; *sign != '\0'; sign++)
    if (*sign == '|')
      fputs(sign[1] == '\0' ? "|\n" : "|---", stdout);
  for (size_t r = 0; r < count; r++)
    for (size_t k = 0; k < sizes->count; k++) {
      print(&rows[r], sizes->counts[k], sizes->runs);
      fflush(stdout);
    }
}

#define TABLE(HEADING, ROWS, PRINT)                                                                \
  print_table(HEADING, ROWS, sizeof(ROWS) / sizeof(ROWS)[0], PRINT, &sizes)

static struct sizes read_sizes(int argc, char **argv)
{
  struct sizes sizes = {.runs = 1000, .counts = {50, 200, 1000}, .count = 3};
  if (argc > 2)
    sizes.runs = strtoul(argv[2], NULL, 10);
  for (int a = 3; a < argc && a - 3 < 8; a++) {
    sizes.counts[a - 3] = strtoul(argv[a], NULL, 10);
    sizes.count = (size_t)(a - 2);
  }
  return sizes;
}

int main(int argc, char **argv)
{
  const struct sizes sizes = read_sizes(argc, argv);
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "size") == 0) {
    TABLE("| fitted and true | n | A² | W² |", right, print_goodness);
  } else if (strcmp(what, "power") == 0) {
    TABLE("| fitted to what is true | n | A² | W² |", wrong, print_goodness);
  } else if (strcmp(what, "ratio") == 0) {
    TABLE("| fitted to what is true | n | at 5 % | at 1 % |", ratios, print_ratio);
  } else if (strcmp(what, "coverage") == 0) {
    TABLE("| distribution | n | profile | below | open | delta | below | shape, profile | shape, "
          "error | bias of the shape | no fit |",
          known, print_coverage);
  } else if (strcmp(what, "bootstrap") == 0) {
    TABLE("| distribution | n | profile | bootstrap | below |", known, print_bootstrap);
  } else {
    fputs("usage: evt_fits size|power|ratio|coverage|bootstrap [RUNS [N...]]\n", stderr);
    return 2;
  }
  return 0;
}
