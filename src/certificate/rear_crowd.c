#include "certificate/rear_crowd.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Sums of values of a cycle are at most this. */
#define SUM_LIMIT (INT64_C(1) << 56)

/* Lists, and values in them, at most: below 256 MiB in all. */
#define LIST_LIMIT ((size_t)1 << 20)
#define VALUE_LIMIT ((size_t)1 << 24)

warpbound_status wb_rear_crowd_spend(struct wb_rear_crowd *crowd, uint64_t work,
                                     warpbound_error *error)
{
  if (work > crowd->work_limit - crowd->work)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more than %llu steps of work to check",
                   (unsigned long long)crowd->work_limit);
  crowd->work += work;
  return WARPBOUND_OK;
}

/* ---- the states ---- */

/* What the closure of the states works with. */
struct closure {
  const struct wb_potential_machine *machine;
  struct wb_rear_crowd *crowd;
  struct wb_potential_moves moves;
  size_t most;
  warpbound_error *error;
};

static warpbound_status add_state(struct closure *closure,
                                  const struct wb_potential_content *content)
{
  struct wb_potential_sums *states = &closure->crowd->states;
  switch (wb_potential_sums_add(states, &(struct wb_potential_sum){.content = *content})) {
  case WB_SUMS_NO_MEMORY:
    return wb_out_of_memory(closure->error);
  case WB_SUMS_OLD:
    return WARPBOUND_OK;
  case WB_SUMS_NEW:
    if (states->count <= closure->most)
      return WARPBOUND_OK;
    break;
  case WB_SUMS_FULL:
    break;
  }
  return wb_fail(closure->error, WARPBOUND_LIMIT,
                 "rear: more states of the warps in front of it than the checker's tables take");
}

/* Whatever any number of the crowd's instructions from pool p on leads to. */
static warpbound_status add_successors(struct closure *closure,
                                       const struct wb_potential_content *content, size_t p,
                                       int64_t slots, int64_t issuing[WB_POTENTIAL_POOLS])
{
  const struct wb_potential_machine *machine = closure->machine;
  warpbound_status status = WARPBOUND_OK;
  if (p < machine->pool_count) {
    int64_t most = (int64_t)wb_minimum(content->warps[p], (uint64_t)machine->pool[p].service);
    for (issuing[p] = 0; status == WARPBOUND_OK && issuing[p] <= most && issuing[p] <= slots;
         issuing[p]++)
      status = add_successors(closure, content, p + 1, slots - issuing[p], issuing);
    return status;
  }
  status = wb_potential_moves_find(&closure->moves, content, issuing, closure->error);
  for (size_t i = 0; status == WARPBOUND_OK && i < closure->moves.after.count; i++)
    status = add_state(closure, &closure->moves.after.list[i].content);
  return status;
}

static warpbound_status close_states(struct closure *closure,
                                     const struct wb_potential_content *starts, size_t start_count)
{
  const struct wb_potential_sums *states = &closure->crowd->states;
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; status == WARPBOUND_OK && i < start_count; i++)
    status = add_state(closure, &starts[i]);
  for (size_t i = 0; status == WARPBOUND_OK && i < states->count; i++) {
    struct wb_potential_content content = states->list[i].content;
    int64_t issuing[WB_POTENTIAL_POOLS] = {0};
    status = add_successors(closure, &content, 0, closure->machine->slots, issuing);
  }
  return status;
}

warpbound_status wb_rear_crowd_make(const struct wb_potential_machine *machine,
                                    struct wb_rear_values *values,
                                    const struct wb_potential_content *starts, size_t start_count,
                                    size_t most, uint64_t work_limit, struct wb_rear_crowd *crowd,
                                    warpbound_error *error)
{
  *crowd = (struct wb_rear_crowd){.values = values, .work_limit = work_limit};
  struct closure closure = {.machine = machine, .crowd = crowd, .most = most, .error = error};
  wb_potential_moves_start(&closure.moves, machine, work_limit);
  warpbound_status status = close_states(&closure, starts, start_count);
  crowd->work = closure.moves.work;
  wb_potential_moves_free(&closure.moves);
  wb_rear_crowd_forget(crowd);
  return status;
}

/* ---- the lists ---- */

void wb_rear_crowd_forget(struct wb_rear_crowd *crowd)
{
  for (size_t v = 0; v < crowd->values->view_count; v++) {
    wb_potential_moves_free(&crowd->moves[v]);
    wb_potential_moves_start(&crowd->moves[v], &crowd->values->view[v].machine, 0);
  }
  crowd->list_count = 0;
  crowd->target_count = 0;
  if (crowd->slots != NULL)
    memset(crowd->slots, 0, crowd->slot_count * sizeof *crowd->slots);
}

static bool same(const struct wb_rear_list *a, const struct wb_rear_list *b)
{
  return a->state == b->state && a->front == b->front &&
         memcmp(a->issuing, b->issuing, sizeof a->issuing) == 0;
}

static size_t slot_of(const struct wb_rear_crowd *crowd, const struct wb_rear_list *key)
{
  uint64_t mixed = 2 * (uint64_t)key->state + (uint64_t)key->front;
  for (size_t p = 0; p < crowd->values->view[0].machine.pool_count; p++) {
    mixed = (mixed ^ (uint64_t)key->issuing[p]) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
  }
  size_t slot = (size_t)mixed & (crowd->slot_count - 1);
  while (crowd->slots[slot] != 0 && !same(&crowd->lists[crowd->slots[slot] - 1], key))
    slot = (slot + 1) & (crowd->slot_count - 1);
  return slot;
}

