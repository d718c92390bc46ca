#include "binary/listing/cubin_listing.h"

#include "base/little_endian.h"

#include <elf.h>
#include <inttypes.h>
#include <string.h>

/* ---- heads of the listing and of sections ---- */

/* Types and flags of NVIDIA's own, and its type of symbols of data. */
enum {
  SHT_CUDA_INFO = 0x70000000,
  BARRIERS_SHIFT = 20,
  BARRIERS_MASK = 0x7f,
  STT_CUDA_OBJECT = 13
};

void wb_cubin_print_head(const struct wb_cubin *cubin, struct wb_text *out)
{
  const char *name = cubin->architecture_name + strspn(cubin->architecture_name, "sm_");
  if (cubin->layout == WB_CUBIN_NEW) {
    wb_text_format(out, "\t.target\tsm_%s\n\n", name);
  } else {
    unsigned virtual_sm = cubin->virtual_architecture == WB_CUBIN_ABSENT
                              ? cubin->architecture
                              : cubin->virtual_architecture;
    wb_text_format(
        out,
        "\t.headerflags\t@\"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS %sEF_CUDA_SM%u "
        "EF_CUDA_VIRTUAL_SM(EF_CUDA_SM%u)\"\n",
        cubin->suffix == 'a' ? "EF_CUDA_ACCELERATORS " : "", cubin->architecture, virtual_sm);
  }
  wb_text_format(out, "\t.elftype\t@\"%s\"\n", cubin->relocatable ? "ET_REL" : "ET_EXEC");
}

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

/* Of a function: what the system reserves of shared memory belongs to no code. */
static bool is_shared_memory(const struct wb_cubin_section *section)
{
  return begins(section->name, ".nv.shared.") && (section->flags & SHF_INFO_LINK) != 0;
}

static void print_ruler(const char *name, struct wb_text *out)
{
  wb_text_format(out, "\n\n//--------------------- %-25s --------------------------\n", name);
}

void wb_section_print_head(const struct wb_cubin *cubin, size_t number, struct wb_text *out)
{
  const struct wb_cubin_section *section = &cubin->sections[number];
  const bool code = (section->flags & SHF_EXECINSTR) != 0;
  const bool info = section->type == SHT_CUDA_INFO;
  const char *flags = (section->flags & SHF_ALLOC) != 0 ? "a" : "";
  const char *type = "@progbits";
  if (code)
    flags = "ax";
  else if (is_shared_memory(section))
    flags = "aw";
  if (info)
    type = "@\"SHT_CUDA_INFO\"";
  else if (is_shared_memory(section))
    type = "@nobits";
  print_ruler(section->name, out);
  wb_text_format(out, "\t.section\t%s,\"%s\",%s\n", section->name, flags, type);
  if (code) {
    const unsigned barriers = (unsigned)(section->flags >> BARRIERS_SHIFT) & BARRIERS_MASK;
    if (cubin->layout == WB_CUBIN_OLD && barriers > 0)
      wb_text_format(out, "\t.sectionflags\t@\"SHF_BARRIERS=%u\"\n", barriers);
    /* The registers of the section's function: before Hopper they stand at the section. */
    const uint32_t registers = section->function != WB_CUBIN_NONE
                                   ? cubin->functions[section->function].facts.registers
                                   : WB_CUBIN_ABSENT;
    if (cubin->architecture < 90 && registers != WB_CUBIN_ABSENT)
      wb_text_format(out, "\t.sectioninfo\t@\"SHI_REGISTERS=%lu\"\n", (unsigned long)registers);
  } else if ((section->flags & SHF_INFO_LINK) != 0) {
    wb_text_string(out, "\t.sectionflags\t@\"\"\n");
  }
  wb_text_format(out, "\t.align\t%llu\n", (unsigned long long)section->alignment);
  if (!code && !info)
    wb_text_format(out, "%s:\n", section->name);
}

/* ---- sections of data: constants as bytes, attributes of functions one by one ---- */

enum { LINE = 16 };

/* An attribute of .nv.info is a byte of its format, its number, and two bytes of a value or, where
 * it is sized, of the size of what follows. */
enum { FORMAT_SIZED = 4, HEAD = 4 };

