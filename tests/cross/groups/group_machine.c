#include "group_machine.h"

#include <assert.h>
#include <string.h>

#define NONE UINT32_MAX
#define MOST_INSTANCES 4096
#define MOST_TURNS 3000

/* ---- the graph ---- */

static bool scope_of(const struct group_program *program, size_t step, unsigned barrier)
{
  return program->steps[step].operation == GROUP_OPEN && program->steps[step].barrier == barrier;
}

static void add_edge(struct group_graph *made, uint32_t from, uint32_t to, enum wb_edge_kind kind,
                     enum wb_edge_rate rate)
{
  struct wb_warp_graph *graph = &made->graph;
  size_t at = graph->edge_count;
  const struct wb_warp_edge edge = {from, to, (uint8_t)kind, (uint8_t)rate};
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (made->edges[e].from == from && made->edges[e].to == to && made->edges[e].kind == kind)
      return;
  }
  assert(graph->edge_count < GROUP_EDGES);
  while (at > 0 && (made->edges[at - 1].from > from ||
                    (made->edges[at - 1].from == from &&
                     (made->edges[at - 1].to > to ||
                      (made->edges[at - 1].to == to && made->edges[at - 1].kind > kind))))) {
    made->edges[at] = made->edges[at - 1];
    at--;
  }
  made->edges[at] = edge;
  graph->edge_count++;
}

static bool has_target(enum group_operation operation)
{
  return operation == GROUP_BRANCH || operation == GROUP_UNIFORM;
}

/* Steps that can be reached: passes until one changes nothing. */
static void mark_reached(const struct group_program *program, bool *reached)
{
  bool changed = true;
  reached[0] = true;
  while (changed) {
    changed = false;
    for (size_t s = 0; s < program->count; s++) {
      const struct group_step *step = &program->steps[s];
      bool next[GROUP_STEPS] = {false};
      if (!reached[s] || step->operation == GROUP_EXIT)
        continue;
      next[s + 1] = step->operation != GROUP_SYNC || !program->structured;
      if (has_target(step->operation))
        next[step->target] = true;
      for (size_t o = 0; o < program->count && step->operation == GROUP_SYNC; o++) {
        if (reached[o] && scope_of(program, o, step->barrier))
          next[program->steps[o].target] = true;
      }
      for (size_t n = 0; n < program->count; n++) {
        changed |= next[n] && !reached[n];
        reached[n] |= next[n];
      }
    }
  }
}

static void add_edges(const struct group_program *program, struct group_graph *made, size_t s)
{
  const struct group_step *step = &program->steps[s];
  const uint32_t from = made->block_of[s];
  const enum wb_edge_rate rate = step->operation == GROUP_BRANCH ? WB_RATE_EACH
                                 : step->operation == GROUP_SYNC ? WB_RATE_EACH
                                                                 : WB_RATE_SHARED;
  if (step->operation == GROUP_EXIT) {
    made->ends[from] = true;
    return;
  }
  if (step->operation != GROUP_SYNC || !program->structured)
    add_edge(made, from, made->block_of[s + 1], WB_EDGE_FALLTHROUGH, rate);
  if (has_target(step->operation))
    add_edge(made, from, made->block_of[step->target], WB_EDGE_BRANCH, rate);
  for (size_t o = 0; o < program->count && step->operation == GROUP_SYNC; o++) {
    if (made->block_of[o] != NONE && scope_of(program, o, step->barrier))
      add_edge(made, from, made->block_of[program->steps[o].target], WB_EDGE_BRANCH,
               program->structured ? WB_RATE_SHARED : WB_RATE_LANES);
  }
}

static uint32_t find_edge(const struct group_graph *made, uint32_t from, uint32_t to,
                          enum wb_edge_kind kind)
{
  for (uint32_t e = 0; e < made->graph.edge_count; e++) {
    if (made->edges[e].from == from && made->edges[e].to == to && made->edges[e].kind == kind)
      return e;
  }
  assert(!"an edge of the graph is missing");
  return NONE;
}

