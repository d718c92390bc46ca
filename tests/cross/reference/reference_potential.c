#include "reference_potential.h"

#include <stdlib.h>
#include <string.h>

#define MOST_RUN 8u

enum group { STAY, LEAVE, OWN_STAY, OWN_LEAVE };

/* The cycle that is being made. n, b: true or cut numbers of the state after it. */
struct cycle {
  struct reference_potential *potential;
  struct reference_move move;
  uint32_t before_n[WB_CHECK_POTENTIAL_POOLS];
  uint32_t before_b[WB_CHECK_POTENTIAL_POOLS];
  uint32_t issuing[WB_CHECK_POTENTIAL_POOLS];
  uint32_t n[WB_CHECK_POTENTIAL_POOLS];
  uint32_t b[WB_CHECK_POTENTIAL_POOLS];
  size_t own;
  bool full;
};

static size_t pool_of(const struct reference_potential *potential, char type)
{
  size_t p = 0;
  while (p < potential->pool_count && potential->pools[p].type != type)
    p++;
  return p;
}

static size_t run_length(const char *letters)
{
  size_t length = 1;
  while (letters[length] == letters[0])
    length++;
  return length;
}

/* ---- steps ---- */

static void count_step(struct reference_potential *potential, struct wb_check_potential_value step,
                       uint32_t times)
{
  for (size_t i = potential->first[3]; i < potential->first[4]; i++) {
    const struct wb_check_potential_value *old = &potential->steps[i];
    if (old->from == step.from && old->to == step.to && old->length == step.length) {
      potential->in_string[i] += times;
      return;
    }
  }
  potential->steps[potential->first[4]] = step;
  potential->in_string[potential->first[4]++] = times;
}

/* The steps of one group. first[3] and first[4] are where it begins and ends so far. */
static void collect_group(struct reference_potential *potential, enum group group)
{
  const char *letters = potential->instance->letters;
  for (size_t i = 0; letters[i] != '\0'; i += run_length(letters + i)) {
    size_t length = run_length(letters + i);
    char next = letters[i + length];
    struct wb_check_potential_value step = {.from = letters[i], .to = next};
    if (group == STAY || group == OWN_STAY)
      step.to = step.from;
    else if (group == LEAVE && next != '\0')
      step.length = run_length(letters + i + length);
    uint32_t times = step.to == step.from ? (uint32_t)length - 1 : 1;
    if (times > 0)
      count_step(potential, step, times);
  }
}

static size_t step_index(const struct reference_potential *potential, enum group group, char from,
                         char to)
{
  size_t i = potential->first[group];
  while (potential->steps[i].from != from || potential->steps[i].to != to)
    i++;
  return i;
}

/* ---- states ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static int32_t state_index(struct reference_potential *potential, size_t own, const uint32_t *n,
                           const uint32_t *b)
{
  size_t cell = own;
  for (size_t p = 0; p < potential->pool_count; p++) {
    const struct wb_check_potential_pool *pool = &potential->pools[p];
    cell = cell * (pool->warps + 1) + least(n[p], pool->warps);
    cell = cell * (pool->work + 1) + least(b[p], pool->work);
  }
  if (potential->index_of_cell[cell] == 0) {
    struct wb_check_potential_state *state = &potential->states[potential->state_count++];
    *state = (struct wb_check_potential_state){.own = potential->pools[own].type};
    for (size_t p = 0; p < potential->pool_count; p++) {
      state->warps[p] = least(n[p], potential->pools[p].warps);
      state->work[p] = least(b[p], potential->pools[p].work);
    }
    potential->index_of_cell[cell] = (int32_t)potential->state_count;
  }
  return potential->index_of_cell[cell] - 1;
}

/* ---- moves ---- */

static void finish_move(struct cycle *cycle)
{
  struct reference_potential *potential = cycle->potential;
  if (potential->move_count == REFERENCE_MOVES) {
    cycle->full = true;
    return;
  }
  struct reference_move move = cycle->move;
  if (cycle->own == potential->pool_count) {
    for (size_t p = 0; p < potential->pool_count; p++) {
      if (cycle->n[p] > 0)
        return;
    }
    move.to = -1;
  } else {
    move.to = state_index(potential, cycle->own, cycle->n, cycle->b);
  }
  potential->moves[potential->move_count++] = move;
}

