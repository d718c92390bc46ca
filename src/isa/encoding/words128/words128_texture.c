/* Words of 128 bits (Volta and later): textures and surfaces. */
#include "isa/encoding/words128/words128.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* From Volta to Hopper an instruction has four forms, which differ in where the handle of the
 * texture or surface is: in a register (of textures not printed), in a constant bank, the same
 * with texture and sampler apart, in a uniform register. */
#define BANK "{x 54:5}, {x 40:14}"
#define BANK_APART "{x 54:5}, {x 40:6}, {x 46:8}"
#define UNIFORM "{U 40}, {x 46:8}"

#define FORM(opcode, architectures, where, text)                                                   \
  {                                                                                                \
    opcode, 0, architectures, NULL, where, text                                                    \
  }

/* A texture instruction of those architectures: the first form's opcode, the text up to the handle
 * and behind it. Bit 59 tells .B: a handle that is not in the bank of textures. */
#define TEXTURE(opcode, uniform, architectures, before, behind)                                    \
  FORM(opcode, architectures, "59=1", before behind),                                              \
      FORM((opcode) + 0x7ff, architectures, "91=0", before ", " BANK behind),                      \
      FORM((opcode) + 0x801, architectures, "59=1", before ", " BANK_APART behind),                \
      FORM(uniform, architectures, "91=1&59=0", before ", " UNIFORM behind)

/* A surface instruction of those architectures, whose handle comes last: the opcodes of the forms
 * with a register and with a bank. */
#define SURFACE(opcode, bank, architectures, text)                                                 \
  FORM(opcode, architectures, NULL, text "$register"), FORM(bank, architectures, NULL, text BANK), \
      FORM(((bank)&0xff) | 0x700, architectures, NULL, text BANK_APART),                           \
      FORM((bank) | 0xf00, architectures, "91=1", text UNIFORM)

#define SURFACE_BY_TIME(opcode, bank, before, volta, ampere, behind)                               \
  SURFACE(opcode, bank, WB_VOLTA | WB_TURING, before volta behind),                                \
      SURFACE(opcode, bank, AMPERE_TO_HOPPER, before ampere behind)

#define AMPERE_TO_HOPPER (WB_AMPERE | WB_AMPERE_86 | WB_ADA | WB_HOPPER)
#define VOLTA_TO_HOPPER (WB_VOLTA | WB_TURING | AMPERE_TO_HOPPER)
#define TURING_TO_HOPPER (WB_TURING | AMPERE_TO_HOPPER)

/* Results and sources of texture instructions. */
#define SOURCES "{R 64}, {R 16}, {R 24}<32:8!=255?, {R 32}>"
#define ALL_SOURCES "{R 64}, {R 16}, {R 24}, {R 32}"
#define HANDLED "{R 64}, {R 16}, {R 24}, $handle"
#define GUARDED "<81:3!=7?{P 81}, >"

/* The order of a surface's accesses. */
#define ORDER "{79:2=.INVALID0//.STRONG/.MMIO}$scope"
#define ORDER_OF_ATOMIC "{79:2=.INVALID0//.STRONG/.INVALID3}$scope"

