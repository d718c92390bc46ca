#include "sm/machine/sm_reached.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS ((size_t)1024)
/* Classes of states that are kept in one byte each. */
#define NARROW_CLASSES ((size_t)UINT8_MAX + 1)

bool wb_sm_reached_start(struct wb_sm_reached *reached, uint32_t warps, size_t classes,
                         size_t levels)
{
  const bool narrow = classes <= NARROW_CLASSES;
  *reached = (struct wb_sm_reached){.warps = warps,
                                    .narrow = narrow,
                                    .stride = warps * (narrow ? sizeof(uint8_t) : sizeof(uint16_t)),
                                    .slot_count = FIRST_SLOTS,
                                    .slots = wb_allocate(FIRST_SLOTS, sizeof *reached->slots),
                                    .levels = levels,
                                    .level = wb_allocate(levels, sizeof *reached->level)};
  if (reached->slots == NULL || reached->level == NULL)
    return false;
  memset(reached->slots, 0xff, FIRST_SLOTS * sizeof *reached->slots);
  memset(reached->level, 0xff, levels * sizeof *reached->level);
  return true;
}

void wb_sm_reached_free(struct wb_sm_reached *reached)
{
  free(reached->bytes);
  free(reached->nodes);
  free(reached->slots);
  free(reached->level);
}

uint64_t wb_sm_reached_bytes(const struct wb_sm_reached *reached)
{
  return reached->byte_capacity + reached->node_capacity * sizeof *reached->nodes +
         reached->slot_count * sizeof *reached->slots + reached->levels * sizeof *reached->level;
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
  uint64_t hash = count;
  while (count > 0) {
    const size_t part = count < sizeof(uint64_t) ? count : sizeof(uint64_t);
    uint64_t word = 0;
    memcpy(&word, bytes, part);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 32;
    bytes += part;
    count -= part;
  }
  return hash;
}

/* Makes the hash table larger where it is half full. */
static bool grow_slots(struct wb_sm_reached *reached)
{
  if (reached->slot_count >= 2 * (reached->count + 1))
    return true;
  const size_t count = 2 * reached->slot_count;
  uint32_t *slots = wb_allocate(count, sizeof *slots);
  if (slots == NULL)
    return false;
  memset(slots, 0xff, count * sizeof *slots);
  for (size_t i = 0; i < reached->count; i++) {
    size_t slot = hash_of(reached->bytes + i * reached->stride, reached->stride) & (count - 1);
    while (slots[slot] != WB_SM_NOWHERE)
      slot = (slot + 1) & (count - 1);
    slots[slot] = (uint32_t)i;
  }
  free(reached->slots);
  reached->slots = slots;
  reached->slot_count = count;
  return true;
}

static bool make_room(struct wb_sm_reached *reached)
{
  void *bytes = reached->bytes;
  void *nodes = reached->nodes;
  const bool fits =
      reached->count < WB_SM_NOWHERE &&
      wb_grow(&bytes, &reached->byte_capacity, (reached->count + 1) * reached->stride, 1) &&
      wb_grow(&nodes, &reached->node_capacity, reached->count + 1, sizeof *reached->nodes);
  reached->bytes = bytes;
  reached->nodes = nodes;
  return fits && grow_slots(reached);
}

/* Writes the state's bytes after those of all others, where the next one would stand. */
static const uint8_t *write_bytes(struct wb_sm_reached *reached, const uint16_t *state)
{
  uint8_t *bytes = reached->bytes + reached->count * reached->stride;
  if (!reached->narrow)
    return memcpy(bytes, state, reached->stride);
  for (uint32_t w = 0; w < reached->warps; w++)
    bytes[w] = (uint8_t)state[w];
  return bytes;
}

bool wb_sm_reached_add(struct wb_sm_reached *reached, const uint16_t *state, size_t level,
                       uint32_t cycles, uint32_t parent)
{
  if (!make_room(reached))
    return false;
  const uint8_t *bytes = write_bytes(reached, state);
  const size_t mask = reached->slot_count - 1;
  size_t slot = hash_of(bytes, reached->stride) & mask;
  for (; reached->slots[slot] != WB_SM_NOWHERE; slot = (slot + 1) & mask) {
    const uint32_t index = reached->slots[slot];
    if (memcmp(reached->bytes + index * reached->stride, bytes, reached->stride) != 0)
      continue;
    if (cycles > reached->nodes[index].cycles) {
      reached->nodes[index].cycles = cycles;
      reached->nodes[index].parent = parent;
    }
    return true;
  }
  const uint32_t index = (uint32_t)reached->count++;
  reached->nodes[index] = (struct wb_sm_node){cycles, parent, reached->level[level]};
  reached->level[level] = index;
  reached->slots[slot] = index;
  return true;
}

void wb_sm_reached_read(const struct wb_sm_reached *reached, uint32_t index, uint16_t *state)
{
  const uint8_t *bytes = reached->bytes + index * reached->stride;
  if (!reached->narrow) {
    memcpy(state, bytes, reached->stride);
    return;
  }
  for (uint32_t w = 0; w < reached->warps; w++)
    state[w] = bytes[w];
}
