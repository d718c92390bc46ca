#include "random_launch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Members of the tiny sizes. */
#define TINY_SIZE                                                                                  \
  .phases = 3, .sms = 2, .partitions = 2, .resident_blocks = 2, .block_warps = 3, .blocks = 5,     \
  .resident_warps = 4, .instructions = 5, .service = 3
#define LOOPS_SIZE                                                                                 \
  .phases = 3, .sms = 2, .partitions = 2, .resident_blocks = 2, .block_warps = 3, .blocks = 5,     \
  .resident_warps = 4, .instructions = 6, .service = 3, .paths = 4, .barrier_loops = true
const struct launch_size launch_size_tiny = {TINY_SIZE, .paths = 3};
const struct launch_size launch_size_loops = {LOOPS_SIZE};
const struct launch_size launch_size_early = {TINY_SIZE, .paths = 4, .early_ends = true};
const struct launch_size launch_size_early_loops = {LOOPS_SIZE, .early_ends = true};
const struct launch_size launch_size_early_many = {LOOPS_SIZE, .early_ends = true, .as_many = true};
const struct launch_size launch_size_groups = {.phases = 3,
                                               .sms = 1,
                                               .partitions = 2,
                                               .resident_blocks = 1,
                                               .block_warps = 4,
                                               .blocks = 2,
                                               .resident_warps = 4,
                                               .instructions = 4,
                                               .service = 3,
                                               .paths = 3};
const struct launch_size launch_size_kept = {TINY_SIZE, .paths = 2, .keeps = true};
const struct launch_size launch_size_series = {.phases = 2,
                                               .sms = 2,
                                               .partitions = 2,
                                               .resident_blocks = 2,
                                               .block_warps = 3,
                                               .blocks = 4,
                                               .resident_warps = 4,
                                               .instructions = 4,
                                               .service = 4,
                                               .paths = 2,
                                               .series = true};
const struct launch_size launch_size_passes = {.phases = 1,
                                               .sms = 1,
                                               .partitions = 1,
                                               .resident_blocks = 1,
                                               .block_warps = 3,
                                               .blocks = 1,
                                               .resident_warps = 3,
                                               .instructions = 4,
                                               .service = 5,
                                               .paths = 2,
                                               .series = true,
                                               .chained = true};
const struct launch_size launch_size_pair = {.phases = 1,
                                             .sms = 1,
                                             .partitions = 1,
                                             .resident_blocks = 1,
                                             .block_warps = 4,
                                             .blocks = 1,
                                             .resident_warps = 4,
                                             .instructions = 3,
                                             .service = 4,
                                             .paths = 2,
                                             .series = true,
                                             .chained = true,
                                             .pair = true};
const struct launch_size launch_size_pair_blocks = {.phases = 2,
                                                    .sms = 2,
                                                    .partitions = 2,
                                                    .resident_blocks = 2,
                                                    .block_warps = 2,
                                                    .blocks = 5,
                                                    .resident_warps = 4,
                                                    .instructions = 3,
                                                    .service = 4,
                                                    .paths = 2,
                                                    .series = true,
                                                    .pair = true};
const struct launch_size launch_size_large = {.phases = 3,
                                              .sms = 3,
                                              .partitions = 4,
                                              .resident_blocks = 4,
                                              .block_warps = 16,
                                              .blocks = 24,
                                              .resident_warps = 96,
                                              .instructions = TINY_LENGTH,
                                              .service = 4,
                                              .paths = TINY_PATHS};

/* From 1 to most, small numbers more often. */
static uint32_t draw_small(struct wb_random *random, uint32_t most)
{
  const uint32_t one = (uint32_t)wb_random_below(random, most);
  const uint32_t two = (uint32_t)wb_random_below(random, most);
  return 1 + (one < two ? one : two);
}

static uint32_t draw(struct wb_random *random, uint32_t most)
{
  return 1 + (uint32_t)wb_random_below(random, most);
}

static bool chance(struct wb_random *random, uint32_t one_in)
{
  return wb_random_below(random, one_in) == 0;
}

/* ---- code ---- */

#define INSTRUCTIONS 64u
#define USES 3u
#define STAGES 3u

