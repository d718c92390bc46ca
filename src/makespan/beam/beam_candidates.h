/* The states that a beam may keep of the next cycle: each once, the most valued ones. And the way
 * that it came: for each state kept, its parent and the move between them. */
#ifndef WB_MAKESPAN_BEAM_BEAM_CANDIDATES_H
#define WB_MAKESPAN_BEAM_BEAM_CANDIDATES_H

#include "base/hash_table.h"
#include "base/status.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

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

/* A move is a list of words, each some warps at one position that issue. */
static inline uint32_t wb_move_word(size_t position, uint32_t warps)
{
  return (uint32_t)position << 16 | warps;
}

static inline size_t wb_move_position(uint32_t word)
{
  return word >> 16;
}

static inline uint32_t wb_move_warps(uint32_t word)
{
  return word & 0xffff;
}

/* No node, and the parent of the first. */
#define WB_NO_NODE UINT32_MAX

struct wb_history_node {
  uint32_t parent; /* its node, or WB_NO_NODE */
  uint32_t words;  /* where the words of the move that led here begin; they end where those of the
                      next node do */
};

/* Invariant: a node's parent stands before it. nodes[0] is the start. Zero-initialise;
 * free with wb_beam_history_free. */
struct wb_beam_history {
  struct wb_history_node *nodes;
  size_t count;
  size_t capacity;
  uint32_t *words;
  size_t word_count;
  size_t word_capacity;
};

/* Adds a node, and says where; WB_NO_NODE where memory is out or a number overflows. */
uint32_t wb_beam_history_add(struct wb_beam_history *history, uint32_t parent,
                             const uint32_t *words, size_t word_count);

/* Forgets every node that leads to none of live[0..count-1], and writes into live where
 * those now stand. Linear in the nodes. false: no memory for it, nothing changed. */
bool wb_beam_history_collect(struct wb_beam_history *history, uint32_t *live, size_t count);

/* The schedule of the path to `node`, one cycle a node; the path must end with all warps
 * finished. Errors: WARPBOUND_LIMIT (schedule too large), WARPBOUND_INTERNAL. */
warpbound_status wb_beam_history_schedule(const struct wb_beam_history *history, uint32_t node,
                                          const struct wb_problem *problem,
                                          struct wb_schedule *schedule, warpbound_error *error);

void wb_beam_history_free(struct wb_beam_history *history);

#endif
