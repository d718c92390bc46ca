/* Words of 64 bits (Maxwell and Pascal): video instructions. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* Of A a byte, a half or all is selected (bits 36 to 38, sign 48); of B too (28 to 30, sign 49)
 * where bit 50 is set: else it is an immediate of 16 bits. */
static const struct wb_word_text texts[] = {
    {"typea", "{36:3,48=U8/U8/U8/U8/U16/U16/U32/INVALIDSEL6/S8/S8/S8/S8/S16/S16/S32/INVALIDSEL7}",
     NULL},
    {"typeb",
     "<50=1?{28:3,49=U8/U8/U8/U8/U16/U16/U32/INVALIDSEL6/S8/S8/S8/S8/S16/S16/S32/INVALIDSEL7}>"
     "<50=0?{49=U16/S16}>",
     NULL},
    {"types", ".$typea.$typeb", NULL},
    /* Where both are signed and B, if it is selected, has 32 bits they are not printed. */
    {"shorttypes",
     "<36:3,48!=14?$types><36:3,48=14?"
     "<50=1?{28:3,49=.S32.U8/.S32.U8/.S32.U8/.S32.U8/.S32.U16/.S32.U16/.S32.U32/.S32.INVALIDSEL6/"
     ".S32.S8/.S32.S8/.S32.S8/.S32.S8/.S32.S16/.S32.S16//.S32.INVALIDSEL7}>"
     "<50=0?{49=.S32.U16/}>>",
     NULL},
    /* Of shifts, where B has no sign. */
    {"shifttypes",
     "<36:3,48!=14?.$typea.<50=1?{28:3=U8/U8/U8/U8/U16/U16/U32/INVALIDSEL7}><50=0?U16>>"
     "<36:3,48=14&50=1?{28:3=.S32.U8/.S32.U8/.S32.U8/.S32.U8/.S32.U16/.S32.U16//"
     ".S32.INVALIDSEL7}>",
     NULL},
    {"shift", "{54=.UD/}$shifttypes{49=/.W}{55=/.SAT}$second $rdcc, $va, $unsignedb, $kc", NULL},
    /* Where a factor has 32 bits there are no marks. */
    {"vmad",
     "<53:2=3?.PO>{51:2=/.SHR_7/.SHR_15/.INVALIDVMADSCALE3}{55=/.SAT} $rdcc, "
     "<53:2=2?->$ra{36:3=/.B1/.B2/.B3//.H1//}$vmada, "
     "<50=1?{R 20}{28:3=/.B1/.B2/.B3//.H1//}$vmadb><50=0?{x 20:16}>, <53:2=1?->$rc$vmadc",
     NULL},
    {"vmada", "<37:2!=3&50=0?$reusea><37:2!=3&50=1&29:2!=3?$reusea>", NULL},
    {"vmadb", "<37:2!=3&29:2!=3?$reuseb>", NULL},
    {"vmadc", "<37:2!=3&50=0?$reusec><37:2!=3&50=1&29:2!=3?$reusec>", NULL},
    {"va", "$ra{36:3=/.B1/.B2/.B3//.H1//}$reusea", NULL},
    {"selectedb", "{R 20}{28:3=/.B1/.B2/.B3//.H1//}$reuseb", NULL},
    {"signedb", "<50=1?$selectedb><50=0?<49=1?{s 20:16}><49=0?{x 20:16}>>", NULL},
    {"unsignedb", "<50=1?$selectedb><50=0?{x 20:16}>", NULL},
    {"second", "{51:3=.MRG_16H/.MRG_16L/.MRG_8B0/.MRG_8B2/.ACC/.MIN/.MAX/}", NULL},
    {"vcomparison", "F/LT/EQ/LE/GT/NE/GE/T", NULL},
    {"lanes", "{51:2,36:2=.???0/.X/.Y/.XY/.Z/.XZ/.YZ/.XYZ/.W/.XW/.YW/.XYW/.ZW/.XZW/.YZW/}", NULL},
};

#define SM_ALL WB_SM_5X_6X

static const struct wb_word_row rows[] = {
    {0x2000, 0xfc00, SM_ALL, NULL, NULL,
     "VADD{54=.UD/}$shorttypes<56:2=3?.PO>{55=/.SAT}$second $rdcc, <56:2=2?->$va, "
     "<56:2=1&50=1?-><56:2=1&50=0&20:16!=0?->$unsignedb, $kc"},
    {0x3a00, 0xfe00, SM_ALL, NULL, NULL,
     "VMNMX{54=.UD/}$shorttypes{56=/.MX}{55=/.SAT}$second $rdcc, $va, $signedb, $kc"},
    {0x4000, 0xfe00, SM_ALL, NULL, NULL,
     "VSET.{54:3@vcomparison}$shorttypes$second $rdcc, $va, $signedb, $kc"},
    {0x50f0, 0xfff8, SM_ALL, NULL, NULL,
     "VSETP.{43:2,47@vcomparison}<50=0?$types><50=1?$shorttypes>.{45:2@bop} $pd, $pe, $va, "
     "$signedb, $pc"},
    {0x5400, 0xff00, SM_ALL, NULL, NULL,
     "VABSDIFF{54=/.SD}$shorttypes{55=/.SAT}$second $rdcc, $va, $signedb, $kc"},
    {0x5600, 0xff00, SM_ALL, NULL, NULL, "VSHR$shift"},
    {0x5700, 0xff00, SM_ALL, NULL, NULL, "VSHL$shift"},
    {0x5f00, 0xff00, WB_MAXWELL, NULL, NULL, "VMAD$shorttypes$vmad"},
    {0x5f00, 0xff00, WB_PASCAL, NULL, NULL, "VMAD$types$vmad"},
    {0x5000, 0xff80, SM_ALL, NULL, NULL,
     "VABSDIFF4{38=/.SD}{48:2=.U8.U8/.S8.U8/.U8.S8/}{50=/.SAT}"
     "{53:2=/.ACC/.INVALIDRED2/.INVALIDRED3}$lanes $rdcc, "
     "$ra{32:4=.0000/.1111/.2222/.3333//.4321/.5432/.6543/.3201/.3012/.0213/.3120/.1230/.2310/"
     ".INVALIDASEL4E/.INVALIDASEL4F}$reusea, "
     "<28:4=15?<49=0?{x 20:8}><49=1?{s 20:8}>>"
     "<28:4!=15?{R 20}{28:4=.4444/.5555/.6666/.7777//.6543/.5432/.4321/.4567/"
     ".6745/.5476/.INVALIDBSEL4B/.INVALIDBSEL4C/.INVALIDBSEL4D/.INVALIDBSEL4E/}$reuseb>, $kc"},
};

const struct wb_word_table wb_words64_video = {rows, ROW_COUNT, texts, TEXT_COUNT};
