/* Loop bounds in source files. */
#include "formats/flow_facts/flow_facts_file.h"

#include "base/memory.h"
#include "base/text/ascii.h"

#include <stdlib.h>
#include <string.h>

#define WORD "loopbound"

/* One line of the file. */
struct source_text {
  const char *start, *end;
  uint32_t number;
};

/* A file being read. */
struct source {
  const char *name; /* the file's, for messages */
  struct wb_source_bounds *bounds;
  bool waiting;                 /* a pragma's bound is for the next line that is not empty: */
  struct wb_source_bound waits; /* the bound, without its line */
  warpbound_error *error;
};

static const char *skip_blanks(const char *at, const char *end)
{
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
    at++;
  return at;
}

/* Past a word that stands at `at`, or NULL. */
static const char *skip_word(const char *at, const char *end, const char *word)
{
  at = skip_blanks(at, end);
  size_t length = strlen(word);
  if ((size_t)(end - at) < length || memcmp(at, word, length) != 0)
    return NULL;
  return at + length;
}

/* Past a number, or NULL where there is none or it is too large. */
static const char *skip_number(const char *at, const char *end, uint64_t *number)
{
  at = skip_blanks(at, end);
  const char *start = at;
  *number = 0;
  for (; at < end && wb_is_digit(*at); at++) {
    if (*number > (UINT64_C(1) << 60))
      return NULL;
    *number = *number * 10 + (uint64_t)(*at - '0');
  }
  return at > start && (at == end || (!wb_is_alphanumeric(*at) && *at != '_')) ? at : NULL;
}

/* The larger of two bounds. */
static void keep_larger(struct wb_source_bound *kept, const struct wb_source_bound *other)
{
  const uint32_t line = kept->line;
  if (other->bound > kept->bound)
    *kept = *other;
  kept->line = line;
}

static warpbound_status add(struct source *source, const struct wb_source_bound *bound)
{
  struct wb_source_bounds *bounds = source->bounds;
  if (bounds->count > 0 && bounds->items[bounds->count - 1].line == bound->line) {
    keep_larger(&bounds->items[bounds->count - 1], bound);
    return WARPBOUND_OK;
  }
  if (!wb_grow(bounds->items, &bounds->capacity, bounds->count + 1))
    return wb_out_of_memory(source->error);
  bounds->items[bounds->count++] = *bound;
  return WARPBOUND_OK;
}

/* The bound is for the next line that holds a loop. */
static void let_wait(struct source *source, const struct wb_source_bound *bound)
{
  if (source->waiting)
    keep_larger(&source->waits, bound);
  else
    source->waits = *bound;
  source->waiting = true;
}

/* Where the word `loopbound` begins a word of the line at or after `at`; NULL: nowhere. */
static const char *find_word(const struct source_text *line, const char *at)
{
  size_t length = strlen(WORD);
  for (; (size_t)(line->end - at) >= length; at++) {
    bool begins = at == line->start || (!wb_is_alphanumeric(at[-1]) && at[-1] != '_');
    if (begins && memcmp(at, WORD, length) == 0)
      return at;
  }
  return NULL;
}

static bool holds(const char *start, const char *end, const char *text)
{
  size_t length = strlen(text);
  for (const char *at = start; (size_t)(end - at) >= length; at++) {
    if (memcmp(at, text, length) == 0)
      return true;
  }
  return false;
}

/* Past `#pragma`, or NULL. */
static const char *skip_directive(const char *at, const char *end)
{
  at = skip_word(at, end, "#");
  return at != NULL ? skip_word(at, end, "pragma") : NULL;
}

/* Past `_Pragma("`, or NULL. */
static const char *skip_operator(const char *at, const char *end)
{
  at = skip_word(at, end, "_Pragma");
  if (at != NULL)
    at = skip_word(at, end, "(");
  return at != NULL ? skip_word(at, end, "\"") : NULL;
}

