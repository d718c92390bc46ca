#include "model/kernel_string.h"

#include "base/memory.h"
#include "base/text/ascii.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c)
{
  return wb_is_blank(c) || c == '\n';
}

/* A text being read; `what` is what messages call it. */
struct reader {
  const char *text;
  size_t at;
  const char *what;
  warpbound_error *error;
};

WB_PRINTF(3, 4)
static warpbound_status refuse(const struct reader *reader, size_t at, const char *format, ...)
{
  char reason[128];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return wb_fail_at(reader->error, WARPBOUND_INVALID_INPUT, NULL, 0, at + 1,
                    "%s%scharacter %zu: %s", reader->what, *reader->what != '\0' ? ", " : "",
                    at + 1, reason);
}

static warpbound_status parse_group(struct reader *reader, struct wb_kernel_string *string)
{
  size_t start = reader->at;
  /* Reads a count, stopping early where it is past every limit. */
  size_t count = 0;
  for (; wb_is_digit(reader->text[reader->at]); reader->at++) {
    if (count <= WB_STRING_LIMIT)
      count = count * 10 + (size_t)(reader->text[reader->at] - '0');
  }
  if (reader->at == start)
    count = 1;
  else if (count == 0)
    return refuse(reader, start, "expected a count of at least 1, found 0");
  enum wb_unit unit = wb_unit_from_letter(reader->text[reader->at]);
  if (unit == WB_UNIT_COUNT) {
    unsigned char found = (unsigned char)reader->text[reader->at];
    size_t end = reader->at;
    while (is_space(reader->text[end]))
      end++;
    if (reader->text[end] == '\0')
      return refuse(reader, reader->at,
                    "expected one of L, C, S, D, T, N after the count, found the end");
    char shown[8] = {(char)found, '\0'};
    if (found < 0x20 || found > 0x7e)
      memcpy(shown, "\\?", 3);
    char hint[WB_UNIT_HINT_SIZE];
    return refuse(reader, reader->at, "expected one of L, C, S, D, T, N or a count, found '%s'%s",
                  shown, wb_unit_hint((char)found, hint));
  }
  if (count > WB_STRING_LIMIT - string->length)
    return refuse(reader, start, "expected at most %zu instructions in all, found more",
                  WB_STRING_LIMIT);
  reader->at++;
  return wb_kernel_string_append(string, unit, count, WB_STRING_LIMIT, reader->error);
}

warpbound_status wb_kernel_string_parse(const char *text, const char *what,
                                        struct wb_kernel_string *string, warpbound_error *error)
{
  struct reader reader = {.text = text, .what = what != NULL ? what : "string", .error = error};
  *string = (struct wb_kernel_string){0};
  warpbound_status status = WARPBOUND_OK;
  while (status == WARPBOUND_OK && text[reader.at] != '\0') {
    if (is_space(text[reader.at]))
      reader.at++;
    else
      status = parse_group(&reader, string);
  }
  if (status == WARPBOUND_OK && string->length == 0)
    status =
        refuse(&reader, 0, "expected at least one instruction (L, C, S, D, T or N), found none");
  if (status != WARPBOUND_OK)
    wb_kernel_string_free(string);
  return status;
}

warpbound_status wb_kernel_string_append(struct wb_kernel_string *string, enum wb_unit unit,
                                         size_t length, size_t limit, warpbound_error *error)
{
  if (length == 0)
    return WARPBOUND_OK;
  if (length > limit || string->length > limit - length)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the kernel instruction string is longer than %zu instructions", limit);
  if (string->run_count > 0 && string->runs[string->run_count - 1].unit == unit)
    string->runs[string->run_count - 1].length += length;
  else {
    if (!wb_grow(string->runs, &string->run_capacity, string->run_count + 1))
      return wb_out_of_memory(error);
    string->runs[string->run_count++] = (struct wb_run){unit, length};
  }
  string->length += length;
  string->count[unit] += length;
  return WARPBOUND_OK;
}

void wb_kernel_string_shorten(struct wb_kernel_string *string, size_t length)
{
  while (string->length > length) {
    struct wb_run *const last = &string->runs[string->run_count - 1];
    const size_t more = string->length - length;
    const size_t taken = more < last->length ? more : last->length;
    last->length -= taken;
    string->length -= taken;
    string->count[last->unit] -= taken;
    string->run_count -= last->length == 0;
  }
}

void wb_kernel_string_write(const struct wb_kernel_string *string, struct wb_text *text)
{
  for (size_t r = 0; r < string->run_count; r++) {
    char letter = wb_unit_letter(string->runs[r].unit);
    if (string->runs[r].length > 1)
      wb_text_format(text, "%zu%c", string->runs[r].length, letter);
    else
      wb_text_append(text, &letter, 1);
  }
}

