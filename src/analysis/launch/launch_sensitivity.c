/* What the upper end of a launch is made of: how often nodes and instructions count in it, and what
 * smaller numbers would be worth: bounds of loops, by the prices of the proofs, and values of
 * the device, by differences on the executions at which the maxima are reached (doc/launch.md,
 * "Sensitivity"). Estimates for people; nothing rests on them. */
#include "analysis/launch/launch_steps.h"
#include "analysis/paths/path_solver.h"
#include "base/arena.h"
#include "base/checked.h"
#include "ipet/system/ipet_system.h"
#include "launch/timing/timed_hits.h"
#include "launch/timing/timing_code.h"
#include "launch/timing/warp_times.h"

#include <math.h>
#include <stdlib.h>

/* ---- how often nodes count ---- */

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
  *weights = (struct wb_launch_weights){.edges = wb_arena_array(arena, double, flow->edge_count)};
  if (weights->edges == NULL)
    return wb_out_of_memory(error);
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_launch_maximum *maximum = &maxima->items[m];
    const double weight = wb_launch_maximum_weight(maxima, bound, maximum);
    const int64_t *taken = wb_ipet_counts(&maximum->ipet);
    if (weight <= 0 || taken == NULL)
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
      if (!all && system->phase[flow->to[e]] != maximum->phase)
        continue;
      runs[flow->to[e]] += weight * (double)taken[e];
      if (wb_launch_costs_of(&maxima->costs, maximum->sum).edges != NULL)
        weights->edges[e] += weight * (double)taken[e];
    }
  }
  return WARPBOUND_OK;
}

/* ---- instructions ---- */

/* At least `time`. */
static void raise(uint64_t *until, uint64_t time)
{
  *until = wb_maximum(*until, time);
}

/* The steps of a node's instructions, from the issue before to its own and its stall, and their
 * sum. What other groups of lanes may hold, which the node's time has too, is spread like them. */
static double find_steps(const struct wb_launch_analysis *analysis, size_t node, uint64_t *steps)
{
  const struct wb_path_system *system = &analysis->paths.system;
  const struct wb_timed_code *code = &analysis->timed;
  const uint64_t denominator = analysis->times.denominator;
  const struct wb_stage_pair pair = wb_stage_pair_find(code, denominator);
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
    /* What the instruction, issued now, holds from then on. */
    const struct wb_release_times release =
        wb_release_times_of(code, &pair, instruction, denominator);
    raise(&until.end, now + release.end);
    for (size_t u = 0; u < instruction->use_count; u++) {
      const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
      raise(&until.service[use->resource], now + denominator * use->service);
    }
    if (instruction->write_scoreboard < WB_SCOREBOARD_COUNT)
      raise(&until.scoreboard[instruction->write_scoreboard], now + release.write);
    if (instruction->read_scoreboard < WB_SCOREBOARD_COUNT)
      raise(&until.scoreboard[instruction->read_scoreboard], now + release.read);
    now += denominator * instruction->stall;
    steps[i] = now - before;
  }
  return (double)now;
}

warpbound_status wb_launch_instruction_cycles_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_path_system *system = &analysis->paths.system;
  const struct wb_launch_costs *costs = &analysis->maxima.costs;
  const size_t count = analysis->timed.instruction_count;
  struct wb_arena arena = {0};
  struct wb_launch_weights weights;
  uint64_t *steps = wb_arena_array(&arena, uint64_t, count);
  warpbound_status status =
      wb_launch_weights_find(&arena, &analysis->maxima, &analysis->upper, &weights, job->error);
  double *cycles = wb_arena_array(&analysis->arena, double, count);
  analysis->instruction_cycles = cycles;
  if (steps == NULL || cycles == NULL)
    status = wb_out_of_memory(job->error);
  for (unsigned s = 0; s < WB_SUM_COUNT && status == WARPBOUND_OK; s++) {
    const double *weight = weights.of[s];
    const bool own = s == WB_SUM_OWN || s == WB_SUM_ALONE_OWN;
    for (size_t v = 0; weight != NULL && v < system->flow.node_count; v++) {
      if (!(weight[v] > 0))
        continue;
      /* The weighted cost of the node is spread over its instructions. */
      const double all = own ? find_steps(analysis, v, steps) : 0;
      const double each = all > 0 ? weight[v] * (double)analysis->times.cycles[v] /
                                        (double)analysis->times.denominator / all
                                  : 0;
      for (uint32_t i = system->first[v]; i <= system->last[v]; i++) {
        uint64_t share;
        cycles[i] += all > 0 ? each * (double)steps[i] : 0;
        const bool fits =
            wb_launch_share(&analysis->timed, &costs->series, &costs->pair, i,
                            (enum wb_launch_sum)s, costs->barriers, costs->denominator, &share);
        cycles[i] += fits ? weight[v] * (double)share / (double)costs->denominator : 0;
      }
    }
  }
  /* What an edge pays in advance is waited for from the node on that it leads to. */
  for (size_t e = 0; e < system->flow.edge_count && status == WARPBOUND_OK; e++) {
    const uint32_t v = system->flow.to[e];
    if (system->first[v] <= system->last[v])
      cycles[system->first[v]] +=
          weights.edges[e] * (double)costs->advance[e] / (double)costs->denominator;
  }
  wb_arena_free(&arena);
  return status;
}

