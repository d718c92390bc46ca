#include "certificate/potential/trailing_slacks.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/status.h"
#include "certificate/potential/potential_states.h"
#include "certificate/potential/trailing_values.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- the claimed states ---- */

/* In place of a state: one that is not listed. */
#define NO_STATE (-1)

/* The states of the potential, numbered as the claim lists them; the end has the number after them
 * and offsets of 0. Numbers of state s in component j are at s * component_count + j.
 * Zero-initialise. */
struct states {
  /* Borrowed. */
  const struct wb_check_trailing_values *values;
  struct wb_check_leading_warps *leading;
  const struct wb_check_potential_machine *machine;
  /* States listed, the end not counted. */
  size_t state_count;
  /* By state and component: the component's view. */
  size_t *view;
  /* By state and component: the offset, times the values' scale. */
  int64_t *offset;
  /* By state and component: the offsets under that view, less the gain of a cycle. */
  int64_t *before;
  /* By the own warp's pool: the number of the state with a content. */
  struct wb_check_content_map listed[WB_CHECK_POTENTIAL_POOLS];
  /* By the own warp's pool: the number of the row of a content of the other trailing warps. */
  struct wb_check_content_map rows[WB_CHECK_POTENTIAL_POOLS];
  /* By row and state of the leading warps: the number of the state of the potential that these and
   * the trailing warps are together, or NO_STATE. Row 0 is that of trailing warps
   * that have all ended. */
  int32_t *state;
  size_t row_count;
  size_t state_capacity;
};

/* Numbers in all rows at most: 64 MiB. */
#define ROWS_LIMIT ((size_t)1 << 24)

static bool within(int64_t value)
{
  return value >= -WB_CHECK_TRAILING_NUMBER_LIMIT && value <= WB_CHECK_TRAILING_NUMBER_LIMIT;
}

static warpbound_status add(struct wb_check_content_map *sums,
                            const struct wb_check_content *content, size_t number,
                            warpbound_error *error)
{
  switch (
      wb_check_content_map_add(sums, &(struct wb_check_content_value){*content, (int64_t)number})) {
  case WB_CHECK_CONTENT_NO_MEMORY:
    return wb_out_of_memory(error);
  case WB_CHECK_CONTENT_FULL:
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more than %zu states",
                   WB_CHECK_CONTENT_MAP_LIMIT);
  default:
    return WARPBOUND_OK;
  }
}

/* ---- the states listed ---- */

/* Adds a row of states that are not listed; false where memory is out. */
static bool add_row(struct states *states)
{
  size_t width = states->leading->states.count;
  if (!wb_grow(states->state, &states->state_capacity, (states->row_count + 1) * width))
    return false;
  for (size_t c = 0; c < width; c++)
    states->state[states->row_count * width + c] = NO_STATE;
  states->row_count++;
  return true;
}

/* Numbers the states. The claim passed all checks but that of its bound. Borrows all but the error.
 * Errors: WARPBOUND_CHECK_FAILED where numbers are beyond WB_CHECK_TRAILING_NUMBER_LIMIT,
 * WARPBOUND_LIMIT, WARPBOUND_INTERNAL. Free, after a failure too. */
