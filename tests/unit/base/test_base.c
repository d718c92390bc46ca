/* The floor that everything stands on: arithmetic, memory, text, files, control. */
#include "base/arena.h"
#include "base/checked.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text/quantity.h"
#include "base/work_control.h"
#include "unit.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* AddressSanitizer, where these tests are built with it, then returns NULL for what is
 * too large, as other allocators do, and goes on. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "allocator_may_return_null=1";
}

/* ---- arena ---- */

TEST(arena_holds_zeroed_arrays_until_it_is_freed)
{
  struct wb_arena arena = {0};
  uint64_t *numbers = wb_arena_array(&arena, uint64_t, 100);
  assert_non_null(numbers);
  for (size_t i = 0; i < 100; i++)
    assert_int_equal(numbers[i], 0);
  numbers[99] = 7;
  assert_non_null(wb_arena_array(&arena, double, 0));
  assert_string_equal(wb_arena_text(&arena, "R2, R4", 2), "R2");
  assert_int_equal((uintptr_t)numbers % _Alignof(max_align_t), 0);
  assert_false(arena.failed);
  wb_arena_free(&arena);
  assert_null(arena.latest);
}

TEST(arena_remembers_that_an_allocation_failed)
{
  struct wb_arena arena = {0};
  assert_null(wb_arena_array(&arena, uint64_t, SIZE_MAX / 4));
  assert_true(arena.failed);
  assert_non_null(wb_arena_array(&arena, uint64_t, 1));
  assert_true(arena.failed);
  assert_null(wb_arena_text(&arena, "", SIZE_MAX));
  wb_arena_free(&arena);
  assert_false(arena.failed);
}

/* ---- arithmetic ---- */

TEST(sums_and_products_notice_overflow)
{
  uint64_t result = 7;
  assert_true(wb_add(UINT64_MAX - 1, 1, &result));
  assert_true(result == UINT64_MAX);
  assert_false(wb_add(UINT64_MAX, 1, &result));
  assert_false(wb_add(1, UINT64_MAX, &result));
  assert_true(wb_multiply(UINT64_C(1) << 32, UINT32_MAX, &result));
  assert_true(result == UINT64_MAX - UINT32_MAX);
  assert_false(wb_multiply(UINT64_C(1) << 32, UINT64_C(1) << 32, &result));
  assert_true(wb_multiply(UINT64_MAX, 0, &result));
  assert_int_equal(result, 0);
  assert_true(wb_multiply(0, UINT64_MAX, &result));
  assert_int_equal(result, 0);
  assert_false(wb_multiply(UINT64_MAX, 2, &result));
  assert_int_equal(result, 0);
}

TEST(division_rounds_up)
{
  assert_int_equal(wb_divide_up(0, 3), 0);
  assert_int_equal(wb_divide_up(9, 3), 3);
  assert_int_equal(wb_divide_up(10, 3), 4);
  assert_true(wb_divide_up(UINT64_MAX, 2) == UINT64_C(1) << 63);
  assert_true(wb_divide_up(UINT64_MAX, UINT64_MAX) == 1);
}

TEST(small_helpers)
{
  assert_int_equal(wb_greatest_common_divisor(12, 18), 6);
  assert_int_equal(wb_greatest_common_divisor(7, 0), 7);
  assert_int_equal(wb_greatest_common_divisor(0, 7), 7);
  assert_int_equal(wb_greatest_common_divisor(35, 64), 1);
  assert_int_equal(wb_minimum(3, 5), 3);
  assert_int_equal(wb_maximum(3, 5), 5);
}

/* The published first values of the generator for seed 1234567. */
TEST(random_numbers_are_the_same_everywhere)
{
  struct wb_random random = {1234567};
  assert_true(wb_random_next(&random) == UINT64_C(6457827717110365317));
  assert_true(wb_random_next(&random) == UINT64_C(3203168211198807973));
  assert_true(wb_random_next(&random) == UINT64_C(9817491932198370423));
  for (int i = 0; i < 100; i++)
    assert_true(wb_random_below(&random, 7) < 7);
}

/* ---- memory ---- */

