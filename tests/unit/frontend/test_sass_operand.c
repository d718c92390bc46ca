/* Operands of SASS instructions: how a list is divided, and what is in each. */
#include "base/text.h"
#include "isa/sass_operand.h"
#include "model/code.h"
#include "unit.h"

/* The operands of a list, each in brackets. */
static void check_list(const char *list, const char *expected)
{
  struct wb_text text = {0};
  struct wb_sass_operand operand;
  const char *cursor = list;
  while (wb_sass_next_operand(&cursor, list + strlen(list), &operand))
    wb_text_format(&text, "<%.*s>", (int)operand.length, operand.text);
  char *found = wb_text_take(&text);
  assert_non_null(found);
  assert_string_equal(found, expected);
  free(found);
}

TEST(test_lists)
{
  check_list("", "");
  check_list("   ", "");
  check_list("R1, R2", "<R1><R2>");
  check_list("R1,R2 , R3 ", "<R1><R2><R3>");
  check_list("R17, c[0x0] [0x8].H1, RZ", "<R17><c[0x0] [0x8].H1><RZ>");
  check_list("R1, c [0x0] [0x44]", "<R1><c [0x0] [0x44]>");
  check_list("R2 -0x110", "<R2><-0x110>");
  check_list("R20 `(kernel)", "<R20><`(kernel)>");
  check_list("P0, PT, |R0|, +INF , PT", "<P0><PT><|R0|><+INF><PT>");
  check_list("{4,0}", "<{4,0}>");
  check_list("SB0, 0x0, {2,1}", "<SB0><0x0><{2,1}>");
  check_list("desc[UR4][R2.64+0x8], R4", "<desc[UR4][R2.64+0x8]><R4>");
  check_list("32@lo((dummy + .L_x_0@srel))", "<32@lo((dummy + .L_x_0@srel))>");
  check_list("R1, , R2", "<R1><><R2>");
  check_list("[R1, R2", "<[R1, R2>");
  check_list("R1)]}, R2", "<R1)]}><R2>");
}

/* An operand as text: its kind, registers with widths, flags. */
static void check(const char *text, const char *expected)
{
  static const char *const kinds[] = {"register", "predicate", "predicates", "condition",
                                      "memory",   "symbol",    "number",     "word"};
  struct wb_text shown = {0};
  struct wb_sass_operand operand;
  const char *cursor = text;
  assert_true(wb_sass_next_operand(&cursor, text + strlen(text), &operand));
  wb_text_string(&shown, kinds[operand.kind]);
  for (size_t r = 0; r < operand.register_count; r++) {
    char name[8] = "Z";
    if (operand.registers[r].number != WB_NO_REGISTER)
      wb_register_name(operand.registers[r].number, name);
    wb_text_format(&shown, " %s", name);
    if (operand.registers[r].width > 0)
      wb_text_format(&shown, ":%u", operand.registers[r].width);
  }
  if (operand.kind == WB_SASS_SYMBOL)
    wb_text_format(&shown, " %.*s", (int)operand.symbol_length, operand.symbol);
  if (operand.integer)
    wb_text_format(&shown, " %lld", (long long)operand.value);
  wb_text_format(&shown, "%s%s%s", operand.negated ? " not" : "",
                 operand.condition_code ? " cc" : "", operand.fault != NULL ? " fault" : "");
  char *found = wb_text_take(&shown);
  assert_non_null(found);
  if (strcmp(found, expected) != 0)
    fail_msg("'%s' is '%s'", text, found);
  free(found);
}

TEST(test_kinds)
{
  check("R4", "register R4");
  check("RZ", "register Z");
  check("R254", "register R254");
  check("R255", "register Z");
  check("R256", "register Z fault");
  check("-R2.H0_H0", "register R2");
  check("|R3|.reuse", "register R3");
  check("-|R3|", "register R3");
  check("~R5", "register R5");
  check("R6.CC", "register R6 cc");
  check("RZ.CC", "register Z cc");
  check("UR6", "register UR6");
  check("URZ", "register Z");
  check("UR79", "register UR79");
  check("UR80", "register Z fault");
  check("UR255", "register Z");
  check("B15", "register B15");
  check("B16", "register Z fault");
  check("P0", "predicate P0");
  check("!P6", "predicate P6 not");
  check("P7", "predicate Z");
  check("P8", "predicate Z fault");
  check("PT", "predicate Z");
  check("!UP1", "predicate UP1 not");
  check("UPT", "predicate Z");
  check("PR", "predicates P0");
  check("UPR", "predicates UP0");
  check("CC", "condition");
  check("CC.NEU", "condition");
  check("SR_TID.X", "word");
  check("SB5", "word");
  check("2D", "word");
  check("RGBA", "word");
  check("+INF", "word");
  check("R", "word");
  check("R2X", "word");
  check("0x10", "number 16");
  check("-0x10", "number -16");
  check("42", "number 42");
  check("1.5", "number");
  check("-8.50705917302346158658e+37", "number");
  check("0xffffffffffffffff", "number");
}

TEST(test_memory)
{
  check("[R2]", "memory R2");
  check("[R2+-0x4]", "memory R2");
  check("[RZ]", "memory Z");
  check("[R2.64]", "memory R2:2");
  check("[R2.U32+UR4]", "memory R2:1 UR4");
  check("[R0.X4+0x1010]", "memory R0:1");
  check("[R2+UR4+0x10]", "memory R2 UR4");
  check("desc[UR4][R2.64+0x8]", "memory UR4:2 R2:2");
  check("cx[UR4][R5]", "memory UR4:2 R5");
  check("c[0x0][0x160]", "memory");
  check("c[0x2][R0+0x4c]", "memory R0");
  check("c[0x0] [0x148].H1", "memory");
  check("gdesc[UR8]", "memory UR8:4");
  check("idesc[UR8]", "memory UR8:2");
  check("tmem[UR4]", "memory UR4");
  check("[R999]", "memory Z fault");
  check("[R1+R2+R3+R4+R5]", "memory R1 R2 R3 R4 fault");
}

TEST(test_symbols)
{
  check("`(.L_x_1)", "symbol .L_x_1");
  check("`($k$__internal_0_$f)", "symbol $k$__internal_0_$f");
  check("32@lo(flist)", "symbol flist");
  check("fun@fdesc(f)", "symbol f");
  check("32@hi((dummy + .L_x_0@srel))", "symbol dummy + .L_x_0@srel");
}

TEST(test_integers)
{
  int64_t value = 0;
  assert_true(wb_sass_integer("0x7fffffffffffffff", 18, &value));
  assert_true(value == INT64_MAX);
  assert_true(wb_sass_integer("-9223372036854775807", 20, &value));
  assert_true(value == -INT64_MAX);
  assert_true(wb_sass_integer("+1", 2, &value));
  assert_false(wb_sass_integer("0x8000000000000000", 18, &value));
  assert_false(wb_sass_integer("9223372036854775808", 19, &value));
  assert_false(wb_sass_integer("0x", 2, &value));
  assert_false(wb_sass_integer("", 0, &value));
  assert_false(wb_sass_integer("-", 1, &value));
  assert_false(wb_sass_integer("1f", 2, &value));
}