static warpbound_status make_states(struct wb_arena *arena,
                                    const struct wb_check_potential_claim *claim,
                                    const struct wb_check_potential_machine *machine,
                                    const struct wb_check_potential_views *views,
                                    const struct wb_check_trailing_values *values,
                                    struct wb_check_leading_warps *leading, struct states *states,
                                    warpbound_error *error)
{
  *states = (struct states){
      .values = values, .leading = leading, .machine = machine, .state_count = claim->state_count};
  size_t count = (claim->state_count + 1) * values->component_count;
  if (claim->state_count > WB_CHECK_CONTENT_MAP_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more than %zu states",
                   WB_CHECK_CONTENT_MAP_LIMIT);
  states->view = wb_arena_array(arena, size_t, count);
  states->offset = wb_arena_array(arena, int64_t, count);
  states->before = wb_arena_array(arena, int64_t, count);
  if (arena->failed)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t s = 0; status == WARPBOUND_OK && s < claim->state_count; s++) {
    const struct wb_check_potential_state *state = &claim->states[s];
    const struct wb_check_content content =
        wb_check_potential_state_content(states->machine, state);
    const size_t own = wb_check_machine_pool_of(states->machine, state->own);
    for (size_t j = 0; j < values->component_count; j++) {
      size_t at = s * values->component_count + j;
      if (claim->component_count > 0)
        states->view[at] = wb_check_potential_views_choose(views, claim, own, content.warps, j);
      const struct wb_check_trailing_view *view = &values->view[states->view[at]];
      int64_t *before = &states->before[at];
      bool fits = wb_multiply_signed(values->scale, claim->gain, before) && within(*before) &&
                  wb_multiply_signed(values->scale, state->offset[j], &states->offset[at]) &&
                  within(states->offset[at]);
      *before = fits ? -*before : 0;
      for (size_t i = 0; fits && i < values->component_count; i++) {
        int64_t part;
        fits = wb_multiply_signed(view->weights[i], state->offset[i], &part) &&
               wb_add_signed(*before, part, before);
      }
      if (!fits || !within(*before))
        return wb_fail(error, WARPBOUND_CHECK_FAILED,
                       "rear: the offsets exceed what the checker takes");
    }
    status = add(&states->listed[own], &content, s, error);
  }
  if (status != WARPBOUND_OK)
    return status;
  /* The row of trailing warps that have ended: with leading warps that have ended too that is the
   * end. */
  static const struct wb_check_content no_warps = {0};
  const struct wb_check_content_map *known = &states->leading->states;
  const struct wb_check_content_value *ended = wb_check_content_map_find(known, &no_warps);
  if (!add_row(states))
    return wb_out_of_memory(error);
  if (ended != NULL)
    states->state[ended - known->list] = (int32_t)states->state_count;
  return WARPBOUND_OK;
}

/* ---- rows ---- */

/* The sum of two numbers, cut off. */
static uint32_t add_up_to(uint64_t left, uint64_t right, int64_t most)
{
  return (uint32_t)wb_minimum(wb_minimum(left, (uint64_t)most) + wb_minimum(right, (uint64_t)most),
                              (uint64_t)most);
}

/* The row of trailing warps at position[0 .. count - 1], the own one first. Made where it is new,
 * for which work is counted with the leading warps'. Errors: WARPBOUND_LIMIT, WARPBOUND_INTERNAL.
 */
static warpbound_status find_row(struct states *states, const size_t *position, size_t count,
                                 size_t *row, warpbound_error *error)
{
  *row = 0;
  if (position[0] == states->values->length)
    return WARPBOUND_OK;
  size_t own = states->values->position[position[0]].pool;
  /* The content of the trailing warps but the own one. */
  struct wb_check_content trailing = {0};
  for (size_t i = 1; i < count && position[i] < states->values->length; i++) {
    const struct wb_check_trailing_position *at = &states->values->position[position[i]];
    const struct wb_check_machine_pool *pool = &states->machine->pool[at->pool];
    trailing.warps[at->pool] = add_up_to(trailing.warps[at->pool], 1, pool->most_warps);
    trailing.work[at->pool] = add_up_to(trailing.work[at->pool], at->left, pool->most_work);
  }
  const struct wb_check_content_value *found =
      wb_check_content_map_find(&states->rows[own], &trailing);
  if (found != NULL) {
    *row = (size_t)found->value;
    return WARPBOUND_OK;
  }
  *row = states->row_count;
  if (states->row_count >= ROWS_LIMIT / states->leading->states.count)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: more states than the checker's tables take");
  warpbound_status status =
      wb_check_leading_warps_spend(states->leading, states->leading->states.count, error);
  if (status == WARPBOUND_OK)
    status = add(&states->rows[own], &trailing, *row, error);
  if (status == WARPBOUND_OK && !add_row(states))
    status = wb_out_of_memory(error);
  const struct wb_check_content_map *leading = &states->leading->states;
  for (size_t c = 0; status == WARPBOUND_OK && c < leading->count; c++) {
    struct wb_check_content all = {0};
    for (size_t p = 0; p < states->machine->pool_count; p++) {
      const struct wb_check_machine_pool *pool = &states->machine->pool[p];
      all.warps[p] =
          add_up_to(trailing.warps[p], leading->list[c].content.warps[p], pool->most_warps);
      all.work[p] = add_up_to(trailing.work[p], leading->list[c].content.work[p], pool->most_work);
    }
    found = wb_check_content_map_find(&states->listed[own], &all);
    if (found != NULL)
      states->state[*row * leading->count + c] = (int32_t)found->value;
  }
  return status;
}

