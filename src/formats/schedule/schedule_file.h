/* Schedule files, "warpbound-schedule-1" (doc/formats.md): the cycles in which warps issued the
 * instructions of their strings. One JSON object with the members
 *
 *   format          "warpbound-schedule-1"
 *   string          the string that all warps run; or
 *   strings         several strings, and
 *   string_of_warp  for each warp the number of its string, from 1
 *   units, issue_slots, warps
 *                   as in formats/machine/problem_members.h, of one partition
 *   shared          letters of the types whose units all partitions share; left out: none
 *   blocks, partitions
 *                   how many; left out: 1
 *   fair_blocks     [FIRST, LENGTH, COUNT]: the instructions from FIRST on, counted from 1, are
 * COUNT repetitions of LENGTH, between which the scheduler is fair; left out: none issue_cycles for
 * each warp the list of its issue cycles, counted from 1 */
#ifndef WB_FORMATS_SCHEDULE_SCHEDULE_FILE_H
#define WB_FORMATS_SCHEDULE_SCHEDULE_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/schedule/schedule_claim.h"
#include "formats/json/json_input.h"

#include <stddef.h>
#include <stdint.h>

struct wb_problem;
struct wb_schedule;
struct wb_sm_problem;

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

#endif
