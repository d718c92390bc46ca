#include "flow/loop_bounds/counter.h"

/* A counter whose register is shifted by at least one place reaches its last value within 32
 * iterations. */
#define MOST_SHIFTS 33

/* The quantities of Lemma 1 as intervals, each its lower and its upper end, in the order of the
 * test. */
struct course {
  struct wb_integer_end first[2]; /* the tested number in the first iteration */
  struct wb_integer_end step[2];  /* of the counter from one iteration to the next */
  struct wb_integer_end limit[2]; /* of the test */
  struct wb_integer_end end[2];   /* the ends of the type */
  int64_t spread;                 /* the width of tested - counter */
};

static bool is_upward(enum wb_relation relation)
{
  return relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
}

/* Reverses the order, for a counter that goes down. */
static void reverse(struct wb_integer_end ends[2])
{
  const struct wb_integer_end kept = ends[0];
  ends[0] = ends[1];
  ends[1] = kept;
  ends[0].number = -ends[0].number;
  ends[1].number = -ends[1].number;
}

static struct wb_wide without_base(const struct wb_wide *form)
{
  struct wb_wide offset = *form;
  offset.base_low = offset.base_high = WB_NO_REGISTER;
  return offset;
}

/* Lemma 1: no number wraps round, since a number that passed the test plus one step is in range. */
static bool iterations_of_climb(const struct course *course, bool strict,
                                struct wb_iterations *iterations)
{
  const int64_t first = course->first[0].number;
  const int64_t least = course->step[0].number;
  const int64_t most = course->step[1].number;
  const int64_t last = course->limit[1].number - strict;
  const bool exact = first == course->first[1].number && least == most &&
                     course->limit[0].number == course->limit[1].number && course->spread == 0;
  *iterations = (struct wb_iterations){0, false};
  if (least <= 0)
    return false;
  if (first > last)
    return true; /* the first test already ends the loop */
  const int64_t count = (last - first) / least + 1;
  const int64_t highest = exact ? first + count * most : last + most + course->spread;
  iterations->most = (uint64_t)count;
  iterations->by_width = course->first[0].by_width || course->limit[1].by_width;
  return highest <= course->end[1].number;
}

static bool iterations_of_course(struct course *course, enum wb_relation relation,
                                 struct wb_iterations *iterations)
{
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  if (!is_upward(relation)) {
    reverse(course->first);
    reverse(course->step);
    reverse(course->limit);
    reverse(course->end);
  }
  return iterations_of_climb(course, strict, iterations);
}

/* Ends of the type, step and limit of a counter; false where one is not known. */
static bool begin_course(const struct wb_counter *counter, struct course *course)
{
  struct wb_integer by = counter->next;
  by.base = WB_NO_REGISTER;
  *course = (struct course){.end = {{counter->as_signed ? INT32_MIN : 0, true},
                                    {counter->as_signed ? INT32_MAX : UINT32_MAX, true}}};
  return wb_integer_ends(&by, true, &course->step[0], &course->step[1]) &&
         wb_integer_ends(&counter->limit, counter->as_signed, &course->limit[0], &course->limit[1]);
}

static bool begin_wide_course(const struct wb_wide_counter *counter, struct course *course)
{
  const struct wb_wide by = without_base(&counter->next);
  *course = (struct course){
      .end = {{counter->as_signed ? -WB_WIDE_MOST : 0, true}, {WB_WIDE_MOST, true}}};
  return wb_wide_ends(&by, true, &course->step[0], &course->step[1]) &&
         wb_wide_ends(&counter->limit, counter->as_signed, &course->limit[0], &course->limit[1]);
}

static bool iterations_in_order(const struct wb_counter *counter, struct wb_iterations *iterations)
{
  const struct wb_integer tested = wb_integer_substitute(&counter->tested, &counter->start);
  struct course course;
  if (!begin_course(counter, &course))
    return false;
  course.spread = counter->tested.width;
  /* The counter may start at the least number of the type, which gives a bound for unsigned numbers
   * only: -2^31 is too far. */
  if (!wb_integer_ends(&tested, counter->as_signed, &course.first[0], &course.first[1]) &&
      (counter->tested.width > 0 || counter->as_signed))
    return false;
  return iterations_of_course(&course, counter->relation, iterations);
}

static bool wide_in_order(const struct wb_wide_counter *counter, struct wb_iterations *iterations)
{
  const struct wb_wide tested = wb_wide_substitute(&counter->tested, &counter->start);
  struct course course;
  if (!begin_wide_course(counter, &course) || counter->tested.width > (uint64_t)WB_WIDE_MOST)
    return false;
  course.spread = (int64_t)counter->tested.width;
  if (!wb_wide_ends(&tested, counter->as_signed, &course.first[0], &course.first[1])) {
    if (counter->tested.width > 0 || counter->as_signed || !is_upward(counter->relation))
      return false;
    course.first[0] = (struct wb_integer_end){0, false};
    course.first[1] = course.end[1];
  }
  return iterations_of_course(&course, counter->relation, iterations);
}

