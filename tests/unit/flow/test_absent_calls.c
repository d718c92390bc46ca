/* Ways to calls that no thread makes, of small programs in the forms of sm_52 and sm_87. Random
 * programs: cross absent_calls. */
#include "bounded_listing.h"
#include "flow/paths/absent_calls.h"
#include "unit.h"

/* The instruction `absent` is the one that no thread does. expected: of each instruction, the EXIT
 * at the end included, 'n' where none does it now, 'a' where all do that come there, 'e' where
 * lanes end, '-' as before; NULL: each thread comes there. */
static void expect_of(unsigned sm, const char *lines, size_t absent, const char *expected)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  const struct wb_function *cut = NULL;
  warpbound_error error = {.message = ""};
  bool marks[32] = {false};
  bool left[32] = {false};
  char found[33] = "";
  listing_of(sm, lines, &code);
  const struct wb_function *function = &code.functions[0];
  assert_in_range(function->instruction_count, absent + 1, 31);
  marks[absent] = true;
  const warpbound_status status = wb_absent_calls_cut(function, marks, &arena, &cut, left, &error);
  if (expected == NULL) {
    assert_int_equal(status, WARPBOUND_INVALID_INPUT);
    return;
  }
  assert_ok(status);
  for (size_t i = 0; i < strlen(expected); i++) {
    const struct wb_instruction *before = &function->instructions[i], *now = &cut->instructions[i];
    const bool same = wb_instruction_conditional(before) == wb_instruction_conditional(now);
    found[i] = left[i] ? 'e' : now->never ? 'n' : !same ? 'a' : '-';
    assert_string_equal(now->opcode, before->opcode);
    assert_int_equal(now->address, before->address);
    assert_int_equal(wb_instruction_unit(now), wb_instruction_unit(before));
  }
  assert_string_equal(found, expected);
  assert_int_equal(wb_function_checksum(cut), wb_function_checksum(function));
}

static void expect(const char *lines, size_t absent, const char *expected)
{
  expect_of(52, lines, absent, expected);
  expect_of(87, lines, absent, expected);
}

TEST(test_branches)
{
  expect("@P0 BRA bad; MOV R1, RZ; EXIT; bad:; MOV R2, RZ; MOV R3, RZ; NOP", 4, "n---e-");
  expect("@!P0 BRA good; MOV R2, RZ; MOV R3, RZ; good:; NOP", 2, "a-e-");
  /* One way of two, and the way to both. */
  expect("@P0 BRA next; EXIT; next:; @P1 BRA bad; EXIT; bad:; NOP; MOV R3, RZ", 5, "--n--e");
  expect("@P0 BRA next; EXIT; next:; @P1 BRA bad; BRA bad; NOP; bad:; MOV R3, RZ", 5, "n-n--e");
  expect("@P0 BRA bad; bad:; MOV R2, RZ; NOP", 1, NULL);
}

TEST(test_guards)
{
  expect("NOP; @P0 MOV R2, RZ; NOP", 1, "-n-");
  expect("NOP; @P0 EXIT; MOV R2, RZ; NOP", 2, "-ae-");
  expect("NOP; @P0 EXIT; @P1 MOV R2, RZ; NOP", 2, "--n-");
}

/* A thread may never come past what waits for others, and may end before. */
TEST(test_waits)
{
  expect("@P0 BRA bad; EXIT; bad:; BAR.SYNC 0x0; MOV R3, RZ", 3, "---e");
  expect("@P0 BRA bad; EXIT; bad:; @P1 EXIT; @P2 BRA bad; MOV R3, RZ", 4, "---ae");
  expect_of(87, "@P0 BRA bad; EXIT; bad:; WARPSYNC 0xffffffff; MOV R3, RZ", 3, "---e");
  expect_of(87, "@P0 BRA bad; EXIT; bad:; NANOSLEEP 0x10; MOV R3, RZ", 3, "---e");
  expect_of(87, "@P0 BRA bad; EXIT; bad:; BSSY B0, bad; MOV R3, RZ", 3, "n--e");
}

