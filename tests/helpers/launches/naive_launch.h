/* A second simulator of launches, cycle by cycle, without any cleverness: what each warp, request
 * and resource does is looked up anew in every cycle. */
#ifndef WB_TESTS_HELPERS_NAIVE_LAUNCH_H
#define WB_TESTS_HELPERS_NAIVE_LAUNCH_H

#include "launch/simulation/launch_simulation.h"

/* Fills cycles, instructions, longest_block, busy, and events of kinds ISSUE and REQUEST (all, in
 * no order). Orders and draws are those that the options' seed means to the simulator under test.
 * The caller frees it with wb_simulated_launch_free. */
void naive_launch(const struct wb_timed_code *code, const struct wb_launch_shape *shape,
                  const struct wb_simulation_options *options, struct wb_simulated_launch *launch);

#endif
