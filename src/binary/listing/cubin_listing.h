/* The listing of a cubin: its machine code in the form that NVIDIA's disassembler gives it. */
#ifndef WB_BINARY_LISTING_CUBIN_LISTING_H
#define WB_BINARY_LISTING_CUBIN_LISTING_H

#include "base/text.h"
#include "binary/cubin/cubin.h"

/* Zero-initialised: everything that analyses read. */
struct wb_listing_options {
  const char *kernel;     /* only the section that holds the function of this name; NULL: all */
  const bool *omitted;    /* by index of cubin->functions: those whose sections of code, with their
                           * attributes and constants, are left out; NULL: none */
  bool code_only;         /* without sections of attributes and constants */
  bool without_lines;     /* without source lines */
  bool without_encodings; /* without the bits of each instruction */
};

/* Appends the listing to `out`. Errors: WARPBOUND_USAGE where there is no function of the name,
 * WARPBOUND_INVALID_INPUT where the architecture's machine code is not known or a section of code
 * ends within an instruction, WARPBOUND_INTERNAL. Time and memory are linear in the cubin's size,
 * times its logarithm for sorting. */
warpbound_status wb_cubin_listing(const struct wb_cubin *cubin,
                                  const struct wb_listing_options *options, struct wb_text *out,
                                  warpbound_error *error);

#endif
