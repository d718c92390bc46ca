/* SM configuration files and schedule files: what is read. */
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
