#include "analysis/paths/makespan/path_bounds.h"

#include "base/checked.h"
#include "base/memory.h"
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

/* Weights are exact up to this denominator; beyond it they are rounded up to its multiples. */
#define MOST_PARTS (UINT64_C(1) << 20)

/* Quantities that a formula needs: four of them and a type each. */
#define MOST_NEEDS (WB_CHECK_PATH_QUANTITY_COUNT + WB_UNIT_COUNT)

/* A quantity that a formula needs, and the sum over the phases of the most that a path has. */
struct need {
  enum wb_check_path_quantity quantity;
  enum wb_unit unit;
  uint32_t first_phase, phases; /* that it is summed over */
  uint64_t most;
};

struct search {
  const struct wb_path_system *system;
  const struct wb_path_question *question;
  const struct wb_control *control;
  struct wb_path_maxima *maxima;
  uint64_t denominator;
  uint64_t all, of_partition; /* warps: of all blocks; of a partition that has the most */
  uint64_t inside;  /* warps that count in full against one: those of its partition. Where barriers
                       let the chain of waiting go from partition to partition, those of other blocks
                       too */
  uint64_t outside; /* the others: they count by shared units only, */
  bool competes;    /* and there are both */
  warpbound_error *error;
};

/* ---- the machine ---- */

warpbound_status wb_path_question_make(const struct wb_path_system *system,
                                       const struct wb_sm_configuration *sm, uint32_t warps,
                                       uint32_t blocks, struct wb_path_question *question,
                                       warpbound_error *error)
{
  struct wb_kernel_string string = {0}; /* one letter of each type */
  struct wb_problem problem = {0};
  warpbound_status status = WARPBOUND_OK;
  if (blocks < 1 || warps % blocks != 0)
    return wb_fail(error, WARPBOUND_USAGE,
                   "blocks: expected a number that divides the %u warps, found %u", warps, blocks);
  *question = (struct wb_path_question){
      .machine = {.partitions = sm->partitions, .blocks = blocks, .block_warps = warps / blocks}};
  for (unsigned u = 0; u < WB_UNIT_COUNT && status == WARPBOUND_OK; u++) {
    if (system->used[u])
      status = wb_kernel_string_append(&string, (enum wb_unit)u, 1, WB_STRING_LIMIT, error);
  }
  if (status == WARPBOUND_OK)
    status = wb_problem_normalise(&string, sm, warps, &problem, error);
  for (unsigned u = 0; u < WB_UNIT_COUNT && status == WARPBOUND_OK; u++) {
    question->times[u] = problem.string.count[u];
    question->machine.capacity[u] = problem.capacity[u];
    question->machine.shared[u] = problem.shared[u];
  }
  question->machine.issue_slots = problem.issue_slots;
  wb_problem_free(&problem);
  wb_kernel_string_free(&string);
  return status;
}

static struct search make_search(const struct wb_path_system *system,
                                 const struct wb_path_question *question,
                                 struct wb_path_maxima *maxima, warpbound_error *error)
{
  const struct wb_check_path_machine *machine = &question->machine;
  const uint64_t of_block = wb_divide_up(machine->block_warps, machine->partitions);
  const uint64_t others = machine->blocks - 1;
  const bool waits = system->phases > 1 || wb_path_system_is_composite(system);
  bool shared = false;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    shared |= system->used[u] && machine->shared[u];
  struct search search = {.system = system,
                          .question = question,
                          .maxima = maxima,
                          .all = (uint64_t)machine->blocks * machine->block_warps,
                          .of_partition = machine->blocks * of_block,
                          .error = error};
  search.inside = waits ? of_block - 1 + others * machine->block_warps : search.of_partition - 1;
  search.outside = search.all - 1 - search.inside;
  search.competes = shared && search.outside > 0;
  return search;
}

static uint64_t service(const struct wb_check_path_machine *machine, unsigned unit)
{
  return wb_minimum(machine->capacity[unit], machine->issue_slots);
}

/* Whether other warps can use up the service of a type, so that its letters block. */
static bool blocks(const struct search *search, unsigned unit)
{
  const struct wb_check_path_machine *machine = &search->question->machine;
  return search->system->used[unit] &&
         (service(machine, unit) <= search->of_partition - 1 ||
          (machine->shared[unit] && machine->capacity[unit] <= search->all - 1));
}

/* ---- quantities ---- */

static void include_factor(uint64_t factor, uint64_t *denominator)
{
  const uint64_t part = factor / wb_greatest_common_divisor(*denominator, factor);
  *denominator =
      *denominator > MOST_PARTS || part > MOST_PARTS ? MOST_PARTS + 1 : *denominator * part;
}

