/* Run files, "warpbound-runs-1" (doc/formats.md): an upper bound proven by the longest path of the
 * run abstraction on one cut of the string. One JSON object with the members
 *
 *   format  "warpbound-runs-1"
 *   string, units, issue_slots, warps
 *           as in formats/machine/problem_members.h
 *   cycles  the bound
 *   runs    the instructions of each segment of the cut, in order */
#ifndef WB_FORMATS_RUNS_RUN_FILE_H
#define WB_FORMATS_RUNS_RUN_FILE_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/runs/run_check.h"
#include "formats/json/json_input.h"

#include <stddef.h>
#include <stdint.h>

struct wb_problem;

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

#endif
