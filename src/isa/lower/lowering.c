#include "isa/lower/lowering.h"

#include "isa/lower/lower.h"

/* ---- modifiers ---- */

bool wb_take_modifier(struct wb_lowering *lowering, enum wb_modifier modifier)
{
  const struct wb_instruction *instruction = lowering->instruction;
  for (unsigned m = 0; m < instruction->modifier_count; m++) {
    if ((lowering->modifiers_read >> m & 1) == 0 && instruction->modifiers[m] == modifier) {
      lowering->modifiers_read |= 1U << m;
      return true;
    }
  }
  return false;
}

enum wb_modifier wb_next_modifier(struct wb_lowering *lowering)
{
  const struct wb_instruction *instruction = lowering->instruction;
  for (unsigned m = 0; m < instruction->modifier_count; m++) {
    if ((lowering->modifiers_read >> m & 1) == 0) {
      lowering->modifiers_read |= 1U << m;
      return (enum wb_modifier)instruction->modifiers[m];
    }
  }
  return WB_MODIFIER_OTHER;
}

/* ---- sources ---- */

struct wb_source wb_none(void)
{
  return (struct wb_source){.kind = WB_SOURCE_NONE, .index = WB_NO_REGISTER};
}

struct wb_source wb_number(uint64_t value)
{
  return (struct wb_source){.kind = WB_SOURCE_NUMBER, .value = value, .index = WB_NO_REGISTER};
}

struct wb_source wb_condition_carry(void)
{
  return (struct wb_source){
      .kind = WB_SOURCE_PREDICATE, .number = WB_REGISTER_CONDITION_CODE, .index = WB_NO_REGISTER};
}

bool wb_is_number(struct wb_source source, uint64_t number)
{
  return source.kind == WB_SOURCE_NUMBER && !source.negated && !source.complemented &&
         source.value == number;
}

static struct wb_source failed(struct wb_lowering *lowering)
{
  lowering->failed = true;
  return wb_none();
}

struct wb_source wb_negated(struct wb_lowering *lowering, struct wb_source source)
{
  if (source.complemented)
    return failed(lowering);
  if (source.kind == WB_SOURCE_NUMBER)
    return wb_number((uint32_t)(0 - source.value));
  source.negated = !source.negated;
  return source;
}

struct wb_source wb_not(struct wb_source predicate)
{
  if (predicate.kind == WB_SOURCE_NUMBER)
    return wb_number(predicate.value == 0);
  predicate.negated = !predicate.negated;
  return predicate;
}

/* An operand that was not read before. */
static const struct wb_operand *operand_at(struct wb_lowering *lowering, size_t number)
{
  static const struct wb_operand other = {.kind = WB_OPERAND_OTHER};
  if (number >= lowering->source_count)
    return &other;
  lowering->sources_read |= 1U << number;
  return &lowering->sources[number];
}

/* A number with its sign. */
static struct wb_source signed_number(uint64_t value, const struct wb_operand *operand, bool pair)
{
  if (operand->negated)
    value = 0 - value;
  else if (operand->complemented)
    value = ~value;
  return wb_number(pair ? value : (uint32_t)value);
}

/* Whether a register holds a word: a general or a uniform one. */
static bool is_word_register(unsigned number)
{
  return number < WB_REGISTER_PREDICATE ||
         (number >= WB_REGISTER_UNIFORM && number < WB_REGISTER_UNIFORM_PREDICATE);
}

