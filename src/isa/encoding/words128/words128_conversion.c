/* Words of 128 bits (Volta and later): conversions between formats. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define UNNAMED ".???%u" /* what the disassembler prints for a combination without a name */

static const struct wb_word_text texts[] = {
    {"round", "{78:2=/.RM/.RP/.RZ}", NULL},
    {"integral", "{78:2=/.FLOOR/.CEIL/.TRUNC}", NULL},
    {"ftz", "<80=1?.FTZ>", NULL},

    /* Integers: the sign is the lowest bit. F2I and I2F do not name the usual S32. */
    {"integer", ".U8/.S8/.U16/.S16/.U32/", UNNAMED},
    {"integer64", ".U8/.S8/.U16/.S16/.U32//.U64/.S64", NULL},

    /* Floating point, where F32 is not named; what I2F makes. */
    {"float", "/.F16//.F64/.BF16", NULL},
    {"float80", "{75:2=.???0/.F16//.???3}", NULL},
    {"float90", ".???0/.F16//.???3/.BF16", UNNAMED},
    {"float64", ".???0/.F16//.F64/.BF16", UNNAMED},
    {"named", "/.F16/.F32/.F64/.BF16", NULL},
    {"double80", "15:.F64", UNNAMED},
    {"double90", "27:.F64", UNNAMED},

    /* The number to convert, of the format at bit 84: before and from sm_90 on. */
    {"source", "<84:2=1?$h32><84:2=2?$f32><84:2=3?$d32>", NULL},
    {"source90", "<84:3=1?$h32><84:3=2?$f32><84:3=3?$d32><84:3=4?$b32>", NULL},

    /* The integer to convert. */
    {"whole", "<84:2=0?$place{60:2=/.B1/.B2/.B3}><84:2=1?$place{60:2=/.H1/?}><85=1?$v32>", NULL},
    {"place/1", "{R 32}", NULL},
    {"place/4", "{x 32:32}", NULL},
    {"place/5", "$spaced", NULL},
    {"place/6", "{U 32}", NULL},
    {"v32", "$v", NULL},
    {"v32/1", "{R 32}", NULL},
    {"v32/4", "<74=0?{x 32:32}><74=1?{s 32:32}>", NULL},

    {"ifloat86", ".???0/.???1/.F32", UNNAMED},
    {"iinteger86", ".???0/.???1/.???2/.???3/.U32/.S32", UNNAMED},
    {"ifloat", "?/?/.F32", NULL},
    {"iinteger", "?/?/?/?/.U32/.S32", NULL},

    {"wv", "$v", NULL},
    {"wv/4", "$v32", NULL},
    {"sv", "$v", NULL},
    {"sv/4", "{s 32:32}", NULL},
    {"sb", "$b", NULL},
    {"sb/4", "{s 32:32}", NULL},

    /* Packed into 8, 16, 2 and 4 bits: where the result goes. */
    {"part", "/.H1/.???2/.???3//.H1/.???2/.???3/.???0/.???1/.???2/.28/.???0/.???1/.24/.???3",
     UNNAMED},
    {"part75",
     "/.H1/.INVALID2/.INVALID3//.H1/.INVALID2/.INVALID3/.???0/.???1/.???2/.28/.???0/.???1/.24/"
     ".???3",
     NULL},
    {"packed", ".U8/.S8/.U16/.S16/.U2/.S2/.U4/.S4", NULL},

    /* Floats without signs; constants of the last operand are printed with a space. */
    {"gb", "$b", NULL},
    {"gb/4", "{f 32:32}", NULL},
    {"gc", "$c", NULL},
    {"gc/2", "{f 32:32}", NULL},
    {"gc/3", "$spaced", NULL},
    {"gc7", "$gc<72=1?.H1>", NULL},
    {"gbh", "$gb<88=1?.H1>", NULL},
    {"gbh/5", "$spaced<88=1?.H1>", NULL},

    /* What F2FP makes on sm_80, sm_86, sm_89 and sm_90, sm_100 and sm_120; with .RS, until sm_89;
     * the rounding of sm_89, of sm_90 and sm_120. */
    {"to80", "{76=/.BF16}", NULL},
    {"to86", "{76,86=/.BF16/?}", NULL},
    {"to89", "{76,86,87@to}", NULL},
    {"to100", "{76,86,87,85@toe}", NULL},
    {"to", ".F16/.BF16/.???2/.TF32/.E5M2/.E4M3", UNNAMED},
    {"toe", ".F16/.BF16/.???2/.TF32/.E5M2/.E4M3/.E8/.???7/.???8/.E2M1/.E2M3/.E3M2/.???12/.S2_6",
     UNNAMED},
    {"packb", ".???0/.???1/.???2/.TF32", UNNAMED},
    {"merge16", ".???0/.MERGE_C", UNNAMED},
    {"merge8", ".???0/.???1/.???2/.???3/.???4/.PACK_AB_MERGE_C", UNNAMED},
    {"merge8of16", ".???0/.???1/.???2/.???3/.UNPACK_B_MERGE_C", UNNAMED},
    {"roundup", "{79:3=/.???1/.RP/.RZ/.???4/.???5/.???6/.???7}", NULL},
    {"rs80", "{76@rs}", NULL},
    {"rs86", "{76,86@rs}", NULL},
    {"rs89", "{76,86,87@rs}", NULL},
    {"rs", "/.???1", UNNAMED},
    {"from", ".F32/.F16/.E5M2/.E4M3", NULL},
    {"from100", ".F32/.F16/.E5M2/.E4M3/.???4/.E2M1/.E2M3/.E3M2/.???8/.BF16/.E8", UNNAMED},
    {"fromscaled", ".F32/.F16/.E5M2/.E4M3/.???4/.E2M1/.E2M3/.E3M2/.???8/.BF16/.S2_6", UNNAMED},
    /* Which part of the register is unpacked: a half, or a quarter of E2M1. */
    {"which", "<73:2,82:2!=5?<88=1?.H1>><73:2,82:2=5?{84,88@quarter}>", NULL},
    {"whichscaled", "<73:2,82:2!=5?<88=1?.H1>><73:2,82:2=5?{72,88@quarter}>", NULL},
    {"quarter", "/.B1/.B2/.B3", NULL},
    {"gbw", "$gb$which", NULL},
    {"source9", "{73:2@from}", NULL},
    {"source10", "{73:2,82,83@from100}", NULL},
    {"scaleto", ".???0/.BF16", UNNAMED},
    {"scalepack", ".???0/.???1/.UNPACK_B", UNNAMED},
    {"scale", "{R 64}{r 124}{24:3@scaled}", NULL},
    {"scaled", ".H0/.H1/.B0/.B1/.B2/.B3", NULL},
    {"unrounded", "{79:3=/.???1/.???2/.???3/.???4/.???5/.???6/.???7}", NULL},
    {"rz101", "{79:3=/.???1/.???2/.RZ/.???4/.???5/.???6/.???7}", NULL},
    {"rz", "<79:2=3?.RZ>", NULL},
    {"rounding", "{79:3@rounded}", NULL},
    {"rounded", "/.???1/.???2/.RZ", UNNAMED},
    {"relu", "F2FP<75=1?.RELU>", NULL},
    {"head", "F2FP<77=1?.SATFINITE><75=1?.RELU>", NULL},
    {"head100", "F2FP<77=1?.SATFINITE><77=0&76=1&85=1&81=0?.???0><75=1?.RELU>", NULL},
    {"head120", "F2FP<77=1?.SATFINITE><77=0&76=1&85=1&86=0?.???0><75=1?.RELU>", NULL},
};

