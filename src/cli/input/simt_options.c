#include "cli/input/simt_options.h"

#include "cli/options/words.h"

warpbound_status simt_options_read(const struct arguments *arguments,
                                   warpbound_simt_options *options, warpbound_error *error)
{
  static const char *const stacks[] = {"graph", "acyclic", NULL};
  static const char *const extents[] = {"all", "active", "none", NULL};
  size_t stack;
  size_t extent = 0;
  warpbound_status status = word_read(arguments, OPTION_STACK, stacks, &stack, error);
  if (status == WARPBOUND_OK)
    status = word_read(arguments, OPTION_AGREEMENT, extents, &extent, error);
  options->acyclic_stack = stack == 1;
  options->no_groups = arguments->value[OPTION_NO_GROUPS] != NULL;
  options->agreement = (warpbound_agreement)extent;
  return status;
}
