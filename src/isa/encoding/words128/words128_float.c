/* Words of 128 bits (Volta and later): single and double precision. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const struct wb_word_text texts[] = {
    {"round", "{78:2=/.RM/.RP/.RZ}", NULL},
    {"sat", "<77=1?.SAT>", NULL},
    {"ftz", "<80=1?.FTZ>", NULL},
    {"flush", "{76,80=/.FMZ/.FTZ/?}", NULL},
    {"scale", "{84:3=?/.D8/.D4/.D2//.M2/.M4/.M8}", NULL},

    {"dcmp", ".MIN/.LT/.EQ/.LE/.GT/.NE/.GE/.NUM/.NAN/.LTU/.EQU/.LEU/.GTU/.NEU/.GEU/.MAX", NULL},

    /* Operands of the words that work on two numbers of single precision at once. */
    {"pair", ".F32x2.HI_LO/.F32x2.LO_HI/.F32", NULL},
    {"pa", "$fa{81:2@pair}<83=1?.NP>", NULL},
    {"pb", "$fb{87:2@pair}", NULL},
    {"pb/4", "$fv", NULL},
    {"pb/6", "{-63}{|62}{U 32}{87:2@pair}{|62}", NULL},
    {"pc", "$fc{84:2@pair}<86=1?.NP>", NULL},
    {"pc/2", "$ps", NULL},
    {"pc/7", "$ps", NULL},
    {"ps", "$fv{84:2@pair}<86=1?.NP>", NULL},
    {"ps/2", "$fv<86=1?.NP>", NULL},
    {"ps/7", "{-63}{|62}{U 32}{84:2@pair}<86=1?.NP>{|62}", NULL},

    /* The second factor of FHFMA: half of a register. */
    {"hb", "$fb<84=1?.H1>", NULL},
    {"hb/6", "{-63}{|62}{U 32}<84=1?.H1>{|62}", NULL},

    /* The second number of a sum, which in form 1 is where C is. */
    {"dsum", "$dc", NULL},
    {"dsum/1", "{-75}{|74}{R 64}{|74}<123:2!=0?.reuse>", NULL},

    /* Double precision of sm_120, which keeps no operand for the next word. */
    {"ea", "{-72}{|73}{R 24}{|73}", NULL},
    {"eb", "$d32", NULL},
    {"eb/2", "$e64", NULL},
    {"eb/7", "$e64", NULL},
    {"ev", "$d32", NULL},
    {"ev/2", "$dv", NULL},
    {"ec", "$e64", NULL},
    {"ec/2", "$dv", NULL},
    {"ec/7", "$dv", NULL},
    {"e64", "{-75}{|74}{R 64}{|74}", NULL},

    /* What each lane of a quarter adds or subtracts, the last lane first. */
    {"signs", "{38:2@sign}{36:2@sign}{34:2@sign}{32:2@sign}", NULL},
    {"sign", "PP/PN/NP/ZP", NULL},

    /* Two numbers of half precision or bfloat16 at bit 32, as an operand without .reuse. */
    {"hh32", "$f32", NULL},
    {"hh32/4", "{h 48:16}, {h 32:16}", NULL},
    {"bb32", "$f32", NULL},
    {"bb32/4", "{f 48:16<<16}, {f 32:16<<16}", NULL},

    {"mufu", "<75:3=3?$d32><75:3!=3?$f32>", NULL},
    {"function", ".COS/.SIN/.EX2/.LG2/.RCP/.RSQ/.RCP64H/.RSQ64H/.SQRT/.TANH", NULL},
    {"hfunction", ".COS/.SIN/.EX2/.LG2/.RCP/.RSQ/?/?/.SQRT/.TANH", NULL},
    {"hhfunction", "?/?/.EX2", NULL},
};

/* From sm_100 on bit 81 makes FADD and FFMA add numbers of half precision to single ones. */
#define WB_DOUBLE_REUSE (WB_FROM_VOLTA & ~WB_BLACKWELL_120)
#define WB_TURING_TO_ADA (WB_FROM_TURING & ~WB_FROM_HOPPER)
#define WB_AMPERE_86_ADA (WB_AMPERE_86 | WB_ADA)

