#include "report/makespan/makespan_series.h"

#include "base/memory.h"
#include "base/text/quantity.h"
#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <inttypes.h>
#include <stdlib.h>

/* The members that all rows share, from any of them. */
static void note_frame(struct wb_series_report *report, const struct warpbound_result *result)
{
  if (!report->json) {
    wb_makespan_table_head(result, report->colour, &report->head);
    return;
  }
  json_t *whole = wb_makespan_json(result);
  report->instance = json_incref(json_object_get(whole, "instance"));
  json_decref(whole);
}

warpbound_status wb_series_report_add(struct wb_series_report *report,
                                      const struct warpbound_result *result, warpbound_error *error)
{
  if (!wb_grow(report->lines, &report->capacity, report->count + 1))
    return wb_out_of_memory(error);
  if (report->count == 0)
    note_frame(report, result);
  struct wb_series_line *line = &report->lines[report->count++];
  *line = (struct wb_series_line){.warps = result->instance->warps};
  if (report->json)
    line->json = wb_makespan_row_json(result);
  else
    wb_makespan_table_row(result, report->colour, &line->text);
  return WARPBOUND_OK;
}

static int by_warps(const void *left, const void *right)
{
  const struct wb_series_line *one = left, *other = right;
  return (one->warps > other->warps) - (one->warps < other->warps);
}

/* "4 W + 1": of one partition the warps are those of the SM. */
static void write_affine_form(const struct warpbound_series *series, int64_t slope, int64_t offset,
                              struct wb_text *text)
{
  int64_t size = offset < 0 ? -offset : offset;
  if (slope != 1)
    wb_text_format(text, "%" PRId64 " ", slope);
  wb_text_string(text, series->partitions > 1 ? "w" : "W");
  if (size > 0)
    wb_text_format(text, " %c %" PRId64, offset < 0 ? '-' : '+', size);
}

static void explain_warps(const struct warpbound_series *series, struct wb_text *text)
{
  if (series->partitions > 1)
    wb_text_format(text, ", w = ceil(W / %" PRIu32 ") the warps of a partition",
                   series->partitions);
}

/* The range of the rows, and how many are exact. */
static void write_answer(const struct warpbound_series *series, bool colour, struct wb_text *text)
{
  const struct wb_series_row *rows = series->rows;
  size_t exact = 0;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (size_t r = 0; r < series->count; r++) {
    exact += rows[r].lower.cycles == rows[r].upper.cycles;
    least = rows[r].lower.cycles < least ? rows[r].lower.cycles : least;
    most = rows[r].upper.cycles > most ? rows[r].upper.cycles : most;
  }
  wb_text_count(text, least);
  wb_text_string(text, least < most ? " to " : "");
  if (least < most)
    wb_text_count(text, most);
  wb_text_format(text, " cycle%s for %" PRIu32, most == 1 ? "" : "s", rows[0].warps);
  if (series->count > 1)
    wb_text_format(text, " to %" PRIu32, rows[series->count - 1].warps);
  wb_text_format(text, " warp%s, ", rows[series->count - 1].warps == 1 ? "" : "s");
  if (wb_is_estimate(&series->estimate))
    wb_text_string(text, series->count > 1 ? "all estimates\n" : "an estimate\n");
  else if (exact == series->count)
    wb_text_string(text, series->count > 1 ? "all exact\n" : "exact\n");
  else
    wb_text_format(text, "%zu of %zu rows exact\n", exact, series->count);
  if (series->line.divisor != 0) {
    /* The upper end for every number of warps, where a potential gave one. */
    const struct wb_potential_line *line = &series->line;
    wb_text_format(text, "for every W >= %" PRIu64 ": T(W) <= %s",
                   wb_series_warps_of(series, line->from_warps),
                   line->divisor > 1 ? "floor((" : "");
    write_affine_form(series, line->slope, line->offset, text);
    if (line->divisor > 1)
      wb_text_format(text, ") / %" PRId64 ")", line->divisor);
    wb_text_string(text, " cycles");
    explain_warps(series, text);
    wb_text_format(text, ", %s, by one potential\n",
                   wb_is_estimate(&series->estimate) ? "estimate" : "upper");
  }
  wb_estimate_text(&series->estimate, "estimate", colour, text);
}

