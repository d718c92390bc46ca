/* Debug information: where instructions come from, and sections of DWARF data. */
#include "frontend/ptx/ptx_debug.h"

#include "base/memory.h"
#include "base/text/source_path.h"
#include "frontend/ptx/ptx_lexer.h"
#include "frontend/ptx/ptx_scanner.h"
#include "frontend/ptx/ptx_symbols.h"

#include <stdio.h>
#include <string.h>

/* A number that PTX can hold. */
static bool small_number(struct wb_ptx_parser *parser, const char *what, uint32_t *number)
{
  if (parser->token.kind == WB_PTX_INTEGER && parser->token.value > UINT32_MAX)
    return wb_ptx_error(parser, &parser->token, "expected %s up to 4294967295, found more", what);
  *number = (uint32_t)parser->token.value;
  return wb_ptx_expect(parser, WB_PTX_INTEGER, what);
}

/* The index of a file number in code->files. A .file may come after the .loc
 * that use its number, so the first use makes the place, under a stand-in name. */
static bool file_index(struct wb_ptx_parser *parser, uint32_t number, uint32_t *index)
{
  char name[24];
  int digits = snprintf(name, sizeof name, "%lu", (unsigned long)number);
  struct wb_ptx_symbol *symbol = wb_ptx_symbol(&parser->symbols, name, (size_t)digits);
  if (symbol == NULL)
    return wb_ptx_out_of_memory(parser);
  if (symbol->file == 0) {
    struct wb_code *code = parser->code;
    bool grown = wb_grow(code->files, &parser->file_capacity, code->file_count + 1);
    int length = snprintf(name, sizeof name, "file %lu", (unsigned long)number);
    const char *copy = wb_name_pool_copy(parser->symbols.names, name, (size_t)length);
    if (!grown || copy == NULL)
      return wb_ptx_out_of_memory(parser);
    code->files[code->file_count++] = copy;
    symbol->file = (uint32_t)code->file_count;
  }
  *index = symbol->file - 1;
  return true;
}

bool wb_ptx_file(struct wb_ptx_parser *parser)
{
  uint32_t number = 0;
  uint32_t index = 0;
  if (!wb_ptx_advance(parser) || !small_number(parser, "the number of a file", &number) ||
      !file_index(parser, number, &index))
    return false;
  if (parser->token.kind == WB_PTX_STRING) {
    const char *path = parser->token.text + 1;
    const size_t length = parser->token.length - 2;
    const size_t start = wb_source_path_start(path, length);
    const char *name = wb_name_pool_copy(parser->symbols.names, path + start, length - start);
    if (name == NULL)
      return wb_ptx_out_of_memory(parser);
    parser->code->files[index] = name;
  }
  if (!wb_ptx_expect(parser, WB_PTX_STRING, "the name of a file"))
    return false;
  bool more; /* a time stamp and a size may follow */
  for (int i = 0; i < 2; i++) {
    if (!wb_ptx_accept(parser, ',', &more))
      return false;
    if (!more)
      return true;
    if (!wb_ptx_expect(parser, WB_PTX_INTEGER, "a number"))
      return false;
  }
  return true;
}

/* The words after a comma of .loc: `function_name LABEL`, `inlined_at 1 2 3`. */
static bool location_word(struct wb_ptx_parser *parser)
{
  bool more;
  if (wb_ptx_token_is(&parser->token, "function_name")) {
    if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, WB_PTX_WORD, "a label") ||
        !wb_ptx_accept(parser, '+', &more))
      return false;
    return !more || wb_ptx_expect(parser, WB_PTX_INTEGER, "a number");
  }
  if (wb_ptx_token_is(&parser->token, "inlined_at"))
    return wb_ptx_advance(parser) && wb_ptx_expect(parser, WB_PTX_INTEGER, "a file number") &&
           wb_ptx_expect(parser, WB_PTX_INTEGER, "a line") &&
           wb_ptx_expect(parser, WB_PTX_INTEGER, "a column");
  return wb_ptx_expected(parser, "function_name or inlined_at");
}

