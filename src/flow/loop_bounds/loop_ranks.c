#include "flow/loop_bounds/loop_ranks.h"

#include "base/text.h"
#include "flow/loop_bounds/loop_wide_ranks.h"
#include "isa/opcode.h"
#include "values/interval/launch_values.h"

#include <inttypes.h>

enum { CANDIDATE_LIMIT = 24, SIDE_LIMIT = 5, FOLLOWED_TURNS = 70 };

/* Numbers of 64 bits are told from others below it. */
#define WIDE_MODULUS ((int64_t)1 << 60)

static const struct wb_rank_range everything = {0, UINT32_MAX, true};
static const struct wb_rank_range nothing = {1, 0, false};

static bool is_empty(const struct wb_rank_range *range)
{
  return range->low > range->high;
}

static void meet(struct wb_rank_range *range, int64_t low, int64_t high, bool by_width)
{
  range->low = low > range->low ? low : range->low;
  if (high < range->high || (high == range->high && !by_width)) {
    range->high = high;
    range->by_width = by_width;
  }
}

static void extend(struct wb_rank_range *range, const struct wb_rank_range *by)
{
  if (is_empty(by))
    return;
  if (is_empty(range)) {
    *range = *by;
    return;
  }
  range->low = by->low < range->low ? by->low : range->low;
  range->by_width = by->high > range->high   ? by->by_width
                    : by->high < range->high ? range->by_width
                                             : range->by_width || by->by_width;
  range->high = by->high > range->high ? by->high : range->high;
}

/* A rank M, a form over registers at the header, and what it is in one turn: M at
 * its start and its end, where the turn can be taken. */
struct rank_turn {
  struct wb_form next;         /* M at the end */
  struct wb_rank_range before; /* of M at the start */
  struct wb_rank_range after;  /* of M at the end */
  bool told;                   /* `next` is known */
};

struct rank {
  const struct wb_turns *turns;
  const struct wb_integer *within;
  const struct wb_wide_rank *wide; /* the form, where it is one of 64 bits */
  struct wb_form form;
  struct wb_rank_range start; /* M at the entries */
  int64_t modulus;            /* M is a word below it; of 64 bits, a number is told below it */
  struct rank_turn of[WB_TURN_LIMIT];
};

/* ---- values of forms ---- */

/* The word of a form; registers: at the header. turn: NULL where the form has no symbol of a
 * turn. */
static struct wb_integer value_of(const struct wb_turns *turns, const struct wb_turn *turn,
                                  const struct wb_form *form, const struct wb_integer *registers)
{
  struct wb_integer sum = wb_integer_exactly(form->number);
  for (size_t t = 0; t < form->count; t++) {
    const uint16_t symbol = form->terms[t].symbol;
    const struct wb_integer factor = wb_integer_exactly(form->terms[t].factor);
    struct wb_integer value = wb_integer_top();
    if (symbol < WB_SYMBOL_CONSTANT) {
      value = registers[symbol];
    } else if (symbol < WB_SYMBOL_SHIFTED) {
      const uint32_t place = turns->constants[symbol - WB_SYMBOL_CONSTANT];
      value = wb_launch_constant(turns->launch, turns->function, place >> 16, place & UINT16_MAX);
    } else if (symbol < WB_SYMBOL_ANY && turn != NULL) {
      const struct wb_form_shift *shift = &turn->shifts[symbol - WB_SYMBOL_SHIFTED];
      value = value_of(turns, turn, &shift->of, registers);
      value = wb_integer_shift_right(&value, shift->places, shift->as_signed);
    }
    if (factor.low == UINT32_MAX) {
      sum = wb_integer_subtract(&sum, &value);
    } else {
      value = factor.low == 1 ? value : wb_integer_product(&factor, &value);
      sum = wb_integer_add(&sum, &value);
    }
  }
  return sum;
}

/* ---- what tests say of a rank ---- */

/* "difference" is in the range where the test holds; `reversed` takes the other difference of the
 * two for a test that says something of both. False where it says nothing. */
