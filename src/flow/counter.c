#include "flow/counter.h"

/* A counter whose register is shifted by at least one place reaches its last value within 32
 * iterations. */
#define MOST_SHIFTS 33

/* A counter that goes up and a test that lets it go on while it is at most `last`; all numbers
 * are in the order of the test, and the machine's are those up to `end`. */
struct climb {
  int64_t first; /* the tested number is at least so much in the first iteration */
  int64_t least; /* steps, at least 1 */
  int64_t most;
  int64_t last;
  int64_t end;
  int64_t spread; /* how far the tested number may be from the counter itself */
  bool exact;     /* first, step and last are single numbers */
};

static bool is_upward(enum wb_relation relation)
{
  return relation == WB_RELATION_LESS || relation == WB_RELATION_AT_MOST;
}

/* Lemma 1: no number wraps round, since what a test let pass plus one step is in range. */
static bool iterations_of_climb(const struct climb *climb, uint64_t *most)
{
  if (climb->first > climb->last) {
    *most = 0; /* the first test already ends the loop */
    return true;
  }
  const int64_t count = (climb->last - climb->first) / climb->least + 1;
  const int64_t highest =
      climb->exact ? climb->first + count * climb->most : climb->last + climb->most + climb->spread;
  *most = (uint64_t)count;
  return highest <= climb->end;
}

/* Turns the order round for a counter that goes down. */
static void turn(int64_t *low, int64_t *high)
{
  const int64_t kept = *low;
  *low = -*high;
  *high = -kept;
}

static bool iterations_in_order(const struct wb_counter *counter, uint64_t *most)
{
  const bool up = is_upward(counter->relation);
  const bool strict =
      counter->relation == WB_RELATION_LESS || counter->relation == WB_RELATION_GREATER;
  const struct wb_integer tested = wb_integer_substitute(&counter->tested, &counter->start);
  struct wb_integer by = counter->next;
  by.base = WB_NO_REGISTER;
  int64_t step[2];
  int64_t first[2];
  int64_t limit[2];
  int64_t range[2] = {counter->as_signed ? INT32_MIN : 0,
                      counter->as_signed ? INT32_MAX : UINT32_MAX};
  if (!wb_integer_view(&by, true, &step[0], &step[1]) ||
      !wb_integer_view(&counter->limit, counter->as_signed, &limit[0], &limit[1]))
    return false;
  if (!wb_integer_view(&tested, counter->as_signed, &first[0], &first[1])) {
    /* From the least number on, which is no help where that is -2^31. */
    if (counter->tested.width > 0 || counter->as_signed)
      return false;
    first[0] = range[0];
    first[1] = range[1];
  }
  if (!up) {
    turn(&step[0], &step[1]);
    turn(&first[0], &first[1]);
    turn(&limit[0], &limit[1]);
    turn(&range[0], &range[1]);
  }
  const struct climb climb = {.first = first[0],
                              .least = step[0],
                              .most = step[1],
                              .last = limit[1] - strict,
                              .end = range[1],
                              .spread = counter->tested.width,
                              .exact = first[0] == first[1] && step[0] == step[1] &&
                                       limit[0] == limit[1] && counter->tested.width == 0};
  return step[0] > 0 && iterations_of_climb(&climb, most);
}

/* Lemma 2: the distance to the limit shrinks by the step, modulo 2^32. */
static bool iterations_to_equality(const struct wb_counter *counter, uint64_t *most)
{
  const struct wb_integer tested = wb_integer_substitute(&counter->tested, &counter->start);
  struct wb_integer by = counter->next;
  by.base = WB_NO_REGISTER;
  int64_t step[2];
  int64_t far[2];
  if (!wb_integer_view(&by, true, &step[0], &step[1]) || step[0] != step[1] || step[0] == 0 ||
      counter->tested.width > 0 || !counter->limit_fixed)
    return false;
  const struct wb_integer distance = step[0] > 0 ? wb_integer_subtract(&counter->limit, &tested)
                                                 : wb_integer_subtract(&tested, &counter->limit);
  const int64_t size = step[0] > 0 ? step[0] : -step[0];
  if (!wb_integer_view(&distance, false, &far[0], &far[1]) ||
      (size > 1 && (far[0] != far[1] || far[0] % size != 0)))
    return false;
  *most = (uint64_t)(far[1] / size);
  return true;
}

/* Whether no number of the one interval is in the relation to one of the other. */
static bool never_holds(const struct wb_integer *left, enum wb_relation relation,
                        const struct wb_integer *right, bool as_signed)
{
  int64_t a[2];
  int64_t b[2];
  if (!wb_integer_view(left, as_signed, &a[0], &a[1]) ||
      !wb_integer_view(right, as_signed, &b[0], &b[1]))
    return false;
  switch (relation) {
  case WB_RELATION_LESS:
    return a[0] >= b[1];
  case WB_RELATION_AT_MOST:
    return a[0] > b[1];
  case WB_RELATION_GREATER:
    return a[1] <= b[0];
  case WB_RELATION_AT_LEAST:
    return a[1] < b[0];
  case WB_RELATION_EQUAL:
    return a[1] < b[0] || b[1] < a[0];
  default:
    return a[0] == a[1] && b[0] == b[1] && a[0] == b[0];
  }
}

/* Lemma 3: iteration by iteration, on intervals. */
static bool iterations_by_steps(const struct wb_counter *counter, uint64_t *most)
{
  struct wb_integer now = counter->start;
  for (*most = 0; *most < MOST_SHIFTS; ++*most) {
    const struct wb_integer tested = wb_integer_substitute(&counter->tested, &now);
    if (never_holds(&tested, counter->relation, &counter->limit, counter->as_signed))
      return true;
    now = wb_integer_substitute(&counter->next, &now);
  }
  return false;
}

bool wb_counter_iterations(const struct wb_counter *counter, uint64_t *most)
{
  const bool sums = counter->next.shape == WB_SHIFTED_LEFT && counter->next.shift == 0;
  const bool plain = counter->tested.shape == WB_SHIFTED_LEFT && counter->tested.shift == 0;
  bool found;
  if (!sums)
    found = iterations_by_steps(counter, most);
  else if (!plain || counter->relation == WB_RELATION_EQUAL)
    found = false;
  else if (counter->relation == WB_RELATION_UNEQUAL)
    found = iterations_to_equality(counter, most);
  else
    found = iterations_in_order(counter, most);
  return found && *most <= WB_COUNTER_MOST;
}
