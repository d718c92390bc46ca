/* Dominators and loop forests against their definitions on random graphs of up to 20 nodes,
 * where sets of nodes are bits of a word.
 *   WARPBOUND_CROSS_RUNS  graphs (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/random.h"
#include "cfg/graph/loops.h"
#include "unit.h"

#define DEFAULT_RUNS 20000
#define DEFAULT_SEED 20261206
#define NODE_LIMIT 20
#define EDGE_LIMIT 60
#define NONE UINT32_MAX

/* The graph, and for each node the set of those to which an edge leads. */
struct trial {
  uint64_t seed;
  uint32_t nodes;
  uint32_t edges;
  uint32_t from[EDGE_LIMIT];
  uint32_t to[EDGE_LIMIT];
  uint32_t after[NODE_LIMIT];
  uint32_t reachable;
  struct wb_loop_forest forest;
  size_t loops_seen;
};

/* What was met, over all graphs: a test that meets too little of it shows too little. */
struct met {
  size_t loops;
  size_t irreducible;
  size_t nested_irreducible;
};

static void make_random_graph(struct trial *trial)
{
  struct wb_random random = {trial->seed};
  trial->nodes = 1 + (uint32_t)wb_random_below(&random, NODE_LIMIT);
  uint32_t chain = (uint32_t)wb_random_below(&random, 3);
  uint32_t near = 1 + (uint32_t)wb_random_below(&random, NODE_LIMIT);
  trial->edges = 0;
  for (uint32_t n = 0; chain > 0 && n + 1 < trial->nodes; n++) {
    trial->from[trial->edges] = n;
    trial->to[trial->edges++] = n + 1;
  }
  uint64_t more = wb_random_below(&random, EDGE_LIMIT - trial->edges + 1);
  for (uint64_t i = 0; i < more; i++) {
    uint32_t from = (uint32_t)wb_random_below(&random, trial->nodes);
    uint32_t to = (uint32_t)(from + near + wb_random_below(&random, 2 * near + 1)) % trial->nodes;
    trial->from[trial->edges] = from;
    trial->to[trial->edges++] =
        wb_random_below(&random, 4) == 0 ? (uint32_t)wb_random_below(&random, trial->nodes) : to;
  }
}

/* The nodes that the set reaches by one edge or more without leaving `within`. */
static uint32_t reach(const struct trial *trial, uint32_t set, uint32_t within)
{
  uint32_t found = 0;
  for (uint32_t before = 1; before != found;) {
    before = found;
    for (uint32_t n = 0; n < trial->nodes; n++) {
      if ((((set | found) & within) >> n) & 1)
        found |= trial->after[n] & within;
    }
  }
  return found;
}

/* a dominates b where b cannot be reached without a; of several that do so, the immediate one
 * is dominated by all others. */
static uint32_t dominators_of(const struct trial *trial, uint32_t node)
{
  uint32_t set = 0;
  for (uint32_t a = 0; a < trial->nodes; a++) {
    uint32_t without = ~(UINT32_C(1) << a);
    uint32_t reached = a == 0 ? 0 : 1 | reach(trial, 1, without);
    if (!((reached >> node) & 1) || a == node)
      set |= UINT32_C(1) << a;
  }
  return set;
}

static uint32_t nodes_of(const struct trial *trial, const struct wb_loop *loop)
{
  uint32_t set = 0;
  for (size_t i = 0; i < loop->node_count; i++)
    set |= UINT32_C(1) << trial->forest.nodes[loop->first_node + i];
  return set;
}

/* The forest's loop of exactly these nodes, NONE where there is none. */
static uint32_t find_loop(const struct trial *trial, uint32_t set)
{
  for (size_t l = 0; l < trial->forest.loop_count; l++) {
    if (nodes_of(trial, &trial->forest.loops[l]) == set)
      return (uint32_t)l;
  }
  return NONE;
}

/* The nodes of a set at which it can be entered. */
static uint32_t entries_of(const struct trial *trial, uint32_t set)
{
  uint32_t entries = set & 1;
  for (uint32_t n = 0; n < trial->nodes; n++) {
    if (((trial->reachable & ~set) >> n) & 1)
      entries |= trial->after[n] & set;
  }
  return entries;
}

