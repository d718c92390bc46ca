/* Functions of machine code, of a listing or of a cubin: their instructions, labels and targets. */
#include "base/binary_search.h"
#include "base/memory.h"
#include "frontend/sass/sass_parser.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- labels and addresses ---- */

static int compare_labels(const void *one, const void *other)
{
  const struct wb_sass_label *a = one;
  const struct wb_sass_label *b = other;
  const int order = wb_sass_compare(a->name, b->name);
  return order != 0 ? order : (a->line > b->line) - (a->line < b->line);
}

static bool is_before(const void *labels, size_t index, const void *name)
{
  return wb_sass_compare(((const struct wb_sass_label *)labels)[index].name,
                         *(const struct wb_sass_piece *)name) < 0;
}

size_t wb_sass_find_label(const struct wb_sass_parser *parser, struct wb_sass_piece name)
{
  const size_t low = wb_lower_bound(parser->labels, parser->label_count, is_before, &name);
  const bool found = low < parser->label_count && wb_sass_same(parser->labels[low].name, name) &&
                     parser->labels[low].index < parser->statement_count;
  return found ? parser->labels[low].index : SIZE_MAX;
}

size_t wb_sass_target_at(const struct wb_function *function, uint64_t address)
{
  const size_t index = wb_function_at(function, address);
  const bool control_word = index == SIZE_MAX && address % 0x20 == 0 && address < UINT32_MAX;
  return control_word ? wb_function_at(function, address + 8) : index;
}

bool wb_sass_add_target(struct wb_sass_parser *parser, struct wb_function *function,
                        size_t *capacity, size_t index)
{
  if (!wb_grow(function->targets, capacity, function->target_count + 1))
    return wb_sass_out_of_memory(parser);
  function->targets[function->target_count++] = (uint32_t)index;
  return true;
}

/* ---- functions ---- */

/* Words of 128 bits, or of 64: the architecture says it, or the addresses. */
static bool is_wide(const struct wb_sass_parser *parser)
{
  return parser->sm > 0 ? parser->sm >= 70 : !parser->eights;
}

/* No instruction is missing. Between two there may be a control word, at each multiple of 0x20
 * (Kepler: of 0x40, where the listing's tool has them at all). */
static bool check_addresses(struct wb_sass_parser *parser)
{
  const bool kepler = parser->sm > 0 && parser->sm < 50;
  const bool wide = is_wide(parser);
  uint64_t end = 0;
  for (size_t i = 0; i < parser->statement_count; i++) {
    const struct wb_sass_statement *statement = &parser->statements[i];
    const bool control_word = !wide && end % (kepler ? 0x40 : 0x20) == 0;
    const bool follows = statement->address == end + (control_word ? 8 : 0) ||
                         (kepler && !wide && statement->address == end);
    if (!follows)
      return wb_sass_error(parser, statement->line, 1,
                           "expected the instruction at 0x%04" PRIx64
                           ", found the one at 0x%04x: lines "
                           "are missing, or the architecture is another one",
                           end, (unsigned)statement->address);
    end = statement->address + (wide ? 16 : 8);
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
  parser->registers = 0;
  parser->barriers = UINT32_MAX;
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
      .wide = is_wide(parser),
      .kernel = parser->kernel_head,
      .defined = true,
      .kind_source = parser->kernel_head || parser->device_head ? NULL : "",
      .static_shared = UINT32_MAX,
      .registers = parser->registers,
      .named_barriers = parser->barriers,
  };
  /* Heads of CUDA to 12 say how many barriers there are where there are any. */
  if (parser->barriers == UINT32_MAX && parser->sectioned && parser->old_head)
    function->named_barriers = 0;
  code->function_count++;
  parser->span_capacity = 0;
  parser->operand_capacity = 0;
  parser->target_capacity = 0;
  parser->annotation_capacity = 0;
  parser->copy_capacity = 0;
  return function->name != NULL && function->instructions != NULL ? function : NULL;
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
    const struct wb_label kept = {name, label->index, label->line};
    function->labels[function->label_count++] = kept;
    /* A symbol of its own is neither .L_x_1 nor the function's name. */
    if (label->name.text[0] != '.' && !wb_sass_same(label->name, parser->name))
      function->symbols[function->symbol_count++] = kept;
  }
  qsort(parser->labels, parser->label_count, sizeof *parser->labels, compare_labels);
  for (size_t l = 1; l < parser->label_count; l++)
    if (wb_sass_same(parser->labels[l].name, parser->labels[l - 1].name))
      return wb_sass_error(
          parser, parser->labels[l].line, 1,
          "expected a label that this function does not have yet, found '%.*s'",
          (int)(parser->labels[l].name.length < 40 ? parser->labels[l].name.length : 40),
          parser->labels[l].name.text);
  return true;
}

static bool make_function(struct wb_sass_parser *parser)
{
  const size_t count = parser->statement_count;
  if (!check_addresses(parser))
    return false;
  struct wb_function *function = wb_sass_add_function(parser);
  if (function == NULL)
    return wb_sass_out_of_memory(parser);
  /* All addresses and places come first, so that each instruction can be a target. */
  bool encoded = false;
  for (size_t i = 0; i < count; i++) {
    const struct wb_sass_statement *statement = &parser->statements[i];
    encoded |= statement->encoding_count > 0 || statement->has_control;
    function->instructions[i] = (struct wb_instruction){
        .address = statement->address,
        .line = statement->line,
        .source_file = statement->source_file,
        .source_line = statement->source_line,
    };
  }
  if (encoded) {
    function->encodings = wb_allocate(count, sizeof *function->encodings);
    if (function->encodings == NULL)
      return wb_sass_out_of_memory(parser);
    for (size_t i = 0; i < count; i++) {
      const struct wb_sass_statement *statement = &parser->statements[i];
      function->encodings[i] =
          (struct wb_encoding){.words = {statement->encoding[0], statement->encoding[1]},
                               .control = statement->control,
                               .has_control = statement->has_control};
    }
  }
  if (!wb_sass_keep_labels(parser, function))
    return false;
  for (size_t i = 0; i < count; i++)
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
