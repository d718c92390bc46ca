/* A record of the instructions that the warps of a whole SM issue, from which a schedule is made.
 */
#ifndef WB_SM_MACHINE_SM_RECORD_H
#define WB_SM_MACHINE_SM_RECORD_H

#include "base/arena.h"
#include "base/status.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Borrows all. */
struct wb_sm_record {
  const struct wb_sm_problem *problem;
  size_t longest;   /* instructions of the longest string */
  size_t *done;     /* by warp: instructions issued */
  uint8_t *types;   /* [w * longest + i]: of instruction i of warp w */
  uint32_t *cycles; /* [w * longest + i]: in which it was issued */
};

/* Bytes of a record for each instruction of the longest string and each warp. */
#define WB_SM_RECORD_BYTES (sizeof(uint8_t) + sizeof(uint32_t))

/* Makes the arrays in an arena. false: no memory. */
bool wb_sm_record_start(struct wb_sm_record *record, const struct wb_sm_problem *problem,
                        struct wb_arena *arena);

static inline void wb_sm_record_issue(struct wb_sm_record *record, uint32_t warp, uint8_t type,
                                      uint32_t cycle)
{
  const size_t at = warp * record->longest + record->done[warp]++;
  record->types[at] = type;
  record->cycles[at] = cycle;
}

/* The schedule of warps that have done all; `cycles` is its makespan. string_of says which strings
 * they ran; NULL: each ran the first one that has its types. Errors: WARPBOUND_LIMIT (schedule too
 * large), WARPBOUND_INTERNAL. */
warpbound_status wb_sm_record_schedule(const struct wb_sm_record *record, const uint32_t *string_of,
                                       uint64_t cycles, struct wb_schedule *schedule,
                                       warpbound_error *error);

#endif
