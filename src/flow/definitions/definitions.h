/* Where the value of a register comes from: the definitions that reach a place, asked backwards,
 * and the sources that an instruction makes a value of. */
#ifndef WB_FLOW_DEFINITIONS_DEFINITIONS_H
#define WB_FLOW_DEFINITIONS_DEFINITIONS_H

#include "base/arena.h"
#include "base/status.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/warp_graph/warp_graph.h"
#include "isa/lower/micro_operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An instruction that may have written a register. */
struct wb_definition {
  uint32_t block;
  uint32_t instruction; /* index */
};

/* Definitions of one value that are told. More are left out. */
#define WB_DEFINITION_LIMIT 32

/* The graph of threads, backwards. Zero-initialise; the graph is borrowed. */
struct wb_definitions {
  const struct wb_warp_graph *graph;
  uint32_t *from;                /* by edge of threads: its block of origin */
  struct wb_edge_lists reaching; /* edges of threads by target */
  uint32_t *seen;                /* by block: the last question that came to its end */
  uint32_t *stack;               /* scratch by block */
  uint32_t questions;
  uint64_t budget; /* instructions that may still be looked at */
  /* The answer to the last question. */
  struct wb_definition found[WB_DEFINITION_LIMIT];
  size_t count;
  bool more;   /* there are others: of the region's outside, of the kernel's start, above the limit,
                  or beyond the budget */
  bool failed; /* memory was out */
  struct wb_arena arena;
};

/* Linear. False where memory is out; to be freed also then. */
bool wb_definitions_make(const struct wb_warp_graph *graph, struct wb_definitions *definitions);
void wb_definitions_free(struct wb_definitions *definitions);

/* Finds the definitions of the register that reach the place before instruction `index` of a
 * block. inside: by block, those of a region; no way leads through other blocks; NULL: all. Linear
 * in the code between. */
void wb_definitions_find(struct wb_definitions *definitions, uint32_t block, uint32_t index,
                         uint32_t number, const bool *inside);

/* What a value is made of. */
struct wb_value_sources {
  struct wb_source items[WB_MICRO_LIMIT * 5 + 2];
  size_t count;
  bool known; /* what the instruction computes of them is known; else these are all registers that
                 it reads */
};

/* The sources of the value that an instruction gives a register, its guard included. Constant
 * time. */
void wb_value_sources_find(const struct wb_function *function, uint32_t index, uint32_t number,
                           struct wb_value_sources *sources);

/* All registers that the instruction reads, but for convergence barriers. */
void wb_register_reads_find(const struct wb_function *function, uint32_t index,
                            struct wb_value_sources *sources);

#endif
