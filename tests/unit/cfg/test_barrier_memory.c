/* The analysis of convergence barriers when memory runs out: every allocation is made to fail in
 * turn; and its limits. */
#include "failing_analysis.h"
#include "failing_heap.h"
#include "limited_analysis.h"
#include "simt_text.h"
#include "unit.h"

/* A bit of everything that is stored: scopes, words, calls, meetings, BREAKs, unknown bindings. */
static const char *const lines[] = {
    "MOV R1 #0",
    "TID R0",
    "SETP P0 R0",
    "SETP P1 R0",
    "BSSY B0 out",
    "BMOV R5 B0",
    "STL R1 #8 R5",
    "MOV R20 &b1",
    "@P0 BRA a",
    "CALL.REL f",
    "b1: BSSY B1 in",
    "@P1 BREAK B1",
    "@P1 BRA a",
    "@P0 BRA b",
    "NANOSLEEP",
    "b: BSYNC B1",
    "in: MOV R20 &a",
    "CALL.REL f",
    "a: LDL R6 R1 #8",
    "BMOV B0 R6",
    "BSYNC B0",
    "out: LDG R7 R2",
    "@P1 BMOV B2 R7",
    "@P1 BREAK B2",
    "@P0 BRA c",
    "WARPSYNC #3",
    "c: BSYNC B2",
    "BRA.DIV R7 d",
    "d: MYSTERY",
    "WARPSYNC.ALL",
    "EXIT",
    "f: BSSY B3 g",
    "@P1 BRA h",
    "STL R1 #4 R20",
    "h: BSYNC B3",
    "g: RET.REL R20",
    NULL,
};

static void fail_each_analysis(const struct wb_simt_options *options)
{
  struct wb_code code;
  simt_text_make_barriers(lines, &code);
  code.functions[0].sm = 87;
  failing_analysis(&code, options, 4);
  wb_code_free(&code);
}

TEST(failing_allocations_are_reported)
{
  fail_each_analysis(&(struct wb_simt_options){0});
  fail_each_analysis(
      &(struct wb_simt_options){.waiting = WB_WAITING_ALWAYS, .masks_together = true});
  fail_each_analysis(&(struct wb_simt_options){.agreement = WB_AGREEMENT_NONE});
}

/* ---- limits ---- */

enum { DEPTH = 400, LINE = 24 };

/* Scopes in scopes, whose registers are kept in words of the stack: states of all depths. */
static void make_deep(struct wb_code *code)
{
  char(*words)[LINE] = calloc((size_t)6 * DEPTH + 3, LINE);
  const char **text = calloc((size_t)6 * DEPTH + 4, sizeof *text);
  size_t count = 0;
  assert_non_null(words);
  assert_non_null(text);
  snprintf(words[count++], LINE, "MOV R1 #0");
  snprintf(words[count++], LINE, "TID R0");
  for (int level = 0; level < DEPTH; level++) {
    snprintf(words[count++], LINE, "BSSY B0 j%d", level);
    snprintf(words[count++], LINE, "BMOV R5 B0");
    snprintf(words[count++], LINE, "STL R1 #%d R5", 4 * level);
    snprintf(words[count++], LINE, "@P0 BRA w%d", level);
  }
  for (int level = DEPTH - 1; level >= 0; level--) {
    snprintf(words[count++], LINE, level == DEPTH - 1 ? "w%d: BMOV B0 R5" : "w%d: BSYNC B0", level);
    snprintf(words[count++], LINE, level == DEPTH - 1 ? "BSYNC B0" : "j%d: MOV R9", level + 1);
  }
  snprintf(words[count++], LINE, "j0: EXIT");
  for (size_t i = 0; i < count; i++)
    text[i] = words[i];
  simt_text_make_barriers(text, code);
  code->functions[0].sm = 87;
  free(text);
  free(words);
}

TEST(limits_are_kept)
{
  struct wb_code code;
  make_deep(&code);
  const size_t live = heap.live;
  limited_analysis(&code, 2 << 20);
  assert_int_equal(heap.live, live);
  wb_code_free(&code);
}