/* Whether the word is the first one of a pragma, in either form: #pragma loopbound ... */
static bool begins_pragma(const struct source_text *line, const char *word)
{
  for (const char *at = line->start; at < word; at++) {
    const char *after = *at == '#' ? skip_directive(at, word) : skip_operator(at, word);
    if ((*at == '#' || *at == '_') && after != NULL && skip_blanks(after, word) == word)
      return true;
  }
  return false;
}

/* Whether the line has pragmas, and no more than these and comments. */
static bool is_pragmas_alone(const struct source_text *line)
{
  const char *at = skip_blanks(line->start, line->end);
  bool any = false;
  if (skip_directive(at, line->end) != NULL)
    return true;
  while (skip_operator(at, line->end) != NULL) {
    const char *close = memchr(at, ')', (size_t)(line->end - at));
    at = skip_blanks(close != NULL ? close + 1 : line->end, line->end);
    any = true;
  }
  return any && (at == line->end || skip_word(at, line->end, "//") != NULL ||
                 skip_word(at, line->end, "/*") != NULL);
}

static warpbound_status read_source_text(struct source *source, const struct source_text *line)
{
  const bool alone = is_pragmas_alone(line);
  bool pragma = alone;
  warpbound_status status = WARPBOUND_OK;
  const char *word = find_word(line, line->start);
  for (; status == WARPBOUND_OK && word != NULL; word = find_word(line, word + 1)) {
    const char *after = word + strlen(WORD);
    struct wb_source_bound bound = {.line = line->number,
                                    .at_line = line->number,
                                    .at_column = (uint32_t)(word - line->start) + 1};
    if (begins_pragma(line, word)) {
      pragma = true;
      /* "min A max B" after the word; the bound waits for the loop's line. */
      uint64_t least;
      const char *next = skip_word(after, line->end, "min");
      if (next != NULL)
        next = skip_number(next, line->end, &least);
      if (next != NULL)
        next = skip_word(next, line->end, "max");
      if (next != NULL)
        next = skip_number(next, line->end, &bound.bound);
      if (next == NULL)
        return wb_fail_at(source->error, WARPBOUND_INVALID_INPUT, source->name, line->number,
                          (size_t)(after - line->start) + 1,
                          "expected 'min A max B' after the pragma loopbound");
      let_wait(source, &bound);
    } else if ((holds(line->start, word, "//") || holds(line->start, word, "/*")) &&
               skip_number(after, line->end, &bound.bound) != NULL) {
      if (alone)
        let_wait(source, &bound);
      else
        status = add(source, &bound);
    }
  }
  bool empty = skip_blanks(line->start, line->end) == line->end;
  if (status == WARPBOUND_OK && source->waiting && !pragma && !empty) {
    source->waiting = false;
    source->waits.line = line->number;
    status = add(source, &source->waits);
  }
  return status;
}

warpbound_status wb_source_bounds_parse(const char *name, const char *text, size_t length,
                                        struct wb_source_bounds *bounds, warpbound_error *error)
{
  *bounds = (struct wb_source_bounds){0};
  struct source source = {.name = name, .bounds = bounds, .error = error};
  struct source_text line = {.start = text, .number = 1};
  const char *end = text + length;
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && line.start < end) {
    line.end = memchr(line.start, '\n', (size_t)(end - line.start));
    if (line.end == NULL)
      line.end = end;
    status = read_source_text(&source, &line);
    line.start = line.end < end ? line.end + 1 : end;
    line.number++;
  }
  if (status != WARPBOUND_OK)
    wb_source_bounds_free(bounds);
  return status;
}

const struct wb_source_bound *wb_source_bounds_find(const struct wb_source_bounds *bounds,
                                                    uint32_t line)
{
  size_t low = 0;
  size_t high = bounds->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (bounds->items[middle].line < line)
      low = middle + 1;
    else
      high = middle;
  }
  return low < bounds->count && bounds->items[low].line == line ? &bounds->items[low] : NULL;
}

void wb_source_bounds_free(struct wb_source_bounds *bounds)
{
  free(bounds->items);
  *bounds = (struct wb_source_bounds){0};
}
