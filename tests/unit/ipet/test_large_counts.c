/* Flow systems whose counts have many digits: estimates of counts, and worst cases of nested loops
 * that are computed by hand, or by a recursion over the nest.
 *   WARPBOUND_CROSS_RUNS  random nests (300)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/random.h"
#include "base/work_control.h"
#include "ipet/solve/count_estimates.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/ipet_solve.h"
#include "linear/relaxation.h"
#include "model/flow_system.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_RUNS 300
#define DEFAULT_SEED 20261130
#define MOST_LOOPS 40
/* Worst cases from here on are left out: nothing is said of those that do not fit. */
#define LIMIT (INT64_C(1) << 58)

/* A loop: its header has an inner loop, or two that follow each other, as alternatives of a branch
 * or in a row, and then goes back or on. */
struct nest {
  struct wb_flow_system system;
  struct wb_random random;
  uint32_t nodes, edges, loops;
  uint32_t from[16 * MOST_LOOPS], to[16 * MOST_LOOPS];
  int64_t cycles[16 * MOST_LOOPS];
  struct {
    uint32_t enter, back;
    int64_t bound;
  } loop[MOST_LOOPS];
};

static uint32_t add_node(struct nest *nest)
{
  nest->cycles[nest->nodes] = (int64_t)wb_random_below(&nest->random, 500);
  return nest->nodes++;
}

static uint32_t add_edge(struct nest *nest, uint32_t from, uint32_t to)
{
  nest->from[nest->edges] = from;
  nest->to[nest->edges] = to;
  return nest->edges++;
}

/* Numbers are at most LIMIT. */
static int64_t times(int64_t a, int64_t b)
{
  return b > LIMIT / a ? LIMIT : a * b;
}

/* Adds what is done between two nodes, of which the first is there; returns the last one. *worst:
 * the most that it costs, without the first node. */
static uint32_t add_body(struct nest *nest, uint32_t at, unsigned depth, int64_t *worst);

/* A loop behind a node: do { header; body } while. */
static uint32_t add_loop(struct nest *nest, uint32_t at, unsigned depth, int64_t *worst)
{
  const uint32_t number = nest->loops++;
  const uint32_t header = add_node(nest);
  int64_t body;
  nest->loop[number].bound =
      (int64_t)wb_random_below(&nest->random, UINT64_C(1) << wb_random_below(&nest->random, 14));
  nest->loop[number].enter = add_edge(nest, at, header);
  const uint32_t last = add_body(nest, header, depth + 1, &body);
  nest->loop[number].back = add_edge(nest, last, header);
  *worst = times(nest->loop[number].bound + 1, nest->cycles[header] + body);
  const uint32_t after = add_node(nest);
  add_edge(nest, last, after);
  *worst += nest->cycles[after];
  return after;
}

static uint32_t add_body(struct nest *nest, uint32_t at, unsigned depth, int64_t *worst)
{
  const uint64_t kind =
      depth < 5 && nest->loops + 2 < MOST_LOOPS ? wb_random_below(&nest->random, 4) : 3;
  int64_t first = 0;
  int64_t second = 0;
  uint32_t end;
  if (kind < 2) { /* one, or two in a row */
    end = add_loop(nest, at, depth, &first);
    if (kind == 1 && nest->loops < MOST_LOOPS)
      end = add_loop(nest, end, depth, &second);
    *worst = first + second;
    return end;
  }
  /* Sides of a branch, of which one may have a loop. */
  const uint32_t left = add_node(nest);
  const uint32_t right = add_node(nest);
  add_edge(nest, at, left);
  add_edge(nest, at, right);
  const uint32_t of_right = kind == 2 ? add_loop(nest, right, depth, &second) : right;
  end = add_node(nest);
  add_edge(nest, left, end);
  add_edge(nest, of_right, end);
  first = nest->cycles[left];
  second += nest->cycles[right];
  *worst = (first > second ? first : second) + nest->cycles[end];
  return end;
}

static void make_nest(struct nest *nest, uint64_t seed, int64_t *worst)
{
  *nest = (struct nest){.random = {seed}};
  const uint32_t start = add_node(nest);
  int64_t body;
  const uint32_t end = add_loop(nest, start, 0, &body);
  *worst = body + nest->cycles[start];
  assert_int_equal(wb_flow_system_make(&nest->system, nest->nodes, nest->edges, nest->nodes, NULL),
                   WARPBOUND_OK);
  for (uint32_t v = 0; v < nest->nodes; v++)
    nest->system.cycles[v] = nest->cycles[v];
  for (uint32_t e = 0; e < nest->edges; e++) {
    nest->system.from[e] = nest->from[e];
    nest->system.to[e] = nest->to[e];
  }
  nest->system.ends[end] = true;
  wb_flow_system_walk(&nest->system, start);
  for (uint32_t l = 0; l < nest->loops; l++) {
    wb_flow_limit_add(&nest->system, 0, l);
    wb_flow_term_add(&nest->system, nest->loop[l].back, 1);
    wb_flow_term_add(&nest->system, nest->loop[l].enter, -nest->loop[l].bound);
  }
  assert_false(nest->system.failed);
  assert_true(wb_flow_system_is_valid(&nest->system));
}

