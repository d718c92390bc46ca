/* Bounds of nested loops whose worst case is known, up to 2^56 cycles: what is proven is the worst
 * case itself in most, and close to it in all, though no double holds the prices to the last digit.
 */
#include "base/checked.h"
#include "base/random.h"
#include "ipet/solve/ipet_model.h"
#include "ipet/solve/ipet_solve.h"
#include "unit.h"

/* Random systems of WARPBOUND_CROSS_RUNS. */
#define DEFAULT_RUNS 40
#define DEFAULT_SEED 20161128

#define NODES 400
#define EDGES 800
#define LIMITS 100
#define DEEPEST 4
/* A bound is above the worst case by less than this power of 2 of it. */
#define CLOSE 16
#define MOST_CYCLES (INT64_C(1) << 56)

/* A kernel of loops as it is written down, with what it costs at most. */
struct draft {
  struct wb_random random;
  size_t nodes, edges, limits;
  uint32_t from[EDGES], to[EDGES];
  int64_t cycles[NODES];
  size_t back[LIMITS], entry[LIMITS];
  int64_t bound[LIMITS];
  bool fits;
};

static int64_t below(struct draft *d, int64_t bound)
{
  return (int64_t)wb_random_below(&d->random, (uint64_t)bound);
}

static uint32_t add_node(struct draft *d)
{
  d->fits = d->fits && d->nodes + 1 < NODES;
  d->cycles[d->nodes] = below(d, 300);
  d->nodes += d->fits;
  return (uint32_t)d->nodes - d->fits;
}

static size_t add_edge(struct draft *d, uint32_t from, uint32_t to)
{
  d->fits = d->fits && d->edges + 1 < EDGES;
  d->from[d->edges] = from;
  d->to[d->edges] = to;
  d->edges += d->fits;
  return d->edges - d->fits;
}

static int64_t draw_loops(struct draft *d, uint32_t *last, int depth);

/* A loop after *last, which becomes the node after it: what it costs with that node. */
static int64_t draw_loop(struct draft *d, uint32_t *last, int depth)
{
  const uint32_t header = add_node(d);
  const size_t entry = add_edge(d, *last, header);
  uint32_t latch = header;
  int64_t once = d->cycles[header] + draw_loops(d, &latch, depth + 1);
  const size_t l = d->limits;
  d->fits = d->fits && l + 1 < LIMITS;
  d->limits += d->fits;
  d->bound[l] = 1 + below(d, INT64_C(1) << (1 + below(d, 14)));
  d->back[l] = add_edge(d, latch, header);
  d->entry[l] = entry;
  *last = add_node(d);
  (void)add_edge(d, latch, *last);
  int64_t all;
  d->fits = d->fits && wb_multiply_signed(once, d->bound[l] + 1, &all) && all < MOST_CYCLES;
  return d->fits ? all + d->cycles[*last] : 0;
}

/* Loops, and branches of which one side is longer, after *last: what they cost at most. */
static int64_t draw_loops(struct draft *d, uint32_t *last, int depth)
{
  int64_t all = 0;
  const int64_t count = depth == 0 ? 8 : below(d, 3);
  for (int64_t i = 0; i < count && d->fits; i++) {
    if (depth < DEEPEST && below(d, 3) > 0) {
      all += draw_loop(d, last, depth);
    } else {
      const uint32_t one = add_node(d), other = add_node(d), end = add_node(d);
      (void)add_edge(d, *last, one);
      (void)add_edge(d, *last, other);
      (void)add_edge(d, one, end);
      (void)add_edge(d, other, end);
      all +=
          (d->cycles[one] > d->cycles[other] ? d->cycles[one] : d->cycles[other]) + d->cycles[end];
      *last = end;
    }
    d->fits = d->fits && all < MOST_CYCLES;
  }
  return all;
}

static void make_system(const struct draft *d, uint32_t end, struct wb_flow_system *system)
{
  assert_ok(wb_flow_system_make(system, d->nodes, d->edges, d->nodes, NULL));
  for (size_t e = 0; e < d->edges; e++) {
    system->from[e] = d->from[e];
    system->to[e] = d->to[e];
  }
  wb_flow_system_walk(system, 0);
  for (size_t v = 0; v < d->nodes; v++)
    system->cycles[v] = d->cycles[v];
  system->ends[end] = true;
  for (size_t l = 0; l < d->limits; l++) {
    wb_flow_limit_add(system, 0, (uint32_t)l);
    assert_true(wb_flow_term_add(system, (uint32_t)d->back[l], 1));
    assert_true(wb_flow_term_add(system, (uint32_t)d->entry[l], -d->bound[l]));
  }
  assert_false(system->failed);
}

/* What is proven of the system; -1: nothing. */
static int64_t proven(const struct wb_flow_system *system)
{
  const struct wb_ipet_names names = {0};
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_linear_model_free) struct wb_linear_model model;
  FREED_BY(wb_ipet_result_free) struct wb_ipet_result result;
  assert_ok(wb_ipet_model_build(system, &names, &model, NULL));
  assert_ok(wb_ipet_solve(system, &model, &(struct wb_ipet_options){.effort = WB_IPET_BOUND},
                          &control, &result, NULL));
  return result.status == WB_IPET_SOLVED ? result.proof.bound : -1;
}

TEST(nested_loops)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  uint64_t compared = 0, exact = 0, long_ones = 0;
  for (uint64_t run = 0; run < runs; run++) {
    static struct draft d;
    d = (struct draft){.random = {seed + run}, .fits = true};
    uint32_t end = add_node(&d);
    const int64_t most = d.cycles[end] + draw_loops(&d, &end, 0);
    if (!d.fits)
      continue;
    FREED_BY(wb_flow_system_free) struct wb_flow_system system;
    make_system(&d, end, &system);
    const int64_t bound = proven(&system);
    if (bound < most || bound - most > most >> CLOSE)
      fail_msg("seed %llu: %lld is proven, the worst case takes %lld",
               (unsigned long long)(seed + run), (long long)bound, (long long)most);
    exact += bound == most;
    compared++;
    long_ones += most > INT64_C(1) << 40;
  }
  print_message(
      "# %llu systems from seed %llu, %llu of them of more than 2^40 cycles: %llu bounds are "
      "the worst case\n",
      (unsigned long long)compared, (unsigned long long)seed, (unsigned long long)long_ones,
      (unsigned long long)exact);
  assert_true(exact * 10 > compared * 9);
  assert_true(compared * 2 > runs);
}
