#include "makespan/run_level_block.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/cycle.h"

#include <stdlib.h>
#include <string.h>

/* What a move costs beside its cells, in cells. */
#define MOVE_COST 16

/* A surplus of the block at hand: its run, how many values it has, how far apart their
 * cells are, and the one that the work is at. */
struct axis {
  size_t run;
  uint64_t extent;
  uint64_t stride;
  uint64_t at;
};

/* The values of a surplus that a move allows, and how far apart their successors are. */
struct span {
  uint64_t low;
  uint64_t high;
  uint64_t stride;
};

/* inside: of the block; after[r][u]: its warps in runs of type u behind run r. move,
 * entered, left: what the move at hand does, run by run, and the warps inside then.
 * axes[0 .. axis_count-1]: at least two, the first of them without values where the block
 * has too few. spans: of the moves in which warps leave, axis_count each; from: the
 * successor of the first cell of their box. stays: of the others how far each surplus
 * falls, and behind these how many cells before a state its successor is. */
struct wb_run_level_worker {
  const struct wb_run_level_cells *cells;
  bool capped;
  size_t level;
  uint32_t *inside;
  uint32_t (*after)[WB_UNIT_COUNT];
  struct wb_run_move *move;
  uint32_t *entered;
  uint32_t *left;
  struct axis *axes;
  size_t axis_count;
  struct span *spans;
  size_t span_capacity;
  const void **from;
  size_t from_capacity;
  size_t leave_count;
  uint64_t *stays;
  size_t stay_capacity;
  size_t stay_count;
  bool failed;
  uint64_t first;
  uint64_t size;
};

struct wb_run_level_worker *wb_run_level_worker_make(const struct wb_run_level_cells *cells)
{
  size_t runs = cells->levels->run_count;
  struct wb_run_level_worker *worker = wb_allocate(1, sizeof *worker);
  if (worker == NULL)
    return NULL;
  worker->cells = cells;
  worker->capped = wb_problem_capped(cells->levels->problem);
  worker->inside = wb_allocate(runs, sizeof *worker->inside);
  worker->after = wb_allocate(runs, sizeof *worker->after);
  worker->move = wb_allocate(runs, sizeof *worker->move);
  worker->entered = wb_allocate(runs, sizeof *worker->entered);
  worker->left = wb_allocate(runs, sizeof *worker->left);
  worker->axes = wb_allocate(runs + 2, sizeof *worker->axes);
  if (worker->inside == NULL || worker->after == NULL || worker->move == NULL ||
      worker->entered == NULL || worker->left == NULL || worker->axes == NULL) {
    wb_run_level_worker_free(worker);
    return NULL;
  }
  return worker;
}

void wb_run_level_worker_free(struct wb_run_level_worker *worker)
{
  if (worker == NULL)
    return;
  free(worker->inside);
  free(worker->after);
  free(worker->move);
  free(worker->entered);
  free(worker->left);
  free(worker->axes);
  free(worker->spans);
  free(worker->from);
  free(worker->stays);
  free(worker);
}

bool wb_run_level_worker_failed(const struct wb_run_level_worker *worker)
{
  return worker != NULL && worker->failed;
}

static void *cell(const struct wb_run_level_worker *worker, size_t level, uint64_t index)
{
  const struct wb_run_level_cells *cells = worker->cells;
  uint8_t *bytes = cells->ring[level % cells->levels->window];
  return bytes + index * (cells->wide ? 2 : 1);
}

/* ---- rows of cells ---- */

/* to[i] = the larger of to[i] and from[i], 16 bytes at a time: a vector. */
static inline void raise_16_bytes(uint8_t *to, const uint8_t *from)
{
  uint8_t a[16], b[16];
  memcpy(a, to, sizeof a);
  memcpy(b, from, sizeof b);
  for (unsigned i = 0; i < 16; i++)
    a[i] = a[i] < b[i] ? b[i] : a[i];
  memcpy(to, a, sizeof a);
}

