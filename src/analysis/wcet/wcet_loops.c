/* The loops of a function and their bounds, from the code, flow facts, comments and the default. */
#include "analysis/wcet/wcet_steps.h"

#include "base/binary_search.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/text.h"
#include "ipet/system/ipet_system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- loops, facts, bounds that the code shows ---- */

warpbound_status wb_wcet_find_loops(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  warpbound_status status = wb_ipet_loops(wcet->graph, analysis->options->free_reactivations,
                                          &wcet->forest, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  bool *body = wb_arena_array(&wcet->arena, bool, wcet->graph->block_count);
  bool *headers = wb_arena_array(&wcet->arena, bool, wcet->graph->block_count);
  wcet->loops = wb_arena_array(&wcet->arena, struct wb_wcet_loop, wcet->forest.loop_count);
  wcet->shown = wb_arena_array(&wcet->arena, struct wb_ipet_fact, wcet->forest.loop_count + 2);
  if (wcet->arena.failed)
    return wb_out_of_memory(analysis->error);
  for (uint32_t l = 0; l < wcet->forest.loop_count; l++) {
    /* body, headers: scratch by block, all false. */
    const struct wb_loop *loop = &wcet->forest.loops[l];
    for (size_t i = 0; i < loop->node_count; i++)
      body[wcet->forest.nodes[loop->first_node + i]] = true;
    wb_ipet_loop_headers(wcet->graph, &wcet->forest, l, body, headers);
    wcet->loops[l].balanced = wb_simt_loop_balanced(wcet->flow.analysis, headers, body);
    for (size_t i = 0; i < loop->node_count; i++) {
      const uint32_t block = wcet->forest.nodes[loop->first_node + i];
      body[block] = headers[block] = false;
    }
    wcet->loops[l].thread_bound = UINT64_MAX;
  }
  return WARPBOUND_OK;
}

/* States what facts that name source lines take for granted. */
static void assume_lines(struct wb_wcet_analysis *analysis)
{
  for (size_t s = 0; s < analysis->scopes.count; s++) {
    const struct wb_kernel_facts *facts = analysis->scopes.items[s].facts;
    for (size_t f = 0; facts != NULL && f < facts->fact_count; f++) {
      const struct wb_flow_fact *fact = &facts->facts[f];
      if (fact->kind == WB_FACT_LOOPS || fact->kind == WB_FACT_LOAD || fact->kind == WB_FACT_CALL ||
          fact->kind == WB_FACT_DEPTH || fact->kind == WB_FACT_VALUE)
        continue;
      for (size_t p = 0; p < fact->place_count; p++) {
        if (wb_place_is_fragile(&facts->places[fact->first_place + p]))
          continue;
        wb_list_add(&analysis->wcet->assumptions,
                    "flow facts that name source lines (%.150s:%zu) hold of what was compiled from "
                    "them: of the loop whose back edges come from the line, of the block that has "
                    "the line's instructions",
                    analysis->options->facts->name, (size_t)fact->line);
        return;
      }
    }
  }
}

warpbound_status wb_wcet_resolve_facts(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_flow_facts *facts = analysis->options->facts;
  bool *balanced = wb_arena_array(&wcet->arena, bool, wcet->forest.loop_count);
  if (balanced == NULL ||
      !wb_fact_scopes_make(facts, wcet->function, &wcet->arena, &analysis->scopes))
    return wb_out_of_memory(analysis->error);
  for (size_t l = 0; l < wcet->forest.loop_count; l++)
    balanced[l] = wcet->loops[l].balanced;
  struct wb_fact_context context = {.code = wcet->code,
                                    .function = wcet->function,
                                    .graph = wcet->graph,
                                    .forest = &wcet->forest,
                                    .balanced = balanced,
                                    .name = facts != NULL ? facts->name : NULL,
                                    .lanes = WB_IPET_LANES,
                                    .move = analysis->options->move_facts};
  assume_lines(analysis);
  return wb_facts_resolve(&context, &analysis->scopes, &wcet->facts, analysis->error);
}

warpbound_status wb_wcet_take_bound(struct wb_wcet_analysis *analysis, struct wb_wcet_loop *loop,
                                    enum wb_bound_source source, uint64_t bound, bool per_warp)
{
  uint64_t warp_bound;
  if (!wb_warp_bound(bound, per_warp, loop->balanced, WB_IPET_LANES, &warp_bound))
    return wb_fail(analysis->error, WARPBOUND_INVALID_INPUT,
                   "%.120s: a loop bound does not fit into 64 bits for the warp",
                   analysis->wcet->function->name);
  if (!per_warp && bound < loop->thread_bound)
    loop->thread_bound = bound;
  if (loop->source != WB_BOUND_UNKNOWN && loop->warp_bound <= warp_bound)
    return WARPBOUND_OK;
  free(loop->reason);
  loop->reason = NULL;
  loop->source = source;
  loop->bound = bound;
  loop->warp_bound = warp_bound;
  loop->per_warp = per_warp;
  return WARPBOUND_OK;
}

/* Loops of all edges (free_reactivations) are not those of threads: the code shows no bounds then.
 */
warpbound_status wb_wcet_find_bounds(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->forest.loop_count;
  for (size_t l = 0; l < count; l++)
    wcet->loops[l].width_bound = wcet->loops[l].shown = wcet->loops[l].sum = UINT64_MAX;
  if (analysis->options->free_reactivations || analysis->options->no_found_bounds)
    return WARPBOUND_OK;
  struct wb_found_bound *found = wb_allocate(count, sizeof *found);
  if (found == NULL)
    return wb_out_of_memory(analysis->error);
  warpbound_status status =
      wb_loop_bounds_find(wcet->graph, &wcet->forest, &analysis->launch, found, analysis->error);
  for (size_t l = 0; l < count && status == WARPBOUND_OK; l++) {
    struct wb_wcet_loop *loop = &wcet->loops[l];
    loop->least = found[l].least;
    loop->step_least = found[l].step_least;
    loop->step_most = found[l].step_most;
    loop->hint = found[l].hint;
    found[l].hint = NULL;
    if (found[l].found && found[l].by_width) {
      loop->width_bound = found[l].bound;
      loop->width_reason = found[l].reason;
      found[l].reason = NULL;
    } else if (found[l].found) {
      loop->shown = found[l].bound;
      loop->sum = found[l].summed ? found[l].sum : UINT64_MAX;
      status = wb_wcet_take_bound(analysis, loop, WB_BOUND_FOUND, found[l].bound, false);
    }
    if (found[l].found && found[l].assumption != NULL)
      wb_list_add(&wcet->assumptions, "%s", found[l].assumption);
    if (loop->source == WB_BOUND_FOUND) {
      loop->reason = found[l].reason;
      found[l].reason = NULL;
    }
  }
  wb_found_bounds_free(found, count);
  return status == WARPBOUND_OK ? wb_wcet_judge_sums(analysis) : status;
}

/* ---- declared bounds: held against what the code shows, and against each other ---- */

/* Takes a declared bound, and states one that holds although the code alone shows more. */
static warpbound_status take_claim(struct wb_wcet_analysis *analysis, size_t index,
                                   const struct wb_wcet_claim *claim)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_wcet_loop *loop = &wcet->loops[index];
  const struct wb_wcet_loop before = *loop;
  const char *whose = claim->per_warp ? "warp" : "thread";
  char place[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  if (claim->bound < loop->least)
    return wb_fail_at(
        analysis->error, WARPBOUND_INVALID_INPUT, claim->file, claim->line, claim->column,
        "a bound of %" PRIu64 " back edges per %s for the loop of %.100s at %s: the "
        "code shows that each thread takes %s%" PRIu64
        " for each entry (one less than the runs of a body that is tested at its end)",
        claim->bound, whose, wcet->function->name, place,
        loop->shown == loop->least ? "" : "at least ", loop->least);
  const warpbound_status status =
      wb_wcet_take_bound(analysis, loop, claim->source, claim->bound, claim->per_warp);
  if (status != WARPBOUND_OK)
    return status;
  const bool least = before.source == WB_BOUND_UNKNOWN || loop->warp_bound < before.warp_bound;
  if (claim->source == WB_BOUND_FACT && least)
    loop->fact_line = (uint32_t)claim->line;
  uint64_t shown;
  if ((least || loop->thread_bound < before.thread_bound) && loop->shown != UINT64_MAX &&
      wb_warp_bound(loop->shown, !claim->per_warp, loop->balanced, WB_IPET_LANES, &shown) &&
      claim->bound < shown)
    wb_list_add(&wcet->assumptions,
                "loop at %s: bound %" PRIu64 " per %s (%.150s:%zu) declared, below what the code "
                "shows (%" PRIu64 ")",
                place, claim->bound, whose, claim->file, claim->line, shown);
  return WARPBOUND_OK;
}

/* Takes a claim on a loop of the source for a compiled one, of which one turn may be several of the
 * source's, and states what that assumes where the claim counts. copies: text for the assumption
 * that this is a copy of that loop. */
static warpbound_status take_source_claim(struct wb_wcet_analysis *analysis, size_t index,
                                          struct wb_wcet_claim claim, const char *copies)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_source_turns turns = wb_wcet_source_turns(wcet, index);
  const bool shared = turns.number > 1;
  /* N back edges are N + 1 turns of a thread; of a warp one more for each group of its lanes. */
  const uint64_t turns_more = claim.per_warp ? WB_IPET_LANES : 1;
  if (shared)
    claim.bound = wb_minimum(claim.bound, wb_plus(claim.bound, turns_more) / turns.number);
  const warpbound_status status = take_claim(analysis, index, &claim);
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  if (status != WARPBOUND_OK || (loop->source != claim.source && claim.bound > loop->thread_bound))
    return status;
  wb_list_add(&wcet->assumptions, "%s", copies);
  if (!shared)
    return status;
  char place[WB_WCET_PLACE_SIZE];
  char other[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  wb_wcet_write_loop(wcet, turns.other, other);
  wb_list_add(&wcet->assumptions,
              "a turn of the loop at %s is %" PRIu64
              " turns of the loop of the source: its counter steps by %" PRIu64
              ", that of its copy at %s by %" PRIu64,
              place, turns.number, turns.step, other, turns.other_step);
  return status;
}

static warpbound_status take_fact(struct wb_wcet_analysis *analysis, size_t index,
                                  const struct wb_loop_fact *fact, bool per_warp)
{
  if (fact->line == 0)
    return WARPBOUND_OK;
  const struct wb_wcet_claim claim = {.file = analysis->options->facts->name,
                                      .line = fact->line,
                                      .column = fact->column,
                                      .source = WB_BOUND_FACT,
                                      .bound = fact->bound,
                                      .per_warp = per_warp};
  if (fact->copies == 1)
    return take_claim(analysis, index, &claim);
  char copies[256];
  snprintf(
      copies, sizeof copies,
      "the %zu loops compiled from the line of %.100s:%zu are copies of one loop of the source: "
      "each takes no more back edges for each entry than that one",
      fact->copies, claim.file, claim.line);
  return take_source_claim(analysis, index, claim, copies);
}

/* Takes the bound beside the loop in its source. Errors: WARPBOUND_INVALID_INPUT, at the comment or
 * the fact, where the bound is below what the code shows, or the fact says something else. */
static warpbound_status take_comment(struct wb_wcet_analysis *analysis, size_t index)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_loop_fact *fact = &wcet->facts.loops[index].thread;
  struct wb_wcet_claim claim;
  bool found;
  const warpbound_status status = wb_wcet_comment_claim(analysis, index, &claim, &found);
  if (status != WARPBOUND_OK || !found)
    return status;
  /* A comment may count the iterations of which a fact counts the back edges. */
  if (fact->line == 0 || fact->bound == claim.bound || fact->bound + 1 == claim.bound)
    return take_source_claim(
        analysis, index, claim,
        "a compiled loop takes no more back edges than the loop of the source whose line its back "
        "edges come from");
  char place[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, analysis->options->facts->name,
                    fact->line, fact->column,
                    "a bound of %" PRIu64 " back edges per thread for the loop of %.100s at %s: "
                    "the comment in %.150s:%zu says %" PRIu64 ": give one of them",
                    fact->bound, wcet->function->name, place, claim.file, claim.line, claim.bound);
}

