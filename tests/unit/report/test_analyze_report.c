/* Reports on launches: what they say of a launch made by hand, that its parts add up, and that they
 * are whole whatever the input holds. Left out: what a browser makes of the page
 * (scripts/test-browser), and the picture of the graph, which needs Graphviz. */
#include "base/random.h"
#include "base/status.h"
#include "failing_heap.h"
#include "launches/made_launch.h"
#include "pages/page_checks.h"
#include "report/analyze/analyze_report.h"
#include "unit.h"

#include <jansson.h>

#define LISTING "examples/mandelbrot.sass"
#define SOURCE "examples/mandelbrot.cu"
#define HOSTILE "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&<!--]]>"

typedef void writer(const struct wb_launch_report *report, struct wb_text *text);

/* What a writer makes of a report; the caller frees it. */
static char *written(writer *write, const struct wb_launch_report *report)
{
  struct wb_text text = {0};
  write(report, &text);
  char *bytes = wb_text_take(&text);
  assert_non_null(bytes);
  return bytes;
}

static json_t *parsed(const char *text)
{
  json_error_t where;
  json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &where);
  if (object == NULL)
    fail_msg("line %d: %s", where.line, where.text);
  return object;
}

/* ---- allowances ---- */

TEST(test_deadlines)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  struct wb_launch_report *report = &made.report;
  /* Of decimal fractions that have no finite binary one, the exact number of cycles. */
  for (uint64_t ms = 1; ms <= 2000; ms++) {
    report->deadline_seconds = (double)ms / 1000;
    assert_int_equal(wb_analyze_deadline_cycles(report), ms * 1300000);
  }
  report->deadline_seconds = 1e-9;
  assert_int_equal(wb_analyze_deadline_cycles(report), 1);
  report->deadline_seconds = 1e30;
  assert_int_equal(wb_analyze_deadline_cycles(report), UINT64_MAX);
  report->deadline_seconds = 0;
  assert_int_equal(wb_analyze_verdict(report, WB_ALLOWED_DEADLINE), WB_ALLOWANCE_NONE);
}

TEST(test_verdicts)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  struct wb_launch_report *report = &made.report;
  report->budget = 11360;
  assert_int_equal(wb_analyze_verdict(report, WB_ALLOWED_BUDGET), WB_ALLOWANCE_MET);
  assert_true(wb_analyze_allowed(report));
  report->budget = 11359;
  assert_int_equal(wb_analyze_verdict(report, WB_ALLOWED_BUDGET), WB_ALLOWANCE_NOT_SHOWN);
  assert_false(wb_analyze_allowed(report));
  report->budget = 5619;
  assert_int_equal(wb_analyze_verdict(report, WB_ALLOWED_BUDGET), WB_ALLOWANCE_EXCEEDED);
  made.launch.analysis.lower_kind = WARPBOUND_ESTIMATE;
  assert_int_equal(wb_analyze_verdict(report, WB_ALLOWED_BUDGET), WB_ALLOWANCE_NOT_SHOWN);
  report->budget = 0;
  report->deadline_seconds = 8.7e-6; /* 11310 cycles */
  assert_int_equal(wb_analyze_verdict(report, WB_ALLOWED_DEADLINE), WB_ALLOWANCE_NOT_SHOWN);
  assert_false(wb_analyze_allowed(report));
}

/* A launch of which no lower end is known has no words of one. */
TEST(test_no_lower_end)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  made.report.quiet = true;
  made.launch.analysis.lower = 0;
  made.launch.analysis.lower_kind = WARPBOUND_ESTIMATE;
  char *text = written(wb_analyze_text, &made.report);
  assert_non_null(strstr(text, "worst case: at most 11,360 cycles (upper, 8.739 us), at 1.3 GHz on "
                               "example; no lower end is known\n"));
  assert_null(strstr(text, "at least"));
  free(text);
}

static void verdict_of_budget(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_write_verdict(report, WB_ALLOWED_BUDGET, text);
}

