#include "values/lanes/lane_walk.h"

#include "base/memory.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

#define PREDICATES (WB_REGISTER_CONDITION_CODE - WB_REGISTER_PREDICATE)

static struct wb_lane_layout layout_of(const struct wb_function *function)
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

/* The wide number of two registers, by the lists alone: WB_LANES_UNKNOWN for none. */
static uint32_t pair_of(const struct wb_lane_state *state, const struct wb_lane_layout *layout,
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

/* The row of a register under an outcome of a predicate, or NULL. */
static struct wb_lane_conditional *find_conditional(struct wb_lane_state *state, uint16_t slot,
                                                    uint16_t predicate, bool when)
{
  for (size_t c = 0; c < state->conditional_count; c++) {
    struct wb_lane_conditional *row = &state->conditionals[c];
    if (row->slot == slot && row->predicate == predicate && row->when == when)
      return row;
  }
  return NULL;
}

static void add_conditional(struct wb_lane_state *state,
                            const struct wb_lane_conditional *conditional)
{
  struct wb_lane_conditional *row =
      find_conditional(state, conditional->slot, conditional->predicate, conditional->when);
  if (row != NULL) {
    *row = *conditional;
    return;
  }
  if (state->conditional_count == WB_LANE_CONDITIONALS)
    remove_conditional(state, 0);
  state->conditionals[state->conditional_count++] = *conditional;
}

/* ---- join ---- */

/* A change is a loss. */
bool wb_lane_state_join(const struct wb_lane_layout *layout, struct wb_lane_value_pool *values,
                        struct wb_lane_state *mine, const struct wb_lane_state *its, bool widen)
{
  uint32_t (*const join)(struct wb_lane_value_pool *, uint32_t, uint32_t) =
      widen ? wb_lanes_widen : wb_lanes_either;
  bool changed = (its->lanes & ~mine->lanes) != 0;
  mine->lanes |= its->lanes;
  for (size_t v = 0; v < 2 * (size_t)layout->count; v++) {
    const uint32_t old = mine->values[v];
    if (old == WB_LANES_UNKNOWN || old == its->values[v])
      continue;
    mine->values[v] = join(values, old, its->values[v]);
    changed = changed || mine->values[v] != old;
  }
  for (size_t p = mine->pair_count; p-- > 0;) {
    struct wb_lane_pair *row = &mine->pairs[p];
    const uint32_t other = pair_of(its, layout, row->low, row->high);
    const uint32_t both = join(values, row->value, other);
    changed = changed || both != row->value;
    row->value = both;
    if (both == WB_LANES_UNKNOWN)
      remove_pair(mine, p);
  }
  struct wb_lane_state other = *its; /* for the search alone */
  for (size_t c = mine->conditional_count; c-- > 0;) {
    struct wb_lane_conditional *row = &mine->conditionals[c];
    const struct wb_lane_conditional *found =
        find_conditional(&other, row->slot, row->predicate, row->when);
    const uint32_t value =
        found != NULL ? join(values, row->value, found->value) : WB_LANES_UNKNOWN;
    const uint32_t wide = found != NULL ? join(values, row->wide, found->wide) : WB_LANES_UNKNOWN;
    changed = changed || value != row->value || wide != row->wide;
    row->value = value;
    row->wide = wide;
    if (value == WB_LANES_UNKNOWN && wide == WB_LANES_UNKNOWN)
      remove_conditional(mine, c);
  }
  return changed;
}

/* ---- what the launch says of lanes ---- */

/* Of a block. */
#define MOST_THREADS 1024
#define MOST_WARPS 32

/* The index along an axis of the thread of that number in its block: threads are numbered by x,
 * then y, then z. Those after the last thread go on along the last axis. False where a size that it
 * depends on is not known. */
static bool index_of(const struct wb_lane_walk *walk, unsigned axis, uint32_t thread,
                     uint32_t *index)
{
  bool last = true; /* no axis after this one has more than one index */
  for (unsigned a = 0; a < 3; a++) {
    const uint32_t size = wb_launch_block(walk->launch, walk->function, a);
    if (size == 0 && a < axis)
      return false;
    if (a < axis)
      thread /= size;
    last = last && (a <= axis || size == 1);
  }
  const uint32_t size = wb_launch_block(walk->launch, walk->function, axis);
  *index = size > 0 && !last ? thread % size : thread;
  return size > 0 || axis == 2;
}

/* Of a block; 0: not known; more than MOST_THREADS: no launch can have it. */
static uint64_t threads_of(const struct wb_lane_walk *walk)
{
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3; axis++) {
    const uint32_t size = wb_launch_block(walk->launch, walk->function, axis);
    threads *= size <= MOST_THREADS ? size : MOST_THREADS + 1;
  }
  return threads;
}

uint32_t wb_lane_block_warps(const struct wb_lane_walk *walk)
{
  const uint64_t warps = (threads_of(walk) + 31) / 32;
  return warps > MOST_WARPS ? 0 : (uint32_t)((UINT64_C(1) << warps) - 1);
}

