/* Data that the first cache of each SM keeps (doc/launches/first-cache.md): from timed code in
 * which each load goes on to L2 and memory to one in which loads go there only to fetch them. */
#ifndef WB_LAUNCH_TIMING_FIRST_DATA_H
#define WB_LAUNCH_TIMING_FIRST_DATA_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

enum wb_first_outcome {
  WB_FIRST_DONE,
  WB_FIRST_UNLIKE, /* loads of the data go different ways, or what follows them is not known */
  WB_FIRST_NO_MEMORY
};

/* Makes *kept a copy of the code in which the loads of data end at the first cache, and in which
 * each SM fetches each sector of these once. data: with how each buffer is paid. buffer: by
 * instruction the number of the buffer among the data that it loads from by way of the first cache,
 * from 1; 0: none. beyond: by resource: it lies behind the first cache; an instruction's stages
 * there are the way of a fetch, and follow each other.
 * Anything but WB_FIRST_DONE: nothing to free. */
enum wb_first_outcome wb_first_data_keep(const struct wb_timed_code *code,
                                         const struct wb_first_data *data, const uint8_t *buffer,
                                         const bool beyond[WB_RESOURCE_LIMIT],
                                         struct wb_timed_code *kept);

#endif
