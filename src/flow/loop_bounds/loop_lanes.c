/* Recognises the loops; doc/loop-bounds.md, Lemma 10, says why they end. */
#include "flow/loop_bounds/loop_lanes.h"

#include "isa/lane_masks.h"

/* The next instruction of the block that does something; past its last: there is none. */
static uint32_t next_in(const struct wb_function *function, const struct wb_warp_block *block,
                        uint32_t index)
{
  while (index <= block->last && wb_instruction_only_yields(&function->instructions[index]))
    index++;
  return index;
}

/* Whether the block is: the mask of the lanes that run, the same once more, a comparison of both,
 * and a branch of lanes for which the second has no more than the first, or of all others. */
static bool compares_lanes(const struct wb_function *function, const struct wb_warp_block *block)
{
  const struct wb_instruction *all = function->instructions;
  uint16_t read[2];
  uint16_t compared[2];
  uint16_t predicate;
  uint32_t at = block->first;
  for (size_t m = 0; m < 2; m++) {
    at = next_in(function, block, at);
    if (at > block->last || !wb_instruction_reads_lanes(function, &all[at++], &read[m]))
      return false;
  }
  at = next_in(function, block, at);
  if (at > block->last ||
      !wb_instruction_compares_lanes(function, &all[at++], compared, &predicate) ||
      read[0] == read[1] || compared[0] != read[0] || compared[1] != read[1])
    return false;
  at = next_in(function, block, at);
  return at == block->last && all[at].transfer == WB_TRANSFER_BRANCH &&
         all[at].guard == predicate && !all[at].second_predicate && !all[at].conditional_code &&
         !all[at].together;
}

/* Whether the block does nothing but go to another one. */
static bool only_goes_on(const struct wb_function *function, const struct wb_warp_block *block)
{
  const uint32_t at = next_in(function, block, block->first);
  const struct wb_instruction *last = &function->instructions[block->last];
  return at > block->last || (at == block->last && last->transfer == WB_TRANSFER_BRANCH &&
                              last->guard == WB_NO_REGISTER && !last->second_predicate);
}

bool wb_loop_joins_lanes(const struct wb_thread_flow *flow, uint32_t header, const uint32_t *blocks,
                         size_t block_count)
{
  const struct wb_function *function = flow->graph->function;
  if (block_count > 2 || !compares_lanes(function, &flow->graph->blocks[header]))
    return false;
  for (size_t b = 0; b < block_count; b++) {
    if (blocks[b] != header && !only_goes_on(function, &flow->graph->blocks[blocks[b]]))
      return false;
  }
  /* Lanes to which no other one has come leave the loop: at the branch or past it. */
  const uint32_t last = flow->graph->blocks[header].last;
  const struct wb_instruction *branch = &function->instructions[last];
  for (size_t b = 0; b < block_count; b++) {
    const uint32_t first = flow->graph->blocks[blocks[b]].first;
    for (uint32_t t = 0; t < branch->target_count && branch->guard_negated; t++) {
      if (first == function->targets[branch->first_target + t])
        return false;
    }
    if (!branch->guard_negated && first == last + 1)
      return false;
  }
  return true;
}