/* Lemma 2: the distance to the limit shrinks by the step in each iteration. */
static bool iterations_of_distance(const struct wb_integer_end far[2], unsigned align, int64_t step,
                                   struct wb_iterations *iterations)
{
  const int64_t size = step > 0 ? step : -step;
  const bool all_alike = far[0].number == far[1].number || ((int64_t)1 << align) % size == 0;
  if (size > 1 && (!all_alike || far[0].number % size != 0))
    return false;
  *iterations = (struct wb_iterations){(uint64_t)(far[1].number / size), far[1].by_width};
  return true;
}

static bool iterations_to_equality(const struct wb_counter *counter,
                                   struct wb_iterations *iterations)
{
  const struct wb_integer tested = wb_integer_substitute(&counter->tested, &counter->start);
  struct wb_integer by = counter->next;
  by.base = WB_NO_REGISTER;
  int64_t step[2];
  struct wb_integer_end far[2];
  if (!wb_integer_interval(&by, true, &step[0], &step[1]) || step[0] != step[1] || step[0] == 0 ||
      counter->tested.width > 0 || !counter->limit_fixed)
    return false;
  const struct wb_integer distance = step[0] > 0 ? wb_integer_subtract(&counter->limit, &tested)
                                                 : wb_integer_subtract(&tested, &counter->limit);
  const bool ordered = wb_integer_ends(&distance, false, &far[0], &far[1]);
  far[1].by_width |= far[1].number > INT32_MAX; /* round more than half of all numbers */
  return ordered && iterations_of_distance(far, distance.align, step[0], iterations);
}

static bool wide_to_equality(const struct wb_wide_counter *counter,
                             struct wb_iterations *iterations)
{
  const struct wb_wide tested = wb_wide_substitute(&counter->tested, &counter->start);
  const struct wb_wide by = without_base(&counter->next);
  struct wb_integer_end step[2];
  struct wb_integer_end far[2];
  if (!wb_wide_ends(&by, true, &step[0], &step[1]) || step[0].number != step[1].number ||
      step[0].number == 0 || counter->tested.width > 0 || !counter->limit_fixed)
    return false;
  const struct wb_wide distance = step[0].number > 0 ? wb_wide_subtract(&counter->limit, &tested)
                                                     : wb_wide_subtract(&tested, &counter->limit);
  return wb_wide_ends(&distance, false, &far[0], &far[1]) &&
         iterations_of_distance(far, 0, step[0].number, iterations);
}

/* Lemma 3: iteration by iteration, on intervals. The number is small, so that it is of use also
 * where it rests on a width. */
static bool iterations_by_steps(const struct wb_counter *counter, struct wb_iterations *iterations)
{
  struct wb_integer now = counter->start;
  iterations->by_width = false;
  for (iterations->most = 0; iterations->most < MOST_SHIFTS; iterations->most++) {
    const struct wb_integer tested = wb_integer_substitute(&counter->tested, &now);
    if (wb_integer_excludes(&tested, counter->relation, &counter->limit, counter->as_signed))
      return true;
    now = wb_integer_substitute(&counter->next, &now);
  }
  return false;
}

/* Whether the bound is small enough to be given; forgets what it rests on where it is of use. */
static bool is_given(struct wb_iterations *iterations)
{
  iterations->by_width = iterations->by_width && iterations->most > WB_COUNTER_USEFUL;
  return iterations->most <= WB_COUNTER_MOST;
}

bool wb_counter_iterations(const struct wb_counter *counter, struct wb_iterations *iterations)
{
  const bool sums = counter->next.shape == WB_SHIFTED_LEFT && counter->next.shift == 0;
  const bool plain = counter->tested.shape == WB_SHIFTED_LEFT && counter->tested.shift == 0;
  bool found;
  if (!sums)
    found = iterations_by_steps(counter, iterations);
  else if (!plain || counter->relation == WB_RELATION_EQUAL)
    found = false;
  else if (counter->relation == WB_RELATION_UNEQUAL)
    found = iterations_to_equality(counter, iterations);
  else
    found = iterations_in_order(counter, iterations);
  return found && is_given(iterations);
}

bool wb_wide_counter_iterations(const struct wb_wide_counter *counter,
                                struct wb_iterations *iterations)
{
  bool found = false;
  if (counter->relation == WB_RELATION_UNEQUAL)
    found = wide_to_equality(counter, iterations);
  else if (counter->relation != WB_RELATION_EQUAL)
    found = wide_in_order(counter, iterations);
  return found && is_given(iterations);
}

/* ---- iterations before a relation can hold ---- */

