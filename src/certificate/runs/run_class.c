#include "certificate/runs/run_class.h"

#include "base/checked.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Values that the surplus of so many warps of a segment takes. */
static inline uint64_t surplus_values(const struct wb_check_run_states *states, size_t segment,
                                      uint64_t warps)
{
  return (uint64_t)(states->lengths[segment] - 1) * warps + 1;
}

/* ---- states ---- */

/* From cells[room] and sums[room] of the segments after one to those with that segment too: n warps
 * in it have n * spare + 1 values of the surplus, spare = length - 1, so new[room] = sum over n of
 * (n * spare + 1) * cells[room - n] = sums[room] + spare * (sums[0] + .. + sums[room - 1]), for
 * cells[k] is counted room - k times among the sums before sums[room]. The arrays may be the same
 * as the new ones. False where a number exceeds 64 bits. */
static bool add_segment(uint64_t spare, uint32_t warps, const uint64_t *sums, uint64_t *new_cells,
                        uint64_t *new_sums)
{
  uint64_t before = 0;
  uint64_t sum = 0;
  for (uint32_t room = 0; room <= warps; room++) {
    uint64_t after = sums[room];
    uint64_t more;
    if (!wb_multiply(spare, before, &more) || !wb_add(after, more, &new_cells[room]) ||
        !wb_add(sum, new_cells[room], &sum) || !wb_add(before, after, &before))
      return false;
    new_sums[room] = sum;
  }
  return true;
}

warpbound_status wb_check_run_states_total(const uint32_t *lengths, size_t count, uint32_t warps,
                                           uint64_t *total, bool *fits, warpbound_error *error)
{
  struct wb_arena arena = {0};
  uint64_t *cells = wb_arena_array(&arena, uint64_t, (size_t)warps + 1);
  uint64_t *sums = wb_arena_array(&arena, uint64_t, (size_t)warps + 1);
  const bool memory = !arena.failed;
  *fits = true;
  if (memory) {
    /* After the last segment: one state, in which all warps have ended. */
    for (uint32_t room = 0; room <= warps; room++) {
      cells[room] = 1;
      sums[room] = (uint64_t)room + 1;
    }
    for (size_t r = count; *fits && r > 0; r--)
      *fits = add_segment(lengths[r - 1] - 1, warps, sums, cells, sums);
    *total = cells[warps];
  }
  wb_arena_free(&arena);
  return memory ? WARPBOUND_OK : wb_out_of_memory(error);
}

bool wb_check_run_states_bytes(size_t count, uint32_t warps, uint64_t *bytes)
{
  uint64_t levels;
  return wb_multiply(count, warps, &levels) &&
         wb_multiply(((uint64_t)count + 3) * sizeof(uint64_t), (uint64_t)warps + 1, bytes) &&
         wb_multiply(*bytes, levels + 1, bytes);
}

static uint64_t *room_cells(const struct wb_check_run_states *states, size_t r, uint64_t room)
{
  return states->cells + (r * ((size_t)states->warps + 1) + (size_t)room) * (size_t)states->levels;
}

/* Counts the states of segment r and later from those of the segments after it. With f(n) the
 * states that have n warps in it, but for its surplus, g the levels of each, and `spare` its length
 * less one there are sum over n of f(n) + spare * sum over n of n f(n) states. With one warp set
 * aside the first sum is f(0) plus that of one warp and g levels less, and the second both of
 * these. sums: the two, for each room and level. Nothing overflows where the total does not. */
static void count_segment(struct wb_check_run_states *states, size_t r, uint64_t *sums)
{
  uint64_t levels = states->levels, gap = states->count - r, spare = states->lengths[r] - 1;
  uint64_t *weighted = sums + ((size_t)states->warps + 1) * (size_t)levels;
  for (uint32_t room = 0; room <= states->warps; room++) {
    const uint64_t *after = room_cells(states, r + 1, room);
    uint64_t *cells = room_cells(states, r, room);
    for (uint64_t v = 0; v < levels; v++) {
      uint64_t at = room * levels + v;
      bool one = room > 0 && v >= gap;
      uint64_t before = one ? at - levels - gap : 0;
      sums[at] = after[v] + (one ? sums[before] : 0);
      weighted[at] = one ? sums[before] + weighted[before] : 0;
      cells[v] = sums[at] + spare * weighted[at];
    }
  }
}

