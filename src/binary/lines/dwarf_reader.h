/* Numbers and texts as DWARF writes them (dwarfstd.org). */
#ifndef WB_BINARY_LINES_DWARF_READER_H
#define WB_BINARY_LINES_DWARF_READER_H

#include "binary/cubin/cubin.h"

#include <stdbool.h>
#include <stdint.h>

/* Forms of attributes, of versions 2 to 5. */
enum wb_dwarf_form {
  WB_DWARF_FORM_ADDR = 0x01,
  WB_DWARF_FORM_BLOCK2 = 0x03,
  WB_DWARF_FORM_BLOCK4 = 0x04,
  WB_DWARF_FORM_DATA2 = 0x05,
  WB_DWARF_FORM_DATA4 = 0x06,
  WB_DWARF_FORM_DATA8 = 0x07,
  WB_DWARF_FORM_STRING = 0x08,
  WB_DWARF_FORM_BLOCK = 0x09,
  WB_DWARF_FORM_BLOCK1 = 0x0a,
  WB_DWARF_FORM_DATA1 = 0x0b,
  WB_DWARF_FORM_FLAG = 0x0c,
  WB_DWARF_FORM_SDATA = 0x0d,
  WB_DWARF_FORM_STRP = 0x0e,
  WB_DWARF_FORM_UDATA = 0x0f,
  WB_DWARF_FORM_REF_ADDR = 0x10,
  WB_DWARF_FORM_REF1 = 0x11,
  WB_DWARF_FORM_REF2 = 0x12,
  WB_DWARF_FORM_REF4 = 0x13,
  WB_DWARF_FORM_REF8 = 0x14,
  WB_DWARF_FORM_REF_UDATA = 0x15,
  WB_DWARF_FORM_SEC_OFFSET = 0x17,
  WB_DWARF_FORM_EXPRLOC = 0x18,
  WB_DWARF_FORM_FLAG_PRESENT = 0x19,
  WB_DWARF_FORM_STRX = 0x1a,
  WB_DWARF_FORM_ADDRX = 0x1b,
  WB_DWARF_FORM_DATA16 = 0x1e,
  WB_DWARF_FORM_LINE_STRP = 0x1f,
  WB_DWARF_FORM_REF_SIG8 = 0x20,
  WB_DWARF_FORM_IMPLICIT_CONST = 0x21,
  WB_DWARF_FORM_LOCLISTX = 0x22,
  WB_DWARF_FORM_RNGLISTX = 0x23,
  WB_DWARF_FORM_STRX1 = 0x25,
  WB_DWARF_FORM_STRX2 = 0x26,
  WB_DWARF_FORM_STRX3 = 0x27,
  WB_DWARF_FORM_STRX4 = 0x28,
  WB_DWARF_FORM_ADDRX1 = 0x29,
  WB_DWARF_FORM_ADDRX2 = 0x2a,
  WB_DWARF_FORM_ADDRX3 = 0x2b,
  WB_DWARF_FORM_ADDRX4 = 0x2c
};

/* The longest name that is read: without a limit a damaged file could have one long one read again
 * and again. */
enum { WB_DWARF_NAME_LONGEST = 4096 };

/* Bytes to read. After a read beyond their end `failed` is set, and every read gives 0. */
struct wb_dwarf_reader {
  const unsigned char *at;
  const unsigned char *end;
  bool failed;
};

/* Takes `count` bytes; NULL where there are fewer. */
const unsigned char *wb_dwarf_take_bytes(struct wb_dwarf_reader *reader, uint64_t count);

/* Little-endian, of 1 to 8 bytes. */
uint64_t wb_dwarf_take_number(struct wb_dwarf_reader *reader, unsigned size);

/* The bits of a number that is written seven a byte, lowest first; bits above 64 are lost. */
uint64_t wb_dwarf_take_sevens(struct wb_dwarf_reader *reader, bool is_signed);

/* A string up to its zero; NULL where none ends it. */
const char *wb_dwarf_take_string(struct wb_dwarf_reader *reader);

/* The length of a unit, which is not longer than what is left; *offset_size: bytes of its offsets,
 * 4 or 8. */
uint64_t wb_dwarf_take_length(struct wb_dwarf_reader *reader, unsigned *offset_size);

/* A string of another section; NULL where there is none, or it is too long. */
const char *wb_dwarf_string_at(const struct wb_cubin_section *strings, uint64_t offset);

/* A section of the name that has bytes; NULL: none. */
const struct wb_cubin_section *wb_dwarf_section(const struct wb_cubin *cubin, const char *name);

#endif
