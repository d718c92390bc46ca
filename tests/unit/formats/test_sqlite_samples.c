/* Exports of Nsight Systems in SQLite: launches in any order, bytes that are not what they were,
 * and memory that runs out. Messages are in tests/errors/evt/nsys.test. Left out: files of more
 * than 10^8 launches, and versions of the tables that Nsight Systems may write one day. */
#include "base/random.h"
#include "formats/samples/samples_file.h"
#include "unit.h"

#include <math.h>
#include <sqlite3.h>

#define LAUNCHES 300
#define DAMAGES 4000

static const char tables[] =
    "PRAGMA page_size = 512;"
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, demangledName INTEGER);"
    "CREATE INDEX by_start ON CUPTI_ACTIVITY_KIND_KERNEL (start);"
    "INSERT INTO StringIds VALUES (1, 'scale'), (2, 'reduce');";

/* The bytes of a file with launches: of `count`, the k-th in time is the (7 k + 3) mod count-th row
 * and takes 100 + k. statement: run last. */
static unsigned char *make_file(unsigned count, const char *statement, size_t *length)
{
  sqlite3 *file = NULL;
  sqlite3_int64 bytes = 0;
  assert_int_equal(sqlite3_open(":memory:", &file), SQLITE_OK);
  assert_int_equal(sqlite3_exec(file, tables, NULL, NULL, NULL), SQLITE_OK);
  for (unsigned row = 0; row < count; row++) {
    /* 43 is the inverse of 7 modulo 300. */
    const unsigned k = 43 * (row + LAUNCHES - 3) % LAUNCHES;
    char words[200];
    snprintf(words, sizeof words, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (%u, %u, %u)",
             1000 * k, 1000 * k + 100 + k, 1 + k % 2);
    assert_int_equal(sqlite3_exec(file, words, NULL, NULL, NULL), SQLITE_OK);
  }
  assert_int_equal(sqlite3_exec(file, statement, NULL, NULL, NULL), SQLITE_OK);
  unsigned char *made = sqlite3_serialize(file, "main", &bytes, 0);
  unsigned char *copy = must(malloc((size_t)bytes));
  memcpy(copy, must(made), (size_t)bytes);
  sqlite3_free(made);
  sqlite3_close(file);
  *length = (size_t)bytes;
  return copy;
}

static warpbound_status read_file(const unsigned char *bytes, size_t length, const char *group,
                                  struct wb_samples *samples, warpbound_error *error)
{
  const struct wb_samples_choice choice = {.group = group};
  *error = (warpbound_error){0};
  return wb_samples_parse("f", (const char *)bytes, length, &choice, samples, error);
}

TEST(launches_are_times_in_the_order_in_which_they_began)
{
  size_t length;
  unsigned char *bytes = make_file(LAUNCHES, "", &length);
  FREED_BY(wb_samples_free) struct wb_samples samples;
  warpbound_error error;
  assert_ok(read_file(bytes, length, NULL, &samples, &error));
  assert_int_equal(samples.count, 2);
  assert_string_equal(samples.unit, "ns");
  assert_string_equal(samples.column, "duration");
  for (size_t s = 0; s < 2; s++) {
    const bool reduce = strcmp(samples.series[s].name, "reduce") == 0;
    assert_true(reduce || strcmp(samples.series[s].name, "scale") == 0);
    assert_int_equal(samples.series[s].count, LAUNCHES / 2);
    for (size_t i = 0; i < LAUNCHES / 2; i++)
      assert_true(samples.series[s].values[i] == 100 + 2 * (double)i + reduce);
  }
  free(bytes);
}

TEST(a_column_of_numbers_tells_series_apart)
{
  size_t length;
  unsigned char *bytes = make_file(
      LAUNCHES, "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN \"a \"\"b\" INTEGER DEFAULT 5;",
      &length);
  FREED_BY(wb_samples_free) struct wb_samples samples;
  warpbound_error error;
  assert_ok(read_file(bytes, length, "a \"b", &samples, &error));
  assert_int_equal(samples.count, 1);
  assert_string_equal(samples.series[0].name, "5");
  for (size_t i = 0; i < LAUNCHES; i++)
    assert_true(samples.series[0].values[i] == 100 + (double)i);
  free(bytes);
}

