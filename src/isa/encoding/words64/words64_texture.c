/* Words of 64 bits (Maxwell and Pascal): textures and surfaces. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* Operands of texture instructions with a register of results: sources, handle, dimensions,
 * channels. */
#define TEXTURE(second, handle)                                                                    \
  "<51:3!=7?{P 51}, >{R 0}, {R 8}" second ", " handle ", {28:3@dimensions}, {x 31:4}"

/* Operands of those with two registers of results. */
#define TWO_RESULTS(second) "{R 28}, {R 0}, {R 8}" second ", {x 36:13}"
#define CHANNELS "<28:8=255?{50:3@oneRegister}><28:8!=255?{50:3@twoRegisters}>"

static const struct wb_word_text texts[] = {
    {"dimensions", "1D/ARRAY_1D/2D/ARRAY_2D/3D/ARRAY_3D/CUBE/ARRAY_CUBE", NULL},
    {"level", "/.LZ/.LB/.LL/.INVALIDBLOD4/.INVALIDBLOD5/.LBA/.LLA", NULL},
    {"offset", "/.AOFFI/.PTP/.INVALIDBTOFF03", NULL},
    {"query",
     "!/TEX_HEADER_DIMENSION/TEX_HEADER_TEXTURE_TYPE/!/!/TEX_HEADER_SAMPLER_POS/3/!/4/!/5/!/6/!/"
     "7/!/TEX_SAMPLER_FILTER/!/TEX_SAMPLER_LOD/!/TEX_SAMPLER_WRAP/!/TEX_SAMPLER_BORDER_COLOR/!/"
     "12/!/13/!/14/!/15/!/16/!/17/!/18/!/19/!/20/!/21/!/22/!/23/!/24/!/25/!/26/!/27/!/28/!/29/!/"
     "30/!/31/!",
     NULL},
    {"numbered", TEXTURE("$second", "{x 36:13}"), NULL},
    {"bindless", TEXTURE("$second", "0x0"), NULL}, /* the handle is in a register */
    {"numberedBoth", TEXTURE(", {R 20}", "{x 36:13}"), NULL},
    {"bindlessBoth", TEXTURE(", {R 20}", "0x0"), NULL},
    {"gather", TWO_RESULTS(", {R 20}"), NULL},
    {"second", "<20:8!=255?, {R 20}>", NULL}, /* a second source */
    {"twoRegisters", "RGB/RGA/RBA/GBA/RGBA", "INVALID%u"},
    {"oneRegister", "R/G/B/A/RG/RA/GA/BA", NULL},
    {"sampleLevel", ".LZ//.LZ/.LL/.DC/.LL.DC/.LZ.DC//.LZ/.LZ.DC//.LZ//.LL/!/!", NULL},
    {"sampleDimensions", "1D/2D/2D/2D/2D/2D/2D/ARRAY_2D/ARRAY_2D/ARRAY_2D/3D/3D/CUBE/CUBE/!/!",
     NULL},
    {"loadLevel", ".LZ/.LL/.LZ/!/.LZ.AOFFI/.LL/.LZ.MS/.LZ/.LZ/!/!/!/.LL.AOFFI/!/!/!", NULL},
    {"loadDimensions", "1D/1D/2D/!/2D/2D/2D/3D/ARRAY_2D/!/!/!/2D/!/!/!", NULL},

    {"sample",
     "{53:4@sampleLevel}{49=/.NODEP} " TWO_RESULTS(
         "$second") ", {53:4@sampleDimensions}, " CHANNELS,
     NULL},
    {"load",
     "{53:4@loadLevel}{49=/.NODEP} " TWO_RESULTS("$second") ", {53:4@loadDimensions}, " CHANNELS,
     NULL},
    {"surface", "1D/1D_BUFFER/1D_ARRAY/2D/2D_ARRAY/3D", "INVALIDSURFACEDIM%u"},
    {"clamp", ".IGN//.TRAP/.INVALIDSURFACECLAMP3", NULL},
    {"channels", ".???0/.R/.G/.RG/.B/.RB/.GB/.RGB/.A/.RA/.GA/.RGA/.BA/.RBA/.GBA/", NULL},
    {"bytes", ".U8/.S8/.U16/.S16//.64/.128", ".INVALIDSIZE%u"},
    {"reduce", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR", NULL},
    {"atomic", "ADD/MIN/MAX/INC/DEC/AND/OR/XOR/EXCH", "INVALIDATOMSOP%u"},
    {"swap", "CAS", "???%u"},
    {"first", "/.S32/.U64/.F32.FTZ.RN/.INVALIDATOMICSIZE4/.S64/.SD32/.SD64", NULL},
    {"maxwell", "/.S32/.U64/.F32.FTZ.RN/.F16x2.FTZ.RN/.S64/.SD32/.SD64", NULL},
    {"pascal", "/.S32/.U64/.F32.FTZ.RN/.F16x2.RN/.S64/.SD32/.SD64", NULL},
    {"notPredicate", "PT/P6/P5/P4/P3/P2/P1/P0", NULL}, /* its number's bits inverted */
    {"handle", "<51=0?{R 39}><51=1?{x 36:13}>", NULL}, /* of a surface */
    {"hit", "<30:3!=0?{30:3@notPredicate}, >", NULL},
};

/* An atomic operation on a surface, whose sizes differ by architecture: its text up to the size,
 * which lies in `field`, and its operands. */
#define ATOMIC_OF(architectures, sizes, opcode, mask, before, field, operands)                     \
  {                                                                                                \
    opcode, mask, architectures, NULL, NULL, before "{" field "@" sizes "}{49:2@clamp} " operands  \
  }
#define ATOMIC(opcode, mask, before, field, operands)                                              \
  ATOMIC_OF(WB_MAXWELL_50, "first", opcode, mask, before, field, operands),                        \
      ATOMIC_OF(WB_MAXWELL_52, "maxwell", opcode, mask, before, field, operands),                  \
      ATOMIC_OF(WB_PASCAL, "pascal", opcode, mask, before, field, operands)

/* A load from a surface; from sm_52 on it tells a predicate of the access. */
#define LOAD_OF(architectures, opcode, before, hit)                                                \
  {                                                                                                \
    opcode, 0xfff0, architectures, NULL, NULL,                                                     \
        before "{49:2@clamp} " hit "{R 0}, [{R 8}], $handle"                                       \
  }
#define LOAD(opcode, before)                                                                       \
  LOAD_OF(WB_MAXWELL_50, opcode, before, ""),                                                      \
      LOAD_OF(WB_MAXWELL_52 | WB_PASCAL, opcode, before, "$hit")

/* A texture instruction. */
#define ROW(opcode, mask, text)                                                                    \
  {                                                                                                \
    opcode, mask, WB_SM_5X_6X, NULL, NULL, text                                                    \
  }
#define MAXWELL(opcode, mask, text)                                                                \
  {                                                                                                \
    opcode, mask, WB_MAXWELL, NULL, NULL, text                                                     \
  }
#define PASCAL(opcode, mask, text)                                                                 \
  {                                                                                                \
    opcode, mask, WB_PASCAL, NULL, NULL, text                                                      \
  }

static const struct wb_word_row rows[] = {
    ROW(0xc000, 0xf800,
        "TEX{55:3@level}{58=/.LC}{54=/.AOFFI}{50=/.DC}{35=/.NDV}{49=/.NODEP} $numbered"),
    ROW(0xde80, 0xffc0,
        "TEX.B{37:3@level}{40=/.LC}{36=/.AOFFI}{50=/.DC}{35=/.NDV}{49=/.NODEP} $bindless"),
    MAXWELL(0xc800, 0xfc00,
            "TLD4.{56:2=R/G/B/A}{54:2@offset}{50=/.DC}{35=/.NDV}{49=/.NODEP} $numbered"),
    MAXWELL(0xdec0, 0xffc0,
            "TLD4.{38:2=R/G/B/A}.B{36:2@offset}{50=/.DC}{35=/.NDV}{49=/.NODEP} $bindless"),
    PASCAL(0xc800, 0xfc00, "TLD4.{56:2=R/G/B/A}{54:2@offset}{50=/.DC}{49=/.NODEP} $numbered"),
    PASCAL(0xdec0, 0xffc0, "TLD4.{38:2=R/G/B/A}.B{36:2@offset}{50=/.DC}{49=/.NODEP} $bindless"),
    ROW(0xdc00, 0xff00, "TLD{55=.LZ/.LL}{35=/.AOFFI}{50=/.MS}{54=/.CL}{49=/.NODEP} $numbered"),
    ROW(0xdd00, 0xff00, "TLD.B{55=.LZ/.LL}{35=/.AOFFI}{50=/.MS}{54=/.CL}{49=/.NODEP} $bindless"),
    ROW(0xde00, 0xffc0, "TXD{50=/.LC}{35=/.AOFFI}{49=/.NODEP} $numberedBoth"),
    ROW(0xde40, 0xffc0, "TXD.B{50=/.LC}{35=/.AOFFI}{49=/.NODEP} $bindlessBoth"),
    ROW(0xd000, 0xfa00, "TEXS{58=.F16/.F16.RTZ}$sample"),
    ROW(0xd800, 0xfe00, "TEXS$sample"),
    ROW(0xd200, 0xfa00, "TLDS{58=.F16/.F16.RTZ}$load"),
    ROW(0xda00, 0xfe00, "TLDS$load"),
    ROW(0xdf00, 0xffc0, "TLD4S.{52:2=R/G/B/A}{51=/.AOFFI}{50=/.DC}{49=/.NODEP} $gather"),
    ROW(0xdf80, 0xff80,
        "TLD4S{54=.F16/.F16.RTZ}.{52:2=R/G/B/A}{51=/.AOFFI}{50=/.DC}{49=/.NODEP} $gather"),
    ROW(0xdf40, 0xfff8, "TXA{35=/.NDV}{49=/.NODEP} {R 0}, {R 8}, {x 36:13}, {x 31:4}"),
    ROW(0xdf48, 0xfff8, "TXQ{49=/.NODEP} {R 0}, {R 8}, {22:6@query}, {x 36:13}, {x 31:4}"),
    ROW(0xdf50, 0xfff8, "TXQ.B{49=/.NODEP} {R 0}, {R 8}, {22:6@query}, 0x0, {x 31:4}"),
    ROW(0xdf58, 0xfff8,
        "TMML.LOD{35=/.NDV}{49=/.NODEP} {R 0}, {R 8}, {x 36:13}, {28:3@dimensions}, {x 31:4}"),
    ROW(0xdf60, 0xfff8,
        "TMML.B.LOD{35=/.NDV}{49=/.NODEP} {R 0}, {R 8}$second, 0x0, {28:3@dimensions}, {x 31:4}"),

    ATOMIC(0xea00, 0xffc0, "SUATOM.D{28=/.BA}.{33:3@surface}.{29:4@atomic}", "51:3",
           "{R 0}, [{R 8}], {R 20}, {x 36:13}"),
    ATOMIC(0xea70, 0xfff8, "SUATOM.D{28=/.BA}.{33:3@surface}.{29:4@atomic}", "36:3",
           "{R 0}, [{R 8}], {R 20}, {R 39}"),
    ATOMIC(0xeb80, 0xffc0, "SUATOM.D{28=/.BA}.{33:3@surface}.{29:4@atomic}", "36:3",
           "{51:3@notPredicate}, {R 0}, [{R 8}], {R 20}, {R 39}"),
    ATOMIC(0xea80, 0xffc0, "SUATOM.D{28=/.BA}.{33:3@surface}.CAS", "51:3",
           "$hit{R 0}, [{R 8}], {R 20}, {x 36:13}"),
    ATOMIC(0xead0, 0xfff8, "SUATOM.D{28=/.BA}.{33:3@surface}.CAS", "36:3",
           "$hit{R 0}, [{R 8}], {R 20}, {R 39}"),
    ATOMIC(0xeb50, 0xfff0, "SURED.D{23=/.BA}.{33:3@surface}.{24:3@reduce}", "20:3",
           "[{R 8}], {R 0}, $handle"),
    ROW(0xea60, 0xfff0,
        "SUATOM.P.{33:3@surface}.{29:4@atomic}{49:2@clamp} {R 0}, [{R 8}], {R 20}, $handle"),
    ROW(0xeac0, 0xfff0,
        "SUATOM.P.{33:3@surface}.{29:4@swap}{49:2@clamp} {R 0}, [{R 8}], {R 20}, $handle"),
    ROW(0xeb40, 0xfff0, "SURED.P.{33:3@surface}.{24:3@reduce}{49:2@clamp} [{R 8}], {R 0}, $handle"),
    LOAD(0xeb00, "SULD.P.{33:3@surface}{24:2=/.CG/.CI/.CV}{20:4@channels}"),
    LOAD(0xeb10, "SULD.D{23=/.BA}.{33:3@surface}{24:2=/.CG/.CI/.CV}{20:3@bytes}"),
    ROW(0xeb20, 0xfff0,
        "SUST.P.{33:3@surface}{24:2=/.CG/.CS/.WT}{20:4@channels}{49:2@clamp} [{R 8}], {R 0}, "
        "$handle"),
    ROW(0xeb30, 0xfff0,
        "SUST.D{23=/.BA}.{33:3@surface}{24:2=/.CG/.CS/.WT}{20:3@bytes}{49:2@clamp} [{R 8}], {R 0}, "
        "$handle"),
};

const struct wb_word_table wb_words64_texture = {rows, ROW_COUNT, texts, TEXT_COUNT};
