#include "certificate/flow/paths_check.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"

#include <inttypes.h>
#include <stdlib.h>

#define UNSEEN UINT32_MAX

/* The check of one claim. */
struct checker {
  const struct wb_check_paths_claim *claim;
  /* By edge: a limit forbids it. */
  bool *never;
  /* By node: barriers before it; UNSEEN where no walk leads. */
  uint32_t *phase;
  /* Barriers of every walk, plus 1; 0: walks differ in their barriers. */
  uint32_t phases;
  /* By type: some node has such letters. */
  bool used[WB_UNIT_COUNT];
  /* By node: its part of the quantity of the maximum under way. */
  int64_t *cost;
  warpbound_error *error;
};

const char *wb_check_path_quantity_name(enum wb_check_path_quantity quantity)
{
  static const char *const names[] = {"letters", "weights", "outside", "shared", "spare", "type"};
  return names[quantity];
}

const char *wb_check_paths_bound_name(enum wb_check_paths_bound bound)
{
  static const char *const names[] = {"total", "serial", "joint", "spare", "types"};
  return names[bound];
}

static warpbound_status too_large(const struct checker *checker)
{
  return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
}

/* ---- the system ---- */

static warpbound_status check_form(struct checker *checker)
{
  const struct wb_flow_system *system = &checker->claim->system;
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  if (machine->partitions < 1 || machine->blocks < 1 || machine->block_warps < 1 ||
      machine->issue_slots < 1 || system->start >= system->node_count)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "an empty machine or system");
  for (size_t e = 0; e < system->edge_count; e++) {
    if (system->from[e] >= system->node_count || system->to[e] >= system->node_count)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "edge %zu: there is no such node", e);
  }
  for (size_t v = 0; v < system->node_count; v++) {
    if (checker->claim->letters[v][WB_UNIT_BARRIER] > 1)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "node %zu has more than one barrier",
                     v);
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
      checker->used[u] |= checker->claim->letters[v][u] > 0;
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (checker->used[u] && machine->capacity[u] < 1)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "there is no unit of type %c",
                     wb_unit_letter((enum wb_unit)u));
  }
  return WARPBOUND_OK;
}

/* Marks the edges of limits of at most 0 that have no negative factor: no path takes them. */
static void forbid_edges(struct checker *checker)
{
  const struct wb_flow_system *system = &checker->claim->system;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    const struct wb_flow_term *terms = system->terms + limit->first_term;
    bool forbids = limit->constant <= 0;
    for (size_t t = 0; t < limit->term_count; t++)
      forbids &= terms[t].factor >= 0;
    for (size_t t = 0; t < limit->term_count && forbids; t++)
      checker->never[terms[t].edge] |= terms[t].factor > 0;
  }
}

/* A search of the graph: lists of edges by the node that they leave (or enter), ended by UNSEEN,
 * and the queue of nodes. */
struct reach {
  /* By node: the first edge of its list. */
  uint32_t *first;
  /* By edge: the next of the list. */
  uint32_t *next;
  uint32_t *queue;
};

/* Counts the barriers before each node, on some walk to it. */
static void count_barriers(struct checker *checker, struct reach *reach)
{
  const struct wb_flow_system *system = &checker->claim->system;
  size_t tail = 0;
  for (size_t v = 0; v < system->node_count; v++)
    checker->phase[v] = reach->first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    reach->next[e] = reach->first[system->from[e]];
    reach->first[system->from[e]] = (uint32_t)e;
  }
  checker->phase[system->start] = 0;
  reach->queue[tail++] = system->start;
  for (size_t head = 0; head < tail; head++) {
    const uint32_t from = reach->queue[head];
    for (uint32_t e = reach->first[from]; e != UNSEEN; e = reach->next[e]) {
      const uint32_t to = system->to[e];
      if (checker->phase[to] != UNSEEN || checker->never[e])
        continue;
      checker->phase[to] =
          checker->phase[from] + (uint32_t)checker->claim->letters[from][WB_UNIT_BARRIER];
      reach->queue[tail++] = to;
    }
  }
}

