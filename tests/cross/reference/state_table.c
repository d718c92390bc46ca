#include "state_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)256)

static size_t hash_of(const struct state *state)
{
  uint64_t hash = UINT64_C(1469598103934665603);
  for (unsigned w = 0; w < STATE_TABLE_WARPS; w++)
    hash = (hash ^ state->of[w]) * UINT64_C(1099511628211);
  return (size_t)(hash ^ (hash >> 29));
}

/* Where the state is, or would be. */
static struct state_entry *place_of(struct state_entry *entries, size_t capacity,
                                    const struct state *state)
{
  size_t at = hash_of(state) & (capacity - 1);
  while (entries[at].used && memcmp(&entries[at].state, state, sizeof *state) != 0)
    at = (at + 1) & (capacity - 1);
  return &entries[at];
}

bool state_table_start(struct state_table *table, size_t limit)
{
  *table = (struct state_table){.entries = calloc(FIRST_CAPACITY, sizeof *table->entries),
                                .capacity = FIRST_CAPACITY,
                                .limit = limit};
  return table->entries != NULL;
}

void state_table_free(struct state_table *table)
{
  free(table->entries);
}

const struct state_entry *state_table_find(const struct state_table *table,
                                           const struct state *state)
{
  const struct state_entry *entry = place_of(table->entries, table->capacity, state);
  return entry->used ? entry : NULL;
}

static bool enlarge(struct state_table *table)
{
  size_t capacity = table->capacity * 2;
  struct state_entry *entries = calloc(capacity, sizeof *entries);
  if (entries == NULL)
    return false;
  for (size_t i = 0; i < table->capacity; i++) {
    if (table->entries[i].used)
      *place_of(entries, capacity, &table->entries[i].state) = table->entries[i];
  }
  free(table->entries);
  table->entries = entries;
  table->capacity = capacity;
  return true;
}

void state_table_add(struct state_table *table, const struct state *state, uint32_t cycles)
{
  bool full = table->count * 2 >= table->capacity;
  if (table->count >= table->limit || (full && !enlarge(table))) {
    table->too_large = true;
    return;
  }
  *place_of(table->entries, table->capacity, state) = (struct state_entry){*state, cycles, true};
  table->count++;
}
