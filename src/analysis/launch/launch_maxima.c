#include "analysis/launch/launch_maxima.h"

#include "analysis/paths/system/path_solver.h"
#include "analysis/paths/system/path_stretches.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/paths_check.h"
#include "launch/timing/release_times.h"

#include <stdlib.h>
#include <string.h>

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

static warpbound_status cost_nodes(struct wb_arena *arena, const struct maker *maker,
                                   enum wb_launch_sum sum, warpbound_error *error)
{
  int64_t *cost = wb_arena_array(arena, int64_t, maker->system->flow.node_count);
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

warpbound_status wb_launch_costs_find(struct wb_arena *arena, const struct wb_timed_code *code,
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
    status = cost_nodes(arena, &maker, (enum wb_launch_sum)s, error);
  return status;
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

struct search {
  const struct wb_path_system *system;
  const struct wb_control *control;
  struct wb_launch_maxima *maxima;
  warpbound_error *error;
};

/* ---- one maximum ---- */

static bool counts(const struct wb_path_system *system, size_t node, uint32_t phase)
{
  return phase >= WB_STRETCHES || system->phase[node] == phase;
}

static bool is_zero(const struct search *search, enum wb_launch_sum sum, uint32_t phase)
{
  const int64_t *cost = search->maxima->costs.of[sum];
  for (size_t v = 0; v < search->system->flow.node_count; v++) {
    if (cost[v] != 0 && counts(search->system, v, phase))
      return false;
  }
  return true;
}

static bool are_equal(const struct search *search, enum wb_launch_sum a, enum wb_launch_sum b,
                      uint32_t phase)
{
  const struct wb_launch_costs *costs = &search->maxima->costs;
  for (size_t v = 0; v < search->system->flow.node_count; v++) {
    if (costs->of[a][v] != costs->of[b][v] && counts(search->system, v, phase))
      return false;
  }
  return true;
}

/* A maximum of the same costs that is there already, or NULL. */
static const struct wb_launch_maximum *find_equal(const struct search *search,
                                                  enum wb_launch_sum sum, uint32_t phase)
{
  const struct wb_launch_maxima *maxima = search->maxima;
  for (size_t m = 0; m < maxima->count; m++) {
    if (maxima->items[m].phase == phase && are_equal(search, sum, maxima->items[m].sum, phase))
      return &maxima->items[m];
  }
  return NULL;
}

static int64_t *copy_numbers(const int64_t *numbers, size_t count)
{
  int64_t *copy = wb_allocate(count, sizeof *copy);
  if (copy != NULL && count > 0)
    memcpy(copy, numbers, count * sizeof *copy);
  return copy;
}

/* Where nothing costs anything no limit has a price, and no port, and no node where stretches
 * start, a potential. */
static bool make_zero(const struct wb_flow_system *flow, struct wb_ipet_result *result)
{
  *result = (struct wb_ipet_result){.status = WB_IPET_SOLVED, .proof = {.scale = 1}};
  result->proof.price = wb_allocate(flow->limit_count, sizeof *result->proof.price);
  result->proof.potential = wb_allocate(flow->port_count + 1, sizeof *result->proof.potential);
  return result->proof.price != NULL && result->proof.potential != NULL;
}

static warpbound_status fill(struct search *search, struct wb_launch_maximum *maximum)
{
  const struct wb_flow_system *flow = &search->system->flow;
  const struct wb_launch_maximum *equal = find_equal(search, maximum->sum, maximum->phase);
  if (equal != NULL) {
    maximum->ipet = equal->ipet;
    maximum->ipet.proof.price = copy_numbers(equal->ipet.proof.price, flow->limit_count);
    maximum->ipet.proof.potential = copy_numbers(equal->ipet.proof.potential, flow->port_count);
    maximum->ipet.taken =
        equal->ipet.taken != NULL ? copy_numbers(equal->ipet.taken, flow->edge_count) : NULL;
    return maximum->ipet.proof.price != NULL && maximum->ipet.proof.potential != NULL &&
                   (equal->ipet.taken == NULL || maximum->ipet.taken != NULL)
               ? WARPBOUND_OK
               : wb_out_of_memory(search->error);
  }
  if (is_zero(search, maximum->sum, maximum->phase))
    return make_zero(flow, &maximum->ipet) ? WARPBOUND_OK : wb_out_of_memory(search->error);
  return wb_path_system_solve(search->system, search->maxima->costs.of[maximum->sum],
                              maximum->phase, search->control, &maximum->ipet, search->error);
}

/* Solves a maximum and keeps it. */
static warpbound_status solve(struct search *search, enum wb_launch_sum sum, uint32_t phase,
                              uint64_t *most)
{
  struct wb_launch_maxima *maxima = search->maxima;
  if (!wb_grow(maxima->items, &maxima->capacity, maxima->count + 1))
    return wb_out_of_memory(search->error);
  struct wb_launch_maximum made = {.sum = sum, .phase = phase};
  const warpbound_status status = fill(search, &made);
  if (status != WARPBOUND_OK) {
    wb_ipet_result_free(&made.ipet);
    return status;
  }
  maxima->items[maxima->count++] = made;
  *most = made.ipet.proof.bound > 0 ? (uint64_t)made.ipet.proof.bound : 0;
  return WARPBOUND_OK;
}

/* ---- sums ---- */

static warpbound_status solve_whole(struct search *search, enum wb_launch_sum sum, uint32_t phase)
{
  return solve(search, sum, phase, &search->maxima->terms.sum[sum]);
}

static warpbound_status solve_sum(struct search *search, enum wb_launch_sum sum)
{
  /* What is true of each warp's own path needs no composite paths: each service at the GPU's
   * resources, and each step of the total, is counted once. */
  if (sum == WB_SUM_GPU || sum == WB_SUM_TOTAL || sum == WB_SUM_BARRIERS)
    return solve_whole(search, sum, WB_CHECK_ALL_PHASES);
  /* Where local limits alone do not bound a stretch, whole composite paths do. */
  if (wb_path_system_is_composite(search->system) && sum == WB_SUM_PHASE_UNITS) {
    const warpbound_status status = solve_whole(search, sum, WB_STRETCHES);
    if (status != WARPBOUND_INVALID_INPUT)
      return status;
  }
  if (wb_path_system_is_composite(search->system))
    return solve_whole(search, sum, WB_COMPOSITE_PATHS);
  if (search->system->phases == 1)
    return solve_whole(search, sum, WB_CHECK_ALL_PHASES);
  /* The sum over the phases, or of one phase the most. */
  uint64_t *whole = &search->maxima->terms.sum[sum];
  warpbound_status status = WARPBOUND_OK;
  *whole = 0;
  for (uint32_t p = 0; p < search->system->phases && status == WARPBOUND_OK; p++) {
    uint64_t most = 0;
    status = solve(search, sum, p, &most);
    if (sum == WB_SUM_PHASE_UNITS)
      *whole = wb_maximum(*whole, most);
    else if (!wb_add(*whole, most, whole))
      status = wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                       "the times of a path do not fit into 64 bits");
  }
  return status;
}

/* ---- what the theorems need ---- */

/* f. */
static warpbound_status count_phases(struct search *search)
{
  struct wb_launch_maxima *maxima = search->maxima;
  maxima->terms.phases = search->system->phases;
  if (!wb_path_system_is_composite(search->system))
    return WARPBOUND_OK;
  const warpbound_status status = solve_sum(search, WB_SUM_BARRIERS);
  if (status == WARPBOUND_OK)
    maxima->terms.phases = maxima->terms.sum[WB_SUM_BARRIERS] / maxima->terms.denominator + 1;
  return status;
}

static warpbound_status solve_theorems(struct search *search)
{
  static const enum wb_launch_sum needed[] = {
      WB_SUM_OWN,    WB_SUM_ALONE_OWN,    WB_SUM_PARTITION,   WB_SUM_ALONE_PARTITION,
      WB_SUM_OTHERS, WB_SUM_ALONE_OTHERS, WB_SUM_PHASE_UNITS, WB_SUM_GPU,
  };
  struct wb_launch_maxima *maxima = search->maxima;
  struct wb_launch_terms *terms = &maxima->terms;
  warpbound_status status = count_phases(search);
  for (size_t n = 0; n < sizeof needed / sizeof needed[0] && status == WARPBOUND_OK; n++)
    status = solve_sum(search, needed[n]);
  if (status != WARPBOUND_OK)
    return status;
  /* What is still under way when a warp has issued its last instruction. */
  uint64_t end;
  if (!wb_multiply(maxima->times->end, terms->denominator / maxima->times->denominator, &end) ||
      !wb_add(terms->sum[WB_SUM_OWN], end, &terms->sum[WB_SUM_OWN]) ||
      !wb_add(terms->sum[WB_SUM_ALONE_OWN], end, &terms->sum[WB_SUM_ALONE_OWN]))
    return wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                   "the times of a path do not fit into 64 bits");
  if (terms->phases == 1)
    terms->sum[WB_SUM_UNITS] = terms->sum[WB_SUM_PHASE_UNITS];
  terms->longest_unit = terms->phases > 1 ? maxima->costs.longest_unit : 0;
  terms->barriers_known = true;
  return WARPBOUND_OK;
}

