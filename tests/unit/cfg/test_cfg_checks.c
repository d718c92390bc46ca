/* The check functions of control flow on structures that keep their invariants, and on the same
 * ones broken in one place each. */
#include "base/text.h"
#include "base/work_control.h"
#include "cfg/graph/flow_graph.h"
#include "cfg/graph/loops.h"
#include "cfg/reconvergence_stack/stack_machine.h"
#include "cfg/simt/simt_engine.h"
#include "cfg/simt_analysis.h"
#include "cfg/warp_graph/warp_loops.h"
#include "groups/simt_text.h"
#include "unit.h"

#define NONE UINT32_MAX

/* ---- the fixpoint ---- */

/* Two calls, tokens, a loop, lanes that leave in part. */
static const char lines[] =
    "TID R0; SETP P0 R0; CTA R1; SETP P1 R1; SSY join; PBK end; loop: CAL f; @P0 BRK; @P1 BRA "
    "loop; end: MOV R2 R1; SYNC; join: @P0 EXIT; CAL f; EXIT; f: @P0 RET; MOV R3 R0; RET";

/* An analysis after its search. */
struct searched {
  struct wb_code code;
  struct wb_control control;
  struct wb_simt_analysis analysis;
  warpbound_error error;
};

static void search(struct searched *made)
{
  *made = (struct searched){.control = wb_control_start(NULL)};
  simt_text_make(simt_lines(lines), &made->code);
  made->analysis.code = &made->code;
  made->analysis.function = &made->code.functions[0];
  made->analysis.control = &made->control;
  made->analysis.mechanism = &wb_reconvergence_stack;
  made->analysis.error = &made->error;
  assert_true(wb_simt_start(&made->analysis));
  assert_true(wb_simt_search(&made->analysis));
}

/* The check must find a violation whose text has the part; NULL: none. Frees the analysis. */
static void expect(struct searched *made, const char *part)
{
  FREED_BY(wb_text_free) struct wb_text violation = {0};
  wb_simt_check(&made->analysis, &violation);
  assert_ok(made->analysis.status);
  if (part == NULL)
    assert_int_equal(violation.length, 0);
  else
    assert_non_null(strstr(violation.data != NULL ? violation.data : "", part));
  wb_simt_free(&made->analysis);
  wb_code_free(&made->code);
}

/* The state of an instruction in context 0. */
static uint32_t state_of(const struct searched *made, const char *label)
{
  const uint32_t state = wb_simt_pairs_find(&made->analysis.fixpoint.places,
                                            simt_text_label(simt_lines(lines), label), 0);
  assert_true(state != WB_NOWHERE);
  return state;
}

static struct wb_stack *stack_of(const struct searched *made, uint32_t state)
{
  return wb_simt_abstract_of(&made->analysis, state);
}

/* The node of the entry that goes on at a label. */
static struct wb_stack_node *node_of(const struct searched *made, const char *label)
{
  struct wb_stack_graph *stacks = &wb_stack_machine_of(&made->analysis)->stacks;
  for (size_t n = WB_NODE_FIRST; n < stacks->count; n++) {
    if (stacks->nodes[n].point == simt_text_label(simt_lines(lines), label))
      return &stacks->nodes[n];
  }
  fail();
  return NULL;
}

TEST(a_fixpoint_is_closed)
{
  struct searched made;
  search(&made);
  expect(&made, NULL);
  search(&made);
  made.analysis.fixpoint.states[state_of(&made, "loop")].agreement = WB_REGISTERS_ALL;
  expect(&made, "a successor's agreement is not covered");
  search(&made);
  stack_of(&made, state_of(&made, "loop"))->count = 0;
  expect(&made, "a successor's state is not covered");
  search(&made);
  made.analysis.fixpoint.states[0].place.context = 0;
  wb_simt_pairs_free(&made.analysis.fixpoint.places);
  expect(&made, "a successor's place has no state");
}

