#include "report/wcet/hybrid_report.h"

#include "base/memory.h"
#include "base/text/quantity.h"
#include "base/text/utf8.h"
#include "formats/json/json_output.h"
#include "report/report_words.h"
#include "report/wcet/wcet_report.h"

#include <inttypes.h>
#include <stdlib.h>

/* Blocks, segments and parts that the text shows; the rest is in the JSON. */
#define MOST_ROWS 12

void wb_hybrid_warning(const struct warpbound_hybrid *result, struct wb_text *text)
{
  const struct wb_hybrid *hybrid = &result->hybrid;
  if (!hybrid->below)
    return;
  wb_text_format(text,
                 "%.200s: the result, %s, is below the longest measured whole run, %s: the "
                 "segments miss some of the time, or a loop bound or fact is wrong",
                 hybrid->function->name,
                 WB_COUNT_OF((uint64_t)hybrid->wcet.ipet.proof.bound, "cycle"),
                 WB_COUNT_OF((uint64_t)hybrid->high_water.cycles, "cycle"));
}

static void write_point(const struct wb_times_point *point, struct wb_text *text)
{
  struct wb_text name = {0};
  if (point->end == WB_TIMES_BLOCK)
    wb_text_string(&name, "its block's end");
  else
    wb_times_write_point(point, &name);
  wb_text_join_clean(text, &name);
}

static void write_path(const struct wb_hybrid *hybrid, struct wb_text *text)
{
  struct wb_wcet_block *blocks = wb_allocate(hybrid->path_count, sizeof *blocks);
  text->failed = text->failed || blocks == NULL;
  for (size_t b = 0; blocks != NULL && b < hybrid->path_count; b++) {
    const struct wb_hybrid_block *row = &hybrid->path[b];
    const struct wb_warp_block *block = &hybrid->wcet.graph->blocks[row->block];
    blocks[b] = (struct wb_wcet_block){.id = row->block,
                                       .first = block->first,
                                       .last = block->last,
                                       .runs = row->runs,
                                       .cycles = row->cycles,
                                       .unmeasured = row->unmeasured};
  }
  if (blocks != NULL && hybrid->path_count > 0)
    wb_wcet_blocks_text(&hybrid->wcet, blocks, hybrid->path_count, true, text);
  free(blocks);
}

static int by_time(const void *a, const void *b)
{
  const struct wb_hybrid_segment *x = *(const struct wb_hybrid_segment *const *)a;
  const struct wb_hybrid_segment *y = *(const struct wb_hybrid_segment *const *)b;
  if (x->used != y->used)
    return x->used ? -1 : 1;
  if (x->cycles != y->cycles)
    return x->cycles > y->cycles ? -1 : 1;
  return (x > y) - (x < y);
}

static void write_segments(const struct wb_hybrid *hybrid, struct wb_text *text)
{
  const struct wb_hybrid_segment **rows = wb_allocate(hybrid->segment_count, sizeof *rows);
  if (rows == NULL) {
    text->failed = true;
    return;
  }
  for (size_t s = 0; s < hybrid->segment_count; s++)
    rows[s] = &hybrid->segments[s];
  if (hybrid->segment_count > 1)
    qsort(rows, hybrid->segment_count, sizeof *rows, by_time);
  wb_text_string(text, "  longest segments, cycles\n");
  for (size_t s = 0; s < hybrid->segment_count && s < MOST_ROWS; s++) {
    wb_text_format(text, "    %10s  ", WB_COUNT((uint64_t)rows[s]->cycles));
    write_point(&rows[s]->from, text);
    wb_text_string(text, " to ");
    write_point(&rows[s]->to, text);
    wb_text_string(text, ", ");
    wb_text_count_of(text, rows[s]->rows, "row");
    if (rows[s]->count >= 0)
      wb_text_format(text, ", at most %" PRId64 " in a run", rows[s]->count);
    wb_text_string(text, rows[s]->used ? "\n"
                                       : "; not used: no way of the code, or its block has a "
                                         "row of its own\n");
  }
  if (hybrid->segment_count > MOST_ROWS)
    wb_text_format(text, "    and %zu segments more (--json)\n", hybrid->segment_count - MOST_ROWS);
  free(rows);
}

static void write_place(const struct wb_hybrid *hybrid, uint32_t instruction, const char *word,
                        struct wb_text *text)
{
  if (instruction == WB_HYBRID_NOWHERE) {
    wb_text_string(text, word);
    return;
  }
  wb_text_format(text, "0x%04" PRIx32, hybrid->function->instructions[instruction].address);
  wb_source_line_write(hybrid->code, &hybrid->function->instructions[instruction], " ", text);
}

