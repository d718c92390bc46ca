#include "cli/output/outputs.h"

#include "base/file.h"
#include "base/work_control.h"
#include "cli/output/terminal.h"

#include <errno.h>
#include <stdio.h>
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

warpbound_status graph_files_write(const struct arguments *arguments,
                                   const struct wb_cfg_report *report,
                                   const warpbound_options *limits, warpbound_error *error)
{
  warpbound_status drawn = WARPBOUND_OK;
  warpbound_status written = WARPBOUND_OK;
  if (arguments->value[OPTION_SVG] != NULL) {
    const struct wb_control control = wb_control_start(limits);
    struct wb_text svg = {0};
    warpbound_status status = wb_cfg_svg(report, &control, &svg, error);
    if (status == WARPBOUND_OK)
      status = output_write(arguments->value[OPTION_SVG], &svg, error);
    else if (status == WARPBOUND_USAGE || status == WARPBOUND_LIMIT) {
      /* Where there is no picture: the file that is to have the graph, or how to get one. */
      const char *dot = arguments->value[OPTION_DOT];
      const size_t length = strlen(error->message);
      char *const end = error->message + length;
      if (dot != NULL)
        snprintf(end, sizeof error->message - length, "; the graph is in '%.200s'", dot);
      else
        snprintf(end, sizeof error->message - length, "; --dot FILE writes the graph");
    }
    wb_text_free(&svg);
    drawn = status;
  }
  if (arguments->value[OPTION_DOT] != NULL) {
    struct wb_text dot = {0};
    wb_cfg_dot(report, true, &dot);
    written = output_write(arguments->value[OPTION_DOT], &dot, error);
  }
  return written != WARPBOUND_OK ? written : drawn;
}

void proof_record(struct proof *proof, struct wb_text *doubts)
{
  proof->bounds++;
  proof->estimates += doubts->length > 0 || doubts->failed;
  if (proof->first.length == 0 && doubts->length > 0)
    wb_text_append(&proof->first, doubts->data, doubts->length);
  proof->first.failed = proof->first.failed || doubts->failed;
  wb_text_free(doubts);
}

warpbound_status proof_judge(const struct proof *proof, const struct arguments *arguments,
                             warpbound_error *error)
{
  if (arguments->value[OPTION_REQUIRE_PROOF] == NULL || proof->estimates == 0)
    return WARPBOUND_OK;
  if (proof->first.failed)
    return wb_out_of_memory(error);
  if (proof->bounds == 1)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "--require-proof: the bound is an estimate: %.420s", proof->first.data);
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "--require-proof: %zu of %zu bounds are estimates, the first because of %.400s",
                 proof->estimates, proof->bounds, proof->first.data);
}

void proof_free(struct proof *proof)
{
  wb_text_free(&proof->first);
}
