#include "cli/output/terminal.h"

#include "base/text/ascii.h"
#include "base/work_control.h"
#include "cli/options/options.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
