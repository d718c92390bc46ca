/* The WCET from measured times on small code, with numbers that are added up by hand. */
#include "analysis/hybrid/hybrid_result.h"
#include "base/work_control.h"
#include "groups/simt_text.h"
#include "unit.h"

/* A loop whose branch all lanes take alike, for VOTE agrees; addresses are 8 apart:
 * 0x00 head, 0x10 the loop, 0x20 behind it. */
static const char *const loop[] = {
    "MOV R1 R2", "MOV R3 R1", "loop: VOTE P0", "@P0 BRA loop", "MOV R1 R1", "EXIT", NULL,
};

/* One side or the other, alike for all lanes: 0x08 the branch, 0x10 one, 0x20 the other, 0x28 both.
 */
static const char *const sides[] = {
    "VOTE P0",          "@P0 BRA other",   "MOV R1 R2", "BRA both",
    "other: MOV R3 R2", "both: MOV R1 R1", "EXIT",      NULL,
};

/* Lanes part: 0x00, then 0x18 and 0x20 by lanes, which wait at 0x28. */
static const char *const parting[] = {
    "TID R0",           "BSSY B0 join", "SETP P0 R0",      "@P0 BRA other", "MOV R1 R2", "BSYNC B0",
    "other: MOV R3 R2", "BSYNC B0",     "join: MOV R1 R1", "EXIT",          NULL,
};

struct question {
  const char *times;
  enum wb_unmeasured_cost unmeasured;
  int64_t cycles;
  bool observed;
  uint64_t bound; /* of loops */
};

static warpbound_error failure;

static warpbound_status ask_code(struct wb_code *code, const struct question *question,
                                 struct wb_hybrid *hybrid)
{
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_times_free) struct wb_times times;
  failure = (warpbound_error){0};
  if (wb_times_parse("times", question->times, strlen(question->times), &times, &failure) !=
      WARPBOUND_OK)
    fail_msg("%s", failure.message);
  const struct wb_hybrid_options options = {.wcet = {.default_bound = question->bound},
                                            .times = &times,
                                            .unmeasured = question->unmeasured,
                                            .unmeasured_cycles = question->cycles,
                                            .observed_counts = question->observed};
  const warpbound_status status =
      wb_hybrid_analyse(code, &code->functions[0], &options, &control, hybrid, &failure);
  return status;
}

/* The result; -1 where code is not measured, and then *gaps has how many parts. */
static int64_t ask_with_gaps(const char *const *lines, bool barriers,
                             const struct question *question, size_t *gaps)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_hybrid_free) struct wb_hybrid hybrid;
  if (barriers)
    simt_text_make_barriers(lines, &code);
  else
    simt_text_make(lines, &code);
  const warpbound_status status = ask_code(&code, question, &hybrid);
  if (status != WARPBOUND_OK && status != WARPBOUND_FACTS_MISSING)
    fail_msg("%s", failure.message);
  const int64_t bound = status == WARPBOUND_OK ? hybrid.wcet.ipet.proof.bound : -1;
  *gaps = hybrid.gap_count;
  return bound;
}

static int64_t ask(const char *const *lines, const char *times)
{
  size_t gaps;
  return ask_with_gaps(lines, false, &(struct question){.times = times, .bound = 9}, &gaps);
}

/* A transition costs what it costs, by the edge that it leaves over. */
TEST(edges_have_costs)
{
  assert_int_equal(ask(loop, "from,to,cycles\n0x00,0x10,5\n0x10,0x10,7\n0x10,0x20,100\n"
                             "0x20,end,3\n"),
                   5 + 9 * 7 + 100 + 3);
  assert_int_equal(ask(loop, "from,to,cycles\n0x00,0x10,5\n0x10,0x10,70\n0x10,0x20,1\n"
                             "0x20,end,3\n"),
                   5 + 9 * 70 + 1 + 3);
  /* The header's point alone: what is behind the loop belongs to the way out of it. */
  assert_int_equal(ask(loop, "from,to,cycles\nstart,0x10,5\n0x10,0x10,7\n0x10,end,100\n"),
                   5 + 9 * 7 + 100);
  /* The dearer side, then what both have; a side without a point is in the other's segment. */
  assert_int_equal(ask(sides, "from,to,cycles\n0x00,0x10,5\n0x00,0x20,8\n0x10,0x28,20\n"
                              "0x20,0x28,15\n0x28,end,1\n"),
                   5 + 20 + 1);
  assert_int_equal(ask(sides, "from,to,cycles\n0x00,0x20,8\n0x00,0x28,40\n0x20,0x28,15\n"
                              "0x28,end,1\n"),
                   40 + 1);
}

