/* Makespans over a range of numbers of warps. */
#include "analysis/series/series.h"

#include "api/arguments.h"
#include "api/makespan.h"
#include "base/memory.h"

#include <stdlib.h>

static warpbound_status check_range(uint32_t first, uint32_t last, warpbound_error *error)
{
  return first >= 1 && first <= last && last <= WB_WARP_LIMIT
             ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_USAGE,
                       "warps: expected a range within 1 to %u, found %u to %u", WB_WARP_LIMIT,
                       first, last);
}

warpbound_status warpbound_makespan_series(const warpbound_instance *instance, uint32_t first,
                                           uint32_t last, const warpbound_options *options,
                                           warpbound_series_visitor *visit, void *context,
                                           warpbound_series **series, warpbound_error *error)
{
  struct wb_analysis_options analysis;
  warpbound_status status = wb_require(series, "series", "the address of a handle", error);
  if (status != WARPBOUND_OK)
    return status;
  *series = NULL;
  status = wb_require(instance, "instance", "an instance", error);
  if (status == WARPBOUND_OK)
    status = check_range(first, last, error);
  if (status == WARPBOUND_OK)
    status = wb_analysis_options_make(options, &analysis, error);
  if (status != WARPBOUND_OK)
    return status;
  if (analysis.integer.file != NULL)
    return wb_fail(error, WARPBOUND_USAGE,
                   "integer program, file: expected a single number of warps");
  struct warpbound_series *made = wb_allocate(1, sizeof *made);
  if (made == NULL)
    return wb_out_of_memory(error);
  const struct wb_question question = wb_question_of(instance);
  status = wb_series_answer(&question, first, last, &analysis, visit, context, made, error);
  if (made->count > 0)
    *series = made;
  else
    warpbound_series_free(made);
  return status;
}

void warpbound_series_free(warpbound_series *series)
{
  if (series != NULL)
    wb_series_free(series);
  free(series);
}

size_t warpbound_series_count(const warpbound_series *series)
{
  return series != NULL ? series->count : 0;
}

static const warpbound_bound no_bound = {.name = "", .source = "", .kind = WARPBOUND_ESTIMATE};

warpbound_series_row warpbound_series_at(const warpbound_series *series, size_t index)
{
  if (index >= warpbound_series_count(series))
    return (warpbound_series_row){.lower = no_bound, .upper = no_bound};
  const struct wb_series_row *row = &series->rows[index];
  return (warpbound_series_row){.warps = row->warps, .lower = row->lower, .upper = row->upper};
}

warpbound_line warpbound_series_upper_line(const warpbound_series *series)
{
  if (series == NULL || series->line.divisor == 0)
    return (warpbound_line){0};
  return (warpbound_line){.slope = series->line.slope,
                          .offset = series->line.offset,
                          .divisor = series->line.divisor,
                          .from_warps = wb_series_warps_of(series, series->line.from_warps),
                          .to_warps = UINT64_MAX};
}

warpbound_line warpbound_series_exact_line(const warpbound_series *series)
{
  struct wb_series_affine affine;
  if (series == NULL || !wb_series_find_affine(series, &affine))
    return (warpbound_line){0};
  return (warpbound_line){.slope = (int64_t)affine.slope,
                          .offset = affine.offset,
                          .divisor = 1,
                          .from_warps = series->rows[affine.first].warps,
                          .to_warps = series->rows[series->count - 1].warps};
}
