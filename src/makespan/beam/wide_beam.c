#include "makespan/beam/wide_beam.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/beam/beam_candidates.h"
#include "makespan/beam/beam_history.h"
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
  struct wb_beam_candidates candidates;
  struct wb_beam_history history;
  size_t collect_at;
  struct expansion expansion;
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

static bool start_expansion(struct expansion *expansion, size_t stride)
{
  expansion->move = wb_allocate(stride, sizeof *expansion->move);
  bool whole = expansion->move != NULL;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    expansion->menus[u].choices = wb_allocate(stride, sizeof *expansion->menus[u].choices);
    expansion->menus[u].behind = wb_allocate(stride + 1, sizeof *expansion->menus[u].behind);
    whole = whole && expansion->menus[u].choices != NULL && expansion->menus[u].behind != NULL;
  }
  return whole;
}

static void free_expansion(struct expansion *expansion)
{
  free(expansion->move);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    free(expansion->menus[u].choices);
    free(expansion->menus[u].behind);
  }
}

static bool start_positions(struct beam *beam)
{
  const struct wb_kernel_string *string = &beam->problem->string;
  beam->types = wb_allocate(string->length + 1, 1);
  beam->keys = wb_allocate(string->length + 1, sizeof *beam->keys);
  if (beam->types == NULL || beam->keys == NULL)
    return false;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  size_t position = 0;
  for (size_t r = 0; r < string->run_count; r++) {
    for (size_t k = 0; k < string->runs[r].length; k++, position++) {
      beam->types[position] = (uint8_t)string->runs[r].unit;
      beam->keys[position] = wb_random_next(&random);
    }
  }
  beam->types[position] = WB_UNIT_COUNT;
  return true;
}

static bool start_beam(struct beam *beam)
{
  size_t width = beam->options->width;
  beam->stride = (size_t)wb_minimum(beam->problem->warps, beam->problem->string.length);
  beam->now = &beam->layers[0];
  beam->next = &beam->layers[1];
  beam->collect_at = FIRST_COLLECTION;
  beam->end_words = wb_allocate(beam->stride, sizeof *beam->end_words);
  return beam->end_words != NULL && start_positions(beam) &&
         start_layer(beam->now, width, beam->stride) &&
         start_layer(beam->next, width, beam->stride) &&
         wb_beam_candidates_start(&beam->candidates, width) &&
         start_expansion(&beam->expansion, beam->stride);
}

static void free_beam(struct beam *beam)
{
  free(beam->types);
  free(beam->keys);
  free(beam->end_words);
  free_layer(&beam->layers[0]);
  free_layer(&beam->layers[1]);
  wb_beam_candidates_free(&beam->candidates);
  wb_beam_history_free(&beam->history);
  free_expansion(&beam->expansion);
}

/* Bytes that a search of that width holds, its history apart. */
static uint64_t fixed_bytes(const struct wb_problem *problem, size_t width)
{
  uint64_t stride = wb_minimum(problem->warps, problem->string.length);
  uint64_t layer = width * (stride * sizeof(uint32_t) + 24);
  return 2 * layer + wb_beam_candidates_bytes(width);
}

static uint64_t bytes_used(const struct beam *beam)
{
  return fixed_bytes(beam->problem, beam->options->width) + wb_beam_history_bytes(&beam->history) +
         (beam->candidates.word_capacity + beam->candidates.spare_capacity) * sizeof(uint32_t);
}

/* Counts steps, and says whether to go on. */
static bool goes_on(struct beam *beam, uint64_t steps)
{
  beam->result->steps += steps;
  if (beam->result->steps - beam->polled < POLL_INTERVAL)
    return beam->result->stop == WB_STOP_NONE && !beam->result->out_of_steps;
  beam->polled = beam->result->steps;
  if (beam->result->stop == WB_STOP_NONE)
    beam->result->stop = wb_control_stopped(beam->control);
  beam->result->out_of_steps =
      beam->options->steps > 0 && beam->result->steps > beam->options->steps;
  return beam->result->stop == WB_STOP_NONE && !beam->result->out_of_steps;
}

/* ---- the moves of one state ---- */

static int64_t ready_value(const struct beam *beam, unsigned unit, uint32_t warps)
{
  const struct wb_state_value *value = beam->value;
  return value->ready[unit][warps < value->ready_limit ? warps : value->ready_limit];
}

/* Where the least advanced warp stands after the move. */
static size_t last_after(const struct beam *beam)
{
  const struct expansion *expansion = &beam->expansion;
  size_t least = beam->problem->string.length;
  for (size_t i = 0; i < expansion->count && i < 2; i++) {
    size_t position = wb_move_position(expansion->words[i]);
    if (position >= least)
      break;
    uint32_t served = 0;
    for (size_t k = 0; k < expansion->move_count; k++)
      served +=
          wb_move_position(expansion->move[k]) == position ? wb_move_warps(expansion->move[k]) : 0;
    if (served < wb_move_warps(expansion->words[i]))
      return position;
    least = position + 1;
  }
  return least;
}

