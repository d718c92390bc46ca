/* Makespans through the public header alone: configurations, questions, options, results, series;
 * used well and misused. */
#include "failing_heap.h"
#include "handles.h"

#include <jansson.h>
#include <math.h>

/* The makespan of an instance that is gone before the result is read. */
static warpbound_result *makespan_of(const char *string, const char *units, uint32_t warps,
                                     const warpbound_options *options)
{
  warpbound_result *result;
  warpbound_instance *instance;
  assert_made(instance, warpbound_instance_create(string, units, 0, 1, warps, &instance, NULL));
  assert_made(result, warpbound_makespan(instance, options, &result, NULL));
  return result;
}

static void release_json(void *json)
{
  json_decref(json);
}

/* The result's JSON object. */
static json_t *json_of(const warpbound_result *result)
{
  char *text;
  assert_made(text, warpbound_result_json(result, &text, NULL));
  json_t *json = json_loads(text, 0, NULL);
  assert_non_null(json);
  unit_at_end(release_json, json);
  return json;
}

/* The whole number json[object][key]. */
static uint64_t number_at(const json_t *json, const char *object, const char *key)
{
  const json_t *number = json_object_get(json_object_get(json, object), key);
  assert_true(json_is_integer(number));
  return (uint64_t)json_integer_value(number);
}

/* ---- configurations ---- */

TEST(a_configuration_says_what_it_was_made_of)
{
  warpbound_sm *sm;
  assert_made(sm, warpbound_sm_create("L=1,C=4,S=1/8", 2, 3, &sm, NULL));
  assert_int_equal(warpbound_sm_issue_slots(sm), 2);
  assert_int_equal(warpbound_sm_partitions(sm), 3);
  assert_int_equal(warpbound_sm_max_warps(sm), 0);
  assert_string_equal(warpbound_sm_name(sm), "the units given");
  const warpbound_capacity special = warpbound_sm_units(sm, WARPBOUND_UNIT_SPECIAL);
  assert_int_equal(special.numerator, 1);
  assert_int_equal(special.denominator, 8);
  assert_int_equal(special.hold, 1);
  assert_false(special.shared);
  assert_int_equal(warpbound_sm_units(sm, WARPBOUND_UNIT_CORE).numerator, 4);
  assert_int_equal(warpbound_sm_units(sm, WARPBOUND_UNIT_DOUBLE).numerator, 0);
  assert_int_equal(warpbound_sm_units(sm, (warpbound_unit)5).denominator, 0);
  assert_ok(warpbound_sm_set_issue_slots(sm, 65536, NULL));
  assert_int_equal(warpbound_sm_issue_slots(sm), 65536);
  assert_ok(warpbound_sm_set_partitions(sm, 64, NULL));
  assert_int_equal(warpbound_sm_partitions(sm), 64);
}

TEST(wrong_configurations_are_refused)
{
  warpbound_error error;
  warpbound_sm *sm;
  assert_misuse(warpbound_sm_create(NULL, 0, 1, &sm, &error));
  assert_null(sm);
  assert_string_equal(error.message, "units: expected a text as \"L=1,C=4\", found NULL");
  assert_misuse(warpbound_sm_create("L=1", 65537, 1, &sm, &error));
  assert_string_equal(error.message, "issue slots: expected 0 to 65536, found 65537");
  assert_misuse(warpbound_sm_create("L=1", 0, 0, &sm, &error));
  assert_string_equal(error.message, "partitions: expected 1 to 64, found 0");
  assert_misuse(warpbound_sm_create("L=1,Q=2", 0, 1, &sm, &error));
  expect_part(error.message, "units, column 5");
  assert_null(sm);
  assert_misuse(warpbound_sm_create("L=1", 0, 1, NULL, NULL));
  assert_made(sm, warpbound_sm_create("L=1", 0, 1, &sm, NULL));
  assert_misuse(warpbound_sm_set_issue_slots(sm, 65537, NULL));
  assert_misuse(warpbound_sm_set_partitions(sm, 65, NULL));
  assert_misuse(warpbound_sm_set_origin(sm, NULL, NULL));
  assert_int_equal(warpbound_sm_issue_slots(sm), 0);
  assert_int_equal(warpbound_sm_partitions(sm), 1);
  assert_misuse(warpbound_sm_set_issue_slots(NULL, 1, NULL));
  assert_misuse(warpbound_sm_set_partitions(NULL, 1, NULL));
  assert_misuse(warpbound_sm_set_origin(NULL, "x", NULL));
  assert_string_equal(warpbound_sm_name(NULL), "");
  assert_int_equal(warpbound_sm_issue_slots(NULL), 0);
  assert_int_equal(warpbound_sm_units(NULL, WARPBOUND_UNIT_CORE).numerator, 0);
  warpbound_sm_free(NULL);
}

