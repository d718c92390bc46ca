/* The SASS front end: what it refuses, and where. */
#include "base/text.h"
#include "fixtures.h"
#include "unit.h"

#define HEAD "\tcode for sm_52\n\t\tFunction : k\n"

struct refusal {
  const char *text;
  size_t line, column;
  const char *message; /* a part of it */
};

static const struct refusal refusals[] = {
    {"", 1, 1, "expected a listing of cuobjdump -sass or nvdisasm"},
    {"hello\nworld\n", 1, 1, "expected a listing"},
    {"  /*0008*/ EXIT ;\n", 1, 3, "expected the heading of a function"},
    {"Function :\n", 1, 11, "expected a function's name, found the end of the line"},
    {HEAD, 2, 1, "expected instructions after the heading"},
    {HEAD "/*0008*/ EXIT ;\nMOV R1, R2 ;\n", 4, 1, "expected an instruction, a label"},
    {HEAD "/*0008*/ EXIT\n", 3, 14, "expected ';' or '}'"},
    {HEAD "/*0008*/ MOV R1, c[0x0][0x\n", 3, 27, "expected ';' or '}'"},
    {HEAD "/*0008*/ MOV R1, R2 ; junk\n", 3, 23, "an encoding or the end of the line"},
    {HEAD "/*0008*/ MOV R1, R2 ; /* 0x12 \n", 3, 23, "expected an encoding"},
    {HEAD "/*0008*/ MOV R1, R2 ; /* 0x123456789abcdef01 */\n", 3, 23, "expected an encoding"},
    {HEAD "/*0008 EXIT ;\n", 3, 1, "expected a comment that ends"},
    {HEAD "/*zzzz*/ EXIT ;\n", 3, 1, "expected an address"},
    {HEAD "/*0008*/ ;\n", 3, 10, "expected an opcode, found ';'"},
    {HEAD "/*0008*/\n", 3, 9, "expected an opcode, found the end of the line"},
    {HEAD "/*0008*/ MOV R1, \x1b[2J ;\n", 3, 18, "expected printable ASCII, found '\\x1b'"},
    {HEAD "k\x7f:\n/*0008*/ EXIT ;\n", 3, 2, "expected printable ASCII"},
    {"Function : \xc3\xa9\n/*0008*/ EXIT ;\n", 1, 12, "expected printable ASCII"},
    {HEAD "/*0008*/ .byte 0x1\n", 3, 10, "expected an opcode"},
    {HEAD "/*0008*/ @Q0 EXIT ;\n", 3, 11, "expected a predicate as guard, found 'Q0'"},
    {HEAD "/*0008*/ @P9 EXIT ;\n", 3, 11, "expected a predicate as guard, found 'P9'"},
    {HEAD "/*0008*/ MOV R300, R1 ;\n", 3, 14, "expected a register R0 to R254 or RZ"},
    {HEAD "/*0008*/ STG.E [R2+R999], R1 ;\n", 3, 16, "expected a register R0 to R254 or RZ"},
    {HEAD "/*0008*/ ISETP.GE.AND P8, PT, R1, R2, PT ;\n", 3, 23, "expected a predicate P0 to P6"},
    {HEAD "/*0008*/ LDG.E R1, [R1+R2+R3+R4+R5] ;\n", 3, 20, "at most four registers"},
    {HEAD "/*0008*/ EXIT ;\n/*0008*/ EXIT ;\n", 4, 1, "an address above 0x0008, found 0x0008"},
    {HEAD "/*0010*/ EXIT ;\n/*0008*/ EXIT ;\n", 4, 1, "an address above 0x0010, found 0x0008"},
    {HEAD "/*0008*/ EXIT ;\n/*0018*/ EXIT ;\n", 4, 1, "expected the instruction at 0x0010"},
    {HEAD "/*0018*/ EXIT ;\n", 3, 1, "expected the instruction at 0x0000"},
    {HEAD "/*0008*/ EXIT ;\n/*100000000*/ EXIT ;\n", 4, 1, "expected an address below 4 GiB"},
    {HEAD "/*0008*/ BRA 0x2000 ;\n", 3, 14, "an instruction's address, 0x0008 to 0x0008, found"},
    {HEAD "/*0008*/ BRA -0x8 ;\n", 3, 14, "an instruction's address"},
    {HEAD "/*0008*/ BRA 0xc ;\n", 3, 14, "an instruction's address"},
    {HEAD "/*0008*/ SSY `(.L_1) ;\n", 3, 16, "expected a label of this function, found '.L_1'"},
    {HEAD ".L_1:\n.L_1:\n/*0008*/ EXIT ;\n", 4, 1, "a label that this function does not have yet"},
    {HEAD "/*0008*/ SYNC (*\"BRANCH_TARGETS .L_1\"*);\n", 3, 33, "a label of this function"},
    {HEAD "/*0008*/ SYNC (*\"BRANCH_TARGETS .L_1;\n", 3, 15, "an annotation that ends"},
    {HEAD "/*0008*/ { EXIT ;\n/*0010*/ { EXIT ;\n", 4, 10, "the end of the pair"},
    {HEAD "/*0008*/ { EXIT ;\n", 3, 1, "expected the end of the last pair"},
    {HEAD "/*0008*/ EXIT }\n", 3, 15, "expected a '{' before the end of a pair"},
    {HEAD "/*0008*/ EXIT ; /* 0x1 */\n/* 0x2 */\n", 4, 1, "expected an instruction, found"},
    {HEAD "/*0008*/ EXIT ;\n//## File a.cu, line\n", 4, 1, "expected line information"},
    {HEAD "/*0008*/ EXIT ;\n//## File \"\x1b.cu\", line 3\n", 4, 1, "expected line information"},
    {"code for sm_70\nFunction : k\n/*0000*/ EXIT ;\n/*0008*/ EXIT ;\n", 4, 1,
     "expected the instruction at 0x0010"},
    {".section\t.nv.constant2.k,\"a\"\n/*0000*/ .word 1\n.zero 99999999\n", 3, 7,
     "a number of bytes, of all such lines at most 1 MiB"},
    {".section\t.nv.constant2.k,\"a\"\n.zero 1048576\n.zero 1\n", 3, 7, "at most 1 MiB"},
    {".section\t.nv.constant2.k,\"a\"\n/*0000*/ FADD\n", 2, 10, "expected data such as .byte"},
};

TEST(test_refusals)
{
  for (size_t i = 0; i < COUNT_OF(refusals); i++) {
    const struct refusal *refusal = &refusals[i];
    struct wb_code code;
    warpbound_error error = {0};
    if (listing_parse(refusal->text, strlen(refusal->text), NULL, &code, &error) !=
        WARPBOUND_INVALID_INPUT)
      fail_msg("'%s' is not refused", refusal->text);
    if (error.line != refusal->line || error.column != refusal->column ||
        strstr(error.message, refusal->message) == NULL)
      fail_msg("'%s': %zu:%zu: %s", refusal->text, error.line, error.column, error.message);
    assert_null(code.functions);
    assert_null(code.names.blocks);
    assert_string_equal(error.file, "test");
  }
}

TEST(test_too_many_operands)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  struct wb_code code;
  warpbound_error error;
  wb_text_string(&text, HEAD "/*0008*/ FFMA R1");
  for (int i = 0; i < 30; i++)
    wb_text_string(&text, ", R2");
  wb_text_string(&text, " ;\n");
  assert_invalid(listing_parse(text.data, text.length, NULL, &code, &error));
  assert_non_null(strstr(error.message, "at most 24 operands"));
}
