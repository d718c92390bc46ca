#include "frontend/binary/cubin_code.h"

#include "base/memory.h"
#include "base/text/source_path.h"
#include "binary/lines/debug_parameters.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cubin that is read. parser->line is the number of lines that its listing has so far. */
struct reading {
  struct wb_sass_parser *parser;
  struct wb_listed_cubin listed;
  uint32_t *files;     /* by file of the line table: index in code->files + 1; 0: not met yet */
  struct wb_text head; /* a head of the listing, whose lines are counted */
};

/* The section of code that is read. */
struct section_reading {
  struct reading *reading;
  struct wb_listed_section *section;
  struct wb_function *function;
  size_t word_index; /* the next instruction's */
};

static struct wb_sass_piece piece_of(const char *text)
{
  return (struct wb_sass_piece){text, strlen(text)};
}

static void count_head(struct reading *reading)
{
  for (size_t i = 0; i < reading->head.length; i++)
    reading->parser->line += reading->head.data[i] == '\n';
  reading->head.length = 0;
}

/* What stands behind a prefix of a section's name; false where it has another one. */
static bool name_after(const struct wb_cubin_section *section, const char *prefix,
                       struct wb_sass_piece *name)
{
  *name = piece_of(section->name);
  if (!wb_sass_begins(*name, prefix))
    return false;
  *name = piece_of(section->name + strlen(prefix));
  return true;
}

/* ---- code ---- */

static bool add_label(struct section_reading *at, const char *name)
{
  struct wb_sass_parser *parser = at->reading->parser;
  return wb_sass_printable(parser, 1, piece_of(name)) &&
         wb_sass_add_label(parser, piece_of(name), at->word_index);
}

/* The index of a file of the line table in code->files + 1. */
static bool find_file(const struct reading *reading, uint32_t file, uint32_t *index)
{
  struct wb_sass_parser *parser = reading->parser;
  const struct wb_line_file *row = &reading->listed.lines.files[file];
  if (reading->files[file] == 0) {
    struct wb_text path = {0};
    wb_text_string(&path, row->folder);
    wb_text_string(&path, row->folder[0] != '\0' ? "/" : "");
    wb_text_string(&path, row->name);
    if (path.failed) {
      wb_text_free(&path);
      return wb_sass_out_of_memory(parser);
    }
    const size_t start = wb_source_path_start(path.data, path.length);
    const struct wb_sass_piece name = {path.data + start, path.length - start};
    const bool found =
        wb_sass_has_controls(name)
            ? wb_sass_expected_at(parser, parser->line, strlen("\t//## File \"") + start + 1, name,
                                  "a file's name without control characters")
            : wb_sass_file_index(parser, name, &reading->files[file]);
    wb_text_free(&path);
    if (!found)
      return false;
  }
  *index = reading->files[file];
  return true;
}

/* Adds what is next in the listing of the section, whose lines are counted: gives an instruction
 * its address and line, or adds a label. Encodings of control words and of the second of a pair
 * stand before the next instruction: *waiting of them. */
static bool place_item(struct section_reading *at, const struct wb_listed_item *item,
                       uint32_t *waiting)
{
  struct reading *reading = at->reading;
  struct wb_sass_parser *parser = reading->parser;
  const unsigned size = reading->listed.code.word_size;
  switch (item->kind) {
  case WB_LISTED_LABEL: {
    char text[24];
    const int length = snprintf(text, sizeof text, ".L_x_%" PRIu32, item->label);
    const char *name = wb_sass_keep(parser, (struct wb_sass_piece){text, (size_t)length});
    if (name == NULL)
      return wb_sass_out_of_memory(parser);
    parser->line++;
    return add_label(at, name);
  }
  case WB_LISTED_SYMBOL:
    wb_listed_print_symbol(&reading->listed.code, at->section, item->symbol, &reading->head);
    count_head(reading);
    return add_label(at, item->symbol->name);
  case WB_LISTED_SOURCE:
    parser->line++;
    parser->source_line = item->row->line;
    return find_file(reading, item->row->file, &parser->source_file);
  case WB_LISTED_CONTROL:
    ++*waiting;
    return true;
  case WB_LISTED_WORD:
    parser->line += *waiting + 1;
    at->function->instructions[at->word_index++] = (struct wb_instruction){
        .address = (uint32_t)(item->word * size),
        .line = parser->line,
        .source_file = parser->source_file,
        .source_line = parser->source_line,
    };
    *waiting = at->section->words[item->word].issue == WB_ISSUE_WITH_LAST;
    parser->line += size == 16;
    return true;
  }
  return true;
}

