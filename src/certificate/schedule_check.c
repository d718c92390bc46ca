#include "certificate/schedule_check.h"

#include "certificate/fairness_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define TYPES 5
#define NO_LIMIT UINT64_MAX

static const char type_letters[TYPES + 1] = "LCSDN";

/* The earliest violation met so far; cycle 0: none. type: TYPES for the cap on
 * issue slots. */
struct violation {
  uint64_t cycle;
  size_t warp;
  int type;
  bool idle;
};

/* Per cycle 1..makespan (entry 0 unused): instructions in all, those of the type
 * under check, and the first cycle from there on in which that type could have
 * taken one more (makespan + 1: none). */
struct check {
  const struct wb_schedule_claim *claim;
  uint64_t makespan;
  uint32_t *total;
  uint32_t *used;
  uint64_t *open;
  struct violation first;
};

static uint64_t capacity_of(const struct wb_schedule_claim *claim, int type)
{
  return type < 4 ? claim->capacity[type] : NO_LIMIT;
}

static warpbound_status refuse_letters(const struct wb_schedule_claim *claim,
                                       warpbound_error *error)
{
  if (claim->length == 0 || claim->warps == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "expected at least one instruction and one warp");
  for (size_t i = 0; i < claim->length; i++) {
    const char *found = claim->letters[i] != '\0' ? strchr(type_letters, claim->letters[i]) : NULL;
    if (found == NULL)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu: expected one of L, C, S, D, N", i + 1);
    if (capacity_of(claim, (int)(found - type_letters)) == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "instruction %zu is of type %c, for which no units are given", i + 1, *found);
  }
  return WARPBOUND_OK;
}

static warpbound_status check_order(const struct wb_schedule_claim *claim, size_t w,
                                    uint64_t longest, warpbound_error *error)
{
  const uint32_t *cycles = claim->cycles[w];
  if (claim->counts[w] != claim->length)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "warp %zu: the string has %zu instructions, the schedule %zu issue cycles",
                   w + 1, claim->length, claim->counts[w]);
  for (size_t i = 0; i < claim->length; i++) {
    if (cycles[i] < 1)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle 0, warp %zu: instruction %zu issues before the first cycle, 1", w + 1,
                     i + 1);
    if (i > 0 && cycles[i] <= cycles[i - 1])
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "cycle %u, warp %zu: instruction %zu does not come after instruction %zu "
                     "(cycle %u)",
                     cycles[i], w + 1, i + 1, i, cycles[i - 1]);
  }
  if (cycles[claim->length - 1] > longest)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "cycle %u, warp %zu: later than %llu, the cycle by which %zu warps of %zu "
                   "instructions end if none idles without need",
                   cycles[claim->length - 1], w + 1, (unsigned long long)longest, claim->warps,
                   claim->length);
  return WARPBOUND_OK;
}

/* Keeps the earlier of two violations: by cycle, then warp, then what came first. */
static void note(struct check *check, uint64_t cycle, size_t warp, int type, bool idle)
{
  struct violation *first = &check->first;
  if (first->cycle != 0 && (cycle > first->cycle || (cycle == first->cycle && warp >= first->warp)))
    return;
  *first = (struct violation){cycle, warp, type, idle};
}

static void count_total(struct check *check)
{
  for (size_t w = 0; w < check->claim->warps; w++) {
    for (size_t i = 0; i < check->claim->length; i++)
      check->total[check->claim->cycles[w][i]]++;
  }
}

static void count_type(struct check *check, int type)
{
  memset(check->used, 0, ((size_t)check->makespan + 2) * sizeof *check->used);
  for (size_t i = 0; i < check->claim->length; i++) {
    if (check->claim->letters[i] != type_letters[type])
      continue;
    for (size_t w = 0; w < check->claim->warps; w++)
      check->used[check->claim->cycles[w][i]]++;
  }
}

/* Walks the warps again in order and notes those that go beyond the limit. */
static void find_excess(struct check *check, int type, uint64_t limit, uint32_t *counts)
{
  bool every_type = type == TYPES;
  memset(counts, 0, ((size_t)check->makespan + 2) * sizeof *counts);
  for (size_t w = 0; w < check->claim->warps; w++) {
    for (size_t i = 0; i < check->claim->length; i++) {
      if (!every_type && check->claim->letters[i] != type_letters[type])
        continue;
      uint32_t cycle = check->claim->cycles[w][i];
      if (++counts[cycle] > limit)
        note(check, cycle, w, type, false);
    }
  }
}

