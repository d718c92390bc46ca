/* Prints a section of code: symbols, labels, source lines, instructions and their encodings. */
#ifndef WB_BINARY_LISTING_CODE_PRINTER_H
#define WB_BINARY_LISTING_CODE_PRINTER_H

#include "binary/lines/line_table.h"
#include "binary/listing/code_section.h"

/* What all sections of a listing share. lines: NULL for none. */
struct wb_listed_printer {
  struct wb_listed_code *code;
  const struct wb_line_table *lines;
  bool encodings;
  size_t note_column; /* where annotations begin */
  size_t encoding_column;
  struct wb_text *out;
};

/* The column, from 0, in which the text of a word at an address begins, with its guard. */
size_t wb_listed_text_column(const struct wb_listed_word *word, uint64_t address);

/* Sets the columns so that the longest instruction of the code fits. */
void wb_listed_printer_fit(struct wb_listed_printer *printer);

void wb_listed_print(const struct wb_listed_printer *printer, struct wb_listed_section *section);

#endif
