#include "values/symbols/symbol_domain.h"

/* ---- symbols ---- */

static const struct wb_symbol any = {.kind = WB_SYMBOL_ANY};

bool wb_symbols_equal(const struct wb_symbol *a, const struct wb_symbol *b)
{
  return a->kind != WB_SYMBOL_ANY && a->kind == b->kind && a->block == b->block &&
         a->number == b->number && a->negated == b->negated;
}

struct wb_symbol wb_symbol_of_number(uint32_t number)
{
  return (struct wb_symbol){.kind = WB_SYMBOL_NUMBER, .number = number};
}

struct wb_symbol wb_symbol_of_result(const struct wb_symbol_walk *walk, uint32_t instruction,
                                     uint32_t number)
{
  return (struct wb_symbol){.kind = WB_SYMBOL_RESULT,
                            .block = walk->block,
                            .number = instruction * WB_SYMBOL_REGISTERS + number};
}

static struct wb_symbol negated(struct wb_symbol predicate)
{
  if (predicate.kind == WB_SYMBOL_NUMBER)
    return wb_symbol_of_number(predicate.number == 0);
  predicate.negated = !predicate.negated;
  return predicate;
}

bool wb_symbol_truth(const struct wb_symbol_walk *walk, const struct wb_symbol *predicate,
                     bool *truth)
{
  struct wb_symbol plain = *predicate;
  plain.negated = false;
  *truth = predicate->number != 0;
  if (predicate->kind == WB_SYMBOL_NUMBER)
    return true;
  for (size_t k = 0; k < walk->known_count; k++) {
    if (!wb_symbols_equal(&walk->known[k].symbol, &plain))
      continue;
    *truth = walk->known[k].truth != predicate->negated;
    return true;
  }
  return false;
}

/* ---- states ---- */

void wb_symbol_state_start(struct wb_symbol_state *state)
{
  for (uint32_t r = 0; r < WB_REGISTER_COUNT; r++)
    state->registers[r] = (struct wb_symbol){.kind = WB_SYMBOL_START, .number = r};
  state->no_difference = false;
}

void wb_symbol_state_forget(struct wb_symbol_state *state, uint32_t number, uint32_t block)
{
  state->registers[number] =
      (struct wb_symbol){.kind = WB_SYMBOL_JOIN, .block = block, .number = number};
  if (number == WB_REGISTER_CONDITION_CODE)
    state->no_difference = false;
}

void wb_symbol_state_join(struct wb_symbol_state *state, const struct wb_symbol_state *other,
                          uint32_t block)
{
  const bool no_difference = state->no_difference && other->no_difference;
  for (uint32_t r = 0; r < WB_REGISTER_COUNT; r++) {
    if (!wb_symbols_equal(&state->registers[r], &other->registers[r]))
      wb_symbol_state_forget(state, r, block);
  }
  state->no_difference = no_difference;
}

/* ---- sources ---- */

/* Of a number of 64 bits the lower word. */
static struct wb_symbol source_of(const struct wb_symbol_walk *walk, const struct wb_source *source)
{
  struct wb_symbol symbol = any;
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_NONE:
    symbol = wb_symbol_of_number(0);
    break;
  case WB_SOURCE_RESULT:
    symbol = walk->lower[source->number];
    break;
  case WB_SOURCE_REGISTER:
  case WB_SOURCE_REGISTER_PAIR:
  case WB_SOURCE_PREDICATE:
    if (source->number < WB_REGISTER_COUNT)
      symbol = walk->state->registers[source->number];
    break;
  case WB_SOURCE_NUMBER:
    symbol = wb_symbol_of_number((uint32_t)source->value);
    break;
  case WB_SOURCE_CONSTANT:
  case WB_SOURCE_CONSTANT_PAIR:
    if (source->index == WB_NO_REGISTER)
      symbol = (struct wb_symbol){
          .kind = WB_SYMBOL_CONSTANT, .block = source->bank, .number = (uint32_t)source->value};
    break;
  case WB_SOURCE_LABEL:
  case WB_SOURCE_SPECIAL:
    break;
  }
  return symbol;
}

/* A word with its sign. */
static struct wb_symbol word_of(const struct wb_symbol_walk *walk, const struct wb_source *source)
{
  return source->negated || source->complemented ? any : source_of(walk, source);
}