/* The word or, of a pair, the two words of an operand with its sign. */
static struct wb_source value_of(struct wb_lowering *lowering, const struct wb_operand *operand,
                                 bool pair)
{
  struct wb_source source = {
      .index = WB_NO_REGISTER, .negated = operand->negated, .complemented = operand->complemented};
  switch (operand->kind) {
  case WB_OPERAND_REGISTER:
    source.kind = (uint8_t)(pair ? WB_SOURCE_REGISTER_PAIR : WB_SOURCE_REGISTER);
    source.number = operand->number;
    if (operand->number == WB_NO_REGISTER)
      return signed_number(0, operand, pair);
    return is_word_register(operand->number) && is_word_register(operand->number + pair)
               ? source
               : failed(lowering);
  case WB_OPERAND_WIDE_NUMBER:
    return pair ? signed_number(operand->value, operand, true) : failed(lowering);
  case WB_OPERAND_NUMBER:
    return signed_number(operand->value, operand, pair);
  case WB_OPERAND_CONSTANT:
    source.kind = (uint8_t)(pair ? WB_SOURCE_CONSTANT_PAIR : WB_SOURCE_CONSTANT);
    source.value = operand->value;
    source.bank = operand->bank;
    source.index = operand->index;
    return source;
  case WB_OPERAND_LABEL:
    if (pair)
      return failed(lowering);
    source.kind = WB_SOURCE_LABEL;
    source.value = operand->value;
    return source;
  default:
    return failed(lowering);
  }
}

/* Whether an operand is a whole word and not its magnitude. */
static bool is_whole(const struct wb_operand *operand)
{
  return !operand->half && operand->part == 0 && !operand->absolute;
}

struct wb_source wb_word(struct wb_lowering *lowering, size_t number)
{
  const struct wb_operand *operand = operand_at(lowering, number);
  return is_whole(operand) ? value_of(lowering, operand, false) : failed(lowering);
}

struct wb_source wb_upper_word(struct wb_lowering *lowering, size_t number)
{
  const struct wb_operand *operand = operand_at(lowering, number);
  struct wb_operand upper = *operand;
  upper.complemented |= upper.negated;
  upper.negated = false;
  return is_whole(operand) ? value_of(lowering, &upper, false) : failed(lowering);
}

struct wb_source wb_part(struct wb_lowering *lowering, size_t number, unsigned bits, bool as_signed)
{
  const struct wb_operand *operand = operand_at(lowering, number);
  struct wb_operand whole = *operand;
  const unsigned place = operand->half ? 16 * operand->upper : 8 * operand->part;
  if (operand->complemented || operand->absolute || place % bits != 0)
    return failed(lowering);
  whole.half = whole.upper = whole.negated = false;
  struct wb_source source = value_of(lowering, &whole, false);
  if (bits < 32)
    source = wb_extract(lowering, source, place, bits, as_signed);
  return operand->negated ? wb_negated(lowering, source) : source;
}

struct wb_source wb_magnitude(struct wb_lowering *lowering, size_t number)
{
  const struct wb_operand *operand = operand_at(lowering, number);
  struct wb_operand plain = *operand;
  if (!operand->absolute)
    return wb_word(lowering, number);
  plain.absolute = plain.negated = false;
  if (!is_whole(&plain))
    return failed(lowering);
  struct wb_source magnitude =
      wb_emit(lowering, WB_MICRO_ABSOLUTE, value_of(lowering, &plain, false), wb_none(), wb_none());
  magnitude.negated = operand->negated;
  return magnitude;
}

struct wb_source wb_wide(struct wb_lowering *lowering, size_t number)
{
  const struct wb_operand *operand = operand_at(lowering, number);
  return is_whole(operand) ? value_of(lowering, operand, true) : failed(lowering);
}

void wb_words_of_source(struct wb_lowering *lowering, size_t number, struct wb_source words[2])
{
  words[0] = words[1] = wb_wide(lowering, number);
  if (words[0].negated || words[0].complemented)
    lowering->failed = true;
  if (words[0].kind == WB_SOURCE_REGISTER_PAIR) {
    words[0].kind = words[1].kind = WB_SOURCE_REGISTER;
    words[1].number++;
  } else if (words[0].kind == WB_SOURCE_CONSTANT_PAIR) {
    words[0].kind = words[1].kind = WB_SOURCE_CONSTANT;
    words[1].value += 4;
  } else {
    words[0].value = (uint32_t)words[0].value;
    words[1].value >>= 32;
  }
}

struct wb_source wb_truth(struct wb_lowering *lowering, size_t number)
{
  const struct wb_operand *operand = operand_at(lowering, number);
  if (operand->kind != WB_OPERAND_PREDICATE)
    return failed(lowering);
  if (operand->number == WB_NO_REGISTER)
    return wb_number(!operand->negated);
  return (struct wb_source){.kind = WB_SOURCE_PREDICATE,
                            .number = operand->number,
                            .index = WB_NO_REGISTER,
                            .negated = operand->negated};
}

