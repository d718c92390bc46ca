/* Where the text of a PTX module can be added to: the end of its head, the ends of one kernel's
 * body, and the beginning of each instruction of that. */
#ifndef WB_INSTRUMENT_KERNEL_TEXT_H
#define WB_INSTRUMENT_KERNEL_TEXT_H

#include "base/arena.h"
#include "model/code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the text, in bytes. */
struct wb_text_part {
  size_t start;
  size_t length;
};

/* An instruction in the text. */
struct wb_instruction_place {
  size_t start;                 /* of its first token: the '@' of a guard, else the opcode */
  struct wb_text_part guard;    /* the predicate's name; length 0: it has none */
  struct wb_text_part location; /* the .loc that holds for it; length 0: none in the body so far */
  bool guard_negated;
};

/* Invariants: head_end < body_start <= body_end; places has one row for each instruction of the
 * kernel, by ascending start, all in the body; they are an arena's. */
struct wb_kernel_text {
  size_t head_end;      /* after .version, .target and .address_size */
  size_t body_start;    /* after the brace that opens the body */
  size_t body_end;      /* at the brace that closes it */
  uint32_t version;     /* 806 of PTX 8.6 */
  uint32_t target;      /* 75 of sm_75; 0: not known */
  uint32_t file_number; /* the largest of a .file or .loc */
  bool wide;            /* addresses have 64 bits; without .address_size: the module declares
                         * registers of 64 bits */
  struct wb_instruction_place *places;
};

/* Finds the places of a kernel in the text that it was parsed from. Errors: WARPBOUND_INTERNAL.
 * Linear. */
warpbound_status wb_kernel_text_read(const struct wb_code *code, size_t kernel, const char *text,
                                     size_t length, struct wb_arena *arena,
                                     struct wb_kernel_text *places, warpbound_error *error);

/* The number N after the largest of all "warpbound" N "_" in the text, a missing N being 0; or 0
 * where there are none: so that names which begin with it are new. Linear. */
uint64_t wb_free_prefix(const char *text, size_t length);

#endif
