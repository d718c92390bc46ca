/* Pictures of schedules: what is in each cell, what is left out, and that the
 * output is whole (balanced XML, aligned lines). */
#include "base/random.h"
#include "makespan/exact/dense_search.h"
#include "makespan/machine/policy.h"
#include "makespan_problems.h"
#include "report/gantt/gantt.h"
#include "unit.h"

#define WAIT WB_GANTT_WAITING
#define DONE WB_GANTT_FINISHED

struct drawn {
  struct wb_problem problem;
  struct wb_schedule schedule;
  struct wb_text text;
};

static struct drawn simulated(const char *string, const char *units, uint32_t slots, uint32_t warps)
{
  struct drawn drawn = {.problem = make_problem(string, units, slots, 1, warps, "")};
  struct wb_control control = wb_control_start(NULL);
  enum wb_stop stop;
  assert_ok(wb_policy_simulate(wb_policy_find("loose-round-robin"), &drawn.problem, &control,
                               &drawn.schedule, &stop, NULL));
  return drawn;
}

static struct drawn worst_voronoi(void)
{
  struct drawn drawn = {.problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 4, "")};
  struct wb_control control = wb_control_start(NULL);
  struct wb_search search;
  assert_ok(wb_dense_search(&drawn.problem, 100, &control, &search, NULL));
  wb_schedule_swap(&drawn.schedule, &search.witness);
  wb_search_free(&search);
  assert_int_equal(drawn.schedule.makespan, 45);
  return drawn;
}

static void drop(struct drawn *drawn)
{
  wb_problem_free(&drawn->problem);
  wb_schedule_free(&drawn->schedule);
  wb_text_free(&drawn->text);
}

static void draw_svg(struct drawn *drawn, const char *title)
{
  wb_text_free(&drawn->text);
  struct wb_widened_problem wide;
  wb_problem_widen(&drawn->problem, &wide);
  wb_gantt_svg(&wide.whole, &drawn->schedule, &drawn->problem, title, &drawn->text);
  assert_false(drawn->text.failed);
}

static void draw_terminal(struct drawn *drawn, size_t columns, size_t rows, bool colour)
{
  wb_text_free(&drawn->text);
  struct wb_widened_problem wide;
  wb_problem_widen(&drawn->problem, &wide);
  wb_gantt_terminal(&wide.whole, &drawn->schedule, columns, rows, colour, &drawn->text);
  assert_false(drawn->text.failed);
}

static size_t occurrences(const char *text, const char *part)
{
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
    count++;
  return count;
}

static void assert_contains(const struct drawn *drawn, const char *part)
{
  if (strstr(drawn->text.data, part) == NULL)
    fail_msg("'%s' is not in:\n%.4000s", part, drawn->text.data);
}

static void assert_lacks(const struct drawn *drawn, const char *part)
{
  if (strstr(drawn->text.data, part) != NULL)
    fail_msg("'%s' is in:\n%.4000s", part, drawn->text.data);
}

/* ---- The layout ---- */

/* A window, and what it was made from. */
struct view {
  struct wb_widened_problem wide;
  struct wb_gantt_plan plan;
  struct wb_gantt_window window;
};

static void look(struct view *view, const struct drawn *drawn, uint64_t first, size_t cycles,
                 uint32_t warp_limit, uint32_t unit_limit)
{
  wb_problem_widen(&drawn->problem, &view->wide);
  assert_true(
      wb_gantt_plan_make(&view->wide.whole, &drawn->schedule, warp_limit, unit_limit, &view->plan));
  assert_true(wb_gantt_window_make(&view->plan, first, cycles, &view->window));
}

static void close_view(struct view *view)
{
  wb_gantt_window_free(&view->window);
  wb_gantt_plan_free(&view->plan);
}

static void assert_cells(const uint32_t *cells, const uint32_t *expected, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (cells[i] != expected[i])
      fail_msg("cell %zu is %u, expected %u", i, cells[i], expected[i]);
  }
}

