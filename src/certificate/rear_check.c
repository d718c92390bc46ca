#include "certificate/rear_check.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/rear_crowd.h"
#include "certificate/rear_states.h"

#include <stdlib.h>
#include <string.h>

/* Entries of the table of slacks at most: 256 MiB. */
#define TABLE_LIMIT ((size_t)1 << 25)

/* Moves without the rear from one rear position at most: 256 MiB. */
#define WAIT_LIMIT ((size_t)1 << 22)

/* Slacks are at most this: 64 bits hold it with all that a cycle adds. */
#define SLACK_LIMIT (INT64_C(1) << 60)

/* A move in which no rear warp issues, from one state of the crowd to another: its slack for each
 * piece. */
struct wait {
  uint32_t from;
  uint32_t to;
  int64_t slack[WB_POTENTIAL_POOLS];
};

/* steps[i][q]: in how many ways i + 1 warps can stand, all before q; the sum of
 * steps[i][position[i]] is the rank. least: e times D, by rank, crowd state and piece.
 * At hand: the rear's position, its rank and the row of its states; its moves, with ranks and rows
 * after them; ready: how many of it are ready in each pool; best[c * pieces + j]: the least slack
 * from crowd state c on of moves in which the rear issues, for piece j; waits: the other moves. */
struct follow {
  const struct wb_potential_claim *claim;
  const struct wb_potential_machine *machine;
  struct wb_rear_values values;
  struct wb_rear_crowd crowd;
  struct wb_rear_states states;
  size_t pieces;
  size_t count;
  size_t *steps[WB_REAR_LIMIT];
  size_t rank_count;
  int64_t *least;
  size_t position[WB_REAR_LIMIT];
  size_t rank;
  size_t row;
  struct wb_rear_move moves[WB_REAR_MOVES];
  size_t ranks[WB_REAR_MOVES];
  size_t rows[WB_REAR_MOVES];
  size_t move_count;
  int64_t ready[WB_POTENTIAL_POOLS];
  int64_t *best;
  struct wait *waits;
  size_t wait_count;
  size_t wait_capacity;
  warpbound_error *error;
};

/* ---- ranks ---- */

static size_t rank_of(const struct follow *follow, const size_t *position)
{
  size_t rank = 0;
  for (size_t i = 0; i < follow->count; i++)
    rank += follow->steps[i][position[i]];
  return rank;
}

static warpbound_status too_many(const struct follow *follow)
{
  return wb_fail(follow->error, WARPBOUND_LIMIT,
                 "rear: %zu warps over %zu instructions have more positions than the checker's "
                 "tables take",
                 follow->count, follow->claim->length);
}

/* Binomial coefficients, each the sum of two before it. */
static warpbound_status make_ranks(struct follow *follow)
{
  size_t length = follow->claim->length;
  follow->rank_count = 1;
  for (size_t i = 0; i < follow->count; i++) {
    size_t *steps = follow->steps[i] = wb_allocate(length + 1, sizeof *steps);
    if (steps == NULL)
      return wb_out_of_memory(follow->error);
    for (size_t q = 1; q <= length; q++) {
      steps[q] = steps[q - 1] + (i > 0 ? follow->steps[i - 1][q] : 1);
      if (steps[q] > TABLE_LIMIT)
        return too_many(follow);
    }
    follow->rank_count += steps[length];
  }
  return follow->rank_count <= TABLE_LIMIT / follow->pieces ? WARPBOUND_OK : too_many(follow);
}

/* The position of the rank below; not at the start. */
static void step_back(struct follow *follow)
{
  size_t i = 0;
  while (follow->position[i] == 0)
    i++;
  follow->position[i]--;
  for (size_t k = 0; k < i; k++)
    follow->position[k] = follow->position[i];
  follow->rank--;
}

/* ---- moves ---- */

/* What those of the crowd are worth to a view that do not issue. */
static int64_t idle_value(const struct follow *follow, const struct wb_rear_view *view,
                          const struct wb_rear_list *list, enum wb_rear_front front)
{
  const struct wb_potential_content *content = &follow->crowd.states.list[list->state].content;
  int64_t sum = 0;
  for (size_t p = 0; p < follow->machine->pool_count; p++)
    sum += ((int64_t)content->warps[p] - list->issuing[p]) * view->idle[front][p];
  return sum;
}

static warpbound_status keep_wait(struct follow *follow, const struct wait *wait)
{
  if (follow->wait_count == WAIT_LIMIT)
    return wb_fail(follow->error, WARPBOUND_LIMIT,
                   "rear: more than %zu moves without it from one position", WAIT_LIMIT);
  if (!wb_grow((void **)&follow->waits, &follow->wait_capacity, follow->wait_count + 1,
               sizeof *follow->waits))
    return wb_out_of_memory(follow->error);
  follow->waits[follow->wait_count++] = *wait;
  return WARPBOUND_OK;
}

