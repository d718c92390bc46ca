/* Which loops leave no lanes behind, so that a bound per thread bounds the warp. */
#include "groups/group_analysis.h"
#include "unit.h"

/* A loop: the blocks from `head` up to before `end`; headers are `head` and `inner`, if there is
 * one. Whether it is balanced, with the options in the order of `options` below. */
struct loop {
  const char *lines;
  const char *inner;
  bool balanced[4];
};

static const struct wb_simt_options options[4] = {
    {0},
    {.waiting = WB_WAITING_ALWAYS},
    {.waiting = WB_WAITING_NEVER},
    {.masks_together = true},
};

static void expect(const struct loop *loops, size_t count)
{
  for (size_t l = 0; l < count; l++) {
    for (size_t o = 0; o < 4; o++)
      assert_int_equal(group_balanced(loops[l].lines, options[o], "head", loops[l].inner, "end"),
                       loops[l].balanced[o]);
  }
}

#define EXPECT(loops) expect(loops, COUNT_OF(loops))

TEST(lanes_that_leave_for_good_are_not_left_behind)
{
  static const struct loop loops[] = {
      {"CTA R0; head: SETP P0 R0; @P0 BRA head; end: EXIT",
       NULL,
       {true, true, true, true}}, /* Those that leave never come back. */
      {"head: TID R0; SETP P0 R0; @P0 BRA head; end: EXIT", NULL, {true, true, true, true}},
      {"TID R0; BSSY B0 join; head: SETP P0 R0; @P0 BRA end; MOV R1; BRA head; end: BSYNC B0; "
       "join: EXIT",
       NULL,
       {true, true, true, true}},
      {"TID R0; SETP P0 R0; head: @P0 EXIT; SETP P0 R0; BRA head; end: EXIT",
       NULL,
       {true, true, true, true}},
      /* Out of a scope in the loop to one around it. */
      {"TID R0; SETP P0 R0; BSSY B0 after; head: SETP P1 R0; BSSY B1 join; @P1 BREAK B1; @P1 BRA "
       "end; @P0 BRA wait; MOV R1; wait: BSYNC B1; join: BRA head; end: BSYNC B0; after: EXIT",
       NULL,
       {true, true, false, true}},
  };
  EXPECT(loops);
}

