#include "makespan/beam/wide_beam.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/beam/beam_candidates.h"
#include "makespan/machine/sm_machine.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Most positions with warps: moves are made by recursion, one level a position. */
#define MOST_OCCUPIED 4096
/* Nodes of the history beyond which dead ones are looked for. */
#define FIRST_COLLECTION ((size_t)1 << 16)

/* The value that moves may give up in the first pass over a state's moves beyond the least; twice
 * as much in each later one: the cheapest moves come first whatever the order of the choices. */
#define FIRST_SLACK (WB_VALUE_CYCLE / 32)
#define MOST_PASSES 12
/* Choices up to which they are sorted by insertion. */
#define MOST_INSERTED 32

/* A state. Borrows its words. */
struct state {
  const uint32_t *words; /* (wb_move_word) one for each position with warps, ascending */
  size_t count;          /* of them */
  int64_t linear;        /* the part of its value that adds up over warps */
  uint64_t hash;
  uint32_t index; /* in its layer */
};

/* Warps at a position that wait for the type whose menu this is in. */
struct choice {
  /* the value that one of them gives up by issuing, as far as it depends on it alone */
  int64_t drop;
  uint32_t position;
  uint32_t warps;
};

/* The choices of one type. */
struct menu {
  struct choice *choices; /* cheapest first */
  uint32_t *rest;         /* by choice: warps in it and those after it */
  size_t count;
};

/* The state under expansion and the move under construction. Borrows the first part, which the
 * caller sets. */
struct expansion {
  const struct wb_problem *problem;
  const struct wb_state_value *value;
  size_t branch; /* about how many moves of a state are tried */
  struct wb_beam_budget *budget;
  struct wb_beam_candidates *candidates; /* successors are added to them */

  uint8_t *types; /* of each position; WB_UNIT_COUNT past the end */
  uint64_t *keys; /* of a warp at each position; 0 past the end. A state's hash is their sum */
  struct state state;
  uint32_t ready[WB_UNIT_COUNT]; /* warps that wait for each type */
  struct wb_quota quota;         /* of the cycle */
  struct menu menus[WB_UNIT_COUNT];
  int64_t least_rest[WB_UNIT_COUNT + 1]; /* the least value that the part of the quota of the types
                                          * from each on gives up */
  uint32_t most_rest[WB_UNIT_COUNT + 1]; /* warps of that part */
  uint32_t *move;                        /* words of the move so far */
  size_t move_count;
  int64_t most_drop;       /* the most value that a move of this pass may give up */
  size_t left;             /* moves that may still be tried */
  bool cut;                /* this pass left a move out for its price */
  bool finished;           /* a move has reached the end; the caller resets it */
  struct wb_candidate end; /* that move */
  uint32_t *end_words;     /* its words */
  bool left_out;           /* of any state: a move was not tried */
  bool out_of_memory;
};

/* ---- the moves of a state ---- */

static int64_t ready_value(const struct expansion *expansion, unsigned unit, uint32_t warps)
{
  return expansion->value->ready[unit][wb_minimum(warps, WB_VALUE_READY)];
}

/* Where the least advanced warp stands after the move. */
static size_t last_after(const struct expansion *expansion)
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

