/* Timed code whose data caches keep: which of its fetches are marked, and what is left of it where
 * all hit. */
#ifndef WB_LAUNCH_TIMING_TIMED_HITS_H
#define WB_LAUNCH_TIMING_TIMED_HITS_H

#include "flow/accesses/accesses.h"
#include "model/devices/device_timing.h"
#include "model/timed_code.h"

#include <stdbool.h>

/* Marks the fetches of data that L2 keeps: of each access that is kept the stage of the memory
 * behind L2. Takes a copy of the data. False where memory is out. */
bool wb_timed_code_keep(const struct wb_device_timing *device, const struct wb_accesses *accesses,
                        const struct wb_kept_data *kept, struct wb_timed_code *code);
/* Takes the marks back. */
void wb_timed_code_keep_none(struct wb_timed_code *code);
/* A copy with arrays of its own, but without reasons for an estimate; false where memory is out. */
bool wb_timed_code_copy(const struct wb_timed_code *code, struct wb_timed_code *copy);
/* The code where all kept data are in L2, or in first caches, hits take no time, and nothing is
 * fetched again and again: a run of it is one of the code. What is fetched once stays; translated:
 * each access finds its translation. To be freed as the code is; false where memory is out. */
bool wb_timed_code_of_hits(const struct wb_timed_code *code, bool translated,
                           struct wb_timed_code *hits);

#endif
