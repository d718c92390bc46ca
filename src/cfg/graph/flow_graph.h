/* A flow graph as arrays, and its edges grouped by their ends. */
#ifndef WB_CFG_GRAPH_FLOW_GRAPH_H
#define WB_CFG_GRAPH_FLOW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Edge e goes from from[e] to to[e]; several edges may join two nodes. Invariant: the entry and
 * all ends are below node_count. Borrows its arrays. */
struct wb_flow_graph {
  size_t node_count;    /* at least 1, below 2^32 - 1 */
  size_t edge_count;    /* below 2^32 - 1 */
  const uint32_t *from; /* by edge */
  const uint32_t *to;   /* by edge */
  uint32_t entry;       /* a node */
};

/* The edges of each node: those of node n are list[first[n]] .. list[first[n + 1] - 1], in
 * ascending order. Owns its arrays. */
struct wb_edge_lists {
  uint32_t *first; /* by node, and one more */
  uint32_t *list;  /* edges */
};

/* Groups edges by ends[e]. Linear. False where memory is out. */
bool wb_edge_lists_make(const uint32_t *ends, size_t edge_count, size_t node_count,
                        struct wb_edge_lists *lists);
void wb_edge_lists_free(struct wb_edge_lists *lists);

/* The invariant of a graph: NULL, or what is wrong. Linear. */
const char *wb_flow_graph_check(const struct wb_flow_graph *graph);

/* Whether the lists hold each edge once, with the node that ends[e] names, in ascending order:
 * NULL, or what is wrong. Linear. */
const char *wb_edge_lists_check(const struct wb_edge_lists *lists, const uint32_t *ends,
                                size_t edge_count, size_t node_count);

#endif
