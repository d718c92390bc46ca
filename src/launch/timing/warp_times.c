#include "launch/timing/warp_times.h"

#include "base/buckets.h"
#include "base/checked.h"
#include "launch/timing/stage_pair.h"
#include "launch/timing/warp_search.h"

/* ---- releases ---- */

warpbound_status wb_share_denominator(const struct wb_timed_code *code, uint64_t *denominator,
                                      warpbound_error *error)
{
  uint64_t multiple = 1;
  for (size_t r = 0; r < code->resource_count; r++) {
    const uint64_t servers = code->resources[r].servers;
    const uint64_t common = wb_greatest_common_divisor(multiple, servers);
    multiple *= common > 1 ? servers / common : servers;
    if (multiple > WB_SHARE_LIMIT)
      return wb_fail(error, WARPBOUND_INVALID_INPUT,
                     "the numbers of servers have no common multiple up to %u: round them down to "
                     "powers of 2",
                     (unsigned)WB_SHARE_LIMIT);
  }
  *denominator = multiple;
  return WARPBOUND_OK;
}

/* Until the end of the first `count` stages. At most 255 * 7 * 10^9 * 2^20, below 2^61. */
static uint64_t stages_end(const struct wb_timed_code *code, const struct wb_stage_pair *pair,
                           const struct wb_timed_instruction *instruction, size_t count,
                           uint64_t denominator)
{
  uint64_t end = 0;
  for (size_t s = 0; s < count; s++) {
    const struct wb_request_stage *stage = &code->stages[instruction->first_stage + s];
    const uint64_t share = denominator / code->resources[stage->resource].servers;
    const uint64_t fetch = denominator * stage->delay + (denominator - share) * stage->service;
    if (stage->buffer == 0)
      end += fetch + wb_stage_pair_lap(code, pair, instruction, s, denominator);
    else if (code->kept.buffers[stage->buffer - 1].by_sector)
      end += denominator * stage->hit;
    else
      end += wb_maximum(fetch, denominator * stage->hit);
  }
  return end;
}

/* Stages until the last one at a resource of the SM or the partition. */
static size_t stages_of_sm(const struct wb_timed_code *code,
                           const struct wb_timed_instruction *instruction)
{
  size_t count = instruction->stage_count;
  while (count > 0 &&
         code->resources[code->stages[instruction->first_stage + count - 1].resource].level ==
             WB_LEVEL_GPU)
    count--;
  return count;
}

struct wb_release_times wb_release_times_of(const struct wb_timed_code *code,
                                            const struct wb_stage_pair *pair,
                                            const struct wb_timed_instruction *instruction,
                                            uint64_t denominator)
{
  struct wb_release_times times = {
      .write = stages_end(code, pair, instruction, instruction->stage_count, denominator) +
               denominator * instruction->latency,
      .read = stages_end(code, pair, instruction, instruction->read_stages, denominator) +
              denominator * instruction->read_latency,
  };
  for (size_t u = 0; u < instruction->use_count; u++) {
    const uint64_t service = denominator * code->uses[instruction->first_use + u].service;
    times.service = wb_maximum(times.service, service);
  }
  times.end = wb_maximum(times.service, wb_maximum(times.write, times.read));
  times.stay = times.end;
  if (instruction->posted)
    times.stay = wb_maximum(
        wb_maximum(times.service, times.read),
        stages_end(code, pair, instruction, stages_of_sm(code, instruction), denominator) +
            denominator * instruction->latency);
  return times;
}

uint64_t *wb_pending_of(struct wb_pending *pending, size_t keeper)
{
  if (keeper < WB_KEEPER_SERVICE)
    return &pending->scoreboard[keeper];
  if (keeper < WB_KEEPER_END)
    return &pending->service[keeper - WB_KEEPER_SERVICE];
  return keeper == WB_KEEPER_END ? &pending->end : &pending->stay;
}

/* ---- the graph ---- */

/* Fills *flow, and *reached by node, which is all false: a depth-first search from the starts.
 * False where memory is out. Linear. */
