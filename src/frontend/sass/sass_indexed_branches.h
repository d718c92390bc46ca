/* Indexed branches, after the whole listing was read: their targets, and those that are calls. */
#ifndef WB_FRONTEND_SASS_SASS_INDEXED_BRANCHES_H
#define WB_FRONTEND_SASS_SASS_INDEXED_BRANCHES_H

#include "frontend/sass/text/sass_parser.h"

/* Gives targets to indexed branches that have none yet: from jump tables, then from the options. */
bool wb_sass_indexed_branches(struct wb_sass_parser *parser);

/* Finds the indexed branches without targets that are calls of code outside the listing. */
void wb_sass_outside_calls(struct wb_sass_parser *parser);

#endif
