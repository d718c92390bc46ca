#include "certificate/potential/trailing_slacks.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/potential/leading_warps.h"
#include "certificate/potential/trailing_moves.h"
#include "certificate/potential/trailing_ranks.h"
#include "certificate/potential/trailing_states.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
  const struct wb_check_potential_machine *machine;
  struct wb_check_trailing_values values;
  struct wb_check_leading_warps leading;
  struct wb_check_trailing_states states;
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

/* The value under a view of the leading warps that do not issue. */
static int64_t idle_value(const struct slack_table *table,
                          const struct wb_check_trailing_view *view,
                          const struct wb_check_leading_moves *list,
                          enum wb_check_trailing_front front)
{
  const struct wb_check_content *content = &table->leading.states.list[list->state].content;
  int64_t sum = 0;
  for (size_t p = 0; p < table->machine->pool_count; p++)
    sum += ((int64_t)content->warps[p] - list->issuing[p]) * view->idle[front][p];
  return sum;
}

static warpbound_status keep_wait(struct slack_table *table, const struct waiting_move *wait)
{
  if (table->wait_count == WAIT_LIMIT)
    return wb_fail(table->error, WARPBOUND_LIMIT,
                   "rear: more than %zu moves without it from one position", WAIT_LIMIT);
  if (!wb_grow(table->waits, &table->wait_capacity, table->wait_count + 1))
    return wb_out_of_memory(table->error);
  table->waits[table->wait_count++] = *wait;
  return WARPBOUND_OK;
}

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
  int64_t before[WB_CHECK_POTENTIAL_POOLS];
  for (size_t j = 0; j < components; j++)
    before[j] = table->states.before[s * components + j] + move->value[view[j]] +
                idle_value(table, &table->values.view[view[j]], list, move->front);
  for (size_t t = list->first; t < list->first + list->count; t++) {
    size_t to = table->leading.target[t];
    const int64_t *value = table->leading.value + t * table->values.view_count;
    struct waiting_move wait = {.from = (uint32_t)list->state, .to = (uint32_t)to};
    if (row[to] == WB_CHECK_TRAILING_NO_STATE)
      continue;
    for (size_t j = 0; j < components; j++) {
      int64_t slack =
          before[j] + value[view[j]] - table->states.offset[(size_t)row[to] * components + j];
      int64_t rest = least[to * components + j];
      if (!move->stays && rest != WB_CHECK_TRAILING_NO_PATH && slack + rest < best[j])
        best[j] = slack + rest;
      wait.slack[j] = slack;
    }
    warpbound_status status = move->stays ? keep_wait(table, &wait) : WARPBOUND_OK;
    if (status != WARPBOUND_OK)
      return status;
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

/* Goes once over the moves in which the trailing warps wait; the states of the leading warps that
 * were found last come first, as these are nearer the end. */
static warpbound_status settle_once(struct slack_table *table, bool *less)
{
  const size_t components = table->components, width = table->leading.states.count;
  const int32_t *row = table->states.state + table->row * width;
  int64_t *least = table->least + table->rank * width * components;
  warpbound_status status =
      wb_check_leading_warps_spend(&table->leading, table->wait_count, table->error);
  for (size_t w = table->wait_count; status == WARPBOUND_OK && w-- > 0;) {
    const struct waiting_move *wait = &table->waits[w];
    int64_t best[WB_CHECK_POTENTIAL_POOLS];
    for (size_t j = 0; j < components; j++) {
      int64_t rest = least[wait->to * components + j];
      best[j] =
          rest == WB_CHECK_TRAILING_NO_PATH ? WB_CHECK_TRAILING_NO_PATH : rest + wait->slack[j];
    }
    status = hand_out(table, (size_t)row[wait->from], best, least + wait->from * components, less);
  }
  return status;
}

static warpbound_status settle(struct slack_table *table)
{
  const size_t components = table->components, width = table->leading.states.count;
  const int32_t *row = table->states.state + table->row * width;
  int64_t *least = table->least + table->rank * width * components;
  warpbound_status status = WARPBOUND_OK;
  bool less = false;
  for (size_t c = 0; status == WARPBOUND_OK && c < width; c++)
    if (row[c] != WB_CHECK_TRAILING_NO_STATE)
      status = hand_out(table, (size_t)row[c], table->best + c * components, least + c * components,
                        &less);
  while (status == WARPBOUND_OK && less) {
    less = false;
    status = settle_once(table, &less);
  }
  return status;
}

/* Whether leading warps can be in state c: where all trailing warps have ended, so have they. */
static bool can_be(const struct slack_table *table, size_t c)
{
  const struct wb_check_content *content = &table->leading.states.list[c].content;
  bool left = false;
  for (size_t p = 0; p < table->machine->pool_count; p++)
    left = left || content->warps[p] > 0;
  return !left || table->position[table->ranks.count - 1] < table->values.length;
}

static warpbound_status prepare_position(struct slack_table *table)
{
  const struct wb_check_trailing_values *values = &table->values;
  memset(table->ready, 0, sizeof table->ready);
  for (size_t i = 0; i < table->ranks.count && table->position[i] < values->length; i++)
    table->ready[values->position[table->position[i]].pool]++;
  warpbound_status status = wb_check_trailing_states_row(
      &table->states, table->position, table->ranks.count, &table->row, table->error);
  table->move_count =
      wb_check_trailing_moves_make(values, table->position, table->ranks.count, table->moves);
  for (size_t m = 0; status == WARPBOUND_OK && m < table->move_count; m++) {
    table->rank_after[m] = wb_check_trailing_ranks_of(&table->ranks, table->moves[m].position);
    status = wb_check_trailing_states_row(&table->states, table->moves[m].position,
                                          table->ranks.count, &table->row_after[m], table->error);
  }
  for (size_t i = 0; i < table->leading.states.count * table->components; i++)
    table->best[i] = WB_CHECK_TRAILING_NO_PATH;
  table->wait_count = 0;
  return status;
}

/* Fills the table for the position at hand, with those of higher ranks filled. The values' front is
 * that of the foremost trailing warp. */
static warpbound_status fill_position(struct slack_table *table)
{
  warpbound_status status = prepare_position(table);
  for (size_t c = 0; status == WARPBOUND_OK && c < table->leading.states.count; c++) {
    int32_t s = table->states.state[table->row * table->leading.states.count + c];
    for (size_t m = 0; s != WB_CHECK_TRAILING_NO_STATE && can_be(table, c) &&
                       status == WARPBOUND_OK && m < table->move_count;
         m++)
      status = take_move(table, (size_t)s, c, m);
  }
  return status == WARPBOUND_OK ? settle(table) : status;
}

/* ---- the table ---- */

/* Sets the slack of the end to 0, and says of every other place that no path leads on. */
static void start_table(struct slack_table *table)
{
  static const struct wb_check_content no_warps = {0};
  const size_t width = table->leading.states.count * table->components;
  const struct wb_check_content_value *ended =
      wb_check_content_map_find(&table->leading.states, &no_warps);
  for (size_t i = 0; i < table->ranks.rank_count * width; i++)
    table->least[i] = WB_CHECK_TRAILING_NO_PATH;
  table->rank = table->ranks.rank_count - 1;
  for (size_t i = 0; i < table->ranks.count; i++)
    table->position[i] = table->values.length;
  for (size_t j = 0; ended != NULL && j < table->components; j++)
    table->least[table->rank * width +
                 (size_t)(ended - table->leading.states.list) * table->components + j] = 0;
}

static warpbound_status fill_table(struct slack_table *table)
{
  warpbound_status status = WARPBOUND_OK;
  start_table(table);
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

static warpbound_status make_table(struct slack_table *table)
{
  size_t width = table->leading.states.count * table->components;
  size_t size = table->ranks.rank_count * width;
  warpbound_status status = wb_check_leading_warps_spend(&table->leading, size, table->error);
  if (status != WARPBOUND_OK)
    return status;
  table->least = wb_allocate(size, sizeof *table->least);
  table->best = wb_allocate(width, sizeof *table->best);
  return table->least != NULL && table->best != NULL ? WARPBOUND_OK
                                                     : wb_out_of_memory(table->error);
}

static warpbound_status prepare(struct slack_table *table,
                                const struct wb_check_potential_claim *claim,
                                const struct wb_check_potential_views *views, uint64_t work_limit,
                                const struct wb_control *control,
                                const struct wb_check_trailing_start *starts, size_t start_count)
{
  struct wb_check_content leading[WB_CHECK_TRAILING_STARTS];
  for (size_t i = 0; i < start_count; i++)
    leading[i] = starts[i].leading;
  warpbound_status status =
      wb_check_trailing_ranks_make((size_t)claim->trailing, claim->problem.length,
                                   TABLE_LIMIT / table->components, &table->ranks, table->error);
  if (status == WARPBOUND_OK)
    status =
        wb_check_trailing_values_make(claim, table->machine, views, &table->values, table->error);
  if (status == WARPBOUND_OK)
    status =
        wb_check_leading_warps_make(&views->view[0].machine, &table->values, leading, start_count,
                                    TABLE_LIMIT / (table->ranks.rank_count * table->components),
                                    work_limit, control, &table->leading, table->error);
  if (status == WARPBOUND_OK)
    status = wb_check_trailing_states_make(claim, table->machine, views, &table->values,
                                           &table->leading, &table->states, table->error);
  return status == WARPBOUND_OK ? make_table(table) : status;
}

warpbound_status wb_check_trailing_slacks(const struct wb_check_potential_claim *claim,
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
      .machine = machine, .components = views->component_count, .error = error};
  warpbound_status status = prepare(&table, claim, views, work_limit, control, starts, start_count);
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
  free(table.least);
  free(table.best);
  free(table.waits);
  wb_check_trailing_ranks_free(&table.ranks);
  wb_check_trailing_states_free(&table.states);
  wb_check_leading_warps_free(&table.leading);
  wb_check_trailing_values_free(&table.values);
  return status;
}
