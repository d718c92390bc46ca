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

#endif
