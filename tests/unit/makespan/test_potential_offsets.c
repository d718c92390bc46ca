/* State offsets of potentials: one for each state, or sums over what the pools hold. */
#include "makespan/potential/potential_program.h"
#include "makespan_problems.h"
#include "unit.h"

/* How far the state offsets of a component are from sums of one number for each of two pools, by
 * the own warp's pool: the largest difference of differences, in units of the proof. */
static int64_t excess(const struct wb_potential_proof *proof, unsigned component)
{
  const struct wb_pools *pools = &proof->pools;
  const int64_t *offset = proof->potential.state_offset[component];
  int64_t most = 0;
  assert_int_equal(pools->count, 2);
  for (size_t i = 0; i < proof->state_count; i++) {
    uint64_t state = proof->state[i], own = state - state % pools->stride[2];
    uint64_t first = state % pools->stride[2] / pools->stride[0] % pools->pool[0].size;
    uint64_t corner[3] = {own, own + first * pools->stride[0], state - first * pools->stride[0]};
    bool all = true;
    for (int c = 0; c < 3; c++) {
      bool listed = false;
      for (size_t k = 0; k < proof->state_count; k++)
        listed = listed || proof->state[k] == corner[c];
      all = all && listed;
    }
    int64_t difference = offset[state] - offset[corner[1]] - offset[corner[2]] + offset[corner[0]];
    difference = difference < 0 ? -difference : difference;
    most = all && difference > most ? difference : most;
  }
  return most;
}

/* Sums are among the state offsets by state, so they prove no less. */
TEST(sums_are_sums_and_prove_no_less)
{
  static const char *const strings[] = {"CCLLCCLL", "LCCLLCLCCC", "LLLCCLCLLC"};
  for (size_t i = 0; i < COUNT_OF(strings); i++) {
    struct wb_potential_proof by_state, sums;
    struct wb_problem problem = make_problem(strings[i], "L=2,C=3", 0, 1, 20, "");
    prove_potential(&problem, 20, SIZE_MAX, &by_state);
    prove_potential(&problem, 20, 0, &sums);
    assert_int_equal(by_state.state_count, sums.state_count);
    assert_in_range(sums.cycles, by_state.cycles, by_state.cycles + by_state.cycles / 10);
    for (unsigned j = 0; j < 2; j++) {
      assert_int_equal(excess(&sums, j), 0);
      assert_true(excess(&by_state, j) > 0);
    }
    wb_potential_proof_free(&by_state);
    wb_potential_proof_free(&sums);
    wb_problem_free(&problem);
  }
}

TEST(numbers_of_offsets)
{
  FREED_BY(wb_potential_proof_free) struct wb_potential_proof proof;
  struct wb_problem problem = make_problem("CCLLCCLL", "L=2,C=3", 0, 1, 20, "");
  prove_potential(&problem, 20, SIZE_MAX, &proof);
  assert_int_equal(wb_potential_program_offsets(&proof.pools, 2, 17, false), 34);
  /* pools of 3 and 4 contents, two own pools, two components */
  assert_int_equal(wb_potential_program_offsets(&proof.pools, 2, 17, true), 28);
  wb_problem_free(&problem);
}
