/* Joins of random groups against what groups mean: lanes that either allows, the join allows; and
 * the invariants of a group, broken one by one. */
#include "base/random.h"
#include "cfg/reconvergence_barriers/group_state.h"
#include "unit.h"

#define B0 WB_REGISTER_BARRIER
#define P0 WB_REGISTER_PREDICATE
#define PAIRS 4000

/* ---- what lanes hold ---- */

/* Locations that hold numbers or bindings: two registers, two barrier registers, a word. */
enum { PLACES = 5, SCOPES = 3 };
static const uint32_t places[PLACES] = {2, 3, B0, B0 + 1, WB_LOCATION_SLOTS + 1};

/* In a place: the number -value-1, no scope, scope value-1, or a mask from where it is not known.
 */
enum { HELD_FIRST = -2, HELD_NONE = 0, HELD_LOST = SCOPES + 1, HELD_LAST = HELD_LOST };

struct lane {
  int held[PLACES];
  bool predicates[2];
};

/* Whether a binding is to the scope, or to none, that a lane holds. */
static bool allows_binding(const struct wb_known_value *value, const struct lane *lane, int held)
{
  const bool bound = held == (int)value->base + 1;
  switch (value->kind) {
  case WB_KNOWN_UNBOUND:
    return held == HELD_NONE;
  case WB_KNOWN_SCOPE:
    return bound;
  case WB_KNOWN_SCOPE_UNLESS:
    return lane->predicates[value->predicate - P0] == value->unbound_where ? held == HELD_NONE
                                                                           : bound;
  case WB_KNOWN_SCOPE_MAYBE:
    return bound || held == HELD_NONE;
  case WB_KNOWN_LOST:
    return held == HELD_LOST || held == HELD_NONE;
  case WB_KNOWN_LOST_OR_SCOPE:
    return bound || held == HELD_LOST || held == HELD_NONE;
  default:
    return held >= HELD_NONE;
  }
}

static bool allows_place(const struct wb_group *group, const struct lane *lane, size_t place)
{
  const struct wb_known_value *value = wb_group_value(group, places[place]);
  const int held = lane->held[place];
  if (value == NULL)
    return places[place] < B0 || places[place] >= WB_LOCATION_SLOTS || held == HELD_NONE;
  if (value->kind == WB_KNOWN_NUMBER)
    return held < HELD_NONE && value->addend == (uint32_t)(-held - 1);
  return allows_binding(value, lane, held);
}

static bool allows(const struct wb_group *group, const struct lane *lane)
{
  bool allowed = group->reached;
  for (unsigned p = 0; p < 2; p++) {
    const struct wb_known_value *value = wb_group_value(group, P0 + p);
    allowed = allowed && (value == NULL || lane->predicates[p] == (value->addend != 0));
  }
  for (size_t p = 0; p < PLACES && allowed; p++)
    allowed = allows_place(group, lane, p);
  return allowed;
}

/* A lane that the group allows, if one is found quickly. */
static bool find_lane(struct wb_random *random, const struct wb_group *group, struct lane *lane)
{
  for (unsigned p = 0; p < 2; p++) {
    const struct wb_known_value *value = wb_group_value(group, P0 + p);
    lane->predicates[p] = value != NULL ? value->addend != 0 : wb_random_below(random, 2) != 0;
  }
  for (size_t p = 0; p < PLACES; p++) {
    int tries = 50;
    do {
      lane->held[p] = HELD_FIRST + (int)wb_random_below(random, HELD_LAST - HELD_FIRST + 1);
    } while (!allows_place(group, lane, p) && tries-- > 0);
  }
  return allows(group, lane);
}

/* ---- random groups ---- */

static struct wb_known_value random_value(struct wb_random *random, bool barrier)
{
  struct wb_known_value value = {.base = wb_random_below(random, SCOPES)};
  const uint64_t first = barrier ? 2 : 0;
  switch (first + wb_random_below(random, barrier ? 6 : 5)) {
  case 0:
    value = (struct wb_known_value){.addend = (uint32_t)wb_random_below(random, 2)};
    break;
  case 1:
    value = (struct wb_known_value){.kind = WB_KNOWN_UNBOUND};
    break;
  case 2:
    value.kind = WB_KNOWN_SCOPE;
    break;
  case 3:
    value.kind = WB_KNOWN_SCOPE_UNLESS;
    value.predicate = (uint16_t)(P0 + wb_random_below(random, 2));
    value.unbound_where = wb_random_below(random, 2) != 0;
    break;
  case 4:
    value.kind = WB_KNOWN_SCOPE_MAYBE;
    break;
  case 5:
    value = (struct wb_known_value){.kind = WB_KNOWN_ANY};
    break;
  case 6:
    value = (struct wb_known_value){.kind = WB_KNOWN_LOST};
    break;
  default:
    value.kind = WB_KNOWN_LOST_OR_SCOPE;
    break;
  }
  return value;
}

