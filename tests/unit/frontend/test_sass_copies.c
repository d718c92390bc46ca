/* What instructions from Volta on move unchanged, and what they have of convergence. */
#include "base/text.h"
#include "frontend/sass/sass_front_end.h"
#include "isa/opcode.h"
#include "rows.h"
#include "unit.h"

#include <inttypes.h>

/* A statement as the second instruction of the function f, which has a label before it and one
 * after it. */
static struct wb_code parse(const char *statement)
{
  struct wb_text listing = {0};
  struct wb_code code;
  warpbound_error error;
  wb_text_format(&listing,
                 ".headerflags @\"EF_CUDA_SM90\"\n.section .text.f,\"ax\",@progbits\n"
                 "/*0000*/ NOP ;\n.L_x_0:\n/*0010*/ %s ;\n.L_x_1:\n/*0020*/ EXIT ;\n",
                 statement);
  if (wb_sass_parse("copies", listing.data, listing.length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", statement, error.message);
  wb_text_free(&listing);
  assert_int_equal(code.functions[0].instruction_count, 3);
  return code;
}

static const char *name_of(uint16_t number, char name[8])
{
  wb_register_name(number, name);
  return name;
}

/* "R4=R5+0x8", "R4=0x8", "R4=c0:28", "R4=#0", "[R1+0x8]=R4", "R4=[R1+0x8]", "R4=B2!", "R4=thread",
 * "R4=warp of R5" */
static void print_copy(struct wb_text *text, const struct wb_copy *copy)
{
  char to[8];
  char from[8];
  const char *separator = text->length > 0 ? " " : "";
  switch (copy->kind) {
  case WB_COPY_NUMBER:
    wb_text_format(text, "%s%s=0x%" PRIx64, separator, name_of(copy->to, to), copy->value);
    break;
  case WB_COPY_CONSTANT:
    wb_text_format(text, "%s%s=c%x:%x", separator, name_of(copy->to, to),
                   (unsigned)(copy->value >> 32), (unsigned)copy->value);
    break;
  case WB_COPY_LAUNCH:
    wb_text_format(text, "%s%s=#%u", separator, name_of(copy->to, to),
                   (unsigned)copy->value - WB_SPECIAL_BLOCK_X);
    break;
  case WB_COPY_THREAD:
    wb_text_format(text, "%s%s=thread", separator, name_of(copy->to, to));
    break;
  case WB_COPY_OF_WARP:
    wb_text_format(text, "%s%s=warp of %s", separator, name_of(copy->to, to),
                   name_of(copy->from, from));
    break;
  case WB_COPY_REGISTER:
    wb_text_format(text, "%s%s=%s", separator, name_of(copy->to, to), name_of(copy->from, from));
    if (copy->value != 0)
      wb_text_format(text, "+0x%" PRIx64, copy->value);
    wb_text_format(text, "%s", copy->clears ? "!" : "");
    break;
  case WB_COPY_STORE:
    wb_text_format(text, "%s[%s+0x%" PRIx64 "]=%s", separator, name_of(copy->base, to), copy->value,
                   copy->from != WB_NO_REGISTER ? name_of(copy->from, from) : "?");
    break;
  default:
    wb_text_format(text, "%s%s=[%s+0x%" PRIx64 "]", separator, name_of(copy->to, to),
                   name_of(copy->base, from), copy->value);
    break;
  }
}

/* A row of sass_copies.txt. */
static bool has_copies(char *const *words, size_t count, char *statement)
{
  FREED_BY(wb_code_free) struct wb_code code = parse(statement);
  FREED_BY(wb_text_free) struct wb_text text = {0};
  FREED_BY(wb_text_free) struct wb_text expected = {0};
  const struct wb_function *function = &code.functions[0];
  for (size_t w = 0; w < count; w++)
    wb_text_format(&expected, "%s%s", w > 0 ? " " : "", words[w]);
  for (size_t c = 0; c < function->copy_count; c++) {
    assert_int_equal(function->copies[c].instruction, 1);
    print_copy(&text, &function->copies[c]);
  }
  if (function->copy_count == 0)
    wb_text_format(&text, "-");
  if (strcmp(text.data, expected.data) != 0)
    print_message("# %s: '%s'\n", statement, text.data);
  return strcmp(text.data, expected.data) == 0;
}

TEST(test_copies)
{
  rows_check("unit/frontend/sass_copies.txt", 100, has_copies);
}

/* What cuobjdump prints as 0 may be what the loader puts there. */
TEST(test_unknown_zero)
{
  static const char listing[] =
      "code for sm_90\nFunction : f\n/*0000*/ MOV R20, 0x0 ;\n"
      "/*0010*/ IMAD.MOV.U32 R21, RZ, RZ, 0x0 ;\n/*0020*/ UMOV UR4, 0x0 ;\n"
      "/*0030*/ MOV R4, RZ ;\n/*0040*/ BMOV.32 B15, 0x0 ;\n/*0050*/ MOV R5, 0x10 ;\n";
  static const uint16_t written[] = {4, WB_REGISTER_BARRIER + 15, 5};
  FREED_BY(wb_code_free) struct wb_code code;
  assert_ok(wb_sass_parse("f", listing, strlen(listing), NULL, &code, NULL));
  assert_int_equal(code.functions[0].copy_count, 3);
  for (size_t c = 0; c < 3; c++)
    assert_int_equal(code.functions[0].copies[c].to, written[c]);
}

/* ---- convergence ---- */

/* A row of sass_convergence.txt. */
static bool has_convergence(char *const *words, size_t count, char *statement)
{
  static const char *const transfers[] = {
      [WB_TRANSFER_NEXT] = "next",
      [WB_TRANSFER_BRANCH] = "branch",
      [WB_TRANSFER_INDEXED_BRANCH] = "indexed-branch",
      [WB_TRANSFER_EXIT] = "exit",
      [WB_TRANSFER_CALL_OUTSIDE] = "call-outside",
      [WB_TRANSFER_UNSUPPORTED] = "unsupported",
      [WB_TRANSFER_SCOPE_OPEN] = "scope-open",
      [WB_TRANSFER_SCOPE_SYNC] = "scope-sync",
      [WB_TRANSFER_SCOPE_BREAK] = "scope-break",
      [WB_TRANSFER_WARP_SYNC] = "warp-sync",
      [WB_TRANSFER_CALL_LINKED] = "call-linked",
      [WB_TRANSFER_RETURN_LINKED] = "return-linked",
      [WB_TRANSFER_COUNT] = NULL,
  };
  static const char *const masks[] = {"-", "all", "register", "other"};
  FREED_BY(wb_code_free) struct wb_code code = parse(statement);
  const struct wb_instruction *made = &code.functions[0].instructions[1];
  const char *transfer = transfers[made->transfer];
  char flags[8];
  snprintf(flags, sizeof flags, "%s%s%s%s%s", made->together ? "t" : "",
           made->unless_all ? "n" : "", made->yields ? "y" : "", made->uniform ? "u" : "",
           made->second_predicate ? "p" : "");
  return count == 5 && transfer != NULL && strcmp(transfer, words[0]) == 0 &&
         made->barrier == strtoul(words[1], NULL, 10) && strcmp(masks[made->mask], words[2]) == 0 &&
         made->link == strtoul(words[3], NULL, 10) &&
         strcmp(flags[0] != '\0' ? flags : "-", words[4]) == 0;
}

TEST(test_convergence)
{
  rows_check("unit/frontend/sass_convergence.txt", 54, has_convergence);
}

/* A scope's instruction must name a barrier register. */
TEST(test_faults)
{
  static const char *const cases[][2] = {
      {"BSSY R0, 0x0", "found 'R0'"},
      {"BSYNC B16", "expected a barrier B0 to B15"},
      {"BSYNC RZ", "found 'RZ'"},
      {"BSSY B0, 0x30", "expected an instruction's address"},
      {"CALL.REL.NOINC 0x30", "expected an instruction's address"},
  };
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    FREED_BY(wb_text_free) struct wb_text listing = {0};
    struct wb_code code;
    warpbound_error error;
    wb_text_format(&listing, "code for sm_90\nFunction : f\n/*0000*/ %s ;\n", cases[c][0]);
    assert_invalid(wb_sass_parse("f", listing.data, listing.length, NULL, &code, &error));
    if (strstr(error.message, cases[c][1]) == NULL || error.line != 3)
      fail_msg("%s: line %zu: %s", cases[c][0], error.line, error.message);
  }
}

/* ---- kernels and device functions ---- */

static void expect_kind(const char *lines, bool kernel)
{
  FREED_BY(wb_text_free) struct wb_text listing = {0};
  FREED_BY(wb_code_free) struct wb_code code;
  warpbound_error error;
  wb_text_format(&listing, "code for sm_86\nFunction : f\n%s", lines);
  if (wb_sass_parse("f", listing.data, listing.length, NULL, &code, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", lines, error.message);
  if (code.functions[0].kernel != kernel)
    fail_msg("%s: taken for a %s", lines, kernel ? "device function" : "kernel");
}

TEST(test_kinds)
{
  expect_kind("/*0000*/ MOV R4, 0x20 ;\n/*0010*/ CALL.REL.NOINC 0x30 ;\n/*0020*/ EXIT ;\n"
              "/*0030*/ RET.REL.NODEC R4 0x0 ;\n",
              true);
  /* No address to return to: a jump, after which nothing else comes. */
  expect_kind("/*0000*/ CALL.REL.NOINC 0x20 ;\n/*0010*/ RET.REL.NODEC R4 0x0 ;\n/*0020*/ EXIT ;\n",
              true);
  expect_kind("/*0000*/ @P0 CALL.REL.NOINC 0x20 ;\n/*0010*/ EXIT ;\n/*0020*/ EXIT ;\n", true);
  expect_kind("/*0000*/ @P0 EXIT ;\n/*0010*/ RET.REL.NODEC R20 0x0 ;\n", false);
  expect_kind("/*0000*/ MOV R4, 0x20 ;\n/*0010*/ CALL.REL.NOINC 0x30 ;\n"
              "/*0020*/ RET.REL.NODEC R20 0x0 ;\n/*0030*/ RET.REL.NODEC R4 0x0 ;\n",
              false);
}

/* --targets makes of a call by register one that stays in its function. */
TEST(test_register_call)
{
  static const char listing[] = "code for sm_90\nFunction : f\n/*0000*/ MOV R20, 0x20 ;\n"
                                "/*0010*/ @P0 CALL.REL.NOINC R8 0x0 ;\n/*0020*/ EXIT ;\n"
                                "/*0030*/ RET.REL.NODEC R20 0x0 ;\n";
  const uint64_t addresses[] = {0x30};
  struct wb_sass_targets row = {
      .kernel = NULL, .address = 0x10, .targets = addresses, .target_count = 1};
  const struct wb_sass_options options = {.targets = &row, .target_count = 1};
  struct wb_code code;
  assert_ok(wb_sass_parse("f", listing, strlen(listing), NULL, &code, NULL));
  assert_int_equal(code.functions[0].instructions[1].transfer, WB_TRANSFER_CALL_OUTSIDE);
  assert_string_equal(code.functions[0].instructions[1].callee, "R8");
  wb_code_free(&code);
  assert_ok(wb_sass_parse("f", listing, strlen(listing), &options, &code, NULL));
  const struct wb_function *function = &code.functions[0];
  const struct wb_instruction *call = &function->instructions[1];
  assert_int_equal(call->transfer, WB_TRANSFER_INDEXED_BRANCH);
  assert_null(call->callee);
  assert_int_equal(call->target_count, 1);
  assert_int_equal(function->targets[call->first_target], 3);
  assert_int_equal(call->write_count, 0);
  assert_int_equal(call->read_count, 2);
  assert_int_equal(function->spans[call->first_read].first, WB_REGISTER_PREDICATE);
  assert_int_equal(function->spans[call->first_read + 1].first, 8);
  assert_int_equal(function->spans[call->first_read + 1].count, 2);
  wb_code_free(&code);
  row.address = 0x20;
  assert_misuse(wb_sass_parse("f", listing, strlen(listing), &options, &code, NULL));
}