static warpbound_status number_phases(struct checker *checker)
{
  const struct wb_flow_system *system = &checker->claim->system;
  struct reach reach = {.first = wb_allocate(system->node_count, sizeof *reach.first),
                        .next = wb_allocate(system->edge_count, sizeof *reach.next),
                        .queue = wb_allocate(system->node_count, sizeof *reach.queue)};
  warpbound_status status = WARPBOUND_OK;
  if (reach.first == NULL || reach.next == NULL || reach.queue == NULL)
    status = wb_out_of_memory(checker->error);
  else
    count_barriers(checker, &reach);
  free(reach.first);
  free(reach.next);
  free(reach.queue);
  return status;
}

/* Finds whether all walks to a node, and all walks to an end, pass equally many barriers; sets
 * phases. */
static void judge_phases(struct checker *checker)
{
  const struct wb_flow_system *system = &checker->claim->system;
  uint32_t whole = UNSEEN;
  bool same = true;
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t from = system->from[e];
    same &= checker->never[e] || checker->phase[from] == UNSEEN ||
            checker->phase[system->to[e]] ==
                checker->phase[from] + (uint32_t)checker->claim->letters[from][WB_UNIT_BARRIER];
  }
  for (size_t v = 0; v < system->node_count; v++) {
    if (!system->ends[v] || checker->phase[v] == UNSEEN)
      continue;
    const uint32_t passed =
        checker->phase[v] + (uint32_t)checker->claim->letters[v][WB_UNIT_BARRIER];
    same &= whole == UNSEEN || whole == passed;
    whole = passed;
  }
  checker->phases = same && whole != UNSEEN ? whole + 1 : 0;
}

/* ---- composite paths ---- */

/* The sums of a limit's factors from one barrier to the next. */
struct stretch {
  struct reach lists;
  /* By edge: its factor in the limit. */
  int64_t *factor;
  /* By node that was seen: the sum from the barrier to it. */
  int64_t *sum;
  bool *seen;
  /* By node: some barrier is there or can be reached. */
  bool *leads_on;
};

static bool has_barrier(const struct checker *checker, uint32_t node)
{
  return checker->claim->letters[node][WB_UNIT_BARRIER] > 0;
}

/* Marks the nodes from which some barrier can be reached, backwards from each of them. */
static void mark_leading(struct checker *checker, struct stretch *stretch)
{
  const struct wb_flow_system *system = &checker->claim->system;
  size_t tail = 0;
  for (size_t v = 0; v < system->node_count; v++)
    stretch->lists.first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    stretch->lists.next[e] = stretch->lists.first[system->to[e]];
    stretch->lists.first[system->to[e]] = (uint32_t)e;
  }
  for (uint32_t v = 0; v < system->node_count; v++) {
    stretch->leads_on[v] = has_barrier(checker, v);
    if (stretch->leads_on[v])
      stretch->lists.queue[tail++] = v;
  }
  for (size_t head = 0; head < tail; head++) {
    for (uint32_t e = stretch->lists.first[stretch->lists.queue[head]]; e != UNSEEN;
         e = stretch->lists.next[e]) {
      if (checker->never[e] || stretch->leads_on[system->from[e]])
        continue;
      stretch->leads_on[system->from[e]] = true;
      stretch->lists.queue[tail++] = system->from[e];
    }
  }
  for (size_t v = 0; v < system->node_count; v++)
    stretch->lists.first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    stretch->lists.next[e] = stretch->lists.first[system->from[e]];
    stretch->lists.first[system->from[e]] = (uint32_t)e;
  }
}