static uint32_t random_set(struct wb_random *random, struct wb_register_sets *sets)
{
  struct wb_register_set set = {{wb_random_below(random, 16)}};
  return wb_register_sets_number(sets, &set);
}

static struct wb_together random_together(struct wb_random *random, struct wb_register_sets *sets)
{
  struct wb_together together = {.apart = wb_random_below(random, 2) != 0};
  if (together.apart) {
    together.agreement = random_set(random, sets);
    together.lost = random_set(random, sets);
  }
  return together;
}

/* Whole, not known, or some of three partings. */
static uint32_t random_origin(struct wb_random *random, struct wb_register_sets *sets)
{
  if (wb_random_below(random, 2) != 0)
    return wb_random_below(random, 2) != 0 ? WB_ORIGIN_WHOLE : WB_ORIGIN_ANY;
  uint32_t origin = wb_origin_of_parting((uint32_t)wb_random_below(random, 3));
  for (size_t i = 0; i < 2; i++)
    origin =
        wb_origin_either(sets, origin, wb_origin_of_parting((uint32_t)wb_random_below(random, 3)));
  return origin;
}

static void make_random(struct wb_random *random, struct wb_register_sets *sets,
                        struct wb_group *group)
{
  *group = (struct wb_group){.reached = true,
                             .mixed = wb_random_below(random, 4) == 0,
                             .origin = random_origin(random, sets)};
  do
    group->warp = random_together(random, sets);
  while (group->warp.apart != (group->origin != WB_ORIGIN_WHOLE));
  group->bypassed = group->origin >= WB_ORIGIN_FIRST && wb_random_below(random, 2) != 0;
  group->undivided = group->origin == WB_ORIGIN_WHOLE || wb_random_below(random, 2) != 0;
  group->sides = group->origin == WB_ORIGIN_WHOLE ? WB_REGISTERS_NONE : random_set(random, sets);
  group->avoided = group->origin == WB_ORIGIN_WHOLE ? WB_REGISTERS_NONE : random_set(random, sets);
  for (uint32_t s = 0; s < SCOPES; s++) {
    const uint32_t scope = (uint32_t)wb_random_below(random, SCOPES);
    if (wb_group_scope(group, scope) == SIZE_MAX && wb_random_below(random, 3) > 0) {
      assert_true(wb_group_open(group, scope));
      group->scopes[group->scope_count - 1].together = random_together(random, sets);
    }
  }
  for (size_t p = 0; p < PLACES; p++) {
    const bool barrier = places[p] >= B0 && places[p] < WB_LOCATION_SLOTS;
    const struct wb_known_value value = random_value(random, barrier);
    if (wb_random_below(random, 4) > 0)
      assert_true(wb_group_set(group, places[p], &value));
  }
  for (unsigned p = 0; p < 2; p++) {
    const uint64_t known = wb_random_below(random, 3);
    if (known < 2)
      assert_true(wb_group_assume_predicate(group, P0 + p, known != 0));
  }
  assert_null(wb_group_check(sets, group));
}

/* ---- joins ---- */

/* Whether what is said of lanes that were together says no more than before. */
static bool allows_together(const struct wb_register_sets *sets, const struct wb_together *large,
                            const struct wb_together *small)
{
  if (!small->apart)
    return true;
  return large->apart && wb_register_sets_include(sets, small->agreement, large->agreement) &&
         wb_register_sets_include(sets, large->lost, small->lost);
}

/* Every scope of the larger one is in the smaller one, in the same order. */
static bool allows_scopes(const struct wb_register_sets *sets, const struct wb_group *large,
                          const struct wb_group *small)
{
  size_t next = 0;
  for (size_t s = 0; s < large->scope_count; s++) {
    const size_t at = wb_group_scope(small, large->scopes[s].scope);
    if (at == SIZE_MAX || at < next ||
        !allows_together(sets, &large->scopes[s].together, &small->scopes[at].together))
      return false;
    next = at + 1;
  }
  return true;
}

