#include "rows.h"

#include "base/file.h"
#include "unit.h"

#define MOST_WORDS 8

static bool row_holds(char *line, row_check *check)
{
  char *words[MOST_WORDS];
  char *rest = NULL;
  size_t count = 0;
  char *text = strstr(line, ": ");
  if (text == NULL)
    return false;
  *text = '\0';
  for (char *word = strtok_r(line, " ", &rest); word != NULL && count < MOST_WORDS;
       word = strtok_r(NULL, " ", &rest))
    words[count++] = word;
  return check(words, count, text + 2);
}

static void replace_escapes(char *text)
{
  static const char letters[] = "ntr\\";
  static const char bytes[] = "\n\t\r\\";
  char *to = text;
  for (const char *from = text; *from != '\0'; from++) {
    const char *letter = *from == '\\' && from[1] != '\0' ? strchr(letters, from[1]) : NULL;
    unsigned byte = (unsigned char)*from;
    if (letter != NULL) {
      byte = (unsigned char)bytes[letter - letters];
      from++;
    } else if (sscanf(from, "\\x%2x", &byte) == 1) {
      from += 3;
    }
    *to++ = (char)byte;
  }
  *to = '\0';
}

char *row_field(char *text)
{
  static const char between[] = " => ";
  char *rest = strstr(text, between);
  if (rest == NULL) {
    rest = text + strlen(text);
  } else {
    *rest = '\0';
    rest += strlen(between);
  }
  replace_escapes(text);
  return rest;
}

static char *read_text(const char *file)
{
  const char *root = getenv("WARPBOUND_SOURCE");
  char path[1024];
  FREED_BY(wb_input_free) struct wb_input source;
  snprintf(path, sizeof path, "%s/tests/%s", root != NULL ? root : ".", file);
  assert_ok(wb_input_read(path, &source, NULL));
  char *text = malloc(source.length + 1);
  assert_non_null(text);
  memcpy(text, source.bytes, source.length);
  text[source.length] = '\0';
  return text;
}

char *unit_text(const char *file)
{
  char *text = read_text(file);
  unit_at_end(free, text);
  return text;
}

void row_list_read(const char *file, const char *section, struct row_list *list)
{
  static const char heading[] = "== ";
  bool inside = false;
  char *rest = NULL;
  if (list->count > 0)
    return;
  for (char *line = strtok_r(read_text(file), "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    if (strncmp(line, heading, strlen(heading)) == 0) {
      inside = strcmp(line + strlen(heading), section) == 0;
    } else if (inside && line[0] != '#') {
      list->rows = realloc(list->rows, (list->count + 1) * sizeof *list->rows);
      assert_non_null(list->rows);
      list->rows[list->count++] = line;
    }
  }
  assert_true(list->count > 0);
}

void rows_check(const char *file, size_t least, row_check *check)
{
  size_t number = 0, rows = 0, wrong = 0;
  for (char *rest = unit_text(file), *end; *rest != '\0'; rest = end) {
    char *line = rest;
    end = strchr(line, '\n');
    assert_non_null(end);
    *end++ = '\0';
    number++;
    if (line[0] == '#' || line[0] == '=' || line[0] == '\0')
      continue;
    rows++;
    if (!row_holds(line, check)) {
      print_message("# %s:%zu: does not hold\n", file, number);
      wrong++;
    }
  }
  assert_true(rows >= least);
  assert_int_equal(wrong, 0);
}
