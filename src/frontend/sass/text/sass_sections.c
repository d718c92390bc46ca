#include "frontend/sass/text/sass_sections.h"

#include "base/memory.h"
#include "frontend/sass/text/sass_scanner.h"
#include "isa/parse/sass_operand.h"

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

/* `.zero 4` */
static bool append_zeros(struct wb_sass_parser *parser, struct wb_sass_piece text)
{
  int64_t count;
  if (!wb_sass_integer(text.text, text.length, &count) || count < 0)
    count = -1;
  return wb_sass_add_zeros(parser, wb_sass_column(parser, text), text, (uint64_t)count);
}

bool wb_sass_begin_constants(struct wb_sass_parser *parser, struct wb_sass_piece function)
{
  const bool grown =
      wb_grow(parser->sections, &parser->section_capacity, parser->section_count + 1);
  if (!grown)
    return wb_sass_out_of_memory(parser);
  parser->place = WB_SASS_CONSTANTS;
  parser->sections[parser->section_count++] = (struct wb_sass_constants){
      .function = function, .first = parser->constants.length, .sm = parser->sm};
  return true;
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
