/* Words of 128 bits (Volta and later): half precision and packed arithmetic. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* An operand of two numbers of half precision. Which half stands for which, SWIZZLE, is behind a
 * register, but within the bars of constants and uniform registers. */
#define CONSTANT(PLACE, SWIZZLE) "{-63}{|62}" PLACE SWIZZLE "{|62}"
#define UNIFORM(SWIZZLE) "{-63}{|62}{U 32}" SWIZZLE "{|62}"

/* Operands B and C; in forms 2, 3 and 7 B is the register at bit 64. Of words with two operands
 * the second is $..v. */
#define AT_32(NAME, SWIZZLE, IMMEDIATE)                                                            \
  {NAME "/1", "{-63}{|62}{R 32}{|62}<123:2!=0?.reuse>" SWIZZLE, NULL},                             \
      {NAME "/2", IMMEDIATE, NULL}, {NAME "/3", CONSTANT("$spaced", SWIZZLE), NULL},               \
      {NAME "/4", IMMEDIATE, NULL}, {NAME "/5", CONSTANT("$spaced", SWIZZLE), NULL},               \
      {NAME "/6", UNIFORM(SWIZZLE), NULL},                                                         \
  {                                                                                                \
    NAME "/7", UNIFORM(SWIZZLE), NULL                                                              \
  }

#define AT_64(SWIZZLE) "{-84}{|83}{R 64}{|83}<123:2!=0?.reuse>" SWIZZLE

#define B_AND_C(PREFIX, B_AT_32, B_AT_64, C_AT_32, C_AT_64, IMMEDIATE, PLACE)                      \
  {PREFIX "b/1", "{-63}{|62}{R 32}{|62}{r 123}" B_AT_32, NULL},                                    \
      {PREFIX "b/2", AT_64(B_AT_64), NULL}, {PREFIX "b/3", AT_64(B_AT_64), NULL},                  \
      {PREFIX "b/4", IMMEDIATE, NULL}, {PREFIX "b/5", CONSTANT(PLACE, B_AT_32), NULL},             \
      {PREFIX "b/6", UNIFORM(B_AT_32), NULL}, {PREFIX "b/7", AT_64(B_AT_64), NULL},                \
      {PREFIX "c/1", "{-84}{|83}{R 64}{|83}{r 124}" C_AT_64, NULL},                                \
      {PREFIX "c/2", IMMEDIATE, NULL}, {PREFIX "c/3", CONSTANT(PLACE, C_AT_32), NULL},             \
      {PREFIX "c/4", AT_64(C_AT_64), NULL}, {PREFIX "c/5", AT_64(C_AT_64), NULL},                  \
      {PREFIX "c/6", AT_64(C_AT_64), NULL},                                                        \
  {                                                                                                \
    PREFIX "c/7", UNIFORM(C_AT_32), NULL                                                           \
  }

