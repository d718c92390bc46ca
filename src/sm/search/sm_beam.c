#include "sm/search/sm_beam.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/memory.h"
#include "sm/machine/sm_record.h"
#include "sm/search/sm_rules.h"

#include <stdlib.h>
#include <string.h>

/* Beginnings that are tried where warps may run several strings. */
#define BEGINNINGS 32
#define NO_STEP UINT32_MAX

/* A state as the rule-th cycle that is tried of its parent, before it is made. */
struct candidate {
  int64_t value;
  uint64_t hash;
  uint32_t parent;
  uint32_t rule;
};

struct step {
  uint32_t parent;
  uint32_t rule;
};

/* The states of a cycle: the class of each warp, by its number, at classes[i * warps]; step[i]: how
 * the state was reached. */
struct layer {
  uint32_t *classes;
  uint32_t *step;
  uint64_t *hash;
  size_t states;
};

struct beam {
  struct wb_sm_rules rules;
  const struct wb_beam_options *options;
  struct wb_beam_budget budget;
  struct wb_beam_result *result;
  uint32_t warps;
  struct layer layers[2];
  struct layer *now;
  struct layer *next;
  struct candidate *candidates;
  size_t candidate_count;
  uint32_t *made;
  struct step *steps;
  size_t step_count;
  size_t step_capacity;
  uint32_t end; /* the last step to the end; NO_STEP: not reached */
  uint32_t cycle;
  bool out_of_memory;
  struct wb_arena arena; /* of the arrays but the steps */
};

static uint64_t fixed_bytes(uint32_t warps, const struct wb_beam_options *options)
{
  return 2 * options->width * (warps * sizeof(uint32_t) + 12) +
         options->width * options->branch * sizeof(struct candidate);
}

static bool start_beam(struct beam *beam)
{
  const size_t width = beam->options->width;
  struct wb_arena *arena = &beam->arena;
  beam->now = &beam->layers[0];
  beam->next = &beam->layers[1];
  if (width > SIZE_MAX / sizeof(uint32_t) / beam->warps)
    return false;
  beam->candidates = wb_arena_array(arena, struct candidate, width * beam->options->branch);
  beam->made = wb_arena_array(arena, uint32_t, beam->warps);
  for (size_t i = 0; i < 2; i++) {
    beam->layers[i].classes = wb_arena_array(arena, uint32_t, width * beam->warps);
    beam->layers[i].step = wb_arena_array(arena, uint32_t, width);
    beam->layers[i].hash = wb_arena_array(arena, uint64_t, width);
  }
  return wb_sm_rules_start(&beam->rules, arena);
}

static bool goes_on(struct beam *beam, uint64_t steps)
{
  return wb_beam_goes_on(&beam->budget, steps) && !beam->out_of_memory;
}

/* ---- the search ---- */

/* A step of the way to a state: the rule that led there from where `parent` had led. */
static uint32_t add_step(struct beam *beam, uint32_t parent, uint32_t rule)
{
  if (beam->step_count >= NO_STEP ||
      !wb_grow(beam->steps, &beam->step_capacity, beam->step_count + 1)) {
    beam->out_of_memory = true;
    return NO_STEP;
  }
  beam->steps[beam->step_count] = (struct step){parent, rule};
  return (uint32_t)beam->step_count++;
}

static int compare_candidates(const void *a, const void *b)
{
  const struct candidate *x = a;
  const struct candidate *y = b;
  if (x->value != y->value)
    return x->value < y->value ? 1 : -1;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  return (x->rule > y->rule) - (x->rule < y->rule);
}

/* The state beam->made becomes a candidate; where it is the end, the way to it is kept, the longest
 * so far, for layers come in the order of cycles. */
static void add_candidate(struct beam *beam, uint32_t parent, uint32_t rule)
{
  uint32_t finished = 0; /* warps */
  while (finished < beam->warps && beam->made[finished] == 0)
    finished++;
  if (finished < beam->warps) {
    beam->candidates[beam->candidate_count++] =
        (struct candidate){wb_sm_rules_value(&beam->rules, beam->made),
                           wb_sm_rules_hash(&beam->rules, beam->made), parent, rule};
  } else if (beam->result->longest < beam->cycle) {
    beam->result->longest = beam->cycle;
    beam->end = add_step(beam, beam->now->step[parent], rule);
  }
}

/* The most valued candidates become the next layer; equal states have equal values and hashes and
 * stand side by side. */
