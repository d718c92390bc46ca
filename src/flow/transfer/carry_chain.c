#include "flow/transfer/carry_chain.h"

#include "values/register_writes.h"

#include <string.h>

/* Two words of a sum. The operands are borrowed; NULL: none, the number 0. */
struct addends {
  const struct wb_text_operand *operands[2];
  bool subtracted[2];
};

/* The register of an operand, or WB_NO_REGISTER. */
static uint16_t register_of(const struct wb_text_operand *operand)
{
  return operand != NULL && operand->kind == WB_TEXT_REGISTER ? (uint16_t)operand->number
                                                              : WB_NO_REGISTER;
}

/* A word as it stands: not a half, not complemented. */
static bool is_word(const struct wb_text_operand *operand)
{
  return operand->kind != WB_TEXT_OTHER && operand->kind != WB_TEXT_PREDICATE && !operand->half &&
         !operand->complemented;
}

static struct wb_integer word_of(const struct wb_integer_operation *operation,
                                 const struct wb_text_operand *operand)
{
  return operand != NULL ? wb_operand_unsigned_value(operation, operand) : wb_integer_exactly(0);
}

/* ---- sums ---- */

/* Operands 1 and 2 of Maxwell's additions. A minus complements the operand of an upper sum. */
static bool maxwell_addends(const struct wb_integer_operation *operation, struct addends *addends)
{
  for (size_t i = 0; i < 2; i++) {
    addends->operands[i] = &operation->operands[i + 1];
    addends->subtracted[i] = operation->operands[i + 1].negated;
    if (!is_word(addends->operands[i]))
      return false;
  }
  return true;
}

static bool is_zero(const struct wb_text_operand *operand)
{
  return ((operand->kind == WB_TEXT_REGISTER && operand->number == WB_NO_REGISTER) ||
          (operand->kind == WB_TEXT_NUMBER && operand->number == 0)) &&
         !operand->negated && !operand->complemented;
}

static bool is_one(const struct wb_text_operand *operand)
{
  return operand->kind == WB_TEXT_NUMBER && operand->number == 1;
}

/* Those of Volta that are not 0: of IADD3, or, where it multiplies by 0 or 1, of IMAD. An upper sum
 * subtracts what it complements. */
static bool volta_addends(const struct wb_integer_operation *operation, bool upper,
                          struct addends *addends)
{
  const bool multiplies = strncmp(operation->opcode, "IMAD", strlen("IMAD")) == 0;
  size_t count = 0;
  for (size_t i = 1; i <= 3; i++) {
    const struct wb_text_operand *operand = &operation->operands[i];
    struct wb_text_operand plain = *operand;
    plain.complemented = false;
    if (multiplies && i == 1 && (is_zero(operand) || is_zero(&operation->operands[2])))
      continue;
    if (multiplies && i == 1 && !is_one(&operation->operands[2]))
      return false;
    if ((multiplies && i == 2) || is_zero(operand))
      continue;
    if (count == 2 || !is_word(&plain) || (upper ? operand->negated : operand->complemented))
      return false;
    addends->subtracted[count] = upper ? operand->complemented : operand->negated;
    addends->operands[count++] = operand;
  }
  return true;
}

static bool is_maxwell_sum(const char *opcode, bool with_carry)
{
  return strcmp(opcode, with_carry ? "IADD.X" : "IADD") == 0 ||
         strcmp(opcode, with_carry ? "IADD32I.X" : "IADD32I") == 0;
}

/* Remembers the lower words of a sum that sets a carry: a row, or 0. */
static uint32_t remember(const struct wb_integer_operation *operation,
                         const struct addends *addends)
{
  struct wb_carry carry = {.target = register_of(&operation->operands[0]),
                           .pairs = operation->before->pairs,
                           .instruction = operation->index};
  if (addends->subtracted[0] && addends->subtracted[1])
    return 0;
  for (size_t i = 0; i < 2; i++) {
    carry.words[i] = word_of(operation, addends->operands[i]);
    carry.sources[i] = register_of(addends->operands[i]);
    carry.negated[i] = addends->subtracted[i];
  }
  return wb_carries_add(operation->environment->carries, &carry);
}

