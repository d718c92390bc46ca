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

/* A cycle under way: instructions issued of each type and in all; turn_begins as in struct
 * wb_policy. */
struct cycle {
  uint32_t number;
  uint32_t used[WB_UNIT_COUNT];
  uint32_t issued;
  uint32_t turn_begins;
};

/* The repetition of the warp's next instruction; SIZE_MAX where it has none or has issued. */
static size_t repetition_of(const struct simulation *s, uint32_t w)
{
  if (s->was_issued[w] || s->done[w] == s->schedule->length)
    return SIZE_MAX;
  return wb_fair_repetition(&s->problem->fair, s->done[w]);
}

/* Offers units, in the policy's order, to the warps that wait in a repetition. */
static void serve(struct simulation *s, size_t repetition, struct cycle *cycle)
{
  for (uint32_t k = 0; k < s->problem->warps && cycle->issued < s->problem->issue_slots; k++) {
    uint32_t w = s->order[k];
    if (repetition_of(s, w) != repetition)
      continue;
    uint8_t unit = s->types[s->done[w]];
    if (cycle->used[unit] == s->problem->capacity[unit])
      continue;
    cycle->used[unit]++;
    s->schedule->issue_cycle[w * s->schedule->length + s->done[w]++] = cycle->number;
    s->issued[cycle->issued++] = w;
    s->was_issued[w] = true;
    if (k >= cycle->turn_begins)
      s->view.round_robin = (w + 1) % s->problem->warps;
  }
}

/* The earliest repetition behind this one in which a warp waits; SIZE_MAX: none. */
static size_t next_repetition(const struct simulation *s, size_t repetition)
{
  size_t next = SIZE_MAX;
  for (uint32_t w = 0; w < s->problem->warps; w++) {
    size_t own = repetition_of(s, w);
    if (own > repetition && own < next)
      next = own;
  }
  return next;
}

/* One cycle: offers units to the warps in the policy's order; where the scheduler is fair, to
 * those of the earliest repetition first. */
static void step(struct simulation *s, uint32_t number)
{
  struct cycle cycle = {.number = number};
  s->policy->rank(&s->view, s->order, &cycle.turn_begins);
  for (uint32_t k = 0; k < s->view.last_count; k++)
    s->was_issued[s->issued[k]] = false;
  serve(s, 0, &cycle);
  bool fair = wb_problem_fair(s->problem);
  for (size_t r = fair ? next_repetition(s, 0) : SIZE_MAX; r != SIZE_MAX; r = next_repetition(s, r))
    serve(s, r, &cycle);
  assert(cycle.issued > 0);
  s->view.last_count = cycle.issued;
  s->left -= cycle.issued;
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
