#include "makespan/potential_estimate.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>

/* Largest magnitude of an estimate's numbers, in cycles. */
#define MOST_CYCLES (INT64_C(1) << 20)

static int64_t in_cycles(const struct wb_potential_proof *proof, int64_t number)
{
  int64_t most = MOST_CYCLES * proof->gain;
  if (number > most)
    number = most;
  if (number < -most)
    number = -most;
  return number / proof->gain * WB_VALUE_CYCLE +
         number % proof->gain * WB_VALUE_CYCLE / proof->gain;
}

static unsigned pool_of(const struct wb_pools *pools, enum wb_unit unit)
{
  unsigned p = 0;
  while (pools->pool[p].unit != unit)
    p++;
  return p;
}

/* The value of leaving run r, of the own warp or of one of the others with one piece. */
static int64_t leaving(const struct wb_potential_proof *proof, size_t r, bool own)
{
  const struct wb_pools *pools = &proof->pools;
  const struct wb_kernel_string *string = &proof->problem->string;
  const struct wb_pool_exit *exits = own ? pools->own_exits : pools->exits;
  unsigned from = pool_of(pools, string->runs[r].unit), to = WB_POOL_END;
  uint32_t length = 0;
  if (r + 1 < string->run_count) {
    to = pool_of(pools, string->runs[r + 1].unit);
    length = own ? 0 : wb_pool_entry(&pools->pool[to], string->runs[r + 1].length);
  }
  size_t k = 0;
  while (exits[k].from != from || exits[k].to != to || exits[k].length != length)
    k++;
  return own ? proof->potential.own_leave[k] : proof->potential.leave[0][k];
}

/* The values of what is left from each position on: of the own warp, or of one of the others
 * where there is one piece. */
static void add_up(const struct wb_potential_proof *proof, bool own, int64_t *left)
{
  const struct wb_potential *potential = &proof->potential;
  const struct wb_kernel_string *string = &proof->problem->string;
  size_t p = string->length;
  int64_t sum = 0;
  for (size_t r = string->run_count; r-- > 0;) {
    unsigned pool = pool_of(&proof->pools, string->runs[r].unit);
    for (size_t k = 0; k < string->runs[r].length; k++) {
      if (k == 0)
        sum += leaving(proof, r, own);
      else
        sum += own ? potential->own_stay[pool] : potential->values[0].stay[pool];
      left[--p] = in_cycles(proof, sum);
    }
  }
}

/* The mean height of the states in which m warps wait for each type. */
static void read_heights(const struct wb_potential_proof *proof, unsigned piece,
                         struct wb_state_value *value)
{
  const struct wb_pools *pools = &proof->pools;
  for (unsigned q = 0; q < pools->count; q++) {
    int64_t sum[WB_POOL_WARPS_LIMIT + 2] = {0};
    int64_t count[WB_POOL_WARPS_LIMIT + 2] = {0};
    for (size_t i = 0; i < proof->state_count; i++) {
      uint64_t state = proof->state[i], own = state / pools->stride[pools->count];
      uint64_t rest = state % pools->stride[pools->count];
      uint32_t n, b;
      wb_pool_content(&pools->pool[q], (uint32_t)(rest / pools->stride[q] % pools->pool[q].size),
                      &n, &b);
      sum[n + (own == q)] += in_cycles(proof, proof->potential.height[piece][state]);
      count[n + (own == q)]++;
    }
    int64_t mean = 0;
    for (uint32_t m = 0; m <= value->ready_limit; m++) {
      if (m <= pools->pool[q].warps && count[m] > 0)
        mean = sum[m] / count[m];
      value->ready[pools->pool[q].unit][m] = mean;
    }
  }
}

warpbound_status wb_potential_estimate(const struct wb_potential_proof *proof, unsigned piece,
                                       struct wb_state_value *value, warpbound_error *error)
{
  const struct wb_potential *potential = &proof->potential;
  size_t length = proof->problem->string.length;
  int64_t *own = wb_allocate(length, sizeof *own);
  if (own == NULL)
    return wb_out_of_memory(error);
  add_up(proof, true, own);
  if (potential->shape.count == 1)
    add_up(proof, false, value->position);
  for (size_t p = 0; p < length; p++) {
    if (potential->shape.count > 1)
      value->position[p] = in_cycles(proof, potential->position[piece][p]);
    value->last[p] = own[p] - value->position[p];
  }
  read_heights(proof, piece, value);
  free(own);
  return WARPBOUND_OK;
}
