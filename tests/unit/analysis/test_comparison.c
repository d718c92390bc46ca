/* Comparisons of results: which launches belong together, which numbers differ, what fails. */
#include "analysis/compare/comparison.h"
#include "base/random.h"
#include "unit.h"

/* One launch with an upper end, on lines of k.cu as given; a member more. */
#define LAUNCH(name, cycles, kind, lines)                                                          \
  "{\"name\": \"" name "\", \"kernel\": \"k\", \"lower\": {\"cycles\": 1, \"kind\": \"lower\"}, "  \
  "\"upper\": {\"cycles\": " #cycles ", \"kind\": \"" kind "\"}, \"device\": {\"name\": \"d\"}, "  \
  "\"launch\": {\"blocks\": 4}, \"occupancy\": {\"resident_blocks\": 2, \"waves\": 1, "            \
  "\"block_warps\": 2, \"registers\": 20, \"static_shared\": 0, \"dynamic_shared\": 0, "           \
  "\"barriers\": 0}, \"lines\": [" lines "], \"assumptions\": [\"a\", \"of " name "\"]}"
#define LINE(line, cycles) "{\"file\": \"k.cu\", \"line\": " #line ", \"cycles\": " #cycles "}"
#define LIST(launches) "{\"launches\": [" launches "]}"

struct pair {
  struct wb_launch_results before, after;
  struct wb_result_comparison comparison;
};

static void read_results(const char *text, struct wb_launch_results *results)
{
  warpbound_error failure = {0};
  const warpbound_status status =
      wb_json_parse_as("r.json", text, strlen(text), wb_launch_results_read, results, &failure);
  if (status != WARPBOUND_OK)
    fail_msg("%s", failure.message);
}

static void compare(const char *before, const char *after, uint64_t limit, struct pair *pair)
{
  read_results(before, &pair->before);
  read_results(after, &pair->after);
  assert_ok(wb_compare_results(&pair->before, &pair->after, limit, &pair->comparison, NULL));
}

static void free_pair(struct pair *pair)
{
  wb_comparison_free(&pair->comparison);
  wb_launch_results_free(&pair->after);
  wb_launch_results_free(&pair->before);
}

TEST(launches_of_one_name_belong_together)
{
  FREED_BY(free_pair) struct pair pair = {0};
  compare(LIST(LAUNCH("b", 10, "upper", "") ", " LAUNCH("a", 20, "upper", "") ", " LAUNCH(
              "b", 30, "upper", "") ", " LAUNCH("gone", 1, "upper", "")),
          LIST(LAUNCH("a", 21, "upper", "") ", " LAUNCH("b", 10, "upper", "") ", " LAUNCH(
              "b", 33, "estimate", "") ", " LAUNCH("new", 9, "upper", "")),
          4 * WB_PERCENT, &pair);
  static const struct {
    const char *name;
    uint64_t before, after;
    enum wb_compare_failure failure;
  } expected[] = {{"b", 10, 10, WB_COMPARE_PASSED},
                  {"a", 20, 21, WB_COMPARE_GREW},
                  {"b", 30, 33, WB_COMPARE_UNPROVEN},
                  {"gone", 1, 0, WB_COMPARE_MISSING},
                  {"new", 0, 9, WB_COMPARE_PASSED}};
  assert_int_equal(pair.comparison.count, sizeof expected / sizeof *expected);
  assert_int_equal(pair.comparison.failures, 3);
  for (size_t l = 0; l < pair.comparison.count; l++) {
    const struct wb_launch_change *launch = &pair.comparison.launches[l];
    assert_string_equal(launch->name, expected[l].name);
    assert_int_equal(launch->before != NULL ? launch->before->upper.cycles : 0, expected[l].before);
    assert_int_equal(launch->after != NULL ? launch->after->upper.cycles : 0, expected[l].after);
    assert_int_equal(launch->failure, expected[l].failure);
  }
}

/* A launch of one of two lists is not one of another name, though there is no other. */
TEST(a_launch_that_is_gone_is_not_another_one)
{
  FREED_BY(free_pair) struct pair pair = {0};
  compare(LIST(LAUNCH("slow", 900, "upper", "")), LIST(LAUNCH("quick", 5, "upper", "")), 0, &pair);
  assert_int_equal(pair.comparison.count, 2);
  assert_int_equal(pair.comparison.failures, 1);
  assert_int_equal(pair.comparison.launches[0].failure, WB_COMPARE_MISSING);
  FREED_BY(free_pair) struct pair alone = {0};
  compare(LAUNCH("slow", 900, "upper", ""), LIST(LAUNCH("renamed", 901, "upper", "")), 0, &alone);
  assert_int_equal(alone.comparison.count, 1);
  assert_int_equal(alone.comparison.launches[0].failure, WB_COMPARE_GREW);
}

