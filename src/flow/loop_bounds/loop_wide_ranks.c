#include "flow/loop_bounds/loop_wide_ranks.h"

#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>

#define WORD ((uint64_t)1 << 32)
/* Numbers that are added to a rank are smaller. */
#define NUMBER_LIMIT ((int64_t)1 << 40)

static const struct wb_rank_range everything = {0, WB_RANK_UNKNOWN, true};

/* ---- values ---- */

static struct wb_integer word_of(const struct wb_turns *turns, uint16_t symbol,
                                 const struct wb_integer *registers)
{
  if (symbol < WB_SYMBOL_CONSTANT)
    return registers[symbol];
  if (symbol >= WB_SYMBOL_SHIFTED)
    return wb_integer_top();
  const uint32_t place = turns->constants[symbol - WB_SYMBOL_CONSTANT];
  return wb_launch_constant(turns->launch, turns->function, place >> 16, place & UINT16_MAX);
}

/* The symbol of the upper word that belongs to a term, which is a lower one; the term itself where
 * there is none. */
static size_t upper_of(const struct wb_exact *form, size_t term)
{
  for (size_t t = 0; t < form->count; t++) {
    if (form->terms[t].factor == form->terms[term].factor * WORD)
      return t;
  }
  return term;
}

/* Whether a symbol of that turn is a shifted number of 64 bits, and no word. */
static bool is_whole(const struct wb_turn *turn, uint16_t symbol)
{
  for (size_t p = 0; p < turn->part_count; p++) {
    const struct wb_exact_part *part = &turn->parts[p];
    if (part->is_lower && part->places > 0 &&
        (part->whole[0] == symbol || part->whole[1] == symbol))
      return true;
  }
  return false;
}

/* The number of a form of words at the header, or of a turn. */
static struct wb_wide value_of(const struct wb_turns *turns, const struct wb_turn *turn,
                               const struct wb_exact *form, const struct wb_integer *registers)
{
  struct wb_wide sum = wb_wide_exactly(form->number);
  bool used[WB_EXACT_TERMS] = {false};
  for (size_t t = 0; t < form->count; t++) {
    const uint64_t factor = form->terms[t].factor;
    if ((factor != 1 && factor != UINT64_MAX) ||
        (turn != NULL && is_whole(turn, form->terms[t].symbol)))
      continue;
    const size_t upper = upper_of(form, t);
    const struct wb_integer low = word_of(turns, form->terms[t].symbol, registers);
    const struct wb_integer high = upper != t && !used[upper]
                                       ? word_of(turns, form->terms[upper].symbol, registers)
                                       : wb_integer_exactly(0);
    const struct wb_wide number = wb_wide_of_words(&low, &high);
    used[t] = used[upper] = true;
    sum = factor == 1 ? wb_wide_add(&sum, &number) : wb_wide_subtract(&sum, &number);
  }
  for (size_t t = 0; t < form->count; t++) {
    if (!used[t])
      return wb_wide_top();
  }
  return sum;
}

static void meet(struct wb_rank_range *range, int64_t low, int64_t high, bool by_width)
{
  range->low = low > range->low ? low : range->low;
  if (high < range->high) {
    range->high = high;
    range->by_width = by_width;
  }
}

/* ---- tests ---- */

/* "difference" is in the range where the test holds; `reversed`: the other difference of the two,
 * for a test that says something of both. False where it says nothing. */
static bool test_range(const struct wb_turns *turns, const struct wb_turn *turn,
                       const struct wb_integer *within, const struct wb_turn_wide_test *test,
                       bool reversed, struct wb_exact *difference, struct wb_rank_range *range)
{
  const enum wb_relation relation = (enum wb_relation)test->relation;
  const bool greater = relation == WB_RELATION_GREATER || relation == WB_RELATION_AT_LEAST;
  const bool equality = relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL;
  const struct wb_exact *small = greater != reversed ? &test->right : &test->left;
  const struct wb_exact *great = greater != reversed ? &test->left : &test->right;
  *range = everything;
  if ((reversed && !equality) || !wb_exact_add(great, small, UINT64_MAX, difference))
    return false;
  if (relation == WB_RELATION_EQUAL) {
    *range = (struct wb_rank_range){0, 0, false};
  } else if (relation == WB_RELATION_UNEQUAL) {
    range->low = 1;
  } else {
    const struct wb_wide values[2] = {value_of(turns, turn, small, within),
                                      value_of(turns, turn, great, within)};
    struct wb_integer_end ends[4];
    range->low = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
    if (wb_wide_ends(&values[0], test->as_signed, &ends[0], &ends[1]) &&
        wb_wide_ends(&values[1], test->as_signed, &ends[2], &ends[3]))
      meet(range, ends[2].number - ends[1].number, ends[3].number - ends[0].number,
           ends[3].by_width || ends[0].by_width);
  }
  return true;
}

