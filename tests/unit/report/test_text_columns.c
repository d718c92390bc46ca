/* Tables of plain text, and long lines that are broken. */
#include "report/report_words.h"

#include "base/text.h"

#include "unit.h"

static void check_table(const char *rows, size_t indent, const char *expected)
{
  FREED_BY(wb_text_free) struct wb_text in = {0}, out = {0};
  wb_text_string(&in, rows);
  wb_text_columns(&out, indent, &in);
  assert_false(out.failed);
  assert_string_equal(out.data != NULL ? out.data : "", expected);
}

TEST(columns_are_as_wide_as_their_cells)
{
  check_table("a\tbb\tc\nlonger\tb\n", 0, "a       bb  c\nlonger  b\n");
  check_table("a\tb\n\tbbb\tc\n", 1, " a  b\n    bbb  c\n");
}

/* A row without a tab widens nothing; empty cells at the end leave no blanks. */
TEST(lines_and_empty_cells)
{
  check_table("a\tb\na line of its own\na\tb\n", 2, "  a  b\n  a line of its own\n  a  b\n");
  check_table("a\tb\tc\naa\t\t\n", 0, "a   b  c\naa\n");
  check_table("", 4, "");
}

/* Cells behind the last aligned column follow as they are. */
TEST(more_columns_than_are_aligned)
{
  check_table("0\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\n", 0,
              "0  1  2  3  4  5  6  7  8  9  10  11\n");
}

static void check_break(const char *before, const char *words, size_t indent, const char *expected)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_string(&text, before);
  wb_text_string(&text, words);
  wb_text_break(&text, strlen(before), indent);
  assert_false(text.failed);
  assert_string_equal(text.data, expected);
}

#define TEN "123456789 "
#define FIFTY TEN TEN TEN TEN TEN

TEST(lines_are_broken_at_blanks)
{
  check_break("kept " FIFTY FIFTY FIFTY "\n", "short\n", 2, "kept " FIFTY FIFTY FIFTY "\nshort\n");
  /* 120 characters fit, 121 do not. */
  check_break("", FIFTY FIFTY TEN "1234567890\nnext\n", 4, FIFTY FIFTY TEN "1234567890\nnext\n");
  check_break("", FIFTY FIFTY TEN "12345678901\nnext\n", 4,
              FIFTY FIFTY "123456789\n    12345678901\nnext\n");
}

TEST(lines_that_go_on_have_the_indentation)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  for (int i = 0; i < 100; i++)
    wb_text_string(&text, TEN);
  wb_text_string(&text, "\n");
  wb_text_break(&text, 0, 7);
  const char *at = text.data;
  for (int line = 0; *at != '\0'; line++) {
    const size_t length = strcspn(at, "\n");
    assert_in_range(length, 1, WB_TEXT_WIDTH);
    assert_int_equal(strspn(at, " "), line > 0 ? 7 : 0);
    at += length + 1;
  }
}

/* Without a blank there is no place to break at. */
TEST(a_long_word_stays_whole)
{
  char word[400];
  memset(word, 'x', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  check_break("", word, 3, word);
}
