#include "brute_force.h"
#include "state_table.h"

#include <stdlib.h>
#include <string.h>

#define UNLIMITED UINT32_MAX

/* A state is the position of each warp. */
struct brute_force {
  const struct brute_machine *machine;
  uint32_t length;
  uint32_t warps;
  bool sorted;
  struct state_table table;
};

static bool is_finished(const struct brute_force *brute, const struct state *state, uint32_t warp)
{
  return state->of[warp] == brute->length;
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
    int type = (int)(strchr("LCSDTN", (brute->machine->letters[state->of[w]])) - "LCSDTN");
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
       block <= machine->fair_count && state->of[warp] + 1u >= start; start += machine->fair_length)
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
    uint8_t position = state->of[i];
    uint32_t at = i;
    for (; at > 0 && state->of[at - 1] > position; at--)
      state->of[at] = state->of[at - 1];
    state->of[at] = position;
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
  if (brute->table.too_large || all_finished(brute, state))
    return 0;
  const struct state_entry *known = state_table_find(&brute->table, state);
  if (known != NULL)
    return known->cycles;
  uint32_t longest = 0;
  for (uint32_t chosen = 0; chosen < UINT32_C(1) << brute->warps; chosen++) {
    if (!is_allowed(brute, state, chosen))
      continue;
    struct state next = *state;
    for (uint32_t w = 0; w < brute->warps; w++) {
      if ((chosen >> w & 1) != 0)
        next.of[w]++;
    }
    if (brute->sorted)
      sort_positions(&next, brute->warps);
    uint32_t cycles = 1 + longest_from(brute, &next);
    if (cycles > longest)
      longest = cycles;
  }
  state_table_add(&brute->table, state, longest);
  return longest;
}

struct brute_force *brute_start(const struct brute_machine *machine, uint32_t warps, bool sorted,
                                size_t state_limit)
{
  struct brute_force *brute = calloc(1, sizeof *brute);
  struct state_table table;
  if (brute == NULL || !state_table_start(&table, state_limit)) {
    free(brute);
    return NULL;
  }
  *brute = (struct brute_force){.machine = machine,
                                .length = (uint32_t)strlen(machine->letters),
                                .warps = warps,
                                .sorted = sorted,
                                .table = table};
  return brute;
}

bool brute_longest(struct brute_force *brute, const uint8_t *positions, uint32_t *cycles)
{
  struct state state = {{0}};
  memcpy(state.of, positions, brute->warps);
  if (brute->sorted)
    sort_positions(&state, brute->warps);
  *cycles = longest_from(brute, &state);
  return !brute->table.too_large;
}

void brute_free(struct brute_force *brute)
{
  if (brute == NULL)
    return;
  state_table_free(&brute->table);
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
