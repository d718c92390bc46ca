/* Run files: what is written is read again, and what is refused. */
#include "formats/makespan/makespan_files.h"
#include "makespan_problems.h"
#include "unit.h"

#define HEAD "{\"format\": \"warpbound-runs-1\", \"string\": \"2LC\", "
#define UNITS "\"units\": {\"L\": 1, \"C\": 2}, "

TEST(a_whole_file)
{
  static const char text[] = HEAD UNITS "\"x-note\": 1, \"issue_slots\": 3, \"warps\": 5, "
                                        "\"cycles\": 99, \"runs\": [1, 1, 1]}";
  struct wb_run_file file = {0};
  assert_ok(wb_json_parse_as("f", text, strlen(text), wb_run_file_read, &file, NULL));
  assert_int_equal(file.claim.problem.length, 3);
  assert_memory_equal(file.claim.problem.letters, "LLC", 3);
  assert_int_equal(file.claim.problem.capacity[0], 1);
  assert_int_equal(file.claim.problem.capacity[1], 2);
  assert_int_equal(file.claim.problem.capacity[2], 0);
  assert_int_equal(file.claim.problem.issue_slots, 3);
  assert_int_equal(file.claim.warps, 5);
  assert_int_equal(file.claim.cycles, 99);
  assert_int_equal(file.claim.count, 3);
  assert_int_equal(file.claim.lengths[2], 1);
  wb_arena_free(&file.arena);
}

TEST(what_is_written_is_read_again)
{
  static const uint32_t lengths[] = {5, 9, 2, 4, 5};
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 2, 1, 16, "");
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_run_file_write(&problem, lengths, 5, 184, &text);
  assert_false(text.failed);
  assert_string_equal(text.data, "{\"format\": \"warpbound-runs-1\",\n \"string\": \"5L9C2L9C\",\n"
                                 " \"units\": {\"L\": 1, \"C\": 4},\n \"issue_slots\": 2,\n"
                                 " \"warps\": 16,\n \"cycles\": 184,\n"
                                 " \"runs\": [5, 9, 2, 4, 5]}\n");
  struct wb_run_file file = {0};
  assert_ok(wb_json_parse_as("f", text.data, text.length, wb_run_file_read, &file, NULL));
  assert_int_equal(file.claim.problem.length, 25);
  assert_int_equal(file.claim.problem.issue_slots, 2);
  assert_int_equal(file.claim.warps, 16);
  assert_int_equal(file.claim.cycles, 184);
  assert_int_equal(file.claim.count, 5);
  assert_memory_equal(file.claim.lengths, lengths, sizeof lengths);
  wb_arena_free(&file.arena);
  wb_problem_free(&problem);
}

TEST(text_that_is_no_json_is_placed)
{
  static const char text[] = "{\"format\": \"warpbound-runs-1\",\n \"runs\": [1 2]}";
  struct wb_run_file file = {0};
  warpbound_error error = {0};
  assert_invalid(wb_json_parse_as("f", text, strlen(text), wb_run_file_read, &file, &error));
  assert_int_equal(error.line, 2);
}
