/* Flow systems of groups of lanes against runs of the oracle on random programs: what each run
 * counts satisfies every row of the system whose loop bounds are what its lanes did, and no run
 * costs more than the WCET with the bounds of all runs.
 *   WARPBOUND_CROSS_RUNS  programs of each style (200 without it)
 *   WARPBOUND_CROSS_SEEDS runs of each (14 without it)
 *   WARPBOUND_SEED        seed of the first program */
#include "base/memory.h"
#include "base/work_control.h"
#include "certificate/flow/flow_check.h"
#include "group_trial.h"
#include "groups/simt_text.h"
#include "ipet/solve/dual_proof.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/ipet_solve.h"
#include "ipet/system/ipet_system.h"
#include "random_group_program.h"
#include "unit.h"
#include "written_groups.h"

#include <inttypes.h>

#define DEFAULT_PROGRAMS 200
#define DEFAULT_SEEDS 14
#define DEFAULT_SEED 20261122
#define STEP_LIMIT 1500

/* One program and what its runs did; the counts go on from program to program. */
struct attempt {
  struct group_trial trial;
  bool device;
  struct group_replay *replay; /* of the trial, during it */
  uint64_t *most;              /* by loop: iterations of a lane since it entered, over all runs */
  size_t loop_count;
  int64_t longest; /* cycles */
  uint64_t counted, met, solved, unbounded;
};

/* The graph with its loops and costs; a block costs its instructions. */
struct costed {
  struct wb_loop_forest forest;
  int64_t *cycles;
  struct wb_ipet_loop_limit *limits;
};

static void cost(const struct group_replay *replay, const uint64_t *most, struct costed *costed)
{
  const struct wb_warp_graph *graph = replay->graph;
  *costed =
      (struct costed){.cycles = must(wb_allocate(graph->block_count, sizeof *costed->cycles)),
                      .limits = must(wb_allocate(replay->loop_count, sizeof *costed->limits))};
  if (wb_ipet_loops(graph, false, &costed->forest, NULL) != WARPBOUND_OK)
    abort();
  for (size_t b = 0; b < graph->block_count; b++)
    costed->cycles[b] = (int64_t)graph->blocks[b].last - graph->blocks[b].first + 1;
  for (uint32_t l = 0; l < replay->loop_count; l++)
    costed->limits[l] = (struct wb_ipet_loop_limit){
        .loop = l,
        .per = l,
        .bound = replay->loops[l].balanced ? (int64_t)most[l] : WB_IPET_NO_BOUND,
        .thread_bound = (int64_t)most[l]};
}

static void uncost(struct costed *costed)
{
  wb_loop_forest_free(&costed->forest);
  free(costed->cycles);
  free(costed->limits);
}

static warpbound_status build(const struct group_replay *replay, const struct costed *costed,
                              struct wb_flow_system *system, warpbound_error *error)
{
  const struct wb_ipet_input input = {.graph = replay->graph,
                                      .forest = &costed->forest,
                                      .cycles = costed->cycles,
                                      .loop_limits = costed->limits,
                                      .loop_limit_count = replay->loop_count};
  return wb_ipet_system_build(&input, system, error);
}

/* The most iterations of a lane in one run. */
static uint64_t most_of(const struct group_loop *loop)
{
  uint64_t most = 0;
  for (size_t e = 0; e < loop->entry_count; e++)
    most = loop->most[e] > most ? loop->most[e] : most;
  return most;
}

/* A proof with a margin, where one is found, holds for the runs too, and is hardly above the bound.
 */
static bool margin_holds(struct group_replay *replay, const struct wb_flow_system *system,
                         const struct wb_control *control, int64_t bound,
                         const struct attempt *attempt)
{
  struct wb_ipet_proof proof;
  warpbound_error error = {.message = ""};
  const bool made = wb_ipet_prove_with_margin(system, control, &proof, &error) == WARPBOUND_OK;
  const bool holds = made && (proof.price == NULL || (proof.bound >= attempt->longest &&
                                                      proof.bound - bound <= 2 + bound / 50));
  if (!holds) {
    replay->failed = true;
    snprintf(replay->reason, sizeof replay->reason,
             "a run costs %" PRId64 " cycles, the bound is %" PRId64 ", with a margin %" PRId64,
             attempt->longest, bound, made ? proof.bound : -1);
  }
  if (made)
    wb_ipet_proof_free(&proof);
  return holds;
}

