#include "group_trial.h"

#include "analysis/wcet/wcet_steps.h"
#include "base/memory.h"
#include "base/work_control.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "ipet/system/ipet_system.h"
#include "unit.h"

#define NOWHERE UINT32_MAX

bool group_replay_refute(struct group_replay *replay, uint32_t instruction, const char *format, ...)
{
  const struct wb_instruction *at = &replay->graph->function->instructions[instruction];
  char what[180];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(replay->reason, sizeof replay->reason, "%.30s at L%u: %s", at->opcode, instruction,
           what);
  replay->failed = true;
  return false;
}

/* ---- indices ---- */

static void list_edges(struct group_replay *replay)
{
  const struct wb_warp_graph *graph = replay->graph;
  replay->first_edge =
      must(wb_arena_allocate(&replay->arena, graph->block_count + 1, sizeof *replay->first_edge));
  replay->first_pop =
      must(wb_arena_allocate(&replay->arena, graph->edge_count + 1, sizeof *replay->first_pop));
  uint32_t edge = 0;
  for (size_t b = 0; b <= graph->block_count; b++) {
    while (edge < graph->edge_count && graph->edges[edge].from < b)
      edge++;
    replay->first_edge[b] = edge;
  }
  uint32_t pop = 0;
  for (size_t e = 0; e <= graph->edge_count; e++) {
    while (pop < graph->pop_count && graph->pops[pop].edge < e)
      pop++;
    replay->first_pop[e] = pop;
  }
}

static uint32_t root_of(const uint32_t *team, uint32_t entry)
{
  while (team[entry] != entry)
    entry = team[entry];
  return entry;
}

/* Entries that one edge may pop are limited together. */
static void unite_entries(struct group_replay *replay)
{
  const struct wb_warp_graph *graph = replay->graph;
  replay->team = must(wb_arena_allocate(&replay->arena, graph->entry_count, sizeof *replay->team));
  for (uint32_t e = 0; e < graph->entry_count; e++)
    replay->team[e] = e;
  for (size_t p = 1; p < graph->pop_count; p++) {
    if (graph->pops[p].edge == graph->pops[p - 1].edge)
      replay->team[root_of(replay->team, graph->pops[p].entry)] =
          root_of(replay->team, graph->pops[p - 1].entry);
  }
  for (uint32_t e = 0; e < graph->entry_count; e++)
    replay->team[e] = root_of(replay->team, e);
}

static bool *flags_of(struct wb_arena *arena, const uint32_t *points, size_t count, size_t size)
{
  bool *flags = must(wb_arena_allocate(arena, size, sizeof *flags));
  for (size_t p = 0; p < count; p++)
    flags[points[p]] = true;
  return flags;
}

void group_replay_start(struct group_replay *replay, const struct wb_warp_graph *graph, bool never)
{
  const size_t count = graph->function->instruction_count;
  *replay = (struct group_replay){.graph = graph, .never = never};
  list_edges(replay);
  unite_entries(replay);
  replay->splits =
      flags_of(&replay->arena, graph->divergence_points, graph->divergence_point_count, count);
  replay->uniform =
      flags_of(&replay->arena, graph->uniform_branches, graph->uniform_branch_count, count);
  replay->first_visit =
      must(wb_arena_allocate(&replay->arena, graph->block_count, sizeof *replay->first_visit));
  replay->group_edges =
      must(wb_arena_allocate(&replay->arena, graph->edge_count, sizeof *replay->group_edges));
  replay->lane_edges =
      must(wb_arena_allocate(&replay->arena, graph->edge_count, sizeof *replay->lane_edges));
  replay->group_runs =
      must(wb_arena_allocate(&replay->arena, graph->block_count, sizeof *replay->group_runs));
  replay->lane_runs =
      must(wb_arena_allocate(&replay->arena, graph->block_count, sizeof *replay->lane_runs));
}

void group_replay_free(struct group_replay *replay)
{
  for (size_t l = 0; l < replay->loop_count; l++)
    free(replay->loops[l].most);
  free(replay->parts);
  free(replay->instances);
  free(replay->visits);
  wb_arena_free(&replay->arena);
  *replay = (struct group_replay){0};
}

/* ---- a run ---- */

static uint32_t lane_count(uint32_t lanes)
{
  uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    count++;
  return count;
}

void group_replay_reset(struct group_replay *replay, uint32_t lanes)
{
  const struct wb_warp_graph *graph = replay->graph;
  const size_t blocks = graph->block_count;
  memset(replay->group_edges, 0, graph->edge_count * sizeof *replay->group_edges);
  memset(replay->lane_edges, 0, graph->edge_count * sizeof *replay->lane_edges);
  memset(replay->group_runs, 0, blocks * sizeof *replay->group_runs);
  memset(replay->lane_runs, 0, blocks * sizeof *replay->lane_runs);
  memset(replay->first_visit, 0xff, blocks * sizeof *replay->first_visit);
  replay->instance_count = replay->visit_count = 0;
  replay->failed = replay->too_deep = false;
  for (size_t l = 0; l < replay->loop_count; l++) {
    struct group_loop *loop = &replay->loops[l];
    loop->entry_count = 0;
    loop->bound = loop->taken = loop->sum = 0;
    memset(loop->rounds, 0, sizeof loop->rounds);
    memset(loop->entry, 0xff, sizeof loop->entry);
    if (loop->body[graph->entry_block])
      group_replay_enter(loop, lanes);
  }
  if (!wb_grow(replay->parts, &replay->part_capacity, 1))
    abort();
  replay->part_count = 1;
  replay->parts[0] = (struct group_part){.block = graph->entry_block, .lanes = lanes};
  replay->group_runs[graph->entry_block] = 1;
  replay->lane_runs[graph->entry_block] = lane_count(lanes);
  memset(replay->part_of, 0, sizeof replay->part_of);
  memset(replay->pending_count, 0, sizeof replay->pending_count);
}