static void solve(const struct wb_flow_system *system, struct wb_ipet_result *result)
{
  struct wb_linear_model model;
  const struct wb_ipet_names names = {0};
  const struct wb_control control = {0};
  const struct wb_ipet_options options = {.effort = WB_IPET_BOUND};
  warpbound_error error;
  assert_int_equal(wb_ipet_model_build(system, &names, &model, &error), WARPBOUND_OK);
  assert_int_equal(wb_ipet_solve(system, &model, &options, &control, result, &error), WARPBOUND_OK);
  wb_linear_model_free(&model);
}

/* Of each nest the bound is the worst case, which is known without a solver, or of very few a
 * millionth above. */
TEST(nests_are_exact)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  uint64_t large = 0;
  uint64_t above = 0;
  uint64_t met = 0; /* of the large ones: by an execution */
  static struct nest nest;
  for (uint64_t run = 0; run < runs; run++) {
    int64_t worst;
    make_nest(&nest, seed + run, &worst);
    if (worst < LIMIT) {
      struct wb_ipet_result result;
      solve(&nest.system, &result);
      const int64_t over = result.proof.bound - worst;
      if (result.status != WB_IPET_SOLVED || over < 0 || over > worst >> 20 ||
          (result.taken != NULL && result.cycles > worst))
        fail_msg("seed %" PRIu64 ": %u loops, worst case %" PRId64 ", bound %" PRId64
                 ", found %" PRId64,
                 seed + run, nest.loops, worst, result.proof.bound, result.cycles);
      large += worst >= INT64_C(1) << 40;
      above += over > 0;
      met += worst >= INT64_C(1) << 40 && result.taken != NULL && result.cycles == worst;
      wb_ipet_result_free(&result);
    }
    wb_flow_system_free(&nest.system);
  }
  printf("# %" PRIu64 " nests from seed %" PRIu64 ", %" PRIu64 " of 2^40 cycles or more, %" PRIu64
         " of these met, %" PRIu64 " bounds above\n",
         runs, seed, large, met, above);
  assert_true(large >= runs / 20);
  assert_true(above <= runs / 100);
  assert_true(met >= large / 4 * 3);
}

/* Two loops in a row are taken as often as what is around them, not as their product. */
TEST(estimates_follow_loops)
{
  static const uint32_t from[] = {0, 1, 1, 2, 2, 3, 4};
  static const uint32_t to[] = {1, 1, 2, 2, 3, 4, 3};
  static const double expected[] = {1, 1024, 1, 64, 1, 8, 8};
  struct wb_flow_system system;
  assert_int_equal(wb_flow_system_make(&system, 5, 7, 5, NULL), WARPBOUND_OK);
  memcpy(system.from, from, sizeof from);
  memcpy(system.to, to, sizeof to);
  system.ends[3] = true;
  wb_flow_system_walk(&system, 0);
  wb_flow_limit_add(&system, 0, 0); /* the loop at 1 */
  wb_flow_term_add(&system, 1, 1);
  wb_flow_term_add(&system, 0, -1000);
  wb_flow_limit_add(&system, 0, 0); /* at 2: the least of two limits, one of them of a sum */
  wb_flow_term_add(&system, 3, 1);
  wb_flow_term_add(&system, 2, -5000);
  wb_flow_limit_add(&system, 120, 0);
  wb_flow_term_add(&system, 3, 2);
  wb_flow_limit_add(&system, 0, 0); /* of 3 and 4, in terms of a loop that stands before it */
  wb_flow_term_add(&system, 6, 128);
  wb_flow_term_add(&system, 1, -1);
  struct wb_arena arena = {0};
  struct wb_count_estimates estimates;
  assert_true(wb_count_estimates_make(&arena, &system, &estimates));
  for (size_t e = 0; e < 7; e++)
    assert_true(estimates.edge[e] == expected[e]);
  assert_true(estimates.node[0] == 1 && estimates.node[1] == 1024 && estimates.node[4] == 8);
  wb_arena_free(&arena);
  wb_flow_system_free(&system);
}

/* Groups return as often as lanes, whose limit stands behind theirs. */
TEST(estimates_follow_lanes)
{
  static const uint32_t from[] = {0, 1, 2, 3};
  static const uint32_t to[] = {1, 1, 3, 3};
  struct wb_flow_system system;
  assert_int_equal(wb_flow_system_make(&system, 4, 4, 4, NULL), WARPBOUND_OK);
  memcpy(system.from, from, sizeof from);
  memcpy(system.to, to, sizeof to);
  for (uint32_t v = 0; v < 4; v++) {
    system.port_node[v] = v;
    system.port[v] = from[v];
    system.ends[v] = true;
  }
  system.starts[0] = (struct wb_flow_start){0, 1};
  system.starts[1] = (struct wb_flow_start){2, 32};
  system.start_count = 2;
  wb_flow_limit_add(&system, 0, 0);
  wb_flow_term_add(&system, 1, 1);
  wb_flow_term_add(&system, 3, -1);
  wb_flow_limit_add(&system, 0, 0);
  wb_flow_term_add(&system, 3, 1);
  wb_flow_term_add(&system, 2, -4096);
  struct wb_arena arena = {0};
  struct wb_count_estimates estimates;
  assert_true(wb_count_estimates_make(&arena, &system, &estimates));
  assert_true(estimates.edge[1] == 4096 && estimates.edge[3] == 4096);
  assert_true(estimates.edge[0] == 1 && estimates.edge[2] == 1);
  wb_arena_free(&arena);
  wb_flow_system_free(&system);
}
