#include "flow/loop_bounds/loop_bits.h"

#include "base/memory.h"
#include "isa/lower/lower.h"
#include "values/domain.h"

#include <stdlib.h>
#include <string.h>

/* What a word has to do with the word m that a register holds at the begin of a block, where m is
 * not 0. */
enum term_kind {
  TERM_NONE,
  TERM_NUMBER,      /* a number */
  TERM_WORD,        /* m */
  TERM_BELOW,       /* m - 1 */
  TERM_NEGATIVE,    /* -m */
  TERM_REVERSED,    /* the bits of m in reverse order */
  TERM_PLACE,       /* the number of a bit that is set in m */
  TERM_FROM_TOP,    /* 31 less that */
  TERM_BIT,         /* that bit alone */
  TERM_OTHERS,      /* all bits but that one */
  TERM_LESS,        /* bits of m, without one that is set at least; of m = 0: 0 */
  TERM_LESS_OF_SOME /* the same, but of m = 0 any word */
};

struct term {
  uint8_t kind;
  uint32_t number;
};

/* Terms of registers, in a block. */
struct terms {
  const struct wb_function *function;
  struct term of[WB_VALUE_COUNT];
  struct term results[WB_MICRO_LIMIT];
};

static struct term number_term(uint32_t number)
{
  return (struct term){.kind = TERM_NUMBER, .number = number};
}

static struct term source_term(const struct terms *terms, const struct wb_source *source)
{
  struct term term = {.kind = TERM_NONE};
  if (source->kind == WB_SOURCE_NONE)
    term = number_term(0);
  else if (source->kind == WB_SOURCE_NUMBER)
    term = number_term((uint32_t)source->value);
  else if (source->kind == WB_SOURCE_RESULT)
    term = terms->results[source->number];
  else if (source->kind == WB_SOURCE_REGISTER && source->number < WB_VALUE_COUNT)
    term = terms->of[source->number];
  else if (source->kind == WB_SOURCE_REGISTER)
    term = number_term(0); /* RZ */
  return term;
}

/* A word as it stands in an operation that knows no signs. */
static struct term plain_term(const struct terms *terms, const struct wb_source *source)
{
  struct term term = source_term(terms, source);
  if (source->complemented && term.kind == TERM_NUMBER)
    term.number = ~term.number;
  else if (source->complemented)
    term.kind = term.kind == TERM_BIT      ? TERM_OTHERS
                : term.kind == TERM_OTHERS ? TERM_BIT
                                           : TERM_NONE;
  if (source->negated)
    term.kind = TERM_NONE;
  return term;
}

/* A sum of numbers and one or two terms, each added or subtracted. */
static struct term sum_term(const struct terms *terms, const struct wb_micro_operation *operation)
{
  uint32_t sum = 0;
  struct term added = number_term(0);
  struct term subtracted = number_term(0);
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &operation->sources[s];
    const struct term term = source_term(terms, source);
    struct term *place = source->negated || source->complemented ? &subtracted : &added;
    if (s >= 3 && source->kind != WB_SOURCE_NONE)
      return (struct term){.kind = TERM_NONE};
    sum -= source->complemented; /* ~x is -x - 1 */
    if (term.kind == TERM_NUMBER)
      sum += source->negated || source->complemented ? 0 - term.number : term.number;
    else if (place->kind == TERM_NUMBER)
      *place = term;
    else
      return (struct term){.kind = TERM_NONE};
  }
  const bool alone = subtracted.kind == TERM_NUMBER;
  struct term found = {.kind = TERM_NONE};
  if (alone && added.kind == TERM_NUMBER)
    found = number_term(sum);
  else if (alone && sum == 0)
    found = added;
  else if (alone && added.kind == TERM_WORD && sum == UINT32_MAX)
    found.kind = TERM_BELOW;
  else if (added.kind == TERM_WORD && subtracted.kind == TERM_BIT && sum == 0)
    found.kind = TERM_LESS_OF_SOME;
  else if (added.kind == TERM_NUMBER && subtracted.kind == TERM_WORD && sum == 0)
    found.kind = TERM_NEGATIVE;
  else if (added.kind == TERM_NUMBER && subtracted.kind == TERM_PLACE && sum == 31)
    found.kind = TERM_FROM_TOP;
  else if (added.kind == TERM_NUMBER && subtracted.kind == TERM_FROM_TOP && sum == 31)
    found.kind = TERM_PLACE;
  return found;
}

