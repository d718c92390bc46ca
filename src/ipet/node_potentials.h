/* The least potentials of a flow system for given gains of its edges: by each node the largest
 * gain of a way from it to an end; or cycles that gain, for which there are none. */
#ifndef WB_IPET_NODE_POTENTIALS_H
#define WB_IPET_NODE_POTENTIALS_H

#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nodes are looked at in an order in which those that follow come first, as far as cycles allow,
 * over and over as long as one rises: once more than ways go against that order.
 *   first, leaving  the edges that leave v: leaving[first[v]] .. leaving[first[v + 1] - 1]
 *   from, before    the nodes that edges to v come from, in the same way
 *   order           all nodes
 *   gain            by edge: set by the caller
 *   potential       by node: the result
 *   way             by node: the edge by which it has its potential, UINT32_MAX for none
 *   cycles          edges of the cycles that gain, cycle_end: one past the last of each
 * The system is borrowed, the rest owned: wb_node_potentials_free. */
struct wb_node_potentials {
  const struct wb_flow_system *system;
  size_t *first;
  uint32_t *leaving;
  size_t *from;
  uint32_t *before;
  uint32_t *order;
  int64_t *gain;
  int64_t *potential;
  uint32_t *way;
  uint32_t *mark; /* scratch by node */
  bool *changed;  /* scratch by node: to be looked at */
  uint32_t *cycles;
  size_t *cycle_end;
  size_t cycle_count;
};

/* False where memory is out; to be freed also then. Linear. */
bool wb_node_potentials_make(struct wb_node_potentials *potentials,
                             const struct wb_flow_system *system);
void wb_node_potentials_free(struct wb_node_potentials *potentials);

enum wb_node_potentials_outcome {
  WB_NODE_POTENTIALS_FOUND,
  WB_NODE_POTENTIALS_POSITIVE_CYCLE, /* cycles gain: some of them are in `cycles`, no two with a
                                        common node */
  WB_NODE_POTENTIALS_TOO_LARGE       /* a number does not fit */
};

/* A node that no end can be reached from keeps a number so low that no way over it counts. */
enum wb_node_potentials_outcome wb_node_potentials_find(struct wb_node_potentials *potentials);

#endif
