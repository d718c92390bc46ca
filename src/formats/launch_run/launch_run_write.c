/* Writes runs as run files. */
#include "base/memory.h"
#include "formats/json/json_output.h"
#include "formats/launch/launch_file.h"
#include "formats/launch_run/launch_run_file.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_machine(const struct wb_check_launch_run *run, struct wb_text *text)
{
  const struct wb_launch_shape *shape = &run->shape;
  wb_text_format(text, " \"machine\": {\"sms\": %" PRIu32 ", \"partitions\": %" PRIu32, shape->sms,
                 shape->partitions);
  if (run->graph == NULL)
    wb_text_format(text, ", \"resident_blocks\": %" PRIu32, shape->resident_blocks);
  wb_text_format(
      text, ", \"overhead\": %" PRIu64 ", \"block_start\": %" PRIu32 ", \"dispatch\": %" PRIu32,
      shape->overhead, shape->block_start, shape->dispatch);
  if (run->early_starts)
    wb_text_string(text, ", \"early_starts\": true");
  if (run->graph != NULL && run->graph->begin > 0)
    wb_text_format(text, ", \"begin\": %" PRIu64, run->graph->begin);
  if (run->graph != NULL && run->graph->memory < run->code->resource_count)
    wb_text_format(text, ", \"memory\": %u", (unsigned)run->graph->memory);
  if (run->graph != NULL && run->graph->of != WB_CHECK_RUN_NO_STEP)
    wb_text_format(text, ", \"of\": %" PRIu32, run->graph->of);
  wb_text_string(text, "},\n");
}

static void write_lines(const struct wb_timed_code *code, struct wb_text *text)
{
  const struct wb_cold_lines *lines = &code->cold_lines;
  wb_text_string(text, " \"lines\": [");
  for (size_t l = 0; l < lines->count; l++)
    wb_text_format(text, "%s[%u, %" PRIu32 "]", wb_json_comma(l), (unsigned)lines->lines[l].fetch,
                   lines->lines[l].behind);
  wb_text_string(text, "],\n \"needs\": [");
  for (size_t i = 0; i < code->instruction_count; i++) {
    wb_text_format(text, "%s[", wb_json_comma(i));
    for (size_t n = lines->first[i]; n < lines->first[i + 1]; n++)
      wb_text_format(text, "%s%" PRIu32, wb_json_comma(n - lines->first[i]), lines->needs[n]);
    wb_text_string(text, "]");
  }
  wb_text_string(text, "],\n");
}

static void write_step(const struct wb_check_run_step *step, struct wb_text *text)
{
  if (step->kind == WB_CHECK_RUN_LAUNCH)
    wb_text_format(text, "{\"launch\": %" PRIu32, step->kernel);
  else if (step->kind == WB_CHECK_RUN_COPY)
    wb_text_format(text, "{\"copy\": %" PRIu32 ", \"cycles\": %" PRIu64 ", \"memory\": %" PRIu64,
                   step->engine, step->cycles, step->memory);
  else
    wb_text_format(text, "{\"wait\": %" PRIu64, step->cycles);
  if (step->gap > 0)
    wb_text_format(text, ", \"gap\": %" PRIu64, step->gap);
  for (size_t a = 0; a < step->after_count; a++)
    wb_text_format(text, "%s%" PRIu32 "%s", a == 0 ? ", \"after\": [" : ", ", step->after[a],
                   a + 1 == step->after_count ? "]" : "");
  if (step->beside)
    wb_text_format(text, ", \"beside\": true, \"row\": %" PRIu32, step->row);
  if (step->beside && step->period > 0)
    wb_text_format(text, ", \"period\": %" PRIu64, step->period);
  wb_text_format(text, ", \"asked\": %" PRIu64 ", \"begin\": %" PRIu64 ", \"end\": %" PRIu64 "}",
                 step->asked, step->begin, step->end);
}