/* What is declared of loops that wait, where nothing else is known of the loop. Errors:
 * WARPBOUND_INVALID_INPUT where it is below what the code shows. */
static warpbound_status take_spin(struct wb_wcet_analysis *analysis, size_t index)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  struct wb_wcet_claim claim;
  if (loop->source != WB_BOUND_UNKNOWN || !wb_wcet_spin_claim(analysis, index, &claim))
    return WARPBOUND_OK;
  const struct wb_instruction *spin = &wcet->function->instructions[loop->loss.spin];
  const struct wb_instruction *header = wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  char *waits = wb_code_place(wcet->code, spin->opcode, spin->address, spin);
  char place[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  warpbound_status status = waits != NULL ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
  if (status == WARPBOUND_OK && claim.file == NULL && claim.bound < loop->least)
    status = wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, wcet->code->name, header->line,
                        header->column,
                        "%.100s: --spin-bound %" PRIu64 " for the loop at %s: the code shows that "
                        "each thread takes at least %" PRIu64 " back edges for each entry",
                        wcet->function->name, claim.bound, place, loop->least);
  else if (status == WARPBOUND_OK)
    status = take_claim(analysis, index, &claim);
  if (status == WARPBOUND_OK && claim.file == NULL)
    wb_list_add(&wcet->assumptions,
                "loop at %s waits for what %.150s returns: at most %" PRIu64
                " back edges per thread for each entry (--spin-bound) declared",
                place, waits, claim.bound);
  else if (status == WARPBOUND_OK)
    wb_list_add(&wcet->assumptions,
                "loop at %s waits for what %.150s returns: at most %" PRIu64
                " back edges per %s for each entry (%.150s:%zu) declared",
                place, waits, claim.bound, claim.per_warp ? "warp" : "thread", claim.file,
                claim.line);
  free(waits);
  return status;
}

