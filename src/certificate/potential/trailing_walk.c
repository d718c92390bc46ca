#include "certificate/potential/trailing_walk.h"

#include "base/memory.h"

#include <string.h>

/* Moves without a trailing warp from one position at most: 256 MiB. */
#define WAIT_LIMIT ((size_t)1 << 22)

/* Slacks are at most this: 64 bits hold it with all that a cycle adds. */
#define SLACK_LIMIT (INT64_C(1) << 60)

/* ---- moves ---- */

/* The value under a view of the leading warps that do not issue. */
static int64_t idle_value(const struct wb_check_trailing_walk *walk,
                          const struct wb_check_trailing_view *view,
                          const struct wb_check_leading_moves *list,
                          enum wb_check_trailing_front front)
{
  const struct wb_check_content *content = &walk->leading.states.list[list->state].content;
  int64_t sum = 0;
  for (size_t p = 0; p < walk->machine->pool_count; p++)
    sum += ((int64_t)content->warps[p] - list->issuing[p]) * view->idle[front][p];
  return sum;
}

static warpbound_status keep_wait(struct wb_check_trailing_walk *walk,
                                  const struct wb_check_trailing_wait *wait)
{
  if (walk->wait_count == WAIT_LIMIT)
    return wb_fail(walk->error, WARPBOUND_LIMIT,
                   "rear: more than %zu moves without it from one position", WAIT_LIMIT);
  if (!wb_grow(walk->waits, &walk->wait_capacity, walk->wait_count + 1))
    return wb_out_of_memory(walk->error);
  walk->waits[walk->wait_count++] = *wait;
  return WARPBOUND_OK;
}

/* Takes every target of a move of the trailing warps with moves of the leading warps, from state s.
 */
