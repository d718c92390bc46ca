/* Device files: what is read and written, what is refused, changes by the user, and the bundled
 * devices. Left out: whether the numbers of the bundled devices are true. */
#include "device_reading.h"
#include "failing_heap.h"
#include "formats/device/device_file.h"
#include "formats/json/json_output.h"
#include "isa/sass_opcodes.h"
#include "unit.h"

/* A small device: numbers by name and in place. */
#define SIZES "\"sms\": 2, \"partitions\": 4, \"clock\": 1000000000"
#define RESIDENCY                                                                                  \
  "\"residency\": {\"max_blocks\": 16, \"max_warps\": 48, \"max_threads_per_block\": 1024,"        \
  " \"registers\": 65536, \"registers_per_block\": 65536, \"registers_per_thread\": 255,"          \
  " \"register_unit\": 256, \"shared_memory\": 65536, \"shared_per_block\": 49152,"                \
  " \"shared_unit\": 128, \"barriers\": 16}"
#define HEAD                                                                                       \
  "{\"format\": \"warpbound-device-1\", \"architecture\": 87, \"memory_clients\": \"CPU cores\", "
#define RESOURCES                                                                                  \
  "\"resources\": [{\"name\": \"slot\", \"level\": \"partition\", \"servers\": 1, \"at_issue\": "  \
  "true}, {\"name\": \"l2\", \"level\": \"gpu\", \"servers\": \"slices\"}]"
#define CLASSES                                                                                    \
  "\"classes\": [{\"name\": \"all\", \"units\": [\"C\", \"N\"], \"takes\": [{\"resource\": "       \
  "\"slot\", \"service\": 1}]}, {\"name\": \"load\", \"opcodes\": [\"LDG\", \"LD\"], \"takes\": "  \
  "[{\"resource\": \"slot\", \"service\": 1}], \"stages\": [{\"resource\": \"l2\", \"per\": "      \
  "\"sector\", \"delay\": \"l2.delay\", \"service\": 2}], \"latency\": 80, \"read_stages\": 1}, "  \
  "{\"name\": \"wide\", \"opcodes\": [\"LDG.E.128\"], \"takes\": [{\"resource\": \"slot\", "       \
  "\"service\": 2}]}]"
#define VALUES                                                                                     \
  "\"values\": {\"slices\": {\"value\": 16, \"kind\": \"assumed\", \"source\": \"a guess\"}, "     \
  "\"l2.delay\": {\"value\": 190, \"kind\": \"measured\", \"source\": \"there\"}}"
#define DEVICE HEAD SIZES ", " RESIDENCY ", " RESOURCES ", " CLASSES ", " VALUES "}"

TEST(a_whole_device)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  const char *text = DEVICE;
  assert_ok(wb_device_timing_read("a/mine.json", text, strlen(text), &device, NULL));
  assert_string_equal(device.name, "mine");
  assert_string_equal(device.file, "a/mine.json");
  assert_int_equal(device.architecture, 87);
  assert_int_equal(wb_device_number(&device, device.sms), 2);
  assert_int_equal(number_named(&device, "sms"), 2);
  assert_int_equal(number_named(&device, "residency.barriers"), 16);
  assert_int_equal(number_named(&device, "slot.servers"), 1);
  assert_int_equal(number_named(&device, "load.stages.1.service"), 2);
  assert_int_equal(number_named(&device, "load.latency"), 80);
  assert_int_equal(device.resources[1].level, WB_LEVEL_GPU);
  assert_int_equal(wb_device_number(&device, device.resources[1].servers), 16);
  assert_int_equal(wb_device_number(&device, device.classes[1].stages[0].delay), 190);
  assert_int_equal(device.classes[1].stages[0].per, WB_PER_SECTOR);
  assert_int_equal(device.classes[1].read_stages, 1);
  assert_int_equal(wb_device_number(&device, device.classes[1].read_latency), 0);
  assert_int_equal(wb_device_number(&device, device.yield), 0);
  const size_t delay = wb_device_value_find(&device, "l2.delay");
  assert_int_equal(device.values[delay].kind, WB_VALUE_MEASURED);
  assert_string_equal(device.values[delay].source, "there");
}