/* Every target of a move of the rear with a list of the crowd's, from state s. */
static warpbound_status take_targets(struct follow *follow, size_t s, size_t m,
                                     const struct wb_rear_list *list)
{
  const struct wb_rear_move *move = &follow->moves[m];
  const size_t pieces = follow->pieces, width = follow->crowd.states.count;
  const int32_t *row = follow->states.state + follow->rows[m] * width;
  const int64_t *least = follow->least + follow->ranks[m] * width * pieces;
  int64_t *best = follow->best + list->state * pieces;
  const size_t *view = follow->states.view + s * pieces;
  int64_t before[WB_POTENTIAL_POOLS];
  for (size_t j = 0; j < pieces; j++)
    before[j] = follow->states.before[s * pieces + j] + move->value[view[j]] +
                idle_value(follow, &follow->values.view[view[j]], list, move->front);
  for (size_t t = list->first; t < list->first + list->count; t++) {
    size_t to = follow->crowd.target[t];
    const int64_t *value = follow->crowd.value + t * follow->values.view_count;
    struct wait wait = {.from = (uint32_t)list->state, .to = (uint32_t)to};
    if (row[to] == WB_REAR_NO_STATE)
      continue;
    for (size_t j = 0; j < pieces; j++) {
      int64_t slack =
          before[j] + value[view[j]] - follow->states.height[(size_t)row[to] * pieces + j];
      int64_t behind = least[to * pieces + j];
      if (!move->stays && behind != WB_REAR_NO_PATH && slack + behind < best[j])
        best[j] = slack + behind;
      wait.slack[j] = slack;
    }
    warpbound_status status = move->stays ? keep_wait(follow, &wait) : WARPBOUND_OK;
    if (status != WARPBOUND_OK)
      return status;
  }
  return WARPBOUND_OK;
}

/* A state of the potential, a state of the crowd, and a move of the rear from there, with how many
 * of the crowd issue from each pool, and at most. */
struct choice {
  size_t state;
  size_t move;
  size_t crowd;
  int64_t most[WB_POTENTIAL_POOLS];
  int64_t issuing[WB_POTENTIAL_POOLS];
};

static warpbound_status take_choice(struct follow *follow, struct choice *choice)
{
  const struct wb_rear_list *list;
  warpbound_status status =
      wb_rear_crowd_find(&follow->crowd, choice->crowd, follow->moves[choice->move].front,
                         choice->issuing, &list, follow->error);
  if (status == WARPBOUND_OK)
    status = wb_rear_crowd_spend(&follow->crowd, 1 + list->count, follow->error);
  return status == WARPBOUND_OK ? take_targets(follow, choice->state, choice->move, list) : status;
}

/* Every way in which `left` of the crowd issue from pool p on. */
static warpbound_status take_choices(struct follow *follow, struct choice *choice, size_t p,
                                     int64_t left)
{
  if (p == WB_POTENTIAL_POOLS)
    return take_choice(follow, choice);
  int64_t rest = 0;
  for (size_t q = p + 1; q < WB_POTENTIAL_POOLS; q++)
    rest += choice->most[q];
  int64_t largest = left < choice->most[p] ? left : choice->most[p];
  warpbound_status status = WARPBOUND_OK;
  for (choice->issuing[p] = left > rest ? left - rest : 0;
       status == WARPBOUND_OK && choice->issuing[p] <= largest; choice->issuing[p]++)
    status = take_choices(follow, choice, p + 1, left - choice->issuing[p]);
  return status;
}

/* Every cycle in which the rear makes move m. */
static warpbound_status take_move(struct follow *follow, size_t s, size_t c, size_t m)
{
  const struct wb_potential_content *content = &follow->crowd.states.list[c].content;
  const struct wb_rear_move *move = &follow->moves[m];
  struct choice choice = {.state = s, .move = m, .crowd = c};
  int64_t total = 0, issued = 0;
  for (size_t p = 0; p < follow->machine->pool_count; p++) {
    int64_t ready = (int64_t)content->warps[p] + follow->ready[p];
    int64_t most = follow->machine->pool[p].service;
    most = ready < most ? ready : most;
    if (move->issued[p] > most)
      return WARPBOUND_OK;
    total += most;
    issued += move->issued[p];
    choice.most[p] = most - move->issued[p];
    if (choice.most[p] > (int64_t)content->warps[p])
      choice.most[p] = (int64_t)content->warps[p];
  }
  if (total > follow->machine->slots)
    total = follow->machine->slots;
  return total >= issued ? take_choices(follow, &choice, 0, total - issued) : WARPBOUND_OK;
}

/* ---- one position of the rear ---- */

