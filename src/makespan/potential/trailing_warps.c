#include "makespan/potential/trailing_warps.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the leading warps: those in front of the trailing warps ---- */

/* Moves, or moves of the first pools only: each state that can be reached once, with the least
 * values. */
struct leading_moves {
  size_t count;
  uint32_t *to;   /* the states reached */
  int64_t *value; /* value[i * views + v]: of move i under view v, in units of
                   * 1 / (weight_sum * scale) cycles */
};

/* A range of moves that is made when it is first asked for. */
struct leading_move_list {
  size_t first;
  size_t count;
  bool made;
};

/* The values of the leading warps' abstract moves from all their states, where all of them stand at
 * some position or beyond. Their states are those of the pools together. Invariant: lists that are
 * made hold for the positions allowed; place is all 0 between calls. Borrows potential and pools;
 * owns to and value, the other arrays are in an arena. */
struct leading_warps {
  const struct wb_potential *potential;
  const struct wb_pools *pools;
  size_t states;  /* of the leading warps */
  size_t choices; /* of how many issue, by pool */
  size_t kinds;   /* of steps: pools, then exits */
  unsigned views;
  int64_t *step; /* step[v * kinds + kind]: the least value of a step of this kind from a position
                  * allowed; INT64_MAX: there is none */
  int64_t idle[2][WB_POTENTIAL_VIEWS][WB_UNIT_COUNT]; /* idle[later][v][pool]: the same of idling;
                                                       * later: from the second position allowed */
  struct leading_move_list *lists;                    /* by state * choices + choice */
  struct leading_moves moves;                         /* of all lists */
  size_t to_capacity;                                 /* of them */
  size_t value_capacity;                              /* of them */
  struct leading_moves partial[2]; /* working memory: of the pools decided, one more */
  uint32_t *place; /* working memory: by state, 1 + its index in the partial moves at hand */
  uint64_t steps;  /* partial moves looked at, in all */
};

/* Begins with no position allowed. The potential has several components. False: memory is out. */
static bool start_leading(struct leading_warps *leading, const struct wb_potential *potential,
                          const struct wb_pools *pools, struct wb_arena *arena)
{
  *leading = (struct leading_warps){.potential = potential,
                                    .pools = pools,
                                    .states = pools->stride[pools->count],
                                    .choices = 1,
                                    .kinds = pools->count + pools->exit_count,
                                    .views = wb_potential_views(potential)};
  for (unsigned p = 0; p < pools->count; p++)
    leading->choices *= pools->pool[p].service + 1;
  leading->step = wb_arena_array(arena, int64_t, leading->views * leading->kinds);
  leading->lists =
      wb_arena_array(arena, struct leading_move_list, leading->states * leading->choices);
  leading->place = wb_arena_array(arena, uint32_t, leading->states);
  for (int i = 0; i < 2; i++) {
    leading->partial[i].to = wb_arena_array(arena, uint32_t, leading->states);
    leading->partial[i].value = wb_arena_array(arena, int64_t, leading->states * leading->views);
  }
  if (arena->failed)
    return false;
  for (size_t i = 0; i < leading->views * leading->kinds; i++)
    leading->step[i] = INT64_MAX;
  for (unsigned v = 0; v < leading->views; v++)
    for (unsigned p = 0; p < pools->count; p++)
      leading->idle[0][v][p] = leading->idle[1][v][p] = INT64_MAX;
  return true;
}

static bool lower(int64_t *least, int64_t value)
{
  const int64_t before = *least;
  *least = value < before ? value : before;
  return value < before;
}

