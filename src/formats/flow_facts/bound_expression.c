#include "formats/flow_facts/bound_expression.h"

#include "base/checked.h"
#include "base/text/ascii.h"

/* Parentheses and signs within each other. */
#define MOST_NESTED 32

/* An expression being read. */
struct reading {
  const char *at, *end;
  wb_name_value *value; /* NULL: the text alone is read */
  const void *context;
  unsigned nested;
  struct wb_expression_result result; /* of use where a function below gave false */
};

static bool fail(struct reading *reading, enum wb_expression_status status, const char *at,
                 const char *expected)
{
  reading->result = (struct wb_expression_result){.status = status, .at = at, .expected = expected};
  return false;
}

static void skip_blanks(struct reading *reading)
{
  while (reading->at < reading->end &&
         (*reading->at == ' ' || *reading->at == '\t' || *reading->at == '\r'))
    reading->at++;
}

/* Whether that character is the next one; passes it. */
static bool take(struct reading *reading, char character)
{
  skip_blanks(reading);
  if (reading->at == reading->end || *reading->at != character)
    return false;
  reading->at++;
  return true;
}

static bool read_sum(struct reading *reading, int64_t *value);

static bool read_number(struct reading *reading, int64_t *value)
{
  const char *start = reading->at;
  bool fits = true;
  *value = 0;
  for (; reading->at < reading->end && wb_is_digit(*reading->at); reading->at++)
    fits = fits && wb_multiply_signed(*value, 10, value) &&
           wb_add_signed(*value, *reading->at - '0', value);
  return fits || fail(reading, WB_EXPRESSION_NUMBER, start, "a number of 64 bits");
}

static bool is_of_name(char character)
{
  return wb_is_alphanumeric(character) || character == '_';
}

static bool read_name(struct reading *reading, int64_t *value)
{
  const char *start = reading->at;
  while (reading->at < reading->end && is_of_name(*reading->at))
    reading->at++;
  const size_t length = (size_t)(reading->at - start);
  *value = 0;
  if (reading->value == NULL || reading->value(reading->context, start, length, value))
    return true;
  fail(reading, WB_EXPRESSION_UNKNOWN, start, "a name of which a value is known");
  reading->result.length = length;
  return false;
}

/* A number, a name, or a sum in parentheses or after a minus sign. */
static bool read_factor(struct reading *reading, int64_t *value)
{
  skip_blanks(reading);
  const char *start = reading->at;
  if (start == reading->end)
    return fail(reading, WB_EXPRESSION_MALFORMED, start, "a number, a name or '('");
  if (wb_is_digit(*start))
    return read_number(reading, value);
  if (is_of_name(*start))
    return read_name(reading, value);
  if (*start != '(' && *start != '-')
    return fail(reading, WB_EXPRESSION_MALFORMED, start, "a number, a name or '('");
  if (reading->nested++ == MOST_NESTED)
    return fail(reading, WB_EXPRESSION_MALFORMED, start, "at most 32 parentheses and signs nested");
  reading->at++;
  if (*start == '-') {
    if (!read_factor(reading, value))
      return false;
    if (!wb_multiply_signed(*value, -1, value))
      return fail(reading, WB_EXPRESSION_NUMBER, start, "a number of 64 bits");
  } else if (!read_sum(reading, value)) {
    return false;
  } else if (!take(reading, ')')) {
    return fail(reading, WB_EXPRESSION_MALFORMED, reading->at, "an operator or ')'");
  }
  reading->nested--;
  return true;
}

static bool read_product(struct reading *reading, int64_t *value)
{
  if (!read_factor(reading, value))
    return false;
  for (;;) {
    skip_blanks(reading);
    const char *operator= reading->at;
    const bool times = take(reading, '*');
    int64_t right;
    if (!times && !take(reading, '/'))
      return true;
    if (!read_factor(reading, &right))
      return false;
    if (reading->value == NULL)
      continue;
    if (!times && (right == 0 || (right == -1 && *value == INT64_MIN)))
      return fail(reading, WB_EXPRESSION_NUMBER, operator, "a divisor that is not 0");
    if (times && !wb_multiply_signed(*value, right, value))
      return fail(reading, WB_EXPRESSION_NUMBER, operator, "a product of 64 bits");
    if (!times)
      *value /= right;
  }
}

static bool read_sum(struct reading *reading, int64_t *value)
{
  if (!read_product(reading, value))
    return false;
  for (;;) {
    skip_blanks(reading);
    const char *operator= reading->at;
    const bool plus = take(reading, '+');
    int64_t right;
    if (!plus && !take(reading, '-'))
      return true;
    if (!read_product(reading, &right))
      return false;
    if (reading->value != NULL &&
        !(plus ? wb_add_signed(*value, right, value) : wb_subtract_signed(*value, right, value)))
      return fail(reading, WB_EXPRESSION_NUMBER, operator, "a sum of 64 bits");
  }
}

struct wb_expression_result wb_expression_evaluate(const char *text, size_t length,
                                                   wb_name_value *value, const void *context)
{
  struct reading reading = {.at = text, .end = text + length, .value = value, .context = context};
  int64_t number = 0;
  if (!read_sum(&reading, &number))
    return reading.result;
  skip_blanks(&reading);
  if (reading.at < reading.end)
    fail(&reading, WB_EXPRESSION_MALFORMED, reading.at, "an operator or the end of the bound");
  else
    reading.result.value = number;
  return reading.result;
}

bool wb_expression_no_names(const void *context, const char *name, size_t length, int64_t *value)
{
  (void)context;
  (void)name;
  (void)length;
  (void)value;
  return false;
}
