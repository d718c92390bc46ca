#include "sm/machine/sm_order.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Most numbers in the rows that are kept. */
#define ROW_NUMBERS (UINT64_C(1) << 22)

static size_t longest_of(const struct wb_sm_problem *problem)
{
  size_t longest = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    longest = (size_t)wb_maximum(longest, problem->strings[s].length);
  return longest;
}

/* Cycles from one kept row to the next: no schedule has more cycles than entries. */
static uint64_t stride_of(uint64_t entries, uint32_t warps)
{
  return wb_divide_up(entries, wb_maximum(1, ROW_NUMBERS / warps));
}

uint64_t wb_sm_order_bytes(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const uint64_t entries = warps * (uint64_t)longest_of(problem);
  const uint64_t rows = entries / stride_of(entries, warps) + 1;
  uint64_t letters = 0;
  for (size_t s = 0; s < problem->string_count; s++)
    letters += problem->strings[s].length + 1;
  return 7 * entries * sizeof(uint32_t) + rows * (warps * sizeof(uint32_t) + sizeof(size_t)) +
         5 * letters;
}

/* How many B stand before each instruction of a string, and before its end. */
static uint32_t *count_barriers(const uint8_t *types)
{
  size_t length = 0;
  while (types[length] != WB_UNIT_COUNT)
    length++;
  uint32_t *before = wb_allocate(length + 1, sizeof *before);
  for (size_t i = 0; i < length && before != NULL; i++)
    before[i + 1] = before[i] + (types[i] == WB_UNIT_BARRIER);
  return before;
}

static bool allocate(struct wb_sm_order *o, const struct wb_sm_problem *problem)
{
  const size_t entries = o->warps * o->longest;
  o->stride = (uint32_t)stride_of(entries, o->warps);
  const size_t rows = entries / o->stride + 1;
  o->string_of = wb_allocate(o->warps, sizeof *o->string_of);
  o->warp = wb_allocate(entries, sizeof *o->warp);
  o->index = wb_allocate(entries, sizeof *o->index);
  o->cycle = wb_allocate(entries, sizeof *o->cycle);
  o->place = wb_allocate(entries, sizeof *o->place);
  o->rows = wb_allocate(rows * o->warps, sizeof *o->rows);
  o->totals = wb_allocate(rows, sizeof *o->totals);
  o->saved = wb_allocate(entries, sizeof *o->saved);
  o->events = wb_allocate(entries, sizeof *o->events);
  o->cycles = wb_allocate(entries, sizeof *o->cycles);
  o->queue = wb_allocate(o->warps, sizeof *o->queue);
  o->moved = wb_allocate(o->warps, sizeof *o->moved);
  o->next_index = wb_allocate(o->warps, sizeof *o->next_index);
  o->marked = wb_allocate(o->warps, sizeof *o->marked);
  o->barriers = wb_allocate(problem->string_count, sizeof *o->barriers);
  bool whole = o->string_of != NULL && o->warp != NULL && o->index != NULL && o->cycle != NULL &&
               o->place != NULL && o->rows != NULL && o->totals != NULL && o->saved != NULL &&
               o->events != NULL && o->cycles != NULL && o->queue != NULL && o->moved != NULL &&
               o->next_index != NULL && o->marked != NULL && o->barriers != NULL;
  for (size_t s = 0; s < problem->string_count && whole; s++) {
    o->barriers[s] = count_barriers(o->machine.types[s]);
    whole = o->barriers[s] != NULL;
  }
  return whole;
}

warpbound_status wb_sm_order_start(struct wb_sm_order *order, const struct wb_sm_problem *problem,
                                   warpbound_error *error)
{
  *order =
      (struct wb_sm_order){.warps = wb_sm_problem_warps(problem), .longest = longest_of(problem)};
  warpbound_status status = wb_sm_machine_start(&order->machine, problem, NULL, error);
  if (status == WARPBOUND_OK && !allocate(order, problem))
    status = wb_out_of_memory(error);
  return status;
}

void wb_sm_order_free(struct wb_sm_order *order)
{
  const struct wb_sm_problem *problem = order->machine.problem;
  for (size_t s = 0; order->barriers != NULL && s < problem->string_count; s++)
    free(order->barriers[s]);
  free(order->barriers);
  free(order->string_of);
  free(order->warp);
  free(order->index);
  free(order->cycle);
  free(order->place);
  free(order->rows);
  free(order->totals);
  free(order->saved);
  free(order->events);
  free(order->cycles);
  free(order->queue);
  free(order->moved);
  free(order->next_index);
  free(order->marked);
  wb_sm_machine_free(&order->machine);
}

