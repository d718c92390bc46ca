#include "certificate/potential/trailing_values.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/potential/potential_machine.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
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
    /* Without components the sum of the values of the steps from there on. */
    for (size_t p = values->length; p-- > 0;) {
      const struct wb_check_trailing_position *at = &values->position[p];
      const int64_t step = at->step == WB_CHECK_TRAILING_STAY ? machine->pool[at->pool].stay
                                                              : machine->leave.list[at->step].value;
      if (claim->component_count > 0)
        value[p] = claim->components[j].values[p];
      else if (!wb_add_signed(value[p + 1], step, &value[p]))
        return too_large(error);
    }
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

/* ---- ranks ---- */

/* Bit i of a choice: trailing warp i issues. */
static bool issues(size_t choice, size_t i)
{
  return (choice >> i & 1) != 0;
}

static void make_move(const struct wb_check_trailing_values *values, const size_t *position,
                      size_t count, size_t choice, struct wb_check_trailing_move *move)
{
  *move = (struct wb_check_trailing_move){.stays = choice == 0};
  for (size_t i = 0; i < count; i++) {
    move->position[i] = position[i];
    if (!issues(choice, i))
      continue;
    move->position[i]++;
    move->front = i + 1 == count ? WB_CHECK_TRAILING_FRONT_ISSUES : WB_CHECK_TRAILING_FRONT_WAITS;
    move->issued[values->position[position[i]].pool]++;
  }
  for (size_t v = 0; v < values->view_count; v++) {
    const size_t *after = move->position;
    int64_t sum = after[0] > position[0] ? values->position[position[0]].own : 0;
    for (size_t i = 1; i < count; i++)
      sum += values->view[v].weighted_value[position[i]] -
             values->value[values->view[v].component][after[i]];
    move->value[v] = sum;
  }
}

size_t wb_check_trailing_moves_make(const struct wb_check_trailing_values *values,
                                    const size_t *position, size_t count,
                                    struct wb_check_trailing_move list[WB_CHECK_TRAILING_MOVES])
{
  size_t found = 0;
  for (size_t choice = 0; choice < (size_t)1 << count; choice++) {
    bool possible = true;
    for (size_t i = 0; i < count && possible; i++) {
      const bool hidden = i + 1 < count && position[i + 1] == position[i] && !issues(choice, i + 1);
      possible = !issues(choice, i) || (position[i] != values->length && !hidden);
    }
    if (possible)
      make_move(values, position, count, choice, &list[found++]);
  }
  return found;
}

size_t wb_check_trailing_ranks_of(const struct wb_check_trailing_ranks *ranks,
                                  const size_t *position)
{
  size_t rank = 0;
  for (size_t i = 0; i < ranks->count; i++)
    rank += ranks->steps[i][position[i]];
  return rank;
}

static warpbound_status too_many(const struct wb_check_trailing_ranks *ranks,
                                 warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_LIMIT,
                 "rear: %zu warps over %zu instructions have more positions than the checker's "
                 "tables take",
                 ranks->count, ranks->length);
}

/* Binomial coefficients, each the sum of two before it. */
warpbound_status wb_check_trailing_ranks_make(struct wb_arena *arena, size_t count, size_t length,
                                              size_t most, struct wb_check_trailing_ranks *ranks,
                                              warpbound_error *error)
{
  *ranks = (struct wb_check_trailing_ranks){.count = count, .length = length, .rank_count = 1};
  for (size_t i = 0; i < count; i++) {
    size_t *steps = ranks->steps[i] = wb_arena_array(arena, size_t, length + 1);
    if (steps == NULL)
      return wb_out_of_memory(error);
    for (size_t q = 1; q <= length; q++) {
      steps[q] = steps[q - 1] + (i > 0 ? ranks->steps[i - 1][q] : 1);
      if (steps[q] > most)
        return too_many(ranks, error);
    }
    ranks->rank_count += steps[length];
  }
  return ranks->rank_count <= most ? WARPBOUND_OK : too_many(ranks, error);
}

void wb_check_trailing_ranks_previous(const struct wb_check_trailing_ranks *ranks, size_t *position)
{
  size_t i = 0;
  while (i + 1 < ranks->count && position[i] == 0)
    i++;
  position[i]--;
  for (size_t k = 0; k < i; k++)
    position[k] = position[i];
}

/* ---- warps in front ---- */

/* Sums of values of a cycle are at most this. */
#define SUM_LIMIT (INT64_C(1) << 56)

/* Lists, and values in them, at most: below 256 MiB in all. */
#define LIST_LIMIT ((size_t)1 << 20)
#define VALUE_LIMIT ((size_t)1 << 24)

warpbound_status wb_check_leading_warps_spend(struct wb_check_leading_warps *leading, uint64_t work,
                                              warpbound_error *error)
{
  if (work > leading->work_limit - leading->work)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more than %" PRIu64 " steps of work to check",
                   leading->work_limit);
  leading->work += work;
  return wb_check_pace(leading->control, leading->work - work, leading->work, error);
}

