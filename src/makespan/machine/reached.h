/* The states that an exact search has reached: each once, with the longest way to it. */
#ifndef WB_MAKESPAN_MACHINE_REACHED_H
#define WB_MAKESPAN_MACHINE_REACHED_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_NOWHERE UINT32_MAX

struct wb_reached_node {
  uint32_t cycles; /* the most that lead to the state */
  uint32_t parent; /* the state before it on that way */
  uint32_t next;   /* another state of its level */
};

/* States, numbered in the order in which they were reached. Invariant: they differ, and the table
 * finds each. Owns its arrays; the context is borrowed. */
struct wb_reached {
  size_t stride;  /* bytes of a state */
  uint8_t *bytes; /* by state */
  size_t byte_capacity;
  struct wb_reached_node *nodes; /* by state */
  size_t node_capacity;
  size_t count;
  struct wb_hash_table table; /* indices by the bytes */
  uint32_t *level;            /* by level: a state of it, from which `next` leads to the others */
  size_t levels;
  uint64_t (*hash)(const void *context, const uint8_t *state);
  const void *context; /* of hash */
};

/* stride, levels, hash and context are set, the rest is zero. false: no memory. Free with
 * wb_reached_free, failed or not. */
bool wb_reached_start(struct wb_reached *reached);
void wb_reached_free(struct wb_reached *reached);
uint64_t wb_reached_bytes(const struct wb_reached *reached);

static inline const uint8_t *wb_reached_state(const struct wb_reached *reached, size_t index)
{
  return reached->bytes + index * reached->stride;
}

/* Records a state of the level, which has that hash; of several ways the longest is kept. Returns
 * false when out of memory. */
bool wb_reached_add(struct wb_reached *reached, const uint8_t *state, uint64_t hash, size_t level,
                    uint32_t cycles, uint32_t parent);

/* The states on the longest way to state `end`, from the first one on: cycles + 1 of them. NULL: no
 * memory. The caller frees it. */
uint32_t *wb_reached_way(const struct wb_reached *reached, uint32_t end);

#endif