/* The issue slot; units; what requests use. */
static void draw_resources(struct wb_random *random, const struct launch_size *size,
                           struct wb_timed_code *code)
{
  static const enum wb_resource_level levels[] = {WB_LEVEL_PARTITION, WB_LEVEL_SM, WB_LEVEL_SM,
                                                  WB_LEVEL_GPU};
  code->resources[0] = (struct wb_resource){"slot", WB_LEVEL_PARTITION, 1, true};
  if (chance(random, 8))
    code->resources[0].servers = 2;
  const size_t units = size->holds     ? 2
                       : size->chained ? 0
                                       : wb_random_below(random, size->series ? 2 : 3);
  const size_t ports = size->series ? draw(random, 3) + 1 : wb_random_below(random, 3);
  code->resource_count = 1 + units + ports;
  for (size_t r = 1; r < code->resource_count; r++) {
    struct wb_resource *resource = &code->resources[r];
    const bool at_issue = r <= units;
    resource->at_issue = at_issue;
    resource->level = levels[wb_random_below(random, at_issue ? 3 : 4)];
    resource->servers = size->series && !chance(random, 6) ? 1 : draw_small(random, 3);
    if (size->holds && at_issue)
      *resource = (struct wb_resource){.level = WB_LEVEL_PARTITION, .servers = 1, .at_issue = true};
    if (size->series && resource->level == WB_LEVEL_GPU && !chance(random, 4))
      resource->level = WB_LEVEL_SM;
    resource->name[0] = at_issue ? 'u' : 'r';
    resource->name[1] = (char)('0' + r);
    if (size->pair && r + 2 >= code->resource_count) {
      resource->level = WB_LEVEL_GPU;
      resource->servers = draw(random, 3);
    }
  }
}

static void draw_uses(struct wb_random *random, const struct launch_size *size,
                      struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  /* One unit after the other, where they are held. */
  const uint8_t unit = (uint8_t)(1 + code->instruction_count % 2);
  instruction->first_use = (uint32_t)code->use_count;
  for (uint8_t r = 0; r < (uint8_t)code->resource_count; r++) {
    if (!code->resources[r].at_issue || instruction->use_count == USES ||
        (r == 0 ? chance(random, 20) && code->resource_count > 1 && code->resources[1].at_issue
         : size->holds ? r != unit
                       : !chance(random, 3)))
      continue;
    code->uses[code->use_count++] =
        (struct wb_issue_use){r, r == 0 && !chance(random, 6) ? 1 : draw(random, size->service)};
    instruction->use_count++;
  }
  if (instruction->use_count == 0) {
    code->uses[code->use_count++] = (struct wb_issue_use){0, 1};
    instruction->use_count = 1;
  }
}

/* Requests that go through the last two resources, perhaps one of others before or behind. */
static void draw_pair(struct wb_random *random, const struct launch_size *size,
                      struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  const uint8_t front = (uint8_t)(code->resource_count - 2);
  const uint16_t requests = (uint16_t)draw(random, 3);
  struct wb_request_stage stages[STAGES];
  uint8_t count = 0;
  const bool other = front > 1 && !code->resources[front - 1].at_issue && chance(random, 3);
  const bool behind = chance(random, 2);
  for (int s = 0; s < 3; s++) {
    const bool of_pair = behind ? s < 2 : s > 0;
    if (!of_pair && !other)
      continue;
    stages[count++] = (struct wb_request_stage){
        .resource = (uint8_t)(!of_pair ? front - 1 : front + (behind ? s : s - 1)),
        .requests = of_pair ? requests : 1,
        .delay = (uint32_t)wb_random_below(random, chance(random, 2) ? 4 : 1),
        .service = draw(random, size->service)};
  }
  instruction->stage_count = count;
  for (uint8_t s = 0; s < count; s++)
    code->stages[code->stage_count++] = stages[s];
}

