/* Flow systems of groups of lanes: the counts of random runs of random programs satisfy every row
 * and cost no more than the bound; structured programs get the exact number; spoilt proofs are
 * refused or still true. */
#include "base/work_control.h"
#include "both_checkers.h"
#include "certificate/flow/flow_check.h"
#include "group_machine.h"
#include "ipet/solve/euler_walk.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/ipet_solve.h"
#include "ipet/system/ipet_system.h"
#include "unit.h"

#define RUNS 60
#define MOST_LOOPS GROUP_STEPS

/* A program with all that is made of it. */
struct trial {
  struct group_program program;
  struct group_graph made;
  struct wb_loop_forest forest;
  struct group_loop loops[MOST_LOOPS];
  int64_t cycles[GROUP_STEPS];
  struct wb_ipet_loop_limit limits[MOST_LOOPS];
  struct group_run runs[RUNS];
  size_t run_count;
  struct wb_flow_system system;
  struct wb_ipet_result result;
};

static void begin_trial(struct trial *trial)
{
  group_graph_make(&trial->program, &trial->made);
  const struct wb_warp_graph *graph = &trial->made.graph;
  assert_ok(wb_ipet_loops(graph, false, &trial->forest, NULL));
  assert_true(trial->forest.loop_count <= MOST_LOOPS);
  for (uint32_t l = 0; l < trial->forest.loop_count; l++) {
    const struct wb_ipet_edge_marks marks = {.enters = trial->loops[l].enters,
                                             .returns = trial->loops[l].returns};
    memset(&trial->loops[l], 0, sizeof trial->loops[l]);
    assert_ok(wb_ipet_loop_edges(graph, &trial->forest, false, l, &marks, NULL));
  }
}

static void end_trial(struct trial *trial)
{
  wb_ipet_result_free(&trial->result);
  wb_flow_system_free(&trial->system);
  wb_loop_forest_free(&trial->forest);
}

static void build(struct trial *trial)
{
  const struct wb_ipet_input input = {.graph = &trial->made.graph,
                                      .forest = &trial->forest,
                                      .cycles = trial->cycles,
                                      .loop_limits = trial->limits,
                                      .loop_limit_count = trial->forest.loop_count};
  assert_ok(wb_ipet_system_build(&input, &trial->system, NULL));
  assert_true(wb_flow_system_is_valid(&trial->system));
  assert_int_equal(wb_flow_system_is_walk(&trial->system),
                   !wb_group_system_needed(&trial->made.graph));
}

static char **name_all(char kind, size_t count)
{
  char **names = malloc((count + 1) * sizeof *names);
  assert_non_null(names);
  for (size_t i = 0; i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%c%zu", kind, i);
    names[i] = strdup(name);
    assert_non_null(names[i]);
  }
  return names;
}

