/* Schedules: in which cycle each warp issues each instruction of its string. */
#ifndef WB_MAKESPAN_MACHINE_SCHEDULE_H
#define WB_MAKESPAN_MACHINE_SCHEDULE_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Warp w runs string string_of[w] of its problem; issue_cycle[first[w] + i] is the cycle, counted
 * from 1, in which it issues instruction i. An empty schedule is zeroed. Owns its arrays. */
struct wb_schedule {
  uint32_t warps;
  uint32_t *string_of;
  size_t *first; /* warps + 1 of them; the last is the number of entries */
  size_t length; /* instructions of the longest string: of each where all warps run one, and then
                    first[w] is w * length */
  uint32_t *issue_cycle;
  uint64_t makespan; /* the last cycle */
};

/* Most entries of a schedule that is kept in memory. */
#define WB_SCHEDULE_LIMIT ((uint64_t)1 << 26)

/* An empty schedule with room for the entries of warps with one string of that length. Errors:
 * WARPBOUND_LIMIT beyond WB_SCHEDULE_LIMIT entries, WARPBOUND_INTERNAL; then it is empty. */
warpbound_status wb_schedule_start(struct wb_schedule *schedule, uint32_t warps, size_t length,
                                   warpbound_error *error);
/* The same of the problem's warps with these strings (copied; NULL: all run string 0). */
warpbound_status wb_schedule_start_strings(struct wb_schedule *schedule,
                                           const struct wb_sm_problem *problem,
                                           const uint32_t *string_of, warpbound_error *error);
void wb_schedule_free(struct wb_schedule *schedule);

/* Lets the first `count` warps that have done `position` instructions issue the next
 * in a cycle; done[w] is what warp w has done. Serve the last position of a cycle
 * first, so that no warp issues twice in it. */
void wb_schedule_issue(struct wb_schedule *schedule, size_t *done, size_t position, uint32_t count,
                       uint32_t cycle);

/* A cycle in which from[p] warps that had done p instructions, p < length, become to[p]. */
void wb_schedule_replay(struct wb_schedule *schedule, size_t *done, const uint8_t *from,
                        const uint8_t *to, uint32_t cycle);

/* Writes the warp of each entry, in the order in which they issue, ties by number. false: no
 * memory. */
bool wb_schedule_order(const struct wb_schedule *schedule, uint32_t *order);

/* Exchanges two schedules. */
void wb_schedule_swap(struct wb_schedule *a, struct wb_schedule *b);

/* The outcome of a table search for one problem of W warps. Owned by the caller: wb_search_free. */
struct wb_search {
  enum wb_stop stop;  /* WB_STOP_NONE: the table is complete */
  uint64_t *makespan; /* by number of warps, 0 .. W; NULL unless complete. Exact or an upper bound,
                         as the search says */
  struct wb_schedule witness; /* a schedule of makespan[W] cycles where the search can make one,
                                 else issue_cycle is NULL */
  uint64_t needed;            /* bytes that the table needs, saturated */
  uint64_t states;            /* cells of the table, or those done before the stop */
};

void wb_search_free(struct wb_search *search);

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
