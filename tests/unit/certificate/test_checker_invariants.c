/* The checks of the checkers' own tables: sound ones pass, and each way to spoil one is seen. */
#include "certificate/potential/potential_machine.h"
#include "certificate/runs/run_class.h"
#include "unit.h"

TEST(a_map_stays_sound)
{
  FREED_BY(wb_check_content_map_free) struct wb_check_content_map map = {0};
  assert_true(wb_check_content_map_is_sound(&map));
  for (uint32_t i = 0; i < 1000; i++) {
    const struct wb_check_content_value entry = {.content = {.warps = {i % 300, i / 7}},
                                                 .value = -(int64_t)i};
    wb_check_content_map_add(&map, &entry);
    assert_true(wb_check_content_map_is_sound(&map));
  }
  for (size_t i = 0; i < map.count; i++)
    assert_ptr_equal(wb_check_content_map_find(&map, &map.list[i].content), &map.list[i]);
  wb_check_content_map_clear(&map);
  assert_true(wb_check_content_map_is_sound(&map));
}

TEST(a_spoilt_map_is_seen)
{
  FREED_BY(wb_check_content_map_free) struct wb_check_content_map map = {0};
  for (uint32_t i = 0; i < 3; i++)
    wb_check_content_map_add(
        &map, &(struct wb_check_content_value){.content = {.work = {i}}, .value = 1});
  map.list[1].content.work[0] = 2; /* two entries of one content */
  assert_false(wb_check_content_map_is_sound(&map));
  map.list[1].content.work[0] = 9; /* not where its content belongs */
  assert_false(wb_check_content_map_is_sound(&map));
  map.list[1].content.work[0] = 1;
  assert_true(wb_check_content_map_is_sound(&map));
  map.count--; /* a slot of no entry */
  assert_false(wb_check_content_map_is_sound(&map));
  map.count++;
}

TEST(a_spoilt_machine_is_seen)
{
  struct wb_check_step_kind kinds[] = {
      {.from = 0, .to = 1, .length = 2}, {.from = 0, .to = 1, .length = 3}, {.from = 1, .to = 2}};
  struct wb_check_potential_machine machine = {
      .pool = {{.type = 'L', .service = 1, .most_warps = 1},
               {.type = 'C', .service = 2, .most_warps = 3}},
      .pool_count = 2,
      .leave = {kinds, 3},
      .own_leave = {kinds + 2, 1},
  };
  assert_true(wb_check_potential_machine_is_sound(&machine));
  machine.pool[1].type = 'L';
  assert_false(wb_check_potential_machine_is_sound(&machine));
  machine.pool[1].type = 'C';
  machine.pool[1].most_warps = 1;
  assert_false(wb_check_potential_machine_is_sound(&machine));
  machine.pool[1].most_warps = 2;
  machine.own_leave.list = kinds;
  assert_false(wb_check_potential_machine_is_sound(&machine));
  machine.own_leave.list = kinds + 2;
  kinds[1].length = 2;
  assert_false(wb_check_potential_machine_is_sound(&machine));
}

TEST(every_class_of_a_level_is_one)
{
  static const uint32_t lengths[] = {2, 1, 3};
  FREED_BY(wb_check_run_states_free) struct wb_check_run_states states;
  struct wb_check_run_group groups[3];
  assert_ok(wb_check_run_states_make(&states, lengths, 3, 4, NULL));
  for (uint64_t level = 0; level < states.levels; level++) {
    size_t count;
    wb_check_run_states_first(&states, level, groups, &count);
    do {
      assert_true(wb_check_run_states_is_class(&states, groups, count));
      assert_int_equal(wb_check_run_states_level(&states, groups, count), level);
    } while (wb_check_run_states_next(&states, groups, &count));
  }
  groups[0] = (struct wb_check_run_group){.segment = 1, .warps = 2};
  groups[1] = (struct wb_check_run_group){.segment = 2, .warps = 3};
  assert_false(wb_check_run_states_is_class(&states, groups, 2)); /* five warps */
  groups[1].warps = 0;
  assert_false(wb_check_run_states_is_class(&states, groups, 2));
  groups[1] = groups[0];
  assert_false(wb_check_run_states_is_class(&states, groups, 2)); /* one segment twice */
  groups[0].segment = 3;
  assert_false(wb_check_run_states_is_class(&states, groups, 1));
}
