#include "group_trial.h"

#include "base/memory.h"
#include "base/work_control.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "group_replay.h"
#include "ipet/system/ipet_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
  if (memory == NULL)
    abort();
  return memory;
}

static struct group_loop make_loop(const struct wb_simt_analysis *analysis,
                                   const struct wb_loop_forest *forest, uint32_t index)
{
  const struct wb_warp_graph *graph = wb_simt_analysis_graph(analysis);
  const struct wb_loop *loop = &forest->loops[index];
  bool *headers = must(wb_allocate(graph->block_count, sizeof *headers));
  struct group_loop made = {.body = must(wb_allocate(graph->block_count, sizeof *made.body)),
                            .enters = must(wb_allocate(graph->edge_count, sizeof *made.enters)),
                            .returns = must(wb_allocate(graph->edge_count, sizeof *made.returns))};
  const struct wb_ipet_edge_marks marks = {.enters = made.enters, .returns = made.returns};
  for (size_t n = 0; n < loop->node_count; n++)
    made.body[forest->nodes[loop->first_node + n]] = true;
  wb_ipet_loop_headers(graph, forest, index, made.body, headers);
  made.balanced = wb_simt_loop_balanced(analysis, headers, made.body);
  if (wb_ipet_loop_edges(graph, forest, false, index, &marks, NULL) != WARPBOUND_OK)
    abort();
  free(headers);
  return made;
}

static void find_loops(struct group_replay *replay, const struct wb_simt_analysis *analysis,
                       struct group_trial *trial)
{
  struct wb_loop_forest forest;
  if (wb_ipet_loops(replay->graph, false, &forest, NULL) != WARPBOUND_OK)
    abort();
  for (uint32_t l = 0; l < forest.loop_count; l++) {
    const struct group_loop loop = make_loop(analysis, &forest, l);
    group_replay_add_loop(replay, &loop);
    trial->loops++;
    trial->balanced_loops += loop.balanced;
  }
  wb_loop_forest_free(&forest);
}

/* Whether the analysis said that it does not know where some return goes; of a function that is no
 * kernel it takes it to go to the caller. */
static bool guesses_returns(const struct wb_warp_graph *graph)
{
  if (!graph->function->kernel)
    return true;
  for (size_t a = 0; a < graph->assumptions.count; a++) {
    if (strstr(graph->assumptions.items[a], "a return whose address") != NULL)
      return true;
  }
  return false;
}

/* Those of a block of whole warps, or of one whose last warp may have fewer. */
static uint32_t lanes_of(const struct group_trial *trial, uint64_t seed)
{
  if (trial->options.block[0] % WB_LANE_LIMIT == 0 && trial->options.block[0] > 0)
    return WB_LANE_LIMIT;
  return seed % 8 < 5 ? WB_LANE_LIMIT : 1 + (uint32_t)(seed / 8 % (WB_LANE_LIMIT - 1));
}

static bool run_once(const struct wb_code *code, struct group_replay *replay,
                     struct group_trial *trial, uint64_t seed)
{
  const struct wb_function *function = replay->graph->function;
  const struct wb_group_run_options options = {
      .seed = seed,
      .step_limit = trial->step_limit,
      .lanes = lanes_of(trial, seed),
      .policy = (enum wb_group_policy)(seed % WB_GROUPS_COUNT),
      .reconvergence = trial->options.waiting == WB_WAITING_NEVER    ? WB_RECONVERGENCE_NEVER
                       : trial->options.waiting == WB_WAITING_ALWAYS ? WB_RECONVERGENCE_ALWAYS
                                                                     : WB_RECONVERGENCE_YIELD,
      .masks_together = trial->options.masks_together,
      .visit = group_replay_visit,
      .context = replay};
  struct wb_group_run run;
  warpbound_error error = {.message = ""};
  group_replay_reset(replay, UINT32_MAX >> (WB_LANE_LIMIT - options.lanes));
  const warpbound_status status = wb_group_run(code, function, &options, &run, &error);
  const char *reason = replay->reason;
  bool holds = !replay->failed;
  trial->runs++;
  trial->deadlocks += run.deadlock;
  if (holds && status != WARPBOUND_OK && status != WARPBOUND_LIMIT) {
    reason = error.message;
    holds = strstr(error.message, "RET") != NULL && guesses_returns(replay->graph);
  } else if (holds) {
    holds = group_replay_finish(replay);
    if (holds && run.ended && trial->ended != NULL)
      holds = trial->ended(trial->context, replay, options.lanes, run.steps);
  } else if (guesses_returns(replay->graph) && strstr(replay->reason, "RET") == replay->reason) {
    holds = true;
    trial->assumed++;
  }
  if (!holds)
    snprintf(trial->reason, sizeof trial->reason, "seed %llu: %.200s", (unsigned long long)seed,
             reason);
  return holds;
}

static bool run_all(const struct wb_code *code, const struct wb_simt_analysis *analysis,
                    struct group_trial *trial)
{
  struct group_replay replay;
  bool holds = true;
  group_replay_start(&replay, wb_simt_analysis_graph(analysis),
                     trial->options.waiting == WB_WAITING_NEVER);
  find_loops(&replay, analysis, trial);
  for (uint64_t s = 0; holds && s < trial->seeds; s++)
    holds = run_once(code, &replay, trial, trial->first_seed + s);
  if (holds && trial->all_ended != NULL && !trial->all_ended(trial->context, &replay)) {
    snprintf(trial->reason, sizeof trial->reason, "%.200s", replay.reason);
    holds = false;
  }
  trial->steps += replay.steps;
  trial->splits += replay.split_count;
  trial->releases += replay.release_count;
  trial->whole_steps += replay.whole_count;
  trial->warp_releases += replay.warp_count;
  trial->back_edges += replay.back_edge_count;
  group_replay_free(&replay);
  return holds;
}

enum simt_outcome group_try(const struct wb_code *code, const struct wb_function *function,
                            struct group_trial *trial)
{
  const struct wb_control control = wb_control_start(NULL);
  struct wb_simt_analysis *analysis = NULL;
  warpbound_error error = {.message = ""};
  const warpbound_status status =
      wb_simt_analyse(code, function, &trial->options, &control, &analysis, &error);
  if (status != WARPBOUND_OK) {
    snprintf(trial->reason, sizeof trial->reason, "refused: %.200s", error.message);
    return status == WARPBOUND_INTERNAL ? SIMT_FAILS : SIMT_REFUSED;
  }
  const bool holds = run_all(code, analysis, trial);
  wb_simt_analysis_free(analysis);
  return holds ? SIMT_HOLDS : SIMT_FAILS;
}
