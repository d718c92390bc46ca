/* Paths files, "warpbound-paths-1" (doc/formats.md): an upper bound over all paths of a kernel on a
 * whole SM. One JSON object with the members
 *
 *   format       "warpbound-paths-1"
 *   bound        the formula: "total", "serial", "joint", "spare" or "types" (doc/all-paths.md)
 *   cycles       the bound
 *   denominator  of the weights, at least 1
 *   units, issue_slots, warps
 *                as in formats/machine/problem_members.h; warps are those of the whole SM
 *   shared       the types whose units all partitions share: ["D"]
 *   partitions, blocks
 *                how many; `blocks` divides `warps`
 *   nodes        for each node its letters [L, C, S, D, N, B], or of all [L, C, S, D, T, N, B]
 *   start, ends, edges, starts, ports, limits
 *                as in formats/flow_system/system_members.h; where there are ports "potentials" go
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
#include "formats/flow_system/system_members.h"
#include "formats/json/json_input.h"

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

#endif
