/* Potentials: upper bounds by linear programming over the pool abstraction, for any
 * number of warps (doc/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_H
#define WB_MAKESPAN_POTENTIAL_H

#include "base/control.h"
#include "makespan/potential_pieces.h"
#include "model/problem.h"

#include <stdint.h>

/* A proven potential. Every move from a state that the start reaches gains at least
 * `gain` > 0 (exactly, in integers), so T(W) <= (slope * W + offset) / divisor for the
 * problem's W and, from steady_from on, for every W. cycles: the bound for the problem's W,
 * rounded down; with several pieces it can be below the line. plain: the same without a rear. rear:
 * how many of the rearmost warps were followed for that (potential_rear.h), 0: none; rear_steps:
 * moves looked at for it. state[0 .. state_count-1]: the states reached, ascending. Owns all but
 * the problem. */
struct wb_potential_proof {
  const struct wb_problem *problem;
  struct wb_pools pools;
  struct wb_potential potential;
  uint64_t *state;
  size_t state_count;
  int64_t gain;
  uint32_t rear;
  uint64_t rear_steps;
  int64_t divisor;
  int64_t slope;
  int64_t offset;
  uint32_t steady_from;
  uint64_t cycles;
  uint64_t plain;
};

/* How much one synthesis may spend, in numbers that do not depend on the machine:
 * unknowns of the linear program, and states; steps of one walk over all states, rounds. heights:
 * up to so many each state has one of its own for every piece; beyond, they are sums over what the
 * pools hold, which are far fewer unknowns and bounds of about a hundredth more. */
struct wb_potential_effort {
  size_t unknowns;
  size_t heights;
  uint64_t steps;
  unsigned rounds;
};

/* What a synthesis gave. found: *proof holds a potential with cycles < `below`, the best of the
 * abstraction unless it ended early. stop: why it did (WB_STOP_MEMORY: beyond the effort). */
struct wb_potential_outcome {
  bool found;
  enum wb_stop stop;
};

/* Looks for the best potential of the pool abstraction with these limits and of this shape:
 * a linear program over values and heights whose rows, the moves that gain too little, are found
 * by walking all moves under the program's last answer, until there is none. Then the
 * answer is rounded to rationals and all moves are checked exactly. Gives up where no
 * potential of the abstraction can prove fewer than `below` cycles. coarser (or NULL): a proof
 * for the same problem with smaller limits; the program starts near it. Deterministic.
 * Errors: WARPBOUND_INTERNAL. Free the proof with wb_potential_proof_free. */
warpbound_status
wb_potential_prove(const struct wb_problem *problem, const struct wb_pool_limits *limits,
                   const struct wb_potential_shape *shape, const struct wb_potential_proof *coarser,
                   uint64_t below, const struct wb_potential_effort *effort,
                   const struct wb_control *control, struct wb_potential_proof *proof,
                   struct wb_potential_outcome *outcome, warpbound_error *error);

/* Takes a proof without a rear over to a problem that differs in W alone, which is at least
 * steady_from. False: a number overflows. */
bool wb_potential_take_over(struct wb_potential_proof *proof, const struct wb_problem *problem);

/* The proof's bound for W = warps, at least steady_from; false where a number overflows. */
bool wb_potential_line(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles);
void wb_potential_proof_free(struct wb_potential_proof *proof);

#endif
