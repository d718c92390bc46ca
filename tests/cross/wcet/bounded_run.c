#include "bounded_run.h"

#include "analysis/wcet/wcet_steps.h"
#include "base/memory.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "ipet/system/ipet_system.h"
#include "model/code.h"
#include "unit.h"

#include <inttypes.h>

#define NOWHERE UINT32_MAX
#define ALL_LANES UINT32_MAX

/* Which loops the warp enters once at most in an iteration of the loop around. */
static void find_sums(struct bounded *b, const struct wb_wcet *wcet)
{
  struct wb_wcet judged = *wcet;
  struct wb_wcet_analysis judging = {.wcet = &judged};
  judged.loops = must(wb_allocate(b->loop_count, sizeof *judged.loops));
  for (size_t l = 0; l < b->loop_count; l++) {
    const struct wb_loop *loop = &wcet->forest.loops[l];
    const bool reducible = loop->parent != NOWHERE && !loop->irreducible &&
                           !wcet->forest.loops[loop->parent].irreducible;
    judged.loops[l] = (struct wb_wcet_loop){.balanced = wcet->loops[l].balanced,
                                            .sum = reducible ? 1 : UINT64_MAX};
  }
  assert_ok(wb_wcet_judge_sums(&judging));
  for (size_t l = 0; l < b->loop_count; l++)
    b->summed[l] = judged.loops[l].sum_of_warp;
  free(judged.loops);
}

size_t bounded_beyond_sum(const struct bounded *b)
{
  for (size_t l = 0; l < b->loop_count && !b->many_rounds; l++) {
    uint64_t sum = 0;
    for (size_t r = 0; r < BOUNDED_ROUNDS; r++)
      sum += b->rounds[l * BOUNDED_ROUNDS + r];
    if (b->summed[l] && b->backs[l] > sum * b->entries[b->wcet->forest.loops[l].parent])
      return l;
  }
  return SIZE_MAX;
}

void bounded_run_start(struct bounded *b, const struct wb_wcet *wcet)
{
  const struct wb_warp_graph *graph = wcet->graph;
  const struct wb_loop_forest *forest = &wcet->forest;
  const size_t loops = forest->loop_count;
  *b = (struct bounded){.wcet = wcet, .loop_count = loops};
  simt_replay_start(&b->replay, graph);
  b->body = must(wb_arena_allocate(&b->arena, loops * graph->block_count, sizeof *b->body));
  b->header = must(wb_arena_allocate(&b->arena, loops * graph->block_count, sizeof *b->header));
  b->enters = must(wb_arena_allocate(&b->arena, loops * graph->edge_count, sizeof *b->enters));
  b->back = must(wb_arena_allocate(&b->arena, loops * graph->edge_count, sizeof *b->back));
  b->uniform =
      must(wb_arena_allocate(&b->arena, graph->function->instruction_count, sizeof *b->uniform));
  b->taken = must(wb_arena_allocate(&b->arena, graph->edge_count, sizeof *b->taken));
  b->entries = must(wb_arena_allocate(&b->arena, loops, sizeof *b->entries));
  b->backs = must(wb_arena_allocate(&b->arena, loops, sizeof *b->backs));
  b->entry_backs = must(wb_arena_allocate(&b->arena, loops, sizeof *b->entry_backs));
  b->summed = must(wb_arena_allocate(&b->arena, loops, sizeof *b->summed));
  b->rounds = must(wb_arena_allocate(&b->arena, loops * BOUNDED_ROUNDS, sizeof *b->rounds));
  b->lane_backs = must(wb_arena_allocate(&b->arena, loops * BOUNDED_LANES, sizeof *b->lane_backs));
  for (uint32_t l = 0; l < loops; l++) {
    const struct wb_loop *loop = &forest->loops[l];
    for (size_t n = 0; n < loop->node_count; n++)
      b->body[l * graph->block_count + forest->nodes[loop->first_node + n]] = true;
    b->header[l * graph->block_count + loop->header] = true;
    for (size_t e = 0; e < loop->back_edge_count; e++) {
      const uint32_t edge = forest->back_edges[loop->first_back_edge + e];
      b->header[l * graph->block_count + graph->edges[edge].to] = true;
    }
    const struct wb_ipet_edge_marks edges = {.enters = &b->enters[l * graph->edge_count],
                                             .returns = &b->back[l * graph->edge_count]};
    if (wb_ipet_loop_edges(graph, forest, false, l, &edges, NULL) != WARPBOUND_OK)
      abort();
  }
  find_sums(b, wcet);
  for (size_t u = 0; u < graph->uniform_branch_count; u++)
    b->uniform[graph->uniform_branches[u]] = true;
}

