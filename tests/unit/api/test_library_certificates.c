/* Schedules and certificates through the public header alone: each kind is written, checked, and
 * refused where it is changed. */
#include "handles.h"

#include <inttypes.h>

/* A copy of a text in which the first `from` is `to`; fails the test where there is none. */
static char *change(const char *text, const char *from, const char *to)
{
  const char *at = strstr(text, from);
  assert_non_null(at);
  const size_t size = strlen(text) + strlen(to) + 1;
  char *changed = malloc(size);
  assert_non_null(changed);
  unit_at_end(free, changed);
  snprintf(changed, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return changed;
}

/* The certificate of a result's upper end. */
static char *certificate_of(const char *string, const char *units, uint32_t warps,
                            const warpbound_options *options, uint64_t *cycles)
{
  char *certificate;
  warpbound_result *result = result_of(instance_of(string, units, warps), options, WARPBOUND_OK);
  assert_made(certificate, warpbound_result_certificate(result, &certificate, cycles, NULL));
  assert_true(*cycles >= warpbound_result_upper(result).cycles);
  return certificate;
}

/* A certificate of many warps, which takes long to find: made once for all tests, which only read
 * it. */
static const char *long_potential(uint64_t *cycles)
{
  static char *kept; /* to the end of the program */
  static uint64_t kept_cycles;
  const warpbound_options options = {.method = WARPBOUND_METHOD_BOUNDS, .certify = true};
  if (kept == NULL)
    kept = strdup(certificate_of("5L9C2L9C", "L=1,C=4", 200, &options, &kept_cycles));
  assert_non_null(kept);
  *cycles = kept_cycles;
  return kept;
}

static void contains(const warpbound_verdict *verdict, const char *in_text, const char *in_json)
{
  char *text;
  char *json;
  assert_made(text, warpbound_verdict_text(verdict, &text, NULL));
  assert_made(json, warpbound_verdict_json(verdict, &json, NULL));
  expect_part(text, in_text);
  expect_part(json, in_json);
}

/* Checks a certificate, and the same that claims a cycle fewer. */
static void check_certificate(const char *certificate, warpbound_claim claim, uint64_t warps,
                              uint64_t cycles)
{
  char from[40];
  char to[40];
  warpbound_error error;
  warpbound_verdict *verdict;
  assert_made(verdict,
              warpbound_verify("proof", certificate, strlen(certificate), NULL, &verdict, NULL));
  assert_true(warpbound_verdict_valid(verdict));
  assert_string_equal(warpbound_verdict_violation(verdict), "");
  assert_int_equal(warpbound_verdict_claim(verdict), claim);
  assert_int_equal(warpbound_verdict_warps(verdict), warps);
  assert_int_equal(warpbound_verdict_claimed(verdict), cycles);
  assert_true(warpbound_verdict_cycles(verdict) <= cycles);
  assert_false(warpbound_verdict_assumes_same_barriers(verdict));
  contains(verdict, "valid: T(", "\"valid\": true");
  const uint64_t proven = warpbound_verdict_cycles(verdict);
  snprintf(from, sizeof from, "\"cycles\": %" PRIu64, cycles);
  snprintf(to, sizeof to, "\"cycles\": %" PRIu64, proven - 1);
  char *wrong = change(certificate, from, to);
  assert_int_equal(warpbound_verify("proof", wrong, strlen(wrong), NULL, &verdict, &error),
                   WARPBOUND_CHECK_FAILED);
  own(verdict);
  assert_false(warpbound_verdict_valid(verdict));
  assert_int_equal(warpbound_verdict_cycles(verdict), 0);
  assert_int_equal(warpbound_verdict_claimed(verdict), proven - 1);
  assert_string_equal(warpbound_verdict_violation(verdict), error.message);
  assert_string_equal(error.file, "proof");
  contains(verdict, "not valid: ", "\"valid\": false");
}

TEST(a_schedule_is_checked)
{
  char *schedule;
  warpbound_error error;
  warpbound_verdict *verdict;
  warpbound_result *result = result_of(instance_of("LC", "L=1,C=1", 2), NULL, WARPBOUND_OK);
  assert_made(schedule, warpbound_result_schedule(result, &schedule, NULL));
  assert_made(verdict, warpbound_verify("s", schedule, strlen(schedule), NULL, &verdict, NULL));
  assert_int_equal(warpbound_verdict_claim(verdict), WARPBOUND_CLAIM_SCHEDULE);
  assert_int_equal(warpbound_verdict_cycles(verdict), warpbound_result_witness(result));
  assert_int_equal(warpbound_verdict_claimed(verdict), 0);
  assert_int_equal(warpbound_verdict_warps(verdict), 2);
  assert_int_equal(warpbound_verdict_line(verdict).divisor, 0);
  contains(verdict, "valid: makespan 3", "\"makespan\": 3");
  char *wrong = change(schedule, "[1, ", "[2, ");
  assert_int_equal(warpbound_verify("s", wrong, strlen(wrong), NULL, &verdict, &error),
                   WARPBOUND_CHECK_FAILED);
  own(verdict);
  assert_string_equal(warpbound_verdict_violation(verdict), error.message);
}

TEST(a_potential_is_checked)
{
  uint64_t cycles;
  warpbound_verdict *verdict;
  const char *certificate = long_potential(&cycles);
  expect_part(certificate, "warpbound-potential-1");
  check_certificate(certificate, WARPBOUND_CLAIM_POTENTIAL, 200, cycles);
  assert_made(verdict,
              warpbound_verify("p", certificate, strlen(certificate), NULL, &verdict, NULL));
  const warpbound_line line = warpbound_verdict_line(verdict);
  if (line.divisor > 0)
    assert_true((line.slope * 200 + line.offset) / line.divisor >=
                (int64_t)warpbound_verdict_cycles(verdict));
}

TEST(a_run_abstraction_is_checked)
{
  uint64_t cycles;
  const warpbound_options options = {.certify = true};
  char *certificate = certificate_of("5L9C2L9C", "L=1,C=4", 4, &options, &cycles);
  expect_part(certificate, "warpbound-runs-1");
  assert_int_equal(cycles, 45);
  check_certificate(certificate, WARPBOUND_CLAIM_RUNS, 4, cycles);
}

TEST(phases_are_checked)
{
  uint64_t cycles;
  const warpbound_options options = {.certify = true};
  char *certificate = certificate_of("2LB4CB", "L=2,C=1", 12, &options, &cycles);
  expect_part(certificate, "warpbound-phases-1");
  check_certificate(certificate, WARPBOUND_CLAIM_PHASES, 12, cycles);
}

/* Warps that each take any of several paths. */
TEST(a_bound_over_all_paths_is_checked)
{
  char *certificate;
  uint64_t cycles;
  warpbound_paths *paths;
  warpbound_instance *instance;
  warpbound_series *series;
  warpbound_kernel *kernel = kernel_of(module_of_file("tests/golden/data/sass/mixed.sass"), NULL);
  warpbound_sm *sm = sm_of("C=8");
  assert_made(paths, warpbound_paths_find(kernel, NULL, NULL, &paths, NULL));
  assert_made(instance, warpbound_instance_of_paths(paths, sm, 2, 1, &instance, NULL));
  warpbound_result *result = result_of(instance, NULL, WARPBOUND_OK);
  assert_true(warpbound_result_paths(result).strings > 1);
  assert_true(strlen(warpbound_result_paths(result).shown) > 0);
  assert_made(certificate, warpbound_result_certificate(result, &certificate, &cycles, NULL));
  expect_part(certificate, "warpbound-paths-1");
  check_certificate(certificate, WARPBOUND_CLAIM_PATHS, 2, cycles);
  assert_misuse(warpbound_instance_make_fair(instance, 1, 1, 2, NULL));
  assert_made(instance, warpbound_instance_of_paths(paths, sm, 2, 2, &instance, NULL));
  assert_made(series, warpbound_makespan_series(instance, 2, 4, NULL, NULL, NULL, &series, NULL));
  assert_int_equal(warpbound_series_count(series), 2);
  result = result_of(instance, NULL, WARPBOUND_OK);
  assert_int_equal(warpbound_series_at(series, 0).upper.cycles,
                   warpbound_result_upper(result).cycles);
  assert_misuse(warpbound_instance_of_paths(paths, sm, 3, 2, &instance, NULL));
  assert_null(instance);
  assert_misuse(warpbound_instance_of_paths(paths, sm, 65537, 1, &instance, NULL));
  assert_misuse(warpbound_instance_of_paths(NULL, sm, 2, 1, &instance, NULL));
  assert_misuse(warpbound_instance_of_paths(paths, NULL, 2, 1, &instance, NULL));
  assert_misuse(warpbound_instance_of_paths(paths, sm, 2, 1, NULL, NULL));
}

/* A search of a string that has no certificate without being asked for one. */
TEST(a_result_may_have_no_certificate)
{
  char *certificate = NULL;
  uint64_t cycles = 7;
  warpbound_error error;
  const warpbound_options options = {.method = WARPBOUND_METHOD_BOUNDS, .policies_only = true};
  warpbound_result *result = result_of(instance_of("L", "L=1", 2), &options, WARPBOUND_OK);
  assert_limit(warpbound_result_certificate(result, &certificate, &cycles, &error));
  assert_null(certificate);
  assert_int_equal(cycles, 7);
  expect_part(error.message, "there is no certificate");
}

static bool stop_at_once(void *context)
{
  ++*(size_t *)context;
  return true;
}

/* Limits and interruptions bind in the check of every kind, and decide nothing. */
TEST(limits_bind)
{
  static const char *const strings[] = {NULL, "5L9C2L9C", "2LB4CB"};
  static const char *const units[] = {NULL, "L=1,C=4", "L=2,C=1"};
  static const uint32_t warps[] = {0, 4, 12};
  for (size_t i = 0; i < 3; i++) {
    size_t polls = 0;
    uint64_t cycles;
    warpbound_error error;
    warpbound_verdict *verdict;
    const warpbound_options options = {.certify = true};
    const warpbound_options interrupted = {.interrupted = stop_at_once, .context = &polls};
    const warpbound_options hurried = {.time_limit = 1e-12};
    const char *certificate =
        i == 0 ? long_potential(&cycles)
               : certificate_of(strings[i], units[i], warps[i], &options, &cycles);
    const size_t length = strlen(certificate);
    assert_limit(warpbound_verify("c", certificate, length, &interrupted, &verdict, &error));
    assert_null(verdict);
    assert_true(polls > 0);
    assert_string_equal(error.message, "not checked: interrupted");
    assert_limit(warpbound_verify("c", certificate, length, &hurried, &verdict, &error));
    assert_string_equal(error.message, "not checked: the time limit was reached");
  }
}

static bool stop_at_second(void *context)
{
  return ++*(size_t *)context >= 2;
}

/* The check of a potential is asked while it works, not only before. */
TEST(an_interruption_ends_a_long_check)
{
  size_t polls = 0;
  uint64_t cycles;
  warpbound_error error;
  warpbound_verdict *verdict;
  const warpbound_options interrupted = {.interrupted = stop_at_second, .context = &polls};
  const char *certificate = long_potential(&cycles);
  assert_limit(
      warpbound_verify("c", certificate, strlen(certificate), &interrupted, &verdict, &error));
  assert_null(verdict);
  assert_int_equal(polls, 2);
  assert_string_equal(error.message, "not checked: interrupted");
}

TEST(memory_binds)
{
  uint64_t cycles;
  warpbound_error error;
  warpbound_verdict *verdict;
  const warpbound_options options = {.certify = true};
  const warpbound_options narrow = {.memory_limit = 100};
  char *certificate = certificate_of("5L9C2L9C", "L=1,C=4", 4, &options, &cycles);
  assert_limit(warpbound_verify("c", certificate, strlen(certificate), &narrow, &verdict, &error));
  assert_null(verdict);
  expect_part(error.message, "the memory limit is 100");
}

TEST(wrong_arguments_are_refused)
{
  static const char file[] = "{\"format\": \"warpbound-schedule-2\"}";
  char *text = "untouched";
  warpbound_error error;
  warpbound_verdict *verdict;
  const warpbound_options wrong = {.threads = 1000};
  assert_invalid(warpbound_verify("f", file, sizeof file - 1, NULL, &verdict, &error));
  assert_null(verdict);
  assert_string_equal(error.file, "f");
  assert_invalid(warpbound_verify("f", "no JSON", 7, NULL, &verdict, &error));
  assert_int_equal(error.line, 1);
  assert_invalid(warpbound_verify("f", file, 0, NULL, &verdict, NULL));
  assert_misuse(warpbound_verify(NULL, file, 1, NULL, &verdict, NULL));
  assert_misuse(warpbound_verify("f", NULL, 1, NULL, &verdict, NULL));
  assert_misuse(warpbound_verify("f", file, 1, NULL, NULL, NULL));
  assert_misuse(warpbound_verify("f", file, 1, &wrong, &verdict, NULL));
  assert_false(warpbound_verdict_valid(NULL));
  assert_string_equal(warpbound_verdict_violation(NULL), "");
  assert_int_equal(warpbound_verdict_claim(NULL), WARPBOUND_CLAIM_SCHEDULE);
  assert_int_equal(warpbound_verdict_warps(NULL), 0);
  assert_int_equal(warpbound_verdict_claimed(NULL), 0);
  assert_int_equal(warpbound_verdict_cycles(NULL), 0);
  assert_int_equal(warpbound_verdict_line(NULL).divisor, 0);
  assert_false(warpbound_verdict_assumes_same_barriers(NULL));
  assert_misuse(warpbound_verdict_text(NULL, &text, NULL));
  assert_null(text);
  assert_misuse(warpbound_verdict_json(NULL, &text, NULL));
  warpbound_verdict_free(NULL);
}
