/* The SASS front end when memory runs out: every allocation is made to fail in turn. */
#include "failing_heap.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

/* A bit of everything that is stored; enough instructions that arrays grow. */
static const char listing[] =
    "\t.headerflags\t@\"EF_CUDA_SM52\"\n"
    "\t.section\t.nv.constant2.k,\"a\",@progbits\n"
    "        /*0000*/ \t.word\t0x00000010, 0x00000018, 0x00000020, 0x00000030, 0x00000038\n"
    "\t.zero\t12\n"
    "\t.section\t.text.k,\"ax\",@progbits\n"
    "k:\n"
    ".text.k:\n"
    "\t//## File \"a.cu\", line 3\n"
    "        /*0008*/                   SSY `(.L_x_2) ;\n"
    "\t//## File \"b.cuh\", line 70 inlined at \"a.cu\", line 4\n"
    "        /*0010*/         {         LDC.64 R4, c[0x2][R4] ;\n"
    "        /*0018*/              @!P0 SYNC (*\"BRANCH_TARGETS .L_x_2\"*) }\n"
    "        /*0028*/                   BRX R4 -0x30 ;\n"
    "        /*0030*/                   CAL `($k$sub) ;\n"
    "        /*0038*/                   JCAL `(vprintf) ;\n"
    ".L_x_2:\n"
    "        /*0048*/                   FROBNICATE R1, R2 ;\n"
    "        /*0050*/                   BRX R6 -0x58 ;\n"
    "        /*0058*/                   EXIT ;\n"
    "$k$sub:\n"
    "        /*0068*/                   RET ;\n"
    "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n"
    "\t//----- nvinfo : EIATTR_REGCOUNT\n"
    "        /*0000*/ \t.byte\t0x04, 0x2f\n"
    "        /*0004*/ \t.word\tindex@(k)\n"
    "        /*0008*/ \t.word\t0x00000018\n"
    "\t.section\t.nv.shared.k,\"aw\",@nobits\n"
    "\t.zero\t\t64\n"
    "\tcode for sm_70\n"
    "\t\tFunction : f\n"
    "        /*0000*/                   RET.REL.NODEC R20 0x0 ; /* 0x1 */\n"
    "                                                           /* 0x2 */\n"
    "\t\tFunction : g\n"
    "        /*0000*/                   MOV R20, 0x20 ;\n"
    "        /*0010*/                   @P0 CALL.REL.NOINC R8 0x0 ;\n"
    "        /*0020*/                   LDCU.128 UR4, c[0x0][0x100] ;\n"
    "        /*0030*/                   STL.128 [R1], R4 ;\n"
    "        /*0040*/                   EXIT ;\n";

static warpbound_status parse(const void *context, warpbound_error *error)
{
  static const uint64_t addresses[] = {0x10, 0x18};
  static const struct wb_sass_targets targets[] = {{"k", 0x50, addresses, 2},
                                                   {"g", 0x10, addresses, 1}};
  static const struct wb_sass_options options = {targets, 2};
  struct wb_code code;
  (void)context;
  const warpbound_status status =
      wb_sass_parse("x", listing, strlen(listing), &options, &code, error);
  if (status == WARPBOUND_OK) {
    assert_int_equal(code.function_count, 3);
    assert_int_equal(code.functions[2].copy_count, 9);
    assert_int_equal(code.functions[2].instructions[1].target_count, 1);
    assert_true(code.functions[0].instructions[3].target_count > 0);
    assert_int_equal(code.functions[0].instructions[7].target_count, 2);
    wb_code_free(&code);
  }
  return status;
}

TEST(failing_allocations)
{
  assert_true(fail_each(parse, NULL, WARPBOUND_OK) > 20);
}