/* A loop that may go on, or never end, leads to nothing behind it. */
TEST(test_loops)
{
  expect("again:; NOP; @P0 BRA again; MOV R3, RZ", 2, "-ae");
  expect("@P0 BRA spin; EXIT; spin:; BRA spin; MOV R3, RZ", 3, "---e");
}

TEST(test_calls)
{
  expect_of(52, "@P0 BRA bad; EXIT; bad:; CAL sub; EXIT; sub:; MOV R3, RZ; RET", 4, "n---e-");
  expect_of(52, "@P0 BRA bad; EXIT; bad:; CAL sub; MOV R3, RZ; sub:; RET", 3, "---e-");
}

/* ---- calls that threads may come to ---- */

/* Of each instruction, the EXIT at the end included: absent 'x', kept 'k' where all are said to go
 * on as the cut code does, expected 'r' of the calls that a thread may come to. */
static void expect_reached(const char *lines, const char *absent, const char *kept,
                           const char *expected)
{
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  const struct wb_function *cut = NULL;
  warpbound_error error = {.message = ""};
  bool marks[32] = {false}, left[32] = {false}, keeps[32] = {false}, reached[32] = {false};
  char found[33] = "";
  listing_of(52, lines, &code);
  const struct wb_function *function = &code.functions[0];
  assert_int_equal(function->instruction_count, strlen(expected));
  for (size_t i = 0; i < strlen(expected); i++) {
    marks[i] = absent[i] == 'x';
    keeps[i] = kept[i] == 'k';
  }
  assert_ok(wb_absent_calls_cut(function, marks, &arena, &cut, left, &error));
  assert_ok(wb_absent_calls_reached(cut, marks, keeps, reached, &error));
  for (size_t i = 0; i < strlen(expected); i++)
    found[i] = reached[i] ? 'r' : '-';
  assert_string_equal(found, expected);
}

TEST(test_reached)
{
  const char *one = "@P0 BRA bad; MOV R1, RZ; EXIT; bad:; MOV R2, RZ; MOV R3, RZ; NOP";
  expect_reached(one, "----x--", "-------", "----r--");
  expect_reached(one, "----x--", "k--kkkk", "-------");
  expect_reached(one, "----x--", "-kkkkkk", "----r--");
  /* Past the call, an end before it, its guard. */
  expect_reached("@!P0 BRA good; MOV R2, RZ; MOV R3, RZ; good:; NOP", "--x--", "-kkkk", "--r--");
  expect_reached("@!P0 BRA good; MOV R2, RZ; MOV R3, RZ; good:; NOP", "--x--", "k-k--", "-----");
  expect_reached("NOP; @P0 EXIT; MOV R2, RZ; NOP", "--x--", "k-kkk", "--r--");
  expect_reached("NOP; @P0 MOV R2, RZ; NOP", "-x--", "kkkk", "----");
  expect_reached("NOP; @P0 MOV R2, RZ; NOP", "-x--", "k-kk", "-r--");
}

/* What leads to which call. */
TEST(test_which_is_reached)
{
  const char *two = "@P0 BRA a; @P1 BRA b; EXIT; a:; MOV R2, RZ; NOP; b:; MOV R3, RZ; NOP";
  expect_reached(two, "---x-x--", "-kkkkkkk", "---r----");
  expect_reached(two, "---x-x--", "k-kkkkkk", "-----r--");
  expect_reached(two, "---x-x--", "--------", "---r-r--");
  /* Both ways of a doomed branch; a guarded call before another one. */
  expect_reached("@P0 BRA fork; EXIT; fork:; @P1 BRA a; MOV R2, RZ; a:; MOV R3, RZ", "---xx-",
                 "-kkkkk", "---rr-");
  expect_reached("@P0 BRA fork; EXIT; fork:; @P1 MOV R2, RZ; MOV R3, RZ", "--xx-", "-kkkk",
                 "--rr-");
  /* Come to past a barrier: lanes end there. */
  expect_reached("@P0 BRA bad; EXIT; bad:; BAR.SYNC 0x0; MOV R3, RZ", "---x-", "kkk-k", "---r-");
}
