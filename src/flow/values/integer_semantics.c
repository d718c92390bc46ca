#include "flow/values/integer_semantics.h"

#include "flow/values/carry.h"
#include "flow/values/integer_results.h"

#include <string.h>

/* ---- predicates ---- */

static struct wb_implications truth_not(struct wb_implications a)
{
  static const uint8_t negated[] = {WB_TRUTH_UNKNOWN, WB_TRUTH_TRUE, WB_TRUTH_FALSE};
  return (struct wb_implications){a.when_false, a.when_true, negated[a.truth]};
}

static struct wb_implications truth_and(struct wb_comparisons *table, struct wb_implications a,
                                        struct wb_implications b)
{
  if (a.truth != WB_TRUTH_UNKNOWN)
    return a.truth == WB_TRUTH_TRUE ? b : a;
  if (b.truth != WB_TRUTH_UNKNOWN)
    return b.truth == WB_TRUTH_TRUE ? a : b;
  return (struct wb_implications){wb_comparisons_concatenate(table, a.when_true, b.when_true), 0,
                                  WB_TRUTH_UNKNOWN};
}

static struct wb_implications combine(struct wb_comparisons *table, const char *how, size_t length,
                                      struct wb_implications a, struct wb_implications b)
{
  if (length == 3 && memcmp(how, "AND", 3) == 0)
    return truth_and(table, a, b);
  if (length == 2 && memcmp(how, "OR", 2) == 0)
    return truth_not(truth_and(table, truth_not(a), truth_not(b)));
  return (struct wb_implications){0};
}

static struct wb_implications truth_of(const struct wb_reading *reading, size_t number)
{
  const struct wb_operand *operand = &reading->operands[number];
  struct wb_implications truth = {0};
  if (operand->kind != WB_OPERAND_PREDICATE)
    return truth;
  if (operand->number == WB_NO_REGISTER)
    truth.truth = WB_TRUTH_TRUE;
  else
    truth = reading->before->predicates[operand->number - WB_REGISTER_PREDICATE];
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

static uint8_t truth_of_comparison(const struct wb_comparison *row)
{
  const enum wb_relation relation = (enum wb_relation)row->relation;
  if (row->wide)
    return WB_TRUTH_UNKNOWN;
  if (wb_integer_never(&row->left, relation, &row->right, row->as_signed))
    return WB_TRUTH_FALSE;
  return wb_integer_never(&row->left, wb_relation_negated(relation), &row->right, row->as_signed)
             ? WB_TRUTH_TRUE
             : WB_TRUTH_UNKNOWN;
}

/* ISETP.GE.U32.AND P0, PT, R0, R7, PT; with X the upper words of numbers of 64 bits, of which the
 * last sum with carry compared the lower ones. */
static bool compare(const struct wb_reading *reading, uint32_t index,
                    struct wb_implications *result)
{
  struct wb_comparisons *table = reading->machine->comparisons;
  const char *word = reading->opcode + strlen("ISETP");
  size_t length;
  enum wb_relation relation;
  if (reading->count != 5 || !next_word(&word, &length) || !relation_named(word, length, &relation))
    return false;
  word += length;
  struct wb_comparison row = {.left = wb_reading_value(reading, 2),
                              .right = wb_reading_value(reading, 3),
                              .relation = (uint8_t)relation,
                              .as_signed = true,
                              .instruction = index,
                              .visit = reading->machine->visit};
  if (!next_word(&word, &length))
    return false;
  if (length == 3 && memcmp(word, "U32", 3) == 0) {
    row.as_signed = false;
    word += length;
    if (!next_word(&word, &length))
      return false;
  }
  if (length == 1 && *word == 'X') {
    row.wide = true;
    wb_carry_sides(reading, &row.wide_left, &row.wide_right);
    word += length;
    if (!next_word(&word, &length))
      return false;
  }
  if (word[length] != '\0')
    return false;
  struct wb_implications outcome = {.truth = truth_of_comparison(&row)};
  outcome.when_true = wb_comparisons_add(table, &row);
  row.relation = (uint8_t)wb_relation_negated(relation);
  outcome.when_false = wb_comparisons_add(table, &row);
  *result = combine(table, word, length, outcome, truth_of(reading, 4));
  return true;
}

/* PSETP.AND.OR P0, PT, P1, P2, P3: (P1 and P2) or P3. */
static bool combine_predicates(const struct wb_reading *reading, struct wb_implications *result)
{
  struct wb_comparisons *table = reading->machine->comparisons;
  const char *word = reading->opcode + strlen("PSETP");
  size_t length;
  if (reading->count != 5 || !next_word(&word, &length))
    return false;
  const struct wb_implications inner =
      combine(table, word, length, truth_of(reading, 2), truth_of(reading, 3));
  word += length;
  if (!next_word(&word, &length) || word[length] != '\0')
    return false;
  *result = combine(table, word, length, inner, truth_of(reading, 4));
  return true;
}

/* ---- effects ---- */

/* All that the instruction of that index writes can be anything. */
static void forget(const struct wb_function *function, uint32_t index,
                   struct wb_integer_state *state)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, index);
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      if (r < WB_GENERAL_COUNT) {
        state->registers[r] = wb_integer_unknown(origin);
        wb_pairs_forget(&state->pairs, r, true);
        wb_carry_forget(&state->carry, r);
      } else if (r == WB_REGISTER_CONDITION_CODE)
        state->carry.known = false;
      else if (r < WB_REGISTER_CONDITION_CODE)
        state->predicates[r - WB_REGISTER_PREDICATE] = (struct wb_implications){0};
    }
  }
}

