#include "analysis/launch/launch_maxima.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/paths_check.h"
#include "launch/timing/warp_times.h"

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

static const struct counted counted_of[WB_SUM_COUNT] = {
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

#undef PARTITION
#undef SM
#undef GPU

/* ---- one instruction ---- */

struct reader {
  const struct wb_timed_code *code;
  const struct wb_stage_pair *pair;
  const struct wb_timed_instruction *instruction;
  uint64_t denominator;
};

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
    const struct wb_issue_use *use = &reader->code->uses[reader->instruction->first_use + u];
    if (!counted->held[reader->code->resources[use->resource].level] || use->service <= cycle)
      continue;
    end = wb_minimum(end, use->service);
    *part = wb_maximum(*part, part_of(reader, use->resource));
  }
  return end;
}

static bool is_own(enum wb_launch_sum sum)
{
  return sum == WB_SUM_ALONE_OWN || sum == WB_SUM_OWN;
}

/* All steps and services of an instruction in full. */
static uint64_t total_cycles(const struct reader *reader)
{
  const struct wb_timed_code *code = reader->code;
  const struct wb_timed_instruction *timed = reader->instruction;
  uint64_t cycles = timed->stall;
  for (size_t u = 0; u < timed->use_count; u++)
    cycles = wb_maximum(cycles, code->uses[timed->first_use + u].service);
  cycles += (uint64_t)timed->latency + timed->read_latency + timed->before;
  for (size_t s = 0; s < timed->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[timed->first_stage + s];
    cycles += stage->delay + (uint64_t)stage->requests * stage->service;
  }
  return cycles;
}

/* hold: cycle by cycle the greatest part of what the instruction, taken at issue, still holds. */
static bool find_hold(const struct reader *reader, const struct counted *counted, uint64_t *hold)
{
  uint64_t part;
  uint64_t from = 0;
  uint64_t end = next_end(reader, counted, 0, &part);
  *hold = 0;
  for (; end != UINT64_MAX; end = next_end(reader, counted, from, &part)) {
    uint64_t held;
    if (!wb_multiply(end - from, part, &held) || !wb_add(*hold, held, hold))
      return false;
    from = end;
  }
  return true;
}

/* Adds to what is held at issue the requests at service / servers; of stages that follow each other
 * in the series, and of the pair of the GPU's resources, only the greatest where `others` count. */
static bool add_requests(const struct reader *reader, const struct counted *counted, bool others,
                         uint64_t hold, uint64_t *share)
{
  const struct wb_timed_code *code = reader->code;
  const struct wb_timed_instruction *timed = reader->instruction;
  uint64_t most = hold; /* of the stages that follow each other */
  *share = 0;
  for (size_t s = 0; s < timed->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[timed->first_stage + s];
    const enum wb_resource_level level = code->resources[stage->resource].level;
    /* What an instruction of another partition takes of the SM at issue says nothing of when its
     * requests to that partition are served. */
    const bool apart = s == 0 && level == WB_LEVEL_PARTITION && !counted->held[level];
    uint64_t requests = 0;
    /* Of kept data the launch has each fetch once. */
    if (counted->requests[level] && stage->buffer == 0 &&
        !wb_multiply((uint64_t)stage->requests * stage->service, part_of(reader, stage->resource),
                     &requests))
      return false;
    if (others && !apart &&
        (wb_stage_series_follows(code, timed, s) ||
         wb_stage_pair_follows(code, reader->pair, timed, s))) {
      most = wb_maximum(most, requests);
    } else {
      if (!wb_add(*share, most, share))
        return false;
      most = requests;
    }
  }
  return wb_add(*share, most, share);
}

