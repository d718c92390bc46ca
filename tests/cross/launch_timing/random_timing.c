#include "random_timing.h"

#include <stdlib.h>

static uint32_t from_to(struct wb_random *random, uint32_t least, uint32_t most)
{
  return least + (uint32_t)wb_random_below(random, most - least + 1);
}

static bool one_in(struct wb_random *random, uint32_t count)
{
  return wb_random_below(random, count) == 0;
}

static void random_instruction(struct wb_random *random, struct random_timing *timing, bool barrier)
{
  struct made_instruction made = {
      .stall = one_in(random, 6) ? from_to(random, 5, 20) : from_to(random, 1, 4),
      .slot = one_in(random, 4) ? from_to(random, 1, 6) : 1,
      .barrier = barrier,
      .fence = one_in(random, 25),
  };
  if (one_in(random, 2)) {
    made.unit = (uint8_t)from_to(random, 1, 2);
    made.unit_service = one_in(random, barrier ? 2 : 5) ? from_to(random, 5, barrier ? 90 : 30)
                                                        : from_to(random, 1, 4);
  }
  if (one_in(random, 3)) {
    made.write = (uint8_t)from_to(random, 0, WB_SCOREBOARD_COUNT);
    made.read = one_in(random, 3) ? (uint8_t)from_to(random, 0, WB_SCOREBOARD_COUNT) : 0;
    const uint32_t stages = from_to(random, 0, 3);
    for (uint32_t s = 0; s < stages; s++)
      made.stages[s] =
          (struct made_stage){(uint8_t)from_to(random, 3, 4), (uint16_t)from_to(random, 1, 3),
                              from_to(random, 0, 6), from_to(random, 1, 9)};
    made.read_stages = (uint8_t)from_to(random, 0, stages);
    made.latency = from_to(random, 0, 40);
    made.read_latency = from_to(random, 0, 10);
  }
  if (one_in(random, 3))
    made.wait_mask = (uint8_t)(1U << from_to(random, 0, WB_SCOREBOARD_COUNT - 1));
  if (one_in(random, 8))
    made.wait_mask |= (uint8_t)wb_random_below(random, 1U << WB_SCOREBOARD_COUNT);
  if (one_in(random, 8)) {
    made.counted = (uint8_t)from_to(random, 1, WB_SCOREBOARD_COUNT);
    made.counted_left = (uint8_t)from_to(random, 0, 2);
  }
  timed_instruction(&timing->code, made);
}

/* A load, late enough that loops may wait for it in their first turn or a later one. */
static void random_load(struct wb_random *random, struct random_timing *timing)
{
  timed_instruction(&timing->code,
                    (struct made_instruction){.stall = from_to(random, 1, 4),
                                              .write = (uint8_t)from_to(random, 1, 6),
                                              .latency = from_to(random, 20, 300)});
}

/* A node of some random instructions. */
static uint32_t random_node(struct wb_random *random, struct random_timing *timing, bool barrier)
{
  const uint32_t count = from_to(random, barrier ? 1 : 0, 6);
  const uint32_t first = (uint32_t)timing->code.instruction_count;
  for (uint32_t i = 0; i < count; i++)
    if (!barrier && one_in(random, 8))
      random_load(random, timing);
    else
      random_instruction(random, timing, barrier && i + 1 == count);
  return count > 0 ? made_graph_node(&timing->made, first, first + count - 1)
                   : made_graph_node(&timing->made, 1, 0);
}

static void begin(struct wb_random *random, struct random_timing *timing)
{
  *timing = (struct random_timing){.one_server = one_in(random, 3)};
  made_graph_begin(&timing->made);
  const uint32_t most = timing->one_server ? 1 : 4;
  timed_resource(&timing->code, WB_LEVEL_PARTITION, 1, true);
  timed_resource(&timing->code, WB_LEVEL_PARTITION, from_to(random, 1, most), true);
  timed_resource(&timing->code, WB_LEVEL_SM, from_to(random, 1, most), true);
  timed_resource(&timing->code, WB_LEVEL_SM, from_to(random, 1, most), false);
  timed_resource(&timing->code, WB_LEVEL_GPU, from_to(random, 1, most), false);
}

/* Random edges among the nodes first .. last, each of which the first one leads to. */
static void random_edges(struct wb_random *random, struct random_timing *timing, uint32_t first,
                         uint32_t last)
{
  for (uint32_t n = first + 1; n <= last; n++)
    made_graph_edge(&timing->made, from_to(random, first, n - 1), n);
  const uint32_t more = from_to(random, 0, last - first + 1);
  for (uint32_t e = 0; e < more; e++)
    made_graph_edge(&timing->made, from_to(random, first, last), from_to(random, first, last));
}

void random_timing_make(struct wb_random *random, bool barriers, struct random_timing *timing)
{
  begin(random, timing);
  const uint32_t nodes = from_to(random, 1, 9);
  for (uint32_t n = 0; n < nodes; n++) {
    const uint32_t node = random_node(random, timing, barriers && one_in(random, 3));
    timing->made.ends[node] = one_in(random, 2) || n + 1 == nodes;
  }
  random_edges(random, timing, 0, nodes - 1);
}