/* a & b */
static struct term conjunction(struct term a, struct term b)
{
  struct term found = {.kind = TERM_NONE};
  if (b.kind == TERM_WORD || b.kind == TERM_PLACE || b.kind == TERM_FROM_TOP) {
    const struct term other = a;
    a = b;
    b = other;
  }
  if (a.kind == TERM_WORD && (b.kind == TERM_BELOW || b.kind == TERM_OTHERS))
    found.kind = TERM_LESS;
  else if (a.kind == TERM_WORD && b.kind == TERM_NEGATIVE)
    found.kind = TERM_BIT;
  else if ((a.kind == TERM_PLACE || a.kind == TERM_FROM_TOP) && b.kind == TERM_NUMBER &&
           b.number == 31)
    found = a;
  return found;
}

static struct term complement(struct term term)
{
  const uint8_t kind = term.kind == TERM_BIT      ? TERM_OTHERS
                       : term.kind == TERM_OTHERS ? TERM_BIT
                                                  : TERM_NONE;
  return term.kind == TERM_NUMBER ? number_term(~term.number) : (struct term){.kind = kind};
}

static struct term lookup_term(const struct terms *terms,
                               const struct wb_micro_operation *operation)
{
  struct term of[3];
  uint8_t table = operation->table;
  struct term left[2] = {{TERM_NONE, 0}, {TERM_NONE, 0}};
  unsigned variables[2] = {0, 0};
  size_t count = 0;
  for (unsigned v = 0; v < 3; v++) {
    of[v] = plain_term(terms, &operation->sources[v]);
    if (of[v].kind == TERM_NUMBER && (of[v].number == 0 || of[v].number == UINT32_MAX))
      table = wb_lookup_fixed(table, v, of[v].number != 0);
  }
  for (unsigned v = 0; v < 3; v++) {
    if (!wb_lookup_depends(table, v))
      continue;
    if (count == 2)
      return (struct term){.kind = TERM_NONE};
    left[count] = of[v];
    variables[count++] = v;
  }
  uint8_t rest;
  if (count == 0)
    return number_term(table == WB_LOOKUP_FALSE ? 0 : UINT32_MAX);
  if (count == 1)
    return table == wb_lookup_variable(variables[0]) ? left[0] : complement(left[0]);
  const enum wb_lookup_split split = wb_lookup_split(table, variables[0], &rest);
  const bool plain = rest == wb_lookup_variable(variables[1]);
  const struct term other = plain ? left[1] : complement(left[1]);
  if (split == WB_SPLIT_AND)
    return conjunction(left[0], other);
  if (split == WB_SPLIT_AND_NOT)
    return conjunction(complement(left[0]), other);
  if (split == WB_SPLIT_XOR && plain &&
      ((left[0].kind == TERM_WORD && other.kind == TERM_BIT) ||
       (left[0].kind == TERM_BIT && other.kind == TERM_WORD)))
    return (struct term){.kind = TERM_LESS_OF_SOME};
  return (struct term){.kind = TERM_NONE};
}

static bool is_number(struct term term, uint32_t number)
{
  return term.kind == TERM_NUMBER && term.number == number;
}

/* Shifts of a number by the place of a bit. */
static struct term shift_term(const struct terms *terms, const struct wb_micro_operation *operation)
{
  const struct term a = plain_term(terms, &operation->sources[0]);
  const struct term b = plain_term(terms, &operation->sources[1]);
  const struct term c = plain_term(terms, &operation->sources[2]);
  struct term found = {.kind = TERM_NONE};
  switch (operation->kind) {
  case WB_MICRO_SHIFT_LEFT:
    if (is_number(a, 1) && b.kind == TERM_PLACE)
      found.kind = TERM_BIT;
    break;
  case WB_MICRO_SHIFT_RIGHT:
    if (is_number(a, 0x80000000) && b.kind == TERM_FROM_TOP && !operation->as_signed)
      found.kind = TERM_BIT;
    break;
  case WB_MICRO_FUNNEL_LEFT:
    if (is_number(b, 1) && is_number(a, 0) && c.kind == TERM_PLACE)
      found.kind = TERM_BIT;
    if (is_number(b, ~1U) && is_number(a, ~1U) && c.kind == TERM_PLACE)
      found.kind = TERM_OTHERS;
    break;
  default: /* WB_MICRO_FUNNEL_RIGHT */
    if (is_number(a, 0x80000000) && is_number(b, 0) && c.kind == TERM_FROM_TOP)
      found.kind = TERM_BIT;
    break;
  }
  return found;
}

/* A choice by whether the number of a set bit is that of none: m has one. */
static struct term choice_term(const struct terms *terms, const struct wb_micro_code *code,
                               const struct wb_micro_operation *operation)
{
  const struct wb_source *choice = &operation->sources[2];
  if (choice->kind != WB_SOURCE_RESULT || choice->negated)
    return (struct term){.kind = TERM_NONE};
  const struct wb_micro_operation *test = &code->operations[choice->number];
  if (test->kind != WB_MICRO_COMPARE || test->relation != WB_RELATION_EQUAL)
    return (struct term){.kind = TERM_NONE};
  const struct term place = plain_term(terms, &test->sources[0]);
  const struct term none = plain_term(terms, &test->sources[1]);
  return (place.kind == TERM_PLACE || place.kind == TERM_FROM_TOP) && is_number(none, UINT32_MAX)
             ? plain_term(terms, &operation->sources[1])
             : (struct term){.kind = TERM_NONE};
}

