#include "pages/markup.h"

#include "unit.h"

#include <ctype.h>

#define MOST_OPEN 32
#define LONGEST_NAME 32

size_t count_in(const char *text, const char *part)
{
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
    count++;
  return count;
}

static bool is_one_of(const char *name, size_t length, const char *const *names)
{
  for (; *names != NULL; names++)
    if (strlen(*names) == length && strncmp(*names, name, length) == 0)
      return true;
  return false;
}

static bool needs_no_end(const char *name, size_t length)
{
  static const char *const names[] = {"!DOCTYPE", "meta", "link", "br", NULL};
  return is_one_of(name, length, names);
}

/* No attribute has "nan" or "inf" where a number stands. */
static void check_numbers(const char *tag, const char *end)
{
  for (const char *at = tag + 1; at + 3 < end; at++) {
    const bool word = strncmp(at, "nan", 3) == 0 || strncmp(at, "inf", 3) == 0;
    if (word && !isalpha((unsigned char)at[3]) && strchr("\" ,.-MLHVhv", at[-1]) != NULL)
      fail_msg("a number that is none: %.60s", at);
  }
}

void check_markup(const char *text, bool html)
{
  char open[MOST_OPEN][LONGEST_NAME];
  size_t depth = 0;
  for (const char *at = strchr(text, '<'); at != NULL; at = strchr(at, '<')) {
    const char *const end = strchr(at, '>');
    assert_non_null(end);
    if (memchr(at + 1, '<', (size_t)(end - at - 1)) != NULL)
      fail_msg("a bare <: %.60s", at);
    const bool closing = at[1] == '/';
    const char *const name = at + 1 + closing;
    const size_t length = strcspn(name, " />\n");
    assert_in_range(length, 1, LONGEST_NAME - 1);
    check_numbers(at, end);
    if (closing) {
      assert_true(depth > 0);
      depth--;
      if (strncmp(open[depth], name, length) != 0 || open[depth][length] != '\0')
        fail_msg("</%.*s> where <%s> is open", (int)length, name, open[depth]);
    } else if (end[-1] != '/' && !(html && needs_no_end(name, length))) {
      assert_true(depth < MOST_OPEN);
      memcpy(open[depth], name, length);
      open[depth++][length] = '\0';
    }
    at = end;
  }
  assert_int_equal(depth, 0);
  static const char *const known[] = {"&amp;", "&lt;", "&gt;"};
  for (const char *at = text; (at = strchr(at, '&')) != NULL; at++) {
    bool found = false;
    for (size_t k = 0; k < COUNT_OF(known); k++)
      found = found || strncmp(at, known[k], strlen(known[k])) == 0;
    if (!found)
      fail_msg("a bare &: %.40s", at);
  }
}
