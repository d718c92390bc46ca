/* A listing line by line: headings, sections, labels; other files read what the lines hold. */
#ifndef WB_FRONTEND_SASS_SASS_LISTING_H
#define WB_FRONTEND_SASS_SASS_LISTING_H

#include "frontend/sass/text/sass_parser.h"

/* Reads the whole listing; its last function is ended too. Linear. */
bool wb_sass_listing(struct wb_sass_parser *parser);

#endif
