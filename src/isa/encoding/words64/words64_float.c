/* Words of 64 bits (Maxwell and Pascal): single, double and half precision. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const struct wb_word_text texts[] = {
    {"fcomparison", "F/LT/EQ/LE/GT/NE/GE/NUM/NAN/LTU/EQU/LEU/GTU/NEU/GEU/T", NULL},
    {"chkmode", "DIVIDE", "INVALIDCHKMODE%u"},
    {"swizzle", "PP/NP/PN/ZP", NULL}, /* of two lanes: added, negated, left out */
    {"round39", "{39:2=/.RM/.RP/.RZ}", NULL},
    {"round50", "{50:2=/.RM/.RP/.RZ}", NULL},
    {"round51", "{51:2=/.RM/.RP/.RZ}", NULL},
    {"fmz44", "{44:2=/.FTZ/.FMZ/.INVALIDFMZ3}", NULL},
    {"fmz53", "{53:2=/.FTZ/.FMZ/.INVALIDFMZ3}", NULL},

    /* A and B with sign and magnitude: where their bits are differs. */
    {"aa", "{-48}{|46}$ra{|46}", NULL},
    {"fab", "{-45}{|49}$fb{|49}", NULL},
    {"fab/I", "$fb<45=1?.NEG><49=1?.ABS>", NULL},
    {"dab", "{-45}{|49}$db{|49}", NULL},
    {"dab/I", "$db<45=1?.NEG><49=1?.ABS>", NULL},
    {"fsumb", "{-45}{|49}$fb{|49}$reusesum", NULL},
    {"fsumb/I", "$fb<45=1?.NEG><49=1?.ABS>", NULL},
    {"dsumb", "{-45}{|49}$db{|49}$reusesum", NULL},
    {"dsumb/I", "$db<45=1?.NEG><49=1?.ABS>", NULL},
    {"fnb", "{-48}$fb$reuseb", NULL},
    {"fnb/I", "$fb<48=1?.NEG>", NULL},
    {"dnb", "{-48}$db$reuseb", NULL},
    {"dnb/I", "$db<48=1?.NEG>", NULL},
    {"aset", "{-43}{|54}$ra{|54}", NULL},
    {"fbset", "{-53}{|44}$fb{|44}", NULL},
    {"fbset/I", "$fb<53=1?.NEG><44=1?.ABS>", NULL},
    {"dbset", "{-53}{|44}$db{|44}", NULL},
    {"dbset/I", "$db<53=1?.NEG><44=1?.ABS>", NULL},
    {"asetp", "{-43}{|7}$ra{|7}", NULL},
    {"fbsetp", "{-6}{|44}$fb{|44}", NULL},
    {"fbsetp/I", "$fb<6=1?.NEG><44=1?.ABS>", NULL},
    {"dbsetp", "{-6}{|44}$db{|44}", NULL},
    {"dbsetp/I", "$db<6=1?.NEG><44=1?.ABS>", NULL},

    {"dset", "{52=/.BF}.{48:4@fcomparison}.{45:2@bop}", NULL},
    {"dsetp", ".{48:4@fcomparison}.{45:2@bop}", NULL},

    /* Halves: of A, of the result, and two as an immediate, the upper first. */
    {"ha", "$ra{47:2=/.F32/.H0_H0/.H1_H1}$reusea", NULL},
    {"haa", "{-43}{|44}$ra{47:2=/.F32/.H0_H0/.H1_H1}{|44}$reusea", NULL},
    {"hb", "$rb{28:2=/.F32/.H0_H0/.H1_H1}$reuseb", NULL},
    {"hab", "{-31}{|30}$rb{28:2=/.F32/.H0_H0/.H1_H1}{|30}$reuseb", NULL},
    {"hsumb", "{-31}{|30}$rb{28:2=/.F32/.H0_H0/.H1_H1}{|30}$reusesum", NULL},
    {"hac", "{-56}{|54}$constant{|54}", NULL},
    {"hd", "{49:2=/.F32/.MRG_H0/.MRG_H1}", NULL},
    {"halves", "{h 30:9,56:1<<6}, {h 20:10<<6}", NULL},
    {"halves32", "{h 36:16}, {h 20:16}", NULL},
    {"hcomparison49", "{49:4@fcomparison}", NULL},
    {"fmz57", "{57:2=/.FTZ/.FMZ/.INVALIDFMZ3}", NULL},
};

#define SM_ALL WB_SM_5X_6X
#define SM_52_ON (WB_MAXWELL_52 | WB_PASCAL)

