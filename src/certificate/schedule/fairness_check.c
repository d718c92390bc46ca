/* The independent checker of fairness between the repetitions of a sub-block. */
#include "certificate/schedule/schedule_claim.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define TYPES 6
#define ANY_TYPE '\0'

static const char type_letters[TYPES + 1] = "LCSDTN";

/* A warp that idles before an instruction in a cycle in which it should not. */
struct violation {
  /* From 1; 0: none. */
  uint64_t cycle;
  size_t warp;
  size_t instruction;
};

/* The check of one claim. Arrays by cycle have entries 1 to makespan. */
struct check {
  const struct wb_check_schedule_claim *claim;
  uint64_t makespan;
  /* By cycle: instructions of the type under check. */
  uint32_t *used;
  /* By cycle: the latest repetition that issues. */
  uint32_t *latest_of_all;
  /* By cycle: the latest repetition among the instructions that compete with those of the type. */
  uint32_t *rival;
  /* The cycles in order of `rival`, and where each value of it begins among them. */
  uint32_t *by_rival;
  uint32_t *bucket;
  /* By cycle: itself where it is open, otherwise a later cycle on the way to the next open one. */
  uint64_t *open;
  /* The first violation met, by cycle, then warp. */
  struct violation first;
};

warpbound_status wb_check_fair_blocks(const struct wb_check_schedule_claim *claim,
                                      warpbound_error *error)
{
  const struct wb_check_schedule_string *string = claim->strings;
  uint64_t length = claim->fair_length;
  uint64_t count = claim->fair_count;
  if (count == 0)
    return WARPBOUND_OK;
  /* Fairness is defined for one partition of identical warps only. */
  const char *found = NULL;
  if (claim->string_count > 1)
    found = "several strings";
  else if (claim->blocks > 1)
    found = "several blocks";
  else if (claim->partitions > 1)
    found = "several partitions";
  else if (memchr(string->letters, 'B', string->length) != NULL)
    found = "barriers";
  if (found != NULL)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "fair_blocks: expected one string without barriers, one block and one "
                   "partition, found %s",
                   found);
  if (length < 1 || claim->fair_first < 1 || claim->fair_first > string->length ||
      count > (string->length - claim->fair_first + 1) / length)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "fair_blocks: expected %" PRIu64 " times %" PRIu64
                   " instructions from instruction %" PRIu64 " on "
                   "within the string, which has %zu",
                   count, length, claim->fair_first, string->length);
  for (size_t i = (size_t)(claim->fair_first - 1 + length);
       i < claim->fair_first - 1 + length * count; i++) {
    if (string->letters[i] != string->letters[i - length])
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "fair_blocks: expected the same in each repetition, found %c as instruction "
                     "%zu and %c as instruction %zu",
                     string->letters[i - length], i - (size_t)length + 1, string->letters[i],
                     i + 1);
  }
  return WARPBOUND_OK;
}

/* 0 before the repetitions, then 1 .. fair_count, and one more after them. */
static uint32_t repetition_of(const struct wb_check_schedule_claim *claim, size_t instruction)
{
  if (instruction + 1 < claim->fair_first)
    return 0;
  uint64_t repetition = (instruction + 1 - claim->fair_first) / claim->fair_length;
  return (uint32_t)(repetition < claim->fair_count ? repetition : claim->fair_count) + 1;
}

static uint64_t capacity_of(const struct wb_check_schedule_claim *claim, char letter)
{
  const char *found = strchr(type_letters, letter);
  size_t type = (size_t)(found - type_letters);
  return type < sizeof claim->capacity / sizeof *claim->capacity ? claim->capacity[type]
                                                                 : UINT64_MAX;
}

/* The latest repetition that issues in each cycle, of a type or of any, and how many do. */
static void find_latest(const struct check *check, char letter, uint32_t *latest, uint32_t *used)
{
  const struct wb_check_schedule_claim *claim = check->claim;
  memset(latest, 0, ((size_t)check->makespan + 2) * sizeof *latest);
  memset(used, 0, ((size_t)check->makespan + 2) * sizeof *used);
  for (size_t i = 0; i < claim->strings->length; i++) {
    if (letter != ANY_TYPE && claim->strings->letters[i] != letter)
      continue;
    uint32_t repetition = repetition_of(claim, i);
    for (size_t w = 0; w < claim->warps; w++) {
      uint32_t cycle = claim->cycles[w][i];
      used[cycle]++;
      latest[cycle] = repetition > latest[cycle] ? repetition : latest[cycle];
    }
  }
}

/* Takes the instructions of the type in order, so that their repetitions rise. Cycles whose rivals
 * are no later are closed for good; one that is open between two issues of a warp is unfair. */
