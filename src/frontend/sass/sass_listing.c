#include "frontend/sass/sass_listing.h"

#include "base/memory.h"
#include "frontend/sass/sass_function.h"
#include "frontend/sass/text/sass_attributes.h"
#include "frontend/sass/text/sass_control.h"
#include "frontend/sass/text/sass_line.h"
#include "frontend/sass/text/sass_resources.h"
#include "frontend/sass/text/sass_scanner.h"
#include "frontend/sass/text/sass_sections.h"
#include "frontend/sass/text/sass_source.h"

#include <stdio.h>
#include <string.h>

static struct wb_sass_piece after(struct wb_sass_piece line, size_t length)
{
  return wb_sass_trim(line.text + length, line.text + line.length);
}

/* The number after the first `mark` of a line: 52 of sm_52; 0 where there is none. */
static uint32_t architecture(struct wb_sass_piece line, const char *mark)
{
  const size_t length = strlen(mark);
  for (size_t i = 0; i + length < line.length; i++) {
    if (memcmp(line.text + i, mark, length) != 0 || !wb_is_digit(line.text[i + length]))
      continue;
    uint32_t number = 0;
    for (size_t d = i + length; d < line.length && wb_is_digit(line.text[d]) && number < 1000; d++)
      number = number * 10 + (uint32_t)(line.text[d] - '0');
    return number;
  }
  return 0;
}

static void note_architecture(struct wb_sass_parser *parser, struct wb_sass_piece line,
                              const char *mark)
{
  const uint32_t sm = architecture(line, mark);
  if (sm > 0)
    parser->sm = sm;
}

static bool leave(struct wb_sass_parser *parser)
{
  const bool finished = (parser->place != WB_SASS_CODE || wb_sass_finish_function(parser)) &&
                        (parser->place != WB_SASS_INFO || wb_sass_next_attribute(parser)) &&
                        (parser->place != WB_SASS_COUNTS || wb_sass_next_count(parser));
  parser->place = WB_SASS_OUTSIDE;
  return finished;
}

/* `.headerflags @"EF_CUDA_SM52 ..."` or `.target sm_120`: of the function whose heading was
 * the last, or of another module. */
static bool module_head(struct wb_sass_parser *parser, struct wb_sass_piece line, const char *mark)
{
  if (parser->statement_count > 0 && !leave(parser))
    return false;
  note_architecture(parser, line, mark);
  parser->old_head = wb_sass_begins(line, ".headerflags");
  return true;
}

static void note_format(struct wb_sass_parser *parser, const char *format)
{
  if (parser->code->format[0] == '\0')
    snprintf(parser->code->format, sizeof parser->code->format, "%s", format);
}

/* `.section .text.NAME,"ax",@progbits` */
static bool section(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  struct wb_sass_piece name = after(line, strlen(".section"));
  const char *comma = name.length > 0 ? memchr(name.text, ',', name.length) : NULL;
  if (comma != NULL)
    name = wb_sass_trim(name.text, comma);
  if (!leave(parser))
    return false;
  note_format(parser, "nvdisasm");
  if (wb_sass_begins(name, ".text.")) {
    const struct wb_sass_piece function = after(name, strlen(".text."));
    const bool begun = wb_sass_begin_function(parser, wb_sass_column(parser, function), function);
    parser->sectioned = true;
    return begun;
  }
  if (wb_sass_begins(name, ".nv.constant2."))
    return wb_sass_begin_constants(parser, after(name, strlen(".nv.constant2.")));
  if (wb_sass_begins(name, ".nv.info.")) {
    wb_sass_begin_info(parser, after(name, strlen(".nv.info.")));
    return true;
  }
  if (wb_sass_equal(name, ".nv.info")) {
    wb_sass_begin_counts(parser);
    return true;
  }
  if (wb_sass_begins(name, ".nv.shared."))
    return wb_sass_begin_shared(parser, after(name, strlen(".nv.shared.")));
  parser->place = WB_SASS_DATA;
  return true;
}

/* `.type NAME,@function` and `.other NAME,@"STO_CUDA_ENTRY STV_DEFAULT"`: of the two, a
 * device function has the first alone. */
