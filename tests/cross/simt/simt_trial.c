#include "simt_trial.h"

#include "base/memory.h"
#include "base/work_control.h"
#include "cfg/graph/loops.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "simt_replay.h"
#include "unit.h"

/* The loops of the graph that claim to be balanced. to: by edge of
 * the forest's graph. */
static void add_loops(struct simt_replay *replay, const struct wb_simt_analysis *analysis,
                      const struct wb_loop_forest *forest, const uint32_t *to)
{
  const size_t blocks = replay->graph->block_count;
  bool *body = must(wb_allocate(blocks, sizeof *body));
  bool *headers = must(wb_allocate(blocks, sizeof *headers));
  for (size_t l = 0; l < forest->loop_count; l++) {
    const struct wb_loop *loop = &forest->loops[l];
    for (size_t b = 0; b < blocks; b++)
      body[b] = headers[b] = false;
    for (size_t n = 0; n < loop->node_count; n++)
      body[forest->nodes[loop->first_node + n]] = true;
    headers[loop->header] = true;
    for (size_t e = 0; e < loop->back_edge_count; e++)
      headers[to[forest->back_edges[loop->first_back_edge + e]]] = true;
    if (wb_simt_loop_balanced(analysis, headers, body))
      simt_replay_add_loop(replay, headers, body);
  }
  free(headers);
  free(body);
}

/* Loops as threads run them: cycles that only reactivations close are none of theirs. */
static void find_loops(struct simt_replay *replay, const struct wb_simt_analysis *analysis)
{
  const struct wb_warp_graph *graph = replay->graph;
  uint32_t *from = must(wb_allocate(graph->edge_count, sizeof *from));
  uint32_t *to = must(wb_allocate(graph->edge_count, sizeof *to));
  struct wb_flow_graph flow = {graph->block_count, 0, from, to, graph->entry_block};
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->edges[e].kind == WB_EDGE_REACTIVATION)
      continue;
    from[flow.edge_count] = graph->edges[e].from;
    to[flow.edge_count++] = graph->edges[e].to;
  }
  struct wb_loop_forest forest;
  if (wb_loop_forest_make(&flow, &forest, NULL) != WARPBOUND_OK)
    abort();
  add_loops(replay, analysis, &forest, to);
  wb_loop_forest_free(&forest);
  free(from);
  free(to);
}

/* Whether the analysis said that it assumes tokens to be there which it could not prove. */
static bool assumes_tokens(const struct wb_warp_graph *graph, const char *address)
{
  for (size_t a = 0; a < graph->assumptions.count; a++) {
    const char *text = graph->assumptions.items[a];
    if (strstr(text, "token on the stack") != NULL &&
        (strstr(text, address) != NULL || strstr(text, " more") != NULL))
      return true;
  }
  return false;
}

/* A pop without a token ends a run where the analysis assumed that there is one. */
static bool is_assumed_away(const struct wb_warp_graph *graph, const warpbound_error *error)
{
  const struct wb_function *function = graph->function;
  for (size_t i = 0; i < function->instruction_count; i++) {
    char address[16];
    snprintf(address, sizeof address, "0x%04x", function->instructions[i].address);
    if (function->instructions[i].line == error->line &&
        function->instructions[i].transfer == WB_TRANSFER_POP)
      return assumes_tokens(graph, address);
  }
  return false;
}

static bool run_once(const struct wb_code *code, struct simt_replay *replay,
                     struct simt_trial *trial, uint64_t seed)
{
  const struct wb_simt_run_options options = {.seed = seed,
                                              .lanes = seed % 8 < 6 ? WB_LANE_LIMIT
                                                                    : 1 + (uint32_t)(seed % 5),
                                              .step_limit = trial->step_limit,
                                              .visit = simt_replay_visit,
                                              .context = replay};
  struct wb_simt_run run;
  warpbound_error error = {.message = ""};
  simt_replay_reset(replay);
  const warpbound_status status =
      wb_simt_run(code, replay->graph->function, &options, &run, &error);
  trial->runs++;
  if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT &&
      !is_assumed_away(replay->graph, &error))
    snprintf(trial->reason, sizeof trial->reason, "seed %llu: the oracle refuses: %.200s",
             (unsigned long long)seed, error.message);
  else if (replay->failed)
    snprintf(trial->reason, sizeof trial->reason, "seed %llu: %s", (unsigned long long)seed,
             replay->reason);
  else
    return true;
  return false;
}

static bool run_all(const struct wb_code *code, const struct wb_simt_analysis *analysis,
                    struct simt_trial *trial)
{
  struct simt_replay replay;
  bool holds = true;
  simt_replay_start(&replay, wb_simt_analysis_graph(analysis));
  find_loops(&replay, analysis);
  for (uint64_t s = 0; holds && s < trial->seeds; s++)
    holds = run_once(code, &replay, trial, trial->first_seed + s);
  trial->steps += replay.steps;
  trial->splits += replay.split_count;
  trial->reactivations += replay.reactivation_count;
  trial->balanced_loops += replay.loop_count;
  trial->back_edges += replay.back_edge_count;
  trial->assumed += assumes_tokens(replay.graph, "0x");
  simt_replay_free(&replay);
  return holds;
}

enum simt_outcome simt_try(const struct wb_code *code, const struct wb_function *function,
                           struct simt_trial *trial)
{
  const struct wb_control control = wb_control_start(NULL);
  struct wb_simt_analysis *analysis = NULL;
  warpbound_error error = {.message = ""};
  if (wb_simt_analyse(code, function, &trial->options, &control, &analysis, &error) !=
      WARPBOUND_OK) {
    snprintf(trial->reason, sizeof trial->reason, "refused: %.200s", error.message);
    return SIMT_REFUSED;
  }
  const bool holds = run_all(code, analysis, trial);
  wb_simt_analysis_free(analysis);
  return holds ? SIMT_HOLDS : SIMT_FAILS;
}