bool wb_launch_share(const struct wb_timed_code *code, const struct wb_stage_series *series,
                     const struct wb_stage_pair *pair, uint32_t instruction, enum wb_launch_sum sum,
                     bool barriers, uint64_t denominator, uint64_t *share)
{
  const struct wb_timed_instruction *timed = &code->instructions[instruction];
  const struct reader reader = {
      .code = code, .pair = pair, .instruction = timed, .denominator = denominator};
  struct counted counted = counted_of[sum];
  uint64_t hold;
  uint64_t laps = 0;
  *share = 0;
  if (sum == WB_SUM_BARRIERS) {
    *share = timed->barrier ? denominator : 0;
    return true;
  }
  if (sum == WB_SUM_TOTAL)
    return wb_multiply(total_cycles(&reader), denominator, share);
  /* Requests to a partition's resources are met by chains of other partitions where barriers let a
   * chain change its partition: they are counted in Y there, and else in Z. */
  if (sum == WB_SUM_ALONE_OTHERS || sum == WB_SUM_OTHERS)
    counted.requests[WB_LEVEL_PARTITION] = barriers;
  if (sum == WB_SUM_UNITS || sum == WB_SUM_PHASE_UNITS)
    counted.requests[WB_LEVEL_PARTITION] = !barriers;
  if (is_own(sum) && !wb_multiply(wb_stage_series_laps(code, series, timed), denominator, &laps))
    return false;
  return find_hold(&reader, &counted, &hold) &&
         add_requests(&reader, &counted, !is_own(sum), hold, share) && wb_add(*share, laps, share);
}

/* ---- nodes and edges ---- */

warpbound_status wb_launch_costs_find(struct wb_arena *arena, const struct wb_timed_code *code,
                                      const struct wb_path_system *system,
                                      const struct wb_warp_times *times,
                                      struct wb_launch_costs *costs, warpbound_error *error)
{
  *costs = (struct wb_launch_costs){.series = wb_stage_series_find(code)};
  uint64_t longest = 1;
  warpbound_status status = wb_share_denominator(code, &costs->denominator, error);
  if (status != WARPBOUND_OK)
    return status;
  costs->pair = wb_stage_pair_find(code, costs->denominator);
  for (size_t v = 0; v < system->flow.node_count; v++) {
    for (uint32_t i = system->first[v]; i <= system->last[v]; i++) {
      const struct wb_timed_instruction *instruction = &code->instructions[i];
      costs->barriers |= instruction->barrier;
      for (size_t u = 0; u < instruction->use_count; u++) {
        const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
        const bool own = code->resources[use->resource].level == WB_LEVEL_PARTITION;
        longest = wb_maximum(longest, own ? use->service : 0);
      }
    }
  }
  costs->longest_unit = costs->barriers ? longest - 1 : 0;
  for (unsigned s = 0; s < WB_SUM_COUNT; s++) {
    const bool own = is_own((enum wb_launch_sum)s); /* a warp's own steps count too */
    bool fits = true;
    costs->of[s] = wb_arena_array(arena, int64_t, system->flow.node_count);
    if (costs->of[s] == NULL)
      return wb_out_of_memory(error);
    for (size_t v = 0; v < system->flow.node_count && fits; v++) {
      uint64_t all = 0;
      if (own && system->first[v] <= system->last[v])
        fits = wb_multiply(times->cycles[v], costs->denominator / times->denominator, &all);
      for (uint32_t i = system->first[v]; i <= system->last[v] && fits; i++) {
        uint64_t share;
        fits = wb_launch_share(code, &costs->series, &costs->pair, i, (enum wb_launch_sum)s,
                               costs->barriers, costs->denominator, &share) &&
               wb_add(all, share, &all);
      }
      fits = fits && all <= INT64_MAX;
      costs->of[s][v] = (int64_t)all;
    }
    if (!fits)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the times of a block of instructions do not fit into 64 bits");
  }
  costs->advance = wb_arena_array(arena, int64_t, system->flow.edge_count);
  if (costs->advance == NULL)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < system->flow.edge_count; e++) {
    uint64_t advance;
    if (!wb_multiply(times->advance[e], costs->denominator / times->denominator, &advance) ||
        advance > INT64_MAX)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the times of an edge between blocks do not fit into 64 bits");
    costs->advance[e] = (int64_t)advance;
  }
  return WARPBOUND_OK;
}

