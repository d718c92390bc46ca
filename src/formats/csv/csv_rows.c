/* Rows of comma-separated values: separators, cells, quotes. */
#include "formats/csv/csv_rows.h"

#include "base/memory.h"
#include "base/text/ascii.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Most cells of a row. */
#define MOST_CELLS 4096

/* The end of the line that begins at `at`: its line feed, or the end of the text. */
static const char *line_end(const struct wb_csv *csv, const char *at)
{
  const char *feed = at < csv->end ? memchr(at, '\n', (size_t)(csv->end - at)) : NULL;
  return feed != NULL ? feed : csv->end;
}

static void next_line(struct wb_csv *csv, const char *end)
{
  csv->at = end < csv->end ? end + 1 : end;
  csv->line_start = csv->at;
  csv->line++;
}

/* Goes to the next row; false where there is none. A line is no row where it is empty, a comment,
 * or one of NVIDIA's profilers ("==PROF== ...", " ** CUDA GPU Trace (cuda_gpu_trace):"). */
static bool find_row(struct wb_csv *csv)
{
  while (csv->at < csv->end) {
    const char *end = line_end(csv, csv->at);
    const char *at = csv->at;
    while (at < end && wb_is_blank(*at))
      at++;
    if (at < end && *at != '#' &&
        !(end - at >= 2 && at[0] == at[1] && (at[0] == '=' || at[0] == '*')))
      return true;
    next_line(csv, end);
  }
  return false;
}

/* How lines begin that Nsight Systems writes before its table. */
static const char *const messages[] = {
    "Processing [", "Generating SQLite file", "NOTICE:", "Exporting", "SKIPPED:", "Using "};
#define MESSAGES (sizeof messages / sizeof *messages)
/* How the header of Nsight Compute begins, before which the program that it ran may have written
 * anything; and how far it is looked for. */
static const char compute_header[] = "\"ID\",\"Process ID\"";
#define MOST_PREAMBLE ((size_t)1 << 20)

