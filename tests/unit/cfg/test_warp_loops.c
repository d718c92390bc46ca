/* Loops of warp graphs: what reactivation edges and calls do not make a loop, and how the loops
 * of several calling contexts become one. The order of blocks by components, on random graphs,
 * against a search from every block: two blocks are in one component where each leads to the other,
 * and no edge leads to a higher one. */
#include "base/random.h"
#include "cfg/warp_graph/warp_loops.h"
#include "make_graph.h"
#include "unit.h"

#define NONE UINT32_MAX

static void one_block_each(struct made_graph *made, size_t count)
{
  made_start(made, "k", count);
  for (uint32_t i = 0; i < count; i++)
    made_block(made, i, i, 0);
}

static struct wb_united_loops loops_of(struct made_graph *made)
{
  struct wb_united_loops loops;
  made_finish(made);
  assert_ok(wb_united_loops_make(&made->graph, &made->united, &loops, NULL));
  return loops;
}

/* 0 -> 1 -> 2 -> 3, and 3 lets lanes run on that wait at 1. */
TEST(a_reactivation_makes_no_loop)
{
  struct made_graph made;
  one_block_each(&made, 4);
  for (uint32_t b = 0; b < 3; b++)
    made_edge(&made, b, b + 1, WB_EDGE_FALLTHROUGH);
  made_edges(&made, "3w1");
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops = loops_of(&made);
  assert_int_equal(loops.count, 0);
  assert_int_equal(loops.innermost[2], NONE);
}

/* The same where nothing but reactivations leads to block 2. */
TEST(a_block_reached_by_reactivation_alone_counts)
{
  struct made_graph made;
  one_block_each(&made, 4);
  made_edges(&made, "0f1 1w2 2b2 2f3");
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops = loops_of(&made);
  assert_int_equal(loops.count, 1);
  assert_int_equal(loops.loops[0].header, 2);
}

/* Block 1 is an indexed branch to 2 or 3 that lanes which wait in an entry do again, once the
 * others have come to 4. */
TEST(pushed_lanes_come_from_where_they_split)
{
  struct made_graph made;
  one_block_each(&made, 5);
  made_edges(&made, "0b2 0b3 1b2 1b3 2b4 3f4 4w1");
  struct wb_warp_entry entry = {1, 0, WB_TOKEN_NONE};
  struct wb_warp_push pushes[] = {{0, 0, true}, {1, 0, true}};
  made.graph.entries = &entry;
  made.graph.entry_count = 1;
  made.graph.pushes = pushes;
  made.graph.push_count = 2;
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops = loops_of(&made);
  assert_int_equal(loops.count, 0);
}

/* 0 calls 4, 1 calls 4 again, 2 ends; 4 is the subroutine with a loop of itself, 5 returns. */
TEST(a_subroutine_called_twice_makes_no_loop)
{
  struct made_graph made;
  made_start(&made, "k", 6);
  made_blocks(&made, "0 1 2-3 4.1 4.2 5.1 5.2");
  made_edges(&made, "0c3 1c4 3b3 3f5 4b4 4f6 5r1 6r2");
  made.contexts[1] = (struct wb_warp_context){0, 0};
  made.contexts[2] = (struct wb_warp_context){0, 1};
  made.graph.context_count = 3;
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops = loops_of(&made);
  assert_int_equal(made.united.block_count, 5);
  assert_int_equal(loops.count, 1);
  assert_int_equal(loops.loops[0].header, 3);
  assert_int_equal(loops.loops[0].depth, 1);
  assert_int_equal(loops.loops[0].back_edge_count, 1);
  assert_int_equal(loops.members[loops.loops[0].first_back_edge], 3);
  assert_int_equal(loops.innermost[3], 0);
  assert_int_equal(loops.innermost[1], NONE);
}

/* Block 0 calls 3 in a loop round 0 and 1, block 2 calls it once: the subroutine's loop is of
 * depth 2 by the deeper of the two. */
TEST(depth_is_that_of_the_deepest_context)
{
  struct made_graph made;
  made_start(&made, "k", 4);
  made_blocks(&made, "0 1 2 3.1 3.2");
  made_edges(&made, "0c3 1b0 1f2 2c4 3r1 3b3 4b4");
  made.contexts[1] = (struct wb_warp_context){0, 0};
  made.contexts[2] = (struct wb_warp_context){0, 2};
  made.graph.context_count = 3;
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops = loops_of(&made);
  assert_int_equal(loops.count, 2);
  assert_int_equal(loops.loops[0].header, 0);
  assert_int_equal(loops.loops[0].depth, 1);
  assert_int_equal(loops.loops[0].parent, NONE);
  assert_int_equal(loops.loops[1].header, 3);
  assert_int_equal(loops.loops[1].depth, 2);
  assert_int_equal(loops.loops[1].parent, 0);
  assert_int_equal(loops.innermost[3], 1);
}

TEST(an_irreducible_region_names_its_entries)
{
  struct made_graph made;
  one_block_each(&made, 5);
  made_edges(&made, "0f1 0b3 1f2 2f3 3b1 3f4");
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops = loops_of(&made);
  assert_int_equal(loops.count, 1);
  const struct wb_united_loop *loop = &loops.loops[0];
  assert_true(loop->irreducible);
  assert_int_equal(loop->header, 1);
  assert_int_equal(loop->entry_count, 2);
  assert_int_equal(loops.members[loop->first_entry], 1);
  assert_int_equal(loops.members[loop->first_entry + 1], 3);
  assert_int_equal(loop->back_edge_count, 2);
  assert_int_equal(loops.members[loop->first_back_edge], 2);
  assert_int_equal(loops.members[loop->first_back_edge + 1], 3);
}

/* ---- components ---- */

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
