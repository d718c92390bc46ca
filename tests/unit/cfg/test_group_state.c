/* What is known of a group of lanes: values, scopes, who is together, and joins of all of it. */
#include "base/text.h"
#include "cfg/reconvergence_barriers/group_state.h"
#include "unit.h"

#define B0 WB_REGISTER_BARRIER
#define P0 WB_REGISTER_PREDICATE
#define SLOT WB_LOCATION_SLOTS

static struct wb_known_value number(uint32_t addend)
{
  return (struct wb_known_value){.kind = WB_KNOWN_NUMBER, .addend = addend};
}

static struct wb_known_value bound(enum wb_known_kind kind, uint64_t scope)
{
  return (struct wb_known_value){.kind = (uint8_t)kind, .base = scope};
}

static struct wb_known_value unless(uint64_t scope, uint16_t predicate, bool unbound_where)
{
  return (struct wb_known_value){.kind = WB_KNOWN_SCOPE_UNLESS,
                                 .base = scope,
                                 .predicate = predicate,
                                 .unbound_where = unbound_where};
}

static void set(struct wb_group *group, uint32_t location, struct wb_known_value value)
{
  assert_true(wb_group_set(group, location, &value));
}

static void expect_known(const struct wb_group *group, uint32_t location,
                         const struct wb_known_value *expected)
{
  const struct wb_known_value *found = wb_group_value(group, location);
  assert_int_equal(found == NULL, expected == NULL);
  assert_true(found == NULL || wb_known_equal(found, expected));
}

/* The set of one register, as a number. */
static uint32_t set_of(struct wb_register_sets *sets, uint16_t first, uint16_t count)
{
  struct wb_register_set registers = {{0}};
  wb_register_set_add(&registers, (struct wb_register_span){first, count});
  return wb_register_sets_number(sets, &registers);
}

/* ---- values ---- */

TEST(values_are_set_and_found)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  const struct wb_known_value five = number(5);
  const struct wb_known_value six = number(6);
  assert_true(wb_register_sets_start(&sets));
  for (uint32_t i = 0; i < 40; i++)
    set(&group, i * 7 % 40, number(i));
  assert_int_equal(group.known_count, 40);
  assert_null(wb_group_check(&sets, &group));
  for (uint32_t i = 0; i < 40; i++)
    assert_int_equal(wb_group_value(&group, i * 7 % 40)->addend, i);
  set(&group, 3, five);
  expect_known(&group, 3, &five);
  set(&group, SLOT + 3, six);
  expect_known(&group, SLOT + 3, &six);
  expect_known(&group, SLOT + 2, NULL);
  assert_true(wb_group_set(&group, 3, NULL));
  assert_true(wb_group_set(&group, 3, NULL));
  expect_known(&group, 3, NULL);
  assert_int_equal(group.known_count, 40);
  /* A value may be one of the group's own. */
  assert_true(wb_group_set(&group, 0, wb_group_value(&group, SLOT + 3)));
  assert_true(wb_group_set(&group, 200, wb_group_value(&group, 0)));
  expect_known(&group, 200, &six);
  assert_null(wb_group_check(&sets, &group));
}

TEST(predicates_tell_whether_lanes_left)
{
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  struct wb_known_value storage;
  const struct wb_known_value left = unless(4, P0, true);
  const struct wb_known_value in = bound(WB_KNOWN_SCOPE, 4);
  set(&group, B0, left);
  assert_true(wb_known_equal(wb_group_binding(&group, B0, &storage), &left));
  assert_true(wb_group_assume_predicate(&group, P0, true));
  assert_null(wb_group_binding(&group, B0, &storage));
  assert_true(wb_group_assume_predicate(&group, P0, false));
  assert_true(wb_known_equal(wb_group_binding(&group, B0, &storage), &in));
  set(&group, B0, unless(4, P0, false));
  assert_null(wb_group_binding(&group, B0, &storage));
  /* What is known of another predicate tells nothing. */
  set(&group, B0, unless(4, P0 + 1, true));
  assert_int_equal(wb_group_binding(&group, B0, &storage)->kind, WB_KNOWN_SCOPE_UNLESS);
}