warpbound_status wb_check_run_states_make(struct wb_check_run_states *states,
                                          const uint32_t *lengths, size_t count, uint32_t warps,
                                          warpbound_error *error)
{
  size_t columns = (size_t)warps + 1;
  *states = (struct wb_check_run_states){
      .lengths = lengths, .count = count, .warps = warps, .levels = (uint64_t)count * warps + 1};
  states->cells =
      wb_allocate((count + 1) * columns, (size_t)states->levels * sizeof *states->cells);
  uint64_t *sums = wb_allocate(2 * columns, (size_t)states->levels * sizeof *sums);
  bool made = states->cells != NULL && sums != NULL;
  for (uint32_t room = 0; made && room <= warps; room++)
    room_cells(states, count, room)[0] = 1;
  for (size_t r = count; made && r > 0; r--)
    count_segment(states, r - 1, sums);
  free(sums);
  return made ? WARPBOUND_OK : wb_out_of_memory(error);
}

void wb_check_run_states_free(struct wb_check_run_states *states)
{
  free(states->cells);
  *states = (struct wb_check_run_states){0};
}

uint64_t wb_check_run_states_cells(const struct wb_check_run_states *states, uint64_t level)
{
  return room_cells(states, 0, states->warps)[level];
}

uint64_t wb_check_run_states_level(const struct wb_check_run_states *states,
                                   const struct wb_check_run_group *groups, size_t count)
{
  uint64_t level = 0;
  for (size_t i = 0; i < count; i++)
    level += groups[i].warps * (states->count - groups[i].segment);
  return level;
}

/* The classes before this one fall apart by the first segment in which they differ, in
 * which they have fewer warps: in the segments before it they have the surpluses of this
 * class, after it any of the level that is left. Where this class has no warps, none
 * has fewer. */
static uint64_t number_cells(const struct wb_check_run_states *states,
                             struct wb_check_run_group *groups, size_t count)
{
  uint64_t first = 0;
  uint64_t values = 1;
  uint64_t room = states->warps;
  uint64_t level = wb_check_run_states_level(states, groups, count);
  for (size_t i = 0; i < count; i++) {
    size_t r = groups[i].segment;
    uint64_t gap = states->count - r;
    for (uint64_t n = 0; n < groups[i].warps; n++)
      first += values * surplus_values(states, r, n) *
               room_cells(states, r + 1, room - n)[level - n * gap];
    values *= surplus_values(states, r, groups[i].warps);
    room -= groups[i].warps;
    level -= groups[i].warps * gap;
  }
  uint64_t stride = 1;
  for (size_t i = count; i > 0; i--) {
    groups[i - 1].stride = stride;
    stride *= surplus_values(states, groups[i - 1].segment, groups[i - 1].warps);
  }
  return first;
}

/* Adds `warps` warps that each have `exits` segments to leave, where there are any. */
static void add_group(const struct wb_check_run_states *states, uint64_t exits, uint64_t warps,
                      struct wb_check_run_group *groups, size_t *count)
{
  if (exits > 0 && warps > 0)
    groups[(*count)++] =
        (struct wb_check_run_group){.segment = states->count - (size_t)exits, .warps = warps};
}

/* Adds warps that have `sum` segments to leave in all, none more than `most`, the first as
 * many as possible. */
static void add_groups(const struct wb_check_run_states *states, uint64_t most, uint64_t sum,
                       struct wb_check_run_group *groups, size_t *count)
{
  add_group(states, most, sum / most, groups, count);
  add_group(states, sum % most, 1, groups, count);
}

void wb_check_run_states_first(const struct wb_check_run_states *states, uint64_t level,
                               struct wb_check_run_group *groups, size_t *count)
{
  *count = 0;
  add_groups(states, states->count, level, groups, count);
}

