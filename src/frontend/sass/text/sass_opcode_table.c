#include "frontend/sass/text/sass_opcode_table.h"

#include "base/hash.h"
#include "base/memory.h"
#include "frontend/sass/text/sass_scanner.h"
#include "isa/opcode.h"

#include <string.h>

/* What the disassembler puts before an opcode whose modifiers it does not know. */
#define UNKNOWN_WORD "UNKNOWN."

static uint64_t hash_piece(struct wb_sass_piece piece, enum wb_sass_family family)
{
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START + family, piece.text, piece.length));
}

static uint64_t hash_of(const void *items, uint32_t item)
{
  const struct wb_sass_met_opcode *met = (const struct wb_sass_met_opcode *)items + item;
  return hash_piece((struct wb_sass_piece){met->name, met->length}, met->family);
}

/* A key is an opcode without its row. */
static bool equal(const void *items, uint32_t item, const void *key)
{
  const struct wb_sass_met_opcode *met = (const struct wb_sass_met_opcode *)items + item;
  const struct wb_sass_met_opcode *other = key;
  return met->length == other->length && met->family == other->family &&
         memcmp(met->name, other->name, met->length) == 0;
}

const struct wb_sass_met_opcode *wb_sass_meet_opcode(struct wb_sass_parser *parser,
                                                     struct wb_sass_piece opcode,
                                                     enum wb_sass_family family)
{
  struct wb_sass_met_opcode made = {.name = opcode.text, .length = opcode.length, .family = family};
  if (!wb_hash_table_grow(&parser->opcode_table, parser->opcode_count, hash_of, parser->opcodes))
    return NULL;
  uint32_t *slot = wb_hash_table_slot(&parser->opcode_table, hash_piece(opcode, family), equal,
                                      parser->opcodes, &made);
  if (*slot != 0)
    return &parser->opcodes[*slot - 1];
  if (!wb_grow(parser->opcodes, &parser->opcode_capacity, parser->opcode_count + 1))
    return NULL;
  struct wb_instruction numbers = {.number = 0};
  made.name = wb_sass_keep(parser, opcode);
  made.partly_known = wb_sass_begins(opcode, UNKNOWN_WORD);
  if (made.partly_known)
    opcode = wb_sass_trim(opcode.text + strlen(UNKNOWN_WORD), opcode.text + opcode.length);
  wb_opcode_parse(opcode.text, opcode.length, &numbers);
  made.row = wb_sass_opcode_find(opcode.text, opcode.length, family);
  made.number = numbers.number;
  made.modifier_count = numbers.modifier_count;
  memcpy(made.modifiers, numbers.modifiers, sizeof made.modifiers);
  if (made.name == NULL)
    return NULL;
  parser->opcodes[parser->opcode_count++] = made;
  *slot = (uint32_t)parser->opcode_count;
  return &parser->opcodes[parser->opcode_count - 1];
}
