/* Places of a function by label or line number. */
#ifndef WB_FLOW_PATHS_PATH_PLACE_H
#define WB_FLOW_PATHS_PATH_PLACE_H

#include "model/code.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether the text consists of decimal digits: a line number. */
bool wb_path_is_number(const char *text);

/* The line of a number; UINT32_MAX where it is 0 or too large. */
uint32_t wb_path_line(const char *text);

/* The instruction at a label, or the first one of a line; UINT32_MAX where there is none. Linear.
 */
uint32_t wb_path_find_place(const struct wb_function *function, const char *place);

/* The first label at an instruction, or at the end of the function; NULL where there is none.
 * Logarithmic. */
const struct wb_label *wb_path_label_at(const struct wb_function *function, uint32_t index);

#endif