static void move_pool(struct cycle *cycle, size_t p);

/* `left` warps of pool p still leave, by steps from number k on. */
static void move_leavers(struct cycle *cycle, size_t p, uint32_t left, size_t k)
{
  const struct reference_potential *potential = cycle->potential;
  if (left == 0) {
    move_pool(cycle, p + 1);
    return;
  }
  for (; k < potential->first[LEAVE + 1]; k++) {
    const struct wb_check_potential_value *step = &potential->steps[k];
    if (step->from != potential->pools[p].type)
      continue;
    size_t to = pool_of(potential, step->to);
    cycle->move.times[k]++;
    cycle->n[to < potential->pool_count ? to : 0] += to < potential->pool_count;
    cycle->b[to < potential->pool_count ? to : 0] += (uint32_t)step->length;
    move_leavers(cycle, p, left - 1, k);
    cycle->n[to < potential->pool_count ? to : 0] -= to < potential->pool_count;
    cycle->b[to < potential->pool_count ? to : 0] -= (uint32_t)step->length;
    cycle->move.times[k]--;
  }
}

/* done[e][n][b]: that outcome of the pool was walked already. */
#define MOST_SHOWN 16u
struct outcomes {
  bool done[MOST_SHOWN][MOST_SHOWN][MOST_SHOWN];
};

/* The pool's true warps: n of them with b instructions to go in all, `ones` of them
 * with one. y issue; each possible number e of them leaves. */
static void move_true(struct cycle *cycle, size_t p, uint32_t n, uint32_t b, uint32_t ones,
                      struct outcomes *outcomes)
{
  const struct reference_potential *potential = cycle->potential;
  uint32_t y = cycle->issuing[p];
  for (uint32_t e = 0; e <= y && e <= ones && !cycle->full; e++) {
    if (y - e > n - ones)
      continue;
    uint32_t shown_n = least(n - e, potential->pools[p].warps);
    uint32_t shown_b = least(b - y, potential->pools[p].work);
    if (outcomes->done[e][shown_n][shown_b])
      continue;
    outcomes->done[e][shown_n][shown_b] = true;
    uint32_t stays = y - e;
    size_t stay =
        stays > 0 ? step_index(potential, STAY, potential->pools[p].type, potential->pools[p].type)
                  : 0;
    if (stays > 0)
      cycle->move.times[stay] = (uint8_t)stays;
    cycle->n[p] += shown_n;
    cycle->b[p] += shown_b;
    move_leavers(cycle, p, e, potential->first[LEAVE]);
    cycle->n[p] -= shown_n;
    cycle->b[p] -= shown_b;
    if (stays > 0)
      cycle->move.times[stay] = 0;
  }
}

/* Every set of true warps with `length` or more instructions to go, beside those
 * chosen already, that shows as the pool does. */
static void choose_true(struct cycle *cycle, size_t p, uint32_t length, uint32_t n, uint32_t b,
                        uint32_t ones, struct outcomes *outcomes)
{
  const struct reference_potential *potential = cycle->potential;
  const struct wb_check_potential_pool *pool = &potential->pools[p];
  uint32_t most = pool->warps + pool->work + 2 * potential->service[p] + 1;
  if (length > potential->longest[p]) {
    if (least(n, pool->warps) == cycle->before_n[p] && least(b, pool->work) == cycle->before_b[p])
      move_true(cycle, p, n, b, ones, outcomes);
    return;
  }
  for (uint32_t count = 0; n + count <= most && !cycle->full; count++)
    choose_true(cycle, p, length + 1, n + count, b + count * length, length == 1 ? count : ones,
                outcomes);
}

static void move_pool(struct cycle *cycle, size_t p)
{
  if (p == cycle->potential->pool_count) {
    finish_move(cycle);
    return;
  }
  struct outcomes *outcomes = calloc(1, sizeof *outcomes);
  if (outcomes == NULL)
    abort();
  choose_true(cycle, p, 1, 0, 0, 0, outcomes);
  free(outcomes);
}

