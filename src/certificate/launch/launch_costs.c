#include "certificate/launch/launch_costs.h"

#include "base/checked.h"
#include "certificate/launch/launch_stages.h"

/* ---- own steps ---- */

/* What can keep a warp, one after the other: scoreboards, services of what it took at issue, the
 * end of all; and what it needs its SM for. */
enum {
  FIRST_SERVICE = WB_SCOREBOARD_COUNT,
  END = FIRST_SERVICE + WB_RESOURCE_LIMIT,
  STAY,
  KEEPER_COUNT
};

/* The check under way. */
struct chainer {
  const struct wb_check_launch_claim *claim;
  const struct wb_check_path_phases *phases;
  uint64_t denominator;
  struct wb_check_pair pair;      /* of the code */
  uint64_t floor[KEEPER_COUNT];   /* of interleaved nodes: what other groups may set at any time */
  uint64_t passed[KEEPER_COUNT];  /* the most that any node with a barrier leaves */
  uint64_t (*left)[KEEPER_COUNT]; /* by node */
  warpbound_error *error;
};

/* A node under way: times are counted from its begin. */
struct walk {
  uint64_t now;
  uint64_t until[KEEPER_COUNT];
  const uint64_t *floor; /* by keeper: it keeps for so long at least, at any time; NULL: 0 */
};

static bool is_reached(const struct chainer *chainer, size_t node)
{
  return chainer->phases->phase[node] != WB_CHECK_PATH_UNSEEN;
}

static bool is_interleaved(const struct chainer *chainer, size_t node)
{
  return chainer->claim->interleaved != NULL && chainer->claim->interleaved[node];
}

static void raise(uint64_t *number, uint64_t least)
{
  *number = wb_maximum(*number, least);
}

/* ---- what an instruction sets ---- */

/* The time from an instruction's issue until its first `count` stages have ended, of each service
 * all but the share of its own requests. Fits: 255 stages of 7 * WB_TIME_LIMIT * WB_SHARE_LIMIT. */
static uint64_t time_of_stages(const struct chainer *chainer,
                               const struct wb_timed_instruction *instruction, size_t count)
{
  const struct wb_timed_code *code = &chainer->claim->code;
  uint64_t time = 0;
  uint64_t before = 0; /* own service of the stage before */
  for (size_t s = 0; s < count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    const uint64_t share = chainer->denominator / code->resources[stage->resource].servers;
    const uint64_t hit = stage->hit * chainer->denominator;
    uint64_t of_stage =
        stage->delay * chainer->denominator + stage->service * (chainer->denominator - share);
    /* Data that L2 keeps: a hit there, or a fetch, which may be counted for the launch alone. */
    if (stage->buffer > 0)
      of_stage = wb_maximum(hit, code->kept.buffers[stage->buffer - 1].by_sector ? 0 : of_stage);
    /* At the far one of the pair a chain pays for a way back: in place of its own way there. */
    if (&code->resources[stage->resource] == chainer->pair.far) {
      const bool joined = s > 0 && wb_check_pair_joins(code, &chainer->pair, instruction, s - 1);
      const uint64_t own = stage->delay * chainer->denominator + before;
      of_stage += chainer->pair.way * chainer->denominator + chainer->pair.twice;
      of_stage -= joined ? own : 0;
    }
    before = stage->service * (chainer->denominator - share);
    time += of_stage;
  }
  return time;
}

static uint64_t longest_service(const struct chainer *chainer,
                                const struct wb_timed_instruction *instruction)
{
  uint64_t longest = 0;
  for (size_t u = 0; u < instruction->use_count; u++)
    raise(&longest, chainer->claim->code.uses[instruction->first_use + u].service);
  return longest * chainer->denominator;
}

