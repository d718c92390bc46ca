/* The data of the abstract interpretation, as its common parts and the reconvergence mechanism see
 * it; and how each of them fails. The functions are in the headers of the parts:
 * simt_fixpoint.h (states, what must be done again), simt_block.h (the block that is being done),
 * simt_transfer.h, simt_record.h, simt_graph.h, simt_loops.h. */
#ifndef WB_CFG_SIMT_SIMT_ENGINE_H
#define WB_CFG_SIMT_SIMT_ENGINE_H

#include "base/status.h"
#include "base/work_control.h"
#include "cfg/agreement/register_sets.h"
#include "cfg/simt/pair_map.h"
#include "cfg/simt/reconvergence.h"
#include "cfg/simt/simt_contexts.h"
#include "cfg/simt/simt_layout.h"
#include "cfg/simt/simt_options.h"
#include "cfg/warp_graph/warp_graph.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WB_NOWHERE UINT32_MAX

/* All that holds whenever a group of lanes comes to a place; the mechanism's part is kept apart. */
struct wb_simt_state {
  struct wb_simt_place place; /* the first instruction of a block, in a context */
  uint32_t agreement;         /* the set of registers that the lanes agree on */
  bool queued;                /* its block must be done again */
};

/* A state that must be done again when some cell changes; a list. */
struct wb_simt_dependent {
  uint32_t state; /* the state */
  uint32_t next;  /* the next of the list, WB_NOWHERE at its end */
};

/* The states found so far and the worklist. Invariants: `places` maps the place of states[s] to s,
 * for every s below state_count, and no two states have one place; the queue holds exactly the
 * states that are queued, as a heap in the order of wb_simt_contexts_before. At the end of the
 * search: doing any state again emits nothing that the states and cells do not cover. */
struct wb_simt_fixpoint {
  struct wb_simt_state *states;         /* by number */
  size_t state_count;                   /* states found */
  size_t state_capacity;                /* room in states */
  unsigned char *abstracts;             /* the mechanism's part of state s: at s * state_size */
  size_t abstract_capacity;             /* room in abstracts, in states */
  struct wb_pair_map places;            /* (instruction, context) -> state */
  uint32_t *queue;                      /* states to do, the first of the order on top */
  size_t queue_count;                   /* states queued */
  size_t queue_capacity;                /* room in queue */
  struct wb_simt_dependent *dependents; /* the lists of all cells */
  size_t dependent_count;               /* members of all lists */
  size_t dependent_capacity;            /* room in dependents */
  uint32_t *first_dependents;           /* by cell: its list, + 1; 0 for an empty one */
  size_t cell_capacity;                 /* cells that first_dependents has room for */
  struct wb_pair_map dependences;       /* (cell, state) -> 0: in the list already */
};

/* How control goes on. Without a continuation the lanes that run afterwards are among those that
 * ran before. With one they waited in it, and with them may be lanes that just came to it. */
struct wb_simt_transition {
  uint8_t kind;          /* enum wb_edge_kind */
  uint8_t rate;          /* enum wb_edge_rate */
  uint32_t continuation; /* that is resumed, WB_NOWHERE for none */
  bool plain;            /* falls into the next block, with no control instruction before */
};

/* The block that is being done, up to its present instruction. Invariant: between a
 * WB_ROLE_DATA instruction and the next settling, `agreement` and `abstract` are older than
 * `agreed` and `written`; the mechanism is called when all four are as of now. */
struct wb_simt_block {
  uint32_t state;                     /* its number */
  uint32_t instruction;               /* the present one */
  uint32_t context;                   /* of all its instructions */
  struct wb_register_set agreed;      /* what the lanes that run agree on */
  struct wb_register_set written;     /* what they may have written since the last settling */
  uint32_t agreement;                 /* `agreed` as a number */
  bool splits;                        /* lanes may disagree on the present instruction, its last */
  struct wb_abstract_state *abstract; /* the mechanism's part of the state */
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
  struct wb_warp_graph graph;               /* the outcome */
  uint32_t *block_states;                   /* by block of it: the state at its beginning */
  uint32_t *makers;                         /* by continuation: the block, or WB_NOWHERE */
  struct wb_simt_resumption *resumptions;   /* by edge */
  size_t resumption_count;                  /* resumptions */
};

/* Whether states still grow. In the passes afterwards everything must be covered already. */
static inline bool wb_simt_searching(const struct wb_simt_analysis *analysis)
{
  return analysis->record == NULL && analysis->violation == NULL;
}

/* ---- failing: each sets the status where nothing failed before, and returns false ---- */

bool wb_simt_no_memory(struct wb_simt_analysis *analysis);
/* At the instruction: "kernel: BRK at 0x0128: why". */
bool wb_simt_refuse(struct wb_simt_analysis *analysis, uint32_t instruction, const char *why);
/* Whether there is time and memory to go on; asks the control now and then. */
bool wb_simt_go_on(struct wb_simt_analysis *analysis);

/* In the checking pass: notes that an invariant of the fixpoint is broken where the present block
 * ends, the first time; a pass that does not check has none to note. */
void wb_simt_violated(struct wb_simt_analysis *analysis, const char *what);

#endif
