/* Whether a schedule of a whole SM keeps the words of model/problem.h, for tests: every warp of
 * every cycle by itself. Shares nothing with the engine. */
#ifndef TESTS_CROSS_SM_SCHEDULE_RULES_H
#define TESTS_CROSS_SM_SCHEDULE_RULES_H

#include "makespan/machine/schedule.h"
#include "sm_brute_force.h"

#include <stdbool.h>

/* reason: NULL, or what is wrong, static. */
bool sm_schedule_keeps_rules(const struct sm_instance *instance, const struct wb_schedule *schedule,
                             const char **reason);

#endif
