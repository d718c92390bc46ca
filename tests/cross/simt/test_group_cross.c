/* The abstract interpretation of convergence barriers against the oracle, on random programs.
 *   WARPBOUND_CROSS_RUNS  programs of each style (300 without it)
 *   WARPBOUND_CROSS_SEEDS runs of each (21 without it)
 *   WARPBOUND_SEED        seed of the first program */
#include "group_trial.h"
#include "groups/simt_text.h"
#include "random_group_program.h"
#include "unit.h"
#include "written_groups.h"

#define DEFAULT_PROGRAMS 300
#define DEFAULT_SEEDS 21
#define DEFAULT_SEED 20261122
#define STEP_LIMIT 600
#define LARGE_STEP_LIMIT 20000
#define MOST_ENTRIES 16

struct attempt {
  struct group_trial trial;
  bool device;    /* as a function that is no kernel */
  uint32_t depth; /* calls of each function that are under way at once; 0: nothing is said of it */
  struct wb_simt_depth depths[MOST_ENTRIES];
};

/* Says of each function that is called how deep it goes. */
static void say_depths(const struct wb_function *function, struct attempt *attempt)
{
  struct wb_simt_options *options = &attempt->trial.options;
  options->depths = attempt->depths;
  options->depth_count = 0;
  for (size_t i = 0; i < function->instruction_count && attempt->depth > 0; i++) {
    const struct wb_instruction *call = &function->instructions[i];
    for (uint32_t t = 0; call->transfer == WB_TRANSFER_CALL_LINKED && t < call->target_count; t++) {
      const uint32_t entry = function->targets[call->first_target + t];
      bool known = options->depth_count == MOST_ENTRIES;
      for (size_t d = 0; d < options->depth_count; d++)
        known |= attempt->depths[d].entry == entry;
      if (!known)
        attempt->depths[options->depth_count++] = (struct wb_simt_depth){entry, attempt->depth};
    }
  }
}

static enum simt_outcome outcome_of(const struct random_program *program, struct attempt *attempt)
{
  FREED_BY(wb_code_free) struct wb_code code;
  group_program_lower(program, &code);
  code.functions[0].kernel = !attempt->device;
  say_depths(&code.functions[0], attempt);
  const enum simt_outcome outcome = group_try(&code, &code.functions[0], &attempt->trial);
  return outcome;
}

static bool fails(const struct random_program *program, void *context)
{
  return outcome_of(program, context) == SIMT_FAILS;
}

/* What trials found, together. */
struct sums {
  struct group_trial trial;
  uint64_t programs;
  uint64_t refused;
  uint64_t instructions;
};

static void add_counts(struct sums *sums, const struct group_trial *trial)
{
  sums->trial.runs += trial->runs;
  sums->trial.steps += trial->steps;
  sums->trial.splits += trial->splits;
  sums->trial.releases += trial->releases;
  sums->trial.whole_steps += trial->whole_steps;
  sums->trial.warp_releases += trial->warp_releases;
  sums->trial.deadlocks += trial->deadlocks;
  sums->trial.assumed += trial->assumed;
  sums->trial.deep += trial->deep;
  sums->trial.loops += trial->loops;
  sums->trial.balanced_loops += trial->balanced_loops;
  sums->trial.back_edges += trial->back_edges;
  sums->trial.summed_loops += trial->summed_loops;
  sums->trial.summed_edges += trial->summed_edges;
}

static void show(const char *what, const struct sums *sums)
{
  const struct group_trial *trial = &sums->trial;
  printf(
      "# %s: %llu programs of %.1f instructions, %llu refused; %llu runs (%llu deadlocks, %llu "
      "outside of assumptions, %llu too deep), %llu steps, %llu splits, %llu releases of scopes, "
      "%llu of the "
      "warp; %llu of %llu loops balanced, %llu iterations of them; %llu loops are entered once an "
      "iteration of one around, %llu iterations of them; %llu steps of the whole warp\n",
      what, (unsigned long long)sums->programs, (double)sums->instructions / (double)sums->programs,
      (unsigned long long)sums->refused, (unsigned long long)trial->runs,
      (unsigned long long)trial->deadlocks, (unsigned long long)trial->assumed,
      (unsigned long long)trial->deep, (unsigned long long)trial->steps,
      (unsigned long long)trial->splits, (unsigned long long)trial->releases,
      (unsigned long long)trial->warp_releases, (unsigned long long)trial->balanced_loops,
      (unsigned long long)trial->loops, (unsigned long long)trial->back_edges,
      (unsigned long long)trial->summed_loops, (unsigned long long)trial->summed_edges,
      (unsigned long long)trial->whole_steps);
}

