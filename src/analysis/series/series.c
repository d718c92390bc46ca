#include "analysis/series/series.h"

#include "analysis/paths/makespan/paths_makespan.h"
#include "base/memory.h"

#include <stdlib.h>

warpbound_status wb_question_answer(const struct wb_question *question, uint32_t warps,
                                    const struct wb_analysis_options *options,
                                    struct warpbound_result *result, warpbound_error *error)
{
  const struct wb_instance *asked = question->instance;
  const uint32_t blocks = asked->whole.blocks;
  *result = (struct warpbound_result){0};
  struct wb_instance *instance = wb_allocate(1, sizeof *instance);
  if (instance == NULL)
    return wb_out_of_memory(error);
  warpbound_status status;
  if (question->paths != NULL) {
    const struct wb_paths_question about_paths = {
        .like = asked, .warps = warps, .options = options};
    status = wb_paths_makespan(question->paths, &about_paths, instance, result, error);
  } else {
    status = wb_instance_make_like(asked, warps, blocks, instance, error);
    if (status == WARPBOUND_OK) {
      status = wb_analyse_makespan(instance, options, result, error);
      if (status != WARPBOUND_OK && status != WARPBOUND_LIMIT)
        wb_instance_clear(instance);
    }
  }
  if (status == WARPBOUND_OK || (status == WARPBOUND_LIMIT && result->instance != NULL))
    result->owned_instance = instance;
  else
    free(instance);
  return status;
}

/* Neighbouring rows, counted by warps of a partition, that must lie on a line before one speaks of
 * it. */
#define AFFINE_ROWS 4

/* The part of the time that the first row gets, which has the most warps and whose tables serve all
 * others. */
#define FIRST_SHARE 0.8

/* A series under way. */
struct progress {
  const struct wb_question *question;
  struct wb_analysis_options options; /* of the row under way */
  double deadline;                    /* of wb_clock; 0: none */
  wb_series_visit *visit;
  void *context;
  struct warpbound_series *series;
  warpbound_error *error;
};

static warpbound_status answer_row(struct progress *progress, uint32_t warps)
{
  struct warpbound_result result;
  const warpbound_status answered =
      wb_question_answer(progress->question, warps, &progress->options, &result, progress->error);
  if (answered != WARPBOUND_OK && (answered != WARPBOUND_LIMIT || result.instance == NULL))
    return answered;
  struct warpbound_series *series = progress->series;
  warpbound_status status = WARPBOUND_OK;
  if (series->count == 0) {
    series->partitions = result.instance->sm.partitions;
    wb_list_add_all(&series->assumptions, &result.instance->assumptions);
  }
  wb_estimate_add_all(&series->estimate, &result.instance->estimate, NULL);
  wb_list_add_all(&series->assumptions, &result.assumptions);
  if (series->line.divisor == 0)
    series->line = result.line;
  const bool grown = wb_grow(series->rows, &series->capacity, series->count + 1);
  if (!grown || series->assumptions.failed || series->estimate.failed)
    status = wb_out_of_memory(progress->error);
  else
    series->rows[series->count++] = (struct wb_series_row){.warps = result.instance->warps,
                                                           .each = result.instance->problem.warps,
                                                           .lower = result.lower,
                                                           .upper = result.upper};
  if (status == WARPBOUND_OK && progress->visit != NULL)
    status = progress->visit(progress->context, &result, answered, progress->error);
  wb_result_clear(&result);
  return status == WARPBOUND_OK ? answered : status;
}

static int by_warps(const void *left, const void *right)
{
  const struct wb_series_row *one = left, *other = right;
  return (one->warps > other->warps) - (one->warps < other->warps);
}

warpbound_status wb_series_answer(const struct wb_question *question, uint32_t first, uint32_t last,
                                  const struct wb_analysis_options *options, wb_series_visit *visit,
                                  void *context, struct warpbound_series *series,
                                  warpbound_error *error)
{
  const uint32_t blocks = question->instance->whole.blocks;
  const uint32_t partitions = question->instance->sm.partitions;
  const double limit = options->limits.time_limit;
  struct progress progress = {.question = question,
                              .options = *options,
                              .deadline = limit > 0 ? wb_clock() + limit : 0,
                              .visit = visit,
                              .context = context,
                              .series = series,
                              .error = error};
  *series = (struct warpbound_series){0};
  const uint32_t most = last - last % blocks;
  if (first == 0 || most < first)
    return wb_fail(error, WARPBOUND_USAGE,
                   "warps: expected a range from 1 on with a multiple of the %u blocks, found %u "
                   "to %u",
                   blocks, first, last);
  struct wb_warp_count_table known;
  warpbound_status status = wb_warp_count_table_make(&known, last, error);
  if (status != WARPBOUND_OK)
    return status;
  progress.options.warp_counts = &known;
  progress.options.fewest = (first + partitions - 1) / partitions;
  for (uint64_t warps = most; warps >= first && warps > 0; warps -= blocks) {
    const uint64_t rows_left = warps - first + 1;
    double left = progress.deadline - wb_clock();
    /* Each row but the first gets twice its part of the time that is left. */
    if (rows_left > 1)
      left *= series->count == 0 ? FIRST_SHARE : 2.0 / (double)(rows_left + 1);
    if (progress.deadline > 0)
      progress.options.limits.time_limit = left > 1e-9 ? left : 1e-9;
    const warpbound_status answered = answer_row(&progress, (uint32_t)warps);
    if (answered != WARPBOUND_OK)
      status = answered;
    if (answered != WARPBOUND_OK && answered != WARPBOUND_LIMIT)
      break;
  }
  wb_warp_count_table_free(&known);
  if (series->count > 1)
    qsort(series->rows, series->count, sizeof *series->rows, by_warps);
  return status;
}

bool wb_series_find_affine(const struct warpbound_series *series, struct wb_series_affine *affine)
{
  if (series->count == 0)
    return false;
  const struct wb_series_row *rows = series->rows, *last = &rows[series->count - 1];
  const struct wb_series_row *before = last;
  while (before > rows && before->each == last->each)
    before--;
  if (last->each - before->each != 1 || last->lower.cycles < before->lower.cycles)
    return false;
  affine->slope = last->lower.cycles - before->lower.cycles;
  affine->first = series->count - 1;
  for (; affine->first > 0; affine->first--) {
    const struct wb_series_row *one = &rows[affine->first - 1], *next = &rows[affine->first];
    if (one->lower.cycles != one->upper.cycles || next->lower.cycles != next->upper.cycles ||
        next->each - one->each > 1 || next->lower.cycles < one->lower.cycles ||
        next->lower.cycles - one->lower.cycles != affine->slope * (next->each - one->each))
      break;
  }
  affine->offset = (int64_t)last->lower.cycles - (int64_t)(affine->slope * last->each);
  return last->each - rows[affine->first].each + 1 >= AFFINE_ROWS;
}

uint64_t wb_series_warps_of(const struct warpbound_series *series, uint32_t each)
{
  return (uint64_t)(each - 1) * series->partitions + 1;
}

void wb_series_free(struct warpbound_series *series)
{
  free(series->rows);
  wb_list_free(&series->assumptions);
  wb_estimate_free(&series->estimate);
  *series = (struct warpbound_series){0};
}
