/* The search for the shares with which the pieces of a potential answer for each other
 * (doc/potentials.md, "Pieces"). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_SHARES_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_SHARES_H

#include "base/status.h"
#include "makespan/potential/potential_pieces.h"

#include <stdbool.h>

/* Most shapes that one search asks for. */
#define WB_POTENTIAL_SHAPES 128

/* Asks what a shape is worth. *better: more than all shapes before, with the one that the
 * search began with. *go_on: whether the search is to. */
typedef warpbound_status wb_potential_attempt(void *context, const struct wb_potential_shape *shape,
                                              bool *better, bool *go_on, warpbound_error *error);

/* Looks for better shares than those of `begin`. First each piece answers for exactly one other
 * (all the ways round), then from the best shape so far parts of one piece's shares are moved, all
 * at once, then two, then one, while that pays, at last two in two pieces at once. No shape is
 * asked for twice. With fewer than three pieces there is nothing to choose. Errors: those of
 * `attempt`. */
warpbound_status wb_potential_improve_shares(const struct wb_potential_shape *begin,
                                             wb_potential_attempt *attempt, void *context,
                                             warpbound_error *error);

#endif
