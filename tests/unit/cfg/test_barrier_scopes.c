/* Scopes of convergence barriers on small programs: every edge with its rate, who waits. */
#include "groups/group_analysis.h"
#include "unit.h"

static const struct wb_simt_options full = {0};

static const char if_else[] = "TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA else; MOV R1; BSYNC B0; "
                              "else: MOV R1; BSYNC B0; join: EXIT";

TEST(sides_of_a_branch_wait_for_each_other)
{
  group_expect(if_else, full,
               "edges: 3>4fe 3>6be 5>8b* 7>8f* $8; entries: 8s!(3); branches: 3 |; scopes: 2:8 (5 "
               "7); innermost: 4:2 6:2; several: ");
  group_expect("TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA wait; MOV R1; wait: BSYNC B0; join: EXIT",
               full,
               "edges: 3>4fe 3>5be 4>5f 5>6f* $6; entries: 6s!(3); branches: 3 |; scopes: 2:6 (5); "
               "innermost: 4:2 5:2; several: 5");
  group_expect("TID R0; SETP P0 R0; BSSY B0 join; @P0 BSYNC B0; MOV R1; BSYNC B0; join: EXIT", full,
               "edges: 3>4fe 3>6bl 5>6f* $6; entries: 6s!(3); branches: 3 |; scopes: 2:6 (3 5); "
               "innermost: 4:2; several: 6");
  group_expect("TID R0; BSSY B0 end; BRX R0 a b; a: MOV R1; b: BSYNC B0; end: EXIT", full,
               "edges: 2>3be 2>4be 3>4f 4>5f* $5; entries: 5s!(2); branches: 2 |; scopes: 1:5 (4); "
               "innermost: 3:1 4:1; several: 4");
}

TEST(without_a_scope_each_group_goes_its_way)
{
  group_expect(
      "TID R0; SETP P0 R0; @P0 BRA else; MOV R1; BRA join; else: MOV R2; join: MOV R3 R1 R2; EXIT",
      full, "edges: 2>3fe 2>5be 4>6b 5>6f $7; branches: 2 |; several: 6");
  group_expect("CTA R0; BRX R0 a b; a: MOV R1; b: EXIT", full,
               "edges: 1>2b 1>3b 2>3f $3; branches: | 1; several: ");
  group_expect("CTA R2; SETP P0 R2; TID R0; SETP P1 R0; @P0 BRA P1 a; MOV R4; a: EXIT", full,
               "edges: 4>5fe 4>6be 5>6f $6; branches: 4 |; several: 6");
  group_expect("TID R0; SETP P0 R0; @P0 BRA.U a; MOV R4; a: EXIT", full,
               "edges: 2>3f 2>4b 3>4f $4; branches: | 2; several: ");
}

/* One barrier register serves two scopes; the outer binding travels through a register. */
TEST(scopes_nest)
{
  group_expect(
      "TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; @P0 BRA a; BSSY B1 in; @P1 BRA b; MOV R1; b: "
      "BSYNC B1; in: MOV R2; a: BSYNC B0; out: EXIT",
      full,
      "edges: 4>5fe 4>10be 6>7fe 6>8be 7>8f 8>9f* 9>10f 10>11f* $11; entries: 9s!(6) 11s!(4); "
      "branches: 4 6 |; scopes: 3:11 (10) 5:9 in 3 (8); innermost: 5:3 7:5 8:5 9:3 10:3; several: "
      "8 10");
  group_expect(
      "TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; BMOV R5 B0; @P0 BRA a; BSSY B0 in; @P1 BRA b; "
      "MOV R1; b: BSYNC B0; in: BMOV B0 R5; a: BSYNC B0; out: EXIT",
      full,
      "edges: 5>6fe 5>11be 7>8fe 7>9be 8>9f 9>10f* 10>11f 11>12f* $12; entries: 10s!(7) 12s!(5); "
      "branches: 5 7 |; scopes: 3:12 (11) 6:10 in 3 (9); innermost: 6:3 8:6 9:6 10:3 11:3; "
      "several: 9 11");
  group_expect("TID R0; SETP P0 R0; BSSY B0 out; BSSY B1 in; @P0 BRA a; MOV R1; a: BSYNC B1; in: "
               "BSYNC B0; out: EXIT",
               full,
               "edges: 4>5fe 4>6be 5>6f 6>7f* 7>8f* $8; entries: 7s!(4) 8s!(4); branches: 4 |; "
               "scopes: 2:8 (7) 3:7 in 2 (6); innermost: 5:3 6:3 7:2; several: 6");
  group_expect("TID R0; head: SETP P0 R0; BSSY B0 out; @P0 BRA head; BSYNC B0; out: EXIT", full,
               "edges: 0>1f 3>1be 3>4fe 4>5f* $5; entries: 5s!(3); branches: 3 |; scopes: 2:5 (4); "
               "innermost: 4:2; several: 4 5");
}

