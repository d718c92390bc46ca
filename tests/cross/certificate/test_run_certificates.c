/* The checker of cuts into runs against the table of the searches and against the exact
 * worst case, on random instances and random cuts.
 *   WARPBOUND_CROSS_RUNS  instances (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "both_checkers.h"
#include "certificate/runs/run_check.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/runs/run_table.h"
#include "trial.h"
#include "unit.h"

/* A cut, for both sides. */
struct cut {
  uint32_t lengths[INSTANCE_LENGTH_LIMIT];
  struct wb_run runs[INSTANCE_LENGTH_LIMIT];
  size_t count;
};

/* T(W) of the instance; and how often some cut gave less than another. */
struct found {
  uint64_t exact;
  uint64_t finer;
};

static struct found *found_of(const struct trial *trial)
{
  return trial->found;
}

/* Whether the checker says `verdict` of a claim of so many cycles, and where it accepts
 * it that the longest path has `path`. */
static bool judges(struct trial *trial, const struct cut *cut, uint64_t cycles,
                   warpbound_status verdict, uint64_t path)
{
  struct wb_check_run_claim claim = {.problem.letters = trial->instance->letters,
                                     .problem.length = strlen(trial->instance->letters),
                                     .problem.issue_slots = trial->instance->issue_slots,
                                     .warps = trial->instance->warps,
                                     .cycles = cycles,
                                     .lengths = cut->lengths,
                                     .count = cut->count};
  for (unsigned u = 0; u < INSTANCE_UNIT_TYPES; u++)
    claim.problem.capacity[u] = trial->instance->capacity[u];
  struct wb_check_run_verdict proof = {0};
  warpbound_error error = {0};
  warpbound_status status = wb_check_run(&claim, &trial->control, &proof, &error);
  bool right = status == verdict && (status != WARPBOUND_OK || proof.cycles == path);
  return right || refute(trial, "%zu segments, %llu claimed: path %llu, expected %llu: %.80s",
                         cut->count, (unsigned long long)cycles, (unsigned long long)proof.cycles,
                         (unsigned long long)path, error.message);
}

/* Both sides agree, in cells of one byte and of two, and a cycle less is refused. */
static bool holds_cut(struct trial *trial, struct cut *cut, uint64_t *path)
{
  /* The longest path by the table of the searches. */
  struct wb_run_table table = {0};
  struct wb_run_cut borrowed = {cut->runs, cut->count};
  uint64_t needed, done;
  enum wb_stop stop;
  const struct wb_run_table_options options = {.cut = borrowed, .most = UINT64_MAX};
  uint64_t states = wb_run_table_plan(&trial->problem, &options, UINT64_C(1) << 30, &needed);
  bool made = states > 0 &&
              wb_run_table_start(&table, &trial->problem, &options, NULL) == WARPBOUND_OK &&
              wb_run_table_fill(&table, &trial->control, &stop, &done, NULL) == WARPBOUND_OK &&
              done == states;
  if (made)
    *path = table.makespan[trial->instance->warps];
  wb_run_table_free(&table);
  if (!made && !refute(trial, "%zu segments: no table", cut->count))
    return false;
  if (*path < found_of(trial)->exact)
    return refute(trial, "%zu segments: %llu, below T = %llu", cut->count,
                  (unsigned long long)*path, (unsigned long long)found_of(trial)->exact);
  return judges(trial, cut, *path, WARPBOUND_OK, *path) &&
         judges(trial, cut, 60000, WARPBOUND_OK, *path) &&
         judges(trial, cut, *path - 1, WARPBOUND_CHECK_FAILED, *path);
}

/* The maximal runs, a random cut, and the string letter by letter, which is exact. */
static bool holds_cuts(struct trial *trial)
{
  uint64_t path[3];
  for (unsigned k = 0; k < 3; k++) {
    /* Cuts the string at every change of type and, 2 k times in four, elsewhere; where
     * depends on the seed alone, so that a smaller instance has such a cut too. */
    struct wb_random random = {trial->seed};
    const char *letters = trial->instance->letters;
    struct cut cut = {.count = 0};
    for (size_t i = 0; letters[i] != '\0'; i++) {
      if (i == 0 || letters[i] != letters[i - 1] || wb_random_below(&random, 4) < UINT64_C(2) * k) {
        cut.lengths[cut.count] = 0;
        cut.runs[cut.count++] = (struct wb_run){wb_unit_from_letter(letters[i]), 0};
      }
      cut.lengths[cut.count - 1]++;
      cut.runs[cut.count - 1].length++;
    }

    if (!holds_cut(trial, &cut, &path[k]))
      return false;
  }
  found_of(trial)->finer += path[1] < path[0] || path[2] < path[1];
  if (path[1] > path[0] || path[2] > path[1])
    return refute(trial, "a finer cut gives more");
  return path[2] == found_of(trial)->exact || refute(trial, "letter by letter: not T");
}

static bool holds_all(struct trial *trial)
{
  trial->control.threads = trial->seed % 8 == 0 ? 3 : 1;
  FREED_BY(wb_search_free) struct wb_search search = {0};
  uint64_t largest;
  bool found =
      wb_bound_closed_form(&trial->problem, &largest, NULL) == WARPBOUND_OK &&
      wb_dense_search(&trial->problem, largest, &trial->control, &search, NULL) == WARPBOUND_OK &&
      search.makespan != NULL;
  if (found)
    found_of(trial)->exact = search.makespan[trial->instance->warps];
  return (found || refute(trial, "dense search: nothing found")) && holds_cuts(trial);
}

TEST(checker_agrees_with_the_table)
{
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  trial_run_many(instance_random, holds_all, runs, &found);
  print_message("# a finer cut gave less on %llu\n", (unsigned long long)found.finer);
  assert_true(runs < 1000 || found.finer > 0);
}
