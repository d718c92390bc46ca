#include "brute_force.h"

#include <stdlib.h>
#include <string.h>

#define UNLIMITED UINT32_MAX
#define FIRST_CAPACITY ((size_t)256)

struct state {
  uint8_t position[BRUTE_WARP_LIMIT];
};

struct entry {
  struct state state;
  uint32_t cycles;
  bool used;
};

struct brute_force {
  const struct brute_machine *machine;
  uint32_t length;
  uint32_t warps;
  bool sorted;
  bool too_large;
  size_t state_limit;
  struct entry *entries;
  size_t entry_count;
  size_t capacity;
};

static size_t hash_of(const struct state *state)
{
  uint64_t hash = UINT64_C(1469598103934665603);
  for (unsigned w = 0; w < BRUTE_WARP_LIMIT; w++)
    hash = (hash ^ state->position[w]) * UINT64_C(1099511628211);
  return (size_t)(hash ^ (hash >> 29));
}

/* Where the state is, or would be. */
static struct entry *place_of(struct entry *entries, size_t capacity, const struct state *state)
{
  size_t at = hash_of(state) & (capacity - 1);
  while (entries[at].used && memcmp(&entries[at].state, state, sizeof *state) != 0)
    at = (at + 1) & (capacity - 1);
  return &entries[at];
}

static bool enlarge(struct brute_force *brute)
{
  size_t capacity = brute->capacity * 2;
  struct entry *entries = calloc(capacity, sizeof *entries);
  if (entries == NULL)
    return false;
  for (size_t i = 0; i < brute->capacity; i++) {
    if (brute->entries[i].used)
      *place_of(entries, capacity, &brute->entries[i].state) = brute->entries[i];
  }
  free(brute->entries);
  brute->entries = entries;
  brute->capacity = capacity;
  return true;
}

static void remember(struct brute_force *brute, const struct state *state, uint32_t cycles)
{
  bool full = brute->entry_count * 2 >= brute->capacity;
  if (brute->entry_count >= brute->state_limit || (full && !enlarge(brute))) {
    brute->too_large = true;
    return;
  }
  *place_of(brute->entries, brute->capacity, state) = (struct entry){*state, cycles, true};
  brute->entry_count++;
}

static int type_of(char letter)
{
  return (int)(strchr("LCSDTN", letter) - "LCSDTN");
}

static bool is_finished(const struct brute_force *brute, const struct state *state, uint32_t warp)
{
  return state->position[warp] == brute->length;
}

/* Whether the warps of the set `chosen` (bit w: warp w) can all issue in one cycle. */
static bool is_possible(const struct brute_force *brute, const struct state *state, uint32_t chosen)
{
  uint32_t used[BRUTE_UNIT_TYPES + 1] = {0};
  uint32_t total = 0;
  for (uint32_t w = 0; w < brute->warps; w++) {
    if ((chosen >> w & 1) == 0)
      continue;
    if (is_finished(brute, state, w))
      return false;
    int type = type_of(brute->machine->letters[state->position[w]]);
    if (++used[type] > (type < BRUTE_UNIT_TYPES ? brute->machine->capacity[type] : UNLIMITED) ||
        ++total > (brute->machine->issue_slots > 0 ? brute->machine->issue_slots : UNLIMITED))
      return false;
  }
  return true;
}

/* The block of the warp's next instruction, from 1; 0 before the blocks, and behind them one more
 * than there are. */
static uint32_t block_of(const struct brute_force *brute, const struct state *state, uint32_t warp)
{
  const struct brute_machine *machine = brute->machine;
  uint32_t block = 0;
  for (uint32_t start = machine->fair_first;
       block <= machine->fair_count && state->position[warp] + 1u >= start;
       start += machine->fair_length)
    block++;
  return block;
}