TEST(messages_name_the_origin)
{
  warpbound_error error;
  warpbound_sm *sm;
  warpbound_instance *instance;
  assert_made(sm, warpbound_sm_create("L=1", 0, 1, &sm, NULL));
  assert_misuse(warpbound_instance_on("LC", sm, 2, 1, &instance, &error));
  assert_memory_equal(error.message, "units: expected C", 17);
  assert_ok(warpbound_sm_set_origin(sm, "--machine", NULL));
  assert_misuse(warpbound_instance_on("LC", sm, 2, 1, &instance, &error));
  assert_memory_equal(error.message, "--machine: expected C", 21);
  assert_null(instance);
}

TEST(an_sm_file_is_a_configuration)
{
  static const char file[] = "{\"name\": \"small\", \"warp_size\": 32, \"partitions\": 2,"
                             " \"issue_slots\": 1, \"max_warps\": 16,"
                             " \"units\": {\"L\": {\"lanes\": 16}, \"C\": {\"lanes\": 32}}}";
  warpbound_error error;
  warpbound_sm *sm;
  assert_made(sm, warpbound_sm_from_json("small.json", file, sizeof file - 1, &sm, NULL));
  assert_string_equal(warpbound_sm_name(sm), "small");
  assert_int_equal(warpbound_sm_max_warps(sm), 16);
  assert_int_equal(warpbound_sm_units(sm, WARPBOUND_UNIT_LOAD_STORE).denominator, 2);
  assert_invalid(warpbound_sm_from_json("small.json", file, 40, &sm, &error));
  assert_null(sm);
  assert_string_equal(error.file, "small.json");
  assert_misuse(warpbound_sm_from_json(NULL, file, 40, &sm, NULL));
  assert_misuse(warpbound_sm_from_json("x", NULL, 40, &sm, NULL));
  assert_misuse(warpbound_sm_from_json("x", file, 40, NULL, NULL));
}

TEST(devices_are_found_by_name)
{
  warpbound_error error;
  warpbound_sm *sm;
  size_t row = 99;
  assert_true(warpbound_device_count() > 10);
  assert_ok(warpbound_device_find("sm_75", &row, NULL));
  const warpbound_device device = warpbound_device_row(row);
  assert_string_equal(device.name, "sm_75");
  assert_string_equal(device.architecture, "Turing");
  assert_int_equal(device.major * 10 + device.minor, 75);
  assert_true(device.partitions > 0 && device.lanes[WARPBOUND_UNIT_CORE] > 0);
  assert_int_equal(device.tensor_cores, 8);
  assert_true(strlen(device.source) > 0);
  assert_made(sm, warpbound_sm_for_device("sm_75", &sm, NULL));
  assert_int_equal(warpbound_sm_partitions(sm), device.partitions);
  assert_int_equal(warpbound_sm_issue_slots(sm), device.issue_slots);
  assert_int_equal(warpbound_sm_max_warps(sm), device.max_warps);
  for (unsigned u = 0; u < WARPBOUND_UNIT_COUNT; u++) {
    const warpbound_capacity capacity = warpbound_sm_units(sm, (warpbound_unit)u);
    assert_int_equal(capacity.numerator * 32, device.lanes[u] * capacity.denominator);
    assert_int_equal(capacity.shared, device.shared[u]);
  }
  row = 99;
  assert_misuse(warpbound_device_find("sm_76", &row, &error));
  expect_part(error.message, "did you mean");
  assert_int_equal(row, 99);
  assert_misuse(warpbound_sm_for_device("sm_76", &sm, NULL));
  assert_null(sm);
  assert_misuse(warpbound_sm_for_device(NULL, &sm, NULL));
  assert_misuse(warpbound_device_find(NULL, &row, NULL));
  assert_misuse(warpbound_device_find("sm_75", NULL, NULL));
  assert_null(warpbound_device_row(warpbound_device_count()).name);
}