static void draw_stages(struct wb_random *random, const struct launch_size *size,
                        struct wb_timed_code *code, struct wb_timed_instruction *instruction)
{
  uint8_t ports[WB_RESOURCE_LIMIT];
  uint8_t port_count = 0;
  for (uint8_t r = 0; r < (uint8_t)code->resource_count; r++) {
    if (!code->resources[r].at_issue)
      ports[port_count++] = r;
  }
  instruction->first_stage = (uint32_t)code->stage_count;
  if (size->pair && !chance(random, 4)) {
    draw_pair(random, size, code, instruction);
    return;
  }
  if (port_count == 0 || chance(random, size->chained ? 8 : 2))
    return;
  instruction->stage_count =
      (uint8_t)(size->series ? draw(random, STAGES) : draw_small(random, STAGES));
  for (uint8_t s = 0; s < instruction->stage_count; s++)
    code->stages[code->stage_count++] =
        (struct wb_request_stage){.resource = ports[wb_random_below(random, port_count)],
                                  .requests = (uint16_t)(chance(random, 4) ? draw(random, 3) : 1),
                                  .delay = (uint32_t)wb_random_below(random, size->chained ? 2 : 3),
                                  .service = draw(random, size->service)};
  /* Most go through the resources in order. */
  struct wb_request_stage *stages = &code->stages[instruction->first_stage];
  for (size_t s = 1; size->series && !chance(random, 4) && s < instruction->stage_count; s++) {
    for (size_t t = s; t > 0 && stages[t - 1].resource > stages[t].resource; t--) {
      const struct wb_request_stage stage = stages[t];
      stages[t] = stages[t - 1];
      stages[t - 1] = stage;
    }
  }
}

static void draw_instruction(struct wb_random *random, const struct launch_size *size,
                             struct wb_timed_code *code, bool barrier)
{
  assert(code->instruction_count < INSTRUCTIONS);
  struct wb_timed_instruction *instruction = &code->instructions[code->instruction_count++];
  instruction->stall = draw_small(random, 3);
  instruction->latency = (uint32_t)(chance(random, 3) ? wb_random_below(random, 4) : 0);
  instruction->read_latency = (uint32_t)(chance(random, 4) ? wb_random_below(random, 3) : 0);
  instruction->barrier = barrier;
  draw_uses(random, size, code, instruction);
  draw_stages(random, size, code, instruction);
  instruction->write_scoreboard = instruction->read_scoreboard = WB_NO_SCOREBOARD;
  instruction->counted_scoreboard = WB_NO_SCOREBOARD;
  if (chance(random, instruction->stage_count > 0 ? 2 : 6))
    instruction->write_scoreboard = (uint8_t)wb_random_below(random, 2);
  if (chance(random, instruction->stage_count > 0 ? 5 : 20))
    instruction->read_scoreboard = (uint8_t)wb_random_below(random, 2);
  if (chance(random, 3))
    instruction->wait_mask = (uint8_t)(1 + wb_random_below(random, 3));
  if (chance(random, 10)) {
    instruction->counted_scoreboard = (uint8_t)wb_random_below(random, 2);
    instruction->counted_left = (uint8_t)wb_random_below(random, 2);
  }
  instruction->read_stages = (uint8_t)wb_random_below(random, instruction->stage_count + 1u);
  if (size->holds && !chance(random, 4)) {
    instruction->stall = 1;
    instruction->latency = instruction->read_latency = 0;
    instruction->wait_mask = 0;
    instruction->counted_scoreboard = WB_NO_SCOREBOARD;
  }
  if (size->chained && !chance(random, 6)) {
    instruction->stall = 1;
    instruction->latency = 0;
    instruction->write_scoreboard = 0;
    instruction->read_scoreboard = WB_NO_SCOREBOARD;
    instruction->counted_scoreboard = WB_NO_SCOREBOARD;
    instruction->wait_mask = 1;
  }
}

/* ---- graph ---- */

struct draft {
  struct wb_random *random;
  const struct launch_size *size;
  struct random_launch *launch;
  uint8_t phase;
  uint8_t ends[LAUNCH_NODES]; /* nodes that the next one follows */
  uint8_t end_count;
};

static void add_edge(struct launch_graph *graph, uint8_t from, uint8_t to)
{
  assert(graph->edge_count < LAUNCH_EDGES);
  graph->from[graph->edge_count] = from;
  graph->to[graph->edge_count++] = to;
}

static uint8_t add_node(struct draft *draft, uint32_t instructions, bool barrier)
{
  struct launch_graph *graph = &draft->launch->graph;
  struct wb_timed_code *code = &draft->launch->tiny.code;
  assert(graph->node_count < LAUNCH_NODES);
  const uint8_t node = (uint8_t)graph->node_count++;
  graph->first[node] = (uint8_t)code->instruction_count;
  for (uint32_t i = 0; i < instructions; i++)
    draw_instruction(draft->random, draft->size, code, barrier && i + 1 == instructions);
  graph->last[node] = (uint8_t)(code->instruction_count - 1);
  graph->phase[node] = draft->phase;
  return node;
}

