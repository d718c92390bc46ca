/* Words of 128 bits (Volta and later): matrices: tensor units, warp groups and tensor memory. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define UNNAMED ".???%u" /* what the disassembler prints for a combination without a name */

/* A place in tensor memory: a uniform register and an offset; or the offset alone. */
#define AT(BIT)                                                                                    \
  "tmem[<" BIT ":8!=255?{U " BIT "}{o 40:24,72:8}>"                                                \
  "<" BIT ":8=255&40:24,72:8=0?URZ><" BIT ":8=255&40:24,72:8!=0?{s 40:24,72:8}>]",                 \
      NULL

static const struct wb_word_text texts[] = {
    /* The uniform predicate of a product, which counts down; UPT is not printed. */
    {"up", "<87:4!=0?, {!90}{87:3=UPT/UP6/UP5/UP4/UP3/UP2/UP1/UP0}>", NULL},

    /* Operands: with and without a minus sign. sm_120 keeps only B for the next word. */
    {"a", "{R 24}{r 122}", NULL},
    {"b", "{R 32}{r 123}", NULL},
    {"ma", "{-72}{R 24}{r 122}", NULL},
    {"ma120", "{-72}{R 24}", NULL},
    {"mb", "{-63}{R 32}{r 123}", NULL},
    {"rc", "{R 64}{r 124}", NULL},
    {"df", "{-63}{|62}{R 32}{|62}{r 123}", NULL},
    {"round", "{78:2=/.RM/.RP/.RZ}", NULL},
    {"order", "{73=.ROW/.COL}", NULL},

    /* What a sparse product reads besides: which elements are there. */
    {"sparse", ", {R 40}{r 50}, {x 48:2}", NULL},
    {"sparseb", ", {R 40}, {x 48:2}", NULL},

    {"a75", "{R 24}{r 122}{73=.ROW/.???1}", NULL},
    {"b75", "{R 32}{r 123}{74=.???0/.COL}", NULL},

    {"to", "{76=.F16/.F32}", NULL},
    {"bf", "{82:2=/.BF16/.TF32/?}", NULL},

    {"size80", ".8816/?/.8832/?/.16816/.16832/.16864/?", NULL},
    {"sparse80", "?/?/.8832/.8864/?/.16832/.16864/.168128", NULL},
    {"size90", ".8816/?/?/?/.16816/.16832/?", NULL},
    {"sparse90", "?/?/.8832/?/?/.16832/.16864/?", NULL},
    {"size100", "?/?/?/?/.16816/.16832/?", NULL},
    {"sparse100", "?/?/?/?/?/.16832/.16864/?", NULL},
    {"sign", ".U8/.S8/.???2/.???3/.???4/.???5/.???6/.???7", NULL},
    {"sign4", ".???0/.???1/.???2/.???3/.U4/.S4/.???6/.???7", NULL},
    {"int", ".U8/.S8/?/?/.U4/.S4/?/?", NULL},
    {"int90", ".U8/.S8/?", NULL},

    {"e8", "{78=.E4M3/.E5M2}{79=.E4M3/.E5M2}", NULL},
    {"e120", "{78,82,83@e}{79,84,85@e}", NULL},
    {"e", ".E4M3/.E5M2/!/.E3M2/.E2M3/.E2M1/?/?", NULL},
    {"scales", ", {R 40}, {R 52}{r 51}, {U 60:3,73:5}", NULL},

    /* Products of a warp group: a descriptor of matrices in shared memory, the barrier. */
    {"da", "gdesc[{U 24}]", NULL},
    {"db", "gdesc[{U 32}]", NULL},
    {"group", "<84:3=0? gsb0><84:3!=0? ???{i 84:3}>", NULL},
    {"gsb", "<84:3!=7?, {84:3=gsb0/?}>", NULL},
    {"gsparse", "<73=1?, {R 40}, {x 48:2}>", NULL},
    {"gsparse0", "<73=1?, {R 40}<48:2!=0?, {x 48:2}>>", NULL},
    {"sp", "<73=1?.SP><73=1&74=1?.REGOFFSET>", NULL},
    {"hsize",
     "<73=0?<59=0?.64x{i 53:5*8+8}x{58=16/8}><59=1?.INVALID{i 53:7}>>"
     "<73=1?<58=0?.64x{i 53:5*8+8}x{59=16/32}><58=1?.INVALID{i 53:7}>>",
     NULL},
    {"qsize",
     "<73=0?<58=0?.64x{i 53:5*8+8}x32><58=1?.INVALID{i 53:6}>>"
     "<73=1?<58=1?.64x{i 53:5*8+8}x64><58=0?.INVALID{i 53:6}>>",
     NULL},
    {"isize", "<73=0?{53:6@isize32}><73=1?{53:6@isize64}>", NULL},
    {"isize32",
     ".64x8x32/?/?/.64x16x32/?/?/.64x24x32/?/?/.64x32x32/?/?/.64x48x32/?/?/.64x64x32/?/?/.64x80x32/"
     "?/?/.64x96x32/?/?/.64x112x32/?/?/.64x128x32/?/?/.64x144x32/?/?/.64x160x32/?/?/.64x176x32/?/?/"
     ".64x192x32/?/?/.64x208x32/?/?/.64x224x32/?/?/.64x240x32/?/?/.64x256x32",
     NULL},
    {"isize64",
     ".INVALID0/.64x8x64/?/?/.64x16x64/?/?/.64x24x64/?/?/.64x32x64/?/?/.64x48x64/?/?/.64x64x64/?/?/"
     ".64x80x64/?/?/.64x96x64/?/?/.64x112x64/?/?/.64x128x64/?/?/.64x144x64/?/?/.64x160x64/?/?/"
     ".64x176x64/?/?/.64x192x64/?/?/.64x208x64/?/?/.64x224x64/?/?/.64x240x64/?/?/.64x256x64",
     NULL},
    {"bsize",
     ".64x8x256/.64x16x256/.64x24x256/.64x32x256/.64x48x256/.64x64x256/.64x80x256/.64x96x256/"
     ".64x112x256/.64x128x256/.64x144x256/.64x160x256/.64x176x256/.64x192x256/.64x208x256/"
     ".64x224x256/.64x240x256/.64x256x256",
     NULL},
    {"hgmma", "HGMMA$sp$hsize{75=.F16/.F32}{76:2=/.BF16/.TF32/!} {R 16}", NULL},
    {"qgmma", "QGMMA$sp$qsize{75=.F16/.F32}{76=.E4M3/.E5M2}{77=.E4M3/.E5M2} {R 16}", NULL},
    {"igmma", "IGMMA$sp$isize{76:2@int90}{82:2@int90}<75=1?.SAT> {R 16}", NULL},
    {"bgmma", "BGMMA{53:6@bsize}{77:2=.???0/.???1/.AND/.???3}{80=.???0/.POPC} {R 16}", NULL},

    /* Tensor memory. */
    {"at24", AT("24")},
    {"at32", AT("32")},
    {"at64", AT("64")},
    {"lanes", ".16dp128bit/.16dp256bit//.16dp64bit/.16dp32bit_t0_t15/.16dp32bit_t16_t31", NULL},
    {"lanesstat", ".INVALID0/.INVALID1//.INVALID3/.16dp32bit_t0_t15/.16dp32bit_t16_t31", NULL},
    {"times", "/.x2/.x4/.x8/.x16/.x32/.x64/.x128", NULL},
    {"copied",
     "/.INVALID1/.4dp256bit/.128dp128bit/.2x64dp128bit_lw02_lw13/"
     ".2x64dp128bit_lw01_lw23/.4x32dp128bit",
     NULL},
    {"2cta", "<85=1?.2CTA>", NULL},
    {"keepa", "<86=1?.A_REUSE><84=1?.A_KEEP>", NULL},
    {"keepb", "<85=0?<82=1?.B_REUSE><81=1?.B_KEEP>>", NULL},
    {"buffer", "<85=0?{79:2=/.BUFFER1/.BUFFER2/.BUFFER3}>", NULL},
    {"more", "tmem[{U 64}], tmem[{U 40:8}], idesc[<40:8=255?URZ><40:8!=255?{U 40:8+1}>]", NULL},
    {"on", "{!90}{UP 87}", NULL},
    {"utcomma", "[{U 24}]$keepa, gdesc[{U 32}], $more, tmem[{U 48:8}], $on", NULL},
    {"mask", "<72=0&75:4!=0?, {x 75:4}>", NULL},
};

