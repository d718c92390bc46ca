/* The members that files of schedules and certificates share, read and written in one place: the
 * string, the units and issue slots of one partition, and the number of warps:
 *
 *   "string": "5L9C", "units": {"L": 1, "C": 4}, "issue_slots": 0, "warps": 8
 *
 * string       a kernel instruction string (doc/formats.md)
 * units        by type L, C, S, D or T: most instructions that start in a cycle, at least 1
 * issue_slots  most instructions that start in a cycle; 0 or left out: no cap
 * warps        at least 1 */
#ifndef WB_FORMATS_MACHINE_PROBLEM_MEMBERS_H
#define WB_FORMATS_MACHINE_PROBLEM_MEMBERS_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/claim_problem.h"
#include "formats/json/json_input.h"
#include "model/problem.h"

#include <stddef.h>
#include <stdint.h>

/* Reads all four members at the file's place. most_warps: the most that `warps` may be. The letters
 * are the reader's arena's. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Linear in the
 * length of the string. */
void wb_problem_members_read(struct wb_json_reader *reader, const json_t *object,
                             uint64_t most_warps, struct wb_check_problem *problem,
                             uint64_t *warps);

/* Reads a kernel instruction string at the place into its *length letters of "LCSDTNB", without
 * counts, which are the arena's. NULL after a failure. */
const char *wb_string_member_read(struct wb_json_reader *reader, const json_t *value,
                                  size_t *length);

/* Reads the member `units`: by type L, C, S, D, T, 0 where it is left out. */
void wb_units_member_read(struct wb_json_reader *reader, const json_t *object,
                          uint64_t capacity[WB_CHECK_UNIT_TYPES]);

/* Reads the member `issue_slots`; 0 where it is left out. */
uint64_t wb_issue_slots_member_read(struct wb_json_reader *reader, const json_t *object);

/* Writes the member `format` and all four of a problem, from the brace that opens the object to the
 * comma after the last. Numbers and letters only: nothing to escape. The caller checks
 * text->failed. */
void wb_problem_members_write(const char *format, const struct wb_problem *problem,
                              struct wb_text *text);

/* Writes the member `units`, without a comma. capacity: by type L, C, S, D, T; 0: left out. */
void wb_units_member_write(const uint32_t capacity[WB_REAL_UNIT_COUNT], struct wb_text *text);

/* Writes the member `issue_slots`, without a comma: 0 for WB_UNLIMITED. */
void wb_issue_slots_member_write(uint32_t issue_slots, struct wb_text *text);

#endif
