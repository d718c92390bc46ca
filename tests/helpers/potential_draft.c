#include "potential_draft.h"
#include "unit.h"

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
