#include "cfg/reconvergence_barriers/block_size.h"

#define WARP 32

static bool is_given(const uint32_t size[3])
{
  return size[0] > 0 && size[1] > 0 && size[2] > 0;
}

/* Threads of a warp are neighbours in the block's numbering by x, y and z: only the last warp may
 * lack lanes, by the product alone. */
static bool is_of_whole_warps(const uint32_t size[3])
{
  return (size[0] % WARP) * (size[1] % WARP) % WARP * (size[2] % WARP) % WARP == 0;
}

bool wb_block_size_known(const struct wb_simt_analysis *analysis)
{
  return is_given(analysis->options.block) || is_given(analysis->function->required_block);
}

bool wb_block_size_is_of_whole_warps(const struct wb_simt_analysis *analysis)
{
  const uint32_t *block = analysis->options.block;
  const uint32_t *required = analysis->function->required_block;
  return wb_block_size_known(analysis) && (!is_given(block) || is_of_whole_warps(block)) &&
         (!is_given(required) || is_of_whole_warps(required));
}
