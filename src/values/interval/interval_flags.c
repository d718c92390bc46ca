/* Predicates that are kept in bits of a register, in the domain of strided intervals
 * (doc/loop-bounds.md, "Predicates in bits of a register"). */
#include "values/interval/interval_domain.h"

#include "values/domain.h"

/* Most bits of a register that are kept because they are known to be 0 or 1. */
#define MOST_FIXED 2
/* Most bits that are kept of a word in which predicates are; of a choice of more bits one is. */
#define MOST_TOLD 7

/* ---- the list ---- */

static const struct wb_flag *find_flag(const struct wb_flags *list, uint32_t number, unsigned bit)
{
  for (size_t i = 0; i < list->count; i++) {
    if (list->rows[i].number == number && list->rows[i].bit == bit)
      return &list->rows[i];
  }
  return NULL;
}

static void remove_flag(struct wb_flags *list, size_t row)
{
  list->count--;
  for (size_t i = row; i < list->count; i++)
    list->rows[i] = list->rows[i + 1];
}

static void set_flag(struct wb_flags *list, uint16_t number, unsigned bit,
                     struct wb_implications what)
{
  what.carry = 0; /* the bit is none */
  for (size_t i = list->count; i-- > 0;) {
    if (list->rows[i].number == number && list->rows[i].bit == bit)
      remove_flag(list, i);
  }
  if (number >= WB_VALUE_BUFFERS ||
      (what.truth == WB_TRUTH_UNKNOWN && what.when_true == 0 && what.when_false == 0))
    return;
  if (list->count == WB_FLAG_LIMIT)
    remove_flag(list, 0);
  list->rows[list->count++] = (struct wb_flag){.number = number, .bit = (uint8_t)bit, .what = what};
}

void wb_flags_forget(struct wb_flags *list, uint32_t number)
{
  for (size_t i = list->count; i-- > 0;) {
    if (list->rows[i].number == number)
      remove_flag(list, i);
  }
}

void wb_flags_forget_comparisons(struct wb_flags *list)
{
  const struct wb_flags before = *list;
  list->count = 0;
  for (size_t i = 0; i < before.count; i++) {
    const struct wb_flag *row = &before.rows[i];
    set_flag(list, row->number, row->bit, (struct wb_implications){.truth = row->what.truth});
  }
}

void wb_flags_join(struct wb_flags *list, const struct wb_flags *other)
{
  const struct wb_flags before = *list;
  list->count = 0;
  for (size_t i = 0; i < before.count; i++) {
    struct wb_flag row = before.rows[i];
    const struct wb_flag *its = find_flag(other, row.number, row.bit);
    if (its == NULL)
      continue;
    if (row.what.when_true != its->what.when_true)
      row.what.when_true = 0;
    if (row.what.when_false != its->what.when_false)
      row.what.when_false = 0;
    if (row.what.truth != its->what.truth)
      row.what.truth = WB_TRUTH_UNKNOWN;
    set_flag(list, row.number, row.bit, row.what);
  }
}

bool wb_flags_same_truths(const struct wb_flags *a, const struct wb_flags *b)
{
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = a->rows[i].number == b->rows[i].number && a->rows[i].bit == b->rows[i].bit &&
           a->rows[i].what.truth == b->rows[i].what.truth;
  return same;
}

bool wb_flags_are_valid(const struct wb_flags *list, size_t comparisons)
{
  for (size_t i = 0; i < list->count && list->count <= WB_FLAG_LIMIT; i++) {
    const struct wb_flag *row = &list->rows[i];
    if (row->number >= WB_VALUE_BUFFERS || row->bit > 31 || row->what.carry != 0 ||
        row->what.when_true >= comparisons || row->what.when_false >= comparisons ||
        row->what.truth > WB_TRUTH_TRUE || find_flag(list, row->number, row->bit) != row)
      return false;
  }
  return list->count <= WB_FLAG_LIMIT;
}

/* ---- writes ---- */

static bool writes(const struct wb_interval_context *context, uint32_t number)
{
  return wb_registers_written(context->function, context->index, context->index, number);
}

/* What a word is of the bits of one register: at each place 0, 1, the bit or its complement. */
struct made {
  uint16_t from; /* WB_NO_REGISTER: of none */
  uint32_t of_zeros, of_ones;
};

