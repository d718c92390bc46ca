/* The warp-level control-flow graph (WCET 2023): what a warp whose lanes share one program
 * counter can do next, divergence and reconvergence included. Made by abstract
 * interpretation of the SIMT execution (simt_analysis.h). */
#ifndef WB_CFG_WARP_GRAPH_WARP_GRAPH_H
#define WB_CFG_WARP_GRAPH_WARP_GRAPH_H

#include "base/list.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the warp comes from one block to the next. An edge has one kind; two blocks may be
 * joined by several edges of different kinds. */
enum wb_edge_kind {
  WB_EDGE_FALLTHROUGH, /* to the next instruction */
  WB_EDGE_BRANCH,      /* to a target; also from a SYNC, BRK or CONT to the token it waits in */
  WB_EDGE_CALL,
  WB_EDGE_RETURN,      /* from a RET to the token it waits in */
  WB_EDGE_REACTIVATION /* to lanes that waited in another entry: no thread goes this way */
};

/* A calling context: the call sites that are pending, outermost first. Context 0 is the
 * function itself; `site` is the calling instruction, made in context `caller`. A recursive
 * call goes back to the context of its first appearance: contexts are finitely many. */
struct wb_warp_context {
  uint32_t caller; /* UINT32_MAX for context 0 */
  uint32_t site;
};

/* Instructions first .. last of the function (indices, both included) in one context. Every
 * instruction that can change what runs next ends its block. */
struct wb_warp_block {
  uint32_t first;
  uint32_t last;
  uint32_t context;
};

struct wb_warp_edge {
  uint32_t from; /* blocks */
  uint32_t to;
  uint8_t kind; /* enum wb_edge_kind */
};

/* An entry that the activation stack can hold: where its lanes go on, and what they wait
 * for. */
struct wb_warp_entry {
  uint32_t point; /* instruction index */
  uint32_t context;
  uint8_t token; /* enum wb_token */
};

/* The block pushes the entry: once each time that it runs (SSY, PBK, PCNT, PRET, CAL), or,
 * where `divergent`, at most once each time that some lane does its last instruction (a
 * conditional branch that splits the lanes, a guarded CAL: it then leaves by another edge than
 * to the next instruction; a guarded SSY: by that one). Two equal rows are two pushes. */
struct wb_warp_push {
  uint32_t block;
  uint32_t entry;
  bool divergent;
};

/* Taking the edge pops the entry: its lanes run on. Edges of any kind but call can pop (a
 * SYNC's edge to its own token does). An edge may pop one of several entries. */
struct wb_warp_pop {
  uint32_t edge;
  uint32_t entry;
};

/* Blocks are sorted by (first, context); block `entry_block` is where the warp begins. Owns
 * its arrays; the function is borrowed and must outlive it. */
struct wb_warp_graph {
  const struct wb_function *function;
  struct wb_warp_context *contexts;
  size_t context_count;
  struct wb_warp_block *blocks;
  size_t block_count;
  struct wb_warp_edge *edges; /* sorted by (from, to, kind) */
  size_t edge_count;
  bool *ends; /* by block: the warp can end there */
  struct wb_warp_entry *entries;
  size_t entry_count;
  struct wb_warp_push *pushes;
  size_t push_count;
  struct wb_warp_pop *pops;
  size_t pop_count;
  uint32_t *divergence_points; /* instruction indices, ascending: may split the lanes */
  size_t divergence_point_count;
  uint32_t *uniform_branches; /* the other reachable conditional control instructions */
  size_t uniform_branch_count;
  uint32_t entry_block;
  struct wb_list assumptions;
  struct wb_list disagreements; /* where the listing's annotations contradict the stack */
};

/* The same with the contexts of each instruction united (contexts of all blocks 0, no
 * entries, pushes or pops): blocks do not overlap and hold exactly the reachable
 * instructions. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_warp_graph_unite(const struct wb_warp_graph *graph,
                                     struct wb_warp_graph *united, warpbound_error *error);

void wb_warp_graph_free(struct wb_warp_graph *graph);

#endif
