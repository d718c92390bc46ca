/* Makespans of the public header: questions, their analysis, results and series of these, and
 * checks of schedules and certificates. */
#include "api/arguments.h"

#include "analysis/code/code_results.h"
#include "analysis/makespan/makespan_analysis.h"
#include "analysis/paths/makespan/path_bounds.h"
#include "analysis/series/series.h"
#include "analysis/verify/verify.h"
#include "base/memory.h"
#include "formats/json/json_input.h"
#include "formats/json/json_output.h"
#include "formats/paths/paths_file.h"
#include "frontend/file_kind.h"
#include "linear/solver.h"
#include "report/makespan/makespan_report.h"
#include "report/verdict_report.h"

#include <stdlib.h>
#include <string.h>

/* ---- questions ---- */

static bool has_several_strings(const warpbound_instance *instance)
{
  return instance->paths != NULL && !wb_paths_are_one(instance->paths);
}

/* Makes an instance of a string, or where `paths` is not NULL of paths, of which `string` is the
 * worst one of one warp. origin: what the making of the string assumed;
 * estimate: why it is no more than one; both may be NULL. Copies all but the paths.
 * Errors: those of wb_instance_make. */
static warpbound_status make_handle(const struct wb_kernel_string *string,
                                    const struct wb_list *origin,
                                    const struct wb_estimate *estimate, struct wb_paths *paths,
                                    const warpbound_sm *sm, uint32_t warps, uint32_t blocks,
                                    warpbound_instance **instance, warpbound_error *error)
{
  struct warpbound_instance *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  made->paths = paths;
  warpbound_status status = WARPBOUND_OK;
  if (!has_several_strings(made))
    status =
        wb_instance_make(string, &sm->configuration, warps, blocks, origin, &made->instance, error);
  else if (warps < 1 || warps > WB_WARP_LIMIT)
    status =
        wb_fail(error, WARPBOUND_USAGE, "warps: expected 1 to %u, found %u", WB_WARP_LIMIT, warps);
  else if (blocks < 1 || warps % blocks != 0)
    status =
        wb_fail(error, WARPBOUND_USAGE,
                "blocks: expected a number that divides the %u warps, found %u", warps, blocks);
  else
    made->instance = (struct wb_instance){.sm = sm->configuration,
                                          .warps = warps,
                                          .whole = {.partitions = sm->configuration.partitions,
                                                    .blocks = blocks,
                                                    .block_warps = warps / blocks}};
  if (status == WARPBOUND_OK && estimate != NULL)
    wb_estimate_add_all(&made->instance.estimate, estimate, NULL);
  if (status == WARPBOUND_OK && made->instance.estimate.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    *instance = made;
  else
    warpbound_instance_free(made);
  return status;
}

warpbound_status warpbound_instance_on(const char *string, const warpbound_sm *sm, uint32_t warps,
                                       uint32_t blocks, warpbound_instance **instance,
                                       warpbound_error *error)
{
  struct wb_kernel_string kernel;
  warpbound_status status =
      wb_require_place(instance, "instance", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(string, "string", "a kernel instruction string", error);
  if (status == WARPBOUND_OK)
    status = wb_require(sm, "sm", "a configuration", error);
  if (status == WARPBOUND_OK)
    status = wb_kernel_string_parse(string, NULL, &kernel, error);
  if (status != WARPBOUND_OK)
    return status;
  status = make_handle(&kernel, NULL, NULL, NULL, sm, warps, blocks, instance, error);
  wb_kernel_string_free(&kernel);
  return status;
}

warpbound_status warpbound_instance_of_paths(warpbound_paths *paths, const warpbound_sm *sm,
                                             uint32_t warps, uint32_t blocks,
                                             warpbound_instance **instance, warpbound_error *error)
{
  warpbound_status status =
      wb_require_place(instance, "instance", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(paths, "paths", "the paths of a kernel", error);
  if (status == WARPBOUND_OK)
    status = wb_require(sm, "sm", "a configuration", error);
  if (status != WARPBOUND_OK)
    return status;
  const bool machine_code = paths->module->form == WARPBOUND_INPUT_SASS;
  return make_handle(&paths->string, &paths->assumptions, &paths->estimate,
                     machine_code ? &paths->machine : NULL, sm, warps, blocks, instance, error);
}

warpbound_status warpbound_instance_create(const char *string, const char *units,
                                           uint32_t issue_slots, uint32_t partitions,
                                           uint32_t warps, warpbound_instance **instance,
                                           warpbound_error *error)
{
  warpbound_sm *sm = NULL;
  warpbound_status status =
      wb_require_place(instance, "instance", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = warpbound_sm_create(units, issue_slots, partitions, &sm, error);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_on(string, sm, warps, 1, instance, error);
  warpbound_sm_free(sm);
  return status;
}

/* Changes a copy, so that after an error the instance is as before. */
warpbound_status warpbound_instance_make_fair(warpbound_instance *instance, size_t first,
                                              size_t length, size_t count, warpbound_error *error)
{
  const struct wb_fair_blocks blocks = {first, length, count};
  warpbound_status status = wb_require(instance, "instance", "an instance", error);
  if (status != WARPBOUND_OK)
    return status;
  if (has_several_strings(instance))
    return wb_fail(error, WARPBOUND_USAGE,
                   "--fair-blocks: expected a kernel whose paths have all the same string, which "
                   "this one's have not");
  struct wb_instance *present = &instance->instance;
  struct wb_instance fair;
  status = wb_instance_make_like(present, present->warps, present->whole.blocks, &fair, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_instance_make_fair(&fair, &blocks, error);
  if (status == WARPBOUND_OK) {
    wb_instance_clear(present);
    *present = fair;
  } else {
    wb_instance_clear(&fair);
  }
  return status;
}

void warpbound_instance_free(warpbound_instance *instance)
{
  if (instance != NULL)
    wb_instance_clear(&instance->instance);
  free(instance);
}

/* ---- the analysis ---- */

/* Checks the options (NULL: the defaults); texts are borrowed. */
static warpbound_status make_options(const warpbound_options *options,
                                     struct wb_analysis_options *analysis, warpbound_error *error)
{
  static const warpbound_options defaults = {0};
  static const enum wb_annealing_initial initials[] = {
      [WARPBOUND_INITIAL_ALL] = WB_ANNEALING_ALL,
      [WARPBOUND_INITIAL_ROUND_ROBIN] = WB_ANNEALING_ROUND_ROBIN,
      [WARPBOUND_INITIAL_FIXED_PRIORITY] = WB_ANNEALING_FIXED_PRIORITY,
      [WARPBOUND_INITIAL_MOST_PENDING] = WB_ANNEALING_MOST_PENDING,
      [WARPBOUND_INITIAL_RANDOM] = WB_ANNEALING_RANDOM};
  static const enum wb_integer_form forms[] = {[WARPBOUND_INTEGER_SHORT] = WB_INTEGER_SHORT,
                                               [WARPBOUND_INTEGER_LONG] = WB_INTEGER_LONG,
                                               [WARPBOUND_INTEGER_LONG_CORRECTED] =
                                                   WB_INTEGER_LONG_CORRECTED};
  warpbound_status status = wb_require_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  if (options == NULL)
    options = &defaults;
  const warpbound_annealing *annealing = &options->annealing;
  const warpbound_integer_program *program = &options->integer_program;
  *analysis = (struct wb_analysis_options){
      .limits = *options,
      .policy = options->policy != NULL ? wb_policy_find(options->policy) : NULL,
      .integer = {.form = forms[program->form],
                  .horizon = program->horizon,
                  .allow_short = program->allow_short,
                  .file = program->program_file,
                  .format = wb_program_format(program->program_file),
                  .solve = !program->build_only,
                  .command = program->solver_command},
      .annealing = {.variant =
                        annealing->published ? WB_ANNEALING_PUBLISHED : WB_ANNEALING_WINDOWED,
                    .initial = initials[annealing->initial],
                    .iterations = annealing->iterations,
                    .runs = annealing->runs,
                    .temperature = annealing->temperature,
                    .seed = annealing->seed}};
  if (options->policies_only)
    analysis->limits.method = WARPBOUND_METHOD_BOUNDS;
  return program->solver_command != NULL
             ? wb_linear_command_check(program->solver_command, "solver command: ", error)
             : WARPBOUND_OK;
}

warpbound_status warpbound_makespan(const warpbound_instance *instance,
                                    const warpbound_options *options, warpbound_result **result,
                                    warpbound_error *error)
{
  struct wb_analysis_options analysis;
  warpbound_status status = wb_require_place(result, "result", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(instance, "instance", "an instance", error);
  if (status == WARPBOUND_OK)
    status = make_options(options, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_result *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  const struct wb_question question = {.instance = &instance->instance, .paths = instance->paths};
  status = wb_question_answer(&question, instance->instance.warps, &analysis, made, error);
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && made->instance != NULL))
    *result = made;
  else
    free(made);
  return status;
}

/* ---- a range of warps ---- */

warpbound_status warpbound_makespan_series(const warpbound_instance *instance, uint32_t first,
                                           uint32_t last, const warpbound_options *options,
                                           warpbound_series_visitor *visit, void *context,
                                           warpbound_series **series, warpbound_error *error)
{
  struct wb_analysis_options analysis;
  warpbound_status status = wb_require_place(series, "series", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(instance, "instance", "an instance", error);
  if (status == WARPBOUND_OK && (first < 1 || first > last || last > WB_WARP_LIMIT))
    status =
        wb_fail(error, WARPBOUND_USAGE, "warps: expected a range within 1 to %u, found %u to %u",
                WB_WARP_LIMIT, first, last);
  if (status == WARPBOUND_OK)
    status = make_options(options, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  if (analysis.integer.file != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "integer program, file: expected a single number of warps");
  struct warpbound_series *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  const struct wb_question question = {.instance = &instance->instance, .paths = instance->paths};
  status = wb_series_answer(&question, first, last, &analysis, visit, context, made, error);
  if (made->count > 0)
    *series = made;
  else
    warpbound_series_free(made);
  return status;
}

void warpbound_series_free(warpbound_series *series)
{
  if (series != NULL)
    wb_series_free(series);
  free(series);
}

size_t warpbound_series_count(const warpbound_series *series)
{
  return series != NULL ? series->count : 0;
}

static const warpbound_bound no_bound = {.name = "", .source = "", .kind = WARPBOUND_ESTIMATE};

warpbound_series_row warpbound_series_at(const warpbound_series *series, size_t index)
{
  if (index >= warpbound_series_count(series))
    return (warpbound_series_row){.lower = no_bound, .upper = no_bound};
  const struct wb_series_row *row = &series->rows[index];
  return (warpbound_series_row){.warps = row->warps, .lower = row->lower, .upper = row->upper};
}

warpbound_line warpbound_series_upper_line(const warpbound_series *series)
{
  if (series == NULL || series->line.divisor == 0)
    return (warpbound_line){0};
  return (warpbound_line){.slope = series->line.slope,
                          .offset = series->line.offset,
                          .divisor = series->line.divisor,
                          .from_warps = wb_series_warps_of(series, series->line.from_warps),
                          .to_warps = UINT64_MAX};
}

warpbound_line warpbound_series_exact_line(const warpbound_series *series)
{
  struct wb_series_affine affine;
  if (series == NULL || !wb_series_find_affine(series, &affine))
    return (warpbound_line){0};
  return (warpbound_line){.slope = (int64_t)affine.slope,
                          .offset = affine.offset,
                          .divisor = 1,
                          .from_warps = series->rows[affine.first].warps,
                          .to_warps = series->rows[series->count - 1].warps};
}

/* ---- names of choices ---- */

size_t warpbound_policy_count(void)
{
  size_t count;
  wb_policy_rows(&count);
  return count;
}

const char *warpbound_policy_name(size_t index)
{
  size_t count;
  const struct wb_policy *rows = wb_policy_rows(&count);
  return index < count ? rows[index].name : "";
}

const char *warpbound_policy_description(size_t index)
{
  size_t count;
  const struct wb_policy *rows = wb_policy_rows(&count);
  return index < count ? rows[index].description : "";
}

/* ---- results ---- */

void warpbound_result_free(warpbound_result *result)
{
  if (result != NULL)
    wb_result_clear(result);
  free(result);
}

uint32_t warpbound_result_warps(const warpbound_result *result)
{
  return result != NULL ? result->instance->warps : 0;
}

/* ---- bounds ---- */

warpbound_bound warpbound_result_lower(const warpbound_result *result)
{
  return result != NULL ? result->lower : no_bound;
}

warpbound_bound warpbound_result_upper(const warpbound_result *result)
{
  return result != NULL ? result->upper : no_bound;
}

size_t warpbound_result_bound_count(const warpbound_result *result)
{
  return result != NULL ? result->bounds.count + result->published.count : 0;
}

warpbound_bound warpbound_result_bound(const warpbound_result *result, size_t index)
{
  if (index >= warpbound_result_bound_count(result))
    return no_bound;
  if (index < result->bounds.count)
    return result->bounds.items[index].bound;
  return result->published.items[index - result->bounds.count].bound;
}

uint64_t warpbound_result_witness(const warpbound_result *result)
{
  return result != NULL ? wb_result_witness(result) : 0;
}

const char *warpbound_result_witness_method(const warpbound_result *result)
{
  return warpbound_result_witness(result) > 0 ? result->witness_method : "";
}

/* ---- sentences ---- */

size_t warpbound_result_assumption_count(const warpbound_result *result)
{
  return result != NULL ? result->instance->assumptions.count + result->assumptions.count : 0;
}

const char *warpbound_result_assumption(const warpbound_result *result, size_t index)
{
  if (index >= warpbound_result_assumption_count(result))
    return "";
  const struct wb_list *of_question = &result->instance->assumptions;
  return index < of_question->count ? of_question->items[index]
                                    : result->assumptions.items[index - of_question->count];
}

size_t warpbound_result_note_count(const warpbound_result *result)
{
  return result != NULL ? result->notes.count : 0;
}

const char *warpbound_result_note(const warpbound_result *result, size_t index)
{
  return index < warpbound_result_note_count(result) ? result->notes.items[index] : "";
}

warpbound_path_summary warpbound_result_paths(const warpbound_result *result)
{
  if (result == NULL || !result->paths.several)
    return (warpbound_path_summary){.shown = ""};
  return (warpbound_path_summary){.strings = result->paths.strings,
                                  .all = result->paths.all,
                                  .mixed = result->paths.mixed,
                                  .shown = result->paths.shown};
}

/* ---- texts ---- */

static warpbound_status require_witness(const warpbound_result *result, warpbound_error *error)
{
  return wb_result_witness(result) > 0
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_LIMIT,
                       "there is no schedule: its making was beyond the limits");
}

warpbound_status warpbound_result_json(const warpbound_result *result, char **json,
                                       warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(result, "result", "a result", json, error);
  if (status != WARPBOUND_OK)
    return status;
  *json = wb_json_text(wb_makespan_json(result));
  return *json != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* A file that nobody could read back is not handed out. */
warpbound_status warpbound_result_schedule(const warpbound_result *result, char **json,
                                           warpbound_error *error)
{
  struct wb_text text = {0};
  warpbound_status status = wb_require_text_of(result, "result", "a result", json, error);
  if (status == WARPBOUND_OK)
    status = require_witness(result, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_result_schedule_json(result, &text);
  if (text.length > WB_JSON_LIMIT) {
    wb_text_free(&text);
    return wb_fail(error, WARPBOUND_LIMIT,
                   "the schedule's file would have more than the %zu bytes that are read back",
                   WB_JSON_LIMIT);
  }
  return wb_hand_out(&text, json, error);
}

warpbound_status warpbound_result_certificate(const warpbound_result *result, char **json,
                                              uint64_t *cycles, warpbound_error *error)
{
  struct wb_text text = {0};
  warpbound_status status = wb_require_text_of(result, "result", "a result", json, error);
  if (status != WARPBOUND_OK)
    return status;
  uint64_t proven;
  if (result->phase_count > 0) {
    proven = wb_phases_certificate_json(result, &text);
  } else if (result->certificate == NULL) {
    proven = wb_certificate_json(result, &text);
  } else {
    wb_paths_file_write(&result->certificate->claim, &text);
    proven = result->certificate->claim.cycles;
  }
  if (proven == 0 && result->phase_count > 0)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "there is no certificate to write: a phase between barriers has none");
  if (proven == 0)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "there is no certificate to write: the upper end is by '%s', which has none",
                   result->upper.name);
  if (cycles != NULL)
    *cycles = proven;
  return wb_hand_out(&text, json, error);
}

warpbound_status warpbound_result_gantt(const warpbound_result *result, char **svg,
                                        warpbound_error *error)
{
  struct wb_text text = {0};
  warpbound_status status = wb_require_text_of(result, "result", "a result", svg, error);
  if (status == WARPBOUND_OK)
    status = require_witness(result, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_result_gantt_svg(result, &text);
  return wb_hand_out(&text, svg, error);
}

/* ---- checks of schedules and certificates ---- */

warpbound_status warpbound_verify(const char *name, const char *text, size_t length,
                                  const warpbound_options *options, warpbound_verdict **verdict,
                                  warpbound_error *error)
{
  warpbound_status status = wb_require_place(verdict, "verdict", "the address of a handle", error);
  if (status == WARPBOUND_OK)
    status = wb_require(name, "name", "the name of a file", error);
  if (status == WARPBOUND_OK)
    status = wb_require(text, "text", "the text of a schedule or a certificate", error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_control control = wb_control_start(options);
  struct warpbound_verdict *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  status = wb_verify(name, text, length, &control, made, error);
  if (status == WARPBOUND_INVALID_INPUT)
    wb_file_kind_explain(name, text, length, WB_FILE_JSON, error);
  if (status == WARPBOUND_OK || status == WARPBOUND_CHECK_FAILED)
    *verdict = made;
  else
    free(made);
  return status;
}

void warpbound_verdict_free(warpbound_verdict *verdict)
{
  if (verdict != NULL)
    wb_verdict_free(verdict);
  free(verdict);
}

warpbound_claim warpbound_verdict_claim(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->claim : WARPBOUND_CLAIM_SCHEDULE;
}

bool warpbound_verdict_valid(const warpbound_verdict *verdict)
{
  return verdict != NULL && verdict->valid;
}

const char *warpbound_verdict_violation(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->violation : "";
}

uint64_t warpbound_verdict_warps(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->warps : 0;
}

uint64_t warpbound_verdict_claimed(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->claimed : 0;
}

uint64_t warpbound_verdict_cycles(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->cycles : 0;
}

warpbound_line warpbound_verdict_line(const warpbound_verdict *verdict)
{
  return verdict != NULL ? verdict->line : (warpbound_line){0};
}

bool warpbound_verdict_assumes_same_barriers(const warpbound_verdict *verdict)
{
  return verdict != NULL && verdict->same_barriers;
}

warpbound_status warpbound_verdict_text(const warpbound_verdict *verdict, char **text,
                                        warpbound_error *error)
{
  struct wb_text written = {0};
  const warpbound_status status = wb_require_text_of(verdict, "verdict", "a verdict", text, error);
  if (status == WARPBOUND_OK)
    wb_verdict_text(verdict, &written);
  return status == WARPBOUND_OK ? wb_hand_out(&written, text, error) : status;
}

warpbound_status warpbound_verdict_json(const warpbound_verdict *verdict, char **json,
                                        warpbound_error *error)
{
  warpbound_status status = wb_require_text_of(verdict, "verdict", "a verdict", json, error);
  if (status != WARPBOUND_OK)
    return status;
  *json = wb_json_text(wb_verdict_json(verdict));
  return *json != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}
