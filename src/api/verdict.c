/* Checks of schedules and certificates. */
#include "analysis/verify/verify.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "frontend/file_kind.h"
#include "report/verdict_report.h"

#include <stdlib.h>

warpbound_status warpbound_verify(const char *name, const char *text, size_t length,
                                  const warpbound_options *options, warpbound_verdict **verdict,
                                  warpbound_error *error)
{
  warpbound_status status = wb_require_place(verdict, "verdict", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(name, "name", "the name of a file", error);
  if (status == WARPBOUND_OK)
    status = wb_require(text, "text", "the text of a schedule or a certificate", error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_control control = wb_control_start(options);
  struct warpbound_verdict *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_verify(name, text, length, &control, made, error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(name, text, length, WB_FILE_JSON, error);
  if (status == WARPBOUND_OK || status == WARPBOUND_CHECK_FAILED)
    *verdict = made;
  else
    free(made);
  return status;
}

void warpbound_verdict_free(warpbound_verdict *verdict)
{
  if (verdict != NULL)
    wb_verdict_free(verdict);
  free(verdict);
}

warpbound_claim warpbound_verdict_claim(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->claim : WARPBOUND_CLAIM_SCHEDULE;
}

bool warpbound_verdict_valid(const warpbound_verdict *verdict)
{
  return verdict != NULL && verdict->valid;
}

const char *warpbound_verdict_violation(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->violation : "";
}

uint64_t warpbound_verdict_warps(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->warps : 0;
}

uint64_t warpbound_verdict_claimed(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->claimed : 0;
}

uint64_t warpbound_verdict_cycles(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->cycles : 0;
}

warpbound_line warpbound_verdict_line(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->line : (warpbound_line){0};
}

bool warpbound_verdict_assumes_same_barriers(const warpbound_verdict *verdict)
{
  return verdict != NULL && verdict->same_barriers;
}

warpbound_status warpbound_verdict_text(const warpbound_verdict *verdict, char **text,
                                        warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(verdict, "verdict", "a verdict", text, error);
  if (status == WARPBOUND_OK)
    wb_verdict_text(verdict, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_verdict_json(const warpbound_verdict *verdict, char **json,
                                        warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(verdict, "verdict", "a verdict", json, error);
  if (status != WARPBOUND_OK)
    return status;
  *json = wb_json_text(wb_verdict_json(verdict));
  return *json != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}
