/* Files with a claim about launches together, as JSON (doc/launches/together.md, "Certificates"):
 *
 *   format       "warpbound-frame-1"
 *   cycles       the bound of the frame; 0: it has no step
 *   own_sms      true: each launch has SMs of its own; may be left out
 *   period, in_flight
 *                of the frame, cycles and frames; left out: once, 1
 *   device, assumptions
 *                what it rests on, for people; may be left out
 *   mixes        [{"most": [4, 6], "rooms": [{"capacity": 48, "sizes": [8, 4], "of_partition":
 *                true}]}]: for each size of shared memory what an SM has, and what a block of each
 *                launch takes of it
 *   steps        [{"launch": 0} or {"copy": ENGINE, "cycles": 900, "memory": 200}], with "gap",
 *                "after": [STEP, ..], "stream": a number from 1, "beside": true, "period",
 *                "response"
 *   launches     the object of a launch file for each (formats/launch/launch_file.h)
 */
#ifndef WB_FORMATS_FRAME_FRAME_FILE_H
#define WB_FORMATS_FRAME_FRAME_FILE_H

#include "base/text.h"
#include "certificate/frame/frame_claim.h"
#include "formats/json/json_input.h"
#include "formats/launch/launch_file.h"

#include <stddef.h>

#define WB_FRAME_FORMAT "warpbound-frame-1"

/* A claim read from a file. Owns all that it points to: free with wb_frame_file_free. */
struct wb_frame_file {
  struct wb_check_frame_claim claim;
  struct wb_launch_file *launches;
  size_t launch_count;
  struct wb_check_launch_claim *claims;
  struct wb_check_frame_mix *mixes;
  struct wb_check_frame_step *steps;
  struct wb_launch_grounds grounds;
  struct wb_arena arena;
};

/* Reads the object of a frame file into a struct wb_frame_file (wb_json_read). Only the form is
 * checked here. Errors: WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL, with nothing to free. Linear
 * in the object. */
wb_json_read wb_frame_file_read;
void wb_frame_file_free(struct wb_frame_file *file);

/* Writes a claim; assumptions are borrowed for the call. The caller checks text->failed. */
void wb_frame_file_write(const struct wb_check_frame_claim *claim, const char *device,
                         const struct wb_list *assumptions, struct wb_text *text);

#endif
