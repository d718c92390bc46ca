/* Words of 128 bits (Volta and later): loads, stores, atomic operations and caches. */
#include "isa/encoding/words128/words128.h"
#include "isa/encoding/words128/words128_memory_lists.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define TURING_AND_VOLTA (WB_VOLTA | WB_TURING)
#define AMPERE_TO_ADA (WB_AMPERE | WB_AMPERE_86 | WB_ADA)

/* An address: a register, an offset of 24 bits and, at bit LO, a uniform register; the width of the
 * register is told by bit WIDE. */
#define WITH_UNIFORM(LO, WIDE)                                                                     \
  "[<24:8!=255?{R 24}{" WIDE "=.U32/.64}+>{U " LO "}{o 40:24}]" /* Turing to Ada */
/* Ampere and Ada print the descriptor where bit 101 is set. */
#define WIDE_ALONE(LO) "<101=1?desc[{U " LO "}]>[{R 24}.64{o 40:24}]"
#define WITH_UNIFORM_90(LO, WIDE, OFFSET)                                                          \
  "[<" WIDE "=1&24:8=255????255><" WIDE "=0&24:8=255?RZ><24:8!=255?{R 24}>{" WIDE                  \
  "=.U32/.64}+{U " LO "}{o " OFFSET "}]"
#define DESCRIBED(LO, OFFSET) "desc[{U " LO "}][{R 24}.64{o " OFFSET "}]"
#define SHARED_UNIFORM(LO) "[<24:8!=255?{R 24}+>{U " LO "}{o 40:24}]"
#define SCALED_UNIFORM(LO)                                                                         \
  "[<24:8!=255?{R 24}$scale+><24:8=255&78:2!=0?RZ$scale+>{U " LO "}{o 40:24}]"

/* .E, which an address of 64 bits has to have, where the width of the register is told by WIDE.
 * Until Ada an address without a register has no width. */
#define EXTENDED(WIDE) "<72=1?.E><72=0&" WIDE "=1?.???0>"
#define EXTENDED_75(WIDE) "<72=1?.E><72=0&" WIDE "=1&24:8!=255?.???0>"
#define EXTENDED_80(WIDE, DESC) EXTENDED_75(WIDE) "<72=0&" DESC "=1&24:8=255?.???0>"

