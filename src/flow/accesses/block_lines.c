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

/* Takes what the block that was looked at last accesses. */
static void take_block(struct search *search)
{
  struct reach *reaches = search->reaches;
  size_t first = 0;
  qsort(reaches, search->count, sizeof *reaches, by_place);
  while (first < search->count) {
    const size_t buffer = reaches[first].buffer;
    const uint64_t begins = search->launch->buffers[buffer].aligned ? 1 : LINE_BYTES;
    size_t end = first;
    while (end < search->count && reaches[end].buffer == buffer)
      end++;
    for (uint64_t begin = 0; begin < begins; begin++)
      search->lines[buffer] =
          wb_maximum(search->lines[buffer], lines_from(&reaches[first], end - first, begin));
    first = end;
  }
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
                                     warpbound_error *error)
{
  struct search search = {.graph = graph,
                          .forest = forest,
                          .launch = launch,
                          .accesses = accesses,
                          .lines = lines,
                          .error = error};
  struct wb_arena arena = {0};
  for (size_t b = 0; b < launch->buffer_count; b++)
    lines[b] = UINT64_MAX;
  if (!can_look(&search, graph->function))
    return WARPBOUND_OK;
  for (size_t b = 0; b < launch->buffer_count; b++)
    lines[b] = 0;
  search.reaches = wb_arena_array(&arena, struct reach, search.slices * accesses->count);
  search.offsets = wb_arena_array(&arena, struct wb_access_offset, accesses->count);
  const warpbound_status status = arena.failed ? wb_out_of_memory(error) : look_at_all(&search);
  wb_arena_free(&arena);
  return status;
}
