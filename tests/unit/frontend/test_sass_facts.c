/* What instructions read, write and do: tests/fixtures/sass_facts.txt, written by hand, against
 * what the front end makes of each statement in a listing of its own; and what calls of code
 * outside keep and are named, against code that nvcc made. */
#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "fixtures.h"
#include "frontend/binary/binary_front_end.h"
#include "frontend/sass/sass_front_end.h"
#include "isa/opcode.h"
#include "model/linked_function.h"
#include "unit.h"

#define MOST_FIELDS 5

static const char *const transfers[] = {
    [WB_TRANSFER_NEXT] = "next",
    [WB_TRANSFER_BRANCH] = "branch",
    [WB_TRANSFER_INDEXED_BRANCH] = "indexed",
    [WB_TRANSFER_EXIT] = "exit",
    [WB_TRANSFER_PUSH] = "push",
    [WB_TRANSFER_POP] = "pop",
    [WB_TRANSFER_CALL] = "call",
    [WB_TRANSFER_CALL_OUTSIDE] = "outside",
    [WB_TRANSFER_SCOPE_OPEN] = "scope-open",
    [WB_TRANSFER_SCOPE_SYNC] = "scope-sync",
    [WB_TRANSFER_SCOPE_BREAK] = "scope-break",
    [WB_TRANSFER_WARP_SYNC] = "warp-sync",
    [WB_TRANSFER_CALL_LINKED] = "call-linked",
    [WB_TRANSFER_RETURN_LINKED] = "return-linked",
    [WB_TRANSFER_UNSUPPORTED] = "unsupported",
};
static const char *const tokens[] = {"", " sync", " break", " continue", " return"};
static const char *const rules[] = {"sources", "memory", "lane", "always", "never"};

/* The set of registers that a field names, all of them false before. */
static void read_registers(const char *field, bool set[WB_REGISTER_COUNT])
{
  if (strcmp(field, "all") == 0)
    memset(set, 1, WB_REGISTER_COUNT);
  if (strcmp(field, "all") == 0 || strcmp(field, "-") == 0)
    return;
  char copy[512];
  snprintf(copy, sizeof copy, "%s", field);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
    char *to = strchr(word, '-');
    bool in = false;
    if (to != NULL)
      *to++ = '\0';
    unsigned named = 0;
    for (unsigned r = 0; r < WB_REGISTER_COUNT; r++) {
      char name[8];
      wb_register_name(r, name);
      const bool first = strcmp(name, word) == 0;
      const bool last = strcmp(name, to != NULL ? to : word) == 0;
      in = in || first;
      set[r] = set[r] || in;
      named += first || (to != NULL && last);
      if (last)
        in = false;
    }
    if (named != (to != NULL ? 2 : 1))
      fail_msg("'%s' names no registers", field);
  }
}

static void fill_set(const struct wb_function *function, uint32_t first, uint32_t count,
                     bool set[WB_REGISTER_COUNT])
{
  for (uint32_t s = 0; s < count; s++) {
    const struct wb_register_span *span = &function->spans[first + s];
    assert_true(span->count > 0);
    for (unsigned r = span->first; r < (unsigned)span->first + span->count; r++)
      set[r] = true;
  }
}

static void compare_sets(const char *statement, const char *what, const char *field,
                         const bool made[WB_REGISTER_COUNT])
{
  bool expected[WB_REGISTER_COUNT] = {false};
  read_registers(field, expected);
  for (unsigned r = 0; r < WB_REGISTER_COUNT; r++) {
    char name[8];
    wb_register_name(r, name);
    if (expected[r] != made[r])
      fail_msg("%s: %s is%s %s", statement, name, made[r] ? "" : " not", what);
  }
}

