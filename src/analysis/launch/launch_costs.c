#include "analysis/launch/launch_costs.h"

#include "base/checked.h"
#include "base/memory.h"
#include "launch/timing/release_times.h"

#include <stdlib.h>

/* What of an instruction a sum counts: what it holds that it took at issue, and requests at
 * service / servers, each by the level of the resource. */
struct counted {
  bool held[WB_LEVEL_COUNT];
  bool requests[WB_LEVEL_COUNT];
};

#define PARTITION [WB_LEVEL_PARTITION] = true
#define SM [WB_LEVEL_SM] = true
#define GPU [WB_LEVEL_GPU] = true

/* Requests to a partition's resources are met by chains of other partitions where barriers let a
 * chain change its partition: they are counted in Y there, and else in Z. */
static struct counted what_counts(enum wb_launch_sum sum, bool barriers)
{
  static const struct counted table[WB_SUM_COUNT] = {
      [WB_SUM_ALONE_OWN] = {.requests = {PARTITION, SM, GPU}},
      [WB_SUM_ALONE_PARTITION] = {.held = {PARTITION, SM, GPU}, .requests = {PARTITION, SM, GPU}},
      [WB_SUM_ALONE_OTHERS] = {.held = {SM, GPU}, .requests = {SM, GPU}},
      [WB_SUM_OWN] = {.requests = {PARTITION, SM}},
      [WB_SUM_PARTITION] = {.held = {PARTITION, SM, GPU}, .requests = {PARTITION, SM}},
      [WB_SUM_OTHERS] = {.held = {SM, GPU}, .requests = {SM}},
      [WB_SUM_UNITS] = {.held = {PARTITION}},
      [WB_SUM_PHASE_UNITS] = {.held = {PARTITION}},
      [WB_SUM_GPU] = {.requests = {GPU}},
  };
  struct counted counted = table[sum];
  if (sum == WB_SUM_ALONE_OTHERS || sum == WB_SUM_OTHERS)
    counted.requests[WB_LEVEL_PARTITION] = barriers;
  if (sum == WB_SUM_UNITS || sum == WB_SUM_PHASE_UNITS)
    counted.requests[WB_LEVEL_PARTITION] = !barriers;
  return counted;
}

#undef PARTITION
#undef SM
#undef GPU

/* ---- one instruction ---- */

struct reader {
  const struct wb_timed_code *code;
  const struct wb_timed_instruction *instruction;
  uint64_t denominator;
};

static const struct wb_issue_use *use_at(const struct reader *reader, size_t u)
{
  return &reader->code->uses[reader->instruction->first_use + u];
}

/* The part of one cycle that a use holds of its resource, in 1 / denominator. */
static uint64_t part_of(const struct reader *reader, uint8_t resource)
{
  return reader->denominator / reader->code->resources[resource].servers;
}

/* The end of the first service that is still held after `cycle`, and the greatest part of those
 * that are; UINT64_MAX: none. */
static uint64_t next_end(const struct reader *reader, const struct counted *counted, uint64_t cycle,
                         uint64_t *part)
{
  uint64_t end = UINT64_MAX;
  *part = 0;
  for (size_t u = 0; u < reader->instruction->use_count; u++) {
    const struct wb_issue_use *use = use_at(reader, u);
    if (!counted->held[reader->code->resources[use->resource].level] || use->service <= cycle)
      continue;
    end = wb_minimum(end, use->service);
    *part = wb_maximum(*part, part_of(reader, use->resource));
  }
  return end;
}

/* hold: cycle by cycle the greatest part of what the instruction, taken at issue, still holds. */
static bool add_held(const struct reader *reader, const struct counted *counted, uint64_t *sum)
{
  uint64_t part;
  uint64_t from = 0;
  uint64_t end = next_end(reader, counted, 0, &part);
  for (; end != UINT64_MAX; end = next_end(reader, counted, from, &part)) {
    uint64_t held;
    if (!wb_multiply(end - from, part, &held) || !wb_add(*sum, held, sum))
      return false;
    from = end;
  }
  return true;
}

static bool add_requests(const struct reader *reader, const struct counted *counted, uint64_t *sum)
{
  for (size_t s = 0; s < reader->instruction->stage_count; s++) {
    const struct wb_request_stage *stage =
        &reader->code->stages[reader->instruction->first_stage + s];
    uint64_t share;
    if (!counted->requests[reader->code->resources[stage->resource].level])
      continue;
    if (!wb_multiply((uint64_t)stage->requests * stage->service, part_of(reader, stage->resource),
                     &share) ||
        !wb_add(*sum, share, sum))
      return false;
  }
  return true;
}

/* All steps and services of an instruction in full. */
static bool add_total(const struct reader *reader, uint64_t *sum)
{
  const struct wb_timed_instruction *instruction = reader->instruction;
  uint64_t cycles = instruction->stall;
  for (size_t u = 0; u < instruction->use_count; u++)
    cycles = wb_maximum(cycles, use_at(reader, u)->service);
  cycles += (uint64_t)instruction->latency + instruction->read_latency;
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &reader->code->stages[instruction->first_stage + s];
    cycles += stage->delay + (uint64_t)stage->requests * stage->service;
  }
  return wb_multiply(cycles, reader->denominator, &cycles) && wb_add(*sum, cycles, sum);
}