static void write_kernels(const struct wb_check_launch_run *run, struct wb_text *text)
{
  const struct wb_check_run_graph *graph = run->graph;
  if (graph == NULL) {
    wb_text_format(text,
                   " \"kernels\": [{\"blocks\": %" PRIu64 ", \"block_warps\": %" PRIu32 "}],\n",
                   run->shape.blocks, run->shape.block_warps);
    return;
  }
  wb_text_string(text, " \"kernels\": [");
  for (size_t k = 0; k < graph->kernel_count; k++) {
    const struct wb_check_run_kernel *kernel = &graph->kernels[k];
    wb_text_format(text,
                   "%s\n  {\"blocks\": %" PRIu64 ", \"block_warps\": %" PRIu32
                   ", \"most\": %" PRIu32 ", \"first_sm\": %" PRIu32 ", \"sms\": %" PRIu32 "}",
                   k > 0 ? "," : "", kernel->blocks, kernel->block_warps, kernel->most,
                   kernel->first_sm, kernel->sms);
  }
  wb_text_string(text, "],\n \"rooms\": [");
  for (size_t r = 0; r < graph->room_count; r++) {
    wb_text_format(text, "%s\n  {\"capacity\": %" PRIu64 ", \"sizes\": [", r > 0 ? "," : "",
                   graph->rooms[r].capacity);
    for (size_t k = 0; k < graph->kernel_count; k++)
      wb_text_format(text, "%s%" PRIu64, wb_json_comma(k), graph->rooms[r].size[k]);
    wb_text_string(text, "]}");
  }
  wb_text_string(text, "],\n \"steps\": [");
  for (size_t s = 0; s < graph->step_count; s++) {
    wb_text_string(text, s > 0 ? ",\n  " : "\n  ");
    write_step(&graph->steps[s], text);
  }
  wb_text_string(text, "],\n");
}

/* ---- paths and times ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
  return a < b ? -1 : a > b;
}

static int compare_events(const void *a, const void *b)
{
  const struct wb_check_launch_event *x = *(const struct wb_check_launch_event *const *)a;
  const struct wb_check_launch_event *y = *(const struct wb_check_launch_event *const *)b;
  int order = compare_numbers(x->block, y->block);
  if (order == 0)
    order = compare_numbers(x->warp, y->warp);
  if (order == 0)
    order = compare_numbers(x->request, y->request);
  if (order == 0)
    order = compare_numbers(x->step, y->step);
  if (order == 0)
    order = compare_numbers(x->stage, y->stage);
  return order != 0 ? order : compare_numbers(x->number, y->number);
}

/* The number of a warp's path among those that differ, which are few. */
static size_t path_of(const uint32_t *const *paths, size_t count, const uint32_t *path)
{
  size_t number = 0;
  while (number < count && paths[number] != path)
    number++;
  return number;
}

/* Most paths that differ. */
#define MOST_PATHS 64

/* False: more than MOST_PATHS. */
static bool write_paths(const struct wb_check_launch_run *run, const uint32_t **paths,
                        size_t *count, struct wb_text *text)
{
  wb_text_string(text, " \"paths\": [");
  for (size_t w = 0; w < run->shape.blocks * run->shape.block_warps; w++) {
    if (run->path[w] == NULL || path_of(paths, *count, run->path[w]) < *count)
      continue;
    if (*count == MOST_PATHS)
      return false;
    wb_text_string(text, *count > 0 ? ",\n  [" : "\n  [");
    for (size_t i = 0; i < run->length[w]; i++)
      wb_text_format(text, "%s%" PRIu32, wb_json_comma(i), run->path[w][i]);
    wb_text_string(text, "]");
    paths[(*count)++] = run->path[w];
  }
  wb_text_string(text, "],\n");
  return true;
}

/* The rows of times of warps: of their issues, or their requests. */
static void write_times(const struct wb_check_launch_run *run,
                        const struct wb_check_launch_event *const *sorted, bool requests,
                        const uint32_t *const *paths, size_t path_count, struct wb_text *text)
{
  size_t next = 0;
  size_t rows = 0;
  for (size_t w = 0; w < run->shape.blocks * run->shape.block_warps; w++) {
    if (run->path[w] == NULL)
      continue;
    size_t written = 0;
    wb_text_string(text, rows++ > 0 ? ",\n  [" : "\n  [");
    for (bool first = true;
         next < run->event_count && sorted[next]->block == w / run->shape.block_warps &&
         sorted[next]->warp == w % run->shape.block_warps;
         next++, first = false) {
      if (first && !requests) {
        wb_text_format(text, "%zu, %" PRIu32, path_of(paths, path_count, run->path[w]),
                       sorted[next]->partition);
        written = 1;
      }
      if (sorted[next]->request == requests)
        wb_text_format(text, "%s%" PRIu64, wb_json_comma(written++), sorted[next]->time);
    }
    wb_text_string(text, "]");
  }
}