static bool test_range(const struct rank *rank, const struct wb_turn *turn,
                       const struct wb_turn_test *test, bool reversed, struct wb_form *difference,
                       struct wb_rank_range *range)
{
  const enum wb_relation relation = (enum wb_relation)test->relation;
  const bool greater = relation == WB_RELATION_GREATER || relation == WB_RELATION_AT_LEAST;
  const bool equality = relation == WB_RELATION_EQUAL || relation == WB_RELATION_UNEQUAL;
  if (reversed && !equality)
    return false;
  const struct wb_form *small = greater != reversed ? &test->right : &test->left;
  const struct wb_form *great = greater != reversed ? &test->left : &test->right;
  if (!wb_form_add(great, small, UINT32_MAX, difference))
    return false;
  *range = everything;
  if (relation == WB_RELATION_EQUAL) {
    *range = (struct wb_rank_range){0, 0, false};
  } else if (relation == WB_RELATION_UNEQUAL) {
    range->low = 1;
  } else {
    const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
    const struct wb_integer below = value_of(rank->turns, turn, small, rank->within);
    const struct wb_integer above = value_of(rank->turns, turn, great, rank->within);
    struct wb_integer_end ends[4];
    wb_integer_ends(&below, test->as_signed, &ends[0], &ends[1]);
    wb_integer_ends(&above, test->as_signed, &ends[2], &ends[3]);
    meet(range, strict, ends[3].number - ends[0].number, ends[3].by_width || ends[0].by_width);
    meet(range, ends[2].number - ends[1].number, UINT32_MAX, true);
  }
  return true;
}

/* Narrows the range of a form by that of another one from which it differs by a number alone. */
static void narrow(const struct wb_form *form, const struct wb_form *difference,
                   const struct wb_rank_range *by, struct wb_rank_range *range)
{
  struct wb_form rest;
  if (!wb_form_add(difference, form, UINT32_MAX, &rest) || rest.count > 0)
    return;
  const int64_t offset = (int32_t)rest.number;
  if (by->low - offset >= 0 && by->high - offset <= (int64_t)UINT32_MAX)
    meet(range, by->low - offset, by->high - offset, by->by_width);
}

/* Finds M at the end of a turn, and the ranges. */
static void prepare_turn(struct rank *rank, size_t number)
{
  const struct wb_turn *turn = &rank->turns->turns[number];
  struct rank_turn *of = &rank->of[number];
  *of = (struct rank_turn){.next = wb_form_number(rank->form.number),
                           .before = everything,
                           .after = everything,
                           .told = true};
  for (size_t t = 0; t < rank->form.count && of->told; t++) {
    const struct wb_form_term *term = &rank->form.terms[t];
    struct wb_form next = wb_form_symbol(term->symbol);
    of->told = (term->symbol >= WB_SYMBOL_CONSTANT ||
                wb_turn_next(rank->turns, turn, term->symbol, &next)) &&
               wb_form_add(&of->next, &next, term->factor, &of->next);
  }
  for (size_t t = 0; t < 2 * turn->test_count; t++) {
    struct wb_form difference;
    struct wb_rank_range range;
    if (!test_range(rank, turn, &turn->tests[t / 2], t % 2 != 0, &difference, &range))
      continue;
    narrow(&rank->form, &difference, &range, &of->before);
    if (of->told)
      narrow(&of->next, &difference, &range, &of->after);
  }
}

/* ---- one turn ---- */

/* linear + sign * floor((M + offset) / 2^places); sign is 0, 1 or -1. */
struct parts {
  struct wb_form linear;
  int sign;
  int64_t offset;
  unsigned places;
};

static bool take_apart(const struct rank *rank, const struct wb_turn *turn,
                       const struct wb_form *form, const struct wb_rank_range *at,
                       struct parts *parts);

/* Whether a + (a + M + number), with M = b - a, is a sum of words read as signed or unsigned that
 * does not leave the type, and M the difference of the same: its half is a and that of M +
 * number. */
