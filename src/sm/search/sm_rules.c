#include "sm/search/sm_rules.h"

#include "base/hash.h"
#include "base/random.h"
#include "makespan/machine/sm_machine.h"

#include <stdlib.h>
#include <string.h>

/* A warp that may issue: what is given up where it does, with what chance adds to it, and the
 * class that it goes on with. */
struct wb_sm_offer {
  int64_t drop;
  uint32_t warp;
  uint32_t next;
};

bool wb_sm_rules_start(struct wb_sm_rules *rules, struct wb_arena *arena)
{
  const struct wb_sm_problem *problem = rules->problem;
  rules->warps = wb_sm_problem_warps(problem);
  rules->partition_of = wb_arena_allocate(arena, rules->warps, sizeof *rules->partition_of);
  rules->keys = wb_arena_allocate(arena, rules->words->count, sizeof *rules->keys);
  rules->offers = wb_arena_allocate(arena, rules->warps, sizeof *rules->offers);
  rules->waiting =
      wb_arena_allocate(arena, (size_t)problem->partitions * WB_UNIT_COUNT, sizeof *rules->waiting);
  if (arena->failed)
    return false;
  struct wb_random random = {UINT64_C(0x736d206265616d)};
  for (size_t c = 0; c < rules->words->count; c++)
    rules->keys[c] = wb_random_next(&random);
  for (uint32_t w = 0; w < rules->warps; w++)
    rules->partition_of[w] = wb_sm_partition_of(problem, w);
  return true;
}

/* ---- what a state is worth ---- */

/* The same for states that differ in the names of warps, blocks and partitions only: sums over
 * the cells, over what the blocks make of them, and over the partitions. */
uint64_t wb_sm_rules_hash(const struct wb_sm_rules *rules, const uint32_t *classes)
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
static uint32_t barriers_of(const struct wb_sm_rules *rules, const uint32_t *block)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < rules->problem->block_warps; i++) {
    const uint32_t barriers = rules->words->barriers[block[i]];
    most = barriers > most ? barriers : most;
  }
  return most;
}

int64_t wb_sm_rules_value(struct wb_sm_rules *rules, const uint32_t *classes)
{
  const struct wb_sm_estimate *estimate = rules->estimate;
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
    const uint32_t most = rules->waiting[i] < WB_SM_WAITING ? rules->waiting[i] : WB_SM_WAITING;
    value += estimate->waiting[i % WB_UNIT_COUNT][most];
  }
  return value + highest * estimate->hindmost;
}

/* ---- a cycle of a state ---- */

/* The class to go on with: the most valued, or, by chance, any. */
static uint32_t next_class(const struct wb_sm_rules *rules, uint32_t class, bool any,
                           struct wb_random *random)
{
  const struct wb_sm_words *words = rules->words;
  const uint32_t first = words->first[class];
  const uint32_t count = words->first[class + 1] - first;
  if (count > 1 && any)
    return words->children[first + (uint32_t)wb_random_below(random, count)];
  uint32_t best = words->children[first];
  for (uint32_t i = 1; i < count; i++) {
    const uint32_t child = words->children[first + i];
    best = rules->estimate->worth[child] > rules->estimate->worth[best] ? child : best;
  }
  return best;
}

static int compare_offers(const void *a, const void *b)
{
  const struct wb_sm_offer *x = a;
  const struct wb_sm_offer *y = b;
  if (x->drop != y->drop)
    return x->drop < y->drop ? -1 : 1;
  return (x->warp > y->warp) - (x->warp < y->warp);
}

/* The warps that may issue, in the order of the rule. Rule 0: what gives up least. The others add
 * chance to each warp, more and more of it; every fourth lets some class or block go last. */
static size_t find_offers(struct wb_sm_rules *rules, const uint32_t *classes, uint32_t rule,
                          struct wb_random *random)
{
  const uint32_t size = rules->problem->block_warps;
  const int64_t chance = rule == 0 ? 0 : (WB_SM_CYCLE / 8) << (rule % 4 * 2);
  const uint32_t last = classes[wb_random_below(random, rules->warps)];
  const uint32_t last_block = (uint32_t)wb_random_below(random, rules->problem->blocks);
  size_t count = 0;
  for (uint32_t block = 0; block < rules->warps; block += size) {
    const uint32_t barriers = barriers_of(rules, classes + block);
    for (uint32_t w = block; w < block + size; w++) {
      const uint32_t class = classes[w];
      if (class == 0 || rules->words->barriers[class] != barriers)
        continue;
      struct wb_sm_offer *offer = &rules->offers[count++];
      *offer =
          (struct wb_sm_offer){.warp = w, .next = next_class(rules, class, rule % 2 == 1, random)};
      offer->drop = rules->estimate->worth[class] - rules->estimate->worth[offer->next];
      if (chance > 0)
        offer->drop += (int64_t)wb_random_below(random, (uint64_t)chance);
      if (rule % 4 == 3 && (rule % 8 == 3 ? class == last : block / size == last_block))
        offer->drop += 64 * WB_SM_CYCLE;
    }
  }
  if (count > 1)
    qsort(rules->offers, count, sizeof *rules->offers, compare_offers);
  return count;
}

/* Makes the state that the rule leads to from a state of that hash. */
void wb_sm_rules_make(struct wb_sm_rules *rules, const uint32_t *classes, uint64_t hash,
                      uint32_t rule, uint32_t *made)
{
  struct wb_random random = {wb_hash_word(wb_hash_word(hash, rules->seed), rule)};
  const size_t count = find_offers(rules, classes, rule, &random);
  struct wb_sm_room room;
  wb_sm_room_start(rules->problem, &room);
  memcpy(made, classes, rules->warps * sizeof *made);
  for (size_t i = 0; i < count; i++) {
    const struct wb_sm_offer *offer = &rules->offers[i];
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
void wb_sm_rules_begin(const struct wb_sm_rules *rules, uint32_t rule, uint32_t *made)
{
  const struct wb_sm_words *words = rules->words;
  struct wb_random random = {wb_hash_word(wb_hash_word(0, rules->seed), rule)};
  for (uint32_t w = 0; w < rules->warps; w++) {
    const size_t string = rules->string_of != NULL ? rules->string_of[w] : 0;
    const size_t first = words->from[string];
    const size_t count = words->from[string + 1] - first;
    const size_t which = rule < count ? rule : (size_t)wb_random_below(&random, count);
    made[w] = words->starts[first + which];
  }
}
