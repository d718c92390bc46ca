/* The maxima over the paths of one warp that bounds on a launch are made of (doc/launch.md): each
 * an integer program on the system of all paths, with its own proof in integers. */
#ifndef WB_ANALYSIS_LAUNCH_LAUNCH_MAXIMA_H
#define WB_ANALYSIS_LAUNCH_LAUNCH_MAXIMA_H

#include "analysis/paths/path_solver.h"
#include "analysis/paths/path_system.h"
#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
#include "base/work_control.h"
#include "certificate/launch/launch_claim.h"
#include "formats/launch/launch_file.h"
#include "ipet/solve/ipet_solve.h"
#include "launch/bounds/launch_formula.h"
#include "launch/timing/stage_pair.h"
#include "launch/timing/stage_series.h"
#include "launch/timing/warp_times.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Costs by node, in 1 / denominator cycles, which live in an arena. */
struct wb_launch_costs {
  uint64_t denominator;          /* the least common multiple of the servers of all resources */
  struct wb_stage_series series; /* of the code */
  struct wb_stage_pair pair;     /* likewise */
  bool barriers;                 /* some node ends with a barrier */
  uint64_t longest_unit; /* e: the longest service of a partition's resource taken at issue, less 1;
                            0 without barriers; in cycles */
  int64_t *of[WB_SUM_COUNT]; /* by sum, by node */
  int64_t *advance;          /* by edge: what it costs in the sums of own steps besides */
};

/* The costs of a sum, which are borrowed. */
struct wb_path_costs wb_launch_costs_of(const struct wb_launch_costs *costs,
                                        enum wb_launch_sum sum);

/* Errors: WARPBOUND_INVALID_INPUT where a number does not fit, WARPBOUND_INTERNAL (memory). */
warpbound_status wb_launch_costs_find(struct wb_arena *arena, const struct wb_timed_code *code,
                                      const struct wb_path_system *system,
                                      const struct wb_warp_times *times,
                                      struct wb_launch_costs *costs, warpbound_error *error);

/* The system as a graph of times; starts: room for its starts, which the graph borrows, as all
 * else.
 */
struct wb_timing_graph wb_path_timing_graph(const struct wb_path_system *system,
                                            const bool *interleaved, const bool *ends,
                                            uint32_t starts[WB_FLOW_STARTS]);

/* What an instruction adds to a sum, in 1 / denominator cycles, but for the own steps of a warp in
 * WB_SUM_ALONE_OWN and WB_SUM_OWN. False where it does not fit. */
bool wb_launch_share(const struct wb_timed_code *code, const struct wb_stage_series *series,
                     const struct wb_stage_pair *pair, uint32_t instruction, enum wb_launch_sum sum,
                     bool barriers, uint64_t denominator, uint64_t *share);

/* Fills what the code's launch fetches once, by the level of the caches
 * (doc/launches/cold-starts.md), over the terms' denominator. False where it does not fit. */
bool wb_launch_cold_terms_find(const struct wb_timed_code *code, struct wb_launch_terms *terms);

/* A maximum. Owns ipet unless it is shared. */
struct wb_launch_maximum {
  enum wb_launch_sum sum;
  uint32_t phase;             /* only its nodes count; WB_CHECK_ALL_PHASES, WB_COMPOSITE_PATHS */
  struct wb_ipet_result ipet; /* the maximum of costs.of[sum], and its proof */
  bool shared;                /* the costs, and so ipet, are those of an earlier maximum */
};

/* All that a kernel gives, whatever the launch's number of blocks. Owns its arrays:
 * wb_launch_maxima_free. The other things are borrowed. */
struct wb_launch_maxima {
  const struct wb_timed_code *code;
  const struct wb_path_system *system;
  const struct wb_warp_times *times;
  struct wb_arena arena; /* owns the costs */
  struct wb_launch_costs costs;
  struct wb_launch_maximum *items;
  size_t count, capacity;
  struct wb_launch_terms terms;
  struct wb_list assumptions;
  bool same_path;               /* a proof of own where all warps of a block take one path: */
  struct wb_ipet_result block;  /* owned */
  struct wb_ipet_result whole;  /* owned: of terms.one_path */
  struct wb_linear_basis basis; /* where the last maximum over paths was found */
};

/* Solves the maxima that the theorems need; where these fail for want of bounds or time, that of
 * the total. The system has no barrier that a part of a block may pass (wb_paths_check_barriers).
 * Errors: WARPBOUND_LIMIT (time, an interruption, numbers too large), WARPBOUND_INVALID_INPUT (no
 * number fits), those of the solvers. */
warpbound_status wb_launch_maxima_find(const struct wb_timed_code *code,
                                       const struct wb_path_system *system,
                                       const struct wb_warp_times *times,
                                       const struct wb_control *control,
                                       struct wb_launch_maxima *maxima, warpbound_error *error);
/* Of a system with barriers of groups: a chain goes from the warps of one group to those of another
 * one, so that it may pass each barrier of each warp of a block, once. */
void wb_launch_maxima_add_groups(struct wb_launch_maxima *maxima,
                                 const struct wb_launch_shape *shape);

/* Where all warps of a block take one path: solves A + (w_P - 1) X + (w - w_P) Y over whole paths,
 * for a block of the shape. Does nothing where that is not shown, no theorem needs it, or it has no
 * bound in the time. Errors: WARPBOUND_INTERNAL (memory), those of the solvers. */
warpbound_status wb_launch_maxima_add_block(struct wb_launch_maxima *maxima,
                                            const struct wb_launch_shape *shape,
                                            const struct wb_control *control,
                                            warpbound_error *error);
/* Where all warps of the launch take one path: solves the sum over whole paths of what the bound
 * counts, each sum as often as it does, for terms.one_path. Does nothing where that is not shown,
 * or where it has no bound in the time, or is no less than the separate maxima. Errors: the same.
 */
warpbound_status wb_launch_maxima_add_launch(struct wb_launch_maxima *maxima,
                                             const struct wb_launch_shape *shape,
                                             const struct wb_launch_bound *bound,
                                             const struct wb_control *control,
                                             warpbound_error *error);
void wb_launch_maxima_free(struct wb_launch_maxima *maxima);

/* A certificate. The flow system, the timed code and the proofs that the claim names are borrowed
 * from the maxima. wb_launch_claim_free. */
struct wb_launch_claim_owner {
  struct wb_arena arena; /* owns the arrays of the claim that are not borrowed */
  struct wb_check_launch_claim claim;
  struct wb_launch_grounds grounds; /* what it rests on: the array of values is owned, all else
                                       borrowed */
};

/* The claim, for the independent checker, that a launch of the kernel takes at most `cycles`,
 * without its grounds. interleaved, ends: by node of the system, or NULL, as in struct
 * wb_timing_graph. Errors: WARPBOUND_INTERNAL (memory), with nothing to free. */
warpbound_status wb_launch_claim_fill(const struct wb_launch_maxima *maxima,
                                      const bool *interleaved, const bool *ends,
                                      const struct wb_launch_shape *shape, uint64_t cycles,
                                      struct wb_launch_claim_owner *owner, warpbound_error *error);
void wb_launch_claim_free(struct wb_launch_claim_owner *owner);

#endif
