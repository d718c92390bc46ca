#include "certificate/flow/paths_check.h"

#include "base/checked.h"
#include "certificate/flow/flow_check.h"

#include <inttypes.h>

#define UNSEEN WB_CHECK_PATH_UNSEEN

/* ---- phases ---- */

/* A search of the graph: lists of edges by the node that they leave (or enter), ended by UNSEEN,
 * and the queue of nodes. */
struct reach {
  /* By node: the first edge of its list. */
  uint32_t *first;
  /* By edge: the next of the list. */
  uint32_t *next;
  uint32_t *queue;
};

/* Lists the edges by one of their nodes. */
static void list_edges(const struct wb_flow_system *system, const uint32_t *node,
                       struct reach *reach)
{
  for (size_t v = 0; v < system->node_count; v++)
    reach->first[v] = UNSEEN;
  for (size_t e = 0; e < system->edge_count; e++) {
    reach->next[e] = reach->first[node[e]];
    reach->first[node[e]] = (uint32_t)e;
  }
}

static struct reach make_reach(struct wb_arena *arena, const struct wb_flow_system *system)
{
  return (struct reach){.first = wb_arena_array(arena, uint32_t, system->node_count),
                        .next = wb_arena_array(arena, uint32_t, system->edge_count),
                        .queue = wb_arena_array(arena, uint32_t, system->node_count)};
}

/* Whether all walks to a node, and from a start, pass equally many barriers. */
static bool nodes_agree(const struct wb_check_path_phases *phases)
{
  const struct wb_flow_system *system = phases->graph.system;
  bool agree = true;
  for (size_t e = 0; e < system->edge_count; e++) {
    const uint32_t from = system->from[e];
    agree &= phases->never[e] || phases->phase[from] == UNSEEN ||
             phases->phase[system->to[e]] == phases->phase[from] + phases->graph.barrier[from];
  }
  for (size_t s = 0; s < system->start_count; s++)
    agree &= system->starts[s].runs == 0 || phases->phase[system->starts[s].node] == 0;
  return agree;
}

