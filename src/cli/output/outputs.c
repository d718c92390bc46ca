#include "cli/output/outputs.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text/quantity.h"
#include "base/work_control.h"
#include "cli/output/terminal.h"
#include "report/analyze/analyze_report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static warpbound_status check_output(const struct arguments *arguments, enum option option,
                                     warpbound_error *error)
{
  const char *name = arguments->value[option];
  if (*name == '\0' || strcmp(name, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE, "--%s: expected a file name, found '%s'%s",
                   option_rows[option].name, name,
                   *name != '\0' ? " (write ./- for a file of that name)" : "");
  for (int o = 0; o < (int)option; o++) {
    const char *other = arguments->value[o];
    if (option_rows[o].group == GROUP_FILES && other != NULL && wb_file_same(other, name))
      return wb_fail(error, WARPBOUND_USAGE,
                     "--%s and --%s: expected two files, found '%.100s' for both",
                     option_rows[o].name, option_rows[option].name, name);
  }
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

/* ---- the files of `analyze` ---- */

static bool ends_with(const char *name, const char *ending)
{
  const size_t length = strlen(name);
  const size_t wanted = strlen(ending);
  return length > wanted && strcmp(name + length - wanted, ending) == 0;
}

warpbound_status analyze_files_check(const struct arguments *arguments, warpbound_error *error)
{
  const struct wb_list *ci = &arguments->repeated[OPTION_REPORT_CI];
  const char *page = arguments->value[OPTION_REPORT];
  /* What is of one launch cannot be asked for of several. */
  static const enum option single[] = {OPTION_REPORT, OPTION_TIMELINE, OPTION_CERTIFICATE,
                                       OPTION_TEMPLATE};
  const enum option given =
      arguments_first_given(arguments, single, sizeof single / sizeof *single);
  const bool several =
      arguments->value[OPTION_LAUNCHES] != NULL || arguments->value[OPTION_SWEEP] != NULL;
  warpbound_status status = WARPBOUND_OK;
  if (several && given != OPTION_COUNT)
    status = wb_fail(error, WARPBOUND_USAGE, "--%s: expected one launch, found a list of them",
                     option_rows[given].name);
  else if (arguments->value[OPTION_PLOT] != NULL && arguments->value[OPTION_SWEEP] == NULL)
    status = wb_fail(error, WARPBOUND_USAGE, "--plot: expected --sweep, whose bounds it draws");
  if (status == WARPBOUND_OK && page != NULL && (*page == '\0' || strcmp(page, "-") == 0))
    status = wb_fail(error, WARPBOUND_USAGE,
                     "--report: expected a folder or a name that ends in .html, found '%s'", page);
  if (status == WARPBOUND_OK && page != NULL)
    status = ends_with(page, ".html") ? wb_file_try(page, error)
                                      : output_folder_check(page, OPTION_REPORT, error);
  for (size_t f = 0; f < ci->count && status == WARPBOUND_OK; f++) {
    const char *name = ci->items[f];
    status = ends_with(name, ".sarif") || ends_with(name, ".xml")
                 ? wb_file_try(name, error)
                 : wb_fail(error, WARPBOUND_USAGE,
                           "--report-ci: expected a name that ends in .sarif or .xml, found "
                           "'%.100s'",
                           name);
  }
  return status;
}

warpbound_status analyze_files_write_page(const struct arguments *arguments,
                                          const struct wb_launch_report *report,
                                          const warpbound_options *limits, warpbound_error *error)
{
  struct wb_text text = {0};
  const struct wb_control control = wb_control_start(limits);
  struct wb_launch_report whole = *report;
  const char *name = arguments->value[OPTION_REPORT];
  struct wb_text file = {0};
  wb_text_format(&file, ends_with(name, ".html") ? "%s" : "%s/index.html", name);
  whole.control = &control;
  wb_analyze_page(&whole, &text);
  text.failed |= file.failed;
  const warpbound_status status = output_write(file.data, &text, error);
  wb_text_free(&file);
  return status;
}

/* Why there is no picture: all else of the answer stands. */
static warpbound_status report_no_timeline(const struct arguments *arguments,
                                           const struct wb_launch_analysis *analysis,
                                           warpbound_error *error)
{
  struct wb_text text = {0};
  wb_text_format(&text, "--timeline: '%.100s' is not written: ", arguments->value[OPTION_TIMELINE]);
  wb_text_string(&text, "no run of this launch was simulated to its end within ");
  wb_text_count_of(&text, analysis->simulate, "warp instruction");
  if (analysis->shortest_run == 0)
    wb_text_string(&text, "; no path of a warp is known that is short enough to be simulated");
  else if (analysis->shortest_run > analysis->simulate)
    wb_text_format(&text, "; --simulate %" PRIu64 " is enough for one", analysis->shortest_run);
  else
    wb_text_string(&text, ": a limit ended it first");
  if (!text.failed)
    terminal_note(text.data);
  const bool failed = text.failed;
  wb_text_free(&text);
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status analyze_files_write_ci(const struct arguments *arguments,
                                        const struct wb_launch_report *reports, size_t count,
                                        const struct wb_refused_launches *refused,
                                        warpbound_error *error)
{
  const struct wb_list *files = &arguments->repeated[OPTION_REPORT_CI];
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = 0; f < files->count && status == WARPBOUND_OK; f++) {
    struct wb_text text = {0};
    if (ends_with(files->items[f], ".sarif"))
      wb_analyze_sarif(reports, count, refused, &text);
    else
      wb_analyze_junit(reports, count, refused, &text);
    status = output_write(files->items[f], &text, error);
  }
  return status;
}

warpbound_status analyze_files_write(const struct arguments *arguments,
                                     const struct wb_launch_report *reports, size_t count,
                                     const struct sweep_axis *axis, const warpbound_options *limits,
                                     warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  char *certificate = NULL;
  if (arguments->value[OPTION_CERTIFICATE] != NULL)
    status = warpbound_launch_certificate(reports->launch, &certificate, error);
  if (certificate != NULL)
    status = output_write_text(arguments->value[OPTION_CERTIFICATE], certificate, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_TIMELINE] != NULL) {
    /* A picture of no run is not written, and no failure: the verdict is the command's status. */
    const struct wb_launch_analysis *analysis = &reports->launch->analysis;
    struct wb_text text = {0};
    wb_timeline_svg(analysis, &text);
    if (text.length > 0 || text.failed)
      status = output_write(arguments->value[OPTION_TIMELINE], &text, error);
    else
      status = report_no_timeline(arguments, analysis, error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_PLOT] != NULL) {
    struct wb_text text = {0};
    struct wb_sweep_point *points = calloc(count, sizeof *points);
    if (points == NULL)
      return wb_out_of_memory(error);
    for (size_t r = 0; r < count; r++)
      points[r] = (struct wb_sweep_point){.at = axis->at[r],
                                          .lower = reports[r].launch->analysis.lower,
                                          .upper = reports[r].launch->analysis.upper.cycles};
    wb_sweep_plot(axis->subject, points, count, &text);
    free(points);
    status = output_write(arguments->value[OPTION_PLOT], &text, error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_REPORT] != NULL)
    status = analyze_files_write_page(arguments, reports, limits, error);
  return status;
}
