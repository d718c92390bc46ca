/* `warpbound instrument`. */
#include "cli/commands/commands.h"

#include "cli/input/source_input.h"
#include "cli/options/word_options.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"

static warpbound_status read_options(const struct arguments *arguments,
                                     warpbound_instrument_options *options, warpbound_error *error)
{
  static const struct wb_choice places[] = {{"blocks", WARPBOUND_AT_BLOCKS},
                                            {"loops", WARPBOUND_AT_LOOPS},
                                            {"lines", WARPBOUND_AT_LINES},
                                            {"given", WARPBOUND_AT_GIVEN},
                                            {NULL, 0}};
  const struct wb_list *points = &arguments->repeated[OPTION_POINT];
  int at;
  const warpbound_status status = word_read(arguments, OPTION_AT, places, &at, error);
  if (status != WARPBOUND_OK)
    return status;
  if (arguments->value[OPTION_AT] == NULL && points->count > 0)
    at = WARPBOUND_AT_GIVEN;
  *options = (warpbound_instrument_options){
      .kernel = arguments->value[OPTION_KERNEL],
      .at = (warpbound_instrument_at)at,
      .points = (const char *const *)points->items,
      .point_count = points->count,
  };
  return WARPBOUND_OK;
}

/* The times of raw output. */
static warpbound_status make_times(const struct arguments *arguments,
                                   const struct wb_source *source,
                                   const warpbound_instrument_options *options, char **text,
                                   warpbound_error *error)
{
  struct wb_source raw = {0};
  warpbound_status status = wb_source_read(arguments->value[OPTION_RAW], &raw, error);
  if (status == WARPBOUND_OK)
    status = warpbound_instrument_times(source->name, source->bytes, source->length, options,
                                        raw.name, raw.bytes, raw.length, text, error);
  wb_source_free(&raw);
  return status;
}

/* Prints the text or writes it, and frees it. */
static warpbound_status print(struct arguments *arguments, char *text, warpbound_error *error)
{
  if (arguments->value[OPTION_OUTPUT] != NULL)
    return output_write_text(arguments, OPTION_OUTPUT, text, error);
  const warpbound_status status = terminal_print_text(text, error);
  warpbound_text_free(text);
  return status;
}

warpbound_status command_instrument(struct arguments *arguments, warpbound_error *error)
{
  warpbound_instrument_options options;
  struct wb_source source = {0};
  char *text = NULL;
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK)
    status = read_options(arguments, &options, error);
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a PTX file", &source, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_RAW] != NULL)
    status = make_times(arguments, &source, &options, &text, error);
  else if (status == WARPBOUND_OK)
    status = warpbound_instrument(source.name, source.bytes, source.length, &options, &text, error);
  if (status == WARPBOUND_OK)
    status = print(arguments, text, error);
  wb_source_free(&source);
  return status;
}
