#include "analysis/instrument/raw_times.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

struct writing {
  const char *raw_name;
  const struct wb_raw *raw;
  const struct wb_instrumentation *made;
  struct wb_text *times;
  bool *reached; /* by point: some thread came there */
  warpbound_error *error;
};

/* Least and greatest time of a calibration, in a comment. */
static void write_calibration(const struct writing *writing, uint32_t row, const char *what)
{
  const struct wb_raw *raw = writing->raw;
  uint32_t least = UINT32_MAX;
  uint32_t most = 0;
  for (size_t run = 0; run < raw->run_count; run++) {
    for (size_t warp = 0; warp < raw->warp_count; warp++) {
      const struct wb_raw_row at = wb_raw_row_of(raw, run, warp, row);
      if (at.count == 0)
        continue;
      least = at.longest < least ? at.longest : least;
      most = at.longest > most ? at.longest : most;
    }
  }
  if (least <= most)
    wb_text_format(writing->times, "# %s: %lu to %lu cycles\n", what, (unsigned long)least,
                   (unsigned long)most);
}

static void write_point(struct wb_text *times, uint32_t point)
{
  if (point == WB_POINT_END)
    wb_text_string(times, "end");
  else
    wb_text_format(times, WB_POINTS_FILE ":%lu", WB_POINT_LINE(point));
}

/* One row of one warp, where it was seen: of a transition, or of the whole run. */
static warpbound_status write_row(const struct writing *writing, size_t run, size_t warp,
                                  const struct wb_point_transition *transition)
{
  const struct wb_raw_row row = wb_raw_row_of(writing->raw, run, warp, transition->row);
  struct wb_text *times = writing->times;
  if (row.count == 0 && row.longest == 0)
    return WARPBOUND_OK;
  if (row.longest == WB_RAW_SATURATED)
    return wb_fail_at(writing->error, WARPBOUND_INVALID_INPUT, writing->raw_name, 0, 0,
                      "expected times of less than 4294967295 cycles, found a longer one in run "
                      "%zu, warp %zu: choose more points",
                      run, warp);
  writing->reached[transition->to] = true;
  const bool own = warp < writing->raw->warp_count;
  wb_text_format(times, "%s,%zu,", writing->made->kernel, run);
  if (own)
    wb_text_format(times, "%zu,", warp);
  else
    wb_text_string(times, "others,");
  if (transition->row == WB_ROW_WHOLE)
    wb_text_string(times, "start");
  else
    write_point(times, transition->from);
  wb_text_string(times, ",");
  write_point(times, transition->to);
  if (own)
    wb_text_format(times, ",%lu", (unsigned long)row.count);
  else
    wb_text_string(times, ",");
  wb_text_format(times, ",%lu\n", (unsigned long)row.longest);
  return WARPBOUND_OK;
}

warpbound_status wb_raw_times(const char *raw_name, const struct wb_raw *raw,
                              const struct wb_instrumentation *made, struct wb_text *times,
                              warpbound_error *error)
{
  static const struct wb_point_transition whole = {WB_POINT_START, WB_POINT_END, WB_ROW_WHOLE};
  const struct wb_point_graph *graph = &made->graph;
  struct writing writing = {raw_name, raw, made, times, NULL, error};
  warpbound_status status = WARPBOUND_OK;
  if (raw->checksum != made->checksum)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, raw_name, 0, 0,
                      "expected the output of this instrumented PTX (checksum %016llx), found that "
                      "of another (%016llx): the listing, --kernel, --at or --point differ",
                      (unsigned long long)made->checksum, (unsigned long long)raw->checksum);
  if (raw->row_count != graph->row_count || raw->kernel_length != strlen(made->kernel) ||
      memcmp(raw->kernel, made->kernel, raw->kernel_length) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, raw_name, 0, 0,
                      "expected %lu rows of kernel %.120s, found %lu of %.*s",
                      (unsigned long)graph->row_count, made->kernel, (unsigned long)raw->row_count,
                      (int)(raw->kernel_length < 120 ? raw->kernel_length : 120), raw->kernel);
  writing.reached = wb_allocate(made->graph.point_count, sizeof *writing.reached);
  if (writing.reached == NULL)
    return wb_out_of_memory(error);
  write_calibration(&writing, WB_ROW_EMPTY, "two reads of the clock, one after the other");
  write_calibration(&writing, WB_ROW_PROBE, "a probe, which no time below holds");
  wb_text_format(times,
                 "kernel,run,warp,from,to,count,cycles\n%s,,,start," WB_POINTS_FILE ":%lu,1,0\n",
                 made->kernel, WB_POINT_LINE(WB_POINT_START));
  /* The rows of all runs, of which there must be one. */
  const size_t warps = (size_t)raw->warp_count + (raw->others ? 1 : 0);
  const size_t head = times->length;
  for (size_t w = 0; w < raw->run_count * warps && status == WARPBOUND_OK && !times->failed; w++) {
    for (size_t t = 0; t < graph->transition_count && status == WARPBOUND_OK; t++)
      status = write_row(&writing, w / warps, w % warps, &graph->transitions[t]);
    if (status == WARPBOUND_OK)
      status = write_row(&writing, w / warps, w % warps, &whole);
  }
  if (status == WARPBOUND_OK && times->length == head)
    status = wb_fail_at(error, WARPBOUND_INVALID_INPUT, raw_name, 0, 0,
                        "expected times of warps, found none: no thread came to a point");
  /* Rows that measure nothing, for points that no thread came to: code there is not measured, and
   * no part of another segment. */
  for (uint32_t point = WB_POINT_FIRST_PLACE; point < graph->point_count; point++) {
    if (status != WARPBOUND_OK || writing.reached[point])
      continue;
    const size_t next = graph->first[point];
    wb_text_format(times, "%s,,,", made->kernel);
    write_point(times, point);
    wb_text_string(times, ",");
    write_point(times, next < graph->first[point + 1] ? graph->transitions[next].to : WB_POINT_END);
    wb_text_string(times, ",0,0\n");
  }
  free(writing.reached);
  return times->failed ? wb_out_of_memory(error) : status;
}
