#include "makespan/runs/run_level_block.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/sm_machine.h"

#include <stdlib.h>
#include <string.h>

/* ---- two surpluses of a block, side by side where they stay in the cache ---- */

/* A matrix of cells of one byte, or two. The caller frees cells. */
struct plane {
  bool wide; /* two bytes a cell */
  uint64_t rows;
  uint64_t count; /* columns */
  uint64_t pitch; /* cells from one row to the next */
  void *cells;
  size_t capacity; /* bytes of cells */
};

/* The cells that a move allows: rows `low` to `high` and columns `first` to `last`, and their
 * successors. `from` is that of the first; the others are row_stride and stride cells apart. */
struct source {
  const void *from;
  uint64_t low, high, row_stride;
  uint64_t first, last, stride;
};

/* Cells of a vector of 16 bytes. Loops over so many become single instructions. */
#define BYTES 16
#define WORDS 8

/* From 16 - d on the first d cells of a vector are masked out, from 16 + d on the last. */
static const uint8_t byte_edges[3 * BYTES] = {[BYTES] = 255, 255, 255, 255, 255, 255, 255, 255,
                                              255,           255, 255, 255, 255, 255, 255, 255};
static const uint16_t word_edges[3 * WORDS] = {[WORDS] = 65535, 65535, 65535, 65535,
                                               65535,           65535, 65535, 65535};

/* Where the mask begins for the cells from `column` on of which those from `first` to
 * `last` count; size: of the vector. */
static inline size_t edge_before(uint64_t column, uint64_t first, size_t size)
{
  return first > column ? size - (size_t)(first - column) : size;
}

static inline size_t edge_behind(uint64_t column, uint64_t last, size_t size)
{
  return column + size > last + 1 ? size + (size_t)(column + size - last - 1) : size;
}

/* One column of vectors at a time, its cells outside the source masked out: so a row's
 * cells are always read as they were written, which processors want. */
static void raise_bytes(const struct plane *plane, const struct source *source)
{
  for (uint64_t column = source->first / BYTES * BYTES; column <= source->last; column += BYTES) {
    uint8_t mask[BYTES], behind[BYTES];
    memcpy(mask, byte_edges + edge_before(column, source->first, BYTES), sizeof mask);
    memcpy(behind, byte_edges + edge_behind(column, source->last, BYTES), sizeof behind);
    for (unsigned i = 0; i < BYTES; i++)
      mask[i] &= behind[i];
    const uint8_t *from = (const uint8_t *)source->from + (int64_t)(column - source->first);
    uint8_t *to = (uint8_t *)plane->cells + source->low * plane->pitch + column;
    for (uint64_t row = source->low; row <= source->high; row++) {
      uint8_t a[BYTES], b[BYTES];
      memcpy(a, to, sizeof a);
      memcpy(b, from, sizeof b);
      for (unsigned i = 0; i < BYTES; i++)
        b[i] &= mask[i];
      for (unsigned i = 0; i < BYTES; i++)
        a[i] = a[i] < b[i] ? b[i] : a[i];
      memcpy(to, a, sizeof a);
      to += plane->pitch;
      from += source->row_stride;
    }
  }
}

static void raise_words(const struct plane *plane, const struct source *source)
{
  for (uint64_t column = source->first / WORDS * WORDS; column <= source->last; column += WORDS) {
    uint16_t mask[WORDS], behind[WORDS];
    memcpy(mask, word_edges + edge_before(column, source->first, WORDS), sizeof mask);
    memcpy(behind, word_edges + edge_behind(column, source->last, WORDS), sizeof behind);
    for (unsigned i = 0; i < WORDS; i++)
      mask[i] &= behind[i];
    const uint16_t *from = (const uint16_t *)source->from + (int64_t)(column - source->first);
    uint16_t *to = (uint16_t *)plane->cells + source->low * plane->pitch + column;
    for (uint64_t row = source->low; row <= source->high; row++) {
      uint16_t a[WORDS], b[WORDS];
      memcpy(a, to, sizeof a);
      memcpy(b, from, sizeof b);
      for (unsigned i = 0; i < WORDS; i++)
        b[i] &= mask[i];
      for (unsigned i = 0; i < WORDS; i++)
        a[i] = a[i] < b[i] ? b[i] : a[i];
      memcpy(to, a, sizeof a);
      to += plane->pitch;
      from += source->row_stride;
    }
  }
}

