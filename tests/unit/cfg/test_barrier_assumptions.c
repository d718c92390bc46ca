/* What results for Volta and later are said to rest on: each assumption where it is used, and
 * nowhere else. */
#include "groups/group_analysis.h"
#include "groups/simt_text.h"
#include "unit.h"

/* Parts of the texts, as the rows below name them. */
static const struct {
  char name;
  const char *part;
} texts[] = {
    {'t', "a converged group diverges only at an instruction"},
    {'b', "barrier registers are as if each lane had its own"},
    {'w', "a BSYNC waits for all lanes of its scope that have not left it or ended"},
    {'a', "that have not left it or ended, always"},
    {'y', "where lanes in the scope may yield: at 0x0040"},
    {'n', "no BSYNC waits"},
    {'s', "is not overwritten by stores to addresses that are not known"},
    {'u', "uniform registers are as if each lane had its own"},
    {'m', "name one mask, and stay together"},
    {'d', "BRA.DIV and BRA.CONV go either way"},
    {'o', "what is called outside of the function leaves the barrier registers"},
    {'r', "a return whose address the code does not show"},
    {'f', "lanes that find no scope to wait for, or to leave"},
    {'p', "waits for a scope that ends at the next instruction, or for none"},
    {'l', "lanes that load from one address"},
    {'?', "is not known: it may read and write every register"},
    {'v', "that the compiler marks as uniform: 0x0020"},
    {'c', "whose code is not followed, returns with all lanes"},
};

/* Exactly the named ones; each assumption of the graph is one of them. */
static void expect_of(struct group_analysis *made, const char *named, size_t count)
{
  assert_string_equal(made->error.message, "");
  assert_ok(made->status);
  for (size_t t = 0; t < COUNT_OF(texts); t++) {
    bool expected = false;
    for (const char *n = named; *n != '\0'; n++)
      expected = expected || *n == texts[t].name;
    if (group_assumes(made, texts[t].part) != expected)
      fail_msg("%s: '%c'", named, texts[t].name);
  }
  assert_int_equal(made->graph->assumptions.count, count);
}

static void expect(const char *lines, struct wb_simt_options options, const char *named,
                   size_t count)
{
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines, options);
  expect_of(&made, named, count);
}

static const struct wb_simt_options full = {0};
static const struct wb_simt_options always = {.waiting = WB_WAITING_ALWAYS};
static const struct wb_simt_options never = {.waiting = WB_WAITING_NEVER};
static const struct wb_simt_options together = {.masks_together = true};

static const char branch[] = "TID R0; SETP P0 R0; @P0 BRA a; a: EXIT";
/* Lanes part without any branch. */
static const char parting_mask[] = "MOV UR4 #1; WARPSYNC #3; EXIT";
TEST(lanes_that_come_apart)
{
  expect("MOV UR4 #1; SETP UP0 UR4; @UP0 BRA a; YIELD; a: EXIT", full, "", 0);
  expect(branch, full, "t", 1);
  expect("TID R0; MOV UR4 #1; SETP P0 R0; @P0 BRA a; a: EXIT", full, "tu", 2);
  expect(parting_mask, full, "tu", 2);
  expect(parting_mask, together, "m", 1);
  expect("TID R0; SETP P0 R0; @P0 BRA.U a; a: EXIT", full, "v", 1);
}

static const char scope[] =
    "TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA a; MOV R2; a: BSYNC B0; join: YIELD; EXIT";
static const char yielding[] =
    "TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA a; NANOSLEEP; a: BSYNC B0; join: EXIT";

/* Who yields outside of scopes lets nobody run on. */
TEST(lanes_that_wait)
{
  expect(scope, full, "tbw", 3);
  expect(scope, always, "tbwa", 3);
  expect(scope, never, "tbn", 3);
  expect(yielding, full, "tbwy", 3);
  expect(yielding, always, "tbwa", 3);
  expect(yielding, never, "tbn", 3);
}

static const char unbound[] = "MOV R1; BSYNC B3; BREAK B4; EXIT";
TEST(lanes_that_find_no_scope)
{
  FREED_BY(group_analysis_free) struct group_analysis made;
  expect(unbound, full, "f", 1);
  expect("LDG R3 R2; BSSY B0 x; BMOV B0 R3; BSYNC B0; x: EXIT", full, "tbwflp", 6);
  group_analyse(&made, unbound, full);
  assert_true(group_assumes(&made, "go on at the next instruction: at 0x0010, 0x0020"));
}

TEST(words_and_return_addresses)
{
  /* A return address that the stack keeps: there is no scope. */
  expect("MOV R1 #0; MOV R20 &b1; CALL.REL f; b1: EXIT; f: STL R1 #0 R20; MOV R20 &b2; CALL.REL g; "
         "b2: LDL R20 R1 #0; RET.REL R20; g: MOV R3 R2; RET.REL R20",
         full, "s", 1);
  expect("MOV R1 #0; STL R1 #0 R1; LDL R3 R1 #4; EXIT", full, "", 0);
  expect("MOV R20 &b; CALL.REL f; b: EXIT; f: MOV R3 R2; RET.REL R20", full, "", 0);
  expect("MOV R20 &b; CALL.REL f; b: EXIT; f: LDG R20 R2; RET.REL R20", full, "lr", 2);
}

static const char decided[] = "BRA.DIV #0xffffffff d; EXIT; d: EXIT";
static const struct wb_simt_options of_whole_warps = {.block = {8, 4, 3}};
static const struct wb_simt_options of_a_partial_warp = {.block = {8, 5, 3}};
TEST(single_instructions)
{
  struct wb_code code;
  FREED_BY(group_analysis_free) struct group_analysis made;
  expect(decided, full, "d", 1);
  expect(decided, of_whole_warps, "", 0);
  expect(decided, of_a_partial_warp, "d", 1);
  expect("BRA.DIV #7 d; EXIT; d: EXIT", full, "", 0);
  expect("MYSTERY; EXIT", full, "?", 1);
  expect("EXIT; MYSTERY; BSYNC B0; YIELD", full, "", 0);
  simt_text_make_barriers(simt_lines("JCAL; EXIT"), &code);
  code.functions[0].instructions[0].callee = "vprintf";
  group_analyse_code(&made, code, full);
  expect_of(&made, "oc", 2);
  assert_true(group_assumes(&made, "vprintf, whose code"));
}
