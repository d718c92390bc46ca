#include "binary/listing/code_operands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What of an instruction a relocation fills. */
enum relocated_operand {
  RELOCATED_NUMBER,   /* an immediate or an address: the number in the field */
  RELOCATED_CONSTANT, /* place and bank of a constant: c[`(sym)], c[R0+`(sym)] */
  RELOCATED_BEHIND,   /* nothing that has a text: `(sym) stands behind it */
  RELOCATED_OPCODE    /* a linker may choose another instruction with the same operands */
};

/* Kinds of relocations in code: the field's place and what they put there. */
static const struct relocated_field {
  uint32_t type;
  enum relocated_operand operand;
  unsigned at, width;
  const char *before; /* the symbol's name */
  const char *after;
} relocated_fields[] = {
    {0x2b, RELOCATED_NUMBER, 20, 32, "32@lo(", ")"},
    {0x2c, RELOCATED_NUMBER, 20, 32, "32@hi(", ")"},
    {0x2d, RELOCATED_NUMBER, 20, 24, "`(", ")"},
    {0x32, RELOCATED_CONSTANT, 0, 0, "`(", ")"},
    {0x36, RELOCATED_CONSTANT, 0, 0, "`(", ")"},
    {0x38, RELOCATED_NUMBER, 32, 32, "32@lo(", ")"},
    {0x39, RELOCATED_NUMBER, 32, 32, "32@hi(", ")"},
    {0x40, RELOCATED_CONSTANT, 0, 0, "`(", ")"},
    {0x42, RELOCATED_CONSTANT, 0, 0, "`(", ")"},
    {0x44, RELOCATED_OPCODE, 0, 0, "", ""},
    {0x45, RELOCATED_OPCODE, 0, 0, "", ""},
    {0x4a, RELOCATED_NUMBER, 40, 24, "`(", ")"},
    {0x70, RELOCATED_NUMBER, 32, 32, "32@lo(fun@unified(", "))"},
    {0x71, RELOCATED_NUMBER, 32, 32, "32@hi(fun@unified(", "))"},
    {0x72, RELOCATED_BEHIND, 0, 0, "`(", ")"},
};

/* Of kinds that are not in the table. */
static const struct relocated_field field_64 = {0, RELOCATED_NUMBER, 20, 32, "`(", ")"};
static const struct relocated_field field_128 = {0, RELOCATED_NUMBER, 32, 32, "`(", ")"};

static const struct relocated_field *field_of(uint32_t type, unsigned word_size)
{
  for (size_t f = 0; f < sizeof relocated_fields / sizeof *relocated_fields; f++) {
    if (relocated_fields[f].type == type)
      return &relocated_fields[f];
  }
  return word_size == 8 ? &field_64 : &field_128;
}

/* The symbol, with what is added to it: (print + .L_x_0@srel) in code, (table + 0x10) or
 * (table + -0x8000) in data. */
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
    wb_text_format(texts, "%s0x%" PRIx64 ")", relocation->addend < 0 ? "-" : "",
                   relocation->addend < 0 ? 0 - (uint64_t)relocation->addend
                                          : (uint64_t)relocation->addend);
}

static void append_operand(struct wb_listed_code *code, const struct relocated_field *field,
                           const struct wb_cubin_relocation *relocation)
{
  wb_text_string(&code->texts, field->before);
  append_symbol(code, relocation);
  wb_text_string(&code->texts, field->after);
}

static bool is_of_number(char character)
{
  return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'f') ||
         character == 'x';
}

/* Whether a number that begins at `number` is where two texts part: at their first difference, but
 * for a sign or, behind a register's number, the + before it. */
static bool begins_at(const char *text, size_t first, size_t number)
{
  while (number > first && (text[number - 1] == '+' || text[number - 1] == '-'))
    number--;
  while (first > number && is_of_number(text[first - 1]))
    first--;
  return number <= first;
}

/* Finds the number in a text by decoding the word with other bits in its field: it is where that
 * text differs. The place is one in the other text. */
