#include "certificate/potential/trailing_values.h"

#include "base/checked.h"

#include <assert.h>
#include <string.h>

/* The value of all leading warps of a pool that do not issue is at most this. */
#define WAITING_LIMIT (INT64_C(1) << 56)

static warpbound_status too_large(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "rear: the values exceed what the checker takes");
}

static bool within(int64_t value, int64_t limit)
{
  return value >= -limit && value <= limit;
}

/* ---- the string ---- */

static size_t find_step(const struct wb_check_step_kinds *steps, size_t from, size_t to,
                        uint64_t length)
{
  size_t k = 0;
  while (steps->list[k].from != from || steps->list[k].to != to || steps->list[k].length != length)
    k++;
  return k;
}

/* ---- the values of a warp ---- */

/* The value of a warp other than the own one before instruction p in a component. Without
 * components that is the sum of the values of the steps from there on, that of the steps after it
 * known. */
static bool value_alone(const struct wb_check_potential_claim *claim,
                        const struct wb_check_potential_machine *machine,
                        const struct wb_check_trailing_position *at, const int64_t *after,
                        size_t component, size_t p, int64_t *value)
{
  if (claim->component_count > 0) {
    *value = claim->components[component].values[p];
    return true;
  }
  int64_t step = at->step == WB_CHECK_TRAILING_STAY ? machine->pool[at->pool].stay
                                                    : machine->leave.list[at->step].value;
  return wb_add_signed(*after, step, value);
}

/* The values hold the scale already: each is divided by it before it gets its weight. */
static bool make_weighted_values(const struct wb_check_trailing_values *values,
                                 struct wb_check_trailing_view *view)
{
  for (size_t p = 0; p < values->length; p++) {
    for (size_t i = 0; i < values->component_count; i++) {
      int64_t part;
      if (!wb_multiply_signed(values->value[i][p] / values->scale, view->weights[i], &part) ||
          !wb_add_signed(view->weighted_value[p], part, &view->weighted_value[p]))
        return false;
    }
    if (!within(view->weighted_value[p], WB_CHECK_TRAILING_NUMBER_LIMIT))
      return false;
  }
  return true;
}

/* ---- the views ---- */

/* The least common multiple of the views' sums of weights, of which none is 0. */
static bool find_scale(const struct wb_check_potential_views *views,
                       struct wb_check_trailing_values *values)
{
  uint64_t scale = 1;
  for (size_t v = 0; v < values->view_count; v++) {
    uint64_t own = (uint64_t)views->view[v].weight_sum;
    uint64_t common = wb_maximum(wb_greatest_common_divisor(scale, own), 1);
    if (!wb_multiply(scale, own / common, &scale) ||
        scale > (uint64_t)WB_CHECK_TRAILING_NUMBER_LIMIT)
      return false;
  }
  values->scale = (int64_t)scale;
  return true;
}

/* A machine in which the leading warps, which have ended, can make no step. */
static bool copy_machine(struct wb_arena *arena, const struct wb_check_potential_machine *from,
                         struct wb_check_potential_machine *to)
{
  *to = *from;
  to->own_leave = (struct wb_check_step_kinds){0};
  to->leave.list = wb_arena_array(arena, struct wb_check_step_kind, from->leave.count);
  if (to->leave.list == NULL)
    return false;
  memcpy(to->leave.list, from->leave.list, from->leave.count * sizeof *to->leave.list);
  for (size_t k = 0; k < to->leave.count; k++)
    to->leave.list[k].has_value = false;
  for (size_t p = 0; p < to->pool_count; p++)
    to->pool[p].stays = to->pool[p].waits = false;
  return true;
}

