/* Worst cases of flow systems against every execution there is, written down; and the checker
 * on spoilt claims. */
#include "base/random.h"
#include "both_checkers.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/dual_proof.h"
#include "ipet/solve/euler_walk.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/ipet_solve.h"
#include "unit.h"

#define NODES 6
#define MOST_EDGES 9
#define MOST_LIMITS 6
/* Executions are enumerated up to so many edges. */
#define LONGEST 10

struct draft {
  size_t nodes, edges, limits;
  uint32_t from[MOST_EDGES], to[MOST_EDGES];
  int64_t cycles[NODES];
  bool ends[NODES];
  int64_t factor[MOST_LIMITS][MOST_EDGES];
  int64_t constant[MOST_LIMITS];
};

static int64_t below(struct wb_random *random, int64_t bound)
{
  return (int64_t)wb_random_below(random, (uint64_t)bound);
}

/* Forward edges, some back edges each limited by what enters its target from before, and
 * sometimes a limit of any kind. large: bounds of any size. */
static struct draft draw(struct wb_random *random, bool large)
{
  struct draft d = {.nodes = 2 + (size_t)below(random, NODES - 1)};
  for (size_t v = 0; v < d.nodes; v++)
    d.cycles[v] = below(random, 10);
  d.ends[d.nodes - 1] = true;
  d.ends[below(random, (int64_t)d.nodes)] = true;
  d.edges = 1 + (size_t)below(random, MOST_EDGES);
  for (size_t e = 0; e < d.edges; e++) {
    d.from[e] = (uint32_t)below(random, (int64_t)d.nodes);
    d.to[e] = (uint32_t)below(random, (int64_t)d.nodes);
  }
  for (size_t e = 0; e < d.edges && d.limits < MOST_LIMITS; e++) {
    if (d.to[e] > d.from[e])
      continue;
    int64_t bound = below(random, 4);
    if (large)
      bound <<= below(random, 26);
    size_t l = d.limits++;
    for (size_t f = 0; f < d.edges; f++) {
      if (d.to[f] == d.to[e])
        d.factor[l][f] = d.to[f] > d.from[f] ? -bound : 1;
    }
    d.constant[l] = d.to[e] == 0 ? bound : 0;
  }
  if (d.limits < MOST_LIMITS && below(random, 3) == 0) {
    size_t l = d.limits++;
    for (size_t f = 0; f < d.edges; f++)
      d.factor[l][f] = below(random, 5) - 2;
    d.constant[l] = below(random, 5) - 1;
  }
  return d;
}

static struct wb_flow_system system_of(const struct draft *d)
{
  struct wb_flow_system system;
  assert_ok(wb_flow_system_make(&system, d->nodes, d->edges, d->nodes, NULL));
  for (size_t e = 0; e < d->edges; e++) {
    system.from[e] = d->from[e];
    system.to[e] = d->to[e];
  }
  wb_flow_system_walk(&system, 0);
  for (size_t v = 0; v < d->nodes; v++) {
    system.cycles[v] = d->cycles[v];
    system.ends[v] = d->ends[v];
  }
  for (size_t l = 0; l < d->limits; l++) {
    wb_flow_limit_add(&system, d->constant[l], (uint32_t)l);
    for (size_t e = 0; e < d->edges; e++)
      assert_true(wb_flow_term_add(&system, (uint32_t)e, d->factor[l][e]));
  }
  assert_false(system.failed);
  return system;
}

/* ---- every execution ---- */

struct enumeration {
  const struct draft *draft;
  int64_t taken[MOST_EDGES];
  int64_t best; /* -1: none */
};

static bool within_limits(const struct enumeration *all)
{
  for (size_t l = 0; l < all->draft->limits; l++) {
    int64_t sum = 0;
    for (size_t e = 0; e < all->draft->edges; e++)
      sum += all->draft->factor[l][e] * all->taken[e];
    if (sum > all->draft->constant[l])
      return false;
  }
  return true;
}

static void go_on(struct enumeration *all, uint32_t node, int64_t cycles, unsigned steps)
{
  cycles += all->draft->cycles[node];
  if (all->draft->ends[node] && cycles > all->best && within_limits(all))
    all->best = cycles;
  if (steps == 0)
    return;
  for (size_t e = 0; e < all->draft->edges; e++) {
    if (all->draft->from[e] != node || all->taken[e] > 4)
      continue;
    all->taken[e]++;
    go_on(all, all->draft->to[e], cycles, steps - 1);
    all->taken[e]--;
  }
}

