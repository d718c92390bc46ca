/* Maxima over the paths of one warp: the kernel of doc/launch.md's worked example as straight code,
 * as a loop, with barriers in phases and with barriers in a loop, to the digit; costs of single
 * instructions by hand; where no theorem holds. The timing of a warp's own steps is that of
 * launch/timing, whose own tests are elsewhere; systems are made by hand, not from machine code. */
#include "analysis/launch/launch_maxima.h"
#include "analysis/launch/launch_steps.h"
#include "analysis/paths/path_solver.h"
#include "base/arena.h"
#include "base/work_control.h"
#include "certificate/launch/launch_claim.h"
#include "launch/bounds/launch_formula.h"
#include "launch/timing/warp_times.h"
#include "unit.h"

#define MOST_NODES 16
#define MOST_EDGES 16
#define MOST_CODE 128

enum { SLOT, LANES, PATH, L2, DRAM, RESOURCES };

/* ---- machine code of the example ---- */

struct listing {
  struct wb_timed_instruction instructions[MOST_CODE];
  struct wb_issue_use uses[2 * MOST_CODE];
  struct wb_request_stage stages[3 * MOST_CODE];
  struct wb_timed_code code;
};

static void start(struct listing *listing)
{
  static const struct wb_resource resources[RESOURCES] = {
      [SLOT] = {"issue", WB_LEVEL_PARTITION, 1, true},
      [LANES] = {"fp32", WB_LEVEL_PARTITION, 1, true},
      [PATH] = {"load/store", WB_LEVEL_SM, 1, false},
      [L2] = {"l2", WB_LEVEL_GPU, 16, false},
      [DRAM] = {"dram", WB_LEVEL_GPU, 32, false},
  };
  memset(listing, 0, sizeof *listing);
  memcpy(listing->code.resources, resources, sizeof resources);
  listing->code.resource_count = RESOURCES;
  listing->code.instructions = listing->instructions;
  listing->code.uses = listing->uses;
  listing->code.stages = listing->stages;
}

static void use(struct listing *listing, uint8_t resource, uint32_t service)
{
  struct wb_timed_code *code = &listing->code;
  struct wb_timed_instruction *last = &listing->instructions[code->instruction_count - 1];
  assert_true(code->use_count < 2 * MOST_CODE);
  listing->uses[code->use_count++] = (struct wb_issue_use){resource, service};
  last->use_count++;
}

static void request(struct listing *listing, uint8_t resource, uint32_t delay, uint32_t service)
{
  struct wb_timed_code *code = &listing->code;
  struct wb_timed_instruction *last = &listing->instructions[code->instruction_count - 1];
  assert_true(code->stage_count < 3 * MOST_CODE);
  listing->stages[code->stage_count++] = (struct wb_request_stage){
      .resource = resource, .requests = 1, .delay = delay, .service = service};
  last->stage_count++;
}

/* An instruction that takes the issue slot for a cycle. */
static struct wb_timed_instruction *issue(struct listing *listing, uint32_t stall)
{
  struct wb_timed_code *code = &listing->code;
  assert_true(code->instruction_count < MOST_CODE);
  struct wb_timed_instruction *made = &listing->instructions[code->instruction_count++];
  *made = (struct wb_timed_instruction){.stall = stall,
                                        .first_use = (uint32_t)code->use_count,
                                        .first_stage = (uint32_t)code->stage_count,
                                        .write_scoreboard = WB_NO_SCOREBOARD,
                                        .read_scoreboard = WB_NO_SCOREBOARD,
                                        .counted_scoreboard = WB_NO_SCOREBOARD};
  use(listing, SLOT, 1);
  return made;
}

static struct wb_timed_instruction *access_memory(struct listing *listing, uint32_t latency)
{
  struct wb_timed_instruction *made = issue(listing, 2);
  made->latency = latency;
  request(listing, PATH, 4, 4);
  request(listing, L2, 40, 4);
  request(listing, DRAM, 60, 8);
  return made;
}

