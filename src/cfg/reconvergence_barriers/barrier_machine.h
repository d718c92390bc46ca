/* The data of convergence barriers, shared by all places, and what its parts do on it:
 * barrier_machine.c (what is kept for all places, groups that go on and come apart),
 * barrier_transfer.c (instructions, values that travel, CALL, RET), scope_transfer.c (BSSY, BSYNC,
 * BREAK, WARPSYNC), branch_ways.c (ways that all groups of a parting go), scope_description.c
 * (after the search), reconvergence_barriers.c (the interface). */
#ifndef WB_CFG_RECONVERGENCE_BARRIERS_BARRIER_MACHINE_H
#define WB_CFG_RECONVERGENCE_BARRIERS_BARRIER_MACHINE_H

#include "cfg/reconvergence_barriers/group_state.h"
#include "cfg/simt/simt_engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All executions of one BSSY in one context. The groups are joins over all of them. */
struct wb_scope {
  uint32_t instruction;    /* the BSSY */
  uint32_t context;        /* of it, and of its point */
  uint32_t point;          /* where its lanes go on together */
  uint32_t next;           /* the next scope of this point, WB_NOWHERE for none */
  struct wb_group made;    /* the group that makes it, before it is open */
  struct wb_group arrived; /* the groups that wait for it, with the scopes around it */
  uint32_t agreement;      /* the set of registers that all that wait for it agree on */
  uint32_t lost;           /* but for these */
  bool divided;            /* some that come to wait are not known to be in a scope `of_side` */
  bool broken;             /* lanes may leave it by a BREAK */
  bool yields;             /* lanes in it may let those that wait run on */
};

/* A block at whose end a group of all lanes of the warp may come apart, the WARPSYNCs of all lanes
 * at which the groups that descend from it wait, and whether lanes of them end. */
struct wb_parting {
  uint32_t meeting; /* the first one at which they wait, WB_NOWHERE for none */
  bool several;     /* there are others */
  bool sides[2];    /* they wait that did its last instruction not, or did it */
  bool divided;     /* some that wait may lack lanes of their side */
  bool ended;       /* lanes that came apart there may have ended */
};

/* A WARPSYNC in a context. */
struct wb_meeting {
  uint32_t instruction;    /* the WARPSYNC */
  uint32_t context;        /* of it */
  struct wb_group arrived; /* the groups that come to it */
};

/* A linked call: what returns from the context that it enters. */
struct wb_linked_call {
  uint32_t site;    /* the calling instruction */
  uint32_t context; /* of it */
  uint32_t next;    /* the next call into the same context, WB_NOWHERE for none */
};

/* How a state that has a BREAK in its block goes on. */
struct wb_escape {
  uint32_t scope; /* that is broken */
  uint32_t from;  /* the state */
  uint32_t to;    /* the state entered */
  uint8_t how;    /* enum wb_escape_kind */
};
enum wb_escape_kind {
  WB_ESCAPE_NONE,   /* the lanes that go there are still in the scope */
  WB_ESCAPE_ALL,    /* none of them is */
  WB_ESCAPE_UNCLEAR /* some may have left it, others not */
};

/* A scope, and an instruction that waits for it or leaves it. */
struct wb_scope_use {
  uint32_t scope;
  uint32_t instruction;
};
struct wb_scope_uses {
  struct wb_scope_use *items;
  size_t count;
  size_t capacity;
};

