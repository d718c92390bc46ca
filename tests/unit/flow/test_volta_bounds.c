/* Loop bounds that code from Volta on shows. */
#include "bounded_listing.h"
#include "isa/lower/lower.h"
#include "unit.h"
#include "values/domain.h"

#define UNKNOWN UINT64_MAX

/* Two parameters, block and grid of one dimension. */
static const struct wb_parameter_value parameters[] = {{NULL, 0, 100}, {NULL, 4, 7}, {NULL, 8, 0}};
static const struct wb_launch launch = {{256, 1, 1}, {12, 1, 1}, parameters, 3, NULL, 0};

/* The bound of the one loop for an architecture. */
static void expect(unsigned sm, const struct wb_launch *known, uint64_t bound, const char *lines)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  listing_of(sm, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], known, &bounded));
  assert_int_equal(bounded.forest.loop_count, 1);
  assert_int_equal(bounded.found[0].found ? bounded.found[0].bound : UNKNOWN, bound);
}

TEST(counters)
{
  expect(87, NULL, 15,
         "IMAD.MOV.U32 R0, RZ, RZ, RZ; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.GE.AND P0, PT, R0, "
         "0x10, PT; @!P0 BRA loop");
  expect(90, NULL, 9,
         "HFMA2.MMA R0, -RZ, RZ, 0, 5.9604644775390625e-08; loop:; VIADD R0, R0, 0x1; ISETP.NE.AND "
         "P0, PT, R0, 0xb, PT; @P0 BRA loop");
  expect(120, NULL, 24,
         "MOV R0, RZ; loop:; IADD3 R0, PT, PT, R0, 0x4, RZ; ISETP.GE.U32.AND P0, PT, R0, 0x64, PT; "
         "@!P0 BRA loop");
  expect(75, NULL, 31,
         "IMAD.MOV.U32 R0, RZ, RZ, 0x1; loop:; IMAD.SHL.U32 R0, R0, 0x2, RZ; ISETP.NE.AND P0, PT, "
         "R0, RZ, PT; @P0 BRA loop");
  expect(75, NULL, 3,
         "MOV R0, 0x10; loop:; IADD3 R0, R0, -0x4, RZ; LOP3.LUT P0, RZ, R0, -0x1, RZ, 0xc0, !PT; "
         "@P0 BRA loop");
  /* By a sum with itself. */
  expect(70, NULL, 6,
         "MOV R0, 0x1; loop:; IMAD.IADD R0, R0, 0x1, R0; ISETP.LT.AND P0, PT, R0, 0x64, PT; @P0 "
         "BRA loop");
}

TEST(uniform_counters)
{
  expect(
      75, NULL, 15,
      "UMOV UR4, URZ; loop:; UIADD3 UR4, UR4, 0x1, URZ; ISETP.NE.AND P0, PT, RZ, UR4, PT; "
      "ISETP.LE.AND P0, PT, R0, UR4, P0; UISETP.GE.AND UP0, UPT, UR4, 0x10, UPT; @!UP0 BRA loop");
  expect(100, NULL, 15,
         "UMOV UR4, URZ; loop:; UIADD3 UR4, UPT, UPT, UR4, 0x1, URZ; UISETP.NE.AND UP0, UPT, UR4, "
         "0x10, UPT; BRA.U UP0, loop");
  expect(100, NULL, 16,
         "UMOV UR4, URZ; loop:; UISETP.GE.AND UP0, UPT, UR4, 0x10, UPT; UIADD3 UR4, UPT, UPT, UR4, "
         "0x1, URZ; BRA.U !UP0, loop");
  /* The number of some lane: known where all lanes have the same range. */
  expect(90, NULL, 1022,
         "S2R R2, SR_TID.X; R2UR UR4, R2; MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; "
         "ISETP.GE.U32.AND P0, PT, R0, UR4, PT; @!P0 BRA loop");
  expect(90, NULL, UNKNOWN,
         "MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; R2UR UR4, R0; ISETP.LT.AND P0, PT, R2, UR4, "
         "PT; @!P0 BRA loop");
  /* Both conditions have to hold for the branch. */
  expect(100, NULL, 15,
         "MOV R0, RZ; loop:; IADD3 R0, PT, PT, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 "
         "BRA P1, loop");
  expect(100, NULL, UNKNOWN,
         "MOV R0, RZ; loop:; IADD3 R0, PT, PT, R0, 0x1, RZ; ISETP.GE.AND P0, PT, R0, 0x10, PT; @P0 "
         "BRA P1, end; BRA loop; end:");
}

TEST(launches)
{
#define UP_TO(CONSTANT)                                                                            \
  "MOV R0, RZ; loop:; VIADD R0, R0, 0x1; "                                                         \
  "ISETP.GE.AND P0, PT, R0, " CONSTANT ", PT"                                                      \
  "; @!P0 BRA loop"
  static const struct {
    unsigned sm;
    const char *parameter;
    const char *block;
    const char *grid;
  } rows[] = {{70, "c[0x0][0x160]", "c[0x0][0x0]", "c[0x0][0xc]"},
              {87, "c[0x0][0x160]", "c[0x0][0x0]", "c[0x0][0xc]"},
              {90, "c[0x0][0x210]", "c[0x0][0x0]", "c[0x0][0xc]"},
              {100, "c[0x0][0x380]", "c[0x0][0x360]", "c[0x0][0x370]"},
              {121, "c[0x0][0x380]", "c[0x0][0x360]", "c[0x0][0x370]"}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const char *const places[] = {rows[i].parameter, rows[i].block, rows[i].grid};
    const uint64_t bounds[] = {99, 255, 11};
    for (size_t p = 0; p < 3; p++) {
      char lines[200];
      snprintf(lines, sizeof lines,
               "LDC R4, %s; MOV R0, RZ; loop:; VIADD R0, R0, 0x1; ISETP.GE.AND P0, PT, R0, R4, PT; "
               "@!P0 BRA loop",
               places[p]);
      expect(rows[i].sm, &launch, bounds[p], lines);
    }
  }
  expect(90, NULL, UNKNOWN, UP_TO("c[0x0][0x210]"));
  expect(90, &launch, UNKNOWN, UP_TO("c[0x0][0x160]"));
  expect(75, &launch, 99, UP_TO("c[0x0][0x160]"));
  /* i = blockIdx.x * blockDim.x + threadIdx.x; i < 10000; i += gridDim.x * blockDim.x */
  expect(120, &launch, 3,
         "S2R R0, SR_TID.X; S2UR UR4, SR_CTAID.X; LDCU UR5, c[0x0][0x360]; LDCU UR6, "
         "c[0x0][0x370]; UIMAD UR7, UR5, UR6, URZ; MOV R1, UR4; IMAD R0, R1, UR5, R0; loop:; IADD3 "
         "R0, PT, PT, R0, UR7, RZ; ISETP.GE.AND P0, PT, R0, 0x2710, PT; @!P0 BRA loop");
}

TEST(quotients)
{
#define UP_TO_R4                                                                                   \
  "MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop"
  /* c[0x0][0x160] is 100: / 3, / 16 and % 8 of signed numbers, / 7 of unsigned ones. */
  expect(87, &launch, 32,
         "MOV R5, c[0x0][0x160]; IMAD.HI R4, R5, 0x55555556, RZ; LEA.HI R4, R4, R4, RZ, "
         "0x1; " UP_TO_R4);
  expect(87, &launch, 5,
         "MOV R5, c[0x0][0x160]; SHF.R.S32.HI R4, RZ, 0x1f, R5; LEA.HI R4, R4, R5, RZ, 0x4; "
         "SHF.R.S32.HI R4, RZ, 0x4, R4; " UP_TO_R4);
  expect(87, &launch, 3, "MOV R5, c[0x0][0x160]; LOP3.LUT R4, R5, 0x7, RZ, 0xc0, !PT; " UP_TO_R4);
  expect(87, &launch, 13,
         "MOV R2, RZ; MOV R3, c[0x0][0x160]; IMAD.HI.U32 R4, R3, 0x24924925, RZ; " UP_TO_R4);
  /* The addend of IMAD.HI is a pair: a lower word that is not known carries 0 or 1. */
  expect(87, &launch, 106,
         "MOV R2, RZ; MOV R3, 0x64; IMAD.HI.U32 R4, R3, 0x12492493, R2; " UP_TO_R4);
  expect(87, &launch, 107, "MOV R3, 0x64; IMAD.HI.U32 R4, R3, 0x12492493, R2; " UP_TO_R4);
  expect(87, &launch, UNKNOWN,
         "LDG.E.64 R2, [R8.64]; MOV R5, 0x64; IMAD.HI.U32 R4, R5, 0x12492493, R2; " UP_TO_R4);
  /* Bytes and fields of a load. */
  expect(87, NULL, 254, "LDG.E R4, [R8.64]; PRMT R4, R4, 0x7771, RZ; " UP_TO_R4);
  expect(87, NULL, 14, "LDG.E R4, [R8.64]; SGXT.U32 R4, R4, 0x4; " UP_TO_R4);
  expect(87, NULL, 31, "LDG.E R4, [R8.64]; POPC R4, R4; " UP_TO_R4);
  expect(90, NULL, 9, "LDG.E R4, desc[UR4][R8.64]; VIADDMNMX R4, R4, 0x5, 0xa, PT; " UP_TO_R4);
}

TEST(wide_counters)
{
  /* By carries and two comparisons. */
  expect(
      87, &launch, 99,
      "CS2R R2, SRZ; loop:; IADD3 R2, P0, R2, 0x1, RZ; IMAD.X R3, RZ, RZ, R3, P0; ISETP.GE.U32.AND "
      "P0, PT, R2, c[0x0][0x160], PT; ISETP.GE.AND.EX P0, PT, R3, RZ, PT, P0; @!P0 BRA loop");
  expect(87, NULL, 33,
         "MOV R2, 0x64; MOV R3, RZ; loop:; IADD3 R2, P0, R2, -0x3, RZ; IADD3.X R3, R3, -0x1, RZ, "
         "P0, !PT; ISETP.GT.U32.AND P0, PT, R2, RZ, PT; ISETP.GT.AND.EX P0, PT, R3, RZ, PT, P0; "
         "@P0 BRA loop");
  expect(87, NULL, 19,
         "MOV R2, 0xfffffff6; MOV R3, RZ; loop:; IADD3 R2, P1, R2, 0x1, RZ; IADD3.X R3, RZ, R3, "
         "RZ, P1, !PT; ISETP.NE.U32.AND P0, PT, R2, 0xa, PT; ISETP.NE.AND.EX P0, PT, R3, 0x1, PT, "
         "P0; @P0 BRA loop");
  /* Two carries at once. */
  expect(87, NULL, 9,
         "CS2R R2, SRZ; loop:; IADD3 R2, P0, R2, 0x1, RZ; IADD3 R4, P1, R4, 0x4, RZ; IADD3.X R3, "
         "RZ, R3, RZ, P0, !PT; IMAD.X R5, RZ, RZ, R5, P1; ISETP.LT.U32.AND P2, PT, R2, 0xa, PT; "
         "ISETP.LT.AND.EX P2, PT, R3, RZ, PT, P2; @P2 BRA loop");
  /* Another's carry; a carry that is written anew. */
#define WIDE(CARRY, BETWEEN, BELOW)                                                                \
  "CS2R R2, SRZ; loop:; IADD3 R2, P0, R2, 0x1, RZ; " BETWEEN "; "                                  \
  "IADD3.X R3, RZ, R3, RZ, " CARRY ", !PT"                                                         \
  "; "                                                                                             \
  "ISETP." BELOW ".AND P0, PT, R2, 0xa, PT"                                                        \
  "; ISETP.LT.AND.EX P0, PT, R3, RZ, PT, P0; @P0 BRA loop"
  expect(87, NULL, 9, WIDE("P0", "NOP", "LT.U32"));
  expect(87, NULL, UNKNOWN, WIDE("P1", "NOP", "LT.U32"));
  expect(87, NULL, UNKNOWN, WIDE("P0", "ISETP.NE.AND P0, PT, R7, RZ, PT", "LT.U32"));
  /* Another relation of the lower words, which decides where the upper ones are equal. */
  expect(87, NULL, 9, WIDE("P0", "NOP", "LT"));
  expect(87, NULL, 0, WIDE("P0", "NOP", "GT.U32"));
  /* Of sm_120. */
  expect(120, NULL, 99,
         "MOV.64 R2, RZ; loop:; IADD.64 R2, R2, 0x1; ISETP.GE.S64.AND P0, PT, R2, 0x64, PT; @!P0 "
         "BRA loop");
  expect(120, &launch, 24,
         "UMOV.64 UR4, URZ; LDCU.64 UR6, c[0x0][0x384]; MOV.64 R2, 0x1c; loop:; IADD.64 R2, R2, "
         "-UR6; IADD.64 R2, R2, 0x6; ISETP.NE.S64.AND P0, PT, R2, 0x3, PT; @P0 BRA loop");
  expect(87, NULL, 3,
         "CS2R R2, SRZ; MOV R7, 0x3; loop:; IMAD.WIDE R2, R7, 0x4, R2; ISETP.LT.U32.AND P0, PT, "
         "R2, 0x30, PT; ISETP.LT.AND.EX P0, PT, R3, RZ, PT, P0; @P0 BRA loop");
}

TEST(predicates)
{
  /* Complement, conjunction and disjunction by tables. */
  expect(87, NULL, 15,
         "MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT; PLOP3.LUT "
         "P0, PT, P0, PT, PT, 0x8, 0x0; @!P0 BRA loop");
  expect(87, NULL, 15,
         "MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT; PLOP3.LUT "
         "P0, PT, P0, P1, PT, 0x80, 0x0; @P0 BRA loop");
  expect(87, NULL, UNKNOWN,
         "MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT; PLOP3.LUT "
         "P0, PT, P0, P1, PT, 0xa8, 0x0; @P0 BRA loop");
  expect(87, NULL, 15,
         "MOV R0, RZ; loop:; IADD3 R0, R0, 0x1, RZ; ISETP.GE.AND P0, PT, R0, 0x10, PT; PLOP3.LUT "
         "P0, PT, P0, P1, PT, 0xa8, 0x0; @!P0 BRA loop");
  expect(100, NULL, 15,
         "UMOV UR4, URZ; loop:; UIADD3 UR4, UPT, UPT, UR4, 0x1, URZ; UISETP.NE.AND UP0, UPT, UR4, "
         "0x10, UPT; PLOP3.LUT P1, PT, PT, PT, UP0, 0x80, 0x8; @P1 BRA loop");
}

/* Values under the outcome of a guard, and of registers that differ by a number. */
TEST(relations)
{
  /* By 1 or by 2. */
  expect(87, NULL, 15,
         "MOV R0, RZ; loop:; LDG.E R6, [R8.64]; ISETP.NE.AND P2, PT, R6, RZ, PT; @P2 IADD3 R6, R0, "
         "0x1, RZ; @P2 MOV R0, R6; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 "
         "BRA loop");
  expect(87, NULL, UNKNOWN,
         "MOV R0, RZ; loop:; LDG.E R6, [R8.64]; ISETP.NE.AND P2, PT, R6, RZ, PT; @P2 IADD3 R6, R0, "
         "0x1, RZ; @!P2 MOV R0, R6; IADD3 R0, R0, 0x1, RZ; ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 "
         "BRA loop");
  /* The guard is another one by then. */
  expect(87, NULL, UNKNOWN,
         "MOV R0, RZ; loop:; LDG.E R6, [R8.64]; ISETP.NE.AND P2, PT, R6, RZ, PT; @P2 IADD3 R6, R0, "
         "0x1, RZ; ISETP.NE.AND P2, PT, R7, RZ, PT; @P2 MOV R0, R6; IADD3 R0, R0, 0x1, RZ; "
         "ISETP.LT.AND P0, PT, R0, 0x10, PT; @P0 BRA loop");
  /* A uniform register is written for lanes too whose guard is false. */
  expect(87, NULL, 6,
         "LDG.E R0, [R8.64]; MOV R5, 0x64; ISETP.NE.AND P2, PT, R0, RZ, PT; MOV R4, 0x7; @!P2 MOV "
         "R4, R5; IMAD.MOV.U32 R0, RZ, RZ, RZ; @!P2 EXIT; loop:; IADD3 R0, R0, 0x1, RZ; "
         "ISETP.LT.AND P0, PT, R0, R4, PT; @P0 BRA loop");
  expect(90, NULL, 99,
         "LDG.E R0, desc[UR6][R8.64]; MOV R5, 0x64; ISETP.NE.AND P2, PT, R0, RZ, PT; UMOV UR4, "
         "0x7; @!P2 R2UR UR4, R5; IMAD.MOV.U32 R0, RZ, RZ, RZ; @!P2 EXIT; loop:; IADD3 R0, R0, "
         "0x1, RZ; ISETP.LT.AND P0, PT, R0, UR4, PT; @P0 BRA loop");
  /* R0 is below 7 where R4 = R0 + 1 is below 8. */
  static const struct {
    const char *between;
    uint64_t bound;
  } rows[] = {{"NOP", 5}, {"IADD3 R0, R0, 0x1, RZ", 255}, {"@P1 MOV R4, RZ", 254}};
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    char lines[300];
    snprintf(lines, sizeof lines,
             "LDG.E R0, [R8.64]; LOP3.LUT R0, R0, 0xff, RZ, 0xc0, !PT; IADD3 R4, R0, 0x1, RZ; %s; "
             "ISETP.GE.AND P0, PT, R4, 0x8, PT; @P0 EXIT; loop:; IADD3 R0, R0, -0x1, RZ; "
             "ISETP.GT.AND P0, PT, R0, RZ, PT; @P0 BRA loop",
             rows[r].between);
    expect(87, NULL, rows[r].bound, lines);
  }
}

/* ---- operations ---- */

/* A mask, and whether anything is left of it. */
TEST(masks)
{
#define DOWN_FROM_R4                                                                               \
  "@!P0 EXIT; loop:; IADD3 R4, R4, -0x1, RZ; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 BRA loop"
  expect(87, NULL, 2, "LDG.E R5, [R8.64]; LOP3.LUT P0, R4, R5, 0x3, RZ, 0xc0, !PT; " DOWN_FROM_R4);
  expect(120, NULL, 6,
         "LDG.E R5, desc[UR4][R8.64]; LOP3.LUT P0, R4, R5, 0x7, RZ, 0xc0, !PT; " DOWN_FROM_R4);
  /* The bits that were tested are the ones that are taken later, and again. */
  expect(87, NULL, 2,
         "LDG.E R5, [R8.64]; LOP3.LUT P0, RZ, R5, 0x3, RZ, 0xc0, !PT; LOP3.LUT R4, R5, 0x3, RZ, "
         "0xc0, !PT; " DOWN_FROM_R4);
  expect(87, NULL, 6,
         "LDG.E R5, [R8.64]; LOP3.LUT P0, RZ, R5, 0x7, RZ, 0xc0, !PT; @!P0 EXIT; LOP3.LUT R7, R5, "
         "0x7, RZ, 0xc0, !PT; MOV R4, R7; loop:; IADD3 R4, R4, -0x1, RZ; ISETP.NE.AND P0, PT, R4, "
         "RZ, PT; @P0 BRA loop");
  /* Bits of another register, of its next number, other bits; the other outcome. */
  static const char *const unknown[] = {
      "LOP3.LUT R4, R6, 0x3, RZ, 0xc0, !PT",
      "IADD3 R5, R5, 0x1, RZ; LOP3.LUT R4, R5, 0x3, RZ, 0xc0, !PT",
      "LOP3.LUT R4, R5, 0x7, RZ, 0xc0, !PT"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    char lines[300];
    snprintf(lines, sizeof lines,
             "LDG.E R5, [R8.64]; LOP3.LUT P0, RZ, R5, 0x3, RZ, 0xc0, !PT; "
             "%s; " DOWN_FROM_R4,
             unknown[i]);
    expect(87, NULL, UNKNOWN, lines);
  }
  expect(87, NULL, UNKNOWN,
         "LDG.E R5, [R8.64]; LOP3.LUT P0, RZ, R5, 0x3, RZ, 0xc0, !PT; @P0 EXIT; LOP3.LUT R4, R5, "
         "0x3, RZ, 0xc0, !PT; loop:; IADD3 R4, R4, -0x1, RZ; ISETP.NE.AND P0, PT, R4, RZ, PT; @P0 "
         "BRA loop");
  /* A number less its lowest bits, in whatever block it is found, is a multiple. */
  expect(87, NULL, 255,
         "S2R R5, SR_TID.X; LOP3.LUT R6, R5, 0x3, RZ, 0xc0, !PT; @P1 BRA next; NOP; next:; IADD3 "
         "R4, R5, -R6, RZ; loop:; IADD3 R4, R4, -0x4, RZ; ISETP.GE.AND P0, PT, R4, -0x2, PT; @P0 "
         "BRA loop");
  /* The register has another number by then; another function. */
  expect(87, NULL, UNKNOWN,
         "LDG.E R5, [R8.64]; LOP3.LUT P0, R4, R5, 0x3, RZ, 0xc0, !PT; LDG.E R4, "
         "[R8.64]; " DOWN_FROM_R4);
  expect(87, NULL, UNKNOWN,
         "LDG.E R5, [R8.64]; LOP3.LUT P0, R4, R5, 0x3, RZ, 0xc0, P1; " DOWN_FROM_R4);
#undef DOWN_FROM_R4
}

TEST(tables)
{
  uint8_t rest;
  for (unsigned table = 0; table < 256; table++) {
    for (unsigned v = 0; v < 3; v++) {
      const uint8_t own = wb_lookup_variable(v);
      uint8_t whole = 0;
      switch (wb_lookup_split((uint8_t)table, v, &rest)) {
      case WB_SPLIT_AND:
        whole = own & rest;
        break;
      case WB_SPLIT_AND_NOT:
        whole = (uint8_t)~own & rest;
        break;
      case WB_SPLIT_OR:
        whole = own | rest;
        break;
      case WB_SPLIT_OR_NOT:
        whole = (uint8_t)~own | rest;
        break;
      case WB_SPLIT_XOR:
        whole = own ^ rest;
        break;
      default:
        continue;
      }
      assert_int_equal(whole, table);
      assert_false(wb_lookup_depends(rest, v));
    }
  }
}

/* The number that HFMA2 loads with that upper half and 1 as the lower one. */
static bool find_half(const char *text, uint32_t *number)
{
  char line[80];
  const char *const lines[] = {line, NULL};
  struct wb_micro_code micro;
  FREED_BY(wb_code_free) struct wb_code code;
  snprintf(line, sizeof line, "HFMA2.MMA R0, -RZ, RZ, %s, 1", text);
  listing_make_for(87, lines, &code);
  const bool known = wb_lower(&code.functions[0], 0, &micro) && !wb_is_function(&micro, 0);
  if (known) {
    assert_int_equal(micro.operations[micro.writes[0].result].sources[0].kind, WB_SOURCE_NUMBER);
    *number = (uint32_t)micro.operations[micro.writes[0].result].sources[0].value;
  }
  return known;
}

TEST(half_numbers)
{
  static const struct {
    const char *text;
    uint32_t bits;
  } rows[] = {{"0", 0},
              {"-0", 0x8000},
              {"5.9604644775390625e-08", 1},
              {"2.384185791015625e-07", 4},
              {"1.5199184417724609375e-05", 0xff},
              {"6.097555160522461e-05", 0x3ff},
              {"6.103515625e-05", 0x400},
              {"1", 0x3c00},
              {"-1.875", 0xbf80},
              {"33.21875", 0x5027},
              {"65504", 0x7bff}};
  static const char *const wrong[] = {"65536", "1.0001", "0x1", "+INF", "1e400", "+QNAN"};
  uint32_t bits;
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    assert_true(find_half(rows[i].text, &bits));
    assert_int_equal(bits, rows[i].bits << 16 | 0x3c00);
  }
  for (size_t i = 0; i < COUNT_OF(wrong); i++)
    assert_false(find_half(wrong[i], &bits));
}