warpbound_status wb_check_path_phases_make(struct wb_arena *arena,
                                           const struct wb_check_path_graph *graph,
                                           struct wb_check_path_phases *phases,
                                           warpbound_error *error)
{
  struct reach reach = make_reach(arena, graph->system);
  *phases = (struct wb_check_path_phases){
      .graph = *graph,
      .never = wb_arena_array(arena, bool, graph->system->edge_count),
      .phase = wb_arena_array(arena, uint32_t, graph->system->node_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  /* No path takes an edge of a limit of at most 0 that has no negative factor. */
  const struct wb_flow_system *system = phases->graph.system;
  for (size_t l = 0; l < system->limit_count; l++) {
    const struct wb_flow_limit *limit = &system->limits[l];
    const struct wb_flow_term *terms = system->terms + limit->first_term;
    bool forbids = limit->constant <= 0;
    for (size_t t = 0; t < limit->term_count; t++)
      forbids &= terms[t].factor >= 0;
    for (size_t t = 0; t < limit->term_count && forbids; t++)
      phases->never[terms[t].edge] |= terms[t].factor > 0;
  }
  /* Counts the barriers before each node, on some walk to it. */
  size_t tail = 0;
  list_edges(system, system->from, &reach);
  for (size_t v = 0; v < system->node_count; v++)
    phases->phase[v] = UNSEEN;
  for (size_t s = 0; s < system->start_count; s++) {
    if (system->starts[s].runs == 0 || phases->phase[system->starts[s].node] != UNSEEN)
      continue;
    phases->phase[system->starts[s].node] = 0;
    reach.queue[tail++] = system->starts[s].node;
  }
  for (size_t head = 0; head < tail; head++) {
    const uint32_t from = reach.queue[head];
    for (uint32_t e = reach.first[from]; e != UNSEEN; e = reach.next[e]) {
      const uint32_t to = system->to[e];
      if (phases->phase[to] != UNSEEN || phases->never[e])
        continue;
      phases->phase[to] = phases->phase[from] + phases->graph.barrier[from];
      reach.queue[tail++] = to;
    }
  }
  /* The count is that of all walks to a node, and of all to an end, or the most. */
  bool *ends = wb_arena_array(arena, bool, system->node_count + 1); /* by phase */
  if (ends == NULL)
    return wb_out_of_memory(error);
  uint32_t whole = UNSEEN;
  bool same = phases->graph.final != NULL && nodes_agree(phases);
  for (size_t v = 0; same && v < system->node_count; v++) {
    if (!phases->graph.final[v] || phases->phase[v] == UNSEEN)
      continue;
    const uint32_t passed = phases->phase[v] + phases->graph.barrier[v];
    same = whole == UNSEEN || whole == passed || graph->early_ends;
    whole = whole == UNSEEN || passed > whole ? passed : whole;
    ends[passed] = true;
  }
  phases->count = same && whole != UNSEEN ? whole + 1 : 0;
  for (uint32_t p = 0; p + 1 < phases->count; p++)
    phases->early_count += ends[p];
  return WARPBOUND_OK;
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
  /* By node: groups of lanes run there; of a walk at all that can be reached. */
  bool *group;
  /* By node: some barrier is there or can be reached. */
  bool *leads_on;
};

/* Marks the nodes from which some barrier can be reached, backwards from each of them. */
static void mark_leading(const struct wb_check_path_phases *phases, struct stretch *stretch)
{
  const struct wb_flow_system *system = phases->graph.system;
  size_t tail = 0;
  list_edges(system, system->to, &stretch->lists);
  for (uint32_t v = 0; v < system->node_count; v++) {
    stretch->leads_on[v] = phases->graph.barrier[v];
    if (stretch->leads_on[v])
      stretch->lists.queue[tail++] = v;
  }
  for (size_t head = 0; head < tail; head++) {
    for (uint32_t e = stretch->lists.first[stretch->lists.queue[head]]; e != UNSEEN;
         e = stretch->lists.next[e]) {
      if (phases->never[e] || stretch->leads_on[system->from[e]])
        continue;
      stretch->leads_on[system->from[e]] = true;
      stretch->lists.queue[tail++] = system->from[e];
    }
  }
  list_edges(system, system->from, &stretch->lists);
}

/* Follows the edges of a node; false where a node that leads to a barrier gets a second sum. */
static bool step(const struct wb_check_path_phases *phases, struct stretch *stretch, uint32_t node,
                 int64_t sum, size_t *tail)
{
  const struct wb_flow_system *system = phases->graph.system;
  for (uint32_t e = stretch->lists.first[node]; e != UNSEEN; e = stretch->lists.next[e]) {
    const uint32_t to = system->to[e];
    int64_t there;
    if (phases->never[e] || !stretch->leads_on[to])
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
static bool settled_from(const struct wb_check_path_phases *phases, struct stretch *stretch,
                         uint32_t node)
{
  size_t tail = 0;
  for (size_t v = 0; v < phases->graph.system->node_count; v++)
    stretch->seen[v] = false;
  bool settled = step(phases, stretch, node, 0, &tail);
  for (size_t head = 0; head < tail && settled; head++) {
    const uint32_t at = stretch->lists.queue[head];
    settled = phases->graph.barrier[at] || step(phases, stretch, at, stretch->sum[at], &tail);
  }
  return settled;
}

/* ---- composite paths of several groups of lanes ---- */

/* Checks that the limit is of edges of groups; unless it is kept anyway, of the warp as a whole. */
static warpbound_status check_groups(const struct wb_check_path_phases *phases, const bool *group,
                                     const bool *interleaved, bool kept_anyway, size_t limit,
                                     warpbound_error *error)
{
  const struct wb_flow_system *system = phases->graph.system;
  const struct wb_flow_limit *row = &system->limits[limit];
  bool kept = true;
  for (size_t t = 0; t < row->term_count; t++) {
    const uint32_t edge = system->terms[row->first_term + t].edge;
    const uint32_t from = system->from[edge];
    const uint32_t to = system->to[edge];
    kept &= group[from] && group[to];
    kept &= kept_anyway || interleaved == NULL || (!interleaved[from] && !interleaved[to]);
  }
  return kept ? WARPBOUND_OK
              : wb_fail(error, WARPBOUND_CHECK_FAILED,
                        "limit %zu has a price, but need not hold of several groups of lanes, "
                        "which several warps share between barriers",
                        limit);
}

warpbound_status wb_check_path_composites(struct wb_arena *arena,
                                          const struct wb_check_path_phases *phases,
                                          const struct wb_check_path_limits *limits,
                                          warpbound_error *error)
{
  const struct wb_flow_system *system = phases->graph.system;
  struct stretch stretch = {.lists = make_reach(arena, system),
                            .factor = wb_arena_array(arena, int64_t, system->edge_count),
                            .sum = wb_arena_array(arena, int64_t, system->node_count),
                            .seen = wb_arena_array(arena, bool, system->node_count),
                            .group = wb_arena_array(arena, bool, system->node_count),
                            .leads_on = wb_arena_array(arena, bool, system->node_count)};
  if (arena->failed)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  mark_leading(phases, &stretch);
  /* The nodes of groups; those of lanes are apart from them. */
  bool *group = stretch.group;
  size_t tail = 0;
  group[system->starts[0].node] = true;
  stretch.lists.queue[tail++] = system->starts[0].node;
  for (size_t head = 0; head < tail; head++) {
    for (uint32_t e = stretch.lists.first[stretch.lists.queue[head]]; e != UNSEEN;
         e = stretch.lists.next[e]) {
      if (group[system->to[e]])
        continue;
      group[system->to[e]] = true;
      stretch.lists.queue[tail++] = system->to[e];
    }
  }
  const bool walk = wb_flow_system_is_walk(system);
  for (size_t l = 0; l < system->limit_count && status == WARPBOUND_OK; l++) {
    /* Local limits hold of each stretch between barriers, and so of their sum where the constant is
     * 0; common ones have the same sum in the stretches of all warps. */
    const bool kept = (limits->local != NULL && limits->local[l] &&
                       phases->graph.system->limits[l].constant == 0) ||
                      (limits->common != NULL && limits->common[l]);
    if (limits->priced[l] && !walk)
      status = check_groups(phases, stretch.group, limits->interleaved, kept, l, error);
    if (limits->priced[l] && !kept && status == WARPBOUND_OK) {
      /* Checks that composite paths keep a limit, which has a price. */
      const struct wb_flow_limit *row = &system->limits[l];
      for (size_t e = 0; e < system->edge_count; e++)
        stretch.factor[e] = 0;
      for (size_t t = 0; t < row->term_count; t++)
        stretch.factor[system->terms[row->first_term + t].edge] =
            system->terms[row->first_term + t].factor;
      bool settled = settled_from(phases, &stretch, system->starts[0].node);
      for (uint32_t v = 0; v < system->node_count && settled; v++)
        settled = !phases->graph.barrier[v] || settled_from(phases, &stretch, v);
      status = settled
                   ? WARPBOUND_OK
                   : wb_fail(error, WARPBOUND_CHECK_FAILED,
                             "limit %zu has a price, but need not hold of paths that several warps "
                             "share between barriers",
                             l);
    }
  }
  return status;
}

/* The check of one claim. */
struct checker {
  struct wb_arena arena; /* owns the arrays */
  const struct wb_check_paths_claim *claim;
  struct wb_check_path_phases phases;
  bool *barrier; /* by node: it has one */
  /* By type: some node has such letters. */
  bool used[WB_UNIT_COUNT];
  /* By node: its part of the quantity of the maximum under way. */
  int64_t *cost;
  warpbound_status status; /* of the maxima: after the first failure the others are 0 */
  warpbound_error *error;
};

/* *sum += a * b. */
static bool add_product(uint64_t a, uint64_t b, uint64_t *sum)
{
  uint64_t product;
  return wb_multiply(a, b, &product) && wb_add(*sum, product, sum);
}

/* ---- the system ---- */

static warpbound_status check_form(struct checker *checker)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  const struct wb_flow_system *system = &checker->claim->system;
  if (machine->partitions < 1 || machine->blocks < 1 || machine->block_warps < 1 ||
      machine->issue_slots < 1)
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "an empty machine");
  warpbound_status status = wb_check_system_form(system, checker->error);
  if (status != WARPBOUND_OK)
    return status;
  for (size_t v = 0; v < system->node_count; v++) {
    if (checker->claim->letters[v][WB_UNIT_BARRIER] > 1)
      return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "node %zu has more than one barrier",
                     v);
    checker->barrier[v] = checker->claim->letters[v][WB_UNIT_BARRIER] > 0;
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

/* Checks that the proofs pay only for limits that paths which several warps share between barriers
 * keep. */
static warpbound_status check_composites(struct checker *checker)
{
  const struct wb_check_paths_claim *claim = checker->claim;
  bool *priced = wb_arena_array(&checker->arena, bool, claim->system.limit_count);
  if (priced == NULL)
    return wb_out_of_memory(checker->error);
  for (size_t m = 0; m < claim->maximum_count; m++) {
    for (size_t l = 0; l < claim->system.limit_count; l++)
      priced[l] = priced[l] || claim->maxima[m].price[l] != 0;
  }
  const struct wb_check_path_limits limits = {
      .local = claim->local, .common = claim->common, .priced = priced};
  return wb_check_path_composites(&checker->arena, &checker->phases, &limits, checker->error);
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

/* The name of a quantity, for messages. */
static const char *describe(enum wb_check_path_quantity quantity, enum wb_unit of)
{
  return quantity == WB_CHECK_PATH_TYPE ? wb_unit_name(of) : wb_check_path_quantity_name(quantity);
}

static void too_large(struct checker *checker)
{
  if (checker->status == WARPBOUND_OK)
    checker->status =
        wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
}

/* The maximum of one phase, by the claim's proof of it. */
static uint64_t maximum_of(struct checker *checker, enum wb_check_path_quantity quantity,
                           enum wb_unit of, uint32_t phase)
{
  struct wb_flow_system system = checker->claim->system;
  const struct wb_check_path_maximum *found = NULL;
  if (checker->status != WARPBOUND_OK)
    return 0;
  for (size_t m = 0; m < checker->claim->maximum_count && found == NULL; m++) {
    const struct wb_check_path_maximum *maximum = &checker->claim->maxima[m];
    if (maximum->quantity == quantity && maximum->phase == phase &&
        (quantity != WB_CHECK_PATH_TYPE || maximum->unit == of))
      found = maximum;
  }
  if (found == NULL) {
    checker->status =
        wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "there is no proof of the maximum of %s%s",
                describe(quantity, of), phase == WB_CHECK_ALL_PHASES ? "" : " of a phase");
    return 0;
  }
  for (size_t v = 0; v < system.node_count; v++) {
    uint64_t sum = 0;
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (!add_product(checker->claim->letters[v][u], letter_value(checker, quantity, of, u),
                       &sum) ||
          sum > INT64_MAX) {
        too_large(checker);
        return 0;
      }
    }
    checker->cost[v] =
        phase == WB_CHECK_ALL_PHASES || checker->phases.phase[v] == phase ? (int64_t)sum : 0;
  }
  system.cycles = checker->cost;
  warpbound_error cause;
  int64_t bound = 0;
  const warpbound_status status =
      wb_check_flow_bound(&system, found->price, found->potential, found->scale, &bound, &cause);
  if (status != WARPBOUND_OK)
    checker->status =
        wb_fail(checker->error, status, "maximum of %s: %s", describe(quantity, of), cause.message);
  return status == WARPBOUND_OK && bound > 0 ? (uint64_t)bound : 0;
}

/* The sum over the phases of the quantity's maxima over paths; without phases its maximum over
 * composite paths, and once more for a warp that ends before the first barrier, whose path is one
 * of a single phase. */
static uint64_t most(struct checker *checker, enum wb_check_path_quantity quantity, enum wb_unit of)
{
  uint64_t sum = 0;
  if (checker->phases.count == 0) {
    sum = maximum_of(checker, quantity, of, WB_CHECK_ALL_PHASES);
    if (checker->claim->early_ends && !wb_add(sum, sum, &sum))
      too_large(checker);
    return sum;
  }
  for (uint32_t phase = 0; phase < checker->phases.count; phase++) {
    if (!wb_add(sum, maximum_of(checker, quantity, of, phase), &sum))
      too_large(checker);
  }
  return sum;
}

/* ---- formulas ---- */

/* The warps whose letters can block another one anywhere, and those that can by shared units
 * alone. After a barrier the last warp to arrive may be one of another partition, so that other
 * blocks' warps then count in full. */
static uint64_t rivals(const struct checker *checker)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  if (checker->phases.count == 1)
    return partition_warps(checker) - 1;
  return wb_divide_up(machine->block_warps, machine->partitions) - 1 +
         (uint64_t)(machine->blocks - 1) * machine->block_warps;
}

static uint64_t strangers(const struct checker *checker)
{
  return all_warps(checker) - 1 - rivals(checker);
}

/* A floor for each type, in *cycles: only where no cap can bind. false: a number does not fit. */
static bool evaluate_types(struct checker *checker, uint64_t *cycles)
{
  const struct wb_check_path_machine *machine = &checker->claim->machine;
  bool fits = true;
  uint64_t sum = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    sum += checker->used[u] ? machine->capacity[u] : 0;
  if (machine->issue_slots < wb_minimum(sum, partition_warps(checker)))
    checker->status = wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                              "a floor for each type is no bound where issue slots can run out");
  *cycles = most(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT);
  for (unsigned u = 0; u < WB_UNIT_COUNT && fits; u++) {
    if (!checker->used[u] || !can_block(checker, u))
      continue;
    const uint64_t letters = most(checker, WB_CHECK_PATH_TYPE, (enum wb_unit)u);
    uint64_t blocked = 0;
    fits = add_product(letters, rivals(checker), &blocked) &&
           (!machine->shared[u] || add_product(letters, strangers(checker), &blocked)) &&
           wb_add(*cycles, blocked / machine->capacity[u], cycles);
  }
  return fits;
}

