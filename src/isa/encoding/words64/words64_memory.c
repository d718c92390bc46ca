/* Words of 64 bits (Maxwell and Pascal): loads, stores, atomic operations and caches. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* An address: a register and an offset, or of RZ the offset alone. FIELD is where the offset lies,
 * SCALE what stands behind it (such as *4). */
#define ADDRESS(field, scale)                                                                      \
  "[<8:8!=255?{R 8}{o " field scale "}><8:8=255&" field "=0?RZ>"                                   \
  "<8:8=255&" field "!=0?{x " field scale "}>]"

/* The two values of a compare and swap: registers side by side, or RZ in the place of one. WIDE is
 * the bit that tells 64 bits, ZERO the field that tells which is RZ. */
#define COMPARE_AND_SWAP(wide, zero)                                                               \
  "<" zero "=0?" NOT_RZ ", "                                                                       \
  "<" wide "=0&20:8=254????255><" wide "=1&20:8=253????255><" wide "=1&20:8=254????255>"           \
  "<20:8=255????255>"                                                                              \
  "<" wide "=0&20:8!=254&20:8!=255?{R 20+1}>"                                                      \
  "<" wide "=1&20:8!=253&20:8!=254&20:8!=255?{R 20+2}>>"                                           \
  "<" zero "=1?{R 20}, RZ><" zero "=2?RZ, " NOT_RZ "><" zero "=3?{20:1=!/!}>"
#define NOT_RZ "<20:8=255????255><20:8!=255?{R 20}>"

