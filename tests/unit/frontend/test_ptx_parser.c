/* The PTX parser: what it makes of modules, what it refuses and where, and that
 * it bears any input. */
#include "base/text.h"
#include "failing_heap.h"
#include "frontend/ptx/ptx_front_end.h"
#include "unit.h"

#include <dirent.h>
#include <time.h>

/* --- helpers --- */

#define HEAD ".version 8.5\n.target sm_80\n"
/* Statements of a kernel; they begin in line 5. */
#define BODY(statements) HEAD ".entry k()\n{\n" statements "\n}\n"

static struct wb_code parse(const char *text)
{
  struct wb_code code;
  warpbound_error error;
  size_t length = strlen(text);
  char *copy = malloc(length); /* of the exact size, for sanitizers */
  assert_non_null(copy);
  memcpy(copy, text, length);
  warpbound_status status = wb_ptx_parse("test", copy, length, NULL, &code, &error);
  free(copy);
  if (status != WARPBOUND_OK)
    fail_msg("%zu:%zu: %s", error.line, error.column, error.message);
  return code;
}

static const char *target_name(const struct wb_function *function, uint32_t target)
{
  const char *name = NULL;
  for (size_t l = 0; l < function->label_count; l++)
    if (function->labels[l].index == function->targets[target])
      name = function->labels[l].name;
  return name;
}

/* --- what is understood --- */

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

struct expected_instruction {
  const char *opcode;
  uint32_t line;
  uint32_t column;
  char unit;
  enum wb_transfer transfer;
  bool guarded;
  const char *callee;
  const char *file;
};

static const struct expected_instruction kernel[] = {
    {"ld.param.u64", 15, 3, 'L', WB_TRANSFER_NEXT, false, NULL, "b dir/b.cu"},
    {"bra", 16, 11, 'C', WB_TRANSFER_BRANCH, true, NULL, "b dir/b.cu"},
    {"call.uni", 18, 20, 'C', WB_TRANSFER_CALL_FUNCTION, false, "f", "a.cu"},
    {"call", 19, 3, 'C', WB_TRANSFER_CALL_FUNCTION, false, "f", "a.cu"},
    {"call", 21, 3, 'C', WB_TRANSFER_CALL_INDIRECT, false, NULL, "a.cu"},
    {"brx.idx", 23, 8, 'C', WB_TRANSFER_INDEXED_BRANCH, true, NULL, "a.cu"},
    {"div.rn.f64", 24, 4, 'D', WB_TRANSFER_NEXT, false, NULL, "a.cu"},
    {"bra.uni", 25, 3, 'C', WB_TRANSFER_BRANCH, false, NULL, "a.cu"},
};

static void check_instruction(const struct wb_code *code, const struct wb_instruction *instruction,
                              const struct expected_instruction *expected)
{
  assert_string_equal(instruction->opcode, expected->opcode);
  assert_int_equal(instruction->line, expected->line);
  assert_int_equal(instruction->column, expected->column);
  assert_int_equal(wb_unit_letter(instruction->unit), expected->unit);
  assert_int_equal(instruction->transfer, expected->transfer);
  assert_int_equal(instruction->guarded, expected->guarded);
  if (expected->callee != NULL)
    assert_string_equal(instruction->callee, expected->callee);
  else
    assert_null(instruction->callee);
  assert_string_equal(code->files[instruction->source_file - 1], expected->file);
}