/* Raises the cells to their successors where these are larger. */
static void plane_raise(struct plane *plane, const struct source *source)
{
  if (source->stride == 1) {
    if (plane->wide)
      raise_words(plane, source);
    else
      raise_bytes(plane, source);
    return;
  }
  /* Successors that stand apart within a row. */
  for (uint64_t row = source->low; row <= source->high; row++) {
    uint64_t at = (row - source->low) * source->row_stride;
    for (uint64_t i = source->first; i <= source->last; i++, at += source->stride) {
      if (plane->wide) {
        uint16_t *to = (uint16_t *)plane->cells + row * plane->pitch + i;
        uint16_t value = ((const uint16_t *)source->from)[at];
        *to = *to < value ? value : *to;
      } else {
        uint8_t *to = (uint8_t *)plane->cells + row * plane->pitch + i;
        uint8_t value = ((const uint8_t *)source->from)[at];
        *to = *to < value ? value : *to;
      }
    }
  }
}

/* ---- a block ---- */

/* Cost of a move beside its cells, in cells. */
#define MOVE_COST 16
/* Most cells of a tile of a block that is worked on at a time: a processor's first cache
 * holds them. */
#define TILE_CELLS 32768

/* A surplus of the block at hand: its run, how many values it has, how far apart their
 * cells are, and the one that the work is at; of an axis of the tile how many rows of
 * it apart, and the value that a move is at, counted from the first of its box. */
struct axis {
  size_t run;
  uint64_t extent;
  uint64_t stride;
  uint64_t at;
  uint64_t rows;
  uint64_t step;
};

/* The values of a surplus that a move allows, and how far apart their successors are. */
struct span {
  uint64_t low;
  uint64_t high;
  uint64_t stride;
};

/* A move in which warps leave: the spans of its box, one for each axis from the one at
 * hand on, and the successor of the first cell of what these span. */
struct leave {
  const uint8_t *from;
  const struct span *span;
};

/* inside: of the block; after[r][u]: its warps in runs of type u after run r. move,
 * entered, left: what the move at hand does, run by run, and the warps inside then.
 * axes[0 .. axis_count-1]: at least two, the first of them without values where the block
 * has too few. spans: of the moves in which warps leave, axis_count each; leaves: these
 * moves, and after them for each axis but the last two those of them that the values of
 * the axes up to it allow, kept[a] in number (kept[0] are all). stays: of the other moves
 * how far each surplus falls, and after these how many cells before a state its successor
 * is. */
struct wb_run_level_worker {
  const struct wb_run_level_cells *cells;
  size_t cell_size; /* in bytes */
  bool capped;
  size_t level;
  uint32_t *inside;
  uint32_t (*after)[WB_UNIT_COUNT];
  struct wb_run_move *move;
  uint32_t *entered;
  uint32_t *left;
  struct axis *axes;
  size_t axis_count;
  size_t outer;
  uint64_t tile_rows;
  struct span *spans;
  size_t span_capacity;
  struct leave *leaves;
  size_t leave_capacity;
  size_t *kept;
  uint64_t *stays;
  size_t stay_capacity;
  size_t stay_count;
  struct plane plane;
  bool failed;
  uint64_t first;
  uint64_t size;
  struct wb_arena arena; /* of the arrays */
};

struct wb_run_level_worker *wb_run_level_worker_make(const struct wb_run_level_cells *cells)
{
  size_t runs = cells->levels.run_count;
  struct wb_run_level_worker *worker = wb_allocate(1, sizeof *worker);
  if (worker == NULL)
    return NULL;
  worker->cells = cells;
  worker->plane.wide = cells->wide;
  worker->cell_size = cells->wide ? 2 : 1;
  worker->capped = wb_problem_capped(cells->levels.problem);
  struct wb_arena *arena = &worker->arena;
  worker->inside = wb_arena_array(arena, uint32_t, runs);
  worker->after = wb_arena_allocate(arena, runs, sizeof *worker->after);
  worker->move = wb_arena_array(arena, struct wb_run_move, runs);
  worker->entered = wb_arena_array(arena, uint32_t, runs);
  worker->left = wb_arena_array(arena, uint32_t, runs);
  worker->axes = wb_arena_array(arena, struct axis, runs + 2);
  worker->kept = wb_arena_array(arena, size_t, runs + 2);
  if (arena->failed) {
    wb_run_level_worker_free(worker);
    return NULL;
  }
  return worker;
}