TEST(two_values_join)
{
  const struct wb_known_value none = bound(WB_KNOWN_UNBOUND, 0);
  const struct wb_known_value in = bound(WB_KNOWN_SCOPE, 4);
  const struct wb_known_value other = bound(WB_KNOWN_SCOPE, 5);
  const struct wb_known_value maybe = bound(WB_KNOWN_SCOPE_MAYBE, 4);
  const struct wb_known_value left = unless(4, P0, true);
  const struct wb_known_value any = bound(WB_KNOWN_ANY, 0);
  const struct wb_known_value five = number(5);
  const struct wb_known_value six = number(6);
  const struct {
    uint32_t location;
    const struct wb_known_value *a;
    const struct wb_known_value *b;
    const struct wb_known_value *joined;
  } cases[] = {
      {2, &five, &five, &five}, {2, &five, &six, NULL},     {2, &five, NULL, NULL},
      {2, NULL, NULL, NULL},    {2, &in, NULL, NULL},       {2, &in, &none, &maybe},
      {2, &in, &other, NULL},   {2, &in, &five, NULL},      {2, &left, &in, &maybe},
      {2, &left, &left, &left}, {SLOT, &in, &in, &in},      {B0, NULL, NULL, NULL},
      {B0, &in, NULL, &maybe},  {B0, &left, NULL, &maybe},  {B0, &in, &other, &any},
      {B0, &any, NULL, &any},   {B0, &any, &in, &any},      {B0, &maybe, &left, &maybe},
      {B0, &in, &in, &in},      {B0, &maybe, &other, &any},
  };
  for (size_t c = 0; c < COUNT_OF(cases); c++) {
    struct wb_known_value joined;
    struct wb_known_value reversed;
    const bool there = wb_known_join(cases[c].location, cases[c].a, cases[c].b, &joined);
    assert_int_equal(there, cases[c].joined != NULL);
    assert_int_equal(wb_known_join(cases[c].location, cases[c].b, cases[c].a, &reversed), there);
    assert_true(!there || wb_known_equal(&joined, cases[c].joined));
    assert_true(!there || wb_known_equal(&reversed, cases[c].joined));
  }
}

/* The sides of a branch by the predicate of a BREAK are told apart when they join. */
TEST(joins_use_what_predicates_say)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  FREED_BY(wb_group_clear) struct wb_group gone = {.reached = true};
  FREED_BY(wb_group_clear) struct wb_group here = {.reached = true};
  bool changed = false;
  const struct wb_known_value maybe = bound(WB_KNOWN_SCOPE_MAYBE, 4);
  const struct wb_known_value left = unless(4, P0, true);
  assert_true(wb_register_sets_start(&sets));
  set(&gone, B0, left);
  assert_true(wb_group_copy(&here, &gone));
  assert_true(wb_group_assume_predicate(&gone, P0, true));
  assert_true(wb_group_assume_predicate(&here, P0, false));
  /* One value, whatever the predicate is: it stays. */
  FREED_BY(wb_group_clear) struct wb_group both = {0};
  assert_true(wb_group_join(&sets, &both, &gone, &changed));
  assert_true(wb_group_join(&sets, &both, &here, &changed));
  expect_known(&both, B0, &left);
  expect_known(&both, P0, NULL);
  /* Of those that have left and new ones: bound to none, or to another scope. */
  set(&here, B0, bound(WB_KNOWN_SCOPE, 5));
  assert_true(wb_group_join(&sets, &gone, &here, &changed));
  assert_int_equal(wb_group_value(&gone, B0)->kind, WB_KNOWN_SCOPE_MAYBE);
  assert_int_equal(wb_group_value(&gone, B0)->base, 5);
  /* Lanes that are all in it, and lanes of which some have left. */
  set(&here, B0, unless(4, P0 + 1, false));
  assert_true(wb_group_assume_predicate(&here, P0 + 1, true));
  set(&both, B0, bound(WB_KNOWN_SCOPE, 4));
  assert_true(wb_group_join(&sets, &both, &here, &changed));
  assert_int_equal(wb_group_value(&both, B0)->kind, WB_KNOWN_SCOPE);
  assert_true(wb_group_assume_predicate(&here, P0 + 1, false));
  assert_true(wb_group_join(&sets, &both, &here, &changed));
  expect_known(&both, B0, &maybe);
}

