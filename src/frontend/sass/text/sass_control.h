/* Control information: stalls, barriers and yields, as encodings and texts have it. */
#ifndef WB_FRONTEND_SASS_SASS_CONTROL_H
#define WB_FRONTEND_SASS_SASS_CONTROL_H

#include "frontend/sass/text/sass_parser.h"

/* The control information of an instruction, 21 bits. */
struct wb_control_word wb_sass_control(uint64_t bits);

/* Reads a line that is an encoding alone: a control word, or the high half of the last instruction.
 */
bool wb_sass_encoding_line(struct wb_sass_parser *parser, uint64_t encoding,
                           struct wb_sass_piece line);

/* Sets the control information of a statement from the last control word, where that covers it. */
void wb_sass_control_from_word(const struct wb_sass_parser *parser,
                               struct wb_sass_statement *statement);

/* Sets it from attributes ("&wr=0x0 ?trans1"), where there are any. */
void wb_sass_control_from_attributes(struct wb_sass_statement *statement,
                                     struct wb_sass_piece attributes);

#endif
