/* The states that a beam may keep of the next cycle: each once, the most valued ones. */
#ifndef WB_MAKESPAN_BEAM_BEAM_CANDIDATES_H
#define WB_MAKESPAN_BEAM_BEAM_CANDIDATES_H

#include "base/hash_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state as a move of a parent. */
struct wb_candidate {
  int64_t value;
  int64_t linear;      /* the part of the value that adds up over warps */
  uint64_t hash;       /* of the state */
  uint32_t parent;     /* index in the layer */
  uint32_t words;      /* where the move begins in the words of all */
  uint32_t word_count; /* of the move */
};

/* Invariant: hashes are distinct; count <= capacity; table finds each of them by its hash. */
struct wb_beam_candidates {
  struct wb_candidate *list;
  size_t width; /* most that are kept in the end */
  size_t count;
  size_t capacity;
  struct wb_hash_table table; /* of list, with room for the capacity */
  uint32_t *words;            /* the moves of all candidates */
  size_t word_count;
  size_t word_capacity;
  uint32_t *spare; /* working memory for words */
  size_t spare_capacity;
  int64_t threshold; /* a candidate that is not valued more is not among the `width` best */
  bool dropped;      /* a candidate has been turned down or cut off since the start */
};

/* False: memory is out. Free with wb_beam_candidates_free, failed or not. */
bool wb_beam_candidates_start(struct wb_beam_candidates *candidates, size_t width);
void wb_beam_candidates_free(struct wb_beam_candidates *candidates);

/* Bytes that wb_beam_candidates_start takes for a width. */
uint64_t wb_beam_candidates_bytes(size_t width);

/* Whether the invariant holds. Time: of the slots and candidates. */
bool wb_beam_candidates_are_valid(const struct wb_beam_candidates *candidates);

/* Forgets all candidates. */
void wb_beam_candidates_empty(struct wb_beam_candidates *candidates);

/* Whether a state of that value and hash would be kept now. */
bool wb_beam_candidates_wants(struct wb_beam_candidates *candidates, int64_t value, uint64_t hash);

/* Adds a candidate that is wanted, with room for its words, which the caller fills in;
 * NULL where memory is out. The pointer holds until the next call. */
uint32_t *wb_beam_candidates_add(struct wb_beam_candidates *candidates,
                                 const struct wb_candidate *candidate);

/* Cuts down to the `width` most valued, ties going to the smaller hash. Linear on
 * average. False: memory is out. */
bool wb_beam_candidates_narrow(struct wb_beam_candidates *candidates);

#endif
