#include "evt/goodness/goodness.h"

#include "base/memory.h"
#include "evt/fit/replicate_threads.h"
#include "evt/goodness/replicates.h"
#include "evt/goodness/tested_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct bootstrap {
  struct wb_replicates replicates;
  const struct wb_control *control;
  unsigned count;
  struct wb_distances *distances; /* by replicate; NAN where nothing could be fitted */
};

static bool run_replicate(void *context, unsigned index, double *values)
{
  const struct bootstrap *const bootstrap = context;
  struct wb_distances *const distances = &bootstrap->distances[index];
  const warpbound_status status =
      wb_replicate_distances(&bootstrap->replicates, index, values, distances, NULL);
  if (status != WARPBOUND_OK)
    *distances = (struct wb_distances){.anderson_darling = NAN, .cramer_von_mises = NAN};
  return status != WARPBOUND_INTERNAL;
}

/* The share of all samples, the tested one among them, that lie as far from their fits. */
static void count_farther(const struct bootstrap *bootstrap, struct wb_goodness *goodness)
{
  unsigned fitted = 0, farther_a = 0, farther_w = 0;
  for (unsigned k = 0; k < bootstrap->count; k++) {
    const struct wb_distances *distances = &bootstrap->distances[k];
    fitted += isnan(distances->anderson_darling) ? 0 : 1;
    farther_a += distances->anderson_darling >= goodness->anderson_darling;
    farther_w += distances->cramer_von_mises >= goodness->cramer_von_mises;
  }
  goodness->replicates = fitted;
  goodness->anderson_darling_p = fitted == 0 ? NAN : (farther_a + 1.0) / (fitted + 1.0);
  goodness->cramer_von_mises_p = fitted == 0 ? NAN : (farther_w + 1.0) / (fitted + 1.0);
}

static warpbound_status bootstrap_p_values(struct bootstrap *bootstrap,
                                           struct wb_goodness *goodness, warpbound_error *error)
{
  bootstrap->distances = wb_allocate(bootstrap->count, sizeof *bootstrap->distances);
  if (bootstrap->distances == NULL)
    return wb_out_of_memory(error);
  const struct wb_replicate_work work = {.name = "goodness of fit",
                                         .count = bootstrap->count,
                                         .size = bootstrap->replicates.size,
                                         .run = run_replicate,
                                         .context = bootstrap};
  const warpbound_status status =
      wb_replicate_threads_run(&work, bootstrap->control->threads, bootstrap->control, error);
  if (status == WARPBOUND_OK)
    count_farther(bootstrap, goodness);
  free(bootstrap->distances);
  return status;
}

warpbound_status wb_goodness_of_fit(const struct wb_fit_data *data, const struct wb_tail_fit *fit,
                                    double tick, unsigned replicates, uint64_t seed,
                                    const struct wb_control *control, struct wb_goodness *goodness,
                                    warpbound_error *error)
{
  struct wb_tested_values tested;
  warpbound_status status = wb_tested_values_take(data, fit, tick, seed, &tested, error);
  if (status != WARPBOUND_OK)
    return status;
  struct bootstrap bootstrap = {.replicates = {.fit = &tested.fit,
                                               .size = tested.replicate_size,
                                               .covariate = tested.replicate_covariate,
                                               .tick = tested.tick,
                                               .anchor = tested.anchor,
                                               .seed = seed},
                                .control = control,
                                .count = replicates};
  *goodness = (struct wb_goodness){.anderson_darling = tested.distances.anderson_darling,
                                   .cramer_von_mises = tested.distances.cramer_von_mises,
                                   .compared = tested.count};
  status = bootstrap_p_values(&bootstrap, goodness, error);
  wb_tested_values_free(&tested);
  return status;
}
