/* Times that extreme value statistics must not be plainly applied to: modes that overlap, warm-ups,
 * periods, drift, dependence, coarse or capped times. */
#ifndef TESTS_HELPERS_BAD_TIMES_H
#define TESTS_HELPERS_BAD_TIMES_H

#include <stddef.h>
#include <stdint.h>

/* What is wrong with each kind, in standard deviations of the times without it. */
#define BAD_KINDS 15
extern const char *const bad_kinds[BAD_KINDS];

/* `count` times of a kind from the seed: around `place`, with normal deviations of `scale`. */
void make_bad_times(size_t kind, size_t count, double place, double scale, uint64_t seed,
                    double *times);

#endif
