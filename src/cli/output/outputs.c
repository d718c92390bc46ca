#include "cli/output/outputs.h"

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

/* The earlier output of the same name, or OPTION_COUNT. */
static enum option same_output(const struct arguments *arguments, enum option option)
{
  for (int o = 0; o < (int)option; o++) {
    const char *other = arguments->value[o];
    if (option_row((enum option)o)->group == GROUP_FILES && other != NULL &&
        wb_file_same(other, arguments->value[option]))
      return (enum option)o;
  }
  return OPTION_COUNT;
}

static warpbound_status check_output(const struct arguments *arguments, enum option option,
                                     warpbound_error *error)
{
  const char *name = arguments->value[option];
  warpbound_status status = check_name(option, name, error);
  if (status != WARPBOUND_OK)
    return status;
  enum option other = same_output(arguments, option);
  if (other != OPTION_COUNT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--%s and --%s: expected two files, found '%.100s' for both",
                   option_row(other)->name, option_row(option)->name, name);
  if (arguments->input != NULL && wb_file_same(name, arguments->input))
    return wb_fail(error, WARPBOUND_USAGE, "the output '%.100s' would replace the input", name);
  return wb_file_try(name, error);
}

warpbound_status outputs_check(const struct arguments *arguments, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (int o = 0; status == WARPBOUND_OK && o < OPTION_COUNT; o++) {
    if (option_row((enum option)o)->group == GROUP_FILES && arguments->value[o] != NULL)
      status = check_output(arguments, (enum option)o, error);
  }
  return status;
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

warpbound_status output_write_text(const struct arguments *arguments, enum option option,
                                   char *text, warpbound_error *error)
{
  warpbound_status status = wb_file_write(arguments->value[option], text, strlen(text), error);
  warpbound_text_free(text);
  return status;
}