/* Entries of the table of slacks at most: 512 MiB. */
#define TABLE_LIMIT ((size_t)1 << 26)

/* Moves without a trailing warp from one position at most: 256 MiB. */
#define WAIT_LIMIT ((size_t)1 << 22)

/* Slacks are at most this: 64 bits hold it with all that a cycle adds. */
#define SLACK_LIMIT (INT64_C(1) << 60)

/* A move in which no trailing warp issues. */
struct waiting_move {
  /* States of the leading warps before and after it. */
  uint32_t from;
  uint32_t to;
  /* By component: the move's slack, times the scale. */
  int64_t slack[WB_CHECK_POTENTIAL_POOLS];
};

/* The table of least slacks, filled from the highest rank to the lowest, and the position at
 * hand. */
struct slack_table {
  struct wb_arena *arena;
  const struct wb_check_potential_machine *machine;
  struct wb_check_trailing_values values;
  struct wb_check_leading_warps leading;
  struct states states;
  struct wb_check_trailing_ranks ranks;
  size_t components;
  /* By rank, state of the leading warps and component: the least slack e times the scale, or
   * WB_CHECK_TRAILING_NO_PATH. */
  int64_t *least;
  /* The trailing warps' positions at hand, their rank, and the row of their states. */
  size_t position[WB_CHECK_TRAILING_LIMIT];
  size_t rank;
  size_t row;
  /* Their moves, and the ranks and rows after these. */
  struct wb_check_trailing_move moves[WB_CHECK_TRAILING_MOVES];
  size_t rank_after[WB_CHECK_TRAILING_MOVES];
  size_t row_after[WB_CHECK_TRAILING_MOVES];
  size_t move_count;
  /* By pool: trailing warps that have not ended and stand in it. */
  int64_t ready[WB_CHECK_POTENTIAL_POOLS];
  /* By state of the leading warps and component: the least slack of paths that begin with a move in
   * which a trailing warp issues. */
  int64_t *best;
  /* The other moves. */
  struct waiting_move *waits;
  size_t wait_count;
  size_t wait_capacity;
  warpbound_error *error;
};

/* ---- moves ---- */

/* Takes every target of a move of the trailing warps with moves of the leading warps, from state s.
 */
static warpbound_status take_targets(struct slack_table *table, size_t s, size_t m,
                                     const struct wb_check_leading_moves *list)
{
  const struct wb_check_trailing_move *move = &table->moves[m];
  const size_t components = table->components, width = table->leading.states.count;
  const int32_t *row = table->states.state + table->row_after[m] * width;
  const int64_t *least = table->least + table->rank_after[m] * width * components;
  int64_t *best = table->best + list->state * components;
  const size_t *view = table->states.view + s * components;
  const struct wb_check_content *content = &table->leading.states.list[list->state].content;
  int64_t before[WB_CHECK_POTENTIAL_POOLS];
  for (size_t j = 0; j < components; j++) {
    const int64_t *idle = table->values.view[view[j]].idle[move->front];
    before[j] = table->states.before[s * components + j] + move->value[view[j]];
    for (size_t p = 0; p < table->machine->pool_count; p++) /* leading warps that do not issue */
      before[j] += ((int64_t)content->warps[p] - list->issuing[p]) * idle[p];
  }
  for (size_t t = list->first; t < list->first + list->count; t++) {
    size_t to = table->leading.target[t];
    const int64_t *value = table->leading.value + t * table->values.view_count;
    struct waiting_move wait = {.from = (uint32_t)list->state, .to = (uint32_t)to};
    if (row[to] == NO_STATE)
      continue;
    for (size_t j = 0; j < components; j++) {
      int64_t slack =
          before[j] + value[view[j]] - table->states.offset[(size_t)row[to] * components + j];
      int64_t rest = least[to * components + j];
      if (!move->stays && rest != WB_CHECK_TRAILING_NO_PATH && slack + rest < best[j])
        best[j] = slack + rest;
      wait.slack[j] = slack;
    }
    if (!move->stays)
      continue;
    if (table->wait_count == WAIT_LIMIT)
      return wb_fail(table->error, WARPBOUND_LIMIT,
                     "rear: more than %zu moves without it from one position", WAIT_LIMIT);
    if (!wb_grow(table->waits, &table->wait_capacity, table->wait_count + 1))
      return wb_out_of_memory(table->error);
    table->waits[table->wait_count++] = wait;
  }
  return WARPBOUND_OK;
}

