/* The reading of machine code, of a listing or of a cubin: its beginning and its end, errors, its
 * functions with their instructions, labels and targets, and what needs all of the code. */
#include "frontend/sass/sass_front_end.h"

#include "base/binary_search.h"
#include "base/hash.h"
#include "base/memory.h"
#include "frontend/sass/sass_parser.h"
#include "isa/lower/register_bits.h"
#include "isa/opcode.h"
#include "model/code.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pieces of a listing, and errors at them ---- */

/* Most bytes of the listing that a message quotes. */
#define QUOTED_LENGTH ((size_t)40)
/* By the calling convention. */
#define STACK_POINTER (WB_REGISTER_GENERAL + 1u)

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
      .module = parser->module,
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

/* ---- what instructions have beside their text ---- */

struct wb_control_word wb_sass_control(uint64_t slot)
{
  return (struct wb_control_word){
      .stall = (uint8_t)(slot & 15),
      .yield = (slot >> 4 & 1) == 0,
      .write_barrier = (uint8_t)(slot >> 5 & 7),
      .read_barrier = (uint8_t)(slot >> 8 & 7),
      .wait_mask = (uint8_t)(slot >> 11 & 63),
      .reuse = (uint8_t)(slot >> 17 & 15),
  };
}

static bool same_file(const void *files, uint32_t file, const void *name)
{
  return wb_sass_equal(*(const struct wb_sass_piece *)name, ((const char *const *)files)[file]);
}

static uint64_t hash_of_file(const void *files, uint32_t file)
{
  const char *name = ((const char *const *)files)[file];
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START, name, strlen(name)));
}

bool wb_sass_file_index(struct wb_sass_parser *parser, struct wb_sass_piece name, uint32_t *index)
{
  struct wb_code *code = parser->code;
  if (!wb_hash_table_grow(&parser->file_table, code->file_count, hash_of_file, code->files))
    return wb_sass_out_of_memory(parser);
  const uint64_t hash = wb_hash_finish(wb_hash_bytes(WB_HASH_START, name.text, name.length));
  uint32_t *slot = wb_hash_table_slot(&parser->file_table, hash, same_file, code->files, &name);
  if (*slot == 0) {
    const char *copy = wb_sass_keep(parser, name);
    if (copy == NULL || !wb_grow(code->files, &parser->file_capacity, code->file_count + 1))
      return wb_sass_out_of_memory(parser);
    code->files[code->file_count++] = copy;
    *slot = (uint32_t)code->file_count;
  }
  *index = *slot;
  return true;
}

bool wb_sass_has_controls(struct wb_sass_piece name)
{
  for (size_t i = 0; i < name.length; i++)
    if ((unsigned char)name.text[i] < 0x20 || name.text[i] == 0x7f)
      return true;
  return false;
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

static bool touches(const struct wb_function *function, uint32_t first, size_t count,
                    unsigned number)
{
  bool found = false;
  for (size_t s = 0; s < count && !found; s++) {
    const struct wb_register_span span = function->spans[first + s];
    found = number >= span.first && number < (unsigned)span.first + span.count;
  }
  return found;
}

/* Whether a kernel has no local memory: nothing reads the stack pointer or names a word of the
 * stack, and no other code runs. */
static bool is_without_stack(const struct wb_function *function)
{
  bool without = function->kernel;
  for (size_t i = 0; i < function->instruction_count && without; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    without = !instruction->unknown && !instruction->outside && instruction->callee == NULL &&
              instruction->transfer != WB_TRANSFER_CALL_OUTSIDE &&
              wb_access_kind_of((enum wb_opcode)instruction->number)->space != WB_SPACE_LOCAL &&
              !touches(function, instruction->first_read, instruction->read_count, STACK_POINTER);
  }
  return without;
}

/* Lanes that load from one generic address get one value, but from local memory, where it is each
 * lane's own. */
static void share_generic_loads(struct wb_function *function)
{
  if (!is_without_stack(function))
    return;
  for (size_t i = 0; i < function->instruction_count; i++) {
    struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->number == WB_OPCODE_LD && instruction->agreement == WB_AGREES_NEVER)
      instruction->agreement = WB_AGREES_BY_MEMORY;
  }
}

/* What needs all of the code. */
static bool complete(struct wb_sass_parser *parser)
{
  if (!wb_sass_indexed_branches(parser) || !wb_sass_keep_notes(parser))
    return false;
  wb_sass_outside_calls(parser);
  if (!wb_sass_name_calls(parser))
    return false;
  for (size_t f = 0; f < parser->code->function_count; f++) {
    struct wb_function *function = &parser->code->functions[f];
    if (function->kind_source != NULL && !find_kind(function))
      return wb_sass_out_of_memory(parser);
    share_generic_loads(function);
    wb_mark_register_bits(function);
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
  free(parser->module_starts);
  free(parser->addresses);
  free(parser->taken);
  free(parser->cubins);
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
