/* What the debug information of a cubin calls the parameters of its functions, of .debug_info
 * (DWARF 2 to 5): nvcc writes it with -G, not with -lineinfo. */
#ifndef WB_BINARY_LINES_DEBUG_PARAMETERS_H
#define WB_BINARY_LINES_DEBUG_PARAMETERS_H

#include "binary/cubin/cubin.h"

/* The texts lie in the cubin's bytes. */
struct wb_debug_parameter {
  const char *function; /* as the code calls it */
  const char *name;     /* an identifier */
  uint16_t ordinal;     /* from 0 */
};

/* In the order of the file; one may stand there more than once. Zero-initialise;
 * wb_debug_parameters_free. */
struct wb_debug_parameters {
  struct wb_debug_parameter *items;
  size_t count, capacity;
};

/* Reads the formal parameters of subprograms. A cubin without debug information has none, and one
 * that is damaged has those before the damage: no bound rests on a name. The only error is
 * WARPBOUND_INTERNAL, out of memory. Linear in the sections. */
warpbound_status wb_debug_parameters_read(const struct wb_cubin *cubin,
                                          struct wb_debug_parameters *parameters,
                                          warpbound_error *error);
void wb_debug_parameters_free(struct wb_debug_parameters *parameters);

#endif
