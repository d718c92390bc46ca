#include "sm/sm_beam.h"

#include "base/checked.h"
#include "base/memory.h"
#include "base/random.h"
#include "sm/sm_machine.h"
#include "sm/sm_record.h"

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

/* A warp that may issue: what is given up where it does, with what chance adds to it, and the
 * class that it goes on with. */
struct offer {
  int64_t drop;
  uint32_t warp;
  uint32_t next;
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
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  const uint32_t *string_of;
  const struct wb_sm_estimate *estimate;
  const struct wb_sm_beam_options *options;
  const struct wb_control *control;
  struct wb_sm_beam_result *result;
  uint32_t warps;
  uint32_t *partition_of;
  uint64_t *keys;
  struct layer layers[2];
  struct layer *now;
  struct layer *next;
  struct candidate *candidates;
  size_t candidate_count;
  struct offer *offers;
  uint32_t *made;
  uint32_t *waiting; /* by partition and type, while a state is weighed */
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
  b->partition_of = wb_allocate(b->warps, sizeof *b->partition_of);
  b->keys = wb_allocate(b->words->count, sizeof *b->keys);
  b->candidates = wb_allocate(options->width * options->branch, sizeof *b->candidates);
  b->offers = wb_allocate(b->warps, sizeof *b->offers);
  b->made = wb_allocate(b->warps, sizeof *b->made);
  b->waiting = wb_allocate((size_t)b->problem->partitions * WB_UNIT_COUNT, sizeof *b->waiting);
  if (b->partition_of == NULL || b->keys == NULL || b->candidates == NULL || b->offers == NULL ||
      b->made == NULL || b->waiting == NULL || !start_layer(b->now, options->width, b->warps) ||
      !start_layer(b->next, options->width, b->warps))
    return false;
  struct wb_random random = {UINT64_C(0x736d206265616d)};
  for (size_t c = 0; c < b->words->count; c++)
    b->keys[c] = wb_random_next(&random);
  for (uint32_t w = 0; w < b->warps; w++)
    b->partition_of[w] = wb_sm_partition_of(b->problem, w);
  return true;
}

static void finish(struct beam *b)
{
  free(b->partition_of);
  free(b->keys);
  free(b->candidates);
  free(b->offers);
  free(b->made);
  free(b->waiting);
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

/* ---- what a state is worth ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 29);
}

/* The same for states that differ in the names of warps, blocks and partitions only: sums over
 * the cells, over what the blocks make of them, and over the partitions. */
static uint64_t hash_of(const struct beam *b, const uint32_t *classes)
{
  const uint32_t size = b->problem->block_warps;
  uint64_t hash = 0;
  uint64_t columns[WB_PARTITION_LIMIT] = {0};
  for (uint32_t block = 0; block < b->warps; block += size) {
    uint64_t cells[WB_PARTITION_LIMIT] = {0};
    uint64_t row = 0;
    for (uint32_t w = block; w < block + size; w++)
      cells[b->partition_of[w]] += b->keys[classes[w]];
    for (uint32_t p = 0; p < b->problem->partitions; p++)
      row += mix(cells[p], 1);
    for (uint32_t p = 0; p < b->problem->partitions; p++)
      columns[p] += mix(cells[p], row);
    hash += mix(row, 2);
  }
  for (uint32_t p = 0; p < b->problem->partitions; p++)
    hash += mix(columns[p], 3);
  return hash;
}

/* The most barriers that a warp of the block has before it. */
static uint32_t barriers_of(const struct beam *b, const uint32_t *block)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < b->problem->block_warps; i++) {
    const uint32_t barriers = b->words->barriers[block[i]];
    most = barriers > most ? barriers : most;
  }
  return most;
}

static int64_t value_of(struct beam *b, const uint32_t *classes)
{
  const struct wb_sm_estimate *e = b->estimate;
  const uint32_t size = b->problem->block_warps;
  const size_t counts = (size_t)b->problem->partitions * WB_UNIT_COUNT;
  int64_t value = 0;
  uint32_t highest = 0;
  memset(b->waiting, 0, counts * sizeof *b->waiting);
  for (uint32_t block = 0; block < b->warps; block += size) {
    const uint32_t barriers = barriers_of(b, classes + block);
    uint32_t own = 0;
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      value += e->worth[class];
      own = b->words->height[class] > own ? b->words->height[class] : own;
      if (class != 0 && b->words->barriers[class] == barriers)
        b->waiting[b->partition_of[w] * WB_UNIT_COUNT + b->words->type[class]]++;
    }
    value += own * e->hindmost_of_block;
    highest = own > highest ? own : highest;
  }
  for (size_t i = 0; i < counts; i++) {
    const uint32_t most = b->waiting[i] < WB_SM_WAITING ? b->waiting[i] : WB_SM_WAITING;
    value += e->waiting[i % WB_UNIT_COUNT][most];
  }
  return value + highest * e->hindmost;
}

/* ---- a cycle of a state ---- */

/* The class to go on with: the most valued, or, by chance, any. */
static uint32_t next_class(const struct beam *b, uint32_t class, bool any, struct wb_random *random)
{
  const struct wb_sm_words *words = b->words;
  const uint32_t first = words->first[class];
  const uint32_t count = words->first[class + 1] - first;
  if (count > 1 && any)
    return words->children[first + (uint32_t)wb_random_below(random, count)];
  uint32_t best = words->children[first];
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t child = words->children[first + i];
    best = b->estimate->worth[child] > b->estimate->worth[best] ? child : best;
  }
  return best;
}

static int compare_offers(const void *a, const void *b)
{
  const struct offer *x = a;
  const struct offer *y = b;
  if (x->drop != y->drop)
    return x->drop < y->drop ? -1 : 1;
  return (x->warp > y->warp) - (x->warp < y->warp);
}

