/* How often nodes and instructions count in the upper end of a launch. */
#include "analysis/launch/launch_steps.h"
#include "analysis/paths/system/path_solver.h"
#include "base/arena.h"
#include "base/checked.h"
#include "launch/timing/warp_times.h"

double wb_launch_maximum_weight(const struct wb_launch_maxima *maxima,
                                const struct wb_launch_bound *bound,
                                const struct wb_launch_maximum *maximum)
{
  const uint64_t most = maxima->terms.sum[maximum->sum];
  uint64_t times = bound->times[maximum->sum];
  /* Z, and without barriers Z1, are one maximum. */
  if (maximum->sum == WB_SUM_PHASE_UNITS)
    times += maxima->terms.phases == 1 ? bound->times[WB_SUM_UNITS] : 0;
  if (maximum->sum == WB_SUM_PHASE_UNITS && (uint64_t)maximum->ipet.proof.bound != most)
    return 0;
  return (double)times;
}

warpbound_status wb_launch_weights_find(struct wb_arena *arena,
                                        const struct wb_launch_maxima *maxima,
                                        const struct wb_launch_bound *bound,
                                        struct wb_launch_weights *weights, warpbound_error *error)
{
  const struct wb_path_system *system = maxima->system;
  const struct wb_flow_system *flow = &system->flow;
  bool one_is_counted = false;
  *weights = (struct wb_launch_weights){0};
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    const double weight = wb_launch_maximum_weight(maxima, bound, maximum);
    if (weight <= 0 || maximum->ipet.taken == NULL)
      continue;
    /* Of several phases with the most of Z the first counts. */
    if (maximum->sum == WB_SUM_PHASE_UNITS && one_is_counted)
      continue;
    one_is_counted |= maximum->sum == WB_SUM_PHASE_UNITS;
    if (weights->of[maximum->sum] == NULL)
      weights->of[maximum->sum] = wb_arena_array(arena, double, flow->node_count);
    double *runs = weights->of[maximum->sum];
    if (runs == NULL)
      return wb_out_of_memory(error);
    const bool all = maximum->phase >= WB_STRETCHES;
    for (uint32_t v = 0; v < flow->node_count; v++) {
      if (all || system->phase[v] == maximum->phase)
        runs[v] += weight * (double)wb_flow_start_runs(flow, v);
    }
    for (size_t e = 0; e < flow->edge_count; e++) {
      if (all || system->phase[flow->to[e]] == maximum->phase)
        runs[flow->to[e]] += weight * (double)maximum->ipet.taken[e];
    }
  }
  return WARPBOUND_OK;
}

/* ---- instructions ---- */

/* What the instruction, issued now, holds from then on. */
static void hold(const struct wb_timed_code *code, const struct wb_timed_instruction *instruction,
                 uint64_t now, uint64_t denominator, struct wb_pending *until)
{
  const struct wb_release_times release = wb_release_times_of(code, instruction, denominator);
  until->end = wb_maximum(until->end, now + release.end);
  for (size_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
    uint64_t *service = &until->service[use->resource];
    *service = wb_maximum(*service, now + denominator * use->service);
  }
  if (instruction->write_scoreboard < WB_SCOREBOARD_COUNT) {
    uint64_t *board = &until->scoreboard[instruction->write_scoreboard];
    *board = wb_maximum(*board, now + release.write);
  }
  if (instruction->read_scoreboard < WB_SCOREBOARD_COUNT) {
    uint64_t *board = &until->scoreboard[instruction->read_scoreboard];
    *board = wb_maximum(*board, now + release.read);
  }
}

/* The steps of a node's instructions, from the issue before to its own and its stall, and their
 * sum. What other groups of lanes may hold, which the node's time has too, is spread like them. */
static double find_steps(const struct wb_launch_analysis *analysis, size_t node, uint64_t *steps)
{
  const struct wb_path_system *system = &analysis->paths.system;
  const struct wb_timed_code *code = &analysis->timed;
  const uint64_t denominator = analysis->times.denominator;
  struct wb_pending until = analysis->times.pending[node];
  uint64_t now = 0;
  for (uint32_t i = system->first[node]; i <= system->last[node]; i++) {
    const struct wb_timed_instruction *instruction = &code->instructions[i];
    const uint64_t before = now;
    /* When what the instruction waits for is there, in cycles after the node's begin. */
    uint64_t ready = instruction->fence ? until.end : 0;
    for (size_t u = 0; u < instruction->use_count; u++)
      ready = wb_maximum(ready, until.service[code->uses[instruction->first_use + u].resource]);
    for (unsigned b = 0; b < WB_SCOREBOARD_COUNT; b++) {
      if ((instruction->wait_mask >> b & 1) != 0 || instruction->counted_scoreboard == b)
        ready = wb_maximum(ready, until.scoreboard[b]);
    }
    now = wb_maximum(now, ready);
    hold(code, instruction, now, denominator, &until);
    now += denominator * instruction->stall;
    steps[i] = now - before;
  }
  return (double)now;
}

/* Spreads the weighted cost of a node in a sum over its instructions. steps: scratch by
 * instruction.
 */
static void spread(struct wb_launch_analysis *analysis, enum wb_launch_sum sum, size_t node,
                   double weight, uint64_t *steps)
{
  const struct wb_launch_costs *costs = &analysis->maxima.costs;
  const struct wb_path_system *system = &analysis->paths.system;
  if (!(weight > 0))
    return;
  const bool own = sum == WB_SUM_OWN || sum == WB_SUM_ALONE_OWN;
  const double all = own ? find_steps(analysis, node, steps) : 0;
  const double each = all > 0 ? weight * (double)analysis->times.cycles[node] /
                                    (double)analysis->times.denominator / all
                              : 0;
  for (uint32_t i = system->first[node]; i <= system->last[node] && all > 0; i++)
    analysis->instruction_cycles[i] += each * (double)steps[i];
  for (uint32_t i = system->first[node]; i <= system->last[node]; i++) {
    uint64_t share;
    if (wb_launch_share(&analysis->timed, i, sum, costs->barriers, costs->denominator, &share))
      analysis->instruction_cycles[i] += weight * (double)share / (double)costs->denominator;
  }
}

warpbound_status wb_launch_instruction_cycles_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const size_t count = analysis->timed.instruction_count;
  struct wb_arena arena = {0};
  struct wb_launch_weights weights;
  uint64_t *steps = wb_arena_array(&arena, uint64_t, count);
  warpbound_status status =
      wb_launch_weights_find(&arena, &analysis->maxima, &analysis->upper, &weights, job->error);
  analysis->instruction_cycles = wb_arena_array(&analysis->arena, double, count);
  if (steps == NULL || analysis->instruction_cycles == NULL)
    status = wb_out_of_memory(job->error);
  for (unsigned s = 0; s < WB_SUM_COUNT && status == WARPBOUND_OK; s++) {
    const double *weight = weights.of[s];
    for (size_t v = 0; weight != NULL && v < analysis->paths.system.flow.node_count; v++)
      spread(analysis, (enum wb_launch_sum)s, v, weight[v], steps);
  }
  wb_arena_free(&arena);
  return status;
}
