#include "analysis/launch/launch_maxima.h"

#include "analysis/paths/path_solver.h"
#include "analysis/paths/path_stretches.h"
#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/paths_claim.h"

#include <stdlib.h>
#include <string.h>

struct search {
  const struct wb_path_system *system;
  const struct wb_control *control;
  struct wb_launch_maxima *maxima;
  warpbound_error *error;
};

/* ---- one maximum ---- */

static bool counts(const struct wb_path_system *system, size_t node, uint32_t phase)
{
  return phase >= WB_STRETCHES || system->phase[node] == phase;
}

static bool is_zero(const struct search *search, enum wb_launch_sum sum, uint32_t phase)
{
  const int64_t *cost = search->maxima->costs.of[sum];
  for (size_t v = 0; v < search->system->flow.node_count; v++) {
    if (cost[v] != 0 && counts(search->system, v, phase))
      return false;
  }
  return true;
}

static bool are_equal(const struct search *search, enum wb_launch_sum a, enum wb_launch_sum b,
                      uint32_t phase)
{
  const struct wb_launch_costs *costs = &search->maxima->costs;
  for (size_t v = 0; v < search->system->flow.node_count; v++) {
    if (costs->of[a][v] != costs->of[b][v] && counts(search->system, v, phase))
      return false;
  }
  return true;
}

/* A maximum of the same costs that is there already, or NULL. */
static const struct wb_launch_maximum *find_equal(const struct search *search,
                                                  enum wb_launch_sum sum, uint32_t phase)
{
  const struct wb_launch_maxima *maxima = search->maxima;
  for (size_t m = 0; m < maxima->count; m++) {
    if (maxima->items[m].phase == phase && are_equal(search, sum, maxima->items[m].sum, phase))
      return &maxima->items[m];
  }
  return NULL;
}

static int64_t *copy_numbers(const int64_t *numbers, size_t count)
{
  int64_t *copy = wb_allocate(count, sizeof *copy);
  if (copy != NULL && count > 0)
    memcpy(copy, numbers, count * sizeof *copy);
  return copy;
}

/* Where nothing costs anything no limit has a price, and no port, and no node where stretches
 * start, a potential. */
static bool make_zero(const struct wb_flow_system *flow, struct wb_ipet_result *result)
{
  *result = (struct wb_ipet_result){.status = WB_IPET_SOLVED, .proof = {.scale = 1}};
  result->proof.price = wb_allocate(flow->limit_count, sizeof *result->proof.price);
  result->proof.potential = wb_allocate(flow->port_count + 1, sizeof *result->proof.potential);
  return result->proof.price != NULL && result->proof.potential != NULL;
}

static warpbound_status fill(struct search *search, struct wb_launch_maximum *maximum)
{
  const struct wb_flow_system *flow = &search->system->flow;
  const struct wb_launch_maximum *equal = find_equal(search, maximum->sum, maximum->phase);
  if (equal != NULL) {
    maximum->ipet = equal->ipet;
    maximum->ipet.proof.price = copy_numbers(equal->ipet.proof.price, flow->limit_count);
    maximum->ipet.proof.potential = copy_numbers(equal->ipet.proof.potential, flow->port_count);
    maximum->ipet.taken =
        equal->ipet.taken != NULL ? copy_numbers(equal->ipet.taken, flow->edge_count) : NULL;
    return maximum->ipet.proof.price != NULL && maximum->ipet.proof.potential != NULL &&
                   (equal->ipet.taken == NULL || maximum->ipet.taken != NULL)
               ? WARPBOUND_OK
               : wb_out_of_memory(search->error);
  }
  if (is_zero(search, maximum->sum, maximum->phase))
    return make_zero(flow, &maximum->ipet) ? WARPBOUND_OK : wb_out_of_memory(search->error);
  return wb_path_system_solve(search->system, search->maxima->costs.of[maximum->sum],
                              maximum->phase, search->control, &maximum->ipet, search->error);
}

/* Solves a maximum and keeps it. */
static warpbound_status solve(struct search *search, enum wb_launch_sum sum, uint32_t phase,
                              uint64_t *most)
{
  struct wb_launch_maxima *maxima = search->maxima;
  if (!wb_grow(maxima->items, &maxima->capacity, maxima->count + 1))
    return wb_out_of_memory(search->error);
  struct wb_launch_maximum made = {.sum = sum, .phase = phase};
  const warpbound_status status = fill(search, &made);
  if (status != WARPBOUND_OK) {
    wb_ipet_result_free(&made.ipet);
    return status;
  }
  maxima->items[maxima->count++] = made;
  *most = made.ipet.proof.bound > 0 ? (uint64_t)made.ipet.proof.bound : 0;
  return WARPBOUND_OK;
}

/* ---- sums ---- */

/* Whether paths are put together of several warps', between barriers that are not in phases. */
static bool is_composite(const struct wb_path_system *system)
{
  return !system->phased && system->composed != NULL;
}

static warpbound_status solve_whole(struct search *search, enum wb_launch_sum sum, uint32_t phase)
{
  return solve(search, sum, phase, &search->maxima->terms.sum[sum]);
}

/* The sum over the phases, or of one phase the most. */
static warpbound_status solve_phases(struct search *search, enum wb_launch_sum sum)
{
  uint64_t *whole = &search->maxima->terms.sum[sum];
  warpbound_status status = WARPBOUND_OK;
  *whole = 0;
  for (uint32_t p = 0; p < search->system->phases && status == WARPBOUND_OK; p++) {
    uint64_t most = 0;
    status = solve(search, sum, p, &most);
    if (sum == WB_SUM_PHASE_UNITS)
      *whole = wb_maximum(*whole, most);
    else if (!wb_add(*whole, most, whole))
      status = wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                       "the times of a path do not fit into 64 bits");
  }
  return status;
}

