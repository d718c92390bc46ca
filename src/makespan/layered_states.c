#include "makespan/layered_states.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX
#define FIRST_SLOTS ((size_t)1024)

struct wb_layered_state wb_layered_state_at(const struct wb_layered_states *states, size_t index)
{
  size_t of_layer = index - wb_layered_base(states);
  return (struct wb_layered_state){wb_layered_warps(states, index), states->hashes[of_layer],
                                   states->values[of_layer], states->parents[index]};
}

uint64_t wb_layered_bytes(const struct wb_layered_states *states)
{
  return states->warp_capacity + states->parent_capacity * sizeof *states->parents +
         states->hash_capacity * sizeof *states->hashes +
         states->value_capacity * sizeof *states->values +
         states->slot_count * sizeof *states->slots;
}

/* Makes the hash table at least twice as large as the layer with one more state. */
static bool grow_slots(struct wb_layered_states *states)
{
  size_t of_layer = states->count - wb_layered_base(states);
  if (states->slot_count >= 2 * (of_layer + 1))
    return true;
  size_t count = states->slot_count > 0 ? 2 * states->slot_count : FIRST_SLOTS;
  uint32_t *slots = malloc(count * sizeof *slots);
  if (slots == NULL)
    return false;
  memset(slots, 0xff, count * sizeof *slots);
  for (size_t i = 0; i < of_layer; i++) {
    size_t slot = states->hashes[i] & (count - 1);
    while (slots[slot] != NOWHERE)
      slot = (slot + 1) & (count - 1);
    slots[slot] = (uint32_t)i;
  }
  free(states->slots);
  states->slots = slots;
  states->slot_count = count;
  return true;
}

bool wb_layered_begin(struct wb_layered_states *states)
{
  void *start = states->start;
  if (!wb_grow(&start, &states->start_capacity, states->layer_count + 1, sizeof *states->start))
    return false;
  states->start = start;
  states->start[states->layer_count++] = states->count;
  if (states->slots != NULL)
    memset(states->slots, 0xff, states->slot_count * sizeof *states->slots);
  return grow_slots(states);
}

bool wb_layered_empty(struct wb_layered_states *states)
{
  states->count = 0;
  states->layer_count = 0;
  return wb_layered_begin(states);
}

/* Room for one more state in every array. */
static bool make_room(struct wb_layered_states *states)
{
  size_t of_layer = states->count - wb_layered_base(states) + 1;
  void *warps = states->warps;
  void *parents = states->parents;
  void *hashes = states->hashes;
  void *values = states->values;
  bool fits =
      wb_grow(&warps, &states->warp_capacity, (states->count + 1) * states->stride, 1) &&
      wb_grow(&parents, &states->parent_capacity, states->count + 1, sizeof *states->parents) &&
      wb_grow(&hashes, &states->hash_capacity, of_layer, sizeof *states->hashes) &&
      wb_grow(&values, &states->value_capacity, of_layer, sizeof *states->values);
  states->warps = warps;
  states->parents = parents;
  states->hashes = hashes;
  states->values = values;
  return fits;
}

bool wb_layered_add(struct wb_layered_states *states, const struct wb_layered_state *state)
{
  size_t base = wb_layered_base(states);
  size_t mask = states->slot_count - 1;
  size_t slot = state->hash & mask;
  for (; states->slots[slot] != NOWHERE; slot = (slot + 1) & mask) {
    uint32_t held = states->slots[slot];
    if (states->hashes[held] == state->hash &&
        memcmp(wb_layered_warps(states, base + held), state->warps, states->stride) == 0)
      return true;
  }
  if (states->count >= NOWHERE || !make_room(states) || wb_layered_bytes(states) > states->memory)
    return false;
  size_t index = states->count++;
  memcpy(states->warps + index * states->stride, state->warps, states->stride);
  states->parents[index] = state->parent;
  states->hashes[index - base] = state->hash;
  states->values[index - base] = state->value;
  states->slots[slot] = (uint32_t)(index - base);
  return grow_slots(states);
}

void wb_layered_states_free(struct wb_layered_states *states)
{
  free(states->warps);
  free(states->parents);
  free(states->start);
  free(states->hashes);
  free(states->values);
  free(states->slots);
}
