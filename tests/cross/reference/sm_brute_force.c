#include "sm_brute_force.h"
#include "state_table.h"

#include <stdlib.h>
#include <string.h>

#define SUFFIX_LIMIT (SM_STRING_LIMIT * SM_LENGTH_LIMIT + 1)

/* An end of some string; equal ends are one. barriers: its number of B. next: without its first
 * letter. */
struct suffix {
  const char *text;
  uint32_t barriers;
  uint8_t next;
};

/* A state is what each warp has left: the index of a suffix. suffixes[0] is the empty one.
 * suffix_of: by string and position. */
struct sm_brute {
  const struct sm_instance *instance;
  uint32_t warps;
  bool sorted;
  struct suffix suffixes[SUFFIX_LIMIT];
  uint32_t suffix_count;
  uint8_t suffix_of[SM_STRING_LIMIT][SM_LENGTH_LIMIT + 1];
  struct state_table table;
};

static const struct suffix *left_of(const struct sm_brute *brute, const struct state *state,
                                    uint32_t warp)
{
  return &brute->suffixes[state->of[warp]];
}

static bool is_finished(const struct sm_brute *brute, const struct state *state, uint32_t warp)
{
  return *left_of(brute, state, warp)->text == '\0';
}

/* Whether another warp of its block has more B to do: then the warp has done one that the other
 * has not. */
static bool waits_at_barrier(const struct sm_brute *brute, const struct state *state, uint32_t warp)
{
  uint32_t first = warp / brute->instance->block_warps * brute->instance->block_warps;
  for (uint32_t v = first; v < first + brute->instance->block_warps; v++) {
    if (left_of(brute, state, v)->barriers > left_of(brute, state, warp)->barriers)
      return true;
  }
  return false;
}

/* Whether the warps of the set `chosen` (bit w: warp w) can all issue in one cycle. used: by type
 * and partition, the last for the types that all of them share. */
static bool is_possible(const struct sm_brute *brute, const struct state *state, uint32_t chosen)
{
  const struct sm_instance *instance = brute->instance;
  uint32_t used[SM_UNIT_TYPES][SM_PARTITION_LIMIT + 1] = {{0}};
  uint32_t issued[SM_PARTITION_LIMIT] = {0};
  for (uint32_t w = 0; w < brute->warps; w++) {
    if ((chosen >> w & 1) == 0)
      continue;
    if (is_finished(brute, state, w) || waits_at_barrier(brute, state, w))
      return false;
    uint32_t partition = w % instance->block_warps % instance->partitions;
    if (++issued[partition] > instance->issue_slots && instance->issue_slots > 0)
      return false;
    size_t unit = strcspn("LCSDT", (const char[]){*left_of(brute, state, w)->text, '\0'});
    if (unit < SM_UNIT_TYPES &&
        ++used[unit][instance->shared[unit] ? SM_PARTITION_LIMIT : partition] >
            instance->capacity[unit])
      return false;
  }
  return true;
}

/* Whether the warps of the set are what a cycle may have: they can issue, and no other warp could
 * have issued as well. */
static bool is_allowed(const struct sm_brute *brute, const struct state *state, uint32_t chosen)
{
  if (!is_possible(brute, state, chosen))
    return false;
  for (uint32_t w = 0; w < brute->warps; w++) {
    if ((chosen >> w & 1) == 0 && is_possible(brute, state, chosen | UINT32_C(1) << w))
      return false;
  }
  return true;
}

/* Sorts the warps of a block and partition among themselves. */
static void sort_group(const struct sm_instance *instance, uint8_t *block, uint32_t partition)
{
  uint32_t step = instance->partitions;
  for (uint32_t i = partition + step; i < instance->block_warps; i += step) {
    uint8_t left = block[i];
    uint32_t at = i;
    for (; at >= step && block[at - step] > left; at -= step)
      block[at] = block[at - step];
    block[at] = left;
  }
}

static void sort_state(const struct sm_instance *instance, struct state *state)
{
  uint32_t size = instance->block_warps;
  for (uint32_t b = 0; b < instance->blocks; b++) {
    uint8_t sorted[SM_WARP_LIMIT];
    memcpy(sorted, state->of + (size_t)b * size, size);
    for (uint32_t p = 0; p < instance->partitions; p++)
      sort_group(instance, sorted, p);
    uint32_t at = b;
    for (; at > 0 && memcmp(state->of + (size_t)(at - 1) * size, sorted, size) > 0; at--)
      memcpy(state->of + (size_t)at * size, state->of + (size_t)(at - 1) * size, size);
    memcpy(state->of + (size_t)at * size, sorted, size);
  }
}