/* The candidate that the move makes of the state. */
static struct wb_candidate weigh(const struct beam *beam)
{
  const struct expansion *expansion = &beam->expansion;
  struct wb_candidate made = {.linear = expansion->linear,
                              .hash = expansion->hash,
                              .parent = expansion->index,
                              .word_count = (uint32_t)expansion->move_count};
  uint32_t ready[WB_UNIT_COUNT + 1];
  memcpy(ready, expansion->ready, sizeof expansion->ready);
  ready[WB_UNIT_COUNT] = 0;
  for (size_t k = 0; k < expansion->move_count; k++) {
    size_t p = wb_move_position(expansion->move[k]);
    uint32_t warps = wb_move_warps(expansion->move[k]);
    made.linear -= warps * (beam->value->position[p] - beam->value->position[p + 1]);
    made.hash += warps * (beam->keys[p + 1] - beam->keys[p]);
    ready[beam->types[p]] -= warps;
    ready[beam->types[p + 1]] += warps;
  }
  made.value = made.linear + beam->value->last[last_after(beam)];
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    made.value += ready_value(beam, u, ready[u]);
  return made;
}

/* Whether no warp is left after the move. */
static bool reaches_end(const struct beam *beam)
{
  const struct expansion *expansion = &beam->expansion;
  uint32_t warps = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    warps += expansion->ready[u];
  if (warps != expansion->quota.total)
    return false;
  for (size_t k = 0; k < expansion->move_count; k++) {
    if (wb_move_position(expansion->move[k]) + 1 < beam->problem->string.length)
      return false;
  }
  return true;
}

/* A move is complete: its state goes into the pool. */
static void offer(struct beam *beam)
{
  struct expansion *expansion = &beam->expansion;
  expansion->left -= expansion->left > 0;
  if (!goes_on(beam, 1 + expansion->move_count))
    return;
  struct wb_candidate made = weigh(beam);
  if (reaches_end(beam)) {
    beam->finished = true;
    beam->end = made;
    memcpy(beam->end_words, expansion->move, expansion->move_count * sizeof *expansion->move);
    return;
  }
  if (!wb_beam_candidates_wants(&beam->candidates, made.value, made.hash))
    return;
  uint32_t *words = wb_beam_candidates_add(&beam->candidates, &made);
  if (words == NULL)
    beam->out_of_memory = true;
  else if (expansion->move_count > 0)
    memcpy(words, expansion->move, expansion->move_count * sizeof *words);
}

static void choose_type(struct beam *beam, unsigned unit, uint32_t left, int64_t spent);

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
static void choose_warps(struct beam *beam, unsigned unit, size_t from, uint32_t warps,
                         uint32_t left, int64_t spent, int64_t rest)
{
  struct expansion *expansion = &beam->expansion;
  const struct menu *menu = &expansion->menus[unit];
  if (warps == 0) {
    choose_type(beam, unit + 1, left, spent);
    return;
  }
  for (; from < menu->count && menu->behind[from] >= warps; from++) { /* the first to issue */
    const struct choice *choice = &menu->choices[from];
    uint32_t behind = menu->behind[from + 1];
    uint32_t least = warps > behind ? warps - behind : 1;
    for (uint32_t x = choice->warps < warps ? choice->warps : warps; x >= least; x--) {
      int64_t now = spent + x * choice->drop;
      if (expansion->left == 0)
        return;
      if (now + least_drop(menu, from + 1, warps - x) + rest > expansion->budget) {
        expansion->cut = true; /* fewer here, or only later ones, are dearer still */
        return;
      }
      expansion->move[expansion->move_count++] = wb_move_word(choice->position, x);
      choose_warps(beam, unit, from + 1, warps - x, left, now, rest);
      expansion->move_count--;
    }
  }
}

/* The least that `left` warps of the types unit.. give up; where the cap leaves a choice
 * between them, a number that is not more. */
static int64_t least_of_rest(const struct expansion *expansion, unsigned unit, uint32_t left)
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
static void choose_type(struct beam *beam, unsigned unit, uint32_t left, int64_t spent)
{
  struct expansion *expansion = &beam->expansion;
  if (unit == WB_UNIT_COUNT) {
    offer(beam);
    return;
  }
  uint32_t behind = expansion->most_rest[unit + 1];
  uint32_t most = (uint32_t)wb_minimum(expansion->quota.most[unit], left);
  uint32_t least = left > behind ? left - behind : 0;
  for (uint32_t k = most + 1; k-- > least && expansion->left > 0;)
    choose_warps(beam, unit, 0, k, left - k, spent, least_of_rest(expansion, unit + 1, left - k));
}

