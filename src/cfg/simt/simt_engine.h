/* The abstract interpretation as its common parts and the reconvergence mechanism see it: its data,
 * how each part fails, and what a mechanism calls to emit successors and to note what it does.
 * simt_engine.c does the block of a state and makes the passes over the states; simt_fixpoint.c
 * cuts the function into blocks, and keeps states, contexts and the worklist; simt_graph.c makes
 * the graph of what the last pass notes. */
#ifndef WB_CFG_SIMT_SIMT_ENGINE_H
#define WB_CFG_SIMT_SIMT_ENGINE_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/status.h"
#include "base/work_control.h"
#include "cfg/agreement/lane_agreement.h"
#include "cfg/simt/reconvergence.h"
#include "cfg/simt/simt_options.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_NOWHERE UINT32_MAX

/* ---- numbers of pairs ---- */

struct wb_simt_pair {
  uint64_t first;
  uint64_t second;
};

/* Pairs, numbered from 0 in the order in which they were added. Invariant: no two are equal, and
 * the table finds them. Zero-initialise. */
struct wb_simt_pairs {
  struct wb_simt_pair *items; /* by number */
  size_t count;               /* pairs */
  size_t capacity;            /* room in items */
  struct wb_hash_table table;
};

/* The number of a pair, WB_NOWHERE where it has none. */
uint32_t wb_simt_pairs_find(const struct wb_simt_pairs *pairs, uint64_t first, uint64_t second);

/* The number of a pair; the next one where it had none (*made). WB_NOWHERE where memory is out. */
uint32_t wb_simt_pairs_number(struct wb_simt_pairs *pairs, uint64_t first, uint64_t second,
                              bool *made);

/* Bytes held. */
uint64_t wb_simt_pairs_bytes(const struct wb_simt_pairs *pairs);

void wb_simt_pairs_free(struct wb_simt_pairs *pairs);

/* ---- calling contexts: which calls are pending ---- */

/* Beyond these, calls of one callee share a context: a loss of precision, not of safety. */
#define WB_CONTEXT_LIMIT ((size_t)4096)
#define WB_CONTEXT_DEPTH_LIMIT 64u

struct wb_simt_context {
  struct wb_warp_context call; /* that enters it */
  uint32_t entered;            /* the instruction that the call goes to */
  uint32_t depth;              /* how many calls are pending */
};

/* Invariants: context 0 has no caller and depth 0; the caller of every other has a lower number and
 * a depth lower by one; no more pending calls of a context go to one instruction than options say,
 * where they say nothing one. */
struct wb_simt_contexts {
  struct wb_simt_context *items; /* by number */
  size_t count;                  /* contexts */
  size_t capacity;               /* room in items */
  struct wb_simt_pairs known; /* (call site, target): number n is of context n + 1; one site for all
                               * shared ones */
};

/* A place in the program: an instruction in a context. */
struct wb_simt_place {
  uint32_t instruction; /* its index */
  uint32_t context;     /* its number */
};

/* ---- the function cut into blocks ---- */

/* Before anything is known of its execution: where control can come in, and in what order the
 * fixpoint had best visit the blocks. Invariants: instruction 0 leads a block; so does what stands
 * after an instruction that ends its block. The instructions of a block have one position. */
struct wb_simt_layout {
  bool *leaders;       /* by instruction: control may come here otherwise than by falling in */
  uint32_t *positions; /* by instruction: its block's in a reverse post-order of the code as single
                        * lanes walk it, calls left out */
  uint8_t *roles;      /* by instruction: enum wb_simt_role */
  struct wb_arena arena; /* of the arrays */
};

/* ---- states ---- */

/* All that holds whenever a group of lanes comes to a place; the mechanism's part is kept apart. */
struct wb_simt_state {
  struct wb_simt_place place; /* the first instruction of a block, in a context */
  uint32_t agreement;         /* the set of registers that the lanes agree on */
  bool queued;                /* its block must be done again */
};

/* The states found so far and the worklist. Invariants: `places` maps the place of states[s] to s,
 * for every s below state_count, and no two states have one place; the queue holds exactly the
 * states that are queued, as a heap in which callees come before what follows their call. At the
 * end of the search: doing any state again emits nothing that the states and cells do not cover. */
