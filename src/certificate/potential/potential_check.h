/* The independent checker of potentials: upper bounds for any number of warps, as
 * doc/potentials/potentials.md defines and proves them. It includes nothing of what finds
 * potentials, and takes plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_CHECK_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_CHECK_H

#include "base/status.h"
#include "base/work_control.h"
#include "certificate/potential/potential_claim.h"

#include <stdint.h>

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