TEST(signed_arithmetic_notices_overflow)
{
  int64_t result;
  assert_true(wb_add_signed(INT64_MAX - 1, 1, &result) && result == INT64_MAX);
  assert_true(wb_add_signed(INT64_MIN + 1, -1, &result) && result == INT64_MIN);
  assert_true(wb_add_signed(INT64_MIN, INT64_MAX, &result) && result == -1);
  assert_false(wb_add_signed(INT64_MAX, 1, &result));
  assert_false(wb_add_signed(INT64_MIN, -1, &result));
  assert_true(wb_subtract_signed(-1, INT64_MIN, &result) && result == INT64_MAX);
  assert_true(wb_subtract_signed(INT64_MIN, -1, &result) && result == INT64_MIN + 1);
  assert_false(wb_subtract_signed(0, INT64_MIN, &result));
  assert_false(wb_subtract_signed(INT64_MIN, 1, &result));
  assert_true(wb_multiply_signed(INT64_MIN, 1, &result) && result == INT64_MIN);
  assert_true(wb_multiply_signed(INT64_C(1) << 31, -(INT64_C(1) << 32), &result) &&
              result == INT64_MIN);
  assert_true(wb_multiply_signed(INT64_MIN, 0, &result) && result == 0);
  assert_true(wb_multiply_signed(-7, -6, &result) && result == 42);
  assert_false(wb_multiply_signed(INT64_MIN, -1, &result));
  assert_false(wb_multiply_signed(INT64_C(1) << 31, INT64_C(1) << 32, &result));
  assert_int_equal(wb_divide_down(7, 2), 3);
  assert_int_equal(wb_divide_down(-7, 2), -4);
  assert_int_equal(wb_divide_down(-8, 2), -4);
  assert_int_equal(wb_divide_down(INT64_MIN, 1), INT64_MIN);
}

TEST(memory_is_zeroed_and_checked)
{
  const unsigned char zeros[24] = {0};
  void *some = wb_allocate(3, 8);
  void *none = wb_allocate(0, 8);
  assert_non_null(some);
  assert_non_null(none);
  assert_memory_equal(some, zeros, sizeof zeros);
  free(some);
  free(none);
  assert_null(wb_allocate(SIZE_MAX, 2));
  assert_null(wb_allocate(SIZE_MAX / 4 + 1, 4));
}

TEST(arrays_grow_and_keep_their_elements)
{
  uint32_t *array = NULL;
  size_t capacity = 0;
  unsigned moves = 0;
  for (size_t i = 0; i < 1000; i++) {
    size_t before = capacity;
    assert_true(wb_grow(array, &capacity, i + 1));
    assert_true(capacity >= i + 1);
    moves += capacity != before;
    array[i] = (uint32_t)i;
  }
  for (size_t i = 0; i < 1000; i++)
    assert_int_equal(array[i], i);
  assert_true(moves <= 12);
  free(array);
}

TEST(arrays_that_cannot_grow_stay)
{
  uint64_t *array = NULL;
  size_t capacity = 0;
  assert_true(wb_grow(array, &capacity, 5));
  uint64_t *array_before = array;
  size_t capacity_before = capacity;
  const bool endless = wb_grow(array, &capacity, SIZE_MAX);
  const bool overflowing = wb_grow(array, &capacity, SIZE_MAX / 8 + 1);
  assert_false(endless || overflowing);
  assert_ptr_equal(array, array_before);
  assert_int_equal(capacity, capacity_before);
  assert_true(wb_grow(array, &capacity, 2));
  assert_int_equal(capacity, capacity_before);
  free(array);
}

TEST(copied_text_is_ended)
{
  char *copy = wb_copy_text("warpbound", 4);
  assert_string_equal(copy, "warp");
  free(copy);
  copy = wb_copy_text("", 0);
  assert_string_equal(copy, "");
  free(copy);
}

/* ---- text ---- */

TEST(text_grows_by_pieces)
{
  struct wb_text text = {0};
  wb_text_string(&text, "T(4) = ");
  wb_text_format(&text, "%u%s", 45u, " cycles");
  wb_text_fill(&text, '.', 3);
  wb_text_fill(&text, '!', 0);
  wb_text_append(&text, "xyz", 1);
  wb_text_format(&text, "%s", "");
  assert_int_equal(text.length, strlen("T(4) = 45 cycles...x"));
  char *taken = wb_text_take(&text);
  assert_string_equal(taken, "T(4) = 45 cycles...x");
  assert_null(text.data);
  assert_int_equal(text.length, 0);
  free(taken);
}

