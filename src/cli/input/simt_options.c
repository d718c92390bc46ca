#include "cli/input/simt_options.h"

#include "cli/options/word_options.h"

warpbound_status simt_options_read(const struct arguments *arguments,
                                   warpbound_simt_options *options, warpbound_error *error)
{
  static const struct wb_choice stacks[] = {{"graph", false}, {"acyclic", true}, {NULL, 0}};
  static const struct wb_choice extents[] = {{"all", WARPBOUND_AGREEMENT_ALL},
                                             {"active", WARPBOUND_AGREEMENT_ACTIVE},
                                             {"none", WARPBOUND_AGREEMENT_NONE},
                                             {NULL, 0}};
  int stack;
  int extent = WARPBOUND_AGREEMENT_ALL;
  warpbound_status status = word_read(arguments, OPTION_STACK, stacks, &stack, error);
  if (status == WARPBOUND_OK)
    status = word_read(arguments, OPTION_AGREEMENT, extents, &extent, error);
  options->acyclic_stack = stack;
  options->no_groups = arguments->value[OPTION_NO_GROUPS] != NULL;
  options->agreement = (warpbound_agreement)extent;
  return status;
}
