/* Pictures of a schedule: what each warp issues in each cycle, and which units
 * stand idle. */
#ifndef WB_REPORT_GANTT_GANTT_H
#define WB_REPORT_GANTT_GANTT_H

#include "base/text.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>

/* An SVG page of its own (no network, no script needed to read it): a row a warp,
 * a column a cycle, coloured and lettered by unit type; below, a row for each unit
 * of each type that the strings use, idle ones visible. Title, legend, axes. The
 * caller checks text->failed. A schedule of very many cells is drawn by runs rather
 * than cells, and one beyond what a picture can show is cut, saying so in it: of the warps those
 * that finish last are shown. */
void wb_gantt_svg(const struct wb_problem *problem, const struct wb_schedule *schedule,
                  const char *title, struct wb_text *text);
/* The same of a whole SM: partition by partition, then the units that they share; the blocks apart;
 * waiting at a barrier in a colour of its own. */
void wb_gantt_sm_svg(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                     const char *title, struct wb_text *text);

/* The same for a terminal of `columns` characters (0: 80), at most `rows` warps
 * (0: all); colour as ANSI escapes where `colour`. Wraps long schedules into
 * blocks; what is left out is said. */
void wb_gantt_terminal(const struct wb_problem *problem, const struct wb_schedule *schedule,
                       size_t columns, size_t rows, bool colour, struct wb_text *text);
void wb_gantt_sm_terminal(const struct wb_sm_problem *problem, const struct wb_schedule *schedule,
                          size_t columns, size_t rows, bool colour, struct wb_text *text);

#endif
