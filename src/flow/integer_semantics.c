#include "flow/integer_semantics.h"

#include "flow/launch_values.h"
#include "flow/operand_text.h"

#include <string.h>

/* One instruction: what it reads stands in *before, which does not change. */
struct reading {
  const struct wb_integer_machine *machine;
  const struct wb_integer_state *before;
  const char *opcode;
  struct wb_operand operands[WB_OPERAND_LIMIT];
  size_t count;
};

/* ---- operands ---- */

static struct wb_integer constant_at(const struct reading *reading,
                                     const struct wb_operand *operand)
{
  uint32_t offset = operand->number;
  if (operand->index != WB_NO_REGISTER) {
    const struct wb_integer *index = &reading->before->registers[operand->index];
    if (!wb_integer_is_exact(index))
      return wb_integer_anything();
    offset += index->low;
  }
  return wb_launch_constant(reading->machine->launch, reading->machine->function->sm,
                            operand->bank, offset);
}

/* The whole register or number, without signs and halves. */
static struct wb_integer plain_value(const struct reading *reading,
                                     const struct wb_operand *operand)
{
  switch (operand->kind) {
  case WB_OPERAND_REGISTER:
    return operand->number == WB_NO_REGISTER ? wb_integer_exactly(0)
                                             : reading->before->registers[operand->number];
  case WB_OPERAND_NUMBER:
    return wb_integer_exactly(operand->number);
  case WB_OPERAND_CONSTANT:
    return constant_at(reading, operand);
  default:
    return wb_integer_anything();
  }
}

static struct wb_integer value_of(const struct reading *reading, size_t number)
{
  const struct wb_operand *operand = &reading->operands[number];
  const struct wb_integer value = plain_value(reading, operand);
  const struct wb_integer zero = wb_integer_exactly(operand->complemented ? UINT32_MAX : 0);
  if (operand->half)
    return wb_integer_anything();
  return operand->negated || operand->complemented ? wb_integer_subtract(&zero, &value) : value;
}

static bool number_of(const struct reading *reading, size_t number, uint32_t *value)
{
  *value = reading->operands[number].number;
  return reading->operands[number].kind == WB_OPERAND_NUMBER;
}

/* ---- arithmetic: the result of an instruction with its operands in place ---- */

static struct wb_integer move(const struct reading *reading)
{
  return value_of(reading, 1);
}

static struct wb_integer add(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  return wb_integer_add(&a, &b);
}

static struct wb_integer add_three(const struct reading *reading)
{
  const struct wb_integer a = add(reading);
  const struct wb_integer b = value_of(reading, 3);
  return wb_integer_add(&a, &b);
}

static struct wb_integer scaled_add(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  uint32_t count;
  if (!number_of(reading, 3, &count) || count > 31)
    return wb_integer_anything();
  const struct wb_integer scaled = wb_integer_shift_left(&a, count);
  return wb_integer_add(&scaled, &b);
}

/* The low 32 bits, which do not depend on signs: of numbers that are known, or by a power of
 * two. */
static struct wb_integer multiply(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  unsigned count = 0;
  if (!wb_integer_is_exact(&b) || b.low == 0)
    return wb_integer_anything();
  if (wb_integer_is_exact(&a))
    return wb_integer_exactly(a.low * b.low);
  while ((b.low >> count & 1U) == 0)
    count++;
  return b.low >> count == 1 ? wb_integer_shift_left(&a, count) : wb_integer_anything();
}

static struct wb_integer shift_left(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer count = value_of(reading, 2);
  if (!wb_integer_is_exact(&count) || count.low > 31)
    return wb_integer_anything();
  return wb_integer_shift_left(&a, count.low);
}

static struct wb_integer shift_right(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer count = value_of(reading, 2);
  if (!wb_integer_is_exact(&count) || count.low > 31)
    return wb_integer_anything();
  return wb_integer_shift_right(&a, count.low, strstr(reading->opcode, ".U32") == NULL);
}

static struct wb_integer bits_and(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  return wb_integer_and(&a, &b);
}

/* OR and XOR, of numbers that are known. */
static struct wb_integer bits_or(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  if (!wb_integer_is_exact(&a) || !wb_integer_is_exact(&b))
    return wb_integer_anything();
  return wb_integer_exactly(strstr(reading->opcode, "XOR") != NULL ? a.low ^ b.low
                                                                   : a.low | b.low);
}

static struct wb_integer second(const struct reading *reading)
{
  return value_of(reading, 2);
}

