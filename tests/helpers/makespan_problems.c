#include "makespan_problems.h"

#include "unit.h"

struct wb_problem make_problem(const char *text, const char *units, uint32_t slots,
                               uint32_t partitions, uint32_t warps, const char *shared)
{
  struct wb_sm_configuration sm;
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string string;
  struct wb_problem problem;
  wb_sm_configuration_start(&sm, "test");
  assert_ok(wb_sm_configuration_parse_units(&sm, units, NULL));
  sm.issue_slots = slots;
  sm.partitions = partitions;
  for (; *shared != '\0'; shared++)
    sm.unit[wb_unit_from_letter(*shared)].shared = true;
  assert_ok(wb_kernel_string_parse(text, NULL, &string, NULL));
  assert_ok(wb_problem_normalise(&string, &sm, warps, &problem, NULL));
  return problem;
}

void bind_draft(struct draft *draft)
{
  draft->claim.pools = draft->pools;
  draft->claim.stay.list = draft->values[0];
  draft->claim.leave.list = draft->values[1];
  draft->claim.own_stay.list = draft->values[2];
  draft->claim.own_leave.list = draft->values[3];
  draft->claim.states = draft->states;
  for (size_t j = 0; j < 2; j++)
    draft->components[j].values = draft->worth[j];
  if (draft->claim.component_count > 0)
    draft->claim.components = draft->components;
}

void expect_proof(const struct draft *draft, uint64_t cycles, int64_t slope, int64_t offset)
{
  struct wb_check_potential_verdict proof = {0};
  warpbound_error error = {0};
  if (wb_check_potential(&draft->claim, DRAFT_WORK, &proof, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  assert_int_equal(proof.cycles, cycles);
  assert_int_equal(proof.slope, slope);
  assert_int_equal(proof.offset, offset);
}

void expect_status(const struct draft *draft, warpbound_status expected, const char *part)
{
  struct wb_check_potential_verdict proof = {.cycles = 77};
  warpbound_error error = {0};
  warpbound_status status = wb_check_potential(&draft->claim, DRAFT_WORK, &proof, &error);
  if (status != expected)
    fail_msg("status %d, message '%s', expected '%s'", (int)status, error.message, part);
  if (strstr(error.message, part) == NULL)
    fail_msg("expected '%s' in '%s'", part, error.message);
  assert_int_equal(proof.cycles, 77);
}

void expect_refusal(const struct draft *draft, const char *part)
{
  expect_status(draft, WARPBOUND_CHECK_FAILED, part);
}

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
