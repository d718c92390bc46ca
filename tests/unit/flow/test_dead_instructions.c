/* Which instructions no thread of a launch comes to, or does, of small programs in the forms of
 * sm_52 and sm_87. Random programs: cross bound_cross. */
#include "analysis/wcet/wcet.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "flow/paths/absent_calls.h"
#include "flow/paths/dead_instructions.h"
#include "unit.h"

/* The first parameter is 0, of `known` launches. expected: of each instruction, the EXIT at the end
 * included, 'd' where no thread comes to it, 'i' where none does it, '-' where some may. */
static void expect_of(unsigned sm, const char *lines, bool known, const char *expected)
{
  static const struct wb_parameter_value zero = {.offset = 0, .value = 0};
  const struct wb_launch launch = {
      .block = {64, 1, 1}, .parameters = &zero, .parameter_count = known};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  warpbound_error error = {.message = ""};
  bool dead[16] = {false};
  bool idle[16] = {false};
  char found[17] = "";
  listing_of(sm, lines, &code);
  assert_true(bounded_make(&code, &code.functions[0], &launch, &bounded));
  assert_in_range(code.functions[0].instruction_count, strlen(expected), 16);
  assert_ok(wb_dead_instructions_find(bounded.graph, &bounded.forest, &launch, dead, idle, &error));
  for (size_t i = 0; i < strlen(expected); i++) {
    assert_true(idle[i] || !dead[i]);
    found[i] = dead[i] ? 'd' : idle[i] ? 'i' : '-';
  }
  assert_string_equal(found, expected);
}

/* P0: the first parameter is not 0. */
static void expect(const char *rest, bool known, const char *expected)
{
  char lines[400];
  snprintf(lines, sizeof lines, "MOV R0, c[0x0][0x140]; ISETP.NE.AND P0, PT, R0, RZ, PT; %s", rest);
  expect_of(52, lines, known, expected);
  snprintf(lines, sizeof lines, "MOV R0, c[0x0][0x160]; ISETP.NE.AND P0, PT, R0, RZ, PT; NOP; %s",
           rest);
  char more[32];
  snprintf(more, sizeof more, "---%s", expected + 2);
  expect_of(87, lines, known, more);
}

TEST(test_branches)
{
  expect("@!P0 BRA skip; MOV R1, RZ; skip:; NOP", true, "---d--");
  expect("@!P0 BRA skip; MOV R1, RZ; skip:; NOP", false, "------");
  expect("@P0 BRA other; MOV R1, RZ; BRA both; other:; MOV R2, RZ; both:; NOP", true, "--i--d--");
}

TEST(test_early_ends)
{
  expect("@!P0 EXIT; LDG.E R2, [R4]; STG.E [R4], R2", true, "---ddd");
  expect("@!P0 EXIT; LDG.E R2, [R4]; STG.E [R4], R2", false, "------");
}

TEST(test_guards)
{
  expect("@P0 LDG.E R2, [R4]; @!P0 STG.E [R4], R2", true, "--i--");
  expect("@P0 LDG.E R2, [R4]; @!P0 STG.E [R4], R2", false, "-----");
  /* In another context, or on another visit, a thread may do it. */
  expect("again:; @P0 MOV R3, RZ; ISETP.GE.AND P0, PT, R3, 0x5, PT; IADD R3, R3, 0x1; "
         "@!P0 BRA again",
         true, "-------");
}

TEST(test_loops)
{
  expect("@!P0 BRA skip; MOV R3, RZ; again:; IADD R3, R3, 0x1; ISETP.LT.AND P1, PT, R3, 0x9, PT; "
         "@P1 BRA again; skip:; NOP",
         true, "---dddd--");
}

/* What is idle in one call need not be in another. */
TEST(test_contexts)
{
  expect_of(
      52,
      "MOV R0, c[0x0][0x140]; ISETP.NE.AND P0, PT, R0, RZ, PT; ISETP.NE.AND P1, PT, R0, 0x1, "
      "PT; CAL one; ISETP.NE.AND P1, PT, R0, RZ, PT; CAL one; EXIT; one:; @P0 LDG.E R2, [R4]; "
      "@P1 STG.E [R4], R2; RET",
      true, "-------i--");
}

/* ---- ways that are cut ---- */

/* No thread does NOPs. expected: of each instruction 'k' where all that come there go on as the cut
 * code does, or none comes; '.' where it does not matter. */
static void expect_kept_of(unsigned sm, const char *lines, bool known, const char *expected)
{
  static const struct wb_parameter_value zero = {.offset = 0, .value = 0};
  const struct wb_launch launch = {
      .block = {64, 1, 1}, .parameters = &zero, .parameter_count = known};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  FREED_BY(bounded_free) struct bounded_function bounded;
  const struct wb_function *cut = NULL;
  warpbound_error error = {.message = ""};
  bool absent[16] = {false}, left[16] = {false}, kept[16] = {false};
  char found[17] = "";
  listing_of(sm, lines, &code);
  assert_in_range(code.functions[0].instruction_count, strlen(expected), 16);
  for (size_t i = 0; i < code.functions[0].instruction_count; i++)
    absent[i] = strcmp(code.functions[0].instructions[i].opcode, "NOP") == 0;
  assert_ok(wb_absent_calls_cut(&code.functions[0], absent, &arena, &cut, left, &error));
  assert_true(bounded_make(&code, cut, &launch, &bounded));
  assert_ok(wb_kept_ways_find(bounded.graph, &bounded.forest, &launch, kept, &error));
  for (size_t i = 0; i < strlen(expected); i++)
    found[i] = expected[i] == '.' ? '.' : kept[i] ? 'k' : '-';
  assert_string_equal(found, expected);
}

