/* WARPSYNC, BRA.DIV and BRA.CONV on small programs: where the lanes of a warp meet. */
#include "groups/group_analysis.h"
#include "unit.h"

static const struct wb_simt_options full = {0};

TEST(all_lanes_meet)
{
  group_expect("TID R0; SETP P0 R0; @P0 BRA a; MOV R1; a: WARPSYNC.ALL; @P0 BRA b; MOV R2; b: EXIT",
               full,
               "edges: 2>3fe 2>4be 3>4f 4>5f* 5>6fe 5>7be 6>7f $7; entries: 5w!(2~); branches: 2 5 "
               "|; several: 4 5 6 7");
  group_expect("CTA R0; SETP P0 R0; MOV R3 #0xffffffff; WARPSYNC R3; @P0 BRA b; MOV R2; b: EXIT",
               full, "edges: 3>4f 4>5f 4>6b 5>6f $6; branches: | 4; several: ");
  group_expect(
      "TID R0; SETP P0 R0; @P0 BRA a; WARPSYNC.ALL; MOV R1; EXIT; a: WARPSYNC.ALL; SETP "
      "P2 R1; @P2 BRA b; MOV R2; b: EXIT",
      full, "edges: 2>3fe 2>6be 3>4f 6>7f 8>9fe 8>10be 9>10f $5 $10; branches: 2 8 |; several: 10");
  group_expect("TID R0; SETP P0 R0; BSSY B0 out; @P0 BRA a; MOV R1; a: WARPSYNC.ALL; SETP P1 R0; "
               "BSYNC B0; out: WARPSYNC.ALL; EXIT",
               full,
               "edges: 3>4fe 3>5be 4>5f 5>6f* 7>8f* 8>9f $9; entries: 6w!(3~) 8s!(3); branches: 3 "
               "|; scopes: 2:8 (7); innermost: 4:2 5:2 6:2; several: 5 6");
  group_expect("TID R0; SETP P0 R0; @P0 WARPSYNC.ALL; MOV R1; EXIT", full,
               "edges: 2>3fl $4; entries: 3w!(2~); branches: 2 |; several: 3");
  group_expect(
      "TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA a; EXIT; a: BSYNC B0; join: WARPSYNC.ALL; EXIT",
      full,
      "edges: 3>4fe 3>5be 5>6f* 6>7f $4 $7; entries: 6s!(3); branches: 3 |; scopes: 2:6 (5); "
      "innermost: 4:2 5:2; several: ");
}

static const char meet_some[] =
    "TID R0; SETP P0 R0; MOV R3 #3; WARPSYNC R3; @P0 BRA b; MOV R2; b: EXIT";

TEST(some_lanes_meet)
{
  group_expect(meet_some, full, "edges: 3>4fl 4>5fe 4>6be 5>6f $6; branches: 4 |; several: 4 5 6");
  group_expect("MOV R3 #0xffffffff; WARPSYNC.EXCLUSIVE R3; MOV R4; EXIT", full,
               "edges: 1>2fl $3; branches: |; several: 2");
  group_expect("MOV R3 #3; WARPSYNC.COLLECTIVE R3 end; MOV R4; end: MOV R5; EXIT", full,
               "edges: 1>2fl 1>3bl 2>3f $4; branches: |; several: 2 3");
}

static const char conv_decided[] =
    "MOV R6 #0xffffffff; BRA.CONV R6 d; MOV R1; EXIT; d: MOV R2; EXIT";

/* A mask of all lanes decides where the warp has 32 and no lanes are elsewhere. */
TEST(groups_branch_as_one)
{
  static const struct wb_simt_options whole = {.block = {64, 1, 1}};
  static const struct wb_simt_options partial = {.block = {40, 1, 1}};
  group_expect("MOV R6 #0xffffffff; BRA.DIV R6 d; MOV R1; EXIT; d: MOV R2; EXIT", whole,
               "edges: 1>2f $3; branches: | 1; several: ");
  group_expect("TID R0; SETP P0 R0; MOV R6 #0xffffffff; @P0 BRA a; MOV R1; a: BRA.DIV R6 d; MOV "
               "R1; EXIT; d: MOV R2; EXIT",
               whole, "edges: 3>4fe 3>5be 4>5f 5>6f 5>8b $7 $9; branches: 3 | 5; several: 5 6 8");
  group_expect(conv_decided, whole, "edges: 1>4b $5; branches: | 1; several: ");
  group_expect("MOV R6 #7; BRA.CONV R6 d; MOV R1; EXIT; d: MOV R2; EXIT", whole,
               "edges: 1>2f 1>4b $3 $5; branches: | 1; several: ");
  group_expect("CTA R2; SETP P0 R2; @P0 BRA.DIV #0xffffffff d; MOV R1; EXIT; d: MOV R2; EXIT",
               whole, "edges: 2>3f $4; branches: | 2; several: ");
  /* Lanes that never were, or have ended. */
  static const char either[] = "edges: 1>2f 1>4b $3 $5; branches: | 1; several: ";
  group_expect(conv_decided, full, either);
  group_expect(conv_decided, partial, either);
  group_expect("TID R0; SETP P0 R0; @P0 EXIT; BRA.CONV d; MOV R1; EXIT; d: MOV R2; EXIT", whole,
               "edges: 2>3fe 3>4f 3>6b $2 $5 $7; branches: 2 | 3; several: ");
}

TEST(masks_may_keep_groups_together)
{
  static const struct wb_simt_options together = {.masks_together = true};
  group_expect(meet_some, together, "edges: 3>4f 4>5fe 4>6be 5>6f $6; branches: 4 |; several: 6");
}
