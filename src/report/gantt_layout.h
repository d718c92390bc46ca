/* What both pictures of a schedule need: who does what in a stretch of cycles. */
#ifndef WB_REPORT_GANTT_LAYOUT_H
#define WB_REPORT_GANTT_LAYOUT_H

#include "makespan/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a warp does in a cycle where it issues nothing; smaller values are the
 * enum wb_unit that it issues. */
#define WB_GANTT_WAITING ((uint32_t)WB_UNIT_COUNT)
#define WB_GANTT_FINISHED ((uint32_t)WB_UNIT_COUNT + 1)

/* The cycles first .. first + cycles - 1 of a schedule. The caller sets the first
 * four members, wb_gantt_window_make the rest; a row is an array of `cycles`.
 *   warp_cells  for the first warp_rows warps: a unit type, waiting or finished
 *   unit_cells  for the unit_rows[u] rows from row unit_base[u] on, type by type:
 *               1 + the warp that the unit serves, 0 where it is idle
 *   used        for each type: instructions issued, by all warps, shown or not
 * The units of a type are alike, and a schedule does not say which of them served
 * a warp: here a warp stays on its unit while it issues the type in a row of
 * cycles, and otherwise takes the first free one. */
struct wb_gantt_window {
  uint64_t first;
  size_t cycles;
  uint32_t warp_rows;
  uint32_t unit_row_limit; /* most rows of a type */
  uint32_t unit_rows[WB_UNIT_COUNT];
  uint32_t unit_base[WB_UNIT_COUNT];
  uint32_t all_unit_rows;
  uint32_t *warp_cells;
  uint32_t *unit_cells;
  uint32_t *used;
};

/* Units of a type worth a row: its capacity, at most one a warp; 0 where the
 * string does not use the type or it never runs out. */
uint32_t wb_gantt_units(const struct wb_problem *problem, enum wb_unit unit);

/* Fills the window. types: wb_kernel_string_expand of the problem's string. The
 * schedule must be of the problem; a warp's cycles that do not increase give a
 * wrong picture, never a wrong access. False where memory is out. The caller frees
 * in either case. Time: warps * cycles. */
bool wb_gantt_window_make(const struct wb_problem *problem, const struct wb_schedule *schedule,
                          const uint8_t *types, struct wb_gantt_window *window);
void wb_gantt_window_free(struct wb_gantt_window *window);

/* Instructions of all types issued in cycle first + at. */
uint32_t wb_gantt_issued(const struct wb_gantt_window *window, size_t at);

/* How much of the whole schedule the units of a type, or the issue slots (for
 * WB_UNIT_COUNT), are busy: in tenths of a per cent, rounded to the nearest. */
unsigned wb_gantt_busy_permille(const struct wb_problem *problem,
                                const struct wb_schedule *schedule, enum wb_unit unit);

/* The string with counts, cut where it has more than `longest` characters. */
void wb_gantt_string(const struct wb_kernel_string *string, size_t longest, struct wb_text *text);

#endif