/* A level's classes are the lists of one number for each warp, how many segments it leaves,
 * largest first, with the level as their sum; here they come in descending lexicographic
 * order. The next list has its first difference as late as possible: the last
 * number that can be one smaller while it and those after it, none larger than it, keep
 * their sum. Of equal numbers that is the last or none of them: with `places` numbers
 * after them that make up `tail`, number e can be e - 1 iff tail + e <= (e - 1)
 * (places + 1), which is tail + 1 <= (e - 1) places; each further e taken along adds
 * one to the left side and nothing to the right. */
bool wb_check_run_states_next(const struct wb_check_run_states *states,
                              struct wb_check_run_group *groups, size_t *count)
{
  uint64_t tail = 0;
  uint64_t places = states->warps;
  for (size_t i = 0; i < *count; i++)
    places -= groups[i].warps;
  for (size_t i = *count; i > 0; i--) {
    struct wb_check_run_group *group = &groups[i - 1];
    uint64_t exits = states->count - group->segment;
    if (tail + 1 <= (exits - 1) * places) {
      group->warps--;
      *count = group->warps > 0 ? i : i - 1;
      add_groups(states, exits - 1, tail + exits, groups, count);
      return true;
    }
    tail += exits * group->warps;
    places += group->warps;
  }
  return false;
}

bool wb_check_run_states_is_class(const struct wb_check_run_states *states,
                                  const struct wb_check_run_group *groups, size_t count)
{
  uint64_t warps = 0;
  bool right = true;
  for (size_t i = 0; i < count; i++) {
    right = right && groups[i].segment < states->count && groups[i].warps > 0 &&
            (i == 0 || groups[i].segment > groups[i - 1].segment);
    warps += groups[i].warps;
  }
  return right && warps <= states->warps;
}

/* Cells between two polls of the clock and the stop sign. */
#define CELLS_PER_POLL (INT64_C(1) << 20)
/* The cost of a move beside its cells, in cells. */
#define MOVE_COST 64

/* A group in a move. */
struct acting {
  size_t segment;
  uint64_t warps;
  /* In the class at hand. */
  uint64_t stride;
  /* The segment's instructions less one. */
  uint64_t spare;
  /* Warps that issue and stay in the segment. */
  uint64_t stay;
  /* Warps that issue and leave it. */
  uint64_t leave;
  /* The group's index in the class that the move leads to; NONE where all leave and none enters. */
  size_t after;
  /* The segment's type. */
  uint8_t type;
};

#define NONE SIZE_MAX

/* The values of one surplus in a box. */
struct dimension {
  /* How many. */
  uint64_t extent;
  /* How far apart their cells are in the class decided. */
  uint64_t to;
  /* How far apart their cells are in the class that the move leads to. */
  uint64_t from;
  /* The value at hand, from 0. */
  uint64_t at;
};

/* Numbers of warps by their type. */
struct quota {
  uint64_t of[WB_CHECK_RUN_TYPES];
};

struct wb_check_run_worker {
  struct wb_check_run_sweep *sweep;
  /* It is the one that asks the control. */
  bool polls;
  /* Cells until it does so next. */
  int64_t budget;
  /* The class at hand: its level, its first cell, and its groups. */
  uint64_t level;
  uint64_t first;
  struct acting *groups;
  size_t count;
  /* By group: the warps in it and in those after it, by type; count + 1 entries. */
  struct quota *waiting;
  /* The class that the move at hand leads to: its level, its groups, and the warps that enter each
   * of these. */
  uint64_t place_level;
  struct wb_check_run_group *place;
  uint64_t *entered;
  size_t place_count;
  /* The box at hand. */
  struct dimension *dimensions;
  /* The moves in which no warp leaves, count + 1 numbers each: the warps of each group that issue,
   * and how many cells before a state its successor is. */
  uint64_t *stays;
  size_t stay_count;
};

/* ---- memory ---- */

/* The most groups that a class can have. */
static uint64_t most_groups(size_t count, uint32_t warps)
{
  return wb_minimum(count, warps);
}

/* The most moves of one class in which none leaves. In each group of a segment longer than
 * 1 from 0 to n warps issue, in the others none: at most the product of the n + 1. Of
 * k numbers n with the sum W that is at most (W / k + 1)^k, which grows with k. */
