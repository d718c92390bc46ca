/* The oracle on hand-made programs: what waits where, who runs next, and which values agree. */
#include "base/text.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "groups/simt_text.h"
#include "unit.h"

#define STEP_LIMIT 400
#define PLACES 16

/* A run of a program, and which lanes each conditional is told to take: by instruction; where none
 * is told, the proposal stands. */
struct trial {
  struct wb_simt_run_options options; /* lanes 0: 4; steps 0: STEP_LIMIT */
  uint32_t sm;                        /* 0: 52 */
  bool no_kernel, no_code;
  size_t stop_after; /* 0: never */
  bool told[PLACES];
  uint32_t taken[PLACES];
  struct wb_simt_step steps[STEP_LIMIT];
  size_t count;
  struct wb_simt_run run;
  warpbound_error error;
};

static bool record_step(void *context, const struct wb_simt_step *step)
{
  struct trial *trial = context;
  if (trial->count < STEP_LIMIT)
    trial->steps[trial->count] = *step;
  return ++trial->count != trial->stop_after;
}

static uint32_t decide(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  const struct trial *trial = context;
  assert_int_equal(proposed & ~active, 0);
  return trial->told[instruction] ? trial->taken[instruction] : proposed;
}

static warpbound_status try_program(struct trial *trial, const char *program)
{
  FREED_BY(wb_code_free) struct wb_code code;
  simt_text_make(simt_lines(program), &code);
  code.functions[0].kernel = !trial->no_kernel;
  if (trial->sm != 0)
    code.functions[0].sm = trial->sm;
  if (trial->no_code)
    code.functions[0].instruction_count = 0;
  struct wb_simt_run_options options = trial->options;
  options.lanes = options.lanes > 0 ? options.lanes : 4;
  options.step_limit = options.step_limit > 0 ? options.step_limit : STEP_LIMIT;
  options.visit = record_step;
  options.decide = decide;
  options.context = trial;
  trial->count = 0;
  const warpbound_status status =
      wb_simt_run(&code, &code.functions[0], &options, &trial->run, &trial->error);
  return status;
}

/* A step of a trace is "4:3/1/2*": the instruction, lanes that are active and that do it, entries
 * of the stack before it, and a star where it reactivates lanes. */
TEST(lanes_wait_and_run_in_turn)
{
  static const struct {
    const char *program;
    uint32_t taken[PLACES]; /* by guarded instruction */
    const char *trace;
  } rows[] = {
      {"SSY join; @P0 BRA b; MOV R1; SYNC; b: SYNC; join: EXIT",
       {[1] = 0x3},
       "0:f/f/1 1:f/3/2 4:3/3/3* 2:c/c/2 3:c/c/2 5:f/f/1"},
      /* The branch is a guarded SYNC: those that do it wait, the others go on. */
      {"SSY join; @P0 SYNC; MOV R1; SYNC; join: EXIT",
       {[1] = 0x6},
       "0:f/f/1 1:f/6/2 2:9/9/2 3:9/9/2 4:f/f/1"},
      /* Nobody and everybody: no lane is left behind. */
      {"SSY join; @P0 SYNC; @P1 BRA join; SYNC; join: EXIT",
       {[2] = 0xf},
       "0:f/f/1 1:f/0/2 2:f/f/2 4:f/f/2"},
      {"SSY join; @P0 SYNC; @P1 BRA join; SYNC; join: EXIT",
       {[1] = 0xf},
       "0:f/f/1 1:f/f/2 4:f/f/1"},
      /* Lanes that break inside an if leave its SYNC token too: the others reconverge without
       * them. */
      {"PBK end; SSY join; @P0 BRA b; SYNC; EXIT; b: BRK; join: BRK; end: EXIT",
       {[2] = 0x1},
       "0:f/f/1 1:f/f/2 2:f/1/3 5:1/1/4* 3:e/e/3 6:e/e/2 7:f/f/1"},
      /* A part exits. */
      {"SSY join; @P0 BRA b; @P1 EXIT; SYNC; b: EXIT; join: EXIT",
       {[1] = 0x3, [2] = 0x4},
       "0:f/f/1 1:f/3/2 4:3/3/3* 2:c/4/2 3:8/8/2 5:8/8/1"},
      /* The token is popped by the exit of those above it: none of them waits in it. */
      {"@P0 BRA b; EXIT; b: SSY join; EXIT; join: EXIT",
       {[0] = 0x8},
       "0:f/8/1 2:8/8/2 3:8/8/3* 1:7/7/1"},
      /* Calls return by parts. */
      {"CAL f; EXIT; f: @P0 RET; CAL g; RET; g: @P1 RET; RET",
       {[2] = 0x1, [5] = 0x2},
       "0:f/f/1 2:f/1/2 3:e/e/2 5:e/2/3 6:c/c/3 4:e/e/2 1:f/f/1"},
      /* One lane continues, one breaks; then the rest break in two parts. */
      {"PBK end; PCNT next; @P0 CONT; CONT; next: @P1 BRK; BRK; end: EXIT",
       {[2] = 0x1, [4] = 0x5},
       "0:f/f/1 1:f/f/2 2:f/1/3 3:e/e/3 4:f/5/2 5:a/a/2 6:f/f/1"},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    struct trial trial = {.options.seed = 1};
    struct wb_text trace = {0};
    memcpy(trial.taken, rows[r].taken, sizeof trial.taken);
    for (size_t i = 0; simt_lines(rows[r].program)[i] != NULL; i++)
      trial.told[i] = strchr(simt_lines(rows[r].program)[i], '@') != NULL;
    assert_ok(try_program(&trial, rows[r].program));
    for (size_t i = 0; i < trial.count; i++) {
      const struct wb_simt_step *step = &trial.steps[i];
      wb_text_format(&trace, "%s%u:%x/%x/%u%s", i > 0 ? " " : "", step->instruction, step->active,
                     step->doing, step->depth, step->reactivated ? "*" : "");
      assert_int_equal(step->next,
                       i + 1 < trial.count ? trial.steps[i + 1].instruction : UINT32_MAX);
    }
    if (strcmp(trace.data, rows[r].trace) != 0)
      fail_msg("%s: %s", rows[r].program, trace.data);
    wb_text_free(&trace);
    assert_int_equal(trial.run.steps, trial.count);
    assert_true(trial.run.ended);
  }
}

