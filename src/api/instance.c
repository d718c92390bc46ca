/* Makespan questions. */
#include "api/instance.h"

#include "analysis/code/code_results.h"
#include "api/arguments.h"
#include "base/memory.h"

#include <stdlib.h>

static bool has_several_strings(const warpbound_instance *instance)
{
  return instance->paths != NULL && !wb_paths_are_one(instance->paths);
}

/* Fills what an instance of several strings has. */
static warpbound_status describe_several(const warpbound_sm *sm, uint32_t warps, uint32_t blocks,
                                         struct wb_instance *instance, warpbound_error *error)
{
  if (warps < 1 || warps > WB_WARP_LIMIT)
    return wb_fail(error, WARPBOUND_USAGE, "warps: expected 1 to %u, found %u", WB_WARP_LIMIT,
                   warps);
  if (blocks < 1 || warps % blocks != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "blocks: expected a number that divides the %u warps, found %u", warps, blocks);
  *instance = (struct wb_instance){.sm = sm->configuration,
                                   .warps = warps,
                                   .estimate = instance->estimate,
                                   .whole = {.partitions = sm->configuration.partitions,
                                             .blocks = blocks,
                                             .block_warps = warps / blocks}};
  return WARPBOUND_OK;
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
  warpbound_status status = has_several_strings(made)
                                ? describe_several(sm, warps, blocks, &made->instance, error)
                                : wb_instance_make(string, &sm->configuration, warps, blocks,
                                                   origin, &made->instance, error);
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
  warpbound_status status = wb_require(instance, "instance", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *instance = NULL;
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
  warpbound_status status = wb_require(instance, "instance", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *instance = NULL;
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
  warpbound_status status = wb_require(instance, "instance", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *instance = NULL;
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