static bool find_made(const struct wb_interval_context *context,
                      const struct wb_micro_operation *operation, struct made *made)
{
  struct wb_integer values[3];
  unsigned variable = 3;
  *made = (struct made){.from = WB_NO_REGISTER};
  if (operation->kind == WB_MICRO_COPY) {
    *made = (struct made){wb_interval_source_register(&operation->sources[0]), 0, UINT32_MAX};
    return made->from != WB_NO_REGISTER;
  }
  if (operation->kind != WB_MICRO_LOOKUP)
    return false;
  for (unsigned v = 0; v < 3; v++) {
    const struct wb_source *source = &operation->sources[v];
    const bool number = source->kind == WB_SOURCE_NUMBER || source->kind == WB_SOURCE_NONE;
    values[v] = number ? wb_interval_word(context, source) : wb_integer_top();
    if (number)
      continue;
    if (variable < 3 || wb_interval_source_register(source) == WB_NO_REGISTER)
      return false;
    variable = v;
  }
  if (variable == 3)
    return false;
  values[variable] = wb_integer_exactly(0);
  const struct wb_integer of_zeros = wb_integer_lookup(values, operation->table);
  values[variable] = wb_integer_exactly(UINT32_MAX);
  const struct wb_integer of_ones = wb_integer_lookup(values, operation->table);
  *made = (struct made){operation->sources[variable].number, of_zeros.low, of_ones.low};
  return wb_integer_is_exact(&of_zeros) && wb_integer_is_exact(&of_ones);
}

static struct wb_implications known(bool is_set)
{
  return (struct wb_implications){.truth = is_set ? WB_TRUTH_TRUE : WB_TRUTH_FALSE};
}

/* What held of a bit of a register before the instruction. */
static struct wb_implications bit_before(const struct wb_interval_context *context, uint16_t number,
                                         unsigned bit)
{
  const struct wb_flag *row = find_flag(&context->kept_flags, number, bit);
  return row != NULL ? row->what : (struct wb_implications){0};
}

/* The bits that the instruction leaves to those that skip it, as they do it: of a register that it
 * changes in place. Where the bit was known, and is the other one now, it tells the guard. */
static void keep_in_place(struct wb_interval_context *context, const struct made *made,
                          uint16_t number)
{
  struct wb_flags *list = &context->state->flags;
  struct wb_implications guard = context->state->predicates[context->guard];
  if (writes(context, wb_predicate_register(context->guard)))
    return;
  if (!context->guard_when)
    guard = wb_implications_not(guard);
  for (unsigned bit = 0; bit < 32; bit++) {
    const bool zero = (made->of_zeros >> bit & 1U) != 0;
    const bool one = (made->of_ones >> bit & 1U) != 0;
    const struct wb_implications before = bit_before(context, number, bit);
    if (!zero && one)
      set_flag(list, number, bit, before);
    else if (zero && one && before.truth == WB_TRUTH_FALSE)
      set_flag(list, number, bit, guard);
    else if (!zero && !one && before.truth == WB_TRUTH_TRUE)
      set_flag(list, number, bit, wb_implications_not(guard));
  }
}

/* The bits that a word may have set, by its value alone. */
static uint32_t possible_bits(const struct wb_integer *value)
{
  const uint32_t most = value->low + value->width;
  uint32_t bits = 0;
  if (wb_integer_is_exact(value))
    return value->low;
  if (value->base != WB_NO_REGISTER || most < value->low)
    return UINT32_MAX;
  while (bits < most)
    bits = bits << 1 | 1;
  /* All numbers are low and multiples of the stride. */
  const uint32_t below = (UINT32_C(1) << value->align) - 1;
  return (bits & ~below) | (value->low & below);
}

/* What is known of the bits of a word, by place. */
struct bits {
  struct wb_implications at[32];
};

static void find_bits(const struct wb_interval_context *context, const struct wb_micro_code *code,
                      const struct wb_source *source, unsigned depth, struct bits *bits);

/* The bits of a sum, to which no two words bring the same bit. */
static void find_bits_of_sum(const struct wb_interval_context *context,
                             const struct wb_micro_code *code, const struct wb_micro_operation *sum,
                             unsigned depth, struct bits *bits)
{
  uint32_t brought[3] = {0};
  uint32_t all = 0;
  for (size_t s = 0; s < 5; s++) {
    const struct wb_source *source = &sum->sources[s];
    if (source->kind == WB_SOURCE_NONE)
      continue;
    if (s > 2 || source->negated || source->complemented || source->kind == WB_SOURCE_REGISTER)
      return;
    const struct wb_integer value = wb_interval_plain_word(context, source);
    brought[s] = possible_bits(&value);
    if ((all & brought[s]) != 0)
      return;
    all |= brought[s];
  }
  for (unsigned bit = 0; bit < 32; bit++)
    bits->at[bit] = known(false);
  for (size_t s = 0; s < 3; s++) {
    struct bits word;
    if (brought[s] != 0)
      find_bits(context, code, &sum->sources[s], depth, &word);
    for (unsigned bit = 0; bit < 32 && brought[s] != 0; bit++) {
      if ((brought[s] >> bit & 1U) != 0)
        bits->at[bit] = word.at[bit];
    }
  }
}

