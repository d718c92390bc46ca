#include "binary/listing/code_section.h"

#include "base/binary_search.h"
#include "base/little_endian.h"

#include <stdlib.h>

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