/* ---- the comparison ---- */

static char *text_of(const char *format, size_t number)
{
  char *text = malloc(32);
  snprintf(text, 32, format, number);
  return text;
}

static void build_model(const struct wb_flow_system *system, struct wb_linear_model *model)
{
  char *nodes[NODES];
  char *edges[MOST_EDGES];
  char *limits[MOST_LIMITS];
  for (size_t i = 0; i < system->node_count; i++)
    nodes[i] = text_of("n%zu", i);
  for (size_t i = 0; i < system->edge_count; i++)
    edges[i] = text_of("a%zu", i);
  for (size_t i = 0; i < system->limit_count; i++)
    limits[i] = text_of("limit%zu", i);
  struct wb_ipet_names names = {.ports = (const char *const *)nodes,
                                .edges = (const char *const *)edges,
                                .limits = (const char *const *)limits};
  assert_ok(wb_ipet_model_build(system, &names, model, NULL));
  for (size_t i = 0; i < system->node_count; i++)
    free(nodes[i]);
  for (size_t i = 0; i < system->edge_count; i++)
    free(edges[i]);
  for (size_t i = 0; i < system->limit_count; i++)
    free(limits[i]);
}

/* Steps that are walked in full. */
#define MOST_STEPS 1000000

static bool is_short(const struct wb_flow_system *system, const int64_t *taken)
{
  int64_t left = MOST_STEPS - 1;
  for (size_t e = 0; e < system->edge_count && left >= 0; e++)
    left -= taken[e] < left ? taken[e] : left + 1;
  return left >= 0;
}

/* The walk takes every edge as often as the counts say. */
static bool walk_agrees(const struct wb_flow_system *system, const int64_t *taken)
{
  uint32_t *nodes;
  size_t count;
  int64_t left[NODES][NODES] = {{0}};
  for (size_t e = 0; e < system->edge_count; e++)
    left[system->from[e]][system->to[e]] += taken[e];
  if (wb_euler_walk(system, taken, MOST_STEPS, &nodes, &count, NULL) != WARPBOUND_OK)
    return false;
  bool agrees = nodes[0] == system->starts[0].node && system->ends[nodes[count - 1]];
  for (size_t i = 1; i < count; i++)
    left[nodes[i - 1]][nodes[i]]--;
  for (size_t u = 0; u < NODES; u++) {
    for (size_t v = 0; v < NODES; v++)
      agrees = agrees && left[u][v] == 0;
  }
  free(nodes);
  return agrees;
}

struct tally {
  uint64_t solved, met, infeasible, unbounded;
  uint64_t with_margin; /* proven with a margin too */
  bool large;           /* runs that cost nothing may be so many that the margin shows */
};

/* A proof with a margin is a proof, and where runs are few hardly above the bound. */
static const char *compare_margin(const struct wb_flow_system *system,
                                  const struct wb_control *control, int64_t bound, int64_t best,
                                  struct tally *tally)
{
  struct wb_ipet_proof proof;
  const char *fault = NULL;
  int64_t checked = 0;
  if (wb_ipet_prove_with_margin(system, control, &proof, NULL) != WARPBOUND_OK)
    return "no proof with a margin for want of memory";
  if (proof.price == NULL)
    return NULL;
  tally->with_margin++;
  if (wb_check_flow_bound(system, proof.price, proof.potential, proof.scale, &checked, NULL) !=
          WARPBOUND_OK ||
      checked != proof.bound)
    fault = "the proof with a margin is none";
  else if (best > proof.bound)
    fault = "an execution costs more than the bound with a margin";
  else if (!tally->large && proof.bound - bound > 2 + bound / 50)
    fault = "the bound with a margin is far above the other";
  wb_ipet_proof_free(&proof);
  return fault;
}

