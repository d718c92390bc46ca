#include "api/arguments.h"

#include "base/work_control.h"
#include "linear/linear_model.h"
#include "makespan/annealing/annealing.h"
#include "makespan/machine/policy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* More bytes than any processor addresses. */
#define MEMORY_LIMIT (UINT64_C(1) << 48)

warpbound_status wb_require(const void *argument, const char *name, const char *what,
                            warpbound_error *error)
{
  return argument != NULL
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE, "%s: expected %s, found NULL", name, what);
}

warpbound_status wb_require_text_of(const void *handle, const char *name, const char *what,
                                    char **text, warpbound_error *error)
{
  warpbound_status status = wb_require(text, "text", "the address of a text", error);
  if (status != WARPBOUND_OK)
    return status;
  *text = NULL;
  return wb_require(handle, name, what, error);
}

warpbound_status wb_hand_out(struct wb_text *text, char **taken, warpbound_error *error)
{
  *taken = wb_text_take(text);
  return *taken != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_require_choice(int number, int count, const char *name, warpbound_error *error)
{
  return number >= 0 && number < count
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE, "%s: expected one of 0 to %d, found %d", name,
                       count - 1, number);
}

static bool ends_with(const char *name, const char *ending)
{
  const char *dot = strrchr(name, '.');
  return dot != NULL && strcmp(dot, ending) == 0;
}

warpbound_status wb_require_program_file(const char *name, warpbound_error *error)
{
  return name == NULL || ends_with(name, ".lp") || ends_with(name, ".mps")
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE,
                       "program file: expected a name that ends in .lp or .mps, found '%.100s'",
                       name);
}

enum wb_linear_format wb_program_format(const char *name)
{
  return name != NULL && ends_with(name, ".mps") ? WB_LINEAR_MPS : WB_LINEAR_LP;
}

warpbound_status wb_require_options(const warpbound_options *options, warpbound_error *error)
{
  if (options == NULL)
    return WARPBOUND_OK;
  const warpbound_annealing *annealing = &options->annealing;
  const warpbound_integer_program *program = &options->integer_program;
  warpbound_status status =
      wb_require_choice((int)options->method, WARPBOUND_METHOD_ILP + 1, "method", error);
  if (status != WARPBOUND_OK)
    return status;
  if (!isfinite(options->time_limit) || options->time_limit < 0)
    return wb_fail(error, WARPBOUND_USAGE, "time limit: expected seconds, 0 for none, found %g",
                   options->time_limit);
  if (options->memory_limit > MEMORY_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "memory limit: expected at most %" PRIu64 " bytes, found %" PRIu64, MEMORY_LIMIT,
                   options->memory_limit);
  if (options->threads > WB_THREAD_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "threads: expected at most %d, found %" PRIu32,
                   WB_THREAD_LIMIT, options->threads);
  if (options->policy != NULL && !options->policies_only)
    return wb_fail(error, WARPBOUND_USAGE, "policy requires policies_only");
  if (options->policy != NULL && wb_policy_find(options->policy) == NULL)
    return wb_fail(error, WARPBOUND_USAGE, "policy: there is no '%.60s'", options->policy);
  if (!isfinite(annealing->temperature) || annealing->temperature < 0 ||
      annealing->runs > WB_ANNEALING_RUN_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE,
                   "annealing: expected a temperature of 0 or more and at most %u runs",
                   WB_ANNEALING_RUN_LIMIT);
  status = wb_require_choice((int)annealing->initial, WARPBOUND_INITIAL_RANDOM + 1,
                             "annealing, initial", error);
  if (status == WARPBOUND_OK)
    status = wb_require_choice((int)program->form, WARPBOUND_INTEGER_LONG_CORRECTED + 1,
                               "integer program, form", error);
  if (status == WARPBOUND_OK)
    status = wb_require_program_file(program->program_file, error);
  if (status == WARPBOUND_OK && program->horizon > WB_LINEAR_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "integer program: expected a horizon of at most %" PRIu64 " cycles",
                     (uint64_t)WB_LINEAR_LIMIT);
  return status;
}
