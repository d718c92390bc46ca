#include "makespan/beam/beam_pool.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Candidates that are gathered for each one kept, before the pool is cut down. */
#define GATHERED 4

uint64_t wb_beam_pool_need(size_t width)
{
  size_t capacity = GATHERED * width + 64;
  return capacity * (uint64_t)sizeof(struct wb_candidate) + wb_hash_table_need(capacity);
}

bool wb_beam_pool_start(struct wb_beam_pool *pool, size_t width)
{
  size_t capacity = GATHERED * width + 64;
  *pool = (struct wb_beam_pool){.width = width, .capacity = capacity};
  pool->candidates = wb_allocate(capacity, sizeof *pool->candidates);
  if (pool->candidates == NULL || !wb_hash_table_reserve(&pool->table, capacity))
    return false;
  wb_beam_pool_empty(pool);
  return true;
}

void wb_beam_pool_free(struct wb_beam_pool *pool)
{
  free(pool->candidates);
  wb_hash_table_free(&pool->table);
  free(pool->words);
  free(pool->spare);
  *pool = (struct wb_beam_pool){0};
}

void wb_beam_pool_empty(struct wb_beam_pool *pool)
{
  pool->count = 0;
  pool->word_count = 0;
  pool->threshold = INT64_MIN;
  wb_hash_table_clear(&pool->table);
}

static bool same_hash(const void *candidates, uint32_t index, const void *hash)
{
  return ((const struct wb_candidate *)candidates)[index].hash == *(const uint64_t *)hash;
}

/* The slot of a hash, whose lowest bits are no good. */
static uint32_t *slot_of(const struct wb_beam_pool *pool, uint64_t hash)
{
  return wb_hash_table_slot(&pool->table, hash >> 20, same_hash, pool->candidates, &hash);
}

bool wb_beam_pool_wants(struct wb_beam_pool *pool, int64_t value, uint64_t hash)
{
  if (value <= pool->threshold) {
    pool->dropped = true;
    return false;
  }
  return *slot_of(pool, hash) == 0;
}

uint32_t *wb_beam_pool_add(struct wb_beam_pool *pool, const struct wb_candidate *candidate)
{
  if (pool->count == pool->capacity && !wb_beam_pool_narrow(pool))
    return NULL;
  bool fits = pool->word_count <= UINT32_MAX - candidate->word_count &&
              wb_grow(pool->words, &pool->word_capacity, pool->word_count + candidate->word_count);
  if (!fits)
    return NULL;
  struct wb_candidate *added = &pool->candidates[pool->count];
  *added = *candidate;
  added->words = (uint32_t)pool->word_count;
  *slot_of(pool, candidate->hash) = (uint32_t)++pool->count;
  pool->word_count += candidate->word_count;
  return pool->words + added->words;
}

/* Whether a is to be kept rather than b; hashes are distinct, so one of two is. */
static bool before(const struct wb_candidate *a, const struct wb_candidate *b)
{
  return a->value != b->value ? a->value > b->value : a->hash < b->hash;
}

static void exchange(struct wb_candidate *a, struct wb_candidate *b)
{
  struct wb_candidate kept = *a;
  *a = *b;
  *b = kept;
}

/* Brings the `wanted` first of list[0..count-1] to its front (Hoare's selection). */
static void select_first(struct wb_candidate *list, size_t count, size_t wanted)
{
  size_t low = 0, high = count;
  while (high - low > 1) {
    exchange(&list[low], &list[low + (high - low) / 2]);
    size_t end = low;
    for (size_t i = low + 1; i < high; i++) {
      if (before(&list[i], &list[low]))
        exchange(&list[++end], &list[i]);
    }
    exchange(&list[low], &list[end]);
    if (end == wanted)
      return;
    if (end < wanted)
      low = end + 1;
    else
      high = end;
  }
}

/* Copies the words of the candidates kept to a fresh array, in their order. */
static bool keep_words(struct wb_beam_pool *pool)
{
  bool fits = wb_grow(pool->spare, &pool->spare_capacity, pool->word_capacity);
  if (!fits)
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < pool->count; i++) {
    struct wb_candidate *candidate = &pool->candidates[i];
    if (candidate->word_count > 0)
      memcpy(pool->spare + kept, pool->words + candidate->words,
             candidate->word_count * sizeof *pool->words);
    candidate->words = (uint32_t)kept;
    kept += candidate->word_count;
  }
  uint32_t *words = pool->words;
  size_t capacity = pool->word_capacity;
  pool->words = pool->spare;
  pool->word_capacity = pool->spare_capacity;
  pool->spare = words;
  pool->spare_capacity = capacity;
  pool->word_count = kept;
  return true;
}

bool wb_beam_pool_narrow(struct wb_beam_pool *pool)
{
  if (pool->count <= pool->width)
    return true;
  pool->dropped = true;
  select_first(pool->candidates, pool->count, pool->width);
  pool->count = pool->width;
  wb_hash_table_clear(&pool->table);
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < pool->count; i++) {
    least = pool->candidates[i].value < least ? pool->candidates[i].value : least;
    *slot_of(pool, pool->candidates[i].hash) = (uint32_t)i + 1;
  }
  /* One of the threshold's own value can still displace another by its hash. */
  pool->threshold = least - 1;
  return keep_words(pool);
}