/* The index of the instruction at a word, or of the next one where that is a control word. */
static size_t instruction_index(unsigned word_size, size_t w)
{
  return word_size == 16 ? w : w - (w + WB_CONTROL_PERIOD - 1) / WB_CONTROL_PERIOD;
}

static bool make_instruction(const struct section_reading *at, size_t w, size_t index)
{
  struct wb_sass_parser *parser = at->reading->parser;
  const struct wb_listed_code *code = &at->reading->listed.code;
  const struct wb_listed_word *word = &at->section->words[w];
  const struct wb_instruction *instruction = &at->function->instructions[index];
  const bool wide = code->word_size == 16;
  uint64_t bits[2];
  wb_listed_bits(code, at->section, w, bits);
  /* @P0 FADD R0, R1, R2 */
  const char *text = code->texts.data + word->text;
  const char *end = text + word->length;
  const char *guard_end = *text == '@' ? memchr(text, ' ', word->length) : NULL;
  const char *opcode = guard_end != NULL ? guard_end + 1 : text;
  const char *blank = memchr(opcode, ' ', (size_t)(end - opcode));
  const char *opcode_end = blank != NULL ? blank : end;
  struct wb_sass_statement statement = {
      .text = text,
      .opcode = {opcode, (size_t)(opcode_end - opcode)},
      .operands = wb_sass_trim(opcode_end, end),
      .column = (uint32_t)wb_listed_text_column(word, instruction->address) + 1,
      .line = instruction->line,
      .encoding = {bits[0], wide ? bits[1] : 0},
      .opens = word->issue == WB_ISSUE_WITH_NEXT,
      .has_control = true,
      .control = wb_sass_control(wide ? bits[1] >> 41 : bits[1]),
  };
  if (guard_end != NULL)
    statement.guard = (struct wb_sass_piece){text + 1, (size_t)(guard_end - text) - 1};
  if (word->target > 0)
    statement.target = (uint32_t)instruction_index(code->word_size, word->target - 1) + 1;
  if (word->note_length > 0) { /* without its (*" and "*) */
    statement.annotation =
        (struct wb_sass_piece){code->texts.data + word->note + 3, word->note_length - 6};
  }
  at->function->encodings[index] = (struct wb_encoding){
      .words = {statement.encoding[0], statement.encoding[1]},
      .control = statement.control,
      .has_control = true,
  };
  parser->line = statement.line;
  return wb_sass_printable(parser, statement.column, (struct wb_sass_piece){text, word->length}) &&
         wb_sass_make_instruction(parser, at->function, &statement, index);
}

/* What the head of the section and its symbols say of the function. */
static void note_head(const struct section_reading *at)
{
  struct wb_sass_parser *parser = at->reading->parser;
  const struct wb_cubin *cubin = at->reading->listed.cubin;
  const struct wb_cubin_section *section = at->section->section;
  const uint32_t barriers = (uint32_t)(section->flags >> 20) & 0x7f;
  parser->sectioned = true;
  if (cubin->layout == WB_CUBIN_OLD && barriers > 0)
    parser->barriers = barriers;
  if (cubin->architecture < 90 && section->function != WB_CUBIN_NONE &&
      cubin->functions[section->function].facts.registers != WB_CUBIN_ABSENT)
    parser->registers = cubin->functions[section->function].facts.registers;
  for (size_t s = 0; s < at->section->symbol_count; s++) {
    const struct wb_cubin_symbol *symbol = &cubin->symbols[at->section->symbols[s].symbol];
    if (symbol->type != STT_FUNC || symbol->value > section->size ||
        !wb_sass_equal(parser->name, symbol->name))
      continue;
    parser->kernel_head |= (symbol->other & 0x10) != 0;
    parser->device_head = !parser->kernel_head;
  }
}

