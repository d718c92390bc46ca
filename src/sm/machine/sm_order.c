#include "sm/machine/sm_order.h"

#include "base/checked.h"

#include <string.h>

/* Most numbers in the rows that are kept. */
#define ROW_NUMBERS (UINT64_C(1) << 22)

/* Cycles from one kept row to the next: no schedule has more cycles than entries. */
static uint64_t stride_of(uint64_t entries, uint32_t warps)
{
  return wb_divide_up(entries, wb_maximum(1, ROW_NUMBERS / warps));
}

uint64_t wb_sm_order_bytes(const struct wb_sm_problem *problem, size_t longest)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const uint64_t entries = warps * (uint64_t)longest;
  const uint64_t rows = entries / stride_of(entries, warps) + 1;
  uint64_t letters = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    letters += problem->strings[s].length + 1;
  return 7 * entries * sizeof(uint32_t) + rows * (warps * sizeof(uint32_t) + sizeof(size_t)) +
         5 * letters;
}

bool wb_sm_order_start(struct wb_sm_order *order, const struct wb_sm_problem *problem,
                       size_t longest, struct wb_arena *arena)
{
  *order = (struct wb_sm_order){.warps = wb_sm_problem_warps(problem), .longest = longest};
  if (!wb_sm_machine_start(&order->machine, problem, NULL, arena))
    return false;
  const size_t entries = order->warps * order->longest;
  order->stride = (uint32_t)stride_of(entries, order->warps);
  const size_t rows = entries / order->stride + 1;
  order->string_of = wb_arena_array(arena, uint32_t, order->warps);
  order->warp = wb_arena_array(arena, uint32_t, entries);
  order->index = wb_arena_array(arena, uint32_t, entries);
  order->cycle = wb_arena_array(arena, uint32_t, entries);
  order->place = wb_arena_array(arena, uint32_t, entries);
  order->rows = wb_arena_array(arena, uint32_t, rows * order->warps);
  order->totals = wb_arena_array(arena, size_t, rows);
  order->saved = wb_arena_array(arena, uint32_t, entries);
  order->events = wb_arena_array(arena, uint32_t, entries);
  order->cycles = wb_arena_array(arena, uint32_t, entries);
  order->queue = wb_arena_array(arena, uint32_t, order->warps);
  order->moved = wb_arena_array(arena, uint32_t, order->warps);
  order->next_index = wb_arena_array(arena, uint32_t, order->warps);
  order->marked = wb_arena_array(arena, bool, order->warps);
  order->barriers = wb_arena_array(arena, uint32_t *, problem->string_count);
  for (size_t s = 0; s < problem->string_count && !arena->failed; s++) {
    /* How many B stand before each instruction of the string, and before its end. */
    const uint8_t *types = order->machine.types[s];
    const size_t length = problem->strings[s].length;
    uint32_t *before = order->barriers[s] = wb_arena_array(arena, uint32_t, length + 1);
    for (size_t i = 0; i < length && before != NULL; i++)
      before[i + 1] = before[i] + (types[i] == WB_UNIT_BARRIER);
  }
  return !arena->failed;
}

/* ---- the machine at a row ---- */

static uint32_t next_place(const struct wb_sm_order *order, uint32_t warp)
{
  return order->place[warp * order->longest + order->machine.done[warp]];
}

/* Puts a warp into a queue that is sorted by the places of next instructions. */
static void insert(const struct wb_sm_order *order, uint32_t *queue, uint32_t count, uint32_t warp)
{
  const uint32_t place = next_place(order, warp);
  uint32_t at = count;
  for (; at > 0 && next_place(order, queue[at - 1]) > place; at--)
    queue[at] = queue[at - 1];
  queue[at] = warp;
}

/* ---- a trial ---- */

