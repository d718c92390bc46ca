/* Line information, as comments of nvdisasm have it. */
#ifndef WB_FRONTEND_SASS_SASS_SOURCE_H
#define WB_FRONTEND_SASS_SASS_SOURCE_H

#include "frontend/sass/text/sass_parser.h"

/* The index of a file among code->files + 1, which it is added to. */
bool wb_sass_file_index(struct wb_sass_parser *parser, struct wb_sass_piece name, uint32_t *index);

/* Whether a file's name, which may be in any encoding, has control characters: none may. */
bool wb_sass_has_controls(struct wb_sass_piece name);

/* Reads `//## File "a.cu", line 3 inlined at ...`: the instructions that follow are from there. */
bool wb_sass_source_line(struct wb_sass_parser *parser, struct wb_sass_piece line);

#endif
