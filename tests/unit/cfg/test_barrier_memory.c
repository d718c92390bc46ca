/* The analysis of convergence barriers when memory runs out: every allocation is made to fail in
 * turn; and its limits. */
#include "base/text.h"
#include "failing_analysis.h"
#include "failing_heap.h"
#include "groups/simt_text.h"
#include "limited_analysis.h"
#include "unit.h"

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

TEST(failing_allocations_are_reported)
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
