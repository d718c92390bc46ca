#include "isa/opcode.h"

#include "base/binary_search.h"

#include <string.h>

/* ---- search in a table whose rows ascend by opcode ---- */

int wb_opcode_compare(const char *text, size_t length, const char *opcode)
{
  const size_t other = strlen(opcode);
  const int order = length > 0 ? memcmp(text, opcode, length < other ? length : other) : 0;
  return order != 0 ? order : (length > other) - (length < other);
}

struct key {
  wb_opcode_of_row *opcode_of;
  const char *text;
  size_t length;
};

static bool is_before(const void *items, size_t row, const void *key)
{
  const struct key *sought = key;
  (void)items; /* the rows are known to opcode_of alone */
  return wb_opcode_compare(sought->text, sought->length, sought->opcode_of(row)) > 0;
}

size_t wb_opcode_lower_bound(wb_opcode_of_row *opcode_of, size_t count, const char *text,
                             size_t length)
{
  const struct key key = {opcode_of, text, length};
  return wb_lower_bound(NULL, count, is_before, &key);
}

/* ---- opcodes and modifiers ---- */

/* Sorted by strcmp, as the enumerations are; the first stands for none and is below all others. */
static const char *const opcodes[WB_OPCODE_COUNT] = {
    "",
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
#name,
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

static const char *const modifiers[WB_MODIFIER_COUNT] = {
    "",
#define MODIFIER(name) #name,
#include "isa/modifiers.def"
#undef MODIFIER
};

#define FENCE WB_TRAIT_FENCE
#define HIDDEN_WAIT WB_TRAIT_HIDDEN_WAIT
#define STARTS_COPY WB_TRAIT_STARTS_COPY
#define STARTS_PRODUCT WB_TRAIT_STARTS_PRODUCT
#define COMMITS_COPY WB_TRAIT_COMMITS_COPY
#define WAITS_FOR_SCOREBOARDS (WB_TRAIT_WAITS_FOR_SCOREBOARDS | WB_TRAIT_WAITS_FOR_PRODUCTS)
#define WAITS_FOR_PRODUCTS WB_TRAIT_WAITS_FOR_PRODUCTS
#define LOADS_CONSTANT WB_TRAIT_LOADS_CONSTANT
#define BLOCK_BARRIER WB_TRAIT_BLOCK_BARRIER
#define YIELDS WB_TRAIT_YIELDS
#define BREAKPOINT WB_TRAIT_BREAKPOINT
#define MOVES_BARRIER_REGISTER WB_TRAIT_MOVES_BARRIER_REGISTER
#define LOADS_LOCAL WB_TRAIT_LOADS_LOCAL
#define STORES_LOCAL WB_TRAIT_STORES_LOCAL
#define LOADS_BARRIER WB_TRAIT_LOADS_BARRIER
#define STORES_LATER WB_TRAIT_STORES_LATER

static const uint16_t traits_of[WB_OPCODE_COUNT] = {
    0,
#define VARIANT(name, modifiers, operands, families, unit, transfer, agreement, assumption,        \
                traits, lowering)
#define OPCODE(name, modifiers, operands, families, unit, transfer, agreement, assumption, traits, \
               lowering, memory)                                                                   \
  (uint16_t)(traits),
#include "isa/opcodes.def"
#undef OPCODE
#undef VARIANT
};

static const char *opcode_of(size_t row)
{
  return opcodes[row];
}

static const char *modifier_of(size_t row)
{
  return modifiers[row];
}

/* The row of a word; 0 where the table lacks it. */
static size_t find(wb_opcode_of_row *name_of, size_t count, const char *word, size_t length)
{
  const size_t row = wb_opcode_lower_bound(name_of, count, word, length);
  return row < count && wb_opcode_compare(word, length, name_of(row)) == 0 ? row : 0;
}

void wb_opcode_parse(const char *text, size_t length, struct wb_instruction *instruction)
{
  const char *end = text + length;
  const char *dot = length > 0 ? memchr(text, '.', length) : NULL;
  const size_t first = (size_t)((dot != NULL ? dot : end) - text);
  instruction->number = (uint16_t)find(opcode_of, WB_OPCODE_COUNT, text, first);
  instruction->modifier_count = 0;
  while (dot != NULL) {
    const char *word = dot + 1;
    dot = memchr(word, '.', (size_t)(end - word));
    const size_t size = (size_t)((dot != NULL ? dot : end) - word);
    if (instruction->modifier_count == WB_MODIFIER_LIMIT) {
      instruction->modifiers[WB_MODIFIER_LIMIT - 1] = WB_MODIFIER_OTHER;
      return;
    }
    instruction->modifiers[instruction->modifier_count++] =
        (uint8_t)find(modifier_of, WB_MODIFIER_COUNT, word, size);
  }
}