static bool is_sum_of_both(const struct rank *rank, const struct wb_form *rest, bool as_signed,
                           const struct wb_rank_range *at)
{
  const struct wb_form *form = &rank->form;
  if (rest->count != 1 || rest->terms[0].factor != 2 || form->count != 2 || form->number != 0)
    return false;
  const size_t mine = form->terms[0].symbol == rest->terms[0].symbol ? 0 : 1;
  const uint16_t a = form->terms[mine].symbol;
  const uint16_t b = form->terms[1 - mine].symbol;
  if (a != rest->terms[0].symbol || a >= WB_SYMBOL_CONSTANT || b >= WB_SYMBOL_CONSTANT ||
      form->terms[mine].factor != UINT32_MAX || form->terms[1 - mine].factor != 1)
    return false;
  int64_t ends[4];
  const int64_t offset = (int32_t)rest->number;
  return wb_integer_interval(&rank->within[a], as_signed, &ends[0], &ends[1]) &&
         wb_integer_interval(&rank->within[b], as_signed, &ends[2], &ends[3]) &&
         ends[0] + ends[2] + offset >= (as_signed ? INT32_MIN : 0) &&
         ends[1] + ends[3] + offset <= (as_signed ? INT32_MAX : (int64_t)UINT32_MAX) &&
         at->high - ((int64_t)UINT32_MAX + 1) < ends[2] - ends[1];
}

/* The symbol of a shift, for M in *at. */
static bool take_shift_apart(const struct rank *rank, const struct wb_turn *turn,
                             const struct wb_form_shift *shift, const struct wb_rank_range *at,
                             struct parts *parts)
{
  struct wb_form rest;
  int64_t low;
  int64_t high;
  *parts = (struct parts){.places = shift->places};
  /* The number of a word that lies between two with the same quotient. */
  const struct wb_integer value = value_of(rank->turns, turn, &shift->of, rank->within);
  if (wb_integer_interval(&value, shift->as_signed, &low, &high) &&
      low >> shift->places == high >> shift->places) {
    parts->linear.number = (uint32_t)(low >> shift->places);
    return true;
  }
  struct parts of;
  if (!take_apart(rank, turn, &shift->of, at, &of) || of.sign != 0 ||
      !wb_form_add(&of.linear, &rank->form, UINT32_MAX, &rest))
    return false;
  parts->offset = (int32_t)rest.number;
  parts->sign = 1;
  if (at->low + parts->offset < 0)
    return false;
  if (rest.count > 0) {
    parts->linear = wb_form_symbol(rest.terms[0].symbol);
    return shift->places == 1 && is_sum_of_both(rank, &rest, shift->as_signed, at);
  }
  high = at->high + parts->offset;
  if (high > (shift->as_signed ? INT32_MAX : (int64_t)UINT32_MAX))
    return false;
  if (high >> shift->places == (at->low + parts->offset) >> shift->places) {
    parts->sign = 0;
    parts->linear.number = (uint32_t)(high >> shift->places);
  }
  return true;
}

static bool take_apart(const struct rank *rank, const struct wb_turn *turn,
                       const struct wb_form *form, const struct wb_rank_range *at,
                       struct parts *parts)
{
  *parts = (struct parts){.linear = wb_form_number(form->number)};
  for (size_t t = 0; t < form->count; t++) {
    const struct wb_form_term *term = &form->terms[t];
    struct parts part = {.linear = wb_form_symbol(term->symbol)};
    if (term->symbol >= WB_SYMBOL_SHIFTED &&
        (term->symbol >= WB_SYMBOL_ANY ||
         !take_shift_apart(rank, turn, &turn->shifts[term->symbol - WB_SYMBOL_SHIFTED], at, &part)))
      return false;
    if (!wb_form_add(&parts->linear, &part.linear, term->factor, &parts->linear))
      return false;
    if (part.sign == 0)
      continue;
    if (parts->sign != 0 || (term->factor != 1 && term->factor != UINT32_MAX))
      return false;
    parts->sign = term->factor == 1 ? part.sign : -part.sign;
    parts->offset = part.offset;
    parts->places = part.places;
  }
  return true;
}

/* What a turn does to M, which is in *at at its start. */
struct step {
  struct wb_rank_range range; /* M at its end; empty: no thread takes the turn */
  bool exact;     /* M at the end is a growing function of M at the start, without wrapping */
  bool unchanged; /* M stays as it is */
  int64_t least;  /* M shrinks by so much at least; where exact */
  int64_t from;   /* M is no less at the start; where exact */
};

/* The parts of a form as a function of M, which is in *at: in *whole whether M itself is one, in
 * *rest the number that is added to them. False where it is no such function. */
