#include "binary/listing/code_printer.h"

#include "binary/listing/code_symbols.h"

#include <inttypes.h>
#include <string.h>

/* Columns of an instruction's line: its address, the brace that opens a pair, its mnemonic, behind
 * the guard; and what ends the second of a pair. */
enum { ADDRESS_COLUMN = 8, GUARD_WIDTH = 19, BRACE_PLACE = 9, TEXT_COLUMN = 35 };
/* No column is behind this one: a long line then moves its own encoding alone. */
enum { LAST_COLUMN = 512 };
static const char pair_end[] = "        }";

/* A section while it is printed. */
struct state {
  const struct wb_listed_printer *printer;
  struct wb_listed_section *section;
  size_t symbol;       /* the next one */
  size_t row;          /* the next one of the line table */
  uint64_t waiting[4]; /* encodings that are to be printed before the next instruction: those of
                        * control words, and of the second of a pair */
  unsigned waiting_count;
};

void wb_listed_printer_fit(struct wb_listed_printer *printer)
{
  const struct wb_listed_code *code = printer->code;
  size_t text = 0, note = 0, line = 0;
  for (size_t c = 0; c < code->section_count; c++) {
    for (size_t w = 0; w < code->sections[c].word_count; w++) {
      const struct wb_listed_word *word = &code->sections[c].words[w];
      text = word->length > text ? word->length : text;
      note = word->note_length > note ? word->note_length : note;
    }
  }
  printer->note_column = TEXT_COLUMN + text + 2;
  for (size_t c = 0; c < code->section_count; c++) {
    for (size_t w = 0; w < code->sections[c].word_count; w++) {
      const struct wb_listed_word *word = &code->sections[c].words[w];
      size_t end = word->note_length > 0 ? printer->note_column + word->note_length
                                         : TEXT_COLUMN + word->length + 1;
      if (word->issue == WB_ISSUE_WITH_LAST && end + sizeof pair_end - 1 > line)
        line = end + sizeof pair_end - 1;
    }
  }
  printer->encoding_column = printer->note_column + note + 2;
  if (line + 1 > printer->encoding_column)
    printer->encoding_column = line + 1;
  if (printer->note_column > LAST_COLUMN)
    printer->note_column = LAST_COLUMN;
  if (printer->encoding_column > LAST_COLUMN)
    printer->encoding_column = LAST_COLUMN;
}

static void pad_to(struct wb_text *out, size_t line_start, size_t column)
{
  size_t length = out->length - line_start;
  wb_text_fill(out, ' ', length < column ? column - length : 0);
}

/* The characters of hexadecimal numbers, which are most of a listing. */
static void append_hexadecimal(struct wb_text *out, uint64_t number, unsigned digits)
{
  char text[16];
  while (digits < 16 && number >> (4 * digits) != 0)
    digits++;
  for (unsigned d = 0; d < digits; d++)
    text[d] = "0123456789abcdef"[number >> (4 * (digits - 1 - d)) & 15];
  wb_text_append(out, text, digits);
}

static void append_encoding(struct wb_text *out, uint64_t encoding)
{
  wb_text_string(out, "/* 0x");
  append_hexadecimal(out, encoding, 16);
  wb_text_string(out, " */\n");
}

static void print_encoding_line(const struct state *state, uint64_t encoding)
{
  struct wb_text *out = state->printer->out;
  wb_text_fill(out, ' ', state->printer->encoding_column);
  append_encoding(out, encoding);
}

static void wait_for_instruction(struct state *state, uint64_t encoding)
{
  if (state->printer->encodings && state->waiting_count < 4)
    state->waiting[state->waiting_count++] = encoding;
}

static void print_waiting(struct state *state)
{
  for (unsigned e = 0; e < state->waiting_count; e++)
    print_encoding_line(state, state->waiting[e]);
  state->waiting_count = 0;
}

/* The line that the instructions up to `behind` are of, where it changes. */
static void print_source_line(struct state *state, uint64_t behind)
{
  const struct wb_line_table *lines = state->printer->lines;
  const struct wb_line_row *row = NULL;
  if (lines == NULL)
    return;
  for (;
       state->row < lines->row_count && lines->rows[state->row].section == state->section->number &&
       lines->rows[state->row].address < behind;
       state->row++)
    row = &lines->rows[state->row];
  if (row == NULL)
    return;
  const struct wb_line_file *file = &lines->files[row->file];
  wb_text_format(state->printer->out, "\t//## File \"%s%s%s\", line %" PRIu32 "\n", file->folder,
                 file->folder[0] != '\0' ? "/" : "", file->name, row->line);
}