#define WB_VOLTA_TURING (WB_VOLTA | WB_TURING)
#define WB_AMPERE_86_ADA (WB_AMPERE_86 | WB_ADA)
#define WB_FROM_86_TO_100 (WB_FROM_AMPERE_86 & ~WB_BLACKWELL_120)
#define WB_HOPPER_BLACKWELL (WB_HOPPER | WB_BLACKWELL)

#define HMMA "{76=.F16/.F32}$bf {R 16}, "
#define SIZES ".1688/.16816/.1684/?"
#define SPARSE_SIZES ".1688/.16816/?/.16832"

/* IMMA with the sizes, SINCE an architecture, of texts[]. */
#define IMMA(ARCHITECTURES, SINCE, INT, A, UP, SPARSE)                                             \
  {0x237,                                                                                          \
   0,                                                                                              \
   ARCHITECTURES,                                                                                  \
   NULL,                                                                                           \
   "72=0",                                                                                         \
   "IMMA{75,85,86@size" SINCE "}{76:2,83@" INT "}{78:2,84@" INT "}<82=1?.SAT> {R 16}, " A          \
   ", $b75, {R 64}" UP},                                                                           \
  {                                                                                                \
    0x237, 0, ARCHITECTURES, NULL, "72=1",                                                         \
        "IMMA.SP{75,85,86@sparse" SINCE "}{76:2,83@" INT "}{78:2,84@" INT                          \
        "}<82=1?.SAT> {R 16}, " A ", $b75, {R 64}" UP SPARSE                                       \
  }

