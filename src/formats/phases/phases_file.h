/* Phases files, "warpbound-phases-1" (doc/formats.md): an upper bound that adds up over the phases
 * between barriers, with the certificates of the phases. One JSON object with the members
 *
 *   format  "warpbound-phases-1"
 *   string, units, issue_slots, warps
 *           as in formats/machine/problem_members.h
 *   cycles  the bound
 *   proofs  the objects of run files and potential files, one for each phase that differs */
#ifndef WB_FORMATS_PHASES_PHASES_FILE_H
#define WB_FORMATS_PHASES_PHASES_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/schedule/phases_check.h"
#include "formats/json/json_input.h"

#include <stddef.h>
#include <stdint.h>

struct wb_problem;

#define WB_PHASES_FORMAT "warpbound-phases-1"

/* Most proofs in a file. */
#define WB_PHASES_PROOF_LIMIT ((size_t)4096)

/* A claim read from a file. Owns the letters: free with wb_arena_free. */
struct wb_phases_file {
  struct wb_check_phases_bound claim;
  const json_t *proofs; /* objects in a list of the object that was read; whether each is a
                           certificate is not checked */
  struct wb_arena arena;
};

/* Reads the object of a phases file, which has to live as long as *file. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in the list and the
 * string. */
warpbound_status wb_phases_file_read(const char *name, const json_t *object,
                                     struct wb_phases_file *file, warpbound_error *error);

/* Writes a file in parts: its beginning, then for each proof the separator and, by its own writer,
 * the proof, then the end. index: of the proof, from 0. The caller checks text->failed. */
void wb_phases_file_begin(const struct wb_problem *problem, uint64_t cycles, struct wb_text *text);
void wb_phases_file_separate(size_t index, struct wb_text *text);
void wb_phases_file_end(struct wb_text *text);

#endif
