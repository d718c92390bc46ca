/* Facts that count the runs of a block, or a loop's back edges for each entry of a loop around it,
 * held against what the code shows at least (doc/loop-bounds.md). */
#include "analysis/wcet/wcet_steps.h"

#include "base/binary_search.h"
#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* Whether every way from the loop's header to the end of `to` leads through the block, which is in
 * the loop. */
static bool dominates(const struct wb_loop_forest *forest, uint32_t block, uint32_t to)
{
  while (to != block && to != forest->dominators[to])
    to = forest->dominators[to];
  return to == block;
}

static bool leaves_before(const void *edges, size_t index, const void *block)
{
  return ((const struct wb_warp_edge *)edges)[index].from < *(const uint32_t *)block;
}

/* The first edge that leaves the block, or comes after those: edges stand by their origins. */
static size_t first_edge(const struct wb_warp_graph *graph, uint32_t block)
{
  return wb_lower_bound(graph->edges, graph->edge_count, leaves_before, &block);
}

/* Whether a thread may end in the block, or in code that it calls and that is not shown. */
static bool may_end(const struct wb_wcet *wcet, uint32_t block)
{
  const struct wb_warp_block *what = &wcet->graph->blocks[block];
  bool ends = wcet->graph->ends[block];
  for (uint32_t i = what->first; i <= what->last && !ends; i++) {
    const struct wb_instruction *it = &wcet->function->instructions[i];
    ends = it->unknown || it->outside || it->transfer == WB_TRANSFER_CALL_OUTSIDE ||
           (it->transfer == WB_TRANSFER_EXIT && !it->never);
  }
  return ends;
}

/* Whether a thread may leave the loop, or end, after that block of it. */
static bool is_left_after(const struct wb_wcet *wcet, uint32_t loop, uint32_t block)
{
  const struct wb_warp_graph *graph = wcet->graph;
  bool left = may_end(wcet, block);
  for (size_t e = first_edge(graph, block);
       e < graph->edge_count && graph->edges[e].from == block && !left; e++) {
    uint32_t around = wcet->forest.innermost[graph->edges[e].to];
    while (around != NONE && around != loop)
      around = wcet->forest.loops[around].parent;
    left = graph->edges[e].kind != WB_EDGE_REACTIVATION && around != loop;
  }
  return left;
}

/* Runs of the block at least for each entry of the loop around it: each back edge that a thread
 * takes ends an iteration; the last iteration counts where the block comes before every exit. */
static uint64_t runs_for_entry(const struct wb_wcet *wcet, uint32_t loop, uint32_t block)
{
  const struct wb_loop_forest *forest = &wcet->forest;
  const struct wb_loop *it = &forest->loops[loop];
  bool last = true;
  for (size_t i = 0; i < it->back_edge_count; i++) {
    const uint32_t edge = forest->back_edges[it->first_back_edge + i];
    if (!dominates(forest, block, wcet->graph->edges[edge].from))
      return 0;
  }
  for (size_t i = 0; i < it->node_count && last; i++) {
    const uint32_t node = forest->nodes[it->first_node + i];
    last = dominates(forest, block, node) || !is_left_after(wcet, loop, node);
  }
  return wcet->loops[loop].least + last;
}

/* The same for each entry of `outer`, or of the outermost loop where that is NONE; *loop: which one
 * that is, NONE where the block is in no loop. 0 where nothing is known. */
static uint64_t least_runs(const struct wb_wcet *wcet, uint32_t block, uint32_t outer,
                           uint32_t *loop)
{
  const struct wb_loop_forest *forest = &wcet->forest;
  uint32_t inner = forest->innermost[block];
  uint64_t runs = 1;
  *loop = NONE;
  while (inner != NONE) {
    if (forest->loops[inner].irreducible ||
        !wb_multiply(runs, runs_for_entry(wcet, inner, block), &runs))
      return 0;
    *loop = inner;
    if (inner == outer)
      return runs;
    block = forest->loops[inner].header;
    inner = forest->loops[inner].parent;
  }
  return outer == NONE && *loop != NONE ? runs : 0;
}

/* Whether every thread comes to the block: no end is reached without it. */
static bool is_unavoidable(const struct wb_wcet *wcet, uint32_t block, bool *seen, uint32_t *stack)
{
  const struct wb_warp_graph *graph = wcet->graph;
  size_t depth = 0;
  if (block != graph->entry_block)
    stack[depth++] = graph->entry_block;
  for (size_t b = 0; b < graph->block_count; b++)
    seen[b] = b == block || b == graph->entry_block;
  while (depth > 0) {
    const uint32_t at = stack[--depth];
    if (may_end(wcet, at))
      return false;
    for (size_t e = first_edge(graph, at); e < graph->edge_count && graph->edges[e].from == at;
         e++) {
      const struct wb_warp_edge *edge = &graph->edges[e];
      if (edge->kind == WB_EDGE_REACTIVATION || seen[edge->to])
        continue;
      seen[edge->to] = true;
      stack[depth++] = edge->to;
    }
  }
  return true;
}

