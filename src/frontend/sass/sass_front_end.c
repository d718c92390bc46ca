/* The reading of machine code: its beginning and its end, errors, and what needs all of the code.
 */
#include "frontend/sass/sass_front_end.h"

#include "base/memory.h"
#include "frontend/sass/sass_parser.h"
#include "isa/opcode.h"
#include "model/code.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pieces of a listing, and errors at them ---- */

/* Most bytes of the listing that a message quotes. */
#define QUOTED_LENGTH ((size_t)40)

struct wb_sass_piece wb_sass_trim(const char *text, const char *end)
{
  while (text < end && wb_is_blank(*text))
    text++;
  while (end > text && wb_is_blank(end[-1]))
    end--;
  return (struct wb_sass_piece){text, (size_t)(end - text)};
}

struct wb_sass_piece wb_sass_after(struct wb_sass_piece piece, size_t length)
{
  return wb_sass_trim(piece.text + length, piece.text + piece.length);
}

bool wb_sass_begins(struct wb_sass_piece piece, const char *prefix)
{
  size_t i = 0;
  while (prefix[i] != '\0' && i < piece.length && piece.text[i] == prefix[i])
    i++;
  return prefix[i] == '\0';
}

bool wb_sass_contains(struct wb_sass_piece piece, const char *word)
{
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= piece.length; i++)
    if (memcmp(piece.text + i, word, length) == 0)
      return true;
  return false;
}

bool wb_sass_equal(struct wb_sass_piece piece, const char *other)
{
  return piece.length == strlen(other) && wb_sass_begins(piece, other);
}

bool wb_sass_same(struct wb_sass_piece one, struct wb_sass_piece other)
{
  return one.length == other.length &&
         (one.length == 0 || memcmp(one.text, other.text, one.length) == 0);
}

bool wb_sass_error(struct wb_sass_parser *parser, size_t line, size_t column, const char *format,
                   ...)
{
  char message[sizeof parser->error->message];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  parser->status = wb_fail_at(parser->error, WARPBOUND_INVALID_INPUT, parser->code->name, line,
                              column, "%s", message);
  return false;
}

bool wb_sass_out_of_memory(struct wb_sass_parser *parser)
{
  parser->status = wb_out_of_memory(parser->error);
  return false;
}

bool wb_sass_expected(struct wb_sass_parser *parser, struct wb_sass_piece found, const char *what)
{
  return wb_sass_expected_at(parser, parser->line, wb_sass_column(parser, found), found, what);
}

bool wb_sass_expected_at(struct wb_sass_parser *parser, size_t line, size_t column,
                         struct wb_sass_piece found, const char *what)
{
  char quoted[4 * QUOTED_LENGTH + 8];
  const size_t shown = found.length > QUOTED_LENGTH ? QUOTED_LENGTH : found.length;
  if (shown == 0)
    return wb_sass_error(parser, line, column, "expected %s, found the end of the line", what);
  size_t used = 0;
  for (size_t i = 0; i < shown; i++) { /* a terminal shows each byte and does nothing else */
    const unsigned char byte = (unsigned char)found.text[i];
    used += (size_t)snprintf(quoted + used, sizeof quoted - used,
                             byte < 0x20 || byte >= 0x7f ? "\\x%02x" : "%c", byte);
  }
  return wb_sass_error(parser, line, column, "expected %s, found '%s%s'", what, quoted,
                       shown < found.length ? "..." : "");
}

size_t wb_sass_column(const struct wb_sass_parser *parser, struct wb_sass_piece piece)
{
  return (size_t)(piece.text - parser->line_start) + 1;
}

bool wb_sass_printable(struct wb_sass_parser *parser, size_t column, struct wb_sass_piece piece)
{
  for (size_t i = 0; i < piece.length; i++) {
    const unsigned char byte = (unsigned char)piece.text[i];
    if ((byte < 0x20 && !wb_is_blank(piece.text[i])) || byte >= 0x7f)
      return wb_sass_expected_at(parser, parser->line, column + i,
                                 (struct wb_sass_piece){piece.text + i, 1}, "printable ASCII");
  }
  return true;
}

const char *wb_sass_keep(struct wb_sass_parser *parser, struct wb_sass_piece piece)
{
  return wb_name_pool_copy(&parser->code->names, piece.text, piece.length);
}

int wb_sass_compare(struct wb_sass_piece one, struct wb_sass_piece other)
{
  const size_t shared = one.length < other.length ? one.length : other.length;
  const int order = shared > 0 ? memcmp(one.text, other.text, shared) : 0;
  return order != 0 ? order : (one.length > other.length) - (one.length < other.length);
}

/* ---- kernel or device function ---- */

/* Kernel or device function, where no directive says it: a device function returns, so that
 * a RET is reached from its start; a kernel reaches one only inside calls. */

#define KERNEL "no RET is reached from its start but inside calls: taken for a kernel"
#define DEVICE "a RET is reached from its start outside calls: taken for a device function"

/* Instructions that were reached; pending ones are those whose successors were not yet
 * looked at. Invariant: an instruction is pending at most once. */
