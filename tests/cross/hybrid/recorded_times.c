#include "recorded_times.h"

#include "base/memory.h"
#include "unit.h"

#include <inttypes.h>

#define NOWHERE UINT32_MAX

void recorded_times_start(struct recorded_times *recorded, enum recorded_kind kind,
                          const struct wb_warp_graph *united, const int64_t *cycles,
                          const bool *points)
{
  const size_t count = united->function->instruction_count;
  *recorded = (struct recorded_times){
      .kind = kind,
      .function = united->function,
      .cycles = cycles,
      .place_of = must(wb_allocate(count, sizeof *recorded->place_of)),
      .block_last = must(wb_allocate(count, sizeof *recorded->block_last)),
      .instruction = must(wb_allocate(count, sizeof *recorded->instruction))};
  for (size_t i = 0; i < count; i++)
    recorded->place_of[i] = NOWHERE;
  for (size_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++) {
      if (points != NULL ? !points[i] : i > united->blocks[b].first)
        continue;
      recorded->place_of[i] = (uint32_t)recorded->place_count;
      recorded->block_last[i] = united->blocks[b].last;
      recorded->instruction[recorded->place_count++] = i;
    }
  }
  const size_t side = recorded->place_count + 1;
  recorded->cells = must(wb_allocate(side * side, sizeof *recorded->cells));
  if (kind == RECORD_EACH)
    recorded->lane_counts =
        must(wb_allocate(side * side * RECORDED_LANES, sizeof *recorded->lane_counts));
}

void recorded_times_reset(struct recorded_times *recorded)
{
  const size_t side = recorded->place_count + 1;
  memset(recorded->cells, 0, side * side * sizeof *recorded->cells);
  if (recorded->lane_counts != NULL)
    memset(recorded->lane_counts, 0, side * side * RECORDED_LANES * sizeof *recorded->lane_counts);
  recorded->clock = 0;
  recorded->event = 1;
  recorded->live = UINT32_MAX;
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    recorded->last[lane] =
        recorded->kind == RECORD_BLOCKS ? NOWHERE : (uint32_t)recorded->place_count;
    recorded->last_time[lane] = recorded->lane_clock[lane] = 0;
    recorded->last_event[lane] = 0;
  }
}

static void add_cell(struct recorded_times *recorded, uint32_t from, uint32_t to, int64_t cycles,
                     bool counts)
{
  struct recorded_cell *cell = &recorded->cells[from * (recorded->place_count + 1) + to];
  cell->cycles = cycles > cell->cycles ? cycles : cell->cycles;
  cell->count += counts;
}

/* Lanes that came from one pass of a point count once. */
static bool is_counted(const struct recorded_times *recorded, uint32_t lanes, unsigned lane)
{
  for (unsigned other = 0; other < lane; other++) {
    if ((lanes >> other & 1) && recorded->last_event[other] == recorded->last_event[lane])
      return false;
  }
  return true;
}

/* The lanes pass a place, or their end. */
static void pass(struct recorded_times *recorded, uint32_t lanes, uint32_t to)
{
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    add_cell(recorded, recorded->last[lane], to, recorded->clock - recorded->last_time[lane],
             recorded->kind != RECORD_EACH && is_counted(recorded, lanes, lane));
    if (recorded->kind == RECORD_EACH) {
      /* Counts the pass for the lane; a cell has the largest count of its lanes. */
      const size_t cell = recorded->last[lane] * (recorded->place_count + 1) + to;
      const int64_t count = ++recorded->lane_counts[cell * RECORDED_LANES + lane];
      if (count > recorded->cells[cell].count)
        recorded->cells[cell].count = count;
    }
  }
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    recorded->last[lane] = to;
    recorded->last_time[lane] = recorded->clock;
    recorded->last_event[lane] = recorded->event;
  }
  recorded->event++;
}

