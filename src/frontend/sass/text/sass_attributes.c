#include "frontend/sass/text/sass_attributes.h"

#include "base/binary_search.h"
#include "base/little_endian.h"
#include "base/memory.h"
#include "frontend/sass/text/sass_resources.h"
#include "frontend/sass/text/sass_scanner.h"
#include "isa/opcode.h"
#include "isa/parse/sass_operand.h"

#include <stdlib.h>
#include <string.h>

/* An attribute is its format, its number and, of a sized one, two bytes of a size, which stands
 * there as a difference of labels; then its payload. */
enum { FORMAT_NONE = 0x01, FORMAT_BYTE = 0x02, FORMAT_SHORT = 0x03, FORMAT_SIZED = 0x04, HEAD = 4 };

enum attribute {
  ATTRIBUTE_MAX_THREADS = 0x05, /* three words */
  ATTRIBUTE_REQNTID = 0x10,     /* three words */
  ATTRIBUTE_KPARAM_INFO = 0x17, /* a word of an index, the ordinal and the offset of two bytes each,
                                 * a word with the size in bits 18 and up */
  ATTRIBUTE_EXITS = 0x1c,       /* a word for each EXIT: its address */
  ATTRIBUTE_CLUSTER = 0x3d,     /* CTA_PER_CLUSTER: three words */
  ATTRIBUTE_CLUSTERED = 0x3e,   /* EXPLICIT_CLUSTER: nothing more */
  ATTRIBUTE_MOST_CLUSTER = 0x3f, /* MAX_CLUSTER_RANK: a word */
  ATTRIBUTE_BARRIERS = 0x4c      /* a byte in place of the size, as from CUDA 13 on */
};

#define SIZE_SHIFT 18

static const struct {
  const char *name;
  size_t size;
} directives[] = {{".byte", 1}, {".short", 2}, {".word", 4}};
#define DIRECTIVE_COUNT (sizeof directives / sizeof *directives)

/* ---- one attribute ---- */

void wb_sass_begin_info(struct wb_sass_parser *parser, struct wb_sass_piece function)
{
  parser->place = WB_SASS_INFO;
  parser->info.function = function;
  parser->info.section++;
  parser->info.bytes.length = 0;
  parser->info.symbolic = false;
}

/* A value that is no number, such as a difference of labels, as zeros. */
static void take_value(struct wb_sass_info *info, struct wb_sass_piece text, size_t size)
{
  int64_t value = 0;
  if (!wb_sass_integer(text.text, text.length, &value)) {
    info->symbolic = info->symbolic || info->bytes.length >= HEAD;
    value = 0;
  }
  for (size_t i = 0; i < size; i++) {
    const char byte = (char)((uint64_t)value >> (8 * i) & 0xff);
    wb_text_append(&info->bytes, &byte, 1);
  }
}

bool wb_sass_attribute_line(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  size_t d = 0;
  while (d < DIRECTIVE_COUNT && !wb_sass_begins(rest, directives[d].name))
    d++;
  if (d == DIRECTIVE_COUNT)
    return true;
  const char *end = rest.text + rest.length;
  for (const char *p = rest.text + strlen(directives[d].name); p < end;) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    const char *stop = comma != NULL ? comma : end;
    take_value(&parser->info, wb_sass_trim(p, stop), directives[d].size);
    p = comma != NULL ? comma + 1 : end;
  }
  return !parser->info.bytes.failed || wb_sass_out_of_memory(parser);
}

