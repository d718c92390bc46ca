/* Words of 128 bits (Volta and later): the uniform datapath. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* The sign before an operand: with .X (bit 74) the complement instead of the negative. */
#define MINUS_OR_NOT(BIT) "<74=0?{-" BIT "}><74=1?{~" BIT "}>"

/* What is at bit 32, as in words128.h but uniform: the names begin with PREFIX. B is there but in
 * form 2, where C is. */
#define AT_32(PREFIX, SIGNS, BARS, IMMEDIATE)                                                      \
  {PREFIX "v", SIGNS "{U 32}" BARS, NULL}, {PREFIX "v/2", IMMEDIATE, NULL},                        \
  {                                                                                                \
    PREFIX "v/4", IMMEDIATE, NULL                                                                  \
  }

#define B_AND_C(PREFIX, SIGNS, BARS)                                                               \
  {PREFIX "b", "$" PREFIX "v", NULL}, {PREFIX "b/2", SIGNS "{U 64}" BARS, NULL},                   \
      {PREFIX "c", SIGNS "{U 64}" BARS, NULL},                                                     \
  {                                                                                                \
    PREFIX "c/2", "$" PREFIX "v", NULL                                                             \
  }

static const struct wb_word_text texts[] = {
    /* Operands: plain; with signed immediates; of sums; with a minus; of what counts bits; of
     * single precision. */
    {"ua", "{U 24}", NULL},
    AT_32("u", "", "", "{x 32:32}"),
    B_AND_C("u", "", ""),
    AT_32("us", "", "", "{s 32:32}"),
    B_AND_C("us", "", ""),
    {"uxa", MINUS_OR_NOT("72") "{U 24}", NULL},
    AT_32("ux", MINUS_OR_NOT("63"), "", "{s 32:32}"),
    B_AND_C("ux", MINUS_OR_NOT("75"), ""),
    AT_32("uy", MINUS_OR_NOT("63"), "", "{x 32:32}"),
    AT_32("un", "{-63}", "", "{x 32:32}"),
    AT_32("ut", "{~63}", "", "{x 32:32}"),
    {"ufa", "{-72}{|73}{U 24}{|73}", NULL},
    AT_32("uf", "{-63}{|62}", "{|62}", "{f 32:32}"),
    B_AND_C("uf", "{-75}{|74}", "{|74}"),
    AT_32("ug", "", "", "{f 32:32}"),
    B_AND_C("ug", "", ""),

    /* Predicates: set where they are not UPT, read. */
    {"carries", "<81:3!=7?{UP 81}, ><84:3!=7?{UP 84}, >", NULL},
    {"carry", "<81:3!=7?{UP 81}, >", NULL},
    {"set", "{UP 81}, {UP 84}", NULL},
    {"up87", "{!90}{UP 87}", NULL},
    {"up77", "{!80}{UP 77}", NULL},
    {"up68", "{!71}{UP 68}", NULL},

    {"u32", "<73=0?.U32>", NULL},
    {"sizes", "{73,80=.U32//.U64/.S64}", NULL},
    {"vote", "{72:2=.ALL/.ANY/.EQ/?}", NULL},
    {"byte", "{76:2=/.B1/.B2/.B3}", NULL},
    {"compare", ".F/.LT/.EQ/.LE/.GT/.NE/.GE/.T", NULL},
    {"lanes", ".U32/.S32/.U16x2/.S16x2/.U8x4/.S8x4", NULL},
    {"shift", "{76=.L/.R}{75=/.W}{73:2=.S64/.U64/.S32/.U32}{80=/.HI}", NULL},

    {"lea", "{74=/.X}<73=1?.SX32>", NULL},
    {"leacarry", "{x 75:5}<74=1?, $up87>", NULL},
    {"mul", "$u32{74=/.X} {U 16}, ", NULL},
    {"operands", "$ua, $usb, $uxc<74=1?, $up87>", NULL},

    {"ftz", "<80=1?.FTZ>", NULL},
    {"sat", "<77=1?.SAT>", NULL},
    {"round", "{78:2=/.RM/.RP/.RZ}", NULL},
    {"integral", "{78:2=/.FLOOR/.CEIL/.TRUNC}", NULL},
    {"flush", "{76,80=/.FMZ/.FTZ/?}", NULL},
    {"scale", "{84:3=?/.D8/.D4/.D2//.M2/.M4/.M8}", NULL},

    /* Conversions: formats, and the number at bit 32 of the format at bit 84. */
    {"integer", ".U8/.S8/.U16/.S16/.U32/", ".\?\?\?%u"},
    {"float", ".\?\?\?0/.F16//.\?\?\?3/.BF16", ".\?\?\?%u"},
    {"source", "{-63}{|62}{U 32}<84:3!=2?{60:2=/.H1/?}>{|62}", NULL},
    {"source/4", "<84:3=1?{h 32:16}><84:3=2?{f 32:32}><84:3=4?{f 32:16<<16}>", NULL},
    {"whole", "{U 32}<84:2=0?{60:2=/.B1/.B2/.B3}><84:2=1?{60:2=/.H1/?}>", NULL},
    {"whole/4", "$fromint", NULL},
    {"packing", ".\?\?\?0/.\?\?\?1/.\?\?\?2/.\?\?\?3/.\?\?\?4/.\?\?\?5/.\?\?\?6/.\?\?\?7/.\?\?\?8/",
     ".\?\?\?%u"},
    {"format", "{75:3@formats}", NULL},
    {"formats", ".BF16/.F16/.\?\?\?2/.TF32/.E5M2/.E4M3", ".\?\?\?%u"},
    {"from", "{84:2=.E5M2/.E4M3/.F32/.F16}", NULL},
    {"rounding", "{79:3@rounded}", NULL},
    {"rounded", "/.\?\?\?1/.\?\?\?2/.RZ", ".\?\?\?%u"},
    {"unrounded", "{79:3@notrounded}", NULL},
    {"notrounded", "", ".\?\?\?%u"},
    {"fromint", "{U 32}", NULL},
    {"fromint/4", "<74=0?{x 32:32}><74=1?{s 32:32}>", NULL},
    {"packed", ".U8/.S8/.U16/.S16/.U2/.S2/.U4/.S4", NULL},
    {"part",
     "/.H1/.\?\?\?2/.\?\?\?3//.H1/.\?\?\?2/.\?\?\?3/.\?\?\?0/.\?\?\?1/.\?\?\?2/.28/.\?\?\?0/"
     ".\?\?\?1/.24/.\?\?\?3",
     NULL},

    /* Loads of constants: sizes, addresses from a uniform register or without one. */
    {"size75", "{73:3=.U8/.S8/.U16/.S16//.64/?}", NULL},
    {"size100", "{73:3=.U8/.S8/.U16/.S16//.64/.128/?}", NULL},
    {"bank", "c[{x 54:5}]", NULL},
    {"at100", "<24:8!=255?{U 24}{o 37:17}><24:8=255&37:17!=0?{s 37:17}><24:8=255&37:17=0?URZ>",
     NULL},
    {"far100", "<24:8!=255?{U 24}{o 38:32}><24:8=255&38:32!=0?{s 38:32}><24:8=255&38:32=0?URZ>",
     NULL},
    {"at120", "<64:8!=255?{U 64}{o 37:17}><64:8=255&37:17!=0?{s 37:17}><64:8=255&37:17=0?URZ>",
     NULL},
    {"at100none", "<64:8!=255?$none64{o 37:17}><64:8=255&37:17!=0?{s 37:17}><64:8=255&37:17=0?URZ>",
     NULL},
    {"none64", "\?\?\?{i 64:8}", NULL},
    {"none", "<32:8!=255?\?\?\?{i 32:8}><32:8=255?URZ>", NULL},
    {"at24", "<24:8!=255?{U 24}{o 40:24}><24:8=255&40:24!=0?{s 40:24}><24:8=255&40:24=0?URZ>",
     NULL},
    {"unpack", "{80:2=/.TEXUNPACK/.HDRUNPACK/?}", NULL},
    {"wide256", "LDCU.256 {U 72}, {U 16}, ", NULL},
    {"mask256", "<32:4,80:4!=255?, {x 32:4,80:4}>", NULL},

    /* Two slots, one behind the other. */
    {"slots",
     "<24:8!=255?[{U 24}], [<24:8=254????255><24:8!=254?{U 24+1}>]><24:8=255?[\?\?\?255], "
     "[\?\?\?255]>",
     NULL},

    {"evict", "{83:2=.EFL2//.ELL2/?}", NULL},
    {"scope", "{77:4=!/!/!/!/!/!/!/.STRONG.GPU/.MMIO.GPU/!/.STRONG.SYS/!/.MMIO.SYS/!}", NULL},
};

