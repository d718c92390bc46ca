/* The table over several numbers of warps: its rows, and the lines that run through
 * them. */
#ifndef WB_REPORT_MAKESPAN_MAKESPAN_SERIES_H
#define WB_REPORT_MAKESPAN_MAKESPAN_SERIES_H

#include "report/makespan/makespan_report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row: its bracket, and itself as text or JSON. each: the warps of a partition, whose makespan
 * it is. */
struct wb_series_row {
  uint32_t warps;
  uint32_t each;
  uint64_t lower;
  uint64_t upper;
  struct wb_text text;
  json_t *json;
};

/* Rows in any order of adding, all of one string on one configuration. json, quiet (the answer
 * alone), colour: set by the caller before the first row. partitions: of the device. assumptions:
 * of all rows, each once. Owns everything; free with wb_series_free. */
struct wb_series {
  bool estimate; /* of the rows' string */
  bool json;
  bool quiet;
  bool colour;
  struct wb_series_row *rows;
  size_t count;
  size_t capacity;
  struct wb_text head;
  json_t *instance;
  struct wb_list assumptions;
  uint32_t partitions;
  struct wb_potential_line line; /* over the warps of a partition */
};

/* Adds the row of one result. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_series_add(struct wb_series *series, const struct warpbound_result *result,
                               warpbound_error *error);

/* Writes the answer in one or two lines, then the table, fewest warps first; the caller checks
 * text->failed. Nothing where there is no row. */
void wb_series_write(struct wb_series *series, struct wb_text *text);
void wb_series_free(struct wb_series *series);

#endif