static uint32_t longest_from(struct sm_brute *brute, const struct state *state);

static bool all_finished(const struct sm_brute *brute, const struct state *state)
{
  for (uint32_t w = 0; w < brute->warps; w++) {
    if (!is_finished(brute, state, w))
      return false;
  }
  return true;
}

static uint32_t longest_from(struct sm_brute *brute, const struct state *state)
{
  if (brute->table.too_large || all_finished(brute, state))
    return 0;
  const struct state_entry *known = state_table_find(&brute->table, state);
  if (known != NULL)
    return known->cycles;
  uint32_t longest = 0;
  for (uint32_t chosen = 1; chosen < UINT32_C(1) << brute->warps; chosen++) {
    if (!is_allowed(brute, state, chosen))
      continue;
    struct state next = *state;
    for (uint32_t w = 0; w < brute->warps; w++) {
      if ((chosen >> w & 1) != 0)
        next.of[w] = left_of(brute, state, w)->next;
    }
    if (brute->sorted)
      sort_state(brute->instance, &next);
    uint32_t cycles = 1 + longest_from(brute, &next);
    if (cycles > longest)
      longest = cycles;
  }
  state_table_add(&brute->table, state, longest);
  return longest;
}

/* The suffix with this text, made where there is none. next: that of the text behind its first
 * letter. */
static uint8_t find_suffix(struct sm_brute *brute, const char *text, uint8_t next)
{
  for (uint32_t i = 0; i < brute->suffix_count; i++) {
    if (strcmp(brute->suffixes[i].text, text) == 0)
      return (uint8_t)i;
  }
  uint32_t barriers = brute->suffixes[next].barriers + (*text == 'B');
  brute->suffixes[brute->suffix_count] = (struct suffix){text, barriers, next};
  return (uint8_t)brute->suffix_count++;
}

struct sm_brute *sm_brute_start(const struct sm_instance *instance, bool sorted, size_t state_limit)
{
  struct sm_brute *brute = calloc(1, sizeof *brute);
  struct state_table table;
  if (brute == NULL || !state_table_start(&table, state_limit)) {
    free(brute);
    return NULL;
  }
  *brute = (struct sm_brute){
      .instance = instance, .warps = sm_instance_warps(instance), .sorted = sorted, .table = table};
  brute->suffixes[0] = (struct suffix){"", 0, 0};
  brute->suffix_count = 1;
  for (uint32_t s = 0; s < brute->instance->string_count; s++) {
    const char *string = brute->instance->strings[s];
    uint8_t next = 0;
    for (size_t at = strlen(string); at-- > 0;)
      brute->suffix_of[s][at] = next = find_suffix(brute, string + at, next);
  }
  return brute;
}

bool sm_brute_longest(struct sm_brute *brute, const uint32_t *string_of, const uint32_t *position,
                      uint32_t *cycles)
{
  struct state state = {{0}};
  for (uint32_t w = 0; w < brute->warps; w++)
    state.of[w] = brute->suffix_of[string_of[w]][position != NULL ? position[w] : 0];
  if (brute->sorted)
    sort_state(brute->instance, &state);
  *cycles = longest_from(brute, &state);
  return !brute->table.too_large;
}

bool sm_brute_assignment(struct sm_brute *brute, const uint32_t *string_of, uint32_t *cycles)
{
  return sm_brute_longest(brute, string_of, NULL, cycles);
}

/* The next assignment in the order of numbers to the base string_count; false after the last. */
static bool count_up(const struct sm_brute *brute, uint32_t *string_of)
{
  for (uint32_t w = 0; w < brute->warps; w++) {
    if (++string_of[w] < brute->instance->string_count)
      return true;
    string_of[w] = 0;
  }
  return false;
}

bool sm_brute_worst(struct sm_brute *brute, uint32_t *cycles, uint32_t *string_of)
{
  uint32_t tried[SM_WARP_LIMIT] = {0};
  *cycles = 0;
  do {
    uint32_t longest;
    if (!sm_brute_assignment(brute, tried, &longest))
      return false;
    if (longest > *cycles && string_of != NULL)
      memcpy(string_of, tried, brute->warps * sizeof *tried);
    if (longest > *cycles)
      *cycles = longest;
  } while (count_up(brute, tried));
  return true;
}

void sm_brute_free(struct sm_brute *brute)
{
  if (brute == NULL)
    return;
  state_table_free(&brute->table);
  free(brute);
}
