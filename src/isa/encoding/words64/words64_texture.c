/* Words of 64 bits (Maxwell and Pascal): textures and surfaces. */
#include "isa/encoding/words64/words64.h"

#define ROW_COUNT (sizeof rows / sizeof *rows)
#define TEXT_COUNT (sizeof texts / sizeof *texts)

/* Operands of texture instructions with a register of results: sources, handle, dimensions,
 * channels. With .B the handle is in a register. The second source is not printed where it is RZ,
 * but of TXD and TLD4S. */
#define TEXTURE(second, handle)                                                                    \
  "<51:3!=7?{P 51}, >{R 0}, {R 8}" second ", " handle ", {28:3@dimensions}, {x 31:4}"
#define SECOND ", {R 20}"
#define SECOND_IF_ANY "$second"
#define NUMBERED "{x 36:13}"
#define BINDLESS "0x0"

/* Operands of those with two registers of results. */
#define SCALAR(second) "{R 28}, {R 0}, {R 8}" second ", {x 36:13}"
#define CHANNELS "<28:8=255?{50:3@oneRegister}><28:8!=255?{50:3@twoRegisters}>"

/* A surface's last operand: a register, or a number. */
#define SURFACE "<51=0?{R 39}><51=1?{x 36:13}>"

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
    {"second", "<20:8!=255?, {R 20}>", NULL},
    {"twoRegisters", "RGB/RGA/RBA/GBA/RGBA", "INVALID%u"},
    {"oneRegister", "R/G/B/A/RG/RA/GA/BA", NULL},
    {"sampleLevel", ".LZ//.LZ/.LL/.DC/.LL.DC/.LZ.DC//.LZ/.LZ.DC//.LZ//.LL/!/!", NULL},
    {"sampleDimensions", "1D/2D/2D/2D/2D/2D/2D/ARRAY_2D/ARRAY_2D/ARRAY_2D/3D/3D/CUBE/CUBE/!/!",
     NULL},
    {"loadLevel", ".LZ/.LL/.LZ/!/.LZ.AOFFI/.LL/.LZ.MS/.LZ/.LZ/!/!/!/.LL.AOFFI/!/!/!", NULL},
    {"loadDimensions", "1D/1D/2D/!/2D/2D/2D/3D/ARRAY_2D/!/!/!/2D/!/!/!", NULL},

    {"sample",
     "{53:4@sampleLevel}{49=/.NODEP} " SCALAR(SECOND_IF_ANY) ", {53:4@sampleDimensions}, " CHANNELS,
     NULL},
    {"load",
     "{53:4@loadLevel}{49=/.NODEP} " SCALAR(SECOND_IF_ANY) ", {53:4@loadDimensions}, " CHANNELS,
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
    {"hit", "<30:3!=0?{30:3@notPredicate}, >", NULL},
};

/* Atomic operations on surfaces, whose sizes differ by architecture. */
#define SURFACE_ATOMICS(architectures, size)                                                       \
  {0xea00,                                                                                         \
   0xffc0,                                                                                         \
   architectures,                                                                                  \
   NULL,                                                                                           \
   NULL,                                                                                           \
   "SUATOM.D{28=/.BA}.{33:3@surface}.{29:4@atomic}{51:3@" size "}{49:2@clamp} {R 0}, [{R 8}], "    \
   "{R 20}, {x 36:13}"},                                                                           \
      {0xea70,                                                                                     \
       0xfff8,                                                                                     \
       architectures,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       "SUATOM.D{28=/.BA}.{33:3@surface}.{29:4@atomic}{36:3@" size "}{49:2@clamp} {R 0}, "         \
       "[{R 8}], {R 20}, {R 39}"},                                                                 \
      {0xeb80,                                                                                     \
       0xffc0,                                                                                     \
       architectures,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       "SUATOM.D{28=/.BA}.{33:3@surface}.{29:4@atomic}{36:3@" size "}{49:2@clamp} "                \
       "{51:3@notPredicate}, {R 0}, [{R 8}], {R 20}, {R 39}"},                                     \
      {0xea80,                                                                                     \
       0xffc0,                                                                                     \
       architectures,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       "SUATOM.D{28=/.BA}.{33:3@surface}.CAS{51:3@" size "}{49:2@clamp} $hit{R 0}, [{R 8}], "      \
       "{R 20}, {x 36:13}"},                                                                       \
      {0xead0,                                                                                     \
       0xfff8,                                                                                     \
       architectures,                                                                              \
       NULL,                                                                                       \
       NULL,                                                                                       \
       "SUATOM.D{28=/.BA}.{33:3@surface}.CAS{36:3@" size "}{49:2@clamp} $hit{R 0}, [{R 8}], "      \
       "{R 20}, {R 39}"},                                                                          \
  {                                                                                                \
    0xeb50, 0xfff0, architectures, NULL, NULL,                                                     \
        "SURED.D{23=/.BA}.{33:3@surface}.{24:3@reduce}{20:3@" size                                 \
        "}{49:2@clamp} [{R 8}], {R 0}, " SURFACE                                                   \
  }

