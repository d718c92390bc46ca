/* Bounds without search, against values computed by hand. */
#include "base/random.h"
#include "makespan/bounds/closed_form.h"
#include "makespan_problems.h"
#include "model/problem.h"
#include "unit.h"

typedef warpbound_status bound_function(const struct wb_problem *problem, uint64_t *cycles,
                                        warpbound_error *error);

static uint64_t value(bound_function *bound, const char *text, const char *units, uint32_t slots,
                      uint32_t warps)
{
  uint64_t cycles;
  struct wb_problem problem = make_problem(text, units, slots, 1, warps, "");
  assert_ok(bound(&problem, &cycles, NULL));
  wb_problem_free(&problem);
  return cycles;
}

static uint64_t shared_value(bound_function *bound, const char *text, const char *units,
                             uint32_t slots, uint32_t partitions, uint32_t warps,
                             const char *shared)
{
  uint64_t cycles;
  struct wb_problem problem = make_problem(text, units, slots, partitions, warps, shared);
  assert_ok(bound(&problem, &cycles, NULL));
  wb_problem_free(&problem);
  return cycles;
}

static uint64_t closed_form(const char *text, const char *units, uint32_t slots, uint32_t warps)
{
  return value(wb_bound_closed_form, text, units, slots, warps);
}

TEST(one_warp_waits_for_nobody)
{
  assert_int_equal(closed_form("5L9C2L9C", "L=1,C=4", 0, 1), 25);
  assert_int_equal(closed_form("5L9C2L9C", "L=1,C=4", 1, 1), 25);
  assert_int_equal(closed_form("LSN", "L=1/2,S=1/8", 0, 1), 11);
}

/* No cap: a floor for each type, and none for types that nobody waits for. */
TEST(without_cap_each_type_has_its_floor)
{
  assert_int_equal(closed_form("CC", "C=2", 0, 4), 2 + 3);
  assert_int_equal(closed_form("LC", "L=2,C=2", 0, 4), 2 + 1 + 1);
  assert_int_equal(closed_form("CC", "C=4", 0, 4), 2);
  assert_int_equal(closed_form("CC", "C=4", 0, 5), 2 + 2);
  assert_int_equal(closed_form("CC", "C=3", 0, 5), 2 + 2);
  assert_int_equal(closed_form("LCL", "L=3,C=2", 0, 7), 3 + 4 + 3);
  assert_int_equal(closed_form("5L9C2L9C", "L=1,C=4", 0, 4), 25 + 21);
  assert_int_equal(closed_form("5L9C2L9C", "L=1,C=4", 0, 32), 25 + 217 + 139);
  assert_int_equal(closed_form("5L9C2L9C", "L=1,C=4", 0, 64), 25 + 441 + 283);
  assert_int_equal(closed_form("NN", "L=1", 0, 1000), 2);
  assert_int_equal(closed_form("NLN", "L=1", 0, 10), 3 + 9);
}

/* A cap that can bind: one floor, and capacities no larger than the cap. */
TEST(with_cap_one_floor_covers_the_sum)
{
  assert_int_equal(closed_form("LC", "L=2,C=2", 2, 4), 2 + 3);
  assert_int_equal(closed_form("5L9C2L9C", "L=1,C=4", 4, 64), 25 + 441 + 283);
  assert_int_equal(closed_form("LCN", "L=1,C=4", 2, 5), 3 + 4 + 2 + 2);
  assert_int_equal(closed_form("LCS", "L=4,C=4,S=4", 3, 5), 3 + 4);
  assert_int_equal(closed_form("NN", "L=1", 4, 10), 2 + 4);
  assert_int_equal(closed_form("LC", "L=1,C=1", 1, 5), 2 + 8);
}

/* Fewer warps than the cap, or a cap no smaller than the units used: it is ignored. */
TEST(cap_that_cannot_bind_is_ignored)
{
  assert_int_equal(closed_form("LC", "L=2,C=2", 3, 3), 2 + 1 + 1);
  assert_int_equal(closed_form("LC", "L=2,C=2", 4, 6), 2 + 2 + 2);
  assert_int_equal(closed_form("LC", "L=2,C=2", 3, 6), 2 + 5);
  assert_int_equal(closed_form("CC", "C=4", 3, 3), 2);
  assert_int_equal(closed_form("CC", "C=4", 3, 4), 2 + 2);
}

