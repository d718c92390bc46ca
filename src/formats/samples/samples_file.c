/* Files of measured times: numbers and units, series, and from a text to these. */
#include "formats/samples/samples_file.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/text/ascii.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- series by name ---- */

/* A name that is looked for. */
struct key {
  const char *name;
  size_t length;
};

static bool is_named(const struct wb_series *series, const struct key *key)
{
  return strlen(series->name) == key->length && memcmp(series->name, key->name, key->length) == 0;
}

static bool equal(const void *items, uint32_t item, const void *key)
{
  return is_named((const struct wb_series *)items + item, key);
}

static uint64_t hash_of(const void *items, uint32_t item)
{
  const struct wb_series *series = (const struct wb_series *)items + item;
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START, series->name, strlen(series->name)));
}

warpbound_status wb_series_find(struct wb_samples_reading *reading, const char *name, size_t length,
                                size_t line, size_t column, size_t *place)
{
  struct wb_samples *samples = reading->samples;
  const struct key key = {name, strnlen(name, length)};
  if (reading->last < samples->count && is_named(&samples->series[reading->last], &key)) {
    *place = reading->last;
    return WARPBOUND_OK;
  }
  if (!wb_hash_table_grow(&reading->by_name, samples->count, hash_of, samples->series))
    return wb_out_of_memory(reading->error);
  const uint64_t hash = wb_hash_finish(wb_hash_bytes(WB_HASH_START, name, key.length));
  uint32_t *slot = wb_hash_table_slot(&reading->by_name, hash, equal, samples->series, &key);
  if (*slot == 0) {
    if (samples->count >= WB_SERIES_LIMIT)
      return wb_fail_at(
          reading->error, WARPBOUND_INVALID_INPUT, reading->name, line, column,
          "expected at most %d groups: runs or kernels, not a number of each measurement",
          WB_SERIES_LIMIT);
    char *copy = wb_copy_text(name, key.length);
    if (copy == NULL || !wb_grow(samples->series, &samples->capacity, samples->count + 1)) {
      free(copy);
      return wb_out_of_memory(reading->error);
    }
    samples->series[samples->count++] = (struct wb_series){.name = copy};
    *slot = (uint32_t)samples->count;
  }
  *place = reading->last = *slot - 1;
  return WARPBOUND_OK;
}

warpbound_status wb_series_add(struct wb_samples_reading *reading, size_t place, double value,
                               size_t line, size_t column)
{
  struct wb_series *series = &reading->samples->series[place];
  if (reading->total >= WB_SAMPLES_LIMIT)
    return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, line, column,
                      "expected at most %zu values", WB_SAMPLES_LIMIT);
  if (series->count >= series->capacity &&
      !wb_grow(series->values, &series->capacity, series->count + 1))
    return wb_out_of_memory(reading->error);
  series->values[series->count++] = value;
  reading->total++;
  return WARPBOUND_OK;
}

warpbound_status wb_samples_note_unit(struct wb_samples_reading *reading, const char *what,
                                      const char *unit, size_t line, size_t column)
{
  if (reading->unit == NULL || strcmp(reading->unit, unit) == 0) {
    reading->unit = unit;
    return WARPBOUND_OK;
  }
  if (reading->choice->unit != NULL)
    return wb_fail(reading->error, WARPBOUND_USAGE, "--unit: %.200s says %s, found '%.40s'", what,
                   unit, reading->choice->unit);
  return wb_fail_at(reading->error, WARPBOUND_INVALID_INPUT, reading->name, line, column,
                    "expected %s as before, found %s: one analysis is of times of one unit",
                    reading->unit, unit);
}

/* ---- the file ---- */