TEST(test_module)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(module);
  assert_string_equal(code.name, "test");
  assert_string_equal(code.isa, "PTX 8.5");
  assert_string_equal(code.target, "sm_52");
  assert_int_equal(code.file_count, 2);
  assert_int_equal(code.function_count, 4);
  assert_false(code.functions[0].defined);
  assert_true(code.functions[1].defined);
  assert_false(code.functions[1].kernel);
  const struct wb_function *k = &code.functions[3];
  assert_true(k->kernel && k->defined);
  assert_string_equal(k->name, "k");
  assert_int_equal(k->line, 9);
  assert_int_equal(k->instruction_count, COUNT_OF(kernel));
  for (size_t i = 0; i < k->instruction_count; i++)
    check_instruction(&code, &k->instructions[i], &kernel[i]);
  assert_int_equal(k->instructions[2].source_line, 21);
  assert_true(k->instructions[6].several);
  assert_false(k->instructions[2].several);
  assert_int_equal(k->label_count, 3);
}

TEST(test_targets)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(module);
  const struct wb_function *k = &code.functions[3];
  assert_int_equal(k->instructions[1].target_count, 1);
  assert_int_equal(k->targets[k->instructions[1].first_target], k->instruction_count);
  assert_int_equal(k->instructions[5].target_count, 3);
  static const char *const names[] = {"$L", "$END", "M"};
  for (uint32_t t = 0; t < 3; t++)
    assert_string_equal(target_name(k, k->instructions[5].first_target + t), names[t]);
  assert_int_equal(k->targets[k->instructions[7].first_target], 1);
}

/* An inner label hides an outer one, in its block only. */
TEST(test_scopes)
{
  FREED_BY(wb_code_free)
  struct wb_code code = parse(BODY("L: bra L; { bra L; { bra L; bra M; } exit; L: M: bra L; }"
                                   "{ bra L; } bra L;"));
  static const uint32_t targets[] = {0, 5, 5, 5, 5, 0, 0};
  const struct wb_function *k = &code.functions[0];
  assert_int_equal(k->target_count, COUNT_OF(targets));
  for (size_t t = 0; t < k->target_count; t++)
    assert_int_equal(k->targets[t], targets[t]);
}

