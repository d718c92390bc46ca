#include "prove_potential.h"
#include "unit.h"

void prove_potential(const struct wb_problem *problem, uint32_t made_for, size_t own_offsets,
                     struct wb_potential_proof *proof)
{
  struct wb_potential_effort effort = {2000, own_offsets, 10000000, 100};
  struct wb_control control = wb_control_start(NULL);
  struct wb_potential_outcome outcome;
  struct wb_pool_limits limits = {0};
  struct wb_potential_shape shape = {0};
  struct wb_problem more = *problem;
  for (int u = 0; u < WB_UNIT_COUNT; u++)
    if (problem->string.count[u] > 0) {
      limits.warps[u] = wb_problem_service(problem, (enum wb_unit)u);
      shape.least[shape.count++] = limits.warps[u];
    }
  for (unsigned j = 0; j < shape.count; j++)
    shape.weight[j][(j + 1) % shape.count] = WB_POTENTIAL_WEIGHT_SUM;
  more.warps = made_for;
  const struct wb_potential_question question = {.problem = &more,
                                                 .limits = &limits,
                                                 .shape = &shape,
                                                 .below = UINT64_MAX / 2,
                                                 .effort = &effort,
                                                 .control = &control};
  assert_ok(wb_potential_prove(&question, proof, &outcome, NULL));
  assert_true(outcome.found);
  proof->problem = problem;
  assert_true(wb_potential_derive_bound(proof));
}