/* The bits of a choice between two numbers. */
static void find_bits_of_choice(const struct wb_interval_context *context,
                                const struct wb_micro_code *code,
                                const struct wb_micro_operation *choice, unsigned depth,
                                struct bits *bits)
{
  const struct wb_source *by = &choice->sources[2];
  const bool lost = by->kind == WB_SOURCE_PREDICATE && writes(context, by->number);
  const struct wb_implications predicate =
      lost ? (struct wb_implications){0} : wb_interval_predicate(context, by);
  struct bits other;
  find_bits(context, code, &choice->sources[0], depth, bits);
  find_bits(context, code, &choice->sources[1], depth, &other);
  for (unsigned bit = 0; bit < 32; bit++) {
    struct wb_implications *a = &bits->at[bit];
    const struct wb_implications *b = &other.at[bit];
    if (a->truth == WB_TRUTH_UNKNOWN || b->truth == WB_TRUTH_UNKNOWN)
      *a = (struct wb_implications){0};
    else if (a->truth != b->truth)
      *a = a->truth == WB_TRUTH_TRUE ? predicate : wb_implications_not(predicate);
  }
}

/* What is known of the bits of a source, behind which all results are. */
static void find_bits(const struct wb_interval_context *context, const struct wb_micro_code *code,
                      const struct wb_source *source, unsigned depth, struct bits *bits)
{
  struct made made;
  *bits = (struct bits){0};
  if (source->negated || source->complemented || depth == 0)
    return;
  for (unsigned bit = 0; bit < 32 && source->kind == WB_SOURCE_NUMBER; bit++)
    bits->at[bit] = known((source->value >> bit & 1U) != 0);
  for (unsigned bit = 0; bit < 32 && source->kind == WB_SOURCE_REGISTER; bit++)
    bits->at[bit] = bit_before(context, source->number, bit);
  if (source->kind != WB_SOURCE_RESULT)
    return;
  const struct wb_micro_operation *operation = &code->operations[source->number];
  if (operation->kind == WB_MICRO_ADD) {
    find_bits_of_sum(context, code, operation, depth - 1, bits);
    return;
  }
  if (operation->kind == WB_MICRO_SELECT) {
    find_bits_of_choice(context, code, operation, depth - 1, bits);
    return;
  }
  if (!find_made(context, operation, &made))
    return;
  for (unsigned bit = 0; bit < 32; bit++) {
    const bool zero = (made.of_zeros >> bit & 1U) != 0;
    const bool one = (made.of_ones >> bit & 1U) != 0;
    const struct wb_implications before = bit_before(context, made.from, bit);
    bits->at[bit] = zero == one ? known(zero) : zero ? wb_implications_not(before) : before;
  }
}

/* Operations that are looked through, one behind the other. */
#define MOST_DEPTH 10

/* Whether a result may have bits of which something is known: most have none. */
static bool may_tell(const struct wb_interval_context *context,
                     const struct wb_micro_operation *operation)
{
  const struct wb_source *sources = operation->sources;
  switch (operation->kind) {
  case WB_MICRO_COPY:
    return sources[0].kind == WB_SOURCE_REGISTER && context->kept_flags.count > 0;
  case WB_MICRO_ADD:
    return sources[0].kind != WB_SOURCE_REGISTER && sources[1].kind != WB_SOURCE_REGISTER &&
           sources[2].kind != WB_SOURCE_REGISTER;
  case WB_MICRO_LOOKUP:
    return true;
  case WB_MICRO_SELECT:
    return context->kept_flags.count > 0 ||
           (sources[0].kind != WB_SOURCE_REGISTER && sources[1].kind != WB_SOURCE_REGISTER);
  default:
    return false;
  }
}

