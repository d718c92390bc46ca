#include "ipet/solve/count_estimates.h"

#include "cfg/graph/loops.h"
#include "linear/scaled_program.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX

/* Estimates are at most that. */
#define MOST 0x1p60
/* Times that loops are looked at: limits of groups are in terms of lanes, and the other way. */
#define ROUNDS 4

struct estimator {
  const struct wb_flow_system *system;
  struct wb_loop_forest forest;
  struct wb_flow_edge_terms terms;
  uint32_t *within; /* by edge: the innermost loop that has both its ends, or NONE */
  double *scale;    /* by loop: runs of its header; INFINITY: not known yet */
};

/* The loops of all layers: of the graph with one more node, from which all starts are entered. */
static bool find_loops(struct wb_arena *arena, struct estimator *estimator)
{
  const struct wb_flow_system *system = estimator->system;
  const size_t edges = system->edge_count;
  const size_t starts = system->start_count;
  uint32_t *from = wb_arena_array(arena, uint32_t, edges + starts);
  uint32_t *to = wb_arena_array(arena, uint32_t, edges + starts);
  if (arena->failed)
    return false;
  if (edges > 0) {
    memcpy(from, system->from, edges * sizeof *from);
    memcpy(to, system->to, edges * sizeof *to);
  }
  for (size_t s = 0; s < starts; s++) {
    from[edges + s] = (uint32_t)system->node_count;
    to[edges + s] = system->starts[s].node;
  }
  const struct wb_flow_graph graph = {.node_count = system->node_count + 1,
                                      .edge_count = edges + starts,
                                      .from = from,
                                      .to = to,
                                      .entry = (uint32_t)system->node_count};
  warpbound_error error;
  return wb_loop_forest_make(&graph, &estimator->forest, &error) == WARPBOUND_OK;
}

/* The innermost loop that has both nodes. */
static uint32_t common_loop(const struct wb_loop_forest *forest, uint32_t u, uint32_t v)
{
  uint32_t a = forest->innermost[u];
  uint32_t b = forest->innermost[v];
  while (a != b && a != NONE && b != NONE) {
    const uint32_t depth_a = forest->loops[a].depth;
    const uint32_t depth_b = forest->loops[b].depth;
    a = depth_a >= depth_b ? forest->loops[a].parent : a;
    b = depth_b >= depth_a ? forest->loops[b].parent : b;
  }
  return a == b ? a : NONE;
}

static double scale_of(const struct estimator *estimator, uint32_t loop)
{
  return loop != NONE ? estimator->scale[loop] : 1;
}

/* How often a limit allows an edge of the factor; INFINITY where it is in terms of what is not
 * known. */
static double allowed(const struct estimator *estimator, const struct wb_flow_limit *limit,
                      int64_t factor)
{
  const struct wb_flow_system *system = estimator->system;
  double most = fmax((double)limit->constant, 0);
  for (size_t t = limit->first_term; t < limit->first_term + limit->term_count; t++) {
    const struct wb_flow_term *term = &system->terms[t];
    if (term->factor < 0)
      most = fmax(most, -(double)term->factor * scale_of(estimator, estimator->within[term->edge]));
  }
  return most / (double)factor;
}

/* What limits allow the back edges of a loop, the one that is allowed most. */
static double returns_of(const struct estimator *estimator, const struct wb_loop *loop)
{
  const struct wb_flow_system *system = estimator->system;
  const struct wb_buckets *of = &estimator->terms.of;
  double returns = 0;
  for (size_t b = 0; b < loop->back_edge_count; b++) {
    const uint32_t edge = estimator->forest.back_edges[loop->first_back_edge + b];
    double least = INFINITY;
    for (size_t i = of->first[edge]; i < of->first[edge + 1]; i++) {
      const int64_t factor = system->terms[of->item[i]].factor;
      if (factor > 0)
        least = fmin(least, allowed(estimator, &system->limits[estimator->terms.limit[of->item[i]]],
                                    factor));
    }
    returns = fmax(returns, least);
  }
  return returns;
}

/* Outer loops come first. A loop that no limit is known of runs as often as what is around it. */
static void estimate_loops(struct estimator *estimator)
{
  const struct wb_loop_forest *forest = &estimator->forest;
  double *scale = estimator->scale;
  for (size_t l = 0; l < forest->loop_count; l++)
    scale[l] = INFINITY;
  for (unsigned round = 0; round <= ROUNDS; round++) {
    for (size_t l = 0; l < forest->loop_count; l++) {
      const double outer = scale_of(estimator, forest->loops[l].parent);
      const double returns = returns_of(estimator, &forest->loops[l]);
      if (isfinite(returns) && isfinite(outer))
        scale[l] = wb_nearest_power_of_two(fmin(fmax(fmax(returns, outer), 1), MOST));
      else if (round == ROUNDS && !isfinite(scale[l]))
        scale[l] = outer;
    }
  }
}

bool wb_count_estimates_make(struct wb_arena *arena, const struct wb_flow_system *system,
                             struct wb_count_estimates *estimates)
{
  struct estimator estimator = {.system = system};
  if (!find_loops(arena, &estimator))
    return false;
  const struct wb_loop_forest *forest = &estimator.forest;
  estimator.scale = wb_arena_array(arena, double, forest->loop_count);
  estimator.within = wb_arena_array(arena, uint32_t, system->edge_count);
  estimates->edge = wb_arena_array(arena, double, system->edge_count);
  estimates->node = wb_arena_array(arena, double, system->node_count);
  const bool ok = wb_flow_edge_terms_make(arena, system, &estimator.terms) && !arena->failed;
  if (ok) {
    for (size_t e = 0; e < system->edge_count; e++)
      estimator.within[e] = common_loop(forest, system->from[e], system->to[e]);
    estimate_loops(&estimator);
    for (size_t e = 0; e < system->edge_count; e++)
      estimates->edge[e] = scale_of(&estimator, estimator.within[e]);
    for (size_t v = 0; v < system->node_count; v++)
      estimates->node[v] = scale_of(&estimator, forest->innermost[v]);
  }
  wb_loop_forest_free(&estimator.forest);
  return ok;
}