/* Gives every piece the least slack of those that it answers for. */
static warpbound_status hand_out(struct follow *follow, size_t s, const int64_t *best,
                                 int64_t *least, bool *less)
{
  for (size_t j = 0; j < follow->pieces; j++) {
    const struct wb_rear_view *view =
        &follow->values.view[follow->states.view[s * follow->pieces + j]];
    if (best[j] == WB_REAR_NO_PATH)
      continue;
    if (best[j] < 0 || best[j] > SLACK_LIMIT)
      return wb_fail(follow->error, WARPBOUND_CHECK_FAILED,
                     "rear: the slacks exceed what the checker takes");
    for (size_t i = 0; i < follow->pieces; i++) {
      if (view->shares[i] == 0 || best[j] >= least[i])
        continue;
      least[i] = best[j];
      *less = true;
    }
  }
  return WARPBOUND_OK;
}

/* Goes once over the moves in which the rear waits; the crowd's states that were found last first,
 * as these are nearer the end. */
static warpbound_status settle_once(struct follow *follow, bool *less)
{
  const size_t pieces = follow->pieces, width = follow->crowd.states.count;
  const int32_t *row = follow->states.state + follow->row * width;
  int64_t *least = follow->least + follow->rank * width * pieces;
  warpbound_status status = wb_rear_crowd_spend(&follow->crowd, follow->wait_count, follow->error);
  for (size_t w = follow->wait_count; status == WARPBOUND_OK && w-- > 0;) {
    const struct wait *wait = &follow->waits[w];
    int64_t best[WB_POTENTIAL_POOLS];
    for (size_t j = 0; j < pieces; j++) {
      int64_t behind = least[wait->to * pieces + j];
      best[j] = behind == WB_REAR_NO_PATH ? WB_REAR_NO_PATH : behind + wait->slack[j];
    }
    status = hand_out(follow, (size_t)row[wait->from], best, least + wait->from * pieces, less);
  }
  return status;
}

static warpbound_status settle(struct follow *follow)
{
  const size_t pieces = follow->pieces, width = follow->crowd.states.count;
  const int32_t *row = follow->states.state + follow->row * width;
  int64_t *least = follow->least + follow->rank * width * pieces;
  warpbound_status status = WARPBOUND_OK;
  bool less = false;
  for (size_t c = 0; status == WARPBOUND_OK && c < width; c++)
    if (row[c] != WB_REAR_NO_STATE)
      status =
          hand_out(follow, (size_t)row[c], follow->best + c * pieces, least + c * pieces, &less);
  while (status == WARPBOUND_OK && less) {
    less = false;
    status = settle_once(follow, &less);
  }
  return status;
}

/* Where all of the rear has ended, the crowd has too. */
static bool can_be(const struct follow *follow, size_t c)
{
  const struct wb_potential_content *content = &follow->crowd.states.list[c].content;
  bool left = false;
  for (size_t p = 0; p < follow->machine->pool_count; p++)
    left = left || content->warps[p] > 0;
  return !left || follow->position[follow->count - 1] < follow->claim->length;
}

static warpbound_status prepare_position(struct follow *follow)
{
  const struct wb_rear_values *values = &follow->values;
  memset(follow->ready, 0, sizeof follow->ready);
  for (size_t i = 0; i < follow->count && follow->position[i] < values->length; i++)
    follow->ready[values->position[follow->position[i]].pool]++;
  warpbound_status status = wb_rear_states_row(&follow->states, follow->position, follow->count,
                                               &follow->row, follow->error);
  follow->move_count = wb_rear_moves_make(values, follow->position, follow->count, follow->moves);
  for (size_t m = 0; status == WARPBOUND_OK && m < follow->move_count; m++) {
    follow->ranks[m] = rank_of(follow, follow->moves[m].position);
    status = wb_rear_states_row(&follow->states, follow->moves[m].position, follow->count,
                                &follow->rows[m], follow->error);
  }
  for (size_t i = 0; i < follow->crowd.states.count * follow->pieces; i++)
    follow->best[i] = WB_REAR_NO_PATH;
  follow->wait_count = 0;
  return status;
}

static warpbound_status take_position(struct follow *follow)
{
  warpbound_status status = prepare_position(follow);
  for (size_t c = 0; status == WARPBOUND_OK && c < follow->crowd.states.count; c++) {
    int32_t s = follow->states.state[follow->row * follow->crowd.states.count + c];
    for (size_t m = 0; s != WB_REAR_NO_STATE && can_be(follow, c) && status == WARPBOUND_OK &&
                       m < follow->move_count;
         m++)
      status = take_move(follow, (size_t)s, c, m);
  }
  return status == WARPBOUND_OK ? settle(follow) : status;
}

/* ---- all positions ---- */

