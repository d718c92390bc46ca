#include "frontend/sass/text/sass_resources.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "frontend/sass/text/sass_scanner.h"
#include "isa/parse/sass_operand.h"

#include <stdlib.h>
#include <string.h>

/* The attribute of section .nv.info with the registers of a function. */
enum { FORMAT_SIZED = 0x04, ATTRIBUTE_REGCOUNT = 0x2f };

/* ---- heads of sections of code ---- */

void wb_sass_begin_head(struct wb_sass_parser *parser)
{
  parser->registers = 0;
  parser->barriers = UINT32_MAX;
}

/* The number after a mark of the line, false where there is none. */
static bool number_after(struct wb_sass_piece line, const char *mark, uint32_t *number)
{
  const size_t length = strlen(mark);
  for (size_t i = 0; i + length < line.length; i++) {
    if (memcmp(line.text + i, mark, length) != 0)
      continue;
    size_t d = i + length;
    for (*number = 0; d < line.length && wb_is_digit(line.text[d]) && *number < UINT32_MAX / 10;
         d++)
      *number = *number * 10 + (uint32_t)(line.text[d] - '0');
    return d > i + length && (d == line.length || !wb_is_digit(line.text[d]));
  }
  return false;
}

void wb_sass_head_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  uint32_t number;
  if (number_after(line, "SHI_REGISTERS=", &number))
    parser->registers = number;
  if (number_after(line, "SHF_BARRIERS=", &number))
    parser->barriers = number;
}

void wb_sass_keep_head(const struct wb_sass_parser *parser, struct wb_function *function)
{
  function->registers = parser->registers;
  function->named_barriers = parser->barriers;
  /* Heads of CUDA to 12 say how many barriers there are where there are any. */
  if (parser->barriers == UINT32_MAX && parser->sectioned && parser->old_head)
    function->named_barriers = 0;
}

/* ---- facts of the whole listing ---- */

static bool add_fact(struct wb_sass_parser *parser, struct wb_sass_piece function,
                     enum wb_sass_fact_kind kind, uint32_t value)
{
  if (!wb_grow(parser->facts, &parser->fact_capacity, parser->fact_count + 1))
    return wb_sass_out_of_memory(parser);
  parser->facts[parser->fact_count++] =
      (struct wb_sass_fact){.function = function, .sm = parser->sm, .kind = kind, .value = value};
  return true;
}

bool wb_sass_begin_shared(struct wb_sass_parser *parser, struct wb_sass_piece function)
{
  parser->place = WB_SASS_SHARED;
  return wb_sass_note_shared(parser, function, 0);
}

void wb_sass_shared_line(struct wb_sass_parser *parser, struct wb_sass_piece line)
{
  uint32_t *bytes = &parser->facts[parser->fact_count - 1].value;
  const struct wb_sass_piece number =
      wb_sass_trim(line.text + strlen(".zero"), line.text + line.length);
  int64_t size = 0;
  const bool good = wb_sass_integer(number.text, number.length, &size) && size >= 0;
  *bytes = good && size < UINT32_MAX - *bytes ? *bytes + (uint32_t)size : UINT32_MAX;
}

void wb_sass_begin_counts(struct wb_sass_parser *parser)
{
  parser->place = WB_SASS_COUNTS;
  parser->count = (struct wb_sass_count){.byte_count = 0};
}

void wb_sass_count_line(struct wb_sass_parser *parser, struct wb_sass_piece rest)
{
  struct wb_sass_count *count = &parser->count;
  static const char symbol[] = "index@(";
  if (wb_sass_begins(rest, ".byte")) {
    int64_t number = 0;
    const char *comma = memchr(rest.text, ',', rest.length);
    const char *stop = rest.text + rest.length;
    const struct wb_sass_piece format =
        wb_sass_trim(rest.text + strlen(".byte"), comma != NULL ? comma : stop);
    const struct wb_sass_piece kind = wb_sass_trim(comma != NULL ? comma + 1 : stop, stop);
    count->registers = wb_sass_integer(format.text, format.length, &number) &&
                       number == FORMAT_SIZED && wb_sass_integer(kind.text, kind.length, &number) &&
                       number == ATTRIBUTE_REGCOUNT && count->byte_count == 0;
    count->byte_count++;
  } else if (wb_sass_begins(rest, ".word")) {
    const struct wb_sass_piece word =
        wb_sass_trim(rest.text + strlen(".word"), rest.text + rest.length);
    int64_t number = 0;
    if (wb_sass_begins(word, symbol) && word.text[word.length - 1] == ')')
      count->function = wb_sass_trim(word.text + strlen(symbol), word.text + word.length - 1);
    else if (wb_sass_integer(word.text, word.length, &number) && number >= 0 &&
             number <= UINT32_MAX)
      count->value = (uint32_t)number;
  }
}

