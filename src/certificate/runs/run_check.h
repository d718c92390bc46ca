/* The independent checker of run files: it computes the longest path of the run abstraction
 * (doc/makespan.md) on one cut of the string anew. It shares no code with the searches and takes
 * plain numbers rather than the model's structs. */
#ifndef WB_CERTIFICATE_RUNS_RUN_CHECK_H
#define WB_CERTIFICATE_RUNS_RUN_CHECK_H

#include "base/status.h"
#include "base/work_control.h"
#include "certificate/claim_problem.h"

#include <stddef.h>
#include <stdint.h>

/* The most cycles that a claim can have: cells have two bytes at most, and their largest value
 * stands for itself and more. */
#define WB_CHECK_RUN_CYCLES_LIMIT UINT64_C(65534)

/* The claim that no work-conserving schedule of the warps takes more than `cycles` cycles, because
 * the longest path of the run abstraction on this cut does not. No invariant: the checker refuses
 * what makes no sense. Borrows everything that it points to. */
struct wb_check_run_claim {
  /* The normalised string, of the types L, C, S, D, T and N, and its machine. */
  struct wb_check_problem problem;
  /* W, the warps of the schedules. */
  uint32_t warps;
  /* The bound that is claimed. */
  uint64_t cycles;
  /* The cut: the instructions of each of its segments, which together are the string. A segment is
   * of one type; neighbours may have the same. */
  const uint32_t *lengths;
  size_t count;
};

/* The result of a check that passed. */
struct wb_check_run_verdict {
  /* The longest path, in cycles: at most the claim's number. */
  uint64_t cycles;
  /* States decided. */
  uint64_t states;
  /* Bytes of all tables. */
  uint64_t bytes;
};

/* Decides every state of at most `warps` warps on control->threads threads; the result does not
 * depend on how many. Cells have one byte where 254 cycles or fewer are claimed, else two; a value
 * beyond them counts as the largest that they can hold, which is more than is claimed.
 * WARPBOUND_OK: the claim holds, *verdict is set; it is left alone otherwise.
 * WARPBOUND_CHECK_FAILED: it does not hold, the message has both numbers. WARPBOUND_INVALID_INPUT:
 * letters, units or segments make no sense. WARPBOUND_LIMIT, with nothing said of the claim: more
 * memory is needed than control->memory_limit (known before it is taken; the message has the
 * number), more than WB_CHECK_RUN_CYCLES_LIMIT cycles are claimed, time is up, or the control was
 * interrupted. WARPBOUND_INTERNAL: no memory, no threads. Time: states times the moves of each. */
warpbound_status wb_check_run(const struct wb_check_run_claim *claim,
                              const struct wb_control *control,
                              struct wb_check_run_verdict *verdict, warpbound_error *error);

#endif
