#include "code/two_ways.h"

#include "frontend/binary/binary_front_end.h"
#include "frontend/sass/sass_front_end.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Records a difference, unless there is one already. */
__attribute__((format(printf, 2, 3))) static void differ(struct two_ways *ways, const char *format,
                                                         ...)
{
  va_list arguments;
  if (ways->difference[0] != '\0')
    return;
  va_start(arguments, format);
  vsnprintf(ways->difference, sizeof ways->difference, format, arguments);
  va_end(arguments);
}

static void same_text(struct two_ways *ways, const char *one, const char *other, const char *what)
{
  if ((one == NULL) != (other == NULL) || (one != NULL && strcmp(one, other) != 0))
    differ(ways, "%s: '%s', by the listing '%s'", what, one != NULL ? one : "NULL",
           other != NULL ? other : "NULL");
}

static void same_number(struct two_ways *ways, uint64_t one, uint64_t other, const char *what)
{
  if (one != other)
    differ(ways, "%s: %llu, by the listing %llu", what, (unsigned long long)one,
           (unsigned long long)other);
}

static void same_bytes(struct two_ways *ways, const void *one, size_t count, const void *other,
                       size_t other_count, size_t size, const char *what)
{
  same_number(ways, count, other_count, what);
  if (count == other_count && count > 0 && memcmp(one, other, count * size) != 0)
    differ(ways, "%s: other ones by the listing", what);
}

/* By members: the bytes between them are any. */
static void same_copy(struct two_ways *ways, const struct wb_copy *one, const struct wb_copy *other)
{
  same_number(ways, one->value, other->value, "value of a copy");
  same_number(ways, one->instruction, other->instruction, "instruction of a copy");
  same_number(ways, one->to, other->to, "destination of a copy");
  same_number(ways, one->from, other->from, "source of a copy");
  same_number(ways, one->base, other->base, "base of a copy");
  same_number(ways, one->kind, other->kind, "kind of a copy");
  same_number(ways, one->clears, other->clears, "bits that a copy clears");
}

static void same_labels(struct two_ways *ways, const struct wb_label *one, size_t count,
                        const struct wb_label *other, size_t other_count)
{
  same_number(ways, count, other_count, "labels");
  for (size_t l = 0; l < count && l < other_count; l++) {
    same_text(ways, one[l].name, other[l].name, "label");
    same_number(ways, one[l].index, other[l].index, "instruction of a label");
    same_number(ways, one[l].line, other[l].line, "line of a label");
  }
}

/* Texts by their characters, all other members by their bytes. */
static void same_instruction(struct two_ways *ways, struct wb_instruction one,
                             struct wb_instruction other)
{
  same_text(ways, one.opcode, other.opcode, "opcode");
  same_text(ways, one.operands, other.operands, "operands");
  same_text(ways, one.callee, other.callee, "callee");
  same_text(ways, one.assumption, other.assumption, "assumption");
  one.opcode = one.operands = one.callee = one.assumption = NULL;
  other.opcode = other.operands = other.callee = other.assumption = NULL;
  for (size_t b = 0; b < sizeof one; b++)
    if (((const unsigned char *)&one)[b] != ((const unsigned char *)&other)[b])
      differ(ways, "byte %zu of the instruction at 0x%llx", b, (unsigned long long)one.address);
}

static void same_encoding(struct two_ways *ways, const struct wb_encoding *one,
                          const struct wb_encoding *other)
{
  same_bytes(ways, one->words, 2, other->words, 2, sizeof *one->words, "encoding");
  same_bytes(ways, &one->control, 1, &other->control, 1, sizeof one->control, "control word");
  same_number(ways, one->has_control, other->has_control, "presence of a control word");
}

static void same_function(struct two_ways *ways, const struct wb_function *one,
                          const struct wb_function *other)
{
#define SAME(list, count)                                                                          \
  same_bytes(ways, one->list, one->count, other->list, other->count, sizeof *one->list, #list)
  same_text(ways, one->name, other->name, "name");
  same_number(ways, one->instruction_count, other->instruction_count, "instructions");
  for (size_t i = 0; i < one->instruction_count && i < other->instruction_count; i++) {
    same_instruction(ways, one->instructions[i], other->instructions[i]);
    same_encoding(ways, &one->encodings[i], &other->encodings[i]);
  }
  SAME(operands, operand_count);
  SAME(spans, span_count);
  SAME(targets, target_count);
  SAME(annotations, annotation_count);
  SAME(parameters, parameter_count);
  SAME(constants, constant_length);
#undef SAME
  same_number(ways, one->copy_count, other->copy_count, "copies");
  for (size_t c = 0; c < one->copy_count && c < other->copy_count; c++)
    same_copy(ways, &one->copies[c], &other->copies[c]);
  same_labels(ways, one->labels, one->label_count, other->labels, other->label_count);
  same_labels(ways, one->symbols, one->symbol_count, other->symbols, other->symbol_count);
  same_text(ways, one->kind_source, other->kind_source, "kind_source");
  same_number(ways, one->line, other->line, "line");
  same_number(ways, one->sm, other->sm, "architecture");
  same_number(ways, one->registers, other->registers, "registers");
  same_number(ways, one->static_shared, other->static_shared, "shared memory");
  same_number(ways, one->named_barriers, other->named_barriers, "barriers");
  /* The rest has no pointers. */
  same_bytes(ways, &one->line, 1, &other->line, 1,
             offsetof(struct wb_function, wide) - offsetof(struct wb_function, line), "facts");
  same_number(ways, one->wide, other->wide, "wide");
  same_number(ways, one->kernel, other->kernel, "kernel");
  same_number(ways, one->defined, other->defined, "defined");
}

void compare_two_ways(const char *bytes, size_t length, const char *architecture,
                      struct two_ways *ways)
{
  const struct wb_image_wish wish = {.architecture = architecture, .machine_code_only = true};
  struct wb_text listing = {0}, ptx_text = {0};
  struct wb_code direct, listed;
  warpbound_error one = {0}, other = {0};
  bool ptx;
  *ways = (struct two_ways){0};
  warpbound_status status = wb_binary_text("x", bytes, length, &wish, NULL, &listing, &ptx, &other);
  if (status == WARPBOUND_OK)
    status = wb_sass_parse("x", listing.data, listing.length, NULL, &listed, &other);
  const warpbound_status found =
      wb_binary_code("x", bytes, length, &wish, NULL, &direct, &ptx_text, &ptx, &one);
  if (found != status || strcmp(one.message, other.message) != 0 || one.line != other.line ||
      one.column != other.column)
    differ(ways, "%zu:%zu: %s, by the listing %zu:%zu: %s", one.line, one.column, one.message,
           other.line, other.column, other.message);
  if (status == WARPBOUND_OK && found == WARPBOUND_OK) {
    ways->read = true;
    same_text(ways, direct.format, listed.format, "format");
    same_number(ways, direct.function_count, listed.function_count, "functions");
    for (size_t f = 0; f < direct.function_count && f < listed.function_count; f++)
      same_function(ways, &direct.functions[f], &listed.functions[f]);
    same_number(ways, direct.file_count, listed.file_count, "files");
    for (size_t f = 0; f < direct.file_count && f < listed.file_count; f++)
      same_text(ways, direct.files[f], listed.files[f], "file");
  }
  if (found == WARPBOUND_OK)
    wb_code_free(&direct);
  if (status == WARPBOUND_OK)
    wb_code_free(&listed);
  wb_text_free(&listing);
  wb_text_free(&ptx_text);
}