/* The claim's formula, in *cycles. false: a number does not fit. */
static bool evaluate(struct checker *checker, uint64_t *cycles)
{
  const struct wb_check_paths_claim *claim = checker->claim;
  const enum wb_check_paths_bound bound = claim->bound;
  if (bound == WB_CHECK_PATHS_TOTAL)
    return wb_multiply(
        maximum_of(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, WB_CHECK_ALL_PHASES),
        all_warps(checker), cycles);
  if (checker->phases.count == 0 && !wb_flow_system_is_walk(&claim->system))
    checker->status =
        wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                "several groups of a warp pass barriers in any order: only the sum of all "
                "letters is a bound then");
  else if (checker->phases.count == 0)
    checker->status = check_composites(checker);
  if (checker->status != WARPBOUND_OK)
    return true;
  if (bound == WB_CHECK_PATHS_TYPES)
    return evaluate_types(checker, cycles);
  bool shared = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT && strangers(checker) > 0; u++)
    shared |= checker->used[u] && claim->machine.shared[u];
  if (bound == WB_CHECK_PATHS_SERIAL) {
    const uint64_t letters = most(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT);
    const uint64_t others = shared ? most(checker, WB_CHECK_PATH_SHARED, WB_UNIT_COUNT) : 0;
    return add_product(letters, rivals(checker) + 1, cycles) &&
           add_product(others, strangers(checker), cycles);
  }
  if (claim->denominator < 1) {
    checker->status = wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "the denominator is 0");
    return true;
  }
  /* Joint: a warp's own letters, and what others block. Spare: the spare parts of its letters. */
  const bool joint = bound == WB_CHECK_PATHS_JOINT;
  const uint64_t own =
      most(checker, joint ? WB_CHECK_PATH_LETTERS : WB_CHECK_PATH_SPARE, WB_UNIT_COUNT);
  const uint64_t weights =
      joint && rivals(checker) == 0 ? 0 : most(checker, WB_CHECK_PATH_WEIGHTS, WB_UNIT_COUNT);
  const uint64_t outside = shared ? most(checker, WB_CHECK_PATH_OUTSIDE, WB_UNIT_COUNT) : 0;
  uint64_t parts = joint ? 0 : own;
  return add_product(weights, rivals(checker) + (joint ? 0 : 1), &parts) &&
         add_product(outside, strangers(checker), &parts) &&
         wb_add(joint ? own : 0, parts / claim->denominator, cycles);
}