const char *wb_opcode_name(enum wb_opcode opcode)
{
  return opcodes[opcode];
}

size_t wb_opcode_matches(const char *text, const char *name)
{
  const size_t length = strlen(name);
  const bool begins = strncmp(name, text, length) == 0;
  return begins && (text[length] == '\0' || text[length] == '.') ? length : 0;
}

bool wb_instruction_is(const struct wb_instruction *instruction, enum wb_trait trait)
{
  return (traits_of[instruction->number] & (unsigned)trait) != 0;
}

bool wb_instruction_has(const struct wb_instruction *instruction, enum wb_modifier modifier)
{
  return memchr(instruction->modifiers, (int)modifier, instruction->modifier_count) != NULL;
}

bool wb_instruction_has_just(const struct wb_instruction *instruction,
                             const enum wb_modifier *wanted, size_t count)
{
  if (instruction->modifier_count != count)
    return false;
  for (size_t m = 0; m < count; m++)
    if (instruction->modifiers[m] != (uint8_t)wanted[m])
      return false;
  return true;
}

bool wb_instruction_votes(const struct wb_instruction *instruction)
{
  return wb_instruction_has(instruction, WB_MODIFIER_ANY) ||
         wb_instruction_has(instruction, WB_MODIFIER_ALL);
}

bool wb_instruction_has_among(const struct wb_instruction *instruction,
                              const enum wb_modifier *among, size_t count)
{
  for (size_t m = 0; m < instruction->modifier_count; m++) {
    size_t a = 0;
    while (a < count && instruction->modifiers[m] != (uint8_t)among[a])
      a++;
    if (a == count)
      return false;
  }
  return true;
}

bool wb_instruction_local_bytes(const struct wb_instruction *instruction, unsigned *bytes)
{
  /* Of words and parts, and how caches keep them. */
  static const struct {
    enum wb_modifier modifier;
    unsigned bytes;
  } known[] = {{WB_MODIFIER_U8, 1},   {WB_MODIFIER_S8, 1}, {WB_MODIFIER_U16, 2},
               {WB_MODIFIER_S16, 2},  {WB_MODIFIER_32, 4}, {WB_MODIFIER_64, 8},
               {WB_MODIFIER_128, 16}, {WB_MODIFIER_LU, 0}, {WB_MODIFIER_CI, 0},
               {WB_MODIFIER_CV, 0},   {WB_MODIFIER_EF, 0}, {WB_MODIFIER_EL, 0}};
  *bytes = 4;
  for (size_t m = 0; m < instruction->modifier_count; m++) {
    size_t k = 0;
    while (k < sizeof known / sizeof *known &&
           instruction->modifiers[m] != (uint8_t)known[k].modifier)
      k++;
    if (k == sizeof known / sizeof *known)
      return false;
    if (known[k].bytes > 0)
      *bytes = known[k].bytes;
  }
  return true;
}

enum wb_reciprocal_step wb_instruction_reciprocal_step(const struct wb_instruction *instruction)
{
  static const enum wb_modifier to_float[] = {WB_MODIFIER_F32, WB_MODIFIER_U32, WB_MODIFIER_S32,
                                              WB_MODIFIER_RP};
  static const enum wb_modifier to_integer[] = {WB_MODIFIER_FTZ, WB_MODIFIER_U32, WB_MODIFIER_F32,
                                                WB_MODIFIER_TRUNC, WB_MODIFIER_NTZ};
  static const enum wb_modifier reciprocal[] = {WB_MODIFIER_RCP};
  const bool of_unsigned = wb_instruction_has(instruction, WB_MODIFIER_U32);
  switch (instruction->number) {
  case WB_OPCODE_I2F:
    if (!wb_instruction_has(instruction, WB_MODIFIER_RP) ||
        !wb_instruction_has_among(instruction, to_float, sizeof to_float / sizeof *to_float))
      return WB_RECIPROCAL_NONE;
    return of_unsigned ? WB_RECIPROCAL_FROM_UNSIGNED : WB_RECIPROCAL_FROM_SIGNED;
  case WB_OPCODE_MUFU:
    return wb_instruction_has_just(instruction, reciprocal, 1) ? WB_RECIPROCAL_OF_FLOAT
                                                               : WB_RECIPROCAL_NONE;
  case WB_OPCODE_F2I:
    return of_unsigned && wb_instruction_has(instruction, WB_MODIFIER_TRUNC) &&
                   wb_instruction_has_among(instruction, to_integer,
                                            sizeof to_integer / sizeof *to_integer)
               ? WB_RECIPROCAL_TO_UNSIGNED
               : WB_RECIPROCAL_NONE;
  default:
    return WB_RECIPROCAL_NONE;
  }
}