void bounded_run_free(struct bounded *b)
{
  simt_replay_free(&b->replay);
  wb_arena_free(&b->arena);
}

static bool inside(const struct bounded *b, size_t loop, uint32_t block)
{
  return block != NOWHERE && b->body[loop * b->wcet->graph->block_count + block];
}

static bool is_header(const struct bounded *b, size_t loop, uint32_t block)
{
  return b->header[loop * b->wcet->graph->block_count + block];
}

/* ---- counting ---- */

static void count_edge(struct bounded *b, uint32_t edge)
{
  const size_t edges = b->wcet->graph->edge_count;
  b->taken[edge]++;
  for (size_t l = 0; l < b->loop_count; l++) {
    if (b->enters[l * edges + edge]) {
      b->entries[l]++;
      b->entry_backs[l] = 0;
    }
    if (b->back[l * edges + edge]) {
      b->backs[l]++;
      if (++b->entry_backs[l] > b->most_entry_backs)
        b->most_entry_backs = b->entry_backs[l];
      b->broken |=
          b->level == BOUNDED_WARP && b->backs[l] > b->wcet->loops[l].warp_bound * b->entries[l];
    }
  }
}

/* Whether the block is an indexed branch alone: a lane that runs it twice in a row waited to do it
 * anew, and has taken no edge. (A lane that it sends to itself never ends.) */
static bool is_indexed_branch(const struct bounded *b, uint32_t block)
{
  const struct wb_warp_block *at = &b->wcet->graph->blocks[block];
  return at->first == at->last &&
         b->wcet->function->instructions[at->last].transfer == WB_TRANSFER_INDEXED_BRANCH;
}

/* How often a lane goes round a loop in an iteration of the loop around. */
static void note_round(struct bounded *b, size_t loop, unsigned lane)
{
  const uint32_t around = b->wcet->forest.loops[loop].parent;
  const uint64_t backs = b->lane_backs[loop * BOUNDED_LANES + lane];
  if (around == NOWHERE)
    return;
  const uint64_t round = b->lane_backs[around * BOUNDED_LANES + lane];
  b->many_rounds |= round >= BOUNDED_ROUNDS;
  uint64_t *most = &b->rounds[loop * BOUNDED_ROUNDS + round % BOUNDED_ROUNDS];
  *most = backs > *most ? backs : *most;
}

/* A lane runs a block: which loops it enters, and which it goes round. */
static void move_lane(struct bounded *b, unsigned lane, uint32_t block)
{
  const uint32_t before = b->lane_block[lane];
  b->lane_block[lane] = block;
  if (before == block && is_indexed_branch(b, block))
    return;
  for (size_t l = 0; l < b->loop_count; l++) {
    uint64_t *backs = &b->lane_backs[l * BOUNDED_LANES + lane];
    if (!inside(b, l, block))
      continue;
    if (!inside(b, l, before))
      *backs = 0;
    else if (is_header(b, l, block)) {
      b->broken |= ++*backs > b->lane_bound && b->level == BOUNDED_THREADS;
      note_round(b, l, lane);
    }
  }
}