static const char break_unclear[] = "TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; @P0 BREAK B0; "
                                    "@P1 BRA a; MOV R1; a: BSYNC B0; out: EXIT";

/* By a BREAK whose predicate the branch after it has; by one that no branch tells from the others;
 * all of them; some scope; by an EXIT. */
TEST(lanes_leave_scopes)
{
  group_expect(
      "TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; BSSY B1 in; @P0 BREAK B1; @P0 BRA a; @P1 BRA "
      "b; MOV R1; b: BSYNC B1; in: MOV R2; a: BSYNC B0; out: EXIT",
      full,
      "edges: 6>7fe 6>11be 7>8fe 7>9be 8>9f 9>10f* 10>11f 11>12f* $12; entries: 10s!(6) 12s!(6); "
      "branches: 6 7 |; scopes: 3:12 (11) 4:10 in 3 (9) x(5); innermost: 7:4 8:4 9:4 10:3 11:3; "
      "several: 9 11");
  group_expect(break_unclear, full,
               "edges: 5>6fe 5>7be 6>7f 7>8fl $8; entries: 8s!(5); branches: 5 |; scopes: 3:8 (7) "
               "x(4); innermost: ; several: 7 8");
  group_expect(
      "TID R0; SETP P0 R0; BSSY B0 out; @P0 BRA a; BSYNC B0; a: BREAK B0; MOV R1; EXIT; out: EXIT",
      full,
      "edges: 3>4fe 3>5be 4>8b* $7 $8; entries: 8s!(3); branches: 3 |; scopes: 2:8 (4) x(5); "
      "innermost: 4:2 5:2; several: ");
  group_expect("LDG R3 R2; TID R0; SETP P0 R0; BSSY B0 x; BMOV B1 R3; BREAK B1; @P0 BRA a; a: "
               "BSYNC B0; x: EXIT",
               full,
               "edges: 6>7fe 6>7be 7>8fl $8; entries: 8s!(6); branches: 6 |; scopes: 3:8 (7) x(5); "
               "several: 7 8");
  group_expect("TID R0; SETP P0 R0; BSSY B0 join; @P0 EXIT; BSYNC B0; join: SETP P1 R0; @P1 BRA "
               "end; MOV R1; end: EXIT",
               full,
               "edges: 3>4fe 4>5f* 6>7fe 6>8be 7>8f $3 $8; entries: 5s!(3); branches: 3 6 |; "
               "scopes: 2:5 (4); innermost: 4:2; several: 8");
}

TEST(bindings_are_not_always_known)
{
  group_expect("CTA R0; TID R9; SETP P1 R9; SETP P0 R0; @P0 BRA b; BSSY B0 x; BRA c; b: BSSY B0 y; "
               "c: @P1 BRA d; MOV R1; d: BSYNC B0; x: MOV R2; y: EXIT",
               full,
               "edges: 4>5f 4>7b 6>8b 7>8f 8>9fe 8>10be 9>10f 10>11fl 10>12bl 11>12f $12; entries: "
               "11s!(6) 12s!(7); branches: 8 | 4; scopes: 5:11 (10) 7:12 (10); several: 10 11 12");
  group_expect("TID R0; SETP P0 R0; @P0 BSSY B0 out; MOV R1; BSYNC B0; out: EXIT", full,
               "edges: 4>5fl $5; entries: 5s!(4~); branches: |; scopes: 2:5 (4); several: 5");
  group_expect("MOV R1; BSYNC B3; BREAK B3; EXIT", full, "edges: 1>2f $3; branches: |; several: ");
  group_expect("LDG R3 R2; BSSY B0 x; BMOV B0 R3; BSYNC B0; x: EXIT", full,
               "edges: 3>4fl $4; entries: 4s!(3); branches: |; scopes: 1:4 (3); several: 4");
  /* A mask that is lost: of two scopes that which ends behind the BSYNC; where none does, any. */
  group_expect("LDG R3 R2; BSSY B1 y; BSSY B0 x; BMOV B0 R3; BSYNC B0; x: BSYNC B1; y: EXIT", full,
               "edges: 4>5fl 5>6f* $6");
  group_expect(
      "LDG R3 R2; BSSY B1 y; BSSY B0 x; BMOV B0 R3; BSYNC B0; MOV R4; x: BSYNC B1; y: EXIT", full,
      "edges: 4>5fe 4>6bl 4>7bl 5>6f 6>7f* $7");
  group_expect("BSSY B0 x; BMOV B0 #0; BSYNC B0; x: EXIT", full,
               "edges: 2>3f $3; entries: 3s!(2); branches: |; scopes: 0:3; several: ");
  group_expect("TID R0; SETP P0 R0; BSSY B0 x; @P0 BMOV B0 #0; BSYNC B0; x: EXIT", full,
               "edges: 4>5fl $5; entries: 5s!(4); branches: |; scopes: 2:5 (4); several: 5");
  /* A sum is no mask any more. */
  group_expect("BSSY B0 x; BMOV R3 B0; ADD R3 R3 #8; BMOV B0 R3; BSYNC B0; x: EXIT", full,
               "edges: 4>5fl $5; entries: 5s!(4)");
}