bool wb_launch_share(const struct wb_timed_code *code, uint32_t instruction, enum wb_launch_sum sum,
                     bool barriers, uint64_t denominator, uint64_t *share)
{
  const struct reader reader = {
      .code = code, .instruction = &code->instructions[instruction], .denominator = denominator};
  const struct counted counted = what_counts(sum, barriers);
  *share = 0;
  if (sum == WB_SUM_BARRIERS) {
    *share = reader.instruction->barrier ? denominator : 0;
    return true;
  }
  if (sum == WB_SUM_TOTAL)
    return add_total(&reader, share);
  return add_held(&reader, &counted, share) && add_requests(&reader, &counted, share);
}

/* ---- nodes ---- */

struct maker {
  const struct wb_timed_code *code;
  const struct wb_path_system *system;
  const struct wb_warp_times *times;
  struct wb_launch_costs *costs;
};

static uint64_t longest_unit_of(const struct wb_timed_code *code, uint32_t instruction)
{
  const struct wb_timed_instruction *timed = &code->instructions[instruction];
  uint64_t longest = 1;
  for (size_t u = 0; u < timed->use_count; u++) {
    const struct wb_issue_use *use = &code->uses[timed->first_use + u];
    if (code->resources[use->resource].level == WB_LEVEL_PARTITION)
      longest = wb_maximum(longest, use->service);
  }
  return longest - 1;
}

/* What holds of all nodes together. */
static void look_at_nodes(struct maker *maker)
{
  struct wb_launch_costs *costs = maker->costs;
  for (size_t v = 0; v < maker->system->flow.node_count; v++) {
    for (uint32_t i = maker->system->first[v]; i <= maker->system->last[v]; i++) {
      costs->barriers |= maker->code->instructions[i].barrier;
      costs->longest_unit = wb_maximum(costs->longest_unit, longest_unit_of(maker->code, i));
    }
  }
  if (!costs->barriers)
    costs->longest_unit = 0;
}

/* A warp's own steps in a node, in 1 / denominator cycles. */
static bool own_steps(const struct maker *maker, size_t node, enum wb_launch_sum sum,
                      uint64_t *steps)
{
  *steps = 0;
  if ((sum != WB_SUM_ALONE_OWN && sum != WB_SUM_OWN) ||
      maker->system->first[node] > maker->system->last[node])
    return true;
  return wb_multiply(maker->times->cycles[node],
                     maker->costs->denominator / maker->times->denominator, steps);
}

static bool cost_node(const struct maker *maker, size_t node, enum wb_launch_sum sum, int64_t *cost)
{
  uint64_t all;
  if (!own_steps(maker, node, sum, &all))
    return false;
  for (uint32_t i = maker->system->first[node]; i <= maker->system->last[node]; i++) {
    uint64_t share;
    if (!wb_launch_share(maker->code, i, sum, maker->costs->barriers, maker->costs->denominator,
                         &share) ||
        !wb_add(all, share, &all))
      return false;
  }
  *cost = (int64_t)all;
  return all <= INT64_MAX;
}

static warpbound_status cost_nodes(const struct maker *maker, enum wb_launch_sum sum,
                                   warpbound_error *error)
{
  int64_t *cost = wb_allocate(maker->system->flow.node_count, sizeof *cost);
  maker->costs->of[sum] = cost;
  if (cost == NULL)
    return wb_out_of_memory(error);
  for (size_t v = 0; v < maker->system->flow.node_count; v++) {
    if (!cost_node(maker, v, sum, &cost[v]))
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the times of a block of instructions do not fit into 64 bits");
  }
  return WARPBOUND_OK;
}

warpbound_status wb_launch_costs_find(const struct wb_timed_code *code,
                                      const struct wb_path_system *system,
                                      const struct wb_warp_times *times,
                                      struct wb_launch_costs *costs, warpbound_error *error)
{
  struct maker maker = {.code = code, .system = system, .times = times, .costs = costs};
  *costs = (struct wb_launch_costs){0};
  warpbound_status status = wb_share_denominator(code, &costs->denominator, error);
  if (status != WARPBOUND_OK)
    return status;
  look_at_nodes(&maker);
  for (unsigned s = 0; s < WB_SUM_COUNT && status == WARPBOUND_OK; s++)
    status = cost_nodes(&maker, (enum wb_launch_sum)s, error);
  if (status != WARPBOUND_OK)
    wb_launch_costs_free(costs);
  return status;
}

void wb_launch_costs_free(struct wb_launch_costs *costs)
{
  for (unsigned s = 0; s < WB_SUM_COUNT; s++)
    free(costs->of[s]);
  *costs = (struct wb_launch_costs){0};
}

struct wb_timing_graph wb_path_timing_graph(const struct wb_path_system *system,
                                            const bool *interleaved, const bool *ends,
                                            uint32_t starts[WB_FLOW_STARTS])
{
  const struct wb_flow_system *flow = &system->flow;
  for (size_t s = 0; s < flow->start_count; s++)
    starts[s] = flow->starts[s].node;
  return (struct wb_timing_graph){
      .node_count = flow->node_count,
      .edge_count = flow->edge_count,
      .first = system->first,
      .last = system->last,
      .interleaved = interleaved,
      .ends = ends,
      .from = flow->from,
      .to = flow->to,
      .starts = starts,
      .start_count = flow->start_count,
  };
}