static warpbound_status take_targets(struct wb_check_trailing_walk *walk, size_t s, size_t m,
                                     const struct wb_check_leading_moves *list)
{
  const struct wb_check_trailing_move *move = &walk->moves[m];
  const size_t components = walk->components, width = walk->leading.states.count;
  const int32_t *row = walk->states.state + walk->row_after[m] * width;
  const int64_t *least = walk->least + walk->rank_after[m] * width * components;
  int64_t *best = walk->best + list->state * components;
  const size_t *view = walk->states.view + s * components;
  int64_t before[WB_CHECK_POTENTIAL_POOLS];
  for (size_t j = 0; j < components; j++)
    before[j] = walk->states.before[s * components + j] + move->value[view[j]] +
                idle_value(walk, &walk->values.view[view[j]], list, move->front);
  for (size_t t = list->first; t < list->first + list->count; t++) {
    size_t to = walk->leading.target[t];
    const int64_t *value = walk->leading.value + t * walk->values.view_count;
    struct wb_check_trailing_wait wait = {.from = (uint32_t)list->state, .to = (uint32_t)to};
    if (row[to] == WB_CHECK_TRAILING_NO_STATE)
      continue;
    for (size_t j = 0; j < components; j++) {
      int64_t slack =
          before[j] + value[view[j]] - walk->states.offset[(size_t)row[to] * components + j];
      int64_t rest = least[to * components + j];
      if (!move->stays && rest != WB_CHECK_TRAILING_NO_PATH && slack + rest < best[j])
        best[j] = slack + rest;
      wait.slack[j] = slack;
    }
    warpbound_status status = move->stays ? keep_wait(walk, &wait) : WARPBOUND_OK;
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

static warpbound_status take_choice(struct wb_check_trailing_walk *walk, struct choice *choice)
{
  const struct wb_check_leading_moves *list;
  warpbound_status status =
      wb_check_leading_warps_find(&walk->leading, choice->leading, walk->moves[choice->move].front,
                                  choice->issuing, &list, walk->error);
  if (status == WARPBOUND_OK)
    status = wb_check_leading_warps_spend(&walk->leading, 1 + list->count, walk->error);
  return status == WARPBOUND_OK ? take_targets(walk, choice->state, choice->move, list) : status;
}

/* Takes every way in which `left` leading warps issue from pool p on. */
static warpbound_status take_choices(struct wb_check_trailing_walk *walk, struct choice *choice,
                                     size_t p, int64_t left)
{
  if (p == WB_CHECK_POTENTIAL_POOLS)
    return take_choice(walk, choice);
  int64_t rest = 0;
  for (size_t q = p + 1; q < WB_CHECK_POTENTIAL_POOLS; q++)
    rest += choice->most[q];
  int64_t largest = left < choice->most[p] ? left : choice->most[p];
  warpbound_status status = WARPBOUND_OK;
  for (choice->issuing[p] = left > rest ? left - rest : 0;
       status == WARPBOUND_OK && choice->issuing[p] <= largest; choice->issuing[p]++)
    status = take_choices(walk, choice, p + 1, left - choice->issuing[p]);
  return status;
}

/* Takes every cycle in which the trailing warps make move m from state s of the potential and state
 * c of the leading warps. */
static warpbound_status take_move(struct wb_check_trailing_walk *walk, size_t s, size_t c, size_t m)
{
  const struct wb_check_content *content = &walk->leading.states.list[c].content;
  const struct wb_check_trailing_move *move = &walk->moves[m];
  struct choice choice = {.state = s, .move = m, .leading = c};
  int64_t total = 0, issued = 0;
  for (size_t p = 0; p < walk->machine->pool_count; p++) {
    int64_t ready = (int64_t)content->warps[p] + walk->ready[p];
    int64_t most = walk->machine->pool[p].service;
    most = ready < most ? ready : most;
    if (move->issued[p] > most)
      return WARPBOUND_OK;
    total += most;
    issued += move->issued[p];
    choice.most[p] = most - move->issued[p];
    if (choice.most[p] > (int64_t)content->warps[p])
      choice.most[p] = (int64_t)content->warps[p];
  }
  if (total > walk->machine->slots)
    total = walk->machine->slots;
  return total >= issued ? take_choices(walk, &choice, 0, total - issued) : WARPBOUND_OK;
}

/* ---- one position of the trailing warps ---- */

/* Lowers the slacks of the components with a weight under a view to that of its component. */
static warpbound_status hand_out(struct wb_check_trailing_walk *walk, size_t s, const int64_t *best,
                                 int64_t *least, bool *less)
{
  for (size_t j = 0; j < walk->components; j++) {
    const struct wb_check_trailing_view *view =
        &walk->values.view[walk->states.view[s * walk->components + j]];
    if (best[j] == WB_CHECK_TRAILING_NO_PATH)
      continue;
    if (best[j] < 0 || best[j] > SLACK_LIMIT)
      return wb_fail(walk->error, WARPBOUND_CHECK_FAILED,
                     "rear: the slacks exceed what the checker takes");
    for (size_t i = 0; i < walk->components; i++) {
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
static warpbound_status settle_once(struct wb_check_trailing_walk *walk, bool *less)
{
  const size_t components = walk->components, width = walk->leading.states.count;
  const int32_t *row = walk->states.state + walk->row * width;
  int64_t *least = walk->least + walk->rank * width * components;
  warpbound_status status =
      wb_check_leading_warps_spend(&walk->leading, walk->wait_count, walk->error);
  for (size_t w = walk->wait_count; status == WARPBOUND_OK && w-- > 0;) {
    const struct wb_check_trailing_wait *wait = &walk->waits[w];
    int64_t best[WB_CHECK_POTENTIAL_POOLS];
    for (size_t j = 0; j < components; j++) {
      int64_t rest = least[wait->to * components + j];
      best[j] =
          rest == WB_CHECK_TRAILING_NO_PATH ? WB_CHECK_TRAILING_NO_PATH : rest + wait->slack[j];
    }
    status = hand_out(walk, (size_t)row[wait->from], best, least + wait->from * components, less);
  }
  return status;
}

static warpbound_status settle(struct wb_check_trailing_walk *walk)
{
  const size_t components = walk->components, width = walk->leading.states.count;
  const int32_t *row = walk->states.state + walk->row * width;
  int64_t *least = walk->least + walk->rank * width * components;
  warpbound_status status = WARPBOUND_OK;
  bool less = false;
  for (size_t c = 0; status == WARPBOUND_OK && c < width; c++)
    if (row[c] != WB_CHECK_TRAILING_NO_STATE)
      status = hand_out(walk, (size_t)row[c], walk->best + c * components, least + c * components,
                        &less);
  while (status == WARPBOUND_OK && less) {
    less = false;
    status = settle_once(walk, &less);
  }
  return status;
}

/* Whether leading warps can be in state c: where all trailing warps have ended, so have they. */
static bool can_be(const struct wb_check_trailing_walk *walk, size_t c)
{
  const struct wb_check_content *content = &walk->leading.states.list[c].content;
  bool left = false;
  for (size_t p = 0; p < walk->machine->pool_count; p++)
    left = left || content->warps[p] > 0;
  return !left || walk->position[walk->ranks.count - 1] < walk->values.length;
}

static warpbound_status prepare_position(struct wb_check_trailing_walk *walk)
{
  const struct wb_check_trailing_values *values = &walk->values;
  memset(walk->ready, 0, sizeof walk->ready);
  for (size_t i = 0; i < walk->ranks.count && walk->position[i] < values->length; i++)
    walk->ready[values->position[walk->position[i]].pool]++;
  warpbound_status status = wb_check_trailing_states_row(
      &walk->states, walk->position, walk->ranks.count, &walk->row, walk->error);
  walk->move_count =
      wb_check_trailing_moves_make(values, walk->position, walk->ranks.count, walk->moves);
  for (size_t m = 0; status == WARPBOUND_OK && m < walk->move_count; m++) {
    walk->rank_after[m] = wb_check_trailing_ranks_of(&walk->ranks, walk->moves[m].position);
    status = wb_check_trailing_states_row(&walk->states, walk->moves[m].position, walk->ranks.count,
                                          &walk->row_after[m], walk->error);
  }
  for (size_t i = 0; i < walk->leading.states.count * walk->components; i++)
    walk->best[i] = WB_CHECK_TRAILING_NO_PATH;
  walk->wait_count = 0;
  return status;
}

warpbound_status wb_check_trailing_walk_position(struct wb_check_trailing_walk *walk)
{
  warpbound_status status = prepare_position(walk);
  for (size_t c = 0; status == WARPBOUND_OK && c < walk->leading.states.count; c++) {
    int32_t s = walk->states.state[walk->row * walk->leading.states.count + c];
    for (size_t m = 0; s != WB_CHECK_TRAILING_NO_STATE && can_be(walk, c) &&
                       status == WARPBOUND_OK && m < walk->move_count;
         m++)
      status = take_move(walk, (size_t)s, c, m);
  }
  return status == WARPBOUND_OK ? settle(walk) : status;
}
