/* The table over several numbers of warps: its rows, and the lines that run through
 * them. */
#ifndef WB_REPORT_MAKESPAN_MAKESPAN_SERIES_H
#define WB_REPORT_MAKESPAN_MAKESPAN_SERIES_H

#include "analysis/series/series.h"
#include "report/makespan/makespan_report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of the table, as text or as JSON. */
struct wb_series_line {
  uint32_t warps;      /* on the SM */
  struct wb_text text; /* empty for JSON */
  json_t *json;        /* NULL for text */
};

/* Rows in any order of adding. Owns everything; free with wb_series_report_free. */
struct wb_series_report {
  bool json;                    /* set by the caller before the first row: JSON, not text */
  bool quiet;                   /* the same: of text the answer alone */
  bool colour;                  /* the same: of text */
  struct wb_series_line *lines; /* one a row */
  size_t count;
  size_t capacity;
  struct wb_text head; /* of a text: what all rows share */
  json_t *instance;    /* of JSON: the same */
};

/* Adds the row of one result. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_series_report_add(struct wb_series_report *report,
                                      const struct warpbound_result *result,
                                      warpbound_error *error);

/* Writes the answer in one or two lines, then the table, fewest warps first; the series has the
 * rows that were added. The caller checks text->failed. Nothing where there is no row. */
void wb_series_report_write(struct wb_series_report *report, const struct warpbound_series *series,
                            struct wb_text *text);
void wb_series_report_free(struct wb_series_report *report);

#endif
