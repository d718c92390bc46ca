/* The bracket that the pipeline prints for strings with barriers, blocks, partitions and shared
 * units, against brute force with explicit warps. Every method; an end of kind exact is the truth,
 * and the witness is no longer than it and not below the lower end by a schedule.
 *   WARPBOUND_CROSS_RUNS  ten times the instances of each method (20000), a hundred times those of
 *                         the beams
 *   WARPBOUND_SEED        seed of the first one */
#include "analysis/makespan/makespan_analysis.h"
#include "both_checkers.h"
#include "sm_trial.h"
#include "unit.h"

/* What a method did over all instances. */
struct tally {
  struct wb_analysis_options options;
  uint64_t brackets;
  uint64_t exact;
};

static struct sm_instance one_string(struct wb_random *random)
{
  struct sm_instance instance = sm_instance_random(random);
  instance.string_count = 1;
  return instance;
}

static bool make_question(const struct sm_instance *instance, struct wb_instance *question,
                          warpbound_error *error)
{
  struct wb_sm_configuration sm;
  struct wb_kernel_string kernel;
  wb_sm_configuration_start(&sm, "random");
  sm.issue_slots = instance->issue_slots;
  sm.partitions = instance->partitions;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    sm.unit[u] = (struct wb_unit_capacity){.numerator = instance->capacity[u],
                                           .denominator = 1,
                                           .hold = 1,
                                           .shared = instance->shared[u]};
  if (wb_kernel_string_parse(instance->strings[0], NULL, &kernel, error) != WARPBOUND_OK)
    return false;
  const warpbound_status status = wb_instance_make(&kernel, &sm, sm_instance_warps(instance),
                                                   instance->blocks, NULL, question, error);
  wb_kernel_string_free(&kernel);
  return status == WARPBOUND_OK;
}

static bool holds(struct sm_trial *trial, const struct warpbound_result *result, uint32_t worst)
{
  const uint64_t lower = result->lower.cycles;
  const uint64_t upper = result->upper.cycles;
  const uint64_t witness = result->whole_witness.issue_cycle != NULL
                               ? result->whole_witness.makespan
                               : result->witness.makespan;
  if (lower > worst || upper < worst || witness > worst)
    return sm_refute(trial, "[%u, %u] by %s and %s, witness %u, but the worst case is %u",
                     (unsigned)lower, (unsigned)upper, result->lower.name, result->upper.name,
                     (unsigned)witness, worst);
  if (result->exact != (lower == upper))
    return sm_refute(trial, "exact or not");
  return true;
}

static bool is_bracketed(struct sm_trial *trial)
{
  struct tally *tally = trial->found;
  struct wb_instance question;
  struct warpbound_result result;
  warpbound_error error = {0};
  const struct sm_instance *instance = trial->instance;
  uint32_t worst = 0;
  struct sm_brute *brute = sm_brute_start(instance, true, SM_BRUTE_STATE_LIMIT);
  assert_non_null(brute);
  if (!sm_brute_worst(brute, &worst, NULL))
    worst = 0;
  sm_brute_free(brute);
  if (worst == 0)
    return sm_refute(trial, "too large");
  if (!make_question(trial->instance, &question, &error))
    return sm_refute(trial, "%s", error.message);
  const warpbound_status status = wb_analyse_makespan(&question, &tally->options, &result, &error);
  bool good = status == WARPBOUND_OK || status == WARPBOUND_LIMIT;
  if (!good) {
    sm_refute(trial, "status %d: %s", (int)status, error.message);
  } else {
    good = holds(trial, &result, worst);
    tally->brackets++;
    tally->exact += result.exact;
    wb_result_clear(&result);
  }
  wb_instance_clear(&question);
  return good;
}

static void run_method(warpbound_method method, bool simulate_only, uint64_t part,
                       double least_exact)
{
  struct tally tally = {
      .options = {.limits = {.method = method, .threads = 1, .policies_only = simulate_only},
                  .annealing = {.iterations = 200, .runs = 2}}};
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / part;
  sm_trial_run_many(one_string, is_bracketed, runs, &tally);
  print_message("# %llu brackets, %llu exact\n", (unsigned long long)tally.brackets,
                (unsigned long long)tally.exact);
  assert_true((double)tally.exact >= least_exact * (double)tally.brackets);
}

/* Small instances are all solved. */
TEST(searches_are_exact)
{
  run_method(WARPBOUND_METHOD_AUTO, false, 10, 1.0);
}

TEST(bounds_hold)
{
  run_method(WARPBOUND_METHOD_BOUNDS, false, 100, 0.3);
}

TEST(annealing_holds)
{
  run_method(WARPBOUND_METHOD_ANNEAL, false, 10, 0.3);
}

TEST(simulations_hold)
{
  run_method(WARPBOUND_METHOD_BOUNDS, true, 10, 0.05);
}
