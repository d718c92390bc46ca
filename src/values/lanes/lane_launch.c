/* What the launch says of lanes: special registers and constants. */
#include "isa/opcode.h"
#include "values/interval/launch_values.h"
#include "values/lanes/lane_walk.h"

/* Of a block. */
#define MOST_THREADS 1024
#define MOST_WARPS 32

/* As the launch says, or as the function requires of each; 0: not known. */
static uint32_t block_of(const struct wb_function *function, const struct wb_launch *launch,
                         unsigned axis)
{
  if (launch != NULL && launch->block[axis] > 0)
    return launch->block[axis];
  return function->required_block[axis];
}

/* The index along an axis of the thread of that number in its block: threads are numbered by x,
 * then y, then z. False where a size that it depends on is not known. */
static bool index_of(const struct wb_lane_walk *walk, unsigned axis, uint32_t thread,
                     uint32_t *index)
{
  for (unsigned a = 0; a < axis; a++) {
    const uint32_t size = block_of(walk->function, walk->launch, a);
    if (size == 0)
      return false;
    thread /= size;
  }
  const uint32_t size = block_of(walk->function, walk->launch, axis);
  *index = size > 0 ? thread % size : thread;
  return size > 0 || axis == 2;
}

/* Of a block; 0: not known; more than MOST_THREADS: no launch can have it. */
static uint64_t threads_of(const struct wb_function *function, const struct wb_launch *launch)
{
  uint64_t threads = 1;
  for (unsigned axis = 0; axis < 3; axis++) {
    const uint32_t size = block_of(function, launch, axis);
    threads *= size <= MOST_THREADS ? size : MOST_THREADS + 1;
  }
  return threads;
}

uint32_t wb_lane_launch_mask(const struct wb_function *function, const struct wb_launch *launch)
{
  const uint64_t threads = threads_of(function, launch);
  return threads == 0 || threads >= 32 ? UINT32_MAX : (UINT32_C(1) << threads) - 1;
}

/* The thread index along an axis: each warp's, joined. Where only x is known and a warp's lanes
 * stand in one row, each row begins with a warp. */
static uint32_t thread_index(const struct wb_lane_walk *walk, unsigned axis)
{
  const uint32_t width = block_of(walk->function, walk->launch, 0);
  const uint64_t threads = threads_of(walk->function, walk->launch);
  const uint64_t warps = threads == 0 ? MOST_WARPS : (threads + 31) / 32;
  uint32_t joined = WB_LANES_UNKNOWN;
  for (uint32_t w = 0; w < warps && warps <= MOST_WARPS; w++) {
    uint32_t numbers[WB_LANES];
    for (uint32_t l = 0; l < WB_LANES; l++)
      if (!index_of(walk, axis, 32 * w + l, &numbers[l]))
        return axis > 0 && width > 0 && width % 32 == 0 ? WB_LANES_UNIFORM : WB_LANES_UNKNOWN;
    const uint32_t value = wb_lanes_known(walk->values, numbers);
    joined = w == 0 ? value : wb_lanes_either(walk->values, joined, value);
  }
  return joined;
}

/* A number of the launch that all lanes have. */
static uint32_t uniform_value(const struct wb_lane_walk *walk, const struct wb_integer *value)
{
  struct wb_integer_end low;
  struct wb_integer_end high;
  wb_integer_ends(value, false, &low, &high);
  if (low.number == high.number && low.number >= 0)
    return wb_lanes_number(walk->values, (uint32_t)low.number);
  return high.number >= 0 && high.number <= UINT32_MAX
             ? wb_lanes_uniform_below(walk->values, (uint32_t)high.number)
             : WB_LANES_UNIFORM;
}

uint32_t wb_lane_constant(const struct wb_lane_walk *walk, unsigned bank, uint64_t offset)
{
  const struct wb_integer value =
      wb_launch_constant(walk->launch, walk->function, bank, (uint32_t)offset);
  return uniform_value(walk, &value);
}

uint32_t wb_lane_special(const struct wb_lane_walk *walk, unsigned special)
{
  uint32_t numbers[WB_LANES];
  switch (special) {
  case WB_SPECIAL_ZERO:
    return wb_lanes_number(walk->values, 0);
  case WB_SPECIAL_LANE:
    for (uint32_t l = 0; l < WB_LANES; l++)
      numbers[l] = l;
    return wb_lanes_known(walk->values, numbers);
  case WB_SPECIAL_THREAD_X:
  case WB_SPECIAL_THREAD_Y:
  case WB_SPECIAL_THREAD_Z:
    return thread_index(walk, special - WB_SPECIAL_THREAD_X);
  case WB_SPECIAL_OTHER:
    return WB_LANES_UNKNOWN;
  default: {
    const struct wb_integer value =
        wb_launch_special(walk->launch, walk->function, (enum wb_special_register)special);
    return uniform_value(walk, &value);
  }
  }
}