#define WB_TO_ADA (WB_FROM_VOLTA & ~WB_FROM_HOPPER)
#define WB_VOLTA_TURING (WB_VOLTA | WB_TURING)
#define WB_AMPERE_TO_ADA (WB_AMPERE | WB_AMPERE_86 | WB_ADA)
#define WB_AMPERE_86_ADA (WB_AMPERE_86 | WB_ADA)

#define F2I(OPCODE, INTEGER)                                                                       \
  {OPCODE, 0,    WB_TO_ADA,                                                                        \
   "1456", NULL, "F2I$ftz{72,75:2@" INTEGER "}{84:2@float}$integral<77=1?.NTZ> {R 16}, $source"},  \
  {                                                                                                \
    OPCODE, 0, WB_FROM_HOPPER, "1456", NULL,                                                       \
        "F2I$ftz{72,75:2@" INTEGER "}{84:3@float}$integral<77=1?.NTZ> {R 16}, $source90"           \
  }

#define F2F(OPCODE)                                                                                \
  {OPCODE, 0, WB_VOLTA, "1456", NULL, "F2F$ftz{75:2@named}{84:2@named}$round {R 16}, $source"},    \
      {OPCODE, 0,    WB_TURING | WB_AMPERE_TO_ADA,                                                 \
       "1456", NULL, "F2F$ftz{75:3@named}{84:2@named}$round {R 16}, $source"},                     \
  {                                                                                                \
    OPCODE, 0, WB_FROM_HOPPER, "1456", NULL,                                                       \
        "F2F$ftz{75:3@named}{84:3@named}$round {R 16}, $source90"                                  \
  }