static bool take_function_apart(const struct rank *rank, const struct wb_turn *turn,
                                const struct wb_form *form, const struct wb_rank_range *at,
                                struct parts *parts, bool *whole, uint32_t *rest)
{
  if (!take_apart(rank, turn, form, at, parts))
    return false;
  struct wb_form numbers = parts->linear;
  *whole = parts->linear.count > 0;
  if (*whole && !wb_form_add(&parts->linear, &rank->form, UINT32_MAX, &numbers))
    return false;
  *rest = numbers.number;
  return numbers.count == 0;
}

/* The parts of M at the end of the turn, with what is added to them. False where it is none of a
 * growing function. */
static bool take_form_apart(const struct rank *rank, size_t number,
                            const struct wb_rank_range *before, struct parts *parts, bool *whole,
                            int64_t *added)
{
  const struct rank_turn *of = &rank->of[number];
  uint32_t rest;
  if (!of->told || !take_function_apart(rank, &rank->turns->turns[number], &of->next, before, parts,
                                        whole, &rest))
    return false;
  *added = *whole || parts->sign != 0 ? (int32_t)rest : (int64_t)rest;
  return parts->sign != (*whole ? 1 : -1);
}

/* The same for a rank of 64 bits. */
static bool take_wide_apart(const struct wb_wide_turn *of, const struct wb_rank_range *before,
                            struct parts *parts, bool *whole, int64_t *added)
{
  *parts = (struct parts){.sign = of->sign, .offset = of->offset, .places = of->places};
  *whole = of->whole;
  *added = of->number;
  return of->told && before->high < WIDE_MODULUS &&
         (of->sign == 0 || before->low + of->offset >= 0);
}

static struct step take_turn(const struct rank *rank, size_t number, const struct wb_rank_range *at)
{
  const struct rank_turn *of = &rank->of[number];
  struct step step = {.range = of->after};
  struct wb_rank_range before = *at;
  struct parts parts = {.sign = 0};
  bool whole;
  int64_t added;
  meet(&before, of->before.low, of->before.high, of->before.by_width);
  if (is_empty(&before) || is_empty(&of->after)) {
    step.range = nothing;
    return step;
  }
  if (rank->wide != NULL
          ? !take_wide_apart(&rank->wide->of[number], &before, &parts, &whole, &added)
          : !take_form_apart(rank, number, &before, &parts, &whole, &added))
    return step;
  int64_t ends[2] = {before.low, before.high};
  for (size_t e = 0; e < 2; e++) {
    const int64_t part = parts.sign == 0 ? 0 : (ends[e] + parts.offset) >> parts.places;
    ends[e] = (whole ? ends[e] : 0) + parts.sign * part + added;
  }
  /* A number below 0 would be a word that the tests do not let pass. */
  if (ends[1] >= rank->modulus || (ends[0] < 0 && of->after.high >= rank->modulus + ends[0]))
    return step;
  step.exact = true;
  step.unchanged = whole && parts.sign == 0 && added == 0;
  step.least = before.low - ends[0];
  step.from = of->after.low + step.least > before.low ? of->after.low + step.least : before.low;
  meet(&step.range, ends[0], ends[1], before.by_width);
  return step;
}

/* ---- two numbers that move towards each other ---- */

/* The least and the greatest number of x - y as a function of M, which is in *at: one that is
 * congruent to that word. False where it is no such function. */
static bool difference_range(const struct rank *rank, const struct wb_turn *turn,
                             const struct wb_form *x, const struct wb_form *y,
                             const struct wb_rank_range *at, int64_t ends[2])
{
  struct wb_form form;
  struct parts parts;
  bool whole;
  uint32_t rest;
  if (!wb_form_add(x, y, UINT32_MAX, &form) ||
      !take_function_apart(rank, turn, &form, at, &parts, &whole, &rest))
    return false;
  for (size_t e = 0; e < 2; e++) {
    const int64_t m = e == 0 ? at->low : at->high;
    const int64_t part = parts.sign == 0 ? 0 : (m + parts.offset) >> parts.places;
    ends[e] = (whole ? m : 0) + parts.sign * part + (int32_t)rest;
  }
  const int64_t first = ends[0];
  ends[0] = first < ends[1] ? first : ends[1];
  ends[1] = first < ends[1] ? ends[1] : first;
  return true;
}