/* Statements in every form that the grammar knows. */
static const char *const accepted[] = {
    BODY(""),
    BODY("ret;exit;trap;"),
    HEAD ".entry k { ret; } .func f { ret; } .func g;",
    ".version 1.4\r.target sm_10, map_f64_to_f32\r.const[2] .align 4 .b8 x[4];\r.tex .u32 t;\r",
    "/* x */\n# 1 \"x\"\n.version 1.0 .target sm_10\n@@DWARF .section .debug_info, \"\",@progbits\n"
    "@@DWARF .byte 0x1, 2\n@@DWARF .4byte .debug_abbrev\n@@DWARF .quad $L\n",
    HEAD ".global .align 4 .u32 x[2][3] = {{1,2,3},{4,(5+1)*2}}, y = 3; .global .b8 e[2] = {};",
    HEAD
    ".global .u64 p = generic(x)+4, q[] = {x, x+4, generic(y)}; .global .b8 s[4] = \"abc\";"
    ".global .b8 m[2] = {0xff(x), 0xFF00(generic(x+4))}; .global .v4 .f32 v = {1.0,2.,3e1,-.5};",
    HEAD ".global .samplerref s = {addr_mode_0 = wrap, filter_mode = 1}; .global .texref t;"
         ".extern .global .attribute(.managed, .unified(1,2)) .surfref u;",
    HEAD
    ".section .debug_str { L: .b8 1,2 .b32 .debug_loc+5 .b64 L-M+1 M: .b16 -3 } .section .x.y{}",
    HEAD
    ".pragma \"a\", \"b\"; .func .attribute(.unified(3,4)) f() .abi_preserve 3 .pragma \"x\"; ;",
    HEAD ".entry k() .reqntid 1 .maxnreg 3 .reqnctapercluster 1,2 .explicitcluster {}",
    BODY(".pragma \"nounroll\"; .shared .align 16 .b8 s[]; .reg .v2 .f32 a, %b<3>; .file 1 \"x\""),
    BODY("mov.b64 {%r1, _}, %rd1; mov.u32 %r1, %tid.x; mov.u32 %r1, v.y; vmad.u32.u32.u32 "
         "%r1, -%r2.h0, %r3.b3210, %r4;"),
    BODY("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r1, [%rd1+-4]; ld.global.u32 %r1, [x+4*2]; "
         "ld.global.u32 %r1, a[3]; ld.shared::cta.u32 %r1, [16]; prefetchu.L1 [%rd1 - 4];"),
    BODY("tex.2d.v4.f32.f32 {a,b,c,d}|%p1, [t, s, {%f1, %f2}], {1, 2}, 0f3F800000;"),
    BODY("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {a,b,c,d}, {a,b}, {c}, {a,b,c,d};"),
    BODY("setp.eq.and.s32 %p1|%p2, %r1, 3, !%p3; elect.sync _|%p1, -1; shfl.sync.up.b32 a|b, c, 1, "
         "2, 3; mbarrier.arrive.shared.b64 _, [%r1];"),
    BODY("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [d], [m, {x, "
         "y}], [b]; tcgen05.ld.sync.aligned.16x64b.x2.b32 {a, b}, [t];"),
    BODY("mov.u32 %r1, (1<<3)|4&~2^1; mov.u64 x, (.u64)-1; mov.u32 y, 1?2:(3==4&&!0); mov.u32 z, "
         "WARP_SZ*2 % 3/4>=5;"),
    BODY("call f; call (a, b), f; call f, (1, -x, y); call f, (); call (a), r, (b), T; call %r, T;"
         "T: .calltargets f, g; bra %r1, L; bra %r1; L: .branchtargets M; M:"),
    HEAD ".global .u64 j[2] = {f, f}; .entry k() { .reg .b64 r; call r, j; call r; }",
    ".version 9.4\n.target sm_107\n.file 1 \"k.py\"\n.nv_intermediate_source_section "
    "{\n.code_block {"
    "\n.ir_name: \"TileIR\"\n.sourceFileName: 2\n.source_begin }} \"\n\x80 .source_end\n"
    "  .source_end\n}\n}\n.entry k() .minperctamemory 2048 { .loc 1 2 3 .loc_intermediate 2 4 1\n"
    "fabric.wait.x [a]; spcompress.x a, b; }",
    BODY("add .s32\t%r1,%r2,%r3 ;ld/**/.global//\n.u32 %r1,[a];"),
    BODY("add: bra add; ret: bra ret; k: _: %x: $y: bra k;"),
};

TEST(test_accepted)
{
  for (size_t i = 0; i < COUNT_OF(accepted); i++) {
    FREED_BY(wb_code_free) struct wb_code code;
    warpbound_error error;
    if (wb_ptx_parse(NULL, accepted[i], strlen(accepted[i]), NULL, &code, &error) != WARPBOUND_OK)
      fail_msg("%s\n%zu:%zu: %s", accepted[i], error.line, error.column, error.message);
  }
}

TEST(test_calls)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(accepted[19]);
  const struct wb_function *k = &code.functions[0];
  static const enum wb_transfer flows[] = {WB_TRANSFER_CALL_FUNCTION,  WB_TRANSFER_CALL_FUNCTION,
                                           WB_TRANSFER_CALL_FUNCTION,  WB_TRANSFER_CALL_FUNCTION,
                                           WB_TRANSFER_CALL_INDIRECT,  WB_TRANSFER_CALL_INDIRECT,
                                           WB_TRANSFER_INDEXED_BRANCH, WB_TRANSFER_INDIRECT_BRANCH};
  assert_int_equal(k->instruction_count, COUNT_OF(flows));
  for (size_t i = 0; i < k->instruction_count; i++)
    assert_int_equal(k->instructions[i].transfer, flows[i]);
}

/* --- what is refused --- */

struct refusal {
  const char *text;
  size_t line;
  size_t column;
  const char *message; /* a part */
};