/* Inside a block each transition is one of its own; whole blocks cost their rows. */
TEST(blocks_have_costs)
{
  assert_int_equal(ask(loop, "from,to,cycles\n0x00,0x08,5\n0x08,0x18,6\n0x18,0x18,7\n"
                             "0x18,end,3\n"),
                   5 + 6 + 9 * 7 + 3);
  assert_int_equal(ask(loop, "from,cycles\n0x00,5\n0x10,7\n0x20,3\n"), 5 + 10 * 7 + 3);
  assert_int_equal(ask(loop, "from,cycles\n0x08,5\n0x18,7\n0x18,6.5\n0x28,3\n"), 5 + 10 * 7 + 3);
  /* A segment that ends inside a whole block ends at its beginning. */
  assert_int_equal(ask(loop, "from,to,cycles\n0x00,0x18,5\n0x10,,7\n0x20,end,3\n"), 5 + 10 * 7 + 3);
  /* A whole block, and segments beside it. */
  assert_int_equal(ask(loop, "from,to,cycles\nstart,0x10,5\n0x10,,7\n0x20,end,3\n0x10,0x20,999\n"),
                   5 + 10 * 7 + 3);
}

static void expect_gaps(const char *const *lines, const char *times, size_t wanted,
                        int64_t with_ten)
{
  struct question question = {.times = times, .bound = 9};
  size_t gaps;
  assert_int_equal(ask_with_gaps(lines, false, &question, &gaps), -1);
  assert_int_equal(gaps, wanted);
  question.unmeasured = WB_UNMEASURED_CYCLES;
  question.cycles = 10;
  assert_int_equal(ask_with_gaps(lines, false, &question, &gaps), with_ten);
  assert_int_equal(gaps, wanted);
}

TEST(gaps_are_named_and_cost)
{
  /* The way out of the loop: 0x10 and 0x18 of the last turn. */
  expect_gaps(loop, "from,to,cycles\n0x00,0x10,5\n0x10,0x10,7\n0x20,end,3\n", 1,
              5 + 9 * 7 + 20 + 3);
  /* Before the first point. */
  expect_gaps(loop, "from,to,cycles\n0x10,0x10,7\n0x10,0x20,8\n0x20,end,3\n", 1,
              20 + 9 * 7 + 8 + 3);
  /* The end. */
  expect_gaps(loop, "from,to,cycles\n0x00,0x10,5\n0x10,0x10,7\n0x10,0x20,8\n", 1,
              5 + 9 * 7 + 8 + 20);
  /* A block without a row. */
  expect_gaps(loop, "from,cycles\n0x00,5\n0x20,3\n", 1, 5 + 10 * 20 + 3);
  /* A point that no run came to is one. */
  expect_gaps(sides,
              "from,to,count,cycles\n0x00,0x20,1,8\n0x00,0x28,1,40\n0x20,0x28,1,15\n"
              "0x28,end,1,1\n0x10,end,0,0\n",
              2, 20 + 20 + 1);
  expect_gaps(sides,
              "from,to,count,cycles\n0x00,0x20,1,8\n0x00,0x28,1,40\n0x20,0x28,1,15\n"
              "0x28,end,1,1\n0x10,,0,0\n",
              2, 20 + 20 + 1);
}

/* Instructions of one whole block name one place; so all of its rows are that place's. */
TEST(places_are_united)
{
  assert_int_equal(ask(loop, "from,cycles\n0x08,5\n0x18,7\n0x10,9\n0x28,3\n"), 5 + 10 * 9 + 3);
  assert_int_equal(ask(loop, "from,to,cycles\n0x00,,5\n0x10,,7\n0x18,,9\n0x20,end,3\n"),
                   5 + 10 * 9 + 3);
}

