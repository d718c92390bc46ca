/* Simulated runs of a random launch, for tests. */
#ifndef TESTS_CROSS_LAUNCH_RUNS_H
#define TESTS_CROSS_LAUNCH_RUNS_H

#include "launch/simulation/launch_simulation.h"
#include "tiny_launch.h"

#include <stdbool.h>
#include <stdint.h>

/* A run by a policy and a seed; shorter: of 1000 times that are drawn below their most. events: all
 * of it is recorded. Fails the test where the simulator does. Free *run with
 * wb_simulated_launch_free. */
struct run_choice {
  enum wb_launch_policy policy;
  uint64_t seed;
  uint32_t shorter;
  bool events;
};

void launch_run(const struct tiny_launch *launch, const struct run_choice *choice,
                struct wb_simulated_launch *run);

/* The independent checker of runs accepts a run that is recorded with all of its events, and not
 * the same run said to take another time. */
void launch_run_check(const struct tiny_launch *launch, const struct run_choice *choice,
                      const struct wb_simulated_launch *run);

#endif