static const struct wb_word_text texts[] = {
    WB_MEMORY_LISTS,
    {"size70", ".U8/.S8/.U16/.S16//.64/.128/.U.128", NULL},
    {"sharedsize", ".U8/.S8/.U16/.S16//.64/.128", ".???%u"},
    {"constantsize", ".U8/.S8/.U16/.S16//.64", ".INVALID%u"},
    {"evictl2", ".EFL2/.ENL2/.ELL2/.RML2", NULL},
    {"evictl2s", ".EFL2/.ENL2/.ELL2", ".INVALID%u"},
    {"prefetch", "/.LTC64B/.LTC128B", ".INVALID%u"},
    {"prefetch80", "/.LTC64B/.LTC128B/.LTC256B", NULL},
    {"scaling", "/.X4/.X8/.X16", NULL},
    /* memory order and scope: of Volta and Turing, then of all that follow */
    {"weak", ".CONSTANT//.STRONG/.MMIO", NULL},
    {"ordered",
     "/" WB_CONSTANT_ORDERS "/.STRONG.SM.PRIVATE/" WB_STRONG_ORDERS
     "/.SYS.ORDERED/.STRONG.SYS.ORDERED/.MMIO.SYS.ORDERED",
     NULL},
    {"orderl2", /* with .RML2 */
     ".???1.???0/.???0.???0.PRIVATE/.???0.???1/.???0.???1.PRIVATE/.STRONG.???2.PRIVATE/.STRONG.???2"
     "/.STRONG.GPU.PRIVATE/.STRONG.GPU/.???3.GPU/.???0.???2/.STRONG.???5/.???0.???2.PRIVATE"
     "/.???3.???5/.???0.???3/.???0.???3.PRIVATE/.???0.GPU",
     NULL},
    {"orderremote",
     "/.???0.PRIVATE/.???0.???1/.???0.???1.PRIVATE/.???2.PRIVATE/.???2.???1/.???3.PRIVATE"
     "/.???2.???3/.???3.???4/.???0.???2/.???2.SYS/.???0.???2.PRIVATE/.???3.SYS/.???0.???3"
     "/.???0.???3.PRIVATE/.???0.???4",
     NULL},
    /* atomic operations and their types */
    {"atom", ".ADD/.MIN/.MAX/.INC/.DEC/.AND/.OR/.XOR/.EXCH", ".INVALID%u"},
    {"reduce", ".ADD/.MIN/.MAX/.INC/.DEC/.AND/.OR/.XOR", ".INVALID%u"},
    {"atomfloat", ".ADD/.MIN/.MAX", ".INVALID%u"},
    {"type", "/.S32/.64/.F32.FTZ.RN/.F16x2.RN/.S64/.F64.RN", ".INVALID%u"},
    {"castype", "/.S32/.64", ".INVALID%u"},
    {"type90", "/.S32/.64/.S64/.128", ".INVALID%u"},
    {"reducetype90", "/.S32/.64/.S64", ".INVALID%u"},
    {"castype90", "/.S32/.64/.INVALID3/.128", ".INVALID%u"},
    {"floattype90",
     ".F16x2.RN/.F16x4.RN/.F16x8.RN/.BF16x2.RN/.BF16x4.RN/.BF16x8.RN/.INVALID6/.INVALID7/.INVALID8"
     "/.F32.FTZ.RN/.F32x2.FTZ.RN/.F32x4.FTZ.RN/.F32.RN/.F32x2.RN/.F32x4.RN/.F64.RN",
     ".INVALID%u"},

    {"uniformbank", "cx[{U 24}][<64:8!=255?{R 64}{o 38:16}><64:8=255?{x 38:16}>]", NULL},
    {"counttype", ".32/.???1/.???2/.???3/.???4/.???5/.???6/.???7", NULL},
    {"arrivetype", ".???0/.???1/.64/.???3/.???4/.???5/.???6/.???7", NULL},
    {"counted", SCALED_UNIFORM("64"), NULL},
    {"countat90", WITH_UNIFORM_90("64", "70", "40:24"), NULL},
    {"countat100", WITH_UNIFORM_90("64", "63", "40:23"), NULL},
    {"multi", ".ADD/.MIN/.MAX/.INVALID3/.INVALID4/.AND/.OR/.XOR", ".INVALID%u"},
    {"multitype", ".32/.S32/.64/.S64", ".INVALID%u"},
    {"multifloat90",
     ".F16x2.RN/.F16x4.RN/.F16x8.RN/.BF16x2.RN/.BF16x4.RN/.BF16x8.RN/.INVALID6/.INVALID7/.INVALID8"
     "/.INVALID9/.INVALID10/.INVALID11/.F32.RN/.F32x2.RN/.F32x4.RN/.F64.RN",
     ".INVALID%u"},
    {"multifloat100",
     ".F16x2.RN/.F16x4.RN/.F16x8.RN/.BF16x2.RN/.BF16x4.RN/.BF16x8.RN/!/!/!"
     "/.INVALID9/.INVALID10/.INVALID11/.F32.RN/.F32x2.RN/.F32x4.RN/.F64.RN/.INVALID16/.E5M2x4.RN"
     "/.E5M2x8.RN/.E5M2x16.RN/.E4M3x4.RN/.E4M3x8.RN/.E4M3x16.RN",
     ".INVALID%u"},
    {"multiat100",
     "<82=0?" WITH_UNIFORM_90("64", "81", "40:24") "><82=1?" DESCRIBED("64", "40:24") ">", NULL},
    {"scale", "{78:2@scaling}", NULL},
    {"e", "<72=1?.E>", NULL},
    {"load70", "{84:3@evict}{73:3@size70}{79:2@weak}{77:2@scope}<76=1?.PRIVATE>", NULL},
    {"load75",
     "{84:3@evict}{68:2@prefetch}{73:3@size70}{79:2@weak}{77:2@scope}"
     "<76=1?.PRIVATE>",
     NULL},
    {"load80", "{84:3@evict}{68:2@prefetch80}{73:3@size}{77:4@order}", NULL},
    {"store70", "{84:3@evict}{73:3@size70}{79:2@weakstore}{77:2@scope}<76=1?.PRIVATE>", NULL},
    {"store80", "{84:3@evict}{73:3@size}{77:4@orderstore}", NULL},
    {"store100", "{84:3@evict}{73:3@size}{77:4@ordered}", NULL},
    {"atomg", ".ADD/.MIN/.MAX/.INC/.DEC/.AND/.OR/.XOR/.EXCH/.SAFEADD", ".INVALID%u"},
    {"atom70", "{84:3@evict}{73:3@type}$atomscope", NULL},
    {"reduce70", "{87:3@reduce}{84:3@evict}{73:3@type}$atomscope", NULL},
    {"cas", "<87=0?.CAS><87=1?.CAST<88=1?.SPIN>>", NULL},
    {"cas70", "{84:3@evict}{73:3@castype}$atomscope", NULL},
    {"atomscope", "{79:2@weakatom}{77:2@scope}<76=1?.PRIVATE>", NULL},
    {"atom80", "{84:3@evict}{73:4@type}{77:4@orderstore}", NULL},
    {"reduce80", "{87:3@reduce}{84:3@evict}{73:4@type}{77:4@orderstore}", NULL},
    {"cas80", "{84:3@evict}{73:4@castype}{77:4@orderstore}", NULL},
    {"atom90", "{84:3@evict}{73:3@type90}{77:4@orderstore}", NULL},
    {"reduce90", "{87:3@reduce}{84:3@evict}{73:3@reducetype90}{77:4@orderstore}", NULL},
    {"cas90", "{84:3@evict}{73:3@castype90}{77:4@orderstore}", NULL},
    {"float90", "{88:2@atomfloat}{84:3@evict}{73:4,87:1@floattype90}{77:4@orderstore}", NULL},

    {"set70", "<87=1?.ZD {P 81},><87=0&81:3!=7? {P 81},>", NULL},
    {"set80", "<81:3!=7? {P 81},>", NULL},
    {"zero", "<87=1?.ZD {P 81},>", NULL},
    /* a predicate that is read, its number upside down */
    {"unless", "<64:4!=0?, {!67}{64:3@down}>", NULL},
    {"unless87", "<87:4!=0?, {!90}{87:3@down}>", NULL},
    {"down", "PT/P6/P5/P4/P3/P2/P1/P0", NULL},

    {"register", "[<24:8!=255?{R 24}{o 40:24}>$low]", NULL},
    {"low", "<24:8=255&40:24=0?RZ><24:8=255&40:24!=0?{x 40:24}>", NULL},
    {"signed",
     "[<24:8!=255?{R 24}{o 40:24}><24:8=255&40:24=0?RZ>"
     "<24:8=255&40:24!=0?{s 40:24}>]",
     NULL},
    {"scaled", "[<24:8!=255?{R 24}$scale{o 40:24}>$low]", NULL},
    {"far",
     "[<24:8!=255?{R 24}{o 32:32}><24:8=255&32:32=0?RZ>"
     "<24:8=255&32:32!=0?{x 32:32}>]",
     NULL},
    {"loadat75", WITH_UNIFORM("32", "90"), NULL},
    {"loadat80", "<76=0?$loadat75><76=1?" WIDE_ALONE("32") ">", NULL},
    {"loadat90",
     "<76=0?" WITH_UNIFORM_90("32", "90", "40:24") "><76=1?" DESCRIBED("32", "40:24") ">", NULL},
    {"load256at",
     "<76=0?[<24:8!=255?{R 24}{75=.U32/.64}+>{U 32}{o 40:17*32}]>"
     "<76=1?desc[{U 32}][{R 24}.64{o 40:17*32}]>",
     NULL},
    {"storeat75", WITH_UNIFORM("64", "90"), NULL},
    {"storeat80", "<76=0?$storeat75><76=1?" WIDE_ALONE("64") ">", NULL},
    {"storeat90",
     "<76=0?" WITH_UNIFORM_90("64", "90", "40:24") "><76=1?" DESCRIBED("64", "40:24") ">", NULL},
    {"atomat75", WITH_UNIFORM("64", "70"), NULL},
    {"atomat80", "<71=0?$atomat75><71=1?" WIDE_ALONE("64") ">", NULL},
    {"atomat90",
     "<71=0?" WITH_UNIFORM_90("64", "70", "40:24") "><71=1?" DESCRIBED("64", "40:24") ">", NULL},
    {"atomat100",
     "<76=0?" WITH_UNIFORM_90("64", "63", "40:23") "><76=1?" DESCRIBED("64", "40:23") ">", NULL},
    {"floatat100",
     "<90=0?" WITH_UNIFORM_90("64", "63", "40:23") "><90=1?" DESCRIBED("64", "40:23") ">", NULL},
    {"reduceat80", "<71=0?$storeat75><71=1?" WIDE_ALONE("64") ">", NULL},
    {"reduceat90",
     "<71=0?" WITH_UNIFORM_90("64", "90", "40:24") "><71=1?" DESCRIBED("64", "40:24") ">", NULL},
    {"reduceat100",
     "<81=0?" WITH_UNIFORM_90("64", "90", "40:24") "><81=1?" DESCRIBED("64", "40:24") ">", NULL},
    {"localat75", SHARED_UNIFORM("32"), NULL},
    {"localat80", "<76=0?$localat75><76=1?<101=1?desc[{U 32}]>[{R 24}{o 40:24}]>", NULL},
    {"localat90", "<76=0?$localat75><76=1?desc[{U 32}][{R 24}{o 40:24}]>", NULL},
    {"localto75", SHARED_UNIFORM("64"), NULL},
    {"localto80", "<76=0?$localto75><76=1?<101=1?desc[{U 64}]>[{R 24}{o 40:24}]>", NULL},
    {"localto90", "<76=0?$localto75><76=1?desc[{U 64}][{R 24}{o 40:24}]>", NULL},
    {"remote",
     "[<90=0?{R 24}.U32+{U 64}><90=1&24:8=255????255.64><90=1&24:8!=255?{R 24}.64>"
     "<90=1&64:8!=255?+{U 64}>{o 40:24}]",
     NULL},
    {"remotely",
     "[<72=0?{R 24}.U32+{U 64}><72=1&24:8=255????255.64><72=1&24:8!=255?{R 24}.64>"
     "<72=1&64:8!=255?+{U 64}>{o 40:24}]",
     NULL},

    /* matrices */
    {"matrix", ".16", ".INVALID%u"},
    {"matrix100", ".16/.U4TO8/!/!/!/.U4x16P64TO8/.U6x16P32TO8/.8", NULL},
    {"shape", ".M88/.MT88/.M816/.M832", NULL},
    {"shape100", ".M88/.MT88/.M816/.M832/.MT1616", ".INVALID%u"},
    {"count", "/.2/.4", ".INVALID%u"},
    /* caches */
    {"cache", "/.U/.C/.I", ".???%u"},
    {"cacheop", ".PF1/.PF2/.WB/.IV/!/.RS/!/!/!/.PML2/.DML2/.RML2", ".???%u"},
    {"cacheat", ".PF1/.PF2/.WB/.IV/.???4/.RS/.???6/.???7/.???8/.PML2/.DML2/.RML2", ".???%u"},
    {"cacheall", ".???0/.???1/.???2/.???3/.IVALL/.RS/.IVALLP/.WBALL/.WBALLP", ".???%u"},
    {"localop", ".PF1/.PF2/.WB/.IV/!/.RS", ".???%u"},
    {"kind", ".???0/.???1/.C", ".???%u"},
    {"invalidate", ".???0/.???1/.???2/.IV", ".???%u"},
    {"invalidateall", ".???0/.???1/.???2/.???3/.IVALL", ".???%u"},
    {"fence", ".SC/.ALL//.INVALID3", NULL},
    {"fence80", ".SC/.ALL//.MMIO", NULL},
    {"fencescope", ".CTA/.SM/.GPU/.SYS/.INVALID4/.VC", ".INVALID%u"},
    {"fencescope90", ".CTA/.SM/.GPU/.SYS/.INVALID4/.VC/.CTA.PARTIAL", ".INVALID%u"},
    {"space", ".G/.L/.S", ".INVALID%u"},
    {"space90", ".G/.L/.S/.D", NULL},
    {"vector", "/.64/.96/.128", NULL},
};