TEST(a_fixpoint_keeps_what_waits)
{
  struct searched made;
  search(&made);
  struct wb_stack *stack = stack_of(&made, state_of(&made, "loop"));
  assert_int_equal(stack->frames[0].waiters, WB_WAITERS_UNKNOWN);
  stack->frames[0].waiters = WB_WAITERS_NONE;
  expect(&made, "a successor's state is not covered");
  search(&made);
  node_of(&made, "end")->below.frames[0].lost = WB_REGISTERS_NONE;
  node_of(&made, "end")->below.frames[0].agreement = WB_REGISTERS_ALL;
  expect(&made, "what waiting lanes find is more than is kept");
  search(&made);
  wb_stack_machine_of(&made.analysis)->stacks.nodes[WB_NODE_ANY].below.frames[0].waiters =
      WB_WAITERS_NONE;
  expect(&made, "what waiting lanes find is more than is kept");
}

TEST(stacks_are_checked)
{
  struct searched made;
  search(&made);
  node_of(&made, "end")->below.count = 0;
  expect(&made, "nothing lies below a node that was pushed");
  search(&made);
  node_of(&made, "end")->below.frames[0].waiters = 0;
  expect(&made, "a frame's waiters are not possible");
  search(&made);
  node_of(&made, "end")->below.frames[0].node = 1000;
  expect(&made, "a frame's node is not in the graph");
  search(&made);
  node_of(&made, "end")->below.frames[0].lost = 100000;
  expect(&made, "a frame's set of registers has no such number");
  search(&made);
  node_of(&made, "end")->passed_by = true;
  expect(&made, "a node is not known by its name");
  search(&made);
  node_of(&made, "end")->site = UINT32_MAX;
  expect(&made, "a node's site is wrong");

  search(&made);
  struct wb_stack two = {0};
  assert_true(wb_stack_reserve(&two, 2));
  two.count = 2;
  two.frames[0] = (struct wb_frame){.node = 1, .waiters = WB_WAITERS_SOME};
  two.frames[1] = (struct wb_frame){.node = 1, .waiters = WB_WAITERS_SOME};
  assert_string_equal(
      wb_stack_check(&made.analysis.sets, &wb_stack_machine_of(&made.analysis)->stacks, &two),
      "frames do not ascend");
  made.analysis.mechanism->clear((void *)&two);
  assert_null(two.frames);
  expect(&made, NULL);
}

TEST(sets_and_contexts_are_checked)
{
  struct searched made;
  search(&made);
  assert_true(made.analysis.sets.count > 3);
  made.analysis.sets.sets[3] = made.analysis.sets.sets[2];
  expect(&made, "two numbers have one set");
  search(&made);
  made.analysis.sets.sets[WB_REGISTERS_NONE].words[0] = 1;
  expect(&made, "the first two sets are not the empty one and all registers");
  search(&made);
  made.analysis.sets.failed = true;
  struct wb_text violation = {0};
  wb_simt_check(&made.analysis, &violation);
  assert_string_equal(violation.data, "some number of a set is wrong");
  wb_text_free(&violation);
  made.analysis.sets.failed = false;
  expect(&made, NULL);

  struct wb_simt_contexts *contexts = &made.analysis.contexts;
  search(&made);
  assert_int_equal(contexts->count, 3);
  contexts->items[1].call.caller = 2;
  expect(&made, "a context stands before its caller");
  search(&made);
  contexts->items[2].depth = 7;
  expect(&made, "a context's depth is wrong");
  search(&made);
  contexts->items[2].call.caller = 1;
  contexts->items[2].depth = 2;
  expect(&made, "more pending calls of a context go to one instruction");
  search(&made);
  contexts->items[0].call.caller = 0;
  expect(&made, "context 0 is not that of the function itself");
  search(&made);
  contexts->items[0].call.caller = UINT32_MAX;
  expect(&made, NULL);
}

/* ---- flow graphs, dominators, loops ---- */

