/* Reports on launches when memory runs out: every allocation is made to fail in turn, those of the
 * JSON library too. Left out: the picture of the graph, for Graphviz is not on the path here. */
#include "base/status.h"
#include "failing_heap.h"
#include "launches/made_launch.h"
#include "unit.h"

#include <jansson.h>

typedef void writer(const struct wb_launch_report *report, struct wb_text *text);

/* A launch that could not be analysed, with letters that XML escapes. */
static const struct wb_refused_launch wide = {"wide <&> \"block\"", "at most 1024 threads"};
static const struct wb_refused_launches refused = {&wide, 1};

static void sarif(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_sarif(report, 1, &refused, text);
}

static void junit(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_junit(report, 1, &refused, text);
}

static void table(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_table(report, 1, text);
}

static void table_json(const struct wb_launch_report *report, struct wb_text *text)
{
  wb_analyze_table_json(report, 1, text);
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
  check_writer(sarif, &made.report, 50, 0);
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
