#include "frontend/sass/text/sass_line.h"

#include "base/memory.h"
#include "frontend/sass/text/sass_control.h"
#include "frontend/sass/text/sass_scanner.h"

#include <inttypes.h>
#include <string.h>

/* The line being read, as far as it is left. */
struct reading {
  struct wb_sass_parser *parser;
  struct wb_sass_statement *statement;
  struct wb_sass_piece left;
  struct wb_sass_piece attributes; /* "&wr=0x0 ?trans1" */
};

static bool expected(const struct reading *reading, const char *what)
{
  return wb_sass_expected(reading->parser, reading->parser->line, reading->parser->line_start,
                          reading->left, what);
}

static void skip(struct reading *reading, size_t count)
{
  reading->left.text += count;
  reading->left.length -= count;
}

static void skip_blanks(struct reading *reading)
{
  reading->left = wb_sass_trim(reading->left.text, reading->left.text + reading->left.length);
}

static bool at(const struct reading *reading, const char *text)
{
  return wb_sass_begins(reading->left, text);
}

/* Takes what is left up to a blank or one of a few marks. */
static struct wb_sass_piece word(struct reading *reading, const char *marks)
{
  const char *text = reading->left.text;
  size_t length = 0;
  while (length < reading->left.length && !wb_is_blank(text[length]) &&
         (text[length] == '\0' || strchr(marks, text[length]) == NULL))
    length++;
  skip(reading, length);
  return (struct wb_sass_piece){text, length};
}

/* Takes an encoding, where one is next. */
static bool encoding(struct reading *reading)
{
  struct wb_sass_piece comment;
  struct wb_sass_piece rest = reading->left;
  skip_blanks(reading);
  if (!at(reading, "/*"))
    return true;
  rest = reading->left;
  if (!wb_sass_comment(&rest, &comment) || !wb_sass_begins(comment, "0x") ||
      !wb_sass_hexadecimal((struct wb_sass_piece){comment.text + 2, comment.length - 2},
                           &reading->statement->encoding[0]))
    return expected(reading, "an encoding such as /* 0x4c98078000870001 */");
  reading->statement->encoding_count = 1;
  reading->left = rest;
  skip_blanks(reading);
  return true;
}

static bool guard(struct reading *reading)
{
  if (at(reading, "{")) {
    if (reading->parser->brace)
      return expected(reading, "the end of the pair that '{' began before the next one");
    reading->parser->brace = true;
    reading->statement->opens = true;
    skip(reading, 1);
    skip_blanks(reading);
  }
  if (!at(reading, "@"))
    return true;
  skip(reading, 1);
  reading->statement->guard = word(reading, ";");
  skip_blanks(reading);
  return true;
}

static bool opcode(struct reading *reading)
{
  const char first = reading->left.length > 0 ? reading->left.text[0] : '\0';
  if (first < 'A' || first > 'Z')
    return expected(reading, "an opcode");
  reading->statement->opcode = word(reading, ";,}");
  return true;
}

