#include "formats/flow_facts/loop_headers.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool is(const char *at, size_t length, const char *word)
{
  return length == strlen(word) && memcmp(at, word, length) == 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

void wb_loop_headers_begin_line(struct wb_loop_headers *headers, const char *start, const char *end)
{
  const bool goes_on = headers->continued;
  const char *at = skip_blanks(start, end);
  headers->directive = goes_on || (at < end && *at == '#');
  if (headers->directive && !goes_on) {
    at = skip_blanks(at + 1, end);
    const bool conditional =
        end - at >= 2 &&
        (memcmp(at, "if", 2) == 0 || memcmp(at, "el", 2) == 0 || memcmp(at, "en", 2) == 0);
    headers->loop_count = conditional ? 0 : headers->loop_count;
  }
  while (end > start && end[-1] == '\r')
    end--;
  headers->continued = headers->directive && end > start && end[-1] == '\\';
}

/* The end of a head. */
static bool end_header(struct wb_loop_headers *headers, uint32_t line)
{
  headers->open.last = line;
  headers->state = WB_HEADER_BEHIND;
  if (!wb_grow(headers->items, &headers->capacity, headers->count + 1))
    return false;
  headers->items[headers->count++] = headers->open;
  return true;
}

/* Takes what only the state understands; false: it has to be taken as any code. */
static bool take_in_state(struct wb_loop_headers *headers, const char *at, size_t length,
                          uint32_t line, bool alone, bool *kept)
{
  const enum wb_header_state state = headers->state;
  if (state == WB_HEADER_INSIDE) {
    headers->parentheses += is(at, length, "(");
    headers->parentheses -= is(at, length, ")");
    if (headers->parentheses == 0)
      *kept = end_header(headers, line);
    return true;
  }
  headers->state = WB_HEADER_NONE;
  if (state == WB_HEADER_WORD && is(at, length, "(")) {
    headers->state = WB_HEADER_INSIDE;
    headers->parentheses = 1;
    return true;
  }
  if (state == WB_HEADER_BEHIND && is(at, length, "{") && alone && headers->open.beside == 0)
    headers->items[headers->count - 1].beside = line;
  if (state == WB_HEADER_DO && is(at, length, "{")) {
    if (headers->loop_count == WB_OPEN_DO_LIMIT)
      headers->loop_count = 0;
    headers->loops[headers->loop_count].line = headers->open.beside;
    headers->loops[headers->loop_count++].braces = headers->braces;
  }
  if (state == WB_HEADER_BODY && headers->loop_count > 0) {
    const uint32_t of_do = headers->loops[--headers->loop_count].line;
    if (is(at, length, "while")) {
      headers->open = (struct wb_loop_header){.first = line, .beside = of_do};
      headers->state = WB_HEADER_WORD;
      return true;
    }
  }
  return false;
}

bool wb_loop_headers_take(struct wb_loop_headers *headers, const char *at, size_t length,
                          uint32_t line, bool alone)
{
  bool kept = true;
  if (headers->directive || take_in_state(headers, at, length, line, alone, &kept))
    return kept;
  if (is(at, length, "for") || is(at, length, "while")) {
    headers->open = (struct wb_loop_header){.first = line};
    headers->state = WB_HEADER_WORD;
  } else if (is(at, length, "do")) {
    headers->open = (struct wb_loop_header){.beside = line};
    headers->state = WB_HEADER_DO;
  } else if (is(at, length, "{")) {
    headers->braces++;
  } else if (is(at, length, "}")) {
    headers->braces -= headers->braces > 0;
    if (headers->loop_count > 0 &&
        headers->loops[headers->loop_count - 1].braces == headers->braces)
      headers->state = WB_HEADER_BODY;
  }
  return true;
}

const struct wb_loop_header *wb_loop_header_find(const struct wb_loop_headers *headers,
                                                 uint32_t line)
{
  const struct wb_loop_header *found = NULL;
  for (size_t h = 0; h < headers->count; h++) {
    const struct wb_loop_header *header = &headers->items[h];
    if ((line < header->first || line > header->last) && line != header->beside)
      continue;
    if (found != NULL)
      return NULL;
    found = header;
  }
  return found;
}

void wb_loop_headers_free(struct wb_loop_headers *headers)
{
  free(headers->items);
  *headers = (struct wb_loop_headers){0};
}