static void free_names(char **names, size_t count)
{
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

static void solve(struct trial *trial)
{
  static const struct wb_control control;
  struct wb_linear_model model;
  const struct wb_flow_system *system = &trial->system;
  char **ports = name_all('q', system->port_count);
  char **edges = name_all('e', system->edge_count);
  char **limits = name_all('l', system->limit_count);
  const struct wb_ipet_names names = {.ports = (const char *const *)ports,
                                      .edges = (const char *const *)edges,
                                      .limits = (const char *const *)limits};
  assert_ok(wb_ipet_model_build(system, &names, &model, NULL));
  assert_ok(
      wb_ipet_solve(system, &model, &(struct wb_ipet_options){0}, &control, &trial->result, NULL));
  wb_linear_model_free(&model);
  free_names(ports, system->port_count);
  free_names(edges, system->edge_count);
  free_names(limits, system->limit_count);
}

/* ---- random programs ---- */

static void draw_program(struct wb_random *random, struct group_program *program)
{
  program->count = 3 + (size_t)wb_random_below(random, GROUP_STEPS - 3);
  for (size_t s = 0; s + 1 < program->count; s++) {
    struct group_step *step = &program->steps[s];
    static const enum group_operation operations[] = {
        GROUP_NEXT, GROUP_BRANCH, GROUP_BRANCH, GROUP_BRANCH, GROUP_UNIFORM, GROUP_OPEN,
        GROUP_OPEN, GROUP_SYNC,   GROUP_SYNC,   GROUP_BREAK,  GROUP_WARP,    GROUP_EXIT};
    step->operation = operations[wb_random_below(random, COUNT_OF(operations))];
    step->barrier = (unsigned)wb_random_below(random, GROUP_BARRIERS);
    step->target = (uint32_t)wb_random_below(random, program->count);
    /* Mostly forwards. */
    if (step->target <= s && wb_random_below(random, 3) > 0)
      step->target = (uint32_t)(s + 1 + wb_random_below(random, program->count - s - 1));
  }
  program->steps[program->count - 1].operation = GROUP_EXIT;
}

/* Bounds of threads, of the warp, or both, as the runs keep them. */
static void bound_loops(struct trial *trial, struct wb_random *random)
{
  for (uint32_t l = 0; l < trial->forest.loop_count; l++) {
    struct wb_ipet_loop_limit *limit = &trial->limits[l];
    *limit = (struct wb_ipet_loop_limit){.loop = l, .per = l};
    limit->thread_bound = 0;
    for (size_t r = 0; r < trial->run_count; r++) {
      if (trial->runs[r].returns[l] > limit->thread_bound)
        limit->thread_bound = trial->runs[r].returns[l];
    }
    /* The least bound of the warp that all runs keep; WB_IPET_NO_BOUND where there is none. */
    const struct wb_warp_graph *graph = &trial->made.graph;
    int64_t bound = 0;
    bool inside = false;
    for (size_t i = 0; i < trial->forest.loops[l].node_count; i++)
      inside |= trial->forest.nodes[trial->forest.loops[l].first_node + i] == 0;
    for (size_t r = 0; r < trial->run_count; r++) {
      int64_t enters = inside;
      int64_t returns = 0;
      for (size_t e = 0; e < graph->edge_count; e++) {
        enters += trial->loops[l].enters[e] ? trial->runs[r].taken[e] : 0;
        returns += trial->loops[l].returns[e] ? trial->runs[r].taken[e] : 0;
      }
      if (enters > 0 && (returns + enters - 1) / enters > bound)
        bound = (returns + enters - 1) / enters;
    }
    limit->bound = bound;
    const uint64_t kind = wb_random_below(random, 3);
    if (kind == 0)
      limit->bound = WB_IPET_NO_BOUND;
    if (kind == 1)
      limit->thread_bound = WB_IPET_NO_BOUND;
  }
}

static void show(const struct trial *trial)
{
  static const char *const names[] = {"next", "branch", "uniform", "open",
                                      "sync", "break",  "warp",    "exit"};
  for (size_t s = 0; s < trial->program.count; s++)
    print_message("%zu: %s %u -> %u, %lld cycles\n", s, names[trial->program.steps[s].operation],
                  trial->program.steps[s].barrier, trial->program.steps[s].target,
                  trial->made.block_of[s] != UINT32_MAX
                      ? (long long)trial->cycles[trial->made.block_of[s]]
                      : -1LL);
  for (size_t l = 0; l < trial->forest.loop_count; l++)
    print_message("loop of block %u: thread %lld, warp %lld\n", trial->forest.loops[l].header,
                  (long long)trial->limits[l].thread_bound, (long long)trial->limits[l].bound);
}

/* Whether an order of the worst counts was found; it has to have these counts, and each edge a run
 * that it leaves. */
static bool has_order(const struct trial *trial)
{
  const struct wb_warp_graph *graph = &trial->made.graph;
  int64_t runs[GROUP_STEPS] = {0};
  int64_t left[GROUP_STEPS] = {0};
  uint32_t *nodes;
  size_t count;
  if (wb_euler_walk(&trial->system, trial->result.taken, 100000, &nodes, &count, NULL) !=
      WARPBOUND_OK)
    return false;
  left[graph->entry_block] = 1;
  for (size_t e = 0; e < graph->edge_count; e++)
    left[graph->edges[e].to] += trial->result.taken[e];
  assert_int_equal(nodes[0], graph->entry_block);
  for (size_t i = 0; i < count; i++) {
    bool comes_from = i == 0;
    assert_true(nodes[i] < graph->block_count);
    for (size_t e = 0; e < graph->edge_count; e++)
      comes_from |= graph->edges[e].to == nodes[i] && trial->result.taken[e] > 0 &&
                    runs[graph->edges[e].from] > 0;
    assert_true(comes_from);
    runs[nodes[i]]++;
    left[nodes[i]]--;
  }
  for (size_t b = 0; b < graph->block_count; b++)
    assert_int_equal(left[b], 0);
  free(nodes);
  return true;
}

struct tally {
  uint64_t programs, runs, solved, met, exact, spoilt, refused, coarse, most_runs, ordered;
};

static const char *judge(struct trial *trial, struct wb_random *random, struct tally *tally)
{
  int64_t worst = 0;
  for (size_t r = 0; r < trial->run_count; r++) {
    int64_t cost;
    warpbound_error error;
    if (wb_check_flow_counts(&trial->system, trial->runs[r].taken, &cost, &error) != WARPBOUND_OK) {
      print_message("%s\n", error.message);
      return "a run breaks a row";
    }
    worst = cost > worst ? cost : worst;
  }
  tally->runs += trial->run_count;
  if (trial->result.status != WB_IPET_SOLVED)
    return trial->result.status == WB_IPET_INFEASIBLE ? "no execution, by the proof" : NULL;
  tally->solved++;
  tally->coarse += trial->result.proof.coarse;
  if (trial->result.proof.bound < worst)
    return "a run costs more than the bound";
  tally->most_runs += trial->result.proof.bound == worst;
  if (trial->result.taken != NULL) {
    tally->met++;
    tally->ordered += has_order(trial);
    tally->exact += trial->result.cycles == trial->result.proof.bound;
  }
  /* Changes one number of a proof: what the checker then accepts is still a bound. */
  const struct wb_ipet_proof *proof = &trial->result.proof;
  for (int attempt = 0; attempt < 8; attempt++) {
    const bool price = trial->system.limit_count > 0 && wb_random_below(random, 2) == 0;
    const size_t count = price ? trial->system.limit_count : trial->system.port_count;
    int64_t *number = &(price ? proof->price : proof->potential)[wb_random_below(random, count)];
    const int64_t before = *number;
    int64_t bound = 0;
    *number -= 1 + (int64_t)wb_random_below(random, 2 * (uint64_t)proof->scale);
    const warpbound_status status = wb_check_flow_bound(
        &trial->system, proof->price, proof->potential, proof->scale, &bound, NULL);
    *number = before;
    tally->spoilt++;
    tally->refused += status == WARPBOUND_CHECK_FAILED;
    if (status == WARPBOUND_OK)
      assert_true(bound >= worst);
  }
  return NULL;
}

TEST(random_programs)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 4;
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct trial *trial = calloc(1, sizeof *trial);
  struct tally tally = {0};
  assert_non_null(trial);
  for (uint64_t n = 0; n < count; n++) {
    struct wb_random random = {.state = seed + n};
    *trial = (struct trial){0};
    draw_program(&random, &trial->program);
    begin_trial(trial);
    trial->run_count = 0;
    for (size_t r = 0; r < RUNS; r++) {
      struct group_run *run = &trial->runs[trial->run_count];
      trial->run_count += group_run_make(&trial->program, &trial->made, trial->loops,
                                         trial->forest.loop_count, &random, run);
    }
    bound_loops(trial, &random);
    for (size_t b = 0; b < GROUP_STEPS; b++)
      trial->cycles[b] = (int64_t)wb_random_below(&random, 10);
    build(trial);
    solve(trial);
    tally.programs += trial->run_count > 0;
    const char *fault = trial->run_count > 0 ? judge(trial, &random, &tally) : NULL;
    if (fault != NULL) {
      show(trial);
      fail_msg("seed %llu: %s", (unsigned long long)(seed + n), fault);
    }
    end_trial(trial);
  }
  print_message("# %llu programs from seed %llu with %llu runs: %llu solved, %llu of them coarse; "
                "%llu with whole counts, %llu of these in an order, %llu at the bound, %llu bounds "
                "reached by a run; "
                "%llu of %llu spoilt proofs refused\n",
                (unsigned long long)tally.programs, (unsigned long long)seed,
                (unsigned long long)tally.runs, (unsigned long long)tally.solved,
                (unsigned long long)tally.coarse, (unsigned long long)tally.met,
                (unsigned long long)tally.ordered, (unsigned long long)tally.exact,
                (unsigned long long)tally.most_runs, (unsigned long long)tally.refused,
                (unsigned long long)tally.spoilt);
  assert_true(tally.solved * 10 >= tally.programs * 9);
  assert_true(tally.ordered * 20 >= tally.met * 19);
  assert_true(tally.refused * 4 > tally.spoilt);
  free(trial);
}

