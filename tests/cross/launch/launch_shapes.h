/* Which shapes a search over random tiny launches covers: how many launches of each were drawn, and
 * how many of these were searched. */
#ifndef TESTS_CROSS_LAUNCH_SHAPES_H
#define TESTS_CROSS_LAUNCH_SHAPES_H

#include "tiny_launch.h"

#include <stdbool.h>
#include <stdint.h>

/* A number greater than the last stands with it. */
#define SHAPE_VALUES 6u
enum { SHAPE_ROWS = 8 };

struct launch_shapes {
  uint64_t drawn[SHAPE_ROWS][SHAPE_VALUES], searched[SHAPE_ROWS][SHAPE_VALUES];
};

void launch_shapes_count(struct launch_shapes *shapes, const struct tiny_launch *launch,
                         bool searched);

/* A line for each property: of each number, "searched of drawn". */
void launch_shapes_print(const struct launch_shapes *shapes);

#endif
