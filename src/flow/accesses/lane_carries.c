#include "flow/accesses/lane_carries.h"

#include <string.h>

typedef const struct wb_lane_operation *operation_of;

static bool starts(operation_of operation, const char *text)
{
  return strncmp(operation->text.opcode, text, strlen(text)) == 0;
}

static bool has(operation_of operation, const char *word)
{
  return strstr(operation->text.opcode, word) != NULL;
}

static uint16_t target_of(operation_of operation)
{
  return wb_lane_operand_slot(operation, &operation->text.operands[0]);
}

static uint16_t slot_of(operation_of operation, size_t number)
{
  const struct wb_text_operand *operand = &operation->text.operands[number];
  return number < operation->text.count && !operand->negated && !operand->complemented
             ? wb_lane_operand_slot(operation, operand)
             : operation->walk->layout.count;
}

static void add_pair(struct wb_lane_findings *findings, uint16_t low, uint16_t high, uint32_t value)
{
  const size_t room = sizeof findings->pairs / sizeof *findings->pairs;
  if (value != WB_LANES_UNKNOWN && low != high && findings->pair_count < room)
    findings->pairs[findings->pair_count++] = (struct wb_lane_pair){low, high, value};
}

/* ---- lower halves of sums ---- */

static void add_upper(operation_of operation, struct wb_lane_term *term, uint16_t slot)
{
  const uint32_t value = wb_lane_registers(operation, term->slot, slot);
  if (value == WB_LANES_UNKNOWN || term->upper_count == WB_LANE_UPPER)
    return;
  term->upper[term->upper_count] = slot;
  term->together[term->upper_count++] = value;
}

/* Notes the registers that hold the upper word to the register of a term. */
static void find_uppers(operation_of operation, struct wb_lane_term *term)
{
  const struct wb_lane_state *state = operation->walk->state;
  add_upper(operation, term, (uint16_t)(term->slot + 1));
  for (size_t p = 0; p < state->pair_count; p++)
    if (state->pairs[p].low == term->slot)
      add_upper(operation, term, state->pairs[p].high);
}

/* The same of a register that is shifted. */
static void find_upper_halves(operation_of operation, struct wb_lane_term *term)
{
  const struct wb_lane_walk *walk = operation->walk;
  for (size_t h = 0; h < walk->half_count && term->upper_count < WB_LANE_UPPER; h++) {
    const struct wb_lane_half *half = &walk->halves[h];
    if (!half->upper || half->source != term->slot || half->shift != term->shift)
      continue;
    term->upper[term->upper_count] = half->slot;
    term->together[term->upper_count++] = half->value;
  }
}

static struct wb_lane_term term_of(operation_of operation, size_t number, unsigned shift)
{
  const struct wb_text_operand *operand = &operation->text.operands[number];
  struct wb_lane_term term = {.slot = wb_lane_operand_slot(operation, operand),
                              .shift = (uint8_t)shift,
                              .negated = operand->negated,
                              .value = wb_lane_operand_plain(operation, operand)};
  if (operand->half || operand->complemented)
    term.value = WB_LANES_UNKNOWN;
  if (term.slot < operation->walk->layout.general) {
    if (shift == 0)
      find_uppers(operation, &term);
    else
      find_upper_halves(operation, &term);
  }
  return term;
}

/* The predicate or condition code that a lower half sets; layout.count for none. */
static uint16_t carry_of(operation_of operation)
{
  const struct wb_lane_layout *layout = &operation->walk->layout;
  const struct wb_text_operand *output = &operation->text.outputs[0];
  if (operation->text.operands[0].carry)
    return wb_lane_slot(layout, WB_REGISTER_CONDITION_CODE);
  return operation->text.output_count == 1 && output->kind == WB_TEXT_PREDICATE
             ? wb_lane_slot(layout, output->number)
             : layout->count;
}

/* Whether at most two words are added, of which at most one is subtracted: the carry then says all
 * that the upper words need. */