/* A device for launches: partitions and warps are its own, units those of its architecture. */
TEST(devices_of_launches_are_configurations)
{
  warpbound_gpu *gpu;
  warpbound_sm *sm;
  warpbound_sm *row;
  assert_made(gpu, warpbound_gpu_bundled("t4", &gpu, NULL));
  assert_ok(warpbound_gpu_set(gpu, "partitions=2", NULL));
  assert_made(sm, warpbound_sm_for_gpu(gpu, &sm, NULL));
  assert_made(row, warpbound_sm_for_device("sm_75", &row, NULL));
  assert_string_equal(warpbound_sm_name(sm), "t4 (units of sm_75)");
  assert_int_equal(warpbound_sm_partitions(sm), 2);
  assert_int_equal(warpbound_sm_max_warps(sm), 32);
  assert_int_equal(warpbound_sm_issue_slots(sm), warpbound_sm_issue_slots(row));
  for (unsigned u = 0; u < WARPBOUND_UNIT_COUNT; u++) {
    const warpbound_capacity capacity = warpbound_sm_units(sm, (warpbound_unit)u);
    const warpbound_capacity expected = warpbound_sm_units(row, (warpbound_unit)u);
    assert_memory_equal(&capacity, &expected, sizeof capacity);
  }
  assert_misuse(warpbound_sm_for_gpu(NULL, &sm, NULL));
  assert_null(sm);
  assert_misuse(warpbound_sm_for_gpu(gpu, NULL, NULL));
}

/* ---- questions ---- */

TEST(wrong_questions_are_refused)
{
  warpbound_error error;
  warpbound_sm *sm;
  warpbound_instance *instance;
  assert_made(sm, warpbound_sm_create("L=1,C=1", 0, 1, &sm, NULL));
  assert_misuse(warpbound_instance_on("LC", sm, 6, 4, &instance, &error));
  expect_part(error.message, "blocks");
  assert_null(instance);
  assert_misuse(warpbound_instance_on("LC", sm, 65537, 1, &instance, NULL));
  assert_misuse(warpbound_instance_on(NULL, sm, 6, 1, &instance, NULL));
  assert_misuse(warpbound_instance_on("LC", NULL, 6, 1, &instance, NULL));
  assert_misuse(warpbound_instance_on("LC", sm, 6, 1, NULL, NULL));
  assert_misuse(warpbound_instance_create("LC", NULL, 0, 1, 1, &instance, NULL));
  assert_misuse(warpbound_instance_create("LC", "L=1,C=1", 0, 1, 1, NULL, NULL));
  assert_misuse(warpbound_instance_make_fair(NULL, 1, 1, 1, NULL));
  warpbound_instance_free(NULL);
}

/* A fairness that does not fit leaves the instance as it was. */
TEST(a_refused_fairness_changes_nothing)
{
  warpbound_result *result;
  warpbound_instance *instance = instance_of("LCLC", "L=1,C=1", 3);
  assert_misuse(warpbound_instance_make_fair(instance, 1, 3, 2, NULL));
  assert_ok(warpbound_instance_make_fair(instance, 1, 2, 2, NULL));
  assert_made(result, warpbound_makespan(instance, NULL, &result, NULL));
  size_t about_fairness = 0;
  for (size_t i = 0; i < warpbound_result_assumption_count(result); i++)
    about_fairness += strstr(warpbound_result_assumption(result, i), "it is fair") != NULL;
  assert_int_equal(about_fairness, 1);
}

/* ---- options ---- */

static void refuses(const warpbound_options *options, const char *message)
{
  warpbound_error error;
  warpbound_result *result;
  warpbound_series *series;
  warpbound_instance *instance = instance_of("LC", "L=1,C=1", 2);
  assert_misuse(warpbound_makespan(instance, options, &result, &error));
  assert_null(result);
  assert_non_null(strstr(error.message, message));
  assert_misuse(warpbound_makespan(instance, options, &result, NULL));
  assert_misuse(warpbound_makespan_series(instance, 1, 2, options, NULL, NULL, &series, NULL));
  assert_null(series);
}

