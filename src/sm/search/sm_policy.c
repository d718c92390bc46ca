#include "sm/search/sm_policy.h"

#include "base/checked.h"
#include "base/memory.h"
#include "sm/machine/sm_machine.h"

#include <assert.h>
#include <stdlib.h>

/* Warps ranked between two looks at the control. */
#define POLL_INTERVAL (UINT64_C(1) << 20)

/* The scheduler of one partition. Its warps count from 0 here; warp_of: their numbers on the SM.
 * done: what each has done, and as much more as its string is shorter than the longest one: so
 * the fewest done are the most pending. */
struct scheduler {
  struct wb_policy_view view;
  uint32_t *warp_of;
  size_t *done;
  uint32_t *order;
  uint32_t *issued;
  bool *was_issued;
};

struct simulation {
  const struct wb_policy *policy;
  struct wb_sm_machine machine;
  struct scheduler *schedulers;
  uint32_t scheduler_count;
  struct wb_sm_schedule *schedule;
};

static size_t longest_of(const struct wb_sm_problem *problem)
{
  size_t longest = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    longest = (size_t)wb_maximum(longest, problem->strings[s].length);
  return longest;
}

static bool start_scheduler(struct simulation *simulation, uint32_t partition, size_t longest)
{
  const struct wb_sm_problem *problem = simulation->machine.problem;
  struct scheduler *scheduler = &simulation->schedulers[partition];
  uint32_t warps = 0;
  for (uint32_t w = 0; w < simulation->machine.warps; w++)
    warps += simulation->machine.partition_of[w] == partition;
  *scheduler = (struct scheduler){.warp_of = wb_allocate(warps, sizeof(uint32_t)),
                                  .done = wb_allocate(warps, sizeof(size_t)),
                                  .order = wb_allocate(warps, sizeof(uint32_t)),
                                  .issued = wb_allocate(warps, sizeof(uint32_t)),
                                  .was_issued = wb_allocate(warps, sizeof(bool))};
  if (scheduler->warp_of == NULL || scheduler->done == NULL || scheduler->order == NULL ||
      scheduler->issued == NULL || scheduler->was_issued == NULL)
    return false;
  uint32_t at = 0;
  for (uint32_t w = 0; w < simulation->machine.warps; w++) {
    if (simulation->machine.partition_of[w] != partition)
      continue;
    scheduler->warp_of[at] = w;
    scheduler->order[at] = at;
    scheduler->done[at++] = longest - problem->strings[simulation->machine.string_of[w]].length;
  }
  scheduler->view = (struct wb_policy_view){.warps = warps,
                                            .done = scheduler->done,
                                            .last_issued = scheduler->issued,
                                            .was_issued = scheduler->was_issued};
  return true;
}

static warpbound_status start_simulation(struct simulation *simulation,
                                         const struct wb_sm_problem *problem,
                                         const uint32_t *string_of, warpbound_error *error)
{
  warpbound_status status = wb_sm_machine_start(&simulation->machine, problem, string_of, error);
  if (status != WARPBOUND_OK)
    return status;
  simulation->scheduler_count = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  simulation->schedulers = wb_allocate(simulation->scheduler_count, sizeof *simulation->schedulers);
  if (simulation->schedulers == NULL)
    return wb_out_of_memory(error);
  const size_t longest = longest_of(problem);
  for (uint32_t p = 0; p < simulation->scheduler_count; p++) {
    if (!start_scheduler(simulation, p, longest))
      return wb_out_of_memory(error);
  }
  return wb_sm_schedule_start(simulation->schedule, problem, string_of, error);
}

static void free_simulation(struct simulation *simulation)
{
  for (uint32_t p = 0; simulation->schedulers != NULL && p < simulation->scheduler_count; p++) {
    free(simulation->schedulers[p].warp_of);
    free(simulation->schedulers[p].done);
    free(simulation->schedulers[p].order);
    free(simulation->schedulers[p].issued);
    free(simulation->schedulers[p].was_issued);
  }
  free(simulation->schedulers);
  wb_sm_machine_free(&simulation->machine);
}

/* A scheduler's part of a cycle: offers units to its warps in the policy's order. */
static void serve(struct simulation *simulation, struct scheduler *scheduler, uint32_t cycle)
{
  struct wb_policy_view *view = &scheduler->view;
  uint32_t turn_begins;
  simulation->policy->rank(view, scheduler->order, &turn_begins);
  for (uint32_t k = 0; k < view->last_count; k++)
    scheduler->was_issued[scheduler->issued[k]] = false;
  view->last_count = 0;
  for (uint32_t k = 0; k < view->warps; k++) {
    const uint32_t local = scheduler->order[k];
    const uint32_t warp = scheduler->warp_of[local];
    if (!wb_sm_machine_offer(&simulation->machine, warp))
      continue;
    simulation->schedule
        ->issue_cycle[simulation->schedule->first[warp] + simulation->machine.done[warp] - 1] =
        cycle;
    scheduler->done[local]++;
    scheduler->issued[view->last_count++] = local;
    scheduler->was_issued[local] = true;
    if (k >= turn_begins)
      view->round_robin = (local + 1) % view->warps;
  }
}

static void step(struct simulation *simulation, uint32_t cycle)
{
  uint32_t partition = (cycle - 1) % simulation->scheduler_count;
  wb_sm_machine_begin(&simulation->machine);
  for (uint32_t k = 0; k < simulation->scheduler_count; k++) {
    serve(simulation, &simulation->schedulers[partition], cycle);
    partition = partition + 1 < simulation->scheduler_count ? partition + 1 : 0;
  }
  wb_sm_machine_end(&simulation->machine);
}

static enum wb_stop simulate(struct simulation *simulation, const struct wb_control *control)
{
  const uint64_t all = simulation->machine.left;
  uint64_t ranked = 0;
  for (uint32_t cycle = 1; simulation->machine.left > 0; cycle++) {
    const uint64_t before = simulation->machine.left;
    step(simulation, cycle);
    assert(simulation->machine.left < before);
    (void)before;
    simulation->schedule->makespan = cycle;
    ranked += simulation->machine.warps;
    if (ranked < POLL_INTERVAL)
      continue;
    ranked = 0;
    enum wb_stop stop = wb_control_poll(control, simulation->policy->name,
                                        1 - (double)simulation->machine.left / (double)all);
    if (stop != WB_STOP_NONE)
      return stop;
  }
  return WB_STOP_NONE;
}

warpbound_status wb_sm_simulate(const struct wb_policy *policy, const struct wb_sm_problem *problem,
                                const uint32_t *string_of, const struct wb_control *control,
                                struct wb_sm_schedule *schedule, enum wb_stop *stop,
                                warpbound_error *error)
{
  struct simulation simulation = {.policy = policy, .schedule = schedule};
  *schedule = (struct wb_sm_schedule){0};
  *stop = WB_STOP_NONE;
  warpbound_status status = start_simulation(&simulation, problem, string_of, error);
  if (status == WARPBOUND_OK)
    *stop = simulate(&simulation, control);
  free_simulation(&simulation);
  if (status != WARPBOUND_OK || *stop != WB_STOP_NONE)
    wb_sm_schedule_free(schedule);
  return status;
}