/* Follows the edges of a node; false where a node that leads to a barrier gets a second sum. */
static bool step(struct checker *checker, struct stretch *stretch, uint32_t node, int64_t sum,
                 size_t *tail)
{
  const struct wb_flow_system *system = &checker->claim->system;
  for (uint32_t e = stretch->lists.first[node]; e != UNSEEN; e = stretch->lists.next[e]) {
    const uint32_t to = system->to[e];
    int64_t there;
    if (checker->never[e] || !stretch->leads_on[to])
      continue;
    if (!wb_add_signed(sum, stretch->factor[e], &there) ||
        (stretch->seen[to] && stretch->sum[to] != there))
      return false;
    if (stretch->seen[to])
      continue;
    stretch->seen[to] = true;
    stretch->sum[to] = there;
    stretch->lists.queue[(*tail)++] = to;
  }
  return true;
}

/* Whether all walks from a node to each barrier that can come next have one sum. */
static bool settled_from(struct checker *checker, struct stretch *stretch, uint32_t node)
{
  size_t tail = 0;
  for (size_t v = 0; v < checker->claim->system.node_count; v++)
    stretch->seen[v] = false;
  bool settled = step(checker, stretch, node, 0, &tail);
  for (size_t head = 0; head < tail && settled; head++) {
    const uint32_t at = stretch->lists.queue[head];
    settled = has_barrier(checker, at) || step(checker, stretch, at, stretch->sum[at], &tail);
  }
  return settled;
}

/* Checks that a limit which composite paths may break has no price in any proof. Local limits hold
 * of each stretch between barriers, and so of their sum where the constant is 0. */
static warpbound_status check_prices(struct checker *checker, struct stretch *stretch, size_t limit)
{
  const struct wb_flow_system *system = &checker->claim->system;
  const struct wb_flow_limit *row = &system->limits[limit];
  bool priced = false;
  for (size_t m = 0; m < checker->claim->maximum_count; m++)
    priced |= checker->claim->maxima[m].price[limit] != 0;
  if (!priced ||
      (checker->claim->local != NULL && checker->claim->local[limit] && row->constant == 0))
    return WARPBOUND_OK;
  for (size_t e = 0; e < system->edge_count; e++)
    stretch->factor[e] = 0;
  for (size_t t = 0; t < row->term_count; t++)
    stretch->factor[system->terms[row->first_term + t].edge] =
        system->terms[row->first_term + t].factor;
  bool settled = settled_from(checker, stretch, system->start);
  for (uint32_t v = 0; v < system->node_count && settled; v++)
    settled = !has_barrier(checker, v) || settled_from(checker, stretch, v);
  return settled ? WARPBOUND_OK
                 : wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                           "limit %zu has a price, but need not hold of paths that several warps "
                           "share between barriers",
                           limit);
}

static warpbound_status check_composite(struct checker *checker)
{
  const struct wb_flow_system *system = &checker->claim->system;
  struct stretch stretch = {
      .lists = {.first = wb_allocate(system->node_count, sizeof *stretch.lists.first),
                .next = wb_allocate(system->edge_count, sizeof *stretch.lists.next),
                .queue = wb_allocate(system->node_count, sizeof *stretch.lists.queue)},
      .factor = wb_allocate(system->edge_count, sizeof *stretch.factor),
      .sum = wb_allocate(system->node_count, sizeof *stretch.sum),
      .seen = wb_allocate(system->node_count, sizeof *stretch.seen),
      .leads_on = wb_allocate(system->node_count, sizeof *stretch.leads_on)};
  warpbound_status status = WARPBOUND_OK;
  if (stretch.lists.first == NULL || stretch.lists.next == NULL || stretch.lists.queue == NULL ||
      stretch.factor == NULL || stretch.sum == NULL || stretch.seen == NULL ||
      stretch.leads_on == NULL)
    status = wb_out_of_memory(checker->error);
  if (status == WARPBOUND_OK)
    mark_leading(checker, &stretch);
  for (size_t l = 0; l < system->limit_count && status == WARPBOUND_OK; l++)
    status = check_prices(checker, &stretch, l);
  free(stretch.lists.first);
  free(stretch.lists.next);
  free(stretch.lists.queue);
  free(stretch.factor);
  free(stretch.sum);
  free(stretch.seen);
  free(stretch.leads_on);
  return status;
}