/* The end: nothing is left to lose. */
static void start_table(struct follow *follow)
{
  static const struct wb_potential_content nobody = {0};
  const size_t width = follow->crowd.states.count * follow->pieces;
  const struct wb_potential_sum *ended = wb_potential_sums_find(&follow->crowd.states, &nobody);
  for (size_t i = 0; i < follow->rank_count * width; i++)
    follow->least[i] = WB_REAR_NO_PATH;
  follow->rank = follow->rank_count - 1;
  for (size_t i = 0; i < follow->count; i++)
    follow->position[i] = follow->claim->length;
  for (size_t j = 0; ended != NULL && j < follow->pieces; j++)
    follow->least[follow->rank * width +
                  (size_t)(ended - follow->crowd.states.list) * follow->pieces + j] = 0;
}

static warpbound_status fill_table(struct follow *follow)
{
  warpbound_status status = WARPBOUND_OK;
  start_table(follow);
  while (status == WARPBOUND_OK && follow->rank > 0) {
    bool changed = false;
    step_back(follow);
    if (follow->position[follow->count - 1] < follow->values.front)
      status = wb_rear_values_retreat(&follow->values, &changed, follow->error);
    if (changed)
      wb_rear_crowd_forget(&follow->crowd);
    if (status == WARPBOUND_OK)
      status = take_position(follow);
  }
  return status;
}

static warpbound_status make_table(struct follow *follow)
{
  size_t width = follow->crowd.states.count * follow->pieces;
  size_t size = follow->rank_count * width;
  warpbound_status status = wb_rear_crowd_spend(&follow->crowd, size, follow->error);
  if (status != WARPBOUND_OK)
    return status;
  follow->least = wb_allocate(size, sizeof *follow->least);
  follow->best = wb_allocate(width, sizeof *follow->best);
  return follow->least != NULL && follow->best != NULL ? WARPBOUND_OK
                                                       : wb_out_of_memory(follow->error);
}

static warpbound_status prepare(struct follow *follow, const struct wb_potential_views *views,
                                uint64_t work_limit, const struct wb_rear_start *starts,
                                size_t start_count)
{
  struct wb_potential_content crowds[WB_REAR_STARTS];
  for (size_t i = 0; i < start_count; i++)
    crowds[i] = starts[i].crowd;
  warpbound_status status = make_ranks(follow);
  if (status == WARPBOUND_OK)
    status =
        wb_rear_values_make(follow->claim, follow->machine, views, &follow->values, follow->error);
  if (status == WARPBOUND_OK)
    status = wb_rear_crowd_make(&views->view[0].machine, &follow->values, crowds, start_count,
                                TABLE_LIMIT / (follow->rank_count * follow->pieces), work_limit,
                                &follow->crowd, follow->error);
  if (status == WARPBOUND_OK)
    status = wb_rear_states_make(follow->claim, follow->machine, views, &follow->values,
                                 &follow->crowd, &follow->states, follow->error);
  return status == WARPBOUND_OK ? make_table(follow) : status;
}

/* Reads the slacks of a start, in whole units of the gain. */
static void read_start(const struct follow *follow, struct wb_rear_start *start)
{
  const struct wb_potential_sum *found =
      wb_potential_sums_find(&follow->crowd.states, &start->crowd);
  const int64_t *least =
      follow->least + (size_t)(found - follow->crowd.states.list) * follow->pieces;
  for (size_t j = 0; j < follow->pieces; j++)
    start->slack[j] = least[j] == WB_REAR_NO_PATH
                          ? WB_REAR_NO_PATH
                          : -wb_divide_down(-least[j], follow->values.parts);
}

static void free_follow(struct follow *follow)
{
  for (size_t i = 0; i < WB_REAR_LIMIT; i++)
    free(follow->steps[i]);
  free(follow->least);
  free(follow->best);
  free(follow->waits);
  wb_rear_states_free(&follow->states);
  wb_rear_crowd_free(&follow->crowd);
  wb_rear_values_free(&follow->values);
}

warpbound_status wb_rear_check(const struct wb_potential_claim *claim,
                               const struct wb_potential_machine *machine,
                               const struct wb_potential_views *views, uint64_t work_limit,
                               struct wb_rear_start *starts, size_t start_count,
                               warpbound_error *error)
{
  if (claim->rear > WB_REAR_LIMIT)
    return wb_fail(error, WARPBOUND_LIMIT, "rear: %llu warps; the checker follows at most %d",
                   (unsigned long long)claim->rear, WB_REAR_LIMIT);
  struct follow follow = {.claim = claim,
                          .machine = machine,
                          .pieces = views->piece_count,
                          .count = (size_t)claim->rear,
                          .error = error};
  warpbound_status status = prepare(&follow, views, work_limit, starts, start_count);
  if (status == WARPBOUND_OK)
    status = fill_table(&follow);
  for (size_t i = 0; status == WARPBOUND_OK && i < start_count; i++)
    read_start(&follow, &starts[i]);
  free_follow(&follow);
  return status;
}