/* LCC on two warps with L=1, C=2: the second warp starts a cycle later. */
TEST(cells_say_what_warps_and_units_do)
{
  struct drawn drawn = simulated("LCC", "L=1,C=2", 0, 2);
  assert_int_equal(drawn.schedule.makespan, 4);
  FREED_BY(close_view) struct view view;
  look(&view, &drawn, 1, 4, 2, 18);
  const uint32_t L = WB_UNIT_LOAD_STORE, C = WB_UNIT_CORE;
  const uint32_t warps[] = {L, C, C, DONE, WAIT, L, C, C};
  assert_cells(view.window.warp_cells, warps, 8);
  assert_int_equal(view.plan.all_unit_rows, 3);
  assert_int_equal(wb_gantt_pool_of(&view.plan, 0, WB_UNIT_CORE)->base, 1);
  /* Warp 2 takes the second core, for the first is warp 1's, and stays there. */
  const uint32_t units[] = {1, 2, 0, 0, 0, 1, 1, 0, 0, 0, 2, 2};
  assert_cells(view.window.unit_cells, units, 12);
  const uint32_t used[] = {1, 1, 0, 0, 0, 1, 2, 1};
  assert_cells(view.window.used, used, 8);
  const uint32_t issued[] = {1, 2, 2, 1};
  assert_cells(view.window.issued, issued, 4);
  drop(&drawn);
}

/* The parts of a schedule say the same as the whole. */
TEST(windows_agree)
{
  struct drawn drawn = simulated("2L3C2S1D2N4CSL", "L=1,C=2,S=1/2,D=1", 2, 5);
  size_t cycles = (size_t)drawn.schedule.makespan;
  FREED_BY(close_view) struct view whole;
  look(&whole, &drawn, 1, cycles, 5, 36);
  assert_int_equal(whole.plan.pool_count, 4);
  for (size_t first = 1; first + 7 <= cycles; first += 7) {
    FREED_BY(close_view) struct view part;
    look(&part, &drawn, first, 7, 5, 36);
    const struct wb_gantt_window *window = &whole.window;
    for (size_t w = 0; w < 5; w++)
      assert_cells(part.window.warp_cells + w * 7, window->warp_cells + w * cycles + first - 1, 7);
    for (size_t i = 0; i < 4; i++)
      assert_cells(part.window.used + i * 7, window->used + i * cycles + first - 1, 7);
    assert_cells(part.window.issued, window->issued + first - 1, 7);
  }
  drop(&drawn);
}

/* As many units busy in the rows as instructions issued, and each by one warp. */
TEST(units_serve_what_is_issued)
{
  struct drawn drawn = simulated("3L4C2S3CLS", "L=2,C=3,S=1", 4, 7);
  size_t cycles = (size_t)drawn.schedule.makespan;
  FREED_BY(close_view) struct view view;
  look(&view, &drawn, 1, cycles, 7, 27);
  assert_int_equal(view.plan.pool_count, 3);
  for (size_t at = 0; at < cycles; at++) {
    for (size_t i = 0; i < view.plan.pool_count; i++) {
      const struct wb_gantt_pool *pool = &view.plan.pools[i];
      uint32_t busy = 0;
      for (uint32_t k = 0; k < pool->rows; k++) {
        uint32_t served = view.window.unit_cells[(pool->base + k) * cycles + at];
        busy += served > 0;
        if (served > 0)
          assert_int_equal(view.window.warp_cells[(served - 1) * cycles + at], pool->unit);
      }
      assert_int_equal(busy, view.window.used[i * cycles + at]);
    }
  }
  drop(&drawn);
}

/* With fewer rows than units and warps, the rest still counts. */
TEST(hidden_rows_count)
{
  struct drawn drawn = simulated("LC", "L=4,C=4", 0, 4);
  FREED_BY(close_view) struct view view;
  look(&view, &drawn, 1, 2, 1, 4);
  assert_int_equal(view.plan.all_unit_rows, 4);
  assert_int_equal(view.window.used[0], 4);
  const uint32_t units[] = {1, 0, 2, 0, 0, 1, 0, 2};
  assert_cells(view.window.unit_cells, units, 8);
  drop(&drawn);
}

/* Cycles that no schedule has must not lead a picture out of its arrays. */
TEST(nonsense_is_harmless)
{
  FREED_BY(drop) struct drawn drawn = {.problem = make_problem("LCLC", "L=1,C=1", 1, 1, 3, "")};
  assert_ok(wb_schedule_start(&drawn.schedule, 3, 4, NULL));
  const uint32_t cycles[12] = {0, 0, 0, 0, 9, 1, 9, UINT32_MAX, 2, 2, 2, 2};
  memcpy(drawn.schedule.issue_cycle, cycles, sizeof cycles);
  for (uint64_t makespan = 0; makespan < 12; makespan += 4) {
    drawn.schedule.makespan = makespan;
    draw_svg(&drawn, "nonsense");
    draw_terminal(&drawn, 80, 0, true);
  }
}

