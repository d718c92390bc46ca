/* The oracle from Volta on, on hand-made programs: who waits where, and who goes on with whom. */
#include "groups/group_trace.h"
#include "groups/simt_text.h"
#include "unit.h"

#define SEEDS 300

/* ---- scopes ---- */

static const char if_else[] = "BSSY B0 J; A: @P0 BRA E; MOV R1 R2; BSYNC B0; E: BSYNC B0; J: EXIT";

TEST(sides_come_together)
{
  struct group_trace trace = {0};
  group_trace_tell(&trace, if_else, "A", 0x3);
  group_trace_expect(&trace, if_else, "0:f A:f 2:c 3:c E:3 J:f");
  assert_int_equal(trace.causes[WB_GROUP_RELEASED], 1);
  assert_int_equal(trace.splits, 1);
  assert_int_equal(trace.scopes, 1);
}

TEST(agreement_does_not_split)
{
  struct group_trace all = {0};
  group_trace_tell(&all, if_else, "A", 0xf);
  group_trace_expect(&all, if_else, "0:f A:f E:f J:f");
  struct group_trace none = {0};
  group_trace_tell(&none, if_else, "A", 0);
  group_trace_expect(&none, if_else, "0:f A:f 2:f 3:f J:f");
}

/* A branch to the next instruction parts nobody. */
TEST(one_place_is_one_group)
{
  static const char lines[] = "A: @P0 BRA B; B: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x3);
  group_trace_expect(&trace, lines, "A:f B:f");
}

TEST(guarded_sync_lets_others_go_on)
{
  static const char lines[] = "BSSY B0 J; A: @P0 BSYNC B0; MOV R1 R2; BSYNC B0; J: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x6);
  group_trace_expect(&trace, lines, "0:f A:f 2:9 3:9 J:f");
}

/* Lanes outside a scope are none of its business. */
TEST(guarded_scope_is_of_some)
{
  static const char lines[] = "A: @P0 BSSY B0 J; B: @P0 BRA C; EXIT; C: BSYNC B0; J: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x6);
  group_trace_tell(&trace, lines, "B", 0x6);
  group_trace_expect(&trace, lines, "A:f B:f 2:9 C:6 J:6");
  group_trace_tell(&trace, lines, "A", 0);
  trace.options.policy = WB_GROUPS_LOWEST;
  group_trace_run(&trace, lines);
  assert_int_equal(trace.unbound, 0x6);
  assert_int_equal(trace.run.unbound, 1);
}

TEST(break_leaves_a_scope)
{
  static const char lines[] = "BSSY B0 J; A: @P0 BRA W; B: @P1 BREAK B0; C: @P1 BRA O; BSYNC B0; "
                              "W: BSYNC B0; J: MOV R1 R2; O: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x1);
  group_trace_tell(&trace, lines, "B", 0x2);
  group_trace_tell(&trace, lines, "C", 0x2);
  group_trace_expect(&trace, lines, "0:f A:f B:e C:e 4:c W:1 J:d O:2 O:d");
}

/* The last who runs leaves: those who wait need not wait any more. */
TEST(last_break_and_exit_release)
{
  static const char broken[] =
      "BSSY B0 J; A: @P0 BRA W; B: @P0 BRA W; C: BRA O; W: BSYNC B0; J: EXIT; O: BREAK B0; EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, broken, "A", 0x3);
  group_trace_tell(&trace, broken, "B", 0);
  group_trace_expect(&trace, broken, "0:f A:f B:c C:c W:3 O:c J:3 7:c");
  static const char ended[] = "BSSY B0 J; A: @P0 BRA W; BRA O; W: BSYNC B0; J: EXIT; O: EXIT";
  struct group_trace second = {0};
  group_trace_tell(&second, ended, "A", 0x3);
  group_trace_expect(&second, ended, "0:f A:f 2:c W:3 O:c J:3");
  assert_int_equal(second.causes[WB_GROUP_RELEASED], 1);
}

/* Both sides of a branch use one register, each lane its own. */
TEST(lanes_have_their_own_registers)
{
  static const char lines[] =
      "BSSY B1 L; A: @P0 BRA E; BSSY B0 J; B: @P1 BRA J0; J0: BSYNC B0; J: BSYNC B1; E: BSSY B0 K; "
      "C: @P1 BRA K0; K0: BSYNC B0; K: BSYNC B1; L: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x3);
  group_trace_tell(&trace, lines, "B", 0);
  group_trace_tell(&trace, lines, "C", 0);
  group_trace_expect(&trace, lines, "0:f A:f 2:c B:c J0:c J:c E:3 C:3 K0:3 K:3 L:f");
  assert_int_equal(trace.scopes, 3);
}