TEST(options_beyond_their_ranges_are_refused)
{
  refuses(&(warpbound_options){.method = (warpbound_method)42}, "method: expected one of 0 to 4");
  refuses(&(warpbound_options){.method = (warpbound_method)-1}, "method");
  refuses(&(warpbound_options){.time_limit = -1}, "time limit");
  refuses(&(warpbound_options){.time_limit = NAN}, "time limit");
  refuses(&(warpbound_options){.time_limit = INFINITY}, "time limit");
  refuses(&(warpbound_options){.memory_limit = UINT64_MAX}, "memory limit");
  refuses(&(warpbound_options){.threads = 65}, "threads: expected at most 64, found 65");
  refuses(&(warpbound_options){.policy = "loose-round-robin"}, "policies_only");
  refuses(&(warpbound_options){.policies_only = true, .policy = "none"}, "there is no 'none'");
  refuses(&(warpbound_options){.annealing = {.temperature = -0.5}}, "annealing");
  refuses(&(warpbound_options){.annealing = {.temperature = NAN}}, "annealing");
  refuses(&(warpbound_options){.annealing = {.runs = 4097}}, "annealing");
  refuses(&(warpbound_options){.annealing = {.initial = (warpbound_initial)5}}, "initial");
  refuses(&(warpbound_options){.integer_program = {.form = (warpbound_integer_form)3}}, "form");
  refuses(&(warpbound_options){.integer_program = {.horizon = UINT64_C(1) << 31}}, "horizon");
  refuses(&(warpbound_options){.integer_program = {.program_file = "x.txt"}}, ".lp or .mps");
  refuses(&(warpbound_options){.integer_program = {.solver_command = "highs"}}, "{model}");
}

TEST(missing_arguments_are_refused)
{
  warpbound_error error;
  warpbound_result *result;
  warpbound_instance *instance = instance_of("LC", "L=1,C=1", 2);
  assert_misuse(warpbound_makespan(NULL, NULL, &result, &error));
  assert_string_equal(error.message, "instance: expected an instance, found NULL");
  assert_null(result);
  assert_misuse(warpbound_makespan(instance, NULL, NULL, NULL));
}

TEST(choices_have_names)
{
  bool found = false;
  for (size_t i = 0; i < warpbound_policy_count(); i++) {
    found |= strcmp(warpbound_policy_name(i), "greedy-then-oldest") == 0;
    assert_true(strlen(warpbound_policy_description(i)) > 0);
  }
  assert_true(found);
  assert_string_equal(warpbound_policy_name(warpbound_policy_count()), "");
  assert_string_equal(warpbound_policy_description(SIZE_MAX), "");
  assert_string_equal(warpbound_kind_name(WARPBOUND_PUBLISHED), "published");
  assert_string_equal(warpbound_kind_name((warpbound_kind)5), "unknown");
  assert_string_equal(warpbound_kind_name((warpbound_kind)-1), "unknown");
}

/* One policy's schedule is the lower end, and no search is made. */
TEST(a_policy_alone_is_simulated)
{
  const warpbound_options options = {.policies_only = true, .policy = "greedy-then-oldest"};
  warpbound_result *result = makespan_of("5L9C2L9C", "L=1,C=4", 4, &options);
  assert_string_equal(warpbound_result_witness_method(result), "greedy-then-oldest");
  assert_int_equal(warpbound_result_witness(result), warpbound_result_lower(result).cycles);
  assert_true(warpbound_result_lower(result).cycles < 45);
  json_t *json = json_of(result);
  assert_int_equal(number_at(json, "search", "states"), 0);
}

/* ---- results ---- */

