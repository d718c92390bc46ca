/* Kernel instruction strings: what is read, refused and written. */
#include "model/kernel_string.h"
#include "unit.h"

static struct wb_kernel_string parsed(const char *text)
{
  struct wb_kernel_string string;
  warpbound_error error = {0};
  if (wb_kernel_string_parse(text, NULL, &string, &error) != WARPBOUND_OK)
    fail_msg("'%s': %s", text, error.message);
  return string;
}

/* What the string is written as. */
static void assert_written(const char *text, const char *expected)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string = parsed(text);
  struct wb_text written = {0};
  wb_kernel_string_write(&string, &written);
  char *result = wb_text_take(&written);
  assert_non_null(result);
  assert_string_equal(result, expected);
  free(result);
}

static void assert_refused(const char *text, size_t column, const char *fragment)
{
  struct wb_kernel_string string;
  warpbound_error error = {0};
  assert_invalid(wb_kernel_string_parse(text, "argument", &string, &error));
  assert_int_equal(error.status, WARPBOUND_INVALID_INPUT);
  assert_int_equal(error.column, column);
  char place[48];
  snprintf(place, sizeof place, "argument, character %zu: ", column);
  assert_int_equal(strncmp(error.message, place, strlen(place)), 0);
  if (strstr(error.message, fragment) == NULL)
    fail_msg("'%s': '%s' does not say '%s'", text, error.message, fragment);
  assert_null(string.runs);
  assert_int_equal(string.length, 0);
}

TEST(counts_and_letters_are_read)
{
  struct wb_kernel_string string = parsed("5L9C2L9C");
  assert_int_equal(string.length, 25);
  assert_int_equal(string.run_count, 4);
  assert_int_equal(string.count[WB_UNIT_LOAD_STORE], 7);
  assert_int_equal(string.count[WB_UNIT_CORE], 18);
  assert_int_equal(string.count[WB_UNIT_SPECIAL], 0);
  assert_int_equal(string.runs[2].unit, WB_UNIT_LOAD_STORE);
  assert_int_equal(string.runs[2].length, 2);
  wb_kernel_string_free(&string);
  assert_null(string.runs);
  assert_int_equal(string.length, 0);
}

TEST(every_type_is_known)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string = parsed("LCSDTNB");
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    assert_int_equal(string.runs[u].unit, u);
    assert_int_equal(string.count[u], 1);
    assert_int_equal(wb_unit_from_letter("LCSDTNB"[u]), u);
    assert_int_equal(wb_unit_letter((enum wb_unit)u), "LCSDTNB"[u]);
  }
  assert_int_equal(wb_unit_from_letter('l'), WB_UNIT_COUNT);
  assert_int_equal(wb_unit_from_letter('\0'), WB_UNIT_COUNT);
}

TEST(runs_are_maximal)
{
  assert_written("LLCLL", "2LC2L");
  assert_written("2L3L", "5L");
  assert_written("1L", "L");
  assert_written("007C", "7C");
  assert_written("L L\tC\n", "2LC");
  assert_written(" 12N ", "12N");
}

TEST(mistakes_are_placed)
{
  assert_refused("", 1, "at least one instruction");
  assert_refused("   ", 1, "at least one instruction");
  assert_refused("LCX", 3, "'X'");
  assert_refused("l", 1, "'l'");
  assert_refused("LC5", 4, "the end");
  assert_refused("LC0L", 3, "found 0");
  assert_refused("L-1C", 2, "'-'");
  assert_refused("L\x01", 2, "expected one of");
  assert_refused("L\xc3\xa4", 2, "expected one of");
  assert_refused("5 L", 2, "' '");
}

TEST(longest_string_is_a_million)
{
  struct wb_kernel_string string = parsed("999999LC");
  assert_int_equal(string.length, WB_STRING_LIMIT);
  wb_kernel_string_free(&string);
  assert_refused("1000001L", 1, "1000000");
  assert_refused("1000000LC", 9, "1000000");
  assert_refused("99999999999999999999999999L", 1, "1000000");
  assert_refused("18446744073709551617L", 1, "1000000");
}