static bool make_flow(struct wb_arena *arena, const struct wb_timing_graph *graph,
                      struct wb_warp_flow *flow, bool *reached)
{
  uint32_t *path = wb_arena_array(arena, uint32_t, graph->node_count);
  size_t *next = wb_arena_array(arena, size_t, graph->node_count); /* by node: edge to follow */
  uint32_t *postorder = wb_arena_array(arena, uint32_t, graph->node_count);
  *flow = (struct wb_warp_flow){.order = wb_arena_array(arena, uint32_t, graph->node_count)};
  if (!wb_buckets_make(arena, graph->from, graph->edge_count, graph->node_count, &flow->leaving) ||
      arena->failed)
    return false;
  for (size_t s = 0; s < graph->start_count; s++) {
    size_t depth = 0;
    if (!reached[graph->starts[s]])
      path[depth++] = graph->starts[s];
    reached[graph->starts[s]] = true;
    while (depth > 0) {
      const uint32_t node = path[depth - 1];
      const size_t edge = flow->leaving.first[node] + next[node]++;
      if (edge == flow->leaving.first[node + 1]) {
        postorder[flow->reached_count++] = node;
        depth--;
        continue;
      }
      const uint32_t to = graph->to[flow->leaving.item[edge]];
      if (!reached[to])
        path[depth++] = to;
      reached[to] = true;
    }
  }
  for (size_t n = 0; n < flow->reached_count; n++)
    flow->order[n] = postorder[flow->reached_count - 1 - n];
  return true;
}

/* Times that a node is done before what grows in its state goes to the most that it can be: without
 * this a state might grow by a cycle at a time. */
#define VISIT_LIMIT 16

/* A state while a node is done: ends in cycles after the node's begin, not after `now`. */
struct progress {
  struct wb_pending until;
  uint64_t now; /* what the node has taken so far */
};

static const struct wb_pending no_floor;

static const struct wb_pending *floor_of(const struct wb_warp_search *search, uint32_t node)
{
  const bool *interleaved = search->graph->interleaved;
  return interleaved != NULL && interleaved[node] ? &search->floor : &no_floor;
}

static bool ends_with_barrier(const struct wb_warp_search *search, uint32_t node)
{
  const struct wb_timing_graph *graph = search->graph;
  return graph->first[node] <= graph->last[node] &&
         search->code->instructions[graph->last[node]].barrier;
}

/* ---- one instruction ---- */

static uint64_t plus(struct wb_warp_search *search, uint64_t a, uint64_t b)
{
  uint64_t sum = 0;
  if (!wb_add(a, b, &sum) || sum > INT64_MAX) {
    search->overflow = true;
    return INT64_MAX;
  }
  return sum;
}

static void raise(uint64_t *value, uint64_t to)
{
  *value = wb_maximum(*value, to);
}

/* The time at which an instruction issues: it may be fetched once all else lets it. */
static void wait(struct wb_warp_search *search, const struct wb_timed_instruction *instruction,
                 const struct wb_pending *floor, struct progress *progress)
{
  uint64_t issue = progress->now;
  for (size_t u = 0; u < instruction->use_count; u++)
    raise(&issue, progress->until.service[search->code->uses[instruction->first_use + u].resource]);
  for (unsigned b = 0; b < WB_SCOREBOARD_COUNT; b++) {
    if ((instruction->wait_mask >> b & 1) == 0 && instruction->counted_scoreboard != b)
      continue;
    raise(&issue, progress->until.scoreboard[b]);
    raise(&issue, plus(search, progress->now, floor->scoreboard[b]));
  }
  if (instruction->fence) {
    raise(&issue, progress->until.end);
    raise(&issue, plus(search, progress->now, floor->end));
  }
  progress->now = plus(search, issue, search->denominator * instruction->before);
}

static void set_scoreboard(struct wb_warp_search *search, uint8_t scoreboard, uint64_t release,
                           struct progress *progress)
{
  if (scoreboard < WB_SCOREBOARD_COUNT)
    raise(&progress->until.scoreboard[scoreboard], plus(search, progress->now, release));
}