/* What a warp gives up that goes from position p on, by itself. */
static int64_t drop_at(const struct beam *beam, size_t p)
{
  const struct expansion *expansion = &beam->expansion;
  unsigned from = beam->types[p], to = beam->types[p + 1];
  int64_t drop = beam->value->position[p] - beam->value->position[p + 1];
  if (from == to)
    return drop;
  drop += ready_value(beam, from, expansion->ready[from]) -
          ready_value(beam, from, expansion->ready[from] - 1);
  if (to < WB_UNIT_COUNT)
    drop += ready_value(beam, to, expansion->ready[to]) -
            ready_value(beam, to, expansion->ready[to] + 1);
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
static void share_quota(struct beam *beam)
{
  struct expansion *expansion = &beam->expansion;
  expansion->quota = wb_cycle_quota(beam->problem, expansion->ready);
  expansion->least_rest[WB_UNIT_COUNT] = 0;
  expansion->most_rest[WB_UNIT_COUNT] = 0;
  for (unsigned u = WB_UNIT_COUNT; u-- > 0;) {
    expansion->most_rest[u] = expansion->most_rest[u + 1] + expansion->quota.most[u];
    expansion->least_rest[u] = expansion->least_rest[u + 1] +
                               least_drop(&expansion->menus[u], 0, expansion->quota.most[u]);
  }
}

/* From the state's words: who waits for what, and what letting them issue gives up. */
static void fill_menus(struct beam *beam)
{
  struct expansion *expansion = &beam->expansion;
  memset(expansion->ready, 0, sizeof expansion->ready);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    expansion->menus[u].count = 0;
  for (size_t i = 0; i < expansion->count; i++)
    expansion->ready[beam->types[wb_move_position(expansion->words[i])]] +=
        wb_move_warps(expansion->words[i]);
  for (size_t i = 0; i < expansion->count; i++) {
    size_t p = wb_move_position(expansion->words[i]);
    int64_t drop = drop_at(beam, p);
    if (i == 0 && wb_move_warps(expansion->words[i]) == 1)
      drop += beam->value->last[p] - beam->value->last[p + 1];
    struct menu *menu = &expansion->menus[beam->types[p]];
    menu->choices[menu->count++] =
        (struct choice){drop, (uint32_t)p, wb_move_warps(expansion->words[i])};
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    struct menu *menu = &expansion->menus[u];
    sort_menu(menu);
    menu->behind[menu->count] = 0;
    for (size_t j = menu->count; j-- > 0;)
      menu->behind[j] = menu->behind[j + 1] + menu->choices[j].warps;
  }
}

/* One pass over the moves that give up at most the budget. */
static void try_moves(struct beam *beam, int64_t budget)
{
  beam->expansion.budget = budget;
  beam->expansion.cut = false;
  beam->expansion.left = beam->options->branch;
  choose_type(beam, 0, beam->expansion.quota.total, 0);
}

/* Whether one pass is enough for all moves: the ways to pick warps of each type by itself
 * are few (with a cap there can be more; then the pass ends at its limit). */
static bool has_few_moves(const struct beam *beam)
{
  const struct expansion *expansion = &beam->expansion;
  double moves = 1;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    size_t kinds = expansion->menus[u].count;
    for (uint32_t k = 0; k < expansion->quota.most[u] && k < 64 && kinds > 1; k++)
      moves *= (double)(kinds + k) / (k + 1);
  }
  return moves <= (double)beam->options->branch;
}

static void expand(struct beam *beam, size_t index)
{
  struct expansion *expansion = &beam->expansion;
  const struct layer *layer = beam->now;
  expansion->words = layer->words + index * beam->stride;
  expansion->count = layer->count[index];
  expansion->linear = layer->linear[index];
  expansion->hash = layer->hash[index];
  expansion->index = (uint32_t)index;
  fill_menus(beam);
  share_quota(beam);
  if (has_few_moves(beam)) {
    try_moves(beam, INT64_MAX);
    beam->left_out = beam->left_out || expansion->left == 0;
    return;
  }
  int64_t least = expansion->least_rest[0];
  if (expansion->quota.total < expansion->most_rest[0])
    least = least_of_rest(expansion, 0, expansion->quota.total);
  int64_t slack = FIRST_SLACK;
  for (int pass = 0; pass < MOST_PASSES; pass++, slack *= 2) {
    try_moves(beam, least + slack);
    if (expansion->left == 0 || !expansion->cut || !goes_on(beam, 0))
      break;
  }
  beam->left_out = beam->left_out || expansion->left == 0 || expansion->cut;
}

/* ---- from one layer to the next ---- */

