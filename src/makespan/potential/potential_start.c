#include "makespan/potential/potential_start.h"

#include "makespan/potential/potential_program.h"

#define SCALE WB_POTENTIAL_SCALE

/* The coarser kind of exit that a kind falls under. */
static size_t coarser_exit(const struct wb_pools *coarse, const struct wb_pool_exit *fine)
{
  size_t k = 0;
  while (k + 1 < coarse->exit_count) {
    const struct wb_pool_exit *exit = &coarse->exits[k];
    bool ends = fine->to == WB_POOL_END;
    uint32_t length = ends ? 0 : wb_pool_entry(&coarse->pool[fine->to], fine->length);
    if (exit->from == fine->from && exit->to == fine->to && exit->length == length)
      break;
    k++;
  }
  return k;
}

static uint64_t coarser_state(const struct wb_pools *coarse, const struct wb_pools *fine,
                              uint64_t state)
{
  uint64_t own = state / fine->stride[fine->count], rest = state % fine->stride[fine->count];
  uint64_t result = own * coarse->stride[coarse->count];
  for (unsigned p = 0; p < fine->count; p++) {
    uint32_t n, b;
    wb_pool_content(&fine->pool[p], (uint32_t)(rest / fine->stride[p] % fine->pool[p].size), &n,
                    &b);
    result += wb_pool_local(&coarse->pool[p], n, b) * coarse->stride[p];
  }
  return result;
}

/* Whether every limit of `coarse` is below or at that of `fine`, so that states map. */
static bool is_coarser(const struct wb_pools *coarse, const struct wb_pools *fine)
{
  for (unsigned p = 0; p < fine->count; p++)
    if (coarse->pool[p].warps > fine->pool[p].warps || coarse->pool[p].work > fine->pool[p].work)
      return false;
  return true;
}

static void start_from(struct wb_potential_proof *proof, const struct wb_potential_proof *coarser)
{
  const struct wb_pools *pools = &proof->pools;
  struct wb_potential *potential = &proof->potential;
  const struct wb_potential *from = &coarser->potential;
  int64_t factor = SCALE / from->scale;
  for (unsigned p = 0; p < pools->count; p++) {
    potential->values[0].stay[p] = factor * from->values[0].stay[p];
    potential->own_stay[p] = factor * from->own_stay[p];
  }
  for (size_t k = 0; k < pools->own_exit_count; k++)
    potential->own_leave[k] = factor * from->own_leave[k];
  for (size_t k = 0; k < pools->exit_count && potential->shape.count == 1; k++)
    potential->leave[0][k] =
        factor * from->leave[0][coarser_exit(&coarser->pools, &pools->exits[k])];
  for (unsigned j = 0; j < potential->shape.count; j++) {
    const int64_t *state_offsets = from->state_offset[from->shape.count > 1 ? j : 0];
    /* Takes the values of positions in a component over from the coarser potential. */
    if (from->shape.count > 1)
      for (size_t p = 0; p < potential->length; p++)
        potential->position[j][p] = factor * from->position[j][p];
    else if (potential->shape.count > 1) {
      /* Values by position from those of kinds: what the steps to the end are worth. */
      int64_t *position = potential->position[j];
      for (size_t p = potential->length; p-- > 0;) {
        uint32_t kind = potential->kind[p];
        int64_t value =
            kind < pools->count
                ? from->values[0].stay[kind]
                : from->leave[0][coarser_exit(&coarser->pools, &pools->exits[kind - pools->count])];
        position[p] = position[p + 1] + factor * value;
      }
    }
    for (size_t i = 0; i < proof->state_count; i++) {
      uint64_t state = proof->state[i];
      potential->state_offset[j][state] =
          factor * state_offsets[coarser_state(&coarser->pools, pools, state)];
    }
  }
}

bool wb_potential_start_values(struct wb_potential_proof *proof,
                               const struct wb_potential_proof *coarser)
{
  bool near = coarser != NULL && coarser->potential.shape.count <= proof->potential.shape.count &&
              is_coarser(&coarser->pools, &proof->pools);
  if (near)
    start_from(proof, coarser);
  else {
    for (unsigned p = 0; p < proof->pools.count; p++)
      proof->potential.values[0].stay[p] = proof->potential.own_stay[p] = SCALE;
    for (size_t k = 0; k < proof->pools.own_exit_count; k++)
      proof->potential.own_leave[k] = SCALE;
    for (size_t k = 0; k < proof->pools.exit_count; k++)
      proof->potential.leave[0][k] = SCALE;
    for (unsigned j = 0; proof->potential.shape.count > 1 && j < proof->potential.shape.count; j++)
      for (size_t p = 0; p < proof->potential.length; p++)
        proof->potential.position[j][p] = (int64_t)(proof->potential.length - p) * SCALE;
  }
  wb_potential_refresh(&proof->potential, &proof->pools);
  return near;
}
