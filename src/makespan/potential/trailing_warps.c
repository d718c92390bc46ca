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

/* A crowd state with the rear at hand. listed: the potential knows it. warps, ready: of each pool,
 * in the crowd, and how many of all can issue. worth[i]: what piece i is worth without the crowd;
 * view[j], mix[j]: how piece j is asked, and what those who answer are worth. from_others[j]: the
 * most of what a state reaches - value, over moves that change the rear's positions. */
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
 * them in pool p; step: what they can do. listed[s], view[s * pieces + j]: whether the potential
 * knows its state s, and how piece j is asked there; share[v][i]: the share of piece i in view v.
 * local[crowd * pools + p]: the crowd's state in pool p; joined[p][local]: that with the rear warps
 * but for the own one. own[p], rest[p]: what the own warp's steps from p on are worth, and how much
 * of p's run is left. table[0], table[1]: of all rears whose last position is that at hand, and the
 * next one; at (rank of those before * crowd states + crowd) * pieces + i what piece i reaches:
 * parts * V - e in units of 1 / (parts * scale), without the crowd's values, NO_PATH where e is
 * infinite. entries: those of the rear at hand; ended: those of the end, which no crowd is left at.
 */
struct follow {
  const struct wb_potential_proof *proof;
  const struct wb_trailing_effort *effort;
  const struct wb_control *control;
  struct wb_leading_warps leading;
  unsigned pools;
  unsigned pieces;
  uint32_t trailing;
  size_t length;
  bool *listed;
  uint8_t *view;
  int64_t share[WB_POTENTIAL_VIEWS][WB_UNIT_COUNT];
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
static bool read_step(const struct follow *f, unsigned mask, struct trailing_step *step)
{
  size_t after[WB_POTENTIAL_TRAILING_LIMIT] = {0};
  *step = (struct trailing_step){0};
  for (uint32_t i = 0; i < f->trailing; i++) {
    bool issues = (mask >> i & 1) != 0;
    bool next_waits = i + 1 < f->trailing && (mask >> (i + 1) & 1) == 0;
    size_t p = f->position[i];
    if (issues && (p == f->length || (next_waits && f->position[i + 1] == p)))
      return false;
    after[i] = p + issues;
    if (issues) {
      step->issues[f->proof->potential.pool[p]]++;
      step->last_issues = step->last_issues || p == f->position[f->trailing - 1];
    }
  }
  if (after[0] == f->length) {
    step->after = f->ended;
    return true;
  }
  step->after = f->table[after[f->trailing - 1] > f->position[f->trailing - 1]] +
                wb_trailing_rank(after, f->trailing - 1) * f->leading.states * f->pieces;
  return true;
}

static void list_steps(struct follow *f)
{
  f->step_count = 0;
  for (unsigned mask = 0; mask < 1U << f->trailing; mask++)
    f->step_count += read_step(f, mask, &f->step[f->step_count]);
  memset(f->standing, 0, sizeof f->standing);
  for (uint32_t i = 0; i < f->trailing && f->position[i] < f->length; i++)
    f->standing[f->proof->potential.pool[f->position[i]]]++;
}

/* For each state of one pool of the crowd's that with the rear warps of the pool, but for the own
 * one. */
static void add_trailing(struct follow *f)
{
  const struct wb_potential *potential = &f->proof->potential;
  for (unsigned p = 0; p < f->pools; p++) {
    const struct wb_pool *pool = &f->proof->pools.pool[p];
    for (uint32_t local = 0; local < pool->size; local++)
      f->joined[p][local] = local;
    for (uint32_t i = 1; i < f->trailing && f->position[i] < f->length; i++)
      for (uint32_t local = 0; potential->pool[f->position[i]] == p && local < pool->size;
           local++) {
        uint32_t *joined = &f->joined[p][local];
        *joined = wb_pool_local(pool, pool->warps_in[*joined] + 1,
                                pool->work_in[*joined] + f->rest[f->position[i]]);
      }
  }
}

/* The potential's state: the crowd and the rear, but for the own warp, together. */
static uint64_t whole_state(const struct follow *f, size_t leading)
{
  const struct wb_pools *pools = &f->proof->pools;
  uint64_t state = f->proof->potential.pool[f->position[0]] * pools->stride[pools->count];
  for (unsigned p = 0; p < f->pools; p++)
    state += f->joined[p][f->local[leading * f->pools + p]] * pools->stride[p];
  return state;
}

static void read_state(const struct follow *f, size_t leading, struct leading_state *state)
{
  const struct wb_potential *potential = &f->proof->potential;
  const struct wb_pools *pools = &f->proof->pools;
  uint64_t whole = whole_state(f, leading);
  state->listed = f->listed[whole] && (leading == 0 || f->position[f->trailing - 1] < f->length);
  if (!state->listed)
    return;
  state->all_ready = 0;
  for (unsigned p = 0; p < f->pools; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    state->warps[p] = pool->warps_in[f->local[leading * f->pools + p]];
    state->ready[p] = (uint32_t)wb_minimum(pool->service, state->warps[p] + f->standing[p]);
    state->all_ready += state->ready[p];
  }
  state->slots = (uint32_t)wb_minimum(state->all_ready, pools->slots);
  for (unsigned i = 0; i < f->pieces; i++) {
    state->worth[i] = f->own[f->position[0]] + potential->height[i][whole];
    for (uint32_t w = 1; w < f->trailing; w++)
      state->worth[i] += potential->position[i][f->position[w]];
    state->from_others[i] = NO_PATH;
  }
  for (unsigned j = 0; j < f->pieces; j++) {
    state->view[j] = f->view[whole * f->pieces + j];
    state->mix[j] = 0;
    for (unsigned i = 0; i < f->pieces; i++)
      state->mix[j] += f->share[state->view[j]][i] * state->worth[i];
  }
}

/* ---- moves ---- */

/* Raises most[j] to what is reached - value over the moves. This is where the time goes: no
 * branches, and `pieces` is a constant where it is called. */
static inline void raise_most(const struct wb_front_moves *moves, unsigned views,
                              const unsigned *view, const int64_t *after, const int64_t *idle,
                              unsigned pieces, int64_t *most)
{
  int64_t best[WB_UNIT_COUNT];
  for (unsigned j = 0; j < pieces; j++)
    best[j] = INT64_MIN;
  for (size_t m = 0; m < moves->count; m++)
    for (unsigned j = 0; j < pieces; j++) {
      int64_t reached =
          after[(size_t)moves->to[m] * pieces + j] - moves->value[m * views + view[j]];
      best[j] = reached > best[j] ? reached : best[j];
    }
  for (unsigned j = 0; j < pieces && moves->count > 0; j++)
    if (best[j] - idle[j] > most[j])
      most[j] = best[j] - idle[j];
}

/* Raises most[j] to what is reached - value over the crowd's moves from `crowd` with these issues,
 * where the rear does `step`. */
static bool look_at_moves(struct follow *f, size_t leading, const uint32_t *issues,
                          const struct trailing_step *step, int64_t *most)
{
  const struct leading_state *state = &f->states[leading];
  struct wb_front_moves moves;
  int64_t idle[WB_UNIT_COUNT] = {0};
  for (unsigned j = 0; j < f->pieces; j++)
    for (unsigned p = 0; p < f->pools; p++) {
      int64_t value;
      if (!wb_leading_warps_idle(&f->leading, state->view[j], p, state->warps[p] - issues[p],
                                 step->last_issues, &value))
        return true;
      idle[j] += value;
    }
  if (!wb_leading_warps_moves(&f->leading, leading, issues, &moves))
    return false;
  f->steps += moves.count;
  if (f->pieces == 2)
    raise_most(&moves, f->leading.views, state->view, step->after, idle, 2, most);
  else if (f->pieces == 3)
    raise_most(&moves, f->leading.views, state->view, step->after, idle, 3, most);
  else
    raise_most(&moves, f->leading.views, state->view, step->after, idle, f->pieces, most);
  return true;
}

/* Chooses how many of each type issue, `left` in all from pool p on, where those behind can take
 * `behind`. */
static bool choose_issues(struct follow *f, size_t leading, const struct trailing_step *step,
                          unsigned p, uint32_t left, uint32_t behind, uint32_t *issues,
                          int64_t *most)
{
  const struct leading_state *state = &f->states[leading];
  if (p >= f->pools || p >= WB_UNIT_COUNT)
    return look_at_moves(f, leading, issues, step, most);
  bool ok = true;
  behind -= state->ready[p];
  uint32_t least = left > behind ? left - behind : 0;
  for (uint32_t x = (uint32_t)wb_maximum(least, step->issues[p]);
       ok && x <= state->ready[p] && x <= left && x - step->issues[p] <= state->warps[p]; x++) {
    issues[p] = x - step->issues[p];
    ok = choose_issues(f, leading, step, p + 1, left - x, behind, issues, most);
  }
  return ok;
}

/* Raises most[j] to what is reached - value over all moves where the rear does `step`. */
static bool look_at_step(struct follow *f, size_t leading, const struct trailing_step *step,
                         int64_t *most)
{
  uint32_t issues[WB_UNIT_COUNT];
  const struct leading_state *state = &f->states[leading];
  return choose_issues(f, leading, step, 0, state->slots, state->all_ready, issues, most);
}

/* Takes over what the pieces that answer reach by way of `most`. *changed: some reach more. */
static void take_over(struct follow *f, size_t leading, const int64_t *most, bool *changed)
{
  const struct wb_potential *potential = &f->proof->potential;
  const struct leading_state *state = &f->states[leading];
  int64_t *entry = f->entries + leading * f->pieces;
  for (unsigned j = 0; j < f->pieces; j++) {
    if (most[j] < NO_PATH / 2)
      continue;
    int64_t slack = state->mix[j] - potential->parts * f->proof->gain - most[j];
    for (unsigned i = 0; i < f->pieces; i++) {
      int64_t reached = potential->parts * state->worth[i] - slack;
      if (f->share[state->view[j]][i] > 0 && reached > entry[i]) {
        entry[i] = reached;
        *changed = true;
      }
    }
  }
}

/* The crowd alone moves, around in circles even: once more for every state, until none
 * reaches more. Slacks are not negative, so that comes to an end. */
static bool settle_leading(struct follow *f)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t leading = 0; leading < f->leading.states; leading++) {
      int64_t most[WB_UNIT_COUNT];
      if (!f->states[leading].listed)
        continue;
      memcpy(most, f->states[leading].from_others, sizeof most);
      if (!look_at_step(f, leading, &f->step[0], most))
        return false;
      take_over(f, leading, most, &changed);
    }
  }
  return true;
}

