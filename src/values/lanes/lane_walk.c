#include "values/lanes/lane_walk.h"

#include "base/memory.h"

#include <stdlib.h>

/* Most terms of terms that are looked at for a number of 64 bits. */
#define MOST_DEPTH 4

static uint32_t first_row(const struct wb_lane_walk *walk)
{
  return walk->layout.count;
}

uint32_t wb_lane_term_zero(const struct wb_lane_walk *walk)
{
  return first_row(walk) + WB_LANE_CONDITIONALS;
}

bool wb_lane_walk_make(const struct wb_function *function, const struct wb_launch *launch,
                       struct wb_lane_value_pool *values, struct wb_lane_walk *walk)
{
  *walk = (struct wb_lane_walk){.function = function,
                                .launch = launch,
                                .values = values,
                                .layout = wb_lane_layout_of(function)};
  walk->slots = wb_allocate(walk->layout.count, sizeof *walk->slots);
  return walk->slots != NULL &&
         wb_grow(walk->terms, &walk->term_capacity, (size_t)wb_lane_term_zero(walk) + 1);
}

void wb_lane_walk_free(struct wb_lane_walk *walk)
{
  free(walk->slots);
  free(walk->terms);
  *walk = (struct wb_lane_walk){0};
}

void wb_lane_walk_begin(struct wb_lane_walk *walk, const struct wb_lane_state *entry,
                        struct wb_lane_state *state)
{
  const uint32_t zero = wb_lane_term_zero(walk);
  walk->entry = entry;
  walk->state = state;
  walk->term_count = (size_t)zero + 1;
  for (uint16_t s = 0; s < walk->layout.count; s++) {
    walk->slots[s] = s;
    walk->terms[s] = (struct wb_lane_term){.form = WB_LANE_ENTRY, .value = entry->values[s]};
  }
  for (uint16_t c = 0; c < state->conditional_count; c++) {
    const uint32_t term = first_row(walk) + c;
    state->conditionals[c].term = term;
    walk->terms[term] =
        (struct wb_lane_term){.form = WB_LANE_ENTRY, .value = entry->conditionals[c].value};
  }
  walk->terms[zero] = (struct wb_lane_term){.value = wb_lanes_number(walk->values, 0)};
}

void wb_lane_walk_forget_all(struct wb_lane_walk *walk)
{
  wb_lane_state_forget_all(&walk->layout, walk->state);
  for (uint16_t s = 0; s < walk->layout.count; s++)
    walk->slots[s] = wb_lane_term_plain(walk, WB_LANES_UNKNOWN);
}

void wb_lane_walk_look(struct wb_lane_walk *walk, const struct wb_instruction *instruction)
{
  walk->guard = wb_lane_slot(&walk->layout, instruction->guard);
  walk->when = !instruction->guard_negated;
}

/* ---- terms ---- */

uint32_t wb_lane_term_add(struct wb_lane_walk *walk, const struct wb_lane_term *term)
{
  if (!wb_grow(walk->terms, &walk->term_capacity, walk->term_count + 1)) {
    walk->failed = true;
    return wb_lane_term_zero(walk);
  }
  walk->terms[walk->term_count] = *term;
  return (uint32_t)walk->term_count++;
}

uint32_t wb_lane_term_plain(struct wb_lane_walk *walk, uint32_t value)
{
  const struct wb_lane_term term = {.value = value};
  return wb_lane_term_add(walk, &term);
}

uint32_t wb_lane_term_value(const struct wb_lane_walk *walk, uint32_t term)
{
  return walk->terms[term].value;
}

bool wb_lane_term_number(const struct wb_lane_walk *walk, uint32_t term, uint32_t *number)
{
  uint64_t found;
  const bool known = wb_lanes_are_number(walk->values, walk->terms[term].value, &found);
  *number = (uint32_t)found;
  return known;
}

uint32_t wb_lane_choice(struct wb_lane_walk *walk, uint32_t condition, uint32_t a, uint32_t b)
{
  const uint32_t decides = walk->terms[condition].value;
  uint32_t mask = 0;
  if (!wb_lanes_are_known(walk->values, decides))
    return wb_lanes_are_uniform(walk->values, decides) ? wb_lanes_either(walk->values, a, b)
                                                       : wb_lanes_mixed(walk->values, a, b);
  for (unsigned l = 0; l < WB_LANES; l++)
    mask |= (uint32_t)(wb_lanes_at(walk->values, decides, l) != 0) << l;
  return wb_lanes_choose(walk->values, mask, a, b);
}

uint32_t wb_lane_term_choice(struct wb_lane_walk *walk, uint32_t condition, uint32_t a, uint32_t b)
{
  uint32_t always;
  if (a == b)
    return a;
  if (wb_lane_term_number(walk, condition, &always))
    return always != 0 ? a : b;
  const struct wb_lane_term term = {
      .form = WB_LANE_CHOICE,
      .a = a,
      .b = b,
      .c = condition,
      .value = wb_lane_choice(walk, condition, walk->terms[a].value, walk->terms[b].value)};
  return wb_lane_term_add(walk, &term);
}

