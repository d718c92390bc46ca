#include "values/lanes/lane_state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define PREDICATES (WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE)

struct wb_lane_layout wb_lane_layout_of(const struct wb_function *function)
{
  struct wb_lane_layout layout = {0};
  for (size_t s = 0; s < function->span_count; s++) {
    const unsigned end = (unsigned)function->spans[s].first + function->spans[s].count;
    if (end <= WB_REGISTER_PREDICATE && end > layout.general)
      layout.general = (uint16_t)end;
    else if (end > WB_REGISTER_UNIFORM && end <= WB_REGISTER_UNIFORM_PREDICATE &&
             end - WB_REGISTER_UNIFORM > layout.uniform)
      layout.uniform = (uint16_t)(end - WB_REGISTER_UNIFORM);
  }
  layout.count = (uint16_t)(layout.general + layout.uniform + 2 * PREDICATES + 1);
  return layout;
}

uint16_t wb_lane_slot(const struct wb_lane_layout *layout, unsigned number)
{
  const unsigned after = (unsigned)layout->general + layout->uniform;
  if (number < WB_REGISTER_PREDICATE)
    return number < layout->general ? (uint16_t)number : layout->count;
  if (number < WB_REGISTER_UNIFORM) /* predicates and the condition code */
    return (uint16_t)(after + number - WB_REGISTER_PREDICATE);
  if (number < WB_REGISTER_UNIFORM_PREDICATE)
    return number - WB_REGISTER_UNIFORM < layout->uniform
               ? (uint16_t)(layout->general + number - WB_REGISTER_UNIFORM)
               : layout->count;
  if (number < WB_REGISTER_BARRIER)
    return (uint16_t)(after + PREDICATES + 1 + number - WB_REGISTER_UNIFORM_PREDICATE);
  return layout->count;
}

bool wb_lane_state_make(const struct wb_lane_layout *layout, struct wb_lane_state *state)
{
  *state = (struct wb_lane_state){.lanes = UINT32_MAX};
  state->values = wb_allocate(2 * (size_t)layout->count, sizeof *state->values);
  return state->values != NULL;
}

void wb_lane_state_free(struct wb_lane_state *state)
{
  free(state->values);
  *state = (struct wb_lane_state){0};
}

void wb_lane_state_copy(const struct wb_lane_layout *layout, const struct wb_lane_state *from,
                        struct wb_lane_state *to)
{
  uint32_t *values = to->values;
  *to = *from;
  to->values = values;
  memcpy(values, from->values, 2 * (size_t)layout->count * sizeof *values);
}

void wb_lane_state_forget_all(const struct wb_lane_layout *layout, struct wb_lane_state *state)
{
  memset(state->values, 0, 2 * (size_t)layout->count * sizeof *state->values);
  state->pair_count = 0;
  state->conditional_count = 0;
}

/* ---- lists ---- */

static void remove_pair(struct wb_lane_state *state, size_t row)
{
  state->pair_count--;
  memmove(&state->pairs[row], &state->pairs[row + 1],
          (state->pair_count - row) * sizeof *state->pairs);
}

static void remove_conditional(struct wb_lane_state *state, size_t row)
{
  state->conditional_count--;
  memmove(&state->conditionals[row], &state->conditionals[row + 1],
          (state->conditional_count - row) * sizeof *state->conditionals);
}

void wb_lane_state_forget(const struct wb_lane_layout *layout, struct wb_lane_state *state,
                          uint16_t slot)
{
  state->values[layout->count + slot] = WB_LANES_UNKNOWN;
  if (slot > 0)
    state->values[layout->count + slot - 1] = WB_LANES_UNKNOWN;
  for (size_t p = state->pair_count; p-- > 0;)
    if (state->pairs[p].low == slot || state->pairs[p].high == slot)
      remove_pair(state, p);
  for (size_t c = state->conditional_count; c-- > 0;) {
    struct wb_lane_conditional *row = &state->conditionals[c];
    if (row->slot == slot || row->predicate == slot)
      remove_conditional(state, c);
    else if (row->slot + 1 == slot)
      row->wide = WB_LANES_UNKNOWN;
  }
}

