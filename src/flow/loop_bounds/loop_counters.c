/* How often a test of a counter passes (doc/loop-bounds.md, Lemmas 1 to 5). */
#include "flow/loop_bounds/loop_summary.h"

/* A counter whose register is shifted by at least one place reaches its last value within 32
 * iterations. */
#define MOST_COUNTED_SHIFTS 33

/* The quantities of Lemmas 1, 2, 4 and 5 as intervals, each its lower and its upper end. */
struct course {
  struct wb_integer_end first[2]; /* the tested number in the first iteration */
  struct wb_integer_end step[2];  /* of the counter from one iteration to the next */
  struct wb_integer_end limit[2]; /* of the test */
  struct wb_integer_end way[2];   /* from the first tested number to the limit, or back where the
                                     counter goes down; modulo the type */
  struct wb_integer_end end[2];   /* the ends of the type */
  bool first_known, step_known, limit_known[2], way_known;
  int64_t spread;     /* the width of tested - counter */
  unsigned way_align; /* log2 of the stride of the way */
};

static struct course course_of(const struct wb_counter *counter)
{
  struct course course = {.first_known = false};
  const bool as_signed = counter->as_signed;
  if (counter->wide) {
    const struct wb_pair_counter *pair = &counter->pair;
    const struct wb_wide tested = wb_wide_substitute(&pair->tested, &pair->start);
    struct wb_wide by = pair->next;
    by.base_low = by.base_high = WB_NO_REGISTER;
    course.end[0] = (struct wb_integer_end){as_signed ? -WB_WIDE_MOST : 0, true};
    course.end[1] = (struct wb_integer_end){WB_WIDE_MOST, true};
    course.first_known = wb_wide_ends(&tested, as_signed, &course.first[0], &course.first[1]);
    course.step_known = wb_wide_ends(&by, true, &course.step[0], &course.step[1]);
    for (int end = 0; end < 2; end++)
      course.limit_known[end] = wb_wide_end(&pair->limit, as_signed, end == 1, &course.limit[end]);
    const struct wb_wide way = course.step[0].number >= 0 ? wb_wide_subtract(&pair->limit, &tested)
                                                          : wb_wide_subtract(&tested, &pair->limit);
    course.way_known = wb_wide_ends(&way, false, &course.way[0], &course.way[1]);
    course.spread =
        pair->tested.width > (uint64_t)WB_WIDE_MOST ? INT64_MAX : (int64_t)pair->tested.width;
  } else {
    const struct wb_word_counter *word = &counter->word;
    const struct wb_integer tested = wb_integer_substitute(&word->tested, &word->start);
    struct wb_integer by = word->next;
    by.base = WB_NO_REGISTER;
    course.end[0] = (struct wb_integer_end){as_signed ? INT32_MIN : 0, true};
    course.end[1] = (struct wb_integer_end){as_signed ? INT32_MAX : UINT32_MAX, true};
    course.first_known = wb_integer_ends(&tested, as_signed, &course.first[0], &course.first[1]);
    course.step_known = wb_integer_ends(&by, true, &course.step[0], &course.step[1]);
    course.limit_known[0] = course.limit_known[1] =
        wb_integer_ends(&word->limit, as_signed, &course.limit[0], &course.limit[1]);
    const struct wb_integer zero = wb_integer_exactly(0);
    struct wb_integer way = wb_integer_subtract(&word->limit, &tested);
    wb_integer_narrow(&way, &word->way);
    if (course.step[0].number < 0)
      way = wb_integer_subtract(&zero, &way);
    course.way_known = wb_integer_ends(&way, false, &course.way[0], &course.way[1]);
    course.way_align = way.align;
    course.way[1].by_width |= course.way[1].number > INT32_MAX; /* more than half of all numbers */
    course.spread = word->tested.width;
  }
  return course;
}