/* Whether the turn moves x away from `from`, not beyond `to` by more than fits: from and to are x
 * and the other number of M, in either order, and `room` is how far that may go. */
static bool moves_within(const struct rank *rank, const struct wb_turn *turn,
                         const struct wb_form *moved, const struct wb_form *from,
                         const struct wb_form *to, bool down, const struct wb_rank_range *at,
                         int64_t room)
{
  int64_t way[2];
  int64_t left[2];
  return difference_range(rank, turn, down ? from : moved, down ? moved : from, at, way) &&
         difference_range(rank, turn, down ? moved : to, down ? to : moved, at, left) &&
         way[0] >= 0 && -left[0] <= room && way[1] + left[1] <= (int64_t)UINT32_MAX &&
         way[0] + left[0] - at->high >= -(int64_t)UINT32_MAX;
}

/* Whether the turn ends with a test that a is not above b, as numbers of that type. */
static bool ends_in_order(const struct wb_turn *turn, const struct wb_form *a,
                          const struct wb_form *b, bool as_signed)
{
  for (size_t t = 0; t < turn->test_count; t++) {
    const struct wb_turn_test *test = &turn->tests[t];
    const bool less = test->relation == WB_RELATION_LESS || test->relation == WB_RELATION_AT_MOST;
    const bool greater =
        test->relation == WB_RELATION_GREATER || test->relation == WB_RELATION_AT_LEAST;
    if (test->as_signed == as_signed && (less || greater) &&
        wb_form_equal(less ? &test->left : &test->right, a) &&
        wb_form_equal(less ? &test->right : &test->left, b))
      return true;
  }
  return false;
}

/* What M = b - a is at all visits of the header, where b is never below a, a never falls and b
 * never grows: 0 to what it is from the least a to the greatest b of the entries
 * (doc/loop-bounds.md, Lemma 14). */
static bool find_approach(const struct rank *rank, const struct wb_integer_state *entry,
                          bool as_signed, struct wb_rank_range *range)
{
  const struct wb_form *form = &rank->form;
  const size_t second = form->count == 2 && form->terms[0].factor == 1;
  if (form->count != 2 || form->number != 0 || form->terms[1 - second].factor != 1 ||
      form->terms[second].factor != UINT32_MAX || form->terms[0].symbol >= WB_SYMBOL_CONSTANT ||
      form->terms[1].symbol >= WB_SYMBOL_CONSTANT)
    return false;
  const uint16_t a = form->terms[second].symbol;
  const uint16_t b = form->terms[1 - second].symbol;
  struct wb_integer_end ends[4];
  struct wb_integer_end words[2] = {{0, false}, {UINT32_MAX, false}};
  struct wb_integer difference;
  wb_integer_ends(&entry->registers[a], as_signed, &ends[0], &ends[1]);
  wb_integer_ends(&entry->registers[b], as_signed, &ends[2], &ends[3]);
  if (wb_difference_find(entry, b, a, &difference))
    wb_integer_ends(&difference, false, &words[0], &words[1]);
  /* In order at the entries: no other number of these ends is that word. */
  const int64_t least = ends[2].number - ends[1].number;
  if (least < 0 && words[1].number - ((int64_t)UINT32_MAX + 1) >= least)
    return false;
  *range = (struct wb_rank_range){0, ends[3].number - ends[0].number,
                                  ends[0].by_width || ends[3].by_width};
  const int64_t above = (as_signed ? INT32_MAX : (int64_t)UINT32_MAX) - ends[3].number;
  const int64_t below = ends[0].number - (as_signed ? INT32_MIN : 0);
  const struct wb_form now[2] = {wb_form_symbol(a), wb_form_symbol(b)};
  for (size_t t = 0; t < rank->turns->count; t++) {
    const struct wb_turn *turn = &rank->turns->turns[t];
    struct wb_form next[2] = {now[0], now[1]};
    if (!wb_turn_next(rank->turns, turn, a, &next[0]) ||
        !wb_turn_next(rank->turns, turn, b, &next[1]) ||
        !ends_in_order(turn, &next[0], &next[1], as_signed) ||
        !moves_within(rank, turn, &next[0], &now[0], &now[1], false, range, above) ||
        !moves_within(rank, turn, &next[1], &now[1], &now[0], true, range, below))
      return false;
  }
  return range->low <= range->high;
}

