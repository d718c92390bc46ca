/* A listing line by line: headings, sections, labels, instructions with their control information,
 * source lines. */
#include "base/memory.h"
#include "base/text/source_path.h"
#include "frontend/sass/sass_parser.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One to sixteen hexadecimal digits and nothing else. */
static bool hexadecimal(struct wb_sass_piece piece, uint64_t *value)
{
  *value = 0;
  for (size_t i = 0; i < piece.length; i++) {
    const unsigned digit = wb_digit_value(piece.text[i]);
    if (digit == 16)
      return false;
    *value = *value << 4 | digit;
  }
  return piece.length >= 1 && piece.length <= 16;
}

/* Takes the comment that a text begins with, trimmed. False where it begins with none that ends. */
static bool take_comment(struct wb_sass_piece *text, struct wb_sass_piece *comment)
{
  const char *end = text->text + text->length;
  const char *close = text->text + 2;
  if (!wb_sass_begins(*text, "/*"))
    return false;
  while (end - close >= 2 && (close[0] != '*' || close[1] != '/'))
    close++;
  if (end - close < 2)
    return false;
  *comment = wb_sass_trim(text->text + 2, close);
  *text = wb_sass_trim(close + 2, end);
  return true;
}

/* The part of a piece after the first `mark`; empty where there is none. */
static struct wb_sass_piece after_mark(struct wb_sass_piece piece, const char *mark)
{
  const size_t length = strlen(mark);
  for (size_t i = 0; i + length <= piece.length; i++)
    if (memcmp(piece.text + i, mark, length) == 0)
      return (struct wb_sass_piece){piece.text + i + length, piece.length - i - length};
  return (struct wb_sass_piece){piece.text + piece.length, 0};
}

/* The number after a mark of the line, below 2^32; false where there is none. */
static bool number_after(struct wb_sass_piece line, const char *mark, uint32_t *number)
{
  const struct wb_sass_piece rest = after_mark(line, mark);
  size_t d = 0;
  uint32_t value = 0;
  for (; d < rest.length && wb_is_digit(rest.text[d]) && value < UINT32_MAX / 10; d++)
    value = value * 10 + (uint32_t)(rest.text[d] - '0');
  const bool read = d > 0 && (d == rest.length || !wb_is_digit(rest.text[d]));
  if (read)
    *number = value;
  return read;
}

/* ---- control information: stalls, barriers and yields ----
 *
 * Maxwell and Pascal: a control word at each multiple of 0x20 serves the three instructions
 * after it, 21 bits each. Volta and later: bits 105 to 125 of each instruction. Both hold,
 * from the lowest bit:
 *   0-3 stall   4 no yield   5-7 write barrier   8-10 read barrier   11-16 wait mask   17-20 reuse
 */

#define SLOT_BITS 21
#define SLOT_MASK ((UINT64_C(1) << SLOT_BITS) - 1)
#define FIRST_HIGH_BIT (105 - 64)

/* Instructions that one control word stands before, itself included, in bytes. */
#define BUNDLE 0x20U

/* Sets the control information of a statement from the last control word, where that covers it. */
static void control_from_word(const struct wb_sass_parser *parser,
                              struct wb_sass_statement *statement)
{
  const uint32_t offset = statement->address - parser->control_block;
  /* Kepler's control words are other ones. */
  const bool known = parser->sm == 0 || parser->sm >= 50;
  if (!parser->has_control_word || !known || offset == 0 || offset >= BUNDLE || offset % 8 != 0)
    return;
  const unsigned slot = offset / 8 - 1;
  statement->control = wb_sass_control(parser->control_word >> (SLOT_BITS * slot) & SLOT_MASK);
  statement->has_control = true;
}

/* Reads a line that is an encoding alone: a control word, the high half of the last instruction, or
 * the encoding of the second of a pair, which stands a line late. */