/* A subroutine of its own section ends when all lanes have returned. */
TEST(device_function_returns)
{
  struct trial trial = {.no_kernel = true, .told = {true}, .taken = {0x2}};
  assert_ok(try_program(&trial, "@P0 RET; RET"));
  assert_true(trial.run.ended);
  assert_int_equal(trial.run.steps, 2);
  assert_int_equal(trial.steps[1].active, 0xd);
  assert_int_equal(trial.steps[1].next, UINT32_MAX);
  assert_int_equal(trial.steps[1].next_active, 0);
  assert_false(trial.steps[1].reactivated);
}

TEST(matched_is_the_token)
{
  struct trial trial = {.told = {[2] = true}, .taken = {[2] = 0x1}};
  assert_ok(try_program(&trial, "PBK end; SSY join; @P0 BRK; join: BRK; end: EXIT"));
  assert_int_equal(trial.steps[1].matched, UINT32_MAX);
  assert_int_equal(trial.steps[2].matched, 4);
  assert_true(trial.steps[2].split);
  assert_int_equal(trial.steps[3].matched, 4);
  assert_false(trial.steps[3].split);
}

/* Each lane reaches one of the targets, once; over seeds both ways of handling sides occur. */
TEST(indexed_branch_splits)
{
  size_t again = 0;
  size_t sides = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct trial trial = {.options = {.seed = seed, .lanes = 8}};
    assert_ok(try_program(&trial, "TID R4; BRX R4 a b c; a: EXIT; b: EXIT; c: EXIT"));
    uint32_t left = 0xff;
    for (size_t i = 0; i < trial.count; i++) {
      const struct wb_simt_step *step = &trial.steps[i];
      assert_int_equal(step->active & ~left, 0);
      if (step->instruction >= 2)
        left &= ~step->active;
      again += i > 1 && step->instruction == 1;
      sides += i > 1 && step->instruction >= 2 && step->reactivated && step->next >= 2;
    }
    assert_int_equal(left, 0);
    assert_true(trial.run.ended);
  }
  assert_true(again > 0);
  assert_true(sides > 0);
}

