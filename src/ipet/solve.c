#include "ipet/solve.h"

#include "base/memory.h"
#include "certificate/flow_check.h"
#include "ipet/open_ways.h"
#include "linear/relaxation.h"
#include "linear/solver.h"

#include <math.h>
#include <stdlib.h>

/* How far a solver's count may be from a whole number. */
#define TOLERANCE 1e-5
/* Counts from here on are not whole in a double. */
#define COUNT_LIMIT 0x1p53
/* Worst cases from here on are refused. */
#define CYCLES_LIMIT 0x1p60

/* Takes a solver's values as an execution if they are whole and the checker accepts them, and
 * keeps it where it costs more than the one that there is. */
static warpbound_status take_counts(const struct wb_flow_system *system, const double *values,
                                    struct wb_ipet_result *result, warpbound_error *error)
{
  int64_t *taken = wb_allocate(system->edge_count, sizeof *taken);
  if (taken == NULL)
    return wb_out_of_memory(error);
  bool whole = true;
  for (size_t e = 0; e < system->edge_count && whole; e++) {
    double near = round(values[e]);
    whole = fabs(values[e] - near) <= TOLERANCE && fabs(near) < COUNT_LIMIT;
    taken[e] = whole ? (int64_t)near : 0;
  }
  int64_t cycles = 0;
  warpbound_error refusal;
  warpbound_status status = WARPBOUND_CHECK_FAILED;
  if (whole)
    status = wb_flow_check_counts(system, taken, &cycles, &refusal);
  if (status == WARPBOUND_OK && (result->taken == NULL || result->cycles < cycles)) {
    free(result->taken);
    result->taken = taken;
    result->cycles = cycles;
    return WARPBOUND_OK;
  }
  free(taken);
  if (status != WARPBOUND_INTERNAL)
    return WARPBOUND_OK;
  *error = refusal;
  return status;
}

static void take_status(enum wb_linear_status status, struct wb_ipet_result *result)
{
  if (status == WB_LINEAR_INFEASIBLE)
    result->status = WB_IPET_INFEASIBLE;
  else if (status == WB_LINEAR_UNBOUNDED)
    result->status = WB_IPET_UNBOUNDED;
}

static warpbound_status relax(const struct wb_flow_system *system,
                              const struct wb_linear_model *model, const struct wb_control *control,
                              struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_linear_relaxation relaxation;
  warpbound_status status = wb_linear_relax(model, control, &relaxation, error);
  if (status != WARPBOUND_OK)
    return status;
  result->stop = relaxation.stop;
  take_status(relaxation.status, result);
  if (relaxation.status == WB_LINEAR_OPTIMAL && !(relaxation.objective < CYCLES_LIMIT)) {
    status = wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the worst case is above 2^60 cycles: bounds of nested loops multiply");
  } else if (relaxation.status == WB_LINEAR_OPTIMAL) {
    status = take_counts(system, relaxation.values, result, error);
    int64_t wanted = result->taken != NULL ? result->cycles : 0;
    if (status == WARPBOUND_OK)
      status = wb_ipet_proof_make(system, relaxation.prices, wanted, &result->proof, error);
  }
  wb_linear_relaxation_free(&relaxation);
  return status;
}

/* For an execution: the proof comes from the relaxation. */
static warpbound_status solve_integers(const struct wb_flow_system *system,
                                       const struct wb_linear_model *model, const char *command,
                                       const struct wb_control *control,
                                       struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_linear_outcome outcome;
  warpbound_status status =
      command != NULL ? wb_linear_solve_by_command(model, command, control, &outcome, error)
                      : wb_linear_solve_by_cbc(model, control, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  result->solver = command != NULL ? command : "CBC";
  if (result->stop == WB_STOP_NONE)
    result->stop = outcome.stop;
  if (outcome.status == WB_LINEAR_INFEASIBLE)
    result->status = WB_IPET_INFEASIBLE;
  if (outcome.values != NULL)
    status = take_counts(system, outcome.values, result, error);
  wb_linear_outcome_free(&outcome);
  return status;
}

warpbound_status wb_ipet_solve(const struct wb_flow_system *system,
                               const struct wb_linear_model *model, const char *command,
                               const struct wb_control *control, struct wb_ipet_result *result,
                               warpbound_error *error)
{
  double start = wb_clock();
  *result = (struct wb_ipet_result){.status = WB_IPET_STOPPED, .solver = "Clp"};
  bool open;
  warpbound_status status = wb_flow_open_ways(system, &open, error);
  if (status == WARPBOUND_OK && !open) {
    result->status = WB_IPET_INFEASIBLE;
    result->no_end = true;
    return WARPBOUND_OK;
  }
  if (status == WARPBOUND_OK)
    status = relax(system, model, control, result, error);
  bool proven = result->proof.price != NULL;
  bool closed = proven && result->taken != NULL && result->cycles == result->proof.bound;
  bool decided = result->status == WB_IPET_INFEASIBLE || result->status == WB_IPET_UNBOUNDED;
  if (status == WARPBOUND_OK && proven)
    result->status = WB_IPET_SOLVED;
  if (status == WARPBOUND_OK && result->stop == WB_STOP_NONE && !decided &&
      (command != NULL || !closed))
    status = solve_integers(system, model, command, control, result, error);
  if (status == WARPBOUND_OK && !decided && !proven && result->stop == WB_STOP_NONE)
    status = wb_fail(error, WARPBOUND_INTERNAL,
                     "the solver's prices admit no proof in integers; nothing is known of the "
                     "worst case");
  result->seconds = wb_clock() - start;
  if (status != WARPBOUND_OK)
    wb_ipet_result_free(result);
  return status;
}

void wb_ipet_result_free(struct wb_ipet_result *result)
{
  wb_ipet_proof_free(&result->proof);
  free(result->taken);
  *result = (struct wb_ipet_result){0};
}