static bool encoding_line(struct wb_sass_parser *parser, uint64_t encoding,
                          struct wb_sass_piece line)
{
  struct wb_sass_statement *last =
      parser->statement_count > 0 ? &parser->statements[parser->statement_count - 1] : NULL;
  const bool wide = parser->sm > 0 ? parser->sm >= 70 : !parser->eights;
  if (last != NULL && last->encoding_count == 0) {
    last->encoding[0] = encoding;
    last->encoding_count = 1;
    return true;
  }
  if (wide && last != NULL && last->encoding_count == 1) {
    last->encoding[1] = encoding;
    last->encoding_count = 2;
    last->control = wb_sass_control(encoding >> FIRST_HIGH_BIT & SLOT_MASK);
    last->has_control = true;
    return true;
  }
  parser->control_block = last != NULL ? last->address + 8 : 0;
  if (parser->control_block % BUNDLE != 0 || (wide && (last != NULL || parser->sm > 0)))
    return wb_sass_expected(parser, line, "an instruction");
  parser->control_word = encoding;
  parser->has_control_word = true;
  return true;
}

/* The digits of "&req={0,1}" as bits. */
static uint8_t mask_of(struct wb_sass_piece word)
{
  unsigned mask = 0;
  for (size_t i = 0; i < word.length && word.text[i] != '}'; i++)
    if (word.text[i] >= '0' && word.text[i] <= '5')
      mask |= 1U << (word.text[i] - '0');
  return (uint8_t)mask;
}

/* Reads an attribute: the barrier of "&wr=0x1" or "&rd=sb1", the barriers of "&req={0,1}", the
 * operands of "&reuse={0}", the stall of "?trans5" (the warp goes on) or "?WAIT5_END_GROUP" (others
 * may have their turn). True: a stall. */
static bool read_attribute(struct wb_sass_piece word, struct wb_control_word *control)
{
  const char last = word.text[word.length - 1];
  const bool barrier = word.length > 4 && last >= '0' && last <= '6';
  if (wb_sass_begins(word, "&req={"))
    control->wait_mask = mask_of(word);
  else if (wb_sass_begins(word, "&reuse={"))
    control->reuse = mask_of(word) & 15;
  else if (barrier && wb_sass_begins(word, "&wr="))
    control->write_barrier = (uint8_t)(last - '0');
  else if (barrier && wb_sass_begins(word, "&rd="))
    control->read_barrier = (uint8_t)(last - '0');
  const bool wait = wb_sass_begins(word, "?WAIT");
  if (!wait && !wb_sass_begins(word, "?trans"))
    return false;
  unsigned stall = 0;
  for (size_t i = wait ? 5 : 6; i < word.length && wb_is_digit(word.text[i]); i++)
    stall = stall > 15 ? 15 : stall * 10 + (unsigned)(word.text[i] - '0');
  control->stall = (uint8_t)(stall > 15 ? 15 : stall);
  control->yield = wait;
  return true;
}

/* Sets a statement's control information from attributes such as "&wr=0x0 ?trans1", where these say
 * a stall. */
static void control_from_attributes(struct wb_sass_statement *statement,
                                    struct wb_sass_piece attributes)
{
  struct wb_control_word control = {.write_barrier = 7, .read_barrier = 7};
  const char *end = attributes.text + attributes.length;
  for (const char *p = attributes.text; p < end;) {
    const char *start = p;
    bool list = false;
    for (; p < end && (list || !wb_is_blank(*p)); p++)
      list = *p == '{' || (list && *p != '}');
    if (p > start && read_attribute((struct wb_sass_piece){start, (size_t)(p - start)}, &control))
      statement->has_control = true;
    while (p < end && wb_is_blank(*p))
      p++;
  }
  if (statement->has_control)
    statement->control = control;
}

/* ---- a line of code: guard, opcode, operands, annotation, encoding ---- */

/* The line being read, as far as it is left. */
struct reading {
  struct wb_sass_parser *parser;
  struct wb_sass_statement *statement;
  struct wb_sass_piece left; /* without blanks around it */
  struct wb_sass_piece attributes;
};

static bool expected(const struct reading *reading, const char *what)
{
  return wb_sass_expected(reading->parser, reading->left, what);
}

static bool at(const struct reading *reading, const char *text)
{
  return wb_sass_begins(reading->left, text);
}

/* Takes what is left up to a place in it. */
static struct wb_sass_piece take_to(struct reading *reading, const char *place)
{
  const char *start = reading->left.text;
  reading->left = wb_sass_after(reading->left, (size_t)(place - start));
  return (struct wb_sass_piece){start, (size_t)(place - start)};
}

/* Takes what is left up to a blank or one of a few marks. */
static struct wb_sass_piece take_word(struct reading *reading, const char *marks)
{
  const char *p = reading->left.text;
  const char *end = p + reading->left.length;
  while (p < end && !wb_is_blank(*p) && (*p == '\0' || strchr(marks, *p) == NULL))
    p++;
  return take_to(reading, p);
}

/* Takes an encoding, where one is next. */
static bool take_encoding(struct reading *reading)
{
  struct wb_sass_piece comment;
  struct wb_sass_piece rest = reading->left;
  if (!at(reading, "/*"))
    return true;
  if (!take_comment(&rest, &comment) || !wb_sass_begins(comment, "0x") ||
      !hexadecimal((struct wb_sass_piece){comment.text + 2, comment.length - 2},
                   &reading->statement->encoding[0]))
    return expected(reading, "an encoding such as /* 0x4c98078000870001 */");
  reading->statement->encoding_count = 1;
  reading->left = rest;
  return true;
}

static bool take_guard_and_opcode(struct reading *reading)
{
  struct wb_sass_statement *statement = reading->statement;
  if (at(reading, "{")) {
    if (reading->parser->brace)
      return expected(reading, "the end of the pair that '{' began before the next one");
    reading->parser->brace = true;
    statement->opens = true;
    take_to(reading, reading->left.text + 1);
  }
  if (at(reading, "@")) {
    const struct wb_sass_piece word = take_word(reading, ";");
    statement->guard = (struct wb_sass_piece){word.text + 1, word.length - 1};
  }
  const char first = reading->left.length > 0 ? reading->left.text[0] : '\0';
  if (first < 'A' || first > 'Z')
    return expected(reading, "an opcode");
  statement->opcode = take_word(reading, ";,}");
  return true;
}

/* Takes the operands, to the mark after them. A symbol may hold any character but a
 * parenthesis, so that marks count outside parentheses only. */
static void take_operands(struct reading *reading)
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
      if ((*p == '&' || *p == '?') && (p == start || wb_is_blank(p[-1])))
        break;
      braces += *p == '{';
      braces -= *p == '}';
    }
    if (*p == '(')
      parentheses++;
    else if (*p == ')' && parentheses > 0)
      parentheses--;
  }
  take_to(reading, p);
  reading->statement->operands = wb_sass_trim(start, p);
}

/* Takes `(*"BRANCH_TARGETS .L_x_1"*)`, where it is next. */
static bool take_annotation(struct reading *reading)
{
  const struct wb_sass_piece start = reading->left;
  size_t end = 2;
  if (!at(reading, "(*"))
    return true;
  while (end + 1 < start.length && (start.text[end] != '*' || start.text[end + 1] != ')'))
    end++;
  if (end + 1 >= start.length)
    return expected(reading, "an annotation that ends with *)");
  struct wb_sass_piece text = wb_sass_trim(start.text + 2, start.text + end);
  if (text.length >= 2 && text.text[0] == '"' && text.text[text.length - 1] == '"')
    text = (struct wb_sass_piece){text.text + 1, text.length - 2};
  reading->statement->annotation = text;
  take_to(reading, start.text + end + 2);
  return true;
}

/* Takes the scheduling attributes of nvdisasm for sm_100 and later, or of `disassemble --control`,
 * to the annotation or the end mark after them. */