static void find_unfair(struct check *check, char letter)
{
  const struct wb_check_schedule_claim *claim = check->claim;
  /* Counting sort. */
  uint32_t *bucket = check->bucket;
  uint64_t values = check->claim->fair_count + 2;
  memset(bucket, 0, ((size_t)values + 1) * sizeof *bucket);
  for (uint64_t c = 1; c <= check->makespan; c++)
    bucket[check->rival[c] + 1]++;
  for (uint64_t r = 1; r <= values; r++)
    bucket[r] += bucket[r - 1];
  for (uint64_t c = 1; c <= check->makespan; c++)
    check->by_rival[bucket[check->rival[c]]++] = (uint32_t)c;
  for (uint64_t c = 0; c <= check->makespan + 1; c++)
    check->open[c] = c;
  uint64_t closed = 0;
  for (size_t i = 0; i < claim->strings->length; i++) {
    if (claim->strings->letters[i] != letter)
      continue;
    uint32_t repetition = repetition_of(claim, i);
    while (closed < check->makespan && check->rival[check->by_rival[closed]] <= repetition)
      check->open[check->by_rival[closed++]]++;
    for (size_t w = 0; w < claim->warps; w++) {
      uint64_t ready = i > 0 ? (uint64_t)claim->cycles[w][i - 1] + 1 : 1;
      /* The first open cycle from `ready` on, with path halving. */
      uint64_t *open = check->open;
      uint64_t cycle = ready;
      while (open[cycle] != cycle) {
        open[cycle] = open[open[cycle]];
        cycle = open[cycle];
      }
      struct violation *first = &check->first;
      const bool earlier =
          first->cycle == 0 || cycle < first->cycle || (cycle == first->cycle && w < first->warp);
      if (cycle < claim->cycles[w][i] && earlier)
        *first = (struct violation){cycle, w, i};
    }
  }
}

/* Names the first warp that has the unit or issue slot which the violation's warp should have. */
static warpbound_status report(const struct check *check, warpbound_error *error)
{
  const struct wb_check_schedule_claim *claim = check->claim;
  const struct violation *first = &check->first;
  char letter = claim->strings->letters[first->instruction];
  find_latest(check, letter, check->rival, check->used);
  bool unit = check->used[first->cycle] == capacity_of(claim, letter);
  uint32_t own = repetition_of(claim, first->instruction);
  size_t rival = 0;
  size_t its = 0;
  for (size_t w = claim->warps; w-- > 0;) {
    for (size_t i = 0; i < claim->strings->length; i++) {
      if (claim->cycles[w][i] != first->cycle || (unit && claim->strings->letters[i] != letter) ||
          repetition_of(claim, i) <= own)
        continue;
      rival = w;
      its = i;
    }
  }
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "cycle %" PRIu64
                 ", warp %zu: idles before instruction %zu, of repetition %u, while warp "
                 "%zu has %s for instruction %zu, of repetition %u (not fair)",
                 first->cycle, first->warp + 1, first->instruction + 1, own, rival + 1,
                 unit ? "a unit" : "an issue slot", its + 1, repetition_of(claim, its));
}

warpbound_status wb_check_fairness(const struct wb_check_schedule_claim *claim, uint64_t makespan,
                                   warpbound_error *error)
{
  if (claim->fair_count == 0)
    return WARPBOUND_OK;
  struct check check = {.claim = claim, .makespan = makespan};
  struct wb_arena arena = {0};
  const size_t entries = (size_t)makespan + 2;
  check.used = wb_arena_array(&arena, uint32_t, entries);
  check.latest_of_all = wb_arena_array(&arena, uint32_t, entries);
  check.rival = wb_arena_array(&arena, uint32_t, entries);
  check.by_rival = wb_arena_array(&arena, uint32_t, entries);
  check.open = wb_arena_array(&arena, uint64_t, entries);
  check.bucket = wb_arena_array(&arena, uint32_t, (size_t)claim->fair_count + 3);
  warpbound_status status = arena.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
  if (status == WARPBOUND_OK)
    find_latest(&check, ANY_TYPE, check.latest_of_all, check.used);
  for (const char *letter = type_letters; status == WARPBOUND_OK && *letter != '\0'; letter++) {
    if (memchr(claim->strings->letters, *letter, claim->strings->length) == NULL)
      continue;
    /* Where a unit of the type is free, a warp that waits for it lacks an issue slot, which any
     * other may have. */
    find_latest(&check, *letter, check.rival, check.used);
    for (uint64_t c = 1; c <= check.makespan; c++) {
      if (check.used[c] < capacity_of(check.claim, *letter))
        check.rival[c] = check.latest_of_all[c];
    }
    find_unfair(&check, *letter);
  }
  if (status == WARPBOUND_OK && check.first.cycle != 0)
    status = report(&check, error);
  wb_arena_free(&arena);
  return status;
}