bool wb_is_immediate(const struct wb_lowering *lowering, size_t number)
{
  const struct wb_operand *operand = &lowering->sources[number];
  return number < lowering->source_count && is_whole(operand) && !operand->negated &&
         !operand->complemented &&
         (operand->kind == WB_OPERAND_NUMBER ||
          (operand->kind == WB_OPERAND_REGISTER && operand->number == WB_NO_REGISTER));
}

uint32_t wb_immediate(struct wb_lowering *lowering, size_t number)
{
  if (!wb_is_immediate(lowering, number)) {
    lowering->failed = true;
    return 0;
  }
  return (uint32_t)wb_word(lowering, number).value;
}

/* ---- micro-operations ---- */

struct wb_source wb_emit_operation(struct wb_lowering *lowering,
                                   const struct wb_micro_operation *operation)
{
  struct wb_micro_code *code = lowering->code;
  if (code->count == WB_MICRO_LIMIT)
    return failed(lowering);
  code->operations[code->count] = *operation;
  return (struct wb_source){
      .kind = WB_SOURCE_RESULT, .number = (uint16_t)code->count++, .index = WB_NO_REGISTER};
}

struct wb_source wb_emit_signed(struct wb_lowering *lowering, enum wb_micro_kind kind,
                                bool as_signed, struct wb_source a, struct wb_source b,
                                struct wb_source c)
{
  return wb_emit_operation(lowering, &(struct wb_micro_operation){.kind = (uint8_t)kind,
                                                                  .as_signed = as_signed,
                                                                  .b_signed = as_signed,
                                                                  .sources = {a, b, c}});
}

struct wb_source wb_emit(struct wb_lowering *lowering, enum wb_micro_kind kind, struct wb_source a,
                         struct wb_source b, struct wb_source c)
{
  return wb_emit_signed(lowering, kind, false, a, b, c);
}

struct wb_source wb_sum(struct wb_lowering *lowering, struct wb_source a, struct wb_source b,
                        struct wb_source c)
{
  return wb_emit(lowering, WB_MICRO_ADD, a, b, c);
}

struct wb_source wb_sum_with_carry(struct wb_lowering *lowering, struct wb_source a,
                                   struct wb_source b, struct wb_source carry)
{
  return wb_emit_operation(
      lowering,
      &(struct wb_micro_operation){.kind = WB_MICRO_ADD, .sources = {a, b, wb_none(), carry}});
}

/* Whether the source is a power of two, and which. */
static bool is_power(struct wb_source source, unsigned *power)
{
  for (*power = 0; *power < 32; ++*power)
    if (wb_is_number(source, UINT64_C(1) << *power))
      return true;
  return false;
}

struct wb_source wb_product(struct wb_lowering *lowering, struct wb_source a, struct wb_source b)
{
  unsigned power;
  if (wb_is_number(a, 0) || wb_is_number(b, 0))
    return wb_number(0);
  if (is_power(a, &power)) {
    const struct wb_source factor = a;
    a = b;
    b = factor;
  }
  if (!is_power(b, &power))
    return wb_emit(lowering, WB_MICRO_MULTIPLY, a, b, wb_none());
  return power == 0 ? a : wb_emit(lowering, WB_MICRO_SHIFT_LEFT, a, wb_number(power), wb_none());
}

struct wb_source wb_extract(struct wb_lowering *lowering, struct wb_source a, unsigned place,
                            unsigned bits, bool as_signed)
{
  return wb_emit_operation(lowering, &(struct wb_micro_operation){.kind = WB_MICRO_EXTRACT,
                                                                  .place = (uint8_t)place,
                                                                  .bits = (uint8_t)bits,
                                                                  .as_signed = as_signed,
                                                                  .sources = {a}});
}