static bool most_stays(const uint32_t *lengths, size_t count, uint32_t warps, uint64_t *most)
{
  uint64_t long_segments = 0;
  for (size_t r = 0; r < count; r++)
    long_segments += lengths[r] > 1;
  uint64_t groups = wb_minimum(long_segments, warps);
  *most = 1;
  for (uint64_t i = 0; i < groups; i++) {
    if (!wb_multiply(*most, wb_divide_up(warps, groups) + 1, most))
      return false;
  }
  return true;
}

bool wb_check_run_worker_bytes(const uint32_t *lengths, size_t count, uint32_t warps,
                               uint64_t *bytes)
{
  uint64_t groups = most_groups(count, warps);
  uint64_t fixed = sizeof(struct wb_check_run_worker) +
                   groups * (sizeof(struct acting) + sizeof(struct dimension)) +
                   (groups + 1) * sizeof(struct quota) +
                   2 * groups * (sizeof(struct wb_check_run_group) + sizeof(uint64_t));
  uint64_t stays;
  return most_stays(lengths, count, warps, &stays) &&
         wb_multiply(stays, (groups + 1) * sizeof(uint64_t), bytes) && wb_add(*bytes, fixed, bytes);
}

struct wb_check_run_worker *wb_check_run_worker_make(struct wb_arena *arena,
                                                     struct wb_check_run_sweep *sweep, bool polls)
{
  const struct wb_check_run_states *states = &sweep->states;
  size_t groups = (size_t)most_groups(states->count, states->warps);
  uint64_t stays;
  struct wb_check_run_worker *worker = wb_arena_array(arena, struct wb_check_run_worker, 1);
  if (worker == NULL || !most_stays(states->lengths, states->count, states->warps, &stays))
    return NULL;
  worker->sweep = sweep;
  worker->polls = polls;
  worker->groups = wb_arena_array(arena, struct acting, groups);
  worker->waiting = wb_arena_array(arena, struct quota, groups + 1);
  /* Every group of a class can send warps into a segment that had none. */
  worker->place = wb_arena_array(arena, struct wb_check_run_group, 2 * groups);
  worker->entered = wb_arena_array(arena, uint64_t, 2 * groups);
  worker->dimensions = wb_arena_array(arena, struct dimension, groups);
  worker->stays = wb_arena_allocate(arena, (size_t)stays, (groups + 1) * sizeof *worker->stays);
  return arena->failed ? NULL : worker;
}

/* ---- stopping ---- */

static bool stopped(const struct wb_check_run_worker *worker)
{
  return atomic_load_explicit(&worker->sweep->stop, memory_order_relaxed);
}

/* Counts work, and polls the control periodically. */
static void spend(struct wb_check_run_worker *worker, uint64_t cells)
{
  struct wb_check_run_sweep *sweep = worker->sweep;
  worker->budget -= (int64_t)cells;
  if (worker->budget > 0 || !worker->polls)
    return;
  worker->budget = CELLS_PER_POLL;
  double done = (double)atomic_load_explicit(&sweep->done, memory_order_relaxed);
  enum wb_stop why =
      wb_control_poll(sweep->control, "checking the run certificate", done / (double)sweep->total);
  if (why != WB_STOP_NONE && !stopped(worker)) {
    sweep->why = why;
    atomic_store(&sweep->stop, true);
  }
}

/* ---- rows of cells ---- */

/* to[i] = the larger of to[i] and from[i]; the rows do not overlap. */
static void raise_bytes(uint8_t *restrict to, const uint8_t *restrict from, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    to[i] = to[i] < from[i] ? from[i] : to[i];
}

static void raise_words(uint16_t *restrict to, const uint16_t *restrict from, uint64_t count)
{
  for (uint64_t i = 0; i < count; i++)
    to[i] = to[i] < from[i] ? from[i] : to[i];
}

