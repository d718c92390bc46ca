/* Pictures of a schedule: what each warp issues in each cycle, and which units stand idle; and the
 * state of each warp and unit in a stretch of cycles, from which both pictures are drawn. */
#ifndef WB_REPORT_GANTT_GANTT_H
#define WB_REPORT_GANTT_GANTT_H

#include "base/arena.h"
#include "base/text.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An SVG page of its own (no network, no script needed to read it): a row a warp,
 * a column a cycle, coloured and lettered by unit type; below, a row for each unit
 * of each type that the strings use, idle ones visible. Title, legend, axes. The
 * caller checks text->failed. A schedule of very many cells is drawn by runs rather
 * than cells, and one beyond what a picture can show is cut, saying so in it: of the warps those
 * that finish last are shown. Partition by partition, then the units that they share; the blocks
 * apart; waiting at a barrier in a colour of its own. part: the problem that was widened to this
 * one, whose outside warps are named; NULL: none. title: NULL is "Schedule". */
void wb_gantt_svg(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                  const struct wb_problem *part, const char *title, struct wb_text *text);

/* The same for a terminal of `columns` characters (0: 80), at most `rows` warps
 * (0: all); colour as ANSI escapes where `colour`. Wraps long schedules into
 * blocks; what is left out is said. */
void wb_gantt_terminal(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                       size_t columns, size_t rows, bool colour, struct wb_text *text);

/* ---- the layout ---- */

/* The place of units that all partitions share, and of all partitions together. */
#define WB_GANTT_ALL_PARTITIONS UINT32_MAX
#define WB_GANTT_NO_POOL UINT32_MAX

/* Units of one type that serve the same warps: of one partition or of all. */
struct wb_gantt_pool {
  enum wb_unit unit;
  uint32_t partition; /* or WB_GANTT_ALL_PARTITIONS */
  uint32_t units;     /* worth a row: the capacity, but at most one for each warp */
  uint32_t rows;      /* shown, at most `units` */
  uint32_t base;      /* the first of them among all unit rows */
};

/* The rows of a picture. Owns its arrays; problem and schedule, which is of the problem, are
 * borrowed. */
struct wb_gantt_plan {
  const struct wb_sm_problem *problem;
  const struct wb_schedule *schedule;
  uint8_t **types;     /* the unit types of each string */
  uint32_t partitions; /* that have warps */
  /* The warp of each row: partition by partition, in each block by block; where there are more
   * warps than rows, those that finish last. */
  uint32_t *warps;
  uint32_t warp_rows;
  uint32_t *first_row;         /* by partition; first_row[partitions] is the end */
  struct wb_gantt_pool *pools; /* of each partition in turn, then the shared ones */
  size_t pool_count;
  /* pool_of[p * WB_UNIT_COUNT + u]: the pool of type u for warps of partition p, or
   * WB_GANTT_NO_POOL. */
  uint32_t *pool_of;
  uint32_t all_unit_rows; /* of all pools */
  /* release[block * barriers + k]: the cycle in which the last warp of a block does its k-th B,
   * from 0. */
  uint32_t *release;
  size_t barriers;        /* of each warp */
  bool capped;            /* the cap on issue slots of a partition can bind */
  uint32_t outside_warps; /* not of the schedule, but compete for units too (model/problem.h) */
  bool outside[WB_UNIT_COUNT]; /* by type: they compete for it */
  struct wb_arena arena;       /* of the arrays */
};

/* Plans a picture of at most warp_limit warps, 1 or more, and unit_limit rows of units, of which
 * each pool has its share, 1 or more (unit_limit 0: none). False where memory is out; the caller
 * frees in either case.
 */
bool wb_gantt_plan_make(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                        uint32_t warp_limit, uint32_t unit_limit, struct wb_gantt_plan *plan);
void wb_gantt_plan_free(struct wb_gantt_plan *plan);

/* Whether some string uses a type. */
bool wb_gantt_uses(const struct wb_sm_problem *problem, enum wb_unit unit);

/* Whether there are pools that all partitions share. */
bool wb_gantt_has_shared_pools(const struct wb_gantt_plan *plan);

/* The pool of a type that serves the warps of a partition; NULL where there is none. */
const struct wb_gantt_pool *wb_gantt_pool_of(const struct wb_gantt_plan *plan, uint32_t partition,
                                             uint32_t unit);

/* How much of the whole schedule the units of a type, or the issue slots (for
 * WB_UNIT_COUNT), of a partition or of all are busy: in tenths of a per cent, rounded to the
 * nearest. */
unsigned wb_gantt_busy_permille(const struct wb_gantt_plan *plan, enum wb_unit unit,
                                uint32_t partition);

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
