#include "ipet/solve/dual_proof.h"

#include "base/arena.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/dual_prices.h"

#include <stdlib.h>
#include <string.h>

/* Denominators of prices: mostly 1, or small. */
static const int64_t scales[] = {1, 2, 3, 4, 6, 12, 60, 1024, 2520, 1 << 20, 720720, 1 << 30};

/* The same of groups of lanes: an edge that at least one lane takes, and 32 at most, makes prices
 * in parts of 31. */
static const int64_t group_scales[] = {
    1,   2,    3,    4,     6,     12,    31,    60,         62,      93,     124,         372,
    961, 1024, 2520, 11532, 29791, 31744, 78120, 31 * 31744, 1 << 20, 720720, 31 * 720720, 1 << 30};

/* Where rounding leaves cycles of positive gain: prices raised by a part of themselves. By the
 * exact prices no cycle of the graph gains; by the raised ones each loses, for some of these scales
 * by more than rounding takes. */
static const struct {
  int64_t scale;
  double raise;
} raised[] = {{1 << 30, 0x1p-20}, {1 << 24, 0x1p-14}, {1 << 20, 0x1p-10}, {1 << 12, 0x1p-4}};

/* Where raising leaves such cycles too: the prices of single limits are raised. */
static const int64_t coarse_scales[] = {1 << 24, 1 << 16, 1 << 8, 1 << 4, 1};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static warpbound_status keep(const struct wb_dual_prices *dual, int64_t scale, bool coarse,
                             struct wb_ipet_proof *proof, warpbound_error *error)
{
  int64_t bound;
  warpbound_error refusal;
  warpbound_status status = wb_check_flow_bound(
      dual->system, dual->price, dual->potentials.potential, scale, &bound, &refusal);
  if (status == WARPBOUND_CHECK_FAILED)
    return WARPBOUND_OK; /* a number does not fit */
  if (status != WARPBOUND_OK)
    return wb_fail_with(error, &refusal);
  if (proof->price != NULL && proof->bound <= bound)
    return WARPBOUND_OK;
  size_t prices = dual->system->limit_count * sizeof *proof->price;
  size_t potentials = dual->system->port_count * sizeof *proof->potential;
  if (proof->price == NULL) {
    proof->price = wb_allocate(dual->system->limit_count, sizeof *proof->price);
    proof->potential = wb_allocate(dual->system->port_count, sizeof *proof->potential);
  }
  if (proof->price == NULL || proof->potential == NULL)
    return wb_out_of_memory(error);
  memcpy(proof->price, dual->price, prices);
  memcpy(proof->potential, dual->potentials.potential, potentials);
  proof->scale = scale;
  proof->bound = bound;
  proof->coarse = coarse;
  return WARPBOUND_OK;
}

static warpbound_status round_prices(struct wb_dual_prices *dual, int64_t wanted,
                                     struct wb_ipet_proof *proof, warpbound_error *error)
{
  warpbound_status status = WARPBOUND_OK;
  const bool walk = wb_flow_system_is_walk(dual->system);
  const int64_t *all = walk ? scales : group_scales;
  const size_t count = walk ? COUNT(scales) : COUNT(group_scales);
  for (size_t i = 0; i < count * WB_PRICE_ROUNDINGS; i++) {
    if (status != WARPBOUND_OK || (proof->price != NULL && proof->bound <= wanted))
      break;
    const int64_t scale = all[i / WB_PRICE_ROUNDINGS];
    if (wb_dual_prices_round(dual, scale, 0, (enum wb_price_rounding)(i % WB_PRICE_ROUNDINGS)))
      status = keep(dual, scale, false, proof, error);
  }
  for (size_t i = 0; i < COUNT(raised); i++) {
    if (status != WARPBOUND_OK || proof->price != NULL)
      break;
    if (wb_dual_prices_round(dual, raised[i].scale, raised[i].raise, WB_PRICE_NEAREST))
      status = keep(dual, raised[i].scale, false, proof, error);
  }
  return status;
}

warpbound_status wb_ipet_proof_make(const struct wb_flow_system *system, const double *prices,
                                    int64_t wanted, struct wb_ipet_proof *proof, bool *unlimited,
                                    warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct wb_arena arena = {0};
  struct wb_dual_prices dual;
  warpbound_status status = WARPBOUND_OK;
  if (!wb_dual_prices_make(&arena, system, prices, false, &dual))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK && prices != NULL)
    status = round_prices(&dual, wanted, proof, error);
  for (size_t i = 0; i < COUNT(coarse_scales) && status == WARPBOUND_OK && proof->price == NULL;
       i++) {
    if (wb_dual_prices_raise(&dual, coarse_scales[i]))
      status = keep(&dual, coarse_scales[i], true, proof, error);
  }
  *unlimited = dual.unlimited;
  wb_arena_free(&arena);
  if (status != WARPBOUND_OK)
    wb_ipet_proof_free(proof);
  return status;
}

void wb_ipet_proof_free(struct wb_ipet_proof *proof)
{
  free(proof->price);
  free(proof->potential);
  *proof = (struct wb_ipet_proof){0};
}
