#include "flow/values/integer_transfer.h"

#include "flow/values/carry_chain.h"
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

static struct wb_implications truth_of(const struct wb_integer_operation *operation, size_t number)
{
  const struct wb_operand *operand = &operation->operands[number];
  struct wb_implications truth = {0};
  if (operand->kind != WB_OPERAND_PREDICATE)
    return truth;
  if (operand->number == WB_NO_REGISTER)
    truth.truth = WB_TRUTH_TRUE;
  else
    truth = operation->before->predicates[operand->number - WB_REGISTER_PREDICATE];
  return operand->negated ? truth_not(truth) : truth;
}

/* The next word of an opcode, after its dot. False at the end. */
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
  if (wb_integer_excludes(&row->left, relation, &row->right, row->as_signed))
    return WB_TRUTH_FALSE;
  return wb_integer_excludes(&row->left, wb_relation_negated(relation), &row->right, row->as_signed)
             ? WB_TRUTH_TRUE
             : WB_TRUTH_UNKNOWN;
}

/* ISETP.GE.U32.AND P0, PT, R0, R7, PT. With X it compares the upper words of 64-bit numbers; the
 * last sum that set the carry has compared the lower ones. */
static bool compare(const struct wb_integer_operation *operation, uint32_t index,
                    struct wb_implications *result)
{
  struct wb_comparisons *table = operation->environment->comparisons;
  const char *word = operation->opcode + strlen("ISETP");
  size_t length;
  enum wb_relation relation;
  if (operation->count != 5 || !next_word(&word, &length) ||
      !relation_named(word, length, &relation))
    return false;
  word += length;
  struct wb_comparison row = {.left = wb_operand_value(operation, 2),
                              .right = wb_operand_value(operation, 3),
                              .relation = (uint8_t)relation,
                              .as_signed = true,
                              .instruction = index,
                              .visit = operation->environment->visit};
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
    wb_carry_sides(operation, &row.wide_left, &row.wide_right);
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
  *result = combine(table, word, length, outcome, truth_of(operation, 4));
  return true;
}

/* PSETP.AND.OR P0, PT, P1, P2, P3: (P1 and P2) or P3. */
static bool combine_predicates(const struct wb_integer_operation *operation,
                               struct wb_implications *result)
{
  struct wb_comparisons *table = operation->environment->comparisons;
  const char *word = operation->opcode + strlen("PSETP");
  size_t length;
  if (operation->count != 5 || !next_word(&word, &length))
    return false;
  const struct wb_implications inner =
      combine(table, word, length, truth_of(operation, 2), truth_of(operation, 3));
  word += length;
  if (!next_word(&word, &length) || word[length] != '\0')
    return false;
  *result = combine(table, word, length, inner, truth_of(operation, 4));
  return true;
}

/* ---- effects ---- */

/* Sets all that the instruction of that index writes to top. */
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

/* A lane that does not execute a guarded instruction keeps its old value. */
static void set_register(const struct wb_integer_operation *operation, bool guarded,
                         uint32_t number, const struct wb_integer *value,
                         struct wb_integer_state *state)
{
  if (number < WB_GENERAL_COUNT)
    state->registers[number] =
        guarded ? wb_integer_join(&operation->before->registers[number], value) : *value;
}

/* LDC.64 R2, c[0x0][R2+0x140]. */
static void set_pair(const struct wb_integer_operation *operation, bool guarded,
                     struct wb_integer_state *state)
{
  struct wb_operand operand = operation->operands[1];
  for (uint32_t part = 0; part < 2; part++) {
    const struct wb_integer value = wb_operand_unsigned_value(operation, &operand);
    set_register(operation, guarded, operation->operands[0].number + part, &value, state);
    operand.number += 4;
  }
}

static void set_predicate(const struct wb_integer_operation *operation, uint32_t index,
                          bool guarded, struct wb_integer_state *state)
{
  const uint32_t number = operation->operands[0].number;
  struct wb_implications truth;
  const bool compares = strncmp(operation->opcode, "ISETP.", strlen("ISETP.")) == 0;
  const bool combines = strncmp(operation->opcode, "PSETP.", strlen("PSETP.")) == 0;
  if (guarded || number == WB_NO_REGISTER || (!compares && !combines) ||
      (compares && !compare(operation, index, &truth)) ||
      (combines && !combine_predicates(operation, &truth)))
    return;
  state->predicates[number - WB_REGISTER_PREDICATE] = truth;
}

void wb_integer_transfer(const struct wb_integer_environment *environment, uint32_t index,
                         struct wb_integer_state *state)
{
  const struct wb_instruction *instruction = &environment->function->instructions[index];
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    wb_integer_state_top(state);
    return;
  }
  if (instruction->write_count == 0)
    return;
  const struct wb_integer_state before = *state;
  struct wb_integer_operation operation = {
      .environment = environment, .before = &before, .opcode = instruction->opcode};
  operation.count = wb_operands_read(instruction->operands, operation.operands);
  const bool guarded = instruction->guard != WB_NO_REGISTER;
  forget(environment->function, index, state);
  if (operation.count == 0 || operation.count > WB_OPERAND_LIMIT)
    return;
  struct wb_integer result;
  const enum wb_operand_kind first = operation.operands[0].kind;
  if (first == WB_OPERAND_PREDICATE)
    set_predicate(&operation, index, guarded, state);
  else if (first == WB_OPERAND_REGISTER && strcmp(operation.opcode, "LDC.64") == 0 &&
           operation.count == 2)
    set_pair(&operation, guarded, state);
  else if (first == WB_OPERAND_REGISTER && wb_integer_result(&operation, &result)) {
    set_register(&operation, guarded, operation.operands[0].number, &result, state);
    if (!guarded) {
      wb_carry_transfer(&operation, state);
      wb_carry_move(&operation, state);
    }
  }
}