static bool is_of_two(const struct wb_lane_value_pool *values, const struct wb_lane_carry *sum)
{
  size_t words = 0;
  size_t negated = 0;
  for (size_t t = 0; t < 3; t++) {
    uint64_t number;
    const bool zero = wb_lanes_are_number(values, sum->terms[t].value, &number) && number == 0;
    words += !zero;
    negated += sum->terms[t].negated;
  }
  return words <= 2 && negated <= 1;
}

static void find_lower_sum(operation_of operation, struct wb_lane_findings *findings)
{
  static const struct {
    const char *opcode;
    size_t terms;
    bool scaled;
  } rows[] = {{"IADD", 2, false},
              {"IADD3", 3, false},
              {"IADD32I", 2, false},
              {"ISCADD", 2, true},
              {"LEA", 2, true}};
  const struct wb_lane_layout *layout = &operation->walk->layout;
  const uint16_t carry = carry_of(operation);
  if (carry == layout->count || target_of(operation) == layout->count)
    return;
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    unsigned shift = 0;
    if (strcmp(rows[r].opcode, operation->text.opcode) != 0 ||
        operation->text.count != rows[r].terms + 1 + rows[r].scaled ||
        (rows[r].scaled && !wb_lane_operand_count(operation, 3, &shift)))
      continue;
    struct wb_lane_carry *sum = &findings->carry;
    *sum = (struct wb_lane_carry){.carry = carry,
                                  .target = target_of(operation),
                                  .guard = operation->guard,
                                  .when = operation->when,
                                  .time = operation->walk->time};
    for (size_t t = 0; t < 3; t++)
      sum->terms[t] =
          t < rows[r].terms
              ? term_of(operation, t + 1, t == 0 ? shift : 0)
              : (struct wb_lane_term){.slot = layout->count,
                                      .value = wb_lanes_number(operation->walk->values, 0)};
    findings->has_carry = is_of_two(operation->walk->values, sum);
  }
}

/* ---- upper halves of sums ---- */

/* An upper word of a sum. */
struct upper_term {
  uint16_t slot;
  uint32_t value;
  bool turned; /* negated or complemented */
};

static struct upper_term upper_of(operation_of operation, size_t number)
{
  const struct wb_text_operand *operand = &operation->text.operands[number];
  return (struct upper_term){wb_lane_operand_slot(operation, operand),
                             operand->half ? WB_LANES_UNKNOWN
                                           : wb_lane_operand_plain(operation, operand),
                             operand->negated || operand->complemented};
}

static bool written_since(const struct wb_lane_walk *walk, uint16_t slot, uint32_t time)
{
  return slot >= walk->layout.count || walk->written[slot] > time;
}

/* The number of 64 bits of a lower and an upper word, which holds where the sum's lower half was
 * done. */
static uint32_t together(operation_of operation, const struct wb_lane_carry *sum,
                         const struct wb_lane_term *low, const struct upper_term *high)
{
  const struct wb_lane_walk *walk = operation->walk;
  struct wb_lane_value_pool *values = walk->values;
  const uint32_t word = wb_lanes_shift_left(values, low->value, low->shift);
  uint64_t number;
  uint32_t value = WB_LANES_UNKNOWN;
  if (low->negated != high->turned)
    return WB_LANES_UNKNOWN;
  for (size_t u = 0; u < low->upper_count && value == WB_LANES_UNKNOWN; u++)
    if (low->upper[u] == high->slot && !written_since(walk, high->slot, sum->time - 1))
      value = low->together[u];
  if (value == WB_LANES_UNKNOWN && low->shift == 0 && high->slot < walk->layout.count &&
      !written_since(walk, low->slot, sum->time - 1))
    value = wb_lane_registers(operation, low->slot, high->slot);
  if (value == WB_LANES_UNKNOWN && wb_lanes_are_number(values, high->value, &number) && number == 0)
    value = wb_lanes_extend(values, word, false);
  if (value == WB_LANES_UNKNOWN)
    value = wb_lanes_pair(values, word, high->value);
  return low->negated ? wb_lanes_wide_negate(values, value) : value;
}