/* fields: read, written, transfer, unit, agreement. */
static void check(unsigned sm, const char *statement, char *fields[MOST_FIELDS])
{
  bool reads[WB_REGISTER_COUNT] = {false};
  bool writes[WB_REGISTER_COUNT] = {false};
  char transfer[40];
  /* The statement as the only one of a function. */
  FREED_BY(wb_text_free) struct wb_text listing = {0};
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error;
  wb_text_format(&listing, "\tcode for sm_%u\n\t\tFunction : k\n        /*%04x*/  %s ;\n", sm,
                 sm < 70 ? 8U : 0U, statement);
  if (wb_sass_parse("facts", listing.data, listing.length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", statement, error.message);
  assert_int_equal(code.functions[0].instruction_count, 1);
  const struct wb_function *function = &code.functions[0];
  const struct wb_instruction *made = &function->instructions[0];
  fill_set(function, made->first_read, made->read_count, reads);
  fill_set(function, made->first_write, made->write_count, writes);
  compare_sets(statement, "read", fields[0], reads);
  compare_sets(statement, "written", fields[1], writes);
  /* A call pushes a return token whatever is said. */
  snprintf(transfer, sizeof transfer, "%s%s", transfers[made->transfer],
           made->transfer == WB_TRANSFER_CALL ? "" : tokens[made->token]);
  if (strcmp(transfer, fields[2]) != 0)
    fail_msg("%s: transfer is %s", statement, transfer);
  if (wb_unit_letter(made->unit) != fields[3][0])
    fail_msg("%s: unit is %c", statement, wb_unit_letter(made->unit));
  if (strcmp(rules[made->agreement], fields[4]) != 0)
    fail_msg("%s: agreement is %s", statement, rules[made->agreement]);
}

/* `statement => read; written; transfer; unit; agreement` */
static void check_line(unsigned sm, char *line)
{
  char *fields[MOST_FIELDS];
  char *arrow = strstr(line, " => ");
  assert_non_null(arrow);
  *arrow = '\0';
  char *field = arrow + 4;
  for (size_t f = 0; f < MOST_FIELDS; f++) {
    char *end = strchr(field, ';');
    assert_true((end != NULL) == (f + 1 < MOST_FIELDS));
    fields[f] = field;
    if (end != NULL) {
      *end = '\0';
      field = end + 1 + strspn(end + 1, " ");
    }
  }
  check(sm, line, fields);
}

TEST(test_facts)
{
  struct wb_input source;
  size_t checked = 0;
  unsigned sm = 0;
  fixture_read(&source, "sass_facts.txt");
  for (char *line = source.bytes; line != NULL && *line != '\0';) {
    char *newline = strchr(line, '\n');
    if (newline != NULL)
      *newline = '\0';
    if (strncmp(line, "sm_", 3) == 0) {
      sm = (unsigned)strtoul(line + 3, NULL, 10);
    } else if (line[0] != '\0' && line[0] != '#') {
      check_line(sm, line);
      checked++;
    }
    line = newline != NULL ? newline + 1 : NULL;
  }
  wb_input_free(&source);
  assert_true(checked >= 300);
}

/* Launches that overlap are left out by an assumption, on each side of the overlap. */
TEST(test_dependent_launches)
{
  static const char *const opcodes[] = {"ACQBULK", "PREEXIT"};
  static const char *const assumed[] = {WB_NOT_DEPENDENT, WB_NO_DEPENDENTS};
  for (size_t o = 0; o < COUNT_OF(opcodes); o++) {
    FREED_BY(wb_code_free) struct wb_code code = {0};
    FREED_BY(wb_text_free) struct wb_text listing = {0};
    wb_text_format(&listing, "\tcode for sm_90\n\t\tFunction : k\n        /*0000*/  %s ;\n",
                   opcodes[o]);
    assert_ok(wb_sass_parse("dependents", listing.data, listing.length, NULL, &code, NULL));
    const struct wb_instruction *made = &code.functions[0].instructions[0];
    assert_false(made->unknown);
    assert_false(wb_instruction_is(made, WB_TRAIT_HIDDEN_WAIT));
    assert_non_null(made->assumption);
    assert_string_equal(made->assumption, assumed[o]);
  }
}

/* ---- calls of code that is not in the file ---- */

#define GENERAL_COUNT (WB_REGISTER_PREDICATE - WB_REGISTER_GENERAL)

static bool writes(const struct wb_function *function, const struct wb_instruction *instruction,
                   unsigned number)
{
  bool written = false;
  for (uint32_t w = 0; w < instruction->write_count; w++) {
    const struct wb_register_span *span = &function->spans[instruction->first_write + w];
    written |= number >= span->first && number < (unsigned)span->first + span->count;
  }
  return written;
}

/* The words of the stack that a function saved registers in before it wrote them, and from which
 * it restores them: what is saved and restored is kept, and so is what is never written. A function
 * without branches and with one RET. */
static void find_kept(const struct wb_function *function, bool kept[GENERAL_COUNT],
                      bool restored[GENERAL_COUNT])
{
  uint64_t place[GENERAL_COUNT];
  bool written[GENERAL_COUNT] = {false}, saved[GENERAL_COUNT] = {false};
  memset(restored, 0, GENERAL_COUNT * sizeof *restored);
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->transfer == WB_TRANSFER_RETURN_LINKED)
      break;
    const bool outside = instruction->transfer == WB_TRANSFER_CALL_OUTSIDE;
    assert_true(outside || instruction->transfer == WB_TRANSFER_NEXT);
    for (unsigned r = 0; r < GENERAL_COUNT && !outside; r++) {
      if (!writes(function, instruction, WB_REGISTER_GENERAL + r))
        continue;
      written[r] = true;
      restored[r] = false;
    }
    for (size_t c = 0; c < function->copy_count; c++) {
      const struct wb_copy *copy = &function->copies[c];
      if (copy->instruction != i)
        continue;
      if (copy->kind == WB_COPY_STORE && copy->base == WB_REGISTER_GENERAL + 1 &&
          copy->from < WB_REGISTER_GENERAL + GENERAL_COUNT &&
          !written[copy->from - WB_REGISTER_GENERAL]) {
        saved[copy->from - WB_REGISTER_GENERAL] = true;
        place[copy->from - WB_REGISTER_GENERAL] = copy->value;
      } else if (copy->kind == WB_COPY_LOAD && copy->base == WB_REGISTER_GENERAL + 1) {
        const unsigned r = copy->to - WB_REGISTER_GENERAL;
        restored[r] = saved[r] && place[r] == copy->value;
      }
    }
  }
  for (unsigned r = 0; r < GENERAL_COUNT; r++)
    kept[r] = restored[r] || !written[r];
}

