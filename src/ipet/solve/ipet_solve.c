#include "ipet/solve/ipet_solve.h"

#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/price_refinement.h"
#include "linear/relaxation.h"
#include "linear/scaled_program.h"
#include "linear/solver.h"

#include <math.h>
#include <stdlib.h>

/* How far a solver's count may be from a whole number; the checker decides whether the number fits.
 */
#define TOLERANCE 1e-3
/* From here on a double does not hold every whole number. */
#define COUNT_LIMIT 0x1p53
/* Worst cases of so many cycles are not searched for. */
#define CYCLES_LIMIT 0x1p60

/* Rows of programs of which an integer program takes no time to speak of. */
#define SMALL_ROWS 400
/* Larger programs are searched for an execution as far as so many nodes, from so many rows on not:
 * the bound is proven then, and the search may take minutes. */
#define NODE_LIMIT 100
#define LARGE_ROWS 10000

/* Steps by which prices are refined: each makes them 20 bits longer. */
#define REFINEMENTS 3
/* Most times that refined prices are rounded up. */
#define ROUNDINGS_UP 6
/* Prices that are rounded up are multiples of 1 / scale, for the largest one by which the bound
 * stays below.
 */
#define LARGEST_SCALE (1 << 20)
#define SCALED_BOUND 0x1p58

/* Where the relaxation proves nothing: the limits that factors are clamped to. */
static const int64_t clamps[] = {1 << 16, 1 << 10, 1 << 5};

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
    status = wb_check_flow_counts(system, taken, &cycles, &refusal);
  if (status == WARPBOUND_OK && (result->taken == NULL || result->cycles < cycles)) {
    free(result->taken);
    result->taken = taken;
    result->cycles = cycles;
    return WARPBOUND_OK;
  }
  free(taken);
  if (status != WARPBOUND_INTERNAL)
    return WARPBOUND_OK;
  return wb_fail_with(error, &refusal);
}

/* Keeps the counts of the relaxation, rounded, where they are of no execution. */
static warpbound_status keep_near(const struct wb_flow_system *system, const double *values,
                                  struct wb_ipet_result *result, warpbound_error *error)
{
  if (result->taken != NULL)
    return WARPBOUND_OK;
  result->near = wb_allocate(system->edge_count, sizeof *result->near);
  if (result->near == NULL)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < system->edge_count; e++)
    result->near[e] = (int64_t)fmin(fmax(round(values[e]), 0), COUNT_LIMIT);
  return WARPBOUND_OK;
}

/* Makes prices of a relaxation longer. *refined: they are. */
static warpbound_status refine_prices(struct wb_price_refinement *refinement,
                                      struct wb_linear_basis *basis,
                                      const struct wb_control *control, bool *refined,
                                      warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  *refined = true;
  for (unsigned step = 0; step < REFINEMENTS && *refined && status == WARPBOUND_OK; step++) {
    *refined = wb_price_refinement_move(refinement, false);
    if (*refined)
      status = wb_price_refinement_solve(refinement, basis, control, refined, error);
  }
  return status;
}

/* A proof by refined prices that are rounded up: what the dearer limits ask of others is asked of
 * the solver, at most `most` times. */
static warpbound_status prove_rounded_up(struct wb_price_refinement *refinement, unsigned most,
                                         struct wb_linear_basis *basis,
                                         const struct wb_control *control,
                                         struct wb_ipet_proof *proof, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  bool refined = true;
  for (unsigned step = 0; step < most && refined && proof->price == NULL; step++) {
    if (step > 0)
      status = wb_price_refinement_solve(refinement, basis, control, &refined, error);
    if (status != WARPBOUND_OK || !refined || !wb_price_refinement_move(refinement, true))
      break;
    status =
        wb_ipet_proof_take(refinement->system, refinement->price, refinement->scale, proof, error);
    if (status != WARPBOUND_OK)
      break;
  }
  return status;
}

/* A proof by refined prices: as they are, or, where an objective is given, rounded up; where the
 * prices of some limits go up for those of others for ever, those of the system with a margin at
 * each edge, which pays for rounding them up. proof->price stays NULL where there is none. */