bool wb_ptx_location(struct wb_ptx_parser *parser)
{
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t index = 0;
  if (!wb_ptx_advance(parser) || !small_number(parser, "the number of a file", &file) ||
      !small_number(parser, "a line", &line) ||
      !wb_ptx_expect(parser, WB_PTX_INTEGER, "a column") || !file_index(parser, file, &index))
    return false;
  parser->source_file = index + 1;
  parser->source_line = line;
  bool more;
  if (!wb_ptx_accept(parser, ',', &more))
    return false;
  while (more)
    if (!location_word(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  return true;
}

bool wb_ptx_intermediate_location(struct wb_ptx_parser *parser)
{
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, WB_PTX_INTEGER, "the number of a file") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a line") &&
         wb_ptx_expect(parser, WB_PTX_INTEGER, "a column");
}

/* `.name: value` of a code block. */
static bool code_property(struct wb_ptx_parser *parser, int kind, const char *what)
{
  return wb_ptx_advance(parser) && wb_ptx_expect(parser, ':', "':'") &&
         wb_ptx_expect(parser, kind, what);
}

/* The text of another language, which ends where a line says so. */
static bool code_source(struct wb_ptx_parser *parser)
{
  wb_ptx_lexer_skip_to(&parser->lexer, ".source_end");
  if (!wb_ptx_advance(parser))
    return false;
  if (!wb_ptx_at_directive(parser, ".source_end"))
    return wb_ptx_expected(parser, ".source_end");
  return wb_ptx_advance(parser);
}

/* `.code_block { .ir_name: "x" .sourceFileName: 2 .source_begin ... .source_end }` */
static bool code_block(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_at_directive(parser, ".code_block"))
    return wb_ptx_expected(parser, ".code_block or '}'");
  if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, '{', "'{'"))
    return false;
  while (parser->token.kind != '}') {
    bool read;
    if (wb_ptx_at_directive(parser, ".ir_name"))
      read = code_property(parser, WB_PTX_STRING, "a string");
    else if (wb_ptx_at_directive(parser, ".sourceFileName"))
      read = code_property(parser, WB_PTX_INTEGER, "the number of a file");
    else if (wb_ptx_at_directive(parser, ".source_begin"))
      read = code_source(parser);
    else
      read = wb_ptx_expected(parser, ".ir_name, .sourceFileName, .source_begin or '}'");
    if (!read)
      return false;
  }
  return wb_ptx_advance(parser);
}

bool wb_ptx_intermediate_source(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser) || !wb_ptx_expect(parser, '{', "'{'"))
    return false;
  while (parser->token.kind != '}')
    if (!code_block(parser))
      return false;
  return wb_ptx_advance(parser);
}

/* One datum: a number, a label, a section, or one of these plus or minus another. */
static bool datum(struct wb_ptx_parser *parser)
{
  bool more;
  if (!wb_ptx_accept(parser, '-', &more))
    return false;
  do {
    int kind = parser->token.kind;
    if (kind != WB_PTX_INTEGER && kind != WB_PTX_WORD && kind != WB_PTX_DIRECTIVE)
      return wb_ptx_expected(parser, "a number, a label or a section");
    if (!wb_ptx_advance(parser))
      return false;
    more = parser->token.kind == '+' || parser->token.kind == '-';
    if (more && !wb_ptx_advance(parser))
      return false;
  } while (more);
  return true;
}

static bool data_list(struct wb_ptx_parser *parser)
{
  bool more = true;
  while (more)
    if (!datum(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  return true;
}

/* `.b8 1, 2`, or a label. */
static bool section_line(struct wb_ptx_parser *parser)
{
  if (parser->token.kind == WB_PTX_WORD)
    return wb_ptx_advance(parser) && wb_ptx_expect(parser, ':', "':'");
  if (wb_ptx_at_directive(parser, ".b8") || wb_ptx_at_directive(parser, ".b16") ||
      wb_ptx_at_directive(parser, ".b32") || wb_ptx_at_directive(parser, ".b64"))
    return wb_ptx_advance(parser) && data_list(parser);
  return wb_ptx_expected(parser, "debug data (.b8, .b16, .b32, .b64), a label or '}'");
}

bool wb_ptx_section(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  if (parser->token.kind != WB_PTX_DIRECTIVE && parser->token.kind != WB_PTX_WORD)
    return wb_ptx_expected(parser, "the name of a section");
  if (!wb_ptx_advance(parser))
    return false;
  /* A name may have several dots. */
  while (parser->token.kind == WB_PTX_DIRECTIVE && parser->token.text == parser->previous_end)
    if (!wb_ptx_advance(parser))
      return false;
  if (!wb_ptx_expect(parser, '{', "'{'"))
    return false;
  while (parser->token.kind != '}')
    if (!section_line(parser))
      return false;
  return wb_ptx_advance(parser);
}

/* `.section .debug_info, "", @progbits`: the words after the directive. */
static bool old_section(struct wb_ptx_parser *parser)
{
  bool more = true;
  bool marked;
  while (more) {
    if (!wb_ptx_accept(parser, '@', &marked))
      return false;
    int kind = parser->token.kind;
    if (kind != WB_PTX_DIRECTIVE && kind != WB_PTX_STRING && kind != WB_PTX_WORD)
      return wb_ptx_expected(parser, "a section, a string or a flag");
    if (!wb_ptx_advance(parser) || !wb_ptx_accept(parser, ',', &more))
      return false;
  }
  return true;
}

bool wb_ptx_old_dwarf(struct wb_ptx_parser *parser)
{
  if (!wb_ptx_advance(parser))
    return false;
  if (!wb_ptx_token_is(&parser->token, "DWARF"))
    return wb_ptx_expected(parser, "DWARF");
  if (!wb_ptx_advance(parser))
    return false;
  if (wb_ptx_at_directive(parser, ".section"))
    return wb_ptx_advance(parser) && old_section(parser);
  if (wb_ptx_at_directive(parser, ".byte") || wb_ptx_at_directive(parser, ".2byte") ||
      wb_ptx_at_directive(parser, ".4byte") || wb_ptx_at_directive(parser, ".quad"))
    return wb_ptx_advance(parser) && data_list(parser);
  return wb_ptx_expected(parser, ".section, .byte, .4byte or .quad");
}