/* Ratios have three digits; none that is above 1 reads as 1, and none has an exponent. */
TEST(test_verdict_words)
{
  static const struct {
    uint64_t upper, lower, budget;
    warpbound_kind kind;
    const char *words;
  } rows[] = {
      {11360, 1, 11360, WARPBOUND_UPPER, "met (100 % of it)"},
      {11360, 1, 11360, WARPBOUND_ESTIMATE, "met by an estimate, not proven (100 % of it)"},
      {11360, 1, UINT64_C(1) << 50, WARPBOUND_UPPER, "met (less than 0.01 % of it)"},
      {187, 1, 10, WARPBOUND_UPPER, "not proven: the bound is 18.7 times the budget"},
      {11360, 1, 11359, WARPBOUND_UPPER, "not proven: the bound is 1.01 times the budget"},
      {11360, 1, 11359, WARPBOUND_ESTIMATE,
       "not proven: the bound, an estimate, is 1.01 times the budget"},
      {9999, 1, 10, WARPBOUND_UPPER, "not proven: the bound is 1000 times the budget"},
      {123456789, 1, 2, WARPBOUND_UPPER, "not proven: the bound is 61,728,395 times the budget"},
      {11360, 11000, 10999, WARPBOUND_UPPER,
       "exceeded: a run of the model takes more than the budget"},
      {11360, 1999, 1000, WARPBOUND_UPPER,
       "exceeded: a run of the model takes 1.99 times the budget"},
  };
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  struct wb_launch_analysis *analysis = &made.launch.analysis;
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    analysis->upper.cycles = rows[r].upper;
    analysis->lower = rows[r].lower;
    analysis->upper_kind = rows[r].kind;
    made.report.budget = rows[r].budget;
    char *words = written(verdict_of_budget, &made.report);
    assert_string_equal(words, rows[r].words);
    free(words);
  }
}

/* A time for people is never on the wrong side, and has four digits. */
TEST(test_times)
{
  static const struct {
    const char *name;
    double size;
  } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  for (int run = 0; run < 20000; run++) {
    const double seconds = (double)(wb_random_next(&random) >> 20) / 4e12 /
                           (double)(1 + (wb_random_next(&random) >> 44));
    const bool up = run % 2 == 0;
    FREED_BY(wb_text_free) struct wb_text text = {0};
    double value;
    char unit[8];
    wb_analyze_write_time(seconds, up, &text);
    assert_int_equal(sscanf(text.data, "%lf %7s", &value, unit), 2);
    for (size_t u = 0; u < 4; u++) {
      if (strcmp(unit, units[u].name) == 0)
        value *= units[u].size;
    }
    assert_true(up ? value >= seconds * (1 - 1e-11) : value <= seconds * (1 + 1e-11));
    /* Below a nanosecond the digits run out. */
    assert_true(value >= seconds * 0.998 - 1e-12 && value <= seconds * 1.002 + 1e-12);
  }
}

/* ---- text ---- */

TEST(test_answer)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  made.report.quiet = true;
  char *text = written(wb_analyze_text, &made.report);
  assert_string_equal(
      text, "mandelbrot: worst case: at least 5620 cycles (lower, 4.323 us), at most "
            "11,360 cycles (upper, 8.739 us), at 1.3 GHz on example\n"
            "limited by: last block (2731 of 11,360, 24 %); deadline of 2.000 ms met "
            "(0.437 % of it); budget of 11,000 cycles not proven: the bound is 1.04 "
            "times the budget\n"
            "measured runs: may be below the lower end, a run of the model; one above the "
            "upper end refutes a number or an "
            "assumption\n");
  free(text);
}

/* The breakdown that people read adds up to the number above it. */
TEST(test_breakdown_text)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  char *text = written(wb_analyze_text, &made.report);
  const char *at = strstr(text, "what the upper end is made of");
  double sum = 0;
  double total = 0;
  assert_non_null(at);
  for (at = strchr(at, '\n'); total == 0; at = strchr(at + 1, '\n')) {
    assert_non_null(at);
    const double cycles = strtod(at + 31, NULL);
    if (strncmp(at + 1, "    upper end", 13) == 0)
      total = cycles;
    else
      sum += cycles;
  }
  assert_true(total == 11360);
  assert_true(sum == total);
  free(text);
}

