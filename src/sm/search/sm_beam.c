#include "sm/search/sm_beam.h"

#include "base/checked.h"
#include "base/memory.h"
#include "sm/machine/sm_record.h"
#include "sm/search/sm_rules.h"

#include <stdlib.h>
#include <string.h>

/* Steps between two looks at the control. */
#define POLL_INTERVAL 65536
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
  const struct wb_sm_beam_options *options;
  const struct wb_control *control;
  struct wb_sm_beam_result *result;
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
  uint64_t polled;
  bool out_of_memory;
};

/* ---- arrays ---- */

static bool start_layer(struct layer *layer, size_t width, uint32_t warps)
{
  if (width > SIZE_MAX / sizeof(uint32_t) / warps)
    return false;
  layer->classes = wb_allocate(width * warps, sizeof *layer->classes);
  layer->step = wb_allocate(width, sizeof *layer->step);
  layer->hash = wb_allocate(width, sizeof *layer->hash);
  return layer->classes != NULL && layer->step != NULL && layer->hash != NULL;
}

static void free_layer(struct layer *layer)
{
  free(layer->classes);
  free(layer->step);
  free(layer->hash);
}

static uint64_t fixed_bytes(uint32_t warps, const struct wb_sm_beam_options *options)
{
  return 2 * options->width * (warps * sizeof(uint32_t) + 12) +
         options->width * options->branch * sizeof(struct candidate);
}

static bool start(struct beam *b)
{
  const struct wb_sm_beam_options *options = b->options;
  b->now = &b->layers[0];
  b->next = &b->layers[1];
  b->candidates = wb_allocate(options->width * options->branch, sizeof *b->candidates);
  b->made = wb_allocate(b->warps, sizeof *b->made);
  return wb_sm_rules_start(&b->rules) && b->candidates != NULL && b->made != NULL &&
         start_layer(b->now, options->width, b->warps) &&
         start_layer(b->next, options->width, b->warps);
}

static void finish(struct beam *b)
{
  wb_sm_rules_free(&b->rules);
  free(b->candidates);
  free(b->made);
  free_layer(&b->layers[0]);
  free_layer(&b->layers[1]);
  free(b->steps);
}

/* Counts steps, and says whether to go on. */
static bool goes_on(struct beam *b, uint64_t steps)
{
  struct wb_sm_beam_result *result = b->result;
  result->work += steps;
  if (result->work - b->polled >= POLL_INTERVAL) {
    b->polled = result->work;
    if (result->stop == WB_STOP_NONE)
      result->stop = wb_control_stopped(b->control);
    result->out_of_work = b->options->work > 0 && result->work > b->options->work;
  }
  return result->stop == WB_STOP_NONE && !result->out_of_work && !b->out_of_memory;
}

/* ---- the search ---- */