/* The program ends with a branch: in how many of the runs of a whole warp it splits. */
TEST(values_agree_as_they_may)
{
  static const struct {
    const char *program;
    uint64_t runs;
    size_t more; /* splits in more of the runs, or in none where 0 */
  } rows[] = {
      {"TID P0; @P0 BRA z; z: EXIT", 200, 60},
      {"SETP P0 R4; @P0 BRA z; z: EXIT", 200, 60}, /* R4 is never written */
      {"SETP P0; @P0 BRA z; z: EXIT", 200, 0},
      {"VOTE P0 R4; @P0 BRA z; z: EXIT", 200, 0},
      {"MOV R4; LDG R5 R4; SETP P0 R5; @P0 BRA z; z: EXIT", 200, 0},
      {"MOV R4; TID R5 R4; SETP P0 R5; @P0 BRA z; z: EXIT", 200, 60},
      /* Two parts of the warp do the same move of a constant, one after the other. */
      {"SSY j; TID P1; @P1 BRA w; w: MOV P0; SYNC; j: @P0 BRA z; z: EXIT", 300, 20},
      /* Only the lanes that do a guarded move write. */
      {"TID P1; CTA P0; @P1 CTA P0; @P0 BRA z; z: EXIT", 300, 50},
      /* A uniform register is the warp's: what one lane would write, all read. */
      {"TID UR0; SETP P0 UR0; @P0 BRA z; z: EXIT", 200, 0},
      {"SETP P0 UR0; @P0 BRA z; z: EXIT", 200, 0},
      /* Conditions follow what they read. */
      {"CTA CC; BRA.CC z; z: EXIT", 200, 0},
      {"TID CC; BRA.CC z; z: EXIT", 200, 50},
      /* A vouched branch never splits. */
      {"TID P0; @P0 BRA.U z; z: EXIT", 200, 0},
      /* What is unknown, and a call outside, writes everything. */
      {"CTA P0; MYSTERY; @P0 BRA z; z: EXIT", 200, 50},
      {"CTA P0; JCAL vprintf; @P0 BRA z; z: EXIT", 200, 50},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    size_t splits = 0;
    uint32_t last = 0;
    while (simt_lines(rows[r].program)[last + 1] != NULL)
      last++;
    for (uint64_t seed = 0; seed < rows[r].runs; seed++) {
      struct trial trial = {.options = {.seed = seed, .lanes = 32}};
      assert_ok(try_program(&trial, rows[r].program));
      for (size_t i = 0; i < trial.count; i++)
        splits += trial.steps[i].instruction == last - 1 && trial.steps[i].split;
    }
    if (rows[r].more > 0 ? splits <= rows[r].more : splits > 0)
      fail_msg("%s: %zu splits", rows[r].program, splits);
  }
}

TEST(never_is_not_done)
{
  struct trial trial = {.options.lanes = 32};
  assert_ok(try_program(&trial, "@!PT EXIT; EXIT"));
  assert_int_equal(trial.run.steps, 2);
  assert_int_equal(trial.steps[0].doing, 0);
}

TEST(same_seed_same_run)
{
  struct trial trials[2];
  for (size_t t = 0; t < 2; t++) {
    trials[t] = (struct trial){.options = {.seed = 7, .lanes = 32}};
    assert_ok(try_program(&trials[t], "PBK end; head: TID P0; @P0 BRK; BRA head; end: EXIT"));
  }
  assert_int_equal(trials[0].count, trials[1].count);
  for (size_t i = 0; i < trials[0].count; i++)
    assert_int_equal(trials[0].steps[i].doing, trials[1].steps[i].doing);
}

TEST(limits_end_a_run)
{
  struct trial trial = {.options.lanes = 32};
  assert_ok(try_program(&trial, "a: BRA a"));
  assert_int_equal(trial.run.steps, STEP_LIMIT);
  assert_false(trial.run.ended);
  trial.stop_after = 3;
  assert_ok(try_program(&trial, "a: BRA a"));
  assert_int_equal(trial.run.steps, 3);
  assert_false(trial.run.ended);
}

TEST(stack_has_a_limit)
{
  struct trial trial = {.options = {.lanes = 32, .step_limit = UINT64_MAX}};
  assert_limit(try_program(&trial, "a: SSY a; BRA a"));
  assert_non_null(strstr(trial.error.message, "1048576"));
}

TEST(mistakes_are_refused)
{
  static const struct {
    const char *program; /* NULL: none */
    uint32_t sm;
    warpbound_status status;
    size_t line;
    const char *message;
  } rows[] = {
      {"MOV R1; SYNC", 52, WARPBOUND_INVALID_INPUT, 2, "0x0008: expected a token"},
      {"SSY b; b: BRK", 52, WARPBOUND_INVALID_INPUT, 2, "expected a token"},
      {"BRX R4", 61, WARPBOUND_FACTS_MISSING, 1, "--targets"},
      {"MOV R1", 50, WARPBOUND_INVALID_INPUT, 1, "past the function's last"},
      {"LONGJMP", 0, WARPBOUND_INVALID_INPUT, 1, "not supported"},
      {NULL, 52, WARPBOUND_INVALID_INPUT, 1, "expected instructions"},
      {"MOV R1", 70, WARPBOUND_INVALID_INPUT, 1, "found sm_70"},
      {"MOV R1", 37, WARPBOUND_INVALID_INPUT, 1, "found sm_37"},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    struct trial trial = {
        .options.lanes = 32, .sm = rows[r].sm, .no_code = rows[r].program == NULL};
    print_message("# %s\n", rows[r].message);
    assert_int_equal(try_program(&trial, rows[r].program != NULL ? rows[r].program : "EXIT"),
                     rows[r].status);
    assert_string_equal(trial.error.file, "test.sass");
    assert_int_equal(trial.error.line, rows[r].line);
    if (strstr(trial.error.message, rows[r].message) == NULL)
      fail_msg("expected '%s', found '%s'", rows[r].message, trial.error.message);
  }
}