static unsigned share_of(const struct drawn *drawn, enum wb_unit unit)
{
  FREED_BY(close_view) struct view view;
  look(&view, drawn, 1, 1, 1, 1);
  unsigned permille = wb_gantt_busy_permille(&view.plan, unit, WB_GANTT_ALL_PARTITIONS);
  assert_int_equal(wb_gantt_busy_permille(&view.plan, unit, 0), permille);
  return permille;
}

TEST(shares_are_of_the_whole)
{
  FREED_BY(drop) struct drawn drawn = worst_voronoi();
  assert_int_equal(share_of(&drawn, WB_UNIT_LOAD_STORE), 622);
  assert_int_equal(share_of(&drawn, WB_UNIT_CORE), 400);
  drawn.problem.issue_slots = 3;
  assert_int_equal(share_of(&drawn, WB_UNIT_COUNT), 741);
}

TEST(strings_are_cut)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 4, "");
  struct wb_kernel_string strings[] = {problem.string, problem.string};
  struct wb_sm_problem wide = {.strings = strings, .string_count = 1};
  struct wb_text text = {0};
  wb_gantt_strings(&wide, 8, &text);
  assert_string_equal(text.data, "5L9C2L9C");
  wb_text_free(&text);
  wb_gantt_strings(&wide, 5, &text);
  assert_string_equal(text.data, "5L9C2...");
  wb_text_free(&text);
  wide.string_count = 2;
  wb_gantt_strings(&wide, 18, &text);
  assert_string_equal(text.data, "5L9C2L9C, 5L9C2L9C");
  wb_text_free(&text);
  wb_gantt_strings(&wide, 11, &text);
  assert_string_equal(text.data, "5L9C2L9C, 5...");
  wb_text_free(&text);
  wb_problem_free(&problem);
}

/* ---- The terminal ---- */

TEST(terminal_shows_every_cell)
{
  struct drawn drawn = simulated("LCCN", "L=1,C=2", 2, 3);
  draw_terminal(&drawn, 80, 0, false);
  assert_string_equal(drawn.text.data,
                      "L2CN: 3 warps, 7 cycles\n"
                      "L load/store   C CUDA core   N issue only   . waiting   blank finished\n"
                      "- no unit busy\n"
                      "\n"
                      "      cycle  1\n"
                      "            |----'--|\n"
                      "     warp 1 |LC.CN  |\n"
                      "     warp 2 |.LCC.N |\n"
                      "     warp 3 |..L.CCN|\n"
                      "            |----'--|\n"
                      "     L of 1 |111----|\n"
                      "     C of 2 |-11211-|\n"
                      "issued of 2 |1222221|\n"
                      "\n"
                      "busy  42.9 %  L load/store, 1 unit\n"
                      "busy  42.9 %  C CUDA core, 2 units\n"
                      "busy  85.7 %  issue slots, 2 a cycle\n");
  drop(&drawn);
}

/* No line of a block is wider than asked for, however the columns are chosen. */
static void assert_widths(const struct drawn *drawn, size_t columns)
{
  const char *line = drawn->text.data;
  while (*line != '\0') {
    const char *end = strchr(line, '\n');
    assert_non_null(end);
    if (memchr(line, '|', (size_t)(end - line)) != NULL && (size_t)(end - line) > columns)
      fail_msg("wider than %zu: %.*s", columns, (int)(end - line), line);
    assert_true(end == line || end[-1] != ' ');
    line = end + 1;
  }
}

TEST(terminal_wraps)
{
  struct drawn drawn = simulated("5L9C2L9C", "L=1,C=12", 11, 16);
  assert_int_equal(drawn.schedule.makespan, 121);
  for (size_t columns = 30; columns < 200; columns += 7) {
    draw_terminal(&drawn, columns, 0, false);
    assert_widths(&drawn, columns);
    assert_lacks(&drawn, "Left out");
  }
  draw_terminal(&drawn, 60, 0, false);
  assert_int_equal(occurrences(drawn.text.data, "warp 16 |"), 4);
  assert_contains(&drawn, " cycle  81      90       100       110       120\n");
  assert_contains(&drawn, "issued of 11 |a998");
  assert_contains(&drawn, "a..z 10 to 35 busy");
  drop(&drawn);
}