static warpbound_status solve_sum(struct search *search, enum wb_launch_sum sum)
{
  /* What is true of each warp's own path needs no composite paths: each service at the GPU's
   * resources, and each step of the total, is counted once. */
  if (sum == WB_SUM_GPU || sum == WB_SUM_TOTAL || sum == WB_SUM_BARRIERS)
    return solve_whole(search, sum, WB_CHECK_ALL_PHASES);
  /* Where local limits alone do not bound a stretch, whole composite paths do. */
  if (is_composite(search->system) && sum == WB_SUM_PHASE_UNITS) {
    const warpbound_status status = solve_whole(search, sum, WB_STRETCHES);
    if (status != WARPBOUND_INVALID_INPUT)
      return status;
  }
  if (is_composite(search->system))
    return solve_whole(search, sum, WB_COMPOSITE_PATHS);
  if (search->system->phases == 1)
    return solve_whole(search, sum, WB_CHECK_ALL_PHASES);
  return solve_phases(search, sum);
}

/* ---- what the theorems need ---- */

/* f. */
static warpbound_status count_phases(struct search *search)
{
  struct wb_launch_maxima *maxima = search->maxima;
  maxima->terms.phases = search->system->phases;
  if (!is_composite(search->system))
    return WARPBOUND_OK;
  const warpbound_status status = solve_sum(search, WB_SUM_BARRIERS);
  if (status == WARPBOUND_OK)
    maxima->terms.phases = maxima->terms.sum[WB_SUM_BARRIERS] / maxima->terms.denominator + 1;
  return status;
}

static warpbound_status solve_theorems(struct search *search)
{
  static const enum wb_launch_sum needed[] = {
      WB_SUM_OWN,    WB_SUM_ALONE_OWN,    WB_SUM_PARTITION,   WB_SUM_ALONE_PARTITION,
      WB_SUM_OTHERS, WB_SUM_ALONE_OTHERS, WB_SUM_PHASE_UNITS, WB_SUM_GPU,
  };
  struct wb_launch_maxima *maxima = search->maxima;
  struct wb_launch_terms *terms = &maxima->terms;
  warpbound_status status = count_phases(search);
  for (size_t n = 0; n < sizeof needed / sizeof needed[0] && status == WARPBOUND_OK; n++)
    status = solve_sum(search, needed[n]);
  if (status != WARPBOUND_OK)
    return status;
  /* What is still under way when a warp has issued its last instruction. */
  uint64_t end;
  if (!wb_multiply(maxima->times->end, terms->denominator / maxima->times->denominator, &end) ||
      !wb_add(terms->sum[WB_SUM_OWN], end, &terms->sum[WB_SUM_OWN]) ||
      !wb_add(terms->sum[WB_SUM_ALONE_OWN], end, &terms->sum[WB_SUM_ALONE_OWN]))
    return wb_fail(search->error, WARPBOUND_INVALID_INPUT,
                   "the times of a path do not fit into 64 bits");
  if (terms->phases == 1)
    terms->sum[WB_SUM_UNITS] = terms->sum[WB_SUM_PHASE_UNITS];
  terms->longest_unit = terms->phases > 1 ? maxima->costs.longest_unit : 0;
  terms->barriers_known = true;
  return WARPBOUND_OK;
}

/* The theorems need phases; nothing is lost by the total where a theorem fails. */
static warpbound_status solve_all(struct search *search)
{
  const struct wb_path_system *system = search->system;
  warpbound_status status = WARPBOUND_INVALID_INPUT;
  if (system->phased || is_composite(system))
    status = solve_theorems(search);
  if (status == WARPBOUND_OK ? !is_composite(system)
                             : status != WARPBOUND_LIMIT && status != WARPBOUND_INVALID_INPUT)
    return status;
  const bool known = status == WARPBOUND_OK;
  status = solve_sum(search, WB_SUM_TOTAL);
  return known && (status == WARPBOUND_LIMIT || status == WARPBOUND_INVALID_INPUT) ? WARPBOUND_OK
                                                                                   : status;
}

static void state_assumptions(const struct search *search)
{
  struct wb_launch_maxima *maxima = search->maxima;
  if (!maxima->terms.barriers_known)
    wb_list_add(&maxima->assumptions,
                "no barrier waits for ever: phases between barriers are not told apart, and all "
                "steps of all warps count one after the other");
}

warpbound_status wb_launch_maxima_find(const struct wb_timed_code *code,
                                       const struct wb_path_system *system,
                                       const struct wb_warp_times *times,
                                       const struct wb_control *control,
                                       struct wb_launch_maxima *maxima, warpbound_error *error)
{
  struct search search = {.system = system, .control = control, .maxima = maxima, .error = error};
  *maxima = (struct wb_launch_maxima){.code = code, .system = system, .times = times};
  warpbound_status status = wb_launch_costs_find(code, system, times, &maxima->costs, error);
  maxima->terms = (struct wb_launch_terms){.denominator = maxima->costs.denominator, .phases = 1};
  if (status == WARPBOUND_OK)
    status = solve_all(&search);
  if (status == WARPBOUND_OK)
    state_assumptions(&search);
  if (status == WARPBOUND_OK && maxima->assumptions.failed)
    status = wb_out_of_memory(error);
  if (status != WARPBOUND_OK)
    wb_launch_maxima_free(maxima);
  return status;
}

void wb_launch_maxima_free(struct wb_launch_maxima *maxima)
{
  for (size_t m = 0; m < maxima->count; m++)
    wb_ipet_result_free(&maxima->items[m].ipet);
  free(maxima->items);
  wb_launch_costs_free(&maxima->costs);
  wb_list_free(&maxima->assumptions);
  *maxima = (struct wb_launch_maxima){0};
}