/* ---- sensitivity ---- */

struct study {
  struct wb_launch_analysis *analysis;
  struct wb_launch_weights weights;
  bool *times_read;      /* by value of the device: times of instructions depend on it */
  struct wb_arena arena; /* owns weights and times_read */
};

static double whole(uint64_t numerator, uint64_t denominator)
{
  return (double)numerator / (double)denominator;
}

/* The upper end without its floor. */
static double cycles_of(const struct wb_launch_bound *bound, uint64_t denominator)
{
  double cycles = 0;
  for (size_t p = 0; p < WB_PART_FLOOR; p++)
    cycles += (double)bound->part[p];
  return cycles / (double)denominator;
}

/* What a cycle less is worth where others take a share of the memory. */
static double with_foreign(const struct wb_launch_analysis *analysis)
{
  return WB_FOREIGN_WHOLE / (double)(WB_FOREIGN_WHOLE - analysis->shape.foreign_share);
}

static void add_row(struct study *study, enum wb_sensitivity_kind kind, size_t index, uint64_t now,
                    double per_unit)
{
  struct wb_launch_analysis *analysis = study->analysis;
  if (per_unit > 0 || per_unit < 0)
    analysis->sensitivity[analysis->sensitivity_count++] =
        (struct wb_launch_sensitivity){.kind = kind,
                                       .index = index,
                                       .now = now,
                                       .per_unit = per_unit,
                                       .tenth = per_unit * (double)now / 10};
}

/* ---- loops ---- */

/* By how much the maxima fall where the bound of a loop falls by 1: what each iteration is worth,
 * times the entries. */
static void study_loops(struct study *study)
{
  const struct wb_launch_analysis *analysis = study->analysis;
  const struct wb_launch_maxima *maxima = &analysis->maxima;
  const struct wb_flow_system *flow = &maxima->system->flow;
  const size_t loops = analysis->paths.wcet.forest.loop_count;
  double *worth = wb_arena_array(&study->arena, double, loops);
  for (size_t m = 0; m < maxima->count; m++) {
    const struct wb_ipet_result *ipet = &maxima->items[m].ipet;
    const double weight = wb_launch_maximum_weight(maxima, &analysis->upper, &maxima->items[m]);
    const int64_t *taken = wb_ipet_counts(ipet);
    if (worth == NULL || weight <= 0 || taken == NULL)
      continue;
    for (size_t l = 0; l < flow->limit_count; l++) {
      const struct wb_flow_limit *limit = &flow->limits[l];
      const bool threads =
          limit->origin >= loops && limit->origin >= WB_IPET_ORIGIN_THREADS; /* of single lanes */
      const size_t loop = threads ? limit->origin - WB_IPET_ORIGIN_THREADS : limit->origin;
      double entries = 0;
      if (loop >= loops)
        continue;
      for (size_t t = limit->first_term; t < limit->first_term + limit->term_count; t++)
        entries += flow->terms[t].factor < 0 ? (double)taken[flow->terms[t].edge] : 0;
      worth[loop] += weight * (entries * (double)ipet->proof.price[l] / (double)ipet->proof.scale);
    }
  }
  for (size_t i = 0; i < loops && worth != NULL; i++)
    add_row(study, WB_SENSITIVE_LOOP, i, analysis->paths.wcet.loops[i].bound,
            worth[i] / (double)maxima->terms.denominator * with_foreign(analysis));
}

/* ---- values of the device ---- */

