/* One analysis of a WCET under way: what its parts share. */
#ifndef WB_ANALYSIS_WCET_WCET_WORK_H
#define WB_ANALYSIS_WCET_WCET_WORK_H

#include "analysis/wcet/wcet.h"

struct wb_callees;

struct wb_wcet_work {
  struct wb_wcet *wcet;
  const struct wb_wcet_options *options;
  const struct wb_control *control;
  struct wb_callees *callees; /* see analysis/wcet/wcet_calls.h */
  warpbound_error *error;
};

/* The first instruction of a block. */
const struct wb_machine_instruction *wb_wcet_block_start(const struct wb_wcet *wcet,
                                                         uint32_t block);

/* Names of the columns and rows of the integer program: all owned. */
struct wb_wcet_names {
  char **nodes, **edges, **limits;
};

/* Errors: WARPBOUND_INTERNAL; to be freed also then. */
warpbound_status wb_wcet_names_make(const struct wb_wcet *wcet, const struct wb_flow_system *system,
                                    struct wb_wcet_names *names, warpbound_error *error);
void wb_wcet_names_free(struct wb_wcet_names *names, const struct wb_flow_system *system);

/* Builds the flow system of loops, costs and facts, solves it in as many cases as the
 * exclusive facts ask for, and leaves the worst one in *wcet; writes the integer program where
 * a file is asked for. Errors: those of the solvers; WARPBOUND_INVALID_INPUT where the facts
 * contradict each other, naming their lines. */
warpbound_status wb_wcet_solve(struct wb_wcet_work *work);

#endif