bool wb_run_level_worker_free(struct wb_run_level_worker *worker)
{
  if (worker == NULL)
    return false;
  const bool sufficed = !worker->failed;
  wb_arena_free(&worker->arena);
  free(worker->spans);
  free(worker->leaves);
  free(worker->stays);
  free(worker->plane.cells);
  free(worker);
  return sufficed;
}

static void *cell(const struct wb_run_level_worker *worker, size_t level, uint64_t index)
{
  const struct wb_run_level_cells *cells = worker->cells;
  uint8_t *bytes = cells->ring[level % cells->levels.window];
  return bytes + (WB_RUN_LEVEL_PAD + index) * worker->cell_size;
}

/* ---- the moves of a block ---- */

/* A move in which warps leave: the box that may make it, and where it leads. */
static void keep_leave(struct wb_run_level_worker *worker, uint64_t block, uint32_t exits)
{
  const struct wb_run_levels *levels = &worker->cells->levels;
  size_t axes = worker->axis_count;
  if (!wb_grow(worker->spans, &worker->span_capacity, (worker->kept[0] + 1) * axes) ||
      !wb_grow(worker->leaves, &worker->leave_capacity, (worker->kept[0] + 1) * (axes - 1)))
    worker->failed = true;
  if (worker->failed)
    return;
  struct span *span = worker->spans + worker->kept[0] * axes;
  uint64_t offset = levels->first[block], stride = 1;
  size_t active = axes;
  for (size_t a = levels->axis_count; a-- > 0;) {
    size_t r = levels->axes[a];
    uint64_t spare = levels->runs[r].length - 1;
    if (worker->inside[r] > 0) {
      const struct wb_run_move *move = &worker->move[r];
      span[--active] = (struct span){move->issues - move->exits,
                                     spare * (worker->inside[r] - move->exits), stride};
    }
    offset += spare * worker->entered[r] * stride;
    stride *= spare * worker->left[r] + 1;
  }
  while (active > 0)
    span[--active] = (struct span){0, 0, 0};
  worker->leaves[worker->kept[0]++].from = cell(worker, worker->level - exits, offset);
}

/* Tries every way to fill the quota from the runs r.., where `entering` warps come into
 * run r and `room` warps are left for it and later ones; block: the number of the runs
 * before, exits: of warps that have left. */
static void try_moves(struct wb_run_level_worker *worker, size_t r, const struct wb_quota *left,
                      uint32_t entering, uint32_t room, uint64_t block, uint32_t exits)
{
  const struct wb_run_levels *levels = &worker->cells->levels;
  if (r == levels->run_count) {
    if (exits > 0)
      keep_leave(worker, block, exits);
    else if (wb_grow(worker->stays, &worker->stay_capacity,
                     (worker->stay_count + 1) * (worker->axis_count + 1))) {
      size_t axes = worker->axis_count;
      uint64_t *stay = worker->stays + worker->stay_count++ * (axes + 1);
      stay[axes] = 0;
      for (size_t a = 0; a < axes; a++) {
        stay[a] = worker->axes[a].run == SIZE_MAX ? 0 : worker->move[worker->axes[a].run].issues;
        stay[axes] += stay[a] * worker->axes[a].stride;
      }
    } else {
      worker->failed = true;
    }
    return;
  }
  const struct wb_run *run = &levels->runs[r];
  uint64_t spare = run->length - 1;
  uint32_t n = worker->inside[r];
  uint32_t most = (uint32_t)wb_minimum(n, wb_minimum(left->most[run->unit], left->total));
  struct wb_quota rest = *left;
  worker->entered[r] = entering;
  for (uint32_t x = wb_quota_least(left, worker->after[r], run->unit, worker->capped); x <= most;
       x++) {
    rest.most[run->unit] = left->most[run->unit] - x;
    rest.total = left->total - x;
    for (uint32_t e = spare == 0 ? x : 0; e <= x; e++) {
      if (x - e > spare * (n - e))
        continue;
      worker->move[r] = (struct wb_run_move){x, e};
      worker->left[r] = n - e + entering;
      try_moves(worker, r + 1, &rest, e, room - worker->left[r],
                block + wb_run_levels_below(levels, r, room)[worker->left[r]], exits + e);
    }
  }
}

/* ---- the cells of a block ---- */

