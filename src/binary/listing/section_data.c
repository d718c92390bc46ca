/* Sections of data in a listing: constants as bytes, attributes of functions one by one. */
#include "binary/listing/section_head.h"

#include "base/little_endian.h"

#include <elf.h>

enum { LINE = 16, SHT_CUDA_INFO = 0x70000000 };

/* An attribute of .nv.info is a byte of its format, its number, and two bytes of a value or, where
 * it is sized, of the size of what follows. */
enum { FORMAT_SIZED = 4, HEAD = 4 };

/* The attribute of section .nv.info with the registers of a function: its symbol and a number. */
enum { REGCOUNT = 0x2f, REGCOUNT_SIZE = 8 };

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

static const struct {
  unsigned char number;
  const char *name;
} attribute_names[] = {
    {0x05, "MAX_THREADS"},
    {0x0a, "PARAM_CBANK"},
    {0x0f, "EXTERNS"},
    {0x10, "REQNTID"},
    {0x11, "FRAME_SIZE"},
    {0x12, "MIN_STACK_SIZE"},
    {0x17, "KPARAM_INFO"},
    {0x19, "CBANK_PARAM_SIZE"},
    {0x1b, "MAXREG_COUNT"},
    {0x1c, "EXIT_INSTR_OFFSETS"},
    {0x1d, "S2RCTAID_INSTR_OFFSETS"},
    {0x1e, "CRS_STACK_SIZE"},
    {0x23, "MAX_STACK_SIZE"},
    {0x28, "COOP_GROUP_INSTR_OFFSETS"},
    {0x29, "COOP_GROUP_MASK_REGIDS"},
    {0x2a, "SW1850030_WAR"},
    {0x2f, "REGCOUNT"},
    {0x30, "SW2393858_WAR"},
    {0x31, "INT_WARP_WIDE_INSTR_OFFSETS"},
    {0x34, "INDIRECT_BRANCH_TARGETS"},
    {0x36, "SW_WAR"},
    {0x37, "CUDA_API_VERSION"},
    {0x3d, "CTA_PER_CLUSTER"},
    {0x3e, "EXPLICIT_CLUSTER"},
    {0x3f, "MAX_CLUSTER_RANK"},
    {0x46, "SYSCALL_OFFSETS"},
    {0x4a, "VRC_CTA_INIT_COUNT"},
    {0x4c, "NUM_BARRIERS"},
    {0x50, "SPARSE_MMA_MASK"},
    {0x53, "GEN_ERRBAR_AT_EXIT"},
};

static const char *name_of(unsigned char number)
{
  for (size_t n = 0; n < sizeof attribute_names / sizeof *attribute_names; n++) {
    if (attribute_names[n].number == number)
      return attribute_names[n].name;
  }
  return "UNKNOWN";
}

/* Where an attribute ends; one that is cut off takes all that is left. */
static uint64_t attribute_end(const unsigned char *bytes, uint64_t at, uint64_t size)
{
  uint64_t end = at + HEAD;
  if (size - at < HEAD)
    return size;
  if (bytes[at] == FORMAT_SIZED)
    end += wb_u16(bytes + at + 2);
  return end < size ? end : size;
}

/* A number of 2 or 4 bytes, least significant first. */
static void print_number(struct wb_text *out, const unsigned char *bytes, uint64_t at,
                         unsigned size)
{
  const uint32_t number = size == 2 ? wb_u16(bytes + at) : wb_u32(bytes + at);
  wb_text_format(out, "        /*%04llx*/ \t%s\t0x%0*lx\n", (unsigned long long)at,
                 size == 2 ? ".short" : ".word", 2 * (int)size, (unsigned long)number);
}

static void print_attribute(struct wb_text *out, const unsigned char *bytes, uint64_t at,
                            uint64_t end)
{
  wb_text_format(out, "\n\n\t//----- nvinfo : EIATTR_%s\n\t.align\t\t4\n",
                 end - at > 1 ? name_of(bytes[at + 1]) : "UNKNOWN");
  if (end - at < HEAD) {
    print_bytes(out, bytes, at, end);
    return;
  }
  print_bytes(out, bytes, at, at + 2);
  print_number(out, bytes, at + 2, 2);
  for (at += HEAD; end - at >= 4; at += 4)
    print_number(out, bytes, at, 4);
  print_bytes(out, bytes, at, end);
}