static bool is_spent(const struct follow *f)
{
  return f->steps + f->leading.steps > f->effort->steps;
}

/* Leaves off where the effort is spent. */
static bool settle_positions(struct follow *f)
{
  list_steps(f);
  add_trailing(f);
  f->entries =
      f->table[0] + wb_trailing_rank(f->position, f->trailing - 1) * f->leading.states * f->pieces;
  bool ok = true;
  for (size_t leading = 0; ok && !is_spent(f) && leading < f->leading.states; leading++) {
    struct leading_state *state = &f->states[leading];
    read_state(f, leading, state);
    for (unsigned i = 0; i < f->pieces; i++)
      f->entries[leading * f->pieces + i] = NO_PATH;
    for (size_t s = 1; ok && state->listed && s < f->step_count; s++)
      ok = look_at_step(f, leading, &f->step[s], state->from_others);
  }
  return ok && (is_spent(f) || settle_leading(f));
}

/* All positions, from the end of the string back. */
static bool settle_all(struct follow *f, enum wb_stop *stop)
{
  size_t last = f->length;
  for (uint32_t i = 0; i < f->trailing; i++)
    f->position[i] = f->length;
  while (*stop == WB_STOP_NONE && wb_trailing_step_back(f->position, f->trailing)) {
    if (f->position[f->trailing - 1] < last) {
      int64_t *kept = f->table[1];
      f->table[1] = f->table[0];
      f->table[0] = kept;
      wb_leading_warps_extend(&f->leading, --last);
    }
    if (!settle_positions(f))
      return false;
    if (is_spent(f))
      *stop = WB_STOP_MEMORY;
    else
      *stop = wb_control_stopped(f->control);
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

static bool prepare(struct follow *f)
{
  const struct wb_potential *potential = &f->proof->potential;
  const struct wb_pools *pools = &f->proof->pools;
  if (!wb_leading_warps_start(&f->leading, potential, pools))
    return false;
  f->listed = wb_allocate(pools->states, sizeof *f->listed);
  f->view = wb_allocate(pools->states * f->pieces, sizeof *f->view);
  f->local = wb_allocate(f->leading.states * f->pools, sizeof *f->local);
  bool joined = true;
  for (unsigned p = 0; p < f->pools; p++) {
    f->joined[p] = wb_allocate(pools->pool[p].size, sizeof *f->joined[p]);
    joined = joined && f->joined[p] != NULL;
  }
  f->own = wb_allocate(f->length + 1, sizeof *f->own);
  f->rest = wb_allocate(f->length + 1, sizeof *f->rest);
  f->states = wb_allocate(f->leading.states, sizeof *f->states);
  f->ended = wb_allocate(f->leading.states * f->pieces, sizeof *f->ended);
  size_t entries =
      (size_t)wb_trailing_count(f->length, f->trailing - 1) * f->leading.states * f->pieces;
  for (int t = 0; t < 2; t++)
    f->table[t] = wb_allocate(entries, sizeof *f->table[t]);
  if (!joined || f->listed == NULL || f->view == NULL || f->local == NULL || f->own == NULL ||
      f->rest == NULL || f->states == NULL || f->ended == NULL || f->table[0] == NULL ||
      f->table[1] == NULL)
    return false;
  for (unsigned v = 0; v < wb_potential_views(potential); v++)
    for (unsigned i = 0; i < f->pieces; i++)
      f->share[v][i] = wb_potential_share(potential, v, v % f->pieces, i);
  for (size_t i = 0; i < f->proof->state_count; i++) {
    uint64_t state = f->proof->state[i];
    f->listed[state] = true;
    for (unsigned j = 0; j < f->pieces; j++)
      f->view[state * f->pieces + j] = (uint8_t)wb_potential_view(potential, pools, state, j);
  }
  for (size_t i = f->pieces; i < f->leading.states * f->pieces; i++)
    f->ended[i] = NO_PATH;
  for (size_t leading = 0; leading < f->leading.states; leading++)
    for (unsigned p = 0; p < f->pools; p++)
      f->local[leading * f->pools + p] =
          (uint32_t)(leading / pools->stride[p] % pools->pool[p].size);
  for (size_t p = f->length; p-- > 0;) {
    f->own[p] = f->own[p + 1] + own_step(f->proof, p);
    bool stays = potential->kind[p] < pools->count;
    f->rest[p] = (uint32_t)wb_minimum(stays ? f->rest[p + 1] + 1 : 1, WB_POOL_WORK_LIMIT);
  }
  return true;
}

static void finish(struct follow *f)
{
  wb_leading_warps_free(&f->leading);
  free(f->listed);
  free(f->view);
  free(f->local);
  for (unsigned p = 0; p < f->pools; p++)
    free(f->joined[p]);
  free(f->own);
  free(f->rest);
  free(f->states);
  free(f->ended);
  free(f->table[0]);
  free(f->table[1]);
}

/* The crowd's state at the start of so many warps. */
static size_t leading_begin(const struct follow *f, uint32_t warps)
{
  const struct wb_pools *pools = &f->proof->pools;
  return wb_pools_begin(pools, warps - f->trailing + 1) % pools->stride[pools->count];
}

/* The most of what the pieces prove of so many warps, in parts of the potential's units, and how
 * steeply the steepest of them rises. False: a number overflows, or no piece has a path. */
static bool most_of(const struct follow *f, uint32_t warps, int64_t *most, int64_t *slope)
{
  const struct wb_potential *potential = &f->proof->potential;
  const int64_t *entries = f->entries + leading_begin(f, warps) * f->pieces;
  *most = *slope = INT64_MIN;
  for (unsigned i = 0; i < f->pieces; i++) {
    int64_t warp = potential->parts * potential->position[i][0], sum;
    if (entries[i] == NO_PATH)
      continue;
    if (!wb_multiply_signed(warp, warps - f->trailing, &sum) ||
        !wb_add_signed(sum, entries[i], &sum))
      return false;
    *most = sum > *most ? sum : *most;
    *slope = warp > *slope ? warp : *slope;
  }
  return *slope > INT64_MIN;
}

/* Takes the bound and the line from the starts' entries. The line's start has entries wherever the
 * potential has a line: the rear and the crowd together stand in the potential's own start then.
 * False: a number overflows. */
static bool read_bound(const struct follow *f, struct wb_potential_proof *proof)
{
  int64_t most, first, slope, rise;
  uint32_t steady_from = wb_pools_steady_from(&proof->pools) + f->trailing - 1;
  if (!most_of(f, proof->problem->warps, &most, &slope) || most < 0)
    return false;
  proof->trailing = f->trailing;
  proof->trailing_steps = f->steps;
  proof->cycles = (uint64_t)(most / (f->proof->potential.parts * proof->gain));
  proof->has_line = proof->has_line && most_of(f, steady_from, &first, &slope) &&
                    wb_multiply_signed(slope, steady_from, &rise) &&
                    wb_subtract_signed(first, rise, &proof->offset);
  proof->divisor = proof->potential.parts * proof->gain;
  proof->slope = slope;
  proof->steady_from = steady_from;
  return true;
}

bool wb_potential_has_trailing(const struct wb_potential_proof *proof)
{
  return proof->potential.shape.count > 1;
}

/* Whether the table and the crowd's lists are within `memory` bytes, and a checker's table can
 * be. */
static bool table_fits(const struct wb_potential_proof *proof, uint32_t trailing, uint64_t memory)
{
  const struct wb_pools *pools = &proof->pools;
  uint64_t lists = pools->stride[pools->count] * sizeof(struct wb_front_list);
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
  struct follow f = {.proof = proof,
                     .effort = effort,
                     .control = control,
                     .pools = proof->pools.count,
                     .pieces = proof->potential.shape.count,
                     .trailing = trailing,
                     .length = proof->potential.length};
  bool ok = prepare(&f) && settle_all(&f, &outcome->stop);
  if (ok && outcome->stop == WB_STOP_NONE)
    outcome->followed = read_bound(&f, proof);
  finish(&f);
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
