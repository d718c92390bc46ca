/* Control flow when memory runs out: every allocation is made to fail in turn; and its limits. */
#include "base/text.h"
#include "base/work_control.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "cfg/simt_analysis.h"
#include "failing_heap.h"
#include "groups/simt_text.h"
#include "limited_analysis.h"
#include "unit.h"

struct question {
  const struct wb_code *code;
  const struct wb_simt_options *options;
};

static warpbound_status ask(const void *context, warpbound_error *error)
{
  const struct question *question = context;
  const struct wb_code *code = question->code;
  struct wb_control control = wb_control_start(NULL);
  struct wb_simt_analysis *analysis;
  struct wb_warp_graph united;
  static const bool body[64] = {true, true, true};
  static const bool headers[64] = {false, true};
  warpbound_status status =
      wb_simt_analyse(code, &code->functions[0], question->options, &control, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_simt_loop_balanced(analysis, headers, body);
  status = wb_warp_graph_unite(wb_simt_analysis_graph(analysis), &united, error);
  if (status == WARPBOUND_OK)
    wb_warp_graph_free(&united);
  wb_simt_analysis_free(analysis);
  return status;
}

/* Analyses the code's first function, asks for a loop and for the united graph, and makes every
 * allocation fail in turn: `answered` of them the question about a loop is answered without. */
static void failing_analysis(const struct wb_code *code, const struct wb_simt_options *options,
                             size_t answered)
{
  const struct question question = {.code = code, .options = options};
  const struct heap_trial trial = try_each(ask, &question, WARPBOUND_OK);
  assert_int_equal(trial.survived, answered);
  assert_true(trial.total > 50);
}

/* ---- the activation stack ---- */

static void fail_each_stack(const struct wb_simt_options *options)
{
  struct wb_code code;
  /* A bit of everything that is stored. */
  simt_text_make(
      simt_lines("TID R0; SETP P0 R0; SSY join; PBK end; BRX R0 a b = b; a: CAL f; @P0 BRK; LDG R2 "
                 "R1; b: @P0 BRA a; SSY b; @P0 BRK; end: JCAL vprintf; SYNC = a; join: @P0 EXIT; "
                 "EXIT; f: @P0 RET; @!P0 CAL f; MYSTERY; RET"),
      &code);
  failing_analysis(&code, options, 2);
  wb_code_free(&code);
}

TEST(stacks_report_failing_allocations)
{
  fail_each_stack(&(struct wb_simt_options){0});
  fail_each_stack(&(struct wb_simt_options){.acyclic_stack = true, .no_groups = true});
}

/* ---- the oracle with groups ---- */

static warpbound_status run_groups(const void *context, warpbound_error *error)
{
  const struct wb_group_run_options options = {.seed = 3, .step_limit = 2000, .lanes = 32};
  const struct wb_code *code = context;
  struct wb_group_run run;
  return wb_group_run(code, &code->functions[0], &options, &run, error);
}

TEST(the_oracle_reports_failing_allocations)
{
  struct wb_code code;
  /* Scopes in scopes, and many words of local memory. */
  simt_text_make_barriers(
      simt_lines("MOV R4 #1; BSSY B0 J; BSSY B1 K; BMOV R5 B1; STL R1 #8 R5; L: STL R1 #0 R4; ADD "
                 "R1 R1 #4; "
                 "LDL R6 R1 #0; SETP P0 R6; @P0 BRA L; BSYNC B1; K: BSYNC B0; J: EXIT"),
      &code);
  assert_true(fail_each(run_groups, &code, WARPBOUND_OK) > 8);
  wb_code_free(&code);
}

/* ---- convergence barriers ---- */

/* A bit of everything that is stored: scopes, words, calls, meetings, BREAKs, unknown bindings. */
static const char lines[] =
    "MOV R1 #0; TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; BMOV R5 B0; STL R1 #8 R5; MOV R20 "
    "&b1; @P0 BRA a; CALL.REL f; b1: BSSY B1 in; @P1 BREAK B1; @P1 BRA a; @P0 BRA b; NANOSLEEP; b: "
    "BSYNC B1; in: MOV R20 &a; CALL.REL f; a: LDL R6 R1 #8; BMOV B0 R6; BSYNC B0; out: LDG R7 R2; "
    "@P1 BMOV B2 R7; @P1 BREAK B2; @P0 BRA c; WARPSYNC #3; c: BSYNC B2; BRA.DIV R7 d; d: MYSTERY; "
    "WARPSYNC.ALL; EXIT; f: BSSY B3 g; @P1 BRA h; STL R1 #4 R20; h: BSYNC B3; g: RET.REL R20";

static void fail_each_analysis(const struct wb_simt_options *options)
{
  FREED_BY(wb_code_free) struct wb_code code;
  simt_text_make_barriers(simt_lines(lines), &code);
  code.functions[0].sm = 87;
  failing_analysis(&code, options, 4);
}

TEST(barriers_report_failing_allocations)
{
  fail_each_analysis(&(struct wb_simt_options){0});
  fail_each_analysis(
      &(struct wb_simt_options){.waiting = WB_WAITING_ALWAYS, .masks_together = true});
  fail_each_analysis(&(struct wb_simt_options){.agreement = WB_AGREEMENT_NONE});
}

/* Scopes in scopes, whose registers are kept in words of the stack: states of all depths. */
static void make_deep(struct wb_code *code)
{
  enum { DEPTH = 400 };
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_format(&text, "MOV R1 #0; TID R0");
  for (int level = 0; level < DEPTH; level++)
    wb_text_format(&text, "; BSSY B0 j%d; BMOV R5 B0; STL R1 #%d R5; @P0 BRA w%d", level, 4 * level,
                   level);
  wb_text_format(&text, "; w%d: BMOV B0 R5; BSYNC B0", DEPTH - 1);
  for (int level = DEPTH - 2; level >= 0; level--)
    wb_text_format(&text, "; w%d: BSYNC B0; j%d: MOV R9", level, level + 1);
  wb_text_format(&text, "; j0: EXIT");
  assert_false(text.failed);
  simt_text_make_barriers(simt_lines(text.data), code);
  code->functions[0].sm = 87;
}

TEST(limits_are_kept)
{
  FREED_BY(wb_code_free) struct wb_code code;
  make_deep(&code);
  const size_t live = heap.live;
  limited_analysis(&code, 2 << 20);
  assert_int_equal(heap.live, live);
}
