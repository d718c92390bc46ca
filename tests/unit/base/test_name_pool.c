/* The pool of names: texts stay where they are. */
#include "base/name_pool.h"
#include "unit.h"

#define NAMES 5000

TEST(texts_stay_where_they_are)
{
  static const char *copies[NAMES];
  struct wb_name_pool pool = {0};
  char name[32];
  for (int i = 0; i < NAMES; i++) {
    const int length = snprintf(name, sizeof name, "name %d of many", i * 7919);
    copies[i] = wb_name_pool_copy(&pool, name, (size_t)length);
    assert_non_null(copies[i]);
  }
  for (int i = 0; i < NAMES; i++) {
    snprintf(name, sizeof name, "name %d of many", i * 7919);
    assert_string_equal(copies[i], name);
  }
  assert_true(pool.block_count > 3);
  wb_name_pool_free(&pool);
  assert_int_equal(pool.block_count, 0);
}

TEST(a_text_is_cut_to_its_length)
{
  FREED_BY(wb_name_pool_free) struct wb_name_pool pool = {0};
  const char *short_one = wb_name_pool_copy(&pool, "opcode.wide", 6);
  const char *empty = wb_name_pool_copy(&pool, NULL, 0);
  assert_string_equal(short_one, "opcode");
  assert_string_equal(empty, "");
  assert_ptr_equal(empty, short_one + 7);
}

/* Of the first block's 1024 bytes a text of 1023 fills all, one of 1024 does not fit. */
TEST(a_text_longer_than_a_block_has_its_own)
{
  static char text[200000];
  memset(text, 'x', sizeof text);
  FREED_BY(wb_name_pool_free) struct wb_name_pool pool = {0};
  assert_non_null(wb_name_pool_copy(&pool, text, 1023));
  assert_int_equal(pool.rest_length, 0);
  const char *all = wb_name_pool_copy(&pool, text, sizeof text);
  assert_non_null(all);
  assert_int_equal(strlen(all), sizeof text);
  assert_int_equal(pool.block_count, 2);
  assert_non_null(wb_name_pool_copy(&pool, "a", 1));
  assert_int_equal(pool.block_count, 3);
}