static void add_entries(const struct group_program *program, struct group_graph *made)
{
  struct wb_warp_graph *graph = &made->graph;
  for (size_t o = 0; o < program->count; o++) {
    if (made->block_of[o] == NONE || program->steps[o].operation != GROUP_OPEN)
      continue;
    made->entries[graph->entry_count] = (struct wb_warp_entry){
        .point = program->steps[o].target, .token = WB_TOKEN_SCOPE, .once = true};
    made->pushes[graph->push_count++] =
        (struct wb_warp_push){made->block_of[o], (uint32_t)graph->entry_count++, false};
  }
  for (uint32_t e = 0; e < graph->edge_count; e++) {
    uint32_t entry = 0;
    const struct group_step *from = &program->steps[made->blocks[made->edges[e].from].first];
    for (size_t o = 0; o < program->count; o++) {
      if (made->block_of[o] == NONE || program->steps[o].operation != GROUP_OPEN)
        continue;
      if (from->operation == GROUP_SYNC && made->edges[e].kind == WB_EDGE_BRANCH &&
          program->steps[o].barrier == from->barrier &&
          made->block_of[program->steps[o].target] == made->edges[e].to)
        made->pops[graph->pop_count++] = (struct wb_warp_pop){e, entry};
      entry++;
    }
  }
}

/* Of the operations in which lanes wait; what the others transfer is not asked. */
static uint8_t transfer_of(enum group_operation operation)
{
  switch (operation) {
  case GROUP_SYNC:
    return WB_TRANSFER_SCOPE_SYNC;
  case GROUP_WARP:
    return WB_TRANSFER_WARP_SYNC;
  default:
    return WB_TRANSFER_NEXT;
  }
}

void group_graph_make(const struct group_program *program, struct group_graph *made)
{
  bool reached[GROUP_STEPS] = {false};
  *made = (struct group_graph){0};
  made->context.caller = made->context.site = NONE;
  made->function = (struct wb_function){
      .name = "groups", .instructions = made->instructions, .instruction_count = program->count};
  made->graph = (struct wb_warp_graph){.function = &made->function,
                                       .contexts = &made->context,
                                       .context_count = 1,
                                       .blocks = made->blocks,
                                       .edges = made->edges,
                                       .ends = made->ends,
                                       .entries = made->entries,
                                       .pushes = made->pushes,
                                       .pops = made->pops,
                                       .groups = true};
  mark_reached(program, reached);
  for (size_t s = 0; s < program->count; s++) {
    made->instructions[s].transfer = transfer_of(program->steps[s].operation);
    made->block_of[s] = reached[s] ? (uint32_t)made->graph.block_count : NONE;
    if (reached[s])
      made->blocks[made->graph.block_count++] = (struct wb_warp_block){(uint32_t)s, (uint32_t)s, 0};
  }
  for (size_t s = 0; s < program->count; s++) {
    if (reached[s])
      add_edges(program, made, s);
  }
  add_entries(program, made);
}

/* ---- runs ---- */

enum state { READY, WAITS_IN_SCOPE, WAITS_FOR_WARP, ENDED };

struct cluster {
  enum state state;
  uint32_t at; /* a step */
  uint32_t group;
  int64_t lanes;
  uint32_t bound[GROUP_BARRIERS]; /* an instance of a scope, or NONE */
  int64_t turns[GROUP_STEPS];     /* by loop: returns since it entered */
};

struct instance {
  bool in[GROUP_CLUSTERS]; /* participants */
  uint32_t step;           /* its GROUP_OPEN */
  unsigned barrier;
};

struct machine {
  const struct group_program *program;
  const struct group_graph *graph;
  const struct group_loop *loops;
  size_t loop_count;
  struct wb_random *random;
  struct group_run *run;
  struct cluster clusters[GROUP_CLUSTERS];
  struct instance instances[MOST_INSTANCES];
  uint32_t instance_count;
  uint32_t group_count;
};

static void lane_takes(struct machine *machine, struct cluster *cluster, uint32_t edge)
{
  machine->run->taken[machine->graph->graph.edge_count + edge] += cluster->lanes;
  for (size_t l = 0; l < machine->loop_count; l++) {
    if (machine->loops[l].enters[edge])
      cluster->turns[l] = 0;
    if (machine->loops[l].returns[edge])
      cluster->turns[l]++;
    if (cluster->turns[l] > machine->run->returns[l])
      machine->run->returns[l] = cluster->turns[l];
  }
}