uint8_t *wb_kernel_string_expand(const struct wb_kernel_string *string)
{
  uint8_t *types = wb_allocate(string->length, 1);
  if (types == NULL)
    return NULL;
  size_t at = 0;
  for (size_t r = 0; r < string->run_count; r++) {
    memset(types + at, (int)string->runs[r].unit, string->runs[r].length);
    at += string->runs[r].length;
  }
  return types;
}

bool wb_kernel_string_equal(const struct wb_kernel_string *left,
                            const struct wb_kernel_string *right)
{
  if (left->length != right->length || left->run_count != right->run_count)
    return false;
  for (size_t r = 0; r < left->run_count; r++) {
    if (left->runs[r].unit != right->runs[r].unit || left->runs[r].length != right->runs[r].length)
      return false;
  }
  return true;
}

warpbound_status wb_kernel_string_copy(const struct wb_kernel_string *from,
                                       struct wb_kernel_string *to, warpbound_error *error)
{
  *to = *from;
  to->run_capacity = from->run_count;
  to->runs = wb_allocate(from->run_count, sizeof *from->runs);
  if (to->runs == NULL) {
    *to = (struct wb_kernel_string){0};
    return wb_out_of_memory(error);
  }
  if (from->run_count > 0)
    memcpy(to->runs, from->runs, from->run_count * sizeof *from->runs);
  return WARPBOUND_OK;
}

void wb_kernel_string_free(struct wb_kernel_string *string)
{
  free(string->runs);
  *string = (struct wb_kernel_string){0};
}

/* ---- fairness between repetitions ---- */

void wb_fair_stretch(const struct wb_fair_blocks *blocks, size_t length, size_t position,
                     size_t *from, size_t *to)
{
  size_t repetition = wb_fair_repetition(blocks, position);
  size_t before = blocks->count > 0 ? blocks->first - 1 : length;
  *from = repetition > 0 ? before + (repetition - 1) * blocks->length : 0;
  *to = repetition == 0 ? before : repetition > blocks->count ? length : *from + blocks->length;
}

warpbound_status wb_fair_blocks_parse(const char *text, struct wb_fair_blocks *blocks,
                                      warpbound_error *error)
{
  size_t *const numbers[] = {&blocks->first, &blocks->length, &blocks->count};
  const char *at = text;
  bool read = true;
  for (size_t n = 0; read && n < 3; n++) {
    const bool comma = n == 0 || *at++ == ',';
    char *end = NULL;
    const unsigned long long value = comma && wb_is_digit(*at) ? strtoull(at, &end, 10) : 0;
    read = value >= 1 && value <= WB_STRING_LIMIT;
    *numbers[n] = (size_t)value;
    at = end;
  }
  if (read && *at == '\0')
    return WARPBOUND_OK;
  return wb_fail(error, WARPBOUND_USAGE,
                 "--fair-blocks: expected FIRST,LENGTH,COUNT, each from 1 to %zu, found '%.60s'",
                 WB_STRING_LIMIT, text);
}

warpbound_status wb_fair_blocks_check(const struct wb_fair_blocks *blocks,
                                      const struct wb_kernel_string *string, warpbound_error *error)
{
  size_t before = blocks->first - 1;
  if (blocks->first < 1 || blocks->length < 1 || blocks->count < 1 || before >= string->length ||
      blocks->count > (string->length - before) / blocks->length)
    return wb_fail(error, WARPBOUND_USAGE,
                   "--fair-blocks: expected %zu times %zu instructions from instruction %zu on "
                   "within the string, which has %zu",
                   blocks->count, blocks->length, blocks->first, string->length);
  uint8_t *types = wb_kernel_string_expand(string);
  if (types == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = blocks->length; status == WARPBOUND_OK && i < blocks->length * blocks->count;
       i++) {
    const size_t at = before + i;
    const size_t same = at - blocks->length;
    if (types[at] != types[same])
      status = wb_fail(error, WARPBOUND_USAGE,
                       "--fair-blocks: expected %zu times the same %zu instructions, found %c as "
                       "instruction %zu and %c as instruction %zu",
                       blocks->count, blocks->length, wb_unit_letter((enum wb_unit)types[same]),
                       same + 1, wb_unit_letter((enum wb_unit)types[at]), at + 1);
  }
  free(types);
  return status;
}

warpbound_status wb_fair_blocks_repeat(const struct wb_fair_blocks *blocks,
                                       const struct wb_kernel_string *string,
                                       const size_t times[WB_UNIT_COUNT],
                                       struct wb_fair_blocks *repeated, warpbound_error *error)
{
  uint8_t *types = wb_kernel_string_expand(string);
  if (types == NULL)
    return wb_out_of_memory(error);
  *repeated = (struct wb_fair_blocks){.first = 1, .count = blocks->count};
  size_t at = 0;
  for (; at < blocks->first - 1; at++)
    repeated->first += times[types[at]];
  for (; at < blocks->first - 1 + blocks->length; at++)
    repeated->length += times[types[at]];
  free(types);
  return WARPBOUND_OK;
}