/* A choice of the leading warps that issue in a cycle. */
struct choice {
  /* The state of the potential. */
  size_t state;
  /* The move of the trailing warps. */
  size_t move;
  /* The state of the leading warps. */
  size_t leading;
  /* By pool: leading warps that can issue beside the trailing ones, and those that do. */
  int64_t most[WB_CHECK_POTENTIAL_POOLS];
  int64_t issuing[WB_CHECK_POTENTIAL_POOLS];
};

/* Takes every way in which `left` leading warps issue from pool p on. */
static warpbound_status take_choices(struct slack_table *table, struct choice *choice, size_t p,
                                     int64_t left)
{
  if (p == WB_CHECK_POTENTIAL_POOLS) {
    const struct wb_check_leading_moves *list;
    warpbound_status status = wb_check_leading_warps_find(&table->leading, choice->leading,
                                                          table->moves[choice->move].front,
                                                          choice->issuing, &list, table->error);
    if (status == WARPBOUND_OK)
      status = wb_check_leading_warps_spend(&table->leading, 1 + list->count, table->error);
    return status == WARPBOUND_OK ? take_targets(table, choice->state, choice->move, list) : status;
  }
  int64_t rest = 0;
  for (size_t q = p + 1; q < WB_CHECK_POTENTIAL_POOLS; q++)
    rest += choice->most[q];
  int64_t largest = left < choice->most[p] ? left : choice->most[p];
  warpbound_status status = WARPBOUND_OK;
  for (choice->issuing[p] = left > rest ? left - rest : 0;
       status == WARPBOUND_OK && choice->issuing[p] <= largest; choice->issuing[p]++)
    status = take_choices(table, choice, p + 1, left - choice->issuing[p]);
  return status;
}

/* Takes every cycle in which the trailing warps make move m from state s of the potential and state
 * c of the leading warps. */
static warpbound_status take_move(struct slack_table *table, size_t s, size_t c, size_t m)
{
  const struct wb_check_content *content = &table->leading.states.list[c].content;
  const struct wb_check_trailing_move *move = &table->moves[m];
  struct choice choice = {.state = s, .move = m, .leading = c};
  int64_t total = 0, issued = 0;
  for (size_t p = 0; p < table->machine->pool_count; p++) {
    int64_t ready = (int64_t)content->warps[p] + table->ready[p];
    int64_t most = table->machine->pool[p].service;
    most = ready < most ? ready : most;
    if (move->issued[p] > most)
      return WARPBOUND_OK;
    total += most;
    issued += move->issued[p];
    choice.most[p] = most - move->issued[p];
    if (choice.most[p] > (int64_t)content->warps[p])
      choice.most[p] = (int64_t)content->warps[p];
  }
  if (total > table->machine->slots)
    total = table->machine->slots;
  return total >= issued ? take_choices(table, &choice, 0, total - issued) : WARPBOUND_OK;
}

/* ---- one position of the trailing warps ---- */

