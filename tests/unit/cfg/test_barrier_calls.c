/* Linked calls, whose return address is in registers, and returns to it. */
#include "groups/group_analysis.h"
#include "groups/simt_text.h"
#include "unit.h"

static const struct wb_simt_options full = {0};

static const char call[] = "MOV R20 &back; CALL.REL f; back: EXIT; f: MOV R3 R2; RET.REL R20";

TEST(calls_return_to_their_sites)
{
  group_expect(call, full, "edges: 1>3/1c 4/1>2t $2; branches: |");
  group_expect(
      "MOV R20 &b1; CALL.REL f; b1: MOV R20 &b2; CALL.REL f; b2: EXIT; f: MOV R3 R2; RET.REL R20",
      full, "edges: 1>5/1c 3>5/2c 6/1>2t 6/2>4t $4; branches: |");
  group_expect(
      "MOV R1 #0; MOV R20 &b1; CALL.REL f; b1: EXIT; f: STL R1 #0 R20; MOV R20 &b2; CALL.REL g; "
      "b2: LDL R20 R1 #0; RET.REL R20; g: MOV R3 R2; RET.REL R20",
      full, "edges: 2>4/1c 6/1>9/2c 8/1>3t 10/2>7/1t $3; branches: |");
}

TEST(some_lanes_call_or_return)
{
  group_expect(
      "TID R0; SETP P0 R0; MOV R20 &back; CALL.REL f; back: EXIT; f: @P0 RET.REL R20; MOV R3 R2; "
      "RET.REL R20",
      full, "edges: 3>5/1c 5/1>4te 5/1>6/1fe 7/1>4t $4; branches: 5 |");
  group_expect(
      "TID R0; SETP P0 R0; MOV R20 &back; @P0 CALL.REL f; back: EXIT; f: MOV R3 R2; RET.REL R20",
      full, "edges: 3>4fe 3>5/1ce 6/1>4t $4; branches: 3 |");
}

/* A tail call is one: its callee returns to its caller's site. So is a return to a label that no
 * call precedes. */
TEST(a_call_without_a_link_is_a_jump)
{
  group_expect("MOV R20 #0; CALL.REL f; EXIT; f: MOV R3 R2; EXIT", full,
               "edges: 1>3b $4; branches: |");
  group_expect(
      "MOV R20 &back; CALL.REL f; back: EXIT; f: CALL.REL g; EXIT; g: MOV R3 R2; RET.REL R20", full,
      "edges: 1>3/1c 3/1>5/1b 6/1>2t $2; branches: |");
  group_expect("MOV R20 &there; RET.REL R20; EXIT; there: EXIT", full,
               "edges: 1>3b $3; branches: |");
}

TEST(returns_that_are_not_shown_go_to_every_caller)
{
  group_expect(
      "CTA R0; MOV R20 &back; CALL.REL f; back: EXIT; f: SETP P0 R0; @P0 BRA base; MOV R20 &again; "
      "CALL.REL f; again: LDL R20 R1 #0; base: RET.REL R20",
      full, "edges: 2>4/1c 5/1>6/1f 5/1>9/1b 7/1>4/1c 8/1>9/1f 9/1>3t 9/1>8/1t $3; branches: | 5");
  group_expect(
      "MOV R20 &b1; CALL.REL f; b1: MOV R20 &b2; CALL.REL f; b2: EXIT; f: LDG R20 R2; RET.REL R20",
      full, "edges: 1>5/1c 3>5/2c 6/1>2t 6/2>4t $4; branches: |");
}

static const char wait_in_call[] =
    "TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA x; MOV R20 &b1; CALL.REL f; b1: BRA wait; x: MOV "
    "R20 &b2; CALL.REL f; b2: MOV R2; wait: BSYNC B0; join: EXIT; f: BSYNC B0; RET.REL R20";

/* A scope around a call holds in the callee; one in a callee is another one for each site; a callee
 * may wait for its caller's scope. */