static void take_attributes(struct reading *reading)
{
  const char *p = reading->left.text;
  const char *end = p + reading->left.length;
  if (!at(reading, "&") && !at(reading, "?"))
    return;
  bool list = false;
  while (p < end && *p != ';' && (*p != '}' || list) && (end - p < 2 || memcmp(p, "(*", 2) != 0)) {
    list = *p == '{' || (list && *p != '}');
    p++;
  }
  reading->attributes = take_to(reading, p);
}

/* Takes `;`, or the brace that ends a pair. */
static bool take_end(struct reading *reading)
{
  const bool ended = at(reading, ";");
  if (ended)
    take_to(reading, reading->left.text + 1);
  if (!at(reading, "}"))
    return ended || expected(reading, "';' or '}' after the operands");
  if (!reading->parser->brace || reading->statement->opens)
    return expected(reading, "a '{' before the end of a pair");
  reading->parser->brace = false;
  take_to(reading, reading->left.text + 1);
  return true;
}

static bool read_statement(struct reading *reading)
{
  if (!take_encoding(reading) || !take_guard_and_opcode(reading))
    return false;
  take_operands(reading);
  if (!take_annotation(reading))
    return false;
  take_attributes(reading);
  if (!take_annotation(reading) || !take_end(reading) || !take_encoding(reading))
    return false;
  return reading->left.length == 0 || at(reading, "//") ||
         expected(reading, "an encoding or the end of the line");
}

/* Addresses ascend. */
static bool check_address(struct wb_sass_parser *parser, uint64_t address)
{
  const size_t count = parser->statement_count;
  const uint32_t last = count > 0 ? parser->statements[count - 1].address : 0;
  if (address <= UINT32_MAX && (count == 0 || address > last))
    return true;
  const size_t column = wb_sass_column(parser, wb_sass_trim(parser->line_start, parser->line_end));
  if (address > UINT32_MAX)
    return wb_sass_error(parser, parser->line, column,
                         "expected an address below 4 GiB, found 0x%" PRIx64, address);
  return wb_sass_error(parser, parser->line, column,
                       "expected an address above 0x%04x, found 0x%04" PRIx64, (unsigned)last,
                       address);
}

/* Reads a line of code, whose address was taken: `rest` is what follows it. Adds a statement. */
static bool instruction_line(struct wb_sass_parser *parser, uint64_t address,
                             struct wb_sass_piece rest)
{
  if (!check_address(parser, address) ||
      !wb_sass_printable(parser, wb_sass_column(parser, rest), rest))
    return false;
  if (!wb_grow(parser->statements, &parser->statement_capacity, parser->statement_count + 1))
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
  if (!read_statement(&reading))
    return false;
  control_from_attributes(made, reading.attributes);
  control_from_word(parser, made);
  parser->eights |= address % 16 == 8;
  parser->statement_count++;
  return true;
}

/* ---- line information, as comments of nvdisasm have it ---- */

/* Reads `//## File "a.cu", line 3 inlined at ...`: the instructions that follow are from there. Of
 * a chain of inlined places the first is where the instruction comes from, and each line but the
 * last says `inlined at`. */
static bool source_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  static const char mark[] = "\", line ";
  const struct wb_sass_piece from_name = after_mark(line, "\"");
  const struct wb_sass_piece from_line = after_mark(from_name, mark);
  const bool continued = parser->chain;
  uint32_t number = 0;
  size_t digits = 0;
  for (;
       digits < from_line.length && wb_is_digit(from_line.text[digits]) && number < UINT32_MAX / 10;
       digits++)
    number = number * 10 + (uint32_t)(from_line.text[digits] - '0');
  const size_t length = digits > 0 ? from_name.length - from_line.length - strlen(mark) : 0;
  const size_t start = wb_source_path_start(from_name.text, length);
  const struct wb_sass_piece name = {from_name.text + start, length - start};
  if (digits == 0 || wb_sass_has_controls(name))
    return wb_sass_expected(parser, line, "line information such as //## File \"a.cu\", line 3");
  parser->chain = after_mark(from_line, "inlined at").length > 0;
  if (continued)
    return true;
  parser->source_line = number;
  return wb_sass_file_index(parser, name, &parser->source_file);
}