void wb_interval_keep_flags(struct wb_interval_context *context, const struct wb_micro_code *code,
                            size_t index, uint16_t number)
{
  const struct wb_source result = {
      .kind = WB_SOURCE_RESULT, .number = (uint16_t)index, .index = WB_NO_REGISTER};
  struct bits bits;
  unsigned fixed = 0;
  unsigned told = 0;
  struct made made;
  if (number >= WB_VALUE_BUFFERS || !may_tell(context, &code->operations[index]))
    return;
  if (context->guarded) {
    const bool by_lanes = number >= WB_REGISTER_UNIFORM && context->guard < WB_PREDICATE_COUNT;
    if (context->guard < WB_TRUTH_COUNT && !by_lanes &&
        find_made(context, &code->operations[index], &made) && made.from == number)
      keep_in_place(context, &made, number);
    return;
  }
  find_bits(context, code, &result, MOST_DEPTH, &bits);
  for (unsigned bit = 0; bit < 32; bit++) {
    fixed += bits.at[bit].truth != WB_TRUTH_UNKNOWN;
    told += bits.at[bit].when_true != 0 || bits.at[bit].when_false != 0;
  }
  if (fixed == 0 && told == 0)
    return; /* what was known of the register has been forgotten */
  for (unsigned bit = 0; bit < 32; bit++) {
    const bool tells = bits.at[bit].when_true != 0 || bits.at[bit].when_false != 0;
    if (bits.at[bit].truth != WB_TRUTH_UNKNOWN && fixed > MOST_FIXED)
      continue;
    set_flag(&context->state->flags, number, bit, bits.at[bit]);
    if (tells && told > MOST_TOLD && code->operations[index].kind == WB_MICRO_SELECT)
      break;
  }
}

/* ---- reads ---- */

/* The place of the only bit that is set; 32: it is none. */
static unsigned only_bit(uint32_t bits)
{
  unsigned place = 0;
  if (bits == 0 || (bits & (bits - 1)) != 0)
    return 32;
  while ((bits >> place & 1U) == 0)
    place++;
  return place;
}

/* The bit of a register that decides whether a source is 0; false where there is none. */
static bool find_bit(const struct wb_interval_context *context, const struct wb_micro_code *code,
                     const struct wb_source *source, uint16_t *number, unsigned *bit)
{
  unsigned place = 0;
  bool alone = false; /* the bit at that place of the source */
  for (unsigned depth = 0; depth < MOST_DEPTH && source->kind == WB_SOURCE_RESULT; depth++) {
    const struct wb_micro_operation *operation = &code->operations[source->number];
    if (source->negated || source->complemented || operation->kind != WB_MICRO_EXTRACT ||
        operation->as_signed || (alone ? place >= operation->bits : operation->bits != 1))
      return false;
    place += operation->place;
    alone = true;
    source = &operation->sources[0];
  }
  *number = wb_interval_source_register(source);
  *bit = place;
  if (*number == WB_NO_REGISTER || place > 31)
    return false;
  if (alone)
    return true;
  const uint32_t bits = possible_bits(&context->state->registers[*number]);
  *bit = only_bit(bits);
  return *bit < 32;
}

/* What a source that is not 0 says: it is that mask, if any, or else a bit. */
static struct wb_implications flag_of(const struct wb_interval_context *context,
                                      const struct wb_micro_code *code,
                                      const struct wb_source *source, const struct wb_mask *mask)
{
  uint16_t number = mask->number;
  unsigned bit = only_bit(mask->bits);
  const struct wb_flag *flag = NULL;
  if (mask->number != WB_NO_REGISTER ? bit < 32 : find_bit(context, code, source, &number, &bit))
    flag = find_flag(&context->state->flags, number, bit);
  if (flag == NULL)
    return (struct wb_implications){0};
  return mask->number != WB_NO_REGISTER && mask->complemented ? wb_implications_not(flag->what)
                                                              : flag->what;
}

void wb_interval_add_flag(struct wb_interval_context *context, const struct wb_micro_code *code,
                          const struct wb_micro_operation *operation,
                          const struct wb_comparison *row, struct wb_implications *outcome)
{
  const bool unequal = row->relation == WB_RELATION_UNEQUAL;
  const struct wb_integer *right = &row->right;
  if ((!unequal && row->relation != WB_RELATION_EQUAL) || !wb_integer_is_exact(right) ||
      right->low != 0)
    return;
  struct wb_implications flag = flag_of(context, code, &operation->sources[0], &row->masks[0]);
  if (!unequal)
    flag = wb_implications_not(flag);
  if (outcome->truth == WB_TRUTH_UNKNOWN)
    outcome->truth = flag.truth;
  outcome->when_true =
      wb_comparisons_concatenate(context->comparisons, outcome->when_true, flag.when_true);
  outcome->when_false =
      wb_comparisons_concatenate(context->comparisons, outcome->when_false, flag.when_false);
}