/* A whole block, by the clock of each lane. */
static void step_block(struct recorded_times *recorded, uint32_t instruction, uint32_t active)
{
  bool counted = false;
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    if (!(active >> lane & 1))
      continue;
    if (recorded->place_of[instruction] != NOWHERE) {
      recorded->last[lane] = instruction;
      recorded->last_time[lane] = recorded->lane_clock[lane];
    }
    recorded->lane_clock[lane] += recorded->cycles[instruction];
    const uint32_t first = recorded->last[lane];
    if (first == NOWHERE || recorded->block_last[first] != instruction)
      continue;
    add_cell(recorded, recorded->place_of[first], (uint32_t)recorded->place_count,
             recorded->lane_clock[lane] - recorded->last_time[lane], !counted);
    counted = true;
  }
}

void recorded_times_step(struct recorded_times *recorded, uint32_t instruction, uint32_t active,
                         uint32_t live)
{
  const uint32_t at = recorded->place_of[instruction];
  if (recorded->kind == RECORD_BLOCKS) {
    step_block(recorded, instruction, active);
  } else if (recorded->kind == RECORD_WARP) {
    if (at != NOWHERE)
      pass(recorded, 1, at);
  } else {
    pass(recorded, recorded->live & ~live, (uint32_t)recorded->place_count);
    recorded->live = live;
    if (at != NOWHERE)
      pass(recorded, active, at);
  }
  recorded->clock += recorded->cycles[instruction];
}

static void add_row(struct recorded_times *recorded, const struct wb_times_row *row)
{
  struct wb_times *times = &recorded->times;
  if (!wb_grow(times->rows, &times->row_capacity, times->row_count + 1))
    abort();
  times->rows[times->row_count++] = *row;
}

static struct wb_times_point place(const struct recorded_times *recorded, size_t number)
{
  const struct wb_instruction *at =
      &recorded->function->instructions[recorded->instruction[number]];
  return (struct wb_times_point){.end = WB_TIMES_PLACE,
                                 .place = {.address = at->address, .has_address = true}};
}

void recorded_times_declare(struct recorded_times *recorded)
{
  for (size_t p = 0; p < recorded->place_count; p++) {
    const struct wb_times_row row = {.from = place(recorded, p), .to.end = WB_TIMES_STOP};
    add_row(recorded, &row);
  }
}

static void keep_cell(struct recorded_times *recorded, const char *run, size_t from, size_t to)
{
  const size_t places = recorded->place_count;
  const struct recorded_cell *cell = &recorded->cells[from * (places + 1) + to];
  struct wb_times_row row = {
      .run = run, .cycles = cell->cycles, .count = cell->count, .from.end = WB_TIMES_START};
  if (cell->count == 0 || (from == places && to == places))
    return;
  if (from < places)
    row.from = place(recorded, from);
  if (to < places)
    row.to = place(recorded, to);
  else
    row.to.end = recorded->kind == RECORD_BLOCKS ? WB_TIMES_BLOCK : WB_TIMES_STOP;
  add_row(recorded, &row);
}

void recorded_times_keep(struct recorded_times *recorded, uint64_t run, bool whole)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, run);
  const char *name = must((void *)wb_name_pool_copy(&recorded->times.names, text, strlen(text)));
  if (recorded->kind == RECORD_WARP)
    pass(recorded, 1, (uint32_t)recorded->place_count);
  else if (recorded->kind != RECORD_BLOCKS)
    pass(recorded, recorded->live, (uint32_t)recorded->place_count);
  for (size_t from = 0; from <= recorded->place_count; from++) {
    for (size_t to = 0; to <= recorded->place_count; to++)
      keep_cell(recorded, name, from, to);
  }
  if (whole)
    add_row(recorded, &(struct wb_times_row){.run = name,
                                             .from.end = WB_TIMES_START,
                                             .to.end = WB_TIMES_STOP,
                                             .cycles = recorded->clock,
                                             .count = 1});
  if (recorded->clock > recorded->longest)
    recorded->longest = recorded->clock;
}

void recorded_times_free(struct recorded_times *recorded)
{
  free(recorded->place_of);
  free(recorded->block_last);
  free(recorded->instruction);
  free(recorded->cells);
  free(recorded->lane_counts);
  wb_times_free(&recorded->times);
  *recorded = (struct recorded_times){0};
}
