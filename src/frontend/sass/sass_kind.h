/* Kernel or device function. */
#ifndef WB_FRONTEND_SASS_SASS_KIND_H
#define WB_FRONTEND_SASS_SASS_KIND_H

#include "frontend/sass/text/sass_parser.h"

/* Decides which functions are kernels, where no directive says it. Linear. */
bool wb_sass_kinds(struct wb_sass_parser *parser);

#endif
