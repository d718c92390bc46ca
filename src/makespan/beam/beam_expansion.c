#include "makespan/beam/beam_expansion.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/beam/beam_history.h"

#include <stdlib.h>
#include <string.h>

/* The value that moves may give up in the first pass over a state's moves beyond the least; twice
 * as much in each later one: the cheapest moves come first whatever the order of the choices. */
#define FIRST_SLACK (WB_VALUE_CYCLE / 32)
#define MOST_PASSES 12
/* Choices up to which they are sorted by insertion. */
#define MOST_INSERTED 32

bool wb_beam_expansion_start(struct wb_beam_expansion *expansion, size_t stride,
                             struct wb_arena *arena)
{
  const struct wb_kernel_string *string = &expansion->problem->string;
  expansion->end_words = wb_arena_array(arena, uint32_t, stride);
  expansion->move = wb_arena_array(arena, uint32_t, stride);
  expansion->types = wb_arena_array(arena, uint8_t, string->length + 1);
  expansion->keys = wb_arena_array(arena, uint64_t, string->length + 1);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    struct wb_beam_menu *menu = &expansion->menus[u];
    menu->choices = wb_arena_array(arena, struct wb_beam_choice, stride);
    menu->rest = wb_arena_array(arena, uint32_t, stride + 1);
  }
  if (arena->failed)
    return false;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  size_t position = 0;
  for (size_t r = 0; r < string->run_count; r++) {
    for (size_t k = 0; k < string->runs[r].length; k++, position++) {
      expansion->types[position] = (uint8_t)string->runs[r].unit;
      expansion->keys[position] = wb_random_next(&random);
    }
  }
  expansion->types[position] = WB_UNIT_COUNT;
  return true;
}

/* ---- the moves of a state ---- */

static int64_t ready_value(const struct wb_beam_expansion *expansion, unsigned unit, uint32_t warps)
{
  const struct wb_state_value *value = expansion->value;
  return value->ready[unit][warps < value->ready_limit ? warps : value->ready_limit];
}

/* Where the least advanced warp stands after the move. */
static size_t last_after(const struct wb_beam_expansion *expansion)
{
  size_t least = expansion->problem->string.length;
  for (size_t i = 0; i < expansion->state.count && i < 2; i++) {
    size_t position = wb_move_position(expansion->state.words[i]);
    if (position >= least)
      break;
    uint32_t served = 0;
    for (size_t k = 0; k < expansion->move_count; k++)
      served +=
          wb_move_position(expansion->move[k]) == position ? wb_move_warps(expansion->move[k]) : 0;
    if (served < wb_move_warps(expansion->state.words[i]))
      return position;
    least = position + 1;
  }
  return least;
}

/* The candidate that the move makes of the state. */
static struct wb_candidate weigh(const struct wb_beam_expansion *expansion)
{
  struct wb_candidate made = {.linear = expansion->state.linear,
                              .hash = expansion->state.hash,
                              .parent = expansion->state.index,
                              .word_count = (uint32_t)expansion->move_count};
  uint32_t ready[WB_UNIT_COUNT + 1];
  memcpy(ready, expansion->ready, sizeof expansion->ready);
  ready[WB_UNIT_COUNT] = 0;
  for (size_t k = 0; k < expansion->move_count; k++) {
    size_t p = wb_move_position(expansion->move[k]);
    uint32_t warps = wb_move_warps(expansion->move[k]);
    made.linear -= warps * (expansion->value->position[p] - expansion->value->position[p + 1]);
    made.hash += warps * (expansion->keys[p + 1] - expansion->keys[p]);
    ready[expansion->types[p]] -= warps;
    ready[expansion->types[p + 1]] += warps;
  }
  made.value = made.linear + expansion->value->last[last_after(expansion)];
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    made.value += ready_value(expansion, u, ready[u]);
  return made;
}

