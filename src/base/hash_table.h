/* A hash table of numbers: item 0, 1, 2 ... of an array that the caller keeps, found by what they
 * are. Open addressing with linear probing (Knuth, The Art of Computer Programming 3, 6.4), at
 * most half full; nothing depends on addresses, so equal inputs make equal tables. */
#ifndef WB_BASE_HASH_TABLE_H
#define WB_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Invariant: no item stands twice, and more slots are free than not. Zero-initialise; free with
 * wb_hash_table_free. */
struct wb_hash_table {
  uint32_t *slots;   /* an item + 1; 0: the slot is free */
  size_t slot_count; /* a power of two, or 0 */
};

/* Whether an item of the caller's is the one that is looked for. */
typedef bool wb_hash_equal(const void *items, uint32_t item, const void *key);
/* The hash of an item of the caller's. */
typedef uint64_t wb_hash_of(const void *items, uint32_t item);

/* The slot of the item that is equal to the key, or the free slot where it belongs: it holds the
 * item + 1, or 0. To add the item the caller writes item + 1 to it, before any other call. The
 * table has slots. Inline, so that a compiler sees `equal`. */
static inline uint32_t *wb_hash_table_slot(const struct wb_hash_table *table, uint64_t hash,
                                           wb_hash_equal *equal, const void *items, const void *key)
{
  const size_t mask = table->slot_count - 1;
  size_t slot = (size_t)hash & mask;
  while (table->slots[slot] != 0 && !equal(items, table->slots[slot] - 1, key))
    slot = (slot + 1) & mask;
  return &table->slots[slot];
}

/* Makes a table without items that takes `count` of them. False where memory is out or count is
 * 2^32 - 1 or more; the table is then as it was. */
bool wb_hash_table_reserve(struct wb_hash_table *table, size_t count);

/* Doubles the slots; for wb_hash_table_grow alone. */
bool wb_hash_table_double(struct wb_hash_table *table, size_t count, wb_hash_of *hash_of,
                          const void *items);

/* Makes room for one more item where items 0 .. count - 1 are in the table, at amortised constant
 * cost: slots double. False where memory is out or count is 2^32 - 2 or more; the table is then as
 * it was. */
static inline bool wb_hash_table_grow(struct wb_hash_table *table, size_t count,
                                      wb_hash_of *hash_of, const void *items)
{
  return table->slot_count / 2 > count || wb_hash_table_double(table, count, hash_of, items);
}

/* Whether the invariant holds of a table with items 0 .. count - 1. Linear in the slots. */
bool wb_hash_table_is_valid(const struct wb_hash_table *table, size_t count);

/* Takes out all items; the slots stay. */
void wb_hash_table_clear(struct wb_hash_table *table);

/* Bytes that a reserved table for so many items takes. */
uint64_t wb_hash_table_need(size_t count);

/* Bytes held. */
uint64_t wb_hash_table_bytes(const struct wb_hash_table *table);

void wb_hash_table_free(struct wb_hash_table *table);

#endif
