/* From the trailing and the leading warps to the states of the potential, for the checker of
 * potentials that follows the trailing warps. */
#ifndef WB_CERTIFICATE_POTENTIAL_TRAILING_STATES_H
#define WB_CERTIFICATE_POTENTIAL_TRAILING_STATES_H

#include "base/status.h"
#include "certificate/potential/leading_warps.h"
#include "certificate/potential/potential_views.h"
#include "certificate/potential/trailing_values.h"

#include <stddef.h>
#include <stdint.h>

/* In place of a state: one that is not listed. */
#define WB_CHECK_TRAILING_NO_STATE (-1)

/* The states of the potential, numbered as the claim lists them; the end has the number after them
 * and offsets of 0. Numbers of state s in component j are at s * component_count + j.
 * Zero-initialise. */
struct wb_check_trailing_states {
  /* Borrowed. */
  const struct wb_check_trailing_values *values;
  struct wb_check_leading_warps *leading;
  const struct wb_check_potential_machine *machine;
  /* States listed, the end not counted. */
  size_t state_count;
  /* By state and component: the component's view. */
  size_t *view;
  /* By state and component: the offset, times the values' scale. */
  int64_t *offset;
  /* By state and component: the offsets under that view, less the gain of a cycle. */
  int64_t *before;
  /* By the own warp's pool: the number of the state with a content. */
  struct wb_check_content_map listed[WB_CHECK_POTENTIAL_POOLS];
  /* By the own warp's pool: the number of the row of a content of the other trailing warps. */
  struct wb_check_content_map rows[WB_CHECK_POTENTIAL_POOLS];
  /* By row and state of the leading warps: the number of the state of the potential that these and
   * the trailing warps are together, or WB_CHECK_TRAILING_NO_STATE. Row 0 is that of trailing warps
   * that have all ended. */
  int32_t *state;
  size_t row_count;
  size_t state_capacity;
};

/* Numbers the states. The claim passed all checks but that of its bound. Borrows all but the error.
 * Errors: WARPBOUND_CHECK_FAILED where numbers are beyond WB_CHECK_TRAILING_NUMBER_LIMIT,
 * WARPBOUND_LIMIT, WARPBOUND_INTERNAL. Free, after a failure too. */
warpbound_status wb_check_trailing_states_make(const struct wb_check_potential_claim *claim,
                                               const struct wb_check_potential_machine *machine,
                                               const struct wb_check_potential_views *views,
                                               const struct wb_check_trailing_values *values,
                                               struct wb_check_leading_warps *leading,
                                               struct wb_check_trailing_states *states,
                                               warpbound_error *error);

/* The row of trailing warps at position[0 .. count - 1], the own one first. Made where it is new,
 * for which work is counted with the leading warps'. Errors: WARPBOUND_LIMIT, WARPBOUND_INTERNAL.
 */
warpbound_status wb_check_trailing_states_row(struct wb_check_trailing_states *states,
                                              const size_t *position, size_t count, size_t *row,
                                              warpbound_error *error);

void wb_check_trailing_states_free(struct wb_check_trailing_states *states);

#endif