/* The default, where nothing else is known of a loop. Errors: WARPBOUND_INVALID_INPUT where it is
 * below what the code shows. */
static warpbound_status take_default(struct wb_wcet_analysis *analysis, size_t index)
{
  const struct wb_wcet *wcet = analysis->wcet;
  struct wb_wcet_loop *loop = &wcet->loops[index];
  const uint64_t bound = analysis->options->default_bound;
  char place[WB_WCET_PLACE_SIZE];
  if (loop->source != WB_BOUND_UNKNOWN || bound == UINT64_MAX)
    return WARPBOUND_OK;
  if (bound < loop->least) {
    const struct wb_instruction *header =
        wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
    wb_wcet_write_loop(wcet, index, place);
    return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, wcet->code->name, header->line,
                      header->column,
                      "%.100s: --default-loop-bound %" PRIu64 " for the loop at %s: the code shows "
                      "that each thread takes at least %" PRIu64 " back edges for each entry",
                      wcet->function->name, bound, place, loop->least);
  }
  loop->source = WB_BOUND_DEFAULT;
  loop->bound = loop->warp_bound = bound;
  loop->per_warp = true;
  return WARPBOUND_OK;
}

/* ---- facts that count runs, or back edges for each entry of a loop around ---- */

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

/* The outermost loop around `loop`, or itself, that begins in the scope; NONE: there is none. */
static uint32_t outermost_in(const struct wb_wcet *wcet, const struct wb_fact_scope *scope,
                             uint32_t loop)
{
  uint32_t outermost = NONE;
  for (; loop != NONE; loop = wcet->forest.loops[loop].parent) {
    const uint32_t first = wcet->graph->blocks[wcet->forest.loops[loop].header].first;
    outermost = first >= scope->first && first < scope->end ? loop : outermost;
  }
  return outermost;
}