/* Where the larger one says that the warp came apart, the smaller one came apart there; or is
 * whole, which it says too. */
static bool allows_origin(const struct wb_register_sets *sets, const struct wb_group *large,
                          const struct wb_group *small)
{
  bool all = true;
  bool some = false;
  if (large->origin == WB_ORIGIN_ANY)
    return true;
  if (large->origin == WB_ORIGIN_WHOLE)
    return small->origin == WB_ORIGIN_WHOLE;
  if (small->origin == WB_ORIGIN_WHOLE)
    return large->bypassed;
  for (uint32_t parting = 0; parting < 3; parting++) {
    const bool is_small = wb_origin_parting(sets, small->origin, parting) == parting;
    all = all && (!is_small || wb_origin_parting(sets, large->origin, parting) == parting);
    some = some || is_small;
  }
  return some && all && (large->bypassed || !small->bypassed);
}

static void expect_covers(struct wb_register_sets *sets, const struct wb_group *large,
                          const struct wb_group *small)
{
  FREED_BY(wb_group_clear) struct wb_group again = {0};
  bool changed = false;
  assert_null(wb_group_check(sets, large));
  assert_true(allows_scopes(sets, large, small));
  assert_true(allows_together(sets, &large->warp, &small->warp));
  assert_true(allows_origin(sets, large, small));
  assert_true(large->mixed || !small->mixed);
  assert_true(small->undivided || !large->undivided);
  assert_int_equal(wb_register_sets_either(sets, large->sides, small->sides), large->sides);
  assert_int_equal(wb_register_sets_either(sets, large->avoided, small->avoided), large->avoided);
  assert_true(wb_group_copy(&again, large));
  assert_true(wb_group_join(sets, &again, small, &changed));
  assert_false(changed);
  assert_int_equal(again.known_count, large->known_count);
  assert_int_equal(again.scope_count, large->scope_count);
}

static bool same_value(const struct wb_known_value *a, const struct wb_known_value *b)
{
  return a == NULL || b == NULL ? a == b : wb_known_equal(a, b);
}

static bool same_together(const struct wb_together *a, const struct wb_together *b)
{
  return a->apart == b->apart && a->agreement == b->agreement && a->lost == b->lost;
}

static bool same(const struct wb_group *a, const struct wb_group *b)
{
  bool equal = a->scope_count == b->scope_count && a->known_count == b->known_count &&
               a->origin == b->origin && a->bypassed == b->bypassed && a->mixed == b->mixed &&
               a->undivided == b->undivided && a->sides == b->sides && a->avoided == b->avoided &&
               same_together(&a->warp, &b->warp);
  for (size_t s = 0; s < a->scope_count && equal; s++)
    equal = a->scopes[s].scope == b->scopes[s].scope &&
            a->scopes[s].of_side == b->scopes[s].of_side &&
            same_together(&a->scopes[s].together, &b->scopes[s].together);
  for (size_t k = 0; k < a->known_count && equal; k++)
    equal = same_value(&a->known[k].value, wb_group_value(b, a->known[k].location));
  return equal;
}

TEST(joins_allow_what_either_allows)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  struct wb_random random = {.state = 7};
  size_t lanes = 0;
  size_t grown = 0;
  assert_true(wb_register_sets_start(&sets));
  for (int pair = 0; pair < PAIRS; pair++) {
    FREED_BY(wb_group_clear) struct wb_group a;
    FREED_BY(wb_group_clear) struct wb_group b;
    FREED_BY(wb_group_clear) struct wb_group joined = {0};
    make_random(&random, &sets, &a);
    make_random(&random, &sets, &b);
    bool changed = false;
    assert_true(wb_group_join(&sets, &joined, &a, &changed));
    assert_true(changed);
    changed = false;
    assert_true(wb_group_join(&sets, &joined, &b, &changed));
    assert_int_equal(changed, !same(&joined, &a));
    grown += changed;
    expect_covers(&sets, &joined, &a);
    expect_covers(&sets, &joined, &b);
    for (int l = 0; l < 20; l++) {
      struct lane lane;
      if (!find_lane(&random, l % 2 == 0 ? &a : &b, &lane))
        continue;
      assert_true(allows(&joined, &lane));
      lanes++;
    }
  }
  assert_true(lanes > (size_t)10 * PAIRS);
  assert_true(grown > PAIRS / 2);
}