static bool visit(void *context, const struct wb_simt_step *step)
{
  struct bounded *b = context;
  const uint32_t block = b->replay.block;
  const struct wb_warp_block *at = &b->wcet->graph->blocks[block];
  b->cycles += b->wcet->cycles[step->instruction];
  if (b->watch != NULL)
    (void)b->watch(b->watch_context, step);
  if (step->instruction == at->first) {
    for (unsigned lane = 0; lane < BOUNDED_LANES; lane++) {
      if (step->active >> lane & 1)
        move_lane(b, lane, block);
    }
  }
  if (!simt_replay_visit(&b->replay, step))
    return false;
  if (b->replay.edge != NOWHERE)
    count_edge(b, b->replay.edge);
  return !b->broken;
}

/* ---- deciding ---- */

/* The edge of the block of one kind; NOWHERE for none. Of several the one with most left of the
 * worst path. */
static uint32_t best_edge(const struct bounded *b, uint32_t block, bool falls)
{
  const struct wb_warp_graph *graph = b->wcet->graph;
  const int64_t *wanted = b->wcet->ipet.taken;
  uint32_t best = NOWHERE;
  int64_t most = INT64_MIN;
  for (uint32_t e = b->replay.first_edge[block]; e < b->replay.first_edge[block + 1]; e++) {
    if ((graph->edges[e].kind == WB_EDGE_FALLTHROUGH) != falls)
      continue;
    const int64_t left = wanted != NULL ? wanted[e] - b->taken[e] : 0;
    if (left > most) {
      most = left;
      best = e;
    }
  }
  return best;
}

static int64_t left_of(const struct bounded *b, uint32_t edge)
{
  const int64_t *wanted = b->wcet->ipet.taken;
  return edge == NOWHERE || wanted == NULL ? 0 : wanted[edge] - b->taken[edge];
}

/* Whether the warp may take the edge once more. */
static bool warp_may(const struct bounded *b, uint32_t edge)
{
  const size_t edges = b->wcet->graph->edge_count;
  for (size_t l = 0; edge != NOWHERE && l < b->loop_count; l++) {
    if (b->back[l * edges + edge] && b->backs[l] + 1 > b->wcet->loops[l].warp_bound * b->entries[l])
      return false;
  }
  return true;
}

/* Of the lanes those that may still go to the block. */
static uint32_t lanes_that_may(const struct bounded *b, uint32_t lanes, uint32_t edge)
{
  if (edge == NOWHERE || b->level == BOUNDED_WARP)
    return lanes;
  const uint32_t to = b->wcet->graph->edges[edge].to;
  for (size_t l = 0; l < b->loop_count; l++) {
    if (!is_header(b, l, to))
      continue;
    for (unsigned lane = 0; lane < BOUNDED_LANES; lane++) {
      if (inside(b, l, b->lane_block[lane]) &&
          b->lane_backs[l * BOUNDED_LANES + lane] >= b->lane_bound)
        lanes &= ~(UINT32_C(1) << lane);
    }
  }
  return lanes;
}

/* What the worst path has left to do decides, and the dice where it has both or neither. */
static uint32_t follow_path(struct bounded *b, uint32_t active, uint32_t proposed, uint32_t fall,
                            uint32_t other)
{
  const bool wants_fall = left_of(b, fall) > 0;
  const bool wants_other = left_of(b, other) > 0;
  if (wants_fall && wants_other) {
    /* Some of the lanes: one, about half of them, all but one. */
    const uint32_t one = active & (0 - active);
    switch (wb_random_below(&b->random, 3)) {
    case 0:
      return one;
    case 1:
      return active & ~one;
    default:
      return active & (uint32_t)wb_random_next(&b->random);
    }
  }
  if (wants_fall)
    return 0;
  return wants_other ? active : proposed;
}

/* Whether the graph says that the lanes may split here, in this context: of an indexed branch it
 * may be by the index, of what leaves in a subroutine, in another context. */
