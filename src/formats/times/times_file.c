/* Reads files of measured times. */
#include "formats/times/times_file.h"

#include "base/little_endian.h"
#include "base/memory.h"
#include "base/text/ascii.h"
#include "formats/flow_facts/flow_facts_file.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of a file, also those that are not known. */
#define MOST_COLUMNS 64

enum column { KERNEL, RUN, WARP, FROM, TO, COUNT, CYCLES, COLUMNS };

static const char *const column_names[COLUMNS] = {"kernel", "run",   "warp",  "from",
                                                  "to",     "count", "cycles"};

/* A cell: without the quotes and the blanks around it. */
struct cell {
  const char *text;
  size_t length;
  size_t column; /* from 1, of the quote if there is one */
};

/* A file being read. */
struct reader {
  const char *at, *end, *line_start;
  size_t line;    /* from 1 */
  char separator; /* of cells: ',', or ';' where the header has one */
  struct cell cells[MOST_COLUMNS];
  size_t cell_count;
  size_t place_of[COLUMNS]; /* by column: its cell + 1; 0: the file has none */
  size_t width;             /* cells of the header; 0 before it */
  struct wb_times *times;
  const char *kernel, *run, *warp; /* of the newest row: its texts are used again */
  warpbound_status status;         /* after the first failure, which is in *error, at is end */
  warpbound_error *error;
};

/* ---- lines and cells ---- */

static void stop(struct reader *reader, warpbound_status status)
{
  reader->status = status;
  reader->at = reader->end;
}

WB_PRINTF(3, 4)
static void fail(struct reader *reader, size_t column, const char *format, ...)
{
  char message[200];
  va_list arguments;
  if (reader->status != WARPBOUND_OK)
    return;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  stop(reader, wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, reader->times->name, reader->line,
                          column, "%s", message));
}

static void expected(struct reader *reader, const struct cell *cell, const char *what)
{
  if (cell->length == 0)
    fail(reader, cell->column, "expected %s, found nothing", what);
  else
    fail(reader, cell->column, "expected %s, found '%.*s'", what,
         (int)(cell->length < 60 ? cell->length : 60), cell->text);
}

static bool at_line_end(const struct reader *reader)
{
  return reader->at == reader->end || *reader->at == '\n';
}

static void skip_blanks(struct reader *reader)
{
  while (reader->at < reader->end && wb_is_blank(*reader->at))
    reader->at++;
}

static size_t column_here(const struct reader *reader)
{
  return (size_t)(reader->at - reader->line_start) + 1;
}

/* Cells of a header are parted by semicolons where it has one and no comma, as spreadsheets write
 * where the comma is the decimal one. */
static void find_separator(struct reader *reader)
{
  const char *feed = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
  const size_t length = (size_t)((feed != NULL ? feed : reader->end) - reader->at);
  const bool has_comma = memchr(reader->at, ',', length) != NULL;
  reader->separator = !has_comma && memchr(reader->at, ';', length) != NULL ? ';' : ',';
}

/* A cell up to its separator or the line's end. */
static void read_cell(struct reader *reader)
{
  if (reader->cell_count == MOST_COLUMNS) {
    fail(reader, column_here(reader), "expected at most %d columns", MOST_COLUMNS);
    return;
  }
  skip_blanks(reader);
  struct cell *cell = &reader->cells[reader->cell_count++];
  *cell = (struct cell){.text = reader->at, .column = column_here(reader)};
  const bool quoted = reader->at < reader->end && *reader->at == '"';
  if (quoted)
    cell->text = ++reader->at;
  while (!at_line_end(reader) && *reader->at != (quoted ? '"' : reader->separator))
    reader->at++;
  cell->length = (size_t)(reader->at - cell->text);
  while (!quoted && cell->length > 0 && wb_is_blank(cell->text[cell->length - 1]))
    cell->length--;
  if (!quoted)
    return;
  if (at_line_end(reader)) {
    fail(reader, cell->column, "expected a second \" in the line, found the line's end");
    return;
  }
  reader->at++;
  skip_blanks(reader);
  if (!at_line_end(reader) && *reader->at != reader->separator)
    fail(reader, column_here(reader), "expected '%c' or the line's end, found '%c'",
         reader->separator, *reader->at);
}

static bool cell_is(const struct cell *cell, const char *word)
{
  return cell->length == strlen(word) && memcmp(cell->text, word, cell->length) == 0;
}

