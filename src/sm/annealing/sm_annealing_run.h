/* One run of the annealing on a whole SM, from an initial precedence string. */
#ifndef WB_SM_ANNEALING_SM_ANNEALING_RUN_H
#define WB_SM_ANNEALING_SM_ANNEALING_RUN_H

#include "makespan/annealing/annealing_result.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_order.h"

#include <stdbool.h>
#include <stdint.h>

/* The input of a run. Borrows everything. */
struct wb_sm_annealing_run_input {
  const struct wb_annealing_options *options;
  struct wb_sm_order *order; /* with room for the problem's strings */
  bool any;                  /* the warps' strings may change */
  uint64_t upper;            /* cycles: the run ends where it reaches this */
  double start;              /* on wb_clock: seconds are counted from here */
  /* Is asked now and then, with the iterations done since, whether to go on. */
  bool (*goes_on)(void *context, uint64_t iterations);
  void *context;          /* of goes_on */
  uint32_t *best;         /* out: the longest string met */
  uint32_t *best_strings; /* out: the strings of its warps */
};

/* Anneals from the string that the order has been given, which is shuffled first where the run's
 * initial string is the random one. run: in, its `initial`, the rest zero; out, what it did. False:
 * memory is out. */
bool wb_sm_annealing_run_from(const struct wb_sm_annealing_run_input *input, uint64_t seed,
                              struct wb_annealing_run *run);

#endif
