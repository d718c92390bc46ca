/* Comparisons of results through the public header alone; used well and misused. */
#include "failing_heap.h"
#include "handles.h"

#define OLD "tests/golden/data/results/old.json"
#define NEW "tests/golden/data/results/new.json"

/* A file of the source tree. */
static warpbound_input input_of(const char *name)
{
  warpbound_input input = {.name = name};
  input.text = source_file(name, &input.length);
  return input;
}

TEST(a_gate_for_what_grew)
{
  warpbound_input inputs[2] = {input_of(OLD), input_of(NEW)};
  warpbound_comparison *comparison;
  char *text;
  assert_made(comparison, warpbound_compare(&inputs[0], &inputs[1], 500, &comparison, NULL));
  assert_int_equal(warpbound_comparison_failures(comparison), 2);
  assert_string_equal(warpbound_comparison_failure(comparison),
                      "small: the upper end grew by more than 5 %: 64,270 to 78,087 cycles; and 1 "
                      "more");
  assert_made(text, warpbound_comparison_text(comparison, &text, NULL));
  assert_int_equal(count_of(text, "matrix_multiply.cu:20  20,928   26,160    +5232"), 1);
  assert_made(text, warpbound_comparison_json(comparison, &text, NULL));
  assert_int_equal(count_of(text, "\"fail_above_percent\": 5.0"), 1);
  assert_made(comparison, warpbound_compare(&inputs[0], &inputs[1], UINT64_MAX, &comparison, NULL));
  assert_int_equal(warpbound_comparison_failures(comparison), 0);
  assert_string_equal(warpbound_comparison_failure(comparison), "");
}

TEST(misuse_of_comparisons_is_refused)
{
  warpbound_input inputs[2] = {input_of(OLD), input_of(NEW)};
  const warpbound_input none = {0};
  const warpbound_input wrong = {"w.json", "{}", 2};
  warpbound_comparison *comparison = NULL;
  char *text;
  warpbound_error failure = {0};
  assert_misuse(warpbound_compare(&inputs[0], &inputs[1], 0, NULL, NULL));
  assert_misuse(warpbound_compare(NULL, &inputs[1], 0, &comparison, NULL));
  assert_misuse(warpbound_compare(&inputs[0], &none, 0, &comparison, NULL));
  assert_invalid(warpbound_compare(&inputs[0], &wrong, 0, &comparison, &failure));
  assert_string_equal(failure.file, "w.json");
  assert_null(comparison);
  assert_misuse(warpbound_comparison_text(NULL, &text, NULL));
  assert_misuse(warpbound_comparison_json(NULL, &text, NULL));
  assert_int_equal(warpbound_comparison_failures(NULL), 0);
  assert_string_equal(warpbound_comparison_failure(NULL), "");
  warpbound_comparison_free(NULL);
}

/* Two results, as the work on them takes them. */
struct two_results {
  warpbound_input before, after;
};

static warpbound_status compare_and_write(const void *context, warpbound_error *error)
{
  const struct two_results *two = context;
  warpbound_comparison *comparison = NULL;
  char *text = NULL;
  char *json = NULL;
  warpbound_status status = warpbound_compare(&two->before, &two->after, 0, &comparison, error);
  if (status == WARPBOUND_OK)
    status = warpbound_comparison_text(comparison, &text, error);
  if (status == WARPBOUND_OK)
    status = warpbound_comparison_json(comparison, &json, error);
  warpbound_text_free(json);
  warpbound_text_free(text);
  warpbound_comparison_free(comparison);
  return status;
}

TEST(comparisons_survive_without_memory)
{
  static const char small[] =
      "{\"kernel\": \"k\", \"lower\": {\"cycles\": 1, \"kind\": \"lower\"}, \"upper\": "
      "{\"cycles\": "
      "2, \"kind\": \"upper\"}, \"device\": {\"name\": \"d\"}, \"launch\": {\"blocks\": 4}, "
      "\"occupancy\": {\"resident_blocks\": 2, \"waves\": 1, \"block_warps\": 2, \"registers\": "
      "20, "
      "\"static_shared\": 0, \"dynamic_shared\": 0, \"barriers\": 0}, \"lines\": [{\"file\": "
      "\"k.cu\", "
      "\"line\": 7, \"cycles\": 1.5}], \"assumptions\": [\"a\"]}";
  const struct two_results two = {{"a", small, sizeof small - 1}, input_of(NEW)};
  assert_true(fail_each(compare_and_write, &two, WARPBOUND_OK) > 50);
}
