#include "analysis/hybrid/measured_points.h"

#include "base/binary_search.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/hash_table.h"
#include "base/memory.h"
#include "base/text/demangle.h"
#include "ipet/facts/fact_resolution.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A place as rows write it. Several may be one place of the code. */
struct written_place {
  const struct wb_place *place;
  bool whole;      /* of a row of a whole block */
  bool measured;   /* some row that names it measured something */
  uint32_t line;   /* of its first row */
  uint32_t united; /* a written place that it shares an instruction with; itself: none */
  uint32_t number; /* of the place */
};

/* A row in numbers. */
struct numbered_row {
  uint32_t from, to;
  size_t row;
  const char *run, *warp; /* "" where not said */
  int64_t count;          /* 0 where not said */
};

/* The making of points. */
struct maker {
  const struct wb_code *code;
  const struct wb_warp_graph *united;
  const struct wb_function *function;
  const struct wb_times *times;
  const struct wb_control *control;
  struct wb_arena *arena;
  struct wb_measured_points *points;
  bool is_own; /* the newest row is of the function */
  struct written_place *places;
  size_t place_count, place_capacity;
  struct wb_hash_table table; /* of places */
  struct numbered_row *rows;
  size_t row_count, row_capacity;
  warpbound_error *error;
};

/* ---- rows of a function ---- */

bool wb_times_kernel_is(const char *kernel, const struct wb_function *function)
{
  return kernel == NULL || strcmp(kernel, function->name) == 0 ||
         wb_demangled_matches(kernel, function->name);
}

/* Whether row `index` is of the function; *own is what it was of the row before. */
static bool is_of(const struct wb_times *times, size_t index, const struct wb_function *function,
                  bool own)
{
  const struct wb_times_row *row = &times->rows[index];
  const bool same = index > 0 && row->kernel != NULL && row->kernel == row[-1].kernel;
  return same ? own : wb_times_kernel_is(row->kernel, function);
}

size_t wb_times_rows_of(const struct wb_times *times, const struct wb_function *function)
{
  size_t count = 0;
  bool own = false;
  for (size_t r = 0; r < times->row_count; r++) {
    own = is_of(times, r, function, own);
    count += own;
  }
  return count;
}

