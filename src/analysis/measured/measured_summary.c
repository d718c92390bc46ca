/* Sorted values, summary, resolution and autocorrelations of a series. */
#include "analysis/measured/measured_steps.h"

#include "base/memory.h"
#include "evt/samples/ascending.h"

#include <math.h>
#include <string.h>

/* The least value that a share of the values does not exceed. */
static double quantile(const double *ascending, size_t count, double share)
{
  const double rank = ceil(share * (double)count);
  const size_t place = rank < 1 ? 0 : (size_t)rank - 1;
  return ascending[place < count ? place : count - 1];
}

/* Mean and standard deviation in one pass (Welford 1962), which does not cancel. */
static void find_moments(const double *values, size_t count, struct wb_measured_summary *summary)
{
  double mean = 0, squares = 0;
  for (size_t k = 0; k < count; k++) {
    const double distance = values[k] - mean;
    mean += distance / (double)(k + 1);
    squares += distance * (values[k] - mean);
  }
  summary->mean = mean;
  summary->deviation = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;
}

warpbound_status wb_measured_summarise(struct wb_measured_work *work)
{
  struct wb_measured_series *result = work->result;
  const size_t count = work->count;
  result->ascending = wb_allocate(count, sizeof *result->ascending);
  if (result->ascending == NULL)
    return wb_out_of_memory(work->error);
  if (count > 0)
    memcpy(result->ascending, work->values, count * sizeof *work->values);
  wb_sort_ascending(result->ascending, count);
  result->summary = (struct wb_measured_summary){.count = count};
  if (count == 0)
    return WARPBOUND_OK;
  struct wb_measured_summary *summary = &result->summary;
  find_moments(work->values, count, summary);
  summary->least = result->ascending[0];
  summary->most = result->ascending[count - 1];
  summary->median = quantile(result->ascending, count, 0.5);
  summary->quantile_95 = quantile(result->ascending, count, 0.95);
  summary->quantile_99 = quantile(result->ascending, count, 0.99);
  summary->quantile_999 = quantile(result->ascending, count, 0.999);
  result->resolution = wb_resolution_of(result->ascending, count);
  result->lag_count = count / 4 < WB_MEASURED_LAGS ? count / 4 : WB_MEASURED_LAGS;
  wb_autocorrelations(work->values, count, result->lag_count, result->correlations);
  return WARPBOUND_OK;
}
