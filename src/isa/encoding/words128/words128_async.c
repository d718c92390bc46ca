/* Words of 128 bits (Volta and later): asynchronous copies, their barriers, tensor memory
 * accesses. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

#define AMPERE_TO_ADA (WB_AMPERE | WB_AMPERE_86 | WB_ADA)

/* A source in global memory: a register, an offset of 12 bits and a uniform register or a
 * descriptor. */
#define SOURCE_WITH_UNIFORM(WIDE, NONE) "[{R 24}{" WIDE "=.U32/.64}<64:" NONE "?+{U 64}>{o 32:12}]"
#define WIDE_SOURCE "[{R 24}.64{o 32:12}]"

static const struct wb_word_text texts[] = {
    {"evict", ".EF//.EL/.LU/.EU/.NA", ".INVALID%u"},
    {"prefetch", "/.LTC64B/.LTC128B/.LTC256B", NULL},
    {"copysize", ".INVALID0/.INVALID1/.INVALID2/.INVALID3//.64/.128/.INVALID7", NULL},
    {"copyorder",
     "/.CONSTANT.PRIVATE/.CONSTANT.CTA/.CONSTANT.CTA.PRIVATE/.CONSTANT/.MMIO.CTA/.GPU.PRIVATE"
     "/.MMIO.CTA.PRIVATE/.MMIO.SM/.CONSTANT.SM/.MMIO.VC/.CONSTANT.SM.PRIVATE/.MMIO.GPU/.CONSTANT.VC"
     "/.CONSTANT.VC.PRIVATE/.CONSTANT.GPU",
     NULL},
    {"copy80",
     "LDGSTS.E<81=0?.BYPASS>{84:3@evict}{71:2@prefetch}{73:3@copysize}<82=1?.ZFILL>{77:4@"
     "copyorder}",
     NULL},
    {"copy100",
     "LDGSTS.E<81=0?.BYPASS>{84:3@evict}{72:2@prefetch}{74:2=/.64/.128/.INVALID3}<82=1?.ZFILL>"
     "{77:4@copyorder}",
     NULL},
    {"toshared", "[<16:8!=255?{R 16}+>{U 64}{o 44:20}]", NULL},
    {"toregister",
     "[<16:8!=255?{R 16}{o 44:20}><16:8=255&44:20=0?RZ>"
     "<16:8=255&44:20!=0?{s 44:20}>]",
     NULL},
    {"barrier", "[<24:8!=255?{R 24}+>{U 64}{o 40:24}]", NULL},
    {"barriertype", ".???0/.???1/.???2/.???3/.???4/.64/.???6/.???7", NULL},
    {"count", "/.ARVCNT/.TRANSCNT/.INVALID3", NULL},
    {"arrive", "{73:2=/.TMASK/.RED/.INVALID3}<75=1?.OPTOUT>{84:3@transactions}", NULL},
    {"transactions", "/.A1T0/.A0T1/.A0TR/.A0TX/.ART0", ".INVALID%u"},
    {"dimension", ".1D/.2D/.3D/.4D/.5D", ".INVALID%u"},
    {"columns", "/.IM2COL", NULL},
    {"gather", "/.INVALID1/.INVALID2/.INVALID3/.GATHER4", ".INVALID%u"},
    {"scope", "/!/!/!/!/.STRONG.SM/!/.STRONG.GPU/!/!/.STRONG.SYS/!/!/!/!/!", NULL},
    {"blocktype", "/.S32/.U64/.S64/.F16.RN/.F32.RN/.F32.FTZ.RN/.F64.RN/.BF16.RN", ".INVALID%u"},
    {"reduce", ".ADD/.MIN/.MAX/.INC/.DEC/.AND/.OR/.XOR", NULL},
    {"scoreboard", "SB0/SB1/SB2/SB3/SB4/SB5", NULL},
    {"described", "<76=1?, desc[{U 40}]>", NULL},
    {"places", "[{U 32}], [{U 24}]", NULL},
};

