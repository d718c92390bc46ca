#include "fixtures.h"

#include "unit.h"

#define PATH_SIZE 1024

static void make_path(char path[PATH_SIZE], const char *format, va_list arguments)
{
  const char *folder = getenv("WARPBOUND_FIXTURES");
  const int length = snprintf(path, PATH_SIZE, "%s/", folder != NULL ? folder : "tests/fixtures");
  vsnprintf(path + length, PATH_SIZE - (size_t)length, format, arguments);
}

void fixture_read(struct wb_input *source, const char *format, ...)
{
  char path[PATH_SIZE];
  warpbound_error error;
  va_list arguments;
  va_start(arguments, format);
  make_path(path, format, arguments);
  va_end(arguments);
  if (wb_input_read(path, source, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", path, error.message);
}

void fixtures_find(glob_t *found, const char *format, ...)
{
  char pattern[PATH_SIZE];
  va_list arguments;
  va_start(arguments, format);
  make_path(pattern, format, arguments);
  va_end(arguments);
  if (glob(pattern, found->gl_pathc > 0 ? GLOB_APPEND : 0, NULL, found) != 0)
    fail_msg("no file is %s", pattern);
}

void listing_read(const char *path, struct wb_code *code)
{
  FREED_BY(wb_input_free) struct wb_input source;
  warpbound_error error = {.message = ""};
  *code = (struct wb_code){0};
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  if (wb_sass_parse(path, source.bytes, source.length, NULL, code, &error) != WARPBOUND_OK)
    fail_msg("%s:%zu: %s", path, error.line, error.message);
}

warpbound_status listing_parse(const char *text, size_t length,
                               const struct wb_sass_options *options, struct wb_code *code,
                               warpbound_error *error)
{
  char *copy = must(malloc(length > 0 ? length : 1));
  memcpy(copy, text, length);
  const warpbound_status status = wb_sass_parse("test", copy, length, options, code, error);
  free(copy);
  return status;
}
