/* The integer program in place of the searches. */
#include "analysis/makespan/schedule_claims.h"
#include "analysis/makespan/work.h"

#include "base/checked.h"

#include <math.h>

/* What a solver's bound may be off by. */
#define SOLVER_TOLERANCE 1e-6

/* Plans it for the horizon asked for, by default the least that is proven; false where it
 * would need more memory than is allowed. */
static warpbound_status plan_integer_program(struct wb_work *work, bool *fits)
{
  const struct wb_integer_options *options = &work->options->integer;
  const warpbound_bound *proven = &work->result->upper;
  struct wb_integer_result *integer = &work->result->integer;
  uint64_t horizon = options->horizon > 0 ? options->horizon : proven->cycles;
  size_t length = work->problem->string.length;
  if (horizon < length)
    return wb_fail(work->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %zu, the instructions of a warp, found '%llu'",
                   length, (unsigned long long)horizon);
  if (horizon < proven->cycles && !options->allow_short)
    return wb_fail(work->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %llu, which is proven (%s), found '%llu'; a "
                   "shorter one may cut the worst case off (--allow-short-horizon)",
                   (unsigned long long)proven->cycles, proven->name, (unsigned long long)horizon);
  integer->short_horizon = horizon < proven->cycles;
  integer->horizon_name = options->horizon > 0 ? "given" : proven->name;
  *fits = horizon <= WB_LINEAR_LIMIT;
  if (*fits)
    wb_integer_plan_make(work->problem, options->form, (uint32_t)horizon, &integer->plan);
  *fits = *fits && integer->plan.bytes <= work->control.memory_limit;
  if (*fits)
    return WARPBOUND_OK;
  uint64_t needed = integer->plan.bytes;
  work->result->stop = WB_STOP_MEMORY;
  if (needed == 0 || needed == UINT64_MAX)
    wb_list_add(&work->result->notes,
                "integer program: left out, it is far beyond the %llu bytes "
                "allowed",
                (unsigned long long)work->control.memory_limit);
  else
    wb_list_add(&work->result->notes,
                "integer program: left out, it needs %llu bytes, %llu are allowed",
                (unsigned long long)needed, (unsigned long long)work->control.memory_limit);
  return WARPBOUND_OK;
}

static warpbound_status refuted(struct wb_work *work, const char *claim, double number)
{
  const struct warpbound_result *result = work->result;
  return wb_fail(work->error, WARPBOUND_CHECK_FAILED,
                 "the solver is wrong: it says %s %.17g, but the worst case is %llu to %llu cycles",
                 claim, number, (unsigned long long)result->lower.cycles,
                 (unsigned long long)result->upper.cycles);
}

/* Records the makespan of the solver's schedule, and names it as the lower end also where another
 * schedule is as long: it was asked for. */
static warpbound_status add_solution(struct wb_work *work, uint64_t makespan)
{
  warpbound_bound bound = {.name = "integer-program",
                           .source = "schedule of the solver's solution",
                           .cycles = makespan,
                           .kind = WARPBOUND_LOWER};
  if (makespan == work->result->lower.cycles)
    work->result->lower = bound;
  return wb_work_add_bound(work, bound.name, bound.source, bound.kind, makespan);
}

/* A schedule that a solver made counts once the checker accepts it; it is shown rather than
 * one as long that was found before. */
static warpbound_status use_solution(struct wb_work *work)
{
  struct warpbound_result *result = work->result;
  struct wb_schedule *schedule = &result->integer.schedule;
  uint64_t makespan = schedule->makespan;
  if (schedule->issue_cycle == NULL)
    return WARPBOUND_OK;
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_schedule(work->problem, schedule, &refusal);
  if (status == WARPBOUND_CHECK_FAILED)
    return wb_fail(work->error, status, "the solver's solution is not a valid schedule: %.300s",
                   refusal.message);
  if (makespan == result->witness.makespan)
    wb_schedule_free(&result->witness);
  if (status == WARPBOUND_OK)
    status = wb_work_offer_witness(work, schedule, "integer-program");
  if (status == WARPBOUND_OK)
    status = add_solution(work, makespan);
  return status;
}

/* What the solver says from above: an estimate, for it computes in floating point and gives no
 * proof that could be checked. It is about T(W) only if no schedule is longer than the horizon, and
 * if nobody else uses the units. */
static warpbound_status use_solver_bound(struct wb_work *work)
{
  struct warpbound_result *result = work->result;
  const struct wb_integer_result *integer = &result->integer;
  if (integer->status == WB_LINEAR_INFEASIBLE && !integer->short_horizon)
    return refuted(work, "that every schedule takes more than", integer->plan.horizon);
  if (integer->status == WB_LINEAR_INFEASIBLE)
    wb_list_add(&result->notes,
                "the solver says that no work-conserving schedule ends within %u "
                "cycles",
                integer->plan.horizon);
  if (integer->status == WB_LINEAR_UNBOUNDED)
    return refuted(work, "that the makespan has no bound but", integer->bound);
  if (integer->short_horizon || wb_work_is_shared(work) || !(integer->bound < WB_LINEAR_LIMIT))
    return WARPBOUND_OK;
  double cycles = floor(integer->bound + SOLVER_TOLERANCE);
  if (cycles < (double)result->lower.cycles)
    return refuted(work, "that no schedule takes more than", integer->bound);
  return wb_work_add_bound(work, "integer-program",
                           "the solver's bound, in floating point: no proof", WARPBOUND_ESTIMATE,
                           (uint64_t)cycles);
}

warpbound_status wb_work_solve_integer_program(struct wb_work *work)
{
  bool fits = false;
  warpbound_status status = plan_integer_program(work, &fits);
  if (status != WARPBOUND_OK || !fits || !wb_work_may_go_on(work, "integer program"))
    return status;
  status = wb_integer_analyse(work->problem, &work->options->integer, &work->control,
                              &work->result->integer, work->error);
  if (status != WARPBOUND_OK || !work->options->integer.solve)
    return status;
  wb_work_note_early_end(work, work->result->integer.stop, "integer program");
  work->result->search.memory_bytes = work->result->integer.plan.bytes;
  status = use_solution(work);
  return status == WARPBOUND_OK ? use_solver_bound(work) : status;
}
