/* Reads the line table of a cubin. */
#ifndef WB_BINARY_LINES_LINE_READER_H
#define WB_BINARY_LINES_LINE_READER_H

#include "binary/lines/line_table.h"

/* Reads .debug_line; a cubin without one has an empty table, and one that is damaged has the rows
 * before the damage: a table of lines says nothing that bounds rest on. The only error is
 * WARPBOUND_INTERNAL, out of memory. */
warpbound_status wb_line_table_read(const struct wb_cubin *cubin, struct wb_line_table *table,
                                    warpbound_error *error);

#endif