void wb_lane_state_add_pair(struct wb_lane_state *state, const struct wb_lane_layout *layout,
                            uint16_t low, uint16_t high, uint32_t value)
{
  if (low >= layout->count || high >= layout->count || low == high || value == WB_LANES_UNKNOWN)
    return;
  if (high == low + 1) {
    state->values[layout->count + low] = value;
    return;
  }
  for (size_t p = state->pair_count; p-- > 0;)
    if (state->pairs[p].low == low && state->pairs[p].high == high)
      remove_pair(state, p);
  if (state->pair_count == WB_LANE_PAIRS)
    remove_pair(state, 0);
  state->pairs[state->pair_count++] = (struct wb_lane_pair){low, high, value};
}

uint32_t wb_lane_state_pair(const struct wb_lane_state *state, const struct wb_lane_layout *layout,
                            uint16_t low, uint16_t high)
{
  if (low >= layout->count || high >= layout->count)
    return WB_LANES_UNKNOWN;
  if (high == low + 1)
    return state->values[layout->count + low];
  for (size_t p = 0; p < state->pair_count; p++)
    if (state->pairs[p].low == low && state->pairs[p].high == high)
      return state->pairs[p].value;
  return WB_LANES_UNKNOWN;
}

struct wb_lane_conditional *wb_lane_state_conditional(struct wb_lane_state *state, uint16_t slot,
                                                      uint16_t predicate, bool when)
{
  for (size_t c = 0; c < state->conditional_count; c++) {
    struct wb_lane_conditional *row = &state->conditionals[c];
    if (row->slot == slot && row->predicate == predicate && row->when == when)
      return row;
  }
  return NULL;
}

void wb_lane_state_add_conditional(struct wb_lane_state *state,
                                   const struct wb_lane_conditional *conditional)
{
  struct wb_lane_conditional *row = wb_lane_state_conditional(
      state, conditional->slot, conditional->predicate, conditional->when);
  if (row != NULL) {
    *row = *conditional;
    return;
  }
  if (state->conditional_count == WB_LANE_CONDITIONALS)
    remove_conditional(state, 0);
  state->conditionals[state->conditional_count++] = *conditional;
}

/* ---- join ---- */

/* Keeps the pairs that both have; a change is a loss. */
static bool join_pairs(const struct wb_lane_layout *layout, struct wb_lane_value_pool *values,
                       struct wb_lane_state *mine, const struct wb_lane_state *its)
{
  bool changed = false;
  for (size_t p = mine->pair_count; p-- > 0;) {
    struct wb_lane_pair *row = &mine->pairs[p];
    const uint32_t other = wb_lane_state_pair(its, layout, row->low, row->high);
    const uint32_t both = wb_lanes_either(values, row->value, other);
    changed = changed || both != row->value;
    row->value = both;
    if (both == WB_LANES_UNKNOWN)
      remove_pair(mine, p);
  }
  return changed;
}

static bool join_conditionals(struct wb_lane_value_pool *values, struct wb_lane_state *mine,
                              const struct wb_lane_state *its)
{
  bool changed = false;
  struct wb_lane_state other = *its; /* for the search alone */
  for (size_t c = mine->conditional_count; c-- > 0;) {
    struct wb_lane_conditional *row = &mine->conditionals[c];
    const struct wb_lane_conditional *found =
        wb_lane_state_conditional(&other, row->slot, row->predicate, row->when);
    const uint32_t value =
        found != NULL ? wb_lanes_either(values, row->value, found->value) : WB_LANES_UNKNOWN;
    const uint32_t wide =
        found != NULL ? wb_lanes_either(values, row->wide, found->wide) : WB_LANES_UNKNOWN;
    changed = changed || value != row->value || wide != row->wide;
    row->value = value;
    row->wide = wide;
    if (value == WB_LANES_UNKNOWN && wide == WB_LANES_UNKNOWN)
      remove_conditional(mine, c);
  }
  return changed;
}

bool wb_lane_state_join(const struct wb_lane_layout *layout, struct wb_lane_value_pool *values,
                        struct wb_lane_state *mine, const struct wb_lane_state *its, bool widen)
{
  bool changed = (its->lanes & ~mine->lanes) != 0;
  mine->lanes |= its->lanes;
  for (size_t v = 0; v < 2 * (size_t)layout->count; v++) {
    const uint32_t old = mine->values[v];
    if (old == WB_LANES_UNKNOWN || old == its->values[v])
      continue;
    mine->values[v] = widen ? wb_lanes_widen(values, old, its->values[v])
                            : wb_lanes_either(values, old, its->values[v]);
    changed = changed || mine->values[v] != old;
  }
  if (join_pairs(layout, values, mine, its))
    changed = true;
  if (join_conditionals(values, mine, its))
    changed = true;
  return changed;
}
