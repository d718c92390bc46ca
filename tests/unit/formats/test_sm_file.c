/* SM configuration files and schedule files: what is read, and what is refused. */
#include "formats/makespan/makespan_files.h"
#include "formats/sm/sm_file.h"
#include "unit.h"

TEST(a_whole_configuration)
{
  static const char text[] =
      "{\"name\": \"mine\", \"warp_size\": 32, \"partitions\": 4, \"issue_slots\": 1,"
      " \"max_warps\": 48, \"units\": {\"L\": {\"lanes\": 8}, \"C\": 1, \"S\": \"1/8\","
      " \"D\": {\"capacity\": \"1/16\", \"hold\": 2, \"shared\": true}}}";
  struct wb_sm_configuration sm;
  assert_ok(wb_sm_file_parse("f", text, strlen(text), &sm, NULL));
  assert_string_equal(sm.name, "mine");
  assert_int_equal(sm.partitions, 4);
  assert_int_equal(sm.max_warps, 48);
  assert_int_equal(sm.unit[WB_UNIT_LOAD_STORE].denominator, 4);
  assert_int_equal(sm.unit[WB_UNIT_SPECIAL].denominator, 8);
  assert_int_equal(sm.unit[WB_UNIT_DOUBLE].hold, 2);
  assert_true(sm.unit[WB_UNIT_DOUBLE].shared);
}

struct refusal {
  const char *text;
  const char *part;
};

TEST(configurations_refused)
{
  static const struct refusal rows[] = {
      {"", "not valid JSON"},
      {"[]", "expected a JSON object, found an array"},
      {"{\"units\": {\"L\": 1}", "not valid JSON"},
      {"{\"units\": {\"L\": 1}, \"units\": {}}", "duplicate"},
      {"{}", "units: expected an object"},
      {"{\"units\": {\"X\": 1}}", "expected L, C, S, D or T, found 'X'"},
      {"{\"units\": {\"L\": 0}}", "capacity from 1"},
      {"{\"units\": {\"L\": -1}}", "capacity from 1"},
      {"{\"units\": {\"L\": 1.5}}", "found a number with a fraction"},
      {"{\"units\": {\"L\": {}}}", "either 'capacity' or 'lanes'"},
      {"{\"units\": {\"L\": {\"lanes\": 1, \"capacity\": 1}}}", "either 'capacity' or 'lanes'"},
      {"{\"units\": {\"L\": {\"lanes\": 1, \"hold\": 0}}}", "units, L, hold: expected 1 to"},
      {"{\"units\": {\"L\": {\"lanes\": 1, \"shared\": 1}}}",
       "units, L, shared: expected true or false"},
      {"{\"units\": {\"L\": {\"lanes\": 1, \"size\": 1}}}", "unknown key 'size'"},
      {"{\"unit\": {}}", "unknown key 'unit'"},
      {"{\"partitions\": 0, \"units\": {}}", "partitions: expected 1 to"},
      {"{\"warp_size\": 99999, \"units\": {}}", "warp_size: expected 1 to"},
      {"{\"name\": 1, \"units\": {}}", "name: expected a string"},
      {"{\"name\": \"\\u001b[2J\", \"units\": {}}", "without control characters, found '?[2J'"},
      {"{\"units\": {\"L\": true}}", "units, L: expected a whole number, or a fraction"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct wb_sm_configuration sm;
    warpbound_error error = {0};
    assert_invalid(wb_sm_file_parse("f", rows[i].text, strlen(rows[i].text), &sm, &error));
    if (strstr(error.message, rows[i].part) == NULL)
      fail_msg("%s: expected '%s' in '%s'", rows[i].text, rows[i].part, error.message);
    assert_string_equal(error.file, "f");
  }
}

TEST(a_whole_schedule)
{
  static const char text[] = "{\"format\": \"warpbound-schedule-1\", \"string\": \"2LC\","
                             " \"units\": {\"L\": 1, \"C\": 2}, \"issue_slots\": 3, \"warps\": 2,"
                             " \"issue_cycles\": [[1, 2, 3], [4, 5]]}";
  struct wb_schedule_file file = {0};
  assert_ok(wb_json_parse_as("f", text, strlen(text), wb_schedule_file_read, &file, NULL));
  assert_memory_equal(file.claim.strings->letters, "LLC", 3);
  assert_int_equal(file.claim.strings->length, 3);
  assert_int_equal(file.claim.capacity[1], 2);
  assert_int_equal(file.claim.issue_slots, 3);
  assert_int_equal(file.claim.counts[1], 2);
  assert_int_equal(file.claim.cycles[1][1], 5);
  wb_arena_free(&file.arena);
}

#define SCHEDULE(units, warps, cycles)                                                             \
  "{\"format\": \"warpbound-schedule-1\", \"string\": \"LC\", \"units\": " units                   \
  ", \"issue_slots\": 0, \"warps\": " warps ", \"issue_cycles\": " cycles "}"

TEST(schedules_refused)
{
  static const struct refusal rows[] = {
      {"{}", "format: expected"},
      {"{\"format\": \"warpbound-schedule-2\"}", "found \"warpbound-schedule-2\""},
      {SCHEDULE("{}", "0", "[]"), "warps: expected 1 to"},
      {SCHEDULE("{}", "1", "[]"), "a list for each of the 1 warps, found 0"},
      {SCHEDULE("{}", "1", "[1]"), "warp 1: expected a list of cycles, found a whole number"},
      {SCHEDULE("{}", "1", "[[1.5]]"), "warp 1, entry 1: expected a cycle"},
      {SCHEDULE("{}", "1", "[[-1]]"), "warp 1, entry 1: expected a cycle"},
      {SCHEDULE("{}", "1", "[[4294967296]]"), "warp 1, entry 1: expected a cycle"},
      {SCHEDULE("{\"L\": 0}", "1", "[[1]]"), "units, L: expected 1 to"},
      {SCHEDULE("{\"Q\": 1}", "1", "[[1]]"), "unknown key 'Q'"},
      {SCHEDULE("3", "1", "[[1]]"), "units: expected an object"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    struct wb_schedule_file file = {0};
    warpbound_error error = {0};
    assert_invalid(wb_json_parse_as("f", rows[i].text, strlen(rows[i].text), wb_schedule_file_read,
                                    &file, &error));
    if (strstr(error.message, rows[i].part) == NULL)
      fail_msg("%s: expected '%s' in '%s'", rows[i].text, rows[i].part, error.message);
  }
}
