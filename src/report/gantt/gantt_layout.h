/* The state of each warp and unit in a stretch of cycles, for both pictures of a schedule. */
#ifndef WB_REPORT_GANTT_GANTT_LAYOUT_H
#define WB_REPORT_GANTT_GANTT_LAYOUT_H

#include "base/arena.h"
#include "base/text.h"
#include "report/gantt/gantt_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a warp in a cycle where it issues nothing; smaller values are the
 * enum wb_unit that it issues. WB_GANTT_BARRIER: others of its block have a B to do. */
#define WB_GANTT_WAITING ((uint32_t)WB_UNIT_COUNT)
#define WB_GANTT_BARRIER ((uint32_t)WB_UNIT_COUNT + 1)
#define WB_GANTT_FINISHED ((uint32_t)WB_UNIT_COUNT + 2)

/* A stretch of cycles of a plan's schedule. The units of a pool are alike, and a schedule does not
 * say which of them serves a warp: here a warp stays on its unit while it issues the type in
 * consecutive cycles, and otherwise takes the first free one. Each array has rows of `cycles`
 * members. Owns its arrays. */
struct wb_gantt_window {
  uint64_t first; /* cycle */
  size_t cycles;
  uint32_t *warp_cells; /* by row of warps: a unit type, or one of the states above */
  uint32_t *unit_cells; /* by row of units: 1 + the warp that the unit serves, 0 where it is idle */
  uint32_t *used;       /* by pool: instructions issued, by all warps, shown or not */
  uint32_t *issued;     /* by partition: instructions issued, of all types */
  struct wb_arena arena; /* of the arrays */
};

/* Fills the window. The schedule must be of the problem; a warp's cycles that do not increase give
 * a wrong picture, never a wrong access. False where memory is out. The caller frees
 * in either case. Time: warps * cycles. */
bool wb_gantt_window_make(const struct wb_gantt_plan *plan, uint64_t first, size_t cycles,
                          struct wb_gantt_window *window);
void wb_gantt_window_free(struct wb_gantt_window *window);

/* The strings with counts, ", " between them, cut where they have more than `longest` characters.
 */
void wb_gantt_strings(const struct wb_sm_problem *problem, size_t longest, struct wb_text *text);

/* " in 2 blocks on 4 partitions"; nothing where there is one of each. */
void wb_gantt_division(const struct wb_sm_problem *problem, struct wb_text *text);

#endif