/* Allows `position`, the one before those allowed so far, too. */
static void extend_leading(struct leading_warps *leading, size_t position)
{
  const struct wb_potential *potential = leading->potential;
  bool changed = false;
  memcpy(leading->idle[1], leading->idle[0], sizeof leading->idle[1]);
  for (unsigned v = 0; v < leading->views; v++) {
    const int64_t *own = potential->position[v % potential->shape.count];
    int64_t before = wb_potential_worth(potential, v, position);
    changed |= lower(&leading->step[v * leading->kinds + potential->kind[position]],
                     before - potential->weight_sum * own[position + 1]);
    (void)lower(&leading->idle[0][v][potential->pool[position]],
                before - potential->weight_sum * own[position]);
  }
  if (!changed)
    return;
  leading->moves.count = 0;
  for (size_t i = 0; i < leading->states * leading->choices; i++)
    leading->lists[i].made = false;
}

/* Adds a move, or lowers the values of that to the same state. */
static void keep_move(struct leading_warps *leading, struct leading_moves *moves, uint32_t to,
                      const int64_t *value)
{
  const unsigned views = leading->views;
  leading->steps++;
  if (leading->place[to] == 0) {
    moves->to[moves->count] = to;
    memcpy(moves->value + moves->count * views, value, views * sizeof *value);
    leading->place[to] = (uint32_t)++moves->count;
    return;
  }
  for (unsigned v = 0; v < views; v++)
    (void)lower(&moves->value[(leading->place[to] - 1) * views + v], value[v]);
}

static void forget_places(struct leading_warps *leading, const struct leading_moves *moves)
{
  for (size_t i = 0; i < moves->count; i++)
    leading->place[moves->to[i]] = 0;
}

/* Adds `times` steps of a kind to the values; false: no position has such a step. */
static bool add_steps(const struct leading_warps *leading, size_t kind, uint32_t times,
                      int64_t *value)
{
  if (times > 0 && leading->step[kind] == INT64_MAX)
    return false;
  for (unsigned v = 0; v < leading->views && times > 0; v++)
    value[v] += leading->step[v * leading->kinds + kind] * times;
  return true;
}

/* The leavers of pool p who are left choose kinds of exits, from kind k on. Nested as deep as
 * a type serves warps in a cycle. */
static void choose_exits(struct leading_warps *leading, struct leading_moves *moves, unsigned p,
                         uint32_t leavers, size_t k, uint32_t to, const int64_t *value)
{
  const struct wb_pools *pools = leading->pools;
  if (leavers == 0) {
    keep_move(leading, moves, to, value);
    return;
  }
  for (; k < pools->exit_count; k++) {
    const struct wb_pool_exit *exit = &pools->exits[k];
    int64_t sum[WB_POTENTIAL_VIEWS];
    memcpy(sum, value, leading->views * sizeof *sum);
    if (exit->from != p || !add_steps(leading, pools->count + k, 1, sum))
      continue;
    uint32_t after = to;
    if (exit->to != WB_POOL_END)
      after = (uint32_t)wb_pools_with_more(pools, to, exit->to, 1, exit->length);
    choose_exits(leading, moves, p, leavers - 1, k, after, sum);
  }
}

/* Makes the list of moves from a state in which `issues` warps of each pool issue, pool by pool.
 * False: memory is out. */
static bool make_list(struct leading_warps *leading, size_t state, const uint32_t *issues,
                      struct leading_move_list *list)
{
  const struct wb_pools *pools = leading->pools;
  const unsigned views = leading->views;
  struct leading_moves *before = &leading->partial[0], *after = &leading->partial[1];
  struct leading_moves *moves = &leading->moves;
  int64_t value[WB_POTENTIAL_VIEWS] = {0};
  before->count = 0;
  keep_move(leading, before, 0, value);
  for (unsigned p = 0; p < pools->count; p++) {
    const struct wb_pool *pool = &pools->pool[p];
    size_t local = wb_pools_local(pools, state, p);
    struct wb_pool_span span = pools->spans[p][local * (pool->service + 1) + issues[p]];
    const struct wb_pool_outcome *outcome = pools->outcomes[p] + span.first;
    forget_places(leading, before);
    after->count = 0;
    for (size_t i = 0; i < before->count * span.count; i++) {
      const size_t move = i / span.count, o = i % span.count;
      const uint32_t stay = outcome[o].after;
      memcpy(value, before->value + move * views, views * sizeof *value);
      if (!add_steps(leading, p, issues[p] - outcome[o].leavers, value))
        continue;
      uint64_t to =
          wb_pools_with_more(pools, before->to[move], p, pool->warps_in[stay], pool->work_in[stay]);
      choose_exits(leading, after, p, outcome[o].leavers, 0, (uint32_t)to, value);
    }
    struct leading_moves *decided = after;
    after = before;
    before = decided;
  }
  forget_places(leading, before);
  if (!wb_grow(moves->to, &leading->to_capacity, moves->count + before->count + 1) ||
      !wb_grow(moves->value, &leading->value_capacity, (moves->count + before->count + 1) * views))
    return false;
  memcpy(moves->to + moves->count, before->to, before->count * sizeof *before->to);
  memcpy(moves->value + moves->count * views, before->value,
         before->count * views * sizeof *before->value);
  *list = (struct leading_move_list){moves->count, before->count, true};
  moves->count += before->count;
  return true;
}

