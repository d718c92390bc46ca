/* What the parts of the abstract interpretation share (simt_analysis.h is its outside). The
 * parts: simt_agreement.c (data instructions), simt_filter.c (lanes that leave: what is popped),
 * simt_transfer.c (successors of a state), simt_fixpoint.c (the worklist), simt_record.c (what the
 * fixpoint says), simt_graph.c (a graph of it), simt_loops.c. */
#ifndef WB_CFG_SIMT_SIMT_ENGINE_H
#define WB_CFG_SIMT_SIMT_ENGINE_H

#include "cfg/reconvergence_stack/abstract_stack.h"
#include "cfg/simt_analysis.h"
#include "cfg/simt/simt_contexts.h"
#include "cfg/simt/simt_layout.h"

#define WB_NOWHERE UINT32_MAX

/* What is known whenever the warp comes to a place. Registers that all active lanes agree on,
 * and what can lie below them. */
struct wb_simt_state {
  struct wb_simt_place place;
  uint32_t agreement;
  struct wb_stack stack;
  bool queued;
};

/* A state that must be computed again when the stack below some node changes; a list. */
struct wb_simt_dependent {
  uint32_t state;
  uint32_t next;
};

/* How control goes on: the kind of the edge, the node that it pops (WB_NOWHERE for none), and
 * whether it only falls into the next block, with no control instruction before. */
struct wb_simt_way {
  uint8_t kind; /* enum wb_edge_kind */
  uint32_t popped;
  bool plain;
};

/* The block that is being done: where, the registers agreed and written so far, the stack. */
struct wb_simt_here {
  uint32_t state; /* its index */
  uint32_t instruction;
  uint32_t context;
  struct wb_register_set agreed;
  struct wb_register_set written;
  uint32_t agreement; /* `agreed` as a number, once the block's data instructions are done */
  struct wb_stack stack;
};

/* The frames that lanes which leave meet on their way down, each with what is known when all
 * above it is gone; `todo` are those whose lower ones must be looked at. */
struct wb_simt_walk {
  struct wb_frame *frames;
  bool *dirty;
  size_t count;
  size_t frame_capacity;
  size_t dirty_capacity;
  uint32_t *todo;
  size_t todo_count;
  size_t todo_capacity;
  bool found;   /* the token that the lanes wait for */
  bool missing; /* or a way down without one */
};

/* An edge of the graph that pops a node. */
struct wb_simt_popped {
  uint32_t edge;
  uint32_t node;
};

struct wb_simt_record; /* simt_record.h: what the last pass notes down */

struct wb_simt_analysis {
  const struct wb_machine_code *code;
  const struct wb_machine_function *function;
  struct wb_simt_options options;
  const struct wb_control *control;
  struct wb_simt_layout layout;
  struct wb_simt_contexts contexts;
  struct wb_register_sets sets;
  struct wb_stack_graph stacks;
  struct wb_simt_state *states;
  size_t state_count;
  size_t state_capacity;
  struct wb_pair_map places; /* place -> state */
  uint32_t *queue;           /* a heap of states, the first place on top */
  size_t queue_count;
  size_t queue_capacity;
  struct wb_simt_dependent *dependents;
  size_t dependent_count;
  size_t dependent_capacity;
  struct wb_pair_map dependences; /* (node, state): in the list */
  struct wb_simt_here here;
  struct wb_simt_walk walk;
  struct wb_stack next; /* scratch: the stack of a successor */
  struct wb_stack side; /* scratch: the stack of one side of a split */
  uint32_t mark;        /* of the latest walk */
  size_t frame_count;   /* of all states and nodes: what memory goes by */
  uint64_t noted;       /* bytes of the last pass's notes */
  uint64_t work;        /* frames and instructions handled; polls go by it */
  uint64_t polled;
  struct wb_simt_record *record; /* NULL while the fixpoint is sought */
  warpbound_status status;       /* sticky; with *error */
  warpbound_error *error;
  struct wb_warp_graph graph;
  /* Behind the graph, for questions about loops. */
  uint32_t *block_states;        /* by block: the state at its beginning */
  uint32_t *pushers;             /* by node: the block that pushes it, WB_NOWHERE for none */
  struct wb_simt_popped *popped; /* by edge */
  size_t popped_count;
};