static const struct wb_word_row rows[] = {
    {0x021, 0, WB_FROM_BLACKWELL, "17", "81=1",
     "FHADD<82=1?.BF16>$round$sat {R 16}, $fa<83=1?.H1>, $fv"},
    {0x021, 0, WB_FROM_VOLTA, "1237", NULL, "FADD$ftz$round$sat {R 16}, $fa, $fv"},
    {0x020, 0, WB_FROM_VOLTA, "1456", NULL, "FMUL$flush$scale$round$sat {R 16}, $fa, $fv"},
    {0x023, 0, WB_FROM_BLACKWELL, "167", "81=1",
     "FHFMA<82=1?.BF16>$round$sat {R 16}, $fa<83=1?.H1>, $hb, $fc"},
    {0x023, 0, WB_FROM_VOLTA, "1234567", NULL, "FFMA$flush$round$sat {R 16}, $fa, $fb, $fc"},
    {0x009, 0, WB_VOLTA | WB_TURING, "1456", NULL, "FMNMX$ftz {R 16}, $fa, $fv, $p87"},
    {0x009, 0, WB_AMPERE, "1456", NULL, "FMNMX$ftz<81=1?.NAN> {R 16}, $fa, $fv, $p87"},
    {0x009, 0, WB_AMPERE_86_ADA, "1456", NULL,
     "FMNMX$ftz<81=1?.NAN><82=1?.XORSIGN> {R 16}, $fa, $fv, $p87"},
    {0x009, 0, WB_FROM_HOPPER, "1456", NULL,
     "FMNMX$ftz<81=1?.NAN><82=1?.XORSIGN><65=1?.IS_A> {R 16}<65=1?, {P 66}>, $fa, $fv, $p87"},
    {0x076, 0, WB_BLACKWELL, "146", NULL, "FMNMX3$ftz<81=1?.NAN> {R 16}, $fa, $fb, $fc, $p87"},
    {0x008, 0, WB_FROM_VOLTA, "1456", NULL, "FSEL$ftz {R 16}, $fa, $fv, $p87"},
    {0x00a, 0, WB_FROM_VOLTA, "1456", NULL,
     "FSET.BF{76:4@fcmp}$ftz{74:2@bop} {R 16}, $fa, $fv, $p87"},
    {0x00b, 0, WB_FROM_VOLTA, "1456", NULL,
     "FSETP{76:4@fcmp}$ftz{74:2@bop} $p81, $p84, $fa, $fv, $p87"},
    {0x102, 0, WB_FROM_VOLTA, "1456", NULL, "FCHK $p81, {-72}{|73}{R 24}{|73}, $f32"},
    {0x822, 0, WB_FROM_VOLTA & ~WB_BLACKWELL_120, NULL, NULL,
     "FSWZADD$ftz$round<77=1?.NDV> {R 16}, $ra, $c, $signs"},
    {0x822, 0, WB_BLACKWELL_120, NULL, NULL,
     "FSWZADD$ftz$round{77,81=/.NDV/?/.DXY} {R 16}, $ra, $c, $signs"},

    {0x04b, 0, WB_BLACKWELL, "127", NULL, "FADD2$ftz$round {R 16}, $pa, $ps"},
    {0x04a, 0, WB_BLACKWELL, "146", NULL, "FMUL2$flush$round {R 16}, $pa, $pb"},
    {0x049, 0, WB_BLACKWELL, "12467", NULL, "FFMA2$flush$round {R 16}, $pa, $pb, $pc"},

    {0x108, 0, WB_VOLTA, "1456", NULL,
     "MUFU{74:4=.COS/.SIN/.EX2/.LG2/.RCP/.RSQ/.RCP64H/.RSQ64H/.SQRT/?} {R 16}, $mufu"},
    {0x108, 0, WB_TURING_TO_ADA, "1456", "73=0", "MUFU{74:4@function} {R 16}, $mufu"},
    {0x108, 0, WB_TURING_TO_ADA, "1456", NULL, "MUFU{74:4@hfunction}.F16 {R 16}, $h32"},
    {0x108, 0, WB_BLACKWELL_103, "146", "80=1&72:2=0",
     "MUFU{74:4@hhfunction}.BF16x2 {R 16}, $bb32"},
    {0x108, 0, WB_FROM_HOPPER, "1456", "72:2=0", "MUFU{74:4@function} {R 16}, $mufu"},
    {0x108, 0, WB_FROM_HOPPER, "1456", "72:2=1", "MUFU{74:4@hfunction}.F16 {R 16}, $h32"},
    {0x108, 0, WB_FROM_HOPPER, "1456", "72:2=2", "MUFU{74:4@hfunction}.BF16 {R 16}, $b32"},
    {0x108, 0, WB_BLACKWELL_103, "146", "72:2=3", "MUFU{74:4@hhfunction}.F16x2 {R 16}, $hh32"},

    {0x029, 0, WB_BLACKWELL_120, "127", NULL, "DADD$round {R 16}, $ea, $ec"},
    {0x028, 0, WB_BLACKWELL_120, "146", NULL, "DMUL$round {R 16}, $ea, $eb"},
    {0x02b, 0, WB_BLACKWELL_120, "12467", NULL, "DFMA$round {R 16}, $ea, $eb, $ec"},
    {0x02a, 0, WB_BLACKWELL_120, "127", NULL,
     "DSETP{76:4@dcmp}{74:2@bop} $p81, $p84, $ea, $ev, $p87"},
    {0x029, 0, WB_DOUBLE_REUSE, "1237", NULL, "DADD$round {R 16}, $fa, $dsum"},
    {0x028, 0, WB_DOUBLE_REUSE, "1456", NULL, "DMUL$round {R 16}, $fa, $dv"},
    {0x02b, 0, WB_DOUBLE_REUSE, "1234567", NULL, "DFMA$round {R 16}, $fa, $db, $dc"},
    {0x02a, 0, WB_DOUBLE_REUSE, "1237", NULL,
     "DSETP{76:4@dcmp}{74:2@bop} $p81, $p84, $fa, $dv, $p87"},
};

const struct wb_word_table wb_words128_float = {rows, ROW_COUNT, texts, TEXT_COUNT};