/* What the instruction sets, from its issue on; services of its uses only if asked for. */
static void set_times(const struct chainer *chainer, const struct wb_timed_instruction *instruction,
                      bool services, uint64_t times[KEEPER_COUNT])
{
  const uint64_t write = time_of_stages(chainer, instruction, instruction->stage_count) +
                         instruction->latency * chainer->denominator;
  const uint64_t read = time_of_stages(chainer, instruction, instruction->read_stages) +
                        instruction->read_latency * chainer->denominator;
  for (size_t k = 0; k < KEEPER_COUNT; k++)
    times[k] = 0;
  if (instruction->write_scoreboard != WB_NO_SCOREBOARD)
    raise(&times[instruction->write_scoreboard], write);
  if (instruction->read_scoreboard != WB_NO_SCOREBOARD)
    raise(&times[instruction->read_scoreboard], read);
  for (size_t u = 0; u < instruction->use_count && services; u++) {
    const struct wb_issue_use *use = &chainer->claim->code.uses[instruction->first_use + u];
    times[FIRST_SERVICE + use->resource] = use->service * chainer->denominator;
  }
  times[END] = wb_maximum(wb_maximum(write, read), longest_service(chainer, instruction));
  times[STAY] = times[END];
  if (!instruction->posted)
    return;
  /* A store: the SM is needed until its last stage there. */
  const struct wb_timed_code *code = &chainer->claim->code;
  size_t here = 0;
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const uint8_t resource = code->stages[instruction->first_stage + s].resource;
    here = code->resources[resource].level == WB_LEVEL_GPU ? here : s + 1;
  }
  times[STAY] = wb_maximum(read, longest_service(chainer, instruction));
  raise(&times[STAY],
        time_of_stages(chainer, instruction, here) + instruction->latency * chainer->denominator);
}

/* ---- a node ---- */

static uint64_t remaining(const struct walk *walk, size_t keeper)
{
  const uint64_t rest = walk->until[keeper] > walk->now ? walk->until[keeper] - walk->now : 0;
  return walk->floor != NULL ? wb_maximum(rest, walk->floor[keeper]) : rest;
}

static void begin(const struct chainer *chainer, size_t node, uint64_t until[KEEPER_COUNT])
{
  const struct wb_check_launch_pending *pending = &chainer->claim->pending[node];
  for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++)
    until[b] = pending->scoreboard[b];
  for (size_t r = 0; r < WB_RESOURCE_LIMIT; r++)
    until[FIRST_SERVICE + r] = pending->service[r];
  until[END] = pending->end;
  until[STAY] = pending->stay;
}

/* The node's time, and what it leaves. */
static warpbound_status run_node(struct chainer *chainer, size_t node, uint64_t *cycles)
{
  const struct wb_check_launch_claim *claim = chainer->claim;
  struct walk walk = {.floor = is_interleaved(chainer, node) ? chainer->floor : NULL};
  begin(chainer, node, walk.until);
  for (size_t k = 0; k < KEEPER_COUNT && walk.floor != NULL; k++) {
    if (walk.until[k] < walk.floor[k])
      return wb_fail(chainer->error, WARPBOUND_CHECK_FAILED,
                     "node %zu: the claimed pending times are below those of other groups of lanes",
                     node);
  }
  for (uint64_t i = claim->first[node]; i <= claim->last[node]; i++) {
    const struct wb_timed_instruction *instruction = &claim->code.instructions[i];
    uint64_t times[KEEPER_COUNT];
    uint64_t after = instruction->stall * chainer->denominator;
    /* For how long the instruction may have to wait for its warp's own past. */
    uint64_t wait = 0;
    for (size_t u = 0; u < instruction->use_count; u++)
      raise(&wait, remaining(&walk, FIRST_SERVICE +
                                        claim->code.uses[instruction->first_use + u].resource));
    for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++) {
      if ((instruction->wait_mask >> b & 1) != 0 || instruction->counted_scoreboard == b)
        raise(&wait, remaining(&walk, b));
    }
    if (instruction->fence)
      raise(&wait, remaining(&walk, END));
    if (!wb_add(walk.now, wait + instruction->before * chainer->denominator, &walk.now))
      return wb_fail(chainer->error, WARPBOUND_CHECK_FAILED, "a time does not fit into 64 bits");
    set_times(chainer, instruction, true, times);
    for (size_t k = 0; k < KEEPER_COUNT; k++) {
      uint64_t until;
      if (!wb_add(walk.now, times[k], &until))
        return wb_fail(chainer->error, WARPBOUND_CHECK_FAILED, "a time does not fit into 64 bits");
      raise(&walk.until[k], until);
    }
    if (walk.floor != NULL)
      raise(&after, longest_service(chainer, instruction));
    if (!wb_add(walk.now, after, &walk.now))
      return wb_fail(chainer->error, WARPBOUND_CHECK_FAILED, "a time does not fit into 64 bits");
  }
  *cycles = walk.now;
  for (size_t k = 0; k < KEEPER_COUNT; k++)
    chainer->left[node][k] = remaining(&walk, k);
  return WARPBOUND_OK;
}

