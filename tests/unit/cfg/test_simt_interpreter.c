/* The oracle on hand-made programs: what waits where, who runs next, and which values agree. */
#include "cfg/interpreter/simt_interpreter.h"
#include "unit.h"

#define P0 (WB_REGISTER_PREDICATE + 0)
#define P1 (WB_REGISTER_PREDICATE + 1)
#define CC WB_REGISTER_CONDITION_CODE
#define UR0 (WB_REGISTER_UNIFORM + 0)
#define NONE WB_NO_REGISTER
#define ROW_LIMIT 24
#define TRACE_LIMIT 400

/* A row of a program: at most one target list, one register read, one written. guard 0: none. */
struct row {
  uint8_t transfer;
  uint8_t token;
  uint16_t guard;
  uint8_t agreement;
  uint16_t read; /* 0: none */
  uint16_t write;
  uint32_t targets[3];
  uint32_t target_count;
};

#define DATA(rule, reads, writes)                                                                  \
  {                                                                                                \
    .transfer = WB_TRANSFER_NEXT, .agreement = (rule), .read = (reads), .write = (writes)          \
  }
#define BRANCH(predicate, to)                                                                      \
  {                                                                                                \
    .transfer = WB_TRANSFER_BRANCH, .guard = (predicate), .targets = {to}, .target_count = 1       \
  }
#define PUSH(kind, to)                                                                             \
  {                                                                                                \
    .transfer = WB_TRANSFER_PUSH, .token = (kind), .targets = {to}, .target_count = 1              \
  }
#define POP(predicate, kind)                                                                       \
  {                                                                                                \
    .transfer = WB_TRANSFER_POP, .guard = (predicate), .token = (kind)                             \
  }
#define CALL(to)                                                                                   \
  {                                                                                                \
    .transfer = WB_TRANSFER_CALL, .token = WB_TOKEN_RETURN, .targets = {to}, .target_count = 1     \
  }
#define EXIT(predicate)                                                                            \
  {                                                                                                \
    .transfer = WB_TRANSFER_EXIT, .guard = (predicate)                                             \
  }

struct program {
  struct wb_instruction instructions[ROW_LIMIT];
  struct wb_register_span spans[2 * ROW_LIMIT + ROW_LIMIT];
  uint32_t targets[3 * ROW_LIMIT];
  struct wb_function function;
  struct wb_code code;
};

static void add_span(struct program *program, unsigned reg, uint16_t *count)
{
  program->spans[program->function.span_count++] = (struct wb_register_span){(uint16_t)reg, 1};
  (*count)++;
}

static void add_row(struct program *program, const struct row *row)
{
  struct wb_function *function = &program->function;
  const uint32_t index = (uint32_t)function->instruction_count++;
  struct wb_instruction *made = &program->instructions[index];
  *made = (struct wb_instruction){.opcode = "OPCODE",
                                  .operands = "",
                                  .address = 8 * index,
                                  .line = index + 1,
                                  .column = 9,
                                  .guard = row->guard != 0 ? row->guard : NONE,
                                  .transfer = row->transfer,
                                  .token = row->token,
                                  .agreement = row->agreement};
  made->first_read = (uint32_t)function->span_count;
  if (row->guard != 0)
    add_span(program, row->guard, &made->read_count);
  if (row->read != 0)
    add_span(program, row->read, &made->read_count);
  made->first_write = (uint32_t)function->span_count;
  if (row->write != 0)
    add_span(program, row->write, &made->write_count);
  made->first_target = (uint32_t)function->target_count;
  made->target_count = row->target_count;
  for (uint32_t t = 0; t < row->target_count; t++)
    program->targets[function->target_count++] = row->targets[t];
}