/* The instance is gone before the result is read. */
TEST(a_result_says_what_it_knows)
{
  char *text;
  warpbound_result *result = makespan_of("5L9C2L9C", "L=1,C=4", 4, NULL);
  assert_int_equal(warpbound_result_warps(result), 4);
  assert_int_equal(warpbound_result_witness(result), 45);
  assert_true(strlen(warpbound_result_witness_method(result)) > 0);
  json_t *json = json_of(result);
  assert_true(number_at(json, "search", "states") > 0);
  assert_true(number_at(json, "search", "peak_states") > 0);
  assert_true(number_at(json, "search", "memory_bytes") > 0);
  assert_true(json_real_value(json_object_get(json_object_get(json, "search"), "seconds")) > 0);
  assert_null(json_object_get(json, "phases"));
  assert_null(json_object_get(json, "annealing"));
  assert_null(json_object_get(json, "integer_program"));
  assert_true(warpbound_result_assumption_count(result) > 1);
  for (size_t i = 0; i < warpbound_result_assumption_count(result); i++)
    assert_true(strlen(warpbound_result_assumption(result, i)) > 0);
  assert_string_equal(
      warpbound_result_assumption(result, warpbound_result_assumption_count(result)), "");
  assert_string_equal(warpbound_result_note(result, warpbound_result_note_count(result)), "");
  assert_int_equal(warpbound_result_paths(result).strings, 0);
  const warpbound_bound none = warpbound_result_bound(result, warpbound_result_bound_count(result));
  assert_string_equal(none.name, "");
  assert_int_equal(none.cycles, 0);
  assert_int_equal(none.kind, WARPBOUND_ESTIMATE);
  assert_made(text, warpbound_result_gantt(result, &text, NULL));
  expect_part(text, "<svg");
  expect_part(text, "Schedule of 45 cycles");
}

TEST(no_result_says_nothing)
{
  char *text = "untouched";
  uint64_t cycles = 7;
  assert_int_equal(warpbound_result_warps(NULL), 0);
  assert_int_equal(warpbound_result_lower(NULL).kind, WARPBOUND_ESTIMATE);
  assert_string_equal(warpbound_result_upper(NULL).name, "");
  assert_int_equal(warpbound_result_bound_count(NULL), 0);
  assert_int_equal(warpbound_result_witness(NULL), 0);
  assert_string_equal(warpbound_result_witness_method(NULL), "");
  assert_int_equal(warpbound_result_assumption_count(NULL), 0);
  assert_int_equal(warpbound_result_note_count(NULL), 0);
  assert_string_equal(warpbound_result_paths(NULL).shown, "");
  assert_misuse(warpbound_result_json(NULL, &text, NULL));
  assert_null(text);
  assert_misuse(warpbound_result_schedule(NULL, &text, NULL));
  assert_misuse(warpbound_result_gantt(NULL, &text, NULL));
  assert_misuse(warpbound_result_certificate(NULL, &text, &cycles, NULL));
  assert_int_equal(cycles, 7);
  warpbound_result *result = makespan_of("LC", "L=1,C=1", 2, NULL);
  assert_misuse(warpbound_result_json(result, NULL, NULL));
  assert_misuse(warpbound_result_schedule(result, NULL, NULL));
  assert_misuse(warpbound_result_gantt(result, NULL, NULL));
  assert_misuse(warpbound_result_certificate(result, NULL, NULL, NULL));
  warpbound_result_free(NULL);
  warpbound_text_free(NULL);
}

/* Two different phases, whose brackets add up. */
TEST(phases_add_up)
{
  warpbound_result *result = makespan_of("2LB4CB2LB", "L=2,C=1", 12, NULL);
  uint64_t lower = 0;
  uint64_t upper = 0;
  json_t *json = json_of(result);
  const json_t *phases = json_object_get(json, "phases");
  assert_int_equal(json_array_size(phases), 2);
  for (size_t p = 0; p < 2; p++) {
    const json_t *phase = json_array_get(phases, p);
    const uint64_t times = (uint64_t)json_integer_value(json_object_get(phase, "times"));
    assert_int_equal(times, p == 0 ? 2 : 1);
    assert_string_equal(json_string_value(json_object_get(phase, "string")),
                        p == 0 ? "2LN" : "4CN");
    lower += times * number_at(phase, "lower", "cycles");
    upper += times * number_at(phase, "upper", "cycles");
  }
  assert_int_equal(lower, warpbound_result_lower(result).cycles);
  assert_int_equal(upper, warpbound_result_upper(result).cycles);
}