static int compare_names(const char *a, const char *b)
{
  return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

static int by_run_and_warp(const void *a, const void *b)
{
  const struct wb_times_row *x = *(const struct wb_times_row *const *)a;
  const struct wb_times_row *y = *(const struct wb_times_row *const *)b;
  const int order = compare_names(x->run, y->run);
  return order != 0 ? order : compare_names(x->warp, y->warp);
}

warpbound_status wb_times_longest_walk(const struct wb_times *times,
                                       const struct wb_function *function, int64_t *count,
                                       warpbound_error *error)
{
  const struct wb_times_row **rows = wb_allocate(times->row_count, sizeof *rows);
  size_t own_count = 0;
  bool own = false;
  *count = 0;
  if (rows == NULL)
    return wb_out_of_memory(error);
  for (size_t r = 0; r < times->row_count; r++) {
    own = is_of(times, r, function, own);
    if (own)
      rows[own_count++] = &times->rows[r];
  }
  if (own_count > 1)
    qsort(rows, own_count, sizeof *rows, by_run_and_warp);
  bool fits = true;
  int64_t sum = 0;
  /* Rows that say neither run nor warp are one run's: that is at least what each of them went. */
  for (size_t r = 0; r < own_count && fits; r++) {
    if (r > 0 && by_run_and_warp(&rows[r - 1], &rows[r]) != 0)
      sum = 0;
    fits = rows[r]->count <= 0 || wb_add_signed(sum, rows[r]->count, &sum);
    *count = fits && sum > *count ? sum : *count;
  }
  free(rows);
  return fits ? WARPBOUND_OK
              : wb_fail_at(error, WARPBOUND_INVALID_INPUT, times->name, 0, 0,
                           "expected counts whose sum fits into 64 bits");
}

/* ---- places as they are written ---- */

static bool same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_place(const void *items, uint32_t item, const void *key)
{
  const struct written_place *a = &((const struct written_place *)items)[item];
  const struct written_place *b = key;
  return a->whole == b->whole && a->place->has_address == b->place->has_address &&
         a->place->address == b->place->address && a->place->source_line == b->place->source_line &&
         same_text(a->place->file, b->place->file) && same_text(a->place->label, b->place->label);
}

static uint64_t hash_of_text(uint64_t hash, const char *text)
{
  return text != NULL ? wb_hash_bytes(hash, text, strlen(text)) : hash;
}

static uint64_t hash_place(const void *items, uint32_t item)
{
  const struct written_place *place = &((const struct written_place *)items)[item];
  const uint64_t hash =
      hash_of_text(hash_of_text(WB_HASH_START, place->place->file), place->place->label);
  return wb_hash_word(wb_hash_word(hash, place->place->address),
                      (uint64_t)place->place->source_line * 2 + place->whole);
}

/* The written place of a row; *number is its index. */
static warpbound_status enter_place(struct maker *maker, const struct wb_times_row *row,
                                    const struct wb_place *place, bool whole, uint32_t *number)
{
  const uint32_t next = (uint32_t)maker->place_count;
  if (!wb_grow(maker->places, &maker->place_capacity, maker->place_count + 1) ||
      !wb_hash_table_grow(&maker->table, maker->place_count, hash_place, maker->places))
    return wb_out_of_memory(maker->error);
  maker->places[next] =
      (struct written_place){.place = place, .whole = whole, .line = row->line, .united = next};
  uint32_t *slot = wb_hash_table_slot(&maker->table, hash_place(maker->places, next), same_place,
                                      maker->places, &maker->places[next]);
  if (*slot == 0) {
    *slot = next + 1;
    maker->place_count++;
  }
  *number = *slot - 1;
  maker->places[*number].measured |= row->count != 0;
  return WARPBOUND_OK;
}

/* Numbers that stand for what is no place, until the places are counted. */
enum { START = -1, STOP = -2, BLOCK = -3 };

static warpbound_status enter_row(struct maker *maker, size_t index)
{
  const struct wb_times_row *row = &maker->times->rows[index];
  maker->is_own = is_of(maker->times, index, maker->function, maker->is_own);
  if (!maker->is_own)
    return WARPBOUND_OK;
  maker->points->rows++;
  const bool whole_run = row->from.end == WB_TIMES_START && row->to.end == WB_TIMES_STOP;
  const bool whole_block = row->to.end == WB_TIMES_BLOCK && row->count != 0;
  if (row->count == 0 && whole_run)
    return WARPBOUND_OK;
  if (whole_run) {
    struct wb_high_water *mark = &maker->points->high_water;
    mark->cycles = row->cycles > mark->cycles ? row->cycles : mark->cycles;
    mark->count++;
    mark->mean += ((double)row->cycles - mark->mean) / (double)mark->count;
  }
  struct numbered_row numbered = {.from = (uint32_t)START,
                                  .to = row->to.end == WB_TIMES_STOP ? (uint32_t)STOP
                                                                     : (uint32_t)BLOCK,
                                  .row = index,
                                  .run = row->run != NULL ? row->run : "",
                                  .warp = row->warp != NULL ? row->warp : "",
                                  .count = row->count > 0 ? row->count : 0};
  warpbound_status status = WARPBOUND_OK;
  if (row->from.end == WB_TIMES_PLACE)
    status = enter_place(maker, row, &row->from.place, whole_block, &numbered.from);
  if (status == WARPBOUND_OK && row->to.end == WB_TIMES_PLACE)
    status = enter_place(maker, row, &row->to.place, false, &numbered.to);
  if (status != WARPBOUND_OK)
    return status;
  maker->points->segments |= row->to.end != WB_TIMES_BLOCK && !whole_run;
  if (row->count == 0) /* its places are points, and it measured nothing */
    return WARPBOUND_OK;
  maker->points->has_start |= row->from.end == WB_TIMES_START && !whole_run;
  if (!wb_grow(maker->rows, &maker->row_capacity, maker->row_count + 1))
    return wb_out_of_memory(maker->error);
  maker->rows[maker->row_count++] = numbered;
  return WARPBOUND_OK;
}

/* ---- places of the code ---- */

static uint32_t root_of(struct maker *maker, uint32_t place)
{
  while (maker->places[place].united != place) {
    maker->places[place].united = maker->places[maker->places[place].united].united;
    place = maker->places[place].united;
  }
  return place;
}

/* The place has the instruction, and with it all that is another's. */
static void take_instruction(struct maker *maker, uint32_t place, uint32_t instruction)
{
  uint32_t *of = &maker->points->place_of[instruction];
  if (*of == WB_NO_PLACE)
    *of = place;
  else
    maker->places[root_of(maker, *of)].united = root_of(maker, place);
}

/* Takes an instruction of the code that the graph reaches; false where it does not. */
static bool take_reached(struct maker *maker, uint32_t place, size_t instruction)
{
  const struct wb_warp_graph *united = maker->united;
  size_t low = 0;
  size_t high = united->block_count;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(united->blocks[middle].first <= instruction ? &low : &high) = middle;
  }
  const struct wb_warp_block *block = &united->blocks[low];
  if (instruction < block->first || instruction > block->last)
    return false;
  const bool whole = maker->places[place].whole;
  maker->points->whole_at[block->first] |= whole;
  take_instruction(maker, place, whole ? block->first : (uint32_t)instruction);
  return true;
}

