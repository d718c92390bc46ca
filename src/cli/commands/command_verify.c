/* `warpbound verify`. */
#include "cli/commands/commands.h"

#include "cli/input/limits.h"
#include "cli/input/module_input.h"
#include "cli/output/terminal.h"

/* A violation is printed, and no error of the program. */
static warpbound_status verify(const struct arguments *arguments, const struct wb_input *source,
                               struct limits *limits, warpbound_error *error)
{
  warpbound_verdict *verdict;
  warpbound_error violation = {0};
  const warpbound_status found = warpbound_verify(source->name, source->bytes, source->length,
                                                  &limits->options, &verdict, &violation);
  terminal_progress_end(&limits->progress);
  if (verdict == NULL) {
    *error = violation;
    return found;
  }
  /* The verdict, as JSON or as text, whichever is wanted. */
  char *text = NULL;
  warpbound_status status = arguments->value[OPTION_JSON] != NULL
                                ? warpbound_verdict_json(verdict, &text, error)
                                : warpbound_verdict_text(verdict, &text, error);
  if (status == WARPBOUND_OK)
    status = terminal_print_text(text, error);
  warpbound_text_free(text);
  warpbound_verdict_free(verdict);
  return status == WARPBOUND_OK ? found : status;
}

warpbound_status command_verify(struct arguments *arguments, warpbound_error *error)
{
  struct limits limits = {0};
  struct wb_input source;
  warpbound_status status = limits_read(arguments, &limits, error);
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a schedule file or a certificate", WB_INPUT_LIMIT,
                               &source, error);
  if (status != WARPBOUND_OK)
    return status;
  terminal_catch_interrupts();
  status = verify(arguments, &source, &limits, error);
  wb_input_free(&source);
  return status;
}