/* ---- the states ---- */

/* The search of all states that the starts reach. */
struct closure {
  const struct wb_check_potential_machine *machine;
  struct wb_check_leading_warps *leading;
  struct wb_check_potential_moves moves;
  /* States at most. */
  size_t most;
  warpbound_error *error;
};

static warpbound_status add_state(struct closure *closure, const struct wb_check_content *content)
{
  struct wb_check_content_map *states = &closure->leading->states;
  switch (wb_check_content_map_add(states, &(struct wb_check_content_value){.content = *content})) {
  case WB_CHECK_CONTENT_NO_MEMORY:
    return wb_out_of_memory(closure->error);
  case WB_CHECK_CONTENT_OLD:
    return WARPBOUND_OK;
  case WB_CHECK_CONTENT_NEW:
    if (states->count <= closure->most)
      return WARPBOUND_OK;
    break;
  case WB_CHECK_CONTENT_FULL:
    break;
  }
  return wb_fail(closure->error, WARPBOUND_LIMIT,
                 "rear: more states of the warps in front of it than the checker's tables take");
}

/* Adds the states that any number of the leading warps' instructions from pool p on lead to. */
static warpbound_status add_successors(struct closure *closure,
                                       const struct wb_check_content *content, size_t p,
                                       int64_t slots, int64_t issuing[WB_CHECK_POTENTIAL_POOLS])
{
  const struct wb_check_potential_machine *machine = closure->machine;
  warpbound_status status = WARPBOUND_OK;
  if (p < machine->pool_count) {
    int64_t most = (int64_t)wb_minimum(content->warps[p], (uint64_t)machine->pool[p].service);
    for (issuing[p] = 0; status == WARPBOUND_OK && issuing[p] <= most && issuing[p] <= slots;
         issuing[p]++)
      status = add_successors(closure, content, p + 1, slots - issuing[p], issuing);
    return status;
  }
  status = wb_check_potential_moves_find(&closure->moves, content, issuing, closure->error);
  for (size_t i = 0; status == WARPBOUND_OK && i < closure->moves.after.count; i++)
    status = add_state(closure, &closure->moves.after.list[i].content);
  return status;
}

warpbound_status wb_check_leading_warps_make(const struct wb_check_potential_machine *machine,
                                             struct wb_check_trailing_values *values,
                                             const struct wb_check_content *starts,
                                             size_t start_count, size_t most, uint64_t work_limit,
                                             const struct wb_control *control,
                                             struct wb_check_leading_warps *leading,
                                             warpbound_error *error)
{
  *leading = (struct wb_check_leading_warps){
      .values = values, .work_limit = work_limit, .control = control};
  struct closure closure = {.machine = machine, .leading = leading, .most = most, .error = error};
  wb_check_potential_moves_start(&closure.moves, machine, work_limit, control);
  const struct wb_check_content_map *states = &closure.leading->states;
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < start_count; i++)
    status = add_state(&closure, &starts[i]);
  for (size_t i = 0; status == WARPBOUND_OK && i < states->count; i++) {
    struct wb_check_content content = states->list[i].content;
    int64_t issuing[WB_CHECK_POTENTIAL_POOLS] = {0};
    status = add_successors(&closure, &content, 0, closure.machine->slots, issuing);
  }
  leading->work = closure.moves.work;
  assert(wb_check_content_map_is_sound(&leading->states));
  wb_check_potential_moves_free(&closure.moves);
  wb_check_leading_warps_forget(leading);
  return status;
}

/* ---- the lists ---- */

void wb_check_leading_warps_forget(struct wb_check_leading_warps *leading)
{
  for (size_t v = 0; v < leading->values->view_count; v++) {
    wb_check_potential_moves_free(&leading->moves[v]);
    wb_check_potential_moves_start(&leading->moves[v], &leading->values->view[v].machine, 0,
                                   leading->control);
  }
  leading->list_count = 0;
  leading->target_count = 0;
  if (leading->slots != NULL)
    memset(leading->slots, 0, leading->slot_count * sizeof *leading->slots);
}

static size_t slot_of(const struct wb_check_leading_warps *leading,
                      const struct wb_check_leading_moves *key)
{
  uint64_t mixed = 2 * (uint64_t)key->state + (uint64_t)key->front;
  for (size_t p = 0; p < leading->values->view[0].machine.pool_count; p++) {
    mixed = (mixed ^ (uint64_t)key->issuing[p]) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
  }
  size_t slot = (size_t)mixed & (leading->slot_count - 1);
  for (; leading->slots[slot] != 0; slot = (slot + 1) & (leading->slot_count - 1)) {
    const struct wb_check_leading_moves *at = &leading->lists[leading->slots[slot] - 1];
    if (at->state == key->state && at->front == key->front &&
        memcmp(at->issuing, key->issuing, sizeof at->issuing) == 0)
      break;
  }
  return slot;
}

