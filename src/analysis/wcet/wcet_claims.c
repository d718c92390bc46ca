/* What facts, comments and the default say of a loop, held against what its code shows and against
 * each other. */
#include "analysis/wcet/wcet_context.h"

#include <inttypes.h>
#include <stdio.h>

/* A bound that somebody declares for the entries of a loop. */
struct claim {
  const char *file; /* where it stands */
  size_t line;
  size_t column;
  enum wb_bound_source source;
  uint64_t bound;
  bool per_warp;
};

static warpbound_status refuse_claim(struct wb_wcet_analysis *analysis, size_t index,
                                     const struct claim *claim)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  char place[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, claim->file, claim->line,
                    claim->column,
                    "a bound of %" PRIu64 " back edges per %s for the loop of %.100s at %s: the "
                    "code shows that each thread takes %s%" PRIu64
                    " for each entry (one less than the runs of a body that is tested at its end)",
                    claim->bound, claim->per_warp ? "warp" : "thread", wcet->function->name, place,
                    loop->shown == loop->least ? "" : "at least ", loop->least);
}

/* States a bound that holds although the code alone shows more. */
static void state_claim(struct wb_wcet_analysis *analysis, size_t index, const struct claim *claim)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_wcet_loop *loop = &wcet->loops[index];
  uint64_t shown;
  char place[WB_WCET_PLACE_SIZE];
  if (loop->shown == UINT64_MAX ||
      !wb_warp_bound(loop->shown, !claim->per_warp, loop->balanced, WB_IPET_LANES, &shown) ||
      claim->bound >= shown)
    return;
  wb_wcet_write_loop(wcet, index, place);
  wb_list_add(&wcet->assumptions,
              "loop at %s: bound %" PRIu64 " per %s (%.150s:%zu) declared, below what the code "
              "shows (%" PRIu64 ")",
              place, claim->bound, claim->per_warp ? "warp" : "thread", claim->file, claim->line,
              shown);
}

static warpbound_status take_claim(struct wb_wcet_analysis *analysis, size_t index,
                                   const struct claim *claim)
{
  struct wb_wcet_loop *loop = &analysis->wcet->loops[index];
  const struct wb_wcet_loop before = *loop;
  if (claim->bound < loop->least)
    return refuse_claim(analysis, index, claim);
  const warpbound_status status =
      wb_wcet_take_bound(analysis, loop, claim->source, claim->bound, claim->per_warp);
  if (status != WARPBOUND_OK)
    return status;
  const bool least = before.source == WB_BOUND_UNKNOWN || loop->warp_bound < before.warp_bound;
  if (claim->source == WB_BOUND_FACT && least)
    loop->fact_line = (uint32_t)claim->line;
  if (least || loop->thread_bound < before.thread_bound)
    state_claim(analysis, index, claim);
  return WARPBOUND_OK;
}

/* ---- facts ---- */

static warpbound_status take_fact(struct wb_wcet_analysis *analysis, size_t index,
                                  const struct wb_loop_fact *fact, bool per_warp)
{
  if (fact->line == 0)
    return WARPBOUND_OK;
  const struct claim claim = {.file = analysis->options->facts->name,
                              .line = fact->line,
                              .column = fact->column,
                              .source = WB_BOUND_FACT,
                              .bound = fact->bound,
                              .per_warp = per_warp};
  return take_claim(analysis, index, &claim);
}

/* ---- comments ---- */

/* The source line that takes all back edges of a loop; NULL where there are several. */
static const struct wb_instruction *line_of_back_edges(const struct wb_wcet *wcet, size_t index)
{
  const struct wb_instruction *first = wb_wcet_loop_line(wcet, index);
  const struct wb_loop *loop = &wcet->forest.loops[index];
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    uint32_t from = wcet->graph->edges[wcet->forest.back_edges[loop->first_back_edge + i]].from;
    const struct wb_instruction *branch =
        &wcet->function->instructions[wcet->graph->blocks[from].last];
    if (branch->source_line != first->source_line || branch->source_file != first->source_file)
      return NULL;
  }
  return loop->irreducible ? NULL : first;
}

/* The bound beside the loop in its source, where one line takes all back edges of one loop; NULL
 * where there is none. *file: the source's name. */
static const struct wb_source_bound *find_comment(const struct wb_wcet_analysis *analysis,
                                                  size_t index, const char **file)
{
  const struct wb_instruction *line = line_of_back_edges(analysis->wcet, index);
  if (analysis->options->sources == NULL || line == NULL || line->source_file == 0)
    return NULL;
  *file = analysis->wcet->code->files[line->source_file - 1];
  return wb_source_bounds_find(&analysis->options->sources[line->source_file - 1],
                               line->source_line);
}

/* A comment may count the iterations of which a fact counts the back edges. */
static warpbound_status compare_with_fact(struct wb_wcet_analysis *analysis, size_t index,
                                          const struct claim *comment)
{
  const struct wb_loop_fact *fact = &analysis->wcet->facts.loops[index].thread;
  char place[WB_WCET_PLACE_SIZE];
  if (fact->line == 0 || fact->bound == comment->bound || fact->bound + 1 == comment->bound)
    return WARPBOUND_OK;
  wb_wcet_write_loop(analysis->wcet, index, place);
  return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, analysis->options->facts->name,
                    fact->line, fact->column,
                    "a bound of %" PRIu64 " back edges per thread for the loop of %.100s at %s: "
                    "the comment in %.150s:%zu says %" PRIu64 ": give one of them",
                    fact->bound, analysis->wcet->function->name, place, comment->file,
                    comment->line, comment->bound);
}

static warpbound_status take_comment(struct wb_wcet_analysis *analysis, size_t index)
{
  struct claim claim = {.source = WB_BOUND_COMMENT};
  const struct wb_source_bound *bound = find_comment(analysis, index, &claim.file);
  if (bound == NULL)
    return WARPBOUND_OK;
  claim.line = bound->at_line;
  claim.column = bound->at_column;
  claim.bound = bound->bound;
  wb_list_add(&analysis->wcet->assumptions,
              "a compiled loop takes no more back edges than the loop of the source whose line its "
              "back edges come from");
  const warpbound_status status = compare_with_fact(analysis, index, &claim);
  return status == WARPBOUND_OK ? take_claim(analysis, index, &claim) : status;
}

/* ---- all ---- */

warpbound_status wb_wcet_take_claims(struct wb_wcet_analysis *analysis, size_t index)
{
  const struct wb_loop_facts *facts = &analysis->wcet->facts.loops[index];
  warpbound_status status = take_fact(analysis, index, &facts->thread, false);
  if (status == WARPBOUND_OK)
    status = take_fact(analysis, index, &facts->warp, true);
  return status == WARPBOUND_OK ? take_comment(analysis, index) : status;
}

warpbound_status wb_wcet_take_default(struct wb_wcet_analysis *analysis, size_t index)
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