static inline void raise_8_words(uint16_t *to, const uint16_t *from)
{
  uint16_t a[8], b[8];
  memcpy(a, to, sizeof a);
  memcpy(b, from, sizeof b);
  for (unsigned i = 0; i < 8; i++)
    a[i] = a[i] < b[i] ? b[i] : a[i];
  memcpy(to, a, sizeof a);
}

/* Rows: the last vector may cover cells of the one before again, which changes nothing. */
static inline void raise_bytes(uint8_t *to, const uint8_t *from, uint64_t count)
{
  if (count < 16) {
    for (uint64_t i = 0; i < count; i++)
      to[i] = to[i] < from[i] ? from[i] : to[i];
    return;
  }
  for (uint64_t i = 0; i + 16 < count; i += 16)
    raise_16_bytes(to + i, from + i);
  raise_16_bytes(to + count - 16, from + count - 16);
}

static inline void raise_words(uint16_t *to, const uint16_t *from, uint64_t count)
{
  if (count < 8) {
    for (uint64_t i = 0; i < count; i++)
      to[i] = to[i] < from[i] ? from[i] : to[i];
    return;
  }
  for (uint64_t i = 0; i + 8 < count; i += 8)
    raise_8_words(to + i, from + i);
  raise_8_words(to + count - 8, from + count - 8);
}

/* Successors that stand apart. */
static void raise_apart(bool wide, void *to, const void *from, uint64_t stride, uint64_t count)
{
  uint8_t *bytes = to;
  uint16_t *words = to;
  for (uint64_t i = 0; i < count; i++) {
    uint16_t value =
        wide ? ((const uint16_t *)from)[i * stride] : ((const uint8_t *)from)[i * stride];
    if (wide)
      words[i] = words[i] < value ? value : words[i];
    else
      bytes[i] = bytes[i] < value ? (uint8_t)value : bytes[i];
  }
}

/* Rows of `count` cells, so many cells apart. */
static void raise_rows(bool wide, void *to, uint64_t to_stride, const void *from,
                       uint64_t from_stride, uint64_t rows, uint64_t count)
{
  if (to_stride == count && from_stride == count) {
    count *= rows;
    rows = 1;
  }
  uint8_t *to_bytes = to;
  const uint8_t *from_bytes = from;
  uint16_t *to_words = to;
  const uint16_t *from_words = from;
  for (uint64_t i = 0; i < rows; i++) {
    if (wide)
      raise_words(to_words + i * to_stride, from_words + i * from_stride, count);
    else
      raise_bytes(to_bytes + i * to_stride, from_bytes + i * from_stride, count);
  }
}

/* ---- the moves of a block ---- */

/* The block's surpluses, with their strides; two at least. */
static void take_axes(struct wb_run_level_worker *worker)
{
  const struct wb_run_levels *levels = worker->cells->levels;
  worker->axis_count = 0;
  size_t active = 0;
  for (size_t a = 0; a < levels->axis_count; a++)
    active += worker->inside[levels->axes[a]] > 0;
  for (; active + worker->axis_count < 2; worker->axis_count++)
    worker->axes[worker->axis_count] = (struct axis){SIZE_MAX, 1, 0, 0};
  for (size_t a = 0; a < levels->axis_count; a++) {
    size_t r = levels->axes[a];
    if (worker->inside[r] > 0)
      worker->axes[worker->axis_count++] =
          (struct axis){r, wb_run_levels_extent(levels, r, worker->inside[r]), 0, 0};
  }
  worker->size = 1;
  for (size_t a = worker->axis_count; a-- > 0;) {
    worker->axes[a].stride = worker->size;
    worker->size *= worker->axes[a].extent;
  }
}

/* A move in which warps leave: the box that may make it, and where it leads. */
static void keep_leave(struct wb_run_level_worker *worker, uint64_t block, uint32_t exits)
{
  const struct wb_run_levels *levels = worker->cells->levels;
  size_t axes = worker->axis_count;
  void *spans = worker->spans;
  void *from = worker->from;
  if (!wb_grow(&spans, &worker->span_capacity, (worker->leave_count + 1) * axes,
               sizeof *worker->spans) ||
      !wb_grow(&from, &worker->from_capacity, worker->leave_count + 1, sizeof *worker->from))
    worker->failed = true;
  worker->spans = spans;
  worker->from = from;
  if (worker->failed)
    return;
  struct span *span = worker->spans + worker->leave_count * axes;
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
  worker->from[worker->leave_count++] = cell(worker, worker->level - exits, offset);
}