/* With matrix A in shared memory or in registers. */
#define GMMA(OPCODE, TEXT, SIGN, SHARED, REGISTER, SPARSE)                                         \
  {0x9f0 | (OPCODE), 0, WB_HOPPER, NULL, NULL, TEXT ", $da" SHARED ", {R 64}$up" SPARSE "$gsb"},   \
  {                                                                                                \
    0xdf0 | (OPCODE), 0, WB_HOPPER, NULL, NULL,                                                    \
        TEXT ", " SIGN "{R 24}, $db" REGISTER ", {R 64}$up" SPARSE "$gsb"                          \
  }

/* UTC*MMA: products of matrices in shared and tensor memory; A is in MEMORY. */
#define UTCMMA(OPCODE, MEMORY, SHIFT)                                                              \
  {OPCODE, 0,      WB_BLACKWELL_100 | WB_BLACKWELL_101,                                            \
   NULL,   "63=1", "^UTCOMMA$2cta<62=0?.4X> " MEMORY "$utcomma"},                                  \
      {OPCODE, 0,      WB_BLACKWELL_103,                                                           \
       NULL,   "63=1", "^UTCOMMA$2cta<62=0?.BLOCK16> " MEMORY "$utcomma"},                         \
  {                                                                                                \
    OPCODE, 0, WB_BLACKWELL, NULL, NULL,                                                           \
        "^UTC{72:2=H/I/!/Q}MMA$2cta<83=1?.WS>" SHIFT " " MEMORY                                    \
        "[{U 24}]$keepa, gdesc[{U 32}]$keepb$buffer, $more<48:8!=255?, {U 48:8}>, $on$mask"        \
  }

