#include "frontend/sass/sass_function.h"

#include "base/memory.h"
#include "frontend/sass/sass_instruction.h"
#include "frontend/sass/text/sass_resources.h"
#include "frontend/sass/text/sass_scanner.h"
#include "frontend/sass/text/sass_target.h"

#include <inttypes.h>
#include <string.h>

/* Words of 64 or of 128 bits: the architecture says it, or the addresses. */
static enum wb_sass_family family_of(const struct wb_sass_parser *parser)
{
  if (parser->sm > 0)
    return parser->sm < 70 ? WB_SASS_64 : WB_SASS_128;
  return parser->eights ? WB_SASS_64 : WB_SASS_128;
}

/* Whether an instruction may stand at `address` where the last one ended at `last_end`: a
 * control word between them may be, at each multiple of 0x20 (Kepler: of 0x40, where the
 * listing's tool has them at all). */
static bool follows(const struct wb_sass_parser *parser, enum wb_sass_family family,
                    uint64_t last_end, uint64_t address)
{
  if (family == WB_SASS_128)
    return address == last_end;
  const bool kepler = parser->sm > 0 && parser->sm < 50;
  const bool control_word = last_end % (kepler ? 0x40 : 0x20) == 0;
  return address == last_end + (control_word ? 8 : 0) || (kepler && address == last_end);
}

/* No instruction is missing. */
static bool check_addresses(struct wb_sass_parser *parser, enum wb_sass_family family)
{
  const uint64_t size = family == WB_SASS_64 ? 8 : 16;
  uint64_t end = 0;
  for (size_t i = 0; i < parser->statement_count; i++) {
    const struct wb_sass_statement *statement = &parser->statements[i];
    if (!follows(parser, family, end, statement->address))
      return wb_sass_error(parser, statement->line, 1,
                           "expected the instruction at 0x%04" PRIx64
                           ", found the one at 0x%04x: lines "
                           "are missing, or the architecture is another one",
                           end, (unsigned)statement->address);
    end = statement->address + size;
  }
  return true;
}

bool wb_sass_begin_function(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece name)
{
  if (name.length == 0)
    return wb_sass_expected_at(parser, parser->line, column, name, "a function's name");
  if (!wb_sass_printable(parser, column, name))
    return false;
  parser->place = WB_SASS_CODE;
  parser->name = name;
  parser->name_line = parser->line;
  parser->kernel_head = false;
  parser->device_head = false;
  parser->sectioned = false;
  wb_sass_begin_head(parser);
  parser->eights = false;
  parser->brace = false;
  parser->has_control_word = false;
  parser->chain = false;
  parser->source_file = 0;
  parser->source_line = 0;
  return true;
}

struct wb_function *wb_sass_add_function(struct wb_sass_parser *parser)
{
  struct wb_code *code = parser->code;
  if (!wb_grow(code->functions, &parser->function_capacity, code->function_count + 1))
    return NULL;
  struct wb_function *function = &code->functions[code->function_count];
  *function = (struct wb_function){
      .name = wb_sass_keep(parser, parser->name),
      .instructions = wb_allocate(parser->statement_count, sizeof *function->instructions),
      .instruction_count = parser->statement_count,
      .line = parser->name_line,
      .sm = parser->sm,
      .wide = family_of(parser) == WB_SASS_128,
      .kernel = parser->kernel_head,
      .defined = true,
      .kind_source = parser->kernel_head || parser->device_head ? NULL : "",
      .static_shared = UINT32_MAX,
  };
  wb_sass_keep_head(parser, function);
  code->function_count++;
  parser->span_capacity = 0;
  parser->operand_capacity = 0;
  parser->target_capacity = 0;
  parser->annotation_capacity = 0;
  parser->copy_capacity = 0;
  return function->name != NULL && function->instructions != NULL ? function : NULL;
}

/* Sets the addresses and places of all instructions first, so that each can be a target. */
static void place_instructions(const struct wb_sass_parser *parser, struct wb_function *function)
{
  for (size_t i = 0; i < parser->statement_count; i++) {
    const struct wb_sass_statement *statement = &parser->statements[i];
    function->instructions[i] = (struct wb_instruction){
        .address = statement->address,
        .line = statement->line,
        .source_file = statement->source_file,
        .source_line = statement->source_line,
    };
  }
}

