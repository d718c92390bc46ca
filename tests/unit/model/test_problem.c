/* Configurations as people give them, and normalisation to a makespan problem. */
#include "model/problem.h"
#include "unit.h"

static struct wb_kernel_string string_of(const char *text)
{
  struct wb_kernel_string string;
  assert_ok(wb_kernel_string_parse(text, NULL, &string, NULL));
  return string;
}

static struct wb_sm_configuration configuration_of(const char *units)
{
  struct wb_sm_configuration sm;
  warpbound_error error = {0};
  wb_sm_configuration_start(&sm, "test");
  if (wb_sm_configuration_parse_units(&sm, units, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", units, error.message);
  return sm;
}

static struct wb_problem normalised(const char *text, const struct wb_sm_configuration *sm,
                                    uint32_t warps)
{
  struct wb_problem problem;
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string kernel = string_of(text);
  warpbound_error error = {0};
  if (wb_problem_normalise(&kernel, sm, warps, &problem, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", text, error.message);
  return problem;
}

static void assert_string(const struct wb_problem *problem, const char *expected)
{
  struct wb_text text = {0};
  wb_kernel_string_write(&problem->string, &text);
  char *written = wb_text_take(&text);
  assert_non_null(written);
  assert_string_equal(written, expected);
  free(written);
}

static void assert_refused(const char *text, const struct wb_sm_configuration *sm, uint32_t warps,
                           const char *fragment)
{
  struct wb_problem problem;
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string kernel = string_of(text);
  warpbound_error error = {0};
  warpbound_status status = wb_problem_normalise(&kernel, sm, warps, &problem, &error);
  assert_int_not_equal(status, WARPBOUND_OK);
  assert_int_equal(error.status, status);
  if (strstr(error.message, fragment) == NULL)
    fail_msg("%s: '%s' does not say '%s'", text, error.message, fragment);
  assert_null(problem.string.runs);
}

/* ---- units as text ---- */

TEST(units_are_read)
{
  struct wb_sm_configuration sm = configuration_of("L=1,C=4,S=4/32");
  assert_int_equal(sm.unit[WB_UNIT_LOAD_STORE].numerator, 1);
  assert_int_equal(sm.unit[WB_UNIT_CORE].numerator, 4);
  assert_int_equal(sm.unit[WB_UNIT_CORE].denominator, 1);
  assert_int_equal(sm.unit[WB_UNIT_SPECIAL].numerator, 1);
  assert_int_equal(sm.unit[WB_UNIT_SPECIAL].denominator, 8);
  assert_int_equal(sm.unit[WB_UNIT_SPECIAL].hold, 1);
  assert_int_equal(sm.unit[WB_UNIT_DOUBLE].numerator, 0);
  assert_int_equal(sm.partitions, 1);
  assert_int_equal(sm.issue_slots, 0);
  assert_string_equal(sm.name, "test");
}

TEST(units_are_written)
{
  struct wb_sm_configuration sm = configuration_of("L=32/8,S=6/8");
  struct wb_text text = {0};
  wb_unit_capacity_write(&sm.unit[WB_UNIT_LOAD_STORE], &text);
  wb_text_string(&text, " ");
  wb_unit_capacity_write(&sm.unit[WB_UNIT_SPECIAL], &text);
  char *written = wb_text_take(&text);
  assert_string_equal(written, "4 3/4");
  free(written);
}

TEST(bad_units_are_refused)
{
  static const struct {
    const char *units, *fragment;
  } cases[] = {
      {"", "column 1"},      {"L", "column 1"},        {"L=", "column 1"},
      {"L=1,", "column 5"},  {"L=1,Q=2", "column 5"},  {"N=4", "column 1"},
      {"L=0", "column 1"},   {"L=1/0", "column 1"},    {"L=-1", "column 1"},
      {"L=1.5", "column 1"}, {"L=65537", "65536"},     {"L=1,C=2,L=3", "column 9"},
      {"l=1", "column 1"},   {"L=1/8x", "column 1"},   {"L=4294967297", "column 1"},
      {"L 1", "column 1"},   {"L=1,,C=1", "column 5"}, {"L=1/99999999999999999999", "1"},
      {"L= 1", "column 1"},  {"L=1/", "column 1"},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct wb_sm_configuration sm;
    warpbound_error error = {0};
    wb_sm_configuration_start(&sm, "test");
    warpbound_status status = wb_sm_configuration_parse_units(&sm, cases[i].units, &error);
    if (status != WARPBOUND_USAGE || strstr(error.message, cases[i].fragment) == NULL)
      fail_msg("'%s': status %d, '%s'", cases[i].units, (int)status, error.message);
  }
}

TEST(very_long_units_are_refused)
{
  char units[400];
  struct wb_sm_configuration sm;
  memset(units, '1', sizeof units);
  memcpy(units, "L=", 2);
  units[sizeof units - 1] = '\0';
  wb_sm_configuration_start(&sm, "a name that is a good deal longer than the sixty-four bytes that "
                                 "the struct has for it");
  assert_int_equal(strlen(sm.name), sizeof sm.name - 1);
  assert_misuse(wb_sm_configuration_parse_units(&sm, units, NULL));
}

/* ---- normalisation ---- */

TEST(whole_capacities_stay)
{
  struct wb_sm_configuration sm = configuration_of("L=1,C=4,S=2");
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised("LCLN", &sm, 7);
  assert_string(&problem, "LCLN");
  assert_int_equal(problem.capacity[WB_UNIT_LOAD_STORE], 1);
  assert_int_equal(problem.capacity[WB_UNIT_CORE], 4);
  assert_int_equal(problem.capacity[WB_UNIT_NONE], WB_UNLIMITED);
  assert_int_equal(problem.issue_slots, WB_UNLIMITED);
  assert_int_equal(problem.warps, 7);
  assert_int_equal(problem.outside_warps, 0);
}

TEST(fractions_repeat_letters)
{
  struct wb_sm_configuration sm = configuration_of("L=1/2,C=4,S=1/8");
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised("LCLSC", &sm, 1);
  assert_string(&problem, "2LC2L8SC");
  assert_int_equal(problem.string.length, 14);
  assert_int_equal(problem.string.count[WB_UNIT_SPECIAL], 8);
  assert_int_equal(problem.capacity[WB_UNIT_LOAD_STORE], 1);
  assert_int_equal(problem.capacity[WB_UNIT_CORE], 4);
  assert_int_equal(problem.capacity[WB_UNIT_SPECIAL], 1);
}

/* x cycles on a unit of capacity sigma: x / sigma letters. */
static void assert_repeated(const char *units, uint32_t hold, const char *expected)
{
  struct wb_sm_configuration sm = configuration_of(units);
  sm.unit[WB_UNIT_CORE].hold = hold;
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised("C", &sm, 1);
  assert_string(&problem, expected);
  assert_int_equal(problem.capacity[WB_UNIT_CORE], 1);
}

TEST(holding_a_unit_repeats_letters)
{
  assert_repeated("C=1", 3, "3C");
  assert_repeated("C=1/2", 3, "6C");
  assert_repeated("C=2/3", 2, "3C");
  assert_repeated("C=3/4", 3, "4C");
  assert_repeated("C=1/32", 2, "64C");
}

TEST(repeated_letters_join_runs)
{
  struct wb_sm_configuration sm = configuration_of("L=1/2,C=1");
  sm.unit[WB_UNIT_CORE].hold = 4;
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised("3L2C", &sm, 1);
  assert_string(&problem, "6L8C");
  assert_int_equal(problem.string.run_count, 2);
}

TEST(what_cannot_be_normalised_is_refused)
{
  struct wb_sm_configuration sm = configuration_of("L=1,C=2/3");
  assert_refused("LC", &sm, 1, "units, C: at capacity 2/3 an instruction takes 3/2 cycles");
  sm.unit[WB_UNIT_CORE].hold = 3;
  assert_refused("LC", &sm, 1,
                 "holds its unit for 3 cycles takes 9/2 cycles, which is not a whole");
  sm = configuration_of("L=1,C=3/2");
  assert_refused("LC", &sm, 1, "units, C: a capacity above 1 must be whole, found 3/2");
  sm = configuration_of("L=1,C=4");
  sm.unit[WB_UNIT_CORE].hold = 2;
  assert_refused("LC", &sm, 1, "above 1 (it is 4), found 2");
  sm.unit[WB_UNIT_CORE].hold = 4;
  assert_refused("LC", &sm, 1, "above 1 (it is 4), found 4");
}

/* A type that the string does not use may be anything. */
TEST(unused_types_do_not_matter)
{
  struct wb_sm_configuration sm = configuration_of("L=1,C=3/2");
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised("LLN", &sm, 2);
  assert_string(&problem, "2LN");
}

TEST(missing_units_are_named)
{
  struct wb_sm_configuration sm = configuration_of("L=1");
  assert_refused("LCL", &sm, 1, "units: expected C (CUDA core)");
  snprintf(sm.origin, sizeof sm.origin, "--units");
  assert_refused("D", &sm, 1, "--units: expected D (");
}

/* A fault in a file is its, one in an argument wrong usage. */
TEST(faults_name_their_file)
{
  struct wb_sm_configuration sm = configuration_of("L=1/2");
  FREED_BY(wb_kernel_string_free) struct wb_kernel_string kernel = string_of("LC");
  struct wb_problem problem;
  warpbound_error error;
  assert_misuse(wb_problem_normalise(&kernel, &sm, 1, &problem, &error));
  assert_string_equal(error.file, "");
  snprintf(sm.file, sizeof sm.file, "sm.json");
  assert_invalid(wb_problem_normalise(&kernel, &sm, 1, &problem, &error));
  assert_string_equal(error.file, "sm.json");
  assert_non_null(strstr(error.message, "units: expected C"));
}

/* The type that makes most of the letters is to blame. */
TEST(long_strings_name_the_type)
{
  struct wb_sm_configuration sm = configuration_of("L=1/65536,S=1/32768,C=1");
  assert_refused("1001S500L100000C", &sm, 1, "units, S: each instruction is 32768 letters");
}

TEST(names_are_safe_to_print)
{
  struct wb_sm_configuration sm;
  wb_sm_configuration_start(&sm, "a\x1b[2Jb\x7f");
  assert_string_equal(sm.name, "a?[2Jb?");
  char name[100];
  memset(name, 'n', sizeof name);
  snprintf(name + sizeof sm.name - 2, 4, "\xe2\x82\xac"); /* cut after its first byte */
  wb_sm_configuration_start(&sm, name);
  assert_int_equal(strlen(sm.name), sizeof sm.name - 2);
}

TEST(counts_out_of_range_are_refused)
{
  struct wb_sm_configuration sm = configuration_of("L=1");
  assert_refused("L", &sm, 0, "warps");
  assert_refused("L", &sm, WB_WARP_LIMIT + 1, "65537");
  struct wb_problem problem = normalised("L", &sm, WB_WARP_LIMIT);
  assert_int_equal(problem.warps, WB_WARP_LIMIT);
  wb_problem_free(&problem);
  sm.partitions = 0;
  assert_refused("L", &sm, 1, "partitions");
  sm.partitions = WB_PARTITION_LIMIT + 1;
  assert_refused("L", &sm, 1, "65");
}

TEST(normalised_strings_have_a_limit)
{
  struct wb_sm_configuration sm = configuration_of("L=1/64,C=1");
  struct wb_problem problem = normalised("1000000L", &sm, 1);
  assert_int_equal(problem.string.length, WB_NORMALISED_LIMIT);
  wb_problem_free(&problem);
  sm = configuration_of("L=1/65,C=1");
  assert_refused("1000000L", &sm, 1, "64000000");
  sm = configuration_of("L=1/65536,C=1");
  sm.unit[WB_UNIT_LOAD_STORE].hold = WB_HOLD_LIMIT;
  assert_refused("L", &sm, 1, "64000000");
}

TEST(warps_spread_over_partitions)
{
  static const struct {
    uint32_t warps, partitions, in_one, outside;
  } cases[] = {{10, 4, 3, 7}, {8, 4, 2, 6}, {3, 4, 1, 2}, {1, 4, 1, 0}, {65536, 64, 1024, 64512}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct wb_sm_configuration sm = configuration_of("L=1,D=1/2");
    sm.partitions = cases[i].partitions;
    sm.unit[WB_UNIT_DOUBLE].shared = true;
    FREED_BY(wb_problem_free) struct wb_problem problem = normalised("LD", &sm, cases[i].warps);
    assert_int_equal(problem.warps, cases[i].in_one);
    assert_int_equal(problem.outside_warps, cases[i].outside);
    assert_true(problem.shared[WB_UNIT_DOUBLE]);
    assert_false(problem.shared[WB_UNIT_LOAD_STORE]);
    assert_int_equal(wb_problem_has_shared(&problem), cases[i].outside > 0);
  }
}

TEST(shared_units_matter_only_where_used)
{
  struct wb_sm_configuration sm = configuration_of("L=1,D=1");
  sm.unit[WB_UNIT_DOUBLE].shared = true;
  struct wb_problem problem = normalised("LD", &sm, 8);
  assert_false(problem.shared[WB_UNIT_DOUBLE]);
  assert_false(wb_problem_has_shared(&problem));
  wb_problem_free(&problem);
  sm.partitions = 2;
  problem = normalised("LL", &sm, 8);
  assert_false(wb_problem_has_shared(&problem));
  wb_problem_free(&problem);
  problem = normalised("LD", &sm, 8);
  assert_true(wb_problem_has_shared(&problem));
  wb_problem_free(&problem);
}

/* ---- what a problem says of itself ---- */

TEST(service_is_the_smaller_of_units_and_slots)
{
  struct wb_sm_configuration sm = configuration_of("L=1,C=4");
  sm.issue_slots = 2;
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised("LCN", &sm, 8);
  assert_int_equal(wb_problem_service(&problem, WB_UNIT_LOAD_STORE), 1);
  assert_int_equal(wb_problem_service(&problem, WB_UNIT_CORE), 2);
  assert_int_equal(wb_problem_service(&problem, WB_UNIT_NONE), 2);
}

static bool is_capped(const char *text, uint32_t slots, uint32_t warps)
{
  struct wb_sm_configuration sm = configuration_of("L=1,C=4,S=8");
  sm.issue_slots = slots;
  FREED_BY(wb_problem_free) struct wb_problem problem = normalised(text, &sm, warps);
  bool capped = wb_problem_capped(&problem);
  return capped;
}

TEST(cap_binds_below_units_and_warps)
{
  assert_false(is_capped("LC", 0, 100));
  assert_true(is_capped("LC", 4, 100));
  assert_false(is_capped("LC", 5, 100));
  assert_false(is_capped("LC", 4, 4));
  assert_true(is_capped("LC", 4, 5));
  assert_true(is_capped("LCS", 5, 100));
  assert_true(is_capped("LN", 6, 100));
  assert_false(is_capped("L", 1, 100));
  assert_false(is_capped("LC", 1, 1));
}