/* The same for cells that stand apart. */
static void raise_apart(void *to_cells, const void *from_cells, bool wide, uint64_t to,
                        uint64_t from, const struct dimension *row)
{
  uint8_t *bytes = to_cells;
  uint16_t *words = to_cells;
  const uint8_t *from_bytes = from_cells;
  const uint16_t *from_words = from_cells;
  for (uint64_t i = 0; i < row->extent; i++, to += row->to, from += row->from) {
    if (wide)
      words[to] = words[to] < from_words[from] ? from_words[from] : words[to];
    else
      bytes[to] = bytes[to] < from_bytes[from] ? from_bytes[from] : bytes[to];
  }
}

static void *cells_of(const struct wb_check_run_worker *worker, uint64_t level)
{
  return worker->sweep->ring[level % worker->sweep->window];
}

/* Raises the cells of a row of the class, from `to` on, to the values of the level's cells from
 * `from` on where these are larger. */
static void raise_row(struct wb_check_run_worker *worker, uint64_t to, uint64_t level,
                      uint64_t from, const struct dimension *row)
{
  void *to_cells = cells_of(worker, worker->level);
  const void *from_cells = cells_of(worker, level);
  bool wide = worker->sweep->wide;
  if (row->to != 1 || row->from != 1)
    raise_apart(to_cells, from_cells, wide, to, from, row);
  else if (wide)
    raise_words((uint16_t *)to_cells + to, (const uint16_t *)from_cells + from, row->extent);
  else
    raise_bytes((uint8_t *)to_cells + to, (const uint8_t *)from_cells + from, row->extent);
  spend(worker, row->extent);
}

/* Makes of the largest successor outside the row the value, one cycle more. Where `chain` is above
 * 0 the state so many cells before is a successor too, decided already. */
static void finish_bytes(uint8_t *row, uint64_t count, uint64_t chain)
{
  for (uint64_t i = 0; i < count; i++) {
    if (chain > 0 && i >= chain && row[i - chain] > row[i])
      row[i] = row[i - chain];
    row[i] = (uint8_t)(row[i] + (row[i] < WB_CHECK_RUN_BYTE_MOST));
  }
}

static void finish_words(uint16_t *row, uint64_t count, uint64_t chain)
{
  for (uint64_t i = 0; i < count; i++) {
    if (chain > 0 && i >= chain && row[i - chain] > row[i])
      row[i] = row[i - chain];
    row[i] = (uint16_t)(row[i] + (row[i] < WB_CHECK_RUN_WORD_MOST));
  }
}

/* ---- moves in which warps leave ---- */

/* The next value of all dimensions but the last, as the digits of a number are counted
 * up, and the two cells with it; false after the last. */
static bool step(struct dimension *dimensions, size_t count, uint64_t *to, uint64_t *from)
{
  for (size_t d = count - 1; d > 0; d--) {
    struct dimension *digit = &dimensions[d - 1];
    if (++digit->at < digit->extent) {
      *to += digit->to;
      *from += digit->from;
      return true;
    }
    digit->at = 0;
    *to -= (digit->extent - 1) * digit->to;
    *from -= (digit->extent - 1) * digit->from;
  }
  return false;
}

/* Raises the box of states of the class that have the move, from `to` on, by their successors from
 * `from` on. */
static void raise_box(struct wb_check_run_worker *worker, uint64_t to, uint64_t from)
{
  struct dimension *dimensions = worker->dimensions;
  size_t count = 0;
  for (size_t i = 0; i < worker->count; i++) {
    const struct acting *group = &worker->groups[i];
    uint64_t extent = group->spare * (group->warps - group->leave) - group->stay + 1;
    /* Where no warp remains there is one value: the class after has a stride where one is needed.
     */
    if (extent > 1)
      dimensions[count++] =
          (struct dimension){extent, group->stride, worker->place[group->after].stride, 0};
  }
  if (count == 0)
    dimensions[count++] = (struct dimension){1, 1, 1, 0};
  spend(worker, MOVE_COST);
  do
    raise_row(worker, to, worker->place_level, from, &dimensions[count - 1]);
  while (!stopped(worker) && step(dimensions, count, &to, &from));
}

