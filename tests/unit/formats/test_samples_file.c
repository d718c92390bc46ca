/* Files of measured times: what is read, and what is refused where. Messages are in
 * tests/errors/evt. Left out: files of more than 10^8 values. */
#include "base/text.h"
#include "failing_heap.h"
#include "formats/samples/samples_file.h"
#include "unit.h"

/* Most cells of a row. */
#define MOST_CELLS 4096

static warpbound_status read_text(const char *text, const struct wb_samples_choice *choice,
                                  struct wb_samples *samples, warpbound_error *error)
{
  *error = (warpbound_error){0};
  return wb_samples_parse("f", text, strlen(text), choice, samples, error);
}

/* The samples as "column|unit|name:1,2;name:3". */
static char *described(const char *text, const struct wb_samples_choice *choice)
{
  FREED_BY(wb_samples_free) struct wb_samples samples;
  struct wb_text words = {0};
  warpbound_error error;
  if (read_text(text, choice, &samples, &error) != WARPBOUND_OK)
    fail_msg("%s: %zu:%zu: %s", text, error.line, error.column, error.message);
  wb_text_format(&words, "%s|%s|", samples.column != NULL ? samples.column : "-",
                 samples.unit != NULL ? samples.unit : "-");
  assert_string_equal(samples.file, "f");
  for (size_t s = 0; s < samples.count; s++) {
    wb_text_format(&words, "%s%s:", s > 0 ? ";" : "", samples.series[s].name);
    for (size_t i = 0; i < samples.series[s].count; i++)
      wb_text_format(&words, "%s%g", i > 0 ? "," : "", samples.series[s].values[i]);
  }
  return wb_text_take(&words);
}

static void expect(const char *text, const char *column, const char *group, const char *unit,
                   const char *expected)
{
  const struct wb_samples_choice choice = {column, group, unit};
  char *found = described(text, &choice);
  if (strcmp(found, expected) != 0)
    fail_msg("%s\nfound    %s\nexpected %s", text, found, expected);
  free(found);
}

static void refuse(const char *text, const char *column, const char *group, const char *unit,
                   warpbound_status status, size_t line, size_t place)
{
  const struct wb_samples_choice choice = {column, group, unit};
  struct wb_samples samples;
  warpbound_error error;
  assert_int_equal(read_text(text, &choice, &samples, &error), status);
  assert_int_not_equal(strlen(error.message), 0);
  if (error.line != line || error.column != place)
    fail_msg("%s\n%zu:%zu: %s", text, error.line, error.column, error.message);
  assert_null(samples.series);
}

TEST(csv_of_any_separator_is_read)
{
  expect("1\n2\n3", NULL, NULL, NULL, "-|-|:1,2,3");
  expect("time\n1\n2\n", NULL, NULL, NULL, "time|-|:1,2");
  expect("time (us)\r\n1.5\r\n2\r\n", NULL, NULL, NULL, "time (us)|us|:1.5,2");
  expect("\xef\xbb\xbfrun,duration_ns\n1,20\n2,30\n", NULL, NULL, NULL, "duration_ns|ns|:20,30");
  expect("run;time\n1;20\n", NULL, NULL, NULL, "time|-|:20");
  expect("run\ttime\n1\t20\n", "2", NULL, NULL, "time|-|:20");
  expect("run  time\n 1   20 \n", "time", NULL, NULL, "time|-|:20");
  expect(" 1 , 2 \n 3 , 4 \n", "1", NULL, NULL, "-|-|:1,3");
  expect("1,\n2,\n3\n", NULL, NULL, NULL, "-|-|:1,2,3");
  expect("a,b,\n1,2,\n3,4\n", "b", NULL, NULL, "b|-|:2,4");
  expect("# a comment\n==PROF== words, and words\n ** Title (x):\n\ntime\n \n1\n\n# more\n2\n",
         NULL, NULL, NULL, "time|-|:1,2");
  expect("0\n-0\n5", NULL, NULL, NULL, "-|-|:0,0,5");
}

TEST(columns_are_found)
{
  expect("a [us],b\n1,2\n", "a", NULL, NULL, "a [us]|us|:1");
  expect("a [us],b\n1,2\n", "a [us]", NULL, NULL, "a [us]|us|:1");
  expect("kernel,x\nadd,2\n", NULL, NULL, NULL, "x|-|:2");
  expect("start_ns,Duration (ns),size\n1,2,3\n", NULL, NULL, NULL, "Duration (ns)|ns|:2");
  expect("time,time (ms)\n1,2\n", NULL, NULL, NULL, "time (ms)|ms|:2");
  expect("x_ns,y\n1,2\n", NULL, NULL, NULL, "x_ns|ns|:1");
  expect("1,5\n2,6\n", NULL, "1", NULL, "-|-|1:5;2:6");
  /* A name wins over a number. */
  expect("2,b,time\n1,x,9\n", "3", "b", NULL, "time|-|x:9");
  refuse("a,b\n1,2\n", NULL, NULL, NULL, WARPBOUND_USAGE, 1, 1);
  refuse("a,b\nx,y\n", NULL, NULL, NULL, WARPBOUND_USAGE, 1, 1);
  refuse("a,a\n1,2\n", "a", NULL, NULL, WARPBOUND_USAGE, 1, 1);
  refuse("a,b\n1,2\n", "c", NULL, NULL, WARPBOUND_USAGE, 1, 1);
  refuse("a,b\n1,2\n", "3", NULL, NULL, WARPBOUND_USAGE, 1, 1);
  refuse("a,b\n1,2\n", "0", NULL, NULL, WARPBOUND_USAGE, 1, 1);
  refuse("a,b\n1,2\n", "a", "a", NULL, WARPBOUND_USAGE, 1, 1);
}