/* ---- access to memory ---- */

#define LOADS WB_ACTION_LOAD
#define STORES WB_ACTION_STORE
#define COPIES WB_ACTION_COPY
#define UPDATES WB_ACTION_UPDATE
#define ATOMIC WB_ACTION_ATOMIC
#define LOADS_MATRIX WB_ACTION_LOAD_MATRIX
#define STORES_MATRIX WB_ACTION_STORE_MATRIX
#define FILTERS WB_ACTION_FILTER
#define BULK WB_ACTION_BULK
#define ACCESS(space, action, bytes) WB_SPACE_##space, action, bytes
#define NO_ACCESS WB_SPACE_GENERIC, WB_ACTION_NONE, 0
#define NO_LOCAL_ACCESS WB_SPACE_LOCAL, WB_ACTION_NONE, 0
#define NO_MEMORY WB_SPACE_GENERIC, WB_ACTION_UNLISTED, 0

/* By opcode. Stores and updates in the shared memory of other blocks of a cluster (STAS, REDAS)
 * count as generic ones. */
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

bool wb_instruction_loads(const struct wb_instruction *instruction)
{
  const struct wb_access_kind *row = &rows[instruction->number];
  return row->action == WB_ACTION_LOAD && row->space != WB_SPACE_CONSTANT &&
         row->space != WB_SPACE_TEXTURE;
}

bool wb_instruction_loads_constant(const struct wb_instruction *instruction)
{
  return rows[instruction->number].action == WB_ACTION_LOAD &&
         rows[instruction->number].space == WB_SPACE_CONSTANT;
}

/* ---- special registers ---- */

static const char *const names[WB_SPECIAL_COUNT] = {
    [WB_SPECIAL_ZERO] = "SRZ",
    [WB_SPECIAL_LANE] = "SR_LANEID",
    [WB_SPECIAL_THREAD_X] = "SR_TID.X",
    [WB_SPECIAL_THREAD_Y] = "SR_TID.Y",
    [WB_SPECIAL_THREAD_Z] = "SR_TID.Z",
    [WB_SPECIAL_BLOCK_X] = "SR_CTAID.X",
    [WB_SPECIAL_BLOCK_Y] = "SR_CTAID.Y",
    [WB_SPECIAL_BLOCK_Z] = "SR_CTAID.Z",
    [WB_SPECIAL_BLOCK_SIZE_X] = "SR_NTID.X",
    [WB_SPECIAL_BLOCK_SIZE_Y] = "SR_NTID.Y",
    [WB_SPECIAL_BLOCK_SIZE_Z] = "SR_NTID.Z",
    [WB_SPECIAL_GRID_SIZE_X] = "SR_NCTAID.X",
    [WB_SPECIAL_GRID_SIZE_Y] = "SR_NCTAID.Y",
    [WB_SPECIAL_GRID_SIZE_Z] = "SR_NCTAID.Z",
    [WB_SPECIAL_CLUSTER_BLOCK] = "SR_CgaCtaId",
};

/* Whether a name of such a length begins with the text. */
static bool begins(const char *name, size_t length, const char *text)
{
  return length >= strlen(text) && memcmp(name, text, strlen(text)) == 0;
}

enum wb_special_register wb_special_register_named(const char *name, size_t length)
{
  if (begins(name, length, "SR_CLOCK") || begins(name, length, "SR_GLOBALTIMER"))
    return WB_SPECIAL_CLOCK;
  for (int s = WB_SPECIAL_ZERO; s < WB_SPECIAL_COUNT; s++)
    if (strlen(names[s]) == length && memcmp(names[s], name, length) == 0)
      return (enum wb_special_register)s;
  return WB_SPECIAL_OTHER;
}

bool wb_special_register_is_alike(enum wb_special_register special, bool of_launch)
{
  const bool of_block = (special >= WB_SPECIAL_BLOCK_X && special <= WB_SPECIAL_BLOCK_Z) ||
                        special == WB_SPECIAL_CLUSTER_BLOCK;
  return special == WB_SPECIAL_ZERO || (special >= WB_SPECIAL_BLOCK_X && !(of_launch && of_block));
}