/* ---- the machine at a row ---- */

/* Sets who waits at a barrier: whoever of a block has passed more of them than the last. */
static void load_barriers(struct wb_sm_order *o)
{
  struct wb_sm_machine *machine = &o->machine;
  const uint32_t size = machine->problem->block_warps;
  for (uint32_t b = 0; b < machine->problem->blocks; b++) {
    const uint32_t block = b * size;
    uint32_t least = UINT32_MAX;
    uint32_t missing = 0;
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t passed = o->barriers[o->string_of[w]][machine->done[w]];
      missing = passed < least ? 1 : missing + (passed == least);
      least = passed < least ? passed : least;
    }
    for (uint32_t w = block; w < block + size; w++)
      machine->waits[w] = o->barriers[o->string_of[w]][machine->done[w]] > least;
    machine->missing[b] = missing;
  }
}

static uint32_t next_place(const struct wb_sm_order *o, uint32_t warp)
{
  return o->place[warp * o->longest + o->machine.done[warp]];
}

/* Puts a warp into a queue that is sorted by the places of next instructions. */
static void insert(const struct wb_sm_order *o, uint32_t *queue, uint32_t count, uint32_t warp)
{
  const uint32_t place = next_place(o, warp);
  uint32_t at = count;
  for (; at > 0 && next_place(o, queue[at - 1]) > place; at--)
    queue[at] = queue[at - 1];
  queue[at] = warp;
}

static void load_row(struct wb_sm_order *o)
{
  struct wb_sm_machine *machine = &o->machine;
  const uint32_t *row = o->rows + o->row * o->warps;
  o->queue_count = 0;
  for (uint32_t w = 0; w < o->warps; w++)
    machine->done[w] = row[w];
  load_barriers(o);
  machine->left = o->entries - o->totals[o->row];
  for (uint32_t w = 0; w < o->warps; w++) {
    if (machine->letters[w][machine->done[w]] != WB_UNIT_COUNT)
      insert(o, o->queue, o->queue_count++, w);
  }
}

/* ---- a trial ---- */

/* One cycle; the warps that have issued find their new places in the queue. */
static void serve(struct wb_sm_order *o)
{
  struct wb_sm_machine *machine = &o->machine;
  uint32_t moved = 0, kept = 0;
  wb_sm_machine_begin(machine);
  for (uint32_t k = 0; k < o->queue_count; k++) {
    const uint32_t warp = o->queue[k];
    if (!wb_sm_machine_offer(machine, warp)) {
      o->queue[kept++] = warp;
      continue;
    }
    o->events[o->event_count] = warp;
    o->cycles[o->event_count++] = o->next_cycle;
    if (machine->letters[warp][machine->done[warp]] != WB_UNIT_COUNT)
      insert(o, o->moved, moved++, warp);
  }
  wb_sm_machine_end(machine);
  o->queue_count = kept + moved;
  for (uint32_t at = o->queue_count; moved > 0;) { /* merges the two from behind */
    if (kept > 0 && next_place(o, o->queue[kept - 1]) > next_place(o, o->moved[moved - 1]))
      o->queue[--at] = o->queue[--kept];
    else
      o->queue[--at] = o->moved[--moved];
  }
  o->next_cycle++;
}

/* Whether all that is left stands as it stood at a row of old; then *row is that row. */
static bool has_joined(const struct wb_sm_order *o, size_t *row)
{
  const size_t total = o->entries - o->machine.left;
  const size_t rows = (o->makespan - 1) / o->stride + 1;
  if (total <= o->last)
    return false;
  while (*row < rows && o->totals[*row] < total)
    ++*row;
  if (*row == rows || o->totals[*row] != total ||
      (o->stride > 1 && 1 + *row * o->stride != o->next_cycle))
    return false;
  const uint32_t *old = o->rows + *row * o->warps;
  for (uint32_t w = 0; w < o->warps; w++) {
    if (old[w] != o->machine.done[w])
      return false;
  }
  return true;
}

