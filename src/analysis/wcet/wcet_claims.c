/* What facts, comments and the default say of a loop, held against what its code shows and against
 * each other. */
#include "analysis/wcet/wcet_steps.h"

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

/* Takes a declared bound, and states one that holds although the code alone shows more. */
static warpbound_status take_claim(struct wb_wcet_analysis *analysis, size_t index,
                                   const struct claim *claim)
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

/* The bound beside the loop in its source, where one line takes all back edges of one loop; NULL
 * where there is none. *file: the source's name. */
static const struct wb_source_bound *find_comment(const struct wb_wcet_analysis *analysis,
                                                  size_t index, const char **file)
{
  const struct wb_wcet *wcet = analysis->wcet;
  const struct wb_instruction *line = wb_wcet_loop_line(wcet, index);
  const struct wb_loop *loop = &wcet->forest.loops[index];
  if (analysis->options->sources == NULL || loop->irreducible || line->source_file == 0)
    return NULL;
  for (size_t i = 0; i < loop->back_edge_count; i++) {
    const uint32_t edge = wcet->forest.back_edges[loop->first_back_edge + i];
    const uint32_t last = wcet->graph->blocks[wcet->graph->edges[edge].from].last;
    const struct wb_instruction *branch = &wcet->function->instructions[last];
    if (branch->source_line != line->source_line || branch->source_file != line->source_file)
      return NULL;
  }
  *file = wcet->code->files[line->source_file - 1];
  return wb_source_bounds_find(&analysis->options->sources[line->source_file - 1],
                               line->source_line);
}

static warpbound_status take_comment(struct wb_wcet_analysis *analysis, size_t index)
{
  struct wb_wcet *wcet = analysis->wcet;
  const struct wb_loop_fact *fact = &wcet->facts.loops[index].thread;
  const char *file;
  const struct wb_source_bound *bound = find_comment(analysis, index, &file);
  if (bound == NULL)
    return WARPBOUND_OK;
  const struct claim claim = {.file = file,
                              .line = bound->at_line,
                              .column = bound->at_column,
                              .source = WB_BOUND_COMMENT,
                              .bound = bound->bound};
  wb_list_add(&wcet->assumptions,
              "a compiled loop takes no more back edges than the loop of the source whose line its "
              "back edges come from");
  /* A comment may count the iterations of which a fact counts the back edges. */
  if (fact->line == 0 || fact->bound == claim.bound || fact->bound + 1 == claim.bound)
    return take_claim(analysis, index, &claim);
  char place[WB_WCET_PLACE_SIZE];
  wb_wcet_write_loop(wcet, index, place);
  return wb_fail_at(analysis->error, WARPBOUND_INVALID_INPUT, analysis->options->facts->name,
                    fact->line, fact->column,
                    "a bound of %" PRIu64 " back edges per thread for the loop of %.100s at %s: "
                    "the comment in %.150s:%zu says %" PRIu64 ": give one of them",
                    fact->bound, wcet->function->name, place, claim.file, claim.line, claim.bound);
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