/* What the instruction makes at its issue; then its stall. */
static void issue(struct wb_warp_search *search, uint32_t number, bool interleaved,
                  struct progress *progress)
{
  const struct wb_timed_instruction *instruction = &search->code->instructions[number];
  const struct wb_release_times *release = &search->release[number];
  const uint64_t denominator = search->denominator;
  for (size_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *use = &search->code->uses[instruction->first_use + u];
    raise(&progress->until.service[use->resource],
          plus(search, progress->now, denominator * use->service));
  }
  set_scoreboard(search, instruction->write_scoreboard, release->write, progress);
  set_scoreboard(search, instruction->read_scoreboard, release->read, progress);
  raise(&progress->until.end, plus(search, progress->now, release->end));
  raise(&progress->until.stay, plus(search, progress->now, release->stay));
  uint64_t step = denominator * instruction->stall;
  if (interleaved)
    raise(&step, release->service);
  progress->now = plus(search, progress->now, step);
}

/* ---- a node ---- */

static uint64_t rest(uint64_t until, uint64_t now, uint64_t floor)
{
  return wb_maximum(until > now ? until - now : 0, floor);
}

/* Notes at an instruction's issue what it has waited for. */
static void note_waits(const struct wb_warp_search *search,
                       const struct wb_timed_instruction *instruction, uint64_t now,
                       struct wb_pending *waited)
{
  for (size_t u = 0; u < instruction->use_count; u++) {
    uint64_t *first = &waited->service[search->code->uses[instruction->first_use + u].resource];
    *first = wb_minimum(*first, now);
  }
  for (unsigned b = 0; b < WB_SCOREBOARD_COUNT; b++) {
    if ((instruction->wait_mask >> b & 1) != 0 || instruction->counted_scoreboard == b)
      waited->scoreboard[b] = wb_minimum(waited->scoreboard[b], now);
  }
  if (instruction->fence)
    waited->end = wb_minimum(waited->end, now);
}

struct wb_pending wb_warp_search_node(struct wb_warp_search *search, uint32_t node, uint64_t begin,
                                      struct wb_pending *waited, uint64_t *cycles)
{
  const struct wb_timing_graph *graph = search->graph;
  const struct wb_pending *floor = floor_of(search, node);
  struct progress progress = {.until = search->pending[node]};
  for (uint32_t i = graph->first[node]; i <= graph->last[node]; i++) {
    const struct wb_timed_instruction *instruction = &search->code->instructions[i];
    wait(search, instruction, floor, &progress);
    if (waited != NULL)
      note_waits(search, instruction, plus(search, begin, progress.now), waited);
    issue(search, i, floor != &no_floor, &progress);
  }
  struct wb_pending left = {0};
  for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++)
    left.scoreboard[b] = rest(progress.until.scoreboard[b], progress.now, floor->scoreboard[b]);
  for (size_t r = 0; r < search->code->resource_count; r++)
    left.service[r] = rest(progress.until.service[r], progress.now, floor->service[r]);
  left.end = rest(progress.until.end, progress.now, floor->end);
  left.stay = rest(progress.until.stay, progress.now, floor->stay);
  *cycles = progress.now;
  return left;
}

/* ---- edges ---- */

/* What an edge brings to the node that it leads to: what is left before it, less what it has paid
 * in advance, and into a loop at most the cap. */
static struct wb_pending carry(const struct wb_warp_search *search, uint32_t edge,
                               const struct wb_pending *left)
{
  struct wb_pending brought = *left;
  const uint64_t paid = search->advance[edge];
  const bool capped = search->entry != NULL && search->entry[edge];
  for (size_t k = 0; k < WB_KEEPER_COUNT && (paid > 0 || capped); k++) {
    uint64_t *value = wb_pending_of(&brought, k);
    *value = *value > paid ? *value - paid : 0;
    if (capped) {
      struct wb_pending cap = search->cap[search->graph->to[edge]];
      *value = wb_minimum(*value, *wb_pending_of(&cap, k));
    }
  }
  return brought;
}