/* 0 -> 1 -> 2 -> 3 -> 1, 2 -> 2, 3 -> 4, 4 -> 5 <-> 6, 4 -> 6: two nested loops, then one with two
 * headers. */
#define EDGES 10
static const uint32_t from[EDGES] = {0, 1, 2, 3, 2, 3, 4, 5, 6, 4};
static const uint32_t to[EDGES] = {1, 2, 3, 1, 2, 4, 5, 6, 5, 6};
static const struct wb_flow_graph flow = {7, EDGES, from, to, 0};

TEST(flow_graphs_are_checked)
{
  struct wb_flow_graph broken = flow;
  FREED_BY(wb_edge_lists_free) struct wb_edge_lists lists;
  assert_null(wb_flow_graph_check(&flow));
  broken.entry = 7;
  assert_string_equal(wb_flow_graph_check(&broken), "the entry is no node");
  broken.entry = 0;
  broken.node_count = 6;
  assert_string_equal(wb_flow_graph_check(&broken), "an edge ends at no node");

  assert_true(wb_edge_lists_make(to, EDGES, 7, &lists));
  assert_null(wb_edge_lists_check(&lists, to, EDGES, 7));
  assert_string_equal(wb_edge_lists_check(&lists, from, EDGES, 7),
                      "an edge is in the list of another node");
  const uint32_t first = lists.list[0];
  lists.list[0] = lists.list[1]; /* both end at node 1 */
  assert_string_equal(wb_edge_lists_check(&lists, to, EDGES, 7), "a list does not ascend");
  lists.list[0] = first;
  lists.first[3] = 9;
  assert_string_equal(wb_edge_lists_check(&lists, to, EDGES, 7),
                      "an edge is in the list of another node");
  lists.first[7] = 9;
  assert_string_equal(wb_edge_lists_check(&lists, to, EDGES, 7),
                      "the lists do not hold each edge once");
}

TEST(dominators_are_checked)
{
  FREED_BY(wb_edge_lists_free) struct wb_edge_lists incoming;
  FREED_BY(wb_dominators_free) struct wb_dominators dominators;
  assert_true(wb_edge_lists_make(to, EDGES, 7, &incoming));
  assert_ok(wb_dominators_make(&flow, &incoming, &dominators, NULL));
  assert_null(wb_dominators_check(&flow, &dominators));
  dominators.immediate[6] = 5; /* 4 -> 6 goes past it */
  assert_string_equal(wb_dominators_check(&flow, &dominators),
                      "a node is not below its immediate dominator");
  dominators.immediate[6] = 4;
  const uint32_t more[EDGES] = {0, 1, 2, 3, 2, 0, 4, 5, 6, 4}; /* 0 -> 4 goes past 3 */
  const struct wb_flow_graph other = {7, EDGES, more, to, 0};
  assert_string_equal(wb_dominators_check(&other, &dominators),
                      "an edge goes past an immediate dominator");
  dominators.number[2] = dominators.number[1];
  assert_string_equal(wb_dominators_check(&flow, &dominators),
                      "a node has another number than its place in the order");
  dominators.size[0]--;
  assert_string_equal(wb_dominators_check(&flow, &dominators),
                      "the entry does not dominate what it reaches");
}

/* Expects a message of the forest with one number changed, and puts it back. */
static void expect_forest(struct wb_loop_forest *forest, uint32_t *changed, uint32_t value,
                          const char *message)
{
  const uint32_t kept = *changed;
  *changed = value;
  const char *found = wb_loop_forest_check(&flow, forest);
  assert_non_null(found);
  assert_string_equal(found, message);
  *changed = kept;
}