TEST(what_is_written_is_forgotten)
{
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  struct wb_register_set written = {{0}};
  const struct wb_known_value five = number(5);
  const struct wb_known_value in = bound(WB_KNOWN_SCOPE, 4);
  const struct wb_known_value maybe = bound(WB_KNOWN_SCOPE_MAYBE, 5);
  const struct wb_known_value none = bound(WB_KNOWN_UNBOUND, 0);
  set(&group, 2, five);
  set(&group, 3, five);
  set(&group, 4, unless(4, P0, true));
  set(&group, P0, (struct wb_known_value){.kind = WB_KNOWN_TRUTH, .addend = 1});
  set(&group, B0, unless(4, P0, false));
  set(&group, B0 + 1, unless(4, P0, true));
  set(&group, B0 + 2, unless(5, P0 + 1, true));
  set(&group, B0 + 3, in);
  set(&group, SLOT, five);
  wb_register_set_add(&written, (struct wb_register_span){3, 1});
  wb_register_set_add(&written, (struct wb_register_span){P0, 2});
  wb_register_set_add(&written, (struct wb_register_span){B0, 16});
  wb_group_forget(&group, &written);
  expect_known(&group, 2, &five);
  expect_known(&group, 3, NULL);
  expect_known(&group, 4, &none); /* P0 was true: these lanes had left */
  expect_known(&group, P0, NULL);
  expect_known(&group, B0, &in); /* these had not */
  expect_known(&group, B0 + 1, NULL);
  expect_known(&group, B0 + 2, &maybe); /* of P1 nothing was known */
  expect_known(&group, B0 + 3, &in);
  expect_known(&group, SLOT, &five);
}

TEST(constants_agree_in_all_lanes)
{
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  struct wb_register_set agreed = {{0}};
  set(&group, 2, number(5));
  set(&group, 3, (struct wb_known_value){.kind = WB_KNOWN_CONSTANT, .base = 16});
  set(&group, 4, (struct wb_known_value){.kind = WB_KNOWN_LAUNCH, .addend = 3});
  set(&group, 5, bound(WB_KNOWN_SCOPE, 1));
  set(&group, P0, (struct wb_known_value){.kind = WB_KNOWN_TRUTH, .addend = 1});
  set(&group, SLOT + 6, number(5));
  wb_group_add_constants(&group, &agreed);
  struct wb_register_set expected = {{0}};
  wb_register_set_add(&expected, (struct wb_register_span){2, 3});
  /* A predicate that is true in this group may be false in another. */
  assert_memory_equal(&agreed, &expected, sizeof agreed);
}

/* ---- lanes that were together ---- */

TEST(lanes_part_and_write)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  struct wb_together lanes = {0};
  assert_true(wb_register_sets_start(&sets));
  const uint32_t low = set_of(&sets, 0, 4);
  const uint32_t high = set_of(&sets, 2, 4);
  wb_together_wrote(&sets, &lanes, low);
  assert_int_equal(lanes.lost, WB_REGISTERS_NONE); /* the group is all of them */
  wb_together_part(&sets, &lanes, low);
  assert_true(lanes.apart);
  assert_int_equal(lanes.agreement, low);
  wb_together_wrote(&sets, &lanes, set_of(&sets, 2, 1));
  wb_together_wrote(&sets, &lanes, set_of(&sets, 9, 1));
  assert_true(wb_register_sets_include(&sets, lanes.lost, set_of(&sets, 2, 1)));
  assert_true(wb_register_sets_include(&sets, lanes.lost, set_of(&sets, 9, 1)));
  wb_together_part(&sets, &lanes, high);
  assert_int_equal(lanes.agreement, set_of(&sets, 2, 2));
  const struct wb_together whole = {0};
  struct wb_together joined = whole;
  assert_true(wb_together_join(&sets, &joined, &lanes));
  assert_memory_equal(&joined, &lanes, sizeof lanes);
  assert_false(wb_together_join(&sets, &joined, &whole));
  assert_false(wb_together_join(&sets, &joined, &lanes));
  const struct wb_together other = {true, low, set_of(&sets, 20, 1)};
  assert_true(wb_together_join(&sets, &joined, &other));
  assert_int_equal(joined.agreement, set_of(&sets, 2, 2));
  assert_true(wb_register_sets_include(&sets, joined.lost, other.lost));
  assert_true(wb_register_sets_include(&sets, joined.lost, lanes.lost));
}