static void read_binary(const char *name, struct wb_code *code)
{
  const struct wb_image_wish wish = {.machine_code_only = true};
  struct wb_input source = {0};
  struct wb_text text = {0};
  char path[512];
  bool ptx;
  snprintf(path, sizeof path, "%s/tests/golden/data/sass/outside/%s", getenv("WARPBOUND_SOURCE"),
           name);
  assert_ok(wb_input_read(path, &source, NULL));
  assert_ok(
      wb_binary_code(name, source.bytes, source.length, &wish, NULL, code, &text, &ptx, NULL));
  wb_text_free(&text);
  wb_input_free(&source);
}

/* A call of code outside keeps what functions of nvcc keep that need all registers: these save and
 * restore each that the call is taken to keep, and so it is no accident that they keep it. R1, the
 * stack pointer, is set back by an addition, and the link register is among them. */
TEST(test_kept_over_calls)
{
  static const char *const names[] = {"keeps.sm_75.cubin", "keeps.sm_120.cubin"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    struct wb_code code;
    bool all_restored[GENERAL_COUNT] = {false};
    const struct wb_function *caller = NULL;
    const struct wb_instruction *call = NULL;
    size_t functions = 0;
    read_binary(names[n], &code);
    for (size_t f = 0; f < code.function_count; f++)
      for (size_t i = 0; i < code.functions[f].instruction_count; i++)
        if (code.functions[f].instructions[i].transfer == WB_TRANSFER_CALL_OUTSIDE) {
          caller = &code.functions[f];
          call = &caller->instructions[i];
        }
    assert_non_null(call);
    for (size_t f = 0; f < code.function_count; f++) {
      bool kept[GENERAL_COUNT], restored[GENERAL_COUNT];
      if (!code.functions[f].defined || code.functions[f].kernel)
        continue;
      functions++;
      find_kept(&code.functions[f], kept, restored);
      for (unsigned r = 0; r < GENERAL_COUNT; r++) {
        if (!kept[r] && r != 1 && !writes(caller, call, WB_REGISTER_GENERAL + r))
          fail_msg("%s: %s does not keep R%u, which a call is taken to keep", names[n],
                   code.functions[f].name, r);
        all_restored[r] |= restored[r];
      }
    }
    assert_int_equal(functions, 2);
    for (unsigned r = 0; r < 253; r++)
      if (r != 1 && all_restored[r] == writes(caller, call, WB_REGISTER_GENERAL + r))
        fail_msg("%s: R%u is %s", names[n], r,
                 all_restored[r] ? "restored, and a call is taken to write it"
                                 : "kept by a call, and no function restores it");
    wb_code_free(&code);
  }
}