TEST(text_may_be_empty_or_hold_zeros)
{
  struct wb_text text = {0};
  char *taken = wb_text_take(&text);
  assert_non_null(taken);
  assert_string_equal(taken, "");
  free(taken);
  wb_text_append(&text, "a\0b", 3);
  assert_int_equal(text.length, 3);
  assert_memory_equal(text.data, "a\0b", 4);
  wb_text_free(&text);
  assert_null(text.data);
}

TEST(long_text_is_whole)
{
  struct wb_text text = {0};
  for (unsigned i = 0; i < 20000; i++)
    wb_text_format(&text, "%05u,", i);
  assert_int_equal(text.length, 120000);
  char *taken = wb_text_take(&text);
  assert_memory_equal(taken, "00000,00001,", 12);
  assert_string_equal(taken + 120000 - 6, "19999,");
  free(taken);
}

TEST(failed_text_stays_failed)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_string(&text, "kept");
  wb_text_fill(&text, 'x', SIZE_MAX);
  assert_true(text.failed);
  wb_text_string(&text, "more");
  wb_text_format(&text, "%d", 1);
  assert_true(text.failed);
  assert_null(wb_text_take(&text));
}

/* ---- status ---- */

TEST(failures_say_what_and_where)
{
  warpbound_error error = {.line = 9};
  assert_misuse(wb_fail(&error, WARPBOUND_USAGE, "warps: %d", 0));
  assert_int_equal(error.status, WARPBOUND_USAGE);
  assert_int_equal(error.line, 0);
  assert_string_equal(error.file, "");
  assert_string_equal(error.message, "warps: 0");
  assert_invalid(wb_fail_at(&error, WARPBOUND_INVALID_INPUT, "a.ptx", 3, 7, "no"));
  assert_int_equal(error.line, 3);
  assert_int_equal(error.column, 7);
  assert_string_equal(error.file, "a.ptx");
  assert_limit(wb_fail_at(&error, WARPBOUND_LIMIT, NULL, 0, 0, "no"));
  assert_string_equal(error.file, "");
  assert_int_equal(wb_out_of_memory(&error), WARPBOUND_INTERNAL);
  assert_string_equal(error.message, "out of memory");
  assert_limit(wb_fail(NULL, WARPBOUND_LIMIT, "%s", "nobody listens"));
}

TEST(long_messages_are_cut)
{
  char long_text[2000];
  warpbound_error error;
  memset(long_text, 'm', sizeof long_text);
  long_text[sizeof long_text - 1] = '\0';
  wb_fail_at(&error, WARPBOUND_USAGE, long_text, 1, 1, "%s", long_text);
  assert_int_equal(strlen(error.message), sizeof error.message - 1);
  assert_true(strlen(error.file) < sizeof error.file);
}

/* What a terminal would obey is not in a message. */
TEST(control_characters_are_replaced)
{
  warpbound_error error;
  wb_fail_at(&error, WARPBOUND_USAGE, "a\x1b]0;b\n", 0, 0, "%s",
             "\x1b[31m\t\x7f\xc2\x9b"
             "caf\xc3\xa9");
  assert_string_equal(error.file, "a?]0;b?");
  assert_string_equal(error.message, "?[31m????caf\xc3\xa9");
}

/* ---- files ---- */

/* A folder of our own; the path of a file in it. */
static char folder[64];
static char path[128];

static int make_folder(void **state)
{
  (void)state;
  snprintf(folder, sizeof folder, "warpbound-test-XXXXXX");
  if (mkdtemp(folder) == NULL)
    return -1;
  snprintf(path, sizeof path, "%s/out.json", folder);
  return 0;
}

static int remove_folder(void **state)
{
  (void)state;
  unlink(path);
  return rmdir(folder);
}

static unsigned files_in_folder(void)
{
  unsigned count = 0;
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory))
    count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(directory);
  return count;
}