/* A loop that lanes leave one by one has one more header than iterations. */
TEST(loop_waits_for_all)
{
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .lanes = 32, .bias = 120}};
    trace.options.policy = (enum wb_group_policy)(seed % WB_GROUPS_COUNT);
    group_trace_run(&trace, "BSSY B0 J; H: MOV R1 R2; A: @P0 BRA H; BSYNC B0; J: EXIT");
    assert_ok(trace.status);
    if (!trace.run.ended)
      continue;
    assert_non_null(strstr(trace.text, "J:ffffffff"));
    assert_int_equal(trace.causes[WB_GROUP_RELEASED], 1);
  }
}

/* ---- how far BSYNC is trusted ---- */

static const char yielding[] =
    "BSSY B0 J; A: @P0 BRA E; YIELD; BSYNC B0; E: BSYNC B0; J: MOV R1 R2; EXIT";

TEST(yield_lets_some_go_early)
{
  size_t early = 0;
  size_t complete = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .reconvergence = WB_RECONVERGENCE_YIELD}};
    group_trace_tell(&trace, yielding, "A", 0x3);
    group_trace_run(&trace, yielding);
    assert_true(trace.run.ended);
    early += trace.causes[WB_GROUP_YIELDED] > 0;
    complete += trace.causes[WB_GROUP_YIELDED] == 0;
    trace.options.reconvergence = WB_RECONVERGENCE_ALWAYS;
    memset(trace.causes, 0, sizeof trace.causes);
    group_trace_run(&trace, yielding);
    assert_int_equal(trace.causes[WB_GROUP_YIELDED], 0);
    assert_int_equal(trace.causes[WB_GROUP_RELEASED], 1);
  }
  assert_true(early > 20);
  assert_true(complete > 20);
}

/* Without a YIELD in it nobody goes early. */
TEST(scope_without_yield_waits)
{
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .reconvergence = WB_RECONVERGENCE_YIELD}};
    group_trace_tell(&trace, if_else, "A", 0x3);
    group_trace_run(&trace, if_else);
    assert_int_equal(trace.causes[WB_GROUP_YIELDED], 0);
    assert_int_equal(trace.causes[WB_GROUP_RELEASED], 1);
  }
}

TEST(never_does_not_wait)
{
  struct group_trace trace = {.options.reconvergence = WB_RECONVERGENCE_NEVER};
  group_trace_tell(&trace, if_else, "A", 0x3);
  group_trace_expect(&trace, if_else, "0:f A:f 2:c 3:c E:3 J:c J:3");
  assert_int_equal(trace.causes[WB_GROUP_RELEASED], 0);
}

/* ---- WARPSYNC ---- */

TEST(warp_meets_by_address)
{
  static const char lines[] =
      "A: @P0 BRA E; B: @P1 BRA W; MOV R1 R2; W: WARPSYNC.ALL; X: EXIT; E: WARPSYNC.ALL; Y: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x3);
  group_trace_tell(&trace, lines, "B", 0x4);
  group_trace_expect(&trace, lines, "A:f B:c 2:8 W:4 W:8 E:3 X:c Y:3");
  assert_int_equal(trace.causes[WB_GROUP_WARP], 2);
}

/* Lanes that end, and a guard: nobody waits for those who will not come. */
TEST(ended_lanes_are_not_waited_for)
{
  static const char lines[] = "A: @P0 BRA E; WARPSYNC.ALL; X: EXIT; E: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x3);
  group_trace_expect(&trace, lines, "A:f 1:c E:3 X:c");
  static const char guarded[] = "A: @P0 WARPSYNC.ALL; B: @P1 EXIT; WARPSYNC.ALL; EXIT";
  struct group_trace second = {0};
  group_trace_tell(&second, guarded, "A", 0x3);
  group_trace_tell(&second, guarded, "B", 0x4);
  group_trace_expect(&second, guarded, "A:f B:c 2:8 B:3 2:3 3:8 3:3");
}

TEST(mask_of_all_is_found_by_copies)
{
  static const char known[] = "MOV R4 #0xffffffff; STL R1 #4 R4; A: @P0 BRA E; MOV R3 R2; E: LDL "
                              "R5 R1 #4; W: WARPSYNC R5; EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, known, "A", 0x3);
  trace.options.policy = WB_GROUPS_HIGHEST;
  group_trace_run(&trace, known);
  assert_string_equal(trace.text, "0:f 1:f A:f E:3 W:3 3:c E:c W:c 6:f");
  static const char unknown[] = "A: @P0 BRA E; MOV R3 R2; E: WARPSYNC R5; EXIT";
  for (uint64_t seed = 0; seed < 20; seed++) {
    struct group_trace other = {.options = {.seed = seed, .masks_together = true}};
    group_trace_tell(&other, unknown, "A", 0x3);
    other.options.policy = WB_GROUPS_HIGHEST;
    group_trace_run(&other, unknown);
    assert_string_equal(other.text, "A:f E:3 3:3 1:c E:c 3:c");
  }
}