static const char *compare(const struct draft *d, struct tally *tally)
{
  struct enumeration all = {.draft = d, .best = -1};
  go_on(&all, 0, 0, LONGEST);
  FREED_BY(wb_flow_system_free) struct wb_flow_system system = system_of(d);
  FREED_BY(wb_linear_model_free) struct wb_linear_model model;
  build_model(&system, &model);
  struct wb_control control = wb_control_start(NULL);
  struct wb_ipet_result result;
  const char *fault = NULL;
  warpbound_status status =
      wb_ipet_solve(&system, &model, &(struct wb_ipet_options){0}, &control, &result, NULL);
  if (status != WARPBOUND_OK) {
    fault = "no result";
  } else if (result.status == WB_IPET_SOLVED) {
    tally->solved++;
    if (all.best > result.proof.bound)
      fault = "an execution costs more than the bound";
    else if (result.taken != NULL && result.cycles > result.proof.bound)
      fault = "the path costs more than the bound";
    else if (result.taken != NULL && is_short(&system, result.taken) &&
             !walk_agrees(&system, result.taken))
      fault = "the walk is not the counts'";
    tally->met += all.best == result.proof.bound;
    if (fault == NULL)
      fault = compare_margin(&system, &control, result.proof.bound, all.best, tally);
    if (fault == NULL && result.taken != NULL && all.best < result.cycles) {
      int64_t steps = 0;
      bool often = false;
      for (size_t e = 0; e < d->edges; e++) {
        steps += result.taken[e];
        often |= result.taken[e] > 5;
      }
      if (steps <= LONGEST && !often)
        fault = "the path is none of the executions";
    }
  } else if (result.status == WB_IPET_INFEASIBLE) {
    tally->infeasible++;
    fault = all.best >= 0 ? "infeasible, but there is an execution" : NULL;
  } else {
    tally->unbounded += result.status == WB_IPET_UNBOUNDED;
  }
  if (status == WARPBOUND_OK)
    wb_ipet_result_free(&result);
  return fault;
}

static void show(const struct draft *d)
{
  for (size_t v = 0; v < d->nodes; v++)
    print_message("node %zu: %lld cycles%s\n", v, (long long)d->cycles[v],
                  d->ends[v] ? ", may end" : "");
  for (size_t e = 0; e < d->edges; e++)
    print_message("edge %zu: %u to %u\n", e, d->from[e], d->to[e]);
  for (size_t l = 0; l < d->limits; l++) {
    print_message("limit %zu:", l);
    for (size_t e = 0; e < d->edges; e++)
      print_message(" %lld", (long long)d->factor[l][e]);
    print_message(" <= %lld\n", (long long)d->constant[l]);
  }
}

static void try_systems(bool large)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 10;
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct tally tally = {.large = large};
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {.state = seed + run};
    struct draft d = draw(&random, large);
    const char *fault = compare(&d, &tally);
    if (fault != NULL) {
      show(&d);
      fail_msg("seed %llu: %s", (unsigned long long)(seed + run), fault);
    }
  }
  print_message("# %llu systems from seed %llu: %llu solved (%llu met by an execution, "
                "%llu with a margin), %llu infeasible, %llu unbounded\n",
                (unsigned long long)runs, (unsigned long long)seed,
                (unsigned long long)tally.solved, (unsigned long long)tally.met,
                (unsigned long long)tally.with_margin, (unsigned long long)tally.infeasible,
                (unsigned long long)tally.unbounded);
  assert_true(large || tally.met * 2 > tally.solved);
  assert_true(tally.solved * 3 > runs);
  assert_true(large || tally.with_margin * 10 > tally.solved * 9);
}

TEST(random_systems)
{
  try_systems(false);
}

/* Executions are then more than can be written down: what is written down costs no more than the
 * bound, and contradicts every claim that there is none. */
TEST(large_systems)
{
  try_systems(true);
}

/* ---- spoilt claims ---- */

/* A loop of node 1 with three back edges an entry: 0 -> 1 -> 1 .. -> 2. */
static struct draft loop_draft(void)
{
  return (struct draft){.nodes = 3,
                        .edges = 3,
                        .limits = 1,
                        .from = {0, 1, 1},
                        .to = {1, 1, 2},
                        .cycles = {1, 5, 2},
                        .ends = {false, false, true},
                        .factor = {{-3, 1, 0}}};
}

