#include "certificate/launch/launch_costs.h"

#include "base/checked.h"

/* Sets of levels. */
#define PARTITION (1U << WB_LEVEL_PARTITION)
#define SM (1U << WB_LEVEL_SM)
#define GPU (1U << WB_LEVEL_GPU)

/* What an instruction adds to each sum. */
static const struct parts {
  unsigned holds;       /* levels of whose servers, taken at issue, the time held counts */
  unsigned requests[2]; /* levels of whose servers the share of requests counts: without barriers,
                           with them */
  bool total;           /* its times one after the other */
  bool barrier;         /* 1 if it is a barrier */
} parts_of_sum[WB_CHECK_LAUNCH_SUM_COUNT] = {
    [WB_CHECK_LAUNCH_ALONE_OWN] = {0, {PARTITION | SM | GPU, PARTITION | SM | GPU}},
    [WB_CHECK_LAUNCH_ALONE_PARTITION] = {PARTITION | SM,
                                         {PARTITION | SM | GPU, PARTITION | SM | GPU}},
    [WB_CHECK_LAUNCH_ALONE_OTHERS] = {SM, {SM | GPU, PARTITION | SM | GPU}},
    [WB_CHECK_LAUNCH_OWN] = {0, {PARTITION | SM, PARTITION | SM}},
    [WB_CHECK_LAUNCH_PARTITION] = {PARTITION | SM, {PARTITION | SM, PARTITION | SM}},
    [WB_CHECK_LAUNCH_OTHERS] = {SM, {SM, PARTITION | SM}},
    [WB_CHECK_LAUNCH_UNITS] = {PARTITION, {PARTITION, 0}},
    [WB_CHECK_LAUNCH_PHASE_UNITS] = {PARTITION, {PARTITION, 0}},
    [WB_CHECK_LAUNCH_GPU] = {0, {GPU, GPU}},
    [WB_CHECK_LAUNCH_TOTAL] = {.total = true},
    [WB_CHECK_LAUNCH_BARRIERS] = {.barrier = true},
};

static bool counts(const struct wb_timed_code *code, unsigned levels, uint8_t resource)
{
  return (levels >> code->resources[resource].level & 1) != 0;
}

/* The sum over the cycles of the largest 1 / servers of what the instruction, having taken it at
 * issue, still holds. Each turn goes on to the next cycle in which a server is let go. */
static uint64_t time_held(const struct wb_timed_code *code,
                          const struct wb_timed_instruction *instruction, unsigned levels,
                          uint64_t denominator)
{
  uint64_t held = 0;
  uint64_t now = 0;
  bool more = true;
  while (more) {
    uint64_t share = 0;
    uint64_t next = UINT64_MAX;
    for (size_t u = 0; u < instruction->use_count; u++) {
      const struct wb_issue_use *use = &code->uses[instruction->first_use + u];
      if (!counts(code, levels, use->resource) || use->service <= now)
        continue;
      share = wb_maximum(share, denominator / code->resources[use->resource].servers);
      next = wb_minimum(next, use->service);
    }
    more = next != UINT64_MAX;
    if (more) {
      held += share * (next - now);
      now = next;
    }
  }
  return held;
}

/* *sum += a * b. */
static bool add_product(uint64_t a, uint64_t b, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(a, b, &product) && wb_add(*sum, product, sum);
}

/* Adds what the instruction adds to the sum. requests: levels, of parts. false: it does not fit. */
static bool add_instruction(const struct wb_timed_code *code,
                            const struct wb_timed_instruction *instruction,
                            const struct parts *parts, unsigned requests, uint64_t denominator,
                            uint64_t *sum)
{
  if (parts->holds != 0 &&
      !wb_add(*sum, time_held(code, instruction, parts->holds, denominator), sum))
    return false;
  uint64_t time = instruction->stall; /* of all, one after the other */
  for (size_t u = 0; u < instruction->use_count; u++)
    time = wb_maximum(time, code->uses[instruction->first_use + u].service);
  time += (uint64_t)instruction->latency + instruction->read_latency;
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    const uint64_t service = (uint64_t)stage->requests * stage->service;
    time += stage->delay + service;
    if (counts(code, requests, stage->resource) &&
        !add_product(service, denominator / code->resources[stage->resource].servers, sum))
      return false;
  }
  if (parts->total && !add_product(time, denominator, sum))
    return false;
  return !parts->barrier || !instruction->barrier || wb_add(*sum, denominator, sum);
}

warpbound_status wb_check_launch_costs_add(const struct wb_check_launch_claim *claim,
                                           enum wb_check_launch_sum sum, bool barriers,
                                           uint64_t denominator, int64_t *cost,
                                           warpbound_error *error)
{
  const struct parts *parts = &parts_of_sum[sum];
  for (size_t v = 0; v < claim->system.node_count; v++) {
    uint64_t whole = (uint64_t)cost[v];
    bool fits = true;
    for (uint64_t i = claim->first[v]; i <= claim->last[v] && fits; i++)
      fits = add_instruction(&claim->code, &claim->code.instructions[i], parts,
                             parts->requests[barriers], denominator, &whole);
    if (!fits || whole > INT64_MAX)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "a time of node %zu does not fit into 64 bits",
                     v);
    cost[v] = (int64_t)whole;
  }
  return WARPBOUND_OK;
}
