/* Choices by a predicate, in the domain of strided intervals: each source is cut by what its
 * outcome of the predicate implies, and two words that are chosen by one predicate are a choice of
 * two numbers of 64 bits (doc/loop-bounds.md, "Numbers of 64 bits"). */
#include "values/interval/interval_domain.h"

#include "isa/lower/lower.h"
#include "isa/opcode.h"
#include "values/domain.h"

/* The index of the predicate that a choice is made by; WB_TRUTH_COUNT: it is none that a register
 * holds. */
static size_t predicate_of(const struct wb_source *source)
{
  return source->kind == WB_SOURCE_PREDICATE ? wb_predicate_index(source->number) : WB_TRUTH_COUNT;
}

/* ---- what an outcome implies ---- */

/* Whether an instruction from `first` on, before `until`, writes the register. */
static bool is_written(const struct wb_interval_context *context, uint32_t first, uint32_t until,
                       uint16_t number)
{
  return until > first && wb_registers_written(context->function, first, until - 1, number);
}

/* Cuts a register's value by the comparisons of a chain that the block made of it as it stands.
 * One of this same instruction names what the register holds after it. False where none is
 * left. */
static bool cut_word(const struct wb_interval_context *context, uint32_t chain, uint16_t number,
                     struct wb_integer *value)
{
  const struct wb_comparison *rows = context->comparisons->rows;
  for (; chain != 0; chain = rows[chain].next) {
    const struct wb_comparison *it = &rows[chain];
    for (size_t side = 0; side < 2; side++) {
      if (it->wide || it->visit != context->visit || it->sources[side] != number ||
          wb_interval_written_since(context, it->instruction + 1, number) ||
          (it->instruction == context->index &&
           is_written(context, context->index, context->index + 1, number)))
        continue;
      const enum wb_relation relation = (enum wb_relation)it->relation;
      if (!wb_integer_assume(value, side == 0 ? relation : wb_relation_mirrored(relation),
                             side == 0 ? &it->right : &it->left, it->as_signed))
        return false;
    }
  }
  return true;
}

/* A word that is chosen. */
struct chosen_word {
  const struct wb_integer *word;
  uint16_t source; /* the register of it; WB_NO_REGISTER: none */
  uint32_t at;     /* the instruction that chooses it */
};

/* Cuts the number of two words by the comparisons of a chain that the block made of their
 * registers as they stand where they are chosen. *found: there is one. False where none is left. */
static bool cut_pair(const struct wb_interval_context *context, uint32_t chain,
                     const struct chosen_word words[2], struct wb_wide *value, bool *found)
{
  const struct wb_comparison *rows = context->comparisons->rows;
  for (; chain != 0; chain = rows[chain].next) {
    const struct wb_comparison *it = &rows[chain];
    for (size_t side = 0; side < 2; side++) {
      if (!it->wide || it->visit != context->visit || words[0].source == WB_NO_REGISTER ||
          words[1].source == WB_NO_REGISTER || it->pairs[side].low != words[0].source ||
          it->pairs[side].high != words[1].source ||
          is_written(context, it->instruction, words[0].at, words[0].source) ||
          is_written(context, it->instruction, words[1].at, words[1].source))
        continue;
      const enum wb_relation relation = (enum wb_relation)it->relation;
      *found = true;
      if (!wb_wide_assume(value, side == 0 ? relation : wb_relation_mirrored(relation),
                          side == 0 ? &it->wide_right : &it->wide_left, it->as_signed))
        return false;
    }
  }
  return true;
}

/* ---- two words that are chosen by one predicate ---- */

/* The number of two words under an outcome, one of the row's choice and one of this instruction's,
 * which is the upper one where `upwards`. *found: more is known of it than of its words. False
 * where there is no such number. */
static bool number_of(const struct wb_interval_context *context, const struct wb_carry *row,
                      const struct wb_addend *now, size_t outcome, bool upwards,
                      struct wb_wide *number, bool *found)
{
  const struct wb_addend *before = &row->addends[outcome];
  /* A register that was written since the other choice held another word there. */
  const bool kept = now->source != WB_NO_REGISTER &&
                    !is_written(context, row->instruction, context->index, now->source);
  const struct chosen_word first = {&before->word, before->source, row->instruction};
  const struct chosen_word second = {&now->word, kept ? now->source : WB_NO_REGISTER,
                                     context->index};
  const struct chosen_word words[2] = {upwards ? first : second, upwards ? second : first};
  const struct wb_pair *pair = wb_pairs_find(&row->pairs, words[0].source, words[1].source);
  *number = pair != NULL ? pair->value : wb_wide_of_words(words[0].word, words[1].word);
  *found |= pair != NULL;
  return cut_pair(context, row->outcomes[outcome], words, number, found);
}

