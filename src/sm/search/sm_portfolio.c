#include "sm/search/sm_portfolio.h"

#include "base/arena.h"
#include "base/checked.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "makespan/machine/schedule.h"
#include "makespan/machine/sm_machine.h"
#include "sm/machine/sm_words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- estimates ---- */

/* Values are in fixed point, so that every machine finds the same: one cycle. */
#define SM_CYCLE (INT64_C(1) << 16)

/* Waiting warps of a type and partition up to which their number counts. */
#define SM_WAITING 4u

/* An estimate, in 1 / SM_CYCLE cycles. No value is above 2^40 in magnitude. */
struct sm_estimate {
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  int64_t *gain;  /* by class: of the next instruction of a warp */
  int64_t *worth; /* by class: of all that a warp has left, the sum of the gains on its best way */
  uint32_t *by_height; /* the classes, the fewest instructions left first */
  int64_t hindmost;    /* of each instruction that the hindmost warp of all has left, besides */
  int64_t hindmost_of_block; /* of each that the hindmost warp of a block has left, besides */
  /* By type and warps that wait for it (SM_WAITING: or more): of each partition. */
  int64_t waiting[WB_UNIT_COUNT][SM_WAITING + 1];
};

/* Largest gain of an instruction. */
#define MOST_GAIN (8 * SM_CYCLE)

static void sum_up(struct sm_estimate *estimate)
{
  const struct wb_sm_words *words = estimate->words;
  estimate->worth[0] = 0;
  for (size_t k = 1; k < words->count; k++) {
    const uint32_t class = estimate->by_height[k];
    int64_t best = 0;
    for (uint32_t i = words->first[class]; i < words->first[class + 1]; i++) {
      const int64_t worth = estimate->worth[words->children[i]];
      best = worth > best ? worth : best;
    }
    estimate->worth[class] = best + estimate->gain[class];
  }
}

/* Whether every way on from the class goes on with another type. */
static bool leaves_run(const struct wb_sm_words *words, size_t class)
{
  for (uint32_t i = words->first[class]; i < words->first[class + 1]; i++) {
    if (words->type[words->children[i]] == words->type[class])
      return false;
  }
  return true;
}

/* Makes the arrays in an arena. problem and words are borrowed. false: no memory. */
static bool sm_estimate_start(struct sm_estimate *estimate, const struct wb_sm_problem *problem,
                              const struct wb_sm_words *words, struct wb_arena *arena)
{
  *estimate = (struct sm_estimate){.problem = problem, .words = words};
  estimate->gain = wb_arena_array(arena, int64_t, words->count);
  estimate->worth = wb_arena_array(arena, int64_t, words->count);
  estimate->by_height = wb_arena_array(arena, uint32_t, words->count);
  /* Classes with the fewest instructions left first: counting sort. */
  uint32_t highest = 0;
  for (size_t c = 0; c < words->count; c++)
    highest = words->height[c] > highest ? words->height[c] : highest;
  uint32_t *begin = wb_arena_array(arena, uint32_t, (size_t)highest + 2);
  if (arena->failed)
    return false;
  for (size_t c = 0; c < words->count; c++)
    begin[words->height[c] + 1]++;
  for (uint32_t h = 0; h < highest; h++)
    begin[h + 1] += begin[h];
  for (size_t c = 0; c < words->count; c++)
    estimate->by_height[begin[words->height[c]]++] = (uint32_t)c;
  return true;
}

/* Makes it the kind-th of the first estimates, any number. */
static void sm_estimate_begin(struct sm_estimate *estimate, unsigned kind)
{
  static const int64_t leaving[] = {4, 8, 2, 1};               /* quarters */
  static const int64_t hindmost[] = {8, 4, 2, 1, 0, 12, 6, 3}; /* eighths of a cycle */
  const struct wb_sm_problem *problem = estimate->problem;
  const struct wb_sm_words *words = estimate->words;
  for (size_t c = 1; c < words->count; c++) {
    /* The share of a cycle of the SM that an instruction of a type takes. */
    const uint64_t service = wb_minimum(problem->capacity[words->type[c]], problem->issue_slots);
    const uint64_t servers = problem->shared[words->type[c]] ? problem->capacity[words->type[c]]
                                                             : service * problem->partitions;
    const int64_t share =
        (int64_t)((uint64_t)SM_CYCLE / wb_maximum(1, wb_minimum(servers, SM_CYCLE)));
    estimate->gain[c] = leaves_run(words, c) ? share * leaving[kind / 2 % 4] / 4 : share;
  }
  estimate->hindmost = hindmost[kind % 8] * SM_CYCLE / 8;
  estimate->hindmost_of_block = 0;
  if (problem->blocks > 1)
    estimate->hindmost_of_block = hindmost[kind / 3 % 8] * SM_CYCLE / 8 / problem->blocks;
  memset(estimate->waiting, 0, sizeof estimate->waiting);
  sum_up(estimate);
}

