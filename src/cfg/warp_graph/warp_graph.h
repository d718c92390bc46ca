/* The warp-level control-flow graph (WCET 2023): the transitions of a warp whose lanes share one
 * program counter, divergence and reconvergence included. Made by abstract interpretation of the
 * SIMT execution (cfg/simt_analysis.h). */
#ifndef WB_CFG_WARP_GRAPH_WARP_GRAPH_H
#define WB_CFG_WARP_GRAPH_WARP_GRAPH_H

#include "base/arena.h"
#include "base/list.h"
#include "base/status.h"
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

/* How often an edge is taken for one run of its block by a group of lanes that run together, where
 * a warp's lanes can run in several groups (from Volta on). */
enum wb_edge_rate {
  WB_RATE_SHARED, /* all shared edges of the block together: at most once */
  WB_RATE_EACH,   /* this edge: at most once, whatever other edges are taken */
  WB_RATE_LANES   /* at most once for each lane of the group */
};

/* A calling context: the call sites that are pending, outermost first. Context 0 is the
 * function itself; `site` is the calling instruction, made in context `caller`. A recursive
 * call goes back to the context of its first appearance: contexts are finitely many. */
struct wb_warp_context {
  uint32_t caller; /* the context of the call, UINT32_MAX for context 0 */
  uint32_t site;   /* the calling instruction, UINT32_MAX for context 0 */
};

/* Instructions first .. last of the function (indices, both included) in one context. Every
 * instruction that can change what runs next ends its block. */
struct wb_warp_block {
  uint32_t first;   /* instruction index */
  uint32_t last;    /* instruction index, not below first */
  uint32_t context; /* its number */
};

struct wb_warp_edge {
  uint32_t from; /* the block that is left */
  uint32_t to;   /* the block that is entered */
  uint8_t kind;  /* enum wb_edge_kind */
  uint8_t rate;  /* enum wb_edge_rate; WB_RATE_SHARED where one group runs at a time */
};

/* Where lanes wait: an entry that the activation stack can hold; a scope, WB_TOKEN_SCOPE; or the
 * lanes of the warp that came apart at one block and wait for one another in a WARPSYNC,
 * WB_TOKEN_WARP. Where its lanes go on, and what they wait for. */
struct wb_warp_entry {
  uint32_t point;   /* instruction index */
  uint32_t context; /* of the point */
  uint8_t token;    /* enum wb_token */
  bool once;        /* each push of it is popped at most once; else as often as edges are taken */
};

/* The block pushes the entry: once each time that it runs (SSY, PBK, PCNT, PRET, CAL), or,
 * where `divergent`, at most once each time that some lane does its last instruction (a
 * conditional branch that splits the lanes, a guarded CAL: it then leaves by another edge than
 * to the next instruction; a guarded SSY: by that one). Two equal rows are two pushes. */
struct wb_warp_push {
  uint32_t block; /* the block */
  uint32_t entry; /* the entry */
  bool divergent; /* not each time that the block runs */
};

/* Taking the edge pops the entry: its lanes run on. Edges of any kind but call can pop (a
 * SYNC's edge to its own token does). An edge may pop one of several entries. */
struct wb_warp_pop {
  uint32_t edge;  /* not a call */
  uint32_t entry; /* the entry */
};

/* A scope of convergence barriers, as its instructions show it; contexts united. Its begin and its
 * waiting places are told by instruction. */
struct wb_warp_scope {
  uint32_t open;      /* the BSSY: an instruction index */
  uint32_t point;     /* where its lanes go on together */
  uint32_t parent;    /* the scope that is open around it in every execution, or UINT32_MAX */
  size_t first_sync;  /* into scope_instructions: BSYNCs at which its lanes wait, ascending */
  size_t sync_count;  /* BSYNCs */
  size_t first_break; /* into scope_instructions: BREAKs by which lanes leave it, ascending */
  size_t break_count; /* BREAKs */
};