/* The words of the state that the candidate's move makes of its parent. */
static uint32_t apply_move(const struct beam *beam, const struct wb_candidate *candidate,
                           uint32_t *to)
{
  const uint32_t *from = beam->now->words + candidate->parent * beam->stride;
  size_t count = beam->now->count[candidate->parent];
  const uint32_t *move = beam->candidates.words + candidate->words;
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
    if (served > 0 && position + 1 < beam->problem->string.length)
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
static uint32_t remember(struct beam *beam, uint32_t parent, uint32_t *words, size_t count)
{
  if (count > 1)
    qsort(words, count, sizeof *words, compare_words);
  uint32_t node = wb_beam_history_add(&beam->history, beam->now->node[parent], words, count);
  beam->out_of_memory = beam->out_of_memory || node == WB_NO_NODE;
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
static void settle_layer(struct beam *beam)
{
  struct wb_beam_candidates *candidates = &beam->candidates;
  if (!wb_beam_candidates_narrow(candidates)) {
    beam->out_of_memory = true;
    return;
  }
  if (candidates->count > 1)
    qsort(candidates->list, candidates->count, sizeof *candidates->list, compare_candidates);
  struct layer *next = beam->next;
  for (size_t i = 0; i < candidates->count && !beam->out_of_memory; i++) {
    const struct wb_candidate *candidate = &candidates->list[i];
    next->count[i] = apply_move(beam, candidate, next->words + i * beam->stride);
    next->linear[i] = candidate->linear;
    next->hash[i] = candidate->hash;
    next->node[i] = remember(beam, candidate->parent, candidates->words + candidate->words,
                             candidate->word_count);
  }
  next->states = candidates->count;
  beam->result->states += candidates->count;
}

/* The end was reached: the schedule, if it is longer than asked. It is the longest so far,
 * for layers come in the order of cycles. */
static warpbound_status keep_end(struct beam *beam, warpbound_error *error)
{
  beam->finished = false;
  beam->result->longest = beam->cycle;
  if (beam->cycle <= beam->options->longer_than)
    return WARPBOUND_OK;
  uint32_t node = remember(beam, beam->end.parent, beam->end_words, beam->end.word_count);
  if (beam->out_of_memory)
    return WARPBOUND_OK;
  wb_schedule_free(&beam->result->witness);
  return wb_beam_history_schedule(&beam->history, node, beam->problem, &beam->result->witness,
                                  error);
}

/* Lets go of what leads nowhere, and looks at the memory. */
static void tidy(struct beam *beam)
{
  uint64_t bytes = bytes_used(beam);
  beam->result->bytes = wb_maximum(beam->result->bytes, bytes);
  if (bytes > beam->options->memory)
    beam->result->stop = WB_STOP_MEMORY;
  if (beam->history.count < beam->collect_at)
    return;
  if (!wb_beam_history_collect(&beam->history, beam->now->node, beam->now->states))
    beam->out_of_memory = true;
  beam->collect_at = (size_t)wb_maximum(FIRST_COLLECTION, 2 * beam->history.count);
}

static warpbound_status advance(struct beam *beam, warpbound_error *error)
{
  beam->cycle++;
  wb_beam_candidates_empty(&beam->candidates);
  for (size_t i = 0; i < beam->now->states && goes_on(beam, 8 + beam->now->count[i]); i++)
    expand(beam, i);
  if (!goes_on(beam, 0) || beam->out_of_memory)
    return WARPBOUND_OK;
  warpbound_status status = beam->finished ? keep_end(beam, error) : WARPBOUND_OK;
  settle_layer(beam);
  struct layer *spent = beam->now;
  beam->now = beam->next;
  beam->next = spent;
  tidy(beam);
  return status;
}

static bool start_state(struct beam *beam)
{
  struct layer *layer = beam->now;
  layer->states = 1;
  layer->count[0] = 1;
  layer->words[0] = wb_move_word(0, beam->problem->warps);
  layer->linear[0] = beam->problem->warps * beam->value->position[0];
  layer->hash[0] = beam->problem->warps * beam->keys[0];
  layer->node[0] = wb_beam_history_add(&beam->history, WB_NO_NODE, NULL, 0);
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
  struct beam beam = {
      .problem = problem, .value = value, .options = options, .control = control, .result = result};
  warpbound_status status = WARPBOUND_OK;
  beam.out_of_memory = !start_beam(&beam) || !start_state(&beam);
  while (status == WARPBOUND_OK && !beam.out_of_memory && beam.now->states > 0 && goes_on(&beam, 0))
    status = advance(&beam, error);
  if (beam.out_of_memory)
    result->stop = WB_STOP_MEMORY;
  result->complete = status == WARPBOUND_OK && result->stop == WB_STOP_NONE &&
                     !result->out_of_steps && !beam.left_out && !beam.candidates.dropped;
  free_beam(&beam);
  return status;
}
