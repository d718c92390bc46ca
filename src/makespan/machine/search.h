/* What the table searches have in common: their outcome. */
#ifndef WB_MAKESPAN_MACHINE_SEARCH_H
#define WB_MAKESPAN_MACHINE_SEARCH_H

#include "base/control.h"
#include "makespan/machine/schedule.h"

#include <stdbool.h>
#include <stdint.h>

/* The outcome of a table search for one problem of W warps.
 *   stop        WB_STOP_NONE: the table is complete and makespan[] valid
 *   makespan    makespan[w] for w = 1..W warps (makespan[0] is 0); NULL unless
 *               complete. What it means is the search's: exact or an upper bound.
 *   witness     a schedule of makespan[W] cycles, where the search can make one
 *               (else its issue_cycle is NULL)
 *   needed      bytes that the table needs (saturated); states: cells of it, or
 *               those done before the stop
 * Owned by the caller: wb_search_free. */
struct wb_search {
  enum wb_stop stop;
  uint64_t *makespan;
  struct wb_schedule witness;
  uint64_t needed;
  uint64_t states;
};

void wb_search_free(struct wb_search *search);

#endif