static warpbound_status refuse(struct wb_wcet_analysis *analysis, const struct wb_flow_fact *fact,
                               uint32_t place, uint32_t loop, uint64_t least)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_instruction *header = wb_wcet_block_start(wcet, wcet->forest.loops[loop].header);
  const bool runs = fact->kind == WB_FACT_RUNS;
  return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, analysis->options->facts->name,
                    fact->line, fact->column,
                    "at most %" PRIu64 " %s per %s of the %s at 0x%04" PRIx32
                    " of %.100s: the code shows that each thread %s at least %" PRIu64
                    " for each entry of the loop at 0x%04" PRIx32 "%s",
                    fact->number, runs ? "runs" : "back edges", fact->per_warp ? "warp" : "thread",
                    runs ? "block" : "loop", wcet->function->instructions[place].address,
                    wcet->function->name, runs ? "runs it" : "takes", least, header->address,
                    runs && fact->number > 0 && fact->place_count == 1
                        ? " ('never' says that none comes there)"
                        : "");
}

static uint32_t loop_with_header(const struct wb_wcet *wcet, uint32_t loop, uint32_t first)
{
  while (loop != NONE && wcet->graph->blocks[wcet->forest.loops[loop].header].first != first)
    loop = wcet->forest.loops[loop].parent;
  return loop;
}

/* run PLACE at most N, run PLACE never; found: by place, instructions. */
static warpbound_status check_runs(struct wb_wcet_analysis *analysis,
                                   const struct wb_flow_fact *fact, const uint32_t *found,
                                   uint32_t block)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const uint32_t inner = wcet->forest.innermost[block];
  const bool related = fact->place_count > 1;
  const uint32_t outer = related ? loop_with_header(wcet, inner, found[1]) : NONE;
  uint32_t loop;
  bool all = true;
  if (related && outer == NONE)
    return WARPBOUND_OK;
  const uint64_t least = least_runs(wcet, block, outer, &loop);
  if (fact->number >= least)
    return WARPBOUND_OK;
  warpbound_status status = WARPBOUND_OK;
  if (!related && fact->number == 0) {
    /* "never" may be true of a loop that no thread comes to: it is refused where all do. */
    bool *seen = wb_allocate(wcet->graph->block_count, sizeof *seen);
    uint32_t *stack = wb_allocate(wcet->graph->block_count, sizeof *stack);
    const bool ok = seen != NULL && stack != NULL;
    all = ok && is_unavoidable(wcet, wcet->forest.loops[loop].header, seen, stack);
    free(seen);
    free(stack);
    status = ok ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
  }
  return status != WARPBOUND_OK || !all ? status : refuse(analysis, fact, found[0], loop, least);
}

/* loop PLACE bound N per entry of PLACE */
static warpbound_status check_related(struct wb_wcet_analysis *analysis,
                                      const struct wb_flow_fact *fact, const uint32_t *found,
                                      uint32_t inner)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_loop_forest *forest = &wcet->forest;
  const uint32_t parent = forest->loops[inner].parent;
  const uint32_t outer = loop_with_header(wcet, parent, found[1]);
  uint64_t entries = 1;
  uint64_t least;
  uint32_t block = forest->loops[inner].header;
  if (outer == NONE)
    return WARPBOUND_OK;
  for (uint32_t loop = parent;; loop = forest->loops[loop].parent) {
    if (forest->loops[loop].irreducible ||
        !wb_multiply(entries, runs_for_entry(wcet, loop, block), &entries))
      return WARPBOUND_OK;
    block = forest->loops[loop].header;
    if (loop == outer)
      break;
  }
  if (!wb_multiply(entries, wcet->loops[inner].least, &least) || fact->number >= least)
    return WARPBOUND_OK;
  return refuse(analysis, fact, found[0], outer, least);
}

warpbound_status wb_wcet_check_counts(struct wb_wcet_analysis *analysis)
{
  const struct wb_wcet_options *options = analysis->options;
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_warp_block *blocks = wcet->graph->blocks;
  const bool shown = !options->free_reactivations && !options->no_found_bounds;
  const struct wb_kernel_facts *kernel =
      options->facts != NULL && shown ? wb_flow_facts_find(options->facts, wcet->function->name)
                                      : NULL;
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = 0; kernel != NULL && f < kernel->fact_count && status == WARPBOUND_OK; f++) {
    const struct wb_flow_fact *fact = &kernel->facts[f];
    const uint32_t *found = &wcet->facts.found[fact->first_place];
    const bool runs = fact->kind == WB_FACT_RUNS;
    const bool related = fact->kind == WB_FACT_LOOP && fact->place_count > 1;
    for (uint32_t b = 0; b < wcet->graph->block_count && runs && status == WARPBOUND_OK; b++) {
      if (found[0] >= blocks[b].first && found[0] <= blocks[b].last)
        status = check_runs(analysis, fact, found, b);
    }
    for (uint32_t l = 0; l < wcet->forest.loop_count && related && status == WARPBOUND_OK; l++) {
      if (blocks[wcet->forest.loops[l].header].first == found[0])
        status = check_related(analysis, fact, found, l);
    }
  }
  return status;
}