bool wb_sass_next_count(struct wb_sass_parser *parser)
{
  const struct wb_sass_count count = parser->count;
  parser->count = (struct wb_sass_count){.byte_count = 0};
  return !count.registers || count.function.length == 0 ||
         wb_sass_note_registers(parser, count.function, count.value);
}

bool wb_sass_note_registers(struct wb_sass_parser *parser, struct wb_sass_piece function,
                            uint32_t registers)
{
  /* What an object file has of shared memory the linker lays out anew. */
  return add_fact(parser, function, WB_SASS_REGISTERS, registers) &&
         (!parser->relocatable || wb_sass_note_shared(parser, function, UINT32_MAX));
}

bool wb_sass_note_shared(struct wb_sass_parser *parser, struct wb_sass_piece function,
                         uint32_t bytes)
{
  return add_fact(parser, function, WB_SASS_SHARED_BYTES, bytes);
}

bool wb_sass_note_barriers(struct wb_sass_parser *parser, struct wb_sass_piece function,
                           uint32_t barriers)
{
  return add_fact(parser, function, WB_SASS_BARRIERS, barriers);
}

/* ---- to the functions ---- */

/* By function, architecture and kind, then by value, so that the last one is the greatest. */
static int compare(const void *one, const void *other)
{
  const struct wb_sass_fact *a = one;
  const struct wb_sass_fact *b = other;
  const int order = wb_sass_compare(a->function, b->function);
  if (order != 0)
    return order;
  if (a->sm != b->sm)
    return (a->sm > b->sm) - (a->sm < b->sm);
  if (a->kind != b->kind)
    return (a->kind > b->kind) - (a->kind < b->kind);
  return (a->value > b->value) - (a->value < b->value);
}

static bool is_before(const void *facts, size_t index, const void *wanted)
{
  return compare(&((const struct wb_sass_fact *)facts)[index], wanted) < 0;
}

/* How many facts of a kind a function has; *value of the first one. */
static size_t count_facts(const struct wb_sass_parser *parser, const struct wb_function *function,
                          enum wb_sass_fact_kind kind, uint32_t *value)
{
  const struct wb_sass_fact wanted = {
      .function = {function->name, strlen(function->name)}, .sm = function->sm, .kind = kind};
  if (parser->fact_count == 0)
    return 0;
  const size_t first = wb_lower_bound(parser->facts, parser->fact_count, is_before, &wanted);
  size_t count = 0;
  for (size_t f = first; f < parser->fact_count && count < 2; f++) {
    const struct wb_sass_fact *fact = &parser->facts[f];
    if (fact->sm != wanted.sm || fact->kind != kind ||
        !wb_sass_same(fact->function, wanted.function))
      break;
    if (count++ == 0)
      *value = fact->value;
  }
  return count;
}

/* A listing with the section .nv.info of all functions is one of all sections, so that a function
 * without .nv.shared has no shared memory, and one without the attribute no barriers. */
static void keep_resources(const struct wb_sass_parser *parser, struct wb_function *function)
{
  uint32_t registers = 0;
  uint32_t shared = 0;
  const size_t counted = count_facts(parser, function, WB_SASS_REGISTERS, &registers);
  const size_t sections = count_facts(parser, function, WB_SASS_SHARED_BYTES, &shared);
  uint32_t barriers = 0;
  const size_t said = count_facts(parser, function, WB_SASS_BARRIERS, &barriers);
  if (counted == 1 && function->registers == 0)
    function->registers = registers;
  if (counted <= 1 && sections == 1)
    function->static_shared = shared;
  else if (counted == 1 && sections == 0)
    function->static_shared = 0;
  if (function->named_barriers == UINT32_MAX && counted == 1 && said <= 1)
    function->named_barriers = said == 1 ? barriers : 0;
}

void wb_sass_keep_resources(struct wb_sass_parser *parser)
{
  if (parser->fact_count > 1)
    qsort(parser->facts, parser->fact_count, sizeof *parser->facts, compare);
  for (size_t f = 0; f < parser->code->function_count; f++)
    keep_resources(parser, &parser->code->functions[f]);
}