/* The run's counts are in the system of its own bounds. */
static bool satisfies(struct group_replay *replay, const uint64_t *most, int64_t *cycles)
{
  struct costed costed;
  struct wb_flow_system system = {0};
  warpbound_error error = {.message = ""};
  const size_t edges = replay->graph->edge_count;
  int64_t *taken = must(wb_allocate(2 * edges, sizeof *taken));
  for (size_t e = 0; e < edges; e++) {
    taken[e] = (int64_t)replay->group_edges[e];
    taken[edges + e] = (int64_t)replay->lane_edges[e];
  }
  cost(replay, most, &costed);
  warpbound_status status = build(replay, &costed, &system, &error);
  if (status == WARPBOUND_OK)
    status = wb_check_flow_counts(&system, taken, cycles, &error);
  if (status != WARPBOUND_OK) {
    replay->failed = true;
    snprintf(replay->reason, sizeof replay->reason, "a run breaks the system: %.180s",
             error.message);
  }
  wb_flow_system_free(&system);
  uncost(&costed);
  free(taken);
  return status == WARPBOUND_OK;
}

/* The system is that of 32 lanes: of a run of fewer, in which the others could go with one of those
 * that there are, only the cost is compared. */
static bool count_run(void *context, struct group_replay *replay, uint32_t lanes, uint64_t steps)
{
  struct attempt *attempt = context;
  uint64_t *most = must(wb_allocate(replay->loop_count, sizeof *most));
  int64_t cycles = 0;
  if (attempt->replay == NULL) {
    attempt->replay = replay;
    attempt->loop_count = replay->loop_count;
    attempt->most = must(wb_allocate(replay->loop_count, sizeof *attempt->most));
  }
  for (size_t l = 0; l < replay->loop_count; l++) {
    most[l] = most_of(&replay->loops[l]);
    attempt->most[l] = most[l] > attempt->most[l] ? most[l] : attempt->most[l];
  }
  attempt->counted++;
  bool holds = true;
  if (lanes == WB_LANE_LIMIT)
    holds = satisfies(replay, most, &cycles);
  else
    cycles = (int64_t)steps;
  if (holds && cycles < (int64_t)steps) {
    replay->failed = true;
    holds = false;
    snprintf(replay->reason, sizeof replay->reason,
             "a run of %" PRIu64 " steps costs %" PRId64 " cycles", steps, cycles);
  }
  attempt->longest = cycles > attempt->longest ? cycles : attempt->longest;
  free(most);
  return holds;
}

/* A model whose columns and rows have one name. */
static warpbound_status model_of(const struct wb_flow_system *system, struct wb_linear_model *model,
                                 warpbound_error *error)
{
  const size_t most = system->port_count + system->edge_count + system->limit_count;
  const char **same = must(wb_allocate(most, sizeof *same));
  for (size_t i = 0; i < most; i++)
    same[i] = "n";
  const struct wb_ipet_names names = {.ports = same, .edges = same, .limits = same};
  const warpbound_status status = wb_ipet_model_build(system, &names, model, error);
  free(same);
  return status;
}

/* Solves the system with the bounds of all runs; false where a run cost more. */
static bool bounds_all(void *context, struct group_replay *replay)
{
  struct attempt *attempt = context;
  const struct wb_control control = wb_control_start(NULL);
  struct costed costed;
  struct wb_flow_system system = {0};
  struct wb_linear_model model = {0};
  struct wb_ipet_result result = {0};
  warpbound_error error = {.message = ""};
  if (attempt->replay == NULL)
    return true;
  cost(replay, attempt->most, &costed);
  warpbound_status status = build(replay, &costed, &system, &error);
  if (status == WARPBOUND_OK)
    status = model_of(&system, &model, &error);
  if (status == WARPBOUND_OK)
    status =
        wb_ipet_solve(&system, &model, &(struct wb_ipet_options){0}, &control, &result, &error);
  const bool unbounded = status == WARPBOUND_OK &&
                         (result.status == WB_IPET_UNBOUNDED || result.status == WB_IPET_TOO_LONG);
  const bool holds = unbounded || (status == WARPBOUND_OK && result.status == WB_IPET_SOLVED &&
                                   result.proof.bound >= attempt->longest);
  attempt->unbounded += unbounded;
  attempt->solved++;
  attempt->met += holds && result.proof.bound == attempt->longest;
  if (!holds) {
    replay->failed = true;
    snprintf(replay->reason, sizeof replay->reason,
             "a run costs %" PRId64 " cycles, the WCET is %" PRId64 " (status %d) %.100s",
             attempt->longest, result.proof.bound, (int)result.status, error.message);
  }
  const bool proven = holds && !unbounded;
  const bool margin =
      !proven || margin_holds(replay, &system, &control, result.proof.bound, attempt);
  wb_ipet_result_free(&result);
  wb_linear_model_free(&model);
  wb_flow_system_free(&system);
  uncost(&costed);
  return holds && margin;
}

