/* Two surpluses of a block (run_levels.h), side by side where they stay in the cache: the
 * largest successor of each of their states. */
#ifndef WB_MAKESPAN_RUNS_RUN_LEVEL_PLANE_H
#define WB_MAKESPAN_RUNS_RUN_LEVEL_PLANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells of one vector at most. A source may be read so many cells before its first and
 * after its last; what stands there does not matter. */
#define WB_RUN_LEVEL_PAD 16

/* A matrix of cells of one byte, or two. The caller frees cells. */
struct wb_run_level_plane {
  bool wide; /* two bytes a cell */
  uint64_t rows;
  uint64_t count; /* columns */
  uint64_t pitch; /* cells from one row to the next */
  void *cells;
  size_t capacity; /* bytes of cells */
};

/* The cells that a move allows: rows `low` to `high` and columns `first` to `last`, and their
 * successors. `from` is that of the first; the others are row_stride and stride cells apart. */
struct wb_run_level_source {
  const void *from;
  uint64_t low, high, row_stride;
  uint64_t first, last, stride;
};

/* All cells 0. false where memory is out. */
bool wb_run_level_plane_begin(struct wb_run_level_plane *plane, uint64_t rows, uint64_t count);

/* Raises the cells to their successors where these are larger. */
void wb_run_level_plane_raise(struct wb_run_level_plane *plane,
                              const struct wb_run_level_source *source);

#endif