static const struct wb_carry *row_of(const struct wb_integer_operation *operation, uint32_t row)
{
  return row != 0 ? &operation->environment->carries->rows[row] : NULL;
}

/* Whether the register is written by an instruction from `first` on, before this one. */
static bool written_since(const struct wb_integer_operation *operation, uint32_t first,
                          uint16_t number)
{
  return operation->index > first && wb_registers_written(operation->environment->function, first,
                                                          operation->index - 1, number);
}

/* The number of the lower word `which` of the carry and an upper word. */
static struct wb_wide pair_with(const struct wb_integer_operation *operation,
                                const struct wb_carry *carry, size_t which,
                                const struct wb_text_operand *operand)
{
  const uint16_t high = register_of(operand);
  const struct wb_integer upper = word_of(operation, operand);
  const struct wb_pair *pair = carry->sources[which] != WB_NO_REGISTER && high != WB_NO_REGISTER
                                   ? wb_pairs_find(&carry->pairs, carry->sources[which], high)
                                   : NULL;
  return pair != NULL && !written_since(operation, carry->instruction, high)
             ? pair->value
             : wb_wide_of_words(&carry->words[which], &upper);
}

/* The sum of two numbers: lower word `which` with the first upper word, the other with the
 * second. */
static struct wb_wide sum_of(const struct wb_integer_operation *operation,
                             const struct wb_carry *carry, size_t which,
                             const struct addends *upper)
{
  const struct wb_wide a = pair_with(operation, carry, which, upper->operands[0]);
  const struct wb_wide b = pair_with(operation, carry, 1 - which, upper->operands[1]);
  return wb_wide_add(&a, &b);
}

/* Subtracting a known lower word other than 0 is adding 2^32 less it, carry and all. False where
 * the word is another. */
static bool add_instead(struct wb_carry *carry)
{
  const size_t which = carry->negated[0] ? 0 : 1;
  const struct wb_integer *word = &carry->words[which];
  if (!wb_integer_is_exact(word) || word->low == 0)
    return false;
  carry->words[which] = wb_integer_exactly(0 - word->low);
  carry->sources[which] = WB_NO_REGISTER;
  carry->negated[which] = false;
  return true;
}

/* The 64-bit sum: all words are added, or one lower and one upper word are subtracted. False where
 * the words do not match. */
static bool find_sum(const struct wb_integer_operation *operation, const struct wb_carry *carry,
                     const struct addends *upper, struct wb_wide *sum)
{
  struct wb_carry added = *carry;
  bool below = carry->negated[0] || carry->negated[1];
  const bool above = upper->subtracted[0] || upper->subtracted[1];
  if (below && !above && add_instead(&added)) {
    carry = &added;
    below = false;
  }
  if (below != above || (upper->subtracted[0] && upper->subtracted[1]))
    return false;
  if (below) {
    const size_t low = carry->negated[0] ? 0 : 1;
    const size_t high = upper->subtracted[0] ? 0 : 1;
    const struct wb_wide less = pair_with(operation, carry, low, upper->operands[high]);
    const struct wb_wide from = pair_with(operation, carry, 1 - low, upper->operands[1 - high]);
    *sum = wb_wide_subtract(&from, &less);
    return true;
  }
  /* Addition does not tell which upper word belongs to which lower one. */
  *sum = sum_of(operation, carry, 0, upper);
  if (wb_wide_is_top(sum))
    *sum = sum_of(operation, carry, 1, upper);
  return true;
}

/* Makes a pair of the sum of the upper words and the remembered lower one. */
static void make_pair(const struct wb_integer_operation *operation, const struct wb_carry *carry,
                      const struct addends *upper, struct wb_integer_state *state)
{
  const uint16_t high = register_of(&operation->operands[0]);
  const uint16_t low = carry->target;
  struct wb_wide sum;
  struct wb_integer words[2];
  if (high >= WB_VALUE_COUNT || low >= WB_VALUE_COUNT || low == high ||
      written_since(operation, carry->instruction + 1, low) ||
      !find_sum(operation, carry, upper, &sum))
    return;
  wb_pairs_set(&state->pairs, low, high, &sum);
  if (wb_wide_words(&sum, &words[0], &words[1])) {
    wb_integer_meet(&state->registers[low], &words[0]);
    wb_integer_meet(&state->registers[high], &words[1]);
  }
}

