/* All paths of a kernel: the flow system of its WCET analysis with the letters of its instructions
 * on the nodes. Each walk of the system that satisfies the limits is a path that a warp may take.
 */
#ifndef WB_ANALYSIS_PATHS_PATH_SYSTEM_H
#define WB_ANALYSIS_PATHS_PATH_SYSTEM_H

#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/status.h"
#include "model/code.h"
#include "model/flow_system.h"
#include "model/unit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most phases between barriers that are told apart. */
#define WB_PHASE_LIMIT 64

/* The system. A node is a segment of a block of the graph; a barrier ends its segment, so that
 * edges 0 .. graph edges - 1 are the graph's, and the last ones join segments of one block. Where
 * lanes run in several groups, nodes and edges of lanes stand between: they have no letters, and
 * their block is UINT32_MAX. wb_path_system_free. */
struct wb_path_system {
  struct wb_arena arena;      /* owns the arrays */
  struct wb_flow_system flow; /* without costs, and without the cases of exclusive facts: it allows
                                 the executions of each */
  uint32_t *first, *last;     /* by node: its first and last instruction; 1 and 0 of lanes */
  uint32_t *block;            /* by node: its block of the graph */
  uint32_t (*count)[WB_UNIT_COUNT]; /* by node: its instructions by type */
  bool used[WB_UNIT_COUNT];         /* by type: some node has it */
  uint32_t *phase; /* by node: the barriers before it, the same number on every walk;
                      0 where not phased */
  uint32_t phases; /* one more than the barriers of a whole walk; 1 where not phased */
  bool
      phased; /* all walks to a node pass the same number of barriers, at most WB_PHASE_LIMIT - 1 */
  uint32_t early_ends; /* phases but the last in which warps may end; not phased: 1 where `sure` is
                          about warps that pass some barrier alone, or `as_many` about all as
                          long as they go on. Barriers then wait for those
                          warps of the block alone that have not ended. */
  bool sure;      /* all warps of a block pass the same barriers in the same order: all walks do (as
                     many,  none guarded, the k-th ones of one number), or no choice on the way to a
                     barrier  differs between warps (flow/barriers, which wb_paths_analyse asks) */
  bool same_path; /* all warps of a block take one path: no choice differs between them
                     (flow/barriers, which wb_paths_analyse asks) */
  bool launch_path; /* all warps of the launch do */
  bool as_many;     /* not phased: all warps of a block pass as many barriers of the same numbers in
                       the same order, the k-th ones at different places; with early_ends each
                       passes the first ones of one such sequence */
  bool groups;      /* `as_many` holds of the warps of each group by themselves, and some barriers
                       wait for those of a group alone */
  bool *
      composed; /* where not phased: by limit, it holds of paths that are composed of several warps'
                   paths too, provided that all pass the same barriers; NULL: not examined */
  bool *common; /* by limit: all warps of a block take alike the edges that it counts, in one order
                   with the barriers (flow/barriers); NULL: not examined */
  bool *local; /* by limit: it holds of the stretch of a path between any two barriers: the bound of
                  a loop without a barrier, or releases of a scope that holds none; NULL where
                  `composed` is */
  const struct wb_instruction *partial; /* a barrier that a part of the warps of a block may pass,
                                           which phases do not count; or NULL */
};

/* Makes the system of a WCET analysis that succeeded; the caller frees it. Errors:
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_system_make(const struct wb_wcet *wcet, struct wb_path_system *system,
                                     warpbound_error *error);

/* Tells phases apart of a system of which warps may end before others' barriers, each phase of any
 * warp that comes to it: sets phase, phases, phased, sure and early_ends where that can be shown.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_system_number_early_ends(const struct wb_wcet *wcet,
                                                  struct wb_path_system *system,
                                                  warpbound_error *error);

/* Whether there are barriers and nothing shows that all warps of a block pass the same ones. */
bool wb_path_system_doubts_barriers(const struct wb_path_system *system);

/* Whether the node ends with a barrier of all warps of the block. */
bool wb_path_node_ends_with_barrier(const struct wb_path_system *system, uint32_t node);

/* Whether paths are put together of several warps', between barriers that are not in phases. */
bool wb_path_system_is_composite(const struct wb_path_system *system);

void wb_path_system_free(struct wb_path_system *system);

#endif
