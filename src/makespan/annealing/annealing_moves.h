/* Neighbourhoods of the annealing: changes of a warp precedence string. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_MOVES_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_MOVES_H

#include "base/random.h"
#include "makespan/annealing/annealing_evaluation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number from 0 to bound - 1 without a division; bound > 0, at most 2^32. */
static inline uint64_t wb_annealing_below(struct wb_random *random, uint64_t bound)
{
  return (wb_random_next(random) >> 32) * bound >> 32;
}

/* Swaps the warps of two places. */
void wb_annealing_swap(uint32_t *order, size_t a, size_t b);

/* Moves the warp at one end of the window first..last to the other. */
void wb_annealing_rotate(uint32_t *order, size_t first, size_t last, bool to_end);

/* Warps first..end-1 whose bit, of their number modulo 64, is set. */
struct wb_annealing_group {
  uint32_t first;
  uint32_t end;
  uint64_t bits;
};

/* Makes of a window that holds `saved`: the group's warps before or after the others; both keep
 * their order. */
void wb_annealing_part(uint32_t *order, const uint32_t *saved, size_t count,
                       const struct wb_annealing_group *group, bool to_end);

/* The published neighbour (ETFA 2013): two places, any two, change their warps. Here and below,
 * of one repetition where the scheduler is fair between blocks. */
void wb_annealing_swap_any(struct wb_annealing_evaluation *evaluation, struct wb_random *random);

/* A neighbour within a window of a canonical string, from place `floor` on: two warps
 * swapped, one moved, or the window's warps of a random group (one warp, all but one, or
 * several) served before the others. Windows are of every order of magnitude. Needs two
 * places from `floor` on. The floor is 0 where the scheduler is fair between
 * blocks. */
void wb_annealing_change_window(struct wb_annealing_evaluation *evaluation, size_t floor,
                                struct wb_random *random);

/* The places in random order. */
void wb_annealing_shuffle(struct wb_annealing_evaluation *evaluation, struct wb_random *random);
/* Not where the scheduler is fair between blocks: from place `floor` on, each warp in turn, as
 * often as it stands there. */
void wb_annealing_serve_in_turn(struct wb_annealing_evaluation *evaluation, size_t floor);

#endif
