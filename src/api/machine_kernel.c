#include "api/machine_kernel.h"

#include "api/arguments.h"
#include "linear/solver.h"

#include <inttypes.h>
#include <string.h>

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

static warpbound_status set_annotations(const warpbound_module *module,
                                        const warpbound_annotations *annotations,
                                        struct wb_wcet_options *taken, warpbound_error *error)
{
  if (annotations == NULL)
    return WARPBOUND_OK;
  if (annotations->module != module)
    return wb_fail(error, WARPBOUND_USAGE, "annotations: expected those of the kernel's module");
  taken->facts = annotations->facts.name != NULL ? &annotations->facts : NULL;
  taken->sources = annotations->sources;
  taken->launch = &annotations->launch;
  if (annotations->launch.block[0] > 0)
    memcpy(taken->simt.block, annotations->launch.block, sizeof taken->simt.block);
  taken->costs = &annotations->costs;
  return WARPBOUND_OK;
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
  warpbound_status status = wb_simt_options_of(&options->simt, &taken->simt, error);
  if (status == WARPBOUND_OK)
    status = set_annotations(module, options->annotations, taken, error);
  if (status == WARPBOUND_OK)
    status = wb_require_program_file(options->program_file, error);
  if (status == WARPBOUND_OK && options->solver_command != NULL)
    status = wb_linear_command_check(options->solver_command, "solver command: ", error);
  return status;
}