/* Reverses the order, for a counter that goes down. */
static void reverse(struct course *course)
{
  struct wb_integer_end *quantities[] = {course->first, course->step, course->limit, course->end};
  for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++) {
    struct wb_integer_end *ends = quantities[q];
    const struct wb_integer_end kept = ends[0];
    ends[0] = ends[1];
    ends[1] = kept;
    ends[0].number = -ends[0].number;
    ends[1].number = -ends[1].number;
  }
  const bool known = course->limit_known[0];
  course->limit_known[0] = course->limit_known[1];
  course->limit_known[1] = known;
}

static bool is_upward(enum wb_relation relation)
{
  return relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
}

/* A first number that passes is no farther from the limit than the way says. */
static void take_way(const struct wb_counter *counter, const struct course *course, bool strict,
                     struct wb_iterations *iterations)
{
  const struct wb_integer_end *way = &course->way[1];
  if (course->spread > 0 || !counter->limit_fixed || !course->way_known)
    return;
  const struct wb_iterations by_way = {
      way->number < strict ? 0 : (uint64_t)((way->number - strict) / course->step[0].number + 1),
      way->by_width};
  if (by_way.by_width == iterations->by_width ? by_way.most < iterations->most
                                              : iterations->by_width)
    *iterations = by_way;
}

/* Lemma 1: no number wraps round, since a number that passed the test plus one step is in range. */
static bool iterations_in_order(const struct wb_counter *counter, struct wb_iterations *iterations)
{
  const bool upward = is_upward(counter->relation);
  const bool strict =
      counter->relation == WB_RELATION_LESS || counter->relation == WB_RELATION_GREATER;
  struct course course = course_of(counter);
  if (!course.step_known || !course.limit_known[upward] || course.spread > WB_WIDE_MOST)
    return false;
  if (!course.first_known) {
    /* The counter may start at the least number of the type, which gives a bound for unsigned
     * numbers only: -2^31 is too far. */
    if (course.spread > 0 || counter->as_signed || (counter->wide && !upward))
      return false;
    course.first[0] = (struct wb_integer_end){0, false};
    course.first[1] = course.end[1];
  }
  if (!upward)
    reverse(&course);
  const int64_t first = course.first[0].number;
  const int64_t least = course.step[0].number;
  const int64_t most = course.step[1].number;
  const int64_t last = course.limit[1].number - strict;
  const bool exact = first == course.first[1].number && least == most && course.limit_known[0] &&
                     course.limit[0].number == course.limit[1].number && course.spread == 0;
  *iterations = (struct wb_iterations){0, false};
  if (least <= 0)
    return false;
  if (first > last)
    return true; /* the first test already ends the loop */
  const int64_t count = (last - first) / least + 1;
  const int64_t highest = exact ? first + count * most : last + most + course.spread;
  iterations->most = (uint64_t)count;
  iterations->by_width = course.first[0].by_width || course.limit[1].by_width;
  take_way(counter, &course, strict, iterations);
  return highest <= course.end[1].number;
}

/* Lemma 2: the way to the limit shrinks by the step in each iteration. */
static bool iterations_to_equality(const struct wb_counter *counter,
                                   struct wb_iterations *iterations)
{
  const struct course course = course_of(counter);
  const struct wb_integer_end *way = course.way;
  const int64_t step = course.step[0].number;
  const int64_t size = step > 0 ? step : -step;
  if (!course.step_known || step != course.step[1].number || step == 0 || course.spread > 0 ||
      !counter->limit_fixed || !course.way_known)
    return false;
  const bool all_alike =
      way[0].number == way[1].number || ((int64_t)1 << course.way_align) % size == 0;
  if (size > 1 && (!all_alike || way[0].number % size != 0))
    return false;
  *iterations = (struct wb_iterations){(uint64_t)(way[1].number / size), way[1].by_width};
  return true;
}

/* Lemma 3: iteration by iteration, on intervals: the first iterations in which the relation is
 * surely false, or else in which it may hold; at most MOST_COUNTED_SHIFTS. */
