#include "report/makespan_series.h"

#include "base/memory.h"
#include "report/json_output.h"

#include <inttypes.h>
#include <stdlib.h>

/* Rows in a row that must lie on a line before one speaks of it. */
#define AFFINE_ROWS 4

static void note_line(struct wb_series *series, const struct wb_potential_proof *proof)
{
  if (proof->cycles > 0 && series->line.divisor == 0)
    series->line =
        (struct wb_series_line){proof->slope, proof->offset, proof->divisor, proof->steady_from};
}

/* What all rows share, from any of them. */
static void note_frame(struct wb_series *series, const struct warpbound_result *result)
{
  if (!series->json) {
    wb_makespan_table_head(result, series->colour, &series->head);
    wb_makespan_table_end(result, series->colour, &series->tail);
    return;
  }
  json_t *whole = wb_makespan_json(result);
  series->instance = json_incref(json_object_get(whole, "instance"));
  series->assumptions = json_incref(json_object_get(whole, "assumptions"));
  json_decref(whole);
}

/* What a row rests on beyond the instance's own assumptions, each once; the frame's row has
 * said its own. */
static void note_further(struct wb_series *series, const struct warpbound_result *result)
{
  for (size_t i = 0; i < result->assumptions.count; i++) {
    const char *text = result->assumptions.items[i];
    size_t known = series->further.count;
    wb_list_add(&series->further, "%s", text);
    if (series->count == 0 || series->further.count == known)
      continue;
    if (series->json)
      json_array_append_new(series->assumptions, json_string(text));
    else
      wb_text_format(&series->tail, "  - %s\n", text);
  }
}

warpbound_status wb_series_add(struct wb_series *series, const struct warpbound_result *result,
                               warpbound_error *error)
{
  void *rows = series->rows;
  if (!wb_grow(&rows, &series->capacity, series->count + 1, sizeof *series->rows))
    return wb_out_of_memory(error);
  series->rows = rows;
  if (series->count == 0)
    note_frame(series, result);
  series->estimate = result->instance->estimate;
  note_further(series, result);
  note_line(series, &result->potential);
  struct wb_series_row *row = &series->rows[series->count++];
  *row = (struct wb_series_row){.warps = result->instance->warps,
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

/* The last rows that are exact and lie on one line: T = slope * W + offset from row `first`
 * on. */
struct affine {
  size_t first;
  uint64_t slope;
  int64_t offset;
};

static bool on_line(const struct wb_series_row *a, const struct wb_series_row *b, uint64_t slope)
{
  return a->lower == a->upper && b->lower == b->upper && b->warps == a->warps + 1 &&
         b->lower >= a->lower && b->lower - a->lower == slope;
}

static bool find_affine(const struct wb_series *series, struct affine *affine)
{
  const struct wb_series_row *rows = series->rows;
  size_t last = series->count - 1;
  if (series->count < AFFINE_ROWS || rows[last].lower < rows[last - 1].lower)
    return false;
  affine->slope = rows[last].lower - rows[last - 1].lower;
  affine->first = last;
  while (affine->first > 0 &&
         on_line(&rows[affine->first - 1], &rows[affine->first], affine->slope))
    affine->first--;
  affine->offset = (int64_t)rows[last].lower - (int64_t)(affine->slope * rows[last].warps);
  return last - affine->first + 1 >= AFFINE_ROWS;
}

static void write_line_text(const struct wb_series *series, struct wb_text *text)
{
  const struct wb_series_line *line = &series->line;
  int64_t size = line->offset < 0 ? -line->offset : line->offset;
  char sign = line->offset < 0 ? '-' : '+';
  wb_text_string(text, "\n  line        ");
  if (line->divisor == 1)
    wb_text_format(text, "T(W) <= %" PRId64 " W %c %" PRId64, line->slope, sign, size);
  else
    wb_text_format(text, "T(W) <= floor((%" PRId64 " W %c %" PRId64 ") / %" PRId64 ")", line->slope,
                   sign, size, line->divisor);
  wb_text_format(text, " for every W >= %" PRIu32 ": %s, by one potential\n", line->from_warps,
                 series->estimate ? "estimate" : "upper");
}

static void write_affine_text(const struct wb_series *series, const struct affine *affine,
                              struct wb_text *text)
{
  uint32_t last = series->rows[series->count - 1].warps;
  int64_t size = affine->offset < 0 ? -affine->offset : affine->offset;
  wb_text_format(
      text,
      "\n  affine      T(W) = %" PRIu64 " W %c %" PRId64 " for W = %" PRIu32 "..%" PRIu32 ": %s\n",
      affine->slope, affine->offset < 0 ? '-' : '+', size, series->rows[affine->first].warps, last,
      series->estimate ? "estimate, row by row"
                       : "exact, row by row; that it goes on so is an estimate");
}

static void write_text(const struct wb_series *series, struct wb_text *text)
{
  struct affine affine;
  wb_text_append(text, series->head.data, series->head.length);
  for (size_t i = 0; i < series->count; i++)
    wb_text_append(text, series->rows[i].text.data, series->rows[i].text.length);
  if (series->line.divisor != 0)
    write_line_text(series, text);
  if (find_affine(series, &affine))
    write_affine_text(series, &affine, text);
  if (series->tail.length > 0)
    wb_text_append(text, series->tail.data, series->tail.length);
}

static void add_lines(const struct wb_series *series, json_t *object)
{
  struct affine affine;
  const struct wb_series_line *line = &series->line;
  if (line->divisor != 0)
    json_object_set_new(object, "line",
                        json_pack("{s:I, s:I, s:I, s:I, s:s, s:s}", "slope",
                                  (json_int_t)line->slope, "offset", (json_int_t)line->offset,
                                  "divisor", (json_int_t)line->divisor, "from_warps",
                                  (json_int_t)line->from_warps, "kind",
                                  series->estimate ? "estimate" : "upper", "method", "potential"));
  if (find_affine(series, &affine))
    json_object_set_new(object, "affine",
                        json_pack("{s:I, s:I, s:I, s:I, s:s, s:s}", "slope",
                                  (json_int_t)affine.slope, "offset", (json_int_t)affine.offset,
                                  "from_warps", (json_int_t)series->rows[affine.first].warps,
                                  "to_warps", (json_int_t)series->rows[series->count - 1].warps,
                                  "kind", series->estimate ? "estimate" : "exact", "beyond",
                                  "estimate"));
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
  json_t *object = json_pack("{s:O, s:O, s:o}", "instance", series->instance, "assumptions",
                             series->assumptions, "table", table);
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
  text->failed =
      text->failed || series->head.failed || series->tail.failed || series->further.failed;
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
  wb_text_free(&series->tail);
  wb_list_free(&series->further);
  json_decref(series->instance);
  json_decref(series->assumptions);
  *series = (struct wb_series){0};
}