uint32_t wb_lane_launch_mask(const struct wb_lane_walk *walk)
{
  const uint64_t threads = threads_of(walk);
  const uint32_t last = wb_lane_block_warps(walk); /* the bits up to that of the last warp */
  const bool whole = threads % 32 == 0 || last == 0 || walk->warps != last - (last >> 1);
  return whole ? UINT32_MAX : (UINT32_C(1) << threads % 32) - 1;
}

/* The thread index along an axis: that of each warp it may be, joined. Where only x is known and a
 * warp's lanes stand in one row, each row begins with a warp. */
static uint32_t thread_index(const struct wb_lane_walk *walk, unsigned axis)
{
  const uint32_t width = wb_launch_block(walk->launch, walk->function, 0);
  const uint64_t threads = threads_of(walk);
  uint32_t joined = WB_LANES_UNKNOWN;
  bool first = true;
  for (uint32_t w = 0; w < MOST_WARPS && threads <= MOST_THREADS; w++) {
    uint32_t numbers[WB_LANES];
    if ((walk->warps >> w & 1) == 0)
      continue;
    for (uint32_t l = 0; l < WB_LANES; l++)
      if (!index_of(walk, axis, 32 * w + l, &numbers[l]))
        return axis > 0 && width > 0 && width % 32 == 0 ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
    const uint32_t value = wb_lanes_known(walk->values, numbers);
    joined = first ? value : wb_lanes_either(walk->values, joined, value);
    first = false;
  }
  return joined;
}

/* The shape of the thread index, which is made first: that may move the table of values. */
static uint32_t thread_shape(const struct wb_lane_walk *walk, unsigned axis)
{
  const uint32_t value = thread_index(walk, axis);
  return walk->values->values[value].shape;
}

uint32_t wb_lane_warps_like(struct wb_lane_walk *walk, unsigned warp)
{
  const uint32_t all = wb_lane_block_warps(walk);
  uint32_t shapes[3];
  uint32_t like = 0;
  walk->warps = UINT32_C(1) << warp;
  const uint32_t mask = wb_lane_launch_mask(walk);
  for (unsigned axis = 0; axis < 3; axis++)
    shapes[axis] = thread_shape(walk, axis);
  for (unsigned w = 0; w < MOST_WARPS; w++) {
    walk->warps = UINT32_C(1) << w;
    bool same = (all & walk->warps) != 0 && wb_lane_launch_mask(walk) == mask;
    for (unsigned axis = 0; axis < 3 && same; axis++)
      same = thread_shape(walk, axis) == shapes[axis];
    like |= (uint32_t)same << w;
  }
  return like;
}

/* A number of the launch that all lanes have. */
static uint32_t uniform_value(const struct wb_lane_walk *walk, const struct wb_integer *value)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  wb_integer_ends(value, false, &low, &high);
  if (low.number == high.number && low.number >= 0)
    return wb_lanes_number(walk->values, (uint32_t)low.number);
  return high.number >= 0 && high.number <= UINT32_MAX
             ? wb_lanes_uniform_below(walk->values, (uint32_t)high.number)
             : WB_LANES_UNIFORM;
}

/* Whether the word at c[bank][offset] is the lower one of a pointer that is said to be aligned. */
static bool is_aligned_pointer(const struct wb_lane_walk *walk, unsigned bank, uint64_t offset)
{
  const struct wb_launch *launch = walk->launch;
  uint32_t parameter;
  if (launch == NULL || bank > UINT8_MAX || offset > UINT16_MAX ||
      !wb_launch_parameter(walk->function, (uint32_t)bank << 16 | (uint32_t)offset, &parameter))
    return false;
  for (size_t b = 0; b < launch->buffer_count; b++) {
    if (launch->buffers[b].parameter == parameter)
      return launch->buffers[b].aligned;
  }
  return false;
}

uint32_t wb_lane_constant(const struct wb_lane_walk *walk, unsigned bank, uint64_t offset)
{
  static const int64_t same[WB_LANES] = {0};
  const struct wb_integer value =
      wb_launch_constant(walk->launch, walk->function, bank, (uint32_t)offset);
  const uint32_t word = uniform_value(walk, &value);
  return !wb_lanes_are_known(walk->values, word) && is_aligned_pointer(walk, bank, offset)
             ? wb_lanes_shaped(walk->values, same, WB_ALIGNED_BITS, 0, UINT32_MAX)
             : word;
}

uint32_t wb_lane_special(const struct wb_lane_walk *walk, unsigned special)
{
  uint32_t numbers[WB_LANES];
  switch (special) {
  case WB_SPECIAL_ZERO:
    return wb_lanes_number(walk->values, 0);
  case WB_SPECIAL_LANE:
    for (uint32_t l = 0; l < WB_LANES; l++)
      numbers[l] = l;
    return wb_lanes_known(walk->values, numbers);
  case WB_SPECIAL_THREAD_X:
  case WB_SPECIAL_THREAD_Y:
  case WB_SPECIAL_THREAD_Z:
    return thread_index(walk, special - WB_SPECIAL_THREAD_X);
  case WB_SPECIAL_OTHER:
  case WB_SPECIAL_CLOCK:
    return WB_LANES_UNKNOWN;
  default: {
    const struct wb_integer value =
        wb_launch_special(walk->launch, walk->function, (enum wb_special_register)special);
    return uniform_value(walk, &value);
  }
  }
}