/* The move is complete: its state becomes a candidate. */
static void offer(struct wb_beam_expansion *expansion)
{
  expansion->left -= expansion->left > 0;
  if (!wb_beam_goes_on(expansion->budget, 1 + expansion->move_count))
    return;
  struct wb_candidate made = weigh(expansion);
  uint32_t left = 0; /* warps that do not issue their last instruction */
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    left += expansion->ready[u];
  for (size_t k = 0; k < expansion->move_count; k++) {
    if (wb_move_position(expansion->move[k]) + 1 == expansion->problem->string.length)
      left -= wb_move_warps(expansion->move[k]);
  }
  if (left == 0) {
    expansion->finished = true;
    expansion->end = made;
    memcpy(expansion->end_words, expansion->move, expansion->move_count * sizeof *expansion->move);
    return;
  }
  if (!wb_beam_candidates_wants(expansion->candidates, made.value, made.hash))
    return;
  uint32_t *words = wb_beam_candidates_add(expansion->candidates, &made);
  if (words == NULL)
    expansion->out_of_memory = true;
  else if (expansion->move_count > 0)
    memcpy(words, expansion->move, expansion->move_count * sizeof *words);
}

static void choose_type(struct wb_beam_expansion *expansion, unsigned unit, uint32_t left,
                        int64_t spent);

/* The least that `warps` of the choices from.. give up. */
static int64_t least_drop(const struct wb_beam_menu *menu, size_t from, uint32_t warps)
{
  int64_t sum = 0;
  for (; warps > 0; from++) {
    uint32_t here = menu->choices[from].warps < warps ? menu->choices[from].warps : warps;
    sum += here * menu->choices[from].drop;
    warps -= here;
  }
  return sum;
}

/* Lets `warps` of the choices from.. of the unit issue, the cheapest first, then goes on
 * to the next type with `left` warps; rest: the least that those will give up. */
static void choose_warps(struct wb_beam_expansion *expansion, unsigned unit, size_t from,
                         uint32_t warps, uint32_t left, int64_t spent, int64_t rest)
{
  const struct wb_beam_menu *menu = &expansion->menus[unit];
  if (warps == 0) {
    choose_type(expansion, unit + 1, left, spent);
    return;
  }
  for (; from < menu->count && menu->rest[from] >= warps; from++) { /* the first to issue */
    const struct wb_beam_choice *choice = &menu->choices[from];
    uint32_t others = menu->rest[from + 1];
    uint32_t least = warps > others ? warps - others : 1;
    for (uint32_t x = choice->warps < warps ? choice->warps : warps; x >= least; x--) {
      int64_t now = spent + x * choice->drop;
      if (expansion->left == 0)
        return;
      if (now + least_drop(menu, from + 1, warps - x) + rest > expansion->most_drop) {
        expansion->cut = true; /* fewer here, or only later ones, are dearer still */
        return;
      }
      expansion->move[expansion->move_count++] = wb_move_word(choice->position, x);
      choose_warps(expansion, unit, from + 1, warps - x, left, now, rest);
      expansion->move_count--;
    }
  }
}

/* The least that `left` warps of the types unit.. give up; where the cap leaves a choice
 * between them, a number that is not more. */
static int64_t least_of_rest(const struct wb_beam_expansion *expansion, unsigned unit,
                             uint32_t left)
{
  if (left == expansion->most_rest[unit])
    return expansion->least_rest[unit];
  int64_t cheapest = INT64_MAX;
  for (unsigned u = unit; u < WB_UNIT_COUNT; u++) {
    if (expansion->menus[u].count > 0 && expansion->menus[u].choices[0].drop < cheapest)
      cheapest = expansion->menus[u].choices[0].drop;
  }
  return left > 0 ? left * cheapest : 0;
}

/* Shares `left` warps out among the types unit.. in every way that the quota allows. */
static void choose_type(struct wb_beam_expansion *expansion, unsigned unit, uint32_t left,
                        int64_t spent)
{
  while (unit < WB_UNIT_COUNT && expansion->quota.most[unit] == 0)
    unit++;
  if (unit == WB_UNIT_COUNT) {
    offer(expansion);
    return;
  }
  uint32_t others = expansion->most_rest[unit + 1];
  uint32_t most = (uint32_t)wb_minimum(expansion->quota.most[unit], left);
  uint32_t least = left > others ? left - others : 0;
  for (uint32_t k = most + 1; k-- > least && expansion->left > 0;)
    choose_warps(expansion, unit, 0, k, left - k, spent,
                 least_of_rest(expansion, unit + 1, left - k));
}