/* ---- failing: each sets the sticky status once, and returns false ---- */

bool wb_simt_no_memory(struct wb_simt_analysis *analysis);
/* At the instruction: "kernel: BRK at 0x0128: what". */
bool wb_simt_refuse(struct wb_simt_analysis *analysis, uint32_t instruction, const char *what);
/* Whether there is time and memory to go on; asks the control now and then. */
bool wb_simt_go_on(struct wb_simt_analysis *analysis);

/* ---- simt_agreement.c ---- */

/* Whether all lanes that agree on a set of registers do a conditional instruction, or none. */
bool wb_simt_condition_agrees(const struct wb_machine_function *function,
                              const struct wb_machine_instruction *instruction,
                              const struct wb_register_set *agreed);

/* A data instruction: what the lanes that are active agree on afterwards; what it may write is
 * added to `written`. */
void wb_simt_agreement_step(const struct wb_machine_function *function,
                            const struct wb_machine_instruction *instruction,
                            struct wb_register_set *agreed, struct wb_register_set *written);

/* ---- simt_filter.c ---- */

/* What holds of a frame once the one above it is gone and its lanes run or are gone too. */
struct wb_frame wb_simt_uncover(struct wb_simt_analysis *analysis, const struct wb_frame *upper,
                                const struct wb_frame *lower);

/* All lanes above the stack wait for the token, or end (WB_TOKEN_COUNT): emits what can be
 * popped. */
void wb_simt_all_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                       uint8_t token);

/* Some of them do; *rest: the stack below those that go on. */
void wb_simt_some_leave(struct wb_simt_analysis *analysis, const struct wb_stack *stack,
                        uint8_t token, struct wb_stack *rest);

/* ---- simt_transfer.c ---- */

/* Does the block of a state. */
void wb_simt_transfer(struct wb_simt_analysis *analysis, uint32_t state);

/* ---- simt_fixpoint.c ---- */

/* A transition found: the active lanes, with an agreement and a stack, come to a place. */
void wb_simt_emit(struct wb_simt_analysis *analysis, struct wb_simt_way way,
                  struct wb_simt_place place, uint32_t agreement, const struct wb_stack *stack);

/* Where an entry goes on, and what for: of struct wb_stack_node. */
struct wb_simt_entry {
  uint32_t point;
  uint8_t token;
  bool passed_by;
};

/* Pushes an entry of `here` on a stack and returns its node; WB_NOWHERE on failure. */
uint32_t wb_simt_push(struct wb_simt_analysis *analysis, struct wb_simt_entry entry,
                      const struct wb_stack *below);

/* The state that is being done reads what lies below a node; what depends on a node that
 * changed is done again. */
void wb_simt_depend(struct wb_simt_analysis *analysis, uint32_t node);
void wb_simt_changed(struct wb_simt_analysis *analysis, uint32_t node);

/* From the entry to the fixpoint. */
void wb_simt_solve(struct wb_simt_analysis *analysis);

/* ---- simt_record.c: notes of the last pass; nothing before it ---- */

void wb_simt_note_edge(struct wb_simt_analysis *analysis, struct wb_simt_way way,
                       struct wb_simt_place place);
void wb_simt_note_push(struct wb_simt_analysis *analysis, uint32_t node, bool divergent);
void wb_simt_note_end(struct wb_simt_analysis *analysis);
void wb_simt_note_match(struct wb_simt_analysis *analysis, uint32_t point);
/* An instruction of the block; a conditional control instruction, and whether lanes may
 * disagree on it. */
void wb_simt_note_instruction(struct wb_simt_analysis *analysis, uint32_t instruction);
void wb_simt_note_condition(struct wb_simt_analysis *analysis, bool divergent);

/* ---- simt_graph.c ---- */

/* Does every block once more and makes the graph of it. */
void wb_simt_make_graph(struct wb_simt_analysis *analysis);

#endif
