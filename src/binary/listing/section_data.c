/* Sections of data in a listing: constants as bytes, attributes of functions one by one. */
#include "binary/listing/section_head.h"

#include <elf.h>

enum { LINE = 16, SHT_CUDA_INFO = 0x70000000 };

/* How an attribute of .nv.info is written: two bytes of format and number, then a value or a size
 * with so many bytes. */
enum { FORMAT_NONE = 1, FORMAT_BYTE = 2, FORMAT_SHORT = 3, FORMAT_SIZED = 4, HEAD = 4 };

static void print_byte(struct wb_text *out, unsigned char byte)
{
  const char *digits = "0123456789abcdef";
  const char text[] = {'0', 'x', digits[byte >> 4], digits[byte & 15]};
  wb_text_append(out, text, sizeof text);
}

static void print_bytes(struct wb_text *out, const unsigned char *bytes, uint64_t from, uint64_t to)
{
  for (uint64_t at = from; at < to; at += LINE) {
    wb_text_format(out, "        /*%04llx*/ \t.byte\t", (unsigned long long)at);
    for (uint64_t b = at; b < to && b < at + LINE; b++) {
      wb_text_string(out, b > at ? ", " : "");
      print_byte(out, bytes[b]);
    }
    wb_text_string(out, "\n");
  }
}

/* An attribute of a few words; a damaged one takes all that is left. */
static uint64_t attribute_end(const unsigned char *bytes, uint64_t at, uint64_t size)
{
  uint64_t end = at + HEAD;
  if (size - at < HEAD)
    return size;
  if (bytes[at] == FORMAT_SIZED)
    end += bytes[at + 2] | (uint64_t)bytes[at + 3] << 8;
  return end < size ? end : size;
}

static void print_attributes(struct wb_text *out, const struct wb_cubin_section *section)
{
  for (uint64_t at = 0, end; at < section->size; at = end) {
    end = attribute_end(section->bytes, at, section->size);
    wb_text_format(out, "\n\n\t//----- nvinfo : 0x%02x\n\t.align\t\t4\n",
                   end - at > 1 ? section->bytes[at + 1] : 0U);
    print_bytes(out, section->bytes, at, end);
  }
}

/* Bytes with .dword and the symbol's name where a relocation is. */
static void print_constants(const struct wb_listed_code *code,
                            const struct wb_cubin_section *section, struct wb_text *out)
{
  const struct wb_cubin *cubin = code->cubin;
  uint64_t at = 0;
  for (size_t r = 0; r < section->relocations.count; r++) {
    const struct wb_cubin_relocation *relocation =
        &cubin->relocations[section->relocations.first + r];
    uint64_t size = relocation->type == 1 ? 4 : 8;
    if (relocation->offset < at || size > section->size - relocation->offset ||
        relocation->symbol >= cubin->symbol_count)
      continue;
    print_bytes(out, section->bytes, at, relocation->offset);
    wb_text_format(out, "        /*%04llx*/ \t%s\t%s\n", (unsigned long long)relocation->offset,
                   size == 4 ? ".word" : ".dword", cubin->symbols[relocation->symbol].name);
    at = relocation->offset + size;
  }
  print_bytes(out, section->bytes, at, section->size);
}

void wb_section_print_data(const struct wb_listed_code *code, size_t number, struct wb_text *out)
{
  const struct wb_cubin_section *section = &code->cubin->sections[number];
  if (section->bytes == NULL)
    wb_text_format(out, "\t.zero\t\t%llu\n", (unsigned long long)section->size);
  else if (section->type == SHT_CUDA_INFO)
    print_attributes(out, section);
  else
    print_constants(code, section, out);
}
