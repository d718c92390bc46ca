/* The longest paths that a brute force has found so far, by state: a byte for each warp. */
#ifndef TESTS_CROSS_STATE_TABLE_H
#define TESTS_CROSS_STATE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATE_TABLE_WARPS 16u

struct state {
  uint8_t of[STATE_TABLE_WARPS]; /* by warp; 0 for warps that there are not */
};

struct state_entry {
  struct state state;
  uint32_t cycles;
  bool used;
};

/* Owns its entries. too_large: states were left out, beyond the limit or for want of memory. */
struct state_table {
  struct state_entry *entries;
  size_t count;
  size_t capacity;
  size_t limit;
  bool too_large;
};

/* false: no memory. */
bool state_table_start(struct state_table *table, size_t limit);
void state_table_free(struct state_table *table);
/* NULL where the state is not known. */
const struct state_entry *state_table_find(const struct state_table *table,
                                           const struct state *state);
/* Adds a state that is not known. */
void state_table_add(struct state_table *table, const struct state *state, uint32_t cycles);

#endif
