#include "reference_checker.h"

#include <string.h>

#define TYPES 5

/* What is used in a cycle, by type and in all. */
struct usage {
  uint32_t type[TYPES];
  uint32_t total;
};

static bool is_malformed(const struct reference_schedule *schedule)
{
  for (size_t w = 0; w < schedule->warps; w++) {
    if (schedule->counts[w] != strlen(schedule->letters) || schedule->cycles[w][0] == 0)
      return true;
    for (size_t i = 1; i < schedule->counts[w]; i++) {
      if (schedule->cycles[w][i] <= schedule->cycles[w][i - 1])
        return true;
    }
  }
  return false;
}

/* How many instructions the warp has issued before the cycle. */
static size_t position_before(const struct reference_schedule *schedule, size_t warp,
                              uint64_t cycle)
{
  size_t position = 0;
  for (size_t i = 0; i < schedule->counts[warp]; i++) {
    if (schedule->cycles[warp][i] < cycle)
      position++;
  }
  return position;
}

static bool issues_in(const struct reference_schedule *schedule, size_t warp, uint64_t cycle)
{
  for (size_t i = 0; i < schedule->counts[warp]; i++) {
    if (schedule->cycles[warp][i] == cycle)
      return true;
  }
  return false;
}

/* The type of the instruction at a position, TYPES at the end of the string. */
static int type_at(const struct reference_schedule *schedule, size_t position)
{
  char letter = schedule->letters[position];
  return letter != '\0' ? (int)(strchr("LCSDN", letter) - "LCSDN") : TYPES;
}

static bool has_free_unit(const struct reference_schedule *schedule, const struct usage *usage,
                          int type)
{
  return type >= 4 || usage->type[type] < schedule->capacity[type];
}

static bool has_free_slot(const struct reference_schedule *schedule, const struct usage *usage)
{
  return schedule->issue_slots == 0 || usage->total < schedule->issue_slots;
}

static struct usage usage_of(const struct reference_schedule *schedule, uint64_t cycle)
{
  struct usage usage = {0};
  for (size_t w = 0; w < schedule->warps; w++) {
    if (issues_in(schedule, w, cycle)) {
      usage.type[type_at(schedule, position_before(schedule, w, cycle))]++;
      usage.total++;
    }
  }
  return usage;
}

/* The first warp, from 1, that breaks a rule in this cycle; 0 where none does. */
static size_t first_offender(const struct reference_schedule *schedule, uint64_t cycle)
{
  const struct usage whole = usage_of(schedule, cycle);
  struct usage before = {0};
  for (size_t w = 0; w < schedule->warps; w++) {
    int type = type_at(schedule, position_before(schedule, w, cycle));
    if (type == TYPES)
      continue;
    if (issues_in(schedule, w, cycle)) {
      if (!has_free_unit(schedule, &before, type) || !has_free_slot(schedule, &before))
        return w + 1;
      before.type[type]++;
      before.total++;
    } else if (has_free_unit(schedule, &whole, type) && has_free_slot(schedule, &whole)) {
      return w + 1;
    }
  }
  return 0;
}

static size_t block_at(const struct reference_schedule *schedule, size_t position)
{
  size_t block = 0;
  while (block <= schedule->fair_count &&
         position + 1 >= schedule->fair_first + block * schedule->fair_length)
    block++;
  return block;
}

/* The first warp, from 1, that idles in this cycle while another of a later block issues that
 * could have let it: with it in that one's place no type has more than it can. */
static size_t first_wronged(const struct reference_schedule *schedule, uint64_t cycle)
{
  for (size_t v = 0; v < schedule->warps; v++) {
    size_t position = position_before(schedule, v, cycle);
    int type = type_at(schedule, position);
    for (size_t w = 0; type != TYPES && w < schedule->warps; w++) {
      size_t other = position_before(schedule, w, cycle);
      if (issues_in(schedule, v, cycle) || !issues_in(schedule, w, cycle) ||
          block_at(schedule, other) <= block_at(schedule, position))
        continue;
      struct usage usage = usage_of(schedule, cycle);
      usage.type[type_at(schedule, other)]--;
      if (has_free_unit(schedule, &usage, type))
        return v + 1;
    }
  }
  return 0;
}

static bool is_over(const struct reference_schedule *schedule, uint64_t cycle)
{
  for (size_t w = 0; w < schedule->warps; w++) {
    if (position_before(schedule, w, cycle) < strlen(schedule->letters))
      return false;
  }
  return true;
}

struct reference_verdict reference_check(const struct reference_schedule *schedule)
{
  if (is_malformed(schedule))
    return (struct reference_verdict){.malformed = true};
  uint64_t cycle = 1;
  for (; !is_over(schedule, cycle); cycle++) {
    size_t offender = first_offender(schedule, cycle);
    if (offender != 0)
      return (struct reference_verdict){.cycle = cycle, .warp = offender};
  }
  for (uint64_t c = 1; schedule->fair_count > 0 && c < cycle; c++) {
    size_t wronged = first_wronged(schedule, c);
    if (wronged != 0)
      return (struct reference_verdict){.cycle = c, .warp = wronged};
  }
  return (struct reference_verdict){.valid = true, .makespan = cycle - 1};
}