static void transfer_maxwell(const struct wb_integer_operation *operation,
                             struct wb_integer_state *state)
{
  struct addends addends = {0};
  const struct wb_carry *carry = row_of(operation, operation->before->carry);
  if (operation->count != 3)
    return;
  const bool understood = maxwell_addends(operation, &addends);
  if (is_maxwell_sum(operation->opcode, true) && carry != NULL && understood)
    make_pair(operation, carry, &addends, state);
  if (!operation->operands[0].carry)
    return;
  state->carry =
      is_maxwell_sum(operation->opcode, false) && understood ? remember(operation, &addends) : 0;
}

/* The sum whose carry the operand is; NULL where it is none. */
static const struct wb_carry *carry_in(const struct wb_integer_operation *operation, size_t number)
{
  const struct wb_text_operand *operand = &operation->operands[number];
  const size_t predicate =
      operand->kind == WB_TEXT_PREDICATE ? wb_predicate_index(operand->number) : WB_TRUTH_COUNT;
  return predicate < WB_TRUTH_COUNT && !operand->negated
             ? row_of(operation, operation->before->predicates[predicate].carry)
             : NULL;
}

static bool is_no_carry(const struct wb_text_operand *operand)
{
  return operand->kind == WB_TEXT_PREDICATE && operand->number == WB_NO_REGISTER &&
         operand->negated;
}

/* The truth of the carry of a sum of two words, which is below either of them where it carries; a
 * difference carries where it does not borrow. */
static enum wb_truth carry_truth(const struct wb_integer *sum, const struct wb_integer *from,
                                 const struct wb_integer *less)
{
  const struct wb_integer *a = less != NULL ? from : sum;
  const struct wb_integer *b = less != NULL ? less : from;
  const bool never_below = wb_integer_excludes(a, WB_RELATION_LESS, b, false);
  const bool always_below = wb_integer_excludes(a, WB_RELATION_AT_LEAST, b, false);
  if (!never_below && !always_below)
    return WB_TRUTH_UNKNOWN;
  return (less != NULL) == never_below ? WB_TRUTH_TRUE : WB_TRUTH_FALSE;
}

static enum wb_truth truth_of_sum(const struct wb_integer_operation *operation,
                                  const struct addends *addends,
                                  const struct wb_integer_state *state)
{
  const uint32_t target = operation->operands[0].number;
  const struct wb_integer words[2] = {word_of(operation, addends->operands[0]),
                                      word_of(operation, addends->operands[1])};
  if (addends->subtracted[0] && addends->subtracted[1])
    return WB_TRUTH_UNKNOWN;
  if (addends->subtracted[0] || addends->subtracted[1])
    return carry_truth(NULL, &words[addends->subtracted[0]], &words[addends->subtracted[1]]);
  return target < WB_VALUE_COUNT ? carry_truth(&state->registers[target], &words[0], NULL)
                                 : WB_TRUTH_UNKNOWN;
}

/* LEA R0, P0, a, b, n; LEA.HI R0, P0, a, b, c, n: the carry of a sum with b. */
static void set_scaled_carry(const struct wb_integer_operation *operation, size_t predicate,
                             struct wb_integer_state *state)
{
  const uint32_t target = operation->operands[0].number;
  const struct wb_text_operand *operand = &operation->operands[2];
  const struct wb_integer added = word_of(operation, operand);
  if (target < WB_VALUE_COUNT && is_word(operand) && !operand->negated)
    state->predicates[predicate].truth =
        (uint8_t)carry_truth(&state->registers[target], &added, NULL);
}