static void add_lines(const struct warpbound_series *series, json_t *object)
{
  struct wb_series_affine affine;
  const struct wb_potential_line *line = &series->line;
  if (line->divisor != 0)
    json_object_set_new(
        object, "line",
        json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "slope", (json_int_t)line->slope, "offset",
                  (json_int_t)line->offset, "divisor", (json_int_t)line->divisor, "from_warps",
                  (json_int_t)wb_series_warps_of(series, line->from_warps), "partitions",
                  (json_int_t)series->partitions, "kind",
                  wb_is_estimate(&series->estimate) ? "estimate" : "upper", "method", "potential"));
  if (wb_series_find_affine(series, &affine))
    json_object_set_new(object, "affine",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "slope",
                                  (json_int_t)affine.slope, "offset", (json_int_t)affine.offset,
                                  "from_warps", (json_int_t)series->rows[affine.first].warps,
                                  "to_warps", (json_int_t)series->rows[series->count - 1].warps,
                                  "partitions", (json_int_t)series->partitions, "kind",
                                  wb_is_estimate(&series->estimate) ? "estimate" : "exact",
                                  "beyond", "estimate"));
}

void wb_series_report_write(struct wb_series_report *report, const struct warpbound_series *series,
                            struct wb_text *text)
{
  if (report->count == 0 || series->count != report->count)
    return;
  qsort(report->lines, report->count, sizeof *report->lines, by_warps);
  for (size_t i = 0; i < report->count; i++)
    text->failed = text->failed || report->lines[i].text.failed;
  text->failed = text->failed || report->head.failed || series->assumptions.failed;
  if (text->failed)
    return;
  if (report->json) {
    json_object_set_new(report->instance, "warps",
                        json_sprintf("%" PRIu32 "..%" PRIu32, series->rows[0].warps,
                                     series->rows[series->count - 1].warps));
    json_object_del(json_object_get(report->instance, "normalised"), "warps");
    json_t *table = json_array();
    for (size_t i = 0; i < report->count; i++)
      json_array_append(table, report->lines[i].json);
    json_t *object = json_pack("{s:O, s:o, s:o}", "instance", report->instance, "assumptions",
                               wb_json_list(&series->assumptions), "table", table);
    if (object != NULL)
      add_lines(series, object);
    char *json = wb_json_text(object);
    if (json == NULL)
      text->failed = true;
    else
      wb_text_string(text, json);
    free(json);
  } else {
    struct wb_series_affine affine;
    write_answer(series, report->colour, text);
    if (!report->quiet) {
      wb_text_append(text, report->head.data, report->head.length);
      for (size_t i = 0; i < report->count; i++)
        wb_text_append(text, report->lines[i].text.data, report->lines[i].text.length);
      if (wb_series_find_affine(series, &affine)) {
        wb_text_string(text, "\n  affine      T(W) = ");
        write_affine_form(series, (int64_t)affine.slope, affine.offset, text);
        explain_warps(series, text);
        wb_text_format(text, "%s for W = %" PRIu32 "..%" PRIu32 ": %s\n",
                       series->partitions > 1 ? "," : "", series->rows[affine.first].warps,
                       series->rows[series->count - 1].warps,
                       wb_is_estimate(&series->estimate)
                           ? "estimate, row by row"
                           : "exact, row by row; that it goes on so is an estimate");
      }
      wb_makespan_table_end(&series->assumptions, report->colour, text);
    }
  }
}

void wb_series_report_free(struct wb_series_report *report)
{
  for (size_t i = 0; i < report->count; i++) {
    wb_text_free(&report->lines[i].text);
    json_decref(report->lines[i].json);
  }
  free(report->lines);
  wb_text_free(&report->head);
  json_decref(report->instance);
  *report = (struct wb_series_report){0};
}