/* ---- numbers of 64 bits ---- */

static uint32_t wide_of(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned depth);

/* The slot of a term that a register had at the begin of the block. */
static uint16_t entry_slot(const struct wb_lane_walk *walk, uint32_t term)
{
  const uint32_t row = first_row(walk);
  return term < row ? (uint16_t)term : walk->entry->conditionals[term - row].slot;
}

/* A row of a conditional says what the register holds for the lanes that read it, and so does each
 * claim about the register at the begin. */
static uint32_t entry_wide(const struct wb_lane_walk *walk, uint32_t low, uint32_t high)
{
  const uint16_t lower = entry_slot(walk, low);
  const uint16_t upper = entry_slot(walk, high);
  if (low >= first_row(walk) && upper == lower + 1) {
    const uint32_t wide = walk->entry->conditionals[low - first_row(walk)].wide;
    if (wide != WB_LANES_UNKNOWN)
      return wide;
  }
  return wb_lane_state_pair(walk->entry, &walk->layout, lower, upper);
}

/* high = a >> places: the upper word of a << (32 - places), a continued by its sign or by zeros; of
 * places = 31, the sign word of a and of each a >> n. */
static uint32_t shifted_wide(const struct wb_lane_walk *walk, uint32_t low,
                             const struct wb_lane_term *high)
{
  const struct wb_lane_term *lower = &walk->terms[low];
  const bool is_sign = high->places == 31 && high->as_signed;
  const bool has_sign = low == high->a || (lower->form == WB_LANE_SHIFTED_RIGHT &&
                                           lower->as_signed && lower->a == high->a);
  if (is_sign && has_sign)
    return wb_lanes_extend(walk->values, lower->value, true);
  if (lower->form != WB_LANE_SHIFTED_LEFT || lower->a != high->a ||
      lower->places + high->places != 32)
    return WB_LANES_UNKNOWN;
  const uint32_t whole = wb_lanes_extend(walk->values, walk->terms[high->a].value, high->as_signed);
  return wb_lanes_wide_shift_left(walk->values, whole, lower->places);
}

/* What the terms show beyond the lane values of the two words. */
static uint32_t shown_wide(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned depth)
{
  const struct wb_lane_term *lower = &walk->terms[low];
  const struct wb_lane_term *upper = &walk->terms[high];
  switch (upper->form) {
  case WB_LANE_ENTRY:
    return lower->form == WB_LANE_ENTRY ? entry_wide(walk, low, high) : WB_LANES_UNKNOWN;
  case WB_LANE_UPPER:
    return upper->a == low ? upper->wide : WB_LANES_UNKNOWN;
  case WB_LANE_SHIFTED_RIGHT:
    return shifted_wide(walk, low, upper);
  case WB_LANE_FUNNEL:
    if (lower->form != WB_LANE_SHIFTED_LEFT || lower->a != upper->a ||
        lower->places != upper->places)
      return WB_LANES_UNKNOWN;
    return wb_lanes_wide_shift_left(walk->values, wide_of(walk, upper->a, upper->b, depth + 1),
                                    lower->places);
  case WB_LANE_CHOICE:
    if (lower->form != WB_LANE_CHOICE || lower->c != upper->c)
      return WB_LANES_UNKNOWN;
    return wb_lane_choice(walk, upper->c, wide_of(walk, lower->a, upper->a, depth + 1),
                          wide_of(walk, lower->b, upper->b, depth + 1));
  default:
    return WB_LANES_UNKNOWN;
  }
}

static uint32_t wide_of(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned depth)
{
  uint32_t number;
  if (depth > MOST_DEPTH)
    return WB_LANES_UNKNOWN;
  const uint32_t shown = shown_wide(walk, low, high, depth);
  if (shown != WB_LANES_UNKNOWN)
    return shown;
  if (wb_lane_term_number(walk, high, &number) && number == 0)
    return wb_lanes_extend(walk->values, walk->terms[low].value, false);
  return wb_lanes_pair(walk->values, walk->terms[low].value, walk->terms[high].value);
}

/* What is lost where the words alone are kept: also of an upper word 0, which another way to the
 * same place may join with another one. */
static uint32_t kept_wide(struct wb_lane_walk *walk, uint32_t low, uint32_t high)
{
  uint32_t number;
  return wb_lane_term_number(walk, high, &number) && number == 0 ? wide_of(walk, low, high, 0)
                                                                 : shown_wide(walk, low, high, 0);
}

uint32_t wb_lane_terms_wide(struct wb_lane_walk *walk, uint32_t low, uint32_t high)
{
  return wide_of(walk, low, high, 0);
}

/* ---- reading and writing ---- */

/* The term of a slot where a predicate is `when`. */
static uint32_t term_under(const struct wb_lane_walk *walk, uint16_t slot, uint16_t predicate,
                           bool when)
{
  const struct wb_lane_conditional *row =
      wb_lane_state_conditional(walk->state, slot, predicate, when);
  return row != NULL ? row->term : walk->slots[slot];
}

