#include "sm/search/sm_estimate.h"

#include "base/checked.h"

#include <string.h>

/* Largest gain of an instruction. */
#define MOST_GAIN (8 * WB_SM_CYCLE)

static void sum_up(struct wb_sm_estimate *estimate)
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

bool wb_sm_estimate_start(struct wb_sm_estimate *estimate, const struct wb_sm_problem *problem,
                          const struct wb_sm_words *words, struct wb_arena *arena)
{
  *estimate = (struct wb_sm_estimate){.problem = problem, .words = words};
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

void wb_sm_estimate_begin(struct wb_sm_estimate *estimate, unsigned kind)
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
        (int64_t)((uint64_t)WB_SM_CYCLE / wb_maximum(1, wb_minimum(servers, WB_SM_CYCLE)));
    estimate->gain[c] = leaves_run(words, c) ? share * leaving[kind / 2 % 4] / 4 : share;
  }
  estimate->hindmost = hindmost[kind % 8] * WB_SM_CYCLE / 8;
  estimate->hindmost_of_block = 0;
  if (problem->blocks > 1)
    estimate->hindmost_of_block = hindmost[kind / 3 % 8] * WB_SM_CYCLE / 8 / problem->blocks;
  memset(estimate->waiting, 0, sizeof estimate->waiting);
  sum_up(estimate);
}

void wb_sm_estimate_copy(struct wb_sm_estimate *to, const struct wb_sm_estimate *from)
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

void wb_sm_estimate_change(struct wb_sm_estimate *estimate, struct wb_random *random)
{
  const enum change change = (enum change)wb_random_below(random, CHANGES);
  if (change == OF_HINDMOST) {
    int64_t *value =
        wb_random_below(random, 2) == 0 ? &estimate->hindmost : &estimate->hindmost_of_block;
    *value = scale(*value + WB_SM_CYCLE / 64, random_factor(random));
  } else if (change == OF_WAITING) {
    /* Any type, that of tensor cores only where a string has it. */
    bool tensor = false;
    for (size_t s = 0; s < estimate->problem->string_count; s++)
      tensor = tensor || estimate->problem->strings[s].count[WB_UNIT_TENSOR] > 0;
    unsigned unit = (unsigned)wb_random_below(random, tensor ? WB_UNIT_COUNT : WB_UNIT_COUNT - 1);
    unit += !tensor && unit >= WB_UNIT_TENSOR;
    const unsigned count = (unsigned)wb_random_below(random, WB_SM_WAITING + 1);
    estimate->waiting[unit][count] =
        (int64_t)wb_random_below(random, 2 * WB_SM_CYCLE) - WB_SM_CYCLE;
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
