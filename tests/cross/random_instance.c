#include "random_instance.h"

#include <stdio.h>
#include <string.h>

static const char type_letters[] = "LCSDN";

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
  uint32_t types[4] = {0, 1, 2, 3};
  shuffle(random, types, 4);
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
  for (unsigned u = 0; u < 4; u++)
    instance.capacity[u] = 1 + (uint32_t)wb_random_below(random, largest);
  if (wb_random_below(random, 2) == 0)
    instance.issue_slots = 1 + (uint32_t)wb_random_below(random, 6);
  return instance;
}

struct brute_machine instance_machine(const struct instance *instance)
{
  struct brute_machine machine = {.letters = instance->letters,
                                  .issue_slots = instance->issue_slots};
  memcpy(machine.capacity, instance->capacity, sizeof machine.capacity);
  return machine;
}

bool instance_problem(const struct instance *instance, struct wb_problem *problem)
{
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "random");
  for (unsigned u = 0; u < 4; u++)
    wb_unit_capacity_set(&sm.unit[u], instance->capacity[u], 1);
  sm.issue_slots = instance->issue_slots;
  struct wb_kernel_string string;
  if (wb_kernel_string_parse(instance->letters, NULL, &string, NULL) != WARPBOUND_OK)
    return false;
  warpbound_status status = wb_problem_normalise(&string, &sm, instance->warps, problem, NULL);
  wb_kernel_string_free(&string);
  return status == WARPBOUND_OK;
}

/* Tries every instance that is simpler by one step; true: one of them, now in
 * *instance, fails. */
static bool simplify(struct instance *instance, instance_fails *fails, void *context)
{
  size_t length = strlen(instance->letters);
  for (size_t step = 0; step < length + 7; step++) {
    struct instance simpler = *instance;
    if (step < length && length > 1)
      memmove(simpler.letters + step, simpler.letters + step + 1, length - step);
    else if (step == length && simpler.warps > 1)
      simpler.warps--;
    else if (step == length + 1 && simpler.issue_slots > 0)
      simpler.issue_slots = 0;
    else if (step == length + 2 && simpler.issue_slots > 1)
      simpler.issue_slots--;
    else if (step >= length + 3 && simpler.capacity[step - length - 3] > 1)
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
  for (unsigned u = 0; u < 4; u++) {
    if (strchr(instance->letters, type_letters[u]) != NULL)
      at += (size_t)snprintf(units + at, sizeof units - at, "%s%c=%u", at > 0 ? "," : "",
                             type_letters[u], instance->capacity[u]);
  }
  char slots[40] = "";
  if (instance->issue_slots > 0)
    snprintf(slots, sizeof slots, " --issue-slots %u", instance->issue_slots);
  snprintf(text, size, "warpbound makespan %s --units %s%s -W %u", instance->letters,
           at > 0 ? units : "L=1", slots, instance->warps);
}

/* Offers units to the warps in this order; returns how many instructions issue. */
static uint32_t serve(const struct instance *instance, const uint32_t *order, uint32_t cycle,
                      size_t *done, uint32_t *cycles)
{
  size_t length = strlen(instance->letters);
  uint32_t used[5] = {0};
  uint32_t total = 0;
  const size_t none = 4;
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
    left -= serve(instance, order, ++cycle, done, cycles);
  }
  return cycle;
}
