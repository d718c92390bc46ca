/* The worst time of a tiny launch by the words of doc/launch.md, "Model", for tests: every
 * schedule, every order of dispatch, every assignment of paths to warps and of warps to partitions.
 * Shares nothing with src/launch but the description of timed code.
 *
 *   struct launch_brute *brute = launch_brute_start(LAUNCH_BRUTE_STATE_LIMIT);
 *   uint32_t worst;
 *   if (launch_brute_worst(brute, &launch, &worst)) ..
 *   launch_brute_free(brute);
 */
#ifndef TESTS_CROSS_LAUNCH_BRUTE_H
#define TESTS_CROSS_LAUNCH_BRUTE_H

#include "tiny_launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAUNCH_BRUTE_STATE_LIMIT ((size_t)40000)

/* Longest remaining times by state; used again for each launch. */
struct launch_brute;

/* At most so many states of a launch. NULL where memory is out. */
struct launch_brute *launch_brute_start(size_t state_limit);

/* The most cycles that the launch may take, without its overhead. False: more states than the
 * limit, or more at a time than a state has room for. */
bool launch_brute_worst(struct launch_brute *brute, const struct tiny_launch *launch,
                        uint32_t *cycles);

/* States of the last launch. */
size_t launch_brute_states(const struct launch_brute *brute);

void launch_brute_free(struct launch_brute *brute);

#endif
