/* The transitions from point to point of an instrumented kernel, and the rows in which their times
 * are kept: the instrumentation point graph of Betts and Donaldson, "Estimating the WCET of
 * GPU-accelerated applications using hybrid analysis", ECRTS 2013. */
#ifndef WB_INSTRUMENT_POINTS_POINT_GRAPH_H
#define WB_INSTRUMENT_POINTS_POINT_GRAPH_H

#include "instrument/points/point_choice.h"

/* The rows before those of transitions. */
#define WB_ROW_EMPTY 0 /* two reads of the clock, one after the other */
#define WB_ROW_PROBE 1 /* a probe, between its two reads */
#define WB_ROW_WHOLE 2 /* from start to end, less the probes */
#define WB_ROW_FIRST 3

/* Most rows of a kernel. */
#define WB_ROW_LIMIT (UINT32_C(1) << 20)

/* One transition: threads that passed `from` passed no other point until `to`. */
struct wb_transition {
  uint32_t from; /* points */
  uint32_t to;
  uint32_t row;
};

/* The row of a transition is the first row of `to` and the colour of `from`: points that lead to a
 * common one have different colours, so that a probe adds two numbers and no more. Owned; free with
 * wb_point_graph_free.
 * Invariants: rows of transitions differ and are from WB_ROW_FIRST to row_count - 1; transitions
 * ascend by from, then in the order in which they were found; first has point_count + 1 items. */
struct wb_point_graph {
  struct wb_transition *transitions;
  size_t transition_count;
  size_t *first;       /* by `from`: its first transition */
  uint32_t *colour;    /* by point */
  uint32_t *first_row; /* by point */
  size_t point_count;
  uint32_t row_count; /* some may belong to no transition */
};

/* Errors: WARPBOUND_INVALID_INPUT over a limit. At most 2^28 steps. */
warpbound_status wb_point_graph_make(const struct wb_code *code, size_t kernel,
                                     const struct wb_points *points, struct wb_point_graph *graph,
                                     warpbound_error *error);
void wb_point_graph_free(struct wb_point_graph *graph);

#endif