TEST(deadlock_ends_a_run)
{
  static const char lines[] =
      "BSSY B0 J; A: @P0 BRA E; BSYNC B0; E: WARPSYNC.ALL; BSYNC B0; J: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x3);
  group_trace_run(&trace, lines);
  assert_ok(trace.status);
  assert_true(trace.run.deadlock);
  assert_false(trace.run.ended);
  assert_int_equal(trace.run.waiting_count, 2);
  assert_int_equal(trace.run.waiting[0].lanes | trace.run.waiting[1].lanes, 0xf);
  assert_int_equal(trace.run.waiting[0].instruction + trace.run.waiting[1].instruction, 5);
}

/* Lanes of other masks: apart, in any parts; and groups may meet there. */
TEST(other_masks_part_and_unite)
{
  static const char lines[] = "A: @P0 BRA E; MOV R1 R2; E: WARPSYNC.EXCLUSIVE R6; X: VOTE P2; EXIT";
  size_t splits = 0;
  size_t united = 0;
  size_t kept = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .lanes = 32}};
    group_trace_tell(&trace, lines, "A", 0xffff);
    group_trace_run(&trace, lines);
    assert_true(trace.run.ended);
    splits += trace.causes[WB_GROUP_WENT] > 30;
    united += trace.causes[WB_GROUP_UNITED] > 0;
    kept += strstr(trace.text, "X:ffff ") != NULL;
    trace.options.masks_together = true;
    trace.splits = 0;
    group_trace_run(&trace, lines);
    assert_int_equal(trace.splits, 1);
  }
  assert_true(splits > 20);
  assert_true(united > 20);
  assert_true(kept > 20);
}

/* ---- calls ---- */

static const char calls[] =
    "MOV R20 &B; CALL.REL F; B: @P0 BRA E; MOV R20 &C; CALL.REL F; C: EXIT; E: MOV R20 &D; "
    "CALL.REL F; D: EXIT; F: WARPSYNC.ALL; G: RET.REL R20";

/* Lanes that meet in a subroutine go back to where each came from. */
TEST(returns_go_by_the_register)
{
  struct group_trace trace = {0};
  group_trace_tell(&trace, calls, "B", 0x3);
  trace.options.policy = WB_GROUPS_LOWEST;
  group_trace_run(&trace, calls);
  assert_non_null(strstr(trace.text, "0:f 1:f F:f G:f B:f 3:c 4:c E:3 7:3 F:"));
  assert_non_null(strstr(trace.text, " G:f C:c D:3"));
  assert_int_equal(trace.linked, 0xf);
}

TEST(jump_is_not_linked)
{
  struct group_trace trace = {0};
  group_trace_expect(&trace, "MOV R20 #77; CALL.REL F; EXIT; F: EXIT", "0:f 1:f F:f");
  assert_int_equal(trace.linked, 0);
}

TEST(return_needs_an_address)
{
  static const char lines[] = "MOV R20 #77; RET.REL R20";
  struct group_trace trace = {0};
  group_trace_run(&trace, lines);
  assert_invalid(trace.status);
  assert_int_equal(trace.error.line, 2);
  struct group_trace device = {.no_kernel = true};
  group_trace_expect(&device, lines, "0:f 1:f");
}

/* ---- branches ---- */

/* A warp of 31 lanes may be said to be whole, or not. */
static void comparing_of_a_partial_warp_is_open(void)
{
  size_t taken = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .lanes = 31}};
    group_trace_run(&trace, "BRA.CONV E; EXIT; E: EXIT");
    assert_true(trace.run.ended);
    taken += strstr(trace.text, "E:7fffffff") != NULL;
  }
  assert_true(taken > 50 && taken < SEEDS - 50);
}

TEST(comparing_branch_is_one_decision)
{
  struct group_trace trace = {0};
  trace.options.lanes = 32;
  group_trace_expect(&trace,
                     "BRA.DIV #0xffffffff E; MOV R1 R2; E: BRA.CONV #0xffffffff F; EXIT; F: EXIT",
                     "0:ffffffff 1:ffffffff E:ffffffff F:ffffffff");
  static const char part[] = "A: @P0 EXIT; B: @P1 BRA D; MOV R1 R2; D: BRA.DIV R6 E; EXIT; E: EXIT";
  size_t taken = 0;
  size_t passed = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace some = {.options.seed = seed};
    group_trace_tell(&some, part, "A", 0x1);
    group_trace_tell(&some, part, "B", 0x2);
    group_trace_run(&some, part);
    assert_int_equal(some.splits, 2); /* one lane ends, one branches */
    taken += strstr(some.text, "E:c") != NULL;
    passed += strstr(some.text, "4:c") != NULL;
  }
  assert_int_equal(taken + passed, SEEDS);
  assert_true(taken > 50 && passed > 50);
  comparing_of_a_partial_warp_is_open();
}