struct lookup {
  const char *opcode;
  enum wb_unit unit;
  const char *class;
};

TEST(classes_by_opcode)
{
  static const struct lookup rows[] = {
      {"LDG", WB_UNIT_LOAD_STORE, "load"},
      {"LDG.E", WB_UNIT_LOAD_STORE, "load"},
      {"LDG.E.128", WB_UNIT_LOAD_STORE, "wide"},
      {"LDG.E.128.CONSTANT", WB_UNIT_LOAD_STORE, "wide"},
      {"LDG.E.1280", WB_UNIT_LOAD_STORE, "load"},
      {"LD.E", WB_UNIT_LOAD_STORE, "load"},
      {"LDGSTS", WB_UNIT_LOAD_STORE, NULL},
      {"LDGSTS", WB_UNIT_CORE, "all"},
      {"L", WB_UNIT_LOAD_STORE, NULL},
      {"IADD3", WB_UNIT_CORE, "all"},
      {"NOP", WB_UNIT_NONE, "all"},
  };
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE, &device);
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const struct wb_timing_class *found = wb_device_class(&device, rows[i].opcode, rows[i].unit);
    const char *name = found != NULL ? found->name : "none";
    const char *expected = rows[i].class != NULL ? rows[i].class : "none";
    if (strcmp(name, expected) != 0)
      fail_msg("%s: expected %s, found %s", rows[i].opcode, expected, name);
  }
}

struct refusal {
  const char *text;
  const char *part;
};

TEST(changes)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE, &device);
  assert_ok(wb_device_timing_set(&device, "l2.delay=600", NULL));
  const size_t delay = wb_device_value_find(&device, "l2.delay");
  assert_int_equal(device.values[delay].value, 600);
  assert_int_equal(device.values[delay].kind, WB_VALUE_DECLARED);
  assert_string_equal(device.values[delay].source, "set by the user");
  static const struct refusal rows[] = {
      {"l2.delay", "expected a change as NAME=NUMBER"},
      {"l2.delay=", "expected a change as NAME=NUMBER"},
      {"l2.delay=-1", "expected a change as NAME=NUMBER"},
      {"l2.delay=1e3", "expected a change as NAME=NUMBER"},
      {"l2.delay=99999999999999999999", "expected a change as NAME=NUMBER"},
      {"l2.dela=1", "(there are l2.delay)"},
      {"l2.delay=1000000001", "must be from 0 to 1000000000"},
      {"load.stages.1.service=0", "must be from 1"},
      {"slices=4294967296", "servers must be from 1"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    warpbound_error error = {0};
    assert_misuse(wb_device_timing_set(&device, rows[i].text, &error));
    if (strstr(error.message, rows[i].part) == NULL)
      fail_msg("%s: expected '%s' in '%s'", rows[i].text, rows[i].part, error.message);
  }
  assert_int_equal(device.values[delay].value, 600);
  assert_ok(wb_device_timing_verify(&device, NULL));
}

/* A number that the file does not give is assumed until the user declares it. */
TEST(what_is_left_out_is_assumed)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE, &device);
  const struct wb_device_value *yield = &device.values[device.yield];
  assert_string_equal(yield->name, "yield");
  assert_true(yield->left_out);
  assert_int_equal(yield->kind, WB_VALUE_ASSUMED);
  assert_string_equal(yield->source, "not given by the device file: 0 is assumed");
  assert_int_not_equal(device.yield, device.drain);
  assert_ok(wb_device_timing_set(&device, "yield=3", NULL));
  assert_false(yield->left_out);
  assert_int_equal(yield->kind, WB_VALUE_DECLARED);
  assert_int_equal(number_named(&device, "drain"), 0);
}