/* For capacities up to 12 all sums are whole multiples of 1 / 27720. */
static uint64_t in_fractions(const uint64_t count[2], const uint64_t capacity[2], uint64_t cap,
                             uint64_t others)
{
  const uint64_t scale = 27720;
  bool capped = cap > 0 && cap < capacity[0] + capacity[1] && others >= cap;
  uint64_t sum = 0;
  for (unsigned u = 0; u < 2; u++) {
    uint64_t service = cap > 0 && cap < capacity[u] ? cap : capacity[u];
    uint64_t part = service <= others ? others * count[u] * (scale / service) : 0;
    sum += capped ? part : part / scale * scale;
  }
  return count[0] + count[1] + sum / scale;
}

TEST(random_values_match_fractions)
{
  struct wb_random random = {12};
  for (int run = 0; run < 5000; run++) {
    uint64_t count[2] = {1 + wb_random_below(&random, 50), 1 + wb_random_below(&random, 50)};
    uint64_t capacity[2] = {1 + wb_random_below(&random, 12), 1 + wb_random_below(&random, 12)};
    uint64_t cap = wb_random_below(&random, 13);
    uint64_t warps = 1 + wb_random_below(&random, 40);
    struct wb_problem problem =
        make_problem("LC", "L=1,C=1", (uint32_t)cap, 1, (uint32_t)warps, "");
    uint64_t cycles;
    assert_ok(
        wb_kernel_string_append(&problem.string, WB_UNIT_LOAD_STORE, count[0] - 1, 1000, NULL));
    assert_ok(wb_kernel_string_append(&problem.string, WB_UNIT_CORE, count[1] - 1, 1000, NULL));
    problem.capacity[WB_UNIT_LOAD_STORE] = (uint32_t)capacity[0];
    problem.capacity[WB_UNIT_CORE] = (uint32_t)capacity[1];
    assert_ok(wb_bound_closed_form(&problem, &cycles, NULL));
    assert_int_equal(cycles, in_fractions(count, capacity, cap, warps - 1));
    wb_problem_free(&problem);
  }
}

/* Others of the partition weigh 1 / s_U, warps outside 1 / sigma_U on shared types. */
TEST(shared_units_count_outside_warps)
{
  /* 2 warps in each of 4 partitions, 6 outside: L 1, D 1 + 6. */
  assert_int_equal(shared_value(wb_bound_closed_form, "LD", "L=1,D=1", 0, 4, 8, "D"), 2 + 1 + 7);
  assert_int_equal(shared_value(wb_bound_closed_form, "LD", "L=1,D=1", 1, 4, 8, "D"), 2 + 1 + 7);
  assert_int_equal(shared_value(wb_bound_closed_form, "LD", "L=1,D=1", 0, 4, 8, ""), 2 + 1 + 1);
  /* Cap 1, two D units in all: 2 instructions of 1 other at 1, of 2 outside at 1/2. */
  assert_int_equal(shared_value(wb_bound_closed_form, "DD", "D=2", 1, 2, 4, "D"), 2 + 2 + 2);
  /* D=1/2 repeats: 4 warps in each of 2 partitions. */
  assert_int_equal(shared_value(wb_bound_closed_form, "D", "D=1/2", 0, 2, 8, "D"), 2 + 6 + 8);
  /* Three units of one pool, two others at home and three outside, none of which alone
     fills it: 4 / 3 + 6 / 3. */
  assert_int_equal(shared_value(wb_bound_closed_form, "DD", "D=3", 0, 2, 6, "D"), 2 + 3);
  /* One warp, nobody outside: as if it were alone. */
  assert_int_equal(shared_value(wb_bound_closed_form, "LD", "L=1,D=1", 0, 4, 1, "D"), 2);
  /* One warp in each partition: only those outside hold it up. */
  assert_int_equal(shared_value(wb_bound_closed_form, "LD", "L=1,D=1", 1, 4, 4, "D"), 2 + 3);
  /* Without a cap each type has its floor, 3 / 2 and 3 / 2 + 4 / 2; with one that
     binds there is one. */
  assert_int_equal(shared_value(wb_bound_closed_form, "CD", "C=2,D=2", 0, 2, 8, "D"), 2 + 1 + 3);
  assert_int_equal(shared_value(wb_bound_closed_form, "CD", "C=2,D=2", 3, 2, 8, "D"), 2 + 5);
}

