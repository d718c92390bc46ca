/* The upper end of a launch by stages in series (doc/launches/series.md), and by a pair of the
 * GPU's resources (doc/launches/pair.md). */
#include "analysis/launch/launch_maxima.h"
#include "analysis/launch/launch_steps.h"
#include "base/list.h"
#include "base/text.h"
#include "launch/timing/stage_pair.h"
#include "launch/timing/stage_series.h"

#include <inttypes.h>

/* Times and maxima, those of the analysis or others. */
struct solved {
  struct wb_warp_times times;
  struct wb_launch_maxima maxima;
};

static void exchange(struct wb_launch_analysis *analysis, struct solved *solved)
{
  const struct solved old = {.times = analysis->times, .maxima = analysis->maxima};
  analysis->times = solved->times;
  analysis->maxima = solved->maxima;
  analysis->maxima.times = &analysis->times;
  *solved = old;
  solved->maxima.times = &solved->times;
}

/* "address, load_store, shared": by place; of those of the GPU, or of all others. */
static void write_stages(const struct wb_timed_code *code, bool of_gpu, struct wb_text *text)
{
  for (unsigned place = 1; place <= WB_RESOURCE_LIMIT; place++) {
    for (size_t r = 0; r < code->resource_count; r++) {
      const struct wb_resource *one = &code->resources[r];
      if (one->place == place && (one->level == WB_LEVEL_GPU) == of_gpu)
        wb_text_format(text, "%s%s", text->length > 0 ? ", " : "", one->name);
    }
  }
}

/* What the bound by series assumes. */
static warpbound_status state_series(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_text names = {0};
  write_stages(&analysis->timed, false, &names);
  if (!names.failed)
    wb_list_add(&analysis->assumptions,
                "unlimited queues (Q): a request waits for %s only while that very server serves "
                "another (--queues unlimited): no stage is held up by a queue behind it; without "
                "this the upper end is %" PRIu64 " cycles",
                names.data, analysis->upper_without_series);
  const bool failed = names.failed || analysis->assumptions.failed;
  wb_text_free(&names);
  return failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
}

/* What the bound by the pair assumes. */
static warpbound_status state_pair(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const struct wb_stage_pair pair = wb_stage_pair_find(&analysis->timed, 1);
  const char *front = analysis->timed.resources[pair.front].name;
  const char *memory = analysis->timed.resources[pair.memory].name;
  wb_list_add(&analysis->assumptions,
              "unlimited queue before the memory (Q'): nothing waits for %s but a request that "
              "stands there, and that only while all of its servers serve others (--queues "
              "memory); without this the upper end is %" PRIu64 " cycles",
              memory, analysis->upper_without_series);
  wb_list_add(&analysis->assumptions,
              "sectors by themselves (I): each sector of an access goes on from %s to %s as soon "
              "as it has been served, whenever the others are (--queues memory)",
              front, memory);
  return analysis->assumptions.failed ? wb_out_of_memory(job->error) : WARPBOUND_OK;
}

/* ---- ways to count stages once ---- */

/* Marks the series, the pair, or both. Whether there is anything to mark. What is assumed of the
 * memory is said of no other resource, where the device names it. */
static bool mark(struct wb_launch_analysis *analysis, bool series, bool pair)
{
  struct wb_timed_code *code = &analysis->timed;
  const struct wb_device_timing *device = analysis->device;
  const uint8_t memory = device->has_memory ? (uint8_t)device->memory : WB_RESOURCE_LIMIT;
  wb_stage_series_clear(code);
  const bool marked = !series || wb_stage_series_mark(code);
  return marked && (!pair || wb_stage_pair_mark(code, memory));
}

/* Takes the upper end by the series, the pair, or both, where it is less. */
static warpbound_status try_one(struct wb_launch_job *job, bool series, bool pair)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct solved solved = {0};
  struct wb_launch_upper uppers;
  uint8_t before[WB_RESOURCE_LIMIT] = {0};
  for (size_t r = 0; r < analysis->timed.resource_count; r++)
    before[r] = analysis->timed.resources[r].place;
  bool less = false;
  warpbound_status status = WARPBOUND_OK;
  if (mark(analysis, series, pair)) {
    exchange(analysis, &solved);
    status = wb_launch_maxima_make(job);
    if (status == WARPBOUND_OK)
      status =
          wb_launch_upper_find(&analysis->maxima.terms, &analysis->shape, &analysis->residencies,
                               analysis->balanced, &uppers, job->error);
    less = status == WARPBOUND_OK && uppers.bound.cycles < analysis->upper.cycles;
    if (less) {
      analysis->series = series;
      analysis->pair = pair;
      status = wb_launch_upper_take(job, &uppers);
    } else {
      exchange(analysis, &solved);
    }
  }
  for (size_t r = 0; r < analysis->timed.resource_count && !less; r++)
    analysis->timed.resources[r].place = before[r];
  wb_launch_maxima_free(&solved.maxima);
  wb_warp_times_free(&solved.times);
  return status;
}

warpbound_status wb_launch_series_try(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  const warpbound_launch_options *options = job->question->options;
  const bool series = options->unlimited_queues;
  const bool pair = options->unlimited_memory_queue;
  warpbound_status status = WARPBOUND_OK;
  /* Kernels beside each other may have other places for one resource. */
  if ((!series && !pair) || options->in_company)
    return WARPBOUND_OK;
  analysis->upper_without_series = analysis->upper.cycles;
  if (series)
    status = try_one(job, true, false);
  if (pair && status == WARPBOUND_OK)
    status = try_one(job, false, true);
  if (series && pair && status == WARPBOUND_OK)
    status = try_one(job, true, true);
  if (analysis->series && status == WARPBOUND_OK)
    status = state_series(job);
  if (analysis->pair && status == WARPBOUND_OK)
    status = state_pair(job);
  return status;
}