/* The same number of cycles at a slower clock is a later end. */
TEST(time_counts_where_the_clock_is_another_one)
{
  static const struct {
    uint64_t before, was, after, is; /* cycles and clocks; a clock of 0 is not known */
    uint64_t limit;
    enum wb_compare_failure failure;
  } cases[] = {
      {1000, 1300, 990, 400, 100 * WB_PERCENT, WB_COMPARE_SLOWER},
      {1000, 1300, 990, 400, 222 * WB_PERCENT, WB_COMPARE_PASSED},
      {1000, 1300, 1000, 1300, 0, WB_COMPARE_PASSED},
      {1000, 400, 1001, 1300, 0, WB_COMPARE_GREW},
      {1000, 1300, 1000, 0, 0, WB_COMPARE_PASSED},
      {1000, 0, 1000, 1300, 0, WB_COMPARE_PASSED},
      {INT64_MAX, 1300000000, INT64_MAX, 1299999999, 0, WB_COMPARE_SLOWER},
      {INT64_MAX, 1300000000, INT64_MAX, 1299999999, WB_PERCENT, WB_COMPARE_PASSED},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    FREED_BY(free_pair) struct pair pair = {0};
    read_results(LAUNCH("k", 1, "upper", ""), &pair.before);
    read_results(LAUNCH("k", 1, "upper", ""), &pair.after);
    struct wb_launch_result *before = &pair.before.launches[0];
    struct wb_launch_result *after = &pair.after.launches[0];
    before->upper.cycles = cases[c].before;
    before->clock = cases[c].was;
    after->upper.cycles = cases[c].after;
    after->clock = cases[c].is;
    assert_ok(
        wb_compare_results(&pair.before, &pair.after, cases[c].limit, &pair.comparison, NULL));
    assert_int_equal(pair.comparison.launches[0].failure, cases[c].failure);
  }
  static const struct {
    const char *device; /* members of the device, and of the launch */
    uint64_t clock;
  } results[] = {
      {"{\"name\": \"d\", \"clock\": 930000000}", 930000000},
      {"{\"name\": \"d\"}, \"values\": [{\"name\": \"clock\", \"value\": 7e8}]", 700000000},
      {"{\"name\": \"d\", \"clock\": null}", 0}};
  for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
    static const char old[] = "{\"name\": \"d\"}";
    const char *text = LAUNCH("k", 1, "upper", "");
    const char *at = strstr(text, old);
    char changed[2000];
    struct wb_launch_results read = {0};
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, results[r].device,
             at + strlen(old));
    read_results(changed, &read);
    assert_int_equal(read.launches[0].clock, results[r].clock);
    wb_launch_results_free(&read);
  }
}

TEST(the_greatest_changes_come_first)
{
  FREED_BY(free_pair) struct pair pair = {0};
  compare(LAUNCH("old", 100, "upper", LINE(7, 50) ", " LINE(8, 20) ", " LINE(9, 5) ", " LINE(8, 1)),
          LAUNCH("new", 200, "upper", LINE(10, 30) ", " LINE(8, 21) ", " LINE(7, 61.5)),
          WB_ANY_GROWTH, &pair);
  static const struct {
    const char *key;
    bool had, has;
    double before, after;
  } expected[] = {{"k.cu:10", false, true, 0, 30},
                  {"k.cu:7", true, true, 50, 61.5},
                  {"k.cu:9", true, false, 5, 0}};
  const struct wb_launch_change *launch = &pair.comparison.launches[0];
  assert_int_equal(pair.comparison.count, 1);
  assert_int_equal(pair.comparison.failures, 0);
  assert_int_equal(launch->number_count, sizeof expected / sizeof *expected);
  for (size_t n = 0; n < launch->number_count; n++) {
    const struct wb_number_change *change = &launch->numbers[n];
    assert_int_equal(change->group, WB_RESULT_LINES);
    assert_string_equal(change->key, expected[n].key);
    assert_int_equal(change->had, expected[n].had);
    assert_int_equal(change->has, expected[n].has);
    assert_true(change->before == expected[n].before && change->after == expected[n].after);
  }
  assert_int_equal(launch->gone_count, 1);
  assert_string_equal(launch->gone[0], "of old");
  assert_int_equal(launch->new_count, 1);
  assert_string_equal(launch->new[0], "of new");
}

TEST(growth_is_compared_exactly)
{
  static const struct {
    uint64_t before, after, percent;
    bool more;
  } cases[] = {{100, 105, 500, false},
               {100, 106, 500, true},
               {0, 0, 0, false},
               {0, 1, 1000, true},
               {3, 4, 3333, true},
               {3, 4, 3334, false},
               {UINT64_MAX - 1, UINT64_MAX, 0, true},
               {UINT64_MAX / 2, UINT64_MAX, 10000, true},
               {UINT64_MAX / 2, UINT64_MAX, 10001, false},
               {UINT64_MAX, UINT64_MAX - 5, 0, false}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    assert_int_equal(wb_grew_by_more(cases[c].before, cases[c].after, cases[c].percent),
                     cases[c].more);
  /* Small numbers, whose products fit. */
  struct wb_random random = {31};
  for (int r = 0; r < 20000; r++) {
    const uint64_t before = wb_random_below(&random, 1 << 20);
    const uint64_t after = wb_random_below(&random, 1 << 20);
    const uint64_t percent = wb_random_below(&random, 30000);
    const bool more = 10000 * after > 10000 * before + before * percent;
    assert_int_equal(wb_grew_by_more(before, after, percent), more);
  }
}