static struct wb_symbol upper_word_of(const struct wb_symbol_walk *walk,
                                      const struct wb_source *source)
{
  if (source->negated || source->complemented)
    return any;
  switch ((enum wb_source_kind)source->kind) {
  case WB_SOURCE_RESULT:
    return walk->upper[source->number];
  case WB_SOURCE_REGISTER_PAIR:
    return source->number + 1 < WB_REGISTER_COUNT ? walk->state->registers[source->number + 1]
                                                  : any;
  case WB_SOURCE_NUMBER:
    return wb_symbol_of_number((uint32_t)(source->value >> 32));
  case WB_SOURCE_CONSTANT_PAIR: {
    struct wb_symbol symbol = source_of(walk, source);
    symbol.number += 4;
    return symbol;
  }
  default:
    return any;
  }
}

static struct wb_symbol predicate_of(const struct wb_symbol_walk *walk,
                                     const struct wb_source *source)
{
  struct wb_symbol symbol = source_of(walk, source);
  bool truth;
  if (source->kind == WB_SOURCE_NONE || symbol.kind == WB_SYMBOL_ANY)
    return source->kind == WB_SOURCE_NONE ? wb_symbol_of_number(0) : any;
  if (source->negated)
    symbol = negated(symbol);
  return wb_symbol_truth(walk, &symbol, &truth) ? wb_symbol_of_number(truth) : symbol;
}

static bool is_number(const struct wb_symbol *symbol, uint32_t number)
{
  return symbol->kind == WB_SYMBOL_NUMBER && symbol->number == number;
}

/* ---- operations ---- */

static void set(struct wb_symbol_walk *walk, size_t index, struct wb_symbol lower,
                struct wb_symbol upper)
{
  walk->lower[index] = lower;
  walk->upper[index] = upper;
  walk->no_difference[index] = false;
}

static void apply_unknown(void *context, const struct wb_micro_code *code, size_t index)
{
  (void)code;
  set(context, index, any, any);
}

static void apply_copy(void *context, const struct wb_micro_code *code, size_t index)
{
  set(context, index, word_of(context, &code->operations[index].sources[0]), any);
}

static void apply_wide_copy(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *a = &code->operations[index].sources[0];
  set(context, index, word_of(context, a), upper_word_of(context, a));
}

/* Whether a sum is x - x, and nothing else. */
static bool is_no_difference(const struct wb_symbol_walk *walk, const struct wb_source *sources)
{
  const struct wb_source *terms[2] = {NULL, NULL};
  size_t count = 0;
  for (size_t s = 0; s < 5; s++) {
    if (sources[s].kind == WB_SOURCE_NONE)
      continue;
    if (s > 2 || count == 2 || sources[s].complemented)
      return false;
    terms[count++] = &sources[s];
  }
  if (count < 2 || terms[0]->negated == terms[1]->negated)
    return false;
  const struct wb_symbol a = source_of(walk, terms[0]), b = source_of(walk, terms[1]);
  return wb_symbols_equal(&a, &b);
}

/* A sum with one term that is not 0, or of numbers. */
static void apply_add(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_symbol_walk *walk = context;
  const struct wb_source *sources = code->operations[index].sources;
  struct wb_symbol sum = wb_symbol_of_number(0);
  for (size_t s = 0; s < 5; s++) {
    const struct wb_symbol term =
        s < 3 ? word_of(walk, &sources[s]) : predicate_of(walk, &sources[s]);
    if (is_number(&term, 0))
      continue;
    if (is_number(&sum, 0) && s < 3)
      sum = term;
    else if (sum.kind == WB_SYMBOL_NUMBER && term.kind == WB_SYMBOL_NUMBER)
      sum.number += term.number;
    else
      sum = any;
    if (sum.kind == WB_SYMBOL_ANY)
      break;
  }
  const bool no_difference = is_no_difference(walk, sources);
  set(walk, index, no_difference ? wb_symbol_of_number(0) : sum, any);
  walk->no_difference[index] = no_difference;
}

/* Nothing is borrowed in x - x. */
static void apply_carry(void *context, const struct wb_micro_code *code, size_t index)
{
  struct wb_symbol_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_source *sum = &operation->sources[0];
  const bool no_difference =
      sum->kind == WB_SOURCE_RESULT && !operation->second && walk->no_difference[sum->number];
  set(walk, index, no_difference ? wb_symbol_of_number(1) : any, any);
  walk->no_difference[index] = no_difference;
}

static void apply_multiply(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_symbol a = word_of(context, &code->operations[index].sources[0]);
  const struct wb_symbol b = word_of(context, &code->operations[index].sources[1]);
  struct wb_symbol product = any;
  if (is_number(&a, 0) || is_number(&b, 1))
    product = a;
  else if (is_number(&b, 0) || is_number(&a, 1))
    product = b;
  set(context, index, product, any);
}

