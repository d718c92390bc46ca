/* The reading of a cubin in parts: what they share. */
#ifndef WB_BINARY_CUBIN_CUBIN_READER_H
#define WB_BINARY_CUBIN_CUBIN_READER_H

#include "binary/cubin/cubin.h"

#include <libelf.h>

/* A reading under way. Each of its parts fills a part of *cubin and returns
 * false with *error where it cannot. */
struct wb_cubin_reader {
  const char *name; /* of the file, for messages */
  const unsigned char *bytes;
  size_t length;
  Elf *elf;
  struct wb_cubin *cubin;
  warpbound_error *error;
  size_t name_bytes;   /* of all names so far, which may share their places */
  uint32_t *functions; /* by symbol: index of its function, UINT32_MAX for none */
};

/* Says that the file is not valid and returns false. */
bool wb_cubin_fail(const struct wb_cubin_reader *reader, const char *format, ...) WB_PRINTF(2, 3);
bool wb_cubin_out_of_memory(const struct wb_cubin_reader *reader);

/* cubin_functions.c: functions, and what sections say of them. */
bool wb_cubin_read_functions(struct wb_cubin_reader *reader);

#endif
