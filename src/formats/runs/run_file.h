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

/* A claim read from a file, with everything that it points to. Free with wb_run_file_free. */
struct wb_run_file {
  struct wb_check_run_claim claim;
  /* The claim's. */
  char *letters;
  uint32_t *lengths;
};

/* Reads the text of a run file, of at most WB_JSON_LIMIT bytes. Only the form is checked here;
 * whether the segments are the string and the claim holds is for wb_check_run to say. `name` is the
 * file's, for messages. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free.
 * Linear in the text and in the length of the string. */
warpbound_status wb_run_file_parse(const char *name, const char *text, size_t length,
                                   struct wb_run_file *file, warpbound_error *error);
/* The same from JSON that was parsed already; the object is borrowed for the call. */
warpbound_status wb_run_file_read(const char *name, const json_t *object, struct wb_run_file *file,
                                  warpbound_error *error);
void wb_run_file_free(struct wb_run_file *file);

/* Writes the claim that no path of the run abstraction from the problem's warps before the first
 * segment has more than `cycles` cycles. lengths: of the `count` segments; each is of one type and
 * together they are the string, which is not checked here. The caller checks text->failed. Linear
 * in count. */
void wb_run_file_write(const struct wb_problem *problem, const uint32_t *lengths, size_t count,
                       uint64_t cycles, struct wb_text *text);

#endif
