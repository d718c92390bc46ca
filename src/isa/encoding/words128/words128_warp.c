/* Words of 128 bits (Volta and later): exchange between lanes, barriers of blocks, special
 * registers; and what only shaders of the graphics pipeline have. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define AMPERE_TO_ADA (WB_AMPERE | WB_AMPERE_86 | WB_ADA)

static const struct wb_word_text texts[] = {
    /* A barrier of the block and how many threads it waits for: in registers (one holds both), or
     * immediate. */
    {"bar/1", "{R 32}, {R 32}", NULL},
    {"bar/2", "{R 32}", NULL},
    {"bar/4", "{x 54:4}, {R 32}", NULL},
    {"bar/5", "{x 54:4}", NULL},
    {"count", "", NULL},
    {"count/2", ", {x 42:12}", NULL},
    {"count/5", ", {x 42:12}", NULL},
    {"some", "", NULL},
    {"some/2", "<42:12!=0?, {x 42:12}>", NULL},
    {"some/5", "<42:12!=0?, {x 42:12}>", NULL},
    {"reduction", "BAR.RED{74:2=.POPC/.AND/.OR/.INVALID3}", NULL},
    {"defer", "{80=/.DEFER_BLOCKING}", NULL},
    {"shuffle", "SHFL{58:2=.IDX/.UP/.DOWN/.BFLY} $p81, {R 16}, {R 24}", NULL},
    {"hidden", "<81:3!=7?, {P 81}>", NULL},
    {"indexed", "<40:16=0?{R 24}><40:16!=0?<24:8!=255?{R 24}+>{x 40:16}>", NULL},
    {"none", "255:RZ", "???%u"},
    {"width", "{74:2=/.U16/.32/.INVALID3}", NULL},
    {"pass", "IPA{78:2=.PASS/.CONSTANT/.STATE/.INVALID3}", NULL},
    {"attribute", "<91=0?a[{x 64:8*4}]><91=1?a[{U 24}<64:8!=0?+{x 64:8*4}>]>", NULL},
};

