#include "base/text/demangle.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/text/ascii.h"

#include <stdlib.h>
#include <string.h>

/* Of the C++ runtime library (Itanium C++ ABI, 3.3.1), callable from C. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* Longest mangled and demangled names that are dealt with. */
#define LONGEST_NAME 1000
/* The longest that a demangled name might be, before it is known. */
#define LONGEST_ESTIMATE (1u << 18)
/* Packs may be written out as often as they have members. */
#define MOST_PACKS 2

/* Names are untrusted: a mangled name may refer to parts of itself, so that what it stands for
 * can be exponentially longer. With r references that is at most by the factor e^(r/e), less than
 * (13/9)^r: the product of the numbers of references on each level of nesting, which add up to r.
 * A reference inside an identifier is counted too. */
static bool is_harmless(const char *name)
{
  double estimate = (double)strlen(name);
  unsigned packs = 0;
  for (const char *at = name + 2; *at != '\0'; at++) {
    const char *end = at + 1;
    while (wb_is_digit(*end) || wb_is_capital(*end))
      end++;
    if ((*at == 'S' || *at == 'T') && *end == '_') /* a reference */
      estimate = estimate * 13 / 9;
    packs += strncmp(at, "Dp", 2) == 0 || strncmp(at, "sp", 2) == 0;
  }
  return estimate <= LONGEST_ESTIMATE && packs <= MOST_PACKS;
}

/* The name without the suffix of a module, to be freed; NULL where memory is out. */
static char *without_module(const char *name)
{
  const char *suffix = strstr(name, WB_MODULE_SUFFIX);
  return wb_copy_text(name, suffix != NULL ? (size_t)(suffix - name) : strlen(name));
}

char *wb_demangle(const char *name)
{
  int status;
  const char *suffix = strstr(name, WB_MODULE_SUFFIX);
  if (strncmp(name, "_Z", 2) != 0 || strlen(name) > LONGEST_NAME || !is_harmless(name))
    return NULL;
  if (suffix != NULL) {
    char *bare = without_module(name);
    char *text = bare != NULL ? wb_demangle(bare) : NULL;
    struct wb_text whole = {.failed = text == NULL};
    if (text != NULL)
      wb_text_format(&whole, "%s%s", text, suffix);
    free(text);
    free(bare);
    return wb_text_take(&whole);
  }
  char *demangled = __cxa_demangle(name, NULL, NULL, &status);
  if (demangled != NULL && strlen(demangled) <= LONGEST_NAME)
    return demangled;
  free(demangled);
  return NULL;
}

/* Where a demangled name ends: at the parenthesis of its parameters, which is outside angle
 * brackets and no part of "(anonymous namespace)". */
static const char *end_of_name(const char *text)
{
  static const char anonymous[] = "(anonymous namespace)";
  unsigned depth = 0;
  for (; *text != '\0'; text++) {
    if (strncmp(text, anonymous, sizeof anonymous - 1) == 0)
      text += sizeof anonymous - 2;
    else if (*text == '(' && depth == 0)
      return text;
    else if (*text == '<')
      depth++;
    else if (*text == '>' && depth > 0)
      depth--;
  }
  return text;
}

/* The end without the template arguments at it. */
static const char *without_arguments(const char *begin, const char *end)
{
  unsigned depth = 0;
  if (end == begin || end[-1] != '>')
    return end;
  for (const char *at = end - 1; at > begin; at--) {
    depth += *at == '>';
    depth -= *at == '<';
    if (depth == 0)
      return at;
  }
  return end;
}

/* Whether two texts are the same but for blanks. */
static bool same(const char *wanted, const char *text, const char *end)
{
  for (;;) {
    while (*wanted == ' ')
      wanted++;
    while (text < end && *text == ' ')
      text++;
    if (*wanted == '\0' || text == end)
      return *wanted == '\0' && text == end;
    if (*wanted++ != *text++)
      return false;
  }
}

/* Where a demangled name begins: behind the last separator outside of brackets: a blank, behind the
 * type of the result, which templates have, or a colon, behind namespaces. */
static const char *start_of_name(const char *text, const char *end, char separator)
{
  const char *begin = text;
  unsigned depth = 0;
  for (const char *at = text; at < end; at++) {
    if (*at == '<' || *at == '(')
      depth++;
    else if ((*at == '>' || *at == ')') && depth > 0)
      depth--;
    else if (*at == separator && depth == 0)
      begin = at + 1;
  }
  return begin;
}

bool wb_demangled_matches(const char *wanted, const char *name)
{
  if (strcmp(wanted, name) == 0)
    return true;
  const char *suffix = strstr(name, WB_MODULE_SUFFIX);
  if (suffix != NULL) {
    const char *wanted_suffix = strstr(wanted, WB_MODULE_SUFFIX);
    char *bare = without_module(name);
    char *bare_wanted = without_module(wanted);
    const bool same_module = wanted_suffix == NULL || strcmp(suffix, wanted_suffix) == 0;
    const bool found = same_module && bare != NULL && bare_wanted != NULL &&
                       wb_demangled_matches(bare_wanted, bare);
    free(bare);
    free(bare_wanted);
    return found;
  }
  char *text = wb_demangle(name);
  if (text == NULL)
    return false;
  const char *last = text + strlen(text);
  const char *end = end_of_name(text);
  const char *begin = start_of_name(text, end, ' ');
  bool matches = same(wanted, text, last) || same(wanted, begin, last) ||
                 same(wanted, begin, end) || same(wanted, begin, without_arguments(begin, end));
  free(text);
  return matches;
}

bool wb_demangled_is_called(const char *identifier, const char *name)
{
  char *bare = without_module(name);
  char *text = bare != NULL ? wb_demangle(bare) : NULL;
  const char *whole = text != NULL ? text : bare != NULL ? bare : "";
  const char *end = end_of_name(whole);
  const char *result = start_of_name(whole, end, ' ');
  const char *begin = start_of_name(result, end, ':');
  const bool called = same(identifier, begin, without_arguments(begin, end));
  free(text);
  free(bare);
  return called;
}
