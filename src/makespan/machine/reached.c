#include "makespan/machine/reached.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* States that the first table has room for. */
#define FIRST_STATES ((size_t)512)

bool wb_reached_start(struct wb_reached *reached)
{
  reached->level = wb_allocate(reached->levels, sizeof *reached->level);
  if (!wb_hash_table_reserve(&reached->table, FIRST_STATES) || reached->level == NULL)
    return false;
  memset(reached->level, 0xff, reached->levels * sizeof *reached->level);
  return true;
}

void wb_reached_free(struct wb_reached *reached)
{
  free(reached->bytes);
  free(reached->nodes);
  wb_hash_table_free(&reached->table);
  free(reached->level);
}

uint64_t wb_reached_bytes(const struct wb_reached *reached)
{
  return reached->byte_capacity + reached->node_capacity * sizeof *reached->nodes +
         wb_hash_table_bytes(&reached->table) + reached->levels * sizeof *reached->level;
}

static uint64_t hash_of_index(const void *items, uint32_t index)
{
  const struct wb_reached *reached = items;
  return reached->hash(reached->context, wb_reached_state(reached, index));
}

static bool same_state(const void *items, uint32_t index, const void *state)
{
  const struct wb_reached *reached = items;
  return memcmp(wb_reached_state(reached, index), state, reached->stride) == 0;
}

bool wb_reached_add(struct wb_reached *reached, const uint8_t *state, uint64_t hash, size_t level,
                    uint32_t cycles, uint32_t parent)
{
  if (!wb_hash_table_grow(&reached->table, reached->count, hash_of_index, reached))
    return false;
  uint32_t *slot = wb_hash_table_slot(&reached->table, hash, same_state, reached, state);
  if (*slot != 0) {
    struct wb_reached_node *node = &reached->nodes[*slot - 1];
    if (cycles > node->cycles) {
      node->cycles = cycles;
      node->parent = parent;
    }
    return true;
  }
  if (reached->count >= WB_NOWHERE ||
      !wb_grow(reached->bytes, &reached->byte_capacity, (reached->count + 1) * reached->stride) ||
      !wb_grow(reached->nodes, &reached->node_capacity, reached->count + 1))
    return false;
  const uint32_t index = (uint32_t)reached->count++;
  memcpy(reached->bytes + index * reached->stride, state, reached->stride);
  reached->nodes[index] = (struct wb_reached_node){cycles, parent, reached->level[level]};
  reached->level[level] = index;
  *slot = index + 1;
  return true;
}

uint32_t *wb_reached_way(const struct wb_reached *reached, uint32_t end)
{
  const size_t cycles = reached->nodes[end].cycles;
  uint32_t *way = wb_allocate(cycles + 1, sizeof *way);
  for (size_t t = cycles + 1; t-- > 0 && way != NULL; end = reached->nodes[end].parent)
    way[t] = end;
  return way;
}