void wb_hybrid_gaps_text(const struct warpbound_hybrid *result, struct wb_text *text)
{
  const struct wb_hybrid *hybrid = &result->hybrid;
  if (hybrid->gap_count > 0)
    wb_text_string(text, "  not measured\n");
  for (size_t g = 0; g < hybrid->gap_count && g < MOST_ROWS; g++) {
    const struct wb_hybrid_gap *gap = &hybrid->gaps[g];
    wb_text_string(text, gap->segment ? "    from " : "    ");
    write_place(hybrid, gap->first, "the start", text);
    wb_text_string(text, " to ");
    write_place(hybrid, gap->last, "the end", text);
    wb_text_string(text, "\n");
  }
  if (hybrid->gap_count > MOST_ROWS)
    wb_text_format(text, "    and %zu parts more (--json)\n", hybrid->gap_count - MOST_ROWS);
}

static void write_kernel(const struct warpbound_hybrid *result, bool colour, struct wb_text *text)
{
  const struct wb_hybrid *hybrid = &result->hybrid;
  const struct wb_ipet_result *ipet = &hybrid->wcet.ipet;
  const struct wb_high_water *mark = &hybrid->high_water;
  wb_kernel_title(text, hybrid->function->name, colour);
  wb_text_string(text, "\n  question             WCET of one warp, from measured times and the "
                       "code's own paths\n  high-water mark      ");
  if (mark->count > 0) {
    wb_text_format(text, "%s, the longest of %s; mean %.1f",
                   WB_COUNT_OF((uint64_t)mark->cycles, "cycle"),
                   WB_COUNT_OF(mark->count, "whole run"), mark->mean);
  } else {
    wb_text_string(text, "not measured: no row from start to end");
  }
  wb_text_string(text, "\n  static               ");
  if (hybrid->has_static) {
    wb_text_format(text, "%s, %s, by 'wcet' with the costs of --cost",
                   WB_COUNT_OF((uint64_t)hybrid->static_cycles, "cycle"),
                   warpbound_kind_name(hybrid->static_kind));
  } else {
    wb_text_string(text, "not known: ");
    wb_text_clean(text, hybrid->static_refusal);
  }
  wb_text_format(text, "\n  times                %s of %s",
                 WB_COUNT_OF(hybrid->segment_count, "segment"), WB_COUNT_OF(hybrid->rows, "row"));
  const double whole = (double)ipet->cycles;
  if (ipet->taken != NULL)
    wb_text_format(text, "; %.1f %% of the worst %s measured",
                   100.0 - (whole > 0 ? 100.0 * (double)hybrid->unmeasured / whole : 0),
                   hybrid->wcet.graph->groups ? "run" : "path");
  wb_text_format(text,
                 "\n  integer program      %s, %s, solved by %s; its dual proof was checked in "
                 "integers\n",
                 WB_COUNT_OF(hybrid->wcet.columns, "column"), WB_COUNT_OF(hybrid->wcet.rows, "row"),
                 ipet->solver);
  wb_wcet_loops_text(&hybrid->wcet, text);
  write_path(hybrid, text);
  write_segments(hybrid, text);
  wb_hybrid_gaps_text(result, text);
}

void wb_hybrid_doubts(const struct warpbound_hybrid *result, struct wb_text *text)
{
  wb_kernel_name_write(result->hybrid.function->name, text);
  wb_text_string(text, ", ");
  wb_estimate_summary(&result->hybrid.estimate, text);
}

void wb_hybrid_text(const struct warpbound_hybrid *const *results, size_t count, bool quiet,
                    bool colour, struct wb_text *text)
{
  for (size_t k = 0; k < count; k++) {
    const struct wb_hybrid *hybrid = &results[k]->hybrid;
    wb_kernel_name_write(hybrid->function->name, text);
    wb_text_format(text, ": %s%s, %s%s", wb_kind_style(WARPBOUND_ESTIMATE, colour),
                   WB_COUNT_OF((uint64_t)hybrid->wcet.ipet.proof.bound, "cycle"),
                   warpbound_kind_name(WARPBOUND_ESTIMATE), wb_style(WB_STYLE_PLAIN, colour));
    if (hybrid->high_water.count > 0)
      wb_text_format(text, "; high-water mark %s%s", WB_COUNT((uint64_t)hybrid->high_water.cycles),
                     hybrid->below ? ", which is above it" : "");
    if (hybrid->has_static)
      wb_text_format(text, "; static %s, %s", WB_COUNT((uint64_t)hybrid->static_cycles),
                     warpbound_kind_name(hybrid->static_kind));
    wb_text_string(text, "\n");
    wb_estimate_text(&hybrid->estimate, "estimate", colour, text);
  }
  if (quiet)
    return;
  for (size_t k = 0; k < count; k++)
    write_kernel(results[k], colour, text);
  struct wb_kernel_list *lists = wb_allocate(count, sizeof *lists);
  for (size_t k = 0; lists != NULL && k < count; k++)
    lists[k] =
        (struct wb_kernel_list){results[k]->hybrid.function->name, &results[k]->hybrid.assumptions};
  wb_assumptions_write(lists, count, colour, text);
}

