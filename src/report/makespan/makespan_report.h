/* Writers of a makespan result: text for people and JSON for scripts. */
#ifndef WB_REPORT_MAKESPAN_MAKESPAN_REPORT_H
#define WB_REPORT_MAKESPAN_MAKESPAN_REPORT_H

#include "analysis/makespan/makespan_analysis.h"
#include "analysis/series/series.h"
#include "base/text.h"
#include "makespan/annealing/annealing_runs.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The JSON object of contract "makespan"; NULL where memory is out. The caller
 * drops it with json_decref. */
json_t *wb_makespan_json(const struct warpbound_result *result);

/* One row of a table over several W: what differs from row to row; and what does not: the question
 * as asked, and as one partition after normalisation. */
json_t *wb_makespan_row_json(const struct warpbound_result *result);
json_t *wb_instance_json(const struct wb_instance *instance);

/* The answer alone: the bracket, or the one number that it is, and what limits it; before it, of a
 * simulation, the policy's own makespan. One or two lines. */
void wb_makespan_answer(const struct warpbound_result *result, bool colour, struct wb_text *text);

/* The report of one result, its answer first. The caller checks text->failed. */
void wb_makespan_text(const struct warpbound_result *result, bool colour, struct wb_text *text);

/* The tractable bound of ECRTS 2012 (section 5.6, figures 6 and 7) for each y of which T(y) is
 * known, as lines "y,makespan,bound,least": T(y), ceil(W / y) T(y), and the least of these so
 * far. Published, not safe. */
void wb_tractable_csv(const struct warpbound_result *result, struct wb_text *text);

/* The same as an SVG page of its own: the bounds over y, the least so far, and T(W) or its bracket
 * across; bounds below a schedule stand out. The caller checks text->failed. */
void wb_tractable_svg(const struct warpbound_result *result, struct wb_text *text);

/* All of a result that has a witness, of one partition or of the whole SM. The caller checks
 * text->failed. */

/* The schedule file ("warpbound-schedule-1"). */
void wb_result_schedule_json(const struct warpbound_result *result, struct wb_text *text);

/* The pictures of report/gantt/gantt.h, with that title: in the page, or as a line above. */
void wb_result_gantt_svg(const struct warpbound_result *result, struct wb_text *text);
void wb_result_gantt_terminal(const struct warpbound_result *result, size_t columns, size_t rows,
                              bool colour, struct wb_text *text);

/* Of a result of one string, the certificate that proves the least: a run file or a potential file.
 * Returns the cycles that it proves; 0, with nothing written, where there is none. The caller
 * checks text->failed. */
uint64_t wb_certificate_json(const struct warpbound_result *result, struct wb_text *text);

/* The certificates of all phases of a result in one phases file, each the one that proves the
 * least. Returns the cycles that they prove together; 0, with nothing written, where a phase has no
 * certificate. The caller checks text->failed. */
uint64_t wb_phases_certificate_json(const struct warpbound_result *result, struct wb_text *text);

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

/* Every improvement as a line of comma-separated values: time (in seconds since the
 * analysis began), iterations (of the run), run (from 1 on), best (makespan so far in the
 * run). By run, then by iteration, so that all but the times is the same for any number
 * of threads. The caller checks text->failed. */
void wb_convergence_csv(const struct wb_annealing_result *annealing, struct wb_text *text);

/* An SVG page of its own, after figure 7 of ETFA 2013: the curve of every run and, drawn
 * thicker, their envelope, the best of all runs after so many iterations each; and the bound
 * from above, in cycles. Iterations on a logarithmic axis. Nothing of it depends on time. The
 * caller checks text->failed. */
void wb_convergence_svg(const struct wb_annealing_result *annealing, const warpbound_bound *upper,
                        const char *title, struct wb_text *text);

/* The picture of a result whose analysis was to anneal. */
void wb_result_convergence_svg(const struct warpbound_result *result, struct wb_text *text);

#endif
