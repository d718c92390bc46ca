/* Choices by name, characters and binary search. */
#include "base/binary_search.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"
#include "unit.h"

#include <ctype.h>

static const struct wb_choice shells[] = {{"bash", 3}, {"zsh", -1}, {"fish", 7}, {NULL, 0}};
static const struct wb_choice one[] = {{"only", 1}, {NULL, 0}};

TEST(choices_are_found_by_name_and_value)
{
  assert_int_equal(wb_choice_find(shells, "zsh")->value, -1);
  assert_null(wb_choice_find(shells, "zs"));
  assert_string_equal(wb_choice_name(shells, 7), "fish");
  assert_null(wb_choice_name(shells, 0));
}

static void assert_list(const struct wb_choice *choices, const char *quote, const char *expected)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_choice_list(&text, choices, quote);
  assert_string_equal(text.data, expected);
}

TEST(choices_are_listed)
{
  assert_list(shells, "", "bash, zsh or fish");
  assert_list(shells + 1, "'", "'zsh' or 'fish'");
  assert_list(one, "\"", "\"only\"");
}

TEST(choices_are_read)
{
  warpbound_error error;
  int value = 5;
  assert_ok(wb_choice_read(shells, "", "fish", &value, &error));
  assert_int_equal(value, 7);
  assert_misuse(wb_choice_read(shells, "--shell: ", "fihs", &value, &error));
  assert_int_equal(value, 7);
  assert_string_equal(error.message, "--shell: expected bash, zsh or fish, found 'fihs' "
                                     "(did you mean 'fish'?)");
  assert_misuse(wb_choice_read(one, "", "other", &value, NULL));
}

/* As ctype.h in the locale "C". */
TEST(characters_are_of_ascii)
{
  for (int c = -128; c < 256; c++) {
    const char byte = (char)c;
    const int code = (unsigned char)byte;
    const bool ascii = code < 128;
    assert_int_equal(wb_is_digit(byte), ascii && isdigit(code));
    assert_int_equal(wb_is_capital(byte), ascii && isupper(code));
    assert_int_equal(wb_is_letter(byte), ascii && isalpha(code));
    assert_int_equal(wb_is_alphanumeric(byte), ascii && isalnum(code));
    assert_int_equal(wb_digit_value(byte) < 16, ascii && isxdigit(code));
    if (ascii)
      assert_int_equal(wb_small_letter(byte), tolower(code));
  }
  assert_int_equal(wb_digit_value('0'), 0);
  assert_int_equal(wb_digit_value('a'), 10);
  assert_int_equal(wb_digit_value('F'), 15);
  assert_true(wb_is_blank(' ') && wb_is_blank('\t') && wb_is_blank('\r'));
  assert_false(wb_is_blank('\n') || wb_is_blank('\0') || wb_is_blank('x'));
}

static bool is_below(const void *items, size_t index, const void *key)
{
  return ((const int *)items)[index] < *(const int *)key;
}

TEST(the_first_item_not_before_the_key_is_found)
{
  static const int items[] = {1, 3, 3, 3, 8, 9, 9};
  for (size_t count = 0; count <= COUNT_OF(items); count++) {
    for (int key = 0; key <= 10; key++) {
      size_t expected = 0;
      while (expected < count && items[expected] < key)
        expected++;
      assert_int_equal(wb_lower_bound(items, count, is_below, &key), expected);
    }
  }
}
