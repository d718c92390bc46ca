/* A flow system: which executions of a graph are possible, in exact integers, and what they
 * cost. An execution starts once at the start node, follows edges and ends once at a node
 * that may end it; limits say how often edges can be taken. Implicit path enumeration (IPET:
 * Li and Malik, DAC 1995) asks for the most expensive one. */
#ifndef WB_MODEL_FLOW_SYSTEM_H
#define WB_MODEL_FLOW_SYSTEM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One term of a limit. */
struct wb_flow_term {
  uint32_t edge;
  int64_t factor;
};

/* The sum of factor * (executions of the edge) over its terms is at most `constant`. */
struct wb_flow_limit {
  size_t first_term; /* into the system's terms */
  size_t term_count;
  int64_t constant;
  uint32_t origin; /* a number by which its maker knows it */
};

/* Edge e goes from node from[e] to node to[e].
 * Invariant: nodes, edges and terms are in range, cycles are at least 0, the terms of limits follow
 * one another, and no limit has two terms of one edge (wb_flow_system_is_valid). Owns its arrays:
 * wb_flow_system_free. */
struct wb_flow_system {
  size_t node_count;
  size_t edge_count;
  uint32_t *from;    /* by edge */
  uint32_t *to;      /* by edge */
  int64_t *cycles;   /* by node: the cost of one execution of it, at least 0 */
  bool *ends;        /* by node: an execution may end there */
  size_t *last_term; /* by edge: one past its newest term */
  struct wb_flow_limit *limits;
  size_t limit_count, limit_capacity;
  struct wb_flow_term *terms; /* of all limits */
  size_t term_count, term_capacity;
  uint32_t start; /* the node where an execution starts */
  bool failed;    /* sticky: something was lost for want of memory */
};

/* Makes room for nodes and edges; all zero. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_flow_system_make(struct wb_flow_system *system, size_t node_count,
                                     size_t edge_count, warpbound_error *error);

/* Begins a limit; the terms that follow are its own, until the next one begins. */
void wb_flow_limit_add(struct wb_flow_system *system, int64_t constant, uint32_t origin);
/* A second term of an edge is added to the first. False where the sum does not fit. */
bool wb_flow_term_add(struct wb_flow_system *system, uint32_t edge, int64_t factor);

/* Makes a limit say nothing. */
void wb_flow_limit_drop(struct wb_flow_system *system, size_t limit);

/* Whether the invariant of struct wb_flow_system holds, but for two terms of one edge where there
 * is no memory for that check. Linear. */
bool wb_flow_system_is_valid(const struct wb_flow_system *system);

void wb_flow_system_free(struct wb_flow_system *system);

#endif
