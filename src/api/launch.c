/* Whole launches, of the public header. */
#include "analysis/code/code_results.h"

#include "analysis/launch/launch_maxima.h"
#include "api/arguments.h"
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "formats/launch/launch_file.h"
#include "report/analyze/analyze_report.h"
#include "report/wcet/wcet_report.h"

#include <stdlib.h>

/* Whether there is a bound. */
static bool has_bound(const warpbound_launch *launch)
{
  return launch != NULL && launch->analysis.maxima.terms.denominator > 0 &&
         launch->analysis.upper.cycles > 0;
}

warpbound_status warpbound_launch_analyse(const warpbound_kernel *kernel, const warpbound_gpu *gpu,
                                          const warpbound_launch_options *options,
                                          const warpbound_options *limits,
                                          warpbound_launch **launch, warpbound_error *error)
{
  struct wb_launch_question question;
  warpbound_error own = {0};
  if (error == NULL)
    error = &own;
  warpbound_status status = wb_require_place(launch, "launch", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require(gpu, "gpu", "a device", error);
  if (status == WARPBOUND_OK)
    status = wb_require(options, "options", "those of a launch", error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK) {
    question = (struct wb_launch_question){.device = &gpu->device, .options = options};
    status = wb_wcet_options_of(kernel->module, &options->wcet, &question.wcet, error);
    question.wcet.effort = WB_IPET_ROUND;
    question.wcet.barriers = options->barriers_known;
  }
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_launch *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->module = kernel->module;
  made->options = question.wcet.simt;
  made->annotations = options->wcet.annotations;
  const struct wb_control control = wb_control_start(limits);
  status = wb_launch_analyse(&kernel->module->code, wb_machine_function_of(kernel), &question,
                             &control, &made->analysis, error);
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING ||
      (status == WARPBOUND_LIMIT && has_bound(made)))
    *launch = made;
  else
    warpbound_launch_free(made);
  return status;
}

void warpbound_launch_free(warpbound_launch *launch)
{
  if (launch != NULL)
    wb_launch_analysis_free(&launch->analysis);
  free(launch);
}

warpbound_bound warpbound_launch_upper(const warpbound_launch *launch)
{
  if (!has_bound(launch))
    return (warpbound_bound){.cycles = UINT64_MAX, .kind = WARPBOUND_UPPER};
  return (warpbound_bound){.cycles = launch->analysis.upper.cycles,
                           .kind = launch->analysis.upper_kind};
}

warpbound_bound warpbound_launch_lower(const warpbound_launch *launch)
{
  if (!has_bound(launch))
    return (warpbound_bound){.cycles = 0, .kind = WARPBOUND_LOWER};
  return (warpbound_bound){.cycles = launch->analysis.lower, .kind = launch->analysis.lower_kind};
}

uint32_t warpbound_launch_resident_blocks(const warpbound_launch *launch)
{
  return has_bound(launch) ? launch->analysis.occupancy.resident_blocks : 0;
}

const char *warpbound_launch_residency_limit(const warpbound_launch *launch)
{
  return has_bound(launch) ? wb_residency_limit_name(launch->analysis.occupancy.limit) : "";
}

uint64_t warpbound_launch_waves(const warpbound_launch *launch)
{
  return has_bound(launch) ? launch->analysis.upper.waves : 0;
}

size_t warpbound_launch_assumption_count(const warpbound_launch *launch)
{
  return launch != NULL ? launch->analysis.assumptions.count : 0;
}

const char *warpbound_launch_assumption(const warpbound_launch *launch, size_t index)
{
  return index < warpbound_launch_assumption_count(launch)
             ? launch->analysis.assumptions.items[index]
             : "";
}

/* Whether there is a result to write, and a place for it; *text is NULL then. */
static warpbound_status require_result(const warpbound_launch *launch, bool bounded, char **text,
                                       warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(launch, "launch", "a result", text, error);
  if (status == WARPBOUND_OK && bounded && !has_bound(launch))
    status = wb_fail(error, WARPBOUND_FACTS_MISSING, "the result has no bound");
  return status;
}

warpbound_status warpbound_launch_json(const warpbound_launch *launch, char **text,
                                       warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = require_result(launch, true, text, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_analyze_json(&(struct wb_launch_report){.launch = launch}, &written);
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_launch_text(const warpbound_launch *launch, char **text,
                                       warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = require_result(launch, true, text, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_analyze_text(&(struct wb_launch_report){.launch = launch}, &written);
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_launch_certificate(const warpbound_launch *launch, char **text,
                                              warpbound_error *error)
{
  struct wb_launch_claim_owner claim;
  struct wb_text written = {0};
  warpbound_status status = require_result(launch, true, text, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_launch_claim_make(&launch->analysis, &claim, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_launch_file_write(&claim.claim, &claim.grounds, &written);
  wb_launch_claim_free(&claim);
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_launch_run(const warpbound_launch *launch, char **text,
                                      warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = require_result(launch, true, text, error);
  if (status == WARPBOUND_OK)
    status = wb_launch_run_write(&launch->analysis, &written, error);
  if (status != WARPBOUND_OK) {
    wb_text_free(&written);
    return status;
  }
  return wb_hand_out(&written, text, error);
}

warpbound_status warpbound_launch_template(const warpbound_launch *launch, char **text,
                                           warpbound_error *error)
{
  struct wb_text written = {0};
  warpbound_status status = require_result(launch, false, text, error);
  if (status != WARPBOUND_OK)
    return status;
  /* The WCET of one warp within the launch. */
  const struct warpbound_wcet view = {.module = launch->module,
                                      .wcet = launch->analysis.paths.wcet,
                                      .options = launch->options,
                                      .annotations = launch->annotations};
  const struct warpbound_wcet *const result = &view;
  wb_facts_template(launch->module, &result, 1, &written);
  return wb_hand_out(&written, text, error);
}
