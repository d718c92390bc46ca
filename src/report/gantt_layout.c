#include "report/gantt_layout.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"

#include <assert.h>
#include <stdlib.h>

#define NO_ROW UINT32_MAX

/* A walk through the cycles. next[w]: the instruction that warp w has not issued
 * yet; row[w]: the unit row that served it in the cycle before, or NO_ROW. */
struct walk {
  const struct wb_schedule *schedule;
  const uint8_t *types;
  struct wb_gantt_window *window;
  size_t *next;
  uint32_t *row;
};

uint32_t wb_gantt_units(const struct wb_problem *problem, enum wb_unit unit)
{
  if (problem->string.count[unit] == 0 || problem->capacity[unit] == WB_UNLIMITED)
    return 0;
  return (uint32_t)wb_minimum(problem->capacity[unit], problem->warps);
}

static void place_unit_rows(const struct wb_problem *problem, struct wb_gantt_window *window)
{
  window->all_unit_rows = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    uint32_t units = wb_gantt_units(problem, (enum wb_unit)u);
    window->unit_rows[u] = (uint32_t)wb_minimum(units, window->unit_row_limit);
    window->unit_base[u] = window->all_unit_rows;
    window->all_unit_rows += window->unit_rows[u];
  }
}

/* The warp's first instruction that is issued in `cycle` or later. */
static size_t find_instruction(const struct wb_schedule *schedule, uint32_t warp, uint64_t cycle)
{
  const uint32_t *cycles = schedule->issue_cycle + (size_t)warp * schedule->length;
  size_t low = 0, high = schedule->length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (cycles[middle] < cycle)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The type that the warp issues in a cycle, or why it issues none. */
static uint32_t activity(const struct walk *walk, uint32_t warp, uint64_t cycle)
{
  const struct wb_schedule *schedule = walk->schedule;
  size_t next = walk->next[warp];
  if (next == schedule->length)
    return WB_GANTT_FINISHED;
  if (schedule->issue_cycle[(size_t)warp * schedule->length + next] != cycle)
    return WB_GANTT_WAITING;
  return walk->types[next];
}

static bool serves(const struct wb_gantt_window *window, uint32_t row, uint32_t type)
{
  return row != NO_ROW && row >= window->unit_base[type] &&
         row - window->unit_base[type] < window->unit_rows[type];
}

/* Counts what is issued in the cycle, and leaves the warps that go on with a type
 * on their units. */
static void keep_units(struct walk *walk, size_t at)
{
  struct wb_gantt_window *window = walk->window;
  for (uint32_t w = 0; w < walk->schedule->warps; w++) {
    uint32_t type = activity(walk, w, window->first + at);
    if (w < window->warp_rows)
      window->warp_cells[w * window->cycles + at] = type;
    if (type < WB_UNIT_COUNT)
      window->used[type * window->cycles + at]++;
    if (type >= WB_UNIT_COUNT || !serves(window, walk->row[w], type))
      walk->row[w] = NO_ROW;
    else
      window->unit_cells[walk->row[w] * window->cycles + at] = w + 1;
  }
}

/* Gives the other warps that issue in the cycle the units still free, and goes on
 * to everyone's next instruction. */
static void take_units(struct walk *walk, size_t at)
{
  struct wb_gantt_window *window = walk->window;
  uint32_t free_row[WB_UNIT_COUNT] = {0};
  for (uint32_t w = 0; w < walk->schedule->warps; w++) {
    uint32_t type = activity(walk, w, window->first + at);
    if (type >= WB_UNIT_COUNT)
      continue;
    walk->next[w]++;
    if (walk->row[w] != NO_ROW)
      continue;
    const uint32_t *cells = window->unit_cells + window->unit_base[type] * window->cycles + at;
    uint32_t *place = &free_row[type];
    while (*place < window->unit_rows[type] && cells[*place * window->cycles] != 0)
      ++*place;
    if (*place == window->unit_rows[type])
      continue;
    walk->row[w] = window->unit_base[type] + *place;
    window->unit_cells[walk->row[w] * window->cycles + at] = w + 1;
  }
}

static bool start(struct walk *walk)
{
  struct wb_gantt_window *window = walk->window;
  uint32_t warps = walk->schedule->warps;
  window->warp_cells = wb_allocate(window->warp_rows * window->cycles, sizeof(uint32_t));
  window->unit_cells = wb_allocate(window->all_unit_rows * window->cycles, sizeof(uint32_t));
  window->used = wb_allocate(WB_UNIT_COUNT * window->cycles, sizeof(uint32_t));
  walk->next = wb_allocate(warps, sizeof *walk->next);
  walk->row = wb_allocate(warps, sizeof *walk->row);
  if (window->warp_cells == NULL || window->unit_cells == NULL || window->used == NULL ||
      walk->next == NULL || walk->row == NULL)
    return false;
  for (uint32_t w = 0; w < warps; w++) {
    walk->next[w] = find_instruction(walk->schedule, w, window->first);
    walk->row[w] = NO_ROW;
  }
  return true;
}

bool wb_gantt_window_make(const struct wb_problem *problem, const struct wb_schedule *schedule,
                          const uint8_t *types, struct wb_gantt_window *window)
{
  assert(schedule->warps == problem->warps && schedule->length == problem->string.length);
  assert(schedule->issue_cycle != NULL && window->warp_rows <= schedule->warps);
  place_unit_rows(problem, window);
  struct walk walk = {.schedule = schedule, .types = types, .window = window};
  bool made = start(&walk);
  for (size_t at = 0; made && at < window->cycles; at++) {
    keep_units(&walk, at);
    take_units(&walk, at);
  }
  free(walk.next);
  free(walk.row);
  return made;
}

void wb_gantt_window_free(struct wb_gantt_window *window)
{
  free(window->warp_cells);
  free(window->unit_cells);
  free(window->used);
  *window = (struct wb_gantt_window){0};
}

uint32_t wb_gantt_issued(const struct wb_gantt_window *window, size_t at)
{
  uint32_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    sum += window->used[u * window->cycles + at];
  return sum;
}

unsigned wb_gantt_busy_permille(const struct wb_problem *problem,
                                const struct wb_schedule *schedule, enum wb_unit unit)
{
  bool slots = unit == WB_UNIT_COUNT;
  double busy = (double)(slots ? problem->string.length : problem->string.count[unit]);
  double places = (double)(slots ? problem->issue_slots : problem->capacity[unit]);
  double share = busy * problem->warps / (places * (double)wb_maximum(schedule->makespan, 1));
  return (unsigned)(1000 * share + 0.5);
}

void wb_gantt_string(const struct wb_kernel_string *string, size_t longest, struct wb_text *text)
{
  /* Every run writes a character or more: more runs than that are not needed. */
  struct wb_kernel_string head = *string;
  head.run_count = (size_t)wb_minimum(head.run_count, longest + 1);
  struct wb_text letters = {0};
  wb_kernel_string_write(&head, &letters);
  if (letters.failed)
    text->failed = true;
  else if (letters.length <= longest)
    wb_text_append(text, letters.data, letters.length);
  else
    wb_text_format(text, "%.*s...", (int)longest, letters.data);
  wb_text_free(&letters);
}