static struct term operation_term(const struct terms *terms, const struct wb_micro_code *code,
                                  const struct wb_micro_operation *operation)
{
  const struct term a = plain_term(terms, &operation->sources[0]);
  switch (operation->kind) {
  case WB_MICRO_COPY:
    return a;
  case WB_MICRO_ADD:
    return sum_term(terms, operation);
  case WB_MICRO_LOOKUP:
    return lookup_term(terms, operation);
  case WB_MICRO_REVERSE:
    return (struct term){.kind = a.kind == TERM_WORD ? TERM_REVERSED : TERM_NONE};
  case WB_MICRO_LEADING_ONE:
    if (operation->as_signed)
      return (struct term){.kind = TERM_NONE};
    return (struct term){.kind = a.kind == TERM_WORD || a.kind == TERM_BIT ? TERM_PLACE
                                 : a.kind == TERM_REVERSED                 ? TERM_FROM_TOP
                                                                           : TERM_NONE};
  case WB_MICRO_SHIFT_LEFT:
  case WB_MICRO_SHIFT_RIGHT:
  case WB_MICRO_FUNNEL_LEFT:
  case WB_MICRO_FUNNEL_RIGHT:
    return shift_term(terms, operation);
  case WB_MICRO_SELECT:
    return choice_term(terms, code, operation);
  default:
    return (struct term){.kind = TERM_NONE};
  }
}

/* Follows one instruction. Of one with a guard nothing is known. */
static void follow_instruction(struct terms *terms, uint32_t index)
{
  const struct wb_instruction *it = &terms->function->instructions[index];
  struct wb_micro_code code;
  const bool known = !it->unknown && it->guard == WB_NO_REGISTER && !it->never &&
                     wb_lower(terms->function, index, &code);
  for (size_t o = 0; known && o < code.count; o++)
    terms->results[o] = operation_term(terms, &code, &code.operations[o]);
  for (uint32_t s = 0; s < it->write_count; s++) {
    const struct wb_register_span *span = &terms->function->spans[it->first_write + s];
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++) {
      if (r < WB_VALUE_COUNT)
        terms->of[r] = (struct term){.kind = TERM_NONE};
    }
  }
  for (size_t w = 0; known && w < code.write_count; w++) {
    const struct wb_micro_write *write = &code.writes[w];
    if (!write->wide && write->number < WB_VALUE_COUNT)
      terms->of[write->number] = terms->results[write->result];
  }
}

/* How an iteration clears bits of a register. */
struct clearing {
  uint32_t block, index; /* the only instruction of the loop that writes the register */
  struct terms before;   /* terms before that instruction */
  bool always;           /* also of 0 it leaves 0 */
};

/* The only instruction of the region that may write the register. */
static bool find_writer(const struct wb_loop_walk *walk, uint16_t number, struct clearing *clearing)
{
  const struct wb_warp_graph *graph = walk->flow->graph;
  size_t count = 0;
  for (size_t b = 0; b < walk->block_count && count < 2; b++) {
    const struct wb_warp_block *block = &graph->blocks[walk->blocks[b]];
    for (uint32_t i = block->first; i <= block->last && count < 2; i++) {
      if (!wb_registers_written(graph->function, i, i, number))
        continue;
      clearing->block = walk->blocks[b];
      clearing->index = i;
      count++;
    }
  }
  return count == 1;
}

/* Whether each iteration that ends in a back edge runs the block, and once. */
static bool runs_once(const struct wb_loop_walk *walk, uint32_t block)
{
  const struct wb_thread_flow *flow = walk->flow;
  const struct wb_dominators *tree = &flow->dominators;
  const uint32_t header = walk->forest->loops[walk->loop].header;
  bool once = walk->forest->innermost[block] == walk->loop;
  for (uint32_t i = flow->reaching.first[header]; once && i < flow->reaching.first[header + 1];
       i++) {
    const uint32_t edge = flow->reaching.list[i];
    const uint32_t at = tree->position[flow->from[edge]];
    once = !flow->is_back[edge] ||
           (tree->position[block] <= at && at < tree->position[block] + tree->size[block]);
  }
  return once;
}