/* F2FP: two floats packed into one register, or one with what the register C holds. .RS rounds
 * at random; before sm_89 the format converted from has no name. */
#define F2FP_RS(ARCHITECTURES, FORMAT)                                                             \
  {                                                                                                \
    0x03e, 0, ARCHITECTURES, "1234567", "81=1",                                                    \
        "$head" FORMAT "{78=.PACK_AB/.MERGE_C}.RS<82=1?.REG_RS>{83:2=.7b//.9b/.10b}<85=1?.LTN25> " \
        "{R 16}, $ra, $gb, $gc7"                                                                   \
  }

#define F2FP_80(ARCHITECTURES, FORMAT)                                                             \
  {0x03e, 0, ARCHITECTURES, "1456", "78=0", "$head" FORMAT ".PACK_AB$rz {R 16}, $ra, $gb"},        \
      {0x03e, 0, ARCHITECTURES, "1456", NULL, "$head" FORMAT ".MERGE_C$rz {R 16}, $gb, $gc7"},     \
  {                                                                                                \
    0x03e, 0, ARCHITECTURES, "237", NULL,                                                          \
        "$head" FORMAT "{78=.???0/.MERGE_C}$rz {R 16}, $gb, $gc7"                                  \
  }

/* From sm_89 on, in forms where B may be anything, then in those where C may. ROUND is of words
 * without C, UNPACKED of UNPACK_B, MERGED of what ends on _MERGE_C. */
#define F2FP_89(ARCHITECTURES, HEAD, PACKED, FORMAT, ROUND, UNPACKED, MERGED, SOURCE, OPERAND)       \
  {                                                                                                  \
      0x03e,         0,                                                                              \
      ARCHITECTURES, "1456",                                                                         \
      "89=1&78=0",   "F2FP<75=1?.RELU>" FORMAT SOURCE ".UNPACK_B" UNPACKED " {R 16}, " OPERAND},     \
      {0x03e,  0,           ARCHITECTURES,                                                           \
       "1456", "89=1&78=1", PACKED "{76,86,87@packb}" SOURCE ".PACK_B" ROUND " {R 16}, $gb"},        \
      {0x03e,  0,           ARCHITECTURES,                                                           \
       "1456", "90=1&78=0", HEAD FORMAT SOURCE ".UNPACK_B_MERGE_C" MERGED " {R 16}, $gb, $gc7"},     \
      {0x03e,  0,           ARCHITECTURES,                                                           \
       "1456", "90=1&78=1", HEAD FORMAT SOURCE ".PACK_AB_MERGE_C" MERGED " {R 16}, $ra, $gb, $gc7"}, \
      {0x03e,  0,      ARCHITECTURES,                                                                \
       "1456", "78=1", HEAD FORMAT SOURCE ".MERGE_C" ROUND " {R 16}, $gb, $gc7"},                    \
  {                                                                                                  \
    0x03e, 0, ARCHITECTURES, "1456", NULL, HEAD FORMAT SOURCE ".PACK_AB" ROUND " {R 16}, $ra, $gb"   \
  }