TEST(spoilt_claims)
{
  struct draft d = loop_draft();
  FREED_BY(wb_flow_system_free) struct wb_flow_system system = system_of(&d);
  int64_t cycles;
  int64_t bound;
  warpbound_error error;
  assert_ok(wb_check_flow_counts(&system, (int64_t[]){1, 3, 1}, &cycles, &error));
  assert_int_equal(cycles, 23);
  static const struct {
    int64_t taken[3];
    const char *message;
  } refused[] = {
      {{1, 4, 1}, "limit 0: the sum is 1, above 0"},
      {{1, -1, 1}, "edge 1 is taken -1 times"},
      {{1, 3, 0}, "node 1 runs 4 times and is left 3 times"},
      {{2, 3, 2}, "node 0 runs 1 times and is left 2 times"},
      {{0, 0, 0}, "node 0 runs 1 times and is left 0 times"},
      {{1, INT64_MAX, 1}, "the count of a node does not fit into 64 bits"},
  };
  for (size_t i = 0; i < COUNT_OF(refused); i++) {
    assert_int_equal(wb_check_flow_counts(&system, refused[i].taken, &cycles, &error),
                     WARPBOUND_CHECK_FAILED);
    assert_string_equal(error.message, refused[i].message);
  }
  /* Node 1 is worth 5 a time; each entry brings three back edges. */
  assert_ok(wb_check_flow_bound(&system, (int64_t[]){5}, (int64_t[]){22, 2, 0}, 1, &bound, &error));
  assert_int_equal(bound, 23);
  static const struct {
    int64_t price, potential[3], scale;
    const char *message;
  } false_proofs[] = {
      {5, {21, 2, 0}, 1, "edge 0: the potential before it is 21, below 22"},
      {4, {22, 2, 0}, 1, "edge 1: the potential before it is 2, below 3"},
      {5, {22, 2, -1}, 1, "node 2 may end at a potential below 0"},
      {-1, {22, 2, 0}, 1, "the price of limit 0 is negative"},
      {5, {22, 2, 0}, 0, "the scale is 0, below 1"},
      {5, {22, 2, 0}, 2, "edge 0: the potential before it is 22, below 27"},
      {INT64_MAX, {22, 2, 0}, 1, "the price of an edge does not fit into 64 bits"},
  };
  for (size_t i = 0; i < COUNT_OF(false_proofs); i++) {
    assert_int_equal(wb_check_flow_bound(&system, &false_proofs[i].price, false_proofs[i].potential,
                                         false_proofs[i].scale, &bound, &error),
                     WARPBOUND_CHECK_FAILED);
    assert_string_equal(error.message, false_proofs[i].message);
  }
}

/* The loop's node runs at most four times and at least five: no execution. One of
 * each limit make that 0 <= -1. */
TEST(no_execution)
{
  struct draft d = loop_draft();
  d.limits = 2;
  d.factor[1][1] = -1;
  d.constant[1] = -4;
  FREED_BY(wb_flow_system_free) struct wb_flow_system system = system_of(&d);
  warpbound_error error;
  assert_ok(wb_check_flow_no_execution(&system, (int64_t[]){1, 1}, (int64_t[]){3, 0, 0}, &error));
  static const struct {
    int64_t price[2], potential[3];
    const char *message;
  } false_proofs[] = {
      {{1, 1}, {2, 0, 0}, "edge 0: the potential before it is 2, below 3"},
      {{1, 1}, {4, 0, 0}, "the sum of the constants is 0, not below 0"},
      {{1, -1}, {3, 0, 0}, "the price of limit 1 is negative"},
      {{1, 1}, {3, 0, -1}, "node 2 may end at a potential below 0"},
      {{1, 2}, {3, 0, 0}, "edge 1: the potential before it is 0, below 1"},
      {{1, INT64_MAX}, {3, 0, 0}, "the sum of prices does not fit into 64 bits"},
  };
  for (size_t i = 0; i < COUNT_OF(false_proofs); i++) {
    assert_int_equal(wb_check_flow_no_execution(&system, false_proofs[i].price,
                                                false_proofs[i].potential, &error),
                     WARPBOUND_CHECK_FAILED);
    assert_string_equal(error.message, false_proofs[i].message);
  }
}

/* A circle that hangs together with nothing keeps to conservation and to the limit. */
TEST(circle_apart)
{
  struct draft d = {.nodes = 4,
                    .edges = 3,
                    .from = {0, 2, 3},
                    .to = {1, 3, 2},
                    .cycles = {1, 1, 1, 1},
                    .ends = {false, true, false, false}};
  FREED_BY(wb_flow_system_free) struct wb_flow_system system = system_of(&d);
  int64_t cycles;
  warpbound_error error;
  assert_int_equal(wb_check_flow_counts(&system, (int64_t[]){1, 1, 1}, &cycles, &error),
                   WARPBOUND_CHECK_FAILED);
  assert_string_equal(error.message, "node 2 runs but is not reached from the start");
}