static void check_loop(struct trial *trial, uint32_t set, uint32_t parent, struct met *met)
{
  uint32_t found = find_loop(trial, set);
  assert_int_not_equal(found, NONE);
  const struct wb_loop *loop = &trial->forest.loops[found];
  uint32_t headers = entries_of(trial, set);
  trial->loops_seen++;
  assert_int_equal(loop->parent, parent);
  assert_true(parent == NONE || parent < found);
  assert_int_equal(loop->depth, parent == NONE ? 1 : trial->forest.loops[parent].depth + 1);
  assert_true((headers >> loop->header) & 1);
  assert_int_equal(loop->irreducible, (headers & (headers - 1)) != 0);
  size_t count = 0;
  for (uint32_t e = 0; e < trial->edges; e++) {
    if (((set >> trial->from[e]) & 1) && ((headers >> trial->to[e]) & 1)) {
      assert_true(count < loop->back_edge_count);
      assert_int_equal(trial->forest.back_edges[loop->first_back_edge + count], e);
      count++;
    }
  }
  assert_int_equal(count, loop->back_edge_count);
  met->loops++;
  met->irreducible += loop->irreducible;
  met->nested_irreducible +=
      loop->irreducible && parent != NONE && trial->forest.loops[parent].irreducible;
}

/* The loops of a set of nodes are its strongly connected parts; those inside of one are the
 * loops of it without its headers. The sets still to be taken apart wait in an array. */
static void check_loops(struct trial *trial, struct met *met)
{
  struct {
    uint32_t set;
    uint32_t parent;
  } waiting[2 * NODE_LIMIT + 1] = {{trial->reachable, NONE}};
  size_t count = 1;
  uint32_t innermost[NODE_LIMIT];
  for (uint32_t n = 0; n < NODE_LIMIT; n++)
    innermost[n] = NONE;
  while (count > 0) {
    uint32_t within = waiting[--count].set;
    uint32_t parent = waiting[count].parent;
    for (uint32_t n = 0; n < trial->nodes; n++) {
      uint32_t bit = UINT32_C(1) << n;
      if (!(within & bit) || !(reach(trial, bit, within) & bit))
        continue;
      uint32_t part = 0;
      for (uint32_t m = 0; m < trial->nodes; m++) {
        if (((reach(trial, bit, within) >> m) & 1) &&
            (reach(trial, UINT32_C(1) << m, within) & bit))
          part |= UINT32_C(1) << m;
      }
      within &= ~part;
      check_loop(trial, part, parent, met);
      for (uint32_t m = 0; m < trial->nodes; m++) {
        if ((part >> m) & 1)
          innermost[m] = find_loop(trial, part);
      }
      waiting[count].set = part & ~entries_of(trial, part);
      waiting[count++].parent = find_loop(trial, part);
    }
  }
  assert_int_equal(trial->loops_seen, trial->forest.loop_count);
  for (uint32_t n = 0; n < trial->nodes; n++)
    assert_int_equal(trial->forest.innermost[n], innermost[n]);
}

static uint64_t last_seed;

/* Runs after a failure too. */
static int print_seed(void **state)
{
  (void)state;
  print_message("# seed of the last graph: %llu\n", (unsigned long long)last_seed);
  return 0;
}

TEST_BETWEEN(NULL, print_seed, forests_are_those_of_the_definition)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct met met = {0};
  for (uint64_t r = 0; r < runs; r++) {
    struct trial trial = {.seed = seed + r};
    make_random_graph(&trial);
    for (uint32_t n = 0; n < NODE_LIMIT; n++)
      trial.after[n] = 0;
    for (uint32_t e = 0; e < trial.edges; e++)
      trial.after[trial.from[e]] |= UINT32_C(1) << trial.to[e];
    trial.reachable = 1 | reach(&trial, 1, UINT32_MAX);
    struct wb_flow_graph graph = {trial.nodes, trial.edges, trial.from, trial.to, 0};
    last_seed = trial.seed;
    assert_ok(wb_loop_forest_make(&graph, &trial.forest, NULL));
    for (uint32_t n = 0; n < trial.nodes; n++) {
      uint32_t found = trial.forest.dominators[n];
      if (!((trial.reachable >> n) & 1)) {
        assert_int_equal(found, NONE);
        continue;
      }
      uint32_t strict = n == 0 ? 1 : dominators_of(&trial, n) & ~(UINT32_C(1) << n);
      assert_true(found < trial.nodes && ((strict >> found) & 1));
      assert_int_equal(dominators_of(&trial, found), n == 0 ? 1 : strict);
    }
    check_loops(&trial, &met);
    wb_loop_forest_free(&trial.forest);
  }
  print_message(
      "# %llu graphs from seed %llu: %zu loops, %zu irreducible, %zu of them in another\n",
      (unsigned long long)runs, (unsigned long long)seed, met.loops, met.irreducible,
      met.nested_irreducible);
  assert_true(runs < 1000 || (met.irreducible > runs / 20 && met.nested_irreducible > 0));
}