/* Taken out of a barrier register and brought back; through the stack, at an offset from the
 * pointer. What was released is bound to nothing. */
TEST(bindings_travel)
{
  group_expect("BSSY B0 x; BMOV.CLEAR R3 B0; BSYNC B0; BMOV B0 R3; BSYNC B0; x: EXIT", full,
               "edges: 2>3f 4>5f* $5; entries: 5s!(2); branches: |; scopes: 0:5 (4); innermost: "
               "3:0; several: ");
  group_expect("MOV R1 #0; TID R0; SETP P0 R0; BSSY B0 x; BMOV.CLEAR R3 B0; STL R1 #8 R3; ADD R1 "
               "R1 #4; @P0 BRA a; MOV R4; a: LDL R5 R1 #4; BMOV B0 R5; BSYNC B0; x: EXIT",
               full,
               "edges: 7>8fe 7>9be 8>9f 11>12f* $12; entries: 12s!(7); branches: 7 |; scopes: 3:12 "
               "(11); innermost: 8:3 9:3; several: 9");
  group_expect("BSSY B0 x; BMOV R3 B0; BSYNC B0; x: BMOV B0 R3; BSYNC B0; EXIT", full,
               "edges: 2>3f* 4>5f $5; entries: 3s!(2); branches: |; scopes: 0:3 (2); several: ");
  /* A word of the stack, at the same place after a call to outside. */
  group_expect("MOV R1 #0; BSSY B0 x; BMOV R16 B0; STL R1 #8 R16; JCAL; LDL R17 R1 #8; BMOV B0 "
               "R17; BSYNC B0; x: EXIT",
               full, "edges: 7>8f* $8; scopes: 1:8 (7)");
}

/* ---- what guards tell, and who is together again ---- */

static const char whole_again[] =
    "TID R0; SETP P0 R0; BSSY B0 x; @P0 BRA a; YIELD; a: BSYNC B0; x: WARPSYNC.ALL; EXIT";
TEST(releases_bring_back_who_stayed)
{
  static const struct wb_simt_options always = {.waiting = WB_WAITING_ALWAYS};
  group_expect(
      "TID R0; SETP P0 R0; BSSY B0 x; @!P0 BREAK B0; @!P0 BRA a; BSYNC B0; x: MOV R2; a: EXIT",
      full, "edges: 4>5fe 4>7be 5>6f* 6>7f $7");
  /* Lanes that do not branch may have left all the same. */
  group_expect(
      "TID R0; SETP P0 R0; BSSY B0 x; @P0 BREAK B0; @P0 BRA P1 a; BSYNC B0; x: MOV R2; a: EXIT",
      full, "edges: 4>5fe 4>7be 5>6fl 6>7f $7");
  group_expect(whole_again, always, "edges: 3>4fe 3>5be 4>5f 5>6f* 6>7f $7; entries: 6s!(3)");
  group_expect(whole_again, full, "edges: 3>4fe 3>5be 4>5f 5>6f* 6>7f* $7; entries: 6s(3) 7w!(3~)");
  group_expect(
      "TID R0; SETP P0 R0; BSSY B0 x; @P0 BREAK B0; @P0 BRA a; BSYNC B0; x: WARPSYNC.ALL; a: EXIT",
      full, "edges: 4>5fe 4>7be 5>6f* 6>7f* $7; entries: 6s!(4) 7w!(4~)");
}

static const char yielding[] =
    "TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA a; YIELD; a: BSYNC B0; join: EXIT";

/* Who does not wait goes on at the point, as often as it comes to the BSYNC. */
TEST(options_say_who_waits)
{
  static const struct wb_simt_options always = {.waiting = WB_WAITING_ALWAYS};
  static const struct wb_simt_options never = {.waiting = WB_WAITING_NEVER};
  group_expect(yielding, full, "edges: 3>4fe 3>5be 4>5f 5>6f* $6; entries: 6s(3); several: 5 6");
  group_expect(yielding, always, "edges: 3>4fe 3>5be 4>5f 5>6f* $6; entries: 6s!(3); several: 5");
  group_expect(if_else, never,
               "edges: 3>4fe 3>6be 5>8b 7>8f $8; entries: 8s(3); scopes: 2:8 (5 7); several: 8");
  group_expect(break_unclear, never, "edges: 5>6fe 5>7be 6>7f 7>8fe $8; several: 7 8");
}
