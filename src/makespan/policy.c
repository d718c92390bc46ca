#include "makespan/policy.h"

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

static warpbound_status start(struct simulation *s, const struct wb_policy *policy,
                              const struct wb_problem *problem, struct wb_schedule *schedule,
                              warpbound_error *error)
{
  *s = (struct simulation){.problem = problem, .policy = policy, .schedule = schedule};
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  if (status != WARPBOUND_OK)
    return status;
  s->types = wb_kernel_string_expand(&problem->string);
  s->done = wb_allocate(problem->warps, sizeof *s->done);
  s->order = wb_allocate(problem->warps, sizeof *s->order);
  s->issued = wb_allocate(problem->warps, sizeof *s->issued);
  s->was_issued = wb_allocate(problem->warps, sizeof *s->was_issued);
  if (s->types == NULL || s->done == NULL || s->order == NULL || s->issued == NULL ||
      s->was_issued == NULL)
    return wb_out_of_memory(error);
  for (uint32_t w = 0; w < problem->warps; w++)
    s->order[w] = w;
  s->view = (struct wb_policy_view){.warps = problem->warps,
                                    .done = s->done,
                                    .last_issued = s->issued,
                                    .was_issued = s->was_issued};
  s->left = (uint64_t)problem->warps * problem->string.length;
  return WARPBOUND_OK;
}

static void finish(struct simulation *s)
{
  free(s->types);
  free(s->done);
  free(s->order);
  free(s->issued);
  free(s->was_issued);
}

/* One cycle: offers units to the warps in the policy's order. */
static void step(struct simulation *s, uint32_t cycle)
{
  uint32_t turn_begins;
  s->policy->rank(&s->view, s->order, &turn_begins);
  for (uint32_t k = 0; k < s->view.last_count; k++)
    s->was_issued[s->issued[k]] = false;
  uint32_t used[WB_UNIT_COUNT] = {0};
  uint32_t issued = 0;
  for (uint32_t k = 0; k < s->problem->warps && issued < s->problem->issue_slots; k++) {
    uint32_t w = s->order[k];
    if (s->done[w] == s->problem->string.length)
      continue;
    uint8_t unit = s->types[s->done[w]];
    if (used[unit] == s->problem->capacity[unit])
      continue;
    used[unit]++;
    s->schedule->issue_cycle[w * s->schedule->length + s->done[w]++] = cycle;
    s->issued[issued++] = w;
    s->was_issued[w] = true;
    if (k >= turn_begins)
      s->view.round_robin = (w + 1) % s->problem->warps;
  }
  assert(issued > 0);
  s->view.last_count = issued;
  s->left -= issued;
}

static enum wb_stop run(struct simulation *s, const struct wb_control *control)
{
  uint64_t all = s->left;
  uint64_t ranked = 0;
  for (uint32_t cycle = 1; s->left > 0; cycle++) {
    step(s, cycle);
    s->schedule->makespan = cycle;
    ranked += s->problem->warps;
    if (ranked < POLL_INTERVAL)
      continue;
    ranked = 0;
    enum wb_stop stop =
        wb_control_poll(control, s->policy->name, 1 - (double)s->left / (double)all);
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
  struct simulation s;
  *stop = WB_STOP_NONE;
  warpbound_status status = start(&s, policy, problem, schedule, error);
  if (status == WARPBOUND_OK)
    *stop = run(&s, control);
  finish(&s);
  if (status != WARPBOUND_OK || *stop != WB_STOP_NONE)
    wb_schedule_free(schedule);
  return status;
}