static const struct wb_word_text texts[] = {
    {"sat", "<77=1?.SAT>", NULL},
    {"ftz", "<80=1?.FTZ>", NULL},
    {"flush", "{76,80=/.FMZ/.FTZ/?}", NULL},
    {"relu", "<79=1?.RELU>", NULL},
    {"last", "<79=1?$q87>", NULL}, /* of .RELU */
    {"format", "{78,85=/.F32/.BF16_V2/?}", NULL},
    {"bf", "{78,85=/?/.BF16_V2/?}", NULL},
    {"compare", "{64:2=/?/.BF16_V2/?}", NULL},
    {"isa", "<65=1?.IS_A> {R 16}<65=1?, {P 66}, {P 69}>", NULL},

    {"single", "/.F32/.H0_H0/.H1_H1", NULL},
    {"half", "/?/.H0_H0/.H1_H1", NULL},
    {"minus", "/.F32/.H0_H0/.H1_H1/.H0_NH1/?", NULL},

    /* Immediates: two numbers, the upper one first, of half precision or bfloat16. */
    {"pair", "{h 48:16}, {h 32:16}", NULL},
    {"pairb", "{f 48:16<<16}, {f 32:16<<16}", NULL},
    {"pairx", "<78,85=2?$pairb><78,85!=2?$pair>", NULL},
    {"pairc", "<64:2=2?$pairb><64:2!=2?$pair>", NULL},

    /* Operands of sm_70 to sm_89 (s), of sm_90 and later (h), of its comparisons (c). */
    {"sa", "$fa{74:2@single}", NULL},
    {"ha", "$fa{74:2@half}", NULL},
    AT_32("sv", "{60:2@single}", "$pair"),
    AT_32("xv", "{60:2@single}", "$pairx"),
    AT_32("hv", "{60:2@half}", "$pairx"),
    AT_32("cv", "{60:2@half}", "$pairc"),

    /* Operands of HADD2.F32 from sm_86 on. */
    {"sa32", "{-72}{R 24}{r 122}{74:2@single}", NULL},
    {"ha32", "{-72}{R 24}{r 122}{74:2@half}", NULL},
    {"sv32", "$sv", NULL},
    {"sv32/2", "{h 32:16}", NULL},
    {"hv32", "$hv", NULL},
    {"hv32/2", "{h 32:16}", NULL},

    /* Those of HFMA2 on sm_70 and sm_75, on sm_80, on sm_86 and sm_89, on sm_90 and later; of
     * HFMA2.MMA. */
    B_AND_C("s", "{60:2@single}", "{81:2@single}", "{60:2@single}", "{81:2@single}", "$pair",
            "$spaced"),
    B_AND_C("x", "{60:2@single}", "{81:2@single}", "{60:2@single}", "{81:2@single}", "$pairx",
            "$spaced"),
    B_AND_C("y", "{60:2,86@minus}", "{81:2,86@minus}", "{60:2@single}", "{81:2@single}", "$pairx",
            "$spaced"),
    B_AND_C("h", "{60:2,86@minus}", "{81:2,86@minus}", "{60:2@half}", "{81:2@half}", "$pairx",
            "$spaced"),
    B_AND_C("m", "", "", "", "", "$pair", "$constant"),
    B_AND_C("n", "", "", "", "", "$pairx", "$constant"),

    /* Operands of four numbers of 8, 6 or 4 bits. */
    {"qa", "{-73}{|72}{R 24}{|72}{r 122}{74:3@quarter}", NULL},
    {"qb", "{-63}{|62}{R 32}{|62}{r 123}{59:3@quarter}", NULL},
    {"qb/2", "{-84}{|83}{R 64}{|83}{r 123}{85:3@quarter}", NULL},
    {"qb/4", "{x 32:32}", NULL},
    {"qb/6", "{-63}{|62}{U 32}{59:3@quarter}{|62}", NULL},
    {"qc", "{-84}{|83}{R 64}{|83}{r 124}{85:3@quarterc}", NULL},
    {"qc/2", "{x 32:32}", NULL},
    {"qc/7", "{-84}{|83}{U 64}{85:3@quarterc}{|83}", NULL},
    {"quarter", ".B3210/.B3/.B2/.B1/.B0/.N7654/.N3210/.N6420", NULL},
    {"quarterc", ".B3210/.B3/.B2/.B1/.B0", NULL},
    {"qto", "{88:2=.E5M2x4/.E4M3x4/!/?}", NULL},
    {"q", ".E5M2x4/.E4M3x4/!/.E3M2x4/.E2M3x4/.E2M1x4/!/.E8x4", NULL},

    /* The second and the third operand of VHMNMX. */
    {"second", "$hv", NULL},
    {"second/1", "{-63}{|62}{R 32}{|62}{r 123}{60:2@half}", NULL},
    {"third", "{-84}{|83}{R 64}{|83}{r 124}{76:2@half}", NULL},
};

#define WB_VOLTA_TURING (WB_VOLTA | WB_TURING)
#define WB_AMPERE_86_ADA (WB_AMPERE_86 | WB_ADA)
#define WB_TO_AMPERE (WB_VOLTA | WB_TURING | WB_AMPERE)
#define WB_AMPERE_TO_ADA (WB_AMPERE | WB_AMPERE_86 | WB_ADA)
#define WB_TO_ADA (WB_FROM_VOLTA & ~WB_FROM_HOPPER)

