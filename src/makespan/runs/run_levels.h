/* The states of the run abstraction level by level, so that a sweep can decide one level
 * after the other, and need keep only a few of them.
 *
 * A state says of each run r how many warps are inside it, n, and how many instructions
 * of it these need beyond one each: the surplus c = b - n, from 0 to (l - 1) n. The
 * states with the same n make a block, a box in the surpluses. A warp in run r (from 0,
 * of R) has R - r runs to leave; the sum of that over its warps is a block's level. A
 * move in which e warps leave a run leads e levels down, one in which none does stays in
 * its block. */
#ifndef WB_MAKESPAN_RUNS_RUN_LEVELS_H
#define WB_MAKESPAN_RUNS_RUN_LEVELS_H

#include "base/arena.h"
#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Invariant: blocks are numbered in lexicographic order of the warps in the runs; by_level is a
 * permutation of them, ascending in level and, within a level, in number; in that order they have
 * their cells one after the other. Owns its arrays; borrows cut and problem. */
struct wb_run_levels {
  const struct wb_problem *problem;
  const struct wb_run *runs; /* of the cut */
  size_t run_count;          /* R */
  uint32_t warps;            /* W */
  /* The runs whose surplus varies (l > 1), shortest first: in a block the surplus of the last goes
   * from cell to cell. */
  size_t *axes;
  size_t axis_count;
  /* below[(r * (W + 1) + room) * (W + 1) + n]: in how many ways fewer than n warps can be in run r
   * and any in the runs after it, `room` in all at most. The sum over r is a block's number. */
  uint64_t *below;
  uint64_t blocks;       /* in all */
  uint64_t *first;       /* by block: its first cell in its level */
  uint32_t *by_level;    /* blocks in ascending order of level */
  uint64_t *level_start; /* by level, and their end: its first block in by_level */
  uint64_t *level_cells; /* by level */
  size_t levels;         /* R * W + 1 */
  size_t window; /* levels kept in a row: all, or those of all successors of the uppermost */
  struct wb_arena arena; /* of the arrays */
};

/* A cut of the string into runs: stretches of one type, together the string. Those of the string
 * itself are maximal; a finer cut gives a tighter table. Borrows runs. */
struct wb_run_cut {
  struct wb_run *runs;
  size_t count;
};

/* The string's own runs. */
static inline struct wb_run_cut wb_run_cut_of(const struct wb_problem *problem)
{
  return (struct wb_run_cut){problem->string.runs, problem->string.run_count};
}

/* A cycle of one run. */
struct wb_run_move {
  uint32_t issues; /* of its warps */
  uint32_t exits;  /* of these, those that issue their last instruction of the run */
};

/* Bytes for the blocks of a cut (not for cells), and states in all; false where they are
 * more than `memory`, or than can be numbered. Time: runs times W squared, of which there
 * are as many as bytes, at most. */
bool wb_run_levels_plan(const struct wb_problem *problem, struct wb_run_cut cut, uint64_t memory,
                        uint64_t *bytes, uint64_t *states);

/* The part of a cut of so many states that is kept: levels at a time, and most cells in all of
 * them, if each residue modulo *window has a place for its largest level. whole: all levels. false
 * where counting them takes more than `memory` bytes. Time: runs times W times levels. */
bool wb_run_levels_kept(const struct wb_problem *problem, struct wb_run_cut cut, bool whole,
                        uint64_t states, uint64_t memory, uint64_t *window, uint64_t *cells);

/* whole: all levels are kept. The plan must have been good. Errors: WARPBOUND_INTERNAL.
 * Free with wb_run_levels_free, also after an error. Time: the number of blocks. */
warpbound_status wb_run_levels_start(struct wb_run_levels *levels, const struct wb_problem *problem,
                                     struct wb_run_cut cut, bool whole, warpbound_error *error);
void wb_run_levels_free(struct wb_run_levels *levels);

/* Whether the invariant holds; true where memory is out. Time: runs times blocks times W. */
bool wb_run_levels_are_valid(const struct wb_run_levels *levels);

static inline const uint64_t *wb_run_levels_below(const struct wb_run_levels *levels, size_t run,
                                                  uint32_t room)
{
  size_t columns = (size_t)levels->warps + 1;
  return levels->below + (run * columns + room) * columns;
}

/* Values that the surplus of n warps takes in a run. */
static inline uint64_t wb_run_levels_extent(const struct wb_run_levels *levels, size_t run,
                                            uint32_t n)
{
  return (uint64_t)(levels->runs[run].length - 1) * n + 1;
}

/* The warps in each run of a block. */
void wb_run_levels_inside(const struct wb_run_levels *levels, uint32_t block, uint32_t *inside);

/* Cells of one vector at most. A source may be read so many cells before its first and
 * after its last; what stands there does not matter. */
#define WB_RUN_LEVEL_PAD 16

/* The cells of the levels kept. Owned by whoever makes it. */
struct wb_run_level_cells {
  struct wb_run_levels levels; /* which states they are */
  void **ring; /* by level modulo the window: its cells, after WB_RUN_LEVEL_PAD others; they hold
                  the value, or the largest that fits where it is that or more */
  bool wide;   /* a cell has two bytes, else one */
};

/* The largest number in a cell. */
static inline uint32_t wb_run_level_most(bool wide)
{
  return wide ? UINT16_MAX : UINT8_MAX;
}

static inline uint32_t wb_run_level_value(const struct wb_run_level_cells *cells, size_t level,
                                          uint64_t cell)
{
  const void *ring = cells->ring[level % cells->levels.window];
  cell += WB_RUN_LEVEL_PAD;
  return cells->wide ? ((const uint16_t *)ring)[cell] : ((const uint8_t *)ring)[cell];
}

#endif
