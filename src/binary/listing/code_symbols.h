/* Symbols in a section of code, as a listing shows them. */
#ifndef WB_BINARY_LISTING_CODE_SYMBOLS_H
#define WB_BINARY_LISTING_CODE_SYMBOLS_H

#include "binary/listing/code_section.h"

/* Its directives (.global, .type, .size, .other), where it is a function, and its label. */
void wb_listed_print_symbol(struct wb_listed_code *code, struct wb_listed_section *section,
                            const struct wb_cubin_symbol *symbol, struct wb_text *out);

/* The lines that this takes; the label is the last one. */
unsigned wb_listed_symbol_lines(const struct wb_cubin_symbol *symbol);

/* The symbols that the cubin uses and does not define. */
void wb_listed_print_undefined(const struct wb_listed_code *code, struct wb_text *out);

#endif