/* ---- maxima ---- */

static uint64_t service(const struct checker *checker, unsigned unit)
{
  return wb_minimum(checker->claim->machine.capacity[unit], checker->claim->machine.issue_slots);
}

/* Most warps that a partition has. */
static uint64_t partition_warps(const struct checker *checker)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  return machine->blocks * wb_divide_up(machine->block_warps, machine->partitions);
}

static uint64_t all_warps(const struct checker *checker)
{
  return (uint64_t)checker->claim->machine.blocks * checker->claim->machine.block_warps;
}

/* Whether the other warps can take all units of a type, or all issue slots, in a cycle. */
static bool can_block(const struct checker *checker, unsigned unit)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  return checker->used[unit] &&
         (service(checker, unit) < partition_warps(checker) ||
          (machine->shared[unit] && machine->capacity[unit] < all_warps(checker)));
}

/* The number that a letter of a type adds to a quantity, times the denominator where the quantity
 * is a weight. */
static uint64_t letter_value(const struct checker *checker, enum wb_check_path_quantity quantity,
                             enum wb_unit of, unsigned unit)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  switch (quantity) {
  case WB_CHECK_PATH_LETTERS:
    return 1;
  case WB_CHECK_PATH_WEIGHTS:
    return can_block(checker, unit)
               ? wb_divide_up(checker->claim->denominator, service(checker, unit))
               : 0;
  case WB_CHECK_PATH_OUTSIDE:
    return machine->shared[unit] && can_block(checker, unit)
               ? wb_divide_up(checker->claim->denominator, machine->capacity[unit])
               : 0;
  case WB_CHECK_PATH_SHARED:
    return machine->shared[unit];
  case WB_CHECK_PATH_SPARE:
    return checker->claim->denominator - letter_value(checker, WB_CHECK_PATH_WEIGHTS, of, unit);
  default:
    return unit == of;
  }
}

static warpbound_status value_nodes(struct checker *checker, enum wb_check_path_quantity quantity,
                                    enum wb_unit of, uint32_t phase)
{
  for (size_t v = 0; v < checker->claim->system.node_count; v++) {
    uint64_t sum = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      uint64_t value;
      if (!wb_multiply(checker->claim->letters[v][u], letter_value(checker, quantity, of, u),
                       &value) ||
          !wb_add(sum, value, &sum) || sum > INT64_MAX)
        return too_large(checker);
    }
    checker->cost[v] =
        phase == WB_CHECK_ALL_PHASES || checker->phase[v] == phase ? (int64_t)sum : 0;
  }
  return WARPBOUND_OK;
}

/* The name of a quantity, for messages. */
static const char *describe(enum wb_check_path_quantity quantity, enum wb_unit of)
{
  return quantity == WB_CHECK_PATH_TYPE ? wb_unit_name(of) : wb_check_path_quantity_name(quantity);
}

/* Adds to *sum the maximum of one phase, by the claim's proof of it. */
static warpbound_status add_maximum(struct checker *checker, enum wb_check_path_quantity quantity,
                                    enum wb_unit of, uint32_t phase, uint64_t *sum)
{
  const struct wb_check_path_maximum *found = NULL;
  for (size_t m = 0; m < checker->claim->maximum_count && found == NULL; m++) {
    const struct wb_check_path_maximum *maximum = &checker->claim->maxima[m];
    if (maximum->quantity == quantity && maximum->phase == phase &&
        (quantity != WB_CHECK_PATH_TYPE || maximum->unit == of))
      found = maximum;
  }
  if (found == NULL)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "there is no proof of the maximum of %s%s", describe(quantity, of),
                   phase == WB_CHECK_ALL_PHASES ? "" : " of a phase");
  warpbound_status status = value_nodes(checker, quantity, of, phase);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_flow_system system = checker->claim->system;
  system.cycles = checker->cost;
  warpbound_error cause;
  int64_t bound = 0;
  status =
      wb_check_flow_bound(&system, found->price, found->potential, found->scale, &bound, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail(checker->error, status, "maximum of %s: %s", describe(quantity, of),
                   cause.message);
  return bound < 0 || wb_add(*sum, (uint64_t)bound, sum) ? WARPBOUND_OK : too_large(checker);
}