/* run PLACE at most N, run PLACE never; found: by place, instructions. Of a function that is called
 * the fact is of one call: loops of its callers do not count. */
static warpbound_status check_runs(struct wb_wcet_analysis *analysis,
                                   const struct wb_fact_scope *scope,
                                   const struct wb_flow_fact *fact, const uint32_t *found,
                                   uint32_t block)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const uint32_t inner = wcet->forest.innermost[block];
  const bool related = fact->place_count > 1;
  const uint32_t outer = related         ? loop_with_header(wcet, inner, found[1])
                         : scope->called ? outermost_in(wcet, scope, inner)
                                         : NONE;
  uint32_t loop;
  bool all = true;
  if ((related || scope->called) && (outer == NONE || (!related && fact->number == 0)))
    return WARPBOUND_OK;
  const uint64_t least = least_runs(wcet, block, outer, &loop);
  if (fact->number >= least)
    return WARPBOUND_OK;
  if (!related && fact->number == 0) {
    /* "never" may be true of a loop that no thread comes to: it is refused where all do. */
    struct wb_arena *arena = &analysis->wcet->arena;
    bool *seen = wb_arena_array(arena, bool, wcet->graph->block_count);
    uint32_t *stack = wb_arena_array(arena, uint32_t, wcet->graph->block_count);
    if (arena->failed)
      return wb_out_of_memory(analysis->error);
    all = is_unavoidable(wcet, wcet->forest.loops[loop].header, seen, stack);
  }
  return all ? refuse(analysis, fact, found[0], loop, least) : WARPBOUND_OK;
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

