#include "flow/transfer/integer_transfer.h"

#include "flow/transfer/carry_chain.h"
#include "flow/transfer/integer_results.h"
#include "flow/transfer/predicate_transfer.h"
#include "values/register_writes.h"
#include "flow/transfer/volta_results.h"

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
      if (predicate < WB_TRUTH_COUNT) {
        state->predicates[predicate] = (struct wb_implications){0};
        wb_conditionals_forget_predicate(&state->conditionals, predicate);
      } else if (r == WB_REGISTER_CONDITION_CODE)
        state->carry = 0;
      else if (r < WB_VALUE_COUNT) {
        state->registers[r] = wb_integer_unknown(origin);
        wb_pairs_forget(&state->pairs, r, true);
        wb_conditionals_forget_register(&state->conditionals, r);
      }
    }
  }
}

/* Whether the instruction writes the predicate of that index. */
static bool operation_writes(const struct wb_integer_operation *operation, size_t predicate)
{
  const uint32_t number =
      (uint32_t)(predicate < WB_PREDICATE_COUNT
                     ? WB_REGISTER_PREDICATE + predicate
                     : WB_REGISTER_UNIFORM_PREDICATE + predicate - WB_PREDICATE_COUNT);
  return wb_registers_written(operation->environment->function, operation->index, operation->index,
                              number);
}

/* Whether threads that skip the instruction keep the register's value: not that of a uniform one
 * whose guard other lanes may hold, as of @P0 R2UR. */
static bool is_kept_by_others(const struct wb_integer_operation *operation, uint32_t number)
{
  return operation->guard != WB_TRUTH_COUNT && !operation_writes(operation, operation->guard) &&
         (number < WB_REGISTER_UNIFORM || operation->guard >= WB_PREDICATE_COUNT);
}

/* Threads that skip a guarded instruction keep their old value: the state gets both, and each under
 * its outcome of the guard. Values under other predicates hold the new one too. */
static void set_guarded(const struct wb_integer_operation *operation, uint32_t number,
                        const struct wb_integer *value, struct wb_integer_state *state)
{
  const struct wb_conditionals *before = &operation->before->conditionals;
  const bool kept_by_others = is_kept_by_others(operation, number);
  const struct wb_integer *kept =
      kept_by_others
          ? wb_conditionals_find(before, number, operation->guard, !operation->guard_when)
          : NULL;
  const struct wb_integer old = kept != NULL ? *kept : operation->before->registers[number];
  state->registers[number] = wb_integer_join(&old, value);
  for (size_t i = 0; i < before->count; i++) {
    const struct wb_conditional_value *row = &before->rows[i];
    const struct wb_integer both = wb_integer_join(&row->value, value);
    if (row->number == number && row->predicate != operation->guard &&
        !operation_writes(operation, row->predicate))
      wb_conditionals_set(&state->conditionals, number, row->predicate, row->when, &both);
  }
  if (!kept_by_others)
    return;
  wb_conditionals_set(&state->conditionals, number, operation->guard, operation->guard_when, value);
  wb_conditionals_set(&state->conditionals, number, operation->guard, !operation->guard_when, &old);
}

static void set_register(const struct wb_integer_operation *operation, uint32_t number,
                         const struct wb_integer *value, struct wb_integer_state *state)
{
  if (number >= WB_VALUE_COUNT)
    return;
  if (operation->guarded)
    set_guarded(operation, number, value, state);
  else
    state->registers[number] = *value;
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

static void load_words(const struct wb_integer_operation *operation, uint32_t words,
                       struct wb_integer_state *state)
{
  struct wb_text_operand operand = operation->operands[1];
  for (uint32_t part = 0; part < words; part++) {
    const struct wb_integer value = wb_operand_unsigned_value(operation, &operand);
    set_register(operation, operation->operands[0].number + part, &value, state);
    operand.number += 4;
  }
}

/* A pair of registers and its words. */
static void set_pair(const struct wb_integer_operation *operation, const struct wb_wide *value,
                     const struct wb_integer *lower, struct wb_integer_state *state)
{
  const uint32_t number = operation->operands[0].number;
  const uint32_t origin = WB_ORIGIN(WB_ORIGIN_INSTRUCTION, operation->index);
  struct wb_integer words[2] = {*lower, wb_integer_unknown(origin)};
  if (number >= WB_VALUE_COUNT - 1)
    return;
  const bool words_say_it = wb_wide_words(value, &words[0], &words[1]);
  set_register(operation, number, &words[0], state);
  set_register(operation, number + 1, &words[1], state);
  if (!operation->guarded && !words_say_it)
    wb_pairs_set(&state->pairs, (uint16_t)number, (uint16_t)(number + 1), value);
}

/* An instruction whose first operand is a register. */
static void write_register(const struct wb_integer_operation *operation,
                           struct wb_integer_state *state)
{
  struct wb_integer result;
  struct wb_wide wide;
  const uint32_t words = loaded_words(operation);
  if (words > 0)
    load_words(operation, words, state);
  else if (operation->volta && wb_volta_wide_result(operation, &wide, &result))
    set_pair(operation, &wide, &result, state);
  else if (wb_integer_result(operation, &result)) {
    set_register(operation, operation->operands[0].number, &result, state);
    if (!operation->guarded) {
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
  forget(environment->function, index, state);
  if (!wb_operation_read(environment, index, &before, &operation) || operation.count == 0)
    return;
  const enum wb_text_operand_kind first = operation.operands[0].kind;
  if (first == WB_TEXT_PREDICATE && !operation.guarded)
    wb_predicate_transfer(&operation, NULL, state);
  else if (first == WB_TEXT_REGISTER)
    write_register(&operation, state);
}