/* The weight of a letter that blocks another warp of its partition, in 1 / denominator: at most 1.
 */
static uint64_t weight_of(const struct search *search, unsigned unit)
{
  const struct wb_check_path_machine *machine = &search->question->machine;
  return blocks(search, unit) ? wb_divide_up(search->denominator, service(machine, unit)) : 0;
}

/* The value of one letter of a type in a quantity. */
static uint64_t value_of(const struct search *search, const struct need *need, unsigned unit)
{
  const struct wb_check_path_machine *machine = &search->question->machine;
  const bool shared = machine->shared[unit];
  switch (need->quantity) {
  case WB_CHECK_PATH_LETTERS:
    return 1;
  case WB_CHECK_PATH_WEIGHTS:
    return weight_of(search, unit);
  case WB_CHECK_PATH_OUTSIDE:
    return shared && blocks(search, unit)
               ? wb_divide_up(search->denominator, machine->capacity[unit])
               : 0;
  case WB_CHECK_PATH_SHARED:
    return shared;
  case WB_CHECK_PATH_SPARE:
    return search->denominator - weight_of(search, unit);
  default:
    return unit == need->unit;
  }
}

static bool factors_of(const struct search *search, const struct need *need,
                       uint64_t factor[WB_UNIT_COUNT])
{
  bool fits = true;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    factor[u] = 0;
    fits &= !search->system->used[u] ||
            wb_multiply(search->question->times[u], value_of(search, need, u), &factor[u]);
  }
  return fits;
}

/* Lists the quantities that a bound needs. */
static size_t list_needs(const struct search *search, enum wb_check_paths_bound bound,
                         struct need needs[MOST_NEEDS])
{
  size_t count = 0;
  needs[count++] = (struct need){.quantity = WB_CHECK_PATH_LETTERS};
  if (bound == WB_CHECK_PATHS_SPARE)
    needs[0].quantity = WB_CHECK_PATH_SPARE;
  if (bound == WB_CHECK_PATHS_SPARE || (bound == WB_CHECK_PATHS_JOINT && search->inside > 0))
    needs[count++] = (struct need){.quantity = WB_CHECK_PATH_WEIGHTS};
  if ((bound == WB_CHECK_PATHS_SPARE || bound == WB_CHECK_PATHS_JOINT) && search->competes)
    needs[count++] = (struct need){.quantity = WB_CHECK_PATH_OUTSIDE};
  if (bound == WB_CHECK_PATHS_SERIAL && search->competes)
    needs[count++] = (struct need){.quantity = WB_CHECK_PATH_SHARED};
  for (unsigned u = 0; u < WB_UNIT_COUNT && bound == WB_CHECK_PATHS_TYPES; u++) {
    if (blocks(search, u))
      needs[count++] = (struct need){.quantity = WB_CHECK_PATH_TYPE, .unit = (enum wb_unit)u};
  }
  for (size_t n = 0; n < count; n++) {
    needs[n].first_phase = wb_path_system_is_composite(search->system) ? WB_COMPOSITE_PATHS : 0;
    needs[n].phases = search->system->phases;
  }
  if (bound == WB_CHECK_PATHS_TOTAL) { /* over all phases at once */
    needs[0].first_phase = WB_CHECK_ALL_PHASES;
    needs[0].phases = 1;
  }
  return count;
}

static warpbound_status too_large(const struct search *search)
{
  return wb_fail(search->error, WARPBOUND_INVALID_INPUT, "the bound does not fit in 64 bits");
}

/* ---- formulas ---- */

static uint64_t most_of(const struct need *needs, size_t count,
                        enum wb_check_path_quantity quantity)
{
  for (size_t n = 0; n < count; n++) {
    if (needs[n].quantity == quantity)
      return needs[n].most;
  }
  return 0;
}

/* *sum = in * a + out * b. */
static bool weigh(uint64_t in, uint64_t a, uint64_t out, uint64_t b, uint64_t *sum)
{
  uint64_t first, second;
  return wb_multiply(in, a, &first) && wb_multiply(out, b, &second) && wb_add(first, second, sum);
}