/* The work of all partitions' warps goes through shared units. */
TEST(shared_units_serve_all_volume)
{
  assert_int_equal(shared_value(wb_bound_volume, "LD", "L=1,D=1", 0, 4, 8, "D"), 8);
  assert_int_equal(shared_value(wb_bound_volume, "LD", "L=1,D=1", 0, 4, 8, ""), 2);
  assert_int_equal(shared_value(wb_bound_volume, "LDD", "L=1,D=3", 0, 2, 8, "D"), 6);
}

TEST(serial_is_all_work)
{
  assert_int_equal(value(wb_bound_serial, "5L9C2L9C", "L=1,C=4", 0, 16), 400);
  assert_int_equal(value(wb_bound_serial, "S", "S=1/8", 3, 2), 16);
}

TEST(volume_is_the_largest_load)
{
  assert_int_equal(value(wb_bound_volume, "CC", "C=2", 0, 4), 4);
  assert_int_equal(value(wb_bound_volume, "CC", "C=3", 0, 4), 3);
  assert_int_equal(value(wb_bound_volume, "CC", "C=8", 0, 4), 2);
  assert_int_equal(value(wb_bound_volume, "LC", "L=2,C=2", 1, 4), 8);
  assert_int_equal(value(wb_bound_volume, "LCN", "L=8,C=8", 2, 5), 8);
  assert_int_equal(value(wb_bound_volume, "5L9C2L9C", "L=1,C=4", 0, 16), 112);
}

TEST(pessimistic_rounds_up_by_type)
{
  assert_int_equal(value(wb_published_pessimistic, "CC", "C=2", 0, 4), 4);
  assert_int_equal(value(wb_published_pessimistic, "CC", "C=2", 0, 5), 6);
  assert_int_equal(value(wb_published_pessimistic, "LCL", "L=1,C=4", 0, 6), 12 + 2);
  assert_int_equal(value(wb_published_pessimistic, "LC", "L=2,C=2", 1, 4), 4);
}

TEST(tractable_rounds_up_groups)
{
  uint64_t cycles;
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LCL", "L=1,C=1", 0, 1, 5, "");
  assert_ok(wb_published_tractable(&problem, 2, 4, &cycles, NULL));
  assert_int_equal(cycles, 12);
  assert_ok(wb_published_tractable(&problem, 5, 11, &cycles, NULL));
  assert_int_equal(cycles, 11);
  assert_invalid(wb_published_tractable(&problem, 2, UINT64_MAX / 2, &cycles, NULL));
}

/* The largest that normalisation lets through: 64,000,000 instructions, 65,536 warps. */
TEST(largest_problem_fits)
{
  const uint64_t length = UINT64_C(64000000);
  assert_int_equal(closed_form("1000000L", "L=1/64", 0, 65536), length * 65536);
  assert_int_equal(closed_form("1000000L", "L=1/64", 1, 65536), length * 65536);
  assert_int_equal(value(wb_bound_serial, "1000000L", "L=1/64", 0, 65536), length * 65536);
  assert_int_equal(value(wb_bound_volume, "1000000L", "L=1/64", 0, 65536), length * 65536);
}

/* The sums are 4.0004 and 4000.5. */
TEST(awkward_fractions_are_added)
{
  assert_int_equal(closed_form("LCSD", "L=65535,C=65533,S=65521,D=65519", 65535, 65536), 4 + 4);
  assert_int_equal(
      closed_form("1000L1000C1000S1000D", "L=65534,C=65533,S=65521,D=65519", 65534, 65536),
      4000 + 4000);
}