static int compare_choices(const void *a, const void *b)
{
  const struct wb_beam_choice *x = a;
  const struct wb_beam_choice *y = b;
  if (x->drop != y->drop)
    return x->drop < y->drop ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

/* Brings the choices, which come in the order of positions, into that of drops. */
static void sort_menu(struct wb_beam_menu *menu)
{
  struct wb_beam_choice *list = menu->choices;
  if (menu->count > MOST_INSERTED) {
    qsort(list, menu->count, sizeof *list, compare_choices);
    return;
  }
  for (size_t i = 1; i < menu->count; i++) {
    struct wb_beam_choice choice = list[i];
    size_t at = i;
    for (; at > 0 && list[at - 1].drop > choice.drop; at--)
      list[at] = list[at - 1];
    list[at] = choice;
  }
}

/* From the state's words: who waits for what, and what letting them issue gives up. */
static void fill_menus(struct wb_beam_expansion *expansion)
{
  const struct wb_state_value *value = expansion->value;
  memset(expansion->ready, 0, sizeof expansion->ready);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    expansion->menus[u].count = 0;
  for (size_t i = 0; i < expansion->state.count; i++)
    expansion->ready[expansion->types[wb_move_position(expansion->state.words[i])]] +=
        wb_move_warps(expansion->state.words[i]);
  for (size_t i = 0; i < expansion->state.count; i++) {
    size_t p = wb_move_position(expansion->state.words[i]);
    uint32_t warps = wb_move_warps(expansion->state.words[i]);
    unsigned from = expansion->types[p], to = expansion->types[p + 1];
    int64_t drop = value->position[p] - value->position[p + 1];
    if (from != to)
      drop += ready_value(expansion, from, expansion->ready[from]) -
              ready_value(expansion, from, expansion->ready[from] - 1);
    if (from != to && to < WB_UNIT_COUNT)
      drop += ready_value(expansion, to, expansion->ready[to]) -
              ready_value(expansion, to, expansion->ready[to] + 1);
    if (i == 0 && warps == 1)
      drop += value->last[p] - value->last[p + 1];
    struct wb_beam_menu *menu = &expansion->menus[from];
    menu->choices[menu->count++] = (struct wb_beam_choice){drop, (uint32_t)p, warps};
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    struct wb_beam_menu *menu = &expansion->menus[u];
    sort_menu(menu);
    menu->rest[menu->count] = 0;
    for (size_t j = menu->count; j-- > 0;)
      menu->rest[j] = menu->rest[j + 1] + menu->choices[j].warps;
  }
}

/* One pass over the moves that give up at most so much value. */
static void try_moves(struct wb_beam_expansion *expansion, int64_t most_drop)
{
  expansion->most_drop = most_drop;
  expansion->cut = false;
  expansion->left = expansion->branch;
  choose_type(expansion, 0, expansion->quota.total, 0);
}

void wb_beam_expand(struct wb_beam_expansion *expansion, const struct wb_beam_state *state)
{
  expansion->state = *state;
  fill_menus(expansion);
  /* The quota of the cycle, and what the types from each on have of it. */
  expansion->quota = wb_cycle_quota(expansion->problem, expansion->ready);
  expansion->least_rest[WB_UNIT_COUNT] = 0;
  expansion->most_rest[WB_UNIT_COUNT] = 0;
  for (unsigned u = WB_UNIT_COUNT; u-- > 0;) {
    expansion->most_rest[u] = expansion->most_rest[u + 1] + expansion->quota.most[u];
    expansion->least_rest[u] = expansion->least_rest[u + 1] +
                               least_drop(&expansion->menus[u], 0, expansion->quota.most[u]);
  }
  /* One pass is enough for all moves where the ways to pick warps of each type by itself are few
   * (with a cap there can be more; then the pass ends at its limit). */
  double moves = 1;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    size_t kinds = expansion->menus[u].count;
    for (uint32_t k = 0; k < expansion->quota.most[u] && k < 64 && kinds > 1; k++)
      moves *= (double)(kinds + k) / (k + 1);
  }
  if (moves <= (double)expansion->branch) {
    try_moves(expansion, INT64_MAX);
    expansion->left_out = expansion->left_out || expansion->left == 0;
    return;
  }
  int64_t least = expansion->least_rest[0];
  if (expansion->quota.total < expansion->most_rest[0])
    least = least_of_rest(expansion, 0, expansion->quota.total);
  int64_t slack = FIRST_SLACK;
  for (int pass = 0; pass < MOST_PASSES; pass++, slack *= 2) {
    try_moves(expansion, least + slack);
    if (expansion->left == 0 || !expansion->cut || !wb_beam_goes_on(expansion->budget, 0))
      break;
  }
  expansion->left_out = expansion->left_out || expansion->left == 0 || expansion->cut;
}