/* A step of the way to a state: the rule that led there from where `parent` had led. */
static uint32_t add_step(struct beam *b, uint32_t parent, uint32_t rule)
{
  if (b->step_count >= NO_STEP || !wb_grow(b->steps, &b->step_capacity, b->step_count + 1)) {
    b->out_of_memory = true;
    return NO_STEP;
  }
  b->steps[b->step_count] = (struct step){parent, rule};
  return (uint32_t)b->step_count++;
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

static bool is_end(const struct beam *b, const uint32_t *classes)
{
  for (uint32_t w = 0; w < b->warps; w++) {
    if (classes[w] != 0)
      return false;
  }
  return true;
}

/* The state b->made becomes a candidate; where it is the end, the way to it is kept, the longest
 * so far, for layers come in the order of cycles. */
static void add_candidate(struct beam *b, uint32_t parent, uint32_t rule)
{
  if (!is_end(b, b->made)) {
    b->candidates[b->candidate_count++] = (struct candidate){
        wb_sm_rules_value(&b->rules, b->made), wb_sm_rules_hash(&b->rules, b->made), parent, rule};
  } else if (b->result->longest < b->cycle) {
    b->result->longest = b->cycle;
    b->end = add_step(b, b->now->step[parent], rule);
  }
}

/* The most valued candidates become the next layer; equal states have equal values and hashes and
 * stand side by side. */
static void settle_layer(struct beam *b)
{
  struct layer *next = b->next;
  if (b->candidate_count > 1)
    qsort(b->candidates, b->candidate_count, sizeof *b->candidates, compare_candidates);
  next->states = 0;
  for (size_t i = 0; i < b->candidate_count && next->states < b->options->width; i++) {
    const struct candidate *c = &b->candidates[i];
    if (i > 0 && c->hash == c[-1].hash && c->value == c[-1].value)
      continue;
    const bool first = b->cycle == 0;
    uint32_t *classes = next->classes + next->states * b->warps;
    if (first)
      wb_sm_rules_begin(&b->rules, c->rule, classes);
    else
      wb_sm_rules_make(&b->rules, b->now->classes + (size_t)c->parent * b->warps,
                       b->now->hash[c->parent], c->rule, classes);
    next->hash[next->states] = c->hash;
    next->step[next->states++] = add_step(b, first ? NO_STEP : b->now->step[c->parent], c->rule);
  }
  b->result->states += next->states;
  b->candidate_count = 0;
  b->next = b->now;
  b->now = next;
}

static void begin(struct beam *b)
{
  const size_t kinds = b->rules.string_of != NULL || b->rules.words->from[1] == 1 ? 1 : BEGINNINGS;
  const uint64_t most = wb_minimum(kinds, b->options->width * b->options->branch);
  for (uint32_t rule = 0; rule < most; rule++) {
    wb_sm_rules_begin(&b->rules, rule, b->made);
    add_candidate(b, 0, rule);
  }
  settle_layer(b);
}

static void advance(struct beam *b)
{
  b->cycle++;
  for (size_t i = 0; i < b->now->states; i++) {
    for (uint32_t rule = 0; rule < b->options->branch && goes_on(b, b->warps); rule++) {
      wb_sm_rules_make(&b->rules, b->now->classes + i * b->warps, b->now->hash[i], rule, b->made);
      add_candidate(b, (uint32_t)i, rule);
    }
  }
  if (!goes_on(b, 0))
    return;
  settle_layer(b);
  const uint64_t bytes = fixed_bytes(b->warps, b->options) + b->step_capacity * sizeof *b->steps;
  b->result->bytes = wb_maximum(b->result->bytes, bytes);
  if (bytes > b->options->memory && b->result->stop == WB_STOP_NONE)
    b->result->stop = WB_STOP_MEMORY;
}

/* Goes the way of the rules to the end once more. */
static void go_way(struct beam *b, const uint32_t *rules, struct wb_sm_record *record)
{
  uint32_t *state = b->next->classes;
  wb_sm_rules_begin(&b->rules, rules[0], state);
  for (uint32_t c = 1; c <= b->result->longest; c++) {
    wb_sm_rules_make(&b->rules, state, wb_sm_rules_hash(&b->rules, state), rules[c], b->made);
    for (uint32_t w = 0; w < b->warps; w++) {
      if (b->made[w] != state[w])
        wb_sm_record_issue(record, w, b->rules.words->type[state[w]], c);
    }
    memcpy(state, b->made, b->warps * sizeof *state);
  }
}

static warpbound_status make_witness(struct beam *b, warpbound_error *error)
{
  const size_t cycles = (size_t)b->result->longest;
  uint32_t *rules = wb_allocate(cycles + 1, sizeof *rules);
  struct wb_sm_record record;
  warpbound_status status = WARPBOUND_OK;
  if (wb_sm_record_start(&record, b->rules.problem) && rules != NULL) {
    uint32_t step = b->end;
    for (size_t t = cycles + 1; t-- > 0; step = b->steps[step].parent)
      rules[t] = b->steps[step].rule;
    go_way(b, rules, &record);
    status = wb_sm_record_schedule(&record, b->rules.string_of, cycles, &b->result->witness, error);
  } else {
    status = wb_out_of_memory(error);
  }
  free(rules);
  wb_sm_record_free(&record);
  return status;
}

warpbound_status wb_sm_beam_search(const struct wb_sm_problem *problem,
                                   const struct wb_sm_words *words, const uint32_t *string_of,
                                   const struct wb_sm_estimate *estimate,
                                   const struct wb_sm_beam_options *options,
                                   const struct wb_control *control,
                                   struct wb_sm_beam_result *result, warpbound_error *error)
{
  *result = (struct wb_sm_beam_result){0};
  struct beam b = {.rules = {.problem = problem,
                             .words = words,
                             .string_of = string_of,
                             .estimate = estimate,
                             .seed = options->seed},
                   .options = options,
                   .control = control,
                   .result = result,
                   .warps = wb_sm_problem_warps(problem),
                   .end = NO_STEP};
  if (fixed_bytes(b.warps, options) > options->memory) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  b.out_of_memory = !start(&b);
  if (!b.out_of_memory)
    begin(&b);
  while (goes_on(&b, 0) && b.now->states > 0)
    advance(&b);
  if (b.out_of_memory)
    result->stop = WB_STOP_MEMORY;
  warpbound_status status = WARPBOUND_OK;
  if (result->longest > options->longer_than && b.end != NO_STEP)
    status = make_witness(&b, error);
  finish(&b);
  return status;
}
