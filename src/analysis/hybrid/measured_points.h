/* The points of measured times in the code of a function, and the longest times between them. */
#ifndef WB_ANALYSIS_HYBRID_MEASURED_POINTS_H
#define WB_ANALYSIS_HYBRID_MEASURED_POINTS_H

#include "analysis/hybrid/hybrid_result.h"
#include "base/arena.h"
#include "base/work_control.h"
#include "cfg/warp_graph/warp_graph.h"

/* Whether a kernel that a row names, or NULL for none, is that function, by its name or demangled.
 */
bool wb_times_kernel_is(const char *kernel, const struct wb_function *function);

/* How many rows are of the function. */
size_t wb_times_rows_of(const struct wb_times *times, const struct wb_function *function);

/* The largest number of segments that a warp went in one run, by the counts of the function's rows,
 * in *count. Errors: WARPBOUND_INVALID_INPUT where a sum does not fit, WARPBOUND_INTERNAL. */
warpbound_status wb_times_longest_walk(const struct wb_times *times,
                                       const struct wb_function *function, int64_t *count,
                                       warpbound_error *error);

/* No place. */
#define WB_NO_PLACE UINT32_MAX

/* From a place, or the start, to the next one, the end, or the end of the block. */
struct wb_transition {
  uint32_t from; /* a place, or points->start */
  uint32_t to;   /* a place, points->stop or points->block */
  int64_t cycles;
  int64_t count; /* most often in one run of a warp; -1: not said */
  size_t rows;
  size_t first_row; /* of the times */
  bool used;
};

/* A place is one or several instructions: the copies of a source line. Places that share an
 * instruction are one, as are those in a block that has a row of its own. */
struct wb_measured_points {
  uint32_t *place_of; /* by instruction of the function: the place, or WB_NO_PLACE */
  size_t place_count;
  uint32_t start, stop, block; /* numbers of what is no place, above these */
  bool *whole;                 /* by place: a block where it stands has a row of its own */
  bool *whole_at;              /* by instruction: it begins such a block, in which no other
                                  instruction is of a place */
  int64_t *most_runs;          /* by place: most often passed in one run of a warp; -1: not said */
  uint32_t *block_last;        /* by instruction: the last one of its block, contexts united */
  struct wb_transition *transitions; /* by (from, to), each once */
  size_t transition_count;
  bool has_start;  /* some transition goes from the start to a place */
  bool segments;   /* some transition is not of a whole block */
  size_t rows;     /* of this function */
  size_t left_out; /* source lines that no run came to, and that the code does not have */
  struct wb_high_water high_water;
};

/* Finds the points; their arrays live as long as the arena. Errors: WARPBOUND_INVALID_INPUT where a
 * place is not in the code that the graph reaches (but a source line of rows with the count 0
 * alone), with the times' name and the row's line; WARPBOUND_LIMIT, WARPBOUND_INTERNAL. Time:
 * places times instructions, and sorting the rows. */
warpbound_status wb_measured_points_make(const struct wb_code *code,
                                         const struct wb_warp_graph *united,
                                         const struct wb_times *times,
                                         const struct wb_control *control, struct wb_arena *arena,
                                         struct wb_measured_points *points, warpbound_error *error);

/* The transition, or NULL. Logarithmic. */
struct wb_transition *wb_measured_transition(const struct wb_measured_points *points, uint32_t from,
                                             uint32_t to);

#endif
