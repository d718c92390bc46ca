#include "launch_makers.h"

#include "analysis/launch/launch_maxima.h"
#include "certificate/launch/launch_claim.h"
#include "unit.h"

/* Of the system's arena. */
static void *make_array(struct wb_path_system *system, size_t count, size_t size)
{
  void *array = wb_arena_allocate(&system->arena, count + 1, size);
  assert_non_null(array);
  return array;
}

/* Whether the loop of a limit, which is an edge from its node to itself, has a barrier. */
static bool loop_has_barrier(const struct random_launch *launch, size_t limit)
{
  const struct launch_graph *graph = &launch->graph;
  for (size_t e = 0; e < graph->edge_count; e++) {
    if (graph->limits[limit].factor[e] > 0)
      return launch->tiny.code.instructions[graph->last[graph->from[e]]].barrier;
  }
  return false;
}

static void add_limits(const struct random_launch *launch, struct wb_path_system *system,
                       bool composite)
{
  const struct launch_graph *graph = &launch->graph;
  if (composite) {
    system->composed = make_array(system, graph->limit_count, sizeof *system->composed);
    system->local = make_array(system, graph->limit_count, sizeof *system->local);
  }
  for (size_t l = 0; l < graph->limit_count; l++) {
    wb_flow_limit_add(&system->flow, graph->limits[l].constant, (uint32_t)l);
    for (size_t e = 0; e < graph->edge_count; e++) {
      if (graph->limits[l].factor[e] != 0)
        assert_true(wb_flow_term_add(&system->flow, (uint32_t)e, graph->limits[l].factor[e]));
    }
    /* An exclusion is of two edges of any phases. */
    const bool of_loop = l < graph->loop_count;
    if (composite) {
      system->composed[l] = of_loop;
      system->local[l] = of_loop && !loop_has_barrier(launch, l);
    }
  }
}

static void make_system(const struct random_launch *launch, bool composite,
                        struct wb_path_system *system)
{
  const struct launch_graph *graph = &launch->graph;
  const bool many = launch->tiny.as_many;
  const size_t nodes = graph->node_count;
  *system = (struct wb_path_system){
      .phases = 1, .phased = !composite && !many, .as_many = many, .sure = true};
  system->groups = launch->tiny.groups;
  system->sure = many || !launch->graph.unphased;
  system->same_path = launch->tiny.same_path || launch->tiny.launch_path;
  system->launch_path = launch->tiny.launch_path;
  assert_ok(wb_flow_system_make(&system->flow, nodes, graph->edge_count, nodes, NULL));
  system->first = make_array(system, nodes, sizeof *system->first);
  system->last = make_array(system, nodes, sizeof *system->last);
  system->block = make_array(system, nodes, sizeof *system->block);
  system->count = make_array(system, nodes, sizeof *system->count);
  system->phase = make_array(system, nodes, sizeof *system->phase);
  for (size_t v = 0; v < nodes; v++) {
    system->first[v] = graph->first[v];
    system->last[v] = graph->last[v];
    system->block[v] = (uint32_t)v;
    system->phase[v] = composite || many ? 0 : graph->phase[v];
    if (!composite && !many && graph->phase[v] + 1u > system->phases)
      system->phases = graph->phase[v] + 1u;
    system->count[v][WB_UNIT_BARRIER] = launch->tiny.code.instructions[graph->last[v]].barrier;
  }
  for (size_t e = 0; e < graph->edge_count; e++) {
    system->flow.from[e] = graph->from[e];
    system->flow.to[e] = graph->to[e];
  }
  wb_flow_system_walk(&system->flow, 0);
  system->flow.ends[nodes - 1] = true;
  uint32_t met = 0; /* phases but the last with an early end, by bits */
  for (size_t v = 0; v + 1 < nodes; v++) {
    system->flow.ends[v] = graph->early_end[v];
    met |= graph->early_end[v] && (composite || system->phase[v] + 1 < system->phases)
               ? UINT32_C(1) << system->phase[v]
               : 0;
  }
  for (; met > 0; met &= met - 1)
    system->early_ends++;
  if (many)
    system->early_ends = launch->tiny.early != TINY_NONE_EARLY;
  add_limits(launch, system, composite);
  assert_true(wb_flow_system_is_valid(&system->flow));
}