/* The sum over the phases of the quantity's maxima over paths; without phases its maximum over
 * composite paths. */
static warpbound_status most(struct checker *checker, enum wb_check_path_quantity quantity,
                             enum wb_unit of, uint64_t *sum)
{
  warpbound_status status = WARPBOUND_OK;
  *sum = 0;
  if (checker->phases == 0)
    return add_maximum(checker, quantity, of, WB_CHECK_ALL_PHASES, sum);
  for (uint32_t phase = 0; phase < checker->phases && status == WARPBOUND_OK; phase++)
    status = add_maximum(checker, quantity, of, phase, sum);
  return status;
}

/* ---- formulas ---- */

/* The warps whose letters can block another one anywhere, and those that can by shared units
 * alone. After a barrier the last warp to arrive may be one of another partition, so that other
 * blocks' warps then count in full. */
static uint64_t rivals(const struct checker *checker)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  if (checker->phases == 1)
    return partition_warps(checker) - 1;
  return wb_divide_up(machine->block_warps, machine->partitions) - 1 +
         (uint64_t)(machine->blocks - 1) * machine->block_warps;
}

static uint64_t strangers(const struct checker *checker)
{
  return all_warps(checker) - 1 - rivals(checker);
}

static bool has_shared(const struct checker *checker)
{
  bool shared = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    shared |= checker->used[u] && checker->claim->machine.shared[u];
  return shared && strangers(checker) > 0;
}

/* *sum += a * b. */
static bool add_product(uint64_t a, uint64_t b, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(a, b, &product) && wb_add(*sum, product, sum);
}

static warpbound_status evaluate_total(struct checker *checker, uint64_t *cycles)
{
  uint64_t letters = 0;
  warpbound_status status =
      add_maximum(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, WB_CHECK_ALL_PHASES, &letters);
  if (status == WARPBOUND_OK && !wb_multiply(letters, all_warps(checker), cycles))
    status = too_large(checker);
  return status;
}

static warpbound_status evaluate_serial(struct checker *checker, uint64_t *cycles)
{
  uint64_t letters = 0;
  uint64_t shared = 0;
  warpbound_status status = most(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, &letters);
  if (status == WARPBOUND_OK && has_shared(checker))
    status = most(checker, WB_CHECK_PATH_SHARED, WB_UNIT_COUNT, &shared);
  *cycles = 0;
  if (status == WARPBOUND_OK && (!add_product(letters, rivals(checker) + 1, cycles) ||
                                 !add_product(shared, strangers(checker), cycles)))
    status = too_large(checker);
  return status;
}

static warpbound_status evaluate_joint(struct checker *checker, uint64_t *cycles)
{
  uint64_t letters = 0;
  uint64_t weights = 0;
  uint64_t outside = 0;
  uint64_t blocked = 0;
  if (checker->claim->denominator < 1)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "the denominator is 0");
  warpbound_status status = most(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, &letters);
  if (status == WARPBOUND_OK && rivals(checker) > 0)
    status = most(checker, WB_CHECK_PATH_WEIGHTS, WB_UNIT_COUNT, &weights);
  if (status == WARPBOUND_OK && has_shared(checker))
    status = most(checker, WB_CHECK_PATH_OUTSIDE, WB_UNIT_COUNT, &outside);
  if (status == WARPBOUND_OK && (!add_product(weights, rivals(checker), &blocked) ||
                                 !add_product(outside, strangers(checker), &blocked) ||
                                 !wb_add(letters, blocked / checker->claim->denominator, cycles)))
    status = too_large(checker);
  return status;
}

