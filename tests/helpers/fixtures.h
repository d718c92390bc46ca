/* Files that tests read. */
#ifndef TESTS_HELPERS_FIXTURES_H
#define TESTS_HELPERS_FIXTURES_H

#include "base/file.h"
#include "base/status.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"

#include <glob.h>

/* A file below tests/fixtures; the test fails where it cannot be read. wb_input_free frees it. */
void fixture_read(struct wb_input *source, const char *format, ...) WB_PRINTF(2, 3);

/* Adds the paths below tests/fixtures that match a pattern to those that were found before; the
 * test fails where none does. globfree frees them. */
void fixtures_find(glob_t *found, const char *format, ...) WB_PRINTF(2, 3);

/* Reads a listing into code; the test fails where that fails. */
void listing_read(const char *path, struct wb_code *code);

/* Reads a listing named "test", from a copy of the exact size, for sanitizers. */
warpbound_status listing_parse(const char *text, size_t length,
                               const struct wb_sass_options *options, struct wb_code *code,
                               warpbound_error *error);

#endif