/* The attribute of section .nv.info with the registers of a function: its symbol and a number. */
enum { REGCOUNT = 0x2f, REGCOUNT_SIZE = 8 };

static void print_bytes(struct wb_text *out, const unsigned char *bytes, uint64_t from, uint64_t to)
{
  static const char digits[] = "0123456789abcdef";
  for (uint64_t at = from; at < to; at += LINE) {
    wb_text_format(out, "        /*%04llx*/ \t.byte\t", (unsigned long long)at);
    for (uint64_t b = at; b < to && b < at + LINE; b++) {
      const char text[] = {'0', 'x', digits[bytes[b] >> 4], digits[bytes[b] & 15]};
      wb_text_string(out, b > at ? ", " : "");
      wb_text_append(out, text, sizeof text);
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

uint64_t wb_section_attribute_end(const struct wb_cubin_section *section, uint64_t at)
{
  uint64_t end = at + HEAD;
  if (section->size - at < HEAD)
    return section->size;
  if (section->bytes[at] == FORMAT_SIZED)
    end += wb_u16(section->bytes + at + 2);
  return end < section->size ? end : section->size;
}

/* A number of 2 or 4 bytes, least significant first. */
static void print_number(struct wb_text *out, const unsigned char *bytes, uint64_t at,
                         unsigned size)
{
  const uint32_t number = size == 2 ? wb_u16(bytes + at) : wb_u32(bytes + at);
  wb_text_format(out, "        /*%04llx*/ \t%s\t0x%0*lx\n", (unsigned long long)at,
                 size == 2 ? ".short" : ".word", 2 * (int)size, (unsigned long)number);
}

/* All values are numbers, so that a reader needs no labels. */
static void print_attribute(struct wb_text *out, const unsigned char *bytes, uint64_t at,
                            uint64_t end)
{
  const char *name = "UNKNOWN";
  for (size_t n = 0; n < sizeof attribute_names / sizeof *attribute_names; n++)
    if (end - at > 1 && attribute_names[n].number == bytes[at + 1])
      name = attribute_names[n].name;
  wb_text_format(out, "\n\n\t//----- nvinfo : EIATTR_%s\n\t.align\t\t4\n", name);
  if (end - at >= HEAD) {
    print_bytes(out, bytes, at, at + 2);
    print_number(out, bytes, at + 2, 2);
    for (at += HEAD; end - at >= 4; at += 4)
      print_number(out, bytes, at, 4);
  }
  print_bytes(out, bytes, at, end);
}

void wb_counts_print(const struct wb_cubin_function *function, uint64_t *place, struct wb_text *out)
{
  const unsigned long long at = *place;
  if (at == 0) {
    print_ruler(".nv.info", out);
    wb_text_string(out, "\t.section\t.nv.info,\"\",@\"SHT_CUDA_INFO\"\n\t.align\t4\n");
  }
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

unsigned wb_section_relocated_bytes(const struct wb_cubin_section *section,
                                    const struct wb_cubin_relocation *relocation)
{
  const uint64_t left = section->size - relocation->offset;
  if (left >= 8 && relocation->type != 1)
    return 8;
  if (left >= 4)
    return 4;
  return left >= 2 ? 2 : 1;
}

/* Bytes, with .dword and the symbol's name where a relocation is: never a number, which a reader
 * would take for the value. */
static void print_constants(const struct wb_listed_code *code,
                            const struct wb_cubin_section *section, struct wb_text *out)
{
  static const char *const directives[] = {
      [1] = ".byte", [2] = ".short", [4] = ".word", [8] = ".dword"};
  const struct wb_cubin *cubin = code->cubin;
  uint64_t at = 0;
  for (size_t r = 0; r < section->relocations.count && out->length <= code->out_limit; r++) {
    const struct wb_cubin_relocation *relocation =
        &cubin->relocations[section->relocations.first + r];
    if (relocation->offset < at) /* the one before covers it, and makes all of it unknown */
      continue;
    const unsigned size = wb_section_relocated_bytes(section, relocation);
    const char *name = cubin->symbols[relocation->symbol].name;
    const bool plain = name[0] != '\0' && (name[0] < '0' || name[0] > '9') && name[0] != '-';
    print_bytes(out, section->bytes, at, relocation->offset);
    wb_text_format(out, "        /*%04llx*/ \t%s\t", (unsigned long long)relocation->offset,
                   directives[size]);
    wb_text_format(out, plain ? "%s\n" : "`(%s)\n", name);
    at = relocation->offset + size;
  }
  print_bytes(out, section->bytes, at, section->size);
}

void wb_section_print_data(const struct wb_listed_code *code, size_t number, struct wb_text *out)
{
  const struct wb_cubin_section *section = &code->cubin->sections[number];
  if (section->bytes == NULL) {
    wb_text_format(out, "\t.zero\t\t%llu\n", (unsigned long long)section->size);
  } else if (section->type == SHT_CUDA_INFO) {
    for (uint64_t at = 0, end; at < section->size; at = end) {
      end = wb_section_attribute_end(section, at);
      print_attribute(out, section->bytes, at, end);
    }
  } else {
    print_constants(code, section, out);
  }
}

/* ---- symbols ---- */

/* Bits of st_other: the host may launch it. */
enum { ENTRY = 0x10, VISIBILITY = 3 };

static const char *const visibilities[] = {"STV_DEFAULT", "STV_INTERNAL", "STV_HIDDEN",
                                           "STV_PROTECTED"};

void wb_listed_print_symbol(struct wb_listed_code *code, struct wb_listed_section *section,
                            const struct wb_cubin_symbol *symbol, struct wb_text *out)
{
  const char *name = symbol->name;
  if (symbol->type == STT_FUNC) {
    if (symbol->binding != STB_LOCAL)
      wb_text_format(out, "        %-16s%s\n", symbol->binding == STB_WEAK ? ".weak" : ".global",
                     name);
    wb_text_format(out, "        %-16s%s,@function\n", ".type", name);
    /* .size NAME,(END - NAME) */
    wb_text_format(out, "        %-16s%s,(", ".size", name);
    if (symbol->size > section->section->size ||
        !wb_listed_append_name(code, section, symbol->value + symbol->size, true, out))
      wb_text_format(out, "0x%" PRIx64, symbol->value + symbol->size);
    wb_text_format(out, " - %s)\n", name);
    if ((symbol->other & (ENTRY | VISIBILITY)) != 0)
      wb_text_format(out, "        %-16s%s,@\"%s%s\"\n", ".other", name,
                     (symbol->other & ENTRY) != 0 ? "STO_CUDA_ENTRY " : "",
                     visibilities[symbol->other & VISIBILITY]);
  }
  wb_text_format(out, "%s:\n", name);
}

void wb_listed_print_undefined(const struct wb_listed_code *code, struct wb_text *out)
{
  const struct wb_cubin *cubin = code->cubin;
  bool first = true;
  for (size_t s = 0; s < cubin->symbol_count && out->length <= code->out_limit; s++) {
    const struct wb_cubin_symbol *symbol = &cubin->symbols[s];
    if (symbol->defined || symbol->section != SHN_UNDEF || symbol->name[0] == '\0' ||
        (symbol->type != STT_FUNC && symbol->type != STT_OBJECT && symbol->type != STT_CUDA_OBJECT))
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

/* ---- code ---- */

/* Columns of an instruction's line: its address, the brace that opens a pair, its mnemonic, behind
 * the guard; and what ends the second of a pair. */
enum { ADDRESS_COLUMN = 8, GUARD_WIDTH = 19, BRACE_PLACE = 9, TEXT_COLUMN = 35 };
/* No column is behind this one: a long line then moves its own encoding alone. */
enum { LAST_COLUMN = 512 };
/* Room for what a control word says; more than most say. */
enum { CONTROL_ROOM = 40 };
static const char pair_end[] = "        }";

/* A listing that is being written. */
struct listing {
  struct wb_listed_cubin listed;
  size_t note_column; /* where annotations begin */
  size_t encoding_column;
  struct wb_text *out;
  uint64_t waiting[4]; /* encodings that are to be printed before the next instruction: those of
                        * control words, and of the second of a pair */
  unsigned waiting_count;
};

/* Sets the columns so that the longest instruction of the code fits. */
static void fit_columns(struct listing *listing)
{
  const struct wb_listed_code *code = &listing->listed.code;
  size_t text = 0, note = 0, line = 0;
  for (size_t c = 0; c < code->section_count; c++) {
    for (size_t w = 0; w < code->sections[c].word_count; w++) {
      const struct wb_listed_word *word = &code->sections[c].words[w];
      text = word->length > text ? word->length : text;
      note = word->note_length > note ? word->note_length : note;
    }
  }
  const size_t control = listing->listed.options->control ? CONTROL_ROOM : 0;
  listing->note_column = TEXT_COLUMN + text + control + 2;
  for (size_t c = 0; c < code->section_count; c++) {
    for (size_t w = 0; w < code->sections[c].word_count; w++) {
      const struct wb_listed_word *word = &code->sections[c].words[w];
      size_t end = word->note_length > 0 ? listing->note_column + word->note_length
                                         : TEXT_COLUMN + word->length + control + 1;
      if (word->issue == WB_ISSUE_WITH_LAST && end + sizeof pair_end - 1 > line)
        line = end + sizeof pair_end - 1;
    }
  }
  listing->encoding_column = listing->note_column + note + 2;
  if (line + 1 > listing->encoding_column)
    listing->encoding_column = line + 1;
  if (listing->note_column > LAST_COLUMN)
    listing->note_column = LAST_COLUMN;
  if (listing->encoding_column > LAST_COLUMN)
    listing->encoding_column = LAST_COLUMN;
}

static void pad_to(struct wb_text *out, size_t line_start, size_t column)
{
  size_t length = out->length - line_start;
  wb_text_fill(out, ' ', length < column ? column - length : 0);
}

/* The characters of hexadecimal numbers, which are most of a listing. */
static void append_hexadecimal(struct wb_text *out, uint64_t number, unsigned digits)
{
  char text[16];
  while (digits < 16 && number >> (4 * digits) != 0)
    digits++;
  for (unsigned d = 0; d < digits; d++)
    text[d] = "0123456789abcdef"[number >> (4 * (digits - 1 - d)) & 15];
  wb_text_append(out, text, digits);
}

/* Ends a line that began at a place with an encoding. */
static void print_encoding(const struct listing *listing, size_t line_start, uint64_t encoding)
{
  struct wb_text *out = listing->out;
  pad_to(out, line_start, listing->encoding_column);
  wb_text_string(out, "/* 0x");
  append_hexadecimal(out, encoding, 16);
  wb_text_string(out, " */\n");
}

static void wait_for_instruction(struct listing *listing, uint64_t encoding)
{
  if (!listing->listed.options->without_encodings && listing->waiting_count < 4)
    listing->waiting[listing->waiting_count++] = encoding;
}

static void print_waiting(struct listing *listing)
{
  for (unsigned e = 0; e < listing->waiting_count; e++)
    print_encoding(listing, listing->out->length, listing->waiting[e]);
  listing->waiting_count = 0;
}

/* The blanks between an address and a text, so that mnemonics stand in one column. */
static size_t blanks_before(const struct wb_listed_word *word)
{
  return GUARD_WIDTH - (word->guard_length < GUARD_WIDTH ? word->guard_length : GUARD_WIDTH);
}

size_t wb_listed_text_column(const struct wb_listed_word *word, uint64_t address)
{
  size_t digits = 4;
  while (digits < 16 && address >> (4 * digits) != 0)
    digits++;
  return ADDRESS_COLUMN + strlen("/**/") + digits + blanks_before(word);
}

/* " &req={0,3}": the set bits of a mask; nothing where there is none. */
static void print_mask(const char *name, unsigned mask, struct wb_text *out)
{
  const char *between = "={";
  if (mask == 0)
    return;
  wb_text_format(out, " &%s", name);
  for (unsigned bit = 0; mask >> bit != 0; bit++) {
    if ((mask >> bit & 1) == 0)
      continue;
    wb_text_format(out, "%s%u", between, bit);
    between = ",";
  }
  wb_text_string(out, "}");
}

/* What the 21 bits of a control word say, as nvdisasm spells it for sm_100 and later: the barriers
 * waited for, those set until operands are read and until results are there, and the stall, after
 * ?WAIT with a yield. &reuse is Warpbound's own. */
static void print_control(uint64_t slot, struct wb_text *out)
{
  const unsigned write = slot >> 5 & 7, read = slot >> 8 & 7, stall = slot & 15;
  print_mask("req", slot >> 11 & 63, out);
  if (read != 7)
    wb_text_format(out, " &rd=0x%u", read);
  if (write != 7)
    wb_text_format(out, " &wr=0x%u", write);
  print_mask("reuse", slot >> 17 & 15, out);
  wb_text_format(out, (slot >> 4 & 1) != 0 ? " ?trans%u" : " ?WAIT%u_END_GROUP", stall);
}

/* The address and, right before the mnemonic, the guard; what the control word says, annotation,
 * end mark, encoding. */
static void print_instruction(struct listing *listing, const struct wb_listed_section *section,
                              size_t w)
{
  const struct wb_listed_code *code = &listing->listed.code;
  const struct wb_listed_word *word = &section->words[w];
  struct wb_text *out = listing->out;
  const size_t start = out->length;
  wb_text_fill(out, ' ', ADDRESS_COLUMN);
  wb_text_string(out, "/*");
  append_hexadecimal(out, (uint64_t)w * code->word_size, 4);
  wb_text_string(out, "*/");
  size_t before = blanks_before(word);
  if (word->issue == WB_ISSUE_WITH_NEXT && before > BRACE_PLACE) {
    wb_text_fill(out, ' ', BRACE_PLACE);
    wb_text_string(out, "{");
    before -= BRACE_PLACE + 1;
  }
  wb_text_fill(out, ' ', before);
  wb_text_append(out, code->texts.data + word->text, word->length);
  uint64_t encoding[2];
  wb_listed_bits(code, section, w, encoding);
  if (listing->listed.options->control)
    print_control(code->word_size == 16 ? encoding[1] >> 41 : encoding[1], out);
  if (word->note_length > 0) {
    pad_to(out, start, listing->note_column);
    wb_text_append(out, code->texts.data + word->note, word->note_length);
  } else if (word->issue != WB_ISSUE_UNSPECIFIED) {
    wb_text_string(out, " ");
  }
  if (word->issue == WB_ISSUE_WITH_LAST) {
    wb_text_string(out, pair_end);
    wb_text_string(out, "\n");
    wait_for_instruction(listing, encoding[0]);
    return;
  }
  wb_text_string(out, ";");
  if (listing->listed.options->without_encodings) {
    wb_text_string(out, "\n");
    return;
  }
  print_encoding(listing, start, encoding[0]);
  if (code->word_size == 16)
    print_encoding(listing, out->length, encoding[1]);
}

static void print_code(struct listing *listing, struct wb_listed_section *section)
{
  struct wb_listed_code *code = &listing->listed.code;
  const struct wb_line_table *lines = &listing->listed.lines;
  struct wb_listed_walk walk = wb_listed_walk_start(&listing->listed, section);
  struct wb_listed_item item;
  while (listing->out->length <= code->out_limit && wb_listed_next(&walk, &item)) {
    switch (item.kind) {
    case WB_LISTED_LABEL:
      wb_text_format(listing->out, ".L_x_%" PRIu32 ":\n", item.label);
      break;
    case WB_LISTED_SYMBOL:
      wb_listed_print_symbol(code, section, item.symbol, listing->out);
      break;
    case WB_LISTED_SOURCE: {
      const struct wb_line_file *file = &lines->files[item.row->file];
      wb_text_format(listing->out, "\t//## File \"%s%s%s\", line %" PRIu32 "\n", file->folder,
                     file->folder[0] != '\0' ? "/" : "", file->name, item.row->line);
      break;
    }
    case WB_LISTED_CONTROL: {
      uint64_t encoding[2];
      wb_listed_bits(code, section, item.word, encoding);
      wait_for_instruction(listing, encoding[0]);
      break;
    }
    case WB_LISTED_WORD:
      print_waiting(listing);
      print_instruction(listing, section, item.word);
      break;
    }
  }
  print_waiting(listing);
}

/* ---- the cubin ---- */

warpbound_status wb_listed_cubin_open(const struct wb_cubin *cubin,
                                      const struct wb_listing_options *options,
                                      struct wb_listed_cubin *listed, warpbound_error *error)
{
  *listed = (struct wb_listed_cubin){
      .cubin = cubin, .options = options, .only = WB_CUBIN_NONE, .code = {.cubin = cubin}};
  if (options->kernel != NULL) {
    const size_t function = wb_cubin_function_named(cubin, options->kernel);
    if (function == WB_CUBIN_NONE)
      return wb_fail(error, WARPBOUND_USAGE, "no function is named '%.200s'", options->kernel);
    listed->only = cubin->functions[function].section;
  }
  warpbound_status status = wb_listed_code_make(cubin, &listed->code, error);
  if (status == WARPBOUND_OK && !options->without_lines)
    status = wb_line_table_read(cubin, &listed->lines, error);
  return status;
}

void wb_listed_cubin_close(struct wb_listed_cubin *listed)
{
  wb_listed_code_free(&listed->code);
  wb_line_table_free(&listed->lines);
}

bool wb_listed_cubin_shows(const struct wb_listed_cubin *listed, size_t number)
{
  const struct wb_cubin *cubin = listed->cubin;
  const struct wb_cubin_section *section = &cubin->sections[number];
  const bool code = wb_listed_section_numbered(&listed->code, number) != NULL;
  const size_t of = code ? number : section->info;
  if (listed->only != WB_CUBIN_NONE && of != listed->only)
    return false;
  if (listed->options->omitted != NULL && of < cubin->section_count) {
    const size_t function = cubin->sections[of].function;
    if (function != WB_CUBIN_NONE && listed->options->omitted[function])
      return false;
  }
  /* Beside code a reader needs a function's attributes, constants and shared memory. */
  const bool data = begins(section->name, ".nv.info.") || begins(section->name, ".nv.constant") ||
                    is_shared_memory(section);
  return code || (!listed->options->code_only && data);
}

bool wb_listed_cubin_counts(const struct wb_listed_cubin *listed,
                            const struct wb_cubin_function *function)
{
  return !function->inner && function->facts.registers != WB_CUBIN_ABSENT &&
         wb_listed_cubin_shows(listed, function->section);
}

struct wb_listed_walk wb_listed_walk_start(const struct wb_listed_cubin *listed,
                                           const struct wb_listed_section *section)
{
  return (struct wb_listed_walk){
      .code = &listed->code,
      .section = section,
      .lines = &listed->lines,
      .row = wb_line_table_find(&listed->lines, section->number, 0),
  };
}

static warpbound_status write_listing(struct listing *listing, warpbound_error *error)
{
  struct wb_listed_code *code = &listing->listed.code;
  const struct wb_cubin *cubin = listing->listed.cubin;
  const bool counts = !listing->listed.options->code_only;
  struct wb_text *out = listing->out;
  uint64_t place = 0;
  code->out_limit = out->length + code->limit;
  fit_columns(listing);
  wb_cubin_print_head(cubin, out);
  /* The registers of all functions shown, which a reader needs from sm_90 on, where no section of
   * code says them; the section also says that shared memory is shown, or that there is none. */
  for (size_t f = 0; counts && f < cubin->function_count && out->length <= code->out_limit; f++)
    if (wb_listed_cubin_counts(&listing->listed, &cubin->functions[f]))
      wb_counts_print(&cubin->functions[f], &place, out);
  for (size_t s = 0; s < cubin->section_count && out->length <= code->out_limit; s++) {
    if (!wb_listed_cubin_shows(&listing->listed, s))
      continue;
    struct wb_listed_section *section = wb_listed_section_numbered(code, s);
    wb_section_print_head(cubin, s, out);
    if (section != NULL)
      print_code(listing, section);
    else
      wb_section_print_data(code, s, out);
  }
  if (listing->listed.only == WB_CUBIN_NONE)
    wb_listed_print_undefined(code, out);
  if (out->length > code->out_limit)
    return wb_listed_too_long(error);
  return out->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

warpbound_status wb_cubin_listing(const struct wb_cubin *cubin,
                                  const struct wb_listing_options *options, struct wb_text *out,
                                  warpbound_error *error)
{
  struct listing listing = {.out = out};
  warpbound_status status = wb_listed_cubin_open(cubin, options, &listing.listed, error);
  if (status == WARPBOUND_OK)
    status = write_listing(&listing, error);
  wb_listed_cubin_close(&listing.listed);
  return status;
}