/* Takes over the values of another estimate of the same words. */
static void sm_estimate_copy(struct sm_estimate *to, const struct sm_estimate *from)
{
  const size_t count = from->words->count;
  memcpy(to->gain, from->gain, count * sizeof *to->gain);
  memcpy(to->worth, from->worth, count * sizeof *to->worth);
  to->hindmost = from->hindmost;
  to->hindmost_of_block = from->hindmost_of_block;
  memcpy(to->waiting, from->waiting, sizeof to->waiting);
}

/* Times a random factor from a half to two. */
static int64_t scale(int64_t value, int64_t sixteenths)
{
  const int64_t scaled = value * sixteenths / 16;
  return scaled > MOST_GAIN ? MOST_GAIN : scaled;
}

static int64_t random_factor(struct wb_random *random)
{
  static const int64_t factors[] = {8, 11, 13, 14, 15, 17, 18, 20, 24, 32};
  return factors[wb_random_below(random, sizeof factors / sizeof factors[0])];
}

enum change { OF_STRETCH, OF_TYPE, OF_LEAVING, OF_HINDMOST, OF_WAITING, OF_TILT, OF_ALL, CHANGES };

/* A random change. */
static void sm_estimate_change(struct sm_estimate *estimate, struct wb_random *random)
{
  const enum change change = (enum change)wb_random_below(random, CHANGES);
  if (change == OF_HINDMOST) {
    int64_t *value =
        wb_random_below(random, 2) == 0 ? &estimate->hindmost : &estimate->hindmost_of_block;
    *value = scale(*value + SM_CYCLE / 64, random_factor(random));
  } else if (change == OF_WAITING) {
    /* Any type, that of tensor cores only where a string has it. */
    bool tensor = false;
    for (size_t s = 0; s < estimate->problem->string_count; s++)
      tensor = tensor || estimate->problem->strings[s].count[WB_UNIT_TENSOR] > 0;
    unsigned unit = (unsigned)wb_random_below(random, tensor ? WB_UNIT_COUNT : WB_UNIT_COUNT - 1);
    unit += !tensor && unit >= WB_UNIT_TENSOR;
    const unsigned count = (unsigned)wb_random_below(random, SM_WAITING + 1);
    estimate->waiting[unit][count] = (int64_t)wb_random_below(random, 2 * SM_CYCLE) - SM_CYCLE;
  } else {
    const struct wb_sm_words *words = estimate->words;
    const uint32_t highest = words->height[estimate->by_height[words->count - 1]];
    const uint32_t a = (uint32_t)wb_random_below(random, (uint64_t)highest + 1);
    const uint32_t b = (uint32_t)wb_random_below(random, (uint64_t)highest + 1);
    const unsigned unit = words->type[1 + wb_random_below(random, words->count - 1)];
    const int64_t factor = random_factor(random);
    for (size_t c = 1; c < words->count; c++) {
      const uint32_t height = words->height[c];
      bool changes = true;
      int64_t own = factor; /* in sixteenths */
      if (change == OF_STRETCH)
        changes = height >= (a < b ? a : b) && height <= (a < b ? b : a);
      else if (change == OF_TYPE)
        changes = words->type[c] == unit;
      else if (change == OF_LEAVING)
        changes = words->type[c] == unit && leaves_run(words, c);
      else if (change == OF_TILT)
        own = 16 + (factor - 16) * (int64_t)height / ((int64_t)highest + 1);
      else
        own = 15 + (int64_t)wb_random_below(random, 3);
      estimate->gain[c] = scale(estimate->gain[c], changes ? own : 16);
    }
    sum_up(estimate);
  }
}

/* ---- beams ---- */

#define FIRST_WIDTH 4
/* Bytes for each letter of the strings: words while they are made, and estimates. */
#define LETTER_BYTES UINT64_C(320)