struct walk {
  const struct wb_function *function;
  bool *returned_to; /* by instruction: the code puts its address into a register */
  bool *reached;
  uint32_t *pending;
  size_t pending_count;
};

static void reach(struct walk *walk, size_t index)
{
  if (index >= walk->function->instruction_count || walk->reached[index])
    return;
  walk->reached[index] = true;
  walk->pending[walk->pending_count++] = (uint32_t)index;
}

/* Where lanes go from an instruction that was reached; true: they return. */
static bool follow(struct walk *walk, size_t index)
{
  const struct wb_instruction *instruction = &walk->function->instructions[index];
  const bool may_stay = instruction->never || wb_instruction_conditional(instruction);
  bool goes_on = true;
  bool goes_to_targets = false;
  switch (instruction->transfer) {
  case WB_TRANSFER_CALL_LINKED: {
    /* From Volta on a call returns where the code puts the address of the next instruction into
     * registers; else it is a jump. */
    const bool returns =
        index + 1 < walk->function->instruction_count && walk->returned_to[index + 1];
    goes_on = may_stay || returns;
    goes_to_targets = !instruction->never && !returns;
    break;
  }
  case WB_TRANSFER_EXIT:
    goes_on = wb_instruction_is(instruction, WB_TRAIT_BREAKPOINT) || may_stay;
    break;
  case WB_TRANSFER_BRANCH:
    goes_on = may_stay;
    goes_to_targets = !instruction->never;
    break;
  case WB_TRANSFER_POP:
  case WB_TRANSFER_UNSUPPORTED:
    goes_on = may_stay;
    break;
  case WB_TRANSFER_INDEXED_BRANCH:
    goes_on = instruction->guard != WB_NO_REGISTER;
    goes_to_targets = !instruction->never;
    break;
  case WB_TRANSFER_PUSH: /* what is between a PRET and the branch after it is inside a call */
    goes_on = instruction->token != WB_TOKEN_RETURN;
    goes_to_targets = !instruction->never;
    break;
  default:
    break;
  }
  for (uint32_t t = 0; goes_to_targets && t < instruction->target_count; t++)
    reach(walk, walk->function->targets[instruction->first_target + t]);
  if (goes_on)
    reach(walk, index + 1);
  return !instruction->never &&
         (instruction->transfer == WB_TRANSFER_RETURN_LINKED ||
          (instruction->transfer == WB_TRANSFER_POP && instruction->token == WB_TOKEN_RETURN));
}

/* Finds out whether the function is a kernel. False: memory is out. */
static bool find_kind(struct wb_function *function)
{
  struct walk walk = {
      .function = function,
      .returned_to = wb_allocate(function->instruction_count, sizeof *walk.returned_to),
      .reached = wb_allocate(function->instruction_count, sizeof *walk.reached),
      .pending = wb_allocate(function->instruction_count, sizeof *walk.pending),
  };
  const bool allocated = walk.returned_to != NULL && walk.reached != NULL && walk.pending != NULL;
  bool returns = false;
  for (size_t c = 0; allocated && c < function->copy_count; c++) {
    const struct wb_copy *copy = &function->copies[c];
    const size_t index =
        copy->kind == WB_COPY_NUMBER ? wb_function_at(function, copy->value) : SIZE_MAX;
    if (index != SIZE_MAX)
      walk.returned_to[index] = true;
  }
  if (allocated)
    reach(&walk, 0);
  while (walk.pending_count > 0 && !returns)
    returns = follow(&walk, walk.pending[--walk.pending_count]);
  function->kernel = allocated && !returns;
  function->kind_source = function->kernel ? KERNEL : DEVICE;
  free(walk.returned_to);
  free(walk.reached);
  free(walk.pending);
  return allocated;
}

/* ---- the reading ---- */

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

/* What needs all of the code. */
static bool complete(struct wb_sass_parser *parser)
{
  if (!wb_sass_indexed_branches(parser) || !wb_sass_keep_notes(parser))
    return false;
  wb_sass_outside_calls(parser);
  for (size_t f = 0; f < parser->code->function_count; f++) {
    struct wb_function *function = &parser->code->functions[f];
    if (function->kind_source != NULL && !find_kind(function))
      return wb_sass_out_of_memory(parser);
  }
  return true;
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
  free(parser->notes);
  free(parser->words);
  wb_text_free(&parser->info.bytes);
  wb_hash_table_free(&parser->file_table);
  free(parser->opcodes);
  wb_hash_table_free(&parser->opcode_table);
  wb_text_free(&parser->constants);
  return parser->status;
}

warpbound_status wb_sass_parse(const char *name, const char *text, size_t length,
                               const struct wb_sass_options *options, struct wb_code *code,
                               warpbound_error *error)
{
  warpbound_error ignored;
  struct wb_sass_parser parser;
  bool read = wb_sass_begin(&parser, name != NULL ? name : "", options, code,
                            error != NULL ? error : &ignored);
  /* Lines, columns and indices are 32 bits wide. */
  if (read && length >= UINT32_MAX)
    read =
        wb_sass_error(&parser, 1, 1, "expected less than 4 GiB of SASS, found %zu bytes", length);
  return wb_sass_end(&parser, read && wb_sass_listing(&parser, text, length));
}
