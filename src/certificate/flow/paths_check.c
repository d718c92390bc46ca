#include "certificate/flow/paths_check.h"

#include "base/arena.h"
#include "base/checked.h"
#include "certificate/flow/flow_check.h"
#include "certificate/flow/paths_phases.h"

#include <inttypes.h>

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
  warpbound_error *error;
};

static warpbound_status too_large(const struct checker *checker)
{
  return wb_fail(checker->error, WARPBOUND_CHECK_FAILED, "a number does not fit into 64 bits");
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
        phase == WB_CHECK_ALL_PHASES || checker->phases.phase[v] == phase ? (int64_t)sum : 0;
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
  if (checker->phases.count == 0)
    return add_maximum(checker, quantity, of, WB_CHECK_ALL_PHASES, sum);
  for (uint32_t phase = 0; phase < checker->phases.count && status == WARPBOUND_OK; phase++)
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
  if (checker->phases.count == 1)
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
  if (checker->claim->bound == WB_CHECK_PATHS_TOTAL) {
    uint64_t letters = 0;
    warpbound_status status =
        add_maximum(checker, WB_CHECK_PATH_LETTERS, WB_UNIT_COUNT, WB_CHECK_ALL_PHASES, &letters);
    if (status == WARPBOUND_OK && !wb_multiply(letters, all_warps(checker), cycles))
      status = too_large(checker);
    return status;
  }
  if (checker->phases.count == 0 && !wb_flow_system_is_walk(&checker->claim->system))
    return wb_fail(checker->error, WARPBOUND_CHECK_FAILED,
                   "several groups of a warp pass barriers in any order: only the sum of all "
                   "letters is a bound then");
  if (checker->phases.count == 0) {
    warpbound_status status = check_composites(checker);
    if (status != WARPBOUND_OK)
      return status;
  }
  if (checker->claim->bound == WB_CHECK_PATHS_SERIAL) {
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
  if (checker->claim->bound == WB_CHECK_PATHS_JOINT) {
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
  return checker->claim->bound == WB_CHECK_PATHS_SPARE ? evaluate_spare(checker, cycles)
                                                       : evaluate_types(checker, cycles);
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
    const struct wb_check_path_graph graph = {
        .system = system, .barrier = checker.barrier, .final = walk ? system->ends : NULL};
    status = wb_check_path_phases_make(&checker.arena, &graph, &checker.phases, checker.error);
    if (status == WARPBOUND_OK && !walk)
      checker.phases.count = checker.used[WB_UNIT_BARRIER] ? 0 : 1;
  }
  if (status == WARPBOUND_OK) {
    found.same_barriers = checker.phases.count == 0 && checker.used[WB_UNIT_BARRIER];
    status = evaluate(&checker, &found.cycles);
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