static void barrier(struct listing *listing, uint8_t wait_mask)
{
  struct wb_timed_instruction *made = issue(listing, 20);
  made->barrier = true;
  made->wait_mask = wait_mask;
}

static void addresses(struct listing *listing)
{
  for (int i = 0; i < 4; i++)
    issue(listing, 4);
}

/* A load and an add; the barrier waits for the load, else the first FFMA. */
static void load(struct listing *listing, bool barriers)
{
  access_memory(listing, 80)->write_scoreboard = 0;
  issue(listing, 4);
  if (barriers)
    barrier(listing, 1);
}

static void compute(struct listing *listing, bool barriers)
{
  for (int i = 0; i < 8; i++) {
    struct wb_timed_instruction *made = issue(listing, 4);
    use(listing, LANES, 2);
    made->wait_mask = i == 0 && !barriers;
  }
  if (barriers)
    barrier(listing, 0);
}

static void turn(struct listing *listing)
{
  issue(listing, 6);
}

static void finish(struct listing *listing)
{
  access_memory(listing, 0);
  issue(listing, 1);
}

/* ---- systems of paths ---- */

/* A system under construction: the next node begins after the last instruction of the one before.
 */
struct sketch {
  struct listing listing;
  uint32_t last[MOST_NODES];
  size_t nodes;
  uint32_t edges[MOST_EDGES][2];
  size_t edge_count;
  struct wb_path_system system;
  uint32_t first[MOST_NODES], phase[MOST_NODES];
  uint32_t count[MOST_NODES][WB_UNIT_COUNT];
  bool composed[2], local[2];
};

static uint32_t end_node(struct sketch *sketch)
{
  assert_true(sketch->nodes < MOST_NODES);
  sketch->last[sketch->nodes] = (uint32_t)sketch->listing.code.instruction_count - 1;
  return (uint32_t)sketch->nodes++;
}

static uint32_t edge(struct sketch *sketch, uint32_t from, uint32_t to)
{
  assert_true(sketch->edge_count < MOST_EDGES);
  sketch->edges[sketch->edge_count][0] = from;
  sketch->edges[sketch->edge_count][1] = to;
  return (uint32_t)sketch->edge_count++;
}

/* A walk from node 0 to the last one, without limits. */
static void close_sketch(struct sketch *sketch)
{
  struct wb_path_system *system = &sketch->system;
  struct wb_flow_system *flow = &system->flow;
  assert_ok(wb_flow_system_make(flow, sketch->nodes, sketch->edge_count, sketch->nodes, NULL));
  for (size_t e = 0; e < sketch->edge_count; e++) {
    flow->from[e] = sketch->edges[e][0];
    flow->to[e] = sketch->edges[e][1];
  }
  wb_flow_system_walk(flow, 0);
  flow->ends[sketch->nodes - 1] = true;
  for (size_t v = 0; v < sketch->nodes; v++) {
    sketch->first[v] = v > 0 ? sketch->last[v - 1] + 1 : 0;
    sketch->count[v][WB_UNIT_BARRIER] = sketch->listing.instructions[sketch->last[v]].barrier;
    system->used[WB_UNIT_BARRIER] |= sketch->count[v][WB_UNIT_BARRIER] > 0;
  }
  system->first = sketch->first;
  system->last = sketch->last;
  system->phase = sketch->phase;
  system->count = sketch->count;
  system->phases = 1;
  system->phased = true;
  system->sure = true;
}

