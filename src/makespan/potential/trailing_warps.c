#include "makespan/potential/trailing_warps.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/potential/leading_warps.h"
#include "makespan/potential/trailing_positions.h"

#include <stdlib.h>
#include <string.h>

/* No path to the end, also with some of a potential's numbers added or taken off: all such sums
 * are far above half of it, and far from overflow. */
#define NO_PATH (INT64_MIN / 4)

/* Entries that a checker may have to keep, for all positions at a time: beyond, none reads the
 * certificate. */
#define CHECKED_ENTRIES (UINT64_C(1) << 26)

/* How many times more one warp more costs than the number of its positions says. */
#define GROWTH 1.6

/* Seconds that a step takes at least. */
#define FASTEST_STEP 3e-9

/* One way for the rear warps to issue: issues by pool, whether one at the last position of the
 * rear does, and the table's entries of the positions that they come to. */
struct trailing_step {
  uint32_t issues[WB_UNIT_COUNT];
  bool last_issues;
  const int64_t *after;
};

/* A leading warps state with the rear at hand. listed: the potential knows it. warps, ready: of
 * each pool, in the leading warps, and how many of all can issue. worth[i]: what component i is
 * worth without the leading warps; view[j], mix[j]: how component j is asked, and what those who
 * answer are worth. from_others[j]: the most of what a state reaches - value, over moves that
 * change the rear's positions. */
struct leading_state {
  bool listed;
  uint32_t warps[WB_UNIT_COUNT];
  uint32_t ready[WB_UNIT_COUNT];
  uint32_t all_ready;
  uint32_t slots;
  unsigned view[WB_UNIT_COUNT];
  int64_t mix[WB_UNIT_COUNT];
  int64_t worth[WB_UNIT_COUNT];
  int64_t from_others[WB_UNIT_COUNT];
};

/* position[0 .. rear-1], ascending: where the rear warps at hand stand; standing[p]: how many of
 * them in pool p; step: what they can do. listed[s], view[s * components + j]: whether the
 * potential knows its state s, and how component j is asked there; share[v][i]: the share of
 * component i in view v. local[leading warps * pools + p]: the leading warps's state in pool p;
 * joined[p][local]: that with the rear warps but for the own one. own[p], rest[p]: what the own
 * warp's steps from p on are worth, and how much of p's run is left. table[0], table[1]: of all
 * rears whose last position is that at hand, and the next one; at (rank of those before * leading
 * warps states + leading warps) * components + i what component i reaches: weight_sum * V - e in
 * units of 1 / (weight_sum * scale), without the leading warps's values, NO_PATH where e is
 * infinite. entries: those of the rear at hand; ended: those of the end, which no leading warps is
 * left at.
 */
struct follow {
  const struct wb_potential_proof *proof;
  const struct wb_trailing_effort *effort;
  const struct wb_control *control;
  struct wb_leading_warps leading;
  unsigned pools;
  unsigned components;
  uint32_t trailing;
  size_t length;
  bool *listed;
  uint8_t *view;
  int64_t weight[WB_POTENTIAL_VIEWS][WB_UNIT_COUNT];
  uint32_t *local;
  uint32_t *joined[WB_UNIT_COUNT];
  int64_t *own;
  uint32_t *rest;
  int64_t *table[2];
  int64_t *entries;
  int64_t *ended;
  struct leading_state *states;
  size_t position[WB_POTENTIAL_TRAILING_LIMIT];
  uint32_t standing[WB_UNIT_COUNT];
  struct trailing_step step[1 << WB_POTENTIAL_TRAILING_LIMIT];
  size_t step_count;
  uint64_t steps;
};

/* ---- one set of positions ---- */