static bool make_function(struct section_reading *at)
{
  struct wb_sass_parser *parser = at->reading->parser;
  const struct wb_listed_code *code = &at->reading->listed.code;
  const size_t words = at->section->word_count;
  note_head(at);
  parser->statement_count = instruction_index(code->word_size, words);
  if (parser->statement_count == 0)
    return wb_sass_error(parser, parser->name_line, 1,
                         "expected instructions after the heading of a function, found none");
  at->function = wb_sass_add_function(parser);
  if (at->function == NULL)
    return wb_sass_out_of_memory(parser);
  at->function->encodings = wb_allocate(parser->statement_count, sizeof *at->function->encodings);
  if (at->function->encodings == NULL)
    return wb_sass_out_of_memory(parser);
  struct wb_listed_walk walk = wb_listed_walk_start(&at->reading->listed, at->section);
  struct wb_listed_item item;
  uint32_t waiting = 0;
  while (wb_listed_next(&walk, &item))
    if (!place_item(at, &item, &waiting))
      return false;
  const uint32_t end = parser->line + waiting;
  if (!wb_sass_keep_labels(parser, at->function))
    return false;
  for (size_t w = 0, index = 0; w < words; w++) {
    if (at->section->words[w].issue == WB_ISSUE_CONTROL)
      continue;
    if (!make_instruction(at, w, index++))
      return false;
  }
  if (at->section->words[words - 1].issue == WB_ISSUE_WITH_NEXT)
    return wb_sass_error(parser, parser->line, 1,
                         "expected the end of the last pair that '{' begins, found the end of the "
                         "function");
  parser->line = end;
  return true;
}

/* The head of the section is counted; `line` is that of its directive .section. */
static bool read_code(struct reading *reading, struct wb_listed_section *section, uint32_t line)
{
  struct wb_sass_parser *parser = reading->parser;
  struct section_reading at = {.reading = reading, .section = section};
  const uint32_t last = parser->line;
  struct wb_sass_piece name;
  const bool named = name_after(section->section, ".text.", &name);
  parser->line = line;
  if (named && !wb_sass_begin_function(parser, strlen("\t.section\t.text.") + 1, name))
    return false;
  parser->line = last;
  if (section->section->size > UINT32_MAX)
    return wb_sass_error(parser, line, 1, "expected less than 4 GiB of code, found 0x%" PRIx64,
                         section->section->size);
  const bool made = !named || make_function(&at);
  parser->statement_count = 0;
  parser->label_count = 0;
  return made;
}

/* ---- data ---- */

/* The bytes of jump tables and literals; those that a relocation changes are ones. */
static bool read_constants(struct reading *reading, const struct wb_cubin_section *section,
                           struct wb_sass_piece function)
{
  struct wb_sass_parser *parser = reading->parser;
  const struct wb_cubin *cubin = reading->listed.cubin;
  struct wb_text *bytes = &parser->constants;
  if (!wb_sass_begin_constants(parser, function))
    return false;
  if (section->bytes == NULL) {
    char text[24];
    const int length = snprintf(text, sizeof text, "%" PRIu64, section->size);
    parser->line++;
    return wb_sass_add_zeros(parser, strlen("\t.zero\t\t") + 1,
                             (struct wb_sass_piece){text, (size_t)length}, section->size);
  }
  uint64_t at = 0;
  for (size_t r = 0; r < section->relocations.count; r++) {
    const struct wb_cubin_relocation *relocation =
        &cubin->relocations[section->relocations.first + r];
    if (relocation->offset < at)
      continue;
    const unsigned size = wb_section_relocated_bytes(section, relocation);
    wb_text_append(bytes, (const char *)section->bytes + at, (size_t)(relocation->offset - at));
    wb_text_fill(bytes, '\xff', size);
    parser->sections[parser->section_count - 1].symbolic = true;
    at = relocation->offset + size;
  }
  wb_text_append(bytes, (const char *)section->bytes + at, (size_t)(section->size - at));
  return !bytes->failed || wb_sass_out_of_memory(parser);
}