/* Doubles the table once it is half full. */
static bool make_room(struct wb_check_leading_warps *leading)
{
  if (!wb_grow(leading->lists, &leading->list_capacity, leading->list_count + 1))
    return false;
  if (2 * (leading->list_count + 1) <= leading->slot_count)
    return true;
  size_t wanted = leading->slot_count > 0 ? 2 * leading->slot_count : 1024;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return false;
  free(leading->slots);
  leading->slots = slots;
  leading->slot_count = wanted;
  for (size_t i = 0; i < leading->list_count; i++)
    slots[slot_of(leading, &leading->lists[i])] = (uint32_t)(i + 1);
  return true;
}

/* Adds the targets under one view. The targets and their order are the same for all views, which
 * differ in the values alone. */
static warpbound_status add_view(struct wb_check_leading_warps *leading, size_t v,
                                 struct wb_check_leading_moves *list, warpbound_error *error)
{
  const struct wb_check_content_map *after = &leading->moves[v].after;
  const size_t views = leading->values->view_count;
  /* Finds the moves of the leading warps under one view, into moves->after. */
  struct wb_check_potential_moves *moves = &leading->moves[v];
  struct wb_check_potential_machine *machine = &leading->values->view[v].machine;
  uint64_t before = moves->work;
  for (size_t p = 0; p < machine->pool_count; p++)
    machine->pool[p].waits = leading->values->waits[list->front][p];
  moves->work_limit = before + (leading->work_limit - leading->work);
  warpbound_status status = wb_check_potential_moves_find(
      moves, &leading->states.list[list->state].content, list->issuing, error);
  leading->work += moves->work - before;
  if (status != WARPBOUND_OK)
    return status;
  if (v == 0) {
    list->count = after->count;
    leading->target_count += after->count;
    if (leading->list_count == LIST_LIMIT || leading->target_count > VALUE_LIMIT / views)
      return wb_fail(error, WARPBOUND_LIMIT,
                     "rear: more moves of the warps in front of it than the checker's tables take");
    if (!wb_grow(leading->target, &leading->target_capacity, leading->target_count) ||
        !wb_grow(leading->value, &leading->value_capacity, leading->target_count * views))
      return wb_out_of_memory(error);
  }
  for (size_t i = 0; i < after->count; i++) {
    const struct wb_check_content_value *found =
        wb_check_content_map_find(&leading->states, &after->list[i].content);
    size_t t = list->first + i;
    if (found == NULL || after->count != list->count ||
        (v > 0 && leading->target[t] != (uint32_t)(found - leading->states.list)))
      return wb_fail(error, WARPBOUND_INTERNAL,
                     "rear: the leading warps' moves differ between views");
    if (after->list[i].value < -SUM_LIMIT || after->list[i].value > SUM_LIMIT)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "rear: the values of a cycle exceed what the checker takes");
    leading->target[t] = (uint32_t)(found - leading->states.list);
    leading->value[t * views + v] = after->list[i].value;
  }
  return WARPBOUND_OK;
}

warpbound_status wb_check_leading_warps_find(struct wb_check_leading_warps *leading, size_t state,
                                             enum wb_check_trailing_front front,
                                             const int64_t issuing[WB_CHECK_POTENTIAL_POOLS],
                                             const struct wb_check_leading_moves **moves,
                                             warpbound_error *error)
{
  const struct wb_check_trailing_values *values = leading->values;
  struct wb_check_leading_moves key = {.state = state, .first = leading->target_count};
  memcpy(key.issuing, issuing, sizeof key.issuing);
  if (memcmp(values->waits[WB_CHECK_TRAILING_FRONT_WAITS],
             values->waits[WB_CHECK_TRAILING_FRONT_ISSUES], sizeof values->waits[0]) != 0)
    key.front = front;
  if (!make_room(leading))
    return wb_out_of_memory(error);
  size_t slot = slot_of(leading, &key);
  if (leading->slots[slot] != 0) {
    *moves = &leading->lists[leading->slots[slot] - 1];
    return WARPBOUND_OK;
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t v = 0; status == WARPBOUND_OK && v < values->view_count; v++)
    status = add_view(leading, v, &key, error);
  leading->lists[leading->list_count++] = key;
  leading->slots[slot] = (uint32_t)leading->list_count;
  *moves = &leading->lists[leading->list_count - 1];
  return status;
}

void wb_check_leading_warps_free(struct wb_check_leading_warps *leading)
{
  wb_check_content_map_free(&leading->states);
  for (size_t v = 0; v < WB_CHECK_POTENTIAL_VIEWS; v++)
    wb_check_potential_moves_free(&leading->moves[v]);
  free(leading->lists);
  free(leading->slots);
  free(leading->target);
  free(leading->value);
  *leading = (struct wb_check_leading_warps){0};
}
