/* From the lines of a function to its machine code. */
#ifndef WB_FRONTEND_SASS_SASS_FUNCTION_H
#define WB_FRONTEND_SASS_SASS_FUNCTION_H

#include "frontend/sass/text/sass_parser.h"

/* Ends the function whose lines were read: its statements become instructions. None may be missing.
 * Near linear in its lines. */
bool wb_sass_finish_function(struct wb_sass_parser *parser);

#endif