static void make_program(struct program *program, const struct row *rows, size_t count)
{
  memset(program, 0, sizeof *program);
  program->code = (struct wb_code){.name = "test.sass"};
  program->function = (struct wb_function){.name = "kernel",
                                           .instructions = program->instructions,
                                           .spans = program->spans,
                                           .targets = program->targets,
                                           .sm = 52,
                                           .kernel = true};
  for (size_t i = 0; i < count; i++)
    add_row(program, &rows[i]);
}

/* A run's steps, and which lanes each conditional is told to take: by instruction; where none
 * is told, the proposal stands. */
struct record {
  struct wb_simt_step steps[TRACE_LIMIT];
  size_t count;
  size_t stop_after; /* 0: never */
  const uint32_t *taken;
  const bool *told;
};

static bool record_step(void *context, const struct wb_simt_step *step)
{
  struct record *record = context;
  assert_true(record->count < TRACE_LIMIT);
  record->steps[record->count++] = *step;
  return record->count != record->stop_after;
}

static uint32_t decide(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  const struct record *record = context;
  assert_int_equal(proposed & ~active, 0);
  return record->told[instruction] ? record->taken[instruction] : proposed;
}

static warpbound_status run_program(struct program *program, uint64_t seed, uint32_t lanes,
                                    struct record *record, struct wb_simt_run *run,
                                    warpbound_error *error)
{
  const struct wb_simt_run_options options = {.seed = seed,
                                              .lanes = lanes,
                                              .step_limit = TRACE_LIMIT,
                                              .visit = record_step,
                                              .decide = record->told != NULL ? decide : NULL,
                                              .context = record};
  return wb_simt_run(&program->code, &program->function, &options, run, error);
}

/* What a step must be: instruction, active and doing lanes, depth before it. */
struct expected {
  uint32_t instruction;
  uint32_t active;
  uint32_t doing;
  uint32_t depth;
  bool reactivated;
};

static void assert_trace(const struct row *rows, size_t row_count, const uint32_t *taken,
                         const struct expected *expected, size_t count)
{
  struct program program;
  struct record record = {0};
  struct wb_simt_run run;
  bool told[ROW_LIMIT] = {false};
  make_program(&program, rows, row_count);
  for (size_t i = 0; i < row_count; i++)
    told[i] = rows[i].guard != 0;
  record.taken = taken;
  record.told = told;
  assert_ok(run_program(&program, 1, 4, &record, &run, NULL));
  for (size_t i = 0; i < record.count && i < count; i++) {
    const struct wb_simt_step *step = &record.steps[i];
    const uint32_t next = i + 1 < count ? expected[i + 1].instruction : UINT32_MAX;
    if (step->instruction != expected[i].instruction || step->active != expected[i].active ||
        step->doing != expected[i].doing || step->depth != expected[i].depth ||
        step->reactivated != expected[i].reactivated || step->next != next)
      fail_msg("step %zu: %u active %x doing %x depth %u reactivated %d next %u", i,
               step->instruction, step->active, step->doing, step->depth, step->reactivated,
               step->next);
  }
  assert_int_equal(record.count, count);
  assert_int_equal(run.steps, count);
  assert_true(run.ended);
}

#define ASSERT_TRACE(rows, taken, expected)                                                        \
  assert_trace(rows, sizeof(rows) / sizeof((rows)[0]), taken, expected,                            \
               sizeof(expected) / sizeof((expected)[0]))

/* ---- the stack ---- */

