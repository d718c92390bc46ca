#include "binary/listing/code_symbols.h"

#include <elf.h>
#include <inttypes.h>

/* Bit of st_other: the host may launch it. */
enum { ENTRY = 0x10, VISIBILITY = 3 };

unsigned wb_listed_symbol_lines(const struct wb_cubin_symbol *symbol)
{
  if (symbol->type != STT_FUNC)
    return 1;
  return 3U + (symbol->binding != STB_LOCAL) + ((symbol->other & (ENTRY | VISIBILITY)) != 0);
}

static const char *const visibilities[] = {"STV_DEFAULT", "STV_INTERNAL", "STV_HIDDEN",
                                           "STV_PROTECTED"};

static void print_directive(struct wb_text *out, const char *directive,
                            const struct wb_cubin_symbol *symbol, const char *rest)
{
  wb_text_format(out, "        %-16s%s%s\n", directive, symbol->name, rest);
}

/* .size NAME,(END - NAME). */
static void print_size(struct wb_listed_code *code, struct wb_listed_section *section,
                       const struct wb_cubin_symbol *symbol, struct wb_text *out)
{
  wb_text_format(out, "        %-16s%s,(", ".size", symbol->name);
  if (symbol->size > section->section->size ||
      !wb_listed_append_end(code, section, symbol->value + symbol->size, out))
    wb_text_format(out, "0x%" PRIx64, symbol->value + symbol->size);
  wb_text_format(out, " - %s)\n", symbol->name);
}

void wb_listed_print_symbol(struct wb_listed_code *code, struct wb_listed_section *section,
                            const struct wb_cubin_symbol *symbol, struct wb_text *out)
{
  if (symbol->type == STT_FUNC) {
    if (symbol->binding != STB_LOCAL)
      print_directive(out, symbol->binding == STB_WEAK ? ".weak" : ".global", symbol, "");
    print_directive(out, ".type", symbol, ",@function");
    print_size(code, section, symbol, out);
    if ((symbol->other & ENTRY) != 0 || (symbol->other & VISIBILITY) != 0)
      wb_text_format(out, "        %-16s%s,@\"%s%s\"\n", ".other", symbol->name,
                     (symbol->other & ENTRY) != 0 ? "STO_CUDA_ENTRY " : "",
                     visibilities[symbol->other & VISIBILITY]);
  }
  wb_text_format(out, "%s:\n", symbol->name);
}

/* NVIDIA's type of symbols of data. */
enum { STT_CUDA_OBJECT = 13 };

static bool is_undefined(const struct wb_cubin_symbol *symbol)
{
  return !symbol->defined && symbol->section == SHN_UNDEF && symbol->name[0] != '\0' &&
         (symbol->type == STT_FUNC || symbol->type == STT_OBJECT ||
          symbol->type == STT_CUDA_OBJECT);
}

void wb_listed_print_undefined(const struct wb_listed_code *code, struct wb_text *out)
{
  const struct wb_cubin *cubin = code->cubin;
  bool first = true;
  for (size_t s = 0; s < cubin->symbol_count && out->length <= code->out_limit; s++) {
    const struct wb_cubin_symbol *symbol = &cubin->symbols[s];
    if (!is_undefined(symbol))
      continue;
    if (first)
      wb_text_string(out, "\n\n//--------------------- SYMBOLS --------------------------\n\n");
    first = false;
    wb_text_format(out, "\t.type\t\t%s,@%s\n", symbol->name,
                   symbol->type == STT_FUNC ? "function" : "object");
    if (symbol->size > 0)
      wb_text_format(out, "\t.size\t\t%s,0x%llx\n", symbol->name, (unsigned long long)symbol->size);
  }
}
