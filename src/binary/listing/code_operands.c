#include "binary/listing/code_operands.h"

#include <inttypes.h>
#include <string.h>

/* Kinds of relocations that fill part of an immediate: the field's place and what they put there.
 */
static const struct relocated_field {
  uint32_t type;
  unsigned at, width;
  const char *before; /* the symbol's name */
  const char *after;
} relocated_fields[] = {
    {0x2b, 20, 32, "32@lo(", ")"}, {0x2c, 20, 32, "32@hi(", ")"}, {0x38, 32, 32, "32@lo(", ")"},
    {0x39, 32, 32, "32@hi(", ")"}, {0x4a, 40, 24, "`(", ")"},
};

/* Of kinds that are not in the table. */
static const struct relocated_field field_64 = {0, 20, 32, "`(", ")"};
static const struct relocated_field field_128 = {0, 32, 32, "`(", ")"};

static const struct relocated_field *field_of(uint32_t type, unsigned word_size)
{
  for (size_t f = 0; f < sizeof relocated_fields / sizeof *relocated_fields; f++) {
    if (relocated_fields[f].type == type)
      return &relocated_fields[f];
  }
  return word_size == 8 ? &field_64 : &field_128;
}

/* The symbol, with what is added to it: (print + .L_x_0@srel) in code, (table + 0x10) in data. */
static void append_symbol(struct wb_listed_code *code, const struct wb_cubin_relocation *relocation)
{
  struct wb_text *texts = &code->texts;
  const struct wb_cubin_symbol *symbol = &code->cubin->symbols[relocation->symbol];
  if (relocation->addend == 0) {
    wb_text_string(texts, symbol->name);
    return;
  }
  struct wb_listed_section *section =
      symbol->defined ? wb_listed_section_numbered(code, symbol->section) : NULL;
  wb_text_format(texts, "(%s + ", symbol->name);
  if (section != NULL &&
      wb_listed_append_name(code, section, symbol->value + (uint64_t)relocation->addend, texts))
    wb_text_string(texts, "@srel)");
  else
    wb_text_format(texts, "0x%" PRIx64 ")", (uint64_t)relocation->addend);
}

/* Finds the number of a field in a text by decoding the word with one in it that the text does not
 * have: a number that is 0 may not be printed. The place is one in the other text. */
static bool find_operand(const struct wb_listed_code *code, const struct relocated_field *field,
                         const uint64_t word[2], const struct wb_decoded_word *decoded,
                         struct wb_decoded_word *other, size_t *place, size_t *length)
{
  /* Within the narrowest field, and positive in it. */
  static const struct {
    uint64_t number;
    const char *digits;
  } marks[] = {{0x123456, "0x123456"}, {0x234567, "0x234567"}};
  const size_t mark = strstr(decoded->text, marks[0].digits) != NULL;
  const uint64_t mask = (UINT64_MAX >> (64 - field->width)) << field->at;
  const uint64_t changed[2] = {(word[0] & ~mask) | (marks[mark].number << field->at & mask),
                               word[1]};
  if (strstr(decoded->text, marks[mark].digits) != NULL)
    return false;
  wb_word_decode(code->decoder, changed, 0, other);
  const char *number = strstr(other->text, marks[mark].digits);
  *length = strlen(marks[mark].digits);
  *place = number != NULL ? (size_t)(number - other->text) : 0;
  return number != NULL && other->knowledge == WB_WORD_KNOWN;
}

bool wb_listed_append_relocated(struct wb_listed_code *code,
                                const struct wb_cubin_relocation *relocation,
                                const uint64_t word[2], const struct wb_decoded_word *decoded)
{
  struct wb_text *texts = &code->texts;
  if (relocation->symbol >= code->cubin->symbol_count)
    return false;
  const struct relocated_field *field = field_of(relocation->type, code->word_size);
  struct wb_decoded_word other;
  const struct wb_decoded_word *shown = decoded;
  size_t place = decoded->target_place, length = decoded->target_length;
  if (!decoded->has_target) {
    if (!find_operand(code, field, word, decoded, &other, &place, &length))
      return false;
    shown = &other;
  }
  wb_text_append(texts, shown->text, place);
  wb_text_string(texts, decoded->has_target ? "`(" : field->before);
  append_symbol(code, relocation);
  wb_text_string(texts, decoded->has_target ? ")" : field->after);
  wb_text_append(texts, shown->text + place + length, shown->length - place - length);
  return true;
}