TEST(annealing_improves)
{
  const warpbound_options options = {
      .method = WARPBOUND_METHOD_ANNEAL,
      .annealing = {
          .iterations = 2000, .runs = 3, .initial = WARPBOUND_INITIAL_RANDOM, .closed_too = true}};
  warpbound_result *result = makespan_of("5L9C2L9C", "L=1,C=4", 6, &options);
  json_t *json = json_of(result);
  const json_t *runs = json_object_get(json_object_get(json, "annealing"), "runs");
  assert_int_equal(json_array_size(runs), 3);
  for (size_t r = 0; r < 3; r++) {
    const json_t *run = json_array_get(runs, r);
    assert_string_equal(json_string_value(json_object_get(run, "initial")), "random");
    const uint64_t cycles = (uint64_t)json_integer_value(json_object_get(run, "cycles"));
    assert_in_range(cycles, 1, warpbound_result_lower(result).cycles);
  }
}

/* CC, two units, four warps: 5 cycles. */
TEST(an_integer_program_is_summed_up)
{
  warpbound_options options = {.method = WARPBOUND_METHOD_ILP};
  warpbound_result *result = makespan_of("CC", "C=2", 4, &options);
  json_t *json = json_of(result);
  const json_t *program = json_object_get(json, "integer_program");
  const json_t *solver = json_object_get(program, "solver");
  assert_string_equal(json_string_value(json_object_get(program, "form")), "short");
  assert_int_equal(number_at(program, "horizon", "cycles"), 5);
  assert_true(json_is_true(json_object_get(json_object_get(program, "horizon"), "proven")));
  assert_true(number_at(json, "integer_program", "columns") >=
              number_at(json, "integer_program", "integers"));
  assert_true(number_at(json, "integer_program", "entries") >
              number_at(json, "integer_program", "rows"));
  assert_string_equal(json_string_value(json_object_get(solver, "name")), "CBC");
  assert_string_equal(json_string_value(json_object_get(solver, "status")), "optimal");
  assert_true(fabs(json_real_value(json_object_get(solver, "objective")) - 5) < 1e-6);
  assert_true(fabs(json_real_value(json_object_get(solver, "bound")) - 5) < 1e-6);
  options.integer_program = (warpbound_integer_program){
      .build_only = true, .form = WARPBOUND_INTEGER_LONG, .horizon = 4, .allow_short = true};
  result = makespan_of("CC", "C=2", 4, &options);
  json = json_of(result);
  program = json_object_get(json, "integer_program");
  assert_string_equal(json_string_value(json_object_get(program, "form")), "long");
  assert_int_equal(number_at(program, "horizon", "cycles"), 4);
  assert_false(json_is_true(json_object_get(json_object_get(program, "horizon"), "proven")));
  assert_true(json_is_null(json_object_get(program, "solver")));
}

/* ---- series ---- */

/* The numbers of warps of the results that a series has told of. */
struct told {
  size_t count;
  uint32_t warps[16];
  size_t most; /* the visitor ends the series after so many; 0: never */
};

static warpbound_status listen(void *context, const warpbound_result *result,
                               warpbound_status status, warpbound_error *error)
{
  struct told *told = context;
  (void)error;
  assert_ok(status);
  told->warps[told->count++] = warpbound_result_warps(result);
  return told->count == told->most ? WARPBOUND_CHECK_FAILED : WARPBOUND_OK;
}

/* The rows are those of the questions by themselves, largest first, and lie on a line. */
TEST(a_series_answers_each_question)
{
  static const uint64_t exact[] = {0, 25, 31, 37, 45, 57, 67, 77, 86};
  struct told told = {0};
  warpbound_series *series;
  warpbound_instance *instance = instance_of("5L9C2L9C", "L=1,C=4", 1);
  assert_made(series,
              warpbound_makespan_series(instance, 2, 8, NULL, listen, &told, &series, NULL));
  assert_int_equal(warpbound_series_count(series), 7);
  assert_int_equal(told.count, 7);
  for (uint32_t i = 0; i < 7; i++) {
    const warpbound_series_row row = warpbound_series_at(series, i);
    assert_int_equal(told.warps[i], 8 - i);
    assert_int_equal(row.warps, i + 2);
    assert_int_equal(row.lower.cycles, exact[i + 2]);
    assert_int_equal(row.upper.cycles, exact[i + 2]);
    assert_int_equal(row.upper.kind, WARPBOUND_EXACT);
  }
  assert_int_equal(warpbound_series_at(series, 7).warps, 0);
  assert_string_equal(warpbound_series_at(series, 7).lower.name, "");
  const warpbound_line line = warpbound_series_upper_line(series);
  assert_true(line.divisor >= 1);
  assert_true(line.to_warps == UINT64_MAX);
  for (uint64_t w = line.from_warps; w <= 8; w++)
    assert_true((line.slope * (int64_t)w + line.offset) / line.divisor >= (int64_t)exact[w]);
}