struct wb_simt_fixpoint {
  struct wb_simt_state *states;     /* by number */
  size_t state_count;               /* states found */
  size_t state_capacity;            /* room in states */
  unsigned char *abstracts;         /* the mechanism's part of state s: at s * state_size */
  size_t abstract_capacity;         /* room in abstracts, in states */
  struct wb_simt_pairs places;      /* (instruction, context): the number is the state's */
  uint32_t *queue;                  /* states to do, the first of the order on top */
  size_t queue_count;               /* states queued */
  size_t queue_capacity;            /* room in queue */
  struct wb_simt_pairs dependences; /* (cell, state): the state must be done again when the cell
                                     * changes */
  uint32_t *next_dependences;       /* by dependence: the next one of its cell, + 1; 0: none */
  size_t dependence_capacity;       /* room in next_dependences */
  uint32_t *first_dependences;      /* by cell: its latest dependence, + 1; 0: none */
  size_t cell_capacity;             /* cells that first_dependences has room for */
};

/* How control goes on. Without a continuation the lanes that run afterwards are among those that
 * ran before. With one they waited in it, and with them may be lanes that just came to it. */
struct wb_simt_transition {
  uint8_t kind;          /* enum wb_edge_kind */
  uint8_t rate;          /* enum wb_edge_rate */
  uint32_t continuation; /* that is resumed, WB_NOWHERE for none */
  bool plain;            /* falls into the next block, with no control instruction before, nor one
                            that was one */
};

/* The block that is being done, up to its present instruction. Invariant: between a
 * WB_ROLE_DATA instruction and the next settling, `agreement` and `abstract` are older than
 * `agreed` and `written`; the mechanism is called when all four are as of now. */
struct wb_simt_block {
  uint32_t state;                 /* its number */
  uint32_t instruction;           /* the present one */
  uint32_t context;               /* of all its instructions */
  struct wb_register_set agreed;  /* what the lanes that run agree on */
  struct wb_register_set written; /* what they may have written since the last settling */
  uint32_t agreement;             /* `agreed` as a number */
  bool splits;                    /* lanes may disagree on the present instruction, its last */
  void *abstract;                 /* the mechanism's part of the state */
};

/* An edge of the graph that resumes a continuation. */
struct wb_simt_resumption {
  uint32_t edge;         /* index into the graph's edges */
  uint32_t continuation; /* the continuation */
};

/* One analysis, from the code to the graph. What only the search needs is freed with it; the
 * states, the mechanism's data and the last four fields stay, for questions about loops. */
struct wb_simt_analysis {
  const struct wb_code *code;               /* borrowed, during the analysis */
  const struct wb_function *function;       /* borrowed */
  struct wb_simt_options options;           /* ablations */
  const struct wb_control *control;         /* borrowed, during the analysis */
  const struct wb_reconvergence *mechanism; /* how lanes wait and come together */
  void *mechanism_data;                     /* the mechanism's own */
  struct wb_simt_layout layout;             /* the function cut into blocks */
  struct wb_simt_contexts contexts;         /* calls that are pending */
  struct wb_register_sets sets;             /* all sets of registers, by number */
  struct wb_simt_fixpoint fixpoint;         /* states and worklist */
  struct wb_simt_block block;               /* the block that is being done */
  uint64_t noted;                           /* bytes of the last pass's notes */
  uint64_t work;                            /* steps done, of any kind: polls go by it */
  uint64_t polled;                          /* `work` at the last poll */
  struct wb_simt_record *record;            /* of the last pass; NULL in the others */
  struct wb_text *violation;                /* of the checking pass; NULL in the others */
  warpbound_status status;                  /* the first failure, or OK; with *error */
  warpbound_error *error;                   /* borrowed, during the analysis */
  struct wb_warp_graph graph;               /* the outcome; its arena has the next three too */
  uint32_t *block_states;                   /* by block of it: the state at its beginning */
  uint32_t *makers;                         /* by continuation: the block, or WB_NOWHERE */
  struct wb_simt_resumption *resumptions;   /* by edge */
  size_t resumption_count;                  /* resumptions */
};

/* ---- what the last pass notes ---- */