static void assert_file(const char *bytes, size_t length)
{
  struct wb_input source;
  assert_ok(wb_input_read(path, &source, NULL));
  assert_int_equal(source.length, length);
  assert_memory_equal(source.bytes, bytes, length);
  assert_int_equal(source.bytes[length], 0);
  assert_string_equal(source.name, path);
  wb_input_free(&source);
  assert_null(source.bytes);
}

TEST_BETWEEN(make_folder, remove_folder, written_files_are_read_back)
{
  assert_ok(wb_file_write(path, "one\0two\n", 8, NULL));
  assert_file("one\0two\n", 8);
  assert_ok(wb_file_write(path, "", 0, NULL));
  assert_file("", 0);
  assert_int_equal(files_in_folder(), 1);
}

TEST_BETWEEN(make_folder, remove_folder, large_files_are_whole)
{
  const size_t length = 300001;
  char *bytes = wb_allocate(length, 1);
  assert_non_null(bytes);
  for (size_t i = 0; i < length; i++)
    bytes[i] = (char)(i % 251);
  assert_ok(wb_file_write(path, bytes, length, NULL));
  assert_file(bytes, length);
  assert_int_equal(files_in_folder(), 1);
  free(bytes);
}

/* A reader that has the old file open keeps it whole: it is replaced, not rewritten. */
TEST_BETWEEN(make_folder, remove_folder, replaced_file_stays_whole_for_its_reader)
{
  char read[16] = "";
  assert_ok(wb_file_write(path, "old", 3, NULL));
  FILE *reader = fopen(path, "r");
  assert_non_null(reader);
  assert_ok(wb_file_write(path, "new text", 8, NULL));
  assert_int_equal(fread(read, 1, sizeof read, reader), 3);
  assert_memory_equal(read, "old", 3);
  fclose(reader);
  assert_file("new text", 8);
  assert_int_equal(files_in_folder(), 1);
}

static mode_t mode_of_file(void)
{
  struct stat status;
  assert_int_equal(stat(path, &status), 0);
  return status.st_mode & 0777;
}

TEST_BETWEEN(make_folder, remove_folder, permissions_are_as_usual)
{
  mode_t mask = umask(027);
  assert_ok(wb_file_write(path, "x", 1, NULL));
  umask(mask);
  assert_int_equal(mode_of_file(), 0640);
  assert_int_equal(chmod(path, 0600), 0);
  assert_ok(wb_file_write(path, "y", 1, NULL));
  assert_int_equal(mode_of_file(), 0600);
}

TEST_BETWEEN(make_folder, remove_folder, unwritable_places_are_reported)
{
  char missing[160];
  warpbound_error error = {0};
  snprintf(missing, sizeof missing, "%s/missing/out.json", folder);
  assert_misuse(wb_file_write(missing, "x", 1, &error));
  assert_string_equal(error.file, missing);
  assert_non_null(strstr(error.message, "cannot be written"));
  assert_misuse(wb_file_write(folder, "x", 1, &error));
  assert_int_equal(files_in_folder(), 0);
}

TEST_BETWEEN(make_folder, remove_folder, places_are_tried_before_they_are_written)
{
  char place[160];
  char other[200];
  warpbound_error error = {0};
  snprintf(place, sizeof place, "%s/missing/out.json", folder);
  assert_misuse(wb_file_try(place, &error));
  assert_string_equal(error.file, place);
  assert_misuse(wb_file_try(folder, &error));
  assert_non_null(strstr(error.message, "Is a directory"));
  assert_ok(wb_file_try("/dev/null", &error));
  snprintf(place, sizeof place, "%s/out.json", folder);
  assert_ok(wb_file_try(place, &error));
  assert_int_equal(files_in_folder(), 0);
  assert_ok(wb_file_write(place, "old", 3, NULL));
  assert_ok(wb_file_try(place, &error));
  assert_int_equal(files_in_folder(), 1);
  struct wb_input source;
  assert_ok(wb_input_read(place, &source, NULL));
  assert_string_equal(source.bytes, "old");
  wb_input_free(&source);
  snprintf(other, sizeof other, "%s/./out.json", folder);
  assert_true(wb_file_same(place, other));
  assert_true(wb_file_same("not there", "not there"));
  assert_false(wb_file_same(place, "/dev/null"));
  unlink(place);
}