/* One cycle; the warps that have issued find their new places in the queue. */
static void serve(struct wb_sm_order *order)
{
  struct wb_sm_machine *machine = &order->machine;
  uint32_t moved = 0, kept = 0;
  wb_sm_machine_begin(machine);
  for (uint32_t k = 0; k < order->queue_count; k++) {
    const uint32_t warp = order->queue[k];
    if (!wb_sm_machine_offer(machine, warp)) {
      order->queue[kept++] = warp;
      continue;
    }
    order->events[order->event_count] = warp;
    order->cycles[order->event_count++] = order->next_cycle;
    if (machine->letters[warp][machine->done[warp]] != WB_UNIT_COUNT)
      insert(order, order->moved, moved++, warp);
  }
  wb_sm_machine_end(machine);
  order->queue_count = kept + moved;
  for (uint32_t at = order->queue_count; moved > 0;) { /* merges the two from the back */
    if (kept > 0 &&
        next_place(order, order->queue[kept - 1]) > next_place(order, order->moved[moved - 1]))
      order->queue[--at] = order->queue[--kept];
    else
      order->queue[--at] = order->moved[--moved];
  }
  order->next_cycle++;
}

/* Whether all that is left stands as it stood at a row of old; then *row is that row. */
static bool has_joined(const struct wb_sm_order *order, size_t *row)
{
  const size_t total = order->entries - order->machine.left;
  const size_t rows = (order->makespan - 1) / order->stride + 1;
  if (total <= order->last)
    return false;
  while (*row < rows && order->totals[*row] < total)
    ++*row;
  if (*row == rows || order->totals[*row] != total ||
      (order->stride > 1 && 1 + *row * order->stride != order->next_cycle))
    return false;
  const uint32_t *old = order->rows + *row * order->warps;
  for (uint32_t w = 0; w < order->warps; w++) {
    if (old[w] != order->machine.done[w])
      return false;
  }
  return true;
}

/* Serves from the row on; joins: whether the old schedule may be gone on with. */
static void serve_from_row(struct wb_sm_order *order, bool joins)
{
  struct wb_sm_machine *machine = &order->machine;
  size_t row = order->row;
  order->event_count = 0;
  order->joins = 0;
  order->next_cycle = 1 + (uint32_t)order->row * order->stride;
  order->queue_count = 0;
  for (uint32_t w = 0; w < order->warps; w++)
    machine->done[w] = order->rows[row * order->warps + w];
  /* Sets who waits at a barrier: whoever of a block has passed more of them than the last. */
  const uint32_t size = machine->problem->block_warps;
  for (uint32_t b = 0; b < machine->problem->blocks; b++) {
    const uint32_t block = b * size;
    uint32_t least = UINT32_MAX;
    uint32_t missing = 0;
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t passed = order->barriers[order->string_of[w]][machine->done[w]];
      missing = passed < least ? 1 : missing + (passed == least);
      least = passed < least ? passed : least;
    }
    for (uint32_t w = block; w < block + size; w++)
      machine->waits[w] = order->barriers[order->string_of[w]][machine->done[w]] > least;
    machine->missing[b] = missing;
  }
  machine->left = order->entries - order->totals[order->row];
  for (uint32_t w = 0; w < order->warps; w++) {
    if (machine->letters[w][machine->done[w]] != WB_UNIT_COUNT)
      insert(order, order->queue, order->queue_count++, w);
  }
  while (machine->left > 0) {
    serve(order);
    if (joins && machine->left > 0 && has_joined(order, &row)) {
      order->joins = 1 + (uint32_t)row * order->stride;
      order->trial = order->next_cycle - 1 + order->makespan - (order->joins - 1);
      return;
    }
  }
  order->trial = order->next_cycle - 1;
}

/* Numbers the instructions of the warps in places from..to - 1; next_index[w]: the first of w. */
static void number_places(struct wb_sm_order *order, size_t from, size_t to)
{
  for (size_t k = from; k < to; k++) {
    const uint32_t warp = order->warp[k];
    order->index[k] = order->next_index[warp]++;
    order->place[warp * order->longest + order->index[k]] = (uint32_t)k;
  }
}