static void narrow_approach(struct rank *rank, const struct wb_integer_state *entry)
{
  struct wb_rank_range range;
  if (!find_approach(rank, entry, true, &range) && !find_approach(rank, entry, false, &range))
    return;
  meet(&rank->start, range.low, range.high, range.by_width);
  for (size_t t = 0; t < rank->turns->count; t++) {
    meet(&rank->of[t].before, range.low, range.high, range.by_width);
    meet(&rank->of[t].after, range.low, range.high, range.by_width);
  }
}

/* ---- many turns ---- */

/* Turns that shrink M, and how often they can where M begins in *at and turns of other ones leave
 * it alone: false where some turn may do something else to it. */
static bool count_turns(const struct rank *rank, const struct wb_rank_range *at,
                        uint64_t *shrinking, struct wb_iterations *count)
{
  /* No turn leads out of these numbers. */
  struct wb_rank_range all = *at;
  for (size_t t = 0; t < rank->turns->count; t++)
    all.low = rank->of[t].after.low < all.low ? rank->of[t].after.low : all.low;
  int64_t least = INT64_MAX;
  int64_t from = INT64_MAX;
  *shrinking = 0;
  for (size_t t = 0; t < rank->turns->count; t++) {
    const struct step step = take_turn(rank, t, &all);
    if (is_empty(&step.range) || (step.exact && step.unchanged)) {
      *shrinking |= is_empty(&step.range) ? UINT64_C(1) << t : 0;
      continue;
    }
    if (!step.exact || step.least < 1)
      return false;
    *shrinking |= UINT64_C(1) << t;
    least = step.least < least ? step.least : least;
    from = step.from < from ? step.from : from;
  }
  const uint64_t most = from <= all.high ? (uint64_t)((all.high - from) / least) + 1 : 0;
  *count = (struct wb_iterations){most, all.by_width && most > WB_COUNTER_USEFUL};
  return true;
}

/* Turn by turn, from the entries on: the least bound that ends a sum of those that were followed
 * and of those that are counted after them. */
static bool follow_turns(const struct rank *rank, struct wb_iterations *bound)
{
  const uint64_t every =
      rank->turns->count == 64 ? UINT64_MAX : (UINT64_C(1) << rank->turns->count) - 1;
  struct wb_rank_range at = rank->start;
  *bound = (struct wb_iterations){UINT64_MAX, true};
  for (uint64_t i = 0; i < FOLLOWED_TURNS; i++) {
    struct wb_iterations count;
    struct wb_rank_range next = nothing;
    uint64_t shrinking;
    if (count_turns(rank, &at, &shrinking, &count) && shrinking == every) {
      count.most += i;
      if (wb_iterations_better(&count, bound))
        *bound = count;
    }
    for (size_t t = 0; t < rank->turns->count; t++) {
      const struct step step = take_turn(rank, t, &at);
      extend(&next, &step.range);
    }
    if (is_empty(&next)) {
      const struct wb_iterations followed = {i, false};
      if (wb_iterations_better(&followed, bound))
        *bound = followed;
      break;
    }
    if (i > 1 && next.low <= at.low && next.high >= at.high)
      break;
    at = next;
  }
  struct wb_iterations shifts = {0, false};
  if (rank->wide != NULL && wb_wide_rank_shifts(rank->wide, rank->turns->count, &shifts.most) &&
      wb_iterations_better(&shifts, bound))
    *bound = shifts;
  return bound->most <= WB_COUNTER_MOST;
}

/* ---- candidates ---- */

struct candidates {
  struct wb_form forms[CANDIDATE_LIMIT];
  size_t count;
};

static bool is_of_header(const struct wb_form *form)
{
  return form->count == 0 || form->terms[form->count - 1].symbol < WB_SYMBOL_SHIFTED;
}

static void add_candidate(struct candidates *candidates, const struct wb_form *form)
{
  if (form->count == 0 || !is_of_header(form) || candidates->count == CANDIDATE_LIMIT)
    return;
  for (size_t c = 0; c < candidates->count; c++) {
    if (wb_form_equal(&candidates->forms[c], form))
      return;
  }
  candidates->forms[candidates->count++] = *form;
}