/* ---- walks ---- */

/* Most terms of terms that are looked at for a number of 64 bits. */
#define MOST_DEPTH 4

uint32_t wb_lane_term_zero(const struct wb_lane_walk *walk)
{
  return walk->layout.count + WB_LANE_CONDITIONALS;
}

bool wb_lane_walk_make(const struct wb_function *function, const struct wb_launch *launch,
                       struct wb_lane_value_pool *values, struct wb_lane_walk *walk)
{
  *walk = (struct wb_lane_walk){
      .function = function, .launch = launch, .values = values, .layout = layout_of(function)};
  const uint32_t warps = wb_lane_block_warps(walk);
  walk->warps = warps == 0 ? UINT32_MAX : warps;
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
    const uint32_t term = walk->layout.count + c;
    state->conditionals[c].term = term;
    walk->terms[term] =
        (struct wb_lane_term){.form = WB_LANE_ENTRY, .value = entry->conditionals[c].value};
  }
  walk->terms[zero] = (struct wb_lane_term){.value = wb_lanes_number(walk->values, 0)};
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
      .value = wb_lanes_decide(walk->values, walk->terms[condition].value, walk->terms[a].value,
                               walk->terms[b].value)};
  return wb_lane_term_add(walk, &term);
}

/* ---- numbers of 64 bits ---- */

static uint32_t wide_of(struct wb_lane_walk *walk, uint32_t low, uint32_t high, unsigned depth);

/* The slot of a term that a register had at the begin of the block. */
static uint16_t entry_slot(const struct wb_lane_walk *walk, uint32_t term)
{
  const uint32_t row = walk->layout.count;
  return term < row ? (uint16_t)term : walk->entry->conditionals[term - row].slot;
}

/* A row of a conditional says what the register holds for the lanes that read it, and so does each
 * claim about the register at the begin. */
static uint32_t entry_wide(const struct wb_lane_walk *walk, uint32_t low, uint32_t high)
{
  const uint16_t lower = entry_slot(walk, low);
  const uint16_t upper = entry_slot(walk, high);
  if (low >= walk->layout.count && upper == lower + 1) {
    const uint32_t wide = walk->entry->conditionals[low - walk->layout.count].wide;
    if (wide != WB_LANES_UNKNOWN)
      return wide;
  }
  return pair_of(walk->entry, &walk->layout, lower, upper);
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
    return wb_lanes_decide(walk->values, walk->terms[upper->c].value,
                           wide_of(walk, lower->a, upper->a, depth + 1),
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
  const struct wb_lane_conditional *row = find_conditional(walk->state, slot, predicate, when);
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
void wb_lane_walk_write(struct wb_lane_walk *walk, unsigned number, uint32_t term)
{
  const struct wb_lane_layout *layout = &walk->layout;
  const uint16_t slot = wb_lane_slot(layout, number);
  if (slot >= layout->count)
    return;
  const bool guarded = walk->guard != layout->count;
  const bool shared = slot >= layout->general && slot < layout->general + layout->uniform &&
                      walk->guard < wb_lane_slot(layout, WB_REGISTER_UNIFORM_PREDICATE);
  const bool kept = guarded && !shared && walk->guard_stays;
  const uint32_t old = kept ? term_under(walk, slot, walk->guard, !walk->when) : walk->slots[slot];
  const uint32_t a = walk->terms[term].value;
  const uint32_t b = walk->terms[old].value;
  wb_lane_state_forget(layout, walk->state, slot);
  if (!guarded)
    walk->slots[slot] = term;
  else if (shared)
    walk->slots[slot] =
        wb_lane_term_plain(walk, walk->together ? wb_lanes_either(walk->values, a, b)
                                                : wb_lanes_mixed(walk->values, a, b));
  else
    walk->slots[slot] =
        wb_lane_term_choice(walk, walk->guard_of, walk->when ? term : old, walk->when ? old : term);
  walk->state->values[slot] = walk->terms[walk->slots[slot]].value;
  if (!kept)
    return;
  struct wb_lane_conditional row = {
      .slot = slot, .predicate = walk->guard, .when = walk->when, .value = a, .term = term};
  add_conditional(walk->state, &row);
  row.when = !walk->when;
  row.value = b;
  row.term = old;
  add_conditional(walk->state, &row);
}

/* ---- the end of the block ---- */

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
  bool of_entry = walk->entry->pair_count > 0;
  for (uint16_t s = 0; s < walk->layout.general && !of_entry;
       s++) /* copies of words of the begin */
    of_entry = walk->terms[walk->slots[s]].form == WB_LANE_ENTRY && walk->slots[s] != s;
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