/* ---- the table ---- */

/* An entry of a component from which there is no path to the end. Sums of it and a potential's
 * numbers stay far above half of it, and far from overflow. */
#define NO_PATH (INT64_MIN / 4)

/* A choice of the trailing warps that issue in a cycle. */
struct step {
  uint32_t issues[WB_UNIT_COUNT]; /* by pool */
  bool last_issues;               /* one at the largest position does */
  const int64_t *after;           /* the entries of the positions after it */
};

/* A state of the leading warps together with the trailing warps at hand. */
struct leading_state {
  bool listed;                   /* the potential has it; the rest holds only then */
  uint32_t warps[WB_UNIT_COUNT]; /* leading warps, by pool */
  uint32_t ready[WB_UNIT_COUNT]; /* of all warps those that can issue, by pool */
  uint32_t all_ready;            /* their sum */
  uint32_t slots;                /* instructions that issue in the cycle */
  unsigned view[WB_UNIT_COUNT];  /* by component */
  int64_t mix[WB_UNIT_COUNT];    /* by component: the weighted mean of worth under its view */
  int64_t worth[WB_UNIT_COUNT];  /* by component, without the leading warps' values */
  /* By component, over moves that change the positions of trailing warps: the most of the entry
   * reached less the values of the move. */
  int64_t from_others[WB_UNIT_COUNT];
};

/* The table under way. An entry of a component is weight_sum * V - e, in units of 1 / (weight_sum *
 * scale) cycles, without the leading warps' values: V is its value and e the least slack of a path
 * to the end. Invariant: layer[0] and layer[1] hold the entries of all positions of the trailing
 * warps whose largest is that at hand, and the next one, as far as they are filled; an entry is at
 * (rank of the other positions * states + leading state) * components + component. Borrows proof
 * and control, owns the rest. */
struct table {
  const struct wb_potential_proof *proof;
  const struct wb_control *control;
  uint64_t most_steps; /* moves that may be looked at */
  struct leading_warps leading;
  unsigned pools;
  unsigned components;
  uint32_t trailing; /* warps followed, the own one first */
  size_t length;     /* of the string */
  bool *listed;      /* by the potential's state: it has an offset */
  uint8_t *view;     /* by state * components + component */
  int64_t weight[WB_POTENTIAL_VIEWS][WB_UNIT_COUNT]; /* of each component under each view */
  uint32_t *local;                                   /* by leading state * pools + pool */
  uint32_t *joined[WB_UNIT_COUNT]; /* by pool and local state of the leading warps: that with the
                                    * trailing warps, without the own one */
  int64_t *own;   /* by position: the values of the own warp's steps from there on */
  uint32_t *rest; /* by position: instructions of its run from there on */
  int64_t *layer[2];
  int64_t *entries; /* in layer[0]: of the positions at hand */
  int64_t *ended;   /* of the end, at which there are no leading warps */
  struct leading_state *states;
  size_t position[WB_POTENTIAL_TRAILING_LIMIT]; /* at hand, ascending */
  uint32_t standing[WB_UNIT_COUNT];             /* of the trailing warps at hand, by pool */
  struct step step[1 << WB_POTENTIAL_TRAILING_LIMIT];
  size_t step_count;
  uint64_t steps;        /* moves looked at, without the leading warps' lists */
  struct wb_arena arena; /* of the arrays */
};

