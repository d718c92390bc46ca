/* Times of devices at other clocks, modes, and devices that are like others. The cycles are
 * computed again in rational numbers of 128 bits, and times whose clock is not known as sums of
 * parts, each of one clock. Left out: whether the numbers of the bundled devices are true. */
#include "base/checked.h"
#include "base/random.h"
#include "device_reading.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"
#include "unit.h"

#include <inttypes.h>

__extension__ typedef unsigned __int128 wide;

/* a * b / c rounded up, at most UINT64_MAX. */
static uint64_t ratio(uint64_t a, uint64_t b, uint64_t c)
{
  const wide exact = ((wide)a * b + c - 1) / c;
  return exact > UINT64_MAX ? UINT64_MAX : (uint64_t)exact;
}

/* Numbers of all sizes. */
static uint64_t any_number(struct wb_random *random)
{
  return wb_random_next(random) >> wb_random_below(random, 64);
}

TEST(products_of_two_words_are_divided)
{
  struct wb_random random = {20261129};
  for (size_t trial = 0; trial < 100000; trial++) {
    const uint64_t a = any_number(&random), b = any_number(&random);
    const uint64_t c = wb_maximum(any_number(&random) >> 2, 1);
    const wide exact = ((wide)a * b + c - 1) / c;
    uint64_t found = 0;
    const bool fits = wb_multiply_divide_up(a, b, c, &found);
    if (fits != (exact <= UINT64_MAX) || (fits && found != (uint64_t)exact))
      fail_msg("%" PRIu64 " * %" PRIu64 " / %" PRIu64 ": found %" PRIu64, a, b, c, found);
  }
}

/* ---- a device with a time of each clock ---- */

#define RESIDENCY                                                                                  \
  "\"residency\": {\"max_blocks\": 16, \"max_warps\": 48, \"max_threads_per_block\": 1024,"        \
  " \"registers\": 65536, \"registers_per_block\": 65536, \"registers_per_thread\": 255,"          \
  " \"register_unit\": 256, \"shared_memory\": 65536, \"shared_per_block\": 49152,"                \
  " \"shared_unit\": 128, \"barriers\": 16}"
#define SIZES(clock, memory)                                                                       \
  "{\"format\": \"warpbound-device-1\", \"architecture\": 87, \"sms\": \"sms\", \"partitions\": "  \
  "4,"                                                                                             \
  " \"clock\": " clock memory ", \"launch_overhead\": \"of.sm\", \"block_start\": \"of.chip\","    \
  " \"dispatch\": \"of.memory\", \"yield\": \"of.time\", \"drain\": \"of.any\", " RESIDENCY ","    \
  " \"resources\": [{\"name\": \"slot\", \"level\": \"partition\", \"servers\": 1,"                \
  " \"at_issue\": true}], \"classes\": [{\"name\": \"all\", \"units\": [\"C\"], \"takes\":"        \
  " [{\"resource\": \"slot\", \"service\": 1}]}], "
#define MEMORY ", \"memory_clock\": \"memory.clock\""
#define TIMES(sm, chip, memory, time, any)                                                         \
  "\"values\": {\"sms\": {\"value\": 8}, \"memory.clock\": {\"value\": 2000},"                     \
  " \"of.sm\": {\"value\": " sm ", \"clock\": \"sm\"},"                                            \
  " \"of.chip\": {\"value\": " chip ", \"clock\": \"chip\"},"                                      \
  " \"of.memory\": {\"value\": " memory ", \"clock\": \"memory\"},"                                \
  " \"of.time\": {\"value\": " time ", \"clock\": \"picoseconds\"},"                               \
  " \"of.any\": {\"value\": " any "}}"
#define DEVICE SIZES("1000", MEMORY) TIMES("7", "10", "10", "3000000000", "10")
#define MODES                                                                                      \
  ", \"modes\": [{\"name\": \"fast\", \"kind\": \"documented\", \"source\": \"a table\","          \
  " \"values\": {\"clock\": 2000, \"sms\": 4}}, {\"name\": \"low\", \"values\": {\"clock\": 500,"  \
  " \"memory.clock\": 500}}]"