void wb_sm_order_open(struct wb_sm_order *order, size_t first, size_t last)
{
  order->first = first;
  order->last = last;
  memcpy(order->saved, order->warp + first, (last - first + 1) * sizeof *order->saved);
}

uint32_t wb_sm_order_try(struct wb_sm_order *order)
{
  /* The first instruction of each warp in the window, as it is numbered now. */
  for (size_t k = order->first; k <= order->last; k++) {
    const uint32_t warp = order->saved[k - order->first];
    if (!order->marked[warp])
      order->next_index[warp] = order->index[k];
    order->marked[warp] = true;
  }
  for (size_t k = order->first; k <= order->last; k++)
    order->marked[order->saved[k - order->first]] = false;
  number_places(order, order->first, order->last + 1);
  order->row = (order->cycle[order->first] - 1) / order->stride;
  serve_from_row(order, true);
  return order->trial;
}

void wb_sm_order_drop(struct wb_sm_order *order)
{
  const size_t count = order->last - order->first + 1;
  for (size_t k = 0; k < count; k++) { /* the lowest number of each warp in the window */
    const uint32_t warp = order->warp[order->first + k];
    if (!order->marked[warp])
      order->next_index[warp] = order->index[order->first + k];
    order->marked[warp] = true;
  }
  memcpy(order->warp + order->first, order->saved, count * sizeof *order->saved);
  for (size_t k = order->first; k <= order->last; k++)
    order->marked[order->warp[k]] = false;
  number_places(order, order->first, order->last + 1);
}

void wb_sm_order_keep(struct wb_sm_order *order)
{
  const size_t from = order->totals[order->row];
  const size_t to = from + order->event_count;
  uint32_t *done = order->next_index;
  if (order->joins > 0 && order->joins != order->next_cycle) {
    /* Shifts the rest of the old schedule, which is earlier or later than it was. Rows stand for
     * one cycle each here. */
    const size_t count = order->makespan - (order->joins - 1);
    for (size_t k = to; k < order->entries; k++)
      order->cycle[k] = order->cycle[k] - order->joins + order->next_cycle;
    memmove(order->rows + (size_t)(order->next_cycle - 1) * order->warps,
            order->rows + (size_t)(order->joins - 1) * order->warps,
            count * order->warps * sizeof *order->rows);
    memmove(order->totals + order->next_cycle - 1, order->totals + order->joins - 1,
            count * sizeof *order->totals);
  }
  memcpy(done, order->rows + order->row * order->warps, order->warps * sizeof *done);
  memcpy(order->warp + from, order->events, order->event_count * sizeof *order->warp);
  memcpy(order->cycle + from, order->cycles, order->event_count * sizeof *order->cycle);
  number_places(order, from, to);
  /* The rows of the cycles of the events. */
  memcpy(done, order->rows + order->row * order->warps, order->warps * sizeof *done);
  size_t at = 0;
  for (uint32_t c = 1 + (uint32_t)order->row * order->stride; c < order->next_cycle; c++) {
    if ((c - 1) % order->stride == 0) {
      memcpy(order->rows + (c - 1) / order->stride * order->warps, done,
             order->warps * sizeof *done);
      order->totals[(c - 1) / order->stride] = from + at;
    }
    for (; at < order->event_count && order->cycles[at] == c; at++)
      done[order->events[at]]++;
  }
  order->makespan = order->trial;
}

void wb_sm_order_take(struct wb_sm_order *order)
{
  wb_sm_machine_reset(&order->machine, order->string_of);
  order->entries = (size_t)order->machine.left;
  memset(order->next_index, 0, order->warps * sizeof *order->next_index);
  memset(order->rows, 0, order->warps * sizeof *order->rows);
  order->totals[0] = 0;
  number_places(order, 0, order->entries);
  order->row = 0;
  serve_from_row(order, false);
  wb_sm_order_keep(order);
}