struct wb_barrier_machine {
  struct wb_scope *scopes; /* by number */
  size_t scope_count;
  size_t scope_capacity;
  struct wb_simt_pairs scope_names; /* (instruction, context): numbers of scopes */
  bool *points;                     /* by instruction: some BSSY names it as its point */
  uint32_t *first_scopes; /* by instruction: the latest scope of this point, WB_NOWHERE for none */
  struct wb_parting *partings; /* by number */
  size_t parting_count;
  size_t parting_capacity;
  struct wb_simt_pairs parting_names; /* (state, 0): numbers of partings */
  struct wb_meeting *meetings;        /* by number */
  size_t meeting_count;
  size_t meeting_capacity;
  struct wb_simt_pairs meeting_names; /* (instruction, context): numbers of meetings */
  struct wb_simt_pairs branch_names;  /* (state, 0): numbers of branches that send all groups of a
                                       * parting one way (branch_ways.c) */
  struct wb_parting anywhere;         /* the same of groups that came apart at no known block */
  struct wb_linked_call *calls;       /* all linked calls */
  size_t call_count;
  size_t call_capacity;
  uint32_t *first_calls; /* by context: the first call that enters it, + 1 */
  size_t first_call_capacity;
  struct wb_simt_pairs
      slot_names;       /* (what the address is made of, the address): words of local memory */
  size_t item_count;    /* scopes and values of all states, for the memory limit */
  struct wb_group side; /* scratch: the group of one successor */
  struct wb_group next; /* scratch: a group that is released */
  /* of the last pass */
  uint32_t came_apart;   /* scratch: the parting of the present block, at which the group of all
                          * lanes of the warp comes apart; WB_NOWHERE where it does not */
  uint32_t breaks_state; /* the state whose BREAKs are `breaks` */
  uint32_t *breaks;      /* scopes that the present block breaks */
  size_t break_count;
  size_t break_capacity;
  struct wb_escape *escapes; /* of all states */
  size_t escape_count;
  size_t escape_capacity;
  struct wb_scope_uses syncs;    /* BSYNCs, with repetitions */
  struct wb_scope_uses leavings; /* BREAKs, with repetitions */
  bool all_yield;                /* lanes may yield in any scope */
  bool all_broken;               /* lanes may leave any scope by a BREAK */
  bool words_read;               /* a word of local memory that was known is read */
  bool whole_warps;              /* each warp of the block begins with 32 lanes */
  bool rows_of_warps;  /* threads of a warp have neighbouring indices in x, from a multiple
                        * of 32 on */
  bool links_guessed;  /* the address of some return is not known */
  bool scopes_guessed; /* some BSYNC is taken to wait for a scope by its place alone */
};

static inline struct wb_barrier_machine *
wb_barrier_machine_of(const struct wb_simt_analysis *analysis)
{
  return analysis->mechanism_data;
}

/* Cells: what is kept for all places. */
enum wb_cell_kind {
  WB_CELL_OF_SCOPE = 1,
  WB_CELL_OF_MEETING = 2,
  WB_CELL_OF_CALLERS = 3 /* into a context */
};
static inline uint32_t wb_cell_of(enum wb_cell_kind kind, uint32_t number)
{
  return 4 * number + kind;
}
#define WB_CELL_PARTINGS 0u /* which meetings belong to which parting */
#define WB_CELL_SCOPES 4u   /* how many scopes there are */
#define WB_CELL_FLAGS 8u    /* all_yield, all_broken */
/* Which scopes have a point. */
static inline uint32_t wb_cell_of_point(uint32_t point)
{
  return 4 * point + 12;
}

/* ---- barrier_machine.c ---- */

/* The number of a name; a new one where there is none (*made). WB_NOWHERE on failure. */
uint32_t wb_barrier_number(struct wb_simt_analysis *analysis, struct wb_simt_pairs *names,
                           uint64_t first, uint32_t second, bool *made);
/* covers and join of struct wb_reconvergence, whose abstract state is a group. */
bool wb_barrier_covers(struct wb_simt_analysis *analysis, const void *large, const void *small);
bool wb_barrier_grow(struct wb_simt_analysis *analysis, void *into, const void *from,
                     bool *changed);
/* Joins a group into one that is kept in a cell; in the passes after the search only says whether
 * that would change it. False on failure. */
bool wb_barrier_join(struct wb_simt_analysis *analysis, struct wb_group *into,
                     const struct wb_group *from, uint32_t cell);
/* Raises a flag that is kept in a cell. */
void wb_barrier_raise(struct wb_simt_analysis *analysis, bool *flag, uint32_t cell);
/* Lanes that run go on; notes how they leave scopes that the block breaks. */
void wb_barrier_go(struct wb_simt_analysis *analysis, struct wb_simt_transition transition,
                   struct wb_simt_place place, uint32_t agreement, const struct wb_group *group);
/* The same with what the present instruction's lanes agree on, at the block's rate. */
void wb_barrier_go_on(struct wb_simt_analysis *analysis, enum wb_edge_kind kind,
                      struct wb_simt_place place, const struct wb_group *group);