/* W warps of one instruction on one unit take W cycles: an exact line. */
TEST(exact_rows_lie_on_a_line)
{
  warpbound_series *series;
  warpbound_instance *instance = instance_of("L", "L=1", 1);
  assert_made(series, warpbound_makespan_series(instance, 3, 9, NULL, NULL, NULL, &series, NULL));
  const warpbound_line line = warpbound_series_exact_line(series);
  assert_int_equal(line.slope, 1);
  assert_int_equal(line.offset, 0);
  assert_int_equal(line.divisor, 1);
  assert_int_equal(line.from_warps, 3);
  assert_int_equal(line.to_warps, 9);
}

/* A series has the numbers of warps that its blocks divide. */
TEST(a_series_has_multiples_of_its_blocks)
{
  warpbound_series *series;
  warpbound_instance *instance;
  warpbound_sm *sm;
  assert_made(sm, warpbound_sm_create("L=1,C=1", 0, 1, &sm, NULL));
  assert_made(instance, warpbound_instance_on("LBC", sm, 6, 3, &instance, NULL));
  assert_made(series, warpbound_makespan_series(instance, 2, 8, NULL, NULL, NULL, &series, NULL));
  assert_int_equal(warpbound_series_count(series), 2);
  assert_int_equal(warpbound_series_at(series, 0).warps, 3);
  assert_int_equal(warpbound_series_at(series, 1).warps, 6);
  assert_misuse(warpbound_makespan_series(instance, 4, 5, NULL, NULL, NULL, &series, NULL));
  assert_null(series);
}

static bool stop_after(void *context)
{
  size_t *polls = context;
  return ++*polls > 3;
}

/* An error of a visitor ends the series; the rows before it stay. */
TEST(a_series_can_be_ended)
{
  struct told told = {.most = 2};
  warpbound_series *series;
  warpbound_instance *instance = instance_of("LC", "L=1,C=1", 1);
  assert_int_equal(warpbound_makespan_series(instance, 1, 8, NULL, listen, &told, &series, NULL),
                   WARPBOUND_CHECK_FAILED);
  own(series);
  assert_int_equal(told.count, 2);
  assert_int_equal(warpbound_series_count(series), 2);
  assert_int_equal(warpbound_series_at(series, 0).warps, 7);
}

TEST(an_interrupted_series_has_brackets)
{
  size_t polls = 0;
  const warpbound_options options = {
      .method = WARPBOUND_METHOD_EXACT, .interrupted = stop_after, .context = &polls};
  warpbound_series *series;
  warpbound_instance *instance = instance_of("5L9C2L9C", "L=1,C=4", 1);
  assert_limit(warpbound_makespan_series(instance, 7, 8, &options, NULL, NULL, &series, NULL));
  own(series);
  assert_int_equal(warpbound_series_count(series), 2);
  assert_in_range(86, warpbound_series_at(series, 1).lower.cycles,
                  warpbound_series_at(series, 1).upper.cycles);
}

