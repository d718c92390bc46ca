/* A proven potential: the bound on the makespan and the line over the numbers of warps that follow
 * from it (doc/potentials/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_PROOF_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_PROOF_H

#include "makespan/potential/piecewise_potential.h"
#include "makespan/potential/pool_abstraction.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Invariant: every move from a state in `state` leads to one of them or to the end, and gains at
 * least `gain` > 0, exactly, in integers; the start of the problem's W is among them. So T(W) <=
 * cycles. Owns all but the problem. */
struct wb_potential_proof {
  const struct wb_problem *problem;
  struct wb_pools pools;
  struct wb_potential potential;
  uint64_t *state;         /* the states that the start reaches, ascending */
  size_t state_count;      /* of them */
  int64_t gain;            /* least gain of a move, in units of 1 / scale cycles */
  uint32_t trailing;       /* trailing warps that were followed exactly; 0: none */
  uint64_t trailing_steps; /* moves looked at for them */
  bool has_line;           /* the start of steady_from warps is among the states */
  int64_t divisor;         /* with a line: T(W) <= (slope * W + offset) / divisor for every W >= */
  int64_t slope;           /* steady_from; else these four say nothing. With several components */
  int64_t offset;          /* `cycles` can be below the line. */
  uint32_t steady_from;
  uint64_t cycles; /* the bound for the problem's W */
  uint64_t plain;  /* the same without trailing warps */
};

/* T(W) <= (slope * W + offset) / divisor, rounded down, for every W from from_warps on, in the
 * smallest numbers. divisor 0: there is no line. */
struct wb_potential_line {
  int64_t slope;
  int64_t offset;
  int64_t divisor;
  uint32_t from_warps;
};

void wb_potential_proof_free(struct wb_potential_proof *proof);

/* The numbers that make the potential: the values of steps or positions, the own warp's, the
 * offsets of the states. Returns how many they are, and lists them, unless `numbers` is NULL. */
size_t wb_potential_numbers(struct wb_potential_proof *proof, int64_t **numbers);

/* The potential of the problem's start in cycles times scale: the largest over the components.
 * INFINITY where a number overflows. */
double wb_potential_at_start(const struct wb_potential_proof *proof);

/* Divides the listed numbers, which are all, by their greatest common divisor: the same proof in
 * smaller numbers. */
void wb_potential_reduce(struct wb_potential_proof *proof, int64_t *const *numbers, size_t count);

/* Derives the bound and the line from the potential and its gain. False: a number overflows, or
 * the bound is negative. */
bool wb_potential_derive_bound(struct wb_potential_proof *proof);

/* Takes a proof without trailing warps over to a problem that differs in W alone, which is at
 * least steady_from. False: a number overflows. */
bool wb_potential_take_over(struct wb_potential_proof *proof, const struct wb_problem *problem);

/* The proof's line, if it has one. */
struct wb_potential_line wb_potential_read_line(const struct wb_potential_proof *proof);

/* The bound of the proof's line, in cycles, for W = warps, at least steady_from. False where there
 * is no line, or a number overflows. */
bool wb_potential_line_at(const struct wb_potential_proof *proof, uint32_t warps, uint64_t *cycles);

#endif
