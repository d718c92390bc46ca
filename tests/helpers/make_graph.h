/* Warp graphs made by hand, for the unit tests: one block an instruction where nothing else is
 * said, and everything in arrays of a fixed size. */
#ifndef TESTS_UNIT_MAKE_GRAPH_H
#define TESTS_UNIT_MAKE_GRAPH_H

#include "analysis/wcet/control_flow.h"

#include <stddef.h>
#include <stdint.h>

#define MADE_LIMIT 64

/* A function with its graphs. graph and united are views of the arrays. */
struct made_graph {
  struct wb_code code;
  struct wb_function function;
  struct wb_instruction instructions[MADE_LIMIT];
  const char *files[2];
  struct wb_warp_graph graph;
  struct wb_warp_graph united;
  struct wb_warp_block blocks[MADE_LIMIT];
  struct wb_warp_block united_blocks[MADE_LIMIT];
  struct wb_warp_edge edges[MADE_LIMIT];
  struct wb_warp_edge united_edges[MADE_LIMIT];
  struct wb_warp_context contexts[MADE_LIMIT];
  bool ends[MADE_LIMIT];
};

/* A function of `count` instructions at addresses 8, 16, ...: NOP, from line 10 on of kernel.cu;
 * its graphs have no block yet. */
void made_start(struct made_graph *made, const char *name, size_t count);

/* A block of instructions first .. last of a context. Blocks must come by (first, context). */
void made_block(struct made_graph *made, uint32_t first, uint32_t last, uint32_t context);

/* "0 1-2 4.1": blocks of instruction 0, of 1 to 2, and of 4 in context 1. */
void made_blocks(struct made_graph *made, const char *blocks);

/* An edge between blocks, in the order of (from, to, kind). */
void made_edge(struct made_graph *made, uint32_t from, uint32_t to, enum wb_edge_kind kind);
/* "0f1 1b3 3w1": edges from block to block, by what they are: f for falling through, b for a
 * branch, c for a call, r for a return, w for waking lanes that wait. */
void made_edges(struct made_graph *made, const char *edges);

/* Makes `united` of what has been added: contexts of a block, which must have the same
 * instructions, become one. */
void made_finish(struct made_graph *made);

#endif
