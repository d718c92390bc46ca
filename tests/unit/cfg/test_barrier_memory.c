/* The analysis of convergence barriers when memory runs out: every allocation is made to fail in
 * turn; and its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/work_control.h"
#include "cfg/simt_analysis.h"
#include "failing_heap.h"
#include "simt_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* What is asked of an analysis and its graph. */
static warpbound_status ask(const struct wb_code *code, const struct wb_simt_options *options,
                            warpbound_error *error)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_simt_analysis *analysis;
  struct wb_warp_graph united;
  static const bool body[64] = {true, true, true};
  static const bool headers[64] = {false, true};
  warpbound_status status =
      wb_simt_analyse(code, &code->functions[0], options, &control, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_simt_loop_balanced(analysis, headers, body);
  status = wb_warp_graph_unite(wb_simt_analysis_graph(analysis), &united, error);
  if (status == WARPBOUND_OK)
    wb_warp_graph_free(&united);
  wb_simt_analysis_free(analysis);
  return status;
}

/* Four allocations of the question about a loop: it is answered without them. */
static void fail_each(const struct wb_simt_options *options)
{
  struct wb_code code;
  warpbound_error error = {.message = ""};
  size_t answered = 0;
  simt_text_make_barriers(lines, &code);
  code.functions[0].sm = 87;
  const size_t live = heap.live;
  heap.count = 0;
  const warpbound_status first = ask(&code, options, &error);
  assert_string_equal(error.message, "");
  assert_int_equal(first, WARPBOUND_OK);
  assert_int_equal(heap.live, live);
  const size_t total = heap.count;
  assert_true(total > 100);
  for (size_t n = 1; n <= total; n++) {
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = ask(&code, options, &error);
    heap.fail_at = 0;
    assert_int_equal(heap.live, live);
    answered += status == WARPBOUND_OK;
    if (status == WARPBOUND_OK)
      continue;
    assert_int_equal(status, WARPBOUND_INTERNAL);
    assert_string_equal(error.message, "out of memory");
  }
  assert_int_equal(answered, 4);
  wb_code_free(&code);
}

static void failing_allocations_are_reported(void **state)
{
  (void)state;
  fail_each(&(struct wb_simt_options){0});
  fail_each(&(struct wb_simt_options){.waiting = WB_WAITING_ALWAYS, .masks_together = true});
  fail_each(&(struct wb_simt_options){.waiting = WB_WAITING_NEVER});
  fail_each(&(struct wb_simt_options){.agreement = WB_AGREEMENT_NONE});
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

static bool refuse_to_wait(void *context)
{
  (void)context;
  return true;
}

static void limits_are_kept(void **state)
{
  (void)state;
  const struct {
    struct wb_control control;
    const char *what;
  } cases[] = {
      {{.memory_limit = 2 << 20, .threads = 1}, "memory"},
      {{.memory_limit = WB_DEFAULT_MEMORY_LIMIT, .threads = 1, .deadline = 1e-9}, "time"},
      {{.memory_limit = WB_DEFAULT_MEMORY_LIMIT, .threads = 1, .interrupted = refuse_to_wait},
       "interrupted"},
  };
  struct wb_code code;
  make_deep(&code);
  const size_t live = heap.live;
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    warpbound_error error = {.message = ""};
    struct wb_simt_analysis *analysis;
    const struct wb_simt_options options = {0};
    assert_int_equal(
        wb_simt_analyse(&code, &code.functions[0], &options, &cases[c].control, &analysis, &error),
        WARPBOUND_LIMIT);
    assert_null(analysis);
    assert_non_null(strstr(error.message, cases[c].what));
    assert_int_equal(heap.live, live);
  }
  wb_code_free(&code);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(failing_allocations_are_reported),
      cmocka_unit_test(limits_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
