/* What each instruction makes of the upper end of a launch. */
#include "analysis/launch/launch_steps.h"
#include "analysis/launch/launch_weights.h"
#include "base/arena.h"
#include "base/checked.h"
#include "launch/timing/release_times.h"

struct spread {
  struct wb_launch_analysis *analysis;
  struct wb_launch_weights weights;
  uint64_t *steps; /* by instruction of the node under way: from the issue before to its own, and
                      its stall */
};

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

/* The steps of a node's instructions, and their sum. What other groups of lanes may hold, which the
 * node's time has too, is spread like them. */
static double find_steps(const struct spread *spread, size_t node)
{
  const struct wb_launch_analysis *analysis = spread->analysis;
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
    spread->steps[i] = now - before;
  }
  return (double)now;
}

static void spread_steps(const struct spread *spread, size_t node, double weight)
{
  struct wb_launch_analysis *analysis = spread->analysis;
  const double sum = find_steps(spread, node);
  if (!(sum > 0) || !(weight > 0))
    return;
  const double each =
      weight * (double)analysis->times.cycles[node] / (double)analysis->times.denominator / sum;
  const struct wb_path_system *system = &analysis->paths.system;
  for (uint32_t i = system->first[node]; i <= system->last[node]; i++)
    analysis->instruction_cycles[i] += each * (double)spread->steps[i];
}

static void spread_shares(const struct spread *spread, size_t node, enum wb_launch_sum sum,
                          double weight)
{
  struct wb_launch_analysis *analysis = spread->analysis;
  const struct wb_launch_costs *costs = &analysis->maxima.costs;
  const struct wb_path_system *system = &analysis->paths.system;
  for (uint32_t i = system->first[node]; i <= system->last[node] && weight > 0; i++) {
    uint64_t share;
    if (wb_launch_share(&analysis->timed, i, sum, costs->barriers, costs->denominator, &share))
      analysis->instruction_cycles[i] += weight * (double)share / (double)costs->denominator;
  }
}

warpbound_status wb_launch_instruction_cycles_find(struct wb_launch_analysis *analysis,
                                                   warpbound_error *error)
{
  const size_t count = analysis->timed.instruction_count;
  struct wb_arena arena = {0};
  struct spread spread = {.analysis = analysis, .steps = wb_arena_array(&arena, uint64_t, count)};
  warpbound_status status =
      wb_launch_weights_find(&arena, &analysis->maxima, &analysis->upper, &spread.weights, error);
  analysis->instruction_cycles = wb_arena_array(&analysis->arena, double, count);
  if (spread.steps == NULL || analysis->instruction_cycles == NULL)
    status = wb_out_of_memory(error);
  for (unsigned s = 0; s < WB_SUM_COUNT && status == WARPBOUND_OK; s++) {
    const double *weight = spread.weights.of[s];
    for (size_t v = 0; weight != NULL && v < analysis->paths.system.flow.node_count; v++) {
      if (s == WB_SUM_OWN || s == WB_SUM_ALONE_OWN)
        spread_steps(&spread, v, weight[v]);
      spread_shares(&spread, v, (enum wb_launch_sum)s, weight[v]);
    }
  }
  wb_arena_free(&arena);
  return status;
}
