/* A forward search through the machine's real states, cycle by cycle, guided by the
 * table of the run abstraction. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_SEARCH_H
#define WB_MAKESPAN_EXACT_LAYERED_SEARCH_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"
#include "makespan/runs/run_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_layered_options {
  uint32_t warps; /* that run, at most the table's; 0: the table's */
  uint64_t goal; /* cycles: only states that, by the table, may still make a schedule of so many are
                    kept */
  size_t width;  /* most states of a layer, the most promising ones; 0: all */
  uint64_t memory; /* most bytes for states */
};

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_layered_result {
  uint64_t longest;  /* cycles of the longest schedule found, at least the goal; 0: none */
  bool complete;     /* nothing was left out: T = longest, or, where that is 0, T < goal */
  enum wb_stop stop; /* why it ended early (WB_STOP_MEMORY: the states went beyond `memory`, or
                        there was none left) */
  uint64_t states;   /* kept in all */
  uint64_t peak;     /* kept in the largest layer */
  uint64_t bytes;    /* of all states */
  struct wb_schedule witness; /* a schedule of `longest` cycles */
};

/* Layer t holds the states that t cycles lead to, each once; a state is the number of
 * warps at each position of the string. A state s is kept if t + f(s) >= goal, f being
 * the table's value, which is never below the truth; so the search with all states
 * misses no schedule of goal cycles. Where a layer is beyond the width those with the
 * largest f are kept, ties broken by a hash. Deterministic, whatever the threads of the control.
 * Not for more than 255 warps (asserted). Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_layered_search(const struct wb_run_table *table,
                                   const struct wb_layered_options *options,
                                   const struct wb_control *control,
                                   struct wb_layered_result *result, warpbound_error *error);

#endif
