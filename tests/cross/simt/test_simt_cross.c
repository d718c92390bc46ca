/* The abstract interpretation against the oracle, on random programs.
 *   WARPBOUND_CROSS_RUNS  programs (400 without it)
 *   WARPBOUND_CROSS_SEEDS runs of each (20 without it)
 *   WARPBOUND_SEED        seed of the first program */
#include "groups/simt_text.h"
#include "random_simt_program.h"
#include "simt_trial.h"
#include "unit.h"

#define DEFAULT_PROGRAMS 400
#define DEFAULT_SEEDS 20
#define DEFAULT_SEED 20261121
#define STEP_LIMIT 600
#define LARGE_STEP_LIMIT 20000

/* How a program is tried: as which text (SIMT_FORM_COUNT: lowered), as a kernel or as a device
 * function. */
struct attempt {
  struct simt_trial trial;
  enum simt_form form;
  bool device;
};

static enum simt_outcome outcome_of(const struct random_program *program, struct attempt *attempt)
{
  struct wb_code code;
  warpbound_error error = {.message = ""};
  code = (struct wb_code){0};
  if (attempt->form == SIMT_FORM_COUNT) {
    simt_program_lower(program, &code);
  } else if (simt_program_parse(program, attempt->form, &code, &error) != WARPBOUND_OK) {
    print_error("the front end refuses line %zu: %s\n", error.line, error.message);
    wb_code_free(&code);
    return SIMT_FAILS;
  }
  code.functions[0].kernel = !attempt->device;

  const enum simt_outcome outcome = simt_try(&code, &code.functions[0], &attempt->trial);
  wb_code_free(&code);
  return outcome;
}

static bool fails(const struct random_program *program, void *context)
{
  return outcome_of(program, context) == SIMT_FAILS;
}

/* What trials found, together. */
struct sums {
  struct simt_trial trial;
  uint64_t programs;
  uint64_t refused;
  uint64_t instructions;
};

static void add_counts(struct sums *sums, const struct attempt *attempt)
{
  sums->trial.runs += attempt->trial.runs;
  sums->trial.steps += attempt->trial.steps;
  sums->trial.splits += attempt->trial.splits;
  sums->trial.reactivations += attempt->trial.reactivations;
  sums->trial.balanced_loops += attempt->trial.balanced_loops;
  sums->trial.back_edges += attempt->trial.back_edges;
  sums->trial.assumed += attempt->trial.assumed;
}

static void try_program(uint64_t seed, bool wild, struct sums *sums)
{
  struct wb_random random = {seed};
  const size_t length = 4 + (size_t)wb_random_below(&random, wild ? 24 : 70);
  struct random_program program = simt_program_random(&random, length, wild);
  struct attempt attempt = {
      .form = (enum simt_form)wb_random_below(&random, SIMT_FORM_COUNT + 1),
      .device = wild && wb_random_below(&random, 4) == 0,
      .trial = {.first_seed = wb_random_next(&random),
                .seeds = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS),
                .step_limit = STEP_LIMIT}};
  if (wb_random_below(&random, 3) == 0)
    attempt.trial.options = (struct wb_simt_options){
        .acyclic_stack = wb_random_below(&random, 2) == 0,
        .no_groups = wb_random_below(&random, 2) == 0,
        .agreement = (enum wb_agreement_extent)wb_random_below(&random, 3)};

  const enum simt_outcome outcome = outcome_of(&program, &attempt);
  sums->programs++;
  sums->instructions += program.count;
  sums->refused += outcome == SIMT_REFUSED;
  add_counts(sums, &attempt);
  if (outcome == SIMT_FAILS) {
    /* Shrinks the program and shows it. */
    program_shrink(&program, fails, &attempt);
    outcome_of(&program, &attempt);
    FREED_BY(wb_text_free) struct wb_text text = {0};
    simt_program_print(&program, SIMT_NVDISASM, &text);
    fprintf(stderr, "program %llu (%s, acyclic_stack %d, no_groups %d, agreement %d): %s\n%s",
            (unsigned long long)seed, attempt.device ? "device function" : "kernel",
            attempt.trial.options.acyclic_stack, attempt.trial.options.no_groups,
            (int)attempt.trial.options.agreement, attempt.trial.reason,
            text.failed ? "" : text.data);
  }
  program_free(&program);
  if (outcome == SIMT_FAILS)
    fail_msg("a run leaves the graph");
}

static void show(const char *what, const struct sums *sums)
{
  printf(
      "# %s: %llu programs of %.1f instructions, %llu refused; %llu runs, %llu steps, %llu "
      "splits, %llu reactivations; %llu balanced loops, %llu iterations of them; %llu with tokens "
      "assumed\n",
      what, (unsigned long long)sums->programs, (double)sums->instructions / (double)sums->programs,
      (unsigned long long)sums->refused, (unsigned long long)sums->trial.runs,
      (unsigned long long)sums->trial.steps, (unsigned long long)sums->trial.splits,
      (unsigned long long)sums->trial.reactivations, (unsigned long long)sums->trial.balanced_loops,
      (unsigned long long)sums->trial.back_edges, (unsigned long long)sums->trial.assumed);
}

/* Programs that a compiler could make are never refused, and the trials have content. */
TEST(compiled_programs_stay_within)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct sums sums = {0};
  for (uint64_t i = 0; i < count; i++)
    try_program(first + i, false, &sums);
  show("compiled", &sums);
  assert_true(sums.trial.splits > count);
  assert_true(sums.trial.reactivations > count);
  assert_true(sums.trial.back_edges > count);
}