/* Names of what calls by register call, and the code in which they are not shown: where something
 * goes to between load and call, where a guard may skip the load, where the words are no pair,
 * where the bank says nothing, and where a function of the file would not know to where it returns.
 */
TEST(test_names_of_calls)
{
  static const char head[] = "\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)\"\n"
                             "\t.section\t.nv.constant4,\"a\",@progbits\n"
                             ".nv.constant4:\n"
                             "        /*0000*/ \t.dword\tvprintf\n"
                             "        /*0008*/ \t.dword\t__assertfail\n"
                             "        /*0010*/ \t.dword\t0x1234\n"
                             "        /*0020*/ \t.dword\thelper\n"
                             "        /*0028*/ \t.word\tvprintf\n"
                             "\t.section\t.text.k,\"ax\",@progbits\n"
                             ".text.k:\n";
  static const struct {
    const char *lines[6];
    const char *callee; /* NULL: what the operand says */
    enum wb_transfer transfer;
  } rows[] = {
      {{"MOV R0, 0x0", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       "vprintf",
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x8", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       "__assertfail",
       WB_TRANSFER_EXIT},
      {{"MOV R0, 0x8", "LDC.64 R2, c[0x4][R0+-0x8]", "CALL.ABS.NOINC R2"},
       "vprintf",
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R2, c[0x4][0x0]", "MOV R3, c[0x4][0x4]", "CALL.ABS.NOINC R2"},
       "vprintf",
       WB_TRANSFER_CALL_OUTSIDE},
      {{"CALL.ABS.NOINC c[0x4][0x8]"}, "__assertfail", WB_TRANSFER_EXIT},
      {{"MOV R2, c[0x4][0x0]", "MOV R3, c[0x4][0xc]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R2, c[0x3][0x0]", "MOV R3, c[0x3][0x4]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x0", "@P0 LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"@P0 MOV R0, 0x0", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x0", "LDC.64 R2, c[0x4][R0]", "@P0 BRA 0x0", "CALL.ABS.NOINC R2"},
       "vprintf",
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x0", "LDC.64 R2, c[0x4][R0]", "@P0 BRA 0x30", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x10", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x28", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x18", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x4", "LDC.64 R2, c[0x4][R0]", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x0", "LDC.64 R2, c[0x4][R0]", "MOV R3, R5", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x20", "LDC.64 R2, c[0x4][R0]", "MOV R20, 0x40", "CALL.ABS.NOINC R2"},
       "helper",
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x20", "LDC.64 R2, c[0x4][R0]", "MOV R20, 0x30", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x20", "LDC.64 R2, c[0x4][R0]", "LEPC R20", "CALL.ABS.NOINC R2"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
      {{"MOV R0, 0x0", "LDC.64 R2, c[0x4][R0]", "CALL.REL.NOINC R2 0x0"},
       NULL,
       WB_TRANSFER_CALL_OUTSIDE},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    struct wb_code code;
    struct wb_text text = {0};
    size_t call = 0, count = 0;
    wb_text_string(&text, head);
    for (; count < 6 && rows[r].lines[count] != NULL; count++) {
      wb_text_format(&text, "        /*%04zx*/                   %s ;\n", 16 * count,
                     rows[r].lines[count]);
      call = count;
    }
    wb_text_format(&text, "        /*%04zx*/                   EXIT ;\n", 16 * count);
    wb_text_string(&text, "\t.section\t.text.helper,\"ax\",@progbits\n"
                          ".text.helper:\n"
                          "        /*0000*/                   RET.REL.NODEC R20 0x0 ;\n");
    assert_ok(listing_parse(text.data, text.length, NULL, &code, NULL));
    const struct wb_instruction *found = &code.functions[0].instructions[call];
    if (found->transfer != rows[r].transfer)
      fail_msg("row %zu: transfer %d", r, (int)found->transfer);
    assert_int_equal(found->outside, found->transfer == WB_TRANSFER_EXIT);
    if (rows[r].callee != NULL)
      assert_string_equal(found->callee, rows[r].callee);
    else
      assert_true(strncmp(found->callee, "R2", 2) == 0);
    wb_code_free(&code);
    wb_text_free(&text);
  }
}

/* Before Volta: calls are jumps, of which those that end their lanes are named; all others stay
 * calls of what is not known. Addresses of code have 4 bytes there. */
TEST(test_names_of_jumps)
{
  static const char head[] = "\t.headerflags\t@\"EF_CUDA_SM52 EF_CUDA_PTX_SM(EF_CUDA_SM52)\"\n"
                             "\t.section\t.nv.constant4,\"a\",@progbits\n"
                             ".nv.constant4:\n"
                             "        /*0000*/ \t.word\t__assertfail\n"
                             "        /*0008*/ \t.dword\t__assert_fail\n"
                             "        /*0010*/ \t.word\tvprintf\n"
                             "        /*0018*/ \t.word\tabort\n"
                             "        /*0020*/ \t.word\t__assert_fail\n"
                             "\t.section\t.text.k,\"ax\",@progbits\n"
                             ".text.k:\n";
  static const struct {
    const char *lines[6]; /* the last one is the jump */
    const char *callee;   /* NULL: it is not known */
  } rows[] = {
      {{"MOV32I R0, 0x0", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, "__assertfail"},
      {{"MOV R0, RZ", "LDC R3, c[0x4][R0+0x20]", "PRET 0x38", "JMX R3"}, "__assert_fail"},
      {{"MOV32I R0, 0x18", "LDC R3, c[0x4][R0+0x8]", "PRET 0x38", "JMX R3"}, "__assert_fail"},
      {{"MOV R3, c[0x4][0x0]", "PRET 0x38", "JMX R3"}, "__assertfail"},
      {{"MOV R3, c[0x4][0x0]", "PRET 0x38", "@P0 JMX R3"}, "__assertfail"},
      {{"MOV R3, c[0x4][0x0]", "@!PT MOV R3, c[0x4][0x10]", "PRET 0x38", "JMX R3"}, "__assertfail"},
      /* An address of 8 bytes, a function that returns, one of the file's own, nothing. */
      {{"MOV32I R0, 0x8", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV32I R0, 0x10", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV32I R0, 0x18", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV32I R0, 0x28", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV32I R0, 0x4", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, NULL},
      /* A place behind the function's start, another bank, another jump. */
      {{"MOV R3, c[0x4][0x0]", "PRET 0x38", "JMX R3 0x40"}, NULL},
      {{"MOV R3, c[0x3][0x0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV R3, c[0x4][0x0]", "PRET 0x38", "BRX R3"}, NULL},
      /* What a guard may skip, what is changed, and what something goes past. */
      {{"@P0 MOV R3, c[0x4][0x0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"@P0 MOV32I R0, 0x0", "LDC R3, c[0x4][R0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV R3, c[0x4][0x10]", "@!PT MOV R3, c[0x4][0x0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV R3, c[0x4][0x0]", "IADD R3, R3, R5", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV R3, -c[0x4][0x0]", "PRET 0x38", "JMX R3"}, NULL},
      {{"MOV R3, c[0x4][0x0]", "@P0 BRA 0x28", "PRET 0x38", "JMX R3"}, NULL},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    static const unsigned places[] = {0x8, 0x10, 0x18, 0x28, 0x30, 0x38};
    struct wb_code code;
    struct wb_text text = {0};
    size_t count = 0;
    wb_text_string(&text, head);
    for (; count < 5 && rows[r].lines[count] != NULL; count++)
      wb_text_format(&text, "        /*%04x*/                   %s ;\n", places[count],
                     rows[r].lines[count]);
    const size_t jump = count - 1;
    for (; count < 6; count++)
      wb_text_format(&text, "        /*%04x*/                   EXIT ;\n", places[count]);
    wb_text_string(&text, "\t.section\t.text.abort,\"ax\",@progbits\n"
                          ".text.abort:\n"
                          "        /*0008*/                   RET ;\n");
    assert_ok(listing_parse(text.data, text.length, NULL, &code, NULL));
    const struct wb_instruction *found = &code.functions[0].instructions[jump];
    const bool ends = found->transfer == WB_TRANSFER_EXIT;
    if (ends != (rows[r].callee != NULL))
      fail_msg("row %zu: transfer %d", r, (int)found->transfer);
    assert_true(found->outside);
    assert_int_equal(found->unknown, !ends);
    if (ends)
      assert_string_equal(found->callee, rows[r].callee);
    else
      assert_int_equal(found->transfer, WB_TRANSFER_POP);
    wb_code_free(&code);
    wb_text_free(&text);
  }
}

/* A function of the file that has the name of one of the runtime is itself: it may return. */
TEST(test_functions_named_as_the_runtime)
{
  static const char listing[] =
      "\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)\"\n"
      "\t.section\t.text.k,\"ax\",@progbits\n"
      ".text.k:\n"
      "        /*0000*/                   CALL.ABS.NOINC `(abort) ;\n"
      "        /*0010*/                   CALL.ABS.NOINC `(__assertfail) ;\n"
      "        /*0020*/                   EXIT ;\n"
      "\t.section\t.text.abort,\"ax\",@progbits\n"
      ".text.abort:\n"
      "        /*0000*/                   RET.REL.NODEC R20 0x0 ;\n";
  struct wb_code code;
  assert_ok(listing_parse(listing, sizeof listing - 1, NULL, &code, NULL));
  assert_int_equal(code.functions[0].instructions[0].transfer, WB_TRANSFER_CALL_OUTSIDE);
  assert_int_equal(code.functions[0].instructions[1].transfer, WB_TRANSFER_EXIT);
  wb_code_free(&code);
}

/* Another object may have a function of the name, but of one that implementations keep. */
TEST(test_objects_that_are_not_linked)
{
  static const char *const kinds[] = {"ET_EXEC", "ET_REL"};
  for (size_t k = 0; k < 2; k++) {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    struct wb_code code;
    wb_text_format(&text,
                   "\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)\"\n"
                   "\t.elftype\t@\"%s\"\n"
                   "\t.section\t.text.k,\"ax\",@progbits\n"
                   ".text.k:\n"
                   "        /*0000*/                   CALL.ABS.NOINC `(abort) ;\n"
                   "        /*0010*/                   CALL.ABS.NOINC `(__assertfail) ;\n"
                   "        /*0020*/                   EXIT ;\n",
                   kinds[k]);
    assert_ok(listing_parse(text.data, text.length, NULL, &code, NULL));
    const struct wb_instruction *calls = code.functions[0].instructions;
    assert_int_equal(calls[0].transfer, k == 0 ? WB_TRANSFER_EXIT : WB_TRANSFER_CALL_OUTSIDE);
    assert_int_equal(calls[1].transfer, WB_TRANSFER_EXIT);
    wb_code_free(&code);
  }
}

/* Which functions a call by register goes to: places of its section in constant bank 2, of which
 * the code names one or none. */
TEST(test_places_of_calls)
{
  static const char head[] = "\t.headerflags\t@\"EF_CUDA_SM75 EF_CUDA_PTX_SM(EF_CUDA_SM75)\"\n"
                             "\t.section\t.nv.constant2.k,\"a\",@progbits\n"
                             ".nv.constant2.k:\n"
                             "        /*0000*/ \t.word\t0x1, 0x0, 0x60, 0x0, 0x70, 0x0, 0x0, 0x0\n"
                             "        /*0020*/ \t.word\t0x60, 0x0, 0x50, 0x1\n"
                             "\t.section\t.text.k,\"ax\",@progbits\n"
                             ".text.k:\n";
  static const struct {
    const char *lines[3];
    uint32_t count, targets[2];
  } rows[] = {
      {{"NOP", "LDC.64 R2, c[0x2][R0]", "CALL.REL.NOINC R2 `(k)"}, 2, {6, 7}},
      {{"NOP", "LDC.64 R2, c[0x2][R0]", "@P0 CALL.REL.NOINC R2 `(k)"}, 2, {6, 7}},
      {{"NOP", "LDC.64 R2, c[0x2][0x10]", "CALL.REL.NOINC R2 `(k)"}, 1, {7}},
      {{"MOV R2, c[0x2][0x8]", "MOV R3, c[0x2][0xc]", "CALL.REL.NOINC R2 `(k)"}, 0, {0}},
      {{"LDC.64 R2, c[0x2][R0]", "MOV R3, RZ", "CALL.REL.NOINC R2 `(k)"}, 0, {0}},
      {{"LDC.64 R2, c[0x2][R0]", "@P0 MOV R2, R5", "CALL.REL.NOINC R2 `(k)"}, 0, {0}},
      {{"NOP", "LDC.64 R2, c[0x3][R0]", "CALL.REL.NOINC R2 `(k)"}, 0, {0}},
      {{"NOP", "LDC.64 R2, c[0x2][R0]", "CALL.REL.NOINC R2 `(other)"}, 0, {0}},
      {{"NOP", "LDC.64 R2, c[0x2][R0]", "CALL.ABS.NOINC R2"}, 0, {0}},
      {{"LDC.64 R2, c[0x2][R0]", "@P0 BRA 0x20", "CALL.REL.NOINC R2 `(k)"}, 0, {0}},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    FREED_BY(wb_text_free) struct wb_text text = {0};
    FREED_BY(wb_code_free) struct wb_code code = {0};
    warpbound_error error = {.message = ""};
    wb_text_string(&text, head);
    for (uint32_t l = 0; l < 3; l++)
      wb_text_format(&text, "        /*%04x*/ %s ;\n", 16 * l, rows[r].lines[l]);
    wb_text_string(&text,
                   "        /*0030*/ EXIT ;\n        /*0040*/ NOP ;\n        /*0050*/ NOP ;\n"
                   "        /*0060*/ NOP ;\n        /*0070*/ RET.REL.NODEC R20 `(k) ;\n");
    if (wb_sass_parse("places", text.data, text.length, NULL, &code, &error) != WARPBOUND_OK)
      fail_msg("row %zu: %s", r, error.message);
    const struct wb_instruction *call = &code.functions[0].instructions[2];
    assert_int_equal(call->transfer,
                     rows[r].count > 0 ? WB_TRANSFER_CALL_LINKED : WB_TRANSFER_CALL_OUTSIDE);
    assert_int_equal(call->target_count, rows[r].count);
    assert_int_equal(call->assumption != NULL, rows[r].count != 1);
    for (uint32_t t = 0; t < rows[r].count; t++)
      assert_int_equal(code.functions[0].targets[call->first_target + t], rows[r].targets[t]);
  }
}

/* Which functions calls by register may go to: what the code before them shows, else all whose
 * addresses the file takes, of an object file too. */
TEST(test_pointers_of_calls)
{
  static const struct {
    const char *file, *kernel;
    bool shown;
    uint32_t count;
  } rows[] = {
      {"pointers.sm_75.cubin", "selects", true, 2},
      {"pointers.sm_75.cubin", "indexes", false, 3},
      {"pointers.sm_120.cubin", "selects", true, 2},
      {"pointers.sm_120.cubin", "indexes", false, 3},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    FREED_BY(wb_code_free) struct wb_code code = {0};
    FREED_BY(wb_arena_free) struct wb_arena arena = {0};
    const struct wb_function *linked = NULL;
    read_binary(rows[r].file, &code);
    size_t f = 0;
    while (strcmp(code.functions[f].name, rows[r].kernel) != 0)
      f++;
    assert_true(code.functions[f].call_set_count > 0);
    const struct wb_call_set *set = code.functions[f].call_sets;
    assert_ptr_equal(wb_function_call_set(&code.functions[f], set->instruction), set);
    assert_null(wb_function_call_set(&code.functions[f], set->instruction + 1));
    assert_int_equal(set->shown, rows[r].shown);
    assert_int_equal(set->count, rows[r].count);
    assert_ok(wb_function_link(&code, &code.functions[f], NULL, &arena, &linked, NULL));
    const struct wb_instruction *call = &linked->instructions[set->instruction];
    assert_int_equal(linked->part_count, 1 + rows[r].count);
    assert_int_equal(call->transfer, WB_TRANSFER_CALL_LINKED);
    assert_int_equal(call->target_count, rows[r].count);
    assert_int_equal(call->assumption != NULL, !rows[r].shown);
    assert_true(wb_instruction_chooses(call));
  }
}
