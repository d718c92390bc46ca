/* The outcome that the table searches have in common. */
#ifndef WB_MAKESPAN_MACHINE_SEARCH_OUTCOME_H
#define WB_MAKESPAN_MACHINE_SEARCH_OUTCOME_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif
