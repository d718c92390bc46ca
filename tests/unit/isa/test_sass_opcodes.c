/* The table of SASS opcodes: its order, its operands' letters, and which row answers. What
 * instructions read and write is in test_sass_facts.c. */
#include "isa/sass_opcodes.h"
#include "unit.h"

static const struct wb_sass_opcode *find(const char *opcode, enum wb_sass_family family)
{
  return wb_sass_opcode_find(opcode, strlen(opcode), family);
}

TEST(test_rows_are_sorted)
{
  size_t count;
  const struct wb_sass_opcode *rows = wb_sass_opcode_rows(&count);
  assert_true(count > 300);
  for (size_t r = 1; r < count; r++)
    assert_true(strcmp(rows[r - 1].opcode, rows[r].opcode) <= 0);
}

/* No row stands behind one that answers for all that it would. */
TEST(test_every_row_is_found)
{
  size_t count;
  const struct wb_sass_opcode *rows = wb_sass_opcode_rows(&count);
  for (size_t r = 0; r < count; r++) {
    char opcode[64];
    bool found = false;
    snprintf(opcode, sizeof opcode, "%s%s%s", rows[r].opcode, rows[r].modifiers != NULL ? "." : "",
             rows[r].modifiers != NULL ? rows[r].modifiers : "");
    for (unsigned family = WB_SASS_64; family <= WB_SASS_128; family++)
      found |=
          (rows[r].families & family) != 0 && find(opcode, (enum wb_sass_family)family) == &rows[r];
    if (!found)
      fail_msg("%s: the row is not found", opcode);
  }
}

TEST(test_rows_are_valid)
{
  size_t count;
  const struct wb_sass_opcode *rows = wb_sass_opcode_rows(&count);
  for (size_t r = 0; r < count; r++) {
    assert_true(rows[r].families >= 1 && rows[r].families <= 3);
    assert_true(rows[r].unit < WB_UNIT_COUNT);
    assert_true(rows[r].token < WB_TOKEN_COUNT);
    assert_true(rows[r].transfer < WB_TRANSFER_COUNT);
    assert_true(rows[r].agreement <= WB_AGREES_NEVER);
    assert_non_null(rows[r].operands);
    for (const char *p = rows[r].operands; *p != '\0'; p++)
      if (p == rows[r].operands || p[-1] == ' ')
        assert_non_null(strchr("ROrUPVajqsKkubMw", *p));
    /* Who pushes or pops says what. */
    if (rows[r].transfer == WB_TRANSFER_PUSH || rows[r].transfer == WB_TRANSFER_POP)
      assert_int_not_equal(rows[r].token, WB_TOKEN_NONE);
  }
}

TEST(test_unknown)
{
  static const char *const unknown[] = {"",     ".",        "FAD",         "FADDS",
                                        "fadd", "IADD.128", "DADD.64",     "MOV.128",
                                        "ZZZ",  "SSY2",     "I2F.F64x2.64"};
  for (size_t i = 0; i < COUNT_OF(unknown); i++) {
    if (find(unknown[i], WB_SASS_64) != NULL || find(unknown[i], WB_SASS_128) != NULL)
      fail_msg("'%s' was found", unknown[i]);
  }
  /* Of the other family. */
  assert_null(find("SSY", WB_SASS_128));
  assert_null(find("BSSY", WB_SASS_64));
  assert_null(find("XMAD", WB_SASS_128));
  assert_null(find("IADD.64", WB_SASS_64));
  assert_non_null(find("IADD.64", WB_SASS_128));
}

/* The length counts, not a zero. */
TEST(test_bounds_of_words)
{
  assert_int_equal(wb_sass_opcode_find("F2F.F64.F32", 7, WB_SASS_64) == NULL, 1);
  assert_string_equal(wb_sass_opcode_find("F2F.F64.F32", 11, WB_SASS_64)->modifiers, "F64.F32");
  assert_null(wb_sass_opcode_find("F2F.F64.F32", 3, WB_SASS_64)->modifiers);
  assert_string_equal(wb_sass_opcode_find("IMADX", 4, WB_SASS_64)->opcode, "IMAD");
  assert_null(wb_sass_opcode_find("CAL\0X", 5, WB_SASS_64));
}

TEST(test_special_registers)
{
  static const char *const shared[] = {"SRZ",         "SR_CTAID.X", "SR_CTAID.Z", "SR_NTID.Y",
                                       "SR_NCTAID.X", "SR_CTAid_X", "SR_NTid_X"};
  static const char *const own[] = {
      "SR_TID.X",     "SR_TID",   "SR_LANEID", "SR_CLOCKLO", "SR_LTMASK",
      "SR_VIRTUALID", "SR_TID_X", "SR_CTAI",   "SR_SMEMSZ",  ""};
  for (size_t i = 0; i < COUNT_OF(shared); i++)
    assert_int_equal(wb_sass_special_register(shared[i], strlen(shared[i])), WB_AGREES_ALWAYS);
  for (size_t i = 0; i < COUNT_OF(own); i++)
    assert_int_equal(wb_sass_special_register(own[i], strlen(own[i])), WB_AGREES_NEVER);
}

TEST(test_words)
{
  static const char opcode[] = "LDG.E.CI.128";
  assert_true(wb_sass_has_words(opcode, strlen(opcode), "E"));
  assert_true(wb_sass_has_words(opcode, strlen(opcode), "E.128"));
  assert_false(wb_sass_has_words(opcode, strlen(opcode), "128.E"));
  assert_false(wb_sass_has_words(opcode, strlen(opcode), "12"));
  assert_false(wb_sass_has_words(opcode, 9, "128"));
  assert_int_equal(wb_sass_memory_width(opcode, strlen(opcode)), 4);
  assert_int_equal(wb_sass_memory_width("LDS.U.32", 8), 1);
  assert_int_equal(wb_sass_memory_width("ATOM.E.ADD.U64", 14), 2);
  assert_int_equal(wb_sass_memory_width("LDG", 3), 1);
  assert_int_equal(wb_sass_matrix_count("LDSM.16.M88.4", 13), 4);
  assert_int_equal(wb_sass_matrix_count("LDSM.16.M88", 11), 1);
  assert_int_equal(wb_sass_coordinates("2D", 2), 2);
  assert_int_equal(wb_sass_coordinates("SULD.D.1D", 9), 1);
  assert_int_equal(wb_sass_coordinates("FADD", 4), 0);
  assert_true(wb_sass_widths_claimed("F2F.F32.F64", 11, "F32.F64"));
  assert_false(wb_sass_widths_claimed("F2F.F32.F64", 11, "F32"));
  assert_false(wb_sass_widths_claimed("F2F.F32.F64", 11, NULL));
  assert_true(wb_sass_widths_claimed("FADD.FTZ", 8, NULL));
}