static void solve(struct sketch *sketch, struct wb_warp_times *times,
                  struct wb_launch_maxima *maxima)
{
  const uint32_t starts[] = {0};
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_flow_system *flow = &sketch->system.flow;
  const struct wb_timing_graph graph = {.node_count = flow->node_count,
                                        .edge_count = flow->edge_count,
                                        .first = sketch->first,
                                        .last = sketch->last,
                                        .ends = flow->ends,
                                        .from = flow->from,
                                        .to = flow->to,
                                        .starts = starts,
                                        .start_count = 1};
  assert_ok(wb_warp_times_find(&sketch->listing.code, &graph, times, NULL));
  assert_ok(
      wb_launch_maxima_find(&sketch->listing.code, &sketch->system, times, &control, maxima, NULL));
}

static void discard(struct sketch *sketch, struct wb_warp_times *times,
                    struct wb_launch_maxima *maxima)
{
  wb_launch_maxima_free(maxima);
  wb_warp_times_free(times);
  wb_flow_system_free(&sketch->system.flow);
}

/* ---- the example ---- */

static void expect_sum(const struct wb_launch_maxima *maxima, enum wb_launch_sum sum, double cycles)
{
  const double found = (double)maxima->terms.sum[sum] / (double)maxima->terms.denominator;
  if (found < cycles || found > cycles)
    fail_msg("%s: expected %g cycles, found %g", wb_launch_sum_name(sum), cycles, found);
}

/* On the executions that reach the maxima the costs of nodes, as often as they count, add up to the
 * sums of the bound; Z of stretches has no execution. */
static void expect_weights(const struct wb_launch_maxima *maxima,
                           const struct wb_launch_bound *bound)
{
  const struct wb_launch_costs *costs = &maxima->costs;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  struct wb_launch_weights weights;
  assert_ok(wb_launch_weights_find(&arena, maxima, bound, &weights, NULL));
  for (unsigned s = 0; s < WB_SUM_COUNT; s++) {
    const bool own = s == WB_SUM_OWN || s == WB_SUM_ALONE_OWN;
    const bool z = s == WB_SUM_UNITS || s == WB_SUM_PHASE_UNITS;
    const uint64_t end = own ? maxima->times->end : 0;
    double found = 0;
    double expected = (double)bound->times[s] * ((double)maxima->terms.sum[s] - (double)end);
    for (size_t v = 0; weights.of[s] != NULL && v < maxima->system->flow.node_count; v++)
      found += weights.of[s][v] * (double)costs->of[s][v];
    if (z) /* Z without barriers is the maximum of Z1 */
      expected = s == WB_SUM_PHASE_UNITS && maxima->system->composed == NULL
                     ? (double)(bound->times[WB_SUM_UNITS] + bound->times[s]) *
                           (double)maxima->terms.sum[s]
                     : 0;
    assert_true(found >= expected && found <= expected);
  }
}

/* The independent checker proves the same, and nothing less. */
static void expect_proof(const struct wb_launch_maxima *maxima, const struct wb_launch_shape *shape,
                         uint64_t cycles)
{
  FREED_BY(wb_launch_claim_free) struct wb_launch_claim_owner owner;
  struct wb_check_launch_verdict verdict = {0};
  assert_ok(wb_launch_claim_fill(maxima, NULL, NULL, shape, cycles, &owner, NULL));
  assert_ok(wb_check_launch(&owner.claim, &verdict, NULL));
  assert_int_equal(verdict.cycles, cycles);
  owner.claim.cycles--;
  assert_int_equal(wb_check_launch(&owner.claim, &verdict, NULL), WARPBOUND_CHECK_FAILED);
}

static void expect_bounds(const struct wb_launch_maxima *maxima, uint64_t block, uint64_t launch)
{
  const struct wb_launch_shape shape = {
      .blocks = 120, .block_warps = 8, .sms = 14, .partitions = 4, .resident_blocks = 3};
  struct wb_launch_bound bound;
  assert_ok(wb_block_bound_evaluate(&maxima->terms, &shape, &bound, NULL));
  assert_int_equal(bound.cycles, block);
  assert_ok(wb_launch_bound_evaluate(&maxima->terms, &shape, &bound, NULL));
  assert_int_equal(bound.cycles, launch);
  expect_weights(maxima, &bound);
  expect_proof(maxima, &shape, launch);
  const struct wb_launch_shape alone = {
      .blocks = 1, .block_warps = 8, .sms = 14, .partitions = 4, .resident_blocks = 3};
  expect_proof(maxima, &alone, block);
}