static bool find_number(const struct wb_listed_code *code, const struct relocated_field *field,
                        const uint64_t word[2], const struct wb_decoded_word *decoded,
                        struct wb_decoded_word *other, size_t *place, size_t *length)
{
  uint64_t changed[2] = {word[0], word[1]};
  uint64_t mask = (UINT64_MAX >> (64 - field->width)) << field->at;
  changed[0] = (changed[0] & ~mask) | (UINT64_C(0x123456) << field->at & mask);
  wb_word_decode(code->decoder, changed, 0, other);
  static const char digits[] = "0x123456";
  const char *number = strstr(other->text, digits);
  if (number == NULL || strstr(number + 1, digits) != NULL)
    return false;
  size_t first = 0;
  while (first < other->length && first < decoded->length &&
         other->text[first] == decoded->text[first])
    first++;
  *place = (size_t)(number - other->text);
  *length = strlen(digits);
  return begins_at(other->text, first, *place);
}

static bool append_number(struct wb_listed_code *code, const struct relocated_field *field,
                          const struct wb_cubin_relocation *relocation, const uint64_t word[2],
                          const struct wb_decoded_word *decoded)
{
  struct wb_decoded_word other;
  size_t place, length;
  if (!find_number(code, field, word, decoded, &other, &place, &length))
    return false;
  wb_text_append(&code->texts, other.text, place);
  append_operand(code, field, relocation);
  wb_text_append(&code->texts, other.text + place + length, other.length - place - length);
  return true;
}

/* c[0x2][0x10] becomes c[`(sym)], c[0x2][R0+0x10] becomes c[R0+`(sym)]. */
static bool append_constant(struct wb_listed_code *code, const struct relocated_field *field,
                            const struct wb_cubin_relocation *relocation,
                            const struct wb_decoded_word *decoded)
{
  const char *bank = strstr(decoded->text, "c[");
  const char *place = bank != NULL ? strstr(bank, "][") : NULL;
  const char *end = place != NULL ? strchr(place + 2, ']') : NULL;
  if (end == NULL)
    return false;
  wb_text_append(&code->texts, decoded->text, (size_t)(bank + 2 - decoded->text));
  place += 2;
  if (*place == 'R' || *place == 'U') {
    wb_text_append(&code->texts, place, strcspn(place, "+-]"));
    wb_text_string(&code->texts, "+");
  }
  append_operand(code, field, relocation);
  wb_text_string(&code->texts, end);
  return true;
}

/* What the linker puts there is not known: UNKNOWN.LDC R0, c[0x0][0x0]. */
static void append_unknown(struct wb_listed_code *code, const struct wb_decoded_word *decoded)
{
  wb_text_append(&code->texts, decoded->text, decoded->guard_length);
  if (decoded->knowledge == WB_WORD_KNOWN)
    wb_text_string(&code->texts, "UNKNOWN.");
  wb_text_append(&code->texts, decoded->text + decoded->guard_length,
                 decoded->length - decoded->guard_length);
}

static void append_target(struct wb_listed_code *code, const struct wb_cubin_relocation *relocation,
                          const struct wb_decoded_word *decoded)
{
  static const struct relocated_field target = {.before = "`(", .after = ")"};
  size_t behind = decoded->target_place + decoded->target_length;
  wb_text_append(&code->texts, decoded->text, decoded->target_place);
  append_operand(code, &target, relocation);
  wb_text_append(&code->texts, decoded->text + behind, decoded->length - behind);
}

/* Of an instruction without a target. */
static bool append_filled(struct wb_listed_code *code, const struct wb_cubin_relocation *relocation,
                          const uint64_t word[2], const struct wb_decoded_word *decoded)
{
  const struct relocated_field *field = field_of(relocation->type, code->word_size);
  switch (field->operand) {
  case RELOCATED_NUMBER:
    return append_number(code, field, relocation, word, decoded);
  case RELOCATED_CONSTANT:
    return append_constant(code, field, relocation, decoded);
  case RELOCATED_BEHIND:
    wb_text_append(&code->texts, decoded->text, decoded->length);
    wb_text_string(&code->texts, " ");
    append_operand(code, field, relocation);
    return true;
  default:
    return false;
  }
}

bool wb_listed_fills_operand(const struct wb_listed_code *code,
                             const struct wb_cubin_relocation *relocation)
{
  return relocation->type != 0 &&
         field_of(relocation->type, code->word_size)->operand != RELOCATED_OPCODE;
}

void wb_listed_append_relocated(struct wb_listed_code *code,
                                const struct wb_cubin_relocation *relocation,
                                const uint64_t word[2], const struct wb_decoded_word *decoded)
{
  if (relocation->symbol >= code->cubin->symbol_count)
    append_unknown(code, decoded);
  else if (decoded->has_target)
    append_target(code, relocation, decoded);
  else if (!append_filled(code, relocation, word, decoded))
    append_unknown(code, decoded);
}
