/* The picture of a schedule for a terminal under way: what its parts share. */
#ifndef WB_REPORT_GANTT_GANTT_TERMINAL_PAGE_H
#define WB_REPORT_GANTT_GANTT_TERMINAL_PAGE_H

#include "base/text.h"
#include "report/gantt/gantt_layout.h"

#include <stdbool.h>
#include <stddef.h>

/* Counts up to 9 have a digit and up to 35 a letter. */
#define WB_TERMINAL_MOST_DIGITS 9
#define WB_TERMINAL_MOST_LETTERS 35

/* The sign of a warp that waits at a barrier. */
#define WB_TERMINAL_BARRIER_SIGN ':'

/* A picture under way. style: the escape in force, "" for none. */
struct wb_terminal_page {
  struct wb_gantt_plan plan;
  struct wb_text *text;
  struct wb_gantt_window window;
  const char *style;
  int digits; /* of the largest number of a warp that is shown */
  int label_width;
  size_t columns;
  bool colour;
};

/* Black on a colour that is light in the usual palettes. */
extern const char *const wb_terminal_type_styles[WB_UNIT_COUNT];

extern const char wb_terminal_barrier_style[];

/* Changes the escape in force, where there is colour; style: static, "" for none. */
void wb_terminal_set_style(struct wb_terminal_page *terminal, const char *style);

/* The head and the foot of the rows: the strings and the warps; what signs mean; how busy each
 * type is over the whole schedule, shown or not. */
void wb_terminal_write_head(struct wb_terminal_page *terminal);
void wb_terminal_write_legend(struct wb_terminal_page *terminal);
void wb_terminal_write_shares(struct wb_terminal_page *terminal);

#endif
