#include "binary/lines/line_reader.h"

#include "base/binary_search.h"
#include "base/memory.h"
#include "binary/lines/line_header.h"

#include <stdlib.h>

/* Opcodes of line programs; those of standard ones from opcode_base on are special. */
enum {
  OP_EXTENDED = 0,
  OP_COPY = 1,
  OP_ADVANCE_PC = 2,
  OP_ADVANCE_LINE = 3,
  OP_SET_FILE = 4,
  OP_CONST_ADD_PC = 8,
  OP_FIXED_ADVANCE_PC = 9,
  EXTENDED_END_SEQUENCE = 1,
  EXTENDED_SET_ADDRESS = 2
};

/* A program while it runs. section is WB_CUBIN_NONE until an address in code is set. */
struct program {
  const struct wb_cubin *cubin;
  const struct wb_cubin_section *lines; /* .debug_line */
  const struct wb_line_header *header;
  struct wb_line_table *table;
  size_t section;
  uint64_t address;
  uint64_t file;
  uint64_t line;
};

static void begin_sequence(struct program *program)
{
  program->section = WB_CUBIN_NONE;
  program->address = 0;
  program->file = 1;
  program->line = 1;
}

/* Adds a row where its section, file and line are known. */
static bool add_row(const struct program *program)
{
  struct wb_line_table *table = program->table;
  uint64_t file = program->file - program->header->file_base;
  if (program->section == WB_CUBIN_NONE || file >= program->header->file_count ||
      program->line > UINT32_MAX)
    return true;
  if (!wb_grow(table->rows, &table->row_capacity, table->row_count + 1))
    return false;
  table->rows[table->row_count++] = (struct wb_line_row){
      .section = program->section,
      .address = program->address,
      .file = (uint32_t)(program->header->first_file + file),
      .line = (uint32_t)program->line,
  };
  return true;
}

static bool is_before_offset(const void *relocations, size_t index, const void *offset)
{
  return ((const struct wb_cubin_relocation *)relocations)[index].offset <
         *(const uint64_t *)offset;
}

/* The relocation of the bytes at an offset of .debug_line. */
static const struct wb_cubin_relocation *relocation_at(const struct program *program,
                                                       uint64_t offset)
{
  const struct wb_cubin_slice *slice = &program->lines->relocations;
  const struct wb_cubin_relocation *first = program->cubin->relocations + slice->first;
  size_t index = wb_lower_bound(first, slice->count, is_before_offset, &offset);
  return index < slice->count && first[index].offset == offset ? &first[index] : NULL;
}

/* An address is that of a function's symbol, which a relocation gives. */
static void set_address(struct program *program, uint64_t offset, uint64_t value)
{
  const struct wb_cubin_relocation *relocation = relocation_at(program, offset);
  program->section = WB_CUBIN_NONE;
  if (relocation == NULL || relocation->symbol >= program->cubin->symbol_count)
    return;
  const struct wb_cubin_symbol *symbol = &program->cubin->symbols[relocation->symbol];
  if (!symbol->defined)
    return;
  program->section = symbol->section;
  program->address =
      symbol->value + (relocation->has_addend ? (uint64_t)relocation->addend : value);
}

static void advance(struct program *program, uint64_t steps)
{
  program->address += steps * program->header->minimum_length;
}

/* False: no memory. */
static bool run_extended(struct program *program, struct wb_byte_cursor *cursor)
{
  uint64_t length = wb_cursor_uleb(cursor);
  const unsigned char *first = wb_cursor_bytes(cursor, length);
  if (first == NULL || length == 0)
    return true;
  struct wb_byte_cursor operand = {first + 1, first + length, false};
  if (*first == EXTENDED_END_SEQUENCE)
    begin_sequence(program);
  if (*first == EXTENDED_SET_ADDRESS && length - 1 <= 8) {
    uint64_t place = (uint64_t)(operand.at - program->lines->bytes);
    set_address(program, place, wb_cursor_number(&operand, (unsigned)length - 1));
  }
  return true;
}

