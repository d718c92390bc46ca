/* Writers of the results of `warpbound check`: a table for people, files for continuous
 * integration, the index of the pages. All of them read the object that --json prints
 * (doc/schema/check.json), whether it was made now, kept or read from shards. */
#ifndef WB_REPORT_CHECK_CHECK_REPORT_H
#define WB_REPORT_CHECK_CHECK_REPORT_H

#include "analysis/compare/comparison.h"
#include "base/status.h"
#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define WB_CHECK_FORMAT "warpbound-check-1"

/* What is reported. Borrows. */
struct wb_check_report {
  const json_t *results;                       /* the object */
  const struct warpbound_comparison *compared; /* with the baseline; NULL: there is none */
  bool colour;                                 /* of text */
  bool quiet;                                  /* text: the table alone */
  const char
      *pages; /* of SARIF: a URI reference of the report's folder, ended by '/'; NULL: none */
  const bool
      *has_page; /* whether a row has a page there, by row of wb_check_rows; NULL: none has */
};

/* How a row's bound stands to all that is asked of it, in words: "deadline met (3.68 % of it)".
 * "" where nothing is asked. */
void wb_check_verdict(const json_t *row, struct wb_text *text);

/* The file of a row's page in the folder of the report: "2-large-frame.html". */
void wb_check_page_name(const json_t *row, struct wb_text *text);

/* The change of a launch against the baseline; NULL: there is none. */
const struct wb_launch_change *wb_check_change(const struct wb_check_report *report,
                                               const json_t *row);
/* The launches of the baseline that the project has not, each an object with its name; the caller
 * drops the list. NULL where memory is out. */
json_t *wb_check_gone(const struct wb_check_report *report);
/* The source line whose cycles grew most; NULL: none did. */
const struct wb_number_change *wb_check_cause(const struct wb_launch_change *change);

/* Rows of both lists in the order of the project; the caller frees the array. NULL where memory is
 * out. */
const json_t **wb_check_rows(const json_t *results, size_t *count);

void wb_check_text(const struct wb_check_report *report, struct wb_text *text);
void wb_check_json(const struct wb_check_report *report, struct wb_text *text);
void wb_check_sarif(const struct wb_check_report *report, struct wb_text *text);
void wb_check_junit(const struct wb_check_report *report, struct wb_text *text);
/* The index page. */
void wb_check_page(const struct wb_check_report *report, struct wb_text *text);

/* The results that a later check is compared with: what comparisons read, and nothing that a
 * clock or a path of this machine made. */
void wb_check_baseline(const json_t *results, struct wb_text *text);

/* The exit status of a check, with its first cause in words. */
warpbound_status wb_check_status(const struct wb_check_report *report, warpbound_error *error);

#endif
