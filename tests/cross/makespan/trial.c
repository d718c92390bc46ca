#include "trial.h"

#include "both_checkers.h"
#include "unit.h"

bool refute(struct trial *trial, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
  va_end(arguments);
  return false;
}

bool holds_schedule(struct trial *trial, const struct wb_schedule *schedule, const char *name)
{
  size_t length = strlen(trial->instance->letters);
  const uint32_t *cycles[MOST_WARPS];
  size_t counts[MOST_WARPS];
  if (schedule->issue_cycle == NULL || schedule->warps != trial->instance->warps ||
      schedule->length != length)
    return refute(trial, "%s: no schedule of that size", name);
  for (uint32_t w = 0; w < schedule->warps; w++) {
    cycles[w] = schedule->issue_cycle + w * length;
    counts[w] = length;
  }
  struct both_claims both;
  claim_for_both(&both, trial->instance, cycles, counts);
  struct reference_verdict verdict = reference_check(&both.reference);
  if (!verdict.valid || verdict.makespan != schedule->makespan)
    return refute(trial, "%s: reference checker: cycle %llu, warp %zu, makespan %llu", name,
                  (unsigned long long)verdict.cycle, verdict.warp,
                  (unsigned long long)verdict.makespan);
  uint64_t makespan;
  warpbound_error error = {0};
  if (wb_check_schedule(&both.claim, &makespan, &error) != WARPBOUND_OK)
    return refute(trial, "%s: %.120s", name, error.message);
  return makespan == schedule->makespan ||
         refute(trial, "%s: the checkers' makespans differ", name);
}

/* What is tried on an instance and on those that it shrinks to. */
struct examination {
  trial_holds *holds;
  void *found;
  uint64_t seed;
  struct trial trial;
};

static bool fails(const struct instance *instance, void *context)
{
  struct examination *examination = context;
  struct trial *trial = &examination->trial;
  *trial = (struct trial){.instance = instance,
                          .control = wb_control_start(NULL),
                          .seed = examination->seed,
                          .found = examination->found};
  if (!instance_problem(instance, &trial->problem))
    return !refute(trial, "normalisation refuses it");
  bool holds = examination->holds(trial);
  wb_problem_free(&trial->problem);
  return !holds;
}

static void report_failure(const struct instance *instance, struct examination *examination)
{
  char command[200];
  struct instance smallest = instance_shrink(*instance, fails, examination);
  fails(&smallest, examination);
  instance_command(&smallest, command, sizeof command);
  fail_msg("seed %llu: %s: %s", (unsigned long long)examination->seed, command,
           examination->trial.reason);
}

void trial_run_many(trial_maker *make, trial_holds *holds, uint64_t runs, void *found)
{
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  double start = wb_clock();
  for (uint64_t run = 0; run < runs; run++) {
    struct examination examination = {.holds = holds, .found = found, .seed = seed + run};
    struct wb_random random = {seed + run};
    struct instance instance = make(&random);
    if (fails(&instance, &examination))
      report_failure(&instance, &examination);
  }
  print_message("# %llu instances, seed %llu: %.1f s\n", (unsigned long long)runs,
                (unsigned long long)seed, wb_clock() - start);
}
