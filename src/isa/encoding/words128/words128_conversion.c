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

    {"sv", "$v", NULL},
    {"sv/4", "{s 32:32}", NULL},
    {"sb", "$b", NULL},
    {"sb/4", "{s 32:32}", NULL},

    /* Packed into 8, 16, 2 and 4 bits: where the result goes. */
    {"part", "/.H1/.???2/.???3//.H1/.???2/.???3/.???0/.???1/.???2/.28/.???0/.???1/.24/.???3", UNNAMED},
    {"packed", ".U8/.S8/.U16/.S16/.U2/.S2/.U4/.S4", NULL},

    /* Floats without signs; constants of the last operand are printed with a space. */
    {"gb", "$b", NULL},
    {"gb/4", "{f 32:32}", NULL},
    {"gc", "$c", NULL},
    {"gc/2", "{f 32:32}", NULL},
    {"gc/3", "$spaced", NULL},
};

#define WB_TO_ADA (WB_FROM_VOLTA & ~WB_FROM_HOPPER)
#define WB_VOLTA_TURING (WB_VOLTA | WB_TURING)
#define WB_TURING_AMPERE (WB_TURING | WB_AMPERE)
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

    {0x038, 0, WB_FROM_TURING, "1456", NULL, "I2I{76:2=.U8/.S8/.U16/.S16}.S32.SAT {R 16}, $sv"},
    {0x039, 0, WB_TURING_AMPERE, "1456", NULL,
     "I2IP{76:3@packed}.S32.SAT {R 16}, $ra, $sb, $c{72:2,77:2@part}"},
    {0x039, 0, WB_AMPERE_86_ADA, "1456", NULL,
     "I2IP{76:3@packed}.S32{74:2=.SAT//.SATRELU/?} {R 16}, $ra, $sb, $c{72:2,77:2@part}"},
    {0x039, 0, WB_FROM_HOPPER, "1456", NULL,
     "I2IP{76:3@packed}.S32{74:2=/.SAT/.SATRELU/?} {R 16}, $ra, $sb, $c{72:2,77:2@part}"},
    {0x043, 0, WB_FROM_AMPERE_86, "1234567", NULL,
     "F2IP{76:2=.U8/.S8/?}.F32{78:2=/?/?/.TRUNC}<74=1?.NTZ><75=1?.RELU> {R 16}, $ra, $gb, "
     "$gc<72=1?.H1>"},
};

const struct wb_word_table wb_words128_conversion = {rows, ROW_COUNT, texts, TEXT_COUNT};
