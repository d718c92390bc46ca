#include "model/kernel_string.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads a count, stopping early where it is past every limit. */
static size_t read_count(const char *text, size_t *at)
{
  size_t count = 0;
  for (; text[*at] >= '0' && text[*at] <= '9'; (*at)++) {
    if (count <= WB_STRING_LIMIT)
      count = count * 10 + (size_t)(text[*at] - '0');
  }
  return count;
}

static warpbound_status bad_letter(const char *text, size_t at, const char *name,
                                   warpbound_error *error)
{
  if (text[at] == '\0')
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, at + 1,
                      "expected one of L, C, S, D, N after the count, found the end");
  char shown[8] = {text[at], '\0'};
  if ((unsigned char)text[at] < 0x20 || (unsigned char)text[at] > 0x7e)
    memcpy(shown, "\\?", 3);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, at + 1,
                    "expected one of L, C, S, D, N or a count, found '%s'", shown);
}

static warpbound_status parse_group(const char *text, size_t *at, const char *name,
                                    struct wb_kernel_string *string, warpbound_error *error)
{
  size_t start = *at;
  size_t count = read_count(text, at);
  if (*at == start)
    count = 1;
  else if (count == 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, start + 1,
                      "expected a count of at least 1, found 0");
  enum wb_unit unit = wb_unit_from_letter(text[*at]);
  if (unit == WB_UNIT_COUNT)
    return bad_letter(text, *at, name, error);
  if (count > WB_STRING_LIMIT - string->length)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, start + 1,
                      "expected at most %zu instructions in all, found more", WB_STRING_LIMIT);
  (*at)++;
  return wb_kernel_string_append(string, unit, count, WB_STRING_LIMIT, error);
}

warpbound_status wb_kernel_string_parse(const char *text, const char *name,
                                        struct wb_kernel_string *string, warpbound_error *error)
{
  if (name == NULL)
    name = "string";
  *string = (struct wb_kernel_string){0};
  warpbound_status status = WARPBOUND_OK;
  size_t at = 0;
  while (status == WARPBOUND_OK && text[at] != '\0') {
    if (is_blank(text[at]))
      at++;
    else
      status = parse_group(text, &at, name, string, error);
  }
  if (status == WARPBOUND_OK && string->length == 0)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, name, 1, 1,
                        "expected at least one instruction (L, C, S, D or N), found none");
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
    void *runs = string->runs;
    if (!wb_grow(&runs, &string->run_capacity, string->run_count + 1, sizeof *string->runs))
      return wb_out_of_memory(error);
    string->runs = runs;
    string->runs[string->run_count++] = (struct wb_run){unit, length};
  }
  string->length += length;
  string->count[unit] += length;
  return WARPBOUND_OK;
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
