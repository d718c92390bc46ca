/* The listing of a cubin: its machine code in the form that NVIDIA's disassembler gives it. */
#ifndef WB_BINARY_LISTING_CUBIN_LISTING_H
#define WB_BINARY_LISTING_CUBIN_LISTING_H

#include "base/text.h"
#include "binary/lines/line_table.h"
#include "binary/listing/listed_code.h"

/* Zero-initialised: everything that analyses read. */
struct wb_listing_options {
  const char *kernel;     /* only the section that holds the function of this name; NULL: all */
  const bool *omitted;    /* by index of cubin->functions: those whose sections of code, with their
                           * attributes and constants, are left out; NULL: none */
  bool code_only;         /* without sections of attributes and constants */
  bool without_lines;     /* without source lines */
  bool without_encodings; /* without the bits of each instruction */
  bool control;           /* with what the control words say: &req={0} &wr=0x1 ?trans4 */
};

/* The code of a cubin, decoded, and what of it is wanted. Borrows cubin and options. */
struct wb_listed_cubin {
  const struct wb_cubin *cubin;
  const struct wb_listing_options *options;
  struct wb_listed_code code;
  struct wb_line_table lines;
  size_t only; /* the number of the one section of code that is wanted; WB_CUBIN_NONE: all */
};

/* Decodes the code; errors: those of wb_cubin_listing. To be closed, also after an error. */
warpbound_status wb_listed_cubin_open(const struct wb_cubin *cubin,
                                      const struct wb_listing_options *options,
                                      struct wb_listed_cubin *listed, warpbound_error *error);
void wb_listed_cubin_close(struct wb_listed_cubin *listed);

/* Whether a section is wanted: code, and what analyses read beside it. */
bool wb_listed_cubin_shows(const struct wb_listed_cubin *listed, size_t number);

/* Whether the registers of a function stand in section .nv.info of the listing. */
bool wb_listed_cubin_counts(const struct wb_listed_cubin *listed,
                            const struct wb_cubin_function *function);

/* Begins the walk over a section of code. */
struct wb_listed_walk wb_listed_walk_start(const struct wb_listed_cubin *listed,
                                           const struct wb_listed_section *section);

/* .headerflags and .elftype. */
void wb_cubin_print_head(const struct wb_cubin *cubin, struct wb_text *out);

/* The registers of a function in section .nv.info of the listing; *place is where in the section
 * they stand, and then where they end. At 0 the section's head comes first. */
void wb_counts_print(const struct wb_cubin_function *function, uint64_t *place,
                     struct wb_text *out);

/* A section's ruler and directives, and the bytes of one of data. */
void wb_section_print_head(const struct wb_cubin *cubin, size_t number, struct wb_text *out);
void wb_section_print_data(const struct wb_listed_code *code, size_t number, struct wb_text *out);

/* The end of the attribute at a place of a section of attributes; one that is cut off takes all
 * that is left. */
uint64_t wb_section_attribute_end(const struct wb_cubin_section *section, uint64_t at);

/* How many bytes of a section of constants a relocation changes, for all that is known: those of
 * kind 1 four, others eight, or as many as are left. */
unsigned wb_section_relocated_bytes(const struct wb_cubin_section *section,
                                    const struct wb_cubin_relocation *relocation);

/* A symbol's directives (.global, .type, .size, .other), where it is a function, and its label. */
void wb_listed_print_symbol(struct wb_listed_code *code, struct wb_listed_section *section,
                            const struct wb_cubin_symbol *symbol, struct wb_text *out);

/* The symbols that the cubin uses and does not define. */
void wb_listed_print_undefined(const struct wb_listed_code *code, struct wb_text *out);

/* The column, from 0, in which the text of a word at an address begins, with its guard. */
size_t wb_listed_text_column(const struct wb_listed_word *word, uint64_t address);

/* Appends the listing to `out`. Errors: WARPBOUND_USAGE where there is no function of the name,
 * WARPBOUND_INVALID_INPUT where the architecture's machine code is not known or a section of code
 * ends within an instruction, WARPBOUND_INTERNAL. Time and memory are linear in the cubin's size,
 * times its logarithm for sorting. */
warpbound_status wb_cubin_listing(const struct wb_cubin *cubin,
                                  const struct wb_listing_options *options, struct wb_text *out,
                                  warpbound_error *error);

#endif