static void move_own(struct cycle *cycle, const uint32_t served[WB_CHECK_POTENTIAL_POOLS])
{
  const struct reference_potential *potential = cycle->potential;
  size_t own = cycle->own;
  memcpy(cycle->issuing, served, sizeof cycle->issuing);
  move_pool(cycle, 0);
  if (served[own] == 0)
    return;
  cycle->issuing[own]--;
  for (size_t k = potential->first[OWN_STAY]; k < potential->first[4]; k++) {
    if (potential->steps[k].from != potential->pools[own].type)
      continue;
    cycle->own = pool_of(potential, potential->steps[k].to);
    cycle->move.times[k] = 1;
    move_pool(cycle, 0);
    cycle->move.times[k] = 0;
  }
  cycle->own = own;
}

/* Every way to serve as many as work conservation asks for, from pool p on. */
static void choose_served(struct cycle *cycle, size_t p, uint32_t left, const uint32_t *most,
                          uint32_t *served)
{
  if (p == cycle->potential->pool_count) {
    if (left == 0)
      move_own(cycle, served);
    return;
  }
  for (served[p] = 0; served[p] <= least(left, most[p]) && !cycle->full; served[p]++)
    choose_served(cycle, p + 1, left - served[p], most, served);
}

/* Adds the moves from one state; false: too many. */
static bool add_moves(struct reference_potential *potential, size_t index)
{
  struct wb_check_potential_state state = potential->states[index];
  struct cycle cycle = {.potential = potential, .own = pool_of(potential, state.own)};
  cycle.move.from = (int32_t)index;
  uint32_t most[WB_CHECK_POTENTIAL_POOLS];
  uint32_t served[WB_CHECK_POTENTIAL_POOLS] = {0};
  uint32_t total = 0;
  for (size_t p = 0; p < potential->pool_count; p++) {
    cycle.before_n[p] = state.warps[p];
    cycle.before_b[p] = state.work[p];
    most[p] = least(potential->service[p], state.warps[p] + (p == cycle.own ? 1 : 0));
    total += most[p];
  }
  uint32_t slots = potential->instance->issue_slots;
  choose_served(&cycle, 0, slots > 0 ? least(slots, total) : total, most, served);
  return !cycle.full;
}

/* ---- the whole ---- */

static bool make_pools(struct reference_potential *potential, const uint32_t *warps_above,
                       const uint32_t *work)
{
  const struct instance *instance = potential->instance;
  for (size_t i = 0; instance->letters[i] != '\0'; i += run_length(instance->letters + i)) {
    char type = instance->letters[i];
    size_t p = pool_of(potential, type);
    uint32_t length = (uint32_t)run_length(instance->letters + i);
    if (p == potential->pool_count) {
      uint32_t slots = instance->issue_slots > 0 ? instance->issue_slots : UINT32_MAX;
      uint32_t units =
          type == 'N' ? UINT32_MAX : instance->capacity[strchr("LCSDT", type) - "LCSDT"];
      potential->service[p] = least(units, slots);
      if (potential->service[p] > 4)
        return false;
      potential->pools[p] =
          (struct wb_check_potential_pool){type, potential->service[p] + warps_above[p], work[p]};
      potential->pool_count++;
    }
    if (length > potential->longest[p])
      potential->longest[p] = length;
  }
  return true;
}

static bool allocate(struct reference_potential *potential)
{
  size_t cells = potential->pool_count;
  for (size_t p = 0; p < potential->pool_count; p++) {
    cells *= (size_t)(potential->pools[p].warps + 1) * (potential->pools[p].work + 1);
    if (cells > REFERENCE_CELLS || potential->pools[p].warps >= MOST_SHOWN ||
        potential->pools[p].work >= MOST_SHOWN || potential->longest[p] > MOST_RUN)
      return false;
  }
  potential->states = calloc(cells, sizeof *potential->states);
  potential->index_of_cell = calloc(cells, sizeof *potential->index_of_cell);
  potential->moves = calloc(REFERENCE_MOVES, sizeof *potential->moves);
  if (potential->states == NULL || potential->index_of_cell == NULL || potential->moves == NULL)
    abort();
  return true;
}

