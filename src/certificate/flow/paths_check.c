#include "certificate/flow/paths_check.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"

#include <inttypes.h>
#include <stdlib.h>

#define UNSEEN UINT32_MAX

struct checker {
  const struct wb_check_paths_claim *claim;
  bool *never;     /* by edge: a limit forbids it */
  uint32_t *phase; /* by node; UNSEEN where no walk leads */
  uint32_t phases; /* 0: walks differ in their barriers */
  bool used[WB_UNIT_COUNT];
  int64_t *cost; /* by node: of the maximum under way */
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

static warpbound_status too_large(const struct checker *c)
{
  return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
}

/* ---- the system ---- */

static warpbound_status check_form(struct checker *c)
{
  const struct wb_flow_system *system = &c->claim->system;
  const struct wb_check_path_machine *machine = &c->claim->machine;
  if (machine->partitions < 1 || machine->blocks < 1 || machine->block_warps < 1 ||
      machine->issue_slots < 1 || system->start >= system->node_count)
    return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "an empty machine or system");
  for (size_t e = 0; e < system->edge_count; e++) {
    if (system->from[e] >= system->node_count || system->to[e] >= system->node_count)
      return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "edge %zu: there is no such node", e);
  }
  for (size_t v = 0; v < system->node_count; v++) {
    if (c->claim->letters[v][WB_UNIT_BARRIER] > 1)
      return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "node %zu has more than one barrier", v);
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
      c->used[u] |= c->claim->letters[v][u] > 0;
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (c->used[u] && machine->capacity[u] < 1)
      return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "there is no unit of type %c",
                     wb_unit_letter((enum wb_unit)u));
  }
  return WARPBOUND_OK;
}

/* An edge that a limit counts, and nothing takes away from the count, although it may be 0 at most:
 * nobody takes it. */
static void forbid_edges(struct checker *c)
{
  const struct wb_flow_system *system = &c->claim->system;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    const struct wb_flow_term *terms = system->terms + limit->first_term;
    bool forbids = limit->constant <= 0;
    for (size_t t = 0; t < limit->term_count; t++)
      forbids &= terms[t].factor >= 0;
    for (size_t t = 0; t < limit->term_count && forbids; t++)
      c->never[terms[t].edge] |= terms[t].factor > 0;
  }
}

/* Edges by the node that they leave, as lists, and nodes to go on from. */
struct reach {
  uint32_t *first; /* by node */
  uint32_t *next;  /* by edge */
  uint32_t *queue;
};

/* The barriers before each node, on some walk to it. */
static void count_barriers(struct checker *c, struct reach *reach)
{
  const struct wb_flow_system *system = &c->claim->system;
  size_t tail = 0;
  for (size_t v = 0; v < system->node_count; v++)
    c->phase[v] = reach->first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    reach->next[e] = reach->first[system->from[e]];
    reach->first[system->from[e]] = (uint32_t)e;
  }
  c->phase[system->start] = 0;
  reach->queue[tail++] = system->start;
  for (size_t head = 0; head < tail; head++) {
    const uint32_t from = reach->queue[head];
    for (uint32_t e = reach->first[from]; e != UNSEEN; e = reach->next[e]) {
      const uint32_t to = system->to[e];
      if (c->phase[to] != UNSEEN || c->never[e])
        continue;
      c->phase[to] = c->phase[from] + (uint32_t)c->claim->letters[from][WB_UNIT_BARRIER];
      reach->queue[tail++] = to;
    }
  }
}

static warpbound_status number_phases(struct checker *c)
{
  const struct wb_flow_system *system = &c->claim->system;
  struct reach reach = {.first = wb_allocate(system->node_count, sizeof *reach.first),
                        .next = wb_allocate(system->edge_count, sizeof *reach.next),
                        .queue = wb_allocate(system->node_count, sizeof *reach.queue)};
  warpbound_status status = WARPBOUND_OK;
  if (reach.first == NULL || reach.next == NULL || reach.queue == NULL)
    status = wb_out_of_memory(c->error);
  else
    count_barriers(c, &reach);
  free(reach.first);
  free(reach.next);
  free(reach.queue);
  return status;
}