TEST(scopes_and_calls)
{
  group_expect("TID R0; SETP P0 R0; BSSY B0 join; MOV R20 &back; CALL.REL f; back: BSYNC B0; join: "
               "EXIT; f: @P0 BRA end; MOV R3 R2; end: RET.REL R20",
               full,
               "edges: 4>7/1c 5>6f* 7/1>8/1fe 7/1>9/1be 8/1>9/1f 9/1>5t $6; entries: 6s!(4); "
               "branches: 7 |; scopes: 2:6 (5)");
  group_expect("TID R0; SETP P0 R0; MOV R20 &b1; CALL.REL f; b1: MOV R20 &b2; CALL.REL f; b2: "
               "EXIT; f: BSSY B0 join; @P0 BRA wait; MOV R3 R2; wait: BSYNC B0; join: RET.REL R20",
               full,
               "edges: 3>7/1c 5>7/2c 8/1>9/1fe 8/1>10/1be 8/2>9/2fe 8/2>10/2be 9/1>10/1f 9/2>10/2f "
               "10/1>11/1f* 10/2>11/2f* 11/1>4t 11/2>6t $6; entries: 11/1s!(8/1) 11/2s!(8/2); "
               "branches: 8 |; scopes: 7:11 (10)");
  group_expect(wait_in_call, full,
               "edges: 3>4fe 3>7be 5>12/1c 8>12/2c 12/1>11b* 12/2>11b* $11; entries: 11s!(3); "
               "branches: 3 |; scopes: 2:11 (12)");
  /* Who does not wait goes on at the scope's point, and has not returned from the call. */
  static const struct wb_simt_options never = {.waiting = WB_WAITING_NEVER};
  group_expect(wait_in_call, never,
               "edges: 3>4fe 3>7be 5>12/1c 8>12/2c 12/1>11/1b 12/2>11/2b $11/1 $11/2");
}

/* Lanes of both sites are in the group after the WARPSYNC: nothing agrees in it. */
TEST(groups_of_two_contexts_meet)
{
  group_expect(
      "CTA R2; TID R0; SETP P0 R0; MOV R20 &b1; @P0 BRA x; CALL.REL f; b1: EXIT; x: MOV R20 &b2; "
      "CALL.REL f; b2: EXIT; f: WARPSYNC.ALL; SETP P1 R2; @P1 BRA y; MOV R4; y: RET.REL R20",
      full,
      "edges: 4>5fe 4>7be 5>10/1c 8>10/2c 10/1>11/1f 10/2>11/2f 12/1>13/1fe 12/1>14/1be "
      "12/2>13/2fe 12/2>14/2be 13/1>14/1f 13/2>14/2f 14/1>6t 14/2>9t $6 $9; branches: 4 12 |");
}

static void expect_error(const char *lines, size_t line, const char *message)
{
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines, full);
  assert_invalid(made.status);
  assert_string_equal(made.error.message, message);
  assert_int_equal(made.error.line, line);
  assert_null(made.analysis);
}

TEST(what_returns_nowhere_is_refused)
{
  expect_error("MOV R20 R3; RET.REL R20; EXIT", 2,
               "kernel: RET.REL at 0x0010: expected a return address that the code shows, found "
               "none");
  expect_error("MOV R20 #24; RET.REL R20; EXIT", 2,
               "kernel: RET.REL at 0x0010: expected a return to an instruction, found another "
               "address");
  expect_error("MOV R20 &back; CALL.REL f; back: MOV R1; MOV R2; EXIT; f: MOV R20 #48; RET.REL R20",
               7,
               "kernel: RET.REL at 0x0060: expected a return to where a call goes on, found "
               "another place");
}

TEST(many_sites_are_kept_apart)
{
  enum { SITES = 40 };
  struct wb_text lines = {0};
  for (int site = 0; site < SITES; site++)
    wb_text_format(&lines, "b%d: MOV R20 &b%d; CALL.REL f; ", site, site + 1);
  wb_text_format(&lines, "b%d: EXIT; f: MOV R3 R2; RET.REL R20", SITES);
  FREED_BY(group_analysis_free) struct group_analysis made;
  group_analyse(&made, lines.data, full);
  wb_text_free(&lines);
  assert_ok(made.status);
  assert_int_equal(made.graph->context_count, SITES + 1);
  assert_int_equal(made.graph->edge_count, 2 * SITES); /* one in, one out */
}

/* Of the caller of a device function nothing is known: a return to an address that it was given
 * ends the work, and lanes may be apart and bound to its scopes from the start. */
TEST(device_functions_end_by_returning)
{
  struct wb_code code;
  FREED_BY(group_analysis_free) struct group_analysis made;
  simt_text_make_barriers(simt_lines("CTA R2; SETP P0 R2; BSYNC B2; @P0 RET.REL R20; BRA.DIV #-1 "
                                     "end; MOV R1; end: RET.REL R20"),
                          &code);
  code.functions[0].kernel = false;
  group_analyse_code(&made, code, full);
  assert_string_equal(made.error.message, "");
  assert_ok(made.status);
  assert_int_equal(made.graph->scope_count, 0);
  assert_int_equal(made.graph->block_count, 5);
  assert_true(made.graph->ends[1] && made.graph->ends[4]);
  assert_false(made.graph->ends[0] || made.graph->ends[2] || made.graph->ends[3]);
  assert_true(group_assumes(&made, "or to the function's caller"));
  assert_true(group_assumes(&made, "at 0x0020")); /* the BSYNC may find no scope */
}
