/* The worst case of a flow system: its most expensive execution, and the proof that there is
 * none more expensive. Solvers only propose: counts and prices are checked in integers. */
#ifndef WB_IPET_SOLVE_H
#define WB_IPET_SOLVE_H

#include "base/control.h"
#include "base/status.h"
#include "linear/model.h"
#include "model/flow_system.h"

#include <stdbool.h>
#include <stdint.h>

/* What names the columns and rows of the written model: by edge and by limit, borrowed;
 * valid as names of a linear model and unique. */
struct wb_ipet_names {
  const char *const *nodes;
  const char *const *edges;
  const char *const *limits;
};

/* Whether every number of the system is one that the integer program, whose numbers are doubles,
 * holds exactly. Prices and counts are checked whether or not, but what is written to a file is
 * then another program. */
bool wb_ipet_model_exact(const struct wb_flow_system *system);

/* The system as an integer program: one column an edge (how often it is taken) and one for
 * each node that may end the execution, a row of conservation for each node, a row for each
 * limit; the objective is the cycles of all nodes, without the constant cost of the start.
 * Row v < node_count is that of node v, then come the limits.
 * Errors: WARPBOUND_INTERNAL. The caller frees the model. */
warpbound_status wb_ipet_model_build(const struct wb_flow_system *system,
                                     const struct wb_ipet_names *names,
                                     struct wb_linear_model *model, warpbound_error *error);

/* Prices of the limits and potentials of the nodes: see wb_check_flow_bound. coarse: they are not
 * the relaxation's but raised from there, or from nothing, until they proved a bound. */
struct wb_ipet_proof {
  int64_t *price;
  int64_t *potential;
  int64_t scale;
  int64_t bound; /* cycles: no execution costs more */
  bool coarse;
};

/* Turns the prices of the relaxation (by limit; NULL: none are known) into a proof in integers:
 * rounds them to multiples of ever smaller fractions, finds the least potentials for them
 * (ipet/potentials.h), and keeps the least bound; stops at `wanted`. Where no rounding admits
 * potentials, prices are raised until they do (ipet/price_search.h).
 * proof->price stays NULL where that fails too; *unlimited: because no limit ends some cycle.
 * Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_ipet_proof_make(const struct wb_flow_system *system, const double *prices,
                                    int64_t wanted, struct wb_ipet_proof *proof, bool *unlimited,
                                    warpbound_error *error);
void wb_ipet_proof_free(struct wb_ipet_proof *proof);

/* How the search for the worst case ended. */
enum wb_ipet_status {
  WB_IPET_SOLVED,     /* a proof; and an execution, where `taken` is not NULL */
  WB_IPET_INFEASIBLE, /* no execution satisfies the limits: proven in integers */
  WB_IPET_UNBOUNDED,  /* no limit ends a cycle that costs something */
  WB_IPET_TOO_LONG,   /* no bound below 2^60 cycles was found */
  WB_IPET_STOPPED     /* by a limit on time or an interruption, without a proof */
};

/* proof.bound is safe. taken: by edge, an execution that costs `cycles`, checked; NULL where
 * none was found that hangs together. cycles == proof.bound: the worst case of the system.
 * doubted: a solver says that no whole counts satisfy the limits, which nothing proves.
 * Owned by the caller: wb_ipet_result_free. */
struct wb_ipet_result {
  enum wb_ipet_status status;
  struct wb_ipet_proof proof;
  int64_t *taken;
  int64_t cycles;
  bool doubted;
  const char *solver; /* static, or the command */
  enum wb_stop stop;
  double seconds;
};

/* Solves the relaxation; where its counts are not whole, or a command is given, the integer
 * program too, by the command or by CBC.
 * Errors: those of the solvers. */
warpbound_status wb_ipet_solve(const struct wb_flow_system *system,
                               const struct wb_linear_model *model, const char *command,
                               const struct wb_control *control, struct wb_ipet_result *result,
                               warpbound_error *error);
void wb_ipet_result_free(struct wb_ipet_result *result);

#endif