/* How the rear warps in `mask` issue; false: of those at one position the last are to. */
static bool read_step(const struct follow *follow, unsigned mask, struct trailing_step *step)
{
  size_t after[WB_POTENTIAL_TRAILING_LIMIT] = {0};
  *step = (struct trailing_step){0};
  for (uint32_t i = 0; i < follow->trailing; i++) {
    bool issues = (mask >> i & 1) != 0;
    bool next_waits = i + 1 < follow->trailing && (mask >> (i + 1) & 1) == 0;
    size_t p = follow->position[i];
    if (issues && (p == follow->length || (next_waits && follow->position[i + 1] == p)))
      return false;
    after[i] = p + issues;
    if (issues) {
      step->issues[follow->proof->potential.pool[p]]++;
      step->last_issues = step->last_issues || p == follow->position[follow->trailing - 1];
    }
  }
  if (after[0] == follow->length) {
    step->after = follow->ended;
    return true;
  }
  step->after =
      follow->table[after[follow->trailing - 1] > follow->position[follow->trailing - 1]] +
      wb_trailing_rank(after, follow->trailing - 1) * follow->leading.states * follow->components;
  return true;
}

static void list_steps(struct follow *follow)
{
  follow->step_count = 0;
  for (unsigned mask = 0; mask < 1U << follow->trailing; mask++)
    follow->step_count += read_step(follow, mask, &follow->step[follow->step_count]);
  memset(follow->standing, 0, sizeof follow->standing);
  for (uint32_t i = 0; i < follow->trailing && follow->position[i] < follow->length; i++)
    follow->standing[follow->proof->potential.pool[follow->position[i]]]++;
}

/* For each state of one pool of the leading warps's that with the rear warps of the pool, but for
 * the own one. */
static void add_trailing(struct follow *follow)
{
  const struct wb_potential *potential = &follow->proof->potential;
  for (unsigned p = 0; p < follow->pools; p++) {
    const struct wb_pool *pool = &follow->proof->pools.pool[p];
    for (uint32_t local = 0; local < pool->size; local++)
      follow->joined[p][local] = local;
    for (uint32_t i = 1; i < follow->trailing && follow->position[i] < follow->length; i++)
      for (uint32_t local = 0; potential->pool[follow->position[i]] == p && local < pool->size;
           local++) {
        uint32_t *joined = &follow->joined[p][local];
        *joined = wb_pool_local(pool, pool->warps_in[*joined] + 1,
                                pool->work_in[*joined] + follow->rest[follow->position[i]]);
      }
  }
}

/* The potential's state: the leading warps and the rear, but for the own warp, together. */
static uint64_t whole_state(const struct follow *follow, size_t leading)
{
  const struct wb_pools *pools = &follow->proof->pools;
  uint64_t state = follow->proof->potential.pool[follow->position[0]] * pools->stride[pools->count];
  for (unsigned p = 0; p < follow->pools; p++)
    state += follow->joined[p][follow->local[leading * follow->pools + p]] * pools->stride[p];
  return state;
}

static void read_state(const struct follow *follow, size_t leading, struct leading_state *state)
{
  const struct wb_potential *potential = &follow->proof->potential;
  const struct wb_pools *pools = &follow->proof->pools;
  uint64_t whole = whole_state(follow, leading);
  state->listed = follow->listed[whole] &&
                  (leading == 0 || follow->position[follow->trailing - 1] < follow->length);
  if (!state->listed)
    return;
  state->all_ready = 0;
  for (unsigned p = 0; p < follow->pools; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    state->warps[p] = pool->warps_in[follow->local[leading * follow->pools + p]];
    state->ready[p] = (uint32_t)wb_minimum(pool->service, state->warps[p] + follow->standing[p]);
    state->all_ready += state->ready[p];
  }
  state->slots = (uint32_t)wb_minimum(state->all_ready, pools->slots);
  for (unsigned i = 0; i < follow->components; i++) {
    state->worth[i] = follow->own[follow->position[0]] + potential->state_offset[i][whole];
    for (uint32_t w = 1; w < follow->trailing; w++)
      state->worth[i] += potential->position[i][follow->position[w]];
    state->from_others[i] = NO_PATH;
  }
  for (unsigned j = 0; j < follow->components; j++) {
    state->view[j] = follow->view[whole * follow->components + j];
    state->mix[j] = 0;
    for (unsigned i = 0; i < follow->components; i++)
      state->mix[j] += follow->weight[state->view[j]][i] * state->worth[i];
  }
}

/* ---- moves ---- */

