/* Timed code whose requests come to the GPU's resources sooner. */
#ifndef WB_LAUNCH_TIMING_SHORTER_DELAYS_H
#define WB_LAUNCH_TIMING_SHORTER_DELAYS_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

#define WB_SHORTER_DELAYS_OF 16

/* A copy of the code in which delays before stages at resources of the GPU are shorter by
 * `sixteenths` / 16, rounded down; what translations and fetches take of them stays. Times are at
 * most what the code says, so a run of the copy is one of the code. sixteenths: up to
 * WB_SHORTER_DELAYS_OF. To be freed as the code is; false where memory is out. Linear. */
bool wb_timed_code_shorten_delays(const struct wb_timed_code *code, uint32_t sixteenths,
                                  struct wb_timed_code *copy);

#endif
