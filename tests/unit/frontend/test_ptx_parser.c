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

TEST(test_calls)
{
  FREED_BY(wb_code_free)
  struct wb_code code = parse(BODY(
      "call f; call (a, b), f; call f, (1, -x, y); call f, (); call (a), r, (b), T; call %r, T;"
      "T: .calltargets f, g; bra %r1, L; bra %r1; L: .branchtargets M; M:"));
  const struct wb_function *k = &code.functions[0];
  static const enum wb_transfer flows[] = {WB_TRANSFER_CALL_FUNCTION,  WB_TRANSFER_CALL_FUNCTION,
                                           WB_TRANSFER_CALL_FUNCTION,  WB_TRANSFER_CALL_FUNCTION,
                                           WB_TRANSFER_CALL_INDIRECT,  WB_TRANSFER_CALL_INDIRECT,
                                           WB_TRANSFER_INDEXED_BRANCH, WB_TRANSFER_INDIRECT_BRANCH};
  assert_int_equal(k->instruction_count, COUNT_OF(flows));
  for (size_t i = 0; i < k->instruction_count; i++)
    assert_int_equal(k->instructions[i].transfer, flows[i]);
}

/* --- what is refused: see refused_texts.txt --- */

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
