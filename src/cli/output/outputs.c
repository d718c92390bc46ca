#include "cli/output/outputs.h"

#include "base/file.h"
#include "cli/output/terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* The earlier output of the same name, or OPTION_COUNT. */
static enum option same_output(const struct arguments *arguments, enum option option)
{
  for (int o = 0; o < (int)option; o++) {
    const char *other = arguments->value[o];
    if (option_rows[o].group == GROUP_FILES && other != NULL &&
        wb_file_same(other, arguments->value[option]))
      return (enum option)o;
  }
  return OPTION_COUNT;
}

static warpbound_status check_output(const struct arguments *arguments, enum option option,
                                     warpbound_error *error)
{
  const char *name = arguments->value[option];
  if (*name == '\0' || strcmp(name, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a file name, found '%s'%s",
                   option_rows[option].name, name,
                   *name != '\0' ? " (write ./- for a file of that name)" : "");
  enum option other = same_output(arguments, option);
  if (other != OPTION_COUNT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--%s and --%s: expected two files, found '%.100s' for both",
                   option_rows[other].name, option_rows[option].name, name);
  if (arguments->input != NULL && wb_file_same(name, arguments->input))
    return wb_fail(error, WARPBOUND_USAGE, "the output '%.100s' would replace the input", name);
  return wb_file_try(name, error);
}

warpbound_status outputs_check(const struct arguments *arguments, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  for (int o = 0; status == WARPBOUND_OK && o < OPTION_COUNT; o++) {
    if (option_rows[o].group == GROUP_FILES && arguments->value[o] != NULL)
      status = check_output(arguments, (enum option)o, error);
  }
  return status;
}

warpbound_status output_folder_check(const char *folder, enum option option, warpbound_error *error)
{
  struct wb_text page = {0};
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: the folder '%.200s' cannot be made: %s",
                   option_rows[option].name, folder, strerror(errno));
  wb_text_format(&page, "%s/index.html", folder);
  const warpbound_status status =
      page.failed ? wb_out_of_memory(error) : wb_file_try(page.data, error);
  wb_text_free(&page);
  return status;
}

warpbound_status output_write(const char *name, struct wb_text *text, warpbound_error *error)
{
  const warpbound_status status =
      text->failed ? wb_out_of_memory(error) : wb_file_write(name, text->data, text->length, error);
  wb_text_free(text);
  return status;
}

warpbound_status output_write_text(const char *name, char *text, warpbound_error *error)
{
  const warpbound_status status = wb_file_write(name, text, strlen(text), error);
  warpbound_text_free(text);
  return status;
}

warpbound_status output_or_print(const struct arguments *arguments, char *text,
                                 warpbound_error *error)
{
  const char *name = arguments->value[OPTION_OUTPUT];
  if (name != NULL)
    return output_write_text(name, text, error);
  const warpbound_status status = terminal_print_text(text, error);
  warpbound_text_free(text);
  return status;
}
