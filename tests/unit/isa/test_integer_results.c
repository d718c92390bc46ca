/* Which instructions write an integer of which the code tells no range, where, and of what type. */
#include "bounded_listing.h"
#include "isa/integer_results.h"
#include "unit.h"

static const struct row {
  unsigned sm;
  const char *text;
  uint16_t number; /* WB_NO_REGISTER: none */
  uint8_t bytes;
  int64_t least, most;
} rows[] = {
    {52, "F2I.S32.F32.CEIL R4, R2", 4, 4, INT32_MIN, INT32_MAX},
    {52, "F2I.FTZ.U32.F32.TRUNC R4, R2", 4, 4, 0, UINT32_MAX},
    {52, "F2I.U16.F32.TRUNC R4, R2", 4, 4, 0, UINT16_MAX},
    {52, "F2I.S64.F64.FLOOR R4, R2", 4, 8, INT64_MIN, INT64_MAX},
    {75, "F2I.TRUNC.NTZ R4, R2", 4, 4, INT32_MIN, INT32_MAX},
    {75, "F2I.U8.F64.TRUNC R4, R2", 4, 4, 0, UINT8_MAX},
    {75, "F2I.S8 R4, R2", 4, 4, INT8_MIN, INT8_MAX},
    {75, "F2I.U64.F64.TRUNC R4, R2", 4, 8, 0, INT64_MAX},
    {75, "@P1 F2I.F64 R4, R2", 4, 4, INT32_MIN, INT32_MAX},
    {75, "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R6", 4, 4, INT32_MIN, UINT32_MAX},
    {75, "ATOMS.CAS.64 R4, [R2], R6, R8", 4, 8, INT64_MIN, INT64_MAX},
    {75, "SHFL.BFLY PT, R4, R2, 0x1, 0x1f", 4, 4, INT32_MIN, UINT32_MAX},
    {75, "SHFL.IDX P0, R4, R2, RZ, 0x1f", 4, 4, INT32_MIN, UINT32_MAX},
    {75, "VOTE.ANY R4, PT, P0", 4, 4, INT32_MIN, UINT32_MAX},
    {75, "S2R R4, SR_CLOCKLO", 4, 4, INT32_MIN, UINT32_MAX},
    {75, "CS2R R4, SR_CLOCKLO", 4, 8, INT64_MIN, INT64_MAX},
    {75, "S2UR UR4, SR_CLOCKLO", WB_REGISTER_UNIFORM + 4, 4, INT32_MIN, UINT32_MAX},
    {87, "REDUX.SUM UR4, R2", WB_REGISTER_UNIFORM + 4, 4, INT32_MIN, UINT32_MAX},
    {75, "LDC R4, c[0x3][R2]", 4, 4, INT32_MIN, UINT32_MAX},
    {75, "LDC.S16 R4, c[0x3][R2]", 4, 4, INT16_MIN, INT16_MAX},
    {75, "LDC.64 R4, c[0x3][R2]", 4, 8, INT64_MIN, INT64_MAX},
    /* A place that is known, a register that the launch gives. */
    {75, "LDC R4, c[0x3][0x10]", WB_NO_REGISTER, 0, 0, 0},
    {75, "S2R R4, SR_TID.X", WB_NO_REGISTER, 0, 0, 0},
    {75, "S2R R4, SR_LANEID", WB_NO_REGISTER, 0, 0, 0},
    {75, "CS2R R4, SRZ", WB_NO_REGISTER, 0, 0, 0},
    /* Floats, and no register. */
    {75, "FMUL R4, R2, R3", WB_NO_REGISTER, 0, 0, 0},
    {75, "I2F R4, R2", WB_NO_REGISTER, 0, 0, 0},
    {75, "DADD R4, R2, R6", WB_NO_REGISTER, 0, 0, 0},
    {75, "ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R4, [R2], R6", WB_NO_REGISTER, 0, 0, 0},
    {75, "ATOMG.E.ADD.F16x2.RN.STRONG.GPU PT, R4, [R2], R6", WB_NO_REGISTER, 0, 0, 0},
    {100, "REDUX.MIN.F32 UR4, R2", WB_NO_REGISTER, 0, 0, 0},
    {75, "VOTE.ANY P0, P1", WB_NO_REGISTER, 0, 0, 0},
    {75, "F2I.TRUNC RZ, R2", WB_NO_REGISTER, 0, 0, 0},
    /* Loads are told by their own option, sums by their terms; 16 bytes are no number. */
    {75, "LDG.E R4, [R2]", WB_NO_REGISTER, 0, 0, 0},
    {75, "LDS R4, [R2]", WB_NO_REGISTER, 0, 0, 0},
    {75, "IADD3 R4, R2, 0x1, RZ", WB_NO_REGISTER, 0, 0, 0},
    {75, "LDC.128 R4, c[0x3][R2]", WB_NO_REGISTER, 0, 0, 0},
};

TEST(integer_results)
{
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    FREED_BY(wb_code_free) struct wb_code code;
    struct wb_integer_result result;
    listing_of(rows[r].sm, rows[r].text, &code);
    const struct wb_function *function = &code.functions[0];
    const bool gives = wb_instruction_gives_integer(function, &function->instructions[0], &result);
    const bool right = gives == (rows[r].number != WB_NO_REGISTER) &&
                       result.number == rows[r].number && result.bytes == rows[r].bytes &&
                       result.least == rows[r].least && result.most == rows[r].most;
    if (!right)
      print_message("# %s: register %u, %u bytes\n", rows[r].text, result.number, result.bytes);
    assert_true(right);
  }
}
