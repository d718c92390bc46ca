#include "frontend/sass/sass_front_end.h"

#include "base/memory.h"
#include "frontend/sass/sass_indexed_branches.h"
#include "frontend/sass/sass_kind.h"
#include "frontend/sass/sass_listing.h"
#include "frontend/sass/text/sass_attributes.h"
#include "frontend/sass/text/sass_resources.h"
#include "frontend/sass/text/sass_scanner.h"
#include "model/code.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool wb_sass_detect(const char *text, size_t length)
{
  static const char *const marks[] = {"Function :",       "code for sm_",    "Fatbin elf code:",
                                      ".section\t.text.", ".section .text.", ".headerflags"};
  const char *end = length > 0 ? text + length : text;
  while (text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const char *line_end = newline != NULL ? newline : end;
    const struct wb_sass_piece line = wb_sass_trim(text, line_end);
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++)
      if (wb_sass_begins(line, marks[m]))
        return true;
    text = newline != NULL ? newline + 1 : end;
  }
  return false;
}

bool wb_sass_begin(struct wb_sass_parser *parser, const char *name,
                   const struct wb_sass_options *options, struct wb_code *code,
                   warpbound_error *error)
{
  *code = (struct wb_code){.language = WB_LANGUAGE_SASS, .isa = "SASS"};
  *parser = (struct wb_sass_parser){
      .options = options,
      .code = code,
      .error = error,
      .status = WARPBOUND_OK,
  };
  code->name = wb_copy_text(name, strlen(name));
  return code->name != NULL || wb_sass_out_of_memory(parser);
}

static bool parse(struct wb_sass_parser *parser, const char *text, size_t length)
{
  /* Lines, columns and indices are 32 bits wide. */
  if (length >= UINT32_MAX)
    return wb_sass_error(parser, 1, 1, "expected less than 4 GiB of SASS, found %zu bytes", length);
  parser->cursor = text;
  parser->end = length > 0 ? text + length : text;
  return wb_sass_listing(parser);
}

warpbound_status wb_sass_parse(const char *name, const char *text, size_t length,
                               const struct wb_sass_options *options, struct wb_code *code,
                               warpbound_error *error)
{
  warpbound_error ignored;
  struct wb_sass_parser parser;
  const bool begun = wb_sass_begin(&parser, name != NULL ? name : "", options, code,
                                   error != NULL ? error : &ignored);
  return wb_sass_end(&parser, begun && parse(&parser, text, length));
}

/* What needs all of the code. */
static bool complete(struct wb_sass_parser *parser)
{
  if (!wb_sass_indexed_branches(parser) || !wb_sass_keep_attributes(parser))
    return false;
  wb_sass_keep_resources(parser);
  wb_sass_outside_calls(parser);
  return wb_sass_kinds(parser);
}

warpbound_status wb_sass_end(struct wb_sass_parser *parser, bool read)
{
  const bool completed = read && complete(parser);
  if (!completed)
    wb_code_free(parser->code);
  assert(!completed || wb_code_check(parser->code) == NULL);
  free(parser->statements);
  free(parser->labels);
  free(parser->sections);
  free(parser->attributes);
  free(parser->words);
  free(parser->facts);
  wb_text_free(&parser->info.bytes);
  wb_hash_table_free(&parser->file_table);
  free(parser->opcodes);
  wb_hash_table_free(&parser->opcode_table);
  wb_text_free(&parser->constants);
  return parser->status;
}
