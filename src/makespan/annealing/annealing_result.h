/* The options and the result of an annealing. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RESULT_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RESULT_H

#include "base/work_control.h"
#include "makespan/machine/schedule.h"

#include <stddef.h>
#include <stdint.h>

/* published: any two places of the string change their warps; worse strings are taken
 * with probability min(1, T / (m - m')). windowed (ours): changes within windows of the
 * string sorted by cycle, taken with min(1, exp((m' - m) / T)), and restarts. Where the
 * scheduler is fair between blocks both change places of one repetition only, and the windowed
 * one sorts each repetition by itself and does not restart. */
enum wb_annealing_variant { WB_ANNEALING_WINDOWED, WB_ANNEALING_PUBLISHED };

/* Where a run begins; ALL: run r with the (r mod 4)th. */
enum wb_annealing_initial {
  WB_ANNEALING_ROUND_ROBIN,
  WB_ANNEALING_FIXED_PRIORITY,
  WB_ANNEALING_MOST_PENDING,
  WB_ANNEALING_RANDOM,
  WB_ANNEALING_ALL
};

#define WB_ANNEALING_ITERATIONS UINT64_C(2000000)
#define WB_ANNEALING_RUNS 8u
#define WB_ANNEALING_TEMPERATURE 0.3
#define WB_ANNEALING_RUN_LIMIT 4096u

/* A zeroed struct means the defaults. */
struct wb_annealing_options {
  enum wb_annealing_variant variant;
  enum wb_annealing_initial initial;
  uint64_t iterations; /* of each run; 0: WB_ANNEALING_ITERATIONS */
  uint32_t runs;       /* 0: WB_ANNEALING_RUNS */
  /* T0, in cycles, above 0; it falls linearly to 0. 0: WB_ANNEALING_TEMPERATURE */
  double temperature;
  uint64_t seed;
  uint64_t guide_memory; /* most bytes of the table that says where the windowed variant may begin
                            anew; without it that is anywhere */
};

/* An improvement of a run. */
struct wb_annealing_improvement {
  uint64_t iteration; /* of the run; 0: its initial string */
  uint64_t makespan;  /* in cycles, more than ever before in the run */
  double seconds;     /* since the annealing began */
};

/* A run. */
struct wb_annealing_run {
  enum wb_annealing_initial initial;
  uint64_t iterations;                           /* done */
  struct wb_annealing_improvement *improvements; /* in order */
  size_t count;                                  /* of them */
  size_t capacity;
};

/* The outcome. Free with wb_annealing_result_free. */
struct wb_annealing_result {
  enum wb_annealing_variant variant;
  uint64_t iterations; /* asked of each run */
  double temperature;
  struct wb_annealing_run *runs; /* those that count */
  size_t run_count;
  struct wb_schedule witness; /* the longest schedule, of the earliest run that found it; empty
                                 where there was no time for any */
  enum wb_stop stop;          /* why the annealing ended early */
  uint64_t bytes;             /* of one run */
};

/* "published", "windowed". */
const char *wb_annealing_variant_name(enum wb_annealing_variant variant);
/* "round-robin", ..., "all". */
const char *wb_annealing_initial_name(enum wb_annealing_initial initial);

void wb_annealing_result_free(struct wb_annealing_result *result);

#endif