/* The warps that may issue, in the order of the rule. Rule 0: what gives up least. The others add
 * chance to each warp, more and more of it; every fourth lets some class or block go last. */
static size_t find_offers(struct beam *b, const uint32_t *classes, uint32_t rule,
                          struct wb_random *random)
{
  const uint32_t size = b->problem->block_warps;
  const int64_t chance = rule == 0 ? 0 : (WB_SM_CYCLE / 8) << (rule % 4 * 2);
  const uint32_t last = classes[wb_random_below(random, b->warps)];
  const uint32_t last_block = (uint32_t)wb_random_below(random, b->problem->blocks);
  size_t count = 0;
  for (uint32_t block = 0; block < b->warps; block += size) {
    const uint32_t barriers = barriers_of(b, classes + block);
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      if (class == 0 || b->words->barriers[class] != barriers)
        continue;
      struct offer *offer = &b->offers[count++];
      *offer = (struct offer){.warp = w, .next = next_class(b, class, rule % 2 == 1, random)};
      offer->drop = b->estimate->worth[class] - b->estimate->worth[offer->next];
      if (chance > 0)
        offer->drop += (int64_t)wb_random_below(random, (uint64_t)chance);
      if (rule % 4 == 3 && (rule % 8 == 3 ? class == last : block / size == last_block))
        offer->drop += 64 * WB_SM_CYCLE;
    }
  }
  if (count > 1)
    qsort(b->offers, count, sizeof *b->offers, compare_offers);
  return count;
}

static struct wb_random random_of(const struct beam *b, uint64_t hash, uint32_t rule)
{
  return (struct wb_random){mix(mix(hash, b->options->seed), rule)};
}

/* Makes the state that the rule leads to from a state of that hash. */
static void make_state(struct beam *b, const uint32_t *classes, uint64_t hash, uint32_t rule,
                       uint32_t *made)
{
  struct wb_random random = random_of(b, hash, rule);
  const size_t count = find_offers(b, classes, rule, &random);
  struct wb_sm_room room;
  wb_sm_room_start(b->problem, &room);
  memmove(made, classes, b->warps * sizeof *made);
  for (size_t i = 0; i < count; i++) {
    const struct offer *offer = &b->offers[i];
    const uint32_t partition = b->partition_of[offer->warp];
    const unsigned unit = b->words->type[classes[offer->warp]];
    if (!wb_sm_room_has(b->problem, &room, partition, unit))
      continue;
    wb_sm_room_take(b->problem, &room, partition, unit, 1);
    made[offer->warp] = offer->next;
  }
}

/* The rule-th beginning: the class that each warp begins with. The first ones are alike for all
 * warps, the others up to chance. */
static void make_beginning(const struct beam *b, uint32_t rule, uint32_t *made)
{
  const struct wb_sm_words *words = b->words;
  struct wb_random random = random_of(b, 0, rule);
  for (uint32_t w = 0; w < b->warps; w++) {
    const size_t string = b->string_of != NULL ? b->string_of[w] : 0;
    const size_t first = words->from[string];
    const size_t count = words->from[string + 1] - first;
    const size_t which = rule < count ? rule : (size_t)wb_random_below(&random, count);
    made[w] = words->starts[first + which];
  }
}

/* ---- the search ---- */

/* A step of the way to a state: the rule that led there from where `parent` had led. */
static uint32_t add_step(struct beam *b, uint32_t parent, uint32_t rule)
{
  void *steps = b->steps;
  if (b->step_count >= NO_STEP ||
      !wb_grow(&steps, &b->step_capacity, b->step_count + 1, sizeof *b->steps)) {
    b->out_of_memory = true;
    return NO_STEP;
  }
  b->steps = steps;
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
    b->candidates[b->candidate_count++] =
        (struct candidate){value_of(b, b->made), hash_of(b, b->made), parent, rule};
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
      make_beginning(b, c->rule, classes);
    else
      make_state(b, b->now->classes + (size_t)c->parent * b->warps, b->now->hash[c->parent],
                 c->rule, classes);
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
  const size_t kinds = b->string_of != NULL || b->words->from[1] == 1 ? 1 : BEGINNINGS;
  const uint64_t most = wb_minimum(kinds, b->options->width * b->options->branch);
  for (uint32_t rule = 0; rule < most; rule++) {
    make_beginning(b, rule, b->made);
    add_candidate(b, 0, rule);
  }
  settle_layer(b);
}

static void advance(struct beam *b)
{
  b->cycle++;
  for (size_t i = 0; i < b->now->states; i++) {
    for (uint32_t rule = 0; rule < b->options->branch && goes_on(b, b->warps); rule++) {
      make_state(b, b->now->classes + i * b->warps, b->now->hash[i], rule, b->made);
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
  make_beginning(b, rules[0], state);
  for (uint32_t c = 1; c <= b->result->longest; c++) {
    make_state(b, state, hash_of(b, state), rules[c], b->made);
    for (uint32_t w = 0; w < b->warps; w++) {
      if (b->made[w] != state[w])
        wb_sm_record_issue(record, w, b->words->type[state[w]], c);
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
  if (wb_sm_record_start(&record, b->problem) && rules != NULL) {
    uint32_t step = b->end;
    for (size_t t = cycles + 1; t-- > 0; step = b->steps[step].parent)
      rules[t] = b->steps[step].rule;
    go_way(b, rules, &record);
    status = wb_sm_record_schedule(&record, b->string_of, cycles, &b->result->witness, error);
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
  struct beam b = {.problem = problem,
                   .words = words,
                   .string_of = string_of,
                   .estimate = estimate,
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
