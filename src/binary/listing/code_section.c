#include "binary/listing/code_section.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "binary/listing/code_labels.h"
#include "binary/listing/code_words.h"

#include <elf.h>
#include <stdlib.h>

/* In a section of words of 64 bits every fourth one is a control word: 21 bits for each of the
 * three behind it. */
enum { CONTROL_PERIOD = 4, CONTROL_BITS = 21, CONTROL_MASK = (1 << CONTROL_BITS) - 1 };

static bool is_code(const struct wb_cubin_section *section)
{
  return section->type == SHT_PROGBITS && (section->flags & SHF_EXECINSTR) != 0 &&
         section->bytes != NULL;
}

static uint64_t number_at(const unsigned char *bytes)
{
  uint64_t number = 0;
  for (unsigned i = 0; i < 8; i++)
    number |= (uint64_t)bytes[i] << (8 * i);
  return number;
}

void wb_listed_bits(const struct wb_listed_code *code, const struct wb_listed_section *section,
                    size_t w, uint64_t word[2])
{
  const unsigned char *bytes = section->section->bytes + w * code->word_size;
  word[0] = number_at(bytes);
  word[1] = code->word_size == 16 ? number_at(bytes + 8) : 0;
  if (code->word_size == 8 && w % CONTROL_PERIOD != 0) {
    const unsigned char *control = bytes - 8 * (w % CONTROL_PERIOD);
    word[1] = number_at(control) >> (CONTROL_BITS * (w % CONTROL_PERIOD - 1)) & CONTROL_MASK;
  }
}

struct wb_listed_section *wb_listed_section_numbered(const struct wb_listed_code *code,
                                                     size_t number)
{
  size_t low = 0, high = code->section_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (code->sections[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low < code->section_count && code->sections[low].number == number ? &code->sections[low]
                                                                           : NULL;
}

static bool symbol_is_before(const void *symbols, size_t index, const void *address)
{
  return ((const struct wb_listed_symbol *)symbols)[index].address < *(const uint64_t *)address;
}

const struct wb_cubin_symbol *wb_listed_symbol_at(const struct wb_listed_code *code,
                                                  const struct wb_listed_section *section,
                                                  uint64_t address)
{
  for (size_t s =
           wb_lower_bound(section->symbols, section->symbol_count, symbol_is_before, &address);
       s < section->symbol_count && section->symbols[s].address == address; s++) {
    const struct wb_cubin_symbol *symbol = &code->cubin->symbols[section->symbols[s].symbol];
    if (symbol->type == STT_FUNC)
      return symbol;
  }
  return NULL;
}

/* An address of a control word stands for the instruction behind it. */
static uint64_t instruction_at(const struct wb_listed_code *code,
                               const struct wb_listed_section *section, uint64_t address)
{
  bool control = code->word_size == 8 && address % (8 * CONTROL_PERIOD) == 0;
  return control && address < section->section->size ? address + 8 : address;
}

bool wb_listed_label(struct wb_listed_code *code, struct wb_listed_section *section,
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

/* The name of an address: of the symbol there, else of its label. */
static bool append_name(struct wb_listed_code *code, struct wb_listed_section *section,
                        const struct wb_cubin_symbol *symbol, uint64_t address,
                        struct wb_text *text)
{
  uint32_t number;
  if (symbol != NULL) {
    wb_text_string(text, symbol->name);
    return true;
  }
  if (!wb_listed_label(code, section, address, &number))
    return false;
  wb_text_format(text, ".L_x_%u", (unsigned)number);
  return true;
}

bool wb_listed_append_name(struct wb_listed_code *code, struct wb_listed_section *section,
                           uint64_t address, struct wb_text *text)
{
  return append_name(code, section, wb_listed_symbol_at(code, section, address), address, text);
}

bool wb_listed_append_end(struct wb_listed_code *code, struct wb_listed_section *section,
                          uint64_t address, struct wb_text *text)
{
  uint64_t named = instruction_at(code, section, address);
  return append_name(code, section, wb_listed_symbol_at(code, section, named), address, text);
}

static int compare_symbols(const void *one, const void *other)
{
  const struct wb_listed_symbol *a = one, *b = other;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return (a->symbol < b->symbol) - (a->symbol > b->symbol);
}

/* Symbols with a name that are in a section of code. */
static bool is_listed(const struct wb_cubin_symbol *symbol)
{
  return symbol->defined && symbol->name[0] != '\0' && symbol->type != STT_FILE;
}

/* Counts each section's symbols, then puts them into its array. */
static warpbound_status collect_symbols(struct wb_listed_code *code, warpbound_error *error)
{
  const struct wb_cubin *cubin = code->cubin;
  for (unsigned pass = 0; pass < 2; pass++) {
    for (size_t s = 0; s < cubin->symbol_count; s++) {
      const struct wb_cubin_symbol *symbol = &cubin->symbols[s];
      struct wb_listed_section *section =
          is_listed(symbol) ? wb_listed_section_numbered(code, symbol->section) : NULL;
      if (section == NULL)
        continue;
      if (pass == 1)
        section->symbols[section->symbol_count] = (struct wb_listed_symbol){symbol->value, s};
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
    qsort(code->sections[c].symbols, code->sections[c].symbol_count,
          sizeof *code->sections[c].symbols, compare_symbols);
  return WARPBOUND_OK;
}

static warpbound_status add_section(struct wb_listed_code *code, size_t number,
                                    warpbound_error *error)
{
  const struct wb_cubin_section *section = &code->cubin->sections[number];
  unsigned period = code->word_size == 8 ? CONTROL_PERIOD * 8 : code->word_size;
  if (section->size % period != 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "section %.100s: expected whole instructions of %u bytes, found 0x%llx bytes",
                   section->name, period, (unsigned long long)section->size);
  struct wb_listed_section *added = &code->sections[code->section_count++];
  *added = (struct wb_listed_section){
      .number = number, .section = section, .word_count = (size_t)section->size / code->word_size};
  added->words = wb_allocate(added->word_count, sizeof *added->words);
  added->labels = wb_allocate(added->word_count + 1, sizeof *added->labels);
  return added->words != NULL && added->labels != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
}

static warpbound_status add_sections(struct wb_listed_code *code, warpbound_error *error)
{
  const struct wb_cubin *cubin = code->cubin;
  warpbound_status status = WARPBOUND_OK;
  code->sections = wb_allocate(cubin->section_count, sizeof *code->sections);
  if (code->sections == NULL)
    return wb_out_of_memory(error);
  for (size_t s = 0; s < cubin->section_count && status == WARPBOUND_OK; s++) {
    if (is_code(&cubin->sections[s]))
      status = add_section(code, s, error);
  }
  return status;
}

warpbound_status wb_listed_code_make(const struct wb_cubin *cubin, struct wb_listed_code *code,
                                     warpbound_error *error)
{
  code->cubin = cubin;
  warpbound_status status = wb_word_decoder_create(cubin->architecture, &code->decoder, error);
  if (status != WARPBOUND_OK)
    return status;
  code->word_size = wb_word_decoder_bits(code->decoder) / 8;
  status = add_sections(code, error);
  if (status == WARPBOUND_OK)
    status = collect_symbols(code, error);
  if (status != WARPBOUND_OK)
    return status;
  wb_listed_label_relocations(code);
  wb_listed_decode(code);
  wb_listed_label_branches(code);
  wb_listed_label_ends(code);
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