/* Invariants: blocks stand by (first, context), those of one context do not overlap; block
 * entry_block begins with instruction 0 in context 0; edges stand by (from, to, kind), pushes by
 * (block, entry), pops by (edge, entry), without two equal edges or pops; every block is reached by
 * an edge or is the entry, and has an edge or ends; a reactivation pops; divergence points and
 * uniform branches ascend, and no instruction is both. Owns its arrays; the function is borrowed
 * and must outlive it. */
struct wb_warp_graph {
  const struct wb_function *function; /* whose graph it is */
  struct wb_warp_context *contexts;   /* callers first */
  size_t context_count;               /* contexts, at least one */
  struct wb_warp_block *blocks;       /* by number */
  size_t block_count;                 /* blocks, at least one */
  struct wb_warp_edge *edges;         /* by number */
  size_t edge_count;                  /* edges */
  bool *ends;                         /* by block: the warp can end there */
  struct wb_warp_entry *entries;      /* that can wait */
  size_t entry_count;                 /* entries */
  struct wb_warp_push *pushes;        /* which block makes which entry */
  size_t push_count;                  /* pushes */
  struct wb_warp_pop *pops;           /* which edge wakes which entry */
  size_t pop_count;                   /* pops */
  uint32_t *divergence_points;        /* instructions that may split the lanes */
  size_t divergence_point_count;      /* divergence points */
  uint32_t *uniform_branches;         /* the other reachable conditional control instructions */
  size_t uniform_branch_count;        /* uniform branches */
  uint32_t entry_block;               /* where the warp begins */
  bool groups;                        /* lanes can run in several groups: edges have rates */
  struct wb_warp_scope *scopes;       /* by ascending BSSY; none where one group runs at a time */
  size_t scope_count;                 /* scopes */
  uint32_t *scope_instructions;       /* of scopes: instruction indices */
  size_t scope_instruction_count;     /* of all scopes */
  uint32_t *innermost_scopes;         /* by block: the innermost scope that is surely open where it
                                       * begins, UINT32_MAX for none; NULL without groups */
  bool *several;              /* by block: it may run in several groups for one entry of that
                               * scope, or of the function; NULL without groups */
  bool *whole;                /* by block: whenever a group runs it, that group is all lanes of the
                               * warp that have not ended; NULL without groups */
  struct wb_list assumptions; /* that the graph rests on, in words */
  struct wb_list disagreements; /* where the listing's annotations contradict the stack */
  struct wb_arena arena;        /* of the arrays */
};

/* The block that begins with an instruction in a context; UINT32_MAX for none. Logarithmic. */
uint32_t wb_block_that_begins(const struct wb_warp_graph *graph, uint32_t instruction,
                              uint32_t context);

/* The block that holds an instruction in a context; UINT32_MAX for none. Logarithmic. */
uint32_t wb_block_that_holds(const struct wb_warp_graph *graph, uint32_t instruction,
                             uint32_t context);

/* Whether, whenever a group of lanes runs the block, that group is all lanes of the warp that have
 * not ended: no other group runs, is ready, or waits anywhere, from the block's first instruction
 * to its last one. Where one group runs at a time, without groups: true, though lanes may wait on
 * the stack for this group's end. The analysis of groups proves it (doc/simt-volta.md);
 * where it does not know, false. */
static inline bool wb_block_is_whole(const struct wb_warp_graph *graph, uint32_t block)
{
  return !graph->groups || (graph->whole != NULL && graph->whole[block]);
}

/* The same with the contexts of each instruction united (contexts of all blocks 0, no
 * entries, pushes or pops): blocks do not overlap and hold exactly the reachable
 * instructions. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_warp_graph_unite(const struct wb_warp_graph *graph,
                                     struct wb_warp_graph *united, warpbound_error *error);

/* The invariants, those of pushes and pops where there are entries: NULL, or which one is broken.
 * Linear, times the logarithm of the number of blocks. */
const char *wb_warp_graph_check(const struct wb_warp_graph *graph);

void wb_warp_graph_free(struct wb_warp_graph *graph);

#endif
