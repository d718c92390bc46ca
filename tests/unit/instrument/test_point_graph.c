/* Points and transitions, of kernels whose graph can be seen, and of random ones against a search
 * that knows nothing of rows. */
#include "base/random.h"
#include "base/text.h"
#include "frontend/ptx/ptx_front_end.h"
#include "instrument/check_instrumented.h"
#include "unit.h"

#define HEAD ".version 8.5\n.target sm_80\n.address_size 64\n.file 1 \"d/a.cu\"\n"
#define BODY(statements) HEAD ".entry k() { .reg .pred %p; .reg .b32 %r;\n" statements "\n}\n"

static struct wb_instrumentation make(const char *text, const struct wb_point_options *options)
{
  struct wb_instrumentation made;
  warpbound_error error = {0};
  if (wb_instrument("test", text, strlen(text), NULL, options, &made, &error) != WARPBOUND_OK)
    fail_msg("%zu: %s", error.line, error.message);
  return made;
}

/* "0-2 2-2 2-1", in order. */
static void expect_graph(const char *text, const struct wb_point_options *options,
                         const char *expected)
{
  FREED_BY(wb_instrumentation_free) struct wb_instrumentation made = make(text, options);
  FREED_BY(wb_text_free) struct wb_text found = {0};
  for (size_t t = 0; t < made.graph.transition_count; t++)
    wb_text_format(&found, "%s%lu-%lu", t > 0 ? " " : "",
                   (unsigned long)made.graph.transitions[t].from,
                   (unsigned long)made.graph.transitions[t].to);
  assert_string_equal(found.data != NULL ? found.data : "", expected);
}

TEST(test_seen)
{
  const struct wb_point_options none = {.places = WB_POINTS_NONE};
  const struct wb_point_options blocks = {.places = WB_POINTS_BLOCKS};
  const struct wb_point_options loops = {.places = WB_POINTS_LOOPS};
  const struct wb_point_options lines = {.places = WB_POINTS_LINES};
  const char *const loop = BODY("mov.b32 %r, 0;\nL: add.s32 %r, %r, 1;\n@%p bra L;\nret;");
  expect_graph(loop, &none, "0-1");
  expect_graph(loop, &loops, "0-2 2-2 2-1");
  expect_graph(loop, &blocks, "0-2 2-2 2-3 3-1");
  /* The first block is entered again: it has a point, apart from the start. */
  expect_graph(BODY("L: @%p bra L; ret;"), &blocks, "0-2 2-2 2-3 3-1");
  /* A guarded exit ends some threads. */
  expect_graph(BODY("@%p ret; mov.b32 %r, 0; exit;"), &blocks, "0-2 0-1 2-1");
  /* trap ends no thread that is measured; calls go on. */
  expect_graph(BODY("@%p trap; call f; ret;") ".func f() { ret; }", &blocks, "0-2 2-1");
  /* What no thread reaches has no point; the end of the text is an end. */
  expect_graph(BODY("bra E; M: bra M; E:"), &blocks, "0-1");
  expect_graph(BODY("bra A; M: bra M; A: ret;"), &blocks, "0-2 2-1");
  expect_graph(BODY("T: .branchtargets A, B, A; @%p brx.idx %r, T; A: ret; B: bra A;"), &blocks,
               "0-2 0-3 2-1 3-2");
  expect_graph(BODY(".loc 1 1 1\nmov.b32 %r, 0;\nmov.b32 %r, 1;\n.loc 1 2 1\nmov.b32 %r, 2;\n"
                    ".loc 1 1 1\nret;"),
               &lines, "0-2 2-3 3-1");
}

static void expect_places(const char *place, size_t count, uint32_t first)
{
  static const char text[] = BODY(".loc 1 5 1\nmov.b32 %r, 0;\nmov.b32 %r, 1;\nL: @%p bra L;\n"
                                  ".loc 1 6 1\nmov.b32 %r, 2;\n.loc 1 5 1\nret;");
  const char *const named[] = {place};
  const struct wb_point_options options = {.named = named, .named_count = 1};
  FREED_BY(wb_instrumentation_free) struct wb_instrumentation made = make(text, &options);
  assert_int_equal(made.points.place_count, count);
  assert_int_equal(made.points.instructions[0], first);
}

