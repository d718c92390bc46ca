/* The loops of a function and their bounds, from the code, flow facts, comments and the default. */
#include "analysis/wcet/wcet_steps.h"

#include "base/memory.h"
#include "base/text.h"
#include "ipet/system/loop_edges.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

warpbound_status wb_wcet_find_loops(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  warpbound_status status = wb_ipet_loops(wcet->graph, analysis->options->free_reactivations,
                                          &wcet->forest, analysis->error);
  if (status != WARPBOUND_OK)
    return status;
  bool *body = wb_allocate(wcet->graph->block_count, sizeof *body);
  bool *headers = wb_allocate(wcet->graph->block_count, sizeof *headers);
  wcet->loops = wb_allocate(wcet->forest.loop_count, sizeof *wcet->loops);
  if (body == NULL || headers == NULL || wcet->loops == NULL)
    status = wb_out_of_memory(analysis->error);
  for (uint32_t l = 0; l < wcet->forest.loop_count && status == WARPBOUND_OK; l++) {
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
  free(body);
  free(headers);
  return status;
}

warpbound_status wb_wcet_resolve_facts(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_flow_facts *facts = analysis->options->facts;
  bool *balanced = wb_allocate(wcet->forest.loop_count, sizeof *balanced);
  if (balanced == NULL)
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
  const struct wb_kernel_facts *kernel =
      facts != NULL ? wb_flow_facts_find(facts, wcet->function->name) : NULL;
  warpbound_status status = wb_facts_resolve(&context, kernel, &wcet->facts, analysis->error);
  free(balanced);
  return status;
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
    wcet->loops[l].width_bound = wcet->loops[l].shown = UINT64_MAX;
  if (analysis->options->free_reactivations || analysis->options->no_found_bounds)
    return WARPBOUND_OK;
  struct wb_found_bound *found = wb_allocate(count, sizeof *found);
  if (found == NULL)
    return wb_out_of_memory(analysis->error);
  warpbound_status status = wb_loop_bounds_find(wcet->graph, &wcet->forest,
                                                analysis->options->launch, found, analysis->error);
  for (size_t l = 0; l < count && status == WARPBOUND_OK; l++) {
    struct wb_wcet_loop *loop = &wcet->loops[l];
    loop->least = found[l].least;
    loop->hint = found[l].hint;
    found[l].hint = NULL;
    if (found[l].found && found[l].by_width) {
      loop->width_bound = found[l].bound;
      loop->width_reason = found[l].reason;
      found[l].reason = NULL;
    } else if (found[l].found) {
      loop->shown = found[l].bound;
      status = wb_wcet_take_bound(analysis, loop, WB_BOUND_FOUND, found[l].bound, false);
    }
    if (loop->source == WB_BOUND_FOUND) {
      loop->reason = found[l].reason;
      found[l].reason = NULL;
    }
  }
  wb_found_bounds_free(found, count);
  return status;
}

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
                    "%.120s: %zu loop%s without a bound, the first at %s%s%s%.190s%s: write the "
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
  for (size_t l = 0; l < analysis->wcet->forest.loop_count && status == WARPBOUND_OK; l++)
    status = wb_wcet_take_claims(analysis, l);
  if (status == WARPBOUND_OK)
    status = wb_wcet_check_counts(analysis);
  for (size_t l = analysis->wcet->forest.loop_count; l-- > 0 && status == WARPBOUND_OK;) {
    struct wb_wcet_loop *loop = &analysis->wcet->loops[l];
    status = wb_wcet_take_default(analysis, l);
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
