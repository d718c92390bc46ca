/* Results of launches, as `warpbound analyze --json` printed them: what a comparison of two of them
 * needs. Of one launch the object of doc/schema/analyze.json, of several that of
 * doc/schema/analyze-table.json. Members that are not needed are not looked at. */
#ifndef WB_FORMATS_RESULTS_LAUNCH_RESULTS_H
#define WB_FORMATS_RESULTS_LAUNCH_RESULTS_H

#include "base/arena.h"
#include "formats/json/json_input.h"
#include "warpbound.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the numbers of a result are about. */
enum wb_result_group {
  WB_RESULT_NEEDS,    /* what a block needs, and how many reside on an SM */
  WB_RESULT_PARTS,    /* parts of the upper end, in cycles */
  WB_RESULT_LINES,    /* source lines: cycles on the paths of the upper end */
  WB_RESULT_LOOPS,    /* bounds of loops, back edges of the warp for each entry, by source line */
  WB_RESULT_ACCESSES, /* requests to memory by source line: sectors, or passes over banks */
  WB_RESULT_VALUES,   /* of the device */
  WB_RESULT_GROUP_COUNT
};

/* One number of a result. */
struct wb_result_number {
  enum wb_result_group group;
  const char *key; /* "registers", "kernel.cu:14", "global load, kernel.cu:15", "l2.delay" */
  double number;
};

struct wb_result_end {
  uint64_t cycles;
  warpbound_kind kind;
};

/* The result of one launch. */
struct wb_launch_result {
  const char *name;   /* the launch's, where it has one, else the kernel's */
  const char *device; /* its name */
  uint64_t clock;     /* of its SMs, in hertz; 0: not known */
  struct wb_result_end lower, upper;
  struct wb_result_number *numbers; /* by ascending group, then key; each key once */
  size_t number_count;
  const char **assumptions;
  size_t assumption_count;
};

/* The results of a file. Owns all that it points to: free with wb_launch_results_free. */
struct wb_launch_results {
  struct wb_launch_result *launches;
  size_t count;
  bool listed; /* a list, where each launch has a name of its own; else the result of one */
  struct wb_arena arena;
};

/* Reads an object into a struct wb_launch_results (wb_json_read). Errors: WARPBOUND_INVALID_INPUT,
 * WARPBOUND_INTERNAL. Linear in the object, but for the sorting of the numbers. */
wb_json_read wb_launch_results_read;
void wb_launch_results_free(struct wb_launch_results *results);

#endif
