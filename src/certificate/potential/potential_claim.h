/* The claim that a potential file makes, a bound on the makespan of any number of warps with the
 * potential that proves it (doc/potentials/potentials.md), and the checker's verdict. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_CLAIM_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_CLAIM_H

#include "base/status.h"
#include "base/work_control.h"
#include "certificate/claim_problem.h"

#include <stddef.h>
#include <stdint.h>

/* Pools at most: one for each of the types L, C, S, D, T and N. */
#define WB_CHECK_POTENTIAL_POOLS 6

/* The limits K and B of a pool are at most this, so that sums of two fit into 32 bits. */
#define WB_CHECK_POTENTIAL_COUNT_LIMIT (UINT32_C(1) << 30)

/* In place of a type: the end of the string. */
#define WB_CHECK_POTENTIAL_END '\0'

/* A pool: all runs of one type together. */
struct wb_check_potential_pool {
  /* The runs' type: L, C, S, D, T or N. */
  char type;
  /* K: a number of warps is exact below it, and K stands for K or more. */
  uint32_t warps;
  /* B: a number of remaining instructions is exact below it, and B stands for B or more. 0: none
   * is kept. */
  uint32_t work;
};

/* The value of a kind of step. */
struct wb_check_potential_value {
  /* The type of the instruction that issues. */
  char from;
  /* The same type: the warp stays in its run. Another: the type of the run that it enters.
   * WB_CHECK_POTENTIAL_END: it ends. */
  char to;
  /* Instructions of the run that is entered; 0 where that does not matter (a step inside a run, the
   * end, a step of the own warp). */
  uint64_t length;
  /* The value, in 1 / gain cycles. */
  int64_t value;
};

/* Values of steps, in any order. */
struct wb_check_potential_values {
  const struct wb_check_potential_value *list;
  size_t count;
};

/* One component of a piecewise linear potential, that of one type. It is active in a state where at
 * least `least` warps stand before an instruction of the type, or where no component's type has as
 * many as that component asks for. In all other states it is dominated: it is at most the weighted
 * mean of the components. */
struct wb_check_potential_component {
  /* The type of its pool. */
  char type;
  /* Warps from which on it is active, 1 to K of its pool. */
  uint32_t least;
  /* By component in the pools' order: the weights of that mean. */
  uint64_t weights[WB_CHECK_POTENTIAL_POOLS];
  /* By instruction of the string: the value of a warp other than the own one that has this
   * instruction next, in 1 / gain cycles. */
  const int64_t *values;
};

/* An abstract state, with its offset in every component. */
struct wb_check_potential_state {
  /* The type of the own warp's next instruction. */
  char own;
  /* By pool: how many of the other warps stand in it, cut off at K. */
  uint32_t warps[WB_CHECK_POTENTIAL_POOLS];
  /* By pool: how many instructions these still need to the ends of their runs, cut off at B. */
  uint32_t work[WB_CHECK_POTENTIAL_POOLS];
  /* By component (one where the claim has none): what the state adds to the warps' values, in
   * 1 / gain cycles. */
  int64_t offset[WB_CHECK_POTENTIAL_POOLS];
};

/* The claim that no work-conserving schedule of `warps` warps takes more than `cycles` cycles, and
 * the potential that is to prove it.
 * No invariant: numbers may be repeated, missing or senseless, and the checker trusts none. Borrows
 * everything that it points to. */
struct wb_check_potential_claim {
  /* The string, of the types L, C, S, D, T and N, and its machine. */
  struct wb_check_problem problem;
  /* W, the warps of the schedules. */
  uint64_t warps;
  /* The bound that is claimed. */
  uint64_t cycles;
  /* The line is claimed for this number of warps and every larger one; 0: no line is claimed. */
  uint64_t from_warps;
  /* g: by how much the potential falls in every cycle, at least. */
  int64_t gain;
  /* k: the bound and the line are those of the theorem that follows the k trailing warps exactly;
   * 0: those of the theorem without. */
  uint64_t trailing;
  /* One for each type of the string. */
  const struct wb_check_potential_pool *pools;
  size_t pool_count;
  /* None, or one for each pool in the pools' order; then `stay` and `leave` are empty. */
  const struct wb_check_potential_component *components;
  size_t component_count;
  /* Steps of the other warps inside their runs, and out of them. */
  struct wb_check_potential_values stay;
  struct wb_check_potential_values leave;
  /* The same of the own warp. */
  struct wb_check_potential_values own_stay;
  struct wb_check_potential_values own_leave;
  /* The states from which moves are checked: every one that the start reaches is among them. */
  const struct wb_check_potential_state *states;
  size_t state_count;
};

/* The bound and the line that a claim proves. */
struct wb_check_potential_verdict {
  /* T(warps) <= cycles, which is at most the claim's number. */
  uint64_t cycles;
  /* Where from_warps > 0: T(W) <= floor((slope * W + offset) / gain) for every W >= from_warps; in
   * 1 / gain cycles. Where trailing warps are followed, both are those of that theorem: the slack
   * of the start is the same for all these W, so no component with a path from the start rises
   * faster than the steepest of these, whose value over the string is the slope; the offset is such
   * that at from_warps the line equals the largest of them, rounded down to whole units of the
   * gain, which changes no quotient. */
  int64_t slope;
  int64_t offset;
};

/* ---- the check (potential_check.c) ---- */

/* Steps of work after which callers that set no other limit give up: minutes, far beyond any
 * potential of a few thousand states. */
#define WB_CHECK_POTENTIAL_WORK_LIMIT (UINT64_C(1) << 33)

/* Checks the premises of the theorems in doc/potentials/potentials.md: every step of the string has
 * one value (with components: of the own warp); from every state listed every abstract move of a
 * cycle gains at least the claim's gain and leads to a state listed or to the end; the start of
 * `warps` warps is listed, and that of from_warps, which must be the start of every larger number
 * too; and the bound that follows is at most `cycles`. Where trailing warps are followed that is
 * the bound less the slack that trailing_slacks.h finds, the leading warps' start must be that of
 * every larger number too, and at least `trailing` warps are claimed.
 *
 * States that no machine can be in (fewer remaining instructions than warps, say) are harmless: no
 * move begins there. Two entries for one state, and values for steps that the string does not have,
 * are refused: the maker made a mistake.
 *
 * WARPBOUND_OK sets *verdict; it is left alone otherwise. WARPBOUND_CHECK_FAILED: the message names
 * the first violation, states in the order of the claim. WARPBOUND_INVALID_INPUT: the string or the
 * units make no sense. WARPBOUND_LIMIT: more than `work_limit` steps of work, or tables beyond
 * 4 million entries (with trailing warps as many steps again, tables of 512 MiB, and at most 6 of
 * these warps); nothing is decided.
 * Time: for each state and choice of what issues, the product over the pools of the ways in which
 * each can change; memory: the states and those ways. All numbers have 64 bits and are checked: a
 * claim in which they overflow is refused. */
warpbound_status wb_check_potential(const struct wb_check_potential_claim *claim,
                                    uint64_t work_limit, struct wb_check_potential_verdict *verdict,
                                    warpbound_error *error);

/* The same under a control, which is asked every 2^18 steps of work: WARPBOUND_LIMIT too where it
 * says stop. NULL: none. */
warpbound_status wb_check_potential_under(const struct wb_check_potential_claim *claim,
                                          uint64_t work_limit, const struct wb_control *control,
                                          struct wb_check_potential_verdict *verdict,
                                          warpbound_error *error);

#endif