/* Its name is its own, also where a value that stands elsewhere has the name of its place. */
TEST(what_is_left_out_hides_no_value)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(HEAD "\"sms\": \"yield\", \"partitions\": 4, \"clock\": 1000000000, " RESIDENCY
                    ", " RESOURCES ", " CLASSES ", \"values\": {\"yield\": {\"value\": 5}, "
                    "\"l2.delay\": {\"value\": 190}, \"slices\": {\"value\": 16}}}",
               &device);
  assert_int_equal(number_named(&device, "yield"), 5);
  assert_int_equal(wb_device_number(&device, device.sms), 5);
  assert_string_equal(device.values[device.yield].name, "yield (left out)");
  assert_int_equal(wb_device_number(&device, device.yield), 0);
}

static char *written(const struct wb_device_timing *device)
{
  char *text = wb_json_text(wb_device_timing_json(device));
  assert_non_null(text);
  return text;
}

/* What is written is read as the same device: written again it is the same text. */
TEST(round_trip)
{
  FREED_BY(wb_device_timing_free) struct wb_device_timing device;
  read_or_fail(DEVICE, &device);
  char *first = written(&device);
  assert_null(strstr(first, "yield"));
  FREED_BY(wb_device_timing_free) struct wb_device_timing again;
  read_or_fail(first, &again);
  char *second = written(&again);
  assert_string_equal(first, second);
  assert_int_equal(number_named(&again, "load.latency"), 80);
  assert_int_equal(again.value_count, device.value_count);
  assert_string_equal(again.memory_clients, "CPU cores");
  free(first);
  free(second);
}

/* Each is as the writer writes it, so that what users print and edit is what is kept; of one that
 * is like another, what is written is read as the same device. */
static void check_written(const struct wb_bundled_device *bundled,
                          const struct wb_device_timing *device)
{
  char *text = written(device);
  if (strstr(bundled->text, "\n  \"like\": ") != NULL) {
    FREED_BY(wb_device_timing_free) struct wb_device_timing again;
    read_or_fail(text, &again);
    char *second = written(&again);
    assert_string_equal(text, second);
    free(second);
  } else if (strcmp(text, bundled->text) != 0) {
    fail_msg("data/devices/%s.json is not as 'warpbound devices %s --json' writes it",
             bundled->name, bundled->name);
  }
  free(text);
}

TEST(bundled_files)
{
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    const struct wb_bundled_device *bundled = &wb_bundled_devices[d];
    FREED_BY(wb_device_timing_free) struct wb_device_timing device;
    warpbound_error error = {0};
    if (wb_device_timing_bundled(bundled->name, &device, &error) != WARPBOUND_OK)
      fail_msg("%s: %s", bundled->name, error.message);
    assert_string_equal(device.name, bundled->name);
    assert_string_equal(device.product, bundled->product);
    assert_int_equal(device.architecture, bundled->architecture);
    check_written(bundled, &device);
    for (size_t v = 0; v < device.value_count; v++) {
      if (device.values[v].source[0] == '\0')
        fail_msg("%s: value '%s' has no source", bundled->name, device.values[v].name);
    }
  }
}

/* Opcodes whose work their instruction does not show, so that no class bounds it: bulk copies,
 * products of tensor memory, clusters, and waiting for these (doc/devices.md). */
static bool is_unbounded(const struct wb_sass_opcode *row)
{
  static const char *const opcodes[] = {
      "ACQSHMINIT",     "MXQMMA",   "SUQUERY",    "USETSHMSZ",  "BGMMA",       "CGAERRBAR",
      "HGMMA",          "IGMMA",    "LDTM",       "QGMMA",      "REDAS",       "STAS",
      "STTM",           "UBLKCP",   "UBLKPF",     "UBLKRED",    "UCGABAR_ARV", "UCGABAR_WAIT",
      "UGETNEXTWORKID", "UMEMSETS", "USETMAXREG", "UTCATOMSWS", "UTCBAR",      "UTCCP",
      "UTCHMMA",        "UTCIMMA",  "UTCOMMA",    "UTCQMMA",    "UTCSHIFT",    "UTMACCTL",
      "UTMACMDFLUSH",   "UTMALDG",  "UTMAPF",     "UTMAREDG",   "UTMASTG",
  };
  for (size_t i = 0; i < COUNT_OF(opcodes); i++) {
    if (strcmp(row->opcode, opcodes[i]) == 0)
      return true;
  }
  return strcmp(row->opcode, "WARPGROUP") == 0 && strcmp(row->modifiers, "DEPBAR") == 0;
}