static void set(struct wb_device_timing *device, const char *format, uint64_t number)
{
  char text[80];
  warpbound_error error = {0};
  snprintf(text, sizeof text, format, number);
  if (wb_device_timing_set(device, text, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
}

struct cycles {
  uint64_t clock, memory;
  uint64_t sm, chip, of_memory, time, any;
};

TEST(cycles_at_other_clocks)
{
  static const struct cycles rows[] = {
      /* As in the file: 3 ms at 1 kHz are 3 cycles, 10 cycles of the memory 5. */
      {1000, 2000, 7, 10, 5, 3, 10},
      /* A faster clock has more cycles of the same time. */
      {2000, 2000, 7, 20, 10, 6, 20},
      {1001, 2000, 7, 11, 6, 4, 11},
      /* A slower one takes no more cycles of what may be its own. */
      {500, 2000, 7, 10, 3, 2, 10},
      /* A slower memory needs more of them; what is of the chip is not the memory's. */
      {1000, 1000, 7, 10, 10, 3, 20},
      {500, 500, 7, 10, 10, 2, 20},
      {2000, 4000, 7, 20, 5, 6, 20},
  };
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE "}", &device);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    set(&device, "clock=%" PRIu64, rows[i].clock);
    set(&device, "memory.clock=%" PRIu64, rows[i].memory);
    assert_int_equal(number_named(&device, "of.sm"), rows[i].sm);
    assert_int_equal(number_named(&device, "of.chip"), rows[i].chip);
    assert_int_equal(number_named(&device, "of.memory"), rows[i].of_memory);
    assert_int_equal(number_named(&device, "of.time"), rows[i].time);
    assert_int_equal(number_named(&device, "of.any"), rows[i].any);
    assert_int_equal(number_named(&device, "sms"), 8);
  }
}

/* A time whose clock is not known holds for every sum of parts, each of one clock: parts in
 * thousandths of cycles, of which the file gives the sum, rounded up. */
TEST(sums_of_parts_are_covered)
{
  struct wb_random random = {20261129};
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE "}", &device);
  const size_t any = wb_device_value_find(&device, "of.any");
  const size_t chip = wb_device_value_find(&device, "of.chip");
  for (size_t trial = 0; trial < 100000; trial++) {
    const uint64_t part[3] = {wb_random_below(&random, 100000), wb_random_below(&random, 100000),
                              wb_random_below(&random, 100000)};
    device.values[any].given = wb_divide_up(part[0] + part[1] + part[2], 1000);
    device.values[chip].given = wb_divide_up(part[0] + part[1], 1000);
    device.values[device.clock].given = 1 + wb_random_below(&random, 3000);
    device.values[device.memory_clock].given = 1 + wb_random_below(&random, 5000);
    wb_device_clocks_apply(&device);
    const uint64_t clock = device.values[device.clock].value;
    const uint64_t memory = device.values[device.memory_clock].value;
    /* The parts at these clocks, in thousandths; the file's are 1000 and 2000 Hz. Rounded down, so
     * that the sum is at most the true one, of which the cycles are at least. */
    const uint64_t own = part[0];
    const uint64_t time = part[1] * clock / 1000;
    const uint64_t of_memory = part[2] * clock * 2000 / (1000 * memory);
    if (device.values[any].value * 1000 < own + time + of_memory ||
        device.values[chip].value * 1000 < own + time)
      fail_msg("parts %" PRIu64 ", %" PRIu64 ", %" PRIu64 " at %" PRIu64 " and %" PRIu64
               " Hz: found %" PRIu64,
               part[0], part[1], part[2], clock, memory, device.values[any].value);
    assert_int_equal(number_named(&device, "of.memory"), ratio(10, clock, memory));
    assert_int_equal(number_named(&device, "of.time"),
                     ratio(3000000000, clock, UINT64_C(1000000000000)));
  }
}

/* ---- changes ---- */

TEST(times_that_are_set)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE "}", &device);
  set(&device, "of.time=%" PRIu64, 9);
  set(&device, "of.any=%" PRIu64 "ns", 5000000);
  set(&device, "clock=%" PRIu64, 4000);
  assert_int_equal(number_named(&device, "of.time"), 9);
  assert_int_equal(number_named(&device, "of.any"), 20);
  assert_int_equal(number_named(&device, "of.chip"), 40);
}

struct refusal {
  const char *text;
  const char *part;
};

/* A number that is a time and a count cannot be both at another clock. */
TEST(times_that_are_counts)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(SIZES("1000", "") "\"values\": {\"sms\": {\"value\": 8}, \"of.sm\": {\"value\": 1},"
                                 " \"of.chip\": {\"value\": 1}, \"of.memory\": {\"value\": 1},"
                                 " \"of.time\": {\"value\": 1}, \"of.any\": {\"value\": 1}}}",
               &device);
  device.drain = device.sms;
  wb_device_uses_find(&device);
  set(&device, "sms=%" PRIu64, 4);
  warpbound_error error = {0};
  assert_misuse(wb_device_timing_set(&device, "clock=2000", &error));
  assert_non_null(strstr(error.message, "'sms' is 4: it is a time at another clock and a count"));
  assert_int_equal(number_named(&device, "clock"), 1000);
}