/* ---- headings, sections and labels ---- */

/* Ends the section whose lines were read. */
static bool leave(struct wb_sass_parser *parser)
{
  const enum wb_sass_place place = parser->place;
  parser->place = WB_SASS_OUTSIDE;
  if (place == WB_SASS_CODE)
    return wb_sass_finish_function(parser);
  return place != WB_SASS_INFO || wb_sass_next_attribute(parser);
}

/* `.headerflags @"EF_CUDA_SM52 ..."` or `.target sm_120`: of the function whose heading was
 * the last, or of another module. */
static bool module_head(struct wb_sass_parser *parser, struct wb_sass_piece line, const char *mark)
{
  if (parser->statement_count > 0 && !leave(parser))
    return false;
  number_after(line, mark, &parser->sm);
  parser->old_head = wb_sass_begins(line, ".headerflags");
  /* Of cuobjdump each function has such a line; its modules begin by another one. */
  parser->module += strcmp(parser->code->format, "cuobjdump") != 0;
  return wb_sass_begin_module(parser);
}

static void note_format(struct wb_sass_parser *parser, const char *format)
{
  if (parser->code->format[0] == '\0')
    snprintf(parser->code->format, sizeof parser->code->format, "%s", format);
}

/* `.section .text.NAME,"ax",@progbits` */
static bool section(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  struct wb_sass_piece name = wb_sass_after(line, strlen(".section"));
  const char *comma = name.length > 0 ? memchr(name.text, ',', name.length) : NULL;
  if (comma != NULL)
    name = wb_sass_trim(name.text, comma);
  if (!leave(parser))
    return false;
  note_format(parser, "nvdisasm");
  if (wb_sass_begins(name, ".text.")) {
    const struct wb_sass_piece function = wb_sass_after(name, strlen(".text."));
    const bool begun = wb_sass_begin_function(parser, wb_sass_column(parser, function), function);
    parser->sectioned = true;
    return begun;
  }
  if (wb_sass_begins(name, ".nv.constant2."))
    return wb_sass_begin_constants(parser, wb_sass_after(name, strlen(".nv.constant2.")));
  if (wb_sass_equal(name, ".nv.constant4")) {
    parser->place = WB_SASS_ADDRESSES;
    return true;
  }
  parser->place = WB_SASS_DATA;
  if (wb_sass_begins(name, ".nv.info.")) {
    wb_sass_begin_info(parser, wb_sass_after(name, strlen(".nv.info.")), false);
  } else if (wb_sass_equal(name, ".nv.info")) {
    wb_sass_begin_info(parser, name, true);
  } else if (wb_sass_begins(name, ".nv.shared.")) {
    parser->place = WB_SASS_SHARED;
    return wb_sass_note(parser, wb_sass_after(name, strlen(".nv.shared.")), WB_SASS_SHARED_BYTES,
                        0);
  }
  return true;
}

/* `.type NAME,@function` and `.other NAME,@"STO_CUDA_ENTRY STV_DEFAULT"`: of the two, a
 * device function has the first alone. */
