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

#define FIRST_WIDTH 4
/* Bytes for each letter of the strings: words while they are made, and estimates. */
#define LETTER_BYTES UINT64_C(320)

/* ---- estimates: the cycles that a state can still last, for beams ---- */

/* Values are in fixed point, so that every machine finds the same: one cycle. */
#define CYCLE (INT64_C(1) << 16)

/* Waiting warps of a type and partition up to which their number counts. */
#define MOST_WAITING 4u

/* An estimate, in 1 / CYCLE cycles. No value is above 2^40 in magnitude; nothing is claimed of how
 * near it is to the truth. */
struct estimate {
  int64_t *gain;  /* by class: of the next instruction of a warp */
  int64_t *worth; /* by class: of all that a warp has left, the sum of the gains on its best way */
  int64_t hindmost; /* of each instruction that the hindmost warp of all has left, besides */
  int64_t hindmost_of_block; /* of each that the hindmost warp of a block has left, besides */
  /* By type and warps that wait for it (MOST_WAITING: or more): of each partition. */
  int64_t waiting[WB_UNIT_COUNT][MOST_WAITING + 1];
};

/* estimates: by job; the last one is the best. kind: which first estimate is tried next. */
struct search {
  const struct wb_sm_problem *problem;
  const uint32_t *string_of; /* by warp; NULL: each may run any string */
  const struct wb_control *control;
  struct wb_sm_words words;
  uint32_t *by_height; /* the classes, the fewest instructions left first */
  struct estimate estimates[WB_PORTFOLIO_GENERATION + 1];
  unsigned kind;
  struct wb_arena arena; /* of the arrays */
};

/* Largest gain of an instruction. */
#define MOST_GAIN (8 * CYCLE)

