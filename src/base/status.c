#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
