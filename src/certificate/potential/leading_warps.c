#include "certificate/potential/leading_warps.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/potential/check_pace.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static bool same(const struct wb_check_leading_moves *a, const struct wb_check_leading_moves *b)
{
  return a->state == b->state && a->front == b->front &&
         memcmp(a->issuing, b->issuing, sizeof a->issuing) == 0;
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
  while (leading->slots[slot] != 0 && !same(&leading->lists[leading->slots[slot] - 1], key))
    slot = (slot + 1) & (leading->slot_count - 1);
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