/* Doubles the table once it is half full. */
static bool make_room(struct wb_rear_crowd *crowd)
{
  if (!wb_grow(crowd->lists, &crowd->list_capacity, crowd->list_count + 1))
    return false;
  if (2 * (crowd->list_count + 1) <= crowd->slot_count)
    return true;
  size_t wanted = crowd->slot_count > 0 ? 2 * crowd->slot_count : 1024;
  uint32_t *slots = wb_allocate(wanted, sizeof *slots);
  if (slots == NULL)
    return false;
  free(crowd->slots);
  crowd->slots = slots;
  crowd->slot_count = wanted;
  for (size_t i = 0; i < crowd->list_count; i++)
    slots[slot_of(crowd, &crowd->lists[i])] = (uint32_t)(i + 1);
  return true;
}

/* The moves of the crowd under one view, into moves->after. */
static warpbound_status find_moves(struct wb_rear_crowd *crowd, size_t v,
                                   const struct wb_rear_list *list, warpbound_error *error)
{
  struct wb_potential_moves *moves = &crowd->moves[v];
  struct wb_potential_machine *machine = &crowd->values->view[v].machine;
  uint64_t before = moves->work;
  for (size_t p = 0; p < machine->pool_count; p++)
    machine->pool[p].waits = crowd->values->waits[list->front][p];
  moves->work_limit = before + (crowd->work_limit - crowd->work);
  warpbound_status status = wb_potential_moves_find(moves, &crowd->states.list[list->state].content,
                                                    list->issuing, error);
  crowd->work += moves->work - before;
  return status;
}

/* The targets of one view. Which these are, and in which order, is the same for all views: they
 * differ in the values alone. */
static warpbound_status add_view(struct wb_rear_crowd *crowd, size_t v, struct wb_rear_list *list,
                                 warpbound_error *error)
{
  const struct wb_potential_sums *after = &crowd->moves[v].after;
  const size_t views = crowd->values->view_count;
  warpbound_status status = find_moves(crowd, v, list, error);
  if (status != WARPBOUND_OK)
    return status;
  if (v == 0) {
    list->count = after->count;
    crowd->target_count += after->count;
    if (crowd->list_count == LIST_LIMIT || crowd->target_count > VALUE_LIMIT / views)
      return wb_fail(error, WARPBOUND_LIMIT,
                     "rear: more moves of the warps in front of it than the checker's tables take");
    if (!wb_grow(crowd->target, &crowd->target_capacity, crowd->target_count) ||
        !wb_grow(crowd->value, &crowd->value_capacity, crowd->target_count * views))
      return wb_out_of_memory(error);
  }
  for (size_t i = 0; i < after->count; i++) {
    const struct wb_potential_sum *found =
        wb_potential_sums_find(&crowd->states, &after->list[i].content);
    size_t t = list->first + i;
    if (found == NULL || after->count != list->count ||
        (v > 0 && crowd->target[t] != (uint32_t)(found - crowd->states.list)))
      return wb_fail(error, WARPBOUND_INTERNAL, "rear: the crowd's moves differ between views");
    if (after->list[i].value < -SUM_LIMIT || after->list[i].value > SUM_LIMIT)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "rear: the values of a cycle exceed what the checker takes");
    crowd->target[t] = (uint32_t)(found - crowd->states.list);
    crowd->value[t * views + v] = after->list[i].value;
  }
  return WARPBOUND_OK;
}

warpbound_status wb_rear_crowd_find(struct wb_rear_crowd *crowd, size_t state,
                                    enum wb_rear_front front,
                                    const int64_t issuing[WB_POTENTIAL_POOLS],
                                    const struct wb_rear_list **list, warpbound_error *error)
{
  const struct wb_rear_values *values = crowd->values;
  struct wb_rear_list key = {.state = state, .first = crowd->target_count};
  memcpy(key.issuing, issuing, sizeof key.issuing);
  if (memcmp(values->waits[WB_REAR_FRONT_WAITS], values->waits[WB_REAR_FRONT_ISSUES],
             sizeof values->waits[0]) != 0)
    key.front = front;
  if (!make_room(crowd))
    return wb_out_of_memory(error);
  size_t slot = slot_of(crowd, &key);
  if (crowd->slots[slot] != 0) {
    *list = &crowd->lists[crowd->slots[slot] - 1];
    return WARPBOUND_OK;
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t v = 0; status == WARPBOUND_OK && v < values->view_count; v++)
    status = add_view(crowd, v, &key, error);
  crowd->lists[crowd->list_count++] = key;
  crowd->slots[slot] = (uint32_t)crowd->list_count;
  *list = &crowd->lists[crowd->list_count - 1];
  return status;
}

void wb_rear_crowd_free(struct wb_rear_crowd *crowd)
{
  wb_potential_sums_free(&crowd->states);
  for (size_t v = 0; v < WB_POTENTIAL_VIEWS; v++)
    wb_potential_moves_free(&crowd->moves[v]);
  free(crowd->lists);
  free(crowd->slots);
  free(crowd->target);
  free(crowd->value);
  *crowd = (struct wb_rear_crowd){0};
}