/* Five capacities without a common divisor, of 80 bits in all: the fractions that are
 * over the whole numbers make 1.79, so 64034 is the floor of their sum. What cannot be
 * added exactly may only be rounded up. */
TEST(fractions_too_long_to_add_are_rounded_up)
{
  uint64_t cycles =
      closed_form("4000L11C11S11D60000N", "L=65521,C=65519,S=65497,D=65479", 65534, 65536);
  assert_in_range(cycles, 64033 + 64034, 64033 + 64034 + 4);
}

/* No problem that normalisation makes overflows; one made by hand does. */
static struct wb_problem oversized(void)
{
  struct wb_problem problem = make_problem("L", "L=1", 0, 1, 65536, "");
  problem.string.length = (size_t)1 << 62;
  problem.string.count[WB_UNIT_LOAD_STORE] = (size_t)1 << 62;
  problem.string.runs[0].length = (size_t)1 << 62;
  return problem;
}

TEST(overflow_is_an_error)
{
  bound_function *const bounds[] = {wb_bound_closed_form, wb_bound_serial, wb_bound_volume,
                                    wb_published_pessimistic};
  for (size_t i = 0; i < COUNT_OF(bounds); i++) {
    uint64_t cycles;
    warpbound_error error = {0};
    FREED_BY(wb_problem_free) struct wb_problem problem = oversized();
    assert_invalid(bounds[i](&problem, &cycles, &error));
    assert_int_equal(error.status, WARPBOUND_INVALID_INPUT);
    assert_true(strlen(error.message) > 0);
    problem.warps = 3;
    assert_ok(bounds[i](&problem, &cycles, &error));
    assert_true(cycles == UINT64_C(3) << 62);
  }
}

static struct wb_limiting_part limit(const char *text, const char *units, uint32_t slots,
                                     uint32_t warps)
{
  struct wb_problem problem = make_problem(text, units, slots, 1, warps, "");
  struct wb_limiting_part part = wb_limiting_part(&problem);
  wb_problem_free(&problem);
  return part;
}

TEST(the_largest_part_limits)
{
  struct wb_limiting_part part = limit("5L9C2L9C", "L=1,C=4", 0, 4);
  assert_int_equal(part.kind, WB_PART_CHAIN);
  assert_int_equal(part.cycles, 25);
  part = limit("5L9C2L9C", "L=1,C=4", 0, 5);
  assert_int_equal(part.kind, WB_PART_UNIT);
  assert_int_equal(part.unit, WB_UNIT_LOAD_STORE);
  assert_int_equal(part.cycles, 4 * 7);
  part = limit("5L9C2L9C", "L=1,C=2", 0, 5);
  assert_int_equal(part.unit, WB_UNIT_CORE);
  assert_int_equal(part.cycles, 4 * 18 / 2);
  part = limit("LC", "L=1,C=1", 1, 4);
  assert_int_equal(part.kind, WB_PART_ISSUE_SLOTS);
  assert_int_equal(part.cycles, 3 * 2);
  part = limit("LC", "L=1,C=1", 2, 4);
  assert_int_equal(part.kind, WB_PART_UNIT);
}

/* What is shown as a part of a makespan is never more than one. */
TEST(a_part_is_no_more_than_the_volume)
{
  static const char *const strings[] = {"LC", "5L9C2L9C", "N", "3N2L", "LCLCLC"};
  for (size_t s = 0; s < COUNT_OF(strings); s++) {
    for (uint32_t slots = 0; slots < 4; slots++) {
      for (uint32_t warps = 1; warps < 20; warps++) {
        for (int shared = 0; shared < 2; shared++) {
          struct wb_problem problem =
              make_problem(strings[s], "L=2,C=3", slots, 2, 2 * warps, shared ? "LC" : "");
          uint64_t volume;
          assert_ok(wb_bound_volume(&problem, &volume, NULL));
          assert_true(wb_limiting_part(&problem).cycles <= volume);
          wb_problem_free(&problem);
        }
      }
    }
  }
}