static void follow(struct draft *draft, uint8_t node)
{
  for (uint8_t e = 0; e < draft->end_count; e++)
    add_edge(&draft->launch->graph, draft->ends[e], node);
  draft->ends[0] = node;
  draft->end_count = 1;
}

static uint32_t draw_length(struct draft *draft)
{
  return draw_small(draft->random,
                    draft->size->instructions / 2 > 1 ? draft->size->instructions / 2 : 2);
}

/* One node or another, or on without any. */
static void add_sides(struct draft *draft)
{
  struct launch_graph *graph = &draft->launch->graph;
  if (draft->end_count == 0)
    follow(draft, add_node(draft, 1, false));
  uint8_t before[LAUNCH_NODES];
  const uint8_t before_count = draft->end_count;
  memcpy(before, draft->ends, sizeof before);
  const uint8_t one = add_node(draft, draw_length(draft), false);
  const bool skip = chance(draft->random, 3);
  const uint8_t other = skip ? 0 : add_node(draft, draw_length(draft), false);
  for (uint8_t b = 0; b < before_count; b++) {
    add_edge(graph, before[b], one);
    if (!skip)
      add_edge(graph, before[b], other);
  }
  draft->ends[0] = one;
  draft->end_count = 1;
  for (uint8_t b = 0; skip && b < before_count; b++)
    draft->ends[draft->end_count++] = before[b];
  if (!skip)
    draft->ends[draft->end_count++] = other;
}

/* Two ways, each with a barrier of its own and its own node behind it. */
static void add_crossing(struct draft *draft)
{
  struct launch_graph *graph = &draft->launch->graph;
  const uint8_t head = add_node(draft, 1, false);
  follow(draft, head);
  graph->crossed = true;
  for (uint8_t way = 0; way < 2; way++) {
    const uint8_t before = add_node(draft, 1, true);
    draft->phase++;
    const uint8_t behind = add_node(draft, draw_small(draft->random, 2), false);
    draft->phase--;
    add_edge(graph, head, before);
    add_edge(graph, before, behind);
    if (way == 1 && chance(draft->random, 3))
      add_edge(graph, before, draft->ends[0]);
    draft->ends[way] = behind;
  }
  draft->end_count = 2;
  draft->phase++;
}

/* A node that may be done again, at most so often for each time that it is entered. */
static void add_loop(struct draft *draft, bool barrier)
{
  struct launch_graph *graph = &draft->launch->graph;
  /* A bound of each visit is what holds of paths of several warps: the walk does not begin here. */
  if (draft->size->barrier_loops && draft->end_count == 0)
    follow(draft, add_node(draft, 1, false));
  const uint8_t node = add_node(draft, 1, barrier);
  const size_t first_entry = graph->edge_count;
  follow(draft, node);
  struct launch_limit *limit = &graph->limits[graph->limit_count++];
  graph->loop_count++;
  graph->unphased |= barrier;
  const int64_t turns = 1 + (int64_t)wb_random_below(draft->random, 2);
  *limit = (struct launch_limit){.constant = first_entry == graph->edge_count ? turns : 0};
  for (size_t e = first_entry; e < graph->edge_count; e++)
    limit->factor[e] = -turns;
  limit->factor[graph->edge_count] = 1;
  add_edge(graph, node, node);
}

/* Two edges, of which a walk takes one at most. */
static void add_exclusion(struct draft *draft)
{
  struct launch_graph *graph = &draft->launch->graph;
  if (graph->edge_count < 2)
    return;
  struct launch_limit *limit = &graph->limits[graph->limit_count++];
  *limit = (struct launch_limit){.constant = 1};
  limit->factor[wb_random_below(draft->random, graph->edge_count)] = 1;
  limit->factor[wb_random_below(draft->random, graph->edge_count)] = 1;
}

/* ---- paths ---- */

/* Lets warps end at a node, any or one that no barrier lies before, or in a node of their own after
 * it. The last node is not there yet. False where the node drawn does not do. */