static warpbound_status not_found(const struct maker *maker, const struct written_place *written)
{
  const struct wb_place *place = written->place;
  const char *function = maker->function->name;
  if (place->has_address)
    return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, maker->times->name, written->line, 0,
                      "expected a place of %.120s, found 0x%04" PRIx32
                      ", where no instruction is that it reaches",
                      function, place->address);
  if (place->file != NULL)
    return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, maker->times->name, written->line, 0,
                      "expected a place of %.120s, found %.120s:%" PRIu32
                      ", the line of no instruction that it reaches",
                      function, place->file, place->source_line);
  return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, maker->times->name, written->line, 0,
                    "expected a place of %.120s, found '%.120s', which is none of its labels",
                    function, place->label);
}

static warpbound_status find_places(struct maker *maker)
{
  const struct wb_function *function = maker->function;
  for (uint32_t p = 0; p < maker->place_count; p++) {
    const struct wb_place *place = maker->places[p].place;
    bool found = false;
    if (p % 64 == 0 && wb_control_stopped(maker->control) != WB_STOP_NONE)
      return wb_fail(maker->error, WARPBOUND_LIMIT,
                     "%.120s: a limit was reached before all places of the times were found",
                     function->name);
    if (place->has_address) {
      const size_t index = wb_function_at(function, place->address);
      found = index != SIZE_MAX && take_reached(maker, p, index);
    } else if (place->file != NULL) {
      /* The first instruction of the line in each block. */
      for (size_t b = 0; b < maker->united->block_count; b++) {
        const struct wb_warp_block *block = &maker->united->blocks[b];
        uint32_t i = block->first;
        while (i <= block->last &&
               !wb_place_is_line_of(maker->code, &function->instructions[i], place))
          i++;
        found |= i <= block->last && take_reached(maker, p, i);
      }
    } else {
      size_t l = 0;
      while (l < function->label_count && strcmp(function->labels[l].name, place->label) != 0)
        l++;
      found = l < function->label_count && take_reached(maker, p, function->labels[l].index);
    }
    if (found)
      continue;
    /* An assembler removes what cannot run: no run came there, and no other line is meant. */
    if (maker->places[p].measured || place->has_address || place->file == NULL)
      return not_found(maker, &maker->places[p]);
    maker->points->left_out++;
  }
  return WARPBOUND_OK;
}

/* The places in a block with a row of its own are that of its beginning: a segment that ends at one
 * of them ends there, and no segment begins in it. */