static void read_header(struct reader *reader)
{
  for (size_t i = 0; i < reader->cell_count; i++) {
    const struct cell *cell = &reader->cells[i];
    size_t c = 0;
    while (c < COLUMNS && !cell_is(cell, column_names[c]))
      c++;
    if (c == COLUMNS) {
      expected(reader, cell, "the name of a column: kernel, run, warp, from, to, count or cycles");
      return;
    }
    if (reader->place_of[c] > 0)
      expected(reader, cell, "each column once");
    reader->place_of[c] = i + 1;
  }
  reader->width = reader->cell_count;
  if (reader->place_of[FROM] == 0 || reader->place_of[CYCLES] == 0)
    fail(reader, 1, "expected a header with the columns 'from' and 'cycles', found none '%s'",
         reader->place_of[FROM] == 0 ? "from" : "cycles");
}

/* ---- rows ---- */

/* A text of the pool; the newest one where it is the same. NULL after a failure. */
static const char *keep(struct reader *reader, const struct cell *cell, const char *text,
                        size_t length, const char *newest)
{
  if (newest != NULL && strlen(newest) == length && memcmp(newest, text, length) == 0)
    return newest;
  if (memchr(cell->text, 0, cell->length) != NULL)
    expected(reader, cell, "a name without zero bytes");
  if (reader->status != WARPBOUND_OK)
    return NULL;
  const char *copy = wb_name_pool_copy(&reader->times->names, text, length);
  if (copy == NULL)
    stop(reader, wb_out_of_memory(reader->error));
  return copy;
}

/* The cell of a column; NULL where the file has none. */
static const struct cell *cell_of(const struct reader *reader, enum column column)
{
  return reader->place_of[column] > 0 ? &reader->cells[reader->place_of[column] - 1] : NULL;
}

/* A word that tells rows apart; NULL where the cell is missing or empty. */
static const char *read_name(struct reader *reader, enum column column, const char **newest)
{
  const struct cell *cell = cell_of(reader, column);
  if (cell == NULL || cell->length == 0)
    return NULL;
  *newest = keep(reader, cell, cell->text, cell->length, *newest);
  return *newest;
}

/* A whole number, or decimals where `up`: these are rounded up. */
static int64_t read_number(struct reader *reader, const struct cell *cell, bool up,
                           const char *what)
{
  size_t i = 0;
  int64_t number = 0;
  for (; i < cell->length && wb_is_digit(cell->text[i]) && number <= WB_TIMES_MOST; i++)
    number = number * 10 + (cell->text[i] - '0');
  const size_t whole = i;
  bool above = false;
  if (up && i > 0 && i + 1 < cell->length && cell->text[i] == '.') {
    for (i++; i < cell->length && wb_is_digit(cell->text[i]); i++)
      above |= cell->text[i] != '0';
  }
  if (number <= WB_TIMES_MOST && (whole == 0 || i != cell->length))
    expected(reader, cell, what);
  number += above;
  if (number > WB_TIMES_MOST)
    expected(reader, cell, "at most 10^15");
  return number;
}

static void read_place(struct reader *reader, const struct cell *cell, struct wb_place *place)
{
  struct wb_place_words words;
  if (!wb_place_words_read(cell->text, cell->length, &words)) {
    expected(reader, cell, "an address alone, or ADDRESS@FILE:LINE");
    return;
  }
  *place = (struct wb_place){
      .source_line = words.source_line, .address = words.address, .has_address = words.has_address};
  if (memchr(cell->text, 0, cell->length) != NULL)
    expected(reader, cell, "a name without zero bytes");
  if (words.file != NULL)
    place->file = keep(reader, cell, words.file, words.file_length, NULL);
  if (words.label != NULL)
    place->label = keep(reader, cell, words.label, words.label_length, NULL);
}

/* from, or to, which may be missing. */
static void read_point(struct reader *reader, bool is_to, struct wb_times_row *row)
{
  const struct cell *from = cell_of(reader, FROM);
  const struct cell *cell = is_to ? cell_of(reader, TO) : from;
  struct wb_times_point *point = is_to ? &row->to : &row->from;
  if (is_to && (cell == NULL || cell->length == 0)) {
    point->end = WB_TIMES_BLOCK;
    if (row->from.end != WB_TIMES_PLACE)
      expected(reader, cell != NULL ? cell : from,
               cell != NULL ? "'end' or a place: the block at 'start' has one"
                            : "a place: there is no column 'to'");
  } else if (cell->length == 0 || cell_is(cell, is_to ? "start" : "end")) {
    expected(reader, cell,
             is_to ? "'end' or a place: an address (0x0148), FILE:LINE or a label"
                   : "'start' or a place: an address (0x0148), FILE:LINE or a label");
  } else if (cell_is(cell, is_to ? "end" : "start")) {
    point->end = is_to ? WB_TIMES_STOP : WB_TIMES_START;
  } else {
    read_place(reader, cell, &point->place);
  }
}