warpbound_status wb_check_paths(const struct wb_check_paths_claim *claim,
                                struct wb_check_paths_verdict *verdict, warpbound_error *error)
{
  struct checker checker = {.claim = claim, .error = error};
  struct wb_check_paths_verdict found = {0};
  checker.barrier = wb_arena_array(&checker.arena, bool, claim->system.node_count);
  checker.cost = wb_arena_array(&checker.arena, int64_t, claim->system.node_count);
  warpbound_status status = checker.arena.failed ? wb_out_of_memory(error) : check_form(&checker);
  if (status == WARPBOUND_OK) {
    /* Finds the phases of a walk. Other executions have one phase where they have no barrier; else
     * their phases are not told apart: the count is 0. */
    const struct wb_flow_system *system = &checker.claim->system;
    const bool walk = wb_flow_system_is_walk(system);
    const struct wb_check_path_graph graph = {.system = system,
                                              .barrier = checker.barrier,
                                              .final = walk ? system->ends : NULL,
                                              .early_ends = claim->early_ends};
    status = wb_check_path_phases_make(&checker.arena, &graph, &checker.phases, checker.error);
    if (status == WARPBOUND_OK && !walk)
      checker.phases.count = checker.used[WB_UNIT_BARRIER] ? 0 : 1;
  }
  if (status == WARPBOUND_OK) {
    found.same_barriers = checker.phases.count == 0 && checker.used[WB_UNIT_BARRIER];
    if (!evaluate(&checker, &found.cycles))
      too_large(&checker);
    status = checker.status;
  }
  if (status == WARPBOUND_OK && found.cycles > claim->cycles)
    status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                     "%" PRIu64 " cycles are proven, %" PRIu64 " are claimed", found.cycles,
                     claim->cycles);
  if (status == WARPBOUND_OK)
    *verdict = found;
  wb_arena_free(&checker.arena);
  return status;
}

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
