/* The time of a warp's own steps at each place of its flow: an abstract interpretation whose state
 * is for how long scoreboards, units and requests may still keep the warp (doc/warp-timing.md). */
#ifndef WB_LAUNCH_TIMING_WARP_TIMES_H
#define WB_LAUNCH_TIMING_WARP_TIMES_H

#include "base/arena.h"
#include "base/status.h"
#include "launch/timing/stage_pair.h"
#include "launch/timing/warp_states.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Owns its arrays: wb_warp_times_free. With whole runs of a warp: the sum of `cycles` over the
 * nodes that run, and of `advance` over the edges that are taken, plus `end`, is at least the
 * longest chain of its own steps: issue to issue by stall, by the service of what both take, by a
 * scoreboard; where a request with service s on c servers counts s (1 - 1 / c) of its own service,
 * in units of 1 / denominator (theorem 1). */
struct wb_warp_times {
  struct wb_arena arena; /* owns the arrays */
  uint64_t denominator;  /* of all times here: the least common multiple of the servers of all
                            resources, at most WB_SHARE_LIMIT */
  uint64_t *cycles;      /* by node, in 1 / denominator cycles; at most INT64_MAX */
  uint64_t *advance;     /* by edge, in 1 / denominator cycles: what it pays of later waits; at most
                            INT64_MAX */
  uint64_t end;          /* after the last instruction of a warp, until all it made has ended */
  uint64_t stay;         /* the same until the warp needs its SM no more: at most `end` */
  struct wb_pending *pending; /* by node: at its begin, in 1 / denominator cycles: an inductive
                                 invariant, which a checker checks; 0 where not reached */
  bool *reached;              /* by node */
};

/* Finds an inductive invariant and the times that follow from it. Errors: WARPBOUND_INVALID_INPUT
 * where a time or the denominator does not fit; WARPBOUND_INTERNAL. Near linear in the nodes'
 * instructions times the depth of loops. */
warpbound_status wb_warp_times_find(const struct wb_timed_code *code,
                                    const struct wb_timing_graph *graph,
                                    struct wb_warp_times *times, warpbound_error *error);
void wb_warp_times_free(struct wb_warp_times *times);

/* The least common multiple of the servers of all resources. WARPBOUND_INVALID_INPUT where it is
 * above WB_SHARE_LIMIT. */
warpbound_status wb_share_denominator(const struct wb_timed_code *code, uint64_t *denominator,
                                      warpbound_error *error);
/* The times of a valid instruction: no sum of them overflows. pair: of the code and the
 * denominator. */
struct wb_release_times wb_release_times_of(const struct wb_timed_code *code,
                                            const struct wb_stage_pair *pair,
                                            const struct wb_timed_instruction *instruction,
                                            uint64_t denominator);

#endif
