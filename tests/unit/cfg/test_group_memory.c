/* The oracle with groups when memory runs out: every allocation is made to fail in turn. */
#include "cfg/interpreter/groups/group_interpreter.h"
#include "failing_heap.h"
#include "simt_text.h"
#include "unit.h"

/* Scopes in scopes, and many words of local memory. */
static const char *const lines[] = {
    "MOV R4 #1",       "BSSY B0 J",    "BSSY B1 K",    "BMOV R5 B1", "STL R1 #8 R5",
    "L: STL R1 #0 R4", "ADD R1 R1 #4", "LDL R6 R1 #0", "SETP P0 R6", "@P0 BRA L",
    "BSYNC B1",        "K: BSYNC B0",  "J: EXIT",      NULL};

TEST(failing_allocations_are_reported)
{
  const struct wb_group_run_options options = {.seed = 3, .step_limit = 2000, .lanes = 32};
  struct wb_code code;
  struct wb_group_run run;
  warpbound_error error = {.message = ""};
  simt_text_make_barriers(lines, &code);
  const size_t live = heap.live;
  heap.count = 0;
  assert_ok(wb_group_run(&code, &code.functions[0], &options, &run, &error));
  assert_int_equal(heap.live, live);
  const size_t total = heap.count;
  assert_true(total > 8);
  for (size_t n = 1; n <= total; n++) {
    heap.count = 0;
    heap.fail_at = n;
    const warpbound_status status = wb_group_run(&code, &code.functions[0], &options, &run, &error);
    heap.fail_at = 0;
    assert_int_equal(heap.live, live);
    assert_int_equal(status, WARPBOUND_INTERNAL);
    assert_string_equal(error.message, "out of memory");
  }
  wb_code_free(&code);
}
