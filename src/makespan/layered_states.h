/* States of the machine in layers, each state of a layer once. */
#ifndef WB_MAKESPAN_LAYERED_STATES_H
#define WB_MAKESPAN_LAYERED_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All layers, one behind the other; the states of layer t are start[t] .. start[t+1]-1. A
 * state is `stride` bytes, the number of warps at each position, and the index of its
 * parent, by which the first path to it came. Of the last layer alone: each state's hash
 * and table value, and a hash table (slots, a power of two) that finds a state's index.
 * memory: most bytes of all that. Set stride and memory, the rest to zero; free with
 * wb_layered_states_free. */
struct wb_layered_states {
  size_t stride;
  uint64_t memory;
  size_t count;
  uint8_t *warps;
  size_t warp_capacity;
  uint32_t *parents;
  size_t parent_capacity;
  size_t *start;
  size_t start_capacity;
  size_t layer_count;
  uint64_t *hashes;
  size_t hash_capacity;
  uint32_t *values;
  size_t value_capacity;
  uint32_t *slots;
  size_t slot_count;
};
void wb_layered_states_free(struct wb_layered_states *states);

/* A state to add. hash: the same for equal states. */
struct wb_layered_state {
  const uint8_t *warps;
  uint64_t hash;
  uint32_t value;
  uint32_t parent;
};

static inline const uint8_t *wb_layered_warps(const struct wb_layered_states *states, size_t index)
{
  return states->warps + index * states->stride;
}

/* The index of the last layer's first state; there is a layer. */
static inline size_t wb_layered_base(const struct wb_layered_states *states)
{
  return states->start[states->layer_count - 1];
}

/* The state `index`, of the last layer. */
struct wb_layered_state wb_layered_state_at(const struct wb_layered_states *states, size_t index);

/* Begins a layer behind the last. False: memory is out. */
bool wb_layered_begin(struct wb_layered_states *states);

/* Puts the state into the last layer unless it is there: the first of equals stays. What the
 * memory says depends on nothing but the states that are there. False: memory is out. */
bool wb_layered_add(struct wb_layered_states *states, const struct wb_layered_state *state);

/* Forgets all states and layers, and begins the first one. */
bool wb_layered_empty(struct wb_layered_states *states);

uint64_t wb_layered_bytes(const struct wb_layered_states *states);

#endif