/* The next value of the first `count` axes, as the digits of a number are counted up.
 * *changed: the first axis whose value is another. false after the last. */
static bool step(struct axis *axes, size_t count, size_t *changed)
{
  for (size_t a = count; a-- > 0;) {
    *changed = a;
    if (++axes[a].at < axes[a].extent)
      return true;
    axes[a].at = 0;
  }
  return false;
}

/* A move in which warps leave, for the tile. Returns the work, in cells. */
static uint64_t raise_box(struct wb_run_level_worker *worker, const struct leave *leave)
{
  size_t planes = worker->axis_count - 2 - worker->outer, size = worker->cell_size;
  const struct span *span = leave->span, *rows = span + planes, *columns = rows + 1;
  struct source source = {.row_stride = rows->stride,
                          .first = columns->low,
                          .last = columns->high,
                          .stride = columns->stride};
  uint64_t work = MOVE_COST;
  for (bool more = true; more;) {
    uint64_t from = 0;
    source.low = rows->low;
    for (size_t a = 0; a < planes; a++) {
      const struct axis *axis = &worker->axes[worker->outer + a];
      source.low += (span[a].low + axis->step) * axis->rows;
      from += axis->step * span[a].stride;
    }
    source.high = source.low + rows->high - rows->low;
    source.from = leave->from + from * size;
    plane_raise(&worker->plane, &source);
    work += (rows->high - rows->low + 1) * (columns->high - columns->low + 1);
    /* The next value of the axes of the tile but the last two, within the box. */
    more = false;
    for (size_t a = planes; a-- > 0 && !more;) {
      struct axis *axis = &worker->axes[worker->outer + a];
      more = ++axis->step <= span[a].high - span[a].low;
      axis->step = more ? axis->step : 0;
    }
  }
  return work;
}

/* Row `at` of the tile, which has the cells from `row` on, by the moves in which none
 * leaves; all rows before it are finished. All moves of a block issue equally many: at most
 * one of them stays in the row. */
static void finish_row(struct wb_run_level_worker *worker, uint64_t at, uint64_t row)
{
  size_t last = worker->axis_count - 1;
  uint64_t count = worker->axes[last].extent, chain = 0;
  for (size_t k = 0; k < worker->stay_count; k++) {
    const uint64_t *stay = worker->stays + k * (last + 2);
    uint64_t falls = stay[last], back = stay[last + 1];
    /* The move lowers surpluses alone: it may have no states in the row at hand. */
    size_t a = 0;
    while (a < last && stay[a] <= worker->axes[a].at)
      a++;
    if (a < last || falls >= count)
      continue;
    if (back == falls) {
      chain = back;
      continue;
    }
    const struct source source = {.from = cell(worker, worker->level, row + falls - back),
                                  .low = at,
                                  .high = at,
                                  .first = falls,
                                  .last = count - 1,
                                  .stride = 1};
    plane_raise(&worker->plane, &source);
  }
  /* From the largest successor to the value, one cycle more. Where `chain` is above 0 the state so
   * many cells before is a successor too. */
  void *cells = (uint8_t *)worker->plane.cells + at * worker->plane.pitch * worker->cell_size;
  if (worker->cells->wide) {
    uint16_t *words = cells;
    for (uint64_t i = 0; i < count; i++) {
      uint16_t best =
          chain > 0 && i >= chain && words[i - chain] > words[i] ? words[i - chain] : words[i];
      words[i] = (uint16_t)(best + (best < UINT16_MAX));
    }
  } else {
    uint8_t *bytes = cells;
    for (uint64_t i = 0; chain > 0 && i < count; i++) {
      uint8_t best = i >= chain && bytes[i - chain] > bytes[i] ? bytes[i - chain] : bytes[i];
      bytes[i] = (uint8_t)(best + (best < UINT8_MAX));
    }
    for (uint64_t i = 0; chain == 0 && i < count; i++)
      bytes[i] = (uint8_t)(bytes[i] + (bytes[i] < UINT8_MAX));
  }
  memcpy(cell(worker, worker->level, row), cells, count * worker->cell_size);
}

