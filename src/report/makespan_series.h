/* The table over several numbers of warps: its rows, and the lines that run through
 * them. */
#ifndef WB_REPORT_MAKESPAN_SERIES_H
#define WB_REPORT_MAKESPAN_SERIES_H

#include "report/makespan_report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row: its bracket, and itself as text or JSON. */
struct wb_series_row {
  uint32_t warps;
  uint64_t lower;
  uint64_t upper;
  struct wb_text text;
  json_t *json;
};

/* An upper end for every W from from_warps on, (slope * W + offset) / divisor rounded down;
 * divisor 0: there is none. */
struct wb_series_line {
  int64_t slope;
  int64_t offset;
  int64_t divisor;
  uint32_t from_warps;
};

/* Rows in any order of adding, all of one string on one configuration. json, colour: set
 * by the caller before the first row. further: assumptions beyond the instance's own. Owns
 * everything; free with wb_series_free. */
struct wb_series {
  bool estimate; /* of the rows' string */
  bool json;
  bool colour;
  struct wb_series_row *rows;
  size_t count;
  size_t capacity;
  struct wb_text head;
  struct wb_text tail;
  json_t *instance;
  json_t *assumptions;
  struct wb_list further;
  struct wb_series_line line;
};

/* Adds the row of one result. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_series_add(struct wb_series *series, const struct warpbound_result *result,
                               warpbound_error *error);

/* Writes the table, fewest warps first; the caller checks text->failed. Nothing where
 * there is no row. */
void wb_series_write(struct wb_series *series, struct wb_text *text);
void wb_series_free(struct wb_series *series);

#endif