uint32_t wb_lane_walk_read(struct wb_lane_walk *walk, unsigned number)
{
  const uint16_t slot = wb_lane_slot(&walk->layout, number);
  if (number == WB_NO_REGISTER)
    return wb_lane_term_zero(walk);
  return slot < walk->layout.count ? term_under(walk, slot, walk->guard, walk->when)
                                   : wb_lane_term_plain(walk, WB_LANES_UNKNOWN);
}

/* Lanes that do not do a guarded instruction keep what they had. A uniform register is not theirs
 * alone where the guard is. */
static void write_guarded(struct wb_lane_walk *walk, uint16_t slot, uint32_t term)
{
  const struct wb_lane_layout *layout = &walk->layout;
  const bool shared = slot >= layout->general && slot < layout->general + layout->uniform &&
                      walk->guard < wb_lane_slot(layout, WB_REGISTER_UNIFORM_PREDICATE);
  const bool kept = !shared && walk->guard_stays;
  const uint32_t old = kept ? term_under(walk, slot, walk->guard, !walk->when) : walk->slots[slot];
  const uint32_t a = walk->terms[term].value;
  const uint32_t b = walk->terms[old].value;
  wb_lane_state_forget(layout, walk->state, slot);
  if (shared)
    walk->slots[slot] =
        wb_lane_term_plain(walk, walk->together ? wb_lanes_either(walk->values, a, b)
                                                : wb_lanes_mixed(walk->values, a, b));
  else
    walk->slots[slot] =
        wb_lane_term_choice(walk, walk->guard_of, walk->when ? term : old, walk->when ? old : term);
  if (!kept)
    return;
  struct wb_lane_conditional row = {
      .slot = slot, .predicate = walk->guard, .when = walk->when, .value = a, .term = term};
  wb_lane_state_add_conditional(walk->state, &row);
  row.when = !walk->when;
  row.value = b;
  row.term = old;
  wb_lane_state_add_conditional(walk->state, &row);
}

void wb_lane_walk_write(struct wb_lane_walk *walk, unsigned number, uint32_t term)
{
  const uint16_t slot = wb_lane_slot(&walk->layout, number);
  if (slot >= walk->layout.count)
    return;
  if (walk->guard != walk->layout.count) {
    write_guarded(walk, slot, term);
  } else {
    wb_lane_state_forget(&walk->layout, walk->state, slot);
    walk->slots[slot] = term;
  }
  walk->state->values[slot] = walk->terms[walk->slots[slot]].value;
}

/* ---- the end of the block ---- */

/* Whether words of the begin are in other registers than then. */
static bool has_copies(const struct wb_lane_walk *walk)
{
  for (uint16_t s = 0; s < walk->layout.general; s++)
    if (walk->terms[walk->slots[s]].form == WB_LANE_ENTRY && walk->slots[s] != s)
      return true;
  return false;
}

/* Keeps the pairs whose words were written last. */
static void keep_pair(struct wb_lane_walk *walk, uint16_t low, uint16_t high, uint32_t value,
                      uint32_t times[WB_LANE_PAIRS])
{
  struct wb_lane_state *state = walk->state;
  const uint32_t time = walk->slots[low] > walk->slots[high] ? walk->slots[low] : walk->slots[high];
  size_t place = state->pair_count;
  if (place < WB_LANE_PAIRS) {
    state->pair_count++;
  } else {
    place = 0;
    for (size_t p = 1; p < WB_LANE_PAIRS; p++)
      place = times[p] < times[place] ? p : place;
    if (times[place] >= time)
      return;
  }
  times[place] = time;
  state->pairs[place] = (struct wb_lane_pair){low, high, value};
}

void wb_lane_walk_end(struct wb_lane_walk *walk)
{
  const uint16_t count = walk->layout.count;
  struct wb_lane_state *state = walk->state;
  for (uint16_t s = 0; s + 1 < count; s++)
    state->values[count + s] = kept_wide(walk, walk->slots[s], walk->slots[s + 1]);
  for (uint16_t c = 0; c < state->conditional_count; c++) {
    struct wb_lane_conditional *row = &state->conditionals[c];
    const uint32_t high = row->slot + 1 < count ? term_under(walk, (uint16_t)(row->slot + 1),
                                                             row->predicate, row->when)
                                                : row->term;
    row->wide = kept_wide(walk, row->term, high);
  }
  uint32_t times[WB_LANE_PAIRS] = {0};
  const bool of_entry = walk->entry->pair_count > 0 || has_copies(walk);
  walk->state->pair_count = 0;
  for (uint16_t high = 0; high < walk->layout.general; high++) {
    const uint8_t form = walk->terms[walk->slots[high]].form;
    if (form == WB_LANE_PLAIN || (form == WB_LANE_ENTRY && !of_entry))
      continue;
    for (uint16_t low = 0; low < walk->layout.general; low++) {
      if (low + 1 == high || low == high)
        continue;
      const uint32_t value = shown_wide(walk, walk->slots[low], walk->slots[high], 0);
      if (value != WB_LANES_UNKNOWN)
        keep_pair(walk, low, high, value, times);
    }
  }
}