/* Whether every walk to a node, and every walk to an end, passes as many barriers; sets phases. */
static void judge_phases(struct checker *c)
{
  const struct wb_flow_system *system = &c->claim->system;
  uint32_t whole = UNSEEN;
  bool same = true;
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t from = system->from[e];
    same &= c->never[e] || c->phase[from] == UNSEEN ||
            c->phase[system->to[e]] ==
                c->phase[from] + (uint32_t)c->claim->letters[from][WB_UNIT_BARRIER];
  }
  for (size_t v = 0; v < system->node_count; v++) {
    if (!system->ends[v] || c->phase[v] == UNSEEN)
      continue;
    const uint32_t passed = c->phase[v] + (uint32_t)c->claim->letters[v][WB_UNIT_BARRIER];
    same &= whole == UNSEEN || whole == passed;
    whole = passed;
  }
  c->phases = same && whole != UNSEEN ? whole + 1 : 0;
}

/* ---- composite paths ---- */

/* What a limit sums up between two barriers, by node from one of them on. */
struct stretch {
  struct reach lists;
  int64_t *factor; /* by edge */
  int64_t *sum;    /* by node */
  bool *seen;      /* by node */
  bool *leads_on;  /* by node: to a barrier */
};

static bool has_barrier(const struct checker *c, uint32_t node)
{
  return c->claim->letters[node][WB_UNIT_BARRIER] > 0;
}

/* Marks the nodes from which some barrier can be reached, backwards from each of them. */
static void mark_leading(struct checker *c, struct stretch *s)
{
  const struct wb_flow_system *system = &c->claim->system;
  size_t tail = 0;
  for (size_t v = 0; v < system->node_count; v++)
    s->lists.first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    s->lists.next[e] = s->lists.first[system->to[e]];
    s->lists.first[system->to[e]] = (uint32_t)e;
  }
  for (uint32_t v = 0; v < system->node_count; v++) {
    s->leads_on[v] = has_barrier(c, v);
    if (s->leads_on[v])
      s->lists.queue[tail++] = v;
  }
  for (size_t head = 0; head < tail; head++) {
    for (uint32_t e = s->lists.first[s->lists.queue[head]]; e != UNSEEN; e = s->lists.next[e]) {
      if (c->never[e] || s->leads_on[system->from[e]])
        continue;
      s->leads_on[system->from[e]] = true;
      s->lists.queue[tail++] = system->from[e];
    }
  }
  for (size_t v = 0; v < system->node_count; v++)
    s->lists.first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    s->lists.next[e] = s->lists.first[system->from[e]];
    s->lists.first[system->from[e]] = (uint32_t)e;
  }
}

/* Goes over the edges of a node; false where a node that leads to a barrier gets a second sum. */
static bool step(struct checker *c, struct stretch *s, uint32_t node, int64_t sum, size_t *tail)
{
  const struct wb_flow_system *system = &c->claim->system;
  for (uint32_t e = s->lists.first[node]; e != UNSEEN; e = s->lists.next[e]) {
    const uint32_t to = system->to[e];
    int64_t there;
    if (c->never[e] || !s->leads_on[to])
      continue;
    if (!wb_add_signed(sum, s->factor[e], &there) || (s->seen[to] && s->sum[to] != there))
      return false;
    if (s->seen[to])
      continue;
    s->seen[to] = true;
    s->sum[to] = there;
    s->lists.queue[(*tail)++] = to;
  }
  return true;
}

/* Whether all ways from a node on to each barrier that can come next have one sum. */
static bool settled_from(struct checker *c, struct stretch *s, uint32_t node)
{
  size_t tail = 0;
  for (size_t v = 0; v < c->claim->system.node_count; v++)
    s->seen[v] = false;
  bool settled = step(c, s, node, 0, &tail);
  for (size_t head = 0; head < tail && settled; head++) {
    const uint32_t at = s->lists.queue[head];
    settled = has_barrier(c, at) || step(c, s, at, s->sum[at], &tail);
  }
  return settled;
}

/* A limit that composite paths may break must have no price in any proof. Local ones hold of each
 * stretch between barriers, and so of their sum where the constant is 0. */
static warpbound_status check_prices(struct checker *c, struct stretch *s, size_t limit)
{
  const struct wb_flow_system *system = &c->claim->system;
  const struct wb_flow_limit *row = &system->limits[limit];
  bool priced = false;
  for (size_t m = 0; m < c->claim->maximum_count; m++)
    priced |= c->claim->maxima[m].price[limit] != 0;
  if (!priced || (c->claim->local != NULL && c->claim->local[limit] && row->constant == 0))
    return WARPBOUND_OK;
  for (size_t e = 0; e < system->edge_count; e++)
    s->factor[e] = 0;
  for (size_t t = 0; t < row->term_count; t++)
    s->factor[system->terms[row->first_term + t].edge] = system->terms[row->first_term + t].factor;
  bool settled = settled_from(c, s, system->start);
  for (uint32_t v = 0; v < system->node_count && settled; v++)
    settled = !has_barrier(c, v) || settled_from(c, s, v);
  return settled ? WARPBOUND_OK
                 : wb_fail(c->error, WARPBOUND_CHECK_FAILED,
                           "limit %zu has a price, but need not hold of paths that several warps "
                           "share between barriers",
                           limit);
}

