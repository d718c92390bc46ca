/* The successors of a state of the machine that can still reach a goal. */
#ifndef WB_MAKESPAN_LAYERED_MOVES_H
#define WB_MAKESPAN_LAYERED_MOVES_H

#include "makespan/cycle.h"
#include "makespan/run_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who takes the successors. reach: told of each of them, its hash (the same for equal states) and
 * its table value; one may come several times. goes_on: asked every so many steps of work
 * (moves tried, choices of warps) whether to go on. Both say false to end. */
struct wb_layered_taker {
  bool (*reach)(void *context, const uint8_t *warps, uint64_t hash, uint32_t value);
  bool (*goes_on)(void *context);
  void *context;
};

/* A state under expansion: current is what it is, next what the move under trial makes of it,
 * with its hash (a sum over positions of warps times key). move[r] is what run r does. inside,
 * pending: of the current state, as in run_table.h; after[r][u]: its warps in runs of type u
 * behind run r; next_inside, next_pending: of the state that move leads to. value: the
 * successor's, by the table. work: steps since the taker was last asked; ended: it said
 * false, which every loop and recursion looks at. */
struct wb_layered_moves {
  const struct wb_run_table *table;
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
  uint8_t *next;
  uint64_t hash;
  uint64_t least_value;
  uint32_t value;
  uint64_t work;
  bool ended;
};

/* False: memory is out. Free in either case. */
bool wb_layered_moves_start(struct wb_layered_moves *moves, const struct wb_run_table *table,
                            const struct wb_layered_taker *taker);
void wb_layered_moves_free(struct wb_layered_moves *moves);

/* Tells the taker of every state that one cycle leads to and that, by the table, may be
 * least_value cycles or more from the end. warps: how many are at each position; it
 * may change meanwhile. False: the taker has ended it. Deterministic. */
bool wb_layered_expand(struct wb_layered_moves *moves, const uint8_t *warps, uint64_t least_value);

#endif