static void keep_stay(struct wb_run_level_worker *worker)
{
  size_t axes = worker->axis_count;
  void *stays = worker->stays;
  if (!wb_grow(&stays, &worker->stay_capacity, (worker->stay_count + 1) * (axes + 1),
               sizeof *worker->stays))
    worker->failed = true;
  worker->stays = stays;
  if (worker->failed)
    return;
  uint64_t *stay = worker->stays + worker->stay_count++ * (axes + 1);
  stay[axes] = 0;
  for (size_t a = 0; a < axes; a++) {
    stay[a] = worker->axes[a].run == SIZE_MAX ? 0 : worker->move[worker->axes[a].run].issues;
    stay[axes] += stay[a] * worker->axes[a].stride;
  }
}

/* Tries every way to fill the quota from the runs r.., where `entering` warps come into
 * run r and `room` warps are left for it and later ones; block: the number of the runs
 * before, exits: of warps that have left. */
static void try_moves(struct wb_run_level_worker *worker, size_t r, const struct wb_quota *left,
                      uint32_t entering, uint32_t room, uint64_t block, uint32_t exits)
{
  const struct wb_run_levels *levels = worker->cells->levels;
  if (r == levels->run_count) {
    if (exits > 0)
      keep_leave(worker, block, exits);
    else
      keep_stay(worker);
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

static void find_moves(struct wb_run_level_worker *worker)
{
  const struct wb_run_levels *levels = worker->cells->levels;
  uint32_t ready[WB_UNIT_COUNT] = {0};
  for (size_t r = levels->run_count; r-- > 0;) {
    memcpy(worker->after[r], ready, sizeof ready);
    ready[levels->runs[r].unit] += worker->inside[r];
  }
  struct wb_quota quota = wb_cycle_quota(levels->problem, ready);
  worker->leave_count = 0;
  worker->stay_count = 0;
  try_moves(worker, 0, &quota, 0, levels->warps, 0, 0);
}

/* ---- the cells of a block ---- */

/* The next value of the first `count` axes, as the digits of a number are counted up;
 * false after the last. */
static bool step(struct axis *axes, size_t count)
{
  for (size_t a = count; a-- > 0;) {
    if (++axes[a].at < axes[a].extent)
      return true;
    axes[a].at = 0;
  }
  return false;
}

/* How far the successor of the plane at hand is behind that of the box's first; false
 * where the move has no state in the plane. */
static bool in_box(const struct axis *axes, const struct span *span, size_t outer, uint64_t *offset)
{
  *offset = 0;
  for (size_t a = 0; a < outer; a++) {
    if (axes[a].at < span[a].low || axes[a].at > span[a].high)
      return false;
    *offset += (axes[a].at - span[a].low) * span[a].stride;
  }
  return true;
}

/* One move for the plane of the last two surpluses that begins at cell `plane`. */
static uint64_t raise_plane(const struct wb_run_level_worker *worker, uint64_t plane,
                            const struct span *span, const uint8_t *from)
{
  bool wide = worker->cells->wide;
  size_t size = wide ? 2 : 1;
  const struct axis *axis = worker->axes + worker->axis_count - 2;
  uint64_t rows = span[0].high - span[0].low + 1;
  uint64_t count = span[1].high - span[1].low + 1;
  uint8_t *to = cell(worker, worker->level, plane + span[0].low * axis->stride + span[1].low);
  if (span[1].stride == 1) {
    raise_rows(wide, to, axis->stride, from, span[0].stride, rows, count);
    return rows * count;
  }
  for (uint64_t i = 0; i < rows; i++)
    raise_apart(wide, to + i * axis->stride * size, from + i * span[0].stride * size,
                span[1].stride, count);
  return rows * count * 8;
}

/* Plane by plane, so that the cells that are raised stay in the cache. */
static bool raise_by_leaves(struct wb_run_level_worker *worker,
                            bool (*goes_on)(void *context, uint64_t work), void *context)
{
  size_t axes = worker->axis_count, outer = axes - 2;
  size_t size = worker->cells->wide ? 2 : 1;
  uint64_t plane = worker->first;
  uint64_t work;
  do {
    work = 0;
    for (size_t k = 0; k < worker->leave_count; k++) {
      const struct span *span = worker->spans + k * axes;
      uint64_t offset;
      if (in_box(worker->axes, span, outer, &offset))
        work += MOVE_COST + raise_plane(worker, plane, span + outer,
                                        (const uint8_t *)worker->from[k] + offset * size);
    }
    plane += worker->axes[outer].extent * worker->axes[outer].stride;
  } while (goes_on(context, work) && step(worker->axes, outer));
  return goes_on(context, 0);
}

/* From the largest successor to the value, one cycle more. Where `chain` is above 0 the
 * state so many cells before is a successor too. */
static void finish_bytes(uint8_t *row, uint64_t count, uint64_t chain)
{
  for (uint64_t i = 0; chain > 0 && i < count; i++) {
    uint8_t best = i >= chain && row[i - chain] > row[i] ? row[i - chain] : row[i];
    row[i] = (uint8_t)(best + (best < WB_RUN_LEVEL_BYTE));
  }
  for (uint64_t i = 0; chain == 0 && i < count; i++)
    row[i] = (uint8_t)(row[i] + (row[i] < WB_RUN_LEVEL_BYTE));
}

static void finish_words(uint16_t *row, uint64_t count, uint64_t chain)
{
  for (uint64_t i = 0; i < count; i++) {
    uint16_t best = chain > 0 && i >= chain && row[i - chain] > row[i] ? row[i - chain] : row[i];
    row[i] = (uint16_t)(best + (best < WB_RUN_LEVEL_WORD));
  }
}

/* The row that begins at cell `row`, by the moves in which none leaves; all rows before
 * it are finished. All moves of a block issue equally many: one at most stays in the row. */
static void finish_row(struct wb_run_level_worker *worker, uint64_t row)
{
  bool wide = worker->cells->wide;
  size_t last = worker->axis_count - 1;
  uint64_t count = worker->axes[last].extent, chain = 0;
  for (size_t k = 0; k < worker->stay_count; k++) {
    const uint64_t *stay = worker->stays + k * (last + 2);
    uint64_t back = stay[last + 1];
    bool allowed = stay[last] < count;
    for (size_t a = 0; allowed && a < last; a++)
      allowed = stay[a] <= worker->axes[a].at;
    if (!allowed)
      continue;
    if (back == stay[last]) {
      chain = back;
      continue;
    }
    raise_rows(wide, cell(worker, worker->level, row + stay[last]), 0,
               cell(worker, worker->level, row + stay[last] - back), 0, 1, count - stay[last]);
  }
  if (wide)
    finish_words(cell(worker, worker->level, row), count, chain);
  else
    finish_bytes(cell(worker, worker->level, row), count, chain);
}

uint64_t wb_run_level_block(struct wb_run_level_worker *worker, uint32_t block, size_t level,
                            bool (*goes_on)(void *context, uint64_t work), void *context)
{
  const struct wb_run_levels *levels = worker->cells->levels;
  worker->level = level;
  worker->first = levels->first[block];
  wb_run_levels_inside(levels, block, worker->inside);
  take_axes(worker);
  memset(cell(worker, level, worker->first), 0, worker->size * (worker->cells->wide ? 2 : 1));
  if (level == 0)
    return worker->size;
  find_moves(worker);
  if (worker->failed || !raise_by_leaves(worker, goes_on, context))
    return worker->size;
  uint64_t row = worker->first;
  uint64_t work = worker->axes[worker->axis_count - 1].extent * (1 + worker->stay_count);
  do {
    finish_row(worker, row);
    row += worker->axes[worker->axis_count - 1].extent;
  } while (goes_on(context, work) && step(worker->axes, worker->axis_count - 1));
  return worker->size;
}