/* Adds a group to the class that the move leads to. */
static void add_place(struct wb_check_run_worker *worker, size_t segment, uint64_t warps,
                      uint64_t entered)
{
  worker->entered[worker->place_count] = entered;
  worker->place[worker->place_count++] =
      (struct wb_check_run_group){.segment = segment, .warps = warps};
}

/* A move in which warps leave: its states and their successors are in two classes. The
 * first of them has the surplus `stay` in each group, its successor only the surplus of the warps
 * that enter. */
static void take_leave(struct wb_check_run_worker *worker)
{
  const struct wb_check_run_states *states = &worker->sweep->states;
  /* The class that the move at hand leads to. */
  size_t segments = worker->sweep->states.count;
  uint64_t coming = 0; /* warps that leave the group before */
  size_t enters = 0;   /* and the segment that they enter */
  worker->place_count = 0;
  for (size_t i = 0; i < worker->count; i++) {
    struct acting *group = &worker->groups[i];
    if (coming > 0 && enters < group->segment) {
      add_place(worker, enters, coming, coming);
      coming = 0;
    }
    uint64_t warps = group->warps - group->leave + coming;
    group->after = warps > 0 ? worker->place_count : NONE;
    if (warps > 0)
      add_place(worker, group->segment, warps, coming);
    coming = group->leave;
    enters = group->segment + 1;
  }
  if (coming > 0 && enters < segments)
    add_place(worker, enters, coming, coming);
  worker->place_level = wb_check_run_states_level(states, worker->place, worker->place_count);
  uint64_t from = number_cells(states, worker->place, worker->place_count);
  uint64_t to = worker->first;
  for (size_t i = 0; i < worker->place_count; i++)
    from += worker->place[i].stride * (states->lengths[worker->place[i].segment] - 1) *
            worker->entered[i];
  for (size_t i = 0; i < worker->count; i++)
    to += worker->groups[i].stride * worker->groups[i].stay;
  raise_box(worker, to, from);
}

static void take_move(struct wb_check_run_worker *worker)
{
  for (size_t i = 0; i < worker->count; i++) {
    if (worker->groups[i].leave > 0) {
      take_leave(worker);
      return;
    }
  }
  /* A move in which none leaves is kept for the second pass over the class. */
  size_t width = worker->count + 1;
  uint64_t *stay = worker->stays + worker->stay_count++ * width;
  stay[worker->count] = 0;
  for (size_t i = 0; i < worker->count; i++) {
    stay[i] = worker->groups[i].stay;
    stay[worker->count] += stay[i] * worker->groups[i].stride;
  }
}

/* ---- every move of a class ---- */

/* Takes every way in which the groups from i on issue `total` instructions, no type more than is
 * left of it. In a segment of one instruction all that issue leave. */
static void choose(struct wb_check_run_worker *worker, size_t i, const struct quota *left,
                   uint64_t total)
{
  uint64_t supply = 0; /* of instructions that groups from i on can issue, within what is left */
  for (size_t u = 0; u < WB_CHECK_RUN_TYPES; u++)
    supply += wb_minimum(left->of[u], worker->waiting[i].of[u]);
  if (stopped(worker) || total > supply)
    return;
  if (i == worker->count) {
    take_move(worker);
    return;
  }
  struct acting *group = &worker->groups[i];
  struct quota rest = *left;
  uint64_t most = wb_minimum(wb_minimum(group->warps, left->of[group->type]), total);
  for (uint64_t issue = 0; issue <= most; issue++) {
    rest.of[group->type] = left->of[group->type] - issue;
    for (uint64_t leave = group->spare > 0 ? 0 : issue; leave <= issue; leave++) {
      group->leave = leave;
      group->stay = issue - leave;
      choose(worker, i + 1, &rest, total - issue);
    }
  }
}

/* ---- the second pass ---- */

/* How many cells the move goes back within one row, where it issues from the last group
 * alone. All moves of a class issue equally many: there is one such move at most. */
static uint64_t chain_of(const struct wb_check_run_worker *worker)
{
  size_t width = worker->count + 1;
  for (size_t k = 0; k < worker->stay_count; k++) {
    const uint64_t *stay = worker->stays + k * width;
    if (stay[worker->count - 1] == stay[worker->count])
      return stay[worker->count];
  }
  return 0;
}

