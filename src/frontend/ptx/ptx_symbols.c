#include "frontend/ptx/ptx_symbols.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)1024)
#define LARGEST_BLOCK ((size_t)65536)
#define SYMBOLS_PER_BLOCK ((size_t)128)

/* Levels of the tree that one hash serves: 2 bits a level. */
#define LEVELS_PER_HASH 32

/* FNV-1a, then the finaliser of MurmurHash3 (both in the public domain), since
 * the tree branches on the highest bits. */
static uint64_t hash_name(const char *text, size_t length, uint64_t seed)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ seed;
  for (size_t i = 0; i < length; i++) {
    hash ^= (unsigned char)text[i];
    hash *= UINT64_C(0x100000001b3);
  }
  hash ^= hash >> 33;
  hash *= UINT64_C(0xff51afd7ed558ccd);
  hash ^= hash >> 33;
  hash *= UINT64_C(0xc4ceb9fe1a85ec53);
  return hash ^ (hash >> 33);
}

/* Blocks of the pool grow, so that a small module needs little. */
static bool add_pool_block(struct wb_ptx_symbols *symbols, size_t needed)
{
  struct wb_code *code = symbols->code;
  void *pool = code->pool;
  if (!wb_grow(&pool, &symbols->pool_capacity, code->pool_count + 1, sizeof *code->pool))
    return false;
  code->pool = pool;
  size_t length = FIRST_BLOCK;
  for (size_t b = 0; b < code->pool_count && length < LARGEST_BLOCK; b++)
    length *= 2;
  if (length < needed)
    length = needed;
  char *block = malloc(length);
  if (block == NULL)
    return false;
  code->pool[code->pool_count++] = block;
  symbols->free_name = block;
  symbols->free_length = length;
  return true;
}

const char *wb_ptx_pool_copy(struct wb_ptx_symbols *symbols, const char *text, size_t length)
{
  if (symbols->free_length <= length && !add_pool_block(symbols, length + 1))
    return NULL;
  char *name = symbols->free_name;
  if (length > 0)
    memcpy(name, text, length);
  name[length] = '\0';
  symbols->free_name += length + 1;
  symbols->free_length -= length + 1;
  return name;
}

static struct wb_ptx_symbol *next_free_symbol(struct wb_ptx_symbols *symbols)
{
  if (symbols->block_count == 0 || symbols->used == SYMBOLS_PER_BLOCK) {
    void *blocks = symbols->blocks;
    if (!wb_grow(&blocks, &symbols->block_capacity, symbols->block_count + 1,
                 sizeof *symbols->blocks))
      return NULL;
    symbols->blocks = blocks;
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
  const char *name = symbol != NULL ? wb_ptx_pool_copy(symbols, text, length) : NULL;
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