void group_replay_enter(struct group_loop *loop, uint32_t lanes)
{
  if (!wb_grow(loop->most, &loop->entry_capacity, loop->entry_count + 1))
    abort();
  loop->most[loop->entry_count] = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) == 0)
      continue;
    loop->entry[lane] = (uint32_t)loop->entry_count;
    loop->made[lane] = 0;
  }
  loop->entry_count++;
}

/* Who waited at entries that are made once went on at most as often as these were made. */
static bool check_entries(struct group_replay *replay)
{
  const struct wb_warp_graph *graph = replay->graph;
  uint64_t *pushed = must(wb_allocate(graph->entry_count, sizeof *pushed));
  uint64_t *popped = must(wb_allocate(graph->entry_count, sizeof *popped));
  bool *once = must(wb_allocate(graph->entry_count, sizeof *once));
  bool holds = true;
  for (size_t e = 0; e < graph->entry_count; e++)
    once[e] = true;
  for (size_t e = 0; e < graph->entry_count; e++)
    once[replay->team[e]] = once[replay->team[e]] && graph->entries[e].once;
  for (size_t p = 0; p < graph->push_count; p++)
    pushed[replay->team[graph->pushes[p].entry]] += replay->group_runs[graph->pushes[p].block];
  for (size_t e = 0; e < graph->edge_count; e++) {
    const uint32_t pop = replay->first_pop[e];
    if (pop < replay->first_pop[e + 1])
      popped[replay->team[graph->pops[pop].entry]] += replay->group_edges[e];
  }
  for (size_t e = 0; holds && e < graph->entry_count; e++) {
    if (once[e] && replay->team[e] == e && popped[e] > pushed[e])
      holds = group_replay_refute(replay, graph->entries[e].point,
                                  "an entry for it is made %llu times and goes on %llu times",
                                  (unsigned long long)pushed[e], (unsigned long long)popped[e]);
  }
  free(pushed);
  free(popped);
  free(once);
  return holds;
}

bool group_replay_finish(struct group_replay *replay)
{
  return check_entries(replay);
}

static struct group_loop make_loop(struct wb_arena *arena, const struct wb_simt_analysis *analysis,
                                   const struct wb_loop_forest *forest, uint32_t index)
{
  const struct wb_warp_graph *graph = wb_simt_analysis_graph(analysis);
  const struct wb_loop *loop = &forest->loops[index];
  bool *headers = must(wb_allocate(graph->block_count, sizeof *headers));
  struct group_loop made = {.body = must(wb_arena_array(arena, bool, graph->block_count)),
                            .enters = must(wb_arena_array(arena, bool, graph->edge_count)),
                            .returns = must(wb_arena_array(arena, bool, graph->edge_count))};
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

/* Which loops one group at most enters in an iteration of the loop around. */
static void find_sums(const struct wb_simt_analysis *analysis, const struct wb_loop_forest *forest,
                      struct group_loop *loops)
{
  struct wb_wcet_loop *judged = must(wb_allocate(forest->loop_count, sizeof *judged));
  struct wb_wcet wcet = {.flow = {.analysis = (struct wb_simt_analysis *)(uintptr_t)analysis},
                         .graph = wb_simt_analysis_graph(analysis),
                         .forest = *forest,
                         .loops = judged};
  struct wb_wcet_analysis judging = {.wcet = &wcet};
  for (size_t l = 0; l < forest->loop_count; l++) {
    const uint32_t parent = forest->loops[l].parent;
    const bool reducible =
        parent != UINT32_MAX && !forest->loops[l].irreducible && !forest->loops[parent].irreducible;
    judged[l].balanced = loops[l].balanced;
    judged[l].sum = reducible ? 1 : UINT64_MAX;
    loops[l].parent = parent;
  }
  assert_ok(wb_wcet_judge_sums(&judging));
  for (size_t l = 0; l < forest->loop_count; l++)
    loops[l].summed = judged[l].sum_of_warp;
  free(judged);
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
      .steady = true,
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
  } else if (replay->too_deep) {
    holds = true;
    trial->deep++;
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
  FREED_BY(group_replay_free) struct group_replay replay;
  bool holds = true;
  group_replay_start(&replay, wb_simt_analysis_graph(analysis),
                     trial->options.waiting == WB_WAITING_NEVER);
  replay.options = &trial->options;
  struct wb_loop_forest forest;
  if (wb_ipet_loops(replay.graph, false, &forest, NULL) != WARPBOUND_OK)
    abort();
  replay.loop_count = forest.loop_count;
  replay.loops = must(wb_arena_array(&replay.arena, struct group_loop, forest.loop_count));
  for (uint32_t l = 0; l < forest.loop_count; l++) {
    replay.loops[l] = make_loop(&replay.arena, analysis, &forest, l);
    trial->loops++;
    trial->balanced_loops += replay.loops[l].balanced;
  }
  find_sums(analysis, &forest, replay.loops);
  for (size_t l = 0; l < forest.loop_count; l++)
    trial->summed_loops += replay.loops[l].summed;
  wb_loop_forest_free(&forest);
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
  trial->summed_edges += replay.sum_count;
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
