/* States of the machine in layers, each state of a layer once, as numbers in no more bytes than
 * their count calls for. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_STATES_H
#define WB_MAKESPAN_EXACT_LAYERED_STATES_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The combinatorial number system of states. With d(p) warps at position p or before it, a state is
 * d(0) <= d(1) <= .. <= warps. Over a segment of the string, its k-th position being p, the sum of
 * C(d(p) + k, k + 1) is the rank of the sequence (as in the dense table, doc/makespan.md). A
 * segment has as many positions as ranks of 64 bits allow. The code of a state is the ranks of its
 * segments, the last segment being the shorter one, each in the bytes that its largest rank takes.
 * Invariant: terms[k * (warps + 1) + d] = C(d + k, k + 1). Owns terms. */
struct wb_state_code {
  size_t length; /* positions of the string */
  uint32_t warps;
  size_t segment;       /* positions of a segment */
  size_t segment_count; /* segments of the string */
  size_t segment_bytes; /* of each but the last */
  size_t bytes;         /* of a state */
  uint64_t *terms;
};

/* For states of at most `warps` warps, at most 255. False: memory is out. Free in either case. */
bool wb_state_code_start(struct wb_state_code *code, size_t length, uint32_t warps);
void wb_state_code_free(struct wb_state_code *code);

/* Whether the invariant holds, and no segment has more or fewer bytes than its largest rank. Time:
 * of the terms. */
bool wb_state_code_is_valid(const struct wb_state_code *code);

/* The code of the state with warps[p] warps at position p; those past the end do not count. All
 * zeros: the state in which all are past it. */
void wb_state_code_pack(const struct wb_state_code *code, const uint8_t *warps, uint8_t *bytes);

/* The state of a code. terms[p], unless terms is NULL, is where position p has its term: with x
 * warps fewer at p or before it, the rank of its segment has terms[p][-x] in its place.
 * Time: length + warps. */
void wb_state_code_unpack(const struct wb_state_code *code, const uint8_t *bytes, uint8_t *warps,
                          const uint64_t **terms);

static inline size_t wb_state_code_segment_bytes(const struct wb_state_code *code, size_t segment)
{
  return segment + 1 < code->segment_count ? code->segment_bytes
                                           : code->bytes - segment * code->segment_bytes;
}

/* The rank of a segment. */
static inline uint64_t wb_state_code_load(const struct wb_state_code *code, const uint8_t *bytes,
                                          size_t segment)
{
  const uint8_t *from = bytes + segment * code->segment_bytes;
  uint64_t number = 0;
  for (size_t i = wb_state_code_segment_bytes(code, segment); i-- > 0;)
    number = number << 8 | from[i];
  return number;
}

/* Makes `number` the rank of a segment. */
static inline void wb_state_code_store(const struct wb_state_code *code, uint8_t *bytes,
                                       size_t segment, uint64_t number)
{
  uint8_t *to = bytes + segment * code->segment_bytes;
  for (size_t i = wb_state_code_segment_bytes(code, segment); i > 0; i--, number >>= 8)
    *to++ = (uint8_t)number;
}

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
  size_t bytes;     /* of a state's code (struct wb_state_code) */
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