/* Raises most[j] to what is reached - value over the moves. This is where the time goes: no
 * branches, and `components` is a constant where it is called. */
static inline void raise_most(const struct wb_leading_moves *moves, unsigned views,
                              const unsigned *view, const int64_t *after, const int64_t *idle,
                              unsigned components, int64_t *most)
{
  int64_t best[WB_UNIT_COUNT];
  for (unsigned j = 0; j < components; j++)
    best[j] = INT64_MIN;
  for (size_t m = 0; m < moves->count; m++)
    for (unsigned j = 0; j < components; j++) {
      int64_t reached =
          after[(size_t)moves->to[m] * components + j] - moves->value[m * views + view[j]];
      best[j] = reached > best[j] ? reached : best[j];
    }
  for (unsigned j = 0; j < components && moves->count > 0; j++)
    if (best[j] - idle[j] > most[j])
      most[j] = best[j] - idle[j];
}

/* Raises most[j] to what is reached - value over the leading warps's moves from `leading warps`
 * with these issues, where the rear does `step`. */
static bool look_at_moves(struct follow *follow, size_t leading, const uint32_t *issues,
                          const struct trailing_step *step, int64_t *most)
{
  const struct leading_state *state = &follow->states[leading];
  struct wb_leading_moves moves;
  int64_t idle[WB_UNIT_COUNT] = {0};
  for (unsigned j = 0; j < follow->components; j++)
    for (unsigned p = 0; p < follow->pools; p++) {
      int64_t value;
      if (!wb_leading_warps_idle(&follow->leading, state->view[j], p, state->warps[p] - issues[p],
                                 step->last_issues, &value))
        return true;
      idle[j] += value;
    }
  if (!wb_leading_warps_moves(&follow->leading, leading, issues, &moves))
    return false;
  follow->steps += moves.count;
  if (follow->components == 2)
    raise_most(&moves, follow->leading.views, state->view, step->after, idle, 2, most);
  else if (follow->components == 3)
    raise_most(&moves, follow->leading.views, state->view, step->after, idle, 3, most);
  else
    raise_most(&moves, follow->leading.views, state->view, step->after, idle, follow->components,
               most);
  return true;
}

/* Chooses how many of each type issue, `left` in all from pool p on, where those behind can take
 * `behind`. */
static bool choose_issues(struct follow *follow, size_t leading, const struct trailing_step *step,
                          unsigned p, uint32_t left, uint32_t behind, uint32_t *issues,
                          int64_t *most)
{
  const struct leading_state *state = &follow->states[leading];
  if (p >= follow->pools || p >= WB_UNIT_COUNT)
    return look_at_moves(follow, leading, issues, step, most);
  bool ok = true;
  behind -= state->ready[p];
  uint32_t least = left > behind ? left - behind : 0;
  for (uint32_t x = (uint32_t)wb_maximum(least, step->issues[p]);
       ok && x <= state->ready[p] && x <= left && x - step->issues[p] <= state->warps[p]; x++) {
    issues[p] = x - step->issues[p];
    ok = choose_issues(follow, leading, step, p + 1, left - x, behind, issues, most);
  }
  return ok;
}

/* Raises most[j] to what is reached - value over all moves where the rear does `step`. */
static bool look_at_step(struct follow *follow, size_t leading, const struct trailing_step *step,
                         int64_t *most)
{
  uint32_t issues[WB_UNIT_COUNT];
  const struct leading_state *state = &follow->states[leading];
  return choose_issues(follow, leading, step, 0, state->slots, state->all_ready, issues, most);
}

/* Takes over what the components that answer reach by way of `most`. *changed: some reach more. */
static void take_over(struct follow *follow, size_t leading, const int64_t *most, bool *changed)
{
  const struct wb_potential *potential = &follow->proof->potential;
  const struct leading_state *state = &follow->states[leading];
  int64_t *entry = follow->entries + leading * follow->components;
  for (unsigned j = 0; j < follow->components; j++) {
    if (most[j] < NO_PATH / 2)
      continue;
    int64_t slack = state->mix[j] - potential->weight_sum * follow->proof->gain - most[j];
    for (unsigned i = 0; i < follow->components; i++) {
      int64_t reached = potential->weight_sum * state->worth[i] - slack;
      if (follow->weight[state->view[j]][i] > 0 && reached > entry[i]) {
        entry[i] = reached;
        *changed = true;
      }
    }
  }
}

