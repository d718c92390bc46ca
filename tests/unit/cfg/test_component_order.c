/* The order of blocks by components, on random graphs, against a search from every block: two
 * blocks are in one component where each leads to the other, and no edge leads to a higher one. */
#include "base/random.h"
#include "cfg/warp_graph/warp_loops.h"
#include "unit.h"

#define MOST_BLOCKS 12
#define MOST_EDGES 24

struct random_graph {
  struct wb_warp_graph graph;
  struct wb_warp_edge edges[MOST_EDGES];
  bool leads[MOST_BLOCKS][MOST_BLOCKS]; /* by two blocks: there is a way, perhaps without an edge */
};

static int by_from(const void *a, const void *b)
{
  const uint32_t left = ((const struct wb_warp_edge *)a)->from;
  const uint32_t right = ((const struct wb_warp_edge *)b)->from;
  return (left > right) - (left < right);
}

static void make(struct random_graph *random_graph, uint64_t seed)
{
  struct wb_random random = {seed};
  struct wb_warp_graph *graph = &random_graph->graph;
  memset(random_graph, 0, sizeof *random_graph);
  graph->block_count = (size_t)wb_random_below(&random, MOST_BLOCKS) + 1;
  graph->edge_count = (size_t)wb_random_below(&random, MOST_EDGES + 1);
  graph->edges = random_graph->edges;
  for (size_t b = 0; b < graph->block_count; b++)
    random_graph->leads[b][b] = true;
  for (size_t e = 0; e < graph->edge_count; e++) {
    struct wb_warp_edge *edge = &graph->edges[e];
    edge->from = (uint32_t)wb_random_below(&random, graph->block_count);
    edge->to = (uint32_t)wb_random_below(&random, graph->block_count);
    random_graph->leads[edge->from][edge->to] = true;
  }
  qsort(graph->edges, graph->edge_count, sizeof *graph->edges, by_from);
  for (size_t by = 0; by < graph->block_count; by++) {
    for (size_t a = 0; a < graph->block_count; a++) {
      for (size_t b = 0; b < graph->block_count; b++)
        random_graph->leads[a][b] |= random_graph->leads[a][by] && random_graph->leads[by][b];
    }
  }
}

TEST(components_are_right)
{
  for (uint64_t seed = 0; seed < 5000; seed++) {
    struct random_graph random_graph;
    make(&random_graph, seed);
    const struct wb_warp_graph *graph = &random_graph.graph;
    FREED_BY(wb_arena_free) struct wb_arena arena = {0};
    const uint32_t *order = wb_component_order_make(graph, &arena);
    assert_non_null(order);
    for (size_t e = 0; e < graph->edge_count; e++)
      assert_true(order[graph->edges[e].to] <= order[graph->edges[e].from]);
    for (size_t a = 0; a < graph->block_count; a++) {
      for (size_t b = 0; b < graph->block_count; b++)
        assert_int_equal(order[a] == order[b],
                         random_graph.leads[a][b] && random_graph.leads[b][a]);
    }
  }
}

/* Recursion would end the stack. */
TEST(a_long_chain_is_one_component_a_block)
{
  enum { LENGTH = 1000000 };
  struct wb_warp_edge *edges = calloc(LENGTH, sizeof *edges);
  assert_non_null(edges);
  for (uint32_t e = 0; e + 1 < LENGTH; e++)
    edges[e] = (struct wb_warp_edge){.from = e, .to = e + 1};
  const struct wb_warp_graph graph = {
      .block_count = LENGTH, .edges = edges, .edge_count = LENGTH - 1};
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  const uint32_t *order = wb_component_order_make(&graph, &arena);
  assert_non_null(order);
  assert_int_equal(order[0], LENGTH - 1);
  assert_int_equal(order[LENGTH - 1], 0);
  free(edges);
}
