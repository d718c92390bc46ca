/* One function under the oracle, for tests: the abstract interpretation, then many runs, each
 * of which must stay within its graph. */
#ifndef TESTS_CROSS_SIMT_TRIAL_H
#define TESTS_CROSS_SIMT_TRIAL_H

#include "cfg/simt_analysis.h"
#include "model/code.h"

#include <stdint.h>

/* The analysis refused the function (why: in reason), or all runs were within the graph, or one
 * was not, and reason says where. */
enum simt_outcome { SIMT_REFUSED, SIMT_HOLDS, SIMT_FAILS };

/* Runs with seeds first_seed .. first_seed + seeds - 1, mostly of 32 lanes. The
 * counts go on from trial to trial. */
struct simt_trial {
  struct wb_simt_options options;
  uint64_t first_seed;
  uint64_t seeds;
  uint64_t step_limit;
  char reason[300];
  uint64_t runs;
  uint64_t steps;
  uint64_t splits;
  uint64_t reactivations;
  uint64_t balanced_loops;
  uint64_t back_edges; /* of balanced loops */
  uint64_t assumed;    /* functions with a pop whose token the analysis assumes to be there */
};

/* Besides transitions: the ends of blocks, points of divergence, what is pushed and popped and
 * how often, annotations, balanced loops. No run may be refused where the analysis was not,
 * other than by a missing token that the analysis named as an assumption. */
enum simt_outcome simt_try(const struct wb_code *code, const struct wb_function *function,
                           struct simt_trial *trial);

#endif