/* ---- scopes ---- */

TEST(scopes_open_and_close)
{
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  const struct wb_known_value any = bound(WB_KNOWN_ANY, 0);
  const struct wb_known_value none = bound(WB_KNOWN_UNBOUND, 0);
  for (uint32_t s = 0; s < 5; s++) {
    assert_true(wb_group_open(&group, s));
    set(&group, B0 + s, bound(WB_KNOWN_SCOPE, s));
  }
  set(&group, 7, bound(WB_KNOWN_SCOPE, 1));
  set(&group, SLOT, bound(WB_KNOWN_SCOPE_MAYBE, 2));
  assert_int_equal(wb_group_scope(&group, 3), 3);
  assert_int_equal(wb_group_scope(&group, 9), SIZE_MAX);
  /* Made again it is the innermost, and what was bound to the earlier execution is not to it. */
  assert_true(wb_group_open(&group, 1));
  assert_int_equal(group.scope_count, 5);
  assert_int_equal(wb_group_scope(&group, 1), 4);
  assert_false(group.scopes[4].together.apart);
  expect_known(&group, B0 + 1, &any);
  expect_known(&group, 7, NULL);
  /* Lanes that leave take all bindings with them. */
  set(&group, B0 + 7, unless(2, P0, true));
  wb_group_leave(&group, 2);
  assert_int_equal(wb_group_scope(&group, 2), SIZE_MAX);
  expect_known(&group, B0 + 2, NULL);
  expect_known(&group, B0 + 7, NULL);
  expect_known(&group, SLOT, &none);
  wb_group_leave(&group, 2);
  assert_int_equal(group.scope_count, 4);
  /* While a register may be bound to any scope, none is surely unbound. */
  assert_true(wb_group_set(&group, B0 + 3, NULL));
  wb_group_close_unbound(&group);
  assert_int_equal(group.scope_count, 4);
  assert_true(wb_group_set(&group, B0 + 1, NULL));
  wb_group_close_unbound(&group);
  assert_int_equal(group.scope_count, 2);
  assert_int_equal(group.scopes[0].scope, 0);
  assert_int_equal(group.scopes[1].scope, 4);
  wb_group_close(&group, 0);
  assert_int_equal(wb_group_scope(&group, 4), 0);
}

TEST(copies_stand_alone)
{
  FREED_BY(wb_group_clear)
  struct wb_group group = {.reached = true, .origin = WB_ORIGIN_ANY, .mixed = true};
  FREED_BY(wb_group_clear) struct wb_group copy = {0};
  FREED_BY(wb_text_free) struct wb_text text = {0};
  assert_true(wb_group_open(&group, 6));
  set(&group, B0, bound(WB_KNOWN_SCOPE, 6));
  assert_true(wb_group_copy(&copy, &group));
  assert_true(wb_group_copy(&copy, &copy));
  set(&group, B0, bound(WB_KNOWN_ANY, 0));
  wb_group_close(&group, 0);
  assert_int_equal(copy.scope_count, 1);
  assert_int_equal(wb_group_value(&copy, B0)->kind, WB_KNOWN_SCOPE);
  assert_true(copy.reached && copy.mixed && copy.origin == WB_ORIGIN_ANY);
  wb_group_print(&copy, &text);
  assert_string_equal(text.data, "[origin 1, mixed, scopes 6, known B0:6(6+0,0)]");
}