static void move(struct machine *machine, struct cluster *cluster, uint32_t edge, uint32_t to,
                 uint32_t group)
{
  lane_takes(machine, cluster, edge);
  cluster->state = READY;
  cluster->at = to;
  cluster->group = group;
}

static uint32_t edge_of(const struct machine *machine, uint32_t from, uint32_t to,
                        enum wb_edge_kind kind)
{
  return find_edge(machine->graph, machine->graph->block_of[from], machine->graph->block_of[to],
                   kind);
}

/* The clusters of `who` go on together. */
static void go(struct machine *machine, const bool *who, uint32_t from, uint32_t to,
               enum wb_edge_kind kind)
{
  const uint32_t edge = edge_of(machine, from, to, kind);
  const uint32_t group = machine->group_count++;
  bool any = false;
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    if (who[c])
      move(machine, &machine->clusters[c], edge, to, group);
    any |= who[c];
  }
  machine->run->taken[edge] += any;
}

/* Releases a scope where all of its participants wait: counted where one of them, any, waited. */
static void release(struct machine *machine, uint32_t index)
{
  const struct instance *instance = &machine->instances[index];
  const uint32_t to = machine->program->steps[instance->step].target;
  size_t count = 0;
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    const struct cluster *cluster = &machine->clusters[c];
    if (instance->in[c] && (cluster->state != WAITS_IN_SCOPE ||
                            cluster->bound[machine->program->steps[cluster->at].barrier] != index))
      return;
    count += instance->in[c];
  }
  if (count == 0)
    return;
  uint64_t chosen = wb_random_below(machine->random, count);
  const uint32_t group = machine->group_count++;
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    struct cluster *cluster = &machine->clusters[c];
    if (!instance->in[c])
      continue;
    const uint32_t edge = edge_of(machine, cluster->at, to, WB_EDGE_BRANCH);
    machine->run->taken[edge] += chosen-- == 0;
    cluster->bound[instance->barrier] = NONE;
    move(machine, cluster, edge, to, group);
  }
  memset(machine->instances[index].in, 0, sizeof instance->in);
}

static void leave(struct machine *machine, size_t cluster, uint32_t index)
{
  machine->instances[index].in[cluster] = false;
  release(machine, index);
}

static void do_sync(struct machine *machine, const bool *group, uint32_t at)
{
  const unsigned barrier = machine->program->steps[at].barrier;
  bool unbound[GROUP_CLUSTERS] = {false};
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    if (group[c] && machine->clusters[c].bound[barrier] == NONE)
      unbound[c] = true;
    else if (group[c])
      machine->clusters[c].state = WAITS_IN_SCOPE;
  }
  go(machine, unbound, at, at + 1, WB_EDGE_FALLTHROUGH);
  for (uint32_t i = 0; i < machine->instance_count; i++)
    release(machine, i);
}

static void do_break(struct machine *machine, const bool *group, uint32_t at)
{
  const unsigned barrier = machine->program->steps[at].barrier;
  go(machine, group, at, at + 1, WB_EDGE_FALLTHROUGH);
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    const uint32_t index = machine->clusters[c].bound[barrier];
    if (!group[c] || index == NONE)
      continue;
    machine->clusters[c].bound[barrier] = NONE;
    leave(machine, c, index);
  }
}

static void do_open(struct machine *machine, const bool *group, uint32_t at)
{
  const unsigned barrier = machine->program->steps[at].barrier;
  const uint32_t index = machine->instance_count++;
  struct instance *instance = &machine->instances[index];
  *instance = (struct instance){.step = at, .barrier = barrier};
  go(machine, group, at, at + 1, WB_EDGE_FALLTHROUGH);
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    if (!group[c])
      continue;
    /* The lane stays a participant of a scope whose binding it loses: that one never is released.
     */
    instance->in[c] = true;
    machine->clusters[c].bound[barrier] = index;
  }
}

static void do_branch(struct machine *machine, const bool *group, uint32_t at, bool uniform)
{
  const uint64_t lean = 1 + wb_random_below(machine->random, 6);
  const bool all = wb_random_below(machine->random, 7) < lean;
  bool taken[GROUP_CLUSTERS] = {false};
  bool not_taken[GROUP_CLUSTERS] = {false};
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    const bool takes = uniform ? all : wb_random_below(machine->random, 7) < lean;
    taken[c] = group[c] && takes;
    not_taken[c] = group[c] && !takes;
  }
  go(machine, taken, at, machine->program->steps[at].target, WB_EDGE_BRANCH);
  go(machine, not_taken, at, at + 1, WB_EDGE_FALLTHROUGH);
}

