/* The integer program in place of the searches. */
#include "analysis/makespan/schedule_claims.h"
#include "analysis/makespan/work.h"

#include "base/checked.h"

#include <math.h>

/* What a solver's bound may be off by. */
#define SOLVER_TOLERANCE 1e-6

/* Plans it for the horizon asked for, by default the least that is proven; false where it
 * would need more memory than is allowed. */
static warpbound_status plan_integer_program(struct wb_work *a, bool *fits)
{
  const struct wb_integer_options *options = &a->options->integer;
  const warpbound_bound *proven = &a->result->upper;
  struct wb_integer_result *integer = &a->result->integer;
  uint64_t horizon = options->horizon > 0 ? options->horizon : proven->cycles;
  size_t length = a->problem->string.length;
  if (horizon < length)
    return wb_fail(a->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %zu, the instructions of a warp, found '%llu'",
                   length, (unsigned long long)horizon);
  if (horizon < proven->cycles && !options->allow_short)
    return wb_fail(a->error, WARPBOUND_USAGE,
                   "--horizon: expected at least %llu, which is proven (%s), found '%llu'; a "
                   "shorter one may cut the worst case off (--allow-short-horizon)",
                   (unsigned long long)proven->cycles, proven->name, (unsigned long long)horizon);
  integer->short_horizon = horizon < proven->cycles;
  integer->horizon_name = options->horizon > 0 ? "given" : proven->name;
  *fits = horizon <= WB_LINEAR_LIMIT;
  if (*fits)
    wb_integer_plan_make(a->problem, options->form, (uint32_t)horizon, &integer->plan);
  *fits = *fits && integer->plan.bytes <= a->control.memory_limit;
  if (*fits)
    return WARPBOUND_OK;
  uint64_t needed = integer->plan.bytes;
  a->result->stop = WB_STOP_MEMORY;
  if (needed == 0 || needed == UINT64_MAX)
    wb_list_add(&a->result->notes,
                "integer program: left out, it is far beyond the %llu bytes "
                "allowed",
                (unsigned long long)a->control.memory_limit);
  else
    wb_list_add(&a->result->notes,
                "integer program: left out, it needs %llu bytes, %llu are allowed",
                (unsigned long long)needed, (unsigned long long)a->control.memory_limit);
  return WARPBOUND_OK;
}

static warpbound_status refuted(struct wb_work *a, const char *claim, double number)
{
  const struct warpbound_result *result = a->result;
  return wb_fail(a->error, WARPBOUND_CHECK_FAILED,
                 "the solver is wrong: it says %s %.17g, but the worst case is %llu to %llu cycles",
                 claim, number, (unsigned long long)result->lower.cycles,
                 (unsigned long long)result->upper.cycles);
}

/* Records the makespan of the solver's schedule, and names it as the lower end also where another
 * schedule is as long: it was asked for. */
static warpbound_status add_solution(struct wb_work *a, uint64_t makespan)
{
  warpbound_bound bound = {.name = "integer-program",
                           .source = "schedule of the solver's solution",
                           .cycles = makespan,
                           .kind = WARPBOUND_LOWER};
  if (makespan == a->result->lower.cycles)
    a->result->lower = bound;
  return wb_work_add_bound(a, bound.name, bound.source, bound.kind, makespan);
}

/* A schedule that a solver made counts once the checker accepts it; it is shown rather than
 * one as long that was found before. */
static warpbound_status use_solution(struct wb_work *a)
{
  struct warpbound_result *result = a->result;
  struct wb_schedule *schedule = &result->integer.schedule;
  uint64_t makespan = schedule->makespan;
  if (schedule->issue_cycle == NULL)
    return WARPBOUND_OK;
  warpbound_error refusal = {0};
  warpbound_status status = wb_judge_schedule(a->problem, schedule, &refusal);
  if (status == WARPBOUND_CHECK_FAILED)
    return wb_fail(a->error, status, "the solver's solution is not a valid schedule: %.300s",
                   refusal.message);
  if (makespan == result->witness.makespan)
    wb_schedule_free(&result->witness);
  if (status == WARPBOUND_OK)
    status = wb_work_offer_witness(a, schedule, "integer-program");
  if (status == WARPBOUND_OK)
    status = add_solution(a, makespan);
  return status;
}

/* What the solver says from above: an estimate, for it computes in floating point and gives no
 * proof that could be checked. It is about T(W) only if no schedule is longer than the horizon, and
 * if nobody else uses the units. */
static warpbound_status use_solver_bound(struct wb_work *a)
{
  struct warpbound_result *result = a->result;
  const struct wb_integer_result *integer = &result->integer;
  if (integer->status == WB_LINEAR_INFEASIBLE && !integer->short_horizon)
    return refuted(a, "that every schedule takes more than", integer->plan.horizon);
  if (integer->status == WB_LINEAR_INFEASIBLE)
    wb_list_add(&result->notes,
                "the solver says that no work-conserving schedule ends within %u "
                "cycles",
                integer->plan.horizon);
  if (integer->status == WB_LINEAR_UNBOUNDED)
    return refuted(a, "that the makespan has no bound but", integer->bound);
  if (integer->short_horizon || wb_work_is_shared(a) || !(integer->bound < WB_LINEAR_LIMIT))
    return WARPBOUND_OK;
  double cycles = floor(integer->bound + SOLVER_TOLERANCE);
  if (cycles < (double)result->lower.cycles)
    return refuted(a, "that no schedule takes more than", integer->bound);
  return wb_work_add_bound(a, "integer-program", "the solver's bound, in floating point: no proof",
                           WARPBOUND_ESTIMATE, (uint64_t)cycles);
}

warpbound_status wb_work_solve_integer_program(struct wb_work *a)
{
  bool fits = false;
  warpbound_status status = plan_integer_program(a, &fits);
  if (status != WARPBOUND_OK || !fits || !wb_work_may_go_on(a, "integer program"))
    return status;
  status = wb_integer_analyse(a->problem, &a->options->integer, &a->control, &a->result->integer,
                              a->error);
  if (status != WARPBOUND_OK || !a->options->integer.solve)
    return status;
  wb_work_note_early_end(a, a->result->integer.stop, "integer program");
  a->result->search.memory_bytes = a->result->integer.plan.bytes;
  status = use_solution(a);
  return status == WARPBOUND_OK ? use_solver_bound(a) : status;
}
