/* Bounds as expressions of parameters: what they are worth, and where they are refused. */
#include "formats/flow_facts/bound_expression.h"

#include "unit.h"

/* n is 640, m is -7, all is the greatest number. */
static bool find(const void *context, const char *name, size_t length, int64_t *value)
{
  (void)context;
  static const struct {
    const char *name;
    int64_t value;
  } known[] = {{"n", 640}, {"m", -7}, {"all", INT64_MAX}};
  for (size_t k = 0; k < COUNT_OF(known); k++) {
    *value = known[k].value;
    if (length == strlen(known[k].name) && memcmp(name, known[k].name, length) == 0)
      return true;
  }
  return false;
}

TEST(values)
{
  static const struct {
    const char *text;
    int64_t value;
  } rows[] = {{"0", 0},
              {" 12 ", 12},
              {"n", 640},
              {"n/32", 20},
              {"n - 1 - 1", 638},
              {"n / 3 / 2", 106},
              {"2 * (n + 8)", 1296},
              {"-(n)+641", 1},
              {"m / 2", -3},
              {"- - 3", 3},
              {"9223372036854775807", INT64_MAX},
              {"-9223372036854775807 - 1", INT64_MIN},
              {"((((((((1))))))))", 1}};
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    const struct wb_expression_result result =
        wb_expression_evaluate(rows[r].text, strlen(rows[r].text), find, NULL);
    assert_int_equal(result.status, WB_EXPRESSION_OK);
    assert_true(result.value == rows[r].value);
  }
}

TEST(refusals)
{
  static const struct {
    const char *text;
    enum wb_expression_status status;
    size_t at;
    const char *expected;
  } rows[] = {{"", WB_EXPRESSION_MALFORMED, 0, "a number, a name or '('"},
              {"n +", WB_EXPRESSION_MALFORMED, 3, "a number, a name or '('"},
              {"n % 2", WB_EXPRESSION_MALFORMED, 2, "an operator or the end of the bound"},
              {"(n", WB_EXPRESSION_MALFORMED, 2, "an operator or ')'"},
              {"n because", WB_EXPRESSION_MALFORMED, 2, "an operator or the end of the bound"},
              {"2n", WB_EXPRESSION_MALFORMED, 1, "an operator or the end of the bound"},
              {"((((((((((((((((((((((((((((((((((1", WB_EXPRESSION_MALFORMED, 32,
               "at most 32 parentheses and signs nested"},
              {"n * k", WB_EXPRESSION_UNKNOWN, 4, "a name of which a value is known"},
              {"9223372036854775808", WB_EXPRESSION_NUMBER, 0, "a number of 64 bits"},
              {"all + 1", WB_EXPRESSION_NUMBER, 4, "a sum of 64 bits"},
              {"m - all - 9", WB_EXPRESSION_NUMBER, 2, "a sum of 64 bits"},
              {"all * 2", WB_EXPRESSION_NUMBER, 4, "a product of 64 bits"},
              {"n / (m + 7)", WB_EXPRESSION_NUMBER, 2, "a divisor that is not 0"},
              {"(-all - 1) / -1", WB_EXPRESSION_NUMBER, 11, "a divisor that is not 0"},
              {"-(-all - 1)", WB_EXPRESSION_NUMBER, 0, "a number of 64 bits"}};
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    const struct wb_expression_result result =
        wb_expression_evaluate(rows[r].text, strlen(rows[r].text), find, NULL);
    assert_int_equal(result.status, rows[r].status);
    assert_int_equal(result.at - rows[r].text, rows[r].at);
    assert_string_equal(result.expected, rows[r].expected);
  }
}

/* Without values the text alone is read. */
TEST(text_alone)
{
  static const char *const good[] = {"k / 0", "all * all", "n"};
  for (size_t g = 0; g < COUNT_OF(good); g++)
    assert_int_equal(wb_expression_evaluate(good[g], strlen(good[g]), NULL, NULL).status,
                     WB_EXPRESSION_OK);
  assert_int_equal(wb_expression_evaluate("k /", 3, NULL, NULL).status, WB_EXPRESSION_MALFORMED);
  assert_int_equal(wb_expression_evaluate("k", 1, wb_expression_no_names, NULL).status,
                   WB_EXPRESSION_UNKNOWN);
}