TEST(wild_programs_stay_within)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct sums sums = {0};
  for (uint64_t i = 0; i < count; i++)
    try_program(~(first + i), true, &sums);
  show("wild", &sums);
  assert_true(sums.refused < sums.programs);
  assert_true(sums.trial.splits > count / 4);
}

/* What random programs hardly ever have: one side of a split writes a register that agreed, from
 * sources that agree, and a branch reads it where the sides have met again. */
TEST(written_programs_stay_within)
{
  static const char *const lines[] = {
      "TID R0", "SETP P0 R0",       "CTA R1", "CTA R2",           "SSY join", "@P0 BRA other",
      "SYNC",   "other: MOV R1 R2", "SYNC",   "join: SETP P1 R1", "@P1 EXIT", "EXIT",
      NULL};
  struct wb_code code;
  struct simt_trial trial = {.first_seed = DEFAULT_SEED, .seeds = 200, .step_limit = STEP_LIMIT};
  simt_text_make(lines, &code);
  const enum simt_outcome outcome = simt_try(&code, &code.functions[0], &trial);
  wb_code_free(&code);
  if (outcome == SIMT_HOLDS)
    return;
  fprintf(stderr, "program 0 (written): %s\n", trial.reason);
  fail_msg("a run leaves the graph");
}

TEST(large_programs_stay_within)
{
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct sums sums = {0};
  for (size_t length = 1000; length <= 4000; length += 1000) {
    struct wb_random random = {first + length};
    struct random_program program = simt_program_random(&random, length, false);
    struct attempt attempt = {.form = SIMT_FORM_COUNT,
                              .trial = {.seeds = 8, .step_limit = LARGE_STEP_LIMIT}};
    const enum simt_outcome outcome = outcome_of(&program, &attempt);
    sums.programs++;
    sums.instructions += program.count;
    add_counts(&sums, &attempt);
    program_free(&program);
    if (outcome != SIMT_HOLDS)
      fail_msg("length %zu: %s", length, attempt.trial.reason);
  }
  show("large", &sums);
  assert_true(sums.trial.splits > 0);
}

static void mark_spans(const struct wb_function *function, uint32_t first, uint32_t count,
                       bool marks[WB_REGISTER_COUNT])
{
  memset(marks, 0, WB_REGISTER_COUNT * sizeof *marks);
  for (uint32_t s = first; s < first + count; s++) {
    const struct wb_register_span span = function->spans[s];
    for (unsigned r = span.first; r < (unsigned)span.first + span.count; r++)
      marks[r] = true;
  }
}

/* Whether two functions read and write the same registers at an instruction. */
static bool same_registers(const struct wb_function *a, const struct wb_function *b, size_t index)
{
  const struct wb_instruction *x = &a->instructions[index];
  const struct wb_instruction *y = &b->instructions[index];
  bool left[WB_REGISTER_COUNT];
  bool right[WB_REGISTER_COUNT];
  mark_spans(a, x->first_read, x->read_count, left);
  mark_spans(b, y->first_read, y->read_count, right);
  const bool reads = memcmp(left, right, sizeof left) == 0;
  mark_spans(a, x->first_write, x->write_count, left);
  mark_spans(b, y->first_write, y->write_count, right);
  return reads && memcmp(left, right, sizeof left) == 0;
}

static bool same_targets(const struct wb_function *a, const struct wb_function *b, size_t index)
{
  const struct wb_instruction *x = &a->instructions[index];
  const struct wb_instruction *y = &b->instructions[index];
  bool same = x->target_count == y->target_count;
  for (uint32_t t = 0; same && t < x->target_count; t++)
    same = a->targets[x->first_target + t] == b->targets[y->first_target + t];
  return same;
}

static bool same_effect(const struct wb_instruction *x, const struct wb_instruction *y)
{
  return x->address == y->address && x->transfer == y->transfer && x->token == y->token &&
         x->guard == y->guard && x->guard_negated == y->guard_negated &&
         x->conditional_code == y->conditional_code && x->uniform == y->uniform &&
         x->unknown == y->unknown && x->never == y->never &&
         (x->agreement == y->agreement || x->transfer != WB_TRANSFER_NEXT || x->unknown);
}

static void assert_same_code(const struct wb_function *meant, const struct wb_function *read)
{
  assert_int_equal(meant->instruction_count, read->instruction_count);
  for (size_t i = 0; i < meant->instruction_count; i++) {
    const struct wb_instruction *what = &read->instructions[i];
    if (!same_effect(&meant->instructions[i], what))
      fail_msg("line %u: %s %s does something else", what->line, what->opcode, what->operands);
    if (!what->unknown && what->transfer != WB_TRANSFER_CALL_OUTSIDE &&
        !same_registers(meant, read, i))
      fail_msg("line %u: %s %s reads or writes other registers", what->line, what->opcode,
               what->operands);
    if (what->transfer != WB_TRANSFER_INDEXED_BRANCH && !same_targets(meant, read, i))
      fail_msg("line %u: %s %s goes elsewhere", what->line, what->opcode, what->operands);
  }
}

/* What the front end makes of a listing is what its maker meant, in each form. */
TEST(listings_are_read_as_meant)
{
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  for (uint64_t i = 0; i < 60; i++) {
    struct wb_random random = {first + i};
    struct random_program program = simt_program_random(&random, 60, i % 2 == 0);
    FREED_BY(wb_code_free) struct wb_code meant;
    simt_program_lower(&program, &meant);
    for (enum simt_form form = 0; form < SIMT_FORM_COUNT; form++) {
      FREED_BY(wb_code_free) struct wb_code code = {0};
      assert_ok(simt_program_parse(&program, form, &code, NULL));
      assert_int_equal(code.function_count, 1);
      assert_same_code(&meant.functions[0], &code.functions[0]);
    }
    program_free(&program);
  }
}
