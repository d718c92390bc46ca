#include "makespan/beam/wide_beam.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/beam/beam_history.h"
#include "makespan/beam/beam_pool.h"
#include "makespan/machine/cycle.h"

#include <stdlib.h>
#include <string.h>

/* Steps between two looks at the control. */
#define POLL_INTERVAL 65536
/* The slack of the first pass over a state's moves, each later one having twice as much:
 * the cheapest moves come first whatever the order of the choices. */
#define FIRST_SLACK (WB_VALUE_CYCLE / 32)
#define MOST_PASSES 12
/* Most positions with warps: moves are made by recursion, one level a position. */
#define MOST_OCCUPIED 4096
/* Choices up to which they are sorted by insertion. */
#define MOST_INSERTED 32
/* Nodes of the history beyond which dead ones are looked for. */
#define FIRST_COLLECTION ((size_t)1 << 16)

/* The states of one cycle. State i has count[i] words (wb_move_word) in
 * words[i * stride ..], one for each position with warps, in ascending order. linear: the
 * part of its value that adds up over warps; node: its place in the history. */
struct layer {
  uint32_t *words;
  uint32_t *count;
  int64_t *linear;
  uint64_t *hash;
  uint32_t *node;
  size_t states;
};

/* Some warps at a position that wait for the type whose list this is in: what value one
 * of them gives up by issuing, as far as that can be said of it alone. */
struct choice {
  int64_t drop;
  uint32_t position;
  uint32_t warps;
};

/* The choices of one type, cheapest first; behind[j]: warps in the choices j.. */
struct menu {
  struct choice *choices;
  uint32_t *behind;
  size_t count;
};

/* The state under expansion and the move under construction. ready: warps that wait for
 * each type; least_rest, most_rest: of the types u.., the least that their part of the
 * quota gives up, and its warps. move: the words of the move so far. budget: the most value
 * that a move of this pass may give up; left: moves that may still be tried. cut: a pass
 * left a move out for its price. */
struct expansion {
  const uint32_t *words;
  size_t count;
  int64_t linear;
  uint64_t hash;
  uint32_t index;
  uint32_t ready[WB_UNIT_COUNT];
  struct wb_quota quota;
  struct menu menus[WB_UNIT_COUNT];
  int64_t least_rest[WB_UNIT_COUNT + 1];
  uint32_t most_rest[WB_UNIT_COUNT + 1];
  uint32_t *move;
  size_t move_count;
  int64_t budget;
  size_t left;
  bool cut;
};

struct beam {
  const struct wb_problem *problem;
  const struct wb_state_value *value;
  const struct wb_beam_options *options;
  const struct wb_control *control;
  struct wb_beam_result *result;
  size_t stride;
  uint8_t *types; /* of each position; WB_UNIT_COUNT past the end */
  uint64_t *keys; /* of a warp at each position; 0 past the end */
  struct layer layers[2];
  struct layer *now;
  struct layer *next;
  struct wb_beam_pool pool;
  struct wb_beam_history history;
  size_t collect_at;
  struct expansion e;
  uint64_t cycle;
  uint64_t polled;
  bool finished; /* the last cycle's moves reached the end */
  struct wb_candidate end;
  uint32_t *end_words;
  bool left_out; /* a move was not tried */
  bool out_of_memory;
};

bool wb_wide_beam_fits(const struct wb_problem *problem)
{
  return problem->warps <= WB_VALUE_MOST && problem->string.length <= WB_VALUE_MOST &&
         (problem->warps <= MOST_OCCUPIED || problem->string.length <= MOST_OCCUPIED) &&
         problem->string.length <= WB_SCHEDULE_LIMIT / problem->warps;
}

/* ---- the beam's arrays ---- */

static bool start_layer(struct layer *layer, size_t width, size_t stride)
{
  if (width > SIZE_MAX / stride)
    return false;
  layer->words = wb_allocate(width * stride, sizeof *layer->words);
  layer->count = wb_allocate(width, sizeof *layer->count);
  layer->linear = wb_allocate(width, sizeof *layer->linear);
  layer->hash = wb_allocate(width, sizeof *layer->hash);
  layer->node = wb_allocate(width, sizeof *layer->node);
  return layer->words != NULL && layer->count != NULL && layer->linear != NULL &&
         layer->hash != NULL && layer->node != NULL;
}

