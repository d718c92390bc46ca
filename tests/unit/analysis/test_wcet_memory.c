/* The WCET of a warp, and the makespan over all paths of a kernel, when memory runs out: every
 * allocation is made to fail in turn. */
#include "analysis/paths/makespan/paths_makespan.h"
#include "analysis/wcet/wcet.h"
#include "base/text.h"
#include "base/work_control.h"
#include "failing_heap.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "groups/simt_text.h"
#include "makespan/machine/policy.h"
#include "model/code.h"
#include "unit.h"

#include <inttypes.h>

static const char facts_text[] = "loop 0x18 bound 3\n"
                                 "loop 0x60 bound 2 per warp\n"
                                 "loop 0x60 bound 9 per entry of 0x18\n"
                                 "run 0x28 at most 2 per entry of 0x18\n"
                                 "equal 0x00 0x10\n"
                                 "exclusive 0x48 0x50 per warp\n";

struct question {
  const struct wb_code *code;
  const char *facts;
  int64_t *exact; /* 0: not known yet */
};

/* What is asked: facts read, the WCET, a worst path. */
static warpbound_status ask(const void *context, warpbound_error *error)
{
  const struct question *question = context;
  const struct wb_code *code = question->code;
  const struct wb_control control = wb_control_start(NULL);
  struct wb_flow_facts facts;
  struct wb_wcet wcet;
  uint32_t *path = NULL;
  size_t length;
  warpbound_status status =
      wb_flow_facts_parse("facts", question->facts, strlen(question->facts), &facts, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_wcet_options options = {.facts = &facts, .default_bound = UINT64_MAX};
  status = wb_wcet_analyse(code, &code->functions[0], &options, &control, &wcet, error);
  if (status == WARPBOUND_OK) {
    const int64_t bound = wcet.ipet.proof.bound;
    status = wb_wcet_path(&wcet, 100000, &path, &length, error);
    free(path);
    wb_wcet_free(&wcet);
    /* Whether a loop is balanced is answered without memory: safely. */
    assert_true(status != WARPBOUND_OK || bound >= *question->exact);
    if (*question->exact == 0)
      *question->exact = bound;
  }
  wb_flow_facts_free(&facts);
  return status;
}

TEST(failing_allocations_are_reported)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  int64_t exact = 0;
  /* Loops, a subroutine, divergence, an indexed branch. */
  simt_text_make(
      simt_lines(
          "TID R0; SETP P0 R0; SSY join; loop: SETP P0 R0; @P0 BRA skip; MOV R1 R0; skip: CAL sub; "
          "@P0 "
          "BRA loop; BRX R0 a b; a: SYNC; b: SYNC; join: EXIT; sub: SETP P1 R0; @P1 BRA sub; RET"),
      &code);
  wb_text_format(&text, "kernel %s\nchecksum 0x%016" PRIx64 "\n%s", code.functions[0].name,
                 wb_function_checksum(&code.functions[0]), facts_text);
  const struct question question = {.code = &code, .facts = text.data, .exact = &exact};
  const struct heap_trial trial = try_each(ask, &question, WARPBOUND_OK);
  assert_true(trial.total > 200);
  assert_true(trial.survived < trial.total / 10);
}

static warpbound_status ask_paths(const void *context, warpbound_error *error)
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

TEST(failing_allocations_over_all_paths)
{
  FREED_BY(wb_code_free) struct wb_code code;
  /* A uniform branch: two paths. */
  simt_text_make(
      simt_lines("CTA R0; SETP P0 R0; @P0 BRA other; MOV R1 R0; EXIT; other: MOV R1 R0; MOV R2 R0; "
                 "MOV R3 R0; EXIT"),
      &code);
  const struct heap_trial trial = try_each(ask_paths, &code, WARPBOUND_OK);
  assert_true(trial.survived < trial.total / 10);
}