static bool run_standard(struct program *program, struct wb_byte_cursor *cursor, unsigned opcode)
{
  const struct wb_line_header *header = program->header;
  switch (opcode) {
  case OP_COPY:
    return add_row(program);
  case OP_ADVANCE_PC:
    advance(program, wb_cursor_uleb(cursor));
    return true;
  case OP_ADVANCE_LINE:
    program->line += (uint64_t)wb_cursor_sleb(cursor);
    return true;
  case OP_SET_FILE:
    program->file = wb_cursor_uleb(cursor);
    return true;
  case OP_CONST_ADD_PC:
    advance(program, (255 - header->opcode_base) / header->line_range);
    return true;
  case OP_FIXED_ADVANCE_PC:
    program->address += wb_cursor_number(cursor, 2);
    return true;
  default:
    for (unsigned i = 0; i < header->operand_counts[opcode - 1]; i++)
      wb_cursor_uleb(cursor);
    return true;
  }
}

static bool run_special(struct program *program, unsigned opcode)
{
  unsigned adjusted = opcode - program->header->opcode_base;
  advance(program, adjusted / program->header->line_range);
  program->line += (uint64_t)(int64_t)(program->header->line_base +
                                       (int)(adjusted % program->header->line_range));
  return add_row(program);
}

/* False: no memory. */
static bool run(struct program *program, struct wb_byte_cursor *cursor)
{
  bool memory = true;
  begin_sequence(program);
  while (memory && !cursor->failed && cursor->at < cursor->end) {
    unsigned opcode = (unsigned)wb_cursor_number(cursor, 1);
    if (opcode >= program->header->opcode_base)
      memory = run_special(program, opcode);
    else if (opcode == OP_EXTENDED)
      memory = run_extended(program, cursor);
    else
      memory = run_standard(program, cursor, opcode);
  }
  return memory;
}

/* The bytes of the next unit, behind its length. */
static bool next_unit(struct wb_byte_cursor *section, struct wb_byte_cursor *unit,
                      unsigned *offset_size)
{
  *offset_size = 4;
  uint64_t length = wb_cursor_number(section, 4);
  if (length == 0xffffffff) {
    *offset_size = 8;
    length = wb_cursor_number(section, 8);
  }
  const unsigned char *bytes = wb_cursor_bytes(section, length);
  if (bytes == NULL)
    return false;
  *unit = (struct wb_byte_cursor){bytes, bytes + length, false};
  return true;
}

warpbound_status wb_line_table_read(const struct wb_cubin *cubin, struct wb_line_table *table,
                                    warpbound_error *error)
{
  size_t number = wb_cubin_section_named(cubin, ".debug_line");
  if (number == WB_CUBIN_NONE || cubin->sections[number].bytes == NULL)
    return WARPBOUND_OK;
  const struct wb_cubin_section *lines = &cubin->sections[number];
  const size_t strings = wb_cubin_section_named(cubin, ".debug_str");
  const size_t line_strings = wb_cubin_section_named(cubin, ".debug_line_str");
  struct wb_byte_cursor section = {lines->bytes, lines->bytes + lines->size, false};
  struct wb_byte_cursor unit;
  struct wb_line_header header = {
      .strings = strings != WB_CUBIN_NONE ? &cubin->sections[strings] : NULL,
      .line_strings = line_strings != WB_CUBIN_NONE ? &cubin->sections[line_strings] : NULL,
  };
  while (section.at < section.end && next_unit(&section, &unit, &header.offset_size)) {
    enum wb_line_reading reading = wb_line_header_read(&unit, table, &header);
    struct program program = {.cubin = cubin, .lines = lines, .header = &header, .table = table};
    if (reading == WB_LINES_NO_MEMORY || (reading == WB_LINES_READ && !run(&program, &unit)))
      return wb_out_of_memory(error);
  }
  return wb_line_table_sort(table, error);
}