static uint64_t first_iterations(const struct wb_word_counter *word,
                                 const struct wb_counter *counter, bool excluded)
{
  struct wb_integer now = word->start;
  uint64_t count = 0;
  for (; count < MOST_COUNTED_SHIFTS; count++) {
    const struct wb_integer tested = wb_integer_substitute(&word->tested, &now);
    if (wb_integer_excludes(&tested, counter->relation, &word->limit, counter->as_signed) !=
        excluded)
      break;
    now = wb_integer_substitute(&word->next, &now);
  }
  return count;
}

/* Bounds the iterations. False where no bound up to WB_COUNTER_MOST is found. Constant time. */
bool wb_counter_iterations(const struct wb_counter *counter, struct wb_iterations *iterations)
{
  const bool sums = counter->wide || wb_form_is_sum(&counter->word.next);
  const bool plain = counter->wide || wb_form_is_sum(&counter->word.tested);
  bool found = false;
  if (!sums) {
    /* The number is small, so that it is of use also where it rests on a width. */
    *iterations = (struct wb_iterations){first_iterations(&counter->word, counter, false), false};
    found = iterations->most < MOST_COUNTED_SHIFTS;
  } else if (plain && counter->relation == WB_RELATION_UNEQUAL) {
    found = iterations_to_equality(counter, iterations);
  } else if (plain && counter->relation != WB_RELATION_EQUAL) {
    found = iterations_in_order(counter, iterations);
  }
  if (!found)
    return false;
  iterations->by_width = iterations->by_width && iterations->most > WB_COUNTER_USEFUL;
  return iterations->most <= WB_COUNTER_MOST;
}

/* ---- iterations before a relation can hold ---- */

/* Lemma 4: the relation is >= or, strict, >; the tested number is at most first[1] + k * step[1] in
 * iteration k, and the exact sum for as long as it cannot be below the type's least number. */
static uint64_t order_before(struct course *course, enum wb_relation relation)
{
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  if (is_upward(relation))
    reverse(course);
  if (!course->step_known || !course->limit_known[0] || !course->first_known)
    return 0;
  const int64_t last = course->limit[0].number - !strict; /* the greatest number that stays */
  const int64_t first = course->first[1].number;
  const int64_t up = course->step[1].number;
  const int64_t down = course->step[0].number;
  int64_t count = (int64_t)WB_COUNTER_MOST;
  if (first > last)
    return 0;
  if (up > 0 && (last - first) / up < count)
    count = (last - first) / up + 1;
  const int64_t room = course->first[0].number - course->end[0].number;
  if (down < 0 && room / -down < count)
    count = room / -down + 1;
  return (uint64_t)count;
}

/* Lemma 5: the way to the limit shrinks by step[0] to step[1] in each iteration. It is not 0 modulo
 * the type for as long as it is above 0. */
static uint64_t equality_before(const struct course *course)
{
  const bool up = course->step[0].number >= 0;
  const int64_t least = up ? course->step[0].number : -course->step[1].number;
  const int64_t most = up ? course->step[1].number : -course->step[0].number;
  const int64_t near = course->way[0].number;
  if (!course->step_known || !course->way_known || least < 0 || near == 0)
    return 0;
  if (most == 0 || (near - 1) / most >= (int64_t)WB_COUNTER_MOST)
    return WB_COUNTER_MOST;
  return (uint64_t)((near - 1) / most + 1);
}

/* The other way round, for a test whose relation lets a thread *leave*: the number of iterations of
 * an entry, from the first on, in which the relation surely does not hold. 0: nothing is known, at
 * most WB_COUNTER_MOST. Every iteration need not execute the test. Constant time. */
uint64_t wb_counter_before(const struct wb_counter *counter)
{
  if (!counter->wide && !wb_form_is_sum(&counter->word.next))
    return first_iterations(&counter->word, counter, true);
  if ((!counter->wide && !wb_form_is_sum(&counter->word.tested)) ||
      counter->relation == WB_RELATION_UNEQUAL)
    return 0;
  struct course course = course_of(counter);
  return counter->relation == WB_RELATION_EQUAL ? equality_before(&course)
                                                : order_before(&course, counter->relation);
}
