/* Accessors and texts of a makespan's result. */
#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/makespan/path_bounds.h"
#include "api/arguments.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"
#include "formats/paths/paths_file.h"
#include "report/makespan/makespan_report.h"

#include <stdlib.h>

void warpbound_result_free(warpbound_result *result)
{
  if (result != NULL)
    wb_result_clear(result);
  free(result);
}

uint32_t warpbound_result_warps(const warpbound_result *result)
{
  return result != NULL ? result->instance->warps : 0;
}

/* ---- bounds ---- */

static const warpbound_bound no_bound = {.name = "", .source = "", .kind = WARPBOUND_ESTIMATE};

warpbound_bound warpbound_result_lower(const warpbound_result *result)
{
  return result != NULL ? result->lower : no_bound;
}

warpbound_bound warpbound_result_upper(const warpbound_result *result)
{
  return result != NULL ? result->upper : no_bound;
}

size_t warpbound_result_bound_count(const warpbound_result *result)
{
  return result != NULL ? result->bounds.count + result->published.count : 0;
}

warpbound_bound warpbound_result_bound(const warpbound_result *result, size_t index)
{
  if (index >= warpbound_result_bound_count(result))
    return no_bound;
  if (index < result->bounds.count)
    return result->bounds.items[index].bound;
  return result->published.items[index - result->bounds.count].bound;
}

uint64_t warpbound_result_witness(const warpbound_result *result)
{
  return result != NULL ? wb_result_witness(result) : 0;
}

const char *warpbound_result_witness_method(const warpbound_result *result)
{
  return warpbound_result_witness(result) > 0 ? result->witness_method : "";
}

/* ---- sentences ---- */

size_t warpbound_result_assumption_count(const warpbound_result *result)
{
  return result != NULL ? result->instance->assumptions.count + result->assumptions.count : 0;
}

const char *warpbound_result_assumption(const warpbound_result *result, size_t index)
{
  if (index >= warpbound_result_assumption_count(result))
    return "";
  const struct wb_list *of_question = &result->instance->assumptions;
  return index < of_question->count ? of_question->items[index]
                                    : result->assumptions.items[index - of_question->count];
}

size_t warpbound_result_note_count(const warpbound_result *result)
{
  return result != NULL ? result->notes.count : 0;
}

const char *warpbound_result_note(const warpbound_result *result, size_t index)
{
  return index < warpbound_result_note_count(result) ? result->notes.items[index] : "";
}

warpbound_path_summary warpbound_result_paths(const warpbound_result *result)
{
  if (result == NULL || !result->paths.several)
    return (warpbound_path_summary){.shown = ""};
  return (warpbound_path_summary){.strings = result->paths.strings,
                                  .all = result->paths.all,
                                  .mixed = result->paths.mixed,
                                  .shown = result->paths.shown};
}

/* ---- texts ---- */

static warpbound_status require_witness(const warpbound_result *result, warpbound_error *error)
{
  return wb_result_witness(result) > 0
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_LIMIT,
                       "there is no schedule: its making was beyond the limits");
}

warpbound_status warpbound_result_json(const warpbound_result *result, char **json,
                                       warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(result, "result", "a result", json, error);
  if (status != WARPBOUND_OK)
    return status;
  *json = wb_json_text(wb_makespan_json(result));
  return *json != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* A file that nobody could read back is not handed out. */
warpbound_status warpbound_result_schedule(const warpbound_result *result, char **json,
                                           warpbound_error *error)
{
  struct wb_text text = {0};
  warpbound_status status = wb_require_text_of(result, "result", "a result", json, error);
  if (status == WARPBOUND_OK)
    status = require_witness(result, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_result_schedule_json(result, &text);
  if (text.length > WB_JSON_LIMIT) {
    wb_text_free(&text);
    return wb_fail(error, WARPBOUND_LIMIT,
                   "the schedule's file would have more than the %zu bytes that are read back",
                   WB_JSON_LIMIT);
  }
  return wb_hand_out(&text, json, error);
}

/* Writes the certificate of the kind that the result has; the cycles that it proves, or 0. */
static uint64_t write_certificate(const warpbound_result *result, struct wb_text *text)
{
  if (result->phase_count > 0)
    return wb_phases_certificate_json(result, text);
  if (result->certificate == NULL)
    return wb_certificate_json(result, text);
  wb_paths_file_write(&result->certificate->claim, text);
  return result->certificate->claim.cycles;
}

warpbound_status warpbound_result_certificate(const warpbound_result *result, char **json,
                                              uint64_t *cycles, warpbound_error *error)
{
  struct wb_text text = {0};
  warpbound_status status = wb_require_text_of(result, "result", "a result", json, error);
  if (status != WARPBOUND_OK)
    return status;
  const uint64_t proven = write_certificate(result, &text);
  if (proven == 0 && result->phase_count > 0)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "there is no certificate to write: a phase between barriers has none");
  if (proven == 0)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "there is no certificate to write: the upper end is by '%s', which has none",
                   result->upper.name);
  if (cycles != NULL)
    *cycles = proven;
  return wb_hand_out(&text, json, error);
}

warpbound_status warpbound_result_gantt(const warpbound_result *result, char **svg,
                                        warpbound_error *error)
{
  struct wb_text text = {0};
  warpbound_status status = wb_require_text_of(result, "result", "a result", svg, error);
  if (status == WARPBOUND_OK)
    status = require_witness(result, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_result_gantt_svg(result, &text);
  return wb_hand_out(&text, svg, error);
}
