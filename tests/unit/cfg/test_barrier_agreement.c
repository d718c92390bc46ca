/* What lanes agree on after a BSYNC or WARPSYNC brought them together: branches that follow are
 * uniform exactly where they must be. */
#include "groups/group_analysis.h"
#include "unit.h"

static const struct wb_simt_options full = {0};
static const struct wb_simt_options active = {.agreement = WB_AGREEMENT_ACTIVE};
static const struct wb_simt_options none = {.agreement = WB_AGREEMENT_NONE};

/* Both sides write R3 to R9 and UR4; R2, which neither writes, agreed when the lanes parted. */
static const char sources[] =
    "CTA R2; MOV R1 #0; TID R0; SETP P0 R0; STL R1 #8 R2; BSSY B0 join; @P0 BRA else; MOV R4 #7; "
    "MOV R5 #7; ADD R6 R2 #4; ADD R7 R2 #4; LDC R8 #16; LDL R9 R1 #8; LDC R10 #16; MOV UR4 R0; "
    "BSYNC B0; else: MOV R4 #7; MOV R5 #8; "
    /* another number */
    "ADD R6 R2 #4; ADD R7 R2 #8; "
    /* another sum */
    "LDC R8 #16; LDL R9 R1 #8; LDC R10 #20; "
    /* another parameter */
    "MOV UR4 R0; BSYNC B0; join: SETP P1 R2; "
    /* 25 */
    "@P1 BRA a; a: SETP P1 R4; @P1 BRA b; b: SETP P1 R5; @P1 BRA c; c: SETP P1 R6; @P1 BRA d; d: "
    "SETP P1 R7; @P1 BRA e; e: SETP P1 R8; @P1 BRA f; f: SETP P1 R9; @P1 BRA g; g: SETP P1 R10; "
    "@P1 BRA h; h: SETP P1 UR4; @P1 BRA i; i: EXIT";

TEST(values_of_one_source_agree)
{
  group_expect(sources, full, "branches: 6 30 34 40 | 26 28 32 36 38 42");
  /* Without what waiting lanes agree on only uniform registers do; without any nothing does. */
  group_expect(sources, active, "branches: 6 26 28 30 32 34 36 38 40 | 42");
  group_expect(sources, none, "branches: 6 26 28 30 32 34 36 38 40 42 |");
}

TEST(what_some_lanes_wrote_does_not_agree)
{
  /* A load in one side alone. */
  group_expect(
      "CTA R2; CTA R3; TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA wait; LDG R2 R3; wait: BSYNC "
      "B0; join: SETP P1 R2; @P1 BRA a; a: SETP P1 R3; @P1 BRA b; b: EXIT",
      full, "branches: 5 9 | 11");
  /* The same before an inner scope: there the lanes that wrote it agree. */
  group_expect(
      "CTA R2; TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; @P0 BRA a; LDG R2 R2; BSSY B1 in; "
      "@P1 BRA b; MOV R5; b: BSYNC B1; in: SETP P2 R2; @P2 BRA a; a: BSYNC B0; out: SETP P2 R2; "
      "@P2 BRA c; c: EXIT",
      full, "branches: 5 8 15 | 12");
  /* Lanes part within a side, once it has written: its two groups agreed at their own parting, not
   * at the first. */
  group_expect(
      "CTA R2; TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 out; @P0 BRA a; LDG R2 R2; @P1 BRA a; "
      "MOV R5; a: BSYNC B0; out: SETP P2 R2; @P2 BRA b; b: EXIT",
      full, "branches: 5 7 11 |");
  /* A register that did not agree when the lanes parted, and is not written since. */
  group_expect(
      "TID R2; TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA wait; MOV R5; wait: BSYNC B0; join: "
      "SETP P1 R2; @P1 BRA a; a: EXIT",
      full, "branches: 4 8 |");
  /* Lanes that leave by a BREAK and wait elsewhere do not bring what they wrote. */
  group_expect(
      "CTA R2; TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 join; @P0 BREAK B0; @P0 BRA out; @P1 BRA "
      "b; MOV R5; b: BSYNC B0; join: SETP P2 R2; @P2 BRA c; c: EXIT; out: LDG R2 R2; BRA c",
      full, "branches: 6 7 | 11");
  /* The branch's predicate does not tell who left the scope: lanes of both sides wait. */
  group_expect(
      "CTA R2; TID R0; SETP P0 R0; SETP P1 R0; BSSY B0 join; @P0 BREAK B0; @P1 BRA a; LDG R2 "
      "R2; a: BSYNC B0; join: SETP P2 R2; @P2 BRA c; c: EXIT",
      full, "branches: 6 10 |");
}

TEST(lanes_that_left_a_loop_early_may_differ)
{
  /* What a loop in the scope writes is lost only where it counts on lanes that left early. */
  group_expect(
      "CTA R2; CTA R3; TID R0; BSSY B0 join; head: SETP P0 R0; LDG R2 R2; @P0 BRA head; BSYNC "
      "B0; join: SETP P1 R2; @P1 BRA a; a: SETP P1 R3; @P1 BRA b; b: EXIT",
      full, "branches: 6 9 | 11");
}

static const char meeting[] =
    "CTA R2; CTA R3; TID R0; SETP P0 R0; @P0 BRA a; LDG R3 R3; a: WARPSYNC.ALL; SETP P1 R2; @P1 "
    "BRA b; b: SETP P1 R3; @P1 BRA c; c: EXIT";

TEST(meetings_keep_what_nobody_wrote)
{
  group_expect(meeting, full, "branches: 4 10 | 8");
  group_expect(meeting, active, "branches: 4 8 10 |");
  group_expect("CTA R2; TID R0; SETP P0 R0; @P0 EXIT; WARPSYNC.ALL; SETP P1 R2; @P1 BRA a; a: EXIT",
               full, "branches: 3 | 6");
  /* Groups that are not known to meet here alone agree on what they did when they parted. */
  group_expect("CTA R2; CTA R3; TID R0; SETP P0 R0; @P0 BRA a; WARPSYNC.ALL; LDG R3 R3; EXIT; a: "
               "WARPSYNC.ALL; SETP P1 R2; @P1 BRA b; b: LDG R2 R3; SETP P1 R2; @P1 BRA c; c: EXIT",
               full, "branches: 4 | 10 13");
}

/* An unknown instruction may write everything, in no order that its lanes share. */
TEST(what_is_not_known_may_write_everything)
{
  group_expect("CTA R2; BSSY B0 join; MYSTERY; BSYNC B0; join: SETP P0 R2; @P0 BRA a; a: EXIT",
               full, "branches: 5 |");
}