static const struct wb_word_text texts[] = {
    {"at32", ADDRESS("20:32", ""), NULL},
    {"at24", ADDRESS("20:24", ""), NULL},
    {"at20", ADDRESS("20:20", ""), NULL},
    {"atAtom", ADDRESS("28:20", ""), NULL},
    {"atShared", ADDRESS("30:22", "*4"), NULL},
    {"atLine", ADDRESS("22:30", "*4"), NULL},
    {"atLocalLine", ADDRESS("22:22", "*4"), NULL},
    {"loadSize", ".U8/.S8/.U16/.S16//.64/.128/.U.128", NULL},
    {"size", ".U8/.S8/.U16/.S16//.64/.128", ".INVALIDSIZE%u"},
    {"unsignedSize", ".U8/.S8/.U16/.S16/.32/.64/.128", ".INVALIDSIZE%u"},
    {"constantSize", ".U8/.S8/.U16/.S16//.64", ".INVALIDSIZE%u"},
    {"loadCache", "/.CG/.CI/.CV", NULL},
    {"storeCache", "/.CG/.CS/.WT", NULL},
    {"reduce", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR", NULL},
    {"atom", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR/EXCH/10:SAFEADD", "INVALIDATOMOP%u"},
    {"atoms", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR/EXCH", "INVALIDATOMSOP%u"},
    {"firstSize", "/.S32/.U64/.F32.FTZ.RN/.U128/.S64", ".INVALIDATOMICSIZE%u"},
    {"maxwellSize", "/.S32/.U64/.F32.FTZ.RN/.F16x2.FTZ.RN/.S64", ".INVALIDATOMICSIZE%u"},
    {"pascalSize", "/.S32/.U64/.F32.FTZ.RN/.F16x2.RN/.S64/.F64.RN", ".INVALIDATOMICSIZE%u"},
    {"swapAtom", COMPARE_AND_SWAP("49", "50:2"), NULL},
    {"swapShared", COMPARE_AND_SWAP("52", "28:2"), NULL},
    {"notPredicate", "PT/P6/P5/P4/P3/P2/P1/P0", NULL}, /* its number's bits inverted */
    {"cache", "/.U/.C/.I/.CRS", ".INVALIDCACHETYPE%u"},
    {"localCache", "/.???1", ".INVALIDLCACHETYPE%u"},
    {"localCacheAll", ".???0/.CRS/.???2/.???3", NULL},
    {"line", "QRY1/PF1 /PF1.5 /PF2 /WB /IV /!/RS /!/RSLB ", "INVALIDCCTLOP%u "},
    {"localLine", "!/PF1 /PF1.5 /PF2 /WB /IV /!/RS /!/RSLB ", "INVALIDCCTLOP%u "},
};

/* An atomic operation whose sizes differ by architecture: its text before and behind the size,
 * which lies in `field`. */
#define SIZED_OF(architectures, size, opcode, mask, before, field, behind)                         \
  {                                                                                                \
    opcode, mask, architectures, NULL, NULL, before "{" field "@" size "}" behind                  \
  }
#define SIZED(opcode, mask, before, field, behind)                                                 \
  SIZED_OF(WB_MAXWELL_50, "firstSize", opcode, mask, before, field, behind),                       \
      SIZED_OF(WB_MAXWELL_52, "maxwellSize", opcode, mask, before, field, behind),                 \
      SIZED_OF(WB_PASCAL, "pascalSize", opcode, mask, before, field, behind)

static const struct wb_word_row rows[] = {
    /* Generic, global, local, shared and constant memory. */
    {0x8000, 0xe000, WB_SM_5X_6X, NULL, NULL,
     "LD{52=/.E}{56:2@loadCache}{53:3@loadSize} {R 0}, $at32<58:3!=7?, {P 58}>"},
    {0xa000, 0xe000, WB_SM_5X_6X, NULL, NULL,
     "ST{52=/.E}{56:2@storeCache}{53:3@size} $at32, {R 0}<58:3!=7?, {P 58}>"},
    {0xeec8, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "LDG{45=/.E}{46:2@loadCache}{48:3@loadSize} {41:3@notPredicate}, {R 0}, $at20"},
    {0xeed0, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "LDG{45=/.E}{46:2@loadCache}{48:3@loadSize} {R 0}, $at24"},
    {0xeed8, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "STG{45=/.E}{46:2@storeCache}{48:3@size} $at24, {R 0}"},
    {0xef40, 0xfff8, WB_SM_5X_6X, NULL, NULL, "LDL{44:2=/.LU/.CI/.CV}{48:3@size} {R 0}, $at24"},
    {0xef48, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "LDS<44=0?{48:3@size}><44=1?.U{48:3@unsignedSize}> {R 0}, $at24"},
    {0xef50, 0xfff8, WB_SM_5X_6X, NULL, NULL, "STL{44:2@storeCache}{48:3@size} $at24, {R 0}"},
    {0xef58, 0xfff8, WB_SM_5X_6X, NULL, NULL, "STS{48:3@size} $at24, {R 0}"},
    {0xef90, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "LDC{48:3@constantSize}{44:2=/.IL/.IS/.ISL} {R 0}, "
     "c[{x 36:5}][<8:8!=255?{R 8}{o 20:16}><8:8=255?{s 20:16}>]"},

    /* Atomic operations and reductions. */
    SIZED(0xed00, 0xff00, "ATOM{48=/.E}.{52:4@atom}", "49:3", " {R 0}, $atAtom, {R 20}"),
    SIZED(0xee60, 0xfff0, "ATOM{48=/.E}.{44:4@atom}", "49:3",
          " {41:3@notPredicate}, {R 0}, [{R 8}], {R 20}"),
    SIZED(0xebf8, 0xfff8, "RED{48=/.E}.{23:3@reduce}", "20:3", " $atAtom, {R 0}"),
    {0xee70, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "ATOM{48=/.E}.CAS{49=/.64} {41:3@notPredicate}, {R 0}, [{R 8}], $swapAtom"},
    {0xeef0, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "ATOM{48=/.E}.CAS{49=/.64} {R 0}, $atAtom, $swapAtom"},
    {0xec00, 0xff00, WB_SM_5X_6X, NULL, NULL,
     "ATOMS.{52:4@atoms}{28:2=/.S32/.U64/.S64} {R 0}, $atShared, {R 20}"},
    {0xee00, 0xff80, WB_SM_5X_6X, NULL, "54=0",
     "ATOMS.CAST{53=/.SPIN}{52=/.64} {R 0}, $atShared, $swapShared"},
    {0xee40, 0xffe0, WB_SM_5X_6X, NULL, NULL, "ATOMS.CAS{52=/.64} {R 0}, $atShared, $swapShared"},

    /* Caches and the order of accesses. */
    {0xef60, 0xffe0, WB_SM_5X_6X, NULL, "0:4=6&8:8=255&22:30=0", "CCTL{52=/.E}{4:3@cache}.IVALL"},
    {0xef60, 0xffe0, WB_SM_5X_6X, NULL, NULL, "CCTL{52=/.E}{4:3@cache}.{0:4@line}$atLine"},
    {0xef80, 0xfff8, WB_SM_5X_6X, NULL, "0:4=6&8:8=255&22:22=0", "CCTLL{4:2@localCache}.IVALL"},
    {0xef80, 0xfff8, WB_SM_5X_6X, NULL, "0:4=8&8:8=255&22:22=0", "CCTLL{4:2@localCacheAll}.WBALL"},
    {0xef80, 0xfff8, WB_SM_5X_6X, NULL, NULL, "CCTLL{4:2@localCache}.{0:4@localLine}$atLocalLine"},
    {0xebf0, 0xfff8, WB_SM_5X_6X, NULL, "0:2=0&36:13=0", "CCTLT.IVALL"},
    {0xebf0, 0xfff8, WB_SM_5X_6X, NULL, "0:2!=0",
     "CCTLT.{0:2=!/IVTH/INVALIDCCTLTOP2/INVALIDCCTLTOP3} {x 36:13}"},
    {0xebe8, 0xfff8, WB_SM_5X_6X, NULL, "0:2!=0",
     "CCTLT.{0:2=!/IVTH/INVALIDCCTLTOP2/INVALIDCCTLTOP3} {R 39}"},
    {0xef98, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "MEMBAR.{8:2=CTA/GL/SYS/VC}{0:2=/.IVALLD/.IVALLT/.IVALLTD}"},
    {0xeea0, 0xfff8, WB_SM_5X_6X, NULL, NULL, "-STP{31=/.WAIT} {x 20:8}"},
};

const struct wb_word_table wb_words64_memory = {rows, ROW_COUNT, texts, TEXT_COUNT};
