/* Words of 64 bits (Maxwell and Pascal): integer arithmetic, logic, shifts, moves and selections.
 */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

static const struct wb_word_text texts[] = {
    {"comparison", "F/LT/EQ/LE/GT/NE/GE/T", NULL},
    {"hidden48", "<48:3!=7? {P 48},>", NULL}, /* a predicate destination, unless it is PT */
    /* B with a sign; bits 48 and 49 negate B and A, both together add one (.PO). */
    {"b", "<48:2=1?->$kb", NULL},
    {"b/I", "$rb<48:2=1?.NEG>", NULL},
    {"notb", "{~40}$rb", NULL}, /* not B */
    {"notb/I", "$rb<40=1?.INV>", NULL},
    {"shf", "{50=/.W}{37:2=/.INVALIDMAXSHIFT3/.U64/.S64}{48:2=/.HI/.X/.XHI}", NULL},
    {"idp", "{48,50=4A/2A.LO/!/2A.HI}.{48:2=U8/U16/S8/S16}.{47=U8/S8}", NULL},
    {"xmadtypes", "{48:2=/.S16.U16/.U16.S16/.S16.S16}", NULL},
};

#define SM_ALL WB_SM_5X_6X
#define IMMEDIATE "{s 20:19,56:1}"

static const struct wb_word_row rows[] = {
    /* Sums */
    WB_ROWS_RCI(0x410, 0x7f8, NULL, "IADD<48:2=3?.PO>{50=/.SAT}{43=/.X} $rdcc, <48:2=2?->$ka, $b"),
    WB_ROWS_RCI(0x418, 0x7f8, NULL, "ISCADD<48:2=3?.PO> $rdcc, <48:2=2?->$ka, $b, {x 39:5}"),
    WB_ROWS("R", 0x4c0, 0x7f0, NULL,
            "IADD3{37:2=/.RS/.LS/.???3}{48=/.X} $rdcc, {-51}$ra{35:2=/.H0/.H1/.???3}$reusea, "
            "{-50}$rb{33:2=/.H0/.H1/.???3}$reuseb, {-49}$rc{31:2=/.H0/.H1/.???3}$reusec"),
    WB_ROWS("C", 0x4c0, 0x7f0, NULL, "IADD3{48=/.X} $rdcc, {-51}$ka, {-50}$kb, {-49}$kc"),
    WB_ROWS_I(0x4c0, 0x7f0, NULL,
              "IADD3{48=/.X} $rdcc, {-51}$ka, {x 20:19,56:1}<50=1?.NEG>, {-49}$kc"),
    {0x1c00, 0xfe00, SM_ALL, NULL, "55:2!=1",
     "IADD32I<55:2=3?.PO>{54=/.SAT}{53=/.X} {R 0}{52=/.CC}, <55:2=2?->$ka, {s 20:32}"},
    {0x1400, 0xfc00, SM_ALL, NULL, NULL, "ISCADD32I {R 0}{52=/.CC}, $ka, {s 20:32}, {x 53:5}"},
    WB_ROWS_RCI(0x3d0, 0x7f8, NULL,
                "LEA{46=/.X}$hidden48 $rdcc, {-45}$ka, $kb<39:5!=0?, {x 39:5}>"),
    WB_ROWS("R", 0x3d8, 0x7f8, NULL,
            "LEA.HI{38=/.X}$hidden48 $rdcc, {-37}$ka, $kb, $kc<28:5!=0?, {x 28:5}>"),
    {0x1800, 0xfc00, SM_ALL, NULL, NULL,
     "LEA.HI{57=/.X}$hidden48 $rdcc, {-56}$ka, $constant, $kc<51:5!=0?, {x 51:5}>"},
    WB_ROWS_RCI(0x420, 0x7f8, NULL, "IMNMX{48=.U32/}{43:2=/.XLO/.XMED/.XHI} $rdcc, $ka, $kb, $pc"),

    /* Products */
    WB_ROWS_RCI(0x438, 0x7f8, NULL,
                "IMUL{40:2=.U32.U32/.S32.U32/.U32.S32/}{39=/.HI} $rdcc, $ra, $rb"),
    {0x1f00, 0xff00, SM_ALL, NULL, NULL,
     "IMUL32I{54:2=.U32.U32/.S32.U32/.U32.S32/}{53=/.HI} {R 0}{52=/.CC}, $ra, {s 20:32}"},
    WB_ROWS_RCDI(0x200, 0x780, NULL,
                 "IMAD{48,53=.U32.U32/.S32.U32/.U32.S32/}{54=/.HI}<51:2=3?.PO>{50=/.SAT}{49=/.X} "
                 "$rdcc, <51:2=2?->$ra, $rb, <51:2=1?->$rc"),
    {0x1000, 0xfc00, SM_ALL, NULL, NULL,
     "IMAD32I{54,57=.U32.U32/.S32.U32/.U32.S32/}{53=/.HI}<55:2=3?.PO> {R 0}{52=/.CC}, "
     "<55:2=2?->$ra, {s 20:32}, <55:2=1?->{R 0}"},
    WB_ROWS_RCDI(0x280, 0x780, NULL,
                 "IMADSP.{48:3=U32/S32/U24/S24/U16H0/S16H0/U16H1/S16H1}."
                 "{53:2=U24/S24/U16H0/S16H0}.{48,53=U/S/S/S}{51:2=32/24/16H0/!} "
                 "$rdcc, $ra, $rb, $rc"),
    WB_ROWS("R", 0x300, 0x7c0, NULL,
            "XMAD$xmadtypes{36=/.PSL}{50:3=/.CLO/.CHI/.CSFU/.CBCC/.???5/.???6/.???7}{37=/.MRG}"
            "{38=/.X} $rdcc, $ra{53=/.H1}$reusea, $rb{35=/.H1}$reuseb, $kc"),
    WB_ROWS_I(0x300, 0x7c0, NULL,
              "XMAD$xmadtypes{36=/.PSL}{50:3=/.CLO/.CHI/.CSFU/.CBCC/.???5/.???6/.???7}{37=/.MRG}"
              "{38=/.X} $rdcc, $ra{53=/.H1}$reusea, <49=0?{x 20:16}><49=1?{s 20:16}>, $kc"),
    {0x4e00, 0xfe00, SM_ALL, NULL, NULL,
     "XMAD$xmadtypes{55=/.PSL}{50:2=/.CLO/.CHI/.CSFU}{56=/.MRG}{54=/.X} $rdcc, "
     "$ra{53=/.H1}$reusea, $spaced{52=/.H1}, $kc"},
    WB_ROWS("D", 0x100, 0x780, NULL,
            "XMAD$xmadtypes{50:2=/.CLO/.CHI/.CSFU}{54=/.X} $rdcc, $ra{53=/.H1}$reusea, "
            "$rb{52=/.H1}$reuseb, $kc"),
    {0x53d8, 0xfff8, WB_PASCAL_61, NULL, NULL, "IDP.$idp $rd, $ka, $constant, $kc"},
    {0x53f8, 0xfff8, WB_PASCAL_61, NULL, NULL, "IDP.$idp $rd, $ka, {R 20}$reuseb, $kc"},

    /* Logic */
    WB_ROWS_RCI(0x440, 0x7f8, NULL,
                "LOP{41:2=.AND/.OR/.XOR/.PASS_B}{43=/.X}{44:2=/.T/.Z/.NZ}$hidden48 $rdcc, "
                "{~39}$ka, $notb$reuseb"),
    {0x0400, 0xfc00, SM_ALL, NULL, NULL,
     "LOP32I{53:2=.AND/.OR/.XOR/.PASS_B}{57=/.X} {R 0}{52=/.CC}, {~55}$ka, "
     "{x 20:32}<56=1?.INV>"},
    WB_ROWS("R", 0x3e0, 0x7f8, NULL,
            "LOP3.LUT{38=/.X}{36:2=/.T/.Z/.NZ}$hidden48 $rdcc, $ka, $kb, $kc, {x 28:8}"),
    {0x3c00, 0xfc00, SM_ALL, NULL, NULL,
     "LOP3.LUT{57=/.X} $rdcc, $ka, " IMMEDIATE ", $kc, {x 48:8}"},
    {0x0200, 0xfe00, SM_ALL, NULL, NULL, "LOP3.LUT{56=/.X} $rdcc, $ka, $constant, $kc, {x 48:8}"},

    /* Shifts and fields of bits */
    WB_ROWS_RCI(0x448, 0x7f8, NULL, "SHL{39=/.W}{43=/.X} $rdcc, $ka, $kb"),
    WB_ROWS_RCI(0x428, 0x7f8, NULL,
                "SHR{48=.U32/}{39=/.W}{43:2=/.INVALIDSHRXMODE1/.X/.XHI}{40=/.BREV} $rdcc, $ka, "
                "$kb"),
    WB_ROWS("R", 0x3f8, 0x7f8, NULL, "SHF.L$shf $rdcc, $ka, $kb, $kc"),
    WB_ROWS_I(0x3f8, 0x7f8, NULL, "SHF.L$shf $rdcc, $ka, {x 20:6}, $kc"),
    WB_ROWS("R", 0x4f8, 0x7f8, NULL, "SHF.R$shf $rdcc, $ka, $kb, $kc"),
    WB_ROWS_I(0x4f8, 0x7f8, NULL, "SHF.R$shf $rdcc, $ka, {x 20:6}, $kc"),
    WB_ROWS_RCI(0x400, 0x7f8, NULL, "BFE{48=.U32/}{40=/.BREV} $rdcc, $ka, $kb"),
    WB_ROWS_RCDI(0x3f0, 0x7f8, NULL, "BFI $rdcc, $ka, $kb, $kc"),
    WB_ROWS_RCI(0x430, 0x7f8, NULL, "FLO{48=.U32/}{41=/.SH} $rdcc, $notb"),
    WB_ROWS_RCI(0x408, 0x7f8, NULL, "POPC $rd, $notb"),

    /* Moves and selections */
    WB_ROWS_RCI(0x498, 0x7f8, NULL, "MOV $rd, $kb<39:4!=15?, {x 39:4}>"),
    {0x0100, 0xfff0, SM_ALL, NULL, NULL, "MOV32I $rd, {x 20:32}<12:4!=15?, {x 12:4}>"},
    {0x50d0, 0xfff8, SM_ALL, NULL, NULL, "LEPC $rd"},
    WB_ROWS_RCI(0x4a0, 0x7f8, NULL, "SEL $rd, $ka, $kb, $pc"),
    WB_ROWS_RCDI(0x3c0, 0x7f0, NULL,
                 "PRMT{48:4=/.F4E/.B4E/.RC8/.ECL/.ECR/.RC16/.INVALIDPMODE7/.???8/.???9/.???10/"
                 ".???11/.???12/.???13/.???14/.???15} $rd, $ka, $kb, $kc"),
    WB_ROWS_RCDI(0x340, 0x7f0, NULL, "ICMP.{49:3@comparison}{48=.U32/} $rd, $ka, $kb, $kc"),

    /* Comparisons and predicates */
    WB_ROWS_RCI(
        0x350, 0x7f0, NULL,
        "ISET{44=/.BF}.{49:3@comparison}{48=.U32/}{43=/.X}.{45:2@bop} $rdcc, $ka, $kb, $pc"),
    WB_ROWS_RCI(0x360, 0x7f0, NULL,
                "ISETP.{49:3@comparison}{48=.U32/}{43=/.X}.{45:2@bop} $pd, $pe, $ka, $kb, $pc"),
    {0x5088, 0xfff8, SM_ALL, NULL, NULL,
     "PSET{44=/.BF}.{24:2@bop}.{45:2@bop} $rdcc, {!15}{P 12}, {!32}{P 29}, $pc"},
    {0x5090, 0xfff8, SM_ALL, NULL, NULL,
     "PSETP.{24:2@bop}.{45:2@bop} $pd, $pe, {!15}{P 12}, {!32}{P 29}, $pc"},
    {0x5098, 0xfff8, SM_ALL, NULL, NULL, "CSET{44=/.BF}.{8:5@cctest}.{45:2@bop} $rdcc, CC, $pc"},
    {0x50a0, 0xfff8, SM_ALL, NULL, NULL, "CSETP.{8:5@cctest}.{45:2@bop} $pd, $pe, CC, $pc"},
    WB_ROWS_RCI(0x4e8, 0x7f8, NULL, "P2R{41:2=/.B1/.B2/.B3} $rd, {40=PR/CC}, $ka, $kb"),
    WB_ROWS("RC", 0x4f0, 0x7f8, NULL, "R2P {40=PR/CC}, $ra{41:2=/.B1/.B2/.B3}$reusea, $kb"),
    WB_ROWS_I(0x4f0, 0x7f8, NULL,
              "R2P {40=PR/CC}, $ra{41:2=/.B1/.B2/.B3}$reusea<20:19,56:1!=0xffff?, {x 20:19,56:1}>"),
};

const struct wb_word_table wb_words64_integer = {rows, ROW_COUNT, texts, TEXT_COUNT};