/* Compares facts of a scope that count the runs of a block, or back edges for each entry of another
 * loop, with what the code shows at least. Errors: WARPBOUND_INVALID_INPUT, at the fact. */
static warpbound_status check_counts(struct wb_wcet_analysis *analysis,
                                     const struct wb_fact_scope *scope)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_warp_block *blocks = wcet->graph->blocks;
  const struct wb_kernel_facts *facts = scope->facts;
  warpbound_status status = WARPBOUND_OK;
  for (size_t f = 0; facts != NULL && f < facts->fact_count && status == WARPBOUND_OK; f++) {
    const struct wb_flow_fact *fact = &facts->facts[f];
    const uint32_t *found = &scope->found[fact->first_place];
    const bool runs = fact->kind == WB_FACT_RUNS;
    const bool related = fact->kind == WB_FACT_LOOP && fact->place_count > 1;
    for (uint32_t b = 0; b < wcet->graph->block_count && runs && status == WARPBOUND_OK; b++) {
      if (found[0] >= blocks[b].first && found[0] <= blocks[b].last)
        status = check_runs(analysis, scope, fact, found, b);
    }
    for (uint32_t l = 0; l < wcet->forest.loop_count && related && status == WARPBOUND_OK; l++) {
      if (blocks[wcet->forest.loops[l].header].first == found[0])
        status = check_related(analysis, fact, found, l);
    }
  }
  return status;
}

/* ---- the bound of each loop ---- */

/* The act by which a bound that nothing shows makes the result an estimate. */
static void note_default(struct wb_wcet_analysis *analysis, size_t index)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  const struct wb_instruction *header = wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  struct wb_text remedy = {0};
  char *place = wb_code_place(wcet->code, "loop", header->address, wb_wcet_loop_line(wcet, index));
  wb_text_format(&remedy, "give its bound with --flow-facts FILE (%s--template FILE writes it)%s%s",
                 analysis->options->no_template ? "wcet " : "", loop->hint != NULL ? "; " : "",
                 loop->hint != NULL ? loop->hint : "");
  if (place != NULL && !remedy.failed)
    wb_estimate_because(&wcet->estimate, "default-loop-bound", place, remedy.data,
                        "nothing bounds it but --default-loop-bound %" PRIu64,
                        analysis->options->default_bound);
  else
    wcet->estimate.failed = true;
  free(place);
  wb_text_free(&remedy);
}