static const struct wb_word_text texts[] = {
    {"dimensions", "1D/2D/3D/CUBE/ARRAY_1D/ARRAY_2D/INVALID6/ARRAY_CUBE", NULL},
    {"gathered", "1:2D/3:CUBE/5:ARRAY_2D/7:ARRAY_CUBE", "INVALID%u"},
    {"loaded", "1D/2D/3D/4:ARRAY_1D/ARRAY_2D", "INVALID%u"},
    {"derived", "1D/2D/4:ARRAY_1D/ARRAY_2D", "INVALID%u"},
    {"kind", "<78=0?TEX><78=1&60=0?TXD><78=1&60=1????1>", NULL},
    {"covered", "1:2D/3D", "INVALID%u"},
    {"half", "/.F16.RN/.F16.RZ/.INVALID3", NULL},
    {"evict", ".EF//.EL/.LU/.EU/.NA", ".INVALID%u"},
    {"level", "/.LZ/.LB/.LL/.LC/.LB.LC/.LC.FDV", ".INVALID%u"},
    {"levelVolta", "/.LZ/.LB/.LL/.LC/.LB.LC", ".INVALID%u"},
    {"level100",
     "/.LB/.LC/.INVALID6/.INVALID8/.INVALID10/.INVALID12/.INVALID14/.LZ/.LL/.LB.LC/.INVALID7/"
     ".INVALID9/.INVALID11/.INVALID13/.INVALID15",
     NULL},
    {"level120",
     "/.LB/.LC/.ULB/.ULC/.LB.ULC/.INVALID12/.INVALID14/.LZ/.LL/.LB.LC/.ULL/.ULB.LC/.INVALID11/"
     ".INVALID13/.INVALID15",
     NULL},
    {"levelLoad", ".INVALID0/.LZ/.INVALID2/.LL", ".INVALID%u"},
    {"offset", "/.AOFFI/.PTP/.INVALID3", NULL},
    {"offset100", "/.AOFFI/.INVALID2/.INVALID3", NULL},
    {"offset120", "/.AOFFI/.UAOFFI/.INVALID3", NULL},
    {"query", "TEX_HEADER_DIMENSION/TEX_HEADER_TEXTURE_TYPE/TEX_HEADER_SAMPLER_POS/INVALID3", NULL},
    {"handle", "{32:8@given}{R 32}", NULL},
    {"register", "{64:8@given}{R 64}", NULL},
    {"channelsRead", "<72:4!=15?, {x 72:4}>", NULL},
    {"given", "255:!", ""}, /* a register that is not RZ */
    {"channel", "R/G/B/A", NULL},

    {"surface", "1D/1D_BUFFER/1D_ARRAY/2D/2D_ARRAY/3D", "INVALID%u"},
    {"clamp", ".IGN//.TRAP/.INVALID3", NULL},
    {"channels", "1:.R/3:.RG/15:", ".INVALID%u"},
    {"bytes", ".U8/.S8/.U16/.S16//.64/.128/.INVALID7", NULL},
    {"atomic", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR/EXCH", "INVALID%u"},
    {"reduce", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR", NULL},
    {"atomicSize", "/.S32/.U64/.F32.FTZ.RN/.F16x2.RN/.S64/.SD32/.SD64", NULL},
    {"swap", "/.S32/.64", ".INVALID%u"},
    {"swapAmpere", "/.S32/.U64", ".INVALID%u"},
    {"scope", "{77:2=.CTA/.SM/.GPU/.SYS}{76=/.PRIVATE}", NULL},
    {"loadOrder",
     "/.CONSTANT.PRIVATE/.CONSTANT.CTA/.CONSTANT.CTA.PRIVATE/.CONSTANT/.STRONG.SM/"
     ".STRONG.GPU.PRIVATE/.STRONG.GPU/.MMIO.GPU/.CONSTANT.SM/.STRONG.SYS/.CONSTANT.SM.PRIVATE/"
     ".MMIO.SYS/.CONSTANT.VC/.CONSTANT.VC.PRIVATE/.CONSTANT.GPU",
     NULL},
    {"storeOrder",
     "/.CONSTANT.PRIVATE/.CONSTANT.CTA/.CONSTANT.CTA.PRIVATE/.STRONG.SM.PRIVATE/.STRONG.SM/"
     ".STRONG.GPU.PRIVATE/.STRONG.GPU/.MMIO.GPU/.CONSTANT.SM/.STRONG.SYS/.CONSTANT.SM.PRIVATE/"
     ".MMIO.SYS/.CONSTANT.VC/.CONSTANT.VC.PRIVATE/.CONSTANT.GPU",
     NULL},
    {"status", "COMP_STATUS/???1", NULL},
};

/* Of sm_100 and sm_120: .B or none, and what the handle's form prints before the dimensions. */
#define NEW_TEXTURE(architecture, opcode, where, b, sources, level, offset, ndv)                   \
  FORM(opcode, architecture, where,                                                                \
       "TEX{60=/.SCR}" b "{79:2@half}{87:3,59@" level "}" offset "{78=/.DC}{84:3@evict}" ndv       \
       "{90=/.NODEP} " GUARDED sources ", {61:3@dimensions}$channelsRead")
#define NEW_GATHER(architecture, opcode, where, b, sources, offset)                                \
  FORM(opcode, architecture, where,                                                                \
       "TLD4{60=/.SCR}.{87:2@channel}" b "{79:2@half}" offset                                      \
       "{78=/.DC}{84:3@evict}{90=/.NODEP} " GUARDED sources ", {61:3@gathered}$channelsRead")
#define NEW_LOAD(architecture, opcode, where, b, sources, level, offset, samples)                  \
  FORM(opcode, architecture, where,                                                                \
       "TLD{60=/.SCR}" b "{79:2@half}{87:2=.LZ/.LL/" level "/.INVALID3}" offset                    \
       "{84:3@evict}{77:2=/.MS/" samples "/.INVALID3}{76=/.CL}{90=/.NODEP} " GUARDED sources       \
       ", {61:3@loaded}$channelsRead")
#define NEW_DERIVED(architecture, opcode, where, b, sources, level, offset)                        \
  FORM(opcode, architecture, where,                                                                \
       "TXD" b "{79:2@half}{87:2=/.LC/" level "/.INVALID3}" offset                                 \
       "{84:3@evict}{90=/.NODEP} " GUARDED sources ", {61:3@derived}$channelsRead")
#define NEW_FOOTPRINT(architecture, opcode, where, b, sources, ndv)                                \
  FORM(opcode, architecture, where,                                                                \
       "FOOTPRINT{60=/.SCR}" b ".$kind{57=/.COARSE}{87:3@levelVolta}" ndv "{90=/.NODEP} " GUARDED  \
       "{64:8@given}" sources ", {61:3@covered}")

#define OFFSET_100 "{56:2@offset100}"
#define OFFSET_120 "{56:2@offset120}{58=/.UAI}"
#define NDV_100 "{76:2=/.NDV/.FDV/.INVALID3}"
#define NDV_120 "{76:2=/.NDV/.INVALID2/.DXY}"
#define OFFSETS "<48:8!=255?, {U 48}>" /* sm_120: a uniform register of offsets, where given */

/* Each of them with its forms. */
#define NEW_FORMS_100(MACRO, bound, uniform, ...)                                                  \
  MACRO(WB_BLACKWELL, bound, "91=1", ".B", HANDLED, __VA_ARGS__),                                  \
      MACRO(WB_BLACKWELL, uniform, "91=1", "", SOURCES ", {U 40}", __VA_ARGS__)
#define NEW_FORMS_120(MACRO, bound, uniform, both, both_where, ...)                                \
  MACRO(WB_BLACKWELL_120, bound, "91=1", ".B", HANDLED OFFSETS, __VA_ARGS__),                      \
      MACRO(WB_BLACKWELL_120, uniform, "91=1", "", SOURCES ", {U 40}" OFFSETS, __VA_ARGS__),       \
      MACRO(WB_BLACKWELL_120, both, both_where, ".B", HANDLED ", {U 40}, {U 48}", __VA_ARGS__)

/* A surface instruction of sm_100 and sm_120. */
#define NEW_SURFACE(opcode, uniform, before, behind)                                               \
  FORM(opcode, WB_BLACKWELL, NULL, before behind "$register"),                                     \
      FORM(uniform, WB_BLACKWELL, "91=1", before behind "{U 40}"),                                 \
      FORM(opcode, WB_BLACKWELL_120, "91=0", before "{58=/.UAI}" behind "$register" OFFSETS),      \
      FORM(uniform, WB_BLACKWELL_120, "91=1", before "{58=/.UAI}" behind "{U 40}" OFFSETS)
#define NEW_SURFACE_BOTH(both, before, behind)                                                     \
  FORM(both, WB_BLACKWELL_120, "91=1", before "{58=/.UAI}" behind "$register, {U 40}, {U 48}")

#define TEX(level)                                                                                 \
  "TEX{60=/.SCR}{59=/.B}{79:2@half}{87:3@" level "}{76=/.AOFFI}{78=/.DC}{84:3@evict}{77=/.NDV}"    \
  "{90=/.NODEP} " GUARDED SOURCES

#define SUATOM "SUATOM.D{72=/.BA}.{61:3@surface}"
#define ATOMIC ".{87:4@atomic}{84:3@evict}{73:3@atomicSize}"
#define SWAP(size) ".CAS{84:3@evict}{73:3@" size "}"
#define RESULT "{59:2@clamp} " GUARDED "{R 16}, [{R 24}], "
#define NO_RESULT "{59:2@clamp} [{R 24}], {R 32}, "
#define SURED "SURED.D{72=/.BA}.{61:3@surface}"
#define REDUCTION ".{87:3@reduce}{84:3@evict}{73:3@atomicSize}"

static const struct wb_word_row rows[] = {
    TEXTURE(0x361, 0xf60, WB_VOLTA, TEX("levelVolta"), ", {61:3@dimensions}$channelsRead"),
    TEXTURE(0x361, 0xf60, TURING_TO_HOPPER, TEX("level"), ", {61:3@dimensions}$channelsRead"),
    TEXTURE(0x364, 0xf63, VOLTA_TO_HOPPER,
            "TLD4{60=/.SCR}.{87:2@channel}{59=/.B}{79:2@half}{76:2@offset}{78=/.DC}{84:3@evict}"
            "{90=/.NODEP} " GUARDED SOURCES,
            ", {61:3@gathered}$channelsRead"),
    TEXTURE(0x367, 0xf66, VOLTA_TO_HOPPER,
            "TLD{60=/.SCR}{59=/.B}{79:2@half}{87:3@levelLoad}{76=/.AOFFI}{84:3@evict}{78=/.MS}"
            "{77=/.CL}{90=/.NODEP} " GUARDED SOURCES,
            ", {61:3@loaded}$channelsRead"),
    TEXTURE(0x36a, 0xf69, VOLTA_TO_HOPPER, "TMML{59=/.B}.LOD{77=/.NDV}{90=/.NODEP} " SOURCES,
            ", {61:3@dimensions}$channelsRead"),
    TEXTURE(
        0x36d, 0xf6c, VOLTA_TO_HOPPER,
        "TXD{59=/.B}{79:2@half}{87=/.LC}{76=/.AOFFI}{84:3@evict}{90=/.NODEP} " GUARDED ALL_SOURCES,
        ", {61:3@derived}$channelsRead"),
    TEXTURE(0x370, 0xf6f, VOLTA_TO_HOPPER,
            "TXQ{59=/.B}{90=/.NODEP} {R 64}, {R 16}, {R 24}, {62:2@query}", ", {x 72:4}"),
    TEXTURE(0x373, 0xf74, TURING_TO_HOPPER,
            "FOOTPRINT{60=/.SCR}{59=/.B}.$kind{76=/.COARSE}{87:3@level}{77=/.NDV}"
            "{90=/.NODEP} " GUARDED "{64:8@given}" SOURCES,
            ", {61:3@covered}"),

    NEW_FORMS_100(NEW_TEXTURE, 0xd61, 0xf60, "level100", OFFSET_100, NDV_100),
    NEW_FORMS_120(NEW_TEXTURE, 0xd61, 0xf60, 0x361, "91=0", "level120", OFFSET_120, NDV_120),
    NEW_FORMS_100(NEW_GATHER, 0xd64, 0xf63, "{76:2@offset}"),
    NEW_FORMS_120(NEW_GATHER, 0xd64, 0xf63, 0xf64, "91=1", "{76:2=/.AOFFI/.PTP/.UAOFFI}{58=/.UAI}"),
    NEW_FORMS_100(NEW_LOAD, 0xd67, 0xf66, ".INVALID2", OFFSET_100, ".INVALID2"),
    NEW_FORMS_120(NEW_LOAD, 0xd67, 0xf66, 0xf67, "91=1", ".ULL", OFFSET_120, ".UMS"),
    NEW_DERIVED(WB_BLACKWELL, 0xd6d, "91=1", ".B", ALL_SOURCES, ".INVALID2", OFFSET_100),
    NEW_DERIVED(WB_BLACKWELL, 0xf6c, "91=1", "", ALL_SOURCES ", {U 40}", ".INVALID2", OFFSET_100),
    NEW_DERIVED(WB_BLACKWELL_120, 0xd6d, "91=1", ".B", ALL_SOURCES OFFSETS, ".ULC", OFFSET_120),
    NEW_DERIVED(WB_BLACKWELL_120, 0xf6c, "91=1", "", ALL_SOURCES ", {U 40}" OFFSETS, ".ULC",
                OFFSET_120),
    NEW_DERIVED(WB_BLACKWELL_120, 0xf6d, "91=1", ".B", ALL_SOURCES ", {U 40}, {U 48}", ".ULC",
                OFFSET_120),
    NEW_FOOTPRINT(WB_BLACKWELL, 0xd73, "91=1", ".B", HANDLED, NDV_100),
    NEW_FOOTPRINT(WB_BLACKWELL, 0xf74, "91=1", "", SOURCES ", {U 40}", NDV_100),
    NEW_FOOTPRINT(WB_BLACKWELL_120, 0xd73, "91=1", ".B", HANDLED, NDV_120),
    NEW_FOOTPRINT(WB_BLACKWELL_120, 0xf73, "91=1", ".B", HANDLED ", {U 40}", NDV_120),
    NEW_FOOTPRINT(WB_BLACKWELL_120, 0xf74, "91=1", "", SOURCES ", {U 40}", NDV_120),
    FORM(0x36a, WB_BLACKWELL, NULL,
         "TMML.B.LOD{76:2=/.NDV/.INVALID2/.INVALID3}{90=/.NODEP} " HANDLED
         ", {61:3@dimensions}$channelsRead"),
    FORM(0xf69, WB_BLACKWELL, NULL,
         "TMML.LOD{76:2=/.NDV/.INVALID2/.INVALID3}{90=/.NODEP} " SOURCES
         ", {U 40}, {61:3@dimensions}$channelsRead"),
    FORM(0x36a, WB_BLACKWELL_120, NULL,
         "TMML.B.LOD" NDV_120 "{90=/.NODEP} " HANDLED ", {61:3@dimensions}$channelsRead"),
    FORM(0xf69, WB_BLACKWELL_120, NULL,
         "TMML.LOD" NDV_120 "{90=/.NODEP} " SOURCES ", {U 40}, {61:3@dimensions}$channelsRead"),
    FORM(0xf6a, WB_BLACKWELL_120, NULL,
         "TMML.B.LOD" NDV_120 "{90=/.NODEP} " HANDLED ", {U 40}, {61:3@dimensions}$channelsRead"),
    FORM(0x370, WB_FROM_BLACKWELL, NULL,
         "TXQ.B{90=/.NODEP} {R 64}, {R 16}, {R 24}, {62:2@query}, {x 72:4}"),
    FORM(0xf6f, WB_FROM_BLACKWELL, NULL,
         "TXQ{90=/.NODEP} {R 64}, {R 16}, {R 24}, {62:2@query}, {U 40}, 0x0, {x 72:4}"),
    FORM(0xf70, WB_BLACKWELL_120, NULL,
         "TXQ.B{90=/.NODEP} {R 64}, {R 16}, {R 24}, {62:2@query}, {U 40}, {x 72:4}"),

    SURFACE_BY_TIME(0x394, 0x593, SUATOM ATOMIC, ORDER_OF_ATOMIC, "{77:4@storeOrder}",
                    RESULT "{R 32}, "),
    SURFACE(0x396, 0x595, WB_VOLTA | WB_TURING,
            SUATOM SWAP("swap") ORDER_OF_ATOMIC RESULT "{R 32}, "),
    SURFACE(0x396, 0x595, WB_AMPERE | WB_AMPERE_86 | WB_ADA,
            SUATOM SWAP("swapAmpere") "{77:4@storeOrder}" RESULT "{R 32}, "),
    SURFACE(0x396, 0x595, WB_HOPPER, SUATOM SWAP("swap") "{77:4@storeOrder}" RESULT "{R 32}, "),
    SURFACE_BY_TIME(0x3a0, 0x59f, SURED REDUCTION, ORDER_OF_ATOMIC, "{77:4@storeOrder}", NO_RESULT),
    SURFACE_BY_TIME(0x998, 0xb97, "SULD.P.{61:3@surface}{84:3@evict}", ORDER, "{77:4@loadOrder}",
                    "{72:4@channels}" RESULT),
    SURFACE_BY_TIME(0x99a, 0xb99, "SULD.D{72=/.BA}.{61:3@surface}{84:3@evict}{73:3@bytes}", ORDER,
                    "{77:4@loadOrder}", RESULT),
    SURFACE_BY_TIME(0x99c, 0xb9b, "SUST.P.{61:3@surface}{84:3@evict}", ORDER, "{77:4@storeOrder}",
                    "{72:4@channels}" NO_RESULT),
    SURFACE_BY_TIME(0x99e, 0xb9d, "SUST.D{72=/.BA}.{61:3@surface}{84:3@evict}{73:3@bytes}", ORDER,
                    "{77:4@storeOrder}", NO_RESULT),
    SURFACE(0x9b3, 0xbb3, WB_AMPERE_86 | WB_ADA | WB_HOPPER,
            "SUQUERY{72=/.BA}.{61:3@surface} " GUARDED "{R 16}, [{R 24}], {87@status}, "),

    NEW_SURFACE(0x394, 0xf93, SUATOM, ATOMIC "{77:4@storeOrder}" RESULT "{R 32}, "),
    NEW_SURFACE_BOTH(0xf94, SUATOM, ATOMIC "{77:4@storeOrder}" RESULT "{R 32}, "),
    NEW_SURFACE(0x396, 0xf95, SUATOM, SWAP("swap") "{77:4@storeOrder}" RESULT "{R 32}, "),
    NEW_SURFACE_BOTH(0xf96, SUATOM, SWAP("swap") "{77:4@storeOrder}" RESULT "{R 32}, "),
    NEW_SURFACE(0x3a0, 0xf9f, SURED, REDUCTION "{77:4@storeOrder}" NO_RESULT),
    NEW_SURFACE_BOTH(0xfa0, SURED, REDUCTION "{77:4@storeOrder}" NO_RESULT),
    NEW_SURFACE(0x998, 0xf97, "SULD.P.{61:3@surface}",
                "{84:3@evict}{77:4@loadOrder}{72:4@channels}" RESULT),
    NEW_SURFACE_BOTH(0xf98, "SULD.P.{61:3@surface}",
                     "{84:3@evict}{77:4@loadOrder}{72:4@channels}" RESULT),
    NEW_SURFACE(0x99a, 0xf99, "SULD.D{72=/.BA}.{61:3@surface}",
                "{84:3@evict}{73:3@bytes}{77:4@loadOrder}" RESULT),
    NEW_SURFACE_BOTH(0xf9a, "SULD.D{72=/.BA}.{61:3@surface}",
                     "{84:3@evict}{73:3@bytes}{77:4@loadOrder}" RESULT),
    NEW_SURFACE(0x99c, 0xf9b, "SUST.P.{61:3@surface}",
                "{84:3@evict}{77:4@storeOrder}{72:4@channels}" NO_RESULT),
    NEW_SURFACE_BOTH(0xf9c, "SUST.P.{61:3@surface}",
                     "{84:3@evict}{77:4@storeOrder}{72:4@channels}" NO_RESULT),
    NEW_SURFACE(0x99e, 0xf9d, "SUST.D{72=/.BA}.{61:3@surface}",
                "{84:3@evict}{73:3@bytes}{77:4@storeOrder}" NO_RESULT),
    NEW_SURFACE_BOTH(0xf9e, "SUST.D{72=/.BA}.{61:3@surface}",
                     "{84:3@evict}{73:3@bytes}{77:4@storeOrder}" NO_RESULT),
    NEW_SURFACE(0x9b3, 0xfb3, "SUQUERY{72=/.BA}.{61:3@surface}",
                " " GUARDED "{R 16}, [{R 24}], {87@status}, "),
    NEW_SURFACE_BOTH(0xdb3, "SUQUERY{72=/.BA}.{61:3@surface}",
                     " " GUARDED "{R 16}, [{R 24}], {87@status}, "),
};

const struct wb_word_table wb_words128_texture = {rows, ROW_COUNT, texts, TEXT_COUNT};