static bool find_clearing(const struct wb_loop_walk *walk, uint16_t number,
                          struct clearing *clearing)
{
  const struct wb_warp_graph *graph = walk->flow->graph;
  if (number >= WB_VALUE_SLOTS || !find_writer(walk, number, clearing) ||
      !runs_once(walk, clearing->block))
    return false;
  struct terms terms = {.function = graph->function};
  terms.of[number].kind = TERM_WORD;
  for (uint32_t i = graph->blocks[clearing->block].first; i < clearing->index; i++)
    follow_instruction(&terms, i);
  clearing->before = terms;
  follow_instruction(&terms, clearing->index);
  clearing->always = terms.of[number].kind == TERM_LESS;
  return clearing->always || terms.of[number].kind == TERM_LESS_OF_SOME;
}

/* Most bits of the register that are set at an entry. */
static uint64_t most_bits(const struct wb_integer *value)
{
  uint64_t bits = 32;
  const uint32_t high = value->low + value->width;
  while (value->base == WB_NO_REGISTER && high >= value->low && bits > 0 &&
         (uint64_t)high >> (bits - 1) == 0)
    bits--;
  return bits;
}

static bool excludes_zero(const struct wb_integer *value)
{
  return value->base == WB_NO_REGISTER && 0 - value->low > value->width;
}

/* The bound by one test: that the register is not 0, or not a bit of it alone. *zero: the register
 * of which the bound asks that no thread enters with 0 and goes back; WB_NO_REGISTER: of none. */
static bool bound_by_test(const struct wb_loop_walk *walk, const struct wb_comparison *test,
                          size_t side, const struct wb_integer_state *entry, uint64_t *bound,
                          uint16_t *zero)
{
  const uint16_t number = test->sources[side];
  const uint16_t other = test->sources[1 - side];
  const struct wb_integer *limit = side == 0 ? &test->right : &test->left;
  const bool not_zero = limit->base == WB_NO_REGISTER && limit->low == 0 && limit->width == 0;
  struct clearing clearing = {0};
  if (test->wide || test->relation != WB_RELATION_UNEQUAL || number >= WB_VALUE_SLOTS ||
      !find_clearing(walk, number, &clearing))
    return false;
  const struct wb_warp_block *block = &walk->flow->graph->blocks[clearing.block];
  const bool behind = test->instruction >= clearing.index && test->instruction <= block->last;
  const bool in_front = test->instruction < clearing.index && test->instruction >= block->first;
  const bool two_bits = in_front && other < WB_VALUE_COUNT && !not_zero &&
                        clearing.before.of[other].kind == TERM_BIT &&
                        !wb_registers_written(walk->flow->graph->function, test->instruction,
                                              clearing.index - 1, other);
  if (!not_zero && !two_bits)
    return false;
  const struct wb_integer *start = &entry->registers[number];
  if (wb_integer_is_exact(start)) /* its iterations say more */
    return false;
  const bool may_be_zero = !excludes_zero(start);
  *zero = two_bits && may_be_zero ? number : WB_NO_REGISTER;
  if (!two_bits && !clearing.always && may_be_zero) {
    *bound = 32;
    return true;
  }
  const uint64_t bits = most_bits(start);
  *bound = (behind || two_bits) && bits > 0 ? bits - 1 : bits;
  return true;
}

/* Whether a thread that enters with 0 in the register may go back at once. */
static warpbound_status goes_back_with_zero(struct wb_loop_walk *walk,
                                            const struct wb_integer_state *entry, uint16_t number,
                                            bool *goes_back)
{
  struct wb_integer_state *states = wb_allocate(2, sizeof *states);
  if (states == NULL)
    return wb_out_of_memory(walk->error);
  states[0] = *entry;
  states[0].registers[number] = wb_integer_exactly(0);
  wb_integer_state_forget_comparisons(&states[0]);
  walk->iteration = &states[0];
  walk->back = &states[1];
  walk->goes_back = false;
  walk->visits += wb_loop_walk_visits(walk);
  const warpbound_status status = wb_loop_walk_region(walk);
  *goes_back = walk->goes_back;
  walk->iteration = NULL;
  free(states);
  return status;
}

warpbound_status wb_loop_clears_bits(struct wb_loop_walk *walk,
                                     const struct wb_integer_state *entry, bool *found,
                                     uint64_t *bound)
{
  const struct wb_loop_summary *summary = &walk->summaries[walk->loop];
  warpbound_status status = WARPBOUND_OK;
  *found = false;
  for (size_t t = 0; t < 2 * summary->test_count && status == WARPBOUND_OK; t++) {
    uint64_t one;
    uint16_t zero;
    bool goes_back = false;
    if (!bound_by_test(walk, &summary->tests[t / 2].comparison, t % 2, entry, &one, &zero) ||
        (*found && *bound <= one))
      continue;
    if (zero != WB_NO_REGISTER)
      status = goes_back_with_zero(walk, entry, zero, &goes_back);
    if (goes_back)
      continue;
    *bound = one;
    *found = true;
  }
  return status;
}