/* Tile after tile; the axes but the last go through all their values. */
static void fill_tiles(struct wb_run_level_worker *worker,
                       bool (*goes_on)(void *context, uint64_t work), void *context)
{
  size_t last = worker->axis_count - 1, changed = 0;
  uint64_t count = worker->axes[last].extent, row = worker->first;
  uint64_t work = worker->tile_rows * count * (1 + worker->stay_count);
  const size_t all = worker->kept[0], size = worker->cell_size;
  bool more = true;
  while (more) {
    /* Of the moves in which warps leave those that the values of the axes allow, from axis
     * `changed` on. */
    for (size_t a = changed; a < worker->outer; a++) {
      const struct leave *before = worker->leaves + a * all;
      struct leave *kept = worker->leaves + (a + 1) * all;
      uint64_t at = worker->axes[a].at;
      size_t allowed = 0;
      for (size_t k = 0; k < worker->kept[a]; k++) {
        const struct span *span = before[k].span;
        kept[allowed] =
            (struct leave){before[k].from + (at - span->low) * span->stride * size, span + 1};
        allowed += at >= span->low && at <= span->high;
      }
      worker->kept[a + 1] = allowed;
    }
    struct plane *plane = &worker->plane;
    plane->rows = worker->tile_rows;
    plane->count = count;
    plane->pitch = (count + BYTES - 1) / BYTES * BYTES;
    const size_t bytes = (size_t)(plane->rows * plane->pitch) * size;
    plane->cells = wb_grown(plane->cells, &plane->capacity, bytes, 1);
    worker->failed = bytes > plane->capacity;
    if (worker->failed)
      return;
    memset(plane->cells, 0, bytes);
    const struct leave *leaves = worker->leaves + worker->outer * all;
    uint64_t raised = 0;
    for (size_t k = 0; k < worker->kept[worker->outer]; k++)
      raised += raise_box(worker, &leaves[k]);
    if (!goes_on(context, work + raised))
      return;
    for (uint64_t at = 0; at < worker->tile_rows; at++, row += count) {
      finish_row(worker, at, row);
      more = step(worker->axes, last, &changed);
    }
  }
}

uint64_t wb_run_level_block(struct wb_run_level_worker *worker, uint32_t block, size_t level,
                            bool (*goes_on)(void *context, uint64_t work), void *context)
{
  const struct wb_run_levels *levels = &worker->cells->levels;
  worker->level = level;
  worker->first = levels->first[block];
  wb_run_levels_inside(levels, block, worker->inside);
  /* The block's surpluses, with their strides; two at least. */
  worker->axis_count = 0;
  size_t active = 0;
  for (size_t a = 0; a < levels->axis_count; a++)
    active += worker->inside[levels->axes[a]] > 0;
  for (; active + worker->axis_count < 2; worker->axis_count++)
    worker->axes[worker->axis_count] = (struct axis){.run = SIZE_MAX, .extent = 1};
  for (size_t a = 0; a < levels->axis_count; a++) {
    size_t r = levels->axes[a];
    if (worker->inside[r] > 0)
      worker->axes[worker->axis_count++] =
          (struct axis){.run = r, .extent = wb_run_levels_extent(levels, r, worker->inside[r])};
  }
  worker->size = 1;
  for (size_t a = worker->axis_count; a-- > 0;) {
    worker->axes[a].stride = worker->size;
    worker->size *= worker->axes[a].extent;
  }
  /* The tile: as many of the last axes as are few cells; two at least. */
  const size_t last = worker->axis_count - 1;
  worker->tile_rows = 1;
  worker->outer = last;
  while (worker->outer > 0 &&
         (worker->outer == last ||
          worker->tile_rows * worker->axes[worker->outer - 1].extent * worker->axes[last].extent <=
              TILE_CELLS)) {
    struct axis *axis = &worker->axes[--worker->outer];
    axis->rows = worker->tile_rows;
    worker->tile_rows *= axis->extent;
  }
  if (level == 0) {
    memset(cell(worker, 0, 0), 0, worker->cell_size);
    return 1;
  }
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = levels->run_count; r-- > 0;) {
    memcpy(worker->after[r], ready, sizeof ready);
    ready[levels->runs[r].unit] += worker->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(levels->problem, ready);
  worker->kept[0] = 0;
  worker->stay_count = 0;
  try_moves(worker, 0, &quota, 0, levels->warps, 0, 0);
  for (size_t k = 0; k < worker->kept[0]; k++)
    worker->leaves[k].span = worker->spans + k * worker->axis_count;
  if (!worker->failed)
    fill_tiles(worker, goes_on, context);
  return worker->size;
}