/* The symbols whose addresses constant bank 4 has. */
static bool read_addresses(struct reading *reading, const struct wb_cubin_section *section)
{
  const struct wb_cubin *cubin = reading->listed.cubin;
  for (size_t r = 0; r < section->relocations.count; r++) {
    const struct wb_cubin_relocation *relocation =
        &cubin->relocations[section->relocations.first + r];
    const uint64_t offset = relocation->offset;
    const unsigned size = wb_section_relocated_bytes(section, relocation);
    uint64_t there = 0; /* what is added to the address */
    if (relocation->symbol >= cubin->symbol_count || section->bytes == NULL ||
        size < sizeof(uint32_t))
      continue;
    memcpy(&there, section->bytes + offset, size);
    const char *name = cubin->symbols[relocation->symbol].name;
    if (there == 0 && relocation->addend == 0 && name[0] != '\0' &&
        !wb_sass_add_address(reading->parser, offset, size, piece_of(name)))
      return false;
  }
  return true;
}

/* ---- functions whose addresses are taken ---- */

/* Whether a word of code calls or jumps to what a relocation names. */
static bool goes_there(struct reading *reading, const struct wb_listed_section *section,
                       uint64_t offset)
{
  static const char *const names[] = {"CALL", "JCAL", "CAL", "JMP", "BRA", "PRET"};
  struct wb_listed_code *code = &reading->listed.code;
  const size_t word = (size_t)(offset / code->word_size);
  if (section == NULL || word >= section->word_count)
    return false;
  const struct wb_listed_word *listed = &section->words[word];
  const struct wb_sass_piece text = {code->texts.data + listed->text + listed->guard_length,
                                     listed->length - listed->guard_length};
  bool found = false;
  for (size_t n = 0; n < sizeof names / sizeof *names; n++)
    found |= wb_sass_begins(text, names[n]);
  return found;
}

/* Whether a relocation of a section that is loaded may take a function's address: kernels are not
 * called; an address within a function is one to return to. */
static bool takes_function(struct reading *reading, size_t section,
                           const struct wb_cubin_relocation *relocation)
{
  const struct wb_cubin *cubin = reading->listed.cubin;
  if (relocation->symbol >= cubin->symbol_count || relocation->addend != 0)
    return false;
  const struct wb_cubin_symbol *symbol = &cubin->symbols[relocation->symbol];
  const bool function =
      symbol->type == STT_FUNC || (!symbol->defined && symbol->type != STT_OBJECT);
  return function && (symbol->other & 0x10) == 0 && symbol->name[0] != '\0' &&
         !goes_there(reading, wb_listed_section_numbered(&reading->listed.code, section),
                     relocation->offset);
}

/* Names all functions whose addresses code and data of the module take. */
static bool read_taken(struct reading *reading)
{
  const struct wb_cubin *cubin = reading->listed.cubin;
  struct wb_sass_parser *parser = reading->parser;
  bool *taken = wb_allocate(cubin->symbol_count, sizeof *taken);
  if (taken == NULL)
    return wb_sass_out_of_memory(parser);
  for (size_t s = 0; s < cubin->section_count; s++) {
    const struct wb_cubin_section *section = &cubin->sections[s];
    for (size_t r = 0; (section->flags & SHF_ALLOC) != 0 && r < section->relocations.count; r++) {
      const struct wb_cubin_relocation *relocation =
          &cubin->relocations[section->relocations.first + r];
      if (takes_function(reading, s, relocation))
        taken[relocation->symbol] = true;
    }
  }
  bool kept = wb_sass_note_cubin(parser, cubin->relocatable);
  for (size_t s = 0; s < cubin->symbol_count && kept; s++)
    kept = !taken[s] || wb_sass_add_taken(parser, piece_of(cubin->symbols[s].name));
  free(taken);
  return kept;
}

/* The bytes of a section; the lines of its listing are counted where they are printed. */
static bool read_data(struct reading *reading, size_t number)
{
  struct wb_sass_parser *parser = reading->parser;
  const struct wb_cubin_section *section = &reading->listed.cubin->sections[number];
  const uint32_t line = parser->line;
  struct wb_sass_piece name;
  bool read = true;
  if (name_after(section, ".nv.constant2.", &name)) {
    read = read_constants(reading, section, name);
  } else if (strcmp(section->name, ".nv.constant4") == 0) {
    read = read_addresses(reading, section);
  } else if (name_after(section, ".nv.shared.", &name)) {
    read = wb_sass_note(parser, name, WB_SASS_SHARED_BYTES,
                        section->size < UINT32_MAX ? (uint32_t)section->size : UINT32_MAX);
  } else if (name_after(section, ".nv.info.", &name) && section->bytes != NULL) {
    wb_sass_begin_info(parser, name, false);
    for (uint64_t at = 0, next; at < section->size && read; at = next) {
      next = wb_section_attribute_end(section, at);
      read = wb_sass_add_attribute(parser, section->bytes + at, (size_t)(next - at));
    }
  }
  if (!read)
    return false;
  parser->line = line;
  wb_section_print_data(&reading->listed.code, number, &reading->head);
  count_head(reading);
  return true;
}