static const struct refusal refusals[] = {
    {"", 1, 1, "expected .version at the start of a PTX module, found the end of the file"},
    {"\n  hello", 2, 3, "expected .version at the start of a PTX module, found 'hello'"},
    {".target sm_80", 1, 1, "expected .version"},
    {".version", 1, 9, "expected a version such as 8.5, found the end of the file"},
    {".version 8", 1, 10, "expected a version such as 8.5, found '8'"},
    {".version .5", 1, 10, "expected a version"},
    {".version 1.5e3", 1, 10, "expected a version"},
    {".version 8.5\n.entry k() {}", 2, 1, "expected .target after .version, found '.entry'"},
    {".version 8.5\n.target 80", 2, 9, "expected a target such as sm_52, found '80'"},
    {".version 8.5\n.target sm_80,", 2, 15, "expected a target"},
    {HEAD ".address_size 48", 3, 15, "expected 32 or 64, found '48'"},
    {HEAD ".frobnicate 1", 3, 1, "found '.frobnicate'"},
    {HEAD ".entry", 3, 7, "expected the name of a function, found the end of the file"},
    {HEAD ".entry k(", 3, 10, "expected a parameter (.param or .reg), found the end of the file"},
    {HEAD ".entry k(.param .u32 a;", 3, 23, "expected ',' or ')', found ';'"},
    {HEAD ".entry k(.param a)", 3, 17, "expected a type, found 'a'"},
    {HEAD ".entry k(.param .u33 a)", 3, 17, "expected a type, found '.u33'"},
    {HEAD ".entry k() .maxntid {}", 3, 21, "expected a number, found '{'"},
    {HEAD ".entry k() .maxfrob 3 {}", 3, 12, "found '.maxfrob'"},
    {HEAD ".entry k() .maxntid 1,2,3,4 {}", 3, 26, "found ','"},
    {HEAD ".entry k() ret;", 3, 12, "expected a directive of a function, '{' or ';', found 'ret'"},
    {HEAD ".entry k() {}\n.func k() {}", 4, 7, "expected a new function, found 'k'"},
    {HEAD ".alias f;", 3, 9, "expected ',', found ';'"},
    {HEAD ".global x;", 3, 9, "expected a type, found 'x'"},
    {HEAD ".global .u32;", 3, 13, "expected the name of a variable, found ';'"},
    {HEAD ".global .u32 x", 3, 15, "expected ',' or ';', found the end of the file"},
    {HEAD ".global .u32 x[2;", 3, 17, "expected ']', found ';'"},
    {HEAD ".global .u32 x = ;", 3, 18, "expected an operand, found ';'"},
    {HEAD ".global .u32 x[] = {1,2,};", 3, 25, "expected an operand, found '}'"},
    {HEAD ".global .u32 x[] = {1 2};", 3, 23, "expected ',' or '}', found '2'"},
    {HEAD ".global .align x .u32 y;", 3, 16, "expected an alignment, found 'x'"},
    {HEAD ".global .attribute(.frob) .u32 y;", 3, 20, "found '.frob'"},
    {HEAD ".global .ptr .u32 y;", 3, 9, "expected a type, found '.ptr'"},
    {HEAD ".section { }", 3, 10, "expected the name of a section"},
    {HEAD ".section .d { .f32 1 }", 3, 15, "found '.f32'"},
    {HEAD ".section .d { .b8 }", 3, 19, "expected a number, a label or a section, found '}'"},
    {HEAD ".file x", 3, 7, "expected the number of a file, found 'x'"},
    {HEAD ".file 4294967296 \"x\"", 3, 7, "expected the number of a file up to 4294967295"},
    {HEAD ".file 1 x", 3, 9, "expected the name of a file, found 'x'"},
    {HEAD ".nv_intermediate_source_section { .frob", 3, 35, "expected .code_block or '}'"},
    {HEAD ".nv_intermediate_source_section { .code_block {\n.source_begin\nx\n", 6, 1,
     "expected .source_end, found the end of the file"},
    {HEAD "@@FROB .byte 1", 3, 3, "expected DWARF, found 'FROB'"},
    {HEAD "@@DWARF .frob 1", 3, 9, "found '.frob'"},
    {BODY("ret"), 6, 1, "expected an operand or ';', found '}'"},
    {BODY("ret a"), 6, 1, "expected ',' or ';', found '}'"},
    {HEAD ".entry k() {\nret;\n", 5, 1, "expected a statement or '}', found the end of the file"},
    {BODY("} }"), 5, 3, "found '}'"},
    {BODY(";"), 5, 1, "expected a statement or '}', found ';'"},
    {BODY("  .frob;"), 5, 3, "expected a directive that may stand in a function, found '.frob'"},
    {BODY("frobnicate.s32 a; ret b"), 6, 1, "expected ',' or ';', found '}'"},
    {BODY("add.s32 %r1 %r2;"), 5, 13, "expected ',' or ';', found '%r2'"},
    {BODY("add.s32 %r1, ;"), 5, 14, "expected an operand, found ';'"},
    {BODY("add.s32 %r1, %r2.global;"), 5, 17, "expected ',' or ';', found '.global'"},
    {BODY("add.s32 %r1, (1+2;"), 5, 18, "expected ')', found ';'"},
    {BODY("add.s32 %r1, 1?2;"), 5, 17, "expected ':', found ';'"},
    {BODY("ld.u32 %r1, [%r2;"), 5, 17, "expected ',' or ']', found ';'"},
    {BODY("ld.u32 %r1, [];"), 5, 14, "expected an operand, found ']'"},
    {BODY("ld.u32 %r1, [[a]];"), 5, 14, "expected an operand, found '['"},
    {BODY("ld.v2.u32 {a, b, [c];"), 5, 21, "expected ',' or '}', found ';'"},
    {BODY("@ add.s32 a;"), 5, 6, "expected an instruction, found '.s32'"},
    {BODY("@!%p1;"), 5, 6, "expected an instruction, found ';'"},
    {BODY("@%p {"), 5, 5, "expected an instruction, found '{'"},
    {BODY("\tbra L;"), 5, 6,
     "expected the label of an instruction, found 'L', which this function"},
    {BODY("bra L; { L: }"), 5, 5, "found 'L', which this function does not define here"},
    {BODY("bra 4;"), 5, 5, "expected a label, found '4'"},
    {BODY("bra;"), 5, 4, "expected a label, found ';'"},
    {BODY("L:\nL: ret;"), 6, 1, "expected a new label, found 'L', which line 5 defines as well"},
    {BODY("L: .branchtargets L;"), 5, 19,
     "expected the label of an instruction, found 'L', another"},
    {BODY("L: brx.idx %r1, L;"), 5, 17, "expected the label of a .branchtargets list, found 'L'"},
    {BODY("brx.idx %r1;"), 5, 12, "expected ',', found ';'"},
    {BODY("T: .branchtargets 3;"), 5, 19, "expected a label, found '3'"},
    {BODY("call (a), f, b;"), 5, 14, "expected the label of a .callprototype or .calltargets"},
    {BODY("call (a) f;"), 5, 10, "expected ',', found 'f'"},
    {BODY("call;"), 5, 5, "expected the function to call, found ';'"},
    {BODY("P: .callprototype (.param .b32 _);"), 5, 34, "expected '_', found ';'"},
    {BODY(".loc 1 2;"), 5, 9, "expected a column, found ';'"},
    {BODY(".loc 1 2 3, frob 4"), 5, 13, "expected function_name or inlined_at, found 'frob'"},
    {BODY(".loc 1 99999999999 3"), 5, 8, "expected a line up to 4294967295"},
    {BODY("mov.u32 %r1, 0f3F8;"), 5, 14, "expected 8 hexadecimal digits after 0f, found '0f3F8'"},
    {BODY("\x80"), 5, 1, "expected a token, found '\\x80'"},
    {BODY("\x1b[31m"), 5, 1, "expected a token, found '\\x1b'"},
    {BODY("/* x"), 5, 1, "expected '*/' to close this comment, found the end of the file"},
    {BODY(".pragma \"x;"), 5, 9, "expected the closing '\"' of a string, found '\"x;'"},
    {BODY("= aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), 5, 1, "found '='"},
    {BODY("ret aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd e"), 5, 46, "found 'e'"},
    {BODY("ret a aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeee;"), 5, 7,
     "found 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...'"},
};

TEST(test_refusals)
{
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    const struct refusal *expected = &refusals[i];
    struct wb_code code;
    warpbound_error error = {0};
    warpbound_status status =
        wb_ptx_parse("file.ptx", expected->text, strlen(expected->text), NULL, &code, &error);
    if (status != WARPBOUND_INVALID_INPUT || error.status != status)
      fail_msg("%s\nstatus %d", expected->text, status);
    if (error.line != expected->line || error.column != expected->column ||
        strstr(error.message, expected->message) == NULL)
      fail_msg("%s\n%zu:%zu: %s", expected->text, error.line, error.column, error.message);
    assert_string_equal(error.file, "file.ptx");
    assert_null(code.functions);
  }
}

TEST(test_error_may_be_missing)
{
  struct wb_code code;
  assert_invalid(wb_ptx_parse("x", "?", 1, NULL, &code, NULL));
}

/* Every beginning of a module ends in an error with a place, or is a module. */
TEST(test_truncated)
{
  for (size_t length = 0; length < sizeof module; length++) {
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, module, length);
    struct wb_code code;
    warpbound_error error = {0};
    if (wb_ptx_parse("x", copy, length, NULL, &code, &error) == WARPBOUND_OK)
      wb_code_free(&code);
    else
      assert_true(error.line > 0 && error.column > 0 && error.message[0] != '\0');
    free(copy);
  }
}