/* A field of `length` bits from bit `position` on. */
static struct wb_integer extract(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  uint32_t field;
  if (!number_of(reading, 2, &field) || field > 0xffff)
    return wb_integer_anything();
  const unsigned position = field & 0xff;
  const unsigned length = field >> 8;
  if (position > 31 || length == 0)
    return wb_integer_anything();
  const struct wb_integer shifted = wb_integer_shift_right(&a, position, false);
  if (position + length >= 32)
    return shifted;
  const struct wb_integer mask = wb_integer_exactly((UINT32_C(1) << length) - 1);
  return wb_integer_and(&shifted, &mask);
}

/* The least where the predicate is true, else the greatest. */
static struct wb_integer minimum_or_maximum(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  const bool as_signed = strstr(reading->opcode, ".U32") == NULL;
  const struct wb_operand *which = &reading->operands[3];
  const struct wb_integer least = wb_integer_minimum(&a, &b, as_signed);
  const struct wb_integer greatest = wb_integer_maximum(&a, &b, as_signed);
  if (which->kind != WB_OPERAND_PREDICATE)
    return wb_integer_anything();
  if (which->number != WB_NO_REGISTER)
    return wb_integer_join(&least, &greatest);
  return which->negated ? greatest : least;
}

static struct wb_integer choose(const struct reading *reading)
{
  const struct wb_integer a = value_of(reading, 1);
  const struct wb_integer b = value_of(reading, 2);
  return wb_integer_join(&a, &b);
}

static struct wb_integer special(const struct reading *reading)
{
  const struct wb_operand *name = &reading->operands[1];
  return wb_launch_special(reading->machine->launch, name->text, name->length);
}

/* A product of two 16-bit halves and a sum of 32 bits, with the modifiers by which compilers
 * make products of 32 bits: PSL shifts the product to the left by 16; CBCC adds the low half of
 * the second factor's register, shifted likewise, CHI and CLO take a half of the addend; MRG
 * puts that low half above the low half of the result. */
static struct wb_integer multiply_add(const struct reading *reading)
{
  const char *words = reading->opcode;
  struct wb_integer factors[2];
  for (size_t i = 0; i < 2; i++) {
    const struct wb_operand *operand = &reading->operands[i + 1];
    const struct wb_integer whole = plain_value(reading, operand);
    if (operand->negated || operand->complemented)
      return wb_integer_anything();
    factors[i] = wb_integer_half(&whole, operand->upper);
  }
  const struct wb_integer second_factor = plain_value(reading, &reading->operands[2]);
  const struct wb_integer low_half = wb_integer_half(&second_factor, false);
  const struct wb_integer moved = wb_integer_shift_left(&low_half, 16);
  struct wb_integer sum = wb_integer_multiply(&factors[0], &factors[1]);
  struct wb_integer addend = value_of(reading, 3);
  if (strstr(words, ".PSL") != NULL)
    sum = wb_integer_shift_left(&sum, 16);
  if (strstr(words, ".CBCC") != NULL)
    addend = wb_integer_add(&addend, &moved);
  if (strstr(words, ".CHI") != NULL || strstr(words, ".CLO") != NULL)
    addend = wb_integer_half(&addend, strstr(words, ".CHI") != NULL);
  sum = wb_integer_add(&sum, &addend);
  if (strstr(words, ".MRG") == NULL)
    return sum;
  sum = wb_integer_half(&sum, false);
  return wb_integer_add(&sum, &moved);
}