TEST(all_opcodes_have_classes)
{
  size_t count;
  const struct wb_sass_opcode *rows = wb_sass_opcode_rows(&count);
  for (size_t d = 0; d < wb_bundled_device_count; d++) {
    FREED_BY(wb_device_timing_free) struct wb_device_timing device;
    assert_ok(wb_device_timing_bundled(wb_bundled_devices[d].name, &device, NULL));
    const bool old = device.architecture < 70;
    const bool before_hopper = device.architecture < 90;
    for (size_t i = 0; i < count; i++) {
      if ((rows[i].families & (old ? WB_SASS_64 : WB_SASS_128)) == 0)
        continue;
      char opcode[64];
      snprintf(opcode, sizeof opcode, "%s%s%s", rows[i].opcode,
               rows[i].modifiers != NULL ? "." : "",
               rows[i].modifiers != NULL ? rows[i].modifiers : "");
      const bool found = wb_device_class(&device, opcode, (enum wb_unit)rows[i].unit) != NULL;
      const bool later = before_hopper && strcmp(rows[i].opcode, "ACQBULK") == 0;
      if (!found && !later && !is_unbounded(&rows[i]))
        fail_msg("%s: no class for %s", device.name, opcode);
    }
  }
}

TEST(bundled_names)
{
  static const struct {
    const char *name;
    const char *found;
  } rows[] = {
      {"orin-agx", "orin-agx"}, {"Orin-AGX", "orin-agx"}, {"sm_87", "orin-agx"},
      {"SM_87", "orin-agx"},    {"8.7", "orin-agx"},      {"orin", "orin-agx"},
      {"xavier", "xavier"},     {"sm_72", "xavier"},      {"GP104", "gtx-1080"},
      {"sm_120", "rtx-5090"},   {"h100", "h100-sxm"},     {"orin-nano", "orin-nano"},
      {"sm_70", "v100"},        {"sm_86", "a40"},         {"sm_89", "rtx-4090"},
      {"sm_90", "h100-sxm"},    {"GH200", "gh200"},       {"AD104", "rtx-4070"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const size_t found = wb_device_timing_bundled_find(rows[i].name);
    if (found == SIZE_MAX)
      fail_msg("%s is not found", rows[i].name);
    assert_string_equal(wb_bundled_devices[found].name, rows[i].found);
  }
  assert_true(wb_device_timing_bundled_find("") == SIZE_MAX);
  assert_true(wb_device_timing_bundled_find("sm_8") == SIZE_MAX);
  struct wb_device_timing device;
  warpbound_error error = {0};
  assert_misuse(wb_device_timing_bundled("orin-agy", &device, &error));
  assert_non_null(strstr(error.message, "(did you mean 'orin-agx'?); there are "));
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn. Left out: allocations of Jansson. */

static warpbound_status read_and_change(const void *context, warpbound_error *error)
{
  (void)context;
  struct wb_device_timing device;
  warpbound_status status = wb_device_timing_read("f", DEVICE, sizeof DEVICE - 1, &device, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_device_timing_set(&device, "slices=9", error);
  /* A change that failed left the value as it was. */
  const size_t slices = wb_device_value_find(&device, "slices");
  assert_int_equal(device.values[slices].value, status == WARPBOUND_OK ? 9 : 16);
  wb_device_timing_free(&device);
  return status;
}

TEST(memory)
{
  assert_true(fail_each(read_and_change, NULL, WARPBOUND_OK) > 40);
}