static void transfer_volta(const struct wb_integer_operation *operation,
                           struct wb_integer_state *state)
{
  struct addends addends = {0};
  const bool sums = strcmp(operation->opcode, "IADD3.X") == 0 && operation->count == 6 &&
                    is_no_carry(&operation->operands[5]);
  const bool multiplies = strcmp(operation->opcode, "IMAD.X") == 0 && operation->count == 5;
  if (sums || multiplies) {
    const struct wb_carry *carry = carry_in(operation, 4);
    if (carry != NULL && volta_addends(operation, true, &addends))
      make_pair(operation, carry, &addends, state);
    return;
  }
  if (operation->output_count == 0 ||
      (operation->output_count == 2 && operation->outputs[1].number != WB_NO_REGISTER))
    return;
  const size_t predicate = wb_predicate_index(operation->outputs[0].number);
  if (predicate == WB_TRUTH_COUNT)
    return;
  if ((strcmp(operation->opcode, "LEA") == 0 && operation->count == 4) ||
      (strcmp(operation->opcode, "LEA.HI") == 0 && operation->count == 5)) {
    set_scaled_carry(operation, predicate, state);
    return;
  }
  if (strcmp(operation->opcode, "IADD3") != 0 || operation->count != 4 ||
      !volta_addends(operation, false, &addends))
    return;
  state->predicates[predicate].carry = remember(operation, &addends);
  state->predicates[predicate].truth = (uint8_t)truth_of_sum(operation, &addends, state);
}

void wb_carry_transfer(const struct wb_integer_operation *operation, struct wb_integer_state *state)
{
  if (operation->volta)
    transfer_volta(operation, state);
  else
    transfer_maxwell(operation, state);
}

/* ---- moves ---- */

/* The operand that the instruction copies to its first one; NULL where it does something else. */
static const struct wb_text_operand *copied(const struct wb_integer_operation *operation)
{
  const struct wb_text_operand *operands = operation->operands;
  if (operation->count == 2 && strcmp(operation->opcode, "MOV") == 0)
    return &operands[1];
  if (operation->volta && operation->count == 4 && is_zero(&operands[1]) && is_zero(&operands[2]) &&
      (strcmp(operation->opcode, "IMAD.MOV.U32") == 0 ||
       strcmp(operation->opcode, "IMAD.MOV") == 0 || strcmp(operation->opcode, "IMAD.U32") == 0))
    return &operands[3];
  return NULL;
}

void wb_carry_move(const struct wb_integer_operation *operation, struct wb_integer_state *state)
{
  const struct wb_text_operand *operand = copied(operation);
  const uint16_t to = register_of(&operation->operands[0]);
  const uint16_t from = register_of(operand);
  if (operand == NULL || to >= WB_VALUE_COUNT || from == WB_NO_REGISTER || !is_word(operand) ||
      operand->negated)
    return;
  const struct wb_pairs before = operation->before->pairs;
  for (size_t i = 0; i < before.count; i++) {
    const struct wb_pair *pair = &before.rows[i];
    if (pair->low == from && pair->high != to)
      wb_pairs_set(&state->pairs, to, pair->high, &pair->value);
    if (pair->high == from && pair->low != to)
      wb_pairs_set(&state->pairs, pair->low, to, &pair->value);
  }
}

/* ---- comparisons ---- */

void wb_carry_sides(const struct wb_integer_operation *operation, struct wb_wide *left,
                    struct wb_wide *right)
{
  const struct wb_carry *carry = row_of(operation, operation->before->carry);
  const struct wb_text_operand *operands = operation->operands;
  *left = *right = wb_wide_top();
  if (carry == NULL || operands[2].negated || operands[3].negated || !is_word(&operands[2]) ||
      !is_word(&operands[3]))
    return;
  for (size_t i = 0; i < 2; i++) {
    const struct wb_integer *word = &carry->words[i];
    if (carry->negated[i]) {
      *left = pair_with(operation, carry, 1 - i, &operands[2]);
      *right = pair_with(operation, carry, i, &operands[3]);
      return;
    }
    /* Adding n is subtracting -n, except for 0, which sets no carry. */
    if (!carry->negated[1 - i] && wb_integer_is_exact(word) && word->low != 0) {
      const struct wb_integer upper = wb_operand_unsigned_value(operation, &operands[3]);
      const struct wb_integer lower = wb_integer_exactly(0 - word->low);
      *left = pair_with(operation, carry, 1 - i, &operands[2]);
      *right = wb_wide_of_words(&lower, &upper);
      return;
    }
  }
}