TEST(terminal_says_what_is_left_out)
{
  struct drawn drawn = simulated("300L2C", "L=1,C=50", 0, 60);
  draw_terminal(&drawn, 1, 2, false);
  assert_int_equal(occurrences(drawn.text.data, "warp 60 |"), 20);
  assert_int_equal(occurrences(drawn.text.data, "warp 59 |"), 20);
  assert_int_equal(occurrences(drawn.text.data, "warp "), 40);
  assert_contains(&drawn, "Left out: cycles 201 to ");
  assert_contains(&drawn, "Left out: 58 of 60 warps; those that finish last are shown");
  assert_contains(&drawn, "+ more");
  draw_terminal(&drawn, SIZE_MAX, 2, false);
  assert_lacks(&drawn, "Left out: cycles");
  drop(&drawn);
}

/* Colour changes nothing but escapes, and every one of them is ended. */
TEST(colour_only_adds_escapes)
{
  struct drawn drawn = simulated("2L3C2S1D2N4CSL", "L=1,C=2,S=1/2,D=1", 2, 5);
  draw_terminal(&drawn, 70, 0, false);
  assert_lacks(&drawn, "\033");
  char *plain = wb_text_take(&drawn.text);
  draw_terminal(&drawn, 70, 0, true);
  FREED_BY(wb_text_free) struct wb_text stripped = {0};
  bool coloured = false;
  for (const char *at = drawn.text.data; *at != '\0'; at++) {
    if (*at == '\n')
      assert_false(coloured);
    if (*at != '\033') {
      wb_text_append(&stripped, at, 1);
      continue;
    }
    coloured = at[2] != '0';
    at = strchr(at, 'm');
  }
  assert_string_equal(stripped.data, plain);
  free(plain);
  drop(&drawn);
}

/* ---- SVG ---- */

/* Every tag is closed in order, attributes are quoted, and no bare & is left. */
static void assert_well_formed(const char *xml)
{
  char open[16][16];
  size_t depth = 0;
  for (const char *at = strchr(xml, '<'); at != NULL; at = strchr(at, '<')) {
    const char *end = strchr(at, '>');
    assert_non_null(end);
    assert_null(memchr(at + 1, '<', (size_t)(end - at - 1)));
    bool closing = at[1] == '/';
    const char *name = at + 1 + closing;
    size_t length = strcspn(name, " />");
    assert_in_range(length, 1, sizeof open[0] - 1);
    if (closing) {
      assert_true(depth > 0);
      depth--;
      assert_true(strncmp(open[depth], name, length) == 0 && open[depth][length] == '\0');
    } else if (end[-1] != '/') {
      assert_true(depth < 16);
      memcpy(open[depth], name, length);
      open[depth++][length] = '\0';
    }
    at = end;
  }
  assert_int_equal(depth, 0);
  for (const char *at = xml; (at = strchr(at, '&')) != NULL; at++)
    assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                strncmp(at, "&gt;", 4) == 0);
}

TEST(svg_shows_voronoi)
{
  FREED_BY(drop) struct drawn drawn = worst_voronoi();
  draw_svg(&drawn, "Voronoi");
  assert_well_formed(drawn.text.data);
  assert_true(strncmp(drawn.text.data, "<svg xmlns=\"http://www.w3.org/2000/svg\"", 39) == 0);
  assert_contains(&drawn, "<title>Voronoi</title>");
  assert_contains(&drawn, "string 5L9C2L9C (25 instructions)");
  assert_contains(&drawn, "makespan 45 cycles");
  assert_contains(&drawn, "62.2 %");
  assert_contains(&drawn, "40.0 %");
  assert_contains(&drawn, ">C4</text>");
  assert_lacks(&drawn, ">issued</text>");
  assert_lacks(&drawn, "Cut:");
  /* One letter a cell; two more in the legend. */
  assert_int_equal(occurrences(drawn.text.data, ">L</text>"), 4 * 7 + 1);
  assert_int_equal(occurrences(drawn.text.data, ">C</text>"), 4 * 18 + 1);
  assert_contains(&drawn, "warp 1, cycles 8 to 9: load/store");
  assert_contains(&drawn, "C1, cycles 1 to 9: idle");
  assert_true(drawn.text.length < 20000);
}

