/* The tables of the page on measured times, as HTML. */
#ifndef WB_REPORT_MEASURED_MEASURED_TABLES_H
#define WB_REPORT_MEASURED_MEASURED_TABLES_H

#include "report/measured/measured_report.h"

/* Appends any text so that HTML shows it. */
void wb_page_text(struct wb_text *text, const char *string);
/* A sign and words for a verdict: not by colour alone. */
void wb_page_sign(struct wb_text *text, enum wb_applicability applicability);
/* "pass", "care", "fail": a class of page.css. */
const char *wb_page_class(enum wb_applicability applicability);
/* The name of a series; "series 3" of one without, "The times" where it is the only one. */
void wb_page_name(struct wb_text *text, const struct wb_measured *measured, size_t series);

void wb_page_summary(struct wb_text *text, const struct wb_measured *measured,
                     const struct wb_measured_series *series);
void wb_page_checks(struct wb_text *text, const struct wb_measured_series *series);
void wb_page_fits(struct wb_text *text, const struct wb_measured *measured,
                  const struct wb_measured_series *series);
void wb_page_levels(struct wb_text *text, const struct wb_measured *measured,
                    const struct wb_measured_series *series);
/* Of the first `most` series. */
void wb_page_comparison(struct wb_text *text, const struct wb_measured *measured, size_t most);
void wb_page_options(struct wb_text *text, const struct wb_measured *measured);

#endif