/* A point as a row has it: text, or null for the end of the block. */
static json_t *point_json(const struct wb_times_point *point)
{
  struct wb_text text = {0};
  if (point->end == WB_TIMES_BLOCK)
    return json_null();
  wb_times_write_point(point, &text);
  return wb_json_clean_text(&text);
}

/* The address of an instruction, with its line; a word where there is none. */
static json_t *place_json(const struct wb_hybrid *hybrid, uint32_t instruction, const char *word)
{
  if (instruction == WB_HYBRID_NOWHERE)
    return json_string(word);
  const struct wb_instruction *at = &hybrid->function->instructions[instruction];
  json_t *json = json_pack("{s:I}", "address", (json_int_t)at->address);
  wb_source_line_put(&json, hybrid->code, at);
  return json;
}

json_t *wb_hybrid_json(const struct wb_hybrid *hybrid)
{
  const struct wb_ipet_result *ipet = &hybrid->wcet.ipet;
  const struct wb_high_water *mark = &hybrid->high_water;
  json_t *high_water =
      mark->count == 0
          ? json_null()
          : json_pack("{s:I, s:f, s:I, s:b}", "cycles", (json_int_t)mark->cycles, "mean",
                      mark->mean, "runs", (json_int_t)mark->count, "above", hybrid->below);
  json_t *found = ipet->taken != NULL ? json_integer(ipet->cycles) : json_null();
  json_t *number =
      json_pack("{s:I, s:s, s:s, s:o, s:I, s:I}", "cycles", (json_int_t)ipet->proof.bound, "kind",
                warpbound_kind_name(WARPBOUND_ESTIMATE), "method", "hybrid-ipet", "path_cycles",
                found, "start_cycles", (json_int_t)hybrid->before, "unmeasured_cycles",
                (json_int_t)hybrid->unmeasured);
  wb_estimate_put(&number, &hybrid->estimate);
  json_t *array = json_array();
  for (size_t s = 0; s < hybrid->segment_count; s++) {
    const struct wb_hybrid_segment *segment = &hybrid->segments[s];
    json_t *count = segment->count >= 0 ? json_integer(segment->count) : json_null();
    wb_json_push(&array, json_pack("{s:o, s:o, s:I, s:o, s:I, s:b}", "from",
                                   point_json(&segment->from), "to", point_json(&segment->to),
                                   "cycles", (json_int_t)segment->cycles, "count", count, "rows",
                                   (json_int_t)segment->rows, "used", segment->used));
  }
  json_t *gap_array = json_array();
  for (size_t g = 0; g < hybrid->gap_count; g++) {
    const struct wb_hybrid_gap *gap = &hybrid->gaps[g];
    wb_json_push(&gap_array,
                 json_pack("{s:s, s:o, s:o}", "what", gap->segment ? "segment" : "instructions",
                           gap->segment ? "from" : "first", place_json(hybrid, gap->first, "start"),
                           gap->segment ? "to" : "last", place_json(hybrid, gap->last, "end")));
  }
  json_t *path_array = json_array();
  for (size_t b = 0; b < hybrid->path_count; b++) {
    const struct wb_hybrid_block *row = &hybrid->path[b];
    const struct wb_warp_block *block = &hybrid->wcet.graph->blocks[row->block];
    const struct wb_instruction *code = hybrid->function->instructions;
    wb_json_push(&path_array, json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "first",
                                        (json_int_t)code[block->first].address, "last",
                                        (json_int_t)code[block->last].address, "context",
                                        (json_int_t)block->context, "count", (json_int_t)row->runs,
                                        "cycles", (json_int_t)row->cycles, "unmeasured_cycles",
                                        (json_int_t)row->unmeasured));
  }
  json_t *by_costs =
      hybrid->has_static
          ? json_pack("{s:I, s:s, s:s}", "cycles", (json_int_t)hybrid->static_cycles, "kind",
                      warpbound_kind_name(hybrid->static_kind), "method", "ipet")
          : json_pack("{s:n, s:o}", "cycles", "reason", wb_json_clean(hybrid->static_refusal));
  if (hybrid->has_static)
    wb_estimate_put(&by_costs, &hybrid->static_estimate);
  json_t *object =
      json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "name",
                wb_json_clean(hybrid->function->name), "hybrid", number, "high_water_mark",
                high_water, "static", by_costs, "segments", array, "unmeasured", gap_array, "path",
                path_array, "loops", wb_wcet_loops_json(&hybrid->wcet), "rows",
                (json_int_t)hybrid->rows, "assumptions", wb_json_list(&hybrid->assumptions));
  wb_kernel_name_json(object, hybrid->function->name);
  return object;
}

void wb_hybrid_list_json(const struct warpbound_hybrid *const *results, size_t count,
                         struct wb_text *text)
{
  json_t *array = json_array();
  for (size_t k = 0; k < count; k++)
    wb_json_push(&array, wb_hybrid_json(&results[k]->hybrid));
  wb_json_append(json_pack("{s:o}", "kernels", array), text);
}
