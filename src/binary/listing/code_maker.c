#include "binary/listing/code_maker.h"

#include "base/memory.h"
#include "binary/listing/code_labels.h"
#include "binary/listing/code_words.h"

#include <elf.h>
#include <stdlib.h>

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
      struct wb_listed_section *section =
          is_listed(symbol) ? wb_listed_section_numbered(code, symbol->section) : NULL;
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

static warpbound_status add_section(struct wb_listed_code *code, size_t number,
                                    warpbound_error *error)
{
  const struct wb_cubin_section *section = &code->cubin->sections[number];
  unsigned period = code->word_size == 8 ? WB_CONTROL_PERIOD * 8 : code->word_size;
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

/* A listing is some ten times as long as its code; names may be longer, within reason. */
static size_t limit_of(const struct wb_cubin *cubin)
{
  enum { FIXED = 1 << 26, FACTOR = 64 };
  uint64_t limit = FIXED;
  for (size_t s = 0; s < cubin->section_count; s++)
    limit += cubin->sections[s].bytes != NULL ? cubin->sections[s].size * FACTOR : 0;
  return limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
}

static warpbound_status add_sections(struct wb_listed_code *code, warpbound_error *error)
{
  const struct wb_cubin *cubin = code->cubin;
  warpbound_status status = WARPBOUND_OK;
  code->sections = wb_allocate(cubin->section_count, sizeof *code->sections);
  if (code->sections == NULL)
    return wb_out_of_memory(error);
  for (size_t s = 0; s < cubin->section_count && status == WARPBOUND_OK; s++) {
    if (wb_cubin_is_code(&cubin->sections[s]))
      status = add_section(code, s, error);
  }
  return status;
}

warpbound_status wb_listed_code_make(const struct wb_cubin *cubin, struct wb_listed_code *code,
                                     warpbound_error *error)
{
  code->cubin = cubin;
  code->limit = limit_of(cubin);
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
  if (code->texts.length > code->limit)
    return wb_listed_too_long(error);
  return code->texts.failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status wb_listed_too_long(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "its names are too long: the listing would be far larger than the file");
}
