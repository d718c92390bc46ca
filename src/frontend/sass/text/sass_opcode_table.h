/* The opcodes that a listing has so far, each looked up once: listings have millions of
 * instructions and some hundred opcodes. */
#ifndef WB_FRONTEND_SASS_SASS_OPCODE_TABLE_H
#define WB_FRONTEND_SASS_SASS_OPCODE_TABLE_H

#include "frontend/sass/text/sass_parser.h"
#include "isa/sass_opcodes.h"

/* An opcode with its modifiers. */
struct wb_sass_met_opcode {
  const char *name; /* among the code's names */
  size_t length;
  bool partly_known; /* UNKNOWN.FADD: the disassembler knows the opcode alone; row and
                        numbers are of that */
  const struct wb_sass_opcode *row; /* NULL: the table of opcodes lacks it */
  enum wb_sass_family family;
  uint16_t number; /* these as in struct wb_instruction */
  uint8_t modifier_count;
  uint8_t modifiers[WB_MODIFIER_LIMIT];
};

/* The opcode of a piece of the listing, until the next call; NULL where memory is out. */
const struct wb_sass_met_opcode *wb_sass_meet_opcode(struct wb_sass_parser *parser,
                                                     struct wb_sass_piece opcode,
                                                     enum wb_sass_family family);

#endif