static const struct wb_word_row rows[] = {
    /* Special registers. */
    {0x919, 0, WB_VOLTA, NULL, NULL, "S2R {R 16}, {72:8@special70}"},
    {0x919, 0, WB_TURING, NULL, NULL, "S2R {R 16}, {72:8@special75}"},
    {0x919, 0, AMPERE_TO_ADA, NULL, NULL, "S2R {R 16}, {72:8@special80}"},
    {0x919, 0, WB_HOPPER, NULL, NULL, "S2R {R 16}, {72:8@special90}"},
    {0x919, 0, WB_BLACKWELL, NULL, NULL, "S2R {R 16}, {72:8@special100}"},
    {0x919, 0, WB_BLACKWELL_120, NULL, NULL, "S2R {R 16}, {72:8@special120}"},

    /* Barriers of blocks. */
    {0x91d, 0, WB_FROM_HOPPER, NULL, "77:3=0&32:8=255", "BAR.SYNC$defer {x 54:4}"},
    {0x91d, 0, WB_FROM_HOPPER, NULL, "77:3=2&32:8=255", "$reduction$defer {x 54:4}, $p87"},
    {0x11d, 0, WB_FROM_VOLTA, "1245", "77:3=0", "BAR.SYNC$defer $bar$some"},
    {0x11d, 0, WB_FROM_VOLTA, "1245", "77:4=1", "BAR.ARV $bar$count"},
    {0x11d, 0, WB_FROM_VOLTA, "1245", "77:3=2", "$reduction$defer $bar$some, $p87"},
    {0x11d, 0, WB_FROM_VOLTA, "1245", "77:4=3", "BAR.SCAN $bar$count, $p87"},
    {0xb1d, 0, WB_FROM_VOLTA, NULL, "77:3=4", "BAR.SYNCALL$defer"},
    {0x31c, 0, WB_FROM_VOLTA, NULL, "78:2=0", "B2R {R 16}, {x 54:4}"},
    {0x31c, 0, WB_FROM_VOLTA, NULL, "78:2=1", "B2R.RESULT {R 16}$hidden"},
    {0x31c, 0, WB_FROM_VOLTA, NULL, "78:2=2", "B2R.WARP {R 16}"},
    {0x31e, 0, WB_VOLTA | WB_TURING | AMPERE_TO_ADA, NULL, NULL,
     "R2B{78:2=/.INVALID1/.WARP/.INVALID3} {x 54:4}, {R 32}"},

    /* Exchange between lanes. */
    {0x389, 0, WB_FROM_VOLTA, NULL, NULL, "$shuffle, {R 32}, {R 64}"},
    {0x589, 0, WB_FROM_VOLTA, NULL, NULL, "$shuffle, {R 32}, {x 40:13}"},
    {0x989, 0, WB_FROM_VOLTA, NULL, NULL, "$shuffle, {x 53:5}, {R 64}"},
    {0xf89, 0, WB_FROM_VOLTA, NULL, NULL, "$shuffle, {x 53:5}, {x 40:13}"},
    {0x806, 0, WB_FROM_VOLTA, NULL, NULL,
     "VOTE{72:2=.ALL/.ANY/.EQ/.INVALID3} <16:8!=255?{R 16}, >$p81, $p87"},
    {0x3a1, 0, WB_FROM_VOLTA, NULL, "79=0", "MATCH.ALL{73=/.U64} $p81, {R 16}, {R 24}"},
    {0x3a1, 0, WB_FROM_VOLTA, NULL, "79=1", "MATCH.ANY{73=/.U64} {R 16}, {R 24}"},
    {0x3c4, 0, WB_FROM_AMPERE, NULL, NULL,
     "REDUX{78:3=/.OR/.XOR/.SUM/.MIN/.MAX/.INVALID6/.INVALID7}{73=/.S32} {U 16}, {R 24}"},
    {0x2cc, 0, WB_BLACKWELL, NULL, NULL,
     "CREDUX{78:2=.MAX/.MAXABS/.MIN/.MINABS}{73:2=/.S32/.F32/.INVALID3}{77=/.NAN} {U 16}, $ra"},

    /* Shaders. */
    {0x80d, 0, WB_FROM_VOLTA, NULL, NULL,
     "CSMTEST{62:2=.INVALID0/.R/.A/.RA}"
     "{76:3=.F/.CSM_TA/.CSM_TR/.CSM_MX/.T/.FCSM_TA/.FCSM_TR/.FCSM_MX}"
     "{74:2=.AND/.OR/.XOR/.INVALID3} $p81, $p84, {x 32:28}, $p87"},
    {0x925, 0, WB_FROM_VOLTA, NULL, NULL,
     "PIXLD{78:3=/.COVMASK/.CENTROID_OFFSET/.MY_INDEX/.INNER_COVERAGE/.???5/.???6/.???7} {R 16}"
     "$hidden"},
    {0x923, 0, WB_VOLTA | WB_TURING | WB_AMPERE, NULL, NULL,
     "ISBERD{79=/.O}{76:2=/.PATCH/.PRIM/.ATTR}{78=/.SKEW}$width {R 16}, [{R 24}]"},
    {0x923, 0, WB_FROM_AMPERE_86, NULL, NULL,
     "ISBERD{79=/.O}{76:2=/.PATCH/.PRIM/.ATTR}{78=/.SKEW}$width {R 16}, [$indexed]"},
    {0x927, 0, WB_TURING | WB_AMPERE, NULL, NULL,
     "ISBEWR{79=.???0/.O}{76:2=/.INVALID1/.INVALID2/.ATTR}{78=/.SKEW}$width [{R 24}], {R 32}"},
    {0x927, 0, WB_FROM_AMPERE_86, NULL, NULL,
     "ISBEWR{79=.???0/.O}{76:2=/.INVALID1/.INVALID2/.ATTR}{78=/.SKEW}$width [$indexed], {R 32}"},
    {0x324, 0, WB_VOLTA | WB_TURING, NULL, "78:2=0", "OUT.FINAL {R 24}"},
    {0x324, 0, WB_FROM_AMPERE, NULL, "78:2=0",
     "OUT.FINAL<16:8!=255? {16:8@none},> {R 24}<32:8!=255?, {32:8@none}>"},
    {0x324, 0, WB_FROM_VOLTA, NULL, "78:2=2", "OUT.CUT {R 16}, {R 24}, {32:8@none}"},
    {0x324, 0, WB_FROM_VOLTA, NULL, NULL, "OUT{79=.EMIT/.EMIT_THEN_CUT} {R 16}, {R 24}, {R 32}"},
    {0x924, 0, WB_FROM_VOLTA, NULL, NULL,
     "OUT{78:2=.???0/.EMIT/.???2/.EMIT_THEN_CUT} {R 16}, {R 24}, {s 32:32}"},
    {0xd24, 0, WB_FROM_TURING, NULL, "91=1",
     "OUT{78:2=.???0/.EMIT/.???2/.EMIT_THEN_CUT} {R 16}, {R 24}, {U 32}"},
    {0x920, 0, WB_FROM_VOLTA, NULL, NULL,
     "AL2P{79=/.O}{74:2=/.64/.96/.128} {R 16}, <24:8!=255?{R 24}, {s 40:11}><24:8=255?{x 40:10}>"},
    {0x326, 0, WB_FROM_VOLTA, NULL, NULL,
     "$pass{76:2=/.CENTROID/.OFFSET/!} {R 16}$hidden, $attribute<76:2=2?, {R 32}>"},
    {0x126, 0, WB_FROM_VOLTA, "45", NULL,
     "$pass{76:2=.???0/.???1/.OFFSET/.???3} {R 16}$hidden, $attribute, $v"},
    {0x526, 0, WB_FROM_TURING, NULL, "91=1",
     "$pass{76:2=/.CENTROID/.OFFSET/!} {R 16}$hidden, $attribute<76:2=2?, {R "
     "32}>"},
};

const struct wb_word_table wb_words128_warp = {rows, ROW_COUNT, texts, TEXT_COUNT};