/* Beginnings that are tried where warps may run several strings. */
#define BEGINNINGS 32
#define NO_STEP UINT32_MAX

/* A warp that may issue: what is given up where it does, with what chance adds to it, and the
 * class that it goes on with. */
struct offer {
  int64_t drop;
  uint32_t warp;
  uint32_t next;
};

/* How a beam goes on from a state: the class (sm_words.h) of each warp, by its number. The caller
 * sets the first part; the arrays after it are made. */
struct rules {
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  const uint32_t *string_of; /* by warp; NULL: each may run any string */
  const struct sm_estimate *estimate;
  uint64_t seed; /* of the random preferences */
  uint32_t warps;
  uint32_t *partition_of; /* by warp */
  uint64_t *keys;         /* by class, for hashes */
  struct offer *offers;   /* working memory: the warps that may issue */
  uint32_t *waiting;      /* working memory, by partition and type: warps that wait */
};

/* ---- what a state is worth ---- */

/* The same for states that differ in the names of warps, blocks and partitions only: sums over
 * the cells, over what the blocks make of them, and over the partitions. */
static uint64_t rules_hash(const struct rules *rules, const uint32_t *classes)
{
  const uint32_t size = rules->problem->block_warps;
  uint64_t hash = 0;
  uint64_t columns[WB_PARTITION_LIMIT] = {0};
  for (uint32_t block = 0; block < rules->warps; block += size) {
    uint64_t cells[WB_PARTITION_LIMIT] = {0};
    uint64_t row = 0;
    for (uint32_t w = block; w < block + size; w++)
      cells[rules->partition_of[w]] += rules->keys[classes[w]];
    for (uint32_t p = 0; p < rules->problem->partitions; p++)
      row += wb_hash_word(cells[p], 1);
    for (uint32_t p = 0; p < rules->problem->partitions; p++)
      columns[p] += wb_hash_word(cells[p], row);
    hash += wb_hash_word(row, 2);
  }
  for (uint32_t p = 0; p < rules->problem->partitions; p++)
    hash += wb_hash_word(columns[p], 3);
  return hash;
}

/* The most barriers that a warp of the block has before it. */
static uint32_t barriers_of(const struct rules *rules, const uint32_t *block)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < rules->problem->block_warps; i++) {
    const uint32_t barriers = rules->words->barriers[block[i]];
    most = barriers > most ? barriers : most;
  }
  return most;
}

static int64_t rules_value(struct rules *rules, const uint32_t *classes)
{
  const struct sm_estimate *estimate = rules->estimate;
  const uint32_t size = rules->problem->block_warps;
  const size_t counts = (size_t)rules->problem->partitions * WB_UNIT_COUNT;
  int64_t value = 0;
  uint32_t highest = 0;
  memset(rules->waiting, 0, counts * sizeof *rules->waiting);
  for (uint32_t block = 0; block < rules->warps; block += size) {
    const uint32_t barriers = barriers_of(rules, classes + block);
    uint32_t own = 0;
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      value += estimate->worth[class];
      own = rules->words->height[class] > own ? rules->words->height[class] : own;
      if (class != 0 && rules->words->barriers[class] == barriers)
        rules->waiting[rules->partition_of[w] * WB_UNIT_COUNT + rules->words->type[class]]++;
    }
    value += own * estimate->hindmost_of_block;
    highest = own > highest ? own : highest;
  }
  for (size_t i = 0; i < counts; i++) {
    const uint32_t most = rules->waiting[i] < SM_WAITING ? rules->waiting[i] : SM_WAITING;
    value += estimate->waiting[i % WB_UNIT_COUNT][most];
  }
  return value + highest * estimate->hindmost;
}