struct wb_path_costs wb_launch_costs_of(const struct wb_launch_costs *costs, enum wb_launch_sum sum)
{
  return (struct wb_path_costs){.nodes = costs->of[sum],
                                .edges = is_own(sum) ? costs->advance : NULL};
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
  struct wb_ipet_options how;
  const struct wb_control *control;
  struct wb_launch_maxima *maxima;
  warpbound_error *error;
};

/* ---- one maximum ---- */

static int64_t at(const int64_t *costs, size_t index)
{
  return costs != NULL ? costs[index] : 0;
}

/* Whether two sums have the same costs in a phase; without arrays they are 0. */
static bool are_equal(const struct search *search, const struct wb_path_costs *costs,
                      const struct wb_path_costs *other, uint32_t phase)
{
  const struct wb_path_system *system = search->system;
  const bool all = phase >= WB_STRETCHES;
  for (size_t v = 0; v < system->flow.node_count; v++) {
    if ((all || system->phase[v] == phase) && at(costs->nodes, v) != at(other->nodes, v))
      return false;
  }
  for (size_t e = 0; e < system->flow.edge_count; e++) {
    if ((all || system->phase[system->flow.to[e]] == phase) &&
        at(costs->edges, e) != at(other->edges, e))
      return false;
  }
  return true;
}

/* Solves a maximum and keeps it: that of the same costs where it is there already. */
static warpbound_status solve(struct search *search, enum wb_launch_sum sum, uint32_t phase,
                              uint64_t *most)
{
  const struct wb_flow_system *flow = &search->system->flow;
  struct wb_launch_maxima *maxima = search->maxima;
  const struct wb_path_costs costs = wb_launch_costs_of(&maxima->costs, sum);
  struct wb_launch_maximum made = {.sum = sum, .phase = phase};
  struct wb_ipet_result *ipet = &made.ipet;
  warpbound_status status = WARPBOUND_OK;
  if (!wb_grow(maxima->items, &maxima->capacity, maxima->count + 1))
    return wb_out_of_memory(search->error);
  for (size_t m = 0; m < maxima->count && !made.shared; m++) {
    const struct wb_launch_maximum *other = &maxima->items[m];
    const struct wb_path_costs others = wb_launch_costs_of(&maxima->costs, other->sum);
    made.shared = other->phase == phase && are_equal(search, &costs, &others, phase);
    if (made.shared)
      made.ipet = other->ipet;
  }
  if (!made.shared && are_equal(search, &costs, &(struct wb_path_costs){0}, phase)) {
    /* Where nothing costs anything no limit has a price, and no port, and no node where stretches
     * start, a potential. */
    *ipet = (struct wb_ipet_result){.status = WB_IPET_SOLVED, .proof = {.scale = 1}};
    ipet->proof.price = wb_allocate(flow->limit_count, sizeof *ipet->proof.price);
    ipet->proof.potential = wb_allocate(flow->port_count + 1, sizeof *ipet->proof.potential);
    if (ipet->proof.price == NULL || ipet->proof.potential == NULL)
      status = wb_out_of_memory(search->error);
  } else if (!made.shared) {
    status = wb_path_system_solve(search->system, &costs, phase, &search->how, search->control,
                                  ipet, search->error);
  }
  if (status != WARPBOUND_OK) {
    wb_ipet_result_free(ipet);
    return status;
  }
  maxima->items[maxima->count++] = made;
  *most = ipet->proof.bound > 0 ? (uint64_t)ipet->proof.bound : 0;
  return WARPBOUND_OK;
}

/* ---- sums ---- */

static warpbound_status solve_whole(struct search *search, enum wb_launch_sum sum, uint32_t phase)
{
  return solve(search, sum, phase, &search->maxima->terms.sum[sum]);
}

/* Over composite paths. Where some warps may end before the first barrier, a chain may begin with
 * one of them: its path is a stretch, and a composite path of one phase. */