/* A lane that does not do a guarded instruction keeps what it had. */
static void set_register(const struct wb_reading *reading, bool guarded, uint32_t number,
                         const struct wb_integer *value, struct wb_integer_state *state)
{
  if (number < WB_GENERAL_COUNT)
    state->registers[number] =
        guarded ? wb_integer_join(&reading->before->registers[number], value) : *value;
}

/* LDC.64 R2, c[0x0][R2+0x140]. */
static void set_pair(const struct wb_reading *reading, bool guarded, struct wb_integer_state *state)
{
  struct wb_operand operand = reading->operands[1];
  for (uint32_t part = 0; part < 2; part++) {
    const struct wb_integer value = wb_reading_plain(reading, &operand);
    set_register(reading, guarded, reading->operands[0].number + part, &value, state);
    operand.number += 4;
  }
}

static void set_predicate(const struct wb_reading *reading, uint32_t index, bool guarded,
                          struct wb_integer_state *state)
{
  const uint32_t number = reading->operands[0].number;
  struct wb_implications truth;
  const bool compares = strncmp(reading->opcode, "ISETP.", strlen("ISETP.")) == 0;
  const bool combines = strncmp(reading->opcode, "PSETP.", strlen("PSETP.")) == 0;
  if (guarded || number == WB_NO_REGISTER || (!compares && !combines) ||
      (compares && !compare(reading, index, &truth)) ||
      (combines && !combine_predicates(reading, &truth)))
    return;
  state->predicates[number - WB_REGISTER_PREDICATE] = truth;
}

void wb_integer_step(const struct wb_integer_machine *machine, uint32_t index,
                     struct wb_integer_state *state)
{
  const struct wb_instruction *instruction = &machine->function->instructions[index];
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    wb_integer_state_anything(state);
    return;
  }
  if (instruction->write_count == 0)
    return;
  const struct wb_integer_state before = *state;
  struct wb_reading reading = {
      .machine = machine, .before = &before, .opcode = instruction->opcode};
  reading.count = wb_operands_read(instruction->operands, reading.operands);
  const bool guarded = instruction->guard != WB_NO_REGISTER;
  forget(machine->function, index, state);
  if (reading.count == 0 || reading.count > WB_OPERAND_LIMIT)
    return;
  struct wb_integer result;
  const enum wb_operand_kind first = reading.operands[0].kind;
  if (first == WB_OPERAND_PREDICATE)
    set_predicate(&reading, index, guarded, state);
  else if (first == WB_OPERAND_REGISTER && strcmp(reading.opcode, "LDC.64") == 0 &&
           reading.count == 2)
    set_pair(&reading, guarded, state);
  else if (first == WB_OPERAND_REGISTER && wb_integer_result(&reading, &result)) {
    set_register(&reading, guarded, reading.operands[0].number, &result, state);
    if (!guarded) {
      wb_carry_step(&reading, state);
      wb_carry_move(&reading, state);
    }
  }
}
