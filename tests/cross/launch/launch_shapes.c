#include "launch_shapes.h"

#include "unit.h"

#include <inttypes.h>

static const char *const names[SHAPE_ROWS] = {
    "SMs",    "partitions", "blocks of an SM", "warps of a block",
    "blocks", "waves",      "paths",           "resources that requests use"};

static uint32_t request_resources(const struct tiny_launch *launch)
{
  uint32_t count = 0;
  for (size_t r = 0; r < launch->code.resource_count; r++)
    count += !launch->code.resources[r].at_issue;
  return count;
}

void launch_shapes_count(struct launch_shapes *shapes, const struct tiny_launch *launch,
                         bool searched)
{
  const struct wb_launch_shape *shape = &launch->shape;
  const uint64_t room = (uint64_t)shape->sms * shape->resident_blocks;
  const uint64_t values[SHAPE_ROWS] = {shape->sms,
                                       shape->partitions,
                                       shape->resident_blocks,
                                       shape->block_warps,
                                       shape->blocks,
                                       (shape->blocks + room - 1) / room,
                                       launch->path_count,
                                       request_resources(launch)};
  for (size_t k = 0; k < SHAPE_ROWS; k++) {
    const uint64_t value = values[k] < SHAPE_VALUES ? values[k] : SHAPE_VALUES - 1;
    shapes->drawn[k][value]++;
    shapes->searched[k][value] += searched;
  }
}

void launch_shapes_print(const struct launch_shapes *shapes)
{
  for (size_t k = 0; k < SHAPE_ROWS; k++) {
    print_message("#   %s:", names[k]);
    for (size_t v = 0; v < SHAPE_VALUES; v++) {
      if (shapes->drawn[k][v] > 0)
        print_message(" %zu: %" PRIu64 " of %" PRIu64 "%s", v, shapes->searched[k][v],
                      shapes->drawn[k][v], v + 1 < SHAPE_VALUES ? ";" : "");
    }
    print_message("\n");
  }
}
