#include "certificate/flow/flow_check.h"

#include "base/arena.h"
#include "base/checked.h"

#include <inttypes.h>
#include <stdbool.h>

static warpbound_status too_large(const char *what, warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_CHECK_FAILED, "%s does not fit into 64 bits", what);
}

/* a * b added to *sum. */
static bool add_product(int64_t *sum, int64_t a, int64_t b)
{
  int64_t product;
  return wb_multiply_signed(a, b, &product) && wb_add_signed(*sum, product, sum);
}

/* Checks flow conservation and the limits. Sets how often each node runs and each port is left,
 * both 0 before. */
static warpbound_status check_counts(const struct wb_flow_system *system, const int64_t *taken,
                                     int64_t *runs, int64_t *leaves, warpbound_error *error)
{
  for (size_t s = 0; s < system->start_count; s++) {
    int64_t *sum = &runs[system->starts[s].node];
    if (!wb_add_signed(*sum, system->starts[s].runs, sum))
      return too_large("the count of a node", error);
  }
  for (size_t e = 0; e < system->edge_count; e++) {
    if (taken[e] < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "edge %zu is taken %" PRId64 " times", e,
                     taken[e]);
    const uint32_t port = system->port[e];
    if (!wb_add_signed(runs[system->to[e]], taken[e], &runs[system->to[e]]) ||
        (port != WB_FLOW_NO_PORT && !wb_add_signed(leaves[port], taken[e], &leaves[port])))
      return too_large("the count of a node", error);
  }
  for (size_t q = 0; q < system->port_count; q++) {
    const uint32_t node = system->port_node[q];
    if (leaves[q] > runs[node] || (leaves[q] < runs[node] && !system->ends[q]))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "node %" PRIu32 " runs %" PRId64 " times and is left %" PRId64 " times", node,
                     runs[node], leaves[q]);
  }
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    int64_t sum = 0;
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      if (!add_product(&sum, term->factor, taken[term->edge]))
        return too_large("the sum of a limit", error);
    }
    if (sum > limit->constant)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "limit %zu: the sum is %" PRId64 ", above %" PRId64, l, sum, limit->constant);
  }
  return WARPBOUND_OK;
}

/* Every node that runs is reached from a start over edges that are taken. */
static warpbound_status check_connected(const struct wb_flow_system *system, const int64_t *taken,
                                        const int64_t *runs, warpbound_error *error)
{
  struct wb_arena arena = {0};
  size_t *end = wb_arena_array(&arena, size_t, system->node_count);
  uint32_t *leaving = wb_arena_array(&arena, uint32_t, system->edge_count);
  uint32_t *queue = wb_arena_array(&arena, uint32_t, system->node_count);
  bool *met = wb_arena_array(&arena, bool, system->node_count);
  size_t tail = 0;
  if (arena.failed) {
    wb_arena_free(&arena);
    return wb_out_of_memory(error);
  }
  /* The edges by the node that they leave: those of v are leaving[v > 0 ? end[v - 1] : 0 ..
   * end[v] - 1]. */
  for (size_t e = 0; e < system->edge_count; e++) {
    if (system->from[e] + 1 < system->node_count)
      end[system->from[e] + 1]++;
  }
  for (size_t v = 1; v < system->node_count; v++)
    end[v] += end[v - 1];
  for (size_t e = 0; e < system->edge_count; e++)
    leaving[end[system->from[e]]++] = (uint32_t)e;
  for (size_t s = 0; s < system->start_count; s++) {
    if (met[system->starts[s].node] || system->starts[s].runs == 0)
      continue;
    met[system->starts[s].node] = true;
    queue[tail++] = system->starts[s].node;
  }
  for (size_t head = 0; head < tail; head++) {
    const uint32_t v = queue[head];
    for (size_t i = v > 0 ? end[v - 1] : 0; i < end[v]; i++) {
      const uint32_t next = system->to[leaving[i]];
      if (taken[leaving[i]] == 0 || met[next])
        continue;
      met[next] = true;
      queue[tail++] = next;
    }
  }
  warpbound_status status = WARPBOUND_OK;
  for (size_t v = 0; v < system->node_count && status == WARPBOUND_OK; v++) {
    if (runs[v] > 0 && !met[v])
      status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                       "node %zu runs but is not reached from the start", v);
  }
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_check_flow_counts(const struct wb_flow_system *system, const int64_t *taken,
                                      int64_t *cycles, warpbound_error *error)
{
  struct wb_arena arena = {0};
  int64_t *runs = wb_arena_array(&arena, int64_t, system->node_count);
  int64_t *leaves = wb_arena_array(&arena, int64_t, system->port_count);
  warpbound_status status =
      arena.failed ? wb_out_of_memory(error) : check_counts(system, taken, runs, leaves, error);
  if (status == WARPBOUND_OK)
    status = check_connected(system, taken, runs, error);
  if (status == WARPBOUND_OK)
    *cycles = 0;
  for (size_t v = 0; v < system->node_count && status == WARPBOUND_OK; v++) {
    if (!add_product(cycles, runs[v], system->cycles[v]))
      status = too_large("the sum of cycles", error);
  }
  for (size_t e = 0; e < system->edge_count && status == WARPBOUND_OK; e++) {
    if (!add_product(cycles, taken[e], wb_flow_edge_cycles(system, e)))
      status = too_large("the sum of cycles", error);
  }
  wb_arena_free(&arena);
  return status;
}

