#include "frontend/ptx/ptx_front_end.h"

#include "base/memory.h"
#include "frontend/ptx/ptx_module.h"
#include "frontend/ptx/ptx_scanner.h"
#include "frontend/ptx/ptx_statement.h"
#include "model/code.h"

#include <assert.h>
#include <string.h>

/* Calls of an alias call the function that it stands for. */
static bool resolve_aliases(struct wb_ptx_parser *parser)
{
  const struct wb_code *code = parser->code;
  for (size_t f = 0; f < code->function_count && parser->aliased; f++) {
    const struct wb_function *function = &code->functions[f];
    for (size_t i = 0; i < function->instruction_count; i++) {
      struct wb_instruction *instruction = &function->instructions[i];
      if (instruction->callee == NULL)
        continue;
      const struct wb_ptx_symbol *symbol =
          wb_ptx_symbol(&parser->symbols, instruction->callee, strlen(instruction->callee));
      if (symbol == NULL)
        return wb_ptx_out_of_memory(parser);
      if (symbol->alias != NULL)
        instruction->callee = symbol->alias->name;
    }
  }
  return true;
}

static bool parse(struct wb_ptx_parser *parser, const char *name, const char *text, size_t length)
{
  parser->code->name = wb_copy_text(name, strlen(name));
  if (parser->code->name == NULL)
    return wb_ptx_out_of_memory(parser);
  struct wb_ptx_token start = {.line = 1, .column = 1};
  /* Lines, columns and indices are 32 bits wide. */
  if (length >= UINT32_MAX)
    return wb_ptx_error(parser, &start, "expected less than 4 GiB of PTX, found %zu bytes", length);
  wb_ptx_lexer_start(&parser->lexer, text, length);
  return wb_ptx_advance(parser) && wb_ptx_module(parser) && resolve_aliases(parser) &&
         wb_ptx_units_known(parser);
}

warpbound_status wb_ptx_parse(const char *name, const char *text, size_t length,
                              const struct wb_ptx_options *options, struct wb_code *code,
                              warpbound_error *error)
{
  warpbound_error ignored;
  *code = (struct wb_code){0};
  struct wb_ptx_parser parser = {
      .options = options,
      .code = code,
      .error = error != NULL ? error : &ignored,
      .status = WARPBOUND_OK,
      .symbols = {.names = &code->names},
  };
  bool parsed = parse(&parser, name != NULL ? name : "", text, length);
  wb_ptx_labels_free(&parser.labels);
  wb_ptx_symbols_free(&parser.symbols);
  wb_text_free(&parser.opcode);
  wb_text_free(&parser.unknown.names);
  if (!parsed)
    wb_code_free(code);
  assert(!parsed || wb_code_check(code) == NULL);
  return parser.status;
}