TEST(svg_shows_every_type_and_slots)
{
  struct drawn drawn = simulated("2L3C2S1D2T2N4CSL", "L=1,C=4,S=1/2,D=1,T=1/2", 2, 6);
  draw_svg(&drawn, NULL);
  assert_well_formed(drawn.text.data);
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (u != WB_UNIT_BARRIER)
      assert_contains(&drawn, wb_unit_name((enum wb_unit)u));
  }
  assert_contains(&drawn, "<title>Schedule</title>");
  assert_contains(&drawn, ">issued</text>");
  assert_contains(&drawn, ">of 2</text>");
  assert_lacks(&drawn, ">N1</text>");
  drop(&drawn);
}

TEST(svg_escapes_titles)
{
  struct drawn drawn = simulated("L", "L=1", 0, 1);
  draw_svg(&drawn, "a<b>&\"c\"\n\x01 \xc3\xa9 \xff \xed\xa0\x80 \xe2\x82");
  assert_well_formed(drawn.text.data);
  const char *bad = "\xef\xbf\xbd";
  char expected[128];
  snprintf(expected, sizeof expected, ">a&lt;b&gt;&amp;\"c\"   \xc3\xa9 %s %s%s%s %s%s<", bad, bad,
           bad, bad, bad, bad);
  assert_contains(&drawn, expected);
  char title[5001];
  memset(title, 'W', 5000);
  title[5000] = '\0';
  draw_svg(&drawn, title);
  assert_well_formed(drawn.text.data);
  assert_true(drawn.text.length < 8000);
  assert_contains(&drawn, "WWW...</text>");
  drop(&drawn);
}

/* Rows of wide schedules are drawn by outlines: no tooltips, few bytes. */
TEST(svg_stays_small)
{
  struct drawn drawn = simulated("5L9C2L9C", "L=1,C=4", 0, 64);
  draw_svg(&drawn, "64 warps");
  assert_well_formed(drawn.text.data);
  assert_lacks(&drawn, "serves warp");
  assert_lacks(&drawn, ">warp 2</text>");
  assert_contains(&drawn, ">warp 60</text>");
  assert_true(drawn.text.length < 150000);
  drop(&drawn);
}

TEST(svg_says_what_is_left_out)
{
  struct drawn drawn = simulated("20L2C", "L=1,C=300", 7, 400);
  draw_svg(&drawn, "cut");
  assert_well_formed(drawn.text.data);
  assert_contains(&drawn, "Cut: cycles 1 to 4000 of ");
  assert_contains(&drawn, "Cut: the 256 warps that finish last are shown, 144 of 400 left out");
  assert_contains(&drawn, "Cut: units C1 to C128 of 300");
  drop(&drawn);
  drawn = simulated("LC", "L=1,C=6", 0, 2);
  draw_svg(&drawn, "few warps");
  assert_contains(&drawn, "Of the 6 units of type C, 2 are shown");
  assert_lacks(&drawn, ">C3</text>");
  drop(&drawn);
}

TEST(every_size_is_drawn)
{
  static const char *const strings[] = {"L",     "N",        "3N",   "LCSDTN",
                                        "LBCBS", "2L5C3S2L", "40CL", "90L"};
  static const uint32_t warps[] = {1, 2, 3, 9, 17, 40, 70, 130, 300};
  for (size_t s = 0; s < COUNT_OF(strings); s++) {
    for (size_t w = 0; w < COUNT_OF(warps); w++) {
      for (uint32_t slots = 0; slots < 4; slots++) {
        struct drawn drawn = simulated(strings[s], "L=1,C=20,S=2,D=1,T=1", slots, warps[w]);
        draw_svg(&drawn, strings[s]);
        assert_well_formed(drawn.text.data);
        draw_terminal(&drawn, 0, 5, slots % 2 == 1);
        drop(&drawn);
      }
    }
  }
}

/* ---- A whole SM ---- */

struct drawn_sm {
  struct wb_sm_problem problem;
  struct wb_schedule schedule;
  struct wb_text text;
};

/* Two blocks on two partitions that share the unit of type L, each string run by one warp of each
 * block (doc/formats.md). */
