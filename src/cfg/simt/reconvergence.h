/* The interface of a reconvergence mechanism: how lanes that came apart wait, and how they come
 * together again. The fixpoint, contexts, agreement, layout, record and graph know a mechanism by
 * this table alone. Each function's contract, and what must be proven of an implementation:
 * doc/simt-analysis.md, "The interface of the reconvergence mechanism". */
#ifndef WB_CFG_SIMT_RECONVERGENCE_H
#define WB_CFG_SIMT_RECONVERGENCE_H

#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_simt_analysis;
struct wb_simt_record;
struct wb_text;
struct wb_warp_entry;
struct wb_warp_graph;

/* Whether an instruction concerns the mechanism. */
enum wb_simt_role {
  WB_ROLE_DATA,      /* no: it reads and writes registers, and goes on with all lanes */
  WB_ROLE_STEP,      /* it changes the mechanism's state, and goes on with all lanes */
  WB_ROLE_END,       /* it decides what runs next: it ends its block */
  WB_ROLE_END_REPEAT /* the same, and lanes may wait to do it again: it begins a block too */
};

/* Numbers. A *continuation* is a place at which lanes wait to go on (an entry of the activation
 * stack, a scope of a convergence barrier): 0 .. continuation_count - 1. A *cell* is knowledge that
 * the mechanism keeps once for all places (what lies below an entry): any number below 2^32 - 1,
 * small ones first. */
struct wb_reconvergence {
  const char *name;          /* "activation stack" */
  const char *architectures; /* that have it, in words: "Maxwell or Pascal" */
  size_t state_size;         /* bytes of an abstract state */
  bool groups;               /* lanes can run in several groups at a time: edges have rates, and
                              * copies are steps */

  struct wb_register_span always_agree; /* where `groups`: registers that the lanes of a group
                                         * always agree on */

  uint32_t refused_transfers; /* 1 << enum wb_transfer: where one is reached, the code is refused */
  const char *refusal;        /* why */

  /* ---- the mechanism's data, analysis->mechanism_data: shared by all places ---- */

  /* Makes it. False where memory is out. */
  bool (*start)(struct wb_simt_analysis *analysis);
  /* Frees it, also after a start that failed. */
  void (*free)(struct wb_simt_analysis *analysis);
  /* Bytes of it and of all abstract states, without the state_size of each. Constant time. */
  uint64_t (*memory_used)(const struct wb_simt_analysis *analysis);

  /* ---- abstract states: the mechanism's part of a state, that is, who waits, where, and what is
   * known of them. Its contents are the mechanism's. Invariant: all bytes zero is the least state,
   * which no execution is in; an object may be moved by copying its bytes ---- */

  /* Makes *to equal to *from. False where memory is out. */
  bool (*copy)(void *to, const void *from);
  /* Makes *into an upper bound of both, and sets *changed where it grew. False on failure. */
  bool (*join)(struct wb_simt_analysis *analysis, void *into, const void *from, bool *changed);
  /* Whether every execution that `small` allows, `large` allows too: the order. */
  bool (*covers)(struct wb_simt_analysis *analysis, const void *large, const void *small);
  /* Frees what a state owns and leaves it the least one. */
  void (*clear)(void *state);
  /* Adds one line without its end, for the messages of checks. */
  void (*print)(const struct wb_simt_analysis *analysis, const void *state, struct wb_text *text);

  /* ---- instructions; what runs is analysis->block ---- */

  enum wb_simt_role (*role)(const struct wb_instruction *instruction);
  /* Emits the transitions into the function: what the warp starts with. */
  void (*begin)(struct wb_simt_analysis *analysis);
  /* The lanes that run wrote at most the registers of the set `written`, and now agree on those
   * of block.agreement: brings both to block.abstract. Called where the agreement of waiting lanes
   * is tracked, and always where `groups` is set. */
  void (*wrote)(struct wb_simt_analysis *analysis, uint32_t written);
  /* A WB_ROLE_STEP: changes block.abstract. False on failure. */
  bool (*step)(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
  /* Emits the successors of block.abstract where all lanes that run do the instruction. */
  void (*all_do)(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
  /* The same where none of them does it: they go on at the next instruction. Called for
   * instructions that are conditional. NULL: they do so with block.abstract as it is. */
  void (*none_do)(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
  /* The same where some do it and the others, not none, go on at the next instruction. NULL: both
   * groups that the lanes come apart into are among those of all_do and none_do. */
  void (*some_do)(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);

  /* ---- after the search ---- */

  /* Adds what the mechanism assumes of the instructions that are reached to
   * analysis->graph.assumptions. */
  void (*assume)(struct wb_simt_analysis *analysis, const struct wb_simt_record *record);
  size_t (*continuation_count)(const struct wb_simt_analysis *analysis);
  /* Where a continuation's lanes go on, and what they wait for; false for a number that stands for
   * no such place (the bottom of a stack). */
  bool (*continuation)(const struct wb_simt_analysis *analysis, uint32_t number,
                       struct wb_warp_entry *entry);
  /* Adds what the mechanism alone describes to the graph, which has all else: its scopes. False
   * where memory is out. NULL: nothing. */
  bool (*describe)(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph);
  /* Whether lanes that ran in a loop's body since it was entered may be left behind in it, waiting
   * or ready to go on inside of it, when others begin an iteration at a header. `headers` and
   * `body`: flags by block of the graph. True where memory is out. */
  bool (*leaves_behind)(const struct wb_simt_analysis *analysis, const bool *headers,
                        const bool *body);
  /* The invariants of the mechanism's own data: NULL, or which one is broken. */
  const char *(*check)(const struct wb_simt_analysis *analysis);
};

/* The activation stack of Maxwell and Pascal, and the convergence barriers of Volta and later
 * (doc/simt-volta.md). */
extern const struct wb_reconvergence wb_reconvergence_stack;
extern const struct wb_reconvergence wb_reconvergence_barriers;

#endif