static bool add_early_end(struct draft *draft)
{
  struct launch_graph *graph = &draft->launch->graph;
  struct tiny_launch *tiny = &draft->launch->tiny;
  bool behind[LAUNCH_NODES] = {false};
  const bool first = chance(draft->random, 2);
  uint8_t node = (uint8_t)wb_random_below(draft->random, graph->node_count);
  const bool barrier = tiny->code.instructions[graph->last[node]].barrier;
  for (size_t round = 0; round < graph->node_count; round++) {
    for (size_t e = 0; e < graph->edge_count; e++)
      behind[graph->to[e]] |=
          behind[graph->from[e]] || tiny->code.instructions[graph->last[graph->from[e]]].barrier;
  }
  if (first && (barrier || behind[node]))
    return false;
  if (barrier || chance(draft->random, 2)) {
    const uint8_t phase = draft->phase;
    draft->phase = (uint8_t)(graph->phase[node] + barrier);
    const uint8_t tail = add_node(draft, draw_small(draft->random, 2), false);
    add_edge(graph, node, tail);
    draft->phase = phase;
    node = tail;
  }
  graph->early_end[node] = true;
  tiny->early = first ? TINY_EARLY_FIRST : TINY_EARLY_ANY;
  return true;
}

struct walk {
  struct random_launch *launch;
  const struct launch_size *size;
  uint32_t taken[LAUNCH_EDGES];
  struct tiny_path path;
  bool fits;
};

static bool keeps_limits(const struct walk *walk)
{
  const struct launch_graph *graph = &walk->launch->graph;
  for (size_t l = 0; l < graph->limit_count; l++) {
    int64_t sum = 0;
    for (size_t e = 0; e < graph->edge_count; e++)
      sum += graph->limits[l].factor[e] * walk->taken[e];
    if (sum > graph->limits[l].constant)
      return false;
  }
  return true;
}

/* Walks on from a node. A walk that breaks a limit cannot mend that. */
static void walk_on(struct walk *walk, uint8_t node)
{
  const struct launch_graph *graph = &walk->launch->graph;
  const struct tiny_path before = walk->path;
  struct tiny_launch *tiny = &walk->launch->tiny;
  if (!keeps_limits(walk))
    return;
  const uint32_t length = graph->last[node] - graph->first[node] + 1u;
  walk->fits = walk->fits && walk->path.length + length <= walk->size->instructions;
  for (uint8_t i = graph->first[node]; walk->fits && i <= graph->last[node]; i++)
    walk->path.step[walk->path.length++] = i;
  if ((node + 1u == graph->node_count || graph->early_end[node]) && walk->fits) {
    walk->fits = tiny->path_count < walk->size->paths;
    if (walk->fits)
      tiny->paths[tiny->path_count++] = walk->path;
  }
  for (size_t e = 0; walk->fits && e < graph->edge_count; e++) {
    if (graph->from[e] != node)
      continue;
    walk->taken[e]++;
    walk_on(walk, graph->to[e]);
    walk->taken[e]--;
  }
  walk->path = before;
}

bool random_launch_paths(struct random_launch *launch, const struct launch_size *size)
{
  struct walk walk = {.launch = launch, .size = size, .fits = true};
  launch->tiny.path_count = 0;
  walk_on(&walk, 0);
  return walk.fits && launch->tiny.path_count > 0;
}

/* ---- servers that are kept ---- */

static void draw_kept(struct wb_random *random, struct tiny_launch *tiny)
{
  for (size_t i = 0; i < tiny->code.instruction_count; i++) {
    const struct wb_timed_instruction *one = &tiny->code.instructions[i];
    for (uint32_t s = one->first_stage; s + 1 < one->first_stage + one->stage_count; s++) {
      struct wb_request_stage *stage = &tiny->code.stages[s];
      if (stage->resource == stage[1].resource || chance(random, 4))
        continue;
      if (stage->resource > stage[1].resource && s > one->first_stage && tiny->keeps[s - 1])
        continue;
      if (stage->resource > stage[1].resource) {
        const uint8_t resource = stage->resource;
        stage->resource = stage[1].resource;
        stage[1].resource = resource;
      }
      tiny->keeps[s] = true;
      stage->requests = 1;
      stage[1].delay = 0;
    }
  }
}

/* An instruction with a stage at that resource is not posted. */
static void forget_posted(const struct wb_timed_code *code, struct wb_timed_instruction *one,
                          uint8_t resource)
{
  for (uint32_t s = 0; s < one->stage_count; s++) {
    if (code->stages[one->first_stage + s].resource == resource)
      one->posted = false;
  }
}