/* Forms over registers at the header that are, but for a number, that side of a test at the end of
 * the turn. */
static size_t forms_of_side(const struct wb_turns *turns, const struct wb_turn *turn,
                            const struct wb_form *side, struct wb_form forms[SIDE_LIMIT])
{
  size_t count = 0;
  if (is_of_header(side))
    forms[count++] = *side;
  for (size_t r = 0; r < turns->register_count && count < SIDE_LIMIT; r++) {
    struct wb_form rest;
    if (side->count > 0 && wb_form_add(&turn->next[r], side, UINT32_MAX, &rest) && rest.count == 0)
      forms[count++] = wb_form_symbol(turns->registers[r]);
  }
  return count;
}

static void find_candidates(const struct wb_turns *turns, struct candidates *candidates)
{
  candidates->count = 0;
  for (size_t t = 0; t < turns->count; t++) {
    const struct wb_turn *turn = &turns->turns[t];
    for (size_t n = 0; n < turn->test_count; n++) {
      const struct wb_turn_test *test = &turn->tests[n];
      struct wb_form sides[2][SIDE_LIMIT];
      const size_t left = forms_of_side(turns, turn, &test->left, sides[0]);
      const size_t right = forms_of_side(turns, turn, &test->right, sides[1]);
      for (size_t i = 0; i < left * right; i++) {
        const struct wb_form *a = &sides[0][i / right];
        const struct wb_form *b = &sides[1][i % right];
        struct wb_form difference;
        if (test->relation != WB_RELATION_GREATER && test->relation != WB_RELATION_AT_LEAST &&
            wb_form_add(b, a, UINT32_MAX, &difference))
          add_candidate(candidates, &difference);
        if (test->relation != WB_RELATION_LESS && test->relation != WB_RELATION_AT_MOST &&
            wb_form_add(a, b, UINT32_MAX, &difference))
          add_candidate(candidates, &difference);
      }
    }
  }
}

/* The range of M at the entries, by what is known of its registers and of their difference. */
static void find_start(struct rank *rank, const struct wb_integer_state *entry)
{
  const struct wb_form *form = &rank->form;
  const struct wb_integer number = wb_integer_exactly(form->number);
  struct wb_integer start = value_of(rank->turns, NULL, form, entry->registers);
  struct wb_integer_end low;
  struct wb_integer_end high;
  const size_t from = form->terms[0].factor == 1 ? 0 : 1;
  rank->start = everything;
  if (wb_integer_ends(&start, false, &low, &high))
    meet(&rank->start, low.number, high.number, high.by_width);
  if (form->count != 2 || form->terms[from].factor != 1 ||
      form->terms[1 - from].factor != UINT32_MAX || form->terms[0].symbol >= WB_VALUE_COUNT ||
      form->terms[1].symbol >= WB_VALUE_COUNT ||
      !wb_difference_find(entry, form->terms[from].symbol, form->terms[1 - from].symbol, &start))
    return;
  start = wb_integer_add(&start, &number);
  if (wb_integer_ends(&start, false, &low, &high))
    meet(&rank->start, low.number, high.number, high.by_width);
}

static void make_rank(const struct wb_turns *turns, const struct wb_integer_state *entry,
                      const struct wb_integer *within, const struct wb_form *form,
                      struct rank *rank)
{
  *rank = (struct rank){
      .turns = turns, .within = within, .form = *form, .modulus = (int64_t)UINT32_MAX + 1};
  find_start(rank, entry);
  for (size_t t = 0; t < turns->count; t++)
    prepare_turn(rank, t);
  narrow_approach(rank, entry);
}

static void make_wide_rank(const struct wb_turns *turns, const struct wb_wide_rank *wide,
                           struct rank *rank)
{
  *rank =
      (struct rank){.turns = turns, .wide = wide, .start = wide->start, .modulus = WIDE_MODULUS};
  for (size_t t = 0; t < turns->count; t++)
    rank->of[t] = (struct rank_turn){.before = wide->of[t].before, .after = wide->of[t].after};
}

