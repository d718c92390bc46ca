/* Where the blocks of a tiny launch start, for launch_brute.c: every order, every assignment of
 * paths to warps and of warps to partitions. */
#ifndef TESTS_CROSS_LAUNCH_PLACING_H
#define TESTS_CROSS_LAUNCH_PLACING_H

#include "launch_moment.h"

#include <stdint.h>

/* The longest time from a state in which blocks that can start do, on any SM with room. */
uint32_t placing_longest(struct launch_brute *brute, const struct moment *state);

/* The same, once a block has started on an SM. */
uint32_t placing_start(struct launch_brute *brute, const struct moment *state, uint32_t sm);

/* The same from a state in which no block can start, whose key is known: of launch_brute.c. */
uint32_t placing_cycle(struct launch_brute *brute, const struct moment *state, uint64_t key);

#endif
