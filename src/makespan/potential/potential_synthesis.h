/* The synthesis of a potential: an upper bound by linear programming over the pool abstraction, for
 * any number of warps (doc/potentials/search.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_SYNTHESIS_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_SYNTHESIS_H

#include "base/work_control.h"
#include "makespan/potential/potential_proof.h"
#include "model/problem.h"

#include <stdint.h>

/* How much one synthesis may spend, in numbers that do not depend on the machine. */
struct wb_potential_effort {
  size_t unknowns; /* of the linear program, and states */
  /* Up to so many state offsets are unknowns themselves. More are sums over what the pools hold:
   * far fewer unknowns, and bounds of about a hundredth more. */
  size_t state_offsets;
  uint64_t steps;  /* moves looked at while the states are found */
  unsigned rounds; /* solutions of the linear program */
  /* Iterations times entries of the matrix, in all rounds, of which a processor does some 500
   * million a second; 0: no limit. */
  uint64_t simplex;
  uint64_t all_steps; /* moves looked at in all; 0: no limit */
};

/* The outcome of a synthesis. */
struct wb_potential_outcome {
  bool found;        /* a potential with cycles < `below`, the abstraction's best unless stopped */
  enum wb_stop stop; /* why it ended early (WB_STOP_MEMORY: beyond the effort) */
  uint64_t steps;    /* moves looked at */
  uint64_t simplex;  /* what the linear program has cost, as in the effort */
};

/* The question of a synthesis. Borrows all. */
struct wb_potential_question {
  const struct wb_problem *problem;
  const struct wb_pool_limits *limits;
  const struct wb_potential_shape *shape;
  const struct wb_potential_proof *coarser; /* NULL, or a proof for the same problem with smaller
                                               limits, where the program starts */
  uint64_t below;                           /* cycles: only a smaller bound is wanted */
  const struct wb_potential_effort *effort;
  const struct wb_control *control;
};

/* Looks for the best potential of the pool abstraction with these limits and of this shape, by
 * cutting planes: the rows of the linear program, moves that gain too little, are found by checking
 * all moves under its last solution, rounded to rationals, in exact arithmetic, until there is
 * none. Gives up where no potential of the abstraction can prove fewer than `below` cycles.
 * Deterministic but for time limits. Errors: WARPBOUND_INTERNAL (memory). Free the proof with
 * wb_potential_proof_free. */
warpbound_status wb_potential_prove(const struct wb_potential_question *question,
                                    struct wb_potential_proof *proof,
                                    struct wb_potential_outcome *outcome, warpbound_error *error);

#endif
