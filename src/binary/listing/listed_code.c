#include "binary/listing/listed_code.h"

#include "base/binary_search.h"
#include "base/little_endian.h"
#include "base/memory.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- addresses and their names ---- */

void wb_listed_bits(const struct wb_listed_code *code, const struct wb_listed_section *section,
                    size_t w, uint64_t word[2])
{
  const unsigned char *bytes = section->section->bytes + w * code->word_size;
  word[0] = wb_u64(bytes);
  word[1] = code->word_size == 16 ? wb_u64(bytes + 8) : 0;
  if (code->word_size == 8 && w % WB_CONTROL_PERIOD != 0) {
    const unsigned char *control = bytes - 8 * (w % WB_CONTROL_PERIOD);
    word[1] = wb_u64(control) >> (WB_CONTROL_BITS * (w % WB_CONTROL_PERIOD - 1)) &
              ((1U << WB_CONTROL_BITS) - 1);
  }
}

static bool section_is_before(const void *sections, size_t index, const void *number)
{
  return ((const struct wb_listed_section *)sections)[index].number < *(const size_t *)number;
}

struct wb_listed_section *wb_listed_section_numbered(const struct wb_listed_code *code,
                                                     size_t number)
{
  const size_t s = wb_lower_bound(code->sections, code->section_count, section_is_before, &number);
  return s < code->section_count && code->sections[s].number == number ? &code->sections[s] : NULL;
}

static bool symbol_is_before(const void *symbols, size_t index, const void *address)
{
  return ((const struct wb_listed_symbol *)symbols)[index].address < *(const uint64_t *)address;
}

/* The symbol at an address that names it, a function\'s; NULL: none. */
static const struct wb_cubin_symbol *symbol_at(const struct wb_listed_code *code,
                                               const struct wb_listed_section *section,
                                               uint64_t address)
{
  const size_t s =
      wb_lower_bound(section->symbols, section->symbol_count, symbol_is_before, &address);
  if (s == section->symbol_count || section->symbols[s].address != address ||
      section->symbols[s].function == WB_CUBIN_NONE)
    return NULL;
  return &code->cubin->symbols[section->symbols[s].function];
}

/* An address of a control word stands for the instruction behind it. */
static uint64_t instruction_at(const struct wb_listed_code *code,
                               const struct wb_listed_section *section, uint64_t address)
{
  bool control = code->word_size == 8 && address % (8 * WB_CONTROL_PERIOD) == 0;
  return control && address < section->section->size ? address + 8 : address;
}

/* The number of the label at an address, which is made where there is none yet; false where the
 * address is not a word\'s, nor the end. */
static bool label_at(struct wb_listed_code *code, struct wb_listed_section *section,
                     uint64_t address, uint32_t *number)
{
  address = instruction_at(code, section, address);
  if (address % code->word_size != 0 || address > section->section->size)
    return false;
  uint32_t *label = &section->labels[address / code->word_size];
  if (*label == 0)
    *label = ++code->label_count;
  *number = *label - 1;
  return true;
}

bool wb_listed_append_name(struct wb_listed_code *code, struct wb_listed_section *section,
                           uint64_t address, bool is_end, struct wb_text *text)
{
  const struct wb_cubin_symbol *symbol =
      symbol_at(code, section, is_end ? instruction_at(code, section, address) : address);
  uint32_t number;
  if (symbol != NULL) {
    wb_text_string(text, symbol->name);
    return true;
  }
  if (!label_at(code, section, address, &number))
    return false;
  wb_text_format(text, ".L_x_%u", (unsigned)number);
  return true;
}

bool wb_listed_next(struct wb_listed_walk *walk, struct wb_listed_item *item)
{
  const struct wb_listed_section *section = walk->section;
  const struct wb_line_table *lines = walk->lines;
  const unsigned size = walk->code->word_size;
  const bool ended = walk->word == section->word_count;
  const uint64_t behind = (uint64_t)walk->word * size + (ended ? 1 : size);
  *item = (struct wb_listed_item){.kind = WB_LISTED_CONTROL, .word = walk->word};
  if (!ended && section->words[walk->word].issue == WB_ISSUE_CONTROL) {
    walk->word++;
    return true;
  }
  while (walk->named < behind) {
    const uint64_t address = walk->named;
    const uint32_t label = section->labels[address / size];
    walk->named += size;
    if (label == 0 || symbol_at(walk->code, section, address) != NULL)
      continue;
    item->kind = WB_LISTED_LABEL;
    item->label = label - 1;
    return true;
  }
  if (walk->symbol < section->symbol_count && section->symbols[walk->symbol].address < behind) {
    item->kind = WB_LISTED_SYMBOL;
    item->symbol = &walk->code->cubin->symbols[section->symbols[walk->symbol++].symbol];
    return true;
  }
  if (ended)
    return false;
  for (; walk->row < lines->row_count && lines->rows[walk->row].section == section->number &&
         lines->rows[walk->row].address < behind;
       walk->row++)
    item->row = &lines->rows[walk->row];
  item->kind = item->row != NULL ? WB_LISTED_SOURCE : WB_LISTED_WORD;
  walk->word += item->row == NULL;
  return true;
}

