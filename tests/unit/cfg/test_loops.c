/* Dominators and loop forests of graphs small enough to see through, and of large ones. */
#include "base/memory.h"
#include "cfg/graph/loops.h"
#include "unit.h"

#define NONE UINT32_MAX
#define LARGE 100000u

/* A graph that grows edge by edge, entered at node 0. */
struct sketch {
  uint32_t *from;
  uint32_t *to;
  size_t count;
  size_t from_capacity;
  size_t to_capacity;
};

static void add(struct sketch *sketch, uint32_t from, uint32_t to)
{
  assert_true(wb_grow(sketch->from, &sketch->from_capacity, sketch->count + 1));
  assert_true(wb_grow(sketch->to, &sketch->to_capacity, sketch->count + 1));
  sketch->from[sketch->count] = from;
  sketch->to[sketch->count++] = to;
}

/* Takes the sketch's edges, which the caller frees with `drop`. */
static struct wb_loop_forest forest_of(const struct sketch *sketch, size_t nodes)
{
  struct wb_flow_graph graph = {nodes, sketch->count, sketch->from, sketch->to, 0};
  struct wb_loop_forest forest;
  assert_ok(wb_loop_forest_make(&graph, &forest, NULL));
  return forest;
}

static void drop(struct sketch *sketch, struct wb_loop_forest *forest)
{
  wb_loop_forest_free(forest);
  free(sketch->from);
  free(sketch->to);
}

/* Edges as pairs of digits: "01 12 21". */
static struct wb_loop_forest forest_of_text(const char *edges, size_t nodes, struct sketch *sketch)
{
  *sketch = (struct sketch){0};
  for (const char *at = edges; *at != '\0'; at += at[2] == ' ' ? 3 : 2)
    add(sketch, (uint32_t)(at[0] - '0'), (uint32_t)(at[1] - '0'));
  return forest_of(sketch, nodes);
}

static void assert_loop(const struct wb_loop_forest *forest, size_t index, struct wb_loop expected)
{
  assert_true(index < forest->loop_count);
  const struct wb_loop *loop = &forest->loops[index];
  assert_int_equal(loop->header, expected.header);
  assert_int_equal(loop->parent, expected.parent);
  assert_int_equal(loop->depth, expected.depth);
  assert_int_equal(loop->irreducible, expected.irreducible);
  assert_int_equal(loop->node_count, expected.node_count);
  assert_int_equal(loop->back_edge_count, expected.back_edge_count);
}

TEST(a_single_node_has_no_loop)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("", 1, &sketch);
  assert_int_equal(forest.loop_count, 0);
  assert_int_equal(forest.dominators[0], 0);
  assert_int_equal(forest.innermost[0], NONE);
  drop(&sketch, &forest);
}

TEST(a_self_loop_is_a_loop)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("00", 1, &sketch);
  assert_int_equal(forest.loop_count, 1);
  assert_loop(&forest, 0, (struct wb_loop){0, NONE, 1, false, 0, 1, 0, 1});
  drop(&sketch, &forest);
}

TEST(a_diamond_is_dominated_by_its_head)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("01 02 13 23 34", 6, &sketch);
  static const uint32_t expected[] = {0, 0, 0, 0, 3, NONE};
  assert_memory_equal(forest.dominators, expected, sizeof expected);
  assert_int_equal(forest.loop_count, 0);
  drop(&sketch, &forest);
}

/* 1 { 2 { 3 } 4 } with `continue` from 3 to 1. */
TEST(loops_nest)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("01 12 23 32 31 24 41 15", 6, &sketch);
  assert_int_equal(forest.loop_count, 2);
  assert_loop(&forest, 0, (struct wb_loop){1, NONE, 1, false, 0, 2, 0, 4});
  assert_loop(&forest, 1, (struct wb_loop){2, 0, 2, false, 0, 1, 0, 2});
  assert_int_equal(forest.back_edges[forest.loops[1].first_back_edge], 3);
  assert_int_equal(forest.innermost[4], 0);
  assert_int_equal(forest.innermost[3], 1);
  assert_int_equal(forest.innermost[5], NONE);
  drop(&sketch, &forest);
}

TEST(a_loop_with_two_entries_is_irreducible)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("01 02 12 21 11", 3, &sketch);
  assert_int_equal(forest.loop_count, 1);
  assert_loop(&forest, 0, (struct wb_loop){1, NONE, 1, true, 0, 3, 0, 2});
  assert_int_equal(forest.dominators[2], 0);
  drop(&sketch, &forest);
}

