#include "flow/accesses/block_lines.h"

#include "base/arena.h"
#include "base/checked.h"
#include "flow/accesses/access_offsets.h"
#include "isa/lower/lower.h"
#include "values/interval/launch_values.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define WARP_THREADS 32
#define LINE_BYTES 128

/* Instructions that are looked at, each time counted: a second or two. */
#define MOST_VISITS 2000000
/* Pieces of buffers that are told apart for the launch. */
#define MOST_SPANS 65536

/* The bytes of a buffer that one access by the threads of one slice may be of. */
struct reach {
  size_t buffer;
  uint64_t least, most;
};

struct search {
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest;
  const struct wb_launch *launch;
  const struct wb_accesses *accesses;
  uint64_t *lines;
  warpbound_error *error;
  uint32_t block[3];     /* threads, all above 0 */
  uint32_t rows;         /* of threads, that are looked at together */
  size_t slices;         /* of a block */
  struct reach *reaches; /* of the block: one for each slice and access at most */
  size_t count;
  struct wb_access_offset *offsets;
  struct reach *spans; /* of all blocks so far */
  size_t span_count, span_capacity;
};

/* ---- slices ---- */

/* Whether a thread may get what another one of its warp holds: then slices are whole warps. What is
 * the same for the whole block may come by any of them. */
static bool crosses_lanes(const struct wb_function *function)
{
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    struct wb_micro_code code;
    if (function->instructions[i].never || !wb_lower(function, i, &code))
      continue;
    for (size_t o = 0; o < code.count; o++) {
      const struct wb_source *source = &code.operations[o].sources[0];
      const bool of_block =
          source->kind == WB_SOURCE_SPECIAL &&
          (source->value < WB_SPECIAL_THREAD_X || source->value > WB_SPECIAL_THREAD_Z) &&
          source->value != WB_SPECIAL_LANE;
      if (code.operations[o].kind == WB_MICRO_SOME_LANE && !of_block)
        return true;
    }
  }
  return false;
}

/* Of the rows of threads along x those that are whole warps together; of other shapes all. */
static uint32_t rows_of(const struct search *search, const struct wb_function *function)
{
  uint32_t rows = 1;
  if (!crosses_lanes(function))
    return 1;
  while (rows <= search->block[1] && search->block[0] * rows % WARP_THREADS != 0)
    rows++;
  return rows <= search->block[1] && search->block[1] % rows == 0 ? rows : 0;
}

/* The slice of that number of a block. */
static void cut(const struct search *search, size_t number, struct wb_launch_slice *slice)
{
  slice->thread[0][0] = 0;
  slice->thread[0][1] = search->block[0] - 1;
  if (search->rows == 0) {
    for (unsigned axis = 1; axis < 3; axis++) {
      slice->thread[axis][0] = 0;
      slice->thread[axis][1] = search->block[axis] - 1;
    }
    return;
  }
  const uint32_t of_plane = search->block[1] / search->rows;
  slice->thread[1][0] = (uint32_t)(number % of_plane) * search->rows;
  slice->thread[1][1] = slice->thread[1][0] + search->rows - 1;
  slice->thread[2][0] = slice->thread[2][1] = (uint32_t)(number / of_plane);
}

/* ---- lines ---- */

static int by_place(const void *a, const void *b)
{
  const struct reach *left = a;
  const struct reach *right = b;
  if (left->buffer != right->buffer)
    return left->buffer < right->buffer ? -1 : 1;
  return (left->least > right->least) - (left->least < right->least);
}

/* The lines of ascending reaches, where the buffer begins that many bytes behind a line's begin. */
static uint64_t lines_from(const struct reach *reaches, size_t count, uint64_t begin)
{
  uint64_t lines = 0;
  uint64_t next = 0; /* the first line that is not counted yet */
  for (size_t r = 0; r < count; r++) {
    uint64_t first = (reaches[r].least + begin) / LINE_BYTES;
    const uint64_t last = (reaches[r].most + begin) / LINE_BYTES;
    first = first < next ? next : first;
    if (last >= first) {
      lines += last - first + 1;
      next = last + 1;
    }
  }
  return lines;
}

