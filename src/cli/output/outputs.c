/* What the program writes: messages and the progress line on the terminal, and files; and the
 * limits of long work, which draws that line. */
#include "cli/output/outputs.h"

#include "base/file.h"
#include "base/status.h"
#include "base/text/ascii.h"
#include "base/text/quantity.h"
#include "base/work_control.h"
#include "cli/options/options.h"
#include "report/analyze/analyze_report.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the terminal ---- */

#define REDRAW_SECONDS 0.2
/* Work that is over sooner shows nothing. */
#define QUIET_SECONDS 0.5

/* Signals that come closer together are one: timeout(1) and shells send theirs to the
 * program and again to its group. */
#define SAME_SIGNAL_SECONDS 0.5

/* The program's one piece of global state: what a signal handler may write. */
static volatile sig_atomic_t interrupted;
static volatile double interrupted_at;

bool terminal_colour(FILE *stream)
{
  const char *no_color = getenv("NO_COLOR");
  const char *terminal = getenv("TERM");
  return isatty(fileno(stream)) && (no_color == NULL || *no_color == '\0') &&
         (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

size_t terminal_columns(void)
{
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
    return size.ws_col;
  return 80;
}

bool terminal_shows_output(void)
{
  return isatty(STDOUT_FILENO);
}

void terminal_error(const warpbound_error *error)
{
  fputs("warpbound: ", stderr);
  if (error->file[0] != '\0')
    fprintf(stderr, "%s:", error->file);
  if (error->line > 0)
    fprintf(stderr, "%zu:", error->line);
  if (error->line > 0 && error->column > 0)
    fprintf(stderr, "%zu:", error->column);
  fprintf(stderr, "%s%s\n", error->file[0] != '\0' || error->line > 0 ? " " : "", error->message);
}

void terminal_note(const char *message)
{
  fprintf(stderr, "warpbound: %s\n", message);
}

warpbound_status terminal_print(struct wb_text *text, warpbound_error *error)
{
  char *bytes = wb_text_take(text);
  if (bytes == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = terminal_print_text(bytes, error);
  free(bytes);
  return status;
}

warpbound_status terminal_print_text(const char *text, warpbound_error *error)
{
  if (fputs(text, stdout) == EOF || fflush(stdout) != 0)
    return wb_fail(error, WARPBOUND_INTERNAL, "cannot write to standard output: %s",
                   strerror(errno));
  return WARPBOUND_OK;
}

/* wb_clock is one call of clock_gettime, which a handler may make. */
static void on_interrupt(int signal_number)
{
  double now = wb_clock();
  if (!interrupted) {
    interrupted = 1;
    interrupted_at = now;
  } else if (now - interrupted_at > SAME_SIGNAL_SECONDS) {
    signal(signal_number, SIG_DFL);
    raise(signal_number);
  }
}

void terminal_catch_interrupts(void)
{
  struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

/* Whether two phases are the same but for the numbers in them. */
static bool is_same_phase(const char *a, const char *b)
{
  for (;; a++, b++) {
    while (wb_is_digit(*a))
      a++;
    while (wb_is_digit(*b))
      b++;
    if (*a != *b)
      return false;
    if (*a == '\0')
      return true;
  }
}

/* A warpbound_options.progress that draws on standard error. */
static void draw_progress(void *context, const char *phase, double fraction)
{
  struct progress *progress = context;
  double now = wb_clock();
  if (!is_same_phase(progress->phase, phase))
    progress->phase_start = now;
  snprintf(progress->phase, sizeof progress->phase, "%s", phase);
  if (now - progress->phase_start < QUIET_SECONDS || now - progress->last_shown < REDRAW_SECONDS)
    return;
  progress->last_shown = now;
  progress->shown = true;
  double elapsed = now - progress->phase_start;
  fprintf(stderr, "\r\033[K%s: %.0f %%, %.0f s", progress->phase, 100 * fraction, elapsed);
  if (fraction > 0.02)
    fprintf(stderr, ", about %.0f s left if it goes on so", elapsed * (1 - fraction) / fraction);
  fflush(stderr);
}

void terminal_progress_end(struct progress *progress)
{
  if (progress->shown)
    fputs("\r\033[K", stderr);
  progress->shown = false;
}

/* ---- limits ---- */

static bool was_interrupted(void *context)
{
  (void)context;
  return interrupted != 0;
}

/* Most bytes that the library takes for a limit. */
#define MEMORY_LIMIT (UINT64_C(1) << 48)

/* The least time limit: 0 would be none. */
#define LEAST_SECONDS 1e-9

warpbound_status limits_read(const struct arguments *arguments, struct limits *limits,
                             warpbound_error *error)
{
  static const struct option_member members[] = {
      {OPTION_TIME_LIMIT, VALUE_POSITIVE, OPTION_MEMBER(warpbound_options, time_limit),
       .expected = "seconds above 0"},
      {OPTION_MEMORY_LIMIT, VALUE_BYTES, OPTION_MEMBER(warpbound_options, memory_limit), .least = 1,
       .most = UINT64_MAX, .expected = "bytes as 1000000, 512M or 4G"},
      {OPTION_THREADS, VALUE_WHOLE, OPTION_MEMBER(warpbound_options, threads), .least = 1,
       .most = WB_THREAD_LIMIT},
  };
  warpbound_options *options = &limits->options;
  warpbound_status status =
      option_members_read(arguments, members, sizeof members / sizeof *members, options, error);
  if (status == WARPBOUND_OK && options->memory_limit > MEMORY_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE, "--memory-limit: expected at most 256T, found '%.60s'",
                     arguments->value[OPTION_MEMORY_LIMIT]);
  options->interrupted = was_interrupted;
  options->context = &limits->progress;
  if (arguments->value[OPTION_NO_PROGRESS] == NULL && isatty(STDERR_FILENO))
    options->progress = draw_progress;
  limits->deadline = options->time_limit > 0 ? wb_clock() + options->time_limit : 0;
  return status;
}

void limits_shorten(struct limits *limits)
{
  const double left = limits->deadline - wb_clock();
  if (limits->deadline > 0)
    limits->options.time_limit = left > LEAST_SECONDS ? left : LEAST_SECONDS;
}

/* ---- files ---- */

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

bool output_is_page(const char *name)
{
  return ends_with(name, ".html");
}

warpbound_status output_page_check(const struct arguments *arguments, warpbound_error *error)
{
  const char *page = arguments->value[OPTION_REPORT];
  if (page == NULL)
    return WARPBOUND_OK;
  if (*page == '\0' || strcmp(page, "-") == 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--report: expected a folder or a name that ends in .html, found '%s'", page);
  return output_is_page(page) ? wb_file_try(page, error)
                              : output_folder_check(page, OPTION_REPORT, error);
}

warpbound_status analyze_files_check(const struct arguments *arguments, warpbound_error *error)
{
  const struct wb_list *ci = &arguments->repeated[OPTION_REPORT_CI];
  /* What is of one launch cannot be asked for of several. */
  static const enum option single[] = {OPTION_REPORT, OPTION_TIMELINE, OPTION_CERTIFICATE,
                                       OPTION_RUN, OPTION_TEMPLATE};
  const enum option given =
      arguments_first_given(arguments, single, sizeof single / sizeof *single);
  const bool several =
      arguments->value[OPTION_LAUNCHES] != NULL || arguments->value[OPTION_SWEEP] != NULL;
  const bool together = arguments->value[OPTION_TOGETHER] != NULL ||
                        arguments->value[OPTION_BESIDE] != NULL ||
                        arguments->value[OPTION_GRAPH] != NULL;
  warpbound_status status = WARPBOUND_OK;
  if (several && given != OPTION_COUNT && !together)
    status = wb_fail(error, WARPBOUND_USAGE, "--%s: expected one launch, found a list of them%s",
                     option_rows[given].name,
                     given == OPTION_REPORT && arguments->value[OPTION_LAUNCHES] != NULL
                         ? ": 'warpbound check' takes the same file, and writes a page for each"
                         : "");
  else if (arguments->value[OPTION_PLOT] != NULL && arguments->value[OPTION_SWEEP] == NULL)
    status = wb_fail(error, WARPBOUND_USAGE, "--plot: expected --sweep, whose bounds it draws");
  if (status == WARPBOUND_OK)
    status = output_page_check(arguments, error);
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
  if (status == WARPBOUND_OK && arguments->value[OPTION_RUN] != NULL) {
    char *run = NULL;
    status = warpbound_launch_run(reports->launch, &run, error);
    if (status == WARPBOUND_OK)
      status = output_write_text(arguments->value[OPTION_RUN], run, error);
  }
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
