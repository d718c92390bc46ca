/* The oracle with groups when memory runs out: every allocation is made to fail in turn. */
#include "cfg/interpreter/groups/group_interpreter.h"
#include "failing_heap.h"
#include "groups/simt_text.h"
#include "unit.h"

static warpbound_status run_groups(const void *context, warpbound_error *error)
{
  const struct wb_group_run_options options = {.seed = 3, .step_limit = 2000, .lanes = 32};
  const struct wb_code *code = context;
  struct wb_group_run run;
  return wb_group_run(code, &code->functions[0], &options, &run, error);
}

TEST(failing_allocations_are_reported)
{
  FREED_BY(wb_code_free) struct wb_code code;
  /* Scopes in scopes, and many words of local memory. */
  simt_text_make_barriers(
      simt_lines("MOV R4 #1; BSSY B0 J; BSSY B1 K; BMOV R5 B1; STL R1 #8 R5; L: STL R1 #0 R4; ADD "
                 "R1 R1 #4; "
                 "LDL R6 R1 #0; SETP P0 R6; @P0 BRA L; BSYNC B1; K: BSYNC B0; J: EXIT"),
      &code);
  assert_true(fail_each(run_groups, &code, WARPBOUND_OK) > 8);
}
