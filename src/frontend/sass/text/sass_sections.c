#include "frontend/sass/text/sass_sections.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "frontend/sass/text/sass_operand.h"
#include "frontend/sass/text/sass_scanner.h"

#include <stdlib.h>
#include <string.h>

/* ---- constant bank 2 ---- */

/* Directives and the bytes of one of their values. */
static const struct {
  const char *name;
  size_t size;
} directives[] = {
    {".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".quad", 8},
};
#define DIRECTIVE_COUNT (sizeof directives / sizeof *directives)
#define INFO_DIRECTIVE_COUNT 3 /* those that .nv.info has: the first ones */

#define ZERO_LIMIT ((size_t)1 << 20)

/* Appends a value; one that is no number (fun@(f)) as ones, which are no address: false then. */
static bool append(struct wb_text *bytes, struct wb_sass_piece text, size_t size)
{
  int64_t value;
  const bool number = wb_sass_integer(text.text, text.length, &value);
  if (!number)
    value = -1;
  for (size_t i = 0; i < size; i++) {
    const char byte = (char)((uint64_t)value >> (8 * i) & 0xff);
    wb_text_append(bytes, &byte, 1);
  }
  return number;
}

/* `.zero 4`: limited, for a short line could ask for any memory. */
static bool append_zeros(struct wb_sass_parser *parser, struct wb_sass_piece text)
{
  int64_t count;
  if (!wb_sass_integer(text.text, text.length, &count) || count < 0 ||
      (uint64_t)count > ZERO_LIMIT - parser->zero_count)
    return wb_sass_expected(parser, parser->line, parser->line_start, text,
                            "a number of bytes, of all such lines at most 1 MiB");
  parser->zero_count += (size_t)count;
  wb_text_fill(&parser->constants, '\0', (size_t)count);
  return !parser->constants.failed || wb_sass_out_of_memory(parser);
}

bool wb_sass_constant_line(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  const char *end = rest.text + rest.length;
  if (wb_sass_begins(rest, ".zero"))
    return append_zeros(parser, wb_sass_trim(rest.text + strlen(".zero"), end));
  size_t d = 0;
  while (d < DIRECTIVE_COUNT && !wb_sass_begins(rest, directives[d].name))
    d++;
  if (d == DIRECTIVE_COUNT)
    return wb_sass_expected(parser, parser->line, parser->line_start, rest,
                            "data such as .byte or .word");
  for (const char *p = rest.text + strlen(directives[d].name); p < end;) {
    const char *comma = memchr(p, ',', (size_t)(end - p));
    const char *stop = comma != NULL ? comma : end;
    if (!append(&parser->constants, wb_sass_trim(p, stop), directives[d].size))
      parser->sections[parser->section_count - 1].symbolic = true;
    p = comma != NULL ? comma + 1 : end;
  }
  return !parser->constants.failed || wb_sass_out_of_memory(parser);
}

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

static const struct wb_sass_constants *section_of(const struct wb_sass_parser *parser,
                                                  const struct wb_function *function)
{
  const struct wb_sass_constants wanted = {
      .function = {function->name, strlen(function->name)},
      .sm = function->sm,
  };
  return parser->section_count > 0 ? bsearch(&wanted, parser->sections, parser->section_count,
                                             sizeof *parser->sections, compare_sections)
                                   : NULL;
}

struct wb_sass_piece wb_sass_constants_of(const struct wb_sass_parser *parser,
                                          const struct wb_function *function)
{
  const struct wb_sass_constants *found = section_of(parser, function);
  if (found == NULL || found->length == 0)
    return (struct wb_sass_piece){"", 0};
  return (struct wb_sass_piece){parser->constants.data + found->first, found->length};
}

/* Whether another section has the same name: whose data they are is not known then. */
static bool is_repeated(const struct wb_sass_parser *parser,
                        const struct wb_sass_constants *section)
{
  const size_t at = (size_t)(section - parser->sections);
  return (at > 0 && compare_sections(section - 1, section) == 0) ||
         (at + 1 < parser->section_count && compare_sections(section, section + 1) == 0);
}

bool wb_sass_keep_constants(struct wb_sass_parser *parser, struct wb_function *function)
{
  const struct wb_sass_constants *found = section_of(parser, function);
  if (found == NULL || found->length == 0 || found->symbolic || is_repeated(parser, found))
    return true;
  const struct wb_sass_piece bytes = {parser->constants.data + found->first, found->length};
  function->constants = wb_sass_keep(parser, bytes);
  function->constant_length = bytes.length;
  return function->constants != NULL || wb_sass_out_of_memory(parser);
}

/* ---- parameters: the section .nv.info of a kernel lists them, as numbers without names ---- */

/* EIATTR_KPARAM_INFO: format 4 (a size follows), attribute 0x17; then its 12 bytes: 4 of an
 * index, 2 of the ordinal, 2 of the offset, and a word with the size in bits 18 and up. */
enum { FORMAT_SIZED = 0x04, PARAMETER = 0x17, HEAD = 4, PAYLOAD = 12, SIZE_SHIFT = 18 };

/* The value of one directive; 0 where it is no number, as the size of an attribute, which is a
 * difference of labels. */
static void take_value(struct wb_sass_info *info, struct wb_sass_piece text, size_t size)
{
  int64_t value = 0;
  if (!wb_sass_integer(text.text, text.length, &value))
    value = 0;
  for (size_t i = 0; i < size && info->count < sizeof info->bytes; i++)
    info->bytes[info->count++] = (uint8_t)((uint64_t)value >> (8 * i) & 0xff);
}

static bool is_parameter(const struct wb_sass_info *info)
{
  return info->bytes[0] == FORMAT_SIZED && info->bytes[1] == PARAMETER;
}

static uint32_t number_at(const struct wb_sass_info *info, size_t at, size_t size)
{
  uint32_t number = 0;
  for (size_t i = 0; i < size; i++)
    number |= (uint32_t)info->bytes[at + i] << (8 * i);
  return number;
}

static bool add_parameter(struct wb_sass_parser *parser)
{
  const struct wb_sass_info *info = &parser->info;
  const bool grown =
      wb_grow(parser->parameters, &parser->parameter_capacity, parser->parameter_count + 1);
  if (!grown)
    return wb_sass_out_of_memory(parser);
  parser->parameters[parser->parameter_count++] = (struct wb_sass_parameter){
      .function = info->function,
      .sm = parser->sm,
      .row = {.ordinal = (uint16_t)number_at(info, HEAD + 4, 2),
              .offset = (uint16_t)number_at(info, HEAD + 6, 2),
              .size = (uint16_t)(number_at(info, HEAD + 8, 4) >> SIZE_SHIFT)}};
  return true;
}

void wb_sass_begin_info(struct wb_sass_parser *parser, struct wb_sass_piece function)
{
  parser->place = WB_SASS_INFO;
  parser->info = (struct wb_sass_info){.function = function};
}

bool wb_sass_info_line(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  struct wb_sass_info *info = &parser->info;
  size_t d = 0;
  while (d < INFO_DIRECTIVE_COUNT && !wb_sass_begins(rest, directives[d].name))
    d++;
  if (d == INFO_DIRECTIVE_COUNT)
    return true;
  const char *end = rest.text + rest.length;
  const struct wb_sass_piece values = wb_sass_trim(rest.text + strlen(directives[d].name), end);
  const char *comma = values.length > 0 ? memchr(values.text, ',', values.length) : NULL;
  int64_t first = 0;
  int64_t second = 0;
  /* An attribute begins with its format and its number in one line. */
  if (comma != NULL && d == 0 && !(is_parameter(info) && info->count == HEAD + PAYLOAD - 4)) {
    const struct wb_sass_piece format = wb_sass_trim(values.text, comma);
    const struct wb_sass_piece number = wb_sass_trim(comma + 1, end);
    if (wb_sass_integer(format.text, format.length, &first) &&
        wb_sass_integer(number.text, number.length, &second))
      info->count = 0;
  }
  for (const char *p = values.text; p < end;) {
    comma = memchr(p, ',', (size_t)(end - p));
    const char *stop = comma != NULL ? comma : end;
    take_value(info, wb_sass_trim(p, stop), directives[d].size);
    p = comma != NULL ? comma + 1 : end;
  }
  if (info->count < HEAD + PAYLOAD)
    return true;
  info->count = 0;
  return !is_parameter(info) || add_parameter(parser);
}

static int compare(const void *one, const void *other)
{
  const struct wb_sass_parameter *a = one;
  const struct wb_sass_parameter *b = other;
  const int order = wb_sass_compare(a->function, b->function);
  if (order != 0 || a->sm != b->sm)
    return order != 0 ? order : (a->sm > b->sm) - (a->sm < b->sm);
  return (a->row.ordinal > b->row.ordinal) - (a->row.ordinal < b->row.ordinal);
}

/* The first row that is not before the function's. */
static bool is_before(const void *parameters, size_t index, const void *wanted)
{
  return compare(&((const struct wb_sass_parameter *)parameters)[index], wanted) < 0;
}

static size_t first_of(const struct wb_sass_parser *parser, const struct wb_function *function)
{
  const struct wb_sass_parameter wanted = {.function = {function->name, strlen(function->name)},
                                           .sm = function->sm};
  return wb_lower_bound(parser->parameters, parser->parameter_count, is_before, &wanted);
}

static bool keep_parameters(struct wb_sass_parser *parser, struct wb_function *function)
{
  const struct wb_sass_piece name = {function->name, strlen(function->name)};
  const size_t first = first_of(parser, function);
  size_t count = 0;
  while (first + count < parser->parameter_count &&
         wb_sass_same(parser->parameters[first + count].function, name) &&
         parser->parameters[first + count].sm == function->sm) {
    /* Two sections of that name: whose they are is not known. */
    if (count > 0 && parser->parameters[first + count].row.ordinal ==
                         parser->parameters[first + count - 1].row.ordinal)
      return true;
    count++;
  }
  if (count == 0)
    return true;
  function->parameters = wb_allocate(count, sizeof *function->parameters);
  if (function->parameters == NULL)
    return wb_sass_out_of_memory(parser);
  for (size_t p = 0; p < count; p++)
    function->parameters[p] = parser->parameters[first + p].row;
  function->parameter_count = count;
  return true;
}

bool wb_sass_keep_parameters(struct wb_sass_parser *parser)
{
  if (parser->parameter_count > 1)
    qsort(parser->parameters, parser->parameter_count, sizeof *parser->parameters, compare);
  for (size_t f = 0; f < parser->code->function_count; f++) {
    if (!keep_parameters(parser, &parser->code->functions[f]))
      return false;
  }
  return true;
}