/* A text of `depth` opening and closing marks within a body. */
static warpbound_status parse_nested(const char *before, char open, const char *within, char close,
                                     size_t depth, warpbound_error *error)
{
  size_t size = strlen(before) + strlen(within) + 2 * depth + 100;
  char *text = malloc(size);
  assert_non_null(text);
  size_t used = (size_t)snprintf(text, size, HEAD ".entry k() {\n%s", before);
  memset(text + used, open, depth);
  used += depth;
  used += (size_t)snprintf(text + used, size - used, "%s", within);
  memset(text + used, close, depth);
  used += depth;
  used += (size_t)snprintf(text + used, size - used, "%s }", strlen(before) > 0 ? ";" : "");
  struct wb_code code;
  warpbound_status status = wb_ptx_parse("x", text, used, NULL, &code, error);
  if (status == WARPBOUND_OK)
    wb_code_free(&code);
  free(text);
  return status;
}

TEST(test_nesting)
{
  static const struct {
    const char *before;
    const char *within;
    char open, close;
  } nests[] = {
      {"", "ret;", '{', '}'},
      {"mov.u32 a, ", "1", '(', ')'},
      {"mov.u32 a, ", "1", '{', '}'},
      {".global .u32 x = ", "1", '{', '}'},
  };
  for (size_t n = 0; n < COUNT_OF(nests); n++) {
    warpbound_error error;
    assert_ok(
        parse_nested(nests[n].before, nests[n].open, nests[n].within, nests[n].close, 255, &error));
    assert_invalid(parse_nested(nests[n].before, nests[n].open, nests[n].within, nests[n].close,
                                1000000, &error));
    assert_non_null(strstr(error.message, "at most 256 levels of nesting"));
  }
}

