/* Launches on SMs of their own. */
#include "launch/together/apart.h"

#include "base/checked.h"

/* As in together.c. */
static uint64_t plus(uint64_t a, uint64_t b)
{
  uint64_t sum;
  return wb_add(a, b, &sum) ? sum : UINT64_MAX;
}

static uint64_t product(uint64_t a, uint64_t b)
{
  uint64_t result;
  return wb_multiply(a, b, &result) ? result : UINT64_MAX;
}

/* What a launch asks of the GPU's resources and of the dispatcher, fetches included. */
static uint64_t asked_of_gpu(const struct wb_together_kernel *kernel)
{
  const struct wb_launch_terms *terms = kernel->terms;
  const struct wb_launch_shape *shape = kernel->shape;
  const uint64_t sms = wb_minimum(shape->sms, shape->blocks);
  const uint64_t caches[] = {[WB_LEVEL_PARTITION] = product(sms, shape->partitions),
                             [WB_LEVEL_SM] = sms,
                             [WB_LEVEL_GPU] = 1};
  uint64_t sum = product(shape->blocks, plus(product(shape->block_warps, terms->sum[WB_SUM_GPU]),
                                             product(shape->dispatch, terms->denominator)));
  for (unsigned l = 0; l < WB_LEVEL_COUNT; l++)
    sum = plus(sum, product(caches[l], terms->cold[l].gpu));
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
    sum = plus(sum, (uint64_t)bound.part[p]);
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
    common = product(common, own / wb_greatest_common_divisor(common, own));
  }
  for (size_t k = 0; k < count; k++) {
    const uint64_t scale = common / kernels[k].terms->denominator;
    if (k == of)
      bound->alone = product(alone(&kernels[k]), scale);
    else
      bound->others =
          plus(bound->others, product(times[k], product(asked_of_gpu(&kernels[k]), scale)));
  }
  /* T (1 - u) is at most T0 + b. */
  const uint64_t rest = WB_FOREIGN_WHOLE - wb_minimum(foreign_share, WB_FOREIGN_WHOLE - 1);
  const uint64_t burst = product(foreign_burst, common);
  const uint64_t total = plus(plus(bound->alone, bound->others), burst);
  if (total != UINT64_MAX)
    bound->foreign = plus(
        burst, plus(product(total / rest, foreign_share), total % rest * foreign_share / rest));
  const uint64_t whole = plus(plus(bound->alone, bound->others), bound->foreign);
  if (whole > INT64_MAX || common > INT64_MAX || common == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the bound on a launch on its own SMs does not fit into 64 bits");
  bound->denominator = common;
  bound->cycles = whole / common;
  return WARPBOUND_OK;
}