/* Checks prices and potentials; *sum: scale times the cycles of the starts, their potentials and
 * the constants at their prices. paid: by edge, the sum of price * factor over the limits; value:
 * by node, the sum of the potentials of its ports; both 0 before. */
static warpbound_status prove_duals(const struct wb_flow_system *system, const int64_t *price,
                                    const int64_t *potential, int64_t scale, int64_t *paid,
                                    int64_t *value, int64_t *sum, warpbound_error *error)
{
  *sum = 0;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    if (price[l] < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "the price of limit %zu is negative", l);
    if (!add_product(sum, price[l], limit->constant))
      return too_large("the sum of prices", error);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      if (!add_product(&paid[term->edge], price[l], term->factor))
        return too_large("the price of an edge", error);
    }
  }
  for (size_t q = 0; q < system->port_count; q++) {
    int64_t *of_node = &value[system->port_node[q]];
    if (!wb_add_signed(*of_node, potential[q], of_node))
      return too_large("the potential of a node", error);
  }
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t to = system->to[e];
    const uint32_t port = system->port[e];
    const int64_t before = port != WB_FLOW_NO_PORT ? potential[port] : 0;
    int64_t least = value[to];
    if (!add_product(&least, scale, system->cycles[to]) ||
        !add_product(&least, scale, wb_flow_edge_cycles(system, e)) ||
        !wb_subtract_signed(least, paid[e], &least))
      return too_large("the gain of an edge", error);
    if (before < least)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "edge %zu: the potential before it is %" PRId64 ", below %" PRId64, e, before,
                     least);
  }
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->ends[q] && potential[q] < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "node %" PRIu32 " may end at a potential below 0", system->port_node[q]);
  }
  for (size_t s = 0; s < system->start_count; s++) {
    const struct wb_flow_start *start = &system->starts[s];
    int64_t each = value[start->node];
    if (!add_product(&each, scale, system->cycles[start->node]) ||
        !add_product(sum, start->runs, each))
      return too_large(scale > 0 ? "the bound" : "the sum of the constants", error);
  }
  return WARPBOUND_OK;
}

static warpbound_status check_duals(const struct wb_flow_system *system, const int64_t *price,
                                    const int64_t *potential, int64_t scale, int64_t *sum,
                                    warpbound_error *error)
{
  struct wb_arena arena = {0};
  int64_t *paid = wb_arena_array(&arena, int64_t, system->edge_count);
  int64_t *value = wb_arena_array(&arena, int64_t, system->node_count);
  warpbound_status status =
      arena.failed ? wb_out_of_memory(error)
                   : prove_duals(system, price, potential, scale, paid, value, sum, error);
  wb_arena_free(&arena);
  return status;
}

warpbound_status wb_check_flow_no_execution(const struct wb_flow_system *system,
                                            const int64_t *price, const int64_t *potential,
                                            warpbound_error *error)
{
  int64_t sum;
  warpbound_status status = check_duals(system, price, potential, 0, &sum, error);
  if (status == WARPBOUND_OK && sum >= 0)
    status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "the sum of the constants is %" PRId64 ", not below 0", sum);
  return status;
}

warpbound_status wb_check_flow_bound(const struct wb_flow_system *system, const int64_t *price,
                                     const int64_t *potential, int64_t scale, int64_t *bound,
                                     warpbound_error *error)
{
  if (scale < 1)
    return wb_fail(error, WARPBOUND_CHECK_FAILED, "the scale is %" PRId64 ", below 1", scale);
  int64_t sum;
  warpbound_status status = check_duals(system, price, potential, scale, &sum, error);
  if (status == WARPBOUND_OK)
    *bound = wb_divide_down(sum, scale);
  return status;
}

/* ---- the form of a system ---- */

warpbound_status wb_check_system_form(const struct wb_flow_system *system, warpbound_error *error)
{
  for (size_t q = 0; q < system->port_count; q++) {
    if (system->port_node[q] >= system->node_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "port %zu: there is no such node", q);
  }
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t port = system->port[e];
    if (system->from[e] >= system->node_count || system->to[e] >= system->node_count)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "edge %zu: there is no such node", e);
    if (port != WB_FLOW_NO_PORT &&
        (port >= system->port_count || system->port_node[port] != system->from[e]))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "edge %zu: its port is not one of the node that it leaves", e);
  }
  if (system->start_count < 1 || system->start_count > WB_FLOW_STARTS)
    return wb_fail(error, WARPBOUND_CHECK_FAILED, "an empty system");
  for (size_t s = 0; s < system->start_count; s++) {
    if (system->starts[s].node >= system->node_count || system->starts[s].runs < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "an empty system");
  }
  return WARPBOUND_OK;
}
