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

static bool start_scheduler(struct simulation *s, uint32_t partition, size_t longest)
{
  const struct wb_sm_problem *problem = s->machine.problem;
  struct scheduler *scheduler = &s->schedulers[partition];
  uint32_t warps = 0;
  for (uint32_t w = 0; w < s->machine.warps; w++)
    warps += s->machine.partition_of[w] == partition;
  *scheduler = (struct scheduler){.warp_of = wb_allocate(warps, sizeof(uint32_t)),
                                  .done = wb_allocate(warps, sizeof(size_t)),
                                  .order = wb_allocate(warps, sizeof(uint32_t)),
                                  .issued = wb_allocate(warps, sizeof(uint32_t)),
                                  .was_issued = wb_allocate(warps, sizeof(bool))};
  if (scheduler->warp_of == NULL || scheduler->done == NULL || scheduler->order == NULL ||
      scheduler->issued == NULL || scheduler->was_issued == NULL)
    return false;
  uint32_t at = 0;
  for (uint32_t w = 0; w < s->machine.warps; w++) {
    if (s->machine.partition_of[w] != partition)
      continue;
    scheduler->warp_of[at] = w;
    scheduler->order[at] = at;
    scheduler->done[at++] = longest - problem->strings[s->machine.string_of[w]].length;
  }
  scheduler->view = (struct wb_policy_view){.warps = warps,
                                            .done = scheduler->done,
                                            .last_issued = scheduler->issued,
                                            .was_issued = scheduler->was_issued};
  return true;
}

static warpbound_status start(struct simulation *s, const struct wb_sm_problem *problem,
                              const uint32_t *string_of, warpbound_error *error)
{
  warpbound_status status = wb_sm_machine_start(&s->machine, problem, string_of, error);
  if (status != WARPBOUND_OK)
    return status;
  s->scheduler_count = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  s->schedulers = wb_allocate(s->scheduler_count, sizeof *s->schedulers);
  if (s->schedulers == NULL)
    return wb_out_of_memory(error);
  const size_t longest = longest_of(problem);
  for (uint32_t p = 0; p < s->scheduler_count; p++) {
    if (!start_scheduler(s, p, longest))
      return wb_out_of_memory(error);
  }
  return wb_sm_schedule_start(s->schedule, problem, string_of, error);
}

static void finish(struct simulation *s)
{
  for (uint32_t p = 0; s->schedulers != NULL && p < s->scheduler_count; p++) {
    free(s->schedulers[p].warp_of);
    free(s->schedulers[p].done);
    free(s->schedulers[p].order);
    free(s->schedulers[p].issued);
    free(s->schedulers[p].was_issued);
  }
  free(s->schedulers);
  wb_sm_machine_free(&s->machine);
}

/* A scheduler's part of a cycle: offers units to its warps in the policy's order. */
static void serve(struct simulation *s, struct scheduler *scheduler, uint32_t cycle)
{
  struct wb_policy_view *view = &scheduler->view;
  uint32_t turn_begins;
  s->policy->rank(view, scheduler->order, &turn_begins);
  for (uint32_t k = 0; k < view->last_count; k++)
    scheduler->was_issued[scheduler->issued[k]] = false;
  view->last_count = 0;
  for (uint32_t k = 0; k < view->warps; k++) {
    const uint32_t local = scheduler->order[k];
    const uint32_t warp = scheduler->warp_of[local];
    if (!wb_sm_machine_offer(&s->machine, warp))
      continue;
    s->schedule->issue_cycle[s->schedule->first[warp] + s->machine.done[warp] - 1] = cycle;
    scheduler->done[local]++;
    scheduler->issued[view->last_count++] = local;
    scheduler->was_issued[local] = true;
    if (k >= turn_begins)
      view->round_robin = (local + 1) % view->warps;
  }
}

static void step(struct simulation *s, uint32_t cycle)
{
  uint32_t partition = (cycle - 1) % s->scheduler_count;
  wb_sm_machine_begin(&s->machine);
  for (uint32_t k = 0; k < s->scheduler_count; k++) {
    serve(s, &s->schedulers[partition], cycle);
    partition = partition + 1 < s->scheduler_count ? partition + 1 : 0;
  }
  wb_sm_machine_end(&s->machine);
}

static enum wb_stop run(struct simulation *s, const struct wb_control *control)
{
  const uint64_t all = s->machine.left;
  uint64_t ranked = 0;
  for (uint32_t cycle = 1; s->machine.left > 0; cycle++) {
    const uint64_t before = s->machine.left;
    step(s, cycle);
    assert(s->machine.left < before);
    (void)before;
    s->schedule->makespan = cycle;
    ranked += s->machine.warps;
    if (ranked < POLL_INTERVAL)
      continue;
    ranked = 0;
    enum wb_stop stop =
        wb_control_poll(control, s->policy->name, 1 - (double)s->machine.left / (double)all);
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
  struct simulation s = {.policy = policy, .schedule = schedule};
  *schedule = (struct wb_sm_schedule){0};
  *stop = WB_STOP_NONE;
  warpbound_status status = start(&s, problem, string_of, error);
  if (status == WARPBOUND_OK)
    *stop = run(&s, control);
  finish(&s);
  if (status != WARPBOUND_OK || *stop != WB_STOP_NONE)
    wb_sm_schedule_free(schedule);
  return status;
}