static warpbound_status check_composite(struct checker *c)
{
  const struct wb_flow_system *system = &c->claim->system;
  struct stretch s = {.lists = {.first = wb_allocate(system->node_count, sizeof *s.lists.first),
                                .next = wb_allocate(system->edge_count, sizeof *s.lists.next),
                                .queue = wb_allocate(system->node_count, sizeof *s.lists.queue)},
                      .factor = wb_allocate(system->edge_count, sizeof *s.factor),
                      .sum = wb_allocate(system->node_count, sizeof *s.sum),
                      .seen = wb_allocate(system->node_count, sizeof *s.seen),
                      .leads_on = wb_allocate(system->node_count, sizeof *s.leads_on)};
  warpbound_status status = WARPBOUND_OK;
  if (s.lists.first == NULL || s.lists.next == NULL || s.lists.queue == NULL || s.factor == NULL ||
      s.sum == NULL || s.seen == NULL || s.leads_on == NULL)
    status = wb_out_of_memory(c->error);
  if (status == WARPBOUND_OK)
    mark_leading(c, &s);
  for (size_t l = 0; l < system->limit_count && status == WARPBOUND_OK; l++)
    status = check_prices(c, &s, l);
  free(s.lists.first);
  free(s.lists.next);
  free(s.lists.queue);
  free(s.factor);
  free(s.sum);
  free(s.seen);
  free(s.leads_on);
  return status;
}

/* ---- maxima ---- */

static uint64_t service(const struct checker *c, unsigned unit)
{
  return wb_minimum(c->claim->machine.capacity[unit], c->claim->machine.issue_slots);
}

/* Most warps that a partition has. */
static uint64_t partition_warps(const struct checker *c)
{
  const struct wb_check_path_machine *machine = &c->claim->machine;
  return machine->blocks * wb_divide_up(machine->block_warps, machine->partitions);
}

static uint64_t all_warps(const struct checker *c)
{
  return (uint64_t)c->claim->machine.blocks * c->claim->machine.block_warps;
}

/* Whether warps other than one can fill what serves a type. */
static bool can_block(const struct checker *c, unsigned unit)
{
  const struct wb_check_path_machine *machine = &c->claim->machine;
  return c->used[unit] && (service(c, unit) < partition_warps(c) ||
                           (machine->shared[unit] && machine->capacity[unit] < all_warps(c)));
}

/* What a letter of a type counts in a quantity. */
static uint64_t letter_value(const struct checker *c, enum wb_check_path_quantity quantity,
                             enum wb_unit of, unsigned unit)
{
  const struct wb_check_path_machine *machine = &c->claim->machine;
  switch (quantity) {
  case WB_CHECK_PATH_LETTERS:
    return 1;
  case WB_CHECK_PATH_WEIGHTS:
    return can_block(c, unit) ? wb_divide_up(c->claim->denominator, service(c, unit)) : 0;
  case WB_CHECK_PATH_OUTSIDE:
    return machine->shared[unit] && can_block(c, unit)
               ? wb_divide_up(c->claim->denominator, machine->capacity[unit])
               : 0;
  case WB_CHECK_PATH_SHARED:
    return machine->shared[unit];
  case WB_CHECK_PATH_SPARE:
    return c->claim->denominator - letter_value(c, WB_CHECK_PATH_WEIGHTS, of, unit);
  default:
    return unit == of;
  }
}

static warpbound_status value_nodes(struct checker *c, enum wb_check_path_quantity quantity,
                                    enum wb_unit of, uint32_t phase)
{
  for (size_t v = 0; v < c->claim->system.node_count; v++) {
    uint64_t sum = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      uint64_t value;
      if (!wb_multiply(c->claim->letters[v][u], letter_value(c, quantity, of, u), &value) ||
          !wb_add(sum, value, &sum) || sum > INT64_MAX)
        return too_large(c);
    }
    c->cost[v] = phase == WB_CHECK_ALL_PHASES || c->phase[v] == phase ? (int64_t)sum : 0;
  }
  return WARPBOUND_OK;
}

/* The name of a quantity, for messages. */
static const char *describe(enum wb_check_path_quantity quantity, enum wb_unit of)
{
  return quantity == WB_CHECK_PATH_TYPE ? wb_unit_name(of) : wb_check_path_quantity_name(quantity);
}

