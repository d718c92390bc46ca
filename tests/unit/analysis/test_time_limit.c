/* What a time limit leaves: never a worse answer than that of the method `bounds`, or a note that
 * says so. */
#include "unit.h"
#include "warpbound.h"

struct question {
  const char *string;
  const char *units;
  uint32_t slots;
  uint32_t warps;
};

/* The bracket, and whether a note says that the time was less than `bounds` takes. */
struct answer {
  uint64_t lower;
  uint64_t upper;
  warpbound_status status;
  bool cut_short;
};

static struct answer ask(const struct question *question, warpbound_method method, double seconds)
{
  warpbound_instance *instance;
  warpbound_result *result;
  const warpbound_options options = {.method = method, .time_limit = seconds, .threads = 2};
  assert_ok(warpbound_instance_create(question->string, question->units, question->slots, 1,
                                      question->warps, &instance, NULL));
  struct answer answer = {.status = warpbound_makespan(instance, &options, &result, NULL)};
  assert_true(answer.status == WARPBOUND_OK || answer.status == WARPBOUND_LIMIT);
  answer.lower = warpbound_result_lower(result).cycles;
  answer.upper = warpbound_result_upper(result).cycles;
  for (size_t i = 0; i < warpbound_result_note_count(result); i++)
    answer.cut_short = answer.cut_short || strstr(warpbound_result_note(result, i),
                                                  "the method 'bounds' takes") != NULL;
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  return answer;
}

TEST(a_limit_is_no_worse_than_bounds)
{
  static const struct question questions[] = {
      {"5L9C2L9C", "L=1,C=4", 0, 10},
      {"LSLCSCLSLLC", "L=1,C=2,S=3", 0, 12},
      {"3C3L4C4L2CLCL6CLC3LC2L2C", "L=2,C=2", 3, 9},
  };
  static const warpbound_method methods[] = {WARPBOUND_METHOD_AUTO, WARPBOUND_METHOD_EXACT};
  for (size_t i = 0; i < COUNT_OF(questions); i++) {
    struct answer bounds = ask(&questions[i], WARPBOUND_METHOD_BOUNDS, 0);
    for (size_t m = 0; m < (i == 0 ? 2 : 1); m++) {
      struct answer limited = ask(&questions[i], methods[m], 2);
      if (!limited.cut_short && (limited.lower < bounds.lower || limited.upper > bounds.upper))
        fail_msg("%s: %llu..%llu, by bounds %llu..%llu", questions[i].string,
                 (unsigned long long)limited.lower, (unsigned long long)limited.upper,
                 (unsigned long long)bounds.lower, (unsigned long long)bounds.upper);
    }
  }
}

/* Next to no time: the bracket holds T(10) = 104 all the same, and a note says why it is wide. */
TEST(next_to_no_time_is_said)
{
  static const struct question question = {"5L9C2L9C", "L=1,C=4", 0, 10};
  static const warpbound_method methods[] = {WARPBOUND_METHOD_AUTO, WARPBOUND_METHOD_EXACT};
  for (size_t m = 0; m < 2; m++) {
    struct answer answer = ask(&question, methods[m], 1e-6);
    assert_limit(answer.status);
    assert_true(answer.lower < answer.upper);
    assert_in_range(104, answer.lower, answer.upper);
    assert_true(answer.cut_short);
  }
}

/* Without a limit there is nothing of the sort to say. */
TEST(no_limit_says_nothing)
{
  static const struct question question = {"LSLCSCLSLLC", "L=1,C=2,S=3", 0, 6};
  assert_false(ask(&question, WARPBOUND_METHOD_AUTO, 0).cut_short);
  assert_false(ask(&question, WARPBOUND_METHOD_BOUNDS, 1e-6).cut_short);
}
