/* The makespan over all paths of a kernel when memory runs out: every allocation is made to fail in
 * turn. */
#include "analysis/paths/makespan/paths_makespan.h"
#include "failing_heap.h"
#include "groups/simt_text.h"
#include "makespan/machine/policy.h"
#include "unit.h"

static warpbound_status ask(const void *context, warpbound_error *error)
{
  const struct wb_code *code = context;
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_wcet_options options = {.default_bound = UINT64_MAX};
  const struct wb_analysis_options asked = {
      .policy = wb_policy_find("fixed-priority"),
      .limits = {.method = WARPBOUND_METHOD_BOUNDS, .policies_only = true}};
  struct wb_sm_configuration sm;
  struct wb_paths paths;
  struct wb_instance instance;
  struct warpbound_result result;
  wb_sm_configuration_start(&sm, "one of each");
  sm.issue_slots = 1;
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    sm.unit[u] = (struct wb_unit_capacity){.numerator = 1, .denominator = 1, .hold = 1};
  const struct wb_instance like = {.sm = sm, .whole = {.blocks = 1}};
  const struct wb_paths_question question = {.like = &like, .warps = 2, .options = &asked};
  warpbound_status status =
      wb_paths_make(code, &code->functions[0], &options, &control, &paths, error);
  if (status != WARPBOUND_OK)
    return status;
  status = wb_paths_makespan(&paths, &question, &instance, &result, error);
  if (status == WARPBOUND_OK) {
    /* The first answer, with memory, is the least. */
    assert_true(heap.fail_at != 0 ? result.upper.cycles >= 14 : result.upper.cycles == 14);
    wb_result_clear(&result);
    wb_instance_clear(&instance);
  }
  wb_paths_free(&paths);
  return status;
}

TEST(failing_allocations_are_reported)
{
  FREED_BY(wb_code_free) struct wb_code code;
  /* A uniform branch: two paths. */
  simt_text_make(
      simt_lines("CTA R0; SETP P0 R0; @P0 BRA other; MOV R1 R0; EXIT; other: MOV R1 R0; MOV R2 R0; "
                 "MOV R3 R0; EXIT"),
      &code);
  const struct heap_trial trial = try_each(ask, &code, WARPBOUND_OK);
  assert_true(trial.survived < trial.total / 10);
}