/* Adds to *sum what the claim's proof for one phase proves. */
static warpbound_status add_maximum(struct checker *c, enum wb_check_path_quantity quantity,
                                    enum wb_unit of, uint32_t phase, uint64_t *sum)
{
  const struct wb_check_path_maximum *found = NULL;
  for (size_t m = 0; m < c->claim->maximum_count && found == NULL; m++) {
    const struct wb_check_path_maximum *maximum = &c->claim->maxima[m];
    if (maximum->quantity == quantity && maximum->phase == phase &&
        (quantity != WB_CHECK_PATH_TYPE || maximum->unit == of))
      found = maximum;
  }
  if (found == NULL)
    return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "there is no proof of the maximum of %s%s",
                   describe(quantity, of), phase == WB_CHECK_ALL_PHASES ? "" : " of a phase");
  warpbound_status status = value_nodes(c, quantity, of, phase);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_flow_system system = c->claim->system;
  system.cycles = c->cost;
  warpbound_error cause;
  int64_t bound = 0;
  status =
      wb_check_flow_bound(&system, found->price, found->potential, found->scale, &bound, &cause);
  if (status != WARPBOUND_OK)
    return wb_fail(c->error, status, "maximum of %s: %s", describe(quantity, of), cause.message);
  return bound < 0 || wb_add(*sum, (uint64_t)bound, sum) ? WARPBOUND_OK : too_large(c);
}

/* The sum over the phases of the most that a path has in each; without phases, the most that a
 * composite path has in all. */
static warpbound_status most(struct checker *c, enum wb_check_path_quantity quantity,
                             enum wb_unit of, uint64_t *sum)
{
  warpbound_status status = WARPBOUND_OK;
  *sum = 0;
  if (c->phases == 0)
    return add_maximum(c, quantity, of, WB_CHECK_ALL_PHASES, sum);
  for (uint32_t phase = 0; phase < c->phases && status == WARPBOUND_OK; phase++)
    status = add_maximum(c, quantity, of, phase, sum);
  return status;
}

/* ---- formulas ---- */

/* The warps whose letters can block another one anywhere, and those that can by shared units
 * alone. Behind a barrier the last warp to arrive may be one of another partition, so that other
 * blocks' warps then count in full. */
static uint64_t rivals(const struct checker *c)
{
  const struct wb_check_path_machine *machine = &c->claim->machine;
  if (c->phases == 1)
    return partition_warps(c) - 1;
  return wb_divide_up(machine->block_warps, machine->partitions) - 1 +
         (uint64_t)(machine->blocks - 1) * machine->block_warps;
}

static uint64_t strangers(const struct checker *c)
{
  return all_warps(c) - 1 - rivals(c);
}

static bool has_shared(const struct checker *c)
{
  bool shared = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    shared |= c->used[u] && c->claim->machine.shared[u];
  return shared && strangers(c) > 0;
}

/* *sum += a * b. */
static bool add_product(uint64_t a, uint64_t b, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(a, b, &product) && wb_add(*sum, product, sum);
}

static warpbound_status evaluate_total(struct checker *c, uint64_t *cycles)
{
  uint64_t letters = 0;
  warpbound_status status =
      add_maximum(c, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, WB_CHECK_ALL_PHASES, &letters);
  if (status == WARPBOUND_OK && !wb_multiply(letters, all_warps(c), cycles))
    status = too_large(c);
  return status;
}

static warpbound_status evaluate_serial(struct checker *c, uint64_t *cycles)
{
  uint64_t letters = 0;
  uint64_t shared = 0;
  warpbound_status status = most(c, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, &letters);
  if (status == WARPBOUND_OK && has_shared(c))
    status = most(c, WB_CHECK_PATH_SHARED, WB_UNIT_COUNT, &shared);
  *cycles = 0;
  if (status == WARPBOUND_OK &&
      (!add_product(letters, rivals(c) + 1, cycles) || !add_product(shared, strangers(c), cycles)))
    status = too_large(c);
  return status;
}

static warpbound_status evaluate_joint(struct checker *c, uint64_t *cycles)
{
  uint64_t letters = 0;
  uint64_t weights = 0;
  uint64_t outside = 0;
  uint64_t blocked = 0;
  if (c->claim->denominator < 1)
    return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "the denominator is 0");
  warpbound_status status = most(c, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, &letters);
  if (status == WARPBOUND_OK && rivals(c) > 0)
    status = most(c, WB_CHECK_PATH_WEIGHTS, WB_UNIT_COUNT, &weights);
  if (status == WARPBOUND_OK && has_shared(c))
    status = most(c, WB_CHECK_PATH_OUTSIDE, WB_UNIT_COUNT, &outside);
  if (status == WARPBOUND_OK && (!add_product(weights, rivals(c), &blocked) ||
                                 !add_product(outside, strangers(c), &blocked) ||
                                 !wb_add(letters, blocked / c->claim->denominator, cycles)))
    status = too_large(c);
  return status;
}