/* Raises a component; to the most that it can be where the state has grown too often. */
static bool join_value(uint64_t *value, uint64_t other, uint64_t most, bool often)
{
  if (other <= *value)
    return false;
  *value = often ? most : other;
  return true;
}

static bool join_services(struct wb_warp_search *search, struct wb_pending *into,
                          const struct wb_pending *from, bool often)
{
  bool grown = false;
  for (size_t r = 0; r < search->code->resource_count; r++)
    grown |= join_value(&into->service[r], from->service[r], search->most.service[r], often);
  return grown;
}

static bool done_often(const struct wb_warp_search *search, uint32_t node)
{
  return search->visits[node] >= VISIT_LIMIT;
}

/* Joins services that a barrier's node leaves into what all barriers leave, and that into all nodes
 * behind barriers. */
static void join_barriers(struct wb_warp_search *search, const struct wb_pending *left)
{
  const struct wb_buckets *leaving = &search->flow.leaving;
  if (!join_services(search, &search->left_by_barriers, left, false))
    return;
  for (size_t n = 0; n < search->flow.reached_count; n++) {
    const uint32_t node = search->flow.order[n];
    if (!ends_with_barrier(search, node))
      continue;
    for (size_t i = leaving->first[node]; i < leaving->first[node + 1]; i++) {
      const uint32_t to = search->graph->to[leaving->item[i]];
      if (join_services(search, &search->pending[to], &search->left_by_barriers,
                        done_often(search, to)))
        search->changed[to] = true;
    }
  }
}

static void do_node(struct wb_warp_search *search, uint32_t node)
{
  const struct wb_buckets *leaving = &search->flow.leaving;
  uint64_t cycles = 0;
  const struct wb_pending left = wb_warp_search_node(search, node, 0, NULL, &cycles);
  search->changed[node] = false;
  if (!done_often(search, node))
    search->visits[node]++;
  for (size_t i = leaving->first[node]; i < leaving->first[node + 1]; i++) {
    const uint32_t to = search->graph->to[leaving->item[i]];
    const bool often = done_often(search, to);
    const struct wb_pending brought = carry(search, leaving->item[i], &left);
    bool grown = join_services(search, &search->pending[to], &brought, often);
    for (size_t b = 0; b < WB_SCOREBOARD_COUNT; b++)
      grown |= join_value(&search->pending[to].scoreboard[b], brought.scoreboard[b],
                          search->most.scoreboard[b], often);
    grown |= join_value(&search->pending[to].end, brought.end, search->most.end, often);
    grown |= join_value(&search->pending[to].stay, brought.stay, search->most.stay, often);
    if (grown)
      search->changed[to] = true;
  }
  if (ends_with_barrier(search, node))
    join_barriers(search, &left);
}

/* Sweeps until no state grows. A node that was done often is done once more for each component at
 * most. */
static void find_invariant(struct wb_warp_search *search)
{
  bool again = true;
  while (again && !search->overflow) {
    again = false;
    for (size_t n = 0; n < search->flow.reached_count; n++) {
      const uint32_t node = search->flow.order[n];
      if (search->changed[node]) {
        do_node(search, node);
        again = true;
      }
    }
  }
}

/* ---- preparation ---- */

/* Raises a state by all that an instruction can leave. */
static void add_most(const struct wb_warp_search *search, uint32_t number, struct wb_pending *most)
{
  const struct wb_timed_instruction *instruction = &search->code->instructions[number];
  const struct wb_release_times *release = &search->release[number];
  if (instruction->write_scoreboard < WB_SCOREBOARD_COUNT)
    raise(&most->scoreboard[instruction->write_scoreboard], release->write);
  if (instruction->read_scoreboard < WB_SCOREBOARD_COUNT)
    raise(&most->scoreboard[instruction->read_scoreboard], release->read);
  for (size_t u = 0; u < instruction->use_count; u++) {
    const struct wb_issue_use *use = &search->code->uses[instruction->first_use + u];
    raise(&most->service[use->resource], search->denominator * use->service);
  }
  raise(&most->end, release->end);
  raise(&most->stay, release->stay);
}