TEST(scopes_in_the_body_keep_it_together)
{
  static const struct loop loops[] = {
      {"head: TID R0; SETP P0 R0; @P0 BRA tail; MOV R1; tail: SETP P1 R0; @P1 BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
      {"head: TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA wait; MOV R1; wait: BSYNC B0; join: SETP "
       "P1 R0; @P1 BRA head; end: EXIT",
       NULL,
       {true, true, false, true}},
      {"head: TID R0; SETP P0 R0; BSSY B0 join; @P0 BRA wait; NANOSLEEP; wait: BSYNC B0; join: "
       "SETP P1 R0; @P1 BRA head; end: EXIT",
       NULL,
       {false, true, false, false}},
      /* Two ways back. */
      {"TID R0; head: SETP P0 R0; @P0 BRA head; SETP P1 R0; @P1 BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
      {"TID R0; head: BRX R0 a b end; a: BRA head; b: BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
      {"CTA R0; head: BRX R0 a b end; a: BRA head; b: BRA head; end: EXIT",
       NULL,
       {true, true, true, true}},
      /* Lanes that go over one edge with those that waited may be several groups. */
      {"TID R0; SETP P0 R0; head: BSSY B0 join; @P0 BSYNC B0; MOV R1; BSYNC B0; join: SETP P1 R0; "
       "@P1 BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
  };
  EXPECT(loops);
}

/* ---- scopes that do not bring all together ---- */

/* Those that left the scope come together with the others again, at the release of one around it:
 * before that they are in the loop as well. */
static const char break_between[] =
    "TID R0; SETP P1 R0; head: BSSY B0 out; BSSY B1 inner; @P1 BREAK B1; @P1 BRA far; BSYNC B1; "
    "inner: MOV R2; far: BSYNC B0; out: SETP P2 R0; @P2 BRA head; end: EXIT";

TEST(scopes_may_leave_lanes_behind)
{
  static const struct loop loops[] = {
      /* By a BREAK some go round the loop while others still are in the scope. */
      {"TID R0; SETP P0 R0; head: SETP P1 R0; BSSY B1 join; @P1 BREAK B1; @P1 BRA head; @P0 BRA "
       "wait; MOV R1; wait: BSYNC B1; join: SETP P2 R0; @P2 BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
      /* Those that left the scope do not wait in it. */
      {"TID R0; SETP P0 R0; head: SETP P1 R0; BSSY B1 join; @P1 BREAK B1; @P0 BRA wait; MOV R1; "
       "wait: BSYNC B1; join: SETP P2 R0; @P2 BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
      /* The scope that is released in the loop was made before it. */
      {"TID R0; SETP P0 R0; BSSY B0 mid; head: @P0 BRA wait; MOV R1; wait: BSYNC B0; mid: SETP P1 "
       "R0; BSSY B0 mid; @P1 BRA head; end: EXIT",
       NULL,
       {false, false, false, false}},
      {break_between, NULL, {true, true, false, true}},
      {break_between, "inner", {false, false, false, false}},
  };
  EXPECT(loops);
}

TEST(meetings_bring_the_warp_together)
{
  static const struct loop loops[] = {
      {"CTA R9; TID R0; head: SETP P0 R0; @P0 BRA meet; MOV R1; meet: WARPSYNC.ALL; SETP P1 R9; "
       "@P1 BRA head; end: EXIT",
       NULL,
       {true, true, true, true}},
      /* Lanes that left the loop wait elsewhere: who meets in it is not known. */
      {"head: TID R0; SETP P0 R0; @P0 BRA meet; MOV R1; meet: WARPSYNC.ALL; SETP P1 R0; @P1 BRA "
       "head; end: WARPSYNC.ALL; EXIT",
       NULL,
       {false, false, false, false}},
      {"head: TID R0; SETP P0 R0; WARPSYNC #3; @P0 BRA head; end: EXIT",
       NULL,
       {false, false, false, true}},
      /* A group goes one of the ways as a whole. */
      {"TID R0; SETP P0 R0; head: BRA.DIV #0xffffffff d; BRA e; d: MOV R2; e: @P0 BRA head; end: "
       "EXIT",
       NULL,
       {true, true, true, true}},
  };
  EXPECT(loops);
}

static const char around_an_open_loop[] =
    "TID R0; head: MOV R1; in: SETP P0 R0; @P0 BRA in; after: SETP P1 R0; @P1 BRA head; end: EXIT";
TEST(bodies_of_many_blocks)
{
  static const struct loop loops[] = {
      {"TID R0; SETP P0 R0; head: MOV R20 &back; CALL.REL f; back: @!P0 BRA end; BRA head; f: @P0 "
       "RET.REL R20; RET.REL R20; end: EXIT",
       NULL,
       {false, false, false, false}},
      {"TID R0; SETP P0 R0; head: MOV R20 &back; CALL.REL f; back: @!P0 BRA end; BRA head; f: MOV "
       "R1; RET.REL R20; end: EXIT",
       NULL,
       {true, true, true, true}},
      {"TID R0; head: BSSY B0 join; in: SETP P0 R0; @P0 BRA in; BSYNC B0; join: SETP P1 R0; @P1 "
       "BRA head; end: EXIT",
       NULL,
       {true, true, false, true}},
      {around_an_open_loop, NULL, {false, false, false, false}},
      /* Each entry is counted for itself. */
      {"TID R0; SETP P0 R0; @P0 BRA inner; head: MOV R1; inner: SETP P1 R0; @P1 BRA head; end: "
       "EXIT",
       "inner",
       {true, true, true, true}},
      /* Some lanes go round by the second header alone, others by both. */
      {"TID R0; SETP P0 R0; @P0 BRA inner; head: MOV R1; inner: SETP P1 R0; @P1 BRA head; SETP P2 "
       "R0; @P2 BRA inner; end: EXIT",
       "inner",
       {false, false, false, false}},
  };
  EXPECT(loops);
  /* Lanes that leave the inner loop are in it no more. */
  assert_true(group_balanced(around_an_open_loop, options[0], "in", NULL, "after"));
}