static bool evaluate(const struct search *search, enum wb_check_paths_bound bound,
                     const struct need *needs, size_t count, uint64_t *cycles)
{
  const struct wb_check_path_machine *machine = &search->question->machine;
  const uint64_t in = search->inside;
  const uint64_t out = search->outside;
  const uint64_t letters = most_of(needs, count, WB_CHECK_PATH_LETTERS);
  const uint64_t weights = most_of(needs, count, WB_CHECK_PATH_WEIGHTS);
  const uint64_t of_others = most_of(needs, count, WB_CHECK_PATH_OUTSIDE);
  bool fits = true;
  uint64_t sum;
  switch (bound) {
  case WB_CHECK_PATHS_TOTAL:
    return wb_multiply(search->all, letters, cycles);
  case WB_CHECK_PATHS_SERIAL:
    return weigh(in + 1, letters, out, most_of(needs, count, WB_CHECK_PATH_SHARED), cycles);
  case WB_CHECK_PATHS_JOINT:
    return weigh(in, weights, out, of_others, &sum) &&
           wb_add(letters, sum / search->denominator, cycles);
  case WB_CHECK_PATHS_SPARE:
    fits = weigh(in + 1, weights, out, of_others, &sum) &&
           wb_add(sum, most_of(needs, count, WB_CHECK_PATH_SPARE), &sum);
    *cycles = fits ? sum / search->denominator : *cycles;
    return fits;
  default:
    *cycles = letters;
    for (size_t n = 0; n < count && fits; n++) {
      const enum wb_unit unit = needs[n].unit;
      if (needs[n].quantity == WB_CHECK_PATH_TYPE)
        fits = weigh(in, needs[n].most, machine->shared[unit] ? out : 0, needs[n].most, &sum) &&
               wb_add(*cycles, sum / machine->capacity[unit], cycles);
    }
    return fits;
  }
}

/* Whether the bound holds for such a system and machine. The checker takes phases of walks alone;
 * the bound by types needs issue slots that no partition's warps can use up. */
static bool applies(const struct search *search, enum wb_check_paths_bound bound)
{
  const struct wb_path_system *system = search->system;
  const struct wb_check_path_machine *machine = &search->question->machine;
  uint64_t capacity = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++)
    capacity += system->used[u] ? machine->capacity[u] : 0;
  const bool capped = machine->issue_slots < wb_minimum(capacity, search->of_partition);
  if (bound == WB_CHECK_PATHS_TOTAL)
    return true;
  if (system->used[WB_UNIT_BARRIER] && !wb_flow_system_is_walk(&system->flow))
    return false;
  return (system->phased || wb_path_system_is_composite(system)) &&
         (bound != WB_CHECK_PATHS_TYPES || !capped);
}

/* Solves the maxima that the bound needs and that are not known yet, and evaluates it. */
static warpbound_status find_bound(struct search *search, enum wb_check_paths_bound bound,
                                   uint64_t *cycles)
{
  struct need needs[MOST_NEEDS] = {0};
  const size_t count = list_needs(search, bound, needs);
  for (size_t n = 0; n < count; n++) {
    uint64_t factor[WB_UNIT_COUNT];
    if (!factors_of(search, &needs[n], factor))
      return too_large(search);
    for (uint32_t p = 0; p < needs[n].phases; p++) {
      const struct wb_path_maximum *maximum;
      const warpbound_status status =
          wb_path_maxima_solve(search->maxima, search->system, factor, needs[n].first_phase + p,
                               search->control, &maximum, search->error);
      if (status != WARPBOUND_OK)
        return status;
      const uint64_t most = maximum->ipet.proof.bound > 0 ? (uint64_t)maximum->ipet.proof.bound : 0;
      /* The path of a warp that ends before the first barrier is a composite path of one phase. */
      const bool twice = maximum->phase == WB_COMPOSITE_PATHS && search->system->early_ends > 0;
      if (!wb_add(needs[n].most, most, &needs[n].most) ||
          (twice && !wb_add(needs[n].most, most, &needs[n].most)))
        return too_large(search);
    }
  }
  return evaluate(search, bound, needs, count, cycles) ? WARPBOUND_OK : too_large(search);
}

warpbound_status wb_path_bounds_find(const struct wb_path_system *system,
                                     const struct wb_path_question *question,
                                     const struct wb_control *control,
                                     struct wb_path_maxima *maxima, struct wb_path_bounds *bounds,
                                     warpbound_error *error)
{
  struct search search = make_search(system, question, maxima, error);
  search.control = control;
  warpbound_status worst = WARPBOUND_OK;
  const struct wb_check_path_machine *machine = &search.question->machine;
  uint64_t denominator = 1;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (!blocks(&search, u))
      continue;
    include_factor(service(machine, u), &denominator);
    if (machine->shared[u])
      include_factor(machine->capacity[u], &denominator);
  }
  search.denominator = denominator <= MOST_PARTS ? denominator : MOST_PARTS;
  bounds->denominator = search.denominator;
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++) {
    bounds->cycles[b] = UINT64_MAX;
    if (!applies(&search, (enum wb_check_paths_bound)b))
      continue;
    uint64_t cycles = UINT64_MAX;
    warpbound_status status = find_bound(&search, (enum wb_check_paths_bound)b, &cycles);
    if (status == WARPBOUND_OK)
      bounds->cycles[b] = cycles;
    else if (status == WARPBOUND_LIMIT || status == WARPBOUND_INVALID_INPUT)
      worst = status;
    else
      return status;
  }
  bool found = false;
  for (int b = 0; b < WB_CHECK_PATHS_BOUND_COUNT; b++)
    found |= bounds->cycles[b] != UINT64_MAX;
  return found ? WARPBOUND_OK : worst;
}

