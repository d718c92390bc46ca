/* Paths files, "warpbound-paths-1" (doc/formats.md): an upper bound over all paths of a kernel on a
 * whole SM. One JSON object with the members
 *
 *   format       "warpbound-paths-1"
 *   bound        the formula: "total", "serial", "joint", "spare" or "types" (doc/all-paths.md)
 *   cycles       the bound
 *   denominator  of the weights, at least 1
 *   units, issue_slots, warps
 *                as in formats/makespan/makespan_files.h; warps are those of the whole SM
 *   shared       the types whose units all partitions share: ["D"]
 *   partitions, blocks
 *                how many; `blocks` divides `warps`
 *   nodes        for each node its letters [L, C, S, D, N, B], or of all [L, C, S, D, T, N, B]
 *   start, ends, edges, starts, ports, limits
 *                as the flow system below; where there are ports "potentials" go
 *                by port
 *   early_ends   warps may end before barriers of others, which then wait for the rest; may be left
 *                out: false
 *   maxima       proofs: [{"of": "letters", "phase": 0, "scale": 1, "prices": [by limit],
 *                "potentials": [by node]}, ...]; "phase" left out: of all phases together */
#ifndef WB_FORMATS_PATHS_PATHS_FILE_H
#define WB_FORMATS_PATHS_PATHS_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/flow/paths_check.h"
#include "formats/json/json_input.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_PATHS_FORMAT "warpbound-paths-1"

/* A claim read from a file. Owns all that it points to: free with wb_paths_file_free. */
struct wb_paths_file {
  struct wb_check_paths_claim claim;
  struct wb_arena arena;
};

/* Reads the object of a paths file into a struct wb_paths_file (wb_json_read). Only the form is
 * checked here; whether the claim holds is for wb_check_paths to say. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in the object. */
wb_json_read wb_paths_file_read;
void wb_paths_file_free(struct wb_paths_file *file);

/* Writes a claim, which is borrowed for the call. The caller checks text->failed. Linear in the
 * claim. */
void wb_paths_file_write(const struct wb_check_paths_claim *claim, struct wb_text *text);

/* ---- flow systems ---- */

/* The members of files that hold a flow system, read and written in one place:
 *
 *   start, ends   the node where paths begin, those where they may end; nodes count from 0
 *   edges         [FROM, TO] each
 *   starts, ports
 *                 where several groups of lanes run (doc/group-flow.md): starts are [NODE, RUNS],
 *                 ports the node of each, ascending, an edge in one is [FROM, TO, PORT], and `ends`
 *                 go by port; there is no `start` then
 *   limits        [{"most": 9, "edges": [[EDGE, FACTOR], ...], "local": true,
 *                 "common": true}, ...]; "local" and "common" may be left out: false
 *
 * The nodes themselves are a member that each kind of file has in its own way. */

/* What is said of limits besides, by limit. Borrowed. */
struct wb_limit_marks {
  bool *local, *common;
};

/* Reads the system of a file with so many nodes; the caller frees it, after a failure too, and the
 * marks are the reader's arena's. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Linear. */
void wb_system_members_read(struct wb_json_reader *reader, const json_t *object, size_t nodes,
                            struct wb_flow_system *system, struct wb_limit_marks *marks);
/* Writes them, a line each, with a comma at the end. local, common: NULL for none. */
void wb_system_members_write(const struct wb_flow_system *system, const bool *local,
                             const bool *common, struct wb_text *text);

/* Reads a member that is a list of so many numbers, which are the arena's. */
const int64_t *wb_numbers_member_read(struct wb_json_reader *reader, const json_t *object,
                                      const char *key, size_t count);
/* Writes it behind a comma. */
void wb_numbers_member_write(const char *key, const int64_t *numbers, size_t count,
                             struct wb_text *text);

#endif
