#include "base/hash_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SLOTS ((size_t)64)

static bool make(struct wb_hash_table *table, size_t slot_count)
{
  uint32_t *slots = wb_allocate(slot_count, sizeof *slots);
  if (slots == NULL)
    return false;
  *table = (struct wb_hash_table){slots, slot_count};
  return true;
}

static uint64_t slots_for(size_t count)
{
  uint64_t slots = LEAST_SLOTS;
  while (slots / 2 < count && slots <= UINT32_MAX)
    slots *= 2;
  return slots;
}

uint64_t wb_hash_table_need(size_t count)
{
  return slots_for(count) * sizeof(uint32_t);
}

bool wb_hash_table_reserve(struct wb_hash_table *table, size_t count)
{
  struct wb_hash_table made;
  const uint64_t slots = slots_for(count);
  if (count >= UINT32_MAX || slots > SIZE_MAX || !make(&made, (size_t)slots))
    return false;
  free(table->slots);
  *table = made;
  return true;
}

bool wb_hash_table_double(struct wb_hash_table *table, size_t count, wb_hash_of *hash_of,
                          const void *items)
{
  struct wb_hash_table grown;
  if (count >= UINT32_MAX - 1 || table->slot_count > SIZE_MAX / 2 ||
      !make(&grown, table->slot_count > 0 ? 2 * table->slot_count : LEAST_SLOTS))
    return false;
  const size_t mask = grown.slot_count - 1;
  for (size_t i = 0; i < count; i++) {
    size_t slot = (size_t)hash_of(items, (uint32_t)i) & mask;
    while (grown.slots[slot] != 0)
      slot = (slot + 1) & mask;
    grown.slots[slot] = (uint32_t)i + 1;
  }
  free(table->slots);
  *table = grown;
  return true;
}

bool wb_hash_table_is_valid(const struct wb_hash_table *table, size_t count)
{
  size_t used = 0;
  if ((table->slot_count & (table->slot_count - 1)) != 0 || table->slot_count / 2 < count)
    return false;
  for (size_t i = 0; i < table->slot_count; i++) {
    if (table->slots[i] > count)
      return false;
    used += table->slots[i] != 0;
  }
  return used == count;
}

void wb_hash_table_clear(struct wb_hash_table *table)
{
  if (table->slot_count > 0)
    memset(table->slots, 0, table->slot_count * sizeof *table->slots);
}

uint64_t wb_hash_table_bytes(const struct wb_hash_table *table)
{
  return table->slot_count * (uint64_t)sizeof *table->slots;
}

void wb_hash_table_free(struct wb_hash_table *table)
{
  free(table->slots);
  *table = (struct wb_hash_table){0};
}
