/* The worst case of a flow system: its most expensive execution, and the proof that none costs
 * more. Solvers only propose: counts and prices are checked in integers. */
#ifndef WB_IPET_SOLVE_IPET_SOLVE_H
#define WB_IPET_SOLVE_IPET_SOLVE_H

#include "base/status.h"
#include "base/work_control.h"
#include "ipet/solve/dual_proof.h"
#include "linear/linear_model.h"
#include "linear/relaxation.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* How the search for the worst case ended. */
enum wb_ipet_status {
  WB_IPET_SOLVED,     /* with a proof; and with an execution where `taken` is not NULL */
  WB_IPET_INFEASIBLE, /* no execution satisfies the limits: proven in integers */
  WB_IPET_UNBOUNDED,  /* no limit ends a cycle of the graph that costs something */
  WB_IPET_TOO_LONG,   /* no bound below 2^60 cycles was found */
  WB_IPET_STOPPED     /* by an interruption, without a proof */
};

/* Invariant: cycles <= proof.bound; where they are equal, that is the worst case of the system.
 * Owns all but the solver's name: wb_ipet_result_free. */
struct wb_ipet_result {
  enum wb_ipet_status status;
  struct wb_ipet_proof proof;
  int64_t *taken; /* by edge: a checked execution; NULL where none was found */
  int64_t *near;  /* by edge: about how often the proof's worst case takes it, of no execution; NULL
                     where `taken` was found first */
  int64_t cycles; /* that the execution costs */
  bool doubted;   /* a solver says that no whole counts satisfy the limits, which nothing proves */
  const char *solver; /* static, or the command */
  enum wb_stop stop;  /* why it ended early, if it did */
  double seconds;     /* that it took */
};

/* How much is done for an execution; the bound and its proof do not depend on it. */
enum wb_ipet_effort {
  WB_IPET_SEARCH, /* by the integer program, where counts near those of the relaxation are not the
                     worst; of large programs as far as a limit of nodes, of very large ones not */
  WB_IPET_ROUND,  /* whole counts near those of the relaxation */
  WB_IPET_BOUND   /* those of the relaxation where they are whole */
};

/* Zero-initialise. */
struct wb_ipet_options {
  enum wb_ipet_effort effort; /* for large programs: small ones are always searched */
  bool unproven; /* an execution is all that is wanted: no bound is proven, none is searched for */
  const char *command;           /* of a solver, which is always asked; NULL: CBC */
  struct wb_linear_basis *basis; /* of large systems that differ in their costs; NULL: none */
};

/* Solves the relaxation; then, as the options say, the integer program too, which the time limit
 * ends. model: of the system (wb_ipet_model_build). Errors: those of the solvers;
 * WARPBOUND_INTERNAL (memory). */
warpbound_status wb_ipet_solve(const struct wb_flow_system *system,
                               const struct wb_linear_model *model,
                               const struct wb_ipet_options *options,
                               const struct wb_control *control, struct wb_ipet_result *result,
                               warpbound_error *error);
/* By edge, about how often the worst case takes it: `taken`, else `near`; NULL: not known. */
const int64_t *wb_ipet_counts(const struct wb_ipet_result *result);
void wb_ipet_result_free(struct wb_ipet_result *result);

#endif