/* A transition between states. */
struct wb_simt_edge {
  uint32_t from; /* the state that is left */
  uint32_t to;   /* the state that is entered */
  struct wb_simt_transition how;
};

/* A block makes a continuation (pushes an entry, opens a scope). */
struct wb_simt_making {
  uint32_t state;        /* at the block's beginning */
  uint32_t continuation; /* that is made */
  bool divergent;        /* by some executions only, of its last instruction */
};

/* An instruction at which lanes begin to wait, and where they can go on. */
struct wb_simt_match {
  uint32_t instruction; /* that waits */
  uint32_t point;       /* the instruction at which they go on */
};

/* Flags of an instruction. */
enum {
  WB_NOTED_REACHED = 1,     /* some execution may do it */
  WB_NOTED_CONDITIONAL = 2, /* a conditional control instruction */
  WB_NOTED_DIVERGENT = 4,   /* on which lanes may disagree */
  WB_NOTED_UNMATCHED = 8,   /* it may find nothing that it waits for */
  WB_NOTED_LETS_GO = 16,    /* lanes that wait may run on when others do it */
  WB_NOTED_BY_BLOCK = 32    /* what it does would be known in a block of whole warps */
};

struct wb_simt_record {
  struct wb_simt_edge *edges;     /* in the order of their states */
  size_t edge_count;              /* edges */
  size_t edge_capacity;           /* room in edges */
  struct wb_simt_making *makings; /* with repetitions */
  size_t making_count;            /* makings */
  size_t making_capacity;         /* room in makings */
  struct wb_simt_match *matches;  /* with repetitions */
  size_t match_count;             /* matches */
  size_t match_capacity;          /* room in matches */
  uint8_t *notes;                 /* by instruction: flags */
  bool *ends;                     /* by state: the warp can end in its block */
  uint32_t *last;                 /* by state: the last instruction of its block */
  struct wb_arena arena;          /* of the last three */
};

/* Whether states still grow. In the passes afterwards everything must be covered already. */
static inline bool wb_simt_searching(const struct wb_simt_analysis *analysis)
{
  return analysis->record == NULL && analysis->violation == NULL;
}

/* ==== failing: each sets the status where nothing failed before, and returns false ==== */

bool wb_simt_no_memory(struct wb_simt_analysis *analysis);
/* At the instruction: "kernel: BRK at 0x0128: why". */
bool wb_simt_refuse(struct wb_simt_analysis *analysis, uint32_t instruction, const char *why);
/* Whether there is time and memory to go on; asks the control now and then. */
bool wb_simt_go_on(struct wb_simt_analysis *analysis);

/* In the checking pass: notes that an invariant of the fixpoint is broken where the present block
 * ends, the first time; a pass that does not check has none to note. */
void wb_simt_violated(struct wb_simt_analysis *analysis, const char *what);

/* ==== the passes over the states, in order ==== */

/* Makes what the passes need, of an analysis whose borrowed fields, options and mechanism are set
 * and whose other fields are zero. False where memory is out. */
bool wb_simt_start(struct wb_simt_analysis *analysis);

/* From the function's beginning to the fixpoint. False on failure. */
bool wb_simt_search(struct wb_simt_analysis *analysis);

/* After the search: the invariants of the sets of registers, the contexts and the mechanism, and
 * that the fixpoint is one: whatever begins or follows a state is covered by a state. Adds to
 * `violation` the first that is broken, in words; nothing where all hold. As long as one round of
 * the search over all states. */
void wb_simt_check(struct wb_simt_analysis *analysis, struct wb_text *violation);

/* Does every state once more and notes all down. False on failure. */
bool wb_simt_record_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record);
void wb_simt_record_free(struct wb_simt_record *record);

/* Adds the assumptions that the graph rests on, and where the listing's annotations contradict it;
 * sorts the matches. */
