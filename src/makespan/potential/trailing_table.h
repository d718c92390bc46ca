/* The dynamic program over the positions of the trailing warps, which are followed exactly
 * (doc/potentials/potentials.md, "Trailing warps"). */
#ifndef WB_MAKESPAN_POTENTIAL_TRAILING_TABLE_H
#define WB_MAKESPAN_POTENTIAL_TRAILING_TABLE_H

#include "base/arena.h"
#include "base/work_control.h"
#include "makespan/potential/leading_moves.h"
#include "makespan/potential/potential_proof.h"
#include "makespan/potential/trailing_positions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An entry of a component from which there is no path to the end. Sums of it and a potential's
 * numbers stay far above half of it, and far from overflow. */
#define WB_TRAILING_NO_PATH (INT64_MIN / 4)

/* A choice of the trailing warps that issue in a cycle. */
struct wb_trailing_step {
  uint32_t issues[WB_UNIT_COUNT]; /* by pool */
  bool last_issues;               /* one at the largest position does */
  const int64_t *after;           /* the entries of the positions after it */
};

/* A state of the leading warps together with the trailing warps at hand. */
struct wb_leading_state {
  bool listed;                   /* the potential has it; the rest holds only then */
  uint32_t warps[WB_UNIT_COUNT]; /* leading warps, by pool */
  uint32_t ready[WB_UNIT_COUNT]; /* of all warps those that can issue, by pool */
  uint32_t all_ready;            /* their sum */
  uint32_t slots;                /* instructions that issue in the cycle */
  unsigned view[WB_UNIT_COUNT];  /* by component */
  int64_t mix[WB_UNIT_COUNT];    /* by component: the weighted mean of worth under its view */
  int64_t worth[WB_UNIT_COUNT];  /* by component, without the leading warps' values */
  /* By component, over moves that change the positions of trailing warps: the most of the entry
   * reached less the values of the move. */
  int64_t from_others[WB_UNIT_COUNT];
};

/* The table under way. An entry of a component is weight_sum * V - e, in units of 1 / (weight_sum *
 * scale) cycles, without the leading warps' values: V is its value and e the least slack of a path
 * to the end. Invariant: layer[0] and layer[1] hold the entries of all positions of the trailing
 * warps whose largest is that at hand, and the next one, as far as they are filled; an entry is at
 * (rank of the other positions * states + leading state) * components + component. Borrows proof
 * and control, owns the rest. */
struct wb_trailing_table {
  const struct wb_potential_proof *proof;
  const struct wb_control *control;
  uint64_t most_steps; /* moves that may be looked at */
  struct wb_leading_warps leading;
  unsigned pools;
  unsigned components;
  uint32_t trailing; /* warps followed, the own one first */
  size_t length;     /* of the string */
  bool *listed;      /* by the potential's state: it has an offset */
  uint8_t *view;     /* by state * components + component */
  int64_t weight[WB_POTENTIAL_VIEWS][WB_UNIT_COUNT]; /* of each component under each view */
  uint32_t *local;                                   /* by leading state * pools + pool */
  uint32_t *joined[WB_UNIT_COUNT]; /* by pool and local state of the leading warps: that with the
                                    * trailing warps, without the own one */
  int64_t *own;   /* by position: the values of the own warp's steps from there on */
  uint32_t *rest; /* by position: instructions of its run from there on */
  int64_t *layer[2];
  int64_t *entries; /* in layer[0]: of the positions at hand */
  int64_t *ended;   /* of the end, at which there are no leading warps */
  struct wb_leading_state *states;
  size_t position[WB_POTENTIAL_TRAILING_LIMIT]; /* at hand, ascending */
  uint32_t standing[WB_UNIT_COUNT];             /* of the trailing warps at hand, by pool */
  struct wb_trailing_step step[1 << WB_POTENTIAL_TRAILING_LIMIT];
  size_t step_count;
  uint64_t steps;        /* moves looked at, without the leading warps' lists */
  struct wb_arena arena; /* of the arrays */
};

/* Whether a table for `trailing` warps is within `memory` bytes, and the table of a checker can
 * be. */
bool wb_trailing_table_fits(const struct wb_potential_proof *proof, uint32_t trailing,
                            uint64_t memory);

/* Makes an empty table; 1 <= trailing <= WB_POTENTIAL_TRAILING_LIMIT. False: memory is out. Free
 * its arena and leading warps, failed or not. */
bool wb_trailing_table_start(struct wb_trailing_table *table,
                             const struct wb_potential_proof *proof, uint32_t trailing,
                             uint64_t most_steps, const struct wb_control *control);

/* Fills the table for all positions, from the end of the string back; at last table->entries is
 * that of all warps before the first instruction. *stop: why it ended early (WB_STOP_MEMORY:
 * most_steps). False: memory is out. */
bool wb_trailing_table_fill(struct wb_trailing_table *table, enum wb_stop *stop);

#endif