static void find_open_cycles(struct check *check, uint64_t capacity, uint64_t slots)
{
  uint64_t open = check->makespan + 1;
  check->open[check->makespan + 1] = open;
  for (uint64_t c = check->makespan; c >= 1; c--) {
    if (check->used[c] < capacity && check->total[c] < slots)
      open = c;
    check->open[c] = open;
  }
}

/* Between two issues of a warp no cycle may be open to the type that it waits for. */
static void find_idle(struct check *check, int type)
{
  for (size_t i = 0; i < check->claim->length; i++) {
    if (check->claim->letters[i] != type_letters[type])
      continue;
    for (size_t w = 0; w < check->claim->warps; w++) {
      const uint32_t *cycles = check->claim->cycles[w];
      uint64_t ready = i > 0 ? (uint64_t)cycles[i - 1] + 1 : 1;
      if (check->open[ready] < cycles[i])
        note(check, check->open[ready], w, type, true);
    }
  }
}

static void check_cycles(struct check *check)
{
  uint64_t slots = check->claim->issue_slots > 0 ? check->claim->issue_slots : NO_LIMIT;
  find_excess(check, TYPES, slots, check->total);
  memset(check->total, 0, ((size_t)check->makespan + 2) * sizeof *check->total);
  count_total(check);
  for (int type = 0; type < TYPES; type++) {
    if (memchr(check->claim->letters, type_letters[type], check->claim->length) == NULL)
      continue;
    uint64_t capacity = capacity_of(check->claim, type);
    find_excess(check, type, capacity, check->used);
    count_type(check, type);
    find_open_cycles(check, capacity, slots);
    find_idle(check, type);
  }
}

static warpbound_status report(const struct check *check, warpbound_error *error)
{
  const struct violation *first = &check->first;
  unsigned long long cycle = first->cycle;
  if (first->idle)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "cycle %llu, warp %zu: idles although a unit of type %c and an issue slot are "
                   "free (not work-conserving)",
                   cycle, first->warp + 1, type_letters[first->type]);
  if (first->type == TYPES)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "cycle %llu, warp %zu: one instruction more than the %llu issue slots", cycle,
                   first->warp + 1, (unsigned long long)check->claim->issue_slots);
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "cycle %llu, warp %zu: one instruction more of type %c than its %llu units", cycle,
                 first->warp + 1, type_letters[first->type],
                 (unsigned long long)check->claim->capacity[first->type]);
}

static warpbound_status check_and_report(struct check *check, warpbound_error *error)
{
  size_t entries = (size_t)check->makespan + 2;
  check->total = calloc(entries, sizeof *check->total);
  check->used = calloc(entries, sizeof *check->used);
  check->open = calloc(entries, sizeof *check->open);
  warpbound_status status = WARPBOUND_OK;
  if (check->total == NULL || check->used == NULL || check->open == NULL)
    status = wb_out_of_memory(error);
  else
    check_cycles(check);
  free(check->total);
  free(check->used);
  free(check->open);
  if (status == WARPBOUND_OK && check->first.cycle != 0)
    status = report(check, error);
  return status;
}

warpbound_status wb_schedule_check(const struct wb_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error)
{
  warpbound_status status = refuse_letters(claim, error);
  if (status == WARPBOUND_OK)
    status = wb_fair_blocks_refuse(claim, error);
  if (status != WARPBOUND_OK)
    return status;
  struct check check = {.claim = claim};
  uint64_t longest =
      claim->warps <= UINT64_MAX / claim->length ? claim->warps * claim->length : UINT64_MAX;
  for (size_t w = 0; w < claim->warps; w++) {
    status = check_order(claim, w, longest, error);
    if (status != WARPBOUND_OK)
      return status;
    if (claim->cycles[w][claim->length - 1] > check.makespan)
      check.makespan = claim->cycles[w][claim->length - 1];
  }
  status = check_and_report(&check, error);
  if (status == WARPBOUND_OK)
    status = wb_fairness_check(claim, check.makespan, error);
  if (status == WARPBOUND_OK)
    *makespan = check.makespan;
  return status;
}
