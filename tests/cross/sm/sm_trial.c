#include "sm_trial.h"

#include "both_checkers.h"
#include "unit.h"

bool sm_refute(struct sm_trial *trial, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
  va_end(arguments);
  return false;
}

/* What is tried on an instance and on those that it shrinks to. */
struct examination {
  sm_trial_holds *holds;
  void *found;
  uint64_t seed;
  struct sm_trial trial;
};

static bool fails(const struct sm_instance *instance, void *context)
{
  struct examination *examination = context;
  struct sm_trial *trial = &examination->trial;
  *trial = (struct sm_trial){.instance = instance,
                             .control = wb_control_start(NULL),
                             .seed = examination->seed,
                             .found = examination->found};
  if (!sm_instance_problem(instance, &trial->problem))
    return !sm_refute(trial, "normalisation refuses it");
  bool holds = examination->holds(trial);
  wb_sm_problem_free(&trial->problem);
  return !holds;
}

static void report_failure(const struct sm_instance *instance, struct examination *examination)
{
  char text[400];
  struct sm_instance smallest = sm_instance_shrink(*instance, fails, examination);
  fails(&smallest, examination);
  sm_instance_describe(&smallest, text, sizeof text);
  fail_msg("seed %llu: %s: %s", (unsigned long long)examination->seed, text,
           examination->trial.reason);
}

void sm_trial_run_many(sm_trial_maker *make, sm_trial_holds *holds, uint64_t runs, void *found)
{
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  double start = wb_clock();
  for (uint64_t run = 0; run < runs; run++) {
    struct examination examination = {.holds = holds, .found = found, .seed = seed + run};
    struct wb_random random = {seed + run};
    struct sm_instance instance = make(&random);
    if (fails(&instance, &examination))
      report_failure(&instance, &examination);
  }
  print_message("# %llu instances on a whole SM, seed %llu: %.1f s\n", (unsigned long long)runs,
                (unsigned long long)seed, wb_clock() - start);
}