static void note_kind(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  static const char entry[] = "STO_CUDA_ENTRY";
  const char *comma = rest.length > 0 ? memchr(rest.text, ',', rest.length) : NULL;
  if (comma == NULL || !wb_sass_same(wb_sass_trim(rest.text, comma), parser->name))
    return;
  const size_t length = rest.length - (size_t)(comma - rest.text);
  for (size_t i = 0; i + strlen(entry) <= length; i++)
    parser->kernel_head |= memcmp(comma + i, entry, strlen(entry)) == 0;
  parser->device_head = !parser->kernel_head;
}

/* A line whose only word ends with a colon. */
static bool is_label(struct wb_sass_piece line)
{
  if (line.length < 2 || line.text[line.length - 1] != ':')
    return false;
  for (size_t i = 0; i < line.length; i++)
    if (wb_is_blank(line.text[i]))
      return false;
  return true;
}

static bool label(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  if (parser->place != WB_SASS_CODE)
    return true;
  return wb_sass_printable(parser, wb_sass_column(parser, line), line) &&
         wb_sass_add_label(parser, (struct wb_sass_piece){line.text, line.length - 1},
                           parser->statement_count);
}

/* Whether a line has a word in it. */
static bool contains(struct wb_sass_piece line, const char *word)
{
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= line.length; i++) {
    if (memcmp(line.text + i, word, length) == 0)
      return true;
  }
  return false;
}

/* The dots that end a function of cuobjdump. */
static bool is_dots(struct wb_sass_piece line)
{
  for (size_t i = 0; i < line.length; i++)
    if (line.text[i] != '.')
      return false;
  return line.length >= 4;
}

/* A line that begins with a dot. */
static bool directive(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  if (is_dots(line))
    return leave(parser);
  if (is_label(line))
    return label(parser, line);
  if (wb_sass_begins(line, ".section\t") || wb_sass_begins(line, ".section "))
    return section(parser, line);
  if (wb_sass_begins(line, ".headerflags"))
    return module_head(parser, line, "EF_CUDA_SM");
  if (wb_sass_begins(line, ".target"))
    return module_head(parser, line, "sm_");
  if (wb_sass_begins(line, ".other") || wb_sass_begins(line, ".type\t") ||
      wb_sass_begins(line, ".type ")) {
    if (parser->place == WB_SASS_CODE)
      note_kind(parser, after(line, wb_sass_begins(line, ".other") ? 6 : 5));
  } else if (wb_sass_begins(line, ".zero") && parser->place == WB_SASS_CONSTANTS) {
    return wb_sass_constant_line(parser, line);
  } else if (wb_sass_begins(line, ".zero") && parser->place == WB_SASS_SHARED) {
    wb_sass_shared_line(parser, line);
  } else if (wb_sass_begins(line, ".section") && parser->place == WB_SASS_CODE) {
    wb_sass_head_line(parser, line);
  } else if (wb_sass_begins(line, ".elftype")) {
    parser->relocatable = contains(line, "ET_REL");
    note_format(parser, "nvdisasm");
  }
  return true;
}

/* A line that begins with a comment: an address, or an encoding. */
static bool comment_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  struct wb_sass_piece rest = line;
  struct wb_sass_piece comment;
  uint64_t value = 0;
  if (parser->place == WB_SASS_DATA)
    return true;
  if (!wb_sass_comment(&rest, &comment))
    return parser->place == WB_SASS_INFO || parser->place == WB_SASS_COUNTS ||
           wb_sass_expected(parser, parser->line, parser->line_start, line,
                            "a comment that ends in its line");
  if (parser->place == WB_SASS_INFO)
    return wb_sass_attribute_line(parser, wb_sass_trim(rest.text, rest.text + rest.length));
  if (parser->place == WB_SASS_COUNTS) {
    wb_sass_count_line(parser, wb_sass_trim(rest.text, rest.text + rest.length));
    return true;
  }
  const bool encoding = wb_sass_begins(comment, "0x");
  if (encoding)
    comment = after(comment, 2);
  if (!wb_sass_hexadecimal(comment, &value))
    return wb_sass_expected(parser, parser->line, parser->line_start, line,
                            "an address such as /*0008*/ or an encoding");
  rest = wb_sass_trim(rest.text, rest.text + rest.length);
  if (parser->place == WB_SASS_CONSTANTS)
    return wb_sass_constant_line(parser, rest);
  if (parser->place == WB_SASS_OUTSIDE)
    return wb_sass_expected(parser, parser->line, parser->line_start, line,
                            "the heading of a function before its instructions");
  if (!encoding) {
    parser->chain = false;
    return wb_sass_instruction_line(parser, value, rest);
  }
  if (rest.length > 0)
    return wb_sass_expected(parser, parser->line, parser->line_start, rest,
                            "the end of the line after an encoding");
  return wb_sass_encoding_line(parser, value, line);
}

