/* Potential files: what is read. */
#include "formats/makespan/makespan_files.h"
#include "unit.h"

#define HEAD                                                                                       \
  "{\"format\": \"warpbound-potential-1\", \"string\": \"2CL\", \"units\": {\"C\": 1, \"L\": 2}, " \
  "\"x-note\": 1, "
#define NUMBERS "\"warps\": 5, \"cycles\": 99, \"gain\": 7"
#define POOLS                                                                                      \
  ", \"pools\": [{\"type\": \"C\", \"warps\": 1, \"work\": 3}, "                                   \
  "{\"type\": \"L\", \"warps\": 2, \"work\": 0}]"
#define STAY ", \"stay\": [{\"type\": \"C\", \"value\": -4}]"
#define LEAVE                                                                                      \
  ", \"leave\": [{\"from\": \"C\", \"to\": \"L\", \"length\": 1, \"value\": 5}, "                  \
  "{\"from\": \"L\", \"to\": \"end\", \"length\": 0, \"value\": 6}]"
#define OWN ", \"own_stay\": [], \"own_leave\": [{\"from\": \"L\", \"to\": \"end\", \"value\": 8}]"
#define HEIGHTS ", \"heights\": [[\"L\", 1, 3, 2, 0, -9]]"

TEST(a_whole_potential)
{
  static const char text[] =
      HEAD "\"issue_slots\": 3, \"from_warps\": 4, " NUMBERS POOLS STAY LEAVE OWN HEIGHTS "}";
  struct wb_potential_file file = {0};
  warpbound_error error = {0};
  if (wb_json_parse_as("f", text, strlen(text), wb_potential_file_read, &file, &error) !=
      WARPBOUND_OK)
    fail_msg("%s", error.message);
  const struct wb_check_potential_claim *claim = &file.claim;
  assert_int_equal(claim->problem.length, 3);
  assert_memory_equal(claim->problem.letters, "CCL", 3);
  assert_int_equal(claim->problem.capacity[0], 2);
  assert_int_equal(claim->problem.issue_slots, 3);
  assert_int_equal(claim->warps, 5);
  assert_int_equal(claim->cycles, 99);
  assert_int_equal(claim->from_warps, 4);
  assert_int_equal(claim->gain, 7);
  assert_int_equal(claim->pool_count, 2);
  assert_int_equal(claim->pools[0].work, 3);
  assert_int_equal(claim->pools[1].type, 'L');
  assert_int_equal(claim->stay.list[0].to, 'C');
  assert_int_equal(claim->stay.list[0].value, -4);
  assert_int_equal(claim->leave.count, 2);
  assert_int_equal(claim->leave.list[0].length, 1);
  assert_int_equal(claim->leave.list[1].to, WB_CHECK_POTENTIAL_END);
  assert_int_equal(claim->own_stay.count, 0);
  assert_int_equal(claim->own_leave.list[0].value, 8);
  assert_int_equal(claim->state_count, 1);
  assert_int_equal(claim->states[0].own, 'L');
  assert_int_equal(claim->states[0].work[0], 3);
  assert_int_equal(claim->states[0].warps[1], 2);
  assert_int_equal(claim->states[0].offset[0], -9);
  wb_arena_free(&file.arena);
}
