/* Data of constant bank 2, where compilers put the tables of indexed branches. */
#include "frontend/sass_operand.h"
#include "frontend/sass_parser.h"

#include <string.h>

/* Directives and the bytes of one of their values. */
static const struct {
  const char *name;
  size_t size;
} directives[] = {
    {".byte", 1}, {".short", 2}, {".word", 4}, {".dword", 8}, {".quad", 8},
};
#define DIRECTIVE_COUNT (sizeof directives / sizeof *directives)

/* Appends a value; one that is no number (fun@(f)) as ones, which are no address. */
static void append(struct wb_text *bytes, struct wb_sass_piece text, size_t size)
{
  int64_t value;
  if (!wb_sass_integer(text.text, text.length, &value))
    value = -1;
  for (size_t i = 0; i < size; i++) {
    const char byte = (char)((uint64_t)value >> (8 * i) & 0xff);
    wb_text_append(bytes, &byte, 1);
  }
}

/* `.zero 4`: the count is checked, for it is no measure of the listing's length. */
static bool append_zeros(struct wb_sass_parser *parser, struct wb_sass_piece text)
{
  int64_t count;
  if (!wb_sass_integer(text.text, text.length, &count) || count < 0 || count > 0x10000)
    return wb_sass_expected(parser, parser->line, parser->line_start, text,
                            "a number of bytes up to 65536, the size of a constant bank");
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
    append(&parser->constants, wb_sass_trim(p, stop), directives[d].size);
    p = comma != NULL ? comma + 1 : end;
  }
  return !parser->constants.failed || wb_sass_out_of_memory(parser);
}

struct wb_sass_piece wb_sass_constants_of(const struct wb_sass_parser *parser,
                                          const struct wb_machine_function *function)
{
  const struct wb_sass_piece name = {function->name, strlen(function->name)};
  for (size_t s = 0; s < parser->section_count; s++) {
    const struct wb_sass_constants *section = &parser->sections[s];
    const size_t end =
        s + 1 < parser->section_count ? parser->sections[s + 1].first : parser->constants.length;
    if (section->sm == function->sm && wb_sass_same(section->function, name) &&
        end > section->first)
      return (struct wb_sass_piece){parser->constants.data + section->first, end - section->first};
  }
  return (struct wb_sass_piece){"", 0};
}
