/* Positions of the trailing warps: ascending sequences, numbered. */
#ifndef WB_MAKESPAN_POTENTIAL_TRAILING_POSITIONS_H
#define WB_MAKESPAN_POTENTIAL_TRAILING_POSITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most trailing warps that are followed. */
#define WB_POTENTIAL_TRAILING_LIMIT 4

/* The number of ascending sequences of `count` positions from 0 to `last`, at most
 * WB_POTENTIAL_TRAILING_LIMIT; UINT64_MAX beyond 64 bits. */
uint64_t wb_trailing_count(uint64_t last, uint32_t count);

/* The rank of a sequence among all of its length, ordered by their last positions, then by those
 * before; there are less than 2^64. Steps of any warps lead to higher ranks. */
size_t wb_trailing_rank(const size_t *position, uint32_t count);

/* Makes the sequence the one of the next lower rank; false: it is the first. */
bool wb_trailing_step_back(size_t *position, uint32_t count);

#endif