bool reference_potential_make(const struct instance *instance,
                              const uint32_t warps_above[WB_CHECK_POTENTIAL_POOLS],
                              const uint32_t work[WB_CHECK_POTENTIAL_POOLS],
                              struct reference_potential *potential)
{
  *potential = (struct reference_potential){.instance = instance};
  if (!make_pools(potential, warps_above, work) || !allocate(potential))
    return false;
  size_t starts[5] = {0};
  for (int group = STAY; group <= OWN_LEAVE; group++) {
    potential->first[3] = potential->first[4];
    starts[group] = potential->first[4];
    collect_group(potential, (enum group)group);
  }
  starts[4] = potential->first[4];
  memcpy(potential->first, starts, sizeof starts);
  uint32_t n[WB_CHECK_POTENTIAL_POOLS] = {instance->warps - 1};
  uint32_t b[WB_CHECK_POTENTIAL_POOLS] = {(instance->warps - 1) *
                                          (uint32_t)run_length(instance->letters)};
  state_index(potential, 0, n, b);
  for (size_t s = 0; s < potential->state_count; s++) {
    if (!add_moves(potential, s)) {
      reference_potential_free(potential);
      return false;
    }
  }
  return true;
}

void reference_potential_free(struct reference_potential *potential)
{
  free(potential->states);
  free(potential->index_of_cell);
  free(potential->moves);
  *potential = (struct reference_potential){0};
}

/* ---- values and state offsets ---- */

static int64_t values_of(const struct reference_potential *potential,
                         const struct reference_move *move)
{
  int64_t sum = 0;
  for (size_t k = 0; k < potential->first[4]; k++)
    sum += move->times[k] * potential->steps[k].value;
  return sum;
}

int64_t reference_gain(const struct reference_potential *potential,
                       const struct reference_move *move)
{
  return values_of(potential, move) + potential->states[move->from].offset[0] -
         (move->to >= 0 ? potential->states[move->to].offset[0] : 0);
}

/* Raises the state offsets where a move gains too little, until none does. Longest paths
 * have fewer moves than there are states; who still rises after that never ends. The
 * states from which no move leads to the end begin far below all others. */
bool reference_offsets(struct reference_potential *potential, int64_t gain)
{
  for (size_t s = 0; s < potential->state_count; s++)
    potential->states[s].offset[0] = -1000000;
  for (size_t round = 0; round <= potential->state_count + 1; round++) {
    bool risen = false;
    for (size_t m = 0; m < potential->move_count; m++) {
      const struct reference_move *move = &potential->moves[m];
      int64_t after = move->to >= 0 ? potential->states[move->to].offset[0] : 0;
      int64_t needed = gain - values_of(potential, move) + after;
      if (needed <= potential->states[move->from].offset[0])
        continue;
      potential->states[move->from].offset[0] = needed;
      risen = true;
    }
    if (!risen)
      return true;
  }
  return false;
}

int64_t reference_total(const struct reference_potential *potential)
{
  int64_t total = potential->states[0].offset[0];
  int64_t others = potential->instance->warps - 1;
  for (size_t k = 0; k < potential->first[4]; k++)
    total += (k < potential->first[OWN_STAY] ? others : 1) * potential->in_string[k] *
             potential->steps[k].value;
  return total;
}

struct wb_check_potential_claim reference_claim(const struct reference_potential *potential,
                                                int64_t gain, uint64_t cycles)
{
  const struct instance *instance = potential->instance;
  const struct wb_check_potential_value *steps = potential->steps;
  const size_t *first = potential->first;
  struct wb_check_potential_claim claim = {
      .problem.letters = instance->letters,
      .problem.length = strlen(instance->letters),
      .problem.issue_slots = instance->issue_slots,
      .warps = instance->warps,
      .cycles = cycles,
      .gain = gain,
      .pools = potential->pools,
      .pool_count = potential->pool_count,
      .stay = {steps + first[STAY], first[LEAVE] - first[STAY]},
      .leave = {steps + first[LEAVE], first[OWN_STAY] - first[LEAVE]},
      .own_stay = {steps + first[OWN_STAY], first[OWN_LEAVE] - first[OWN_STAY]},
      .own_leave = {steps + first[OWN_LEAVE], first[4] - first[OWN_LEAVE]},
      .states = potential->states,
      .state_count = potential->state_count,
  };
  for (unsigned u = 0; u < 5; u++)
    claim.problem.capacity[u] = instance->capacity[u];
  return claim;
}
