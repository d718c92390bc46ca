/* The activation stack of Maxwell and Pascal (SSY, PBK, PCNT, PRET, CAL; SYNC, BRK, CONT, RET) as a
 * reconvergence mechanism. An abstract stack is a graph whose paths are the stacks that can be. A
 * stack is the set of frames that can lie directly below the lanes that run; below a node of the
 * graph lies a stack again. Frames carry the two other domains: who waits (groups of lanes) and
 * which registers agree. doc/simt-analysis.md says why this is enough. Continuations and cells are
 * nodes of the graph: a continuation is an entry that was pushed, a cell is what lies below it. */
#ifndef WB_CFG_RECONVERGENCE_STACK_STACK_MACHINE_H
#define WB_CFG_RECONVERGENCE_STACK_STACK_MACHINE_H

#include "cfg/simt/simt_engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- abstract_stack.c: stacks and their graph ---- */

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
  struct wb_simt_pairs names;  /* (site, context), (point, token, passed_by): number n is of
                                * node WB_NODE_FIRST + n */
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

/* ---- the data of the mechanism, shared by all places ---- */

/* The frames that lanes which leave meet on their way down, each with what is known when all
 * above it is gone. Invariant: a frame of `frames` is in `todo` exactly where it is dirty. */
struct wb_stack_descent {
  struct wb_frame *frames; /* frames met, one a node: nodes[].slot says where */
  bool *dirty;             /* by frame met: what is below it must be looked at */
  size_t count;            /* frames met */
  size_t frame_capacity;   /* room in frames */
  size_t dirty_capacity;   /* room in dirty */
  uint32_t *todo;          /* slots of frames, or nodes, to be looked below */
  size_t todo_count;       /* members of todo */
  size_t todo_capacity;    /* room in todo */
  bool found;              /* some way down leads to the token that the lanes wait for */
  bool missing;            /* some way down leads to the bottom without one */
};

struct wb_stack_machine {
  struct wb_stack_graph stacks;    /* what can lie below what */
  struct wb_stack_descent descent; /* scratch: lanes that leave */
  struct wb_stack next;            /* scratch: the stack of a successor */
  struct wb_stack side;            /* scratch: the stack of one side of a split */
  uint32_t mark;                   /* of the latest walk over the graph */
  size_t frame_count;              /* of all states and nodes */
};

static inline struct wb_stack_machine *wb_stack_machine_of(const struct wb_simt_analysis *analysis)
{
  return analysis->mechanism_data;
}

/* ---- stack_filter.c: what is pushed and popped; false on failure ---- */

/* Joins a stack into one that is kept: as `join` of struct wb_reconvergence, whose abstract state
 * is the stack below the lanes that run. */
bool wb_stack_machine_join(struct wb_simt_analysis *analysis, void *into, const void *from,
                           bool *changed);

/* Where an entry goes on, and what for: of struct wb_stack_node. */
struct wb_stack_entry {
  uint32_t point; /* the instruction at which its lanes go on */
  uint8_t token;  /* what they wait for: enum wb_token */
  bool passed_by; /* they do not do the instruction that pushes it */
};

/* The stack below the function's first entry, and all that lies below nodes that no instruction
 * pushes. */
bool wb_stack_push_start(struct wb_simt_analysis *analysis, struct wb_stack *first);

/* The present instruction pushes an entry on `below`; *result, another stack, becomes that entry
 * alone. divergent: some executions of the instruction by running lanes do not push it. False on
 * failure. */
bool wb_stack_push(struct wb_simt_analysis *analysis, struct wb_stack_entry entry, bool divergent,
                   const struct wb_stack *below, struct wb_stack *result);

/* All lanes above the stack wait for the token, or end (WB_TOKEN_COUNT): emits what can be
 * popped. */
void wb_stack_all_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                        uint8_t token);

/* Some of them do; *rest: the stack below those that go on. */
void wb_stack_some_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                         uint8_t token, struct wb_stack *rest);

#endif
