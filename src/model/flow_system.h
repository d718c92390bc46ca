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

/* The sum of factor * (times that the edge is taken) over the terms is at most `constant`. */
struct wb_flow_limit {
  size_t first_term; /* into the system's terms */
  size_t term_count;
  int64_t constant;
  uint32_t origin; /* by which its maker knows it */
};

/* Invariants: from[e] and to[e] are nodes; cycles are at least 0; no limit has two terms of one
 * edge. Owns its arrays: wb_flow_system_free. */
struct wb_flow_system {
  size_t node_count;
  size_t edge_count;
  uint32_t *from;    /* by edge, the node that it leaves */
  uint32_t *to;      /* by edge, the node that it enters */
  int64_t *cycles;   /* by node, the cost of each time that it runs */
  bool *ends;        /* by node, an execution may end there */
  size_t *last_term; /* by edge, its newest term + 1; 0: none */
  struct wb_flow_limit *limits;
  size_t limit_count, limit_capacity;
  struct wb_flow_term *terms; /* of all limits */
  size_t term_count, term_capacity;
  uint32_t start; /* the node where executions start */
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

void wb_flow_system_free(struct wb_flow_system *system);

#endif