static void expect_without_barriers(const struct wb_launch_maxima *maxima)
{
  assert_int_equal(maxima->terms.denominator, 32);
  assert_int_equal(maxima->terms.phases, 1);
  assert_int_equal(maxima->terms.longest_unit, 0);
  assert_true(maxima->terms.barriers_known);
  expect_sum(maxima, WB_SUM_ALONE_OWN, 1088);
  expect_sum(maxima, WB_SUM_ALONE_PARTITION, 104.5);
  expect_sum(maxima, WB_SUM_ALONE_OTHERS, 22.5);
  expect_sum(maxima, WB_SUM_OWN, 1085.5);
  expect_sum(maxima, WB_SUM_PARTITION, 102);
  expect_sum(maxima, WB_SUM_OTHERS, 20);
  expect_sum(maxima, WB_SUM_UNITS, 82);
  expect_sum(maxima, WB_SUM_GPU, 2.5);
  expect_bounds(maxima, 1327, 9242);
}

static void expect_with_barriers(const struct wb_launch_maxima *maxima)
{
  assert_int_equal(maxima->terms.phases, 9);
  assert_int_equal(maxima->terms.longest_unit, 1);
  assert_true(maxima->terms.barriers_known);
  expect_sum(maxima, WB_SUM_ALONE_OWN, 1248);
  expect_sum(maxima, WB_SUM_ALONE_PARTITION, 112.5);
  expect_sum(maxima, WB_SUM_ALONE_OTHERS, 22.5);
  expect_sum(maxima, WB_SUM_OWN, 1245.5);
  expect_sum(maxima, WB_SUM_PARTITION, 110);
  expect_sum(maxima, WB_SUM_OTHERS, 20);
  expect_sum(maxima, WB_SUM_PHASE_UNITS, 17);
  expect_sum(maxima, WB_SUM_GPU, 2.5);
  expect_bounds(maxima, 1495, 11360);
}

/* 50 instructions in a row. */
TEST(straight_code)
{
  struct sketch sketch = {0};
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  start(&sketch.listing);
  addresses(&sketch.listing);
  for (int round = 0; round < 4; round++) {
    load(&sketch.listing, false);
    compute(&sketch.listing, false);
    turn(&sketch.listing);
  }
  finish(&sketch.listing);
  assert_int_equal(sketch.listing.code.instruction_count, 50);
  end_node(&sketch);
  close_sketch(&sketch);
  solve(&sketch, &times, &maxima);
  expect_without_barriers(&maxima);
  discard(&sketch, &times, &maxima);
}

/* The same as a loop of 4 rounds. */
TEST(loop)
{
  struct sketch sketch = {0};
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  start(&sketch.listing);
  addresses(&sketch.listing);
  const uint32_t before = end_node(&sketch);
  load(&sketch.listing, false);
  compute(&sketch.listing, false);
  turn(&sketch.listing);
  const uint32_t body = end_node(&sketch);
  finish(&sketch.listing);
  const uint32_t after = end_node(&sketch);
  edge(&sketch, before, body);
  const uint32_t back = edge(&sketch, body, body);
  edge(&sketch, body, after);
  close_sketch(&sketch);
  wb_flow_limit_add(&sketch.system.flow, 3, 0);
  assert_true(wb_flow_term_add(&sketch.system.flow, back, 1));
  solve(&sketch, &times, &maxima);
  expect_without_barriers(&maxima);
  discard(&sketch, &times, &maxima);
}