static void apply_select(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_source *sources = code->operations[index].sources;
  const struct wb_symbol a = word_of(context, &sources[0]), b = word_of(context, &sources[1]);
  const struct wb_symbol which = predicate_of(context, &sources[2]);
  struct wb_symbol chosen = wb_symbols_equal(&a, &b) ? a : any;
  if (which.kind == WB_SYMBOL_NUMBER)
    chosen = which.number != 0 ? a : b;
  set(context, index, chosen, any);
}

static bool holds_of_equals(uint8_t relation)
{
  return relation == WB_RELATION_EQUAL || relation == WB_RELATION_AT_MOST ||
         relation == WB_RELATION_AT_LEAST;
}

/* a relation b, of numbers. */
static bool compare_numbers(const struct wb_micro_operation *operation, uint32_t a, uint32_t b)
{
  const bool less = operation->as_signed ? (int32_t)a < (int32_t)b : a < b;
  switch ((enum wb_relation)operation->relation) {
  case WB_RELATION_LESS:
    return less;
  case WB_RELATION_EQUAL:
    return a == b;
  case WB_RELATION_AT_MOST:
    return less || a == b;
  case WB_RELATION_GREATER:
    return !less && a != b;
  case WB_RELATION_UNEQUAL:
    return a != b;
  case WB_RELATION_AT_LEAST:
    return !less;
  }
  return false;
}

/* Of words, or of upper words by what holds of the lower ones: then `lower` is that. */
static struct wb_symbol compare(const struct wb_symbol_walk *walk,
                                const struct wb_micro_operation *operation,
                                struct wb_symbol of_equals)
{
  const struct wb_source *a = &operation->sources[0], *b = &operation->sources[1];
  const struct wb_symbol left = word_of(walk, a), right = word_of(walk, b);
  if (wb_symbols_equal(&left, &right))
    return of_equals;
  if (left.kind == WB_SYMBOL_NUMBER && right.kind == WB_SYMBOL_NUMBER)
    return wb_symbol_of_number(compare_numbers(operation, left.number, right.number));
  return any;
}

static void apply_compare(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  const bool holds = holds_of_equals(operation->relation);
  set(context, index, compare(context, operation, wb_symbol_of_number(holds)), any);
}

static void apply_compare_upper(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_symbol lower = predicate_of(context, &operation->sources[2]);
  set(context, index, compare(context, operation, lower), any);
}

static void apply_compare_by_carry(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_symbol_walk *walk = context;
  const struct wb_micro_operation *operation = &code->operations[index];
  const bool holds = holds_of_equals(operation->relation);
  const struct wb_symbol lower = walk->state->no_difference ? wb_symbol_of_number(holds) : any;
  set(context, index, compare(walk, operation, lower), any);
}

static void apply_compare_wide(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  const struct wb_source *a = &operation->sources[0], *b = &operation->sources[1];
  const struct wb_symbol left[2] = {word_of(context, a), upper_word_of(context, a)};
  const struct wb_symbol right[2] = {word_of(context, b), upper_word_of(context, b)};
  const bool equal = wb_symbols_equal(&left[0], &right[0]) && wb_symbols_equal(&left[1], &right[1]);
  const bool holds = holds_of_equals(operation->relation);
  set(context, index, equal ? wb_symbol_of_number(holds) : any, any);
}

/* A function of predicates of which all are known, or all but one. */
static void apply_combine(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_micro_operation *operation = &code->operations[index];
  uint8_t table = operation->table;
  for (unsigned v = 0; v < 3; v++) {
    const struct wb_symbol predicate = predicate_of(context, &operation->sources[v]);
    if (predicate.kind == WB_SYMBOL_NUMBER)
      table = wb_lookup_fixed(table, v, predicate.number != 0);
  }
  struct wb_symbol result = any;
  if (table == WB_LOOKUP_FALSE || table == WB_LOOKUP_TRUE)
    result = wb_symbol_of_number(table == WB_LOOKUP_TRUE);
  for (unsigned v = 0; v < 3; v++) {
    const unsigned itself = wb_lookup_variable(v);
    if (table == itself)
      result = predicate_of(context, &operation->sources[v]);
    else if (table == (itself ^ WB_LOOKUP_TRUE))
      result = negated(predicate_of(context, &operation->sources[v]));
  }
  set(context, index, result, any);
}

