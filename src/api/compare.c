/* Comparisons of results, of the public header. */
#include "analysis/compare/comparison.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "report/compare/comparison_report.h"

#include <stdlib.h>
#include <string.h>

static warpbound_status read_results(const warpbound_input *input, const char *argument,
                                     struct wb_launch_results *results, warpbound_error *error)
{
  static const warpbound_input none = {0};
  const warpbound_input *given = input != NULL ? input : &none;
  const warpbound_status status = wb_require(given->text, argument, "a result of analyze", error);
  return status == WARPBOUND_OK
             ? wb_json_parse_as(given->name != NULL ? given->name : "", given->text, given->length,
                                wb_launch_results_read, results, error)
             : status;
}

static const char *keep_name(struct warpbound_comparison *made, const warpbound_input *input)
{
  const char *name = input->name != NULL ? input->name : "";
  return wb_arena_text(&made->comparison.arena, name, strlen(name));
}

/* The names and the words of what was compared. */
static warpbound_status describe(struct warpbound_comparison *made, const warpbound_input *before,
                                 const warpbound_input *after, warpbound_error *error)
{
  struct wb_text failure = {0};
  made->before_name = keep_name(made, before);
  made->after_name = keep_name(made, after);
  wb_text_string(&failure, "");
  wb_comparison_failure(made, &failure);
  made->failure = wb_text_take(&failure);
  return made->failure == NULL || made->comparison.arena.failed ? wb_out_of_memory(error)
                                                                : WARPBOUND_OK;
}

warpbound_status warpbound_compare(const warpbound_input *before, const warpbound_input *after,
                                   uint64_t most_growth, warpbound_comparison **comparison,
                                   warpbound_error *error)
{
  warpbound_status status =
      wb_require_place(comparison, "comparison", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_comparison *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->limit = most_growth;
  status = read_results(before, "before", &made->before, error);
  /* Nothing would fail. */
  if (status == WARPBOUND_OK && most_growth != WB_ANY_GROWTH && made->before.count == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, before->name != NULL ? before->name : "", 0,
                        0, "launches: expected one at least, to compare with, found none");
  if (status == WARPBOUND_OK)
    status = read_results(after, "after", &made->after, error);
  if (status == WARPBOUND_OK)
    status = wb_compare_results(&made->before, &made->after, most_growth, &made->comparison, error);
  if (status == WARPBOUND_OK)
    status = describe(made, before, after, error);
  if (status == WARPBOUND_OK)
    *comparison = made;
  else
    warpbound_comparison_free(made);
  return status;
}

void warpbound_comparison_free(warpbound_comparison *comparison)
{
  if (comparison == NULL)
    return;
  wb_comparison_free(&comparison->comparison);
  wb_launch_results_free(&comparison->before);
  wb_launch_results_free(&comparison->after);
  free(comparison->failure);
  free(comparison);
}

size_t warpbound_comparison_failures(const warpbound_comparison *comparison)
{
  return comparison != NULL ? comparison->comparison.failures : 0;
}

const char *warpbound_comparison_failure(const warpbound_comparison *comparison)
{
  return comparison != NULL ? comparison->failure : "";
}

warpbound_status warpbound_comparison_text(const warpbound_comparison *comparison, char **text,
                                           warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status =
      wb_require_text_of(comparison, "comparison", "a comparison", text, error);
  if (status == WARPBOUND_OK)
    wb_comparison_text(comparison, false, false, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_comparison_json(const warpbound_comparison *comparison, char **json,
                                           warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status =
      wb_require_text_of(comparison, "comparison", "a comparison", json, error);
  if (status == WARPBOUND_OK)
    wb_comparison_json(comparison, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, json, error) : status;
}
