/* Paths of a system as kernel instruction strings: all of them where they are few, else chosen
 * ones. */
#ifndef WB_ANALYSIS_PATHS_STRINGS_PATH_STRINGS_H
#define WB_ANALYSIS_PATHS_STRINGS_PATH_STRINGS_H

#include "analysis/paths/system/path_system.h"
#include "base/status.h"
#include "ipet/facts/fact_resolution.h"
#include "model/kernel_string.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most strings that are told apart, and most letters of all of them. */
#define WB_PATH_STRING_LIMIT 64
#define WB_PATH_LETTER_LIMIT ((size_t)1000000)

/* The string of a path of the system. Owns string and nodes. */
struct wb_path_string {
  struct wb_kernel_string string;
  uint32_t *nodes; /* of one such path, in order */
  size_t node_count;
  const char *why; /* it was chosen for this; static; or NULL */
};

/* Distinct strings. Owns them: wb_path_strings_free. Zero-initialise. */
struct wb_path_strings {
  struct wb_path_string items[WB_PATH_STRING_LIMIT];
  size_t count;
  size_t letters; /* of all of them */
  bool all;       /* each path that the system and the exclusive facts allow has one of them */
};

/* The system whose paths are listed. All borrowed. */
struct wb_path_source {
  const struct wb_function *function;
  const struct wb_path_system *system;
  const struct wb_resolved_facts *facts;
};

/* The nodes, in order, of an execution with these counts by edge, which the caller frees; NULL
 * where it is none of the system that the exclusive facts allow too, has more than `longest` nodes,
 * or no order of them is found. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_walk(const struct wb_path_source *source, const int64_t *taken,
                              size_t longest, uint32_t **nodes, size_t *count,
                              warpbound_error *error);

/* Adds the strings of all paths, in depth-first order, as long as they are few and found in a
 * number of steps that does not depend on the machine; sets `all`.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_strings_list(const struct wb_path_source *source,
                                      struct wb_path_strings *strings, warpbound_error *error);

/* Adds the string of an execution with these counts by edge, if it is one of the system that the
 * exclusive facts allow too, and is not too long; where it is there already, only `why` is set.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_strings_add(const struct wb_path_source *source, const int64_t *taken,
                                     const char *why, struct wb_path_strings *strings,
                                     warpbound_error *error);

void wb_path_strings_free(struct wb_path_strings *strings);

#endif
