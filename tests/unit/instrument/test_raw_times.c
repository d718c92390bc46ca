/* Raw output: what its reader refuses, and the times that it becomes. */
#include "unit.h"
#include "warpbound.h"

/* Points: 2 the loop, 3 the block after it. Rows: 3 3-1, then 4 0-2 and 5 2-2, 6 2-3; see the test.
 */
static const char ptx[] = ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() {\n"
                          ".reg .pred %p; mov.b32 %r, 0;\nL: @%p bra L;\nret; }\n";

/* Most bytes of a raw file here. */
#define ROOM 4096

struct raw {
  unsigned char bytes[ROOM];
  size_t length;
};

static void put(struct raw *raw, uint64_t number, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    raw->bytes[raw->length++] = (unsigned char)(number >> (8 * i));
}

static uint64_t checksum(const char *text)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *text != '\0'; text++)
    hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return hash;
}

/* A header of the instrumented text with all rows 0. */
static struct raw start(uint32_t runs, uint32_t warps, uint32_t others)
{
  struct raw raw = {.length = 8};
  char *made = NULL;
  unsigned long rows = 0;
  assert_ok(warpbound_instrument("t.ptx", ptx, strlen(ptx), NULL, &made, NULL));
  const char *line = strstr(made, "// warpbound-instrument 1 warpbound ");
  assert_non_null(line);
  assert_int_equal(sscanf(line, "// warpbound-instrument 1 warpbound %lu k\n", &rows), 1);
  assert_int_equal(rows, 8);
  memcpy(raw.bytes, "warpraw1", 8);
  put(&raw, checksum(made), 8);
  put(&raw, rows, 4);
  put(&raw, runs, 4);
  put(&raw, warps, 4);
  put(&raw, others, 4);
  put(&raw, 1, 4);
  put(&raw, 0, 4);
  raw.bytes[raw.length++] = 'k';
  raw.length += (size_t)runs * (warps + others) * rows * 8; /* zeros */
  warpbound_text_free(made);
  return raw;
}

static void set_row(struct raw *raw, size_t warp, size_t row, uint32_t longest, uint32_t count)
{
  struct raw at = {.length = 41 + (warp * 8 + row) * 8};
  put(&at, longest, 4);
  put(&at, count, 4);
  memcpy(raw->bytes + 41 + (warp * 8 + row) * 8, at.bytes + 41 + (warp * 8 + row) * 8, 8);
}

static warpbound_status read_times(const struct raw *raw, char **times, warpbound_error *error)
{
  unsigned char *copy = malloc(raw->length > 0 ? raw->length : 1); /* of the exact size */
  assert_non_null(copy);
  memcpy(copy, raw->bytes, raw->length);
  const warpbound_status status = warpbound_instrument_times("t.ptx", ptx, strlen(ptx), NULL, "raw",
                                                             copy, raw->length, times, error);
  free(copy);
  return status;
}

TEST(test_times)
{
  char *times = NULL;
  struct raw raw = start(1, 2, 1);
  set_row(&raw, 0, 0, 20, 1);
  set_row(&raw, 1, 0, 22, 1);
  set_row(&raw, 0, 1, 90, 1);
  set_row(&raw, 0, 2, 700, 1);
  set_row(&raw, 0, 4, 100, 1);
  set_row(&raw, 0, 5, 50, 12);
  set_row(&raw, 1, 5, 60, 3);
  set_row(&raw, 2, 5, 70, 900);
  assert_ok(read_times(&raw, &times, NULL));
  assert_string_equal(times, "# two reads of the clock, one after the other: 20 to 22 cycles\n"
                             "# a probe, which no time below holds: 90 to 90 cycles\n"
                             "kernel,run,warp,from,to,count,cycles\n"
                             "k,,,start,warpbound-points:1000001,1,0\n"
                             "k,0,0,warpbound-points:1000001,warpbound-points:1000003,1,100\n"
                             "k,0,0,warpbound-points:1000003,warpbound-points:1000003,12,50\n"
                             "k,0,0,start,end,1,700\n"
                             "k,0,1,warpbound-points:1000003,warpbound-points:1000003,3,60\n"
                             "k,0,others,warpbound-points:1000003,warpbound-points:1000003,,70\n"
                             "k,,,warpbound-points:1000004,end,0,0\n");
  warpbound_text_free(times);
}