static void sum_up(const struct search *search, struct estimate *estimate)
{
  const struct wb_sm_words *words = &search->words;
  estimate->worth[0] = 0;
  for (size_t k = 1; k < words->count; k++) {
    const uint32_t class = search->by_height[k];
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

/* Makes the job's estimate the next of the first ones. */
static void begin(void *context, unsigned job)
{
  struct search *search = context;
  struct estimate *estimate = &search->estimates[job];
  const unsigned kind = search->kind++;
  static const int64_t leaving[] = {4, 8, 2, 1};               /* quarters */
  static const int64_t hindmost[] = {8, 4, 2, 1, 0, 12, 6, 3}; /* eighths of a cycle */
  const struct wb_sm_problem *problem = search->problem;
  const struct wb_sm_words *words = &search->words;
  for (size_t c = 1; c < words->count; c++) {
    /* The share of a cycle of the SM that an instruction of a type takes. */
    const uint64_t service = wb_minimum(problem->capacity[words->type[c]], problem->issue_slots);
    const uint64_t servers = problem->shared[words->type[c]] ? problem->capacity[words->type[c]]
                                                             : service * problem->partitions;
    const int64_t share = (int64_t)((uint64_t)CYCLE / wb_maximum(1, wb_minimum(servers, CYCLE)));
    estimate->gain[c] = leaves_run(words, c) ? share * leaving[kind / 2 % 4] / 4 : share;
  }
  estimate->hindmost = hindmost[kind % 8] * CYCLE / 8;
  estimate->hindmost_of_block = 0;
  if (problem->blocks > 1)
    estimate->hindmost_of_block = hindmost[kind / 3 % 8] * CYCLE / 8 / problem->blocks;
  memset(estimate->waiting, 0, sizeof estimate->waiting);
  sum_up(search, estimate);
}

static void copy(void *context, unsigned to_job, unsigned from_job)
{
  struct search *search = context;
  struct estimate *to = &search->estimates[to_job];
  const struct estimate *from = &search->estimates[from_job];
  const size_t bytes = search->words.count * sizeof *to->gain;
  memcpy(to->gain, from->gain, bytes);
  memcpy(to->worth, from->worth, bytes);
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

enum kind { OF_STRETCH, OF_TYPE, OF_LEAVING, OF_HINDMOST, OF_WAITING, OF_TILT, OF_ALL, CHANGES };

/* A random change. */
static void change(void *context, unsigned job, struct wb_random *random)
{
  struct search *search = context;
  struct estimate *estimate = &search->estimates[job];
  const enum kind kind = (enum kind)wb_random_below(random, CHANGES);
  if (kind == OF_HINDMOST) {
    int64_t *value =
        wb_random_below(random, 2) == 0 ? &estimate->hindmost : &estimate->hindmost_of_block;
    *value = scale(*value + CYCLE / 64, random_factor(random));
  } else if (kind == OF_WAITING) {
    /* Any type, that of tensor cores only where a string has it. */
    bool tensor = false;
    for (size_t s = 0; s < search->problem->string_count; s++)
      tensor = tensor || search->problem->strings[s].count[WB_UNIT_TENSOR] > 0;
    unsigned unit = (unsigned)wb_random_below(random, tensor ? WB_UNIT_COUNT : WB_UNIT_COUNT - 1);
    unit += !tensor && unit >= WB_UNIT_TENSOR;
    const unsigned count = (unsigned)wb_random_below(random, MOST_WAITING + 1);
    estimate->waiting[unit][count] = (int64_t)wb_random_below(random, 2 * CYCLE) - CYCLE;
  } else {
    const struct wb_sm_words *words = &search->words;
    const uint32_t highest = words->height[search->by_height[words->count - 1]];
    const uint32_t a = (uint32_t)wb_random_below(random, (uint64_t)highest + 1);
    const uint32_t b = (uint32_t)wb_random_below(random, (uint64_t)highest + 1);
    const unsigned unit = words->type[1 + wb_random_below(random, words->count - 1)];
    const int64_t factor = random_factor(random);
    for (size_t c = 1; c < words->count; c++) {
      const uint32_t height = words->height[c];
      bool changes = true;
      int64_t own = factor; /* in sixteenths */
      if (kind == OF_STRETCH)
        changes = height >= (a < b ? a : b) && height <= (a < b ? b : a);
      else if (kind == OF_TYPE)
        changes = words->type[c] == unit;
      else if (kind == OF_LEAVING)
        changes = words->type[c] == unit && leaves_run(words, c);
      else if (kind == OF_TILT)
        own = 16 + (factor - 16) * (int64_t)height / ((int64_t)highest + 1);
      else
        own = 15 + (int64_t)wb_random_below(random, 3);
      estimate->gain[c] = scale(estimate->gain[c], changes ? own : 16);
    }
    sum_up(search, estimate);
  }
}

/* ---- beams ---- */

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

/* The states of a cycle: the class (sm_words.h) of each warp, by its number, at classes[i * warps];
 * step[i]: how the state was reached. */
struct layer {
  uint32_t *classes;
  uint32_t *step;
  uint64_t *hash;
  size_t states;
};

struct beam {
  const struct search *search;
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  const struct estimate *estimate;
  const struct wb_beam_options *options;
  struct wb_beam_budget budget;
  struct wb_beam_result *result;
  uint32_t warps;
  uint32_t *partition_of; /* by warp */
  uint64_t *keys;         /* by class, for hashes */
  struct offer *offers;   /* working memory: the warps that may issue */
  uint32_t *waiting;      /* working memory, by partition and type: warps that wait */
  struct layer layers[2];
  struct layer *now;
  struct layer *next;
  struct candidate *candidates;
  size_t candidate_count;
  size_t candidate_capacity; /* as many as the largest layer so far had need of */
  uint32_t *made;
  struct step *steps;
  size_t step_count;
  size_t step_capacity;
  uint32_t end; /* the last step to the end; NO_STEP: not reached */
  uint32_t cycle;
  bool out_of_memory;
  struct wb_arena arena; /* of the arrays but the candidates and the steps */
};

/* The same for states that differ in the names of warps, blocks and partitions only: sums over
 * the cells, over what the blocks make of them, and over the partitions. */
static uint64_t hash_of(const struct beam *beam, const uint32_t *classes)
{
  const uint32_t size = beam->problem->block_warps, partitions = beam->problem->partitions;
  uint64_t hash = 0;
  uint64_t columns[WB_PARTITION_LIMIT] = {0};
  for (uint32_t block = 0; block < beam->warps; block += size) {
    uint64_t cells[WB_PARTITION_LIMIT] = {0};
    uint64_t row = 0;
    for (uint32_t w = block; w < block + size; w++)
      cells[beam->partition_of[w]] += beam->keys[classes[w]];
    for (uint32_t p = 0; p < partitions; p++)
      row += wb_hash_word(cells[p], 1);
    for (uint32_t p = 0; p < partitions; p++)
      columns[p] += wb_hash_word(cells[p], row);
    hash += wb_hash_word(row, 2);
  }
  for (uint32_t p = 0; p < partitions; p++)
    hash += wb_hash_word(columns[p], 3);
  return hash;
}

/* The most barriers that a warp of the block has before it. */
static uint32_t barriers_of(const struct beam *beam, const uint32_t *block)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < beam->problem->block_warps; i++) {
    const uint32_t barriers = beam->words->barriers[block[i]];
    most = barriers > most ? barriers : most;
  }
  return most;
}

static int64_t value_of(struct beam *beam, const uint32_t *classes)
{
  const struct estimate *estimate = beam->estimate;
  const struct wb_sm_words *words = beam->words;
  const uint32_t size = beam->problem->block_warps;
  const size_t counts = (size_t)beam->problem->partitions * WB_UNIT_COUNT;
  int64_t value = 0;
  uint32_t highest = 0;
  memset(beam->waiting, 0, counts * sizeof *beam->waiting);
  for (uint32_t block = 0; block < beam->warps; block += size) {
    const uint32_t barriers = barriers_of(beam, classes + block);
    uint32_t own = 0;
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      value += estimate->worth[class];
      own = words->height[class] > own ? words->height[class] : own;
      if (class != 0 && words->barriers[class] == barriers)
        beam->waiting[beam->partition_of[w] * WB_UNIT_COUNT + words->type[class]]++;
    }
    value += own * estimate->hindmost_of_block;
    highest = own > highest ? own : highest;
  }
  for (size_t i = 0; i < counts; i++) {
    const uint32_t most = beam->waiting[i] < MOST_WAITING ? beam->waiting[i] : MOST_WAITING;
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

/* Makes the state that the rule leads to from a state of that hash. */
static void make_state(struct beam *beam, const uint32_t *classes, uint64_t hash, uint32_t rule,
                       uint32_t *made)
{
  struct wb_random random = {wb_hash_word(wb_hash_word(hash, beam->options->seed), rule)};
  /* The warps that may issue, in the order of the rule. Rule 0: what gives up least. The others add
   * chance to each warp, more and more of it; every fourth lets some class or block go last. */
  const uint32_t size = beam->problem->block_warps;
  const int64_t *worth = beam->estimate->worth;
  const int64_t chance = rule == 0 ? 0 : (CYCLE / 8) << (rule % 4 * 2);
  const uint32_t last = classes[wb_random_below(&random, beam->warps)];
  const uint32_t last_block = (uint32_t)wb_random_below(&random, beam->problem->blocks);
  size_t count = 0;
  for (uint32_t block = 0; block < beam->warps; block += size) {
    const uint32_t barriers = barriers_of(beam, classes + block);
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      if (class == 0 || beam->words->barriers[class] != barriers)
        continue;
      /* The class to go on with: the most valued, or, by chance, any. */
      const uint32_t *children = beam->words->children + beam->words->first[class];
      const uint32_t ways = beam->words->first[class + 1] - beam->words->first[class];
      uint32_t next = children[0];
      for (uint32_t i = 1; i < ways; i++)
        next = worth[children[i]] > worth[next] ? children[i] : next;
      if (ways > 1 && rule % 2 == 1)
        next = children[wb_random_below(&random, ways)];
      int64_t drop = worth[class] - worth[next];
      if (chance > 0)
        drop += (int64_t)wb_random_below(&random, (uint64_t)chance);
      if (rule % 4 == 3 && (rule % 8 == 3 ? class == last : block / size == last_block))
        drop += 64 * CYCLE;
      beam->offers[count++] = (struct offer){.drop = drop, .warp = w, .next = next};
    }
  }
  if (count > 1)
    qsort(beam->offers, count, sizeof *beam->offers, compare_offers);

  struct wb_sm_room room;
  wb_sm_room_start(beam->problem, &room);
  memcpy(made, classes, beam->warps * sizeof *made);
  for (size_t i = 0; i < count; i++) {
    const struct offer *offer = &beam->offers[i];
    const uint32_t partition = beam->partition_of[offer->warp];
    const unsigned unit = beam->words->type[classes[offer->warp]];
    if (!wb_sm_room_has(beam->problem, &room, partition, unit))
      continue;
    wb_sm_room_take(beam->problem, &room, partition, unit, 1);
    made[offer->warp] = offer->next;
  }
}

/* The rule-th beginning: the class that each warp begins with. The first ones are alike for all
 * warps, the others up to chance. */
static void make_beginning(const struct beam *beam, uint32_t rule, uint32_t *made)
{
  const struct wb_sm_words *words = beam->words;
  struct wb_random random = {wb_hash_word(wb_hash_word(0, beam->options->seed), rule)};
  for (uint32_t w = 0; w < beam->warps; w++) {
    const size_t string = beam->search->string_of != NULL ? beam->search->string_of[w] : 0;
    const size_t first = words->from[string];
    const size_t count = words->from[string + 1] - first;
    assert(count > 0);
    const size_t which = rule < count ? rule : (size_t)wb_random_below(&random, count);
    made[w] = words->starts[first + which];
  }
}

/* ---- the layers of a beam ---- */

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
  beam->made = wb_arena_array(arena, uint32_t, beam->warps);
  for (size_t i = 0; i < 2; i++) {
    beam->layers[i].classes = wb_arena_unset_array(arena, uint32_t, width * beam->warps);
    beam->layers[i].step = wb_arena_unset_array(arena, uint32_t, width);
    beam->layers[i].hash = wb_arena_unset_array(arena, uint64_t, width);
  }
  beam->partition_of = wb_arena_array(arena, uint32_t, beam->warps);
  beam->keys = wb_arena_array(arena, uint64_t, beam->words->count);
  beam->offers = wb_arena_array(arena, struct offer, beam->warps);
  beam->waiting =
      wb_arena_array(arena, uint32_t, (size_t)beam->problem->partitions * WB_UNIT_COUNT);
  if (arena->failed)
    return false;
  struct wb_random random = {UINT64_C(0x736d206265616d)};
  for (size_t c = 0; c < beam->words->count; c++)
    beam->keys[c] = wb_random_next(&random);
  for (uint32_t w = 0; w < beam->warps; w++)
    beam->partition_of[w] = wb_sm_partition_of(beam->problem, w);
  return true;
}

