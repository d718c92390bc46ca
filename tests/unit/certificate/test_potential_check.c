/* The checker of potentials: potentials made by hand, and the same ones spoilt. */
#include "base/work_control.h"
#include "makespan/exact/dense_search.h"
#include "makespan_problems.h"
#include "unit.h"

/* CC on one unit, K = 1. Each cycle issues an instruction, each worth 1: T(W) <= 2 W. */
static void prepare_cc(struct draft *d)
{
  *d = (struct draft){
      .claim = {.problem.letters = "CC",
                .problem.length = 2,
                .problem.capacity = {0, 1, 0, 0},
                .warps = 4,
                .cycles = 8,
                .from_warps = 2,
                .gain = 1,
                .pool_count = 1,
                .stay = {NULL, 1},
                .leave = {NULL, 1},
                .own_stay = {NULL, 1},
                .own_leave = {NULL, 1},
                .state_count = 2},
      .pools = {{'C', 1, 0}},
      .values = {{{'C', 'C', 0, 1}},
                 {{'C', WB_CHECK_POTENTIAL_END, 0, 1}},
                 {{'C', 'C', 0, 1}},
                 {{'C', WB_CHECK_POTENTIAL_END, 0, 1}}},
      .states = {{'C', {0}, {0}, {0}}, {'C', {1}, {0}, {0}}},
  };
  bind_draft(d);
}

/* LLCLL on one unit each, K = 1, no work kept: T(W) <= 4 W + 1.
 *
 * A cycle that begins with warps in C sends one of them to L: one of the others, and
 * then L has some after it; or the own warp, and then that is no longer in C. A cycle that
 * begins with none in C ends with one at most. So the state (own C; no L, some C) is out of
 * reach, whatever the abstraction forgets, and L works in every cycle but those in which
 * the own warp is alone in C, and issues. Hence each L is worth 1, the own warp's C too,
 * those of the others nothing, and all state offsets are 0. */
static void prepare_llcll(struct draft *d)
{
  *d = (struct draft){
      .claim = {.problem.letters = "LLCLL",
                .problem.length = 5,
                .problem.capacity = {1, 1, 0, 0},
                .warps = 64,
                .cycles = 257,
                .from_warps = 2,
                .gain = 1,
                .pool_count = 2,
                .stay = {NULL, 1},
                .leave = {NULL, 3},
                .own_stay = {NULL, 1},
                .own_leave = {NULL, 3},
                .state_count = 7},
      .pools = {{'L', 1, 0}, {'C', 1, 0}},
      .values = {{{'L', 'L', 0, 1}},
                 {{'L', 'C', 1, 1}, {'C', 'L', 2, 0}, {'L', WB_CHECK_POTENTIAL_END, 0, 1}},
                 {{'L', 'L', 0, 1}},
                 {{'L', 'C', 0, 1}, {'C', 'L', 0, 1}, {'L', WB_CHECK_POTENTIAL_END, 0, 1}}},
      .states = {{'L', {0, 0}, {0}, {0}},
                 {'L', {1, 0}, {0}, {0}},
                 {'L', {0, 1}, {0}, {0}},
                 {'L', {1, 1}, {0}, {0}},
                 {'C', {0, 0}, {0}, {0}},
                 {'C', {1, 0}, {0}, {0}},
                 {'C', {1, 1}, {0}, {0}}},
  };
  bind_draft(d);
}

TEST(one_type)
{
  struct draft d;
  prepare_cc(&d);
  expect_proof(&d, 8, 2, 0);
  d.claim.warps = 1;
  expect_proof(&d, 2, 2, 0);
  d.claim.warps = 8000000;
  d.claim.cycles = 16000000;
  expect_proof(&d, 16000000, 2, 0);
}

/* Scaled by 3, and with a state offset that is not needed: (6 W + 2) / 3. */
TEST(the_bound_is_rounded_down)
{
  struct draft d;
  prepare_cc(&d);
  for (int list = 0; list < 4; list++)
    d.values[list][0].value = 3;
  d.claim.gain = 3;
  d.states[0].offset[0] = 2;
  expect_refusal(&d, "the gain is 1, less than 3");
  d.states[1].offset[0] = 2;
  expect_proof(&d, 8, 6, 2);
  d.claim.from_warps = 0;
  expect_proof(&d, 8, 0, 0);
}

TEST(two_types)
{
  struct draft d;
  prepare_llcll(&d);
  expect_proof(&d, 257, 4, 1);
}

