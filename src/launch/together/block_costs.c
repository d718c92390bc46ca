#include "launch/together/block_costs.h"

#include "base/checked.h"

uint64_t wb_block_costs_cold(const struct wb_together_kernel *kernel,
                             const struct wb_block_costs *costs, uint64_t visits)
{
  const uint64_t partitions = kernel->shape->partitions;
  const uint64_t sms = kernel->shape->sms;
  const uint64_t each = wb_minimum(visits, sms) + 1;
  uint64_t sum = 0;
  for (unsigned l = 0; l < WB_LEVEL_COUNT; l++) {
    const struct wb_cold_terms *cold = &kernel->terms->cold[l];
    const uint64_t of_sm = l == WB_LEVEL_PARTITION ? partitions : 1;
    const uint64_t waits = l == WB_LEVEL_GPU ? 1 : wb_times(2, of_sm);
    const uint64_t all = l == WB_LEVEL_GPU ? 1 : wb_times(sms, of_sm);
    sum = wb_plus(sum, wb_times(waits, cold->wait));
    sum = wb_plus(sum, wb_times(each, wb_times(of_sm, cold->sm)));
    sum = wb_plus(sum, wb_times(all, cold->gpu));
  }
  return wb_times(sum, costs->scale);
}

static uint64_t cold_whole(const struct wb_together_kernel *kernel)
{
  const uint64_t sms = kernel->shape->sms;
  const uint64_t all[] = {[WB_LEVEL_PARTITION] = wb_times(sms, kernel->shape->partitions),
                          [WB_LEVEL_SM] = sms,
                          [WB_LEVEL_GPU] = 1};
  uint64_t sum = 0;
  for (unsigned l = 0; l < WB_LEVEL_COUNT; l++)
    sum = wb_plus(sum, wb_times(all[l], kernel->terms->cold[l].whole));
  return sum;
}

void wb_block_costs_find(const struct wb_together_kernel *kernel, uint64_t denominator,
                         uint64_t rest, struct wb_block_costs *to)
{
  const struct wb_launch_shape *shape = kernel->shape;
  const uint64_t scale = denominator / kernel->terms->denominator;
  uint64_t sum[WB_SUM_COUNT];
  for (unsigned s = 0; s < WB_SUM_COUNT; s++)
    sum[s] = wb_times(kernel->terms->sum[s], scale);
  const uint64_t w = shape->block_warps;
  const uint64_t here = wb_divide_up(w, shape->partitions);
  const uint64_t mates =
      wb_plus(wb_times(here - 1, sum[WB_SUM_PARTITION]), wb_times(w - here, sum[WB_SUM_OTHERS]));
  *to = (struct wb_block_costs){.scale = scale, .phases = kernel->terms->phases};
  to->own = wb_plus(wb_plus(sum[WB_SUM_OWN], wb_times(shape->block_start, denominator)), mates);
  to->partition = sum[WB_SUM_PARTITION];
  to->wide = wb_times(w, to->partition);
  to->beside = wb_plus(wb_times(here, to->partition), wb_times(w - here, sum[WB_SUM_OTHERS]));
  to->again = wb_plus(wb_times(here, sum[WB_SUM_PHASE_UNITS]), rest);
  const uint64_t dispatch = wb_times(shape->dispatch, denominator);
  to->gpu = wb_times(shape->blocks, wb_plus(wb_times(w, sum[WB_SUM_GPU]), dispatch));
  const uint64_t start = wb_times(shape->block_start, denominator);
  const uint64_t block = wb_plus(wb_times(w, sum[WB_SUM_TOTAL]), wb_plus(start, dispatch));
  to->serial = wb_plus(wb_times(shape->overhead, denominator), wb_times(shape->blocks, block));
  to->serial = wb_plus(to->serial, wb_times(cold_whole(kernel), scale));
  if (sum[WB_SUM_TOTAL] == 0)
    to->serial = UINT64_MAX;
}

/* rho kappa = rho O' + (own' - O'). Where more blocks than rho can be on an SM, one may be taken
 * into a sequence after it began, and has been met before: own' counts its first warp too then. */
void wb_block_costs_wait(struct wb_block_costs *to, const struct wb_block_mix *mix)
{
  const uint64_t late = mix->most > mix->least_full ? to->partition : 0;
  const uint64_t own[WB_WAY_COUNT] = {
      [WB_WAY_ALL_WARPS] = wb_plus(to->own, late),
      [WB_WAY_PAIRS] = wb_plus(wb_plus(to->own, late),
                               wb_times(wb_times(mix->most - 1, to->phases), mix->again))};
  const uint64_t other[WB_WAY_COUNT] = {
      [WB_WAY_ALL_WARPS] = to->wide,
      [WB_WAY_PAIRS] = wb_plus(to->beside, wb_times(to->phases - 1, mix->rest))};
  for (unsigned way = 0; way < WB_WAY_COUNT; way++) {
    const uint64_t more = own[way] > other[way] ? wb_without(own[way], other[way]) : 0;
    to->waiting[way] = wb_plus(wb_times(mix->least_full, other[way]), more);
  }
}

uint64_t wb_block_costs_beside(const struct wb_block_costs *chain,
                               const struct wb_block_costs *other, uint64_t rest)
{
  const uint64_t pairs = wb_plus(wb_plus(other->beside, wb_times(other->phases - 1, rest)),
                                 wb_times(chain->phases - 1, other->again));
  return wb_minimum(other->wide, pairs);
}