static bool goes_on(struct beam *beam, uint64_t steps)
{
  return wb_beam_goes_on(&beam->budget, steps) && !beam->out_of_memory;
}

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

/* Makes room for that many candidates: short strings have few states, whatever the width. */
static bool reserve_candidates(struct beam *beam, size_t count)
{
  if (!wb_grow(beam->candidates, &beam->candidate_capacity, count))
    beam->out_of_memory = true;
  return !beam->out_of_memory;
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
        (struct candidate){value_of(beam, beam->made), hash_of(beam, beam->made), parent, rule};
  } else if (beam->result->longest < beam->cycle) {
    beam->result->longest = beam->cycle;
    beam->end = add_step(beam, beam->now->step[parent], rule);
  }
}

/* The most valued candidates become the next layer; equal states have equal values and hashes and
 * stand side by side. */
static void finish_layer(struct beam *beam)
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
      make_beginning(beam, candidate->rule, classes);
    else
      make_state(beam, beam->now->classes + (size_t)candidate->parent * beam->warps,
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

/* Goes the way of the rules to the end once more. */
static warpbound_status make_witness(struct beam *beam, warpbound_error *error)
{
  const size_t cycles = (size_t)beam->result->longest;
  uint32_t *rules = wb_arena_array(&beam->arena, uint32_t, cycles + 1);
  struct wb_sm_record record;
  if (!wb_sm_record_start(&record, beam->problem, &beam->arena) || rules == NULL)
    return wb_out_of_memory(error);
  uint32_t step = beam->end;
  for (size_t t = cycles + 1; t-- > 0; step = beam->steps[step].parent)
    rules[t] = beam->steps[step].rule;
  uint32_t *state = beam->next->classes;
  make_beginning(beam, rules[0], state);
  for (uint32_t c = 1; c <= beam->result->longest; c++) {
    make_state(beam, state, hash_of(beam, state), rules[c], beam->made);
    for (uint32_t w = 0; w < beam->warps; w++) {
      if (beam->made[w] != state[w])
        wb_sm_record_issue(&record, w, beam->words->type[state[w]], c);
    }
    memcpy(state, beam->made, beam->warps * sizeof *state);
  }
  return wb_sm_record_schedule(&record, beam->search->string_of, cycles, &beam->result->witness,
                               error);
}

/* A beam of the portfolio, under the job's estimate. From each state the warps are offered units
 * (sm_machine.h) in a few orders: by what the estimate says that each gives up, the least first,
 * and by that with random changes; a warp that may go on in several ways takes one at a time. Of
 * states that differ in names only one is kept (by a 64-bit hash: one may be lost, no schedule is
 * ever false). No result is called complete. Deterministic, but for the control's limits. */
static warpbound_status run(void *context, unsigned job, const struct wb_beam_options *options,
                            struct wb_beam_result *result, warpbound_error *error)
{
  const struct search *search = context;
  *result = (struct wb_beam_result){0};
  struct beam beam = {.search = search,
                      .problem = search->problem,
                      .words = &search->words,
                      .estimate = &search->estimates[job],
                      .options = options,
                      .budget = {.control = search->control, .most = options->steps},
                      .result = result,
                      .warps = wb_sm_problem_warps(search->problem),
                      .end = NO_STEP};
  if (fixed_bytes(beam.warps, options) > options->memory) {
    result->stop = WB_STOP_MEMORY;
    return WARPBOUND_OK;
  }
  beam.out_of_memory = !start_beam(&beam);
  const size_t kinds = search->string_of != NULL || beam.words->from[1] == 1 ? 1 : BEGINNINGS;
  const uint64_t beginnings = wb_minimum(kinds, options->width * options->branch);
  if (!beam.out_of_memory)
    reserve_candidates(&beam, (size_t)beginnings);
  for (uint32_t rule = 0; rule < beginnings && !beam.out_of_memory; rule++) {
    make_beginning(&beam, rule, beam.made);
    add_candidate(&beam, 0, rule);
  }
  if (!beam.out_of_memory)
    finish_layer(&beam);
  while (goes_on(&beam, 0) && beam.now->states > 0) {
    beam.cycle++;
    if (!reserve_candidates(&beam, beam.now->states * options->branch))
      break;
    for (size_t i = 0; i < beam.now->states; i++) {
      for (uint32_t rule = 0; rule < options->branch && goes_on(&beam, beam.warps); rule++) {
        make_state(&beam, beam.now->classes + i * beam.warps, beam.now->hash[i], rule, beam.made);
        add_candidate(&beam, (uint32_t)i, rule);
      }
    }
    if (!goes_on(&beam, 0))
      break;
    finish_layer(&beam);
    const uint64_t bytes =
        fixed_bytes(beam.warps, options) + beam.step_capacity * sizeof *beam.steps;
    result->bytes = wb_maximum(result->bytes, bytes);
    if (bytes > options->memory && beam.budget.stop == WB_STOP_NONE)
      beam.budget.stop = WB_STOP_MEMORY;
  }
  result->stop = beam.out_of_memory ? WB_STOP_MEMORY : beam.budget.stop;
  result->out_of_steps = beam.budget.out_of_steps;
  result->steps = beam.budget.steps;
  warpbound_status status = WARPBOUND_OK;
  if (result->longest > options->longer_than && beam.end != NO_STEP)
    status = make_witness(&beam, error);
  wb_arena_free(&beam.arena);
  free(beam.candidates);
  free(beam.steps);
  return status;
}

/* ---- the portfolio ---- */

bool wb_sm_portfolio_fits(const struct wb_sm_problem *problem)
{
  const uint32_t warps = wb_sm_problem_warps(problem);
  const size_t letters = wb_sm_words_letters(problem);
  return warps <= WB_SM_BEAM_WARPS && letters <= WB_SM_LETTER_LIMIT &&
         letters <= WB_SCHEDULE_LIMIT / warps;
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
  const size_t classes = status == WARPBOUND_OK ? search.words.count : 0;
  struct wb_arena *arena = &search.arena;
  for (unsigned i = 0; i <= WB_PORTFOLIO_GENERATION; i++) {
    search.estimates[i].gain = wb_arena_array(arena, int64_t, classes);
    search.estimates[i].worth = wb_arena_array(arena, int64_t, classes);
  }
  /* Classes with the fewest instructions left first: counting sort. */
  search.by_height = wb_arena_array(arena, uint32_t, classes);
  uint32_t highest = 0;
  for (size_t c = 0; c < classes; c++)
    highest = search.words.height[c] > highest ? search.words.height[c] : highest;
  uint32_t *place = wb_arena_array(arena, uint32_t, (size_t)highest + 2);
  if (arena->failed && status == WARPBOUND_OK)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    for (size_t c = 0; c < classes; c++)
      place[search.words.height[c] + 1]++;
    for (uint32_t h = 0; h < highest; h++)
      place[h + 1] += place[h];
    for (size_t c = 0; c < classes; c++)
      search.by_height[place[search.words.height[c]]++] = (uint32_t)c;
  }
  for (unsigned i = 0; i < WB_PORTFOLIO_GENERATION && status == WARPBOUND_OK; i++)
    begin(&search, i);
  struct wb_portfolio portfolio = {.kind = &beams,
                                   .context = &search,
                                   .options = options,
                                   .control = control,
                                   .result = result,
                                   .random = {UINT64_C(0x706f7274666f6c)},
                                   .width = FIRST_WIDTH};
  if (status == WARPBOUND_OK)
    status = wb_portfolio_run(&portfolio, error);
  wb_arena_free(&search.arena);
  wb_sm_words_free(&search.words);
  return status;
}