/* Instructions before a choice among which that of the other word is looked for. */
#define MOST_DISTANCE 32

/* Finds the number whose other word an instruction of the block chose by the same predicate. */
static void find_other_word(struct wb_interval_context *context, const struct wb_carry *now,
                            struct wb_interval_result *result)
{
  for (size_t r = context->carries->count; r-- > 1;) {
    const struct wb_carry *row = &context->carries->rows[r];
    if (context->index - row->instruction > MOST_DISTANCE)
      return;
    if (!row->choice || row->predicate != now->predicate || row->target >= WB_VALUE_COUNT ||
        row->instruction >= context->index ||
        wb_interval_written_since(context, row->instruction + 1, row->target) ||
        wb_interval_written_since(context, row->instruction, wb_predicate_register(row->predicate)))
      continue;
    for (int upwards = 1; upwards >= 0; upwards--) {
      struct wb_wide number = wb_wide_top();
      bool found = false, any = false;
      for (size_t outcome = 0; outcome < 2; outcome++) {
        struct wb_wide one;
        if (!number_of(context, row, &now->addends[outcome], outcome, upwards, &one, &found))
          continue;
        number = any ? wb_wide_join(&number, &one) : one;
        any = true;
      }
      if (!found || !any || wb_wide_is_top(&number))
        continue;
      result->wide.value = number;
      *(upwards ? &result->below : &result->above) = row->target;
      return;
    }
  }
}

/* A word that is chosen by a predicate that a register holds: remembers it for its other word. */
static void note_choice(struct wb_interval_context *context,
                        const struct wb_micro_operation *operation,
                        const struct wb_integer words[2], struct wb_interval_result *result)
{
  const struct wb_source *by = &operation->sources[2];
  struct wb_carry row = {.choice = true,
                         .predicate = (uint8_t)predicate_of(by),
                         .target = WB_NO_REGISTER,
                         .instruction = context->index,
                         .pairs = context->state->pairs};
  if (row.predicate == WB_TRUTH_COUNT || context->guarded)
    return;
  const struct wb_implications *holds = &context->state->predicates[row.predicate];
  row.outcomes[0] = holds->when_true;
  row.outcomes[1] = holds->when_false;
  for (size_t s = 0; s < 2; s++)
    row.addends[by->negated ? 1 - s : s] =
        (struct wb_addend){.whole = words[s],
                           .word = words[s],
                           .source = wb_interval_source_register(&operation->sources[s])};
  find_other_word(context, &row, result);
  result->choice = wb_carries_add(context->carries, &row);
}

void wb_interval_name_choice(struct wb_interval_context *context,
                             const struct wb_interval_result *result, uint16_t number)
{
  const bool kept = number < WB_VALUE_COUNT && !context->guarded;
  if (kept && result->choice != 0)
    context->carries->rows[result->choice].target = number;
  if (kept && result->below != WB_NO_REGISTER && result->below != number)
    wb_integer_state_narrow_pair(context->state, result->below, number, &result->wide.value);
  if (kept && result->above != WB_NO_REGISTER && result->above != number)
    wb_integer_state_narrow_pair(context->state, number, result->above, &result->wide.value);
}

/* ---- operations ---- */

void wb_interval_select(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_interval_context *instruction = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_implications by = wb_interval_predicate(instruction, &operation->sources[2]);
  const size_t predicate = predicate_of(&operation->sources[2]);
  struct wb_integer words[2];
  bool possible[2];
  for (size_t s = 0; s < 2; s++) {
    const bool when = (s == 0) != operation->sources[2].negated;
    const uint16_t source = wb_interval_source_register(&operation->sources[s]);
    const struct wb_integer *held =
        source != WB_NO_REGISTER && predicate < WB_TRUTH_COUNT && !instruction->guarded
            ? wb_conditionals_find(&instruction->state->conditionals, source, predicate, when)
            : NULL;
    words[s] = held != NULL ? *held : wb_interval_word(instruction, &operation->sources[s]);
    possible[s] = by.truth != (s == 0 ? WB_TRUTH_FALSE : WB_TRUTH_TRUE) &&
                  (source == WB_NO_REGISTER ||
                   cut_word(instruction, s == 0 ? by.when_true : by.when_false, source, &words[s]));
  }
  const struct wb_integer either = wb_integer_join(&words[0], &words[1]);
  wb_interval_set_word(instruction, code, index,
                       possible[0] == possible[1] ? either
                       : possible[0]              ? words[0]
                                                  : words[1]);
  note_choice(instruction, operation, words, &instruction->results[index]);
}

