#include "random_instance.h"

#include <stdio.h>
#include <string.h>

#define UNIT_TYPES INSTANCE_UNIT_TYPES

static const char type_letters[] = "LCSDTN";

static void shuffle(struct wb_random *random, uint32_t *items, uint32_t count)
{
  for (uint32_t i = count; i > 1; i--) {
    uint32_t other = (uint32_t)wb_random_below(random, i);
    uint32_t kept = items[i - 1];
    items[i - 1] = items[other];
    items[other] = kept;
  }
}

/* Letters of up to four types, in which stretches of one type are common. */
static void random_letters(struct wb_random *random, char *letters, size_t length)
{
  uint32_t types[UNIT_TYPES] = {0, 1, 2, 3, 4};
  shuffle(random, types, UNIT_TYPES);
  uint64_t type_count = 1 + wb_random_below(random, 3) + (wb_random_below(random, 8) == 0);
  bool with_none = wb_random_below(random, 6) == 0;
  uint64_t repeat_of_8 = wb_random_below(random, 6);
  for (size_t i = 0; i < length; i++) {
    if (i > 0 && wb_random_below(random, 8) < repeat_of_8)
      letters[i] = letters[i - 1];
    else if (with_none && wb_random_below(random, 3) == 0)
      letters[i] = 'N';
    else
      letters[i] = type_letters[types[wb_random_below(random, type_count)]];
  }
  letters[length] = '\0';
}

struct instance instance_random(struct wb_random *random)
{
  struct instance instance = {.warps = 1 + (uint32_t)wb_random_below(random, 6)};
  random_letters(random, instance.letters, 1 + wb_random_below(random, 8));
  uint64_t largest = 1 + wb_random_below(random, 4);
  for (unsigned u = 0; u < UNIT_TYPES; u++)
    instance.capacity[u] = 1 + (uint32_t)wb_random_below(random, largest);
  if (wb_random_below(random, 2) == 0)
    instance.issue_slots = 1 + (uint32_t)wb_random_below(random, 6);
  return instance;
}

struct instance instance_random_fair(struct wb_random *random)
{
  struct instance instance = instance_random(random);
  size_t before = (size_t)wb_random_below(random, 3);
  size_t length = 1 + (size_t)wb_random_below(random, 3);
  size_t count = 1 + (size_t)wb_random_below(random, 7 / length > 3 ? 3 : 7 / length);
  size_t behind = (size_t)wb_random_below(random, 2);
  char letters[8];
  random_letters(random, letters, before + length + behind);
  size_t at = 0;
  for (size_t i = 0; i < before; i++)
    instance.letters[at++] = letters[i];
  for (size_t i = 0; i < length * count; i++)
    instance.letters[at++] = letters[before + i % length];
  for (size_t i = 0; i < behind; i++)
    instance.letters[at++] = letters[before + length + i];
  instance.letters[at] = '\0';
  instance.fair = (struct wb_fair_blocks){before + 1, length, count};
  return instance;
}

struct brute_machine instance_machine(const struct instance *instance)
{
  struct brute_machine machine = {.letters = instance->letters,
                                  .issue_slots = instance->issue_slots,
                                  .fair_first = (uint32_t)instance->fair.first,
                                  .fair_length = (uint32_t)instance->fair.length,
                                  .fair_count = (uint32_t)instance->fair.count};
  memcpy(machine.capacity, instance->capacity, sizeof machine.capacity);
  return machine;
}

bool instance_problem(const struct instance *instance, struct wb_problem *problem)
{
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "random");
  for (unsigned u = 0; u < UNIT_TYPES; u++)
    wb_unit_capacity_set(&sm.unit[u], instance->capacity[u], 1);
  sm.issue_slots = instance->issue_slots;
  struct wb_kernel_string string;
  if (wb_kernel_string_parse(instance->letters, NULL, &string, NULL) != WARPBOUND_OK)
    return false;
  warpbound_status status = wb_problem_normalise(&string, &sm, instance->warps, problem, NULL);
  if (status == WARPBOUND_OK && instance->fair.count > 0) {
    problem->fair = instance->fair;
    status = wb_fair_blocks_check(&instance->fair, &string, NULL);
    if (status != WARPBOUND_OK)
      wb_problem_free(problem);
  }
  wb_kernel_string_free(&string);
  return status == WARPBOUND_OK;
}

static void remove_letters(struct instance *instance, size_t at, size_t count)
{
  memmove(instance->letters + at, instance->letters + at + count,
          strlen(instance->letters + at + count) + 1);
}

/* Takes instruction `at` away, from every block if it is of one; false where nothing would be
 * left, or where another step does the same. */
