/* The WCET of one warp from measured times: as that of `wcet`, but what a path costs are the
 * longest measured times between points of the code, in the manner of Betts and Donaldson
 * (Estimating the WCET of GPU-accelerated applications using hybrid analysis, ECRTS 2013;
 * doc/measured/hybrid.md). */
#ifndef WB_ANALYSIS_HYBRID_HYBRID_RESULT_H
#define WB_ANALYSIS_HYBRID_HYBRID_RESULT_H

#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/list.h"
#include "base/work_control.h"
#include "formats/times/times_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What code costs that no row of the times covers. */
enum wb_unmeasured_cost {
  WB_UNMEASURED_REFUSED, /* nothing: such code is an error */
  WB_UNMEASURED_CYCLES,  /* so many cycles for each instruction */
  WB_UNMEASURED_STATIC   /* each instruction's static cost */
};

/* All borrowed. */
struct wb_hybrid_options {
  struct wb_wcet_options wcet; /* bounds, facts and static costs; without refinement */
  const struct wb_times *times;
  enum wb_unmeasured_cost unmeasured;
  int64_t unmeasured_cycles; /* of an instruction, 0 .. 10^9 */
  bool observed_counts; /* limits runs and transitions by the largest counts that were observed */
};

/* Where a segment begins or ends, for reports: the point as a row names it. */
struct wb_hybrid_segment {
  struct wb_times_point from, to; /* texts are of the times */
  int64_t cycles;                 /* the longest of its rows */
  int64_t count;                  /* most often in one run of a warp; -1: not said */
  size_t rows;                    /* that it is made of */
  bool used;                      /* the code can go this way, and the segment's time counts */
};

/* No instruction: in place of a point's. */
#define WB_HYBRID_NOWHERE UINT32_MAX

/* Code that no row covers. */
struct wb_hybrid_gap {
  bool segment;   /* from a point to a next one; else the instructions first .. last */
  uint32_t first; /* an instruction, or WB_HYBRID_NOWHERE: the start */
  uint32_t last;  /* an instruction, or WB_HYBRID_NOWHERE: the end */
};

/* A block of the graph on the worst path. */
struct wb_hybrid_block {
  uint32_t block; /* of the graph */
  int64_t runs;
  int64_t cycles;     /* of the segments that leave its points, of all runs */
  int64_t unmeasured; /* of these, by static costs */
};

/* Whole runs of warps. */
struct wb_high_water {
  int64_t cycles; /* the longest */
  double mean;
  size_t count; /* 0: there is no row of one */
};

/* Owns all but code, function and times: wb_hybrid_free. */
struct wb_hybrid {
  const struct wb_code *code;
  const struct wb_function *function; /* with those linked behind it that it calls */
  struct wb_arena arena;              /* owns what was linked */
  const struct wb_times *times;
  size_t rows;         /* of this function */
  struct wb_wcet wcet; /* with measured costs; without a proof where facts are missing */
  struct wb_hybrid_segment *segments;
  size_t segment_count;
  struct wb_hybrid_gap *gaps; /* also where they have a cost */
  size_t gap_count, gap_capacity;
  struct wb_hybrid_block *path; /* by block that runs; none where no path was found */
  size_t path_count;
  int64_t before;     /* cycles on the path from the start to the first point */
  int64_t unmeasured; /* cycles on the path by static costs */
  struct wb_high_water high_water;
  bool below;      /* the result is below the high-water mark: the points miss something */
  bool has_static; /* the static number is known */
  int64_t static_cycles;
  warpbound_kind static_kind;
  struct wb_estimate static_estimate; /* why that number is an estimate, where it is one */
  char static_refusal[256];           /* why it is not known */
  struct wb_estimate estimate;        /* why the result is one: measured times always make it one */
  struct wb_list assumptions;
};

/* The handle of the public header for measured times. Owns them. */
struct warpbound_times {
  struct wb_times times;
};

/* That for the WCET from them. Borrows module and times. */
struct warpbound_hybrid {
  const struct warpbound_module *module;
  struct wb_hybrid hybrid;
  bool bounded; /* the analysis came to its end */
};

/* Analyses one function. On WARPBOUND_OK the proof, of the flow system with measured costs, is in
 * hybrid->wcet.ipet.proof; its bound is an estimate whatever its kind says. On
 * WARPBOUND_FACTS_MISSING (loops without a bound; code that no row covers, then in hybrid->gaps;
 * no row at all) the result has what was found until then. In both cases the caller frees *hybrid.
 * Errors: WARPBOUND_INVALID_INPUT with the times' name and line (a place that is not in the code,
 * times of other code, costs that do not fit), and those of wb_wcet_analyse. The time is that of
 * two such analyses, and points times edges for the segments. */
warpbound_status wb_hybrid_analyse(const struct wb_code *code, const struct wb_function *function,
                                   const struct wb_hybrid_options *options,
                                   const struct wb_control *control, struct wb_hybrid *hybrid,
                                   warpbound_error *error);
void wb_hybrid_free(struct wb_hybrid *hybrid);

#endif