static void read_row(struct reader *reader)
{
  struct wb_times *times = reader->times;
  struct wb_times_row row = {.line = (uint32_t)reader->line, .count = -1};
  const struct cell *count = cell_of(reader, COUNT);
  if (reader->cell_count != reader->width) {
    fail(reader,
         reader->cell_count > reader->width ? reader->cells[reader->width].column
                                            : column_here(reader),
         "expected %zu cells, as in the header, found %zu", reader->width, reader->cell_count);
    return;
  }
  row.kernel = read_name(reader, KERNEL, &reader->kernel);
  row.run = read_name(reader, RUN, &reader->run);
  row.warp = read_name(reader, WARP, &reader->warp);
  read_point(reader, false, &row);
  read_point(reader, true, &row);
  row.cycles = read_number(reader, cell_of(reader, CYCLES), true,
                           "cycles: a number that is not negative, as 1024 or 12.5");
  if (count != NULL && count->length > 0)
    row.count = read_number(reader, count, false, "how often: a whole number");
  if (reader->status != WARPBOUND_OK)
    return;
  if (wb_grow(times->rows, &times->row_capacity, times->row_count + 1))
    times->rows[times->row_count++] = row;
  else
    stop(reader, wb_out_of_memory(reader->error));
}

/* ---- comments ---- */

/* The next word of a comment; length 0 at the line's end. */
static struct cell next_word(struct reader *reader)
{
  skip_blanks(reader);
  struct cell word = {.text = reader->at, .column = column_here(reader)};
  while (!at_line_end(reader) && !wb_is_blank(*reader->at))
    reader->at++;
  word.length = (size_t)(reader->at - word.text);
  return word;
}

static void read_comment(struct reader *reader)
{
  struct wb_times *times = reader->times;
  struct wb_times_checksum row = {.line = (uint32_t)reader->line};
  reader->at++;
  const struct cell first = next_word(reader);
  if (!cell_is(&first, "checksum"))
    return;
  const struct cell number = next_word(reader);
  if (number.length == 0 ||
      wb_number_word(number.text, number.length, UINT64_MAX, &row.checksum) != number.length)
    expected(reader, &number, "a checksum: a number");
  struct cell kernel = next_word(reader);
  while (!at_line_end(reader)) /* a demangled name has blanks */
    reader->at++;
  kernel.length = (size_t)(reader->at - kernel.text);
  while (kernel.length > 0 && wb_is_blank(kernel.text[kernel.length - 1]))
    kernel.length--;
  if (kernel.length > 0)
    row.kernel = keep(reader, &kernel, kernel.text, kernel.length, NULL);
  if (reader->status != WARPBOUND_OK)
    return;
  if (wb_grow(times->checksums, &times->checksum_capacity, times->checksum_count + 1))
    times->checksums[times->checksum_count++] = row;
  else
    stop(reader, wb_out_of_memory(reader->error));
}

/* ---- the file ---- */

warpbound_status wb_times_parse(const char *name, const char *text, size_t length,
                                struct wb_times *times, warpbound_error *error)
{
  static const char mark[] = "\xef\xbb\xbf";
  *times = (struct wb_times){.name = wb_copy_text(name, strlen(name))};
  struct reader reader = {.at = text,
                          .end = text + length,
                          .line_start = text,
                          .line = 1,
                          .separator = ',',
                          .times = times,
                          .error = error};
  if (length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0)
    reader.at = reader.line_start = text + strlen(mark);
  if (times->name == NULL)
    stop(&reader, wb_out_of_memory(error));
  while (reader.at < reader.end) {
    skip_blanks(&reader);
    if (!at_line_end(&reader) && *reader.at == '#') {
      read_comment(&reader);
    } else if (!at_line_end(&reader)) {
      reader.cell_count = 0;
      if (reader.width == 0)
        find_separator(&reader);
      read_cell(&reader);
      while (!at_line_end(&reader)) {
        reader.at++;
        read_cell(&reader);
      }
      if (reader.status == WARPBOUND_OK && reader.width == 0)
        read_header(&reader);
      else if (reader.status == WARPBOUND_OK)
        read_row(&reader);
    }
    while (!at_line_end(&reader))
      reader.at++;
    if (reader.at < reader.end)
      reader.at++;
    reader.line_start = reader.at;
    reader.line++;
  }
  if (times->row_count == 0)
    fail(&reader, 1, "expected %s, found the file's end",
         reader.width == 0 ? "a header as 'kernel,from,to,cycles'" : "a row of times");
  if (reader.status != WARPBOUND_OK)
    wb_times_free(times);
  return reader.status;
}