/* Lemma 4: the relation is >= or, strict, >; the tested number is at most first[1] + k * step[1] in
 * iteration k, and the exact sum for as long as it cannot be below the type's least number. */
static uint64_t climb_before(const struct course *course, bool strict)
{
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

static uint64_t course_before(struct course *course, enum wb_relation relation)
{
  const bool strict = relation == WB_RELATION_LESS || relation == WB_RELATION_GREATER;
  if (is_upward(relation)) {
    reverse(course->first);
    reverse(course->step);
    reverse(course->limit);
    reverse(course->end);
  }
  return climb_before(course, strict);
}

/* Lemma 5: by `distance`, the way from the first tested number to the limit, that shrinks by
 * step[0] to step[1] in each iteration. It is not 0 modulo the type for as long as it is above 0.
 */
static uint64_t distance_before(const struct wb_integer_end distance[2], int64_t least,
                                int64_t most)
{
  const int64_t near = distance[0].number;
  if (least < 0 || near == 0)
    return 0;
  if (most == 0 || (near - 1) / most >= (int64_t)WB_COUNTER_MOST)
    return WB_COUNTER_MOST;
  return (uint64_t)((near - 1) / most + 1);
}

static uint64_t equality_before(const struct wb_counter *counter)
{
  const struct wb_integer tested = wb_integer_substitute(&counter->tested, &counter->start);
  struct wb_integer by = counter->next;
  struct wb_integer_end distance[2];
  int64_t step[2];
  by.base = WB_NO_REGISTER;
  if (!wb_integer_interval(&by, true, &step[0], &step[1]))
    return 0;
  const bool up = step[0] >= 0;
  const struct wb_integer way = up ? wb_integer_subtract(&counter->limit, &tested)
                                   : wb_integer_subtract(&tested, &counter->limit);
  if (!wb_integer_ends(&way, false, &distance[0], &distance[1]))
    return 0;
  return up ? distance_before(distance, step[0], step[1])
            : distance_before(distance, -step[1], -step[0]);
}

static uint64_t order_before(const struct wb_counter *counter)
{
  const struct wb_integer tested = wb_integer_substitute(&counter->tested, &counter->start);
  struct course course;
  if (!begin_course(counter, &course) ||
      !wb_integer_ends(&tested, counter->as_signed, &course.first[0], &course.first[1]))
    return 0;
  return course_before(&course, counter->relation);
}

uint64_t wb_counter_before(const struct wb_counter *counter)
{
  const bool sums = counter->next.shape == WB_SHIFTED_LEFT && counter->next.shift == 0;
  const bool plain = counter->tested.shape == WB_SHIFTED_LEFT && counter->tested.shift == 0;
  if (!sums) {
    /* Lemma 3 the other way round: iteration by iteration, on intervals. */
    struct wb_integer now = counter->start;
    uint64_t count = 0;
    for (; count < MOST_SHIFTS; count++) {
      const struct wb_integer tested = wb_integer_substitute(&counter->tested, &now);
      if (!wb_integer_excludes(&tested, counter->relation, &counter->limit, counter->as_signed))
        return count;
      now = wb_integer_substitute(&counter->next, &now);
    }
    return count;
  }
  if (!plain || counter->relation == WB_RELATION_UNEQUAL)
    return 0;
  return counter->relation == WB_RELATION_EQUAL ? equality_before(counter) : order_before(counter);
}

static uint64_t wide_equality_before(const struct wb_wide_counter *counter)
{
  const struct wb_wide tested = wb_wide_substitute(&counter->tested, &counter->start);
  const struct wb_wide by = without_base(&counter->next);
  struct wb_integer_end step[2];
  struct wb_integer_end distance[2];
  if (!wb_wide_ends(&by, true, &step[0], &step[1]))
    return 0;
  const bool up = step[0].number >= 0;
  const struct wb_wide way =
      up ? wb_wide_subtract(&counter->limit, &tested) : wb_wide_subtract(&tested, &counter->limit);
  if (!wb_wide_ends(&way, false, &distance[0], &distance[1]))
    return 0;
  return up ? distance_before(distance, step[0].number, step[1].number)
            : distance_before(distance, -step[1].number, -step[0].number);
}

static uint64_t wide_order_before(const struct wb_wide_counter *counter)
{
  const struct wb_wide tested = wb_wide_substitute(&counter->tested, &counter->start);
  struct course course;
  if (!begin_wide_course(counter, &course) ||
      !wb_wide_ends(&tested, counter->as_signed, &course.first[0], &course.first[1]))
    return 0;
  return course_before(&course, counter->relation);
}

uint64_t wb_wide_counter_before(const struct wb_wide_counter *counter)
{
  if (counter->relation == WB_RELATION_UNEQUAL)
    return 0;
  return counter->relation == WB_RELATION_EQUAL ? wide_equality_before(counter)
                                                : wide_order_before(counter);
}
