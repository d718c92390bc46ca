#include "certificate/flow/flow_check.h"

#include "base/checked.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

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

/* How often each node runs, and that as much leaves it. */
static warpbound_status check_conservation(const struct wb_flow_system *system,
                                           const int64_t *taken, int64_t *runs, int64_t *leaves,
                                           warpbound_error *error)
{
  runs[system->start] = 1;
  for (size_t e = 0; e < system->edge_count; e++) {
    if (taken[e] < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "edge %zu is taken %" PRId64 " times", e,
                     taken[e]);
    if (!wb_add_signed(runs[system->to[e]], taken[e], &runs[system->to[e]]) ||
        !wb_add_signed(leaves[system->from[e]], taken[e], &leaves[system->from[e]]))
      return too_large("the count of a node", error);
  }
  int64_t ended = 0;
  for (size_t v = 0; v < system->node_count; v++) {
    int64_t stays = runs[v] - leaves[v];
    if (stays < 0 || (stays > 0 && !system->ends[v]))
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "node %zu runs %" PRId64 " times and is left %" PRId64 " times", v, runs[v],
                     leaves[v]);
    if (!wb_add_signed(ended, stays, &ended))
      return too_large("the number of ends", error);
  }
  return ended == 1 ? WARPBOUND_OK
                    : wb_fail(error, WARPBOUND_CHECK_FAILED, "the execution ends %" PRId64 " times",
                              ended);
}

static warpbound_status check_limits(const struct wb_flow_system *system, const int64_t *taken,
                                     warpbound_error *error)
{
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

/* The edges by the node that they leave: those of v are leaving[v > 0 ? end[v - 1] : 0 ..
 * end[v] - 1]. */
static void sort_by_origin(const struct wb_flow_system *system, size_t *end, uint32_t *leaving)
{
  for (size_t e = 0; e < system->edge_count; e++) {
    if (system->from[e] + 1 < system->node_count)
      end[system->from[e] + 1]++;
  }
  for (size_t v = 1; v < system->node_count; v++)
    end[v] += end[v - 1];
  for (size_t e = 0; e < system->edge_count; e++)
    leaving[end[system->from[e]]++] = (uint32_t)e;
}

static void mark_reached(const struct wb_flow_system *system, const int64_t *taken,
                         const size_t *end, const uint32_t *leaving, uint32_t *queue, bool *met)
{
  size_t head = 0;
  size_t tail = 0;
  queue[tail++] = system->start;
  met[system->start] = true;
  while (head < tail) {
    uint32_t v = queue[head++];
    for (size_t i = v > 0 ? end[v - 1] : 0; i < end[v]; i++) {
      uint32_t next = system->to[leaving[i]];
      if (taken[leaving[i]] == 0 || met[next])
        continue;
      met[next] = true;
      queue[tail++] = next;
    }
  }
}

/* Every node that runs is reached from the start over edges that are taken. */
static warpbound_status check_connected(const struct wb_flow_system *system, const int64_t *taken,
                                        const int64_t *runs, warpbound_error *error)
{
  size_t *end = wb_allocate(system->node_count, sizeof *end);
  uint32_t *leaving = wb_allocate(system->edge_count, sizeof *leaving);
  uint32_t *queue = wb_allocate(system->node_count, sizeof *queue);
  bool *met = wb_allocate(system->node_count, sizeof *met);
  warpbound_status status = WARPBOUND_OK;
  if (end == NULL || leaving == NULL || queue == NULL || met == NULL) {
    status = wb_out_of_memory(error);
  } else {
    sort_by_origin(system, end, leaving);
    mark_reached(system, taken, end, leaving, queue, met);
    for (size_t v = 0; v < system->node_count && status == WARPBOUND_OK; v++) {
      if (runs[v] > 0 && !met[v])
        status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                         "node %zu runs but is not reached from the start", v);
    }
  }
  free(end);
  free(leaving);
  free(queue);
  free(met);
  return status;
}

