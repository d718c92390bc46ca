/* The verdict: whether extreme value statistics may be applied, in words. */
#include "analysis/measured/measured_steps.h"

#include <stdio.h>
#include <string.h>

static void append(struct wb_measured_series *result, const char *word)
{
  const size_t length = strlen(result->verdict_words);
  snprintf(result->verdict_words + length, sizeof result->verdict_words - length, "%s", word);
}

/* "not applicable: fails 'stationarity (KPSS)', ...": what decided it. The titles stand in quotes,
 * since most say what should be so, as "the times vary". */
static void name_reasons(struct wb_measured_series *result)
{
  const char *separator = result->verdict == WB_NOT_APPLICABLE ? ": fails '" : ": see '";
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++) {
    const struct wb_measured_check *check = &result->checks[kind];
    if (result->verdict == WB_APPLICABLE || check->outcome != result->verdict)
      continue;
    append(result, separator);
    append(result, wb_measured_check_title((enum wb_measured_check_kind)kind));
    append(result, "'");
    separator = ", '";
  }
}

void wb_measured_judge(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  result->verdict = WB_APPLICABLE;
  for (int kind = 0; kind < WB_MEASURED_CHECKS; kind++)
    if (result->checks[kind].outcome > result->verdict)
      result->verdict = result->checks[kind].outcome;
  result->verdict_words[0] = '\0';
  append(result, wb_applicability_words(result->verdict));
  name_reasons(result);
  const bool varies = result->summary.most > result->summary.least;
  result->fitted = varies && (result->verdict != WB_NOT_APPLICABLE || work->options->fit_anyway);
}