/* The group of all lanes that may come apart here is no longer known to be whole. branch: that
 * sends them apart by its guard, so that lanes which left a scope by that guard and those that are
 * still in it are told apart; NULL for another instruction. False on failure. */
bool wb_barrier_part(struct wb_simt_analysis *analysis, const struct wb_instruction *branch,
                     struct wb_group *group);
/* The group is the lanes that came apart in the present block and did its last instruction, or did
 * not, and went to one place. */
void wb_barrier_take_side(struct wb_simt_analysis *analysis, bool done, struct wb_group *group);

/* The first parting from number `from` on that a group may descend from; where its lanes came apart
 * at no known block, that of all such groups. NULL where there is no other. */
struct wb_parting *wb_barrier_parting_of(const struct wb_simt_analysis *analysis,
                                         const struct wb_group *group, uint32_t from);
/* The one after it. */
struct wb_parting *wb_barrier_parting_after(const struct wb_simt_analysis *analysis,
                                            const struct wb_group *group,
                                            const struct wb_parting *parting);
/* Whether lanes of the warp may have ended by the time at which all that are left come together
 * again, of whom the group is known. */
bool wb_barrier_lanes_ended(struct wb_simt_analysis *analysis, const struct wb_group *group);
/* Nothing is left of where lanes of the warp came apart: the group has all that have not ended. */
void wb_barrier_forget_parting(struct wb_group *group);
/* The same, of which is found whether some have ended, and that are all lanes of its scopes. */
void wb_barrier_make_whole(struct wb_simt_analysis *analysis, struct wb_group *group);

/* What lanes that come together again agree on: registers of `agreement` but those of `lost`,
 * values that are one number in all lanes of the warp, and uniform registers. */
uint32_t wb_barrier_agreement(struct wb_simt_analysis *analysis, uint32_t agreement, uint32_t lost,
                              const struct wb_group *group);

/* ---- scope_transfer.c ---- */

bool wb_scope_open(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
bool wb_scope_break(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
/* Lanes in the group's scopes may let those that wait run on. */
void wb_scope_yield(struct wb_simt_analysis *analysis);
/* The lanes of the group do a BSYNC; where they may be bound to several scopes they come apart. */
void wb_scope_sync(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                   struct wb_group *group);
/* Whether a BSYNC waits for all lanes of the scope. */
bool wb_scope_waits_for_all(const struct wb_simt_analysis *analysis, const struct wb_scope *scope);

void wb_warp_sync(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction,
                  struct wb_group *group);
/* Whether an instruction's mask is known to be all lanes. */
bool wb_barrier_mask_is_all(const struct wb_simt_analysis *analysis,
                            const struct wb_instruction *instruction, const struct wb_group *group);

/* ---- branch_ways.c ---- */

/* Notes that the group goes on from the branch that ends the present block, which it did or did
 * not, where all groups that descend from the latest parting go the same way there. */
void wb_barrier_note_way(struct wb_simt_analysis *analysis,
                         const struct wb_instruction *instruction, bool done,
                         struct wb_group *group);
/* Whether of two groups no parting has both: they went different ways from such a branch. */
bool wb_barrier_ways_exclude(const struct wb_simt_analysis *analysis, const struct wb_group *a,
                             const struct wb_group *b);

/* ---- barrier_transfer.c, scope_description.c: of struct wb_reconvergence ---- */

enum wb_simt_role wb_barrier_role(const struct wb_instruction *instruction);
void wb_barrier_wrote(struct wb_simt_analysis *analysis, uint32_t written);
bool wb_barrier_step(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
void wb_barrier_all_do(struct wb_simt_analysis *analysis, const struct wb_instruction *instruction);
void wb_barrier_none_do(struct wb_simt_analysis *analysis,
                        const struct wb_instruction *instruction);
bool wb_barrier_describe(const struct wb_simt_analysis *analysis, struct wb_warp_graph *graph);

/* Continuations: scopes have even numbers, partings odd ones. */
static inline uint32_t wb_continuation_of_scope(uint32_t scope)
{
  return 2 * scope;
}
static inline uint32_t wb_continuation_of_parting(uint32_t parting)
{
  return 2 * parting + 1;
}

#endif