/* An index that is asked in place of the table lies: here one of all columns that is empty. */
TEST(an_index_is_not_trusted)
{
  size_t length;
  unsigned char *bytes =
      make_file(LAUNCHES,
                "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN a TEXT;"
                "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN b TEXT;"
                "CREATE INDEX whole ON CUPTI_ACTIVITY_KIND_KERNEL (start, end, demangledName);"
                "CREATE TABLE none (a INTEGER); CREATE INDEX of_none ON none (a);"
                "PRAGMA writable_schema = ON;"
                "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name"
                " = 'of_none') WHERE name = 'whole';"
                "DELETE FROM sqlite_schema WHERE name = 'of_none'",
                &length);
  FREED_BY(wb_samples_free) struct wb_samples samples;
  warpbound_error error;
  assert_ok(read_file(bytes, length, NULL, &samples, &error));
  assert_int_equal(samples.series[0].count + samples.series[1].count, LAUNCHES);
  free(bytes);
}

/* Any damage is refused with a message, or leaves times that are times; the bytes stay as they
 * are. Under the sanitizers nothing outside of them is read. */
TEST(damaged_bytes_are_refused_or_read)
{
  size_t length, refused = 0;
  unsigned char *bytes = make_file(40, "", &length);
  unsigned char *damaged = must(malloc(length));
  struct wb_random random = {.state = 1};
  for (unsigned trial = 0; trial < DAMAGES; trial++) {
    struct wb_samples samples;
    warpbound_error error;
    memcpy(damaged, bytes, length);
    const size_t kept = trial % 5 == 0 ? 16 + wb_random_next(&random) % (length - 16) : length;
    for (unsigned k = 0; k <= trial % 7; k++)
      damaged[16 + wb_random_next(&random) % (length - 16)] =
          (unsigned char)wb_random_next(&random);
    unsigned char *given = must(malloc(kept));
    memcpy(given, damaged, kept);
    const warpbound_status status = read_file(given, kept, NULL, &samples, &error);
    assert_memory_equal(given, damaged, kept);
    if (status != WARPBOUND_OK) {
      assert_invalid(status);
      assert_true(error.message[0] != '\0');
      assert_null(samples.series);
      refused++;
    }
    for (size_t s = 0; status == WARPBOUND_OK && s < samples.count; s++)
      for (size_t i = 0; i < samples.series[s].count; i++)
        assert_true(isfinite(samples.series[s].values[i]) && samples.series[s].values[i] >= 0);
    wb_samples_free(&samples);
    free(given);
  }
  /* Both happen, or the trials show nothing. */
  assert_in_range(refused, DAMAGES / 20, DAMAGES - DAMAGES / 20);
  free(damaged);
  free(bytes);
}

TEST(memory_of_sqlite_that_runs_out_is_said)
{
  size_t length;
  unsigned failed = 0, whole = 0;
  unsigned char *bytes = make_file(LAUNCHES, "", &length);
  for (sqlite3_int64 limit = 4096; limit < (1 << 20); limit += 8192) {
    struct wb_samples samples;
    warpbound_error error;
    sqlite3_hard_heap_limit64(limit);
    const warpbound_status status = read_file(bytes, length, NULL, &samples, &error);
    sqlite3_hard_heap_limit64(0);
    if (status != WARPBOUND_OK) {
      assert_int_equal(status, WARPBOUND_INTERNAL);
      assert_non_null(strstr(error.message, "memory"));
      failed++;
    } else {
      assert_int_equal(samples.series[0].count, LAUNCHES / 2);
      whole++;
    }
    wb_samples_free(&samples);
  }
  assert_true(failed > 0 && whole > 0);
  free(bytes);
}
