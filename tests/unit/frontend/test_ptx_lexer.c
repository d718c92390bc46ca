/* Tokens of PTX: each kind, places, and what is refused. */
#include "frontend/ptx/ptx_lexer.h"
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

struct expectation {
  const char *text;
  int kind;
  const char *token; /* text of the first token; NULL: all of `text` */
  uint64_t value;
};

static const struct expectation expectations[] = {
    {"ld", WB_PTX_WORD, NULL, 0},
    {"ld.global", WB_PTX_WORD, "ld", 0},
    {"%r12", WB_PTX_WORD, NULL, 0},
    {"$L__BB0_1", WB_PTX_WORD, NULL, 0},
    {"_", WB_PTX_WORD, NULL, 0},
    {"_Z1kPi$x", WB_PTX_WORD, NULL, 0},
    {"%", '%', NULL, 0},
    {"% r", '%', "%", 0},
    {".global", WB_PTX_DIRECTIVE, NULL, 0},
    {".shared::cta.b32", WB_PTX_DIRECTIVE, ".shared::cta", 0},
    {".mbarrier::complete_tx::bytes", WB_PTX_DIRECTIVE, NULL, 0},
    {".level::eviction_priority", WB_PTX_DIRECTIVE, NULL, 0},
    {".L2::128B", WB_PTX_DIRECTIVE, NULL, 0},
    {".a:b", WB_PTX_DIRECTIVE, ".a", 0},
    {".a::", WB_PTX_DIRECTIVE, ".a", 0},
    {".16x64b", WB_PTX_DIRECTIVE, NULL, 0},
    {".1d", WB_PTX_DIRECTIVE, NULL, 0},
    {".5", WB_PTX_FLOAT, NULL, 0},
    {".5e-3;", WB_PTX_FLOAT, ".5e-3", 0},
    {"0", WB_PTX_INTEGER, NULL, 0},
    {"10", WB_PTX_INTEGER, NULL, 10},
    {"10U", WB_PTX_INTEGER, NULL, 10},
    {"0x7F", WB_PTX_INTEGER, NULL, 127},
    {"0XffU", WB_PTX_INTEGER, NULL, 255},
    {"0777", WB_PTX_INTEGER, NULL, 511},
    {"0b101", WB_PTX_INTEGER, NULL, 5},
    {"18446744073709551615", WB_PTX_INTEGER, NULL, UINT64_MAX},
    {"18446744073709551616", WB_PTX_INTEGER, NULL, UINT64_MAX},
    {"99999999999999999999999999999", WB_PTX_INTEGER, NULL, UINT64_MAX},
    {"0xffffffffffffffff1", WB_PTX_INTEGER, NULL, UINT64_MAX},
    {"1.5", WB_PTX_FLOAT, NULL, 0},
    {"1.", WB_PTX_FLOAT, NULL, 0},
    {"1e5", WB_PTX_FLOAT, NULL, 0},
    {"1.5E+10;", WB_PTX_FLOAT, "1.5E+10", 0},
    {"0f3F800000", WB_PTX_FLOAT, NULL, 0},
    {"0F3f800000,", WB_PTX_FLOAT, "0F3f800000", 0},
    {"0d3FF0000000000000", WB_PTX_FLOAT, NULL, 0},
    {"\"a b\\\"", WB_PTX_STRING, NULL, 0},
    {"\"\x80 // \" x", WB_PTX_STRING, "\"\x80 // \"", 0},
    {"<<", WB_PTX_OPERATOR, NULL, 0},
    {"<=", WB_PTX_OPERATOR, NULL, 0},
    {"!=", WB_PTX_OPERATOR, NULL, 0},
    {"&&", WB_PTX_OPERATOR, NULL, 0},
    {"!p", '!', "!", 0},
    {">;", '>', ">", 0},
    {"/ 2", '/', "/", 0},
    {"  // x\r\n\t/* \x80 \n ** */ ;", ';', ";", 0},
    {"# 1 \"a.cu\"\n;", ';', ";", 0},
    {" \t# 12 \"a.cu\" 3 4", WB_PTX_END, "", 0},
    {"", WB_PTX_END, NULL, 0},
    {"// no line end", WB_PTX_END, "", 0},
};

TEST(test_first_tokens)
{
  for (size_t i = 0; i < COUNT_OF(expectations); i++) {
    const struct expectation *expected = &expectations[i];
    size_t length = strlen(expected->text);
    char *text = exact_copy(expected->text, length);
    struct wb_ptx_lexer lexer;
    wb_ptx_lexer_start(&lexer, text, length);
    struct wb_ptx_token token = wb_ptx_lexer_next(&lexer);
    if (token.kind != expected->kind)
      fail_msg("'%s': kind %d", expected->text, token.kind);
    if (!wb_ptx_token_is(&token, expected->token != NULL ? expected->token : expected->text))
      fail_msg("'%s': text '%.*s'", expected->text, (int)token.length, token.text);
    assert_int_equal(token.value, expected->value);
    free(text);
  }
}

struct refusal {
  const char *text;
  const char *found;
  const char *expected; /* a part */
  uint32_t line;
  uint32_t column;
};

static const struct refusal refusals[] = {
    {"\x01", "\x01", "a token", 1, 1},
    {"\n\x80", "\x80", "a token", 2, 1},
    {" '", "'", "a token", 1, 2},
    {"#line 3", "#", "a token", 1, 1},
    {"#1", "#", "a token", 1, 1},
    {"$", "$", "a token", 1, 1},
    {"`", "`", "a token", 1, 1},
    {". x", ".", "directive or modifier", 1, 1},
    {".::x", ".", "directive or modifier", 1, 1},
    {"08", "08", "a number", 1, 1},
    {"0b12", "0b12", "a number", 1, 1},
    {"0xg1", "0xg1", "a number", 1, 1},
    {"0x", "0x", "a number", 1, 1},
    {"5abc$", "5abc$", "a number", 1, 1},
    {"10u", "10u", "a number", 1, 1},
    {"1.5f", "1.5f", "a number", 1, 1},
    {"1e", "1e", "a number", 1, 1},
    {"0f3F80000", "0f3F80000", "8 hexadecimal digits", 1, 1},
    {"0f3F8000000", "0f3F8000000", "8 hexadecimal digits", 1, 1},
    {"0d3F800000", "0d3F800000", "16 hexadecimal digits", 1, 1},
    {"\"abc", "\"abc", "closing '\"'", 1, 1},
    {"\r\r\n \"abc\n\"", "\"abc", "closing '\"'", 3, 2},
    {"\n  /* \n * /", "", "'*/'", 2, 3},
    {"/*/", "", "'*/'", 1, 1},
};

TEST(test_refusals)
{
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    const struct refusal *expected = &refusals[i];
    size_t length = strlen(expected->text);
    char *text = exact_copy(expected->text, length);
    struct wb_ptx_lexer lexer;
    wb_ptx_lexer_start(&lexer, text, length);
    struct wb_ptx_token token = wb_ptx_lexer_next(&lexer);
    if (token.kind != WB_PTX_INVALID || !wb_ptx_token_is(&token, expected->found))
      fail_msg("'%s': kind %d, text '%.*s'", expected->text, token.kind, (int)token.length,
               token.text);
    if (strstr(lexer.expected, expected->expected) == NULL)
      fail_msg("'%s': expected '%s'", expected->text, lexer.expected);
    assert_int_equal(token.line, expected->line);
    assert_int_equal(token.column, expected->column);
    free(text);
  }
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