/* Sorts reaches and makes one of those that touch. Returns how many are left. */
static size_t unite(struct reach *reaches, size_t count)
{
  size_t left = 0;
  qsort(reaches, count, sizeof *reaches, by_place);
  for (size_t r = 0; r < count; r++) {
    struct reach *last = left > 0 ? &reaches[left - 1] : NULL;
    if (last != NULL && last->buffer == reaches[r].buffer && reaches[r].least <= last->most + 1)
      last->most = wb_maximum(last->most, reaches[r].most);
    else
      reaches[left++] = reaches[r];
  }
  return left;
}

/* Makes room for what another block accesses: where there are too many pieces each buffer has one,
 * with all that lies between. */
static void make_room(struct search *search)
{
  size_t left = 0;
  search->span_count = unite(search->spans, search->span_count);
  if (search->span_count <= MOST_SPANS / 2)
    return;
  for (size_t s = 0; s < search->span_count; s++) {
    if (left > 0 && search->spans[left - 1].buffer == search->spans[s].buffer)
      search->spans[left - 1].most = search->spans[s].most;
    else
      search->spans[left++] = search->spans[s];
  }
  search->span_count = left;
}

/* Adds what the block that was looked at last accesses to that of the launch. */
static void add_spans(struct search *search)
{
  search->count = unite(search->reaches, search->count);
  if (search->span_count + search->count > search->span_capacity)
    make_room(search);
  for (size_t r = 0; r < search->count; r++)
    search->spans[search->span_count++] = search->reaches[r];
}

/* The lines of sorted reaches that are all of one buffer, wherever it may begin. */
static uint64_t lines_of(const struct search *search, const struct reach *reaches, size_t count)
{
  const uint64_t begins = search->launch->buffers[reaches[0].buffer].aligned ? 1 : LINE_BYTES;
  uint64_t lines = 0;
  for (uint64_t begin = 0; begin < begins; begin++)
    lines = wb_maximum(lines, lines_from(reaches, count, begin));
  return lines;
}

/* Raises the lines of each buffer to those of sorted reaches. */
static void raise_lines(const struct search *search, const struct reach *reaches, size_t count,
                        uint64_t *lines)
{
  size_t first = 0;
  while (first < count) {
    const size_t buffer = reaches[first].buffer;
    size_t end = first;
    while (end < count && reaches[end].buffer == buffer)
      end++;
    lines[buffer] = wb_maximum(lines[buffer], lines_of(search, &reaches[first], end - first));
    first = end;
  }
}

/* Takes what the block that was looked at last accesses. */
static void take_block(struct search *search)
{
  add_spans(search);
  raise_lines(search, search->reaches, search->count, search->lines);
  search->count = 0;
}

/* Takes an access by the threads of one slice. */
static void take_access(struct search *search, size_t number)
{
  const struct wb_access *access = &search->accesses->items[number];
  const struct wb_access_offset *offset = &search->offsets[number];
  if (access->buffer == 0 || (!offset->reached && !access->unbounded))
    return;
  const size_t buffer = access->buffer - 1U;
  const int64_t end = (int64_t)search->launch->buffers[buffer].bytes - access->bytes;
  if (access->unbounded || !offset->known || offset->buffer != buffer) {
    search->lines[buffer] = UINT64_MAX;
    return;
  }
  /* What would lie outside of the buffer is not done. */
  const int64_t least = offset->least > 0 ? offset->least : 0;
  const int64_t most = offset->most < end ? offset->most : end;
  if (least <= most)
    search->reaches[search->count++] =
        (struct reach){buffer, (uint64_t)least, (uint64_t)most + access->bytes - 1};
}

/* ---- blocks ---- */

