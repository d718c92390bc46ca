#include "simt_trial.h"

#include "base/memory.h"
#include "base/work_control.h"
#include "cfg/graph/loops.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "unit.h"

#define NOWHERE UINT32_MAX

static bool refute(struct simt_replay *replay, const struct wb_simt_step *step, const char *format,
                   ...) WB_PRINTF(3, 4);

static bool refute(struct simt_replay *replay, const struct wb_simt_step *step, const char *format,
                   ...)
{
  const struct wb_instruction *at = &replay->graph->function->instructions[step->instruction];
  char what[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(replay->reason, sizeof replay->reason, "%.30s at 0x%04x: %s", at->opcode, at->address,
           what);
  replay->failed = true;
  return false;
}

/* ---- indices ---- */

/* Of `size` bytes each, the first of them a number below `limit` by which they are sorted: by
 * number, where the first one with at least that number is. */
static uint32_t *first_by_number(struct wb_arena *arena, const void *rows, size_t count,
                                 size_t size, size_t limit)
{
  uint32_t *first = must(wb_arena_allocate(arena, limit + 1, sizeof *first));
  size_t at = 0;
  for (uint32_t number = 0; number <= limit; number++) {
    for (uint32_t found; at < count; at++) {
      memcpy(&found, (const char *)rows + at * size, sizeof found);
      if (found >= number)
        break;
    }
    first[number] = (uint32_t)at;
  }
  return first;
}

static int compare_numbers(const void *a, const void *b)
{
  uint32_t left;
  uint32_t right;
  memcpy(&left, a, sizeof left);
  memcpy(&right, b, sizeof right);
  return (left > right) - (left < right);
}

static void *sorted_copy(struct wb_arena *arena, const void *rows, size_t count, size_t size)
{
  void *copy = must(wb_arena_allocate(arena, count, size));
  if (count > 0)
    memcpy(copy, rows, count * size);
  qsort(copy, count, size, compare_numbers);
  return copy;
}

static bool *flags_of(struct wb_arena *arena, const uint32_t *points, size_t count, size_t size)
{
  bool *flags = must(wb_arena_allocate(arena, size, sizeof *flags));
  for (size_t p = 0; p < count; p++)
    flags[points[p]] = true;
  return flags;
}

void simt_replay_start(struct simt_replay *replay, const struct wb_warp_graph *graph)
{
  const size_t count = graph->function->instruction_count;
  *replay = (struct simt_replay){.graph = graph};
  struct wb_arena *arena = &replay->arena;
  if (wb_warp_graph_unite(graph, &replay->united, NULL) != WARPBOUND_OK)
    abort();
  replay->united_block = must(wb_arena_allocate(arena, count, sizeof replay->united_block[0]));
  memset(replay->united_block, 0xff, count * sizeof replay->united_block[0]);
  for (size_t b = 0; b < replay->united.block_count; b++) {
    for (uint32_t i = replay->united.blocks[b].first; i <= replay->united.blocks[b].last; i++)
      replay->united_block[i] = (uint32_t)b;
  }
  replay->first_edge = first_by_number(arena, graph->edges, graph->edge_count,
                                       sizeof graph->edges[0], graph->block_count);
  replay->united_edge = first_by_number(arena, replay->united.edges, replay->united.edge_count,
                                        sizeof replay->united.edges[0], replay->united.block_count);
  replay->pushes = sorted_copy(arena, graph->pushes, graph->push_count, sizeof graph->pushes[0]);
  replay->first_push = first_by_number(arena, replay->pushes, graph->push_count,
                                       sizeof replay->pushes[0], graph->block_count);
  replay->pops = sorted_copy(arena, graph->pops, graph->pop_count, sizeof graph->pops[0]);
  replay->first_pop = first_by_number(arena, replay->pops, graph->pop_count, sizeof replay->pops[0],
                                      graph->edge_count);
  replay->splits = flags_of(arena, graph->divergence_points, graph->divergence_point_count, count);
  replay->uniform = flags_of(arena, graph->uniform_branches, graph->uniform_branch_count, count);
  replay->pushed = must(wb_arena_allocate(arena, graph->entry_count, sizeof replay->pushed[0]));
  replay->popped = must(wb_arena_allocate(arena, graph->entry_count, sizeof replay->popped[0]));
}

void simt_replay_add_loop(struct simt_replay *replay, const bool *headers, const bool *body)
{
  const size_t blocks = replay->graph->block_count;
  struct simt_loop loop = {.headers =
                               must(wb_arena_allocate(&replay->arena, blocks, sizeof *headers)),
                           .body = must(wb_arena_allocate(&replay->arena, blocks, sizeof *body))};
  memcpy(loop.headers, headers, blocks * sizeof *headers);
  memcpy(loop.body, body, blocks * sizeof *body);
  replay->loops = must(realloc(replay->loops, (replay->loop_count + 1) * sizeof replay->loops[0]));
  replay->loops[replay->loop_count++] = loop;
}

void simt_replay_free(struct simt_replay *replay)
{
  wb_warp_graph_free(&replay->united);
  free(replay->loops);
  free(replay->shadows);
  wb_arena_free(&replay->arena);
  *replay = (struct simt_replay){0};
}

void simt_replay_reset(struct simt_replay *replay)
{
  replay->block = replay->graph->entry_block;
  replay->started = false;
  replay->failed = false;
  for (size_t l = 0; l < replay->loop_count; l++)
    replay->loops[l].lanes = UINT32_MAX;
  memset(replay->pushed, 0, replay->graph->entry_count * sizeof replay->pushed[0]);
  memset(replay->popped, 0, replay->graph->entry_count * sizeof replay->popped[0]);
}

/* ---- edges ---- */

/* The kind that the edge of a step must have. */
static enum wb_edge_kind kind_of(const struct wb_instruction *what, const struct wb_simt_step *step)
{
  if (step->reactivated)
    return WB_EDGE_REACTIVATION;
  if (step->doing == 0)
    return WB_EDGE_FALLTHROUGH;
  switch (what->transfer) {
  case WB_TRANSFER_BRANCH:
  case WB_TRANSFER_INDEXED_BRANCH:
    return WB_EDGE_BRANCH;
  case WB_TRANSFER_CALL:
    return WB_EDGE_CALL;
  case WB_TRANSFER_POP:
    if (step->split)
      return WB_EDGE_FALLTHROUGH;
    return what->token == WB_TOKEN_RETURN ? WB_EDGE_RETURN : WB_EDGE_BRANCH;
  default:
    return WB_EDGE_FALLTHROUGH;
  }
}

/* The edge of the block and the kind to a block that begins at `next`, in `context` if that is
 * not NOWHERE; NOWHERE for none. */
static uint32_t find_edge(const struct wb_warp_graph *graph, const uint32_t *first, uint32_t block,
                          enum wb_edge_kind kind, uint32_t next, uint32_t context)
{
  for (uint32_t e = first[block]; e < first[block + 1]; e++) {
    const struct wb_warp_block *to = &graph->blocks[graph->edges[e].to];
    if (graph->edges[e].kind == kind && to->first == next &&
        (context == NOWHERE || to->context == context))
      return e;
  }
  return NOWHERE;
}

/* The step in the united graph: within a block, by an edge, or to the end. */
static bool follow_united(struct simt_replay *replay, const struct wb_simt_step *step,
                          enum wb_edge_kind kind)
{
  const struct wb_warp_graph *graph = &replay->united;
  const uint32_t block = replay->united_block[step->instruction];
  if (block == NOWHERE)
    return refute(replay, step, "it is reached, but in no block");
  if (step->next == NOWHERE)
    return graph->ends[block] || refute(replay, step, "the warp ends here, but not in the graph");
  if (step->instruction < graph->blocks[block].last)
    return (kind == WB_EDGE_FALLTHROUGH && step->next == step->instruction + 1) ||
           refute(replay, step, "control leaves in the middle of a block");
  return find_edge(graph, replay->united_edge, block, kind, step->next, NOWHERE) != NOWHERE ||
         refute(replay, step, "the united graph has no edge of kind %d to 0x%04x", (int)kind,
                graph->function->instructions[step->next].address);
}

/* ---- the stack ---- */

static struct simt_shadow *shadow_at(struct simt_replay *replay, size_t index)
{
  if (!wb_grow(replay->shadows, &replay->shadow_capacity, index + 1))
    abort();
  return &replay->shadows[index];
}

static bool is_entry(const struct wb_warp_entry *entry, const struct simt_shadow *shadow)
{
  return entry->point == shadow->point && entry->context == shadow->context &&
         entry->token == shadow->token;
}

/* The graph says that the block pushes such an entry. */
static bool has_push(const struct simt_replay *replay, const struct simt_shadow *shadow)
{
  const uint32_t block = replay->block;
  for (uint32_t p = replay->first_push[block]; p < replay->first_push[block + 1]; p++) {
    if (is_entry(&replay->graph->entries[replay->pushes[p].entry], shadow))
      return true;
  }
  return false;
}

/* What a step leaves waiting, in the context that it was made in. */
static bool note_pushes(struct simt_replay *replay, const struct wb_simt_step *step,
                        uint32_t context)
{
  for (size_t i = step->depth - 1; i + 1 < step->stack->count; i++) {
    const struct wb_activation *entry = &step->stack->entries[i];
    *shadow_at(replay, i) =
        (struct simt_shadow){replay->block, context, entry->point, entry->token};
    if (!has_push(replay, &replay->shadows[i]))
      return refute(replay, step, "the graph has no push of token %u for 0x%04x here", entry->token,
                    replay->graph->function->instructions[entry->point].address);
  }
  return true;
}

/* How often the graph lets entries be pushed now that the block has run. nobody: it is left by
 * the way of "no lane does it". */
static void count_pushes(struct simt_replay *replay, bool nobody)
{
  const uint32_t block = replay->block;
  for (uint32_t p = replay->first_push[block]; p < replay->first_push[block + 1]; p++) {
    if (!(replay->pushes[p].divergent && nobody))
      replay->pushed[replay->pushes[p].entry]++;
  }
}

/* An entry comes to the top by this edge. */
static bool count_pop(struct simt_replay *replay, const struct wb_simt_step *step, uint32_t edge)
{
  const struct wb_warp_graph *graph = replay->graph;
  const struct simt_shadow *shadow = &replay->shadows[step->stack->count - 1];
  for (uint32_t p = replay->first_pop[edge]; p < replay->first_pop[edge + 1]; p++) {
    const uint32_t entry = replay->pops[p].entry;
    if (!is_entry(&graph->entries[entry], shadow))
      continue;
    if (++replay->popped[entry] > replay->pushed[entry])
      return refute(replay, step, "an entry for 0x%04x is popped more often than pushed",
                    graph->function->instructions[shadow->point].address);
    return true;
  }
  return refute(replay, step, "the edge to 0x%04x does not pop an entry with token %u",
                graph->function->instructions[shadow->point].address, shadow->token);
}

/* ---- loops ---- */

/* Lanes that take an iteration have taken all earlier ones since the loop was entered. resumed:
 * the entry that came to the top, NULL for none. */
static bool follow_loops(struct simt_replay *replay, const struct wb_simt_step *step,
                         const struct wb_warp_edge *edge, const struct simt_shadow *resumed)
{
  for (size_t l = 0; l < replay->loop_count; l++) {
    struct simt_loop *loop = &replay->loops[l];
    if (loop->body[edge->to] && !loop->body[edge->from] &&
        (resumed == NULL || !loop->body[resumed->block])) {
      loop->lanes = step->next_active;
    } else if (loop->headers[edge->to]) {
      replay->back_edge_count++;
      if ((step->next_active & ~loop->lanes) != 0)
        return refute(replay, step, "lanes %08x go on in a balanced loop where %08x were",
                      step->next_active, loop->lanes);
      loop->lanes = step->next_active;
    }
  }
  return true;
}

/* ---- a step ---- */

/* The step in the graph with contexts. */
static bool follow(struct simt_replay *replay, const struct wb_simt_step *step,
                   enum wb_edge_kind kind)
{
  const struct wb_warp_graph *graph = replay->graph;
  const struct wb_warp_block *block = &graph->blocks[replay->block];
  const uint32_t context = block->context;
  if (step->instruction < block->first || step->instruction > block->last)
    return refute(replay, step, "the block is another one");
  if (step->next == NOWHERE) {
    count_pushes(replay, false);
    return (step->instruction == block->last && graph->ends[replay->block]) ||
           refute(replay, step, "the warp ends here, but not in the graph with contexts");
  }
  if (!note_pushes(replay, step, context))
    return false;
  if (step->instruction < block->last)
    return (kind == WB_EDGE_FALLTHROUGH && step->next == step->instruction + 1) ||
           refute(replay, step, "control leaves in the middle of a block with a context");
  const bool resumed = step->stack->count < step->depth;
  uint32_t to = context;
  if (resumed)
    to = replay->shadows[step->stack->count - 1].context;
  else if (kind == WB_EDGE_CALL)
    to = NOWHERE;
  const uint32_t edge = find_edge(graph, replay->first_edge, replay->block, kind, step->next, to);
  if (edge == NOWHERE)
    return refute(replay, step, "context %u has no edge of kind %d to 0x%04x in context %d",
                  context, (int)kind, graph->function->instructions[step->next].address, (int)to);
  count_pushes(replay, step->doing == 0);
  if (resumed && !count_pop(replay, step, edge))
    return false;
  replay->block = graph->edges[edge].to;
  replay->edge = edge;
  return follow_loops(replay, step, &graph->edges[edge],
                      resumed ? &replay->shadows[step->stack->count - 1] : NULL);
}

/* What the lists of branches say of the instruction. */
static bool check_split(struct simt_replay *replay, const struct wb_simt_step *step)
{
  const struct wb_instruction *what = &replay->graph->function->instructions[step->instruction];
  const bool control =
      what->transfer != WB_TRANSFER_NEXT && what->transfer != WB_TRANSFER_CALL_OUTSIDE;
  if (step->split && replay->uniform[step->instruction])
    return refute(replay, step, "a branch called uniform splits %08x to %08x", step->active,
                  step->doing);
  if (step->split && !replay->splits[step->instruction])
    return refute(replay, step, "lanes split where there is no point of divergence");
  if (control && !what->never && wb_instruction_conditional(what) &&
      replay->splits[step->instruction] == replay->uniform[step->instruction])
    return refute(replay, step, "a reached conditional is not listed once");
  return true;
}

/* Where the listing says which token a pop waits for. */
static bool check_annotation(struct simt_replay *replay, const struct wb_simt_step *step)
{
  const struct wb_function *function = replay->graph->function;
  const struct wb_annotation *said = NULL;
  for (size_t a = 0; a < function->annotation_count; a++) {
    if (function->annotations[a].instruction == step->instruction)
      said = &function->annotations[a];
  }
  bool named = step->matched == NOWHERE || said == NULL;
  for (uint32_t t = 0; said != NULL && t < said->target_count; t++)
    named = named || function->targets[said->first_target + t] == step->matched;
  return named || refute(replay, step, "it waits for a token at 0x%04x, which is not annotated",
                         function->instructions[step->matched].address);
}

bool simt_replay_visit(void *context, const struct wb_simt_step *step)
{
  struct simt_replay *replay = context;
  const enum wb_edge_kind kind =
      kind_of(&replay->graph->function->instructions[step->instruction], step);
  if (!replay->started) {
    /* Where the function is no kernel, its return token lies below. */
    *shadow_at(replay, 0) = (struct simt_shadow){0, 0, NOWHERE, WB_TOKEN_RETURN};
    replay->started = true;
  }
  replay->edge = NOWHERE;
  replay->steps++;
  replay->split_count += step->split;
  replay->reactivation_count += step->reactivated;
  return check_split(replay, step) && check_annotation(replay, step) &&
         follow_united(replay, step, kind) && follow(replay, step, kind);
}

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
  FREED_BY(simt_replay_free) struct simt_replay replay;
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
