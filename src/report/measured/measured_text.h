/* The parts of the analysis of measured times as text: each is written for one series. */
#ifndef WB_REPORT_MEASURED_MEASURED_TEXT_H
#define WB_REPORT_MEASURED_MEASURED_TEXT_H

#include "analysis/measured/measured_result.h"
#include "base/text.h"

#include <stdbool.h>

/* What the writers of one series share. */
struct wb_measured_words {
  const struct wb_measured *measured;
  const struct wb_measured_series *series;
  bool colour;
  struct wb_text *text;
};

/* A time as text, which lives as long as the block that it is written in. */
#define WB_TIME_WORDS(words, value)                                                                \
  wb_measured_time((words)->series, (value), (char[WB_MEASURED_TIME]){0})

/* The unit of the times, cycles where the samples name none. */
const char *wb_measured_unit_words(const struct wb_measured *measured);
/* An empty line, and "  TITLE" in bold, without the end of its line. */
void wb_measured_title_words(const struct wb_measured_words *words, const char *title);
/* The pWCET estimates, and what no level is of. */
void wb_measured_level_words(const struct wb_measured_words *words);
/* Block maxima and peaks with their fits, where these were asked for. */
void wb_measured_fit_words(const struct wb_measured_words *words);

#endif