/* 50 instructions and 8 barriers in a row. */
TEST(phases)
{
  struct sketch sketch = {0};
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  start(&sketch.listing);
  addresses(&sketch.listing);
  for (int round = 0; round < 4; round++) {
    load(&sketch.listing, true);
    end_node(&sketch);
    compute(&sketch.listing, true);
    end_node(&sketch);
    turn(&sketch.listing);
  }
  finish(&sketch.listing);
  end_node(&sketch);
  for (uint32_t v = 0; v + 1 < sketch.nodes; v++)
    edge(&sketch, v, v + 1);
  close_sketch(&sketch);
  for (uint32_t v = 0; v < sketch.nodes; v++)
    sketch.phase[v] = v;
  sketch.system.phases = 9;
  solve(&sketch, &times, &maxima);
  expect_with_barriers(&maxima);
  assert_false(wb_path_system_doubts_barriers(&sketch.system));
  discard(&sketch, &times, &maxima);
}

/* A loop of 4 rounds with 2 barriers each: stretches, limits of composite paths. */
static void barriers_in_loop(struct sketch *sketch)
{
  start(&sketch->listing);
  addresses(&sketch->listing);
  const uint32_t before = end_node(sketch);
  load(&sketch->listing, true);
  const uint32_t first = end_node(sketch);
  compute(&sketch->listing, true);
  const uint32_t second = end_node(sketch);
  turn(&sketch->listing);
  const uint32_t branch = end_node(sketch);
  finish(&sketch->listing);
  const uint32_t after = end_node(sketch);
  edge(sketch, before, first);
  edge(sketch, first, second);
  edge(sketch, second, branch);
  const uint32_t back = edge(sketch, branch, first);
  edge(sketch, branch, after);
  close_sketch(sketch);
  wb_flow_limit_add(&sketch->system.flow, 3, 0);
  assert_true(wb_flow_term_add(&sketch->system.flow, back, 1));
  sketch->system.phased = false;
  sketch->system.sure = false;
}

TEST(composite_paths)
{
  struct sketch sketch = {0};
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
  barriers_in_loop(&sketch);
  sketch.composed[0] = true;
  sketch.system.composed = sketch.composed;
  sketch.system.local = sketch.local;
  solve(&sketch, &times, &maxima);
  expect_with_barriers(&maxima);
  expect_sum(&maxima, WB_SUM_BARRIERS, 8);
  assert_true(wb_path_system_doubts_barriers(&sketch.system));
  for (size_t m = 0; m < maxima.count; m++) {
    assert_int_equal(maxima.items[m].phase == WB_STRETCHES,
                     maxima.items[m].sum == WB_SUM_PHASE_UNITS);
    assert_true(maxima.items[m].phase != WB_STRETCHES || maxima.items[m].ipet.taken == NULL);
  }
  discard(&sketch, &times, &maxima);
}

/* Where nothing is known of composite paths, or they have no bound, the total is left. */
TEST(total_only)
{
  for (int bounded = 0; bounded < 2; bounded++) {
    struct sketch sketch = {0};
    struct wb_warp_times times;
    struct wb_launch_maxima maxima;
    barriers_in_loop(&sketch);
    if (bounded) {
      sketch.system.composed = sketch.composed;
      sketch.system.local = sketch.local;
    }
    solve(&sketch, &times, &maxima);
    assert_false(maxima.terms.barriers_known);
    assert_true(wb_path_system_doubts_barriers(&sketch.system));
    assert_int_equal(maxima.assumptions.count, 1);
    /* Addresses, rounds (load, add, FFMAs, barriers, branch), store, EXIT. */
    expect_sum(&maxima, WB_SUM_TOTAL,
               4 * 4 + 4 * (2 + 120 + 80 + 4 + 8 * 4 + 2 * 20 + 6) + 2 + 120 + 1);
    discard(&sketch, &times, &maxima);
  }
}

/* ---- single instructions ---- */

