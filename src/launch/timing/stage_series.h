/* The series of stages, of which a request of another warp costs a chain only the greatest
 * (doc/launches/series.md): which resources have a place in it, and what its bounds need. */
#ifndef WB_LAUNCH_TIMING_STAGE_SERIES_H
#define WB_LAUNCH_TIMING_STAGE_SERIES_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In cycles, by place in the series; place 0 is what instructions take at issue. All 0 where no
 * resource has a place. */
struct wb_stage_series {
  uint64_t excess[WB_RESOURCE_LIMIT + 1]; /* m: what of a request in service may count twice */
  uint64_t delay[WB_RESOURCE_LIMIT + 1];  /* D: the longest delay from there to a next stage */
  uint64_t change;                        /* kappa: what a change of partition costs a chain */
};

/* Gives places to the resources of a valid code that can have one, in an order in which its
 * instructions use them. Whether there are any. Linear in the code's stages. */
bool wb_stage_series_mark(struct wb_timed_code *code);
/* Takes all places away. */
void wb_stage_series_clear(struct wb_timed_code *code);

struct wb_stage_series wb_stage_series_find(const struct wb_timed_code *code);

/* Whether a stage of the instruction follows in the series what it does before: the stage before,
 * which makes one request, or the issue. */
bool wb_stage_series_follows(const struct wb_timed_code *code,
                             const struct wb_timed_instruction *instruction, size_t stage);

/* What the walk's ways down the series may cost a chain beyond the instruction's own steps and
 * services, in cycles. */
uint64_t wb_stage_series_laps(const struct wb_timed_code *code,
                              const struct wb_stage_series *series,
                              const struct wb_timed_instruction *instruction);

#endif