TEST(changes_that_are_refused)
{
  static const struct refusal rows[] = {
      {"sms=4ns", "'sms' is no time"},
      {"of.sm=4us", "expected a change as NAME=NUMBER"},
      {"of.sm=ns", "expected a change as NAME=NUMBER"},
      {"of.sm=18446744073709551615ns", "expected a change as NAME=NUMBER"},
      {"clock=0", "a clock must be from 1"},
      {"memory.clock=0", "a clock must be from 1"},
      {"clock=1000000000000", "must be from 0 to 1000000000"},
  };
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE "}", &device);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    warpbound_error error = {0};
    assert_misuse(wb_device_timing_set(&device, rows[i].text, &error));
    if (strstr(error.message, rows[i].part) == NULL)
      fail_msg("%s: expected '%s' in '%s'", rows[i].text, rows[i].part, error.message);
    assert_int_equal(number_named(&device, "of.any"), 10);
  }
  FREED_BY(wb_device_timing_free) struct wb_device_timing without;
  read_or_fail(SIZES("1000", "") "\"values\": {\"sms\": {\"value\": 8}, \"of.sm\": {\"value\": 1},"
                                 " \"of.chip\": {\"value\": 1}, \"of.memory\": {\"value\": 1},"
                                 " \"of.time\": {\"value\": 1}, \"of.any\": {\"value\": 1}}}",
               &without);
  assert_misuse(wb_device_timing_set(&without, "memory_clock=5", NULL));
}

/* ---- modes ---- */

TEST(modes)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE MODES "}", &device);
  assert_int_equal(device.mode_count, 2);
  assert_int_equal(number_named(&device, "sms"), 8);
  assert_ok(wb_device_timing_mode(&device, "FAST", NULL));
  assert_int_equal(number_named(&device, "sms"), 4);
  assert_int_equal(number_named(&device, "of.any"), 20);
  assert_string_equal(device.values[device.sms].source, "mode fast: a table");
  assert_int_equal(device.values[device.sms].kind, WB_VALUE_DOCUMENTED);
  assert_ok(wb_device_timing_mode(&device, "low", NULL));
  assert_int_equal(number_named(&device, "of.any"), 20);
  assert_int_equal(number_named(&device, "of.memory"), 10);
  assert_string_equal(device.values[device.clock].source, "mode low");
  warpbound_error error = {0};
  assert_misuse(wb_device_timing_mode(&device, "fest", &error));
  assert_non_null(strstr(error.message, "(did you mean 'fast'?); there are fast, low"));
}

/* What is written is read as the same device. */
TEST(round_trip)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE MODES "}", &device);
  char *first = wb_json_text(wb_device_timing_json(&device));
  FREED_BY(wb_device_timing_free) struct wb_device_timing again;
  read_or_fail(first, &again);
  char *second = wb_json_text(wb_device_timing_json(&again));
  assert_string_equal(first, second);
  assert_int_equal(again.mode_count, 2);
  free(first);
  free(second);
  /* At another clock the numbers are those of that clock. */
  set(&device, "clock=%" PRIu64, 3000);
  first = wb_json_text(wb_device_timing_json(&device));
  FREED_BY(wb_device_timing_free) struct wb_device_timing later;
  read_or_fail(first, &later);
  for (size_t v = 0; v < device.value_count; v++)
    assert_int_equal(number_named(&later, device.values[v].name), device.values[v].value);
  free(first);
}

/* Each value of the bundled devices is a time or a count, and so is at other clocks what it has to
 * be; a count names no clock. */
TEST(values_are_times_or_counts)
{
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    FREED_BY(wb_device_timing_free) struct wb_device_timing device;
    assert_ok(wb_device_timing_bundled(wb_bundled_devices[d].name, &device, NULL));
    for (size_t v = 0; v < device.value_count; v++) {
      if (device.values[v].is_time == device.values[v].is_count)
        fail_msg("%s: '%s' is %s", device.name, device.values[v].name,
                 device.values[v].is_time ? "both" : "neither");
    }
  }
}

/* ---- devices that are like others ---- */