TEST(groups_are_series_in_the_order_of_the_file)
{
  expect("k,time\nb,1\na,2\nb,3\n", NULL, "k", NULL, "time|-|b:1,3;a:2");
  expect("\"k\",time\n\"f(int, int)\",1\n\"say \"\"x\"\"\",2\n\"two\nlines\",3\n", NULL, "k", NULL,
         "time|-|f(int, int):1;say \"x\":2;two\nlines:3");
  expect("k,time\n,1\na,2\n", NULL, "k", NULL, "time|-|:1;a:2");
}

TEST(too_many_groups_are_refused)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_string(&text, "k,time\n");
  for (int i = 0; i <= WB_SERIES_LIMIT; i++)
    wb_text_format(&text, "%d,1\n", i);
  refuse(text.data, NULL, "k", NULL, WARPBOUND_INVALID_INPUT, WB_SERIES_LIMIT + 2, 1);
}

TEST(units_are_found_and_compared)
{
  expect("t\n1\n", NULL, NULL, "us", "t|us|:1");
  expect("1us\n2 us\n", NULL, NULL, NULL, "-|us|:1,2");
  expect("1 us\n2 us\n", NULL, NULL, NULL, "-|us|:1,2");
  expect("cycles\n1\n", NULL, NULL, NULL, "cycles|cycles|:1");
  expect("t,unit\n1,msecond\n2,ms\n", NULL, NULL, NULL, "t|ms|:1,2");
  expect("\"ID\",\"gpu__time_duration.sum\"\n\"\",\"usecond\"\n\"0\",\"1.5\"\n",
         "gpu__time_duration.sum", NULL, NULL, "gpu__time_duration.sum|us|:1.5");
  expect("time_us\n1\n", NULL, NULL, "microseconds", "time_us|us|:1");
  refuse("time_us\n1\n", NULL, NULL, "ns", WARPBOUND_USAGE, 0, 0);
  refuse("time_us\n1\n", NULL, NULL, "hours", WARPBOUND_USAGE, 0, 0);
  refuse("time_us\n1ns\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 1);
  refuse("1us\n2ns\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 1);
  refuse("t,unit\n1,ms\n2,us\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 3);
  refuse("t,unit\n1,ms\n2,x\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 3);
}

TEST(commas_of_thousands_are_read_where_they_are_certain)
{
  expect("\"1,234,567\"\n\"2,345\"\n", NULL, NULL, NULL, "-|-|:1.23457e+06,2345");
  expect("\"Kernel Name\",\"Metric Value\"\n\"k\",\"1,234\"\n", NULL, NULL, NULL,
         "Metric Value|-|:1234");
  refuse("t\n\"1\"\n\"1,234\"\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 1);
  refuse("t\n\"1,5\"\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 1);
  refuse("t;u\n1,234,567;a\n", "t", NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 1);
}

TEST(bad_values_are_named_by_place)
{
  static const char *const bad[] = {"-1", "-1e-300", "nan", "NaN",  "inf", "-inf", "1e999",
                                    "",   "x",       "1x",  "0x10", "1 2", "1_0",  "--1"};
  for (size_t b = 0; b < COUNT_OF(bad); b++) {
    char text[64];
    snprintf(text, sizeof text, "run,time\n1,5\n2,%s\n", bad[b]);
    refuse(text, NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 3);
  }
  /* The first value too: it is no header. */
  refuse("nan\n1\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 1);
  refuse("-5\n1\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 1);
  refuse("12x4\n13\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 1);
  refuse("1 2\n3\n", "1", NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 1);
  refuse("1\n2\ntime\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 1);
}

TEST(damaged_tables_are_refused)
{
  refuse("", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("# nothing\n\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("time\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("a,time\n1,2\n3\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 1);
  refuse("a,time\n1,2\n3,4,5\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 1);
  refuse("a,time\n1,2\n3,4,,\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 1);
  refuse("a,time\n\"1,2\n3,4\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 1);
  refuse("a,time\n\"1\"x,2\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 4);
  refuse("a,time\n\"x\ny\"z,2\n", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 3, 3);
}

TEST(a_row_of_too_many_cells_is_refused)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_string(&text, "1");
  wb_text_fill(&text, ',', MOST_CELLS);
  refuse(text.data, "1", NULL, NULL, WARPBOUND_INVALID_INPUT, 1, MOST_CELLS + 2);
}

TEST(json_is_read)
{
  expect("[1, 2.5,\n3e1]\n", NULL, NULL, NULL, "-|-|:1,2.5,30");
  expect("\xef\xbb\xbf [1]", NULL, NULL, "ns", "-|ns|:1");
  expect("[{\"t_ns\": 1, \"k\": \"a\"}, {\"t_ns\": 2, \"k\": 7}]", NULL, "k", NULL,
         "t_ns|ns|a:1;7:2");
  expect("[{\"t\": 1, \"u\": 3}, {\"t\": 2}]", "t", NULL, NULL, "t|-|:1,2");
  expect("{\"a\": [1, 2], \"b\": [3], \"unit\": \"us\", \"device\": 5}", NULL, NULL, NULL,
         "-|us|a:1,2;b:3");
  expect("{\"time_us\": [1, 2]}", NULL, NULL, NULL, "time_us|us|:1,2");
  expect("{\"a\": [1, 2], \"b\": [3]}", "b", NULL, NULL, "b|-|:3");
}

TEST(bad_json_is_refused)
{
  refuse("[1, -2]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 5);
  refuse("[1,\n NaN]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 2, 2);
  refuse("[1, null]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 5);
  refuse("[1, \"2\"]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 5);
  refuse("[1, 2", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 6);
  refuse("[1, 2] 3", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 8);
  refuse("[1 2]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 4);
  refuse("[1,]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 4);
  refuse("[1us]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 2);
  refuse("[]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("{}", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("[1]", "t", NULL, NULL, WARPBOUND_USAGE, 0, 0);
  refuse("[[1]]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("[{\"a\": 1}, {\"b\": 2}]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("[{\"a\": 1}, 2]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("[{\"a\": -1}]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("[{\"a\": 1, \"b\": 2}]", NULL, NULL, NULL, WARPBOUND_USAGE, 0, 0);
  refuse("[{\"a\": 1}]", "b", NULL, NULL, WARPBOUND_USAGE, 0, 0);
  refuse("[{\"a\": 1}]", NULL, "b", NULL, WARPBOUND_USAGE, 0, 0);
  refuse("[{\"a\": 1, \"b\": []}]", "a", "b", NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("{\"a\": [1], \"unit\": \"x\"}", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("{\"a\": [1, {}]}", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 0, 0);
  refuse("{\"a\": [1]}", NULL, "b", NULL, WARPBOUND_USAGE, 0, 0);
  refuse("{\"a\": [1]", NULL, NULL, NULL, WARPBOUND_INVALID_INPUT, 1, 9);
}

TEST(words_for_units_are_known)
{
  assert_string_equal(wb_time_unit("NSECOND", 7), "ns");
  assert_string_equal(wb_time_unit("\xc2\xb5s", 3), "us");
  assert_null(wb_time_unit("", 0));
  assert_null(wb_time_unit("m", 1));
  assert_null(wb_time_unit("ns ns", 5));
  assert_null(wb_time_unit("nanosecondsnanoseconds", 22));
  assert_string_equal(wb_time_unit_of_name("elapsed.ms"), "ms");
  assert_null(wb_time_unit_of_name("times"));
  assert_null(wb_time_unit_of_name("time (%)"));
  assert_null(wb_time_unit_of_name(")"));
  assert_null(wb_time_unit_of_name("()"));
  assert_int_equal(wb_time_name_length("time (us)"), 4);
  assert_int_equal(wb_time_name_length("(us)"), 0);
  assert_true(wb_time_unit_seconds("us") == 1e-6);
  assert_true(wb_time_unit_seconds("cycles") == 0);
}

/* ---- when memory runs out ----
 *
 * Every allocation is made to fail in turn. Left out: allocations of Jansson. */

static const char table[] = "\"Kernel Name\",\"time\",unit\n\"a \"\"b\"\"\",1,ns\nc,2,ns\nd,3,ns\n"
                            "e,4,ns\nf,5,ns\ng,6,ns\nh,7,ns\ni,8,ns\nj,9,ns\nj,1,ns\nj,1,ns\n";

struct file {
  const char *text;
  struct wb_samples_choice choice;
  warpbound_status last;
  size_t least; /* failures */
};

static warpbound_status parse(const void *context, warpbound_error *error)
{
  const struct file *file = context;
  FREED_BY(wb_samples_free) struct wb_samples samples;
  const warpbound_status status = read_text(file->text, &file->choice, &samples, error);
  return status;
}

/* Files that are read, and files that are refused. */
TEST(reading_fails_cleanly)
{
  static const struct file files[] = {
      {table, {.group = "Kernel Name"}, WARPBOUND_OK, 21},
      {"[1, 2, 3]", {0}, WARPBOUND_OK, 4},
      {"a,b\n1,2\n", {.column = "x"}, WARPBOUND_USAGE, 4},
      {"a,b\n1,2\n", {0}, WARPBOUND_USAGE, 4},
  };
  for (size_t f = 0; f < COUNT_OF(files); f++)
    assert_true(fail_each(parse, &files[f], files[f].last) >= files[f].least);
}
