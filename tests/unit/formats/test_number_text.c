/* Decimal numbers: every one is read as strtod reads it in the locale "C", which rounds correctly.
 */
#include "base/random.h"
#include "formats/samples/samples_file.h"
#include "unit.h"

#include <inttypes.h>
#include <math.h>

#define SEED 190

/* The bits of the value, so that 0 and -0 differ. */
static uint64_t bits(double value)
{
  uint64_t word;
  memcpy(&word, &value, sizeof word);
  return word;
}

static void expect_number(const char *text)
{
  double value = NAN;
  const size_t length = strlen(text);
  assert_int_equal(wb_number_read(text, length, &value), length);
  if (bits(value) != bits(strtod(text, NULL)))
    fail_msg("%s: %.17g", text, value);
}

TEST(numbers_round_to_the_nearest)
{
  static const char *const texts[] = {"0",
                                      "-0",
                                      "00",
                                      "1",
                                      "+1",
                                      "007",
                                      "1.",
                                      ".5",
                                      "-.5e1",
                                      "0.1",
                                      "123456789012345678",
                                      "9007199254740992",
                                      "9007199254740993",
                                      "9007199254740993.0000000000000000000000001",
                                      "9007199254740995",
                                      "1e22",
                                      "1e23",
                                      "1e-22",
                                      "1e-23",
                                      "8.5e15",
                                      "1.7976931348623157e308",
                                      "1.7976931348623159e308",
                                      "1e400",
                                      "-1e400",
                                      "1e-400",
                                      "4.9e-324",
                                      "2.4703282292062327e-324",
                                      "2.4703282292062328e-324",
                                      "2.2250738585072011e-308",
                                      "1e999999999999",
                                      "1e-99999999999999",
                                      "0e999999999999",
                                      "0.000000000000000000000000000000000000001",
                                      "100000000000000000000000",
                                      "179769313486231570000000000000000000000e270",
                                      "1234567890123456789.0",
                                      "12345678901234567890",
                                      "0.30000000000000004",
                                      "1E5",
                                      "1e+5",
                                      "1e-05"};
  for (size_t t = 0; t < COUNT_OF(texts); t++)
    expect_number(texts[t]);
}

TEST(random_numbers_are_those_of_strtod)
{
  struct wb_random random = {.state = SEED};
  print_message("# seed %d\n", SEED);
  for (int i = 0; i < 200000; i++) {
    char text[64];
    const uint64_t word = wb_random_next(&random);
    double value;
    memcpy(&value, &word, sizeof value);
    if (!isfinite(value))
      continue;
    snprintf(text, sizeof text, "%.*g", (int)(word % 19) + 1, value);
    expect_number(text);
    snprintf(text, sizeof text, "%" PRIu64 ".%04" PRIu64 "e%d", word >> (word % 60), word % 10000,
             (int)(word % 40) - 20);
    expect_number(text);
  }
}

TEST(the_length_is_that_of_the_number)
{
  static const struct {
    const char *text;
    size_t length;
  } cases[] = {{"", 0},     {"-", 0},   {".", 0},    {"e5", 0},   {"-.e5", 0}, {"nan", 0},
               {"inf", 0},  {" 1", 0},  {"1 ", 1},   {"1e", 1},   {"1e+", 1},  {"1.5.2", 3},
               {"0x10", 1}, {"1,5", 1}, {"12us", 2}, {"1e5e", 3}, {"--1", 0},  {"1_0", 1}};
  double value;
  for (size_t c = 0; c < COUNT_OF(cases); c++)
    assert_int_equal(wb_number_read(cases[c].text, strlen(cases[c].text), &value), cases[c].length);
  /* Nothing behind the length is read. */
  assert_int_equal(wb_number_read("123", 2, &value), 2);
  assert_true(value == 12);
}

TEST(long_numbers_are_read_up_to_a_limit)
{
  char text[WB_NUMBER_LENGTH + 2];
  double value;
  memset(text, '1', sizeof text);
  assert_int_equal(wb_number_read(text, WB_NUMBER_LENGTH + 1, &value), 0);
  assert_int_equal(wb_number_read(text, WB_NUMBER_LENGTH, &value), WB_NUMBER_LENGTH);
  assert_true(isinf(value));
  text[1] = '.';
  assert_int_equal(wb_number_read(text, WB_NUMBER_LENGTH, &value), WB_NUMBER_LENGTH);
  assert_true(value == 10.0 / 9);
  memset(text, '0', sizeof text);
  text[1] = '.';
  text[WB_NUMBER_LENGTH - 1] = '1';
  assert_int_equal(wb_number_read(text, WB_NUMBER_LENGTH, &value), WB_NUMBER_LENGTH);
  assert_true(value == 0);
}

TEST(commas_stand_between_each_three_digits)
{
  static const struct {
    const char *text;
    double value; /* below 0: it is none */
    bool certain;
  } cases[] = {{"1,234", 1234, false},      {"1,234,567", 1234567, true},
               {"12,345.5", 12345.5, true}, {"123,456", 123456, false},
               {"1,23", -1, false},         {"1234,567", -1, false},
               {"1,2345", -1, false},       {"0,123", -1, false},
               {",123", -1, false},         {"1,234,", -1, false},
               {"1,234e3", -1, false},      {"1234", -1, false},
               {"1,234,56", -1, false},     {"", -1, false},
               {"-1,234", -1, false},       {"1,234.", 1234, true}};
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    double value = -1;
    bool certain = false;
    const bool read =
        wb_number_read_grouped(cases[c].text, strlen(cases[c].text), &value, &certain);
    assert_int_equal(read, cases[c].value >= 0);
    if (read) {
      assert_true(value == cases[c].value);
      assert_int_equal(certain, cases[c].certain);
    }
  }
}
