/* A flow system: which executions of a graph are possible, in exact integers, and what they
 * cost. Nodes run and edges are taken; the runs of a node are the edges into it, and those with
 * which the execution starts. Edges leave a node by ports: those of one port are taken as often as
 * the node runs, in sum, or at most so often. Limits say how often edges can be taken besides.
 * Implicit path enumeration (IPET: Li and Malik, DAC 1995) asks for the most expensive execution.
 * A *walk* is the case of one port a node and one start: an execution that starts once, follows
 * edges and ends once at a node that may end it. Where several groups of lanes run, a run of a node
 * can be left by several edges, each in a port of its own (doc/group-flow.md). */
#ifndef WB_MODEL_FLOW_SYSTEM_H
#define WB_MODEL_FLOW_SYSTEM_H

#include "base/arena.h"
#include "base/buckets.h"
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

/* Runs of a node that no edge leads to. */
struct wb_flow_start {
  uint32_t node;
  int64_t runs; /* 0 .. 2^32 */
};

#define WB_FLOW_STARTS 2

/* The port of an edge that is in none: how often its node runs does not limit it. */
#define WB_FLOW_NO_PORT UINT32_MAX

/* Edge e goes from node from[e] to node to[e].
 * Invariant: nodes, edges, ports and terms are in range, an edge's port is one of the node that it
 * leaves, ports stand by node, cycles are at least 0, the terms of limits follow one another, and
 * no limit has two terms of one edge (wb_flow_system_is_valid). Owns its arrays:
 * wb_flow_system_free.
 */
struct wb_flow_system {
  size_t node_count;
  size_t edge_count;
  size_t port_count;
  uint32_t *from;       /* by edge */
  uint32_t *to;         /* by edge */
  uint32_t *port;       /* by edge: its port, or WB_FLOW_NO_PORT */
  int64_t *cycles;      /* by node: the cost of one execution of it, at least 0 */
  int64_t *edge_cycles; /* by edge: the cost of taking it besides, at least 0; NULL: none */
  uint32_t *port_node;  /* by port: its node, ascending */
  bool *ends;           /* by port: its node may run without leaving by it; of a walk: by node, an
                           execution may end there */
  size_t *last_term;    /* by edge: one past its newest term */
  struct wb_flow_limit *limits;
  size_t limit_count, limit_capacity;
  struct wb_flow_term *terms; /* of all limits */
  size_t term_count, term_capacity;
  struct wb_flow_start starts[WB_FLOW_STARTS]; /* the first is where the execution begins */
  size_t start_count;                          /* at least 1 */
  bool failed;                                 /* sticky: something was lost for want of memory */
  struct wb_arena arena;                       /* owns the arrays but limits and terms */
};

/* Makes room for nodes, edges and ports; all zero, with one start. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_flow_system_make(struct wb_flow_system *system, size_t node_count,
                                     size_t edge_count, size_t port_count, warpbound_error *error);

/* Makes room for more nodes, edges and ports, all zero: the counts stay. False where memory is out.
 */
bool wb_flow_system_extend(struct wb_flow_system *system, size_t nodes, size_t edges, size_t ports);

/* Makes the system, which has as many ports as nodes and all its edges, a walk that begins at a
 * node.
 */
void wb_flow_system_walk(struct wb_flow_system *system, uint32_t start);

/* Whether the system is a walk. Linear. */
bool wb_flow_system_is_walk(const struct wb_flow_system *system);

/* What it costs to take the edge, without the node that it leads to. */
static inline int64_t wb_flow_edge_cycles(const struct wb_flow_system *system, size_t edge)
{
  return system->edge_cycles != NULL ? system->edge_cycles[edge] : 0;
}

/* How often the node runs without an edge to it. Sums of starts fit. */
int64_t wb_flow_start_runs(const struct wb_flow_system *system, uint32_t node);

/* Begins a limit; the terms that follow are its own, until the next one begins. */
void wb_flow_limit_add(struct wb_flow_system *system, int64_t constant, uint32_t origin);
/* A second term of an edge is added to the first. False where the sum does not fit. */
bool wb_flow_term_add(struct wb_flow_system *system, uint32_t edge, int64_t factor);

/* Makes a limit say nothing. */
void wb_flow_limit_drop(struct wb_flow_system *system, size_t limit);

/* The terms of all limits by edge. The arena owns the arrays. */
struct wb_flow_edge_terms {
  struct wb_buckets of; /* by edge: its terms, by limit ascending */
  uint32_t *limit;      /* by term: its limit */
};

/* False where memory is out: arena->failed. Linear. */
bool wb_flow_edge_terms_make(struct wb_arena *arena, const struct wb_flow_system *system,
                             struct wb_flow_edge_terms *terms);

/* Whether the invariant of struct wb_flow_system holds, but for two terms of one edge where there
 * is no memory for that check. Linear. */
bool wb_flow_system_is_valid(const struct wb_flow_system *system);

void wb_flow_system_free(struct wb_flow_system *system);

#endif