/* Entries that a checker may have to keep, for all positions at a time: beyond, none reads the
 * certificate. */
#define CHECKED_ENTRIES (UINT64_C(1) << 26)

/* The step in which the trailing warps in `mask` issue. False: there is no such step, for of those
 * at one position the last issue. */
static bool read_step(const struct table *table, unsigned mask, struct step *step)
{
  size_t after[WB_POTENTIAL_TRAILING_LIMIT] = {0};
  *step = (struct step){0};
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
  step->after = table->ended;
  if (after[0] < table->length)
    step->after =
        table->layer[after[table->trailing - 1] > table->position[table->trailing - 1]] +
        wb_trailing_rank(after, table->trailing - 1) * table->leading.states * table->components;
  return true;
}

static void read_state(const struct table *table, size_t leading, struct leading_state *state)
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

/* Raises most[j] to the entry reached less the values over the moves. The inner loop of all: no
 * branches, and `components` is a constant where it is called. */
static inline void raise_most(const struct leading_moves *moves, unsigned views,
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
static bool look_at_moves(struct table *table, size_t leading, const uint32_t *issues,
                          const struct step *step, int64_t *most)
{
  const struct leading_state *state = &table->states[leading];
  int64_t idle[WB_UNIT_COUNT] = {0};
  for (unsigned j = 0; j < table->components; j++)
    for (unsigned p = 0; p < table->pools; p++) {
      /* The least value of the leading warps of the pool that do not issue. Where any number may be
       * in it, this is the least number and the value is at least 0. */
      uint32_t count = state->warps[p] - issues[p];
      int64_t least = table->leading.idle[step->last_issues][state->view[j]][p];
      if (count > 0 && least == INT64_MAX) /* there is no position for them */
        return true;
      idle[j] += count > 0 ? least * count : 0;
    }
  size_t choice = leading;
  for (unsigned p = 0; p < table->pools; p++)
    choice = choice * (table->proof->pools.pool[p].service + 1) + issues[p];
  struct leading_move_list *list = &table->leading.lists[choice];
  if (!list->made && !make_list(&table->leading, leading, issues, list))
    return false;
  const unsigned views = table->leading.views;
  const struct leading_moves moves = {list->count, table->leading.moves.to + list->first,
                                      table->leading.moves.value + list->first * views};
  table->steps += moves.count;
  if (table->components == 2)
    raise_most(&moves, views, state->view, step->after, idle, 2, most);
  else if (table->components == 3)
    raise_most(&moves, views, state->view, step->after, idle, 3, most);
  else
    raise_most(&moves, views, state->view, step->after, idle, table->components, most);
  return true;
}

/* Chooses how many of each type issue, `left` in all from pool p on, of which the pools after p can
 * take `after`. */
static bool choose_issues(struct table *table, size_t leading, const struct step *step, unsigned p,
                          uint32_t left, uint32_t after, uint32_t *issues, int64_t *most)
{
  const struct leading_state *state = &table->states[leading];
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
static void take_over(struct table *table, size_t leading, const int64_t *most, bool *changed)
{
  const struct wb_potential *potential = &table->proof->potential;
  const struct leading_state *state = &table->states[leading];
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
static bool iterate_leading(struct table *table)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t leading = 0; leading < table->leading.states; leading++) {
      int64_t most[WB_UNIT_COUNT];
      uint32_t issues[WB_UNIT_COUNT];
      const struct leading_state *state = &table->states[leading];
      if (!state->listed)
        continue;
      memcpy(most, state->from_others, sizeof most);
      if (!choose_issues(table, leading, &table->step[0], 0, state->slots, state->all_ready, issues,
                         most))
        return false;
      take_over(table, leading, most, &changed);
    }
  }
  return true;
}