void wb_simt_remark(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

/* Makes the graph of what the last pass noted, which it sorts, and block_states, makers and
 * resumptions. The blocks that were cut before anything was known are put together again where
 * control only ever falls from one into the next. Sorting dominates. */
void wb_simt_graph_make(struct wb_simt_analysis *analysis, struct wb_simt_record *record);

/* Frees what only the passes need; then all that the analysis owns. Each may follow a start that
 * failed. */
void wb_simt_end_search(struct wb_simt_analysis *analysis);
void wb_simt_free(struct wb_simt_analysis *analysis);

/* ==== for the engine alone ==== */

/* The layout, and context 0. False where memory is out. */
bool wb_simt_fixpoint_start(struct wb_simt_analysis *analysis);

/* The invariants: NULL, or which one is broken. Linear in the sum of the depths. */
const char *wb_simt_contexts_check(const struct wb_simt_contexts *contexts,
                                   const struct wb_simt_options *options);

/* Takes the first state of the queue; WB_NOWHERE where it is empty. Logarithmic. */
uint32_t wb_simt_next(struct wb_simt_analysis *analysis);

/* Free what only the search needs, layout and contexts among it, then all of it. */
void wb_simt_fixpoint_end_search(struct wb_simt_analysis *analysis);
void wb_simt_fixpoint_free(struct wb_simt_analysis *analysis);

/* ==== for mechanisms: the block that is being done, and where control goes from there ==== */

/* Brings what the block's instructions have written so far to `agreement` and `abstract`. */
void wb_simt_block_settle(struct wb_simt_analysis *analysis);

/* An instruction in the block's context. */
struct wb_simt_place wb_simt_block_place(const struct wb_simt_analysis *analysis,
                                         uint32_t instruction);

/* The instruction after the present one. */
struct wb_simt_place wb_simt_block_next(const struct wb_simt_analysis *analysis);

/* Target number `which` of the present instruction. */
uint32_t wb_simt_block_target(const struct wb_simt_analysis *analysis, uint32_t which);

/* The context that a call of the target by the present instruction enters; WB_NOWHERE on failure,
 * and where as many calls of it are pending as there are at once: no lane makes this one. */
uint32_t wb_simt_block_callee(struct wb_simt_analysis *analysis, uint32_t target);

/* A transition found: lanes that agree on a set of registers come to a place, with the mechanism's
 * part of the state. Search: joins it into the place's state. Checking pass: a violation where the
 * place's state does not cover it. Last pass: notes the edge. */
void wb_simt_emit(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                  struct wb_simt_place place, uint32_t agreement, const void *abstract);

/* The lanes that run go on at a place, and agree on what they agreed on. */
void wb_simt_go_to(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                   struct wb_simt_place place, const void *abstract);
/* The mechanism's part of a state; valid until a transition is emitted. */
void *wb_simt_abstract_of(const struct wb_simt_analysis *analysis, uint32_t state);

/* The state that is being done reads a cell. */
void wb_simt_depend(struct wb_simt_analysis *analysis, uint32_t cell);

/* A cell allows more than before: what depends on it is done again. A violation in the checking
 * pass. */
void wb_simt_changed(struct wb_simt_analysis *analysis, uint32_t cell);

/* ==== for mechanisms: notes about that block; nothing in the passes before the last ==== */

/* The present instruction makes a continuation; divergent: not each time that lanes do it. */
void wb_simt_note_making(struct wb_simt_analysis *analysis, uint32_t continuation, bool divergent);
/* The warp can end here. */
void wb_simt_note_end(struct wb_simt_analysis *analysis);
/* Lanes begin to wait here, and will go on at the point. */
void wb_simt_note_match(struct wb_simt_analysis *analysis, uint32_t point);
/* Adds flags to the present instruction. */
void wb_simt_note(struct wb_simt_analysis *analysis, uint8_t flags);

/* ==== for mechanisms: after the search ==== */

/* Addresses that a sentence names; the others are counted. */
#define WB_ADDRESSES_NAMED 8

/* A list of addresses in a sentence: "0x0128, 0x0140 and 3 more". Zero-initialise. */
struct wb_address_list {
  char text[WB_ADDRESSES_NAMED * 12 + 32]; /* those named, ended by a zero */
  size_t length;                           /* of the text */
  size_t count;                            /* of all addresses */
};

void wb_address_list_add(struct wb_address_list *list, uint32_t address);

/* The list in words, "nothing" where it is empty; nothing may be added afterwards. */
const char *wb_address_list_text(struct wb_address_list *list);

#endif