TEST(if_else_reconverges)
{
  const struct row rows[] = {PUSH(WB_TOKEN_SYNC, 5), BRANCH(P0, 4),         DATA(0, 0, 1),
                             POP(0, WB_TOKEN_SYNC),  POP(0, WB_TOKEN_SYNC), EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[1] = 0x3};
  const struct expected expected[] = {{0, 0xf, 0xf, 1, false}, {1, 0xf, 0x3, 2, false},
                                      {4, 0x3, 0x3, 3, true},  {2, 0xc, 0xc, 2, false},
                                      {3, 0xc, 0xc, 2, false}, {5, 0xf, 0xf, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

/* The branch is a guarded SYNC: those that do it wait, the others go on. */
TEST(guarded_sync_waits)
{
  const struct row rows[] = {PUSH(WB_TOKEN_SYNC, 4), POP(P0, WB_TOKEN_SYNC), DATA(0, 0, 1),
                             POP(0, WB_TOKEN_SYNC), EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[1] = 0x6};
  const struct expected expected[] = {{0, 0xf, 0xf, 1, false},
                                      {1, 0xf, 0x6, 2, false},
                                      {2, 0x9, 0x9, 2, false},
                                      {3, 0x9, 0x9, 2, false},
                                      {4, 0xf, 0xf, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

/* Nobody and everybody: no lane is left behind. */
TEST(agreement_does_not_split)
{
  const struct row rows[] = {PUSH(WB_TOKEN_SYNC, 4), POP(P0, WB_TOKEN_SYNC), BRANCH(P1, 4),
                             POP(0, WB_TOKEN_SYNC), EXIT(0)};
  const uint32_t nobody[ROW_LIMIT] = {[2] = 0xf};
  const struct expected branch[] = {{0, 0xf, 0xf, 1, false},
                                    {1, 0xf, 0, 2, false},
                                    {2, 0xf, 0xf, 2, false},
                                    {4, 0xf, 0xf, 2, false}};
  ASSERT_TRACE(rows, nobody, branch);
  const uint32_t everybody[ROW_LIMIT] = {[1] = 0xf};
  const struct expected sync[] = {
      {0, 0xf, 0xf, 1, false}, {1, 0xf, 0xf, 2, false}, {4, 0xf, 0xf, 1, false}};
  ASSERT_TRACE(rows, everybody, sync);
}

/* Lanes that break inside an if leave its SYNC token too: the others reconverge without them. */
TEST(break_crosses_sync)
{
  const struct row rows[] = {PUSH(WB_TOKEN_BREAK, 7),
                             PUSH(WB_TOKEN_SYNC, 6),
                             BRANCH(P0, 5),
                             POP(0, WB_TOKEN_SYNC),
                             EXIT(0),
                             POP(0, WB_TOKEN_BREAK),
                             POP(0, WB_TOKEN_BREAK),
                             EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[2] = 0x1};
  const struct expected expected[] = {{0, 0xf, 0xf, 1, false}, {1, 0xf, 0xf, 2, false},
                                      {2, 0xf, 0x1, 3, false}, {5, 0x1, 0x1, 4, true},
                                      {3, 0xe, 0xe, 3, false}, {6, 0xe, 0xe, 2, false},
                                      {7, 0xf, 0xf, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

TEST(part_exits)
{
  const struct row rows[] = {PUSH(WB_TOKEN_SYNC, 5), BRANCH(P0, 4), EXIT(P1),
                             POP(0, WB_TOKEN_SYNC),  EXIT(0),       EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[1] = 0x3, [2] = 0x4};
  const struct expected expected[] = {{0, 0xf, 0xf, 1, false}, {1, 0xf, 0x3, 2, false},
                                      {4, 0x3, 0x3, 3, true},  {2, 0xc, 0x4, 2, false},
                                      {3, 0x8, 0x8, 2, false}, {5, 0x8, 0x8, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

/* The token is popped by the exit of those above it: none of them waits in it. */
TEST(exit_empties_a_token)
{
  const struct row rows[] = {BRANCH(P0, 2), EXIT(0), PUSH(WB_TOKEN_SYNC, 4), EXIT(0), EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[0] = 0x8};
  const struct expected expected[] = {{0, 0xf, 0x8, 1, false},
                                      {2, 0x8, 0x8, 2, false},
                                      {3, 0x8, 0x8, 3, true},
                                      {1, 0x7, 0x7, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

TEST(call_returns_by_parts)
{
  const struct row rows[] = {CALL(2),
                             EXIT(0),
                             POP(P0, WB_TOKEN_RETURN),
                             CALL(5),
                             POP(0, WB_TOKEN_RETURN),
                             POP(P1, WB_TOKEN_RETURN),
                             POP(0, WB_TOKEN_RETURN)};
  const uint32_t taken[ROW_LIMIT] = {[2] = 0x1, [5] = 0x2};
  const struct expected expected[] = {{0, 0xf, 0xf, 1, false}, {2, 0xf, 0x1, 2, false},
                                      {3, 0xe, 0xe, 2, false}, {5, 0xe, 0x2, 3, false},
                                      {6, 0xc, 0xc, 3, false}, {4, 0xe, 0xe, 2, false},
                                      {1, 0xf, 0xf, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

/* One lane continues, one breaks; then the rest break in two parts. */
TEST(continue_and_break)
{
  const struct row rows[] = {PUSH(WB_TOKEN_BREAK, 6),
                             PUSH(WB_TOKEN_CONTINUE, 4),
                             POP(P0, WB_TOKEN_CONTINUE),
                             POP(0, WB_TOKEN_CONTINUE),
                             POP(P1, WB_TOKEN_BREAK),
                             POP(0, WB_TOKEN_BREAK),
                             EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[2] = 0x1, [4] = 0x5};
  const struct expected expected[] = {{0, 0xf, 0xf, 1, false}, {1, 0xf, 0xf, 2, false},
                                      {2, 0xf, 0x1, 3, false}, {3, 0xe, 0xe, 3, false},
                                      {4, 0xf, 0x5, 2, false}, {5, 0xa, 0xa, 2, false},
                                      {6, 0xf, 0xf, 1, false}};
  ASSERT_TRACE(rows, taken, expected);
}

/* A subroutine of its own section ends when all lanes have returned. */
TEST(device_function_returns)
{
  const struct row rows[] = {POP(P0, WB_TOKEN_RETURN), POP(0, WB_TOKEN_RETURN)};
  const uint32_t taken[ROW_LIMIT] = {[0] = 0x2};
  const bool told[ROW_LIMIT] = {true};
  struct program program;
  struct record record = {.taken = taken, .told = told};
  struct wb_simt_run run;
  make_program(&program, rows, 2);
  program.function.kernel = false;
  assert_ok(run_program(&program, 1, 4, &record, &run, NULL));
  assert_true(run.ended);
  assert_int_equal(run.steps, 2);
  assert_int_equal(record.steps[1].active, 0xd);
  assert_int_equal(record.steps[1].next, UINT32_MAX);
  assert_int_equal(record.steps[1].next_active, 0);
  assert_false(record.steps[1].reactivated);
}

TEST(matched_is_the_token)
{
  const struct row rows[] = {PUSH(WB_TOKEN_BREAK, 4), PUSH(WB_TOKEN_SYNC, 3),
                             POP(P0, WB_TOKEN_BREAK), POP(0, WB_TOKEN_BREAK), EXIT(0)};
  const uint32_t taken[ROW_LIMIT] = {[2] = 0x1};
  bool told[ROW_LIMIT] = {false};
  struct program program;
  struct record record = {.taken = taken, .told = told};
  struct wb_simt_run run;
  told[2] = true;
  make_program(&program, rows, 5);
  assert_ok(run_program(&program, 1, 4, &record, &run, NULL));
  assert_int_equal(record.steps[1].matched, UINT32_MAX);
  assert_int_equal(record.steps[2].matched, 4);
  assert_true(record.steps[2].split);
  assert_int_equal(record.steps[3].matched, 4);
  assert_false(record.steps[3].split);
}

/* ---- indexed branches ---- */

/* Each lane reaches one of the targets, once; over seeds both ways of handling sides occur. */
TEST(indexed_branch_splits)
{
  const struct row rows[] = {
      DATA(WB_AGREES_NEVER, 0, 4),
      {.transfer = WB_TRANSFER_INDEXED_BRANCH, .read = 4, .targets = {2, 3, 4}, .target_count = 3},
      EXIT(0),
      EXIT(0),
      EXIT(0)};
  size_t again = 0;
  size_t sides = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct program program;
    struct record record = {0};
    struct wb_simt_run run;
    make_program(&program, rows, 5);
    assert_ok(run_program(&program, seed, 8, &record, &run, NULL));
    uint32_t left = 0xff;
    for (size_t i = 0; i < record.count; i++) {
      const struct wb_simt_step *step = &record.steps[i];
      assert_int_equal(step->active & ~left, 0);
      if (step->instruction >= 2)
        left &= ~step->active;
      again += i > 1 && step->instruction == 1;
      sides += i > 1 && step->instruction >= 2 && step->reactivated && step->next >= 2;
    }
    assert_int_equal(left, 0);
    assert_true(run.ended);
  }
  assert_true(again > 0);
  assert_true(sides > 0);
}

/* ---- values ---- */

/* How many of `runs` seeds split at the guarded branch behind the rows. */
static size_t splits_after(const struct row *row, size_t count, size_t runs)
{
  struct row rows[ROW_LIMIT];
  size_t splits = 0;
  memcpy(rows, row, count * sizeof *row);
  rows[count] = (struct row)BRANCH(P0, (uint32_t)count + 1);
  rows[count + 1] = (struct row)EXIT(0);
  for (uint64_t seed = 0; seed < runs; seed++) {
    struct program program;
    struct record record = {0};
    struct wb_simt_run run;
    make_program(&program, rows, count + 2);
    assert_ok(run_program(&program, seed, 32, &record, &run, NULL));
    splits += record.steps[count].split;
  }
  return splits;
}

TEST(values_agree_as_they_may)
{
  const struct row never[] = {DATA(WB_AGREES_NEVER, 0, P0)};
  const struct row unwritten[] = {DATA(WB_AGREES_BY_SOURCES, 4, P0)};
  const struct row constant[] = {DATA(WB_AGREES_BY_SOURCES, 0, P0)};
  const struct row always[] = {DATA(WB_AGREES_ALWAYS, 4, P0)};
  const struct row chain[] = {DATA(WB_AGREES_BY_SOURCES, 0, 4), DATA(WB_AGREES_BY_MEMORY, 4, 5),
                              DATA(WB_AGREES_BY_SOURCES, 5, P0)};
  const struct row private[] = {DATA(WB_AGREES_BY_SOURCES, 0, 4), DATA(WB_AGREES_NEVER, 4, 5),
                                DATA(WB_AGREES_BY_SOURCES, 5, P0)};
  assert_true(splits_after(never, 1, 200) > 60);
  assert_true(splits_after(unwritten, 1, 200) > 60);
  assert_int_equal(splits_after(constant, 1, 200), 0);
  assert_int_equal(splits_after(always, 1, 200), 0);
  assert_int_equal(splits_after(chain, 3, 200), 0);
  assert_true(splits_after(private, 3, 200) > 60);
}

/* Two parts of the warp do the same move of a constant, one after the other. */
TEST(parts_may_disagree)
{
  const struct row rows[] = {PUSH(WB_TOKEN_SYNC, 5), DATA(WB_AGREES_NEVER, 0, P1), BRANCH(P1, 3),
                             DATA(WB_AGREES_BY_SOURCES, 0, P0), POP(0, WB_TOKEN_SYNC)};
  struct row all[ROW_LIMIT];
  size_t splits = 0;
  memcpy(all, rows, sizeof rows);
  all[5] = (struct row)BRANCH(P0, 6);
  all[6] = (struct row)EXIT(0);
  for (uint64_t seed = 0; seed < 300; seed++) {
    struct program program;
    struct record record = {0};
    struct wb_simt_run run;
    make_program(&program, all, 7);
    assert_ok(run_program(&program, seed, 32, &record, &run, NULL));
    for (size_t i = 0; i < record.count; i++)
      splits += record.steps[i].instruction == 5 && record.steps[i].split;
  }
  assert_true(splits > 20);
}

/* Only the lanes that do a guarded move write. */
TEST(guarded_data_writes_in_part)
{
  const struct row rows[] = {
      DATA(WB_AGREES_NEVER, 0, P1),
      DATA(WB_AGREES_ALWAYS, 0, P0),
      {.transfer = WB_TRANSFER_NEXT, .guard = P1, .agreement = WB_AGREES_ALWAYS, .write = P0}};
  assert_true(splits_after(rows, 3, 300) > 50);
}

/* A uniform register is the warp's: what one lane would write, all read. */
TEST(uniform_register_is_shared)
{
  const struct row rows[] = {DATA(WB_AGREES_NEVER, 0, UR0), DATA(WB_AGREES_BY_SOURCES, UR0, P0)};
  assert_int_equal(splits_after(rows, 2, 200), 0);
  const struct row unwritten[] = {DATA(WB_AGREES_BY_SOURCES, UR0, P0)};
  assert_int_equal(splits_after(unwritten, 1, 200), 0);
}

static size_t splits_where(const struct row *rows, size_t count, size_t index,
                           void (*change)(struct wb_instruction *what))
{
  size_t splits = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct program program;
    struct record record = {0};
    struct wb_simt_run run;
    make_program(&program, rows, count);
    change(&program.instructions[index]);
    assert_ok(run_program(&program, seed, 32, &record, &run, NULL));
    for (size_t i = 0; i < record.count; i++)
      splits += record.steps[i].split;
  }
  return splits;
}

static void set_condition(struct wb_instruction *what)
{
  what->conditional_code = true;
}

static void set_uniform(struct wb_instruction *what)
{
  what->uniform = true;
}

static void set_unknown(struct wb_instruction *what)
{
  what->unknown = true;
}

static void set_outside(struct wb_instruction *what)
{
  what->transfer = WB_TRANSFER_CALL_OUTSIDE;
}

TEST(conditions_follow_what_they_read)
{
  const struct row agreed[] = {
      DATA(WB_AGREES_ALWAYS, 0, CC),
      {.transfer = WB_TRANSFER_BRANCH, .read = CC, .targets = {2}, .target_count = 1},
      EXIT(0)};
  assert_int_equal(splits_where(agreed, 3, 1, set_condition), 0);
  struct row differing[3];
  memcpy(differing, agreed, sizeof differing);
  differing[0].agreement = WB_AGREES_NEVER;
  assert_true(splits_where(differing, 3, 1, set_condition) > 50);
}

TEST(vouched_branch_never_splits)
{
  const struct row rows[] = {DATA(WB_AGREES_NEVER, 0, P0), BRANCH(P0, 2), EXIT(0)};
  assert_int_equal(splits_where(rows, 3, 1, set_uniform), 0);
}

TEST(unknown_writes_everything)
{
  const struct row rows[] = {DATA(WB_AGREES_ALWAYS, 0, P0), DATA(WB_AGREES_ALWAYS, 0, 0),
                             BRANCH(P0, 3), EXIT(0)};
  assert_true(splits_where(rows, 4, 1, set_unknown) > 50);
  assert_true(splits_where(rows, 4, 1, set_outside) > 50);
}

TEST(never_is_not_done)
{
  const struct row rows[] = {EXIT(0), EXIT(0)};
  struct program program;
  struct record record = {0};
  struct wb_simt_run run;
  make_program(&program, rows, 2);
  program.instructions[0].never = true;
  assert_ok(run_program(&program, 1, 32, &record, &run, NULL));
  assert_int_equal(run.steps, 2);
  assert_int_equal(record.steps[0].doing, 0);
}

/* ---- the run ---- */

TEST(same_seed_same_run)
{
  const struct row rows[] = {PUSH(WB_TOKEN_BREAK, 4), DATA(WB_AGREES_NEVER, 0, P0),
                             POP(P0, WB_TOKEN_BREAK), BRANCH(0, 1), EXIT(0)};
  struct program program;
  struct record first = {0};
  struct record second = {0};
  struct wb_simt_run run;
  make_program(&program, rows, 5);
  assert_ok(run_program(&program, 7, 32, &first, &run, NULL));
  assert_ok(run_program(&program, 7, 32, &second, &run, NULL));
  assert_int_equal(first.count, second.count);
  for (size_t i = 0; i < first.count; i++)
    assert_int_equal(first.steps[i].doing, second.steps[i].doing);
}

TEST(limits_end_a_run)
{
  const struct row rows[] = {BRANCH(0, 0)};
  struct program program;
  struct record record = {0};
  struct wb_simt_run run;
  make_program(&program, rows, 1);
  assert_ok(run_program(&program, 1, 32, &record, &run, NULL));
  assert_int_equal(run.steps, TRACE_LIMIT);
  assert_false(run.ended);
  record = (struct record){.stop_after = 3};
  assert_ok(run_program(&program, 1, 32, &record, &run, NULL));
  assert_int_equal(run.steps, 3);
  assert_false(run.ended);
}

TEST(stack_has_a_limit)
{
  const struct row rows[] = {PUSH(WB_TOKEN_SYNC, 0), BRANCH(0, 0)};
  const struct wb_simt_run_options options = {.lanes = 32, .step_limit = UINT64_MAX};
  struct program program;
  struct wb_simt_run run;
  warpbound_error error = {0};
  make_program(&program, rows, 2);
  assert_limit(wb_simt_run(&program.code, &program.function, &options, &run, &error));
  assert_non_null(strstr(error.message, "1048576"));
}

static void assert_ends_with(const struct row *rows, size_t count, uint32_t sm,
                             warpbound_status status, size_t line, const char *message)
{
  struct program program;
  struct record record = {0};
  struct wb_simt_run run;
  warpbound_error error = {0};
  make_program(&program, rows, count);
  program.function.sm = sm;
  assert_int_equal(run_program(&program, 1, 32, &record, &run, &error), status);
  assert_string_equal(error.file, "test.sass");
  assert_int_equal(error.line, line);
  if (strstr(error.message, message) == NULL)
    fail_msg("expected '%s', found '%s'", message, error.message);
}

static void assert_refused(const struct row *rows, size_t count, uint32_t sm, size_t line,
                           const char *message)
{
  assert_ends_with(rows, count, sm, WARPBOUND_INVALID_INPUT, line, message);
}

TEST(mistakes_are_refused)
{
  const struct row no_token[] = {DATA(0, 0, 1), POP(0, WB_TOKEN_SYNC)};
  const struct row other_token[] = {PUSH(WB_TOKEN_SYNC, 1), POP(0, WB_TOKEN_BREAK)};
  const struct row no_targets[] = {{.transfer = WB_TRANSFER_INDEXED_BRANCH, .read = 4}};
  const struct row past_the_end[] = {DATA(0, 0, 1)};
  const struct row unsupported[] = {{.transfer = WB_TRANSFER_UNSUPPORTED}};
  assert_refused(no_token, 2, 52, 2, "0x0008: expected a token");
  assert_refused(other_token, 2, 52, 2, "expected a token");
  assert_ends_with(no_targets, 1, 61, WARPBOUND_FACTS_MISSING, 1, "--targets");
  assert_refused(past_the_end, 1, 50, 1, "past the function's last");
  assert_refused(unsupported, 1, 0, 1, "not supported");
  assert_refused(past_the_end, 0, 52, 0, "expected instructions");
  assert_refused(past_the_end, 1, 70, 0, "found sm_70");
  assert_refused(past_the_end, 1, 37, 0, "found sm_37");
}