/* The leading warps alone moves, around in circles even: once more for every state, until none
 * reaches more. Slacks are not negative, so that comes to an end. */
static bool settle_leading(struct follow *follow)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t leading = 0; leading < follow->leading.states; leading++) {
      int64_t most[WB_UNIT_COUNT];
      if (!follow->states[leading].listed)
        continue;
      memcpy(most, follow->states[leading].from_others, sizeof most);
      if (!look_at_step(follow, leading, &follow->step[0], most))
        return false;
      take_over(follow, leading, most, &changed);
    }
  }
  return true;
}

static bool is_spent(const struct follow *follow)
{
  return follow->steps + follow->leading.steps > follow->effort->steps;
}

/* Leaves off where the effort is spent. */
static bool settle_positions(struct follow *follow)
{
  list_steps(follow);
  add_trailing(follow);
  follow->entries = follow->table[0] + wb_trailing_rank(follow->position, follow->trailing - 1) *
                                           follow->leading.states * follow->components;
  bool ok = true;
  for (size_t leading = 0; ok && !is_spent(follow) && leading < follow->leading.states; leading++) {
    struct leading_state *state = &follow->states[leading];
    read_state(follow, leading, state);
    for (unsigned i = 0; i < follow->components; i++)
      follow->entries[leading * follow->components + i] = NO_PATH;
    for (size_t s = 1; ok && state->listed && s < follow->step_count; s++)
      ok = look_at_step(follow, leading, &follow->step[s], state->from_others);
  }
  return ok && (is_spent(follow) || settle_leading(follow));
}

/* All positions, from the end of the string back. */
static bool settle_all(struct follow *follow, enum wb_stop *stop)
{
  size_t last = follow->length;
  for (uint32_t i = 0; i < follow->trailing; i++)
    follow->position[i] = follow->length;
  while (*stop == WB_STOP_NONE && wb_trailing_step_back(follow->position, follow->trailing)) {
    if (follow->position[follow->trailing - 1] < last) {
      int64_t *kept = follow->table[1];
      follow->table[1] = follow->table[0];
      follow->table[0] = kept;
      wb_leading_warps_extend(&follow->leading, --last);
    }
    if (!settle_positions(follow))
      return false;
    if (is_spent(follow))
      *stop = WB_STOP_MEMORY;
    else
      *stop = wb_control_stopped(follow->control);
  }
  return true;
}

/* ---- the whole ---- */

static int64_t own_step(const struct wb_potential_proof *proof, size_t p)
{
  const struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  uint8_t from = potential->pool[p];
  if (potential->kind[p] < pools->count)
    return potential->own_stay[from];
  uint8_t to = p + 1 < potential->length ? potential->pool[p + 1] : WB_POOL_END;
  size_t k = 0;
  while (pools->own_exits[k].from != from || pools->own_exits[k].to != to)
    k++;
  return potential->own_leave[k];
}