TEST(wrong_series_are_refused)
{
  warpbound_error error;
  warpbound_series *series;
  warpbound_instance *instance = instance_of("LC", "L=1,C=1", 1);
  const warpbound_options with_file = {.method = WARPBOUND_METHOD_ILP,
                                       .integer_program = {.program_file = "x.lp"}};
  assert_misuse(warpbound_makespan_series(instance, 0, 2, NULL, NULL, NULL, &series, &error));
  assert_string_equal(error.message, "warps: expected a range within 1 to 65536, found 0 to 2");
  assert_null(series);
  assert_misuse(warpbound_makespan_series(instance, 3, 2, NULL, NULL, NULL, &series, NULL));
  assert_misuse(warpbound_makespan_series(instance, 3, 65537, NULL, NULL, NULL, &series, NULL));
  assert_misuse(warpbound_makespan_series(instance, 1, 2, &with_file, NULL, NULL, &series, NULL));
  assert_misuse(warpbound_makespan_series(NULL, 1, 2, NULL, NULL, NULL, &series, NULL));
  assert_misuse(warpbound_makespan_series(instance, 1, 2, NULL, NULL, NULL, NULL, NULL));
  assert_int_equal(warpbound_series_count(NULL), 0);
  assert_int_equal(warpbound_series_at(NULL, 0).warps, 0);
  assert_int_equal(warpbound_series_upper_line(NULL).divisor, 0);
  assert_int_equal(warpbound_series_exact_line(NULL).divisor, 0);
  warpbound_series_free(NULL);
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn. Not those of JSON, which another library makes. */

static const warpbound_options quick = {
    .method = WARPBOUND_METHOD_BOUNDS, .threads = 1, .certify = true};

static warpbound_status ask(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_sm *sm = NULL;
  warpbound_instance *instance = NULL;
  warpbound_status status = warpbound_sm_create("L=1,C=1", 0, 1, &sm, error);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_on("LCLCB", sm, 4, 2, &instance, error);
  warpbound_instance_free(instance);
  if (status == WARPBOUND_OK)
    status = warpbound_instance_on("LCLC", sm, 4, 1, &instance, error);
  if (status == WARPBOUND_OK) {
    status = warpbound_instance_make_fair(instance, 1, 2, 2, error);
    warpbound_instance_free(instance);
  }
  warpbound_sm_free(sm);
  return status;
}

/* A result with its texts, both of which are checked. */
static warpbound_status answer(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_instance *instance;
  warpbound_result *result = NULL;
  warpbound_verdict *verdict = NULL;
  char *text = NULL;
  uint64_t cycles;
  warpbound_status status = warpbound_instance_create("2LC", "L=1,C=1", 0, 1, 3, &instance, error);
  if (status == WARPBOUND_OK)
    status = warpbound_makespan(instance, &quick, &result, error);
  if (status == WARPBOUND_OK)
    status = warpbound_result_gantt(result, &text, error);
  warpbound_text_free(text);
  text = NULL;
  if (status == WARPBOUND_OK)
    status = warpbound_result_certificate(result, &text, &cycles, error);
  if (status == WARPBOUND_OK)
    status = warpbound_verify("certificate", text, strlen(text), &quick, &verdict, error);
  warpbound_verdict_free(verdict);
  verdict = NULL;
  warpbound_text_free(text);
  text = NULL;
  if (status == WARPBOUND_OK)
    status = warpbound_result_schedule(result, &text, error);
  if (status == WARPBOUND_OK)
    status = warpbound_verify("schedule", text, strlen(text), &quick, &verdict, error);
  warpbound_verdict_free(verdict);
  warpbound_text_free(text);
  warpbound_result_free(result);
  warpbound_instance_free(instance);
  return status;
}

static warpbound_status answer_range(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_instance *instance;
  warpbound_series *series = NULL;
  warpbound_status status = warpbound_instance_create("LC", "L=1,C=1", 0, 1, 1, &instance, error);
  if (status == WARPBOUND_OK)
    status = warpbound_makespan_series(instance, 1, 3, &quick, NULL, NULL, &series, error);
  if (status == WARPBOUND_OK)
    assert_int_equal(warpbound_series_count(series), 3);
  warpbound_series_free(series);
  warpbound_instance_free(instance);
  return status;
}

TEST(every_failure_is_reported)
{
  static const struct {
    memory_work *work;
    size_t least; /* allocations that it makes at least */
  } pieces[] = {{ask, 30}, {answer, 100}, {answer_range, 100}};
  for (size_t p = 0; p < COUNT_OF(pieces); p++) {
    print_message("# piece %zu\n", p);
    const struct heap_trial trial = try_each(pieces[p].work, NULL, WARPBOUND_OK);
    assert_true(trial.total > pieces[p].least);
    assert_true(2 * trial.survived < trial.total);
  }
}
