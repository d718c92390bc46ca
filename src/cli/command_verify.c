#include "cli/commands.h"

#include "base/file.h"
#include "certificate/schedule_check.h"
#include "cli/terminal.h"
#include "frontend/schedule_file.h"
#include "report/json_output.h"

#include <stdlib.h>

static json_t *verdict_json(warpbound_status status, uint64_t makespan, const char *reason)
{
  if (status == WARPBOUND_OK)
    return json_pack("{s:b, s:I}", "valid", 1, "makespan", (json_int_t)makespan);
  return json_pack("{s:b, s:s}", "valid", 0, "violation", reason);
}

static warpbound_status print_verdict(const struct arguments *arguments, warpbound_status verdict,
                                      uint64_t makespan, const warpbound_error *reason,
                                      warpbound_error *error)
{
  struct wb_text text = {0};
  if (arguments->value[OPTION_JSON] != NULL) {
    char *json = wb_json_text(verdict_json(verdict, makespan, reason->message));
    if (json == NULL)
      return wb_out_of_memory(error);
    wb_text_string(&text, json);
    free(json);
  } else if (verdict == WARPBOUND_OK) {
    wb_text_format(&text, "valid: makespan %llu\n", (unsigned long long)makespan);
  } else {
    wb_text_format(&text, "not valid: %s\n", reason->message);
  }
  warpbound_status status = terminal_print(&text, error);
  return status == WARPBOUND_OK ? verdict : status;
}

warpbound_status command_verify(struct arguments *arguments, warpbound_error *error)
{
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected a schedule file, or - for standard input");
  struct wb_source source;
  warpbound_status status = wb_source_read(arguments->input, &source, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_schedule_file file = {0};
  status = wb_schedule_file_parse(source.name, source.bytes, source.length, &file, error);
  if (status == WARPBOUND_OK) {
    uint64_t makespan = 0;
    warpbound_error reason = {0};
    status = wb_schedule_check(&file.claim, &makespan, &reason);
    if (status == WARPBOUND_OK || status == WARPBOUND_CHECK_FAILED)
      status = print_verdict(arguments, status, makespan, &reason, error);
    else
      wb_fail_at(error, status, source.name, 0, 0, "%s", reason.message);
  }
  wb_schedule_file_free(&file);
  wb_source_free(&source);
  return status;
}
