#include "certificate/launch/launch_costs.h"

#include "base/checked.h"

/* Sets of levels. */
#define PARTITION (1U << WB_LEVEL_PARTITION)
#define SM (1U << WB_LEVEL_SM)
#define GPU (1U << WB_LEVEL_GPU)

/* What an instruction adds to a sum. */
struct parts {
  unsigned holds;    /* levels of whose servers, taken at issue, the time held counts */
  unsigned requests; /* levels of whose servers the share of requests counts */
  bool total;        /* its times one after the other */
  bool barrier;      /* 1 if it is a barrier */
};

static struct parts parts_of(enum wb_check_launch_sum sum, bool barriers)
{
  switch (sum) {
  case WB_CHECK_LAUNCH_ALONE_OWN:
    return (struct parts){.requests = PARTITION | SM | GPU};
  case WB_CHECK_LAUNCH_ALONE_PARTITION:
    return (struct parts){.holds = PARTITION | SM, .requests = PARTITION | SM | GPU};
  case WB_CHECK_LAUNCH_ALONE_OTHERS:
    return (struct parts){.holds = SM, .requests = SM | GPU | (barriers ? PARTITION : 0)};
  case WB_CHECK_LAUNCH_OWN:
    return (struct parts){.requests = PARTITION | SM};
  case WB_CHECK_LAUNCH_PARTITION:
    return (struct parts){.holds = PARTITION | SM, .requests = PARTITION | SM};
  case WB_CHECK_LAUNCH_OTHERS:
    return (struct parts){.holds = SM, .requests = SM | (barriers ? PARTITION : 0)};
  case WB_CHECK_LAUNCH_UNITS:
  case WB_CHECK_LAUNCH_PHASE_UNITS:
    return (struct parts){.holds = PARTITION, .requests = barriers ? 0 : PARTITION};
  case WB_CHECK_LAUNCH_GPU:
    return (struct parts){.requests = GPU};
  case WB_CHECK_LAUNCH_TOTAL:
    return (struct parts){.total = true};
  default:
    return (struct parts){.barrier = true};
  }
}

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

/* Adds the service of the instruction's requests, each over the servers. */
static bool add_requests(const struct wb_timed_code *code,
                         const struct wb_timed_instruction *instruction, unsigned levels,
                         uint64_t denominator, uint64_t *sum)
{
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    if (counts(code, levels, stage->resource) &&
        !add_product((uint64_t)stage->requests * stage->service,
                     denominator / code->resources[stage->resource].servers, sum))
      return false;
  }
  return true;
}

/* Adds all times of the instruction, one after the other. */
static bool add_total(const struct wb_timed_code *code,
                      const struct wb_timed_instruction *instruction, uint64_t denominator,
                      uint64_t *sum)
{
  uint64_t time = instruction->stall;
  for (size_t u = 0; u < instruction->use_count; u++)
    time = wb_maximum(time, code->uses[instruction->first_use + u].service);
  time += (uint64_t)instruction->latency + instruction->read_latency;
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    time += stage->delay + (uint64_t)stage->requests * stage->service;
  }
  return add_product(time, denominator, sum);
}

static bool add_instruction(const struct wb_timed_code *code, size_t index,
                            const struct parts *parts, uint64_t denominator, uint64_t *sum)
{
  const struct wb_timed_instruction *instruction = &code->instructions[index];
  if (parts->holds != 0 &&
      !wb_add(*sum, time_held(code, instruction, parts->holds, denominator), sum))
    return false;
  if (parts->requests != 0 && !add_requests(code, instruction, parts->requests, denominator, sum))
    return false;
  if (parts->total && !add_total(code, instruction, denominator, sum))
    return false;
  return !parts->barrier || !instruction->barrier || wb_add(*sum, denominator, sum);
}

warpbound_status wb_check_launch_costs_add(const struct wb_check_launch_claim *claim,
                                           enum wb_check_launch_sum sum, bool barriers,
                                           uint64_t denominator, int64_t *cost,
                                           warpbound_error *error)
{
  const struct parts parts = parts_of(sum, barriers);
  for (size_t v = 0; v < claim->system.node_count; v++) {
    uint64_t whole = (uint64_t)cost[v];
    bool fits = true;
    for (uint64_t i = claim->first[v]; i <= claim->last[v] && fits; i++)
      fits = add_instruction(&claim->code, (size_t)i, &parts, denominator, &whole);
    if (!fits || whole > INT64_MAX)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "a time of node %zu does not fit into 64 bits",
                     v);
    cost[v] = (int64_t)whole;
  }
  return WARPBOUND_OK;
}
