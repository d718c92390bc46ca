/* The least potentials of the ports of a flow system for given gains of its edges: the most that
 * can still be gained by leaving by the port. The potential of a node is the sum of those of its
 * ports. Of a walk it is the largest gain of a path from the node to an end (Bellman-Ford). Or
 * cycles of positive gain, for which there are none. */
#ifndef WB_IPET_SOLVE_NODE_POTENTIALS_H
#define WB_IPET_SOLVE_NODE_POTENTIALS_H

#include "base/arena.h"
#include "base/buckets.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nodes are relaxed in postorder, over and over as long as a potential rises: once more than a path
 * has edges against that order. Potentials are lower bounds of the least solution all the time. So
 * a cycle on which each port got its potential by the edge to the next one's node has none: it
 * gains what its edges gain and `side`, what other ports of its nodes add. The system is borrowed,
 * the rest lives in an arena. */
struct wb_node_potentials {
  const struct wb_flow_system *system;
  struct wb_buckets leaving;  /* edges by origin */
  struct wb_buckets entering; /* edges by target */
  uint32_t *order;            /* all nodes in postorder */
  int64_t *gain;              /* by edge: set by the caller */
  int64_t *potential;         /* by port: the result */
  int64_t *value;             /* by node: the sum of its ports' potentials */
  uint32_t *best_edge;        /* by port: the edge that gave it its potential; UINT32_MAX: none */
  size_t *first_port;         /* by node, and one more: its ports */
  uint32_t *mark;             /* scratch by port */
  size_t *at;                 /* scratch by node and by port */
  uint32_t *stack;            /* scratch by node and by port */
  bool *changed;              /* scratch by node: to be relaxed */
  uint32_t *cycles;           /* edges of cycles of positive gain */
  size_t *cycle_end;          /* by cycle: one past its last edge in `cycles` */
  int64_t *side;              /* by cycle: what is gained beside its edges; 0 in walks */
  size_t cycle_count;
};

/* False where memory is out: arena->failed. Linear. */
bool wb_node_potentials_make(struct wb_arena *arena, const struct wb_flow_system *system,
                             struct wb_node_potentials *potentials);

enum wb_node_potentials_outcome {
  WB_NODE_POTENTIALS_FOUND,
  WB_NODE_POTENTIALS_POSITIVE_CYCLE, /* `cycles` has some cycles of positive gain, without a common
                                        port; or single edges in no port that gain */
  WB_NODE_POTENTIALS_TOO_LARGE       /* a number does not fit into 64 bits, or too many rounds */
};

/* Finds the potentials for `gain`. That of a port that has to be left by and leads to no end is
 * about -2^60. Time: linear in the system for each round; most systems need few. */
enum wb_node_potentials_outcome wb_node_potentials_find(struct wb_node_potentials *potentials);

#endif
