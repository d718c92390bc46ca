/* Block maxima of a series, and their fits. */
#include "analysis/measured/measured_steps.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Says of all fits of maxima why there is none. */
static void fail_all(struct wb_measured_work *work, const char *why)
{
  wb_measured_fail_fits(work, WB_FIT_OF_GEV, WB_FIT_OF_GEV_L_MOMENTS, why);
}

static warpbound_status choose_block(struct wb_measured_work *work, bool *chosen)
{
  struct wb_measured_series *result = work->result;
  warpbound_error why;
  *chosen = true;
  result->block_size = work->options->block_size;
  if (result->block_size > 0)
    return WARPBOUND_OK;
  const warpbound_status status = wb_block_size_choose(
      work->values, work->count, work->options->significance, result->resolution.tick,
      wb_measured_seed(work, 1), work->control, &result->block_size, &result->block_refused,
      result->block_choices, &result->block_choice_count, &why);
  if (status == WARPBOUND_INVALID_INPUT) {
    fail_all(work, why.message);
    *chosen = false;
    return WARPBOUND_OK;
  }
  return status == WARPBOUND_OK ? status : wb_fail_with(work->error, &why);
}

static warpbound_status take_maxima(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  result->maximum_count = work->count / result->block_size;
  result->left_out = work->count % result->block_size;
  result->maxima = wb_allocate(result->maximum_count, sizeof *result->maxima);
  if (result->maxima == NULL)
    return wb_out_of_memory(work->error);
  (void)wb_block_maxima(work->values, work->count, result->block_size, result->maxima);
  return WARPBOUND_OK;
}

/* Long times that come in clusters are fewer independent ones: of a block's b runs b theta count
 * (Leadbetter 1983). */
static double runs_per_block(const struct wb_measured_work *work)
{
  const struct wb_measured_check *clusters = &work->result->checks[WB_CHECK_CLUSTERS];
  const double index =
      clusters->done && clusters->outcome != WB_APPLICABLE ? clusters->statistic : 1;
  return work->result->block_size == 1 ? 1 : (double)work->result->block_size * index;
}

warpbound_status wb_measured_fit_maxima(struct wb_measured_work *work)
{
  static const struct {
    enum wb_measured_fit_kind kind;
    enum wb_tail_family family;
    enum wb_fit_method method;
  } rows[] = {{WB_FIT_OF_GEV, WB_TAIL_GEV, WB_FIT_LIKELIHOOD},
              {WB_FIT_OF_GUMBEL, WB_TAIL_GUMBEL, WB_FIT_LIKELIHOOD},
              {WB_FIT_OF_GEV_L_MOMENTS, WB_TAIL_GEV, WB_FIT_L_MOMENTS}};
  struct wb_measured_series *result = work->result;
  bool chosen;
  if (!result->fitted || work->options->method == WB_MEASURED_PEAKS) {
    fail_all(work, result->fitted ? "not asked for" : "not fitted: the verdict is against it");
    return WARPBOUND_OK;
  }
  warpbound_status status = choose_block(work, &chosen);
  if (status != WARPBOUND_OK || !chosen)
    return status;
  status = take_maxima(work);
  for (size_t r = 0; status == WARPBOUND_OK && r < sizeof rows / sizeof *rows; r++)
    status = wb_measured_fit_family(
        work, &(struct wb_measured_fitting){.kind = rows[r].kind,
                                            .family = rows[r].family,
                                            .method = rows[r].method,
                                            .data = {.values = result->maxima,
                                                     .count = result->maximum_count,
                                                     .control = work->control},
                                            .runs_per_block = runs_per_block(work)});
  if (status == WARPBOUND_OK)
    wb_measured_compare(work, WB_FIT_OF_GEV, WB_FIT_OF_GUMBEL);
  return status;
}