/* Labels and symbols from `address` up to `behind`. */
static void print_names(struct state *state, uint64_t address, uint64_t behind)
{
  struct wb_listed_code *code = state->printer->code;
  struct wb_listed_section *section = state->section;
  for (; address < behind; address += code->word_size) {
    uint32_t label = section->labels[address / code->word_size];
    if (label != 0 && wb_listed_symbol_at(code, section, address) == NULL)
      wb_text_format(state->printer->out, ".L_x_%" PRIu32 ":\n", label - 1);
  }
  for (;
       state->symbol < section->symbol_count && section->symbols[state->symbol].address < behind &&
       state->printer->out->length <= code->out_limit;
       state->symbol++)
    wb_listed_print_symbol(code, section,
                           &code->cubin->symbols[section->symbols[state->symbol].symbol],
                           state->printer->out);
}

/* The blanks between an address and a text, so that mnemonics stand in one column. */
static size_t blanks_before(const struct wb_listed_word *word)
{
  return GUARD_WIDTH - (word->guard_length < GUARD_WIDTH ? word->guard_length : GUARD_WIDTH);
}

size_t wb_listed_text_column(const struct wb_listed_word *word, uint64_t address)
{
  size_t digits = 4;
  while (digits < 16 && address >> (4 * digits) != 0)
    digits++;
  return ADDRESS_COLUMN + strlen("/**/") + digits + blanks_before(word);
}

/* The address and, right before the mnemonic, the guard. */
static void print_guard(const struct state *state, const struct wb_listed_word *word,
                        uint64_t address)
{
  const struct wb_listed_printer *printer = state->printer;
  struct wb_text *out = printer->out;
  wb_text_fill(out, ' ', ADDRESS_COLUMN);
  wb_text_string(out, "/*");
  append_hexadecimal(out, address, 4);
  wb_text_string(out, "*/");
  size_t before = blanks_before(word);
  bool first = word->issue == WB_ISSUE_WITH_NEXT && before > BRACE_PLACE;
  if (first) {
    wb_text_fill(out, ' ', BRACE_PLACE);
    wb_text_string(out, "{");
    before -= BRACE_PLACE + 1;
  }
  wb_text_fill(out, ' ', before);
  wb_text_append(out, printer->code->texts.data + word->text, word->length);
}

static void print_instruction(struct state *state, size_t w)
{
  const struct wb_listed_printer *printer = state->printer;
  const struct wb_listed_word *word = &state->section->words[w];
  struct wb_text *out = printer->out;
  size_t start = out->length;
  print_guard(state, word, (uint64_t)w * printer->code->word_size);
  if (word->note_length > 0) {
    pad_to(out, start, printer->note_column);
    wb_text_append(out, printer->code->texts.data + word->note, word->note_length);
  } else if (word->issue != WB_ISSUE_UNSPECIFIED) {
    wb_text_string(out, " ");
  }
  uint64_t encoding[2];
  wb_listed_bits(printer->code, state->section, w, encoding);
  if (word->issue == WB_ISSUE_WITH_LAST) {
    wb_text_string(out, pair_end);
    wb_text_string(out, "\n");
    wait_for_instruction(state, encoding[0]);
    return;
  }
  wb_text_string(out, ";");
  if (printer->encodings) {
    pad_to(out, start, printer->encoding_column);
    append_encoding(out, encoding[0]);
    if (printer->code->word_size == 16)
      print_encoding_line(state, encoding[1]);
  } else {
    wb_text_string(out, "\n");
  }
}

void wb_listed_print(const struct wb_listed_printer *printer, struct wb_listed_section *section)
{
  struct state state = {.printer = printer, .section = section};
  if (printer->lines != NULL)
    state.row = wb_line_table_find(printer->lines, section->number, 0);
  unsigned size = printer->code->word_size;
  uint64_t named = 0; /* what is before it has its labels printed */
  for (size_t w = 0; w < section->word_count && printer->out->length <= printer->code->out_limit;
       w++) {
    if (section->words[w].issue == WB_ISSUE_CONTROL) {
      uint64_t encoding[2];
      wb_listed_bits(printer->code, section, w, encoding);
      wait_for_instruction(&state, encoding[0]);
      continue;
    }
    uint64_t behind = (uint64_t)(w + 1) * size;
    print_names(&state, named, behind);
    print_source_line(&state, behind);
    print_waiting(&state);
    print_instruction(&state, w);
    named = behind;
  }
  print_names(&state, named, (uint64_t)section->word_count * size + 1);
  print_waiting(&state);
}
