/* Rear positions and their order, and what following the rear proves of strings whose
 * makespans are known. */
#include "makespan/potential/trailing_warps.h"
#include "makespan_problems.h"
#include "unit.h"

/* Back from the last positions every rank comes once, one less each time. */
TEST(ranks_go_back_one_by_one)
{
  for (uint32_t count = 1; count <= WB_POTENTIAL_TRAILING_LIMIT; count++) {
    size_t position[WB_POTENTIAL_TRAILING_LIMIT] = {5, 5, 5, 5};
    uint64_t left = wb_trailing_count(5, count);
    do {
      left--;
      for (uint32_t i = 0; i + 1 < count; i++)
        assert_true(position[i] <= position[i + 1]);
      assert_int_equal(wb_trailing_rank(position, count), left);
    } while (wb_trailing_step_back(position, count));
    assert_int_equal(left, 0);
  }
}

TEST(numbers_of_positions)
{
  assert_int_equal(wb_trailing_count(5, 0), 1);
  assert_int_equal(wb_trailing_count(5, 1), 6);
  assert_int_equal(wb_trailing_count(5, 2), 21);
  assert_int_equal(wb_trailing_count(86, 3), 113564);
  assert_true(wb_trailing_count(UINT64_MAX / 4, 4) == UINT64_MAX);
}

/* CCLLCCLL with two units each has T(12) = 35. The bounds are the optima of the linear programs
 * over rear states as a whole, which the least path reaches. */
TEST(the_rear_lowers_the_bound)
{
  static const uint64_t expected[] = {39, 37, 36, 36};
  static const struct wb_trailing_effort effort = {10000000, 100000000};
  struct wb_control control = wb_control_start(NULL);
  struct wb_trailing_outcome outcome;
  FREED_BY(wb_potential_proof_free) struct wb_potential_proof proof;
  struct wb_problem problem = make_problem("CCLLCCLL", "L=2,C=2", 0, 1, 12, "");
  prove_potential(&problem, 40, SIZE_MAX, &proof);
  assert_int_equal(proof.cycles, expected[0]);
  for (uint32_t trailing = 1; trailing <= 3; trailing++) {
    assert_ok(wb_potential_follow_trailing(&proof, trailing, &effort, &control, &outcome, NULL));
    assert_true(outcome.followed);
    assert_int_equal(proof.trailing, trailing);
    assert_int_equal(proof.cycles, expected[trailing]);
    assert_int_equal(proof.plain, expected[0]);
  }
  wb_problem_free(&problem);
}

/* Beyond the effort nothing changes. */
TEST(an_end_of_the_effort_keeps_the_proof)
{
  static const struct wb_trailing_effort few_steps = {10, 100000000}, little_memory = {1000000, 10};
  struct wb_control control = wb_control_start(NULL);
  struct wb_trailing_outcome outcome;
  FREED_BY(wb_potential_proof_free) struct wb_potential_proof proof;
  struct wb_problem problem = make_problem("CCLLCCLL", "L=2,C=2", 0, 1, 12, "");
  prove_potential(&problem, 12, SIZE_MAX, &proof);
  uint64_t cycles = proof.cycles;
  for (int i = 0; i < 2; i++) {
    assert_ok(wb_potential_follow_trailing(&proof, 2, i == 0 ? &few_steps : &little_memory,
                                           &control, &outcome, NULL));
    assert_false(outcome.followed);
    assert_int_equal(outcome.stop, WB_STOP_MEMORY);
    assert_int_equal(proof.trailing, 0);
    assert_int_equal(proof.cycles, cycles);
  }
  wb_problem_free(&problem);
}