/* Leaves out the first values of each series. */
static warpbound_status skip_begins(struct wb_samples_reading *reading)
{
  struct wb_samples *samples = reading->samples;
  const size_t skip = reading->choice->skip;
  for (size_t s = 0; s < samples->count && skip > 0; s++) {
    struct wb_series *series = &samples->series[s];
    if (series->count <= skip)
      return wb_fail(reading->error, WARPBOUND_USAGE,
                     "--skip: expected fewer than the %zu %s of %s%.60s%s, found %zu",
                     series->count, series->count == 1 ? "time" : "times",
                     series->name[0] != '\0' ? "'" : "",
                     series->name[0] != '\0' ? series->name : reading->name,
                     series->name[0] != '\0' ? "'" : "", skip);
    series->count -= skip;
    memmove(series->values, series->values + skip, series->count * sizeof *series->values);
  }
  samples->skipped = skip;
  return WARPBOUND_OK;
}

warpbound_status wb_samples_parse(const char *name, const char *text, size_t length,
                                  const struct wb_samples_choice *choice,
                                  struct wb_samples *samples, warpbound_error *error)
{
  warpbound_error own = {0};
  struct wb_samples_reading reading = {.name = name,
                                       .text = text,
                                       .length = length,
                                       .choice = choice,
                                       .samples = samples,
                                       .error = error != NULL ? error : &own};
  warpbound_status status = WARPBOUND_OK;
  *samples = (struct wb_samples){0};
  if (choice->unit != NULL) {
    reading.unit = wb_time_unit(choice->unit, strlen(choice->unit));
    if (reading.unit == NULL)
      status = wb_fail(error, WARPBOUND_USAGE,
                       "--unit: expected cycles, ns, us, ms or s, found '%.40s'", choice->unit);
  }
  char *decoded = NULL;
  if (status == WARPBOUND_OK && wb_is_utf16(text, length)) {
    status = wb_utf16_decode(name, text, length, &decoded, &length, reading.error);
    reading.text = text = decoded;
    reading.length = length;
  }
  const bool is_database = wb_is_sqlite(text, length);
  if (status == WARPBOUND_OK && is_database)
    status = wb_samples_read_sqlite(&reading);
  if (status == WARPBOUND_OK && !is_database) {
    /* Whether the text is JSON: no row of numbers or names begins so. */
    size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length &&
           (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
      at++;
    status = (at < length && (text[at] == '[' || text[at] == '{')) ? wb_samples_read_json(&reading)
                                                                   : wb_samples_read_csv(&reading);
  }
  if (status == WARPBOUND_OK && reading.total == 0)
    status = wb_fail_at(reading.error, WARPBOUND_INVALID_INPUT, name, 0, 0,
                        "expected measured times, found none");
  if (status == WARPBOUND_OK)
    status = skip_begins(&reading);
  if (status == WARPBOUND_OK) {
    samples->file = wb_copy_text(name, strlen(name));
    samples->unit = reading.unit != NULL ? wb_copy_text(reading.unit, strlen(reading.unit)) : NULL;
    samples->column = reading.column;
    reading.column = NULL;
    if (samples->file == NULL || (samples->unit == NULL && reading.unit != NULL))
      status = wb_out_of_memory(reading.error);
  }
  wb_hash_table_free(&reading.by_name);
  free(reading.column);
  free(decoded);
  if (status != WARPBOUND_OK)
    wb_samples_free(samples);
  return status;
}

/* ---- numbers and units ---- */

/* Beyond every exponent of a double with digits of WB_NUMBER_LENGTH. */
#define EXPONENT_LIMIT 100000

/* The exponent that stands at `*at`, behind which *at then is; 0 where there is none. */
static int read_exponent(const char *text, size_t length, size_t *at)
{
  size_t end = *at;
  if (end >= length || (text[end] != 'e' && text[end] != 'E'))
    return 0;
  end++;
  const bool negative = end < length && text[end] == '-';
  end += end < length && (text[end] == '-' || text[end] == '+');
  int exponent = 0;
  const size_t first = end;
  for (; end < length && wb_is_digit(text[end]); end++)
    exponent = exponent < EXPONENT_LIMIT ? exponent * 10 + (text[end] - '0') : EXPONENT_LIMIT;
  if (end == first)
    return 0;
  *at = end;
  return negative ? -exponent : exponent;
}

size_t wb_number_read(const char *text, size_t length, double *value)
{
  /* The digits without their point, which strtod reads by the locale. */
  char plain[WB_NUMBER_LENGTH + 32];
  const bool negative = length > 0 && text[0] == '-';
  size_t at = length > 0 && (text[0] == '-' || text[0] == '+');
  size_t digits = 0;
  int decimals = 0;
  bool point = false;
  for (; at < length && (wb_is_digit(text[at]) || (text[at] == '.' && !point)); at++) {
    if (at >= WB_NUMBER_LENGTH)
      return 0;
    if (text[at] == '.') {
      point = true;
    } else {
      plain[digits++] = text[at];
      decimals += point;
    }
  }
  if (digits == 0)
    return 0;
  const int exponent = read_exponent(text, length, &at) - decimals;
  if (at > WB_NUMBER_LENGTH)
    return 0;
  snprintf(plain + digits, sizeof plain - digits, "e%d", exponent);
  const double magnitude = strtod(plain, NULL);
  *value = negative ? -magnitude : magnitude;
  return at;
}

/* Digits from `at` on, at most `most` of them. */
static size_t count_digits(const char *text, size_t length, size_t at, size_t most)
{
  size_t count = 0;
  while (count < most && at + count < length && wb_is_digit(text[at + count]))
    count++;
  return count;
}

bool wb_number_read_grouped(const char *text, size_t length, double *value, bool *certain)
{
  char plain[WB_NUMBER_LENGTH];
  size_t at = count_digits(text, length, 0, 3);
  size_t kept = at;
  size_t commas = 0;
  if (at == 0 || text[0] == '0' || length > sizeof plain)
    return false;
  memcpy(plain, text, at);
  for (; at < length && text[at] == ','; at += 4, kept += 3) {
    if (count_digits(text, length, at + 1, 4) != 3)
      return false;
    memcpy(plain + kept, text + at + 1, 3);
    commas++;
  }
  memcpy(plain + kept, text + at, length - at);
  *certain = commas > 1 || (commas == 1 && at < length);
  kept += length - at;
  return commas > 0 && (at == length || text[at] == '.') &&
         wb_number_read(plain, kept, value) == kept;
}

static const struct unit {
  const char *name;
  double seconds;
  const char *words; /* that mean it, each between two blanks */
} units[] = {
    {"cycles", 0, " cycles cycle cyc clocks clock clk clks "},
    {"ns", 1e-9, " ns nsec nsecs nsecond nseconds nanosecond nanoseconds "},
    {"us", 1e-6,
     " us usec usecs usecond useconds microsecond microseconds \xc2\xb5s \xce\xbcs "
     "\xc2\xb5sec \xce\xbcsec "},
    {"ms", 1e-3, " ms msec msecs msecond mseconds millisecond milliseconds "},
    {"s", 1, " s sec secs second seconds "},
};
#define UNIT_COUNT (sizeof units / sizeof *units)
#define WORD_LENGTH 16

const char *wb_time_unit(const char *word, size_t length)
{
  char wanted[WORD_LENGTH + 3] = " ";
  if (length == 0 || length > WORD_LENGTH || memchr(word, ' ', length) != NULL ||
      memchr(word, '\0', length) != NULL)
    return NULL;
  for (size_t i = 0; i < length; i++)
    wanted[i + 1] = wb_small_letter(word[i]);
  wanted[length + 1] = ' ';
  for (size_t u = 0; u < UNIT_COUNT; u++) {
    if (strstr(units[u].words, wanted) != NULL)
      return units[u].name;
  }
  return NULL;
}

/* Where the brackets at the end of a name begin; NULL: there are none. */
static const char *brackets_of(const char *name)
{
  const size_t length = strlen(name);
  const char last = length > 0 ? name[length - 1] : '\0';
  return last == ')' ? strrchr(name, '(') : last == ']' ? strrchr(name, '[') : NULL;
}

const char *wb_time_unit_of_name(const char *name)
{
  const char *brackets = brackets_of(name);
  if (brackets != NULL)
    return wb_time_unit(brackets + 1, strlen(brackets) - 2);
  const char *last = name + strlen(name);
  while (last > name && last[-1] != '_' && last[-1] != ' ' && last[-1] != '-' && last[-1] != '.')
    last--;
  return wb_time_unit(last, strlen(last));
}

size_t wb_time_name_length(const char *name)
{
  const char *brackets = brackets_of(name);
  size_t length = brackets != NULL ? (size_t)(brackets - name) : strlen(name);
  while (length > 0 && name[length - 1] == ' ')
    length--;
  return length;
}

double wb_time_unit_seconds(const char *unit)
{
  for (size_t u = 0; u < UNIT_COUNT; u++) {
    if (strcmp(units[u].name, unit) == 0)
      return units[u].seconds;
  }
  return 0;
}

/* Words for infinity, and for what is no number, each between two blanks. */
static const char words[] =
    " nan inf infinity -nan -inf -infinity +nan +inf +infinity 1.#inf 1.#ind "
    "-1.#ind 1.#qnan ";

static bool is_word(const char *text, size_t length)
{
  char wanted[16] = " ";
  if (length == 0 || length > sizeof wanted - 3)
    return false;
  for (size_t i = 0; i < length; i++)
    wanted[i + 1] = wb_small_letter(text[i]);
  wanted[length + 1] = ' ';
  return memchr(text, ' ', length) == NULL && strstr(words, wanted) != NULL;
}

/* Of a number that is read: whether it is a time. */
static enum wb_sample_form judge(double *value, enum wb_sample_form form)
{
  if (isinf(*value))
    return *value > 0 ? WB_SAMPLE_TOO_LARGE : WB_SAMPLE_NEGATIVE;
  if (*value < 0)
    return WB_SAMPLE_NEGATIVE;
  *value = fabs(*value); /* -0 */
  return form;
}

enum wb_sample_form wb_sample_read(const char *text, size_t length, bool grouping, double *value,
                                   const char **unit)
{
  *unit = NULL;
  const size_t used = wb_number_read(text, length, value);
  if (used == length && length > 0)
    return judge(value, WB_SAMPLE_NUMBER);
  if (length == 0)
    return WB_SAMPLE_EMPTY;
  if (is_word(text, length))
    return WB_SAMPLE_NOT_FINITE;
  if (used > 0 && text[used] == ',' && used + 1 < length && wb_is_digit(text[used + 1])) {
    bool certain;
    if (!grouping || !wb_number_read_grouped(text, length, value, &certain))
      return WB_SAMPLE_COMMA;
    return judge(value, certain ? WB_SAMPLE_GROUPED : WB_SAMPLE_ONE_COMMA);
  }
  size_t behind = used;
  while (behind < length && text[behind] == ' ')
    behind++;
  *unit = used > 0 ? wb_time_unit(text + behind, length - behind) : NULL;
  return *unit != NULL ? judge(value, WB_SAMPLE_NUMBER) : WB_SAMPLE_OTHER;
}

bool wb_sample_is_meant(enum wb_sample_form form)
{
  return form != WB_SAMPLE_EMPTY && form != WB_SAMPLE_OTHER;
}

const char *wb_sample_expected(enum wb_sample_form form)
{
  switch (form) {
  case WB_SAMPLE_NOT_FINITE:
    return "a finite number";
  case WB_SAMPLE_TOO_LARGE:
    return "a number below 1.8e308";
  case WB_SAMPLE_NEGATIVE:
    return "a time of 0 or more";
  case WB_SAMPLE_ONE_COMMA:
    return "a number whose comma is no decimal one for certain";
  case WB_SAMPLE_COMMA:
    return "a number with a decimal point and without commas (tr , . makes points of them)";
  default:
    return "a time, a decimal number";
  }
}
