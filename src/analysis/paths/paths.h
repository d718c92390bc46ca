/* All paths of a kernel of machine code that a warp may take (doc/all-paths.md), and their kernel
 * instruction strings: of all paths where they are few, else of chosen ones. */
#ifndef WB_ANALYSIS_PATHS_PATHS_H
#define WB_ANALYSIS_PATHS_PATHS_H

#include "analysis/paths/path_solver.h"
#include "analysis/paths/path_system.h"
#include "analysis/wcet/wcet.h"
#include "flow/barriers/barrier_agreement.h"
#include "flow/paths/kernel_path.h"
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

/* The paths of a function. Owns all; wb_paths_free. */
struct wb_paths {
  struct wb_wcet wcet;            /* of one warp */
  struct wb_path_system system;   /* all paths */
  struct wb_path_strings strings; /* the known ones; the worst path of one warp first, if known */
  struct wb_path_maxima maxima;   /* grows with the questions */
  struct wb_kernel_path path;     /* the worst path of one warp alone, with its string: another may
                                     be worse for many */
  struct wb_list assumptions;     /* of all of this */
  struct wb_disagreement disagreement; /* where barriers are in doubt */
  bool told;                           /* what is not shown of barriers is what the caller says */
  bool reads_only; /* that they are the same rests on memory that the code says to be read alone */
  struct wb_estimate over;     /* what bounds from above over all paths rest on, not proven */
  struct wb_estimate estimate; /* the same and what runs of the paths rest on beside it */
};

/* The WCET of one warp and the system of all paths, without strings. code and function are borrowed
 * for as long as *paths lives. Errors: those of wb_wcet_analyse; on WARPBOUND_FACTS_MISSING
 * paths->wcet is filled in as of that function, and the caller frees *paths. */
warpbound_status wb_paths_analyse(const struct wb_code *code, const struct wb_function *function,
                                  const struct wb_wcet_options *options,
                                  const struct wb_control *control, struct wb_paths *paths,
                                  warpbound_error *error);

/* Analyses a function: the same, and the worst path of one warp and the known strings. code and
 * function are borrowed for as long as *paths lives. Errors: those of wb_wcet_analyse;
 * WARPBOUND_FACTS_MISSING where no worst path is known, WARPBOUND_LIMIT where it has more than
 * WB_STRING_LIMIT instructions. */
warpbound_status wb_paths_make(const struct wb_code *code, const struct wb_function *function,
                               const struct wb_wcet_options *options,
                               const struct wb_control *control, struct wb_paths *paths,
                               warpbound_error *error);
void wb_paths_free(struct wb_paths *paths);

/* The nodes of paths->system, in order, of an execution with these counts by edge, which the caller
 * frees; NULL where it is none of the system that the exclusive facts allow too, has more than
 * `longest` nodes, or no order of them is found. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_paths_walk(const struct wb_paths *paths, const int64_t *taken, size_t longest,
                               uint32_t **nodes, size_t *count, warpbound_error *error);

/* Whether an execution with these counts by edge is one of paths->system that the exclusive facts
 * allow too. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_paths_allow(const struct wb_paths *paths, const int64_t *taken, bool *allowed,
                                warpbound_error *error);

/* How often the worst path of one warp alone, which is known (paths->wcet.ipet.taken), takes each
 * edge of paths->system. */
void wb_paths_worst_counts(const struct wb_paths *paths, int64_t *taken);

/* Adds the string of an execution with these counts by edge, if it is one of the system that the
 * exclusive facts allow too, and is not too long; where it is there already, only `why` is set.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_paths_add_string(struct wb_paths *paths, const int64_t *taken, const char *why,
                                     warpbound_error *error);

/* Errors: WARPBOUND_INVALID_INPUT with the place of a barrier that a part of the warps of a block
 * may pass. */
warpbound_status wb_paths_check_barriers(const struct wb_paths *paths, warpbound_error *error);

/* Whether all paths have one string: then bounds on it are bounds on the kernel. */
bool wb_paths_are_one(const struct wb_paths *paths);

/* Adds the strings of all paths, in depth-first order, as long as they are few and found in a
 * number of steps that does not depend on the machine; sets `all`. Errors: WARPBOUND_INTERNAL
 * (memory). */
warpbound_status wb_paths_list_strings(struct wb_paths *paths, warpbound_error *error);

#endif
