#include "sm/machine/sm_reached.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* States that the first table has room for. */
#define FIRST_STATES ((size_t)512)
/* Classes of states that are kept in one byte each. */
#define NARROW_CLASSES ((size_t)UINT8_MAX + 1)

bool wb_sm_reached_start(struct wb_sm_reached *reached, uint32_t warps, size_t classes,
                         size_t levels)
{
  const bool narrow = classes <= NARROW_CLASSES;
  *reached = (struct wb_sm_reached){.warps = warps,
                                    .narrow = narrow,
                                    .stride = warps * (narrow ? sizeof(uint8_t) : sizeof(uint16_t)),
                                    .levels = levels,
                                    .level = wb_allocate(levels, sizeof *reached->level)};
  if (!wb_hash_table_reserve(&reached->table, FIRST_STATES) || reached->level == NULL)
    return false;
  memset(reached->level, 0xff, levels * sizeof *reached->level);
  return true;
}

void wb_sm_reached_free(struct wb_sm_reached *reached)
{
  free(reached->bytes);
  free(reached->nodes);
  wb_hash_table_free(&reached->table);
  free(reached->level);
}

uint64_t wb_sm_reached_bytes(const struct wb_sm_reached *reached)
{
  return reached->byte_capacity + reached->node_capacity * sizeof *reached->nodes +
         wb_hash_table_bytes(&reached->table) + reached->levels * sizeof *reached->level;
}

static uint64_t hash_of(const uint8_t *bytes, size_t count)
{
  uint64_t hash = count;
  while (count > 0) {
    const size_t part = count < sizeof(uint64_t) ? count : sizeof(uint64_t);
    uint64_t word = 0;
    memcpy(&word, bytes, part);
    hash = wb_hash_word(hash, word);
    bytes += part;
    count -= part;
  }
  return hash;
}

static uint64_t hash_of_index(const void *items, uint32_t index)
{
  const struct wb_sm_reached *reached = items;
  return hash_of(reached->bytes + index * reached->stride, reached->stride);
}

static bool same_state(const void *items, uint32_t index, const void *bytes)
{
  const struct wb_sm_reached *reached = items;
  return memcmp(reached->bytes + index * reached->stride, bytes, reached->stride) == 0;
}

static bool make_room(struct wb_sm_reached *reached)
{
  const bool fits =
      reached->count < WB_SM_NOWHERE &&
      wb_grow(reached->bytes, &reached->byte_capacity, (reached->count + 1) * reached->stride) &&
      wb_grow(reached->nodes, &reached->node_capacity, reached->count + 1);
  return fits && wb_hash_table_grow(&reached->table, reached->count, hash_of_index, reached);
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
  uint32_t *slot = wb_hash_table_slot(&reached->table, hash_of(bytes, reached->stride), same_state,
                                      reached, bytes);
  if (*slot != 0) {
    struct wb_sm_node *node = &reached->nodes[*slot - 1];
    if (cycles > node->cycles) {
      node->cycles = cycles;
      node->parent = parent;
    }
    return true;
  }
  const uint32_t index = (uint32_t)reached->count++;
  reached->nodes[index] = (struct wb_sm_node){cycles, parent, reached->level[level]};
  reached->level[level] = index;
  *slot = index + 1;
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
