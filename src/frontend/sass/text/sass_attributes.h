/* The .nv.info section of a kernel, in which the compiler says what the loader must know:
 * parameters, block size, where the code ends threads. Attributes (EIATTR_...) are numbered; a
 * comment of the disassembler begins each. */
#ifndef WB_FRONTEND_SASS_SASS_ATTRIBUTES_H
#define WB_FRONTEND_SASS_SASS_ATTRIBUTES_H

#include "frontend/sass/text/sass_parser.h"

/* Begins the section of a function. */
void wb_sass_begin_info(struct wb_sass_parser *parser, struct wb_sass_piece function);

/* Adds an attribute of the section, which begins with format and number. */
bool wb_sass_add_attribute(struct wb_sass_parser *parser, const unsigned char *bytes,
                           size_t length);

/* Ends the attribute before, and begins the next one; also where the section ends. */
bool wb_sass_next_attribute(struct wb_sass_parser *parser);

/* Reads a line of data of an attribute; `rest` is what follows its address. */
bool wb_sass_attribute_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);

/* Gives the functions what their sections say. Error: a function whose exits are not those that its
 * section lists. */
bool wb_sass_keep_attributes(struct wb_sass_parser *parser);

#endif
