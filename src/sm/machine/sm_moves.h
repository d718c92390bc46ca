/* All cycles that a state of a whole SM can have under work-conserving schedulers. */
#ifndef WB_SM_MACHINE_SM_MOVES_H
#define WB_SM_MACHINE_SM_MOVES_H

#include "base/arena.h"
#include "makespan/machine/sm_machine.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_states.h"
#include "sm/machine/sm_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Warps of one cell and class that may issue: `count` of them from `place` on. */
struct wb_sm_group {
  uint32_t place;
  uint32_t count;
  uint16_t class;
  uint8_t unit;
  uint8_t partition;
  uint32_t after;                 /* warps that wait for the same units in later groups */
  uint32_t beside[WB_UNIT_COUNT]; /* by type: warps of the same partition in later groups */
  bool last;                      /* it is the last group of its partition */
};

/* The state under expansion. reach and visit say whether to go on. */
struct wb_sm_moves {
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  const struct wb_sm_layout *layout;
  uint16_t *next; /* the state that the move under construction makes, before it is settled */
  struct wb_sm_group *groups; /* partition by partition */
  size_t group_count;
  struct wb_sm_room room;
  bool roomy[WB_PARTITION_LIMIT];      /* by partition: its issue slots cannot run out */
  bool all_roomy;                      /* of all partitions */
  uint32_t needed[WB_PARTITION_LIMIT]; /* by partition: instructions that it issues at least */
  bool (*reach)(void *context);        /* is called with each move made */
  bool (*visit)(void *context);        /* is called before each choice */
  void *context;                       /* of both */
};

/* Makes room, in an arena, for states of the layout; the rest is the caller's to set. false: no
 * memory. */
bool wb_sm_moves_start(struct wb_sm_moves *moves, const struct wb_sm_problem *problem,
                       const struct wb_sm_words *words, const struct wb_sm_layout *layout,
                       struct wb_arena *arena);

/* Tries every set of warps that can issue in the state and that no other could join, and for each
 * warp of it every class that it may go on with. Warps of one cell and class are not told apart. */
void wb_sm_moves_try(struct wb_sm_moves *moves, const uint16_t *state);

#endif