static const struct wb_word_row rows[] = {
    {0x236, 0, WB_VOLTA_TURING, NULL, "75=0",
     "HMMA.884{76,78=.F16.F16/.F32.F16/!/.F32.F32}<76=0?{79:2=.STEP0/.STEP1/?}>"
     "<76=1?{79:2=.STEP0/.STEP1/.STEP2/.STEP3}><77=1?.SATFINITE> {R 16}, "
     "$ma$order, $mb{74=.ROW/.COL}, $rc"},
    {0x236, 0, WB_VOLTA, NULL, "75=1",
     "HMMA.444{76,78=.F16.F16/.F32.F16/!/.F32.F32}<76=1?{79:2=.STEP0/.STEP1/?}><77=1?.SATFINITE> "
     "{R 16}, "
     "$ma$order, $mb{74=.ROW/.COL}, $rc"},
    {0x23c, 0, WB_TURING, NULL, NULL,
     "HMMA{75,78=" SIZES "}$to<77=1?.SATFINITE> {R 16}, $ma, $mb, {R 64}"},
    {0x23c, 0, WB_AMPERE, NULL, "73=0", "HMMA{75,78=" SIZES "}" HMMA "$ma, $mb, {R 64}"},
    {0x23c, 0, WB_AMPERE, NULL, NULL,
     "HMMA.SP{75,78=" SPARSE_SIZES "}" HMMA "$ma, $mb, {R 64}$sparse"},
    {0x23c, 0, WB_FROM_86_TO_100, NULL, "73=0", "HMMA{75,78=" SIZES "}" HMMA "$ma, $mb, {R 64}$up"},
    {0x23c, 0, WB_FROM_86_TO_100, NULL, NULL,
     "HMMA.SP{75,78=" SPARSE_SIZES "}" HMMA "$ma, $mb, {R 64}$up$sparse"},
    {0x23c, 0, WB_BLACKWELL_120, NULL, "73=0",
     "HMMA{75,78=" SIZES "}" HMMA "$ma120, $mb, {R 64}$up"},
    {0x23c, 0, WB_BLACKWELL_120, NULL, NULL,
     "HMMA.SP{75,78=" SPARSE_SIZES "}" HMMA "$ma120, $mb, {R 64}$up$sparseb"},

    {0x237, 0, WB_VOLTA_72, NULL, NULL,
     "IMMA{75=.8816/.???1}{76:2=.U8/.S8/.U16/.S16}{78:2=.U8/.S8/.???2/.???3}"
     "<77=1?{80=.STEP0/.STEP1}><82=1?.SAT> {R 16}, $a75, $b75, $rc"},
    {0x237, 0, WB_TURING, NULL, "83=0",
     "IMMA{75,85=.8816/.???1/.???2/.???3}{76:2,83@sign}{78:2,84@sign}<82=1?.SAT> {R 16}, $a75, "
     "$b75, $rc"},
    {0x237, 0, WB_TURING, NULL, NULL,
     "IMMA{75,85=.???0/.???1/.8832/.???3}{76:2,83@sign4}{78:2,84@sign4}<82=1?.SAT> {R 16}, $a75, "
     "$b75, $rc"},
    IMMA(WB_AMPERE, "80", "int", "$a75", "", "$sparse"),
    IMMA(WB_AMPERE_86_ADA, "80", "int", "$a75", "$up", "$sparse"),
    IMMA(WB_HOPPER, "90", "int90", "$a75", "$up", "$sparse"),
    IMMA(WB_BLACKWELL, "100", "int90", "$a75", "$up", "$sparse"),
    IMMA(WB_BLACKWELL_120, "100", "int90", "{R 24}{73=.ROW/.???1}", "$up", "$sparseb"),

    {0x23d, 0, WB_TURING, NULL, NULL,
     "BMMA{75:2=.88128/.???1/.???2/.???3}{77=.XOR/.???1}{80=.???0/.POPC} {R 16}, $a75, $b75, $rc"},
    {0x23d, 0, WB_AMPERE, NULL, NULL,
     "BMMA{75:2=.88128/.168128/.168256/?}{77:2=.XOR/?/.AND/?}{80=.???0/.POPC} {R 16}, $a75, $b75, "
     "{R 64}"},
    {0x23d, 0, WB_AMPERE_86_ADA, NULL, NULL,
     "BMMA{75:2=.88128/.168128/.168256/?}{77:2=.XOR/?/.AND/?}{80=.???0/.POPC} {R 16}, $a75, $b75, "
     "{R 64}$up"},
    {0x23d, 0, WB_HOPPER, NULL, NULL,
     "BMMA{75:2=.88128/.168128/.168256/?}{77:2=.???0/.???1/.AND/.???3}{80=.???0/.POPC} {R 16}, "
     "$a75, $b75, {R 64}$up"},

    {0x23f, 0, WB_AMPERE, NULL, NULL,
     "DMMA{76=.884/.???1}$round {R 16}, $fa, $df, {-75}{|74}{R 64}{|74}"},
    {0x23f, 0, WB_AMPERE_86_ADA, NULL, NULL,
     "DMMA{76=.884/.???1}$round {R 16}, $fa, $df, {-75}{|74}{R 64}{|74}$up"},
    {0x23f, 0, WB_HOPPER, NULL, NULL,
     "DMMA{76:2=.8x8x4/.16x8x4/.16x8x8/.16x8x16}$round {R 16}, $fa, $df, {-75}{|74}{R 64}{|74}$up"},
    {0x23f, 0, WB_BLACKWELL, NULL, NULL,
     "DMMA{76:2=.8x8x4/?}$round {R 16}, $fa, $df, {-75}{|74}{R 64}{|74}$up"},
    {0x23f, 0, WB_BLACKWELL_120, NULL, NULL,
     "DMMA{76:2=.8x8x4/?}$round {R 16}, {-72}{|73}{R 24}{|73}, {-63}{|62}{R 32}{|62}, "
     "{-75}{|74}{R 64}{|74}$up"},

    {0x27a, 0, WB_ADA, NULL, "80=0",
     "QMMA{75:2=.16816/.16832/?}{77=.F16/.F32}$e8 {R 16}, {-72}$a75, {-63}$b75, {R 64}$up"},
    {0x27a, 0, WB_ADA, NULL, NULL,
     "QMMA.SP<81=1?.REGOFFSET>{75:2=?/.16832/.16864/?}{77=.F16/.F32}$e8 {R 16}, {-72}$a75, "
     "{-63}$b75, {R 64}$up$sparse"},
    {0x27a, 0, WB_BLACKWELL_120, NULL, "80=0",
     "QMMA{75:2=.16816/.16832/?}{77=.F16/.F32}$e120 {R 16}, $ma120, $mb, {R 64}$up"},
    {0x27a, 0, WB_BLACKWELL_120, NULL, NULL,
     "QMMA.SP{75:2=?/.16832/.16864/?}{77=.F16/.F32}$e120 {R 16}, $ma120, $mb, {R 64}$up$sparseb"},
    {0x47a, 0, WB_BLACKWELL_120, NULL, NULL,
     "QMMA.SF{80=.16832/.SP.16864}.F32$e120.E8 {R 16}, $ma120, $mb, {R 64}$up$scales<80=1?, {x "
     "48:2}>"},
    {0x47f, 0, WB_BLACKWELL_120, NULL, NULL,
     "OMMA.SF{80=.16864/.SP.168128}.F32.E2M1.E2M1{82=.E8/.UE4M3}<83=0?.4X> {R 16}, $ma120, $mb, "
     "{R 64}$up$scales<80=1?, {x 48:2}>"},
    {0x47e, 0, WB_BLACKWELL_120, NULL, NULL,
     "MXQMMA.SF.16832.F32.S2_6.S2_6.E8 {R 16}, {R 24}, $b, {R 64}$up$scales"},

    {0x23a, 0, WB_FROM_TURING & ~WB_FROM_BLACKWELL, NULL, NULL,
     "MOVM{75:3=.16/!/!/!/!/?}{78:2=.MT88/.M832/.M864/?} {R 16}, {R 24}"},
    {0x23a, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "MOVM{75:3=.16/.U4TO8/!/!/!/?}{78:2=.MT88/.M832/.M864/?} {R 16}, {R 24}"},

    GMMA(0, "$hgmma", "{-72}", "<72=1?.negA><63=1?.negB><61=1?.tnspA><62=1?.tnspB>",
         "<63=1?.negB><62=1?.tnspB>", "$gsparse"),
    GMMA(1, "$igmma", "", "", "", "$gsparse0"),
    GMMA(2, "$bgmma", "", "", "", ""),
    GMMA(3, "$qgmma", "{-72}", "<72=1?.negA><63=1?.negB>", "<63=1?.negB>", "$gsparse0"),
    {0x9c5, 0, WB_HOPPER, NULL, NULL,
     "WARPGROUP{79:2=.ARRIVE/.WAIT/.DEPBAR/!}<80=1?{47=.???0/.LE}$group, {x 72:3}>"},
    {0xd5e, 0, WB_HOPPER, NULL, NULL, "WARPGROUPSET{79=.AC/.SB} {U 32}<79=1?,$group>"},

    {0x9ee, 0, WB_BLACKWELL, NULL, NULL,
     "^LDTM{81:2,87@lanes}{83:3@times}<80=1?.PACK16BIT> {R 16}, $at32"},
    {0x5ee, 0, WB_BLACKWELL, NULL, NULL,
     "^LDTM.STAT{81:2,87@lanesstat}{83:3=?/.x2/.x4/.x8/.x16/.x32/.x64/.x128}"
     "{66:2=.MAX/.MAXABS/.MIN/.MINABS}{64:2=/.S32/.F32/?}<68=1?.NAN> {R 24}, {R 16}, "
     "$at32"},
    {0x9ed, 0, WB_BLACKWELL, NULL, NULL,
     "^STTM{81:2,87@lanes}{83:3@times}<80=1?.EXPAND16BIT> $at64, {R 32}"},

    {0x3e3, 0, WB_BLACKWELL, NULL, NULL, "^UTCATOMSWS$2cta.CAS {UP 81}, {U 16:8}, {U 32}, {U 64}"},
    {0x5e3, 0, WB_BLACKWELL, NULL, NULL,
     "^UTCATOMSWS$2cta.FIND_AND_SET<75=1?.ALIGN> {UP 81}, {U 16:8}, {U 32}"},
    {0x9e3, 0, WB_BLACKWELL, NULL, NULL, "^UTCATOMSWS$2cta{87=.AND/.OR} {U 16:8}, {U 32}"},
    {0x9e9, 0, WB_BLACKWELL, NULL, NULL, "^UTCBAR<85=1?.???1>.FLUSH"},
    {0x3e9, 0, WB_BLACKWELL, NULL, NULL,
     "^UTCBAR$2cta<77=1?.A0TX><85=0&76=1?.WAKEUP><75=1?.MULTICAST> [{U 24}], {U 32}<64:8!=255?, {U "
     "64}>"},
    {0x9e7, 0, WB_BLACKWELL, NULL, NULL,
     "^UTCCP{86=.T/.???1}{87=.S/.???1}$2cta{83:2,88@copied}{80:2=/.U4x16P64/.U6x16P32/?} "
     "$at24, gdesc[{U 32}]"},
    {0x9e6, 0, WB_BLACKWELL, NULL, NULL, "^UTCSHIFT$2cta{80=.???0/.DOWN} $at24"},
    UTCMMA(0x5ea, "gdesc", ""),
    UTCMMA(0x9ea, "tmem", "<74=1?.ASHIFT>"),
    {0xdea, 0, WB_BLACKWELL, NULL, NULL,
     "^UTCQMMA$2cta gdesc[{U 24}]$keepa, gdesc[{U 32}], $more, tmem[{U 48:8}], $on"},
    {0xfea, 0, WB_BLACKWELL, NULL, NULL,
     "^UTCQMMA$2cta tmem[{U 24}]$keepa, gdesc[{U 32}], $more, tmem[{U 48:8}], $on"},
};

const struct wb_word_table wb_words128_tensor = {rows, ROW_COUNT, texts, TEXT_COUNT};
