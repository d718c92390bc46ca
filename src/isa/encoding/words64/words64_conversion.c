/* Words of 64 bits (Maxwell and Pascal): conversions between formats. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* The format of the result is bits 8 and 9, that of the source bits 10 and 11; bits 12 and 13 give
 * their signs where they are integers. */
static const struct wb_word_text texts[] = {
    {"floatto", "{8:2=INVALIDFPDEST0/F16/F32/F64}", NULL},
    {"floatfrom", "{10:2=INVALIDFPSRC0/F16/F32/F64}", NULL},
    {"integerfrom", "{10:2,13=U8/U16/U32/U64/S8/S16/S32/S64}", NULL},
    {"round", "{39:2=/.RM/.RP/.RZ}", NULL},

    /* F2F between equal formats rounds to an integer, or not at all. */
    {"whole", "{39:2,42=/.PASS/.PASS/.PASS/.ROUND/.FLOOR/.CEIL/.TRUNC}", NULL},
    {"wholeorround",
     "<8:4=0?$whole><8:4=5?$whole><8:4=10?$whole><8:4=15?$whole>"
     "<8:4!=0&8:4!=5&8:4!=10&8:4!=15?$round>",
     NULL},

    /* B with sign and magnitude; a part of it is selected. */
    {"floatb", "{-45}{|49}$rb<10:2=1&41=1?.H1>{|49}", NULL},
    {"floatb/C", "{-45}{|49}<10:2=1?$spaced{41=/.H1}><10:2!=1?$constant>{|49}", NULL},
    {"floatb/I", "$number<45=1?.NEG><49=1?.ABS><10:2=1&41=1?.H1>", NULL},
    {"halfb", "{-45}{|49}$rb{41=/.H1}{|49}", NULL},
    {"halfb/C", "{-45}{|49}$spaced{41=/.H1}{|49}", NULL},
    {"halfb/I", "$number<45=1?.NEG><49=1?.ABS>{41=/.H1}", NULL},
    {"partb", "{-45}{|49}$rb$part{|49}", NULL},
    {"partb/C", "{-45}{|49}$spaced$part{|49}", NULL},
    {"partb/I", "$rb<45=1?.NEG><49=1?.ABS>$part", NULL},
    {"part", "<10:2=1?{41:2=/.INVALIDSIZE1/.H1/.INVALIDSIZE3}><10:2!=1?{41:2=/.B1/.B2/.B3}>", NULL},
    {"number", "<10:2=1?{h 20:16}><10:2=3?{d 20:19,56:1<<12}><10:2!=1&10:2!=3?{f 20:19,56:1<<12}>",
     NULL},

    {"f2f", "{44=/.FTZ}.$floatto.$floatfrom$wholeorround{50=/.SAT} $rdcc, $floatb", NULL},
    {"f2i",
     "{44=/.FTZ}.{8:2,12=INVALID0/U16/U32/U64/INVALID1/S16/S32/S64}.$floatfrom"
     "{39:2=/.FLOOR/.CEIL/.TRUNC} $rdcc, $halfb",
     NULL},
    {"i2f", ".{8:2=INVALIDFPSRC0/F16/F32/F64}.$integerfrom$round $rdcc, $partb", NULL},
    /* Only what has 64 bits has marks, and only on Pascal. */
    {"reusefloat", "<10:2=3?$reuseb><8:2=3&10:2!=3&10:2!=0?$reuseb>", NULL},
    {"reuseinteger", "<10:2=3?$reuseb><8:2=3&10:2!=3&10:2!=1?$reuseb>", NULL},
};

static const struct wb_word_row rows[] = {
    WB_ROWS_RCI_OF(WB_PASCAL, 0x4a8, 0x7f8, NULL, "F2F$f2f$reusefloat"),
    WB_ROWS_RCI_OF(WB_MAXWELL, 0x4a8, 0x7f8, NULL, "F2F$f2f"),
    WB_ROWS_RCI_OF(WB_PASCAL, 0x4b0, 0x7f8, NULL, "F2I$f2i$reuseinteger"),
    WB_ROWS_RCI_OF(WB_MAXWELL, 0x4b0, 0x7f8, NULL, "F2I$f2i"),
    WB_ROWS_RCI_OF(WB_PASCAL, 0x4b8, 0x7f8, NULL, "I2F$i2f$reuseinteger"),
    WB_ROWS_RCI_OF(WB_MAXWELL, 0x4b8, 0x7f8, NULL, "I2F$i2f"),
    WB_ROWS_RCI(0x4e0, 0x7f8, NULL,
                "I2I.{8:2,12=U8/U16/U32/???6/S8/S16/S32/???7}."
                "{10:2,13=U8/U16/U32/INVALID6/S8/S16/S32/INVALID7}{50=/.SAT} $rdcc, $partb"),
};

const struct wb_word_table wb_words64_conversion = {rows, ROW_COUNT, texts, TEXT_COUNT};