static warpbound_status missing_bound(struct wb_wcet_analysis *analysis, size_t index,
                                      size_t missing)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  const struct wb_instruction *header = wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  char by_width[96] = "";
  char place[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  if (loop->width_bound != UINT64_MAX)
    snprintf(by_width, sizeof by_width,
             ", which only the width of a register bounds, to %" PRIu64 " back edges",
             loop->width_bound);
  return wb_fail_at(analysis->error, WARPBOUND_FACTS_MISSING, wcet->code->name, header->line,
                    header->column,
                    "%.120s: %zu loop%s without a bound, the first at %s%s%s%.250s%s: write the "
                    "facts that are missing to a file with %s--template FILE, "
                    "fill it in and give it with --flow-facts FILE, or take one bound for all of "
                    "them with --default-loop-bound N",
                    wcet->function->name, missing, missing == 1 ? " is" : "s are", place, by_width,
                    loop->hint != NULL ? " (" : "", loop->hint != NULL ? loop->hint : "",
                    loop->hint != NULL ? ")" : "", analysis->options->no_template ? "wcet " : "");
}

warpbound_status wb_wcet_bound_loops(struct wb_wcet_analysis *analysis)
{
  size_t missing = 0;
  size_t first = 0;
  warpbound_status status = WARPBOUND_OK;
  for (size_t l = 0; l < analysis->wcet->forest.loop_count && status == WARPBOUND_OK; l++) {
    const struct wb_loop_facts *facts = &analysis->wcet->facts.loops[l];
    status = take_fact(analysis, l, &facts->thread, false);
    if (status == WARPBOUND_OK)
      status = take_fact(analysis, l, &facts->warp, true);
    if (status == WARPBOUND_OK)
      status = take_comment(analysis, l);
  }
  const struct wb_wcet_options *options = analysis->options;
  const bool shown = !options->free_reactivations && !options->no_found_bounds;
  for (size_t s = 0; shown && s < analysis->scopes.count && status == WARPBOUND_OK; s++)
    status = check_counts(analysis, &analysis->scopes.items[s]);
  for (size_t l = analysis->wcet->forest.loop_count; l-- > 0 && status == WARPBOUND_OK;)
    status = take_spin(analysis, l);
  if (status == WARPBOUND_OK)
    status = wb_wcet_take_retries(analysis);
  for (size_t l = analysis->wcet->forest.loop_count; l-- > 0 && status == WARPBOUND_OK;) {
    struct wb_wcet_loop *loop = &analysis->wcet->loops[l];
    status = take_default(analysis, l);
    /* A bound by the width of a register counts where another bound is larger. */
    const enum wb_bound_source before = loop->source;
    if (status == WARPBOUND_OK && before != WB_BOUND_UNKNOWN && loop->width_bound != UINT64_MAX)
      status = wb_wcet_take_bound(analysis, loop, WB_BOUND_FOUND, loop->width_bound, false);
    if (status == WARPBOUND_OK && loop->source != before) {
      loop->reason = loop->width_reason;
      loop->width_reason = NULL;
    }
    if (loop->source == WB_BOUND_UNKNOWN) {
      missing++;
      first = l;
    }
  }
  if (status != WARPBOUND_OK)
    return status;
  for (size_t l = 0; l < analysis->wcet->forest.loop_count; l++) {
    if (analysis->wcet->loops[l].source == WB_BOUND_DEFAULT)
      note_default(analysis, l);
  }
  if (wb_is_estimate(&analysis->wcet->estimate))
    wb_list_add(&analysis->wcet->assumptions,
                "loops take their back edges at most %" PRIu64
                " times per entry (--default-loop-bound): not proven",
                analysis->options->default_bound);
  return missing > 0 ? missing_bound(analysis, first, missing) : WARPBOUND_OK;
}
