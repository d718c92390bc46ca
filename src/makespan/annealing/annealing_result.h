/* The options and the result of an annealing. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RESULT_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RESULT_H

#include "base/control.h"
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

/* temperature: T0, above 0, in cycles; it falls linearly to 0. A zeroed struct means
 * the defaults: iterations, runs and temperature of 0 stand for those above.
 * guide_memory: most bytes of the table that says where the windowed variant may begin
 * anew; without it that is anywhere. */
struct wb_annealing_options {
  enum wb_annealing_variant variant;
  enum wb_annealing_initial initial;
  uint64_t iterations; /* of each run */
  uint32_t runs;
  double temperature;
  uint64_t seed;
  uint64_t guide_memory;
};

/* A run's makespan became `makespan`, more than ever before in it, in its iteration
 * `iteration` (0: its initial string), `seconds` after the annealing began. */
struct wb_annealing_improvement {
  uint64_t iteration;
  uint64_t makespan;
  double seconds;
};

/* One run: its improvements in order, the iterations it did. */
struct wb_annealing_run {
  enum wb_annealing_initial initial;
  uint64_t iterations;
  struct wb_annealing_improvement *improvements;
  size_t count;
  size_t capacity;
};

/* runs[0 .. run_count - 1]: those that count. witness: the longest schedule, of the
 * earliest run that found it; empty where there was no time for any. stop: why the work
 * ended early, if it did. bytes: of one run. Free with
 * wb_annealing_result_free. */
struct wb_annealing_result {
  enum wb_annealing_variant variant;
  uint64_t iterations; /* asked of each run */
  double temperature;
  struct wb_annealing_run *runs;
  size_t run_count;
  struct wb_schedule witness;
  enum wb_stop stop;
  uint64_t bytes;
};

/* "published", "windowed". */
const char *wb_annealing_variant_name(enum wb_annealing_variant variant);
/* "round-robin", ..., "all". */
const char *wb_annealing_initial_name(enum wb_annealing_initial initial);

/* The options with the defaults in the place of zeros. */
struct wb_annealing_options wb_annealing_with_defaults(const struct wb_annealing_options *options);

void wb_annealing_result_free(struct wb_annealing_result *result);

#endif