/* The theorems need phases; nothing is lost by the total where a theorem fails. */
static warpbound_status solve_all(struct search *search)
{
  const struct wb_path_system *system = search->system;
  warpbound_status status = WARPBOUND_INVALID_INPUT;
  if (system->phased || wb_path_system_is_composite(system))
    status = solve_theorems(search);
  if (status == WARPBOUND_OK ? !wb_path_system_is_composite(system)
                             : status != WARPBOUND_LIMIT && status != WARPBOUND_INVALID_INPUT)
    return status;
  const bool known = status == WARPBOUND_OK;
  status = solve_sum(search, WB_SUM_TOTAL);
  return known && (status == WARPBOUND_LIMIT || status == WARPBOUND_INVALID_INPUT) ? WARPBOUND_OK
                                                                                   : status;
}

static void state_assumptions(const struct search *search)
{
  struct wb_launch_maxima *maxima = search->maxima;
  if (!maxima->terms.barriers_known)
    wb_list_add(&maxima->assumptions,
                "no barrier waits for ever: phases between barriers are not told apart, and all "
                "steps of all warps count one after the other");
}

warpbound_status wb_launch_maxima_find(const struct wb_timed_code *code,
                                       const struct wb_path_system *system,
                                       const struct wb_warp_times *times,
                                       const struct wb_control *control,
                                       struct wb_launch_maxima *maxima, warpbound_error *error)
{
  struct search search = {.system = system, .control = control, .maxima = maxima, .error = error};
  *maxima = (struct wb_launch_maxima){.code = code, .system = system, .times = times};
  warpbound_status status =
      wb_launch_costs_find(&maxima->arena, code, system, times, &maxima->costs, error);
  maxima->terms = (struct wb_launch_terms){.denominator = maxima->costs.denominator, .phases = 1};
  if (status == WARPBOUND_OK)
    status = solve_all(&search);
  if (status == WARPBOUND_OK)
    state_assumptions(&search);
  if (status == WARPBOUND_OK && maxima->assumptions.failed)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_launch_maxima_free(maxima);
  return status;
}

void wb_launch_maxima_free(struct wb_launch_maxima *maxima)
{
  for (size_t m = 0; m < maxima->count; m++)
    wb_ipet_result_free(&maxima->items[m].ipet);
  free(maxima->items);
  wb_arena_free(&maxima->arena);
  wb_list_free(&maxima->assumptions);
  *maxima = (struct wb_launch_maxima){0};
}