/* Whether left - right is one number, a small one. */
static bool differs_by(const struct wb_exact *left, const struct wb_exact *right, int64_t *number)
{
  struct wb_exact rest;
  if (!wb_exact_add(left, right, UINT64_MAX, &rest) || rest.count > 0)
    return false;
  *number = (int64_t)rest.number;
  return *number > -NUMBER_LIMIT && *number < NUMBER_LIMIT;
}

/* Narrows the range of a form by that of another one, which is more by a number alone. */
static void narrow(const struct wb_exact *form, const struct wb_exact *difference,
                   const struct wb_rank_range *by, struct wb_rank_range *range)
{
  int64_t offset;
  if (!differs_by(difference, form, &offset))
    return;
  const bool open = by->high == WB_RANK_UNKNOWN;
  if (by->low - offset >= 0 && (!open || offset >= 0))
    meet(range, by->low - offset, open ? WB_RANK_UNKNOWN : by->high - offset, by->by_width);
}

/* ---- turns ---- */

/* M at the end of a turn, by the words of registers at the end. */
static bool next_of(const struct wb_turns *turns, const struct wb_turn *turn,
                    const struct wb_exact *form, struct wb_exact *next)
{
  *next = wb_exact_number(form->number);
  for (size_t t = 0; t < form->count; t++) {
    const struct wb_exact_term *term = &form->terms[t];
    struct wb_exact word = wb_exact_symbol(term->symbol);
    if ((term->symbol < WB_SYMBOL_CONSTANT &&
         !wb_turn_exact_next(turns, turn, term->symbol, &word)) ||
        !wb_exact_add(next, &word, term->factor, next))
      return false;
    wb_exact_unite(turn->parts, turn->part_count, next);
  }
  return true;
}

/* Whether M at the end is what struct wb_wide_turn can say. */
static bool is_told(const struct wb_exact *form, const struct wb_exact *next,
                    struct wb_wide_turn *of)
{
  const struct wb_exact zero = wb_exact_number(0);
  of->whole = differs_by(next, form, &of->number);
  return of->whole || differs_by(next, &zero, &of->number);
}

/* Whether the symbol is the highest bit of the form's number. */
static bool is_sign_of(const struct wb_turn *turn, const struct wb_exact *form, uint16_t symbol)
{
  for (size_t p = 0; p < turn->part_count; p++) {
    const struct wb_exact_part *part = &turn->parts[p];
    if (part->symbol == symbol)
      return !part->is_lower && part->places == 31 && !part->as_signed && part->is_upper &&
             wb_exact_equal(&part->upper, form);
  }
  return false;
}

/* Whether a number is that of the form and another one, and perhaps the form's highest bit, which
 * division by 2 towards 0 adds. */
static bool is_near(const struct wb_turn *turn, const struct wb_exact *number,
                    const struct wb_exact *form, struct wb_wide_turn *of)
{
  struct wb_exact rest;
  of->plus_sign = false;
  if (differs_by(number, form, &of->offset))
    return true;
  if (!wb_exact_add(number, form, UINT64_MAX, &rest) || rest.count != 1 ||
      rest.terms[0].factor != 1 || !is_sign_of(turn, form, rest.terms[0].symbol))
    return false;
  of->plus_sign = true;
  of->offset = (int64_t)rest.number;
  return of->offset > -NUMBER_LIMIT && of->offset < NUMBER_LIMIT;
}

/* The same with a part of it shifted to the right. */
static bool is_shifted(const struct wb_turn *turn, const struct wb_exact *form,
                       const struct wb_exact *next, struct wb_wide_turn *of)
{
  for (size_t p = 0; p < 2 * turn->part_count; p++) {
    const struct wb_exact_part *part = &turn->parts[p / 2];
    const struct wb_exact whole = wb_exact_symbol(part->whole[p % 2]);
    const uint64_t factor =
        part->is_lower && part->places > 0 ? wb_exact_factor(next, part->whole[p % 2]) : 0;
    struct wb_exact rest;
    if ((factor != 1 && factor != UINT64_MAX) || !is_near(turn, &part->of, form, of) ||
        !wb_exact_add(next, &whole, 0 - factor, &rest) || !is_told(form, &rest, of))
      continue;
    of->sign = factor == 1 ? 1 : -1;
    of->places = part->places;
    of->as_signed = p % 2 != 0;
    /* It grows with M, and so does what it takes from M. */
    return of->whole == (of->sign < 0);
  }
  return false;
}