static struct drawn_sm whole_sm(uint32_t blocks)
{
  struct drawn_sm drawn = {0};
  struct wb_kernel_string kernels[2];
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "test");
  wb_unit_capacity_set(&sm.unit[WB_UNIT_LOAD_STORE], 1, 1);
  wb_unit_capacity_set(&sm.unit[WB_UNIT_CORE], 1, 1);
  sm.unit[WB_UNIT_LOAD_STORE].shared = true;
  sm.partitions = 2;
  sm.issue_slots = blocks > 1 ? 1 : 0;
  assert_ok(wb_kernel_string_parse("LBC", NULL, &kernels[0], NULL));
  assert_ok(wb_kernel_string_parse("CBL", NULL, &kernels[1], NULL));
  assert_ok(wb_sm_problem_normalise(kernels, 2, &sm, 2 * blocks, blocks, &drawn.problem, NULL));
  uint32_t string_of[] = {0, 1, 1, 0};
  assert_ok(wb_schedule_start_strings(&drawn.schedule, &drawn.problem, string_of, NULL));
  const uint32_t one_block[] = {1, 2, 3, 1, 2, 3};
  const uint32_t two_blocks[] = {1, 4, 5, 1, 3, 5, 2, 3, 6, 2, 4, 6};
  size_t entries = drawn.schedule.first[drawn.schedule.warps];
  memcpy(drawn.schedule.issue_cycle, blocks > 1 ? two_blocks : one_block,
         entries * sizeof one_block[0]);
  drawn.schedule.makespan = blocks > 1 ? 6 : 3;
  wb_kernel_string_free(&kernels[0]);
  wb_kernel_string_free(&kernels[1]);
  return drawn;
}

static void drop_sm(struct drawn_sm *drawn)
{
  wb_sm_problem_free(&drawn->problem);
  wb_schedule_free(&drawn->schedule);
  wb_text_free(&drawn->text);
}

TEST(terminal_shows_a_whole_sm)
{
  FREED_BY(drop_sm) struct drawn_sm drawn = whole_sm(2);
  wb_gantt_terminal(&drawn.problem, &drawn.schedule, 80, 0, false, &drawn.text);
  assert_string_equal(drawn.text.data,
                      "LBC, CBL: 4 warps in 2 blocks on 2 partitions, 6 cycles\n"
                      "L load/store   C CUDA core   B barrier   . waiting   : waiting at a "
                      "barrier\n"
                      "blank finished   - no unit busy\n"
                      "\n"
                      "      cycle  1\n"
                      "            |----'-|\n"
                      "partition 1\n"
                      "block 1\n"
                      "     warp 1 |L..BC |\n"
                      "block 2\n"
                      "     warp 3 |.CB:.L|\n"
                      "            |----'-|\n"
                      "     C of 1 |-1--1-|\n"
                      "issued of 1 |111111|\n"
                      "partition 2\n"
                      "block 1\n"
                      "     warp 2 |C.B:L |\n"
                      "block 2\n"
                      "     warp 4 |.L.B.C|\n"
                      "            |----'-|\n"
                      "     C of 1 |1----1|\n"
                      "issued of 1 |111111|\n"
                      "shared by all partitions\n"
                      "     L of 1 |11--11|\n"
                      "\n"
                      "busy  66.7 %  L load/store, 1 unit shared by all partitions\n"
                      "busy  33.3 %  C CUDA core, 1 unit in each of 2 partitions\n"
                      "busy 100.0 %  issue slots, 1 a cycle in each of 2 partitions\n");
}

TEST(svg_shows_a_whole_sm)
{
  static const char *const parts[] = {
      "2 strings LBC, CBL",
      "shared by all L=1",
      "at most 1 issued a cycle in a partition",
      "4 warps in 2 blocks on 2 partitions",
      "makespan 6 cycles",
      ">Partition 1: C=1</text>",
      ">Partition 2: C=1</text>",
      ">Shared by all partitions: L=1</text>",
      ">block 2</text>",
      "warp waiting at a barrier",
      "warp 2, cycle 4: waits at a barrier",
      "warp 3, cycle 5: waits<",
      "L1, cycle 2: serves warp 4",
      ">66.7 %</text>",
      ">100.0 %</text>",
  };
  FREED_BY(drop_sm) struct drawn_sm drawn = whole_sm(2);
  wb_gantt_svg(&drawn.problem, &drawn.schedule, NULL, "whole", &drawn.text);
  assert_well_formed(drawn.text.data);
  for (size_t i = 0; i < COUNT_OF(parts); i++) {
    if (strstr(drawn.text.data, parts[i]) == NULL)
      fail_msg("'%s' is not in:\n%.4000s", parts[i], drawn.text.data);
  }
  assert_int_equal(occurrences(drawn.text.data, "class=\"z\""), 1 + 2);
  assert_int_equal(occurrences(drawn.text.data, "Cut:"), 0);
}

