/* What a listing says of the registers, shared memory and barriers of functions: in the heads of
 * sections of code, in section .nv.info, and by sections .nv.shared.NAME. */
#ifndef WB_FRONTEND_SASS_SASS_RESOURCES_H
#define WB_FRONTEND_SASS_SASS_RESOURCES_H

#include "frontend/sass/text/sass_parser.h"

/* Forgets what the head of the section of code before said. */
void wb_sass_begin_head(struct wb_sass_parser *parser);

/* Reads `.sectioninfo @"SHI_REGISTERS=34"` or `.sectionflags @"SHF_BARRIERS=1"` of a head. */
void wb_sass_head_line(struct wb_sass_parser *parser, struct wb_sass_piece line);

/* Gives a function what the head of its section says. */
void wb_sass_keep_head(const struct wb_sass_parser *parser, struct wb_function *function);

/* Begins section .nv.shared of a function. */
bool wb_sass_begin_shared(struct wb_sass_parser *parser, struct wb_sass_piece function);

/* Reads `.zero 1152` of it. */
void wb_sass_shared_line(struct wb_sass_parser *parser, struct wb_sass_piece line);

/* Begins section .nv.info, which is of all functions, and reads a line of its data; an attribute
 * ends where the next one begins and at the section's end. */
void wb_sass_begin_counts(struct wb_sass_parser *parser);
void wb_sass_count_line(struct wb_sass_parser *parser, struct wb_sass_piece rest);
bool wb_sass_next_count(struct wb_sass_parser *parser);

/* Notes the registers of a function, which such an attribute gives, or the bytes of its section
 * .nv.shared. */
bool wb_sass_note_registers(struct wb_sass_parser *parser, struct wb_sass_piece function,
                            uint32_t registers);
bool wb_sass_note_shared(struct wb_sass_parser *parser, struct wb_sass_piece function,
                         uint32_t bytes);

/* What the .nv.info section of a function says of its barriers. */
bool wb_sass_note_barriers(struct wb_sass_parser *parser, struct wb_sass_piece function,
                           uint32_t barriers);

/* Gives the functions what the sections of the whole listing say. Of a function that two modules of
 * an architecture have, nothing: whose it is is not known then. */
void wb_sass_keep_resources(struct wb_sass_parser *parser);

#endif
