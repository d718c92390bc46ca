/* The options of a makespan analysis. */
#ifndef WB_ANALYSIS_MAKESPAN_MAKESPAN_OPTIONS_H
#define WB_ANALYSIS_MAKESPAN_MAKESPAN_OPTIONS_H

#include "analysis/makespan/warp_count_table.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/ilp/integer_program.h"
#include "makespan/machine/policy.h"

#include <stdbool.h>
#include <stdint.h>

/* Zero-initialise for the defaults. All pointers are borrowed. */
struct wb_analysis_options {
  warpbound_options limits;          /* method, time, memory, threads, progress */
  bool simulate_only;                /* policies alone make the lower end: no search, no
                                        templates, no limit on simulations */
  const struct wb_policy *policy;    /* with simulate_only: this one; NULL: each */
  struct wb_integer_options integer; /* for the method `ilp` */
  bool certify;                      /* look for a certificate of the upper end where no search
                                        has left one */
  struct wb_warp_count_table *warp_counts; /* bounds for other numbers of warps of the same string
                                              and configuration; read and added to; NULL: none */
  uint32_t fewest;                         /* least number of warps that warp_counts is asked for */
  struct wb_annealing_options annealing;   /* for the method `anneal`; the analysis sets its
                                              guide_memory */
  bool anneal_closed; /* anneal even where the bracket is closed before, for its convergence */
  bool fewer_warps; /* find the exact T(y) of fewer warps, for the literature's formulas, even where
                       the bracket is closed without a search */
};

#endif
