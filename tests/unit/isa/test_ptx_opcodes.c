/* The table of PTX opcodes: its order, and what it says of each kind of opcode. */
#include "isa/ptx_opcodes.h"
#include "rows.h"
#include "unit.h"

TEST(test_rows_are_sorted)
{
  size_t count;
  const struct wb_ptx_opcode *rows = wb_ptx_opcode_rows(&count);
  assert_true(count > 150);
  for (size_t r = 1; r < count; r++) {
    int order = strcmp(rows[r - 1].opcode, rows[r].opcode);
    assert_true(order <= 0);
    /* Rows behind one without a modifier could never be found. */
    if (order == 0)
      assert_non_null(rows[r - 1].modifiers);
    else
      assert_null(rows[r - 1].modifiers);
  }
  assert_null(rows[count - 1].modifiers);
}

/* Writes a type of each class in its letter's place. */
static void replace_classes(char *opcode, size_t size)
{
  char text[64] = "";
  for (const char *at = opcode; *at != '\0'; at++) {
    bool word = at > opcode && at[-1] == '.' && (at[1] == '\0' || at[1] == '.');
    char letter[4] = {*at, '\0'};
    if (word && *at == 'I')
      strcpy(letter, "s16");
    else if (word && *at == 'F')
      strcpy(letter, "f16");
    strncat(text, letter, sizeof text - strlen(text) - 1);
  }
  snprintf(opcode, size, "%s", text);
}

TEST(test_every_row_is_found)
{
  size_t count;
  const struct wb_ptx_opcode *rows = wb_ptx_opcode_rows(&count);
  for (size_t r = 0; r < count; r++) {
    char opcode[64];
    snprintf(opcode, sizeof opcode, "%s%s%s", rows[r].opcode, rows[r].modifiers != NULL ? "." : "",
             rows[r].modifiers != NULL ? rows[r].modifiers : "");
    replace_classes(opcode, sizeof opcode);
    assert_ptr_equal(wb_ptx_opcode_find(opcode, strlen(opcode)), &rows[r]);
    assert_true(rows[r].unit < WB_UNIT_COUNT);
  }
}

/* A row of ptx_opcodes.txt. */
static bool has_row(char *const *words, size_t count, char *opcode)
{
  static const char *const transfers[] = {[WB_TRANSFER_NEXT] = "next",
                                          [WB_TRANSFER_BRANCH] = "branch",
                                          [WB_TRANSFER_INDEXED_BRANCH] = "indexed",
                                          [WB_TRANSFER_CALL_FUNCTION] = "call",
                                          [WB_TRANSFER_RETURN] = "return",
                                          [WB_TRANSFER_EXIT] = "exit"};
  const struct wb_ptx_opcode *row = wb_ptx_opcode_find(opcode, strlen(opcode));
  if (row == NULL || count < 2 || wb_unit_letter(row->unit) != words[0][0] ||
      row->transfer >= COUNT_OF(transfers) || transfers[row->transfer] == NULL ||
      strcmp(transfers[row->transfer], words[1]) != 0)
    return false;
  char wanted[40] = "";
  for (size_t w = 2; w < count; w++)
    snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted), "%s%s", w > 2 ? " " : "",
             words[w]);
  enum wb_ptx_several several = WB_PTX_ONE;
  if (strcmp(wanted, "several") == 0)
    several = WB_PTX_SEVERAL;
  else if (strcmp(wanted, "Maxwell") == 0)
    several = WB_PTX_SEVERAL_ON_MAXWELL;
  if (several != WB_PTX_ONE || wanted[0] == '\0')
    return row->several == several && row->assumption == NULL;
  return row->assumption != NULL && strstr(row->assumption, wanted) != NULL;
}

TEST(test_units)
{
  rows_check("unit/isa/ptx_opcodes.txt", 112, has_row);
}

TEST(test_unknown_opcodes)
{
  static const char *const unknown[] = {"",        ".",   "ad",   "adds",    "addd.f64",
                                        "a",       "zzz", "ABS",  "f64",     ".f64",
                                        "add_f64", "xo",  "xor2", "tcgen06", "frobnicate.s32"};
  for (size_t i = 0; i < COUNT_OF(unknown); i++)
    if (wb_ptx_opcode_find(unknown[i], strlen(unknown[i])) != NULL)
      fail_msg("'%s' was found", unknown[i]);
}

/* Modifiers are whole words, and the length counts, not a zero. */
TEST(test_bounds_of_words)
{
  assert_int_equal(wb_ptx_opcode_find("add.f640", 8)->unit, WB_UNIT_CORE);
  assert_int_equal(wb_ptx_opcode_find("add.f640", 7)->unit, WB_UNIT_DOUBLE);
  assert_int_equal(wb_ptx_opcode_find("add.f64", 3)->unit, WB_UNIT_CORE);
  assert_int_equal(wb_ptx_opcode_find("add..f64", 8)->unit, WB_UNIT_DOUBLE);
  assert_int_equal(wb_ptx_opcode_find("add.", 4)->unit, WB_UNIT_CORE);
  assert_null(wb_ptx_opcode_find("add", 2));
  assert_string_equal(wb_ptx_opcode_find("addc.cc", 7)->opcode, "addc");
}
