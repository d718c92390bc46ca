/* From the rear and the crowd to the states of the potential, for the checker of potentials whose
 * rear is followed. */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_STATES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_STATES_H

#include "certificate/potential/leading_check.h"
#include "certificate/potential/potential_views.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* In place of a state: one that is not listed. */
#define WB_CHECK_TRAILING_NO_STATE (-1)

/* What the states listed are to each component: state s's are at s * component_count + j. view:
 * which the component is asked under; state offset: times weight_sum; before: the state offsets
 * under that view, less what a cycle has to gain. After the states listed comes the end, with state
 * offsets of 0. rows: for the rear warps but the own one, as a content, by the own warp's pool, the
 * number of a row; state: rows of one number for each of the crowd's states: which state of the
 * potential it and the rear are together; row 0 is that of the end. Zero-initialise. */
struct wb_check_trailing_states {
  const struct wb_check_trailing_values *values;
  struct wb_check_leading_warps *leading;
  const struct wb_check_potential_machine *machine;
  size_t state_count;
  size_t *view;
  int64_t *offset;
  int64_t *before;
  struct wb_check_potential_sums listed[WB_CHECK_POTENTIAL_POOLS];
  struct wb_check_potential_sums rows[WB_CHECK_POTENTIAL_POOLS];
  int32_t *state;
  size_t row_count;
  size_t state_capacity;
};

/* Errors: WARPBOUND_CHECK_FAILED where numbers are beyond WB_CHECK_TRAILING_NUMBER_LIMIT,
 * WARPBOUND_LIMIT, out of memory. The claim passed all checks but that of its bound. Borrows all
 * but the error. Free, after a failure too. */
warpbound_status wb_check_trailing_states_make(const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               const struct wb_check_potential_views *views,
                                               const struct wb_check_trailing_values *values,
                                               struct wb_check_leading_warps *leading,
                                               struct wb_check_trailing_states *states,
                                               warpbound_error *error);

/* The row of the rear that stands at position[0 .. count - 1], the own warp first. Made where it is
 * new, for which work is counted with the crowd's. Errors: WARPBOUND_LIMIT, out of memory. */
warpbound_status wb_check_trailing_states_row(struct wb_check_trailing_states *states,
                                              const size_t *position, size_t count, size_t *row,
                                              warpbound_error *error);

void wb_check_trailing_states_free(struct wb_check_trailing_states *states);

#endif