static warpbound_status prove_by_refined(struct wb_price_refinement *refinement, double objective,
                                         struct wb_linear_basis *basis,
                                         const struct wb_control *control, int64_t wanted,
                                         struct wb_ipet_proof *proof, warpbound_error *error)
{
  const struct wb_flow_system *system = refinement->system;
  bool refined;
  warpbound_status status = refine_prices(refinement, basis, control, &refined, error);
  if (status != WARPBOUND_OK || !refined)
    return status;
  const struct wb_ipet_prices prices = {refinement->price, refinement->rest + system->port_count};
  status = wb_ipet_proof_make(system, &prices, wanted, proof, error);
  if (status != WARPBOUND_OK || proof->price != NULL || objective <= 0)
    return status;
  int64_t scale = LARGEST_SCALE;
  while (scale > 1 && objective * (double)scale > SCALED_BOUND)
    scale /= 2;
  if (!wb_price_refinement_scale(refinement, scale))
    return status;
  status = prove_rounded_up(refinement, ROUNDINGS_UP, basis, control, proof, error);
  if (status != WARPBOUND_OK || proof->price != NULL ||
      !wb_price_refinement_add_margins(refinement))
    return status;
  status = refine_prices(refinement, basis, control, &refined, error);
  if (status != WARPBOUND_OK || !refined)
    return status;
  return prove_rounded_up(refinement, 1, basis, control, proof, error);
}

/* Moves the proof of the lesser bound to *proof, and frees the other one. */
static void keep_better(struct wb_ipet_proof *proof, struct wb_ipet_proof *other)
{
  if (other->price != NULL && (proof->price == NULL || other->bound < proof->bound)) {
    const struct wb_ipet_proof moved = *other;
    *other = *proof;
    *proof = moved;
  }
  wb_ipet_proof_free(other);
}

/* Proves a bound from the prices of the relaxation, which are refined where rounding them proves
 * nothing, and raised where that proves nothing either. basis: where the relaxation ended. */
static warpbound_status prove_by_prices(const struct wb_flow_system *system,
                                        const struct wb_linear_model *model,
                                        const struct wb_linear_relaxation *relaxation,
                                        struct wb_linear_basis *basis,
                                        const struct wb_control *control,
                                        struct wb_ipet_result *result, warpbound_error *error)
{
  const int64_t wanted = result->taken != NULL ? result->cycles : 0;
  const double *of_limits = relaxation->prices + system->port_count;
  const struct wb_ipet_prices prices = {.part = of_limits};
  struct wb_ipet_proof *proof = &result->proof;
  struct wb_ipet_proof rounded;
  warpbound_status status = wb_ipet_proof_make(system, &prices, wanted, &rounded, error);
  if (status != WARPBOUND_OK)
    return status;
  /* Of large counts prices that are wrong in a late digit are worth many cycles. */
  const bool found = rounded.price != NULL;
  if (found && (rounded.bound <= wanted || !wb_scaled_program_is_needed(model))) {
    *proof = rounded;
    return status;
  }
  struct wb_arena arena = {0};
  struct wb_price_refinement refinement;
  if (!wb_price_refinement_make(&arena, system, model, relaxation->prices, &refinement))
    status = wb_out_of_memory(error);
  else
    status = prove_by_refined(&refinement, found ? 0 : relaxation->objective, basis, control,
                              wanted, proof, error);
  wb_arena_free(&arena);
  keep_better(proof, &rounded);
  bool unlimited;
  if (status == WARPBOUND_OK && proof->price == NULL)
    status = wb_ipet_proof_raise(system, of_limits, proof, &unlimited, error);
  return status;
}

/* Prices of large counts may have no small common denominator, and those of another optimum may
 * have one: keeps the proof by these where it proves less. */
static warpbound_status prove_by_other_prices(const struct wb_flow_system *system,
                                              const struct wb_linear_model *model,
                                              const struct wb_control *control,
                                              struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_linear_relaxation relaxation;
  struct wb_linear_basis basis = {0};
  const struct wb_linear_options how = {.basis = &basis, .other = true, .brief = true};
  struct wb_ipet_proof kept = result->proof;
  warpbound_status status = wb_linear_relax(model, &how, control, &relaxation, error);
  if (status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL) {
    result->proof = (struct wb_ipet_proof){0};
    status = prove_by_prices(system, model, &relaxation, &basis, control, result, error);
    keep_better(&kept, &result->proof);
    result->proof = kept;
  }
  wb_linear_basis_free(&basis);
  wb_linear_relaxation_free(&relaxation);
  return status;
}

/* The relaxation only gives hints: an execution where its counts are whole, and prices for a proof.
 * *said: its status. */