/* Exact names: of an opcode with any other modifier nothing is known. */
static const struct row {
  const char *opcode;
  size_t operands;
  struct wb_integer (*result)(const struct reading *reading);
} rows[] = {
    {"BFE.U32", 3, extract},
    {"I2I.S32.S32", 2, move},
    {"I2I.U32.U32", 2, move},
    {"IADD", 3, add},
    {"IADD3", 4, add_three},
    {"IADD32I", 3, add},
    {"IMNMX", 4, minimum_or_maximum},
    {"IMNMX.U32", 4, minimum_or_maximum},
    {"IMUL", 3, multiply},
    {"IMUL.U32.U32", 3, multiply},
    {"IMUL32I", 3, multiply},
    {"IMUL32I.U32.U32", 3, multiply},
    {"ISCADD", 4, scaled_add},
    {"ISCADD32I", 4, scaled_add},
    {"LDC", 2, move},
    {"LOP.AND", 3, bits_and},
    {"LOP.OR", 3, bits_or},
    {"LOP.PASS_B", 3, second},
    {"LOP.XOR", 3, bits_or},
    {"LOP32I.AND", 3, bits_and},
    {"LOP32I.OR", 3, bits_or},
    {"LOP32I.XOR", 3, bits_or},
    {"MOV", 2, move},
    {"MOV32I", 2, move},
    {"S2R", 2, special},
    {"SEL", 4, choose},
    {"SHL", 3, shift_left},
    {"SHL.W", 3, shift_left},
    {"SHR", 3, shift_right},
    {"SHR.U32", 3, shift_right},
    {"SHR.U32.W", 3, shift_right},
    {"SHR.W", 3, shift_right},
    {"XMAD", 4, multiply_add},
    {"XMAD.CBCC", 4, multiply_add},
    {"XMAD.CHI", 4, multiply_add},
    {"XMAD.CLO", 4, multiply_add},
    {"XMAD.MRG", 4, multiply_add},
    {"XMAD.PSL", 4, multiply_add},
    {"XMAD.PSL.CBCC", 4, multiply_add},
    {"XMAD.PSL.CHI", 4, multiply_add},
    {"XMAD.PSL.CLO", 4, multiply_add},
};

/* ---- predicates ---- */

/* known: 1 or 0 where the predicate is a constant, else -1. */
struct truth {
  struct wb_implications implies;
  int known;
};

static struct truth truth_not(struct truth a)
{
  return (struct truth){{a.implies.when_false, a.implies.when_true},
                        a.known < 0 ? -1 : 1 - a.known};
}

static struct truth truth_and(struct wb_comparisons *table, struct truth a, struct truth b)
{
  if (a.known >= 0)
    return a.known == 1 ? b : a;
  if (b.known >= 0)
    return b.known == 1 ? a : b;
  return (struct truth){
      {wb_comparisons_concatenate(table, a.implies.when_true, b.implies.when_true), 0}, -1};
}

static struct truth combine(struct wb_comparisons *table, const char *how, size_t length,
                            struct truth a, struct truth b)
{
  if (length == 3 && memcmp(how, "AND", 3) == 0)
    return truth_and(table, a, b);
  if (length == 2 && memcmp(how, "OR", 2) == 0)
    return truth_not(truth_and(table, truth_not(a), truth_not(b)));
  return (struct truth){{0, 0}, -1};
}

static struct truth truth_of(const struct reading *reading, size_t number)
{
  const struct wb_operand *operand = &reading->operands[number];
  struct truth truth = {{0, 0}, -1};
  if (operand->kind != WB_OPERAND_PREDICATE)
    return truth;
  if (operand->number == WB_NO_REGISTER)
    truth.known = 1;
  else
    truth.implies = reading->before->predicates[operand->number - WB_REGISTER_PREDICATE];
  return operand->negated ? truth_not(truth) : truth;
}

/* The next word of an opcode, behind its dot; false at the end. */
static bool next_word(const char **at, size_t *length)
{
  if (**at != '.')
    return false;
  ++*at;
  *length = strcspn(*at, ".");
  return true;
}

static bool relation_named(const char *word, size_t length, enum wb_relation *relation)
{
  static const char names[] = "LTEQLEGTNEGE"; /* in the order of enum wb_relation */
  for (size_t i = 0; length == 2 && i + 2 < sizeof names; i += 2) {
    if (memcmp(names + i, word, 2) == 0) {
      *relation = (enum wb_relation)(i / 2);
      return true;
    }
  }
  return false;
}

/* ISETP.GE.U32.AND P0, PT, R0, R7, PT. */
static bool compare(const struct reading *reading, uint32_t index, struct truth *result)
{
  struct wb_comparisons *table = reading->machine->comparisons;
  const char *word = reading->opcode + strlen("ISETP");
  size_t length;
  enum wb_relation relation;
  if (reading->count != 5 || !next_word(&word, &length) ||
      !relation_named(word, length, &relation))
    return false;
  word += length;
  struct wb_comparison row = {.left = value_of(reading, 2),
                              .right = value_of(reading, 3),
                              .relation = (uint8_t)relation,
                              .as_signed = true,
                              .instruction = index};
  if (!next_word(&word, &length))
    return false;
  if (length == 3 && memcmp(word, "U32", 3) == 0) {
    row.as_signed = false;
    word += length;
    if (!next_word(&word, &length))
      return false;
  }
  if (word[length] != '\0')
    return false;
  struct truth outcome = {.known = -1};
  outcome.implies.when_true = wb_comparisons_add(table, &row);
  row.relation = (uint8_t)wb_relation_negated(relation);
  outcome.implies.when_false = wb_comparisons_add(table, &row);
  *result = combine(table, word, length, outcome, truth_of(reading, 4));
  return true;
}

