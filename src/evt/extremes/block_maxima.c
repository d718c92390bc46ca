/* Maxima of blocks of consecutive measurements, and the choice of the size of a block. */
#include "evt/extremes/block_maxima.h"

#include "base/memory.h"
#include "evt/extremes/forward_stop.h"
#include "evt/fit/tail_fit.h"
#include "evt/goodness/goodness.h"
#include "evt/tests/series_tests.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_MAXIMA 50  /* of the largest block that is tried */
#define MOST_MAXIMA 5000 /* of the smallest one: a bound on time */
#define LEAST_BLOCK 10   /* a maximum of fewer is far from the limit law */
#define USUAL_BLOCK 20   /* the least where it leaves enough maxima */
#define MOST_SIZES 10
#define LEAST_RATIO 1.5 /* of neighbouring sizes */
#define REPLICATES 99   /* of the bootstrap of each size */

size_t wb_block_maxima(const double *values, size_t count, size_t block, double *maxima)
{
  const size_t blocks = block == 0 ? 0 : count / block;
  for (size_t b = 0; b < blocks; b++) {
    double largest = values[b * block];
    for (size_t i = 1; i < block; i++)
      if (values[b * block + i] > largest)
        largest = values[b * block + i];
    maxima[b] = largest;
  }
  return blocks;
}

/* The sizes that are tried, ascending: how many. 0: too few values. */
static size_t list_sizes(size_t count, size_t sizes[WB_BLOCK_CHOICES])
{
  const size_t largest = count / LEAST_MAXIMA;
  size_t smallest = largest < USUAL_BLOCK ? LEAST_BLOCK : USUAL_BLOCK;
  if (count / MOST_MAXIMA > smallest)
    smallest = count / MOST_MAXIMA;
  if (largest < smallest)
    return 0;
  const double range = log((double)largest / (double)smallest);
  const double ratios = floor(range / log(LEAST_RATIO));
  const unsigned steps = ratios < MOST_SIZES - 1 ? (unsigned)ratios : MOST_SIZES - 1;
  size_t listed = 0;
  for (unsigned i = 0; i <= steps; i++) {
    const double share = steps > 0 ? (double)i / steps : 1;
    const size_t size = (size_t)llround((double)smallest * exp(range * share));
    if (listed == 0 || size > sizes[listed - 1])
      sizes[listed++] = size > largest ? largest : size;
  }
  return listed;
}

/* Twice the smaller of both p-values (Bonferroni), at most 1; 0 where there is no fit. */
static double joint_p(const struct wb_block_choice *choice)
{
  if (!choice->fitted || isnan(choice->anderson_darling_p))
    return 0;
  const double independence = isnan(choice->independence_p) ? 1 : choice->independence_p;
  return fmin(1, 2 * fmin(choice->anderson_darling_p, independence));
}

/* Tests one size. maxima has room for those of the smallest size. */
static warpbound_status try_size(const double *values, size_t count, double tick, uint64_t seed,
                                 const struct wb_control *control, double *maxima,
                                 struct wb_block_choice *choice, warpbound_error *error)
{
  choice->maxima = wb_block_maxima(values, count, choice->block, maxima);
  struct wb_test independence;
  warpbound_status status = wb_test_ljung_box(maxima, choice->maxima, 0, &independence, error);
  if (status != WARPBOUND_OK)
    return status;
  choice->independence_p = independence.p_value;
  choice->anderson_darling_p = NAN;
  const struct wb_fit_data data = {.values = maxima, .count = choice->maxima, .control = control};
  struct wb_tail_fit fit;
  status = wb_tail_fit(&data, WB_TAIL_GEV, WB_FIT_LIKELIHOOD, &fit, error);
  if (status == WARPBOUND_INVALID_INPUT)
    return WARPBOUND_OK; /* no fit: this size is refused */
  if (status != WARPBOUND_OK)
    return status;
  choice->fitted = true;
  choice->shape = fit.tail.shape;
  struct wb_goodness goodness;
  status = wb_goodness_of_fit(&data, &fit, tick, REPLICATES, seed, control, &goodness, error);
  if (status == WARPBOUND_OK)
    choice->anderson_darling_p = goodness.anderson_darling_p;
  return status;
}

static warpbound_status try_sizes(const double *values, size_t count, double tick, uint64_t seed,
                                  const struct wb_control *control, struct wb_block_choice *choices,
                                  size_t choice_count, warpbound_error *error)
{
  double *maxima = wb_allocate(count / choices[0].block, sizeof *maxima);
  if (maxima == NULL)
    return wb_out_of_memory(error);
  warpbound_status status = WARPBOUND_OK;
  for (size_t i = 0; i < choice_count && status == WARPBOUND_OK; i++)
    status = try_size(values, count, tick, seed + i, control, maxima, &choices[i], error);
  free(maxima);
  return status;
}

/* The place of the smallest size that is not refused; choice_count where all are. */
static size_t first_accepted(const struct wb_block_choice *choices, size_t choice_count,
                             double significance)
{
  double p_values[WB_BLOCK_CHOICES];
  double adjusted[WB_BLOCK_CHOICES];
  for (size_t i = 0; i < choice_count; i++)
    p_values[i] = joint_p(&choices[i]);
  wb_forward_stop(p_values, choice_count, adjusted);
  size_t place = 0;
  while (place < choice_count && adjusted[place] <= significance)
    place++;
  return place;
}

static size_t best_choice(const struct wb_block_choice *choices, size_t choice_count)
{
  size_t best = choice_count - 1;
  for (size_t i = choice_count; i-- > 0;)
    if (joint_p(&choices[i]) > joint_p(&choices[best]))
      best = i;
  return best;
}

warpbound_status wb_block_size_choose(const double *values, size_t count, double significance,
                                      double tick, uint64_t seed, const struct wb_control *control,
                                      size_t *block, bool *refused,
                                      struct wb_block_choice choices[WB_BLOCK_CHOICES],
                                      size_t *choice_count, warpbound_error *error)
{
  size_t sizes[WB_BLOCK_CHOICES];
  *choice_count = list_sizes(count, sizes);
  if (*choice_count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "too few values to choose a size of blocks: %zu, expected at least %d", count,
                   LEAST_BLOCK * LEAST_MAXIMA);
  for (size_t i = 0; i < *choice_count; i++)
    choices[i] = (struct wb_block_choice){.block = sizes[i]};
  const warpbound_status status =
      try_sizes(values, count, tick, seed, control, choices, *choice_count, error);
  if (status != WARPBOUND_OK)
    return status;
  const size_t place = first_accepted(choices, *choice_count, significance);
  *refused = place == *choice_count;
  *block = choices[*refused ? best_choice(choices, *choice_count) : place].block;
  return WARPBOUND_OK;
}
