/* The head of a unit of .debug_line: how its program is written, and its files. */
#ifndef WB_BINARY_LINES_LINE_HEADER_H
#define WB_BINARY_LINES_LINE_HEADER_H

#include "binary/lines/byte_cursor.h"
#include "binary/lines/line_table.h"

/* The caller sets the sections of strings, once, and offset_size. */
struct wb_line_header {
  const struct wb_cubin_section *strings;      /* .debug_str; NULL: there is none */
  const struct wb_cubin_section *line_strings; /* .debug_line_str, from version 5 on; NULL */
  unsigned version;
  unsigned offset_size; /* 4 or 8 */
  unsigned minimum_length;
  int line_base;
  unsigned line_range;
  unsigned opcode_base;
  const unsigned char *operand_counts; /* of standard opcodes 1 .. opcode_base - 1 */
  size_t first_file;                   /* in table->files, of the unit's number `file_base` */
  size_t file_count;
  unsigned file_base; /* the number of the unit's first file: 1, from version 5 on 0 */
};

enum wb_line_reading { WB_LINES_READ, WB_LINES_DAMAGED, WB_LINES_NO_MEMORY };

/* Reads the head behind its unit's length from the unit's bytes, and adds its files to the table.
 * The cursor then stands at the program. */
enum wb_line_reading wb_line_header_read(struct wb_byte_cursor *cursor, struct wb_line_table *table,
                                         struct wb_line_header *header);

#endif
