#include "binary/listing/code_labels.h"

#include <elf.h>

void wb_listed_label_relocations(struct wb_listed_code *code)
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
      if (target != NULL && wb_listed_symbol_at(code, target, address) == NULL)
        wb_listed_label(code, target, address, &number);
    }
  }
}

/* Labels an address whether or not it has a label: the disassembler then uses up a number, too. */
static void use_number(struct wb_listed_code *code, struct wb_listed_section *section,
                       uint64_t address)
{
  uint32_t before = code->label_count, number;
  if (wb_listed_label(code, section, address, &number) && code->label_count == before)
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

static bool texts_fit(const struct wb_listed_code *code)
{
  return code->texts.length <= code->limit;
}

/* (*"BRANCH_TARGETS .L_x_1,.L_x_2"*); of a call whose targets are not known (*"INDIRECT_CALL"*). */
static void note_branch(struct wb_listed_code *code, struct wb_listed_section *section,
                        const struct wb_cubin_branch *branch)
{
  struct wb_text *texts = &code->texts;
  size_t place = texts->length;
  wb_text_string(texts, branch->targets.count > 0 ? "(*\"BRANCH_TARGETS " : "(*\"INDIRECT_CALL");
  for (size_t t = 0; t < branch->targets.count && texts_fit(code); t++) {
    wb_text_string(texts, t > 0 ? "," : "");
    wb_listed_append_name(code, section, code->cubin->offsets[branch->targets.first + t], texts);
  }
  wb_text_string(texts, "\"*)");
  if (branch->at % code->word_size != 0 || branch->at >= section->section->size ||
      texts->length - place > UINT32_MAX)
    return;
  struct wb_listed_word *word = &section->words[branch->at / code->word_size];
  word->note = place;
  word->note_length = (uint32_t)(texts->length - place);
}

void wb_listed_label_branches(struct wb_listed_code *code)
{
  const struct wb_cubin *cubin = code->cubin;
  for (size_t f = 0; f < cubin->function_count; f++) {
    const struct wb_cubin_function *function = &cubin->functions[f];
    struct wb_listed_section *section = wb_listed_section_numbered(code, function->section);
    const struct wb_cubin_slice *branches = &function->facts.branches;
    for (size_t b = 0; b < branches->count && section != NULL && texts_fit(code); b++) {
      const struct wb_cubin_branch *branch = &cubin->branches[branches->first + b];
      use_number(code, section, start_of(code, section, branch->at));
      for (size_t t = 0; t < branch->targets.count; t++)
        use_number(code, section, cubin->offsets[branch->targets.first + t]);
      note_branch(code, section, branch);
    }
  }
}

void wb_listed_label_ends(struct wb_listed_code *code)
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
