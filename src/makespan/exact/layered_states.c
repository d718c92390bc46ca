#include "makespan/exact/layered_states.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOWHERE UINT32_MAX
#define FIRST_SLOTS ((size_t)1024)

uint64_t wb_layered_bytes(const struct wb_layered_states *states)
{
  return states->block_count * (WB_LAYERED_BLOCK * (uint64_t)states->bytes) +
         states->block_capacity * sizeof *states->blocks +
         states->layer_capacity * sizeof *states->layers + states->step_capacity +
         states->note_capacity * sizeof *states->notes + states->slot_count * sizeof *states->slots;
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
    size_t slot = states->notes[i].hash & (count - 1);
    while (slots[slot] != NOWHERE)
      slot = (slot + 1) & (count - 1);
    slots[slot] = (uint32_t)i;
  }
  free(states->slots);
  states->slots = slots;
  states->slot_count = count;
  return true;
}

static void put_step(struct wb_layered_states *states, unsigned step)
{
  uint8_t *byte = &states->steps[states->step_count / 8];
  unsigned bit = states->step_count % 8;
  *byte = (uint8_t)((bit == 0 ? 0 : *byte) | step << bit);
  states->step_count++;
}

static unsigned step_at(const struct wb_layered_states *states, uint64_t index)
{
  return states->steps[index / 8] >> index % 8 & 1;
}

/* Turns the parents of the last layer, if there is one with states, into steps. */
static bool keep_parents(struct wb_layered_states *states)
{
  if (states->layer_count == 0 || states->count == wb_layered_base(states))
    return true;
  size_t of_layer = states->count - wb_layered_base(states);
  uint64_t steps = states->step_count + of_layer + states->notes[of_layer - 1].parent;
  void *grown = states->steps;
  bool fits = wb_grow(&grown, &states->step_capacity, (size_t)(steps / 8 + 1), 1);
  states->steps = grown;
  if (!fits)
    return false;
  uint32_t reached = 0;
  for (size_t i = 0; i < of_layer; i++) {
    for (; reached < states->notes[i].parent; reached++)
      put_step(states, 0);
    put_step(states, 1);
  }
  return true;
}

size_t wb_layered_parent(const struct wb_layered_states *states, size_t layer, size_t index)
{
  size_t place = index - states->layers[layer].first;
  size_t parent = states->layers[layer - 1].first;
  if (layer + 1 == states->layer_count)
    return parent + states->notes[place].parent;
  for (uint64_t step = states->layers[layer].steps;; step++) {
    if (step_at(states, step) == 0)
      parent++;
    else if (place-- == 0)
      return parent;
  }
}

/* The place that the hash table has of a state, or NOWHERE. */
static uint32_t find_place(const struct wb_layered_states *states, const uint8_t *code,
                           uint64_t hash)
{
  size_t base = wb_layered_base(states), mask = states->slot_count - 1;
  size_t slot = hash & mask;
  while (states->slots[slot] != NOWHERE) {
    uint32_t place = states->slots[slot];
    if (states->notes[place].hash == hash &&
        memcmp(wb_layered_code(states, base + place), code, states->bytes) == 0)
      return place;
    slot = (slot + 1) & mask;
  }
  return NOWHERE;
}

bool wb_layered_is_valid(const struct wb_layered_states *states, bool growing)
{
  if (states->layer_count == 0)
    return states->count == 0;
  size_t base = wb_layered_base(states);
  if (base > states->count || states->count > states->block_count * WB_LAYERED_BLOCK)
    return false;
  for (size_t i = base; i < states->count; i++) {
    const struct wb_layered_note *note = &states->notes[i - base];
    if (i > base && note->parent < note[-1].parent)
      return false;
    if (growing && find_place(states, wb_layered_code(states, i), note->hash) != i - base)
      return false;
  }
  return true;
}

bool wb_layered_begin(struct wb_layered_states *states)
{
  assert(wb_layered_is_valid(states, false));
  void *layers = states->layers;
  if (!keep_parents(states) ||
      !wb_grow(&layers, &states->layer_capacity, states->layer_count + 1, sizeof *states->layers))
    return false;
  states->layers = layers;
  states->layers[states->layer_count++] =
      (struct wb_layered_layer){states->count, states->step_count};
  if (states->slots != NULL)
    memset(states->slots, 0xff, states->slot_count * sizeof *states->slots);
  return grow_slots(states);
}

bool wb_layered_empty(struct wb_layered_states *states)
{
  states->count = 0;
  states->layer_count = 0;
  states->step_count = 0;
  return wb_layered_begin(states);
}

/* Room for one more code. */
static bool make_block(struct wb_layered_states *states)
{
  if (states->count / WB_LAYERED_BLOCK < states->block_count)
    return true;
  void *blocks = states->blocks;
  if (states->bytes > SIZE_MAX / WB_LAYERED_BLOCK ||
      !wb_grow(&blocks, &states->block_capacity, states->block_count + 1, sizeof *states->blocks))
    return false;
  states->blocks = blocks;
  uint64_t held = wb_layered_bytes(states);
  if (held > states->memory || WB_LAYERED_BLOCK * states->bytes > states->memory - held)
    return false;
  uint8_t *block = malloc(WB_LAYERED_BLOCK * states->bytes);
  if (block == NULL)
    return false;
  states->blocks[states->block_count++] = block;
  return true;
}

/* Room for one more state. */
static bool make_room(struct wb_layered_states *states)
{
  size_t of_layer = states->count - wb_layered_base(states) + 1;
  void *notes = states->notes;
  bool fits = of_layer < NOWHERE &&
              wb_grow(&notes, &states->note_capacity, of_layer, sizeof *states->notes);
  states->notes = notes;
  return fits && make_block(states) && wb_layered_bytes(states) <= states->memory;
}

bool wb_layered_add(struct wb_layered_states *states, const uint8_t *code,
                    const struct wb_layered_note *note)
{
  size_t base = wb_layered_base(states);
  size_t mask = states->slot_count - 1;
  size_t slot = note->hash & mask;
  for (; states->slots[slot] != NOWHERE; slot = (slot + 1) & mask) {
    uint32_t held = states->slots[slot];
    if (states->notes[held].hash == note->hash &&
        memcmp(wb_layered_code(states, base + held), code, states->bytes) == 0)
      return true;
  }
  if (!make_room(states))
    return false;
  size_t index = states->count++;
  memcpy(wb_layered_code(states, index), code, states->bytes);
  states->notes[index - base] = *note;
  states->slots[slot] = (uint32_t)(index - base);
  return grow_slots(states);
}

void wb_layered_keep(struct wb_layered_states *states,
                     bool (*wanted)(const void *context, const struct wb_layered_note *note),
                     const void *context)
{
  assert(wb_layered_is_valid(states, true));
  size_t base = wb_layered_base(states);
  size_t kept = base;
  for (size_t i = base; i < states->count; i++) {
    if (!wanted(context, &states->notes[i - base]))
      continue;
    memmove(wb_layered_code(states, kept), wb_layered_code(states, i), states->bytes);
    states->notes[kept++ - base] = states->notes[i - base];
  }
  states->count = kept;
}

void wb_layered_states_free(struct wb_layered_states *states)
{
  for (size_t i = 0; i < states->block_count; i++)
    free(states->blocks[i]);
  free(states->blocks);
  free(states->layers);
  free(states->steps);
  free(states->notes);
  free(states->slots);
}
