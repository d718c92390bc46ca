#include "makespan/potential/trailing_table.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NO_PATH WB_TRAILING_NO_PATH

/* Entries that a checker may have to keep, for all positions at a time: beyond, none reads the
 * certificate. */
#define CHECKED_ENTRIES (UINT64_C(1) << 26)

/* ---- one set of positions ---- */

/* The step in which the trailing warps in `mask` issue. False: there is no such step, for of those
 * at one position the last issue. */
static bool read_step(const struct wb_trailing_table *table, unsigned mask,
                      struct wb_trailing_step *step)
{
  size_t after[WB_POTENTIAL_TRAILING_LIMIT] = {0};
  *step = (struct wb_trailing_step){0};
  for (uint32_t i = 0; i < table->trailing; i++) {
    bool issues = (mask >> i & 1) != 0;
    bool next_waits = i + 1 < table->trailing && (mask >> (i + 1) & 1) == 0;
    size_t p = table->position[i];
    if (issues && (p == table->length || (next_waits && table->position[i + 1] == p)))
      return false;
    after[i] = p + issues;
    if (issues) {
      step->issues[table->proof->potential.pool[p]]++;
      step->last_issues = step->last_issues || p == table->position[table->trailing - 1];
    }
  }
  if (after[0] == table->length) {
    step->after = table->ended;
    return true;
  }
  step->after =
      table->layer[after[table->trailing - 1] > table->position[table->trailing - 1]] +
      wb_trailing_rank(after, table->trailing - 1) * table->leading.states * table->components;
  return true;
}

static void read_state(const struct wb_trailing_table *table, size_t leading,
                       struct wb_leading_state *state)
{
  const struct wb_potential *potential = &table->proof->potential;
  const struct wb_pools *pools = &table->proof->pools;
  /* The potential's state: the own warp's pool, and the leading and the other trailing warps
   * together. */
  uint64_t whole = table->proof->potential.pool[table->position[0]] * pools->stride[pools->count];
  for (unsigned p = 0; p < table->pools; p++)
    whole += table->joined[p][table->local[leading * table->pools + p]] * pools->stride[p];
  state->listed = table->listed[whole] &&
                  (leading == 0 || table->position[table->trailing - 1] < table->length);
  if (!state->listed)
    return;
  state->all_ready = 0;
  for (unsigned p = 0; p < table->pools; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    state->warps[p] = pool->warps_in[table->local[leading * table->pools + p]];
    state->ready[p] = (uint32_t)wb_minimum(pool->service, state->warps[p] + table->standing[p]);
    state->all_ready += state->ready[p];
  }
  state->slots = (uint32_t)wb_minimum(state->all_ready, pools->slots);
  for (unsigned i = 0; i < table->components; i++) {
    state->worth[i] = table->own[table->position[0]] + potential->state_offset[i][whole];
    for (uint32_t w = 1; w < table->trailing; w++)
      state->worth[i] += potential->position[i][table->position[w]];
    state->from_others[i] = NO_PATH;
  }
  for (unsigned j = 0; j < table->components; j++) {
    state->view[j] = table->view[whole * table->components + j];
    state->mix[j] = 0;
    for (unsigned i = 0; i < table->components; i++)
      state->mix[j] += table->weight[state->view[j]][i] * state->worth[i];
  }
}

/* ---- moves ---- */

/* Raises most[j] to the entry reached less the values over the moves. The inner loop of all: no
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

/* Raises most[j] to the entry reached less the values over the leading warps' moves with these
 * issues, in which the trailing warps do `step`. False: memory is out. */
static bool look_at_moves(struct wb_trailing_table *table, size_t leading, const uint32_t *issues,
                          const struct wb_trailing_step *step, int64_t *most)
{
  const struct wb_leading_state *state = &table->states[leading];
  struct wb_leading_moves moves;
  int64_t idle[WB_UNIT_COUNT] = {0};
  for (unsigned j = 0; j < table->components; j++)
    for (unsigned p = 0; p < table->pools; p++) {
      int64_t value;
      if (!wb_leading_warps_idle(&table->leading, state->view[j], p, state->warps[p] - issues[p],
                                 step->last_issues, &value))
        return true;
      idle[j] += value;
    }
  if (!wb_leading_warps_moves(&table->leading, leading, issues, &moves))
    return false;
  table->steps += moves.count;
  if (table->components == 2)
    raise_most(&moves, table->leading.views, state->view, step->after, idle, 2, most);
  else if (table->components == 3)
    raise_most(&moves, table->leading.views, state->view, step->after, idle, 3, most);
  else
    raise_most(&moves, table->leading.views, state->view, step->after, idle, table->components,
               most);
  return true;
}

