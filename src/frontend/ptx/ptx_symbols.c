#include "frontend/ptx/ptx_symbols.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SYMBOLS_PER_BLOCK ((size_t)128)

/* Levels of the tree that one hash serves: 2 bits a level. */
#define LEVELS_PER_HASH 32

/* Finished, since the tree branches on the highest bits. */
static uint64_t hash_name(const char *text, size_t length, uint64_t seed)
{
  return wb_hash_finish(wb_hash_bytes(WB_HASH_START ^ seed, text, length));
}

static struct wb_ptx_symbol *next_free_symbol(struct wb_ptx_symbols *symbols)
{
  if (symbols->block_count == 0 || symbols->used == SYMBOLS_PER_BLOCK) {
    if (!wb_grow(symbols->blocks, &symbols->block_capacity, symbols->block_count + 1))
      return NULL;
    struct wb_ptx_symbol *block = wb_allocate(SYMBOLS_PER_BLOCK, sizeof *block);
    if (block == NULL)
      return NULL;
    symbols->blocks[symbols->block_count++] = block;
    symbols->used = 0;
  }
  return &symbols->blocks[symbols->block_count - 1][symbols->used];
}

static struct wb_ptx_symbol *make_symbol(struct wb_ptx_symbols *symbols, const char *text,
                                         size_t length, uint64_t hash)
{
  struct wb_ptx_symbol *symbol = next_free_symbol(symbols);
  const char *name = symbol != NULL ? wb_name_pool_copy(symbols->names, text, length) : NULL;
  if (name == NULL)
    return NULL;
  symbols->used++;
  symbol->name = name;
  symbol->length = length;
  symbol->hash = hash;
  return symbol;
}

/* Where a hash has no bits left, one with another seed goes on: names made to
 * share a hash do not share the next, so that no input makes the tree a list. */
struct wb_ptx_symbol *wb_ptx_symbol(struct wb_ptx_symbols *symbols, const char *text, size_t length)
{
  uint64_t hash = hash_name(text, length, 0);
  uint64_t path = hash;
  struct wb_ptx_symbol **place = &symbols->root;
  for (uint64_t level = 1; *place != NULL; level++) {
    struct wb_ptx_symbol *symbol = *place;
    if (symbol->hash == hash && symbol->length == length && memcmp(symbol->name, text, length) == 0)
      return symbol;
    place = &symbol->child[path >> 62];
    path = level % LEVELS_PER_HASH == 0 ? hash_name(text, length, level) : path << 2;
  }
  *place = make_symbol(symbols, text, length, hash);
  return *place;
}

void wb_ptx_symbols_free(struct wb_ptx_symbols *symbols)
{
  for (size_t b = 0; b < symbols->block_count; b++)
    free(symbols->blocks[b]);
  free(symbols->blocks);
  *symbols = (struct wb_ptx_symbols){0};
}