static warpbound_status relax(const struct wb_flow_system *system,
                              const struct wb_linear_model *model,
                              const struct wb_ipet_options *options,
                              const struct wb_control *control, struct wb_ipet_result *result,
                              enum wb_linear_status *said, warpbound_error *error)
{
  struct wb_linear_relaxation relaxation;
  struct wb_linear_basis own = {0};
  const bool shared = options->basis != NULL && model->row_count > SMALL_ROWS;
  struct wb_linear_basis *basis = shared ? options->basis : &own;
  const struct wb_linear_options how = {
      .whole = (options->effort < WB_IPET_BOUND), .basis = basis, .brief = options->unproven};
  warpbound_status status = wb_linear_relax(model, &how, control, &relaxation, error);
  if (status != WARPBOUND_OK) {
    wb_linear_basis_free(&own);
    return status;
  }
  result->stop = relaxation.stop;
  *said = relaxation.status;
  if (relaxation.status == WB_LINEAR_OPTIMAL && !(relaxation.objective < CYCLES_LIMIT)) {
    result->status = WB_IPET_TOO_LONG;
  } else if (relaxation.status == WB_LINEAR_OPTIMAL) {
    status = take_counts(system, relaxation.values, result, error);
    if (status == WARPBOUND_OK && relaxation.whole != NULL)
      status = take_counts(system, relaxation.whole, result, error);
    if (status == WARPBOUND_OK)
      status = keep_near(system, relaxation.values, result, error);
    if (status == WARPBOUND_OK && !options->unproven)
      status = prove_by_prices(system, model, &relaxation, basis, control, result, error);
    if (status == WARPBOUND_OK && !options->unproven &&
        (result->proof.price == NULL || result->proof.coarse) && wb_scaled_program_is_needed(model))
      status = prove_by_other_prices(system, model, control, result, error);
  }
  wb_linear_basis_free(&own);
  wb_linear_relaxation_free(&relaxation);
  return status;
}

/* Proves a bound from the prices of the system with large factors clamped: those of inner loops are
 * right, and those of outer ones can be raised from there. Keeps the least bound. */
static warpbound_status prove_by_clamped(const struct wb_flow_system *system,
                                         const struct wb_control *control, int64_t most,
                                         struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_linear_relaxation relaxation;
  struct wb_ipet_proof proof = {0};
  bool unlimited;
  warpbound_status status = wb_ipet_relax(system, false, most, control, &relaxation, error);
  if (status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL)
    status = wb_ipet_proof_make(
        system, &(struct wb_ipet_prices){.part = relaxation.prices + system->port_count}, 0, &proof,
        error);
  if (status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL && proof.price == NULL)
    status = wb_ipet_proof_raise(system, relaxation.prices + system->port_count, &proof, &unlimited,
                                 error);
  wb_linear_relaxation_free(&relaxation);
  struct wb_ipet_proof *kept = &result->proof;
  if (status == WARPBOUND_OK && proof.price != NULL &&
      (kept->price == NULL || proof.bound < kept->bound)) {
    wb_ipet_proof_free(kept);
    *kept = proof;
    kept->coarse = true;
    return status;
  }
  wb_ipet_proof_free(&proof);
  return status;
}

/* The relaxation led to no proof of a bound: there is no execution, no bound, or its arithmetic
 * failed on large numbers. */
static warpbound_status prove_without_relaxation(const struct wb_flow_system *system,
                                                 const struct wb_control *control,
                                                 enum wb_linear_status said,
                                                 struct wb_ipet_result *result,
                                                 warpbound_error *error)
{
  bool proven = false;
  bool unlimited = false;
  warpbound_status status = WARPBOUND_OK;
  if (said != WB_LINEAR_OPTIMAL && said != WB_LINEAR_UNBOUNDED)
    status = wb_flow_prove_infeasible_by_limits(system, control, &proven, error);
  if (status == WARPBOUND_OK && proven)
    result->status = WB_IPET_INFEASIBLE;
  if (status != WARPBOUND_OK || proven)
    return status;
  if (said == WB_LINEAR_OPTIMAL)
    status = wb_ipet_prove_with_margin(system, control, &result->proof, error);
  if (result->proof.price != NULL)
    return status;
  for (size_t i = 0; i < sizeof clamps / sizeof clamps[0] && status == WARPBOUND_OK; i++)
    status = prove_by_clamped(system, control, clamps[i], result, error);
  if (status == WARPBOUND_OK && result->proof.price == NULL)
    status = wb_ipet_proof_raise(system, NULL, &result->proof, &unlimited, error);
  if (status != WARPBOUND_OK || result->proof.price != NULL)
    return status;
  result->status = unlimited ? WB_IPET_UNBOUNDED : WB_IPET_TOO_LONG;
  return WARPBOUND_OK;
}