/* ---- debug information ---- */

/* Keeps what it calls the parameters of functions. */
static bool read_names(struct reading *reading)
{
  struct wb_sass_parser *parser = reading->parser;
  struct wb_code *code = parser->code;
  struct wb_debug_parameters found = {0};
  parser->status = wb_debug_parameters_read(reading->listed.cubin, &found, parser->error);
  bool kept = parser->status == WARPBOUND_OK;
  const char *function = NULL; /* of the one before: they stand side by side */
  for (size_t p = 0; p < found.count && kept; p++) {
    const struct wb_debug_parameter *row = &found.items[p];
    if (function == NULL || strcmp(function, row->function) != 0)
      function = wb_name_pool_copy(&code->names, row->function, strlen(row->function));
    const char *name = wb_name_pool_copy(&code->names, row->name, strlen(row->name));
    if (function == NULL || name == NULL ||
        !wb_grow(code->debug_names, &code->debug_name_capacity, code->debug_name_count + 1))
      kept = wb_sass_out_of_memory(parser);
    else
      code->debug_names[code->debug_name_count++] =
          (struct wb_debug_name){.function = function, .name = name, .ordinal = row->ordinal};
  }
  wb_debug_parameters_free(&found);
  return kept;
}

/* ---- the cubin ---- */

static bool read_cubin(struct reading *reading)
{
  struct wb_sass_parser *parser = reading->parser;
  struct wb_listed_code *code = &reading->listed.code;
  const struct wb_cubin *cubin = reading->listed.cubin;
  uint64_t place = 0;
  reading->files = wb_allocate(reading->listed.lines.file_count, sizeof *reading->files);
  if (reading->files == NULL)
    return wb_sass_out_of_memory(parser);
  parser->sm = cubin->architecture;
  parser->module++;
  parser->old_head = cubin->layout == WB_CUBIN_OLD;
  parser->relocatable = cubin->relocatable;
  code->out_limit = SIZE_MAX;
  if (!wb_sass_begin_module(parser) || !read_taken(reading))
    return false;
  wb_cubin_print_head(cubin, &reading->head);
  for (size_t f = 0; f < cubin->function_count; f++) {
    const struct wb_cubin_function *function = &cubin->functions[f];
    if (!wb_listed_cubin_counts(&reading->listed, function))
      continue;
    wb_counts_print(function, &place, &reading->head);
    if (!wb_sass_note(parser, piece_of(function->name), WB_SASS_REGISTERS,
                      function->facts.registers))
      return false;
  }
  count_head(reading);
  for (size_t s = 0; s < cubin->section_count; s++) {
    if (!wb_listed_cubin_shows(&reading->listed, s))
      continue;
    struct wb_listed_section *section = wb_listed_section_numbered(code, s);
    const uint32_t line = parser->line + 4; /* after two empty lines and the ruler */
    wb_section_print_head(cubin, s, &reading->head);
    count_head(reading);
    if (section != NULL ? !read_code(reading, section, line) : !read_data(reading, s))
      return false;
  }
  wb_listed_print_undefined(code, &reading->head);
  count_head(reading);
  return !reading->head.failed || wb_sass_out_of_memory(parser);
}

bool wb_cubin_code(const struct wb_cubin *cubin, const struct wb_listing_options *options,
                   struct wb_sass_parser *parser)
{
  struct reading reading = {.parser = parser};
  parser->status = wb_listed_cubin_open(cubin, options, &reading.listed, parser->error);
  const bool read = parser->status == WARPBOUND_OK && read_cubin(&reading) && read_names(&reading);
  wb_listed_cubin_close(&reading.listed);
  free(reading.files);
  wb_text_free(&reading.head);
  return read;
}