/* ---- exact numbers ---- */

struct example {
  const char *name;
  struct group_step steps[GROUP_STEPS];
  size_t count;
  int64_t cycles[GROUP_STEPS]; /* by step */
  int64_t thread_bounds[4];    /* by loop */
  int64_t bounds[4];
  int64_t expected;
};

#define NO WB_IPET_NO_BOUND

static const struct example examples[] = {
    {"both sides of an if/else, once what follows",
     {{GROUP_OPEN, 5, 0},
      {GROUP_BRANCH, 4, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_UNIFORM, 4, 0},
      {GROUP_SYNC, 0, 0},
      {GROUP_EXIT, 0, 0}},
     6,
     {1, 1, 10, 1, 1, 100},
     {0},
     {0},
     1 + 1 + 10 + 1 + 2 + 100},
    {"lanes leave a loop one by one: its header 8 times, the barrier once more",
     {{GROUP_OPEN, 4, 0},
      {GROUP_BRANCH, 3, 0},
      {GROUP_UNIFORM, 1, 0},
      {GROUP_SYNC, 0, 0},
      {GROUP_EXIT, 0, 0}},
     5,
     {1, 10, 100, 1, 1},
     {7},
     {7},
     1 + 8 * 10 + 8 * 100 + 9 + 1},
    {"and no more often than there are lanes",
     {{GROUP_OPEN, 4, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 1, 0},
      {GROUP_SYNC, 0, 0},
      {GROUP_EXIT, 0, 0}},
     5,
     {1, 0, 10, 1, 1},
     {99},
     {99},
     1 + 100 * 10 + 32 + 1},
    {"a loop in 32 groups: each comes and goes round by itself",
     {{GROUP_BRANCH, 2, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 2, 0},
      {GROUP_EXIT, 0, 0}},
     5,
     {0, 0, 1, 0, 0},
     {9},
     {NO},
     2 + 9 * 32},
    {"sides that never meet: 32 groups at most",
     {{GROUP_BRANCH, 2, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 4, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 6, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 8, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 10, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 12, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_BRANCH, 14, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_EXIT, 0, 0}},
     15,
     {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
     {0},
     {0},
     32},
    {"a scope in a loop: both sides in each iteration",
     {{GROUP_OPEN, 9, 0},
      {GROUP_OPEN, 6, 1},
      {GROUP_BRANCH, 5, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_UNIFORM, 5, 0},
      {GROUP_SYNC, 0, 1},
      {GROUP_BRANCH, 8, 0},
      {GROUP_UNIFORM, 1, 0},
      {GROUP_SYNC, 0, 0},
      {GROUP_EXIT, 0, 0}},
     10,
     {0, 1, 0, 10, 0, 100, 0, 0, 0, 0},
     {4},
     {4},
     5 * 1 + 5 * 10 + 10 * 100},
    {"a branch that the group takes as a whole",
     {{GROUP_UNIFORM, 3, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_UNIFORM, 4, 0},
      {GROUP_NEXT, 0, 0},
      {GROUP_EXIT, 0, 0}},
     5,
     {1, 10, 1, 30, 1},
     {0},
     {0},
     1 + 11 + 30 + 1},
};

static void take_example(const struct example *example)
{
  struct trial *trial = calloc(1, sizeof *trial);
  assert_non_null(trial);
  memcpy(trial->program.steps, example->steps, sizeof example->steps);
  trial->program.count = example->count;
  trial->program.structured = true;
  begin_trial(trial);
  for (size_t s = 0; s < example->count; s++) {
    if (trial->made.block_of[s] != UINT32_MAX)
      trial->cycles[trial->made.block_of[s]] = example->cycles[s];
  }
  for (uint32_t l = 0; l < trial->forest.loop_count; l++)
    trial->limits[l] = (struct wb_ipet_loop_limit){.loop = l,
                                                   .per = l,
                                                   .bound = example->bounds[l],
                                                   .thread_bound = example->thread_bounds[l]};
  build(trial);
  solve(trial);
  if (trial->result.status != WB_IPET_SOLVED || trial->result.proof.bound != example->expected)
    fail_msg("%s: status %d, %lld cycles, expected %lld", example->name, (int)trial->result.status,
             (long long)trial->result.proof.bound, (long long)example->expected);
  assert_non_null(trial->result.taken);
  assert_int_equal(trial->result.cycles, example->expected);
  assert_false(trial->result.proof.coarse);
  assert_true(has_order(trial));
  end_trial(trial);
  free(trial);
}

TEST(exact_numbers)
{
  for (size_t x = 0; x < COUNT_OF(examples); x++)
    take_example(&examples[x]);
}