static void refuse(const struct raw *raw, const char *words)
{
  char *times = (char *)"";
  warpbound_error error = {0};
  assert_invalid(read_times(raw, &times, &error));
  assert_null(times);
  assert_string_equal(error.file, "raw");
  if (strstr(error.message, words) == NULL)
    fail_msg("expected '%s', found '%s'", words, error.message);
}

/* Changes a word of the header and expects a refusal. */
static void refuse_header(size_t at, uint32_t number, const char *words)
{
  struct raw raw = start(1, 2, 0);
  set_row(&raw, 0, 4, 100, 1);
  for (unsigned i = 0; i < 4; i++)
    raw.bytes[at + i] = (unsigned char)(number >> (8 * i));
  refuse(&raw, words);
}

TEST(test_refusals)
{
  struct raw raw = start(1, 1, 0);
  refuse(&raw, "found none: no thread came to a point");
  set_row(&raw, 0, 5, UINT32_MAX, 1);
  refuse(&raw, "less than 4294967295 cycles");
  raw.length--;
  refuse(&raw, "expected 64 bytes of rows after byte 41, found 63");
  raw.length = 39;
  refuse(&raw, "expected a header of 40 bytes, found 39");
  raw.length = 7;
  refuse(&raw, "expected raw times");
  refuse_header(0, 0, "expected raw times");
  refuse_header(8, 0, "checksum");
  refuse_header(16, 9, "bytes of rows");
  refuse_header(16, UINT32_MAX, "bytes of rows");
  refuse_header(20, UINT32_MAX, "bytes of rows");
  refuse_header(24, UINT32_MAX, "bytes of rows");
  refuse_header(28, 2, "expected 0 or 1 at byte 28");
  refuse_header(32, 70000, "expected the length of a name at byte 32");
  refuse_header(32, 2000, "expected the length of a name at byte 32");
  refuse_header(36, 1, "expected 0 at byte 36");
  refuse_header(40, 'j', "rows of kernel k");
}

/* Numbers whose product is beyond 64 bits. */
TEST(test_overflow)
{
  struct raw raw = start(1, 1, 0);
  memset(raw.bytes + 16, 0xff, 12);
  refuse(&raw, "expected rows for 4294967295 runs");
}

/* What callers of the library may get wrong. */
TEST(test_misuse)
{
  char *text = NULL;
  const size_t length = strlen(ptx);
  const char *const points[] = {NULL};
  warpbound_instrument_options options = {.points = points, .point_count = 1};
  assert_misuse(warpbound_instrument(NULL, ptx, length, NULL, NULL, NULL));
  assert_misuse(warpbound_instrument(NULL, NULL, length, NULL, &text, NULL));
  assert_misuse(warpbound_instrument(NULL, ptx, length, &options, &text, NULL));
  options.points = NULL;
  assert_misuse(warpbound_instrument(NULL, ptx, length, &options, &text, NULL));
  options = (warpbound_instrument_options){.at = (warpbound_instrument_at)9};
  assert_misuse(warpbound_instrument(NULL, ptx, length, &options, &text, NULL));
  assert_null(text);
  assert_misuse(warpbound_instrument_times(NULL, ptx, length, NULL, NULL, "x", 1, NULL, NULL));
  assert_misuse(warpbound_instrument_times(NULL, ptx, length, NULL, NULL, NULL, 0, &text, NULL));
  assert_invalid(warpbound_instrument_times(NULL, ptx, length, NULL, NULL, "x", 1, &text, NULL));
}
