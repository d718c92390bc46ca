/* Makespans: from a question to its result. */
#include "api/makespan.h"

#include "api/arguments.h"
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

/* Whether a file's name ends in .mps. */
static bool is_mps(const char *name)
{
  const char *ending = name != NULL ? strrchr(name, '.') : NULL;
  return ending != NULL && strcmp(ending, ".mps") == 0;
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
                                     .format = is_mps(program->program_file) ? WB_LINEAR_MPS
                                                                             : WB_LINEAR_LP,
                                     .solve = !program->build_only,
                                     .command = program->solver_command};
}

warpbound_status wb_analysis_options_make(const warpbound_options *options,
                                          struct wb_analysis_options *analysis,
                                          warpbound_error *error)
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
      .simulate_only = options->policies_only,
      .policy = options->policy != NULL ? wb_policy_find(options->policy) : NULL,
      .integer = integer_options(&options->integer_program),
      .certify = options->certify,
      .annealing = annealing_options(&options->annealing),
      .anneal_closed = options->annealing.closed_too,
      .fewer_warps = options->fewer_warps};
  if (options->policies_only)
    analysis->limits.method = WARPBOUND_METHOD_BOUNDS;
  return command != NULL ? wb_linear_command_check(command, "solver command: ", error)
                         : WARPBOUND_OK;
}

struct wb_question wb_question_of(const warpbound_instance *instance)
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
    status = wb_analysis_options_make(options, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  struct warpbound_result *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  const struct wb_question question = wb_question_of(instance);
  status = wb_question_answer(&question, instance->instance.warps, &analysis, made, error);
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && made->instance != NULL))
    *result = made;
  else
    free(made);
  return status;
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

const char *warpbound_initial_name(warpbound_initial initial)
{
  if ((unsigned)initial > WARPBOUND_INITIAL_RANDOM)
    return "";
  return wb_annealing_initial_name(
      annealing_options(&(warpbound_annealing){.initial = initial}).initial);
}

const char *warpbound_integer_form_name(warpbound_integer_form form)
{
  if ((unsigned)form > WARPBOUND_INTEGER_LONG_CORRECTED)
    return "";
  return wb_integer_form_name(integer_options(&(warpbound_integer_program){.form = form}).form);
}
