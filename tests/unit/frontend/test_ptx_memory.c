/* The PTX parser when memory runs out: every allocation is made to fail in turn. */
#include "failing_heap.h"
#include "frontend/ptx/ptx_front_end.h"
#include "unit.h"

/* A bit of everything that is stored. */
static const char module[] =
    "//\n"
    ".version 8.5\n"
    ".target sm_52, texmode_independent, debug\n"
    ".address_size 64\n"
    ".extern .func (.param .b32 retval) vprintf(.param .b64 a, .param .b64 b);\n"
    ".weak .func (.param .b32 r) f(.reg .u32 x) .noreturn { ret; }\n"
    ".visible .func g();\n"
    ".alias g, f;\n"
    ".visible .entry k(.param .u64 .ptr .global .align 4 k_0, .param .align 8 .b8 k_1[16])\n"
    ".maxntid 128, 1, 1\n"
    ".minnctapersm 2\n"
    "{\n"
    "  .reg .pred %p<3>;\n"
    "  .loc 7 20 3\n"
    "  ld.param.u64 %rd1, [k_0];\n"
    "$L: @!%p1 bra $END;\n"
    "  .loc 1 21 3, function_name $info+4, inlined_at 7 20 3\n"
    "  { .param .b32 p; call.uni (p), f, (%r1); }\n"
    "  call g;\n"
    "  P: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;\n"
    "  call (p), %rd1, (%r1, 4), P;\n"
    "  T: .branchtargets $L, $END, M;\n"
    "  @%p2 brx.idx %r1, T;\n"
    "M: div .rn /* apart */ .f64 %fd1, %fd2, 0d4000000000000000;\n"
    "  bra.uni $L;\n"
    "$END:\n"
    "}\n"
    ".file 1 \"a.cu\", 123, 456\n"
    ".file 7 \"b dir/b.cu\"\n";

static warpbound_status parse(const void *context, warpbound_error *error)
{
  static const struct wb_unit_assumption assumption = {"div", 3, WB_UNIT_SPECIAL};
  static const struct wb_ptx_options options = {&assumption, 1};
  const char *text = context;
  FREED_BY(wb_code_free) struct wb_code code;
  const warpbound_status status = wb_ptx_parse("x", text, strlen(text), &options, &code, error);
  return status;
}

TEST(failing_allocations)
{
  assert_true(fail_each(parse, module, WARPBOUND_OK) > 5);
}

TEST(failing_with_unknown_opcodes)
{
  static const char unknown[] =
      ".version 8.5\n.target sm_80\n.entry k() { frobnicate; twiddle.x; ret; }\n";
  assert_true(fail_each(parse, unknown, WARPBOUND_FACTS_MISSING) > 5);
}