static uint64_t share_of(const struct listing *listing, enum wb_launch_sum sum, bool barriers)
{
  uint64_t share;
  const struct wb_stage_series none = {0};
  const struct wb_stage_pair pair = wb_stage_pair_find(&listing->code, 64);
  assert_true(wb_launch_share(&listing->code, &none, &pair, 0, sum, barriers, 64, &share));
  return share;
}

/* Units that are held for different times count by the greatest part at each cycle. */
TEST(held_together)
{
  struct listing listing;
  start(&listing);
  listing.code.resources[LANES].servers = 2;
  listing.code.resources[PATH] = (struct wb_resource){"sm unit", WB_LEVEL_SM, 4, true};
  issue(&listing, 1);
  use(&listing, PATH, 9);
  use(&listing, LANES, 5);
  /* 1 cycle of the slot in full, 4 more of half the lanes, 4 more of a quarter of the unit. */
  assert_int_equal(share_of(&listing, WB_SUM_PARTITION, false), 64 + 4 * 32 + 4 * 16);
  assert_int_equal(share_of(&listing, WB_SUM_UNITS, true), 64 + 4 * 32);
  assert_int_equal(share_of(&listing, WB_SUM_OTHERS, false), 9 * 16);
  assert_int_equal(share_of(&listing, WB_SUM_OWN, false), 0);
  assert_int_equal(share_of(&listing, WB_SUM_TOTAL, false), 9 * 64);
}

/* Requests to a partition's resource: in Z without barriers, in Y with them. */
TEST(partition_requests)
{
  struct listing listing;
  start(&listing);
  listing.code.resources[PATH].level = WB_LEVEL_PARTITION;
  issue(&listing, 1)->read_latency = 3;
  request(&listing, PATH, 5, 7);
  request(&listing, L2, 0, 4);
  listing.stages[1].requests = 8;
  assert_int_equal(share_of(&listing, WB_SUM_UNITS, false), 64 + 7 * 64);
  assert_int_equal(share_of(&listing, WB_SUM_PHASE_UNITS, true), 64);
  assert_int_equal(share_of(&listing, WB_SUM_OTHERS, false), 0);
  assert_int_equal(share_of(&listing, WB_SUM_OTHERS, true), 7 * 64);
  assert_int_equal(share_of(&listing, WB_SUM_ALONE_OTHERS, true), 7 * 64 + 8 * 4 * 4);
  assert_int_equal(share_of(&listing, WB_SUM_PARTITION, true), 64 + 7 * 64);
  assert_int_equal(share_of(&listing, WB_SUM_ALONE_OWN, true), 7 * 64 + 8 * 4 * 4);
  assert_int_equal(share_of(&listing, WB_SUM_GPU, true), 8 * 4 * 4);
  assert_int_equal(share_of(&listing, WB_SUM_TOTAL, true), (1 + 3 + 5 + 7 + 8 * 4) * 64);
  listing.instructions[0].barrier = true;
  assert_int_equal(share_of(&listing, WB_SUM_BARRIERS, true), 64);
}

/* A cost beyond 64 bits is an error, not a small number. */
TEST(large_costs)
{
  struct sketch sketch = {0};
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  struct wb_launch_costs costs;
  uint64_t cycles[1] = {UINT64_MAX - 10};
  const struct wb_warp_times times = {.denominator = 32, .cycles = cycles};
  start(&sketch.listing);
  issue(&sketch.listing, 1);
  end_node(&sketch);
  close_sketch(&sketch);
  assert_invalid(
      wb_launch_costs_find(&arena, &sketch.listing.code, &sketch.system, &times, &costs, NULL));
  cycles[0] = 1;
  sketch.listing.code.resources[PATH].servers = 65521;
  assert_invalid(
      wb_launch_costs_find(&arena, &sketch.listing.code, &sketch.system, &times, &costs, NULL));
  wb_flow_system_free(&sketch.system.flow);
}