/* ---- a cycle of a state ---- */

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
static size_t find_offers(struct rules *rules, const uint32_t *classes, uint32_t rule,
                          struct wb_random *random)
{
  const uint32_t size = rules->problem->block_warps;
  const int64_t chance = rule == 0 ? 0 : (SM_CYCLE / 8) << (rule % 4 * 2);
  const uint32_t last = classes[wb_random_below(random, rules->warps)];
  const uint32_t last_block = (uint32_t)wb_random_below(random, rules->problem->blocks);
  size_t count = 0;
  for (uint32_t block = 0; block < rules->warps; block += size) {
    const uint32_t barriers = barriers_of(rules, classes + block);
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      if (class == 0 || rules->words->barriers[class] != barriers)
        continue;
      struct offer *offer = &rules->offers[count++];
      /* The class to go on with: the most valued, or, by chance, any. */
      const uint32_t *children = rules->words->children + rules->words->first[class];
      const uint32_t ways = rules->words->first[class + 1] - rules->words->first[class];
      uint32_t next = children[0];
      for (uint32_t i = 1; i < ways; i++)
        next =
            rules->estimate->worth[children[i]] > rules->estimate->worth[next] ? children[i] : next;
      if (ways > 1 && rule % 2 == 1)
        next = children[wb_random_below(random, ways)];
      *offer = (struct offer){.warp = w, .next = next};
      offer->drop = rules->estimate->worth[class] - rules->estimate->worth[offer->next];
      if (chance > 0)
        offer->drop += (int64_t)wb_random_below(random, (uint64_t)chance);
      if (rule % 4 == 3 && (rule % 8 == 3 ? class == last : block / size == last_block))
        offer->drop += 64 * SM_CYCLE;
    }
  }
  if (count > 1)
    qsort(rules->offers, count, sizeof *rules->offers, compare_offers);
  return count;
}

/* Makes the state that the rule leads to from a state of that hash. */
static void rules_make(struct rules *rules, const uint32_t *classes, uint64_t hash, uint32_t rule,
                       uint32_t *made)
{
  struct wb_random random = {wb_hash_word(wb_hash_word(hash, rules->seed), rule)};
  const size_t count = find_offers(rules, classes, rule, &random);
  struct wb_sm_room room;
  wb_sm_room_start(rules->problem, &room);
  memcpy(made, classes, rules->warps * sizeof *made);
  for (size_t i = 0; i < count; i++) {
    const struct offer *offer = &rules->offers[i];
    const uint32_t partition = rules->partition_of[offer->warp];
    const unsigned unit = rules->words->type[classes[offer->warp]];
    if (!wb_sm_room_has(rules->problem, &room, partition, unit))
      continue;
    wb_sm_room_take(rules->problem, &room, partition, unit, 1);
    made[offer->warp] = offer->next;
  }
}

/* The rule-th beginning: the class that each warp begins with. The first ones are alike for all
 * warps, the others up to chance. */
static void rules_begin(const struct rules *rules, uint32_t rule, uint32_t *made)
{
  const struct wb_sm_words *words = rules->words;
  struct wb_random random = {wb_hash_word(wb_hash_word(0, rules->seed), rule)};
  for (uint32_t w = 0; w < rules->warps; w++) {
    const size_t string = rules->string_of != NULL ? rules->string_of[w] : 0;
    const size_t first = words->from[string];
    const size_t count = words->from[string + 1] - first;
    assert(count > 0);
    const size_t which = rule < count ? rule : (size_t)wb_random_below(&random, count);
    made[w] = words->starts[first + which];
  }
}