static void note_kind(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  const char *comma = rest.length > 0 ? memchr(rest.text, ',', rest.length) : NULL;
  if (comma == NULL || !wb_sass_same(wb_sass_trim(rest.text, comma), parser->name))
    return;
  const struct wb_sass_piece flags = {comma, rest.length - (size_t)(comma - rest.text)};
  parser->kernel_head |= wb_sass_contains(flags, "STO_CUDA_ENTRY");
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
      note_kind(parser, wb_sass_after(line, wb_sass_begins(line, ".other") ? 6 : 5));
  } else if (wb_sass_begins(line, ".zero") && parser->place == WB_SASS_CONSTANTS) {
    return wb_sass_constant_line(parser, line);
  } else if (wb_sass_begins(line, ".zero") && parser->place == WB_SASS_SHARED) {
    wb_sass_shared_line(parser, line);
  } else if (wb_sass_begins(line, ".section") && parser->place == WB_SASS_CODE) {
    /* `.sectioninfo @"SHI_REGISTERS=34"` or `.sectionflags @"SHF_BARRIERS=1"` */
    number_after(line, "SHI_REGISTERS=", &parser->registers);
    number_after(line, "SHF_BARRIERS=", &parser->barriers);
  } else if (wb_sass_begins(line, ".elftype")) {
    parser->relocatable = wb_sass_contains(line, "ET_REL");
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
  const bool ends = take_comment(&rest, &comment);
  if (parser->place == WB_SASS_INFO)
    return !ends || wb_sass_attribute_line(parser, rest);
  if (!ends)
    return wb_sass_expected(parser, line, "a comment that ends in its line");
  const bool encoding = wb_sass_begins(comment, "0x");
  if (encoding)
    comment = wb_sass_after(comment, 2);
  if (!hexadecimal(comment, &value))
    return wb_sass_expected(parser, line, "an address such as /*0008*/ or an encoding");
  if (parser->place == WB_SASS_CONSTANTS)
    return wb_sass_constant_line(parser, rest);
  if (parser->place == WB_SASS_ADDRESSES)
    return wb_sass_address_line(parser, value, rest);
  if (parser->place == WB_SASS_OUTSIDE)
    return wb_sass_expected(parser, line, "the heading of a function before its instructions");
  if (!encoding) {
    parser->chain = false;
    return instruction_line(parser, value, rest);
  }
  if (rest.length > 0)
    return wb_sass_expected(parser, rest, "the end of the line after an encoding");
  return encoding_line(parser, value, line);
}

/* A heading of cuobjdump, or a line of its preamble. */
static bool heading(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  const bool function = wb_sass_begins(line, "Function :");
  const bool module = wb_sass_begins(line, "code for sm_");
  if (function || module || wb_sass_begins(line, "Fatbin ")) {
    note_format(parser, "cuobjdump");
    if (!leave(parser))
      return false;
    if (module)
      number_after(line, "sm_", &parser->sm);
    parser->module += !function;
    const struct wb_sass_piece name = wb_sass_after(line, function ? strlen("Function :") : 0);
    return !function || wb_sass_begin_function(parser, wb_sass_column(parser, name), name);
  }
  if (is_label(line))
    return label(parser, line);
  return parser->place != WB_SASS_CODE ||
         wb_sass_expected(parser, line, "an instruction, a label or a directive");
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

static bool read_line(struct wb_sass_parser *parser)
{
  const struct wb_sass_piece line =
      without_columns(wb_sass_trim(parser->line_start, parser->line_end));
  if (line.length == 0)
    return true;
  if (wb_sass_begins(line, "/*"))
    return comment_line(parser, line);
  if (wb_sass_begins(line, "//## File") && parser->place == WB_SASS_CODE)
    return source_line(parser, line);
  if (wb_sass_begins(line, "//----- nvinfo") && parser->place == WB_SASS_INFO)
    return wb_sass_next_attribute(parser);
  if (wb_sass_begins(line, "//"))
    return true;
  return line.text[0] == '.' ? directive(parser, line) : heading(parser, line);
}

bool wb_sass_listing(struct wb_sass_parser *parser, const char *text, size_t length)
{
  const char *end = length > 0 ? text + length : text;
  for (const char *next = text; next < end;) {
    const char *newline = memchr(next, '\n', (size_t)(end - next));
    parser->line++;
    parser->line_start = next;
    parser->line_end = newline != NULL ? newline : end;
    next = newline != NULL ? newline + 1 : end;
    if (!read_line(parser))
      return false;
  }
  return leave(parser) &&
         (parser->code->format[0] != '\0' ||
          wb_sass_error(parser, 1, 1,
                        "expected a listing of cuobjdump -sass or nvdisasm, found neither "
                        "'Function :' nor '.section .text.'"));
}