static struct wb_source by_table(struct wb_lowering *lowering, enum wb_micro_kind kind,
                                 uint8_t table, struct wb_source a, struct wb_source b,
                                 struct wb_source c)
{
  return wb_emit_operation(
      lowering,
      &(struct wb_micro_operation){.kind = (uint8_t)kind, .table = table, .sources = {a, b, c}});
}

struct wb_source wb_lookup(struct wb_lowering *lowering, uint8_t table, struct wb_source a,
                           struct wb_source b, struct wb_source c)
{
  return by_table(lowering, WB_MICRO_LOOKUP, table, a, b, c);
}

struct wb_source wb_combine(struct wb_lowering *lowering, uint8_t table, struct wb_source a,
                            struct wb_source b, struct wb_source c)
{
  return by_table(lowering, WB_MICRO_COMBINE, table, a, b, c);
}

struct wb_source wb_compare(struct wb_lowering *lowering, enum wb_relation relation, bool as_signed,
                            struct wb_source a, struct wb_source b)
{
  return wb_emit_operation(lowering, &(struct wb_micro_operation){.kind = WB_MICRO_COMPARE,
                                                                  .relation = (uint8_t)relation,
                                                                  .as_signed = as_signed,
                                                                  .sources = {a, b}});
}

struct wb_source wb_function_of(struct wb_lowering *lowering, uint32_t least, uint32_t most,
                                struct wb_source a, struct wb_source b, struct wb_source c)
{
  return wb_emit_operation(
      lowering, &(struct wb_micro_operation){
                    .kind = WB_MICRO_FUNCTION, .least = least, .most = most, .sources = {a, b, c}});
}

/* ---- results ---- */

static void write(struct wb_lowering *lowering, uint16_t number, struct wb_source source, bool wide)
{
  struct wb_micro_code *code = lowering->code;
  if (code->write_count == WB_MICRO_WRITE_LIMIT || source.kind != WB_SOURCE_RESULT) {
    lowering->failed = true;
    return;
  }
  code->writes[code->write_count++] =
      (struct wb_micro_write){.number = number, .result = (uint8_t)source.number, .wide = wide};
}

/* A result as it stands; anything else is copied. */
static struct wb_source result_of(struct wb_lowering *lowering, enum wb_micro_kind copy,
                                  struct wb_source source)
{
  return source.kind == WB_SOURCE_RESULT && !source.negated && !source.complemented
             ? source
             : wb_emit(lowering, copy, source, wb_none(), wb_none());
}

void wb_set_word_after(struct wb_lowering *lowering, unsigned offset, struct wb_source source)
{
  const struct wb_operand *target = lowering->target;
  if (target != NULL && target->number == WB_NO_REGISTER)
    return;
  if (target == NULL || !is_word_register(target->number + offset))
    lowering->failed = true;
  else
    write(lowering, (uint16_t)(target->number + offset), result_of(lowering, WB_MICRO_COPY, source),
          false);
}

void wb_set_word(struct wb_lowering *lowering, struct wb_source source)
{
  wb_set_word_after(lowering, 0, source);
}

void wb_set_wide(struct wb_lowering *lowering, struct wb_source source)
{
  const struct wb_operand *target = lowering->target;
  if (target != NULL && target->number == WB_NO_REGISTER)
    return;
  if (target == NULL || !is_word_register(target->number) || !is_word_register(target->number + 1U))
    lowering->failed = true;
  else
    write(lowering, target->number, result_of(lowering, WB_MICRO_WIDE_COPY, source), true);
}

bool wb_has_output(const struct wb_lowering *lowering, size_t number)
{
  return number < lowering->output_count && lowering->outputs[number]->number != WB_NO_REGISTER;
}

void wb_set_predicate_register(struct wb_lowering *lowering, uint16_t number,
                               struct wb_source source)
{
  if (source.kind != WB_SOURCE_RESULT || source.negated)
    source = wb_combine(lowering, WB_TABLE_AND, source, wb_number(1), wb_number(0));
  write(lowering, number, source, false);
}

void wb_set_predicate(struct wb_lowering *lowering, size_t number, struct wb_source source)
{
  if (wb_has_output(lowering, number))
    wb_set_predicate_register(lowering, lowering->outputs[number]->number, source);
}

/* ---- instructions ---- */