static bool is_spent(const struct table *table)
{
  return table->steps + table->leading.steps > table->most_steps;
}

/* Fills the entries of the positions at hand. Leaves off where the steps are spent. */
static bool fill_positions(struct table *table)
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
    struct leading_state *state = &table->states[leading];
    read_state(table, leading, state);
    for (unsigned i = 0; i < table->components; i++)
      table->entries[leading * table->components + i] = NO_PATH;
    for (size_t s = 1; ok && state->listed && s < table->step_count; s++)
      ok = choose_issues(table, leading, &table->step[s], 0, state->slots, state->all_ready, issues,
                         state->from_others);
  }
  return ok && (is_spent(table) || iterate_leading(table));
}

/* Fills the table for all positions, from the end of the string back; at last table->entries is
 * that of all warps before the first instruction. *stop: why it ended early (WB_STOP_MEMORY:
 * most_steps). False: memory is out. */
static bool table_fill(struct table *table, enum wb_stop *stop)
{
  size_t last = table->length;
  for (uint32_t i = 0; i < table->trailing; i++)
    table->position[i] = table->length;
  while (*stop == WB_STOP_NONE && wb_trailing_step_back(table->position, table->trailing)) {
    if (table->position[table->trailing - 1] < last) {
      int64_t *kept = table->layer[1];
      table->layer[1] = table->layer[0];
      table->layer[0] = kept;
      extend_leading(&table->leading, --last);
    }
    if (!fill_positions(table))
      return false;
    *stop = is_spent(table) ? WB_STOP_MEMORY : wb_control_stopped(table->control);
  }
  return true;
}

/* Makes an empty table; 1 <= trailing <= WB_POTENTIAL_TRAILING_LIMIT. False: memory is out. Free
 * its arena and the leading warps' moves, failed or not. */
