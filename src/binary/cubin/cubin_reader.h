/* The reading of a cubin in parts: what they share. */
#ifndef WB_BINARY_CUBIN_CUBIN_READER_H
#define WB_BINARY_CUBIN_CUBIN_READER_H

#include "binary/cubin/cubin.h"

#include <libelf.h>

/* A reading under way. The parts below run in their order; each fills a part of *cubin and returns
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

/* Most sections of a cubin. Libraries of kernels have some ten thousand. */
#define WB_CUBIN_SECTION_LIMIT ((size_t)1 << 20)

/* Most functions of a cubin: each needs ten times its symbol's bytes. */
#define WB_CUBIN_FUNCTION_LIMIT ((size_t)1 << 20)

/* Most symbols and relocations of a cubin: each needs several times its bytes in the file. */
#define WB_CUBIN_SYMBOL_LIMIT ((size_t)1 << 22)
#define WB_CUBIN_RELOCATION_LIMIT ((size_t)1 << 22)

/* All names together have at most as many times the bytes of the file: names may overlap, and a
 * hostile file could make many long ones of few bytes. */
#define WB_CUBIN_NAME_BYTES 4

/* All sections together have at most as many times the bytes of the file: from sm_100 on those
 * named .nv.merc share theirs with others. */
#define WB_CUBIN_SHARED_BYTES 4

/* Says that the file is not valid and returns false. */
bool wb_cubin_fail(const struct wb_cubin_reader *reader, const char *format, ...) WB_PRINTF(2, 3);
bool wb_cubin_out_of_memory(const struct wb_cubin_reader *reader);

/* cubin_sections.c: sections, and which belongs to which. */
bool wb_cubin_read_sections(struct wb_cubin_reader *reader);
/* cubin_symbols.c */
bool wb_cubin_read_symbols(struct wb_cubin_reader *reader);
bool wb_cubin_read_relocations(struct wb_cubin_reader *reader);
/* cubin_head.c: layout, architecture, toolkit; needs sections. */
bool wb_cubin_read_head(struct wb_cubin_reader *reader);
/* cubin_functions.c: functions, and their facts but for those of attributes. */
bool wb_cubin_read_functions(struct wb_cubin_reader *reader);
/* cubin_attributes.c: what .nv.info says of functions. */
bool wb_cubin_read_attributes(struct wb_cubin_reader *reader);

/* The text of a string table, a section's number, at an offset; NULL with *error where it is not
 * within. */
const char *wb_cubin_string(struct wb_cubin_reader *reader, size_t table, uint64_t offset);

/* Whether a text can be the name of a section or a symbol in a listing: it has no blank, comma or
 * control character, and does not begin as a comment does. */
bool wb_cubin_is_name(const char *text);

#endif