/* PSETP.AND.OR P0, PT, P1, P2, P3: (P1 and P2) or P3. */
static bool combine_predicates(const struct reading *reading, struct truth *result)
{
  struct wb_comparisons *table = reading->machine->comparisons;
  const char *word = reading->opcode + strlen("PSETP");
  size_t length;
  if (reading->count != 5 || !next_word(&word, &length))
    return false;
  const struct truth inner =
      combine(table, word, length, truth_of(reading, 2), truth_of(reading, 3));
  word += length;
  if (!next_word(&word, &length) || word[length] != '\0')
    return false;
  *result = combine(table, word, length, inner, truth_of(reading, 4));
  return true;
}

/* ---- effects ---- */

static void forget(const struct wb_machine_function *function,
                   const struct wb_machine_instruction *instruction,
                   struct wb_integer_state *state)
{
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      if (r < WB_GENERAL_COUNT)
        state->registers[r] = wb_integer_anything();
      else if (r < WB_REGISTER_CONDITION_CODE)
        state->predicates[r - WB_REGISTER_PREDICATE] = (struct wb_implications){0, 0};
    }
  }
}

/* A lane that does not do a guarded instruction keeps what it had. */
static void set_register(const struct reading *reading, bool guarded, uint32_t number,
                         const struct wb_integer *value, struct wb_integer_state *state)
{
  if (number < WB_GENERAL_COUNT)
    state->registers[number] =
        guarded ? wb_integer_join(&reading->before->registers[number], value) : *value;
}

static void set_result(const struct reading *reading, bool guarded,
                       struct wb_integer_state *state)
{
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (strcmp(rows[i].opcode, reading->opcode) != 0 || rows[i].operands != reading->count)
      continue;
    const struct wb_integer value = rows[i].result(reading);
    set_register(reading, guarded, reading->operands[0].number, &value, state);
  }
}

/* LDC.64 R2, c[0x0][R2+0x140]. */
static void set_pair(const struct reading *reading, bool guarded, struct wb_integer_state *state)
{
  struct wb_operand operand = reading->operands[1];
  for (uint32_t part = 0; part < 2; part++) {
    const struct wb_integer value = plain_value(reading, &operand);
    set_register(reading, guarded, reading->operands[0].number + part, &value, state);
    operand.number += 4;
  }
}

static void set_predicate(const struct reading *reading, uint32_t index, bool guarded,
                          struct wb_integer_state *state)
{
  const uint32_t number = reading->operands[0].number;
  struct truth truth;
  const bool compares = strncmp(reading->opcode, "ISETP.", strlen("ISETP.")) == 0;
  const bool combines = strncmp(reading->opcode, "PSETP.", strlen("PSETP.")) == 0;
  if (guarded || number == WB_NO_REGISTER || (!compares && !combines) ||
      (compares && !compare(reading, index, &truth)) ||
      (combines && !combine_predicates(reading, &truth)))
    return;
  state->predicates[number - WB_REGISTER_PREDICATE] = truth.implies;
}

void wb_integer_step(const struct wb_integer_machine *machine, uint32_t index,
                     struct wb_integer_state *state)
{
  const struct wb_machine_instruction *instruction = &machine->function->instructions[index];
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    wb_integer_state_anything(state);
    return;
  }
  if (instruction->write_count == 0)
    return;
  const struct wb_integer_state before = *state;
  struct reading reading = {
      .machine = machine, .before = &before, .opcode = instruction->opcode};
  reading.count = wb_operands_read(instruction->operands, reading.operands);
  const bool guarded = instruction->guard != WB_NO_REGISTER;
  forget(machine->function, instruction, state);
  if (reading.count == 0 || reading.count > WB_OPERAND_LIMIT)
    return;
  const enum wb_operand_kind first = reading.operands[0].kind;
  if (first == WB_OPERAND_PREDICATE)
    set_predicate(&reading, index, guarded, state);
  else if (first == WB_OPERAND_REGISTER && strcmp(reading.opcode, "LDC.64") == 0 &&
           reading.count == 2)
    set_pair(&reading, guarded, state);
  else if (first == WB_OPERAND_REGISTER)
    set_result(&reading, guarded, state);
}
