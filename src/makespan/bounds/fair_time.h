/* The formula of 2011 for the time of a kernel's threads on one SM, FT (doc/makespan.md). */
#ifndef WB_MAKESPAN_BOUNDS_FAIR_TIME_H
#define WB_MAKESPAN_BOUNDS_FAIR_TIME_H

#include "model/problem.h"

#include <stdbool.h>
#include <stdint.h>

/* Published, NOT safe: FT = 3 W + 2 + 2 W (rep - 1) cycles, W being the warps of 16 threads. False
 * where the problem does not have the shape that the formula is about: the string C (LLC)^rep L,
 * one load/store and two CUDA core instructions a cycle, at most two in all or no cap that binds;
 * the repetitions of LLC being the blocks between which the scheduler is fair, or only one of them
 * and no blocks; no units shared. False also where FT does not fit in 64 bits. */
bool wb_published_fair_time(const struct wb_problem *problem, uint64_t *cycles);

#endif