TEST(like_another)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  FREED_BY(wb_device_timing_free) struct wb_device_timing base;
  assert_ok(wb_device_timing_bundled("orin-agx", &base, NULL));
  read_or_fail(
      "{\"format\": \"warpbound-device-1\", \"like\": \"orin-agx\", \"name\": \"mine\","
      " \"yield\": null, \"residency\": {\"max_blocks\": 8}, \"modes\": null,"
      " \"resources\": [{\"name\": \"fp32\", \"level\": \"partition\", \"servers\": 2,"
      " \"at_issue\": true}], \"values\": {\"sms\": {\"value\": 14, \"source\": \"mine\"}}}",
      &device);
  assert_string_equal(device.name, "mine");
  assert_string_equal(device.product, "");
  assert_int_equal(device.architecture, 87);
  assert_int_equal(device.mode_count, 0);
  assert_int_equal(number_named(&device, "sms"), 14);
  assert_int_equal(number_named(&device, "residency.max_blocks"), 8);
  assert_int_equal(number_named(&device, "residency.warps"),
                   number_named(&base, "residency.warps"));
  assert_int_equal(number_named(&device, "fp32.servers"), 2);
  assert_int_equal(device.resource_count, base.resource_count);
  assert_true(device.values[device.yield].left_out);
  assert_int_equal(device.class_count, base.class_count);
}

/* Times that are taken over keep their nanoseconds, those of the SM's clock their cycles. */
TEST(like_another_at_other_clocks)
{
  static const struct {
    uint64_t clock;
    const char *name;
    uint64_t cycles;
  } cases[] = {{2600000000, "l2.delay", 840},
               {2600000000, "dram.delay", 1228},
               {2600000000, "l1.latency", 28},
               {650000000, "l2.delay", 420},
               {1300000000, "walk.delay", 1310}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    char text[200];
    FREED_BY(wb_device_timing_free) struct wb_device_timing device;
    snprintf(text, sizeof text,
             "{\"format\": \"warpbound-device-1\", \"like\": \"orin-agx\", \"modes\": null,"
             " \"values\": {\"clock\": {\"value\": %" PRIu64 "}}}",
             cases[c].clock);
    read_or_fail(text, &device);
    assert_int_equal(number_named(&device, cases[c].name), cases[c].cycles);
  }
}

/* ---- what is refused ---- */

TEST(refused)
{
  static const struct refusal rows[] = {
      {SIZES("1000", MEMORY) "\"values\": {\"sms\": {\"value\": 8, \"clock\": \"gpu\"}}}",
       "values, sms: expected sm, chip, memory or picoseconds, found 'gpu'"},
      {SIZES("1000", MEMORY) "\"values\": {\"sms\": {\"value\": 8, \"clock\": 1}}}",
       "values, sms: expected \"sm\", \"chip\", \"memory\" or \"picoseconds\", found a whole "
       "number"},
      {SIZES("\"of.sm\"", MEMORY) TIMES("7", "10", "10", "3000000000", "10") "}",
       "values, of.sm: expected no clock of a count"},
      {SIZES("1000", "") TIMES("7", "10", "10", "3000000000", "10") "}",
       "values, of.memory: expected 'memory_clock' in the file"},
      {DEVICE ", \"modes\": {}}", "modes: expected a list, found an object"},
      {DEVICE ", \"modes\": [{\"values\": {}}]}", "modes, entry 1: expected a string"},
      {DEVICE ", \"modes\": [{\"name\": \"a\", \"values\": {}}, {\"name\": \"A\"}]}",
       "modes, entry 2: expected a name that no mode before has, found 'A'"},
      {DEVICE ", \"modes\": [{\"name\": \"a\"}]}",
       "modes, a, values: expected an object as {\"sms\": 8}"},
      {DEVICE ", \"modes\": [{\"name\": \"a\", \"values\": {\"smx\": 1}}]}",
       "modes, a: expected the name of one of 'values', found 'smx' (did you mean 'sms'?)"},
      {DEVICE ", \"modes\": [{\"name\": \"a\", \"values\": {\"sms\": 1.5}}]}", "modes, a, sms: "},
      {DEVICE ", \"modes\": [{\"name\": \"a\", \"values\": {\"sms\": 0}}]}",
       "modes, a: value 'sms' is 0"},
      {"{\"format\": \"warpbound-device-1\", \"like\": 5}",
       "like: expected the name of a bundled device, found a whole number"},
      {"{\"format\": \"warpbound-device-1\", \"like\": \"a101\"}",
       "like: expected the name of a bundled device, found 'a101' (did you mean 'a100'?)"},
      {"{\"like\": \"a100\"}", "format"},
      {"{\"format\": \"warpbound-device-1\", \"like\": \"a100\", \"clock\": null}", "clock"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct wb_device_timing device;
    warpbound_error error = {0};
    if (wb_device_timing_read("f", rows[i].text, strlen(rows[i].text), &device, &error) !=
        WARPBOUND_INVALID_INPUT)
      fail_msg("row %zu: expected a refusal with '%s'", i, rows[i].part);
    if (strstr(error.message, rows[i].part) == NULL)
      fail_msg("expected '%s' in '%s'", rows[i].part, error.message);
  }
}
