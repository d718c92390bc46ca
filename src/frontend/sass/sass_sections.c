/* What sections beside the code say of functions: constant bank 2, where compilers put jump tables;
 * .nv.info, in which the compiler says what the loader must know (registers, parameters, block
 * size, where the code ends threads); shared memory. Attributes (EIATTR_...) of .nv.info are
 * numbered; a comment of the disassembler begins each. */
#include "base/binary_search.h"
#include "base/little_endian.h"
#include "base/memory.h"
#include "frontend/sass/sass_parser.h"
#include "isa/opcode.h"
#include "isa/sass_operand.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines of data ---- */

/* Takes a directive of data off a line; the bytes of one of its values, 0 where it is none. */
static size_t take_directive(struct wb_sass_piece *line)
{
  static const struct {
    const char *name;
    size_t size;
  } directives[] = {{".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".quad", 8}};
  for (size_t d = 0; d < sizeof directives / sizeof *directives; d++) {
    const size_t length = strlen(directives[d].name);
    if (!wb_sass_begins(*line, directives[d].name))
      continue;
    *line = (struct wb_sass_piece){line->text + length, line->length - length};
    return directives[d].size;
  }
  return 0;
}

/* Takes a value and the comma after it. */
static bool take_value(struct wb_sass_piece *line, struct wb_sass_piece *value)
{
  const char *end = line->text + line->length;
  if (line->length == 0)
    return false;
  const char *comma = memchr(line->text, ',', line->length);
  *value = wb_sass_trim(line->text, comma != NULL ? comma : end);
  const char *rest = comma != NULL ? comma + 1 : end;
  *line = (struct wb_sass_piece){rest, (size_t)(end - rest)};
  return true;
}

static void append_number(struct wb_text *bytes, int64_t value, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    const char byte = (char)((uint64_t)value >> (8 * i) & 0xff);
    wb_text_append(bytes, &byte, 1);
  }
}

/* ---- constant bank 2 ---- */

#define ZERO_LIMIT ((size_t)1 << 20)

bool wb_sass_add_zeros(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece text,
                       uint64_t count)
{
  if (count > ZERO_LIMIT - parser->zero_count)
    return wb_sass_expected_at(parser, parser->line, column, text,
                               "a number of bytes, of all such lines at most 1 MiB");
  parser->zero_count += (size_t)count;
  wb_text_fill(&parser->constants, '\0', (size_t)count);
  return !parser->constants.failed || wb_sass_out_of_memory(parser);
}

bool wb_sass_begin_constants(struct wb_sass_parser *parser, struct wb_sass_piece function)
{
  if (!wb_grow(parser->sections, &parser->section_capacity, parser->section_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->place = WB_SASS_CONSTANTS;
  parser->sections[parser->section_count++] = (struct wb_sass_constants){
      .function = function, .first = parser->constants.length, .sm = parser->sm};
  return true;
}

bool wb_sass_constant_line(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  struct wb_sass_piece text;
  int64_t value;
  if (wb_sass_begins(rest, ".zero")) {
    text = wb_sass_after(rest, strlen(".zero"));
    if (!wb_sass_integer(text.text, text.length, &value) || value < 0)
      value = -1;
    return wb_sass_add_zeros(parser, wb_sass_column(parser, text), text, (uint64_t)value);
  }
  const size_t size = take_directive(&rest);
  if (size == 0)
    return wb_sass_expected(parser, rest, "data such as .byte or .word");
  while (take_value(&rest, &text)) {
    /* What is no number (fun@(f)) becomes ones, which are no address. */
    if (!wb_sass_integer(text.text, text.length, &value)) {
      value = -1;
      parser->sections[parser->section_count - 1].symbolic = true;
    }
    append_number(&parser->constants, value, size);
  }
  return !parser->constants.failed || wb_sass_out_of_memory(parser);
}

/* ---- constant bank 4 ---- */

bool wb_sass_begin_module(struct wb_sass_parser *parser)
{
  if (!wb_grow(parser->module_starts, &parser->module_capacity, parser->module_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->module_starts[parser->module_count++] = (uint32_t)parser->code->function_count;
  return true;
}

bool wb_sass_add_address(struct wb_sass_parser *parser, uint64_t offset, uint32_t size,
                         struct wb_sass_piece name)
{
  if (parser->module_count == 0 || offset > UINT32_MAX)
    return true;
  const char *kept = wb_sass_keep(parser, name);
  if (kept == NULL ||
      !wb_grow(parser->addresses, &parser->address_capacity, parser->address_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->addresses[parser->address_count++] =
      (struct wb_sass_address){kept, (uint32_t)parser->module_count - 1, (uint32_t)offset, size};
  return true;
}

bool wb_sass_note_cubin(struct wb_sass_parser *parser, bool relocatable)
{
  if (!wb_grow(parser->cubins, &parser->cubin_capacity, parser->cubin_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->cubins[parser->cubin_count++] = (struct wb_sass_cubin){
      .module = (uint32_t)parser->module_count - 1, .sm = parser->sm, .relocatable = relocatable};
  return true;
}

bool wb_sass_add_taken(struct wb_sass_parser *parser, struct wb_sass_piece name)
{
  const char *kept = wb_sass_keep(parser, name);
  if (kept == NULL || !wb_grow(parser->taken, &parser->taken_capacity, parser->taken_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->taken[parser->taken_count++] =
      (struct wb_sass_taken){kept, (uint32_t)parser->module_count - 1};
  return true;
}

bool wb_sass_address_line(struct wb_sass_parser *parser, uint64_t offset, struct wb_sass_piece rest)
{
  struct wb_sass_piece text;
  int64_t value;
  const size_t size = take_directive(&rest);
  for (; size > 0 && take_value(&rest, &text); offset += size) {
    /* Not `(f), and not a number. */
    if (size >= sizeof(uint32_t) && text.length > 0 && text.text[0] != '`' &&
        !wb_sass_integer(text.text, text.length, &value) &&
        !wb_sass_add_address(parser, offset, (uint32_t)size, text))
      return false;
  }
  return true;
}

/* ---- constant bank 2, sorted ---- */

static int compare_sections(const void *one, const void *other)
{
  const struct wb_sass_constants *a = one;
  const struct wb_sass_constants *b = other;
  const int order = wb_sass_compare(a->function, b->function);
  return order != 0 ? order : (a->sm > b->sm) - (a->sm < b->sm);
}

void wb_sass_sort_constants(struct wb_sass_parser *parser)
{
  for (size_t s = 0; s < parser->section_count; s++) {
    const size_t end =
        s + 1 < parser->section_count ? parser->sections[s + 1].first : parser->constants.length;
    parser->sections[s].length = end - parser->sections[s].first;
  }
  if (parser->section_count > 1)
    qsort(parser->sections, parser->section_count, sizeof *parser->sections, compare_sections);
}

bool wb_sass_keep_constants(struct wb_sass_parser *parser, struct wb_function *function,
                            struct wb_sass_piece *bytes)
{
  const struct wb_sass_constants wanted = {
      .function = {function->name, strlen(function->name)},
      .sm = function->sm,
  };
  const struct wb_sass_constants *found =
      parser->section_count > 0 ? bsearch(&wanted, parser->sections, parser->section_count,
                                          sizeof *parser->sections, compare_sections)
                                : NULL;
  *bytes = (struct wb_sass_piece){"", 0};
  if (found == NULL || found->length == 0)
    return true;
  *bytes = (struct wb_sass_piece){parser->constants.data + found->first, found->length};
  /* Of two sections of the same name it is not known whose data they are. */
  const size_t at = (size_t)(found - parser->sections);
  const bool repeated = (at > 0 && compare_sections(found - 1, found) == 0) ||
                        (at + 1 < parser->section_count && compare_sections(found, found + 1) == 0);
  if (found->symbolic || repeated)
    return true;
  function->constants = wb_sass_keep(parser, *bytes);
  function->constant_length = bytes->length;
  return function->constants != NULL || wb_sass_out_of_memory(parser);
}

/* ---- notes: attributes, and what other sections say ---- */

/* An attribute is its format, its number and, of a sized one, two bytes of a size, which stands
 * there as a difference of labels; then its payload. */
enum { FORMAT_NONE = 0x01, FORMAT_BYTE = 0x02, FORMAT_SHORT = 0x03, FORMAT_SIZED = 0x04, HEAD = 4 };

enum attribute {
  ATTRIBUTE_MAX_THREADS = 0x05, /* three words */
  ATTRIBUTE_REQNTID = 0x10,     /* three words */
  ATTRIBUTE_KPARAM_INFO = 0x17, /* a word of an index, the ordinal and the offset of two bytes each,
                                 * a word with the size in bits 18 and up */
  ATTRIBUTE_EXITS = 0x1c,       /* a word for each EXIT: its address */
  ATTRIBUTE_REGCOUNT = 0x2f,    /* the number of a function's symbol, and of its registers */
  ATTRIBUTE_CLUSTER = 0x3d,     /* CTA_PER_CLUSTER: three words */
  ATTRIBUTE_CLUSTERED = 0x3e,   /* EXPLICIT_CLUSTER: nothing more */
  ATTRIBUTE_MOST_CLUSTER = 0x3f, /* MAX_CLUSTER_RANK: a word */
  ATTRIBUTE_BARRIERS = 0x4c      /* a byte in place of the size, as from CUDA 13 on */
};

#define SIZE_SHIFT 18

/* Adds a note, whose words are the last ones of parser->words. */
static bool add_note(struct wb_sass_parser *parser, struct wb_sass_note note)
{
  if (!wb_grow(parser->words, &parser->word_capacity, parser->word_count + note.count) ||
      !wb_grow(parser->notes, &parser->note_capacity, parser->note_count + 1))
    return wb_sass_out_of_memory(parser);
  note.sm = parser->sm;
  note.first = parser->word_count;
  parser->notes[parser->note_count++] = note;
  parser->word_count += note.count;
  return true;
}

bool wb_sass_note(struct wb_sass_parser *parser, struct wb_sass_piece function,
                  enum wb_sass_fact fact, uint32_t value)
{
  if (!add_note(parser, (struct wb_sass_note){.function = function, .number = fact, .count = 1}))
    return false;
  parser->words[parser->word_count - 1] = value;
  /* What an object file has of shared memory the linker lays out anew. */
  return fact != WB_SASS_REGISTERS || !parser->relocatable ||
         wb_sass_note(parser, function, WB_SASS_SHARED_BYTES, UINT32_MAX);
}

void wb_sass_shared_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  uint32_t *bytes = &parser->words[parser->word_count - 1];
  const struct wb_sass_piece number = wb_sass_after(line, strlen(".zero"));
  int64_t size = 0;
  const bool good = wb_sass_integer(number.text, number.length, &size) && size >= 0;
  *bytes = good && size < UINT32_MAX - *bytes ? *bytes + (uint32_t)size : UINT32_MAX;
}

void wb_sass_begin_info(struct wb_sass_parser *parser, struct wb_sass_piece function, bool of_all)
{
  parser->place = WB_SASS_INFO;
  parser->info.function = function;
  parser->info.of_all = of_all;
  parser->info.section++;
  parser->info.bytes.length = 0;
  parser->info.named.length = 0;
  parser->info.symbolic = false;
}

bool wb_sass_attribute_line(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  static const char symbol[] = "index@(";
  struct wb_sass_info *info = &parser->info;
  struct wb_sass_piece text;
  const size_t size = take_directive(&rest);
  if (size == 0 || size > 4)
    return true;
  while (take_value(&rest, &text)) {
    int64_t value = 0;
    /* What is no number, such as a difference of labels, becomes zeros. */
    if (!wb_sass_integer(text.text, text.length, &value)) {
      value = 0;
      info->symbolic = info->symbolic || info->bytes.length >= HEAD;
    }
    if (wb_sass_begins(text, symbol) && text.text[text.length - 1] == ')')
      info->named = wb_sass_trim(text.text + strlen(symbol), text.text + text.length - 1);
    append_number(&info->bytes, value, size);
  }
  return !info->bytes.failed || wb_sass_out_of_memory(parser);
}

bool wb_sass_add_attribute(struct wb_sass_parser *parser, const unsigned char *bytes, size_t length)
{
  const struct wb_sass_info *info = &parser->info;
  /* All that the mark says is that it is there. */
  const bool mark = length >= 2 && bytes[0] == FORMAT_NONE && bytes[1] == ATTRIBUTE_CLUSTERED;
  const bool words =
      length > HEAD && length % 4 == 0 && bytes[0] == FORMAT_SIZED && !info->symbolic;
  if (!mark && !words) {
    /* Barriers stand in place of a size. */
    const bool barriers = length >= 3 && (bytes[0] == FORMAT_BYTE || bytes[0] == FORMAT_SHORT) &&
                          bytes[1] == ATTRIBUTE_BARRIERS;
    return !barriers || wb_sass_note(parser, info->function, WB_SASS_BARRIERS, bytes[2]);
  }
  const struct wb_sass_note note = {.function = info->function,
                                    .section = info->section,
                                    .number = bytes[1],
                                    .count = length > HEAD ? (length - HEAD) / 4 : 0};
  if (!add_note(parser, note))
    return false;
  for (size_t w = 0; w < note.count; w++)
    parser->words[parser->word_count - note.count + w] = wb_u32(bytes + HEAD + 4 * w);
  return true;
}

bool wb_sass_next_attribute(struct wb_sass_parser *parser)
{
  struct wb_sass_info *info = &parser->info;
  const unsigned char *bytes = (const unsigned char *)info->bytes.data;
  const size_t length = info->bytes.length;
  bool added = true;
  if (!info->of_all)
    added = wb_sass_add_attribute(parser, bytes, length);
  else if (length == HEAD + 8 && bytes[0] == FORMAT_SIZED && bytes[1] == ATTRIBUTE_REGCOUNT &&
           info->named.length > 0)
    added = wb_sass_note(parser, info->named, WB_SASS_REGISTERS, wb_u32(bytes + HEAD + 4));
  info->bytes.length = 0;
  info->named.length = 0;
  info->symbolic = false;
  return added;
}

/* ---- notes to the functions ---- */

/* By function and architecture, then as they stand. */
static int compare_notes(const void *one, const void *other)
{
  const struct wb_sass_note *a = one;
  const struct wb_sass_note *b = other;
  const int order = wb_sass_compare(a->function, b->function);
  if (order != 0 || a->sm != b->sm)
    return order != 0 ? order : (a->sm > b->sm) - (a->sm < b->sm);
  return (a->first > b->first) - (a->first < b->first);
}

static bool is_before(const void *notes, size_t index, const void *wanted)
{
  return compare_notes(&((const struct wb_sass_note *)notes)[index], wanted) < 0;
}

/* A fact of a function, which only one note may state; how many do. */
static size_t find_fact(const struct wb_sass_parser *parser, const struct wb_sass_note *notes,
                        size_t count, enum wb_sass_fact fact, uint32_t *value)
{
  size_t found = 0;
  for (size_t n = 0; n < count; n++) {
    if (notes[n].section != 0 || notes[n].number != fact)
      continue;
    *value = parser->words[notes[n].first];
    found++;
  }
  return found;
}

/* A listing with the section .nv.info of all functions is one of all sections, so that a function
 * without .nv.shared has no shared memory, and one without the attribute no barriers. Of a function
 * that two modules of an architecture have, nothing is known: whose it is is not known then. */
static void keep_resources(const struct wb_sass_parser *parser, struct wb_function *function,
                           const struct wb_sass_note *notes, size_t count)
{
  uint32_t registers = 0, shared = 0, barriers = 0;
  const size_t counted = find_fact(parser, notes, count, WB_SASS_REGISTERS, &registers);
  const size_t sections = find_fact(parser, notes, count, WB_SASS_SHARED_BYTES, &shared);
  const size_t said = find_fact(parser, notes, count, WB_SASS_BARRIERS, &barriers);
  if (counted == 1 && function->registers == 0)
    function->registers = registers;
  if (counted <= 1 && sections == 1)
    function->static_shared = shared;
  else if (counted == 1 && sections == 0)
    function->static_shared = 0;
  if (function->named_barriers == UINT32_MAX && counted == 1 && said <= 1)
    function->named_barriers = said == 1 ? barriers : 0;
}

static int compare_parameters(const void *one, const void *other)
{
  const struct wb_parameter *a = one;
  const struct wb_parameter *b = other;
  return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* One of each ordinal: of several that call themselves the same none is known. */
static bool keep_parameters(struct wb_sass_parser *parser, struct wb_function *function,
                            const struct wb_sass_note *notes, size_t count)
{
  function->parameters = wb_allocate(count, sizeof *function->parameters);
  if (function->parameters == NULL)
    return wb_sass_out_of_memory(parser);
  struct wb_parameter *parameters = function->parameters;
  size_t kept = 0;
  for (size_t n = 0; n < count; n++) {
    const uint32_t *words = &parser->words[notes[n].first];
    if (notes[n].number == ATTRIBUTE_KPARAM_INFO && notes[n].count == 3)
      parameters[kept++] = (struct wb_parameter){.ordinal = (uint16_t)(words[1] & 0xffff),
                                                 .offset = (uint16_t)(words[1] >> 16),
                                                 .size = (uint16_t)(words[2] >> SIZE_SHIFT)};
  }
  qsort(parameters, kept, sizeof *parameters, compare_parameters);
  for (size_t p = 1; p < kept; p++)
    if (parameters[p].ordinal == parameters[p - 1].ordinal)
      kept = 0;
  function->parameter_count = kept;
  return true;
}

/* The product of three sizes, UINT32_MAX where it is larger. */
static uint32_t threads_of(const uint32_t *size)
{
  uint64_t product = size[0];
  for (unsigned axis = 1; axis < 3 && product <= UINT32_MAX; axis++)
    product *= size[axis];
  return product <= UINT32_MAX ? (uint32_t)product : UINT32_MAX;
}

/* What a note says of blocks, where it is known to be of this function, and of clusters. These are
 * kept whatever section of the name they come from: without them a bound would hold of other
 * launches alone. */
static void keep_launch(struct wb_function *function, const struct wb_sass_note *note,
                        const uint32_t *words, bool ambiguous)
{
  const bool sizes = note->count == 3 && threads_of(words) > 0;
  if (note->number == ATTRIBUTE_CLUSTERED)
    function->clustered = true;
  else if (note->number == ATTRIBUTE_MOST_CLUSTER && note->count == 1)
    function->most_cluster = words[0];
  else if (note->number == ATTRIBUTE_CLUSTER && sizes)
    memcpy(function->cluster, words, sizeof function->cluster);
  else if (note->number == ATTRIBUTE_MAX_THREADS && sizes && !ambiguous)
    function->most_threads = threads_of(words); /* .maxntid limits the product alone */
  else if (note->number == ATTRIBUTE_REQNTID && sizes && !ambiguous)
    memcpy(function->required_block, words, sizeof function->required_block);
}

static int compare_words(const void *one, const void *other)
{
  const uint32_t a = *(const uint32_t *)one;
  const uint32_t b = *(const uint32_t *)other;
  return (a > b) - (a < b);
}

/* The compiler lists every EXIT of a function: a listing that has others was read wrong, or was
 * damaged. addresses: sorted. */
static bool compare_exits(struct wb_sass_parser *parser, const struct wb_function *function,
                          const uint32_t *addresses, size_t count)
{
  size_t found = 0;
  for (size_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->number != WB_OPCODE_EXIT)
      continue;
    const uint32_t address = instruction->address;
    if (bsearch(&address, addresses, count, sizeof *addresses, compare_words) == NULL)
      return wb_sass_error(parser, instruction->line, 1,
                           "expected no EXIT at 0x%04x of '%.100s': its .nv.info section does not "
                           "list it",
                           (unsigned)address, function->name);
    found++;
  }
  return found == count ||
         wb_sass_error(parser, function->line, 1,
                       "expected %zu EXIT instructions in '%.100s', as its .nv.info section lists, "
                       "found %zu",
                       count, function->name, found);
}

/* Collects the exits of all attributes of the kind: one holds 16,383 at most. */
static bool check_exits(struct wb_sass_parser *parser, const struct wb_function *function,
                        const struct wb_sass_note *notes, size_t count)
{
  size_t listed = 0;
  size_t kept = 0;
  bool said = false;
  for (size_t n = 0; n < count; n++) {
    said = said || notes[n].number == ATTRIBUTE_EXITS;
    listed += notes[n].number == ATTRIBUTE_EXITS ? notes[n].count : 0;
  }
  if (!said)
    return true;
  uint32_t *addresses = wb_allocate(listed, sizeof *addresses);
  if (addresses == NULL)
    return wb_sass_out_of_memory(parser);
  for (size_t n = 0; n < count; n++) {
    for (size_t w = 0; notes[n].number == ATTRIBUTE_EXITS && w < notes[n].count; w++)
      addresses[kept++] = parser->words[notes[n].first + w];
  }
  qsort(addresses, kept, sizeof *addresses, compare_words);
  const bool same = compare_exits(parser, function, addresses, kept);
  free(addresses);
  return same;
}

static bool keep_notes_of(struct wb_sass_parser *parser, struct wb_function *function)
{
  const struct wb_sass_note wanted = {.function = {function->name, strlen(function->name)},
                                      .sm = function->sm};
  const size_t first = wb_lower_bound(parser->notes, parser->note_count, is_before, &wanted);
  const struct wb_sass_note *notes = &parser->notes[first];
  size_t count = 0;
  uint32_t section = 0;   /* the one with its attributes */
  bool ambiguous = false; /* several have its name: whose attributes they hold is not known */
  while (first + count < parser->note_count && notes[count].sm == function->sm &&
         wb_sass_same(notes[count].function, wanted.function)) {
    const uint32_t of = notes[count++].section;
    ambiguous = ambiguous || (section != 0 && of != 0 && of != section);
    section = of != 0 ? of : section;
  }
  keep_resources(parser, function, notes, count);
  for (size_t n = 0; n < count; n++)
    keep_launch(function, &notes[n], &parser->words[notes[n].first], ambiguous);
  return section == 0 || ambiguous ||
         (check_exits(parser, function, notes, count) &&
          keep_parameters(parser, function, notes, count));
}

bool wb_sass_keep_notes(struct wb_sass_parser *parser)
{
  if (parser->note_count > 1)
    qsort(parser->notes, parser->note_count, sizeof *parser->notes, compare_notes);
  for (size_t f = 0; f < parser->code->function_count && parser->note_count > 0; f++)
    if (!keep_notes_of(parser, &parser->code->functions[f]))
      return false;
  return true;
}
