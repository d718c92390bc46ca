/* The oracle from Volta on: which values travel, and which agree. */
#include "groups/group_trace.h"
#include "unit.h"

#define SEEDS 300

TEST(saved_barriers_come_back)
{
  static const char lines[] =
      "BSSY B0 J; BMOV.CLEAR R7 B0; STL R1 #8 R7; MOV R7 #0; BSSY B0 K; BSYNC B0; K: LDL R9 R1 #8; "
      "MOV R10 R9; BMOV B3 R10; A: @P0 BRA E; BSYNC B3; E: BSYNC B3; J: EXIT";
  struct group_trace trace = {0};
  group_trace_tell(&trace, lines, "A", 0x3);
  group_trace_expect(&trace, lines, "0:f 1:f 2:f 3:f 4:f 5:f K:f 7:f 8:f A:f 10:c E:3 J:f");
}

/* The value alone is the binding: what is changed is none, and CLEAR takes it away. */
TEST(other_values_are_unbound)
{
  static const char *const all[] = {
      "BSSY B0 J; BMOV.CLEAR RZ B0; BSYNC B0; J: EXIT",
      "BSSY B0 J; BMOV R2 B0; ADD R2 R2 #1; BMOV B0 R2; BSYNC B0; J: EXIT",
      "BSSY B0 J; BMOV B0 #15; BREAK B0; J: EXIT",
      "BSSY B0 J; BMOV R2 B0; BSYNC B0; J: BMOV B0 R2; BSYNC B0; EXIT"};
  for (size_t p = 0; p < COUNT_OF(all); p++) {
    struct group_trace trace = {0};
    group_trace_run(&trace, all[p]);
    assert_true(trace.run.ended);
    assert_int_equal(trace.unbound, 0xf);
    assert_int_equal(trace.run.unbound, 1);
  }
}

/* A stack of base and number: another offset is another word. */
TEST(words_have_addresses)
{
  struct group_trace trace = {0};
  group_trace_run(&trace,
                  "BSSY B0 J; BMOV R7 B0; STL R1 #8 R7; STL R1 #12 R8; ADD R2 R1 #-4; LDL R9 R2 "
                  "#12; BMOV B1 R9; BSYNC B1; J: LDL R9 R1 #12; BMOV B1 R9; BSYNC B1; EXIT");
  assert_true(trace.run.ended);
  assert_int_equal(trace.run.unbound, 1);
  assert_int_equal(trace.causes[WB_GROUP_RELEASED], 1);
}

/* How many of SEEDS runs split at the label Z, which all lanes do together. */
static size_t splits_at_end(const char *lines)
{
  size_t splits = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .lanes = 32}};
    group_trace_tell(&trace, lines, "A", 0xff00ff);
    group_trace_run(&trace, lines);
    assert_true(trace.run.ended);
    assert_non_null(strstr(trace.text, "Z:ffffffff"));
    splits += trace.splits - 1; /* at A */
  }
  return splits;
}

/* Two sides of a branch each load R5; what they have of it then decides at Z. */
TEST(copies_agree_in_all_groups)
{
  static const struct {
    const char *load;
    bool agrees;
  } rows[] = {
      {"LDC R5 #16", true},    {"CTA R5", true},   {"MOV R5 #3", true},  {"ADD R5 R9 #4", true},
      {"MOV R5 R9 R9", false}, {"VOTE R5", false}, {"LDG R5 R9", false},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    char lines[200];
    snprintf(lines, sizeof lines,
             "LDC R9 #8; BSSY B0 J; A: @P0 BRA E; %s; BSYNC B0; E: %s; BSYNC B0; J: SETP P2 R5; "
             "Z: @P2 BRA X; EXIT; X: EXIT",
             rows[r].load, rows[r].load);
    const size_t splits = splits_at_end(lines);
    if (rows[r].agrees ? splits != 0 : splits <= 50)
      fail_msg("%s: %zu splits", rows[r].load, splits);
  }
}

/* Two groups use one uniform register: neither disturbs the other; once together they agree. */
TEST(uniform_registers_are_a_groups)
{
  static const char apart[] = "A: @P0 BRA E; MOV UR4 &X; MOV R1 R2; MOV R20 UR4; RET.REL R20; E: "
                              "MOV UR4 &Y; MOV R1 R2; MOV R20 UR4; RET.REL R20; X: EXIT; Y: EXIT";
  static const char joined[] = "BSSY B0 J; A: @P0 BRA E; MOV UR4 &X; BSYNC B0; E: MOV UR4 &Y; "
                               "BSYNC B0; J: MOV R20 UR4; RET.REL R20; X: EXIT; Y: EXIT";
  size_t ways[2] = {0};
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options.seed = seed};
    group_trace_tell(&trace, apart, "A", 0x3);
    group_trace_run(&trace, apart);
    assert_non_null(strstr(trace.text, "X:c"));
    assert_non_null(strstr(trace.text, "Y:3"));
    struct group_trace together = {.options.seed = seed};
    group_trace_tell(&together, joined, "A", 0x3);
    group_trace_run(&together, joined);
    ways[0] += strstr(together.text, "X:f") != NULL;
    ways[1] += strstr(together.text, "Y:f") != NULL;
    struct group_trace third = {.options.seed = seed};
    group_trace_run(
        &third,
        "MOV UR4 &X; TID P0; A: @P0 MOV UR4 &Y; MOV R20 UR4; RET.REL R20; X: EXIT; Y: EXIT");
    assert_int_equal(third.splits, 0);
  }
  assert_int_equal(ways[0] + ways[1], SEEDS);
  assert_true(ways[0] > 20 && ways[1] > 20);
}

/* Lanes with a lane's value write one value to a uniform register. */
TEST(uniform_register_has_one_value)
{
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options.seed = seed};
    group_trace_run(&trace, "TID R3; MOV UR4 R3; SETP P1 UR4; @P1 BRA X; X: EXIT");
    assert_int_equal(trace.splits, 0);
  }
}

/* What is not understood writes all but barrier registers. */
TEST(unknown_keeps_scopes)
{
  size_t splits = 0;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    struct group_trace trace = {.options = {.seed = seed, .lanes = 32}};
    group_trace_run(
        &trace,
        "BSSY B0 J; MOV R5 #1; MYSTERY; SETP P1 R5; Z: @P1 BRA Y; BSYNC B0; Y: BSYNC B0; J: EXIT");
    assert_int_equal(trace.unbound, 0);
    splits += trace.splits;
  }
  assert_true(splits > 50);
}

TEST(second_predicate_and_vouching)
{
  static const char *const all[] = {
      "TID P1; BRA P1 X; EXIT; X: EXIT", "VOTE P1; BRA P1 X; EXIT; X: EXIT",
      "TID UP1; BRA UP1 X; EXIT; X: EXIT", "TID P1; @P1 BRA.U X; EXIT; X: EXIT"};
  for (size_t p = 0; p < COUNT_OF(all); p++) {
    size_t splits = 0;
    size_t taken = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
      struct group_trace trace = {.options = {.seed = seed, .lanes = 32}};
      group_trace_run(&trace, all[p]);
      splits += trace.splits;
      taken += strstr(trace.text, "X:") != NULL;
    }
    assert_true(p == 0 ? splits > 15 : splits == 0);
    assert_true(taken > 50);
  }
}
