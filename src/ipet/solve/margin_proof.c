/* Proofs of upper bounds on a flow system where rounded prices admit no potentials. */
#include "ipet/solve/margin_proof.h"

#include "base/checked.h"
#include "base/memory.h"
#include "certificate/flow/flow_check.h"
#include "ipet/solve/infeasibility.h"
#include "linear/relaxation.h"

#include <math.h>
#include <stdlib.h>

/* A cycle in units of the margin. */
#define UNITS INT64_C(1024)

/* Margins, in such units: the least one that is enough. */
static const int64_t margins[] = {1, 1 << 4, 1 << 8, 1 << 12, 1 << 16};

/* Denominators of prices and potentials, in parts of a unit. */
static const int64_t scales[] = {1 << 20, 1 << 12, 1 << 6, 1};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct maker {
  const struct wb_flow_system *system;
  int64_t *price, *potential; /* by limit and by port; the proof that is tried */
};

/* The least whole numbers that are not below the scaled ones. False where one does not fit. */
static bool round_up(const double *from, size_t count, double scale, bool negate, int64_t *to)
{
  for (size_t i = 0; i < count; i++) {
    const double exact = ceil((negate ? -from[i] : fmax(from[i], 0)) * scale);
    if (!(fabs(exact) < 0x1p62))
      return false;
    to[i] = (int64_t)exact;
  }
  return true;
}

/* Keeps what is tried as a proof where the checker accepts it. */
static warpbound_status try_scale(struct maker *maker,
                                  const struct wb_linear_relaxation *relaxation, int64_t scale,
                                  struct wb_ipet_proof *proof, warpbound_error *error)
{
  const struct wb_flow_system *system = maker->system;
  int64_t bound;
  warpbound_error refusal;
  if (!round_up(relaxation->prices, system->port_count, (double)scale, true, maker->potential) ||
      !round_up(relaxation->prices + system->port_count, system->limit_count, (double)scale, false,
                maker->price))
    return WARPBOUND_OK;
  const warpbound_status status =
      wb_check_flow_bound(system, maker->price, maker->potential, scale * UNITS, &bound, &refusal);
  if (status == WARPBOUND_CHECK_FAILED)
    return WARPBOUND_OK;
  if (status != WARPBOUND_OK)
    return wb_fail_with(error, &refusal);
  *proof = (struct wb_ipet_proof){.price = maker->price,
                                  .potential = maker->potential,
                                  .scale = scale * UNITS,
                                  .bound = bound,
                                  .coarse = true};
  maker->price = NULL;
  maker->potential = NULL;
  return WARPBOUND_OK;
}

static warpbound_status try_margin(struct maker *maker, const struct wb_flow_system *dearer,
                                   const struct wb_control *control, struct wb_ipet_proof *proof,
                                   warpbound_error *error)
{
  struct wb_linear_model model;
  struct wb_linear_relaxation relaxation = {0};
  warpbound_status status = WARPBOUND_OK;
  if (!wb_auxiliary_model_build(dearer, WB_AUXILIARY_COST, INT64_MAX, &model))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK)
    status = wb_linear_relax(&model, control, &relaxation, error);
  for (size_t s = 0; s < COUNT(scales); s++) {
    if (status == WARPBOUND_OK && relaxation.status == WB_LINEAR_OPTIMAL && proof->price == NULL)
      status = try_scale(maker, &relaxation, scales[s], proof, error);
  }
  wb_linear_relaxation_free(&relaxation);
  wb_linear_model_free(&model);
  return status;
}

warpbound_status wb_ipet_prove_with_margin(const struct wb_flow_system *system,
                                           const struct wb_control *control,
                                           struct wb_ipet_proof *proof, warpbound_error *error)
{
  *proof = (struct wb_ipet_proof){0};
  struct wb_flow_system dearer = *system;
  struct maker maker = {.system = system,
                        .price = wb_allocate(system->limit_count, sizeof *maker.price),
                        .potential = wb_allocate(system->port_count, sizeof *maker.potential)};
  dearer.cycles = wb_allocate(system->node_count, sizeof *dearer.cycles);
  warpbound_status status = WARPBOUND_OK;
  if (maker.price == NULL || maker.potential == NULL || dearer.cycles == NULL)
    status = wb_out_of_memory(error);
  for (size_t m = 0; m < COUNT(margins) && status == WARPBOUND_OK && proof->price == NULL; m++) {
    bool fits = true; /* each run costs so many units more */
    for (size_t v = 0; v < system->node_count && fits; v++)
      fits = wb_multiply_signed(system->cycles[v], UNITS, &dearer.cycles[v]) &&
             wb_add_signed(dearer.cycles[v], margins[m], &dearer.cycles[v]);
    if (fits)
      status = try_margin(&maker, &dearer, control, proof, error);
  }
  free(maker.price);
  free(maker.potential);
  free(dearer.cycles);
  return status;
}
