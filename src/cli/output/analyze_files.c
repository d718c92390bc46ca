#include "cli/output/analyze_files.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text/quantity.h"
#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "report/analyze/analyze_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *name, const char *ending)
{
  const size_t length = strlen(name);
  const size_t wanted = strlen(ending);
  return length > wanted && strcmp(name + length - wanted, ending) == 0;
}

/* ---- names ---- */

/* The file of --report, which the caller frees; NULL where memory is out. */
static char *page_file(const char *name)
{
  struct wb_text text = {0};
  wb_text_format(&text, ends_with(name, ".html") ? "%s" : "%s/index.html", name);
  return wb_text_take(&text);
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

/* ---- contents ---- */

warpbound_status analyze_files_write_page(const struct arguments *arguments,
                                          const struct wb_launch_report *report,
                                          const warpbound_options *limits, warpbound_error *error)
{
  struct wb_text text = {0};
  const struct wb_control control = wb_control_start(limits);
  struct wb_launch_report whole = *report;
  char *file = page_file(arguments->value[OPTION_REPORT]);
  if (file == NULL)
    return wb_out_of_memory(error);
  whole.control = &control;
  wb_analyze_page(&whole, &text);
  const warpbound_status status = output_write(file, &text, error);
  free(file);
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

static warpbound_status write_plot(const struct arguments *arguments,
                                   const struct wb_launch_report *reports, size_t count,
                                   const struct sweep_axis *axis, warpbound_error *error)
{
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
  return output_write(arguments->value[OPTION_PLOT], &text, error);
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
  if (status == WARPBOUND_OK && arguments->value[OPTION_PLOT] != NULL)
    status = write_plot(arguments, reports, count, axis, error);
  if (status == WARPBOUND_OK && arguments->value[OPTION_REPORT] != NULL)
    status = analyze_files_write_page(arguments, reports, limits, error);
  return status;
}
