/* One run of the annealing on a whole SM: a walk from an initial precedence string. */
#ifndef WB_SM_ANNEALING_SM_WALK_H
#define WB_SM_ANNEALING_SM_WALK_H

#include "makespan/annealing/annealing_result.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_order.h"

#include <stdbool.h>
#include <stdint.h>

/* What a walk needs and leaves behind. order: with room for the problem's strings. any: the warps'
 * strings may change. upper: the walk ends where it reaches it. start: in wb_clock, what seconds
 * are counted from. goes_on is asked now and then, with the iterations done since. best,
 * best_strings: out, the longest string met and the strings of its warps. All is borrowed. */
struct wb_sm_walk {
  const struct wb_annealing_options *options;
  struct wb_sm_order *order;
  bool any;
  uint64_t upper;
  double start;
  bool (*goes_on)(void *context, uint64_t iterations);
  void *context;
  uint32_t *best;
  uint32_t *best_strings;
};

/* Walks from the string that the order has been given, shuffled where run->initial is the random
 * one. run: zeroed but for its `initial`; what it did. false: no memory. */
bool wb_sm_walk_run(const struct wb_sm_walk *walk, uint64_t seed, struct wb_annealing_run *run);

#endif