/* One block is not named, and nobody waits at a barrier that both reach at once. */
TEST(svg_shows_one_block)
{
  FREED_BY(drop_sm) struct drawn_sm drawn = whole_sm(1);
  wb_gantt_svg(&drawn.problem, &drawn.schedule, NULL, NULL, &drawn.text);
  assert_well_formed(drawn.text.data);
  assert_non_null(strstr(drawn.text.data, "2 warps on 2 partitions"));
  assert_null(strstr(drawn.text.data, "block"));
  assert_int_equal(occurrences(drawn.text.data, "class=\"z\""), 1);
}

/* In the order of partitions and numbers. */
TEST(the_last_to_finish_are_shown)
{
  FREED_BY(drop_sm) struct drawn_sm drawn = whole_sm(2);
  wb_gantt_terminal(&drawn.problem, &drawn.schedule, 80, 3, false, &drawn.text);
  assert_non_null(strstr(drawn.text.data, "Left out: 1 of 4 warps; those that finish last"));
  assert_non_null(strstr(drawn.text.data, "warp 1 |")); /* the first of two that end in cycle 5 */
  assert_null(strstr(drawn.text.data, "warp 2 |"));
  assert_non_null(strstr(drawn.text.data, "warp 3 |"));
  assert_non_null(strstr(drawn.text.data, "warp 4 |"));
}

static struct drawn_sm random_sm(struct wb_random *random, uint32_t partitions, uint32_t blocks,
                                 uint32_t block_warps)
{
  static const char *const texts[] = {"5L2BCSDN", "BLCB40C", "DBBN"};
  struct drawn_sm drawn = {0};
  struct wb_kernel_string kernels[3];
  uint32_t string_of[400];
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "random");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    wb_unit_capacity_set(&sm.unit[u], 1 + (uint32_t)wb_random_below(random, 20), 1);
    sm.unit[u].shared = wb_random_below(random, 3) == 0;
  }
  sm.partitions = partitions;
  sm.issue_slots = (uint32_t)wb_random_below(random, 3);
  for (size_t s = 0; s < 3; s++)
    assert_ok(wb_kernel_string_parse(texts[s], NULL, &kernels[s], NULL));
  size_t count = 1 + (size_t)wb_random_below(random, 3);
  assert_true(blocks * block_warps <= COUNT_OF(string_of));
  for (uint32_t w = 0; w < blocks * block_warps; w++)
    string_of[w] = (uint32_t)wb_random_below(random, count);
  assert_ok(wb_sm_problem_normalise(kernels, count, &sm, blocks * block_warps, blocks,
                                    &drawn.problem, NULL));
  assert_ok(wb_schedule_start_strings(&drawn.schedule, &drawn.problem, string_of, NULL));
  /* Any cycles that ascend: a picture need not know whether they are right. */
  for (uint32_t w = 0; w < drawn.schedule.warps; w++) {
    uint32_t cycle = 0;
    for (size_t i = drawn.schedule.first[w]; i < drawn.schedule.first[w + 1]; i++)
      drawn.schedule.issue_cycle[i] = cycle += 1 + (uint32_t)wb_random_below(random, 9);
    drawn.schedule.makespan = cycle > drawn.schedule.makespan ? cycle : drawn.schedule.makespan;
  }
  for (size_t s = 0; s < 3; s++)
    wb_kernel_string_free(&kernels[s]);
  return drawn;
}

TEST(every_size_of_sm_is_drawn)
{
  static const uint32_t partitions[] = {1, 2, 4, 64};
  static const uint32_t blocks[] = {1, 3, 40};
  static const uint32_t block_warps[] = {1, 5, 10};
  struct wb_random random = {20120711};
  for (size_t i = 0; i < 4 * 3 * 3; i++) {
    struct drawn_sm drawn =
        random_sm(&random, partitions[i % 4], blocks[i / 4 % 3], block_warps[i / 12]);
    wb_gantt_svg(&drawn.problem, &drawn.schedule, NULL, "any", &drawn.text);
    assert_false(drawn.text.failed);
    assert_well_formed(drawn.text.data);
    wb_text_free(&drawn.text);
    wb_gantt_terminal(&drawn.problem, &drawn.schedule, 70, 12, i % 2 == 1, &drawn.text);
    assert_false(drawn.text.failed);
    drop_sm(&drawn);
  }
}
