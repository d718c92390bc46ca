/* Why a result is an estimate: each reason once, with its place, in text and JSON; hostile bytes of
 * the input do no harm. Left out: memory that is out (the memory tests of the pipelines have it).
 */
#include "model/estimate.h"
#include "report/report_words.h"
#include "unit.h"

static const char *const files[] = {"a.cu"};
static const struct wb_code code = {.files = (const char **)files, .file_count = 1};
static const struct wb_instruction with_file = {
    .opcode = "BAR.SYNC", .address = 0x20, .source_line = 7, .source_file = 1};
static const struct wb_instruction without_file = {
    .opcode = "BAR.SYNC", .address = 0x20, .source_line = 7};
static const struct wb_instruction without_line = {.opcode = "BAR.SYNC", .address = 0x20};

TEST(test_places)
{
  struct wb_estimate estimate = {0};
  assert_false(wb_is_estimate(&estimate));
  wb_estimate_because_of(&estimate, "barriers", &code, &with_file, "mend it", "reason %d", 1);
  wb_estimate_because_of(&estimate, "barriers", &code, &without_file, "mend it", "reason %d", 1);
  wb_estimate_because_of(&estimate, "barriers", &code, &without_line, "mend it", "reason %d", 1);
  wb_estimate_because_of(&estimate, "barriers", NULL, &with_file, "mend it", "reason %d", 1);
  assert_true(wb_is_estimate(&estimate));
  assert_int_equal(estimate.count, 3); /* the last one is the second */
  assert_string_equal(estimate.items[0].place, "BAR.SYNC at 0x0020, a.cu:7");
  assert_string_equal(estimate.items[1].place, "BAR.SYNC at 0x0020, line 7");
  assert_string_equal(estimate.items[2].place, "BAR.SYNC at 0x0020");
  assert_string_equal(estimate.items[0].reason, "reason 1");
  wb_estimate_free(&estimate);
  assert_false(wb_is_estimate(&estimate));
}

/* A failure is an estimate too, and goes on to what rests on it. */
TEST(test_union)
{
  struct wb_estimate one = {0}, all = {0};
  wb_estimate_because(&one, "ptx", "a.ptx", "mend it", "reason");
  wb_estimate_add_all(&all, &one, NULL);
  wb_estimate_add_all(&all, &one, NULL);
  assert_int_equal(all.count, 1);
  wb_estimate_add_all(&all, &one, "helper");
  assert_int_equal(all.count, 2);
  assert_string_equal(all.items[1].place, "a.ptx of helper");
  wb_estimate_free(&one);
  one.failed = true;
  assert_true(wb_is_estimate(&one));
  wb_estimate_add_all(&all, &one, NULL);
  assert_true(all.failed);
  wb_estimate_free(&all);
}

static char *text_of(const struct wb_estimate *estimate, bool summary)
{
  struct wb_text text = {0};
  if (summary)
    wb_estimate_summary(estimate, &text);
  else
    wb_estimate_text(estimate, "estimate", false, &text);
  char *bytes = wb_text_take(&text);
  return bytes != NULL ? bytes : strdup("");
}

static void expect_text(const struct wb_estimate *estimate, bool summary, const char *expected)
{
  char *text = text_of(estimate, summary);
  assert_string_equal(text, expected);
  free(text);
}

/* Three reasons in full, and how many there are beside them. */
TEST(test_text)
{
  FREED_BY(wb_estimate_free) struct wb_estimate estimate = {0};
  expect_text(&estimate, false, "");
  expect_text(&estimate, true, "");
  wb_estimate_because(&estimate, "ptx", "a\033.ptx", "mend it", "reason 0");
  expect_text(&estimate, true, "a .ptx: reason 0; to prove it: mend it");
  for (int i = 1; i < 5; i++)
    wb_estimate_because(&estimate, "ptx", "a.ptx", "mend it", "reason %d", i);
  expect_text(&estimate, false,
              "estimate because: a .ptx: reason 0; to prove it: mend it\n"
              "estimate because: a.ptx: reason 1; to prove it: mend it\n"
              "estimate because: a.ptx: reason 2; to prove it: mend it\n"
              "and 2 more reasons (--json)\n");
  expect_text(&estimate, true,
              "a .ptx: reason 0; to prove it: mend it; and 4 more reasons (--json)");
}

TEST(test_json)
{
  FREED_BY(wb_estimate_free) struct wb_estimate estimate = {0};
  json_t *object = json_object();
  wb_estimate_put(&object, &estimate);
  assert_null(json_object_get(object, "estimate_reasons"));
  wb_estimate_because(&estimate, "ptx", "\xff<\"", "mend it", "reason");
  wb_estimate_put(&object, &estimate);
  const json_t *row = json_array_get(json_object_get(object, "estimate_reasons"), 0);
  assert_string_equal(json_string_value(json_object_get(row, "name")), "ptx");
  assert_string_equal(json_string_value(json_object_get(row, "reason")), "reason");
  assert_string_equal(json_string_value(json_object_get(row, "place")), "\xef\xbf\xbd<\"");
  assert_string_equal(json_string_value(json_object_get(row, "remedy")), "mend it");
  json_decref(object);
}
