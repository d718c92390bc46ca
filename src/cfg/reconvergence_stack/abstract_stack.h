/* Abstract activation stacks: a graph whose paths are the stacks that can be. A stack is the set of
 * frames that can lie directly below the lanes that run; below a node of the graph lies a stack
 * again. Frames carry the two other domains: who waits (groups of lanes) and which registers
 * agree. doc/simt-analysis.md says why this is enough. */
#ifndef WB_CFG_RECONVERGENCE_STACK_ABSTRACT_STACK_H
#define WB_CFG_RECONVERGENCE_STACK_ABSTRACT_STACK_H

#include "cfg/agreement/register_sets.h"
#include "cfg/simt/pair_map.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether an entry has lanes that are in no entry above it: flags, of what is possible. */
enum {
  WB_WAITERS_NONE = 1, /* all its lanes are in entries above it: it is gone when they leave */
  WB_WAITERS_SOME = 2, /* it has others: it stays when those above it leave */
  WB_WAITERS_UNKNOWN = WB_WAITERS_NONE | WB_WAITERS_SOME
};

/* An entry that can lie directly below another, or below the lanes that run. The sets are
 * numbers in a struct wb_register_sets. Invariant: waiters is not 0. */
struct wb_frame {
  uint32_t node;      /* the entry */
  uint32_t agreement; /* registers equal in all its lanes; as of when the upper one was pushed */
  uint32_t lost;      /* registers that may have been written since the entry was pushed */
  uint8_t waiters;    /* flags */
};

/* Invariant: frames stand by ascending node, no two of one node. Zero-initialise. */
struct wb_stack {
  struct wb_frame *frames; /* the entries that are possible */
  size_t count;            /* frames */
  size_t capacity;         /* room in frames */
};

/* Nodes that no instruction pushes. */
enum {
  WB_NODE_BOTTOM, /* below the last entry */
  WB_NODE_CALLER, /* a device function's caller: a return token at the bottom */
  WB_NODE_ANY,    /* without cycles: any entries, as many as there may be */
  WB_NODE_FIRST   /* the first that an instruction pushes */
};

/* Entries pushed by one instruction in one context with one point and token, either for lanes
 * that do the instruction or for those that do not. */
struct wb_stack_node {
  uint32_t site;         /* the instruction that pushes it, UINT32_MAX for none */
  uint32_t point;        /* where its lanes go on */
  uint32_t context;      /* of both */
  uint8_t token;         /* WB_TOKEN_COUNT for those that no instruction pops */
  bool passed_by;        /* lanes that do not do the instruction */
  struct wb_stack below; /* what can lie below it, for all places */
  uint32_t mark;         /* scratch: the latest walk over the graph that met it */
  uint32_t slot;         /* scratch: where that walk keeps it */
};

/* Invariants: nodes below WB_NODE_FIRST are those of the enumeration; every other one has a site
 * and is in `names`; something lies below each node but the bottom that was pushed. */
struct wb_stack_graph {
  struct wb_stack_node *nodes; /* by number */
  size_t count;                /* nodes */
  size_t capacity;             /* room in nodes */
  struct wb_pair_map names;    /* (site, context), (point, token, passed_by) -> node */
};

bool wb_stack_reserve(struct wb_stack *stack, size_t count);
bool wb_stack_copy(struct wb_stack *to, const struct wb_stack *from);

/* Adds to `into` whatever `from` allows; *changed is set where that is more. False where
 * memory is out. Linear in both. */
bool wb_stack_join(struct wb_register_sets *sets, struct wb_stack *into,
                   const struct wb_stack *from, bool *changed);

/* The same for two frames of one node; whether `into` changed. */
bool wb_frame_join(struct wb_register_sets *sets, struct wb_frame *into,
                   const struct wb_frame *from);

/* Whether `large` allows whatever `small` allows: the order of joins. Linear in both. */
bool wb_stack_covers(const struct wb_register_sets *sets, const struct wb_stack *large,
                     const struct wb_stack *small);

/* The invariants of a stack in a graph: NULL, or which one is broken. Linear. */
const char *wb_stack_check(const struct wb_register_sets *sets, const struct wb_stack_graph *graph,
                           const struct wb_stack *stack);

/* The nodes that no instruction pushes. */
bool wb_stack_graph_start(struct wb_stack_graph *graph);

/* The node with a name; made, with nothing below, where there is none (*made). UINT32_MAX where
 * memory is out. */
uint32_t wb_stack_graph_node(struct wb_stack_graph *graph, const struct wb_stack_node *name,
                             bool *made);

/* The invariants of the graph and of what lies below its nodes: NULL, or which one is broken.
 * Linear. */
const char *wb_stack_graph_check(const struct wb_register_sets *sets,
                                 const struct wb_stack_graph *graph);

void wb_stack_graph_free(struct wb_stack_graph *graph);

#endif
