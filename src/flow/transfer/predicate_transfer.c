#include "flow/transfer/predicate_transfer.h"

#include "flow/transfer/carry_chain.h"
#include "values/register_writes.h"
#include "values/lookup_table.h"

#include <string.h>

static struct wb_implications truth_not(struct wb_implications a)
{
  static const uint8_t negated[] = {WB_TRUTH_UNKNOWN, WB_TRUTH_TRUE, WB_TRUTH_FALSE};
  return (struct wb_implications){
      .when_true = a.when_false, .when_false = a.when_true, .truth = negated[a.truth]};
}

static struct wb_implications truth_and(struct wb_comparisons *table, struct wb_implications a,
                                        struct wb_implications b)
{
  if (b.truth != WB_TRUTH_UNKNOWN)
    return b.truth == WB_TRUTH_TRUE ? a : b;
  if (a.truth != WB_TRUTH_UNKNOWN)
    return a.truth == WB_TRUTH_TRUE ? b : a;
  return (struct wb_implications){.when_true =
                                      wb_comparisons_concatenate(table, a.when_true, b.when_true)};
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
  const struct wb_text_operand *operand = &operation->operands[number];
  struct wb_implications truth = {0};
  if (operand->kind != WB_TEXT_PREDICATE)
    return truth;
  if (operand->number == WB_NO_REGISTER)
    truth.truth = WB_TRUTH_TRUE;
  else if (wb_predicate_index(operand->number) < WB_TRUTH_COUNT)
    truth = operation->before->predicates[wb_predicate_index(operand->number)];
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

/* ---- comparisons ---- */

/* What the modifiers of ISETP say. */
struct comparison_kind {
  enum wb_relation relation;
  bool as_signed;
  bool wide;       /* S64, U64: of pairs of registers */
  bool by_carry;   /* X: upper words; the last sum that set the carry compared the lower ones */
  bool by_lower;   /* EX: upper words; predicate operand 5 has compared the lower ones */
  const char *how; /* AND, OR, XOR: put together with predicate operand 4 */
  size_t how_length;
};

static bool is_word(const char *word, size_t length, const char *name)
{
  return strlen(name) == length && memcmp(word, name, length) == 0;
}

/* ISETP.GE.U32.AND, ISETP.LT.X.AND, ISETP.LT.AND.EX, ISETP.NE.S64.AND. */
static bool read_kind(const char *opcode, struct comparison_kind *kind)
{
  const char *word = opcode + strlen("ISETP");
  size_t length;
  *kind = (struct comparison_kind){.as_signed = true};
  if (!next_word(&word, &length) || !relation_named(word, length, &kind->relation))
    return false;
  for (word += length; next_word(&word, &length); word += length) {
    if (is_word(word, length, "U32") || is_word(word, length, "U64"))
      kind->as_signed = false;
    else if (is_word(word, length, "X"))
      kind->by_carry = true;
    else if (is_word(word, length, "EX"))
      kind->by_lower = true;
    else if (!is_word(word, length, "S64") && kind->how == NULL) {
      kind->how = word;
      kind->how_length = length;
    } else if (!is_word(word, length, "S64"))
      return false;
    kind->wide |= is_word(word, length, "U64") || is_word(word, length, "S64");
  }
  return kind->how != NULL && *word == '\0' && kind->wide + kind->by_carry + kind->by_lower <= 1;
}

/* Both outcomes of a comparison. */
static struct wb_implications outcome_of(struct wb_comparisons *table, struct wb_comparison *row)
{
  struct wb_implications outcome = {.truth = truth_of_comparison(row)};
  outcome.when_true = wb_comparisons_add(table, row);
  row->relation = (uint8_t)wb_relation_negated((enum wb_relation)row->relation);
  outcome.when_false = wb_comparisons_add(table, row);
  return outcome;
}

/* A comparison of lower words. */
struct lower_words {
  const struct wb_comparison *row; /* NULL: none */
  bool mirrored;                   /* its right side belongs to the left one of the upper words */
};

/* The row of a chain that compares lower words in that relation on this visit. */
static struct lower_words lower_comparison(const struct wb_integer_operation *operation,
                                           uint32_t row, enum wb_relation relation)
{
  const struct wb_comparisons *table = operation->environment->comparisons;
  const uint8_t mirrored = (uint8_t)wb_relation_mirrored(relation);
  for (; row != 0; row = table->rows[row].next) {
    const struct wb_comparison *it = &table->rows[row];
    const bool equality = relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL;
    if (it->named && !it->wide && it->visit == operation->environment->visit &&
        (equality || !it->as_signed) &&
        (it->relation == (uint8_t)relation || it->relation == mirrored))
      return (struct lower_words){it, it->relation != (uint8_t)relation};
  }
  return (struct lower_words){NULL, false};
}

/* The 64-bit number of side 0 or 1: the lower word that was compared, and the upper word that this
 * instruction compares. */
static struct wb_wide side_of(const struct wb_integer_operation *operation,
                              const struct lower_words *words, size_t side)
{
  const struct wb_comparison *lower = words->row;
  const size_t low_side = words->mirrored ? 1 - side : side;
  const struct wb_function *function = operation->environment->function;
  const struct wb_integer_state *before = operation->before;
  const struct wb_text_operand *high = &operation->operands[2 + side];
  const struct wb_integer upper = wb_operand_value(operation, 2 + side);
  struct wb_text_operand operands[WB_TEXT_LIMIT];
  const size_t count =
      wb_operands_read(function->instructions[lower->instruction].operands, operands);
  const struct wb_text_operand *low = &operands[2 + low_side];
  const bool pair = count <= WB_TEXT_LIMIT && count > 2 + low_side &&
                    low->kind == WB_TEXT_REGISTER && high->kind == WB_TEXT_REGISTER &&
                    low->number < WB_VALUE_COUNT && high->number < WB_VALUE_COUNT &&
                    !low->negated && !low->complemented && !high->negated && !high->complemented;
  if (pair &&
      (operation->index == lower->instruction + 1 ||
       !wb_registers_written(function, lower->instruction + 1, operation->index - 1, low->number)))
    return wb_pairs_value(&before->pairs, before->registers, (uint16_t)low->number,
                          (uint16_t)high->number);
  return wb_wide_of_words(low_side == 0 ? &lower->left : &lower->right, &upper);
}

/* EX: upper words in strict order, or equal and the lower words in the relation. Each outcome rests
 * on what the predicate of the lower words implies where it is so. */
static struct wb_implications compare_upper(const struct wb_integer_operation *operation,
                                            const struct comparison_kind *kind,
                                            struct wb_comparison *row)
{
  struct wb_comparisons *table = operation->environment->comparisons;
  const struct wb_implications below = truth_of(operation, 5);
  const enum wb_relation otherwise = wb_relation_negated(kind->relation);
  const struct lower_words holds = lower_comparison(operation, below.when_true, kind->relation);
  const struct lower_words fails = lower_comparison(operation, below.when_false, otherwise);
  struct wb_implications outcome = {0};
  const bool when_true = holds.row != NULL;
  const bool when_false = fails.row != NULL;
  row->wide = true;
  if (when_true) {
    row->wide_left = side_of(operation, &holds, 0);
    row->wide_right = side_of(operation, &holds, 1);
  }
  struct wb_comparison other = *row;
  other.relation = (uint8_t)otherwise;
  if (when_false) {
    other.wide_left = side_of(operation, &fails, 0);
    other.wide_right = side_of(operation, &fails, 1);
  }
  if (when_true)
    outcome.when_true = wb_comparisons_add(table, row);
  if (when_false)
    outcome.when_false = wb_comparisons_add(table, &other);
  return outcome;
}

/* A number that is printed with a minus has an upper word of ones only as a signed one. */
static struct wb_wide wide_side(const struct wb_integer_operation *operation, size_t number,
                                bool as_signed)
{
  const struct wb_text_operand *operand = &operation->operands[number];
  return operand->kind == WB_TEXT_NUMBER && operand->wide > INT64_MAX && !as_signed
             ? wb_wide_top()
             : wb_operand_wide_value(operation, number);
}

static bool compare(const struct wb_integer_operation *operation, struct wb_implications *result)
{
  struct wb_comparisons *table = operation->environment->comparisons;
  struct comparison_kind kind;
  struct wb_implications outcome;
  if (!read_kind(operation->opcode, &kind) || operation->count != (kind.by_lower ? 6 : 5) ||
      (kind.by_carry && operation->volta) || (kind.by_lower && !operation->volta))
    return false;
  struct wb_comparison row = {.left = wb_operand_value(operation, 2),
                              .right = wb_operand_value(operation, 3),
                              .relation = (uint8_t)kind.relation,
                              .as_signed = kind.as_signed,
                              .wide = kind.by_carry || kind.wide,
                              .named = !kind.by_carry && !kind.wide && !kind.by_lower,
                              .instruction = operation->index,
                              .visit = operation->environment->visit};
  if (kind.by_carry)
    wb_carry_sides(operation, &row.wide_left, &row.wide_right);
  if (kind.wide) {
    row.wide_left = wide_side(operation, 2, kind.as_signed);
    row.wide_right = wide_side(operation, 3, kind.as_signed);
  }
  if (kind.by_lower)
    outcome = compare_upper(operation, &kind, &row);
  else
    outcome = outcome_of(table, &row);
  *result = combine(table, kind.how, kind.how_length, outcome, truth_of(operation, 4));
  return true;
}

/* LOP3.LUT P0, R0, ..., !PT: whether the result is not 0. */
static bool test_result(const struct wb_integer_operation *operation,
                        const struct wb_integer *value, struct wb_implications *result)
{
  const struct wb_text_operand *last = &operation->operands[operation->count - 1];
  if (operation->count != 6 || last->kind != WB_TEXT_PREDICATE || last->number != WB_NO_REGISTER ||
      !last->negated)
    return false;
  struct wb_comparison row = {.left = *value,
                              .right = wb_integer_exactly(0),
                              .relation = WB_RELATION_UNEQUAL,
                              .instruction = operation->index,
                              .visit = operation->environment->visit};
  *result = outcome_of(operation->environment->comparisons, &row);
  return true;
}

/* ---- logic ---- */

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

/* The function of a table of three predicates; nothing is known of functions that are no
 * conjunctions, disjunctions and negations. */
static struct wb_implications lookup(struct wb_comparisons *comparisons,
                                     const struct wb_implications values[3], uint8_t table)
{
  if (table == WB_LOOKUP_TRUE || table == WB_LOOKUP_FALSE)
    return (struct wb_implications){.truth =
                                        table == WB_LOOKUP_TRUE ? WB_TRUTH_TRUE : WB_TRUTH_FALSE};
  for (unsigned v = 0; v < 3; v++) {
    uint8_t rest;
    if (table == wb_lookup_variable(v))
      return values[v];
    if ((table ^ wb_lookup_variable(v)) == WB_LOOKUP_TRUE)
      return truth_not(values[v]);
    const enum wb_lookup_split split = wb_lookup_split(table, v, &rest);
    if (split == WB_SPLIT_NONE || split == WB_SPLIT_XOR)
      continue;
    const bool negates = split == WB_SPLIT_AND_NOT || split == WB_SPLIT_OR_NOT;
    const struct wb_implications value = negates ? truth_not(values[v]) : values[v];
    const struct wb_implications other = lookup(comparisons, values, rest);
    return split == WB_SPLIT_AND || split == WB_SPLIT_AND_NOT
               ? truth_and(comparisons, value, other)
               : truth_not(truth_and(comparisons, truth_not(value), truth_not(other)));
  }
  return (struct wb_implications){0};
}

/* PLOP3.LUT P0, P1, P2, P3, P4, table, table: P0 by the first table. */
static bool lookup_predicates(const struct wb_integer_operation *operation,
                              struct wb_implications *result)
{
  struct wb_implications values[3];
  const struct wb_text_operand *number = &operation->operands[5];
  if (operation->count != 7 || number->kind != WB_TEXT_NUMBER || number->number > UINT8_MAX)
    return false;
  uint8_t table = (uint8_t)number->number;
  for (unsigned v = 0; v < 3; v++) {
    if (operation->operands[2 + v].kind != WB_TEXT_PREDICATE)
      return false;
    values[v] = truth_of(operation, 2 + v);
    if (values[v].truth != WB_TRUTH_UNKNOWN)
      table = wb_lookup_fixed(table, v, values[v].truth == WB_TRUTH_TRUE);
  }
  *result = lookup(operation->environment->comparisons, values, table);
  return true;
}

/* ---- effects ---- */

static bool begins(const char *opcode, const char *name)
{
  return strncmp(opcode, name, strlen(name)) == 0;
}

void wb_predicate_transfer(const struct wb_integer_operation *operation,
                           const struct wb_integer *result, struct wb_integer_state *state)
{
  struct wb_implications truth = {0};
  const char *opcode = operation->opcode;
  const struct wb_text_operand *target = &operation->operands[0];
  bool known = false;
  if (result != NULL) {
    if (strcmp(opcode, "LOP3.LUT") != 0 || operation->output_count != 1)
      return;
    target = &operation->outputs[0];
    known = test_result(operation, result, &truth);
  } else if (begins(opcode, "ISETP.")) {
    known = compare(operation, &truth);
  } else if (begins(opcode, "PSETP.") && !operation->volta) {
    known = combine_predicates(operation, &truth);
  } else if (strcmp(opcode, "PLOP3.LUT") == 0 && operation->volta) {
    known = lookup_predicates(operation, &truth);
  }
  const size_t predicate = wb_predicate_index(target->number);
  if (known && target->kind == WB_TEXT_PREDICATE && predicate < WB_TRUTH_COUNT)
    state->predicates[predicate] = truth;
}
