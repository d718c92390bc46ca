/* The successors of a state of the machine that can still reach a goal. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_MOVES_H
#define WB_MAKESPAN_EXACT_LAYERED_MOVES_H

#include "makespan/exact/state_code.h"
#include "makespan/machine/cycle.h"
#include "makespan/runs/run_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who takes the successors. reach: told of each of them its code, its hash (the same for equal
 * states) and its table value; one may come several times. goes_on: asked every so many steps of
 * work (moves tried, choices of warps) whether to go on. Both say false to end. */
struct wb_layered_taker {
  bool (*reach)(void *context, const uint8_t *code, uint64_t hash, uint32_t value);
  bool (*goes_on)(void *context);
  void *context;
};

/* A state under expansion: current, the warps at each position, is what it is. numbers and hash (a
 * sum over positions of warps times key) are those of what the move under trial makes of it;
 * terms as in state_code.h, and number_of[p] the number that position p counts for. next: room for
 * a successor's code. move[r] is what run r does. inside,
 * pending: of the current state, as in run_table.h; after[r][u]: its warps in runs of type u
 * behind run r; next_inside, next_pending: of the state that move leads to. value: the
 * successor's, by the table. work: steps since the taker was last asked; ended: it said
 * false, which every loop and recursion looks at. */
struct wb_layered_moves {
  const struct wb_run_table *table;
  const struct wb_state_code *code;
  struct wb_layered_taker taker;
  bool capped;
  size_t *first; /* position of each run's first instruction */
  uint64_t *keys;
  uint32_t *inside;
  uint64_t *pending;
  uint32_t (*after)[WB_UNIT_COUNT];
  struct wb_run_move *move;
  uint32_t *next_inside;
  uint64_t *next_pending;
  uint8_t *current;
  uint64_t *numbers;
  uint64_t **number_of;
  const uint64_t **terms;
  uint8_t *next;
  uint64_t hash;
  uint64_t least_value;
  uint32_t value;
  uint64_t work;
  bool ended;
};

/* code: of the table's string. False: memory is out. Free in either case. */
bool wb_layered_moves_start(struct wb_layered_moves *moves, const struct wb_run_table *table,
                            const struct wb_state_code *code, const struct wb_layered_taker *taker);
void wb_layered_moves_free(struct wb_layered_moves *moves);

/* Tells the taker of every state that one cycle leads to and that, by the table, may be
 * least_value cycles or more from the end. False: the taker has ended it. Deterministic. */
bool wb_layered_expand(struct wb_layered_moves *moves, const uint8_t *state, uint64_t least_value);

#endif
