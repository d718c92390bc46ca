/* The step that solves an integer program in place of the searches. */
#include "analysis/makespan/makespan_steps.h"

#include "base/checked.h"

#include <inttypes.h>
#include <math.h>

/* Tolerance of a solver's bound, in cycles. */
#define SOLVER_TOLERANCE 1e-6

/* Plans the program for the horizon asked for, by default the proven upper end. *fits: false where
 * it needs more memory than is allowed. */
static warpbound_status plan_integer_program(struct wb_makespan_analysis *analysis, bool *fits)
{
  const struct wb_integer_options *options = &analysis->options->integer;
  const warpbound_bound *proven = &analysis->result->upper;
  struct wb_integer_result *integer = &analysis->result->integer;
  uint64_t horizon = options->horizon > 0 ? options->horizon : proven->cycles;
  size_t length = analysis->problem->string.length;
  if (horizon < length)
    return wb_fail(analysis->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %zu, the instructions of a warp, found '%" PRIu64
                   "'",
                   length, horizon);
  if (horizon < proven->cycles && !options->allow_short)
    return wb_fail(analysis->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %" PRIu64 ", which is proven (%s), found '%" PRIu64
                   "'; a "
                   "shorter one may cut the worst case off (--allow-short-horizon)",
                   proven->cycles, proven->name, horizon);
  integer->short_horizon = horizon < proven->cycles;
  integer->horizon_name = options->horizon > 0 ? "given" : proven->name;
  *fits = horizon <= WB_LINEAR_LIMIT;
  if (*fits)
    wb_integer_plan_make(analysis->problem, options->form, (uint32_t)horizon, &integer->plan);
  *fits = *fits && integer->plan.bytes <= analysis->control.memory_limit;
  if (*fits)
    return WARPBOUND_OK;
  uint64_t needed = integer->plan.bytes;
  analysis->result->stop = WB_STOP_MEMORY;
  if (needed == 0 || needed == UINT64_MAX)
    wb_list_add(&analysis->result->notes,
                "integer program: left out, it is far beyond the %" PRIu64 " bytes "
                "allowed",
                analysis->control.memory_limit);
  else
    wb_list_add(&analysis->result->notes,
                "integer program: left out, it needs %" PRIu64 " bytes, %" PRIu64 " are allowed",
                needed, analysis->control.memory_limit);
  return WARPBOUND_OK;
}

static warpbound_status refuted(struct wb_makespan_analysis *analysis, const char *claim,
                                double number)
{
  const struct warpbound_result *result = analysis->result;
  return wb_fail(analysis->error, WARPBOUND_CHECK_FAILED,
                 "the solver is wrong: it says %s %.17g, but the worst case is %" PRIu64
                 " to %" PRIu64 " cycles",
                 claim, number, result->lower.cycles, result->upper.cycles);
}

/* Records the solver's upper bound as an estimate: it computes in floating point and gives no proof
 * that could be checked. The bound is one on T(W) only where no schedule is longer than the horizon
 * and no other partition uses the units. */
static warpbound_status use_solver_bound(struct wb_makespan_analysis *analysis)
{
  struct warpbound_result *result = analysis->result;
  const struct wb_integer_result *integer = &result->integer;
  if (integer->status == WB_LINEAR_INFEASIBLE && !integer->short_horizon)
    return refuted(analysis, "that every schedule takes more than", integer->plan.horizon);
  if (integer->status == WB_LINEAR_INFEASIBLE)
    wb_list_add(&result->notes,
                "the solver says that no work-conserving schedule ends within %u "
                "cycles",
                integer->plan.horizon);
  if (integer->status == WB_LINEAR_UNBOUNDED)
    return refuted(analysis, "that the makespan has no bound but", integer->bound);
  if (integer->short_horizon || wb_makespan_is_shared(analysis) ||
      !(integer->bound < WB_LINEAR_LIMIT))
    return WARPBOUND_OK;
  double cycles = floor(integer->bound + SOLVER_TOLERANCE);
  if (cycles < (double)result->lower.cycles)
    return refuted(analysis, "that no schedule takes more than", integer->bound);
  wb_makespan_add_bound(analysis, "integer-program",
                        "the solver's bound, in floating point: no proof", WARPBOUND_ESTIMATE,
                        (uint64_t)cycles);
  return WARPBOUND_OK;
}

warpbound_status wb_makespan_solve_integer_program(struct wb_makespan_analysis *analysis)
{
  bool fits = false;
  warpbound_status status = plan_integer_program(analysis, &fits);
  if (status != WARPBOUND_OK || !fits || !wb_makespan_may_go_on(analysis, "integer program"))
    return status;
  status = wb_integer_analyse(analysis->problem, &analysis->options->integer, &analysis->control,
                              &analysis->result->integer, analysis->error);
  if (status != WARPBOUND_OK || !analysis->options->integer.solve)
    return status;
  struct warpbound_result *result = analysis->result;
  struct wb_schedule *schedule = &result->integer.schedule;
  wb_makespan_note_early_end(analysis, result->integer.stop, "integer program");
  result->search.memory_bytes = result->integer.plan.bytes;
  if (schedule->issue_cycle != NULL) {
    /* The solver's schedule counts once the checker accepts it. It replaces others of the same
     * length: the user asked for it. */
    const uint64_t makespan = schedule->makespan;
    warpbound_error refusal = {0};
    status = wb_judge_schedule(analysis->problem, schedule, &refusal);
    if (status == WARPBOUND_CHECK_FAILED)
      return wb_fail(analysis->error, status,
                     "the solver's solution is not a valid schedule: %.300s", refusal.message);
    if (makespan == result->witness.makespan)
      wb_schedule_free(&result->witness);
    if (status == WARPBOUND_OK)
      status = wb_makespan_offer_witness(analysis, schedule, "integer-program",
                                         "schedule of the solver's solution");
    if (status == WARPBOUND_OK && makespan == result->lower.cycles)
      result->lower = (warpbound_bound){.name = "integer-program",
                                        .source = "schedule of the solver's solution",
                                        .cycles = makespan,
                                        .kind = WARPBOUND_LOWER};
  }
  return status == WARPBOUND_OK ? use_solver_bound(analysis) : status;
}