/* No byte of the input gets to the terminal as a control character. */
TEST(test_hostile_text)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  made_launch_turn_hostile(&made, "\033[31m\a\xff\xfe" HOSTILE);
  made.report.accesses = true;
  char *text = written(wb_analyze_text, &made.report);
  for (const char *at = text; *at != '\0'; at++)
    assert_true((unsigned char)*at >= ' ' || *at == '\n');
  assert_null(strstr(text, "\xff"));
  free(text);
}

static void table(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_report three[] = {*report, *report, *report};
  wb_analyze_table(three, 3, text);
}

TEST(test_table)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  made.report.name = "frame";
  char *text = written(table, &made.report);
  assert_non_null(strstr(
      text, "3 launches: 0 as allowed; the longest is frame: worst case: at least 5620 cycles"));
  assert_int_equal(count_of(text, "NOT ALLOWED"), 3);
  free(text);
}

/* ---- JSON ---- */

TEST(test_json)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  char *text = written(wb_analyze_json, &made.report);
  json_t *object = parsed(text);
  const json_t *breakdown = json_object_get(object, "breakdown");
  json_int_t sum = 0;
  for (size_t p = 0; p < json_array_size(breakdown); p++) {
    const json_t *part = json_array_get(breakdown, p);
    sum += json_integer_value(json_object_get(part, "numerator"));
    assert_int_equal(json_integer_value(json_object_get(part, "denominator")), 2);
  }
  const json_t *upper = json_object_get(object, "upper");
  assert_int_equal(json_integer_value(json_object_get(upper, "cycles")), 11360);
  assert_string_equal(json_string_value(json_object_get(upper, "kind")), "upper");
  assert_int_equal(sum, 2 * 11360);
  /* A number is listed where the bound uses it, and there alone. */
  assert_int_equal(json_array_size(json_object_get(object, "values")), 5);
  assert_string_equal(
      json_string_value(json_object_get(json_object_get(object, "budget"), "verdict")),
      "not shown");
  json_decref(object);
  free(text);
}

/* ---- the page ---- */

TEST(test_hash)
{
  static const struct {
    const char *text, *hash;
  } known[] = {
      /* FIPS 180-4's examples and the empty text, in base64. */
      {"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
      {"abc", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE="},
  };
  for (size_t k = 0; k < COUNT_OF(known); k++) {
    unsigned char digest[WB_SHA256_BYTES];
    FREED_BY(wb_text_free) struct wb_text text = {0};
    wb_sha256(known[k].text, strlen(known[k].text), digest);
    wb_text_base64(&text, digest, sizeof digest);
    assert_string_equal(text.data, known[k].hash);
  }
}

/* The text between two marks, of which the first stands only once; the caller frees it. */
static char *between(const char *text, const char *first, const char *last)
{
  assert_int_equal(count_of(text, first), 1);
  const char *begin = strstr(text, first) + strlen(first);
  const char *end = strstr(begin, last);
  assert_non_null(end);
  struct wb_text part = {0};
  wb_text_append(&part, begin, (size_t)(end - begin));
  return wb_text_take(&part);
}

/* The policy of the page lets the browser run the script that the page has, and no other. */
TEST(test_policy)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, SOURCE);
  char *page = written(wb_analyze_page, &made.report);
  char *policy = between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
  char *script = between(page, "</script>\n<script>", "</script>");
  unsigned char digest[WB_SHA256_BYTES];
  FREED_BY(wb_text_free) struct wb_text wanted = {0};
  wb_text_string(&wanted, "script-src 'sha256-");
  wb_sha256(script, strlen(script), digest);
  wb_text_base64(&wanted, digest, sizeof digest);
  wb_text_string(&wanted, "';");
  assert_non_null(strstr(policy, wanted.data));
  assert_non_null(strstr(policy, "default-src 'none'"));
  assert_null(strstr(policy, "unsafe"));
  assert_int_equal(count_of(page, " src="), 0);
  free(policy);
  free(script);
  free(page);
}

/* The page has its two scripts and no other, and its data is JSON in which nothing means anything
 * to HTML. Returns the data. */
