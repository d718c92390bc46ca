/* Words of 128 bits (Volta and later): integer arithmetic, logic, shifts, moves and selections of
 * general registers. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* The sign before an operand: with .X (bit 74) the complement instead of the negative. */
#define MINUS_OR_NOT(BIT) "<74=0?{-" BIT "}><74=1?{~" BIT "}>"

/* Factors that are powers of two; not 1, the highest, nor 0x10000. */
#define SHIFT(FACTOR) "<32:32=" #FACTOR "?.SHL>"
#define SHIFT_4(A, B, C, D) SHIFT(A) SHIFT(B) SHIFT(C) SHIFT(D)
#define SHIFTS                                                                                     \
  SHIFT_4(2, 4, 8, 16)                                                                             \
  SHIFT_4(32, 64, 128, 256)                                                                        \
  SHIFT_4(512, 1024, 2048, 4096)                                                                   \
  SHIFT_4(8192, 16384, 32768, 131072)                                                              \
  SHIFT_4(262144, 524288, 1048576, 2097152)                                                        \
  SHIFT_4(4194304, 8388608, 16777216, 33554432)                                                    \
  SHIFT_4(67108864, 134217728, 268435456, 536870912) SHIFT(1073741824)

static const struct wb_word_text texts[] = {
    /* Operands whose immediates are signed. */
    WB_AT_32("sv", "", "", "{s 32:32}"),
    {"sb/1", "{R 32}{r 123}", NULL},
    WB_B_AND_C("s", "", ""),

    /* Operands of sums: a minus sign, or ~ where there is a carry. */
    {"xa", MINUS_OR_NOT("72") "{R 24}{r 122}", NULL},
    WB_AT_32("xv", MINUS_OR_NOT("63"), "", "{s 32:32}"),
    {"xb/1", MINUS_OR_NOT("63") "{R 32}{r 123}", NULL},
    WB_B_AND_C("x", MINUS_OR_NOT("75"), ""),
    WB_AT_32("yv", MINUS_OR_NOT("63"), "", "{x 32:32}"),
    {"yb", "$yv", NULL},
    {"yb/1", MINUS_OR_NOT("63") "{R 32}{r 123}", NULL},

    /* Operands without .reuse; of what counts bits, ~ counts zeros. */
    {"wv", "$v", NULL},
    {"wv/1", "{R 32}", NULL},
    {"tv", "$v", NULL},
    {"tv/1", "{~63}{R 32}", NULL},
    {"tv/5", "{~63}$constant", NULL},
    {"tv/6", "{~63}{U 32}", NULL},

    /* Registers whose signs are taken; the constant is set off. */
    {"gv/1", "{R 32}{r 123}", NULL},
    {"gv/5", "$spaced", NULL},
    {"gv/6", "{U 32}", NULL},

    /* Results and carries. */
    {"carries", "<81:3!=7?{P 81}, ><84:3!=7?{P 84}, >", NULL},
    {"both", "<81:3!=7?{P 81}, <84:3!=7?{P 84}><84:3=7?\?\?\?7>, >", NULL},
    {"carry", "<81:3!=7?{P 81}, >", NULL},
    {"p77", "{!80}{P 77}", NULL},
    {"p68", "{!71}{P 68}", NULL},

    {"u32", "<73=0?.U32>", NULL},
    {"sizes", "{73,80=.U32//.U64/.S64}", NULL},
    {"byte", "{76:2=/.B1/.B2/.B3}", NULL},
    {"compare", ".F/.LT/.EQ/.LE/.GT/.NE/.GE/.T", NULL},
    {"combine", ".AND/.OR/.XOR", NULL},
    {"lanes", ".U32//.U16x2/.S16x2", NULL},
    {"lanes120", ".U32/.S32/.U16x2/.S16x2/.U8x4/.S8x4", NULL},
    {"shift", "{76=.L/.R}{75=/.W}{73:2=.S64/.U64/.S32/.U32}{80=/.HI}", NULL},
    {"permute", "/.F4E/.B4E/.RC8/.ECL/.ECR/.RC16", NULL},
    {"dot", "{76=.4A/.2A}<76=1?{77=.LO/.HI}>.{73=U/S}{76=8/16}.{74=U8/S8}", NULL},
    /* Products that are something simpler are named for it. */
    {"imad", "$u32 {R 16}, $ra, $sb, $xc", NULL},
    {"shl", SHIFTS, NULL},

    {"lea", "{74=/.X}<73=1?.SX32>", NULL},
    {"leacarry", "{x 75:5}<74=1?, $p87>", NULL},
};

