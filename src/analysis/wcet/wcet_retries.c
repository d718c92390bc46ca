/* Loops that try a compare-and-swap until it succeeds: the writes of the launch bound them. */
#include "analysis/wcet/wcet_steps.h"

#include "base/memory.h"
#include "base/text.h"
#include "flow/retries/retry_loops.h"

#include <inttypes.h>
#include <stdlib.h>

/* What bounds rest on that the code of the kernel does not show. passes: also the counts of writes
 * of loops of which another bound is less. */
static void state_assumptions(struct wb_wcet *wcet, bool passes)
{
  wb_list_add(&wcet->assumptions,
              "while the launch runs nothing else writes to words that its loops compare and swap: "
              "no other launch, no processor, no other device");
  if (passes)
    wb_list_add(&wcet->assumptions,
                "ATOMS.CAST.SPIN gives 1 where the word was as compared, but for lanes of its warp "
                "beside which another lane of that warp tried a word of the same bank");
}

/* How often the warp runs the swap, of all entries together: in each run some lane fails, or lanes
 * succeed that leave the loop. Each lane fails as often as threads write, and once for each entry
 * where it compares an older value; it succeeds once for each entry. False where that does not
 * fit. */
static bool limit_runs(struct wb_wcet *wcet, uint32_t loop, const struct wb_retry_bound *retry)
{
  struct wb_ipet_fact *fact = &wcet->shown[wcet->shown_count];
  fact->terms = wb_arena_array(&wcet->arena, struct wb_ipet_term, 1);
  fact->per = wb_arena_array(&wcet->arena, uint32_t, 1);
  if (retry->writes > INT64_MAX / WB_IPET_LANES || fact->terms == NULL || fact->per == NULL)
    return false;
  fact->terms[fact->term_count++] = (struct wb_ipet_term){.block = retry->loop.block, .factor = 1};
  fact->per[fact->per_count++] = loop;
  fact->constant = (int64_t)retry->writes * WB_IPET_LANES;
  fact->per_factor = WB_IPET_LANES * (retry->loop.reloads ? 1 : 2);
  wcet->shown_count++;
  return true;
}

/* How often the warp runs the swaps of all such loops: each run has a lane, which all their entries
 * together bound. It has no other terms: it holds of any part of a path too. */
static warpbound_status limit_sum(struct wb_wcet_analysis *analysis,
                                  const struct wb_retry_bound *retries,
                                  const struct wb_retry_sum *sum)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_ipet_fact *fact = &wcet->shown[wcet->shown_count];
  if (!sum->found || sum->runs > INT64_MAX / WB_IPET_LANES)
    return WARPBOUND_OK;
  fact->terms = wb_arena_array(&wcet->arena, struct wb_ipet_term, wcet->forest.loop_count);
  if (fact->terms == NULL)
    return wb_out_of_memory(analysis->error);
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    if (retries[l].found)
      fact->terms[fact->term_count++] =
          (struct wb_ipet_term){.block = retries[l].loop.block, .factor = 1};
  }
  fact->constant = (int64_t)sum->runs * WB_IPET_LANES;
  wcet->shown_count++;
  return WARPBOUND_OK;
}

static warpbound_status take_retry(struct wb_wcet_analysis *analysis, uint32_t index,
                                   const struct wb_retry_bound *retry, bool passes)
{
  struct wb_wcet *wcet = analysis->wcet;
  struct wb_wcet_loop *loop = &wcet->loops[index];
  const uint64_t before = loop->source == WB_BOUND_UNKNOWN ? UINT64_MAX : loop->warp_bound;
  struct wb_text reason = {0};
  uint64_t bound;
  if (!wb_warp_bound(retry->bound, false, loop->balanced, WB_IPET_LANES, &bound) ||
      bound > INT64_MAX || bound >= before || !limit_runs(wcet, index, retry))
    return wcet->arena.failed ? wb_out_of_memory(analysis->error) : WARPBOUND_OK;
  const warpbound_status status =
      wb_wcet_take_bound(analysis, loop, WB_BOUND_FOUND, retry->bound, false);
  if (status != WARPBOUND_OK)
    return status;
  const struct wb_instruction *swap = &wcet->function->instructions[retry->loop.swap];
  wb_text_format(&reason,
                 "%.60s at 0x%04" PRIx32
                 " fails only where something was written meanwhile: at most "
                 "%" PRIu64 " writes of %" PRIu64 " threads of the %s (--spin-bound N may be less)",
                 swap->opcode, swap->address, retry->writes, retry->threads,
                 retry->of_block ? "block" : "launch");
  loop->reason = wb_text_take(&reason);
  loop->retries = true;
  loop->swap = retry->loop.swap;
  state_assumptions(wcet, passes);
  return loop->reason != NULL ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
}

/* Where the launch's sizes are what the bound lacks, the loop's hint says so. */
static warpbound_status tell_sizes(struct wb_wcet_analysis *analysis, uint32_t index)
{
  const struct wb_launch *launch = &analysis->launch;
  struct wb_wcet_loop *loop = &analysis->wcet->loops[index];
  struct wb_text hint = {0};
  if (loop->source != WB_BOUND_UNKNOWN || (launch->block[0] != 0 && launch->grid[0] != 0))
    return WARPBOUND_OK;
  if (loop->hint != NULL)
    wb_text_format(&hint, "%s; ", loop->hint);
  wb_text_format(&hint, "with %s%s%s what the launch writes may bound it",
                 launch->grid[0] == 0 ? "--grid" : "",
                 launch->grid[0] == 0 && launch->block[0] == 0 ? " and " : "",
                 launch->block[0] == 0 ? "--block" : "");
  free(loop->hint);
  loop->hint = wb_text_take(&hint);
  return loop->hint != NULL ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
}

warpbound_status wb_wcet_take_retries(struct wb_wcet_analysis *analysis)
{
  struct wb_wcet *wcet = analysis->wcet;
  const size_t count = wcet->forest.loop_count;
  const struct wb_wcet_options *options = analysis->options;
  if (options->free_reactivations || options->no_found_bounds || analysis->launch.slice != NULL)
    return WARPBOUND_OK;
  uint64_t *bounds = wb_allocate(count, sizeof *bounds);
  struct wb_retry_bound *retries = wb_allocate(count, sizeof *retries);
  struct wb_retry_sum sum = {.found = false};
  warpbound_status status =
      bounds != NULL && retries != NULL ? WARPBOUND_OK : wb_out_of_memory(analysis->error);
  for (size_t l = 0; l < count && status == WARPBOUND_OK; l++)
    bounds[l] = wcet->loops[l].thread_bound;
  if (status == WARPBOUND_OK)
    status = wb_retry_bounds_find(wcet->graph, &wcet->forest, &analysis->launch, bounds, retries,
                                  &sum, analysis->error);
  bool passes = false;
  for (size_t l = 0; l < count && status == WARPBOUND_OK; l++)
    passes = passes || (retries[l].loop.found && retries[l].loop.may_pass);
  for (uint32_t l = 0; l < count && status == WARPBOUND_OK; l++) {
    if (retries[l].found)
      status = take_retry(analysis, l, &retries[l], passes);
    else if (retries[l].loop.found)
      status = tell_sizes(analysis, l);
  }
  bool taken = false;
  for (size_t l = 0; l < count; l++)
    taken = taken || wcet->loops[l].retries;
  if (status == WARPBOUND_OK && taken)
    status = limit_sum(analysis, retries, &sum);
  free(retries);
  free(bounds);
  return status;
}