/* Whatever is taken away from the end can be appended again. */
TEST(a_string_can_be_shortened)
{
  struct wb_text text = {0};
  struct wb_kernel_string whole;
  struct wb_kernel_string string;
  assert_ok(wb_kernel_string_parse("5L9C2L9C", NULL, &whole, NULL));
  uint8_t *types = wb_kernel_string_expand(&whole);
  assert_non_null(types);
  for (size_t left = 0; left <= whole.length; left++) {
    assert_ok(wb_kernel_string_copy(&whole, &string, NULL));
    wb_kernel_string_shorten(&string, left);
    assert_int_equal(string.length, left);
    for (size_t i = left; i < whole.length; i++)
      assert_ok(wb_kernel_string_append(&string, types[i], 1, whole.length, NULL));
    assert_true(wb_kernel_string_equal(&string, &whole));
    assert_memory_equal(string.count, whole.count, sizeof whole.count);
    wb_kernel_string_free(&string);
  }
  wb_kernel_string_shorten(&whole, 100);
  assert_int_equal(whole.length, 25);
  wb_kernel_string_shorten(&whole, 14);
  wb_kernel_string_write(&whole, &text);
  assert_string_equal(text.data, "5L9C");
  wb_text_free(&text);
  free(types);
  wb_kernel_string_free(&whole);
}

TEST(append_keeps_to_its_limit)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string = {0};
  assert_ok(wb_kernel_string_append(&string, WB_UNIT_CORE, 0, 10, NULL));
  assert_int_equal(string.run_count, 0);
  assert_ok(wb_kernel_string_append(&string, WB_UNIT_CORE, 6, 10, NULL));
  assert_ok(wb_kernel_string_append(&string, WB_UNIT_CORE, 4, 10, NULL));
  assert_int_equal(string.run_count, 1);
  assert_invalid(wb_kernel_string_append(&string, WB_UNIT_DOUBLE, 1, 10, NULL));
  assert_invalid(wb_kernel_string_append(&string, WB_UNIT_CORE, SIZE_MAX, 10, NULL));
  assert_int_equal(string.length, 10);
  assert_int_equal(string.count[WB_UNIT_CORE], 10);
  assert_int_equal(string.run_count, 1);
}

TEST(expansion_has_each_instruction)
{
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string = parsed("2LCT3N");
  const uint8_t expected[] = {0, 0, 1, 4, 5, 5, 5};
  uint8_t *types = wb_kernel_string_expand(&string);
  assert_non_null(types);
  assert_memory_equal(types, expected, sizeof expected);
  free(types);
}

TEST(copy_stands_alone)
{
  struct wb_kernel_string string = parsed("5L9C2L9C");
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string copy;
  assert_ok(wb_kernel_string_copy(&string, &copy, NULL));
  assert_ptr_not_equal(copy.runs, string.runs);
  wb_kernel_string_free(&string);
  assert_ok(wb_kernel_string_append(&copy, WB_UNIT_CORE, 1, 100, NULL));
  assert_ok(wb_kernel_string_append(&copy, WB_UNIT_LOAD_STORE, 1, 100, NULL));
  assert_int_equal(copy.length, 27);
  assert_int_equal(copy.run_count, 5);
  assert_int_equal(copy.runs[3].length, 10);
  assert_int_equal(copy.runs[4].unit, WB_UNIT_LOAD_STORE);
}

TEST(strings_are_equal_by_their_instructions)
{
  static const struct {
    const char *left;
    const char *right;
    bool equal;
  } cases[] = {{"5L9C", "5L9C", true},  {"2LC", "LLC", true},  {"5L9C", "5L8C", false},
               {"5L9C", "5L9S", false}, {"5L9C", "5L", false}, {"2L2C", "4L", false}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    FREED_BY(wb_kernel_string_free) struct wb_kernel_string left = parsed(cases[i].left);
    FREED_BY(wb_kernel_string_free) struct wb_kernel_string right = parsed(cases[i].right);
    assert_int_equal(wb_kernel_string_equal(&left, &right), cases[i].equal);
  }
}
