/* Which loops leave no lanes behind, so that a bound per thread bounds the warp. */
#include "group_analysis.h"
#include "unit.h"

/* A loop: the blocks from `head` up to before `end`; headers are `head` and `inner`, if there is
 * one. Whether it is balanced, with the options in the order of `options` below. */
struct loop {
  const char *const *lines;
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

#define EXPECT(loops) expect(loops, sizeof(loops) / sizeof(loops)[0])

/* ---- lanes leave ---- */

static const char *const uniform[] = {"CTA R0", "head: SETP P0 R0", "@P0 BRA head", "end: EXIT",
                                      NULL};
/* Those that leave never come back. */
static const char *const leaving[] = {"head: TID R0", "SETP P0 R0", "@P0 BRA head", "end: EXIT",
                                      NULL};
static const char *const waiting_behind[] = {
    "TID R0",   "BSSY B0 join",  "head: SETP P0 R0", "@P0 BRA end", "MOV R1",
    "BRA head", "end: BSYNC B0", "join: EXIT",       NULL,
};
static const char *const ending[] = {
    "TID R0", "SETP P0 R0", "head: @P0 EXIT", "SETP P0 R0", "BRA head", "end: EXIT", NULL,
};
/* Out of a scope in the loop to one around it. */
static const char *const breaking_out[] = {
    "TID R0",         "SETP P0 R0",
    "BSSY B0 after",  "head: SETP P1 R0",
    "BSSY B1 join",   "@P1 BREAK B1",
    "@P1 BRA end",    "@P0 BRA wait",
    "MOV R1",         "wait: BSYNC B1",
    "join: BRA head", "end: BSYNC B0",
    "after: EXIT",    NULL,
};

TEST(lanes_that_leave_for_good_are_not_left_behind)
{
  static const struct loop loops[] = {
      {uniform, NULL, {true, true, true, true}},        {leaving, NULL, {true, true, true, true}},
      {waiting_behind, NULL, {true, true, true, true}}, {ending, NULL, {true, true, true, true}},
      {breaking_out, NULL, {true, true, false, true}},
  };
  EXPECT(loops);
}

/* ---- lanes part in the body ---- */

static const char *const open_if[] = {
    "head: TID R0",     "SETP P0 R0",   "@P0 BRA tail", "MOV R1",
    "tail: SETP P1 R0", "@P1 BRA head", "end: EXIT",    NULL,
};
static const char *const scoped_if[] = {
    "head: TID R0",   "SETP P0 R0",       "BSSY B0 join", "@P0 BRA wait", "MOV R1",
    "wait: BSYNC B0", "join: SETP P1 R0", "@P1 BRA head", "end: EXIT",    NULL,
};
static const char *const yielding_if[] = {
    "head: TID R0",   "SETP P0 R0",       "BSSY B0 join", "@P0 BRA wait", "NANOSLEEP",
    "wait: BSYNC B0", "join: SETP P1 R0", "@P1 BRA head", "end: EXIT",    NULL,
};
/* Two ways back. */
static const char *const continuing[] = {
    "TID R0", "head: SETP P0 R0", "@P0 BRA head", "SETP P1 R0", "@P1 BRA head", "end: EXIT", NULL,
};
static const char *const indexed[] = {
    "TID R0", "head: BRX R0 a b end", "a: BRA head", "b: BRA head", "end: EXIT", NULL,
};
static const char *const indexed_as_one[] = {
    "CTA R0", "head: BRX R0 a b end", "a: BRA head", "b: BRA head", "end: EXIT", NULL,
};
/* Lanes that go over one edge with those that waited may be several groups. */
static const char *const guarded_wait[] = {
    "TID R0",   "SETP P0 R0",       "head: BSSY B0 join", "@P0 BSYNC B0", "MOV R1",
    "BSYNC B0", "join: SETP P1 R0", "@P1 BRA head",       "end: EXIT",    NULL,
};

TEST(scopes_in_the_body_keep_it_together)
{
  static const struct loop loops[] = {
      {open_if, NULL, {false, false, false, false}},
      {scoped_if, NULL, {true, true, false, true}},
      {yielding_if, NULL, {false, true, false, false}},
      {continuing, NULL, {false, false, false, false}},
      {indexed, NULL, {false, false, false, false}},
      {indexed_as_one, NULL, {true, true, true, true}},
      {guarded_wait, NULL, {false, false, false, false}},
  };
  EXPECT(loops);
}

/* ---- scopes that do not bring all together ---- */

/* By a BREAK some go round the loop while others still are in the scope. */
static const char *const break_stays[] = {
    "TID R0",
    "SETP P0 R0",
    "head: SETP P1 R0",
    "BSSY B1 join",
    "@P1 BREAK B1",
    "@P1 BRA head",
    "@P0 BRA wait",
    "MOV R1",
    "wait: BSYNC B1",
    "join: SETP P2 R0",
    "@P2 BRA head",
    "end: EXIT",
    NULL,
};
/* Those that left the scope do not wait in it. */
static const char *const break_passes[] = {
    "TID R0", "SETP P0 R0",     "head: SETP P1 R0", "BSSY B1 join", "@P1 BREAK B1", "@P0 BRA wait",
    "MOV R1", "wait: BSYNC B1", "join: SETP P2 R0", "@P2 BRA head", "end: EXIT",    NULL,
};
/* The scope that is released in the loop was made before it. */
static const char *const made_outside[] = {
    "TID R0",
    "SETP P0 R0",
    "BSSY B0 mid",
    "head: @P0 BRA wait",
    "MOV R1",
    "wait: BSYNC B0",
    "mid: SETP P1 R0",
    "BSSY B0 mid",
    "@P1 BRA head",
    "end: EXIT",
    NULL,
};

/* Those that left the scope come together with the others again, at the release of one around it:
 * before that they are in the loop as well. */
static const char *const break_between[] = {"TID R0",
                                            "SETP P1 R0",
                                            "head: BSSY B0 out",
                                            "BSSY B1 inner",
                                            "@P1 BREAK B1",
                                            "@P1 BRA far",
                                            "BSYNC B1",
                                            "inner: MOV R2",
                                            "far: BSYNC B0",
                                            "out: SETP P2 R0",
                                            "@P2 BRA head",
                                            "end: EXIT",
                                            NULL};

TEST(scopes_may_leave_lanes_behind)
{
  static const struct loop loops[] = {
      {break_stays, NULL, {false, false, false, false}},
      {break_passes, NULL, {false, false, false, false}},
      {made_outside, NULL, {false, false, false, false}},
      {break_between, NULL, {true, true, false, true}},
      {break_between, "inner", {false, false, false, false}},
  };
  EXPECT(loops);
}

/* ---- WARPSYNC ---- */

static const char *const meeting[] = {
    "CTA R9",       "TID R0",       "head: SETP P0 R0",
    "@P0 BRA meet", "MOV R1",       "meet: WARPSYNC.ALL",
    "SETP P1 R9",   "@P1 BRA head", "end: EXIT",
    NULL,
};
/* Lanes that left the loop wait elsewhere: who meets in it is not known. */
static const char *const meeting_elsewhere[] = {
    "head: TID R0", "SETP P0 R0",   "@P0 BRA meet",      "MOV R1", "meet: WARPSYNC.ALL",
    "SETP P1 R0",   "@P1 BRA head", "end: WARPSYNC.ALL", "EXIT",   NULL,
};
static const char *const some_meet[] = {
    "head: TID R0", "SETP P0 R0", "WARPSYNC #3", "@P0 BRA head", "end: EXIT", NULL,
};
/* A group goes one of the ways as a whole. */
static const char *const as_one[] = {
    "TID R0",    "SETP P0 R0", "head: BRA.DIV #0xffffffff d",
    "BRA e",     "d: MOV R2",  "e: @P0 BRA head",
    "end: EXIT", NULL,
};

TEST(meetings_bring_the_warp_together)
{
  static const struct loop loops[] = {
      {meeting, NULL, {true, true, true, true}},
      {meeting_elsewhere, NULL, {false, false, false, false}},
      {some_meet, NULL, {false, false, false, true}},
      {as_one, NULL, {true, true, true, true}},
  };
  EXPECT(loops);
}

/* ---- calls, loops in loops, several headers ---- */

static const char *const call_parts[] = {
    "TID R0",   "SETP P0 R0",         "head: MOV R20 &back", "CALL.REL f", "back: @!P0 BRA end",
    "BRA head", "f: @P0 RET.REL R20", "RET.REL R20",         "end: EXIT",  NULL,
};
static const char *const call_whole[] = {
    "TID R0",   "SETP P0 R0", "head: MOV R20 &back", "CALL.REL f", "back: @!P0 BRA end",
    "BRA head", "f: MOV R1",  "RET.REL R20",         "end: EXIT",  NULL,
};
static const char *const around_a_loop[] = {
    "TID R0",           "head: BSSY B0 join", "in: SETP P0 R0", "@P0 BRA in", "BSYNC B0",
    "join: SETP P1 R0", "@P1 BRA head",       "end: EXIT",      NULL,
};
static const char *const around_an_open_loop[] = {
    "TID R0",
    "head: MOV R1",
    "in: SETP P0 R0",
    "@P0 BRA in",
    "after: SETP P1 R0",
    "@P1 BRA head",
    "end: EXIT",
    NULL,
};
/* Each entry is counted for itself. */
static const char *const two_headers[] = {
    "TID R0",    "SETP P0 R0", "@P0 BRA inner", "head: MOV R1", "inner: SETP P1 R0", "@P1 BRA head",
    "end: EXIT", NULL,
};
/* Some lanes go round by the second header alone, others by both. */
static const char *const two_headers_apart[] = {
    "TID R0",       "SETP P0 R0", "@P0 BRA inner", "head: MOV R1", "inner: SETP P1 R0",
    "@P1 BRA head", "SETP P2 R0", "@P2 BRA inner", "end: EXIT",    NULL,
};

TEST(bodies_of_many_blocks)
{
  static const struct loop loops[] = {
      {call_parts, NULL, {false, false, false, false}},
      {call_whole, NULL, {true, true, true, true}},
      {around_a_loop, NULL, {true, true, false, true}},
      {around_an_open_loop, NULL, {false, false, false, false}},
      {two_headers, "inner", {true, true, true, true}},
      {two_headers_apart, "inner", {false, false, false, false}},
  };
  EXPECT(loops);
  /* Lanes that leave the inner loop are in it no more. */
  assert_true(group_balanced(around_an_open_loop, options[0], "in", NULL, "after"));
}
