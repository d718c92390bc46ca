/* A line over all numbers of warps as a by-product: the best that a small effort finds. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_LINE_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_LINE_H

#include "makespan/potential/potential.h"

#include <stdbool.h>
#include <stdint.h>

/* The fewest warps that a problem may have for a line to be found for it. The problem suits
 * (wb_pools_suit). */
uint32_t wb_potential_line_warps(const struct wb_problem *problem);

/* Looks for a potential with a line, from the coarsest on, that proves little for the problem's W,
 * and no more than the closed form for many warps; no longer once it proves `enough`. What it
 * spends is counted in work, is the same for every W, and comes to some hundredths of a second.
 * *found: *proof is to be freed. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_potential_find_line(const struct wb_problem *problem, uint64_t enough,
                                        const struct wb_control *control,
                                        struct wb_potential_proof *proof, bool *found,
                                        warpbound_error *error);

#endif
