/* A WCET as JSON. */
#include "report/wcet/wcet_report.h"

#include "formats/json/json_output.h"
#include "report/report_words.h"

#include <stdlib.h>

const char *wb_wcet_kind(const struct wb_wcet *wcet)
{
  return warpbound_kind_name(wb_wcet_bound_kind(wcet));
}

const char *wb_wcet_source_name(enum wb_bound_source source)
{
  static const char *const names[] = {"unknown", "default", "fact", "comment", "found"};
  return names[source];
}

json_t *wb_wcet_loops_json(const struct wb_wcet *wcet)
{
  json_t *loops = json_array();
  for (size_t l = 0; l < wcet->forest.loop_count; l++) {
    const struct wb_wcet_loop *loop = &wcet->loops[l];
    const struct wb_warp_block *header = &wcet->graph->blocks[wcet->forest.loops[l].header];
    const struct wb_instruction *first = &wcet->function->instructions[header->first];
    /* The united block that an instruction stands in: blocks are sorted by address. */
    const uint32_t instruction = header->first;
    size_t low = 0;
    size_t high = wcet->flow.united.block_count;
    while (high - low > 1) {
      size_t middle = low + (high - low) / 2;
      if (wcet->flow.united.blocks[middle].first <= instruction)
        low = middle;
      else
        high = middle;
    }
    json_t *object =
        json_pack("{s:I, s:I, s:s, s:b, s:s, s:I}", "header", (json_int_t)((uint32_t)low),
                  "address", (json_int_t)first->address, "per", loop->per_warp ? "warp" : "thread",
                  "balanced", loop->balanced, "source", wb_wcet_source_name(loop->source),
                  "context", (json_int_t)header->context);
    if (loop->source != WB_BOUND_UNKNOWN) {
      wb_json_put(&object, "bound", json_integer((json_int_t)loop->bound));
      wb_json_put(&object, "warp_bound", json_integer((json_int_t)loop->warp_bound));
    }
    if (loop->least > 0)
      wb_json_put(&object, "least", json_integer((json_int_t)loop->least));
    if (loop->reason != NULL)
      wb_json_put(&object, "reason", wb_json_clean(loop->reason));
    const struct wb_instruction *named = wb_wcet_loop_line(wcet, l);
    if (named->source_line > 0)
      wb_json_put(&object, "line", json_integer(named->source_line));
    if (named->source_line > 0 && named->source_file > 0)
      wb_json_put(&object, "file", wb_json_clean(wcet->code->files[named->source_file - 1]));
    if (loop->source == WB_BOUND_FACT)
      wb_json_put(&object, "fact_line", json_integer(loop->fact_line));
    wb_json_push(&loops, object);
  }
  return loops;
}

static json_t *lines_json(const struct wb_wcet *wcet)
{
  struct wb_wcet_line *lines;
  size_t count;
  if (wb_wcet_lines(wcet, &lines, &count, NULL) != WARPBOUND_OK)
    return NULL;
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    const struct wb_wcet_line *line = &lines[i];
    const char *file = line->file > 0 ? wcet->code->files[line->file - 1] : "";
    const json_int_t cycles = (json_int_t)line->cycles;
    wb_json_push(&array, line->line == 0
                             ? json_pack("{s:n, s:n, s:I}", "file", "line", "cycles", cycles)
                             : json_pack("{s:s, s:I, s:I}", "file", file, "line",
                                         (json_int_t)line->line, "cycles", cycles));
  }
  free(lines);
  return array;
}

json_t *wb_wcet_json(const struct warpbound_wcet *result)
{
  const struct wb_wcet *wcet = &result->wcet;
  const struct wb_ipet_result *ipet = &wcet->ipet;
  json_t *bound = json_pack("{s:I, s:s, s:s}", "cycles", (json_int_t)ipet->proof.bound, "kind",
                            wb_wcet_kind(wcet), "method", "ipet");
  wb_estimate_put(&bound, &wcet->estimate);
  /* Every block that the worst path runs, by address. */
  struct wb_cfg_heat heat;
  json_t *path = wb_wcet_heat(wcet, &heat) ? json_array() : NULL;
  for (size_t b = 0; path != NULL && b < wcet->flow.united.block_count; b++) {
    const struct wb_warp_block *block = &wcet->flow.united.blocks[b];
    if (heat.runs[b] > 0)
      wb_json_push(&path,
                   json_pack("{s:I, s:I, s:I, s:I, s:I}", "block", (json_int_t)b, "first",
                             (json_int_t)wcet->function->instructions[block->first].address, "last",
                             (json_int_t)wcet->function->instructions[block->last].address, "count",
                             (json_int_t)heat.runs[b], "cycles", (json_int_t)heat.cycles[b]));
  }
  wb_wcet_heat_free(&heat);
  json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:{s:s, s:I, s:I, s:f, s:b}, s:o}", "name",
                             wcet->function->name, "wcet", bound, "path", path, "loops",
                             wb_wcet_loops_json(wcet), "lines", lines_json(wcet), "program",
                             "solver", ipet->solver, "columns", (json_int_t)wcet->columns, "rows",
                             (json_int_t)wcet->rows, "seconds", ipet->seconds, "coarse",
                             ipet->proof.coarse, "assumptions", wb_json_list(&wcet->assumptions));
  wb_kernel_name_json(object, wcet->function->name);
  if (ipet->taken != NULL)
    wb_json_put(&object, "path_cycles", json_integer((json_int_t)ipet->cycles));
  if (wcet->graph->groups)
    wb_barrier_options_put(&object, &result->options);
  return object;
}

/* The results that are kernels, or those that are not. */
static json_t *some_json(const struct warpbound_wcet *const *results, size_t count, bool kernels)
{
  json_t *array = json_array();
  for (size_t k = 0; k < count; k++) {
    if (results[k]->wcet.function->kernel == kernels)
      wb_json_push(&array, wb_wcet_json(results[k]));
  }
  return array;
}

void wb_wcet_list_json(const struct warpbound_wcet *const *results, size_t count,
                       struct wb_text *text)
{
  wb_json_append(json_pack("{s:o, s:o}", "kernels", some_json(results, count, true), "functions",
                           some_json(results, count, false)),
                 text);
}