static void free_layer(struct layer *layer)
{
  free(layer->words);
  free(layer->count);
  free(layer->linear);
  free(layer->hash);
  free(layer->node);
}

static bool start_expansion(struct expansion *e, size_t stride)
{
  e->move = wb_allocate(stride, sizeof *e->move);
  bool whole = e->move != NULL;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    e->menus[u].choices = wb_allocate(stride, sizeof *e->menus[u].choices);
    e->menus[u].behind = wb_allocate(stride + 1, sizeof *e->menus[u].behind);
    whole = whole && e->menus[u].choices != NULL && e->menus[u].behind != NULL;
  }
  return whole;
}

static void free_expansion(struct expansion *e)
{
  free(e->move);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    free(e->menus[u].choices);
    free(e->menus[u].behind);
  }
}

static bool start_positions(struct beam *b)
{
  const struct wb_kernel_string *string = &b->problem->string;
  b->types = wb_allocate(string->length + 1, 1);
  b->keys = wb_allocate(string->length + 1, sizeof *b->keys);
  if (b->types == NULL || b->keys == NULL)
    return false;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  size_t position = 0;
  for (size_t r = 0; r < string->run_count; r++) {
    for (size_t k = 0; k < string->runs[r].length; k++, position++) {
      b->types[position] = (uint8_t)string->runs[r].unit;
      b->keys[position] = wb_random_next(&random);
    }
  }
  b->types[position] = WB_UNIT_COUNT;
  return true;
}

static bool start(struct beam *b)
{
  size_t width = b->options->width;
  b->stride = (size_t)wb_minimum(b->problem->warps, b->problem->string.length);
  b->now = &b->layers[0];
  b->next = &b->layers[1];
  b->collect_at = FIRST_COLLECTION;
  b->end_words = wb_allocate(b->stride, sizeof *b->end_words);
  return b->end_words != NULL && start_positions(b) && start_layer(b->now, width, b->stride) &&
         start_layer(b->next, width, b->stride) && wb_beam_pool_start(&b->pool, width) &&
         start_expansion(&b->e, b->stride);
}

static void finish(struct beam *b)
{
  free(b->types);
  free(b->keys);
  free(b->end_words);
  free_layer(&b->layers[0]);
  free_layer(&b->layers[1]);
  wb_beam_pool_free(&b->pool);
  wb_beam_history_free(&b->history);
  free_expansion(&b->e);
}

/* Bytes that a search of that width holds, its history apart. */
static uint64_t fixed_bytes(const struct wb_problem *problem, size_t width)
{
  uint64_t stride = wb_minimum(problem->warps, problem->string.length);
  uint64_t layer = width * (stride * sizeof(uint32_t) + 24);
  return 2 * layer + wb_beam_pool_need(width);
}

static uint64_t bytes_used(const struct beam *b)
{
  return fixed_bytes(b->problem, b->options->width) + wb_beam_history_bytes(&b->history) +
         (b->pool.word_capacity + b->pool.spare_capacity) * sizeof(uint32_t);
}

/* Counts steps, and says whether to go on. */
static bool goes_on(struct beam *b, uint64_t steps)
{
  b->result->work += steps;
  if (b->result->work - b->polled < POLL_INTERVAL)
    return b->result->stop == WB_STOP_NONE && !b->result->out_of_work;
  b->polled = b->result->work;
  if (b->result->stop == WB_STOP_NONE)
    b->result->stop = wb_control_stopped(b->control);
  b->result->out_of_work = b->options->work > 0 && b->result->work > b->options->work;
  return b->result->stop == WB_STOP_NONE && !b->result->out_of_work;
}

/* ---- the moves of one state ---- */

static int64_t ready_value(const struct beam *b, unsigned unit, uint32_t warps)
{
  const struct wb_state_value *value = b->value;
  return value->ready[unit][warps < value->ready_limit ? warps : value->ready_limit];
}

