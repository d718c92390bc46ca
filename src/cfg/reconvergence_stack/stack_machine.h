/* The data of the activation stack, shared by all places, and what its parts do on it:
 * stack_push.c (entries that are pushed), stack_filter.c (lanes that leave: what is popped),
 * stack_transfer.c (instructions). */
#ifndef WB_CFG_RECONVERGENCE_STACK_STACK_MACHINE_H
#define WB_CFG_RECONVERGENCE_STACK_STACK_MACHINE_H

#include "cfg/reconvergence_stack/abstract_stack.h"
#include "cfg/simt/simt_engine.h"

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

/* An abstract state is the stack below the lanes that run. */
static inline const struct wb_abstract_state *wb_stack_as_state(const struct wb_stack *stack)
{
  return (const void *)stack;
}

/* The stack of the block that is being done. */
static inline struct wb_stack *wb_stack_of_block(const struct wb_simt_analysis *analysis)
{
  return (void *)analysis->block.abstract;
}

/* ---- joining: false on failure ---- */

/* Joins into a stack that is kept. */
bool wb_stack_machine_join(struct wb_simt_analysis *analysis, struct wb_stack *into,
                           const struct wb_stack *from, bool *changed);

/* ---- stack_push.c ---- */

/* Where an entry goes on, and what for: of struct wb_stack_node. */
struct wb_stack_entry {
  uint32_t point; /* the instruction at which its lanes go on */
  uint8_t token;  /* what they wait for: enum wb_token */
  bool passed_by; /* they do not do the instruction that pushes it */
};

/* The stack below the function's first entry: all that lies below nodes that no instruction pushes.
 * False on failure. */
bool wb_stack_push_start(struct wb_simt_analysis *analysis, struct wb_stack *first);

/* The present instruction pushes an entry on `below`; *result, another stack, becomes that entry
 * alone. divergent: some executions of the instruction by running lanes do not push it. False on
 * failure. */
bool wb_stack_push(struct wb_simt_analysis *analysis, struct wb_stack_entry entry, bool divergent,
                   const struct wb_stack *below, struct wb_stack *result);

/* ---- stack_filter.c ---- */

/* All lanes above the stack wait for the token, or end (WB_TOKEN_COUNT): emits what can be
 * popped. */
void wb_stack_all_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                        uint8_t token);

/* Some of them do; *rest: the stack below those that go on. */
void wb_stack_some_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                         uint8_t token, struct wb_stack *rest);

/* ---- stack_transfer.c: of struct wb_reconvergence ---- */

enum wb_simt_role wb_stack_role(const struct wb_instruction *instruction);
void wb_stack_wrote(struct wb_simt_analysis *analysis, uint32_t written);
bool wb_stack_step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
void wb_stack_all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
void wb_stack_none_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
void wb_stack_some_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);

#endif
