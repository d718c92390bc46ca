/* The public interface: what the header promises, through the header alone. */
#include "handles.h"

TEST(the_version_is_three_numbers)
{
  unsigned major, minor, patch;
  assert_int_equal(sscanf(warpbound_version(), "%u.%u.%u", &major, &minor, &patch), 3);
}

/* The cycles of a schedule's text that was handed out, which is checked and freed. */
static uint64_t cycles_of_schedule(char *schedule)
{
  warpbound_verdict *verdict;
  assert_made(verdict,
              warpbound_verify("schedule", schedule, strlen(schedule), NULL, &verdict, NULL));
  const uint64_t cycles = warpbound_verdict_cycles(verdict);
  warpbound_text_free(schedule);
  return cycles;
}

TEST(a_bracket_with_its_witness)
{
  warpbound_instance *instance;
  warpbound_result *result;
  assert_made(instance, warpbound_instance_create("5L9C2L9C", "L=1,C=4", 0, 1, 4, &instance, NULL));
  assert_made(result, warpbound_makespan(instance, NULL, &result, NULL));
  warpbound_bound upper = warpbound_result_upper(result);
  warpbound_bound lower = warpbound_result_lower(result);
  assert_int_equal(upper.cycles, 45);
  assert_int_equal(lower.cycles, 45);
  assert_int_equal(upper.kind, WARPBOUND_EXACT);
  char *schedule;
  assert_ok(warpbound_result_schedule(result, &schedule, NULL));
  assert_int_equal(cycles_of_schedule(schedule), 45);
  bool published = false;
  for (size_t i = 0; i < warpbound_result_bound_count(result); i++)
    published |= warpbound_result_bound(result, i).kind == WARPBOUND_PUBLISHED;
  assert_true(published);
  char *json;
  assert_made(json, warpbound_result_json(result, &json, NULL));
  expect_part(json, "\"exact\": true");
}

TEST(errors_say_what_was_expected)
{
  warpbound_error error;
  warpbound_instance *instance;
  assert_invalid(warpbound_instance_create("LXC", "L=1,C=1", 0, 1, 4, &instance, &error));
  assert_null(instance);
  assert_int_equal(error.column, 2);
  assert_misuse(warpbound_instance_create("LS", "L=1,C=1", 0, 1, 4, &instance, &error));
  expect_part(error.message, "special function");
  assert_misuse(warpbound_instance_create("L", "L=1", 0, 1, 0, &instance, &error));
  warpbound_sm *sm;
  assert_misuse(warpbound_sm_for_device("sm_00", &sm, &error));
  assert_misuse(warpbound_instance_create("L", "L=1", 0, 1, 0, &instance, NULL));
}

static bool stop_at_once(void *context)
{
  ++*(int *)context;
  return true;
}

/* An interruption leaves a valid bracket. */
TEST(interruption_keeps_the_bracket)
{
  int polls = 0;
  const warpbound_options options = {
      .method = WARPBOUND_METHOD_EXACT, .interrupted = stop_at_once, .context = &polls};
  warpbound_instance *instance = instance_of("5L9C2L9C", "L=1,C=4", 8);
  warpbound_result *result = result_of(instance, &options, WARPBOUND_LIMIT);
  assert_true(polls > 0);
  assert_in_range(86, warpbound_result_lower(result).cycles, warpbound_result_upper(result).cycles);
}

TEST(memory_limits_keep_the_bracket)
{
  const warpbound_options options = {.method = WARPBOUND_METHOD_EXACT, .memory_limit = 1000};
  warpbound_instance *instance = instance_of("5L9C2L9C", "L=1,C=4", 8);
  warpbound_result *result = result_of(instance, &options, WARPBOUND_LIMIT);
  assert_in_range(86, warpbound_result_lower(result).cycles, warpbound_result_upper(result).cycles);
}

/* CC, two units, four warps: 5 cycles, and the published horizon would say 4. */
TEST(the_integer_program_is_a_method)
{
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_options options = {.method = WARPBOUND_METHOD_ILP};
  assert_made(instance, warpbound_instance_create("CC", "C=2", 0, 1, 4, &instance, NULL));
  assert_made(result, warpbound_makespan(instance, &options, &result, NULL));
  assert_string_equal(warpbound_result_upper(result).name, "closed-form");
  assert_int_equal(warpbound_result_upper(result).cycles, 5);
  assert_string_equal(warpbound_result_lower(result).name, "integer-program");
  assert_int_equal(warpbound_result_lower(result).cycles, 5);
}