/* Shapes of matrix products: registers of A, B and D. */
TEST(test_fragments)
{
  static const struct {
    const char *opcode;
    unsigned bits, accumulator, a, b, d;
  } shapes[] = {
      {"HMMA.16816.F32", 16, 32, 4, 2, 4},
      {"HMMA.1688.F16", 16, 16, 2, 1, 2},
      {"HMMA.1684.F32.TF32", 32, 32, 2, 1, 4},
      {"HMMA.SP.16832.F32", 16, 32, 4, 4, 4},
      {"IMMA.8816.S8.S8", 8, 32, 1, 1, 2},
      {"IMMA.16832.S8.S8", 8, 32, 4, 2, 4},
      {"IMMA.8832.S4.S4", 4, 32, 1, 1, 2},
      {"BMMA.88128.XOR.POPC", 1, 32, 1, 1, 2},
      {"BMMA.168256.AND.POPC", 1, 32, 4, 2, 4},
      {"DMMA.884", 64, 64, 2, 2, 4},
      {"QMMA.SP.16864.F32", 8, 32, 4, 4, 4},
      {"OMMA.SF.SP.168128.F32", 4, 32, 4, 4, 4},
      {"HMMA.F32", 16, 32, 0, 0, 0},
      {"DMMA.8x8x4", 64, 64, 2, 2, 4},
      {"DMMA.16x8x16", 64, 64, 16, 8, 8},
      {"HGMMA.64x8x16.F32", 16, 32, 0, 0, 4},
      {"HGMMA.64x256x16.F16", 16, 16, 0, 0, 64},
      {"HGMMA.64x", 16, 32, 0, 0, 0},
      {"HGMMA.64xx16", 16, 32, 0, 0, 0},
      {"HGMMA.64x99999x16", 16, 32, 0, 0, 0},
  };
  for (size_t s = 0; s < COUNT_OF(shapes); s++) {
    const char *opcode = shapes[s].opcode;
    const size_t length = strlen(opcode);
    assert_int_equal(wb_sass_fragment(opcode, length, 'A', shapes[s].bits), shapes[s].a);
    assert_int_equal(wb_sass_fragment(opcode, length, 'B', shapes[s].bits), shapes[s].b);
    assert_int_equal(wb_sass_fragment(opcode, length, 'D', shapes[s].accumulator), shapes[s].d);
  }
}

TEST(test_tensor_memory)
{
  static const struct {
    const char *opcode;
    unsigned registers;
  } accesses[] = {
      {"LDTM", 1},
      {"LDTM.x64", 64},
      {"LDTM.x8.PACK16BIT", 8},
      {"LDTM.16dp64bit.x128", 128},
      {"LDTM.16dp128bit.x64", 128},
      {"STTM.16dp256bit.x32", 128},
      {"STTM.16dp32bit_t16_t31.x2", 2},
      {"STTM.EXPAND16BIT", 1},
      {"LDTM.x256", 0},
      {"LDTM.16dp256bit.x64", 0},
      {"LDTM.xy", 0},
      {"LDTM.8dp512bit", 0},
  };
  for (size_t a = 0; a < COUNT_OF(accesses); a++)
    assert_int_equal(wb_sass_tensor_memory_width(accesses[a].opcode, strlen(accesses[a].opcode)),
                     accesses[a].registers);
}

/* What multiplies matrices is T, of every architecture; copies are not. */
TEST(test_tensor_cores)
{
  static const char *const products[] = {"HMMA.884.F32.F32.STEP0",
                                         "HMMA.16816.F32",
                                         "IMMA.16832.S8.S8",
                                         "BMMA.168256.AND.POPC",
                                         "DMMA.8x8x4",
                                         "QMMA.16832.F32.E4M3.E4M3",
                                         "OMMA.SF.16864.F32",
                                         "HGMMA.64x8x16.F32",
                                         "IGMMA.64x32x32.S8.U8",
                                         "QGMMA.64x32x32.F16.E4M3.E5M2",
                                         "BGMMA.64x32x256.AND.POPC",
                                         "UTCHMMA.2CTA",
                                         "UTCIMMA",
                                         "UTCQMMA.WS",
                                         "UTCOMMA.4X",
                                         "UTCBAR",
                                         "UTCCP.T.S"};
  static const char *const others[] = {"HFMA2.MMA",     "LDGSTS.E",     "UTMALDG.2D",
                                       "SYNCS.EXCH.64", "MOVM.16.MT88", "LDSM.16.M88"};
  for (size_t i = 0; i < COUNT_OF(products); i++) {
    const struct wb_sass_opcode *row = find(products[i], WB_SASS_128);
    if (row == NULL || row->unit != WB_UNIT_TENSOR || row->assumption == NULL)
      fail_msg("%s is not of the tensor cores", products[i]);
  }
  for (size_t i = 0; i < COUNT_OF(others); i++)
    assert_int_not_equal(find(others[i], WB_SASS_128)->unit, WB_UNIT_TENSOR);
}