/* The move is complete: its state becomes a candidate. */
static void offer(struct expansion *expansion)
{
  expansion->left -= expansion->left > 0;
  if (!wb_beam_goes_on(expansion->budget, 1 + expansion->move_count))
    return;
  /* The candidate that the move makes of the state. */
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

static void choose_type(struct expansion *expansion, unsigned unit, uint32_t left, int64_t spent);

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
static void choose_warps(struct expansion *expansion, unsigned unit, size_t from, uint32_t warps,
                         uint32_t left, int64_t spent, int64_t rest)
{
  const struct menu *menu = &expansion->menus[unit];
  if (warps == 0) {
    choose_type(expansion, unit + 1, left, spent);
    return;
  }
  for (; from < menu->count && menu->rest[from] >= warps; from++) { /* the first to issue */
    const struct choice *choice = &menu->choices[from];
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
static void choose_type(struct expansion *expansion, unsigned unit, uint32_t left, int64_t spent)
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

/* From the state's words: who waits for what, and what letting them issue gives up. */
static void fill_menus(struct expansion *expansion)
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
    struct menu *menu = &expansion->menus[from];
    menu->choices[menu->count++] = (struct choice){drop, (uint32_t)p, warps};
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    struct menu *menu = &expansion->menus[u];
    sort_menu(menu);
    menu->rest[menu->count] = 0;
    for (size_t j = menu->count; j-- > 0;)
      menu->rest[j] = menu->rest[j + 1] + menu->choices[j].warps;
  }
}

/* One pass over the moves that give up at most so much value. */
static void try_moves(struct expansion *expansion, int64_t most_drop)
{
  expansion->most_drop = most_drop;
  expansion->cut = false;
  expansion->left = expansion->branch;
  choose_type(expansion, 0, expansion->quota.total, 0);
}

/* Makes candidates of the successors of a state, in passes over its moves of growing price, about
 * `branch` of them in all. */
static void expand(struct expansion *expansion, const struct state *state)
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

/* ---- the beam ---- */

/* The states of one cycle, the most valued first. */
struct layer {
  uint32_t *words; /* of state i from i * stride on: see wb_beam_state */
  uint32_t *count; /* by state: its words */
  int64_t *linear; /* by state: the part of its value that adds up over warps */
  uint64_t *hash;  /* by state */
  uint32_t *node;  /* by state: its node of the history */
  size_t states;
};

/* A search under way. */
struct beam {
  const struct wb_problem *problem;
  const struct wb_beam_options *options;
  struct wb_beam_result *result;
  struct wb_beam_budget budget;
  size_t stride; /* most positions with warps of a state */
  struct layer layers[2];
  struct layer *now;  /* the layer of the present cycle */
  struct layer *next; /* the other one */
  struct wb_beam_candidates candidates;
  struct expansion expansion;
  struct wb_beam_history history;
  size_t collect_at; /* nodes of the history from which on dead ones are looked for */
  uint64_t cycle;
  bool out_of_memory;
  struct wb_arena arena; /* of the layers */
};

bool wb_wide_beam_fits(const struct wb_problem *problem)
{
  return problem->warps <= WB_VALUE_MOST && problem->string.length <= WB_VALUE_MOST &&
         (problem->warps <= MOST_OCCUPIED || problem->string.length <= MOST_OCCUPIED) &&
         problem->string.length <= WB_SCHEDULE_LIMIT / problem->warps;
}

/* ---- the beam's arrays ---- */

static bool start_beam(struct beam *beam)
{
  const struct wb_problem *problem = beam->problem;
  const size_t width = beam->options->width;
  beam->stride = (size_t)wb_minimum(problem->warps, problem->string.length);
  beam->now = &beam->layers[0];
  beam->next = &beam->layers[1];
  beam->collect_at = FIRST_COLLECTION;
  if (width > SIZE_MAX / beam->stride)
    return false;
  for (size_t i = 0; i < 2; i++) {
    struct layer *layer = &beam->layers[i];
    layer->words = wb_arena_unset_array(&beam->arena, uint32_t, width * beam->stride);
    layer->count = wb_arena_unset_array(&beam->arena, uint32_t, width);
    layer->linear = wb_arena_unset_array(&beam->arena, int64_t, width);
    layer->hash = wb_arena_unset_array(&beam->arena, uint64_t, width);
    layer->node = wb_arena_unset_array(&beam->arena, uint32_t, width);
  }
  struct expansion *expansion = &beam->expansion;
  expansion->end_words = wb_arena_array(&beam->arena, uint32_t, beam->stride);
  expansion->move = wb_arena_array(&beam->arena, uint32_t, beam->stride);
  expansion->types = wb_arena_array(&beam->arena, uint8_t, problem->string.length + 1);
  expansion->keys = wb_arena_array(&beam->arena, uint64_t, problem->string.length + 1);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    expansion->menus[u].choices = wb_arena_array(&beam->arena, struct choice, beam->stride);
    expansion->menus[u].rest = wb_arena_array(&beam->arena, uint32_t, beam->stride + 1);
  }
  if (beam->arena.failed || !wb_beam_candidates_start(&beam->candidates, width))
    return false;
  struct wb_random random = {UINT64_C(0x57617270626f756e)};
  size_t position = 0;
  for (size_t r = 0; r < problem->string.run_count; r++) {
    for (size_t k = 0; k < problem->string.runs[r].length; k++, position++) {
      expansion->types[position] = (uint8_t)problem->string.runs[r].unit;
      expansion->keys[position] = wb_random_next(&random);
    }
  }
  expansion->types[position] = WB_UNIT_COUNT;
  struct layer *first = beam->now;
  first->states = 1;
  first->count[0] = 1;
  first->words[0] = wb_move_word(0, problem->warps);
  first->linear[0] = problem->warps * expansion->value->position[0];
  first->hash[0] = problem->warps * expansion->keys[0];
  first->node[0] = wb_beam_history_add(&beam->history, WB_NO_NODE, NULL, 0);
  return first->node[0] != WB_NO_NODE;
}