#define F2FP_89_C(ARCHITECTURES, HEAD, FORMAT, ROUND, MERGED, SOURCE)                              \
  {0x03e, 0,           ARCHITECTURES,                                                              \
   "237", "90=1&78=0", HEAD FORMAT SOURCE ".UNPACK_B_MERGE_C" MERGED " {R 16}, $gb, $gc7"},        \
      {0x03e, 0,      ARCHITECTURES,                                                               \
       "237", "90=1", HEAD FORMAT SOURCE ".PACK_AB_MERGE_C" MERGED " {R 16}, $ra, $gb, $gc7"},     \
  {                                                                                                \
    0x03e, 0, ARCHITECTURES, "237", NULL,                                                          \
        HEAD FORMAT SOURCE "{78=.???0/.MERGE_C}" ROUND " {R 16}, $gb, $gc7"                        \
  }

/* With a scale, in place of forms with constants, which end with sm_90; only UNPACK_B to BF16 has
 * names. BIT_91 tells it from other forms. */
#define F2FP_SCALED(OPCODE, BIT_91, OPERANDS)                                                      \
  {                                                                                                \
    OPCODE, 0, WB_FROM_BLACKWELL, NULL, BIT_91,                                                    \
        "$head{76,85,86,87@scaleto}{73:2,82,83@fromscaled}{78,89,90@scalepack}$unrounded {R "      \
        "16}, " OPERANDS                                                                           \
  }