static void apply_is_not_zero(void *context, const struct wb_micro_code *code, size_t index)
{
  const struct wb_symbol a = word_of(context, &code->operations[index].sources[0]);
  set(context, index, a.kind == WB_SYMBOL_NUMBER ? wb_symbol_of_number(a.number != 0) : any, any);
}

/* ---- what instructions write ---- */

static void begin(void *context, const struct wb_function *function, uint32_t index)
{
  struct wb_symbol_walk *walk = context;
  walk->function = function;
  walk->instruction = index;
}

static void set_register(struct wb_symbol_walk *walk, uint32_t number, struct wb_symbol symbol)
{
  if (number >= WB_REGISTER_COUNT)
    return;
  walk->state->registers[number] =
      symbol.kind == WB_SYMBOL_ANY ? wb_symbol_of_result(walk, walk->instruction, number) : symbol;
  if (number == WB_REGISTER_CONDITION_CODE)
    walk->state->no_difference = false;
}

static void forget_writes(void *context, const struct wb_function *function, uint32_t index,
                          const struct wb_micro_code *code)
{
  const struct wb_instruction *instruction = &function->instructions[index];
  (void)code;
  for (uint32_t s = 0; s < instruction->write_count; s++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + s];
    for (uint32_t r = span->first; r < (uint32_t)span->first + span->count; r++)
      set_register(context, r, any);
  }
}

static void write(void *context, const struct wb_micro_code *code,
                  const struct wb_micro_write *what)
{
  struct wb_symbol_walk *walk = context;
  (void)code;
  set_register(walk, what->number, walk->lower[what->result]);
  if (what->wide)
    set_register(walk, what->number + 1U, walk->upper[what->result]);
  if (what->number == WB_REGISTER_CONDITION_CODE)
    walk->state->no_difference = walk->no_difference[what->result];
}

static void forget_all(void *context)
{
  for (uint32_t r = 0; r < WB_REGISTER_COUNT; r++)
    set_register(context, r, any);
}

const struct wb_domain wb_symbol_domain = {
    .name = "symbols",
    .begin = begin,
    .apply = {[WB_MICRO_COPY] = apply_copy,
              [WB_MICRO_ADD] = apply_add,
              [WB_MICRO_MULTIPLY] = apply_multiply,
              [WB_MICRO_SELECT] = apply_select,
              [WB_MICRO_CARRY] = apply_carry,
              [WB_MICRO_COMPARE] = apply_compare,
              [WB_MICRO_COMPARE_UPPER] = apply_compare_upper,
              [WB_MICRO_COMPARE_BY_CARRY] = apply_compare_by_carry,
              [WB_MICRO_COMPARE_WIDE] = apply_compare_wide,
              [WB_MICRO_COMBINE] = apply_combine,
              [WB_MICRO_IS_NOT_ZERO] = apply_is_not_zero,
              [WB_MICRO_WIDE_COPY] = apply_wide_copy},
    .unknown = apply_unknown,
    .forget_writes = forget_writes,
    .write = write,
    .forget_all = forget_all,
};

/* ---- instructions under their guards ---- */

enum wb_symbol_guard wb_symbol_guard(const struct wb_symbol_walk *walk,
                                     const struct wb_instruction *instruction)
{
  bool truth;
  if (instruction->never)
    return WB_GUARD_SKIPS;
  if (instruction->conditional_code || instruction->second_predicate || instruction->together)
    return WB_GUARD_MAY;
  if (instruction->guard == WB_NO_REGISTER)
    return instruction->guarded ? WB_GUARD_MAY : WB_GUARD_DOES;
  if (instruction->guard >= WB_REGISTER_COUNT ||
      !wb_symbol_truth(walk, &walk->state->registers[instruction->guard], &truth))
    return WB_GUARD_MAY;
  return truth != instruction->guard_negated ? WB_GUARD_DOES : WB_GUARD_SKIPS;
}

void wb_symbol_step(struct wb_symbol_walk *walk, const struct wb_function *function,
                    uint32_t instruction)
{
  static const struct wb_micro_code nothing;
  const enum wb_symbol_guard guard = wb_symbol_guard(walk, &function->instructions[instruction]);
  begin(walk, function, instruction);
  if (guard == WB_GUARD_DOES)
    wb_domain_transfer(&wb_symbol_domain, walk, function, instruction);
  else if (guard == WB_GUARD_MAY && function->instructions[instruction].unknown)
    forget_all(walk);
  else if (guard == WB_GUARD_MAY)
    forget_writes(walk, function, instruction, &nothing);
}