static void assert_unknown(const char *text, size_t column, const char *message)
{
  struct wb_code code;
  warpbound_error error;
  assert_int_equal(wb_ptx_parse("x.ptx", text, strlen(text), NULL, &code, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_int_equal(error.status, WARPBOUND_FACTS_MISSING);
  assert_string_equal(error.file, "x.ptx");
  assert_int_equal(error.line, 5);
  assert_int_equal(error.column, column);
  assert_string_equal(error.message, message);
  assert_null(code.functions);
}

TEST(test_unknown_opcodes)
{
  assert_unknown(BODY("frobnicate.s32 a;"), 1,
                 "opcode 'frobnicate.s32' is not in the table of PTX opcodes; say which unit it "
                 "uses with --assume-unit frobnicate=L|C|S|D|N");
  assert_unknown(BODY("ret; b.x a; c a; b.y a; c a;"), 6,
                 "opcodes 'b', 'c' are not in the table of PTX opcodes; say which unit each uses "
                 "with --assume-unit b=L|C|S|D|N and so on");
  assert_unknown(BODY("a1; a2; a3; a4; a5; a6; a7; a8; a9; b1; a9;"), 1,
                 "opcodes 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8' and 2 more are not in the "
                 "table of PTX opcodes; say which unit each uses with --assume-unit a1=L|C|S|D|N "
                 "and so on");
}

/* The longest message still ends as it should. */
TEST(test_long_unknown_opcodes)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  wb_text_string(&text, HEAD ".entry k() {\n");
  for (char c = 'a'; c <= 'z'; c++) {
    wb_text_fill(&text, c, 100);
    wb_text_string(&text, ";\n");
  }
  wb_text_string(&text, "}");
  struct wb_code code;
  warpbound_error error;
  assert_int_equal(wb_ptx_parse("x", text.data, text.length, NULL, &code, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_non_null(strstr(error.message, "' and 18 more are not in the table"));
  assert_non_null(strstr(error.message, "=L|C|S|D|N and so on"));
}

TEST(test_byte_order_mark)
{
  static const char text[] = "\xef\xbb\xbf.version 8.5\n.target sm_80\n";
  struct wb_code code;
  warpbound_error error;
  assert_ok(wb_ptx_parse("x", text, sizeof text - 1, NULL, &code, &error));
  wb_code_free(&code);
  assert_invalid(wb_ptx_parse("x", text, 4, NULL, &code, &error));
  assert_int_equal(error.column, 1);
}

TEST(test_assumptions)
{
  static const struct wb_unit_assumption assumptions[] = {
      {"frobnicate", 10, WB_UNIT_SPECIAL},
      {"frobnicate.s32.x", 10, WB_UNIT_SPECIAL}, /* the length counts */
      {"add.f128", 8, WB_UNIT_DOUBLE},
      {"bra", 3, WB_UNIT_NONE},
      {"frobnicate.wide", 15, WB_UNIT_LOAD_STORE},
  };
  const struct wb_ptx_options options = {assumptions, COUNT_OF(assumptions)};
  static const char text[] =
      BODY("frobnicate.s32 a; frobnicate.wide.s32 a; add.f128 a; add.f1289 a;"
           "L: bra L; frobnicates a;");
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error;
  assert_int_equal(wb_ptx_parse("x", text, sizeof text - 1, &options, &code, &error),
                   WARPBOUND_FACTS_MISSING);
  assert_non_null(strstr(error.message, "'frobnicates'"));
  static const char known[] = BODY("frobnicate.s32 a; frobnicate.wide.s32 a; add.f128 a; add.f1289 "
                                   "a; L: bra L;");
  assert_ok(wb_ptx_parse("x", known, sizeof known - 1, &options, &code, &error));
  static const char letters[] = "SLDCN";
  const struct wb_function *k = &code.functions[0];
  for (size_t i = 0; i < k->instruction_count; i++)
    assert_int_equal(wb_unit_letter(k->instructions[i].unit), letters[i]);
  assert_string_equal(k->instructions[0].assumption,
                      "the unit of 'frobnicate' is the user's assumption");
  assert_int_equal(k->instructions[4].transfer, WB_TRANSFER_BRANCH);
}

/* 100,000 labels and 200,000 instructions; a quadratic parser would need minutes. */
TEST(test_large_kernel)
{
  const size_t count = 100000;
  char *text = malloc(count * 64 + 100);
  assert_non_null(text);
  size_t used = (size_t)sprintf(text, BODY(""));
  used -= 3; /* before the closing brace */
  for (size_t i = 0; i < count; i++)
    used += (size_t)sprintf(text + used, "L%zu: add.s32 %%r1, %%r2, 3; @%%p1 bra L%zu;\n", i,
                            (i * 7919) % count);
  used += (size_t)sprintf(text + used, "}\n");
  struct wb_code code;
  warpbound_error error;
  clock_t start = clock();
  warpbound_status status = wb_ptx_parse("x", text, used, NULL, &code, &error);
  double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  free(text);
  assert_ok(status);
  assert_int_equal(code.functions[0].instruction_count, 2 * count);
  assert_int_equal(code.functions[0].targets[1], 2 * 7919);
  wb_code_free(&code);
  assert_true(seconds < 20); /* leaves room for sanitizers and valgrind */
}

/* --- fixtures --- */

static bool has_suffix(const char *name, const char *suffix)
{
  size_t length = strlen(name);
  return length > strlen(suffix) && strcmp(name + length - strlen(suffix), suffix) == 0;
}

static void parse_fixture(const char *path)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  long length = ftell(file);
  assert_true(length >= 0);
  rewind(file);
  char *text = malloc((size_t)length + 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)length, file), (size_t)length);
  fclose(file);
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error;
  if (wb_ptx_parse(path, text, (size_t)length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s:%zu:%zu: %s", path, error.line, error.column, error.message);
  assert_true(code.isa[0] != '\0' && code.target[0] != '\0');
  free(text);
}

/* Parses every *.ptx of a folder and its folders; returns how many. */
static size_t parse_fixtures(const char *folder, unsigned depth)
{
  DIR *entries = depth < 8 ? opendir(folder) : NULL;
  size_t count = 0;
  for (struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
    char path[4096];
    if (entry->d_name[0] == '.')
      continue;
    if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path)
      fail_msg("a path is too long: %s", entry->d_name);
    if (has_suffix(entry->d_name, ".ptx")) {
      parse_fixture(path);
      count++;
    } else {
      count += parse_fixtures(path, depth + 1);
    }
  }
  if (entries != NULL)
    closedir(entries);
  return count;
}

TEST(test_fixtures)
{
  const char *fixtures = getenv("WARPBOUND_FIXTURES");
  if (fixtures == NULL)
    skip();
  char folder[4096];
  snprintf(folder, sizeof folder, "%s/ptx", fixtures);
  assert_true(parse_fixtures(folder, 0) > 0);
}

/* ---- when memory runs out: every allocation is made to fail in turn ---- */

static warpbound_status parse_stored(const void *context, warpbound_error *error)
{
  static const struct wb_unit_assumption assumption = {"div", 3, WB_UNIT_SPECIAL};
  static const struct wb_ptx_options options = {&assumption, 1};
  const char *text = context;
  FREED_BY(wb_code_free) struct wb_code code;
  const warpbound_status status = wb_ptx_parse("x", text, strlen(text), &options, &code, error);
  return status;
}

TEST(test_memory)
{
  assert_true(fail_each(parse_stored, module, WARPBOUND_OK) > 5);
}

TEST(test_memory_with_unknown_opcodes)
{
  static const char unknown[] =
      ".version 8.5\n.target sm_80\n.entry k() { frobnicate; twiddle.x; ret; }\n";
  assert_true(fail_each(parse_stored, unknown, WARPBOUND_FACTS_MISSING) > 5);
}
