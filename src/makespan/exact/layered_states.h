/* States of the machine in layers, each state of a layer once. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_STATES_H
#define WB_MAKESPAN_EXACT_LAYERED_STATES_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* States whose codes stand together. */
#define WB_LAYERED_BLOCK ((size_t)1024)

/* Beside its code, of a state of the last layer. */
struct wb_layered_note {
  uint64_t hash;   /* the same for equal states */
  uint32_t value;  /* of the search that the layers are for */
  uint32_t parent; /* in the layer before, the place of the state by which the first path came */
};

struct wb_layered_layer {
  size_t first;   /* the index of its first state */
  uint64_t steps; /* the index of its first step */
};

/* All layers, one after the other. Set bytes and memory, the rest to zero; free with
 * wb_layered_states_free.
 * Invariant: the states of a layer differ, and their parents ascend. Parents are kept as steps, a
 * bit each, 0 to the next parent and 1 for a state of the parent reached: about two bits a state.
 * The last layer has notes and a hash table instead. */
struct wb_layered_states {
  size_t bytes;     /* of a state's code (state_code.h) */
  uint64_t memory;  /* most bytes of all of this */
  size_t count;     /* states of all layers */
  uint8_t **blocks; /* their codes, WB_LAYERED_BLOCK each; blocks never move */
  size_t block_count;
  size_t block_capacity;
  struct wb_layered_layer *layers;
  size_t layer_count;
  size_t layer_capacity;
  uint8_t *steps;
  uint64_t step_count;           /* bits */
  size_t step_capacity;          /* bytes */
  struct wb_layered_note *notes; /* by place in the last layer */
  size_t note_capacity;
  struct wb_hash_table table; /* of the last layer's states, by their places in it */
};
void wb_layered_states_free(struct wb_layered_states *states);

/* The code of the state `index`; it stays where it is. */
static inline uint8_t *wb_layered_code(const struct wb_layered_states *states, size_t index)
{
  return states->blocks[index / WB_LAYERED_BLOCK] + index % WB_LAYERED_BLOCK * states->bytes;
}

/* The index of the last layer's first state; there is a layer. */
static inline size_t wb_layered_base(const struct wb_layered_states *states)
{
  return states->layers[states->layer_count - 1].first;
}

/* The index of the parent of the state `index` of a layer but the first. Time: the layer's steps.
 */
size_t wb_layered_parent(const struct wb_layered_states *states, size_t layer, size_t index);

/* Begins a layer after the last. False: memory is out. */
bool wb_layered_begin(struct wb_layered_states *states);

/* Puts the state into the last layer unless it is there: the first of equals stays. hash: the
 * same for equal states; no parent is before that of the state added last. What the
 * memory says depends on nothing but the states that are there. False: memory is out. */
bool wb_layered_add(struct wb_layered_states *states, const uint8_t *code,
                    const struct wb_layered_note *note);

/* Cuts the last layer down to the states whose note is wanted, in their order. The layer takes
 * no more states afterwards. */
void wb_layered_keep(struct wb_layered_states *states,
                     bool (*wanted)(const void *context, const struct wb_layered_note *note),
                     const void *context);

/* Whether the invariant holds of the last layer; growing: it takes more states, so that its hash
 * table finds each of them. Time: of the last layer. */
bool wb_layered_is_valid(const struct wb_layered_states *states, bool growing);

/* Forgets all states and layers, and begins the first one. */
bool wb_layered_empty(struct wb_layered_states *states);

/* Bytes of the states and layers. */
uint64_t wb_layered_bytes(const struct wb_layered_states *states);

#endif