/* P0: the first parameter is not 0. */
static void expect_kept(const char *rest, bool known, const char *expected)
{
  char lines[400];
  snprintf(lines, sizeof lines, "MOV R0, c[0x0][0x140]; ISETP.NE.AND P0, PT, R0, RZ, PT; %s", rest);
  expect_kept_of(52, lines, known, expected);
  snprintf(lines, sizeof lines, "MOV R0, c[0x0][0x160]; ISETP.NE.AND P0, PT, R0, RZ, PT; %s", rest);
  expect_kept_of(87, lines, known, expected);
}

TEST(test_kept_ways)
{
  expect_kept("@P0 BRA bad; EXIT; bad:; NOP", true, "..k.");
  expect_kept("@P0 BRA bad; EXIT; bad:; NOP", false, "..-.");
  expect_kept("@!P0 BRA bad; EXIT; bad:; NOP", true, "..-.");
  expect_kept("@!P0 BRA good; NOP; good:; MOV R1, RZ", true, "..k");
  expect_kept("@P0 BRA good; NOP; good:; MOV R1, RZ", true, "..-");
  expect_kept("@P0 NOP; MOV R1, RZ", true, "..k");
  expect_kept("@!P0 NOP; MOV R1, RZ", true, "..-");
  expect_kept("@!P0 EXIT; NOP", true, "..k");
  expect_kept("@P0 EXIT; NOP", true, "..-");
}

/* No thread comes to the test; behind it what it says is known. */
TEST(test_ways_by_others)
{
  expect_kept("@!P0 EXIT; @P1 BRA bad; EXIT; bad:; NOP", true, "...k");
  expect_kept("@!P0 EXIT; @P1 BRA bad; EXIT; bad:; NOP", false, "...-");
  expect_kept(
      "@P0 BRA bad; MOV R1, RZ; ISETP.GE.AND P2, PT, R0, 0x5, PT; @P2 BRA bad; EXIT; bad:; NOP",
      false, "..-..k");
  expect_kept(
      "@P0 BRA bad; MOV R0, R4; ISETP.GE.AND P2, PT, R0, 0x5, PT; @P2 BRA bad; EXIT; bad:; NOP",
      false, "..-..-");
}

/* A predicate beside the guard, a vote. */
TEST(test_other_conditions)
{
  expect_kept_of(87,
                 "MOV R0, c[0x0][0x160]; ISETP.NE.AND P0, PT, R0, RZ, PT; @P1 BRA P0, bad; EXIT; "
                 "bad:; NOP",
                 true, "..k");
  expect_kept_of(87,
                 "MOV R0, c[0x0][0x160]; ISETP.NE.AND P0, PT, R0, RZ, PT; @P1 BRA !P0, bad; EXIT; "
                 "bad:; NOP",
                 true, "..-");
  expect_kept_of(87,
                 "MOV R0, c[0x0][0x160]; ISETP.NE.AND P0, PT, R0, RZ, PT; @P1 BRA !P0, good; NOP; "
                 "good:; MOV R1, RZ",
                 true, "..-");
}

/* ---- no end is left ---- */

/* The status of the WCET where no assertion fails. P0: the first parameter, known to be 0 or not,
 * is not 0; P1: it is 9 or more. */
static warpbound_status no_failure(const char *rest, bool known)
{
  static const struct wb_parameter_value zero = {.offset = 0, .value = 0};
  const struct wb_launch launch = {
      .block = {64, 1, 1}, .parameters = &zero, .parameter_count = known};
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_code_free) struct wb_code code;
  struct wb_wcet wcet;
  warpbound_error error = {.message = ""};
  char lines[400];
  snprintf(lines, sizeof lines,
           "MOV R0, c[0x0][0x160]; ISETP.NE.AND P0, PT, R0, RZ, PT; ISETP.GE.AND P1, PT, R0, 0x9, "
           "PT; %s",
           rest);
  listing_of(87, lines, &code);
  const struct wb_wcet_options options = {.launch = &launch, .default_bound = UINT64_MAX};
  const warpbound_status status =
      wb_wcet_analyse(&code, &code.functions[0], &options, &control, &wcet, &error);
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING)
    wb_wcet_free(&wcet);
  return status;
}

#define FAILS "CALL.ABS.NOINC `(__assertfail)"

TEST(test_no_end_is_left)
{
  assert_int_equal(no_failure("BAR.SYNC 0x0; " FAILS, false), WARPBOUND_INVALID_INPUT);
  assert_ok(no_failure("@P0 EXIT; BAR.SYNC 0x0; " FAILS, false));
  assert_int_equal(no_failure("@P0 EXIT; BAR.SYNC 0x0; " FAILS, true), WARPBOUND_INVALID_INPUT);
  assert_ok(no_failure("@!P0 EXIT; BAR.SYNC 0x0; " FAILS, true));
  assert_ok(no_failure("@P1 BRA good; " FAILS "; good:; MOV R1, RZ", false));
  assert_int_equal(no_failure("@P1 BRA good; " FAILS "; good:; MOV R1, RZ", true),
                   WARPBOUND_INVALID_INPUT);
}
