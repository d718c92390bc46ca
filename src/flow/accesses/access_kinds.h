/* Which opcodes of SASS access memory, and how: a table that names every opcode of the load/store
 * pipe and of the tensor cores deliberately, also those that access nothing. */
#ifndef WB_FLOW_ACCESSES_ACCESS_KINDS_H
#define WB_FLOW_ACCESSES_ACCESS_KINDS_H

#include "flow/accesses/memory_space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an opcode does with memory. */
enum wb_access_action {
  WB_ACTION_NONE, /* nothing that takes sectors or passes: shuffles, queries, cache control */
  WB_ACTION_LOAD,
  WB_ACTION_STORE,
  WB_ACTION_COPY,   /* loads and stores: LDGSTS */
  WB_ACTION_UPDATE, /* an atomic that returns nothing: RED */
  WB_ACTION_ATOMIC, /* an atomic that returns a value */
  WB_ACTION_MATRIX, /* rows of 16 bytes, each of one lane's address: LDSM, STSM */
  WB_ACTION_BULK /* more than its lanes' own bytes: copies of blocks, tensor memory, textures that
                  * are filtered, products that read shared memory */
};

/* One row: an opcode without modifiers. */
struct wb_access_kind {
  const char *opcode;
  enum wb_memory_space space;
  enum wb_access_action action;
  uint8_t bytes; /* of one lane whatever the modifiers; 0: they say it */
};

/* The row for a full opcode ("LDG.E.64"), or NULL where the opcode is no access and not in the
 * table. Logarithmic. */
const struct wb_access_kind *wb_access_kind_find(const char *opcode);

/* All rows, for tests. */
const struct wb_access_kind *wb_access_kind_rows(size_t *count);

/* The bytes that one lane accesses: 1 to 32. */
uint8_t wb_access_kind_bytes(const struct wb_access_kind *kind, const char *opcode);

#endif