/* A heading of cuobjdump, or a line of its preamble. */
static bool heading(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  if (wb_sass_begins(line, "Function :")) {
    note_format(parser, "cuobjdump");
    const struct wb_sass_piece function = after(line, strlen("Function :"));
    return leave(parser) &&
           wb_sass_begin_function(parser, wb_sass_column(parser, function), function);
  }
  if (wb_sass_begins(line, "code for sm_")) {
    note_format(parser, "cuobjdump");
    if (!leave(parser))
      return false;
    note_architecture(parser, line, "sm_");
    return true;
  }
  if (wb_sass_begins(line, "Fatbin ")) {
    note_format(parser, "cuobjdump");
    return leave(parser);
  }
  if (is_label(line))
    return label(parser, line);
  return parser->place != WB_SASS_CODE ||
         wb_sass_expected(parser, parser->line, parser->line_start, line,
                          "an instruction, a label or a directive");
}

static bool read_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  if (line.length == 0)
    return true;
  if (wb_sass_begins(line, "/*"))
    return comment_line(parser, line);
  if (wb_sass_begins(line, "//## File") && parser->place == WB_SASS_CODE)
    return wb_sass_source_line(parser, line);
  if (wb_sass_begins(line, "//----- nvinfo") && parser->place == WB_SASS_INFO)
    return wb_sass_next_attribute(parser);
  if (wb_sass_begins(line, "//----- nvinfo") && parser->place == WB_SASS_COUNTS)
    return wb_sass_next_count(parser);
  if (wb_sass_begins(line, "//"))
    return true;
  return line.text[0] == '.' ? directive(parser, line) : heading(parser, line);
}

static bool next_line(struct wb_sass_parser *parser)
{
  if (parser->cursor == parser->end)
    return false;
  const size_t left = (size_t)(parser->end - parser->cursor);
  const char *newline = memchr(parser->cursor, '\n', left);
  parser->line++;
  parser->line_start = parser->cursor;
  parser->line_end = newline != NULL ? newline : parser->end;
  parser->cursor = newline != NULL ? newline + 1 : parser->end;
  return true;
}

/* A line without the columns of `nvdisasm -plr` and `-lrm`, which say what registers live there:
 * `// |  3 ^ :  | 1 v |`, and the table's rules `// +----+` above them. */
static struct wb_sass_piece without_columns(struct wb_sass_piece line)
{
  const char last = line.length > 0 ? line.text[line.length - 1] : '\0';
  if (last != '|' && last != '+')
    return line;
  for (size_t i = 0; i + 4 < line.length; i++) {
    const bool begins = i == 0 || wb_is_blank(line.text[i - 1]);
    if (begins && memcmp(line.text + i, "// ", 3) == 0 && line.text[i + 3] == last)
      return wb_sass_trim(line.text, line.text + i);
  }
  return line;
}

bool wb_sass_listing(struct wb_sass_parser *parser)
{
  while (next_line(parser))
    if (!read_line(parser, without_columns(wb_sass_trim(parser->line_start, parser->line_end))))
      return false;
  if (!leave(parser))
    return false;
  return parser->code->format[0] != '\0' ||
         wb_sass_error(parser, 1, 1,
                       "expected a listing of cuobjdump -sass or nvdisasm, found neither "
                       "'Function :' nor '.section .text.'");
}