/* ---- the attributes of all sections ---- */

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
    return !barriers || wb_sass_note_barriers(parser, info->function, bytes[2]);
  }
  const size_t count = length > HEAD ? (length - HEAD) / 4 : 0;
  if (!wb_grow(parser->words, &parser->word_capacity, parser->word_count + count) ||
      !wb_grow(parser->attributes, &parser->attribute_capacity, parser->attribute_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->attributes[parser->attribute_count++] = (struct wb_sass_attribute){
      .function = info->function,
      .sm = parser->sm,
      .section = info->section,
      .number = bytes[1],
      .first = parser->word_count,
      .count = count,
  };
  for (size_t w = 0; w < count; w++)
    parser->words[parser->word_count++] = wb_u32(bytes + HEAD + 4 * w);
  return true;
}

bool wb_sass_next_attribute(struct wb_sass_parser *parser)
{
  struct wb_sass_info *info = &parser->info;
  const bool ok =
      wb_sass_add_attribute(parser, (const unsigned char *)info->bytes.data, info->bytes.length);
  info->bytes.length = 0;
  info->symbolic = false;
  return ok;
}

/* ---- to the functions ---- */

/* By function and architecture, then as they stand. */
static int compare(const void *one, const void *other)
{
  const struct wb_sass_attribute *a = one;
  const struct wb_sass_attribute *b = other;
  const int order = wb_sass_compare(a->function, b->function);
  if (order != 0 || a->sm != b->sm)
    return order != 0 ? order : (a->sm > b->sm) - (a->sm < b->sm);
  return (a->first > b->first) - (a->first < b->first);
}

/* The first row that is not before the function's. */
static bool is_before(const void *attributes, size_t index, const void *wanted)
{
  return compare(&((const struct wb_sass_attribute *)attributes)[index], wanted) < 0;
}

/* The attributes of all functions of a name, *count of them. */
static const struct wb_sass_attribute *attributes_of_name(const struct wb_sass_parser *parser,
                                                          const struct wb_function *function,
                                                          size_t *count)
{
  const struct wb_sass_attribute wanted = {.function = {function->name, strlen(function->name)},
                                           .sm = function->sm};
  *count = 0;
  if (parser->attribute_count == 0)
    return NULL;
  const size_t first =
      wb_lower_bound(parser->attributes, parser->attribute_count, is_before, &wanted);
  const struct wb_sass_attribute *rows = &parser->attributes[first];
  while (first + *count < parser->attribute_count && rows[*count].sm == function->sm &&
         wb_sass_same(rows[*count].function, wanted.function))
    ++*count;
  return rows;
}

/* Whether two sections have a function's name: whose their attributes are is not known then. */
static bool is_ambiguous(const struct wb_sass_attribute *rows, size_t count)
{
  for (size_t r = 1; r < count; r++) {
    if (rows[r].section != rows[0].section)
      return true;
  }
  return false;
}

static int compare_parameters(const void *one, const void *other)
{
  const struct wb_parameter *a = one;
  const struct wb_parameter *b = other;
  return (a->ordinal > b->ordinal) - (a->ordinal < b->ordinal);
}

/* One of each ordinal: of several that call themselves the same none is known. */
static bool keep_parameters(struct wb_sass_parser *parser, struct wb_function *function,
                            const struct wb_sass_attribute *rows, size_t count)
{
  function->parameters = wb_allocate(count, sizeof *function->parameters);
  if (function->parameters == NULL)
    return wb_sass_out_of_memory(parser);
  struct wb_parameter *parameters = function->parameters;
  size_t kept = 0;
  for (size_t r = 0; r < count; r++) {
    const uint32_t *words = &parser->words[rows[r].first];
    if (rows[r].number == ATTRIBUTE_KPARAM_INFO && rows[r].count == 3)
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

/* .maxntid limits the product of its sizes alone. */
static void keep_block(struct wb_function *function, const struct wb_sass_attribute *row,
                       const uint32_t *words)
{
  if (row->count != 3 || threads_of(words) == 0)
    return;
  if (row->number == ATTRIBUTE_MAX_THREADS)
    function->most_threads = threads_of(words);
  else if (row->number == ATTRIBUTE_REQNTID)
    memcpy(function->required_block, words, sizeof function->required_block);
}

/* Clusters are kept whatever section of the name they come from: without them a bound would hold
 * of other launches alone. */
static void keep_cluster(struct wb_function *function, const struct wb_sass_attribute *row,
                         const uint32_t *words)
{
  if (row->number == ATTRIBUTE_CLUSTERED)
    function->clustered = true;
  else if (row->number == ATTRIBUTE_MOST_CLUSTER && row->count == 1)
    function->most_cluster = words[0];
  else if (row->number == ATTRIBUTE_CLUSTER && row->count == 3 && threads_of(words) > 0)
    memcpy(function->cluster, words, sizeof function->cluster);
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
                        const struct wb_sass_attribute *rows, size_t count)
{
  size_t listed = 0;
  size_t kept = 0;
  bool said = false;
  for (size_t r = 0; r < count; r++) {
    said = said || rows[r].number == ATTRIBUTE_EXITS;
    listed += rows[r].number == ATTRIBUTE_EXITS ? rows[r].count : 0;
  }
  if (!said)
    return true;
  uint32_t *addresses = wb_allocate(listed, sizeof *addresses);
  if (addresses == NULL)
    return wb_sass_out_of_memory(parser);
  for (size_t r = 0; r < count; r++) {
    for (size_t w = 0; rows[r].number == ATTRIBUTE_EXITS && w < rows[r].count; w++)
      addresses[kept++] = parser->words[rows[r].first + w];
  }
  qsort(addresses, kept, sizeof *addresses, compare_words);
  const bool same = compare_exits(parser, function, addresses, kept);
  free(addresses);
  return same;
}

static bool keep(struct wb_sass_parser *parser, struct wb_function *function)
{
  size_t count;
  const struct wb_sass_attribute *rows = attributes_of_name(parser, function, &count);
  for (size_t r = 0; r < count; r++)
    keep_cluster(function, &rows[r], &parser->words[rows[r].first]);
  if (count == 0 || is_ambiguous(rows, count))
    return true;
  for (size_t r = 0; r < count; r++)
    keep_block(function, &rows[r], &parser->words[rows[r].first]);
  return check_exits(parser, function, rows, count) &&
         keep_parameters(parser, function, rows, count);
}

bool wb_sass_keep_attributes(struct wb_sass_parser *parser)
{
  if (parser->attribute_count > 1)
    qsort(parser->attributes, parser->attribute_count, sizeof *parser->attributes, compare);
  for (size_t f = 0; f < parser->code->function_count; f++)
    if (!keep(parser, &parser->code->functions[f]))
      return false;
  return true;
}