#define TURING_TO_HOPPER (WB_FROM_TURING & ~WB_FROM_BLACKWELL)
#define TURING_TO_ADA (WB_FROM_TURING & ~WB_FROM_HOPPER)
#define AMPERE_TO_ADA (TURING_TO_ADA & ~WB_TURING)
#define UP_TO_BLACKWELL (WB_FROM_TURING & ~WB_BLACKWELL_120)

/* Two floats packed into one register, or one with what C holds. */
#define FORMAT_86 "{75,76,84,85@packing}"
#define UF2FP(FORMS, WHERE, TEXT)                                                                  \
  {                                                                                                \
    0x0ba, 0, UP_TO_BLACKWELL & ~WB_TURING & ~WB_AMPERE, FORMS, WHERE, "^UF2FP" TEXT               \
  }
#define HEAD_120 "{82=/.SATFINITE}{74=/.RELU}$format$from"
#define UF2FP_120(FORMS, WHERE, TEXT)                                                              \
  {                                                                                                \
    0x0ba, 0, WB_BLACKWELL_120, FORMS, WHERE, "^UF2FP" TEXT                                        \
  }

static const struct wb_word_row rows[] = {
    /* Moves and selections. */
    {0x882, 0, WB_FROM_TURING, NULL, NULL, "^UMOV {U 16}, {x 32:32}"},
    {0x482, 0, WB_BLACKWELL_120, NULL, NULL, "^UMOV.64 {U 16}, {x 24:64}"},
    {0xc82, 0, WB_BLACKWELL_120, NULL, "80=1", "^UMOV.64 {U 16}, {U 32}"},
    {0xc82, 0, WB_FROM_TURING, NULL, NULL, "^UMOV {U 16}, {U 32}"},
    {0x087, 0, WB_FROM_TURING, "14", NULL, "^USEL {U 16}, $ua, $uv, $up87"},
    {0x487, 0, WB_BLACKWELL_120, NULL, NULL, "^USEL.64 {U 16}, $ua, {s 32:33}, $up87"},
    {0xc87, 0, WB_BLACKWELL_120, NULL, NULL, "^USEL.64 {U 16}, $ua, {U 32}, $up87"},
    {0x083, 0, WB_FROM_TURING, "46", NULL, "^UP2UR$byte {U 16}, UPR, $ua, $uv"},
    {0x884, 0, WB_FROM_TURING, NULL, "32:32=255", "^UR2UP UPR, $ua$byte"},
    {0x084, 0, WB_FROM_TURING, "46", NULL, "^UR2UP UPR, $ua$byte, $uv"},
    {0x886, 0, TURING_TO_HOPPER, NULL, NULL, "VOTEU$vote <16:6!=63?{U 16}, >{UP 81}, {!90}{P 87}"},
    {0x886, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "VOTEU$vote <16:8!=255?{U 16}, >{UP 81}, {!90}{P 87}"},
    {0x805, 0, WB_VOLTA, NULL, NULL, "CS2R<80=0?.32> {R 16}, {72:8@special70}"},
    {0x805, 0, WB_TURING, NULL, NULL, "CS2R<80=0?.32> {R 16}, {72:8@special75}"},
    {0x805, 0, AMPERE_TO_ADA, NULL, NULL, "CS2R<80=0?.32> {R 16}, {72:8@special80}"},
    {0x805, 0, WB_HOPPER, NULL, NULL, "CS2R<80=0?.32> {R 16}, {72:8@special90}"},
    {0x805, 0, WB_BLACKWELL, NULL, NULL, "CS2R<80=0?.32> {R 16}, {72:8@special100}"},
    {0x805, 0, WB_BLACKWELL_120, NULL, NULL, "CS2R<80=0?.32> {R 16}, {72:8@special120}"},
    {0x9c3, 0, WB_TURING, NULL, NULL, "^S2UR {U 16}, {72:8@special75}"},
    {0x9c3, 0, AMPERE_TO_ADA, NULL, NULL, "^S2UR {U 16}, {72:8@special80}"},
    {0x9c3, 0, WB_HOPPER, NULL, NULL, "^S2UR {U 16}, {72:8@special90}"},
    {0x9c3, 0, WB_BLACKWELL, NULL, NULL, "^S2UR {U 16}, {72:8@special100}"},
    {0x9c3, 0, WB_BLACKWELL_120, NULL, NULL, "^S2UR {U 16}, {72:8@special120}"},
    {0x8cb, 0, WB_BLACKWELL_120, NULL, NULL, "^CS2UR<80=0?.32> {U 16}, {72:8@special120}"},

    /* Loads of constants. */
    {0xab9, 0, TURING_TO_HOPPER, NULL, "91=1", "^ULDC$size75 {U 16}, cx[$ua][{x 38:16}]"},
    {0xab9, 0, TURING_TO_HOPPER, NULL, NULL, "^ULDC$size75 {U 16}, $bank[{s 38:16}]"},
    {0xabb, 0, TURING_TO_HOPPER, NULL, NULL, "^ULDC$size75 {U 16}, $bank[$ua{o 38:16}]"},
    {0x8b8, 0, TURING_TO_HOPPER, NULL, "24:6=63", "^ULDC$size75 {U 16}, [{x 38:32}]"},
    {0x8b8, 0, TURING_TO_HOPPER, NULL, NULL, "^ULDC$size75 {U 16}, [$ua{o 38:32}], $up87"},
    {0x7ac, 0, WB_BLACKWELL, NULL, NULL, "^LDCU$size100<80=1?.TEXUNPACK> {U 16}, $bank[$at100]"},
    {0x7ac, 0, WB_BLACKWELL_120, NULL, NULL, "^LDCU$size100$unpack {U 16}, $bank[$at100]"},
    {0x9ac, 0, WB_BLACKWELL, NULL, NULL, "^LDCU$size100<80=1?.TEXUNPACK> {U 16}, [$far100], $up87"},
    {0x9ac, 0, WB_BLACKWELL_120, NULL, NULL, "^LDCU$size100$unpack {U 16}, [$far100], $up87"},
    {0xbac, 0, WB_BLACKWELL, NULL, NULL,
     "^LDCU$size100<80=1?.TEXUNPACK> {U 16}, cx[$ua][$at100none]"},
    {0xbac, 0, WB_BLACKWELL_120, NULL, NULL, "^LDCU$size100$unpack {U 16}, cx[$ua][$at120]"},
    {0x3ac, 0, WB_BLACKWELL_120, NULL, NULL, "^$wide256[$far100]$mask256, $up87"},
    {0x5ac, 0, WB_BLACKWELL_120, NULL, NULL, "^$wide256cx[$ua][$at120]$mask256"},
    {0xdac, 0, WB_BLACKWELL_120, NULL, NULL, "^$wide256$bank[$at100]$mask256"},

    /* Sums and products. */
    {0x090, 0, TURING_TO_HOPPER, "14", NULL,
     "^UIADD3{74=/.X} {U 16}, $carries$uxa, $uxb, $uxc<74=1?, $up87, $up77>"},
    {0x090, 0, WB_FROM_BLACKWELL, "14", NULL,
     "^UIADD3{74=/.X} {U 16}, $set, $uxa, $uxb, $uxc<74=1?, $up87, $up77>"},
    {0x097, 0, TURING_TO_HOPPER, "14", NULL,
     "^UIADD3.64{74=/.X} {U 16}, $carries$uxa, $uxb, $uxc<74=1?, $up87, $up77>"},
    {0x097, 0, WB_FROM_BLACKWELL, "14", NULL,
     "^UIADD3.64{74=/.X} {U 16}, $set, $uxa, $uxb, $uxc<74=1?, $up87, $up77>"},
    {0x491, 0, WB_FROM_TURING, NULL, NULL,
     "^ULEA{80=.\?\?\?0/.HI}{74=/.X} {U 16}, $carry$uxa, {U 64}, {x 32:32}, $leacarry"},
    {0x091, 0, WB_FROM_TURING, "14", "80=1",
     "^ULEA.HI$lea {U 16}, $carry$uxa, $uyv<73=0?, $uc>, $leacarry"},
    {0x091, 0, WB_FROM_TURING, "14", NULL, "^ULEA$lea {U 16}, $carry$uxa, $uyv, $leacarry"},
    {0x0bc, 0, TURING_TO_HOPPER, "6", NULL, "^UCLEA {U 16}, {UP 81}, $ua, {U 32}, {x 73:4}"},
    {0x8bc, 0, TURING_TO_HOPPER, NULL, NULL, "^UCLEA {U 16}, {UP 81}, $ua, {x 32:16}, {x 73:4}"},
    {0x0bc, 0, WB_FROM_BLACKWELL, "6", NULL, "^UCLEA {U 16}, {UP 81}, $ua, {U 32}, {x 73:5}"},
    {0x8bc, 0, WB_FROM_BLACKWELL, NULL, NULL, "^UCLEA {U 16}, {UP 81}, $ua, {x 32:16}, {x 73:5}"},
    {0x049, 0, WB_BLACKWELL_120, "14", NULL,
     "^UVIADD{73:3=.32/.16x2/.S32/.S16x2/.U8x4/.S8x4/?}{80=/.ISAT} {U 16}, {-72}$ua, $unv"},
    {0x04d, 0, WB_BLACKWELL_120, "14", NULL, "^UIABS {U 16}, $usv"},
    {0x0a4, 0, WB_FROM_TURING, "124", NULL, "^UIMAD$mul$operands"},
    {0x0a5, 0, WB_FROM_TURING, "124", NULL, "^UIMAD.WIDE$mul$carry$operands"},
    {0x0a6, 0, WB_BLACKWELL_120, "124", NULL, "^UIMAD.HI$mul$carry$operands"},

    /* Comparisons and extremes. */
    {0x08c, 0, UP_TO_BLACKWELL, "14", NULL,
     "^UISETP{76:3@compare}$u32{74:2@bop}{72=/.EX} $set, $ua, $usv, $up87<72=1?, $up68>"},
    {0x08c, 0, WB_BLACKWELL_120, "14", NULL,
     "^UISETP{76:3@compare}$sizes{74:2@bop}{72=/.EX} $set, $ua, $usv, $up87<72=1?, $up68>"},
    {0x085, 0, WB_BLACKWELL_120, "14", NULL,
     "^UIMNMX{73:2=.U32//.U64/.S64} $set, {U 16}, $ua, $usv, $up87, $up77"},
    {0x04a, 0, WB_BLACKWELL_120, "14", NULL,
     "^UVIMNMX{72:3@lanes}{76=/.RELU} {U 16}, $ua, $usv, $up87"},

    /* Logic, shifts and bits. */
    {0x092, 0, WB_FROM_TURING, "14", NULL,
     "^ULOP3.LUT{80=/.PAND} $carry{U 16}, $ua, $uv, $uc, {x 72:8}, $up87"},
    {0x096, 0, WB_FROM_TURING, "14", NULL, "^UPRMT<72=1?.\?\?\?1> {U 16}, $ua, $uv, $uc"},
    {0x099, 0, WB_FROM_TURING, "124", NULL, "^USHF$shift {U 16}, $ua, $ub, $uc"},
    {0x09a, 0, WB_FROM_TURING, "14", NULL, "^USGXT{75=/.W}$u32 {U 16}, $ua, $uv"},
    {0x09b, 0, WB_FROM_TURING, "14", NULL, "^UBMSK{75=/.W} {U 16}, $ua, $uv"},
    {0x0bd, 0, WB_FROM_TURING, "14", NULL, "^UFLO$u32{74=/.SH} {U 16}, $carry$utv"},
    {0x0be, 0, WB_FROM_TURING, "14", NULL, "^UBREV {U 16}, $uv"},
    {0x0bf, 0, WB_FROM_TURING, "14", NULL, "^UPOPC {U 16}, $utv"},
    {0x89c, 0, WB_FROM_TURING, NULL, NULL,
     "^UPLOP3.LUT $set, $up87, $up77, $up68, {x 64:3,72:5}, {x 16:8}"},
    {0x29d, 0, WB_FROM_TURING, NULL, NULL,
     "^UPLOP3.LUT $set, $up87, {U 32}.SIGN, $up68, {x 72:8}, {x 16:8}"},
    {0x29e, 0, WB_FROM_TURING, NULL, NULL,
     "^UPLOP3.LUT $set, $up87, {U 32}.SIGN, {U 64}.SIGN, {x 72:8}, {x 16:8}"},
    {0x29f, 0, WB_FROM_TURING, NULL, NULL,
     "^UPLOP3.LUT $set, $ua.SIGN, {U 32}.SIGN, {U 64}.SIGN, {x 72:8}, {x 16:8}"},

    /* Single precision. */
    {0x054, 0, WB_BLACKWELL_120, "1", "81=1",
     "^UFHADD<82=1?.BF16>$round$sat {U 16}, {-72}{|73}{U 24}<83=1?.H1>{|73}, $ufc"},
    {0x054, 0, WB_BLACKWELL_120, "12", NULL, "^UFADD$ftz$round$sat {U 16}, $ufa, $ufc"},
    {0x055, 0, WB_BLACKWELL_120, "1", "81=1",
     "^UFHFMA<82=1?.BF16>$round$sat {U 16}, {-72}{|73}{U 24}<83=1?.H1>{|73}, "
     "{-63}{|62}{U 32}<84=1?.H1>{|62}, $ufc"},
    {0x055, 0, WB_BLACKWELL_120, "124", NULL, "^UFFMA$flush$round$sat {U 16}, $ufa, $ufb, $ufc"},
    {0x056, 0, WB_BLACKWELL_120, "14", NULL, "^UFMUL$flush$scale$round$sat {U 16}, $ufa, $ufv"},
    {0x050, 0, WB_BLACKWELL_120, "14", NULL,
     "^UFMNMX$ftz{81=/.NAN}{82=/.XORSIGN}<65=1?.IS_A> {U 16}<65=1?, {UP 66}>, $ufa, $ufv, $up87"},
    {0x051, 0, WB_BLACKWELL_120, "14", NULL, "^UFSEL$ftz {U 16}, $ufa, $ufv, $up87"},
    {0x052, 0, WB_BLACKWELL_120, "14", NULL,
     "^UFSET.BF{76:4@fcmp}$ftz{74:2@bop} {U 16}, $ufa, $ufv, $up87"},
    {0x053, 0, WB_BLACKWELL_120, "14", NULL,
     "^UFSETP{76:4@fcmp}$ftz{74:2@bop} $set, $ufa, $ufv, $up87"},

    /* Conversions. */
    {0x05b, 0, WB_BLACKWELL_120, "14", NULL,
     "^UF2F$ftz{75:3=!/.F16/.F32/!/.BF16/!}{84:3=!/.F16/.F32/!/.BF16/!}$round {U 16}, $source"},
    {0x05c, 0, WB_BLACKWELL_120, "14", NULL,
     "^UF2I$ftz{72,75:2@integer}{84:3=!/.F16//!/.BF16/!}$integral{77=/.NTZ} {U 16}, $source"},
    {0x05a, 0, WB_BLACKWELL_120, "14", NULL,
     "^UI2F{75:3@float}{74,84:2@integer}$round {U 16}, $whole"},
    {0x05d, 0, WB_BLACKWELL_120, "14", "75:3=1&84:3=1", "^UFRND$ftz.F16$integral {U 16}, $source"},
    {0x05d, 0, WB_BLACKWELL_120, "14", "75:3=2&84:3=2", "^UFRND$ftz$integral {U 16}, $source"},
    {0x05d, 0, WB_BLACKWELL_120, "14", "75:3=4&84:3=4", "^UFRND$ftz.BF16$integral {U 16}, $source"},
    {0x05e, 0, WB_BLACKWELL_120, "14", NULL,
     "^UI2FP{75:3=?/?/.F32/?}{74,84:2=?/?/?/?/.U32/.S32/?}{78:2=/?/?/.RZ} {U 16}, $fromint"},
    {0x059, 0, WB_BLACKWELL_120, "124", NULL,
     "^UF2IP{76:2=.U8/.S8/?}.F32{78:2=/?/?/.TRUNC}{74=/.NTZ}{75=/.RELU} {U 16}, $ua, $ugb, "
     "$ugc{72=/.H1}"},
    {0x04e, 0, WB_BLACKWELL_120, "14", NULL, "^UI2I{76:2=.U8/.S8/.U16/.S16}.S32.SAT {U 16}, $usv"},
    {0x04f, 0, WB_BLACKWELL_120, "14", NULL,
     "^UI2IP{76:3@packed}.S32{74:2=/.SAT/.RELU/?} {U 16}, $ua, $usv, $uc{72:2,77:2@part}"},

    UF2FP("14", "78=0", FORMAT_86 ".PACK_AB$rounding {U 16}, $ua, $ugv"),
    UF2FP("14", NULL, FORMAT_86 ".MERGE_C$rounding {U 16}, $ugv, {U 64}{72=/.H1}"),
    UF2FP("2", "78=0", FORMAT_86 ".\?\?\?0$rounding {U 16}, {U 64}, $ugv"),
    UF2FP("2", NULL, FORMAT_86 ".MERGE_C$rounding {U 16}, {U 64}, $ugv"),
    UF2FP_120("14", "89=1&78=0",
              "{74=/.RELU}$format$from.UNPACK_B$unrounded {U 16}, $ugv{72=/.H1}"),
    UF2FP_120("14", "89=1", HEAD_120 ".PACK_B$rounding {U 16}, $ugv"),
    UF2FP_120("124", "90=1&78=0",
              HEAD_120 ".UNPACK_B_MERGE_C$unrounded {U 16}, $ugb, $ugc{72=/.H1}"),
    UF2FP_120("124", "90=1", HEAD_120 ".PACK_AB_MERGE_C$rounding {U 16}, $ua, $ugb, $ugc{72=/.H1}"),
    UF2FP_120("124", "78=1", HEAD_120 ".MERGE_C$rounding {U 16}, $ugb, $ugc{72=/.H1}"),
    UF2FP_120("14", NULL, HEAD_120 ".PACK_AB$rounding {U 16}, $ua, $ugv"),

    /* Memory, and what comes next. */
    {0x377, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "^USTGR.E.NA$evict{73:3=.U8/.S8/.U16/.S16//.64/?}$scope [$at24], {U 32}"},
    {0x378, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "^UREDGR.E{87:3=.ADD/?}.NA$evict{73:3=/.S32/.64/?}$scope [$at24], {U 32}"},
    {0x3ca, 0, WB_FROM_BLACKWELL, NULL, NULL, "^UGETNEXTWORKID{72=.SELFCAST/.BROADCAST} $slots"},
    {0x3cb, 0, WB_FROM_BLACKWELL, NULL, NULL, "^UMEMSETS.64 [$at24], $none, {U 64}"},
    {0x84c, 0, WB_FROM_BLACKWELL, NULL, NULL, "^UVIRTCOUNT.DEALLOC.SMPOOL {x 32:32}"},
    {0x44c, 0, WB_FROM_BLACKWELL, NULL, NULL, "^UVIRTCOUNT.DEALLOC.SMPOOL {U 24}"},
};

const struct wb_word_table wb_words128_uniform = {rows, ROW_COUNT, texts, TEXT_COUNT};