/* ---- certificates ---- */

static warpbound_status fill_maxima(const struct search *search, enum wb_check_paths_bound bound,
                                    struct wb_path_certificate *certificate)
{
  struct need needs[MOST_NEEDS] = {0};
  const size_t count = list_needs(search, bound, needs);
  size_t filled = 0;
  struct wb_check_path_maximum *maxima = wb_arena_array(
      &certificate->arena, struct wb_check_path_maximum, count * search->system->phases);
  if (maxima == NULL)
    return wb_out_of_memory(search->error);
  for (size_t n = 0; n < count; n++) {
    uint64_t factor[WB_UNIT_COUNT];
    (void)factors_of(search, &needs[n], factor); /* fits: it was solved */
    for (uint32_t p = 0; p < needs[n].phases; p++) {
      const uint32_t phase = needs[n].first_phase + p;
      const struct wb_path_maximum *maximum =
          wb_path_maxima_find(search->maxima, search->system, factor, phase);
      if (maximum == NULL)
        return wb_fail(search->error, WARPBOUND_INTERNAL, "a maximum is lost (please report this)");
      maxima[filled++] = (struct wb_check_path_maximum){
          .quantity = needs[n].quantity,
          .unit = needs[n].unit,
          .phase = phase == WB_COMPOSITE_PATHS ? WB_CHECK_ALL_PHASES : phase,
          .scale = maximum->ipet.proof.scale,
          .price = maximum->ipet.proof.price,
          .potential = maximum->ipet.proof.potential};
    }
  }
  certificate->claim.maxima = maxima;
  certificate->claim.maximum_count = filled;
  return WARPBOUND_OK;
}

warpbound_status wb_path_certificate_make(const struct wb_path_system *system,
                                          const struct wb_path_question *question,
                                          const struct wb_path_maxima *maxima,
                                          const struct wb_path_bounds *bounds,
                                          enum wb_check_paths_bound bound,
                                          struct wb_path_certificate *certificate,
                                          warpbound_error *error)
{
  struct search search = make_search(system, question, (struct wb_path_maxima *)maxima, error);
  search.denominator = bounds->denominator;
  const size_t nodes = system->flow.node_count;
  *certificate = (struct wb_path_certificate){.claim = {.system = system->flow,
                                                        .local = system->local,
                                                        .common = system->common,
                                                        .early_ends = system->early_ends > 0,
                                                        .machine = question->machine,
                                                        .bound = bound,
                                                        .denominator = bounds->denominator,
                                                        .cycles = bounds->cycles[bound]}};
  uint64_t(*letters)[WB_UNIT_COUNT] =
      wb_arena_allocate(&certificate->arena, nodes, sizeof *letters);
  certificate->claim.letters = (const uint64_t(*)[WB_UNIT_COUNT])letters;
  warpbound_status status = letters != NULL ? WARPBOUND_OK : wb_out_of_memory(error);
  for (size_t v = 0; v < nodes && status == WARPBOUND_OK; v++) {
    for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
      if (!wb_multiply(system->count[v][u], question->times[u], &letters[v][u]))
        status = too_large(&search);
    }
  }
  if (status == WARPBOUND_OK)
    status = fill_maxima(&search, bound, certificate);
  if (status == WARPBOUND_OK) {
    struct wb_check_paths_verdict verdict;
    warpbound_error refusal;
    status = wb_check_paths(&certificate->claim, &verdict, &refusal);
    if (status == WARPBOUND_CHECK_FAILED)
      status = wb_fail(error, WARPBOUND_INTERNAL,
                       "the checker refuses a bound over all paths: %s (please report this)",
                       refusal.message);
    else if (status != WARPBOUND_OK)
      status = wb_fail_with(error, &refusal);
  }
  if (status != WARPBOUND_OK)
    wb_arena_free(&certificate->arena);
  return status;
}
