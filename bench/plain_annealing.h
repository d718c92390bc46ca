/* The published annealing as anybody would write it: rivals for the benchmark, and the
 * same walk, swap for swap, as src/makespan/annealing/annealing_run.c. */
#ifndef BENCH_PLAIN_ANNEALING_H
#define BENCH_PLAIN_ANNEALING_H

#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* suffix: evaluates from the first changed place on (the warp cycle string of the paper),
 * else the whole string. Returns the largest makespan met, 0 where memory is out. */
uint64_t plain_annealing(const struct wb_problem *problem, const uint32_t *initial,
                         uint64_t iterations, double temperature, uint64_t seed, bool suffix);

#endif