static warpbound_status evaluate_spare(struct checker *checker, uint64_t *cycles)
{
  uint64_t weights = 0;
  uint64_t outside = 0;
  uint64_t sum = 0;
  if (checker->claim->denominator < 1)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "the denominator is 0");
  warpbound_status status = most(checker, WB_CHECK_PATH_SPARE, WB_UNIT_COUNT, &sum);
  if (status == WARPBOUND_OK)
    status = most(checker, WB_CHECK_PATH_WEIGHTS, WB_UNIT_COUNT, &weights);
  if (status == WARPBOUND_OK && has_shared(checker))
    status = most(checker, WB_CHECK_PATH_OUTSIDE, WB_UNIT_COUNT, &outside);
  if (status == WARPBOUND_OK && (!add_product(weights, rivals(checker) + 1, &sum) ||
                                 !add_product(outside, strangers(checker), &sum)))
    status = too_large(checker);
  *cycles = status == WARPBOUND_OK ? sum / checker->claim->denominator : 0;
  return status;
}

/* A floor for each type: only where no cap can bind. */
static warpbound_status evaluate_types(struct checker *checker, uint64_t *cycles)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    sum += checker->used[u] ? machine->capacity[u] : 0;
  if (machine->issue_slots < wb_minimum(sum, partition_warps(checker)))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "a floor for each type is no bound where issue slots can run out");
  warpbound_status status = most(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, cycles);
  for (unsigned u = 0; u < WB_UNIT_COUNT && status == WARPBOUND_OK; u++) {
    uint64_t letters = 0;
    uint64_t blocked = 0;
    if (!checker->used[u] || !can_block(checker, u))
      continue;
    status = most(checker, WB_CHECK_PATH_TYPE, (enum wb_unit)u, &letters);
    if (status == WARPBOUND_OK &&
        (!add_product(letters, rivals(checker), &blocked) ||
         (machine->shared[u] && !add_product(letters, strangers(checker), &blocked)) ||
         !wb_add(*cycles, blocked / machine->capacity[u], cycles)))
      status = too_large(checker);
  }
  return status;
}

static warpbound_status evaluate(struct checker *checker, uint64_t *cycles)
{
  if (checker->claim->bound == WB_CHECK_PATHS_TOTAL)
    return evaluate_total(checker, cycles);
  if (checker->phases == 0) {
    warpbound_status status = check_composite(checker);
    if (status != WARPBOUND_OK)
      return status;
  }
  if (checker->claim->bound == WB_CHECK_PATHS_SERIAL)
    return evaluate_serial(checker, cycles);
  if (checker->claim->bound == WB_CHECK_PATHS_JOINT)
    return evaluate_joint(checker, cycles);
  return checker->claim->bound == WB_CHECK_PATHS_SPARE ? evaluate_spare(checker, cycles)
                                                       : evaluate_types(checker, cycles);
}

warpbound_status wb_check_paths(const struct wb_check_paths_claim *claim,
                                struct wb_check_paths_verdict *verdict, warpbound_error *error)
{
  struct checker checker = {.claim = claim,
                            .never = wb_allocate(claim->system.edge_count, sizeof *checker.never),
                            .phase = wb_allocate(claim->system.node_count, sizeof *checker.phase),
                            .cost = wb_allocate(claim->system.node_count, sizeof *checker.cost),
                            .error = error};
  warpbound_status status = WARPBOUND_OK;
  if (checker.never == NULL || checker.phase == NULL || checker.cost == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = check_form(&checker);
  if (status == WARPBOUND_OK) {
    forbid_edges(&checker);
    status = number_phases(&checker);
  }
  if (status == WARPBOUND_OK) {
    judge_phases(&checker);
    verdict->same_barriers = checker.phases == 0 && checker.used[WB_UNIT_BARRIER];
    status = evaluate(&checker, &verdict->cycles);
  }
  if (status == WARPBOUND_OK && verdict->cycles > claim->cycles)
    status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "%" PRIu64 " cycles are proven, %" PRIu64 " are claimed", verdict->cycles,
                     claim->cycles);
  free(checker.never);
  free(checker.phase);
  free(checker.cost);
  return status;
}