void random_timing_groups(struct wb_random *random, struct random_timing *timing)
{
  begin(random, timing);
  const uint32_t left = from_to(random, 1, 4);
  const uint32_t right = from_to(random, 1, 4);
  random_node(random, timing, false);
  made_graph_edge(&timing->made, 0, 1);
  made_graph_edge(&timing->made, 0, 1 + left);
  for (uint32_t n = 0; n < left + right; n++)
    timing->made.interleaved[random_node(random, timing, false)] = true;
  const uint32_t last = random_node(random, timing, false);
  random_edges(random, timing, 1, left);
  random_edges(random, timing, 1 + left, left + right);
  /* The lanes of the second side go on with the others, or end. */
  const bool end = one_in(random, 3);
  for (uint32_t n = 1; n <= left + right; n++) {
    timing->made.ends[n] = end && n > left;
    if (!timing->made.ends[n])
      made_graph_edge(&timing->made, n, last);
  }
  timing->made.ends[last] = true;
  timing->loop = !end && one_in(random, 2);
  if (timing->loop) {
    const uint32_t before = random_node(random, timing, false);
    made_graph_edge(&timing->made, before, 0);
    made_graph_edge(&timing->made, last, 0);
    timing->made.start = before;
  }
}

void random_timing_free(struct random_timing *timing)
{
  wb_timed_code_free(&timing->code);
}

static void run_node(const struct random_timing *timing, uint32_t node, uint32_t group,
                     struct timed_walk *walk)
{
  walk->nodes[walk->node_count++] = node;
  for (uint32_t i = timing->made.first[node];
       timing->made.first[node] <= timing->made.last[node] && i <= timing->made.last[node]; i++)
    walk->steps[walk->count++] = (struct timed_step){
        .instruction = i, .group = group, .node = i == timing->made.last[node] ? node : UINT32_MAX};
}

/* An edge to a successor among the nodes first .. last; UINT32_MAX for none. */
static uint32_t random_successor(struct wb_random *random, const struct random_timing *timing,
                                 uint32_t node, uint32_t first, uint32_t last)
{
  uint32_t found = UINT32_MAX;
  uint32_t count = 0;
  for (size_t e = 0; e < timing->made.graph.edge_count; e++) {
    const uint32_t to = timing->made.to[e];
    if (timing->made.from[e] == node && to >= first && to <= last && one_in(random, ++count))
      found = (uint32_t)e;
  }
  return found;
}

bool random_walk(struct wb_random *random, const struct random_timing *timing,
                 struct timed_walk *walk)
{
  const uint32_t last = (uint32_t)timing->made.graph.node_count - 1;
  const uint32_t most = from_to(random, 1, 50);
  size_t count = 0;
  size_t nodes = 0;
  *walk = (struct timed_walk){0};
  for (uint32_t node = 0; walk->node_count < most;) {
    run_node(timing, node, 0, walk);
    if (timing->made.ends[node]) {
      count = walk->count;
      nodes = walk->node_count;
    }
    const uint32_t edge = random_successor(random, timing, node, 0, last);
    if (edge == UINT32_MAX)
      break;
    walk->edges[walk->edge_count++] = edge;
    node = timing->made.to[edge];
  }
  walk->count = count;
  walk->node_count = nodes;
  walk->edge_count = nodes > 0 ? nodes - 1 : 0;
  return nodes > 0;
}

/* A walk on one side. */
static void walk_side(struct wb_random *random, const struct random_timing *timing, uint32_t first,
                      uint32_t last, uint32_t group, struct timed_walk *walk)
{
  const uint32_t most = from_to(random, 1, timing->loop ? 8 : 20);
  *walk = (struct timed_walk){0};
  for (uint32_t node = first; walk->node_count < most;) {
    run_node(timing, node, group, walk);
    const uint32_t edge = random_successor(random, timing, node, first, last);
    if (edge == UINT32_MAX)
      break;
    node = timing->made.to[edge];
  }
}

/* Adds the steps of two groups in some order. */
static void mix(struct wb_random *random, const struct timed_walk sides[2], struct timed_walk *walk)
{
  size_t next[2] = {0, 0};
  while (next[0] < sides[0].count || next[1] < sides[1].count) {
    uint32_t side = (uint32_t)wb_random_below(random, 2);
    if (next[side] == sides[side].count)
      side = 1 - side;
    walk->steps[walk->count++] = sides[side].steps[next[side]++];
  }
  for (size_t s = 0; s < 2; s++) {
    for (size_t n = 0; n < sides[s].node_count; n++)
      walk->nodes[walk->node_count++] = sides[s].nodes[n];
  }
}

void random_group_walk(struct wb_random *random, const struct random_timing *timing,
                       struct timed_walk *walk)
{
  static struct timed_walk sides[2];
  const uint32_t last = (uint32_t)timing->made.graph.node_count - 1 - timing->loop;
  /* The first node of the second side; the second one's last node is the last but one. */
  const uint32_t second = timing->made.to[1];
  const uint32_t turns = timing->loop ? from_to(random, 1, 3) : 1;
  *walk = (struct timed_walk){0};
  /* The edges between the sides pay nothing. */
  if (timing->loop) {
    run_node(timing, last + 1, 0, walk);
    walk->edges[walk->edge_count++] = (uint32_t)timing->made.graph.edge_count - 2;
  }
  for (uint32_t turn = 0; turn < turns; turn++) {
    if (turn > 0)
      walk->edges[walk->edge_count++] = (uint32_t)timing->made.graph.edge_count - 1;
    run_node(timing, 0, 0, walk);
    walk_side(random, timing, 1, second - 1, 0, &sides[0]);
    walk_side(random, timing, second, last - 1, 1, &sides[1]);
    mix(random, sides, walk);
    run_node(timing, last, 0, walk);
  }
}