static const struct wb_word_row rows[] = {
    /* Single precision */
    WB_ROWS_RCI(0x458, 0x7f8, NULL, "FADD{44=/.FTZ}$round39{50=/.SAT} $rdcc, $aa$reusea, $fsumb"),
    {0x0800, 0xfc00, SM_ALL, NULL, NULL,
     "FADD32I{55=/.FTZ} {R 0}{52=/.CC}, {-56}{|54}$ra{|54}$reusea, "
     "{f 20:32}<53=1?.NEG><57=1?.ABS>"},
    WB_ROWS_RCI(
        0x468, 0x7f8, NULL,
        "FMUL$fmz44{41:3=/.D2/.D4/.D8/.M8/.M4/.M2/.INVALIDSCALE37}$round39{50=/.SAT} $rdcc, "
        "$ka, $fnb"),
    {0x1e00, 0xff00, SM_ALL, NULL, NULL, "FMUL32I$fmz53{55=/.SAT} {R 0}{52=/.CC}, $ka, {f 20:32}"},
    WB_ROWS_RCDI(0x180, 0x780, NULL, "FFMA$fmz53$round51{50=/.SAT} $rdcc, $ka, $fnb, {-49}$kc"),
    {0x0c00, 0xfc00, SM_ALL, NULL, NULL,
     "FFMA32I$fmz53{55=/.SAT} {R 0}{52=/.CC}, {-56}$ka, {f 20:32}, {-57}{R 0}$reusec"},
    WB_ROWS_RCI(0x460, 0x7f8, NULL, "FMNMX{44=/.FTZ} $rdcc, $aa$reusea, $fab$reuseb, $pc"),
    WB_ROWS_RCI(0x000, 0x700, NULL,
                "FSET{52=/.BF}.{48:4@fcomparison}{55=/.FTZ}.{45:2@bop} $rdcc, $aset$reusea, "
                "$fbset$reuseb, $pc"),
    WB_ROWS_RCI(0x3b0, 0x7f0, NULL,
                "FSETP.{48:4@fcomparison}{47=/.FTZ}.{45:2@bop} $pd, $pe, $asetp$reusea, "
                "$fbsetp$reuseb, $pc"),
    WB_ROWS_RCDI(0x3a0, 0x7f0, NULL,
                 "FCMP{48:4=.F/.LT/.EQ/.LE//.NE/.GE/.NUM/.NAN/.LTU/.EQU/.LEU/.GTU/.NEU/.GEU/.T}"
                 "{47=/.FTZ} $rd, $ka, $fb$reuseb, $kc"),
    WB_ROWS_RCI(0x488, 0x7f8, NULL, "FCHK.{39:6@chkmode} $pd, $aa$reusea, $fab$reuseb"),
    {0x5080, 0xfff8, WB_MAXWELL_50, NULL, "20:4=8", "MUFU.INVALIDMUFUOPCODE8{50=/.SAT} $rd, $aa"},
    {0x5080, 0xfff8, SM_ALL, NULL, NULL,
     "MUFU.{20:4=COS/SIN/EX2/LG2/RCP/RSQ/RCP64H/RSQ64H/SQRT/INVALIDMUFUOPCODE9/"
     "INVALIDMUFUOPCODEA/INVALIDMUFUOPCODEB/INVALIDMUFUOPCODEC/INVALIDMUFUOPCODED/"
     "INVALIDMUFUOPCODEE/INVALIDMUFUOPCODEF}{50=/.SAT} $rd, $aa"},
    WB_ROWS_RCI(0x490, 0x7f8, NULL, "RRO.{39=SINCOS/EX2} $rd, $fab$reuseb"),
    {0x50f8, 0xfff8, SM_ALL, NULL, NULL,
     "FSWZADD{44=/.FTZ}$round39{38=/.NDV} $rdcc, $ka, {R 20}$reusesum, "
     "{34:2@swizzle}{32:2@swizzle}{30:2@swizzle}{28:2@swizzle}"},

    /* Double precision */
    WB_ROWS_RCI(0x470, 0x7f8, NULL, "DADD$round39 $rdcc, $aa$reusea, $dsumb"),
    WB_ROWS_RCI(0x480, 0x7f8, NULL, "DMUL$round39 $rdcc, $ka, $dnb"),
    WB_ROWS_RCDI(0x370, 0x7f0, NULL, "DFMA$round50 $rdcc, $ka, $dnb, {-49}$kc"),
    WB_ROWS_RCI_OF(WB_PASCAL, 0x450, 0x7f8, NULL, "DMNMX $rdcc, $aa$reusea, $dab$reuseb, $pc"),
    WB_ROWS_RCI_OF(WB_MAXWELL, 0x450, 0x7f8, NULL, "DMNMX $rdcc, $aa, $dab, $pc"),
    WB_ROWS_RCI_OF(WB_PASCAL, 0x100, 0x780, NULL,
                   "DSET$dset $rdcc, $aset$reusea, $dbset$reuseb, $pc"),
    WB_ROWS_RCI_OF(WB_MAXWELL, 0x100, 0x780, NULL, "DSET$dset $rdcc, $aset, $dbset, $pc"),
    WB_ROWS_RCI_OF(WB_PASCAL, 0x380, 0x7f0, NULL,
                   "DSETP$dsetp $pd, $pe, $asetp$reusea, $dbsetp$reuseb, $pc"),
    WB_ROWS_RCI_OF(WB_MAXWELL, 0x380, 0x7f0, NULL, "DSETP$dsetp $pd, $pe, $asetp, $dbsetp, $pc"),

    /* Half precision, two at a time */
    {0x5d00, 0xfff8, SM_52_ON, NULL, NULL,
     "HFMA2$hd{37:2=/.FTZ/.FMZ/.INVALID}{32=/.SAT} $rd, $ha, {-31}$hb, "
     "{-30}$rc{35:2=/.F32/.H0_H0/.H1_H1}$reusec"},
    {0x7000, 0xf880, SM_52_ON, NULL, NULL,
     "HFMA2$hd{57:2=/.FTZ/.FMZ/.INVALID}{52=/.SAT} $rd, $ha, $halves, "
     "{-51}$rc{53:2=/.F32/.H0_H0/.H1_H1}$reusec"},
    {0x7080, 0xf880, SM_52_ON, NULL, NULL,
     "HFMA2$hd{57:2=/.FTZ/.FMZ/.INVALID}{52=/.SAT} $rd, $ha, {-56}$constant, "
     "{-51}$rc{53:2=/.F32/.H0_H0/.H1_H1}$reusec"},
    {0x6080, 0xf880, SM_52_ON, NULL, NULL,
     "HFMA2$hd$fmz57{52=/.SAT} $rd, $ha, {-56}{R 39}{53:2=/.F32/.H0_H0/.H1_H1}$reuseb, "
     "{-51}$constant"},
    {0x2800, 0xfe00, SM_52_ON, NULL, NULL,
     "HFMA2_32I{55:2=/.FTZ/.FMZ/.INVALIDFMZ3} $rd, $ra{53:2=/.F32/.H0_H0/.H1_H1}$reusea, "
     "$halves32, {-52}$rd$reusec"},
    {0x5d08, 0xfff8, SM_52_ON, NULL, NULL,
     "HMUL2$hd{39:2=/.FTZ/.FMZ/.INVALID}{32=/.SAT} $rd, "
     "{|44}$ra{47:2=/.F32/.H0_H0/.H1_H1}{|44}$reusea, $hab"},
    {0x7800, 0xfe80, SM_52_ON, NULL, NULL,
     "HMUL2$hd{39:2=/.FTZ/.FMZ/.INVALID}{52=/.SAT} $rd, $haa, $halves"},
    {0x7880, 0xfe80, SM_52_ON, NULL, NULL,
     "HMUL2$hd{39:2=/.FTZ/.FMZ/.INVALID}{52=/.SAT} $rd, "
     "{|44}$ra{47:2=/.F32/.H0_H0/.H1_H1}{|44}$reusea, {-43}{|54}$constant{|54}"},
    {0x2a00, 0xfe00, SM_52_ON, NULL, NULL,
     "HMUL2_32I{55:2=/.FTZ/.FMZ/.INVALID}{52=/.SAT} $rd, $ra{53:2=/.F32/.H0_H0/.H1_H1}$reusea, "
     "$halves32"},
    {0x5d10, 0xfff8, SM_52_ON, NULL, NULL, "HADD2$hd{39=/.FTZ}{32=/.SAT} $rd, $haa, $hsumb"},
    {0x7a00, 0xfe80, SM_52_ON, NULL, NULL, "HADD2$hd{39=/.FTZ}{52=/.SAT} $rd, $haa, $halves"},
    {0x7a80, 0xfe80, SM_52_ON, NULL, NULL, "HADD2$hd{39=/.FTZ}{52=/.SAT} $rd, $haa, $hac"},
    {0x2c00, 0xfe00, SM_52_ON, NULL, NULL,
     "HADD2_32I{55=/.FTZ}{52=/.SAT} $rd, {-56}$ra{53:2=/.F32/.H0_H0/.H1_H1}$reusea, $halves32"},
    {0x5d18, 0xfff8, SM_52_ON, NULL, NULL,
     "HSET2{49=/.BF}.{35:4@fcomparison}{50=/.FTZ}.{45:2=AND/OR/XOR/???3} $rd, $haa, $hab, $pc"},
    {0x7c00, 0xfe80, SM_52_ON, NULL, NULL,
     "HSET2{53=/.BF}.$hcomparison49{54=/.FTZ}.{45:2=AND/OR/XOR/???3} $rd, $haa, $halves, $pc"},
    {0x7c80, 0xfe80, SM_52_ON, NULL, NULL,
     "HSET2{53=/.BF}.$hcomparison49{54=/.FTZ}.{45:2=AND/OR/XOR/???3} $rd, $haa, {-56}$constant, "
     "$pc"},
    {0x5d20, 0xfff8, SM_52_ON, NULL, NULL,
     "HSETP2.{35:4@fcomparison}{49=/.H_AND}{6=/.FTZ}.{45:2@bop} $pd, $pe, $haa, $hab, $pc"},
    {0x7e00, 0xfe80, SM_52_ON, NULL, NULL,
     "HSETP2.$hcomparison49{53=/.H_AND}{6=/.FTZ}.{45:2@bop} $pd, $pe, $haa, $halves, $pc"},
    {0x7e80, 0xfe80, SM_52_ON, NULL, NULL,
     "HSETP2.$hcomparison49{53=/.H_AND}{6=/.FTZ}.{45:2@bop} $pd, $pe, $haa, $hac, $pc"},
};

const struct wb_word_table wb_words64_float = {rows, ROW_COUNT, texts, TEXT_COUNT};