/* No bound that passes is below the makespan: 13 of LLCLL for 3 warps. */
TEST(spoilt_values_are_refused_or_true)
{
  struct wb_problem problem = make_problem("LLCLL", "L=1,C=1", 0, 1, 3, "");
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_search_free) struct wb_search exact = {0};
  assert_ok(wb_dense_search(&problem, 100, &control, &exact, NULL));
  assert_int_equal(exact.makespan[3], 13);
  struct draft d;
  prepare_llcll(&d);
  static const size_t counts[4] = {1, 3, 1, 3};
  size_t accepted = 0;
  for (size_t list = 0; list < 4; list++) {
    for (size_t i = 0; i < counts[list]; i++) {
      prepare_llcll(&d);
      d.claim.warps = 3;
      d.values[list][i].value--;
      struct wb_check_potential_verdict proof;
      warpbound_status status = wb_check_potential(&d.claim, DRAFT_WORK, &proof, NULL);
      accepted += status == WARPBOUND_OK;
      assert_true(status == WARPBOUND_CHECK_FAILED || proof.cycles >= exact.makespan[3]);
    }
  }
  assert_int_equal(accepted, 0);
  wb_problem_free(&problem);
}

/* Each state offset raised or lowered by one makes some move into it or out of it gain 0. */
TEST(spoilt_offsets_are_refused)
{
  struct draft d;
  for (size_t s = 0; s < 7; s++) {
    for (int64_t change = -1; change <= 1; change += 2) {
      prepare_llcll(&d);
      d.claim.cycles = 300;
      d.states[s].offset[0] += change;
      struct wb_check_potential_verdict proof;
      warpbound_status status = wb_check_potential(&d.claim, DRAFT_WORK, &proof, NULL);
      assert_true(status == WARPBOUND_CHECK_FAILED || proof.cycles >= 257);
    }
  }
  prepare_llcll(&d);
  d.states[1].offset[0] = -1;
  expect_refusal(&d, "the gain is 0, less than 1");
}

TEST(missing_states_are_named)
{
  struct draft d;
  for (size_t s = 0; s < 7; s++) {
    prepare_llcll(&d);
    d.claim.state_count = 6;
    d.states[s] = d.states[6];
    expect_refusal(&d, "not listed");
  }
  prepare_llcll(&d);
  d.claim.state_count = 6;
  d.states[1] = d.states[6];
  expect_refusal(&d, "the start of 64 warps, (own L; L: 1 or more; C: 0), is not listed");
  d.claim.state_count = 0;
  expect_refusal(&d, "the start of 64 warps");
}

TEST(doubled_and_wrong_states)
{
  struct draft d;
  prepare_llcll(&d);
  d.states[7] = d.states[2];
  d.claim.state_count = 8;
  expect_refusal(&d, "state 8 of the list: it stands there twice");
  d.states[7].warps[0] = 2;
  expect_refusal(&d, "state 8 of the list: a number beyond the limits");
  d.states[7] = (struct wb_check_potential_state){'S', {0}, {0}, {0}};
  expect_refusal(&d, "state 8 of the list: the own warp's type has no pool");
}

/* Listed, but with no warp and work left: no machine looks like this. */
TEST(impossible_states_are_harmless)
{
  struct draft d;
  prepare_cc(&d);
  d.pools[0].work = 3;
  for (uint32_t n = 0; n <= 1; n++) {
    for (uint32_t b = 0; b <= 3; b++)
      d.states[4 * n + b] =
          (struct wb_check_potential_state){'C', {n}, {b}, {n == 0 && b > 0 ? -50 : 0}};
  }
  d.claim.state_count = 8;
  d.claim.from_warps = 3;
  expect_proof(&d, 8, 2, 0);
}

TEST(pools_are_checked)
{
  struct draft d;
  prepare_cc(&d);
  d.claim.problem.capacity[1] = 2;
  expect_refusal(&d, "type C counts up to 1 warps, fewer than the 2 that it serves");
  d.claim.problem.issue_slots = 1;
  expect_proof(&d, 8, 2, 0);
  d.pools[1] = d.pools[0];
  d.claim.pool_count = 2;
  expect_refusal(&d, "type C stands there twice");
  d.pools[1].type = 'L';
  expect_refusal(&d, "the string has no type L");
  d.claim.pool_count = 0;
  expect_refusal(&d, "pools: none for type C");
}