/* What it falls by with what another device's code fetches once. */
static double worth_of_fetches(const struct study *study, const struct wb_timed_code *code)
{
  const struct wb_launch_analysis *analysis = study->analysis;
  struct wb_launch_terms terms = analysis->maxima.terms;
  struct wb_launch_bound bound;
  uint64_t denominator;
  const bool known =
      wb_share_denominator(code, &denominator, NULL) == WARPBOUND_OK &&
      denominator == terms.denominator && wb_launch_cold_terms_find(code, &terms) &&
      wb_launch_bound_evaluate(&terms, &analysis->shape, &bound, NULL) == WARPBOUND_OK &&
      analysis->shape.foreign_share == 0;
  double less = 0;
  for (enum wb_launch_part p = WB_PART_FETCHES; p <= WB_PART_COLD && known; p++)
    less += whole((uint64_t)analysis->upper.part[p], denominator) -
            whole((uint64_t)bound.part[p], denominator);
  return less;
}

/* What the bound falls by with the times of another device, on the executions at which the maxima
 * are reached. Times that it cannot have are worth
 * nothing. */
/* Resources of a device have the same numbers whatever its times are. */
static bool take_places(const struct wb_timed_code *from, struct wb_timed_code *to)
{
  for (size_t r = 0; r < to->resource_count && r < from->resource_count; r++)
    to->resources[r].place = from->resources[r].place;
  return wb_timed_code_check(to) == NULL;
}

static double worth_of_times(const struct study *study, const struct wb_device_timing *device)
{
  static const enum wb_launch_sum chains[] = {WB_SUM_OWN, WB_SUM_ALONE_OWN};
  const struct wb_launch_analysis *analysis = study->analysis;
  const struct wb_launch_costs *old = &analysis->maxima.costs;
  const struct wb_path_system *system = &analysis->paths.system;
  struct wb_timed_code code = {0};
  struct wb_warp_times times = {0};
  struct wb_launch_costs costs = {0};
  struct wb_cold_start cold;
  struct wb_arena arena = {0};
  struct wb_list assumptions = {0};
  uint32_t starts[WB_FLOW_STARTS];
  double less = 0;
  const struct wb_timing_graph graph =
      wb_path_timing_graph(system, analysis->interleaved, analysis->ends, starts);
  const bool timed =
      wb_timed_code_make(analysis->code, analysis->function, device, &analysis->accesses,
                         analysis->paths.wcet.assumed_calls, &code, &assumptions,
                         NULL) == WARPBOUND_OK &&
      wb_launch_cold_add(analysis, device, &code, &cold, NULL) == WARPBOUND_OK &&
      (analysis->timed.kept.count == 0 ||
       wb_timed_code_keep(device, &analysis->accesses, &analysis->timed.kept, &code)) &&
      wb_launch_first_add(analysis, device, &code) && take_places(&analysis->timed, &code) &&
      wb_warp_times_find(&code, &graph, &times, NULL) == WARPBOUND_OK &&
      wb_launch_costs_find(&arena, &code, system, &times, &costs, NULL) == WARPBOUND_OK;
  for (unsigned s = 0; s < WB_SUM_COUNT && timed; s++) {
    const double *weight = study->weights.of[s];
    for (size_t v = 0; weight != NULL && v < system->flow.node_count; v++)
      less += weight[v] * (whole((uint64_t)old->of[s][v], old->denominator) -
                           whole((uint64_t)costs.of[s][v], costs.denominator));
  }
  for (size_t e = 0; e < system->flow.edge_count && timed; e++)
    less += study->weights.edges[e] * (whole((uint64_t)old->advance[e], old->denominator) -
                                       whole((uint64_t)costs.advance[e], costs.denominator));
  for (size_t c = 0; c < 2 && timed; c++)
    less += (double)analysis->upper.times[chains[c]] *
            (whole(analysis->times.end, analysis->times.denominator) -
             whole(times.end, times.denominator));
  if (timed)
    less -= (double)analysis->upper.left *
            (whole(analysis->times.end - analysis->times.stay, analysis->times.denominator) -
             whole(times.end - times.stay, times.denominator));
  if (timed)
    less += worth_of_fetches(study, &code);
  wb_warp_times_free(&times);
  wb_timed_code_free(&code);
  wb_arena_free(&arena);
  wb_list_free(&assumptions);
  return less * with_foreign(analysis);
}

/* What the bound falls by with the SMs, rooms and starts of another device; 0 where the launch does
 * not fit on it. */
