#include "cli/options/word_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const char *number_read(const char *at, uint64_t most, uint64_t *number)
{
  const bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
  const char *digits = hexadecimal ? at + 2 : at;
  const size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
  if (length == 0 || length > 20)
    return NULL;
  errno = 0;
  *number = strtoull(digits, NULL, hexadecimal ? 16 : 10);
  return errno == 0 && *number <= most ? digits + length : NULL;
}