void tiny_launch_raise_levels(struct tiny_launch *launch)
{
  struct wb_timed_code *code = &launch->code;
  for (size_t round = 0; round < code->resource_count; round++) {
    for (size_t s = 0; s < code->stage_count; s++) {
      if (!launch->keeps[s])
        continue;
      enum wb_resource_level *level = &code->resources[code->stages[s + 1].resource].level;
      const enum wb_resource_level kept = code->resources[code->stages[s].resource].level;
      const bool raised = kept > *level;
      *level = raised ? kept : *level;
      /* Whoever uses the raised resource needs its SM as before. */
      for (size_t i = 0; raised && i < code->instruction_count; i++)
        forget_posted(code, &code->instructions[i], code->stages[s + 1].resource);
    }
  }
}

/* ---- data that L2 keeps ---- */

bool random_launch_keep_data(struct wb_random *random, struct tiny_launch *launch)
{
  struct wb_timed_code *code = &launch->code;
  struct wb_kept_data *kept = &code->kept;
  const uint8_t memory = (uint8_t)wb_random_below(random, code->resource_count);
  const uint32_t delay = (uint32_t)wb_random_below(random, 3);
  const uint32_t service = draw(random, 2);
  const uint32_t hit = (uint32_t)wb_random_below(random, 3) / 2;
  size_t fetches = 0;
  if (code->resources[memory].at_issue || code->resources[memory].level != WB_LEVEL_GPU)
    return false;
  kept->buffers = calloc(TINY_LINES, sizeof *kept->buffers);
  assert(kept->buffers != NULL);
  *kept = (struct wb_kept_data){.buffers = kept->buffers,
                                .count = draw(random, TINY_LINES),
                                .retained = UINT64_C(1) << 20,
                                .copies = 1,
                                .warm = chance(random, 5)};
  for (size_t b = 0; b < kept->count; b++)
    kept->buffers[b] =
        (struct wb_kept_buffer){.bytes = 1, .lines = 1, .by_sector = chance(random, 2)};
  for (size_t s = 0; s < code->stage_count; s++) {
    struct wb_request_stage *stage = &code->stages[s];
    if (stage->resource != memory)
      continue;
    stage->delay = delay;
    stage->service = service;
    if (chance(random, 6))
      continue;
    stage->buffer = (uint8_t)draw(random, (uint32_t)kept->count);
    stage->hit = hit;
    launch->sector[s] = (uint8_t)wb_random_below(random, 4);
    fetches++;
  }
  launch->memory = memory;
  launch->resident = kept->warm
                         ? 0xff
                         : (uint8_t)(wb_random_below(random, 256) & wb_random_below(random, 256) &
                                     wb_random_below(random, 256));
  launch->whole_lines = chance(random, 2);
  launch->write_backs = chance(random, 2) ? (uint8_t)wb_random_below(random, 5) : 0;
  return fetches > 0;
}

/* ---- the launch ---- */

static void draw_shape(struct wb_random *random, const struct launch_size *size,
                       struct wb_launch_shape *shape)
{
  do {
    *shape = (struct wb_launch_shape){.sms = draw_small(random, size->sms),
                                      .partitions = draw_small(random, size->partitions),
                                      .resident_blocks = draw_small(random, size->resident_blocks),
                                      .block_warps = draw(random, size->block_warps)};
    const uint32_t room = shape->sms * shape->resident_blocks;
    shape->blocks =
        chance(random, 3) ? draw(random, size->blocks) : room + wb_random_below(random, 3);
  } while (shape->blocks > size->blocks ||
           shape->sms * shape->resident_blocks * shape->block_warps > size->resident_warps);
  if (chance(random, 6))
    shape->block_start = draw(random, 3);
  if (chance(random, 6))
    shape->dispatch = draw(random, 2);
}

/* Where blocks leave before all of theirs has ended: instructions without results that nothing of
 * the SM waits for. And when warps that end early have ended. Draws nothing from the random numbers
 * of others. */
static void draw_posted(const struct wb_random *random, struct tiny_launch *tiny)
{
  struct wb_random own = *random;
  for (size_t i = 0; i < tiny->code.instruction_count && tiny->leave != TINY_LEAVE_ENDED; i++) {
    struct wb_timed_instruction *one = &tiny->code.instructions[i];
    one->posted = one->write_scoreboard == WB_NO_SCOREBOARD && chance(&own, 2);
  }
  tiny->late_ends = tiny->early != TINY_NONE_EARLY && chance(&own, 2);
}