/* Whether no chosen warp could have given its place to another of an earlier block. */
static bool is_fair(const struct brute_force *brute, const struct state *state, uint32_t chosen)
{
  if (brute->machine->fair_count == 0)
    return true;
  for (uint32_t w = 0; w < brute->warps; w++) {
    for (uint32_t v = 0; v < brute->warps; v++) {
      uint32_t exchanged = (chosen & ~(UINT32_C(1) << w)) | UINT32_C(1) << v;
      if ((chosen >> w & 1) != 0 && (chosen >> v & 1) == 0 && !is_finished(brute, state, v) &&
          block_of(brute, state, v) < block_of(brute, state, w) &&
          is_possible(brute, state, exchanged))
        return false;
    }
  }
  return true;
}

/* Whether the warps of the set are what a cycle may have: they can issue, no other warp could
 * have issued as well, and the choice is fair. */
static bool is_allowed(const struct brute_force *brute, const struct state *state, uint32_t chosen)
{
  if (!is_possible(brute, state, chosen))
    return false;
  for (uint32_t w = 0; w < brute->warps; w++) {
    if ((chosen >> w & 1) == 0 && is_possible(brute, state, chosen | UINT32_C(1) << w))
      return false;
  }
  return is_fair(brute, state, chosen);
}

static void sort_positions(struct state *state, uint32_t warps)
{
  for (uint32_t i = 1; i < warps; i++) {
    uint8_t position = state->position[i];
    uint32_t at = i;
    for (; at > 0 && state->position[at - 1] > position; at--)
      state->position[at] = state->position[at - 1];
    state->position[at] = position;
  }
}

static uint32_t longest_from(struct brute_force *brute, const struct state *state);

static bool all_finished(const struct brute_force *brute, const struct state *state)
{
  for (uint32_t w = 0; w < brute->warps; w++) {
    if (!is_finished(brute, state, w))
      return false;
  }
  return true;
}

static uint32_t longest_from(struct brute_force *brute, const struct state *state)
{
  if (brute->too_large || all_finished(brute, state))
    return 0;
  const struct entry *known = place_of(brute->entries, brute->capacity, state);
  if (known->used)
    return known->cycles;
  uint32_t longest = 0;
  for (uint32_t chosen = 0; chosen < UINT32_C(1) << brute->warps; chosen++) {
    if (!is_allowed(brute, state, chosen))
      continue;
    struct state next = *state;
    for (uint32_t w = 0; w < brute->warps; w++) {
      if ((chosen >> w & 1) != 0)
        next.position[w]++;
    }
    if (brute->sorted)
      sort_positions(&next, brute->warps);
    uint32_t cycles = 1 + longest_from(brute, &next);
    if (cycles > longest)
      longest = cycles;
  }
  remember(brute, state, longest);
  return longest;
}

struct brute_force *brute_start(const struct brute_machine *machine, uint32_t warps, bool sorted,
                                size_t state_limit)
{
  struct brute_force *brute = calloc(1, sizeof *brute);
  struct entry *entries = calloc(FIRST_CAPACITY, sizeof *entries);
  if (brute == NULL || entries == NULL) {
    free(brute);
    free(entries);
    return NULL;
  }
  *brute = (struct brute_force){.machine = machine,
                                .length = (uint32_t)strlen(machine->letters),
                                .warps = warps,
                                .sorted = sorted,
                                .state_limit = state_limit,
                                .entries = entries,
                                .capacity = FIRST_CAPACITY};
  return brute;
}

bool brute_longest(struct brute_force *brute, const uint8_t *positions, uint32_t *cycles)
{
  struct state state = {{0}};
  memcpy(state.position, positions, brute->warps);
  if (brute->sorted)
    sort_positions(&state, brute->warps);
  *cycles = longest_from(brute, &state);
  return !brute->too_large;
}

void brute_free(struct brute_force *brute)
{
  if (brute == NULL)
    return;
  free(brute->entries);
  free(brute);
}

bool brute_makespan(const struct brute_machine *machine, uint32_t warps, size_t state_limit,
                    uint32_t *cycles)
{
  if (warps > BRUTE_WARP_LIMIT || strlen(machine->letters) > BRUTE_LENGTH_LIMIT)
    return false;
  struct brute_force *brute = brute_start(machine, warps, true, state_limit);
  if (brute == NULL)
    return false;
  const uint8_t start[BRUTE_WARP_LIMIT] = {0};
  bool done = brute_longest(brute, start, cycles);
  brute_free(brute);
  return done;
}
