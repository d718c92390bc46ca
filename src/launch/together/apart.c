/* Launches on SMs of their own. */
#include "launch/together/apart.h"

#include "base/checked.h"

/* What a launch asks of the GPU's resources and of the dispatcher, fetches included. */
static uint64_t asked_of_gpu(const struct wb_together_kernel *kernel)
{
  const struct wb_launch_terms *terms = kernel->terms;
  const struct wb_launch_shape *shape = kernel->shape;
  const uint64_t sms = wb_minimum(shape->sms, shape->blocks);
  const uint64_t caches[] = {[WB_LEVEL_PARTITION] = wb_times(sms, shape->partitions),
                             [WB_LEVEL_SM] = sms,
                             [WB_LEVEL_GPU] = 1};
  uint64_t sum =
      wb_times(shape->blocks, wb_plus(wb_times(shape->block_warps, terms->sum[WB_SUM_GPU]),
                                      wb_times(shape->dispatch, terms->denominator)));
  for (unsigned l = 0; l < WB_LEVEL_COUNT; l++)
    sum = wb_plus(sum, wb_times(caches[l], terms->cold[l].gpu));
  return sum;
}

static uint64_t alone(const struct wb_together_kernel *kernel)
{
  struct wb_launch_shape shape = *kernel->shape;
  struct wb_launch_bound bound;
  uint64_t sum = 0;
  shape.foreign_share = shape.foreign_burst = 0;
  if (wb_launch_bound_evaluate(kernel->terms, &shape, &bound, NULL) != WARPBOUND_OK)
    return UINT64_MAX;
  for (unsigned p = 0; p < WB_PART_FLOOR; p++)
    sum = wb_plus(sum, (uint64_t)bound.part[p]);
  return sum;
}

warpbound_status wb_apart_evaluate(const struct wb_together_kernel *kernels, size_t count,
                                   size_t of, const uint64_t *times, uint32_t foreign_share,
                                   uint32_t foreign_burst, struct wb_apart_bound *bound,
                                   warpbound_error *error)
{
  uint64_t common = 1;
  *bound = (struct wb_apart_bound){0};
  for (size_t k = 0; k < count; k++) {
    const uint64_t own = kernels[k].terms->denominator;
    if (own == 0)
      return wb_fail(error, WARPBOUND_INVALID_INPUT, "kernel %zu: expected sums", k + 1);
    common = wb_times(common, own / wb_greatest_common_divisor(common, own));
  }
  for (size_t k = 0; k < count; k++) {
    const uint64_t scale = common / kernels[k].terms->denominator;
    if (k == of)
      bound->alone = wb_times(alone(&kernels[k]), scale);
    else
      bound->others =
          wb_plus(bound->others, wb_times(times[k], wb_times(asked_of_gpu(&kernels[k]), scale)));
  }
  /* T (1 - u) is at most T0 + b. */
  const uint64_t rest = WB_FOREIGN_WHOLE - wb_minimum(foreign_share, WB_FOREIGN_WHOLE - 1);
  const uint64_t burst = wb_times(foreign_burst, common);
  const uint64_t total = wb_plus(wb_plus(bound->alone, bound->others), burst);
  if (total != UINT64_MAX)
    bound->foreign = wb_plus(
        burst, wb_plus(wb_times(total / rest, foreign_share), total % rest * foreign_share / rest));
  const uint64_t whole = wb_plus(wb_plus(bound->alone, bound->others), bound->foreign);
  if (whole > INT64_MAX || common > INT64_MAX || common == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the bound on a launch on its own SMs does not fit into 64 bits");
  bound->denominator = common;
  bound->cycles = whole / common;
  return WARPBOUND_OK;
}