struct wb_interval_wide wb_interval_select_wide(const struct wb_interval_context *context,
                                                const struct wb_micro_operation *operation)
{
  const struct wb_implications by = wb_interval_predicate(context, &operation->sources[2]);
  struct wb_interval_wide sides[2];
  bool possible[2], found;
  for (size_t s = 0; s < 2; s++) {
    const struct wb_source *source = &operation->sources[s];
    const bool pair = source->kind == WB_SOURCE_REGISTER_PAIR && !source->negated &&
                      !source->complemented && source->number < WB_VALUE_COUNT - 1;
    const uint16_t low = pair ? source->number : WB_NO_REGISTER;
    sides[s] = wb_interval_wide(context, source);
    const struct chosen_word words[2] = {
        {&sides[s].words[0], low, context->index},
        {&sides[s].words[1], pair ? (uint16_t)(low + 1) : WB_NO_REGISTER, context->index}};
    possible[s] =
        by.truth != (s == 0 ? WB_TRUTH_FALSE : WB_TRUTH_TRUE) &&
        cut_pair(context, s == 0 ? by.when_true : by.when_false, words, &sides[s].value, &found);
  }
  if (possible[0] != possible[1])
    return sides[possible[1]];
  sides[0].value = wb_wide_join(&sides[0].value, &sides[1].value);
  for (size_t w = 0; w < 2; w++)
    sides[0].words[w] = wb_integer_join(&sides[0].words[w], &sides[1].words[w]);
  return sides[0];
}

/* ---- the least and the greatest of two numbers, word by word ---- */

/* The upper word that an instruction of the block found, and told the condition code of; NULL where
 * there is none. */
static const struct wb_carry *find_upper_word(const struct wb_interval_context *context)
{
  for (size_t r = context->carries->count; r-- > 1;) {
    const struct wb_carry *row = &context->carries->rows[r];
    if (row->extreme)
      return row->target >= WB_VALUE_COUNT ||
                     wb_interval_written_since(context, row->instruction + 1, row->target) ||
                     wb_interval_written_since(context, row->instruction + 1,
                                               WB_REGISTER_CONDITION_CODE)
                 ? NULL
                 : row;
  }
  return NULL;
}

void wb_interval_extreme_before(const struct wb_interval_context *context,
                                struct wb_interval_extreme *extreme)
{
  const struct wb_function *function = context->function;
  const enum wb_extreme_part part = wb_extreme_part_of(&function->instructions[context->index]);
  struct wb_micro_code code;
  *extreme = (struct wb_interval_extreme){.above = WB_NO_REGISTER};
  if (part == WB_EXTREME_WHOLE || context->guarded || !wb_lower(function, context->index, &code) ||
      code.write_count == 0 || code.writes[0].number >= WB_VALUE_COUNT)
    return;
  const struct wb_micro_operation *made = &code.operations[code.writes[0].result];
  struct wb_carry now = {.extreme = true,
                         .least = made->kind == WB_MICRO_MINIMUM,
                         .as_signed = made->as_signed,
                         .target = code.writes[0].number,
                         .instruction = context->index,
                         .pairs = context->state->pairs};
  for (size_t s = 0; s < 2; s++) {
    const struct wb_source *source = &made->sources[s];
    if (source->negated || source->complemented)
      return;
    now.addends[s] = (struct wb_addend){.word = wb_interval_plain_word(context, source),
                                        .source = wb_interval_source_register(source)};
  }
  if (part == WB_EXTREME_UPPER) {
    if (wb_registers_written(function, context->index, context->index, WB_REGISTER_CONDITION_CODE))
      (void)wb_carries_add(context->carries, &now);
    return;
  }
  const struct wb_carry *upper = find_upper_word(context);
  struct wb_wide numbers[2];
  bool found = false;
  if (upper == NULL)
    return;
  for (size_t s = 0; s < 2; s++)
    (void)number_of(context, upper, &now.addends[s], s, false, &numbers[s], &found);
  extreme->below = now.target;
  extreme->above = upper->target;
  extreme->number = wb_wide_extreme(&numbers[0], &numbers[1], upper->as_signed, upper->least);
}

void wb_interval_extreme_after(struct wb_interval_context *context,
                               const struct wb_interval_extreme *extreme)
{
  if (extreme->above != WB_NO_REGISTER && extreme->above != extreme->below)
    wb_integer_state_narrow_pair(context->state, extreme->below, extreme->above, &extreme->number);
}