static const struct wb_word_row rows[] = {
    /* copies from global to shared memory */
    {0xdae, 0, AMPERE_TO_ADA, NULL, NULL,
     "$copy80 $toshared, <76=1&101=1?desc[<64:6=63?URZ><64:6!=63?{U 64+1}>]>" WIDE_SOURCE "$q87"},
    {0xdae, 0, WB_HOPPER, NULL, NULL,
     "$copy80 $toshared, <76=1?desc[<64:6=63?URZ><64:6!=63?{U 64+1}>]>" WIDE_SOURCE "$q87"},
    {0xdae, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "$copy100 $toshared, <76=1?desc[<64:8=255?URZ><64:8!=255?{U 64+1}>]>" WIDE_SOURCE "$q87"},
    {0xfae, 0, AMPERE_TO_ADA, NULL, NULL,
     "$copy80 $toregister, <76=0?" SOURCE_WITH_UNIFORM(
         "70", "6!=63") "><76=1?<101=1?desc[{U 64}]>" WIDE_SOURCE ">$q87"},
    {0xfae, 0, WB_HOPPER, NULL, NULL,
     "$copy80 $toregister, <76=0?" SOURCE_WITH_UNIFORM(
         "70", "6!=63") "><76=1?desc[{U 64}]" WIDE_SOURCE ">$q87"},
    {0xfae, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "$copy100 $toregister, <76=0?" SOURCE_WITH_UNIFORM(
         "83", "8!=255") "><76=1?desc[{U 64}]" WIDE_SOURCE ">$q87"},
    {0x9af, 0, WB_FROM_AMPERE, NULL, NULL, "LDGDEPBAR"},
    {0x91a, 0, WB_FROM_VOLTA, NULL, "47=0", "DEPBAR<32:6!=0? {m 32:6}>"},
    {0x91a, 0, WB_FROM_VOLTA, NULL, NULL,
     "DEPBAR.LE {44:3@scoreboard}, {x 38:6}<32:6!=0?, {m 32:6}>"},
    {0xd1a, 0, WB_HOPPER, NULL, NULL,
     "DEPBAR{47=.???0/.LE} {44:3@scoreboard}, {U 32}<38:6!=0?, {m 38:6}>"},
    {0xd1a, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "DEPBAR{47=.???0/.LE} {44:3@scoreboard}, {U 32}<48:6!=0?, {m 48:6}>"},
    /* barriers in shared memory */
    {0x9b0, 0, AMPERE_TO_ADA, NULL, NULL,
     "ARRIVES{72=.LDGSTSBAR/.???1}{73:3@barriertype} $barrier"},
    {0x9b0, 0, WB_HOPPER, NULL, NULL,
     "ARRIVES{72=.LDGSTSBAR/.???1}{73:3@barriertype}{70:2@count} $barrier"},
    {0x9b0, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "ARRIVES{72=.LDGSTSBAR/.???1}{73:3@barriertype}{76:2@count} $barrier"},
    {0x9b1, 0, WB_FROM_HOPPER, NULL, "91=0", "SYNCS{73=.CCTL/.???1}{72=.IVALL/.WBALL}"},
    {0x9b1, 0, WB_FROM_HOPPER, NULL, NULL, "SYNCS{73=.CCTL/.???1}{72=.IV/.WB} $barrier"},
    {0x3b2, 0, WB_FROM_BLACKWELL, NULL, "32:8=255",
     "^SYNCS{72:2=.???0/.???1/.CAS/.???3}.64 {U 16}, [{U 24}{o 40:24}], URZ, URZ"},
    {0x3b2, 0, WB_HOPPER, NULL, "32:6=63",
     "^SYNCS{72:2=.???0/.???1/.CAS/.???3}.64 {U 16}, [{U 24}{o 40:24}], UR60, UR62"},
    {0x3b2, 0, WB_FROM_HOPPER, NULL, NULL,
     "^SYNCS{72:2=.???0/.???1/.CAS/.???3}.64 {U 16}, [{U 24}{o 40:24}], {U 32}, {U 32+2}"},
    {0x5b2, 0, WB_FROM_HOPPER, NULL, NULL,
     "^SYNCS{72:2=.???0/.EXCH/.???2/.???3}.64 {U 16}, [{U 24}{o 40:24}], {U 32}"},
    {0x9b2, 0, WB_FROM_HOPPER, NULL, NULL,
     "^SYNCS{72:2=.LD/.???1/.???2/.???3}.64 {U 16}, [{U 24}{o 40:24}]"},
    {0x5b1, 0, WB_FROM_HOPPER, NULL, NULL, "SYNCS{73=.???0/.LD}.64<74=1?.WATCH> {R 16}, $barrier"},
    {0x5a7, 0, WB_HOPPER, NULL, NULL,
     "SYNCS{70:2=.???0/.PHASECHK/.???2/.???3}.TRANS64<72=1?.TRYWAIT> {P 81}, $barrier, {R 32}"},
    {0x5a7, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "SYNCS{76:2=.???0/.PHASECHK/.???2/.???3}.TRANS64<72=1?.TRYWAIT> {P 81}, $barrier, {R 32}"},
    {0x9a7, 0, WB_HOPPER, NULL, NULL,
     "SYNCS{70:2=.ARRIVE/.???1/.???2/.???3}.TRANS64$arrive {R 16}, $barrier, {R 32}"},
    {0x9a7, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "SYNCS{76:2=.ARRIVE/.???1/.???2/.???3}.TRANS64$arrive {R 16}, $barrier, {R 32}"},
    {0x3a7, 0, WB_FROM_BLACKWELL, NULL, NULL, "SYNCS{76:2=.???0/.???1/.FLUSH/.???3}"},
    /* blocks of bytes */
    {0x3ba, 0, WB_HOPPER, NULL, NULL,
     "^UBLKCP{73=.G/.S}{74=.G/.S}<75=1?.MULTICAST>{81:2@prefetch}<83=1?.SEQUENCED>{77:4@scope} "
     "$places, {U 64}$described"},
    {0x3ba, 0, WB_BLACKWELL, NULL, NULL,
     "^UBLKCP{73=.G/.S}{74=.G/.S}<75=1?.MULTICAST><84=1?.DST_G_BYTE_MASK>{81:2@prefetch}"
     "<83=1?.SEQUENCED><85=1?.COUNTED>{77:4@scope} $places, {U 64}$described"},
    {0x3ba, 0, WB_BLACKWELL_120, NULL, NULL,
     "^UBLKCP{73=.G/.S}{74=.G/.S}<75=1?.MULTICAST><84=1?.DST_G_BYTE_MASK>{81:2@prefetch}"
     "<83=1?.SEQUENCED>{77:4@scope} $places, {U 64}$described"},
    {0x3bb, 0, WB_HOPPER, NULL, NULL,
     "^UBLKRED{73=.G/.S}{74=.???0/.S}{87:3@reduce}{81:4@blocktype}{77:4@scope} $places, {U 64}"
     "$described"},
    {0x3bb, 0, WB_BLACKWELL, NULL, NULL,
     "^UBLKRED{73=.G/.S}{74=.INVALID0/.S}{87:3@reduce}<85=1?.COUNTED>{81:4@blocktype}{77:4@scope} "
     "$places, {U 64}$described"},
    {0x3bb, 0, WB_BLACKWELL_120, NULL, NULL,
     "^UBLKRED{73=.G/.S}{74=.INVALID0/.S}{87:3@reduce}{81:4@blocktype}{77:4@scope} "
     "$places, {U 64}$described"},
    {0x3bc, 0, WB_FROM_HOPPER, NULL, NULL, "^UBLKPF.L2 [{U 24}], {U 64}$described"},
    /* tensors */
    {0x3b4, 0, WB_HOPPER, NULL, NULL,
     "^UTMALDG{79:3@dimension}<82=1?.IM2COL><75=1?.MULTICAST> $places, {U 64}$described"},
    {0x3b4, 0, WB_BLACKWELL, NULL, NULL,
     "^UTMALDG{79:3@dimension}{82:3=/.IM2COL/.W128/.W/.GATHER4/.INVALID5/.INVALID6/.INVALID7}"
     "<75=1?.MULTICAST><85=1?.2CTA> $places, {U 64}$described"},
    {0x3b4, 0, WB_BLACKWELL_120, NULL, NULL,
     "^UTMALDG{79:3@dimension}{82:3=/.IM2COL/.INVALID2/.W/.GATHER4/.INVALID5/.INVALID6/.INVALID7}"
     "<75=1?.MULTICAST><85=1?.INVALID1> $places, {U 64}$described"},
    {0x5b4, 0, WB_HOPPER, NULL, NULL, "^UTMALDG{79:3@dimension} $places$described"},
    {0x5b4, 0, WB_FROM_BLACKWELL, NULL, "85=0",
     "^UTMALDG{79:3@dimension}{82:3@gather} $places$described"},
    {0x5b4, 0, WB_BLACKWELL, NULL, NULL,
     "^UTMALDG{79:3@dimension}{82:3@gather}.2CTA $places$described"},
    {0x5b4, 0, WB_BLACKWELL_120, NULL, NULL,
     "^UTMALDG{79:3@dimension}{82:3@gather}.INVALID1 $places$described"},
    {0x3b5, 0, WB_HOPPER, NULL, NULL, "^UTMASTG{79:3@dimension}<82=1?.IM2COL> $places$described"},
    {0x3b5, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "^UTMASTG{79:3@dimension}{82:2=/.IM2COL/.SCATTER4/.INVALID3} $places$described"},
    {0x3b6, 0, WB_FROM_HOPPER, NULL, NULL,
     "^UTMAREDG{79:3@dimension}<82=1?.IM2COL>{87:3@reduce} $places$described"},
    {0x3b8, 0, WB_HOPPER, NULL, NULL,
     "^UTMAPF.L2{79:3@dimension}{82=.???0/.IM2COL} $places, {U 64}$described"},
    {0x3b8, 0, WB_BLACKWELL, NULL, NULL,
     "^UTMAPF.L2{79:3@dimension}{82:3=.INVALID0/.IM2COL/.W128/.W/.INVALID4/.INVALID5/.INVALID6"
     "/.INVALID7} $places, {U 64}$described"},
    {0x3b8, 0, WB_BLACKWELL_120, NULL, NULL,
     "^UTMAPF.L2{79:3@dimension}{82:3=.INVALID0/.IM2COL/.INVALID2/.W/.INVALID4/.INVALID5/.INVALID6"
     "/.INVALID7} $places, {U 64}$described"},
    {0x5b8, 0, WB_HOPPER, NULL, NULL, "^UTMAPF.L2{79:3@dimension} $places$described"},
    {0x5b8, 0, WB_FROM_BLACKWELL, NULL, NULL,
     "^UTMAPF.L2{79:3@dimension}{82:3@gather} $places$described"},
    {0x9b7, 0, WB_FROM_HOPPER, NULL, NULL, "^UTMACMDFLUSH"},
    {0x9b9, 0, WB_FROM_HOPPER, NULL, "91=0", "^UTMACCTL{83=.???0/.IVALL}"},
    {0x9b9, 0, WB_FROM_HOPPER, NULL, NULL, "^UTMACCTL{82=.IV/.PF} [{U 24}]"},
    /* clusters and dependent grids */
    {0x9c7, 0, WB_FROM_HOPPER, NULL, NULL, "^UCGABAR_ARV"},
    {0xdc7, 0, WB_FROM_HOPPER, NULL, NULL, "^UCGABAR_WAIT"},
    {0x82e, 0, WB_FROM_HOPPER, NULL, NULL, "ACQBULK"},
    {0x877, 0, WB_FROM_BLACKWELL, NULL, NULL, "ACQSHMINIT"},
};

const struct wb_word_table wb_words128_async = {rows, ROW_COUNT, texts, TEXT_COUNT};
