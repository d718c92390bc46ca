/* Potentials: upper bounds by linear programming over the pool abstraction, for any
 * number of warps (doc/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_H

#include "base/control.h"
#include "makespan/potential/potential_pieces.h"
#include "model/problem.h"

#include <stdint.h>

/* A proven potential. Every move from a state that the start reaches gains at least
 * `gain` > 0 (exactly, in integers), so T(W) <= cycles for the problem's W. has_line: the start of
 * steady_from warps, which is that of every larger number, is among these states, so T(W) <=
 * (slope * W + offset) / divisor for every W from steady_from on; without it these four say
 * nothing. With several pieces cycles can be below the line. plain: cycles without a rear. rear:
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
  uint32_t trailing;
  uint64_t trailing_steps;
  bool has_line;
  int64_t divisor;
  int64_t slope;
  int64_t offset;
  uint32_t steady_from;
  uint64_t cycles;
  uint64_t plain;
};

/* T(W) <= (slope * W + offset) / divisor, rounded down, for every W from from_warps on. divisor 0:
 * no line. */
struct wb_potential_line {
  int64_t slope;
  int64_t offset;
  int64_t divisor;
  uint32_t from_warps;
};

/* How much one synthesis may spend, in numbers that do not depend on the machine:
 * unknowns of the linear program, and states; steps of one walk over all states, rounds. heights:
 * up to so many each state has one of its own for every piece; beyond, they are sums over what the
 * pools hold, which are far fewer unknowns and bounds of about a hundredth more. simplex: what the
 * linear program may cost in all its rounds, iterations times the entries of its matrix, of which a
 * processor does some 500 million a second; walks: steps of all walks; 0 of either: no limit. */
struct wb_potential_effort {
  size_t unknowns;
  size_t heights;
  uint64_t steps;
  unsigned rounds;
  uint64_t simplex;
  uint64_t walks;
};

/* What a synthesis gave. found: *proof holds a potential with cycles < `below`, the best of the
 * abstraction unless it ended early. stop: why it did (WB_STOP_MEMORY: beyond the effort). steps,
 * simplex: what all its walks and its linear program have cost. */
struct wb_potential_outcome {
  bool found;
  enum wb_stop stop;
  uint64_t steps;
  uint64_t simplex;
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

/* The proof's line, if it has one, in the smallest numbers. */
struct wb_potential_line wb_potential_read_line(const struct wb_potential_proof *proof);

/* The bound of the proof's line for W = warps, at least steady_from; false where there is no line,
 * or a number overflows. */
bool wb_potential_line_at(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles);
void wb_potential_proof_free(struct wb_potential_proof *proof);

#endif