/* Shrinks the program and shows it. */
static void show_failure(struct random_program *program, struct attempt *attempt, uint64_t seed)
{
  static const char *const waiting[] = {"yield", "never", "always"};
  program_shrink(program, fails, attempt);
  outcome_of(program, attempt);
  FREED_BY(wb_text_free) struct wb_text text = {0};
  group_program_print(program, &text);
  fprintf(stderr, "program %llu (%s, %s, masks %s, agreement %d, block %u): %s\n%s",
          (unsigned long long)seed, attempt->device ? "device function" : "kernel",
          waiting[attempt->trial.options.waiting],
          attempt->trial.options.masks_together ? "together" : "apart",
          (int)attempt->trial.options.agreement, (unsigned)attempt->trial.options.block[0],
          attempt->trial.reason, text.failed ? "" : text.data);
}

static void try_program(uint64_t seed, bool wild, struct sums *sums)
{
  struct wb_random random = {seed};
  const size_t length = 5 + (size_t)wb_random_below(&random, wild ? 25 : 70);
  struct random_program program =
      group_program_random(&random, length, wild ? GROUP_WILD : GROUP_COMPILED);
  static const uint32_t blocks[] = {0, 40, 64, 96};
  struct attempt attempt = {
      .device = wild && wb_random_below(&random, 5) == 0,
      .depth = wild ? 0 : (uint32_t)(seed % 4),
      .trial = {.first_seed = wb_random_next(&random) >> 1,
                .seeds = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS),
                .step_limit = STEP_LIMIT}};
  attempt.trial.options =
      (struct wb_simt_options){.waiting = (enum wb_scope_waiting)wb_random_below(&random, 3),
                               .masks_together = wb_random_below(&random, 3) == 0};
  attempt.trial.options.block[0] = blocks[wb_random_below(&random, 4)];
  attempt.trial.options.block[1] = attempt.trial.options.block[2] = 1;
  if (wb_random_below(&random, 6) == 0)
    attempt.trial.options.agreement = (enum wb_agreement_extent)wb_random_below(&random, 3);

  const enum simt_outcome outcome = outcome_of(&program, &attempt);
  sums->programs++;
  sums->instructions += program.count;
  sums->refused += outcome == SIMT_REFUSED;
  add_counts(sums, &attempt.trial);
  if (outcome == SIMT_FAILS)
    show_failure(&program, &attempt, seed);
  program_free(&program);
  if (outcome == SIMT_FAILS)
    fail_msg("a run leaves the graph");
}

/* The trials have content. */
TEST(compiled_programs_stay_within)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct sums sums = {0};
  for (uint64_t i = 0; i < count; i++)
    try_program(first + i, false, &sums);
  show("compiled", &sums);
  assert_true(sums.refused * 10 <= sums.programs);
  assert_true(sums.trial.splits > count);
  assert_true(sums.trial.releases > count);
  assert_true(sums.trial.back_edges > count);
  assert_true(sums.trial.whole_steps > count);
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
  assert_true(sums.trial.releases > count / 4);
}

static bool written_holds(const struct written_group *program)
{
  bool holds = true;
  for (unsigned waiting = 0; holds && waiting < 3; waiting++) {
    for (unsigned variant = 0; holds && variant < 4; variant++) {
      const bool together = variant % 2 != 0;
      struct wb_code code;
      struct group_trial trial = {.options = {.waiting = (enum wb_scope_waiting)waiting,
                                              .masks_together = together,
                                              .block = {variant < 2 ? 0 : 64, 1, 1}},
                                  .first_seed = DEFAULT_SEED,
                                  .seeds = 60,
                                  .step_limit = STEP_LIMIT};
      simt_text_make_barriers(program->lines, &code);
      holds = group_try(&code, &code.functions[0], &trial) != SIMT_FAILS;
      wb_code_free(&code);
      if (!holds)
        fprintf(stderr, "program 0 (%s, waiting %u, together %d, block %u): %s\n", program->name,
                waiting, together, (unsigned)trial.options.block[0], trial.reason);
    }
  }
  return holds;
}

TEST(written_programs_stay_within)
{
  bool holds = true;
  for (size_t p = 0; p < written_group_count; p++)
    holds = written_holds(&written_groups[p]) && holds;
  if (!holds)
    fail_msg("a run leaves the graph");
}

TEST(large_programs_stay_within)
{
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct sums sums = {0};
  /* Some of 400 take minutes: those are for `make test-many`. */
  const size_t longest = number_from_environment("WARPBOUND_CROSS_RUNS", 150) < 2000 ? 300 : 600;
  for (size_t length = 100; length <= longest; length += 100) {
    struct wb_random random = {first + length};
    struct random_program program = group_program_random(&random, length, GROUP_COMPILED);
    struct attempt attempt = {.trial = {.seeds = 4, .step_limit = LARGE_STEP_LIMIT}};
    const enum simt_outcome outcome = outcome_of(&program, &attempt);
    sums.programs++;
    sums.instructions += program.count;
    sums.refused += outcome == SIMT_REFUSED;
    add_counts(&sums, &attempt.trial);
    if (outcome == SIMT_FAILS)
      show_failure(&program, &attempt, first + length);
    program_free(&program);
    if (outcome == SIMT_FAILS)
      fail_msg("length %zu: %s", length, attempt.trial.reason);
  }
  show("large", &sums);
  assert_true(sums.trial.splits > 0);
}
