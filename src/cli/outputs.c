#include "cli/outputs.h"

#include "base/file.h"

#include <string.h>

static warpbound_status check_name(enum option option, const char *name, warpbound_error *error)
{
  if (*name != '\0' && strcmp(name, "-") != 0)
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a file name, found '%s'%s",
                 option_row(option)->name, name,
                 *name != '\0' ? " (write ./- for a file of that name)" : "");
}

warpbound_status outputs_check(const struct arguments *arguments, const enum option *options,
                               size_t count, warpbound_error *error)
{
  for (size_t i = 0; i < count; i++) {
    const char *name = arguments->value[options[i]];
    if (name == NULL)
      continue;
    warpbound_status status = check_name(options[i], name, error);
    if (status != WARPBOUND_OK)
      return status;
    for (size_t k = 0; k < i; k++) {
      const char *other = arguments->value[options[k]];
      if (other != NULL && strcmp(other, name) == 0)
        return wb_fail(error, WARPBOUND_USAGE,
                       "--%s and --%s: expected two files, found '%.100s' for both",
                       option_row(options[k])->name, option_row(options[i])->name, name);
    }
    if (strcmp(name, arguments->input) == 0)
      return wb_fail(error, WARPBOUND_USAGE, "the output '%.100s' would replace the input", name);
  }
  return WARPBOUND_OK;
}

warpbound_status output_write(const struct arguments *arguments, enum option option,
                              struct wb_text *text, warpbound_error *error)
{
  warpbound_status status =
      text->failed ? wb_out_of_memory(error)
                   : wb_file_write(arguments->value[option], text->data, text->length, error);
  wb_text_free(text);
  return status;
}