static void write_others(const struct wb_check_launch_run *run, struct wb_text *text)
{
  for (size_t f = 0; f < run->fetch_count; f++) {
    const struct wb_check_run_fetch *fetch = &run->fetches[f];
    const struct wb_cold_fetch *kind =
        &run->code->cold[run->code->cold_lines.lines[fetch->line].fetch];
    const uint64_t *time = fetch->times;
    wb_text_format(text, "%s[%" PRIu32 ", %" PRIu32 ", %" PRIu32,
                   f == 0 ? ",\n \"fetched\": [\n  " : ",\n  ", fetch->line, fetch->sm,
                   fetch->partition);
    for (size_t s = 0; s < kind->stage_count; s++) {
      for (uint32_t n = 0; n < kind->stages[s].requests; n++)
        wb_text_format(text, ", %" PRIu64, *time++);
    }
    wb_text_string(text, f + 1 == run->fetch_count ? "]]" : "]");
  }
  for (size_t c = 0; c < run->copy_count; c++) {
    wb_text_format(text, "%s[%" PRIu32, c == 0 ? ",\n \"copied\": [\n  " : ",\n  ",
                   run->copies[c].step);
    for (uint32_t n = 0; n < run->code->resources[run->graph->memory].servers; n++)
      wb_text_format(text, ", %" PRIu64, run->copies[c].times[n]);
    wb_text_string(text, c + 1 == run->copy_count ? "]]" : "]");
  }
}

warpbound_status wb_launch_run_file_write(const struct wb_check_launch_run *run, const char *device,
                                          struct wb_text *text, warpbound_error *error)
{
  const uint32_t *paths[MOST_PATHS];
  size_t path_count = 0;
  const struct wb_check_launch_event **sorted = wb_allocate(run->event_count, sizeof *sorted);
  if (sorted == NULL)
    return wb_out_of_memory(error);
  for (size_t e = 0; e < run->event_count; e++)
    sorted[e] = &run->events[e];
  qsort(sorted, run->event_count, sizeof *sorted, compare_events);
  wb_text_format(text, "{\"format\": \"" WB_LAUNCH_RUN_FORMAT "\",\n \"cycles\": %" PRIu64 ",\n",
                 run->cycles);
  if (device != NULL) {
    json_t *name = wb_json_clean(device);
    wb_text_string(text, " \"device\": ");
    wb_json_write(name, JSON_ENCODE_ANY, text);
    wb_text_string(text, ",\n");
    json_decref(name);
  }
  write_machine(run, text);
  wb_launch_code_write(run->code, text);
  if (run->cold)
    write_lines(run->code, text);
  write_kernels(run, text);
  const bool few = write_paths(run, paths, &path_count, text);
  wb_text_string(text, " \"blocks\": [");
  size_t next = 0;
  for (uint64_t b = 0; b < run->shape.blocks; b++) {
    while (next < run->event_count && sorted[next]->block < b)
      next++;
    wb_text_format(text, "%s[%" PRIu32 ", %" PRIu32 ", %" PRIu64 ", %" PRIu64 "]",
                   b % 4 == 0 ? (b > 0 ? ",\n  " : "\n  ") : ", ",
                   run->graph != NULL ? run->graph->block_step[b] : 0,
                   next < run->event_count ? sorted[next]->sm : 0, run->placed[b], run->ready[b]);
  }
  wb_text_string(text, "],\n \"warps\": [");
  write_times(run, sorted, false, paths, path_count, text);
  wb_text_string(text, "],\n \"requests\": [");
  write_times(run, sorted, true, paths, path_count, text);
  wb_text_string(text, "]");
  write_others(run, text);
  wb_text_string(text, "}\n");
  free(sorted);
  return few ? WARPBOUND_OK
             : wb_fail(error, WARPBOUND_LIMIT, "the run has more than %d paths", MOST_PATHS);
}
