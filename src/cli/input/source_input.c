#include "cli/input/source_input.h"

#include "base/status.h"

warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   struct wb_source *source, warpbound_error *error)
{
  return source_input_read_most(arguments, expected, WB_INPUT_LIMIT, source, error);
}

warpbound_status source_input_read_most(const struct arguments *arguments, const char *expected,
                                        size_t most, struct wb_source *source,
                                        warpbound_error *error)
{
  *source = (struct wb_source){0};
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected %s, or - for standard input", expected);
  return wb_source_read_most(arguments->input, most, source, error);
}
