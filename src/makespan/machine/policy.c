#include "makespan/machine/policy.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/machine/sm_machine.h"

#include <assert.h>
#include <string.h>

/* Warps ranked between two polls of the control. */
#define POLL_INTERVAL (UINT64_C(1) << 20)

/* Appends warps from..to-1 to the order, without those of the last cycle where these
 * stand before already. */
static uint32_t append_range(const struct wb_policy_view *view, uint32_t from, uint32_t to,
                             uint32_t *order, uint32_t count, bool without_last)
{
  for (uint32_t w = from; w < to; w++) {
    if (!without_last || !view->was_issued[w])
      order[count++] = w;
  }
  return count;
}

static void rank_fixed_priority(const struct wb_policy_view *view, uint32_t *order,
                                uint32_t *turn_begins)
{
  append_range(view, 0, view->warps, order, 0, false);
  *turn_begins = 0;
}

static void rank_loose_round_robin(const struct wb_policy_view *view, uint32_t *order,
                                   uint32_t *turn_begins)
{
  uint32_t count = append_range(view, view->round_robin, view->warps, order, 0, false);
  append_range(view, 0, view->round_robin, order, count, false);
  *turn_begins = 0;
}

/* First the warps of the last cycle, which it goes on with, in the same order. */
static uint32_t append_greedy(const struct wb_policy_view *view, uint32_t *order)
{
  memcpy(order, view->last_issued, view->last_count * sizeof *order);
  return view->last_count;
}

static void rank_greedy_then_oldest(const struct wb_policy_view *view, uint32_t *order,
                                    uint32_t *turn_begins)
{
  uint32_t greedy = append_greedy(view, order);
  append_range(view, 0, view->warps, order, greedy, true);
  *turn_begins = greedy;
}

static void rank_greedy_then_round_robin(const struct wb_policy_view *view, uint32_t *order,
                                         uint32_t *turn_begins)
{
  uint32_t greedy = append_greedy(view, order);
  uint32_t count = append_range(view, view->round_robin, view->warps, order, greedy, true);
  append_range(view, 0, view->round_robin, order, count, true);
  *turn_begins = greedy;
}

/* By instructions done, fewest first, then by index. From one cycle to the next only
 * the warps that issued move, so insertion into the last order is fast. */
static void rank_most_pending(const struct wb_policy_view *view, uint32_t *order,
                              uint32_t *turn_begins)
{
  for (uint32_t k = 1; k < view->warps; k++) {
    uint32_t warp = order[k];
    uint32_t at = k;
    for (; at > 0; at--) {
      uint32_t other = order[at - 1];
      if (view->done[other] < view->done[warp] ||
          (view->done[other] == view->done[warp] && other < warp))
        break;
      order[at] = other;
    }
    order[at] = warp;
  }
  *turn_begins = 0;
}

static const struct wb_policy policies[] = {
    {"greedy-then-oldest", "goes on with the warps of the last cycle, then the lowest index",
     rank_greedy_then_oldest},
    {"loose-round-robin", "in turn after the last warp served; a warp that cannot is skipped",
     rank_loose_round_robin},
    {"greedy-then-round-robin", "goes on with the warps of the last cycle, then in turn",
     rank_greedy_then_round_robin},
    {"fixed-priority", "the lowest index first", rank_fixed_priority},
    {"most-pending", "the warp with the most instructions left first", rank_most_pending},
};

const struct wb_policy *wb_policy_rows(size_t *count)
{
  *count = sizeof policies / sizeof policies[0];
  return policies;
}

const struct wb_policy *wb_policy_find(const char *name)
{
  size_t count;
  const struct wb_policy *rows = wb_policy_rows(&count);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  }
  return NULL;
}

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
  struct wb_schedule *schedule;
  struct wb_arena arena; /* of the schedulers and their arrays */
};

static void start_scheduler(struct simulation *simulation, uint32_t partition)
{
  const struct wb_sm_machine *machine = &simulation->machine;
  struct wb_arena *arena = &simulation->arena;
  struct scheduler *scheduler = &simulation->schedulers[partition];
  uint32_t warps = 0;
  for (uint32_t w = 0; w < machine->warps; w++)
    warps += machine->partition_of[w] == partition;
  scheduler->warp_of = wb_arena_allocate(arena, warps, sizeof *scheduler->warp_of);
  scheduler->done = wb_arena_allocate(arena, warps, sizeof *scheduler->done);
  scheduler->order = wb_arena_allocate(arena, warps, sizeof *scheduler->order);
  scheduler->issued = wb_arena_allocate(arena, warps, sizeof *scheduler->issued);
  scheduler->was_issued = wb_arena_allocate(arena, warps, sizeof *scheduler->was_issued);
  uint32_t at = 0;
  for (uint32_t w = 0; w < machine->warps && !arena->failed; w++) {
    if (machine->partition_of[w] != partition)
      continue;
    const size_t length = machine->problem->strings[machine->string_of[w]].length;
    scheduler->warp_of[at] = w;
    scheduler->order[at] = at;
    scheduler->done[at++] = simulation->schedule->length - length;
  }
  scheduler->view = (struct wb_policy_view){.warps = warps,
                                            .done = scheduler->done,
                                            .last_issued = scheduler->issued,
                                            .was_issued = scheduler->was_issued};
}

