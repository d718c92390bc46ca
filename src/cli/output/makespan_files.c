#include "cli/output/makespan_files.h"

#include "cli/output/outputs.h"
#include "cli/output/terminal.h"
#include "report/makespan/convergence.h"
#include "report/makespan/makespan_report.h"
#include "report/makespan/result_schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Warps that the terminal's picture shows. */
#define DRAWN_WARPS 32

/* ---- the schedule ---- */

static warpbound_status write_schedule_file(const struct arguments *arguments,
                                            const warpbound_result *result, warpbound_error *error)
{
  char *schedule;
  char message[sizeof error->message];
  warpbound_status status = warpbound_result_schedule(result, &schedule, error);
  if (status == WARPBOUND_OK)
    return output_write_text(arguments, OPTION_SCHEDULE, schedule, error);
  snprintf(message, sizeof message, "--schedule: %.480s", error->message);
  return wb_fail(error, status, "%s", message);
}

static warpbound_status write_gantt(const struct arguments *arguments,
                                    const warpbound_result *result, warpbound_error *error)
{
  char *svg;
  warpbound_status status = warpbound_result_gantt(result, &svg, error);
  return status == WARPBOUND_OK ? output_write_text(arguments, OPTION_GANTT, svg, error) : status;
}

/* The files and the picture of a schedule that was checked. */
static warpbound_status write_schedule(const struct arguments *arguments,
                                       const warpbound_result *result, bool colour,
                                       struct wb_text *drawing, warpbound_error *error)
{
  const char *const *value = arguments->value;
  if (value[OPTION_SCHEDULE] == NULL && value[OPTION_GANTT] == NULL && value[OPTION_DRAW] == NULL)
    return WARPBOUND_OK;
  if (warpbound_result_witness(result) == 0)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "there is no schedule to write or draw: its making was beyond the limits");
  warpbound_status status = WARPBOUND_OK;
  if (value[OPTION_SCHEDULE] != NULL)
    status = write_schedule_file(arguments, result, error);
  if (status == WARPBOUND_OK && value[OPTION_GANTT] != NULL)
    status = write_gantt(arguments, result, error);
  if (status == WARPBOUND_OK && value[OPTION_DRAW] != NULL)
    wb_result_gantt_terminal(result, terminal_columns(), DRAWN_WARPS, colour, drawing);
  return status;
}

/* ---- the certificate ---- */

/* Where the certificate proves less than the analysis did. */
static void note_weaker_certificate(const warpbound_result *result, uint64_t cycles)
{
  const warpbound_bound upper = warpbound_result_upper(result);
  char note[256];
  if (cycles <= upper.cycles)
    return;
  snprintf(note, sizeof note,
           "the certificate proves %" PRIu64
           " cycles only: for the upper end by '%s' there is none",
           cycles, upper.name);
  terminal_note(note);
}

static warpbound_status write_certificate(const struct arguments *arguments,
                                          const warpbound_result *result, warpbound_error *error)
{
  char *certificate;
  uint64_t cycles = 0;
  if (arguments->value[OPTION_CERTIFICATE] == NULL)
    return WARPBOUND_OK;
  warpbound_status status = warpbound_result_certificate(result, &certificate, &cycles, error);
  if (status != WARPBOUND_OK)
    return status;
  note_weaker_certificate(result, cycles);
  return output_write_text(arguments, OPTION_CERTIFICATE, certificate, error);
}

/* ---- curves ---- */

/* The tractable bound over y: a picture where the name's ending asks for one. */
static warpbound_status write_tractable(const struct arguments *arguments,
                                        const warpbound_result *result, warpbound_error *error)
{
  const char *name = arguments->value[OPTION_CONVERGENCE];
  if (name == NULL)
    return WARPBOUND_OK;
  struct wb_text text = {0};
  const char *ending = strrchr(name, '.');
  if (ending != NULL && strcmp(ending, ".svg") == 0)
    wb_tractable_svg(result, &text);
  else
    wb_tractable_csv(result, &text);
  return output_write(arguments, OPTION_CONVERGENCE, &text, error);
}

/* The files on how the annealing went. An annealing that was left out has no run to
 * show; the notes say why. */
static warpbound_status write_convergence(const struct arguments *arguments,
                                          const warpbound_result *result, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  struct wb_text text = {0};
  if (arguments->value[OPTION_TRACE] != NULL) {
    wb_result_convergence_csv(result, &text);
    status = output_write(arguments, OPTION_TRACE, &text, error);
  }
  if (status == WARPBOUND_OK && arguments->value[OPTION_PLOT] != NULL) {
    wb_result_convergence_svg(result, &text);
    status = output_write(arguments, OPTION_PLOT, &text, error);
  }
  return status;
}

warpbound_status makespan_files_write(const struct arguments *arguments,
                                      const warpbound_result *result, bool colour,
                                      struct wb_text *drawing, warpbound_error *error)
{
  warpbound_status status = write_convergence(arguments, result, error);
  if (status == WARPBOUND_OK)
    status = write_tractable(arguments, result, error);
  if (status == WARPBOUND_OK)
    status = write_schedule(arguments, result, colour, drawing, error);
  return status == WARPBOUND_OK ? write_certificate(arguments, result, error) : status;
}
