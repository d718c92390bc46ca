#include "isa/access_kind.h"

#define LOADS WB_ACTION_LOAD
#define STORES WB_ACTION_STORE
#define COPIES WB_ACTION_COPY
#define UPDATES WB_ACTION_UPDATE
#define ATOMIC WB_ACTION_ATOMIC
#define LOADS_MATRIX WB_ACTION_LOAD_MATRIX
#define STORES_MATRIX WB_ACTION_STORE_MATRIX
#define BULK WB_ACTION_BULK
#define ACCESS(space, action, bytes) WB_SPACE_##space, action, bytes
#define NO_ACCESS WB_SPACE_GENERIC, WB_ACTION_NONE, 0
#define NO_MEMORY WB_SPACE_GENERIC, WB_ACTION_UNLISTED, 0

/* By opcode. Stores and updates in the shared memory of other blocks of a cluster (STAS, REDAS)
 * count as generic ones. A filtered texture reads up to 128 texels a lane: bulk. */
static const struct wb_access_kind rows[WB_OPCODE_COUNT] = {
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  [WB_OPCODE_##name] = {memory},
#include "isa/opcodes.def"
#undef VARIANT
#undef OPCODE
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