/* Where the least advanced warp stands after the move. */
static size_t last_after(const struct beam *b)
{
  const struct expansion *e = &b->e;
  size_t least = b->problem->string.length;
  for (size_t i = 0; i < e->count && i < 2; i++) {
    size_t position = wb_move_position(e->words[i]);
    if (position >= least)
      break;
    uint32_t served = 0;
    for (size_t k = 0; k < e->move_count; k++)
      served += wb_move_position(e->move[k]) == position ? wb_move_warps(e->move[k]) : 0;
    if (served < wb_move_warps(e->words[i]))
      return position;
    least = position + 1;
  }
  return least;
}

/* The candidate that the move makes of the state. */
static struct wb_candidate weigh(const struct beam *b)
{
  const struct expansion *e = &b->e;
  struct wb_candidate made = {.linear = e->linear,
                              .hash = e->hash,
                              .parent = e->index,
                              .word_count = (uint32_t)e->move_count};
  uint32_t ready[WB_UNIT_COUNT + 1];
  memcpy(ready, e->ready, sizeof e->ready);
  ready[WB_UNIT_COUNT] = 0;
  for (size_t k = 0; k < e->move_count; k++) {
    size_t p = wb_move_position(e->move[k]);
    uint32_t warps = wb_move_warps(e->move[k]);
    made.linear -= warps * (b->value->position[p] - b->value->position[p + 1]);
    made.hash += warps * (b->keys[p + 1] - b->keys[p]);
    ready[b->types[p]] -= warps;
    ready[b->types[p + 1]] += warps;
  }
  made.value = made.linear + b->value->last[last_after(b)];
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    made.value += ready_value(b, u, ready[u]);
  return made;
}

/* Whether no warp is left after the move. */
static bool reaches_end(const struct beam *b)
{
  const struct expansion *e = &b->e;
  uint32_t warps = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    warps += e->ready[u];
  if (warps != e->quota.total)
    return false;
  for (size_t k = 0; k < e->move_count; k++) {
    if (wb_move_position(e->move[k]) + 1 < b->problem->string.length)
      return false;
  }
  return true;
}

/* A move is complete: its state goes into the pool. */
static void offer(struct beam *b)
{
  struct expansion *e = &b->e;
  e->left -= e->left > 0;
  if (!goes_on(b, 1 + e->move_count))
    return;
  struct wb_candidate made = weigh(b);
  if (reaches_end(b)) {
    b->finished = true;
    b->end = made;
    memcpy(b->end_words, e->move, e->move_count * sizeof *e->move);
    return;
  }
  if (!wb_beam_pool_wants(&b->pool, made.value, made.hash))
    return;
  uint32_t *words = wb_beam_pool_add(&b->pool, &made);
  if (words == NULL)
    b->out_of_memory = true;
  else if (e->move_count > 0)
    memcpy(words, e->move, e->move_count * sizeof *words);
}

static void choose_type(struct beam *b, unsigned unit, uint32_t left, int64_t spent);

/* The least that `warps` of the choices from.. give up. */
static int64_t least_drop(const struct menu *menu, size_t from, uint32_t warps)
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
static void choose_warps(struct beam *b, unsigned unit, size_t from, uint32_t warps, uint32_t left,
                         int64_t spent, int64_t rest)
{
  struct expansion *e = &b->e;
  const struct menu *menu = &e->menus[unit];
  if (warps == 0) {
    choose_type(b, unit + 1, left, spent);
    return;
  }
  for (; from < menu->count && menu->behind[from] >= warps; from++) { /* the first to issue */
    const struct choice *choice = &menu->choices[from];
    uint32_t behind = menu->behind[from + 1];
    uint32_t least = warps > behind ? warps - behind : 1;
    for (uint32_t x = choice->warps < warps ? choice->warps : warps; x >= least; x--) {
      int64_t now = spent + x * choice->drop;
      if (e->left == 0)
        return;
      if (now + least_drop(menu, from + 1, warps - x) + rest > e->budget) {
        e->cut = true; /* fewer here, or only later ones, are dearer still */
        return;
      }
      e->move[e->move_count++] = wb_move_word(choice->position, x);
      choose_warps(b, unit, from + 1, warps - x, left, now, rest);
      e->move_count--;
    }
  }
}