static warpbound_status solve_composite(struct search *search, enum wb_launch_sum sum)
{
  uint64_t *whole = &search->maxima->terms.sum[sum];
  uint64_t early = 0;
  warpbound_status status = solve_whole(search, sum, WB_COMPOSITE_PATHS);
  if (status != WARPBOUND_OK || search->system->early_ends == 0 || sum == WB_SUM_PHASE_UNITS)
    return status;
  status = solve(search, sum, WB_STRETCHES, &early);
  if (status == WARPBOUND_INVALID_INPUT) { /* local limits do not bound a stretch */
    early = *whole;
    status = WARPBOUND_OK;
  }
  if (status == WARPBOUND_OK && !wb_add(*whole, wb_minimum(early, *whole), whole))
    status = wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                     "the times of a path do not fit into 64 bits");
  return status;
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
    return solve_composite(search, sum);
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

/* n lambda + (F + W) u of doc/launches/caches.md: the fetches that chains wait for by sector, and
 * the work of all fetches and of what they drive out. */
static warpbound_status find_fetches(const struct search *search)
{
  const struct wb_timed_code *code = search->maxima->code;
  struct wb_launch_terms *terms = &search->maxima->terms;
  const uint64_t denominator = terms->denominator;
  const struct wb_request_stage *fetch = wb_timed_code_fetch(code);
  uint64_t wait = 0; /* lambda, u */
  uint64_t work = 0;
  bool fits = true;
  if (fetch != NULL) {
    const uint64_t share = denominator / code->resources[fetch->resource].servers;
    wait = fetch->delay * denominator + fetch->service * (denominator - share);
    work = fetch->service * share;
  }
  terms->kept = code->kept.count > 0;
  terms->fetches = 0;
  for (size_t b = 0; b < code->kept.count && !code->kept.warm; b++) {
    const struct wb_kept_buffer *buffer = &code->kept.buffers[b];
    const uint64_t sectors = 4 * code->kept.copies * buffer->lines;
    uint64_t waits;
    uint64_t works;
    fits = fits && wb_multiply(sectors, buffer->by_sector ? wait : 0, &waits) &&
           wb_multiply(2 * sectors, work, &works) &&
           wb_add(terms->fetches, waits, &terms->fetches) &&
           wb_add(terms->fetches, works, &terms->fetches);
  }
  return fits ? WARPBOUND_OK
              : wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                        "the times of all fetches do not fit into 64 bits");
}

/* Adds a times b to the sum; false where it does not fit. */
static bool add_product(uint64_t a, uint64_t b, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(a, b, &product) && wb_add(*sum, product, sum);
}

/* What a chain waits for in a stage of something that is fetched once; with the memory behind L2,
 * where that keeps the data, at most as long as a hit or a fetch of L2's. */
static uint64_t cold_wait(const struct wb_timed_code *code, const struct wb_request_stage *stage,
                          uint64_t denominator)
{
  const uint64_t share = denominator / code->resources[stage->resource].servers;
  const uint64_t wait = denominator * stage->delay + stage->service * (denominator - share);
  const uint64_t hit = denominator * stage->hit;
  if (stage->buffer == 0)
    return wait;
  return code->kept.buffers[stage->buffer - 1].by_sector ? hit : wb_maximum(hit, wait);
}

