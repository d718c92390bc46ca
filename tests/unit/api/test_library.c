/* The public interface: what the header promises, through the header alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warpbound.h>

static void the_version_is_three_numbers(void **state)
{
  (void)state;
  unsigned major, minor, patch;
  assert_int_equal(sscanf(warpbound_version(), "%u.%u.%u", &major, &minor, &patch), 3);
}

/* The cycles of a schedule's text that was handed out, which is checked and freed. */
static uint64_t cycles_of_schedule(char *schedule)
{
  warpbound_verdict *verdict;
  assert_int_equal(warpbound_verify("schedule", schedule, strlen(schedule), NULL, &verdict, NULL),
                   WARPBOUND_OK);
  const uint64_t cycles = warpbound_verdict_cycles(verdict);
  warpbound_verdict_free(verdict);
  warpbound_text_free(schedule);
  return cycles;
}

static void a_bracket_with_its_witness(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  assert_int_equal(warpbound_instance_create("5L9C2L9C", "L=1,C=4", 0, 1, 4, &instance, &error),
                   WARPBOUND_OK);
  assert_int_equal(warpbound_makespan(instance, NULL, &result, &error), WARPBOUND_OK);
  warpbound_bound upper = warpbound_result_upper(result);
  warpbound_bound lower = warpbound_result_lower(result);
  assert_int_equal(upper.cycles, 45);
  assert_int_equal(lower.cycles, 45);
  assert_int_equal(upper.kind, WARPBOUND_EXACT);
  char *schedule;
  assert_int_equal(warpbound_result_schedule(result, &schedule, &error), WARPBOUND_OK);
  assert_int_equal(cycles_of_schedule(schedule), 45);
  bool published = false;
  for (size_t i = 0; i < warpbound_result_bound_count(result); i++)
    published |= warpbound_result_bound(result, i).kind == WARPBOUND_PUBLISHED;
  assert_true(published);
  char *json;
  assert_int_equal(warpbound_result_json(result, &json, &error), WARPBOUND_OK);
  assert_non_null(strstr(json, "\"exact\": true"));
  warpbound_text_free(json);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

static void errors_say_what_was_expected(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  assert_int_equal(warpbound_instance_create("LXC", "L=1,C=1", 0, 1, 4, &instance, &error),
                   WARPBOUND_INVALID_INPUT);
  assert_null(instance);
  assert_int_equal(error.column, 2);
  assert_int_equal(warpbound_instance_create("LS", "L=1,C=1", 0, 1, 4, &instance, &error),
                   WARPBOUND_USAGE);
  assert_non_null(strstr(error.message, "special function"));
  assert_int_equal(warpbound_instance_create("L", "L=1", 0, 1, 0, &instance, &error),
                   WARPBOUND_USAGE);
  warpbound_sm *sm;
  assert_int_equal(warpbound_sm_for_device("sm_00", &sm, &error), WARPBOUND_USAGE);
  assert_int_equal(warpbound_instance_create("L", "L=1", 0, 1, 0, &instance, NULL),
                   WARPBOUND_USAGE);
}

static bool stop_at_once(void *context)
{
  ++*(int *)context;
  return true;
}

/* An interruption leaves a valid bracket. */
static void interruption_keeps_the_bracket(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  int polls = 0;
  warpbound_options options = {
      .method = WARPBOUND_METHOD_EXACT, .interrupted = stop_at_once, .context = &polls};
  assert_int_equal(warpbound_instance_create("5L9C2L9C", "L=1,C=4", 0, 1, 8, &instance, &error),
                   WARPBOUND_OK);
  assert_int_equal(warpbound_makespan(instance, &options, &result, &error), WARPBOUND_LIMIT);
  assert_true(polls > 0);
  assert_in_range(86, warpbound_result_lower(result).cycles, warpbound_result_upper(result).cycles);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

static void memory_limits_keep_the_bracket(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_options options = {.method = WARPBOUND_METHOD_EXACT, .memory_limit = 1000};
  assert_int_equal(warpbound_instance_create("5L9C2L9C", "L=1,C=4", 0, 1, 8, &instance, &error),
                   WARPBOUND_OK);
  assert_int_equal(warpbound_makespan(instance, &options, &result, &error), WARPBOUND_LIMIT);
  assert_in_range(86, warpbound_result_lower(result).cycles, warpbound_result_upper(result).cycles);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

/* CC, two units, four warps: 5 cycles, and the published horizon would say 4. */
static void the_integer_program_is_a_method(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_options options = {.method = WARPBOUND_METHOD_ILP};
  assert_int_equal(warpbound_instance_create("CC", "C=2", 0, 1, 4, &instance, &error),
                   WARPBOUND_OK);
  assert_int_equal(warpbound_makespan(instance, &options, &result, &error), WARPBOUND_OK);
  assert_string_equal(warpbound_result_upper(result).name, "closed-form");
  assert_int_equal(warpbound_result_upper(result).cycles, 5);
  assert_string_equal(warpbound_result_lower(result).name, "integer-program");
  assert_int_equal(warpbound_result_lower(result).cycles, 5);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

/* What a solver says from above is an estimate, and closes no bracket. */
static void a_solver_s_bound_is_an_estimate(void **state)
{
  (void)state;
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_options options = {.method = WARPBOUND_METHOD_ILP};
  size_t estimates = 0;
  assert_int_equal(warpbound_instance_create("LCCC", "L=1,C=3", 3, 1, 4, &instance, NULL),
                   WARPBOUND_OK);
  assert_int_equal(warpbound_makespan(instance, &options, &result, NULL), WARPBOUND_OK);
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
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

/* No end, no bound and no JSON of a string of PTX claims more than an estimate. */
static void an_estimate_stays_one(void **state)
{
  (void)state;
  static const char ptx[] = ".version 6.0\n.target sm_50\n.entry k(.param .u64 p) {\n"
                            ".reg .b64 %d; .reg .f32 %f;\nld.param.u64 %d, [p];\n"
                            "ld.global.f32 %f, [%d];\nsin.approx.f32 %f, %f;\nret;\n}\n";
  warpbound_error error;
  warpbound_module *module;
  warpbound_kernel *kernel;
  warpbound_paths *paths;
  warpbound_sm *sm;
  warpbound_instance *instance;
  warpbound_result *result;
  assert_int_equal(warpbound_module_parse("k.ptx", ptx, 60, NULL, &module, &error),
                   WARPBOUND_INVALID_INPUT);
  assert_int_equal(warpbound_module_parse("k.ptx", ptx, sizeof ptx - 1, NULL, &module, &error),
                   WARPBOUND_OK);
  assert_int_equal(warpbound_kernel_choose(module, "other", &kernel, &error), WARPBOUND_USAGE);
  assert_int_equal(warpbound_kernel_choose(module, NULL, &kernel, &error), WARPBOUND_OK);
  assert_int_equal(warpbound_paths_find(kernel, NULL, NULL, &paths, &error), WARPBOUND_OK);
  warpbound_kernel_free(kernel);
  assert_string_equal(warpbound_paths_string(paths), "2LSC");
  assert_int_equal(warpbound_sm_create("L=1,C=4,S=1", 0, 1, &sm, &error), WARPBOUND_OK);
  assert_int_equal(warpbound_instance_of_paths(paths, sm, 4, 1, &instance, &error), WARPBOUND_OK);
  warpbound_sm_free(sm);
  assert_int_equal(warpbound_makespan(instance, NULL, &result, &error), WARPBOUND_OK);
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
  assert_int_equal(warpbound_result_json(result, &json, &error), WARPBOUND_OK);
  assert_non_null(strstr(json, "\"exact\": false"));
  assert_null(strstr(json, "\"kind\": \"upper\""));
  assert_null(strstr(json, "\"kind\": \"exact\""));
  warpbound_text_free(json);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  warpbound_paths_free(paths);
  warpbound_module_free(module);
}

/* Units that all partitions share: schedules and searches are of the whole SM. */
static void shared_units_are_of_the_whole(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_sm *sm;
  assert_int_equal(warpbound_sm_for_device("sm_75", &sm, &error), WARPBOUND_OK);
  assert_int_equal(warpbound_instance_on("3L2C", sm, 8, 1, &instance, &error), WARPBOUND_OK);
  warpbound_sm_free(sm);
  assert_int_equal(warpbound_makespan(instance, NULL, &result, &error), WARPBOUND_OK);
  assert_string_equal(warpbound_result_upper(result).name, "closed-form");
  assert_int_equal(warpbound_result_upper(result).kind, WARPBOUND_EXACT);
  assert_int_equal(warpbound_result_upper(result).cycles, 56);
  char *schedule;
  assert_int_equal(warpbound_result_schedule(result, &schedule, &error), WARPBOUND_OK);
  assert_int_equal(cycles_of_schedule(schedule), 56);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
}

/* Blocks and their barriers. */
static void blocks_wait_at_barriers(void **state)
{
  (void)state;
  warpbound_error error;
  warpbound_instance *instance;
  warpbound_result *result;
  warpbound_sm *sm;
  assert_int_equal(warpbound_sm_create("L=2,C=1", 0, 1, &sm, &error), WARPBOUND_OK);
  assert_int_equal(warpbound_instance_on("2LB4CB", sm, 12, 5, &instance, &error), WARPBOUND_USAGE);
  static const uint32_t blocks[] = {1, 3};
  static const uint64_t cycles[] = {63, 61};
  for (size_t b = 0; b < 2; b++) {
    assert_int_equal(warpbound_instance_on("2LB4CB", sm, 12, blocks[b], &instance, &error),
                     WARPBOUND_OK);
    assert_int_equal(warpbound_makespan(instance, NULL, &result, &error), WARPBOUND_OK);
    assert_int_equal(warpbound_result_upper(result).kind, WARPBOUND_EXACT);
    assert_int_equal(warpbound_result_upper(result).cycles, cycles[b]);
    warpbound_result_free(result);
    warpbound_instance_free(instance);
  }
  warpbound_sm_free(sm);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_version_is_three_numbers),
      cmocka_unit_test(a_bracket_with_its_witness),
      cmocka_unit_test(errors_say_what_was_expected),
      cmocka_unit_test(interruption_keeps_the_bracket),
      cmocka_unit_test(memory_limits_keep_the_bracket),
      cmocka_unit_test(the_integer_program_is_a_method),
      cmocka_unit_test(a_solver_s_bound_is_an_estimate),
      cmocka_unit_test(an_estimate_stays_one),
      cmocka_unit_test(shared_units_are_of_the_whole),
      cmocka_unit_test(blocks_wait_at_barriers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