/* Searches for an execution by the integer program. The proof does not depend on it, nor on its
 * failures. */
static warpbound_status solve_integers(const struct wb_flow_system *system,
                                       const struct wb_linear_model *model, const char *command,
                                       const struct wb_control *control,
                                       struct wb_ipet_result *result, warpbound_error *error)
{
  struct wb_linear_outcome outcome;
  warpbound_error failure;
  warpbound_status status =
      command != NULL
          ? wb_linear_solve_by_command(model, command, control, &outcome, &failure)
          : wb_linear_solve_by_cbc(model, model->row_count <= SMALL_ROWS ? 0 : NODE_LIMIT, control,
                                   &outcome, &failure);
  if (status != WARPBOUND_OK && command == NULL)
    return WARPBOUND_OK;
  if (status != WARPBOUND_OK)
    return wb_fail_with(error, &failure);
  result->solver = command != NULL ? command : "CBC";
  if (result->stop == WB_STOP_NONE)
    result->stop = outcome.stop;
  result->doubted = outcome.status == WB_LINEAR_INFEASIBLE && result->taken == NULL;
  if (outcome.values != NULL)
    status = take_counts(system, outcome.values, result, error);
  wb_linear_outcome_free(&outcome);
  return status;
}

warpbound_status wb_ipet_solve(const struct wb_flow_system *system,
                               const struct wb_linear_model *model,
                               const struct wb_ipet_options *options,
                               const struct wb_control *control, struct wb_ipet_result *result,
                               warpbound_error *error)
{
  const char *command = options->command;
  double start = wb_clock();
  /* Without the relaxation there is nothing to print. */
  const struct wb_control necessary = wb_control_without_deadline(control);
  *result = (struct wb_ipet_result){.status = WB_IPET_STOPPED, .solver = "Clp"};
  enum wb_linear_status said = WB_LINEAR_NONE;
  bool closed = false;
  warpbound_status status = wb_flow_prove_infeasible_by_graph(system, &closed, error);
  if (closed)
    result->status = WB_IPET_INFEASIBLE;
  if (status == WARPBOUND_OK && !closed)
    status = relax(system, model, options, &necessary, result, &said, error);
  if (options->unproven && result->taken != NULL)
    result->status = WB_IPET_SOLVED;
  const bool open = !options->unproven && status == WARPBOUND_OK &&
                    result->status == WB_IPET_STOPPED && result->proof.price == NULL;
  if (open && result->stop == WB_STOP_NONE) {
    status = prove_without_relaxation(system, &necessary, said, result, error);
  } else if (open) {
    /* An interruption came before the relaxation was solved: prices that are raised from nothing
     * prove a bound without it. */
    bool unlimited = false;
    status = wb_ipet_proof_raise(system, NULL, &result->proof, &unlimited, error);
    if (status == WARPBOUND_OK && unlimited)
      result->status = WB_IPET_UNBOUNDED;
  }
  if (status == WARPBOUND_OK && result->proof.price != NULL) {
    result->status = WB_IPET_SOLVED;
    const bool met = result->taken != NULL && result->cycles == result->proof.bound;
    const bool searched =
        model->row_count <= (options->effort == WB_IPET_SEARCH ? LARGE_ROWS : SMALL_ROWS);
    if (result->stop == WB_STOP_NONE && (command != NULL || (searched && !met)))
      status = solve_integers(system, model, command, control, result, error);
  }
  result->seconds = wb_clock() - start;
  if (status != WARPBOUND_OK)
    wb_ipet_result_free(result);
  return status;
}

const int64_t *wb_ipet_counts(const struct wb_ipet_result *result)
{
  return result->taken != NULL ? result->taken : result->near;
}

void wb_ipet_result_free(struct wb_ipet_result *result)
{
  wb_ipet_proof_free(&result->proof);
  free(result->taken);
  free(result->near);
  *result = (struct wb_ipet_result){0};
}