/* Lowers the slacks of the components with a weight under a view to that of its component. */
static warpbound_status hand_out(struct slack_table *table, size_t s, const int64_t *best,
                                 int64_t *least, bool *less)
{
  for (size_t j = 0; j < table->components; j++) {
    const struct wb_check_trailing_view *view =
        &table->values.view[table->states.view[s * table->components + j]];
    if (best[j] == WB_CHECK_TRAILING_NO_PATH)
      continue;
    if (best[j] < 0 || best[j] > SLACK_LIMIT)
      return wb_fail(table->error, WARPBOUND_CHECK_FAILED,
                     "rear: the slacks exceed what the checker takes");
    for (size_t i = 0; i < table->components; i++) {
      if (view->weights[i] == 0 || best[j] >= least[i])
        continue;
      least[i] = best[j];
      *less = true;
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status finish(struct slack_table *table)
{
  const size_t components = table->components, width = table->leading.states.count;
  const int32_t *row = table->states.state + table->row * width;
  int64_t *least = table->least + table->rank * width * components;
  warpbound_status status = WARPBOUND_OK;
  bool less = false;
  for (size_t c = 0; status == WARPBOUND_OK && c < width; c++)
    if (row[c] != NO_STATE)
      status = hand_out(table, (size_t)row[c], table->best + c * components, least + c * components,
                        &less);
  while (status == WARPBOUND_OK && less) {
    less = false;
    /* Goes once over the moves in which the trailing warps wait; the states of the leading warps
     * that were found last come first, as these are nearer the end. */
    status = wb_check_leading_warps_spend(&table->leading, table->wait_count, table->error);
    for (size_t w = table->wait_count; status == WARPBOUND_OK && w-- > 0;) {
      const struct waiting_move *wait = &table->waits[w];
      int64_t best[WB_CHECK_POTENTIAL_POOLS];
      for (size_t j = 0; j < components; j++) {
        int64_t rest = least[wait->to * components + j];
        best[j] =
            rest == WB_CHECK_TRAILING_NO_PATH ? WB_CHECK_TRAILING_NO_PATH : rest + wait->slack[j];
      }
      status =
          hand_out(table, (size_t)row[wait->from], best, least + wait->from * components, &less);
    }
  }
  return status;
}

/* Fills the table for the position at hand, with those of higher ranks filled. The values' front is
 * that of the foremost trailing warp. */
static warpbound_status fill_position(struct slack_table *table)
{
  const struct wb_check_trailing_values *values = &table->values;
  memset(table->ready, 0, sizeof table->ready);
  for (size_t i = 0; i < table->ranks.count && table->position[i] < values->length; i++)
    table->ready[values->position[table->position[i]].pool]++;
  warpbound_status status =
      find_row(&table->states, table->position, table->ranks.count, &table->row, table->error);
  table->move_count =
      wb_check_trailing_moves_make(values, table->position, table->ranks.count, table->moves);
  for (size_t m = 0; status == WARPBOUND_OK && m < table->move_count; m++) {
    table->rank_after[m] = wb_check_trailing_ranks_of(&table->ranks, table->moves[m].position);
    status = find_row(&table->states, table->moves[m].position, table->ranks.count,
                      &table->row_after[m], table->error);
  }
  for (size_t i = 0; i < table->leading.states.count * table->components; i++)
    table->best[i] = WB_CHECK_TRAILING_NO_PATH;
  table->wait_count = 0;
  for (size_t c = 0; status == WARPBOUND_OK && c < table->leading.states.count; c++) {
    int32_t s = table->states.state[table->row * table->leading.states.count + c];
    /* Where all trailing warps have ended, so have the leading ones. */
    bool can_be = table->position[table->ranks.count - 1] < values->length;
    bool left = false;
    for (size_t p = 0; p < table->machine->pool_count; p++)
      left = left || table->leading.states.list[c].content.warps[p] > 0;
    can_be = s != NO_STATE && (can_be || !left);
    for (size_t m = 0; can_be && status == WARPBOUND_OK && m < table->move_count; m++)
      status = take_move(table, (size_t)s, c, m);
  }
  return status == WARPBOUND_OK ? finish(table) : status;
}

/* ---- the table ---- */

static warpbound_status fill_table(struct slack_table *table)
{
  const size_t width = table->leading.states.count * table->components;
  const size_t size = table->ranks.rank_count * width;
  warpbound_status status = wb_check_leading_warps_spend(&table->leading, size, table->error);
  if (status != WARPBOUND_OK)
    return status;
  table->least = wb_arena_array(table->arena, int64_t, size);
  table->best = wb_arena_array(table->arena, int64_t, width);
  if (table->least == NULL || table->best == NULL)
    return wb_out_of_memory(table->error);
  /* Sets the slack of the end to 0, and says of every other place that no path leads on. */
  static const struct wb_check_content no_warps = {0};
  const struct wb_check_content_value *ended =
      wb_check_content_map_find(&table->leading.states, &no_warps);
  for (size_t i = 0; i < size; i++)
    table->least[i] = WB_CHECK_TRAILING_NO_PATH;
  table->rank = table->ranks.rank_count - 1;
  for (size_t i = 0; i < table->ranks.count; i++)
    table->position[i] = table->values.length;
  for (size_t j = 0; ended != NULL && j < table->components; j++)
    table->least[table->rank * width +
                 (size_t)(ended - table->leading.states.list) * table->components + j] = 0;
  while (status == WARPBOUND_OK && table->rank > 0) {
    bool changed = false;
    wb_check_trailing_ranks_previous(&table->ranks, table->position);
    table->rank--;
    assert(wb_check_trailing_ranks_of(&table->ranks, table->position) == table->rank);
    if (table->position[table->ranks.count - 1] < table->values.front)
      status = wb_check_trailing_values_retreat(&table->values, &changed, table->error);
    if (changed)
      wb_check_leading_warps_forget(&table->leading);
    if (status == WARPBOUND_OK)
      status = fill_position(table);
  }
  return status;
}

warpbound_status wb_check_trailing_slacks(struct wb_arena *arena,
                                          const struct wb_check_potential_claim *claim,
                                          const struct wb_check_potential_machine *machine,
                                          const struct wb_check_potential_views *views,
                                          uint64_t work_limit, const struct wb_control *control,
                                          struct wb_check_trailing_start *starts,
                                          size_t start_count, warpbound_error *error)
{
  if (claim->trailing > WB_CHECK_TRAILING_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT,
                   "rear: %" PRIu64 " warps; the checker follows at most %d", claim->trailing,
                   WB_CHECK_TRAILING_LIMIT);
  struct slack_table table = {
      .arena = arena, .machine = machine, .components = views->component_count, .error = error};
  struct wb_check_content leading[WB_CHECK_TRAILING_STARTS];
  for (size_t i = 0; i < start_count; i++)
    leading[i] = starts[i].leading;
  warpbound_status status =
      wb_check_trailing_ranks_make(table.arena, (size_t)claim->trailing, claim->problem.length,
                                   TABLE_LIMIT / table.components, &table.ranks, table.error);
  if (status == WARPBOUND_OK)
    status = wb_check_trailing_values_make(table.arena, claim, table.machine, views, &table.values,
                                           table.error);
  if (status == WARPBOUND_OK)
    status =
        wb_check_leading_warps_make(&views->view[0].machine, &table.values, leading, start_count,
                                    TABLE_LIMIT / (table.ranks.rank_count * table.components),
                                    work_limit, control, &table.leading, table.error);
  if (status == WARPBOUND_OK)
    status = make_states(table.arena, claim, table.machine, views, &table.values, &table.leading,
                         &table.states, table.error);
  if (status == WARPBOUND_OK)
    status = fill_table(&table);
  for (size_t i = 0; status == WARPBOUND_OK && i < start_count; i++) {
    /* Reads the slacks of a start, in whole units of the gain. */
    const struct wb_check_content_value *found =
        wb_check_content_map_find(&table.leading.states, &starts[i].leading);
    const int64_t *least =
        table.least + (size_t)(found - table.leading.states.list) * table.components;
    for (size_t j = 0; j < table.components; j++)
      starts[i].slack[j] = least[j] == WB_CHECK_TRAILING_NO_PATH
                               ? WB_CHECK_TRAILING_NO_PATH
                               : -wb_divide_down(-least[j], table.values.scale);
  }
  free(table.waits);
  for (size_t p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    wb_check_content_map_free(&table.states.listed[p]);
    wb_check_content_map_free(&table.states.rows[p]);
  }
  free(table.states.state);
  table.states = (struct states){0};
  wb_check_leading_warps_free(&table.leading);
  return status;
}