/* The least that `left` warps of the types unit.. give up; where the cap leaves a choice
 * between them, a number that is not more. */
static int64_t least_of_rest(const struct expansion *e, unsigned unit, uint32_t left)
{
  if (left == e->most_rest[unit])
    return e->least_rest[unit];
  int64_t cheapest = INT64_MAX;
  for (unsigned u = unit; u < WB_UNIT_COUNT; u++) {
    if (e->menus[u].count > 0 && e->menus[u].choices[0].drop < cheapest)
      cheapest = e->menus[u].choices[0].drop;
  }
  return left > 0 ? left * cheapest : 0;
}

/* Shares `left` warps out among the types unit.. in every way that the quota allows. */
static void choose_type(struct beam *b, unsigned unit, uint32_t left, int64_t spent)
{
  struct expansion *e = &b->e;
  if (unit == WB_UNIT_COUNT) {
    offer(b);
    return;
  }
  uint32_t behind = e->most_rest[unit + 1];
  uint32_t most = (uint32_t)wb_minimum(e->quota.most[unit], left);
  uint32_t least = left > behind ? left - behind : 0;
  for (uint32_t k = most + 1; k-- > least && e->left > 0;)
    choose_warps(b, unit, 0, k, left - k, spent, least_of_rest(e, unit + 1, left - k));
}

/* What a warp gives up that goes from position p on, by itself. */
static int64_t drop_at(const struct beam *b, size_t p)
{
  const struct expansion *e = &b->e;
  unsigned from = b->types[p], to = b->types[p + 1];
  int64_t drop = b->value->position[p] - b->value->position[p + 1];
  if (from == to)
    return drop;
  drop += ready_value(b, from, e->ready[from]) - ready_value(b, from, e->ready[from] - 1);
  if (to < WB_UNIT_COUNT)
    drop += ready_value(b, to, e->ready[to]) - ready_value(b, to, e->ready[to] + 1);
  return drop;
}

static int compare_choices(const void *a, const void *b)
{
  const struct choice *x = a;
  const struct choice *y = b;
  if (x->drop != y->drop)
    return x->drop < y->drop ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

/* Brings the choices, which come in the order of positions, into that of drops. */
static void sort_menu(struct menu *menu)
{
  struct choice *list = menu->choices;
  if (menu->count > MOST_INSERTED) {
    qsort(list, menu->count, sizeof *list, compare_choices);
    return;
  }
  for (size_t i = 1; i < menu->count; i++) {
    struct choice choice = list[i];
    size_t at = i;
    for (; at > 0 && list[at - 1].drop > choice.drop; at--)
      list[at] = list[at - 1];
    list[at] = choice;
  }
}

/* The quota of the cycle, and what the types from each on have of it. */
static void share_quota(struct beam *b)
{
  struct expansion *e = &b->e;
  e->quota = wb_cycle_quota(b->problem, e->ready);
  e->least_rest[WB_UNIT_COUNT] = 0;
  e->most_rest[WB_UNIT_COUNT] = 0;
  for (unsigned u = WB_UNIT_COUNT; u-- > 0;) {
    e->most_rest[u] = e->most_rest[u + 1] + e->quota.most[u];
    e->least_rest[u] = e->least_rest[u + 1] + least_drop(&e->menus[u], 0, e->quota.most[u]);
  }
}

/* From the state's words: who waits for what, and what letting them issue gives up. */
static void fill_menus(struct beam *b)
{
  struct expansion *e = &b->e;
  memset(e->ready, 0, sizeof e->ready);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    e->menus[u].count = 0;
  for (size_t i = 0; i < e->count; i++)
    e->ready[b->types[wb_move_position(e->words[i])]] += wb_move_warps(e->words[i]);
  for (size_t i = 0; i < e->count; i++) {
    size_t p = wb_move_position(e->words[i]);
    int64_t drop = drop_at(b, p);
    if (i == 0 && wb_move_warps(e->words[i]) == 1)
      drop += b->value->last[p] - b->value->last[p + 1];
    struct menu *menu = &e->menus[b->types[p]];
    menu->choices[menu->count++] = (struct choice){drop, (uint32_t)p, wb_move_warps(e->words[i])};
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    struct menu *menu = &e->menus[u];
    sort_menu(menu);
    menu->behind[menu->count] = 0;
    for (size_t j = menu->count; j-- > 0;)
      menu->behind[j] = menu->behind[j + 1] + menu->choices[j].warps;
  }
}

/* One pass over the moves that give up at most the budget. */
static void try_moves(struct beam *b, int64_t budget)
{
  b->e.budget = budget;
  b->e.cut = false;
  b->e.left = b->options->branch;
  choose_type(b, 0, b->e.quota.total, 0);
}

/* Whether one pass is enough for all moves: the ways to pick warps of each type by itself
 * are few (with a cap there can be more; then the pass ends at its limit). */
static bool has_few_moves(const struct beam *b)
{
  const struct expansion *e = &b->e;
  double moves = 1;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    size_t kinds = e->menus[u].count;
    for (uint32_t k = 0; k < e->quota.most[u] && k < 64 && kinds > 1; k++)
      moves *= (double)(kinds + k) / (k + 1);
  }
  return moves <= (double)b->options->branch;
}

