#include "certificate/schedule/schedule_check.h"

#include "certificate/schedule/fairness_check.h"
#include "certificate/schedule/schedule_sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define UNIT_TYPES 5

static const char type_letters[] = "LCSDTNB";

/* "string 2, instruction 5"; without the string where there is one only. */
static void name_instruction(const struct wb_check_schedule_claim *claim, size_t s, size_t i,
                             char *name, size_t size)
{
  int used = claim->string_count > 1 ? snprintf(name, size, "string %zu, ", s + 1) : 0;
  snprintf(name + used, size - (size_t)used, "instruction %zu", i + 1);
}

static warpbound_status refuse_letters(const struct wb_check_schedule_claim *claim, size_t s,
                                       size_t *barriers, warpbound_error *error)
{
  const struct wb_check_schedule_string *string = &claim->strings[s];
  char name[64];
  for (size_t i = 0; i < string->length; i++) {
    char letter = string->letters[i];
    const char *found = letter != '\0' ? strchr(type_letters, letter) : NULL;
    if (found == NULL) {
      name_instruction(claim, s, i, name, sizeof name);
      return wb_fail(error, WARPBOUND_INVALID_INPUT, "%s: expected one of L, C, S, D, T, N, B",
                     name);
    }
    size_t type = (size_t)(found - type_letters);
    if (type < UNIT_TYPES && claim->capacity[type] == 0) {
      name_instruction(claim, s, i, name, sizeof name);
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "%s is of type %c, for which no units are given", name, letter);
    }
    *barriers += letter == 'B';
  }
  return WARPBOUND_OK;
}

static warpbound_status refuse_strings(const struct wb_check_schedule_claim *claim,
                                       warpbound_error *error)
{
  size_t of_first = 0;
  for (size_t s = 0; s < claim->string_count; s++) {
    size_t barriers = 0;
    if (claim->strings[s].length == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one instruction");
    warpbound_status status = refuse_letters(claim, s, &barriers, error);
    if (status != WARPBOUND_OK)
      return status;
    if (s == 0)
      of_first = barriers;
    if (barriers != of_first)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "expected as many barriers in all strings, found %zu in string 1 and %zu in "
                     "string %zu",
                     of_first, barriers, s + 1);
  }
  for (size_t w = 0; claim->string_of != NULL && w < claim->warps; w++) {
    if (claim->string_of[w] >= claim->string_count)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "warp %zu: expected one of the %zu strings, found string %" PRIu64, w + 1,
                     claim->string_count, (uint64_t)claim->string_of[w] + 1);
  }
  return WARPBOUND_OK;
}

static warpbound_status refuse_claim(const struct wb_check_schedule_claim *claim,
                                     warpbound_error *error)
{
  if (claim->string_count == 0 || claim->warps == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one string and one warp");
  if (claim->partitions == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT, "expected at least one partition");
  if (claim->blocks == 0 || claim->warps % claim->blocks != 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "blocks: expected a number that divides the %zu warps, found %zu", claim->warps,
                   claim->blocks);
  warpbound_status status = refuse_strings(claim, error);
  return status == WARPBOUND_OK ? wb_check_fair_blocks(claim, error) : status;
}

static warpbound_status refuse_late(const struct wb_check_schedule_claim *claim, size_t w,
                                    uint64_t longest, warpbound_error *error)
{
  const struct wb_check_schedule_string *string = wb_check_schedule_string_of(claim, w);
  char instructions[64];
  if (claim->string_count > 1)
    snprintf(instructions, sizeof instructions, "%" PRIu64 " instructions in all", longest);
  else
    snprintf(instructions, sizeof instructions, "%zu instructions", string->length);
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "cycle %u, warp %zu: later than %" PRIu64
                 ", the cycle by which %zu warps of %s end if "
                 "none idles without need",
                 claim->cycles[w][string->length - 1], w + 1, longest, claim->warps, instructions);
}

static warpbound_status check_order(const struct wb_check_schedule_claim *claim, size_t w,
                                    uint64_t longest, warpbound_error *error)
{
  const uint32_t *cycles = claim->cycles[w];
  size_t length = wb_check_schedule_string_of(claim, w)->length;
  if (claim->counts[w] != length)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "warp %zu: the string has %zu instructions, the schedule %zu issue cycles",
                   w + 1, length, claim->counts[w]);
  for (size_t i = 0; i < length; i++) {
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
  return cycles[length - 1] > longest ? refuse_late(claim, w, longest, error) : WARPBOUND_OK;
}

/* The instructions of all warps. A schedule that keeps the rules is no longer, for up to its last
 * cycle some warp issues in each. Let warps be unfinished in a cycle in which none issues: then all
 * units and slots are free, so each of them waits at a barrier. Take one that has done the fewest
 * B, k of them. As it waits, some warp of its block has done fewer than k; that one is unfinished,
 * as all strings have as many B. But it has done fewer than the fewest. */
static uint64_t longest_of(const struct wb_check_schedule_claim *claim)
{
  uint64_t longest = 0;
  for (size_t w = 0; w < claim->warps; w++) {
    uint64_t length = wb_check_schedule_string_of(claim, w)->length;
    longest = length <= UINT64_MAX - longest ? longest + length : UINT64_MAX;
  }
  return longest;
}

warpbound_status wb_check_schedule(const struct wb_check_schedule_claim *claim, uint64_t *makespan,
                                   warpbound_error *error)
{
  warpbound_status status = refuse_claim(claim, error);
  if (status != WARPBOUND_OK)
    return status;
  uint64_t longest = longest_of(claim);
  uint64_t last = 0;
  for (size_t w = 0; w < claim->warps; w++) {
    status = check_order(claim, w, longest, error);
    if (status != WARPBOUND_OK)
      return status;
    uint64_t end = claim->cycles[w][claim->counts[w] - 1];
    last = end > last ? end : last;
  }
  status = wb_check_schedule_sweep(claim, last, error);
  if (status == WARPBOUND_OK)
    status = wb_check_fairness(claim, last, error);
  if (status == WARPBOUND_OK)
    *makespan = last;
  return status;
}