static bool remove_instruction(struct instance *instance, size_t at)
{
  struct wb_fair_blocks *fair = &instance->fair;
  size_t repetition = wb_fair_repetition(fair, at);
  bool in_block = repetition > 0 && repetition <= fair->count;
  if (strlen(instance->letters) == 1 || (in_block && (repetition > 1 || fair->length == 1)))
    return false;
  for (size_t k = in_block ? fair->count : 1; k-- > 0;)
    remove_letters(instance, at + k * fair->length, 1);
  if (in_block)
    fair->length--;
  else if (repetition == 0 && fair->count > 0)
    fair->first--;
  return true;
}

static bool remove_block(struct instance *instance)
{
  struct wb_fair_blocks *fair = &instance->fair;
  if (fair->count < 2)
    return false;
  remove_letters(instance, fair->first - 1, fair->length);
  fair->count--;
  return true;
}

/* Tries every instance that is simpler by one step; true: one of them, now in
 * *instance, fails. */
static bool simplify(struct instance *instance, instance_fails *fails, void *context)
{
  size_t length = strlen(instance->letters);
  for (size_t step = 0; step < length + UNIT_TYPES + 4; step++) {
    struct instance simpler = *instance;
    bool removed = (step < length && remove_instruction(&simpler, step)) ||
                   (step == length + UNIT_TYPES + 3 && remove_block(&simpler));
    if (removed)
      ;
    else if (step == length && simpler.warps > 1)
      simpler.warps--;
    else if (step == length + 1 && simpler.issue_slots > 0)
      simpler.issue_slots = 0;
    else if (step == length + 2 && simpler.issue_slots > 1)
      simpler.issue_slots--;
    else if (step >= length + 3 && step < length + UNIT_TYPES + 3 &&
             simpler.capacity[step - length - 3] > 1)
      simpler.capacity[step - length - 3]--;
    else
      continue;
    if (fails(&simpler, context)) {
      *instance = simpler;
      return true;
    }
  }
  return false;
}

struct instance instance_shrink(struct instance failing, instance_fails *fails, void *context)
{
  while (simplify(&failing, fails, context))
    ;
  return failing;
}

void instance_command(const struct instance *instance, char *text, size_t size)
{
  char units[80] = "";
  size_t at = 0;
  for (unsigned u = 0; u < UNIT_TYPES; u++) {
    if (strchr(instance->letters, type_letters[u]) != NULL)
      at += (size_t)snprintf(units + at, sizeof units - at, "%s%c=%u", at > 0 ? "," : "",
                             type_letters[u], instance->capacity[u]);
  }
  char slots[40] = "";
  if (instance->issue_slots > 0)
    snprintf(slots, sizeof slots, " --issue-slots %u", instance->issue_slots);
  char fair[80] = "";
  if (instance->fair.count > 0)
    snprintf(fair, sizeof fair, " --fair-blocks %zu,%zu,%zu", instance->fair.first,
             instance->fair.length, instance->fair.count);
  snprintf(text, size, "warpbound makespan %s --units %s%s%s -W %u", instance->letters,
           at > 0 ? units : "L=1", slots, fair, instance->warps);
}

/* Offers units to the warps in this order; returns how many instructions issue. */
static uint32_t serve(const struct instance *instance, const uint32_t *order, uint32_t cycle,
                      size_t *done, uint32_t *cycles)
{
  size_t length = strlen(instance->letters);
  uint32_t used[UNIT_TYPES + 1] = {0};
  uint32_t total = 0;
  const size_t none = UNIT_TYPES;
  for (uint32_t k = 0; k < instance->warps; k++) {
    uint32_t w = order[k];
    if (done[w] == length || (instance->issue_slots > 0 && total == instance->issue_slots))
      continue;
    size_t type = (size_t)(strchr(type_letters, instance->letters[done[w]]) - type_letters);
    if (type != none && used[type] == instance->capacity[type])
      continue;
    used[type]++;
    total++;
    cycles[w * length + done[w]++] = cycle;
  }
  return total;
}

uint32_t instance_random_schedule(const struct instance *instance, struct wb_random *random,
                                  uint32_t *cycles)
{
  uint32_t order[BRUTE_WARP_LIMIT];
  size_t done[BRUTE_WARP_LIMIT] = {0};
  for (uint32_t w = 0; w < instance->warps; w++)
    order[w] = w;
  uint64_t calm = 1 + wb_random_below(random, 4);
  uint64_t left = strlen(instance->letters) * instance->warps;
  uint32_t cycle = 0;
  while (left > 0) {
    if (cycle == 0 || wb_random_below(random, calm) == 0)
      shuffle(random, order, instance->warps);
    /* The same order, but warps of earlier blocks before others. */
    for (uint32_t i = 1; i < instance->warps; i++) {
      uint32_t w = order[i];
      uint32_t at = i;
      for (; at > 0 && wb_fair_repetition(&instance->fair, done[order[at - 1]]) >
                           wb_fair_repetition(&instance->fair, done[w]);
           at--)
        order[at] = order[at - 1];
      order[at] = w;
    }
    left -= serve(instance, order, ++cycle, done, cycles);
  }
  return cycle;
}