/* ---- operands that a linker is still to fill in ---- */

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
      wb_listed_append_name(code, section, symbol->value + (uint64_t)relocation->addend, false,
                            texts))
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

/* Finds the number in a text by decoding the word with other bits in its field: it is where that
 * text differs, but for a sign or, behind a register's number, the + before it. */
static bool append_number(struct wb_listed_code *code, const struct relocated_field *field,
                          const struct wb_cubin_relocation *relocation, const uint64_t word[2],
                          const struct wb_decoded_word *decoded)
{
  static const char digits[] = "0x123456";
  const uint64_t mask = (UINT64_MAX >> (64 - field->width)) << field->at;
  const uint64_t changed[2] = {(word[0] & ~mask) | (UINT64_C(0x123456) << field->at & mask),
                               word[1]};
  struct wb_decoded_word other;
  wb_word_decode(code->decoder, changed, 0, &other);
  const char *number = strstr(other.text, digits);
  if (number == NULL || strstr(number + 1, digits) != NULL)
    return false;
  const size_t place = (size_t)(number - other.text);
  size_t first = 0;
  while (first < other.length && first < decoded->length &&
         other.text[first] == decoded->text[first])
    first++;
  size_t begin = place;
  while (begin > first && (other.text[begin - 1] == '+' || other.text[begin - 1] == '-'))
    begin--;
  while (first > begin && strchr("0123456789abcdefx", other.text[first - 1]) != NULL)
    first--;
  if (begin > first)
    return false;
  wb_text_append(&code->texts, other.text, place);
  append_operand(code, field, relocation);
  wb_text_string(&code->texts, number + strlen(digits));
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

/* Appends an instruction's text with the symbol of a relocation that fills an operand in its place:
 * 32@lo(sym), `(sym). Where that operand is not found the instruction becomes one whose operands
 * are not known (UNKNOWN.LDC R0, c[0x0][0x0]), for the word holds others than those that it will
 * have. */
static void append_relocated(struct wb_listed_code *code,
                             const struct wb_cubin_relocation *relocation, const uint64_t word[2],
                             const struct wb_decoded_word *decoded)
{
  static const struct relocated_field target = {.before = "`(", .after = ")"};
  const struct relocated_field *field = field_of(relocation->type, code->word_size);
  const bool named = relocation->symbol < code->cubin->symbol_count;
  struct wb_text *texts = &code->texts;
  bool filled = true;
  if (named && decoded->has_target) {
    wb_text_append(texts, decoded->text, decoded->target_place);
    append_operand(code, &target, relocation);
    wb_text_string(texts, decoded->text + decoded->target_place + decoded->target_length);
  } else if (named && field->operand == RELOCATED_NUMBER) {
    filled = append_number(code, field, relocation, word, decoded);
  } else if (named && field->operand == RELOCATED_CONSTANT) {
    filled = append_constant(code, field, relocation, decoded);
  } else if (named && field->operand == RELOCATED_BEHIND) {
    wb_text_append(texts, decoded->text, decoded->length);
    wb_text_string(texts, " ");
    append_operand(code, field, relocation);
  } else {
    filled = false;
  }
  if (filled)
    return;
  wb_text_append(texts, decoded->text, decoded->guard_length);
  if (decoded->knowledge == WB_WORD_KNOWN)
    wb_text_string(texts, "UNKNOWN.");
  wb_text_append(texts, decoded->text + decoded->guard_length,
                 decoded->length - decoded->guard_length);
}

/* Whether a relocation changes an operand: others leave the text as it is. */
static bool fills_operand(const struct wb_listed_code *code,
                          const struct wb_cubin_relocation *relocation)
{
  return relocation->type != 0 &&
         field_of(relocation->type, code->word_size)->operand != RELOCATED_OPCODE;
}

/* ---- words ---- */

/* The stall count and a bit above it: none of both fills up behind the code; the bit alone, in
 * words of 64 bits, issues the next instruction together with this one. */
static enum wb_issue issue_of(const struct wb_listed_code *code,
                              const struct wb_listed_section *section, size_t w,
                              const uint64_t word[2])
{
  unsigned bits = (unsigned)(word[1] >> (code->word_size == 16 ? 41 : 0)) & 0x1f;
  if (code->word_size == 8 && w % WB_CONTROL_PERIOD == 0)
    return WB_ISSUE_CONTROL;
  size_t last =
      w - (w % WB_CONTROL_PERIOD == 1 ? 2 : 1); /* behind a control word the one before it */
  if (code->word_size == 8 && w > 1 && section->words[last].issue == WB_ISSUE_WITH_NEXT)
    return WB_ISSUE_WITH_LAST;
  if (code->word_size == 8 && bits == 0x10)
    return WB_ISSUE_WITH_NEXT;
  return bits == 0 ? WB_ISSUE_UNSPECIFIED : WB_ISSUE_PLAIN;
}

static void append_text(struct wb_listed_code *code, struct wb_listed_section *section,
                        struct wb_listed_word *listed, const struct wb_decoded_word *decoded)
{
  struct wb_text *texts = &code->texts;
  if (!decoded->has_target) {
    wb_text_append(texts, decoded->text, decoded->length);
    return;
  }
  wb_text_append(texts, decoded->text, decoded->target_place);
  const size_t before = texts->length;
  wb_text_string(texts, "`(");
  if (wb_listed_append_name(code, section, decoded->target, false, texts)) {
    wb_text_string(texts, ")");
    if (decoded->target % code->word_size == 0 && decoded->target < section->section->size)
      listed->target = (uint32_t)(decoded->target / code->word_size) + 1;
  } else {
    texts->length = before;
    wb_text_append(texts, decoded->text + decoded->target_place, decoded->target_length);
  }
  wb_text_string(texts, decoded->text + decoded->target_place + decoded->target_length);
}

/* relocation: the one that fills an operand of the word, or NULL. */
static void decode(struct wb_listed_code *code, struct wb_listed_section *section, size_t w,
                   const struct wb_cubin_relocation *relocation)
{
  struct wb_listed_word *listed = &section->words[w];
  uint64_t word[2];
  wb_listed_bits(code, section, w, word);
  listed->issue = (uint16_t)issue_of(code, section, w, word);
  listed->text = code->texts.length;
  if (listed->issue == WB_ISSUE_CONTROL)
    return;
  struct wb_decoded_word decoded;
  wb_word_decode(code->decoder, word, w * code->word_size, &decoded);
  if (relocation != NULL)
    append_relocated(code, relocation, word, &decoded);
  else
    append_text(code, section, listed, &decoded);
  if (decoded.blank_behind)
    wb_text_string(&code->texts, " ");
  listed->length = (uint32_t)(code->texts.length - listed->text);
  /* A uniform guard is not set apart. */
  bool uniform = memchr(decoded.text, 'U', decoded.guard_length) != NULL;
  listed->guard_length = (uint16_t)(uniform ? 0 : decoded.guard_length);
}

static void decode_words(struct wb_listed_code *code)
{
  for (size_t c = 0; c < code->section_count; c++) {
    struct wb_listed_section *section = &code->sections[c];
    const struct wb_cubin_slice *slice = &section->section->relocations;
    const struct wb_cubin_relocation *next = code->cubin->relocations + slice->first;
    const struct wb_cubin_relocation *end = next + slice->count;
    for (size_t w = 0; w < section->word_count && code->texts.length <= code->limit; w++) {
      uint64_t behind = (uint64_t)(w + 1) * code->word_size;
      const struct wb_cubin_relocation *relocation = NULL;
      for (; next < end && next->offset < behind; next++)
        relocation = fills_operand(code, next) ? next : relocation;
      decode(code, section, w, relocation);
    }
  }
}

/* ---- labels, in the order in which NVIDIA's disassembler numbers them: those that relocations
 * name, then those of instructions, of indirect branches, of ends ---- */

static void label_relocations(struct wb_listed_code *code)
{
  const struct wb_cubin *cubin = code->cubin;
  for (size_t c = 0; c < code->section_count; c++) {
    const struct wb_cubin_slice *slice = &code->sections[c].section->relocations;
    for (size_t r = 0; r < slice->count; r++) {
      const struct wb_cubin_relocation *relocation = &cubin->relocations[slice->first + r];
      if (relocation->addend == 0 || relocation->symbol >= cubin->symbol_count ||
          !cubin->symbols[relocation->symbol].defined)
        continue;
      const struct wb_cubin_symbol *symbol = &cubin->symbols[relocation->symbol];
      struct wb_listed_section *target = wb_listed_section_numbered(code, symbol->section);
      uint64_t address = symbol->value + (uint64_t)relocation->addend;
      uint32_t number;
      if (target != NULL && symbol_at(code, target, address) == NULL)
        label_at(code, target, address, &number);
    }
  }
}

/* Labels an address whether or not it has a label: the disassembler then uses up a number, too. */
static void use_number(struct wb_listed_code *code, struct wb_listed_section *section,
                       uint64_t address)
{
  uint32_t before = code->label_count, number;
  if (label_at(code, section, address, &number) && code->label_count == before)
    code->label_count++;
}

/* Where an instruction is printed: the second of two that are issued together with the first. */
static uint64_t start_of(const struct wb_listed_code *code, const struct wb_listed_section *section,
                         uint64_t address)
{
  size_t w = (size_t)(address / code->word_size);
  if (w >= section->word_count || section->words[w].issue != WB_ISSUE_WITH_LAST)
    return address;
  do
    w--;
  while (w > 0 && section->words[w].issue == WB_ISSUE_CONTROL);
  return w * code->word_size;
}

/* (*"BRANCH_TARGETS .L_x_1,.L_x_2"*); of a call whose targets are not known (*"INDIRECT_CALL"*). */
static void note_branch(struct wb_listed_code *code, struct wb_listed_section *section,
                        const struct wb_cubin_branch *branch)
{
  struct wb_text *texts = &code->texts;
  size_t place = texts->length;
  wb_text_string(texts, branch->targets.count > 0 ? "(*\"BRANCH_TARGETS " : "(*\"INDIRECT_CALL");
  for (size_t t = 0; t < branch->targets.count && code->texts.length <= code->limit; t++) {
    wb_text_string(texts, t > 0 ? "," : "");
    wb_listed_append_name(code, section, code->cubin->offsets[branch->targets.first + t], false,
                          texts);
  }
  wb_text_string(texts, "\"*)");
  if (branch->at % code->word_size != 0 || branch->at >= section->section->size ||
      texts->length - place > UINT32_MAX)
    return;
  struct wb_listed_word *word = &section->words[branch->at / code->word_size];
  word->note = place;
  word->note_length = (uint32_t)(texts->length - place);
}

static void label_branches(struct wb_listed_code *code)
{
  const struct wb_cubin *cubin = code->cubin;
  for (size_t f = 0; f < cubin->function_count; f++) {
    const struct wb_cubin_function *function = &cubin->functions[f];
    struct wb_listed_section *section = wb_listed_section_numbered(code, function->section);
    const struct wb_cubin_slice *branches = &function->facts.branches;
    for (size_t b = 0; b < branches->count && section != NULL && code->texts.length <= code->limit;
         b++) {
      const struct wb_cubin_branch *branch = &cubin->branches[branches->first + b];
      use_number(code, section, start_of(code, section, branch->at));
      for (size_t t = 0; t < branch->targets.count; t++)
        use_number(code, section, cubin->offsets[branch->targets.first + t]);
      note_branch(code, section, branch);
    }
  }
}

static void label_ends(struct wb_listed_code *code)
{
  const struct wb_cubin *cubin = code->cubin;
  for (size_t s = 0; s < cubin->symbol_count; s++) {
    const struct wb_cubin_symbol *symbol = &cubin->symbols[s];
    struct wb_listed_section *section = symbol->defined && symbol->type == STT_FUNC
                                            ? wb_listed_section_numbered(code, symbol->section)
                                            : NULL;
    if (section != NULL && symbol->value <= UINT64_MAX - symbol->size)
      use_number(code, section, symbol->value + symbol->size);
  }
}

/* ---- sections ---- */

static int compare_symbols(const void *one, const void *other)
{
  const struct wb_listed_symbol *a = one, *b = other;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return (a->symbol < b->symbol) - (a->symbol > b->symbol);
}

/* Sorts a section's symbols, and finds which of those at an address names it. */
static void sort_symbols(const struct wb_cubin *cubin, struct wb_listed_section *section)
{
  struct wb_listed_symbol *symbols = section->symbols;
  qsort(symbols, section->symbol_count, sizeof *symbols, compare_symbols);
  for (size_t s = section->symbol_count; s-- > 0;) {
    if (cubin->symbols[symbols[s].symbol].type == STT_FUNC)
      symbols[s].function = symbols[s].symbol;
    else if (s + 1 < section->symbol_count && symbols[s + 1].address == symbols[s].address)
      symbols[s].function = symbols[s + 1].function;
  }
}

/* Counts each section's symbols, then puts them into its array. */
static warpbound_status collect_symbols(struct wb_listed_code *code, warpbound_error *error)
{
  const struct wb_cubin *cubin = code->cubin;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t s = 0; s < cubin->symbol_count; s++) {
      const struct wb_cubin_symbol *symbol = &cubin->symbols[s];
      const bool listed = symbol->defined && symbol->name[0] != '\0' && symbol->type != STT_FILE;
      struct wb_listed_section *section =
          listed ? wb_listed_section_numbered(code, symbol->section) : NULL;
      if (section == NULL)
        continue;
      if (pass == 1)
        section->symbols[section->symbol_count] =
            (struct wb_listed_symbol){symbol->value, s, WB_CUBIN_NONE};
      section->symbol_count++;
    }
    for (size_t c = 0; c < code->section_count && pass == 0; c++) {
      struct wb_listed_section *section = &code->sections[c];
      section->symbols = wb_allocate(section->symbol_count, sizeof *section->symbols);
      if (section->symbols == NULL)
        return wb_out_of_memory(error);
      section->symbol_count = 0;
    }
  }
  for (size_t c = 0; c < code->section_count; c++)
    sort_symbols(cubin, &code->sections[c]);
  return WARPBOUND_OK;
}