static const struct wb_word_row rows[] = {
    /* generic and global loads */
    {0x980, 0, WB_VOLTA, NULL, NULL, "LD$e$load70$zero {R 16}, $far"},
    {0x980, 0, WB_TURING, NULL, "91=0", "LD$e$load75$zero {R 16}, $far$unless"},
    {0x980, 0, WB_FROM_AMPERE, NULL, "91=0", "LD$e$load80 {R 16}, $far$unless"},
    {0x980, 0, WB_TURING, NULL, NULL,
     "LD" EXTENDED_75("90") "$load75$zero {R 16}, $loadat75$unless"},
    {0x980, 0, AMPERE_TO_ADA, NULL, NULL,
     "LD" EXTENDED_80("90", "76") "$load80 {R 16}, $loadat80$unless"},
    {0x980, 0, WB_FROM_HOPPER, NULL, NULL, "LD" EXTENDED("90") "$load80 {R 16}, $loadat90$unless"},
    {0x381, 0, WB_VOLTA, NULL, NULL, "LDG$e$load70$set70 {R 16}, $register"},
    {0x381, 0, WB_TURING, NULL, NULL, "LDG$e$load75$set70 {R 16}, $register$unless"},
    {0x381, 0, WB_FROM_AMPERE, NULL, NULL, "LDG$e$load80$set80 {R 16}, $register$unless"},
    {0x981, 0, WB_TURING, NULL, NULL,
     "LDG" EXTENDED_75("90") "$load75$set70 {R 16}, $loadat75$unless"},
    {0x981, 0, AMPERE_TO_ADA, NULL, NULL,
     "LDG" EXTENDED_80("90", "76") "$load80$set80 {R 16}, $loadat80$unless"},
    {0x981, 0, WB_FROM_HOPPER, NULL, NULL,
     "LDG" EXTENDED("90") "$load80$set80 {R 16}, $loadat90$unless"},
    {0x97e, 0, WB_BLACKWELL, NULL, "81:2=3",
     "LDG.E{84:3@evict}.INVALID3{73:2@prefetch80}.256{77:4@order} {R 64}, {R 16}, "
     "$load256at<57:7,72:1!=255?, {x 57:7,72:1}>$unless87"},
    {0x97e, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "LDG.E{84:3@evict}{81:2@evictl2}{73:2@prefetch80}.256<81:2!=3?{77:4@order}>"
     "<81:2=3?{77:4@orderl2}> {R 64}, {R 16}, $load256at"
     "<57:7,72:1!=255?, {x "
     "57:7,72:1}>$unless87"},
    /* local, shared and constant loads */
    {0x983, 0, WB_VOLTA, NULL, NULL, "LDL{84:3@evict}{73:3@size} {R 16}, $register"},
    {0x983, 0, WB_FROM_TURING, NULL, "91=0", "LDL{84:3@evict}{73:3@size} {R 16}, $register"},
    {0x983, 0, WB_TURING, NULL, NULL, "LDL{84:3@evict}{73:3@size} {R 16}, $localat75"},
    {0x983, 0, AMPERE_TO_ADA, NULL, NULL, "LDL{84:3@evict}{73:3@size} {R 16}, $localat80"},
    {0x983, 0, WB_FROM_HOPPER, NULL, NULL, "LDL{84:3@evict}{73:3@size} {R 16}, $localat90"},
    {0x984, 0, WB_VOLTA, NULL, NULL, "LDS<76=1?.U>{73:3@size}$zero {R 16}, $register"},
    {0x984, 0, WB_TURING, NULL, "91=0", "LDS<76=1?.U>{73:3@size}$zero {R 16}, $scaled"},
    {0x984, 0, WB_TURING, NULL, NULL, "LDS<76=1?.U>{73:3@size}$zero {R 16}, " SCALED_UNIFORM("32")},
    {0x984, 0, WB_FROM_AMPERE, NULL, "91=0", "LDS{73:3@sharedsize} {R 16}, $scaled"},
    {0x984, 0, WB_FROM_AMPERE, NULL, NULL, "LDS{73:3@sharedsize} {R 16}, " SCALED_UNIFORM("32")},
    {0xb82, 0, WB_FROM_VOLTA, NULL, NULL,
     "LDC{73:3@constantsize}{78:2=/.IL/.IS/.ISL} {R 16}, c[{x 54:5}]"
     "[<24:8!=255?{R 24}{o 38:16}><24:8=255&38:16=0?RZ><24:8=255&38:16!=0?{s 38:16}>]"},
    {0x582, 0, WB_TURING, NULL, NULL, "LDC{73:3@constantsize} {R 16}, $uniformbank"},
    {0x582, 0, WB_FROM_AMPERE, NULL, NULL,
     "LDC{73:3@constantsize}{78:2=/.IL/.IS/.ISL} {R 16}, $uniformbank"},
    /* stores */
    {0x385, 0, TURING_AND_VOLTA, NULL, NULL, "ST$e$store70 $far, {R 64}"},
    {0x385, 0, WB_FROM_AMPERE, NULL, NULL, "ST$e$store80 $far, {R 64}"},
    {0x985, 0, WB_TURING, NULL, NULL, "ST" EXTENDED_75("90") "$store70 $storeat75, {R 32}"},
    {0x985, 0, AMPERE_TO_ADA, NULL, NULL,
     "ST" EXTENDED_80("90", "76") "$store80 $storeat80, {R 32}"},
    {0x985, 0, WB_FROM_HOPPER, NULL, NULL, "ST" EXTENDED("90") "$store80 $storeat90, {R 32}"},
    {0x386, 0, TURING_AND_VOLTA, NULL, NULL, "STG$e$store70 $register, {R 32}"},
    {0x386, 0, AMPERE_TO_ADA | WB_HOPPER, NULL, NULL, "STG$e$store80 $register, {R 32}"},
    {0x386, 0, WB_FROM_BLACKWELL, NULL, NULL, "STG$e$store100 $register, {R 32}"},
    {0x986, 0, WB_TURING, NULL, NULL, "STG" EXTENDED_75("90") "$store70 $storeat75, {R 32}"},
    {0x986, 0, AMPERE_TO_ADA, NULL, NULL,
     "STG" EXTENDED_80("90", "76") "$store80 $storeat80, {R 32}"},
    {0x986, 0, WB_HOPPER, NULL, NULL, "STG" EXTENDED("90") "$store80 $storeat90, {R 32}"},
    {0x986, 0, WB_FROM_BLACKWELL, NULL, NULL, "STG" EXTENDED("90") "$store100 $storeat90, {R 32}"},
    {0x97f, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "STG.E{84:3@evict}{81:2@evictl2s}.256{77:4@ordered} <76=0?[<24:8!=255?{R 24}{75=.U32/.64}+>"
     "{U 64}{o 40:19*32}]><76=1?desc[{U 64}][{R 24}.64{o 40:19*32}]>, {R 32}, {R 16}"
     "<59:5,88:3!=255?, {x 59:5,88:3}>"},
    {0x387, 0, WB_FROM_VOLTA, NULL, NULL, "STL{84:3@evict}{73:3@size} $register, {R 32}"},
    {0x987, 0, WB_TURING, NULL, NULL, "STL{84:3@evict}{73:3@size} $localto75, {R 32}"},
    {0x987, 0, AMPERE_TO_ADA, NULL, NULL, "STL{84:3@evict}{73:3@size} $localto80, {R 32}"},
    {0x987, 0, WB_FROM_HOPPER, NULL, NULL, "STL{84:3@evict}{73:3@size} $localto90, {R 32}"},
    {0x388, 0, WB_VOLTA, NULL, NULL, "STS{73:3@size} $register, {R 32}"},
    {0x388, 0, WB_FROM_TURING, NULL, NULL, "STS{73:3@size} $scaled, {R 32}"},
    {0x988, 0, WB_FROM_TURING, NULL, NULL, "STS{73:3@size} " SCALED_UNIFORM("64") ", {R 32}"},
    {0xdbd, 0, WB_HOPPER, NULL, "64:6=63&90=1",
     "STAS{73:3=.INVALID0/.INVALID1/.INVALID2/.INVALID3//.64/.128/.INVALID7}{77:4@orderremote} "
     "[{R 24}.64{o 40:24}], {R 32}"},
    {0xdbd, 0, WB_HOPPER, NULL, NULL,
     "STAS{73:3=.INVALID0/.INVALID1/.INVALID2/.INVALID3//.64/.128/.INVALID7}{77:4@orderremote} "
     "$remote, {R 32}"},
    {0xdbd, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "STAS{73:3=.INVALID0/.INVALID1/.INVALID2/.INVALID3//.64/.128/.INVALID7} $remote, {R 32}"},
/* atomic operations: generic, global, shared */
#define ATOMIC(OPCODE, NAME, OPERATION, CAS)                                                       \
  {0x300 | (OPCODE),                                                                               \
   0,                                                                                              \
   TURING_AND_VOLTA,                                                                               \
   NULL,                                                                                           \
   NULL,                                                                                           \
   NAME "$e" OPERATION "$atom70 {P 81}, {R 16}, $register, {R 32}"},                               \
      {0x300 | (OPCODE),                                                                           \
       0,                                                                                          \
       AMPERE_TO_ADA,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME "$e" OPERATION "$atom80 {P 81}, {R 16}, $register, {R 32}"},                           \
      {0x300 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_FROM_HOPPER,                                                                             \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME "$e" OPERATION "$atom90 {P 81}, {R 16}, $register, {R 32}"},                           \
      {0x900 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_TURING,                                                                                  \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME EXTENDED_75("70") "" OPERATION "$atom70 {P 81}, {R 16}, $atomat75, {R 32}"},           \
      {0x900 | (OPCODE),                                                                           \
       0,                                                                                          \
       AMPERE_TO_ADA,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME EXTENDED_80("70", "71") "" OPERATION "$atom80 {P 81}, {R 16}, $atomat80, {R 32}"},     \
      {0x900 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_HOPPER,                                                                                  \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME EXTENDED("70") "" OPERATION "$atom90 {P 81}, {R 16}, $atomat90, {R 32}"},              \
      {0x900 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_FROM_BLACKWELL,                                                                          \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME EXTENDED("63") "" OPERATION "$atom90 {P 81}, {R 16}, $atomat100, {R 32}"},             \
      {0x301 | (OPCODE),                                                                           \
       0,                                                                                          \
       TURING_AND_VOLTA,                                                                           \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME "$e" CAS "$cas70 {P 81}, {R 16}, $register, {R 32}, {R 64}"},                          \
      {0x301 | (OPCODE),                                                                           \
       0,                                                                                          \
       AMPERE_TO_ADA,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME "$e" CAS "$cas80 {P 81}, {R 16}, $register, {R 32}, {R 64}"},                          \
  {                                                                                                \
    0x301 | (OPCODE), 0, WB_FROM_HOPPER, NULL, NULL,                                               \
        NAME "$e" CAS "$cas90 {P 81}, {R 16}, $register, {R 32}, {R 64}"                           \
  }
#define ATOMIC_FLOAT(OPCODE, NAME)                                                                 \
  {0x300 | (OPCODE),                                                                               \
   0,                                                                                              \
   WB_FROM_HOPPER,                                                                                 \
   NULL,                                                                                           \
   NULL,                                                                                           \
   NAME "$e$float90 {P 81}, {R 16}, $register, {R 32}"},                                           \
      {0x900 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_HOPPER,                                                                                  \
       NULL,                                                                                       \
       NULL,                                                                                       \
       NAME EXTENDED("70") "$float90 {P 81}, {R 16}, $atomat90, {R 32}"},                          \
  {                                                                                                \
    0x900 | (OPCODE), 0, WB_FROM_BLACKWELL, NULL, NULL,                                            \
        NAME EXTENDED("63") "$float90 {P 81}, {R 16}, $floatat100, {R 32}"                         \
  }
    ATOMIC(0x8a, "ATOM", "{87:4@atom}", "$cas"),
    ATOMIC(0xa8, "ATOMG", "{87:4@atomg}", ".CAS"),
    ATOMIC_FLOAT(0xa2, "ATOM"),
    ATOMIC_FLOAT(0xa3, "ATOMG"),
    {0x38c, 0, WB_VOLTA, NULL, NULL, "ATOMS{87:4@atom}{73:2@castype} {R 16}, $register, {R 32}"},
    {0x38c, 0, WB_TURING | AMPERE_TO_ADA, NULL, NULL,
     "ATOMS{87:4@atom}{73:2@castype} {R 16}, $scaled, {R 32}"},
    {0x38c, 0, WB_FROM_HOPPER, NULL, NULL,
     "ATOMS{87:4@atom}{73:3@castype90} {R 16}, $scaled, {R 32}"},
    {0x98c, 0, WB_TURING | AMPERE_TO_ADA, NULL, NULL,
     "ATOMS{87:4@atom}{73:2@castype} {R 16}, " SCALED_UNIFORM("64") ", {R 32}"},
    {0x98c, 0, WB_FROM_HOPPER, NULL, NULL,
     "ATOMS{87:4@atom}{73:3@castype90} {R 16}, " SCALED_UNIFORM("64") ", {R 32}"},
    {0x38d, 0, WB_VOLTA, NULL, NULL, "ATOMS$cas{73:2@castype} {R 16}, $register, {R 32}, {R 64}"},
    {0x38d, 0, WB_TURING | AMPERE_TO_ADA, NULL, NULL,
     "ATOMS$cas{73:2@castype} {R 16}, $scaled, {R 32}, {R 64}"},
    {0x38d, 0, WB_FROM_HOPPER, NULL, NULL,
     "ATOMS$cas{73:3@castype90} {R 16}, $scaled, {R 32}, {R 64}"},
    {0x58d, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "ATOMS{87=.???0/.CAST}<88=1?.SPIN>{73:3@castype90} {P 81}, $scaled, {R 32}, {R 64}"},
#define ATOMS_ARRIVE(ARCHITECTURES, TYPE, COUNT, ARRIVE)                                           \
  {0xf8c, 0, ARCHITECTURES, NULL, COUNT, "ATOMS.POPC.INC{" TYPE "@counttype} {R 16}, $counted"},   \
  {                                                                                                \
    0xf8c, 0, ARCHITECTURES, NULL, ARRIVE, "ATOMS.ARRIVE{" TYPE "@arrivetype} {R 16}, $counted"    \
  }
#define ATOM_ARRIVE(ARCHITECTURES, COUNT, ARRIVE, EXTENDED, ADDRESS)                               \
  {0xf8a,                                                                                          \
   0,                                                                                              \
   ARCHITECTURES,                                                                                  \
   NULL,                                                                                           \
   COUNT,                                                                                          \
   "ATOM" EXTENDED                                                                                 \
   ".POPC.INC{84:3@evict}{73:3@counttype}{77:4@orderstore} {P 81}, {R 16}, " ADDRESS},             \
  {                                                                                                \
    0xf8a, 0, ARCHITECTURES, NULL, ARRIVE,                                                         \
        "ATOM" EXTENDED                                                                            \
        ".ARRIVE{84:3@evict}{73:3@arrivetype}{77:4@orderstore} {P 81}, {R 16}, " ADDRESS           \
  }
    ATOMS_ARRIVE(WB_TURING | AMPERE_TO_ADA, "73:2", "87:4=10", "87:4=9"),
    ATOMS_ARRIVE(WB_FROM_HOPPER, "73:3", "87:4=11", "87:4=10"),
    ATOM_ARRIVE(AMPERE_TO_ADA, "87:4=10", "87:4=9", EXTENDED_75("70"), "$atomat75"),
    ATOM_ARRIVE(WB_HOPPER, "87:4=11", "87:4=10", EXTENDED("70"), "$countat90"),
    ATOM_ARRIVE(WB_FROM_BLACKWELL, "87:4=11", "87:4=10", EXTENDED("63"), "$countat100"),
    /* loads that reduce what several devices hold */
    {0x9a4, 0, WB_HOPPER, NULL, NULL,
     "LDGMC{72=.???0/.E}{87:4@multi}{73:3@multitype}{77:4@orderstore} {R 16}, $atomat90"},
    {0x9a4, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "LDGMC{72=.???0/.E}{87:4@multi}{73:3@multitype}{77:4@orderstore} {R 16}, $multiat100"},
    {0x9a5, 0, WB_HOPPER, NULL, NULL,
     "LDGMC{72=.???0/.E}{88:2=.ADD/.MIN/.MAX/.F32ADD}{73:4,87:1@multifloat90}{77:4@orderstore} "
     "{R 16}, $atomat90"},
    {0x9a5, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "LDGMC{72=.???0/.E}{88:2=.ADD/.MIN/.MAX/.HPADD}{73:4,87:1@multifloat100}{77:4@orderstore} "
     "{R 16}, $multiat100"},
    /* reductions */
    {0x98e, 0, WB_VOLTA, NULL, NULL, "RED$e$reduce70 $register, {R 32}"},
    {0x98e, 0, WB_TURING, NULL, "91=0", "RED$e$reduce70 $register, {R 32}"},
    {0x98e, 0, AMPERE_TO_ADA, NULL, "91=0", "RED$e$reduce80 $register, {R 32}"},
    {0x98e, 0, WB_FROM_HOPPER, NULL, "91=0", "REDG$e$reduce90 $register, {R 32}"},
    {0x98e, 0, WB_TURING, NULL, NULL, "RED" EXTENDED_75("90") "$reduce70 $storeat75, {R 32}"},
    {0x98e, 0, AMPERE_TO_ADA, NULL, NULL,
     "RED" EXTENDED_80("90", "71") "$reduce80 $reduceat80, {R 32}"},
    {0x98e, 0, WB_HOPPER, NULL, NULL, "REDG" EXTENDED("90") "$reduce90 $reduceat90, {R 32}"},
    {0x98e, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "REDG" EXTENDED("90") "$reduce90 $reduceat100, {R 32}"},
    {0x9a6, 0, WB_FROM_HOPPER, NULL, "91=0", "REDG$e$float90 $register, {R 32}"},
    {0x9a6, 0, WB_HOPPER, NULL, NULL, "REDG" EXTENDED("90") "$float90 $reduceat90, {R 32}"},
    {0x9a6, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "REDG" EXTENDED("90") "$float90 $reduceat100, {R 32}"},
    {0xdbe, 0, WB_HOPPER, NULL, "64:6=63&72=1",
     "REDAS{87:4@reduce}{73:3@castype}{77:4@orderremote} [{R 24}.64{o 40:24}], {R 32}"},
    {0xdbe, 0, WB_HOPPER, NULL, NULL,
     "REDAS{87:4@reduce}{73:3@castype}{77:4@orderremote} $remotely, {R 32}"},
    {0xdbe, 0, WB_FROM_BLACKWELL, NULL, NULL, "REDAS{87:4@reduce}{73:3@castype} $remotely, {R 32}"},
/* matrices in shared memory */
#define MATRIX(ADDRESS_COND, ADDRESS)                                                              \
  {0x83b,                                                                                          \
   0,                                                                                              \
   AMPERE_TO_ADA | WB_HOPPER,                                                                      \
   NULL,                                                                                           \
   ADDRESS_COND,                                                                                   \
   "LDSM{75:3@matrix}{78:2@shape}{72:2@count} {R 16}, " ADDRESS},                                  \
  {                                                                                                \
    0x83b, 0, WB_FROM_BLACKWELL, NULL, ADDRESS_COND,                                               \
        "LDSM{75:3@matrix100}{78:3@shape100}{72:2@count} {R 16}, " ADDRESS                         \
  }
    {0x83b, 0, WB_TURING, NULL, "91=0",
     "LDSM{75:3@matrix}{78:2@shape}{72:2@count} {R 16}, $register"},
    {0x83b, 0, WB_TURING, NULL, NULL,
     "LDSM{75:3@matrix}{78:2@shape}{72:2@count} {R 16}, [<24:8!=255?{R 24}+{U 32}{o 40:24}>"
     "<24:8=255?{U 32}<40:24!=0?+{x 40:24}>>]"},
    MATRIX("91=0", "$signed"),
    MATRIX(NULL, SHARED_UNIFORM("32")),
#define MATRIX_STORE(ADDRESS_COND, ADDRESS)                                                        \
  {0x844,        0,                                                                                \
   WB_HOPPER,    NULL,                                                                             \
   ADDRESS_COND, "STSM{75=.16/.???1}{78=.M88/.MT88}{72:2@count} " ADDRESS ", {R 32}"},             \
  {                                                                                                \
    0x844, 0, WB_FROM_BLACKWELL, NULL, ADDRESS_COND,                                               \
        "STSM{75=.16/.8}{78:2=.M88/.MT88/.MT168/.INVALID3}{72:2@count} " ADDRESS ", {R 32}"        \
  }
    MATRIX_STORE("91=0", "$signed"),
    MATRIX_STORE(NULL, SHARED_UNIFORM("64")),
/* caches */
#define CACHE(WHERE)                                                                               \
  {                                                                                                \
    0x98f, 0, WB_FROM_VOLTA, NULL, WHERE, "CCTL{78:3@cache}{87:4@cacheall}"                        \
  }
    CACHE("87:4=4"),
    CACHE("87:3=6"),
    CACHE("87:4=7"),
    CACHE("87:4=8"),
    {0x98f, 0, WB_ADA | WB_FROM_BLACKWELL, NULL, NULL,
     "CCTL$e{78:3@cache}{87:4@cacheop}<76=1&87:4=1?.QFAULT {P 81},> $far<87:4=11&73:3!=0?, {x "
     "73:3}>"},
    {0x98f, 0, WB_FROM_VOLTA, NULL, NULL, "CCTL$e{78:3@cache}{87:4@cacheop} $far"},
    {0xd8f, 0, WB_TURING | WB_AMPERE | WB_AMPERE_86 | WB_HOPPER, NULL, NULL,
     "CCTL$e{78:3@cache}{87:4@cacheat} [<24:8!=255?{R 24}+>{U 32}]"},
    {0xd8f, 0, WB_ADA | WB_FROM_BLACKWELL, NULL, NULL,
     "CCTL$e{78:3@cache}{87:4@cacheat}<76=1&87:4=1?.QFAULT {P 81},> [<24:8!=255?{R 24}+>{U 32}]"
     "<87:4=11&73:3!=0?, {x 73:3}>"},
    {0x990, 0, WB_FROM_VOLTA, NULL, "89:2=2", "CCTLL{87:4@cacheall}"},
    {0x990, 0, WB_FROM_VOLTA, NULL, "90=0&89=1&87:4!=5", "CCTLL{87:4@cacheall}"},
    {0x990, 0, WB_FROM_VOLTA, NULL, NULL, "CCTLL{87:4@localop} $register"},
    {0xd90, 0, WB_FROM_TURING, NULL, NULL,
     "CCTLL{87:4=.PF1/.PF2/.WB/.IV/.???4/.RS/.???6/.???7/.???8/.???9/.???10/.???11"
     "/.???12/.???13/.???14/.???15} [<24:8!=255?{R 24}+>{U 32}]"},
    {0x391, 0, WB_FROM_VOLTA, NULL, NULL, "CCTLT{85:2=!/.IVTH/.IVALL/!}<85:2=1? {R 32}>"},
    {0xb91, 0, WB_FROM_VOLTA, NULL, NULL,
     "CCTLT{85:2=.???0/.IVTH/.???2/.???3} {x 54:5}, {x 40:14}"},
    {0xd91, 0, WB_FROM_TURING, NULL, NULL, "CCTLT{85:2=.???0/.IVTH/.???2/.???3} {U 32}"},
#define CONSTANT_CACHE(OPCODE, UNIT, LAST, REGISTER)                                               \
  {0x300 | (OPCODE),                                                                               \
   0,                                                                                              \
   WB_FROM_BLACKWELL,                                                                              \
   NULL,                                                                                           \
   NULL,                                                                                           \
   "CCTL{78:3@kind}" UNIT "{87:4@invalidateall}<86=1?" LAST ">"},                                  \
      {0x500 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_FROM_BLACKWELL,                                                                          \
       NULL,                                                                                       \
       NULL,                                                                                       \
       "CCTL.E{78:3@kind}" UNIT "{87:4@invalidate}<86=1?" LAST "> [{U 24}{o 32:32}]"},             \
      {0xb00 | (OPCODE),                                                                           \
       0,                                                                                          \
       WB_FROM_BLACKWELL,                                                                          \
       NULL,                                                                                       \
       NULL,                                                                                       \
       "CCTL{78:3@kind}" UNIT "{87:4@invalidate}<86=1?" LAST "> c[{x 54:5}][<24:8!=255?{" REGISTER \
       " 24}{o 37:17}><24:8=255&37:17=0?{" REGISTER " 24}><24:8=255&37:17!=0?{s 37:17}>]"},        \
  {                                                                                                \
    0x700 | (OPCODE), 0, WB_FROM_BLACKWELL, NULL, NULL,                                            \
        "CCTL{78:3@kind}" UNIT "{87:4@invalidate}<86=1?" LAST "> cx[{U 24}][<64:8!=255?{" REGISTER \
        " 64}{o 37:17}><64:8=255&37:17=0?{" REGISTER " 64}><64:8=255&37:17!=0?{s 37:17}>]"         \
  }
    CONSTANT_CACHE(0x3f, ".LDC", ".???1", "R"),
    CONSTANT_CACHE(0x40, ".LDCU", ".DEEP", "U"),
    {0x992, 0, TURING_AND_VOLTA, NULL, NULL, "MEMBAR{79:2@fence}{76:3@fencescope}<72=1?.MMIO>"},
    {0x992, 0, AMPERE_TO_ADA, NULL, NULL, "MEMBAR{79:2@fence80}{76:3@fencescope}"},
    {0x992, 0, WB_FROM_HOPPER, NULL, "73=0", "MEMBAR{79:2@fence80}{76:3@fencescope90}"},
    {0x992, 0, WB_FROM_HOPPER, NULL, NULL,
     "MEMBAR{76:3=.???0/.???1/.???2/.???3/.???4/.VC/.???6/.???7}.ASYNC"},
    {0x3c6, 0, WB_HOPPER | WB_BLACKWELL_120, NULL, NULL, "FENCE.VIEW.ASYNC{72=.S/.G}"},
    {0x3c6, 0, WB_BLACKWELL, NULL, NULL, "FENCE.VIEW.ASYNC{72:2=.S/.G/.T/!}"},
    {0x9ab, 0, WB_FROM_VOLTA, NULL, NULL, "ERRBAR"},
    {0x5ab, 0, WB_FROM_HOPPER, NULL, NULL, "CGAERRBAR"},
    {0x3aa, 0, WB_VOLTA | WB_TURING | AMPERE_TO_ADA, NULL, NULL,
     "QSPC$e{73:2@space} {P 81}, {R 16}, $register"},
    {0x3aa, 0, WB_FROM_HOPPER, NULL, NULL, "QSPC$e{73:2@space90} {P 81}, {R 16}, $register"},
    {0x9aa, 0, WB_TURING | AMPERE_TO_ADA, NULL, NULL,
     "QSPC" EXTENDED_75("90") "{73:2@space} {P 81}, {R 16}, $loadat75"},
    {0x9aa, 0, WB_FROM_HOPPER, NULL, NULL,
     "QSPC" EXTENDED("90") "{73:2@space90} {P 81}, {R 16}, " WITH_UNIFORM_90("32", "90", "40:24")},
    /* attributes of graphics */
    {0x321, 0, WB_FROM_VOLTA, NULL, "24:8=255",
     "ALD<79=1?.O><76=1?.P>{74:2@vector} {R 16}, a[{x 40:10}]<32:8!=255?, {R 32}>"},
    {0x321, 0, WB_FROM_VOLTA, NULL, NULL,
     "ALD<79=1?.O><76=1?.P>{74:2@vector}<76:2=2?.PHYS> {R 16}, a[{R 24}<76=1?{o "
     "40:11}>]<32:8!=255?, "
     "{R 32}>"},
    {0x521, 0, WB_FROM_TURING, NULL, NULL,
     "ALD<79=1?.O><76=1?.P>{74:2@vector} {R 16}, a[{U 24}{o 40:11}]<32:8!=255?, {R 32}>"},
    {0x322, 0, WB_FROM_VOLTA, NULL, "24:8=255",
     "AST<76=1?.P>{74:2@vector} a[{x 40:10}], {R 32}<64:8!=255?, {R 64}>"},
    {0x322, 0, WB_FROM_VOLTA, NULL, NULL,
     "AST<76=1?.P>{74:2@vector}<76:2=2?.PHYS> a[{R 24}<76=1?{o 40:11}>], {R 32}<64:8!=255?, {R "
     "64}>"},
    {0x522, 0, WB_FROM_TURING, NULL, NULL,
     "AST<76=1?.P>{74:2@vector} a[{U 24}{o 40:11}], {R 32}<64:8!=255?, {R 64}>"},
    {0x3ad, 0, WB_TURING | AMPERE_TO_ADA | WB_HOPPER, NULL, "24:6=63&64:8!=0",
     "LDTRAM{72=.AB/.C} {R 16}, a[{x 64:8*4}]"},
    {0x3ad, 0, WB_FROM_BLACKWELL, NULL, "24:8=255&64:8!=0",
     "LDTRAM{72=.AB/.C} {R 16}, a[{x 64:8*4}]"},
    {0x3ad, 0, WB_FROM_TURING, NULL, NULL,
     "LDTRAM{72=.AB/.C} {R 16}, a[{U 24}<64:8!=0?+{x 64:8*4}>]"},
};

const struct wb_word_table wb_words128_memory = {rows, ROW_COUNT, texts, TEXT_COUNT};
