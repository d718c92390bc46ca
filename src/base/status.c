#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Replaces control characters by '?', in ASCII and as UTF-8 writes those from U+0080
 * to U+009F. Errors quote files and arguments, and mostly end on a terminal, which
 * such characters would command. */
static void disarm(char *text)
{
  for (unsigned char *at = (unsigned char *)text; *at != '\0'; at++) {
    bool two_bytes = at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f;
    if (two_bytes)
      at[1] = '?';
    if (two_bytes || *at < 0x20 || *at == 0x7f)
      *at = '?';
  }
}

static void fill(warpbound_error *error, warpbound_status status, const char *file, size_t line,
                 size_t column, const char *format, va_list arguments)
{
  if (error == NULL)
    return;
  error->status = status;
  error->line = line;
  error->column = column;
  snprintf(error->file, sizeof error->file, "%s", file != NULL ? file : "");
  vsnprintf(error->message, sizeof error->message, format, arguments);
  disarm(error->file);
  disarm(error->message);
}

warpbound_status wb_fail(warpbound_error *error, warpbound_status status, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fill(error, status, NULL, 0, 0, format, arguments);
  va_end(arguments);
  return status;
}

warpbound_status wb_fail_at(warpbound_error *error, warpbound_status status, const char *file,
                            size_t line, size_t column, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fill(error, status, file, line, column, format, arguments);
  va_end(arguments);
  return status;
}

warpbound_status wb_fail_with(warpbound_error *error, const warpbound_error *cause)
{
  if (error != NULL)
    *error = *cause;
  return cause->status;
}