/* The encodings and control information of a listing that has any. */
static bool add_encodings(struct wb_sass_parser *parser, struct wb_function *function)
{
  bool any = false;
  for (size_t i = 0; i < parser->statement_count && !any; i++)
    any = parser->statements[i].encoding_count > 0 || parser->statements[i].has_control;
  if (!any)
    return true;
  function->encodings = wb_allocate(parser->statement_count, sizeof *function->encodings);
  if (function->encodings == NULL)
    return wb_sass_out_of_memory(parser);
  for (size_t i = 0; i < parser->statement_count; i++) {
    const struct wb_sass_statement *statement = &parser->statements[i];
    function->encodings[i] =
        (struct wb_encoding){.words = {statement->encoding[0], statement->encoding[1]},
                             .control = statement->control,
                             .has_control = statement->has_control};
  }
  return true;
}

/* Whether a label is a symbol of its own: no .L_x_1, not the function's own names. */
static bool is_symbol(const struct wb_sass_parser *parser, const struct wb_sass_label *label)
{
  return label->name.text[0] != '.' && !wb_sass_same(label->name, parser->name);
}

/* Labels and, of them, the symbols, in the order of the listing, which is that of addresses. */
static bool add_labels(struct wb_sass_parser *parser, struct wb_function *function)
{
  if (parser->label_count == 0)
    return true;
  function->symbols = wb_allocate(parser->label_count, sizeof *function->symbols);
  function->labels = wb_allocate(parser->label_count, sizeof *function->labels);
  if (function->symbols == NULL || function->labels == NULL)
    return wb_sass_out_of_memory(parser);
  for (size_t l = 0; l < parser->label_count; l++) {
    const struct wb_sass_label *label = &parser->labels[l];
    if (label->index >= parser->statement_count)
      continue;
    const char *name = wb_sass_keep(parser, label->name);
    if (name == NULL)
      return wb_sass_out_of_memory(parser);
    struct wb_label symbol = {name, label->index, label->line};
    function->labels[function->label_count++] = symbol;
    if (is_symbol(parser, label))
      function->symbols[function->symbol_count++] = symbol;
  }
  return true;
}

/* A label stands for one place. */
static bool check_labels(struct wb_sass_parser *parser)
{
  for (size_t l = 1; l < parser->label_count; l++)
    if (wb_sass_same(parser->labels[l].name, parser->labels[l - 1].name))
      return wb_sass_error(
          parser, parser->labels[l].line, 1,
          "expected a label that this function does not have yet, found '%.*s'",
          (int)(parser->labels[l].name.length < 40 ? parser->labels[l].name.length : 40),
          parser->labels[l].name.text);
  return true;
}

bool wb_sass_add_label(struct wb_sass_parser *parser, struct wb_sass_piece name, size_t index)
{
  if (!wb_grow(parser->labels, &parser->label_capacity, parser->label_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->labels[parser->label_count++] =
      (struct wb_sass_label){.name = name, .index = (uint32_t)index, .line = parser->line};
  return true;
}

bool wb_sass_keep_labels(struct wb_sass_parser *parser, struct wb_function *function)
{
  if (!add_labels(parser, function))
    return false;
  wb_sass_sort_labels(parser);
  return check_labels(parser);
}

static bool make_function(struct wb_sass_parser *parser)
{
  const enum wb_sass_family family = family_of(parser);
  if (!check_addresses(parser, family))
    return false;
  struct wb_function *function = wb_sass_add_function(parser);
  if (function == NULL)
    return wb_sass_out_of_memory(parser);
  place_instructions(parser, function);
  if (!add_encodings(parser, function) || !wb_sass_keep_labels(parser, function))
    return false;
  for (size_t i = 0; i < parser->statement_count; i++)
    if (!wb_sass_make_instruction(parser, function, &parser->statements[i], i))
      return false;
  return true;
}

bool wb_sass_finish_function(struct wb_sass_parser *parser)
{
  if (parser->brace)
    return wb_sass_error(parser, parser->statements[parser->statement_count - 1].line, 1,
                         "expected the end of the last pair that '{' begins, found the end of the "
                         "function");
  if (parser->statement_count == 0)
    return wb_sass_error(parser, parser->name_line, 1,
                         "expected instructions after the heading of a function, found none");
  const bool made = make_function(parser);
  parser->statement_count = 0;
  parser->label_count = 0;
  return made;
}