TEST_BETWEEN(make_folder, remove_folder, devices_are_written_directly)
{
  struct stat status;
  assert_ok(wb_file_write("/dev/null", "x", 1, NULL));
  assert_int_equal(stat("/dev/null", &status), 0);
  assert_true(S_ISCHR(status.st_mode));
}

TEST_BETWEEN(make_folder, remove_folder, unreadable_files_are_reported)
{
  struct wb_input source;
  warpbound_error error = {0};
  assert_invalid(wb_input_read(path, &source, &error));
  assert_string_equal(error.file, path);
  assert_non_null(strstr(error.message, "cannot be opened"));
  assert_null(source.bytes);
  assert_null(source.name);
  assert_invalid(wb_input_read(folder, &source, &error));
  assert_null(source.bytes);
  assert_invalid(wb_input_read(path, &source, NULL));
}

/* ---- control ---- */

TEST(control_has_defaults)
{
  struct wb_control control = wb_control_start(NULL);
  assert_true(control.memory_limit == WB_DEFAULT_MEMORY_LIMIT);
  assert_true(control.deadline == 0);
  assert_null(control.interrupted);
  assert_int_equal(wb_control_poll(&control, "phase", 0.5), WB_STOP_NONE);
  warpbound_options options = {.time_limit = 100, .memory_limit = 12345};
  control = wb_control_start(&options);
  assert_true(control.memory_limit == 12345);
  assert_true(control.deadline > wb_clock() + 90 && control.deadline < wb_clock() + 101);
  assert_true(wb_control_poll(&control, "phase", 0.5) == WB_STOP_NONE);
}

/* What a caller is told. */
struct listener {
  char phase[16];
  double fraction;
  bool stop;
};

static void listen(void *context, const char *phase, double fraction)
{
  struct listener *listener = context;
  snprintf(listener->phase, sizeof listener->phase, "%s", phase);
  listener->fraction = fraction;
}

static bool asked_to_stop(void *context)
{
  return ((struct listener *)context)->stop;
}

TEST(control_tells_and_asks_its_caller)
{
  struct listener listener = {.stop = false};
  warpbound_options options = {
      .interrupted = asked_to_stop, .progress = listen, .context = &listener};
  struct wb_control control = wb_control_start(&options);
  assert_int_equal(wb_control_poll(&control, "sweep", 0.25), WB_STOP_NONE);
  assert_string_equal(listener.phase, "sweep");
  assert_true(listener.fraction == 0.25);
  listener.stop = true;
  assert_int_equal(wb_control_poll(&control, "sweep", 0.5), WB_STOP_INTERRUPTED);
  listener.stop = false;
  control.deadline = wb_clock() - 1;
  assert_int_equal(wb_control_poll(&control, "sweep", 0.5), WB_STOP_TIME);
}

TEST(clock_never_goes_back)
{
  double before = wb_clock();
  for (int i = 0; i < 1000; i++) {
    double now = wb_clock();
    assert_true(now >= before);
    before = now;
  }
}

TEST(counts_are_grouped_from_five_digits_on)
{
  static const struct {
    uint64_t count;
    const char *text;
  } cases[] = {{0, "0"},
               {7, "7"},
               {9999, "9999"},
               {10000, "10,000"},
               {123456, "123,456"},
               {1234567, "1,234,567"},
               {UINT64_MAX, "18,446,744,073,709,551,615"}};
  char buffer[WB_COUNT_SIZE];
  for (size_t i = 0; i < COUNT_OF(cases); i++)
    assert_string_equal(wb_count(cases[i].count, buffer), cases[i].text);
}

TEST(amounts_have_their_units)
{
  static const struct {
    uint64_t bytes;
    const char *text;
  } cases[] = {{0, "0 bytes"},
               {1, "1 byte"},
               {1023, "1023 bytes"},
               {1024, "1.0 KiB"},
               {1536 * 1024, "1.5 MiB"},
               {UINT64_C(4) << 30, "4.0 GiB"},
               {UINT64_C(1) << 50, "1024.0 TiB"}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    wb_text_bytes(&text, cases[i].bytes);
    assert_string_equal(text.data, cases[i].text);
  }
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_count_of(&text, 1, "cycle");
  wb_text_count_of(&text, 20000, " cycle");
  assert_string_equal(text.data, "1 cycle20,000  cycles");
}
