/* Makespans, of one number of warps or a range: from a question to its result. */
#include "analysis/makespan/makespan_analysis.h"
#include "analysis/series/series.h"

#include "api/arguments.h"
#include "api/instance.h"
#include "base/memory.h"
#include "linear/solver.h"

#include <stdlib.h>
#include <string.h>

static struct wb_annealing_options annealing_options(const warpbound_annealing *annealing)
{
  static const enum wb_annealing_initial initials[] = {
      [WARPBOUND_INITIAL_ALL] = WB_ANNEALING_ALL,
      [WARPBOUND_INITIAL_ROUND_ROBIN] = WB_ANNEALING_ROUND_ROBIN,
      [WARPBOUND_INITIAL_FIXED_PRIORITY] = WB_ANNEALING_FIXED_PRIORITY,
      [WARPBOUND_INITIAL_MOST_PENDING] = WB_ANNEALING_MOST_PENDING,
      [WARPBOUND_INITIAL_RANDOM] = WB_ANNEALING_RANDOM,
  };
  return (struct wb_annealing_options){.variant = annealing->published ? WB_ANNEALING_PUBLISHED
                                                                       : WB_ANNEALING_WINDOWED,
                                       .initial = initials[annealing->initial],
                                       .iterations = annealing->iterations,
                                       .runs = annealing->runs,
                                       .temperature = annealing->temperature,
                                       .seed = annealing->seed};
}

static struct wb_integer_options integer_options(const warpbound_integer_program *program)
{
  static const enum wb_integer_form forms[] = {
      [WARPBOUND_INTEGER_SHORT] = WB_INTEGER_SHORT,
      [WARPBOUND_INTEGER_LONG] = WB_INTEGER_LONG,
      [WARPBOUND_INTEGER_LONG_CORRECTED] = WB_INTEGER_LONG_CORRECTED,
  };
  return (struct wb_integer_options){.form = forms[program->form],
                                     .horizon = program->horizon,
                                     .allow_short = program->allow_short,
                                     .file = program->program_file,
                                     .format = wb_program_format(program->program_file),
                                     .solve = !program->build_only,
                                     .command = program->solver_command};
}

/* Checks the options (NULL: the defaults); texts are borrowed. */
static warpbound_status make_options(const warpbound_options *options,
                                     struct wb_analysis_options *analysis, warpbound_error *error)
{
  static const warpbound_options defaults = {0};
  warpbound_status status = wb_require_options(options, error);
  if (status != WARPBOUND_OK)
    return status;
  if (options == NULL)
    options = &defaults;
  const char *command = options->integer_program.solver_command;
  *analysis = (struct wb_analysis_options){
      .limits = *options,
      .policy = options->policy != NULL ? wb_policy_find(options->policy) : NULL,
      .integer = integer_options(&options->integer_program),
      .annealing = annealing_options(&options->annealing)};
  if (options->policies_only)
    analysis->limits.method = WARPBOUND_METHOD_BOUNDS;
  return command != NULL ? wb_linear_command_check(command, "solver command: ", error)
                         : WARPBOUND_OK;
}

static struct wb_question question_of(const warpbound_instance *instance)
{
  return (struct wb_question){.instance = &instance->instance, .paths = instance->paths};
}

warpbound_status warpbound_makespan(const warpbound_instance *instance,
                                    const warpbound_options *options, warpbound_result **result,
                                    warpbound_error *error)
{
  struct wb_analysis_options analysis;
  warpbound_status status = wb_require(result, "result", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *result = NULL;
  status = wb_require(instance, "instance", "an instance", error);
  if (status == WARPBOUND_OK)
    status = make_options(options, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_result *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  const struct wb_question question = question_of(instance);
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
  warpbound_status status = wb_require(series, "series", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *series = NULL;
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
  const struct wb_question question = question_of(instance);
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