static warpbound_status start_simulation(struct simulation *simulation,
                                         const struct wb_sm_problem *problem,
                                         const uint32_t *string_of, warpbound_error *error)
{
  warpbound_status status = wb_sm_machine_start(&simulation->machine, problem, string_of, error);
  if (status != WARPBOUND_OK)
    return status;
  simulation->scheduler_count = (uint32_t)wb_minimum(problem->partitions, problem->block_warps);
  simulation->schedulers = wb_arena_allocate(&simulation->arena, simulation->scheduler_count,
                                             sizeof *simulation->schedulers);
  for (uint32_t p = 0; p < simulation->scheduler_count && !simulation->arena.failed; p++)
    start_scheduler(simulation, p);
  return simulation->arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* The repetition of the warp's next instruction; SIZE_MAX where it has none or has issued. */
static size_t repetition_of(const struct simulation *simulation, const struct scheduler *scheduler,
                            uint32_t local)
{
  const struct wb_sm_machine *machine = &simulation->machine;
  const uint32_t warp = scheduler->warp_of[local];
  if (scheduler->was_issued[local] || !wb_sm_machine_ready(machine, warp))
    return SIZE_MAX;
  return wb_fair_repetition(&machine->problem->fair, machine->done[warp]);
}

/* The earliest repetition after this one in which a warp waits; SIZE_MAX: none. */
static size_t next_repetition(const struct simulation *simulation,
                              const struct scheduler *scheduler, size_t repetition)
{
  size_t next = SIZE_MAX;
  for (uint32_t local = 0; local < scheduler->view.warps; local++) {
    const size_t own = repetition_of(simulation, scheduler, local);
    if (own > repetition && own < next)
      next = own;
  }
  return next;
}

/* Offers units, in the policy's order, to the warps that wait in a repetition. turn_begins: as in
 * struct wb_policy. */
static void serve_repetition(struct simulation *simulation, struct scheduler *scheduler,
                             size_t repetition, uint32_t turn_begins, uint32_t cycle)
{
  struct wb_policy_view *view = &scheduler->view;
  struct wb_schedule *schedule = simulation->schedule;
  const struct wb_sm_machine *machine = &simulation->machine;
  const bool fair = machine->problem->fair.count > 0;
  const uint32_t *slots = &machine->room.slots[machine->partition_of[scheduler->warp_of[0]]];
  for (uint32_t k = 0; k<view->warps && * slots> 0; k++) {
    const uint32_t local = scheduler->order[k];
    const uint32_t warp = scheduler->warp_of[local];
    if (fair && repetition_of(simulation, scheduler, local) != repetition)
      continue;
    if (!wb_sm_machine_offer(&simulation->machine, warp))
      continue;
    schedule->issue_cycle[schedule->first[warp] + machine->done[warp] - 1] = cycle;
    scheduler->done[local]++;
    scheduler->issued[view->last_count++] = local;
    scheduler->was_issued[local] = true;
    if (k >= turn_begins)
      view->round_robin = (local + 1) % view->warps;
  }
}

/* A scheduler's part of a cycle; where it is fair, warps of the earliest repetition come first. */
static void serve(struct simulation *simulation, struct scheduler *scheduler, uint32_t cycle)
{
  struct wb_policy_view *view = &scheduler->view;
  uint32_t turn_begins;
  simulation->policy->rank(view, scheduler->order, &turn_begins);
  for (uint32_t k = 0; k < view->last_count; k++)
    scheduler->was_issued[scheduler->issued[k]] = false;
  view->last_count = 0;
  serve_repetition(simulation, scheduler, 0, turn_begins, cycle);
  const bool fair = simulation->machine.problem->fair.count > 0;
  for (size_t r = fair ? next_repetition(simulation, scheduler, 0) : SIZE_MAX; r != SIZE_MAX;
       r = next_repetition(simulation, scheduler, r))
    serve_repetition(simulation, scheduler, r, turn_begins, cycle);
}

/* A cycle: the partitions are served in turn, each time another one first. */
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

/* Runs the simulation into a schedule that has been started. */
static warpbound_status run_simulation(const struct wb_policy *policy,
                                       const struct wb_sm_problem *problem,
                                       const uint32_t *string_of, const struct wb_control *control,
                                       struct wb_schedule *schedule, enum wb_stop *stop,
                                       warpbound_error *error)
{
  struct simulation simulation = {.policy = policy, .schedule = schedule};
  warpbound_status status = start_simulation(&simulation, problem, string_of, error);
  if (status == WARPBOUND_OK)
    *stop = simulate(&simulation, control);
  wb_sm_machine_free(&simulation.machine);
  wb_arena_free(&simulation.arena);
  if (status != WARPBOUND_OK || *stop != WB_STOP_NONE)
    wb_schedule_free(schedule);
  return status;
}

warpbound_status wb_sm_simulate(const struct wb_policy *policy, const struct wb_sm_problem *problem,
                                const uint32_t *string_of, const struct wb_control *control,
                                struct wb_schedule *schedule, enum wb_stop *stop,
                                warpbound_error *error)
{
  *stop = WB_STOP_NONE;
  warpbound_status status = wb_schedule_start_strings(schedule, problem, string_of, error);
  if (status != WARPBOUND_OK)
    return status;
  return run_simulation(policy, problem, string_of, control, schedule, stop, error);
}

warpbound_status wb_policy_simulate(const struct wb_policy *policy,
                                    const struct wb_problem *problem,
                                    const struct wb_control *control, struct wb_schedule *schedule,
                                    enum wb_stop *stop, warpbound_error *error)
{
  struct wb_widened_problem wide;
  wb_problem_widen(problem, &wide);
  *stop = WB_STOP_NONE;
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  if (status != WARPBOUND_OK)
    return status;
  return run_simulation(policy, &wide.whole, NULL, control, schedule, stop, error);
}