/* Raises the row that begins at cell `to` by the moves kept that lead into earlier
 * rows. dimensions[].at: the surpluses of the row in all groups but the last. */
static void raise_by_stays(struct wb_check_run_worker *worker, uint64_t to, uint64_t length)
{
  size_t last = worker->count - 1;
  for (size_t k = 0; k < worker->stay_count; k++) {
    const uint64_t *stay = worker->stays + k * (worker->count + 1);
    uint64_t back = stay[worker->count];
    bool allowed = stay[last] != back;
    for (size_t i = 0; allowed && i < last; i++)
      allowed = stay[i] <= worker->dimensions[i].at;
    if (!allowed)
      continue;
    struct dimension row = {length - stay[last], 1, 1, 0};
    raise_row(worker, to + stay[last], worker->level, to + stay[last] - back, &row);
  }
}

/* ---- a class ---- */

void wb_check_run_worker_decide(struct wb_check_run_worker *worker,
                                const struct wb_check_run_group *groups, size_t count)
{
  assert(count > 0 && wb_check_run_states_is_class(&worker->sweep->states, groups, count));
  const struct wb_check_run_sweep *sweep = worker->sweep;
  memcpy(worker->place, groups, count * sizeof *groups);
  worker->count = count;
  worker->level = wb_check_run_states_level(&sweep->states, groups, count);
  worker->first = number_cells(&sweep->states, worker->place, worker->count);
  worker->waiting[worker->count] = (struct quota){{0}};
  for (size_t i = worker->count; i > 0; i--) {
    const struct wb_check_run_group *place = &worker->place[i - 1];
    worker->groups[i - 1] = (struct acting){.segment = place->segment,
                                            .warps = place->warps,
                                            .stride = place->stride,
                                            .spare = sweep->states.lengths[place->segment] - 1,
                                            .type = sweep->types[place->segment]};
    worker->waiting[i - 1] = worker->waiting[i];
    worker->waiting[i - 1].of[worker->groups[i - 1].type] += place->warps;
  }
  /* Clears the cells of values of a level that is no longer kept. */
  size_t size = worker->sweep->wide ? 2 : 1;
  uint64_t cells =
      worker->groups[0].stride * (worker->groups[0].spare * worker->groups[0].warps + 1);
  uint8_t *bytes = cells_of(worker, worker->level);
  memset(bytes + worker->first * size, 0, (size_t)cells * size);
  worker->stay_count = 0;
  /* Each type U issues at most min(sigma_U, its waiting warps), and all together the sum
   * of these or what the cap leaves of it. Without a cap that makes every type issue all
   * that it may. */
  struct quota left;
  uint64_t total = 0;
  for (size_t u = 0; u < WB_CHECK_RUN_TYPES; u++) {
    left.of[u] = wb_minimum(worker->sweep->capacity[u], worker->waiting[0].of[u]);
    total += left.of[u];
  }
  choose(worker, 0, &left, wb_minimum(total, worker->sweep->slots));
  if (!stopped(worker)) {
    /* Row by row in lexicographic order: a move in which none leaves leads to an earlier row, which
     * has its values already, or back in its own. */
    size_t last = worker->count - 1;
    for (size_t i = 0; i < worker->count; i++) {
      const struct acting *group = &worker->groups[i];
      worker->dimensions[i] =
          (struct dimension){group->spare * group->warps + 1, group->stride, group->stride, 0};
    }
    uint64_t length = worker->dimensions[last].extent;
    uint64_t chain = chain_of(worker);
    uint64_t row = worker->first;
    uint64_t same = row;
    do {
      raise_by_stays(worker, row, length);
      if (worker->sweep->wide)
        finish_words((uint16_t *)cells_of(worker, worker->level) + row, length, chain);
      else
        finish_bytes((uint8_t *)cells_of(worker, worker->level) + row, length, chain);
      spend(worker, length + worker->stay_count);
      atomic_fetch_add_explicit(&worker->sweep->done, length, memory_order_relaxed);
    } while (!stopped(worker) && step(worker->dimensions, worker->count, &row, &same));
  }
}