static json_t *check_page(const char *page)
{
  assert_int_equal(count_of(page, "<script"), 2);
  assert_int_equal(count_of(page, "</script"), 2);
  assert_int_equal(count_of(page, "<!--"), 1); /* the page's own */
  char *data = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
  assert_null(strpbrk(data, "<>&"));
  assert_null(strstr(data, "\xe2\x80\xa8"));
  assert_null(strstr(data, "\xe2\x80\xa9"));
  json_t *object = parsed(data);
  free(data);
  return object;
}

TEST(test_hostile_page)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, SOURCE);
  made_launch_turn_hostile(&made, HOSTILE "\xe2\x80\xa8\xe2\x80\xa9");
  char *page = written(wb_analyze_page, &made.report);
  json_t *data = check_page(page);
  /* What was written is what is read. */
  assert_string_equal(json_string_value(json_object_get(json_object_get(data, "result"), "kernel")),
                      HOSTILE "\xe2\x80\xa8\xe2\x80\xa9");
  json_decref(data);
  free(page);
}

/* A random text of pieces that HTML, JavaScript, JSON or UTF-8 know. */
static void random_text(struct wb_random *random, char *text, size_t size)
{
  static const char *const pieces[] = {
      "<",
      ">",
      "&",
      "</script>",
      "<script>",
      "<!--",
      "-->",
      "]]>",
      "\"",
      "'",
      "\\",
      "\\u003c",
      "${",
      "`",
      "\n",
      "\r",
      "\t",
      "\x01",
      "\x7f",
      "\xc2",
      "\xe2\x80",
      "\xe2\x80\xa8",
      "\xff",
      "\xf0\x9f\x98\x80",
      "\xed\xa0\x80",
      "javascript:",
      "onload=",
      "a",
      " ",
      "/",
      "%s",
      "é",
  };
  size_t length = 0;
  text[0] = '\0';
  for (uint64_t left = wb_random_below(random, 12); left > 0; left--) {
    const char *piece = pieces[wb_random_below(random, COUNT_OF(pieces))];
    if (length + strlen(piece) + 1 < size)
      length += (size_t)snprintf(text + length, size - length, "%s", piece);
  }
}

TEST(test_random_pages)
{
  struct wb_random random = {number_from_environment("WARPBOUND_SEED", 1)};
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 60) < 60 ? 10 : 60;
  for (uint64_t run = 0; run < runs; run++) {
    FREED_BY(made_launch_free) struct made_launch made;
    char hostile[200];
    random_text(&random, hostile, sizeof hostile);
    made_launch_start(&made, LISTING, SOURCE);
    made_launch_turn_hostile(&made, hostile);
    char *page = written(wb_analyze_page, &made.report);
    json_decref(check_page(page));
    free(page);
  }
}

/* Source lines stand in the page where the user gave them, and there alone. */
TEST(test_sources)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, SOURCE);
  char *with = written(wb_analyze_page, &made.report);
  made.report.source_count = 0;
  char *without = written(wb_analyze_page, &made.report);
  assert_non_null(strstr(with, "float xx = x * x, yy = y * y;"));
  assert_null(strstr(without, "float xx = x * x, yy = y * y;"));
  free(with);
  free(without);
}

/* Without a bound the page has what there is: code and graph. */
TEST(test_page_without_bound)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, SOURCE);
  made.launch.analysis.upper.cycles = 0;
  char *page = written(wb_analyze_page, &made.report);
  json_t *data = check_page(page);
  assert_true(json_is_false(json_object_get(data, "bounded")));
  assert_null(json_object_get(json_object_get(data, "result"), "upper"));
  assert_true(json_array_size(json_object_get(data, "missing")) > 0);
  json_decref(data);
  free(page);
}

/* ---- continuous integration ---- */

/* A launch that could not be analysed, with letters that XML escapes. */
static const struct wb_refused_launch wide = {"wide <&> \"block\"", "at most 1024 threads"};
static const struct wb_refused_launches refused = {&wide, 1};

static void sarif(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_report two[] = {*report, {.launch = report->launch}};
  wb_analyze_sarif(two, 2, &refused, text);
}

/* A string of an object, by the members on the way to it. */
static const char *string_at(const json_t *object, const char *first, const char *second)
{
  const json_t *inner = json_object_get(object, first);
  const char *string = json_string_value(second != NULL ? json_object_get(inner, second) : inner);
  assert_non_null(string);
  return string;
}