static bool table_start(struct table *table, const struct wb_potential_proof *proof,
                        uint32_t trailing, uint64_t most_steps, const struct wb_control *control)
{
  *table = (struct table){.proof = proof,
                          .control = control,
                          .most_steps = most_steps,
                          .pools = proof->pools.count,
                          .components = proof->potential.shape.count,
                          .trailing = trailing,
                          .length = proof->potential.length};
  const struct wb_potential *potential = &proof->potential;
  const struct wb_pools *pools = &proof->pools;
  struct wb_arena *arena = &table->arena;
  if (!start_leading(&table->leading, &proof->potential, pools, arena))
    return false;
  table->listed = wb_arena_array(arena, bool, pools->states);
  table->view = wb_arena_array(arena, uint8_t, pools->states * table->components);
  table->local = wb_arena_array(arena, uint32_t, table->leading.states * table->pools);
  for (unsigned p = 0; p < table->pools; p++)
    table->joined[p] = wb_arena_array(arena, uint32_t, pools->pool[p].size);
  table->own = wb_arena_array(arena, int64_t, table->length + 1);
  table->rest = wb_arena_array(arena, uint32_t, table->length + 1);
  table->states = wb_arena_array(arena, struct leading_state, table->leading.states);
  table->ended = wb_arena_array(arena, int64_t, table->leading.states * table->components);
  size_t entries = (size_t)wb_trailing_count(table->length, table->trailing - 1) *
                   table->leading.states * table->components;
  for (int t = 0; t < 2; t++)
    table->layer[t] = wb_arena_array(arena, int64_t, entries);
  if (arena->failed)
    return false;
  for (unsigned v = 0; v < wb_potential_views(potential); v++)
    for (unsigned i = 0; i < table->components; i++)
      table->weight[v][i] = wb_potential_weight(potential, v, v % table->components, i);
  for (size_t i = 0; i < proof->state_count; i++) {
    uint64_t state = proof->state[i];
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
  return true;
}

/* Whether a table for `trailing` warps is within `memory` bytes, and the table of a checker can
 * be. */
static bool table_fits(const struct wb_potential_proof *proof, uint32_t trailing, uint64_t memory)
{
  const struct wb_pools *pools = &proof->pools;
  uint64_t lists = pools->stride[pools->count] * sizeof(struct leading_move_list);
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

/* ---- the bound ---- */

/* One warp more costs this factor more than the number of its positions says. */
#define GROWTH 1.6

/* Seconds that a step takes at least. */
#define FASTEST_STEP 3e-9

/* The largest value of a component at the start of so many warps, less its slack, in units of
 * 1 / (weight_sum * scale) cycles, and by how much the steepest rises for each warp. False: a
 * number overflows, or no component has a path to the end. */
static bool most_of(const struct table *table, uint32_t warps, int64_t *most, int64_t *slope)
{
  const struct wb_potential *potential = &table->proof->potential;
  const struct wb_pools *pools = &table->proof->pools;
  /* The state of the leading warps at the start. */
  uint64_t begin = wb_pools_begin(pools, warps - table->trailing + 1) % pools->stride[pools->count];
  const int64_t *entries = table->entries + begin * table->components;
  *most = *slope = INT64_MIN;
  for (unsigned i = 0; i < table->components; i++) {
    int64_t warp = potential->weight_sum * potential->position[i][0], sum;
    if (entries[i] == NO_PATH)
      continue;
    if (!wb_multiply_signed(warp, warps - table->trailing, &sum) ||
        !wb_add_signed(sum, entries[i], &sum))
      return false;
    *most = sum > *most ? sum : *most;
    *slope = warp > *slope ? warp : *slope;
  }
  return *slope > INT64_MIN;
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
  struct table table;
  bool ok = table_start(&table, proof, trailing, effort->steps, control) &&
            table_fill(&table, &outcome->stop);
  int64_t most, first, slope, rise;
  outcome->followed = ok && outcome->stop == WB_STOP_NONE &&
                      most_of(&table, proof->problem->warps, &most, &slope) && most >= 0;
  if (outcome->followed) {
    /* The bound and the line, from the entries of the starts. The line's start has entries wherever
     * the potential has a line: all warps stand in the potential's own start then. */
    proof->trailing = trailing;
    proof->trailing_steps = table.steps;
    proof->divisor = proof->potential.weight_sum * proof->gain;
    proof->cycles = (uint64_t)(most / proof->divisor);
    proof->steady_from = wb_pools_steady_from(&proof->pools) + trailing - 1;
    proof->has_line = proof->has_line && most_of(&table, proof->steady_from, &first, &slope) &&
                      wb_multiply_signed(slope, proof->steady_from, &rise) &&
                      wb_subtract_signed(first, rise, &proof->offset);
    proof->slope = slope;
  }
  free(table.leading.moves.to);
  free(table.leading.moves.value);
  wb_arena_free(&table.arena);
  return ok ? WARPBOUND_OK : wb_out_of_memory(error);
}

warpbound_status wb_potential_follow_more(struct wb_potential_proof *proof,
                                          const struct wb_trailing_effort *effort,
                                          const struct wb_control *control, enum wb_stop *stop,
                                          warpbound_error *error)
{
  struct wb_trailing_outcome outcome = {0};
  warpbound_status status = WARPBOUND_OK;
  uint32_t most = (uint32_t)wb_minimum(proof->problem->warps, WB_POTENTIAL_TRAILING_LIMIT);
  bool goes_on = proof->potential.shape.count > 1;
  while (status == WARPBOUND_OK && goes_on && proof->trailing < most) {
    uint32_t trailing = proof->trailing + 1;
    double steps =
        (double)proof->trailing_steps * (double)(proof->potential.length + trailing) / trailing;
    const bool in_time =
        control->deadline == 0 || wb_clock() + steps * FASTEST_STEP < control->deadline;
    if (steps * GROWTH > (double)effort->steps || !in_time)
      break;
    status = wb_potential_follow_trailing(proof, trailing, effort, control, &outcome, error);
    goes_on = outcome.followed;
  }
  *stop = outcome.stop;
  return status;
}
