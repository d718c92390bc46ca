#include "report/makespan/makespan_series.h"

#include "base/memory.h"
#include "base/text/quantity.h"
#include "formats/json/json_output.h"

#include <inttypes.h>
#include <stdlib.h>

/* Rows in a row, of as many numbers of warps in a partition, that must lie on a line before one
 * speaks of it. */
#define AFFINE_ROWS 4

/* The members that all rows share, from any of them. */
static void note_frame(struct wb_series *series, const struct warpbound_result *result)
{
  series->partitions = result->instance->sm.partitions;
  wb_list_add_all(&series->assumptions, &result->instance->assumptions);
  if (!series->json) {
    wb_makespan_table_head(result, series->colour, &series->head);
    return;
  }
  json_t *whole = wb_makespan_json(result);
  series->instance = json_incref(json_object_get(whole, "instance"));
  json_decref(whole);
}

warpbound_status wb_series_add(struct wb_series *series, const struct warpbound_result *result,
                               warpbound_error *error)
{
  if (!wb_grow(series->rows, &series->capacity, series->count + 1))
    return wb_out_of_memory(error);
  if (series->count == 0)
    note_frame(series, result);
  series->estimate = result->instance->estimate;
  wb_list_add_all(&series->assumptions, &result->assumptions);
  if (series->line.divisor == 0)
    series->line = result->line;
  struct wb_series_row *row = &series->rows[series->count++];
  *row = (struct wb_series_row){.warps = result->instance->warps,
                                .each = result->instance->problem.warps,
                                .lower = result->lower.cycles,
                                .upper = result->upper.cycles};
  if (series->json)
    row->json = wb_makespan_row_json(result);
  else
    wb_makespan_table_row(result, series->colour, &row->text);
  return WARPBOUND_OK;
}

static int by_warps(const void *left, const void *right)
{
  const struct wb_series_row *a = left, *b = right;
  return (a->warps > b->warps) - (a->warps < b->warps);
}

/* The last rows that are exact and lie on one line: T = slope * w + offset from row `first`
 * on, w being the warps of a partition. */
struct affine {
  size_t first;
  uint64_t slope;
  int64_t offset;
};

static bool on_line(const struct wb_series_row *a, const struct wb_series_row *b, uint64_t slope)
{
  return a->lower == a->upper && b->lower == b->upper && b->each - a->each <= 1 &&
         b->lower >= a->lower && b->lower - a->lower == slope * (b->each - a->each);
}

static bool find_affine(const struct wb_series *series, struct affine *affine)
{
  const struct wb_series_row *rows = series->rows, *last = &rows[series->count - 1];
  const struct wb_series_row *before = last;
  while (before > rows && before->each == last->each)
    before--;
  if (last->each - before->each != 1 || last->lower < before->lower)
    return false;
  affine->slope = last->lower - before->lower;
  affine->first = series->count - 1;
  while (affine->first > 0 &&
         on_line(&rows[affine->first - 1], &rows[affine->first], affine->slope))
    affine->first--;
  affine->offset = (int64_t)last->lower - (int64_t)(affine->slope * last->each);
  return last->each - rows[affine->first].each + 1 >= AFFINE_ROWS;
}

/* "4 W + 1": of one partition the warps are those of the SM. */
static void write_affine_form(const struct wb_series *series, int64_t slope, int64_t offset,
                              struct wb_text *text)
{
  int64_t size = offset < 0 ? -offset : offset;
  if (slope != 1)
    wb_text_format(text, "%" PRId64 " ", slope);
  wb_text_string(text, series->partitions > 1 ? "w" : "W");
  if (size > 0)
    wb_text_format(text, " %c %" PRId64, offset < 0 ? '-' : '+', size);
}

static void explain_warps(const struct wb_series *series, struct wb_text *text)
{
  if (series->partitions > 1)
    wb_text_format(text, ", w = ceil(W / %" PRIu32 ") the warps of a partition",
                   series->partitions);
}

/* The least W whose partitions have so many warps. */
static uint64_t warps_of(const struct wb_series *series, uint32_t each)
{
  return (uint64_t)(each - 1) * series->partitions + 1;
}

/* The upper end for every number of warps, where a potential gave one. */
static void write_line_text(const struct wb_series *series, struct wb_text *text)
{
  const struct wb_potential_line *line = &series->line;
  wb_text_format(text, "for every W >= %" PRIu64 ": T(W) <= %s", warps_of(series, line->from_warps),
                 line->divisor > 1 ? "floor((" : "");
  write_affine_form(series, line->slope, line->offset, text);
  if (line->divisor > 1)
    wb_text_format(text, ") / %" PRId64 ")", line->divisor);
  wb_text_string(text, " cycles");
  explain_warps(series, text);
  wb_text_format(text, ", %s, by one potential\n", series->estimate ? "estimate" : "upper");
}

