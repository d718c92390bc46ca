/* The upper end of a launch by stages in series (doc/launches/series.md). */
#include "analysis/launch/launch_maxima.h"
#include "analysis/launch/launch_steps.h"
#include "base/list.h"
#include "base/text.h"
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

/* "address, load_store, shared": by place. */
static void write_stages(const struct wb_timed_code *code, struct wb_text *text)
{
  for (unsigned place = 1; place <= WB_RESOURCE_LIMIT; place++) {
    for (size_t r = 0; r < code->resource_count; r++) {
      if (code->resources[r].place == place)
        wb_text_format(text, "%s%s", place > 1 ? ", " : "", code->resources[r].name);
    }
  }
}

/* What the bound by series assumes. */
static warpbound_status state(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct wb_text names = {0};
  write_stages(&analysis->timed, &names);
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

warpbound_status wb_launch_series_try(struct wb_launch_job *job)
{
  struct wb_launch_analysis *analysis = job->analysis;
  struct solved solved = {0};
  struct wb_launch_upper uppers;
  /* Kernels beside each other may have other places for one resource. */
  if (!job->question->options->unlimited_queues || job->question->options->in_company)
    return WARPBOUND_OK;
  analysis->upper_without_series = analysis->upper.cycles;
  if (!wb_stage_series_mark(&analysis->timed))
    return WARPBOUND_OK;
  exchange(analysis, &solved);
  warpbound_status status = wb_launch_maxima_make(job);
  if (status == WARPBOUND_OK)
    status = wb_launch_upper_find(&analysis->maxima.terms, &analysis->shape, &analysis->residencies,
                                  analysis->balanced, &uppers, job->error);
  analysis->series = status == WARPBOUND_OK && uppers.bound.cycles < analysis->upper.cycles;
  if (analysis->series) {
    status = wb_launch_upper_take(job, &uppers);
    if (status == WARPBOUND_OK)
      status = state(job);
  } else {
    exchange(analysis, &solved);
    wb_stage_series_clear(&analysis->timed);
  }
  wb_launch_maxima_free(&solved.maxima);
  wb_warp_times_free(&solved.times);
  return status;
}
