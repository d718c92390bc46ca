/* The frame of the tests on random instances: one instance under examination, what refutes it, and
 * the simplest instance that is refuted too. */
#ifndef TESTS_CROSS_TRIAL_H
#define TESTS_CROSS_TRIAL_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "random_instance.h"

#include <stdbool.h>
#include <stdint.h>

/* An instance under examination. seed: the one it was made from, also for what a test throws dice
 * on. found: the test's own. reason: why it fails, once it does. */
struct trial {
  const struct instance *instance;
  struct wb_problem problem;
  struct wb_control control;
  uint64_t seed;
  void *found;
  char reason[300];
};

/* Everything that must hold of an instance; false after refute. */
typedef bool trial_holds(struct trial *trial);
typedef struct instance trial_maker(struct wb_random *random);

/* Says why an instance fails; false. */
bool refute(struct trial *trial, const char *format, ...) WB_PRINTF(2, 3);

/* Both checkers accept the schedule, with the makespan that it says. */
bool holds_schedule(struct trial *trial, const struct wb_schedule *schedule, const char *name);

/* Examines `runs` instances, each from a seed of its own, the first from WARPBOUND_SEED. Where one
 * does not hold the test fails with the simplest instance found that does not. */
void trial_run_many(trial_maker *make, trial_holds *holds, uint64_t runs, void *found);

#endif
