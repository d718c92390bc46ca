/* The frame of the tests on random instances of a whole SM, as trial.h is for one partition: one
 * instance under examination, what refutes it, and the simplest instance that is refuted too. */
#ifndef TESTS_CROSS_SM_TRIAL_H
#define TESTS_CROSS_SM_TRIAL_H

#include "base/work_control.h"
#include "random_sm_instance.h"

#include <stdbool.h>
#include <stdint.h>

/* An instance under examination. seed: the one it was made from, also for what a test throws dice
 * on. found: the test's own. reason: why it fails, once it does. */
struct sm_trial {
  const struct sm_instance *instance;
  struct wb_sm_problem problem;
  struct wb_control control;
  uint64_t seed;
  void *found;
  char reason[300];
};

/* Everything that must hold of an instance; false after sm_refute. */
typedef bool sm_trial_holds(struct sm_trial *trial);
typedef struct sm_instance sm_trial_maker(struct wb_random *random);

/* Says why an instance fails; false. */
bool sm_refute(struct sm_trial *trial, const char *format, ...) WB_PRINTF(2, 3);

/* Examines `runs` instances, each from a seed of its own, the first from WARPBOUND_SEED. Where one
 * does not hold the test fails with the simplest instance found that does not. */
void sm_trial_run_many(sm_trial_maker *make, sm_trial_holds *holds, uint64_t runs, void *found);

#endif