static void prepare_turn(const struct wb_turns *turns, const struct wb_integer *within,
                         size_t number, struct wb_wide_rank *rank)
{
  const struct wb_turn *turn = &turns->turns[number];
  struct wb_wide_turn *of = &rank->of[number];
  struct wb_exact next;
  *of = (struct wb_wide_turn){.before = everything, .after = everything};
  const bool known = next_of(turns, turn, &rank->form, &next);
  of->told = known && (is_told(&rank->form, &next, of) || is_shifted(turn, &rank->form, &next, of));
  for (size_t t = 0; t < 2 * turn->wide_test_count; t++) {
    struct wb_exact difference;
    struct wb_rank_range range;
    if (!test_range(turns, turn, within, &turn->wide_tests[t / 2], t % 2 != 0, &difference, &range))
      continue;
    narrow(&rank->form, &difference, &range, &of->before);
    if (known)
      narrow(&next, &difference, &range, &of->after);
  }
}

/* ---- candidates ---- */

static bool is_of_header(const struct wb_exact *form)
{
  return form->count == 0 || form->terms[form->count - 1].symbol < WB_SYMBOL_SHIFTED;
}

static void add_candidate(const struct wb_exact *form, struct wb_wide_rank *ranks, size_t *count)
{
  if (form->count == 0 || !is_of_header(form) || *count == WB_WIDE_RANK_LIMIT)
    return;
  for (size_t c = 0; c < *count; c++) {
    if (wb_exact_equal(&ranks[c].form, form))
      return;
  }
  ranks[(*count)++].form = *form;
}

enum { SIDE_LIMIT = 4 };

/* Numbers at the header that are, but for a number, that side of a test at the end of the turn. */
static size_t forms_of_side(const struct wb_turns *turns, const struct wb_turn *turn,
                            const struct wb_exact *side, struct wb_exact forms[SIDE_LIMIT])
{
  size_t count = 0;
  if (is_of_header(side))
    forms[count++] = *side;
  for (size_t r = 0; r < turns->register_count * turns->register_count && side->count > 0; r++) {
    const size_t low = r / turns->register_count;
    const size_t high = r % turns->register_count;
    const struct wb_exact upper = wb_exact_symbol(turns->registers[high]);
    struct wb_exact number;
    int64_t offset;
    if (low == high || count == SIDE_LIMIT ||
        !wb_exact_pair(turn->parts, turn->part_count, &turn->exact[low], &turn->exact[high],
                       &number) ||
        !differs_by(&number, side, &offset))
      continue;
    forms[count] = wb_exact_symbol(turns->registers[low]);
    count += wb_exact_add(&forms[count], &upper, WORD, &forms[count]);
  }
  return count;
}

static size_t find_candidates(const struct wb_turns *turns, struct wb_wide_rank *ranks)
{
  size_t count = 0;
  for (size_t t = 0; t < turns->count; t++) {
    const struct wb_turn *turn = &turns->turns[t];
    for (size_t n = 0; n < turn->wide_test_count; n++) {
      const struct wb_turn_wide_test *test = &turn->wide_tests[n];
      struct wb_exact sides[2][SIDE_LIMIT];
      const size_t left = forms_of_side(turns, turn, &test->left, sides[0]);
      const size_t right = forms_of_side(turns, turn, &test->right, sides[1]);
      for (size_t i = 0; i < left * right; i++) {
        const struct wb_exact *a = &sides[0][i / right];
        const struct wb_exact *b = &sides[1][i % right];
        struct wb_exact difference;
        if (test->relation != WB_RELATION_GREATER && test->relation != WB_RELATION_AT_LEAST &&
            wb_exact_add(b, a, UINT64_MAX, &difference))
          add_candidate(&difference, ranks, &count);
        if (test->relation != WB_RELATION_LESS && test->relation != WB_RELATION_AT_MOST &&
            wb_exact_add(a, b, UINT64_MAX, &difference))
          add_candidate(&difference, ranks, &count);
      }
    }
  }
  return count;
}

/* What the state at all entries knows of M: by its registers, and where it is the difference of two
 * pairs and a number, by that. */