TEST(test_named)
{
  expect_places("L", 1, 2);
  expect_places("8", 1, 1);
  expect_places("a.cu:5", 3, 0); /* each block's first instruction of the line */
  expect_places("d/a.cu:6", 1, 3);
}

#define MOST 24

static void write_random(struct wb_text *text, struct wb_random *random, size_t count)
{
  wb_text_string(text, HEAD ".entry k() { .reg .pred %p; .reg .b32 %r;\n");
  wb_text_string(text, "T: .branchtargets L0, L1, L2;\n");
  for (size_t i = 0; i < count; i++) {
    wb_text_format(text, "L%zu:\n", i);
    const size_t target = (size_t)wb_random_below(random, count + 1);
    switch (wb_random_below(random, 8)) {
    case 0:
      wb_text_format(text, "bra L%zu;\n", target);
      break;
    case 1:
    case 2:
      wb_text_format(text, "@%%p bra L%zu;\n", target);
      break;
    case 3:
      wb_text_string(text, "@%p exit;\n");
      break;
    case 4:
      wb_text_string(text, "brx.idx %r, T;\n");
      break;
    default:
      wb_text_string(text, "mov.b32 %r, 0;\n");
    }
  }
  wb_text_format(text, "L%zu: ret; }\n", count);
}

/* The points that threads can pass next after one, by a search over sets. */
struct search {
  const struct wb_points *points;
  bool seen[MOST + 1];
  bool next[MOST + 3]; /* by point */
  const struct wb_function *function;
};

static void visit(void *context, size_t to)
{
  struct search *search = context;
  if (to == SIZE_MAX) {
    search->next[WB_POINT_END] = true;
  } else if (search->points->point_at[to] != 0) {
    search->next[search->points->point_at[to]] = true;
  } else if (!search->seen[to]) {
    search->seen[to] = true;
    wb_ptx_successors(search->function, to, visit, search);
  }
}

static void check_point(const struct wb_instrumentation *made, const struct wb_function *function,
                        uint32_t point)
{
  struct search search = {.points = &made->points, .function = function};
  if (point == WB_POINT_START)
    visit(&search, 0);
  else if (point != WB_POINT_END)
    wb_ptx_successors(function, made->points.instructions[point - WB_POINT_FIRST_PLACE], visit,
                      &search);
  for (size_t t = made->graph.first[point]; t < made->graph.first[point + 1]; t++) {
    assert_int_equal(made->graph.transitions[t].from, point);
    assert_true(search.next[made->graph.transitions[t].to]);
    search.next[made->graph.transitions[t].to] = false;
  }
  for (size_t p = 0; p < MOST + 3; p++)
    assert_false(search.next[p]);
}

TEST(test_random)
{
  static const enum wb_point_places places[] = {WB_POINTS_NONE, WB_POINTS_BLOCKS, WB_POINTS_LOOPS};
  print_message("# seed 1\n");
  struct wb_random random = {1};
  for (size_t k = 0; k < 2000; k++) {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    FREED_BY(wb_code_free) struct wb_code code;
    write_random(&text, &random, 3 + (size_t)wb_random_below(&random, MOST - 4));
    assert_ok(wb_ptx_parse("test", text.data, text.length, NULL, &code, NULL));
    const struct wb_point_options options = {.places = places[k % 3]};
    FREED_BY(wb_instrumentation_free) struct wb_instrumentation made = make(text.data, &options);
    const char *wrong = check_instrumented(text.data, text.length, &made);
    if (wrong != NULL)
      fail_msg("kernel %zu: %s:\n%s", k, wrong, text.data);
    for (uint32_t point = 0; point < made.graph.point_count; point++)
      check_point(&made, &code.functions[0], point);
  }
}
