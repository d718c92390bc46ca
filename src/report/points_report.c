#include "report/points_report.h"

#include "base/memory.h"
#include "formats/json/json_output.h"

#include <inttypes.h>
#include <stdlib.h>

bool wb_point_is_above(const struct wb_measured_point *point)
{
  return point->measured > (double)point->upper;
}

static double ratio_of(const struct wb_measured_point *point)
{
  return (double)point->upper / point->measured;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What all points say. */
struct summary {
  size_t above;
  double median, worst; /* 0 without points */
};

static bool summarise(const struct wb_measured_point *points, size_t count, struct summary *summary)
{
  *summary = (struct summary){0};
  double *ratios = wb_allocate(count, sizeof *ratios);
  if (ratios == NULL)
    return false;
  for (size_t p = 0; p < count; p++) {
    ratios[p] = ratio_of(&points[p]);
    summary->above += wb_point_is_above(&points[p]);
  }
  if (count > 0) {
    qsort(ratios, count, sizeof *ratios, compare);
    summary->median = (ratios[(count - 1) / 2] + ratios[count / 2]) / 2;
    summary->worst = ratios[count - 1];
  }
  free(ratios);
  return true;
}

void wb_points_text(const struct wb_measured_point *points, size_t count, size_t left_out,
                    struct wb_text *text)
{
  struct summary summary;
  if (!summarise(points, count, &summary)) {
    text->failed = true;
    return;
  }
  wb_text_format(text, "%-30s %-14s %14s %14s %14s %8s\n", "point", "device", "measured", "lower",
                 "upper", "ratio");
  for (size_t p = 0; p < count; p++) {
    const struct wb_measured_point *point = &points[p];
    wb_text_format(text, "%-30s %-14s %14.0f %14" PRIu64 " %14" PRIu64 " %8.2f  %s%s\n",
                   point->name, point->device, point->measured, point->lower, point->upper,
                   ratio_of(point), point->kind, wb_point_is_above(point) ? ", ABOVE" : "");
  }
  wb_text_format(text,
                 "cycles of the SMs' clock; ratio: upper end / measured\n"
                 "%zu points, %zu above the upper end; ratio: median %.2f, worst %.2f\n",
                 count, summary.above, summary.median, summary.worst);
  if (left_out > 0)
    wb_text_format(text, "%zu points of other devices are left out\n", left_out);
}

void wb_points_json(const struct wb_measured_point *points, size_t count, size_t left_out,
                    struct wb_text *text)
{
  struct summary summary;
  if (!summarise(points, count, &summary)) {
    text->failed = true;
    return;
  }
  json_t *list = json_array();
  for (size_t p = 0; p < count; p++) {
    const struct wb_measured_point *point = &points[p];
    wb_json_push(&list, json_pack("{s:s, s:s, s:f, s:I, s:I, s:s, s:f, s:b}", "point", point->name,
                                  "device", point->device, "measured", point->measured, "lower",
                                  (json_int_t)point->lower, "upper", (json_int_t)point->upper,
                                  "kind", point->kind, "ratio", ratio_of(point), "above",
                                  (int)wb_point_is_above(point)));
  }
  wb_json_append(json_pack("{s:o, s:I, s:I, s:f, s:f}", "points", list, "left_out",
                           (json_int_t)left_out, "above", (json_int_t)summary.above, "median",
                           summary.median, "worst", summary.worst),
                 text);
}