static bool draw_once(struct wb_random *random, const struct launch_size *size,
                      struct random_launch *launch)
{
  *launch = (struct random_launch){.tiny.leave =
                                       (enum tiny_leave)wb_random_below(random, TINY_LEAVE_COUNT)};
  struct draft draft = {.random = random, .size = size, .launch = launch};
  launch->tiny.code = (struct wb_timed_code){.use_capacity = INSTRUCTIONS * USES,
                                             .stage_capacity = INSTRUCTIONS * STAGES};
  launch->tiny.code.instructions = calloc(INSTRUCTIONS, sizeof *launch->tiny.code.instructions);
  launch->tiny.code.uses = calloc(launch->tiny.code.use_capacity, sizeof *launch->tiny.code.uses);
  launch->tiny.code.stages =
      calloc(launch->tiny.code.stage_capacity, sizeof *launch->tiny.code.stages);
  assert(launch->tiny.code.instructions != NULL && launch->tiny.code.uses != NULL &&
         launch->tiny.code.stages != NULL);
  draw_shape(random, size, &launch->tiny.shape);
  draw_resources(random, size, &launch->tiny.code);
  const uint32_t phases = draw_small(random, size->phases);
  for (uint32_t k = 0; k < phases; k++) {
    /* A phase, with a barrier at its end unless it is the last. */
    const bool last = k + 1 == phases;
    if (size->early_ends && last && (launch->graph.node_count == 0 || !add_early_end(&draft)))
      return false;
    const uint64_t kind = wb_random_below(draft.random, 7);
    if (kind < 2 && draft.size->paths > 1)
      add_sides(&draft);
    else if (kind == 2 && draft.size->paths > 1 && draft.launch->graph.limit_count < 2)
      add_loop(&draft, draft.size->barrier_loops && chance(draft.random, 2));
    else if (kind == 3 && draft.size->paths > 1 && draft.phase < 2)
      add_crossing(&draft);
    follow(&draft, add_node(&draft, draw_length(&draft), !last));
    draft.phase++;
  }
  if (chance(random, 4))
    add_exclusion(&draft);
  draw_posted(random, &launch->tiny);
  launch->tiny.full_queues = chance(random, 3);
  if (size->keeps)
    draw_kept(random, &launch->tiny);
  /* Where phases mean nothing, all warps are to pass the same barriers, or none; if not, bounds
   * need to be those of whole paths. */
  const bool mixed = launch->graph.crossed || launch->tiny.early == TINY_EARLY_ANY;
  return (size->as_many || !(launch->graph.unphased && mixed)) && random_launch_paths(launch, size);
}

void random_launch_draw(struct wb_random *random, const struct launch_size *size,
                        struct random_launch *launch)
{
  while (!draw_once(random, size, launch))
    tiny_launch_free(&launch->tiny);
}

void random_launch_groups(struct wb_random *random, struct tiny_launch *tiny)
{
  const uint32_t groups = 2 + (uint32_t)wb_random_below(random, TINY_GROUPS - 1);
  tiny->groups = true;
  for (size_t i = 0; i < tiny->code.instruction_count; i++)
    tiny->of_group[i] = wb_random_below(random, 3) > 0;
  for (size_t i = 0; i < tiny->code.instruction_count && wb_random_below(random, 2) == 0; i++)
    tiny->arrives[i] = tiny->of_group[i] && wb_random_below(random, 2) == 0;
  for (size_t p = 0; p < tiny->path_count; p++)
    tiny->group[p] = (uint8_t)wb_random_below(random, groups);
}

static void shorten(struct wb_random *random, uint32_t least, uint32_t *time)
{
  if (*time > least && chance(random, 2))
    *time = least + (uint32_t)wb_random_below(random, *time - least);
}

void random_launch_shorten(struct wb_random *random, struct wb_timed_code *code)
{
  for (size_t i = 0; i < code->instruction_count; i++) {
    shorten(random, 1, &code->instructions[i].stall);
    shorten(random, 0, &code->instructions[i].latency);
    shorten(random, 0, &code->instructions[i].read_latency);
  }
  for (size_t u = 0; u < code->use_count; u++)
    shorten(random, 1, &code->uses[u].service);
  for (size_t s = 0; s < code->stage_count; s++) {
    shorten(random, 0, &code->stages[s].delay);
    shorten(random, 1, &code->stages[s].service);
  }
}