/* The sum of the lower words with the upper ones in some order. */
static uint32_t sum_together(operation_of operation, const struct wb_lane_carry *sum,
                             const struct upper_term uppers[3])
{
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                       {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
  struct wb_lane_value_pool *values = operation->walk->values;
  for (size_t o = 0; o < 6; o++) {
    uint32_t total = wb_lanes_wide_number(values, 0);
    for (size_t t = 0; t < 3; t++)
      total = wb_lanes_wide_add(values, total,
                                together(operation, sum, &sum->terms[t], &uppers[orders[o][t]]));
    if (total != WB_LANES_UNKNOWN)
      return total;
  }
  return WB_LANES_UNKNOWN;
}

/* LEA.HI.X R1, a, c, R2, n, P0: the upper word of (R2, a) << n, plus c; LEA.HI.X.SX32 R1, a, c, n,
 * P0: of a with its sign. */
static uint32_t scaled_sum(operation_of operation, const struct wb_lane_carry *sum, bool extends)
{
  const struct wb_lane_walk *walk = operation->walk;
  struct wb_lane_value_pool *values = walk->values;
  const struct wb_lane_term *scaled = &sum->terms[0];
  const struct upper_term other = upper_of(operation, 2);
  unsigned shift;
  uint32_t number;
  if (!wb_lane_operand_count(operation, extends ? 3 : 4, &shift) || shift != scaled->shift ||
      scaled->negated || slot_of(operation, 1) != scaled->slot ||
      scaled->slot == walk->layout.count || written_since(walk, scaled->slot, sum->time - 1))
    return WB_LANES_UNKNOWN;
  if (extends)
    number = wb_lanes_extend(values, scaled->value, true);
  else if (operation->text.operands[3].kind == WB_TEXT_REGISTER &&
           operation->text.operands[3].number == WB_NO_REGISTER)
    number = wb_lanes_extend(values, scaled->value, false);
  else
    number = wb_lane_registers(operation, scaled->slot, slot_of(operation, 3));
  return wb_lanes_wide_add(values, wb_lanes_wide_shift_left(values, number, shift),
                           together(operation, sum, &sum->terms[1], &other));
}

/* The slot of the carry that an upper half reads; layout.count for none. */
static uint16_t carry_read(operation_of operation)
{
  const struct wb_lane_layout *layout = &operation->walk->layout;
  if (!operation->text.volta)
    return wb_lane_slot(layout, WB_REGISTER_CONDITION_CODE);
  uint16_t found = layout->count;
  for (size_t i = 1; i < operation->text.count; i++) {
    const struct wb_text_operand *operand = &operation->text.operands[i];
    if (operand->kind != WB_TEXT_PREDICATE)
      continue;
    if (operand->number == WB_NO_REGISTER && operand->negated)
      continue; /* !PT: no carry */
    if (operand->number == WB_NO_REGISTER || operand->negated || found != layout->count)
      return layout->count;
    found = wb_lane_slot(layout, operand->number);
  }
  return found;
}

/* IMAD.X R1, a, b, c, P0, where a * b is 0 or one of both. */
static bool product_terms(operation_of operation, struct upper_term uppers[3])
{
  struct wb_lane_value_pool *values = operation->walk->values;
  uint64_t number;
  const struct upper_term a = upper_of(operation, 1);
  const struct upper_term b = upper_of(operation, 2);
  uppers[1] = upper_of(operation, 3);
  uppers[0] = a;
  if (wb_lanes_are_number(values, b.value, &number) && number == 1 && !b.turned)
    return true;
  uppers[0] = b;
  if (wb_lanes_are_number(values, a.value, &number) && number == 1 && !a.turned)
    return true;
  uppers[0] = (struct upper_term){operation->walk->layout.count, wb_lanes_number(values, 0), false};
  return (wb_lanes_are_number(values, a.value, &number) && number == 0) ||
         (wb_lanes_are_number(values, b.value, &number) && number == 0);
}

static uint32_t upper_sum(operation_of operation, const struct wb_lane_carry *sum)
{
  const struct upper_term none = {operation->walk->layout.count,
                                  wb_lanes_number(operation->walk->values, 0), false};
  struct upper_term uppers[3] = {none, none, none};
  const char *opcode = operation->text.opcode;
  if (strcmp(opcode, "LEA.HI.X") == 0)
    return scaled_sum(operation, sum, false);
  if (strcmp(opcode, "LEA.HI.X.SX32") == 0)
    return scaled_sum(operation, sum, true);
  if (strcmp(opcode, "IMAD.X") == 0)
    return operation->text.volta && product_terms(operation, uppers)
               ? sum_together(operation, sum, uppers)
               : WB_LANES_UNKNOWN;
  const bool three = strcmp(opcode, "IADD3.X") == 0 && operation->text.count >= 4;
  if (!three && strcmp(opcode, "IADD.X") != 0 && strcmp(opcode, "IADD32I.X") != 0)
    return WB_LANES_UNKNOWN;
  for (size_t t = 0; t < (three ? 3u : 2u); t++)
    uppers[t] = upper_of(operation, t + 1);
  return sum_together(operation, sum, uppers);
}

static void find_upper_sum(operation_of operation, struct wb_lane_findings *findings)
{
  const struct wb_lane_walk *walk = operation->walk;
  const uint16_t carry = has(operation, ".X") ? carry_read(operation) : walk->layout.count;
  if (carry == walk->layout.count)
    return;
  for (size_t c = walk->carry_count; c-- > 0;) {
    const struct wb_lane_carry *sum = &walk->carries[c];
    if (sum->carry != carry || sum->guard != operation->guard || sum->when != operation->when)
      continue;
    const uint32_t total = upper_sum(operation, sum);
    findings->upper = wb_lanes_upper_word(walk->values, total);
    if (!written_since(walk, sum->target, sum->time))
      add_pair(findings, sum->target, target_of(operation), total);
    return;
  }
}

/* ---- shifts and copies ---- */

/* A shift by which a register becomes the lower or upper half of itself, shifted. */
static bool find_half(operation_of operation, struct wb_lane_half *half, bool *as_signed)
{
  static const struct {
    const char *opcode;
    uint8_t source;
    bool volta, upper, as_signed;
  } rows[] = {{"SHL", 1, false, false, false},         {"SHL.W", 1, false, false, false},
              {"SHR", 1, false, true, true},           {"SHR.U32", 1, false, true, false},
              {"SHF.L.U32", 1, true, false, false},    {"IMAD.SHL", 1, true, false, false},
              {"IMAD.SHL.U32", 1, true, false, false}, {"SHF.R.S32.HI", 3, true, true, true},
              {"SHF.R.U32.HI", 3, true, true, false}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    uint64_t number;
    if (strcmp(rows[r].opcode, operation->text.opcode) != 0 ||
        rows[r].volta != operation->text.volta)
      continue;
    *half = (struct wb_lane_half){.slot = target_of(operation),
                                  .source = slot_of(operation, rows[r].source),
                                  .upper = rows[r].upper};
    *as_signed = rows[r].as_signed;
    if (!wb_lanes_are_number(operation->walk->values, wb_lane_operand(operation, 2), &number) ||
        half->source == operation->walk->layout.count)
      return false;
    if (starts(operation, "IMAD")) { /* by a power of two */
      unsigned places = 0;
      while (places < 31 && number >> places != 1)
        places++;
      if (number != UINT64_C(1) << places)
        return false;
      number = places;
    }
    if (number > 31 || (rows[r].upper && number == 0))
      return false;
    half->shift = (uint8_t)(rows[r].upper ? 32 - number : number);
    return (rows[r].volta && rows[r].upper) ? wb_lane_operand_is_zero(operation, 1)
           : (rows[r].volta)                ? wb_lane_operand_is_zero(operation, 3)
                                            : true;
  }
  return false;
}

/* SHF.L.U64.HI R3, R0, n, R1: the upper word of (R1, R0) << n. */
static bool find_upper_of_pair(operation_of operation, struct wb_lane_half *half)
{
  unsigned count;
  const char *opcode = operation->text.opcode;
  const bool fits = operation->text.volta
                        ? strcmp(opcode, "SHF.L.U64.HI") == 0 || strcmp(opcode, "SHF.L.S64.HI") == 0
                        : strcmp(opcode, "SHF.L.U64") == 0 || strcmp(opcode, "SHF.L.S64") == 0;
  if (!fits || operation->text.count != 4 || !wb_lane_operand_count(operation, 2, &count))
    return false;
  *half = (struct wb_lane_half){.slot = target_of(operation),
                                .source = slot_of(operation, 1),
                                .shift = (uint8_t)count,
                                .upper = true};
  const uint32_t pair = wb_lane_registers(operation, half->source, slot_of(operation, 3));
  half->value = wb_lanes_wide_shift_left(operation->walk->values, pair, count);
  return half->value != WB_LANES_UNKNOWN;
}

static void find_halves(operation_of operation, struct wb_lane_findings *findings)
{
  const struct wb_lane_walk *walk = operation->walk;
  struct wb_lane_value_pool *values = walk->values;
  struct wb_lane_half *half = &findings->half;
  bool as_signed = false;
  if (find_half(operation, half, &as_signed)) {
    const uint32_t source = wb_lane_register(operation, half->source);
    const uint32_t wide = wb_lanes_extend(values, source, as_signed);
    half->value = wb_lanes_wide_shift_left(values, wide, half->shift);
    if (half->upper && as_signed && half->shift == 1) /* its sign alone */
      add_pair(findings, half->source, half->slot, wide);
  } else if (!find_upper_of_pair(operation, half)) {
    return;
  }
  findings->has_half = half->slot < walk->layout.general && half->shift < 32;
  for (size_t h = 0; h < walk->half_count && findings->has_half; h++) {
    const struct wb_lane_half *other = &walk->halves[h];
    if (other->source != half->source || other->shift != half->shift ||
        other->upper == half->upper || other->slot == half->slot)
      continue;
    add_pair(findings, half->upper ? other->slot : half->slot,
             half->upper ? half->slot : other->slot, half->upper ? half->value : other->value);
  }
}

/* A copy of one word of a pair makes a pair of the copy and the other word. */
static void find_copies(operation_of operation, struct wb_lane_findings *findings)
{
  const struct wb_lane_walk *walk = operation->walk;
  const struct wb_lane_state *state = walk->state;
  const bool multiplied = starts(operation, "IMAD.MOV");
  const size_t place = multiplied ? 3 : 1;
  if ((strcmp(operation->text.opcode, "MOV") != 0 && !multiplied) ||
      operation->text.count != place + 1)
    return;
  const uint16_t from = slot_of(operation, place);
  const uint16_t to = target_of(operation);
  if (from >= walk->layout.general || (multiplied && !wb_lane_operand_is_zero(operation, 1) &&
                                       !wb_lane_operand_is_zero(operation, 2)))
    return;
  add_pair(findings, to, (uint16_t)(from + 1), wb_lane_registers(operation, from, from + 1));
  if (from > 0)
    add_pair(findings, (uint16_t)(from - 1), to, wb_lane_registers(operation, from - 1, from));
  for (size_t p = 0; p < state->pair_count; p++) {
    if (state->pairs[p].low == from)
      add_pair(findings, to, state->pairs[p].high, state->pairs[p].value);
    if (state->pairs[p].high == from)
      add_pair(findings, state->pairs[p].low, to, state->pairs[p].value);
  }
}

/* ---- both ---- */

void wb_lane_findings_make(const struct wb_lane_operation *operation,
                           struct wb_lane_findings *findings)
{
  *findings = (struct wb_lane_findings){.upper = WB_LANES_UNKNOWN, .wide = WB_LANES_UNKNOWN};
  if (operation->text.count == 0 || target_of(operation) >= operation->walk->layout.general)
    return;
  find_lower_sum(operation, findings);
  find_upper_sum(operation, findings);
  find_halves(operation, findings);
  find_copies(operation, findings);
}

static void keep_pair(const struct wb_lane_operation *operation, const struct wb_lane_pair *pair)
{
  struct wb_lane_walk *walk = operation->walk;
  if (operation->guard == walk->layout.count) {
    wb_lane_state_add_pair(walk->state, &walk->layout, pair->low, pair->high, pair->value);
    return;
  }
  struct wb_lane_conditional *row =
      wb_lane_state_conditional(walk->state, pair->low, operation->guard, operation->when);
  if (pair->high != pair->low + 1)
    return;
  if (row != NULL) {
    row->wide = pair->value;
    return;
  }
  const struct wb_lane_conditional added = {pair->low, operation->guard, operation->when,
                                            walk->state->values[pair->low], pair->value};
  wb_lane_state_add_conditional(walk->state, &added);
}

/* Whether the instruction wrote a register other than its target. */
static bool wrote_beside(const struct wb_lane_operation *operation, uint16_t slot)
{
  return slot != target_of(operation) && operation->walk->written[slot] == operation->walk->time;
}

static void keep_pairs(const struct wb_lane_operation *operation,
                       const struct wb_lane_findings *findings)
{
  const uint16_t target = target_of(operation);
  const struct wb_lane_pair wide = {target, (uint16_t)(target + 1), findings->wide};
  for (size_t p = 0; p < findings->pair_count; p++)
    if (!wrote_beside(operation, findings->pairs[p].low) &&
        !wrote_beside(operation, findings->pairs[p].high))
      keep_pair(operation, &findings->pairs[p]);
  if (wide.value != WB_LANES_UNKNOWN && target + 1 < operation->walk->layout.general)
    keep_pair(operation, &wide);
}

void wb_lane_findings_keep(const struct wb_lane_operation *operation,
                           const struct wb_lane_findings *findings)
{
  struct wb_lane_walk *walk = operation->walk;
  const bool guard_stays =
      operation->guard == walk->layout.count || walk->written[operation->guard] != walk->time;
  if (!guard_stays)
    return;
  keep_pairs(operation, findings);
  if (findings->has_carry) {
    if (walk->carry_count == WB_LANE_CARRIES)
      memmove(&walk->carries[0], &walk->carries[1], --walk->carry_count * sizeof *walk->carries);
    walk->carries[walk->carry_count++] = findings->carry;
  }
  if (findings->has_half && operation->guard == walk->layout.count &&
      findings->half.source != findings->half.slot) {
    if (walk->half_count == WB_LANE_HALVES)
      memmove(&walk->halves[0], &walk->halves[1], --walk->half_count * sizeof *walk->halves);
    walk->halves[walk->half_count++] = findings->half;
  }
}

void wb_lane_walk_forget(struct wb_lane_walk *walk, uint16_t slot)
{
  for (size_t c = walk->carry_count; c-- > 0;) {
    struct wb_lane_carry *sum = &walk->carries[c];
    if (sum->carry == slot || sum->guard == slot)
      memmove(sum, sum + 1, (--walk->carry_count - c) * sizeof *sum);
  }
  for (size_t h = walk->half_count; h-- > 0;) {
    struct wb_lane_half *half = &walk->halves[h];
    if (half->slot == slot || half->source == slot)
      memmove(half, half + 1, (--walk->half_count - h) * sizeof *half);
  }
}
