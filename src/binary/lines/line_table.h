/* The line table of a cubin: which source line each instruction is from, of .debug_line (DWARF 2 to
 * 5). */
#ifndef WB_BINARY_LINES_LINE_TABLE_H
#define WB_BINARY_LINES_LINE_TABLE_H

#include "binary/cubin/cubin.h"

/* From this address on, in a section of code, instructions are of a line. */
struct wb_line_row {
  size_t section; /* its number */
  uint64_t address;
  uint32_t file; /* an index of files[] */
  uint32_t line;
};

/* A source file: its name and the folder that it is in, "" where the name says all. They lie in the
 * cubin's bytes. */
struct wb_line_file {
  const char *folder;
  const char *name;
};

/* Rows by section, then address; where several have one address they stand in the table's order.
 * Zero-initialise; wb_line_table_free. */
struct wb_line_table {
  struct wb_line_row *rows;
  size_t row_count, row_capacity;
  struct wb_line_file *files;
  size_t file_count, file_capacity;
};

/* Reads .debug_line; a cubin without one has an empty table, and one that is damaged has the rows
 * before the damage: a table of lines says nothing that bounds rest on. The only error is
 * WARPBOUND_INTERNAL, out of memory. */
warpbound_status wb_line_table_read(const struct wb_cubin *cubin, struct wb_line_table *table,
                                    warpbound_error *error);
void wb_line_table_free(struct wb_line_table *table);

/* The first row of a section at or behind an address; row_count where there is none. */
size_t wb_line_table_find(const struct wb_line_table *table, size_t section, uint64_t address);

#endif
