/* The abstract states that a claim of a potential lists, with their offsets. */
#ifndef WB_CERTIFICATE_POTENTIAL_POTENTIAL_STATES_H
#define WB_CERTIFICATE_POTENTIAL_POTENTIAL_STATES_H

#include "base/status.h"
#include "base/text.h"
#include "certificate/potential/content_map.h"
#include "certificate/potential/potential_machine.h"

#include <stddef.h>
#include <stdint.h>

/* Invariant: the maps of all components have the same contents. Zero-initialise. */
struct wb_check_potential_states {
  /* Borrowed. */
  const struct wb_check_potential_machine *machine;
  /* Components; 1 where the claim has none. */
  size_t component_count;
  /* By component and pool of the own warp: the offsets of the states. */
  struct wb_check_content_map offsets[WB_CHECK_POTENTIAL_POOLS][WB_CHECK_POTENTIAL_POOLS];
};

/* Takes the states of a claim. Errors: WARPBOUND_CHECK_FAILED where one is not a state of the
 * machine or stands there twice, WARPBOUND_LIMIT, WARPBOUND_INTERNAL. Free, after a failure too.
 * Linear in the states. */
warpbound_status wb_check_potential_states_make(const struct wb_check_potential_claim *claim,
                                                const struct wb_check_potential_machine *machine,
                                                size_t component_count,
                                                struct wb_check_potential_states *states,
                                                warpbound_error *error);

/* The offset in a component of the state with the own warp in pool `own`, as an entry; NULL where
 * the state is not listed. */
const struct wb_check_content_value *
wb_check_potential_states_find(const struct wb_check_potential_states *states, size_t component,
                               size_t own, const struct wb_check_content *content);

void wb_check_potential_states_free(struct wb_check_potential_states *states);

/* The other warps of a listed state. */
struct wb_check_content
wb_check_potential_state_content(const struct wb_check_potential_machine *machine,
                                 const struct wb_check_potential_state *state);

/* The content of so many other warps that stand before the first run. */
struct wb_check_content
wb_check_potential_start_content(const struct wb_check_potential_machine *machine, uint64_t others);

/* Instructions that these need to the end of that run, not cut off; UINT64_MAX for more than fit.
 */
uint64_t wb_check_potential_start_work(const struct wb_check_potential_machine *machine,
                                       uint64_t others);

/* Writes a state for messages: "(own C; L: 1, work 3; C: 2 or more)", or "the end" where `own` is
 * the number of pools. */
void wb_check_potential_state_write(const struct wb_check_potential_machine *machine, size_t own,
                                    const struct wb_check_content *content, struct wb_text *text);

#endif
