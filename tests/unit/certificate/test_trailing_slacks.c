/* The checker of potentials that follows trailing warps: potentials made by hand, and the same ones
 * spoilt. */
#include "makespan_problems.h"
#include "unit.h"

/* CC on one unit, K = 1, each instruction with value 3, each cycle gains 3, and an offset of all
 * states that nothing needs: T(W) <= floor((6 W + offset) / 3). Every schedule ends with a cycle
 * that loses it, so with any trailing warps followed 2 W is left. */
static void prepare_cc(struct draft *d, int64_t offset)
{
  *d = (struct draft){
      .claim = {.problem.letters = "CC",
                .problem.length = 2,
                .problem.capacity = {0, 1, 0, 0},
                .warps = 4,
                .cycles = 8,
                .from_warps = 4,
                .gain = 3,
                .trailing = 1,
                .pool_count = 1,
                .stay = {NULL, 1},
                .leave = {NULL, 1},
                .own_stay = {NULL, 1},
                .own_leave = {NULL, 1},
                .state_count = 2},
      .pools = {{'C', 1, 0}},
      .values = {{{'C', 'C', 0, 3}},
                 {{'C', WB_CHECK_POTENTIAL_END, 0, 3}},
                 {{'C', 'C', 0, 3}},
                 {{'C', WB_CHECK_POTENTIAL_END, 0, 3}}},
      .states = {{'C', {0}, {0}, {offset}}, {'C', {1}, {0}, {offset}}},
  };
  bind_draft(d);
}

/* LC on one unit each, K = 1: each instruction has a value of one cycle, T(W) <= 2 W. Where both
 * units work a cycle gains 1 too much. Two components that are alike: their shares change nothing
 * but D.
 */
static void prepare_lc(struct draft *d, uint64_t trailing)
{
  *d = (struct draft){
      .claim = {.problem.letters = "LC",
                .problem.length = 2,
                .problem.capacity = {1, 1, 0, 0},
                .warps = 6,
                .cycles = INT64_MAX,
                .gain = 1,
                .trailing = trailing,
                .pool_count = 2,
                .component_count = 2,
                .own_leave = {NULL, 2},
                .state_count = 8},
      .pools = {{'L', 1, 0}, {'C', 1, 0}},
      .values = {{{0}}, {{0}}, {{0}}, {{'L', 'C', 0, 1}, {'C', WB_CHECK_POTENTIAL_END, 0, 1}}},
      .worth = {{2, 1}, {2, 1}},
      .components = {{'L', 1, {1, 1}, NULL}, {'C', 1, {2, 1}, NULL}},
  };
  for (uint32_t i = 0; i < 8; i++)
    d->states[i] =
        (struct wb_check_potential_state){i < 4 ? 'L' : 'C', {i % 2, i / 2 % 2}, {0}, {0, 0}};
  bind_draft(d);
}

TEST(what_the_end_loses)
{
  struct draft d;
  prepare_cc(&d, 7);
  for (d.claim.trailing = 1; d.claim.trailing <= 3; d.claim.trailing++)
    expect_proof(&d, 8, 6, 0);
  d.claim.cycles = 7;
  for (d.claim.trailing = 1; d.claim.trailing <= 3; d.claim.trailing++)
    expect_refusal(&d, "the bound that follows, 8 cycles, is above the 7 claimed");
  d.claim.cycles = 8;
  d.claim.trailing = 0;
  expect_refusal(&d, "the bound that follows, 10 cycles, is above the 8 claimed");
  d.claim.cycles = 10;
  expect_proof(&d, 10, 6, 7);
}

TEST(all_warps_trail)
{
  struct draft d;
  prepare_cc(&d, 7);
  d.claim.from_warps = 0;
  d.claim.trailing = 4;
  expect_proof(&d, 8, 0, 0);
  d.claim.trailing = 5;
  expect_refusal(&d, "rear: 5 of 4 warps");
  d.claim.warps = 6;
  d.claim.cycles = 12;
  expect_proof(&d, 12, 0, 0);
  d.claim.trailing = 6;
  expect_proof(&d, 12, 0, 0);
  d.claim.warps = d.claim.trailing = 7;
  expect_status(&d, WARPBOUND_LIMIT, "rear: 7 warps; the checker follows at most 6");
}

/* The leading warps must begin alike too. */
TEST(the_line_needs_the_leading_warps_start)
{
  struct draft d;
  prepare_cc(&d, 7);
  d.claim.from_warps = 2;
  expect_proof(&d, 8, 6, 0);
  d.claim.trailing = 2;
  expect_refusal(&d, "from_warps: the start of 2 warps is not yet that of every larger number");
  d.claim.trailing = 3;
  expect_refusal(&d, "from_warps: the start of 2 warps is not yet that of every larger number");
  d.claim.from_warps = 4;
  expect_proof(&d, 8, 6, 0);
}

TEST(spoilt_claims_are_refused)
{
  struct draft d;
  prepare_cc(&d, 7);
  d.values[1][0].value = 2;
  expect_refusal(&d, "the gain is 2, less than 3");
  prepare_cc(&d, 7);
  d.states[1].offset[0] = 6;
  expect_refusal(&d, "the gain is 2, less than 3");
  prepare_cc(&d, 7);
  d.claim.state_count = 1;
  expect_refusal(&d, "the start of 4 warps, (own C; C: 1 or more), is not listed");
  prepare_cc(&d, INT64_C(1) << 53);
  d.claim.cycles = INT64_MAX;
  expect_refusal(&d, "rear: the offsets exceed what the checker takes");
  prepare_cc(&d, 7);
  for (int list = 0; list < 4; list++)
    d.values[list][0].value = INT64_C(1) << 53;
  expect_refusal(&d, "rear: the values exceed what the checker takes");
}

/* T(W) = W + 1. The leading warps may end after two cycles as far as the pools show, and then lose
 * nothing; but each trailing warp issues its L while the one before it issues its C, and that
 * loses 1. Only the first warp of all has nobody before it. */
TEST(each_trailing_warp_loses)
{
  struct draft d;
  for (uint64_t trailing = 0; trailing <= 6; trailing++) {
    prepare_lc(&d, trailing);
    expect_proof(&d, trailing < 6 ? 12 - trailing : 7, 0, 0);
  }
}

TEST(work_and_tables_are_limited)
{
  struct draft d;
  prepare_cc(&d, 7);
  struct wb_check_potential_verdict proof;
  warpbound_error error = {0};
  assert_limit(wb_check_potential(&d.claim, 25, &proof, &error));
  assert_non_null(strstr(error.message, "rear: more than 25 steps of work"));
}