static warpbound_status evaluate_spare(struct checker *c, uint64_t *cycles)
{
  uint64_t weights = 0;
  uint64_t outside = 0;
  uint64_t sum = 0;
  if (c->claim->denominator < 1)
    return wb_fail(c->error, WARPBOUND_CHECK_FAILED, "the denominator is 0");
  warpbound_status status = most(c, WB_CHECK_PATH_SPARE, WB_UNIT_COUNT, &sum);
  if (status == WARPBOUND_OK)
    status = most(c, WB_CHECK_PATH_WEIGHTS, WB_UNIT_COUNT, &weights);
  if (status == WARPBOUND_OK && has_shared(c))
    status = most(c, WB_CHECK_PATH_OUTSIDE, WB_UNIT_COUNT, &outside);
  if (status == WARPBOUND_OK &&
      (!add_product(weights, rivals(c) + 1, &sum) || !add_product(outside, strangers(c), &sum)))
    status = too_large(c);
  *cycles = status == WARPBOUND_OK ? sum / c->claim->denominator : 0;
  return status;
}

/* A floor for each type: only where no cap can bind. */
static warpbound_status evaluate_types(struct checker *c, uint64_t *cycles)
{
  const struct wb_check_path_machine *machine = &c->claim->machine;
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    sum += c->used[u] ? machine->capacity[u] : 0;
  if (machine->issue_slots < wb_minimum(sum, partition_warps(c)))
    return wb_fail(c->error, WARPBOUND_CHECK_FAILED,
                   "a floor for each type is no bound where issue slots can run out");
  warpbound_status status = most(c, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, cycles);
  for (unsigned u = 0; u < WB_UNIT_COUNT && status == WARPBOUND_OK; u++) {
    uint64_t letters = 0;
    uint64_t blocked = 0;
    if (!c->used[u] || !can_block(c, u))
      continue;
    status = most(c, WB_CHECK_PATH_TYPE, (enum wb_unit)u, &letters);
    if (status == WARPBOUND_OK &&
        (!add_product(letters, rivals(c), &blocked) ||
         (machine->shared[u] && !add_product(letters, strangers(c), &blocked)) ||
         !wb_add(*cycles, blocked / machine->capacity[u], cycles)))
      status = too_large(c);
  }
  return status;
}

static warpbound_status evaluate(struct checker *c, uint64_t *cycles)
{
  if (c->claim->bound == WB_CHECK_PATHS_TOTAL)
    return evaluate_total(c, cycles);
  if (c->phases == 0) {
    warpbound_status status = check_composite(c);
    if (status != WARPBOUND_OK)
      return status;
  }
  if (c->claim->bound == WB_CHECK_PATHS_SERIAL)
    return evaluate_serial(c, cycles);
  if (c->claim->bound == WB_CHECK_PATHS_JOINT)
    return evaluate_joint(c, cycles);
  return c->claim->bound == WB_CHECK_PATHS_SPARE ? evaluate_spare(c, cycles)
                                                 : evaluate_types(c, cycles);
}

warpbound_status wb_check_paths(const struct wb_check_paths_claim *claim,
                                struct wb_check_paths_verdict *verdict, warpbound_error *error)
{
  struct checker c = {.claim = claim,
                      .never = wb_allocate(claim->system.edge_count, sizeof *c.never),
                      .phase = wb_allocate(claim->system.node_count, sizeof *c.phase),
                      .cost = wb_allocate(claim->system.node_count, sizeof *c.cost),
                      .error = error};
  warpbound_status status = WARPBOUND_OK;
  if (c.never == NULL || c.phase == NULL || c.cost == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = check_form(&c);
  if (status == WARPBOUND_OK) {
    forbid_edges(&c);
    status = number_phases(&c);
  }
  if (status == WARPBOUND_OK) {
    judge_phases(&c);
    verdict->same_barriers = c.phases == 0 && c.used[WB_UNIT_BARRIER];
    status = evaluate(&c, &verdict->cycles);
  }
  if (status == WARPBOUND_OK && verdict->cycles > claim->cycles)
    status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "%" PRIu64 " cycles are proven, %" PRIu64 " are claimed", verdict->cycles,
                     claim->cycles);
  free(c.never);
  free(c.phase);
  free(c.cost);
  return status;
}