static bool begins_with(const char *at, const char *end, const char *word)
{
  const size_t length = strlen(word);
  return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static bool is_message(const char *at, const char *end)
{
  for (size_t m = 0; m < MESSAGES; m++)
    if (begins_with(at, end, messages[m]))
      return true;
  return false;
}

void wb_csv_skip_preamble(struct wb_csv *csv)
{
  const struct wb_csv begin = *csv;
  while (csv->at < csv->end && (size_t)(csv->at - begin.at) < MOST_PREAMBLE) {
    if (begins_with(csv->at, csv->end, compute_header))
      return;
    next_line(csv, line_end(csv, csv->at));
  }
  *csv = begin;
  while (find_row(csv) && is_message(csv->at, csv->end))
    next_line(csv, line_end(csv, csv->at));
}

/* Whether a line has the character outside of quotes. */
static bool has_outside(const char *at, const char *end, char wanted)
{
  bool quoted = false;
  for (; at < end; at++) {
    if (*at == '"')
      quoted = !quoted;
    else if (*at == wanted && !quoted)
      return true;
  }
  return false;
}

/* Whether a line has blanks between other characters. */
static bool has_blanks(const char *at, const char *end)
{
  while (at < end && (*at == ' ' || *at == '\r'))
    at++;
  while (at < end && (end[-1] == ' ' || end[-1] == '\r'))
    end--;
  return has_outside(at, end, ' ');
}

char wb_csv_separator(struct wb_csv csv)
{
  static const char candidates[] = "\t;,";
  if (!find_row(&csv))
    return '\0';
  const char *end = line_end(&csv, csv.at);
  for (const char *c = candidates; *c != '\0'; c++) {
    if (has_outside(csv.at, end, *c))
      return *c;
  }
  if (!has_blanks(csv.at, end))
    return '\0';
  /* A name may have blanks: "time (us)" over a column of numbers; it does not begin as these do. */
  const char *begin = csv.at;
  while (begin < end && (*begin == ' ' || *begin == '+' || *begin == '-' || *begin == '.'))
    begin++;
  if (begin < end && wb_is_digit(*begin))
    return ' ';
  next_line(&csv, end);
  return !find_row(&csv) || has_blanks(csv.at, line_end(&csv, csv.at)) ? ' ' : '\0';
}

warpbound_status wb_csv_fail(const struct wb_csv *csv, const struct wb_csv_cell *cell,
                             warpbound_error *error, const char *format, ...)
{
  char message[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, csv->name, cell->line, cell->column, "%s",
                    message);
}

/* Whether the character stands between cells without being the separator. */
static bool is_space(const struct wb_csv *csv, char c)
{
  return c == ' ' || c == '\r' || (c == '\t' && csv->separator != '\t');
}

static const char *skip_space(const struct wb_csv *csv, const char *at)
{
  while (at < csv->end && is_space(csv, *at))
    at++;
  return at;
}

/* Whether the cells end at `at`; with blanks as separator any blank ends one. */
static bool ends_cell(const struct wb_csv *csv, char c)
{
  return c == '\n' || (c == csv->separator && c != '\0') ||
         (csv->separator == ' ' && is_space(csv, c));
}

static warpbound_status read_cell(struct wb_csv *csv, warpbound_error *error)
{
  if (csv->count >= csv->capacity && !wb_grow(csv->cells, &csv->capacity, csv->count + 1))
    return wb_out_of_memory(error);
  struct wb_csv_cell *cell = &csv->cells[csv->count++];
  csv->at = skip_space(csv, csv->at);
  *cell =
      (struct wb_csv_cell){.line = csv->line, .column = (size_t)(csv->at - csv->line_start) + 1};
  if (csv->count > MOST_CELLS)
    return wb_csv_fail(csv, cell, error, "expected at most %d cells in a row", MOST_CELLS);
  if (csv->at < csv->end && *csv->at == '"') {
    const char *at = ++csv->at;
    cell->text = at;
    cell->quoted = true;
    for (; at < csv->end; at++) {
      if (*at == '\n') {
        csv->line_start = at + 1;
        csv->line++;
      }
      if (*at != '"')
        continue;
      if (at + 1 == csv->end || at[1] != '"')
        break;
      cell->doubled = true;
      at++;
    }
    if (at == csv->end)
      return wb_csv_fail(csv, cell, error, "expected a '\"' that ends the cell which begins here");
    cell->length = (size_t)(at - cell->text);
    csv->at = at + 1;
    if (csv->at < csv->end && !ends_cell(csv, *csv->at))
      csv->at = skip_space(csv, csv->at);
    if (csv->at == csv->end || ends_cell(csv, *csv->at))
      return WARPBOUND_OK;
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, csv->name, csv->line,
                      (size_t)(csv->at - csv->line_start) + 1,
                      "expected the end of the cell behind its '\"'");
  }
  const char *end = csv->at;
  while (end < csv->end && !ends_cell(csv, *end))
    end++;
  cell->text = csv->at;
  csv->at = end;
  while (end > cell->text && is_space(csv, end[-1]))
    end--;
  cell->length = (size_t)(end - cell->text);
  return WARPBOUND_OK;
}

warpbound_status wb_csv_next(struct wb_csv *csv, warpbound_error *error)
{
  csv->count = 0;
  if (!find_row(csv))
    return WARPBOUND_OK;
  for (;;) {
    const warpbound_status status = read_cell(csv, error);
    if (status != WARPBOUND_OK)
      return status;
    /* Blanks at the end of a line separate nothing. */
    if (csv->separator == ' ')
      csv->at = skip_space(csv, csv->at);
    if (csv->at == csv->end || *csv->at == '\n')
      break;
    csv->at += csv->separator != ' ';
  }
  next_line(csv, csv->at);
  return WARPBOUND_OK;
}

char *wb_csv_copy(const struct wb_csv_cell *cell)
{
  char *copy = wb_copy_text(cell->text, cell->length);
  if (copy == NULL || !cell->doubled)
    return copy;
  char *to = copy;
  for (size_t i = 0; i < cell->length; i++) {
    *to++ = cell->text[i];
    i += cell->text[i] == '"';
  }
  *to = '\0';
  return copy;
}