/* Bytes that a search of that width holds, its history apart. */
static uint64_t fixed_bytes(const struct wb_problem *problem, size_t width)
{
  uint64_t stride = wb_minimum(problem->warps, problem->string.length);
  uint64_t layer = width * (stride * sizeof(uint32_t) + 24);
  return 2 * layer + wb_beam_candidates_bytes(width);
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

/* The best candidates become the layer, the most valued first. */
static void finish_layer(struct beam *beam)
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

static warpbound_status advance(struct beam *beam, warpbound_error *error)
{
  beam->cycle++;
  wb_beam_candidates_empty(&beam->candidates);
  const struct layer *layer = beam->now;
  for (size_t i = 0; i < layer->states && wb_beam_goes_on(&beam->budget, 8 + layer->count[i]); i++)
    expand(&beam->expansion, &(struct state){.words = layer->words + i * beam->stride,
                                             .count = layer->count[i],
                                             .linear = layer->linear[i],
                                             .hash = layer->hash[i],
                                             .index = (uint32_t)i});
  if (!wb_beam_goes_on(&beam->budget, 0) || beam->out_of_memory || beam->expansion.out_of_memory)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  const struct wb_candidate *end = &beam->expansion.end;
  if (beam->expansion.finished)
    beam->result->longest = beam->cycle;
  if (beam->expansion.finished && beam->cycle > beam->options->longer_than) {
    /* The schedule is the longest so far, for layers come in the order of cycles. */
    uint32_t node = remember(beam, end->parent, beam->expansion.end_words, end->word_count);
    if (!beam->out_of_memory) {
      wb_schedule_free(&beam->result->witness);
      status = wb_beam_history_schedule(&beam->history, node, beam->problem, &beam->result->witness,
                                        error);
    }
  }
  beam->expansion.finished = false;
  finish_layer(beam);
  struct layer *spent = beam->now;
  beam->now = beam->next;
  beam->next = spent;
  /* Checks the memory, and drops the history that leads nowhere. */
  uint64_t bytes =
      fixed_bytes(beam->problem, beam->options->width) +
      beam->history.capacity * sizeof *beam->history.nodes +
      beam->history.word_capacity * sizeof *beam->history.words +
      (beam->candidates.word_capacity + beam->candidates.spare_capacity) * sizeof(uint32_t);
  beam->result->bytes = wb_maximum(beam->result->bytes, bytes);
  if (bytes > beam->options->memory)
    beam->budget.stop = WB_STOP_MEMORY;
  if (beam->history.count >= beam->collect_at) {
    if (!wb_beam_history_collect(&beam->history, beam->now->node, beam->now->states))
      beam->out_of_memory = true;
    beam->collect_at = (size_t)wb_maximum(FIRST_COLLECTION, 2 * beam->history.count);
  }
  return status;
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
  struct beam beam = {.problem = problem, .options = options, .result = result};
  beam.budget = (struct wb_beam_budget){.control = control, .most = options->steps};
  beam.expansion = (struct expansion){.problem = problem,
                                      .value = value,
                                      .branch = options->branch,
                                      .budget = &beam.budget,
                                      .candidates = &beam.candidates};
  warpbound_status status = WARPBOUND_OK;
  beam.out_of_memory = !start_beam(&beam);
  while (status == WARPBOUND_OK && !beam.out_of_memory && !beam.expansion.out_of_memory &&
         beam.now->states > 0 && wb_beam_goes_on(&beam.budget, 0))
    status = advance(&beam, error);
  bool out_of_memory = beam.out_of_memory || beam.expansion.out_of_memory;
  result->stop = out_of_memory ? WB_STOP_MEMORY : beam.budget.stop;
  result->out_of_steps = beam.budget.out_of_steps;
  result->steps = beam.budget.steps;
  result->complete = status == WARPBOUND_OK && result->stop == WB_STOP_NONE &&
                     !result->out_of_steps && !beam.expansion.left_out && !beam.candidates.dropped;
  wb_arena_free(&beam.arena);
  wb_beam_candidates_free(&beam.candidates);
  wb_beam_history_free(&beam.history);
  return status;
}