void wb_times_write_point(const struct wb_times_point *point, struct wb_text *text)
{
  const struct wb_place *place = &point->place;
  if (point->end == WB_TIMES_START || point->end == WB_TIMES_STOP)
    wb_text_string(text, point->end == WB_TIMES_START ? "start" : "end");
  if (point->end != WB_TIMES_PLACE)
    return;
  if (place->has_address)
    wb_text_format(text, "0x%04" PRIx32 "%s", place->address, place->file != NULL ? "@" : "");
  if (place->file != NULL)
    wb_text_format(text, "%s:%" PRIu32, place->file, place->source_line);
  if (place->label != NULL)
    wb_text_string(text, place->label);
}

void wb_times_free(struct wb_times *times)
{
  wb_name_pool_free(&times->names);
  free(times->rows);
  free(times->checksums);
  free(times->name);
  *times = (struct wb_times){0};
}

/* ---- raw times ---- */

#define HEADER_BYTES 40
#define ROW_BYTES 8

static const char magic[8] = {'w', 'a', 'r', 'p', 'r', 'a', 'w', '1'};

warpbound_status wb_raw_parse(const char *file, const void *bytes, size_t length,
                              struct wb_raw *raw, warpbound_error *error)
{
  *raw = (struct wb_raw){0};
  if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected raw times (\"warpraw1\" at byte 0), found something else");
  if (length < HEADER_BYTES)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected a header of %d bytes, found %zu", HEADER_BYTES, length);
  const uint32_t others = wb_u32(bytes + 28);
  const uint32_t name_length = wb_u32(bytes + 32);
  if (others > 1)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected 0 or 1 at byte 28, found %lu", (unsigned long)others);
  if (wb_u32(bytes + 36) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected 0 at byte 36, found %lu", (unsigned long)wb_u32(bytes + 36));
  if (name_length > WB_RAW_NAME_LIMIT || name_length > length - HEADER_BYTES)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected the length of a name at byte 32, found %lu",
                      (unsigned long)name_length);
  *raw = (struct wb_raw){
      .checksum = wb_u64(bytes + 8),
      .row_count = wb_u32(bytes + 16),
      .run_count = wb_u32(bytes + 20),
      .warp_count = wb_u32(bytes + 24),
      .others = others == 1,
      .kernel = (const char *)bytes + HEADER_BYTES,
      .kernel_length = name_length,
      .rows = bytes + HEADER_BYTES + name_length,
  };
  const uint64_t rest = length - HEADER_BYTES - raw->kernel_length;
  /* rows * runs * warps * 8, UINT64_MAX where that is too much: no product of two numbers of 33
   * bits or less that fits 63 bits overflows when it is made in steps. */
  const uint64_t factors[] = {raw->row_count, raw->run_count,
                              (uint64_t)raw->warp_count + (raw->others ? 1 : 0)};
  uint64_t needed = ROW_BYTES;
  for (size_t i = 0; i < sizeof factors / sizeof *factors && needed != UINT64_MAX; i++) {
    const bool fits = factors[i] == 0 || needed <= INT64_MAX / factors[i];
    needed = fits ? needed * factors[i] : UINT64_MAX;
  }
  if (needed == rest)
    return WARPBOUND_OK;
  if (needed == UINT64_MAX)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected rows for %lu runs of %lu warps, found %llu bytes",
                      (unsigned long)raw->run_count, (unsigned long)raw->warp_count,
                      (unsigned long long)rest);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                    "expected %llu bytes of rows after byte %zu, found %llu",
                    (unsigned long long)needed, HEADER_BYTES + raw->kernel_length,
                    (unsigned long long)rest);
}

struct wb_raw_row wb_raw_row_of(const struct wb_raw *raw, size_t run, size_t warp, size_t row)
{
  const size_t warps = (size_t)raw->warp_count + (raw->others ? 1 : 0);
  const unsigned char *bytes =
      raw->rows + ((run * warps + warp) * raw->row_count + row) * ROW_BYTES;
  return (struct wb_raw_row){wb_u32(bytes), wb_u32(bytes + 4)};
}