/* Chains end: no sequence of joins grows often. */
TEST(joins_come_to_an_end)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  struct wb_random random = {.state = 11};
  assert_true(wb_register_sets_start(&sets));
  for (int run = 0; run < 100; run++) {
    FREED_BY(wb_group_clear) struct wb_group joined = {0};
    size_t grown = 0;
    for (int step = 0; step < 200; step++) {
      FREED_BY(wb_group_clear) struct wb_group next;
      bool changed = false;
      make_random(&random, &sets, &next);
      assert_true(wb_group_join(&sets, &joined, &next, &changed));
      grown += changed;
    }
    /* What can be lost: scopes and their sets, the warp's, three steps of each value. */
    assert_true(grown <= SCOPES * 11 + 15 + 3 * PLACES + 2 + 4);
  }
}

TEST(nothing_joins_a_group_that_no_lanes_have)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  struct wb_group least = {0};
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  bool changed = false;
  assert_true(wb_register_sets_start(&sets));
  assert_true(wb_group_open(&group, 1));
  assert_true(wb_group_join(&sets, &group, &least, &changed));
  assert_false(changed);
  assert_int_equal(group.scope_count, 1);
}

/* ---- invariants ---- */

static void expect_broken(const struct wb_register_sets *sets, struct wb_group *group,
                          const char *message)
{
  const char *found = wb_group_check(sets, group);
  assert_non_null(found);
  assert_string_equal(found, message);
}

TEST(broken_invariants_are_found)
{
  FREED_BY(wb_register_sets_free) struct wb_register_sets sets;
  FREED_BY(wb_group_clear) struct wb_group group = {.reached = true};
  const struct wb_known_value five = {.addend = 5};
  const struct wb_known_value bound = {.kind = WB_KNOWN_SCOPE, .base = 1};
  static const char *const warp = "it is not clear whether a group has all lanes of the warp";
  static const char *const scope = "it is not clear whether a group has all lanes of a scope";
  assert_true(wb_register_sets_start(&sets));
  assert_true(wb_group_open(&group, 1) && wb_group_open(&group, 2));
  assert_true(wb_group_set(&group, 2, &five) && wb_group_set(&group, B0, &bound));
  assert_null(wb_group_check(&sets, &group));
  group.reached = false;
  expect_broken(&sets, &group, "something is known of a group that no execution has");
  group.reached = true;
  group.origin = WB_ORIGIN_ANY;
  expect_broken(&sets, &group, warp);
  group.warp = (struct wb_together){.apart = true, .lost = (uint32_t)sets.count};
  expect_broken(&sets, &group, warp);
  group.warp = (struct wb_together){.apart = true};
  assert_null(wb_group_check(&sets, &group));
  group.origin = WB_ORIGIN_WHOLE;
  expect_broken(&sets, &group, warp);
  group.warp = (struct wb_together){0};
  group.sides = WB_REGISTERS_ALL;
  expect_broken(&sets, &group, "a group of all lanes of the warp has come from a parting");
  group.sides = WB_REGISTERS_NONE;
  group.avoided = WB_REGISTERS_ALL;
  expect_broken(&sets, &group, "a group of all lanes of the warp has come from a parting");
  group.avoided = WB_REGISTERS_NONE;
  group.scopes[1].together.agreement = WB_REGISTERS_ALL;
  expect_broken(&sets, &group, scope);
  group.scopes[1].together = (struct wb_together){.apart = true, .agreement = UINT32_MAX};
  expect_broken(&sets, &group, scope);
  group.scopes[1].together = (struct wb_together){0};
  group.scopes[1].scope = 1;
  expect_broken(&sets, &group, "a scope is open twice");
  group.scopes[1].scope = 2;
  group.known[1].location = 2;
  expect_broken(&sets, &group, "what is known does not ascend");
  group.known[1].location = B0;
  group.known[1].value.kind = WB_KNOWN_ANY + 1;
  expect_broken(&sets, &group, "what is known is of no kind");
  group.known[1].value = five;
  expect_broken(&sets, &group, "a barrier register holds a number");
  group.known[1].value = bound;
  assert_null(wb_group_check(&sets, &group));
}