static bool prepare(struct follow *follow)
{
  const struct wb_potential *potential = &follow->proof->potential;
  const struct wb_pools *pools = &follow->proof->pools;
  if (!wb_leading_warps_start(&follow->leading, potential, pools))
    return false;
  follow->listed = wb_allocate(pools->states, sizeof *follow->listed);
  follow->view = wb_allocate(pools->states * follow->components, sizeof *follow->view);
  follow->local = wb_allocate(follow->leading.states * follow->pools, sizeof *follow->local);
  bool joined = true;
  for (unsigned p = 0; p < follow->pools; p++) {
    follow->joined[p] = wb_allocate(pools->pool[p].size, sizeof *follow->joined[p]);
    joined = joined && follow->joined[p] != NULL;
  }
  follow->own = wb_allocate(follow->length + 1, sizeof *follow->own);
  follow->rest = wb_allocate(follow->length + 1, sizeof *follow->rest);
  follow->states = wb_allocate(follow->leading.states, sizeof *follow->states);
  follow->ended = wb_allocate(follow->leading.states * follow->components, sizeof *follow->ended);
  size_t entries = (size_t)wb_trailing_count(follow->length, follow->trailing - 1) *
                   follow->leading.states * follow->components;
  for (int t = 0; t < 2; t++)
    follow->table[t] = wb_allocate(entries, sizeof *follow->table[t]);
  if (!joined || follow->listed == NULL || follow->view == NULL || follow->local == NULL ||
      follow->own == NULL || follow->rest == NULL || follow->states == NULL ||
      follow->ended == NULL || follow->table[0] == NULL || follow->table[1] == NULL)
    return false;
  for (unsigned v = 0; v < wb_potential_views(potential); v++)
    for (unsigned i = 0; i < follow->components; i++)
      follow->weight[v][i] = wb_potential_weight(potential, v, v % follow->components, i);
  for (size_t i = 0; i < follow->proof->state_count; i++) {
    uint64_t state = follow->proof->state[i];
    follow->listed[state] = true;
    for (unsigned j = 0; j < follow->components; j++)
      follow->view[state * follow->components + j] =
          (uint8_t)wb_potential_view(potential, pools, state, j);
  }
  for (size_t i = follow->components; i < follow->leading.states * follow->components; i++)
    follow->ended[i] = NO_PATH;
  for (size_t leading = 0; leading < follow->leading.states; leading++)
    for (unsigned p = 0; p < follow->pools; p++)
      follow->local[leading * follow->pools + p] =
          (uint32_t)(leading / pools->stride[p] % pools->pool[p].size);
  for (size_t p = follow->length; p-- > 0;) {
    follow->own[p] = follow->own[p + 1] + own_step(follow->proof, p);
    bool stays = potential->kind[p] < pools->count;
    follow->rest[p] = (uint32_t)wb_minimum(stays ? follow->rest[p + 1] + 1 : 1, WB_POOL_WORK_LIMIT);
  }
  return true;
}

static void free_follow(struct follow *follow)
{
  wb_leading_warps_free(&follow->leading);
  free(follow->listed);
  free(follow->view);
  free(follow->local);
  for (unsigned p = 0; p < follow->pools; p++)
    free(follow->joined[p]);
  free(follow->own);
  free(follow->rest);
  free(follow->states);
  free(follow->ended);
  free(follow->table[0]);
  free(follow->table[1]);
}

/* The leading warps's state at the start of so many warps. */
static size_t leading_begin(const struct follow *follow, uint32_t warps)
{
  const struct wb_pools *pools = &follow->proof->pools;
  return wb_pools_begin(pools, warps - follow->trailing + 1) % pools->stride[pools->count];
}

/* The most of what the components prove of so many warps, in weight_sum of the potential's units,
 * and how steeply the steepest of them rises. False: a number overflows, or no component has a
 * path. */
static bool most_of(const struct follow *follow, uint32_t warps, int64_t *most, int64_t *slope)
{
  const struct wb_potential *potential = &follow->proof->potential;
  const int64_t *entries = follow->entries + leading_begin(follow, warps) * follow->components;
  *most = *slope = INT64_MIN;
  for (unsigned i = 0; i < follow->components; i++) {
    int64_t warp = potential->weight_sum * potential->position[i][0], sum;
    if (entries[i] == NO_PATH)
      continue;
    if (!wb_multiply_signed(warp, warps - follow->trailing, &sum) ||
        !wb_add_signed(sum, entries[i], &sum))
      return false;
    *most = sum > *most ? sum : *most;
    *slope = warp > *slope ? warp : *slope;
  }
  return *slope > INT64_MIN;
}

/* Takes the bound and the line from the starts' entries. The line's start has entries wherever the
 * potential has a line: the rear and the leading warps together stand in the potential's own start
 * then. False: a number overflows. */