/* The range of the rows, and how many are exact. */
static void write_answer(const struct wb_series *series, struct wb_text *text)
{
  const struct wb_series_row *rows = series->rows;
  size_t exact = 0;
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (size_t r = 0; r < series->count; r++) {
    exact += rows[r].lower == rows[r].upper;
    least = rows[r].lower < least ? rows[r].lower : least;
    most = rows[r].upper > most ? rows[r].upper : most;
  }
  wb_text_count(text, least);
  wb_text_string(text, least < most ? " to " : "");
  if (least < most)
    wb_text_count(text, most);
  wb_text_format(text, " cycle%s for %" PRIu32, most == 1 ? "" : "s", rows[0].warps);
  if (series->count > 1)
    wb_text_format(text, " to %" PRIu32, rows[series->count - 1].warps);
  wb_text_format(text, " warp%s, ", rows[series->count - 1].warps == 1 ? "" : "s");
  if (series->estimate)
    wb_text_string(text, series->count > 1 ? "all estimates\n" : "an estimate\n");
  else if (exact == series->count)
    wb_text_string(text, series->count > 1 ? "all exact\n" : "exact\n");
  else
    wb_text_format(text, "%zu of %zu rows exact\n", exact, series->count);
  if (series->line.divisor != 0)
    write_line_text(series, text);
}

static void write_affine_text(const struct wb_series *series, const struct affine *affine,
                              struct wb_text *text)
{
  wb_text_string(text, "\n  affine      T(W) = ");
  write_affine_form(series, (int64_t)affine->slope, affine->offset, text);
  explain_warps(series, text);
  wb_text_format(text, "%s for W = %" PRIu32 "..%" PRIu32 ": %s\n",
                 series->partitions > 1 ? "," : "", series->rows[affine->first].warps,
                 series->rows[series->count - 1].warps,
                 series->estimate ? "estimate, row by row"
                                  : "exact, row by row; that it goes on so is an estimate");
}

static void write_text(const struct wb_series *series, struct wb_text *text)
{
  struct affine affine;
  write_answer(series, text);
  if (series->quiet)
    return;
  wb_text_append(text, series->head.data, series->head.length);
  for (size_t i = 0; i < series->count; i++)
    wb_text_append(text, series->rows[i].text.data, series->rows[i].text.length);
  if (find_affine(series, &affine))
    write_affine_text(series, &affine, text);
  wb_makespan_table_end(&series->assumptions, series->colour, text);
}

static void add_lines(const struct wb_series *series, json_t *object)
{
  struct affine affine;
  const struct wb_potential_line *line = &series->line;
  if (line->divisor != 0)
    json_object_set_new(object, "line",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "slope",
                                  (json_int_t)line->slope, "offset", (json_int_t)line->offset,
                                  "divisor", (json_int_t)line->divisor, "from_warps",
                                  (json_int_t)warps_of(series, line->from_warps), "partitions",
                                  (json_int_t)series->partitions, "kind",
                                  series->estimate ? "estimate" : "upper", "method", "potential"));
  if (find_affine(series, &affine))
    json_object_set_new(object, "affine",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "slope",
                                  (json_int_t)affine.slope, "offset", (json_int_t)affine.offset,
                                  "from_warps", (json_int_t)series->rows[affine.first].warps,
                                  "to_warps", (json_int_t)series->rows[series->count - 1].warps,
                                  "partitions", (json_int_t)series->partitions, "kind",
                                  series->estimate ? "estimate" : "exact", "beyond", "estimate"));
}

static void write_json(const struct wb_series *series, struct wb_text *text)
{
  json_object_set_new(series->instance, "warps",
                      json_sprintf("%" PRIu32 "..%" PRIu32, series->rows[0].warps,
                                   series->rows[series->count - 1].warps));
  json_object_del(json_object_get(series->instance, "normalised"), "warps");
  json_t *table = json_array();
  for (size_t i = 0; i < series->count; i++)
    json_array_append(table, series->rows[i].json);
  json_t *object = json_pack("{s:O, s:o, s:o}", "instance", series->instance, "assumptions",
                             wb_json_list(&series->assumptions), "table", table);
  if (object != NULL)
    add_lines(series, object);
  char *json = wb_json_text(object);
  if (json == NULL)
    text->failed = true;
  else
    wb_text_string(text, json);
  free(json);
}

void wb_series_write(struct wb_series *series, struct wb_text *text)
{
  if (series->count == 0)
    return;
  qsort(series->rows, series->count, sizeof *series->rows, by_warps);
  for (size_t i = 0; i < series->count; i++)
    text->failed = text->failed || series->rows[i].text.failed;
  text->failed = text->failed || series->head.failed || series->assumptions.failed;
  if (text->failed)
    return;
  if (series->json)
    write_json(series, text);
  else
    write_text(series, text);
}

void wb_series_free(struct wb_series *series)
{
  for (size_t i = 0; i < series->count; i++) {
    wb_text_free(&series->rows[i].text);
    json_decref(series->rows[i].json);
  }
  free(series->rows);
  wb_text_free(&series->head);
  wb_list_free(&series->assumptions);
  json_decref(series->instance);
  *series = (struct wb_series){0};
}