/* Chooses how many of each type issue, `left` in all from pool p on, of which the pools after p can
 * take `after`. */
static bool choose_issues(struct wb_trailing_table *table, size_t leading,
                          const struct wb_trailing_step *step, unsigned p, uint32_t left,
                          uint32_t after, uint32_t *issues, int64_t *most)
{
  const struct wb_leading_state *state = &table->states[leading];
  if (p >= table->pools || p >= WB_UNIT_COUNT)
    return look_at_moves(table, leading, issues, step, most);
  bool ok = true;
  after -= state->ready[p];
  uint32_t least = left > after ? left - after : 0;
  for (uint32_t x = (uint32_t)wb_maximum(least, step->issues[p]);
       ok && x <= state->ready[p] && x <= left && x - step->issues[p] <= state->warps[p]; x++) {
    issues[p] = x - step->issues[p];
    ok = choose_issues(table, leading, step, p + 1, left - x, after, issues, most);
  }
  return ok;
}

/* Raises the entries of the components that bound those of which `most` is reached. *changed: some
 * are higher. */
static void take_over(struct wb_trailing_table *table, size_t leading, const int64_t *most,
                      bool *changed)
{
  const struct wb_potential *potential = &table->proof->potential;
  const struct wb_leading_state *state = &table->states[leading];
  int64_t *entry = table->entries + leading * table->components;
  for (unsigned j = 0; j < table->components; j++) {
    if (most[j] < NO_PATH / 2)
      continue;
    int64_t slack = state->mix[j] - potential->weight_sum * table->proof->gain - most[j];
    for (unsigned i = 0; i < table->components; i++) {
      int64_t reached = potential->weight_sum * state->worth[i] - slack;
      if (table->weight[state->view[j]][i] > 0 && reached > entry[i]) {
        entry[i] = reached;
        *changed = true;
      }
    }
  }
}

/* The moves of the leading warps alone, which may lead around in circles: over all states again and
 * again, until no entry is higher. Slacks are not negative, so that comes to an end. */
static bool settle_leading(struct wb_trailing_table *table)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t leading = 0; leading < table->leading.states; leading++) {
      int64_t most[WB_UNIT_COUNT];
      uint32_t issues[WB_UNIT_COUNT];
      if (!table->states[leading].listed)
        continue;
      memcpy(most, table->states[leading].from_others, sizeof most);
      const struct wb_leading_state *state = &table->states[leading];
      if (!choose_issues(table, leading, &table->step[0], 0, state->slots, state->all_ready, issues,
                         most))
        return false;
      take_over(table, leading, most, &changed);
    }
  }
  return true;
}

static bool is_spent(const struct wb_trailing_table *table)
{
  return table->steps + table->leading.steps > table->most_steps;
}

/* Fills the entries of the positions at hand. Leaves off where the steps are spent. */
static bool settle_positions(struct wb_trailing_table *table)
{
  const struct wb_potential *potential = &table->proof->potential;
  table->step_count = 0;
  for (unsigned mask = 0; mask < 1U << table->trailing; mask++)
    table->step_count += read_step(table, mask, &table->step[table->step_count]);
  memset(table->standing, 0, sizeof table->standing);
  for (uint32_t i = 0; i < table->trailing && table->position[i] < table->length; i++)
    table->standing[potential->pool[table->position[i]]]++;
  for (unsigned p = 0; p < table->pools; p++) {
    const struct wb_pool *pool = &table->proof->pools.pool[p];
    for (uint32_t local = 0; local < pool->size; local++)
      table->joined[p][local] = local;
    for (uint32_t i = 1; i < table->trailing && table->position[i] < table->length; i++)
      for (uint32_t local = 0; potential->pool[table->position[i]] == p && local < pool->size;
           local++) {
        uint32_t *joined = &table->joined[p][local];
        *joined = wb_pool_local(pool, pool->warps_in[*joined] + 1,
                                pool->work_in[*joined] + table->rest[table->position[i]]);
      }
  }
  table->entries = table->layer[0] + wb_trailing_rank(table->position, table->trailing - 1) *
                                         table->leading.states * table->components;
  uint32_t issues[WB_UNIT_COUNT];
  bool ok = true;
  for (size_t leading = 0; ok && !is_spent(table) && leading < table->leading.states; leading++) {
    struct wb_leading_state *state = &table->states[leading];
    read_state(table, leading, state);
    for (unsigned i = 0; i < table->components; i++)
      table->entries[leading * table->components + i] = NO_PATH;
    for (size_t s = 1; ok && state->listed && s < table->step_count; s++)
      ok = choose_issues(table, leading, &table->step[s], 0, state->slots, state->all_ready, issues,
                         state->from_others);
  }
  return ok && (is_spent(table) || settle_leading(table));
}