TEST(loop_forests_are_checked)
{
  FREED_BY(wb_loop_forest_free) struct wb_loop_forest forest;
  assert_ok(wb_loop_forest_make(&flow, &forest, NULL));
  assert_null(wb_loop_forest_check(&flow, &forest));
  assert_int_equal(forest.loop_count, 3);
  struct wb_loop *outer = &forest.loops[0];
  struct wb_loop *inner = &forest.loops[1];
  expect_forest(&forest, &inner->parent, 1, "a loop stands before the one that encloses it");
  expect_forest(&forest, &inner->depth, 3, "a loop is not inside of its parent");
  expect_forest(&forest, &outer->depth, 2, "an outermost loop has not depth 1");
  expect_forest(&forest, &outer->header, 4, "a header is not in its loop");
  expect_forest(&forest, &outer->header, 3, "a back edge of a reducible loop goes past its header");
  expect_forest(&forest, &forest.innermost[4], 9,
                "a node is in no loop that there is, or is not reachable");
  expect_forest(&forest, &forest.innermost[4], 2, "the rows do not hold each node of a loop once");
  expect_forest(&forest, &forest.innermost[3], NONE, "a back edge is not inside of its loop");
  expect_forest(&forest, &forest.back_edges[outer->first_back_edge], 0,
                "a back edge is not inside of its loop");
  expect_forest(&forest, &forest.nodes[inner->first_node], 4,
                "a node is not in the row of its innermost loop");
  expect_forest(&forest, &forest.dominators[3], 0,
                "the header of a reducible loop does not dominate it");
  const size_t kept = outer->back_edge_count;
  outer->back_edge_count = 0;
  assert_string_equal(wb_loop_forest_check(&flow, &forest), "a loop has no back edge");
  outer->back_edge_count = kept;
  inner->node_count += 5;
  assert_string_equal(wb_loop_forest_check(&flow, &forest), "a loop is not inside of its parent");
  inner->node_count -= 5;
  assert_null(wb_loop_forest_check(&flow, &forest));
}

/* ---- the warp graph ---- */

/* A graph whose arrays may be changed. */
struct analysed {
  struct wb_code code;
  struct wb_simt_analysis *analysis;
  struct wb_warp_graph graph; /* a view of the analysis' */
};

static void analyse(struct analysed *made)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  simt_text_make(simt_lines(lines), &made->code);
  assert_ok(wb_simt_analyse(&made->code, &made->code.functions[0], &options, &control,
                            &made->analysis, NULL));
  made->graph = *wb_simt_analysis_graph(made->analysis);
}

static void expect_graph(struct wb_warp_graph *graph, uint32_t *changed, uint32_t value,
                         const char *message)
{
  const uint32_t kept = *changed;
  *changed = value;
  const char *found = wb_warp_graph_check(graph);
  assert_non_null(found);
  assert_string_equal(found, message);
  *changed = kept;
}

/* The first edge of a kind. */
static size_t edge_of(const struct wb_warp_graph *graph, enum wb_edge_kind kind)
{
  size_t e = 0;
  while (graph->edges[e].kind != kind)
    e++;
  return e;
}

TEST(blocks_and_edges_are_checked)
{
  struct analysed made;
  analyse(&made);
  struct wb_warp_graph *graph = &made.graph;
  assert_null(wb_warp_graph_check(graph));
  const uint32_t blocks = (uint32_t)graph->block_count;
  expect_graph(graph, &graph->contexts[0].caller, 0,
               "context 0 is not that of the function itself");
  expect_graph(graph, &graph->contexts[1].caller, 2, "a context stands before its caller");
  expect_graph(graph, &graph->contexts[1].site, 99, "a context is entered by no instruction");
  expect_graph(graph, &graph->entry_block, 1,
               "the warp does not begin with the function's first instruction");
  expect_graph(graph, &graph->blocks[1].last, 99, "a block has no instructions of the function");
  expect_graph(graph, &graph->blocks[0].last, graph->blocks[1].first,
               "blocks overlap, or are not sorted");
  expect_graph(graph, &graph->blocks[blocks - 1].context, 1,
               "blocks of two contexts that begin together do not end together, or are not sorted");
  expect_graph(graph, &graph->edges[0].to, blocks, "an edge leads to no block, or is of no kind");
  expect_graph(graph, &graph->edges[0].from, blocks,
               "a block has no successor, and the warp does not end there");
  struct wb_warp_edge *last = &graph->edges[graph->edge_count - 1];
  graph->ends[last->from] = true;
  expect_graph(graph, &last->from, blocks, "an edge comes from no block, or edges are not sorted");
  const size_t falls = edge_of(graph, WB_EDGE_FALLTHROUGH);
  expect_graph(graph, &graph->edges[falls].to, blocks - 1,
               "a block falls into one that does not follow it");
  wb_simt_analysis_free(made.analysis);
  wb_code_free(&made.code);
}