static void expand(struct beam *b, size_t index)
{
  struct expansion *e = &b->e;
  const struct layer *layer = b->now;
  e->words = layer->words + index * b->stride;
  e->count = layer->count[index];
  e->linear = layer->linear[index];
  e->hash = layer->hash[index];
  e->index = (uint32_t)index;
  fill_menus(b);
  share_quota(b);
  if (has_few_moves(b)) {
    try_moves(b, INT64_MAX);
    b->left_out = b->left_out || e->left == 0;
    return;
  }
  int64_t least = e->least_rest[0];
  if (e->quota.total < e->most_rest[0])
    least = least_of_rest(e, 0, e->quota.total);
  int64_t slack = FIRST_SLACK;
  for (int pass = 0; pass < MOST_PASSES; pass++, slack *= 2) {
    try_moves(b, least + slack);
    if (e->left == 0 || !e->cut || !goes_on(b, 0))
      break;
  }
  b->left_out = b->left_out || e->left == 0 || e->cut;
}

/* ---- from one layer to the next ---- */

/* The words of the state that the candidate's move makes of its parent. */
static uint32_t apply_move(const struct beam *b, const struct wb_candidate *candidate, uint32_t *to)
{
  const uint32_t *from = b->now->words + candidate->parent * b->stride;
  size_t count = b->now->count[candidate->parent];
  const uint32_t *move = b->pool.words + candidate->words;
  uint32_t made = 0;
  for (size_t i = 0; i < count; i++) {
    size_t position = wb_move_position(from[i]);
    uint32_t served = 0;
    for (size_t k = 0; k < candidate->word_count; k++)
      served += wb_move_position(move[k]) == position ? wb_move_warps(move[k]) : 0;
    uint32_t stay = wb_move_warps(from[i]) - served;
    /* The position before may have put warps here already. */
    if (stay > 0) {
      if (made > 0 && wb_move_position(to[made - 1]) == position)
        to[made - 1] += stay;
      else
        to[made++] = wb_move_word(position, stay);
    }
    if (served > 0 && position + 1 < b->problem->string.length)
      to[made++] = wb_move_word(position + 1, served);
  }
  return made;
}

static int compare_words(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a;
  uint32_t y = *(const uint32_t *)b;
  return (x < y) - (x > y);
}

/* Adds the move to the history, its last position first. */
static uint32_t remember(struct beam *b, uint32_t parent, uint32_t *words, size_t count)
{
  if (count > 1)
    qsort(words, count, sizeof *words, compare_words);
  uint32_t node = wb_beam_history_add(&b->history, b->now->node[parent], words, count);
  b->out_of_memory = b->out_of_memory || node == WB_NO_NODE;
  return node;
}

static int compare_candidates(const void *a, const void *b)
{
  const struct wb_candidate *x = a;
  const struct wb_candidate *y = b;
  if (x->value != y->value)
    return x->value < y->value ? 1 : -1;
  return (x->hash > y->hash) - (x->hash < y->hash);
}