static void do_exit(struct machine *machine, const bool *group)
{
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    if (group[c])
      machine->clusters[c].state = ENDED;
  }
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    for (uint32_t i = 0; i < machine->instance_count && group[c]; i++) {
      if (machine->instances[i].in[c])
        leave(machine, c, i);
    }
  }
}

/* Lets all lanes go on that wait for the warp, where no other lane is left. */
static void release_warp(struct machine *machine)
{
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    if (machine->clusters[c].state == READY || machine->clusters[c].state == WAITS_IN_SCOPE)
      return;
  }
  for (uint32_t s = 0; s < machine->program->count; s++) {
    bool here[GROUP_CLUSTERS] = {false};
    bool any = false;
    for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
      here[c] = machine->clusters[c].state == WAITS_FOR_WARP && machine->clusters[c].at == s;
      any |= here[c];
    }
    if (any && machine->program->steps[s].operation == GROUP_WARP)
      go(machine, here, s, s + 1, WB_EDGE_FALLTHROUGH);
  }
}

static void do_step(struct machine *machine, const bool *group, uint32_t at)
{
  switch (machine->program->steps[at].operation) {
  case GROUP_NEXT:
    go(machine, group, at, at + 1, WB_EDGE_FALLTHROUGH);
    break;
  case GROUP_BRANCH:
  case GROUP_UNIFORM:
    do_branch(machine, group, at, machine->program->steps[at].operation == GROUP_UNIFORM);
    break;
  case GROUP_OPEN:
    do_open(machine, group, at);
    break;
  case GROUP_SYNC:
    do_sync(machine, group, at);
    break;
  case GROUP_BREAK:
    do_break(machine, group, at);
    break;
  case GROUP_WARP:
    for (size_t c = 0; c < GROUP_CLUSTERS; c++)
      machine->clusters[c].state = group[c] ? WAITS_FOR_WARP : machine->clusters[c].state;
    break;
  case GROUP_EXIT:
    do_exit(machine, group);
    break;
  }
  release_warp(machine);
}

/* A ready cluster, any; or GROUP_CLUSTERS. */
static size_t choose(struct machine *machine)
{
  size_t ready[GROUP_CLUSTERS];
  size_t count = 0;
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    if (machine->clusters[c].state == READY)
      ready[count++] = c;
  }
  return count > 0 ? ready[wb_random_below(machine->random, count)] : GROUP_CLUSTERS;
}

static void start(struct machine *machine)
{
  int64_t left = 32;
  for (size_t c = 0; c < GROUP_CLUSTERS; c++) {
    struct cluster *cluster = &machine->clusters[c];
    const int64_t others = (int64_t)(GROUP_CLUSTERS - 1 - c);
    cluster->lanes = others == 0
                         ? left
                         : 1 + (int64_t)wb_random_below(machine->random, (uint64_t)(left - others));
    left -= cluster->lanes;
    memset(cluster->bound, 0xff, sizeof cluster->bound);
  }
  machine->group_count = 1;
}

bool group_run_make(const struct group_program *program, const struct group_graph *graph,
                    const struct group_loop *loops, size_t loop_count, struct wb_random *random,
                    struct group_run *run)
{
  struct machine machine = {.program = program,
                            .graph = graph,
                            .loops = loops,
                            .loop_count = loop_count,
                            .random = random,
                            .run = run};
  *run = (struct group_run){0};
  start(&machine);
  for (unsigned turn = 0; turn < MOST_TURNS; turn++) {
    const size_t chosen = choose(&machine);
    bool group[GROUP_CLUSTERS] = {false};
    if (chosen == GROUP_CLUSTERS)
      break;
    for (size_t c = 0; c < GROUP_CLUSTERS; c++)
      group[c] = machine.clusters[c].state == READY &&
                 machine.clusters[c].group == machine.clusters[chosen].group;
    do_step(&machine, group, machine.clusters[chosen].at);
  }
  bool ended = true;
  for (size_t c = 0; c < GROUP_CLUSTERS; c++)
    ended = ended && machine.clusters[c].state == ENDED;
  return ended;
}