static warpbound_status look_at_block(struct search *search, const uint32_t index[3])
{
  struct wb_launch_slice slice;
  struct wb_launch launch = *search->launch;
  warpbound_status status = WARPBOUND_OK;
  launch.slice = &slice;
  for (unsigned axis = 0; axis < 3; axis++)
    slice.block[axis][0] = slice.block[axis][1] = index[axis];
  for (size_t s = 0; s < search->slices && status == WARPBOUND_OK; s++) {
    cut(search, s, &slice);
    status = wb_access_offsets_find(search->graph, search->forest, &launch, search->accesses,
                                    search->offsets, search->error);
    for (size_t a = 0; a < search->accesses->count && status == WARPBOUND_OK; a++)
      take_access(search, a);
  }
  take_block(search);
  return status;
}

static bool all_unknown(const struct search *search)
{
  bool unknown = true;
  for (size_t b = 0; b < search->launch->buffer_count; b++)
    unknown = unknown && search->lines[b] == UINT64_MAX;
  return unknown;
}

static warpbound_status look_at_all(struct search *search)
{
  const uint32_t *grid = search->launch->grid;
  warpbound_status status = WARPBOUND_OK;
  for (uint32_t z = 0; z < grid[2]; z++)
    for (uint32_t y = 0; y < grid[1]; y++)
      for (uint32_t x = 0; x < grid[0] && !all_unknown(search) && status == WARPBOUND_OK; x++)
        status = look_at_block(search, (const uint32_t[]){x, y, z});
  return status;
}

/* Looks at all threads of the launch together, for their lines alone. */
static warpbound_status look_at_whole(struct search *search)
{
  const warpbound_status status =
      wb_access_offsets_find(search->graph, search->forest, search->launch, search->accesses,
                             search->offsets, search->error);
  for (size_t a = 0; a < search->accesses->count && status == WARPBOUND_OK; a++)
    take_access(search, a);
  take_block(search);
  return status;
}

/* Whether all sizes are known, and there is not too much to look at. */
static bool can_look(struct search *search, const struct wb_function *function)
{
  uint64_t visits = function->instruction_count;
  for (unsigned axis = 0; axis < 3; axis++) {
    search->block[axis] = wb_launch_block(search->launch, function, axis);
    visits = wb_times(visits, search->launch->grid[axis]);
    if (search->block[axis] == 0 || search->launch->grid[axis] == 0)
      return false;
  }
  search->rows = rows_of(search, function);
  search->slices =
      search->rows == 0 ? 1 : (size_t)(search->block[1] / search->rows) * search->block[2];
  return wb_times(visits, search->slices) <= MOST_VISITS;
}

warpbound_status wb_block_lines_find(const struct wb_warp_graph *graph,
                                     const struct wb_loop_forest *forest,
                                     const struct wb_launch *launch,
                                     const struct wb_accesses *accesses, uint64_t *lines,
                                     uint64_t *of_launch, warpbound_error *error)
{
  struct search search = {.graph = graph,
                          .forest = forest,
                          .launch = launch,
                          .accesses = accesses,
                          .lines = lines,
                          .error = error};
  struct wb_arena arena = {0};
  const bool by_block = can_look(&search, graph->function);
  const size_t most = (by_block ? search.slices : 1) * accesses->count;
  search.span_capacity = MOST_SPANS + most;
  search.reaches = wb_arena_array(&arena, struct reach, most);
  search.spans = wb_arena_array(&arena, struct reach, search.span_capacity);
  search.offsets = wb_arena_array(&arena, struct wb_access_offset, accesses->count);
  for (size_t b = 0; b < launch->buffer_count; b++)
    lines[b] = of_launch[b] = 0;
  const warpbound_status status = arena.failed ? wb_out_of_memory(error)
                                  : by_block   ? look_at_all(&search)
                                               : look_at_whole(&search);
  if (status == WARPBOUND_OK) {
    search.span_count = unite(search.spans, search.span_count);
    raise_lines(&search, search.spans, search.span_count, of_launch);
  }
  for (size_t b = 0; b < launch->buffer_count; b++) {
    of_launch[b] = lines[b] == UINT64_MAX ? UINT64_MAX : of_launch[b];
    lines[b] = by_block ? lines[b] : UINT64_MAX;
  }
  wb_arena_free(&arena);
  return status;
}