bool wb_trailing_table_fill(struct wb_trailing_table *table, enum wb_stop *stop)
{
  size_t last = table->length;
  for (uint32_t i = 0; i < table->trailing; i++)
    table->position[i] = table->length;
  while (*stop == WB_STOP_NONE && wb_trailing_step_back(table->position, table->trailing)) {
    if (table->position[table->trailing - 1] < last) {
      int64_t *kept = table->layer[1];
      table->layer[1] = table->layer[0];
      table->layer[0] = kept;
      wb_leading_warps_extend(&table->leading, --last);
    }
    if (!settle_positions(table))
      return false;
    if (is_spent(table))
      *stop = WB_STOP_MEMORY;
    else
      *stop = wb_control_stopped(table->control);
  }
  return true;
}

/* ---- start and end ---- */

/* Fills what does not depend on positions of the trailing warps. */
static void prepare(struct wb_trailing_table *table)
{
  const struct wb_potential *potential = &table->proof->potential;
  const struct wb_pools *pools = &table->proof->pools;
  for (unsigned v = 0; v < wb_potential_views(potential); v++)
    for (unsigned i = 0; i < table->components; i++)
      table->weight[v][i] = wb_potential_weight(potential, v, v % table->components, i);
  for (size_t i = 0; i < table->proof->state_count; i++) {
    uint64_t state = table->proof->state[i];
    table->listed[state] = true;
    for (unsigned j = 0; j < table->components; j++)
      table->view[state * table->components + j] =
          (uint8_t)wb_potential_view(potential, pools, state, j);
  }
  for (size_t i = table->components; i < table->leading.states * table->components; i++)
    table->ended[i] = NO_PATH;
  for (size_t leading = 0; leading < table->leading.states; leading++)
    for (unsigned p = 0; p < table->pools; p++)
      table->local[leading * table->pools + p] = wb_pools_local(pools, leading, p);
  for (size_t p = table->length; p-- > 0;) {
    bool stays = potential->kind[p] < pools->count;
    uint8_t from = potential->pool[p];
    uint8_t to = p + 1 < potential->length ? potential->pool[p + 1] : WB_POOL_END;
    size_t k = 0;
    while (!stays && (pools->own_exits[k].from != from || pools->own_exits[k].to != to))
      k++;
    table->own[p] =
        table->own[p + 1] + (stays ? potential->own_stay[from] : potential->own_leave[k]);
    table->rest[p] = (uint32_t)wb_minimum(stays ? table->rest[p + 1] + 1 : 1, WB_POOL_WORK_LIMIT);
  }
}

bool wb_trailing_table_start(struct wb_trailing_table *table,
                             const struct wb_potential_proof *proof, uint32_t trailing,
                             uint64_t most_steps, const struct wb_control *control)
{
  *table = (struct wb_trailing_table){.proof = proof,
                                      .control = control,
                                      .most_steps = most_steps,
                                      .pools = proof->pools.count,
                                      .components = proof->potential.shape.count,
                                      .trailing = trailing,
                                      .length = proof->potential.length};
  const struct wb_pools *pools = &proof->pools;
  if (!wb_leading_warps_start(&table->leading, &proof->potential, pools))
    return false;
  struct wb_arena *arena = &table->arena;
  table->listed = wb_arena_allocate(arena, pools->states, sizeof *table->listed);
  table->view = wb_arena_allocate(arena, pools->states * table->components, sizeof *table->view);
  table->local =
      wb_arena_allocate(arena, table->leading.states * table->pools, sizeof *table->local);
  for (unsigned p = 0; p < table->pools; p++)
    table->joined[p] = wb_arena_allocate(arena, pools->pool[p].size, sizeof *table->joined[p]);
  table->own = wb_arena_allocate(arena, table->length + 1, sizeof *table->own);
  table->rest = wb_arena_allocate(arena, table->length + 1, sizeof *table->rest);
  table->states = wb_arena_allocate(arena, table->leading.states, sizeof *table->states);
  table->ended =
      wb_arena_allocate(arena, table->leading.states * table->components, sizeof *table->ended);
  size_t entries = (size_t)wb_trailing_count(table->length, table->trailing - 1) *
                   table->leading.states * table->components;
  for (int t = 0; t < 2; t++)
    table->layer[t] = wb_arena_allocate(arena, entries, sizeof *table->layer[t]);
  if (arena->failed)
    return false;
  prepare(table);
  return true;
}

bool wb_trailing_table_fits(const struct wb_potential_proof *proof, uint32_t trailing,
                            uint64_t memory)
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