static enum simt_outcome outcome_of_code(const struct wb_code *code, struct attempt *attempt)
{
  attempt->replay = NULL;
  attempt->longest = 0;
  attempt->trial.ended = count_run;
  attempt->trial.all_ended = bounds_all;
  attempt->trial.context = attempt;
  const enum simt_outcome outcome = group_try(code, &code->functions[0], &attempt->trial);
  free(attempt->most);
  attempt->most = NULL;
  return outcome;
}

static enum simt_outcome outcome_of(const struct random_program *program, struct attempt *attempt)
{
  FREED_BY(wb_code_free) struct wb_code code;
  group_program_lower(program, &code);
  code.functions[0].kernel = !attempt->device;
  const enum simt_outcome outcome = outcome_of_code(&code, attempt);
  return outcome;
}

static bool fails(const struct random_program *program, void *context)
{
  return outcome_of(program, context) == SIMT_FAILS;
}

static void try_many(bool wild)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct attempt attempt = {
      .trial = {.seeds = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS),
                .step_limit = STEP_LIMIT}};
  uint64_t refused = 0;
  for (uint64_t i = 0; i < count; i++) {
    struct wb_random random = {wild ? ~(first + i) : first + i};
    const size_t length = 5 + (size_t)wb_random_below(&random, wild ? 25 : 50);
    struct random_program program =
        group_program_random(&random, length, wild ? GROUP_WILD : GROUP_COMPILED);
    attempt.device = wild && wb_random_below(&random, 5) == 0;
    attempt.trial.first_seed = wb_random_next(&random) >> 1;
    attempt.trial.options =
        (struct wb_simt_options){.waiting = (enum wb_scope_waiting)wb_random_below(&random, 3),
                                 .masks_together = wb_random_below(&random, 3) == 0};
    const enum simt_outcome outcome = outcome_of(&program, &attempt);
    refused += outcome == SIMT_REFUSED;
    if (outcome == SIMT_FAILS) {
      FREED_BY(wb_text_free) struct wb_text text = {0};
      program_shrink(&program, fails, &attempt);
      outcome_of(&program, &attempt);
      group_program_print(&program, &text);
      fprintf(stderr, "program %" PRIu64 " (%s, waiting %d, masks %s): %s\n%s", first + i,
              attempt.device ? "device function" : "kernel", (int)attempt.trial.options.waiting,
              attempt.trial.options.masks_together ? "together" : "apart", attempt.trial.reason,
              text.failed ? "" : text.data);
    }
    program_free(&program);
    if (outcome == SIMT_FAILS)
      fail_msg("a run is not in the system");
  }
  print_message("# %s: %" PRIu64 " programs, %" PRIu64 " refused; %" PRIu64 " runs, %" PRIu64
                " counted; %" PRIu64 " WCETs, %" PRIu64 " met, %" PRIu64 " without a bound\n",
                wild ? "wild" : "compiled", count, refused, attempt.trial.runs, attempt.counted,
                attempt.solved, attempt.met, attempt.unbounded);
  assert_true(attempt.counted * 10 > attempt.trial.runs);
}

TEST(written_programs)
{
  for (size_t p = 0; p < written_group_count; p++) {
    for (unsigned waiting = 0; waiting < 3; waiting++) {
      struct wb_code code;
      struct attempt attempt = {.trial = {.options.waiting = (enum wb_scope_waiting)waiting,
                                          .first_seed = DEFAULT_SEED,
                                          .seeds = 40,
                                          .step_limit = STEP_LIMIT}};
      simt_text_make_barriers(written_groups[p].lines, &code);
      const enum simt_outcome outcome = outcome_of_code(&code, &attempt);
      wb_code_free(&code);
      if (outcome != SIMT_FAILS)
        continue;
      fprintf(stderr, "program 0 (%s, waiting %u): %s\n", written_groups[p].name, waiting,
              attempt.trial.reason);
      fail_msg("a run is not in the system");
    }
  }
}

TEST(compiled_programs)
{
  try_many(false);
}

TEST(wild_programs)
{
  try_many(true);
}