TEST(indexed_branch_goes_everywhere)
{
  size_t three = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .lanes = 32}};
    group_trace_run(&trace, "TID R4; A: BRX R4 X Y Z; X: EXIT; Y: EXIT; Z: EXIT");
    assert_true(trace.run.ended);
    three += trace.run.steps == 5;
  }
  assert_true(three > 50);
}

/* ---- order ---- */

static const char two_sides[] = "A: @P0 BRA E; X: MOV R1 R2; EXIT; E: MOV R1 R2; F: EXIT";

TEST(policies_order_groups)
{
  const struct {
    enum wb_group_policy policy;
    const char *text;
  } rows[] = {{WB_GROUPS_LOWEST, "A:f X:e 2:e E:1 F:1"},
              {WB_GROUPS_HIGHEST, "A:f E:1 F:1 X:e 2:e"},
              {WB_GROUPS_MOST, "A:f X:e 2:e E:1 F:1"},
              {WB_GROUPS_FEWEST, "A:f E:1 F:1 X:e 2:e"},
              {WB_GROUPS_NEWEST, "A:f X:e 2:e E:1 F:1"}};
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    struct group_trace trace = {.options.policy = rows[r].policy};
    group_trace_tell(&trace, two_sides, "A", 0x1);
    group_trace_run(&trace, two_sides);
    assert_string_equal(trace.text, rows[r].text);
  }
  size_t mixed = 0;
  size_t kept[2] = {0};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options.seed = seed};
    group_trace_tell(&trace, two_sides, "A", 0x1);
    group_trace_run(&trace, two_sides);
    mixed += strstr(trace.text, "X:e E:1 ") != NULL;
    trace.options.policy = WB_GROUPS_STARVE;
    group_trace_run(&trace, two_sides);
    kept[0] += strcmp(trace.text, "A:f X:e 2:e E:1 F:1") == 0;
    kept[1] += strcmp(trace.text, "A:f E:1 F:1 X:e 2:e") == 0;
  }
  assert_true(mixed > 20);
  assert_true(kept[0] > 20 && kept[1] > 20);
}

TEST(same_seed_same_run)
{
  static const char lines[] =
      "TID P0; BSSY B0 J; H: TID P1; @P1 BRA H; @P0 EXIT; WARPSYNC R3; YIELD; BSYNC B0; J: EXIT";
  struct group_trace first = {.options = {.seed = 9, .lanes = 32, .bias = 100}};
  struct group_trace second = {.options = {.seed = 9, .lanes = 32, .bias = 100}};
  group_trace_run(&first, lines);
  group_trace_run(&second, lines);
  assert_string_equal(first.text, second.text);
}

/* ---- refusals ---- */

TEST(limits_end_a_run)
{
  struct group_trace trace = {0};
  group_trace_run(&trace, "A: BRA A");
  assert_ok(trace.status);
  assert_false(trace.run.ended);
  assert_int_equal(trace.run.steps, GROUP_TRACE_STEPS);
}

static void assert_refused(const char *lines, uint32_t sm, warpbound_status status, size_t line,
                           const char *message)
{
  const struct wb_group_run_options options = {.lanes = 32, .step_limit = UINT64_MAX};
  FREED_BY(wb_code_free) struct wb_code code;
  struct wb_group_run run;
  warpbound_error error = {0};
  simt_text_make_barriers(simt_lines(lines), &code);
  code.functions[0].sm = sm;
  assert_int_equal(wb_group_run(&code, &code.functions[0], &options, &run, &error), status);
  assert_int_equal(error.line, line);
  assert_non_null(strstr(error.message, message));
}

TEST(refusals_name_the_line)
{
  static const char past[] = "MOV R1 R2";
  static const char words[] = "A: STL R1 #0 R2; ADD R1 R1 #4; BRA A";
  assert_refused(past, 70, WARPBOUND_INVALID_INPUT, 1, "runs past");
  assert_refused("MOV R1 R2; LONGJMP", 70, WARPBOUND_INVALID_INPUT, 2, "not supported");
  assert_refused("SYNC", 70, WARPBOUND_INVALID_INPUT, 1, "not supported");
  assert_refused("BRX R1", 70, WARPBOUND_FACTS_MISSING, 1, "--targets");
  assert_refused(past, 52, WARPBOUND_INVALID_INPUT, 1, "sm_70 or later");
  assert_refused(words, 70, WARPBOUND_LIMIT, 1, "4194304 words");
}