static void unite_whole_blocks(struct maker *maker)
{
  uint32_t *place_of = maker->points->place_of;
  for (size_t b = 0; b < maker->united->block_count && maker->places != NULL; b++) {
    const struct wb_warp_block *block = &maker->united->blocks[b];
    for (uint32_t i = block->first + 1; i <= block->last && maker->points->whole_at[block->first];
         i++) {
      if (place_of[i] != WB_NO_PLACE)
        take_instruction(maker, place_of[i], block->first);
      place_of[i] = WB_NO_PLACE;
    }
  }
}

/* Numbers the places that are united with none, and then all others as those. */
static warpbound_status number_places(struct maker *maker)
{
  struct wb_measured_points *points = maker->points;
  for (uint32_t p = 0; p < maker->place_count; p++) {
    if (root_of(maker, p) == p)
      maker->places[p].number = (uint32_t)points->place_count++;
  }
  points->start = (uint32_t)points->place_count;
  points->stop = points->start + 1;
  points->block = points->start + 2;
  points->whole = wb_arena_array(maker->arena, bool, points->place_count);
  points->most_runs = wb_arena_array(maker->arena, int64_t, points->place_count);
  if (maker->arena->failed)
    return wb_out_of_memory(maker->error);
  for (uint32_t p = 0; p < maker->place_count; p++) {
    maker->places[p].number = maker->places[root_of(maker, p)].number;
    points->whole[maker->places[p].number] |= maker->places[p].whole;
  }
  for (size_t p = 0; p < points->place_count; p++)
    points->most_runs[p] = -1;
  for (size_t i = 0; i < maker->function->instruction_count; i++) {
    if (points->place_of[i] != WB_NO_PLACE)
      points->place_of[i] = maker->places[points->place_of[i]].number;
  }
  for (size_t r = 0; r < maker->row_count; r++) {
    struct numbered_row *row = &maker->rows[r];
    row->from = row->from != (uint32_t)START ? maker->places[row->from].number : points->start;
    if (row->to == (uint32_t)STOP)
      row->to = points->stop;
    else
      row->to = row->to != (uint32_t)BLOCK ? maker->places[row->to].number : points->block;
  }
  return WARPBOUND_OK;
}

/* ---- transitions ---- */

/* By from, run, warp, to. */
static int by_warp(const void *a, const void *b)
{
  const struct numbered_row *x = a;
  const struct numbered_row *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  int order = strcmp(x->run, y->run);
  order = order != 0 ? order : strcmp(x->warp, y->warp);
  if (order != 0)
    return order;
  return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->row > y->row) - (x->row < y->row);
}

