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
#include "formats/potential/components_member.h"

#include <stddef.h>
#include <stdint.h>

struct wb_potential_proof;

#define WB_POTENTIAL_FORMAT "warpbound-potential-1"

/* The lists of values, in the order of the members stay, leave, own_stay, own_leave. */
#define WB_POTENTIAL_LISTS 4

/* A claim read from a file, with everything that it points to. Free with wb_potential_file_free. */
struct wb_potential_file {
  struct wb_check_potential_claim claim;
  /* The claim's. */
  char *letters;
  struct wb_check_potential_pool *pools;
  struct wb_check_potential_value *values[WB_POTENTIAL_LISTS];
  struct wb_components_member components;
  struct wb_check_potential_state *states;
};

/* Reads the text of a potential file, of at most WB_JSON_LIMIT bytes. Only the form is checked
 * here; whether the claim holds is for wb_check_potential to say. `name` is the file's, for
 * messages. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in
 * the text and the length of the string. */
warpbound_status wb_potential_file_parse(const char *name, const char *text, size_t length,
                                         struct wb_potential_file *file, warpbound_error *error);
/* The same from JSON that was parsed already; the object is borrowed for the call. */
warpbound_status wb_potential_file_read(const char *name, const json_t *object,
                                        struct wb_potential_file *file, warpbound_error *error);
void wb_potential_file_free(struct wb_potential_file *file);

/* Writes a proven potential. Numbers and letters only: nothing to escape. The caller checks
 * text->failed. */
void wb_potential_file_write(const struct wb_potential_proof *proof, struct wb_text *text);

#endif
