/* The member "frame" of a file of launches: the graph of steps of --graph (doc/launches/frames.md).
 */
#ifndef WB_CLI_INPUT_FRAMES_H
#define WB_CLI_INPUT_FRAMES_H

#include "base/arena.h"
#include "base/status.h"
#include "cli/input/launches.h"
#include "warpbound.h"

#include <jansson.h>
#include <stddef.h>

/* Owns all of it: frame_input_free. */
struct frame_input {
  struct wb_arena arena;
  warpbound_frame_options options;
  warpbound_step *steps;
  size_t count;
};

/* Reads the frame of the file of --launches, whose launches are the list's. Errors:
 * WARPBOUND_INVALID_INPUT with the place; WARPBOUND_INTERNAL. Nothing is to be freed then. */
warpbound_status frame_input_read(const char *name, const struct launch_list *list,
                                  struct frame_input *frame, warpbound_error *error);

/* All launches of the list beside each other, with their periods. Errors: WARPBOUND_INTERNAL. */
warpbound_status frame_input_beside(const struct launch_list *list, bool own_sms,
                                    struct frame_input *frame, warpbound_error *error);
void frame_input_free(struct frame_input *frame);

#endif