TEST(pushes_pops_and_branches_are_checked)
{
  struct analysed made;
  analyse(&made);
  struct wb_warp_graph *graph = &made.graph;
  const uint32_t entries = (uint32_t)graph->entry_count;
  assert_true(graph->push_count > 2 && graph->pop_count > 2);
  expect_graph(graph, &graph->pushes[0].entry, entries, "a push has no block, or no entry");
  expect_graph(graph, &graph->pushes[0].block, graph->pushes[graph->push_count - 1].block,
               "pushes are not sorted");
  expect_graph(graph, &graph->pops[0].entry, entries, "pops are not sorted, or have no entry");
  const uint32_t last = graph->pops[graph->pop_count - 1].edge;
  assert_int_equal(graph->edges[last].kind, WB_EDGE_RETURN);
  expect_graph(graph, &graph->pops[graph->pop_count - 1].edge, (uint32_t)graph->edge_count,
               "a pop has no edge, or pops are not sorted");
  const uint32_t other = graph->pops[0].entry == 0 ? 1 : 0;
  expect_graph(graph, &graph->pops[0].entry, other,
               "an edge does not lead to where the entry that it pops goes on");
  const size_t pops = graph->pop_count;
  graph->pop_count = 0;
  assert_string_equal(wb_warp_graph_check(graph), "a reactivation pops no entry");
  graph->pop_count = pops;
  assert_true(graph->divergence_point_count > 1 && graph->uniform_branch_count > 0);
  expect_graph(graph, &graph->divergence_points[1], 0, "divergence points do not ascend");
  expect_graph(graph, &graph->uniform_branches[0], graph->divergence_points[0],
               "a divergence point is a uniform branch");
  expect_graph(graph, &graph->uniform_branches[0], 99, "uniform branches do not ascend");
  assert_null(wb_warp_graph_check(graph));
  wb_simt_analysis_free(made.analysis);
  wb_code_free(&made.code);
}

TEST(united_loops_are_checked)
{
  struct analysed made;
  FREED_BY(wb_warp_graph_free) struct wb_warp_graph united;
  FREED_BY(wb_united_loops_free) struct wb_united_loops loops;
  analyse(&made);
  assert_ok(wb_warp_graph_unite(&made.graph, &united, NULL));
  assert_ok(wb_united_loops_make(&made.graph, &united, &loops, NULL));
  assert_null(wb_united_loops_check(&united, &loops));
  assert_int_equal(loops.count, 1);
  struct wb_united_loop *loop = &loops.loops[0];
  const uint32_t header = loop->header;
  loop->header = (uint32_t)united.block_count;
  assert_string_equal(wb_united_loops_check(&united, &loops), "headers do not ascend");
  loop->header = header;
  loop->parent = 0;
  assert_string_equal(wb_united_loops_check(&united, &loops),
                      "a loop is not deeper than its parent");
  loop->parent = NONE;
  loops.members[loop->first_entry] = (uint32_t)united.block_count;
  assert_string_equal(wb_united_loops_check(&united, &loops), "a loop's blocks do not ascend");
  loops.members[loop->first_entry] = header;
  loops.innermost[0] = 1;
  assert_string_equal(wb_united_loops_check(&united, &loops),
                      "a block is in no loop that there is");
  wb_simt_analysis_free(made.analysis);
  wb_code_free(&made.code);
}