static double worth_of_shape(const struct study *study, const struct wb_device_timing *device)
{
  const struct wb_launch_analysis *analysis = study->analysis;
  const struct wb_launch_terms *terms = &analysis->maxima.terms;
  struct wb_launch_shape shape = analysis->shape;
  struct wb_residencies residencies;
  struct wb_launch_upper upper;
  if (wb_residencies_find(device, &analysis->needs, analysis->least_carveout, &residencies, NULL) !=
      WARPBOUND_OK)
    return 0;
  shape.sms = (uint32_t)wb_device_number(device, device->sms);
  shape.partitions = (uint32_t)wb_device_number(device, device->partitions);
  shape.overhead = wb_device_number(device, device->launch_overhead);
  shape.block_start = (uint32_t)wb_device_number(device, device->block_start);
  shape.dispatch = (uint32_t)wb_device_number(device, device->dispatch);
  if (wb_launch_upper_find(terms, &shape, &residencies, analysis->balanced, &upper, NULL) !=
      WARPBOUND_OK)
    return 0;
  return cycles_of(&analysis->upper, terms->denominator) -
         cycles_of(&upper.bound, terms->denominator);
}

/* The difference for a tenth less, at least 1, where a value can be so small. */
static void study_values(struct study *study)
{
  const struct wb_device_value *values = study->analysis->device->values;
  struct wb_device_timing device = *study->analysis->device;
  device.read = NULL;
  device.values = wb_arena_array(&study->arena, struct wb_device_value, device.value_count);
  for (size_t v = 0; v < device.value_count && device.values != NULL; v++)
    device.values[v] = values[v];
  for (size_t v = 0; v < device.value_count && device.values != NULL; v++) {
    const uint64_t now = values[v].value;
    const uint64_t step = wb_maximum(now / 10, 1);
    double less = 0;
    if (now == 0)
      continue;
    device.values[v].value = now - step;
    if (wb_device_timing_values_hold(&device)) {
      less = worth_of_shape(study, &device);
      less += study->times_read[v] ? worth_of_times(study, &device) : 0;
    }
    device.values[v].value = now;
    add_row(study, WB_SENSITIVE_VALUE, v, now, less / (double)step);
  }
}

/* ---- both ---- */

static int compare_rows(const void *a, const void *b)
{
  const struct wb_launch_sensitivity *left = a;
  const struct wb_launch_sensitivity *right = b;
  if (fabs(left->tenth) < fabs(right->tenth) || fabs(left->tenth) > fabs(right->tenth))
    return fabs(left->tenth) < fabs(right->tenth) ? 1 : -1;
  if (left->kind != right->kind)
    return left->kind < right->kind ? -1 : 1;
  return left->index < right->index ? -1 : left->index > right->index;
}

warpbound_status wb_launch_sensitivity_find(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct study study = {.analysis = analysis};
  struct wb_device_timing device = *analysis->device;
  struct wb_timed_code code = {0};
  struct wb_cold_start cold;
  struct wb_list assumptions = {0};
  if (!job->question->options->sensitivity)
    return WARPBOUND_OK;
  /* At most a row for each loop and each value. */
  analysis->sensitivity =
      wb_arena_array(&analysis->arena, struct wb_launch_sensitivity,
                     analysis->paths.wcet.forest.loop_count + device.value_count);
  device.read = study.times_read = wb_arena_array(&study.arena, bool, device.value_count);
  warpbound_status status =
      analysis->sensitivity != NULL && device.read != NULL
          ? wb_launch_weights_find(&study.arena, &analysis->maxima, &analysis->upper,
                                   &study.weights, job->error)
          : wb_out_of_memory(job->error);
  if (status == WARPBOUND_OK) {
    status =
        wb_timed_code_make(analysis->code, analysis->function, &device, &analysis->accesses,
                           analysis->paths.wcet.assumed_calls, &code, &assumptions, job->error);
    if (status == WARPBOUND_OK)
      status = wb_launch_cold_add(analysis, &device, &code, &cold, job->error);
    wb_list_free(&assumptions);
  }
  if (status == WARPBOUND_OK) {
    wb_timed_code_free(&code);
    study_loops(&study);
    study_values(&study);
    if (study.arena.failed)
      status = wb_out_of_memory(job->error);
  }
  wb_arena_free(&study.arena);
  if (status == WARPBOUND_OK && analysis->sensitivity_count > 0)
    qsort(analysis->sensitivity, analysis->sensitivity_count, sizeof *analysis->sensitivity,
          compare_rows);
  return status;
}
