/* What a launch has to fetch because nothing of it is in caches of instructions, constants and
 * translations when it begins (doc/launches/cold-starts.md). */
#ifndef WB_LAUNCH_TIMING_COLD_START_H
#define WB_LAUNCH_TIMING_COLD_START_H

#include "base/status.h"
#include "launch/timing/cold_question.h"
#include "model/timed_code.h"

#include <stdint.h>

/* Adds to the code of the device what the launch fetches once, and to instructions and stages what
 * is fetched again and again because nothing keeps it; takes off the way beyond the SM of loads of
 * constants that are kept. Of a warm start the last alone. Errors: WARPBOUND_INVALID_INPUT where a
 * number is out of range, WARPBOUND_INTERNAL (memory). Linear, but for a sort. */
warpbound_status wb_cold_start_add(const struct wb_cold_question *question,
                                   struct wb_timed_code *code, struct wb_cold_start *found,
                                   warpbound_error *error);

/* The steps of a chain that follows a fetch whose requests count as work elsewhere, the last one of
 * each stage: its delay, and the service but for its share of the servers. Of a fetch whose numbers
 * are in range it fits. */
uint64_t wb_cold_fetch_steps(const struct wb_timed_code *code, const struct wb_cold_fetch *fetch);

#endif
