/* All cycles that a state of a whole SM can have under work-conserving schedulers. */
#ifndef WB_SM_MACHINE_SM_MOVES_H
#define WB_SM_MACHINE_SM_MOVES_H

#include "model/sm_problem.h"
#include "sm/machine/sm_machine.h"
#include "sm/machine/sm_states.h"
#include "sm/machine/sm_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Warps of a cell in one class, which may issue: `count` of them from `place` on, in a partition.
 * after: warps that wait for the same units in later groups; beside[u]: those of the same
 * partition and each type in later groups. last: of its partition. */
struct wb_sm_group {
  uint32_t place;
  uint32_t count;
  uint16_t class;
  uint8_t unit;
  uint8_t partition;
  uint32_t after;
  uint32_t beside[WB_UNIT_COUNT];
  bool last;
};

/* The state under expansion: its groups, partition by partition; roomy[p]: the partition's issue
 * slots cannot run out, all_roomy: none's; needed[p]: instructions that the partition issues at
 * least. `next` is the state that the move under construction makes, before it is settled.
 * reach is called with each, and says whether to go on. visit is called before each choice. */
struct wb_sm_moves {
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  const struct wb_sm_layout *layout;
  const uint16_t *state;
  uint16_t *next;
  struct wb_sm_group *groups;
  size_t group_count;
  struct wb_sm_room room;
  bool roomy[WB_PARTITION_LIMIT];
  bool all_roomy;
  uint32_t needed[WB_PARTITION_LIMIT];
  bool (*reach)(void *context);
  bool (*visit)(void *context);
  void *context;
};

/* Makes room for states of the layout; the rest is the caller's to set. false: no memory. Free
 * with wb_sm_moves_free, failed or not. */
bool wb_sm_moves_start(struct wb_sm_moves *moves, const struct wb_sm_problem *problem,
                       const struct wb_sm_words *words, const struct wb_sm_layout *layout);
void wb_sm_moves_free(struct wb_sm_moves *moves);

/* Tries every set of warps that can issue in the state and that no other could join, and for each
 * warp of it every class that it may go on with. Warps of one cell and class are not told apart.
 * moves->state is borrowed and must not change meanwhile. */
void wb_sm_moves_try(struct wb_sm_moves *moves, const uint16_t *state);

#endif
