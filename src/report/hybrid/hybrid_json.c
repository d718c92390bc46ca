/* A WCET from measured times as JSON. */
#include "report/hybrid/hybrid_report.h"

#include "formats/json/json_output.h"
#include "report/report_words.h"
#include "report/wcet/wcet_report.h"

/* A point as a row has it: text, or null for the end of the block. */
static json_t *point_json(const struct wb_times_point *point)
{
  struct wb_text text = {0};
  if (point->end == WB_TIMES_BLOCK)
    return json_null();
  wb_times_write_point(point, &text);
  json_t *json = text.failed ? NULL : wb_json_clean(text.data);
  wb_text_free(&text);
  return json;
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

static json_t *static_json(const struct wb_hybrid *hybrid)
{
  if (!hybrid->has_static)
    return json_pack("{s:n, s:o}", "cycles", "reason", wb_json_clean(hybrid->static_refusal));
  json_t *object = json_pack("{s:I, s:s, s:s}", "cycles", (json_int_t)hybrid->static_cycles, "kind",
                             warpbound_kind_name(hybrid->static_kind), "method", "ipet");
  wb_estimate_put(&object, &hybrid->static_estimate);
  return object;
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
  json_t *object =
      json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "name",
                wb_json_clean(hybrid->function->name), "hybrid", number, "high_water_mark",
                high_water, "static", static_json(hybrid), "segments", array, "unmeasured",
                gap_array, "path", path_array, "loops", wb_wcet_loops_json(&hybrid->wcet), "rows",
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