bool wb_launch_cold_terms_find(const struct wb_timed_code *code, struct wb_launch_terms *terms)
{
  const uint64_t denominator = terms->denominator;
  bool fits = true;
  for (size_t l = 0; l < WB_LEVEL_COUNT; l++)
    terms->cold[l] = (struct wb_cold_terms){0};
  terms->first = (struct wb_cold_terms){0};
  terms->first_of_block = code->first.of_block;
  terms->first_recent = code->first.recent ? code->first.retained / WB_LINE_BYTES : 0;
  terms->first_lines = 0;
  for (size_t b = 0; b < code->first.count; b++)
    terms->first_lines = wb_plus(terms->first_lines, code->first.buffers[b].block_lines);
  for (size_t c = 0; c < code->cold_count; c++) {
    const struct wb_cold_fetch *fetch = &code->cold[c];
    struct wb_cold_terms *cold =
        fetch->data == WB_FIRST_AS_BEFORE ? &terms->cold[fetch->level] : &terms->first;
    const uint64_t later = fetch->count - fetch->by_all_warps;
    for (size_t s = 0; s < fetch->stage_count && fits; s++) {
      const struct wb_request_stage *stage = &fetch->stages[s];
      const struct wb_resource *resource = &code->resources[stage->resource];
      const uint64_t share = denominator / resource->servers;
      const uint64_t delay = denominator * stage->delay;
      /* Where accesses pay for fetches chains do not; L2 has the work of what it keeps. */
      const uint64_t wait =
          fetch->data == WB_FIRST_BY_ACCESS ? 0 : cold_wait(code, stage, denominator);
      const uint64_t work =
          stage->buffer > 0 ? 0 : (uint64_t)stage->requests * stage->service; /* in cycles */
      const bool of_gpu = resource->level == WB_LEVEL_GPU;
      uint64_t share_of_all = 0;
      uint64_t all = delay;
      fits = wb_multiply(work, share, &share_of_all) && add_product(work, denominator, &all) &&
             add_product(fetch->count, wait, &cold->wait) &&
             add_product(later, wait, &cold->wait_later) &&
             add_product(fetch->count, share_of_all, of_gpu ? &cold->gpu : &cold->sm) &&
             add_product(of_gpu ? 0 : later, share_of_all, &cold->sm_later) &&
             add_product(fetch->count, all, &cold->whole);
    }
  }
  return fits;
}

/* Adds what is still under way when a warp has issued its last instruction, of so many warps. */
static warpbound_status add_ends(struct search *search, uint64_t warps)
{
  struct wb_launch_maxima *maxima = search->maxima;
  struct wb_launch_terms *terms = &maxima->terms;
  const uint64_t scale = terms->denominator / maxima->times->denominator;
  uint64_t end;
  if (!wb_multiply(maxima->times->end, scale, &end) || !wb_multiply(end, warps, &end) ||
      !wb_add(terms->sum[WB_SUM_OWN], end, &terms->sum[WB_SUM_OWN]) ||
      !wb_add(terms->sum[WB_SUM_ALONE_OWN], end, &terms->sum[WB_SUM_ALONE_OWN]))
    return wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                   "the times of a path do not fit into 64 bits");
  terms->after = (maxima->times->end - maxima->times->stay) * scale; /* fits: the end does */
  return WARPBOUND_OK;
}

/* Of whole paths, whose barriers are not told apart: warps of a block pass as many. */
static warpbound_status solve_whole_paths(struct search *search)
{
  static const enum wb_launch_sum needed[] = {WB_SUM_BARRIERS,  WB_SUM_OWN, WB_SUM_ALONE_OWN,
                                              WB_SUM_PARTITION, WB_SUM_GPU, WB_SUM_ALONE_PARTITION};
  struct wb_launch_terms *terms = &search->maxima->terms;
  warpbound_status status = WARPBOUND_OK;
  for (size_t n = 0; n < sizeof needed / sizeof needed[0] && status == WARPBOUND_OK; n++)
    status = solve_whole(search, needed[n], WB_CHECK_ALL_PHASES);
  if (status == WARPBOUND_OK)
    status = add_ends(search, 1);
  /* Where all paths end before the first barrier it still stands in the code: as the checker says.
   */
  terms->phases = wb_maximum(terms->sum[WB_SUM_BARRIERS] / terms->denominator, 1) + 1;
  terms->as_many = status == WARPBOUND_OK;
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
  warpbound_status status = WARPBOUND_OK;
  terms->phases = search->system->phases; /* f */
  if (wb_path_system_is_composite(search->system)) {
    status = solve_sum(search, WB_SUM_BARRIERS);
    if (status == WARPBOUND_OK)
      terms->phases = terms->sum[WB_SUM_BARRIERS] / terms->denominator + 1;
  }
  for (size_t n = 0; n < sizeof needed / sizeof needed[0] && status == WARPBOUND_OK; n++)
    status = solve_sum(search, needed[n]);
  if (status != WARPBOUND_OK)
    return status;
  /* Of the last warp of the chain, and of each that ended before a barrier. */
  status = add_ends(search, 1 + (uint64_t)search->system->early_ends);
  if (status != WARPBOUND_OK)
    return status;
  if (terms->phases == 1)
    terms->sum[WB_SUM_UNITS] = terms->sum[WB_SUM_PHASE_UNITS];
  terms->longest_unit = terms->phases > 1 ? maxima->costs.longest_unit : 0;
  terms->barriers_known = true;
  return WARPBOUND_OK;
}

