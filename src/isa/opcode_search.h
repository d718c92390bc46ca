/* Search in an opcode table, whose rows ascend by opcode. */
#ifndef WB_ISA_OPCODE_SEARCH_H
#define WB_ISA_OPCODE_SEARCH_H

#include <stddef.h>

/* The opcode of a row of the table. */
typedef const char *wb_opcode_of_row(size_t row);

/* As strcmp, of the first `length` bytes of text, any bytes, and an opcode. */
int wb_opcode_compare(const char *text, size_t length, const char *opcode);

/* The first of `count` rows whose opcode is not below the first `length` bytes of text; count where
 * all are. Logarithmic. */
size_t wb_opcode_lower_bound(wb_opcode_of_row *opcode_of, size_t count, const char *text,
                             size_t length);

#endif
