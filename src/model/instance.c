#include "model/instance.h"

#include "base/checked.h"

static void state_model(const struct wb_instance *instance, struct wb_list *list)
{
  const bool barriers = instance->kernel.count[WB_UNIT_BARRIER] > 0;
  wb_list_add(list,
              "every instruction takes one cycle on its unit; latencies, caches%s are not modelled",
              barriers ? " and memory traffic" : ", memory traffic and waiting at barriers");
  const struct wb_sm_problem *whole = &instance->whole;
  if (instance->kernel.count[WB_UNIT_BARRIER] > 0)
    wb_list_add(list,
                "a warp that has done a barrier (B) waits until all %u warps of its block have "
                "done theirs",
                whole->block_warps);
  if (whole->blocks > 1)
    wb_list_add(list, "the %u warps are %u blocks of %u, all resident from the first cycle on",
                instance->warps, whole->blocks, whole->block_warps);
  wb_list_add(list, "the scheduler is work-conserving; nothing else is known of it");
  if (instance->sm.partitions > 1 && instance->whole.blocks > 1)
    wb_list_add(list,
                "the warps of each block are dealt out to %u partitions in turn: at most %u on "
                "each, and a warp stays on its partition",
                instance->sm.partitions, instance->problem.warps);
  else if (instance->sm.partitions > 1)
    wb_list_add(list,
                "the %u warps are spread evenly over %u partitions: at most %u on each, and a warp "
                "stays on its partition",
                instance->warps, instance->sm.partitions, instance->problem.warps);
  if (instance->sm.max_warps > 0 && instance->warps > instance->sm.max_warps)
    wb_list_add(list, "%u warps reside on the SM at once, although '%s' holds only %u",
                instance->warps, instance->sm.name, instance->sm.max_warps);
}

warpbound_status wb_instance_make(const struct wb_kernel_string *kernel,
                                  const struct wb_sm_configuration *sm, uint32_t warps,
                                  uint32_t blocks, const struct wb_list *origin,
                                  struct wb_instance *instance, warpbound_error *error)
{
  *instance = (struct wb_instance){.sm = *sm, .warps = warps};
  warpbound_status status = wb_kernel_string_copy(kernel, &instance->kernel, error);
  if (status == WARPBOUND_OK)
    status = wb_problem_normalise(kernel, sm, warps, &instance->problem, error);
  if (status == WARPBOUND_OK)
    status = wb_sm_problem_normalise(kernel, 1, sm, warps, blocks, &instance->whole, error);
  if (status == WARPBOUND_OK) {
    /* The fullest partition holds as much of each block as any can. */
    const struct wb_sm_problem *whole = &instance->whole;
    instance->problem.warps =
        whole->blocks * (uint32_t)wb_divide_up(whole->block_warps, whole->partitions);
    instance->problem.outside_warps = instance->warps - instance->problem.warps;
  }
  if (status == WARPBOUND_OK) {
    if (origin != NULL)
      wb_list_add_all(&instance->origin, origin);
    wb_list_add_all(&instance->assumptions, &instance->origin);
    state_model(instance, &instance->assumptions);
    /* Where the numbers of the SM are from; those of --units are the question's own. */
    const char *changed =
        sm->changed ? ", with the issue slots or partitions that the user declares in their place"
                    : "";
    if (sm->source != NULL)
      wb_list_add(
          &instance->assumptions,
          "units, issue slots and partitions of '%s' are as the table of devices has them%s: "
          "%s%s%s",
          sm->name, changed, sm->source, sm->note != NULL ? "; " : "",
          sm->note != NULL ? sm->note : "");
    else if (sm->file[0] != '\0')
      wb_list_add(&instance->assumptions,
                  "units, issue slots and partitions are as %s declares them%s", sm->file, changed);
    /* That the model's worst case is also the machine's has a proof where no cap binds, and for a
     * cap of one; see doc/makespan.md. */
    const struct wb_problem *problem = &instance->problem;
    if (problem->string.length != instance->kernel.length) {
      bool capped = wb_problem_capped(problem);
      wb_list_add(
          &instance->assumptions,
          "an instruction that holds its unit for k cycles is k letters (ETFA 2013, III-E)%s",
          capped ? ", each of which takes an issue slot of its cycle" : "");
      if (capped && problem->issue_slots > 1)
        wb_list_add(&instance->assumptions,
                    "of a machine whose held units take no further issue slots, only the "
                    "closed form and W * I are proven bounds");
    }
    for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
      if (instance->problem.shared[u] && instance->kernel.count[u] > 0)
        wb_list_add(&instance->assumptions, "all partitions share the %s units",
                    wb_unit_name((enum wb_unit)u));
    }
    if (instance->origin.failed || instance->assumptions.failed)
      status = wb_out_of_memory(error);
  }
  if (status != WARPBOUND_OK)
    wb_instance_clear(instance);
  return status;
}

warpbound_status wb_instance_make_fair(struct wb_instance *instance,
                                       const struct wb_fair_blocks *blocks, warpbound_error *error)
{
  if (instance->fair.count > 0)
    return wb_fail(error, WARPBOUND_USAGE, "--fair-blocks: expected once");
  if (instance->sm.partitions > 1)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--fair-blocks: expected an SM of one partition, found %u",
                   instance->sm.partitions);
  warpbound_status status = wb_fair_blocks_check(blocks, &instance->kernel, error);
  if (status != WARPBOUND_OK)
    return status;
  instance->fair = *blocks;
  wb_list_add(&instance->assumptions,
              "but that it is fair between the %zu repetitions of the %zu instruction%s from "
              "instruction %zu on: of warps that compete one in an earlier repetition goes first",
              blocks->count, blocks->length, blocks->length == 1 ? "" : "s", blocks->first);
  /* By normalisation each letter of a type is repeated as often. */
  struct wb_problem *problem = &instance->problem;
  size_t times[WB_UNIT_COUNT] = {0};
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (instance->kernel.count[u] > 0)
      times[u] = problem->string.count[u] / instance->kernel.count[u];
  }
  status = wb_fair_blocks_repeat(&instance->fair, &instance->kernel, times, &problem->fair, error);
  return instance->assumptions.failed ? wb_out_of_memory(error) : status;
}

warpbound_status wb_instance_make_like(const struct wb_instance *question, uint32_t warps,
                                       uint32_t blocks, struct wb_instance *instance,
                                       warpbound_error *error)
{
  warpbound_status status = wb_instance_make(&question->kernel, &question->sm, warps, blocks,
                                             &question->origin, instance, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_estimate_add_all(&instance->estimate, &question->estimate, NULL);
  if (instance->estimate.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK && question->fair.count > 0)
    status = wb_instance_make_fair(instance, &question->fair, error);
  if (status != WARPBOUND_OK)
    wb_instance_clear(instance);
  return status;
}

void wb_instance_clear(struct wb_instance *instance)
{
  wb_kernel_string_free(&instance->kernel);
  wb_problem_free(&instance->problem);
  wb_sm_problem_free(&instance->whole);
  wb_list_free(&instance->origin);
  wb_estimate_free(&instance->estimate);
  wb_list_free(&instance->assumptions);
  *instance = (struct wb_instance){0};
}
