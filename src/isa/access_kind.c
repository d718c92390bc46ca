#include "isa/access_kind.h"

#define GLOBAL WB_SPACE_GLOBAL
#define SHARED WB_SPACE_SHARED
#define LOCAL WB_SPACE_LOCAL
#define CONSTANT WB_SPACE_CONSTANT
#define GENERIC WB_SPACE_GENERIC
#define TEXTURE WB_SPACE_TEXTURE

#define NONE GENERIC, WB_ACTION_NONE, 0
#define LOADS WB_ACTION_LOAD
#define STORES WB_ACTION_STORE
#define COPIES WB_ACTION_COPY
#define UPDATES WB_ACTION_UPDATE
#define ATOMIC WB_ACTION_ATOMIC
#define BULK WB_ACTION_BULK

/* By opcode. Stores and updates in the shared memory of other blocks of a cluster (STAS, REDAS)
 * count as generic ones. A filtered texture reads up to 128 texels a lane: bulk. */
static const struct wb_access_kind rows[WB_OPCODE_COUNT] = {
    [WB_OPCODE_ARRIVES] = {SHARED, UPDATES, 8},
    [WB_OPCODE_ATOM] = {GENERIC, ATOMIC, 0},
    [WB_OPCODE_ATOMG] = {GLOBAL, ATOMIC, 0},
    [WB_OPCODE_ATOMS] = {SHARED, ATOMIC, 0},
    [WB_OPCODE_BGMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_BMMA] = {NONE},
    [WB_OPCODE_CCTL] = {NONE},
    [WB_OPCODE_CCTLL] = {NONE},
    [WB_OPCODE_CCTLT] = {NONE},
    [WB_OPCODE_DMMA] = {NONE},
    [WB_OPCODE_HGMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_HMMA] = {NONE},
    [WB_OPCODE_IGMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_IMMA] = {NONE},
    [WB_OPCODE_LD] = {GENERIC, LOADS, 0},
    [WB_OPCODE_LDC] = {CONSTANT, LOADS, 0},
    [WB_OPCODE_LDCU] = {CONSTANT, LOADS, 0},
    [WB_OPCODE_LDG] = {GLOBAL, LOADS, 0},
    [WB_OPCODE_LDGMC] = {GLOBAL, ATOMIC, 0},
    [WB_OPCODE_LDGSTS] = {GLOBAL, COPIES, 0},
    [WB_OPCODE_LDL] = {LOCAL, LOADS, 0},
    [WB_OPCODE_LDS] = {SHARED, LOADS, 0},
    [WB_OPCODE_LDSLK] = {SHARED, ATOMIC, 0},
    [WB_OPCODE_LDSM] = {SHARED, WB_ACTION_LOAD_MATRIX, 16},
    [WB_OPCODE_LDTM] = {SHARED, BULK, 16},
    [WB_OPCODE_LDU] = {GLOBAL, LOADS, 0},
    [WB_OPCODE_MOVM] = {NONE},
    [WB_OPCODE_OMMA] = {NONE},
    [WB_OPCODE_QGMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_QMMA] = {NONE},
    [WB_OPCODE_QSPC] = {NONE},
    [WB_OPCODE_RED] = {GENERIC, UPDATES, 0},
    [WB_OPCODE_REDAS] = {GENERIC, UPDATES, 0},
    [WB_OPCODE_REDG] = {GLOBAL, UPDATES, 0},
    [WB_OPCODE_REDS] = {SHARED, UPDATES, 0},
    [WB_OPCODE_SHFL] = {NONE},
    [WB_OPCODE_ST] = {GENERIC, STORES, 0},
    [WB_OPCODE_STAS] = {GENERIC, STORES, 0},
    [WB_OPCODE_STG] = {GLOBAL, STORES, 0},
    [WB_OPCODE_STL] = {LOCAL, STORES, 0},
    [WB_OPCODE_STS] = {SHARED, STORES, 0},
    [WB_OPCODE_STSCUL] = {SHARED, STORES, 0},
    [WB_OPCODE_STSM] = {SHARED, WB_ACTION_STORE_MATRIX, 16},
    [WB_OPCODE_STSUL] = {SHARED, STORES, 0},
    [WB_OPCODE_STTM] = {SHARED, BULK, 16},
    [WB_OPCODE_SUATOM] = {TEXTURE, ATOMIC, 0},
    [WB_OPCODE_SULD] = {TEXTURE, LOADS, 16},
    [WB_OPCODE_SURED] = {TEXTURE, UPDATES, 0},
    [WB_OPCODE_SUST] = {TEXTURE, STORES, 16},
    [WB_OPCODE_SYNCS] = {SHARED, ATOMIC, 8},
    [WB_OPCODE_TEX] = {TEXTURE, BULK, 16},
    [WB_OPCODE_TEXS] = {TEXTURE, BULK, 16},
    [WB_OPCODE_TLD] = {TEXTURE, LOADS, 16},
    [WB_OPCODE_TLD4] = {TEXTURE, BULK, 16},
    [WB_OPCODE_TLD4S] = {TEXTURE, BULK, 16},
    [WB_OPCODE_TLDS] = {TEXTURE, LOADS, 16},
    [WB_OPCODE_TXD] = {TEXTURE, BULK, 16},
    [WB_OPCODE_TXQ] = {NONE},
    [WB_OPCODE_UBLKCP] = {GLOBAL, BULK, 16},
    [WB_OPCODE_UBLKPF] = {GLOBAL, BULK, 16},
    [WB_OPCODE_UBLKRED] = {GLOBAL, BULK, 16},
    [WB_OPCODE_UGETNEXTWORKID] = {SHARED, BULK, 16},
    [WB_OPCODE_ULDC] = {CONSTANT, LOADS, 0},
    [WB_OPCODE_UMEMSETS] = {SHARED, BULK, 16},
    [WB_OPCODE_UTCATOMSWS] = {NONE},
    [WB_OPCODE_UTCBAR] = {SHARED, BULK, 8},
    [WB_OPCODE_UTCCP] = {SHARED, BULK, 16},
    [WB_OPCODE_UTCHMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_UTCIMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_UTCOMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_UTCQMMA] = {SHARED, BULK, 16},
    [WB_OPCODE_UTCSHIFT] = {NONE},
    [WB_OPCODE_UTMACCTL] = {NONE},
    [WB_OPCODE_UTMACMDFLUSH] = {NONE},
    [WB_OPCODE_UTMALDG] = {GLOBAL, BULK, 16},
    [WB_OPCODE_UTMAPF] = {GLOBAL, BULK, 16},
    [WB_OPCODE_UTMAREDG] = {GLOBAL, BULK, 16},
    [WB_OPCODE_UTMASTG] = {GLOBAL, BULK, 16},
};