static warpbound_status add_sections(struct wb_listed_code *code, warpbound_error *error)
{
  const struct wb_cubin *cubin = code->cubin;
  const unsigned period = code->word_size == 8 ? WB_CONTROL_PERIOD * 8 : code->word_size;
  code->sections = wb_allocate(cubin->section_count, sizeof *code->sections);
  if (code->sections == NULL)
    return wb_out_of_memory(error);
  for (size_t s = 0; s < cubin->section_count; s++) {
    const struct wb_cubin_section *section = &cubin->sections[s];
    if (!wb_cubin_is_code(section))
      continue;
    if (section->size % period != 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "section %.100s: expected whole instructions of %u bytes, found 0x%llx bytes",
                     section->name, period, (unsigned long long)section->size);
    struct wb_listed_section *added = &code->sections[code->section_count++];
    *added = (struct wb_listed_section){
        .number = s, .section = section, .word_count = (size_t)section->size / code->word_size};
    added->words = wb_allocate(added->word_count, sizeof *added->words);
    added->labels = wb_allocate(added->word_count + 1, sizeof *added->labels);
    if (added->words == NULL || added->labels == NULL)
      return wb_out_of_memory(error);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_listed_code_make(const struct wb_cubin *cubin, struct wb_listed_code *code,
                                     warpbound_error *error)
{
  /* A listing is some ten times as long as its code; names may be longer, within reason. */
  enum { FIXED = 1 << 26, FACTOR = 64 };
  uint64_t limit = FIXED;
  for (size_t s = 0; s < cubin->section_count; s++)
    limit += cubin->sections[s].bytes != NULL ? cubin->sections[s].size * FACTOR : 0;
  code->cubin = cubin;
  code->limit = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
  warpbound_status status = wb_word_decoder_create(cubin->architecture, &code->decoder, error);
  if (status != WARPBOUND_OK)
    return status;
  code->word_size = wb_word_decoder_bits(code->decoder) / 8;
  status = add_sections(code, error);
  if (status == WARPBOUND_OK)
    status = collect_symbols(code, error);
  if (status != WARPBOUND_OK)
    return status;
  label_relocations(code);
  decode_words(code);
  label_branches(code);
  label_ends(code);
  if (code->texts.length > code->limit)
    return wb_listed_too_long(error);
  return code->texts.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

void wb_listed_code_free(struct wb_listed_code *code)
{
  for (size_t s = 0; s < code->section_count; s++) {
    free(code->sections[s].words);
    free(code->sections[s].labels);
    free(code->sections[s].symbols);
  }
  free(code->sections);
  wb_word_decoder_free(code->decoder);
  wb_text_free(&code->texts);
  *code = (struct wb_listed_code){0};
}

warpbound_status wb_listed_too_long(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "its names are too long: the listing would be far larger than the file");
}
