/* The independent checker of run files: it computes the longest path of the run
 * abstraction (doc/makespan.md) on one cut of the string anew. It shares no code with
 * the searches and takes plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_RUNS_RUN_CHECK_H
#define WB_CERTIFICATE_RUNS_RUN_CHECK_H

#include "base/control.h"
#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* The most cycles that a claim can have: cells have two bytes at most, and their largest
 * value stands for itself and more. */
#define WB_CHECK_RUN_CYCLES_LIMIT UINT64_C(65534)

/* A claim: no work-conserving schedule of the warps takes more than `cycles`, because
 * the longest path of the run abstraction on this cut does not.
 *   letters      the normalised string, `length` characters of "LCSDN"
 *   capacity     most instructions of a type in a cycle, in the order L, C, S, D;
 *                0: not given (an error where the string uses it). N has no limit.
 *   issue_slots  most instructions in a cycle; 0: no cap
 *   lengths      how many instructions each of the `count` pieces has: together the
 *                string, each of one type; neighbours may have the same type
 * All borrowed. */
struct wb_check_run_claim {
  const char *letters;
  size_t length;
  uint64_t capacity[4];
  uint64_t issue_slots;
  uint32_t warps;
  uint64_t cycles;
  const uint32_t *lengths;
  size_t count;
};

/* What the check found: the longest path, in cycles, and what it took: the states that
 * it decided, and the bytes of its tables. */
struct wb_check_run_proof {
  uint64_t cycles;
  uint64_t states;
  uint64_t bytes;
};

/* Decides every state of at most `warps` warps on control->threads threads; the result
 * does not depend on how many. Cells have one byte where 254 cycles or fewer are
 * claimed, else two; a value beyond them counts as the largest they can hold, which is
 * more than is claimed.
 * WARPBOUND_OK: the claim holds, *proof is set. WARPBOUND_CHECK_FAILED: it does not, the
 * message has both numbers. WARPBOUND_INVALID_INPUT: letters, units or pieces are
 * not as above. WARPBOUND_LIMIT, with nothing said of the claim: more memory is needed
 * than control->memory_limit (known before it is taken; the message says how much), more
 * than WB_CHECK_RUN_CYCLES_LIMIT cycles are claimed, time is up, or it was interrupted.
 * WARPBOUND_INTERNAL: no memory, no threads. Time: states times the moves of each. */
warpbound_status wb_check_run(const struct wb_check_run_claim *claim,
                              const struct wb_control *control, struct wb_check_run_proof *proof,
                              warpbound_error *error);

#endif