TEST(counts_that_were_observed)
{
  size_t gaps;
  static const char times[] = "run,warp,from,to,count,cycles\n"
                              "1,0,0x00,0x10,1,5\n1,0,0x10,0x10,3,7\n1,0,0x10,0x20,1,100\n"
                              "1,0,0x20,end,1,3\n"
                              "2,0,0x00,0x10,1,6\n2,0,0x10,0x10,2,8\n2,0,0x10,0x20,1,90\n"
                              "2,0,0x20,end,1,2\n";
  const struct question question = {.times = times, .observed = true, .bound = UINT64_MAX};
  assert_int_equal(ask_with_gaps(loop, false, &question, &gaps), 6 + 3 * 8 + 100 + 3);
  assert_int_equal(gaps, 0);
  /* Rows that do not say their run can be of one: it passed 0x10 four times, in 129 cycles. */
  const struct question nameless = {.times = "from,to,count,cycles\n0x00,0x10,1,5\n"
                                             "0x10,0x10,3,7\n0x10,0x20,1,100\n0x10,0x10,2,6\n"
                                             "0x20,end,1,3\n",
                                    .observed = true,
                                    .bound = UINT64_MAX};
  assert_int_equal(ask_with_gaps(loop, false, &nameless, &gaps), 5 + 3 * 7 + 100 + 3);
  /* A point inside a whole block, of which no segment begins, limits no block twice. */
  const struct question inside = {
      .times = "run,from,to,count,cycles\n1,0x00,0x18,1,5\n1,0x10,,4,7\n1,0x20,end,1,3\n",
      .observed = true,
      .bound = UINT64_MAX};
  assert_int_equal(ask_with_gaps(loop, false, &inside, &gaps), 5 + 4 * 7 + 3);
  /* The side that nobody saw does not happen. */
  const struct question side = {
      .times = "from,to,count,cycles\n0x00,0x20,1,8\n0x20,0x28,1,15\n0x28,end,1,1\n0x10,end,0,0\n",
      .observed = true,
      .bound = UINT64_MAX};
  assert_int_equal(ask_with_gaps(sides, false, &side, &gaps), 8 + 15 + 1);
}

/* Where lanes part, a block costs its dearest way, once for each of its runs. */
TEST(groups_of_lanes)
{
  size_t gaps;
  const struct question question = {
      .times = "from,to,cycles\n0x00,0x40,5\n0x00,0x60,9\n0x40,0x80,20\n0x60,0x80,30\n0x80,end,2\n",
      .bound = 9};
  assert_int_equal(ask_with_gaps(parting, true, &question, &gaps), 9 + 20 + 30 + 2);
  const struct question whole = {.times = "from,cycles\n0x00,5\n0x40,20\n0x60,30\n0x80,2\n",
                                 .bound = 9};
  assert_int_equal(ask_with_gaps(parting, true, &whole, &gaps), 5 + 20 + 30 + 2);
}

TEST(high_water)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_hybrid_free) struct wb_hybrid hybrid;
  simt_text_make(loop, &code);
  const struct question question = {.times = "from,to,cycles\n0x00,0x10,5\n0x10,0x10,7\n"
                                             "0x10,0x20,100\n0x20,end,3\nstart,end,171\n"
                                             "start,end,173\nstart,end,172\n",
                                    .bound = 9};
  assert_ok(ask_code(&code, &question, &hybrid));
  assert_int_equal(hybrid.high_water.cycles, 173);
  assert_int_equal(hybrid.high_water.count, 3);
  assert_true(hybrid.high_water.mean == 172);
  assert_int_equal(hybrid.wcet.ipet.proof.bound, 171);
  assert_true(hybrid.below);
  assert_int_equal(hybrid.segment_count, 4);
  assert_true(hybrid.has_static);
  assert_int_equal(hybrid.static_cycles, 2 + 10 * 2 + 2);
}