void wb_counts_print_registers(const struct wb_cubin_function *function, uint64_t *place,
                               struct wb_text *out)
{
  const unsigned long long at = *place;
  wb_text_format(out,
                 "\n\n\t//----- nvinfo : EIATTR_REGCOUNT\n\t.align\t\t4\n"
                 "        /*%04llx*/ \t.byte\t0x%02x, 0x%02x\n"
                 "        /*%04llx*/ \t.short\t0x%04x\n",
                 at, FORMAT_SIZED, REGCOUNT, at + 2, REGCOUNT_SIZE);
  wb_text_format(out, "        /*%04llx*/ \t.word\tindex@(", at + HEAD);
  wb_text_string(out, function->name);
  wb_text_format(out, ")\n        /*%04llx*/ \t.word\t0x%08lx\n", at + HEAD + 4,
                 (unsigned long)function->facts.registers);
  *place += HEAD + REGCOUNT_SIZE;
}

/* All values are numbers, so that a reader needs no labels. */
static void print_attributes(struct wb_text *out, const struct wb_cubin_section *section)
{
  for (uint64_t at = 0, end; at < section->size; at = end) {
    end = attribute_end(section->bytes, at, section->size);
    print_attribute(out, section->bytes, at, end);
  }
}

/* Appends what stands for an address that only the loader knows: never a number, which a reader
 * would take for the value. */
static void append_address(struct wb_text *out, const char *name)
{
  const bool plain = name[0] != '\0' && (name[0] < '0' || name[0] > '9') && name[0] != '-';
  wb_text_format(out, plain ? "%s\n" : "`(%s)\n", name);
}

/* The bytes that a relocation changes, for all that is known: those of kind 1 four, others eight,
 * or as many as are left. */
static unsigned relocated_bytes(uint32_t type, uint64_t left)
{
  if (left >= 8 && type != 1)
    return 8;
  return left >= 4 ? 4 : left >= 2 ? 2 : 1;
}

/* Bytes, with .dword and the symbol's name where a relocation is. */
static void print_constants(const struct wb_listed_code *code,
                            const struct wb_cubin_section *section, struct wb_text *out)
{
  const struct wb_cubin *cubin = code->cubin;
  uint64_t at = 0;
  for (size_t r = 0; r < section->relocations.count && out->length <= code->out_limit; r++) {
    const struct wb_cubin_relocation *relocation =
        &cubin->relocations[section->relocations.first + r];
    if (relocation->offset < at) /* the one before covers it, and makes all of it unknown */
      continue;
    const unsigned size = relocated_bytes(relocation->type, section->size - relocation->offset);
    print_bytes(out, section->bytes, at, relocation->offset);
    wb_text_format(out, "        /*%04llx*/ \t%s\t", (unsigned long long)relocation->offset,
                   size == 8   ? ".dword"
                   : size == 4 ? ".word"
                   : size == 2 ? ".short"
                               : ".byte");
    append_address(out, cubin->symbols[relocation->symbol].name);
    at = relocation->offset + size;
  }
  print_bytes(out, section->bytes, at, section->size);
}

uint64_t wb_section_attribute_end(const struct wb_cubin_section *section, uint64_t at)
{
  return attribute_end(section->bytes, at, section->size);
}

unsigned wb_section_relocated_bytes(const struct wb_cubin_section *section,
                                    const struct wb_cubin_relocation *relocation)
{
  return relocated_bytes(relocation->type, section->size - relocation->offset);
}

static uint64_t lines_of_bytes(uint64_t from, uint64_t to)
{
  return from < to ? (to - from + LINE - 1) / LINE : 0;
}

uint64_t wb_section_data_lines(const struct wb_cubin *cubin, size_t number)
{
  const struct wb_cubin_section *section = &cubin->sections[number];
  uint64_t lines = 0, at = 0;
  if (section->bytes == NULL)
    return 1;
  if (section->type == SHT_CUDA_INFO) {
    for (uint64_t end; at < section->size; at = end) {
      end = attribute_end(section->bytes, at, section->size);
      const uint64_t payload = end - at < HEAD ? 0 : end - at - HEAD;
      lines += 4 + (end - at < HEAD ? 1 : 2 + payload / 4 + (payload % 4 != 0));
    }
    return lines;
  }
  for (size_t r = 0; r < section->relocations.count; r++) {
    const struct wb_cubin_relocation *relocation =
        &cubin->relocations[section->relocations.first + r];
    if (relocation->offset < at)
      continue;
    lines += lines_of_bytes(at, relocation->offset) + 1;
    at = relocation->offset + wb_section_relocated_bytes(section, relocation);
  }
  return lines + lines_of_bytes(at, section->size);
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