/* Loads from surfaces: whether they tell a predicate of the access. */
#define SURFACE_LOADS(architectures, hit)                                                          \
  {0xeb00,                                                                                         \
   0xfff0,                                                                                         \
   architectures,                                                                                  \
   NULL,                                                                                           \
   NULL,                                                                                           \
   "SULD.P.{33:3@surface}{24:2=/.CG/.CI/.CV}{20:4@channels}{49:2@clamp} " hit                      \
   "{R 0}, [{R 8}], " SURFACE},                                                                    \
  {                                                                                                \
    0xeb10, 0xfff0, architectures, NULL, NULL,                                                     \
        "SULD.D{23=/.BA}.{33:3@surface}{24:2=/.CG/.CI/.CV}{20:3@bytes}{49:2@clamp} " hit "{R 0}, " \
        "[{R 8}], " SURFACE                                                                        \
  }

static const struct wb_word_row rows[] = {
    {0xc000, 0xf800, WB_SM_5X_6X, NULL, NULL,
     "TEX{55:3@level}{58=/.LC}{54=/.AOFFI}{50=/.DC}{35=/.NDV}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY,
                                                                                    NUMBERED)},
    {0xde80, 0xffc0, WB_SM_5X_6X, NULL, NULL,
     "TEX.B{37:3@level}{40=/.LC}{36=/.AOFFI}{50=/.DC}{35=/.NDV}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY,
                                                                                      BINDLESS)},
    {0xc800, 0xfc00, WB_MAXWELL, NULL, NULL,
     "TLD4.{56:2=R/G/B/A}{54:2@offset}{50=/.DC}{35=/.NDV}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY,
                                                                                NUMBERED)},
    {0xdec0, 0xffc0, WB_MAXWELL, NULL, NULL,
     "TLD4.{38:2=R/G/B/A}.B{36:2@offset}{50=/.DC}{35=/.NDV}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY,
                                                                                  BINDLESS)},
    {0xc800, 0xfc00, WB_PASCAL, NULL, NULL,
     "TLD4.{56:2=R/G/B/A}{54:2@offset}{50=/.DC}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY, NUMBERED)},
    {0xdec0, 0xffc0, WB_PASCAL, NULL, NULL,
     "TLD4.{38:2=R/G/B/A}.B{36:2@offset}{50=/.DC}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY, BINDLESS)},
    {0xdc00, 0xff00, WB_SM_5X_6X, NULL, NULL,
     "TLD{55=.LZ/.LL}{35=/.AOFFI}{50=/.MS}{54=/.CL}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY, NUMBERED)},
    {0xdd00, 0xff00, WB_SM_5X_6X, NULL, NULL,
     "TLD.B{55=.LZ/.LL}{35=/.AOFFI}{50=/.MS}{54=/.CL}{49=/.NODEP} " TEXTURE(SECOND_IF_ANY,
                                                                            BINDLESS)},
    {0xde00, 0xffc0, WB_SM_5X_6X, NULL, NULL,
     "TXD{50=/.LC}{35=/.AOFFI}{49=/.NODEP} " TEXTURE(SECOND, NUMBERED)},
    {0xde40, 0xffc0, WB_SM_5X_6X, NULL, NULL,
     "TXD.B{50=/.LC}{35=/.AOFFI}{49=/.NODEP} " TEXTURE(SECOND, BINDLESS)},
    {0xd000, 0xfa00, WB_SM_5X_6X, NULL, NULL, "TEXS{58=.F16/.F16.RTZ}$sample"},
    {0xd800, 0xfe00, WB_SM_5X_6X, NULL, NULL, "TEXS$sample"},
    {0xd200, 0xfa00, WB_SM_5X_6X, NULL, NULL, "TLDS{58=.F16/.F16.RTZ}$load"},
    {0xda00, 0xfe00, WB_SM_5X_6X, NULL, NULL, "TLDS$load"},
    {0xdf00, 0xffc0, WB_SM_5X_6X, NULL, NULL,
     "TLD4S.{52:2=R/G/B/A}{51=/.AOFFI}{50=/.DC}{49=/.NODEP} " SCALAR(SECOND)},
    {0xdf80, 0xff80, WB_SM_5X_6X, NULL, NULL,
     "TLD4S{54=.F16/.F16.RTZ}.{52:2=R/G/B/A}{51=/.AOFFI}{50=/.DC}{49=/.NODEP} " SCALAR(SECOND)},
    {0xdf40, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "TXA{35=/.NDV}{49=/.NODEP} {R 0}, {R 8}, {x 36:13}, {x 31:4}"},
    {0xdf48, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "TXQ{49=/.NODEP} {R 0}, {R 8}, {22:6@query}, {x 36:13}, {x 31:4}"},
    {0xdf50, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "TXQ.B{49=/.NODEP} {R 0}, {R 8}, {22:6@query}, 0x0, {x 31:4}"},
    {0xdf58, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "TMML.LOD{35=/.NDV}{49=/.NODEP} {R 0}, {R 8}, {x 36:13}, {28:3@dimensions}, {x 31:4}"},
    {0xdf60, 0xfff8, WB_SM_5X_6X, NULL, NULL,
     "TMML.B.LOD{35=/.NDV}{49=/.NODEP} {R 0}, {R 8}$second, 0x0, {28:3@dimensions}, {x 31:4}"},

    SURFACE_ATOMICS(WB_MAXWELL_50, "first"),
    SURFACE_ATOMICS(WB_MAXWELL_52, "maxwell"),
    SURFACE_ATOMICS(WB_PASCAL, "pascal"),
    {0xea60, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "SUATOM.P.{33:3@surface}.{29:4@atomic}{49:2@clamp} {R 0}, [{R 8}], {R 20}, " SURFACE},
    {0xeac0, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "SUATOM.P.{33:3@surface}.{29:4@swap}{49:2@clamp} {R 0}, [{R 8}], {R 20}, " SURFACE},
    {0xeb40, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "SURED.P.{33:3@surface}.{24:3@reduce}{49:2@clamp} [{R 8}], {R 0}, " SURFACE},
    SURFACE_LOADS(WB_MAXWELL_50, ""),
    SURFACE_LOADS(WB_MAXWELL_52 | WB_PASCAL, "$hit"),
    {0xeb20, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "SUST.P.{33:3@surface}{24:2=/.CG/.CS/.WT}{20:4@channels}{49:2@clamp} [{R 8}], {R "
     "0}, " SURFACE},
    {0xeb30, 0xfff0, WB_SM_5X_6X, NULL, NULL,
     "SUST.D{23=/.BA}.{33:3@surface}{24:2=/.CG/.CS/.WT}{20:3@bytes}{49:2@clamp} [{R 8}], {R "
     "0}, " SURFACE},
};

const struct wb_word_table wb_words64_texture = {rows, ROW_COUNT, texts, TEXT_COUNT};