/* The natural loop 1 { 3 } inside of the region {1, 2, 3}, of which 1 is a header: no loop of
 * its own. The one round 3 is. */
TEST(a_header_of_a_region_has_no_loop_of_its_own)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("01 02 12 21 13 31 33", 4, &sketch);
  assert_int_equal(forest.loop_count, 2);
  assert_loop(&forest, 0, (struct wb_loop){1, NONE, 1, true, 0, 3, 0, 3});
  assert_loop(&forest, 1, (struct wb_loop){3, 0, 2, false, 0, 1, 0, 1});
  drop(&sketch, &forest);
}

TEST(edges_from_unreachable_nodes_change_nothing)
{
  struct sketch sketch;
  struct wb_loop_forest forest = forest_of_text("01 12 21 32 34 43", 5, &sketch);
  assert_int_equal(forest.loop_count, 1);
  assert_loop(&forest, 0, (struct wb_loop){1, NONE, 1, false, 0, 1, 0, 2});
  assert_int_equal(forest.dominators[3], NONE);
  assert_int_equal(forest.innermost[3], NONE);
  drop(&sketch, &forest);
}

TEST(a_long_chain_is_no_burden)
{
  struct sketch sketch = {0};
  for (uint32_t n = 0; n + 1 < LARGE; n++)
    add(&sketch, n, n + 1);
  add(&sketch, LARGE - 1, 0);
  struct wb_loop_forest forest = forest_of(&sketch, LARGE);
  assert_int_equal(forest.loop_count, 1);
  assert_int_equal(forest.loops[0].node_count, LARGE);
  assert_int_equal(forest.dominators[LARGE - 1], LARGE - 2);
  drop(&sketch, &forest);
}

/* Node n opens the loop that node LARGE - 1 - n closes. */
TEST(a_deep_nest_is_no_burden)
{
  struct sketch sketch = {0};
  for (uint32_t n = 0; n + 1 < LARGE; n++)
    add(&sketch, n, n + 1);
  for (uint32_t n = 0; n < LARGE / 2; n++)
    add(&sketch, LARGE - 1 - n, n);
  struct wb_loop_forest forest = forest_of(&sketch, LARGE);
  assert_int_equal(forest.loop_count, LARGE / 2);
  for (uint32_t l = 0; l < LARGE / 2; l++)
    assert_loop(&forest, l,
                (struct wb_loop){l, l == 0 ? NONE : l - 1, l + 1, false, 0, 1, 0, LARGE - 2 * l});
  drop(&sketch, &forest);
}

/* Every node leads back to the one before it, and both ends are entries: without a limit, the
 * regions nest LARGE / 2 deep. */
TEST(a_deep_irreducible_nest_is_taken_whole)
{
  struct sketch sketch = {0};
  for (uint32_t n = 1; n + 1 < LARGE; n++) {
    add(&sketch, n, n + 1);
    add(&sketch, n + 1, n);
  }
  add(&sketch, 0, 1);
  add(&sketch, 0, LARGE - 1);
  struct wb_loop_forest forest = forest_of(&sketch, LARGE);
  assert_int_equal(forest.loop_count, WB_IRREDUCIBLE_DEPTH_LIMIT);
  const struct wb_loop *inner = &forest.loops[WB_IRREDUCIBLE_DEPTH_LIMIT - 1];
  assert_int_equal(inner->depth, WB_IRREDUCIBLE_DEPTH_LIMIT);
  assert_int_equal(inner->node_count, LARGE - 1 - 2 * (WB_IRREDUCIBLE_DEPTH_LIMIT - 1));
  assert_int_equal(inner->back_edge_count, 2 * (inner->node_count - 1));
  drop(&sketch, &forest);
}

/* Two chains with rungs, which make methods that walk up the tree of dominators quadratic. */
TEST(a_ladder_is_no_burden)
{
  struct sketch sketch = {0};
  add(&sketch, 0, 1);
  add(&sketch, 0, 2);
  for (uint32_t n = 1; n + 2 < LARGE; n++)
    add(&sketch, n, n + 2);
  const uint32_t last_rung = LARGE - 5;
  for (uint32_t n = 1; n <= last_rung; n += 2) {
    add(&sketch, n, n + 3);
    add(&sketch, n + 3, n);
  }
  struct wb_loop_forest forest = forest_of(&sketch, LARGE);
  for (uint32_t n = 1; n <= last_rung; n++)
    assert_int_equal(forest.dominators[n], 0);
  drop(&sketch, &forest);
}
