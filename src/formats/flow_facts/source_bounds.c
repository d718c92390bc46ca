/* Loop bounds in source files. */
#include "formats/flow_facts/flow_facts_file.h"

#include "base/memory.h"
#include "base/sorting.h"
#include "base/text/ascii.h"
#include "formats/flow_facts/bound_expression.h"
#include "formats/flow_facts/loop_headers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The words that begin a bound. */
#define WORD "loopbound"
#define WORDS "loop bound"
#define TOOL "warpbound"
#define MACRO "WARPBOUND_LOOP"

/* One line of the file. */
struct source_text {
  const char *start, *end;
  uint32_t number;
};

/* A file being read. */
struct source {
  const char *name; /* the file's, for messages */
  struct wb_source_bounds *bounds;
  bool in_comment;              /* the line at hand begins inside a comment */
  bool waiting;                 /* a bound is for the next line with code: */
  struct wb_source_bound waits; /* the bound, without its line */
  struct wb_loop_headers headers;
  warpbound_error *error;
};

static warpbound_status fail(const struct source *source, const struct source_text *line,
                             const char *at, const char *expected)
{
  return wb_fail_at(source->error, WARPBOUND_INVALID_INPUT, source->name, line->number,
                    (size_t)(at - line->start) + 1, "expected %s", expected);
}

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

/* A comment that looks like a bound and is none, or is not the one that counts. */
static warpbound_status remark(struct source *source, uint32_t line, uint32_t column,
                               const char *expected)
{
  struct wb_source_bounds *bounds = source->bounds;
  for (size_t r = 0; r < bounds->remark_count; r++) { /* once, for all lines of the loop */
    if (bounds->remarks[r].line == line && bounds->remarks[r].column == column)
      return WARPBOUND_OK;
  }
  if (!wb_grow(bounds->remarks, &bounds->remark_capacity, bounds->remark_count + 1))
    return wb_out_of_memory(source->error);
  bounds->remarks[bounds->remark_count++] =
      (struct wb_source_remark){.line = line, .column = column, .expected = expected};
  return WARPBOUND_OK;
}

/* The larger of two bounds of one loop; a number beside an expression, the first of two of these.
 */
static warpbound_status keep_larger(struct source *source, struct wb_source_bound *kept,
                                    const struct wb_source_bound *other)
{
  const struct wb_source_bound before = *kept;
  const bool replace = kept->expression != NULL
                           ? other->expression == NULL
                           : other->expression == NULL && other->bound > kept->bound;
  if (replace) {
    *kept = *other;
    kept->line = before.line;
  }
  if (before.expression == NULL && other->expression == NULL)
    return WARPBOUND_OK;
  const struct wb_source_bound *left = replace ? &before : other;
  return remark(source, left->at_line, left->at_column, "one bound for a loop");
}

static warpbound_status add(struct source *source, const struct wb_source_bound *bound)
{
  struct wb_source_bounds *bounds = source->bounds;
  if (bounds->count > 0 && bounds->items[bounds->count - 1].line == bound->line)
    return keep_larger(source, &bounds->items[bounds->count - 1], bound);
  if (!wb_grow(bounds->items, &bounds->capacity, bounds->count + 1))
    return wb_out_of_memory(source->error);
  bounds->items[bounds->count++] = *bound;
  return WARPBOUND_OK;
}

