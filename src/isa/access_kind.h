/* Which instructions of SASS access memory, and how: a row for every opcode of the load/store pipe
 * and of the tensor cores, also for those that access nothing. */
#ifndef WB_ISA_ACCESS_KIND_H
#define WB_ISA_ACCESS_KIND_H

#include "isa/opcode.h"

#include <stdint.h>

enum wb_memory_space {
  WB_SPACE_GLOBAL,
  WB_SPACE_SHARED,
  WB_SPACE_LOCAL,
  WB_SPACE_CONSTANT, /* LDC */
  WB_SPACE_GENERIC,  /* global, shared or local: LD, ST, ATOM without a space */
  WB_SPACE_TEXTURE,  /* textures and surfaces */
  WB_SPACE_COUNT
};

/* What an opcode does with memory. */
enum wb_access_action {
  WB_ACTION_UNLISTED, /* not in the table: no access */
  WB_ACTION_NONE,     /* nothing that takes sectors or passes: shuffles, queries, cache control */
  WB_ACTION_LOAD,
  WB_ACTION_STORE,
  WB_ACTION_COPY,         /* loads and stores: LDGSTS */
  WB_ACTION_UPDATE,       /* an atomic that returns nothing: RED */
  WB_ACTION_ATOMIC,       /* an atomic that returns a value */
  WB_ACTION_LOAD_MATRIX,  /* rows of 16 bytes, each of one lane's address: LDSM */
  WB_ACTION_STORE_MATRIX, /* STSM */
  WB_ACTION_BULK /* more than its lanes' own bytes: copies of blocks, tensor memory, textures that
                  * are filtered, products that read shared memory */
};

struct wb_access_kind {
  uint8_t space;  /* enum wb_memory_space */
  uint8_t action; /* enum wb_access_action */
  uint8_t bytes;  /* of one lane whatever the modifiers; 0: they say it */
};

/* The row of an opcode. */
const struct wb_access_kind *wb_access_kind_of(enum wb_opcode opcode);

/* The bytes that one lane of an instruction accesses: 1 to 32. */
uint8_t wb_access_bytes(const struct wb_instruction *instruction);

/* Whether an instruction loads from constant memory. */
bool wb_instruction_loads_constant(const struct wb_instruction *instruction);

#endif