static void settle_layer(struct beam *beam)
{
  struct layer *next = beam->next;
  if (beam->candidate_count > 1)
    qsort(beam->candidates, beam->candidate_count, sizeof *beam->candidates, compare_candidates);
  next->states = 0;
  for (size_t i = 0; i < beam->candidate_count && next->states < beam->options->width; i++) {
    const struct candidate *candidate = &beam->candidates[i];
    if (i > 0 && candidate->hash == candidate[-1].hash && candidate->value == candidate[-1].value)
      continue;
    const bool first = beam->cycle == 0;
    uint32_t *classes = next->classes + next->states * beam->warps;
    if (first)
      wb_sm_rules_begin(&beam->rules, candidate->rule, classes);
    else
      wb_sm_rules_make(&beam->rules, beam->now->classes + (size_t)candidate->parent * beam->warps,
                       beam->now->hash[candidate->parent], candidate->rule, classes);
    next->hash[next->states] = candidate->hash;
    next->step[next->states++] =
        add_step(beam, first ? NO_STEP : beam->now->step[candidate->parent], candidate->rule);
  }
  beam->result->states += next->states;
  beam->candidate_count = 0;
  beam->next = beam->now;
  beam->now = next;
}

static void advance(struct beam *beam)
{
  beam->cycle++;
  for (size_t i = 0; i < beam->now->states; i++) {
    for (uint32_t rule = 0; rule < beam->options->branch && goes_on(beam, beam->warps); rule++) {
      wb_sm_rules_make(&beam->rules, beam->now->classes + i * beam->warps, beam->now->hash[i], rule,
                       beam->made);
      add_candidate(beam, (uint32_t)i, rule);
    }
  }
  if (!goes_on(beam, 0))
    return;
  settle_layer(beam);
  const uint64_t bytes =
      fixed_bytes(beam->warps, beam->options) + beam->step_capacity * sizeof *beam->steps;
  beam->result->bytes = wb_maximum(beam->result->bytes, bytes);
  if (bytes > beam->options->memory && beam->budget.stop == WB_STOP_NONE)
    beam->budget.stop = WB_STOP_MEMORY;
}

static warpbound_status make_witness(struct beam *beam, warpbound_error *error)
{
  const size_t cycles = (size_t)beam->result->longest;
  uint32_t *rules = wb_arena_array(&beam->arena, uint32_t, cycles + 1);
  struct wb_sm_record record;
  warpbound_status status = WARPBOUND_OK;
  if (wb_sm_record_start(&record, beam->rules.problem, &beam->arena) && rules != NULL) {
    uint32_t step = beam->end;
    for (size_t t = cycles + 1; t-- > 0; step = beam->steps[step].parent)
      rules[t] = beam->steps[step].rule;
    /* Goes the way of the rules to the end once more. */
    uint32_t *state = beam->next->classes;
    wb_sm_rules_begin(&beam->rules, rules[0], state);
    for (uint32_t c = 1; c <= beam->result->longest; c++) {
      wb_sm_rules_make(&beam->rules, state, wb_sm_rules_hash(&beam->rules, state), rules[c],
                       beam->made);
      for (uint32_t w = 0; w < beam->warps; w++) {
        if (beam->made[w] != state[w])
          wb_sm_record_issue(&record, w, beam->rules.words->type[state[w]], c);
      }
      memcpy(state, beam->made, beam->warps * sizeof *state);
    }
    status = wb_sm_record_schedule(&record, beam->rules.string_of, cycles, &beam->result->witness,
                                   error);
  } else {
    status = wb_out_of_memory(error);
  }
  return status;
}

warpbound_status wb_sm_beam_search(const struct wb_sm_problem *problem,
                                   const struct wb_sm_words *words, const uint32_t *string_of,
                                   const struct wb_sm_estimate *estimate,
                                   const struct wb_beam_options *options,
                                   const struct wb_control *control, struct wb_beam_result *result,
                                   warpbound_error *error)
{
  *result = (struct wb_beam_result){0};
  struct beam beam = {.rules = {.problem = problem,
                                .words = words,
                                .string_of = string_of,
                                .estimate = estimate,
                                .seed = options->seed},
                      .options = options,
                      .budget = {.control = control, .most = options->steps},
                      .result = result,
                      .warps = wb_sm_problem_warps(problem),
                      .end = NO_STEP};
  if (fixed_bytes(beam.warps, options) > options->memory) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  beam.out_of_memory = !start_beam(&beam);
  const size_t kinds = string_of != NULL || words->from[1] == 1 ? 1 : BEGINNINGS;
  const uint64_t beginnings = wb_minimum(kinds, options->width * options->branch);
  for (uint32_t rule = 0; rule < beginnings && !beam.out_of_memory; rule++) {
    wb_sm_rules_begin(&beam.rules, rule, beam.made);
    add_candidate(&beam, 0, rule);
  }
  if (!beam.out_of_memory)
    settle_layer(&beam);
  while (goes_on(&beam, 0) && beam.now->states > 0)
    advance(&beam);
  result->stop = beam.out_of_memory ? WB_STOP_MEMORY : beam.budget.stop;
  result->out_of_steps = beam.budget.out_of_steps;
  result->steps = beam.budget.steps;
  warpbound_status status = WARPBOUND_OK;
  if (result->longest > options->longer_than && beam.end != NO_STEP)
    status = make_witness(&beam, error);
  wb_arena_free(&beam.arena);
  free(beam.steps);
  return status;
}
