/* Potential files: what is read, and what is refused. */
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
#define PIECE(values)                                                                              \
  "{\"type\": \"C\", \"least\": 1, \"shares\": [0, 2], \"values\": [" values "]}"
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

static const struct refusal {
  const char *text;
  const char *part;
} refusals[] = {
    {"{}", "format: expected \"warpbound-potential-1\", found nothing"},
    {HEAD "\"colour\": 1}", "unknown key 'colour'"},
    {HEAD "\"warps\": 0}", "warps: expected 1 to"},
    {HEAD "\"warps\": 1}", "cycles: expected a whole number, found nothing"},
    {HEAD "\"warps\": 1, \"cycles\": 1, \"gain\": 0}", "gain: expected 1 to"},
    {HEAD "\"from_warps\": 0, " NUMBERS "}", "from_warps: expected 1 to"},
    {HEAD NUMBERS "}", "pools: expected a list, found nothing"},
    {HEAD NUMBERS ", \"pools\": [3]}", "pools, entry 1: expected an object, found a whole number"},
    {HEAD NUMBERS ", \"pools\": [{\"type\": \"X\"}]}", "pools, entry 1, type: expected a type"},
    {HEAD NUMBERS ", \"pools\": [{\"type\": \"C\", \"warps\": 0}]}", "pools, entry 1, warps"},
    {HEAD NUMBERS ", \"pools\": [{\"type\": \"C\", \"warps\": 1, \"work\": 1.5}]}",
     "pools, entry 1, work: expected a whole number, found a number with a fraction"},
    {HEAD NUMBERS ", \"pools\": [1, 2, 3, 4, 5, 6, 7]}", "at most 6, found 7"},
    {HEAD NUMBERS POOLS "}", "stay: expected a list"},
    {HEAD NUMBERS POOLS ", \"stay\": [{\"type\": \"C\", \"length\": 0}]}", "unknown key 'length'"},
    {HEAD NUMBERS POOLS ", \"stay\": [{\"type\": \"C\"}]}",
     "stay, entry 1, value: expected a whole number, found nothing"},
    {HEAD NUMBERS POOLS STAY ", \"leave\": [{\"from\": \"C\", \"to\": \"start\"}]}",
     "leave, entry 1, to: expected a type, or \"end\""},
    {HEAD NUMBERS POOLS STAY ", \"leave\": [{\"from\": \"C\", \"to\": \"L\"}]}",
     "leave, entry 1, length: expected a whole number"},
    {HEAD NUMBERS POOLS STAY LEAVE "}", "own_stay: expected a list"},
    {HEAD NUMBERS POOLS STAY ", \"pieces\": []}", "stay: the pieces have the values"},
    {HEAD NUMBERS POOLS ", \"pieces\": 1}", "pieces: expected a list"},
    {HEAD NUMBERS POOLS ", \"pieces\": [" PIECE("1, 2, 3") "]}",
     "pieces: expected 2 items, found 1"},
    {HEAD NUMBERS POOLS ", \"pieces\": [" PIECE("1, 2, 3") ", " PIECE("1, 2") "]}",
     "pieces, entry 2, values: expected 3 items, found 2"},
    {HEAD NUMBERS POOLS ", \"pieces\": [" PIECE("1, 2, 3") ", " PIECE("1, 2, \"x\"") "]}",
     "pieces, entry 2, values: expected a whole number, found a string"},
    {HEAD NUMBERS POOLS ", \"pieces\": [" PIECE("1, 2, 3") ", " PIECE("1, 2, 3") "]" OWN HEIGHTS
                                                                                 "}",
     "a height for each piece: 7 items, found 6"},
    {HEAD NUMBERS POOLS STAY LEAVE OWN "}", "heights: expected a list"},
    {HEAD NUMBERS POOLS STAY LEAVE OWN ", \"heights\": [1]}", "heights, entry 1: expected a list"},
    {HEAD NUMBERS POOLS STAY LEAVE OWN ", \"heights\": [[\"L\", 1, 3, 2, 0]]}", "6 items, found 5"},
    {HEAD NUMBERS POOLS STAY LEAVE OWN ", \"heights\": [[\"L\", 1, -3, 2, 0, 1]]}",
     "heights, entry 1, number 2: expected 0 to"},
    {HEAD NUMBERS POOLS STAY LEAVE OWN ", \"heights\": [[\"L\", 1, 3, 2, 0, \"1\"]]}",
     "heights, entry 1, the height: expected a whole number, found a string"},
};

TEST(potentials_refused)
{
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    struct wb_potential_file file = {0};
    warpbound_error error = {0};
    const char *text = refusals[i].text;
    assert_invalid(
        wb_json_parse_as("f", text, strlen(text), wb_potential_file_read, &file, &error));
    if (strstr(error.message, refusals[i].part) == NULL)
      fail_msg("%s: expected '%s' in '%s'", text, refusals[i].part, error.message);
    assert_string_equal(error.file, "f");
  }
}
