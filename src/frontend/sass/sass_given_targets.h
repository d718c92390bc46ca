/* Targets that the user gives: of indexed branches and, from Volta on, of calls by register. */
#ifndef WB_FRONTEND_SASS_SASS_GIVEN_TARGETS_H
#define WB_FRONTEND_SASS_SASS_GIVEN_TARGETS_H

#include "frontend/sass/text/sass_parser.h"

/* Gives the targets of the parser's options to the branches and calls at their addresses, where
 * these have none yet. A call becomes an indexed branch. */
bool wb_sass_given_targets(struct wb_sass_parser *parser);

#endif
