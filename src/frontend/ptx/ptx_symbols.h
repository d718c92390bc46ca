/* The names of a PTX module: each stored once, in the code's pool of names, with what
 * the parser knows of it. */
#ifndef WB_FRONTEND_PTX_PTX_SYMBOLS_H
#define WB_FRONTEND_PTX_PTX_SYMBOLS_H

#include "base/name_pool.h"
#include "isa/ptx_opcodes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One name in all its roles: an opcode, a label and a function may share it. */
struct wb_ptx_symbol {
  struct wb_ptx_symbol *child[4];
  uint64_t hash;
  const char *name;
  size_t length;
  const struct wb_ptx_symbol *alias; /* .alias: the function that it stands for */
  const char *assumption;            /* as an opcode, once `classified`; static or pool */
  uint32_t label;                    /* while labels are resolved: the visible one + 1 */
  uint32_t file;                     /* as a file number: index into files + 1 */
  uint8_t unit;                      /* as an opcode: enum wb_unit */
  uint8_t transfer;                  /* as an opcode: enum wb_transfer */
  bool several;                      /* as an opcode: it can become several machine instructions */
  bool classified;                   /* unit, flow and assumption are set */
  bool unknown;                      /* as the first word of an opcode: the table lacks it */
  bool variable;                     /* declared as a register or variable somewhere */
  bool function;                     /* declared as a function */
  bool defined;                      /* declared as a function with a body */
};

/* A tree over hashes, not a hash table: names made to share a hash cost it little. Symbols stay
 * where they are until the end. */
struct wb_ptx_symbols {
  struct wb_name_pool *names; /* the code's, which the names go to; borrowed */
  struct wb_ptx_symbol *root;
  struct wb_ptx_symbol **blocks;
  size_t block_count;
  size_t block_capacity;
  size_t used; /* symbols of the last block */
};

/* The symbol of a name, made where there is none; NULL where memory is out. */
struct wb_ptx_symbol *wb_ptx_symbol(struct wb_ptx_symbols *symbols, const char *text,
                                    size_t length);

/* Frees the symbols; the names stay with the code. */
void wb_ptx_symbols_free(struct wb_ptx_symbols *symbols);

#endif
