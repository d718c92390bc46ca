/* Files of schedules and certificates of makespans: schedules, run abstractions, potentials and
 * phases between barriers, and the members that they share. */
#ifndef WB_FORMATS_MAKESPAN_MAKESPAN_FILES_H
#define WB_FORMATS_MAKESPAN_MAKESPAN_FILES_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/claim_problem.h"
#include "certificate/potential/potential_claim.h"
#include "certificate/runs/run_check.h"
#include "certificate/schedule/phases_check.h"
#include "certificate/schedule/schedule_claim.h"
#include "formats/json/json_input.h"
#include "model/problem.h"

#include <stddef.h>
#include <stdint.h>

struct wb_potential_proof;
struct wb_schedule;
struct wb_sm_problem;

/* ---- schedules ---- */

/* Schedule files, "warpbound-schedule-1" (doc/formats.md): the cycles in which warps issued the
 * instructions of their strings. One JSON object with the members
 *
 *   format          "warpbound-schedule-1"
 *   string          the string that all warps run; or
 *   strings         several strings, and
 *   string_of_warp  for each warp the number of its string, from 1
 *   units, issue_slots, warps
 *                   as the shared members below, of one partition
 *   shared          letters of the types whose units all partitions share; left out: none
 *   blocks, partitions
 *                   how many; left out: 1
 *   fair_blocks     [FIRST, LENGTH, COUNT]: the instructions from FIRST on, counted from 1, are
 * COUNT repetitions of LENGTH, between which the scheduler is fair; left out: none issue_cycles for
 * each warp the list of its issue cycles, counted from 1 */
#define WB_SCHEDULE_FORMAT "warpbound-schedule-1"

/* A claim read from a file. Owns all that it points to: free with wb_arena_free. */
struct wb_schedule_file {
  struct wb_check_schedule_claim claim;
  struct wb_arena arena;
};

/* Reads the object of a schedule file into a struct wb_schedule_file (wb_json_read). Only the form
 * is checked here; whether the schedule is valid is for wb_check_schedule to say. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in the object and in
 * the lengths of the strings. */
wb_json_read wb_schedule_file_read;

/* Writes a schedule of one partition. The caller checks text->failed. Linear in the schedule. */
void wb_schedule_file_write(const struct wb_problem *problem, const struct wb_schedule *schedule,
                            struct wb_text *text);

/* Writes a schedule of a whole SM. The caller checks text->failed. Linear in the schedule. */
void wb_sm_schedule_file_write(const struct wb_sm_problem *problem,
                               const struct wb_schedule *schedule, struct wb_text *text);

/* ---- run abstractions ---- */

/* Run files, "warpbound-runs-1" (doc/formats.md): an upper bound proven by the longest path of the
 * run abstraction on one cut of the string. One JSON object with the members
 *
 *   format  "warpbound-runs-1"
 *   string, units, issue_slots, warps
 *           as the shared members below
 *   cycles  the bound
 *   runs    the instructions of each segment of the cut, in order */
#define WB_RUN_FORMAT "warpbound-runs-1"

/* A claim read from a file. Owns all that it points to: free with wb_arena_free. */
struct wb_run_file {
  struct wb_check_run_claim claim;
  struct wb_arena arena;
};

/* Reads the object of a run file into a struct wb_run_file (wb_json_read). Only the form is checked
 * here; whether the segments are the string and the claim holds is for wb_check_run to say. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear in the list and the
 * length of the string. */
wb_json_read wb_run_file_read;

/* Writes the claim that no path of the run abstraction from the problem's warps before the first
 * segment has more than `cycles` cycles. lengths: of the `count` segments; each is of one type and
 * together they are the string, which is not checked here. The caller checks text->failed. Linear
 * in count. */
void wb_run_file_write(const struct wb_problem *problem, const uint32_t *lengths, size_t count,
                       uint64_t cycles, struct wb_text *text);

/* ---- phases between barriers ---- */

/* Phases files, "warpbound-phases-1" (doc/formats.md): an upper bound that adds up over the phases
 * between barriers, with the certificates of the phases. One JSON object with the members
 *
 *   format  "warpbound-phases-1"
 *   string, units, issue_slots, warps
 *           as the shared members below
 *   cycles  the bound
 *   proofs  the objects of run files and potential files, one for each phase that differs */
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

/* ---- potentials ---- */

/* Potential files, "warpbound-potential-1" (doc/potentials/file.md): an upper bound for any
 * number of warps, with the potential that proves it. One JSON object with the members
 *
 *   format      "warpbound-potential-1"
 *   string, units, issue_slots, warps
 *               as the shared members below
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

/* ---- shared members ---- */

/* The members that files of schedules and certificates share, read and written in one place: the
 * string, the units and issue slots of one partition, and the number of warps:
 *
 *   "string": "5L9C", "units": {"L": 1, "C": 4}, "issue_slots": 0, "warps": 8
 *
 * string       a kernel instruction string (doc/formats.md)
 * units        by type L, C, S, D or T: most instructions that start in a cycle, at least 1
 * issue_slots  most instructions that start in a cycle; 0 or left out: no cap
 * warps        at least 1 */

/* Reads all four members at the file's place. most_warps: the most that `warps` may be. The letters
 * are the reader's arena's. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Linear in the
 * length of the string. */
void wb_problem_members_read(struct wb_json_reader *reader, const json_t *object,
                             uint64_t most_warps, struct wb_check_problem *problem,
                             uint64_t *warps);

/* Reads the member `units`: by type L, C, S, D, T, 0 where it is left out. */
void wb_units_member_read(struct wb_json_reader *reader, const json_t *object,
                          uint64_t capacity[WB_CHECK_UNIT_TYPES]);

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
