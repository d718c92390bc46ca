/* What a launch fetches where nothing of it is in caches when it begins
 * (doc/launches/cold-starts.md).
 */
#include "analysis/launch/launch_steps.h"

#include "base/checked.h"
#include "base/list.h"
#include "launch/timing/timing_code.h"

#include <inttypes.h>

/* The most blocks that a slot's chain and the last one pass, where so many may reside on an SM. */
static uint64_t blocks_on_chains(const struct wb_launch_shape *shape, uint64_t resident)
{
  const bool one_wave = wb_divide_up(shape->blocks, shape->sms) <= resident;
  return one_wave ? 1 : wb_divide_up((shape->blocks - 1) / shape->sms, resident) + 1;
}

/* The most accesses of declared buffers that a block's chain makes; UINT64_MAX where one is in a
 * loop. */
static uint64_t accesses_of_chain(const struct wb_launch_analysis *analysis)
{
  const struct wb_warp_graph *graph = analysis->paths.wcet.graph;
  uint64_t count = 0;
  for (uint32_t b = 0; b < graph->block_count; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++) {
      const struct wb_access *access = wb_accesses_at(&analysis->accesses, i);
      if (access == NULL || access->buffer == 0)
        continue;
      if (analysis->paths.wcet.forest.innermost[b] != UINT32_MAX)
        return UINT64_MAX;
      count++;
    }
  }
  return count;
}

/* Pages of the buffers that are accessed: each may begin anywhere in one. Where the chains of all
 * blocks on the way make fewer accesses, they wait for a page at each of these. */
static void find_pages(const struct wb_launch_analysis *analysis, uint64_t page,
                       struct wb_cold_question *question)
{
  const struct wb_launch_shape *shape = &analysis->shape;
  const struct wb_residencies *residencies = &analysis->residencies;
  uint64_t resident = UINT64_MAX;
  question->declared = analysis->launch.buffer_count > 0 && analysis->buffers.why_outside == NULL;
  for (size_t b = 0; b < analysis->launch.buffer_count; b++) {
    const struct wb_buffer_use use = wb_launch_buffer_use(analysis, b);
    if (use.accesses > 0)
      question->pages += wb_divide_up(analysis->launch.buffers[b].bytes - 1, page) + 1;
  }
  for (size_t r = 0; r < residencies->count; r++)
    resident = wb_minimum(resident, residencies->items[r].occupancy.resident_blocks);
  question->by_access =
      resident > 0 &&
      wb_times(accesses_of_chain(analysis), blocks_on_chains(shape, resident)) < question->pages;
}

warpbound_status wb_launch_cold_add(const struct wb_launch_analysis *analysis,
                                    const struct wb_device_timing *device,
                                    struct wb_timed_code *code, struct wb_cold_start *found,
                                    warpbound_error *error)
{
  const struct wb_path_system *system = &analysis->paths.system;
  struct wb_cold_question question = {.device = device,
                                      .function = analysis->function,
                                      .accesses = &analysis->accesses,
                                      .first = system->first,
                                      .last = system->last,
                                      .interleaved = analysis->interleaved,
                                      .common = analysis->common,
                                      .node_count = system->flow.node_count};
  if (!device->has_caches)
    return WARPBOUND_OK;
  question.warm = !analysis->cold;
  const uint64_t page = wb_device_number(device, device->caches.page);
  find_pages(analysis, page, &question);
  return wb_cold_start_add(&question, code, found, error);
}

static void state_code(const struct wb_launch_analysis *analysis, struct wb_list *list)
{
  const struct wb_cold_start *found = &analysis->cold_start;
  if (found->kept)
    wb_list_add(
        list,
        "kept code: what an SM has fetched of the code and constants of the launch, %" PRIu64
        " lines and %" PRIu64 ", stays in its caches until the end of the launch%s%s%s",
        found->code_lines, found->constant_lines,
        found->near_code || found->near_constants ? ", and in those of its partitions " : "",
        found->near_code && found->near_constants ? "too"
        : found->near_code                        ? "the code"
        : found->near_constants                   ? "the constants"
                                                  : "",
        found->unknown_constants ? "; constants whose places a register names are fetched each time"
                                 : "");
  wb_list_add(list,
              "fetched lines: no other lines of code and constants are fetched than those that "
              "instructions are in and name%s",
              analysis->function->wide ? "; each function begins at a line" : "");
}

static void state_pages(const struct wb_launch_analysis *analysis, struct wb_list *list)
{
  const struct wb_cold_start *found = &analysis->cold_start;
  if (found->pages_kept)
    wb_list_add(list,
                "kept translations: a translation of one of the %" PRIu64
                " pages of the launch stays in the last of its caches until the end of the launch, "
                "and what an access waits for nearer ones that lack it is in the device's delays",
                found->pages);
  else
    wb_list_add(list,
                "translations: each access beyond an SM may wait for a translation once; "
                "translations do not wait for each other, and hold no place in L2 and the memory "
                "that others need%s",
                analysis->buffers.why_outside == NULL && analysis->launch.buffer_count > 0
                    ? ""
                    : " (--buffer declares what is accessed)");
}

void wb_launch_start_state(const struct wb_launch_job *job, struct wb_list *list)
{
  const struct wb_launch_analysis *analysis = job->analysis;
  if (analysis->cold) {
    state_code(analysis, list);
    state_pages(analysis, list);
    wb_list_add(list, "no page faults: all pages are in the memory of the device");
    return;
  }
  if (job->question->options->warm_start)
    wb_list_add(list,
                "warm start (--start warm): caches of instructions, constants and translation "
                "are warm, and no access misses in them");
  bool reads_constants = false;
  for (uint32_t i = 0; i < analysis->function->instruction_count && !reads_constants; i++)
    reads_constants = wb_has_constant_operand(analysis->function, i);
  const bool loads = analysis->cold_start.kept_loads;
  wb_list_add(list, "warm instruction cache: instructions are in the cache when they are to issue; "
                    "misses, also the first ones, are not in the model");
  if (reads_constants || loads)
    wb_list_add(list,
                "warm constant cache: operands in constant memory%s are in the cache; misses, also "
                "the first ones, are not in the model",
                loads ? ", and constants whose places loads name," : "");
  wb_list_add(list,
              "translated addresses: no translation of an address misses (TLB), and there are "
              "no page faults");
}