/* Serves from the row on; joins: whether the old schedule may be gone on with. */
static void run(struct wb_sm_order *o, bool joins)
{
  size_t row = o->row;
  o->event_count = 0;
  o->joins = 0;
  o->next_cycle = 1 + (uint32_t)o->row * o->stride;
  load_row(o);
  while (o->machine.left > 0) {
    serve(o);
    if (joins && o->machine.left > 0 && has_joined(o, &row)) {
      o->joins = 1 + (uint32_t)row * o->stride;
      o->trial = o->next_cycle - 1 + o->makespan - (o->joins - 1);
      return;
    }
  }
  o->trial = o->next_cycle - 1;
}

/* Numbers the instructions of the warps in places from..to - 1; next_index[w]: the first of w. */
static void number_places(struct wb_sm_order *o, size_t from, size_t to)
{
  for (size_t k = from; k < to; k++) {
    const uint32_t warp = o->warp[k];
    o->index[k] = o->next_index[warp]++;
    o->place[warp * o->longest + o->index[k]] = (uint32_t)k;
  }
}

/* The first instruction of each warp in the window, as it is numbered now. */
static void find_first_numbers(struct wb_sm_order *o)
{
  for (size_t k = o->first; k <= o->last; k++) {
    const uint32_t warp = o->saved[k - o->first];
    if (!o->marked[warp])
      o->next_index[warp] = o->index[k];
    o->marked[warp] = true;
  }
  for (size_t k = o->first; k <= o->last; k++)
    o->marked[o->saved[k - o->first]] = false;
}

void wb_sm_order_open(struct wb_sm_order *order, size_t first, size_t last)
{
  order->first = first;
  order->last = last;
  memcpy(order->saved, order->warp + first, (last - first + 1) * sizeof *order->saved);
}

uint32_t wb_sm_order_try(struct wb_sm_order *order)
{
  find_first_numbers(order);
  number_places(order, order->first, order->last + 1);
  order->row = (order->cycle[order->first] - 1) / order->stride;
  run(order, true);
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

/* Writes the rows of the cycles of the events. */
static void write_rows(struct wb_sm_order *o, size_t from)
{
  uint32_t *done = o->next_index;
  memcpy(done, o->rows + o->row * o->warps, o->warps * sizeof *done);
  size_t at = 0;
  for (uint32_t c = 1 + (uint32_t)o->row * o->stride; c < o->next_cycle; c++) {
    if ((c - 1) % o->stride == 0) {
      memcpy(o->rows + (c - 1) / o->stride * o->warps, done, o->warps * sizeof *done);
      o->totals[(c - 1) / o->stride] = from + at;
    }
    for (; at < o->event_count && o->cycles[at] == c; at++)
      done[o->events[at]]++;
  }
}

/* What stays of the old schedule is earlier or later than it was. */
static void shift_rest(struct wb_sm_order *o, size_t to)
{
  if (o->joins == o->next_cycle)
    return;
  for (size_t k = to; k < o->entries; k++)
    o->cycle[k] = o->cycle[k] - o->joins + o->next_cycle;
  const size_t count = o->makespan - (o->joins - 1); /* rows stand for one cycle each here */
  memmove(o->rows + (size_t)(o->next_cycle - 1) * o->warps,
          o->rows + (size_t)(o->joins - 1) * o->warps, count * o->warps * sizeof *o->rows);
  memmove(o->totals + o->next_cycle - 1, o->totals + o->joins - 1, count * sizeof *o->totals);
}

void wb_sm_order_keep(struct wb_sm_order *order)
{
  const size_t from = order->totals[order->row];
  const size_t to = from + order->event_count;
  if (order->joins > 0)
    shift_rest(order, to);
  memcpy(order->next_index, order->rows + order->row * order->warps,
         order->warps * sizeof *order->next_index);
  memcpy(order->warp + from, order->events, order->event_count * sizeof *order->warp);
  memcpy(order->cycle + from, order->cycles, order->event_count * sizeof *order->cycle);
  number_places(order, from, to);
  write_rows(order, from);
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
  run(order, false);
  wb_sm_order_keep(order);
}

warpbound_status wb_sm_order_schedule(const struct wb_sm_order *order,
                                      struct wb_sm_schedule *schedule, warpbound_error *error)
{
  warpbound_status status =
      wb_sm_schedule_start(schedule, order->machine.problem, order->string_of, error);
  for (size_t k = 0; status == WARPBOUND_OK && k < order->entries; k++)
    schedule->issue_cycle[schedule->first[order->warp[k]] + order->index[k]] = order->cycle[k];
  schedule->makespan = order->makespan;
  return status;
}