/* The most of all states, and the floor of interleaved nodes. */
static void find_limits(struct wb_warp_search *search)
{
  const struct wb_timing_graph *graph = search->graph;
  for (size_t n = 0; n < search->flow.reached_count; n++) {
    const uint32_t node = search->flow.order[n];
    for (uint32_t i = graph->first[node]; i <= graph->last[node]; i++) {
      add_most(search, i, &search->most);
      if (graph->interleaved != NULL && graph->interleaved[node])
        add_most(search, i, &search->floor);
    }
  }
  /* The services of other groups are charged where they are taken. */
  for (size_t r = 0; r < WB_RESOURCE_LIMIT; r++)
    search->floor.service[r] = 0;
}

void wb_warp_search_states(struct wb_warp_search *search)
{
  search->left_by_barriers = (struct wb_pending){0};
  for (size_t n = 0; n < search->flow.reached_count; n++) {
    const uint32_t node = search->flow.order[n];
    search->changed[node] = true;
    search->visits[node] = 0;
    search->pending[node] = *floor_of(search, node);
  }
  find_invariant(search);
}

static warpbound_status solve(struct wb_warp_search *search, struct wb_arena *scratch,
                              struct wb_warp_times *times, warpbound_error *error)
{
  const struct wb_timed_code *code = search->code;
  const size_t nodes = search->graph->node_count;
  times->cycles = wb_arena_array(&times->arena, uint64_t, nodes);
  times->pending = wb_arena_array(&times->arena, struct wb_pending, nodes);
  times->reached = wb_arena_array(&times->arena, bool, nodes);
  times->advance = wb_arena_array(&times->arena, uint64_t, search->graph->edge_count);
  search->release = wb_arena_array(scratch, struct wb_release_times, code->instruction_count);
  search->changed = wb_arena_array(scratch, bool, nodes);
  search->visits = wb_arena_array(scratch, uint8_t, nodes);
  if (times->arena.failed || scratch->failed ||
      !make_flow(scratch, search->graph, &search->flow, times->reached))
    return wb_out_of_memory(error);
  search->denominator = times->denominator;
  search->pending = times->pending;
  search->advance = times->advance;
  const struct wb_stage_pair pair = wb_stage_pair_find(code, search->denominator);
  for (size_t i = 0; i < code->instruction_count; i++)
    search->release[i] =
        wb_release_times_of(code, &pair, &code->instructions[i], search->denominator);
  find_limits(search);
  if (!wb_warp_search_advance(search, scratch))
    return wb_out_of_memory(error);
  wb_warp_search_states(search);
  const bool *ends = search->graph->ends;
  for (size_t n = 0; n < search->flow.reached_count; n++) {
    const uint32_t node = search->flow.order[n];
    const struct wb_pending left = wb_warp_search_node(search, node, 0, NULL, &times->cycles[node]);
    if (ends != NULL && !ends[node])
      continue;
    raise(&times->end, left.end);
    raise(&times->stay, left.stay);
  }
  if (search->overflow)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the times of the instructions are too large: their sums do not fit");
  return WARPBOUND_OK;
}

warpbound_status wb_warp_times_find(const struct wb_timed_code *code,
                                    const struct wb_timing_graph *graph,
                                    struct wb_warp_times *times, warpbound_error *error)
{
  *times = (struct wb_warp_times){0};
  struct wb_warp_search search = {.code = code, .graph = graph};
  struct wb_arena scratch = {0};
  warpbound_status status = wb_share_denominator(code, &times->denominator, error);
  if (status == WARPBOUND_OK)
    status = solve(&search, &scratch, times, error);
  wb_arena_free(&scratch);
  if (status != WARPBOUND_OK)
    wb_warp_times_free(times);
  return status;
}

void wb_warp_times_free(struct wb_warp_times *times)
{
  wb_arena_free(&times->arena);
  *times = (struct wb_warp_times){0};
}
