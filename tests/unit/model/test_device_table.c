/* The device table: every row can be found, has a source, and normalises. */
#include "model/devices/device_table.h"
#include "model/instance.h"
#include "unit.h"

TEST(every_row_is_whole)
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  assert_true(count >= 22);
  for (size_t i = 0; i < count; i++) {
    assert_true(strlen(rows[i].source) > 10);
    assert_ptr_equal(wb_device_find(rows[i].name), &rows[i]);
    assert_int_equal(rows[i].max_threads, rows[i].max_warps * WB_WARP_SIZE);
    for (unsigned u = 0; u < WB_UNIT_TENSOR; u++)
      assert_true(rows[i].units[u].lanes > 0);
    /* Volta was the first to have tensor cores; each partition has as many as any other. */
    assert_int_equal(rows[i].units[WB_UNIT_TENSOR].lanes > 0, rows[i].major >= 7);
    assert_int_equal(rows[i].tensor_cores > 0, rows[i].major >= 7);
    assert_int_equal(rows[i].tensor_cores % rows[i].partitions, 0);
    assert_true(rows[i].major < 5 ? rows[i].partitions == 1 : rows[i].partitions > 1);
  }
}

TEST(names_are_found)
{
  static const char *const names[][2] = {
      {"5.2", "sm_52"},    {"MAXWELL", "sm_50"},    {"fermi", "sm_20"}, {"orin", "sm_87"},
      {"Xavier", "sm_72"}, {"blackwell", "sm_100"}, {"thor", "sm_110"}, {"5.3", "sm_53"},
      {"12.1", "sm_121"},  {"tx2", "sm_62"},        {"h100", "sm_90"},
  };
  for (size_t i = 0; i < COUNT_OF(names); i++)
    assert_string_equal(wb_device_find(names[i][0])->name, names[i][1]);
  assert_null(wb_device_find("sm_99"));
  assert_null(wb_device_find(""));
  assert_null(wb_device_find("ori"));
}

/* All types that a device has: sigma below 1 is a whole number of letters. */
TEST(every_row_normalises)
{
  size_t count;
  const struct wb_device *rows = wb_device_rows(&count);
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string with;
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string without;
  assert_ok(wb_kernel_string_parse("LCSDTN", NULL, &with, NULL));
  assert_ok(wb_kernel_string_parse("LCSDN", NULL, &without, NULL));
  for (size_t i = 0; i < count; i++) {
    const bool tensor = rows[i].tensor_cores > 0;
    struct wb_sm_configuration sm;
    warpbound_error error;
    wb_device_configuration(&rows[i], &sm);
    FREED_BY(wb_instance_clear) struct wb_instance instance;
    if (!tensor) {
      assert_misuse(wb_instance_make(&with, &sm, 9, 1, NULL, &instance, &error));
      assert_non_null(strstr(error.message, "expected T (tensor core)"));
    }
    assert_ok(wb_instance_make(tensor ? &with : &without, &sm, 9, 1, NULL, &instance, NULL));
    assert_int_equal(instance.problem.warps, (9 + rows[i].partitions - 1) / rows[i].partitions);
    assert_int_equal(instance.problem.issue_slots, rows[i].issue_slots);
  }
}

TEST(turing_shares_its_load_store_units)
{
  struct wb_sm_configuration sm;
  wb_device_configuration(wb_device_find("sm_75"), &sm);
  assert_true(sm.unit[WB_UNIT_LOAD_STORE].shared);
  assert_int_equal(sm.unit[WB_UNIT_LOAD_STORE].denominator, 2);
  assert_false(sm.unit[WB_UNIT_CORE].shared);
  assert_true(sm.unit[WB_UNIT_DOUBLE].shared);
  assert_int_equal(sm.unit[WB_UNIT_DOUBLE].denominator, 16);
}