/* Takes `(*"BRANCH_TARGETS .L_x_1"*)`. */
static bool annotation(struct reading *reading)
{
  const struct wb_sass_piece start = reading->left;
  size_t end = 2;
  while (end + 1 < start.length && (start.text[end] != '*' || start.text[end + 1] != ')'))
    end++;
  if (end + 1 >= start.length)
    return expected(reading, "an annotation that ends with *)");
  struct wb_sass_piece text = wb_sass_trim(start.text + 2, start.text + end);
  if (text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"')
    text = (struct wb_sass_piece){text.text + 1, text.length - 2};
  reading->statement->annotation = text;
  skip(reading, end + 2);
  return true;
}

/* Takes the operands, to the mark after them. A symbol may hold any character but a
 * parenthesis, so that marks count outside parentheses only. */
static void operands(struct reading *reading)
{
  const char *start = reading->left.text;
  const char *end = start + reading->left.length;
  const char *p = start;
  unsigned parentheses = 0;
  unsigned braces = 0;
  for (; p < end; p++) {
    if (parentheses == 0) {
      const bool mark = (*p == '(' || *p == '/') && end - p >= 2 && p[1] == '*';
      if (*p == ';' || (*p == '}' && braces == 0) || mark)
        break;
      if ((*p == '&' || *p == '?') && p > start && wb_is_blank(p[-1]))
        break;
      braces += *p == '{';
      braces -= *p == '}';
    }
    if (*p == '(')
      parentheses++;
    else if (*p == ')' && parentheses > 0)
      parentheses--;
  }
  reading->statement->operands = wb_sass_trim(start, p);
  skip(reading, (size_t)(p - start));
}

/* Takes the scheduling attributes of nvdisasm for sm_100 and later, to the annotation or the end
 * mark after them. */
static void attributes(struct reading *reading)
{
  if (!at(reading, "&") && !at(reading, "?"))
    return;
  const char *start = reading->left.text;
  const char *end = start + reading->left.length;
  const char *p = start;
  while (p < end && *p != ';' && (end - p < 2 || memcmp(p, "(*", 2) != 0))
    p++;
  reading->attributes = (struct wb_sass_piece){start, (size_t)(p - start)};
  skip(reading, (size_t)(p - start));
}

/* `;`, or the brace that ends a pair. */
static bool end_mark(struct reading *reading)
{
  bool ended = false;
  if (at(reading, ";")) {
    skip(reading, 1);
    skip_blanks(reading);
    ended = true;
  }
  if (!at(reading, "}"))
    return ended || expected(reading, "';' or '}' after the operands");
  if (!reading->parser->brace || reading->statement->opens)
    return expected(reading, "a '{' before the end of a pair");
  reading->parser->brace = false;
  skip(reading, 1);
  return true;
}

static bool statement(struct reading *reading)
{
  skip_blanks(reading);
  if (!encoding(reading) || !guard(reading) || !opcode(reading))
    return false;
  operands(reading);
  if (at(reading, "(*") && !annotation(reading))
    return false;
  skip_blanks(reading);
  attributes(reading);
  if (at(reading, "(*") && !annotation(reading))
    return false;
  skip_blanks(reading);
  if (!end_mark(reading) || !encoding(reading))
    return false;
  if (reading->left.length > 0 && !at(reading, "//"))
    return expected(reading, "an encoding or the end of the line");
  return true;
}

/* Addresses ascend. */
static bool check_address(struct wb_sass_parser *parser, uint64_t address)
{
  const size_t count = parser->statement_count;
  const uint32_t last = count > 0 ? parser->statements[count - 1].address : 0;
  if (address <= UINT32_MAX && (count == 0 || address > last))
    return true;
  const size_t column =
      (size_t)(wb_sass_trim(parser->line_start, parser->line_end).text - parser->line_start) + 1;
  if (address > UINT32_MAX)
    return wb_sass_error(parser, parser->line, column,
                         "expected an address below 4 GiB, found 0x%" PRIx64, address);
  return wb_sass_error(parser, parser->line, column,
                       "expected an address above 0x%04x, found 0x%04" PRIx64, (unsigned)last,
                       address);
}

bool wb_sass_instruction_line(struct wb_sass_parser *parser, uint64_t address,
                              struct wb_sass_piece rest)
{
  if (!check_address(parser, address) ||
      !wb_sass_printable(parser, wb_sass_column(parser, rest), rest))
    return false;
  const bool grown =
      wb_grow(parser->statements, &parser->statement_capacity, parser->statement_count + 1);
  if (!grown)
    return wb_sass_out_of_memory(parser);
  struct wb_sass_statement *made = &parser->statements[parser->statement_count];
  *made = (struct wb_sass_statement){
      .text = parser->line_start,
      .column = 1,
      .address = (uint32_t)address,
      .line = parser->line,
      .source_file = parser->source_file,
      .source_line = parser->source_line,
  };
  struct reading reading = {.parser = parser, .statement = made, .left = rest};
  if (!statement(&reading))
    return false;
  wb_sass_control_from_attributes(made, reading.attributes);
  wb_sass_control_from_word(parser, made);
  parser->eights |= address % 16 == 8;
  parser->statement_count++;
  return true;
}