void tiny_launch_free(struct tiny_launch *launch)
{
  wb_timed_code_free(&launch->code);
}

/* ---- for people ---- */

static void print_scoreboard(struct wb_text *text, const char *name, uint8_t scoreboard)
{
  if (scoreboard != WB_NO_SCOREBOARD)
    wb_text_format(text, " %s %u", name, scoreboard);
}

static void print_instruction(const struct wb_timed_code *code, size_t number, struct wb_text *text)
{
  const struct wb_timed_instruction *one = &code->instructions[number];
  wb_text_format(text, "  %zu: stall %u", number, one->stall);
  for (uint32_t u = 0; u < one->use_count; u++)
    wb_text_format(text, " %s=%u", code->resources[code->uses[one->first_use + u].resource].name,
                   code->uses[one->first_use + u].service);
  for (uint32_t s = 0; s < one->stage_count; s++) {
    const struct wb_request_stage *stage = &code->stages[one->first_stage + s];
    wb_text_format(text, " [%u + %u x %s=%u", stage->delay, stage->requests,
                   code->resources[stage->resource].name, stage->service);
    if (stage->buffer > 0)
      wb_text_format(text, " of line %u, hit %u", stage->buffer, stage->hit);
    wb_text_string(text, "]");
  }
  if (one->latency > 0)
    wb_text_format(text, " latency %u", one->latency);
  if (one->read_latency > 0 || one->read_scoreboard != WB_NO_SCOREBOARD)
    wb_text_format(text, " read after stage %u + %u", one->read_stages, one->read_latency);
  print_scoreboard(text, "writes", one->write_scoreboard);
  print_scoreboard(text, "reads", one->read_scoreboard);
  if (one->wait_mask != 0)
    wb_text_format(text, " waits 0x%x", one->wait_mask);
  print_scoreboard(text, "counts", one->counted_scoreboard);
  if (one->counted_scoreboard != WB_NO_SCOREBOARD)
    wb_text_format(text, "<=%u", one->counted_left);
  wb_text_string(text, one->posted ? " posted" : "");
  wb_text_string(text, one->barrier ? " BARRIER\n" : "\n");
}

void tiny_launch_print(const struct tiny_launch *launch, struct wb_text *text)
{
  static const char *const levels[] = {"partition", "SM", "GPU"};
  static const char *const leaves[] = {"early", "when operands are read", "when all has ended"};
  const struct wb_launch_shape *shape = &launch->shape;
  wb_text_format(text,
                 "  B = %llu, w = %u, m = %u, P = %u, R = %u, block start %u, dispatch %u, "
                 "leaves %s, %s queues%s\n",
                 (unsigned long long)shape->blocks, shape->block_warps, shape->sms,
                 shape->partitions, shape->resident_blocks, shape->block_start, shape->dispatch,
                 leaves[launch->leave], launch->full_queues ? "full" : "no",
                 launch->late_ends ? ", warps end with all that they made" : "");
  for (size_t b = 0; b < launch->code.kept.count; b++)
    wb_text_format(text, "  line %zu by %s, resident 0x%x, %u written back, fetched %s%s\n", b + 1,
                   launch->code.kept.buffers[b].by_sector ? "sector" : "access",
                   launch->resident >> (4 * b) & 15u, launch->write_backs,
                   launch->whole_lines ? "whole" : "by sector",
                   launch->code.kept.warm ? ", warm" : "");
  for (size_t r = 0; r < launch->code.resource_count; r++) {
    const struct wb_resource *resource = &launch->code.resources[r];
    wb_text_format(text, "  %s: %u of a %s, %s\n", resource->name, resource->servers,
                   levels[resource->level], resource->at_issue ? "at issue" : "requests");
  }
  for (size_t i = 0; i < launch->code.instruction_count; i++)
    print_instruction(&launch->code, i, text);
  for (size_t p = 0; p < launch->path_count; p++) {
    wb_text_string(text, "  path");
    for (uint32_t i = 0; i < launch->paths[p].length; i++)
      wb_text_format(text, " %u", launch->paths[p].step[i]);
    wb_text_string(text, "\n");
  }
}
