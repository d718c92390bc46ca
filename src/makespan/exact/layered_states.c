#include "makespan/exact/layered_states.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- codes ---- */

/* Positions of a segment at most: the terms take a few MiB and not more. */
#define MOST_POSITIONS ((size_t)4096)

/* Bytes of the ranks of a segment of so many positions. */
static size_t bytes_of_segment(const struct wb_state_code *code, size_t positions)
{
  uint64_t largest = 0;
  for (size_t k = 0; k < positions; k++)
    largest += code->terms[k * ((size_t)code->warps + 1) + code->warps];
  size_t bytes = 1;
  while (largest >>= 8)
    bytes++;
  return bytes;
}

bool wb_state_code_start(struct wb_state_code *code, size_t length, uint32_t warps)
{
  assert(length > 0 && warps <= UINT8_MAX);
  *code = (struct wb_state_code){.length = length, .warps = warps};
  size_t most = (size_t)wb_minimum(length, MOST_POSITIONS);
  size_t capacity = 0;
  uint64_t largest = 0;
  const size_t columns = (size_t)warps + 1;
  bool longer = true; /* the largest number with the next position has 64 bits */
  while (longer && code->segment < most) {
    if (!wb_grow(code->terms, &capacity, (code->segment + 1) * columns))
      return false;
    uint64_t *row = code->terms + code->segment * columns;
    row[0] = 0;
    for (size_t d = 1; d < columns && longer; d++) {
      /* C(d + k, k + 1) = C(d - 1 + k, k + 1) + C(d + k - 1, k) */
      uint64_t before = code->segment > 0 ? row[d - columns] : 1;
      longer = wb_add(row[d - 1], before, &row[d]);
    }
    longer = longer && wb_add(largest, row[warps], &largest);
    code->segment += longer;
  }
  assert(code->segment > 0); /* the first position has terms up to 255 */
  code->segment_count = (length + code->segment - 1) / code->segment;
  code->segment_bytes = bytes_of_segment(code, code->segment);
  size_t whole = code->segment_count - 1;
  code->bytes =
      whole * code->segment_bytes + bytes_of_segment(code, length - whole * code->segment);
  assert(wb_state_code_is_valid(code));
  return true;
}

bool wb_state_code_is_valid(const struct wb_state_code *code)
{
  const size_t columns = (size_t)code->warps + 1;
  size_t positions = 0, bytes = 0;
  for (size_t k = 0; k < code->segment; k++) {
    const uint64_t *row = code->terms + k * columns;
    if (row[0] != 0)
      return false;
    for (size_t d = 1; d < columns; d++)
      if (row[d] != row[d - 1] + (k > 0 ? row[d - columns] : 1))
        return false;
  }
  for (size_t i = 0; i < code->segment_count; i++) {
    size_t most = (size_t)wb_minimum(code->segment, code->length - positions);
    size_t held = wb_state_code_segment_bytes(code, i);
    if (held != bytes_of_segment(code, most))
      return false;
    positions += most;
    bytes += held;
  }
  return positions == code->length && bytes == code->bytes;
}

void wb_state_code_free(struct wb_state_code *code)
{
  free(code->terms);
}

void wb_state_code_pack(const struct wb_state_code *code, const uint8_t *warps, uint8_t *bytes)
{
  uint32_t standing = 0;
  size_t position = 0;
  for (size_t segment = 0; segment < code->segment_count; segment++) {
    uint64_t number = 0;
    for (size_t k = 0; k < code->segment && position < code->length; k++) {
      standing += warps[position++];
      number += code->terms[k * ((size_t)code->warps + 1) + standing];
    }
    wb_state_code_store(code, bytes, segment, number);
  }
}

void wb_state_code_unpack(const struct wb_state_code *code, const uint8_t *bytes, uint8_t *warps,
                          const uint64_t **terms)
{
  uint32_t standing = code->warps;
  size_t position = code->length;
  for (size_t segment = code->segment_count; segment-- > 0;) {
    uint64_t number = wb_state_code_load(code, bytes, segment);
    for (size_t k = position - segment * code->segment; k-- > 0;) {
      const uint64_t *row = code->terms + k * ((size_t)code->warps + 1);
      uint32_t behind = standing;
      while (row[standing] > number)
        standing--;
      number -= row[standing];
      if (position < code->length)
        warps[position] = (uint8_t)(behind - standing);
      position--;
      if (terms != NULL)
        terms[position] = row + standing;
    }
  }
  warps[0] = (uint8_t)standing;
}

/* ---- layers ---- */

/* States of a layer that the first table has room for. */
#define FIRST_STATES ((size_t)512)

