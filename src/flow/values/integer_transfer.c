#include "flow/values/integer_transfer.h"

#include "flow/values/carry_chain.h"
#include "flow/values/integer_results.h"
#include "flow/values/predicate_transfer.h"
#include "flow/values/volta_results.h"

#include <string.h>

/* Sets all that the instruction of that index writes to top. */
static void forget(const struct wb_function *function, uint32_t index,
                   struct wb_integer_state *state)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, index);
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      const size_t predicate = wb_predicate_index(r);
      if (predicate < WB_TRUTH_COUNT)
        state->predicates[predicate] = (struct wb_implications){0};
      else if (r == WB_REGISTER_CONDITION_CODE)
        state->carry = 0;
      else if (r < WB_VALUE_COUNT) {
        state->registers[r] = wb_integer_unknown(origin);
        wb_pairs_forget(&state->pairs, r, true);
      }
    }
  }
}

/* A lane that does not execute a guarded instruction keeps its old value. */
static void set_register(const struct wb_integer_operation *operation, bool guarded,
                         uint32_t number, const struct wb_integer *value,
                         struct wb_integer_state *state)
{
  if (number < WB_VALUE_COUNT)
    state->registers[number] =
        guarded ? wb_integer_join(&operation->before->registers[number], value) : *value;
}

/* The number of words that a load from constant memory writes; 0 for other instructions. LDC.64 R2,
 * c[0x0][R2+0x140]; LDCU.128 UR4, c[0x0][0x380]. */
static uint32_t loaded_words(const struct wb_integer_operation *operation)
{
  static const struct {
    const char *opcode;
    uint32_t words;
    bool volta;
  } rows[] = {{"LDC.64", 2, false}, {"LDCU.64", 2, true}, {"LDCU.128", 4, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows && operation->count == 2; i++) {
    if (strcmp(operation->opcode, rows[i].opcode) == 0 && (operation->volta || !rows[i].volta))
      return rows[i].words;
  }
  return 0;
}

static void load_words(const struct wb_integer_operation *operation, uint32_t words, bool guarded,
                       struct wb_integer_state *state)
{
  struct wb_operand operand = operation->operands[1];
  for (uint32_t part = 0; part < words; part++) {
    const struct wb_integer value = wb_operand_unsigned_value(operation, &operand);
    set_register(operation, guarded, operation->operands[0].number + part, &value, state);
    operand.number += 4;
  }
}

/* A pair of registers and its words. */
static void set_pair(const struct wb_integer_operation *operation, bool guarded,
                     const struct wb_wide *value, const struct wb_integer *lower,
                     struct wb_integer_state *state)
{
  const uint32_t number = operation->operands[0].number;
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, operation->index);
  struct wb_integer words[2] = {*lower, wb_integer_unknown(origin)};
  if (number >= WB_VALUE_COUNT - 1)
    return;
  const bool words_say_it = wb_wide_words(value, &words[0], &words[1]);
  set_register(operation, guarded, number, &words[0], state);
  set_register(operation, guarded, number + 1, &words[1], state);
  if (!guarded && !words_say_it)
    wb_pairs_set(&state->pairs, (uint16_t)number, (uint16_t)(number + 1), value);
}

/* An instruction whose first operand is a register. */
static void write_register(const struct wb_integer_operation *operation, bool guarded,
                           struct wb_integer_state *state)
{
  struct wb_integer result;
  struct wb_wide wide;
  const uint32_t words = loaded_words(operation);
  if (words > 0)
    load_words(operation, words, guarded, state);
  else if (operation->volta && wb_volta_wide_result(operation, &wide, &result))
    set_pair(operation, guarded, &wide, &result, state);
  else if (wb_integer_result(operation, &result)) {
    set_register(operation, guarded, operation->operands[0].number, &result, state);
    if (!guarded) {
      wb_carry_transfer(operation, state);
      wb_carry_move(operation, state);
      wb_predicate_transfer(operation, &result, state);
    }
  }
}

void wb_integer_transfer(const struct wb_integer_environment *environment, uint32_t index,
                         struct wb_integer_state *state)
{
  const struct wb_instruction *instruction = &environment->function->instructions[index];
  struct wb_integer_operation operation;
  if (instruction->never)
    return;
  if (instruction->unknown || instruction->transfer == WB_TRANSFER_CALL_OUTSIDE) {
    wb_integer_state_top(state);
    return;
  }
  if (instruction->write_count == 0)
    return;
  const struct wb_integer_state before = *state;
  const bool guarded = instruction->guard != WB_NO_REGISTER;
  forget(environment->function, index, state);
  if (!wb_operation_read(environment, index, &before, &operation) || operation.count == 0)
    return;
  const enum wb_operand_kind first = operation.operands[0].kind;
  if (first == WB_OPERAND_PREDICATE && !guarded)
    wb_predicate_transfer(&operation, NULL, state);
  else if (first == WB_OPERAND_REGISTER)
    write_register(&operation, guarded, state);
}