const struct wb_access_kind *wb_access_kind_of(enum wb_opcode opcode)
{
  return &rows[opcode];
}

/* Modifiers with a width; the greatest counts, but for parts of a register. */
static const struct {
  uint8_t modifier, bytes;
} widths[] = {
    {WB_MODIFIER_U8, 1},      {WB_MODIFIER_S8, 1},     {WB_MODIFIER_U16, 2},
    {WB_MODIFIER_S16, 2},     {WB_MODIFIER_64, 8},     {WB_MODIFIER_U64, 8},
    {WB_MODIFIER_S64, 8},     {WB_MODIFIER_F64, 8},    {WB_MODIFIER_WIDE, 8},
    {WB_MODIFIER_TRANS64, 8}, {WB_MODIFIER_F32x2, 8},  {WB_MODIFIER_F16x4, 8},
    {WB_MODIFIER_BF16x4, 8},  {WB_MODIFIER_96, 12},    {WB_MODIFIER_128, 16},
    {WB_MODIFIER_U128, 16},   {WB_MODIFIER_F32x4, 16}, {WB_MODIFIER_F16x8, 16},
    {WB_MODIFIER_BF16x8, 16}, {WB_MODIFIER_256, 32},
};

uint8_t wb_access_bytes(const struct wb_instruction *instruction)
{
  uint8_t bytes = rows[instruction->number].bytes;
  if (bytes > 0)
    return bytes;
  bytes = 4;
  for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
    if (!wb_instruction_has(instruction, (enum wb_modifier)widths[w].modifier))
      continue;
    if (widths[w].bytes < 4)
      return widths[w].bytes;
    bytes = widths[w].bytes > bytes ? widths[w].bytes : bytes;
  }
  return bytes;
}

bool wb_instruction_loads_constant(const struct wb_instruction *instruction)
{
  return rows[instruction->number].action == WB_ACTION_LOAD &&
         rows[instruction->number].space == WB_SPACE_CONSTANT;
}
