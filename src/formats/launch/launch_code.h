/* The members of launch files that hold the timing of instructions: resources and instructions
 * (formats/launch/launch_file.h). */
#ifndef WB_FORMATS_LAUNCH_LAUNCH_CODE_H
#define WB_FORMATS_LAUNCH_LAUNCH_CODE_H

#include "base/status.h"
#include "base/text.h"
#include "formats/json/json_input.h"
#include "model/timed_code.h"

/* Reads both at the file's place. The caller frees the code, after a failure too. Errors:
 * WARPBOUND_INVALID_INPUT, WARPBOUND_INTERNAL. Linear. */
void wb_launch_code_read(struct wb_json_reader *reader, const json_t *object,
                         struct wb_timed_code *code);

/* Writes both, with a comma at the end. */
void wb_launch_code_write(const struct wb_timed_code *code, struct wb_text *text);

#endif