#define VOLTA_TO_ADA (WB_FROM_VOLTA & ~WB_FROM_HOPPER)
#define VOLTA_TO_HOPPER (WB_FROM_VOLTA & ~WB_FROM_BLACKWELL)
#define TURING_TO_ADA (WB_FROM_TURING & ~WB_FROM_HOPPER)
#define UP_TO_BLACKWELL (WB_FROM_VOLTA & ~WB_BLACKWELL_120)
#define HOPPER_BLACKWELL (WB_HOPPER | WB_BLACKWELL)
#define BLACKWELL_XOR (WB_BLACKWELL & ~WB_BLACKWELL_101) /* where there are sums without carry */

static const struct wb_word_row rows[] = {
    /* Moves and selections. */
    {0x402, 0, WB_BLACKWELL_120, NULL, NULL, "MOV.64 {R 16}, {x 24:64}"},
    {0x002, 0, WB_BLACKWELL_120, "16", "80=1", "MOV.64 {R 16}, $v"},
    {0xc02, 0, WB_FROM_BLACKWELL, NULL, "88=1", "MOV.SPILL {R 16}, {U 32}"},
    {0x002, 0, WB_FROM_VOLTA, "1456", NULL, "MOV {R 16}, $v<72:4!=15?, {x 72:4}>"},
    {0x554, 0, WB_BLACKWELL_120, NULL, NULL, "MOV64IUR {R 16}, {x 24:64}"},
    {0xf54, 0, WB_BLACKWELL_120, NULL, NULL, "MOV64IUR {R 16}, {U 32}"},
    {0x407, 0, WB_BLACKWELL_120, NULL, NULL, "SEL.64 {R 16}, $ra, {s 32:33}, $p87"},
    {0x607, 0, WB_BLACKWELL_120, NULL, NULL, "SEL.64 {R 16}, $ra, {R 32}{r 123}, $p87"},
    {0xe07, 0, WB_BLACKWELL_120, NULL, NULL, "SEL.64 {R 16}, $ra, {U 32}, $p87"},
    {0x007, 0, WB_FROM_VOLTA, "1456", NULL, "SEL {R 16}, $ra, $v, $p87"},
    {0x003, 0, VOLTA_TO_ADA, "1456", NULL, "P2R$byte {R 16}, PR, $ra, $sv"},
    {0x003, 0, WB_FROM_HOPPER, "1456", NULL, "P2R$byte {R 16}, PR, $ra, $v"},
    {0x804, 0, WB_FROM_VOLTA, NULL, "32:32=255", "R2P PR, $ra$byte"},
    {0x004, 0, WB_FROM_VOLTA, "1456", NULL, "R2P PR, $ra$byte, $v"},
    {0x3c2, 0, TURING_TO_ADA, NULL, "84=1", "R2UR.OR {P 81}, {U 16}, {R 24}"},
    {0x3c2, 0, TURING_TO_ADA, NULL, NULL, "R2UR $carry{U 16}, {R 24}"},
    {0x2ca, 0, WB_HOPPER, NULL, "84=1", "R2UR.OR {P 81}, {U 16}, $ra"},
    {0x2ca, 0, WB_HOPPER, NULL, NULL, "R2UR $carry{U 16}, $ra"},
    {0x2ca, 0, WB_FROM_BLACKWELL, NULL, "84=1",
     "R2UR.OR{86:2=/.FILL/.BROADCAST/!} {P 81}, {U 16}, $ra"},
    {0x2ca, 0, WB_FROM_BLACKWELL, NULL, NULL, "R2UR{86:2=/.FILL/.BROADCAST/!} $carry{U 16}, $ra"},

    /* Sums. */
    {0x010, 0, VOLTA_TO_HOPPER, "1456", NULL,
     "IADD3{74=/.X} {R 16}, $carries$xa, $xb, $xc<74=1?, $p87, $p77>"},
    {0x010, 0, BLACKWELL_XOR, "146", "76=1",
     "IADD{74=/.X}.XOR {R 16}, {P 81}, $xa, $xb, $c<74=1?, $p87>"},
    {0x010, 0, WB_FROM_BLACKWELL, "146", NULL,
     "IADD3{74=/.X} {R 16}, {P 81}, {P 84}, $xa, $xb, $xc<74=1?, $p87, $p77>"},
    {0x035, 0, WB_BLACKWELL_120, "146", NULL,
     "IADD{73=/.64}{74=/.X} {R 16}, $carry$xa, $xv<74=1?, $p87>"},
    {0x036, 0, HOPPER_BLACKWELL, "1456", NULL, "VIADD{73=/.16x2} {R 16}, $ra, $nv"},
    {0x036, 0, WB_BLACKWELL_120, "146", NULL,
     "VIADD{73:3=.32/.16x2/.S32/.S16x2/.U8x4/.S8x4/?}{80=/.ISAT} {R 16}, $na, $nv"},
    {0x411, 0, WB_FROM_VOLTA, NULL, NULL,
     "LEA{80=.???0/.HI}{74=/.X} {R 16}, $carry$xa, {R 64}" WB_REUSE ", {x 32:32}, $leacarry"},
    {0x011, 0, WB_FROM_VOLTA, "1456", "80=1",
     "LEA.HI$lea {R 16}, $carry$xa, <73=0?$yb, $c><73=1?$yv>, $leacarry"},
    {0x011, 0, WB_FROM_VOLTA, "1456", NULL, "LEA$lea {R 16}, $carry$xa, $yv, $leacarry"},
    {0x014, 0, UP_TO_BLACKWELL, "1234567", NULL, "VABSDIFF$u32 {R 16}, $carry$ra, $b, $c"},
    {0x015, 0, UP_TO_BLACKWELL, "1234567", NULL,
     "VABSDIFF4<73=0?.U8>{75=/.ACC} {R 16}, $carry$ra, $b, $c"},
    {0x013, 0, WB_FROM_VOLTA, "1456", NULL, "IABS {R 16}, $sv"},

    /* Products. */
    {0x024, 0, BLACKWELL_XOR, "12467", "76=1", "IMUL.XOR$u32 {R 16}, $ra, $sb, $sc"},
    {0x024, 0, WB_FROM_VOLTA, "12345", "91=0&74=0&24:8=255", "IMAD.MOV$imad"},
    {0x024, 0, WB_FROM_VOLTA, "1", "74=0&32:8=255", "IMAD.MOV$imad"},
    {0x024, 0, WB_FROM_VOLTA, "23", "91=0&74=0&64:8=255", "IMAD.MOV$imad"},
    {0x024, 0, WB_FROM_VOLTA, "4", "74=0&32:32=0", "IMAD.MOV$imad"},
    {0x024, 0, WB_FROM_VOLTA, "4", "74=0&32:32=1&64:8=255", "IMAD.MOV$imad"},
    {0x024, 0, WB_FROM_VOLTA, "4", "74=0&32:32=1", "IMAD.IADD$imad"},
    {0x024, 0, WB_FROM_VOLTA, "4", "74=0&64:8=255", "IMAD$shl$imad"},
    {0x024, 0, WB_FROM_VOLTA, "1234567", NULL,
     "IMAD$u32{74=/.X} {R 16}, $ra, $sb, $xc<74=1?, $p87>"},
    {0x025, 0, BLACKWELL_XOR, "12467", "76=1", "IMUL.WIDE.XOR$u32 {R 16}, $ra, $sb, $sc"},
    {0x025, 0, WB_FROM_VOLTA, "1234567", NULL,
     "IMAD.WIDE$u32{74=/.X} {R 16}, $carry$ra, $sb, $xc<74=1?, $p87>"},
    {0x027, 0, WB_FROM_VOLTA, "1234567", NULL,
     "IMAD.HI$u32{74=/.X} {R 16}, $carry$ra, $sb, $xc<74=1?, $p87>"},
    {0x026, 0, WB_VOLTA, "15", NULL, "IDP$dot {R 16}, $ra, $b, $c"},
    {0x026, 0, WB_FROM_TURING, "156", NULL, "IDP$dot {R 16}, $ra, $b, $nc"},
    {0x02c, 0, WB_FROM_AMPERE & ~WB_FROM_BLACKWELL, "13567", NULL,
     "CLMAD{77=.LO/.HI} {R 16}, $ra, $b, $c"},
    {0x22c, 0, WB_BLACKWELL_120, NULL, NULL, "CLMAD{77=.LO/.HI} {R 16}, {R 24}, {R 32}, {R 64}"},
    {0xc2c, 0, WB_BLACKWELL_120, NULL, NULL, "CLMAD{77=.LO/.HI} {R 16}, {R 24}, {U 32}, {R 64}"},
    {0xe2c, 0, WB_BLACKWELL_120, NULL, NULL, "CLMAD{77=.LO/.HI} {R 16}, {R 24}, {R 64}, {U 32}"},
    {0x02c, 0, WB_BLACKWELL, "167", NULL, "CLMAD{77=.LO/.HI} {R 16}, $ra, $b, $c"},

    /* Comparisons and extremes. */
    {0x00c, 0, WB_VOLTA | WB_TURING, "1456", NULL,
     "ISETP{76:3@compare}$u32{74:2@combine}{72=/.EX} {P 81}, {P 84}, $ra, $sv, $p87<68:4!=7?, "
     "$p68>"},
    {0x00c, 0, WB_FROM_AMPERE & ~WB_BLACKWELL_120, "1456", NULL,
     "ISETP{76:3@compare}$u32{74:2@combine}{72=/.EX} {P 81}, {P 84}, $ra, $sv, $p87<72=1?, $p68>"},
    {0x00c, 0, WB_BLACKWELL_120, "146", NULL,
     "ISETP{76:3@compare}$sizes{74:2@combine}{72=/.EX} {P 81}, {P 84}, $ra, $sv, $p87<72=1?, "
     "$p68>"},
    {0x017, 0, WB_FROM_VOLTA & ~WB_BLACKWELL_120, "1456", NULL, "IMNMX$u32 {R 16}, $ra, $sv, $p87"},
    {0x017, 0, WB_BLACKWELL_120, "146", NULL,
     "IMNMX{73:2=.U32//.U64/.S64} {P 81}, {P 84}, {R 16}, $ra, $sv, $p87, $p77"},
    {0x048, 0, WB_HOPPER, "1456", NULL,
     "VIMNMX{72:2@lanes}{76=/.RELU} {R 16}, $both$ra, $sv, $p87"},
    {0x048, 0, WB_BLACKWELL, "146", NULL,
     "VIMNMX{72:2@lanes}{76=/.RELU} {R 16}, {P 81}, {P 84}, $ra, $sv, $p87"},
    {0x048, 0, WB_BLACKWELL_120, "146", NULL,
     "VIMNMX{72:3@lanes120}{76=/.RELU} {R 16}, $ra, $sv, $p87"},
    {0x00f, 0, HOPPER_BLACKWELL, "1456", NULL,
     "VIMNMX3{72:2@lanes}{76=/.RELU} {R 16}, $ra, $b, $c, $p87"},
    {0x046, 0, HOPPER_BLACKWELL, "1234567", NULL,
     "VIADDMNMX{72:2@lanes}{76=/.RELU} {R 16}, $ra, $nb, $c, $p87"},

    /* Logic, shifts and bits. */
    {0x012, 0, WB_FROM_VOLTA, "1456", NULL,
     "LOP3.LUT{80=/.PAND} $carry{R 16}, $ra, $b, $c, {x 72:8}, $p87"},
    {0x016, 0, WB_FROM_VOLTA, "1234567", NULL, "PRMT{72:3@permute} {R 16}, $ra, $b, $c"},
    {0x019, 0, BLACKWELL_XOR, "12467", "77=1", "SHF.XOR$shift {R 16}, $ra, $b, $c"},
    {0x019, 0, WB_FROM_VOLTA, "1234567", NULL, "SHF$shift {R 16}, $ra, $b, $c"},
    {0x01a, 0, WB_FROM_VOLTA, "1456", NULL, "SGXT{75=/.W}$u32 {R 16}, $ra, $v"},
    {0x01b, 0, WB_FROM_VOLTA, "1456", NULL, "BMSK{75=/.W} {R 16}, $ra, $v"},
    {0x100, 0, WB_FROM_VOLTA, "1456", NULL, "FLO$u32{74=/.SH} {R 16}, $carry$tv"},
    {0x101, 0, WB_FROM_VOLTA, "1456", NULL, "BREV {R 16}, $wv"},
    {0x109, 0, WB_FROM_VOLTA, "1456", NULL, "POPC {R 16}, $tv"},

    /* Logic of predicates, and of the signs of registers. */
    {0x81c, 0, WB_VOLTA, NULL, NULL,
     "PLOP3.LUT {P 81}, {P 84}, $p87, $p77, $p68, {x 64:3,72:5}, {x 16:8}"},
    {0x81c, 0, WB_FROM_TURING, NULL, NULL,
     "PLOP3.LUT {P 81}, {P 84}, $p87, $p77, {!71}<67=0?{P 68}><67=1?{UP 68}>, {x 64:3,72:5}, {x "
     "16:8}"},
    {0x01d, 0, WB_FROM_VOLTA, "156", NULL,
     "PLOP3.LUT {P 81}, {P 84}, $p87, $gv.SIGN, $p68, {x 72:8}, {x 16:8}"},
    {0x01e, 0, WB_FROM_VOLTA, "156", NULL,
     "PLOP3.LUT {P 81}, {P 84}, $p87, $gv.SIGN, $c.SIGN, {x 72:8}, {x 16:8}"},
    {0x01f, 0, WB_FROM_VOLTA, "156", NULL,
     "PLOP3.LUT {P 81}, {P 84}, $ra.SIGN, $gv.SIGN, $c.SIGN, {x 72:8}, {x 16:8}"},
};

const struct wb_word_table wb_words128_integer = {rows, ROW_COUNT, texts, TEXT_COUNT};
