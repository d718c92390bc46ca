#include "makespan/beam/wide_beam.h"

#include "base/arena.h"
#include "base/checked.h"
#include "makespan/beam/beam_candidates.h"
#include "makespan/beam/beam_expansion.h"
#include "makespan/beam/beam_history.h"

#include <stdlib.h>
#include <string.h>

/* Most positions with warps: moves are made by recursion, one level a position. */
#define MOST_OCCUPIED 4096
/* Nodes of the history beyond which dead ones are looked for. */
#define FIRST_COLLECTION ((size_t)1 << 16)

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
  struct wb_beam_expansion expansion;
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
    layer->words = wb_arena_array(&beam->arena, uint32_t, width * beam->stride);
    layer->count = wb_arena_array(&beam->arena, uint32_t, width);
    layer->linear = wb_arena_array(&beam->arena, int64_t, width);
    layer->hash = wb_arena_array(&beam->arena, uint64_t, width);
    layer->node = wb_arena_array(&beam->arena, uint32_t, width);
  }
  if (beam->arena.failed || !wb_beam_candidates_start(&beam->candidates, width) ||
      !wb_beam_expansion_start(&beam->expansion, beam->stride, &beam->arena))
    return false;
  struct layer *first = beam->now;
  first->states = 1;
  first->count[0] = 1;
  first->words[0] = wb_move_word(0, problem->warps);
  first->linear[0] = problem->warps * beam->expansion.value->position[0];
  first->hash[0] = problem->warps * beam->expansion.keys[0];
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

static warpbound_status advance(struct beam *beam, warpbound_error *error)
{
  beam->cycle++;
  wb_beam_candidates_empty(&beam->candidates);
  const struct layer *layer = beam->now;
  for (size_t i = 0; i < layer->states && wb_beam_goes_on(&beam->budget, 8 + layer->count[i]); i++)
    wb_beam_expand(&beam->expansion,
                   &(struct wb_beam_state){.words = layer->words + i * beam->stride,
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
  settle_layer(beam);
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
  beam.expansion = (struct wb_beam_expansion){.problem = problem,
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
