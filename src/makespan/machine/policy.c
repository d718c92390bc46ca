#include "makespan/machine/policy.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Warps ranked between two looks at the control. */
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

struct simulation {
  const struct wb_problem *problem;
  const struct wb_policy *policy;
  struct wb_policy_view view;
  uint8_t *types;
  size_t *done;
  uint32_t *order;
  uint32_t *issued;
  bool *was_issued;
  struct wb_schedule *schedule;
  uint64_t left; /* instructions of all warps */
};

static warpbound_status start_simulation(struct simulation *simulation,
                                         const struct wb_policy *policy,
                                         const struct wb_problem *problem,
                                         struct wb_schedule *schedule, warpbound_error *error)
{
  *simulation = (struct simulation){.problem = problem, .policy = policy, .schedule = schedule};
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  if (status != WARPBOUND_OK)
    return status;
  simulation->types = wb_kernel_string_expand(&problem->string);
  simulation->done = wb_allocate(problem->warps, sizeof *simulation->done);
  simulation->order = wb_allocate(problem->warps, sizeof *simulation->order);
  simulation->issued = wb_allocate(problem->warps, sizeof *simulation->issued);
  simulation->was_issued = wb_allocate(problem->warps, sizeof *simulation->was_issued);
  if (simulation->types == NULL || simulation->done == NULL || simulation->order == NULL ||
      simulation->issued == NULL || simulation->was_issued == NULL)
    return wb_out_of_memory(error);
  for (uint32_t w = 0; w < problem->warps; w++)
    simulation->order[w] = w;
  simulation->view = (struct wb_policy_view){.warps = problem->warps,
                                             .done = simulation->done,
                                             .last_issued = simulation->issued,
                                             .was_issued = simulation->was_issued};
  simulation->left = (uint64_t)problem->warps * problem->string.length;
  return WARPBOUND_OK;
}

static void free_simulation(struct simulation *simulation)
{
  free(simulation->types);
  free(simulation->done);
  free(simulation->order);
  free(simulation->issued);
  free(simulation->was_issued);
}

/* A cycle under way: instructions issued of each type and in all; turn_begins as in struct
 * wb_policy. */
struct cycle {
  uint32_t number;
  uint32_t used[WB_UNIT_COUNT];
  uint32_t issued;
  uint32_t turn_begins;
};

/* The repetition of the warp's next instruction; SIZE_MAX where it has none or has issued. */
static size_t repetition_of(const struct simulation *simulation, uint32_t w)
{
  if (simulation->was_issued[w] || simulation->done[w] == simulation->schedule->length)
    return SIZE_MAX;
  return wb_fair_repetition(&simulation->problem->fair, simulation->done[w]);
}

/* Offers units, in the policy's order, to the warps that wait in a repetition. */
static void serve(struct simulation *simulation, size_t repetition, struct cycle *cycle)
{
  for (uint32_t k = 0;
       k < simulation->problem->warps && cycle->issued < simulation->problem->issue_slots; k++) {
    uint32_t w = simulation->order[k];
    if (repetition_of(simulation, w) != repetition)
      continue;
    uint8_t unit = simulation->types[simulation->done[w]];
    if (cycle->used[unit] == simulation->problem->capacity[unit])
      continue;
    cycle->used[unit]++;
    simulation->schedule->issue_cycle[w * simulation->schedule->length + simulation->done[w]++] =
        cycle->number;
    simulation->issued[cycle->issued++] = w;
    simulation->was_issued[w] = true;
    if (k >= cycle->turn_begins)
      simulation->view.round_robin = (w + 1) % simulation->problem->warps;
  }
}

/* The earliest repetition after this one in which a warp waits; SIZE_MAX: none. */
static size_t next_repetition(const struct simulation *simulation, size_t repetition)
{
  size_t next = SIZE_MAX;
  for (uint32_t w = 0; w < simulation->problem->warps; w++) {
    size_t own = repetition_of(simulation, w);
    if (own > repetition && own < next)
      next = own;
  }
  return next;
}

/* One cycle: offers units to the warps in the policy's order; where the scheduler is fair, to
 * those of the earliest repetition first. */
static void step(struct simulation *simulation, uint32_t number)
{
  struct cycle cycle = {.number = number};
  simulation->policy->rank(&simulation->view, simulation->order, &cycle.turn_begins);
  for (uint32_t k = 0; k < simulation->view.last_count; k++)
    simulation->was_issued[simulation->issued[k]] = false;
  serve(simulation, 0, &cycle);
  bool fair = wb_problem_fair(simulation->problem);
  for (size_t r = fair ? next_repetition(simulation, 0) : SIZE_MAX; r != SIZE_MAX;
       r = next_repetition(simulation, r))
    serve(simulation, r, &cycle);
  assert(cycle.issued > 0);
  simulation->view.last_count = cycle.issued;
  simulation->left -= cycle.issued;
}

static enum wb_stop simulate(struct simulation *simulation, const struct wb_control *control)
{
  uint64_t all = simulation->left;
  uint64_t ranked = 0;
  for (uint32_t cycle = 1; simulation->left > 0; cycle++) {
    step(simulation, cycle);
    simulation->schedule->makespan = cycle;
    ranked += simulation->problem->warps;
    if (ranked < POLL_INTERVAL)
      continue;
    ranked = 0;
    enum wb_stop stop = wb_control_poll(control, simulation->policy->name,
                                        1 - (double)simulation->left / (double)all);
    if (stop != WB_STOP_NONE)
      return stop;
  }
  return WB_STOP_NONE;
}

warpbound_status wb_policy_simulate(const struct wb_policy *policy,
                                    const struct wb_problem *problem,
                                    const struct wb_control *control, struct wb_schedule *schedule,
                                    enum wb_stop *stop, warpbound_error *error)
{
  struct simulation simulation;
  *stop = WB_STOP_NONE;
  warpbound_status status = start_simulation(&simulation, policy, problem, schedule, error);
  if (status == WARPBOUND_OK)
    *stop = simulate(&simulation, control);
  free_simulation(&simulation);
  if (status != WARPBOUND_OK || *stop != WB_STOP_NONE)
    wb_schedule_free(schedule);
  return status;
}