/* ---- the bound ---- */

/* "R0 - R5", "100 - R5". */
static void write_form(struct wb_text *text, const struct wb_turns *turns,
                       const struct wb_form *form)
{
  const bool first = form->number == 0;
  if (!first)
    wb_text_format(text, "%" PRId32, (int32_t)form->number);
  for (size_t t = 0; t < form->count; t++) {
    /* What is added stands before what is taken away. */
    const struct wb_form_term *term =
        &form->terms[form->terms[0].factor > INT32_MAX ? form->count - 1 - t : t];
    const bool negative = term->factor > INT32_MAX;
    const uint32_t factor = negative ? -term->factor : term->factor;
    char name[8];
    wb_text_string(text, !first || t > 0 ? negative ? " - " : " + " : negative ? "-" : "");
    if (factor != 1)
      wb_text_format(text, "%" PRIu32 " * ", factor);
    if (term->symbol < WB_SYMBOL_CONSTANT) {
      wb_register_name(term->symbol, name);
      wb_text_string(text, name);
    } else {
      const uint32_t place = turns->constants[term->symbol - WB_SYMBOL_CONSTANT];
      wb_text_format(text, "c[0x%" PRIx32 "][0x%" PRIx32 "]", place >> 16, place & UINT16_MAX);
    }
  }
}

/* "R0 - R5 (0 to 99 at first)". */
static void write_rank(struct wb_text *text, const struct rank *rank)
{
  if (rank->wide != NULL)
    wb_wide_rank_write(text, rank->turns, &rank->wide->form);
  else
    write_form(text, rank->turns, &rank->form);
  if (rank->wide != NULL && rank->start.high == WB_RANK_UNKNOWN)
    wb_text_string(text, " (any number at first)");
  else if (rank->start.low == rank->start.high)
    wb_text_format(text, " (%" PRId64 " at first)", rank->start.low);
  else
    wb_text_format(text, " (%" PRId64 " to %" PRId64 " at first)", rank->start.low,
                   rank->start.high);
}

bool wb_loop_rank(const struct wb_turns *turns, const struct wb_integer_state *entry,
                  const struct wb_integer *within, struct wb_rank_bound *rank)
{
  const uint64_t every = turns->count == 64 ? UINT64_MAX : (UINT64_C(1) << turns->count) - 1;
  struct candidates candidates;
  struct wb_text text = {0};
  struct wb_iterations sum = {0, false};
  uint64_t covered = 0;
  struct wb_text names = {0};
  struct wb_wide_rank wide[WB_WIDE_RANK_LIMIT];
  find_candidates(turns, &candidates);
  const size_t wide_count = turns->merged ? 0 : wb_wide_ranks_find(turns, entry, within, wide);
  rank->bound = (struct wb_iterations){UINT64_MAX, true};
  for (size_t c = 0; c < candidates.count + wide_count; c++) {
    struct rank it;
    struct wb_iterations bound;
    uint64_t shrinking;
    if (c < candidates.count)
      make_rank(turns, entry, within, &candidates.forms[c], &it);
    else
      make_wide_rank(turns, &wide[c - candidates.count], &it);
    if (follow_turns(&it, &bound) && wb_iterations_better(&bound, &rank->bound)) {
      rank->bound = bound;
      wb_text_free(&text);
      write_rank(&text, &it);
    }
    if (!count_turns(&it, &it.start, &shrinking, &bound) || (shrinking & ~covered) == 0 ||
        bound.most > WB_COUNTER_MOST)
      continue;
    sum.most += bound.most;
    sum.by_width |= bound.by_width;
    wb_text_string(&names, covered != 0 ? " or " : "");
    write_rank(&names, &it);
    covered |= shrinking;
  }
  if (covered == every && sum.most <= WB_COUNTER_MOST && wb_iterations_better(&sum, &rank->bound)) {
    rank->bound = sum;
    wb_text_free(&text);
    text = names;
    names = (struct wb_text){0};
  }
  wb_text_free(&names);
  if (rank->bound.most == UINT64_MAX)
    return false;
  wb_text_format(&text, " shrinks in each iteration: at most %" PRIu64 " back edges",
                 rank->bound.most);
  rank->reason = wb_text_take(&text);
  return true;
}
