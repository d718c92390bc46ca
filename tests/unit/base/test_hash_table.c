/* The hash table: finding, adding, growing, its invariant. */
#include "base/hash.h"
#include "base/hash_table.h"
#include "unit.h"

#define ITEMS 20000

/* Vectors of the authors of FNV (isthe.com/chongo/tech/comp/fnv). */
TEST(bytes_hash_as_published)
{
  assert_true(wb_hash_bytes(WB_HASH_START, NULL, 0) == UINT64_C(0xcbf29ce484222325));
  assert_true(wb_hash_bytes(WB_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  assert_true(wb_hash_bytes(WB_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

TEST(words_hash_one_to_one_and_spread)
{
  unsigned low[16] = {0};
  for (uint64_t word = 0; word < 16000; word++)
    low[wb_hash_word(0, word << 20) & 15]++;
  for (unsigned i = 0; i < 16; i++)
    assert_in_range(low[i], 800, 1200);
  assert_true(wb_hash_finish(1) != wb_hash_finish(2));
  assert_true(wb_hash_finish(0) == 0);
}

static uint64_t good_hash(const void *items, uint32_t item)
{
  return wb_hash_word(0, ((const uint64_t *)items)[item]);
}

/* Of only four values: probing has to do the rest. */
static uint64_t poor_hash(const void *items, uint32_t item)
{
  return ((const uint64_t *)items)[item] & 3;
}

static bool equal(const void *items, uint32_t item, const void *key)
{
  return ((const uint64_t *)items)[item] == *(const uint64_t *)key;
}

static void find_and_add(wb_hash_of *hash_of, uint32_t count)
{
  uint64_t *items = calloc(count + 1, sizeof *items);
  FREED_BY(wb_hash_table_free) struct wb_hash_table table = {0};
  assert_non_null(items);
  for (uint32_t i = 0; i < count; i++) {
    items[i] = (uint64_t)i * 1000003;
    assert_true(wb_hash_table_grow(&table, i, hash_of, items));
    assert_true(table.slot_count >= 2 * (i + (size_t)1));
    uint32_t *slot = wb_hash_table_slot(&table, hash_of(items, i), equal, items, &items[i]);
    assert_int_equal(*slot, 0);
    *slot = i + 1;
  }
  for (uint32_t i = 0; i < count; i++)
    assert_int_equal(*wb_hash_table_slot(&table, hash_of(items, i), equal, items, &items[i]),
                     i + 1);
  const uint64_t absent = 1;
  items[count] = absent;
  assert_int_equal(*wb_hash_table_slot(&table, hash_of(items, count), equal, items, &absent), 0);
  assert_true(table.slot_count <= 4 * (size_t)count + 64);
  assert_true(wb_hash_table_bytes(&table) == table.slot_count * sizeof(uint32_t));
  assert_true(wb_hash_table_is_valid(&table, count));
  assert_false(wb_hash_table_is_valid(&table, count - 1));
  assert_false(wb_hash_table_is_valid(&table, count + 1));
  table.slot_count++;
  assert_false(wb_hash_table_is_valid(&table, count));
  table.slot_count--;
  wb_hash_table_clear(&table);
  assert_true(wb_hash_table_is_valid(&table, 0));
  assert_int_equal(*wb_hash_table_slot(&table, hash_of(items, 0), equal, items, &items[0]), 0);
  free(items);
}

TEST(items_are_found_while_it_grows)
{
  find_and_add(good_hash, ITEMS);
}

TEST(items_of_one_hash_are_told_apart)
{
  find_and_add(poor_hash, 500);
}

TEST(room_is_made_at_once)
{
  FREED_BY(wb_hash_table_free) struct wb_hash_table table = {0};
  assert_true(wb_hash_table_reserve(&table, 512));
  assert_int_equal(table.slot_count, 1024);
  uint32_t *slots = table.slots;
  assert_true(wb_hash_table_grow(&table, 511, good_hash, NULL));
  assert_ptr_equal(table.slots, slots);
}

TEST(too_many_items_are_refused)
{
  struct wb_hash_table table = {0};
  assert_false(wb_hash_table_reserve(&table, UINT32_MAX));
  assert_false(wb_hash_table_grow(&table, UINT32_MAX - 1, good_hash, NULL));
  assert_null(table.slots);
}