static const struct wb_word_row rows[] = {
    F2I(0x105, "integer"),
    F2I(0x111, "integer64"),
    F2F(0x104),
    F2F(0x110),
    {0x106, 0, WB_TO_ADA, "1456", NULL, "I2F$float80{74,84:2@integer64}$round {R 16}, $whole"},
    {0x106, 0, WB_FROM_HOPPER, "1456", NULL,
     "I2F{75:3@float90}{74,84:2@integer64}$round {R 16}, $whole"},
    {0x112, 0, WB_TO_ADA, "1456", NULL,
     "I2F{75:2@float64}{74,84:2@integer64}$round {R 16}, $whole"},
    {0x112, 0, WB_FROM_HOPPER, "1456", NULL,
     "I2F{75:3@float64}{74,84:2@integer64}$round {R 16}, $whole"},
    {0x107, 0, WB_TO_ADA, "1456", NULL, "FRND$ftz{84:2@float}$integral {R 16}, $source"},
    {0x107, 0, WB_FROM_HOPPER, "1456", NULL, "FRND$ftz{84:3@float}$integral {R 16}, $source90"},
    {0x113, 0, WB_TO_ADA, "1456", NULL, "FRND$ftz{75:2,84:2@double80}$integral {R 16}, $d32"},
    {0x113, 0, WB_FROM_HOPPER, "1456", NULL, "FRND$ftz{75:3,84:3@double90}$integral {R 16}, $d32"},

    {0x038, 0, WB_VOLTA_72 | WB_FROM_TURING, "1456", NULL,
     "I2I{76:2=.U8/.S8/.U16/.S16}.S32.SAT {R 16}, $sv"},
    {0x039, 0, WB_VOLTA_72, "1456", NULL,
     "I2IP{76:2=.U8/.S8/.U16/.S16}.S32.SAT {R 16}, $ra, $sb, $c{72:2=/.H1/.INVALID2/.INVALID3}"},
    {0x039, 0, WB_TURING, "1456", NULL,
     "I2IP{76:3@packed}.S32.SAT {R 16}, $ra, $sb, $c{72:2,77:2@part75}"},
    {0x039, 0, WB_AMPERE, "1456", NULL,
     "I2IP{76:3@packed}.S32.SAT {R 16}, $ra, $sb, $c{72:2,77:2@part}"},
    {0x039, 0, WB_AMPERE_86_ADA, "1456", NULL,
     "I2IP{76:3@packed}.S32{74:2=.SAT//.SATRELU/?} {R 16}, $ra, $sb, $c{72:2,77:2@part}"},
    {0x039, 0, WB_FROM_HOPPER, "1456", NULL,
     "I2IP{76:3@packed}.S32{74:2=/.SAT/.SATRELU/?} {R 16}, $ra, $sb, $c{72:2,77:2@part}"},
    {0x043, 0, WB_FROM_AMPERE_86, "1234567", NULL,
     "F2IP{76:2=.U8/.S8/?}.F32{78:2=/?/?/.TRUNC}<74=1?.NTZ><75=1?.RELU> {R 16}, $ra, $gb, "
     "$gc7"},
    F2FP_SCALED(0x63e, "91=0", "{R 32}{r 123}$whichscaled, $scale"),
    F2FP_SCALED(0xa3e, "91=0", "{f 32:32}$whichscaled, $scale"),
    F2FP_SCALED(0xe3e, "91=0", "{R 64}{r 123}$whichscaled, {f 32:32}{24:3@scaled}"),
    F2FP_SCALED(0x23e, "91=1", "{U 32}$whichscaled, $scale"),
    F2FP_SCALED(0x43e, "91=1", "{R 64}{r 123}$whichscaled, {U 32}{24:3@scaled}"),
    F2FP_RS(WB_AMPERE, "$rs80"),
    F2FP_80(WB_AMPERE, "$to80"),
    F2FP_RS(WB_AMPERE_86, "$rs86"),
    F2FP_80(WB_AMPERE_86, "$to86"),
    F2FP_RS(WB_ADA, "$rs89"),
    F2FP_89(WB_ADA, "$head", "$relu", "$to89", "$rz", "$rz", "$rz", "$source9", "$gbh"),
    F2FP_89_C(WB_ADA, "$head", "$to89", "$rz", "$rz", "$source9"),
    F2FP_89(WB_HOPPER, "$head", "$relu", "$to89", "$rounding", "$unrounded", "$unrounded",
            "$source9", "$gbh"),
    F2FP_89_C(WB_HOPPER, "$head", "$to89", "$rounding", "$unrounded", "$source9"),
    {0x03e, 0, WB_BLACKWELL & ~WB_BLACKWELL_101, "1234567", "81=1",
     "$head100$to100$source10{78,90=.PACK_AB/.MERGE_C/?/.PACK_AB_MERGE_C}.RS {R 16}, $ra, $gb, "
     "$gc"},
    F2FP_89(WB_BLACKWELL & ~WB_BLACKWELL_101, "$head100", "$head", "$to100", "$rz", "", "$roundup",
            "$source10", "$gbw"),
    F2FP_89(WB_BLACKWELL_101, "$head100", "$head", "$to100", "$rz101", "$rz101", "$roundup",
            "$source10", "$gbw"),
    F2FP_89_C(WB_BLACKWELL, "$head100", "$to100", "$rz", "$roundup", "$source10"),
    F2FP_89(WB_BLACKWELL_120, "$head120", "$relu", "$to100", "$rounding", "$unrounded", "$roundup",
            "$source10", "$gbw"),
    {0x03e, 0, WB_BLACKWELL_120, "237", "85=0&87=0",
     "$head120$to100$source10{78,89,90@merge16}$rounding {R 16}, $gb, $gc7"},
    {0x03e, 0, WB_BLACKWELL_120, "237", "73:2,82,83=0",
     "$head120$to100$source10{78,89,90@merge8}$roundup {R 16}, $ra, $gb, $gc7"},
    {0x03e, 0, WB_BLACKWELL_120, "237", NULL,
     "$head120$to100$source10{78,89,90@merge8of16}$roundup {R 16}, $gb, $gc7"},

    {0x045, 0, WB_AMPERE_86_ADA, "1456", NULL,
     "I2FP{75:3@ifloat86}{74,84:2@iinteger86}{78:2=/?/?/.RZ} {R 16}, $wv"},
    {0x045, 0, WB_FROM_HOPPER, "1456", NULL,
     "I2FP{75:3@ifloat}{74,84:2@iinteger}{78:2=/?/?/.RZ} {R 16}, $wv"},
    {0x445, 0, WB_BLACKWELL, NULL, NULL,
     "I2FP.F16x2{74=.U4x2/.S4x2}{78:2=/?/?/.RZ} {R 16}, {R 32}{r 123}{80:2=/.B1/.B2/.B3}"},
    {0xe45, 0, WB_BLACKWELL, NULL, NULL,
     "I2FP.F16x2{74=.U4x2/.S4x2}{78:2=/?/?/.RZ} {R 16}, {U 32}{80:2=/.B1/.B2/.B3}"},
};

const struct wb_word_table wb_words128_conversion = {rows, ROW_COUNT, texts, TEXT_COUNT};