/* The first Volta. */
#define VOLTA 70

/* What an opcode means, by family; NULL: not known, or no value that an analysis could use. */
struct rule {
  wb_lower_rule *maxwell;
  wb_lower_rule *volta;
};

/* The last column of the table. */
#define LOWER(rule) wb_lower_##rule, wb_lower_##rule
#define LOWER_MAXWELL(rule) wb_lower_##rule, NULL
#define LOWER_VOLTA(rule) NULL, wb_lower_##rule
#define LOWER_EACH(maxwell, volta) wb_lower_##maxwell, wb_lower_##volta
#define NO_LOWERING NULL, NULL

static const struct rule rules[WB_OPCODE_COUNT] = {
    {NO_LOWERING},
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  {lowering},
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

static bool is_predicate(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_PREDICATE && !operand->negated;
}

/* Takes what is written from the operands: predicates, a register, or both. From Volta on up to two
 * predicates may follow the register, where two operands at least are left. */
static void read_targets(struct wb_lowering *lowering, const struct wb_operand *operands,
                         size_t count)
{
  size_t next = 0;
  while (next < count && lowering->output_count < WB_LOWERING_OUTPUTS &&
         is_predicate(&operands[next]))
    lowering->outputs[lowering->output_count++] = &operands[next++];
  if (next < 2 && next < count && operands[next].kind == WB_OPERAND_REGISTER)
    lowering->target = &operands[next++];
  while (lowering->volta && next == lowering->output_count + 1 && next + 1 < count &&
         lowering->output_count < WB_LOWERING_OUTPUTS && is_predicate(&operands[next]) &&
         lowering->target == &operands[0])
    lowering->outputs[lowering->output_count++] = &operands[next++];
  lowering->sources = &operands[next];
  lowering->source_count = count - next;
}

bool wb_lower(const struct wb_function *function, uint32_t index, struct wb_micro_code *code)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_lowering lowering = {
      .instruction = instruction, .volta = function->wide || function->sm >= VOLTA, .code = code};
  wb_lower_rule *rule =
      lowering.volta ? rules[instruction->number].volta : rules[instruction->number].maxwell;
  code->count = 0;
  code->write_count = 0;
  if (rule == NULL)
    return false;
  read_targets(&lowering, &function->operands[instruction->first_operand],
               instruction->operand_count);
  rule(&lowering);
  if (!lowering.failed && lowering.sources_read == (UINT32_C(1) << lowering.source_count) - 1 &&
      lowering.modifiers_read == (UINT32_C(1) << instruction->modifier_count) - 1)
    return true;
  code->count = 0;
  code->write_count = 0;
  return false;
}

/* ---- what is known of results ---- */

bool wb_is_function(const struct wb_micro_code *code, size_t result)
{
  const struct wb_micro_operation *operation = &code->operations[result];
  if (operation->kind == WB_MICRO_COMBINE && operation->sources[0].kind == WB_SOURCE_RESULT)
    operation = &code->operations[operation->sources[0].number];
  if (operation->kind == WB_MICRO_IS_NOT_ZERO && operation->sources[0].kind == WB_SOURCE_RESULT)
    operation = &code->operations[operation->sources[0].number];
  return operation->kind == WB_MICRO_FUNCTION;
}

enum wb_meaning wb_meaning_of(const struct wb_function *function, uint32_t index)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  struct wb_micro_code code;
  if (wb_lower(function, index, &code)) {
    bool told = code.write_count == 0; /* a write is not a function alone */
    for (size_t w = 0; w < code.write_count; w++)
      told |= !wb_is_function(&code, code.writes[w].result);
    return told ? WB_MEANING_KNOWN : WB_MEANING_FUNCTION;
  }
  bool writes = false; /* a register or predicate, convergence barriers apart */
  for (uint32_t w = 0; w < instruction->write_count; w++)
    writes |= function->spans[instruction->first_write + w].first < WB_REGISTER_BARRIER;
  return instruction->unit == WB_UNIT_LOAD_STORE || !writes ? WB_MEANING_NONE_NEEDED
                                                            : WB_MEANING_MISSING;
}