static int by_transition(const void *a, const void *b)
{
  const struct numbered_row *x = a;
  const struct numbered_row *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/* Adds up what one warp did in one run: the count of a transition in its first row, nothing in the
 * others, and the passes of the place. Rows without run and warp stand each for a run of its own,
 * or for the same one: their transitions have the largest count, and the passes are the sum of
 * these, which is at least what each run has. */
static bool add_up_warp(struct maker *maker, size_t first, size_t end)
{
  const uint32_t from = maker->rows[first].from;
  const bool named = maker->rows[first].run[0] != '\0' || maker->rows[first].warp[0] != '\0';
  int64_t passes = 0;
  size_t head = first;
  for (size_t r = first + 1; r < end; r++) {
    int64_t *sum = &maker->rows[head].count;
    const int64_t count = maker->rows[r].count;
    if (maker->rows[r].to != maker->rows[head].to) {
      head = r;
      continue;
    }
    maker->rows[r].count = 0;
    if (!named)
      *sum = count > *sum ? count : *sum;
    else if (!wb_add_signed(*sum, count, sum))
      return false;
  }
  for (size_t r = first; r < end; r++) {
    if (!wb_add_signed(passes, maker->rows[r].count, &passes))
      return false;
  }
  if (from < maker->points->place_count && passes > maker->points->most_runs[from])
    maker->points->most_runs[from] = passes;
  return true;
}

static warpbound_status add_up_counts(struct maker *maker)
{
  if (maker->row_count > 1)
    qsort(maker->rows, maker->row_count, sizeof *maker->rows, by_warp);
  for (size_t first = 0; first < maker->row_count;) {
    size_t end = first + 1;
    const struct numbered_row *row = &maker->rows[first];
    while (end < maker->row_count && row->from == maker->rows[end].from &&
           strcmp(row->run, maker->rows[end].run) == 0 &&
           strcmp(row->warp, maker->rows[end].warp) == 0)
      end++;
    if (!add_up_warp(maker, first, end))
      return wb_fail_at(maker->error, WARPBOUND_INVALID_INPUT, maker->times->name,
                        maker->times->rows[maker->rows[first].row].line, 0,
                        "expected counts whose sum fits into 64 bits");
    first = end;
  }
  return WARPBOUND_OK;
}

static warpbound_status make_transitions(struct maker *maker)
{
  struct wb_measured_points *points = maker->points;
  if (maker->row_count > 1)
    qsort(maker->rows, maker->row_count, sizeof *maker->rows, by_transition);
  points->transitions = wb_arena_array(maker->arena, struct wb_transition, maker->row_count);
  if (points->transitions == NULL)
    return wb_out_of_memory(maker->error);
  for (size_t r = 0; r < maker->row_count; r++) {
    const struct numbered_row *row = &maker->rows[r];
    if (r == 0 || row->from != row[-1].from || row->to != row[-1].to)
      points->transitions[points->transition_count++] = (struct wb_transition){
          .from = row->from, .to = row->to, .count = -1, .first_row = row->row};
    const struct wb_times_row *of = &maker->times->rows[row->row];
    struct wb_transition *transition = &points->transitions[points->transition_count - 1];
    transition->rows++;
    transition->cycles = of->cycles > transition->cycles ? of->cycles : transition->cycles;
    if (of->count >= 0 && row->count > transition->count)
      transition->count = row->count;
  }
  return WARPBOUND_OK;
}

/* Whether a transition stands before the key's from and to. */
static bool is_before(const void *items, size_t index, const void *key)
{
  const struct wb_transition *a = &((const struct wb_transition *)items)[index], *b = key;
  return a->from != b->from ? a->from < b->from : a->to < b->to;
}

struct wb_transition *wb_measured_transition(const struct wb_measured_points *points, uint32_t from,
                                             uint32_t to)
{
  const struct wb_transition key = {.from = from, .to = to};
  const size_t place =
      wb_lower_bound(points->transitions, points->transition_count, is_before, &key);
  struct wb_transition *found = &points->transitions[place];
  return place < points->transition_count && found->from == from && found->to == to ? found : NULL;
}

/* ---- all of it ---- */

warpbound_status wb_measured_points_make(const struct wb_code *code,
                                         const struct wb_warp_graph *united,
                                         const struct wb_times *times,
                                         const struct wb_control *control, struct wb_arena *arena,
                                         struct wb_measured_points *points, warpbound_error *error)
{
  *points = (struct wb_measured_points){0};
  struct maker maker = {.code = code,
                        .united = united,
                        .function = united->function,
                        .times = times,
                        .control = control,
                        .arena = arena,
                        .points = points,
                        .error = error};
  const size_t count = united->function->instruction_count;
  points->place_of = wb_arena_array(arena, uint32_t, count);
  points->block_last = wb_arena_array(arena, uint32_t, count);
  points->whole_at = wb_arena_array(arena, bool, count);
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t i = 0; i < count; i++)
    points->place_of[i] = WB_NO_PLACE;
  for (size_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++)
      points->block_last[i] = united->blocks[b].last;
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t r = 0; r < times->row_count && status == WARPBOUND_OK; r++)
    status = enter_row(&maker, r);
  if (status == WARPBOUND_OK)
    status = find_places(&maker);
  if (status == WARPBOUND_OK) {
    unite_whole_blocks(&maker);
    status = number_places(&maker);
  }
  if (status == WARPBOUND_OK)
    status = add_up_counts(&maker);
  if (status == WARPBOUND_OK)
    status = make_transitions(&maker);
  free(maker.places);
  free(maker.rows);
  wb_hash_table_free(&maker.table);
  return status;
}
