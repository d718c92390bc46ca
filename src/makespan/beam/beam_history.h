/* The way that a beam came: for each state kept, its parent and the move between them. */
#ifndef WB_MAKESPAN_BEAM_BEAM_HISTORY_H
#define WB_MAKESPAN_BEAM_BEAM_HISTORY_H

#include "base/status.h"
#include "makespan/machine/schedule.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