static const struct wb_word_row rows[] = {
    {0x030, 0, WB_TO_AMPERE, "1237", NULL, "HADD2<78=1?.F32>$ftz$sat {R 16}, $sa, $sv"},
    {0x030, 0, WB_AMPERE_86_ADA, "1237", "78=1", "HADD2.F32$ftz$sat {R 16}, $sa32, $sv32"},
    {0x030, 0, WB_AMPERE_86_ADA, "1237", NULL, "HADD2$ftz$sat {R 16}, $sa, $sv"},
    {0x030, 0, WB_FROM_HOPPER, "1237", "78=1", "HADD2.F32$ftz$sat {R 16}, $ha32, $hv32"},
    {0x030, 0, WB_FROM_HOPPER, "1237", NULL, "HADD2$bf$ftz$sat {R 16}, $ha, $hv"},
    {0x032, 0, WB_TO_ADA, "1456", NULL, "HMUL2<78=1?.F32>$flush$sat {R 16}, $sa, $sv"},
    {0x032, 0, WB_FROM_HOPPER, "1456", NULL, "HMUL2$bf$flush$sat {R 16}, $ha, $hv"},
    {0x031, 0, WB_VOLTA_TURING, "1234567", NULL,
     "HFMA2<78=1?.F32>$flush$sat {R 16}, $sa, $sb, $sc"},
    {0x031, 0, WB_AMPERE, "1234567", NULL,
     "HFMA2$format$flush$relu$sat {R 16}, $sa, $xb, $xc$last"},
    {0x031, 0, WB_AMPERE_86_ADA, "1234567", NULL,
     "HFMA2$format$flush$relu$sat {R 16}, $sa, $yb, $yc$last"},
    {0x031, 0, WB_FROM_HOPPER, "1234567", NULL,
     "HFMA2$format{76,80=/.FMZ/.FTZ/.OOB}$relu$sat {R 16}, $ha, $hb, $hc$last"},
    {0x035, 0, WB_AMPERE_TO_ADA, "1234567", NULL,
     "HFMA2.MMA$flush$relu$sat {R 16}, $fa, $mb, $mc$last"},
    {0x035, 0, WB_HOPPER, "1234567", NULL,
     "HFMA2.MMA$bf$flush$relu$sat {R 16}, $fa, $nb, $nc$last"},
    {0x033, 0, WB_TO_ADA, "1237", NULL,
     "HSET2<71=1?.BF>{76:4@fcmp}$ftz{69:2@bop} {R 16}, $sa, $sv, $p87"},
    {0x033, 0, WB_FROM_HOPPER, "1237", NULL,
     "HSET2$compare<71=1?.BF>{76:4@fcmp}$ftz{69:2@bop} {R 16}, $ha, $cv, $p87"},
    {0x034, 0, WB_TO_ADA, "1237", NULL,
     "HSETP2{76:4@fcmp}<71=1?.H_AND>$ftz{69:2@bop} $p81, $p84, $sa, $sv, $p87"},
    {0x034, 0, WB_FROM_HOPPER, "1237", NULL,
     "HSETP2$compare{76:4@fcmp}<71=1?.H_AND>$ftz{69:2@bop} $p81, $p84, $ha, $cv, $p87"},
    {0x040, 0, WB_AMPERE, "1456", NULL, "HMNMX2$format$ftz<81=1?.NAN> {R 16}, $sa, $xv, $p87"},
    {0x040, 0, WB_AMPERE_86_ADA, "1456", NULL,
     "HMNMX2$format$ftz<81=1?.NAN><82=1?.XORSIGN> {R 16}, $sa, $xv, $p87"},
    {0x040, 0, WB_FROM_HOPPER, "1456", NULL,
     "HMNMX2$bf$ftz<81=1?.NAN><82=1?.XORSIGN>$isa, $ha, $hv, $p87"},
    {0x047, 0, WB_HOPPER | WB_BLACKWELL, "1456", NULL,
     "VHMNMX$bf$ftz<81=1?.NAN><82=1?.XORSIGN> {R 16}, $ha, $second, $third, $p87"},

    {0x07d, 0, WB_BLACKWELL, "127", NULL, "QADD4$qto{77:3@q}<90=1?.SATFINITE> {R 16}, $qa, $qc"},
    {0x07c, 0, WB_BLACKWELL, "146", NULL,
     "QMUL4$qto{77:3@q}{80:3@q}<90=1?.SATFINITE> {R 16}, $qa, $qb"},
    {0x07b, 0, WB_BLACKWELL, "12467", NULL,
     "QFMA4$qto{77:3@q}{80:3@q}<90=1?.SATFINITE> {R 16}, $qa, $qb, $qc"},
};

const struct wb_word_table wb_words128_half = {rows, ROW_COUNT, texts, TEXT_COUNT};
