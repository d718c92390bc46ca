#include "cli/options/words.h"

#include <stdio.h>

warpbound_status word_read(const struct arguments *arguments, enum option option,
                           const struct wb_choice *choices, int *value, warpbound_error *error)
{
  char prefix[64];
  *value = choices->value;
  if (arguments->value[option] == NULL)
    return WARPBOUND_OK;
  snprintf(prefix, sizeof prefix, "--%s: ", option_row(option)->name);
  return wb_choice_read(choices, prefix, arguments->value[option], value, error);
}
