#include "model/estimate.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *warpbound_kind_name(warpbound_kind kind)
{
  static const char *const names[] = {"exact", "upper", "lower", "estimate", "published"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

char *wb_code_place(const struct wb_code *code, const char *what, uint32_t address,
                    const struct wb_instruction *line)
{
  struct wb_text text = {0};
  wb_text_format(&text, "%s at 0x%04" PRIx32, what, address);
  if (line == NULL)
    return wb_text_take(&text);
  if (line->source_line > 0 && line->source_file > 0 && code != NULL)
    wb_text_format(&text, ", %s:%" PRIu32, code->files[line->source_file - 1], line->source_line);
  else if (line->source_line > 0)
    wb_text_format(&text, ", line %" PRIu32, line->source_line);
  return wb_text_take(&text);
}

static void free_reason(struct wb_estimate_reason *reason)
{
  free(reason->reason);
  free(reason->place);
  free(reason->remedy);
}

/* Takes the texts over, some of which may be NULL: memory was out. */
static void add(struct wb_estimate *estimate, struct wb_estimate_reason reason)
{
  const bool whole = reason.reason != NULL && reason.place != NULL && reason.remedy != NULL;
  for (size_t i = 0; whole && i < estimate->count; i++) {
    const struct wb_estimate_reason *other = &estimate->items[i];
    if (strcmp(other->name, reason.name) == 0 && strcmp(other->place, reason.place) == 0 &&
        strcmp(other->reason, reason.reason) == 0) {
      free_reason(&reason);
      return;
    }
  }
  if (!whole || !wb_grow(estimate->items, &estimate->capacity, estimate->count + 1)) {
    free_reason(&reason);
    estimate->failed = true;
    return;
  }
  estimate->items[estimate->count++] = reason;
}

static char *copy(const char *text)
{
  return wb_copy_text(text, strlen(text));
}

static char *print(const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length >= 0 ? wb_allocate((size_t)length + 1, 1) : NULL;
  if (text != NULL)
    vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

void wb_estimate_because(struct wb_estimate *estimate, const char *name, const char *place,
                         const char *remedy, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *reason = print(format, arguments);
  va_end(arguments);
  add(estimate, (struct wb_estimate_reason){name, reason, copy(place), copy(remedy)});
}

void wb_estimate_because_of(struct wb_estimate *estimate, const char *name,
                            const struct wb_code *code, const struct wb_instruction *at,
                            const char *remedy, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *reason = print(format, arguments);
  va_end(arguments);
  add(estimate, (struct wb_estimate_reason){
                    name, reason, wb_code_place(code, at->opcode, at->address, at), copy(remedy)});
}

void wb_estimate_add_all(struct wb_estimate *estimate, const struct wb_estimate *other,
                         const char *function)
{
  for (size_t i = 0; i < other->count; i++) {
    const struct wb_estimate_reason *reason = &other->items[i];
    struct wb_text place = {0};
    wb_text_format(&place, "%s%s%s", reason->place, function != NULL ? " of " : "",
                   function != NULL ? function : "");
    add(estimate, (struct wb_estimate_reason){reason->name, copy(reason->reason),
                                              wb_text_take(&place), copy(reason->remedy)});
  }
  estimate->failed = estimate->failed || other->failed;
}

void wb_estimate_free(struct wb_estimate *estimate)
{
  for (size_t i = 0; i < estimate->count; i++)
    free_reason(&estimate->items[i]);
  free(estimate->items);
  *estimate = (struct wb_estimate){0};
}