warpbound_status wb_check_trailing_values_make(struct wb_arena *arena,
                                               const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               const struct wb_check_potential_views *views,
                                               struct wb_check_trailing_values *values,
                                               warpbound_error *error)
{
  *values = (struct wb_check_trailing_values){
      .length = claim->problem.length,
      .front = claim->problem.length,
      .component_count = views->component_count,
      .view_count = claim->component_count > 0 ? 2 * claim->component_count : 1,
  };
  values->position = wb_arena_array(arena, struct wb_check_trailing_position, values->length);
  for (size_t j = 0; j < values->component_count; j++)
    values->value[j] = wb_arena_array(arena, int64_t, values->length + 1);
  if (arena->failed)
    return wb_out_of_memory(error);
  if (!find_scale(views, values))
    return too_large(error);
  /* From the last instruction to the first, as the run that a step enters comes after it. */
  for (size_t p = claim->problem.length; p-- > 0;) {
    struct wb_check_trailing_position *at = &values->position[p];
    const struct wb_check_trailing_position *next = p + 1 < claim->problem.length ? at + 1 : NULL;
    *at = (struct wb_check_trailing_position){
        wb_check_machine_pool_of(machine, claim->problem.letters[p]), 1, WB_CHECK_TRAILING_STAY, 0};
    if (next != NULL && next->pool == at->pool) {
      at->left = next->left + 1;
      at->own = machine->pool[at->pool].own_stay;
    } else {
      size_t to = next != NULL ? next->pool : machine->pool_count;
      at->step = find_step(&machine->leave, at->pool, to, next != NULL ? next->left : 0);
      at->own = machine->own_leave.list[find_step(&machine->own_leave, at->pool, to, 0)].value;
    }
    if (!wb_multiply_signed(at->own, values->scale, &at->own) ||
        !within(at->own, WB_CHECK_TRAILING_NUMBER_LIMIT))
      return too_large(error);
  }
  for (size_t j = 0; j < values->component_count; j++) {
    int64_t *value = values->value[j];
    for (size_t p = values->length; p-- > 0;)
      if (!value_alone(claim, machine, &values->position[p], &value[p + 1], j, p, &value[p]))
        return too_large(error);
    for (size_t p = 0; p < values->length; p++)
      if (!wb_multiply_signed(value[p], values->scale, &value[p]) ||
          !within(value[p], WB_CHECK_TRAILING_NUMBER_LIMIT))
        return too_large(error);
  }
  warpbound_status status = WARPBOUND_OK;
  assert(values->component_count > 0 || values->view_count == 0);
  for (size_t v = 0; status == WARPBOUND_OK && v < values->view_count; v++) {
    values->view[v].component = v % values->component_count;
    values->view[v].weighted_value = wb_arena_array(arena, int64_t, values->length + 1);
    if (values->view[v].weighted_value == NULL ||
        !copy_machine(arena, machine, &values->view[v].machine))
      return wb_out_of_memory(error);
    for (size_t i = 0; i < values->component_count; i++)
      values->view[v].weights[i] =
          views->view[v].weights[i] * (values->scale / views->view[v].weight_sum);
    status = make_weighted_values(values, &values->view[v]) ? WARPBOUND_OK : too_large(error);
  }
  return status;
}

/* ---- the leading warps' steps ---- */

/* Keeps the lesser of two values; whether that changed anything. */
static bool keep_least(int64_t value, int64_t *least, bool *has)
{
  bool less = !*has || value < *least;
  if (less)
    *least = value;
  *has = true;
  return less;
}

/* A leading warp may stand at the front. False: numbers beyond the limits. */
static bool add_front(const struct wb_check_trailing_values *values,
                      struct wb_check_trailing_view *view, bool *changed)
{
  size_t p = values->front;
  const struct wb_check_trailing_position *at = &values->position[p];
  struct wb_check_machine_pool *pool = &view->machine.pool[at->pool];
  const int64_t *value = values->value[view->component];
  int64_t step = view->weighted_value[p] - value[p + 1];
  int64_t idle = view->weighted_value[p] - value[p];
  int64_t all;
  bool has_idle = values->waits[WB_CHECK_TRAILING_FRONT_ISSUES][at->pool];
  keep_least(idle, &view->idle[WB_CHECK_TRAILING_FRONT_WAITS][at->pool], &has_idle);
  if (at->step == WB_CHECK_TRAILING_STAY)
    *changed |= keep_least(step, &pool->stay, &pool->stays);
  else
    *changed |= keep_least(step, &view->machine.leave.list[at->step].value,
                           &view->machine.leave.list[at->step].has_value);
  return wb_multiply_signed(idle, pool->most_warps, &all) && within(all, WAITING_LIMIT);
}

warpbound_status wb_check_trailing_values_retreat(struct wb_check_trailing_values *values,
                                                  bool *changed, warpbound_error *error)
{
  const size_t size = sizeof values->waits[0];
  size_t pool = values->position[--values->front].pool;
  *changed = memcmp(values->waits[WB_CHECK_TRAILING_FRONT_ISSUES],
                    values->waits[WB_CHECK_TRAILING_FRONT_WAITS], size) != 0 ||
             !values->waits[WB_CHECK_TRAILING_FRONT_WAITS][pool];
  memcpy(values->waits[WB_CHECK_TRAILING_FRONT_ISSUES],
         values->waits[WB_CHECK_TRAILING_FRONT_WAITS], size);
  for (size_t v = 0; v < values->view_count; v++) {
    struct wb_check_trailing_view *view = &values->view[v];
    memcpy(view->idle[WB_CHECK_TRAILING_FRONT_ISSUES], view->idle[WB_CHECK_TRAILING_FRONT_WAITS],
           sizeof view->idle[0]);
    if (!add_front(values, view, changed))
      return too_large(error);
  }
  values->waits[WB_CHECK_TRAILING_FRONT_WAITS][pool] = true;
  return WARPBOUND_OK;
}
