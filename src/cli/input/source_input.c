#include "cli/input/source_input.h"

#include "base/status.h"

warpbound_status source_input_read(const struct arguments *arguments, const char *expected,
                                   struct wb_source *source, warpbound_error *error)
{
  *source = (struct wb_source){0};
  if (arguments->input == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "expected %s, or - for standard input", expected);
  return wb_source_read(arguments->input, source, error);
}
