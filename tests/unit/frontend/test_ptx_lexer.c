/* Tokens of PTX: each kind, places, and what is refused. */
#include "frontend/ptx/ptx_lexer.h"
#include "rows.h"
#include "unit.h"

/* Copies the text into a block of its exact size, so that a sanitizer notices any
 * read beyond it. The caller frees. */
static char *exact_copy(const char *text, size_t length)
{
  char *copy = malloc(length > 0 ? length : 1);
  assert_non_null(copy);
  memcpy(copy, text, length);
  return copy;
}

static const char *kind_name(int kind, char letter[2])
{
  static const char *const names[] = {"end",     "invalid", "word",   "directive",
                                      "integer", "float",   "string", "operator"};
  letter[0] = (char)kind;
  return kind >= WB_PTX_END ? names[kind - WB_PTX_END] : letter;
}

/* A row of ptx_tokens.txt. */
static bool has_token(char *const *words, size_t count, char *text)
{
  char *found = row_field(text);
  char *expected = row_field(found);
  row_field(expected);
  const size_t length = strlen(text);
  char *copy = exact_copy(text, length);
  char letter[2] = "";
  struct wb_ptx_lexer lexer;
  wb_ptx_lexer_start(&lexer, copy, length);
  const struct wb_ptx_token token = wb_ptx_lexer_next(&lexer);
  bool holds = wb_ptx_token_is(&token, found);
  if (count == 3 && strcmp(words[0], "refused") == 0)
    holds = holds && token.kind == WB_PTX_INVALID && expected[0] != '\0' &&
            strstr(lexer.expected, expected) != NULL && token.line == strtoul(words[1], NULL, 10) &&
            token.column == strtoul(words[2], NULL, 10);
  else
    holds = holds && count == 2 && strcmp(kind_name(token.kind, letter), words[0]) == 0 &&
            token.value == strtoull(words[1], NULL, 10);
  if (!holds)
    print_message("# kind %d, text '%.*s'\n", token.kind, (int)token.length, token.text);
  free(copy);
  return holds;
}

TEST(test_first_tokens)
{
  rows_check("unit/frontend/ptx_tokens.txt", 75, has_token);
}

TEST(test_zero_bytes_are_refused)
{
  struct wb_ptx_lexer lexer;
  wb_ptx_lexer_start(&lexer, "a\0b", 3);
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_WORD);
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_INVALID);
  wb_ptx_lexer_start(&lexer, "\"\0\"", 3);
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_INVALID);
  wb_ptx_lexer_start(&lexer, "/*\0*/", 5);
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_END);
}

TEST(test_places)
{
  static const char text[] = "a\n b\r\n\tc\rd /* \n */ e\n\n;";
  static const uint32_t places[][2] = {{1, 1}, {2, 2}, {3, 2}, {4, 1}, {5, 5}, {7, 1}, {7, 2}};
  struct wb_ptx_lexer lexer;
  wb_ptx_lexer_start(&lexer, text, sizeof text - 1);
  for (size_t i = 0; i < COUNT_OF(places); i++) {
    struct wb_ptx_token token = wb_ptx_lexer_next(&lexer);
    assert_int_equal(token.line, places[i][0]);
    assert_int_equal(token.column, places[i][1]);
  }
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_END);
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_END);
}

TEST(test_no_text)
{
  struct wb_ptx_lexer lexer;
  wb_ptx_lexer_start(&lexer, NULL, 0);
  assert_int_equal(wb_ptx_lexer_next(&lexer).kind, WB_PTX_END);
}