static void check(warpbound_status status, const warpbound_error *error,
                  const struct random_launch *launch)
{
  if (status == WARPBOUND_OK)
    return;
  struct wb_text text = {0};
  tiny_launch_print(&launch->tiny, &text);
  fail_msg("the makers fail: %s\n%s", error->message, text.data);
}

static void find_times(const struct random_launch *launch, struct made_bound *made)
{
  const struct wb_path_system *system = &made->system;
  const uint32_t start = 0;
  warpbound_error error;
  const struct wb_timing_graph graph = {.node_count = system->flow.node_count,
                                        .edge_count = system->flow.edge_count,
                                        .first = system->first,
                                        .last = system->last,
                                        .ends = system->flow.ends,
                                        .from = system->flow.from,
                                        .to = system->flow.to,
                                        .starts = &start,
                                        .start_count = 1};
  check(wb_warp_times_find(&launch->tiny.code, &graph, &made->times, &error), &error, launch);
}

void made_bound_make(const struct random_launch *launch, bool composite, struct made_bound *made)
{
  const struct wb_control control = wb_control_start(NULL);
  warpbound_error error;
  *made = (struct made_bound){0};
  make_system(launch, composite, &made->system);
  find_times(launch, made);
  check(wb_launch_maxima_find(&launch->tiny.code, &made->system, &made->times, &control,
                              &made->maxima, &error),
        &error, launch);
  wb_launch_maxima_add_groups(&made->maxima, &launch->tiny.shape);
  made->maxima.terms.partition_warps = launch->tiny.partition_places;
  check(wb_launch_maxima_add_block(&made->maxima, &launch->tiny.shape, &control, &error), &error,
        launch);
  check(wb_launch_bound_evaluate(&made->maxima.terms, &launch->tiny.shape, &made->launch, &error),
        &error, launch);
  check(wb_launch_maxima_add_launch(&made->maxima, &launch->tiny.shape, &made->launch, &control,
                                    &error),
        &error, launch);
  check(wb_launch_bound_evaluate(&made->maxima.terms, &launch->tiny.shape, &made->launch, &error),
        &error, launch);
  check(wb_block_bound_evaluate(&made->maxima.terms, &launch->tiny.shape, &made->block, &error),
        &error, launch);
}

void made_bound_reshape(const struct random_launch *launch, struct made_bound *made)
{
  warpbound_error error;
  assert_false(launch->tiny.same_path || launch->tiny.launch_path);
  check(wb_launch_bound_evaluate(&made->maxima.terms, &launch->tiny.shape, &made->launch, &error),
        &error, launch);
}

uint64_t made_bound_check(const struct random_launch *launch, const struct made_bound *made)
{
  FREED_BY(wb_launch_claim_free) struct wb_launch_claim_owner owner;
  struct wb_check_launch_verdict verdict = {0};
  warpbound_error error;
  check(wb_launch_claim_fill(&made->maxima, NULL, made->system.flow.ends, &launch->tiny.shape,
                             made->launch.cycles, &owner, &error),
        &error, launch);
  check(wb_check_launch(&owner.claim, &verdict, &error), &error, launch);
  return verdict.cycles;
}

void made_bound_free(struct made_bound *made)
{
  wb_launch_maxima_free(&made->maxima);
  wb_warp_times_free(&made->times);
  wb_path_system_free(&made->system);
}

int compare_ratios(const void *left, const void *right)
{
  const double x = *(const double *)left;
  const double y = *(const double *)right;
  return (x > y) - (x < y);
}