static bool read_bound(const struct follow *follow, struct wb_potential_proof *proof)
{
  int64_t most, first, slope, rise;
  uint32_t steady_from = wb_pools_steady_from(&proof->pools) + follow->trailing - 1;
  if (!most_of(follow, proof->problem->warps, &most, &slope) || most < 0)
    return false;
  proof->trailing = follow->trailing;
  proof->trailing_steps = follow->steps;
  proof->cycles = (uint64_t)(most / (follow->proof->potential.weight_sum * proof->gain));
  proof->has_line = proof->has_line && most_of(follow, steady_from, &first, &slope) &&
                    wb_multiply_signed(slope, steady_from, &rise) &&
                    wb_subtract_signed(first, rise, &proof->offset);
  proof->divisor = proof->potential.weight_sum * proof->gain;
  proof->slope = slope;
  proof->steady_from = steady_from;
  return true;
}

bool wb_potential_has_trailing(const struct wb_potential_proof *proof)
{
  return proof->potential.shape.count > 1;
}

/* Whether the table and the leading warps's lists are within `memory` bytes, and a checker's table
 * can be. */
static bool table_fits(const struct wb_potential_proof *proof, uint32_t trailing, uint64_t memory)
{
  const struct wb_pools *pools = &proof->pools;
  uint64_t lists = pools->stride[pools->count] * sizeof(struct wb_leading_move_list);
  uint64_t each = pools->stride[pools->count] * proof->potential.shape.count;
  uint64_t bytes, all;
  for (unsigned p = 0; p < pools->count; p++)
    if (!wb_multiply(lists, pools->pool[p].service + 1, &lists))
      return false;
  return wb_multiply(each, wb_trailing_count(proof->potential.length, trailing), &all) &&
         all <= CHECKED_ENTRIES && wb_multiply(each, 2 * sizeof(int64_t), &bytes) &&
         wb_multiply(bytes, wb_trailing_count(proof->potential.length, trailing - 1), &bytes) &&
         wb_add(bytes, lists, &bytes) && bytes <= memory;
}

warpbound_status wb_potential_follow_trailing(struct wb_potential_proof *proof, uint32_t trailing,
                                              const struct wb_trailing_effort *effort,
                                              const struct wb_control *control,
                                              struct wb_trailing_outcome *outcome,
                                              warpbound_error *error)
{
  *outcome = (struct wb_trailing_outcome){0};
  if (!table_fits(proof, trailing, wb_minimum(effort->memory, control->memory_limit))) {
    outcome->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct follow follow = {.proof = proof,
                          .effort = effort,
                          .control = control,
                          .pools = proof->pools.count,
                          .components = proof->potential.shape.count,
                          .trailing = trailing,
                          .length = proof->potential.length};
  bool ok = prepare(&follow) && settle_all(&follow, &outcome->stop);
  if (ok && outcome->stop == WB_STOP_NONE)
    outcome->followed = read_bound(&follow, proof);
  free_follow(&follow);
  return ok ? WARPBOUND_OK : wb_out_of_memory(error);
}

/* Whether as many steps may come to an end in time. */
static bool is_in_time(const struct wb_control *control, double steps)
{
  return control->deadline == 0 || wb_clock() + steps * FASTEST_STEP < control->deadline;
}

warpbound_status wb_potential_follow_more(struct wb_potential_proof *proof,
                                          const struct wb_trailing_effort *effort,
                                          const struct wb_control *control, enum wb_stop *stop,
                                          warpbound_error *error)
{
  struct wb_trailing_outcome outcome = {0};
  warpbound_status status = WARPBOUND_OK;
  uint32_t most = (uint32_t)wb_minimum(proof->problem->warps, WB_POTENTIAL_TRAILING_LIMIT);
  bool goes_on = wb_potential_has_trailing(proof);
  while (status == WARPBOUND_OK && goes_on && proof->trailing < most) {
    uint32_t trailing = proof->trailing + 1;
    double steps =
        (double)proof->trailing_steps * (double)(proof->potential.length + trailing) / trailing;
    if (steps * GROWTH > (double)effort->steps || !is_in_time(control, steps))
      break;
    status = wb_potential_follow_trailing(proof, trailing, effort, control, &outcome, error);
    goes_on = outcome.followed;
  }
  *stop = outcome.stop;
  return status;
}