/* A result has what the schema of SARIF 2.1.0 requires, and what code hosts do. */
static void check_result(const json_t *result, const json_t *rules)
{
  const char *level = string_at(result, "level", NULL);
  assert_true(strcmp(level, "error") == 0 || strcmp(level, "note") == 0);
  assert_true(string_at(result, "message", "text")[0] != '\0');
  const json_int_t rule = json_integer_value(json_object_get(result, "ruleIndex"));
  assert_in_range(rule, 0, json_array_size(rules) - 1);
  assert_string_equal(string_at(json_array_get(rules, (size_t)rule), "id", NULL),
                      string_at(result, "ruleId", NULL));
  const json_t *locations = json_object_get(result, "locations");
  assert_int_equal(json_array_size(locations), 1);
  const json_t *physical = json_object_get(json_array_get(locations, 0), "physicalLocation");
  const char *uri = string_at(physical, "artifactLocation", "uri");
  assert_int_equal(
      strspn(uri, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/%"),
      strlen(uri));
  const json_t *region = json_object_get(physical, "region");
  if (region != NULL)
    assert_true(json_integer_value(json_object_get(region, "startLine")) >= 1);
}

TEST(test_sarif)
{
  for (int hostile = 0; hostile < 2; hostile++) {
    FREED_BY(made_launch_free) struct made_launch made;
    made_launch_start(&made, LISTING, NULL);
    if (hostile)
      made_launch_turn_hostile(&made, HOSTILE);
    char *text = written(sarif, &made.report);
    json_t *log = parsed(text);
    assert_string_equal(string_at(log, "version", NULL), "2.1.0");
    assert_non_null(strstr(string_at(log, "$schema", NULL), "sarif-schema-2.1.0.json"));
    assert_int_equal(json_array_size(json_object_get(log, "runs")), 1);
    const json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
    assert_string_equal(string_at(driver, "name", NULL), "warpbound");
    const json_t *invocation = json_array_get(json_object_get(run, "invocations"), 0);
    assert_true(json_is_false(json_object_get(invocation, "executionSuccessful")));
    assert_int_equal(json_array_size(json_object_get(invocation, "toolExecutionNotifications")), 1);
    const json_t *results = json_object_get(run, "results");
    /* The budget, and once the access that is not coalesced. */
    assert_int_equal(json_array_size(results), 2);
    for (size_t r = 0; r < json_array_size(results); r++)
      check_result(json_array_get(results, r), json_object_get(driver, "rules"));
    json_decref(log);
    free(text);
  }
}

static void junit(const struct wb_launch_report *report, struct wb_text *text)
{
  const struct wb_launch_report two[] = {*report, {.launch = report->launch}};
  wb_analyze_junit(two, 2, &refused, text);
}

/* XML of elements, attributes and texts alone, in which every element is closed. */
static void check_xml(const char *text)
{
  char open[16][32];
  size_t depth = 0;
  const char *at = strstr(text, "?>");
  assert_non_null(at);
  for (at = strchr(at, '<'); at != NULL; at = strchr(at + 1, '<')) {
    const char *end = strchr(at, '>');
    char name[32];
    assert_non_null(end);
    assert_null(memchr(at + 1, '<', (size_t)(end - at) - 1));
    if (at[1] == '/') {
      assert_int_equal(sscanf(at + 2, "%31[a-z-]", name), 1);
      assert_true(depth > 0);
      assert_string_equal(name, open[--depth]);
    } else if (end[-1] != '/') {
      assert_true(depth < 16);
      assert_int_equal(sscanf(at + 1, "%31[a-z-]", open[depth]), 1);
      depth++;
    }
  }
  assert_int_equal(depth, 0);
  for (at = strchr(text, '&'); at != NULL; at = strchr(at + 1, '&'))
    assert_true(strncmp(at, "&lt;", 4) == 0 || strncmp(at, "&gt;", 4) == 0 ||
                strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&quot;", 6) == 0);
}

TEST(test_junit)
{
  for (int hostile = 0; hostile < 2; hostile++) {
    FREED_BY(made_launch_free) struct made_launch made;
    made_launch_start(&made, LISTING, NULL);
    if (hostile)
      made_launch_turn_hostile(&made, HOSTILE);
    char *text = written(junit, &made.report);
    check_xml(text);
    /* A deadline that is met, a budget that is not, a launch of which nothing is asked, and one
     * that was refused. */
    assert_non_null(strstr(text, "tests=\"4\" failures=\"1\" errors=\"1\""));
    assert_int_equal(count_of(text, "<testcase "), 4);
    assert_int_equal(count_of(text, "<failure "), 1);
    free(text);
  }
}

/* Where a proof is asked for, an estimate fails, whatever is allowed. */
TEST(test_required_proof)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, LISTING, NULL);
  struct wb_launch_analysis *analysis = &made.launch.analysis;
  made.report.require_proof = true;
  made.report.budget = 0;
  assert_true(wb_analyze_allowed(&made.report));
  wb_estimate_because(&analysis->upper_estimate, "ptx", "here", "mend it", "reason");
  analysis->upper_kind = WARPBOUND_ESTIMATE;
  for (int asked = 0; asked < 2; asked++) {
    made.report.deadline_seconds = asked ? 2e-3 : 0;
    assert_false(wb_analyze_allowed(&made.report));
    char *text = written(sarif, &made.report);
    assert_non_null(strstr(text, asked ? "\"ruleId\": \"WB001\"" : "\"ruleId\": \"WB004\""));
    assert_non_null(strstr(text, "estimate because: here: reason; to prove it: mend it"));
    free(text);
    text = written(junit, &made.report);
    check_xml(text);
    assert_int_equal(count_of(text, "<failure type=\"not proven\""), 1);
    assert_non_null(strstr(text, "failures=\"1\""));
    free(text);
    text = written(table, &made.report);
    assert_int_equal(count_of(text, "NOT PROVEN"), 3);
    assert_non_null(strstr(text, "estimate because: here: reason"));
    free(text);
  }
  made.report.require_proof = false;
  assert_true(wb_analyze_allowed(&made.report));
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn, those of the JSON library too. Left out: the picture of
 * the graph, for Graphviz is not on the path here. */

static void table_json(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_table_json(report, 1, report, 1, text);
}

struct writing {
  writer *write;
  const struct wb_launch_report *report;
  const char *whole; /* the text with memory */
  size_t *different; /* texts that are another */
};

static warpbound_status write_text(const void *context, warpbound_error *error)
{
  const struct writing *writing = context;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  writing->write(writing->report, &text);
  const bool failed = text.failed;
  *writing->different += !failed && strcmp(text.data, writing->whole) != 0;
  return failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* A writer that lacks memory says so, or does without; it leaves nothing. least: allocations that
 * it surely makes; done_without: most of them that it can do without. */
static void check_writer(writer *write, const struct wb_launch_report *report, size_t least,
                         size_t done_without)
{
  FREED_BY(wb_text_free) struct wb_text whole = {0};
  size_t different = 0;
  write(report, &whole);
  assert_false(whole.failed);
  const struct writing writing = {write, report, whole.data, &different};
  assert_true(try_each(write_text, &writing, WARPBOUND_OK).total >= least);
  assert_in_range(different, 0, done_without);
}

static int no_graphviz(void **state)
{
  (void)state;
  json_set_alloc_funcs(malloc, free);
  return setenv("PATH", "/nowhere", 1);
}

TEST_BETWEEN(no_graphviz, NULL, writers_survive)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, "examples/mandelbrot.sass", NULL);
  made.report.accesses = true;
  check_writer(wb_analyze_text, &made.report, 5, 0);
  check_writer(table, &made.report, 3, 0);
  /* What both launches share may stand twice. */
  check_writer(sarif, &made.report, 50, 16);
  check_writer(junit, &made.report, 5, 0);
  check_writer(wb_analyze_json, &made.report, 200, 0);
  check_writer(table_json, &made.report, 200, 0);
}

TEST_BETWEEN(no_graphviz, NULL, page_survives)
{
  FREED_BY(made_launch_free) struct made_launch made;
  made_launch_start(&made, "examples/mandelbrot.sass", "examples/mandelbrot.cu");
  /* Without memory for it, the page does without the picture of the graph, as here. */
  check_writer(wb_analyze_page, &made.report, 1000, 0);
}