TEST(issue_only_needs_a_cap)
{
  struct draft d;
  prepare_cc(&d);
  d.claim.problem.letters = "NN";
  d.pools[0].type = 'N';
  for (int list = 0; list < 4; list++) {
    d.values[list][0].from = 'N';
    d.values[list][0].to = d.values[list][0].to == 'C' ? 'N' : WB_CHECK_POTENTIAL_END;
  }
  d.states[0].own = d.states[1].own = 'N';
  expect_refusal(&d, "type N without a cap on issue slots");
  d.claim.problem.issue_slots = 1;
  expect_proof(&d, 8, 2, 0);
  d.claim.problem.issue_slots = 2;
  expect_refusal(&d, "fewer than the 2 that it serves");
}

TEST(each_step_has_one_value)
{
  struct draft d;
  prepare_llcll(&d);
  d.claim.stay.count = 0;
  expect_refusal(&d, "stay in L: no value");
  prepare_llcll(&d);
  d.claim.leave.count = 2;
  expect_refusal(&d, "leave from L to the end: no value");
  d.claim.leave.count = 3;
  d.values[1][2] = d.values[1][1];
  expect_refusal(&d, "leave from C to L, a run of length 2: its value stands there twice");
  d.values[1][2].length = 1;
  expect_refusal(&d, "leave from C to L, a run of length 1: the string has no such step");
  d.values[1][2] = (struct wb_check_potential_value){'C', 'S', 2, 0};
  expect_refusal(&d, "leave from C to S, a run of length 2: the string has no such step");
  prepare_llcll(&d);
  d.values[2][0] = (struct wb_check_potential_value){'C', 'C', 0, 1};
  expect_refusal(&d, "own_stay in C: the string has no such step");
  prepare_llcll(&d);
  d.claim.own_leave.count = 1;
  expect_refusal(&d, "own_leave from L to the end: no value");
}

TEST(the_line_needs_the_common_start)
{
  struct draft d;
  prepare_cc(&d);
  d.claim.from_warps = 1;
  expect_refusal(&d, "from_warps: the start of 1 warps is not yet that of every larger number");
  d.claim.from_warps = 100;
  expect_proof(&d, 8, 2, 0);
}

TEST(bounds_and_gains_are_checked)
{
  struct draft d;
  prepare_cc(&d);
  d.claim.cycles = 7;
  expect_refusal(&d, "the bound that follows, 8 cycles, is above the 7 claimed");
  prepare_cc(&d);
  d.claim.gain = 2;
  expect_refusal(&d, "the gain is 1, less than 2");
  d.claim.gain = 0;
  expect_refusal(&d, "the gain of a cycle must be positive");
  d.claim.gain = INT64_MIN;
  expect_refusal(&d, "the gain of a cycle must be positive");
  prepare_cc(&d);
  d.values[1][0].value = d.values[0][0].value = -1;
  expect_refusal(&d, "is below the length of the string");
}

TEST(overflow_is_refused)
{
  struct draft d;
  prepare_cc(&d);
  d.values[0][0].value = d.values[1][0].value = INT64_MAX;
  expect_refusal(&d, "the values of the whole string exceed 64 bits");
  prepare_cc(&d);
  d.values[0][0].value = INT64_MAX / 2;
  expect_refusal(&d, "the bound exceeds 64 bits");
  prepare_cc(&d);
  d.claim.warps = UINT64_MAX;
  expect_refusal(&d, "the bound exceeds 64 bits");
  prepare_cc(&d);
  d.claim.cycles = INT64_MAX;
  d.states[1] = (struct wb_check_potential_state){'C', {0}, {0}, {-20}};
  d.states[0] = (struct wb_check_potential_state){'C', {1}, {0}, {INT64_MAX - 10}};
  expect_refusal(&d, "the gain exceeds 64 bits");
}

TEST(work_is_limited)
{
  struct draft d;
  prepare_llcll(&d);
  struct wb_check_potential_verdict proof;
  warpbound_error error = {0};
  assert_limit(wb_check_potential(&d.claim, 10, &proof, &error));
  assert_non_null(strstr(error.message, "more than 10 steps"));
}

TEST(nonsense_is_invalid_input)
{
  struct draft d;
  prepare_cc(&d);
  d.claim.warps = 0;
  expect_status(&d, WARPBOUND_INVALID_INPUT, "at least one warp");
  prepare_cc(&d);
  d.claim.problem.length = 0;
  expect_status(&d, WARPBOUND_INVALID_INPUT, "at least one instruction");
  prepare_cc(&d);
  d.claim.problem.letters = "CX";
  expect_status(&d, WARPBOUND_INVALID_INPUT, "instruction 2: expected one of");
  prepare_cc(&d);
  d.claim.problem.letters = "CL";
  expect_status(&d, WARPBOUND_INVALID_INPUT, "type L, for which no units are given");
}
