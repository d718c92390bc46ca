/* `warpbound instrument`. */
#include "cli/commands/commands.h"

#include "cli/input/module_input.h"
#include "cli/options/option_values.h"
#include "cli/output/outputs.h"

warpbound_status command_instrument(struct arguments *arguments, warpbound_error *error)
{
  warpbound_instrument_options options;
  struct wb_input source = {0};
  struct wb_input raw = {0};
  const char *raw_name = arguments->value[OPTION_RAW];
  char *text = NULL;
  warpbound_status status = outputs_check(arguments, error);
  if (status == WARPBOUND_OK) {
    static const struct wb_choice places[] = {{"blocks", WARPBOUND_AT_BLOCKS},
                                              {"loops", WARPBOUND_AT_LOOPS},
                                              {"lines", WARPBOUND_AT_LINES},
                                              {"given", WARPBOUND_AT_GIVEN},
                                              {NULL, 0}};
    static const struct option_member at = {
        OPTION_AT, VALUE_WORD, OPTION_MEMBER(warpbound_instrument_options, at), places};
    const struct wb_list *points = &arguments->repeated[OPTION_POINT];
    options = (warpbound_instrument_options){
        .kernel = arguments->value[OPTION_KERNEL],
        .at = points->count > 0 ? WARPBOUND_AT_GIVEN : WARPBOUND_AT_BLOCKS,
        .points = (const char *const *)points->items,
        .point_count = points->count,
    };
    status = option_members_read(arguments, &at, 1, &options, error);
  }
  if (status == WARPBOUND_OK)
    status = source_input_read(arguments, "a PTX file", WB_INPUT_LIMIT, &source, error);
  if (status == WARPBOUND_OK && raw_name != NULL)
    status = wb_input_read(raw_name, &raw, error);
  if (status == WARPBOUND_OK && raw_name != NULL)
    status = warpbound_instrument_times(source.name, source.bytes, source.length, &options,
                                        raw.name, raw.bytes, raw.length, &text, error);
  else if (status == WARPBOUND_OK)
    status = warpbound_instrument(source.name, source.bytes, source.length, &options, &text, error);
  if (status == WARPBOUND_OK)
    status = output_or_print(arguments, text, error);
  wb_input_free(&raw);
  wb_input_free(&source);
  return status;
}