/* Whether a maximum has no number that is known, for want of bounds or time. */
static bool is_without_bound(warpbound_status status)
{
  return status == WARPBOUND_LIMIT || status == WARPBOUND_INVALID_INPUT;
}

warpbound_status wb_launch_maxima_find(const struct wb_timed_code *code,
                                       const struct wb_path_system *system,
                                       const struct wb_warp_times *times,
                                       const struct wb_control *control,
                                       struct wb_launch_maxima *maxima, warpbound_error *error)
{
  struct search search = {.system = system,
                          .how = {.effort = WB_IPET_BOUND, .basis = &maxima->basis},
                          .control = control,
                          .maxima = maxima,
                          .error = error};
  *maxima = (struct wb_launch_maxima){.code = code, .system = system, .times = times};
  warpbound_status status =
      wb_launch_costs_find(&maxima->arena, code, system, times, &maxima->costs, error);
  maxima->terms = (struct wb_launch_terms){
      .denominator = maxima->costs.denominator, .change = maxima->costs.series.change, .phases = 1};
  for (size_t r = 0; r < code->resource_count; r++)
    maxima->terms.series = maxima->terms.series || (code->resources[r].place > 0 &&
                                                    code->resources[r].level != WB_LEVEL_GPU);
  if (status == WARPBOUND_OK)
    status = find_fetches(&search);
  if (status == WARPBOUND_OK && !wb_launch_cold_terms_find(code, &maxima->terms))
    status =
        wb_fail(error, WARPBOUND_INVALID_INPUT, "the times of all fetches do not fit into 64 bits");
  if (status == WARPBOUND_OK) {
    /* The theorems need phases; nothing is lost by the total where a theorem fails. */
    const bool composite = wb_path_system_is_composite(system);
    status = system->phased || composite ? solve_theorems(&search) : WARPBOUND_INVALID_INPUT;
    const bool known = status == WARPBOUND_OK;
    if (!known && system->as_many) {
      const warpbound_status whole = solve_whole_paths(&search);
      if (whole != WARPBOUND_OK && !is_without_bound(whole))
        status = whole;
    }
    if (known ? composite : is_without_bound(status))
      status = solve_sum(&search, WB_SUM_TOTAL);
    if (known && is_without_bound(status))
      status = WARPBOUND_OK;
  }
  if (status == WARPBOUND_OK && !maxima->terms.barriers_known && !maxima->terms.as_many)
    wb_list_add(&maxima->assumptions,
                "no barrier waits for ever: phases between barriers are not told apart, and all "
                "steps of all warps count one after the other");
  if (status == WARPBOUND_OK && maxima->assumptions.failed)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_launch_maxima_free(maxima);
  return status;
}

void wb_launch_maxima_add_groups(struct wb_launch_maxima *maxima,
                                 const struct wb_launch_shape *shape)
{
  struct wb_launch_terms *terms = &maxima->terms;
  if (maxima->system->groups && terms->as_many)
    terms->phases = wb_plus(1, wb_times(terms->phases - 1, shape->block_warps));
}

void wb_launch_maxima_free(struct wb_launch_maxima *maxima)
{
  wb_ipet_result_free(&maxima->block);
  wb_ipet_result_free(&maxima->whole);
  for (size_t m = 0; m < maxima->count; m++) {
    if (!maxima->items[m].shared)
      wb_ipet_result_free(&maxima->items[m].ipet);
  }
  free(maxima->items);
  wb_arena_free(&maxima->arena);
  wb_list_free(&maxima->assumptions);
  wb_linear_basis_free(&maxima->basis);
  *maxima = (struct wb_launch_maxima){0};
}