/* ---- the beam ---- */

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
  struct rules rules;
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
  struct rules *rules = &beam->rules;
  const struct wb_sm_problem *problem = rules->problem;
  rules->warps = wb_sm_problem_warps(problem);
  rules->partition_of = wb_arena_array(arena, uint32_t, rules->warps);
  rules->keys = wb_arena_array(arena, uint64_t, rules->words->count);
  rules->offers = wb_arena_array(arena, struct offer, rules->warps);
  rules->waiting = wb_arena_array(arena, uint32_t, (size_t)problem->partitions * WB_UNIT_COUNT);
  if (arena->failed)
    return false;
  struct wb_random random = {UINT64_C(0x736d206265616d)};
  for (size_t c = 0; c < rules->words->count; c++)
    rules->keys[c] = wb_random_next(&random);
  for (uint32_t w = 0; w < rules->warps; w++)
    rules->partition_of[w] = wb_sm_partition_of(problem, w);
  return true;
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
    beam->candidates[beam->candidate_count++] = (struct candidate){
        rules_value(&beam->rules, beam->made), rules_hash(&beam->rules, beam->made), parent, rule};
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
      rules_begin(&beam->rules, candidate->rule, classes);
    else
      rules_make(&beam->rules, beam->now->classes + (size_t)candidate->parent * beam->warps,
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
      rules_make(&beam->rules, beam->now->classes + i * beam->warps, beam->now->hash[i], rule,
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
    rules_begin(&beam->rules, rules[0], state);
    for (uint32_t c = 1; c <= beam->result->longest; c++) {
      rules_make(&beam->rules, state, rules_hash(&beam->rules, state), rules[c], beam->made);
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

/* words: of the problem, for any string where string_of is NULL, else warp w runs string
 * string_of[w]. From each state the warps are offered units (sm_machine.h) in a few orders: by
 * what the estimate says that each gives up, the least first, and by that with random changes; a
 * warp that may go on in several ways takes one at a time. Of states that differ in names only one
 * is kept (by a 64-bit hash: one may be lost, no schedule is ever false). No result is called
 * complete. Deterministic, but for
 * the control's limits. Errors: WARPBOUND_INTERNAL. */
static warpbound_status search_beam(const struct wb_sm_problem *problem,
                                    const struct wb_sm_words *words, const uint32_t *string_of,
                                    const struct sm_estimate *estimate,
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
    rules_begin(&beam.rules, rule, beam.made);
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

/* ---- the portfolio ---- */

/* estimates: by job; the last one is the best. kind: which first estimate is tried next. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of;
  const struct wb_control *control;
  struct wb_sm_words words;
  struct sm_estimate estimates[WB_PORTFOLIO_GENERATION + 1];
  unsigned kind;
};

bool wb_sm_portfolio_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const size_t letters = wb_sm_words_letters(problem);
  return warps <= WB_SM_BEAM_WARPS && letters <= WB_SM_LETTER_LIMIT &&
         letters <= WB_SCHEDULE_LIMIT / warps;
}

static warpbound_status run(void *context, unsigned job, const struct wb_beam_options *options,
                            struct wb_beam_result *result, warpbound_error *error)
{
  struct search *search = context;
  return search_beam(search->problem, &search->words, search->string_of, &search->estimates[job],
                     options, search->control, result, error);
}

static void begin(void *context, unsigned job)
{
  struct search *search = context;
  sm_estimate_begin(&search->estimates[job], search->kind++);
}

static void copy(void *context, unsigned to, unsigned from)
{
  struct search *search = context;
  sm_estimate_copy(&search->estimates[to], &search->estimates[from]);
}

static void change(void *context, unsigned job, struct wb_random *random)
{
  struct search *search = context;
  sm_estimate_change(&search->estimates[job], random);
}

static const struct wb_portfolio_kind beams = {.name = "beams",
                                               .most_width = (size_t)1 << 14,
                                               .least_branch = 4,
                                               .most_branch = 16,
                                               .returning = 2,
                                               .steps_of_beam = 4096,
                                               .seeded = true,
                                               .run = run,
                                               .begin = begin,
                                               .copy = copy,
                                               .change = change};

warpbound_status wb_sm_portfolio_search(const struct wb_sm_problem *problem,
                                        const uint32_t *string_of,
                                        const struct wb_portfolio_options *options,
                                        const struct wb_control *control,
                                        struct wb_portfolio_result *result, warpbound_error *error)
{
  assert(wb_sm_portfolio_fits(problem));
  *result = (struct wb_portfolio_result){.longest = options->lower};
  if (wb_sm_words_letters(problem) * LETTER_BYTES > control->memory_limit / 2) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  struct search search = {.problem = problem, .string_of = string_of, .control = control};
  warpbound_status status = wb_sm_words_start(&search.words, problem, string_of == NULL, error);
  struct wb_arena arena = {0}; /* of the estimates */
  if (status == WARPBOUND_OK) {
    for (unsigned i = 0; i <= WB_PORTFOLIO_GENERATION; i++)
      sm_estimate_start(&search.estimates[i], problem, &search.words, &arena);
    for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION && !arena.failed; i++)
      begin(&search, i);
    if (arena.failed)
      status = wb_out_of_memory(error);
  }
  struct wb_portfolio portfolio = {.kind = &beams,
                                   .context = &search,
                                   .options = options,
                                   .control = control,
                                   .result = result,
                                   .random = {UINT64_C(0x706f7274666f6c)},
                                   .width = FIRST_WIDTH};
  if (status == WARPBOUND_OK)
    status = wb_portfolio_run(&portfolio, error);
  wb_arena_free(&arena);
  wb_sm_words_free(&search.words);
  return status;
}