static warpbound_status add_cycles(const struct wb_flow_system *system, const int64_t *runs,
                                   int64_t *cycles, warpbound_error *error)
{
  *cycles = 0;
  for (size_t v = 0; v < system->node_count; v++) {
    if (!add_product(cycles, runs[v], system->cycles[v]))
      return too_large("the sum of cycles", error);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_check_flow_counts(const struct wb_flow_system *system, const int64_t *taken,
                                      int64_t *cycles, warpbound_error *error)
{
  int64_t *runs = wb_allocate(system->node_count, sizeof *runs);
  int64_t *leaves = wb_allocate(system->node_count, sizeof *leaves);
  warpbound_status status;
  if (runs == NULL || leaves == NULL)
    status = wb_out_of_memory(error);
  else
    status = check_conservation(system, taken, runs, leaves, error);
  if (status == WARPBOUND_OK)
    status = check_limits(system, taken, error);
  if (status == WARPBOUND_OK)
    status = check_connected(system, taken, runs, error);
  if (status == WARPBOUND_OK)
    status = add_cycles(system, runs, cycles, error);
  free(runs);
  free(leaves);
  return status;
}

/* By edge, the sum of price * factor over the limits; and *constants, that of the constants.
 */
static warpbound_status sum_prices(const struct wb_flow_system *system, const int64_t *price,
                                   int64_t *paid, int64_t *constants, warpbound_error *error)
{
  *constants = 0;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    if (price[l] < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "the price of limit %zu is negative", l);
    if (!add_product(constants, price[l], limit->constant))
      return too_large("the sum of prices", error);
    for (size_t t = 0; t < limit->term_count; t++) {
      const struct wb_flow_term *term = &system->terms[limit->first_term + t];
      if (!add_product(&paid[term->edge], price[l], term->factor))
        return too_large("the price of an edge", error);
    }
  }
  return WARPBOUND_OK;
}

static warpbound_status check_potentials(const struct wb_flow_system *system,
                                         const int64_t *potential, int64_t scale,
                                         const int64_t *paid, warpbound_error *error)
{
  for (size_t e = 0; e < system->edge_count; e++) {
    uint32_t to = system->to[e];
    int64_t least = potential[to];
    if (!add_product(&least, scale, system->cycles[to]) ||
        !wb_subtract_signed(least, paid[e], &least))
      return too_large("the gain of an edge", error);
    if (potential[system->from[e]] < least)
      return wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "edge %zu: the potential before it is %" PRId64 ", below %" PRId64, e,
                     potential[system->from[e]], least);
  }
  for (size_t v = 0; v < system->node_count; v++) {
    if (system->ends[v] && potential[v] < 0)
      return wb_fail(error, WARPBOUND_CHECK_FAILED, "node %zu may end at a potential below 0", v);
  }
  return WARPBOUND_OK;
}

warpbound_status wb_check_flow_no_execution(const struct wb_flow_system *system,
                                            const int64_t *price, const int64_t *potential,
                                            warpbound_error *error)
{
  int64_t *paid = wb_allocate(system->edge_count, sizeof *paid);
  if (paid == NULL)
    return wb_out_of_memory(error);
  int64_t sum;
  warpbound_status status = sum_prices(system, price, paid, &sum, error);
  if (status == WARPBOUND_OK)
    status = check_potentials(system, potential, 0, paid, error);
  if (status == WARPBOUND_OK) {
    if (!wb_add_signed(sum, potential[system->start], &sum))
      status = too_large("the sum of the constants", error);
    else if (sum >= 0)
      status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                       "the sum of the constants is %" PRId64 ", not below 0", sum);
  }
  free(paid);
  return status;
}

warpbound_status wb_check_flow_bound(const struct wb_flow_system *system, const int64_t *price,
                                     const int64_t *potential, int64_t scale, int64_t *bound,
                                     warpbound_error *error)
{
  if (scale < 1)
    return wb_fail(error, WARPBOUND_CHECK_FAILED, "the scale is %" PRId64 ", below 1", scale);
  int64_t *paid = wb_allocate(system->edge_count, sizeof *paid);
  if (paid == NULL)
    return wb_out_of_memory(error);
  int64_t sum;
  warpbound_status status = sum_prices(system, price, paid, &sum, error);
  if (status == WARPBOUND_OK)
    status = check_potentials(system, potential, scale, paid, error);
  if (status == WARPBOUND_OK) {
    if (!wb_add_signed(sum, potential[system->start], &sum) ||
        !add_product(&sum, scale, system->cycles[system->start]))
      status = too_large("the bound", error);
    else
      *bound = wb_divide_down(sum, scale);
  }
  free(paid);
  return status;
}
