/* Potential files, "warpbound-potential-1" (doc/potentials/file.md): an upper bound for any
 * number of warps, with the potential that proves it. One JSON object with the members
 *
 *   format      "warpbound-potential-1"
 *   string, units, issue_slots, warps
 *               as in formats/machine/problem_members.h
 *   cycles      the bound
 *   from_warps  the line is claimed from this number of warps on; left out: no line
 *   gain        g, at least 1
 *   rear        trailing warps that are followed exactly; left out: none
 *   pools       [{"type": "L", "warps": K, "work": B}, ...]
 *   pieces      the components, one for each pool; left out: one for all, with the members
 *   stay, leave its values of steps inside runs and out of them:
 *               [{"type": "L", "value": 1}, ...] and
 *               [{"from": "L", "to": "C", "length": 9, "value": 1}, ...], "to": "end" at the end
 *   own_stay, own_leave
 *               the same of the own warp, without lengths
 *   heights     the states with their offsets: [["L", n, b, ..., offset, ...], ...], the own warp's
 *               type, warps and work of each pool, and the offset in each component */
#ifndef WB_FORMATS_POTENTIAL_POTENTIAL_FILE_H
#define WB_FORMATS_POTENTIAL_POTENTIAL_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/potential/potential_claim.h"
#include "formats/json/json_input.h"

#include <stddef.h>
#include <stdint.h>

struct wb_potential_proof;

#define WB_POTENTIAL_FORMAT "warpbound-potential-1"

/* A claim read from a file. Owns all that it points to: free with wb_arena_free. */
struct wb_potential_file {
  struct wb_check_potential_claim claim;
  struct wb_arena arena;
};

/* Reads the object of a potential file into a struct wb_potential_file (wb_json_read). Only the
 * form is checked here; whether the claim holds is for wb_check_potential to say. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in the object and the
 * length of the string. */
wb_json_read wb_potential_file_read;

/* Writes a proven potential. Numbers and letters only: nothing to escape. The caller checks
 * text->failed. */
void wb_potential_file_write(const struct wb_potential_proof *proof, struct wb_text *text);

#endif