/* The pool's best become the layer, the most valued first. */
static void settle_layer(struct beam *b)
{
  struct wb_beam_pool *pool = &b->pool;
  if (!wb_beam_pool_narrow(pool)) {
    b->out_of_memory = true;
    return;
  }
  if (pool->count > 1)
    qsort(pool->candidates, pool->count, sizeof *pool->candidates, compare_candidates);
  struct layer *next = b->next;
  for (size_t i = 0; i < pool->count && !b->out_of_memory; i++) {
    const struct wb_candidate *candidate = &pool->candidates[i];
    next->count[i] = apply_move(b, candidate, next->words + i * b->stride);
    next->linear[i] = candidate->linear;
    next->hash[i] = candidate->hash;
    next->node[i] =
        remember(b, candidate->parent, pool->words + candidate->words, candidate->word_count);
  }
  next->states = pool->count;
  b->result->states += pool->count;
}

/* The end was reached: the schedule, if it is longer than asked. It is the longest so far,
 * for layers come in the order of cycles. */
static warpbound_status keep_end(struct beam *b, warpbound_error *error)
{
  b->finished = false;
  b->result->longest = b->cycle;
  if (b->cycle <= b->options->longer_than)
    return WARPBOUND_OK;
  uint32_t node = remember(b, b->end.parent, b->end_words, b->end.word_count);
  if (b->out_of_memory)
    return WARPBOUND_OK;
  wb_schedule_free(&b->result->witness);
  return wb_beam_history_schedule(&b->history, node, b->problem, &b->result->witness, error);
}

/* Lets go of what leads nowhere, and looks at the memory. */
static void tidy(struct beam *b)
{
  uint64_t bytes = bytes_used(b);
  b->result->bytes = wb_maximum(b->result->bytes, bytes);
  if (bytes > b->options->memory)
    b->result->stop = WB_STOP_MEMORY;
  if (b->history.count < b->collect_at)
    return;
  if (!wb_beam_history_collect(&b->history, b->now->node, b->now->states))
    b->out_of_memory = true;
  b->collect_at = (size_t)wb_maximum(FIRST_COLLECTION, 2 * b->history.count);
}

static warpbound_status advance(struct beam *b, warpbound_error *error)
{
  b->cycle++;
  wb_beam_pool_empty(&b->pool);
  for (size_t i = 0; i < b->now->states && goes_on(b, 8 + b->now->count[i]); i++)
    expand(b, i);
  if (!goes_on(b, 0) || b->out_of_memory)
    return WARPBOUND_OK;
  warpbound_status status = b->finished ? keep_end(b, error) : WARPBOUND_OK;
  settle_layer(b);
  struct layer *spent = b->now;
  b->now = b->next;
  b->next = spent;
  tidy(b);
  return status;
}

static bool start_state(struct beam *b)
{
  struct layer *layer = b->now;
  layer->states = 1;
  layer->count[0] = 1;
  layer->words[0] = wb_move_word(0, b->problem->warps);
  layer->linear[0] = b->problem->warps * b->value->position[0];
  layer->hash[0] = b->problem->warps * b->keys[0];
  layer->node[0] = wb_beam_history_add(&b->history, WB_NO_NODE, NULL, 0);
  return layer->node[0] != WB_NO_NODE;
}

warpbound_status wb_wide_beam_search(const struct wb_problem *problem,
                                     const struct wb_state_value *value,
                                     const struct wb_beam_options *options,
                                     const struct wb_control *control,
                                     struct wb_beam_result *result, warpbound_error *error)
{
  *result = (struct wb_beam_result){0};
  if (fixed_bytes(problem, options->width) > options->memory) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct beam b = {
      .problem = problem, .value = value, .options = options, .control = control, .result = result};
  warpbound_status status = WARPBOUND_OK;
  b.out_of_memory = !start(&b) || !start_state(&b);
  while (status == WARPBOUND_OK && !b.out_of_memory && b.now->states > 0 && goes_on(&b, 0))
    status = advance(&b, error);
  if (b.out_of_memory)
    result->stop = WB_STOP_MEMORY;
  result->complete = status == WARPBOUND_OK && result->stop == WB_STOP_NONE &&
                     !result->out_of_work && !b.left_out && !b.pool.dropped;
  finish(&b);
  return status;
}
