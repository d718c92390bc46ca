/* Run files, "warpbound-launch-run-1" (doc/formats.md): a run of a launch, or of launches together,
 * that the model of doc/launch.md allows, with the time of each issue and request. One JSON object
 * with the members
 *
 *   format       "warpbound-launch-run-1"
 *   cycles       that the run takes
 *   device       for people; may be left out
 *   machine      {"sms": 14, "partitions": 4, "resident_blocks": 3, "overhead": 0,
 *                "block_start": 0, "dispatch": 0}; the last three may be left out: 0.
 *                "early_starts": true where starts of blocks go on while they wait for the
 *                dispatcher. Of launches together resident_blocks is left out, and "begin",
 *                "memory" and "of" may be there: when the graph begins, the resource that copies
 *                hold, and the step that the cycles are of, from when it was asked for
 *   fetches, resources, instructions
 *                as in a launch file
 *   lines        from a cold start, else left out: [[FETCH, BEHIND], ...], the kind of each line
 *                and one more than the line that it waits for, 0: none
 *   needs        the same: [[LINE, ...], ...] by instruction
 *   paths        [[INSTRUCTION, ...], ...]
 *   kernels      [{"blocks": 12, "block_warps": 8, "most": 3, "first_sm": 0, "sms": 4}, ...]; the
 *                last two may be left out: any SM. The only one of a launch alone has no `most`
 *   rooms        [{"capacity": 3, "sizes": [1, 2]}, ...], of launches together
 *   steps        the same: [{"launch": KERNEL, "asked": 0, "begin": 0, "end": 90, "gap": 0,
 *                "after": [STEP, ...], "beside": true, "row": 3, "period": 900}, {"copy": ENGINE,
 *                "cycles": 9, "memory": 1, ...}, {"wait": 9, ...}]; gap, after, beside, row, period
 *                and memory may be left out: 0, none, false
 *   blocks       [[STEP, SM, PLACED, READY], ...]
 *   warps        [[PATH, PARTITION, TIME, ...], ...], block by block: of each issue
 *   requests     [[TIME, ...], ...], warp by warp: by step, stage and number
 *   fetched      [[LINE, SM, PARTITION, TIME, ...], ...]; may be left out
 *   copied       [[STEP, TIME, ...], ...], by server of the memory; may be left out
 */
#ifndef WB_FORMATS_LAUNCH_RUN_LAUNCH_RUN_FILE_H
#define WB_FORMATS_LAUNCH_RUN_LAUNCH_RUN_FILE_H

#include "base/arena.h"
#include "base/text.h"
#include "certificate/launch_run/launch_run.h"
#include "formats/json/json_input.h"

#define WB_LAUNCH_RUN_FORMAT "warpbound-launch-run-1"

/* A run read from a file. Owns all that it points to: free with wb_launch_run_file_free. */
struct wb_launch_run_file {
  struct wb_check_launch_run run;
  struct wb_check_run_graph graph; /* the run's, where there is one */
  struct wb_timed_code code;       /* the run's */
  char *device;                    /* NULL: the file does not say */
  struct wb_arena arena;
};

/* Reads the object of a run file into a struct wb_launch_run_file (wb_json_read). Only the form is
 * checked here. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Linear in the object. */
wb_json_read wb_launch_run_file_read;
void wb_launch_run_file_free(struct wb_launch_run_file *file);

/* Writes a run whose events are by block, warp and step in time's order: it sorts a list of them.
 * device: NULL: nothing is said. Errors: WARPBOUND_INTERNAL (memory); the caller checks
 * text->failed. */
warpbound_status wb_launch_run_file_write(const struct wb_check_launch_run *run, const char *device,
                                          struct wb_text *text, warpbound_error *error);

#endif
