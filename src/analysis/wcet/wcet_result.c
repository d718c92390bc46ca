#include "analysis/wcet/wcet_result.h"

#include "base/memory.h"
#include "ipet/solve/euler_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest path that a message shows whole. */
#define LONGEST_PATH 60

const struct wb_instruction *wb_wcet_block_start(const struct wb_wcet *wcet, uint32_t block)
{
  return &wcet->function->instructions[wcet->graph->blocks[block].first];
}

const struct wb_instruction *wb_wcet_loop_line(const struct wb_wcet *wcet, size_t loop)
{
  const struct wb_loop *it = &wcet->forest.loops[loop];
  if (it->back_edge_count > 0) {
    uint32_t from = wcet->graph->edges[wcet->forest.back_edges[it->first_back_edge]].from;
    const struct wb_instruction *branch =
        &wcet->function->instructions[wcet->graph->blocks[from].last];
    if (branch->source_line > 0)
      return branch;
  }
  return wb_wcet_block_start(wcet, it->header);
}

void wb_wcet_write_loop(const struct wb_wcet *wcet, size_t index, char text[WB_WCET_PLACE_SIZE])
{
  const struct wb_instruction *first = wb_wcet_block_start(wcet, wcet->forest.loops[index].header);
  const struct wb_instruction *named = wb_wcet_loop_line(wcet, index);
  if (named->source_line > 0 && named->source_file > 0) {
    /* The end of a path, by whole names where that is enough. */
    const char *path = wcet->code->files[named->source_file - 1];
    while (strlen(path) > LONGEST_PATH && strchr(path, '/') != NULL)
      path = strchr(path, '/') + 1;
    snprintf(text, WB_WCET_PLACE_SIZE, "0x%04" PRIx32 ", %.100s:%" PRIu32, first->address, path,
             named->source_line);
  } else
    snprintf(text, WB_WCET_PLACE_SIZE, "0x%04" PRIx32, first->address);
}

warpbound_status wb_wcet_path(const struct wb_wcet *wcet, size_t longest, uint32_t **instructions,
                              size_t *count, warpbound_error *error)
{
  if (wcet->ipet.taken == NULL)
    return wb_fail(error, WARPBOUND_FACTS_MISSING, "%.120s: no worst path is known",
                   wcet->function->name);
  uint32_t *blocks;
  size_t block_count;
  warpbound_status status =
      wb_euler_walk(&wcet->system, wcet->ipet.taken, longest, &blocks, &block_count, error);
  if (status != WARPBOUND_OK)
    return status;
  size_t length = 0;
  for (size_t i = 0; i < block_count; i++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[blocks[i]];
    length += (size_t)(block->last - block->first) + 1;
  }
  if (length > longest)
    status = wb_fail(error, WARPBOUND_LIMIT, "the worst path has %zu instructions, above %zu",
                     length, longest);
  *instructions = status == WARPBOUND_OK ? wb_allocate(length, sizeof **instructions) : NULL;
  if (status == WARPBOUND_OK && *instructions == NULL)
    status = wb_out_of_memory(error);
  *count = 0;
  for (size_t i = 0; status == WARPBOUND_OK && i < block_count; i++) {
    const struct wb_warp_block *block = &wcet->graph->blocks[blocks[i]];
    for (uint32_t n = block->first; n <= block->last; n++)
      (*instructions)[(*count)++] = n;
  }
  free(blocks);
  return status;
}

warpbound_kind wb_wcet_bound_kind(const struct wb_wcet *wcet)
{
  return wb_is_estimate(&wcet->estimate) ? WARPBOUND_ESTIMATE : WARPBOUND_UPPER;
}

void wb_wcet_free(struct wb_wcet *wcet)
{
  for (size_t l = 0; wcet->loops != NULL && l < wcet->forest.loop_count; l++) {
    free(wcet->loops[l].reason);
    free(wcet->loops[l].width_reason);
    free(wcet->loops[l].hint);
  }
  free(wcet->loops);
  free(wcet->cycles);
  free(wcet->block_cycles);
  free(wcet->runs);
  free(wcet->instruction_runs);
  wb_resolved_facts_free(&wcet->facts);
  wb_flow_system_free(&wcet->system);
  wb_ipet_result_free(&wcet->ipet);
  wb_list_free(&wcet->assumptions);
  wb_estimate_free(&wcet->estimate);
  wb_loop_forest_free(&wcet->forest);
  wb_control_flow_free(&wcet->flow);
  *wcet = (struct wb_wcet){0};
}