/* ---- all nodes ---- */

static warpbound_status check_edge(const struct chainer *chainer, size_t edge)
{
  const struct wb_flow_system *system = &chainer->claim->system;
  const uint32_t from = system->from[edge];
  uint64_t until[KEEPER_COUNT];
  const uint64_t *advance = chainer->claim->advance;
  begin(chainer, system->to[edge], until);
  for (size_t k = 0; k < KEEPER_COUNT; k++) {
    /* The edge has taken what it pays: so much of what was left is over. */
    if (chainer->left[from][k] > until[k] &&
        (advance == NULL || chainer->left[from][k] - until[k] > advance[edge]))
      return wb_fail(chainer->error, WARPBOUND_CHECK_FAILED,
                     "edge %zu: the claimed pending times are below those of node %u", edge,
                     (unsigned)from);
    if (chainer->phases->graph.barrier[from] && until[k] < chainer->passed[k])
      return wb_fail(chainer->error, WARPBOUND_CHECK_FAILED,
                     "edge %zu: the claimed pending times are below those of a barrier", edge);
  }
  return WARPBOUND_OK;
}

warpbound_status
wb_check_launch_chains_make(struct wb_arena *arena, const struct wb_check_launch_claim *claim,
                            const struct wb_check_path_phases *phases, uint64_t denominator,
                            struct wb_check_launch_chains *chains, warpbound_error *error)
{
  const struct wb_flow_system *system = &claim->system;
  struct chainer chainer = {.claim = claim,
                            .phases = phases,
                            .denominator = denominator,
                            .pair = wb_check_pair_of(&claim->code, denominator),
                            .left =
                                wb_arena_allocate(arena, system->node_count, sizeof *chainer.left),
                            .error = error};
  *chains = (struct wb_check_launch_chains){
      .cycles = wb_arena_array(arena, uint64_t, system->node_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  for (size_t v = 0; v < claim->system.node_count; v++) {
    if (!is_reached(&chainer, v) || !is_interleaved(&chainer, v))
      continue;
    for (uint64_t i = claim->first[v]; i <= claim->last[v]; i++) {
      uint64_t times[KEEPER_COUNT];
      set_times(&chainer, &claim->code.instructions[i], false, times);
      for (size_t k = 0; k < KEEPER_COUNT; k++)
        raise(&chainer.floor[k], times[k]);
    }
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t v = 0; v < claim->system.node_count && status == WARPBOUND_OK; v++) {
    if (!is_reached(&chainer, v))
      continue;
    status = run_node(&chainer, v, &chains->cycles[v]);
    for (size_t k = FIRST_SERVICE; k < END && chainer.phases->graph.barrier[v]; k++)
      raise(&chainer.passed[k], chainer.left[v][k]);
    if (chainer.phases->graph.final == NULL || chainer.phases->graph.final[v]) {
      raise(&chains->end, chainer.left[v][END]);
      raise(&chains->stay, chainer.left[v][STAY]);
    }
  }
  for (size_t e = 0; e < system->edge_count && status == WARPBOUND_OK; e++) {
    if (!phases->never[e] && is_reached(&chainer, system->from[e]))
      status = check_edge(&chainer, e);
  }
  return status;
}

/* Sets of levels. */
#define PARTITION (1U << WB_LEVEL_PARTITION)
#define SM (1U << WB_LEVEL_SM)
#define GPU (1U << WB_LEVEL_GPU)

/* What an instruction adds to each sum. */
static const struct parts {
  unsigned holds;       /* levels of whose servers, taken at issue, the time held counts */
  unsigned requests[2]; /* levels of whose servers the share of requests counts: without barriers,
                           with them */
  bool own;             /* of the chain's own warp: stages in series count in full */
  bool total;           /* its times one after the other */
  bool barrier;         /* 1 if it is a barrier */
} parts_of_sum[WB_CHECK_LAUNCH_SUM_COUNT] = {
    [WB_CHECK_LAUNCH_ALONE_OWN] = {0, {PARTITION | SM | GPU, PARTITION | SM | GPU}, .own = true},
    [WB_CHECK_LAUNCH_ALONE_PARTITION] = {PARTITION | SM,
                                         {PARTITION | SM | GPU, PARTITION | SM | GPU}},
    [WB_CHECK_LAUNCH_ALONE_OTHERS] = {SM, {SM | GPU, PARTITION | SM | GPU}},
    [WB_CHECK_LAUNCH_OWN] = {0, {PARTITION | SM, PARTITION | SM}, .own = true},
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

/* Adds the requests of the stages at service / servers: of a run of the series the greatest, or
 * what is held at issue before its first one, of the pair the greater, else all. requests: levels.
 * *sum has nothing held yet. */
static bool add_stages(const struct wb_timed_code *code, const struct wb_check_pair *pair,
                       const struct wb_timed_instruction *instruction, const struct parts *parts,
                       unsigned requests, uint64_t denominator, uint64_t *sum)
{
  const struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  uint64_t held = parts->holds == 0 ? 0 : time_held(code, instruction, parts->holds, denominator);
  for (size_t first = 0; first < instruction->stage_count;) {
    const size_t end = wb_check_pair_joins(code, pair, instruction, first)
                           ? first + 2
                           : wb_check_stages_run(code, instruction, first);
    const struct wb_resource *begin = &code->resources[stages[first].resource];
    uint64_t greatest = 0;
    uint64_t all = 0;
    for (size_t s = first; s < end; s++) {
      uint64_t work = 0;
      if (counts(code, requests, stages[s].resource) && stages[s].buffer == 0 &&
          !add_product((uint64_t)stages[s].requests * stages[s].service,
                       denominator / code->resources[stages[s].resource].servers, &work))
        return false;
      greatest = wb_maximum(greatest, work);
      if (!wb_add(all, work, &all))
        return false;
    }
    /* The issue begins the run, unless requests to a partition are made in another one. */
    const bool issue = first == 0 && begin->place > 0 && begin->level != WB_LEVEL_GPU &&
                       !parts->own &&
                       (begin->level != WB_LEVEL_PARTITION || (parts->holds & PARTITION) != 0);
    if (issue) {
      greatest = wb_maximum(greatest, held);
      held = 0;
    }
    if (!wb_add(*sum, parts->own ? all : greatest, sum))
      return false;
    first = end;
  }
  return wb_add(*sum, held, sum);
}

/* All times of the instruction, one after the other. */
static uint64_t whole_time(const struct wb_timed_code *code,
                           const struct wb_timed_instruction *instruction)
{
  uint64_t time = instruction->stall;
  for (size_t u = 0; u < instruction->use_count; u++)
    time = wb_maximum(time, code->uses[instruction->first_use + u].service);
  time += (uint64_t)instruction->before + instruction->latency + instruction->read_latency;
  for (size_t s = 0; s < instruction->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    time += stage->delay + (uint64_t)stage->requests * stage->service;
  }
  return time;
}

/* Adds what the instruction adds to the sum. requests: levels, of parts. false: it does not fit. */
static bool add_instruction(const struct wb_timed_code *code, const struct wb_check_stages *series,
                            const struct wb_check_pair *pair,
                            const struct wb_timed_instruction *instruction,
                            const struct parts *parts, unsigned requests, uint64_t denominator,
                            uint64_t *sum)
{
  if (parts->total)
    return add_product(whole_time(code, instruction), denominator, sum);
  if (parts->barrier)
    return !instruction->barrier || wb_add(*sum, denominator, sum);
  if (parts->own && !add_product(wb_check_stages_paid(code, series, instruction), denominator, sum))
    return false;
  return add_stages(code, pair, instruction, parts, requests, denominator, sum);
}

warpbound_status wb_check_launch_costs_add(const struct wb_check_launch_claim *claim,
                                           enum wb_check_launch_sum sum, bool barriers,
                                           uint64_t denominator, int64_t *cost,
                                           warpbound_error *error)
{
  const struct parts *parts = &parts_of_sum[sum];
  const struct wb_check_stages series = wb_check_stages_of(&claim->code);
  const struct wb_check_pair pair = wb_check_pair_of(&claim->code, denominator);
  for (size_t v = 0; v < claim->system.node_count; v++) {
    uint64_t whole = (uint64_t)cost[v];
    bool fits = true;
    for (uint64_t i = claim->first[v]; i <= claim->last[v] && fits; i++)
      fits = add_instruction(&claim->code, &series, &pair, &claim->code.instructions[i], parts,
                             parts->requests[barriers], denominator, &whole);
    if (!fits || whole > INT64_MAX)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "a time of node %zu does not fit into 64 bits",
                     v);
    cost[v] = (int64_t)whole;
  }
  return WARPBOUND_OK;
}
