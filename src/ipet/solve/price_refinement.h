/* Prices of a relaxation to more digits than the solver's floating point has: iterative refinement
 * (Gleixner, Steffy, Wolter, INFORMS Journal on Computing 28, 2016). */
#ifndef WB_IPET_SOLVE_PRICE_REFINEMENT_H
#define WB_IPET_SOLVE_PRICE_REFINEMENT_H

#include "base/arena.h"
#include "base/status.h"
#include "base/work_control.h"
#include "linear/linear_model.h"
#include "linear/relaxation.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known of the optimal prices, in units of 1 / scale: whole parts, of which each step makes
 * more, and what a solver adds to them. The system and the model (wb_ipet_model_build) are
 * borrowed, the rest lives in an arena. */
struct wb_price_refinement {
  const struct wb_flow_system *system;
  const struct wb_linear_model *model;
  int64_t *price;     /* by limit, at least 0 */
  int64_t *potential; /* by port: of its row in the model */
  double *rest;       /* of rows: ports, then limits */
  int64_t *gain;      /* scratch by edge: what it gains by the whole parts */
  int64_t *margin;    /* by edge: what it costs besides, in units */
  int64_t scale;
};

/* Begins with a solver's prices, by row. False where memory is out: arena->failed. */
bool wb_price_refinement_make(struct wb_arena *arena, const struct wb_flow_system *system,
                              const struct wb_linear_model *model, const double *prices,
                              struct wb_price_refinement *refinement);

/* Makes the units smaller, from one cycle to 1 / scale. False where a number does not fit. */
bool wb_price_refinement_scale(struct wb_price_refinement *refinement, int64_t scale);

/* Gives each edge a margin, once: what raising all prices by a unit can add to its gain. False
 * where a number does not fit. */
bool wb_price_refinement_add_margins(struct wb_price_refinement *refinement);

/* Moves the rests to the whole prices: of limits a whole number below, so that what is left has
 * more digits, or above (`up`). False where a number does not fit. */
bool wb_price_refinement_move(struct wb_price_refinement *refinement, bool up);

/* Asks the solver for the rests that are left: the prices of the same program with what the columns
 * gain by the whole prices as objective, computed in integers. They are at least 0, so that no
 * price falls. *refined: it had some. basis: where the program before ended, which is replaced.
 * Errors: those of wb_linear_relax. */
warpbound_status wb_price_refinement_solve(struct wb_price_refinement *refinement,
                                           struct wb_linear_basis *basis,
                                           const struct wb_control *control, bool *refined,
                                           warpbound_error *error);

#endif