/* What a solver says from above is an estimate, and closes no bracket. */
TEST(a_solver_s_bound_is_an_estimate)
{
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_options options = {.method = WARPBOUND_METHOD_ILP};
  size_t estimates = 0;
  assert_made(instance, warpbound_instance_create("LCCC", "L=1,C=3", 3, 1, 4, &instance, NULL));
  assert_made(result, warpbound_makespan(instance, &options, &result, NULL));
  assert_int_equal(warpbound_result_lower(result).cycles, 8);
  assert_int_equal(warpbound_result_upper(result).cycles, 9);
  assert_int_equal(warpbound_result_upper(result).kind, WARPBOUND_UPPER);
  for (size_t i = 0; i < warpbound_result_bound_count(result); i++) {
    warpbound_bound bound = warpbound_result_bound(result, i);
    if (bound.kind != WARPBOUND_ESTIMATE)
      continue;
    estimates++;
    assert_string_equal(bound.name, "integer-program");
    assert_int_equal(bound.cycles, 8);
  }
  assert_int_equal(estimates, 1);
}

/* No end, no bound and no JSON of a string of PTX claims more than an estimate. */
TEST(an_estimate_stays_one)
{
  static const char ptx[] = ".version 6.0\n.target sm_50\n.entry k(.param .u64 p) {\n"
                            ".reg .b64 %d; .reg .f32 %f;\nld.param.u64 %d, [p];\n"
                            "ld.global.f32 %f, [%d];\nsin.approx.f32 %f, %f;\nret;\n}\n";
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_paths *paths;
  warpbound_sm *sm;
  warpbound_instance *instance;
  warpbound_result *result;
  assert_invalid(warpbound_module_parse("k.ptx", ptx, 60, NULL, &module, NULL));
  assert_made(module, warpbound_module_parse("k.ptx", ptx, sizeof ptx - 1, NULL, &module, NULL));
  assert_misuse(warpbound_kernel_choose(module, "other", &kernel, NULL));
  assert_made(kernel, warpbound_kernel_choose(module, NULL, &kernel, NULL));
  assert_made(paths, warpbound_paths_find(kernel, NULL, NULL, &paths, NULL));
  assert_string_equal(warpbound_paths_string(paths), "2LSC");
  assert_made(sm, warpbound_sm_create("L=1,C=4,S=1", 0, 1, &sm, NULL));
  assert_made(instance, warpbound_instance_of_paths(paths, sm, 4, 1, &instance, NULL));
  assert_made(result, warpbound_makespan(instance, NULL, &result, NULL));
  assert_int_equal(warpbound_result_upper(result).kind, WARPBOUND_ESTIMATE);
  assert_int_equal(warpbound_result_lower(result).kind, WARPBOUND_ESTIMATE);
  size_t estimates = 0;
  for (size_t i = 0; i < warpbound_result_bound_count(result); i++) {
    warpbound_kind kind = warpbound_result_bound(result, i).kind;
    assert_true(kind == WARPBOUND_ESTIMATE || kind == WARPBOUND_PUBLISHED);
    estimates += kind == WARPBOUND_ESTIMATE;
  }
  assert_true(estimates > 2);
  char *json;
  assert_made(json, warpbound_result_json(result, &json, NULL));
  expect_part(json, "\"exact\": false");
  assert_null(strstr(json, "\"kind\": \"upper\""));
  assert_null(strstr(json, "\"kind\": \"exact\""));
}

/* Units that all partitions share: schedules and searches are of the whole SM. */
TEST(shared_units_are_of_the_whole)
{
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_sm *sm;
  assert_made(sm, warpbound_sm_for_device("sm_75", &sm, NULL));
  assert_made(instance, warpbound_instance_on("3L2C", sm, 8, 1, &instance, NULL));
  assert_made(result, warpbound_makespan(instance, NULL, &result, NULL));
  assert_string_equal(warpbound_result_upper(result).name, "closed-form");
  assert_int_equal(warpbound_result_upper(result).kind, WARPBOUND_EXACT);
  assert_int_equal(warpbound_result_upper(result).cycles, 56);
  char *schedule;
  assert_ok(warpbound_result_schedule(result, &schedule, NULL));
  assert_int_equal(cycles_of_schedule(schedule), 56);
}

/* Blocks and their barriers. */
TEST(blocks_wait_at_barriers)
{
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_sm *sm;
  assert_made(sm, warpbound_sm_create("L=2,C=1", 0, 1, &sm, NULL));
  assert_misuse(warpbound_instance_on("2LB4CB", sm, 12, 5, &instance, NULL));
  static const uint32_t blocks[] = {1, 3};
  static const uint64_t cycles[] = {63, 61};
  for (size_t b = 0; b < 2; b++) {
    assert_made(instance, warpbound_instance_on("2LB4CB", sm, 12, blocks[b], &instance, NULL));
    assert_made(result, warpbound_makespan(instance, NULL, &result, NULL));
    assert_int_equal(warpbound_result_upper(result).kind, WARPBOUND_EXACT);
    assert_int_equal(warpbound_result_upper(result).cycles, cycles[b]);
  }
}
