#include "api/arguments.h"

#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/solver.h"
#include "makespan/annealing/annealing.h"
#include "makespan/machine/policy.h"
#include "warpbound.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
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

warpbound_status wb_require_place(void *place, const char *name, const char *what,
                                  warpbound_error *error)
{
  const void *const nothing = NULL; /* all pointers to structs and texts look alike */
  if (place != NULL)
    memcpy(place, &nothing, sizeof nothing);
  return wb_require(place, name, what, error);
}

warpbound_status wb_require_text_of(const void *handle, const char *name, const char *what,
                                    char **text, warpbound_error *error)
{
  warpbound_status status = wb_require_place(text, "text", "the address of a text", error);
  return status == WARPBOUND_OK ? wb_require(handle, name, what, error) : status;
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

/* Whether a file for a linear program, if there is one, has a name that says its language. */
static warpbound_status require_program_file(const char *name, warpbound_error *error)
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
    status = require_program_file(program->program_file, error);
  if (status == WARPBOUND_OK && program->horizon > WB_LINEAR_LIMIT)
    status = wb_fail(error, WARPBOUND_USAGE,
                     "integer program: expected a horizon of at most %" PRIu64 " cycles",
                     (uint64_t)WB_LINEAR_LIMIT);
  return status;
}

warpbound_status wb_require_machine_kernel(const warpbound_kernel *kernel, warpbound_error *error)
{
  warpbound_status status = wb_require(kernel, "kernel", "a kernel", error);
  if (status == WARPBOUND_OK && kernel->module->form != WARPBOUND_INPUT_SASS)
    status = wb_fail(error, WARPBOUND_USAGE, "kernel: expected machine code");
  return status;
}

warpbound_status wb_require_block(const struct wb_function *function, const uint32_t block[3],
                                  warpbound_error *error)
{
  const uint32_t *required = function->required_block;
  uint64_t threads = block[0];
  for (unsigned axis = 1; axis < 3 && threads <= UINT32_MAX; axis++)
    threads *= block[axis];
  if (required[0] > 0 && memcmp(required, block, sizeof function->required_block) != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--block: expected %u,%u,%u, which '%.100s' requires of each launch, found "
                   "%u,%u,%u",
                   required[0], required[1], required[2], function->name, block[0], block[1],
                   block[2]);
  if (function->most_threads > 0 && threads > function->most_threads)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--block: expected at most %u threads, the launch bound of '%.100s', found "
                   "%" PRIu64,
                   function->most_threads, function->name, threads);
  return WARPBOUND_OK;
}

warpbound_status wb_simt_options_of(const warpbound_simt_options *options,
                                    struct wb_simt_options *taken, warpbound_error *error)
{
  static const enum wb_agreement_extent extents[] = {
      [WARPBOUND_AGREEMENT_ALL] = WB_AGREEMENT_ALL,
      [WARPBOUND_AGREEMENT_ACTIVE] = WB_AGREEMENT_ACTIVE,
      [WARPBOUND_AGREEMENT_NONE] = WB_AGREEMENT_NONE};
  static const enum wb_scope_waiting waiting[] = {
      [WARPBOUND_RECONVERGENCE_YIELD] = WB_WAITING_UNLESS_YIELD,
      [WARPBOUND_RECONVERGENCE_NEVER] = WB_WAITING_NEVER,
      [WARPBOUND_RECONVERGENCE_ALWAYS] = WB_WAITING_ALWAYS};
  warpbound_status status =
      wb_require_choice((int)options->agreement, WARPBOUND_AGREEMENT_NONE + 1, "agreement", error);
  if (status == WARPBOUND_OK)
    status = wb_require_choice((int)options->reconvergence, WARPBOUND_RECONVERGENCE_ALWAYS + 1,
                               "reconvergence", error);
  if (status == WARPBOUND_OK)
    *taken = (struct wb_simt_options){
        .acyclic_stack = options->acyclic_stack,
        .no_groups = options->no_groups,
        .agreement = extents[options->agreement],
        .waiting = waiting[options->reconvergence],
        .masks_together = options->masks_together,
        .block = {options->block[0], options->block[1], options->block[2]}};
  return status;
}

warpbound_status wb_wcet_options_of(const warpbound_module *module,
                                    const warpbound_wcet_options *options,
                                    struct wb_wcet_options *taken, warpbound_error *error)
{
  *taken = (struct wb_wcet_options){.move_facts = options->move_facts,
                                    .default_bound = UINT64_MAX,
                                    .file = options->program_file,
                                    .format = wb_program_format(options->program_file),
                                    .command = options->solver_command};
  if (options->has_default_loop_bound && options->default_loop_bound > INT64_MAX)
    return wb_fail(error, WARPBOUND_USAGE,
                   "default loop bound: expected at most %" PRId64 ", found %" PRIu64, INT64_MAX,
                   options->default_loop_bound);
  if (options->has_default_loop_bound)
    taken->default_bound = options->default_loop_bound;
  if (options->spin_bound > INT64_MAX)
    return wb_fail(error, WARPBOUND_USAGE,
                   "spin bound: expected at most %" PRId64 ", found %" PRIu64, INT64_MAX,
                   options->spin_bound);
  taken->spin_bound = options->spin_bound;
  const warpbound_annotations *annotations = options->annotations;
  warpbound_status status = wb_simt_options_of(&options->simt, &taken->simt, error);
  if (status == WARPBOUND_OK && annotations != NULL && annotations->module != module)
    status = wb_fail(error, WARPBOUND_USAGE, "annotations: expected those of the kernel's module");
  if (status == WARPBOUND_OK && annotations != NULL) {
    taken->facts = annotations->facts.name != NULL ? &annotations->facts : NULL;
    taken->sources = annotations->sources;
    taken->assumed = annotations->assumed.fact_count > 0 ? &annotations->assumed : NULL;
    taken->launch = &annotations->launch;
    taken->costs = &annotations->costs;
    if (annotations->launch.block[0] > 0)
      memcpy(taken->simt.block, annotations->launch.block, sizeof taken->simt.block);
  }
  if (status == WARPBOUND_OK)
    status = require_program_file(options->program_file, error);
  if (status == WARPBOUND_OK && options->solver_command != NULL)
    status = wb_linear_command_check(options->solver_command, "solver command: ", error);
  return status;
}

warpbound_status wb_require_wcet(const warpbound_kernel *kernel,
                                 const warpbound_wcet_options *options,
                                 const warpbound_options *limits, struct wb_wcet_options *taken,
                                 warpbound_error *error)
{
  static const warpbound_wcet_options defaults = {0};
  warpbound_status status = wb_require_machine_kernel(kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_require_options(limits, error);
  if (status == WARPBOUND_OK)
    status =
        wb_wcet_options_of(kernel->module, options != NULL ? options : &defaults, taken, error);
  return status;
}

const char *warpbound_version(void)
{
  return WARPBOUND_VERSION;
}

void warpbound_text_free(char *text)
{
  free(text);
}