static bool is_decidable(const struct bounded *b, const struct wb_warp_block *block)
{
  const struct wb_warp_graph *graph = b->wcet->graph;
  const uint8_t transfer = graph->function->instructions[block->last].transfer;
  if (transfer == WB_TRANSFER_INDEXED_BRANCH)
    return false;
  const bool leaves = transfer == WB_TRANSFER_POP || transfer == WB_TRANSFER_EXIT;
  if (b->uniform[block->last] || (leaves && block->context == 0))
    return true;
  bool splits = false;
  for (size_t p = 0; p < graph->push_count; p++)
    splits = splits || (graph->pushes[p].block == b->replay.block && graph->pushes[p].divergent &&
                        graph->entries[graph->pushes[p].entry].point == block->last + 1);
  return splits;
}

static uint32_t decide(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  struct bounded *b = context;
  const struct wb_warp_block *block = &b->wcet->graph->blocks[b->replay.block];
  uint32_t chosen = proposed;
  if (instruction != block->last || !is_decidable(b, block))
    return proposed;
  const uint32_t fall = best_edge(b, b->replay.block, true);
  const uint32_t other = best_edge(b, b->replay.block, false);
  if (b->guided)
    chosen = follow_path(b, active, proposed, fall, other);
  if (b->uniform[instruction] && chosen != 0)
    chosen = active;
  uint32_t may = lanes_that_may(b, active, other);
  uint32_t may_fall = lanes_that_may(b, active, fall);
  if (b->level == BOUNDED_WARP) {
    may = warp_may(b, other) ? active : 0;
    may_fall = warp_may(b, fall) ? active : 0;
  }
  chosen = (chosen & may) | (active & ~may_fall);
  if (b->uniform[instruction])
    chosen = chosen == active ? active : 0;
  return chosen;
}

static void reset(struct bounded *b, uint64_t seed)
{
  const struct wb_warp_graph *graph = b->wcet->graph;
  simt_replay_reset(&b->replay);
  b->random.state = seed;
  memset(b->taken, 0, graph->edge_count * sizeof *b->taken);
  memset(b->backs, 0, b->loop_count * sizeof *b->backs);
  memset(b->entry_backs, 0, b->loop_count * sizeof *b->entry_backs);
  memset(b->lane_backs, 0, b->loop_count * BOUNDED_LANES * sizeof *b->lane_backs);
  for (size_t l = 0; l < b->loop_count; l++)
    b->entries[l] = inside(b, l, graph->entry_block);
  for (unsigned lane = 0; lane < BOUNDED_LANES; lane++)
    b->lane_block[lane] = NOWHERE;
  b->cycles = 0;
  memset(b->rounds, 0, b->loop_count * BOUNDED_ROUNDS * sizeof *b->rounds);
  b->many_rounds = false;
  b->most_entry_backs = 0;
  b->broken = false;
}

bool bounded_run(struct bounded *b, uint64_t seed, uint64_t step_limit)
{
  struct wb_simt_run_options options = {.seed = seed,
                                        .lanes = BOUNDED_LANES,
                                        .step_limit = step_limit,
                                        .visit = visit,
                                        .decide = decide,
                                        .context = b};
  struct wb_simt_run run = {0};
  warpbound_error error;
  reset(b, seed);
  if (wb_simt_run(b->wcet->code, b->wcet->function, &options, &run, &error) != WARPBOUND_OK)
    return false;
  return run.ended && !b->broken && !b->replay.failed;
}

void bounded_write_facts(const struct wb_wcet *wcet, uint64_t bound, struct wb_text *text)
{
  wb_text_format(text, "kernel \"%s\"\nchecksum 0x%016" PRIx64 "\n", wcet->function->name,
                 wb_function_checksum(wcet->function));
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_warp_block *header = &wcet->graph->blocks[wcet->forest.loops[l].header];
    wb_text_format(text, "loop 0x%" PRIx32 " bound %" PRIu64 " per thread\n",
                   wcet->function->instructions[header->first].address, bound);
  }
}
