/* The successors of a state of the machine that can still reach a goal. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_MOVES_H
#define WB_MAKESPAN_EXACT_LAYERED_MOVES_H

#include "base/arena.h"
#include "makespan/exact/state_code.h"
#include "makespan/machine/cycle.h"
#include "makespan/runs/run_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The taker of successors. Both functions say false to end. */
struct wb_layered_taker {
  /* Is told the code of each successor, its hash (the same for equal states) and its table value;
   * one may come several times. */
  bool (*reach)(void *context, const uint8_t *code, uint64_t hash, uint32_t value);
  /* Is asked every so many moves and choices of warps. */
  bool (*goes_on)(void *context);
  void *context; /* of both */
};

/* A state under expansion and the move under trial. Owns its arrays; borrows table, code and what
 * terms points to. */
struct wb_layered_moves {
  const struct wb_run_table *table;
  const struct wb_state_code *code;
  struct wb_layered_taker taker;
  bool capped;       /* the cap on issue slots can bind */
  size_t *first;     /* position of each run's first instruction */
  uint64_t *keys;    /* by position: of a warp; a hash is the sum of warps times keys */
  uint32_t *inside;  /* by run: warps of the current state */
  uint64_t *pending; /* by run: instructions that these need in it */
  uint32_t (*after)[WB_UNIT_COUNT]; /* by run and type: warps in later runs of the type */
  struct wb_run_move *move;         /* by run: what it does */
  uint32_t *next_inside;            /* the same as inside, after the move */
  uint64_t *next_pending;           /* the same as pending, after the move */
  uint8_t *current;                 /* by position: warps of the current state */
  uint64_t *numbers;                /* by segment of the code: its rank, after the move */
  uint64_t **number_of;             /* by position: the rank that it counts for */
  const uint64_t **terms;           /* as in state_code.h */
  uint8_t *next;                    /* the code of a successor */
  uint64_t hash;                    /* after the move */
  uint64_t least_value;             /* successors of a lower table value are left out */
  uint32_t value;                   /* of the successor, by the table */
  uint64_t work;                    /* moves and choices since the taker was last asked */
  bool ended;                       /* the taker has said false */
  struct wb_arena arena;            /* of the arrays */
};

/* code: of the table's string. False: memory is out. Free the arena in
 * either case. */
bool wb_layered_moves_start(struct wb_layered_moves *moves, const struct wb_run_table *table,
                            const struct wb_state_code *code, const struct wb_layered_taker *taker);

/* Tells the taker of every state that one cycle leads to and that, by the table, may be
 * least_value cycles or more from the end. False: the taker has ended it. Deterministic. */
bool wb_layered_expand(struct wb_layered_moves *moves, const uint8_t *state, uint64_t least_value);

#endif