static struct wb_rank_range start_of(const struct wb_turns *turns, const struct wb_exact *form,
                                     const struct wb_integer_state *entry)
{
  const struct wb_wide start = value_of(turns, NULL, form, entry->registers);
  struct wb_register_pair pairs[2]; /* that is added, and that is taken away */
  bool found[2] = {false, false};
  struct wb_rank_range range = everything;
  struct wb_integer_end low;
  struct wb_integer_end high;
  if (wb_wide_ends(&start, false, &low, &high))
    meet(&range, low.number, high.number, high.by_width);
  for (size_t t = 0; t < form->count; t++) {
    const struct wb_exact_term *term = &form->terms[t];
    const size_t upper = upper_of(form, t);
    const size_t side = term->factor != 1;
    if ((term->factor != 1 && term->factor != UINT64_MAX) || upper == t || found[side] ||
        term->symbol >= WB_VALUE_BUFFERS || form->terms[upper].symbol >= WB_VALUE_BUFFERS)
      continue;
    pairs[side] = (struct wb_register_pair){term->symbol, form->terms[upper].symbol};
    found[side] = true;
  }
  struct wb_wide difference;
  const struct wb_wide number = wb_wide_exactly(form->number);
  if (form->count != 4 || !found[0] || !found[1] ||
      !wb_wide_difference_find(&entry->wide_differences, pairs[0], pairs[1], &difference))
    return range;
  difference = wb_wide_add(&difference, &number);
  if (wb_wide_ends(&difference, false, &low, &high))
    meet(&range, low.number, high.number, high.by_width);
  return range;
}

size_t wb_wide_ranks_find(const struct wb_turns *turns, const struct wb_integer_state *entry,
                          const struct wb_integer *within,
                          struct wb_wide_rank ranks[WB_WIDE_RANK_LIMIT])
{
  const size_t count = find_candidates(turns, ranks);
  for (size_t c = 0; c < count; c++) {
    ranks[c].start = start_of(turns, &ranks[c].form, entry);
    for (size_t t = 0; t < turns->count; t++)
      prepare_turn(turns, within, t, &ranks[c]);
  }
  return count;
}

/* ---- shifts ---- */

/* Lemma 20. */
bool wb_wide_rank_shifts(const struct wb_wide_rank *rank, size_t turns, uint64_t *most)
{
  unsigned bits = 0; /* M is below 2^bits at the entries */
  unsigned places = 64;
  bool after = true; /* each turn ends with M > 0 */
  while (bits < 63 && rank->start.high >> bits > 0)
    bits++;
  if (rank->start.high == WB_RANK_UNKNOWN)
    bits = 64;
  for (size_t t = 0; t < turns; t++) {
    const struct wb_wide_turn *of = &rank->of[t];
    if (!of->told || of->whole || of->as_signed || of->plus_sign || of->sign != 1 ||
        of->offset != 0 || of->number != 0 || of->places == 0 ||
        (of->before.low < 1 && of->after.low < 1))
      return false;
    after = after && of->after.low >= 1;
    places = of->places < places ? of->places : places;
  }
  *most = bits == 0 ? 0 : (uint64_t)(bits - 1) / places + !after;
  return turns > 0;
}

/* ---- text ---- */

static void write_word(struct wb_text *text, const struct wb_turns *turns, uint16_t symbol)
{
  char name[8];
  if (symbol < WB_SYMBOL_CONSTANT) {
    wb_register_name(symbol, name);
    wb_text_string(text, name);
  } else {
    const uint32_t place = turns->constants[symbol - WB_SYMBOL_CONSTANT];
    wb_text_format(text, "c[0x%" PRIx32 "][0x%" PRIx32 "]", place >> 16, place & UINT16_MAX);
  }
}

void wb_wide_rank_write(struct wb_text *text, const struct wb_turns *turns,
                        const struct wb_exact *form)
{
  bool first = form->number == 0;
  if (!first)
    wb_text_format(text, "%" PRId64, (int64_t)form->number);
  /* What is added stands before what is taken away. */
  for (size_t t = 0; t < 2 * (size_t)form->count; t++) {
    const bool negative = t >= form->count;
    const size_t term = negative ? t - form->count : t;
    if (form->terms[term].factor != (negative ? UINT64_MAX : 1))
      continue;
    const size_t upper = upper_of(form, term);
    wb_text_string(text, !first ? negative ? " - " : " + " : negative ? "-" : "");
    first = false;
    if (upper != term) {
      write_word(text, turns, form->terms[upper].symbol);
      wb_text_string(text, ":");
    }
    write_word(text, turns, form->terms[term].symbol);
  }
}