uint64_t wb_layered_bytes(const struct wb_layered_states *states)
{
  return states->block_count * (WB_LAYERED_BLOCK * (uint64_t)states->bytes) +
         states->block_capacity * sizeof *states->blocks +
         states->layer_capacity * sizeof *states->layers + states->step_capacity +
         states->note_capacity * sizeof *states->notes + wb_hash_table_bytes(&states->table);
}

static uint64_t hash_of(const void *states, uint32_t held)
{
  return ((const struct wb_layered_states *)states)->notes[held].hash;
}

/* A state that may be in the last layer. */
struct sought {
  uint64_t hash;
  const uint8_t *code;
};

static bool same_state(const void *items, uint32_t held, const void *key)
{
  const struct wb_layered_states *states = items;
  const struct sought *sought = key;
  return states->notes[held].hash == sought->hash &&
         memcmp(wb_layered_code(states, wb_layered_base(states) + held), sought->code,
                states->bytes) == 0;
}

static void put_step(struct wb_layered_states *states, unsigned step)
{
  uint8_t *byte = &states->steps[states->step_count / 8];
  unsigned bit = states->step_count % 8;
  *byte = (uint8_t)((bit == 0 ? 0 : *byte) | step << bit);
  states->step_count++;
}

size_t wb_layered_parent(const struct wb_layered_states *states, size_t layer, size_t index)
{
  size_t place = index - states->layers[layer].first;
  size_t parent = states->layers[layer - 1].first;
  if (layer + 1 == states->layer_count)
    return parent + states->notes[place].parent;
  for (uint64_t step = states->layers[layer].steps;; step++) {
    if ((states->steps[step / 8] >> step % 8 & 1) == 0)
      parent++;
    else if (place-- == 0)
      return parent;
  }
}

/* The slot of a state: its place + 1 in the last layer, or 0. */
static uint32_t *slot_of(const struct wb_layered_states *states, const uint8_t *code, uint64_t hash)
{
  const struct sought sought = {hash, code};
  return wb_hash_table_slot(&states->table, hash, same_state, states, &sought);
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
    if (growing && *slot_of(states, wb_layered_code(states, i), note->hash) != i - base + 1)
      return false;
  }
  return true;
}

bool wb_layered_begin(struct wb_layered_states *states)
{
  assert(wb_layered_is_valid(states, false));
  if (states->layer_count > 0 && states->count > wb_layered_base(states)) {
    /* Turns the parents of the last layer into steps. */
    size_t of_layer = states->count - wb_layered_base(states);
    uint64_t steps = states->step_count + of_layer + states->notes[of_layer - 1].parent;
    if (!wb_grow(states->steps, &states->step_capacity, (size_t)(steps / 8 + 1)))
      return false;
    uint32_t reached = 0;
    for (size_t i = 0; i < of_layer; i++) {
      for (; reached < states->notes[i].parent; reached++)
        put_step(states, 0);
      put_step(states, 1);
    }
  }
  if (!wb_grow(states->layers, &states->layer_capacity, states->layer_count + 1))
    return false;
  states->layers[states->layer_count++] =
      (struct wb_layered_layer){states->count, states->step_count};
  wb_hash_table_clear(&states->table);
  return states->table.slot_count > 0 || wb_hash_table_reserve(&states->table, FIRST_STATES);
}

bool wb_layered_empty(struct wb_layered_states *states)
{
  states->count = 0;
  states->layer_count = 0;
  states->step_count = 0;
  return wb_layered_begin(states);
}

bool wb_layered_add(struct wb_layered_states *states, const uint8_t *code,
                    const struct wb_layered_note *note)
{
  size_t base = wb_layered_base(states);
  uint32_t *slot = slot_of(states, code, note->hash);
  if (*slot != 0)
    return true;
  /* Room for one more state. */
  size_t of_layer = states->count - wb_layered_base(states) + 1;
  if (of_layer >= UINT32_MAX || !wb_grow(states->notes, &states->note_capacity, of_layer))
    return false;
  if (states->count / WB_LAYERED_BLOCK == states->block_count) {
    if (states->bytes > SIZE_MAX / WB_LAYERED_BLOCK ||
        !wb_grow(states->blocks, &states->block_capacity, states->block_count + 1))
      return false;
    uint64_t held = wb_layered_bytes(states);
    if (held > states->memory || WB_LAYERED_BLOCK * states->bytes > states->memory - held)
      return false;
    uint8_t *block = malloc(WB_LAYERED_BLOCK * states->bytes);
    if (block == NULL)
      return false;
    states->blocks[states->block_count++] = block;
  }
  if (wb_layered_bytes(states) > states->memory)
    return false;
  size_t index = states->count++;
  memcpy(wb_layered_code(states, index), code, states->bytes);
  states->notes[index - base] = *note;
  *slot = (uint32_t)(index - base) + 1;
  return wb_hash_table_grow(&states->table, states->count - wb_layered_base(states), hash_of,
                            states);
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
  wb_hash_table_free(&states->table);
}
