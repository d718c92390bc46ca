/* A linear bound over all numbers of warps as a by-product: the best that a small effort finds. */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_LINE_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_LINE_H

#include "base/work_control.h"
#include "makespan/potential/potential_proof.h"

#include <stdbool.h>
#include <stdint.h>

/* The least number of warps that a problem may have for a line to be found for it. The problem has
 * to suit (wb_pools_suit). */
uint32_t wb_potential_line_warps(const struct wb_problem *problem);

/* Looks for a potential with a line, from the coarsest level on, until one proves `enough` cycles
 * for the problem's W. It is of use where it proves no more than the closed form for many warps.
 * Its effort is counted, is the same for every W, and takes some hundredths of a second.
 * *found: *proof is to be freed. Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_potential_find_line(const struct wb_problem *problem, uint64_t enough,
                                        const struct wb_control *control,
                                        struct wb_potential_proof *proof, bool *found,
                                        warpbound_error *error);

#endif
