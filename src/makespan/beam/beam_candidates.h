/* The states that a beam may keep of the next cycle: each once, the most valued ones. */
#ifndef WB_MAKESPAN_BEAM_BEAM_CANDIDATES_H
#define WB_MAKESPAN_BEAM_BEAM_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state as a move of a parent: its value, the part of the value that adds up over
 * warps, its hash, the parent's index and where the words of the move begin and how many
 * they are. */
struct wb_candidate {
  int64_t value;
  int64_t linear;
  uint64_t hash;
  uint32_t parent;
  uint32_t words;
  uint32_t word_count;
};

/* Invariant: hashes are distinct; count <= capacity; slots (a power of two, at least
 * twice the capacity) find a candidate's index by its hash. threshold: candidates that
 * are not valued more cannot be among the `width` best. dropped: one has been turned down
 * or cut off since the start. */
struct wb_beam_candidates {
  struct wb_candidate *list;
  size_t width;
  size_t count;
  size_t capacity;
  uint32_t *slots;
  size_t slot_count;
  uint32_t *words;
  size_t word_count;
  size_t word_capacity;
  uint32_t *spare;
  size_t spare_capacity;
  int64_t threshold;
  bool dropped;
};

/* false: no memory. Free with wb_beam_candidates_free, failed or not. */
bool wb_beam_candidates_start(struct wb_beam_candidates *candidates, size_t width);
void wb_beam_candidates_free(struct wb_beam_candidates *candidates);

/* What wb_beam_candidates_start takes for a width, in bytes. */
uint64_t wb_beam_candidates_bytes(size_t width);

/* Forgets all candidates. */
void wb_beam_candidates_empty(struct wb_beam_candidates *candidates);

/* Whether a state of that value and hash would be kept now. */
bool wb_beam_candidates_wants(struct wb_beam_candidates *candidates, int64_t value, uint64_t hash);

/* Adds a candidate that is wanted, with room for its words, which the caller fills in;
 * NULL where memory is out. The pointer holds until the next call. */
uint32_t *wb_beam_candidates_add(struct wb_beam_candidates *candidates,
                                 const struct wb_candidate *candidate);

/* Cuts down to the `width` most valued, ties going to the smaller hash. Linear on
 * average. false: no memory. */
bool wb_beam_candidates_narrow(struct wb_beam_candidates *candidates);

#endif
