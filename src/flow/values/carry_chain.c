#include "flow/values/carry_chain.h"

#include <string.h>

void wb_carry_forget(struct wb_carry *carry, uint32_t number)
{
  wb_pairs_forget(&carry->pairs, number, false);
  if (carry->target == number)
    carry->target = WB_NO_REGISTER;
}

static bool is_sum(const char *opcode, bool with_carry)
{
  return strcmp(opcode, with_carry ? "IADD.X" : "IADD") == 0 ||
         strcmp(opcode, with_carry ? "IADD32I.X" : "IADD32I") == 0;
}

/* The register of an operand, or WB_NO_REGISTER. */
static uint16_t register_of(const struct wb_operand *operand)
{
  return operand->kind == WB_OPERAND_REGISTER ? (uint16_t)operand->number : WB_NO_REGISTER;
}

/* A word as it stands: not a half, not complemented. */
static bool is_word(const struct wb_operand *operand)
{
  return operand->kind != WB_OPERAND_OTHER && !operand->half && !operand->complemented;
}

/* Remembers the lower words of a sum that sets the carry. */
static void remember_lower_sum(const struct wb_integer_operation *operation,
                               struct wb_integer_state *state)
{
  struct wb_carry *carry = &state->carry;
  const struct wb_operand *operands = operation->operands;
  carry->known = is_word(&operands[1]) && is_word(&operands[2]) &&
                 !(operands[1].negated && operands[2].negated);
  carry->target = register_of(&operands[0]);
  carry->pairs = operation->before->pairs;
  for (size_t i = 0; i < 2; i++) {
    carry->words[i] = wb_operand_unsigned_value(operation, &operands[i + 1]);
    carry->sources[i] = register_of(&operands[i + 1]);
    carry->negated[i] = operands[i + 1].negated;
  }
}

/* The number of the lower word `which` of the carry and the upper word of that operand. */
static struct wb_wide pair_with(const struct wb_integer_operation *operation, size_t which,
                                size_t operand)
{
  const struct wb_carry *carry = &operation->before->carry;
  const uint16_t high = register_of(&operation->operands[operand]);
  const struct wb_integer upper =
      wb_operand_unsigned_value(operation, &operation->operands[operand]);
  const struct wb_pair *pair = carry->sources[which] != WB_NO_REGISTER && high != WB_NO_REGISTER
                                   ? wb_pairs_find(&carry->pairs, carry->sources[which], high)
                                   : NULL;
  return pair != NULL ? pair->value : wb_wide_of_words(&carry->words[which], &upper);
}

/* The sum or difference of two numbers: lower word `which` with operand 1, the other lower word
 * with operand 2. */
static struct wb_wide sum_of(const struct wb_integer_operation *operation, size_t which,
                             bool subtracts)
{
  const struct wb_wide a = pair_with(operation, which, 1);
  const struct wb_wide b = pair_with(operation, 1 - which, 2);
  return subtracts ? wb_wide_subtract(&a, &b) : wb_wide_add(&a, &b);
}

/* The 64-bit sum: all words are added, or one lower and one upper word are subtracted. False where
 * the words do not match. */
static bool find_sum(const struct wb_integer_operation *operation, struct wb_wide *sum)
{
  const struct wb_carry *carry = &operation->before->carry;
  const struct wb_operand *operands = operation->operands;
  const bool below = carry->negated[0] || carry->negated[1];
  if (!carry->known || !is_word(&operands[1]) || !is_word(&operands[2]) ||
      below != (operands[1].negated || operands[2].negated) ||
      (operands[1].negated && operands[2].negated))
    return false;
  if (below && operands[2].negated) {
    *sum = sum_of(operation, carry->negated[1] ? 0 : 1, true);
    return true;
  }
  if (below) {
    const struct wb_wide less = pair_with(operation, carry->negated[0] ? 0 : 1, 1);
    const struct wb_wide from = pair_with(operation, carry->negated[0] ? 1 : 0, 2);
    *sum = wb_wide_subtract(&from, &less);
    return true;
  }
  /* Addition does not tell which upper word belongs to which lower one. */
  *sum = sum_of(operation, 0, false);
  if (wb_wide_is_top(sum))
    *sum = sum_of(operation, 1, false);
  return true;
}

/* Makes a pair of the sum of the upper words and the remembered lower one. */
static void make_pair(const struct wb_integer_operation *operation, struct wb_integer_state *state)
{
  const uint16_t high = register_of(&operation->operands[0]);
  const uint16_t low = state->carry.target;
  struct wb_wide sum;
  struct wb_integer words[2];
  if (high == WB_NO_REGISTER || low == WB_NO_REGISTER || low == high || !find_sum(operation, &sum))
    return;
  wb_pairs_set(&state->pairs, low, high, &sum);
  if (wb_wide_words(&sum, &words[0], &words[1])) {
    wb_integer_meet(&state->registers[low], &words[0]);
    wb_integer_meet(&state->registers[high], &words[1]);
  }
}

void wb_carry_transfer(const struct wb_integer_operation *operation, struct wb_integer_state *state)
{
  if (operation->count != 3)
    return;
  if (is_sum(operation->opcode, true))
    make_pair(operation, state);
  if (!operation->operands[0].carry)
    return;
  state->carry.known = false;
  if (is_sum(operation->opcode, false))
    remember_lower_sum(operation, state);
}

void wb_carry_move(const struct wb_integer_operation *operation, struct wb_integer_state *state)
{
  const struct wb_pairs before = operation->before->pairs;
  const uint16_t to = register_of(&operation->operands[0]);
  const uint16_t from = register_of(&operation->operands[1]);
  if (operation->count != 2 || strcmp(operation->opcode, "MOV") != 0 || to == WB_NO_REGISTER ||
      from == WB_NO_REGISTER || !is_word(&operation->operands[1]) || operation->operands[1].negated)
    return;
  for (size_t i = 0; i < before.count; i++) {
    const struct wb_pair *pair = &before.rows[i];
    if (pair->low == from && pair->high != to)
      wb_pairs_set(&state->pairs, to, pair->high, &pair->value);
    if (pair->high == from && pair->low != to)
      wb_pairs_set(&state->pairs, pair->low, to, &pair->value);
  }
}

void wb_carry_sides(const struct wb_integer_operation *operation, struct wb_wide *left,
                    struct wb_wide *right)
{
  const struct wb_carry *carry = &operation->before->carry;
  const struct wb_operand *operands = operation->operands;
  *left = *right = wb_wide_top();
  if (!carry->known || operands[2].negated || operands[3].negated || !is_word(&operands[2]) ||
      !is_word(&operands[3]))
    return;
  for (size_t i = 0; i < 2; i++) {
    const struct wb_integer *word = &carry->words[i];
    if (carry->negated[i]) {
      *left = pair_with(operation, 1 - i, 2);
      *right = pair_with(operation, i, 3);
      return;
    }
    /* Adding n is subtracting -n, except for 0, which sets no carry. */
    if (!carry->negated[1 - i] && wb_integer_is_exact(word) && word->low != 0) {
      const struct wb_integer upper = wb_operand_unsigned_value(operation, &operands[3]);
      const struct wb_integer lower = wb_integer_exactly(0 - word->low);
      *left = pair_with(operation, 1 - i, 2);
      *right = wb_wide_of_words(&lower, &upper);
      return;
    }
  }
}