/* The bound is for the loop in its line or, where that has no code, for the next line that has. */
static warpbound_status place(struct source *source, bool alone,
                              const struct wb_source_bound *bound)
{
  if (!alone)
    return add(source, bound);
  if (source->waiting)
    return keep_larger(source, &source->waits, bound);
  source->waits = *bound;
  source->waiting = true;
  return WARPBOUND_OK;
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

/* Before the blanks, then the word that end at `at`; NULL where that word does not. */
static const char *back_over(const char *start, const char *at, const char *word)
{
  const size_t length = strlen(word);
  while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
    at--;
  return (size_t)(at - start) >= length && memcmp(at - length, word, length) == 0 ? at - length
                                                                                  : NULL;
}

/* Whether the word is the first one of a pragma, in either form: #pragma loopbound ... */
static bool begins_pragma(const struct source_text *line, const char *word)
{
  const char *at = back_over(line->start, word, "pragma");
  if (at != NULL && back_over(line->start, at, "#") != NULL)
    return true;
  at = back_over(line->start, word, "\"");
  if (at != NULL)
    at = back_over(line->start, at, "(");
  return at != NULL && back_over(line->start, at, "_Pragma") != NULL;
}

/* Past `WARPBOUND_LOOP(...)` and a semicolon after it, or NULL; its inside. */
static const char *skip_macro(const char *at, const char *end, const char **first,
                              const char **last)
{
  at = skip_word(at, end, MACRO);
  if (at != NULL)
    at = skip_word(at, end, "(");
  if (at == NULL)
    return NULL;
  *first = at;
  for (unsigned open = 1; at < end; at++) {
    open += *at == '(';
    open -= *at == ')';
    if (open > 0)
      continue;
    *last = at++;
    const char *semicolon = skip_word(at, end, ";");
    return semicolon != NULL ? semicolon : at;
  }
  return NULL;
}

/* Past the end of a comment of several lines; the end of the line where it goes on. */
static const char *skip_to_end(const char *at, const char *end)
{
  while (at + 1 < end && !(at[0] == '*' && at[1] == '/'))
    at++;
  return at + 1 < end ? at + 2 : end;
}

/* Past a comment, or NULL: where it ends in a later line, the end of the line. */
static const char *skip_comment(const char *at, const char *end)
{
  if (skip_word(at, end, "//") != NULL)
    return end;
  at = skip_word(at, end, "/*");
  return at != NULL ? skip_to_end(at, end) : NULL;
}

/* Whether the line has pragmas, comments and macros of bounds, and no code beside them. */
static bool has_no_code(const struct source *source, const struct source_text *line)
{
  const char *at = skip_blanks(line->start, line->end);
  const char *ends[2];
  if (source->in_comment)
    at = skip_blanks(skip_to_end(at, line->end), line->end);
  else if (skip_directive(at, line->end) != NULL)
    return true;
  for (const char *next = at; next != NULL && at < line->end;) {
    next = skip_comment(at, line->end);
    if (next == NULL)
      next = skip_macro(at, line->end, &ends[0], &ends[1]);
    if (next == NULL && skip_operator(at, line->end) != NULL) {
      next = memchr(at, ')', (size_t)(line->end - at));
      next = next != NULL ? next + 1 : line->end;
    }
    at = next != NULL ? skip_blanks(next, line->end) : at;
  }
  return at == line->end;
}

static bool is_expression(const char *first, const char *last)
{
  return wb_expression_evaluate(first, (size_t)(last - first), NULL, NULL).status ==
         WB_EXPRESSION_OK;
}

/* Reads an expression: a number where it has no names. */
static warpbound_status read_expression(struct source *source, const struct source_text *line,
                                        const char *first, const char *last,
                                        struct wb_source_bound *bound)
{
  const size_t length = (size_t)(last - first);
  struct wb_expression_result result = wb_expression_evaluate(first, length, NULL, NULL);
  if (result.status == WB_EXPRESSION_OK)
    result = wb_expression_evaluate(first, length, wb_expression_no_names, NULL);
  if (result.status == WB_EXPRESSION_UNKNOWN) {
    const char *end = last;
    while (end > first && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
      end--;
    first = skip_blanks(first, end);
    bound->expression = wb_name_pool_copy(&source->bounds->texts, first, (size_t)(end - first));
    return bound->expression != NULL ? WARPBOUND_OK : wb_out_of_memory(source->error);
  }
  if (result.status != WB_EXPRESSION_OK)
    return fail(source, line, result.at, result.expected);
  if (result.value < 0)
    return fail(source, line, skip_blanks(first, last), "a bound that is not negative");
  bound->bound = (uint64_t)result.value;
  return WARPBOUND_OK;
}

/* A bound of a file that begins at that place of a line. */
static struct wb_source_bound bound_at(const struct source_text *line, const char *at)
{
  return (struct wb_source_bound){
      .line = line->number, .at_line = line->number, .at_column = (uint32_t)(at - line->start) + 1};
}

/* "min A max B" of a pragma. */
static warpbound_status read_pragma(struct source *source, const struct source_text *line,
                                    const char *word)
{
  struct wb_source_bound bound = bound_at(line, word);
  uint64_t least;
  const char *next = skip_word(word + strlen(WORD), line->end, "min");
  if (next != NULL)
    next = skip_number(next, line->end, &least);
  if (next != NULL)
    next = skip_word(next, line->end, "max");
  if (next != NULL)
    next = skip_number(next, line->end, &bound.bound);
  if (next == NULL)
    return fail(source, line, word + strlen(WORD), "'min A max B' after the pragma loopbound");
  return place(source, true, &bound);
}

/* The end of the comment that a place of a line is in, or of the line. */
static const char *end_of_comment(const char *at, const char *end)
{
  while (at + 1 < end && !(at[0] == '*' && at[1] == '/'))
    at++;
  return at + 1 < end ? at : end;
}

/* "loopbound N", where more may follow, "loopbound = EXPRESSION", with ':' too, and the same of
 * "loop bound". words: how it begins. */
static warpbound_status read_words(struct source *source, const struct source_text *line,
                                   const char *at, const char *words, bool alone)
{
  struct wb_source_bound bound = bound_at(line, at);
  const char *after = at + strlen(words);
  const char *sign = skip_word(after, line->end, ":");
  if (sign == NULL)
    sign = skip_word(after, line->end, "=");
  const char *first = sign != NULL ? sign : after;
  const char *last = end_of_comment(first, line->end);
  if (skip_number(first, last, &bound.bound) != NULL &&
      (sign == NULL || !is_expression(first, last)))
    return place(source, alone, &bound);
  if (sign != NULL && is_expression(first, last)) {
    const warpbound_status status = read_expression(source, line, first, last, &bound);
    return status == WARPBOUND_OK ? place(source, alone, &bound) : status;
  }
  /* Prose may speak of a loop bound. */
  return sign != NULL || strcmp(words, WORD) == 0
             ? remark(source, bound.at_line, bound.at_column,
                      "a number, or '=' and an expression of parameters")
             : WARPBOUND_OK;
}

/* "warpbound: loop <= EXPRESSION" to the end of the comment. */
static warpbound_status read_claim(struct source *source, const struct source_text *line,
                                   const char *word, bool alone)
{
  struct wb_source_bound bound = bound_at(line, word);
  const char *first = skip_word(word + strlen(TOOL), line->end, ":");
  if (first == NULL)
    return WARPBOUND_OK; /* prose */
  first = skip_word(first, line->end, "loop");
  if (first != NULL)
    first = skip_word(first, line->end, "<=");
  if (first == NULL)
    return fail(source, line, word, "'warpbound: loop <= BOUND'");
  warpbound_status status =
      read_expression(source, line, first, end_of_comment(first, line->end), &bound);
  return status == WARPBOUND_OK ? place(source, alone, &bound) : status;
}

/* "WARPBOUND_LOOP(EXPRESSION)" in code. */
static warpbound_status read_macro(struct source *source, const struct source_text *line,
                                   const char *word, bool alone)
{
  struct wb_source_bound bound = bound_at(line, word);
  const char *first, *last;
  if (skip_macro(word, line->end, &first, &last) == NULL)
    return fail(source, line, word, "'WARPBOUND_LOOP(BOUND)' in one line");
  warpbound_status status = read_expression(source, line, first, last, &bound);
  return status == WARPBOUND_OK ? place(source, alone, &bound) : status;
}

/* What a place of a line is part of. */
enum part { IN_CODE, IN_TEXT, IN_CHARACTER, IN_LINE_COMMENT, IN_COMMENT };

/* The part at the next character, of which the one before `at` was in `part`; *passed: the
 * characters to pass, of a mark or an escape two. */
static enum part next_part(enum part part, const char *at, const char *end, size_t *passed)
{
  const char next = at + 1 < end ? at[1] : '\0';
  *passed = 1;
  switch (part) {
  case IN_CODE:
    *passed = at[0] == '/' && (next == '/' || next == '*') ? 2 : 1;
    if (*passed == 2)
      return next == '/' ? IN_LINE_COMMENT : IN_COMMENT;
    return at[0] == '"' ? IN_TEXT : at[0] == '\'' ? IN_CHARACTER : IN_CODE;
  case IN_TEXT:
  case IN_CHARACTER:
    *passed = at[0] == '\\' && at + 1 < end ? 2 : 1;
    return at[0] == (part == IN_TEXT ? '"' : '\'') ? IN_CODE : part;
  case IN_COMMENT:
    *passed = at[0] == '*' && next == '/' ? 2 : 1;
    return *passed == 2 ? IN_CODE : IN_COMMENT;
  case IN_LINE_COMMENT:
    break;
  }
  return part;
}

static bool is_of_word(char character)
{
  return wb_is_alphanumeric(character) || character == '_';
}

/* Whether the word, whole, stands at `at`. */
static bool begins(const struct source_text *line, const char *at, const char *word)
{
  const size_t length = strlen(word);
  const size_t rest = (size_t)(line->end - at);
  return rest >= length && memcmp(at, word, length) == 0 &&
         (rest == length || !is_of_word(at[length]));
}

/* What begins with the word at `at`. */
static warpbound_status read_word(struct source *source, const struct source_text *line,
                                  const char *at, enum part part, bool alone)
{
  const bool comment = part == IN_COMMENT || part == IN_LINE_COMMENT;
  if (begins(line, at, WORD) && begins_pragma(line, at))
    return read_pragma(source, line, at);
  if (comment && begins(line, at, WORD))
    return read_words(source, line, at, WORD, alone);
  if (comment && begins(line, at, WORDS))
    return read_words(source, line, at, WORDS, alone);
  if (comment && begins(line, at, TOOL))
    return read_claim(source, line, at, alone);
  if (part == IN_CODE && begins(line, at, MACRO) &&
      *skip_blanks(line->start, line->end) != '#') /* its own definition */
    return read_macro(source, line, at, alone);
  return WARPBOUND_OK;
}

/* Whether the code of a loop begins or ends at the word at `at`. */
static bool is_of_loop(const struct source_text *line, const char *at)
{
  return begins(line, at, "for") || begins(line, at, "while") || begins(line, at, "do");
}

/* Whether a brace is all that is left of a line's code. */
static bool is_last(const char *at, const char *end)
{
  const char *rest = skip_blanks(at + 1, end);
  return rest == end || skip_comment(rest, end) != NULL;
}

/* Passes code to the reader of heads: the word or character at `at`. */
static warpbound_status follow_code(struct source *source, const struct source_text *line,
                                    const char *at)
{
  const char *after = at + 1;
  while (is_of_word(*at) && after < line->end && is_of_word(*after))
    after++;
  const bool alone = skip_blanks(line->start, line->end) == at && is_last(at, line->end);
  return wb_loop_headers_take(&source->headers, at, (size_t)(after - at), line->number, alone)
             ? WARPBOUND_OK
             : wb_out_of_memory(source->error);
}

static warpbound_status read_source_text(struct source *source, const struct source_text *line)
{
  const bool alone = has_no_code(source, line);
  enum part part = source->in_comment ? IN_COMMENT : IN_CODE;
  warpbound_status status = WARPBOUND_OK;
  size_t passed = 1;
  bool loop = false;
  if (!source->in_comment)
    wb_loop_headers_begin_line(&source->headers, line->start, line->end);
  for (const char *at = line->start; at < line->end && status == WARPBOUND_OK; at += passed) {
    const bool first = !is_of_word(*at) || at == line->start || !is_of_word(at[-1]);
    if (is_of_word(*at) && first) {
      status = read_word(source, line, at, part, alone);
      loop |= part == IN_CODE && is_of_loop(line, at);
    }
    if (status == WARPBOUND_OK && part == IN_CODE && first && skip_blanks(at, line->end) == at &&
        skip_comment(at, line->end) == NULL)
      status = follow_code(source, line, at);
    part = next_part(part, at, line->end, &passed);
  }
  source->in_comment = part == IN_COMMENT;
  if (status == WARPBOUND_OK && source->waiting && !alone) {
    source->waiting = false;
    source->waits.line = line->number;
    status = add(source, &source->waits);
  }
  struct wb_source_bounds *bounds = source->bounds;
  if (bounds->count > 0 && bounds->items[bounds->count - 1].line == line->number)
    bounds->items[bounds->count - 1].at_loop = loop;
  return status;
}

static int compare_lines(const void *left, const void *right)
{
  const struct wb_source_bound *a = left, *b = right;
  return wb_compare_pairs(a->line, a->at_line, b->line, b->at_line);
}

/* Gives the bounds at one line of a loop's head to its other lines, but for those that are of
 * several heads, and of several bounds of one line keeps the larger. */
static warpbound_status spread_bounds(struct source *source)
{
  struct wb_source_bounds *bounds = source->bounds;
  const size_t placed = bounds->count;
  for (size_t b = 0; b < placed; b++) {
    const struct wb_loop_header *header =
        wb_loop_header_find(&source->headers, bounds->items[b].line);
    if (header == NULL || (header->first == header->last && header->beside == 0))
      continue;
    bounds->items[b].at_loop = true;
    for (uint32_t l = header->first; l <= header->last + 1; l++) {
      const uint32_t line = l <= header->last ? l : header->beside;
      struct wb_source_bound copy = bounds->items[b];
      if (line == 0 || line == copy.line || wb_loop_header_find(&source->headers, line) != header)
        continue;
      if (!wb_grow(bounds->items, &bounds->capacity, bounds->count + 1))
        return wb_out_of_memory(source->error);
      copy.line = line;
      bounds->items[bounds->count++] = copy;
    }
  }
  if (bounds->count == placed)
    return WARPBOUND_OK;
  qsort(bounds->items, bounds->count, sizeof *bounds->items, compare_lines);
  const size_t count = bounds->count;
  warpbound_status status = WARPBOUND_OK;
  bounds->count = 0;
  for (size_t b = 0; b < count && status == WARPBOUND_OK; b++) {
    const struct wb_source_bound bound = bounds->items[b];
    status = add(source, &bound); /* never behind the one that is read */
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
  if (status == WARPBOUND_OK)
    status = spread_bounds(&source);
  wb_loop_headers_free(&source.headers);
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
  free(bounds->remarks);
  wb_name_pool_free(&bounds->texts);
  *bounds = (struct wb_source_bounds){0};
}
