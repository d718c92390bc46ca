/* The listing of a cubin: its machine code in the form that NVIDIA's disassembler gives it. */
#ifndef WB_BINARY_LISTING_CUBIN_LISTING_H
#define WB_BINARY_LISTING_CUBIN_LISTING_H

#include "base/text.h"
#include "binary/lines/line_table.h"
#include "binary/listing/code_section.h"

/* Zero-initialised: everything that analyses read. */
struct wb_listing_options {
  const char *kernel;     /* only the section that holds the function of this name; NULL: all */
  const bool *omitted;    /* by index of cubin->functions: those whose sections of code, with their
                           * attributes and constants, are left out; NULL: none */
  bool code_only;         /* without sections of attributes and constants */
  bool without_lines;     /* without source lines */
  bool without_encodings; /* without the bits of each instruction */
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

/* Appends the listing to `out`. Errors: WARPBOUND_USAGE where there is no function of the name,
 * WARPBOUND_INVALID_INPUT where the architecture's machine code is not known or a section of code
 * ends within an instruction, WARPBOUND_INTERNAL. Time and memory are linear in the cubin's size,
 * times its logarithm for sorting. */
warpbound_status wb_cubin_listing(const struct wb_cubin *cubin,
                                  const struct wb_listing_options *options, struct wb_text *out,
                                  warpbound_error *error);

#endif
