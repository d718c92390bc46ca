/* The independent checker of potentials: upper bounds for any number of warps, as
 * doc/potentials.md defines and proves them. It includes nothing of what finds
 * potentials, and takes plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_CHECK_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_CHECK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Pools at most: one for each of the types L, C, S, D and N. */
#define WB_CHECK_POTENTIAL_POOLS 5

/* Limits K and B are at most this, so that sums of two fit 32 bits. */
#define WB_CHECK_POTENTIAL_COUNT_LIMIT (UINT32_C(1) << 30)

/* Steps of work after which wb_check_potential gives up unless told otherwise:
 * minutes, far beyond any potential of a few thousand states. */
#define WB_CHECK_POTENTIAL_WORK_LIMIT (UINT64_C(1) << 33)

/* In place of a type: the end of the string. */
#define WB_CHECK_POTENTIAL_END '\0'

/* A pool keeps its warps exactly below `warps` (K) and its work exactly below
 * `work` (B); 0: no work is kept. */
struct wb_check_potential_pool {
  char type;
  uint32_t warps;
  uint32_t work;
};

/* The value of a kind of step. to == from: the step stays within its run; else the
 * type of the run that it enters, or WB_CHECK_POTENTIAL_END. length: of the run entered,
 * 0 where that does not matter (stays, the end, the own warp). */
struct wb_check_potential_value {
  char from;
  char to;
  uint64_t length;
  int64_t value;
};

struct wb_check_potential_values {
  const struct wb_check_potential_value *list;
  size_t count;
};

/* One of several components, that of a type: it answers for itself while at least `least` warps of
 * the type are ready, or while no type has as many as its own component asks for; else the
 * components answer for it, each with its share. values: what one of the others is worth to the
 * component before each instruction of the string. */
struct wb_check_potential_component {
  char type;
  uint32_t least;
  uint64_t weights[WB_CHECK_POTENTIAL_POOLS];
  const int64_t *values;
};

/* The state offsets of a state, one for each component (without components one): own is the own
 * warp's type, warps and work are those of the other warps in each pool, in the pools' order. */
struct wb_check_potential_state {
  char own;
  uint32_t warps[WB_CHECK_POTENTIAL_POOLS];
  uint32_t work[WB_CHECK_POTENTIAL_POOLS];
  int64_t offset[WB_CHECK_POTENTIAL_POOLS];
};

/* A claim: that `warps` warps need at most `cycles` cycles, and why.
 *   letters      the string, `length` characters of "LCSDN"
 *   capacity     most instructions of a type in a cycle, in the order L, C, S, D;
 *                0: not given (an error where the string uses it). N has no limit.
 *   issue_slots  most instructions in a cycle; 0: no cap
 *   from_warps   the line is claimed for this number of warps and every larger one;
 *                0: no line is claimed
 *   gain         g, what every cycle gains
 *   rear         k: cycles and line are those of the theorem on the rear, with k warps followed;
 *                0: those of the theorem without
 *   components       none, or one for each pool, in their order; then stay and leave are empty
 * All borrowed. Any numbers may stand in it, repeated, missing or senseless: the
 * checker trusts nothing. */
struct wb_check_potential_claim {
  const char *letters;
  size_t length;
  uint64_t capacity[4];
  uint64_t issue_slots;
  uint64_t warps;
  uint64_t cycles;
  uint64_t from_warps;
  int64_t gain;
  uint64_t trailing;
  const struct wb_check_potential_pool *pools;
  size_t pool_count;
  const struct wb_check_potential_component *components;
  size_t component_count;
  struct wb_check_potential_values stay;
  struct wb_check_potential_values leave;
  struct wb_check_potential_values own_stay;
  struct wb_check_potential_values own_leave;
  const struct wb_check_potential_state *states;
  size_t state_count;
};

/* What a claim that passed proves: T(warps) <= cycles, which is at most what was
 * claimed; and where from_warps > 0, T(W) <= floor((slope * W + offset) / gain) for
 * every W >= from_warps. With the rear followed both are those of the theorem on the rear: e_i of
 * the start is the same for all these W, so no component with a path from the start rises faster
 * than the steepest of these, whose value over the string is the slope; the offset is such that at
 * from_warps the line equals the largest of them, rounded down to whole units of the gain, which
 * changes no quotient. */
struct wb_check_potential_verdict {
  uint64_t cycles;
  int64_t slope;
  int64_t offset;
};

/* Checks the premises of the theorems in doc/potentials.md: every step of the string
 * has one value (with components: of the own warp); from every state listed every abstract move of
 * a cycle gains at least the claim's gain and leads to a state listed or to the end; the start of
 * `warps` warps is listed, and that of from_warps, which must be the start of every
 * larger number too; and the bound that follows is at most `cycles`. Where the rear is followed
 * that is the bound less what rear_check.h finds, the crowd's start must be that of every larger
 * number too, and at least `rear` warps are claimed.
 *
 * States that no machine can be in (less work than warps, say) are harmless: no move
 * begins there. Two entries for one state, and values for steps that the string does
 * not have, are refused: one of the two sides made a mistake.
 *
 * WARPBOUND_OK sets *proof. WARPBOUND_CHECK_FAILED: the message names the first
 * violation, states in the order of the claim. WARPBOUND_INVALID_INPUT: the string or
 * the units make no sense. WARPBOUND_LIMIT: more than `work_limit` steps of work, or
 * tables beyond 4 million entries (as many steps again, and tables of 512 MiB, where the rear is
 * followed; and more than 6 rear warps); nothing is decided.
 * Time: for each state and choice of what issues, the product over the pools of the
 * ways in which each can change; memory as the states and those ways. All numbers are
 * 64 bits wide and checked: a claim in which they overflow is refused. */
warpbound_status wb_check_potential(const struct wb_check_potential_claim *claim,
                                    uint64_t work_limit, struct wb_check_potential_verdict *proof,
                                    warpbound_error *error);

#endif
